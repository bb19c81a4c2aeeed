//! Battles of the American Revolution, the series rules of June 2022, as a pure function.
//!
//! Source files are named after the rulebook's chapters; `sequence.rs` says what follows what.

game::rulebook!();

mod action;
mod board;
mod facts;
mod invariant;
pub mod judgement;
mod notation;
pub mod rules;
pub mod setup;
mod state;

use game::{Book, BySide, Effects, Now, Refusal, Rule, Rules, Side};

pub use action::{Action, Way};
pub use invariant::invariant;
pub use rules::sequence::Step;
pub use rules::tactics::Tactic;
pub use setup::battle::{Arm, Battle, Counter, LeaderSheet, Roles, Start};
pub use setup::pieces::{Piece, Pieces};
pub use state::{Attack, Ending, Level, Order, Phase, Pin, Shot, Spot, State};

use rules::intelligence::Veil;
use rules::{how_to_win, sequence};

/// The system.
#[derive(Debug, Clone, Copy)]
pub struct AmericanRevolution;

/// Why something is barred: the rule, and what would have to be different. Small, so that offers cost nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bar {
    rule: Option<Rule>,
    why: &'static str,
    /// What it would take, and what there is.
    counts: Option<(u8, u8)>,
}

impl Bar {
    pub(crate) const fn new(rule: Rule, why: &'static str) -> Bar {
        Bar { rule: Some(rule), why, counts: None }
    }

    /// There is not enough of something.
    pub(crate) const fn short(rule: Rule, why: &'static str, needs: u8, has: u8) -> Bar {
        Bar { rule: Some(rule), why, counts: Some((needs, has)) }
    }

    /// It answers another decision than the one at hand.
    pub(crate) const fn other(why: &'static str) -> Bar {
        Bar { rule: None, why, counts: None }
    }

    /// The reason as a sentence.
    fn sentence(self) -> String {
        match self.counts {
            Some((needs, has)) => sentence(&format!("{} (needs {needs}, has {has})", self.why)),
            None => sentence(self.why),
        }
    }
}

pub(crate) type Lawful = Result<(), Bar>;

impl Rules for AmericanRevolution {
    type Battle = Battle;
    type State = State;
    type Action = Action;

    fn book() -> &'static Book {
        &rulebook::BOOK
    }

    /// 3: pins need both sides, ridges block sight, the edge does not surround, lone leaders are taken by marches and
    /// advances alone.
    fn edition() -> &'static str {
        "3"
    }

    fn muster(battle: &Battle) -> State {
        state::muster(battle)
    }

    fn now(battle: &Battle, state: &State) -> Now {
        if let Some(ending) = state.ending {
            return Now::Over(how_to_win::outcome(ending));
        }
        let side = state.agenda.top().and_then(|step| sequence::decider(battle, state, step));
        Now::Decides(side.unwrap_or(state.phasing))
    }

    fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
        sequence::offers(battle, state, out);
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        sequence::check(battle, state, action).map_err(|bar| match bar.rule {
            Some(rule) => Refusal::new(
                format!("Not possible: {}.", notation::write(battle, action)),
                bar.sentence(),
                rule,
            ),
            None => Refusal::off_turn(bar.sentence()),
        })
    }

    fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        let mut veil = Veil::new(battle, state, fx);
        sequence::answer(battle, state, action, &mut veil);
    }

    fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
        let mut veil = Veil::new(battle, state, fx);
        sequence::run(battle, state, &mut veil)
    }

    fn seen_by(battle: &Battle, state: &State, side: Side) -> State {
        state::seen_by(battle, state, side)
    }

    fn score(battle: &Battle, state: &State) -> BySide<i32> {
        how_to_win::half_points(battle, state).map(|halves| halves / 2)
    }
}

/// A clause as a sentence.
fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    letters.next().map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
