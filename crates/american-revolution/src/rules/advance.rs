//! 12.23, step 9: advance after combat, and the capture of guns that defend alone (12.3).

use arrayvec::ArrayVec;
use game::words::does;
use game::{Effects, Entry, Kind, Place};
use hexmap::Hex;

use crate::action::Action;
use crate::legal::{Bar, Lawful};
use crate::rules::close_combat::{is_barred, may_lead};
use crate::rules::{how_to_win, leaders, pins, results, retreat};
use crate::setup::battle::Battle;
use crate::setup::pieces::Piece;
use crate::state::State;

/// Whether a defending hex is open to the advance: vacant, or with nothing but guns that were alone from the start.
fn is_open_hex(battle: &Battle, state: &State, hex: Hex) -> bool {
    let left = state.units_in(battle, hex, !state.phasing);
    left.is_empty() || state.fight.guns && left.within(state.fight.defenders & battle.roles.artillery)
}

/// Whether a unit may advance into that hex now (12.23.s to 12.23.u).
pub(crate) fn may_advance(battle: &Battle, state: &State, unit: Piece, to: Hex) -> Lawful {
    let fight = &state.fight;
    if !fight.attackers.has(unit) || state.hex(unit).is_none() {
        return Err(Bar::new(
            cite!("12.23.u"),
            "only attacking units that took part advance, never artillery, never the defender",
        ));
    }
    if fight.retreated.has(unit) {
        return Err(Bar::new(cite!("12.23.t"), "it retreated in this combat"));
    }
    if fight.advanced.has(unit) {
        return Err(Bar::new(cite!("12.23.t"), "it has advanced already"));
    }
    if !fight.defending_hexes().any(|hex| hex == to) || !is_open_hex(battle, state, to) {
        return Err(Bar::new(cite!("12.23.s"), "the hex is not one that the defender has left vacant"));
    }
    let Some(from) = state.hex(unit) else { return Err(Bar::other("it is not on the map")) };
    if !battle.ground.may_enter(battle.counter(unit).arm, from, to) {
        return Err(Bar::new(cite!("12.23.g"), "the terrain is prohibited to it"));
    }
    if !crate::rules::stacking::has_room(battle, state, unit, false, to) {
        return Err(Bar::new(cite!("12.23.t"), "the hex would be over the stacking limit"));
    }
    let guns_there = state.units_in(battle, to, !state.phasing).meets(battle.roles.artillery);
    // Where all are barred one of them leads all the same, but takes no guns.
    let leads = fight.lead[state.phasing] == Some(unit) && !is_barred(battle, fight.attackers, unit);
    let fit = leads || may_lead(battle, state, state.phasing, unit).is_ok();
    if guns_there && !fit {
        return Err(Bar::new(cite!("12.32.a"), "a unit that could not lead cannot take guns"));
    }
    lead_first(battle, state, unit)
}

/// Nobody goes before the lead unit if that can go (12.23.s).
fn lead_first(battle: &Battle, state: &State, unit: Piece) -> Lawful {
    match state.fight.lead[state.phasing] {
        Some(lead) if lead != unit && must_advance(battle, state) => {
            Err(Bar::new(cite!("12.23.s"), "the lead unit must advance first"))
        }
        _ => Ok(()),
    }
}

/// Whether the lead unit still has to advance.
#[must_use]
pub fn must_advance(battle: &Battle, state: &State) -> bool {
    let Some(lead) = state.fight.lead[state.phasing] else { return false };
    state.fight.advanced.is_empty()
        && state.fight.defending_hexes().any(|hex| may_advance(battle, state, lead, hex).is_ok())
}

pub(crate) fn offers_advance(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    let hexes: ArrayVec<Hex, 12> = state.fight.defending_hexes().collect();
    for unit in state.fight.attackers & state.on_map() {
        for &to in &hexes {
            if may_advance(battle, state, unit, to).is_ok() {
                out.push(Action::Advance { unit, to });
            }
        }
    }
    if !must_advance(battle, state) {
        out.push(Action::Done);
    }
}

pub(crate) fn check_advance(battle: &Battle, state: &State, action: &Action) -> Lawful {
    match *action {
        Action::Advance { unit, to } => may_advance(battle, state, unit, to),
        Action::Done if must_advance(battle, state) => {
            let rule = if state.fight.guns { cite!("12.32.b") } else { cite!("12.23.s") };
            Err(Bar::new(rule, "the defender's hex is vacant: the lead unit must advance into it"))
        }
        Action::Done => Ok(()),
        _ => Err(Bar::other("the attacker advances after combat")),
    }
}

pub(crate) fn step_advancing(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    let hexes: ArrayVec<Hex, 12> =
        state.fight.defending_hexes().filter(|&hex| is_open_hex(battle, state, hex)).collect();
    let mut first = None;
    let mut several = false;
    for unit in state.fight.attackers & state.on_map() {
        for &to in &hexes {
            if may_advance(battle, state, unit, to).is_ok() {
                several |= first.is_some();
                first = first.or(Some((unit, to)));
            }
        }
    }
    match first {
        None => {
            state.agenda.pop();
            true
        }
        Some((unit, to)) if !several && must_advance(battle, state) => {
            advance(battle, state, unit, to, fx);
            true
        }
        _ => false,
    }
}

pub(crate) fn advance(battle: &Battle, state: &mut State, unit: Piece, to: Hex, fx: &mut impl Effects) {
    let Some(from) = state.hex(unit) else { return };
    let side = state.phasing;
    state.fight.advanced.add(unit);
    state.place(unit, to);
    pins::forget(battle, state, unit);
    fx.tell(|| {
        Entry::new(
            Kind::Advance,
            format!("{} {}.", does(&battle.counter(unit).name, "advances to"), battle.hex_name(to)),
        )
        .side(side)
        .rule(cite!("12.23.s"))
        .piece(unit.id())
        .place(Place::Hex(battle.hex_name(from)))
        .place(Place::Hex(battle.hex_name(to)))
    });
    for gun in state.units_in(battle, to, !side) {
        results::capture(battle, state, gun, cite!("12.32.b"), fx);
    }
    if state.ending.is_some() {
        return;
    }
    leaders::capture_lone(battle, state, unit, to, fx);
    how_to_win::take_hold(battle, state, unit, to, fx);
    if state.ending.is_none() {
        retreat::ask_leaders(battle, state, side, from, to);
    }
}
