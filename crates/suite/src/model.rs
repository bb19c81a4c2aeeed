//! What the models share: tests that read a book a second time and compare random positions with the engine.

use game::dice::QuickDice;
use game::log::{Chronicle, Roll};
use game::{Fx, Options, System};

use crate::Shelf;

/// Column and row of a hex, from 1.
pub type At = (i32, i32);

/// The number of a hex: `0910`.
#[must_use]
pub fn name((column, row): At) -> String {
    format!("{column:02}{row:02}")
}

/// Where the even columns of a map lie, half a hex from the odd ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Even {
    Low,
    High,
}

/// The neighbours of a hex, clockwise from the north, on the map or not.
#[must_use]
pub fn around((c, r): At, even: Even) -> [At; 6] {
    let lower = (c % 2 == 0) == (even == Even::Low);
    let (up, down) = if lower { (r, r + 1) } else { (r - 1, r) };
    [(c, r - 1), (c + 1, up), (c + 1, down), (c, r + 1), (c - 1, down), (c - 1, up)]
}

/// A position that a model has written: the scenario, and what differs from its start.
///
/// # Panics
/// With the faults of either, if it has any.
#[must_use]
pub fn build<S: System>(text: &str, source: &str) -> (S::Battle, S::State) {
    let battle = S::compile(text, &Shelf, &Options::new())
        .unwrap_or_else(|faults| panic!("\n{}\n{text}", faults.report("model", text)));
    let state = S::position(&battle, source)
        .unwrap_or_else(|faults| panic!("\n{}\n{text}{source}", faults.report("position", source)));
    (battle, state)
}

/// Whether an order reads and is allowed.
#[must_use]
pub fn may<S: System>(battle: &S::Battle, state: &S::State, order: &str) -> bool {
    S::read(battle, state, order).is_ok_and(|action| S::check(battle, state, &action).is_ok())
}

/// Answers with an order that is allowed; what runs by itself waits.
///
/// # Panics
/// If the order does not read.
pub fn answer<S: System>(
    battle: &S::Battle,
    state: &mut S::State,
    order: &str,
    fx: &mut Fx<QuickDice, Chronicle>,
) {
    let action = S::read(battle, state, order).unwrap_or_else(|_| panic!("`{order}` does not read"));
    S::answer(battle, state, &action, fx);
}

/// The rolls of a log, in order.
#[must_use]
pub fn rolls(log: &Chronicle) -> Vec<&Roll> {
    log.entries.iter().filter_map(|entry| entry.roll.as_ref()).collect()
}
