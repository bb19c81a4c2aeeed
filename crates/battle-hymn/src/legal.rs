//! What may be done now: every offer, and whether an order that was never offered may be given. Both ask the chapters.

use game::{Refusal, Rule, Side};
use hexmap::Hex;

use crate::action::Action;
use crate::at::At;
use crate::rules::restrictions::must_return;
use crate::setup::battle::Battle;
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
    ///
    /// # Errors
    /// The refusal names the rule.
    pub(crate) fn check(self, action: &Action) -> Result<(), Refusal> {
        if self.state.outcome.is_some() {
            return Err(Refusal::off_turn("The battle is over."));
        }
        let Some(step) = self.state.agenda.top() else {
            return Err(Refusal::off_turn("Nothing is to be decided."));
        };
        match (step, *action) {
            (Step::Draw, Action::Combat | Action::Wait) => Ok(()),
            (_, Action::Combat) => {
                let why =
                    "The Initiative side announces it before a marker is drawn, while it holds its own.";
                Err(Refusal::new("Not a Combat Turn now.", why, cite!("3.9.d")))
            }
            (Step::March, Action::Done) if self.state.must_march_on() => Err(Refusal::new(
                "The Turn cannot end here.",
                "A unit stands in a friend's hex and must march on.",
                cite!("3.7.c"),
            )),
            (Step::March, Action::Done) => match self.strayed() {
                Some(unit) => Err(must_return("The Movement Turn is not over.".into(), self.battle, unit)),
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
                self.check_turn(step, unit)?;
                self.check_movement(action)
            }
            (Step::Place(waiting), Action::Place { unit, at }) if waiting == unit => {
                self.check_placing(unit, at)
            }
            (_, Action::Place { unit, at }) => {
                self.check_turn(step, unit)?;
                self.check_unmoved(unit)?;
                self.check_placing(unit, at)
            }
            (Step::CavalryRetreat, Action::Withdraw { unit }) => {
                check_side(self.battle, unit, self.state.attacking_side().enemy(), cite!("6.c"))?;
                self.check_cavalry_retreat(unit)
                    .map_err(|b| b.refusal(format!("{} may not withdraw before combat.", self.name(unit))))
            }
            (Step::Withdraw, Action::Withdraw { unit }) => {
                check_side(self.battle, unit, self.state.attacking_side(), cite!("6.c"))?;
                self.check_withdrawal(unit)
                    .map_err(|b| b.refusal(format!("{} may not withdraw before combat.", self.name(unit))))
            }
            (Step::Bombard, Action::Bombard { unit, at }) => {
                check_side(self.battle, unit, self.state.attacking_side(), cite!("6.c"))?;
                let what = || format!("{} may not bombard {}.", self.name(unit), self.name(at));
                self.check_bombardment(unit, at).map_err(|b| b.refusal(what()))
            }
            (Step::Split(fire), Action::Split { unit, targets, shares }) => {
                self.check_split(fire, unit, &targets, &shares)
            }
            (Step::Engage, Action::Engage { unit }) => self.check_engage(unit),
            (Step::Engage | Step::Options, Action::Attack { unit, at }) => self.check_attack(unit, at),
            (Step::Engage, Action::Pass) => self.check_pass_over(),
            (Step::FallBack | Step::Sweep, Action::FallBack { unit }) => self.check_fall_back(unit),
            (Step::FallBack | Step::Sweep, Action::Pass) if !self.must_fall_back().is_empty() => {
                let why = "Attackers in a defender's zone of control that have not advanced must fall back.";
                let rule = if step == Step::Sweep { cite!("6.1.d") } else { cite!("6.1.8.b") };
                Err(Refusal::new("A unit must still fall back.", why, rule))
            }
            (Step::Checks(_, side), Action::Check { unit }) => self.check_order(side, unit),
            (Step::Retreat(_), Action::Retreat { unit, to }) => self.check_retreat(unit, Some(to)),
            (Step::Retreat(_), Action::RetreatOff { unit }) => self.check_retreat(unit, None),
            (Step::Advance, Action::Advance { unit, to }) => {
                check_side(self.battle, unit, self.state.attacking_side(), cite!("6.c"))?;
                let what = || format!("{} may not advance to {}.", self.name(unit), self.ground().name(to));
                self.check_advance(unit, to).map_err(|b| b.refusal(what()))?;
                match self.left_to_chance(to) {
                    true => Err(Refusal::new(
                        "Chance picks the unit.",
                        "Several could advance there, and At Random is on.",
                        cite!("3.1.f"),
                    )),
                    false => Ok(()),
                }
            }
            (Step::Advance, Action::AdvanceInto { to }) => self.check_advance_into(to),
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

    fn check_placing(self, unit: Id, at: Hex) -> Result<(), Refusal> {
        let what = || format!("{} may not be placed in {}.", self.name(unit), self.ground().name(at));
        self.check_place(unit, at).map_err(|b| b.refusal(what()))
    }
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
