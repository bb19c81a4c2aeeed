//! Chapters 5.1 and 12: commanders attach, detach, ride, evade, and leave a unit that breaks.

use arrayvec::ArrayVec;
use game::{Effects, Entry, Kind, Side};
use table::{Angle, Bounds, Convex, EPS, INCH, Pt, Rect, Spot, Way, closest_on_segment};

use crate::field::Field;
use crate::rules::formations::{COMMANDER_MOVE, PROXIMITY};
use crate::rules::rolls::{commander_piece, piece};
use crate::rules::terrain::Going;
use crate::setup::battle::{
    Battle, CommanderId, Fits, MAX_UNITS, Shape, State, UnitId, disc_of, no, rect_of, too_long,
};

/// May this commander attach to that unit at all, and can he reach it (5.1.b, 12.a, 12.b, R43)?
pub(crate) fn may_attach(field: &Field<'_>, c: CommanderId, u: UnitId) -> Fits {
    let (officer, now) = (field.battle.officer(c), &field.state.commanders[c.i()]);
    if !now.on_table || now.moved || officer.side != field.side(u) || !field.state.on_table(u) {
        return no(cite!("5.1.b"), "He cannot attach to this unit now.");
    }
    if officer.fixed {
        return no(cite!("scenario.d"), "The scenario does not let him move or attach.");
    }
    if now.attached == Some(u) {
        return no(cite!("5.1.b"), "He is attached to this unit already.");
    }
    leaves_melee(field, c)?;
    if officer.brigade.is_some_and(|b| b != field.battle.unit(u).brigade) {
        return no(cite!("12.b"), "A brigade commander attaches to units of his own brigade only.");
    }
    if disc_of(field.battle, field.state, c).distance(field.rect(u)) > COMMANDER_MOVE + EPS {
        return no(cite!("2.6.n"), "The unit is farther than the 24 in a commander moves.");
    }
    let goal = field.rect(u).closest(now.at.pt());
    let reaches = |p: Pt| rides_free(field, officer.side, now.at.pt(), p);
    if !reaches(goal) && !reaches(behind(field.rect(u), 0)) {
        return no(cite!("6.1.d"), "Enemies or impassable terrain bar his way to the unit.");
    }
    Ok(())
}

fn leaves_melee(field: &Field<'_>, c: CommanderId) -> Fits {
    match field.state.commanders[c.i()].attached {
        Some(u) if field.state.engaged(u) => {
            no(cite!("12.1.b"), "He may not detach from a unit engaged in melee.")
        }
        _ => Ok(()),
    }
}

/// May he detach to this spot, 1 in from his unit (5.1.d)?
pub(crate) fn may_detach(field: &Field<'_>, c: CommanderId, to: Spot) -> Fits {
    let now = &field.state.commanders[c.i()];
    let Some(u) = now.attached else { return no(cite!("5.1.d"), "He is not attached to a unit.") };
    if now.moved {
        return no(cite!("5.1.d"), "He has made his move to attach; he does not move again.");
    }
    leaves_melee(field, c)?;
    let radius = field.battle.officer(c).radius();
    let away = field.rect(u).distance_to(to.pt()) - radius;
    if (away - INCH).abs() > 2 * EPS {
        return no(cite!("5.1.d"), "On detaching he is set exactly 1 in away from the unit.");
    }
    rests(field, c, to)
}

/// A spot where a free commander may rest: on the table, passable, 1 in from enemies, on no friend (R43).
pub(crate) fn rests(field: &Field<'_>, c: CommanderId, to: Spot) -> Fits {
    let (p, radius) = (to.pt(), field.battle.officer(c).radius());
    if !field.battle.top.holds_point(p) {
        return no(cite!("5.5.af"), "He would leave the table.");
    }
    let side = field.battle.officer(c).side;
    if field.of_side(!side).any(|e| field.rect(e).distance_to(p) - radius < PROXIMITY - EPS) {
        return no(cite!("4.4.a"), "He must end at least 1 in from enemy units.");
    }
    if field.of_side(side).any(|f| field.rect(f).distance_to(p) < radius - EPS) {
        return no(cite!("5.7.a"), "He would end on top of a friendly unit.");
    }
    if field.battle.impassable(&point_box(p)[..]) {
        return no(cite!("6.1.d"), "He would stand in impassable terrain.");
    }
    Ok(())
}

