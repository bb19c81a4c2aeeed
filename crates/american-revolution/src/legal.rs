//! What may be done now: the offers and the check, both by the step at hand.

use game::{Allowed, No, Rule};

use crate::action::Action;
use crate::at::At;
use crate::rules::retreat::check_follow;
use crate::rules::sequence::Step;

/// Not allowed under `rule`.
pub(crate) const fn no<T>(rule: Rule, why: &'static str) -> Allowed<T> {
    Err(No::new(rule, why))
}

impl At<'_> {
    /// The legal actions of the step at hand.
    pub(crate) fn offers(self, out: &mut Vec<Action>) {
        if let (Some(step), None) = (self.state.agenda.top(), self.state.ending) {
            At::new(self.battle, &self.deciding(step)).offers_of(step, out);
        }
    }

    fn offers_of(self, step: Step, out: &mut Vec<Action>) {
        match step {
            Step::Declare(side) => self.offer_declarations(side, out),
            Step::Arrivals => self.offer_arrivals(out),
            Step::Moving => self.offer_movement(out),
            Step::Overstack(side, hex) => out.extend(self.may_shed_here(side, hex).map(Action::Pick)),
            Step::Rallying => self.offer_rallies(out),
            Step::Gunfire => self.offer_bombardments(out),
            Step::Aiming { by, at, .. } => {
                out.extend(self.fire_targets(at, self.battle.firing_side(by)).map(Action::Target));
            }
            Step::Volley(side) => self.offer_volleys(side, out),
            Step::Designating => self.offer_attacks(out),
            Step::NextCombat => self.state.offer_combats(out),
            Step::Leading(side) => out.extend(self.leads(side).map(Action::Lead)),
            Step::Withdrawal => out.extend([Action::Done, Action::Withdraw]),
            Step::Withdrawing(side, _) => out.extend(self.to_withdraw(side).map(Action::Pick)),
            Step::SlippingAway(unit) => self.offer_withdrawals(unit, out),
            Step::Tactics(side) => self.offer_tactics(side, out),
            Step::Momentum(_) => out.extend([Action::Done, Action::Reroll]),
            Step::Captive(_, from) | Step::SecondLoss(_, from) | Step::Casualty(from) => {
                out.extend(from.map(Action::Pick));
            }
            Step::Checks(side) => out.extend(self.to_check(side).map(Action::Pick)),
            Step::Retreating { unit, hexes, .. } => self.offer_retreats(unit, hexes, out),
            Step::Following { leaders, .. } => {
                out.extend(leaders.map(Action::Follow).chain([Action::Done]));
            }
            Step::Grape => out.extend(self.grape_marks().map(Action::Target).chain([Action::Done])),
            Step::Toll(_) => out.extend(self.state.toll().map(Action::Pick)),
            Step::Advancing => self.offer_advances(out),
            Step::Straggling => out.extend(self.state.straggling().map(Action::Pick)),
            _ => {}
        }
    }

    /// Decides any action against the step at hand.
    pub(crate) fn check(self, action: &Action) -> Allowed {
        match (self.state.agenda.top(), self.state.ending) {
            (Some(step), None) => At::new(self.battle, &self.deciding(step)).check_at(step, action),
            _ => Err(No::other("the game is over")),
        }
    }

    fn check_at(self, step: Step, action: &Action) -> Allowed {
        match step {
            Step::Declare(side) => self.check_declaration(side, action),
            Step::Arrivals => self.check_arrivals(action),
            Step::Moving => self.check_movement(action),
            Step::Overstack(side, hex) => self.check_overstack(side, hex, action),
            Step::Rallying => self.check_rally(action),
            Step::Gunfire => self.check_bombardment(action),
            Step::Aiming { by, at, rifles } => self.check_target(by, at, rifles, action),
            Step::Volley(side) => self.check_volley(side, action),
            Step::Designating => self.check_designation(action),
            Step::NextCombat => self.state.check_next_combat(action),
            Step::Leading(side) => self.check_lead(side, action),
            Step::Withdrawal => self.check_withdrawal_before_combat(action),
            Step::SlippingAway(unit) => self.check_withdrawal(unit, action),
            Step::Tactics(side) => self.check_tactic(side, action),
            Step::Momentum(side) => self.state.check_reroll(side, action),
            Step::Retreating { unit, hexes, .. } => self.check_retreat(unit, hexes, action),
            Step::Following { leaders, .. } => check_follow(leaders, action),
            Step::Grape => self.check_grape(action),
            Step::Advancing => self.check_advance(action),
            _ => match self.pick(step) {
                Some(pick) => pick.check(action),
                None => Err(No::other("nothing is to be decided now")),
            },
        }
    }
}
