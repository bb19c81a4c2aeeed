//! What situations ask about a position.

use super::Rules;
use crate::situation::{Fact, Unknown};

/// Named facts and stops, so that a situation can state anything about a position without a schema for each system.
pub trait Facts: Rules {
    /// A named fact of the position, for situations: `meredith.hex`, `score.usa`, `sight.0505.0507`.
    ///
    /// # Errors
    /// Which part of the name is unknown, and what is known there.
    fn fact(battle: &Self::Battle, state: &Self::State, name: &str) -> Result<Fact, Unknown>;

    /// What must hold whenever somebody decides, whatever was played before; a game may end in the middle of something.
    /// Tests check it at every decision, and so do studies that are asked to; it may be slow.
    ///
    /// # Errors
    /// What does not hold.
    fn invariant(_battle: &Self::Battle, _state: &Self::State) -> Result<(), String> {
        Ok(())
    }

    /// The phase or check that runs next by itself, by the name a situation stops at: `morale`, `rally`. Asked between
    /// two steps; none where a decision is at hand or nothing that has a name is next. A decision that the next step
    /// passes over because there is nothing to do has a name too: there [`Rules::check`] refuses as it would in that
    /// decision.
    fn upcoming(_battle: &Self::Battle, _state: &Self::State) -> Option<&'static str> {
        None
    }

    /// Every name that [`Facts::upcoming`] may give; empty if they are not known.
    fn stops() -> &'static [&'static str] {
        &[]
    }

    /// Every kind of decision that [`Display::prompt`](crate::Display::prompt) may give; empty if they are not known.
    fn kinds() -> &'static [&'static str] {
        &[]
    }
}
