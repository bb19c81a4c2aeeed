//! Setting up a position from a situation's `[position]`. The manual's page on Battle Hymn lists what may be written.
//!
//! A position is held to the rules as a scenario is: what could never stand on the table is refused at its place.

mod combat_turn;
mod unit;

use game::read::{self, Field, Section};
use game::{Faults, Side};
use hexmap::Hex;

use crate::at::At;
use crate::rules::sequence;
use crate::rules::sequence::Marker;
use crate::rules::zones::directions;
use crate::setup::battle::Battle;
use crate::setup::scenario::on_map;
use crate::state::{CONGA, Id, NOWHERE, State, Status, Step};

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
    let mut setting = Setting { battle, state: battle.muster() };
    setting.hour(section);
    setting.units(&section.field("unit"));
    setting.control(&section.field("control"));
    setting.time(section);
    setting.turn(section);
    setting.check_units(&section.field("unit"));
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

    /// 3.6.b: whoever stands on an Objective controls it.
    fn control(&mut self, field: &Field<'_>) {
        let battle = self.battle;
        let occupant = |state: &State, hex: Hex| state.at(hex).map(|u| battle.side(u));
        for (i, objective) in battle.victory.objectives.iter().enumerate() {
            self.state.control[i] = occupant(&self.state, objective.hex).or(objective.control);
        }
        let Some(table) = field.section() else { return };
        for (hex, field) in table.entries() {
            let objective = battle.ground.grid.parse(&hex).and_then(|h| battle.victory.objective_at(h));
            let Some(objective) = objective else {
                field.fault(format!("{hex} is no Objective"), "the hex of an Objective");
                continue;
            };
            let Some(side) = self.side_or_none(&field) else { continue };
            let holder = occupant(&self.state, battle.victory.objectives[objective].hex);
            if holder.is_some() && holder != side {
                let id = holder.map_or("", |s| battle.armies[s].id.as_str());
                field.fault(
                    format!("a unit of {id} stands on {hex} and controls it"),
                    format!("\"{id}\" (3.6.b)"),
                );
            }
            self.state.control[objective] = side;
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

    /// Whether a marker can have been in this Hour's cup: its Formation is or was in play, or it is a Combat marker by day.
    fn belongs_to_hour(&self, marker: Marker) -> bool {
        let (battle, state) = (self.battle, &self.state);
        match marker {
            Marker::Move(formation) => {
                battle.formations[usize::from(formation)].units.into_iter().any(|id| {
                    !matches!(state.piece(id).status, Status::Due | Status::Away)
                        || At::new(battle, state).is_due(id)
                })
            }
            Marker::Combat(_) => !At::new(battle, state).is_night(),
        }
    }

    /// Notes a marker that no draw of this Hour can bring.
    fn check_marker(&self, field: &Field<'_>, marker: Marker) {
        if self.belongs_to_hour(marker) {
            return;
        }
        match marker {
            Marker::Move(_) => field.fault(
                "no unit of this Formation has come yet",
                "a Formation with a unit in play or due (4.b)",
            ),
            Marker::Combat(_) => field.fault("there is no combat at night", "an Hour by day (13.a)"),
        }
    }

    /// Initiative, cup and held marker.
    fn time(&mut self, section: &Section<'_>) {
        let battle = self.battle;
        self.state.agenda.clear();
        self.state.agenda.push(Step::Draw);
        let initiative = section.field("initiative");
        self.state.initiative = match initiative.is_present() {
            true => self.side_or_none(&initiative).flatten(),
            false => At::new(battle, &self.state).initiative(),
        };
        if self.state.initiative.is_some() && At::new(battle, &self.state).is_night() {
            initiative.fault("nobody has the Initiative at night", "\"none\" (13.a)");
        }
        self.state.held = self.state.initiative;
        self.state.cup = At::new(battle, &self.state).full_cup();
        let present = section.field("turn").text();
        if let Some(marker) = sequence::markers(self.state.cup).find(|m| Some(m.word(battle)) == present) {
            self.state.cup &= !(1 << marker.bit());
        }
        if let Some(side) = self.state.held
            && Some(Marker::Combat(side).word(battle)) == present
        {
            self.state.held = None;
        }
        self.cup(&section.field("cup"), present.as_deref());
        self.held(&section.field("held"));
    }

    fn cup(&mut self, field: &Field<'_>, present: Option<&str>) {
        if !field.is_present() {
            return;
        }
        self.state.cup = 0;
        for item in field.list() {
            let Some(marker) = self.marker(&item) else { continue };
            self.check_marker(&item, marker);
            if Some(marker.word(self.battle).as_str()) == present {
                item.fault("this marker has been drawn: it is the present `turn`", "another marker");
            }
            if self.state.initiative.map(Marker::Combat) == Some(marker) {
                item.fault(
                    "the Initiative side holds its Combat marker",
                    "`held`, or another Initiative (3.9.b)",
                );
            }
            if self.state.cup >> marker.bit() & 1 != 0 {
                item.fault("this marker is named twice", "each marker once");
            }
            self.state.cup |= 1 << marker.bit();
        }
    }

    fn held(&mut self, field: &Field<'_>) {
        match field.text().as_deref() {
            None => {}
            Some("none") => self.state.held = None,
            Some(_) => match self.marker(field) {
                Some(Marker::Combat(side)) if self.state.initiative == Some(side) => {
                    self.state.held = Some(side);
                }
                Some(_) => field.fault(
                    "only the Initiative side holds its Combat marker",
                    "its marker, or \"none\" (3.9.b)",
                ),
                None => {}
            },
        }
    }

    fn turn(&mut self, section: &Section<'_>) {
        let field = section.field("turn");
        let turn = match field.text().as_deref() {
            None | Some("draw") => None,
            Some(_) => self.marker(&field),
        };
        if let Some(marker) = turn {
            self.check_marker(&field, marker);
        }
        self.approach(&section.field("approach"));
        match turn {
            Some(Marker::Combat(side)) => self.combat_turn(section, side),
            Some(Marker::Move(formation)) => self.movement_turn(section, formation),
            None => {}
        }
        let combat = matches!(turn, Some(Marker::Combat(_)));
        for key in combat_turn::KEYS {
            let field = section.field(key);
            if field.is_present() && !combat {
                field.fault(format!("`{key}` belongs to a Combat Turn"), "`turn = \"combat <side>\"`");
            }
        }
        let entered = section.field("entered");
        if entered.is_present() && !matches!(turn, Some(Marker::Move(_))) {
            entered.fault("`entered` belongs to a Movement Turn", "`turn = \"move <formation>\"`");
        }
        self.moves(section, turn);
    }

    /// 5.3.h, R22: a pair is a firer and an enemy that came into its zone of control.
    fn approach(&mut self, field: &Field<'_>) {
        if field.is_present() && At::new(self.battle, &self.state).is_night() {
            return field.fault("there is no approach fire at night", "an Hour by day (13.b)");
        }
        for (item, firer, target) in self.pairs(field) {
            let Some(direction) = self.enemies_touch(&item, target, firer) else { continue };
            let hex = self.state.piece(target).hex;
            if self.battle.ground.zone_in[hex.index()] >> direction & 1 == 0 {
                item.fault(
                    "the target is not in the firer's zone of control",
                    "a firer whose zone covers it (5.3.h)",
                );
            }
            self.state.piece_mut(target).approach |= 1 << direction;
        }
    }

    /// The direction from one unit to an enemy next to it.
    fn enemies_touch(&self, item: &Field<'_>, from: Id, to: Id) -> Option<usize> {
        let battle = self.battle;
        if battle.side(from) == battle.side(to) {
            item.fault("firer and target are on the same side", "units of opposite sides");
            return None;
        }
        let (a, b) = (self.state.piece(from).hex, self.state.piece(to).hex);
        let direction = if a == NOWHERE { None } else { battle.ground.direction(a, b) };
        if direction.is_none() {
            item.fault("firer and target do not touch", "neighbouring units");
        }
        direction
    }

    /// `"archer>meredith"`.
    fn pairs<'d>(&self, field: &Field<'d>) -> Vec<(Field<'d>, Id, Id)> {
        let read = |item: Field<'d>| {
            let text = item.text()?;
            let names = text.split_once('>').map(|(a, b)| (a.trim().to_owned(), b.trim().to_owned()));
            let found = names.and_then(|(a, b)| self.battle.find(&a).zip(self.battle.find(&b)));
            if found.is_none() {
                item.fault(format!("`{text}` names no two units"), "`archer>meredith`");
            }
            found.map(|(a, b)| (item, a, b))
        };
        field.list().into_iter().filter_map(read).collect()
    }

    fn movement_turn(&mut self, section: &Section<'_>, formation: u8) {
        self.state.begin_movement_turn(self.battle, formation);
        let Some(entered) = section.field("entered").section() else { return };
        for (slot, (hex, field)) in entered.entries().enumerate() {
            let n = field.integer(1..=99);
            match (self.battle.ground.grid.parse(&hex), n) {
                (Some(_), _) if slot >= CONGA => {
                    field.fault("too many entry hexes are listed", format!("at most {CONGA}"));
                }
                (Some(hex), Some(n)) if self.battle.ground.is_edge(hex) => {
                    self.state.conga[slot] = (hex, n as u8);
                }
                (Some(_), Some(_)) => {
                    field.fault(format!("{hex} is not at the edge of the map"), "an entry hex")
                }
                (None, _) => field.fault(format!("there is no hex {hex}"), "a hex and a number"),
                (Some(_), None) => {}
            }
        }
    }

    /// The parts of a unit's table that belong to a Movement Turn.
    fn moves(&mut self, section: &Section<'_>, turn: Option<Marker>) {
        let Some(units) = section.field("unit").section() else { return };
        for (id, field) in units.entries() {
            let (Some(unit), Some(section)) = (self.battle.find(&id), field.section()) else { continue };
            self.moves_of(unit, &section, turn);
        }
    }

    fn moves_of(&mut self, unit: Id, section: &Section<'_>, turn: Option<Marker>) {
        let formation = self.battle.unit(unit).formation;
        for key in unit::OF_A_MOVEMENT_TURN {
            let field = section.field(key);
            if field.is_present() && turn != Some(Marker::Move(formation)) {
                let id = &self.battle.formations[usize::from(formation)].id;
                field.fault(
                    format!("`{key}` belongs to the Movement Turn of its Formation"),
                    format!("`turn = \"move {id}\"`"),
                );
                return;
            }
        }
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
        let field = section.field("mp");
        let most = i64::from(self.battle.unit(unit).allowance);
        if let Some(mp) = field.integer(0..=most) {
            if self.state.hand.is_some() {
                field.fault("another unit's move is under way", "`mp` for one unit (5.2.a)");
            }
            if self.state.moved.contains(unit) {
                field.fault("its move is over", "`mp` without `moved` or `placed`");
            }
            (self.state.hand, self.state.left, self.state.stride) = (Some(unit), mp as u8, true);
        }
    }

    /// Hexes that are on the map.
    fn hexes(&self, field: &Field<'_>) -> Vec<Hex> {
        field.list().iter().filter_map(|f| on_map(&self.battle.ground, f)).collect()
    }

    /// Whether an enemy of a unit has its zone over a hex.
    fn enemy_zone_over(&self, unit: Id, hex: Hex) -> bool {
        let enemies = self.battle.armies[self.battle.side(unit).enemy()].units;
        let ground = &self.battle.ground;
        directions(ground.zone_in[hex.index()])
            .any(|d| self.state.at(ground.beyond[hex.index()][d]).is_some_and(|u| enemies.contains(u)))
    }
}
