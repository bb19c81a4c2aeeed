//! Reading a scenario's `[map]`: written out by hand, or taken from a survey.

use game::Library;
use game::read::{Field, Section};
use hexmap::compile::{self, Cover, SideFeatures};
use hexmap::{Direction, EvenColumns, Grid, Hex};
use serde::Deserialize;

use crate::rules::charts::{Charts, words};
use crate::setup::ground::Feature;
use crate::setup::ground::Sketch;

/// The plan of the map, or none after noting what is wrong with it.
pub(crate) fn read(
    source: &str,
    map: &Section<'_>,
    charts: &Charts,
    library: &dyn Library,
) -> Option<Sketch> {
    match map.field("survey").is_present() {
        true => from_survey(source, map, charts, library),
        false => by_hand(map, charts),
    }
}

fn by_hand(map: &Section<'_>, charts: &Charts) -> Option<Sketch> {
    let columns = map.field("cols").required().integer(1..=99);
    let rows = map.field("rows").required().integer(1..=99);
    let even = match map.field("even").one_of(&["low", "high"]) {
        Some(1) => EvenColumns::Higher,
        _ => EvenColumns::Lower,
    };
    let grid = match Grid::new(columns? as u16, rows? as u16, even) {
        Ok(grid) => grid,
        Err(error) => {
            map.fault(error.to_string(), "a smaller map");
            return None;
        }
    };
    let mut plan = Sketch::open(grid);
    for field in map.field("off").list() {
        if let Some(hex) = hex(&plan.grid, &field) {
            plan.on_map.remove(hex);
        }
    }
    terrain(&map.field("terrain"), charts, &mut plan);
    levels(&map.field("levels"), &mut plan);
    if let Some(sides) = map.field("sides").section() {
        for (name, field) in sides.entries() {
            match Feature::ALL.into_iter().find(|f| f.word() == name) {
                Some(feature) => field.list().iter().for_each(|f| side(f, feature, &mut plan)),
                None => field
                    .fault(format!("`{name}` is no hexside terrain"), words(Feature::ALL.map(Feature::word))),
            }
        }
    }
    names(map, &mut plan);
    map.finish();
    Some(plan)
}

fn terrain(field: &Field<'_>, charts: &Charts, plan: &mut Sketch) {
    let Some(table) = field.section() else { return };
    for (name, field) in table.entries() {
        let Some(row) = charts.hexes.iter().position(|h| h.name == name) else {
            let known: Vec<&str> = charts.hexes.iter().map(|h| h.name.as_str()).collect();
            field.fault(format!("`{name}` is no hex terrain"), format!("one of {}", known.join(", ")));
            continue;
        };
        for (entry, hex) in field.list().iter().filter_map(|f| Some((f, hex(&plan.grid, f)?))) {
            // 2.1.1.a: a hex has one terrain; clear, the first, is what is not named.
            if plan.terrain[hex.index()] != 0 {
                entry.fault(
                    format!("{} has another terrain already", plan.grid.name(hex)),
                    "each hex under one terrain",
                );
            }
            plan.terrain[hex.index()] = row as u8;
        }
    }
}

fn levels(field: &Field<'_>, plan: &mut Sketch) {
    let Some(table) = field.section() else { return };
    for (name, field) in table.entries() {
        let Some(level) = name.parse::<i8>().ok().filter(|l| (-9..=9).contains(l)) else {
            field.fault(format!("`{name}` is no level"), "a number from -9 to 9 in quotes");
            continue;
        };
        for hex in field.list().iter().filter_map(|f| hex(&plan.grid, f)) {
            plan.level[hex.index()] = level;
        }
    }
}

/// `0505/0506`, `0501/edge`, or a chain of hexes `0501/0502/0503` a road follows.
fn side(field: &Field<'_>, feature: Feature, plan: &mut Sketch) {
    let Some(text) = field.text() else { return };
    let parts: Vec<&str> = text.split('/').map(str::trim).collect();
    if let [hex, "edge"] = parts[..] {
        let Some(hex) = plan.grid.parse(hex) else { return wrong_hex(field, hex) };
        let off = |d: &Direction| plan.grid.neighbour(hex, *d).is_none_or(|h| !plan.on_map.contains(h));
        match Direction::ALL.into_iter().find(off) {
            Some(direction) => plan.put(hex, direction, feature),
            None => {
                field.fault(format!("{text}: the hex is not at the edge"), "a hex at the edge of the map")
            }
        }
        return;
    }
    if parts.len() < 2 {
        return field.fault(
            format!("`{text}` names no hexside"),
            "two hexes with a stroke between, such as 0505/0506",
        );
    }
    for pair in parts.windows(2) {
        let (Some(a), Some(b)) = (plan.grid.parse(pair[0]), plan.grid.parse(pair[1])) else {
            return wrong_hex(field, &text);
        };
        match plan.grid.direction(a, b) {
            Some(direction) => plan.put(a, direction, feature),
            None => field.fault(format!("{} and {} do not touch", pair[0], pair[1]), "neighbouring hexes"),
        }
    }
}

fn wrong_hex(field: &Field<'_>, text: &str) {
    field.fault(format!("there is no such hex in `{text}`"), "hexes of this map, as CCRR");
}

/// A hex by its number.
pub(crate) fn hex(grid: &Grid, field: &Field<'_>) -> Option<Hex> {
    let text = field.text()?;
    let hex = grid.parse(&text);
    if hex.is_none() {
        field.fault(format!("there is no hex {text}"), "a hex of this map, as CCRR");
    }
    hex
}

