//! The decisions of the players, as one small enum, and whether each may be made now.

use game::Refusal;
use serde::{Deserialize, Serialize};
use table::Spot;

use crate::field::Field;
use crate::rules::charges::countercharge::countercharge;
use crate::rules::charges::defensive_fire::{begin_test, fires_first, give_odd, odd_takers, tests_to_order};
use crate::rules::charges::line::declare;
use crate::rules::charges::{self, ChargeStep, rival_supports};
use crate::rules::command::maneuvers::Trail;
use crate::rules::command::{self, Order};
use crate::rules::commanders;
use crate::rules::melee::aftermath::{break_through, breakthrough_lines, may_break_through};
use crate::rules::melee::{self, MeleeStep};
use crate::rules::sequence::{self, Step};
use crate::rules::shooting;
use crate::setup::battle::{Battle, BrigadeId, CommanderId, Fits, Flags, No, State, UnitId, Units, no};
use game::{Effects, Side};

/// One decision of one player.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// "I am done", "no": ends or declines what is asked.
    Pass,
    /// The winner of the roll goes first, or second.
    Go { first: bool },
    /// "Gibbon joins the 2nd Wisconsin."
    Attach { commander: CommanderId, unit: UnitId },
    /// "Gibbon leaves his unit."
    Detach { commander: CommanderId, to: Spot },
    /// "The 26th and 60th Georgia charge the 7th Wisconsin."
    Charge { target: UnitId, by: Units },
    /// "We meet them half way."
    Countercharge,
    /// "Gibbon's brigade now."
    Activate { brigade: BrigadeId },
    /// "The 2nd Wisconsin advances ..."
    Order { unit: UnitId, order: Order },
    /// A free commander's move.
    Ride { commander: CommanderId, to: Spot },
    /// "The 2nd Wisconsin shoots at the 5th Virginia."
    Shoot { unit: UnitId, target: UnitId },
    /// "This one": whichever unit is asked for.
    Pick { unit: UnitId },
    /// A Stubborn unit rolls again.
    Reroll,
    /// A Retire that could go either way goes to its left, or right.
    Aside { left: bool },
    /// "On, after them."
    BreakThrough { by: Units },
}

const NOT_NOW: &str = "Another decision is at hand.";

