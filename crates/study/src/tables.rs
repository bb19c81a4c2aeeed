//! The results as tables: Parquet for programs, CSV for people.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::{Batch, Error, GameRow, RollRow, Study, Summary, TurnRow};

/// Rows that are held before they are written.
const GROUP: usize = 500_000;

/// A value of a cell of a table.
#[derive(Debug, Clone)]
enum Value {
    Int(i32),
    Long(i64),
    Real(Option<f64>),
    Text(Arc<str>),
}

/// What a column holds.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Int,
    Long,
    Real,
    Text,
}

impl Kind {
    fn schema(self, name: &str) -> String {
        match self {
            Kind::Int => format!("REQUIRED INT32 {name};"),
            Kind::Long => format!("REQUIRED INT64 {name};"),
            Kind::Real => format!("OPTIONAL DOUBLE {name};"),
            Kind::Text => format!("REQUIRED BYTE_ARRAY {name} (UTF8);"),
        }
    }
}

const GAMES: [(&str, Kind); 17] = [
    ("cell", Kind::Int),
    ("scenario", Kind::Text),
    ("change", Kind::Text),
    ("first_player", Kind::Text),
    ("second_player", Kind::Text),
    ("game", Kind::Long),
    ("seed", Kind::Text),
    ("result", Kind::Text),
    ("score", Kind::Real),
    ("first_points", Kind::Int),
    ("second_points", Kind::Int),
    ("decisions", Kind::Long),
    ("options", Kind::Long),
    ("last_turn", Kind::Int),
    ("first_lost", Kind::Int),
    ("second_lost", Kind::Int),
    ("luck", Kind::Real),
];

const TURNS: [(&str, Kind); 11] = [
    ("cell", Kind::Int),
    ("game", Kind::Long),
    ("turn", Kind::Int),
    ("margin", Kind::Int),
    ("first_points", Kind::Int),
    ("second_points", Kind::Int),
    ("first_lost", Kind::Int),
    ("second_lost", Kind::Int),
    ("first_held", Kind::Int),
    ("second_held", Kind::Int),
    ("decisions", Kind::Long),
];

const ROLLS: [(&str, Kind); 9] = [
    ("cell", Kind::Int),
    ("game", Kind::Long),
    ("decision", Kind::Long),
    ("side", Kind::Int),
    ("rule", Kind::Text),
    ("die", Kind::Text),
    ("need", Kind::Text),
    ("faces", Kind::Text),
    ("result", Kind::Int),
];

/// A table under way.
struct Table {
    columns: &'static [(&'static str, Kind)],
    rows: Vec<Vec<Value>>,
    parquet: SerializedFileWriter<File>,
    csv: Option<BufWriter<File>>,
}

impl Table {
    fn create(
        folder: &Path,
        name: &str,
        columns: &'static [(&'static str, Kind)],
        csv: bool,
    ) -> Result<Table, Error> {
        let create = |ending: &str| {
            let path = folder.join(format!("{name}.{ending}"));
            File::create(&path).map_err(Error::file(format!("{} cannot be written", path.display())))
        };
        let fields: String = columns.iter().map(|(name, kind)| kind.schema(name)).collect();
        let schema = parse_message_type(&format!("message {name} {{ {fields} }}")).map_err(Error::parquet)?;
        let level = ZstdLevel::try_new(6).map_err(Error::parquet)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_created_by("linstock".into())
            .build();
        let parquet = SerializedFileWriter::new(create("parquet")?, Arc::new(schema), Arc::new(properties))
            .map_err(Error::parquet)?;
        let mut csv = if csv { Some(BufWriter::new(create("csv")?)) } else { None };
        if let Some(csv) = &mut csv {
            let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
            writeln!(csv, "{}", names.join(",")).map_err(Error::file("the CSV table"))?;
        }
        Ok(Table { columns, rows: Vec::new(), parquet, csv })
    }

    fn push(&mut self, row: Vec<Value>) -> Result<(), Error> {
        if let Some(csv) = &mut self.csv {
            let cells: Vec<String> = row.iter().map(written).collect();
            writeln!(csv, "{}", cells.join(",")).map_err(Error::file("the CSV table"))?;
        }
        self.rows.push(row);
        if self.rows.len() >= GROUP { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Error> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let mut group = self.parquet.next_row_group().map_err(Error::parquet)?;
        for (index, (_, kind)) in self.columns.iter().enumerate() {
            let Some(mut column) = group.next_column().map_err(Error::parquet)? else { break };
            let cells = self.rows.iter().map(|row| &row[index]);
            let written = match kind {
                Kind::Int => {
                    let cells: Vec<i32> = cells.map(|v| if let Value::Int(n) = v { *n } else { 0 }).collect();
                    column.typed::<Int32Type>().write_batch(&cells, None, None)
                }
                Kind::Long => {
                    let cells: Vec<i64> =
                        cells.map(|v| if let Value::Long(n) = v { *n } else { 0 }).collect();
                    column.typed::<Int64Type>().write_batch(&cells, None, None)
                }
                Kind::Real => {
                    let cells: Vec<Option<f64>> =
                        cells.map(|v| if let Value::Real(n) = v { *n } else { None }).collect();
                    let present: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
                    let cells: Vec<f64> = cells.into_iter().flatten().collect();
                    column.typed::<DoubleType>().write_batch(&cells, Some(&present), None)
                }
                Kind::Text => {
                    let text = |v: &Value| {
                        if let Value::Text(text) = v { ByteArray::from(&**text) } else { ByteArray::from("") }
                    };
                    let cells: Vec<ByteArray> = cells.map(text).collect();
                    column.typed::<ByteArrayType>().write_batch(&cells, None, None)
                }
            };
            written.map_err(Error::parquet)?;
            column.close().map_err(Error::parquet)?;
        }
        group.close().map_err(Error::parquet)?;
        self.rows.clear();
        Ok(())
    }

    fn close(mut self) -> Result<(), Error> {
        self.flush()?;
        self.parquet.close().map_err(Error::parquet)?;
        match self.csv {
            Some(mut csv) => csv.flush().map_err(Error::file("the CSV table")),
            None => Ok(()),
        }
    }
}

