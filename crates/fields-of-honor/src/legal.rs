//! What may be decided: the offers, and the check of any action, by the same predicates.

use game::{Refusal, Side};

use crate::action::Action;
use crate::at::At;
use crate::cite;
use crate::facts::sequence_name;
use crate::rules::fire::No;
use crate::rules::sequence::Step;

impl At<'_> {
    /// The legal actions; on a table a rich sample of the moves.
    pub(crate) fn offers(self, out: &mut Vec<Action>) {
        if self.state.over.is_some() {
            return;
        }
        let (Some(step), Some(side)) = (self.state.agenda.top(), self.decides()) else { return };
        match step {
            Step::Orders { .. } => {
                let mut found = Vec::new();
                self.find_orders(side, &mut found);
                out.extend(found.into_iter().map(|(leader, order, marker)| Action::Order {
                    leader,
                    order,
                    marker,
                }));
                out.push(Action::Pass);
            }
            Step::Reactions => {
                out.extend(self.reactors(side).map(Action::Test));
                let before = out.len();
                out.extend(self.miners(side).map(Action::Blow));
                if before == 0 || out.len() > before {
                    out.push(Action::Pass);
                }
                let mut found = Vec::new();
                self.before_reaction(side, &mut found);
                out.extend(found.into_iter().map(|(leader, lead)| Action::Lead { leader, lead }));
            }
            Step::Leads { .. } => {
                let mut found = Vec::new();
                self.before_morale(side, &mut found);
                out.extend(found.into_iter().map(|(leader, lead)| Action::Lead { leader, lead }));
                out.push(Action::Pass);
            }
            Step::Sight { .. } => {
                // From left to right, so that the order does not tell who is who.
                for at in self.markers(side.enemy()) {
                    let place = self.state.body(at).pose.at;
                    let able = self.state.on_table().filter(|(by, _)| self.may_spot(side, *by, at).is_ok());
                    out.extend(able.map(|(by, _)| Action::Spot { by, at: place }));
                }
                out.push(Action::Pass);
            }
            Step::Charges => {
                self.offer_charges(side, out);
                self.offer_leads(side, out);
                out.push(Action::Pass);
            }
            Step::React { target } => self.offer_reactions(usize::from(target), out),
            Step::Support => {
                out.extend(self.fire_supporters().map(|(by, at)| Action::Support { by, at }));
                out.push(Action::Pass);
            }
            Step::Moves => {
                let here = self.footprints();
                for (id, body) in self.state.on_table() {
                    if self.battle.side(body) == side && self.can_be_moved(id) {
                        self.offer_moves(&here, id, out);
                        if self.may_leave(id).is_ok() {
                            out.push(Action::Leave(id));
                        }
                    }
                }
                self.offer_leads(side, out);
                out.push(Action::Pass);
            }
            Step::Interrupt => {
                let mut found = Vec::new();
                for (by, body) in self.state.on_table() {
                    if self.battle.side(body) != side {
                        continue;
                    }
                    out.extend(self.can_snap(by).map(|stands| Action::Snap { by, stands }));
                    self.dashes(by, &mut found);
                }
                out.extend(found.into_iter().map(Action::Dash));
                out.push(Action::Pass);
                out.push(Action::Wave);
            }
            Step::Declare { moving, .. } => {
                let mut found = Vec::new();
                self.find_volleys(side, moving, usize::MAX, &mut found);
                out.extend(found.into_iter().map(Action::Fire));
                out.push(Action::Pass);
            }
            Step::Melees => out.extend(self.state.melees_to_fight().into_iter().map(Action::Fight)),
            Step::Split { body } => self.offer_splits(body, out),
            Step::AfterTest { body } => {
                out.push(Action::Stay);
                if self.may_turn(body) {
                    out.push(Action::Turn);
                }
                if self.state.may_withdraw(body) {
                    out.push(Action::Withdraw);
                }
            }
            Step::PursuitChoice { .. } => out.extend([Action::Pursue, Action::Hold]),
            Step::Reform { body } => {
                let mut found = Vec::new();
                self.reforms(body, &mut found);
                for shape in found {
                    let action = Action::Reform { formation: shape.formation, files: shape.files };
                    if !out.contains(&action) {
                        out.push(action);
                    }
                }
            }
            Step::Recover { .. } => {
                let able = self
                    .state
                    .on_table()
                    .filter(|(id, b)| self.battle.side(b) == side && self.may_recover(*id));
                out.extend(able.map(|(id, _)| Action::Recover(id)));
                out.push(Action::Pass);
            }
            _ => {}
        }
    }

    fn offer_leads(self, side: Side, out: &mut Vec<Action>) {
        let mut found = Vec::new();
        self.find_leads(side, &mut found);
        out.extend(found.into_iter().map(|(leader, lead)| Action::Lead { leader, lead }));
    }
}

impl At<'_> {
    /// Decides any action.
    ///
    /// # Errors
    /// The refusal names the rule.
    pub(crate) fn check(self, action: &Action) -> Result<(), Refusal> {
        let (Some(step), Some(side)) = (self.state.agenda.top(), self.decides()) else {
            return Err(Refusal::off_turn("Nothing is to be decided now."));
        };
        if self.state.over.is_some() {
            return Err(Refusal::off_turn("The battle is over."));
        }
        match self.judge(step, side, action) {
            Some(Ok(())) => Ok(()),
            Some(Err(no)) => Err(Refusal::new("Not allowed.", sentence(no.why), no.rule)),
            None => Err(Refusal::off_turn(format!("The decision is: {}.", sequence_name(step)))),
        }
    }
}

