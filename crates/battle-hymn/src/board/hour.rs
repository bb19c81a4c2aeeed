//! The sequence of an Hour with the present step marked.

use game::board::{StepCell, StepState};
use game::words::counted;
use game::{Rule, Side};

use crate::at::At;

impl At<'_> {
    /// The steps of chapter 4. Whatever a player decides falls into a Turn: one that was drawn, or the held Combat Turn.
    pub(crate) fn hour_steps(self) -> Vec<StepCell> {
        let state = self.state;
        let used = state.held.is_none();
        let held_now = used && state.initiative.is_some() && state.attacker == state.initiative;
        let left = state.cup.count_ones();
        let cell = |label: &str, rule: Rule, state: StepState, note: String, side: Option<Side>| StepCell {
            label: label.into(),
            state,
            note,
            rule: Some(rule),
            side,
        };
        let held = match state.initiative {
            None => StepState::Skipped,
            Some(_) if held_now => StepState::Now,
            Some(_) if used => StepState::Done,
            Some(_) => StepState::Ahead,
        };
        let draws = match held_now {
            true if left == 0 => StepState::Done,
            true => StepState::Ahead,
            false => StepState::Now,
        };
        vec![
            cell("Initiative", cite!("4.a"), StepState::Done, String::new(), state.initiative),
            cell("Cup", cite!("4.b"), StepState::Done, String::new(), None),
            cell("Turns drawn", cite!("4.d"), draws, format!("{} in the cup", counted(left, "marker")), None),
            cell("Held combat", cite!("4.g"), held, String::new(), state.initiative),
            cell("Time", cite!("4.h"), StepState::Ahead, String::new(), None),
        ]
    }
}
