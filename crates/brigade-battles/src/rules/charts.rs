//! 2.2 Player aids: the Combat Chart, the Fire Range Chart, the Terrain Effects Chart. Data, not code.

use arrayvec::ArrayVec;
use game::read::{Field, Section};

/// A row of the Terrain Effects Chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terrain {
    pub name: String,
    /// What a player reads.
    pub title: String,
    /// Movement points to enter.
    pub cost: u8,
    /// Added to the combat die against a unit here.
    pub fire: i8,
    /// Added to the morale die of a unit here.
    pub morale: i8,
    /// Hides what lies behind it.
    pub blocks: bool,
    /// Half a point for a unit in column.
    pub column: bool,
    pub closed: Closed,
}

/// To whom terrain is prohibited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    ToNobody,
    ToGuns,
    ToAll,
}

/// A cell of the Combat Chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Nothing happens.
    Nothing,
    /// A morale check.
    Check,
    /// So many SP lost, then a morale check.
    Loss(u8),
    /// So many SP lost, a retreat of two hexes, then a morale check.
    Retreat(u8),
}

impl Cell {
    fn parse(text: &str) -> Option<Cell> {
        match text {
            "-" => Some(Cell::Nothing),
            "M" => Some(Cell::Check),
            _ => match text.strip_suffix('R') {
                Some(loss) => loss.parse().ok().map(Cell::Retreat),
                None => text.parse().ok().map(Cell::Loss),
            },
        }
    }

    /// How hard it is on the target, for comparing results.
    #[must_use]
    pub fn harm(self) -> u8 {
        match self {
            Cell::Nothing => 0,
            Cell::Check => 1,
            Cell::Loss(n) => 2 * n,
            Cell::Retreat(n) => 2 * n + 1,
        }
    }

    /// As the chart prints it.
    #[must_use]
    pub fn printed(self) -> String {
        match self {
            Cell::Nothing => "-".into(),
            Cell::Check => "M".into(),
            Cell::Loss(n) => n.to_string(),
            Cell::Retreat(n) => format!("{n}R"),
        }
    }
}

/// What range does to a firing unit's SP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factor {
    Double,
    Full,
    Half,
}

impl Factor {
    /// 9.1.4, 9.5: halves are rounded down for each unit, and nobody fires with less than 1.
    #[must_use]
    pub fn of(self, sp: u8) -> u16 {
        let sp = u16::from(sp);
        match self {
            Factor::Double => sp * 2,
            Factor::Full => sp,
            Factor::Half => (sp / 2).max(1),
        }
    }

    /// As the chart prints it.
    #[must_use]
    pub fn printed(self) -> &'static str {
        match self {
            Factor::Double => "x2",
            Factor::Full => "x1",
            Factor::Half => "x1/2",
        }
    }
}

/// One line of the Fire Range Chart: range 1 first.
pub type Ranges = ArrayVec<Factor, 12>;

/// The player aid of a battle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charts {
    /// The least total of each column.
    pub columns: Vec<u16>,
    /// Rows for a modified die of 0 or less, 1, ... 10 or more.
    pub cells: Vec<Vec<Cell>>,
    pub infantry: Ranges,
    pub cavalry: Ranges,
    pub artillery: Ranges,
    pub terrain: Vec<Terrain>,
    pub works_fire: i8,
    pub works_morale: i8,
    pub climb: u8,
    pub stream: u8,
    pub ford: u8,
    pub bridge: u8,
    pub wall: i8,
}

/// Rows of the Combat Chart: a modified die of 0 or less to 10 or more.
pub const ROWS: usize = 11;

impl Charts {
    /// The charts every scenario starts from.
    ///
    /// # Panics
    /// When the chart file of this crate is broken, which its test would show first.
    #[must_use]
    pub fn series() -> Charts {
        game::read::document(include_str!("charts.toml"), |sheet| {
            let mut charts = Charts::blank();
            charts.read(sheet);
            Some(charts)
        })
        .expect("the charts of the series are well written")
    }

    fn blank() -> Charts {
        Charts {
            columns: Vec::new(),
            cells: Vec::new(),
            infantry: Ranges::new(),
            cavalry: Ranges::new(),
            artillery: Ranges::new(),
            terrain: Vec::new(),
            works_fire: 0,
            works_morale: 0,
            climb: 0,
            stream: 0,
            ford: 0,
            bridge: 0,
            wall: 0,
        }
    }

    /// Replaces what the table gives; what it leaves out stays.
    pub fn read(&mut self, sheet: &Section<'_>) {
        if let Some(combat) = sheet.field("combat").section() {
            self.read_combat(&combat);
            combat.finish();
        }
        if let Some(range) = sheet.field("range").section() {
            for (key, line) in [
                ("infantry", &mut self.infantry),
                ("cavalry", &mut self.cavalry),
                ("artillery", &mut self.artillery),
            ] {
                read_ranges(&range.field(key), line);
            }
            range.finish();
        }
        if let Some(terrain) = sheet.field("terrain").section() {
            for (name, field) in terrain.entries() {
                if let Some(row) = field.section() {
                    self.read_terrain(name, &row);
                    row.finish();
                }
            }
        }
        if let Some(works) = sheet.field("works").section() {
            set_signed(&works.field("fire"), &mut self.works_fire);
            set_signed(&works.field("morale"), &mut self.works_morale);
            works.finish();
        }
        if let Some(sides) = sheet.field("sides").section() {
            for (key, value) in [
                ("climb", &mut self.climb),
                ("stream", &mut self.stream),
                ("ford", &mut self.ford),
                ("bridge", &mut self.bridge),
            ] {
                if let Some(n) = sides.field(key).integer(0..=20) {
                    *value = n as u8;
                }
            }
            set_signed(&sides.field("wall"), &mut self.wall);
            sides.finish();
        }
    }

