//! The two views of a battle under way: [`At`] reads a position, [`Run`] acts on it.

use game::Effects;

use crate::setup::battle::Battle;
use crate::state::State;

/// A position to read. The rules that only look are methods of it, in the files of their chapters.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    /// The battle.
    pub battle: &'a Battle,
    /// The moment.
    pub state: &'a State,
}

impl<'a> At<'a> {
    /// A position of a battle.
    #[inline]
    #[must_use]
    pub fn new(battle: &'a Battle, state: &'a State) -> At<'a> {
        At { battle, state }
    }
}

/// A position to act on, with the dice and the log.
#[derive(Debug)]
pub(crate) struct Run<'a, F> {
    pub(crate) battle: &'a Battle,
    pub(crate) state: &'a mut State,
    pub(crate) fx: &'a mut F,
}

impl<'a, F: Effects> Run<'a, F> {
    /// A position of a battle, and what rolls its dice.
    #[inline]
    pub(crate) fn new(battle: &'a Battle, state: &'a mut State, fx: &'a mut F) -> Run<'a, F> {
        Run { battle, state, fx }
    }

    /// The position as it is now.
    #[inline]
    pub(crate) fn at(&self) -> At<'_> {
        At::new(self.battle, self.state)
    }
}
