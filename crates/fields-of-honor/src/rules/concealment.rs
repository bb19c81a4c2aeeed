//! What a side may not know: orders of the enemy, fire not yet shown, and who stands behind a marker.

use game::{BySide, Entry, PieceId, Side};
use table::{Angle, Pose, Spot};

use crate::rules::basics::{Formation, Shape};
use crate::rules::movement::March;
use crate::rules::sequence::Step;
use crate::rules::sighting::is_marker;
use crate::setup::battle::Battle;
use crate::state::{Body, BodyId, Command, Marks, Order, Part, State};

/// The state as a side knows it.
pub(crate) fn seen_by(battle: &Battle, state: &State, side: Side) -> State {
    let mut seen = state.clone();
    let foe = side.enemy();
    for (man, _) in seen.leaders.iter_mut().zip(&battle.leaders).filter(|(_, l)| l.side == foe) {
        man.order = Command::Defend;
        // Off the table, where no real one lies: who defends where he stands keeps that to himself as well.
        man.marker = if battle.on.orders { Spot { y: -1, ..man.at } } else { man.at };
        man.ordered = false;
    }
    if matches!(state.agenda.top(), Some(Step::Declare { .. } | Step::Resolve)) {
        seen.volleys.retain(|v| battle.side_of(state, v.by) == side);
    }
    conceal_markers(battle, &mut seen, foe);
    seen.blind |= battle.unknown(state, side) != 0;
    seen
}

/// The markers of a side in an order that anybody can see: from left to right.
pub(crate) fn markers(battle: &Battle, state: &State, side: Side) -> Vec<BodyId> {
    let all = state.on_table().filter(|(id, b)| battle.side(b) == side && is_marker(state, *id));
    let mut found: Vec<BodyId> = all.map(|(id, _)| id).collect();
    found.sort_by_key(|id| {
        let at = state.body(*id).pose.at;
        (at.x, at.y, *id)
    });
    found
}

/// Puts like markers where the hidden bodies stand, dealt out by their places, so that no number tells who is where.
fn conceal_markers(battle: &Battle, seen: &mut State, foe: Side) {
    let by_place = markers(battle, seen, foe);
    if by_place.is_empty() {
        return;
    }
    let mut by_number = by_place.clone();
    by_number.sort_unstable();
    let stand_in = battle.bmus.iter().position(|b| b.side == foe).unwrap_or(0) as u8;
    let arm = battle.bmus[usize::from(stand_in)].arm;
    let places: Vec<_> = by_place.iter().map(|id| seen.body(*id).pose.at).collect();
    let looked: Vec<bool> = by_place.iter().map(|id| seen.go.looked & id.bit() != 0).collect();
    for ((id, at), looked) in by_number.iter().zip(places).zip(looked) {
        let body = seen.body_mut(*id);
        *body = Body {
            bmu: stand_in,
            part: Part::Main,
            pose: Pose { at, facing: Angle::NORTH },
            shape: Shape::of(Formation::Mob, arm, 1, 1),
            strength: 1,
            lost: 0,
            fresh: 0,
            order: Order::Good,
            marks: Marks::HIDDEN.and(Marks::CONCEALED),
            other: None,
            worst: 0,
            given: 0,
            missed: 0,
            shover: None,
            ..*body
        };
        seen.go.looked = if looked { seen.go.looked | id.bit() } else { seen.go.looked & !id.bit() };
        seen.go.chosen &= !id.bit();
        seen.go.touching &= !id.bit();
        seen.leaders.iter_mut().filter(|l| l.attached == Some(*id)).for_each(|l| l.attached = None);
        seen.bodies.iter_mut().filter(|b| b.other == Some(*id)).for_each(|b| b.other = None);
        if seen.march.unit == Some(*id) {
            seen.march = March::default();
        }
    }
}

/// A marker as a piece of the board: by its place among the markers of its side, never by who it is.
pub(crate) fn marker_piece(battle: &Battle, state: &State, id: BodyId) -> PieceId {
    let side = battle.side_of(state, id);
    let number = markers(battle, state, side).iter().position(|m| *m == id).unwrap_or(0) as u16;
    PieceId(BySide { first: 200, second: 300 }[side] + number)
}

/// An entry about a hidden body is for its own side.
pub(crate) fn if_hidden(battle: &Battle, state: &State, id: BodyId, entry: Entry) -> Entry {
    if is_marker(state, id) { entry.only(battle.side_of(state, id)) } else { entry }
}
