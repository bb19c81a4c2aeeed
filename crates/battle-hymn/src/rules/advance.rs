//! Chapter 8: advance after combat.

use game::log::Kind;
use game::words::does;
use game::{Effects, Entry, Refusal, RollNote};
use hexmap::Hex;

use crate::action::Action;
use crate::legal::Bar;
use crate::rules::basics;
use crate::rules::combat::{army, attacker};
use crate::rules::movement::column_now;
use crate::rules::zones::{arm_now, directions};
use crate::setup::battle::Battle;
use crate::setup::ground::CLOSED;
use crate::setup::pieces::Arm;
use crate::state::{Id, NOWHERE, State, UnitSet};

/// Whether a unit fired into a hex in this Round.
fn fired_into(battle: &Battle, state: &State, unit: Id, hex: Hex) -> bool {
    let piece = state.piece(unit);
    piece.was != NOWHERE
        && directions(piece.shot_into).any(|d| battle.ground.beyond[piece.was.index()][d] == hex)
}

/// Whether a unit fired from next to a hex and has gone from there since, wherever it is now.
fn has_left(battle: &Battle, state: &State, unit: Id, hex: Hex) -> bool {
    let piece = state.piece(unit);
    piece.was != NOWHERE
        && piece.hex != piece.was
        && !state.advanced_now.contains(unit)
        && battle.ground.direction(piece.was, hex).is_some()
}

/// `advance`.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check(battle: &Battle, state: &State, unit: Id, to: Hex) -> Result<(), Bar> {
    match arm_now(battle, state, unit) {
        Arm::Artillery => return Err(Bar::new("Artillery does not advance.", cite!("11.1.c"))),
        Arm::HorseArtillery => return Err(Bar::new("Horse artillery does not advance.", cite!("11.2.d"))),
        Arm::Infantry | Arm::Cavalry => {}
    }
    if state.screened.contains(to) {
        return Err(Bar::new("Cavalry that slipped away screens it.", cite!("6.1.1.d")));
    }
    let piece = state.piece(unit);
    if piece.on_map() && has_left(battle, state, unit, to) {
        return Err(Bar::new(
            "It fell back in this fight; only a unit that stayed next to the hex may advance.",
            cite!("8.a"),
        ));
    }
    if !piece.on_map() || battle.side(unit) != attacker(state) || !fired_into(battle, state, unit, to) {
        return Err(Bar::new(
            "Only an attacker that has just fired into the hex may advance there.",
            cite!("8.1.a"),
        ));
    }
    if state.advanced_now.contains(unit) {
        return Err(Bar::new("It has advanced in this Round.", cite!("8.1.a")));
    }
    if state.at(to).is_some() {
        return Err(Bar::new("The hex has not been vacated.", cite!("8.a")));
    }
    let Some(direction) = battle.ground.direction(piece.hex, to) else {
        return Err(Bar::new("It is no longer next to the hex.", cite!("8.a")));
    };
    if battle.ground.costs[column_now(battle, state, unit) as usize][piece.hex.index()][direction] == CLOSED {
        return Err(Bar::new("The ground is closed to it.", cite!("5.2.e")));
    }
    Ok(())
}

/// Every advance that is open.
pub(crate) fn open<'a>(battle: &'a Battle, state: &'a State) -> impl Iterator<Item = (Id, Hex)> + 'a {
    let units = army(battle, state, attacker(state)).without(state.advanced_now);
    units.into_iter().flat_map(move |unit| {
        let piece = *state.piece(unit);
        directions(piece.shot_into)
            .map(move |d| battle.ground.beyond[piece.was.index()][d])
            .filter(move |&to| check(battle, state, unit, to).is_ok())
            .map(move |to| (unit, to))
    })
}

/// The units that could advance into a hex.
fn candidates(battle: &Battle, state: &State, to: Hex) -> UnitSet {
    open(battle, state).filter(|&(_, hex)| hex == to).map(|(unit, _)| unit).collect()
}

/// With At Random on, a hex several units could enter is chosen without the unit (3.1.f).
#[must_use]
pub(crate) fn left_to_chance(battle: &Battle, state: &State, to: Hex) -> bool {
    battle.house.at_random && candidates(battle, state, to).len() > 1
}

pub(crate) fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    for (unit, to) in open(battle, state) {
        let action = match left_to_chance(battle, state, to) {
            true => Action::AdvanceInto { to },
            false => Action::Advance { unit, to },
        };
        if !out.contains(&action) {
            out.push(action);
        }
    }
    out.push(Action::Pass);
}

/// `advance HEX`.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check_into(battle: &Battle, state: &State, to: Hex) -> Result<(), Refusal> {
    if left_to_chance(battle, state, to) {
        return Ok(());
    }
    let what = format!("Nobody is drawn to advance to {}.", battle.ground.name(to));
    Err(Refusal::new(what, "Name the unit that advances.", cite!("3.1.f")))
}

pub(crate) fn advance_at_random(battle: &Battle, state: &mut State, to: Hex, fx: &mut impl Effects) {
    let units = candidates(battle, state, to);
    let drawn = match units.len() {
        0 | 1 => 0,
        n => fx.draw(n, || {
            RollNote::new(format!("Who advances to {}", battle.ground.name(to)), cite!("3.1.f"))
                .side(attacker(state))
                .outcomes(units.into_iter().map(|u| battle.name(u)))
        }),
    };
    if let Some(unit) = units.into_iter().nth(drawn) {
        advance(battle, state, unit, to, fx);
    }
}

/// 8.1.b: not movement; zones do not matter, and no approach fire follows.
pub(crate) fn advance(battle: &Battle, state: &mut State, unit: Id, to: Hex, fx: &mut impl Effects) {
    let from = state.piece(unit).hex;
    // R26: an advance after approach fire does not spare the unit the retreat at the end.
    if state.round > 0 {
        state.advanced.insert(unit);
    }
    state.advanced_now.insert(unit);
    fx.tell(|| {
        Entry::new(
            Kind::Advance,
            format!("{} {}.", does(battle.name(unit), "advances to"), battle.ground.name(to)),
        )
        .side(battle.side(unit))
        .rule(cite!("8.1.a"))
        .piece(unit.piece())
        .place(battle.place(from))
        .place(battle.place(to))
    });
    basics::change_hex(battle, state, unit, to, fx);
}
