//! The contract with the rest of the project, forwarded to the rules.

use game::board::{Ask, Board, Offer, Overlay, Prompt, View};
use game::odds::{Fate, Fates, Standing};
use game::situation::{Fact, Unknown};
use game::{Book, BySide, Display, Effects, Eyes, Facts, Faults, Files, Judgement, Library, Notation, Now, Odds, Options, PieceId, Refusal, Rules, Side};

use crate::action::Action;
use crate::board::{fate, offer, overlay, prompt, view};
use crate::rules::{sequence, victory};
use crate::setup::battle::Battle;
use crate::setup::{position, scenario};
use crate::state::State;
use crate::{facts, judgement, legal, notation, rulebook};

/// The rules of the series.
#[derive(Debug, Clone, Copy)]
pub struct BrigadeBattles;

impl Rules for BrigadeBattles {
    type Battle = Battle;
    type State = State;
    type Action = Action;

    fn book() -> &'static Book {
        &rulebook::BOOK
    }

    /// 3: lone leaders leave only before an enemy that comes to them; units never hide a target along a hexside; routed
    /// units that a rout passes check too; advances into every hex that a combat emptied; retreats go on through zones.
    fn edition() -> &'static str {
        "3"
    }

    fn muster(battle: &Battle) -> State {
        scenario::muster(battle)
    }

    fn now(battle: &Battle, state: &State) -> Now {
        sequence::now(battle, state)
    }

    fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
        legal::offers(battle, state, out);
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        legal::check(battle, state, *action)
    }

    fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        sequence::answer(battle, state, *action, fx);
    }

    fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
        sequence::step(battle, state, fx)
    }

    fn seen_by(_battle: &Battle, state: &State, _side: Side) -> State {
        state.with_fords_hidden()
    }

    fn score(battle: &Battle, state: &State) -> BySide<i32> {
        victory::score(battle, state)
    }
}

impl Files for BrigadeBattles {
    fn compile(source: &str, library: &dyn Library, options: &Options) -> Result<Battle, Faults> {
        scenario::compile(source, library, options)
    }

    fn position(battle: &Battle, position: &str) -> Result<State, Faults> {
        position::read(battle, position)
    }
}

impl Notation for BrigadeBattles {
    fn write(battle: &Battle, action: &Action) -> String {
        notation::write(battle, *action)
    }

    fn read(battle: &Battle, state: &State, notation: &str) -> Result<Action, String> {
        notation::read(battle, state, notation)
    }
}

impl Facts for BrigadeBattles {
    fn fact(battle: &Battle, state: &State, name: &str) -> Result<Fact, Unknown> {
        facts::fact(battle, state, name)
    }

    fn upcoming(battle: &Battle, state: &State) -> Option<&'static str> {
        facts::upcoming(battle, state)
    }

    fn stops() -> &'static [&'static str] {
        &facts::STOPS
    }

    fn kinds() -> &'static [&'static str] {
        &facts::KINDS
    }
}

impl Display for BrigadeBattles {
    fn board(battle: &Battle) -> Board {
        view::board(battle)
    }

    fn view(battle: &Battle, state: &State, _eyes: Eyes) -> View {
        view::view(battle, state)
    }

    fn prompt(battle: &Battle, state: &State) -> Prompt {
        prompt::prompt(battle, state)
    }

    fn offer(battle: &Battle, state: &State, action: &Action) -> Offer {
        offer::offer(battle, state, *action)
    }

    fn offer_all(battle: &Battle, state: &State, actions: &[Action]) -> Vec<Offer> {
        offer::offer_all(battle, state, actions)
    }

    fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
        overlay::overlay(battle, state, ask)
    }
}

impl Odds for BrigadeBattles {
    fn affair(_battle: &Battle, state: &State) -> Option<u32> {
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
        fate::fate(battle, before, after, piece).unwrap_or_else(|| Fate::of_standings(was, is))
    }
}

impl Judgement for BrigadeBattles {
    fn turn(_: &Battle, state: &State) -> u32 {
        u32::from(state.turn)
    }

    fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
        judgement::worth(battle, state, side)
    }

    fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
        judgement::promise(battle, state, *action)
    }
}
