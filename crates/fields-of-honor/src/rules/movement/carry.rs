//! Carrying a move out, inch by inch and turn by turn.

use arrayvec::ArrayVec;
use game::words::does;
use game::{Effects, Entry, Kind};
use table::{MIL, Pose};

use super::formations::{faced, wheeled};
use super::{Leg, March, Outcome, plan, price, rest_on_known_ground, roams, slewed, touching};
use crate::cite;
use crate::rules::basics::{Formation, Layout, Shape};
use crate::rules::rolls::{piece, tell_of};
use crate::rules::skirmishers::{reformed, thickens};
use crate::setup::battle::Battle;
use crate::state::{Body, BodyId, Marks, Order, State};

/// How far a leg goes between two chances to interrupt it (R63).
const STEP: i32 = 1000;

/// Begins a move: the go pays for it, and the friends it touches become cheaper.
pub fn begin(battle: &Battle, state: &mut State, id: BodyId, legs: &[Leg]) {
    let Ok(Outcome { passed, slack, far, .. }) = plan(battle, state, id, legs) else { return };
    state.go.used += price(state, id);
    state.go.touching |= touching(battle, state, id);
    state.go.chosen |= id.bit();
    let body = state.body_mut(id);
    body.marks.set(Marks::GONE_ABOUT);
    if passed != 0 {
        body.marks.set(Marks::PASSED);
        for i in (0..state.bodies.len()).filter(|i| passed & (1 << i) != 0) {
            state.bodies[i].marks.set(Marks::PASSED);
        }
    }
    let legs = legs.iter().copied().collect();
    state.march = March { unit: Some(id), legs, leg: 0, done: 0, waved: false, slack, far };
}

/// Carries out the next inch or turn of a move; false when it is over.
pub fn go_on(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    let Some(id) = state.march.unit else { return false };
    let Some(leg) = state.march.legs.get(usize::from(state.march.leg)).copied() else { return false };
    if !state.body(id).on_table() {
        return false;
    }
    let from = state.body(id).pose;
    let before = state.body(id).layout(battle);
    match leg {
        Leg::Ahead { length, aside } => advance(battle, state, id, length, i32::from(aside)),
        Leg::Sidle { length, bearing } => advance(battle, state, id, length, i32::from(bearing)),
        _ => {
            turn_or_change(battle, state, id, leg, fx);
            state.march.leg += 1;
        }
    }
    crate::rules::rout::carry_leader(state, id);
    crate::rules::forts::mind_the_wall(battle, state, id, &before);
    let side = battle.side_of(state, id);
    let unknown = battle.unknown(state, side);
    ground_tells(battle, state, id, &before, fx);
    if battle.unknown(state, side) != unknown {
        go_on_over_known_ground(battle, state, id, unknown, fx);
    }
    come_into_view(battle, state, id);
    fx.tell(|| {
        let place = |p: Pose| game::Place::Pose { x: p.at.x, y: p.at.y, facing: p.facing.get() };
        let entry = Entry::new(Kind::March, does(&battle.own_name(state, id), "moves."))
            .side(battle.side_of(state, id))
            .rule(cite!("move.range.b"))
            .piece(piece(id))
            .place(place(from))
            .place(place(state.body(id).pose));
        crate::rules::concealment::if_hidden(battle, state, id, entry)
    });
    true
}

/// Ground has come to light on the way: the rest of the move is paid for as it is.
fn go_on_over_known_ground(
    battle: &Battle,
    state: &mut State,
    id: BodyId,
    before: u32,
    fx: &mut impl Effects,
) {
    let (rest, whole) = rest_on_known_ground(battle, state, id, before);
    let march = &mut state.march;
    (march.legs, march.leg, march.done) = (rest, 0, 0);
    if !whole {
        tell_of(battle, state, id, Kind::March, "is held up by the ground", cite!("terrain.special.b"), fx);
    }
}

fn advance(battle: &Battle, state: &mut State, id: BodyId, length: i32, bearing: i32) {
    let chunk = (length - state.march.done).min(STEP);
    let done = state.march.done + chunk;
    // Each step is measured from the beginning of the leg, so that rounding never adds up.
    let body = state.body_mut(id);
    let dir = body.pose.facing.turned(bearing).dir();
    let before = dir.times(i64::from(done - chunk) * MIL).spot();
    let after = dir.times(i64::from(done) * MIL).spot();
    body.pose.at.x += after.x - before.x;
    body.pose.at.y += after.y - before.y;
    body.marks.set(Marks::MOVED);
    let _ = battle;
    state.march.done = done;
    if done >= length {
        state.march.leg += 1;
        state.march.done = 0;
    }
}

