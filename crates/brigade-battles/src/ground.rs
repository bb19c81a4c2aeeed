//! 2.1 The map as a scenario writes it: by hand, or laid over a survey and put right by hand.

use game::Library;
use game::read::{Field, Section};
use hexmap::compile::{Cover, HexFeatures, Plan, Play, SideFeatures, Slopes};
use hexmap::{EvenColumns, Grid, Hex, HexSet};

use crate::charts::Charts;
use crate::map::feature;

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
    let columns = map.field("cols").required().integer(1..=99);
    let rows = map.field("rows").required().integer(1..=99);
    let even = match map.field("even").one_of(&["high", "low"]) {
        Some(1) => EvenColumns::Lower,
        _ => EvenColumns::Higher,
    };
    let (columns, rows) = (columns? as u16, rows? as u16);
    let hex_yards = map.field("hex").integer(1..=2000).unwrap_or(250) as u16;
    let play = read_play(map, columns, rows);
    let surveyed = map.field("survey");
    let mut ground = if surveyed.is_present() {
        surveyed_ground(&surveyed, library, charts, columns, rows, even, hex_yards, play)?
    } else {
        let grid = match Grid::new(columns, rows, even) {
            Ok(grid) => grid,
            Err(error) => {
                map.fault(error.to_string(), "a smaller map");
                return None;
            }
        };
        open_ground(grid, play, hex_yards)
    };
    put_right(map, charts, &mut ground);
    Some(ground)
}

fn read_play(map: &Section<'_>, columns: u16, rows: u16) -> Option<Play> {
    let play = map.field("play").section()?;
    let pair = |field: Field<'_>, most: u16| -> Option<[u16; 2]> {
        let ends: Vec<u16> =
            field.list().iter().filter_map(|f| f.integer(1..=i64::from(most))).map(|n| n as u16).collect();
        match ends[..] {
            [first, last] if first <= last => Some([first, last]),
            _ => {
                field.fault("not a first and a last", format!("two numbers from 1 to {most}"));
                None
            }
        }
    };
    let columns = pair(play.field("columns"), columns);
    let rows = pair(play.field("rows"), rows);
    play.finish();
    Some(Play { columns: columns?, rows: rows? })
}

fn open_ground(grid: Grid, play: Option<Play>, hex_yards: u16) -> Ground {
    let hexes = grid.len();
    let within = |hex: &Hex| {
        play.is_none_or(|p| {
            (p.columns[0]..=p.columns[1]).contains(&grid.column(*hex))
                && (p.rows[0]..=p.rows[1]).contains(&grid.row(*hex))
        })
    };
    Ground {
        in_play: grid.hexes().filter(within).collect(),
        terrain: vec![0; hexes],
        level: vec![0; hexes],
        sides: vec![0; grid.sides_len()],
        names: vec![None; hexes],
        survey: serde_json::Value::Null,
        inset: [0, 0],
        hex_yards: u32::from(hex_yards),
        grid,
    }
}

#[expect(clippy::too_many_arguments, reason = "each is a key of the table")]
fn surveyed_ground(
    field: &Field<'_>,
    library: &dyn Library,
    charts: &Charts,
    columns: u16,
    rows: u16,
    even: EvenColumns,
    hex: u16,
    play: Option<Play>,
) -> Option<Ground> {
    let name = field.text()?;
    let Some(text) = library.survey(&name) else {
        field.fault(
            format!("there is no survey `{name}`"),
            "the name of a file in surveys/, without its ending",
        );
        return None;
    };
    let survey = match survey::read(&text) {
        Ok(survey) => survey,
        Err(faults) => {
            for fault in faults {
                field.fault(format!("the survey is faulty: {fault}"), "a survey that can be read");
            }
            return None;
        }
    };
    let plan = Plan {
        survey: toml::Spanned::new(field.span(), name),
        hex,
        columns,
        rows,
        even_columns: even,
        corner: None,
        play,
        slopes: Slopes::Levels,
        correct: Vec::new(),
    };
    let compiled = match hexmap::compile::compile(&survey, &plan) {
        Ok(compiled) => compiled,
        Err(faults) => {
            for fault in faults {
                field.fault(fault.to_string(), "a grid that lies on the survey");
            }
            return None;
        }
    };
    let grid = compiled.grid.clone();
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
    let mut names = vec![None; grid.len()];
    for place in &survey.place {
        if let Some(hex) = compiled.hex_at(place.at) {
            names[hex.index()].get_or_insert_with(|| place.name.clone());
        }
    }
    Some(Ground {
        in_play: *compiled.in_play(),
        terrain: grid.hexes().map(terrain).collect(),
        level: grid.hexes().map(|hex| compiled.level(hex)).collect(),
        sides: grid.sides().map(side).collect(),
        names,
        survey: serde_json::to_value(&survey).unwrap_or_default(),
        inset: [0, 0],
        hex_yards: u32::from(hex),
        grid,
    })
}