fn sentence(why: &str) -> String {
    let mut chars = why.chars();
    let head: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    format!("{head}{}.", chars.as_str())
}

impl At<'_> {
    /// None: another decision is at hand.
    fn judge(self, step: Step, side: Side, action: &Action) -> Option<Result<(), No>> {
        let ok = Some(Ok(()));
        match (step, action) {
            (
                Step::Reactions | Step::Charges | Step::Moves | Step::Leads { .. },
                Action::Lead { leader, lead },
            ) => Some(self.may_lead(side, *leader, *lead)),
            (Step::Orders { .. }, Action::Order { leader, order, marker }) => {
                Some(self.may_order(side, *leader, *order, *marker))
            }
            (
                Step::Orders { .. }
                | Step::Leads { .. }
                | Step::Sight { .. }
                | Step::Charges
                | Step::Support
                | Step::Moves
                | Step::Interrupt
                | Step::Declare { .. }
                | Step::Recover { .. },
                Action::Pass,
            ) => ok,
            (Step::Interrupt, Action::Wave) => ok,
            (Step::Reactions, Action::Pass) => {
                let must = self.reactors(side).next().is_some() && self.miners(side).next().is_none();
                Some(if must {
                    Err(No::new(cite!("qrs.reaction.a"), "a unit out of command must test"))
                } else {
                    Ok(())
                })
            }
            (Step::Reactions, Action::Test(id)) => Some(if self.reactors(side).any(|r| r == *id) {
                Ok(())
            } else {
                Err(No::new(cite!("reaction.test.a"), "it is in command, has tested, or is excused"))
            }),
            (Step::Reactions, Action::Blow(id)) => Some(if self.miners(side).any(|r| r == *id) {
                Ok(())
            } else {
                Err(No::new(
                    cite!("fort.destroy.c"),
                    "only sappers that stood at a gate through the last turn blow it",
                ))
            }),
            (Step::Sight { .. }, Action::Spot { by, at }) => {
                let marker = self.marker_at(side, *at);
                let none = No::new(cite!("sighting.b"), "there is no enemy marker at that place");
                Some(marker.ok_or(none).and_then(|at| self.may_spot(side, *by, at)))
            }
            (Step::Charges, Action::Charge(lines)) => Some(self.check_charge(side, lines)),
            (Step::React { target }, Action::React { reaction, fires_at }) => {
                let charged = self.state.charge.targets[usize::from(target)];
                let charger = self.state.charge.chargers.get(usize::from(*fires_at));
                if !charger.is_some_and(|c| c.on && c.line.at == charged.body) {
                    return Some(Err(No::new(
                        cite!("charge.defender.a"),
                        "it fires at one of those who charge it",
                    )));
                }
                Some(self.check_reaction(usize::from(target), *reaction))
            }
            (Step::Support, Action::Support { by, at }) => {
                Some(if self.fire_supporters().any(|s| s == (*by, *at)) {
                    Ok(())
                } else {
                    Err(No::new(
                        cite!("charge.sequence.d"),
                        "it does not have the charger within its medium range, in arc and in sight",
                    ))
                })
            }
            (Step::Moves, Action::Move { unit, legs }) => Some(self.check_move(side, *unit, legs)),
            (Step::Moves, Action::Leave(unit)) => Some(self.may_leave(*unit)),
            (Step::Interrupt, Action::Snap { by, stands }) => Some(self.check_snap(side, *by, *stands)),
            (Step::Interrupt, Action::Dash(line)) => Some(self.may_dash(line)),
            (Step::Declare { moving, .. }, Action::Fire(volley)) => {
                Some(self.check_volley(volley, side, moving))
            }
            (Step::Melees, Action::Fight(of)) => Some(if self.state.melees_to_fight().contains(of) {
                Ok(())
            } else {
                Err(No::new(cite!("seq.melee.a"), "there is no such melee to fight"))
            }),
            (Step::Split { body }, Action::Split(shares)) => Some(self.check_shares(body, shares)),
            (Step::AfterTest { .. }, Action::Stay) => ok,
            (Step::AfterTest { body }, Action::Turn) => Some(if self.may_turn(body) {
                Ok(())
            } else if self.state.is_flanked(body) {
                Err(No::new(cite!("melee.withdraw.b"), "there is no room to turn"))
            } else {
                Err(No::new(cite!("melee.withdraw.b"), "it faces its enemy already"))
            }),
            (Step::AfterTest { body }, Action::Withdraw) => Some(if self.state.may_withdraw(body) {
                Ok(())
            } else {
                Err(No::new(cite!("melee.withdraw.a"), "it is held on opposite faces and cannot withdraw"))
            }),
            (Step::PursuitChoice { by, total, .. }, Action::Pursue | Action::Hold) => {
                let totals = self.pursuit_totals(by, i16::from(total));
                let fits = totals.iter().any(|t| if *action == Action::Pursue { *t >= 3 } else { *t <= 4 });
                Some(if fits {
                    Ok(())
                } else {
                    Err(No::new(cite!("qrs.pursuit.a"), "the die leaves no choice"))
                })
            }
            (Step::Reform { body }, Action::Reform { formation, files }) => {
                Some(self.may_reform(body, *formation, *files))
            }
            (Step::Recover { .. }, Action::Recover(id)) => Some(if self.may_recover(*id) {
                Ok(())
            } else {
                Err(No::new(
                    cite!("morale.rally.e"),
                    "once a battle, outside engagement distance, in command, neither Shaken nor Routed",
                ))
            }),
            _ => None,
        }
    }
}
