//! Chapter 3: strength points, control of Objectives, and what happens whenever a unit changes hex.

use game::log::Kind;
use game::words::does;
use game::{Effects, Entry};
use hexmap::Hex;

use crate::rules::zones::opposite;
use crate::rules::{cavalry, zones};
use crate::setup::battle::Battle;
use crate::state::{Id, NOWHERE, State, Status};

/// An even split (3.3, 6.1.7.f): each of `n` gets the first number, and the second many SPs are odd.
#[must_use]
pub(crate) fn even_split(points: u8, n: u8) -> (u8, u8) {
    (points / n, points % n)
}

/// R23: a change of hex, or removal, ends every approach fire by and at the unit.
pub(crate) fn cancel_approach_fire(battle: &Battle, state: &mut State, id: Id) {
    let hex = state.piece(id).hex;
    state.piece_mut(id).approach = 0;
    if hex == NOWHERE || state.occupant(hex) != id {
        return;
    }
    for (direction, &next) in battle.ground.beyond[hex.index()].iter().enumerate() {
        if next == NOWHERE {
            continue;
        }
        let other = state.occupant(next);
        if other != Id::NONE && other != id {
            state.piece_mut(other).approach &= !(1 << opposite(direction));
        }
    }
}

/// A unit goes from its hex to the next, whatever the reason: control (3.6.b) and horses (11.3.o) follow at once.
pub(crate) fn change_hex(battle: &Battle, state: &mut State, id: Id, to: Hex, fx: &mut impl Effects) {
    cancel_approach_fire(battle, state, id);
    state.lift(id);
    state.put(id, to);
    take_control(battle, state, id, to, fx);
    cavalry::capture_horses_near(battle, state, id, to, fx);
}

/// 3.6.b: an Objective passes to whoever occupies it.
pub(crate) fn take_control(battle: &Battle, state: &mut State, id: Id, hex: Hex, fx: &mut impl Effects) {
    let Some(objective) = battle.victory.objective_at(hex) else { return };
    let side = battle.side(id);
    if state.control[objective] == Some(side) {
        return;
    }
    state.control[objective] = Some(side);
    fx.tell(|| {
        Entry::new(
            Kind::Score,
            does(battle.name(id), &format!("takes {}.", battle.victory.objectives[objective].name)),
        )
        .side(side)
        .rule(cite!("3.6.b"))
        .piece(id.piece())
        .place(battle.place(hex))
    });
}

/// Takes a unit off the map; its zone ends at that instant (3.8.f).
pub(crate) fn remove(battle: &Battle, state: &mut State, id: Id, status: Status) {
    cancel_approach_fire(battle, state, id);
    state.lift(id);
    let piece = state.piece_mut(id);
    piece.status = status;
    piece.hits = 0;
    (piece.was, piece.shot_from, piece.shot_into, piece.extra) = (NOWHERE, 0, 0, 0);
    if state.hand == id {
        state.hand = Id::NONE;
    }
}

/// Marks the enemies whose zones cover a unit that has moved next to them (5.3.h).
pub(crate) fn mark_approach(battle: &Battle, state: &mut State, id: Id, fx: &mut impl Effects) {
    let mask = zones::enemies_over(battle, state, id);
    state.piece_mut(id).approach = mask;
    if mask != 0 {
        let hex = state.piece(id).hex;
        fx.tell(|| {
            let firers = zones::units_in(battle, state, hex, mask);
            let names: Vec<&str> = firers.into_iter().map(|u| battle.name(u)).collect();
            let mut entry = Entry::new(
                Kind::Note,
                does(battle.name(id), &format!("draws the approach fire of {}.", names.join(", "))),
            )
            .side(battle.side(id))
            .rule(cite!("5.3.h"))
            .piece(id.piece());
            entry.pieces.extend(firers.into_iter().map(Id::piece));
            entry.place(battle.place(hex))
        });
    }
}
