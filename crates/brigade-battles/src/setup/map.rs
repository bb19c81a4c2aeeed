//! 2.1 The game map: numbered hexes, their terrain and levels, hexsides, roads, and what follows from them once.

use hexmap::{Grid, Hex, HexSet, Side as HexSide, Sightlines};

use crate::rules::charts::{Charts, Closed, Factor};

/// What lies on a hexside, one bit each.
pub mod feature {
    pub const ROAD: u8 = 1;
    pub const STREAM: u8 = 2;
    pub const RIVER: u8 = 4;
    pub const BRIDGE: u8 = 8;
    pub const FORD: u8 = 16;
    pub const WALL: u8 = 32;
    pub const CLIFF: u8 = 64;
    /// A bridge that may be burned or a ford that may be found lies here: ask the position.
    pub const CHANGES: u8 = 128;

    /// The names of the bits in scenario files.
    pub const NAMES: [(&str, u8); 7] = [
        ("road", ROAD),
        ("stream", STREAM),
        ("river", RIVER),
        ("bridge", BRIDGE),
        ("ford", FORD),
        ("wall", WALL),
        ("cliff", CLIFF),
    ];
}

/// The way from a hex over one of its sides. Costs in halves of a movement point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    pub to: Hex,
    /// The full cost.
    pub full: u8,
    /// The cost in column, where column helps.
    pub column: u8,
    pub closed: Closed,
    /// What it costs depends on burned bridges or found fords.
    pub changes: bool,
}

/// Neighbours of a hex that cost the same and share a word of a set of hexes: all are arrived at by one stroke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stroke {
    pub(crate) hexes: u64,
    pub(crate) word: u8,
    /// In halves of a movement point.
    pub(crate) cost: u8,
}

/// The ways from every hex for the inner loops: those closed to all, and those that change, left out.
#[derive(Debug, Default)]
pub(crate) struct Strokes {
    all: Vec<Stroke>,
    ends: Vec<usize>,
}

impl Strokes {
    fn of(ways: &[[Option<Way>; 6]], cost: impl Fn(Way) -> u8) -> Strokes {
        let mut strokes = Strokes { all: Vec::new(), ends: vec![0] };
        for ways in ways {
            let first = strokes.all.len();
            for way in ways.iter().flatten().filter(|way| !way.changes && way.closed != Closed::ToAll) {
                let (word, bit) = ((way.to.index() / 64) as u8, 1 << (way.to.index() % 64));
                let known = strokes.all[first..].iter_mut().find(|s| s.word == word && s.cost == cost(*way));
                match known {
                    Some(stroke) => stroke.hexes |= bit,
                    None => strokes.all.push(Stroke { hexes: bit, word, cost: cost(*way) }),
                }
            }
            strokes.ends.push(strokes.all.len());
        }
        strokes
    }

    #[inline]
    pub(crate) fn from(&self, hex: Hex) -> &[Stroke] {
        &self.all[self.ends[hex.index()]..self.ends[hex.index() + 1]]
    }
}

/// The ground of a battle.
#[derive(Debug)]
pub struct Map {
    pub grid: Grid,
    /// 2.1: the hexes that carry a number.
    pub in_play: HexSet,
    /// In-play hexes at the outer edge of what is in play.
    pub edge: HexSet,
    pub terrain: Vec<u8>,
    pub level: Vec<i8>,
    pub names: Vec<Option<String>>,
    pub sides: Vec<u8>,
    /// Hexes with a road in them.
    pub road: HexSet,
    pub ways: Vec<[Option<Way>; 6]>,
    /// The ways at their full cost and at their cost in column, and the hexes from which some way may change.
    pub(crate) full: Strokes,
    pub(crate) column: Strokes,
    pub(crate) changing: HexSet,
    /// The zone of a unit in each hex, the hex itself included, while nothing changes.
    pub zones: Vec<HexSet>,
    /// The words of a set in which hexes in play lie.
    pub(crate) words: std::ops::Range<usize>,
    /// Hexes closed to guns, and whether any side of the map may change.
    pub no_guns: HexSet,
    pub changes: bool,
    /// The six neighbours that are in play.
    pub beside: Vec<HexSet>,
    /// Everything within 4 hexes.
    pub near: Vec<HexSet>,
    /// 9.4: what can be seen from a hex over the ground alone, up to the longest range.
    pub seen: Vec<HexSet>,
    pub lines: Sightlines,
}

