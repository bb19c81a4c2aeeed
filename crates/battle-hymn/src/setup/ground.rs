//! The map as the rules see it (2.1, 5.4): hexes, hexsides, and what follows from them once a battle: costs, zones, sight.

use hexmap::{Direction, Grid, Hex, HexSet, Sightlines};

use crate::rules::charts::{Charts, ZoneStop};
use crate::rules::sight;
use crate::setup::pieces::Column;
use crate::state::{NOWHERE, Trail};

/// What a hexside may carry (2.1.2); the order is that of the chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Feature {
    Stream,
    Creek,
    River,
    Bridge,
    Ford,
    Road,
    MinorRoad,
    Railroad,
    Slope,
    Escarpment,
    Fortification,
}

impl Feature {
    pub const ALL: [Feature; 11] = [
        Feature::Stream,
        Feature::Creek,
        Feature::River,
        Feature::Bridge,
        Feature::Ford,
        Feature::Road,
        Feature::MinorRoad,
        Feature::Railroad,
        Feature::Slope,
        Feature::Escarpment,
        Feature::Fortification,
    ];
    /// Those that carry a unit along (5.4.3).
    pub const WAYS: [Feature; 3] = [Feature::Road, Feature::MinorRoad, Feature::Railroad];
    /// Those whose To Hit modifiers artillery ignores (6.5.4).
    pub const WATERS: [Feature; 4] = [Feature::Creek, Feature::River, Feature::Bridge, Feature::Ford];

    pub fn word(self) -> &'static str {
        match self {
            Feature::Stream => "stream",
            Feature::Creek => "creek",
            Feature::River => "river",
            Feature::Bridge => "bridge",
            Feature::Ford => "ford",
            Feature::Road => "road",
            Feature::MinorRoad => "minor-road",
            Feature::Railroad => "railroad",
            Feature::Slope => "slope",
            Feature::Escarpment => "escarpment",
            Feature::Fortification => "fortification",
        }
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// The features of a hexside, seen from one of its hexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Features(u16);

impl Features {
    /// The fortification protects the hex beyond.
    const INWARD: u16 = 1 << 15;

    #[inline]
    pub fn has(self, feature: Feature) -> bool {
        self.0 & feature.bit() != 0
    }

    pub fn add(&mut self, feature: Feature) {
        self.0 |= feature.bit();
    }

    pub fn remove(&mut self, feature: Feature) {
        self.0 &= !feature.bit();
    }

    /// Whether a fortification protects the hex beyond this side.
    #[inline]
    pub fn fortified_beyond(self) -> bool {
        self.has(Feature::Fortification) && self.0 & Features::INWARD != 0
    }

    pub fn protects_beyond(&mut self) {
        self.0 |= Features::INWARD;
    }

    /// What two sides have in common.
    pub fn shared_with(self, other: Features) -> Features {
        Features(self.0 & other.0)
    }

    pub fn iter(self) -> impl Iterator<Item = Feature> {
        Feature::ALL.into_iter().filter(move |&f| self.has(f))
    }
}

/// The Movement Points no unit has.
pub(crate) const CLOSED: u8 = u8::MAX;

/// The map, with all that is worked out once.
#[derive(Debug)]
pub struct Ground {
    pub grid: Grid,
    /// Hexes of the grid that are on the map.
    pub on_map: HexSet,
    /// Index into the chart of hexes.
    pub terrain: Vec<u8>,
    pub level: Vec<i8>,
    pub names: Vec<Option<String>>,
    /// Decoration and other words for the board alone (2.1.1.b).
    pub decor: Vec<Option<String>>,
    /// The features of each side, seen from each hex.
    pub features: Vec<[Features; 6]>,
    /// Yards across, and from the survey's west and north edges.
    pub hex_yards: u32,
    pub inset: [i32; 2],
    pub survey: serde_json::Value,
    /// The hex beyond each side, [`NOWHERE`] off the map.
    pub beyond: Vec<[Hex; 6]>,
    /// Cost of leaving each hex by each side, by column.
    pub costs: [Vec<[u8; 6]>; 3],
    /// Directions into which a zone extends from each hex.
    pub zone_out: Vec<u8>,
    /// Directions from which a zone reaches each hex.
    pub zone_in: Vec<u8>,
    /// What is seen from each hex, within four hexes, the hex itself included.
    pub sees: Vec<HexSet>,
    pub lines: Sightlines,
    /// The hexes along the edge of the sheet, clockwise.
    pub border: Vec<Hex>,
}

/// The map as written, before anything is worked out.
#[derive(Debug)]
pub(crate) struct Sketch {
    pub grid: Grid,
    pub on_map: HexSet,
    pub terrain: Vec<u8>,
    pub level: Vec<i8>,
    pub names: Vec<Option<String>>,
    pub decor: Vec<Option<String>>,
    pub features: Vec<[Features; 6]>,
    pub hex_yards: u32,
    pub inset: [i32; 2],
    pub survey: serde_json::Value,
}

impl Sketch {
    /// An open plain.
    pub(crate) fn open(grid: Grid) -> Sketch {
        let hexes = grid.len();
        Sketch {
            on_map: grid.hexes().collect(),
            terrain: vec![0; hexes],
            level: vec![0; hexes],
            names: vec![None; hexes],
            decor: vec![None; hexes],
            features: vec![[Features::default(); 6]; hexes],
            hex_yards: 300,
            inset: [0, 0],
            survey: serde_json::Value::Null,
            grid,
        }
    }