/// What the scenario says by hand: it goes before the survey.
fn put_right(map: &Section<'_>, charts: &Charts, ground: &mut Ground) {
    for item in map.field("off").list() {
        if let Some(hex) = hex_of(&item, &ground.grid) {
            ground.in_play.remove(hex);
        }
    }
    if let Some(raster) = map.field("raster").text() {
        read_raster(&map.field("raster"), &raster, charts, ground);
    }
    if let Some(terrain) = map.field("terrain").section() {
        for (name, hexes) in terrain.entries() {
            let Some(row) = charts.terrain_named(&name) else {
                let known: Vec<&str> = charts.terrain.iter().map(|t| t.name.as_str()).collect();
                hexes.fault(format!("no terrain `{name}`"), format!("one of {}", known.join(", ")));
                continue;
            };
            for item in hexes.list() {
                if let Some(hex) = hex_of(&item, &ground.grid) {
                    ground.terrain[hex.index()] = row as u8;
                }
            }
        }
    }
    if let Some(levels) = map.field("levels").section() {
        for (level, hexes) in levels.entries() {
            let Ok(level) = level.parse::<i8>() else {
                hexes.fault(format!("`{level}` is no level"), "a number such as \"1\"");
                continue;
            };
            for item in hexes.list() {
                if let Some(hex) = hex_of(&item, &ground.grid) {
                    ground.level[hex.index()] = level;
                }
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
        read_road(&item, ground);
    }
    if let Some(names) = map.field("names").section() {
        for (number, name) in names.entries() {
            match (ground.grid.parse(&number), name.text()) {
                (Some(hex), Some(text)) => ground.names[hex.index()] = Some(text),
                (None, _) => name.fault(format!("no hex `{number}`"), "a hex of the map"),
                _ => {}
            }
        }
    }
}

/// A raster of cells, a row a line, each a level and a letter: `1w`. A letter alone leaves the level.
fn read_raster(field: &Field<'_>, raster: &str, charts: &Charts, ground: &mut Ground) {
    for (row, line) in raster.lines().filter(|l| !l.trim().is_empty()).enumerate() {
        for (column, cell) in line.split_whitespace().enumerate() {
            let Some(hex) = ground.grid.hex(column as u16 + 1, row as u16 + 1) else {
                field.fault(
                    format!("row {} has too many cells, or there are too many rows", row + 1),
                    "a cell a hex",
                );
                return;
            };
            let letter = cell.chars().last().unwrap_or('.');
            let name = match letter {
                '.' => "clear",
                'w' => "woods",
                'f' => "field",
                't' => "town",
                's' => "sunken",
                'r' => "rough",
                'm' => "marsh",
                '~' => "water",
                _ => {
                    field.fault(format!("`{cell}` is no cell"), "a level and one of . w f t s r m ~");
                    continue;
                }
            };
            ground.terrain[hex.index()] = charts.terrain_named(name).unwrap_or(0) as u8;
            if let Ok(level) = cell[..cell.len() - 1].parse() {
                ground.level[hex.index()] = level;
            }
        }
    }
}

/// A road as the hexes it runs through.
fn read_road(item: &Field<'_>, ground: &mut Ground) {
    let Some(text) = item.text() else { return };
    let hexes: Option<Vec<Hex>> = text.split_whitespace().map(|n| ground.grid.parse(n)).collect();
    let Some(hexes) = hexes else {
        item.fault("a hex of the road is not on the map", "hexes in order: \"0101 0102 0202\"");
        return;
    };
    for pair in hexes.windows(2) {
        match ground.grid.side_between(pair[0], pair[1]) {
            Some(side) => ground.sides[side.index()] |= feature::ROAD,
            None => item.fault(
                format!("{} and {} are not neighbours", ground.grid.name(pair[0]), ground.grid.name(pair[1])),
                "hexes in order, each next to the last",
            ),
        }
    }
}

/// A hex by its number.
pub(crate) fn hex_of(item: &Field<'_>, grid: &Grid) -> Option<Hex> {
    let text = item.text()?;
    let hex = grid.parse(&text);
    if hex.is_none() {
        item.fault(format!("`{text}` is no hex of the map"), "a number such as \"0910\"");
    }
    hex
}

/// A hexside by its two hexes.
pub(crate) fn side_of(item: &Field<'_>, grid: &Grid) -> Option<hexmap::Side> {
    let text = item.text()?;
    let side = grid.parse_side(&text);
    if side.is_none() {
        item.fault(format!("`{text}` is no hexside of the map"), "two neighbours: \"0910/1009\"");
    }
    side
}
