//! The contract with the rest of the project, forwarded to the rules.

use game::board::{Ask, Board, March, Offer, Overlay, Prompt, View};
use game::odds::{Fate, Fates, Standing};
use game::situation::{Fact, Unknown};
use game::{
    Book, BySide, Display, Effects, Eyes, Facts, Faults, Files, Foresight, Judgement, Library, Notation, Now,
    Odds, Options, PieceId, Refusal, Rules, Side,
};

use crate::action::Action;
use crate::at::{At, Run};
use crate::setup::battle::Battle;
use crate::setup::{position, scenario};
use crate::state::State;
use crate::{facts, rulebook};

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
    /// 4: no advance into the zone of an enemy whose zone the march left; a routed unit comes no closer to any enemy.
    fn edition() -> &'static str {
        "4"
    }

    fn muster(battle: &Battle) -> State {
        battle.muster()
    }

    fn now(battle: &Battle, state: &State) -> Now {
        At::new(battle, state).now()
    }

    fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
        At::new(battle, state).offers(out);
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        At::new(battle, state).check(*action)
    }

    fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        Run::new(battle, state, fx).answer(*action);
    }

    fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
        Run::new(battle, state, fx).step()
    }

    fn seen_by(_battle: &Battle, state: &State, _side: Side) -> State {
        state.with_fords_hidden()
    }

    fn score(battle: &Battle, state: &State) -> BySide<i32> {
        At::new(battle, state).score()
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
        battle.write(*action)
    }

    fn read(battle: &Battle, state: &State, notation: &str) -> Result<Action, String> {
        At::new(battle, state).read(notation)
    }
}

impl Facts for BrigadeBattles {
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

impl Display for BrigadeBattles {
    fn board(battle: &Battle) -> Board {
        battle.board()
    }

    fn view(battle: &Battle, state: &State, _eyes: Eyes) -> View {
        At::new(battle, state).view()
    }

    fn prompt(battle: &Battle, state: &State) -> Prompt {
        At::new(battle, state).prompt()
    }

    fn offer(battle: &Battle, state: &State, action: &Action) -> Offer {
        At::new(battle, state).offer(*action)
    }

    fn offer_all(battle: &Battle, state: &State, actions: &[Action]) -> Vec<Offer> {
        At::new(battle, state).offer_all(actions)
    }

    fn march(battle: &Battle, state: &State, action: &Action) -> Option<March> {
        At::new(battle, state).march_in_steps(*action)
    }

    fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
        At::new(battle, state).overlay(ask)
    }
}

impl Odds for BrigadeBattles {
    fn affair(_battle: &Battle, state: &State) -> Option<u32> {
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
        At::new(battle, before).fate(after, piece).unwrap_or_else(|| Fate::of_standings(was, is))
    }
}

impl Judgement for BrigadeBattles {
    const FORESIGHT: Foresight = Foresight::PlayerTurns(1);

    fn turn(_: &Battle, state: &State) -> u32 {
        u32::from(state.turn) + 1
    }

    fn player_turn(battle: &Battle, state: &State) -> u32 {
        2 * u32::from(state.turn) + u32::from(state.active != battle.first)
    }

    fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
        At::new(battle, state).worth(side)
    }

    fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
        At::new(battle, state).promise(*action)
    }
}
