//! Setting up a position from a situation's `[position]`. The manual's page on Battle Hymn lists what may be written.

use game::read::{self, Field, Section};
use game::{Faults, Ruleset, Side};
use hexmap::Hex;

use crate::equipment::Battle;
use crate::rules::BattleHymn;
use crate::scenario::{unit_of, units_of};
use crate::sequence::{self, Marker};
use crate::state::{Causes, FireOf, Id, Mount, NOWHERE, Retreat, State, Status, Step};
use crate::zones::opposite;
use crate::{combat, map, movement, retreat};

/// The position of a situation file, or of a text that is nothing but its `[position]`.
///
/// # Errors
/// Every fault at once.
pub(crate) fn read(battle: &Battle, source: &str) -> Result<State, Faults> {
    read::document(source, |sheet| {
        let whole = sheet.field("position");
        if whole.is_present() {
            sheet.entries().for_each(drop);
            let section = whole.section()?;
            return Some(set_up(battle, &section));
        }
        Some(set_up(battle, sheet))
    })
}

fn set_up(battle: &Battle, section: &Section<'_>) -> State {
    let mut setting = Setting { battle, state: BattleHymn::muster(battle) };
    setting.hour(section);
    setting.units(&section.field("unit"));
    setting.control(&section.field("control"));
    setting.time(section);
    setting.turn(section);
    section.finish();
    setting.state
}

struct Setting<'b> {
    battle: &'b Battle,
    state: State,
}

