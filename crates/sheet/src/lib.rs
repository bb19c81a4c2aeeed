//! The sheet of hexes that a scenario's `[map]` lays out: by hand, or over a survey and put right by hand.
//!
//! It knows numbers and places, not terrain: what the ground means is each book's own. Every fault is noted at its place.

use game::Library;
use game::read::{Field, Section};
use hexmap::compile::{self, Plan, Play, Slopes};
use hexmap::{EvenColumns, Grid, Hex, HexSet, Side};
use survey::Survey;

/// What a book takes for granted where `[map]` is silent.
#[derive(Debug, Clone, Copy)]
pub struct Custom {
    /// How even columns lie.
    pub even: EvenColumns,
    /// Yards across a hex.
    pub hex_yards: u16,
    /// Which hexsides of a survey are slopes.
    pub slopes: Slopes,
}

/// The hexes of a map and, if it lies on one, the survey under them.
#[derive(Debug)]
pub struct Sheet {
    pub grid: Grid,
    /// The hexes that are played on.
    pub in_play: HexSet,
    pub hex_yards: u16,
    pub surveyed: Option<Surveyed>,
    names: Vec<(Hex, String)>,
}

/// A survey and what the hexes over it are made of.
#[derive(Debug)]
pub struct Surveyed {
    pub survey: Survey,
    pub ground: compile::Ground,
}

impl Sheet {
    /// The sheet of `[map]`, or none after noting what is wrong with it.
    #[must_use]
    pub fn read(map: &Section<'_>, library: &dyn Library, custom: Custom) -> Option<Sheet> {
        let sheet = Sheet::lay(map, library, custom);
        if sheet.is_none() {
            // Without hexes nobody can ask for what lies on them.
            map.leave();
        }
        sheet
    }

    fn lay(map: &Section<'_>, library: &dyn Library, custom: Custom) -> Option<Sheet> {
        let columns = map.field("cols").required().integer(1..=99);
        let rows = map.field("rows").required().integer(1..=99);
        let even_columns = match map.field("even").one_of(&["low", "high"]) {
            Some(0) => EvenColumns::Lower,
            Some(_) => EvenColumns::Higher,
            None => custom.even,
        };
        let hex = map.field("hex").integer(1..=2000).map_or(custom.hex_yards, |yards| yards as u16);
        let (columns, rows) = (columns? as u16, rows? as u16);
        let play = read_play(map, columns, rows);
        let survey = map.field("survey");
        let mut sheet = if survey.is_present() {
            let plan = Plan {
                survey: toml::Spanned::new(survey.span(), survey.text()?),
                hex,
                columns,
                rows,
                even_columns,
                corner: None,
                play,
                slopes: custom.slopes,
                correct: Vec::new(),
            };
            Sheet::over(&survey, library, &plan)?
        } else {
            match Grid::new(columns, rows, even_columns) {
                Ok(grid) => Sheet::open(grid, play, hex),
                Err(error) => {
                    map.fault(error.to_string(), "a smaller map");
                    return None;
                }
            }
        };
        for hex in hexes_of(&map.field("off"), &sheet.grid) {
            sheet.in_play.remove(hex);
        }
        sheet.read_names(map);
        Some(sheet)
    }

    /// A sheet without a survey.
    fn open(grid: Grid, play: Option<Play>, hex_yards: u16) -> Sheet {
        let within = |hex: &Hex| {
            play.is_none_or(|p| {
                (p.columns[0]..=p.columns[1]).contains(&grid.column(*hex))
                    && (p.rows[0]..=p.rows[1]).contains(&grid.row(*hex))
            })
        };
        let in_play = grid.hexes().filter(within).collect();
        Sheet { grid, in_play, hex_yards, surveyed: None, names: Vec::new() }
    }

    /// A sheet laid over the survey that `field` names.
    fn over(field: &Field<'_>, library: &dyn Library, plan: &Plan) -> Option<Sheet> {
        let name = plan.survey.get_ref();
        let Some(text) = library.survey(name) else {
            let expected = "the name of a file in surveys/, without its ending";
            field.fault(format!("there is no survey `{name}`"), expected);
            return None;
        };
        let survey = survey::read(&text)
            .map_err(|faults| {
                for fault in faults {
                    field.fault(format!("the survey is faulty: {fault}"), "a survey that can be read");
                }
            })
            .ok()?;
        let ground = compile::compile(&survey, plan)
            .map_err(|faults| {
                for fault in faults {
                    field.fault(fault.to_string(), "a grid that lies on the survey");
                }
            })
            .ok()?;
        let mut sheet = Sheet {
            grid: ground.grid.clone(),
            in_play: *ground.in_play(),
            hex_yards: plan.hex,
            names: Vec::new(),
            surveyed: None,
        };
        for place in &survey.place {
            if let Some(hex) = ground.hex_at(place.at).filter(|&hex| sheet.name(hex).is_none()) {
                sheet.names.push((hex, place.name.clone()));
            }
        }
        sheet.surveyed = Some(Surveyed { survey, ground });
        Some(sheet)
    }

