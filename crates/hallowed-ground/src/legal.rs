//! What may be done now: the offers, a rich and well-spread sample of what the rules allow, and the check that every
//! action passes, offered or not. The chapters decide.

use std::fmt;

use game::{Refusal, Rule};

use crate::action::Action;
use crate::at::At;
use crate::field::Field;
use crate::notation::decimal;
use crate::rules::charges::ChargeStep;
use crate::rules::command::maneuvers::Trail;
use crate::rules::melee::MeleeStep;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{CommanderId, UnitId};
use crate::state::Flags;

/// Why something is not allowed: the rule and one sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct No {
    pub rule: Rule,
    pub why: &'static str,
    /// The length that was asked for and the longest that is allowed, in thousandths of an inch.
    pub lengths: Option<(i32, i32)>,
}

impl No {
    pub(crate) const fn new(rule: Rule, why: &'static str) -> Self {
        Self { rule, why, lengths: None }
    }
}

impl fmt::Display for No {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)?;
        match self.lengths {
            Some((asked, most)) => {
                write!(f, " ({} in asked for, {} in allowed)", decimal(asked), decimal(most))
            }
            None => Ok(()),
        }
    }
}

/// It fits the rules, or not.
pub(crate) type Fits<T = ()> = Result<T, No>;

pub(crate) const fn no<T>(rule: Rule, why: &'static str) -> Fits<T> {
    Err(No::new(rule, why))
}

/// Too long, by so much.
pub(crate) const fn too_long<T>(rule: Rule, why: &'static str, asked: i32, most: i32) -> Fits<T> {
    Err(No { rule, why, lengths: Some((asked, most)) })
}

impl At<'_> {
    pub(crate) fn offers(self, out: &mut Vec<Action>) {
        if self.state.outcome.is_some() {
            return;
        }
        let field = self.field();
        let Some(top) = self.state.agenda.top() else { return };
        match top {
            Step::ChooseFirst { .. } => out.extend([Action::Go { first: true }, Action::Go { first: false }]),
            Step::Attach => field.offer_attachments(out),
            Step::Charges => field.offer_charges(out),
            Step::Activate => {
                out.extend(self.to_activate().into_iter().map(|brigade| Action::Activate { brigade }));
            }
            Step::Orders { brigade } => field.offer_orders(brigade, out),
            Step::BrigadeRides { brigade } => {
                out.push(Action::Pass);
                field.offer_rides(self.battle.brigade(brigade).commander, out);
            }
            Step::ArmyRides => {
                out.push(Action::Pass);
                if let Some(c) = self.battle.army_commander(self.state.active) {
                    field.offer_rides(c, out);
                }
            }
            Step::Shooting => field.offer_shots(out),
            Step::ShotTests => picks(&self.shaky(), out),
            Step::MeleePhase => picks(&self.unfought_melees(), out),
            Step::Charge(ChargeStep::Countercharge) => out.extend([Action::Pass, Action::Countercharge]),
            Step::Charge(ChargeStep::Supports) => picks(&field.rival_supports(), out),
            Step::Charge(ChargeStep::WhoFires) => {
                if let Some(charge) = &self.state.charge {
                    out.push(Action::Pick { unit: charge.target });
                    out.extend(charge.support.map(|unit| Action::Pick { unit }));
                }
            }
            Step::Charge(ChargeStep::Odd { shooter }) => picks(&field.odd_takers(shooter), out),
            Step::Charge(ChargeStep::Tests) => picks(&self.tests_to_order(), out),
            Step::Melee(MeleeStep::Split) => {
                if let Some((_, foes)) = self.odd_dice() {
                    picks(&foes, out);
                }
            }
            Step::Melee(MeleeStep::Tests) => picks(&self.flagged(Flags::LOSER), out),
            Step::Melee(MeleeStep::Retires) => picks(&self.retirers(), out),
            Step::Melee(MeleeStep::Breakthrough) => field.offer_breakthroughs(out),
            Step::Reroll { .. } => out.extend([Action::Pass, Action::Reroll]),
            Step::RetireSide { .. } => {
                out.extend([Action::Aside { left: true }, Action::Aside { left: false }])
            }
            Step::Flee { commander } => field.offer_flights(commander, out),
            _ => {}
        }
    }
}

pub(crate) fn picks(units: &[UnitId], out: &mut Vec<Action>) {
    out.extend(units.iter().map(|unit| Action::Pick { unit: *unit }));
}

impl Field<'_> {
    pub(crate) fn offer_if_fit(&self, action: Action, out: &mut Vec<Action>) {
        if self.fits(&action).is_ok() && !out.contains(&action) {
            out.push(action);
        }
    }
}

pub(crate) const NOT_NOW: &str = "Another decision is at hand.";

impl At<'_> {
    pub(crate) fn check(self, action: &Action) -> Result<(), Refusal> {
        if !self.battle.knows(action) {
            return Err(Refusal::off_turn("It names somebody who is not in this battle."));
        }
        self.field().fits(action).map_err(|refused| match refused {
            Some(no) => Refusal::new(self.battle.refused_action(action), no.to_string(), no.rule),
            None => Refusal::off_turn(NOT_NOW),
        })
    }
}

