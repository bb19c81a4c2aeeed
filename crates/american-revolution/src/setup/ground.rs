//! The ground as the rules see it: terrain, hexsides, what a step costs, where zones reach, what can be seen.

use hexmap::{Direction, Grid, Hex, HexSet, Pass, Side as Hexside, Sightlines};

use crate::rules::charts::{Charts, Crossing, LONGEST, PROHIBITED, Terrain};
use crate::setup::battle::Arm;

/// Water along a hexside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Water {
    #[default]
    None,
    Creek,
    Ford,
    Bridge,
    River,
}

/// What lies along a hexside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Edge {
    /// Water.
    pub water: Water,
    /// The hex on the solid-line side of a slope (3.1.l).
    pub high: Option<Hex>,
    /// The hex that holds the fieldworks symbol (3.1.d).
    pub works: Option<Hex>,
    /// A road or track crosses it.
    pub road: bool,
    /// Guns cross it by road, bridge or ford alone.
    pub deep: bool,
    /// The bridge is down: a ford, and the road does not carry over it, until it is mended.
    pub broken: bool,
}

/// A step from a hex to its neighbour, worked out once.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// The neighbour, where there is one: see [`Pace::on_map`].
    pub to: Hex,
    /// Movement points by arm.
    pub cost: [u8; 3],
    /// Strategic movement may use it.
    pub strategic: bool,
    /// A zone of control reaches across.
    pub zoc: bool,
}

/// No hex: beyond the edge of the map.
const OFF: Hex = Hex(u16::MAX);

impl Pace {
    /// Over the edge of the map: nobody goes there.
    const OFF_MAP: Pace = Pace { to: OFF, cost: [PROHIBITED; 3], strategic: false, zoc: false };

    /// The neighbour, if it is on the battle's map.
    #[inline]
    #[must_use]
    pub fn on_map(&self) -> Option<Hex> {
        (self.to != OFF).then_some(self.to)
    }
}

/// A bridge that is down at the start.
#[derive(Debug, Clone, Copy)]
pub struct Bridge {
    /// The hexes on either bank.
    pub ends: [Hex; 2],
    /// The steps from the first to the second, and back, once it is mended.
    whole: [Pace; 2],
}

impl Bridge {
    /// The step from one bank to the other, if that is where the bridge is.
    fn carries(&self, from: Hex, to: Hex) -> Option<&Pace> {
        match (from, to) {
            _ if [from, to] == self.ends => Some(&self.whole[0]),
            _ if [to, from] == self.ends => Some(&self.whole[1]),
            _ => None,
        }
    }
}

/// The whole ground.
#[derive(Debug)]
pub struct Ground {
    /// The hexes.
    pub grid: Grid,
    /// What each hex is.
    pub terrain: Vec<Terrain>,
    /// Hexes flagged as hills: they block sight.
    pub hill: HexSet,
    /// Hexes that are part of the battle's map.
    pub on_map: HexSet,
    /// Hexes on a road or track.
    pub road: HexSet,
    /// Names of hexes.
    pub names: Vec<(Hex, String)>,
    /// What lies along each hexside.
    pub edges: Vec<Edge>,
    /// Steps out of each hex.
    pub steps: Vec<[Pace; 6]>,
    /// Broken bridges.
    pub broken: Vec<Bridge>,
    sight: Sightlines,
}

/// Whether one hex can be seen from another, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    Clear,
    Terrain,
    Slope,
    Unit,
}

impl Ground {
    /// Works everything out.
    #[must_use]
    pub fn new(
        grid: Grid,
        terrain: Vec<Terrain>,
        hill: HexSet,
        on_map: HexSet,
        edges: Vec<Edge>,
        charts: &Charts,
    ) -> Ground {
        let mut ground = Ground {
            steps: vec![[Pace::OFF_MAP; 6]; grid.len()],
            sight: Sightlines::up_to(LONGEST as u16),
            road: HexSet::new(),
            broken: Vec::new(),
            names: Vec::new(),
            grid,
            terrain,
            hill,
            on_map,
            edges,
        };
        for side in ground.grid.sides() {
            if let (a, Some(b)) = ground.grid.hexes_of(side)
                && ground.edges[side.index()].road
            {
                ground.road.insert(a);
                ground.road.insert(b);
            }
        }
        for hex in ground.grid.hexes() {
            for direction in Direction::ALL {
                ground.steps[hex.index()][direction.index()] = ground.work_out(hex, direction, charts);
            }
        }
        ground.note_broken_bridges();
        ground
    }