/// Decoration and names, for the board alone (2.1.1.b).
fn names(map: &Section<'_>, plan: &mut Sketch) {
    if let Some(decor) = map.field("decor").section() {
        for (word, field) in decor.entries() {
            for hex in field.list().iter().filter_map(|f| hex(&plan.grid, f)) {
                plan.decor[hex.index()] = Some(word.clone());
            }
        }
    }
    if let Some(names) = map.field("names").section() {
        for (number, field) in names.entries() {
            match plan.grid.parse(&number) {
                Some(hex) => plan.names[hex.index()] = field.text(),
                None => field.fault(format!("there is no hex {number}"), "a hex of this map, as CCRR"),
            }
        }
    }
}

/// The `[map]` of a file, as the compiler of surveys reads it.
#[derive(Deserialize)]
struct Sheet {
    map: toml::Table,
}

#[derive(Deserialize)]
struct Planned {
    map: compile::Plan,
}

/// Keys of `[map]` that are ours and not the compiler's.
const OURS: [&str; 2] = ["names", "decor"];

fn from_survey(source: &str, map: &Section<'_>, charts: &Charts, library: &dyn Library) -> Option<Sketch> {
    let name = map.field("survey").text()?;
    map.entries().for_each(drop);
    let Some(text) = library.survey(&name) else {
        map.field("survey")
            .fault(format!("there is no survey `{name}`"), "the name of a survey of the library");
        return None;
    };
    let survey = match survey::read(&text) {
        Ok(survey) => survey,
        Err(faults) => {
            let first = faults.first().map(ToString::to_string).unwrap_or_default();
            map.field("survey").fault(
                format!("the survey `{name}` has {} faults: {first}", faults.len()),
                "a survey without faults",
            );
            return None;
        }
    };
    let planned = planned(source, map)?;
    let compiled = match compile::compile(&survey, &planned) {
        Ok(ground) => ground,
        Err(faults) => {
            faults.iter().for_each(|f| {
                map.fault_at(f.span.clone(), f.to_string(), "what the page on scenarios describes")
            });
            return None;
        }
    };
    let mut plan = Sketch::open(compiled.grid.clone());
    plan.on_map = *compiled.in_play();
    plan.hex_yards = u32::from(planned.hex);
    let corner = planned.corner.unwrap_or([0, survey.size[1]]);
    plan.inset = [corner[0], survey.size[1] - corner[1]];
    take_over(&compiled, charts, &mut plan);
    for place in &survey.place {
        if let Some(hex) = compiled.hex_at(place.at) {
            plan.names[hex.index()].get_or_insert_with(|| place.name.clone());
        }
    }
    plan.survey = serde_json::to_value(&survey).unwrap_or_default();
    names(map, &mut plan);
    Some(plan)
}

/// The compiler's own reading of `[map]`, without the keys that are ours; places in the text stay right.
fn planned(source: &str, map: &Section<'_>) -> Option<compile::Plan> {
    let has_ours = toml::from_str::<Sheet>(source).is_ok_and(|s| OURS.iter().any(|k| s.map.contains_key(*k)));
    let fault = |error: toml::de::Error| {
        let span = error.span().unwrap_or(map.span());
        map.fault_at(span, error.message().to_owned(), "what the page on scenarios describes");
    };
    if !has_ours {
        return toml::from_str::<Planned>(source).map_err(fault).ok().map(|p| p.map);
    }
    let mut sheet = toml::from_str::<Sheet>(source).map_err(fault).ok()?;
    OURS.iter().for_each(|k| drop(sheet.map.remove(*k)));
    toml::from_str::<compile::Plan>(&toml::to_string(&sheet.map).ok()?).map_err(fault).ok()
}

/// What the rules of this book see in the compiled ground.
fn take_over(compiled: &compile::Ground, charts: &Charts, plan: &mut Sketch) {
    for hex in compiled.grid.hexes() {
        let word = match compiled.cover(hex) {
            Cover::Woods | Cover::LightWoods | Cover::HeavyWoods => "woods",
            Cover::Marsh | Cover::Water => "marsh",
            Cover::Town | Cover::Building => "town",
            Cover::Clear | Cover::Field | Cover::Orchard | Cover::Rough => "clear",
        };
        plan.terrain[hex.index()] = charts.hexes.iter().position(|h| h.name == word).unwrap_or(0) as u8;
        plan.level[hex.index()] = compiled.level(hex);
        for direction in Direction::ALL {
            take_over_side(compiled, hex, direction, plan);
        }
    }
}

const SEEN: [(SideFeatures, Feature); 11] = [
    (SideFeatures::STREAM, Feature::Stream),
    (SideFeatures::CREEK, Feature::Creek),
    (SideFeatures::RIVER, Feature::River),
    (SideFeatures::ROAD, Feature::Road),
    (SideFeatures::LANE, Feature::MinorRoad),
    (SideFeatures::RAILROAD, Feature::Railroad),
    (SideFeatures::UNFINISHED, Feature::Railroad),
    (SideFeatures::BRIDGE, Feature::Bridge),
    (SideFeatures::FORD, Feature::Ford),
    (SideFeatures::ESCARPMENT, Feature::Escarpment),
    (SideFeatures::WORKS, Feature::Fortification),
];

fn take_over_side(compiled: &compile::Ground, hex: Hex, direction: Direction, plan: &mut Sketch) {
    let side = compiled.grid.side(hex, direction);
    let seen = compiled.side(side);
    for (theirs, ours) in SEEN {
        // A railroad whose bridge is burnt carries nobody over the water.
        let burnt = ours == Feature::Railroad && seen.contains(SideFeatures::BURNT_BRIDGE);
        let sheltered = ours != Feature::Fortification || compiled.shelters(side, hex);
        if seen.contains(theirs) && !burnt && sheltered {
            plan.put(hex, direction, ours);
        }
    }
}
