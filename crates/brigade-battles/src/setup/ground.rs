//! 2.1 The map as a scenario writes it: by hand, or laid over a survey and put right by hand.

use game::Library;
use game::read::{Field, Section};
use hexmap::compile::{self, Cover, HexFeatures, SideFeatures, Slopes};
use hexmap::{EvenColumns, Grid, Hex, HexSet};
use sheet::{Custom, Sheet, hexes_of};

pub(crate) use sheet::{hex_of, side_of};

use crate::rules::charts::Charts;
use crate::setup::map::feature;

/// The map before anything is worked out.
#[derive(Debug)]
pub(crate) struct Ground {
    pub(crate) grid: Grid,
    pub(crate) in_play: HexSet,
    pub(crate) terrain: Vec<u8>,
    pub(crate) level: Vec<i8>,
    pub(crate) sides: Vec<u8>,
    pub(crate) names: Vec<Option<String>>,
    pub(crate) survey: serde_json::Value,
    pub(crate) inset: [i32; 2],
    pub(crate) hex_yards: u32,
}

/// Reads the `[map]` table.
pub(crate) fn read(map: &Section<'_>, library: &dyn Library, charts: &Charts) -> Option<Ground> {
    let custom = Custom { even: EvenColumns::Higher, hex_yards: 250, slopes: Slopes::Levels };
    let sheet = Sheet::read(map, library, custom)?;
    let (hexes, sides) = (sheet.grid.len(), sheet.grid.sides_len());
    let mut ground = Ground {
        in_play: sheet.in_play,
        terrain: vec![0; hexes],
        level: vec![0; hexes],
        sides: vec![0; sides],
        names: sheet.grid.hexes().map(|hex| sheet.name(hex).map(str::to_owned)).collect(),
        survey: sheet.drawn(),
        inset: [0, 0],
        hex_yards: sheet.hex_yards.into(),
        grid: sheet.grid,
    };
    if let Some(surveyed) = &sheet.surveyed {
        take_over(&surveyed.ground, charts, &mut ground);
    }
    put_right(map, charts, &mut ground);
    Some(ground)
}

/// What the rules of this book see in a surveyed ground.
fn take_over(compiled: &compile::Ground, charts: &Charts, ground: &mut Ground) {
    let terrain = |hex: Hex| {
        let name = match compiled.cover(hex) {
            _ if compiled.hex(hex).contains(HexFeatures::CUT) => "sunken",
            Cover::Clear | Cover::Building => "clear",
            Cover::Woods | Cover::LightWoods | Cover::HeavyWoods => "woods",
            Cover::Field | Cover::Orchard => "field",
            Cover::Marsh => "marsh",
            Cover::Town => "town",
            Cover::Water => "water",
            Cover::Rough => "rough",
        };
        charts.terrain_named(name).unwrap_or(0) as u8
    };
    let side = |side: hexmap::Side| {
        let on = compiled.side(side);
        let mut bits = 0;
        for (has, bit) in [
            (SideFeatures::ROAD | SideFeatures::LANE, feature::ROAD),
            (SideFeatures::STREAM | SideFeatures::CREEK, feature::STREAM),
            (SideFeatures::RIVER, feature::RIVER),
            (SideFeatures::BRIDGE, feature::BRIDGE),
            (SideFeatures::FORD, feature::FORD),
            (SideFeatures::WALL, feature::WALL),
            (SideFeatures::ESCARPMENT, feature::CLIFF),
        ] {
            if on.intersects(has) {
                bits |= bit;
            }
        }
        bits
    };
    ground.terrain = compiled.grid.hexes().map(terrain).collect();
    ground.level = compiled.grid.hexes().map(|hex| compiled.level(hex)).collect();
    ground.sides = compiled.grid.sides().map(side).collect();
}

/// What the scenario says by hand: it goes before the survey.
fn put_right(map: &Section<'_>, charts: &Charts, ground: &mut Ground) {
    read_raster(&map.field("raster"), charts, ground);
    if let Some(terrain) = map.field("terrain").section() {
        for (name, hexes) in terrain.entries() {
            let Some(row) = charts.terrain_named(&name) else {
                let known: Vec<&str> = charts.terrain.iter().map(|t| t.name.as_str()).collect();
                hexes.fault(format!("no terrain `{name}`"), format!("one of {}", known.join(", ")));
                continue;
            };
            for hex in hexes_of(&hexes, &ground.grid) {
                ground.terrain[hex.index()] = row as u8;
            }
        }
    }
    if let Some(levels) = map.field("levels").section() {
        for (level, hexes) in levels.entries() {
            let Ok(level) = level.parse::<i8>() else {
                hexes.fault(format!("`{level}` is not a level"), "a number such as \"1\"");
                continue;
            };
            for hex in hexes_of(&hexes, &ground.grid) {
                ground.level[hex.index()] = level;
            }
        }
    }
    for (key, add) in [("sides", true), ("without", false)] {
        let Some(sides) = map.field(key).section() else { continue };
        for (name, list) in sides.entries() {
            let Some(&(_, bit)) = feature::NAMES.iter().find(|(known, _)| *known == name) else {
                list.fault(
                    format!("no feature `{name}`"),
                    "road, stream, river, bridge, ford, wall or cliff",
                );
                continue;
            };
            for item in list.list() {
                if let Some(side) = side_of(&item, &ground.grid) {
                    if add {
                        ground.sides[side.index()] |= bit;
                    } else {
                        ground.sides[side.index()] &= !bit;
                    }
                }
            }
        }
    }
    for item in map.field("roads").list() {
        for side in sheet::road(&item, &ground.grid) {
            ground.sides[side.index()] |= feature::ROAD;
        }
    }
}

/// The ground in cells, each a level and a letter: `1w`. A letter alone leaves the level.
fn read_raster(field: &Field<'_>, charts: &Charts, ground: &mut Ground) {
    for (hex, cell) in sheet::raster(field, &ground.grid) {
        let mut level = cell.chars();
        let name = match level.next_back() {
            Some('.') => "clear",
            Some('w') => "woods",
            Some('f') => "field",
            Some('t') => "town",
            Some('s') => "sunken",
            Some('r') => "rough",
            Some('m') => "marsh",
            Some('~') => "water",
            _ => {
                field.fault(format!("`{cell}` is not a cell"), "a level and one of . w f t s r m ~");
                continue;
            }
        };
        ground.terrain[hex.index()] = charts.terrain_named(name).unwrap_or(0) as u8;
        if let Ok(level) = level.as_str().parse() {
            ground.level[hex.index()] = level;
        }
    }
}