/// A tiny square about a point, to test areas with.
fn point_box(p: Pt) -> [Pt; 4] {
    let e = 4 * EPS;
    [
        Pt::new(p.x + e, p.y - e),
        Pt::new(p.x + e, p.y + e),
        Pt::new(p.x - e, p.y + e),
        Pt::new(p.x - e, p.y - e),
    ]
}

/// The ordinary move of a free commander (2.6.n, 5.3.c, 5.3.e).
pub(crate) fn may_ride(field: &Field<'_>, c: CommanderId, to: Spot) -> Fits {
    let now = &field.state.commanders[c.i()];
    if field.battle.officer(c).fixed {
        return no(cite!("scenario.d"), "The scenario does not let him move.");
    }
    if !now.on_table || now.attached.is_some() || now.moved {
        return no(cite!("5.3.c"), "Only an unattached commander who has not moved may move.");
    }
    let ridden = now.at.pt().to(to.pt());
    if ridden > COMMANDER_MOVE + EPS {
        let asked = table::div_round(ridden, table::MIL) as i32;
        return too_long(cite!("2.6.n"), "A commander moves up to 24 in.", asked, 24_000);
    }
    rests(field, c, to)?;
    if !rides_free(field, field.battle.officer(c).side, now.at.pt(), to.pt()) {
        return no(cite!("5.7.c"), "Enemies or impassable terrain bar his way.");
    }
    Ok(())
}

/// Can he ride from one point to another within 24 in, straight or bending round whatever corners are in the way (R43)?
fn rides_free(field: &Field<'_>, side: Side, from: Pt, to: Pt) -> bool {
    leg_is_free(field, side, from, to) || rides_round(field, side, from, to)
}

/// The shortest way round corners: from the nearest corner reached so far to those it sees, until one sees the goal.
fn rides_round(field: &Field<'_>, side: Side, from: Pt, to: Pt) -> bool {
    let mut bends = corners_between(field, side, from, to);
    let free = |a: Pt, b: Pt| leg_is_free(field, side, a, b);
    let mut reached: ArrayVec<(i64, Pt), BENDS> = ArrayVec::new();
    reached.push((0, from));
    while let Some(nearest) = (0..reached.len()).min_by_key(|i| reached[*i].0) {
        let (ridden, at) = reached.swap_remove(nearest);
        if at != from && ridden + at.to(to) <= COMMANDER_MOVE && free(at, to) {
            return true;
        }
        bends.retain(|bend| *bend != at);
        for bend in &bends {
            let way = ridden + at.to(*bend);
            let known = reached.iter().position(|(_, p)| p == bend);
            let shorter = known.is_none_or(|i| way < reached[i].0);
            if way + bend.to(to) > COMMANDER_MOVE || !shorter || !free(at, *bend) {
                continue;
            }
            match known {
                Some(i) => reached[i].0 = way,
                None => {
                    let _ = reached.try_push((way, *bend));
                }
            }
        }
    }
    false
}

/// How many corners are looked at; more than can lie within a ride.
const BENDS: usize = 128;

/// The corners of enemies and of impassable ground, a hair outside, by which a ride of 24 in can pass.
fn corners_between(field: &Field<'_>, side: Side, from: Pt, to: Pt) -> ArrayVec<Pt, BENDS> {
    let mut bends = ArrayVec::new();
    let mut corners_of = |corners: &[Pt]| {
        let middle = corners.iter().fold(Pt::default(), |sum, c| sum + *c);
        let middle = Pt::new(middle.x / corners.len() as i64, middle.y / corners.len() as i64);
        for c in corners {
            let bend = *c + Angle::of(*c - middle).dir().times(INCH / 50);
            if from.to(bend) + bend.to(to) <= COMMANDER_MOVE && field.battle.top.holds_point(bend) {
                let _ = bends.try_push(bend);
            }
        }
    };
    for e in field.of_side(!side) {
        corners_of(&field.rect(e).corners);
    }
    for feature in field.battle.features(Going::Impassable) {
        match &feature.shape {
            // A river's outline is its middle line; its parts are the banks.
            Shape::Area(area) => area.parts().iter().for_each(|part| corners_of(part)),
            Shape::Line(line) => corners_of(line.points()),
            Shape::Road(_) => {}
        }
    }
    bends
}

