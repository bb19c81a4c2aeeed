//! The decision at hand, in words.

use game::Rule;
use game::board::Prompt;
use game::words::{does, side_does, verb};

use crate::at::At;
use crate::contract::BattleHymn;
use crate::state::{FireOf, Id, State, Status, Step, UnitSet};

impl At<'_> {
    /// The decision at hand.
    pub(crate) fn prompt(self) -> Prompt {
        let side = match <BattleHymn as game::Rules>::now(self.battle, self.state) {
            game::Now::Decides(side) => side,
            game::Now::Over(_) => game::Side::First,
        };
        let owner = side_does(&self.battle.armies[side].name, "decides");
        let (kind, sentence, detail, rule) = self.prompt_words();
        Prompt {
            side,
            kind: kind.into(),
            sentence,
            detail: if detail.is_empty() { format!("{owner}.") } else { detail },
            rule,
        }
    }

    fn prompt_words(self) -> (&'static str, String, String, Rule) {
        let name = |id: Id| self.name(id).to_owned();
        let none = String::new();
        match self.state.agenda.top() {
            Some(Step::Draw) => (
                "declare",
                "Take your Combat Turn now, or wait for the next marker?".into(),
                format!("{} in the cup. What is never declared happens last.", self.state.markers_in_words()),
                cite!("3.9.d"),
            ),
            Some(Step::March) => {
                let formation = &self.battle.formations[usize::from(self.state.active)];
                let sentence = match self.state.hand {
                    Id::NONE => format!("{}. Which unit marches, and where?", does(&formation.name, "moves")),
                    hand => format!("{} {} MP left.", does(&name(hand), "has"), self.state.left),
                };
                ("march", sentence, self.still_to_move(formation.units), cite!("4.e"))
            }
            Some(Step::Place(id)) => (
                "place",
                format!("Where {} {} form up again?", verb(&name(id), "does"), name(id)),
                none,
                cite!("10.5.3.b"),
            ),
            Some(Step::CavalryRetreat) => (
                "cavalry-retreat",
                "Does any of your cavalry try to slip away before combat?".into(),
                "Each rolls a morale check: pass and it goes, fail and it must fight.".into(),
                cite!("6.1.1.a"),
            ),
            Some(Step::Bombard) => (
                "bombard",
                "Which battery bombards, and which target?".into(),
                "Each fires all its SPs at one hex.".into(),
                cite!("6.1.2.b"),
            ),
            Some(Step::Withdraw) => (
                "withdraw",
                "Does any unit withdraw before combat?".into(),
                "Units that stay in an enemy zone must attack.".into(),
                cite!("6.1.3.a"),
            ),
            Some(Step::Engage) => {
                ("engage", "Which engagement is fought next?".into(), none, cite!("6.1.6.b"))
            }
            Some(Step::Options) => (
                "option",
                format!(
                    "Round {}: does any unit attack by choice, from outside the enemy's zone?",
                    if self.state.round == 2 { "Two" } else { "One" }
                ),
                "A unit that declines is not fired at either.".into(),
                cite!("6.1.7.c"),
            ),
            Some(Step::Split(fire)) => {
                let unit = self.next_to_split(fire);
                let (who, points) = unit.map_or((none.clone(), 0), |u| (name(u), self.piece(u).intact()));
                let rule = if fire == FireOf::Approach { cite!("6.1.4.h") } else { cite!("6.1.7.f") };
                (
                    "split",
                    format!("{} {points} SP. Who gets the odd ones?", does(&who, "divides")),
                    none,
                    rule,
                )
            }
            Some(Step::Checks(..)) => {
                ("check", "Which of the units that were hit checks first?".into(), none, cite!("6.2.4.b"))
            }
            Some(Step::Advance) => (
                "advance",
                "Who advances into the ground that was won?".into(),
                "You may always decline.".into(),
                cite!("8.1.a"),
            ),
            Some(Step::FallBack | Step::Sweep) => (
                "fallback",
                "Who falls back first?".into(),
                "Attackers in an enemy zone that have not advanced must go.".into(),
                cite!("6.1.8.b"),
            ),
            Some(Step::Retreat(r)) => {
                let verb = if r.voluntary { "withdraws" } else { "falls back" };
                ("retreat", format!("{}. Into which hex?", does(&name(r.unit), verb)), none, cite!("7.3.a"))
            }
            _ => ("over", "The battle is over.".into(), none, cite!("14.a")),
        }
    }

    /// How many of the Formation's units have not moved yet, and how many wait off the map to enter.
    fn still_to_move(self, units: UnitSet) -> String {
        let here = units.and(self.state.on_map());
        let mut unmoved = here.without(self.state.moved);
        unmoved.remove(self.state.hand);
        let waiting =
            |id: &Id| matches!(self.piece(*id).status, Status::Due | Status::Away) && self.is_due(*id);
        let outside = units.without(self.state.moved).into_iter().filter(waiting).count();
        let marches = match unmoved.len() {
            0 if here.is_empty() => "None of its units is on the map".into(),
            0 => "All its units on the map have moved".into(),
            1 => "1 of its units on the map has not moved".into(),
            n => format!("{n} of its units on the map have not moved"),
        };
        match outside {
            0 => format!("{marches}."),
            n => format!("{marches}; {n} may still enter."),
        }
    }
}

impl State {
    fn markers_in_words(&self) -> String {
        match self.cup.count_ones() {
            1 => "One marker is".into(),
            n => format!("{n} markers are"),
        }
    }
}
