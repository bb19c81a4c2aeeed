//! 9.4 Line of sight: ground, levels, and friendly units next to the target.

use game::Side;
use hexmap::{Hex, HexSet, Pass};

use crate::at::At;
use crate::setup::battle::Battle;

impl Battle {
    /// 9.4: whether a unit of a side with these friends sees from one hex into another. Friendly units next to the
    /// target hide it when the line crosses their hex. Along a hexside it crosses neither: only the ground of both
    /// hexes hides the target there, and at the edge of the map there is only one (R2).
    pub(crate) fn sees(&self, friends: &HexSet, from: Hex, to: Hex) -> bool {
        let map = &self.map;
        if map.beside[from.index()].contains(to) {
            return true;
        }
        if !map.seen[from.index()].contains(to) {
            return false;
        }
        let near_target = map.beside[to.index()];
        if !near_target.meets(friends) {
            return true;
        }
        let in_the_way = near_target & *friends;
        map.lines.between(&map.grid, from, to).is_some_and(|line| {
            !line.between().any(|pass| matches!(pass, Pass::Through(hex) if in_the_way.contains(hex)))
        })
    }

    /// Whether the ground alone hides one hex from the other.
    pub(crate) fn ground_hides(&self, from: Hex, to: Hex) -> bool {
        !self.map.beside[from.index()].contains(to) && !self.map.seen[from.index()].contains(to)
    }
}

impl At<'_> {
    /// The hexes with a combat unit of the side.
    pub(crate) fn standing(self, side: Side) -> HexSet {
        self.on_map(side).map(|(hex, _)| hex).collect()
    }
}
