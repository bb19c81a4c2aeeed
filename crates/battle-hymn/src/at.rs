//! The two views that rules are written on: one to read a position, one to act on it.

use game::{Effects, Side};

use crate::setup::battle::Battle;
use crate::setup::ground::Ground;
use crate::setup::pieces::Unit;
use crate::state::{Id, Piece, State};

/// A position to read from.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    pub battle: &'a Battle,
    pub state: &'a State,
}

impl<'a> At<'a> {
    #[inline]
    pub(crate) fn new(battle: &'a Battle, state: &'a State) -> At<'a> {
        At { battle, state }
    }

    #[inline]
    pub(crate) fn unit(self, id: Id) -> &'a Unit {
        self.battle.unit(id)
    }

    #[inline]
    pub(crate) fn piece(self, id: Id) -> &'a Piece {
        self.state.piece(id)
    }

    #[inline]
    pub(crate) fn side(self, id: Id) -> Side {
        self.battle.side(id)
    }

    pub(crate) fn name(self, id: Id) -> &'a str {
        self.battle.name(id)
    }

    #[inline]
    pub(crate) fn ground(self) -> &'a Ground {
        &self.battle.ground
    }
}

/// A position to act on, with the dice and the log.
pub(crate) struct Run<'a, F> {
    pub battle: &'a Battle,
    pub state: &'a mut State,
    pub fx: &'a mut F,
}

impl<'a, F: Effects> Run<'a, F> {
    #[inline]
    pub(crate) fn new(battle: &'a Battle, state: &'a mut State, fx: &'a mut F) -> Run<'a, F> {
        Run { battle, state, fx }
    }

    /// The position as it stands.
    #[inline]
    pub(crate) fn at(&self) -> At<'_> {
        At { battle: self.battle, state: self.state }
    }
}
