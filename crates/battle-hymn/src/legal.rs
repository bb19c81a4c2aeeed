//! What may be done now: every offer, and whether an order that was never offered may be given. Both ask the chapters.

use game::{Refusal, Rule, Side};
use hexmap::Hex;

use crate::action::Action;
use crate::rules::restrictions::{check_movement, check_turn, check_unmoved, must_return};
use crate::rules::{advance, approach, bombardment, combat, engagement, morale, movement, retreat};
use crate::setup::battle::Battle;
use crate::state::{Id, State, Step};

pub(crate) fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    if state.outcome.is_some() {
        return;
    }
    let Some(step) = state.agenda.top() else { return };
    match step {
        Step::Draw => out.extend([Action::Combat, Action::Wait]),
        Step::March => movement::offers(battle, state, out),
        Step::Place(unit) => {
            out.extend(morale::placements(battle, state, unit).iter().map(|at| Action::Place { unit, at }))
        }
        Step::CavalryRetreat => {
            out.extend(combat::cavalry_retreats(battle, state).map(|unit| Action::Withdraw { unit }));
            out.push(Action::Pass);
        }
        Step::Bombard => bombardment::offers(battle, state, out),
        Step::Withdraw => {
            out.extend(combat::withdrawals(battle, state).map(|unit| Action::Withdraw { unit }));
            out.push(Action::Pass);
        }
        Step::Engage => engagement::engage_offers(battle, state, out),
        Step::Options => engagement::option_offers(battle, state, out),
        Step::Split(fire) => approach::split_offers(battle, state, fire, out),
        Step::Checks(_, side) => out
            .extend(approach::hit_units(battle, state, side).into_iter().map(|unit| Action::Check { unit })),
        Step::Advance => advance::offers(battle, state, out),
        Step::FallBack | Step::Sweep => combat::fall_back_offers(battle, state, out),
        Step::Retreat(retreat) => {
            let Some((_, choices)) = retreat::choices(battle, state, &retreat) else { return };
            out.extend(choices.hexes.into_iter().map(|to| Action::Retreat { unit: retreat.unit, to }));
            if choices.off {
                out.push(Action::RetreatOff { unit: retreat.unit });
            }
        }
        Step::Hour | Step::Approach | Step::Aim | Step::Fire(..) | Step::NextRound | Step::TimePasses => {}
    }
}

