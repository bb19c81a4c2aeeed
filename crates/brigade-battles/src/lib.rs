//! The Civil War Brigade Battle Series, series rules 1.3: command radius, defensive then offensive fire, rout and rally.
//!
//! The source files are the rulebook's chapters: [`mod@concepts`](self) holds section 1.1, then components (`map`,
//! `charts`, `battle`), `turn` (4), `command` and `leaders` (5), `organization` (6), `movement` and `reinforcements` (8),
//! `combat`, `sight`, `results`, `retreat`, `advance` (7 and 9), `rally` (10), `night` (11), `tide` (12), `scenario` (13),
//! `victory` (14). What speaks to people is in `notation`, `face`, `facts` and `position`.

game::rulebook!();

mod board;
mod facts;
mod invariant;
mod judgement;
mod legal;
mod notation;
mod refusals;
pub mod rules;
pub mod setup;
pub mod state;

use game::{Book, BySide, Effects, Now, Refusal, Rules, Side};
use hexmap::Hex;

pub use invariant::invariant;
pub use setup::battle::Battle;
pub use state::State;

use rules::{advance, combat, leaders, movement, organization, results, retreat, sequence, tide, victory};
use setup::scenario;
use state::{Face, Ford, LeaderId, Phase, Piece, Step, UnitId};

/// The rules of the series.
#[derive(Debug, Clone, Copy)]
pub struct BrigadeBattles;

/// One decision of one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// `done`: the phase is over.
    Done,
    /// `build rodes`: begins a breastwork.
    Build { unit: UnitId },
    /// `raze rodes`: pulls a breastwork down.
    Raze { unit: UnitId },
    /// `burn rodes 0405/0505`: sets fire to a bridge, depot or rail line.
    Burn { unit: UnitId, site: u8 },
    /// `search rodes 0405/0505`: turns a ford marker up.
    Search { unit: UnitId, ford: u8 },
    /// `fire caldwell at rodes`: declares a fire.
    Fire { unit: UnitId, at: Hex },
    /// `join meagher`: takes part in the fire being declared.
    Join { unit: UnitId },
    /// `open`: all who fire have been named.
    Open,
    /// `march meagher 0910`.
    March { piece: Piece, to: Hex },
    /// `limber`, `unlimber`, `mount` or `dismount`.
    Change { unit: UnitId, drill: Drill },
    /// `tide`: the die on the table is rolled again.
    Tide,
    /// `keep`: the die stands.
    Keep,
    /// `place hill rodes`: the leader goes to that unit.
    Place { leader: LeaderId, unit: UnitId },
    /// `stay hill`: the leader goes back with his unit.
    Stay { leader: LeaderId },
    /// `retreat rodes 0506`: the next hex of the way back.
    Retreat { unit: UnitId, to: Hex },
    /// `advance meagher`: into the hex that was fired at; `advance hood 0406`: into another that the combat has emptied.
    Advance { unit: UnitId, to: Option<Hex> },
    /// `hold`: nobody advances.
    Hold,
    /// `follow hancock`: the leader comes along with the advance.
    Follow { leader: LeaderId },
    /// `remain hancock`: he does not.
    Remain { leader: LeaderId },
    /// `rally rodes`.
    Rally { unit: UnitId },
}

/// 8.1.9: a change of formation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Drill {
    Limber,
    Unlimber,
    Mount,
    Dismount,
}

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
        if state.phase == Phase::Over {
            return Now::Over(victory::outcome(battle, state));
        }
        Now::Decides(decider(battle, state))
    }

    fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
        legal::offers(battle, state, out);
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        legal::check(battle, state, *action)
    }

    fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        answer(battle, state, *action, fx);
    }

    fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
        if let Some(step) = state.agenda.top() {
            return run(battle, state, step, fx);
        }
        match state.phase {
            Phase::Over => return false,
            Phase::Command => sequence::command_phase(battle, state, fx),
            Phase::Interval => sequence::interval(battle, state, fx),
            _ if sequence::has_decision(battle, state) => return false,
            _ => sequence::end_phase(battle, state, fx),
        }
        true
    }

    fn seen_by(_battle: &Battle, state: &State, _side: Side) -> State {
        let mut seen = state.clone();
        for ford in &mut seen.fords {
            if let Ford::Unsearched(face) = ford {
                *face = Face::Hidden;
            }
        }
        seen
    }

    fn score(battle: &Battle, state: &State) -> BySide<i32> {
        victory::score(battle, state)
    }
}

