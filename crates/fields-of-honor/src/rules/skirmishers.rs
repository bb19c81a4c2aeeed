//! Skirmishers: detached, rejoining, giving way; gunners who come back to their guns.

use game::{Effects, Kind};
use table::{Angle, EPS, INCH, MIL};

use crate::cite;
use crate::rules::basics::{Formation, Layout, Shape};
use crate::rules::fire::No;
use crate::rules::movement::{free, ground_tells, parent};
use crate::rules::rolls::tell_of;
use crate::setup::battle::Battle;
use crate::state::{Body, BodyId, MAX_BODIES, Marks, Order, Part, State, Where};

/// Whether a new shape only brings more stands of a late-century skirmish line up to the front: more of them in
/// skirmish order, then an extended line, then a line (R109).
#[must_use]
pub fn thickens(late: bool, from: Shape, to: Shape) -> bool {
    late && match (from.formation, to.formation) {
        (Formation::Skirmish, Formation::Skirmish) => to.files > from.files,
        (Formation::Skirmish, Formation::Extended) | (Formation::Extended, Formation::Line) => true,
        _ => false,
    }
}

/// The stands in a new shape: about the same middle, but on the line of those in place if it is only thickened.
#[must_use]
pub fn reformed(late: bool, layout: Layout, shape: Shape) -> Layout {
    if thickens(late, layout.shape, shape) {
        return Layout { shape, ..layout };
    }
    layout.rearranged(shape, layout.pose.facing)
}

/// Where two stands would go, or why they may not (skirmish.a, basics.formations.f).
///
/// # Errors
/// The rule that forbids it.
pub fn may_detach(
    battle: &Battle,
    state: &State,
    id: BodyId,
    layout: &Layout,
    ahead: i16,
) -> Result<Layout, No> {
    let body = state.body(id);
    if !battle.on.skirmish || !battle.info(body).skirmish || body.part != Part::Main || body.skirmishing() {
        return Err(No::new(cite!("skirmish.a"), "the scenario does not let this unit send out skirmishers"));
    }
    let out = state.on_table().any(|(_, b)| b.bmu == body.bmu && b.part == Part::Skirmishers);
    if out || body.stands(battle) < 4 {
        return Err(No::new(cite!("basics.formations.f"), "two stands at the most go out to skirmish"));
    }
    // Every battery keeps room for its gunners.
    let batteries = battle.bmus.iter().filter(|b| b.arm.is_artillery()).count();
    if rejoined(state, body.bmu, Part::Skirmishers).is_none() && state.bodies.len() + batteries >= MAX_BODIES
    {
        return Err(No::new(
            cite!("basics.formations.f"),
            "no more bodies fit on the table; call other skirmishers in",
        ));
    }
    if ahead < 0 || i64::from(ahead) * MIL > battle.yards(150) + EPS {
        return Err(No::new(
            cite!("skirmish.a"),
            "detached skirmishers stay within 150 yards of their parent",
        ));
    }
    let shape = Shape::of(Formation::Skirmish, battle.arm(body), 2, 2);
    let depth = layout.size.depth;
    let pose = layout.pose.moved(0, i64::from(ahead) * MIL + depth);
    let line = Layout { pose, shape, stands: 2, size: layout.size };
    if !free(battle, state, id, &line) {
        return Err(No::new(cite!("skirmish.b"), "there is no room for the skirmishers there"));
    }
    Ok(line)
}

/// A part of a unit that went out before and came back without losses: it goes out again under its number.
fn rejoined(state: &State, bmu: u8, part: Part) -> Option<BodyId> {
    let back = |b: &Body| b.bmu == bmu && b.part == part && b.place == Where::Joined && b.lost + b.fresh == 0;
    state.bodies.iter().position(back).map(|i| BodyId(i as u8))
}

/// Whether a part of a unit can go out: there is a number for it.
#[must_use]
pub fn can_go_out(state: &State, bmu: u8, part: Part) -> bool {
    !state.bodies.is_full() || rejoined(state, bmu, part).is_some()
}

/// A part of a unit is on the table from now on.
fn put_out(state: &mut State, body: Body) -> BodyId {
    match rejoined(state, body.bmu, body.part) {
        Some(id) => {
            *state.body_mut(id) = body;
            id
        }
        None => {
            state.bodies.push(body);
            BodyId(state.bodies.len() as u8 - 1)
        }
    }
}