    /// What the scenario calls its hexes: its word goes before the survey's.
    fn read_names(&mut self, map: &Section<'_>) {
        let Some(names) = map.field("names").section() else { return };
        for (number, name) in names.entries() {
            match (self.grid.parse(&number), name.text()) {
                (Some(hex), Some(text)) => {
                    self.names.retain(|(known, _)| *known != hex);
                    self.names.push((hex, text));
                }
                (None, _) => name.fault(format!("no hex `{number}`"), "a hex of the map"),
                _ => {}
            }
        }
    }

    /// The hexes that have a name, each with it.
    #[must_use]
    pub fn names(&self) -> &[(Hex, String)] {
        &self.names
    }

    /// What a hex is called.
    #[must_use]
    pub fn name(&self, hex: Hex) -> Option<&str> {
        self.names.iter().find(|(known, _)| *known == hex).map(|(_, name)| name.as_str())
    }

    /// The survey as the board draws it.
    #[must_use]
    pub fn drawn(&self) -> serde_json::Value {
        self.surveyed.as_ref().and_then(|s| serde_json::to_value(&s.survey).ok()).unwrap_or_default()
    }
}

/// The part of the map that is played on.
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

/// A hex by its number.
pub fn hex_of(item: &Field<'_>, grid: &Grid) -> Option<Hex> {
    let text = item.text()?;
    let hex = grid.parse(&text);
    if hex.is_none() {
        item.fault(format!("`{text}` is no hex of the map"), "a number such as \"0910\"");
    }
    hex
}

/// Several hexes, as a list or as numbers in one text.
pub fn hexes_of(field: &Field<'_>, grid: &Grid) -> Vec<Hex> {
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

/// A hexside by its two hexes.
pub fn side_of(item: &Field<'_>, grid: &Grid) -> Option<Side> {
    let text = item.text()?;
    let side = grid.parse_side(&text);
    if side.is_none() {
        item.fault(format!("`{text}` is no hexside of the map"), "two neighbours: \"0910/1009\"");
    }
    side
}

/// A hexside with a direction: up a slope, or into works.
pub fn towards(item: &Field<'_>, grid: &Grid) -> Option<(Side, Hex)> {
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

/// The hexsides that a road crosses, written as the hexes it runs through.
pub fn road(item: &Field<'_>, grid: &Grid) -> Vec<Side> {
    let Some(text) = item.text() else { return Vec::new() };
    let hexes: Option<Vec<Hex>> = text.split_whitespace().map(|number| grid.parse(number)).collect();
    let Some(hexes) = hexes else {
        item.fault("a hex of the road is not on the map", "hexes in order: \"0101 0102 0202\"");
        return Vec::new();
    };
    let crossed = |pair: &[Hex]| {
        let side = grid.side_between(pair[0], pair[1]);
        if side.is_none() {
            item.fault(
                format!("{} and {} are not neighbours", grid.name(pair[0]), grid.name(pair[1])),
                "hexes in order, each next to the last",
            );
        }
        side
    };
    hexes.windows(2).filter_map(crossed).collect()
}

/// The cells of a map drawn in letters, a row a line.
pub fn raster(field: &Field<'_>, grid: &Grid) -> Vec<(Hex, String)> {
    let text = field.text().unwrap_or_default();
    let mut cells = Vec::new();
    for (row, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
        for (column, cell) in line.split_whitespace().enumerate() {
            let Some(hex) = grid.hex(column as u16 + 1, row as u16 + 1) else {
                let what = format!("row {} has too many cells, or there are too many rows", row + 1);
                field.fault(what, "a cell a hex");
                return cells;
            };
            cells.push((hex, cell.to_owned()));
        }
    }
    if field.is_present() && cells.len() < grid.len() {
        field.fault(
            format!("{} cells are drawn", cells.len()),
            format!("a cell a hex, {} in all", grid.len()),
        );
    }
    cells
}
