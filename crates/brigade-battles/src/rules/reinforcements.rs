//! 8.3 Reinforcements: when they are due, and through which hexes they come.

use game::{Allowed, Die, Effects, Entry, Kind, No, RollNote};
use hexmap::{Hex, HexSet};

use crate::at::{At, Run};
use crate::legal::no;
use crate::rules::charts::Closed;
use crate::rules::concepts::Lines;
use crate::rules::march::Walk;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Arm, Start};
use crate::state::{Piece, State};

impl Walk<'_> {
    /// Why a reinforcement cannot come to a hex.
    pub(crate) fn why_no_entry(&self, to: Hex) -> No {
        match self.entry(to) {
            Err(no) => no,
            Ok(_) => no!(
                "8.3.a",
                "it enters through the hexes of its entry area, and that hex is beyond its reach from there"
            ),
        }
    }
}

impl Battle {
    /// 8.3.a, 8.3.c: the hexes through which a reinforcement may come now.
    pub(crate) fn entry_hexes(&self, lines: &Lines, piece: Piece) -> HexSet {
        let (Start::Enters { area, .. } | Start::ByDie { area, .. }) = self.start_of(piece) else {
            return HexSet::EMPTY;
        };
        let area = &self.areas[usize::from(area)].1;
        let blocked = |hex: Hex| lines.enemies.contains(hex) || lines.zone.contains(hex);
        let free = |hex: Hex| !blocked(hex) && self.is_open_to(piece, hex);
        let open: HexSet = area.iter().copied().filter(|&hex| free(hex)).collect();
        if !open.is_empty() {
            return open;
        }
        let distance =
            |hex: Hex| area.iter().map(|&a| self.map.grid.distance(a, hex)).min().unwrap_or(u16::MAX);
        let edge = || self.map.edge.iter().filter(|&hex| free(hex));
        let least = edge().map(distance).min();
        edge().filter(|&hex| Some(distance(hex)) == least).collect()
    }

    /// 8.1.4.b: whether the ground of the hex is not closed to the piece.
    fn is_open_to(&self, piece: Piece, hex: Hex) -> bool {
        match self.ground(hex).closed {
            Closed::ToNobody => true,
            Closed::ToGuns => !matches!(piece, Piece::Unit(id) if self.unit(id).arm == Arm::Artillery),
            Closed::ToAll => false,
        }
    }
}

impl At<'_> {
    /// 8.3.a: a reinforcement may enter from its turn on.
    pub(crate) fn is_due(self, piece: Piece) -> Allowed {
        let start = self.battle.start_of(piece);
        if let Start::At(_) | Start::Nowhere = start {
            return Err(no!("8.3.a", "the scenario does not bring it onto the map"));
        }
        match self.state.turn_of(start) {
            Some(turn) if turn <= self.state.turn => Ok(()),
            _ => Err(no!("8.3.a", "it is not due yet")),
        }
    }
}

impl<F: Effects> Run<'_, F> {
    /// 13.0: on the first turn on which they may come, a die tells when those come whose hour the scenario leaves open.
    pub(crate) fn draw_lots(&mut self) {
        for (index, lot) in self.battle.lots.iter().enumerate() {
            if lot.turns[0] != self.state.turn || self.state.lots[index].is_some() {
                continue;
            }
            let face = self.fx.die(Die::D10, || RollNote::new(format!("{}: when?", lot.name), lot.rule));
            let turn = lot.turns[usize::from(face - 1)];
            self.state.lots[index] = Some(turn);
            self.tell(|at| {
                let hour = &at.battle.turns[usize::from(turn)].label;
                Entry::new(Kind::Time, format!("{}: {hour}.", lot.name)).rule(lot.rule)
            });
        }
    }
}

impl State {
    /// The turn from which a piece may enter, as far as that is known.
    pub(crate) fn turn_of(&self, start: Start) -> Option<u8> {
        match start {
            Start::Enters { turn, .. } => Some(turn),
            Start::ByDie { lot, .. } => self.lots.get(usize::from(lot)).copied().flatten(),
            Start::At(_) | Start::Nowhere => None,
        }
    }
}
