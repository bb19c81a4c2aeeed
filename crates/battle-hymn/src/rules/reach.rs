//! Least-cost marches on flat arrays, on the stack: the inner loop of every Movement Turn.

use arrayvec::ArrayVec;
use hexmap::{Hex, HexSet};

use crate::rules::zones::opposite;
use crate::setup::ground::{CLOSED, Ground};
use crate::state::{NOWHERE, Trail};

/// The largest allowance a unit may have.
pub(crate) const MOST_POINTS: usize = 19;
/// The hexes of a march, without the start.
pub(crate) type Path = ArrayVec<Hex, { Trail::MOST }>;

const WORDS: usize = HexSet::CAPACITY / 64;

/// Where a unit may not go, and where it must stop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub closed: HexSet,
    pub stops: HexSet,
}

/// Scratch space of an exploration: made once a decision, used for each unit in turn.
///
/// Hexes wait in one bit set for each cost, so that the next is always the cheapest, and nothing is sorted or allocated.
/// `B` is one more than the largest budget. All indices are masked to the capacity, which spares every bounds check.
#[derive(Debug)]
pub(crate) struct Reach<const B: usize> {
    cost: [u8; HexSet::CAPACITY],
    waiting: [[u64; WORDS]; B],
    /// For each cost the words of its bit set that are not empty.
    busy: [u16; B],
}

const MASK: usize = HexSet::CAPACITY - 1;

impl<const B: usize> Reach<B> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Reach { cost: [CLOSED; HexSet::CAPACITY], waiting: [[0; WORDS]; B], busy: [0; B] }
    }

    /// Forgets the last exploration.
    #[inline]
    fn begin(&mut self, hexes: usize, start: Hex, bounds: &Bounds) {
        self.cost[..hexes].fill(CLOSED);
        // Nothing is cheaper than 0: closed hexes are never entered.
        for hex in &bounds.closed {
            self.cost[hex.index() & MASK] = 0;
        }
        self.cost[start.index() & MASK] = 0;
        self.wait(0, start.index() & MASK);
    }

    #[inline(always)]
    fn wait(&mut self, cost: usize, hex: usize) {
        self.waiting[cost][hex / 64] |= 1 << (hex % 64);
        self.busy[cost] |= 1 << (hex / 64);
    }

    /// The next hex that waits at this cost.
    #[inline(always)]
    fn next(&mut self, cost: usize) -> Option<usize> {
        while self.busy[cost] != 0 {
            let word = self.busy[cost].trailing_zeros() as usize;
            let bits = self.waiting[cost][word];
            if bits == 0 {
                self.busy[cost] &= self.busy[cost] - 1;
                continue;
            }
            self.waiting[cost][word] = bits & (bits - 1);
            let hex = word * 64 + bits.trailing_zeros() as usize;
            // One that was reached cheaper since has been here already.
            if usize::from(self.cost[hex]) == cost {
                return Some(hex);
            }
        }
        None
    }

    /// Visits every hex a unit can reach, cheapest first, the start included. Every step costs at least 1.
    #[inline]
    pub(crate) fn explore(
        &mut self,
        ground: &Ground,
        costs: &[[u8; 6]],
        start: Hex,
        budget: u8,
        bounds: &Bounds,
        mut visit: impl FnMut(Hex, u8),
    ) {
        let budget = usize::from(budget).min(B - 1);
        self.begin(costs.len(), start, bounds);
        for spent in 0..=budget {
            while let Some(at) = self.next(spent) {
                let hex = Hex(at as u16);
                visit(hex, spent as u8);
                if bounds.stops.contains(hex) && hex != start {
                    continue;
                }
                let beyond = &ground.beyond[at];
                for (direction, &step) in costs[at].iter().enumerate() {
                    let total = spent + usize::from(step);
                    if total > budget {
                        continue;
                    }
                    let next = beyond[direction].index() & MASK;
                    if total < usize::from(self.cost[next]) {
                        self.cost[next] = total as u8;
                        self.wait(total, next);
                    }
                }
            }
        }
    }

    /// Finds what it costs to come to `goal` from every hex within the budget.
    pub(crate) fn explore_back(&mut self, ground: &Ground, costs: &[[u8; 6]], goal: Hex, bounds: &Bounds) {
        self.begin(costs.len(), goal, bounds);
        for spent in 0..B {
            while let Some(at) = self.next(spent) {
                for (direction, &before) in
                    ground.beyond[at].iter().enumerate().filter(|&(_, &b)| b != NOWHERE)
                {
                    let total = spent + usize::from(costs[before.index()][opposite(direction)]);
                    let before = before.index() & MASK;
                    if total < B.min(usize::from(self.cost[before])) {
                        self.cost[before] = total as u8;
                        self.wait(total, before);
                    }
                }
            }
        }
    }

    /// Every cost found; closed hexes and those out of reach have none.
    pub(crate) fn costs(&self) -> &[u8; HexSet::CAPACITY] {
        &self.cost
    }

    /// The cost found for a hex.
    pub(crate) fn cost(&self, hex: Hex, start: Hex, bounds: &Bounds) -> Option<u8> {
        let cost = self.cost[hex.index()];
        (cost != CLOSED && (hex == start || !bounds.closed.contains(hex))).then_some(cost)
    }

    /// The cheapest way to a hex that was reached; of two that cost the same, the one over the lower hex numbers from the end.
    pub(crate) fn path(
        &self,
        ground: &Ground,
        costs: &[[u8; 6]],
        start: Hex,
        to: Hex,
        bounds: &Bounds,
    ) -> Option<Path> {
        let mut path = Path::new();
        let mut at = to;
        while at != start {
            path.try_push(at).ok()?;
            let here = self.cost(at, start, bounds)?;
            let from = (0..6)
                .filter_map(|d| {
                    let before = ground.beyond[at.index()][d];
                    if before == NOWHERE || (bounds.stops.contains(before) && before != start) {
                        return None;
                    }
                    let step = costs[before.index()][opposite(d)];
                    let spent = self.cost(before, start, bounds)?;
                    (step != CLOSED && u16::from(spent) + u16::from(step) == u16::from(here))
                        .then_some(before)
                })
                .min()?;
            at = from;
        }
        path.reverse();
        Some(path)
    }
}

impl<const B: usize> Default for Reach<B> {
    fn default() -> Self {
        Self::new()
    }
}
