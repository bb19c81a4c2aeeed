//! What may be done now: the offers, and the check of any action, by the same predicates of the chapters.

use game::{Allowed, No, Refusal, Rule, Side};

use crate::action::Action;
use crate::at::At;
use crate::facts::sequence_name;
use crate::rules::sequence::Step;

impl At<'_> {
    /// The legal actions; on a table a rich sample of the moves.
    pub(crate) fn offers(self, out: &mut Vec<Action>) {
        if self.state.over.is_some() {
            return;
        }
        let (Some(step), Some(side)) = (self.state.agenda.top(), self.decides()) else { return };
        match step {
            Step::Orders { .. } => self.offer_orders(side, out),
            Step::Reactions => self.offer_reaction_tests(side, out),
            Step::Leads { .. } => self.offer_leads_before_morale(side, out),
            Step::Sight { .. } => self.offer_looks(side, out),
            Step::Charges => {
                self.offer_charges(side, out);
                self.offer_leads(side, out);
            }
            Step::React { target } => self.offer_reactions(usize::from(target), out),
            Step::Support => self.offer_support(out),
            Step::Moves => {
                self.offer_all_moves(side, out);
                self.offer_leads(side, out);
            }
            Step::Interrupt => self.offer_interruptions(side, out),
            Step::Declare { moving, .. } => self.offer_fire(side, moving, out),
            Step::Melees => out.extend(self.state.melees_to_fight().into_iter().map(Action::Fight)),
            Step::Split { body } => self.offer_splits(body, out),
            Step::AfterTest { body } => self.offer_after_test(body, out),
            Step::PursuitChoice { .. } => out.extend([Action::Pursue, Action::Hold]),
            Step::Reform { body } => self.offer_reforms(body, out),
            Step::Recover { .. } => self.offer_recoveries(side, out),
            _ => {}
        }
        if step.may_be_passed() {
            out.push(Action::Pass);
        }
        if step == Step::Interrupt {
            out.push(Action::Wave);
        }
    }

    /// Decides any action.
    pub(crate) fn check(self, action: &Action) -> Result<(), Refusal> {
        let (Some(step), Some(side)) = (self.state.agenda.top(), self.decides()) else {
            return Err(Refusal::off_turn("Nothing is to be decided now."));
        };
        if self.state.over.is_some() {
            return Err(Refusal::off_turn("The battle is over."));
        }
        match self.judge(step, side, action) {
            Some(Ok(())) => Ok(()),
            Some(Err(no)) => Err(no.refuses("Not allowed.")),
            None => Err(Refusal::off_turn(format!("The decision is: {}.", sequence_name(step)))),
        }
    }

    /// None: another decision is at hand.
    fn judge(self, step: Step, side: Side, action: &Action) -> Option<Allowed> {
        Some(match (step, action) {
            (
                Step::Reactions | Step::Charges | Step::Moves | Step::Leads { .. },
                Action::Lead { leader, lead },
            ) => self.may_lead(side, *leader, *lead),
            (Step::Orders { .. }, Action::Order { leader, order, marker }) => {
                self.may_order(side, *leader, *order, *marker)
            }
            (_, Action::Pass) if step.may_be_passed() => Ok(()),
            (Step::Interrupt, Action::Wave) | (Step::AfterTest { .. }, Action::Stay) => Ok(()),
            (Step::Reactions, Action::Pass) => self.may_end_reactions(side),
            (Step::Reactions, Action::Test(id)) => self.may_test_reaction(side, *id),
            (Step::Reactions, Action::Blow(id)) => self.may_blow_gate(side, *id),
            (Step::Sight { .. }, Action::Spot { by, at }) => self.check_look(side, *by, *at),
            (Step::Charges, Action::Charge(lines)) => self.check_charge(side, lines),
            (Step::React { target }, Action::React { reaction, fires_at }) => {
                self.check_reaction_at(usize::from(target), *reaction, *fires_at)
            }
            (Step::Support, Action::Support { by, at }) => self.may_support(*by, *at),
            (Step::Moves, Action::Move { unit, legs }) => self.check_move(side, *unit, legs),
            (Step::Moves, Action::Leave(unit)) => self.may_leave(*unit),
            (Step::Interrupt, Action::Snap { by, stands }) => self.check_snap(side, *by, *stands),
            (Step::Interrupt, Action::Dash(line)) => self.may_dash(line),
            (Step::Declare { moving, .. }, Action::Fire(volley)) => self.check_volley(volley, side, moving),
            (Step::Melees, Action::Fight(of)) => self.state.may_fight(*of),
            (Step::Split { body }, Action::Split(shares)) => self.check_shares(body, shares),
            (Step::AfterTest { body }, Action::Turn) => self.check_turn(body),
            (Step::AfterTest { body }, Action::Withdraw) => self.state.check_withdrawal(body),
            (Step::PursuitChoice { by, total, .. }, Action::Pursue | Action::Hold) => {
                self.check_pursuit_choice(by, i16::from(total), *action == Action::Pursue)
            }
            (Step::Reform { body }, Action::Reform { formation, files }) => {
                self.may_reform(body, *formation, *files)
            }
            (Step::Recover { .. }, Action::Recover(id)) => self.check_recovery(*id),
            _ => return None,
        })
    }
}

/// Refused under `rule` unless it is allowed.
pub(crate) fn require(allowed: bool, rule: Rule, why: &'static str) -> Allowed {
    if allowed { Ok(()) } else { Err(No::new(rule, why)) }
}
