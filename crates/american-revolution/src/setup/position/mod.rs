//! A position in mid-game from a situation's `[position]` table.

pub(crate) mod soundness;

use arrayvec::ArrayVec;
use game::read::{self, Field, Section};
use game::{Faults, Side};

use crate::at::At;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::map::hex_of;
use crate::setup::pieces::{Piece, Pieces};
use crate::setup::position::soundness::Written;
use crate::state::{Attack, Phase, Pin, Spot, State, muster};

const PHASES: [&str; 6] = ["initiative", "movement", "rally", "artillery", "rifle", "close-combat"];

const IN_ORDER: [Phase; 5] =
    [Phase::Movement, Phase::Rally, Phase::Artillery, Phase::Rifle, Phase::CloseCombat];

/// Reads the `[position]` of a situation.
pub(crate) fn read(battle: &Battle, text: &str) -> Result<State, Faults> {
    read::document(text, |sheet| {
        // The rest of the file is the situation's or the scenario's.
        sheet.entries().for_each(drop);
        let position = sheet.field("position").required().section()?;
        let state = Reader { battle }.state(&position);
        position.finish();
        Some(state)
    })
}

struct Reader<'b> {
    battle: &'b Battle,
}

impl Reader<'_> {
    fn side(&self, field: &Field<'_>) -> Option<Side> {
        let text = field.text()?;
        let found = self.battle.find_side(&text);
        if found.is_none() {
            field.fault(format!("there is no side `{text}`"), "a side of the scenario");
        }
        found
    }

    fn pieces(&self, field: &Field<'_>) -> Pieces {
        field.list().iter().filter_map(|f| self.piece(f)).collect()
    }

    fn piece(&self, field: &Field<'_>) -> Option<Piece> {
        let id = field.text()?;
        let found = self.battle.find(&id);
        if found.is_none() {
            field.fault(format!("there is no unit or leader `{id}`"), "an id of the scenario");
        }
        found
    }

    fn state(&self, sheet: &Section<'_>) -> State {
        let battle = self.battle;
        let mut state = muster(battle);
        state.agenda.clear();
        state.turn = sheet.field("turn").integer(1..=30).unwrap_or(1) as u8;
        state.phasing = self.side(&sheet.field("phasing")).unwrap_or(state.phasing);
        state.first = self.side(&sheet.field("first")).unwrap_or(state.phasing);
        state.previous = self.side(&sheet.field("previous")).unwrap_or(state.first);
        if sheet.field("others").one_of(&["gone"]).is_some() {
            state.at = [Spot::GONE; crate::setup::pieces::MOST];
        }
        let by_side = |key: &'static str, into: &mut dyn FnMut(Side, i64)| {
            let Some(s) = sheet.field(key).section() else { return };
            for side in Side::BOTH {
                if let Some(n) = s.field(&battle.armies[side].id).integer(0..=99) {
                    into(side, n);
                }
            }
            s.finish();
        };
        by_side("morale", &mut |side, n| state.morale[side] = n as i8);
        by_side("chits", &mut |side, n| state.chits[side] = n as u8);
        by_side("spoils", &mut |side, n| state.spoils[side] = n as u8);
        by_side("lost", &mut |side, n| state.lost[side] = n as u8);
        let special = &battle.special;
        if self.scenario_truth(sheet, "alarmed", !special.alarms.is_empty()) {
            state.alarmed = u8::MAX >> (8 - battle.special.alarms.len().clamp(1, 8));
        }
        let hastened = sheet.field("hastened");
        state.hastened = hastened.integer(0..=30).unwrap_or(0) as u8;
        let turns = special.hasten.as_ref().map_or(&[][..], |hasten| &hasten.turns);
        if state.hastened().is_some_and(|turn| !turns.contains(&turn)) {
            hastened.fault("that release cannot be brought forward", "a turn of the scenario's `hasten`");
        }
        state.graped = self.scenario_truth(sheet, "graped", special.grape.is_some());
        let bridges = |key: &'static str| {
            let all = u8::MAX.checked_shr(8 - battle.ground.broken.len().min(8) as u32).unwrap_or(0);
            if self.scenario_truth(sheet, key, all != 0) { all } else { 0 }
        };
        state.attended = bridges("attended");
        state.mended = bridges("mended");
        if let Some(units) = sheet.field("unit").section() {
            for (id, field) in units.entries() {
                match battle.find(&id) {
                    Some(piece) => self.unit(&mut state, piece, &field),
                    None => {
                        field.fault(format!("there is no unit or leader `{id}`"), "an id of the scenario")
                    }
                }
            }
        }
        let phase = sheet.field("phase").one_of(&PHASES).unwrap_or(0);
        state.phase = if phase == 0 { Phase::Initiative } else { IN_ORDER[phase - 1] };
        Written { battle, state: &state, sheet }.check();
        self.hold(&mut state, sheet);
        self.pins(&mut state, sheet);
        let attacks = self.attacks(&mut state, sheet);
        self.agenda(&mut state, phase, attacks);
        self.diverted(&mut state, sheet);
        state
    }

    fn diverted(&self, state: &mut State, sheet: &Section<'_>) {
        let field = sheet.field("diverted");
        let Some(hex) = hex_of(&field, &self.battle.ground.grid) else { return };
        state.diverted = At::new(self.battle, state).units_in(hex, !state.phasing);
        if state.diverted.is_empty() || state.phase != Phase::CloseCombat {
            field.fault("nobody can be diverted there now", "in the close combat phase, a hex with enemies");
        }
    }

    /// `alarmed`, `mended` and the like: a truth that needs something of the scenario.
    fn scenario_truth(&self, sheet: &Section<'_>, key: &'static str, has: bool) -> bool {
        let field = sheet.field(key);
        let told = field.truth().unwrap_or(false);
        if told && !has {
            field.fault(
                format!("nothing in this scenario can be `{key}`"),
                "a scenario whose rules speak of it",
            );
        }
        told
    }

    fn unit(&self, state: &mut State, piece: Piece, field: &Field<'_>) {
        let grid = &self.battle.ground.grid;
        if field.raw().is_some_and(|v| v.is_str()) {
            if let Some(hex) = hex_of(field, grid) {
                state.place(piece, hex);
            }
            return;
        }
        let Some(s) = field.section() else { return };
        if let Some(hex) = hex_of(&s.field("hex"), grid) {
            state.place(piece, hex);
        }
        if s.field("hex").is_present() && s.field("box").is_present() {
            s.field("box").fault("it is both on the map and beside it", "either `hex` or `box`");
        }
        match s.field("box").one_of(&["to-come", "eliminated", "captured", "gone"]) {
            Some(0) => state.at[piece.index()] = Spot::TO_COME,
            Some(1) => state.at[piece.index()] = Spot::ELIMINATED,
            Some(2) => state.at[piece.index()] = Spot::CAPTURED,
            Some(_) => state.at[piece.index()] = Spot::GONE,
            None => {}
        }
        match s.field("order").one_of(&["parade", "disrupted", "shattered"]) {
            Some(1) => state.disrupted.add(piece),
            Some(2) => state.shattered.add(piece),
            _ => {}
        }
        let fired = s.field("fired");
        if fired.is_present() && !self.battle.roles.rifles.has(piece) {
            fired.fault("only rifles have a first fire", "`fired` for rifle and musket/rifle units");
        }
        if fired.truth() == Some(true) {
            state.unfired.drop(piece);
        }
        for (key, set) in [
            ("reduced", &mut state.reduced),
            ("withdrawn", &mut state.withdrawn),
            ("moved", &mut state.moved),
            ("acted", &mut state.acted),
            ("targeted", &mut state.targeted),
            ("driven", &mut state.driven),
            ("defended", &mut state.defended),
            ("volleyed", &mut state.volleyed),
        ] {
            match s.field(key).truth() {
                Some(true) => set.add(piece),
                Some(false) => set.drop(piece),
                None => {}
            }
        }
        s.finish();
    }

    fn hold(&self, state: &mut State, sheet: &Section<'_>) {
        let Some(s) = sheet.field("hold").section() else { return };
        for (number, field) in s.entries() {
            let hex = self.battle.ground.grid.parse(&number);
            let index = self.battle.objectives.iter().position(|o| Some(o.hex) == hex);
            match (index, self.side(&field)) {
                (Some(i), Some(side)) => {
                    state.held[side] |= 1 << i;
                    state.held[!side] &= !(1 << i);
                }
                (None, _) => field.fault(format!("{number} is no objective"), "the hex of an objective"),
                _ => {}
            }
        }
    }

    fn pins(&self, state: &mut State, sheet: &Section<'_>) {
        for field in sheet.field("pins").list() {
            let pieces = self.pieces(&field);
            if pieces.len() as usize != field.list().len() {
                continue;
            }
            if let Some((message, expected)) = At::new(self.battle, state).pin_fault(pieces) {
                field.fault(message, expected);
            } else if state.pins.try_push(Pin { pieces, broken: false, left: false }).is_err() {
                field.fault("too many pins", "at most 32");
            }
        }
    }

    /// Announced attacks: `{ by = ["a"], at = ["0910"] }`. Units that were driven into a hex came after the announcing.
    fn attacks(&self, state: &mut State, sheet: &Section<'_>) -> bool {
        let field = sheet.field("attacks");
        if field.is_present() && state.phase != Phase::CloseCombat {
            field.fault("close combats are announced in their phase", "`phase = \"close-combat\"`");
        }
        let mut attacks: ArrayVec<Attack, { crate::state::UNITS }> = ArrayVec::new();
        for s in field.sections() {
            let attackers = self.pieces(&s.field("by").required());
            let mut defenders = Pieces::NONE;
            for field in s.field("at").required().list() {
                if let Some(hex) = hex_of(&field, &self.battle.ground.grid) {
                    let here = At::new(self.battle, state).units_in(hex, !state.phasing) - state.driven;
                    if here.is_empty() {
                        field.fault("nobody is there to be attacked", "a hex with enemy combat units");
                    }
                    defenders |= here;
                }
            }
            s.finish();
            let attack = Attack { attackers, defenders };
            if attackers.is_empty() || defenders.is_empty() {
                s.fault("nobody attacks, or nobody is attacked", "units in `by`, hexes with enemies in `at`");
            } else if let Some((message, expected)) =
                At::new(self.battle, state).attack_fault(attack, &attacks)
            {
                s.fault(message, expected);
            } else if attacks.try_push(attack).is_err() {
                s.fault("too many close combats", "at most 32");
            }
        }
        let any = !attacks.is_empty();
        state.attacks = attacks;
        any
    }

    /// What is under way: the phase, what follows it in this player turn, and the rest of the turn.
    fn agenda(&self, state: &mut State, phase: usize, announced: bool) {
        if phase == 0 {
            state.agenda.push(Step::Turn);
            return;
        }
        state.agenda.push(Step::EndOfTurn);
        if state.phasing == state.first {
            state.agenda.push(Step::PlayerTurn(!state.first));
        }
        for later in IN_ORDER[phase..].iter().rev() {
            state.agenda.push(Step::Begin(*later));
        }
        if state.phase == Phase::CloseCombat && announced {
            state.agenda.push(Step::EndOfCombats);
            state.agenda.push(Step::NextCombat);
        } else {
            state.open_phase(self.battle, IN_ORDER[phase - 1]);
        }
    }
}
