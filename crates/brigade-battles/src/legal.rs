//! What may be decided, and why something may not: offers and refusals from the same predicates.

use game::Refusal;

use crate::action::Action;
use crate::notation;
use crate::refusals::{Bar, bar};
use crate::rules::concepts::Lines;
use crate::rules::sequence::decider;
use crate::rules::{advance, combat, leaders, movement, organization, rally, retreat, tide};
use crate::setup::battle::Battle;
use crate::state::{LeaderId, Phase, State, Step, UnitId};

/// The legal actions.
pub(crate) fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    let Some(step) = state.agenda.top() else {
        match state.phase {
            Phase::Organization => organization::offers(battle, state, out),
            Phase::Artillery | Phase::Defensive | Phase::Offensive => combat::offers(battle, state, out),
            Phase::Movement => movement::offers(battle, state, out),
            Phase::Rally => rally::offers(battle, state, out),
            Phase::Command | Phase::Interval | Phase::Over => return,
        }
        out.push(Action::Done);
        return;
    };
    match step {
        Step::Volley => {
            out.extend(combat::joiners(battle, state).iter().map(|unit| Action::Join { unit }));
            out.push(Action::Open);
        }
        Step::CombatDie { .. } | Step::LeaderDie { .. } | Step::MoraleDie { .. } => {
            out.extend([Action::Tide, Action::Keep]);
        }
        Step::Place { leader } => {
            out.extend(
                leaders::nearest(battle, state, leader).iter().map(|unit| Action::Place { leader, unit }),
            );
        }
        Step::Choose { leader, unit } => {
            let others = leaders::transfers(battle, state, leader, unit);
            out.extend(others.iter().map(|unit| Action::Place { leader, unit }));
            out.push(Action::Stay { leader });
        }
        Step::Retreat { unit, rout, class } => {
            let ways = retreat::options(battle, state, unit, rout, class);
            out.extend(ways.into_iter().map(|to| Action::Retreat { unit, to }));
        }
        Step::Advance => {
            let into = |hex| Some(hex).filter(|_| state.fire.at != Some(hex));
            let all = advance::candidates(battle, state);
            out.extend(all.map(|(unit, hex)| Action::Advance { unit, to: into(hex) }));
            out.push(Action::Hold);
        }
        Step::Follow { leader, .. } => out.extend([Action::Follow { leader }, Action::Remain { leader }]),
        Step::LoneLeader { .. }
        | Step::Casualty { .. }
        | Step::Morale { .. }
        | Step::Limber { .. }
        | Step::PassedBy { .. } => {}
    }
}

/// Decides any action.
pub(crate) fn check(battle: &Battle, state: &State, action: Action) -> Result<(), Refusal> {
    let bar = match answers(battle, state, action) {
        Some(verdict) => verdict,
        None => return Err(Refusal::off_turn(format!("Now {}.", crate::board::prompt::asks(battle, state)))),
    };
    bar.map_err(|bar| bar.refuses(refused_words(battle, state, action)))
}

/// What is not possible, as a sentence.
fn refused_words(battle: &Battle, state: &State, action: Action) -> String {
    let unit = |id: UnitId| &battle.unit(id).name;
    let leader = |id: LeaderId| &battle.leader(id).name;
    match action {
        Action::March { piece, to } => {
            format!("{} may not march to {}.", battle.name_of(piece), battle.number(to))
        }
        Action::Fire { unit: u, at } => {
            format!("{} may not fire at {}.", unit(u), notation::target_words(battle, state, at))
        }
        Action::Join { unit: u } => format!("{} may not join in this fire.", unit(u)),
        Action::Change { unit: u, drill } => format!("{} may not {}.", unit(u), drill.word()),
        Action::Build { unit: u } => format!("{} may not build a breastwork.", unit(u)),
        Action::Raze { unit: u } => format!("{} may not pull a breastwork down.", unit(u)),
        Action::Burn { unit: u, .. } => format!("{} may not set a fire there.", unit(u)),
        Action::Search { unit: u, .. } => format!("{} may not search for a ford there.", unit(u)),
        Action::Retreat { unit: u, to } => format!("{} may not go back to {}.", unit(u), battle.number(to)),
        Action::Advance { unit: u, .. } => format!("{} may not advance.", unit(u)),
        Action::Rally { unit: u } => format!("{} may not try to rally.", unit(u)),
        Action::Place { leader: l, unit: u } => format!("{} may not go to {}.", leader(l), unit(u)),
        Action::Tide => "The Tide of Battle marker may not be used.".into(),
        Action::Done
        | Action::Open
        | Action::Keep
        | Action::Hold
        | Action::Stay { .. }
        | Action::Follow { .. }
        | Action::Remain { .. } => format!("Not {}.", notation::write(battle, action)),
    }
}

