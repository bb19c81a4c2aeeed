//! Scenario files and written positions.

use std::collections::BTreeMap;

use super::Rules;
use crate::Faults;

/// House rules and options by name, as a scenario or a player sets them.
pub type Options = BTreeMap<String, bool>;

/// The surveys and charts that a scenario may name.
pub trait Library {
    /// The text of the survey of that name.
    fn survey(&self, name: &str) -> Option<String>;

    /// The text of the scenario of that id.
    fn scenario(&self, _id: &str) -> Option<String> {
        None
    }
}

/// What a system reads: scenarios, and positions in mid-game.
pub trait Files: Rules {
    /// Reads a scenario file. `options` overrides the file's house rules.
    ///
    /// # Errors
    /// Every fault of the file at once, each at its place.
    fn compile(source: &str, library: &dyn Library, options: &Options) -> Result<Self::Battle, Faults>;

    /// Sets up a position in mid-game from a situation's `[position]` table (a TOML text of its own).
    ///
    /// # Errors
    /// Every fault at once, each at its place in `position`.
    fn position(battle: &Self::Battle, position: &str) -> Result<Self::State, Faults>;
}
