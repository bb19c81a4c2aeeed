//! The contract of `game`, handed on to the chapters.

use game::board::{Ask, Board, March, Offer, Overlay, Prompt, View};
use game::odds::{Fate, Fates, Standing};
use game::situation::{Fact, Unknown};
use game::{
    Book, BySide, Display, Effects, Eyes, Facts, Faults, Files, Foresight, Judgement, Library, Notation, Now,
    Odds, Options, PieceId, Refusal, Rules, Side,
};

use crate::action::Action;
use crate::at::{At, Run};
use crate::board::fate;
use crate::facts;
use crate::setup::battle::Battle;
use crate::setup::{position, scenario};
use crate::state::State;

/// Battle Hymn, standard rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BattleHymn;

impl Rules for BattleHymn {
    type Battle = Battle;
    type State = State;
    type Action = Action;

    fn book() -> &'static Book {
        &crate::rulebook::BOOK
    }

    /// 2: an attack that no SP makes draws no fire; retreats drawn by lot look at every hex. 3: dismounted cavalry beyond
    /// its leash comes back. 4: corrections to R12, R21, R26, R30, R32, R40, R50, R59 and R62; who fell back does not advance.
    /// 5: attackers in no zone who declined Round Two may fall back.
    fn edition() -> &'static str {
        "5"
    }

    fn muster(battle: &Battle) -> State {
        battle.muster()
    }

    fn now(battle: &Battle, state: &State) -> Now {
        match state.outcome {
            Some(outcome) => Now::Over(outcome),
            None => Now::Decides(At::new(battle, state).decider()),
        }
    }

    fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
        At::new(battle, state).offers(out);
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        At::new(battle, state).check(action)
    }

    fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        Run::new(battle, state, fx).answer(action);
    }

    fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
        Run::new(battle, state, fx).step()
    }

    /// Nothing is concealed in the standard rules.
    fn seen_by(_: &Battle, state: &State, _: Side) -> State {
        state.clone()
    }

    fn score(battle: &Battle, state: &State) -> BySide<i32> {
        At::new(battle, state).score()
    }
}

impl Files for BattleHymn {
    fn compile(source: &str, library: &dyn Library, options: &Options) -> Result<Battle, Faults> {
        scenario::compile(source, library, options)
    }

    fn position(battle: &Battle, position: &str) -> Result<State, Faults> {
        position::read(battle, position)
    }
}

impl Notation for BattleHymn {
    fn write(battle: &Battle, action: &Action) -> String {
        battle.write(action)
    }

    fn read(battle: &Battle, state: &State, notation: &str) -> Result<Action, String> {
        At::new(battle, state).read(notation)
    }
}

impl Facts for BattleHymn {
    fn fact(battle: &Battle, state: &State, name: &str) -> Result<Fact, Unknown> {
        At::new(battle, state).fact(name)
    }

    fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
        crate::invariant(battle, state)
    }

    fn upcoming(_: &Battle, state: &State) -> Option<&'static str> {
        state.upcoming()
    }

    fn stops() -> &'static [&'static str] {
        &facts::STOPS
    }

    fn kinds() -> &'static [&'static str] {
        &facts::KINDS
    }
}

impl Display for BattleHymn {
    fn board(battle: &Battle) -> Board {
        battle.board()
    }

    fn view(battle: &Battle, state: &State, _: Eyes) -> View {
        At::new(battle, state).view()
    }

    fn prompt(battle: &Battle, state: &State) -> Prompt {
        At::new(battle, state).prompt()
    }

    fn offer(battle: &Battle, state: &State, action: &Action) -> Offer {
        At::new(battle, state).offer(action)
    }

    fn march(battle: &Battle, state: &State, action: &Action) -> Option<March> {
        At::new(battle, state).march_in_steps(action)
    }

    fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
        At::new(battle, state).overlay(ask)
    }
}

impl Odds for BattleHymn {
    fn affair(_: &Battle, state: &State) -> Option<u32> {
        state.affair()
    }

    fn standings(battle: &Battle, state: &State) -> Fates {
        At::new(battle, state).standings()
    }

    fn fate(
        battle: &Battle,
        before: &State,
        after: &State,
        piece: PieceId,
        was: &Standing,
        is: &Standing,
    ) -> Fate {
        fate::fate(battle, before, after, piece, was, is)
    }

    fn is_open(_: &Battle, state: &State) -> bool {
        state.is_open()
    }
}

impl Judgement for BattleHymn {
    const FORESIGHT: Foresight = Foresight::Turns(1);

    fn turn(_: &Battle, state: &State) -> u32 {
        u32::from(state.hour)
    }

    fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
        At::new(battle, state).worth(side)
    }

    fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
        At::new(battle, state).promise(action)
    }
}
