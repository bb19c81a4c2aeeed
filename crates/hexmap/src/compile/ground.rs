//! The compiled map.

use bitflags::bitflags;
use serde::{Deserialize, Serialize};
use survey::geometry::{Course, Outline, Spot};
use survey::{Area, Survey, WoodsKind};

use super::{Layout, Play};
use crate::{Direction, Grid, Hex, HexSet, Side};

/// What covers most of a hex.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Ord, PartialOrd, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cover {
    /// Open ground.
    #[default]
    Clear,
    /// Trees.
    Woods,
    /// Thin woods.
    LightWoods,
    /// Dense woods.
    HeavyWoods,
    /// Crops.
    Field,
    /// Fruit trees in rows.
    Orchard,
    /// Wet ground.
    Marsh,
    /// Streets and houses.
    Town,
    /// A lake or a wide river.
    Water,
    /// Only by correction: the survey has no outline for these.
    Rough,
    /// A large house by itself.
    Building,
}

bitflags! {
    /// What a hexside carries. In a file each is written as its name in small letters: `burnt-bridge`.
    #[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Hash, Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct SideFeatures: u32 {
        /// A stream.
        const STREAM = 1;
        /// A creek.
        const CREEK = 1 << 1;
        /// A river.
        const RIVER = 1 << 2;
        /// A road.
        const ROAD = 1 << 3;
        /// A lane.
        const LANE = 1 << 4;
        /// A railroad.
        const RAILROAD = 1 << 5;
        /// A railroad without rails yet.
        const UNFINISHED = 1 << 6;
        /// A bridge.
        const BRIDGE = 1 << 7;
        /// What is left of a bridge.
        const BURNT_BRIDGE = 1 << 8;
        /// A ford.
        const FORD = 1 << 9;
        /// A slope.
        const SLOPE = 1 << 10;
        /// A slope too steep for most.
        const ESCARPMENT = 1 << 11;
        /// A wall.
        const WALL = 1 << 12;
        /// A fence.
        const FENCE = 1 << 13;
        /// Field works.
        const WORKS = 1 << 14;
    }
}

impl SideFeatures {
    /// Running water of every kind.
    pub const WATER: SideFeatures = Self::STREAM.union(Self::CREEK).union(Self::RIVER);
    /// Roads, lanes and railroads.
    pub const WAYS: SideFeatures = Self::ROAD.union(Self::LANE).union(Self::RAILROAD).union(Self::UNFINISHED);
    /// Where the ground rises.
    pub const RISES: SideFeatures = Self::SLOPE.union(Self::ESCARPMENT);
    /// What gives cover to those behind it.
    pub const SHELTER: SideFeatures = Self::WALL.union(Self::FENCE).union(Self::WORKS);

    /// Reads a name as a file writes it.
    pub fn parse(word: &str) -> Option<SideFeatures> {
        let small = word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
        Self::from_name(&word.to_ascii_uppercase().replace('-', "_")).filter(|_| small)
    }

    /// The names as a file writes them.
    pub fn words(self) -> impl Iterator<Item = String> {
        self.iter_names().map(|(name, _)| name.to_ascii_lowercase().replace('_', "-"))
    }
}

bitflags! {
    /// What runs through a hex.
    #[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Hash, Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct HexFeatures: u8 {
        /// A road.
        const ROAD = 1;
        /// A lane.
        const LANE = 1 << 1;
        /// A railroad.
        const RAILROAD = 1 << 2;
        /// A railroad without rails yet.
        const UNFINISHED = 1 << 3;
        /// A cut.
        const CUT = 1 << 4;
    }
}

/// One end of a hexside: the hex with the lower number, or the other.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum End {
    First,
    Second,
}

/// A map compiled from a survey, in flat arrays by [`Hex`] and [`Side`].
#[derive(Clone, Debug)]
pub struct Ground {
    /// The hexes.
    pub grid: Grid,
    /// Where they lie on the ground.
    pub layout: Layout,
    in_play: HexSet,
    cover: Vec<Cover>,
    level: Vec<i8>,
    in_hex: Vec<HexFeatures>,
    on_side: Vec<SideFeatures>,
    rises: Vec<Option<End>>,
    protects: Vec<Option<End>>,
}

impl Ground {
    pub(super) fn new(grid: Grid, layout: Layout) -> Ground {
        let (hexes, sides) = (grid.len(), grid.sides_len());
        Ground {
            in_play: grid.hexes().collect(),
            grid,
            layout,
            cover: vec![Cover::Clear; hexes],
            level: vec![0; hexes],
            in_hex: vec![HexFeatures::empty(); hexes],
            on_side: vec![SideFeatures::empty(); sides],
            rises: vec![None; sides],
            protects: vec![None; sides],
        }
    }

    /// The hexes the scenario is played on: all, unless it uses a part of the map.
    pub fn in_play(&self) -> &HexSet {
        &self.in_play
    }

