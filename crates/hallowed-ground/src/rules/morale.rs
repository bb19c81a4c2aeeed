//! Chapter 11: hits, states, morale tests, Broken brigades and armies.

use arrayvec::ArrayVec;
use game::words::{counted, does, number};
use game::{Effects, Entry, Kind, Side};
use serde::{Deserialize, Serialize};
use table::Side as Edge;

use crate::field::Field;
use crate::rules::charges::contact::disengage;
use crate::rules::formations::ENEMY_NEAR;
use crate::rules::melee::end_bonuses;
use crate::rules::rolls::{Mods, piece, two_dice};
use crate::rules::sequence::Step;
use crate::setup::battle::{Battle, BrigadeId, Flags, MAX_UNITS, Specials, State, UnitId, Whereabouts};

/// What a morale test is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum After {
    Shooting,
    /// Defensive fire on a charger (7.6.c).
    Charge,
    Melee,
}

/// Marks hits; at the Shaken value the unit is Shaken, at the Break value Broken (11.a, 11.c).
pub(crate) fn mark_hits(battle: &Battle, state: &mut State, u: UnitId, hits: u8, fx: &mut impl Effects) {
    if hits == 0 {
        return;
    }
    let (shaken_at, break_at) = battle.unit(u).arm.morale();
    let unit = state.unit_mut(u);
    unit.hits = unit.hits.saturating_add(hits);
    let total = unit.hits;
    let newly_shaken = total >= shaken_at && !unit.shaken;
    unit.shaken |= total >= shaken_at;
    fx.tell(|| {
        let text =
            format!("{} {}, {total} in all.", does(&battle.unit(u).name, "takes"), counted(hits, "hit"));
        let mut entry =
            Entry::new(Kind::Loss, text).side(battle.unit(u).side).piece(piece(u)).rule(cite!("8.6.c"));
        if total >= break_at {
            entry = entry.rule(cite!("11.c"));
        } else if newly_shaken {
            entry = entry.rule(cite!("11.a"));
        }
        entry
    });
}

pub(crate) fn at_break(battle: &Battle, state: &State, u: UnitId) -> bool {
    state.unit(u).hits >= battle.unit(u).arm.morale().1
}

/// Takes a unit that has reached its Break value off at once.
pub(crate) fn break_if_due(battle: &Battle, state: &mut State, u: UnitId, fx: &mut impl Effects) {
    if state.on_table(u) && at_break(battle, state, u) {
        break_unit(battle, state, u, cite!("11.c"), fx);
    }
}

/// Removes a Broken unit; its commanders flee, its brigade and army are looked at anew (11.1.d, 12.1.a, 11.3).
pub(crate) fn break_unit(
    battle: &Battle,
    state: &mut State,
    u: UnitId,
    rule: game::Rule,
    fx: &mut impl Effects,
) {
    if !state.on_table(u) {
        return;
    }
    state.unit_mut(u).place = Whereabouts::Broken;
    let foes: ArrayVec<UnitId, MAX_UNITS> = state.foes(u).map(|(foe, _, _)| foe).collect();
    disengage(state, u);
    end_bonuses(state, foes);
    fx.tell(|| {
        Entry::new(Kind::Gone, does(&battle.unit(u).name, "is Broken."))
            .side(battle.unit(u).side)
            .rule(rule)
            .piece(piece(u))
    });
    for c in battle.all_officers() {
        if state.commanders[c.i()].attached == Some(u) {
            state.commanders[c.i()].attached = None;
            state.agenda.push(Step::Flee { commander: c });
        }
    }
    check_brigade(battle, state, battle.unit(u).brigade, fx);
}

/// Broken infantry and cavalry of a brigade.
pub(crate) fn broken_troops(battle: &Battle, state: &State, b: BrigadeId) -> u8 {
    let lost = |u: &UnitId| {
        let roster = battle.unit(*u);
        roster.brigade == b && !roster.arm.is_artillery() && state.unit(*u).place == Whereabouts::Broken
    };
    battle.all_units().filter(lost).count() as u8
}

/// Do so many Broken troops break a brigade: more than half of those it started with (11.3.a)?
pub(crate) fn breaks_with(battle: &Battle, b: BrigadeId, broken: u8) -> bool {
    let troops = battle.brigade(b).troops;
    troops > 0 && broken > troops / 2
}

/// A brigade breaks when more than half (rounded down) of its troops are Broken; its Shaken units break with it.
pub(crate) fn check_brigade(battle: &Battle, state: &mut State, b: BrigadeId, fx: &mut impl Effects) {
    let brigade = battle.brigade(b);
    let due = breaks_with(battle, b, broken_troops(battle, state, b));
    if !due || state.brigade_broken(b) {
        return;
    }
    state.broken_brigades |= 1 << b.0;
    fx.tell(|| {
        Entry::new(Kind::Loss, format!("{}'s brigade is Broken.", brigade.name))
            .side(brigade.side)
            .rule(cite!("11.3.a"))
    });
    for u in battle.all_units().filter(|u| battle.unit(*u).brigade == b) {
        if state.on_table(u) && state.unit(u).shaken {
            break_unit(battle, state, u, cite!("11.3.b"), fx);
        }
    }
}

