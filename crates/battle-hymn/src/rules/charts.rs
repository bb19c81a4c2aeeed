//! Reading the charts: `charts.toml`, and what a scenario puts in its place.

use game::read::{self, Field, Section};

use crate::setup::ground::Feature;
use crate::setup::pieces::{Arm, Column};

/// A row of the Terrain Effects Chart for hexes.
#[derive(Debug, Clone)]
pub struct HexRow {
    pub name: String,
    /// By column; none: closed.
    pub cost: [Option<u8>; 3],
    pub to_hit: i8,
    pub firing_out: i8,
    pub blocks_sight: bool,
    pub ours: String,
}

/// Where a zone of control stops at a hexside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZoneStop {
    Nowhere,
    Both,
    Up,
    In,
}

/// A row of the Terrain Effects Chart for hexsides.
#[derive(Debug, Clone)]
pub struct SideRow {
    /// Added to the hex's cost by column; none: closed.
    pub cost: [Option<u8>; 3],
    /// Paid instead of everything else.
    pub instead: Option<u8>,
    pub to_hit: i8,
    pub zone: ZoneStop,
    pub ours: String,
}

/// The Special Combat Situations Chart.
#[derive(Debug, Clone)]
pub struct Situations {
    pub firer_surrounded: i8,
    pub target_surrounded: i8,
    pub approach_fire: i8,
    pub from_high_to_low: i8,
    pub infantry_on_guns: i8,
    pub artillery_on_cavalry: i8,
    pub infantry_on_cavalry: i8,
    pub cavalry_on_infantry: i8,
    pub cavalry_on_guns: i8,
    pub ours: String,
}

/// Victory Points a Strength Point: infantry, then all others.
#[derive(Debug, Clone)]
pub struct Points {
    pub lost: [u8; 2],
    pub shattered: [u8; 2],
    pub demoralised: [u8; 2],
}

/// The charts, as a scenario's file and `charts.toml` have them.
#[derive(Debug, Clone)]
pub struct Charts {
    pub hexes: Vec<HexRow>,
    /// By [`crate::setup::ground::Feature`].
    pub sides: Vec<SideRow>,
    pub situations: Situations,
    /// Artillery at range 1 to 4.
    pub range: [i8; 4],
    /// By Morale Rating from -3 to +3.
    pub rally: [u8; 7],
    /// By [`Arm`].
    pub allowance: [u8; 4],
    pub points: Points,
}

/// The charts as they stand without a scenario's changes.
const STANDARD: &str = include_str!("../../charts.toml");

/// The standard charts.
///
/// # Panics
/// Never: the text is part of the program, and a test reads it.
pub(crate) fn standard() -> Charts {
    let mut charts = blank();
    let read = read::document(STANDARD, |sheet| {
        change(sheet, &mut charts);
        Some(())
    });
    debug_assert!(read.is_ok(), "{read:?}");
    charts
}

fn blank() -> Charts {
    let side = SideRow {
        cost: [Some(0); 3],
        instead: None,
        to_hit: 0,
        zone: ZoneStop::Nowhere,
        ours: String::new(),
    };
    Charts {
        // Clear ground is the first row: it lies wherever nothing else is written.
        hexes: vec![hex_row("clear")],
        sides: vec![side; Feature::ALL.len()],
        situations: Situations {
            firer_surrounded: 0,
            target_surrounded: 0,
            approach_fire: 0,
            from_high_to_low: 0,
            infantry_on_guns: 0,
            artillery_on_cavalry: 0,
            infantry_on_cavalry: 0,
            cavalry_on_infantry: 0,
            cavalry_on_guns: 0,
            ours: String::new(),
        },
        range: [0; 4],
        rally: [1; 7],
        allowance: [8; 4],
        points: Points { lost: [0; 2], shattered: [0; 2], demoralised: [0; 2] },
    }
}

/// Changes every number that the section names.
pub(crate) fn change(section: &Section<'_>, charts: &mut Charts) {
    if let Some(hexes) = section.field("hex").section() {
        for (name, field) in hexes.entries() {
            if let Some(row) = field.section() {
                change_hex(&name, &row, charts);
            }
        }
    }
    if let Some(sides) = section.field("side").section() {
        for (name, field) in sides.entries() {
            let feature = Feature::ALL.into_iter().find(|f| f.word() == name);
            match (feature, field.section()) {
                (Some(feature), Some(row)) => change_side(&row, &mut charts.sides[feature as usize]),
                (None, _) => field
                    .fault(format!("`{name}` is no hexside terrain"), words(Feature::ALL.map(Feature::word))),
                (_, None) => {}
            }
        }
    }
    if let Some(situation) = section.field("situation").section() {
        change_situations(&situation, &mut charts.situations);
    }
    if let Some(range) = section.field("range").section() {
        numbers(&range.field("to_hit"), -9..=9, &mut charts.range);
        range.finish();
    }
    if let Some(rally) = section.field("rally").section() {
        numbers(&rally.field("points"), 0..=20, &mut charts.rally);
        rally.finish();
    }
    if let Some(allowance) = section.field("allowance").section() {
        for (i, arm) in Arm::ALL.into_iter().enumerate() {
            number(&allowance.field(arm.word()), 1..=19, &mut charts.allowance[i]);
        }
        allowance.ignore(&["ours"]);
        allowance.finish();
    }
    if let Some(points) = section.field("points").section() {
        numbers(&points.field("lost"), 0..=99, &mut charts.points.lost);
        numbers(&points.field("shattered"), 0..=99, &mut charts.points.shattered);
        numbers(&points.field("demoralised"), 0..=99, &mut charts.points.demoralised);
        points.finish();
    }
    section.finish();
}

