//! The contract of `game`, kept by forwarding to the rules.

use game::board::{Ask, Board, Offer, Overlay, Prompt, View};
use game::odds::{Fate, Fates, Standing};
use game::situation::{Fact, Unknown};
use game::{
    Book, BySide, Display, Effects, Eyes, Facts, Faults, Files, Judgement, Library, Notation, Now, Odds,
    Options, PieceId, Refusal, Rules, Side,
};

use crate::action::Action;
use crate::at::{At, Run};
use crate::setup::battle::Battle;
use crate::state::State;

/// The system.
#[derive(Debug, Clone, Copy)]
pub struct FieldsOfHonor;

impl Rules for FieldsOfHonor {
    type Battle = Battle;
    type State = State;
    type Action = Action;

    fn book() -> &'static Book {
        &crate::rulebook::BOOK
    }

    /// 2: those run through in the Rout and Pursuit Phase test before the next body runs. 3: a unit that gets stands back
    /// stays on the table where it is. 4: what a Morale Phase changes it changes at once, and more. 5: bodies at blows stay
    /// in touch, leaders ride before tests, and the corrected rulings (CHANGELOG.md). 6: looks are measured to the marker,
    /// and a die is rolled for those that cannot succeed. 7: a body in open order is in the way over its whole width.
    /// 8: units without a leader of their own take Reaction Tests.
    /// 9: a unit can be charged through its own detached skirmishers; cavalry is blown also when its enemy runs in phase 9.
    fn edition() -> &'static str {
        "9"
    }

    fn muster(battle: &Battle) -> State {
        battle.start.clone()
    }

    fn now(battle: &Battle, state: &State) -> Now {
        match state.over {
            Some(outcome) => Now::Over(outcome),
            None => Now::Decides(At::new(battle, state).decides().unwrap_or(Side::First)),
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

    fn seen_by(battle: &Battle, state: &State, side: Side) -> State {
        At::new(battle, state).seen_by(side)
    }

    fn score(battle: &Battle, state: &State) -> BySide<i32> {
        At::new(battle, state).score()
    }
}

impl Files for FieldsOfHonor {
    fn compile(source: &str, _library: &dyn Library, options: &Options) -> Result<Battle, Faults> {
        crate::setup::scenario::compile(source, options)
    }

    fn position(battle: &Battle, position: &str) -> Result<State, Faults> {
        crate::setup::position::read(battle, position)
    }
}

impl Notation for FieldsOfHonor {
    fn write(battle: &Battle, action: &Action) -> String {
        crate::notation::write(battle, action)
    }

    fn read(battle: &Battle, state: &State, notation: &str) -> Result<Action, String> {
        At::new(battle, state).read_action(notation)
    }
}

impl Facts for FieldsOfHonor {
    fn fact(battle: &Battle, state: &State, name: &str) -> Result<Fact, Unknown> {
        At::new(battle, state).fact(name)
    }

    fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
        crate::invariant(battle, state)
    }

    fn upcoming(_battle: &Battle, state: &State) -> Option<&'static str> {
        state.upcoming()
    }

    fn stops() -> &'static [&'static str] {
        &crate::facts::STOPS
    }

    fn kinds() -> &'static [&'static str] {
        &crate::facts::KINDS
    }
}

impl Display for FieldsOfHonor {
    fn board(battle: &Battle) -> Board {
        crate::board::view::board(battle)
    }

    fn view(battle: &Battle, state: &State, eyes: Eyes) -> View {
        At::new(battle, state).view(eyes)
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

impl Odds for FieldsOfHonor {
    fn affair(_battle: &Battle, state: &State) -> Option<u32> {
        state.affair()
    }

    fn scene(_battle: &Battle, state: &State) -> u32 {
        state.scene_number()
    }

    fn scene_name(_battle: &Battle, state: &State) -> &'static str {
        state.scene_name()
    }

    fn fate(
        battle: &Battle,
        before: &State,
        after: &State,
        piece: PieceId,
        was: &Standing,
        is: &Standing,
    ) -> Fate {
        At::new(battle, before).fate(after, piece, was, is)
    }

    fn standings(battle: &Battle, state: &State) -> Fates {
        At::new(battle, state).standings()
    }

    fn is_open(_battle: &Battle, state: &State) -> bool {
        state.is_open()
    }
}

impl Judgement for FieldsOfHonor {
    const SEES_AFFAIRS_THROUGH: bool = true;

    fn turn(_: &Battle, state: &State) -> u32 {
        u32::from(state.turn)
    }

    fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
        At::new(battle, state).worth(side)
    }

    fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
        At::new(battle, state).promise(action)
    }
}