impl Field<'_> {
    /// Whether an action may be taken now: what `check` and the offers share.
    pub(crate) fn fits(&self, action: &Action) -> Result<(), Option<No>> {
        let (battle, state) = (self.battle, self.state);
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
                self.is_own_commander(*commander)?;
                some(self.may_attach(*commander, *unit))
            }
            (Step::Attach, Action::Detach { commander, to }) => {
                self.is_own_commander(*commander)?;
                some(self.may_detach(*commander, *to))
            }
            (Step::Charges, Action::Charge { target, by }) => some(self.declare(*target, by).map(|_| ())),
            (Step::Activate, Action::Activate { brigade }) => {
                let free = self.to_activate().contains(brigade);
                some(if free {
                    Ok(())
                } else {
                    no(cite!("5.3.a"), "Pick an own brigade not yet activated this turn.")
                })
            }
            (Step::Orders { brigade }, Action::Order { unit, order }) => {
                some(self.plan(brigade, *unit, order, &mut Trail::new()).map(|_| ()))
            }
            (Step::BrigadeRides { brigade }, Action::Ride { commander, to }) => {
                if *commander != battle.brigade(brigade).commander {
                    return Err(Some(No::new(cite!("5.3.c"), "Only this brigade's commander moves now.")));
                }
                some(self.may_ride(*commander, *to))
            }
            (Step::ArmyRides, Action::Ride { commander, to }) => {
                if battle.army_commander(state.active) != Some(*commander) {
                    return Err(Some(No::new(cite!("5.3.e"), "Only the army commander moves now.")));
                }
                some(self.may_ride(*commander, *to))
            }
            (Step::Flee { commander }, Action::Ride { commander: c, to }) => {
                if commander != *c {
                    return Err(Some(No::new(cite!("12.1.a"), "Another commander must ride off first.")));
                }
                some(self.may_flee(*c, *to))
            }
            (Step::Shooting, Action::Shoot { unit, target }) => some(self.shot(*unit, *target).map(|_| ())),
            (Step::ShotTests, Action::Pick { unit }) => among(&self.shaky(), *unit, cite!("8.6.d")),
            (Step::MeleePhase, Action::Pick { unit }) => among(&self.unfought_melees(), *unit, cite!("9.a")),
            (Step::Charge(ChargeStep::Countercharge), Action::Countercharge | Action::Pass) => Ok(()),
            (Step::Charge(ChargeStep::Supports), Action::Pick { unit }) => {
                among(&self.rival_supports(), *unit, cite!("7.7.c"))
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
                among(&self.odd_takers(shooter), *unit, cite!("7.9.c"))
            }
            (Step::Charge(ChargeStep::Tests), Action::Pick { unit }) => {
                among(&self.tests_to_order(), *unit, cite!("7.6.c"))
            }
            (Step::Melee(MeleeStep::Split), Action::Pick { unit }) => {
                let (_, foes) = self.odd_dice().ok_or(None)?;
                among(&foes, *unit, cite!("9.c"))
            }
            (Step::Melee(MeleeStep::Tests), Action::Pick { unit }) => {
                among(&self.flagged(Flags::LOSER), *unit, cite!("9.3.b"))
            }
            (Step::Melee(MeleeStep::Retires), Action::Pick { unit }) => {
                among(&self.retirers(), *unit, cite!("11.b"))
            }
            (Step::Melee(MeleeStep::Breakthrough), Action::Pass) => Ok(()),
            (Step::Melee(MeleeStep::Breakthrough), Action::BreakThrough { by }) => {
                some(self.may_break_through(by))?;
                some(match self.breakthrough_lines(by) {
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

    pub(crate) fn is_own_commander(&self, c: CommanderId) -> Result<(), Option<No>> {
        if self.battle.officer(c).side == self.state.active {
            Ok(())
        } else {
            Err(Some(No::new(cite!("5.1.a"), "Only the active side's commanders attach and detach now.")))
        }
    }
}

impl Battle {
    /// Is every piece named by the action one of this battle?
    pub(crate) fn knows(&self, action: &Action) -> bool {
        let unit = |u: &UnitId| u.i() < self.units.len();
        let commander = |c: &CommanderId| c.i() < self.officers.len();
        match action {
            Action::Attach { commander: c, unit: u } => commander(c) && unit(u),
            Action::Detach { commander: c, .. } | Action::Ride { commander: c, .. } => commander(c),
            Action::Charge { target, by } => unit(target) && by.iter().all(unit),
            Action::Activate { brigade } => brigade.i() < self.brigades.len(),
            Action::Order { unit: u, .. } | Action::Pick { unit: u } => unit(u),
            Action::Shoot { unit: u, target } => unit(u) && unit(target),
            Action::BreakThrough { by } => by.iter().all(unit),
            Action::Pass
            | Action::Go { .. }
            | Action::Countercharge
            | Action::Reroll
            | Action::Aside { .. } => true,
        }
    }

    /// What is not possible, named.
    pub(crate) fn refused_action(&self, action: &Action) -> String {
        let name = |u: &UnitId| self.unit(*u).name.clone();
        match action {
            Action::Order { unit, order } => {
                format!("{} cannot {} like this.", name(unit), order.marker().word())
            }
            Action::Charge { target, .. } => format!("No charge at {}.", name(target)),
            Action::Shoot { unit, target } => format!("{} cannot shoot at {}.", name(unit), name(target)),
            Action::Attach { commander, unit } => {
                format!("{} cannot join {}.", self.officer(*commander).name, name(unit))
            }
            Action::Detach { commander, .. } | Action::Ride { commander, .. } => {
                format!("{} cannot go there.", self.officer(*commander).name)
            }
            Action::Pick { unit } => format!("Not {}.", name(unit)),
            _ => "This is not possible.".to_owned(),
        }
    }
}
