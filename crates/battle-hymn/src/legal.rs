//! What may be done now: every offer, and whether an order that was never offered may be given. Both ask the chapters.

use game::{Allowed, No, Refusal, Side};
use hexmap::Hex;

use crate::action::Action;
use crate::at::At;
use crate::state::{Id, Step};

impl At<'_> {
    pub(crate) fn offers(self, out: &mut Vec<Action>) {
        if self.state.outcome.is_some() {
            return;
        }
        let Some(step) = self.state.agenda.top() else { return };
        match step {
            Step::Draw => out.extend([Action::Combat, Action::Wait]),
            Step::March => self.offer_movement(out),
            Step::Place(unit) => {
                out.extend(self.placements(unit).iter().map(|at| Action::Place { unit, at }))
            }
            Step::CavalryRetreat => {
                out.extend(self.cavalry_retreats().map(|unit| Action::Withdraw { unit }));
                out.push(Action::Pass);
            }
            Step::Bombard => self.offer_bombardments(out),
            Step::Withdraw => {
                out.extend(self.withdrawals().map(|unit| Action::Withdraw { unit }));
                out.push(Action::Pass);
            }
            Step::Engage => self.offer_engagements(out),
            Step::Options => self.offer_attacks(out),
            Step::Split(fire) => self.offer_splits(fire, out),
            Step::Checks(_, side) => {
                out.extend(self.hit_units(side).into_iter().map(|unit| Action::Check { unit }))
            }
            Step::Advance => self.offer_advances(out),
            Step::FallBack | Step::Sweep => self.offer_falling_back(out),
            Step::Retreat(retreat) => {
                let Some((_, choices)) = self.retreat_choices(&retreat) else { return };
                out.extend(choices.hexes.into_iter().map(|to| Action::Retreat { unit: retreat.unit, to }));
                if choices.off {
                    out.push(Action::RetreatOff { unit: retreat.unit });
                }
            }
            Step::Hour | Step::Approach | Step::Aim | Step::Fire(..) | Step::NextRound | Step::TimePasses => {
            }
        }
    }

    /// Decides any order.
    pub(crate) fn check(self, action: &Action) -> Result<(), Refusal> {
        if self.state.outcome.is_some() {
            return Err(Refusal::off_turn("The battle is over."));
        }
        let Some(step) = self.state.agenda.top() else {
            return Err(Refusal::off_turn("Nothing is to be decided."));
        };
        match *action {
            Action::March { unit, .. }
            | Action::Mount { unit }
            | Action::Dismount { unit, .. }
            | Action::Enter { unit, .. }
            | Action::Exit { unit, .. }
            | Action::Rally { unit } => {
                self.check_turn(step, unit)?;
                self.check_movement(unit, action)
            }
            Action::Place { unit, .. } if step != Step::Place(unit) => {
                self.check_turn(step, unit)?;
                self.check_at(step, action).map_err(|no| no.refuses(self.refused(action)))
            }
            Action::Split { unit, shares } => match step {
                Step::Split(fire) => self.check_split(fire, unit, &shares),
                _ => Err(Refusal::off_turn("Another decision is at hand.")),
            },
            _ => self.check_at(step, action).map_err(|no| match no.rule() {
                Some(_) => no.refuses(self.refused(action)),
                None => Refusal::off_turn(no.why()),
            }),
        }
    }

    /// An answer to what the step asks.
    fn check_at(self, step: Step, action: &Action) -> Allowed {
        let attacker = self.state.attacking_side();
        match (step, *action) {
            (Step::Draw, Action::Combat | Action::Wait) => Ok(()),
            (_, Action::Combat) => {
                let why =
                    "The Initiative side announces it before a marker is drawn, while it holds its own.";
                Err(No::new(cite!("3.9.d"), why))
            }
            (Step::March, Action::Done) => self.check_done(),
            (Step::Place(waiting), Action::Place { unit, at }) if waiting == unit => {
                self.check_place(unit, at)
            }
            (_, Action::Place { unit, at }) => {
                self.check_unmoved(unit)?;
                self.check_place(unit, at)
            }
            (Step::CavalryRetreat, Action::Withdraw { unit }) => {
                self.check_side(unit, attacker.enemy())?;
                self.check_cavalry_retreat(unit)
            }
            (Step::Withdraw, Action::Withdraw { unit }) => {
                self.check_side(unit, attacker)?;
                self.check_withdrawal(unit)
            }
            (Step::Bombard, Action::Bombard { unit, at }) => {
                self.check_side(unit, attacker)?;
                self.check_bombardment(unit, at)
            }
            (Step::Engage, Action::Engage { unit }) => self.check_engage(unit),
            (Step::Engage | Step::Options, Action::Attack { unit, at }) => self.check_attack(unit, at),
            (Step::Engage, Action::Pass) => self.check_pass_over(),
            (Step::FallBack | Step::Sweep, Action::FallBack { unit }) => self.check_fall_back(unit),
            (Step::FallBack | Step::Sweep, Action::Pass) => self.check_stay(step),
            (Step::Checks(_, side), Action::Check { unit }) => self.check_order(side, unit),
            (Step::Retreat(_), Action::Retreat { unit, to }) => self.check_retreat(unit, Some(to)),
            (Step::Retreat(_), Action::RetreatOff { unit }) => self.check_retreat(unit, None),
            (Step::Advance, Action::Advance { unit, to }) => {
                self.check_side(unit, attacker)?;
                self.check_named_advance(unit, to)
            }
            (Step::Advance, Action::AdvanceInto { to }) => self.check_advance_into(to),
            (
                Step::CavalryRetreat | Step::Bombard | Step::Withdraw | Step::Options | Step::Advance,
                Action::Pass,
            ) => Ok(()),
            _ => Err(No::other("Another decision is at hand.")),
        }
    }

    fn check_side(self, unit: Id, side: Side) -> Allowed {
        match self.side(unit) == side {
            true => Ok(()),
            false => Err(No::new(cite!("6.c"), "Only the other side may do this now.")),
        }
    }

    /// What is refused, in words.
    pub(crate) fn refused(self, action: &Action) -> String {
        let hex = |hex: Hex| self.ground().name(hex);
        let (unit, what) = match *action {
            Action::Combat | Action::Wait => return "There is no Combat Turn now.".into(),
            Action::Done => return "The Movement Turn is not over.".into(),
            Action::Pass => return "This may not be passed over.".into(),
            Action::AdvanceInto { to } => return format!("Nobody is drawn to advance to {}.", hex(to)),
            Action::March { unit, to, .. } => (unit, format!("march to {}", hex(to))),
            Action::Mount { unit } => (unit, "mount".into()),
            Action::Dismount { unit, horses } => {
                (unit, format!("dismount with its horses in {}", hex(horses)))
            }
            Action::Enter { unit, at: None } => (unit, "enter beside its Area".into()),
            Action::Enter { unit, at: Some(at) } => (unit, format!("enter at {}", hex(at))),
            Action::Exit { unit, by } => (unit, format!("leave the map at {}", hex(by))),
            Action::Rally { unit } => (unit, "rally".into()),
            Action::Place { unit, at } => (unit, format!("be placed in {}", hex(at))),
            Action::Withdraw { unit } => (unit, "withdraw before combat".into()),
            Action::Bombard { unit, at } => (unit, format!("bombard {}", self.name(at))),
            Action::Split { unit, .. } => (unit, "divide its fire like this".into()),
            Action::Engage { unit } => (unit, "be engaged now".into()),
            Action::Attack { unit, at } => (unit, format!("attack {} by choice", self.name(at))),
            Action::Check { unit } => (unit, "check morale now".into()),
            Action::Retreat { unit, to } => (unit, format!("fall back to {}", hex(to))),
            Action::RetreatOff { unit } => (unit, "leave the map".into()),
            Action::Advance { unit, to } => (unit, format!("advance to {}", hex(to))),
            Action::FallBack { unit } => (unit, "fall back".into()),
        };
        format!("{} may not {what}.", self.name(unit))
    }
}