/// Decides any order.
///
/// # Errors
/// The refusal names the rule.
pub(crate) fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
    if state.outcome.is_some() {
        return Err(Refusal::off_turn("The battle is over."));
    }
    let Some(step) = state.agenda.top() else { return Err(Refusal::off_turn("Nothing is to be decided.")) };
    match (step, *action) {
        (Step::Draw, Action::Combat | Action::Wait) => Ok(()),
        (_, Action::Combat) => {
            let why = "The Initiative side announces it before a marker is drawn, while it holds its own.";
            Err(Refusal::new("Not a Combat Turn now.", why, cite!("3.9.d")))
        }
        (Step::March, Action::Done) if movement::must_march_on(state) => Err(Refusal::new(
            "The Turn cannot end here.",
            "A unit stands in a friend's hex and must march on.",
            cite!("3.7.c"),
        )),
        (Step::March, Action::Done) => match movement::strayed(battle, state) {
            Some(unit) => Err(must_return("The Movement Turn is not over.".into(), battle, unit)),
            None => Ok(()),
        },
        (
            _,
            Action::March { unit, .. }
            | Action::Mount { unit }
            | Action::Dismount { unit, .. }
            | Action::Enter { unit, .. }
            | Action::Exit { unit, .. }
            | Action::Rally { unit },
        ) => {
            check_turn(battle, state, step, unit)?;
            check_movement(battle, state, action)
        }
        (Step::Place(waiting), Action::Place { unit, at }) if waiting == unit => {
            check_place(battle, state, unit, at)
        }
        (_, Action::Place { unit, at }) => {
            check_turn(battle, state, step, unit)?;
            check_unmoved(battle, state, unit)?;
            check_place(battle, state, unit, at)
        }
        (Step::CavalryRetreat, Action::Withdraw { unit }) => {
            check_side(battle, unit, combat::attacker(state).enemy(), cite!("6.c"))?;
            combat::check_cavalry_retreat(battle, state, unit)
                .map_err(|b| b.refusal(format!("{} may not withdraw before combat.", battle.name(unit))))
        }
        (Step::Withdraw, Action::Withdraw { unit }) => {
            check_side(battle, unit, combat::attacker(state), cite!("6.c"))?;
            combat::check_withdrawal(battle, state, unit)
                .map_err(|b| b.refusal(format!("{} may not withdraw before combat.", battle.name(unit))))
        }
        (Step::Bombard, Action::Bombard { unit, at }) => {
            check_side(battle, unit, combat::attacker(state), cite!("6.c"))?;
            let what = || format!("{} may not bombard {}.", battle.name(unit), battle.name(at));
            bombardment::check(battle, state, unit, at).map_err(|b| b.refusal(what()))
        }
        (Step::Split(fire), Action::Split { unit, targets, shares }) => {
            approach::check_split(battle, state, fire, unit, &targets, &shares)
        }
        (Step::Engage, Action::Engage { unit }) => engagement::check_engage(battle, state, unit),
        (Step::Engage | Step::Options, Action::Attack { unit, at }) => {
            engagement::check_attack(battle, state, unit, at)
        }
        (Step::Engage, Action::Pass) => engagement::check_pass(battle, state),
        (Step::FallBack | Step::Sweep, Action::FallBack { unit }) => {
            combat::check_fall_back(battle, state, unit)
        }
        (Step::FallBack | Step::Sweep, Action::Pass) if !combat::must_fall_back(battle, state).is_empty() => {
            let why = "Attackers in a defender's zone of control that have not advanced must fall back.";
            let rule = if step == Step::Sweep { cite!("6.1.d") } else { cite!("6.1.8.b") };
            Err(Refusal::new("A unit must still fall back.", why, rule))
        }
        (Step::Checks(_, side), Action::Check { unit }) => approach::check_order(battle, state, side, unit),
        (Step::Retreat(_), Action::Retreat { unit, to }) => retreat::check(battle, state, unit, Some(to)),
        (Step::Retreat(_), Action::RetreatOff { unit }) => retreat::check(battle, state, unit, None),
        (Step::Advance, Action::Advance { unit, to }) => {
            check_side(battle, unit, combat::attacker(state), cite!("6.c"))?;
            let what = || format!("{} may not advance to {}.", battle.name(unit), battle.ground.name(to));
            advance::check(battle, state, unit, to).map_err(|b| b.refusal(what()))?;
            match advance::left_to_chance(battle, state, to) {
                true => Err(Refusal::new(
                    "Chance picks the unit.",
                    "Several could advance there, and At Random is on.",
                    cite!("3.1.f"),
                )),
                false => Ok(()),
            }
        }
        (Step::Advance, Action::AdvanceInto { to }) => advance::check_into(battle, state, to),
        (
            Step::CavalryRetreat
            | Step::Bombard
            | Step::Withdraw
            | Step::Options
            | Step::Advance
            | Step::FallBack
            | Step::Sweep,
            Action::Pass,
        ) => Ok(()),
        _ => Err(Refusal::off_turn("Another decision is at hand.")),
    }
}

fn check_place(battle: &Battle, state: &State, unit: Id, at: Hex) -> Result<(), Refusal> {
    let what = || format!("{} may not be placed in {}.", battle.name(unit), battle.ground.name(at));
    morale::check_place(battle, state, unit, at).map_err(|b| b.refusal(what()))
}

fn check_side(battle: &Battle, unit: Id, side: Side, rule: Rule) -> Result<(), Refusal> {
    if battle.side(unit) == side {
        return Ok(());
    }
    let what = format!("Not with {}.", battle.name(unit));
    Err(Refusal::new(what, format!("Only the {} may do this now.", battle.armies[side].name), rule))
}

/// What stands in the way, and the rule behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bar {
    why: &'static str,
    rule: Rule,
}

impl Bar {
    pub(crate) const fn new(why: &'static str, rule: Rule) -> Bar {
        Bar { why, rule }
    }

    /// The refusal of `what`.
    pub(crate) fn refusal(self, what: impl Into<String>) -> Refusal {
        Refusal::new(what, self.why, self.rule)
    }
}
