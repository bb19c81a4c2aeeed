//! What a unit can reach, at what cost, and by which way.

use arrayvec::ArrayVec;

use crate::Direction;
use crate::grid::{Grid, Hex, OFF_MAP};

/// What it means for a unit to go on from one hex to the next.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Passage {
    /// It may not.
    Closed,
    /// It may, at this cost.
    Open(u8),
    /// It may, at this cost, but goes no further.
    Stop(u8),
}

const NEVER: u8 = u8::MAX;
const NO_ENTRY: u16 = u16::MAX;

/// What is known of a hex in the present exploration.
#[derive(Copy, Clone, Debug)]
struct Mark {
    generation: u32,
    /// The least cost of being here, and from where.
    least: u8,
    from: u16,
    /// The least cost of being here with leave to go on, and from where.
    onward: u8,
    onward_from: u16,
    listed: bool,
    expanded: bool,
}

impl Mark {
    const BLANK: Mark = Mark {
        generation: 0,
        least: NEVER,
        from: OFF_MAP,
        onward: NEVER,
        onward_from: OFF_MAP,
        listed: false,
        expanded: false,
    };
}

/// Scratch space for least-cost marches: made once, used again for every unit, never allocating in between.
///
/// A hex that a unit may enter but not leave by one way (into an enemy's zone, say) can be reached dearer by
/// another way that lets it go on; both costs are kept, so the marches found are the true least ones.
#[derive(Clone, Debug)]
pub struct March {
    marks: Vec<Mark>,
    generation: u32,
    /// For each cost the latest entry of its bucket; all empty between explorations.
    buckets: Box<[u16; NEVER as usize]>,
    /// Hexes waiting in a bucket, each with the entry after it.
    entries: Vec<(Hex, u16)>,
    reached: Vec<Hex>,
}

impl March {
    /// The largest budget: costs are a byte, and the highest is kept for "never".
    pub const MOST: u8 = NEVER - 1;

    /// Room for marches on this grid.
    pub fn new(grid: &Grid) -> March {
        let hexes = grid.len();
        March {
            marks: vec![Mark::BLANK; hexes],
            generation: 0,
            buckets: Box::new([NO_ENTRY; NEVER as usize]),
            // Each way between neighbours is tried at most once, and each hex may be a start.
            entries: Vec::with_capacity(7 * hexes),
            reached: Vec::with_capacity(hexes),
        }
    }

    /// Explores from one hex. `passage` is asked once for each way out of each hex the unit can go on from.
    #[inline]
    pub fn explore(
        &mut self,
        grid: &Grid,
        start: Hex,
        budget: u8,
        passage: impl FnMut(Hex, Direction, Hex) -> Passage,
    ) {
        self.explore_from(grid, [(start, 0)], budget, passage);
    }

    /// Explores from several hexes at once, each with what has been spent to be there.
    #[inline]
    pub fn explore_from(
        &mut self,
        grid: &Grid,
        starts: impl IntoIterator<Item = (Hex, u8)>,
        budget: u8,
        mut passage: impl FnMut(Hex, Direction, Hex) -> Passage,
    ) {
        let budget = budget.min(Self::MOST);
        self.begin();
        for (start, spent) in starts {
            if spent <= budget {
                self.arrive(OFF_MAP, start, spent, true);
            }
        }
        for cost in 0..=budget {
            while let Some(hex) = self.take(cost) {
                let mark = &mut self.marks[hex.index()];
                if mark.least == cost && !mark.listed {
                    mark.listed = true;
                    self.reached.push(hex);
                }
                if mark.onward != cost || mark.expanded {
                    continue;
                }
                mark.expanded = true;
                for (direction, &to) in Direction::ALL.into_iter().zip(grid.neighbour_row(hex)) {
                    if to == OFF_MAP {
                        continue;
                    }
                    let (step, onward) = match passage(hex, direction, Hex(to)) {
                        Passage::Closed => continue,
                        Passage::Open(step) => (step, true),
                        Passage::Stop(step) => (step, false),
                    };
                    if step <= budget - cost {
                        self.arrive(hex.0, Hex(to), cost + step, onward);
                    }
                }
            }
        }
    }

