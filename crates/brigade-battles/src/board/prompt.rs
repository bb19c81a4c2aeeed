//! The decision at hand, in words.

use game::board::Prompt;
use game::words::{capital, does, the, verb};
use hexmap::Hex;

use crate::at::At;
use crate::rules::charts::Cell;
use crate::rules::{leaders, results};
use crate::setup::battle::Battle;
use crate::state::{LeaderId, Phase, Step, UnitId};

impl Battle {
    /// What the die against a lone leader comes to: `a 4 misses Meade`.
    fn leader_die_words(&self, leader: LeaderId, natural: u8) -> String {
        let came = if leaders::is_hit_by(natural) { "hits" } else { "misses" };
        format!("{} {came} {}", die_words(natural), self.leader(leader).name)
    }
}

impl At<'_> {
    /// What is asked, as the end of a sentence.
    pub(crate) fn asks(self) -> String {
        let name = &self.battle.armies[self.decider()].name;
        let army = |phrase: &str| format!("{} {}", the(name), verb(name, phrase));
        let unit = |id: UnitId| &self.battle.unit(id).name;
        let leader = |id: LeaderId| &self.battle.leader(id).name;
        match self.state.agenda.top() {
            None => match self.state.phase {
                Phase::Organization => army("organizes"),
                Phase::Artillery => army("fires with guns before moving"),
                Phase::Movement => army("moves"),
                Phase::Defensive => army("fires defensively"),
                Phase::Offensive => army("fires offensively"),
                Phase::Rally => army("rallies"),
                phase => phase.words().into(),
            },
            Some(Step::Volley) => {
                let target = self.state.fire.at.map_or(String::new(), |at| self.target_words(at));
                format!("{} {target}", army("says who else fires at"))
            }
            Some(Step::CombatDie { natural }) => {
                format!("{}: {}", self.combat_die_words(natural), army("may roll it again"))
            }
            Some(Step::LeaderDie { leader: l, natural }) => {
                format!("{}: {}", self.battle.leader_die_words(l, natural), army("may roll it again"))
            }
            Some(Step::MoraleDie { unit: u, natural, .. }) => {
                format!("{}: {}", self.morale_die_words(u, natural), army("may roll it again"))
            }
            Some(Step::Place { leader: l }) => {
                format!("{} {} goes", army("chooses the unit to which"), leader(l))
            }
            Some(Step::Choose { leader: l, unit: u }) => {
                format!("{} goes with {} or to another unit", leader(l), unit(u))
            }
            Some(Step::Retreat { unit: u, rout, .. }) => {
                let back = does(unit(u), if rout { "routs" } else { "retreats" });
                format!("{back}: {}", army("chooses the next hex"))
            }
            Some(Step::Advance) => format!("{} {}", army("may advance into"), self.vacated_words()),
            Some(Step::Follow { leader: l, .. }) => format!("{} may come along with the advance", leader(l)),
            Some(_) => "the combat goes on".into(),
        }
    }

    /// What the combat die on the table comes to: `a 7 on Rodes comes to 1 SP lost and a morale check`.
    fn combat_die_words(self, natural: u8) -> String {
        let target = self.state.fire.at.map_or(String::new(), |at| self.target_words(at));
        let routed = self
            .state
            .fire
            .at
            .and_then(|at| self.state.unit_at(at))
            .is_some_and(|target| self.state.unit(target).routed);
        let result =
            self.combat_result(natural).map_or("nothing".into(), |cell| results::words(cell, routed));
        format!("{} on {target} comes to {result}", die_words(natural))
    }

    /// The hexes that the combat has emptied: `0505`, `0505 or 0406`.
    fn vacated_words(self) -> String {
        let mut hexes: Vec<Hex> = self.advances().map(|(_, hex)| hex).collect();
        hexes.sort_unstable();
        hexes.dedup();
        hexes.into_iter().map(|hex| self.battle.number(hex)).collect::<Vec<String>>().join(" or ")
    }

    /// What the morale die on the table comes to: `Morris passes on a 1`.
    fn morale_die_words(self, unit: UnitId, natural: u8) -> String {
        let passed = self.passes_morale_on(unit, natural);
        let came = does(&self.battle.unit(unit).name, if passed { "passes" } else { "fails" });
        format!("{came} on {}", die_words(natural))
    }

    /// Whether the die on the table is good enough for its owner: the check is passed, or at most every second die
    /// would do more to the target.
    pub(crate) fn die_may_stand(self) -> bool {
        match self.state.agenda.top() {
            Some(Step::MoraleDie { unit, natural, .. }) => self.passes_morale_on(unit, natural),
            Some(Step::LeaderDie { natural, .. }) => leaders::is_hit_by(natural),
            Some(Step::CombatDie { natural }) => {
                let harm = |die: u8| self.combat_result(die).map_or(0, Cell::harm);
                (1..=10).filter(|&die| harm(die) > harm(natural)).count() <= 5
            }
            _ => false,
        }
    }

    /// The decision in one sentence.
    pub(crate) fn prompt(self) -> Prompt {
        let rule = match self.state.agenda.top() {
            None => match self.state.phase {
                Phase::Organization => cite!("6.1.a"),
                Phase::Artillery => cite!("7.1.a"),
                Phase::Movement => cite!("8.1.2.a"),
                Phase::Defensive => cite!("9.2.a"),
                Phase::Offensive => cite!("9.3.a"),
                Phase::Rally => cite!("10.1.a"),
                Phase::Command | Phase::Interval | Phase::Over => cite!("4.2.d"),
            },
            Some(Step::Volley) => cite!("9.1.3.a"),
            Some(Step::CombatDie { .. } | Step::LeaderDie { .. } | Step::MoraleDie { .. }) => cite!("12.0.a"),
            Some(Step::Place { .. }) => cite!("5.3.2.a"),
            Some(Step::Choose { .. }) => cite!("9.8.l"),
            Some(Step::Retreat { rout: true, .. }) => cite!("9.8.q"),
            Some(Step::Retreat { .. }) => cite!("9.8.d"),
            Some(Step::Advance | Step::Follow { .. }) => cite!("9.9.a"),
            Some(_) => cite!("9.5.f"),
        };
        let sentence = match self.state.agenda.top() {
            Some(Step::CombatDie { natural }) => {
                format!("{}. Roll again?", capital(&self.combat_die_words(natural)))
            }
            Some(Step::LeaderDie { leader, natural }) => {
                format!("{}. Roll again?", capital(&self.battle.leader_die_words(leader, natural)))
            }
            Some(Step::MoraleDie { unit, natural, .. }) => {
                format!("{}. Roll again?", self.morale_die_words(unit, natural))
            }
            _ => capital(&self.asks()) + ".",
        };
        let turn = self.battle.turn(self.state);
        Prompt {
            side: self.decider(),
            kind: self.state.kind().into(),
            sentence,
            detail: format!(
                "{}, {} of {}.",
                turn.label,
                self.state.phase.words(),
                the(&self.battle.armies[self.state.phase.whose(self.state.active)].name)
            ),
            rule,
        }
    }
}

/// A die by its face: `a 7`, `an 8`.
fn die_words(natural: u8) -> String {
    format!("{} {natural}", if natural == 8 { "an" } else { "a" })
}
