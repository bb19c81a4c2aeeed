//! What the board asks and offers, in words.

use game::Side;
use game::board::Prompt;
use game::words::{does, side_does};

use crate::at::At;
use crate::cite;
use crate::facts::sequence_name;
use crate::rules::sequence::Step;
use crate::state::BodyId;

impl At<'_> {
    pub(crate) fn prompt(self) -> Prompt {
        let side = self.decides().unwrap_or(Side::First);
        let step = self.state.agenda.top().unwrap_or(Step::TurnEnd);
        let who = |phrase: &str| side_does(&self.battle.sides[side].name, phrase);
        let name = |id: BodyId| self.own_name(id);
        let (sentence, rule) = match step {
            Step::Orders { .. } => (who("may issue orders."), cite!("orders.b")),
            Step::Reactions => (who("picks the unit that tests its reaction."), cite!("seq.reaction.a")),
            Step::Leads { .. } => {
                (who("may move leaders before the Morale Tests."), cite!("commander.functions.a"))
            }
            Step::Sight { .. } => (who("may look for markers."), cite!("sighting.b")),
            Step::Charges => (who("may declare a charge."), cite!("seq.charge.a")),
            Step::React { target } => {
                let id = self.state.charge.targets[usize::from(target)].body;
                (format!("{}. What is its reaction?", does(&name(id), "is charged")), cite!("seq.charge.d"))
            }
            Step::Support => (who("may fire in support."), cite!("charge.sequence.d")),
            Step::Moves => {
                let left = (self.state.go.batch[side] - self.state.go.used.min(self.state.go.batch[side]))
                    as i64
                    * 500;
                let noun = if left > 1000 { "maneuver units" } else { "maneuver unit" };
                (
                    format!("{} {} {noun} (BMU) in this go.", who("may move"), halves(left)),
                    cite!("move.initiative.b"),
                )
            }
            Step::Interrupt => {
                let mover = self.state.march.unit.map_or(String::new(), name);
                (
                    format!("{}. {} fire or charge at the opportunity.", does(&mover, "moves"), who("may")),
                    cite!("fire.opportunity.a"),
                )
            }
            Step::Declare { moving, .. } => {
                let which = if moving { "units that moved" } else { "stationary units" };
                (format!("{} {which}.", who("declares the fire of")), cite!("seq.fire.a"))
            }
            Step::Melees => (who("picks the next melee."), cite!("seq.melee.a")),
            Step::Split { body } => {
                (does(&name(body), "shares dice among several enemies."), cite!("melee.multiple.b"))
            }
            Step::AfterTest { body } => (
                format!("{}: {}?", does(&name(body), "has passed"), self.choices_after_test(body)),
                cite!("melee.withdraw.a"),
            ),
            Step::PursuitChoice { by, .. } => {
                (format!("{} may pursue or hold.", name(by)), cite!("qrs.pursuit.a"))
            }
            Step::Reform { body } => (
                format!("{}: in which formation?", does(&name(body), "has rallied")),
                cite!("morale.rally.d"),
            ),
            Step::Recover { .. } => (who("may try to recover stands."), cite!("morale.rally.e")),
            _ => ("The battle goes on.".to_owned(), cite!("qrs.sequence.a")),
        };
        Prompt {
            side,
            kind: sequence_name(step).to_owned(),
            sentence,
            detail: format!("Turn {}, {}.", self.state.turn, self.state.phase.title()),
            rule,
        }
    }

    /// What a body that has passed in melee may do.
    fn choices_after_test(self, body: BodyId) -> &'static str {
        match (self.may_turn(body), self.state.may_withdraw(body)) {
            (true, true) => "stay, turn or withdraw",
            (true, false) => "stay or turn",
            _ => "stay or withdraw",
        }
    }
}

/// Thousandths in halves: `1½`.
fn halves(mils: i64) -> String {
    match (mils / 1000, mils % 1000) {
        (n, 0) => n.to_string(),
        (0, _) => "½".to_owned(),
        (n, _) => format!("{n}½"),
    }
}
