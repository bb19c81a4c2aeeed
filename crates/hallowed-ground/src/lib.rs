//! This Hallowed Ground: regiments as rectangles on a table in inches.
//!
//! The source files are the book's chapters: `muster` and `formations` (2, 3), `turn` (4), `command`, `maneuvers` and
//! `retire` and `roads` (5), `terrain` (6), `charge_line`, `charges`, `countercharge`, `defensive_fire` and `contact` (7), `sight` and `shooting` (8), `melee` and
//! `aftermath` (9), `end` (10), `morale` (11), `commanders` (12); the special rules (13) are modifiers where they apply.
//! Rulings are cited as R and P, missing values as G, as `rules/hallowed-ground` numbers them.

game::rulebook!();

mod action;
mod board;
mod facts;
mod field;
mod invariant;
mod judgement;
mod legal;
mod notation;
mod rules;
mod setup;

use arrayvec::ArrayVec;
use game::board::{Ask, Board, Offer, Overlay, Prompt, View};
use game::odds::{Fate, Standing};
use game::situation::{Fact, Unknown};
use game::{
    Agenda, Book, BySide, Display, Effects, Eyes, Facts, Faults, Files, Judgement, Library, Notation, Now,
    Odds, Options, PieceId, Refusal, Rules, Side,
};

pub use action::Action;
pub use field::Field;
pub use invariant::invariant;
pub use rules::command::Order;
pub use rules::command::maneuvers::{Change, Double, Maneuver, Slant};
pub use rules::formations::{Arm, Formation, base_depth, footprint, stat};
pub use rules::sequence::Step;
pub use rules::terrain::{Blocks, Going};
pub use setup::battle::{
    Battle, BrigadeId, CommanderId, Contact, Flags, Marker, Phase, State, Unit, UnitId, Whereabouts, rect_of,
};

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
    fn edition() -> &'static str {
        "3"
    }

    fn muster(battle: &Battle) -> State {
        muster_state(battle)
    }

    fn now(battle: &Battle, state: &State) -> Now {
        match state.outcome {
            Some(outcome) => Now::Over(outcome),
            None => Now::Decides(action::decider(battle, state).unwrap_or(state.active)),
        }
    }

    fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
        legal::offers(battle, state, out);
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        action::check(battle, state, action)
    }

    fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        action::answer(battle, state, action, fx);
    }

    fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
        rules::sequence::step(battle, state, fx)
    }

    /// Everything lies open on this table.
    fn seen_by(_: &Battle, state: &State, _: Side) -> State {
        state.clone()
    }

    fn score(battle: &Battle, state: &State) -> BySide<i32> {
        rules::end::score(battle, state)
    }
}

fn muster_state(battle: &Battle) -> State {
    let units = battle.units.iter().map(|r| Unit {
        pose: r.pose,
        formation: r.formation,
        hits: r.hits,
        shaken: r.hits >= r.arm.morale().0,
        place: if r.arrival.is_some() { Whereabouts::Reserve } else { Whereabouts::Table },
        order: None,
        road: None,
        flags: Flags::default(),
    });
    let commanders = battle.officers.iter().map(|o| setup::battle::Commander {
        at: o.at,
        attached: None,
        on_table: o.arrives.is_none(),
        moved: false,
        rallied: false,
    });
    let mut agenda = Agenda::new();
    agenda.push(Step::Initiative);
    State {
        turn: 1,
        phase: Phase::Start,
        active: Side::First,
        first: Side::First,
        units: units.collect(),
        commanders: commanders.collect(),
        contacts: ArrayVec::new(),
        activated: 0,
        broken_brigades: 0,
        charged: 0,
        charge: None,
        melee: None,
        agenda,
        outcome: None,
    }
}

impl Files for HallowedGround {
    fn compile(source: &str, _: &dyn Library, options: &Options) -> Result<Battle, Faults> {
        setup::scenario::read(source, options)
    }

    fn position(battle: &Battle, position: &str) -> Result<State, Faults> {
        setup::position::read(battle, position)
    }
}

impl Notation for HallowedGround {
    fn write(battle: &Battle, action: &Action) -> String {
        notation::write(battle, action)
    }

    fn read(battle: &Battle, state: &State, notation: &str) -> Result<Action, String> {
        notation::read(battle, state, notation)
    }
}

impl Facts for HallowedGround {
    fn fact(battle: &Battle, state: &State, name: &str) -> Result<Fact, Unknown> {
        facts::fact(battle, state, name)
    }

    fn upcoming(battle: &Battle, state: &State) -> Option<&'static str> {
        rules::sequence::upcoming(battle, state)
    }

    fn stops() -> &'static [&'static str] {
        &rules::sequence::STOPS
    }

    fn kinds() -> &'static [&'static str] {
        &board::prompt::KINDS
    }
}

impl Display for HallowedGround {
    fn board(battle: &Battle) -> Board {
        board::view::board(battle)
    }

    fn view(battle: &Battle, state: &State, _: Eyes) -> View {
        board::view::view(battle, state)
    }

    fn prompt(battle: &Battle, state: &State) -> Prompt {
        board::prompt::prompt(battle, state)
    }

    fn offer(battle: &Battle, state: &State, action: &Action) -> Offer {
        board::prompt::offer(battle, state, action)
    }

    fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
        board::overlay::overlay(battle, state, ask)
    }
}

impl Odds for HallowedGround {
    fn affair(_: &Battle, state: &State) -> Option<u32> {
        let charge = state.charge.as_ref().map(|c| 1 + u32::from(c.target.0));
        charge.or_else(|| state.melee.as_ref().and_then(|m| m.units.first()).map(|u| 101 + u32::from(u.0)))
    }

    fn is_open(battle: &Battle, state: &State) -> bool {
        rules::sequence::is_open(battle, state)
    }

    fn standings(battle: &Battle, state: &State) -> game::odds::Fates {
        judgement::standings(battle, state)
    }

    fn fate(
        battle: &Battle,
        before: &State,
        after: &State,
        piece: PieceId,
        was: &Standing,
        is: &Standing,
    ) -> Fate {
        board::fate::fate(battle, before, after, piece, was, is)
    }
}

impl Judgement for HallowedGround {
    fn turn(_: &Battle, state: &State) -> u32 {
        u32::from(state.turn)
    }

    fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
        judgement::worth(battle, state, side)
    }

    fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
        judgement::promise(battle, state, action)
    }
}
