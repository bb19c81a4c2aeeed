//! Actions as people write them.

use super::Rules;

/// How actions are written and read: the only form of them that leaves the engine. Journals, situations, the wire and
/// the command line use it.
pub trait Notation: Rules {
    /// The action in notation, as journals and situations write it: `march meredith 1010 0910`.
    fn write(battle: &Self::Battle, action: &Self::Action) -> String;

    /// Reads notation. The position helps to complete what a person left out.
    ///
    /// # Errors
    /// A sentence that says what was expected.
    fn read(battle: &Self::Battle, state: &Self::State, notation: &str) -> Result<Self::Action, String>;
}
