//! What may be done, what comes of it, and what computer players make of it.

use game::{Allowed, Book, BySide, Die, Effects, Judgement, No, Now, Odds, Outcome, PieceId, Refusal};
use game::{RollNote, Rules, Side, Sum, Test};

use crate::rulebook::BOOK;
use crate::{Action, Battle, Skirmish, State, cite};

impl State {
    fn is_over(&self, battle: &Battle) -> bool {
        let beaten = |side| !self.units.iter().any(|unit| unit.side == side && unit.men > 0);
        self.turn > battle.turns || beaten(Side::First) || beaten(Side::Second)
    }

    fn apart(&self, battle: &Battle, a: usize, b: usize) -> u16 {
        battle.grid.distance(self.units[a].hex, self.units[b].hex)
    }

    fn may_act(&self, unit: usize) -> Allowed {
        let unit = &self.units[unit];
        No::unless(unit.side == self.side, cite!("1.a"), "the other side acts now")?;
        No::unless(unit.men > 0, cite!("3.c"), "the unit has no men left")?;
        No::unless(!unit.acted, cite!("1.b"), "the unit has acted in this turn")
    }

    fn allows(&self, battle: &Battle, action: Action) -> Allowed {
        match action {
            Action::Done => Ok(()),
            Action::Move(unit, to) => {
                self.may_act(unit)?;
                let free = !self.units.iter().any(|other| other.men > 0 && other.hex == to);
                let near = battle.grid.adjacent(self.units[unit].hex, to);
                No::unless(free && near, cite!("2.a"), "choose an adjacent hex that nobody is in")
            }
            Action::Fire(unit, at) => {
                self.may_act(unit)?;
                let enemy = self.units[at].side != self.side && self.units[at].men > 0;
                let near = self.apart(battle, unit, at) <= 2;
                No::unless(enemy && near, cite!("3.a"), "choose an enemy up to 2 hexes away")
            }
        }
    }

    fn fire(&mut self, battle: &Battle, unit: usize, at: usize, fx: &mut impl Effects) {
        let mut need = Sum::of(5, "fire", cite!("3.b"));
        need.add_if(self.apart(battle, unit, at) == 2, 1, "2 hexes away", cite!("3.b"));
        let hits = fx.count(self.units[unit].men, Test::at_least(Die::D6, need.total()), || {
            let what = format!("{} fires at {}", battle.names[unit], battle.names[at]);
            let note = RollNote::new(what, cite!("3.b")).side(self.side).modifiers(need.modifiers());
            note.by(PieceId(unit as u16)).at(PieceId(at as u16))
        });
        let lost = hits.min(self.units[at].men);
        self.units[at].men -= lost;
        self.units[unit].acted = true;
        self.points[self.side] += i32::from(lost);
    }
}

impl Rules for Skirmish {
    type Battle = Battle;
    type State = State;
    type Action = Action;

    fn book() -> &'static Book {
        &BOOK
    }

    fn muster(battle: &Battle) -> State {
        battle.start.clone()
    }

    fn now(battle: &Battle, state: &State) -> Now {
        match state.points.first - state.points.second {
            _ if !state.is_over(battle) => Now::Decides(state.side),
            0 => Now::Over(Outcome::Drawn),
            lead => Now::Over(Outcome::Won(if lead > 0 { Side::First } else { Side::Second })),
        }
    }

    fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
        let units = || 0..state.units.len();
        out.extend(units().flat_map(|unit| battle.grid.hexes().map(move |to| Action::Move(unit, to))));
        out.extend(units().flat_map(|unit| units().map(move |at| Action::Fire(unit, at))));
        out.push(Action::Done);
        out.retain(|&action| !state.is_over(battle) && state.allows(battle, action).is_ok());
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        state.allows(battle, *action).map_err(|no| no.refuses("Not allowed."))
    }

    fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        match *action {
            Action::Move(unit, to) => (state.units[unit].hex, state.units[unit].acted) = (to, true),
            Action::Fire(unit, at) => state.fire(battle, unit, at, fx),
            Action::Done => state.units.iter_mut().for_each(|unit| unit.acted = true),
        }
    }

    fn step(battle: &Battle, state: &mut State, _: &mut impl Effects) -> bool {
        if state.is_over(battle) || (0..state.units.len()).any(|unit| state.may_act(unit).is_ok()) {
            return false;
        }
        state.units.iter_mut().for_each(|unit| unit.acted = false);
        state.turn += u8::from(state.side == Side::Second);
        state.side = !state.side;
        true
    }

    fn seen_by(_: &Battle, state: &State, _: Side) -> State {
        state.clone()
    }

    fn score(_: &Battle, state: &State) -> BySide<i32> {
        state.points
    }
}

impl Odds for Skirmish {}

impl Judgement for Skirmish {
    fn turn(_: &Battle, state: &State) -> u32 {
        u32::from(state.turn)
    }
}