    /// Puts a feature on the side of `hex` in that direction, seen from both its hexes; a fortification protects `hex`.
    pub(crate) fn put(&mut self, hex: Hex, direction: Direction, feature: Feature) {
        self.features[hex.index()][direction.index()].add(feature);
        if let Some(other) = self.grid.neighbour(hex, direction) {
            let far = &mut self.features[other.index()][direction.opposite().index()];
            far.add(feature);
            if feature == Feature::Fortification {
                far.protects_beyond();
            }
        }
    }

    /// 5.4.4.a: wherever levels differ there is a slope, unless an escarpment is named; nowhere else.
    fn set_slopes(&mut self) {
        for hex in self.grid.hexes() {
            for direction in Direction::ALL {
                let Some(other) = self.grid.neighbour(hex, direction) else { continue };
                let side = &mut self.features[hex.index()][direction.index()];
                side.remove(Feature::Slope);
                if self.level[hex.index()] != self.level[other.index()] && !side.has(Feature::Escarpment) {
                    side.add(Feature::Slope);
                }
            }
        }
    }

    /// Works out costs, zones and sight.
    pub(crate) fn compile(mut self, charts: &Charts) -> Ground {
        self.set_slopes();
        let hexes = self.grid.len();
        let mut ground = Ground {
            beyond: vec![[NOWHERE; 6]; hexes],
            costs: std::array::from_fn(|_| vec![[CLOSED; 6]; hexes]),
            zone_out: vec![0; hexes],
            zone_in: vec![0; hexes],
            sees: vec![HexSet::new(); hexes],
            lines: Sightlines::up_to(sight::LIMIT),
            border: border(&self.grid, &self.on_map),
            grid: self.grid,
            on_map: self.on_map,
            terrain: self.terrain,
            level: self.level,
            names: self.names,
            decor: self.decor,
            features: self.features,
            hex_yards: self.hex_yards,
            inset: self.inset,
            survey: self.survey,
        };
        for hex in ground.grid.hexes().filter(|&h| ground.on_map.contains(h)) {
            for (direction, other) in ground.grid.neighbours(hex).filter(|&(_, o)| ground.on_map.contains(o))
            {
                let (i, d) = (hex.index(), direction.index());
                ground.beyond[i][d] = other;
                for column in Column::ALL {
                    ground.costs[column as usize][i][d] =
                        ground.cost_of_step(charts, column, hex, direction, other);
                }
                if ground.zone_extends(charts, hex, direction, other) {
                    ground.zone_out[i] |= direction.bit();
                    ground.zone_in[other.index()] |= direction.opposite().bit();
                }
            }
        }
        ground.sees = ground.grid.hexes().map(|hex| ground.seen_from(charts, hex)).collect();
        ground
    }
}

impl Ground {
    #[inline]
    pub fn distance(&self, a: Hex, b: Hex) -> u16 {
        self.grid.distance(a, b)
    }

    pub fn name(&self, hex: Hex) -> String {
        self.grid.name(hex).to_string()
    }

    #[inline]
    pub fn side_features(&self, hex: Hex, direction: usize) -> Features {
        self.features[hex.index()][direction]
    }

    /// The direction from a hex to its neighbour on the map.
    #[inline]
    pub fn direction(&self, from: Hex, to: Hex) -> Option<usize> {
        if to == NOWHERE {
            return None;
        }
        self.beyond[from.index()].iter().position(|&h| h == to)
    }