fn turn_or_change(battle: &Battle, state: &mut State, id: BodyId, leg: Leg, fx: &mut impl Effects) {
    let layout = state.body(id).layout(battle);
    let any = roams(state.body(id), layout.shape.formation);
    let turned = slewed(&state.march.legs[..=usize::from(state.march.leg)]);
    let body = state.body_mut(id);
    match leg {
        Leg::Wheel { turn } => {
            body.pose = wheeled(body.pose, layout.extent(), i32::from(turn), false);
            body.marks.set(Marks::MOVED);
        }
        Leg::WheelBack { turn } => {
            body.pose = wheeled(body.pose, layout.extent(), i32::from(turn), true);
            body.marks.set(Marks::MOVED);
        }
        Leg::Face { turn } => {
            let there = faced(&layout, i32::from(turn), any);
            body.pose = there.pose;
            body.shape = there.shape;
            body.marks.set(Marks::MOVED);
        }
        Leg::Form { formation, files } => {
            let shape = Shape::of(formation, battle.arm(body), layout.stands, files);
            // A skirmish line that is only thickened stays where it is and fires as it did (late.b).
            let thickened = thickens(battle.info(body).late, layout.shape, shape);
            let there = reformed(battle.info(body).late, layout, shape);
            body.pose = there.pose;
            body.shape = shape;
            if !thickened {
                body.marks.set(Marks::MOVED);
            }
            if battle.arm(body).is_artillery() {
                body.marks.set(Marks::LIMBERING);
            }
        }
        Leg::Slew { turn } => {
            let there = layout.rearranged(layout.shape, layout.pose.facing.turned(i32::from(turn)));
            body.pose = there.pose;
            if turned <= 4500 {
                body.marks.set(Marks::PROLONGED);
            } else {
                body.marks.clear(Marks::PROLONGED);
                body.marks.set(Marks::MOVED);
            }
        }
        Leg::Prone => body.marks.set(Marks::PRONE),
        // It costs a quarter of the move and a grade of its fire, and is no move besides (R22).
        Leg::Up => {
            body.marks.clear(Marks::PRONE);
            body.marks.set(Marks::STOOD);
        }
        Leg::Dismount => body.marks.set(Marks::DISMOUNTED.and(Marks::MOVED)),
        Leg::Mount => {
            body.marks.clear(Marks::DISMOUNTED);
            body.marks.set(Marks::MOVED);
        }
        Leg::Hide => {
            body.marks.set(Marks::HIDDEN.and(Marks::LURKING));
            if !battle.on.sighting {
                // Without markers everybody sees where they went (R62).
                body.marks.set(Marks::SPOTTED);
            }
        }
        Leg::Detach { ahead } => crate::rules::skirmishers::detach(battle, state, id, ahead, fx),
        Leg::Rejoin => crate::rules::skirmishers::rejoin(battle, state, id, fx),
        Leg::Box => crate::rules::forts::join_box(battle, state, id),
        Leg::Unbox => body.marks.clear(Marks::BOX),
        Leg::Ahead { .. } | Leg::Sidle { .. } => {}
    }
}

/// What the ground does to a body that has come there from `before`: unknown ground is uncovered, some ground suppresses
/// whoever sets foot on it; squares are suppressed by anything but clear ground.
pub fn ground_tells(battle: &Battle, state: &mut State, id: BodyId, before: &Layout, fx: &mut impl Effects) {
    crate::rules::sighting::reveal(battle, state, id, fx);
    let body = state.body(id);
    if body.order >= Order::Suppressed || battle.areas.is_empty() {
        return;
    }
    let layout = body.layout(battle);
    let unknown = battle.left_out(state);
    let square = body.shape.formation == Formation::Square && !battle.clear_ground(&layout, unknown);
    let rule = match battle.suppressing(before, &layout, unknown).map(|ground| ground.kind.as_str()) {
        _ if square => cite!("basics.formations.b"),
        None => return,
        Some("heavy woods") => cite!("qrs.terrain.a"),
        Some("sheer hill") => cite!("qrs.terrain.b"),
        Some(_) => cite!("qrs.terrain.e"),
    };
    state.body_mut(id).order = Order::Suppressed;
    tell_of(battle, state, id, Kind::Loss, "is Suppressed by the ground", rule, fx);
}

/// A hidden unit that moves in view is hidden no longer (R62).
fn come_into_view(battle: &Battle, state: &mut State, id: BodyId) {
    let marks = state.body(id).marks;
    if !marks.has(Marks::HIDDEN) || state.march.legs.last() == Some(&Leg::Hide) {
        return;
    }
    // Where it has been sighted it hides only while it stays (R62).
    if marks.has(Marks::SPOTTED) {
        if marks.has(Marks::MOVED) {
            state.body_mut(id).marks.show();
        }
        return;
    }
    let side = battle.side_of(state, id);
    let enemies: ArrayVec<BodyId, 64> =
        state.on_table().filter(|(_, b)| battle.side(b) != side).map(|(o, _)| o).collect();
    if enemies.iter().any(|o| crate::rules::terrain::sees(battle, state, *o, id)) {
        state.body_mut(id).marks.show();
    }
}

/// The move is over: skirmishers give way before it (R99), crews man guns.
pub fn finish(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let Some(id) = state.march.unit.take() else { return };
    state.march.legs.clear();
    if state.body(id).on_table() {
        make_room(battle, state, id);
        crate::rules::skirmishers::give_way(battle, state, id, fx);
        crate::rules::skirmishers::man_guns(battle, state, id, fx);
        crate::rules::orders::convert(battle, state, fx);
    }
}

/// A body that lost a stand on its way, or was stopped among friends, stands in nobody in the end.
pub fn make_room(battle: &Battle, state: &mut State, id: BodyId) {
    let layout = state.body(id).layout(battle);
    let hidden = |b: &Body| b.marks.unsighted();
    let lies_in_somebody = state.on_table().any(|(other, b)| {
        other != id && !b.marks.has(Marks::ABANDONED) && !hidden(b) && b.layout(battle).overlaps(&layout)
    });
    if lies_in_somebody && !hidden(state.body(id)) {
        state.body_mut(id).pose = crate::rules::rout::nearest_room(battle, state, id, &layout);
    }
}