/// The verdict on an action that answers the decision at hand; none if it answers another.
fn answers(battle: &Battle, state: &State, action: Action) -> Option<Result<(), Bar>> {
    if state.phase == Phase::Over {
        return None;
    }
    let Some(step) = state.agenda.top() else { return in_phase(battle, state, action) };
    let verdict = match (step, action) {
        (Step::Volley, Action::Join { unit }) => combat::may_join(battle, state, unit),
        (Step::Volley, Action::Open)
        | (
            Step::CombatDie { .. } | Step::LeaderDie { .. } | Step::MoraleDie { .. },
            Action::Tide | Action::Keep,
        )
        | (Step::Advance, Action::Hold) => Ok(()),
        (Step::Place { leader }, Action::Place { leader: named, unit }) if leader == named => {
            if leaders::nearest(battle, state, leader).contains(unit) {
                Ok(())
            } else {
                Err(bar!("5.3.2.a", "he goes to the nearest friendly unit"))
            }
        }
        (Step::Choose { leader, unit: left }, Action::Place { leader: named, unit }) if leader == named => {
            if leaders::transfers(battle, state, leader, left).contains(unit) {
                Ok(())
            } else {
                Err(bar!(
                    "9.8.l",
                    "he may go only to the nearest unit of his command, no more than 3 hexes off"
                ))
            }
        }
        (Step::Choose { leader, .. }, Action::Stay { leader: named }) if leader == named => Ok(()),
        (Step::Retreat { unit, rout, class }, Action::Retreat { unit: named, to }) if unit == named => {
            retreat::may_go(battle, state, unit, rout, class, to)
        }
        // One notation for one hex: the target's is left out.
        (Step::Advance, Action::Advance { unit, to }) if to.is_none() || to != state.fire.at => {
            let lines = Lines::of(battle, state, state.active);
            match to.or(state.fire.at) {
                Some(hex) => advance::may_advance(battle, state, &lines, unit, hex),
                None => Err(bar!("9.9.a", "no fire has emptied a hex")),
            }
        }
        (
            Step::Follow { leader, .. },
            Action::Follow { leader: named } | Action::Remain { leader: named },
        ) if leader == named => Ok(()),
        (_, Action::Tide) => Err(tide::why_not(state, decider(battle, state))),
        _ => return None,
    };
    Some(verdict)
}

fn in_phase(battle: &Battle, state: &State, action: Action) -> Option<Result<(), Bar>> {
    let verdict = match (state.phase, action) {
        (_, Action::Done) => Ok(()),
        (Phase::Organization, Action::Build { unit }) => organization::may_build(battle, state, unit),
        (Phase::Organization, Action::Raze { unit }) => organization::may_raze(battle, state, unit),
        (Phase::Organization, Action::Burn { unit, site }) => {
            organization::may_burn(battle, state, unit, site)
        }
        (Phase::Organization, Action::Search { unit, ford }) => {
            organization::may_search(battle, state, unit, ford)
        }
        (Phase::Artillery | Phase::Defensive | Phase::Offensive, Action::Fire { unit, at }) => {
            combat::may_fire_at(battle, state, unit, at)
        }
        (Phase::Movement, Action::March { piece, to }) => movement::may_march(battle, state, piece, to),
        (Phase::Movement, Action::Change { unit, drill }) => movement::may_drill(battle, state, unit, drill),
        (Phase::Rally, Action::Rally { unit }) => rally::may_rally(battle, state, unit),
        (Phase::Defensive, Action::Advance { .. }) => {
            Err(bar!("9.9.c", "a player who fires defensively does not advance"))
        }
        (Phase::Artillery, Action::Advance { .. }) => {
            Err(bar!("9.9.a", "there is no advance after offensive artillery fire"))
        }
        (_, Action::Tide) => Err(tide::why_not(state, decider(battle, state))),
        (phase, _) => return out_of_phase(phase, action).map(Err),
    };
    Some(verdict)
}

/// An action of another phase: 4.2 puts it elsewhere.
fn out_of_phase(phase: Phase, action: Action) -> Option<Bar> {
    match action {
        Action::Fire { .. }
        | Action::March { .. }
        | Action::Change { .. }
        | Action::Rally { .. }
        | Action::Build { .. }
        | Action::Raze { .. }
        | Action::Burn { .. }
        | Action::Search { .. }
            if phase != Phase::Over =>
        {
            Some(bar!(
                "4.2.a",
                "that belongs to another phase: command, organization, artillery, movement, combat, rally follow each other"
            ))
        }
        _ => None,
    }
}
