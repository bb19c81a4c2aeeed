//! The contract of `game`, handed on to the chapters.

use game::board::{Ask, Board, Offer, Overlay, Prompt, View};
use game::odds::{Fate, Fates, Standing};
use game::situation::{Fact, Unknown};
use game::{
    Book, BySide, Display, Effects, Eyes, Facts, Faults, Files, Judgement, Library, Notation, Now, Odds,
    Options, PieceId, Refusal, Rules, Side,
};

use crate::action::Action;
use crate::board::{fate, offer, overlay, prompt, view};
use crate::rules::{sequence, victory};
use crate::setup::battle::Battle;
use crate::setup::{position, scenario};
use crate::state::State;
use crate::{board, facts, judgement, legal, notation};

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
    fn edition() -> &'static str {
        "4"
    }

    fn muster(battle: &Battle) -> State {
        battle.muster()
    }

    fn now(battle: &Battle, state: &State) -> Now {
        match state.outcome {
            Some(outcome) => Now::Over(outcome),
            None => Now::Decides(sequence::decider(battle, state)),
        }
    }

    fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
        legal::offers(battle, state, out);
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        legal::check(battle, state, action)
    }

    fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        sequence::answer(battle, state, action, fx);
    }

    fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
        sequence::step(battle, state, fx)
    }

    /// Nothing is concealed in the standard rules.
    fn seen_by(_: &Battle, state: &State, _: Side) -> State {
        state.clone()
    }

    fn score(battle: &Battle, state: &State) -> BySide<i32> {
        victory::score(battle, state)
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
        notation::write(battle, action)
    }

    fn read(battle: &Battle, state: &State, notation: &str) -> Result<Action, String> {
        notation::read(battle, state, notation)
    }
}

impl Facts for BattleHymn {
    fn fact(battle: &Battle, state: &State, name: &str) -> Result<Fact, Unknown> {
        facts::fact(battle, state, name)
    }

    fn upcoming(_: &Battle, state: &State) -> Option<&'static str> {
        facts::upcoming(state)
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
        board::board(battle)
    }

    fn view(battle: &Battle, state: &State, _: Eyes) -> View {
        view::view(battle, state)
    }

    fn prompt(battle: &Battle, state: &State) -> Prompt {
        prompt::prompt(battle, state)
    }

    fn offer(battle: &Battle, state: &State, action: &Action) -> Offer {
        offer::offer(battle, state, action)
    }

    fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
        overlay::overlay(battle, state, ask)
    }
}

impl Odds for BattleHymn {
    fn affair(_: &Battle, state: &State) -> Option<u32> {
        judgement::affair(state)
    }

    fn standings(battle: &Battle, state: &State) -> Fates {
        fate::standings(battle, state)
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
        judgement::is_open(state)
    }
}

impl Judgement for BattleHymn {
    fn turn(_: &Battle, state: &State) -> u32 {
        u32::from(state.hour)
    }

    fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
        judgement::worth(battle, state, side)
    }

    fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
        judgement::promise(battle, state, action)
    }
}
