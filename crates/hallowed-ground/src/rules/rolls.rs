//! Modifiers as lists of (value, reason, rule), and the two-dice tests that use them.

use arrayvec::ArrayVec;
use game::{Die, Effects, Modifier, PieceId, RollNote, Rule};

use crate::setup::battle::{Battle, CommanderId, UnitId};

/// The terms of a roll.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mods(ArrayVec<(i16, &'static str, Rule), 14>);

impl Mods {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn when(&mut self, applies: bool, value: i16, reason: &'static str, rule: Rule) {
        if applies && value != 0 {
            self.0.push((value, reason, rule));
        }
    }

    pub(crate) fn sum(&self) -> i16 {
        self.0.iter().map(|m| m.0).sum()
    }

    pub(crate) fn list(&self) -> Vec<Modifier> {
        self.0.iter().map(|(value, reason, rule)| Modifier::new(*value, *reason, *rule)).collect()
    }
}

/// The piece of a unit on the board.
pub(crate) fn piece(u: UnitId) -> PieceId {
    PieceId(u16::from(u.0))
}

/// The piece of a commander: they come after the units.
pub(crate) fn commander_piece(battle: &Battle, c: CommanderId) -> PieceId {
    PieceId((battle.units.len() + c.i()) as u16)
}

/// Two dice for a unit, with the terms of the test.
pub(crate) fn two_dice(
    fx: &mut impl Effects,
    battle: &Battle,
    u: UnitId,
    what: &str,
    mods: &Mods,
    rule: Rule,
) -> i16 {
    let note = || {
        RollNote::new(format!("{}: {what}", battle.unit(u).name), rule)
            .side(battle.unit(u).side)
            .by(piece(u))
            .modifiers(mods.list())
    };
    fx.total(2, Die::D6, note) as i16
}