/// Whether an action may be taken now: what `check` and the offers share.
pub(crate) fn fits(field: &Field<'_>, action: &Action) -> Result<(), Option<No>> {
    let (battle, state) = (field.battle, field.state);
    let Some(top) = state.agenda.top() else { return Err(None) };
    let some = |r: Fits| r.map_err(Some);
    let among = |units: &[UnitId], u: UnitId, rule: game::Rule| {
        some(if units.contains(&u) {
            Ok(())
        } else {
            no(rule, "This unit is not among those to choose from.")
        })
    };
    match (top, action) {
        (Step::ChooseFirst { .. }, Action::Go { .. }) => Ok(()),
        (Step::Attach, Action::Attach { commander, unit }) => {
            own(field, *commander)?;
            some(commanders::may_attach(field, *commander, *unit))
        }
        (Step::Attach, Action::Detach { commander, to }) => {
            own(field, *commander)?;
            some(commanders::may_detach(field, *commander, *to))
        }
        (Step::Charges, Action::Charge { target, by }) => some(declare(field, *target, by).map(|_| ())),
        (Step::Activate, Action::Activate { brigade }) => {
            let free = sequence::to_activate(battle, state).contains(brigade);
            some(if free {
                Ok(())
            } else {
                no(cite!("5.3.a"), "Pick an own brigade not yet activated this turn.")
            })
        }
        (Step::Orders { brigade }, Action::Order { unit, order }) => {
            some(command::plan(field, brigade, *unit, order, &mut Trail::new()).map(|_| ()))
        }
        (Step::BrigadeRides { brigade }, Action::Ride { commander, to }) => {
            if *commander != battle.brigade(brigade).commander {
                return Err(Some(No::new(cite!("5.3.c"), "Only this brigade's commander moves now.")));
            }
            some(commanders::may_ride(field, *commander, *to))
        }
        (Step::ArmyRides, Action::Ride { commander, to }) => {
            if battle.army_commander(state.active) != Some(*commander) {
                return Err(Some(No::new(cite!("5.3.e"), "Only the army commander moves now.")));
            }
            some(commanders::may_ride(field, *commander, *to))
        }
        (Step::Flee { commander }, Action::Ride { commander: c, to }) => {
            if commander != *c {
                return Err(Some(No::new(cite!("12.1.a"), "Another commander must ride off first.")));
            }
            some(commanders::may_flee(field, *c, *to))
        }
        (Step::Shooting, Action::Shoot { unit, target }) => {
            some(shooting::shot(field, *unit, *target).map(|_| ()))
        }
        (Step::ShotTests, Action::Pick { unit }) => {
            among(&sequence::shaky(battle, state), *unit, cite!("8.6.d"))
        }
        (Step::MeleePhase, Action::Pick { unit }) => {
            among(&melee::unfought(battle, state), *unit, cite!("9.a"))
        }
        (Step::Charge(ChargeStep::Countercharge), Action::Countercharge | Action::Pass) => Ok(()),
        (Step::Charge(ChargeStep::Supports), Action::Pick { unit }) => {
            among(&rival_supports(field), *unit, cite!("7.7.c"))
        }
        (Step::Charge(ChargeStep::WhoFires), Action::Pick { unit }) => {
            let charge = state.charge.as_ref().ok_or(None)?;
            some(if *unit == charge.target || charge.support == Some(*unit) {
                Ok(())
            } else {
                no(cite!("7.7.d"), "The battery or the infantry beside it fires.")
            })
        }
        (Step::Charge(ChargeStep::Odd { shooter }), Action::Pick { unit }) => {
            among(&odd_takers(field, shooter), *unit, cite!("7.9.c"))
        }
        (Step::Charge(ChargeStep::Tests), Action::Pick { unit }) => {
            among(&tests_to_order(battle, state), *unit, cite!("7.6.c"))
        }
        (Step::Melee(MeleeStep::Split), Action::Pick { unit }) => {
            let (_, foes) = melee::odd_dice(battle, state).ok_or(None)?;
            among(&foes, *unit, cite!("9.c"))
        }
        (Step::Melee(MeleeStep::Tests), Action::Pick { unit }) => {
            among(&melee::flagged(battle, state, Flags::LOSER), *unit, cite!("9.3.b"))
        }
        (Step::Melee(MeleeStep::Retires), Action::Pick { unit }) => {
            among(&melee::retirers(battle, state), *unit, cite!("11.b"))
        }
        (Step::Melee(MeleeStep::Breakthrough), Action::Pass) => Ok(()),
        (Step::Melee(MeleeStep::Breakthrough), Action::BreakThrough { by }) => {
            some(may_break_through(battle, state, by))?;
            some(match breakthrough_lines(field, by) {
                Some(_) => Ok(()),
                None => no(cite!("9.5.g"), "It cannot reach the nearest target."),
            })
        }
        (Step::Reroll { .. }, Action::Reroll | Action::Pass) => Ok(()),
        (Step::RetireSide { .. }, Action::Aside { .. }) => Ok(()),
        (
            Step::Attach | Step::Charges | Step::BrigadeRides { .. } | Step::ArmyRides | Step::Shooting,
            Action::Pass,
        ) => Ok(()),
        _ => Err(None),
    }
}

fn own(field: &Field<'_>, c: CommanderId) -> Result<(), Option<No>> {
    if field.battle.officer(c).side == field.state.active {
        Ok(())
    } else {
        Err(Some(No::new(cite!("5.1.a"), "Only the active side's commanders attach and detach now.")))
    }
}

/// Is every piece named by the action one of this battle?
pub(crate) fn is_sane(battle: &Battle, action: &Action) -> bool {
    let unit = |u: &UnitId| u.i() < battle.units.len();
    let commander = |c: &CommanderId| c.i() < battle.officers.len();
    match action {
        Action::Attach { commander: c, unit: u } => commander(c) && unit(u),
        Action::Detach { commander: c, .. } | Action::Ride { commander: c, .. } => commander(c),
        Action::Charge { target, by } => unit(target) && by.iter().all(unit),
        Action::Activate { brigade } => brigade.i() < battle.brigades.len(),
        Action::Order { unit: u, .. } | Action::Pick { unit: u } => unit(u),
        Action::Shoot { unit: u, target } => unit(u) && unit(target),
        Action::BreakThrough { by } => by.iter().all(unit),
        Action::Pass | Action::Go { .. } | Action::Countercharge | Action::Reroll | Action::Aside { .. } => {
            true
        }
    }
}

pub(crate) fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
    if !is_sane(battle, action) {
        return Err(Refusal::off_turn("It names somebody who is not in this battle."));
    }
    fits(&Field::new(battle, state), action).map_err(|refused| match refused {
        Some(no) => Refusal::new(what(battle, action), no.to_string(), no.rule),
        None => Refusal::off_turn(NOT_NOW),
    })
}