/// Who must decide.
pub(crate) fn decider(battle: &Battle, state: &State) -> Side {
    match state.agenda.top() {
        None => sequence::decider(state),
        Some(Step::Volley | Step::CombatDie { .. } | Step::LoneLeader { .. } | Step::LeaderDie { .. }) => {
            combat::firing_side(state)
        }
        Some(
            Step::Morale { unit, .. }
            | Step::MoraleDie { unit, .. }
            | Step::Limber { unit }
            | Step::Retreat { unit, .. },
        ) => battle.unit(unit).side,
        Some(
            Step::Casualty { leader }
            | Step::Place { leader }
            | Step::Choose { leader, .. }
            | Step::Follow { leader, .. },
        ) => battle.leader(leader).side,
        Some(Step::PassedBy { units, .. }) => battle.unit(units[0]).side,
        Some(Step::Advance) => state.active,
    }
}

/// Runs the top step as far as it needs no decision; false when it does.
fn run(battle: &Battle, state: &mut State, step: Step, fx: &mut impl Effects) -> bool {
    match step {
        Step::Volley => {
            if !combat::joiners(battle, state).is_empty() {
                return false;
            }
            combat::open_fire(battle, state, fx);
        }
        Step::CombatDie { natural } => {
            if combat::tide_open(state) {
                return false;
            }
            combat::resolve(battle, state, natural, fx);
        }
        Step::LoneLeader { leader } => leaders::fire_at_lone(battle, state, leader, fx),
        Step::Casualty { leader } => leaders::check_casualty(battle, state, leader, fx),
        Step::Place { leader } => return leaders::place(battle, state, leader, fx),
        Step::Morale { unit, why } => results::check(battle, state, unit, why, fx),
        Step::LeaderDie { .. } | Step::MoraleDie { .. } => return false,
        Step::Limber { unit } => retreat::limber(battle, state, unit, fx),
        Step::Choose { leader, unit } => {
            let gone =
                state.unit(unit).post.hex().is_none() || state.leader(leader).post != state.unit(unit).post;
            if !gone && !leaders::transfers(battle, state, leader, unit).is_empty() {
                return false;
            }
            retreat::chosen(battle, state, leader, unit);
        }
        Step::Retreat { unit, rout, class } => return retreat::run(battle, state, unit, rout, class, fx),
        Step::PassedBy { units, left } => retreat::next_passed(state, units, left),
        Step::Advance => {
            if advance::candidates(battle, state).next().is_some() {
                return false;
            }
            state.agenda.pop();
        }
        Step::Follow { .. } => return false,
    }
    true
}

/// Resolves the decision at hand.
fn answer(battle: &Battle, state: &mut State, action: Action, fx: &mut impl Effects) {
    match action {
        Action::Done => sequence::end_phase(battle, state, fx),
        Action::Build { .. } | Action::Raze { .. } | Action::Burn { .. } | Action::Search { .. } => {
            organization::perform(battle, state, action, fx);
        }
        Action::Fire { unit, at } => combat::declare(state, unit, at),
        Action::Join { unit } => state.fire.firers.insert(unit),
        Action::Open => combat::open_fire(battle, state, fx),
        Action::March { piece, to } => movement::march(battle, state, piece, to, fx),
        Action::Change { unit, .. } => movement::change(battle, state, unit, fx),
        Action::Tide => tide::use_marker(battle, state, fx),
        Action::Keep => match state.agenda.top() {
            Some(Step::CombatDie { natural }) => combat::resolve(battle, state, natural, fx),
            Some(Step::LeaderDie { leader, natural }) => {
                leaders::conclude_lone(battle, state, leader, leaders::is_hit_by(natural), fx);
            }
            Some(Step::MoraleDie { unit, why, natural }) => {
                results::stand(battle, state, unit, why, natural, fx);
            }
            _ => {}
        },
        Action::Place { leader, unit: to } => match state.agenda.top() {
            Some(Step::Choose { unit, .. }) => {
                leaders::join(battle, state, leader, to, fx);
                retreat::chosen(battle, state, leader, unit);
            }
            _ => leaders::place_with(battle, state, leader, to, fx),
        },
        Action::Stay { leader } => {
            if let Some(Step::Choose { unit, .. }) = state.agenda.top() {
                retreat::chosen(battle, state, leader, unit);
            }
        }
        Action::Hold => {
            state.agenda.pop();
        }
        Action::Retreat { unit, to } => {
            if let Some(Step::Retreat { rout, .. }) = state.agenda.top() {
                retreat::go(battle, state, unit, rout, to, fx);
            }
        }
        Action::Advance { unit, to } => {
            if let Some(hex) = to.or(state.fire.at) {
                advance::advance(battle, state, unit, hex, fx);
            }
        }
        Action::Follow { leader } => {
            if let Some(Step::Follow { to, .. }) = state.agenda.top() {
                advance::follow(state, leader, Some(to));
            }
        }
        Action::Remain { leader } => advance::follow(state, leader, None),
        Action::Rally { unit } => {
            state.acted.insert(unit);
            state.agenda.push(Step::Morale { unit, why: state::Why::Rally });
        }
    }
}
