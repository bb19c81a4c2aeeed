//! The contract's traits, each forwarded to the room that does the work.

use game::board::{Ask, Board, March, Offer, Overlay, Prompt, View};
use game::odds::{Fate, Fates, Standing, Verdict};
use game::situation::{Fact, Unknown};
use game::{
    Book, BySide, Display, Effects, Eyes, Facts, Faults, Files, Judgement, Library, Notation, Now, Odds,
    Options, PieceId, Refusal, Rules, Side,
};

use crate::action::Action;
use crate::at::{At, Run};
use crate::board::view;
use crate::rules::intelligence::Veil;
use crate::setup::battle::Battle;
use crate::setup::pieces::Piece;
use crate::setup::{position, scenario};
use crate::state::{self, Phase, State};
use crate::{AmericanRevolution, facts, notation, rulebook};

impl Rules for AmericanRevolution {
    type Battle = Battle;
    type State = State;
    type Action = Action;

    fn book() -> &'static Book {
        &rulebook::BOOK
    }

    /// 3: pins need both sides, ridges block sight, the edge does not surround, lone leaders are taken by marches and
    /// advances alone.
    /// 4: a hidden stack shows whether it is broken; rifle zones that nobody could see cost what they cost.
    fn edition() -> &'static str {
        "4"
    }

    fn muster(battle: &Battle) -> State {
        state::muster(battle)
    }

    fn now(battle: &Battle, state: &State) -> Now {
        At::new(battle, state).now()
    }

    fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
        At::new(battle, state).offers(out);
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        At::new(battle, state).check(action).map_err(|no| match no.rule() {
            Some(_) => no.refuses(format!("Not possible: {}.", notation::write(battle, action))),
            None => no.refuses("This is not the decision at hand."),
        })
    }

    fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        let mut veil = Veil::new(At::new(battle, state), fx);
        Run::new(battle, state, &mut veil).answer(action);
    }

    fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
        let mut veil = Veil::new(At::new(battle, state), fx);
        Run::new(battle, state, &mut veil).step()
    }

    fn seen_by(battle: &Battle, state: &State, side: Side) -> State {
        At::new(battle, state).seen_by(side)
    }

    fn score(battle: &Battle, state: &State) -> BySide<i32> {
        At::new(battle, state).score()
    }
}

impl Files for AmericanRevolution {
    fn compile(source: &str, library: &dyn Library, options: &Options) -> Result<Battle, Faults> {
        scenario::compile(source, library, options)
    }

    fn position(battle: &Battle, position: &str) -> Result<State, Faults> {
        position::read(battle, position)
    }
}

impl Notation for AmericanRevolution {
    fn write(battle: &Battle, action: &Action) -> String {
        notation::write(battle, action)
    }

    fn read(battle: &Battle, state: &State, notation: &str) -> Result<Action, String> {
        At::new(battle, state).read(notation)
    }
}

impl Facts for AmericanRevolution {
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

impl Display for AmericanRevolution {
    fn board(battle: &Battle) -> Board {
        view::board(battle)
    }

    fn view(battle: &Battle, state: &State, eyes: Eyes) -> View {
        At::new(battle, state).view(eyes)
    }

    fn prompt(battle: &Battle, state: &State) -> Prompt {
        At::new(battle, state).prompt()
    }

    fn offer(battle: &Battle, state: &State, action: &Action) -> Offer {
        Self::offer_all(battle, state, std::slice::from_ref(action)).swap_remove(0)
    }

    fn offer_all(battle: &Battle, state: &State, actions: &[Action]) -> Vec<Offer> {
        At::new(battle, state).offer_all(actions)
    }

    fn march(battle: &Battle, state: &State, action: &Action) -> Option<March> {
        At::new(battle, state).march_in_steps(action)
    }

    fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
        At::new(battle, state).overlay(ask)
    }
}

impl Odds for AmericanRevolution {
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
        At::new(battle, before).fate(after, Piece(piece.0 as u8), was, is)
    }

    fn sealed(battle: &Battle, state: &State) -> Option<BySide<Vec<Action>>> {
        At::new(battle, state).sealed()
    }

    fn unsealed(_: &Battle, state: &State, choices: BySide<&Action>) -> State {
        state.unsealed(choices)
    }

    fn verdict(battle: &Battle, state: &State) -> Option<Verdict> {
        At::new(battle, state).verdict()
    }

    fn chance(battle: &Battle, state: &State, action: &Action) -> Option<u32> {
        At::new(battle, state).chance(action)
    }
}

impl Judgement for AmericanRevolution {
    fn turn(_: &Battle, state: &State) -> u32 {
        state.turn.into()
    }

    fn player_turn(_: &Battle, state: &State) -> u32 {
        let second = state.phase != Phase::Initiative && state.phasing != state.first;
        2 * u32::from(state.turn) + u32::from(second)
    }

    fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
        At::new(battle, state).worth(side)
    }

    fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
        At::new(battle, state).promise(action)
    }
}
