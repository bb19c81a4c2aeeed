//! The decision at hand, in words.

use game::board::Prompt;
use game::words::{does, side_does, verb};
use game::{Rule, Side};

use crate::at::At;
use crate::state::{FireOf, Id, State, Status, Step, UnitSet};

impl At<'_> {
    /// The decision at hand.
    pub(crate) fn prompt(self) -> Prompt {
        let side = if self.state.outcome.is_some() { Side::First } else { self.decider() };
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

    /// Kind, sentence, detail and rule.
    fn prompt_words(self) -> (&'static str, String, String, Rule) {
        let plain = |kind, sentence: &str, detail: &str, rule| (kind, sentence.into(), detail.into(), rule);
        match self.state.agenda.top() {
            Some(Step::Draw) => (
                "declare",
                "Take your Combat Turn now, or wait for the next marker?".into(),
                format!(
                    "{} in the cup. A turn that nobody declares comes last.",
                    self.state.markers_in_words()
                ),
                cite!("3.9.d"),
            ),
            Some(Step::March) => self.march_prompt(),
            Some(Step::Place(id)) => {
                let sentence =
                    format!("Where {} {} form up again?", verb(self.name(id), "does"), self.name(id));
                ("place", sentence, String::new(), cite!("10.5.3.b"))
            }
            Some(Step::CavalryRetreat) => plain(
                "cavalry-retreat",
                "Does any of your cavalry try to slip away before combat?",
                "Each rolls a morale check: pass and it goes, fail and it must fight.",
                cite!("6.1.1.a"),
            ),
            Some(Step::Bombard) => plain(
                "bombard",
                "Which battery bombards, and which target?",
                "Each fires all its SPs at one hex.",
                cite!("6.1.2.b"),
            ),
            Some(Step::Withdraw) => plain(
                "withdraw",
                "Does any unit withdraw before combat?",
                "Units that stay in an enemy zone must attack.",
                cite!("6.1.3.a"),
            ),
            Some(Step::Engage) => plain("engage", "Which engagement is fought next?", "", cite!("6.1.6.b")),
            Some(Step::Options) => {
                let round = if self.state.round == 2 { "Two" } else { "One" };
                let sentence =
                    format!("Round {round}: does any unit attack by choice, from outside the enemy's zone?");
                plain("option", &sentence, "A unit that declines is not fired at either.", cite!("6.1.7.c"))
            }
            Some(Step::Split(fire)) => self.split_prompt(fire),
            Some(Step::Checks(..)) => {
                plain("check", "Which of the units that were hit checks first?", "", cite!("6.2.4.b"))
            }
            Some(Step::Advance) => plain(
                "advance",
                "Who advances into the ground that was won?",
                "You may always decline.",
                cite!("8.1.a"),
            ),
            Some(Step::FallBack | Step::Sweep) => plain(
                "fallback",
                "Who falls back first?",
                "Attackers in an enemy zone that have not advanced must go.",
                cite!("6.1.8.b"),
            ),
            Some(Step::Retreat(r)) => {
                let verb = if r.voluntary { "withdraws" } else { "falls back" };
                let sentence = format!("{}. Into which hex?", self.battle.does(r.unit, verb));
                ("retreat", sentence, String::new(), cite!("7.3.a"))
            }
            _ => plain("over", "The battle is over.", "", cite!("14.a")),
        }
    }

    fn march_prompt(self) -> (&'static str, String, String, Rule) {
        let formation = self.active_formation();
        let sentence = match self.state.hand {
            None => format!(
                "{}. Which unit marches, and where?",
                does(formation.map_or("", |f| &f.name), "moves")
            ),
            Some(hand) => format!("{} {} MP left.", self.battle.does(hand, "has"), self.state.left),
        };
        ("march", sentence, self.still_to_move(self.active_units()), cite!("4.e"))
    }

    fn split_prompt(self, fire: FireOf) -> (&'static str, String, String, Rule) {
        let (who, points) =
            self.next_to_split(fire).map_or(("", 0), |u| (self.name(u), self.piece(u).intact()));
        let rule = if fire == FireOf::Approach { cite!("6.1.4.h") } else { cite!("6.1.7.f") };
        let sentence = format!("{} {points} SP. Who gets the odd ones?", does(who, "divides"));
        ("split", sentence, String::new(), rule)
    }

    /// How many of the Formation's units have not moved yet, and how many wait off the map to enter.
    fn still_to_move(self, units: UnitSet) -> String {
        let here = units.and(self.state.on_map());
        let unmoved = here.without(self.state.moved).without(self.state.hand.into_iter().collect());
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