impl Setting<'_> {
    fn hour(&mut self, section: &Section<'_>) {
        let field = section.field("hour");
        if let Some(clock) = field.integer(0..=200) {
            match self.battle.hours.iter().position(|h| i64::from(h.clock) == clock) {
                Some(index) => self.state.hour = index as u8,
                None => field.fault(format!("Hour {clock} is not played"), "an Hour of the scenario"),
            }
        }
    }

    fn units(&mut self, field: &Field<'_>) {
        let Some(table) = field.section() else { return };
        let mut placed: Vec<(Id, Hex)> = Vec::new();
        for (id, field) in table.entries() {
            let Some(unit) = self.battle.find(&id) else {
                field.fault(format!("there is no unit `{id}`"), "the id of a unit");
                continue;
            };
            if let Some(section) = field.section() {
                self.unit(unit, &section, &mut placed);
            }
        }
        // All leave before any arrive, so that units may change places.
        for &(unit, _) in &placed {
            self.state.lift(unit);
        }
        for (unit, hex) in placed {
            self.state.put(unit, hex);
        }
    }

    fn unit(&mut self, unit: Id, section: &Section<'_>, placed: &mut Vec<(Id, Hex)>) {
        let battle = self.battle;
        let hex = section
            .field("hex")
            .is_present()
            .then(|| map::hex(&battle.ground.grid, &section.field("hex")))
            .flatten();
        if let Some(hex) = hex {
            placed.push((unit, hex));
        }
        let boxes = ["shattered", "eliminated", "exited", "due", "rallied"];
        const STATUS: [Status; 5] =
            [Status::Shattered, Status::Eliminated, Status::Exited, Status::Due, Status::Rallied];
        let status = section.field("box").one_of(&boxes).map(|i| STATUS[i]);
        let holders = section.field("holders").integer(0..=40).map(|n| n as u8);
        let dismounted = section.field("dismounted").truth().unwrap_or(false);
        let horses_field = section.field("horses");
        let horses = horses_field.text();
        let lost = section.field("lost").integer(0..=40);
        let demoralised = section.field("demoralised").integer(0..=40);
        if let Some(status) = status {
            self.state.lift(unit);
            self.state.piece_mut(unit).status = status;
        }
        let full = battle.unit(unit).strength;
        let piece = self.state.piece_mut(unit);
        if dismounted {
            piece.mount = Mount::Dismounted;
            match horses.as_deref() {
                Some("lost") => piece.mount = Mount::HorsesLost,
                Some(text) => match battle.ground.grid.parse(text) {
                    Some(hex) => piece.horses = hex,
                    None => horses_field.fault(format!("there is no hex {text}"), "a hex, or \"lost\""),
                },
                None => section.fault("its horses are nowhere", "`horses = \"1108\"`, or \"lost\""),
            }
            piece.holders = holders.unwrap_or(0);
        }
        let lost = match (status, lost) {
            (Some(Status::Eliminated), _) => i64::from(full),
            (_, Some(lost)) => lost,
            (_, None) => i64::from(battle.unit(unit).lost),
        };
        let strength = i64::from(full) - lost - i64::from(piece.holders);
        if strength < 0 {
            section.fault("it has lost more than it had", "`lost` up to its SPs");
        }
        piece.strength = strength.max(0) as u8;
        let all = piece.strength;
        piece.demoralised = match status {
            Some(Status::Shattered) => all,
            _ => demoralised.map_or(piece.demoralised.min(all), |d| d as u8),
        };
        if piece.demoralised > all {
            section.fault("more SPs are demoralised than it has", format!("at most {all}"));
            piece.demoralised = all;
        }
        if piece.mount == Mount::Dismounted {
            self.state.horse_markers.insert(unit);
        }
        // Read again once the Turn is known.
        section.ignore(&["moved", "mp", "began_in_zone", "placed"]);
        section.finish();
    }

    fn control(&mut self, field: &Field<'_>) {
        let battle = self.battle;
        // Whoever stands on an Objective controls it.
        for (i, objective) in battle.victory.objectives.iter().enumerate() {
            self.state.control[i] =
                self.state.at(objective.hex).map(|u| battle.side(u)).or(objective.control);
        }
        let Some(table) = field.section() else { return };
        for (hex, field) in table.entries() {
            let objective = battle.ground.grid.parse(&hex).and_then(|h| battle.victory.objective_at(h));
            let Some(objective) = objective else {
                field.fault(format!("{hex} is no Objective"), "the hex of an Objective");
                continue;
            };
            if let Some(side) = self.side_or_none(&field) {
                self.state.control[objective] = side;
            }
        }
    }

    fn side_or_none(&self, field: &Field<'_>) -> Option<Option<Side>> {
        let ids = [self.battle.armies.first.id.as_str(), self.battle.armies.second.id.as_str(), "none"];
        field.one_of(&ids).map(|i| Side::BOTH.get(i).copied())
    }

    /// A marker by its words.
    fn marker(&self, field: &Field<'_>) -> Option<Marker> {
        let text = field.text()?;
        let formations = (0..self.battle.formations.len() as u8).map(Marker::Move);
        let all = formations.chain(Side::BOTH.map(Marker::Combat));
        let found = all.into_iter().find(|m| m.word(self.battle) == text);
        if found.is_none() {
            field.fault(format!("there is no marker `{text}`"), "`move <formation>` or `combat <side>`");
        }
        found
    }

    /// Initiative, cup and held marker.
    fn time(&mut self, section: &Section<'_>) {
        let battle = self.battle;
        self.state.agenda.clear();
        self.state.agenda.push(Step::Draw);
        let initiative = section.field("initiative");
        self.state.initiative = match initiative.is_present() {
            true => self.side_or_none(&initiative).flatten(),
            false => sequence::initiative(battle, &self.state),
        };
        self.state.held = self.state.initiative;
        self.state.cup = sequence::full_cup(battle, &self.state);
        let present = section.field("turn").text();
        if let Some(marker) = sequence::markers(self.state.cup).find(|m| Some(m.word(battle)) == present) {
            self.state.cup &= !(1 << marker.bit());
        }
        if let Some(side) = self.state.held
            && Some(Marker::Combat(side).word(battle)) == present
        {
            self.state.held = None;
        }
        let cup = section.field("cup");
        if cup.is_present() {
            self.state.cup =
                cup.list().iter().filter_map(|f| self.marker(f)).fold(0, |c, m| c | 1 << m.bit());
        }
        let held = section.field("held");
        if held.is_present() {
            self.state.held = match held.text().as_deref() {
                Some("none") => None,
                _ => match self.marker(&held) {
                    Some(Marker::Combat(side)) => Some(side),
                    _ => None,
                },
            };
        }
    }

    fn turn(&mut self, section: &Section<'_>) {
        let field = section.field("turn");
        let turn = match field.text().as_deref() {
            None | Some("draw") => None,
            Some(_) => self.marker(&field),
        };
        let fields = [
            "step",
            "round",
            "engagement",
            "options",
            "fought",
            "bombarded",
            "advanced",
            "retreated",
            "tried",
            "fired",
            "vacated",
            "screened",
            "hits",
            "retreat",
            "entered",
        ];
        section.ignore(&fields);
        self.approach(&section.field("approach"));
        match turn {
            None => {}
            Some(Marker::Move(formation)) => self.movement_turn(section, formation),
            Some(Marker::Combat(side)) => self.combat_turn(section, side),
        }
        let retreat = section.field("retreat");
        if let Some(table) = retreat.section() {
            self.retreat(&table);
        }
    }

    fn approach(&mut self, field: &Field<'_>) {
        for (firer, target) in self.pairs(field) {
            let (from, to) = (self.state.piece(firer).hex, self.state.piece(target).hex);
            let direction = if to == NOWHERE { None } else { self.battle.ground.direction(to, from) };
            match direction {
                Some(d) => self.state.piece_mut(target).approach |= 1 << d,
                None => field.fault("firer and target do not touch", "neighbouring units"),
            }
        }
    }

    /// `"archer>meredith"`.
    fn pairs(&self, field: &Field<'_>) -> Vec<(Id, Id)> {
        let read = |item: &Field<'_>| {
            let text = item.text()?;
            let (a, b) = text.split_once('>')?;
            let found = self.battle.find(a.trim()).zip(self.battle.find(b.trim()));
            if found.is_none() {
                item.fault(format!("`{text}` names no two units"), "`archer>meredith`");
            }
            found
        };
        field.list().iter().filter_map(read).collect()
    }

    fn movement_turn(&mut self, section: &Section<'_>, formation: u8) {
        movement::begin_turn(self.battle, &mut self.state, formation);
        if let Some(entered) = section.field("entered").section() {
            for (slot, (hex, field)) in entered.entries().enumerate().take(12) {
                match (self.battle.ground.grid.parse(&hex), field.integer(0..=99)) {
                    (Some(hex), Some(n)) => self.state.conga[slot] = (hex, n as u8),
                    _ => field.fault(format!("there is no hex {hex}"), "a hex and a number"),
                }
            }
        }
        let Some(units) = section.field("unit").section() else { return };
        for (id, field) in units.entries() {
            let (Some(unit), Some(section)) = (self.battle.find(&id), field.section()) else { continue };
            if section.field("moved").truth() == Some(true) {
                self.state.moved.insert(unit);
            }
            if section.field("placed").truth() == Some(true) {
                self.state.placed.insert(unit);
                self.state.moved.insert(unit);
            }
            match section.field("began_in_zone").truth() {
                Some(true) => self.state.began_in_zone.insert(unit),
                Some(false) => self.state.began_in_zone.remove(unit),
                None => {}
            }
            if let Some(mp) = section.field("mp").integer(0..=31) {
                (self.state.hand, self.state.left, self.state.stride) = (unit, mp as u8, true);
            }
        }
    }

    fn combat_turn(&mut self, section: &Section<'_>, side: Side) {
        let battle = self.battle;
        combat::begin_turn(self.battle, &mut self.state, side);
        let set = |key| units_of(battle, &section.field(key));
        self.state.members = set("engagement");
        self.state.fought = set("fought");
        self.state.bombarded = set("bombarded");
        self.state.advanced = set("advanced");
        self.state.retreated = set("retreated");
        self.state.tried = set("tried");
        self.state.screened = section
            .field("screened")
            .list()
            .iter()
            .filter_map(|f| map::hex(&battle.ground.grid, f))
            .collect();
        if let Some(hits) = section.field("hits").section() {
            for (id, field) in hits.entries() {
                match (battle.find(&id), field.integer(0..=40)) {
                    (Some(unit), Some(n)) => self.state.piece_mut(unit).hits = n as u8,
                    _ => field.fault(format!("there is no unit `{id}`"), "the id of a unit and a number"),
                }
            }
        }
        self.step(section, side);
        for id in self.state.on_map() {
            let piece = self.state.piece_mut(id);
            piece.was = piece.hex;
        }
        for (a, z) in self.pairs(&section.field("options")) {
            self.aim(a, z);
        }
        self.fired(section);
    }

    /// Takes the steps off the agenda that are behind, and puts those of the Engagement under way on it.
    fn step(&mut self, section: &Section<'_>, side: Side) {
        const STEPS: [&str; 11] = [
            "cavalry-retreat",
            "bombard",
            "withdraw",
            "approach",
            "engage",
            "round 1",
            "round 2",
            "checks",
            "advance",
            "fallback",
            "end",
        ];
        let Some(step) = section.field("step").one_of(&STEPS) else { return };
        let round = section.field("round").integer(1..=2).unwrap_or(1) as u8;
        // Of the six steps of a Combat Turn those before this one are done.
        let done = match step {
            0..=4 => step,
            10 => 5,
            _ => 4,
        };
        for _ in 0..done {
            self.state.agenda.pop();
        }
        if !(5..=9).contains(&step) {
            return;
        }
        self.state.round = match step {
            5 => 1,
            6 => 2,
            _ => round,
        };
        if step == 9 {
            self.state.round = 2;
            self.state.agenda.push(Step::FallBack);
            return;
        }
        self.state.agenda.push(Step::NextRound);
        if step == 8 || step == 7 {
            self.state.agenda.push(Step::Advance);
        }
        if step == 7 {
            self.state.agenda.push(Step::Checks(FireOf::Round, side));
            self.state.agenda.push(Step::Checks(FireOf::Round, side.enemy()));
        }
        if step <= 6 {
            self.state.agenda.push(if section.field("options").is_present() {
                Step::Aim
            } else {
                Step::Options
            });
        }
    }

    /// One unit fires at another next to it.
    fn aim(&mut self, firer: Id, target: Id) {
        let (from, to) = (self.state.piece(firer).hex, self.state.piece(target).hex);
        if from == NOWHERE || to == NOWHERE {
            return;
        }
        if let Some(d) = self.battle.ground.direction(from, to) {
            self.state.piece_mut(firer).shot_into |= 1 << d;
            self.state.piece_mut(target).shot_from |= 1 << opposite(d);
        }
    }

    /// Fire of this Round, at units that are still there and at hexes that have been vacated since.
    fn fired(&mut self, section: &Section<'_>) {
        let battle = self.battle;
        let vacated: Vec<Hex> =
            section.field("vacated").list().iter().filter_map(|f| map::hex(&battle.ground.grid, f)).collect();
        for (firer, target) in self.pairs(&section.field("fired")) {
            self.aim(firer, target);
            let from = self.state.piece(firer).hex;
            let gone = from != NOWHERE
                && (self.state.piece(target).hex == NOWHERE
                    || !battle.ground.grid.adjacent(from, self.state.piece(target).hex));
            for &hex in vacated.iter().filter(|_| gone) {
                if let Some(d) = battle.ground.direction(from, hex) {
                    self.state.piece_mut(firer).shot_into |= 1 << d;
                }
            }
        }
    }

    fn retreat(&mut self, table: &Section<'_>) {
        let battle = self.battle;
        let unit = unit_of(battle, &table.field("unit").required());
        let causes: Vec<Hex> =
            table.field("causes").list().iter().filter_map(|f| map::hex(&battle.ground.grid, f)).collect();
        let voluntary = table.field("voluntary").truth().unwrap_or(false);
        let path: Vec<Hex> =
            table.field("path").list().iter().filter_map(|f| map::hex(&battle.ground.grid, f)).collect();
        table.finish();
        let Some(unit) = unit.filter(|&u| self.state.piece(u).on_map()) else { return };
        let mut retreat = retreat::new_retreat(&self.state, unit, Causes::NONE, voluntary);
        if let Some(&start) = path.first() {
            retreat.start = start;
            self.walk(&mut retreat, &path);
        }
        let start = retreat.start;
        let directions =
            causes.iter().filter_map(|&c| battle.ground.direction(start, c)).fold(0u8, |m, d| m | 1 << d);
        if directions.count_ones() as usize != causes.len() {
            table.fault("a cause is not next to the start", "hexes next to where the retreat began");
        }
        retreat.causes = Causes { at: start, directions };
        self.state.retreated.insert(unit);
        self.state.agenda.push(Step::Retreat(retreat));
        self.state.stand_in_hexes();
    }

    fn walk(&mut self, retreat: &mut Retreat, path: &[Hex]) {
        for pair in path.windows(2) {
            if let Some(d) = self.battle.ground.direction(pair[0], pair[1]) {
                retreat.path |= (d as u64 + 1) << (3 * u32::from(retreat.steps));
                retreat.steps += 1;
            }
        }
    }
}