    fn note_broken_bridges(&mut self) {
        for side in self.grid.sides().filter(|side| self.edges[side.index()].broken) {
            let (a, Some(b)) = self.grid.hexes_of(side) else { continue };
            let over = |from: Hex, to: Hex| {
                let step = self.grid.direction(from, to).map(|way| self.steps[from.index()][way.index()]);
                step.map(|step| Pace { cost: [1; 3], strategic: true, ..step })
            };
            if let (Some(there), Some(back)) = (over(a, b), over(b, a)) {
                self.broken.push(Bridge { ends: [a, b], whole: [there, back] });
            }
        }
    }

    fn work_out(&self, from: Hex, direction: Direction, charts: &Charts) -> Pace {
        let Some(to) = self.grid.neighbour(from, direction) else { return Pace::OFF_MAP };
        if !self.on_map.contains(from) || !self.on_map.contains(to) {
            return Pace::OFF_MAP;
        }
        let edge = self.edges[self.grid.side(from, direction).index()];
        let row = charts.terrain[self.terrain[to.index()] as usize];
        let crossed = self.crossings(from, to);
        let cost = std::array::from_fn(|arm| {
            if edge.road && !edge.broken {
                return 1;
            }
            if edge.deep && arm == Arm::Artillery.column() && edge.water == Water::Creek {
                return PROHIBITED;
            }
            let sides = crossed.iter().flatten().map(|&c| charts.hexside[c as usize][arm]);
            sides.fold(
                row.mp[arm],
                |sum, more| if more == PROHIBITED { PROHIBITED } else { sum.saturating_add(more) },
            )
        });
        let into_works = edge.works == Some(to);
        Pace { to, cost, strategic: edge.road && !edge.broken, zoc: row.zoc && !into_works }
    }

    /// The step out of a hex, over the bridges that have been mended (a bit each).
    #[inline]
    #[must_use]
    pub fn step(&self, from: Hex, direction: Direction, mended: u8) -> &Pace {
        let step = &self.steps[from.index()][direction.index()];
        if mended == 0 { step } else { self.mended_step(from, step, mended) }
    }

    #[cold]
    fn mended_step<'a>(&'a self, from: Hex, step: &'a Pace, mended: u8) -> &'a Pace {
        let mut whole = self.broken.iter().enumerate().filter(|(i, _)| mended >> i & 1 == 1);
        whole.find_map(|(_, bridge)| bridge.carries(from, step.to)).unwrap_or(step)
    }

    /// What is crossed from a hex into its neighbour: slope and water as one kind, and fieldworks.
    #[must_use]
    pub fn crossings(&self, from: Hex, to: Hex) -> [Option<Crossing>; 2] {
        let edge = self.edge(from, to);
        let wet = matches!(edge.water, Water::Creek | Water::Ford | Water::Bridge);
        let first = match edge.high {
            // Closed whatever the banks are like.
            _ if edge.water == Water::River => Some(Crossing::River),
            Some(high) if high == to => Some(if wet { Crossing::UpSlopeCreek } else { Crossing::UpSlope }),
            Some(_) => Some(if wet { Crossing::DownSlopeCreek } else { Crossing::DownSlope }),
            None => match edge.water {
                Water::None => None,
                Water::Creek => Some(Crossing::Creek),
                Water::Ford => Some(Crossing::Ford),
                Water::Bridge => Some(Crossing::Bridge),
                Water::River => Some(Crossing::River),
            },
        };
        let works = edge
            .works
            .map(|inside| if inside == to { Crossing::FieldworksIn } else { Crossing::FieldworksOut });
        [first, works]
    }