impl Map {
    /// Works out everything that the ground alone decides.
    pub fn new(
        grid: Grid,
        in_play: HexSet,
        terrain: Vec<u8>,
        level: Vec<i8>,
        sides: Vec<u8>,
        names: Vec<Option<String>>,
        charts: &Charts,
    ) -> Map {
        let beside: Vec<HexSet> = grid
            .hexes()
            .map(|hex| grid.neighbours(hex).map(|(_, to)| to).filter(|&to| in_play.contains(to)).collect())
            .collect();
        let edge = edge_of(&grid, in_play);
        let near = grid.hexes().map(|hex| grid.within(hex, 4).collect()).collect();
        let road = grid
            .sides()
            .filter(|side| sides[side.index()] & feature::ROAD != 0)
            .flat_map(|side| {
                let (a, b) = grid.hexes_of(side);
                [Some(a), b]
            })
            .flatten()
            .collect();
        let range = charts.artillery.len().max(charts.infantry.len()).max(charts.cavalry.len()).max(1);
        let mut map = Map {
            in_play,
            edge,
            terrain,
            level,
            names,
            sides,
            road,
            ways: Vec::new(),
            full: Strokes::default(),
            column: Strokes::default(),
            changing: HexSet::EMPTY,
            zones: Vec::new(),
            words: 0..HexSet::CAPACITY / 64,
            no_guns: HexSet::EMPTY,
            changes: false,
            beside,
            near,
            seen: Vec::new(),
            lines: Sightlines::up_to(range as u16),
            grid,
        };
        map.ways = map.grid.hexes().map(|hex| map.ways_from(hex, charts)).collect();
        map.full = Strokes::of(&map.ways, |way| way.full);
        map.column = Strokes::of(&map.ways, |way| way.column);
        let changes = |hex: &Hex| map.ways[hex.index()].iter().flatten().any(|way| way.changes);
        map.changing = map.grid.hexes().filter(changes).collect();
        map.changes = !map.changing.is_empty();
        let closed = |hex: Hex| charts.terrain[usize::from(map.terrain[hex.index()])].closed;
        map.no_guns = map.grid.hexes().filter(|&hex| closed(hex) != Closed::ToNobody).collect();
        map.zones = map.grid.hexes().map(|hex| map.zone_of(hex)).collect();
        let used = |word: &usize| map.in_play.words()[*word] != 0;
        let (first, last) = (map.words.clone().find(used), map.words.clone().rfind(used));
        map.words = first.unwrap_or(0)..last.map_or(0, |word| word + 1);
        map.seen = map.grid.hexes().map(|hex| map.seen_from(hex, charts)).collect();
        map
    }

    fn ways_from(&self, from: Hex, charts: &Charts) -> [Option<Way>; 6] {
        let mut ways = [None; 6];
        for (direction, to) in self.grid.neighbours(from) {
            if self.in_play.contains(from) && self.in_play.contains(to) {
                let features = self.sides[self.grid.side(from, direction).index()];
                ways[direction.index()] = Some(self.way(from, to, features, charts));
            }
        }
        ways
    }

    fn zone_of(&self, hex: Hex) -> HexSet {
        let open = self.ways[hex.index()].iter().flatten().filter(|way| way.closed != Closed::ToAll);
        open.map(|way| way.to).chain([hex]).collect()
    }

