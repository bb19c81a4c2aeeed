//! The names of phases and decisions, as situations stop at them and ask for them.

use crate::state::{FireOf, State, Step};

/// Every kind of decision.
pub(crate) const KINDS: [&str; 14] = [
    "declare",
    "march",
    "place",
    "cavalry-retreat",
    "bombard",
    "withdraw",
    "split",
    "engage",
    "option",
    "check",
    "retreat",
    "advance",
    "fallback",
    "over",
];

/// Every phase that a situation can stop before.
pub(crate) const STOPS: [&str; 19] = [
    "hour",
    "draw",
    "march",
    "place",
    "cavalry-retreat",
    "bombard",
    "withdraw",
    "approach",
    "approach fire",
    "approach checks",
    "engage",
    "option",
    "fire",
    "checks",
    "advance",
    "next round",
    "fallback",
    "retreat",
    "time",
];

/// The phase on top of the agenda.
pub(crate) fn upcoming(state: &State) -> Option<&'static str> {
    Some(match state.agenda.top()? {
        Step::Hour => "hour",
        Step::Draw => "draw",
        Step::March => "march",
        Step::Place(_) => "place",
        Step::CavalryRetreat => "cavalry-retreat",
        Step::Bombard => "bombard",
        Step::Withdraw => "withdraw",
        Step::Approach | Step::Split(FireOf::Approach) => "approach",
        Step::Fire(FireOf::Approach, ..) => "approach fire",
        Step::Checks(FireOf::Approach, _) => "approach checks",
        Step::Engage => "engage",
        Step::Options | Step::Aim | Step::Split(FireOf::Round) => "option",
        Step::Fire(FireOf::Round, ..) => "fire",
        Step::Checks(FireOf::Round, _) => "checks",
        Step::Advance => "advance",
        Step::NextRound => "next round",
        Step::FallBack | Step::Sweep => "fallback",
        Step::Retreat(_) => "retreat",
        Step::TimePasses => "time",
    })
}