    /// What lies between two neighbours.
    #[must_use]
    pub fn edge(&self, a: Hex, b: Hex) -> Edge {
        self.grid.side_between(a, b).map_or(Edge::default(), |side| self.edges[side.index()])
    }

    /// What a unit of that arm pays for the step, none if it is prohibited.
    #[inline]
    #[must_use]
    pub fn cost(&self, arm: Arm, from: Hex, direction: Direction) -> Option<u8> {
        let cost = self.steps[from.index()][direction.index()].cost[arm.column()];
        (cost != PROHIBITED).then_some(cost)
    }

    /// Whether a unit of that arm may step from one hex to its neighbour at all.
    #[must_use]
    pub fn may_enter(&self, arm: Arm, from: Hex, to: Hex) -> bool {
        self.grid.direction(from, to).is_some_and(|direction| self.cost(arm, from, direction).is_some())
    }

    /// The neighbours on the battle's map.
    #[inline]
    pub fn neighbours(&self, hex: Hex) -> impl Iterator<Item = (Direction, Hex)> + '_ {
        let row = &self.steps[hex.index()];
        Direction::ALL.into_iter().zip(row).filter_map(|(d, pace)| Some((d, pace.on_map()?)))
    }

    /// The neighbours in those directions, a bit each.
    #[inline]
    pub(crate) fn neighbours_in(&self, hex: Hex, directions: u8) -> impl Iterator<Item = Hex> + '_ {
        self.neighbours(hex).filter(move |(direction, _)| directions & direction.bit() != 0).map(|(_, to)| to)
    }

    /// The neighbour that way, if it is on the battle's map.
    #[inline]
    #[must_use]
    pub fn neighbour(&self, hex: Hex, direction: Direction) -> Option<Hex> {
        self.steps[hex.index()][direction.index()].on_map()
    }

    /// Whether the two hexes share a hexside (R84).
    #[inline]
    #[must_use]
    pub fn adjacent(&self, a: Hex, b: Hex) -> bool {
        self.grid.distance(a, b) == 1
    }

    fn slope(&self, side: Hexside) -> Option<Hex> {
        self.edges[side.index()].high
    }

    /// The slope hexsides that a line crosses at one place: the side it passes, or where it goes through a corner the
    /// side that the two hexes share; at the ends of a spine a slope counts only if both sides that meet there are
    /// slopes.
    fn slopes_crossed(&self, over: hexmap::Crossing) -> Option<Hexside> {
        match over {
            hexmap::Crossing::Side(side) => self.slope(side).map(|_| side),
            hexmap::Crossing::Corner { leaving, entering } if leaving == entering => {
                leaving.iter().all(|&s| self.slope(s).is_some()).then_some(leaving[0])
            }
            hexmap::Crossing::Corner { leaving, entering } => {
                let shared = leaving.into_iter().find(|s| entering.contains(s))?;
                self.slope(shared).map(|_| shared)
            }
        }
    }

    fn climbs_into(&self, over: hexmap::Crossing, hex: Hex) -> bool {
        match over {
            hexmap::Crossing::Corner { leaving, entering } if leaving == entering => {
                leaving.iter().all(|&s| self.slope(s) == Some(hex))
            }
            _ => self.slopes_crossed(over).is_some_and(|s| self.slope(s) == Some(hex)),
        }
    }

    /// Whether the line goes down over a slope as it comes into the hex.
    fn descends_into(&self, over: hexmap::Crossing, hex: Hex) -> bool {
        match over {
            hexmap::Crossing::Corner { leaving, entering } if leaving == entering => {
                leaving.iter().all(|&s| self.slope(s).is_some_and(|high| high != hex))
            }
            _ => self.slopes_crossed(over).and_then(|s| self.slope(s)).is_some_and(|high| high != hex),
        }
    }

    /// Whether the ground between is higher than both ends: the line climbs out of the one and goes down into the
    /// other. What it passes are then slope/hill hexes, flagged on the map or not (11.42.a, R59).
    fn is_ridge(&self, line: &hexmap::Sightline<'_>, from: Hex, to: Hex) -> bool {
        let mut crossings = line.crossings();
        let (Some(first), Some(last)) = (crossings.next(), crossings.last()) else { return false };
        self.descends_into(first, from) && self.descends_into(last, to)
    }

    /// Whether a hex that two others share as a neighbour lies above both of them.
    fn rises_between(&self, hex: Hex, from: Hex, to: Hex) -> bool {
        [from, to].into_iter().all(|end| self.edge(end, hex).high == Some(hex))
    }

    fn belongs(&self, side: Hexside, hex: Hex) -> bool {
        let (a, b) = self.grid.hexes_of(side);
        a == hex || b == Some(hex)
    }

    /// Whether the line from `y` climbs as it comes into the hex of `x` (11.43.a).
    #[must_use]
    pub fn up_slope(&self, x: Hex, y: Hex) -> bool {
        let Some(line) = self.sight.between(&self.grid, y, x) else { return false };
        line.crossings().last().is_some_and(|over| self.climbs_into(over, x))
    }

    /// Whether fire from one hex comes into the other across its fieldworks.
    #[must_use]
    pub fn enters_works(&self, from: Hex, to: Hex) -> bool {
        let Some(line) = self.sight.between(&self.grid, from, to) else { return false };
        let inward = |side: Hexside| self.edges[side.index()].works == Some(to);
        line.crossings().last().is_some_and(|over| match over {
            hexmap::Crossing::Side(side) => inward(side),
            hexmap::Crossing::Corner { entering, .. } => entering.into_iter().all(inward),
        })
    }

    /// Line of sight (11.4): `occupied` tells which hexes hold combat units of either side.
    #[must_use]
    pub fn sight(&self, charts: &Charts, from: Hex, to: Hex, occupied: &HexSet) -> Sight {
        if self.grid.distance(from, to) <= 1 {
            return Sight::Clear;
        }
        let Some(line) = self.sight.between(&self.grid, from, to) else { return Sight::Terrain };
        let (from_up, to_up) = (self.up_slope(from, to), self.up_slope(to, from));
        if from_up && to_up {
            return Sight::Clear;
        }
        let neither_up = !from_up && !to_up;
        if neither_up && self.is_ridge(&line, from, to) {
            return Sight::Terrain;
        }
        let free = |side: Hexside| match (from_up, to_up) {
            (true, _) => self.belongs(side, from),
            (_, true) => self.belongs(side, to),
            _ => self.belongs(side, from) || self.belongs(side, to),
        };
        let hides = |hex: Hex| match () {
            () if self.hill.contains(hex) || charts.terrain[self.terrain[hex.index()] as usize].blocks => {
                Some(Sight::Terrain)
            }
            () if occupied.contains(hex) => Some(Sight::Unit),
            () => None,
        };
        for leg in line.legs() {
            if self.slopes_crossed(leg.over).is_some_and(|side| !free(side)) {
                return Sight::Slope;
            }
            let hidden = match leg.into {
                Pass::Through(hex) if hex == to => None,
                // A line that leaves the map is not traced.
                Pass::Through(hex) if !self.on_map.contains(hex) => Some(Sight::Terrain),
                Pass::Through(hex) => hides(hex),
                Pass::Spine(a, b) => {
                    // Beyond the edge of the map there is neither terrain nor unit (R60).
                    let hides = |hex: Hex| match hides(hex).filter(|_| self.on_map.contains(hex)) {
                        None if neither_up && self.rises_between(hex, from, to) => Some(Sight::Terrain),
                        cause => cause,
                    };
                    hides(a).and_then(|cause| b.and_then(hides).map(|_| cause))
                }
            };
            if let Some(cause) = hidden {
                return cause;
            }
        }
        Sight::Clear
    }
}
