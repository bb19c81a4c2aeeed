//! A position in mid-game, as a situation writes it. What could not come about in play is refused at its place.

use game::read::{self, Field, Section};
use game::{Faults, Side};
use hexmap::Hex;

use crate::at::At;
use crate::rules::charts::Closed;
use crate::rules::movement;
use crate::setup::battle::Battle;
use crate::setup::ground::hex_of;
use crate::setup::pieces::{Arm, Start};
use crate::state::{
    Face, Fire, Ford, LeaderId, Leaders, Mover, Phase, Piece, Post, State, Step, Task, UnitId, Units, Why,
};

const PHASES: [(&str, Phase); 7] = [
    ("command", Phase::Command),
    ("organization", Phase::Organization),
    ("artillery", Phase::Artillery),
    ("movement", Phase::Movement),
    ("defensive", Phase::Defensive),
    ("offensive", Phase::Offensive),
    ("rally", Phase::Rally),
];

/// Reads the `[position]` table of a situation; the rest of the file is somebody else's.
pub(crate) fn read(battle: &Battle, source: &str) -> Result<State, Faults> {
    read::document(source, |sheet| {
        sheet.entries().for_each(drop);
        let position = sheet.field("position").required().section()?;
        let reader = Reader { battle, sheet: &position };
        let state = reader.build();
        position.finish();
        Some(state)
    })
}

/// The table being read, and the battle it belongs to.
struct Reader<'a, 'd> {
    battle: &'a Battle,
    sheet: &'a Section<'d>,
}

