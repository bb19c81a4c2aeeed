//! Reinforcements, a rule of our scenarios: how units that come later are set down at the table edge.

use arrayvec::ArrayVec;
use game::words::does;
use game::{Effects, Entry, Kind, Side};
use table::{MIL, Pose, Rect, Spot, nearest_free, overlap_while_moving};

use crate::field::Field;
use crate::rules::formations::{PROXIMITY, footprint};
use crate::rules::rolls::piece;
use crate::setup::battle::{Arrival, Battle, Border, MAX_UNITS, State, UnitId, Whereabouts};

/// Sets down the units whose turn has come, as far as there is room; the others wait.
pub(crate) fn arrive(battle: &Battle, state: &mut State, side: Side, fx: &mut impl Effects) {
    for u in battle.all_units().filter(|u| battle.unit(*u).side == side) {
        let Some(arrival) = battle.unit(u).arrival else { continue };
        if state.unit(u).place != Whereabouts::Reserve || state.turn < arrival.turn {
            continue;
        }
        let Some(pose) = entry(&Field::new(battle, state), u, &arrival) else { continue };
        let unit = state.unit_mut(u);
        unit.pose = pose;
        unit.place = Whereabouts::Table;
        fx.tell(|| {
            Entry::new(Kind::March, does(&battle.unit(u).name, "arrives."))
                .side(side)
                .rule(cite!("scenario.a"))
                .piece(piece(u))
                .place(game::Place::Pose { x: pose.at.x, y: pose.at.y, facing: pose.facing.get() })
        });
        bring_commander(battle, state, u);
    }
    for c in battle.all_officers().filter(|c| battle.officer(*c).side == side) {
        if battle.officer(c).brigade.is_none() && battle.officer(c).arrives.is_some_and(|t| state.turn >= t) {
            state.commanders[c.i()].on_table = true;
        }
    }
}

/// A brigade commander comes with the first of its units.
fn bring_commander(battle: &Battle, state: &mut State, u: UnitId) {
    let c = battle.brigade(battle.unit(u).brigade).commander;
    let due = battle.officer(c).arrives.is_some_and(|t| state.turn >= t);
    if due {
        state.commanders[c.i()].on_table = true;
    }
}

/// The written pose, slid along its edge by the least distance that is lawful, within the stretch.
fn entry(field: &Field<'_>, u: UnitId, arrival: &Arrival) -> Option<Pose> {
    let roster = field.battle.unit(u);
    let start = Rect::new(roster.pose, footprint(roster.arm, roster.formation));
    let east_west = matches!(arrival.border, Border::South | Border::North);
    let dir = if east_west { table::Angle::EAST.dir() } else { table::Angle::NORTH.dir() };
    let bounds = start.bounds;
    let (low, high) = if east_west { (bounds.lo.x, bounds.hi.x) } else { (bounds.lo.y, bounds.hi.y) };
    let (from, to) = (i64::from(arrival.from) * MIL, i64::from(arrival.to) * MIL);
    let mut taken: ArrayVec<(i64, i64), MAX_UNITS> = ArrayVec::new();
    for v in field.on_table() {
        let other = field.rect(v);
        let interval = if field.side(v) == roster.side {
            overlap_while_moving(&start, other, dir, 0)
        } else {
            // An inch round an enemy: its base grown on all sides.
            let size = table::Size { width: 2 * (other.a + PROXIMITY), depth: 2 * (other.b + PROXIMITY) };
            let grown = Rect::at(other.front + other.ahead.times(PROXIMITY), other.facing, size);
            overlap_while_moving(&start, &grown, dir, 0)
        };
        taken.extend(interval);
    }
    let by = nearest_free(&taken, (from - low).min(0), (to - high).max(0))?;
    let shift = dir.times(by).spot();
    let at = Spot::new(roster.pose.at.x + shift.x, roster.pose.at.y + shift.y);
    let pose = Pose { at, facing: roster.pose.facing };
    (!field.battle.impassable(&Rect::new(pose, start.size()))).then_some(pose)
}
