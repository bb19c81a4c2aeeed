//! Rolls: the modifiers of one as a list, the two-dice tests, and the notes that go with them.

use game::words::does;
use game::{Die, Effects, RollNote, Rule, Sum, Test};

use crate::at::Run;
use crate::setup::battle::Battle;
use crate::setup::pieces::{UnitId, piece};

impl<F: Effects> Run<'_, F> {
    /// Two dice for a unit, with the terms of the test.
    pub(crate) fn two_dice(&mut self, u: UnitId, what: &str, sum: &Sum, rule: Rule) -> i16 {
        let note = || {
            RollNote::new(format!("{}: {what}", self.battle.unit(u).name), rule)
                .side(self.battle.unit(u).side)
                .by(piece(u))
                .modifiers(sum.modifiers())
        };
        self.fx.total(2, Die::D6, note) as i16
    }
}

impl Battle {
    /// A note for a roll of one unit at another.
    pub(crate) fn note_of_roll(&self, by: UnitId, target: UnitId, what: &str, rule: game::Rule) -> RollNote {
        RollNote::new(format!("{} {}", does(&self.unit(by).name, what), self.unit(target).name), rule)
            .side(self.unit(by).side)
            .by(piece(by))
            .at(piece(target))
    }
}

/// A die that passes at `need` or more.
pub(crate) const fn on(need: i16) -> Test {
    Test::at_least(Die::D6, need)
}