/// What is not possible, named.
fn what(battle: &Battle, action: &Action) -> String {
    let name = |u: &UnitId| battle.unit(*u).name.clone();
    match action {
        Action::Order { unit, order } => {
            format!("{} cannot {} like this.", name(unit), order.marker().word())
        }
        Action::Charge { target, .. } => format!("No charge at {}.", name(target)),
        Action::Shoot { unit, target } => format!("{} cannot shoot at {}.", name(unit), name(target)),
        Action::Attach { commander, unit } => {
            format!("{} cannot join {}.", battle.officer(*commander).name, name(unit))
        }
        Action::Detach { commander, .. } | Action::Ride { commander, .. } => {
            format!("{} cannot go there.", battle.officer(*commander).name)
        }
        Action::Pick { unit } => format!("Not {}.", name(unit)),
        _ => "This is not possible.".to_owned(),
    }
}

/// Resolves the decision at hand; the action has been checked.
pub(crate) fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
    let Some(top) = state.agenda.top() else { return };
    match (top, action) {
        (Step::ChooseFirst { side }, Action::Go { first }) => {
            state.first = if *first { side } else { !side };
            sequence::tell_order(battle, state, fx);
            state.agenda.replace(Step::Turn);
        }
        (_, Action::Attach { commander, unit }) => commanders::attach(battle, state, *commander, *unit, fx),
        (_, Action::Detach { commander, to }) => commanders::detach(battle, state, *commander, *to, fx),
        (_, Action::Charge { target, by }) => charges::begin(battle, state, *target, by, fx),
        (_, Action::Activate { brigade }) => sequence::activate(battle, state, *brigade),
        (Step::Orders { brigade }, Action::Order { unit, order }) => {
            command::issue(battle, state, brigade, *unit, order, fx);
        }
        (_, Action::Ride { commander, to }) => {
            let fleeing = matches!(top, Step::Flee { .. });
            state.agenda.pop();
            let moved = state.commanders[commander.i()].moved;
            commanders::ride(battle, state, *commander, *to, fx);
            if fleeing {
                // A free move outside the sequence costs him nothing (12.1.a).
                state.commanders[commander.i()].moved = moved;
            }
        }
        (_, Action::Shoot { unit, target }) => shooting::shoot(battle, state, *unit, *target, fx),
        (Step::Charge(ChargeStep::Countercharge), yes) => {
            countercharge(battle, state, *yes == Action::Countercharge, fx);
        }
        (_, Action::Pick { unit }) => pick(battle, state, top, *unit, fx),
        (Step::Reroll { .. }, yes) => sequence::reroll(battle, state, *yes == Action::Reroll, fx),
        (Step::RetireSide { unit }, Action::Aside { left }) => {
            sequence::retire_unit(battle, state, unit, Some(*left), fx);
        }
        (Step::Melee(MeleeStep::Breakthrough), Action::BreakThrough { by }) => {
            break_through(battle, state, by, fx);
        }
        (Step::Melee(MeleeStep::Breakthrough), Action::Pass) => break_through(battle, state, &[], fx),
        (_, Action::Pass) => {
            state.agenda.pop();
        }
        _ => {}
    }
}

fn pick(battle: &Battle, state: &mut State, top: Step, unit: UnitId, fx: &mut impl Effects) {
    match top {
        Step::ShotTests => sequence::begin_shot_test(state, unit),
        Step::MeleePhase => sequence::fight(battle, state, unit, fx),
        Step::Charge(ChargeStep::Supports) => charges::supported_by(state, unit),
        Step::Charge(ChargeStep::WhoFires) => fires_first(state, unit),
        Step::Charge(ChargeStep::Odd { shooter }) => give_odd(state, shooter, unit),
        Step::Charge(ChargeStep::Tests) => begin_test(state, unit),
        Step::Melee(MeleeStep::Split) => {
            if let Some((by, _)) = melee::odd_dice(battle, state) {
                melee::place_odd_die(state, by, unit);
            }
        }
        Step::Melee(MeleeStep::Tests) => sequence::begin_melee_test(state, unit),
        Step::Melee(MeleeStep::Retires) => sequence::begin_retire(state, unit),
        _ => {}
    }
}

/// Who decides now.
pub(crate) fn decider(battle: &Battle, state: &State) -> Option<Side> {
    sequence::decider(battle, state)
}