/// A straight way that crosses no enemy and no impassable ground.
fn leg_is_free(field: &Field<'_>, side: Side, from: Pt, to: Pt) -> bool {
    let way = [from, to];
    let bounds = Bounds::of(&way);
    let crossed = field
        .of_side(!side)
        .any(|u| bounds.meets(&field.rect(u).bounds) && table::deeper_than_eps(&way[..], field.rect(u)));
    let rough = field.battle.features(Going::Impassable).any(|f| match &f.shape {
        Shape::Area(area) => bounds.meets(&area.bounds()) && area.chord(from, to) > 2 * EPS,
        Shape::Line(line) => line.crossed_by(from, to),
        Shape::Road(_) => false,
    });
    !crossed && !rough
}

/// Behind the middle of a unit's rear edge, touching it: where an attached commander is drawn (R43).
fn behind(rect: &Rect, radius: i64) -> Pt {
    rect.rear_middle() - rect.ahead.times(radius)
}

/// Sets the discs of attached commanders behind their unit, or where an enemy stands there, at another side of it
/// (5.1.c, 12.2.c).
pub(crate) fn follow(battle: &Battle, state: &mut State, u: UnitId) {
    let rect = rect_of(battle, state, u);
    for i in 0..state.commanders.len() {
        if state.commanders[i].attached != Some(u) {
            continue;
        }
        let radius = battle.officers[i].radius();
        let beside =
            |turn: i32, reach: i64| rect.centre + rect.facing.turned(turn).dir().times(reach + radius);
        let places =
            [behind(&rect, radius), beside(-9_000, rect.a), beside(9_000, rect.a), beside(0, rect.b)];
        let enemies: ArrayVec<Rect, MAX_UNITS> = battle
            .all_units()
            .filter(|v| state.on_table(*v) && battle.unit(*v).side != battle.unit(u).side)
            .map(|v| rect_of(battle, state, v))
            .collect();
        let free = |p: &&Pt| {
            battle.top.holds_point(**p) && enemies.iter().all(|e| e.distance_to(**p) >= radius - EPS)
        };
        let place = places.iter().find(free).unwrap_or(&places[0]);
        let on_table = Pt::new(place.x.clamp(0, battle.top.width), place.y.clamp(0, battle.top.height));
        state.commanders[i].at = on_table.spot();
    }
}

pub(crate) fn attach(battle: &Battle, state: &mut State, c: CommanderId, u: UnitId, fx: &mut impl Effects) {
    let commander = &mut state.commanders[c.i()];
    commander.attached = Some(u);
    commander.moved = true;
    follow(battle, state, u);
    fx.tell(|| {
        Entry::new(Kind::March, format!("{} joins {}.", battle.officer(c).name, battle.unit(u).name))
            .side(battle.officer(c).side)
            .rule(cite!("5.1.b"))
            .piece(commander_piece(battle, c))
            .piece(piece(u))
    });
}

pub(crate) fn detach(battle: &Battle, state: &mut State, c: CommanderId, to: Spot, fx: &mut impl Effects) {
    let commander = &mut state.commanders[c.i()];
    commander.attached = None;
    commander.at = to;
    fx.tell(|| {
        Entry::new(Kind::March, format!("{} leaves his unit.", battle.officer(c).name))
            .side(battle.officer(c).side)
            .rule(cite!("5.1.d"))
            .piece(commander_piece(battle, c))
    });
}

pub(crate) fn ride(battle: &Battle, state: &mut State, c: CommanderId, to: Spot, fx: &mut impl Effects) {
    let commander = &mut state.commanders[c.i()];
    commander.at = to;
    commander.attached = None;
    commander.moved = true;
    fx.tell(|| {
        Entry::new(Kind::March, format!("{} rides.", battle.officer(c).name))
            .side(battle.officer(c).side)
            .rule(cite!("2.6.n"))
            .piece(commander_piece(battle, c))
    });
}