/// Two stands go out.
pub fn detach(battle: &Battle, state: &mut State, id: BodyId, ahead: i16, fx: &mut impl Effects) {
    let layout = state.body(id).layout(battle);
    let Ok(line) = may_detach(battle, state, id, &layout, ahead) else { return };
    let parent = state.body_mut(id);
    parent.strength -= 2;
    let out = Body {
        part: Part::Skirmishers,
        pose: line.pose,
        shape: line.shape,
        strength: 2,
        lost: 0,
        fresh: 0,
        other: None,
        ..*parent
    };
    let out = put_out(state, out);
    let out = state.body_mut(out);
    out.marks.clear(Marks::GONE_ABOUT);
    // They have changed formation and gone ahead of the others (R22).
    out.marks.set(Marks::MOVED);
    tell_of(battle, state, id, Kind::March, "sends out skirmishers", cite!("skirmish.a"), fx);
}

/// The parent to which skirmishers go back as their whole move.
///
/// # Errors
/// The rule that forbids it.
pub fn may_rejoin(state: &State, id: BodyId, parts: usize) -> Result<BodyId, No> {
    let out = state.body(id).part == Part::Skirmishers && parts == 1;
    out.then(|| parent(state, id))
        .flatten()
        .ok_or_else(|| No::new(cite!("skirmish.g"), "only detached skirmishers rejoin, as their whole move"))
}

/// They are part of the parent again, with their losses.
pub fn rejoin(battle: &Battle, state: &mut State, id: BodyId, fx: &mut impl Effects) {
    let Some(home) = parent(state, id) else { return };
    tell_of(battle, state, id, Kind::March, "rejoin their unit", cite!("skirmish.g"), fx);
    let out = *state.body(id);
    let joined = state.body_mut(id);
    joined.place = Where::Joined;
    // Their hits are the parent's from now on: they count once (R8).
    (joined.lost, joined.fresh) = (0, 0);
    crate::rules::rout::release(state, id);
    state.bouts.retain(|b| b.attacker != id && b.defender != id);
    let before = state.body(home).layout(battle);
    let body = state.body_mut(home);
    body.strength += out.strength;
    body.lost += out.lost;
    body.fresh += out.fresh;
    if body.shape.formation == Formation::Line {
        body.shape.files = body
            .shape
            .files
            .max(body.strength / if body.shape.files < body.strength / 2 + 1 { 2 } else { 1 });
    }
    crate::rules::morale::settle_growth(battle, state, home, &before, fx);
}

/// Skirmishers who have fallen back on a charged parent.
#[derive(Debug, Clone, Copy)]
pub struct FellBack {
    pub stands: u8,
    /// They stood in its line of fire.
    pub between: bool,
}

/// Before a charge at their parent: back they come (skirmish.g).
pub fn fall_back_before_charge(
    battle: &Battle,
    state: &mut State,
    target: BodyId,
    charger: BodyId,
    fx: &mut impl Effects,
) -> Option<FellBack> {
    let bmu = state.body(target).bmu;
    let out = state.on_table().find(|(_, b)| b.bmu == bmu && b.part == Part::Skirmishers).map(|(id, _)| id);
    let out = out.filter(|o| *o != target)?;
    let between = {
        let line = state.body(out).layout(battle).centre();
        let (a, b) =
            (state.body(target).layout(battle).centre(), state.body(charger).layout(battle).centre());
        line.to(b) < a.to(b)
            && state.body(target).layout(battle).behind_front(line)
                == state.body(target).layout(battle).behind_front(b)
    };
    let stands = state.body(out).stands(battle);
    rejoin(battle, state, out, fx);
    Some(FellBack { stands, between })
}

/// Skirmishers go back before formed enemies and mobs that have come within their medium range (R99).
pub fn give_way(battle: &Battle, state: &mut State, mover: BodyId, fx: &mut impl Effects) {
    if !battle.on.skirmish || state.body(mover).skirmishing() || !state.body(mover).marks.has(Marks::MOVED) {
        return;
    }
    for i in 0..state.bodies.len() {
        let id = BodyId(i as u8);
        let body = *state.body(id);
        if !body.on_table() || !body.skirmishing() || battle.side(&body) == battle.side_of(state, mover) {
            continue;
        }
        let left = battle.rate(&body).engaged - i64::from(body.given) * MIL;
        if left <= 0
            || body.marks.has(Marks::HIDDEN)
            || body.part == Part::Group
            || body.order.broken()
            || state.in_melee(id)
        {
            continue;
        }
        let (mine, theirs) = (body.layout(battle), state.body(mover).layout(battle));
        let medium = battle.info(&body).weapon.ranges[1];
        if mine.distance(&theirs) >= medium - EPS {
            continue;
        }
        let away = Angle::of(mine.centre() - theirs.centre()).dir();
        let there = |far: i64| mine.at(mine.pose.shifted(away.times(far)));
        // As far as there is room, quarter inch by quarter inch.
        let mut far = way_to_range(medium, left, |far| there(far).distance(&theirs));
        while far > 0 && !free(battle, state, id, &there(far)) {
            far -= INCH / 4;
        }
        if far > 0 {
            let body = state.body_mut(id);
            body.pose = there(far).pose;
            body.given += (far / MIL) as u16;
            body.marks.set(Marks::MOVED);
            tell_of(battle, state, id, Kind::Retreat, "fall back before the enemy", cite!("skirmish.j"), fx);
            ground_tells(battle, state, id, &mine, fx);
        }
    }
}

