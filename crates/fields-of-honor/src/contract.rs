//! The contract of `game`, kept by forwarding to the rules.

use game::board::{Ask, Board, Offer, Overlay, Prompt, View};
use game::odds::{Fate, Fates, Standing};
use game::situation::{Fact, Unknown};
use game::{
    Book, BySide, Display, Effects, Eyes, Facts, Faults, Files, Judgement, Library, Notation, Now, Odds,
    Options, PieceId, Refusal, Rules, Side,
};

use crate::action::Action;
use crate::rules::sequence::Step;
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
    /// in touch, leaders ride before tests, and the corrected rulings (CHANGELOG.md).
    fn edition() -> &'static str {
        "5"
    }

    fn muster(battle: &Battle) -> State {
        battle.start.clone()
    }

    fn now(battle: &Battle, state: &State) -> Now {
        match state.over {
            Some(outcome) => Now::Over(outcome),
            None => Now::Decides(crate::rules::sequence::decides(battle, state).unwrap_or(Side::First)),
        }
    }

    fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
        crate::legal::offers(battle, state, out);
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        crate::legal::check(battle, state, action)
    }

    fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        crate::rules::decisions::answer(battle, state, action, fx);
    }

    fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
        crate::rules::sequence::run(battle, state, fx)
    }

    fn seen_by(battle: &Battle, state: &State, side: Side) -> State {
        crate::rules::concealment::seen_by(battle, state, side)
    }

    fn score(battle: &Battle, state: &State) -> BySide<i32> {
        crate::rules::victory::score(battle, state)
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
        crate::notation::read(battle, state, notation)
    }
}

impl Facts for FieldsOfHonor {
    fn fact(battle: &Battle, state: &State, name: &str) -> Result<Fact, Unknown> {
        crate::facts::fact(battle, state, name)
    }

    fn upcoming(_battle: &Battle, state: &State) -> Option<&'static str> {
        crate::rules::sequence::upcoming(state)
    }

    fn stops() -> &'static [&'static str] {
        &crate::rules::sequence::STOPS
    }

    fn kinds() -> &'static [&'static str] {
        &crate::legal::KINDS
    }
}

impl Display for FieldsOfHonor {
    fn board(battle: &Battle) -> Board {
        crate::board::view::board(battle)
    }

    fn view(battle: &Battle, state: &State, eyes: Eyes) -> View {
        crate::board::view::view(battle, state, eyes)
    }

    fn prompt(battle: &Battle, state: &State) -> Prompt {
        crate::board::prompt::prompt(battle, state)
    }

    fn offer(battle: &Battle, state: &State, action: &Action) -> Offer {
        crate::board::prompt::offer(battle, state, action)
    }

    fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
        crate::board::overlay::overlay(battle, state, ask)
    }
}

impl Odds for FieldsOfHonor {
    fn affair(_battle: &Battle, state: &State) -> Option<u32> {
        (!state.charge.chargers.is_empty()).then(|| u32::from(state.turn))
    }

    fn scene(_battle: &Battle, state: &State) -> u32 {
        u32::from_be_bytes([0, state.turn, state.phase as u8, crate::rules::sequence::scene(state)])
    }

    fn scene_name(_battle: &Battle, state: &State) -> &'static str {
        match crate::rules::sequence::scene(state) % 2 {
            0 => state.phase.title(),
            _ => "tests of others and pursuits",
        }
    }

    fn fate(
        battle: &Battle,
        before: &State,
        after: &State,
        piece: PieceId,
        was: &Standing,
        is: &Standing,
    ) -> Fate {
        crate::board::fate::fate(battle, before, after, piece, was, is)
    }

    fn standings(battle: &Battle, state: &State) -> Fates {
        crate::board::view::standings(battle, state)
    }

    fn is_open(_battle: &Battle, state: &State) -> bool {
        // Where somebody is asked at all, one may do it or pass; moves, reactions and the like may be forced.
        matches!(
            state.agenda.top(),
            Some(
                Step::Orders { .. }
                    | Step::Sight { .. }
                    | Step::Charges
                    | Step::Leads { .. }
                    | Step::Support
                    | Step::Interrupt
                    | Step::Declare { .. }
                    | Step::AfterTest { .. }
                    | Step::PursuitChoice { .. }
                    | Step::Recover { .. }
            )
        )
    }
}

impl Judgement for FieldsOfHonor {
    fn turn(_: &Battle, state: &State) -> u32 {
        u32::from(state.turn)
    }

    const SEES_AFFAIRS_THROUGH: bool = true;

    fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
        crate::judgement::worth(battle, state, side)
    }

    fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
        crate::judgement::promise(battle, state, action)
    }
}
