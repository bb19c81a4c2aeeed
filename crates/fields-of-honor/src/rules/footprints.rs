//! Footprints: everybody on the table with the ground they cover, worked out once for a position.

use game::Side;
use table::{Bounds, Rect};

use crate::at::At;
use crate::rules::basics::{Layout, gap};
use crate::state::{BodyId, Marks};

/// A body as it stands.
#[derive(Debug, Clone)]
pub(crate) struct Footprint {
    pub id: BodyId,
    pub side: Side,
    pub marks: Marks,
    pub layout: Layout,
    /// The rectangle around all its stands.
    pub block: Rect,
}

/// All bodies on the table, in their order.
#[derive(Debug, Clone)]
pub(crate) struct Footprints {
    all: Vec<Footprint>,
    /// The same bodies' bounds side by side: most questions end here.
    bounds: Vec<Bounds>,
}

impl At<'_> {
    /// Everybody on the table as they stand now.
    pub(crate) fn footprints(self) -> Footprints {
        let bodies = self.state.bodies.len();
        let mut here = Footprints { all: Vec::with_capacity(bodies), bounds: Vec::with_capacity(bodies) };
        for (id, body) in self.state.on_table() {
            let layout = body.layout(self.battle);
            let block = layout.block();
            here.bounds.push(block.bounds);
            here.all.push(Footprint { id, side: self.battle.side(body), marks: body.marks, layout, block });
        }
        here
    }
}

impl Footprints {
    /// Everybody.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Footprint> {
        self.all.iter()
    }

    /// Everybody but one whose bounds meet these.
    pub(crate) fn near(&self, but: BodyId, bounds: Bounds) -> impl Iterator<Item = &Footprint> {
        let met = self.bounds.iter().enumerate().filter(move |(_, b)| b.meets(&bounds));
        met.map(|(i, _)| &self.all[i]).filter(move |f| f.id != but)
    }

    /// One body, if it is there.
    pub(crate) fn get(&self, id: BodyId) -> Option<&Footprint> {
        self.all.iter().find(|f| f.id == id)
    }

    /// The nearest enemy of a side to a body standing there, unsighted markers and guns that nobody serves apart.
    pub(crate) fn nearest_enemy(&self, side: Side, from: &Layout, block: &Rect) -> Option<(&Footprint, i64)> {
        let mut best: Option<(&Footprint, i64)> = None;
        for (enemy, bounds) in self.all.iter().zip(&self.bounds) {
            if enemy.side == side || enemy.marks.unsighted() || enemy.marks.has(Marks::ABANDONED) {
                continue;
            }
            // Boxes are never farther apart than blocks, nor blocks than stands: the cheap bounds first.
            let least = best.map_or(i64::MAX, |(_, distance)| distance);
            if gap(bounds, &block.bounds) >= least {
                continue;
            }
            let mut distance = block.distance(&enemy.block);
            if distance < least && !(from.solid() && enemy.layout.solid()) {
                distance = from.distance(&enemy.layout);
            }
            if distance < least {
                best = Some((enemy, distance));
            }
        }
        best
    }
}
