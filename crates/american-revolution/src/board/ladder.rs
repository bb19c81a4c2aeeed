//! The close combat under way as a ladder of steps.

use std::cmp::Ordering;

use game::Rule;
use game::board::{Panel, StepCell, StepState};

use crate::at::At;
use crate::rules::sequence::Step;
use crate::state::Phase;

/// The steps of a close combat in the order of the book.
const STEPS: [(&str, Rule); 7] = [
    ("Announce", cite!("12.21.a")),
    ("Lead units", cite!("12.23.c")),
    ("Withdrawals", cite!("12.23.h")),
    ("Tactics", cite!("12.23.k")),
    ("Roll", cite!("12.23.o")),
    ("Results", cite!("12.23.r")),
    ("Advance", cite!("12.23.s")),
];

impl At<'_> {
    /// How far the close combat is, while one is announced or resolved.
    pub(crate) fn close_combat_ladder(self) -> Option<Panel> {
        if self.state.phase != Phase::CloseCombat {
            return None;
        }
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
        Some(Panel::Steps {
            title: "Close combat".into(),
            steps: STEPS.iter().enumerate().map(cell).collect(),
        })
    }
}

/// Which step of the close combat a step of the agenda belongs to; what ends the phase is no part of one.
fn rung(step: Step) -> Option<usize> {
    Some(match step {
        Step::Designating | Step::NextCombat => 0,
        Step::Leading(_) | Step::Opening => 1,
        Step::Withdrawal | Step::Withdrawing(_, true) | Step::SlippingAway(_) => 2,
        Step::Tactics(_) | Step::Reveal => 3,
        Step::Roll | Step::Momentum(_) => 4,
        Step::Advancing | Step::Close => 6,
        Step::EndOfCombats | Step::Straggling | Step::EndOfPhase => return None,
        _ => 5,
    })
}

#[cfg(test)]
mod tests {
    use game::Side;

    use super::*;

    #[test]
    fn a_close_combat_climbs_the_ladder_in_the_order_of_the_book() {
        let first = Side::First;
        let way = [
            Step::Designating,
            Step::Leading(first),
            Step::Withdrawing(first, true),
            Step::Tactics(first),
            Step::Roll,
            Step::Apply,
            Step::Advancing,
        ];
        let rungs: Vec<Option<usize>> = way.into_iter().map(rung).collect();
        assert_eq!(rungs, (0..STEPS.len()).map(Some).collect::<Vec<_>>());
        // Tactics may withdraw a side too; that is a result of theirs.
        assert_eq!(rung(Step::Withdrawing(first, false)), rung(Step::Apply));
        assert_eq!(rung(Step::EndOfCombats), None);
    }
}
