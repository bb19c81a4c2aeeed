//! 9.3, 9.6 and 13.1 PIN: pinned combats are kept or broken whole.

use arrayvec::ArrayVec;
use game::words::side_does;
use game::{Effects, Entry, Kind};
use hexmap::Hex;

use crate::legal::{Bar, Lawful};
use crate::rules::{army_morale, movement, zones};
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Pin, Spot, State};

/// Whether a pin of this player turn holds the piece.
#[must_use]
pub fn is_pinned(state: &State, piece: Piece) -> bool {
    state.pins.iter().any(|pin| pin.pieces.has(piece))
}

/// Everybody who is pinned.
#[must_use]
pub fn pinned(state: &State) -> Pieces {
    state.pins.iter().fold(Pieces::NONE, |all, pin| all | pin.pieces)
}

/// The phasing player's combat units of a pin.
#[must_use]
pub fn holders(battle: &Battle, state: &State, pin: &Pin) -> Pieces {
    pin.pieces & battle.units[state.phasing]
}

/// The enemy combat units of a pin.
#[must_use]
pub fn held(battle: &Battle, state: &State, pin: &Pin) -> Pieces {
    pin.pieces & battle.units[!state.phasing]
}

/// The phasing units that must still get away because the breaking of their pin has begun (R16, R17).
#[must_use]
pub fn must_follow(battle: &Battle, state: &State) -> Pieces {
    let broken = state.pins.iter().filter(|pin| pin.broken);
    broken.fold(Pieces::NONE, |all, pin| all | holders(battle, state, pin)) - state.moved
}

/// While a pin is half broken nobody else moves, so that the rest can still get away.
pub(crate) fn may_move_now(battle: &Battle, state: &State, piece: Piece) -> Lawful {
    if state.pins.is_empty() {
        return Ok(());
    }
    let rest = must_follow(battle, state);
    if !rest.is_empty() && !rest.has(piece) && !battle.all_leaders().has(piece) {
        return Err(Bar::new(cite!("13.1.r"), "a pin is being broken: its other units must get away first"));
    }
    Ok(())
}

/// Whether a march may end there as far as pins go.
pub(crate) fn may_end(battle: &Battle, state: &State, piece: Piece, to: Hex, near: bool) -> Lawful {
    if battle.all_leaders().has(piece) {
        return Ok(());
    }
    if is_pinned(state, piece) {
        if near {
            return Err(Bar::new(
                cite!("9.3.c"),
                "a pinned unit may move only to where no enemy unit is adjacent",
            ));
        }
        return may_break(battle, state, piece, to);
    }
    let left_behind = state
        .pins
        .iter()
        .filter(|pin| pin.broken)
        .any(|pin| next_to(battle, state, held(battle, state, pin), to));
    if left_behind {
        return Err(Bar::new(
            cite!("13.1.r"),
            "the pin on that enemy was broken: no other unit may move next to him",
        ));
    }
    Ok(())
}

fn next_to(battle: &Battle, state: &State, units: Pieces, hex: Hex) -> bool {
    let mut units = units;
    units.any(|unit| state.hex(unit).is_some_and(|at| battle.ground.adjacent(at, hex)))
}

/// The pins that break when `piece` moves: its own, and those of everybody who must then go too (R17).
fn chain(battle: &Battle, state: &State, piece: Piece) -> Pieces {
    let mut all = Pieces::one(piece);
    loop {
        let grown = state
            .pins
            .iter()
            .map(|pin| holders(battle, state, pin))
            .filter(|own| own.meets(all))
            .fold(all, |sum, own| sum | own);
        if grown == all {
            return all;
        }
        all = grown;
    }
}

fn may_break(battle: &Battle, state: &State, piece: Piece, to: Hex) -> Lawful {
    let all = chain(battle, state, piece);
    for pin in state.pins.iter().filter(|pin| pin.pieces.meets(all)) {
        let enemies = held(battle, state, pin);
        let mut others = (battle.units[state.phasing] & state.moved) - pin.pieces;
        if others.any(|u| state.hex(u).is_some_and(|hex| next_to(battle, state, enemies, hex))) {
            return Err(Bar::new(
                cite!("13.1.r"),
                "another unit has moved next to the pinned enemy, so the pin has to be kept",
            ));
        }
    }
    let rest = (all - state.moved).without(piece);
    if rest.is_empty() {
        return Ok(());
    }
    let mut tried = 0;
    let mut after = state.clone();
    after.place(piece, to);
    after.moved.add(piece);
    if !anybody_stuck(battle, state, rest.with(piece), rest)
        && can_all_leave(battle, &after, rest, &mut tried)
    {
        return Ok(());
    }
    Err(Bar::new(
        cite!("13.1.r"),
        "a pin is broken whole: the other pinned units could not get away from the enemy",
    ))
}

/// Whether one of these units could not get away even if all the others who leave were gone: whoever has no way out
/// alone has none in company, which spares most of the search.
fn anybody_stuck(battle: &Battle, state: &State, leaving: Pieces, rest: Pieces) -> bool {
    let mut empty = state.clone();
    empty.pins.clear();
    for unit in leaving {
        empty.at[unit.index()] = Spot::GONE;
    }
    let mut rest = rest;
    rest.any(|unit| {
        empty.at[unit.index()] = state.at[unit.index()];
        let stuck = ways_out(battle, &empty, unit).is_empty();
        empty.at[unit.index()] = Spot::GONE;
        stuck
    })
}