/// The least way, of `most` at the farthest, after which a distance that grows with it has come up to `range`.
fn way_to_range(range: i64, most: i64, distance: impl Fn(i64) -> i64) -> i64 {
    let (mut short, mut far) = (0, most);
    while far - short > MIL / 2 {
        let middle = short + (far - short) / 2;
        if distance(middle) < range { short = middle } else { far = middle }
    }
    far
}

/// Gunners who end a move in contact with guns without crew man them (R38).
pub fn man_guns(battle: &Battle, state: &mut State, id: BodyId, fx: &mut impl Effects) {
    let body = *state.body(id);
    if !body.marks.has(Marks::CREW) {
        return;
    }
    let layout = body.layout(battle);
    let guns = state.on_table().find(|(_, b)| {
        b.marks.has(Marks::ABANDONED)
            && battle.side(b) == battle.side(&body)
            && b.layout(battle).distance(&layout) <= EPS
    });
    let Some((guns, battery)) = guns else { return };
    // Nobody serves guns among which somebody else stands.
    let place = battery.layout(battle);
    if state.on_table().any(|(o, b)| o != guns && o != id && b.layout(battle).overlaps(&place)) {
        return;
    }
    state.body_mut(id).place = Where::Joined;
    crate::rules::rout::release(state, id);
    let battery = state.body_mut(guns);
    battery.marks.clear(Marks::ABANDONED);
    battery.order = Order::Suppressed;
    battery.marks.set(Marks::LIMBERING.and(Marks::GONE_ABOUT));
    tell_of(battle, state, guns, Kind::Rally, "is manned again", cite!("charge.defender.i"), fx);
}

/// Gunners leave their guns and run (charge.defender.f, charge.defender.g).
pub fn abandon_guns(
    battle: &Battle,
    state: &mut State,
    id: BodyId,
    from: BodyId,
    far: i64,
    fx: &mut impl Effects,
) {
    let battery = *state.body(id);
    let layout = battery.layout(battle);
    let away = Angle::of(layout.centre() - state.body(from).layout(battle).centre());
    state.body_mut(id).marks.set(Marks::ABANDONED.and(Marks::MOVED).and(Marks::MOVED_EARLY));
    let stands = battery.stands(battle).max(1);
    let mut crew = Body {
        part: Part::Crew,
        shape: Shape::of(Formation::Mob, crate::rules::basics::Arm::Infantry, stands, 0),
        strength: stands,
        lost: 0,
        fresh: 0,
        order: Order::Suppressed,
        marks: Marks::CREW.and(Marks::MOVED).and(Marks::MOVED_EARLY),
        other: Some(from),
        ..battery
    };
    crew.pose = layout.rearranged(crew.shape, away).pose;
    let runner = put_out(state, crew);
    tell_of(battle, state, id, Kind::Retreat, "is left by its gunners", cite!("charge.defender.i"), fx);
    let start = state.body(runner).layout(battle);
    let side = battle.side(&battery);
    // The first friend on their way takes them in.
    let mut met: Option<(BodyId, i64)> = None;
    for (o, b) in state.on_table() {
        if o == runner || o == id || battle.side(b) != side || b.marks.has(Marks::ABANDONED) {
            continue;
        }
        let d = crate::rules::charge::touch_distance(&start, &b.layout(battle), away.dir());
        if let Some(d) = d.filter(|d| *d <= far && met.is_none_or(|(_, m)| *d < m)) {
            met = Some((o, d));
        }
    }
    if let Some((friend, _)) = met {
        state.body_mut(runner).place = Where::Joined;
        tell_of(battle, state, friend, Kind::Note, "takes the gunners in", cite!("charge.defender.g"), fx);
        return;
    }
    let room = table::to_edge(&start.block(), away.dir(), battle.top.width, battle.top.height);
    let pose = start.pose.shifted(away.dir().times(far.min(room)));
    crate::rules::charge::movement::put(battle, state, runner, &start, pose);
}
