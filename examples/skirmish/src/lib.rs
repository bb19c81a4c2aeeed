//! A sixth system in 300 lines: the whole contract, one small file for each of its jobs.

mod board;
mod files;
mod notation;
mod rules;

use arrayvec::ArrayVec;
use game::scenario::Head;
use game::{BySide, Side};
use hexmap::{Grid, Hex};
use serde::{Deserialize, Serialize};

game::rulebook!();

/// The system.
#[derive(Debug, Clone, Copy)]
pub struct Skirmish;

/// A compiled scenario.
#[derive(Debug)]
pub struct Battle {
    head: Head,
    turns: u8,
    grid: Grid,
    names: Vec<String>,
    start: State,
}

/// A position. Units go by their number in the scenario.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    turn: u8,
    side: Side,
    units: ArrayVec<Unit, 12>,
    points: BySide<i32>,
}

/// A unit; without men it is gone.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Unit {
    side: Side,
    hex: Hex,
    men: u8,
    acted: bool,
}

/// A decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// To an adjacent hex.
    Move(usize, Hex),
    /// At an enemy.
    Fire(usize, usize),
    /// The side stops here.
    Done,
}
