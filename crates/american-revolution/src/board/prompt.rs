//! What is asked, in words.

use game::Rule;
use game::board::Prompt;
use game::words::{number, side_does};

use crate::at::At;
use crate::rules::results::Hit;
use crate::rules::sequence::Step;
use crate::setup::pieces::Piece;

/// What a step asks: the kind of decision, a sentence, the rule.
type Asked<T> = (&'static str, T, Rule);

impl At<'_> {
    /// The decision in one sentence.
    pub(crate) fn prompt(self) -> Prompt {
        let side = self.deciding_side();
        let (kind, sentence, rule) = match self.state.agenda.top() {
            Some(step) => self.asked(step),
            None => (NOTHING.0, NOTHING.1.into(), NOTHING.2),
        };
        let detail = side_does(&self.battle.armies[side].name, "decides.");
        Prompt { side, kind: kind.into(), sentence, detail, rule }
    }

    fn asked(self, step: Step) -> Asked<String> {
        let name = |p: Piece| self.counter(p).name.as_str();
        match step {
            Step::Aiming { at, rifles, .. } => (
                "target",
                format!("Choose the unit in {} to fire at.", self.battle.hex_name(at)),
                if rifles { cite!("10.2.b") } else { cite!("11.2.a") },
            ),
            Step::SlippingAway(unit) => {
                ("withdraw", format!("Choose a hex for {} to withdraw to.", name(unit)), cite!("12.41.a"))
            }
            Step::Momentum(_) => (
                "reroll",
                format!(
                    "The total is {}, {}. Spend a chit for a new die, or let it stand.",
                    number(self.state.fight.roll),
                    Hit::told_of_both(self.result())
                ),
                cite!("12.23.p"),
            ),
            Step::Retreating { unit, .. } => {
                ("retreat", format!("Choose a hex for {} to retreat to.", name(unit)), cite!("13.21.a"))
            }
            Step::Following { to, .. } => (
                "follow",
                format!("Choose a leader to go along to {}, or let them stay.", self.battle.hex_name(to)),
                cite!("13.25.a"),
            ),
            _ => {
                let (kind, sentence, rule) = plainly(step);
                (kind, sentence.into(), rule)
            }
        }
    }
}

const NOTHING: Asked<&'static str> = ("none", "There is nothing to decide.", cite!("5.a"));

/// What is asked in the same words every time.
fn plainly(step: Step) -> Asked<&'static str> {
    match step {
        Step::Declare(_) => {
            ("declare", "Choose how many momentum chits to spend on the initiative.", cite!("6.3.a"))
        }
        Step::Arrivals => ("arrivals", "Place reinforcements, or hold them back.", cite!("9.11.a")),
        Step::Moving => ("march", "Move a piece, or end the movement phase.", cite!("9.2.a")),
        Step::Overstack(..) => {
            ("overstack", "Too many in one hex: choose a unit to lose a step.", cite!("7.3.a"))
        }
        Step::Rallying => ("rally", "Rally a unit, or end the rally phase.", cite!("15.1.a")),
        Step::Gunfire => ("bombard", "Choose guns and a target, or hold fire.", cite!("11.1.a")),
        Step::Volley(_) => ("shoot", "Choose rifles and a target, or hold fire.", cite!("10.2.a")),
        Step::Designating => ("designate", "Choose who attacks whom.", cite!("12.21.a")),
        Step::NextCombat => ("resolve", "Choose the next close combat.", cite!("12.23.a")),
        Step::Leading(_) => ("lead", "Choose the unit that leads.", cite!("12.23.c")),
        Step::Withdrawal => ("withdrawal", "Withdraw before combat, or stand.", cite!("12.23.h")),
        Step::Withdrawing(..) => ("withdraw-order", "Choose the next unit to withdraw.", cite!("12.23.l")),
        Step::Tactics(_) => ("tactic", "Choose a tactic in secret.", cite!("12.23.k")),
        Step::Captive(..) => ("capture", "Choose the unit that is captured.", cite!("13.1.m")),
        Step::SecondLoss(..) => {
            ("second-loss", "Choose the unit that loses the second step.", cite!("13.1.j"))
        }
        Step::Casualty(_) => ("casualty", "Choose the leader who falls.", cite!("3.1.c")),
        Step::Checks(_) => ("check", "Choose the next unit to check morale.", cite!("13.5.a")),
        Step::Grape => ("grape", "Fire grape into the melee, or hold fire.", cite!("guilford-court-house.j")),
        Step::Toll(_) => {
            ("toll", "Choose which of your own units suffers the same.", cite!("guilford-court-house.j"))
        }
        Step::Advancing => ("advance", "Choose a unit and a hex to advance to.", cite!("12.23.s")),
        Step::Straggling => ("straggle", "Choose the next disrupted unit to break.", cite!("13.3.f")),
        _ => NOTHING,
    }
}
