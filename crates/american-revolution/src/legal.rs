//! What may be done now: the offers and the check, both by the step at hand.

use game::{Refusal, Rule};

use crate::action::Action;
use crate::at::At;
use crate::rules::retreat::check_follow;
use crate::rules::sequence::Step;

/// Why something is barred: the rule, and what would have to be different. Small, so that offers cost nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bar {
    pub(crate) rule: Option<Rule>,
    pub(crate) why: &'static str,
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

    /// The refusal of an action that is written so.
    pub(crate) fn refusal(self, action: impl FnOnce() -> String) -> Refusal {
        match self.rule {
            Some(rule) => Refusal::new(format!("Not possible: {}.", action()), self.sentence(), rule),
            None => Refusal::off_turn(self.sentence()),
        }
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

/// A clause as a sentence.
fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    letters.next().map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
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
    pub(crate) fn check(self, action: &Action) -> Lawful {
        match (self.state.agenda.top(), self.state.ending) {
            (Some(step), None) => At::new(self.battle, &self.deciding(step)).check_at(step, action),
            _ => Err(Bar::other("the game is over")),
        }
    }

    fn check_at(self, step: Step, action: &Action) -> Lawful {
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
                None => Err(Bar::other("nothing is to be decided now")),
            },
        }
    }
}
