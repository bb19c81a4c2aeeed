//! The map as a scenario writes it: by hand, or laid over a survey and put right by hand.

use game::Library;
use game::read::{Field, Section};
use hexmap::compile::{self, Cover, SideFeatures, Slopes};
use hexmap::{EvenColumns, Grid, Hex, HexSet};
use sheet::{Custom, Sheet, side_of, towards};

use crate::rules::charts::{Charts, Terrain};
use crate::setup::ground::{Edge, Ground, Water};

pub(crate) use sheet::{hex_of, hexes_of};

/// What a `[map]` table brings besides the ground.
#[derive(Debug)]
pub(crate) struct Map {
    pub(crate) ground: Ground,
    pub(crate) survey: serde_json::Value,
    pub(crate) hex_yards: u32,
    pub(crate) inset: [i32; 2],
}

/// The ground before anything is worked out.
struct Draft {
    grid: Grid,
    terrain: Vec<Terrain>,
    hill: HexSet,
    edges: Vec<Edge>,
}

/// Reads the `[map]` table.
pub(crate) fn read(map: &Section<'_>, library: &dyn Library, charts: &Charts) -> Option<Map> {
    let listed = map.field("slopes").is_present();
    let custom = Custom {
        even: EvenColumns::Lower,
        hex_yards: 200,
        slopes: if listed { Slopes::Listed } else { Slopes::Levels },
    };
    let sheet = Sheet::read(map, library, custom)?;
    let mut draft = match &sheet.surveyed {
        Some(surveyed) => surveyed_ground(&surveyed.ground),
        None => open_ground(&sheet.grid),
    };
    put_right(map, &mut draft);
    let Draft { grid, terrain, hill, edges } = draft;
    let mut ground = Ground::new(grid, terrain, hill, sheet.in_play, edges, charts);
    ground.names = sheet.names().to_vec();
    Some(Map { ground, survey: sheet.drawn(), hex_yards: sheet.hex_yards.into(), inset: [0, 0] })
}

fn open_ground(grid: &Grid) -> Draft {
    Draft {
        terrain: vec![Terrain::Clear; grid.len()],
        hill: HexSet::new(),
        edges: vec![Edge::default(); grid.sides_len()],
        grid: grid.clone(),
    }
}

/// What the rules of this book see in a surveyed ground.
fn surveyed_ground(compiled: &compile::Ground) -> Draft {
    let grid = &compiled.grid;
    let terrain = |hex: Hex| match compiled.cover(hex) {
        Cover::Clear | Cover::Rough => Terrain::Clear,
        Cover::Field => Terrain::Field,
        Cover::Woods | Cover::HeavyWoods => Terrain::HeavyForest,
        Cover::LightWoods => Terrain::LightForest,
        Cover::Orchard => Terrain::Orchard,
        Cover::Marsh => Terrain::Swamp,
        Cover::Town | Cover::Building => Terrain::Building,
        Cover::Water => Terrain::Water,
    };
    let edge = |side: hexmap::Side| {
        let on = compiled.side(side);
        let water = match () {
            () if on.contains(SideFeatures::BRIDGE) => Water::Bridge,
            () if on.intersects(SideFeatures::FORD | SideFeatures::BURNT_BRIDGE) => Water::Ford,
            () if on.contains(SideFeatures::RIVER) => Water::River,
            () if on.intersects(SideFeatures::STREAM | SideFeatures::CREEK) => Water::Creek,
            () => Water::None,
        };
        let (a, b) = grid.hexes_of(side);
        let works = on
            .contains(SideFeatures::WORKS)
            .then(|| [Some(a), b].into_iter().flatten().find(|&hex| compiled.shelters(side, hex)));
        Edge {
            water,
            high: compiled.upper(side),
            works: works.flatten(),
            road: on.intersects(SideFeatures::ROAD | SideFeatures::LANE),
            deep: false,
            broken: false,
        }
    };
    Draft {
        terrain: grid.hexes().map(terrain).collect(),
        hill: HexSet::new(),
        edges: grid.sides().map(edge).collect(),
        grid: grid.clone(),
    }
}

/// What the scenario says by hand: it goes before the survey.
fn put_right(map: &Section<'_>, draft: &mut Draft) {
    read_raster(&map.field("raster"), draft);
    if let Some(terrain) = map.field("terrain").section() {
        for (name, hexes) in terrain.entries() {
            let Some(row) = Terrain::NAMES.iter().position(|&known| known == name) else {
                hexes.fault(format!("no terrain `{name}`"), format!("one of {}", Terrain::NAMES.join(", ")));
                continue;
            };
            for hex in hexes_of(&hexes, &draft.grid) {
                draft.terrain[hex.index()] = Terrain::ALL[row];
            }
        }
    }
    draft.hill.extend(hexes_of(&map.field("hills"), &draft.grid));
    for (key, water) in [
        ("creeks", Water::Creek),
        ("fords", Water::Ford),
        ("bridges", Water::Bridge),
        ("rivers", Water::River),
        ("dry", Water::None),
    ] {
        for item in map.field(key).list() {
            if let Some(side) = side_of(&item, &draft.grid) {
                draft.edges[side.index()].water = water;
            }
        }
    }
    for item in map.field("deep").list() {
        if let Some(side) = side_of(&item, &draft.grid) {
            draft.edges[side.index()].deep = true;
        }
    }
    for (i, item) in map.field("broken").list().iter().enumerate() {
        if i == 8 {
            item.fault("too many broken bridges", "at most 8");
        } else if let Some(side) = side_of(item, &draft.grid) {
            let edge = &mut draft.edges[side.index()];
            (edge.water, edge.road, edge.broken) = (Water::Ford, true, true);
        }
    }
    for item in map.field("slopes").list() {
        if let Some((side, high)) = towards(&item, &draft.grid) {
            draft.edges[side.index()].high = Some(high);
        }
    }
    for item in map.field("works").list() {
        if let Some((side, inside)) = towards(&item, &draft.grid) {
            draft.edges[side.index()].works = Some(inside);
        }
    }
    for item in map.field("roads").list() {
        for side in sheet::road(&item, &draft.grid) {
            draft.edges[side.index()].road = true;
        }
    }
}

/// The ground in letters.
fn read_raster(field: &Field<'_>, draft: &mut Draft) {
    for (hex, cell) in sheet::raster(field, &draft.grid) {
        draft.terrain[hex.index()] = match cell.as_str() {
            "." => Terrain::Clear,
            "f" => Terrain::Field,
            "c" => Terrain::Crops,
            "l" => Terrain::LightForest,
            "o" => Terrain::Orchard,
            "H" => Terrain::HeavyForest,
            "s" => Terrain::Swamp,
            "B" => Terrain::Building,
            "~" => Terrain::Water,
            _ => {
                field.fault(format!("`{cell}` is no terrain letter"), "one of . f c l o H s B ~");
                continue;
            }
        };
    }
}
