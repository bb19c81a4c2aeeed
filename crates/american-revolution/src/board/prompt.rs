//! What is asked, in words.

use game::board::Prompt;
use game::words::{number, side_does, verb};
use game::{Now, Rule, Rules};

use crate::AmericanRevolution;
use crate::at::At;
use crate::rules::results::Hit;
use crate::rules::sequence::Step;
use crate::setup::pieces::Piece;

/// A question about a unit that goes back.
fn where_to(name: &str, goes: &str) -> String {
    format!("Where {} {name} {goes} to?", verb(name, "does"))
}

impl At<'_> {
    /// The decision in one sentence.
    pub(crate) fn prompt(self) -> Prompt {
        let side = match AmericanRevolution::now(self.battle, self.state) {
            Now::Decides(side) => side,
            Now::Over(_) => self.state.phasing,
        };
        let name = |p: Piece| self.counter(p).name.as_str();
        let (kind, sentence, rule): (&str, String, Rule) = match self.state.agenda.top() {
            Some(Step::Declare(_)) => {
                ("declare", "How much momentum goes into the initiative?".into(), cite!("6.3.a"))
            }
            Some(Step::Arrivals) => {
                ("arrivals", "Place reinforcements, or hold them back.".into(), cite!("9.11.a"))
            }
            Some(Step::Moving) => {
                ("march", "Move a piece, or end the movement phase.".into(), cite!("9.2.a"))
            }
            Some(Step::Overstack(..)) => {
                ("overstack", "Too many stand in a hex: who loses a step?".into(), cite!("7.3.a"))
            }
            Some(Step::Rallying) => {
                ("rally", "Rally a unit, or end the rally phase.".into(), cite!("15.1.a"))
            }
            Some(Step::Gunfire) => ("bombard", "Fire guns, or hold fire.".into(), cite!("11.1.a")),
            Some(Step::Aiming { at, rifles, .. }) => (
                "target",
                format!("Which unit in {} is the target?", self.battle.hex_name(at)),
                if rifles { cite!("10.2.b") } else { cite!("11.2.a") },
            ),
            Some(Step::Volley(_)) => {
                ("shoot", "Name targets for rifles, or hold fire.".into(), cite!("10.2.a"))
            }
            Some(Step::Designating) => ("designate", "Announce who attacks whom.".into(), cite!("12.21.a")),
            Some(Step::NextCombat) => ("resolve", "Which close combat is next?".into(), cite!("12.23.a")),
            Some(Step::Leading(_)) => ("lead", "Which unit leads?".into(), cite!("12.23.c")),
            Some(Step::Withdrawal) => {
                ("withdrawal", "Withdraw before combat, or stand?".into(), cite!("12.23.h"))
            }
            Some(Step::Withdrawing(..)) => {
                ("withdraw-order", "Which unit withdraws next?".into(), cite!("12.23.l"))
            }
            Some(Step::SlippingAway(unit)) => {
                ("withdraw", where_to(name(unit), "withdraw"), cite!("12.41.a"))
            }
            Some(Step::Tactics(_)) => ("tactic", "Choose a tactic in secret.".into(), cite!("12.23.k")),
            Some(Step::Momentum(_)) => (
                "reroll",
                format!(
                    "The roll is {}, {}. Spend a chit for another?",
                    number(self.state.fight.roll),
                    Hit::told_of_both(self.result())
                ),
                cite!("12.23.p"),
            ),
            Some(Step::Captive(..)) => ("capture", "Which unit is captured?".into(), cite!("13.1.m")),
            Some(Step::SecondLoss(..)) => {
                ("second-loss", "Which unit takes the second step?".into(), cite!("13.1.j"))
            }
            Some(Step::Casualty(_)) => ("casualty", "Which leader falls?".into(), cite!("3.1.c")),
            Some(Step::Checks(_)) => ("check", "Which unit checks morale next?".into(), cite!("13.5.a")),
            Some(Step::Retreating { unit, .. }) => {
                ("retreat", where_to(name(unit), "retreat"), cite!("13.21.a"))
            }
            Some(Step::Following { to, .. }) => (
                "follow",
                format!("Does a leader go along to {}?", self.battle.hex_name(to)),
                cite!("13.25.a"),
            ),
            Some(Step::Grape) => {
                ("grape", "Fire grape into the melee, or hold fire?".into(), cite!("guilford-court-house.j"))
            }
            Some(Step::Toll(_)) => {
                ("toll", "Which of your own units suffers the same?".into(), cite!("guilford-court-house.j"))
            }
            Some(Step::Advancing) => ("advance", "Advance after combat.".into(), cite!("12.23.s")),
            Some(Step::Straggling) => {
                ("straggle", "Which disrupted unit breaks next?".into(), cite!("13.3.f"))
            }
            _ => ("none", "Nothing is to be decided.".into(), cite!("5.a")),
        };
        let detail = side_does(&self.battle.armies[side].name, "decides.");
        Prompt { side, kind: kind.into(), sentence, detail, rule }
    }
}
