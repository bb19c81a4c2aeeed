//! Chapter 5.5, Retire: the whole rate to the rear, past friends, never through enemies (procedure P2).

use arrayvec::ArrayVec;
use table::{
    EPS, Pose, Rect, Road, Way, clear_from, clear_up_to, first_overlap, overlap_while_moving, to_edge,
    touch_distance,
};

use crate::field::Field;
use crate::formations::{PROXIMITY, stat_of_rate};
use crate::maneuvers::{Bounds, Plan, Trail, is_off, road_along};
use crate::muster::{Feature, Fits, MAX_UNITS, Shape, UnitId, no};
use crate::terrain::Going;

/// What stopped a retiring unit short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    Nothing,
    Terrain,
    TableEdge,
}

/// A direction to the rear, tried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Try {
    pose: Pose,
    cut: Cut,
    /// It would enter an enemy or end too near to one.
    barred: bool,
}

/// How a forced Retire goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nowhere to go (5.5.u), or engaged to the rear (5.5.v).
    Broken(game::Rule),
    Goes {
        pose: Pose,
        at_edge: bool,
    },
    /// Both sides serve alike: the owner picks.
    Either {
        left: Pose,
        right: Pose,
        at_edge: (bool, bool),
    },
}

/// To the rear, off the straight line by so many degrees.
fn direction(start: &Rect, degrees: i32) -> table::Dir {
    start.facing.turned(18_000 - degrees * 100).dir()
}

fn try_direction(field: &Field<'_>, u: UnitId, degrees: i32) -> Try {
    let start = *field.rect(u);
    let dir = direction(&start, degrees);
    let rate = stat_of_rate(field.battle.unit(u).arm, field.state.unit(u).formation);
    let mut friends: ArrayVec<(i64, i64), MAX_UNITS> = ArrayVec::new();
    // However many friends it must pass, it stays in this strip.
    let strip =
        start.bounds.with(&start.shifted(dir.times(field.battle.top.width + field.battle.top.height)).bounds);
    for f in field.friends(u).filter(|f| strip.meets(&field.rect(*f).bounds)) {
        if overlap_while_moving(&start, field.rect(f), dir, EPS).is_some() {
            friends.extend(overlap_while_moving(&start, field.rect(f), dir, 0));
        }
    }
    let mut t = clear_from(&friends, rate);
    let mut cut = Cut::Nothing;
    let top = field.battle.top;
    let edge = to_edge(&start, dir, top.width, top.height);
    if edge < t {
        // Within a hair of the edge it goes all its way, yet not a hair over it.
        if edge < t - EPS {
            cut = Cut::TableEdge;
        }
        t = edge;
    }
    let road = road_along(field.battle, field.state.unit(u).formation, &start, dir.times(t));
    if let Some(terrain) = first_impassable(field, &start, dir, t, road)
        && terrain < t
    {
        t = terrain;
        cut = Cut::Terrain;
    }
    if cut != Cut::Nothing {
        t = clear_up_to(&friends, t);
    }
    let pose = field.state.unit(u).pose.shifted(dir.times(t));
    let end = Rect::new(pose, start.size());
    let way = Way::between(&start, &end);
    let near = start.bounds.with(&end.bounds).grown(PROXIMITY);
    let barred = field.enemies(u).filter(|e| near.meets(&field.rect(*e).bounds)).any(|e| {
        let enemy = field.rect(e);
        let touching_at_start = start.distance(enemy) <= EPS;
        // One that is in contact from the start only counts if it is run into (R30).
        table::deeper_than_eps(&way, enemy)
            || (cut != Cut::TableEdge && !touching_at_start && end.distance(enemy) < PROXIMITY - EPS)
    });
    Try { pose, cut, barred }
}

