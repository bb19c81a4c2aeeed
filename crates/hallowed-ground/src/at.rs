//! A position to read from ([`At`]) and one to act on ([`Run`]).

use table::{Disc, Rect};

use crate::field::Field;
use crate::rules::charts::{Stat, footprint, stat};
use crate::rules::formations::{Arm, Formation};
use crate::setup::battle::Battle;
use crate::setup::pieces::{CommanderId, UnitId};
use crate::state::State;

/// A battle and a position of it, to read from.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    pub battle: &'a Battle,
    pub state: &'a State,
}

impl<'a> At<'a> {
    #[inline]
    pub const fn new(battle: &'a Battle, state: &'a State) -> Self {
        Self { battle, state }
    }

    /// The same with every base worked out, for measuring.
    pub fn field(self) -> Field<'a> {
        Field::new(self)
    }
}

/// A battle, a position to change, and the dice and log that go with it.
#[derive(Debug)]
pub(crate) struct Run<'a, F> {
    pub battle: &'a Battle,
    pub state: &'a mut State,
    pub fx: &'a mut F,
}

impl<'a, F> Run<'a, F> {
    #[inline]
    pub(crate) const fn new(battle: &'a Battle, state: &'a mut State, fx: &'a mut F) -> Self {
        Self { battle, state, fx }
    }

    #[inline]
    pub(crate) const fn at(&self) -> At<'_> {
        At::new(self.battle, self.state)
    }

    /// The position with every base worked out, for measuring.
    pub(crate) fn field(&self) -> Field<'_> {
        self.at().field()
    }
}

impl At<'_> {
    /// A unit's statistics in its present formation.
    pub(crate) fn stat(self, u: UnitId) -> Stat {
        stat(self.battle.unit(u).arm, self.state.unit(u).formation)
    }

    pub(crate) fn rect_of(self, u: UnitId) -> Rect {
        let unit = self.state.unit(u);
        Rect::new(unit.pose, footprint(self.battle.unit(u).arm, unit.formation))
    }

    pub(crate) fn disc(self, c: CommanderId) -> Disc {
        Disc { centre: self.state.commanders[c.i()].at.pt(), radius: self.battle.officer(c).radius() }
    }

    /// Mounted cavalry, in line or column.
    pub(crate) fn is_mounted(self, u: UnitId) -> bool {
        self.battle.unit(u).arm == Arm::Cavalry && self.state.unit(u).formation != Formation::DismountedLine
    }
}