    /// Counts steps alone: everything within so many hexes by ways that are `open`.
    #[inline]
    pub fn flood(
        &mut self,
        grid: &Grid,
        start: Hex,
        steps: u8,
        mut open: impl FnMut(Hex, Direction, Hex) -> bool,
    ) {
        self.explore(grid, start, steps, |from, direction, to| match open(from, direction, to) {
            true => Passage::Open(1),
            false => Passage::Closed,
        });
    }

    fn begin(&mut self) {
        self.reached.clear();
        self.entries.clear();
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.marks.fill(Mark::BLANK);
            self.generation = 1;
        }
    }

    #[inline]
    fn take(&mut self, cost: u8) -> Option<Hex> {
        let head = self.buckets[usize::from(cost)];
        if head == NO_ENTRY {
            return None;
        }
        let (hex, next) = self.entries[usize::from(head)];
        self.buckets[usize::from(cost)] = next;
        Some(hex)
    }

    /// Notes an arrival. Of two ways that cost the same, the one from the lower hex number counts.
    #[inline]
    fn arrive(&mut self, from: u16, to: Hex, cost: u8, onward: bool) {
        let mark = &mut self.marks[to.index()];
        if mark.generation != self.generation {
            *mark = Mark { generation: self.generation, ..Mark::BLANK };
        }
        let mut better = false;
        if cost < mark.least {
            (mark.least, mark.from, better) = (cost, from, true);
        } else if cost == mark.least && !mark.listed {
            mark.from = mark.from.min(from);
        }
        if onward && cost < mark.onward {
            (mark.onward, mark.onward_from, better) = (cost, from, true);
        } else if onward && cost == mark.onward && !mark.expanded {
            mark.onward_from = mark.onward_from.min(from);
        }
        if better {
            let bucket = &mut self.buckets[usize::from(cost)];
            self.entries.push((to, *bucket));
            *bucket = self.entries.len() as u16 - 1;
        }
    }

    /// The hexes reached, in the order of their cost; the starts come first.
    #[inline]
    pub fn reached(&self) -> &[Hex] {
        &self.reached
    }

    /// The least cost of being in a hex, none if it was not reached.
    #[inline]
    pub fn cost(&self, hex: Hex) -> Option<u8> {
        self.mark(hex).map(|mark| mark.least)
    }

    /// The least cost of being in a hex with leave to go on.
    #[inline]
    pub fn onward_cost(&self, hex: Hex) -> Option<u8> {
        self.mark(hex).map(|mark| mark.onward).filter(|&cost| cost != NEVER)
    }

    #[inline]
    fn mark(&self, hex: Hex) -> Option<&Mark> {
        self.marks.get(hex.index()).filter(|mark| mark.generation == self.generation && mark.listed)
    }

    /// The hexes of the least-cost march to a hex, backwards: the hex itself first, the start last.
    /// Empty if it was not reached.
    pub fn back_from(&self, hex: Hex) -> impl Iterator<Item = Hex> + use<'_> {
        let arrived = self.mark(hex).map(|mark| (hex, mark.from));
        std::iter::successors(arrived, |&(_, from)| {
            (from != OFF_MAP).then(|| (Hex(from), self.marks[usize::from(from)].onward_from))
        })
        .map(|(hex, _)| hex)
    }

    /// Writes the hexes entered on the least-cost march to a hex, in order, without the start.
    /// False (and nothing written) if the hex was not reached or the march does not fit.
    pub fn path<const N: usize>(&self, hex: Hex, path: &mut ArrayVec<Hex, N>) -> bool {
        path.clear();
        let hexes = self.back_from(hex).count();
        if hexes == 0 || hexes > N + 1 {
            return false;
        }
        path.extend(self.back_from(hex).take(hexes - 1));
        path.reverse();
        true
    }
}