/// Where a move first touches impassable terrain that the road it keeps to does not run through.
fn first_impassable(
    field: &Field<'_>,
    start: &Rect,
    dir: table::Dir,
    limit: i64,
    road: Option<&Road>,
) -> Option<i64> {
    let mut first: Option<i64> = None;
    let mut meet = |hit: Option<i64>, touch: Option<i64>| {
        if hit.is_some() {
            let at = touch.unwrap_or(0);
            first = Some(first.map_or(at, |f| f.min(at)));
        }
    };
    let room = start.bounds.with(&start.shifted(dir.times(limit)).bounds).grown(EPS);
    let hinders = |f: &&Feature| !road.is_some_and(|road| f.is_crossed_by(road));
    let about = field.battle.features(Going::Impassable).filter(|f| room.meets(&f.bounds()));
    for feature in about.filter(hinders) {
        match &feature.shape {
            Shape::Area(area) => area
                .parts()
                .iter()
                .for_each(|p| meet(first_overlap(start, p, dir, limit), touch_distance(start, p, dir))),
            Shape::Line(line) => line.legs().for_each(|(a, b)| {
                meet(first_overlap(start, &[a, b][..], dir, limit), touch_distance(start, &[a, b][..], dir))
            }),
            Shape::Road(_) => {}
        }
    }
    first
}

/// A forced Retire (P2).
pub(crate) fn forced(field: &Field<'_>, u: UnitId) -> Outcome {
    if field.state.foes(u).any(|(_, side, _)| side == table::Side::Rear) {
        return Outcome::Broken(cite!("5.5.v"));
    }
    let best = |acceptable: &dyn Fn(&Try) -> bool| {
        for step in 0..=9 {
            let degrees = 5 * step;
            let left = try_direction(field, u, -degrees);
            if step == 0 {
                if acceptable(&left) {
                    return Some(goes(&left));
                }
                continue;
            }
            let right = try_direction(field, u, degrees);
            match (acceptable(&left), acceptable(&right)) {
                (true, true) => {
                    let at_edge = (left.cut == Cut::TableEdge, right.cut == Cut::TableEdge);
                    return Some(Outcome::Either { left: left.pose, right: right.pose, at_edge });
                }
                (true, false) => return Some(goes(&left)),
                (false, true) => return Some(goes(&right)),
                (false, false) => {}
            }
        }
        None
    };
    best(&|t| !t.barred && t.cut != Cut::Terrain)
        .or_else(|| best(&|t| !t.barred))
        .unwrap_or(Outcome::Broken(cite!("5.5.u")))
}

fn goes(t: &Try) -> Outcome {
    Outcome::Goes { pose: t.pose, at_edge: t.cut == Cut::TableEdge }
}

/// Does the middle of the rear edge, which leads, reach the table edge with the whole rate (R32)?
fn leads_off(field: &Field<'_>, u: UnitId, degrees: i32) -> bool {
    let start = field.rect(u);
    let rate = stat_of_rate(field.battle.unit(u).arm, field.state.unit(u).formation);
    is_off(field.battle, start.rear_middle() + direction(start, degrees).times(rate))
}

/// A Retire chosen under an Advance order: any of the 19 directions whose full move is possible.
pub(crate) fn voluntary(
    field: &Field<'_>,
    u: UnitId,
    degrees: i8,
    bounds: Bounds,
    way: &mut Trail,
) -> Fits<Plan> {
    if degrees % 5 != 0 || !(-45..=45).contains(&degrees) {
        return no(cite!("5.5.r"), "A Retire goes into the rear arc, in steps of 5 degrees.");
    }
    let t = try_direction(field, u, i32::from(degrees));
    if t.barred {
        return no(cite!("5.5.u"), "The Retire would run into an enemy unit.");
    }
    match (t.cut, bounds) {
        (Cut::Nothing, Bounds::Stay) => {}
        (Cut::TableEdge, Bounds::Exit) if leads_off(field, u, i32::from(degrees)) => {}
        (Cut::Terrain, _) => {
            return no(cite!("5.5.q"), "Impassable terrain stops the Retire short of its whole rate.");
        }
        (Cut::TableEdge, Bounds::Stay) => {
            return no(cite!("5.5.af"), "The Retire would leave the table; that is a declared exit.");
        }
        (_, Bounds::Exit) => {
            return no(cite!("5.5.af"), "The Retire does not reach the table edge.");
        }
    }
    way.clear();
    way.extend([field.state.unit(u).pose, t.pose]);
    Ok(Plan { pose: t.pose, formation: field.state.unit(u).formation, exit: bounds == Bounds::Exit })
}
