//! Fields of Honor, rules summary: a table in inches, three scales, players who interrupt each other.
//!
//! The files are the rulebook's chapters; `state.rs` is a position, `sequence.rs` the nine phases and their steps, `decisions.rs` what
//! a player's decision does.

pub mod action;
pub mod basics;
pub mod battle;
mod board;
pub mod charge;
mod command;
mod concealment;
pub mod contact;
mod decisions;
mod dragging;
pub mod facts;
mod fates;
pub mod fire;
pub mod footprints;
pub mod forts;
pub mod initiative;
mod invariants;
mod judgement;
pub mod leaders;
pub mod melee;
pub mod morale;
pub mod movement;
mod notation;
pub mod offers;
pub mod opportunity;
pub mod orders;
mod overlays;
mod position;
mod preview;
mod procedure;
mod prompts;
pub mod reaction;
pub mod rolls;
pub mod rout;
mod scenario;
pub mod sequence;
pub mod skirmishers;
pub mod special;
pub mod state;
pub mod tables;
pub mod terrain;
pub mod victory;

use game::board::{Ask, Board, Offer, Overlay, Prompt, View};
use game::odds::{Fate, Fates, Standing};
use game::situation::{Fact, Unknown};
use game::{
    Book, BySide, Effects, Eyes, Faults, Judgement, Library, Now, Options, PieceId, Refusal, Ruleset, Side,
    Words,
};

use crate::action::Action;
use crate::battle::Battle;
use crate::sequence::Step;
use crate::state::State;

game::rulebook!();

/// The system.
#[derive(Debug, Clone, Copy)]
pub struct FieldsOfHonor;

impl Ruleset for FieldsOfHonor {
    type Battle = Battle;
    type State = State;
    type Action = Action;

    fn book() -> &'static Book {
        &rulebook::BOOK
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
            None => Now::Decides(sequence::decides(battle, state).unwrap_or(Side::First)),
        }
    }

    fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
        offers::offers(battle, state, out);
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        offers::check(battle, state, action)
    }

    fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        decisions::answer(battle, state, action, fx);
    }

    fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
        sequence::run(battle, state, fx)
    }

    fn seen_by(battle: &Battle, state: &State, side: Side) -> State {
        concealment::seen_by(battle, state, side)
    }

    fn score(battle: &Battle, state: &State) -> BySide<i32> {
        victory::score(battle, state)
    }
}

impl Words for FieldsOfHonor {
    fn compile(source: &str, _library: &dyn Library, options: &Options) -> Result<Battle, Faults> {
        scenario::compile(source, options)
    }

    fn position(battle: &Battle, position: &str) -> Result<State, Faults> {
        position::read(battle, position)
    }

    fn write(battle: &Battle, action: &Action) -> String {
        notation::write(battle, action)
    }

    fn read(battle: &Battle, state: &State, notation: &str) -> Result<Action, String> {
        notation::read(battle, state, notation)
    }

    fn fact(battle: &Battle, state: &State, name: &str) -> Result<Fact, Unknown> {
        facts::fact(battle, state, name)
    }

    fn upcoming(_battle: &Battle, state: &State) -> Option<&'static str> {
        sequence::upcoming(state)
    }

    fn stops() -> &'static [&'static str] {
        &sequence::STOPS
    }

    fn kinds() -> &'static [&'static str] {
        &offers::KINDS
    }

    fn board(battle: &Battle) -> Board {
        board::board(battle)
    }

    fn view(battle: &Battle, state: &State, eyes: Eyes) -> View {
        board::view(battle, state, eyes)
    }

    fn prompt(battle: &Battle, state: &State) -> Prompt {
        prompts::prompt(battle, state)
    }

    fn offer(battle: &Battle, state: &State, action: &Action) -> Offer {
        prompts::offer(battle, state, action)
    }

    fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
        overlays::overlay(battle, state, ask)
    }
}

impl Judgement for FieldsOfHonor {
    const SEES_AFFAIRS_THROUGH: bool = true;

    fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
        judgement::worth(battle, state, side)
    }

    fn affair(_battle: &Battle, state: &State) -> Option<u32> {
        (!state.charge.chargers.is_empty()).then(|| u32::from(state.turn))
    }

    fn scene(_battle: &Battle, state: &State) -> u32 {
        u32::from_be_bytes([0, state.turn, state.phase as u8, sequence::scene(state)])
    }

    fn scene_name(_battle: &Battle, state: &State) -> &'static str {
        match sequence::scene(state) % 2 {
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
        fates::fate(battle, before, after, piece, was, is)
    }

    fn standings(battle: &Battle, state: &State) -> Fates {
        board::standings(battle, state)
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

    fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
        judgement::promise(battle, state, action)
    }
}

/// What must hold of every position: nobody lies in anybody, nobody is off the table, no body has more hits than stands.
///
/// # Errors
/// What does not hold.
pub fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
    invariants::invariant(battle, state)
}
