//! What may be done now: the offers, a rich and well-spread sample of what the rules allow, and the check that every
//! action passes, offered or not. The chapters decide.

use arrayvec::ArrayVec;
use game::{Allowed, No, Refusal, Rule};
use table::Spot;

use crate::action::Action;
use crate::at::At;
use crate::field::Field;
use crate::rules::charges::ChargeStep;
use crate::rules::command::maneuvers::Trail;
use crate::rules::melee::MeleeStep;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{CommanderId, MAX_UNITS, UnitId};
use crate::state::Flags;

/// Not under this rule, for this reason.
pub(crate) const fn no<T>(rule: Rule, why: &'static str) -> Allowed<T> {
    Err(No::new(rule, why))
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
            Step::Charge(ChargeStep::Countercharge) => out.extend([Action::Pass, Action::Countercharge]),
            Step::Melee(MeleeStep::Breakthrough) => field.offer_breakthroughs(out),
            Step::Reroll { .. } => out.extend([Action::Pass, Action::Reroll]),
            Step::RetireSide { .. } => {
                out.extend([Action::Aside { left: true }, Action::Aside { left: false }])
            }
            Step::Flee { commander } => field.offer_flights(commander, out),
            _ => {
                let choice = field.choice(top);
                out.extend(choice.into_iter().flat_map(|c| c.units).map(|unit| Action::Pick { unit }));
            }
        }
    }
}

/// The units of which a step asks for one.
struct Choice {
    units: ArrayVec<UnitId, MAX_UNITS>,
    rule: Rule,
    /// To whoever names another.
    why: &'static str,
}

impl Choice {
    fn new(units: impl IntoIterator<Item = UnitId>, rule: Rule) -> Self {
        Self { units: units.into_iter().collect(), rule, why: "Choose one of the units that are offered." }
    }
}

impl Field<'_> {
    pub(crate) fn offer_if_fit(&self, action: Action, out: &mut Vec<Action>) {
        if self.fits(&action).is_ok() && !out.contains(&action) {
            out.push(action);
        }
    }
}

const NOT_NOW: No = No::other("Another decision is at hand.");

impl At<'_> {
    pub(crate) fn check(self, action: &Action) -> Result<(), Refusal> {
        if !self.battle.knows(action) {
            return Err(Refusal::off_turn("It names a piece that is not in this battle."));
        }
        self.field().fits(action).map_err(|no| match no.rule() {
            Some(_) => no.refuses(self.battle.refused_action(action)),
            None => Refusal::off_turn(no.why()),
        })
    }
}