fn written(value: &Value) -> String {
    match value {
        Value::Int(n) => n.to_string(),
        Value::Long(n) => n.to_string(),
        Value::Real(n) => n.map_or_else(String::new, |n| n.to_string()),
        Value::Text(text) => quoted(text),
    }
}

/// A text as CSV has it.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// All tables of a study.
pub(crate) struct Tables {
    games: Table,
    turns: Table,
    rolls: Option<Table>,
}

impl Tables {
    pub(crate) fn create(folder: &Path, study: &Study, csv: bool) -> Result<Tables, Error> {
        let rolls = study.detail.rolls.then(|| Table::create(folder, "rolls", &ROLLS, csv)).transpose()?;
        Ok(Tables {
            games: Table::create(folder, "games", &GAMES, csv)?,
            turns: Table::create(folder, "turns", &TURNS, csv)?,
            rolls,
        })
    }

    pub(crate) fn add(&mut self, study: &Study, number: usize, batch: &Batch) -> Result<(), Error> {
        let cell = &study.cells[number];
        let text = |text: &str| Value::Text(text.into());
        let head = [
            Value::Int(number as i32),
            text(&cell.of),
            text(cell.change.as_deref().unwrap_or_default()),
            text(&cell.players.first.to_string()),
            text(&cell.players.second.to_string()),
        ];
        for row in &batch.games {
            self.games.push(head.iter().cloned().chain(game(row)).collect())?;
        }
        for row in &batch.turns {
            self.turns.push(std::iter::once(head[0].clone()).chain(turn(row)).collect())?;
        }
        if let Some(rolls) = &mut self.rolls {
            for row in &batch.rolls {
                rolls.push(std::iter::once(head[0].clone()).chain(roll(row)).collect())?;
            }
        }
        Ok(())
    }

    pub(crate) fn close(self) -> Result<(), Error> {
        self.games.close()?;
        self.turns.close()?;
        self.rolls.map_or(Ok(()), Table::close)
    }
}

fn game(row: &GameRow) -> [Value; 12] {
    let result = match row.half_points {
        Some(2) => "first",
        Some(1) => "drawn",
        Some(_) => "second",
        None => "endless",
    };
    [
        Value::Long(row.game as i64),
        // A seed uses all 64 bits, which many readers of tables do not: as text it stays whole.
        Value::Text(format!("{:016x}", row.seed).into()),
        Value::Text(result.into()),
        Value::Real(row.half_points.map(|half| f64::from(half) / 2.0)),
        Value::Int(row.first),
        Value::Int(row.second),
        Value::Long(row.decisions as i64),
        Value::Long(row.options as i64),
        Value::Int(row.turn as i32),
        Value::Int(row.lost_first as i32),
        Value::Int(row.lost_second as i32),
        Value::Real(row.luck),
    ]
}

fn turn(row: &TurnRow) -> [Value; 10] {
    [
        Value::Long(row.game as i64),
        Value::Int(row.turn as i32),
        Value::Int(row.first - row.second),
        Value::Int(row.first),
        Value::Int(row.second),
        Value::Int(row.lost_first as i32),
        Value::Int(row.lost_second as i32),
        Value::Int(row.held_first as i32),
        Value::Int(row.held_second as i32),
        Value::Long(row.decisions as i64),
    ]
}

fn roll(row: &RollRow) -> [Value; 8] {
    let text = |text: &str| Value::Text(text.into());
    [
        Value::Long(row.game as i64),
        Value::Long(row.decision as i64),
        Value::Int(i32::from(row.side)),
        text(&row.rule),
        text(&row.die),
        text(&row.need),
        text(&row.faces),
        Value::Int(i32::from(row.result)),
    ]
}

/// One line for each cell, as CSV.
pub(crate) fn summary(summary: &Summary) -> String {
    let mut out = String::from(
        "scenario,change,first_player,second_player,games,first_won,drawn,second_won,endless,score,score_low,score_high,margin,margin_low,margin_high,score_change,score_change_low,score_change_high,decisions_per_game\n",
    );
    for cell in &summary.cells {
        let change = cell.score_change.map_or_else(
            || ",,".to_owned(),
            |change| format!("{:.5},{:.5},{:.5}", change.value, change.low, change.high),
        );
        out += &format!(
            "{},{},{},{},{},{},{},{},{},{:.5},{:.5},{:.5},{:.4},{:.4},{:.4},{change},{:.2}\n",
            quoted(&cell.scenario),
            quoted(cell.change.as_deref().unwrap_or_default()),
            quoted(&cell.players.first),
            quoted(&cell.players.second),
            cell.games,
            cell.won.first,
            cell.drawn,
            cell.won.second,
            cell.endless,
            cell.score.value,
            cell.score.low,
            cell.score.high,
            cell.margin.value,
            cell.margin.low,
            cell.margin.high,
            cell.decisions as f64 / cell.games.max(1) as f64,
        );
    }
    out
}