    /// What it costs to go from a hex over a side (5.4).
    fn cost_of_step(&self, charts: &Charts, column: Column, from: Hex, direction: Direction, to: Hex) -> u8 {
        let features = self.features[from.index()][direction.index()];
        let by_road = charts.cost_by_road(features);
        let hex = charts.hexes[usize::from(self.terrain[to.index()])].cost[column as usize];
        let Some(mut cost) = by_road.or(hex) else { return CLOSED };
        let climbs = self.level[to.index()] > self.level[from.index()];
        // R12: a road takes the place of the hex's cost and opens what is closed; what else the side costs is added.
        for feature in crossed(features).filter(|f| !Feature::WAYS.contains(f)) {
            let applies = match feature {
                Feature::Slope | Feature::Escarpment => climbs,
                Feature::Fortification => features.fortified_beyond(),
                _ => true,
            };
            let surcharge = charts.sides[feature as usize].cost[column as usize];
            if surcharge.is_none() && by_road.is_none() && (applies || feature == Feature::Escarpment) {
                return CLOSED;
            }
            if applies {
                cost += surcharge.or_else(|| charts.by_road_over(feature, column)).unwrap_or(0);
            }
        }
        cost
    }

    /// Whether a zone of control extends over a side (3.8, 5.4.4.f, 9.d).
    fn zone_extends(&self, charts: &Charts, from: Hex, direction: Direction, to: Hex) -> bool {
        let features = self.features[from.index()][direction.index()];
        crossed(features).all(|feature| match charts.sides[feature as usize].zone {
            ZoneStop::Nowhere => true,
            ZoneStop::Both => false,
            ZoneStop::Up => self.level[to.index()] <= self.level[from.index()],
            ZoneStop::In => !features.fortified_beyond(),
        })
    }

    /// What a unit of this type pays for an edge hex from off the map (12.2.b, 12.2.d), and to leave by it.
    pub fn edge_cost(&self, charts: &Charts, column: Column, hex: Hex) -> u8 {
        let by_road = (0..6)
            .filter(|&d| self.beyond[hex.index()][d] == NOWHERE)
            .filter_map(|d| charts.cost_by_road(self.features[hex.index()][d]))
            .min();
        let over_land = charts.hexes[usize::from(self.terrain[hex.index()])].cost[column as usize];
        match (by_road, over_land) {
            (Some(road), Some(land)) => road.min(land),
            (Some(cost), None) | (None, Some(cost)) => cost,
            (None, None) => CLOSED,
        }
    }

    /// The hexes of a trail that begins in `start`, as far as there is map.
    pub(crate) fn walk(&self, start: Hex, trail: Option<Trail>) -> impl Iterator<Item = Hex> + '_ {
        let steps = trail.into_iter().flat_map(Trail::directions);
        steps
            .scan(start, |at, direction| {
                *at = self.beyond[at.index()][direction];
                Some(*at)
            })
            .take_while(|&hex| hex != NOWHERE)
    }

    /// A hex on the border of the map.
    pub fn is_edge(&self, hex: Hex) -> bool {
        self.beyond[hex.index()].contains(&NOWHERE)
    }
}

/// Around the part of the grid that is on the map: along its north edge to the east, then south, west and north again.
fn border(grid: &Grid, on_map: &HexSet) -> Vec<Hex> {
    let span = |number: fn(&Grid, Hex) -> u16| {
        let all = on_map.iter().map(|h| number(grid, h));
        (all.clone().min().unwrap_or(1), all.max().unwrap_or(1))
    };
    let ((west, east), (north, south)) = (span(Grid::column), span(Grid::row));
    let along_north = (west..=east).map(|c| (c, north));
    let along_east = (north + 1..=south).map(|r| (east, r));
    let along_south = (west..east).rev().map(|c| (c, south));
    let along_west = (north + 1..south).rev().map(|r| (west, r));
    let around = along_north.chain(along_east).chain(along_south).chain(along_west);
    let mut border: Vec<Hex> = Vec::new();
    for hex in around.filter_map(|(c, r)| grid.hex(c, r)).filter(|&h| on_map.contains(h)) {
        if !border.contains(&hex) {
            border.push(hex);
        }
    }
    border
}

/// The features that count when a side is crossed: a bridge or ford takes the place of the river or creek it spans.
pub(crate) fn crossed(features: Features) -> impl Iterator<Item = Feature> {
    let spanned = features.has(Feature::Bridge) || features.has(Feature::Ford);
    features.iter().filter(move |&f| !(spanned && matches!(f, Feature::River | Feature::Creek)))
}

impl Charts {
    /// What a road over a side that is closed to the column still pays: an escarpment is climbed like a slope (5.4.4.b).
    fn by_road_over(&self, feature: Feature, column: Column) -> Option<u8> {
        (feature == Feature::Escarpment).then(|| self.sides[Feature::Slope as usize].cost[column as usize])?
    }

    /// 5.4.3.a: the cheapest of the roads on a side.
    fn cost_by_road(&self, features: Features) -> Option<u8> {
        Feature::WAYS
            .into_iter()
            .filter(|&f| features.has(f))
            .filter_map(|f| self.sides[f as usize].instead)
            .min()
    }
}
