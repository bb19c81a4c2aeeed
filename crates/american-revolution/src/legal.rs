//! What may be done now: the offers and the check, both by the step at hand.

use game::{Refusal, Rule};

use crate::action::Action;
use crate::at::At;
use crate::rules::sequence::Step;
use crate::rules::{close_combat, results};

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
        let At { battle, state } = self;
        let (Some(step), None) = (state.agenda.top(), state.ending) else { return };
        let state = &*At::new(battle, state).deciding(step);
        match step {
            Step::Declare(side) => At::new(battle, state).offer_declarations(side, out),
            Step::Arrivals => At::new(battle, state).offer_arrivals(out),
            Step::Moving => At::new(battle, state).offer_movement(out),
            Step::Overstack(side, hex) => {
                out.extend(At::new(battle, state).may_shed_here(side, hex).map(Action::Pick))
            }
            Step::Rallying => At::new(battle, state).offer_rallies(out),
            Step::Gunfire => At::new(battle, state).offer_bombardments(out),
            Step::Aiming { by, at, .. } => {
                out.extend(
                    At::new(battle, state).fire_targets(at, battle.firing_side(by)).map(Action::Target),
                );
            }
            Step::Volley(side) => At::new(battle, state).offer_volleys(side, out),
            Step::Designating => At::new(battle, state).offer_attacks(out),
            Step::NextCombat => state.offer_combats(out),
            Step::Leading(side) => out.extend(At::new(battle, state).leads(side).map(Action::Lead)),
            Step::Withdrawal => out.extend([Action::Done, Action::Withdraw]),
            Step::Withdrawing(side, _) => {
                out.extend((state.waiting & battle.units[side] & state.on_map()).map(Action::Pick))
            }
            Step::SlippingAway(unit) => At::new(battle, state).offer_withdrawals(unit, out),
            Step::Tactics(side) => At::new(battle, state).offer_tactics(side, out),
            Step::Momentum(_) => out.extend([Action::Done, Action::Reroll]),
            Step::Captive(_, from) | Step::SecondLoss(_, from) | Step::Casualty(from) => {
                out.extend(from.map(Action::Pick))
            }
            Step::Checks(side) => out.extend(At::new(battle, state).to_check(side).map(Action::Pick)),
            Step::Retreating { unit, hexes, .. } => At::new(battle, state).offer_retreats(unit, hexes, out),
            Step::Following { leaders, .. } => {
                out.extend(leaders.map(Action::Follow));
                out.push(Action::Done);
            }
            Step::Grape => {
                out.extend(At::new(battle, state).grape_marks().map(Action::Target));
                out.push(Action::Done);
            }
            Step::Toll(_) => out.extend(state.toll().map(Action::Pick)),
            Step::Advancing => At::new(battle, state).offer_advances(out),
            Step::Straggling => out.extend((state.waiting & state.on_map()).map(Action::Pick)),
            _ => {}
        }
    }

    /// Decides any action against the step at hand.
    pub(crate) fn check(self, action: &Action) -> Lawful {
        let At { battle, state } = self;
        let (Some(step), None) = (state.agenda.top(), state.ending) else {
            return Err(Bar::other("the game is over"));
        };
        let state = &*At::new(battle, state).deciding(step);
        match step {
            Step::Declare(side) => At::new(battle, state).check_declaration(side, action),
            Step::Arrivals => At::new(battle, state).check_arrivals(action),
            Step::Moving => At::new(battle, state).check_movement(action),
            Step::Overstack(side, hex) => At::new(battle, state).check_overstack(side, hex, action),
            Step::Rallying => At::new(battle, state).check_rally(action),
            Step::Gunfire => At::new(battle, state).check_bombardment(action),
            Step::Aiming { by, at, rifles } => At::new(battle, state).check_target(by, at, rifles, action),
            Step::Volley(side) => At::new(battle, state).check_volley(side, action),
            Step::Designating => At::new(battle, state).check_designation(action),
            Step::NextCombat => close_combat::check_next(state, action),
            Step::Leading(side) => match *action {
                Action::Lead(unit) => At::new(battle, state).may_lead(side, unit),
                _ => Err(Bar::other("a lead unit is named")),
            },
            Step::Withdrawal => match *action {
                Action::Withdraw => At::new(battle, state).may_withdraw(),
                Action::Done => Ok(()),
                _ => Err(Bar::other("the defender may withdraw before combat, or stand")),
            },
            Step::Withdrawing(side, _) => {
                let from = state.waiting & battle.units[side] & state.on_map();
                results::check_pick(from, action, cite!("12.23.l"), "it is not among the units that withdraw")
            }
            Step::SlippingAway(unit) => At::new(battle, state).check_withdrawal(unit, action),
            Step::Tactics(side) => At::new(battle, state).check_tactic(side, action),
            Step::Momentum(side) => match *action {
                Action::Reroll if state.chits[side] > 0 => Ok(()),
                Action::Reroll => Err(Bar::new(cite!("12.23.p"), "there is no chit to spend")),
                Action::Done => Ok(()),
                _ => Err(Bar::other("a chit may be spent for another roll, or not")),
            },
            Step::Captive(_, from) => {
                let rule =
                    if from.meets(battle.units[state.phasing]) { cite!("13.1.m") } else { cite!("13.1.l") };
                results::check_pick(
                    from,
                    action,
                    rule,
                    "it is not a combat unit of the side that suffers the capture",
                )
            }
            Step::SecondLoss(_, from) => results::check_pick(
                from,
                action,
                cite!("13.1.j"),
                "the second step falls on another unit of the lead unit's hex",
            ),
            Step::Casualty(from) => {
                results::check_pick(from, action, cite!("3.1.c"), "he is not among the leaders present")
            }
            Step::Checks(side) => results::check_pick(
                At::new(battle, state).to_check(side),
                action,
                cite!("13.1.b"),
                "it has no morale check to make",
            ),
            Step::Retreating { unit, hexes, .. } => At::new(battle, state).check_retreat(unit, hexes, action),
            Step::Following { leaders, .. } => match *action {
                Action::Follow(leader) if leaders.has(leader) => Ok(()),
                Action::Follow(_) => {
                    Err(Bar::new(cite!("13.25.a"), "he does not stand in the hex that the unit left"))
                }
                Action::Done => Ok(()),
                _ => Err(Bar::other("a leader may go with the unit, or stay")),
            },
            Step::Grape => At::new(battle, state).check_grape(action),
            Step::Toll(_) => results::check_pick(
                state.toll(),
                action,
                cite!("guilford-court-house.j"),
                "it is not one of the own units of this combat",
            ),
            Step::Advancing => At::new(battle, state).check_advance(action),
            Step::Straggling => results::check_pick(
                state.waiting & state.on_map(),
                action,
                cite!("13.3.f"),
                "it takes no further D",
            ),
            _ => Err(Bar::other("nothing is to be decided now")),
        }
    }
}
