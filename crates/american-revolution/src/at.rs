//! The two views of a battle under way: [`At`] reads a position, [`Run`] acts on it.

use game::words::{does, side_does};
use game::{Effects, Entry, Kind, Rule, Side};
use hexmap::Hex;

use crate::setup::battle::{Battle, Counter};
use crate::setup::pieces::{Piece, Pieces};
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

    /// Where a piece is.
    #[inline]
    pub(crate) fn hex(self, piece: Piece) -> Option<Hex> {
        self.state.hex(piece)
    }

    /// All pieces in a hex.
    #[inline]
    pub(crate) fn in_hex(self, hex: Hex) -> Pieces {
        self.state.in_hex(hex)
    }

    /// Everything on the map.
    #[inline]
    pub(crate) fn on_map(self) -> Pieces {
        self.state.on_map()
    }

    /// The counter of a piece.
    #[inline]
    pub(crate) fn counter(self, piece: Piece) -> &'a Counter {
        self.battle.counter(piece)
    }

    /// Whose piece it is.
    #[inline]
    pub(crate) fn side(self, piece: Piece) -> Side {
        self.battle.side(piece)
    }

    /// A side's combat units in a hex.
    #[inline]
    pub(crate) fn units_in(self, hex: Hex, side: Side) -> Pieces {
        self.state.in_hex(hex) & self.battle.units[side]
    }

    /// The SP a unit stacks with (R6).
    #[inline]
    pub(crate) fn strength(self, unit: Piece) -> u8 {
        self.battle.counter(unit).strength[self.state.face(unit)]
    }

    /// The SP a unit fires with.
    #[inline]
    pub(crate) fn fire_strength(self, unit: Piece) -> u8 {
        self.battle.counter(unit).fire[self.state.face(unit)]
    }

    /// The morale printed on its current side (15.31.a).
    #[inline]
    pub(crate) fn base_morale(self, unit: Piece) -> i8 {
        self.battle.counter(unit).morale[self.state.face(unit)]
    }

    /// Steps that a unit still has.
    pub(crate) fn steps(self, unit: Piece) -> u8 {
        self.battle.counter(unit).steps - self.state.reduced.has(unit) as u8
    }

    /// Chits that nobody holds (12.61.a).
    pub(crate) fn pool(self) -> u8 {
        self.battle.charts.chits[0].saturating_sub(self.state.chits.first + self.state.chits.second)
    }

    /// A side's units in the close combat under way.
    pub(crate) fn fighters(self, side: Side) -> Pieces {
        self.state.fight.of(self.battle, side)
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

    /// The position as it is now, and beside it the dice and the log.
    #[inline]
    pub(crate) fn parts(&mut self) -> (At<'_>, &mut F) {
        (At::new(self.battle, self.state), self.fx)
    }

    /// Tells what a piece does: "is captured".
    pub(crate) fn tell_piece(&mut self, kind: Kind, piece: Piece, does: &str, rule: Rule) {
        let battle = self.battle;
        self.fx.tell(|| battle.piece_entry(kind, piece, does, rule));
    }

    /// Tells what a side does: "gains momentum".
    pub(crate) fn tell_side(&mut self, kind: Kind, side: Side, does: &str, rule: Rule) {
        let battle = self.battle;
        self.fx.tell(|| {
            let text = format!("{}.", side_does(&battle.armies[side].name, does));
            Entry::new(kind, text).side(side).rule(rule)
        });
    }
}

impl Battle {
    fn piece_entry(&self, kind: Kind, piece: Piece, phrase: &str, rule: Rule) -> Entry {
        let text = format!("{}.", does(&self.counter(piece).name, phrase));
        Entry::new(kind, text).side(self.side(piece)).rule(rule).piece(piece.id())
    }

    /// The entry of a piece that went to a hex: "marches to".
    pub(crate) fn went(&self, kind: Kind, piece: Piece, goes: &str, to: Hex, rule: Rule) -> Entry {
        self.piece_entry(kind, piece, &format!("{goes} {}", self.hex_name(to)), rule)
    }
}
