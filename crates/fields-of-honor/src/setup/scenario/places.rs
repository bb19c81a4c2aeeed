//! Places, lengths and angles of a scenario file.

use game::read::Field;
use table::{Angle, MAX_CORNERS, MIL, Pt, TableTop};

use super::TABLE_SIDES;

pub(super) fn units(mils: i64) -> i64 {
    mils * MIL
}

/// Two numbers in thousandths of an inch.
pub(super) fn pair(field: &Field<'_>) -> Option<(i64, i64)> {
    if !field.is_present() {
        return None;
    }
    let written = field.list();
    let numbers: Vec<i64> = written.iter().filter_map(Field::thousandths).collect();
    match numbers.as_slice() {
        [x, y] if written.len() == 2 => Some((*x, *y)),
        // A number that could not be read has its own fault.
        _ if written.len() == 2 => None,
        _ => {
            field.fault("a place is two numbers", "a list like [12, 7.5]");
            None
        }
    }
}

/// A place on the table.
pub(super) fn point(top: &TableTop, field: &Field<'_>) -> Option<Pt> {
    let (x, y) = pair(field)?;
    let (width, height) = (top.width / MIL, top.height / MIL);
    if !(0..=width).contains(&x) || !(0..=height).contains(&y) {
        field.fault(
            "this place is off the table",
            format!("0 to {} across and 0 to {} up", inches(width), inches(height)),
        );
        return None;
    }
    Some(Pt::new(units(x), units(y)))
}

/// The corners of an outline or a line, all on the table.
pub(super) fn points(top: &TableTop, field: &Field<'_>) -> Vec<Pt> {
    let written = field.list();
    if let Some(extra) = written.get(MAX_CORNERS) {
        extra.fault(
            format!("this has {} points", written.len()),
            format!("{MAX_CORNERS} at the most; leave out what no rule can see"),
        );
    }
    written.iter().take(MAX_CORNERS).filter_map(|corner| point(top, corner)).collect()
}

/// Thousandths as they are written: 7500 is 7.5.
pub(super) fn inches(mils: i64) -> String {
    let text = format!("{}.{:03}", mils / 1000, mils % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Width and depth of the table.
pub(super) fn table_top(field: &Field<'_>) -> Option<TableTop> {
    let (width, height) = pair(field)?;
    if !TABLE_SIDES.contains(&width) || !TABLE_SIDES.contains(&height) {
        let (least, most) = (inches(*TABLE_SIDES.start()), inches(*TABLE_SIDES.end()));
        field.fault(
            format!("a table of {} by {} inches", inches(width), inches(height)),
            format!("two numbers from {least} to {most}"),
        );
        return None;
    }
    Some(TableTop { width: units(width), height: units(height) })
}

/// A number of thousandths within bounds.
pub(super) fn thousandths_within(field: &Field<'_>, least: i64, most: i64) -> Option<i64> {
    let number = field.thousandths()?;
    if !(least..=most).contains(&number) {
        field.fault("this number is out of range", format!("{} to {}", inches(least), inches(most)));
        return None;
    }
    Some(number)
}

/// Degrees to the right of the table's top.
pub(super) fn facing(field: &Field<'_>) -> Option<Angle> {
    thousandths_within(field, -360_000, 360_000).map(|t| Angle::hundredths((t / 10) as i32))
}
