//! A written position must be possible: on the table, on passable ground, apart, and in agreement with itself.

use std::ops::Range;

use game::read::Section;
use table::{EPS, touch};

use crate::field::Field;
use crate::rules::command::roads::on_road;
use crate::rules::formations::GRIP;
use crate::setup::battle::{Battle, CommanderId, Flags, State, UnitId};

/// Where the text speaks of each piece; the whole position for those it does not name.
pub(crate) struct Places {
    pub units: Vec<Range<usize>>,
    pub commanders: Vec<Range<usize>>,
}

impl Places {
    pub(crate) fn new(file: &Section<'_>, battle: &Battle) -> Self {
        let whole = file.span();
        Self {
            units: vec![whole.clone(); battle.units.len()],
            commanders: vec![whole; battle.officers.len()],
        }
    }

    /// Of two units the one that the text names, the later of both.
    fn of_pair(&self, a: UnitId, b: UnitId) -> Range<usize> {
        let (a, b) = (&self.units[a.i()], &self.units[b.i()]);
        if a.len() < b.len() || (a.len() == b.len() && a.start > b.start) { a.clone() } else { b.clone() }
    }
}

pub(crate) fn check(file: &Section<'_>, battle: &Battle, state: &State, places: &Places) {
    let field = Field::new(battle, state);
    for u in field.on_table() {
        let fault = |message: String, expected: &str| {
            file.fault_at(places.units[u.i()].clone(), message, expected);
        };
        let name = &battle.unit(u).slug;
        if !battle.top.holds(field.rect(u)) {
            fault(format!("`{name}` stands off the table"), "its whole base on the table");
        } else if in_impassable(&field, u) {
            fault(format!("`{name}` stands in impassable terrain"), "passable ground");
        }
        let flags = state.unit(u).flags;
        if !state.engaged(u) && (flags.has(Flags::IMPETUS) || flags.has(Flags::WON)) {
            fault(format!("`{name}` charged or won, but fights nobody"), "a line in `contact`");
        }
        if flags.has(Flags::IMPETUS) && flags.has(Flags::WON) {
            fault(format!("`{name}` has both charged and won the last round"), "one of the two");
        }
        for v in field.on_table().filter(|v| *v > u) {
            apart(file, &field, u, v, places);
        }
    }
    for c in battle.all_officers() {
        commander(file, &field, c, places);
    }
}

/// Impassable ground under a base, unless a road carries it (R24).
fn in_impassable(field: &Field<'_>, u: UnitId) -> bool {
    let carried = || on_road(field, u).is_some_and(|(road, ..)| field.battle.is_bridged(road, field.rect(u)));
    field.battle.impassable(field.rect(u)) && !carried()
}

/// Two bases are apart; enemies whose edges lie together are in contact.
fn apart(file: &Section<'_>, field: &Field<'_>, u: UnitId, v: UnitId, places: &Places) {
    let (a, b) = (field.rect(u), field.rect(v));
    let (first, second) = (&field.battle.unit(u).slug, &field.battle.unit(v).slug);
    // Poses are rounded to the thousandth.
    if a.depth_of_overlap(b) > 2 * EPS {
        let message = format!("`{first}` and `{second}` overlap");
        file.fault_at(places.of_pair(u, v), message, "places apart");
    } else if field.side(u) != field.side(v)
        && touch(a, b).is_some_and(|t| t.length >= GRIP)
        && !field.state.foes(u).any(|(foe, _, _)| foe == v)
    {
        let message = format!("`{first}` and `{second}` touch, but no contact is written");
        file.fault_at(places.of_pair(u, v), message, "a line in `contact`, or places apart");
    }
}

fn commander(file: &Section<'_>, field: &Field<'_>, c: CommanderId, places: &Places) {
    let (officer, now) = (field.battle.officer(c), &field.state.commanders[c.i()]);
    let fault = |message: String, expected: &str| {
        file.fault_at(places.commanders[c.i()].clone(), message, expected);
    };
    let name = &officer.slug;
    match now.attached {
        Some(u) if !field.state.on_table(u) || field.side(u) != officer.side => {
            fault(
                format!("`{name}` is attached to a unit that is not there for him"),
                "an own unit on the table",
            );
        }
        Some(u) if officer.brigade.is_some_and(|b| b != field.battle.unit(u).brigade) => {
            fault(format!("`{name}` is attached to a unit of another brigade"), "a unit of his own brigade");
        }
        Some(_) if !now.on_table => {
            fault(format!("`{name}` is attached, but not on the table"), "no `on_table = false`");
        }
        None if now.on_table && !field.battle.top.holds_point(now.at.pt()) => {
            fault(format!("`{name}` is off the table"), "a place on the table");
        }
        _ => {}
    }
}