impl Field<'_> {
    /// The units of which the step at hand asks for one, if it does.
    fn choice(&self, top: Step) -> Option<Choice> {
        Some(match top {
            Step::ShotTests => Choice::new(self.shaky(), cite!("8.6.d")),
            Step::MeleePhase => Choice::new(self.unfought_melees(), cite!("9.a")),
            Step::Charge(ChargeStep::Supports) => Choice::new(self.rival_supports(), cite!("7.7.c")),
            Step::Charge(ChargeStep::WhoFires) => {
                let charge = self.state.charge.as_ref()?;
                let why = "The battery or the infantry beside it fires.";
                Choice {
                    why,
                    ..Choice::new([charge.target].into_iter().chain(charge.support), cite!("7.7.d"))
                }
            }
            Step::Charge(ChargeStep::Odd { shooter }) => {
                Choice::new(self.odd_takers(shooter), cite!("7.9.c"))
            }
            Step::Charge(ChargeStep::Tests) => Choice::new(self.tests_to_order(), cite!("7.6.c")),
            Step::Melee(MeleeStep::Split) => Choice::new(self.odd_dice()?.1, cite!("9.c")),
            Step::Melee(MeleeStep::Tests) => Choice::new(self.flagged(Flags::LOSER), cite!("9.3.b")),
            Step::Melee(MeleeStep::Retires) => Choice::new(self.retirers(), cite!("11.b")),
            _ => return None,
        })
    }

    /// Whether an action may be taken now: what `check` and the offers share.
    pub(crate) fn fits(&self, action: &Action) -> Allowed {
        let top = self.state.agenda.top().ok_or(NOT_NOW)?;
        match (top, action) {
            (Step::Attach, Action::Attach { commander, unit }) => {
                self.is_own_commander(*commander).and_then(|()| self.may_attach(*commander, *unit))
            }
            (Step::Attach, Action::Detach { commander, to }) => {
                self.is_own_commander(*commander).and_then(|()| self.may_detach(*commander, *to))
            }
            (Step::Charges, Action::Charge { target, by }) => self.declare(*target, by).map(|_| ()),
            (Step::Activate, Action::Activate { brigade }) => self.may_activate(*brigade),
            (Step::Orders { brigade }, Action::Order { unit, order }) => {
                self.plan(brigade, *unit, order, &mut Trail::new()).map(|_| ())
            }
            (
                Step::BrigadeRides { .. } | Step::ArmyRides | Step::Flee { .. },
                Action::Ride { commander, to },
            ) => self.may_ride_now(top, *commander, *to),
            (Step::Shooting, Action::Shoot { unit, target }) => self.shot(*unit, *target).map(|_| ()),
            (_, Action::Pick { unit }) => {
                let choice = self.choice(top).ok_or(NOT_NOW)?;
                if choice.units.contains(unit) { Ok(()) } else { no(choice.rule, choice.why) }
            }
            (Step::Melee(MeleeStep::Breakthrough), Action::BreakThrough { by }) => self.may_break_through(by),
            (
                Step::Attach
                | Step::Charges
                | Step::BrigadeRides { .. }
                | Step::ArmyRides
                | Step::Shooting
                | Step::Charge(ChargeStep::Countercharge)
                | Step::Melee(MeleeStep::Breakthrough)
                | Step::Reroll { .. },
                Action::Pass,
            )
            | (Step::ChooseFirst { .. }, Action::Go { .. })
            | (Step::Charge(ChargeStep::Countercharge), Action::Countercharge)
            | (Step::Reroll { .. }, Action::Reroll)
            | (Step::RetireSide { .. }, Action::Aside { .. }) => Ok(()),
            _ => Err(NOT_NOW),
        }
    }

    /// May this commander ride at a step at which one does?
    fn may_ride_now(&self, top: Step, c: CommanderId, to: Spot) -> Allowed {
        match top {
            Step::BrigadeRides { brigade } if c != self.battle.brigade(brigade).commander => {
                no(cite!("5.3.c"), "Only this brigade's commander moves now.")
            }
            Step::ArmyRides if self.battle.army_commander(self.state.active) != Some(c) => {
                no(cite!("5.3.e"), "Only the army commander moves now.")
            }
            Step::Flee { commander } if commander != c => {
                no(cite!("12.1.a"), "Another commander must ride off first.")
            }
            Step::Flee { .. } => self.may_flee(c, to),
            _ => self.may_ride(c, to),
        }
    }

    fn is_own_commander(&self, c: CommanderId) -> Allowed {
        if self.battle.officer(c).side == self.state.active {
            Ok(())
        } else {
            no(cite!("5.1.a"), "Only the active side's commanders attach and detach now.")
        }
    }
}

impl Battle {
    /// Is every piece named by the action one of this battle?
    fn knows(&self, action: &Action) -> bool {
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
    fn refused_action(&self, action: &Action) -> String {
        let name = |u: &UnitId| self.unit(*u).name.clone();
        match action {
            Action::Order { unit, order } => {
                format!("{} cannot {} like this.", name(unit), order.marker().word())
            }
            Action::Charge { target, .. } => format!("{} cannot be charged like this.", name(target)),
            Action::Shoot { unit, target } => format!("{} cannot shoot at {}.", name(unit), name(target)),
            Action::Attach { commander, unit } => {
                format!("{} cannot join {}.", self.officer(*commander).name, name(unit))
            }
            Action::Detach { commander, .. } | Action::Ride { commander, .. } => {
                format!("{} cannot go there.", self.officer(*commander).name)
            }
            Action::Pick { unit } => format!("{} cannot be chosen.", name(unit)),
            _ => "This is not possible.".to_owned(),
        }
    }
}
