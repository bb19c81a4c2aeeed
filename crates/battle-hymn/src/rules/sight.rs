//! 9.3: lines of sight, worked out once a battle.

use game::Side;
use hexmap::{Crossing, Hex, HexSet, Pass};

use crate::at::At;
use crate::rules::charts::Charts;
use crate::setup::battle::Battle;
use crate::setup::ground::{Feature, Features, Ground};
use crate::state::NOWHERE;

/// 9.3.d.
pub(crate) const LIMIT: u16 = 4;

impl Ground {
    /// The hexes that see, and are seen from, a hex.
    pub(crate) fn seen_from(&self, charts: &Charts, from: Hex) -> HexSet {
        if !self.on_map.contains(from) {
            return HexSet::EMPTY;
        }
        self.grid
            .within(from, LIMIT)
            .filter(|&to| self.on_map.contains(to))
            // 9.3.c: one trace serves both, from the higher hex.
            .filter(|&to| {
                let key = |hex: Hex| (-self.level[hex.index()], hex);
                let (high, low) = if key(from) <= key(to) { (from, to) } else { (to, from) };
                self.has_sight(charts, high, low)
            })
            .collect()
    }
}

/// A hex or spine on the line: how high it stands, where, and whether an escarpment is crossed at it.
struct Stage {
    hex: Hex,
    height: i8,
    escarpment: bool,
}

impl Ground {
    /// Whether `high` (not lower than `low`) sees it.
    fn has_sight(&self, charts: &Charts, high: Hex, low: Hex) -> bool {
        let Some(line) = self.lines.between(&self.grid, high, low) else { return false };
        let level = |hex: Hex| self.level[hex.index()];
        let mut before = Stage { hex: high, height: level(high), escarpment: false };
        for leg in line.legs() {
            let cliff = self.crosses_escarpment(leg.over);
            before.escarpment |= cliff;
            let Some((hex, height)) = self.height_of(charts, leg.into, low) else { return false };
            if self.is_change_hex_too_far(&before, height, high, low) {
                return false;
            }
            // 9.3.h, 9.3.j: nothing between may stand above the higher unit.
            if hex != low && height > level(high) {
                return false;
            }
            before = Stage { hex, height, escarpment: cliff };
        }
        true
    }

    /// 9.3.f: blocking terrain stands one level above its hex; the end hexes' terrain does not count (9.3.a). Along a spine the lower
    /// of the two hexes counts (9.3.g). None where there is no map.
    fn height_of(&self, charts: &Charts, pass: Pass, end: Hex) -> Option<(Hex, i8)> {
        let height = |hex: Hex| {
            let blocks = charts.hexes[usize::from(self.terrain[hex.index()])].blocks_sight && hex != end;
            self.on_map.contains(hex).then_some((hex, self.level[hex.index()] + i8::from(blocks)))
        };
        match pass {
            Pass::Through(hex) => height(hex),
            Pass::Spine(a, b) => match (height(a), b.and_then(height)) {
                (Some(a), Some(b)) => Some(if b.1 < a.1 { b } else { a }),
                (a, b) => a.or(b),
            },
        }
    }

    /// 9.3.k, 9.3.m: an elevation change hex nearer to the lower unit than to the higher hides it; with an escarpment, also one
    /// as near.
    fn is_change_hex_too_far(&self, edge: &Stage, next: i8, high: Hex, low: Hex) -> bool {
        let (top, bottom) = (self.level[high.index()], self.level[low.index()]);
        if top == bottom || edge.height <= bottom || next >= edge.height {
            return false;
        }
        let (to_high, to_low) = (self.distance(edge.hex, high), self.distance(edge.hex, low));
        to_high > to_low || (edge.escarpment && to_high == to_low)
    }

    fn crosses_escarpment(&self, over: Crossing) -> bool {
        let cliff = |side| {
            let (hex, direction) = self.grid.crossing(side);
            self.side_features(hex, direction.index()).has(Feature::Escarpment)
        };
        match over {
            Crossing::Side(side) => cliff(side),
            Crossing::Corner { leaving, entering } => {
                leaving.into_iter().all(cliff) || entering.into_iter().all(cliff)
            }
        }
    }

