//! A position in mid-game from a situation's `[position]` table.

use arrayvec::ArrayVec;
use game::read::{self, Field, Section};
use game::{Faults, Side};

use crate::battle::Battle;
use crate::map::hex_of;
use crate::pieces::{Piece, Pieces};
use crate::sequence::{self, Step};
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
            state.at = [Spot::GONE; crate::pieces::MOST];
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
        if sheet.field("alarmed").truth().unwrap_or(false) {
            state.alarmed = u8::MAX >> (8 - battle.special.alarms.len().clamp(1, 8));
        }
        state.hastened = sheet.field("hastened").integer(0..=30).unwrap_or(0) as u8;
        state.graped = sheet.field("graped").truth().unwrap_or(false);
        let bridges = |key: &'static str| {
            let all = u8::MAX.checked_shr(8 - battle.ground.broken.len().min(8) as u32).unwrap_or(0);
            if sheet.field(key).truth().unwrap_or(false) { all } else { 0 }
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
        self.nobody_among_enemies(&state, sheet);
        self.hold(&mut state, sheet);
        self.pins(&mut state, sheet);
        let attacks = self.attacks(&mut state, sheet);
        let phase = sheet.field("phase").one_of(&PHASES).unwrap_or(0);
        self.agenda(&mut state, phase, attacks);
        if let Some(hex) = hex_of(&sheet.field("diverted"), &battle.ground.grid) {
            state.diverted = state.units_in(battle, hex, !state.phasing);
        }
        state
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
        if s.field("fired").truth() == Some(true) {
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

    /// Units of both sides in one hex fight already: no rule says how.
    fn nobody_among_enemies(&self, state: &State, sheet: &Section<'_>) {
        let counters = &self.battle.counters;
        let place = |i: usize| state.hex(Piece(i as u8)).filter(|_| counters[i].leader.is_none());
        for i in 0..counters.len() {
            let Some(hex) = place(i) else { continue };
            let enemy = (0..i).find(|&j| counters[j].side != counters[i].side && place(j) == Some(hex));
            if let Some(enemy) = enemy {
                sheet.field("unit").fault(
                    format!("`{}` stands in the hex of `{}`, an enemy", counters[i].id, counters[enemy].id),
                    "hexes apart",
                );
            }
        }
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
            let pin = Pin { pieces: self.pieces(&field), broken: false, left: false };
            if state.pins.try_push(pin).is_err() {
                field.fault("too many pins", "at most 32");
            }
        }
    }

    /// Announced attacks: `{ by = ["a"], at = ["0910"] }`.
    fn attacks(&self, state: &mut State, sheet: &Section<'_>) -> bool {
        let mut attacks: ArrayVec<Attack, { crate::state::UNITS }> = ArrayVec::new();
        for s in sheet.field("attacks").sections() {
            let attackers = self.pieces(&s.field("by").required());
            let mut defenders = Pieces::NONE;
            for field in s.field("at").required().list() {
                if let Some(hex) = hex_of(&field, &self.battle.ground.grid) {
                    defenders |= state.units_in(self.battle, hex, !state.phasing);
                }
            }
            s.finish();
            if attackers.is_empty()
                || defenders.is_empty()
                || attacks.try_push(Attack { attackers, defenders }).is_err()
            {
                s.fault("nobody attacks, or nobody is attacked", "units in `by`, hexes with enemies in `at`");
            }
        }
        let any = !attacks.is_empty();
        state.attacks = attacks;
        any
    }

    /// What is under way: the phase, what follows it in this player turn, and the rest of the turn.
    fn agenda(&self, state: &mut State, phase: usize, announced: bool) {
        if phase == 0 {
            state.phase = Phase::Initiative;
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
        state.phase = IN_ORDER[phase - 1];
        if state.phase == Phase::CloseCombat && announced {
            state.agenda.push(Step::EndOfCombats);
            state.agenda.push(Step::NextCombat);
        } else {
            sequence::open_phase(self.battle, state, IN_ORDER[phase - 1]);
        }
    }
}
