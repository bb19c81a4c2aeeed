//! Values and errors as Python has them.

use game::{BySide, Outcome, Side};
use players::Player;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use serde::Serialize;

/// Plain data as dicts and lists.
pub(crate) fn plain<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let json = serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))?;
    py.import("json")?.getattr("loads")?.call1((json,))
}

pub(crate) fn side(index: usize) -> PyResult<Side> {
    let wrong = || PyIndexError::new_err(format!("there is no side {index}; sides are 0 and 1"));
    Side::BOTH.get(index).copied().ok_or_else(wrong)
}

pub(crate) fn player(name: &str) -> PyResult<Player> {
    Player::custom(name).map_err(PyValueError::new_err)
}

pub(crate) fn seats(first: &str, second: &str) -> PyResult<BySide<Player>> {
    Ok(BySide { first: player(first)?, second: player(second)? })
}

/// What the first side gets for an outcome.
pub(crate) fn reward(outcome: Outcome) -> f32 {
    match outcome {
        Outcome::Won(Side::First) => 1.0,
        Outcome::Drawn => 0.0,
        Outcome::Won(Side::Second) => -1.0,
    }
}