    /// The features of the target's side that a shot crosses, seen from outside (R40).
    pub(crate) fn crossed_by_shot(&self, from: Hex, target: Hex) -> Features {
        if let Some(direction) = self.direction(from, target) {
            return self.side_features(from, direction);
        }
        let last = self.lines.between(&self.grid, from, target).and_then(|line| line.crossings().last());
        let outside = |side| {
            let (hex, direction) = self.grid.crossing(side);
            if hex != target {
                return self.side_features(hex, direction.index());
            }
            match self.beyond[hex.index()][direction.index()] {
                NOWHERE => Features::default(),
                beyond => self.side_features(beyond, direction.opposite().index()),
            }
        };
        match last {
            Some(Crossing::Side(side)) => outside(side),
            Some(Crossing::Corner { entering: [a, b], .. }) => outside(a).shared_with(outside(b)),
            None => Features::default(),
        }
    }

    /// R40: the slope or escarpment that a shot from lower ground climbs on its way, the worse one if it climbs both.
    pub(crate) fn climbed_by_shot(&self, charts: &Charts, from: Hex, target: Hex) -> Option<Feature> {
        if self.level[target.index()] <= self.level[from.index()] {
            return None;
        }
        if self.direction(from, target).is_some() {
            return self.climbed(from, target);
        }
        let line = self.lines.between(&self.grid, from, target)?;
        let (mut at, mut along, mut worst) = (from, None, None);
        for leg in line.legs() {
            match leg.into {
                Pass::Spine(a, b) => along = Some((a, b)),
                Pass::Through(hex) => {
                    let climb = match along.take() {
                        Some(spine) => self.climbed_along(charts, at, spine, hex),
                        None => self.climbed(at, hex),
                    };
                    worst = charts.worse(worst, climb);
                    at = hex;
                }
            }
        }
        worst
    }

    /// Along a spine the shot climbs only if it does so past either hex; it then has the better of the two courses.
    fn climbed_along(
        &self,
        charts: &Charts,
        from: Hex,
        (a, b): (Hex, Option<Hex>),
        to: Hex,
    ) -> Option<Feature> {
        let past = |hex: Hex| {
            self.on_map.contains(hex).then(|| charts.worse(self.climbed(from, hex), self.climbed(hex, to)))
        };
        match (past(a), b.and_then(past)) {
            (Some(one), Some(other)) => one.zip(other).map(|(one, other)| {
                let value = |f: Feature| charts.sides[f as usize].to_hit;
                if value(one) >= value(other) { one } else { other }
            }),
            (one, other) => one.or(other).flatten(),
        }
    }

    /// The edge between two neighbours, if the second is the higher.
    fn climbed(&self, from: Hex, to: Hex) -> Option<Feature> {
        let features = self.side_features(from, self.direction(from, to)?);
        if self.level[to.index()] <= self.level[from.index()] {
            return None;
        }
        [Feature::Escarpment, Feature::Slope].into_iter().find(|&edge| features.has(edge))
    }
}

impl Charts {
    fn worse(&self, one: Option<Feature>, other: Option<Feature>) -> Option<Feature> {
        let value = |f: &Feature| self.sides[*f as usize].to_hit;
        [one, other].into_iter().flatten().min_by_key(value)
    }
}

impl Battle {
    #[inline]
    pub(crate) fn in_sight(&self, a: Hex, b: Hex) -> bool {
        self.ground.sees[a.index()].contains(b)
    }
}

impl At<'_> {
    /// Every hex that an enemy of `side` can see (9.3.e: units never hide anything).
    pub(crate) fn seen_by_enemies(self, side: Side) -> HexSet {
        let mut seen = HexSet::EMPTY;
        for id in self.state.on_map().and(self.battle.armies[side.enemy()].units) {
            seen |= self.ground().sees[self.piece(id).hex.index()];
        }
        seen
    }
}