/// The hexes without an enemy beside them that a unit can march to.
fn ways_out(battle: &Battle, state: &State, unit: Piece) -> ArrayVec<Hex, 64> {
    let mut ways = ArrayVec::new();
    movement::reach(battle, state, unit, |hex, _, _| {
        let clear = zones::beside(battle, state, !state.phasing, hex).is_empty();
        if clear && !ways.is_full() {
            ways.push(hex);
        }
    });
    ways
}

/// Whether these units can march away one after the other; gives up after many tries.
fn can_all_leave(battle: &Battle, state: &State, rest: Pieces, tried: &mut u32) -> bool {
    let Some(next) = rest.first() else { return true };
    *tried += 1;
    if *tried > 200 {
        return false;
    }
    // The pins themselves are no bar to those who break them.
    let mut free = state.clone();
    free.pins.clear();
    ways_out(battle, &free, next).iter().any(|&hex| {
        let mut after = free.clone();
        after.place(next, hex);
        after.moved.add(next);
        can_all_leave(battle, &after, rest.without(next), tried)
    })
}

/// Notes that a piece leaves its pins.
pub(crate) fn on_march(battle: &Battle, state: &mut State, piece: Piece) {
    let leader = battle.all_leaders().has(piece);
    let all = if leader { Pieces::NONE } else { chain(battle, state, piece) };
    for pin in &mut state.pins {
        if leader && pin.pieces.has(piece) {
            pin.left = true;
            pin.pieces.drop(piece);
        } else if pin.pieces.meets(all) {
            pin.broken = true;
        }
    }
}

/// Drops a piece from every pin: driven off, disrupted or moved by a combat (R18). A pin that has nobody left on one
/// side lapses for everybody (13.1.p, R14).
pub(crate) fn forget(battle: &Battle, state: &mut State, piece: Piece) {
    for pin in &mut state.pins {
        pin.pieces.drop(piece);
    }
    drop_one_sided(battle, state);
}

fn drop_one_sided(battle: &Battle, state: &mut State) {
    state.pins.retain(|pin| has_both_sides(battle, pin.pieces));
}

/// Whether combat units of both sides are among them: it takes two to be pinned.
pub(crate) fn has_both_sides(battle: &Battle, pieces: Pieces) -> bool {
    pieces.meets(battle.units.first) && pieces.meets(battle.units.second)
}

pub(crate) fn may_finish(battle: &Battle, state: &State) -> Lawful {
    let mut rest = must_follow(battle, state);
    // Under limited intelligence the way out may prove to be shut.
    let stuck = |unit: Piece| ways_out(battle, state, unit).is_empty();
    if rest.is_empty() || battle.armies[state.phasing].limited && rest.all(stuck) {
        return Ok(());
    }
    Err(Bar::new(cite!("13.1.r"), "a pin is broken whole: its other units must move away too"))
}

/// When all movement is done: broken pins are paid for, and markers come off whoever has no enemy beside him (9.6).
pub(crate) fn lift(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let side = state.phasing;
    let paid = state.pins.iter().filter(|pin| pin.broken || pin.left).count();
    for _ in 0..paid {
        fx.tell(|| {
            Entry::new(Kind::Note, side_does(&battle.armies[side].name, "breaks a pin."))
                .side(side)
                .rule(cite!("9.6.b"))
        });
        army_morale::adjust(battle, state, side, battle.charts.change.pin_broken, fx);
        if state.ending.is_some() {
            return;
        }
    }
    let mut pins = std::mem::take(&mut state.pins);
    for pin in &mut pins {
        // A broken pin is off for both sides (13.1.v).
        if pin.broken {
            pin.pieces = Pieces::NONE;
        }
        pin.left = false;
        let apart = pin.pieces.filter(|&p| {
            state.hex(p).is_none_or(|hex| zones::beside(battle, state, !battle.side(p), hex).is_empty())
        });
        pin.pieces -= apart.collect();
    }
    state.pins = pins;
    drop_one_sided(battle, state);
}

/// The pins that bind the phasing player in his close combat phase: units of both sides are left in them.
#[must_use]
pub fn binding(battle: &Battle, state: &State) -> ArrayVec<(Pieces, Pieces), { crate::state::UNITS }> {
    state
        .pins
        .iter()
        .map(|pin| (holders(battle, state, pin), held(battle, state, pin)))
        .filter(|(own, enemy)| !own.is_empty() && !enemy.is_empty())
        .collect()
}

/// Records a PIN result: every piece in the hexes of the combat (R14). Where one side was captured to a man nobody is
/// pinned.
pub(crate) fn record(battle: &Battle, state: &mut State, pieces: Pieces, fx: &mut impl Effects) {
    if has_both_sides(battle, pieces)
        && state.pins.try_push(Pin { pieces, broken: false, left: false }).is_ok()
    {
        fx.tell(|| {
            let mut entry = Entry::new(Kind::Note, "The combatants are pinned.").rule(cite!("13.1.p"));
            entry.pieces.extend((pieces & battle.all_units()).map(Piece::id));
            entry
        });
    }
}

/// How many pinned combats those units break by withdrawing: the pins they were in when the combats were announced (R20).
#[must_use]
pub fn breaks_on_withdrawal(state: &State, units: Pieces) -> usize {
    state.were_pinned.iter().filter(|pin| pin.meets(units)).count()
}

/// Once all close combats are announced every pin marker comes off (12.22.a); who was pinned is remembered (R20).
pub(crate) fn remove_all(battle: &Battle, state: &mut State) {
    state.were_pinned = state.pins.iter().map(|pin| pin.pieces & battle.all_units()).collect();
    state.pins.clear();
}