    /// What a hex is covered with.
    pub fn cover(&self, hex: Hex) -> Cover {
        self.cover[hex.index()]
    }

    /// The level of a hex.
    pub fn level(&self, hex: Hex) -> i8 {
        self.level[hex.index()]
    }

    /// Roads and cuts in a hex.
    pub fn hex(&self, hex: Hex) -> HexFeatures {
        self.in_hex[hex.index()]
    }

    /// What runs along a hexside.
    pub fn side(&self, side: Side) -> SideFeatures {
        self.on_side[side.index()]
    }

    /// What one crosses in this direction.
    pub fn across(&self, hex: Hex, direction: Direction) -> SideFeatures {
        self.side(self.grid.side(hex, direction))
    }

    /// The upper hex of a slope or escarpment.
    pub fn upper(&self, side: Side) -> Option<Hex> {
        let rising = self.side(side).intersects(SideFeatures::RISES);
        self.rises[side.index()].filter(|_| rising).and_then(|end| self.end(side, end))
    }

    /// Whether one climbs a slope or escarpment in this direction.
    pub fn is_uphill(&self, hex: Hex, direction: Direction) -> bool {
        let upper = self.upper(self.grid.side(hex, direction));
        upper.is_some() && upper == self.grid.neighbour(hex, direction)
    }

    /// Whether a wall, fence or works on this side shelters a unit in the hex.
    pub fn shelters(&self, side: Side, hex: Hex) -> bool {
        let (first, second) = self.grid.hexes_of(side);
        let here = first == hex || second == Some(hex);
        let inside = self.protects[side.index()].is_none_or(|end| self.end(side, end) == Some(hex));
        here && inside && self.side(side).intersects(SideFeatures::SHELTER)
    }

    /// The hex a place of the survey lies in.
    pub fn hex_at(&self, at: survey::Point) -> Option<Hex> {
        self.layout.hex_at(&self.grid, (f64::from(at[0]), f64::from(at[1])))
    }

    fn end(&self, side: Side, end: End) -> Option<Hex> {
        let (first, second) = self.grid.hexes_of(side);
        match end {
            End::First => Some(first),
            End::Second => second,
        }
    }

    fn end_of(&self, side: Side, hex: Hex) -> End {
        if self.grid.hexes_of(side).0 == hex { End::First } else { End::Second }
    }

    pub(super) fn play_on(&mut self, play: Play) {
        let within = |[first, last]: [u16; 2], number: u16| (first..=last).contains(&number);
        let in_play =
            |&hex: &Hex| within(play.columns, self.grid.column(hex)) && within(play.rows, self.grid.row(hex));
        self.in_play = self.grid.hexes().filter(in_play).collect();
    }

    pub(super) fn set_cover(&mut self, hex: Hex, cover: Cover) {
        self.cover[hex.index()] = cover;
    }

    pub(super) fn set_level(&mut self, hex: Hex, level: i8) {
        self.level[hex.index()] = level;
    }

    pub(super) fn add(&mut self, side: Side, features: SideFeatures) {
        self.on_side[side.index()] |= features;
    }

    pub(super) fn remove(&mut self, side: Side, features: SideFeatures) {
        self.on_side[side.index()] -= features;
    }

    pub(super) fn add_in(&mut self, hex: Hex, features: HexFeatures) {
        self.in_hex[hex.index()] |= features;
    }

    /// The side rises towards this hex.
    pub(super) fn rise(&mut self, side: Side, upper: Option<Hex>) {
        self.rises[side.index()] = upper.map(|hex| self.end_of(side, hex));
    }

    /// The works on this side shelter this hex only.
    pub(super) fn protect(&mut self, side: Side, hex: Option<Hex>) {
        self.protects[side.index()] = hex.map(|hex| self.end_of(side, hex));
    }

    /// Reads cover and level of every hex off the survey.
    pub(super) fn survey_hexes(&mut self, survey: &Survey) {
        let sheet = Sheet::new(survey);
        for hex in self.grid.hexes() {
            let centre = self.layout.centre(&self.grid, hex);
            let spots = self.layout.spots_in(&self.grid, hex);
            self.set_cover(hex, sheet.cover_of(&spots, centre));
            self.set_level(hex, sheet.level_of(&spots, centre));
        }
    }

    /// A road that crosses a side runs through the hexes on both.
    pub(super) fn note_ways_in_hexes(&mut self) {
        const WAYS: [(SideFeatures, HexFeatures); 4] = [
            (SideFeatures::ROAD, HexFeatures::ROAD),
            (SideFeatures::LANE, HexFeatures::LANE),
            (SideFeatures::RAILROAD, HexFeatures::RAILROAD),
            (SideFeatures::UNFINISHED, HexFeatures::UNFINISHED),
        ];
        for side in self.grid.sides() {
            let (first, second) = self.grid.hexes_of(side);
            for (on_side, in_hex) in WAYS {
                if self.side(side).contains(on_side) {
                    self.add_in(first, in_hex);
                    second.into_iter().for_each(|hex| self.add_in(hex, in_hex));
                }
            }
        }
    }