/// How many Broken brigades break an army of so many: more than half, rounded up, but never more than all (R90).
pub(crate) const fn army_threshold(brigades: u8) -> u8 {
    let more_than_half = brigades.div_ceil(2) + 1;
    if more_than_half > brigades { brigades } else { more_than_half }
}

pub(crate) fn army_broken(battle: &Battle, state: &State, side: Side) -> bool {
    let counted: Vec<BrigadeId> =
        battle.brigades_of(side).filter(|b| battle.brigade(*b).troops > 0).collect();
    let broken = counted.iter().filter(|b| state.brigade_broken(**b)).count() as u8;
    !counted.is_empty() && broken >= army_threshold(counted.len() as u8)
}

/// The modifiers of a morale test (11.2.c to 11.2.k); the hits are one of them.
pub(crate) fn morale_mods(field: &Field<'_>, u: UnitId) -> Mods {
    let (battle, state) = (field.battle, field.state);
    let (unit, roster) = (state.unit(u), battle.unit(u));
    let break_at = i16::from(roster.arm.morale().1);
    let mut mods = Mods::new();
    mods.when(true, i16::from(unit.hits), "hits", cite!("11.2.k"));
    mods.when(state.has_commander(u), -2, "commander attached", cite!("11.2.c"));
    mods.when(
        2 * i16::from(unit.hits) < break_at,
        -1,
        "fewer hits than half its Break value",
        cite!("11.2.d"),
    );
    mods.when(!unit.shaken, -1, "Steady", cite!("11.2.e"));
    mods.when(roster.specials.has(Specials::ELITE), -1, "Elite", cite!("11.2.f"));
    mods.when(state.brigade_broken(roster.brigade), 1, "brigade Broken", cite!("11.2.g"));
    let threatened = field.enemies(u).any(|e| {
        state.steady(e) && field.rect(u).within(field.rect(e), ENEMY_NEAR) && before_its_eyes(field, u, e)
    });
    mods.when(threatened, 1, "Steady enemy within 6 in and in sight", cite!("11.2.h"));
    let sides = |want: fn(Edge) -> bool| state.foes(u).any(|(_, side, _)| want(side));
    mods.when(sides(Edge::is_flank), 1, "engaged on a flank", cite!("11.2.i"));
    mods.when(sides(|s| s == Edge::Rear), 2, "engaged at the rear", cite!("11.2.j"));
    mods
}

/// In the unit's own sight (R86): an enemy in contact with its front always is, one at its flank or rear never, for that
/// has modifiers of its own.
fn before_its_eyes(field: &Field<'_>, u: UnitId, e: UnitId) -> bool {
    match field.state.foes(u).find(|(v, _, _)| *v == e) {
        Some((_, side, _)) => side == Edge::Front,
        None => field.sees(u, e),
    }
}

/// Rolls the two dice of a test.
pub(crate) fn roll_test(battle: &Battle, state: &State, u: UnitId, fx: &mut impl Effects) -> i16 {
    let mods = morale_mods(&Field::new(battle, state), u);
    two_dice(fx, battle, u, "morale test", &mods, cite!("11.2.b")) + mods.sum()
}

/// What a result means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Result {
    Passed,
    Retires,
    Broken,
}

pub(crate) fn result(battle: &Battle, u: UnitId, total: i16) -> Result {
    let (shaken_at, break_at) = battle.unit(u).arm.morale();
    if total >= i16::from(break_at) {
        Result::Broken
    } else if total >= i16::from(shaken_at) {
        Result::Retires
    } else {
        Result::Passed
    }
}

/// Carries a result out; in a melee a retirer first suffers parting hits and waits for the others (P3).
pub(crate) fn apply(
    battle: &Battle,
    state: &mut State,
    u: UnitId,
    total: i16,
    after: After,
    fx: &mut impl Effects,
) {
    let outcome = result(battle, u, total);
    fx.tell(|| {
        let (word, rule) = match outcome {
            Result::Passed => ("stands", cite!("11.2.n")),
            Result::Retires => ("must retire, Shaken", cite!("11.2.m")),
            Result::Broken => ("breaks", cite!("11.2.l")),
        };
        let (shaken_at, break_at) = battle.unit(u).arm.morale();
        let text = format!(
            "{}: the test comes to {}; {shaken_at} shakes it, {break_at} breaks it.",
            does(&battle.unit(u).name, word),
            number(total)
        );
        Entry::new(Kind::Check, text).side(battle.unit(u).side).rule(rule).piece(piece(u))
    });
    match outcome {
        Result::Passed => {}
        Result::Broken => break_unit(battle, state, u, cite!("11.2.l"), fx),
        Result::Retires => {
            let unit = state.unit_mut(u);
            unit.shaken = true;
            match after {
                After::Melee => unit.flags.set(Flags::TESTED_OUT | Flags::RETIRING),
                After::Shooting | After::Charge => state.agenda.push(Step::Retire { unit: u }),
            }
        }
    }
}
