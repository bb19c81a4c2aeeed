//! The map as a scenario writes it: by hand, or laid over a survey and put right by hand.

use game::Library;
use game::read::{Field, Section};
use hexmap::compile::{Cover, Plan, Play, SideFeatures, Slopes};
use hexmap::{EvenColumns, Grid, Hex, HexSet};

use crate::charts::{Charts, Terrain};
use crate::ground::{Edge, Ground, Water};

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
    in_play: HexSet,
    terrain: Vec<Terrain>,
    hill: HexSet,
    edges: Vec<Edge>,
    names: Vec<(Hex, String)>,
    survey: serde_json::Value,
}

/// Reads the `[map]` table.
pub(crate) fn read(map: &Section<'_>, library: &dyn Library, charts: &Charts) -> Option<Map> {
    let columns = map.field("cols").required().integer(1..=99);
    let rows = map.field("rows").required().integer(1..=99);
    let even = match map.field("even").one_of(&["low", "high"]) {
        Some(1) => EvenColumns::Higher,
        _ => EvenColumns::Lower,
    };
    let (columns, rows) = (columns? as u16, rows? as u16);
    let hex = map.field("hex").integer(1..=2000).unwrap_or(200) as u16;
    let play = read_play(map, columns, rows);
    let listed = map.field("slopes").is_present();
    let surveyed = map.field("survey");
    let plan = Plan {
        survey: toml::Spanned::new(surveyed.span(), surveyed.text().unwrap_or_default()),
        hex,
        columns,
        rows,
        even_columns: even,
        corner: None,
        play,
        slopes: if listed { Slopes::Listed } else { Slopes::Levels },
        correct: Vec::new(),
    };
    let mut draft = if surveyed.is_present() {
        surveyed_ground(&surveyed, library, &plan)?
    } else {
        match Grid::new(columns, rows, even) {
            Ok(grid) => open_ground(grid, play),
            Err(error) => {
                map.fault(error.to_string(), "a smaller map");
                return None;
            }
        }
    };
    put_right(map, &mut draft);
    let Draft { grid, in_play, terrain, hill, edges, names, survey } = draft;
    let mut ground = Ground::new(grid, terrain, hill, in_play, edges, charts);
    ground.names = names;
    Some(Map { ground, survey, hex_yards: hex.into(), inset: [0, 0] })
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

fn open_ground(grid: Grid, play: Option<Play>) -> Draft {
    let within = |hex: &Hex| {
        play.is_none_or(|p| {
            (p.columns[0]..=p.columns[1]).contains(&grid.column(*hex))
                && (p.rows[0]..=p.rows[1]).contains(&grid.row(*hex))
        })
    };
    Draft {
        in_play: grid.hexes().filter(within).collect(),
        terrain: vec![Terrain::Clear; grid.len()],
        hill: HexSet::new(),
        edges: vec![Edge::default(); grid.sides_len()],
        names: Vec::new(),
        survey: serde_json::Value::Null,
        grid,
    }
}

fn surveyed_ground(field: &Field<'_>, library: &dyn Library, plan: &Plan) -> Option<Draft> {
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
    let compiled = match hexmap::compile::compile(&survey, plan) {
        Ok(compiled) => compiled,
        Err(faults) => {
            for fault in faults {
                field.fault(fault.to_string(), "a grid that lies on the survey");
            }
            return None;
        }
    };
    let grid = compiled.grid.clone();
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
    let mut names: Vec<(Hex, String)> = Vec::new();
    for place in &survey.place {
        if let Some(hex) = compiled.hex_at(place.at)
            && !names.iter().any(|(known, _)| *known == hex)
        {
            names.push((hex, place.name.clone()));
        }
    }
    Some(Draft {
        in_play: *compiled.in_play(),
        terrain: grid.hexes().map(terrain).collect(),
        hill: HexSet::new(),
        edges: grid.sides().map(edge).collect(),
        names,
        survey: serde_json::to_value(&survey).unwrap_or_default(),
        grid,
    })
}

/// What the scenario says by hand: it goes before the survey.
fn put_right(map: &Section<'_>, draft: &mut Draft) {
    for item in map.field("off").list() {
        if let Some(hex) = hex_of(&item, &draft.grid) {
            draft.in_play.remove(hex);
        }
    }
    let raster = map.field("raster");
    if let Some(text) = raster.text() {
        read_raster(&raster, &text, draft);
    }
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
        read_road(&item, draft);
    }
    if let Some(names) = map.field("names").section() {
        for (number, name) in names.entries() {
            match (draft.grid.parse(&number), name.text()) {
                (Some(hex), Some(text)) => {
                    draft.names.retain(|(known, _)| *known != hex);
                    draft.names.push((hex, text));
                }
                (None, _) => name.fault(format!("no hex `{number}`"), "a hex of the map"),
                _ => {}
            }
        }
    }
}

/// A raster of letters, a row a line.
fn read_raster(field: &Field<'_>, raster: &str, draft: &mut Draft) {
    for (row, line) in raster.lines().filter(|l| !l.trim().is_empty()).enumerate() {
        for (column, cell) in line.split_whitespace().enumerate() {
            let Some(hex) = draft.grid.hex(column as u16 + 1, row as u16 + 1) else {
                field.fault(
                    format!("row {} has too many cells, or there are too many rows", row + 1),
                    "a letter a hex",
                );
                return;
            };
            draft.terrain[hex.index()] = match cell {
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
}

/// A road as the hexes it runs through.
fn read_road(item: &Field<'_>, draft: &mut Draft) {
    let Some(text) = item.text() else { return };
    let hexes: Option<Vec<Hex>> = text.split_whitespace().map(|n| draft.grid.parse(n)).collect();
    let Some(hexes) = hexes else {
        item.fault("a hex of the road is not on the map", "hexes in order: \"0101 0102 0202\"");
        return;
    };
    for pair in hexes.windows(2) {
        match draft.grid.side_between(pair[0], pair[1]) {
            Some(side) => draft.edges[side.index()].road = true,
            None => item.fault(
                format!("{} and {} are not neighbours", draft.grid.name(pair[0]), draft.grid.name(pair[1])),
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

/// Several hexes, as a list or as numbers in one text.
pub(crate) fn hexes_of(field: &Field<'_>, grid: &Grid) -> Vec<Hex> {
    let mut found = Vec::new();
    for item in field.list() {
        for number in item.text().unwrap_or_default().split_whitespace() {
            match grid.parse(number) {
                Some(hex) => found.push(hex),
                None => item.fault(format!("`{number}` is no hex of the map"), "numbers such as \"0910\""),
            }
        }
    }
    found
}

fn side_of(item: &Field<'_>, grid: &Grid) -> Option<hexmap::Side> {
    let text = item.text()?;
    let side = grid.parse_side(&text);
    if side.is_none() {
        item.fault(format!("`{text}` is no hexside of the map"), "two neighbours: \"0910/1009\"");
    }
    side
}

/// A hexside with a direction: up a slope, or into fieldworks.
fn towards(item: &Field<'_>, grid: &Grid) -> Option<(hexmap::Side, Hex)> {
    let text = item.text()?;
    let found = text.split_once('>').and_then(|(a, b)| {
        let (a, b) = (grid.parse(a)?, grid.parse(b)?);
        Some((grid.side_between(a, b)?, b))
    });
    if found.is_none() {
        item.fault(
            format!("`{text}` is no hexside with a direction"),
            "from low to high, or from outside to inside: \"0909>0908\"",
        );
    }
    found
}