    /// Marks every side between different levels that is no escarpment as a slope.
    pub(super) fn slope_between_levels(&mut self) {
        for side in self.grid.sides() {
            let (first, Some(second)) = self.grid.hexes_of(side) else { continue };
            let (low, high) = (self.level(first), self.level(second));
            if low == high {
                continue;
            }
            if !self.side(side).contains(SideFeatures::ESCARPMENT) {
                self.add(side, SideFeatures::SLOPE);
            }
            self.rise(side, Some(if low < high { second } else { first }));
        }
    }
}

/// The outlines of a survey, ready to be asked.
struct Sheet {
    /// The later counts.
    covers: Vec<(Cover, Outline)>,
    heights: Vec<(i8, Outline)>,
    bottoms: Vec<(f64, Course)>,
    broad: Vec<(f64, Course)>,
    base: i8,
}

impl Sheet {
    fn new(survey: &Survey) -> Sheet {
        let woods = survey.woods.iter().map(|woods| {
            let cover = match woods.kind {
                None => Cover::Woods,
                Some(WoodsKind::Light) => Cover::LightWoods,
                Some(WoodsKind::Heavy) => Cover::HeavyWoods,
            };
            (cover, Outline::new(&woods.outline))
        });
        let areas = |cover: Cover, areas: &[Area]| {
            areas.iter().map(|area| (cover, Outline::new(&area.outline))).collect::<Vec<_>>()
        };
        let waters = survey.water.iter().filter_map(|water| water.outline.as_ref());
        let courses = |yards: fn(&survey::Water) -> Option<f64>| {
            let course = |water: &survey::Water| Some((yards(water)?, Course::new(&water.line)));
            survey.water.iter().filter_map(course).collect::<Vec<_>>()
        };
        Sheet {
            covers: woods
                .chain(areas(Cover::Field, &survey.field))
                .chain(areas(Cover::Orchard, &survey.orchard))
                .chain(areas(Cover::Marsh, &survey.marsh))
                .chain(areas(Cover::Town, &survey.town))
                .chain(waters.map(|outline| (Cover::Water, Outline::new(outline))))
                .collect(),
            heights: survey.high.iter().map(|high| (high.level, Outline::new(&high.outline))).collect(),
            bottoms: courses(|water| water.bottom.map(f64::from)),
            broad: courses(|water| {
                water.width.filter(|_| water.outline.is_none()).map(|width| f64::from(width) / 2.0)
            }),
            base: survey.base,
        }
    }

    fn cover_at(&self, spot: Spot) -> Cover {
        if self.broad.iter().any(|(half, course)| course.passes_within(*half, spot)) {
            return Cover::Water;
        }
        let top = self.covers.iter().rev().find(|(_, outline)| outline.contains(spot));
        top.map_or(Cover::Clear, |&(cover, _)| cover)
    }

    fn level_at(&self, spot: Spot) -> i8 {
        if self.bottoms.iter().any(|(yards, course)| course.passes_within(*yards, spot)) {
            return self.base - 1;
        }
        let heights = self.heights.iter().filter(|(_, outline)| outline.contains(spot));
        heights.map(|&(level, _)| level).fold(self.base, i8::max)
    }

    /// The cover that takes up most of the hex, in doubt that of its centre.
    fn cover_of(&self, spots: &[Spot], centre: Spot) -> Cover {
        let mut shares: Vec<(usize, Cover)> = Vec::new();
        for &spot in spots {
            let cover = self.cover_at(spot);
            match shares.iter_mut().find(|(_, known)| *known == cover) {
                Some((share, _)) => *share += 1,
                None => shares.push((1, cover)),
            }
        }
        shares.sort_by_key(|&(share, cover)| (std::cmp::Reverse(share), cover));
        let doubt = spots.len() / 50;
        match shares[..] {
            [(most, _), (next, _), ..] if most - next <= doubt => self.cover_at(centre),
            [(_, cover), ..] => cover,
            [] => Cover::Clear,
        }
    }

    /// The highest level that at least half of the hex reaches, in doubt that of its centre.
    fn level_of(&self, spots: &[Spot], centre: Spot) -> i8 {
        let mut levels: Vec<i8> = spots.iter().map(|&spot| self.level_at(spot)).collect();
        levels.sort_unstable();
        let (middle, doubt) = (levels.len() / 2, levels.len() / 100);
        match (levels.get(middle - doubt), levels.get(middle + doubt)) {
            (Some(low), Some(high)) if low == high => *low,
            _ => self.level_at(centre),
        }
    }
}