/// Where the full free move in a direction ends: 24 in, or the table edge, or impassable ground; none if an enemy is
/// too near there (12.1.a, R44).
pub(crate) fn flight(field: &Field<'_>, c: CommanderId, direction: Angle) -> Option<Spot> {
    let from = field.state.commanders[c.i()].at.pt();
    let dir = direction.dir();
    let top = field.battle.top;
    let mut t = COMMANDER_MOVE;
    let room = |at: i64, speed: i64, size: i64| {
        if speed == 0 {
            i64::MAX
        } else {
            let gap = if speed > 0 { size - at } else { at };
            (((gap.max(0) as i128) << table::Dir::BITS) / i128::from(speed.abs())) as i64
        }
    };
    t = t.min(room(from.x, dir.x, top.width)).min(room(from.y, dir.y, top.height));
    for feature in field.battle.features(Going::Impassable) {
        let mut stop = |at: Option<i64>| t = at.map_or(t, |at| t.min((at - 8 * EPS).max(0)));
        match &feature.shape {
            Shape::Area(area) => area
                .parts()
                .iter()
                .for_each(|part| stop(table::first_overlap(&point_box(from)[..], part, dir, COMMANDER_MOVE))),
            Shape::Line(line) => line.legs().for_each(|(a, b)| {
                stop(table::first_overlap(&point_box(from)[..], &[a, b][..], dir, COMMANDER_MOVE))
            }),
            Shape::Road(_) => {}
        }
    }
    let to = (from + dir.times(t)).spot();
    rests(field, c, to).is_ok().then_some(to)
}

/// May the commander of a Broken unit flee to this spot?
pub(crate) fn may_flee(field: &Field<'_>, c: CommanderId, to: Spot) -> Fits {
    let from = field.state.commanders[c.i()].at.pt();
    if to.pt() == from {
        // Hemmed in on every side he stays where he is.
        let stuck = (0..72).all(|i| flight(field, c, Angle::degrees(5 * i)).is_none());
        return if stuck { Ok(()) } else { no(cite!("12.1.a"), "He makes a full move away.") };
    }
    let direction = Angle::of(to.pt() - from);
    match flight(field, c, direction) {
        Some(end) if end.pt().to(to.pt()) <= 20 * EPS => Ok(()),
        Some(_) => {
            no(cite!("12.1.a"), "He makes a full move: 24 in, or to the table edge or impassable terrain.")
        }
        None => no(cite!("12.2.b"), "He must end at least 1 in from enemy units."),
    }
}

/// Free commanders in the way of a unit that has moved step aside: the least way that clears it, 1 in from enemies
/// (7.5.b, 12.2, R44).
pub(crate) fn evade(
    battle: &Battle,
    state: &mut State,
    mover: Side,
    corridor: &[Way],
    fx: &mut impl Effects,
) {
    for c in battle.all_officers() {
        let now = state.commanders[c.i()];
        if now.attached.is_some() || !now.on_table || battle.officer(c).side == mover {
            continue;
        }
        if !corridor.iter().any(|way| reaches(way, now.at.pt(), battle.officer(c).radius())) {
            continue;
        }
        state.commanders[c.i()].at = step_aside(battle, state, c, corridor);
        fx.tell(|| {
            Entry::new(Kind::Retreat, format!("{} rides out of the way.", battle.officer(c).name))
                .side(battle.officer(c).side)
                .rule(cite!("12.2.a"))
                .piece(commander_piece(battle, c))
        });
    }
}

fn reaches(way: &Way, p: Pt, radius: i64) -> bool {
    way.bounds().grown(radius).meets(&Bounds { lo: p, hi: p }) && table::distance_to_point(way, p) < radius
}

/// The nearest resting place outside a corridor: straight across a side of what hits him, to the left first.
fn step_aside(battle: &Battle, state: &State, c: CommanderId, corridor: &[Way]) -> Spot {
    let field = Field::new(battle, state);
    let (from, radius) = (state.commanders[c.i()].at.pt(), battle.officer(c).radius());
    let free =
        |to: Spot| corridor.iter().all(|way| !reaches(way, to.pt(), radius)) && rests(&field, c, to).is_ok();
    let mut best: Option<(i64, Spot)> = None;
    for way in corridor.iter().filter(|way| reaches(way, from, radius)) {
        let corners = way.corners();
        for i in 0..corners.len() {
            let side = (corners[i], corners[(i + 1) % corners.len()]);
            let along = Angle::of(side.1 - side.0);
            // The outline runs counter-clockwise, so its outside is to the right.
            let out = along.dir().right();
            let foot = closest_on_segment(from, side);
            let depth = out.along(foot - from);
            for extra in [PROXIMITY, 2 * INCH, 4 * INCH, 8 * INCH] {
                let by = depth + radius + extra;
                let to = (from + out.times(by)).spot();
                if best.is_none_or(|(b, _)| by < b) && free(to) {
                    best = Some((by, to));
                }
            }
        }
    }
    best.map_or(state.commanders[c.i()].at, |(_, to)| to)
}
