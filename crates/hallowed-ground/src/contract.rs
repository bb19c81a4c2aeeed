//! This Hallowed Ground behind the contract of `game`: every method hands on to a position or a chapter.

use game::board::{Ask, Board, Offer, Overlay, Prompt, View};
use game::odds::{Fate, Standing};
use game::situation::{Fact, Unknown};
use game::{
    Book, BySide, Display, Effects, Eyes, Facts, Faults, Files, Judgement, Library, Notation, Now, Odds,
    Options, PieceId, Refusal, Rules, Side,
};

use crate::action::Action;
use crate::at::{At, Run};
use crate::board::fate;
use crate::facts;
use crate::rulebook;
use crate::setup::battle::Battle;
use crate::setup::scenario;
use crate::state::State;

/// The system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HallowedGround;

impl Rules for HallowedGround {
    type Battle = Battle;
    type State = State;
    type Action = Action;

    fn book() -> &'static Book {
        &rulebook::BOOK
    }

    /// 3: only an enemy that a charge passes to reach one beyond it stops the charge; cavalry and guns change formation
    /// with every kind of Advance; a column past a bend is on its road; a Retire goes its whole rate where it can.
    /// 4: the rest of a melee closes up to the fullest contact when somebody has left it.
    /// 5: a charger that is met half way is burdened by the ground up to there alone.
    fn edition() -> &'static str {
        "5"
    }

    fn muster(battle: &Battle) -> State {
        State::muster(battle)
    }

    fn now(battle: &Battle, state: &State) -> Now {
        At::new(battle, state).now()
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

    /// Everything lies open on this table.
    fn seen_by(_: &Battle, state: &State, _: Side) -> State {
        state.clone()
    }

    fn score(battle: &Battle, state: &State) -> BySide<i32> {
        At::new(battle, state).score()
    }
}

impl Files for HallowedGround {
    fn compile(source: &str, _: &dyn Library, options: &Options) -> Result<Battle, Faults> {
        scenario::read(source, options)
    }

    fn position(battle: &Battle, position: &str) -> Result<State, Faults> {
        battle.read_position(position)
    }
}

impl Notation for HallowedGround {
    fn write(battle: &Battle, action: &Action) -> String {
        battle.write_action(action)
    }

    fn read(battle: &Battle, state: &State, notation: &str) -> Result<Action, String> {
        At::new(battle, state).read_action(notation)
    }
}

impl Facts for HallowedGround {
    fn fact(battle: &Battle, state: &State, name: &str) -> Result<Fact, Unknown> {
        At::new(battle, state).fact(name)
    }

    fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
        crate::invariant(battle, state)
    }

    fn upcoming(battle: &Battle, state: &State) -> Option<&'static str> {
        At::new(battle, state).upcoming()
    }

    fn stops() -> &'static [&'static str] {
        &facts::STOPS
    }

    fn kinds() -> &'static [&'static str] {
        &facts::KINDS
    }
}

impl Display for HallowedGround {
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

    fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
        At::new(battle, state).overlay(ask)
    }
}

impl Odds for HallowedGround {
    fn affair(_: &Battle, state: &State) -> Option<u32> {
        state.affair()
    }

    fn is_open(battle: &Battle, state: &State) -> bool {
        At::new(battle, state).is_open()
    }

    fn standings(battle: &Battle, state: &State) -> game::odds::Fates {
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
}

impl Judgement for HallowedGround {
    fn turn(_: &Battle, state: &State) -> u32 {
        u32::from(state.turn)
    }

    fn player_turn(_: &Battle, state: &State) -> u32 {
        2 * u32::from(state.turn) + u32::from(state.active != state.first)
    }

    fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
        At::new(battle, state).worth(side)
    }

    fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
        At::new(battle, state).promise(action)
    }
}