    fn read_combat(&mut self, combat: &Section<'_>) {
        let columns = combat.field("columns");
        if columns.is_present() {
            let least: Vec<u16> =
                columns.list().iter().filter_map(|f| f.integer(1..=999)).map(|n| n as u16).collect();
            if least.first() != Some(&1) || least.windows(2).any(|w| w[0] >= w[1]) {
                columns
                    .fault("the columns do not rise from 1", "the least total of each column, the first 1");
                return;
            }
            self.columns = least;
        }
        let rows = combat.field("rows");
        if !rows.is_present() {
            return;
        }
        let mut cells = Vec::new();
        for row in rows.list() {
            let Some(text) = row.text() else { continue };
            let read: Option<Vec<Cell>> = text.split_whitespace().map(Cell::parse).collect();
            match read {
                Some(read) if read.len() == self.columns.len() => cells.push(read),
                _ => row.fault(
                    "not a row of the chart",
                    format!("{} cells of -, M, 2 or 2R", self.columns.len()),
                ),
            }
        }
        if cells.len() != ROWS {
            rows.fault(format!("{} rows", cells.len()), "11 rows: 0 or less, 1, ... 9, 10 or more");
            return;
        }
        self.cells = cells;
    }

    fn read_terrain(&mut self, name: String, row: &Section<'_>) {
        let at = self.terrain.iter().position(|t| t.name == name).unwrap_or_else(|| {
            let plain = Terrain {
                title: name.clone(),
                name,
                cost: 1,
                fire: 0,
                morale: 0,
                blocks: false,
                column: false,
                closed: Closed::ToNobody,
            };
            self.terrain.push(plain);
            self.terrain.len() - 1
        });
        let terrain = &mut self.terrain[at];
        if let Some(title) = row.field("title").text() {
            terrain.title = title;
        }
        if let Some(n) = row.field("move").integer(1..=20) {
            terrain.cost = n as u8;
        }
        set_signed(&row.field("fire"), &mut terrain.fire);
        set_signed(&row.field("morale"), &mut terrain.morale);
        if let Some(blocks) = row.field("blocks").truth() {
            terrain.blocks = blocks;
        }
        if let Some(column) = row.field("column").truth() {
            terrain.column = column;
        }
        if let Some(closed) = row.field("closed").one_of(&["nobody", "guns", "all"]) {
            terrain.closed = [Closed::ToNobody, Closed::ToGuns, Closed::ToAll][closed];
        }
    }

    /// The row of that name.
    #[must_use]
    pub fn terrain_named(&self, name: &str) -> Option<usize> {
        self.terrain.iter().position(|t| t.name == name)
    }

    /// 9.5: the column of a total, moved right by `shift` but not past the last.
    #[must_use]
    pub fn column(&self, total: u16, shift: usize) -> usize {
        let column = self.columns.iter().rposition(|&least| total >= least).unwrap_or(0);
        (column + shift).min(self.columns.len() - 1)
    }

    /// 9.5: the cell of a column and a modified die.
    #[must_use]
    pub fn cell(&self, column: usize, die: i16) -> Cell {
        self.cells[die.clamp(0, ROWS as i16 - 1) as usize][column]
    }

    /// The head of a column: `25-28`.
    #[must_use]
    pub fn head(&self, column: usize) -> String {
        match self.columns.get(column + 1) {
            Some(next) => format!("{}-{}", self.columns[column], next - 1),
            None => format!("{}+", self.columns[column]),
        }
    }
}

fn set_signed(field: &Field<'_>, value: &mut i8) {
    if let Some(n) = field.integer(-9..=9) {
        *value = n as i8;
    }
}

fn read_ranges(field: &Field<'_>, line: &mut Ranges) {
    if !field.is_present() {
        return;
    }
    line.clear();
    for item in field.list() {
        match item.one_of(&["x2", "x1", "x1/2"]) {
            Some(n) if !line.is_full() => line.push([Factor::Double, Factor::Full, Factor::Half][n]),
            Some(_) => item.fault("too many ranges", "at most 12"),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retreat_is_worse_than_its_loss_and_better_than_one_sp_more() {
        let ladder = [Cell::Nothing, Cell::Check, Cell::Loss(1), Cell::Retreat(1), Cell::Loss(2)];
        assert!(ladder.windows(2).all(|pair| pair[0].harm() < pair[1].harm()));
    }

    #[test]
    fn the_chart_follows_its_rule_of_thumb() {
        let charts = Charts::series();
        for (row, cells) in charts.cells.iter().enumerate() {
            for (column, &cell) in cells.iter().enumerate() {
                let expected = match row + column + 1 {
                    ..=6 => Cell::Nothing,
                    7..=10 => Cell::Check,
                    11..=12 => Cell::Loss(1),
                    13..=14 => Cell::Loss(2),
                    15 => Cell::Retreat(2),
                    16..=17 => Cell::Retreat(3),
                    18..=19 => Cell::Retreat(4),
                    _ => Cell::Retreat(5),
                };
                assert_eq!(cell, expected, "die {row}, column {}", charts.head(column));
            }
        }
    }
}