/// The tables of the units and leaders that the position writes: where their faults are shown.
#[derive(Default)]
struct Written<'d> {
    units: Vec<(UnitId, Section<'d>)>,
    leaders: Vec<(LeaderId, Section<'d>)>,
}

impl<'d> Reader<'_, 'd> {
    fn build(&self) -> State {
        let (battle, sheet) = (self.battle, self.sheet);
        let mut state = battle.muster();
        if let Some(turn) = sheet.field("turn").integer(1..=battle.turns.len() as i64) {
            state.turn = turn as u8 - 1;
        }
        if let Some(side) = self.side(&sheet.field("active")) {
            state.active = side;
        }
        let phases: Vec<&str> = PHASES.iter().map(|(id, _)| *id).collect();
        if let Some(phase) = sheet.field("phase").one_of(&phases) {
            state.phase = PHASES[phase].1;
        }
        let mut written = Written::default();
        self.units(&mut state, &mut written);
        self.leaders(&mut state, &mut written);
        self.one_unit_a_hex(&state, &written);
        self.no_leader_with_an_enemy(&state, &written);
        self.ground(&mut state);
        self.tasks(&mut state, &written);
        self.tracks(&mut state);
        self.command(&mut state);
        self.marked_units(&mut state);
        self.night(&mut state);
        self.mover(&mut state);
        self.combat(&mut state);
        state
    }

    fn side(&self, field: &Field<'_>) -> Option<Side> {
        let ids = Side::BOTH.map(|s| self.battle.armies[s].id.as_str());
        field.one_of(&ids).map(|index| Side::BOTH[index])
    }

    fn unit_of(&self, item: &Field<'_>) -> Option<UnitId> {
        let slug = item.text()?;
        let unit = self.battle.unit_named(&slug);
        if unit.is_none() {
            item.fault(format!("no unit `{slug}`"), "the id of a unit");
        }
        unit
    }

    /// The units of a list that may be on it; `why` says what is wrong with another.
    fn unit_list(
        &self,
        field: &Field<'_>,
        why: impl Fn(UnitId) -> Option<(&'static str, &'static str)>,
    ) -> Units {
        let mut units = Units::EMPTY;
        for item in field.list() {
            let Some(unit) = self.unit_of(&item) else { continue };
            match why(unit) {
                Some((wrong, remedy)) => {
                    item.fault(format!("{}: {wrong}", self.battle.unit(unit).slug), remedy)
                }
                None => units.insert(unit),
            }
        }
        units
    }

    /// `hex = "0505"` or `box = "due"`, where a piece with this start may be.
    fn post(&self, section: &Section<'d>, now: Post, start: Start, guns: bool) -> Post {
        let (hex, off) = (section.field("hex"), section.field("box"));
        if hex.is_present() && off.is_present() {
            off.fault("the piece has a hex already", "`hex` or `box`, not both");
        }
        if let Some(index) = off.one_of(&["due", "gone"]) {
            let enters = matches!(start, Start::Enters { .. } | Start::ByDie { .. });
            if index == 0 && !enters {
                off.fault("the scenario does not bring this piece in later", "\"gone\", or a hex");
            }
            return [Post::Due, Post::Gone][index];
        }
        let Some(at) = hex_of(&hex, &self.battle.map.grid) else { return now };
        if !self.battle.map.in_play.contains(at) {
            hex.fault("the hex is not in play", "a hex that is in play");
            return now;
        }
        if let Some(ground) = self.closed(at, guns) {
            hex.fault(format!("{ground} is prohibited to it"), "a hex that it may enter (8.1.4.b)");
            return now;
        }
        Post::On(at)
    }

    /// The ground of a hex, if it is closed.
    fn closed(&self, hex: Hex, guns: bool) -> Option<&str> {
        let terrain = self.battle.ground(hex);
        let closed = match terrain.closed {
            Closed::ToNobody => false,
            Closed::ToGuns => guns,
            Closed::ToAll => true,
        };
        closed.then_some(terrain.title.as_str())
    }

    fn units(&self, state: &mut State, written: &mut Written<'d>) {
        let Some(units) = self.sheet.field("unit").section() else { return };
        for (slug, field) in units.entries() {
            let (Some(id), Some(section)) = (self.battle.unit_named(&slug), field.section()) else {
                field.fault(format!("no unit `{slug}`"), "the id of a unit, and a table");
                continue;
            };
            self.unit(state, id, &section);
            written.units.push((id, section));
        }
    }

    fn unit(&self, state: &mut State, id: UnitId, section: &Section<'d>) {
        let sheet = self.battle.unit(id);
        let unit = state.unit_mut(id);
        unit.post = self.post(section, unit.post, sheet.start, sheet.arm == Arm::Artillery);
        let (sp, lost) = (section.field("sp"), section.field("lost"));
        if sp.is_present() && lost.is_present() {
            lost.fault("the SP are written already", "`sp` or `lost`, not both");
        }
        if let Some(sp) = sp.integer(1..=i64::from(sheet.sp)) {
            unit.sp = sp as u8;
        }
        if let Some(lost) = lost.integer(0..=i64::from(sheet.sp) - 1) {
            unit.sp = sheet.sp - lost as u8;
        }
        if unit.post == Post::Gone && (sp.is_present() || lost.is_present()) {
            section.fault("a unit that is gone has no SP", "no `sp` and no `lost`, or a hex");
        }
        let routed = section.field("routed");
        if let Some(is) = routed.truth() {
            unit.routed = is;
            if is && unit.post.hex().is_none() {
                routed.fault("only a unit on the map is routed", "a hex as well");
            }
        }
        let mut told = false;
        for (key, arm, deployed) in [
            ("limbered", Arm::Artillery, false),
            ("unlimbered", Arm::Artillery, true),
            ("mounted", Arm::Cavalry, false),
            ("dismounted", Arm::Cavalry, true),
        ] {
            let field = section.field(key);
            let Some(is) = field.truth() else { continue };
            if sheet.arm != arm {
                field.fault(format!("`{key}` is not for this arm"), "limbered for guns, mounted for cavalry");
                continue;
            }
            (unit.deployed, told) = (deployed == is, true);
        }
        // 9.8.y: guns that rout limber, and routed units change no formation.
        if unit.routed && sheet.arm == Arm::Artillery && unit.deployed {
            unit.deployed = false;
            if told {
                section.fault("routed guns are limbered", "limbered = true (9.8.y)");
            }
        }
    }

    fn leaders(&self, state: &mut State, written: &mut Written<'d>) {
        let Some(leaders) = self.sheet.field("leader").section() else { return };
        for (slug, field) in leaders.entries() {
            let (Some(id), Some(section)) = (self.battle.leader_named(&slug), field.section()) else {
                field.fault(format!("no leader `{slug}`"), "the id of a leader, and a table");
                continue;
            };
            let leader = &mut state.leaders[id.index()];
            leader.post = self.post(&section, leader.post, self.battle.leader(id).start, false);
            if let Some(replaced) = section.field("replaced").truth() {
                leader.replaced = replaced;
            }
            section.finish();
            written.leaders.push((id, section));
        }
    }

    /// 1.1.1: one combat unit a hex. The second of two that share one is shown.
    fn one_unit_a_hex(&self, state: &State, written: &Written<'d>) {
        let mut shown = Units::EMPTY;
        for (id, section) in written.units.iter().rev() {
            let Some(hex) = state.unit_hex(*id) else { continue };
            let others = self.battle.of[Side::First].or(self.battle.of[Side::Second]);
            let other = others.iter().find(|other| {
                other != id && !shown.contains(*other) && state.unit(*other).post == Post::On(hex)
            });
            if let Some(other) = other {
                shown.insert(*id);
                let text =
                    format!("{} stands in {} already", self.battle.unit(other).slug, self.battle.number(hex));
                section.field("hex").fault(text, "one combat unit a hex (1.1.1.a)");
            }
        }
    }

    /// 1.1.1: a leader stacks with units of his own side.
    fn no_leader_with_an_enemy(&self, state: &State, written: &Written<'d>) {
        for (index, leader) in state.leaders.iter().enumerate() {
            let id = LeaderId(index as u8);
            let Some(hex) = leader.post.hex() else { continue };
            let Some(enemy) =
                state.unit_at(hex).filter(|&unit| self.battle.unit(unit).side != self.battle.leader(id).side)
            else {
                continue;
            };
            let own = written.leaders.iter().find(|(other, _)| *other == id).map(|(_, section)| section);
            let theirs = written.units.iter().find(|(other, _)| *other == enemy).map(|(_, section)| section);
            if let Some(section) = own.or(theirs) {
                let (leader, unit) = (&self.battle.leader(id).slug, &self.battle.unit(enemy).slug);
                section.field("hex").fault(
                    format!("{leader} and {unit} share a hex"),
                    "no leader with an enemy unit (1.1.1.b)",
                );
            }
        }
    }

    fn ground(&self, state: &mut State) {
        let (battle, sheet) = (self.battle, self.sheet);
        for item in sheet.field("works").list() {
            let Some(hex) = hex_of(&item, &battle.map.grid) else { continue };
            if !battle.map.in_play.contains(hex) || self.closed(hex, false).is_some() {
                item.fault("no unit can have built there", "a hex in play that units may enter");
            } else if !state.works.insert(hex) {
                item.fault("a second breastwork in the hex", "one breastwork a hex (6.1.1.h)");
            }
        }
        for item in sheet.field("burned").list() {
            if let Some(site) = self.site(&item) {
                state.burned |= 1 << site;
            }
        }
        self.fords(state);
        self.control(state);
    }

    /// A place of `[[burnable]]`.
    fn site(&self, field: &Field<'_>) -> Option<u8> {
        let name = field.text()?;
        let site = self.battle.site_at(&name);
        if site.is_none() {
            field.fault(format!("nothing to burn at `{name}`"), "a place of [[burnable]]");
        }
        site
    }

    fn fords(&self, state: &mut State) {
        let Some(fords) = self.sheet.field("fords").section() else { return };
        for (name, value) in fords.entries() {
            let ford = self.battle.ford_at(&name);
            let word = value.one_of(&["yes", "no", "hidden", "found", "none"]);
            match (ford, word) {
                (Some(ford), Some(word)) => {
                    state.fords[usize::from(ford)] = [
                        Ford::Unsearched(Face::Yes),
                        Ford::Unsearched(Face::No),
                        Ford::Unsearched(Face::Hidden),
                        Ford::Found,
                        Ford::None,
                    ][word];
                }
                (None, _) => value.fault(format!("no ford marker at `{name}`"), "a side of [[ford]]"),
                _ => {}
            }
        }
    }

    /// 14.0.b: who stands on an objective controls it; the rest may be written.
    fn control(&self, state: &mut State) {
        let battle = self.battle;
        let holder = |state: &State, index: usize| {
            state.unit_at(battle.objectives[index].hex).map(|unit| battle.unit(unit).side)
        };
        for index in 0..battle.objectives.len() {
            state.control[index] = holder(state, index).or(battle.objectives[index].control);
        }
        let Some(control) = self.sheet.field("control").section() else { return };
        for (number, value) in control.entries() {
            let hex = battle.map.parse(&number);
            let Some(index) = hex.and_then(|hex| battle.objectives.iter().position(|o| o.hex == hex)) else {
                value.fault(format!("{number} is not an objective"), "a hex of [[objective]]");
                continue;
            };
            let written = if value.text().as_deref() == Some("none") { None } else { self.side(&value) };
            match holder(state, index) {
                Some(side) if written != Some(side) => {
                    let id = &battle.armies[side].id;
                    value.fault(format!("a unit of {id} stands there"), format!("\"{id}\" (14.0.b)"));
                }
                _ => state.control[index] = written,
            }
        }
    }

    /// BUILD and FIRE STARTED markers, on units that may have got them.
    fn tasks(&self, state: &mut State, written: &Written<'d>) {
        for (id, section) in &written.units {
            let (building, burning) = (section.field("building"), section.field("burning"));
            let mut task = Task::None;
            if building.truth() == Some(true) {
                task = Task::Build;
                self.builds(state, *id, &building);
            }
            if burning.is_present() {
                if task != Task::None {
                    burning.fault("it builds already", "`building` or `burning`, not both");
                }
                if let Some(site) = self.site(&burning) {
                    task = Task::Burn(site);
                    self.burns(state, *id, site, &burning);
                }
            }
            if task != Task::None && state.unit(*id).routed {
                section.fault("a routed unit has no work in hand", "a unit that is not routed (6.1.1.d)");
            }
            state.unit_mut(*id).task = task;
            section.finish();
        }
    }

    fn builds(&self, state: &State, unit: UnitId, field: &Field<'_>) {
        let here = state.unit(unit);
        let digs = At::new(self.battle, state).digs(unit);
        if !self.battle.switches.breastworks {
            field.fault("this battle has no breastworks", "options = { breastworks = true }");
        } else if !digs || here.post.hex().is_none() {
            field.fault("it cannot build", "infantry or dismounted cavalry on the map (6.1.1.a)");
        } else if here.post.hex().is_some_and(|hex| state.works.contains(hex)) {
            field.fault("there is a breastwork in its hex already", "one breastwork a hex (6.1.1.h)");
        }
    }

    fn burns(&self, state: &State, unit: UnitId, site: u8, field: &Field<'_>) {
        let there = state.unit_hex(unit).is_some_and(|hex| self.battle.is_at_site(site, hex));
        if !self.battle.switches.burning {
            field.fault("nothing is burned in this battle", "options = { burning = true }");
        } else if self.battle.unit(unit).arm == Arm::Artillery || !there {
            field.fault(
                "it cannot burn that",
                "infantry or cavalry next to the bridge or in the hex (6.1.2.a)",
            );
        } else if state.is_burned(site) {
            field.fault("it is burned already", "a place that still stands");
        }
    }

    /// The loss track and the Tide of Battle markers.
    fn tracks(&self, state: &mut State) {
        let named = |id: &str, value: &Field<'_>| {
            let side = self.battle.side_named(id);
            if side.is_none() {
                value.fault(format!("no side `{id}`"), "a side of the battle");
            }
            side
        };
        if let Some(losses) = self.sheet.field("losses").section() {
            for (id, value) in losses.entries() {
                let Some(side) = named(&id, &value) else { continue };
                let lost: u16 = self.battle.of[side]
                    .iter()
                    .map(|unit| u16::from(self.battle.unit(unit).sp - state.unit(unit).sp))
                    .sum();
                let Some(counted) = value.integer(0..=9999) else { continue };
                state.losses[side] = counted as u16;
                if state.losses[side] < lost {
                    value.fault(format!("its units have lost {lost} SP"), format!("{lost} or more (14.0.c)"));
                }
            }
        }
        if let Some(tide) = self.sheet.field("tide").section() {
            for (id, value) in tide.entries() {
                if let (Some(side), Some(ready)) = (named(&id, &value), value.truth()) {
                    state.tide[side] = ready;
                }
            }
        }
    }

    /// Command as it would be found now, unless the position is before the Command Phase or says otherwise.
    fn command(&self, state: &mut State) {
        let written = self.sheet.field("out_of_command");
        if written.is_present() {
            state.uncommanded = self.unit_list(&written, |unit| {
                let independent = self.battle.unit(unit).independent;
                independent.then_some(("it is independent and always in command", "another unit (2.3.3.a)"))
            });
        } else if state.phase != Phase::Command {
            state.uncommanded = At::new(self.battle, state).uncommanded(state.active);
        }
    }

    /// What this phase has already seen of each unit.
    fn marked_units(&self, state: &mut State) {
        let battle = self.battle;
        let (active, phase) = (state.active, state.phase);
        let fires = phase.is_fire();
        let firing = state.firing_side();
        let list = |key: &'static str, why: &dyn Fn(UnitId) -> Option<(&'static str, &'static str)>| {
            let field = self.sheet.field(key);
            field.is_present().then(|| self.unit_list(&field, why))
        };
        let fired_marks = list("fired_markers", &|unit| {
            let own_turn = battle.unit(unit).side == active && phase >= Phase::Artillery;
            (battle.unit(unit).arm != Arm::Artillery || !own_turn).then_some((
                "it carries no FIRED marker now",
                "guns of the active side, from their artillery phase to their rally phase (7.2.a)",
            ))
        });
        let fired = list("fired", &|unit| {
            (!fires || battle.unit(unit).side != firing).then_some((
                "it cannot have fired in this phase",
                "units of the side that fires, in a fire phase",
            ))
        });
        let targeted = list("targeted", &|unit| {
            (!fires || battle.unit(unit).side == firing)
                .then_some(("it cannot have been a target", "units of the side fired at, in a fire phase"))
        });
        let acted = list("acted", &|unit| {
            (phase != Phase::Rally || battle.unit(unit).side != active)
                .then_some(("it cannot have tried to rally", "units of the active side, in its rally phase"))
        });
        let moved = list("moved", &|unit| {
            (phase != Phase::Movement || battle.unit(unit).side != active)
                .then_some(("it cannot have moved", "units of the active side, in its movement phase"))
        });
        for (set, written) in [
            (&mut state.fired_marks, fired_marks),
            (&mut state.fired, fired),
            (&mut state.targeted, targeted),
            (&mut state.acted, acted),
            (&mut state.moved, moved),
        ] {
            *set = written.unwrap_or(*set);
        }
    }

    fn night(&self, state: &mut State) {
        state.note_adjacent(self.battle);
        let began = self.sheet.field("began_next_to_enemy");
        if began.is_present() {
            let night = self.battle.is_night(state);
            state.adjacent = self.unit_list(&began, |_| {
                (!night).then_some(("this is not a night turn", "a turn of `night` (11.0.b)"))
            });
        }
    }

    /// `mover = { piece = "meagher", start = "0910", spent = 2.5, stopped = true }`.
    fn mover(&self, state: &mut State) {
        let Some(section) = self.sheet.field("mover").section() else { return };
        let field = section.field("piece").required();
        let piece = field.text().and_then(|slug| self.battle.piece_named(&slug));
        let start = hex_of(&section.field("start"), &self.battle.map.grid);
        let spent_field = section.field("spent");
        let spent = spent_field.thousandths().unwrap_or(0);
        let stopped_field = section.field("stopped");
        let stopped = stopped_field.truth().unwrap_or(false);
        section.finish();
        let Some(piece) = piece else {
            field.fault("no such unit or leader", "the id of a unit or leader");
            return;
        };
        if state.phase != Phase::Movement || self.battle.side_of(piece) != state.active {
            field.fault("it does not move now", "a piece of the active side, in its movement phase");
        }
        let most = At::new(self.battle, state).allowance(piece);
        // A change of formation may have cost more than the new formation has (8.1.11.c).
        let ever = most.max(self.most_ever(piece));
        if spent < 0 || spent % 500 != 0 || spent / 500 > i64::from(ever) {
            spent_field.fault("it cannot have spent that", format!("halves from 0 to {}", ever / 2));
            return;
        }
        let hex = state.post_of(piece).hex();
        let lines = At::new(self.battle, state).lines(state.active);
        let routed = matches!(piece, Piece::Unit(id) if state.unit(id).routed);
        if stopped && !routed && !hex.is_some_and(|hex| lines.zone.contains(hex)) {
            stopped_field.fault("nothing has stopped it", "a piece in an enemy zone (1.1.2.c)");
        }
        match piece {
            Piece::Unit(id) => state.moved.insert(id),
            Piece::Leader(id) => state.moved_leaders.insert(id),
        }
        state.mover = Some(Mover { piece, start: start.or(hex), spent: (spent / 500) as u8, stopped });
    }

    /// The largest allowance of a piece in any formation, in halves.
    fn most_ever(&self, piece: Piece) -> u8 {
        match piece {
            Piece::Unit(id) if self.battle.unit(id).arm == Arm::Cavalry => movement::HORSE,
            Piece::Unit(_) => movement::FOOT,
            Piece::Leader(_) => movement::HORSE,
        }
    }

    /// A combat under way: `fire = { at = "0505", by = ["caldwell"] }` and one of `check`, `retreat`, `rout`,
    /// `advance`.
    fn combat(&self, state: &mut State) {
        self.fire(state);
        let advance = self.sheet.field("advance");
        if let Some(hex) = hex_of(&advance, &self.battle.map.grid) {
            if state.phase != Phase::Offensive || state.unit_at(hex).is_some() {
                advance.fault("nobody advances there", "an empty hex, in offensive fire (9.9.a)");
            }
            let enemies = state.active.enemy();
            state.fire.defended = At::new(self.battle, state).standing(enemies);
            state.fire.defended.insert(hex);
            state.agenda.push(Step::Advance);
        }
        if let Some(unit) = self.target_of(state, "check") {
            state.agenda.push(Step::Morale { unit, why: Why::Fire });
        }
        for (key, rout) in [("retreat", false), ("rout", true)] {
            if let Some(unit) = self.target_of(state, key) {
                state.unit_mut(unit).routed |= rout;
                state.begin_retreat(self.battle, unit, rout);
            }
        }
    }

    /// The unit that a result under way is about: fired on, and on the map.
    fn target_of(&self, state: &State, key: &'static str) -> Option<UnitId> {
        let field = self.sheet.field(key);
        let unit = if field.is_present() { self.unit_of(&field)? } else { return None };
        let fires = state.phase.is_fire();
        let fired_on = fires && self.battle.unit(unit).side != state.firing_side();
        if !fired_on || state.unit_hex(unit).is_none() {
            field.fault(
                "no fire can have hit it now",
                "a unit on the map of the side fired at, in a fire phase",
            );
            return None;
        }
        Some(unit)
    }

    fn fire(&self, state: &mut State) {
        let Some(section) = self.sheet.field("fire").section() else { return };
        let at_field = section.field("at").required();
        let at = hex_of(&at_field, &self.battle.map.grid);
        let fires = state.phase.is_fire();
        let firing = state.firing_side();
        let firers = self.unit_list(&section.field("by"), |unit| {
            let able = fires && self.battle.unit(unit).side == firing && state.unit_hex(unit).is_some();
            (!able).then_some((
                "it does not fire now",
                "units on the map of the side that fires, in a fire phase",
            ))
        });
        let declared = section.field("declared").truth().unwrap_or(false);
        section.finish();
        state.fire = Fire { at, firers, checked: Leaders::EMPTY, ..Fire::NONE };
        if !declared {
            return;
        }
        let can = |unit| at.is_some_and(|at| At::new(self.battle, state).may_fire_at(unit, at).is_ok());
        if firers.is_empty() || !firers.iter().all(can) {
            at_field
                .fault("that fire cannot have been declared", "a target that every unit of `by` may fire at");
            return;
        }
        state.agenda.push(Step::Volley);
    }
}
