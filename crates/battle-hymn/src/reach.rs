//! Least-cost marches on flat arrays, on the stack: the inner loop of every Movement Turn.

use arrayvec::ArrayVec;
use hexmap::{Hex, HexSet};

use crate::ground::{CLOSED, Ground};
use crate::state::NOWHERE;
use crate::zones::opposite;

/// The largest allowance a unit may have.
pub(crate) const MOST_POINTS: usize = 31;
/// The longest way a march can be told by: three bits a step.
pub(crate) const LONGEST_MARCH: usize = 21;
/// The hexes of a march, without the start.
pub(crate) type Path = ArrayVec<Hex, LONGEST_MARCH>;

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
/// `B` is one more than the largest budget.
#[derive(Debug)]
pub(crate) struct Reach<const B: usize> {
    cost: [u8; HexSet::CAPACITY],
    waiting: [[u64; WORDS]; B],
}

impl<const B: usize> Reach<B> {
    #[must_use]
    pub(crate) fn new() -> Self {
        Reach { cost: [CLOSED; HexSet::CAPACITY], waiting: [[0; WORDS]; B] }
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
        let hexes = costs.len();
        let words = hexes.div_ceil(64);
        let budget = usize::from(budget).min(B - 1);
        let cost = &mut self.cost[..hexes];
        cost.fill(CLOSED);
        // Nothing is cheaper than 0: closed hexes are never entered.
        for hex in bounds.closed {
            cost[hex.index()] = 0;
        }
        cost[start.index()] = 0;
        self.waiting[0][start.index() / 64] |= 1 << (start.index() % 64);
        for spent in 0..=budget {
            for word in 0..words {
                while self.waiting[spent][word] != 0 {
                    let bit = self.waiting[spent][word].trailing_zeros() as usize;
                    self.waiting[spent][word] &= self.waiting[spent][word] - 1;
                    let hex = Hex((word * 64 + bit) as u16);
                    if usize::from(cost[hex.index()]) != spent {
                        continue;
                    }
                    visit(hex, spent as u8);
                    if bounds.stops.contains(hex) && hex != start {
                        continue;
                    }
                    let beyond = &ground.beyond[hex.index()];
                    for (direction, &step) in costs[hex.index()].iter().enumerate() {
                        let total = spent + usize::from(step);
                        if total > budget {
                            continue;
                        }
                        let next = beyond[direction].index();
                        if total < usize::from(cost[next]) {
                            cost[next] = total as u8;
                            self.waiting[total][next / 64] |= 1 << (next % 64);
                        }
                    }
                }
            }
        }
    }

    /// Finds what it costs to come to `goal` from every hex within the budget.
    pub(crate) fn explore_back(&mut self, ground: &Ground, costs: &[[u8; 6]], goal: Hex, bounds: &Bounds) {
        let cost = &mut self.cost[..costs.len()];
        cost.fill(CLOSED);
        for hex in bounds.closed {
            cost[hex.index()] = 0;
        }
        cost[goal.index()] = 0;
        self.waiting[0][goal.index() / 64] |= 1 << (goal.index() % 64);
        for spent in 0..B {
            for word in 0..WORDS {
                while self.waiting[spent][word] != 0 {
                    let bit = self.waiting[spent][word].trailing_zeros() as usize;
                    self.waiting[spent][word] &= self.waiting[spent][word] - 1;
                    let hex = word * 64 + bit;
                    if usize::from(cost[hex]) != spent {
                        continue;
                    }
                    for (direction, &before) in ground.beyond[hex].iter().enumerate().filter(|&(_, &b)| b != NOWHERE) {
                        let total = spent + usize::from(costs[before.index()][opposite(direction)]);
                        if total < B.min(usize::from(cost[before.index()])) {
                            cost[before.index()] = total as u8;
                            self.waiting[total][before.index() / 64] |= 1 << (before.index() % 64);
                        }
                    }
                }
            }
        }
    }

    /// The cost found for a hex.
    #[must_use]
    pub(crate) fn cost(&self, hex: Hex, start: Hex, bounds: &Bounds) -> Option<u8> {
        let cost = self.cost[hex.index()];
        (cost != CLOSED && (hex == start || !bounds.closed.contains(hex))).then_some(cost)
    }

    /// The cheapest way to a hex that was reached; of two that cost the same, the one over the lower hex numbers from the end.
    pub(crate) fn path(&self, ground: &Ground, costs: &[[u8; 6]], start: Hex, to: Hex, bounds: &Bounds) -> Option<Path> {
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
                    (step != CLOSED && u16::from(spent) + u16::from(step) == u16::from(here)).then_some(before)
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

