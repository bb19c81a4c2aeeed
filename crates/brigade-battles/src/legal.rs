//! What may be decided, and why something may not: offers and refusals from the same predicates.

use game::{Allowed, No, Refusal};

use crate::action::Action;
use crate::at::At;
use crate::state::{LeaderId, Phase, Step, UnitId};

/// `no!("9.1.a", "mounted cavalry does not fire: dismount first")`: the rule, and what would have to be different.
macro_rules! no {
    ($rule:literal, $why:literal $(,)?) => {
        game::No::new($crate::cite!($rule), $why)
    };
}
pub(crate) use no;

impl At<'_> {
    /// The legal actions.
    pub(crate) fn offers(self, out: &mut Vec<Action>) {
        let Some(step) = self.state.agenda.top() else {
            match self.state.phase {
                Phase::Organization => self.offer_organization(out),
                Phase::Artillery | Phase::Defensive | Phase::Offensive => self.offer_fire(out),
                Phase::Movement => self.offer_marches(out),
                Phase::Rally => self.offer_rallies(out),
                Phase::Command | Phase::Interval | Phase::Over => return,
            }
            out.push(Action::Done);
            return;
        };
        match step {
            Step::Volley => {
                out.extend(self.joiners().iter().map(|unit| Action::Join { unit }));
                out.push(Action::Open);
            }
            Step::CombatDie { .. } | Step::LeaderDie { .. } | Step::MoraleDie { .. } => {
                out.extend([Action::Tide, Action::Keep]);
            }
            Step::Place { leader } => {
                out.extend(self.nearest_units(leader).iter().map(|unit| Action::Place { leader, unit }));
            }
            Step::Choose { leader, unit } => {
                let others = self.transfers(leader, unit);
                out.extend(others.iter().map(|unit| Action::Place { leader, unit }));
                out.push(Action::Stay { leader });
            }
            Step::Retreat { unit, rout, class } => {
                let ways = self.ways_back(unit, rout, class);
                out.extend(ways.into_iter().map(|to| Action::Retreat { unit, to }));
            }
            Step::Advance => {
                let into = |hex| Some(hex).filter(|_| self.state.fire.at != Some(hex));
                let all = self.advances();
                out.extend(all.map(|(unit, hex)| Action::Advance { unit, to: into(hex) }));
                out.push(Action::Hold);
            }
            Step::Follow { leader, .. } => out.extend([Action::Follow { leader }, Action::Remain { leader }]),
            Step::LoneLeader { .. }
            | Step::Casualty { .. }
            | Step::Morale { .. }
            | Step::Limber { .. }
            | Step::PassedBy { .. } => {}
        }
    }

    /// Decides any action.
    pub(crate) fn check(self, action: Action) -> Result<(), Refusal> {
        match self.verdict(action) {
            Some(verdict) => verdict.map_err(|no| no.refuses(self.refused_words(action))),
            None => Err(Refusal::off_turn(format!("Now {}.", self.asks()))),
        }
    }

    /// What is not possible, as a sentence.
    fn refused_words(self, action: Action) -> String {
        let unit = |id: UnitId| &self.battle.unit(id).name;
        let leader = |id: LeaderId| &self.battle.leader(id).name;
        match action {
            Action::March { piece, to } => {
                format!("{} may not march to {}.", self.battle.name_of(piece), self.battle.number(to))
            }
            Action::Fire { unit: u, at } => {
                format!("{} may not fire at {}.", unit(u), self.target_words(at))
            }
            Action::Join { unit: u } => format!("{} may not join in this fire.", unit(u)),
            Action::Change { unit: u, drill } => format!("{} may not {}.", unit(u), drill.word()),
            Action::Build { unit: u } => format!("{} may not build a breastwork.", unit(u)),
            Action::Raze { unit: u } => format!("{} may not pull a breastwork down.", unit(u)),
            Action::Burn { unit: u, .. } => format!("{} may not set a fire there.", unit(u)),
            Action::Search { unit: u, .. } => format!("{} may not search for a ford there.", unit(u)),
            Action::Retreat { unit: u, to } => {
                format!("{} may not go back to {}.", unit(u), self.battle.number(to))
            }
            Action::Advance { unit: u, .. } => format!("{} may not advance.", unit(u)),
            Action::Rally { unit: u } => format!("{} may not try to rally.", unit(u)),
            Action::Place { leader: l, unit: u } => format!("{} may not go to {}.", leader(l), unit(u)),
            Action::Tide => "The Tide of Battle marker may not be used.".into(),
            Action::Done
            | Action::Open
            | Action::Keep
            | Action::Hold
            | Action::Stay { .. }
            | Action::Follow { .. }
            | Action::Remain { .. } => format!("Not {}.", self.battle.write(action)),
        }
    }

    /// The verdict on an action that answers the decision at hand; none if it answers another.
    fn verdict(self, action: Action) -> Option<Allowed> {
        if self.state.phase == Phase::Over {
            return None;
        }
        let Some(step) = self.state.agenda.top() else { return self.verdict_in_phase(action) };
        let verdict = match (step, action) {
            (Step::Volley, Action::Join { unit }) => self.may_join(unit),
            (Step::Volley, Action::Open)
            | (
                Step::CombatDie { .. } | Step::LeaderDie { .. } | Step::MoraleDie { .. },
                Action::Tide | Action::Keep,
            )
            | (Step::Advance, Action::Hold) => Ok(()),
            (Step::Place { leader }, Action::Place { leader: named, unit }) if leader == named => {
                if self.nearest_units(leader).contains(unit) {
                    Ok(())
                } else {
                    Err(no!("5.3.2.a", "he goes to the nearest friendly unit"))
                }
            }
            (Step::Choose { leader, unit: left }, Action::Place { leader: named, unit })
                if leader == named =>
            {
                if self.transfers(leader, left).contains(unit) {
                    Ok(())
                } else {
                    Err(no!(
                        "9.8.l",
                        "he may go only to the nearest unit of his command, no more than 3 hexes off"
                    ))
                }
            }
            (Step::Choose { leader, .. }, Action::Stay { leader: named }) if leader == named => Ok(()),
            (Step::Retreat { unit, rout, class }, Action::Retreat { unit: named, to }) if unit == named => {
                self.may_step_back(unit, rout, class, to)
            }
            // One notation for one hex: the target's is left out.
            (Step::Advance, Action::Advance { unit, to }) if to.is_none() || to != self.state.fire.at => {
                let lines = self.lines(self.state.active);
                match to.or(self.state.fire.at) {
                    Some(hex) => self.may_advance(&lines, unit, hex),
                    None => Err(no!("9.9.a", "no fire has emptied a hex")),
                }
            }
            (
                Step::Follow { leader, .. },
                Action::Follow { leader: named } | Action::Remain { leader: named },
            ) if leader == named => Ok(()),
            (_, Action::Tide) => Err(self.state.why_no_tide(self.decider())),
            _ => return None,
        };
        Some(verdict)
    }

    fn verdict_in_phase(self, action: Action) -> Option<Allowed> {
        let verdict = match (self.state.phase, action) {
            (_, Action::Done) => Ok(()),
            (Phase::Organization, Action::Build { unit }) => self.may_build(unit),
            (Phase::Organization, Action::Raze { unit }) => self.may_raze(unit),
            (Phase::Organization, Action::Burn { unit, site }) => self.may_burn(unit, site),
            (Phase::Organization, Action::Search { unit, ford }) => self.may_search(unit, ford),
            (Phase::Artillery | Phase::Defensive | Phase::Offensive, Action::Fire { unit, at }) => {
                self.may_fire_at(unit, at)
            }
            (Phase::Movement, Action::March { piece, to }) => self.may_march(piece, to),
            (Phase::Movement, Action::Change { unit, drill }) => self.may_drill(unit, drill),
            (Phase::Rally, Action::Rally { unit }) => self.may_rally(unit),
            (Phase::Defensive, Action::Advance { .. }) => {
                Err(no!("9.9.c", "a player who fires defensively does not advance"))
            }
            (Phase::Artillery, Action::Advance { .. }) => {
                Err(no!("9.9.a", "there is no advance after offensive artillery fire"))
            }
            (_, Action::Tide) => Err(self.state.why_no_tide(self.decider())),
            (phase, _) => return out_of_phase(phase, action).map(Err),
        };
        Some(verdict)
    }
}

/// An action of another phase: 4.2 puts it elsewhere.
fn out_of_phase(phase: Phase, action: Action) -> Option<No> {
    match action {
        Action::Fire { .. }
        | Action::March { .. }
        | Action::Change { .. }
        | Action::Rally { .. }
        | Action::Build { .. }
        | Action::Raze { .. }
        | Action::Burn { .. }
        | Action::Search { .. }
            if phase != Phase::Over =>
        {
            Some(no!(
                "4.2.a",
                "that belongs to another phase: command, organization, artillery, movement, combat, rally follow each other"
            ))
        }
        _ => None,
    }
}
