//! A position to read from (`At`) and a position to act on (`Run`). The rules are their methods, each in the file of
//! its chapter.

use game::{Effects, Entry};

use crate::setup::battle::Battle;
use crate::state::State;

/// A position of a battle, to be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'a> {
    pub(crate) battle: &'a Battle,
    pub(crate) state: &'a State,
}

impl<'a> At<'a> {
    #[inline]
    pub(crate) fn new(battle: &'a Battle, state: &'a State) -> At<'a> {
        At { battle, state }
    }
}

/// A position of a battle in play: what happens changes it, rolls dice and is told.
#[derive(Debug)]
pub(crate) struct Run<'a, F> {
    pub(crate) battle: &'a Battle,
    pub(crate) state: &'a mut State,
    pub(crate) fx: &'a mut F,
}

impl<'a, F: Effects> Run<'a, F> {
    #[inline]
    pub(crate) fn new(battle: &'a Battle, state: &'a mut State, fx: &'a mut F) -> Run<'a, F> {
        Run { battle, state, fx }
    }

    /// Tells what has happened, if anybody listens.
    #[inline]
    pub(crate) fn tell(&mut self, entry: impl FnOnce(At<'_>) -> Entry) {
        let at = At::new(self.battle, self.state);
        self.fx.tell(|| entry(at));
    }

    /// The position as it is now.
    #[inline]
    pub(crate) fn at(&self) -> At<'_> {
        At::new(self.battle, self.state)
    }
}