    /// 8.1.3, 8.2: what the step costs with these features on the side.
    #[must_use]
    pub fn way(&self, from: Hex, to: Hex, features: u8, charts: &Charts) -> Way {
        let terrain = &charts.terrain[usize::from(self.terrain[to.index()])];
        let climbed = (self.level[to.index()] - self.level[from.index()]).max(0) as u8;
        let has = |bit| features & bit != 0;
        let water = if has(feature::BRIDGE) {
            charts.bridge
        } else if has(feature::FORD) {
            charts.ford
        } else if has(feature::STREAM) {
            charts.stream
        } else {
            0
        };
        let over = climbed.saturating_mul(charts.climb).saturating_add(water);
        let full = 2 * terrain.cost.saturating_add(over).min(60);
        // 8.2, R54: half a point by road or over clear ground, uphill or not; water off the road is paid for as well.
        let column = if has(feature::ROAD) {
            1
        } else if terrain.column {
            1 + 2 * water.min(60)
        } else {
            full
        };
        let uncrossed = has(feature::RIVER) && !has(feature::BRIDGE | feature::FORD);
        let closed = if uncrossed || has(feature::CLIFF) { Closed::ToAll } else { terrain.closed };
        Way { to, full, column, closed, changes: has(feature::CHANGES) }
    }

    fn seen_from(&self, from: Hex, charts: &Charts) -> HexSet {
        if !self.in_play.contains(from) {
            return HexSet::EMPTY;
        }
        self.grid
            .within(from, self.lines.range())
            .filter(|&to| self.in_play.contains(to))
            .filter(|&to| {
                let line = self.lines.between(&self.grid, from, to);
                line.is_some_and(|line| {
                    !line.is_blocked_by_both(|hex| self.ground_blocks(from, to, hex, charts))
                })
            })
            .collect()
    }

    /// 9.4: whether the ground of a hex in between hides `to` from `from`. Unequal ends are hidden from each other at
    /// or above the level of the higher, equal ends only above it (R1).
    #[must_use]
    pub fn ground_blocks(&self, from: Hex, to: Hex, between: Hex, charts: &Charts) -> bool {
        if !self.in_play.contains(between) {
            return false;
        }
        if charts.terrain[usize::from(self.terrain[between.index()])].blocks {
            return true;
        }
        let level = |hex: Hex| self.level[hex.index()];
        let (firer, target, crest) = (level(from), level(to), level(between));
        if firer == target { crest > firer } else { crest >= firer.max(target) }
    }

    /// The printed number of a hex.
    #[must_use]
    pub fn number(&self, hex: Hex) -> String {
        self.grid.name(hex).to_string()
    }

    /// Reads a hex that is in play.
    #[must_use]
    pub fn parse(&self, number: &str) -> Option<Hex> {
        self.grid.parse(number).filter(|&hex| self.in_play.contains(hex))
    }

    /// Whether the hex is one of the two at the side.
    pub(crate) fn is_beside(&self, side: HexSide, hex: Hex) -> bool {
        let (a, b) = self.grid.hexes_of(side);
        hex == a || Some(hex) == b
    }

    /// The side between two hexes in words: `0910/1009`.
    #[must_use]
    pub fn side_name(&self, side: HexSide) -> String {
        let (a, b) = self.grid.hexes_of(side);
        match b {
            Some(b) => format!("{}/{}", self.number(a), self.number(b)),
            None => format!("{}/edge", self.number(a)),
        }
    }
}

/// 8.3.c: the hexes in play from which a step leads off the map. A hole in the middle of it is no way in.
fn edge_of(grid: &Grid, in_play: HexSet) -> HexSet {
    let at_rim = |&hex: &Hex| grid.neighbours(hex).count() < 6;
    let mut rim: Vec<Hex> = grid.hexes().filter(at_rim).filter(|&hex| !in_play.contains(hex)).collect();
    let mut outside: HexSet = rim.iter().copied().collect();
    while let Some(hex) = rim.pop() {
        for (_, to) in grid.neighbours(hex) {
            if !in_play.contains(to) && outside.insert(to) {
                rim.push(to);
            }
        }
    }
    let beside_outside = |hex: Hex| grid.neighbours(hex).any(|(_, to)| outside.contains(to));
    in_play.iter().filter(|hex| at_rim(hex) || beside_outside(*hex)).collect()
}

/// What range does to SP on a line of the Fire Range Chart.
#[must_use]
pub fn factor(line: &[Factor], range: u16) -> Option<Factor> {
    line.get(usize::from(range).checked_sub(1)?).copied()
}