fn hex_row(name: &str) -> HexRow {
    HexRow {
        name: name.to_owned(),
        cost: [None; 3],
        to_hit: 5,
        firing_out: 0,
        blocks_sight: false,
        ours: String::new(),
    }
}

fn change_hex(name: &str, row: &Section<'_>, charts: &mut Charts) {
    let at = charts.hexes.iter().position(|h| h.name == name).unwrap_or_else(|| {
        charts.hexes.push(hex_row(name));
        charts.hexes.len() - 1
    });
    let hex = &mut charts.hexes[at];
    costs(&row.field("cost"), 1, &mut hex.cost);
    number(&row.field("to_hit"), -9..=9, &mut hex.to_hit);
    number(&row.field("firing_out"), -9..=9, &mut hex.firing_out);
    hex.blocks_sight = row.field("blocks_sight").truth().unwrap_or(hex.blocks_sight);
    hex.ours = row.field("ours").text().unwrap_or_default();
    row.finish();
}

fn change_side(row: &Section<'_>, side: &mut SideRow) {
    costs(&row.field("cost"), 0, &mut side.cost);
    if let Some(instead) = row.field("instead").integer(1..=19) {
        side.instead = Some(instead as u8);
    }
    number(&row.field("to_hit"), -9..=9, &mut side.to_hit);
    const STOPS: [ZoneStop; 4] = [ZoneStop::Nowhere, ZoneStop::Both, ZoneStop::Up, ZoneStop::In];
    if let Some(zone) = row.field("zone").one_of(&["nowhere", "both", "up", "in"]) {
        side.zone = STOPS[zone];
    }
    side.ours = row.field("ours").text().unwrap_or_default();
    row.finish();
}

fn change_situations(section: &Section<'_>, s: &mut Situations) {
    let range = -9..=9;
    number(&section.field("firer_surrounded"), range.clone(), &mut s.firer_surrounded);
    number(&section.field("target_surrounded"), range.clone(), &mut s.target_surrounded);
    number(&section.field("approach_fire"), range.clone(), &mut s.approach_fire);
    number(&section.field("from_high_to_low"), range.clone(), &mut s.from_high_to_low);
    number(&section.field("infantry_on_guns"), range.clone(), &mut s.infantry_on_guns);
    number(&section.field("artillery_on_cavalry"), range.clone(), &mut s.artillery_on_cavalry);
    number(&section.field("infantry_on_cavalry"), range.clone(), &mut s.infantry_on_cavalry);
    number(&section.field("cavalry_on_infantry"), range.clone(), &mut s.cavalry_on_infantry);
    number(&section.field("cavalry_on_guns"), range, &mut s.cavalry_on_guns);
    s.ours = section.field("ours").text().unwrap_or_default();
    section.finish();
}

fn costs(field: &Field<'_>, least: i64, costs: &mut [Option<u8>; 3]) {
    let Some(table) = field.section() else { return };
    *costs = Column::ALL.map(|column| table.field(column.word()).integer(least..=19).map(|n| n as u8));
    table.finish();
}

fn number<T: TryFrom<i64>>(field: &Field<'_>, range: std::ops::RangeInclusive<i64>, into: &mut T) {
    if let Some(n) = field.integer(range).and_then(|n| T::try_from(n).ok()) {
        *into = n;
    }
}

fn numbers<T: TryFrom<i64>, const N: usize>(
    field: &Field<'_>,
    range: std::ops::RangeInclusive<i64>,
    into: &mut [T; N],
) {
    if !field.is_present() {
        return;
    }
    let list = field.list();
    if list.len() != N {
        return field.fault(format!("{} numbers stand here", list.len()), format!("a list of {N} numbers"));
    }
    for (item, slot) in list.iter().zip(into) {
        number(item, range.clone(), slot);
    }
}

/// "one of a, b, c".
pub(crate) fn words<const N: usize>(words: [&str; N]) -> String {
    format!("one of {}", words.join(", "))
}
