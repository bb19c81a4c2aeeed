//! The volley under way as a ladder of steps.

use std::cmp::Ordering;

use game::Rule;
use game::board::{Panel, StepCell, StepState};

use crate::at::At;
use crate::state::{Step, Why};

/// The steps of a volley in the order of the book.
const STEPS: [(&str, Rule); 5] = [
    ("Declare the fire", cite!("9.5.a")),
    ("Combat die", cite!("9.5.d")),
    ("Losses and morale", cite!("9.6.b")),
    ("Retreats and routs", cite!("9.8.a")),
    ("Advance", cite!("9.9.a")),
];

impl At<'_> {
    /// How far the volley is, while one is being resolved.
    pub(crate) fn volley_ladder(self) -> Option<Panel> {
        let now = rung(self.state.agenda.top()?)?;
        let cell = |(i, &(label, rule)): (usize, &(&str, Rule))| StepCell {
            label: label.into(),
            state: match i.cmp(&now) {
                Ordering::Less => StepState::Done,
                Ordering::Equal => StepState::Now,
                Ordering::Greater => StepState::Ahead,
            },
            note: String::new(),
            rule: Some(rule),
            side: None,
        };
        Some(Panel::Steps { title: "Volley".into(), steps: STEPS.iter().enumerate().map(cell).collect() })
    }
}

/// Which step of the volley a step of the agenda belongs to; rallies are no part of one.
fn rung(step: Step) -> Option<usize> {
    Some(match step {
        Step::Morale { why: Why::Rally, .. } | Step::MoraleDie { why: Why::Rally, .. } => return None,
        Step::Volley => 0,
        Step::CombatDie { .. } | Step::LoneLeader { .. } | Step::LeaderDie { .. } => 1,
        Step::Casualty { .. }
        | Step::Place { .. }
        | Step::Morale { .. }
        | Step::MoraleDie { .. }
        | Step::PassedBy { .. } => 2,
        Step::Limber { .. } | Step::Choose { .. } | Step::Retreat { .. } => 3,
        Step::Advance | Step::Follow { .. } => 4,
    })
}

#[cfg(test)]
mod tests {
    use crate::state::UnitId;

    use super::*;

    #[test]
    fn a_volley_climbs_the_ladder_in_the_order_of_the_book() {
        let unit = UnitId(0);
        let way = [
            Step::Volley,
            Step::CombatDie { natural: 5 },
            Step::Morale { unit, why: Why::Passed },
            Step::Limber { unit },
            Step::Advance,
        ];
        let rungs: Vec<Option<usize>> = way.into_iter().map(rung).collect();
        assert_eq!(rungs, (0..STEPS.len()).map(Some).collect::<Vec<_>>());
        assert_eq!(rung(Step::Morale { unit, why: Why::Rally }), None);
    }
}
