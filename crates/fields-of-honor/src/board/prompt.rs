//! What is asked, in words.

use game::board::Prompt;
use game::words::{capital, does, verb};
use game::{Rule, Side};

use crate::at::At;
use crate::cite;
use crate::facts::sequence_name;
use crate::rules::sequence::Step;
use crate::state::BodyId;

impl At<'_> {
    /// The decision at hand.
    pub(crate) fn prompt(self) -> Prompt {
        let side = self.decides().unwrap_or(Side::First);
        let step = self.state.agenda.top().unwrap_or(Step::TurnEnd);
        let (sentence, more, rule) = self.question(step, side);
        let detail = format!("Turn {}, {}. {more}", self.state.turn, self.state.phase.title());
        let detail = detail.trim_end().to_owned();
        Prompt { side, kind: sequence_name(step).to_owned(), sentence, detail, rule }
    }

    /// What is asked, what is worth knowing about it, and the rule.
    fn question(self, step: Step, side: Side) -> (String, &'static str, Rule) {
        let name = |id: BodyId| self.own_name(id);
        let ask = |question: &str, more: &'static str, rule: Rule| (question.to_owned(), more, rule);
        match step {
            Step::Orders { .. } => ask(
                "Which leader gets a new order?",
                "A die decides whether it reaches him. Press Done to leave all orders as they are.",
                cite!("orders.b"),
            ),
            Step::Reactions => ask(
                "Which unit takes its Reaction Test now?",
                "All units out of command must test.",
                cite!("seq.reaction.a"),
            ),
            Step::Leads { .. } => ask(
                "Does a leader ride before the Morale Tests?",
                "Press Done to leave the leaders where they are.",
                cite!("commander.functions.a"),
            ),
            Step::Sight { .. } => ask(
                "Which unit looks for a marker?",
                "Each marker may be looked for once.",
                cite!("sighting.b"),
            ),
            Step::Charges => ask(
                "Which unit charges, and whom?",
                "Press Done to declare no charge now.",
                cite!("seq.charge.a"),
            ),
            Step::Support => ask(
                "Which unit fires in support at the chargers?",
                "Each may fire once, up to medium range.",
                cite!("charge.sequence.d"),
            ),
            Step::Moves => {
                let left = self.state.go.batch[side].saturating_sub(self.state.go.used);
                let units = if left > 2 { "units" } else { "unit" };
                let sentence = format!("Which unit moves? You may move {} {units} now.", halves(left));
                (
                    sentence,
                    "A unit that touches one you have just moved counts half. Press Done to end your go.",
                    cite!("move.initiative.b"),
                )
            }
            Step::Interrupt => {
                let mover = does(&self.state.march.unit.map_or(String::new(), name), "moves");
                (format!("{mover}. Fire at it or charge it now?"), "", cite!("fire.opportunity.a"))
            }
            Step::Declare { moving, .. } => {
                let which = if moving { "units that moved" } else { "stationary units" };
                let more = "All declared fire is rolled together. Press Done to declare no more.";
                (format!("Which {which} fire, and at whom?"), more, cite!("seq.fire.a"))
            }
            Step::Melees => ask("Which melee is fought next?", "", cite!("seq.melee.a")),
            Step::Recover { .. } => ask(
                "Which unit tries to recover stands?",
                "Each may try once a battle, with a die for each lost stand.",
                cite!("morale.rally.e"),
            ),
            _ => self.question_of_unit(step),
        }
    }

    /// What is asked of one unit.
    fn question_of_unit(self, step: Step) -> (String, &'static str, Rule) {
        let name = |id: BodyId| self.own_name(id);
        match step {
            Step::React { target } => {
                let id = self.state.charge.targets[usize::from(target)].body;
                (
                    format!("{}. What is its reaction?", does(&name(id), "is charged")),
                    "",
                    cite!("seq.charge.d"),
                )
            }
            Step::Split { body } => {
                let who = name(body);
                let sentence = format!("How {} {who} share its dice among its enemies?", verb(&who, "does"));
                (sentence, "", cite!("melee.multiple.b"))
            }
            Step::AfterTest { body } => (self.question_after_test(body), "", cite!("melee.withdraw.a")),
            Step::PursuitChoice { by, .. } => {
                let who = name(by);
                (
                    format!("{} {who} pursue or hold?", capital(&verb(&who, "does"))),
                    "",
                    cite!("qrs.pursuit.a"),
                )
            }
            Step::Reform { body } => {
                let rallied = does(&name(body), "has rallied");
                (format!("{rallied}: in which formation?"), "", cite!("morale.rally.d"))
            }
            _ => ("The battle goes on.".to_owned(), "", cite!("qrs.sequence.a")),
        }
    }

    /// What a body that has passed in melee may do.
    fn question_after_test(self, body: BodyId) -> String {
        let choices = match (self.may_turn(body), self.state.may_withdraw(body)) {
            (true, true) => "stay, turn or withdraw",
            (true, false) => "stay or turn",
            _ => "stay or withdraw",
        };
        format!("{}: {choices}?", does(&self.own_name(body), "has passed its test"))
    }
}

/// Halves in words: `1½`.
pub(crate) fn halves(halves: u8) -> String {
    match (halves / 2, halves % 2) {
        (n, 0) => n.to_string(),
        (0, _) => "½".to_owned(),
        (n, _) => format!("{n}½"),
    }
}
