//! Chapter 9: a round of melee, from counting dice to breakthrough, recoil and consolidation (procedure P3).

pub(crate) mod aftermath;

use arrayvec::ArrayVec;
use game::words::{counted, side_does};
use game::{BySide, Effects, Entry, Kind, Side};
use serde::{Deserialize, Serialize};
use table::Side as Edge;

use crate::field::Field;
use crate::rules::charges::contact::is_defending;
use crate::rules::charges::{at, on};
use crate::rules::formations::Formation;
use crate::rules::morale::{break_if_due, break_unit, mark_hits};
use crate::rules::rolls::{Mods, piece};
use crate::rules::sequence::Step;
use crate::rules::shooting::score_needed;
use crate::setup::battle::{Battle, Flags, Marker, State, UnitId, stat_of};

/// Dice of one unit at one enemy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Share {
    pub by: UnitId,
    pub at: UnitId,
    pub dice: u8,
}

/// The melee being fought.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Melee {
    pub units: ArrayVec<UnitId, 16>,
    pub shares: ArrayVec<Share, 32>,
    pub hits: BySide<u8>,
    pub winner: Option<Side>,
    /// Fought at once after a breakthrough; no second one follows.
    pub breakthrough: bool,
    /// Who charged or countercharged into this round, one bit each.
    pub charged: u64,
    /// Who has retired or been Broken in this round.
    pub gone: u64,
}

impl Melee {
    pub const fn is_gone(&self, u: UnitId) -> bool {
        self.gone & (1 << u.0) != 0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MeleeStep {
    /// Odd dice are placed by their owner.
    Split,
    Roll,
    /// Losers test, in their owner's order.
    Tests,
    Parting,
    /// Those who must retire do so, in their owner's order, the active side first; those who tested go before those
    /// whom their hits have Shaken.
    Retires,
    After,
    /// The winner may break through.
    Breakthrough,
    /// The melee at the end of a breakthrough.
    AfterBreakthrough {
        target: UnitId,
    },
    Consolidate,
}

/// Limbered guns in contact are destroyed at the start of the phase (7.7.a, R81).
pub(crate) fn destroy_limbered(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for u in battle.all_units() {
        if state.on_table(u) && state.engaged(u) && state.unit(u).formation == Formation::Limbered {
            break_unit(battle, state, u, cite!("7.7.a"), fx);
        }
    }
}

/// What a charge or a won round gives ends with the melee it was gained in: who is in none has nothing of it (9.2.d,
/// 9.2.f, R71).
pub(crate) fn end_bonuses(state: &mut State, units: impl IntoIterator<Item = UnitId>) {
    for u in units {
        if !state.engaged(u) {
            state.unit_mut(u).flags.clear(Flags::WON | Flags::IMPETUS | Flags::DIFFICULT);
        }
    }
}

/// The melees not yet fought in this phase, each by its first unit: connected components of contact (R69).
pub(crate) fn unfought(battle: &Battle, state: &State) -> ArrayVec<UnitId, 16> {
    let mut heads = ArrayVec::new();
    let mut seen = 0u64;
    for u in battle.all_units() {
        if !state.on_table(u) || !state.engaged(u) || seen & (1 << u.0) != 0 {
            continue;
        }
        let group = component(state, u);
        for v in &group {
            seen |= 1 << v.0;
        }
        if group.iter().any(|v| !state.unit(*v).flags.has(Flags::FOUGHT)) {
            let _ = heads.try_push(u);
        }
    }
    heads
}

/// All units connected with one by contact.
pub(crate) fn component(state: &State, u: UnitId) -> ArrayVec<UnitId, 16> {
    let mut group = ArrayVec::new();
    group.push(u);
    let mut i = 0;
    while i < group.len() {
        for (foe, _, _) in state.foes(group[i]) {
            if !group.contains(&foe) {
                let _ = group.try_push(foe);
            }
        }
        i += 1;
    }
    group.sort_unstable();
    group
}

/// Begins a round among these units.
pub(crate) fn begin(
    battle: &Battle,
    state: &mut State,
    units: ArrayVec<UnitId, 16>,
    breakthrough: bool,
    fx: &mut impl Effects,
) {
    fx.tell(|| {
        let names: Vec<&str> = units.iter().map(|u| battle.unit(*u).name.as_str()).collect();
        let mut entry = Entry::new(Kind::Melee, format!("Melee: {}.", names.join(", "))).rule(cite!("9.a"));
        for u in &units {
            entry = entry.piece(piece(*u));
        }
        entry
    });
    let mut melee = Melee {
        units,
        shares: ArrayVec::new(),
        hits: BySide::default(),
        winner: None,
        breakthrough,
        charged: 0,
        gone: 0,
    };
    for u in melee.units.clone() {
        let unit = state.unit_mut(u);
        unit.flags.set(Flags::FOUGHT);
        if unit.flags.has(Flags::IMPETUS) {
            melee.charged |= 1 << u.0;
        }
    }
    share_out(battle, state, &mut melee);
    state.melee = Some(melee);
    state.agenda.push(Step::Melee(MeleeStep::Split));
}

/// Melee dice of a unit before they are split (9.1, R70).
pub(crate) fn dice(battle: &Battle, state: &State, u: UnitId) -> u8 {
    let mut dice = stat_of(battle, state, u).melee;
    if state.unit(u).shaken {
        dice = dice.div_ceil(2);
    }
    dice += state.attached(u).count() as u8;
    let fights = |want: fn(Edge) -> bool| state.foes(u).any(|(_, side, _)| want(side));
    if fights(Edge::is_flank) {
        dice = dice.saturating_sub(1);
    }
    if fights(|s| s == Edge::Rear) {
        dice = dice.saturating_sub(2);
    }
    dice.max(1)
}

/// The active side's units first, in unit order, then the others (G27).
fn in_order(battle: &Battle, state: &State, units: &[UnitId]) -> ArrayVec<UnitId, 16> {
    let mut out: ArrayVec<UnitId, 16> = units.iter().copied().collect();
    out.sort_by_key(|u| (battle.unit(*u).side != state.active, *u));
    out
}

/// Splits dice evenly between enemies; what is odd waits for the owner (9.c).
fn share_out(battle: &Battle, state: &State, melee: &mut Melee) {
    for u in in_order(battle, state, &melee.units) {
        let foes: ArrayVec<UnitId, 16> =
            state.foes(u).map(|(f, _, _)| f).filter(|f| melee.units.contains(f)).take(16).collect();
        if foes.is_empty() {
            continue;
        }
        let dice = dice(battle, state, u);
        for f in &foes {
            let _ = melee.shares.try_push(Share { by: u, at: *f, dice: dice / foes.len() as u8 });
        }
    }
}

/// The next unit with dice still to be placed, and the enemies among whom its owner chooses.
pub(crate) fn odd_dice(battle: &Battle, state: &State) -> Option<(UnitId, ArrayVec<UnitId, 16>)> {
    let melee = state.melee.as_ref()?;
    for u in in_order(battle, state, &melee.units) {
        let mine: ArrayVec<&Share, 16> = melee.shares.iter().filter(|s| s.by == u).take(16).collect();
        let placed: u8 = mine.iter().map(|s| s.dice).sum();
        if !mine.is_empty() && placed < dice(battle, state, u) {
            return Some((u, mine.iter().map(|s| s.at).collect()));
        }
    }
    None
}

pub(crate) fn place_odd_die(state: &mut State, by: UnitId, at: UnitId) {
    if let Some(melee) = &mut state.melee
        && let Some(share) = melee.shares.iter_mut().find(|s| s.by == by && s.at == at)
    {
        share.dice += 1;
    }
}

/// The modifiers of one unit against one enemy (9.2).
pub(crate) fn melee_mods(state: &State, u: UnitId, foe: UnitId) -> Mods {
    let flags = state.unit(u).flags;
    let struck = state.foes(u).find(|(f, _, _)| *f == foe).map(|(_, _, theirs)| theirs);
    let mut mods = Mods::new();
    mods.when(struck == Some(Edge::Rear), 2, "against the enemy's rear", cite!("9.2.b"));
    mods.when(struck.is_some_and(Edge::is_flank), 1, "against the enemy's flank", cite!("9.2.c"));
    let impetus = flags.has(Flags::IMPETUS) || flags.has(Flags::WON);
    mods.when(impetus, 1, "charged, or won the last round", cite!("9.2.d"));
    mods.when(is_defending(state, u, foe), 1, "defends an obstacle", cite!("9.2.e"));
    mods.when(flags.has(Flags::DIFFICULT), -1, "charged through difficult terrain", cite!("9.2.f"));
    mods.when(state.unit(u).shaken, -2, "Shaken", cite!("9.2.g"));
    mods
}

fn next(state: &mut State, step: MeleeStep) {
    state.agenda.replace(Step::Melee(step));
}

/// Runs a step that needs no decision.
pub(crate) fn run(battle: &Battle, state: &mut State, step: MeleeStep, fx: &mut impl Effects) {
    match step {
        MeleeStep::Split => next(state, MeleeStep::Roll),
        MeleeStep::Roll => roll(battle, state, fx),
        MeleeStep::Tests => next(state, MeleeStep::Parting),
        MeleeStep::Parting => parting_hits(battle, state, fx),
        MeleeStep::Retires => next(state, MeleeStep::After),
        MeleeStep::After => crate::rules::melee::aftermath::after(battle, state, fx),
        // The winner is asked.
        MeleeStep::Breakthrough => {}
        MeleeStep::AfterBreakthrough { target } => after_breakthrough(battle, state, target, fx),
        MeleeStep::Consolidate => crate::rules::melee::aftermath::consolidate(battle, state, fx),
    }
}

/// Both sides roll; hits are marked together; the side with more of them has won (9.3, R74, R76).
fn roll(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let Some(mut melee) = state.melee.clone() else {
        state.agenda.pop();
        return;
    };
    next(state, MeleeStep::Tests);
    let mut struck: ArrayVec<(UnitId, u8), 32> = ArrayVec::new();
    for share in melee.shares.iter().filter(|s| s.dice > 0) {
        let mods = melee_mods(state, share.by, share.at);
        let (need, halved) = score_needed(4, mods.sum());
        let dice = if halved { share.dice.div_ceil(2) } else { share.dice };
        let note = || at(battle, share.by, share.at, "fights", cite!("9.2.a")).modifiers(mods.list());
        let hits = fx.count(dice, on(need), note);
        melee.hits[battle.unit(share.by).side] += hits;
        struck.push((share.at, hits));
    }
    melee.winner = match melee.hits.first.cmp(&melee.hits.second) {
        std::cmp::Ordering::Greater => Some(Side::First),
        std::cmp::Ordering::Less => Some(Side::Second),
        std::cmp::Ordering::Equal => None,
    };
    let (winner, units) = (melee.winner, melee.units.clone());
    fx.tell(|| {
        let text = match winner {
            Some(side) => format!(
                "{}, {} to {}.",
                side_does(&battle.armies[side].name, "wins the round"),
                counted(melee.hits[side], "hit"),
                melee.hits[!side]
            ),
            None => format!("The round is drawn at {} each.", counted(melee.hits.first, "hit")),
        };
        let rule = if winner.is_some() { cite!("9.3.a") } else { cite!("9.3.c") };
        Entry::new(Kind::Melee, text).rule(rule)
    });
    for u in &units {
        let unit = state.unit_mut(*u);
        // A charger that came in Shaken (R59) leaves after this round; so does everyone whom it makes Shaken.
        if unit.shaken && unit.flags.has(Flags::IMPETUS) {
            unit.flags.set(Flags::RETIRING);
        }
        unit.flags.clear(Flags::WON | Flags::IMPETUS | Flags::DIFFICULT);
    }
    state.melee = Some(melee);
    for (u, hits) in struck {
        let before = state.unit(u).shaken;
        mark_hits(battle, state, u, hits, fx);
        if state.unit(u).shaken && !before {
            state.unit_mut(u).flags.set(Flags::RETIRING);
        }
    }
    for u in &units {
        break_if_due(battle, state, *u, fx);
    }
    let Some(winner) = winner else { return };
    for u in units {
        if state.on_table(u) && battle.unit(u).side != winner {
            state.unit_mut(u).flags.set(Flags::LOSER);
        } else if state.on_table(u) {
            state.unit_mut(u).flags.set(Flags::WON);
        }
    }
}

/// Units of the melee with this flag, of one side at a time, the active side first.
pub(crate) fn flagged(battle: &Battle, state: &State, flag: u16) -> ArrayVec<UnitId, 16> {
    let Some(melee) = &state.melee else { return ArrayVec::new() };
    let all = in_order(battle, state, &melee.units);
    let due: ArrayVec<UnitId, 16> =
        all.into_iter().filter(|u| state.on_table(*u) && state.unit(*u).flags.has(flag)).collect();
    let Some(first) = due.first().map(|u| battle.unit(*u).side) else { return due };
    due.into_iter().filter(|u| battle.unit(*u).side == first).collect()
}

/// Who must retire next: those whose test says so before those whom their hits have Shaken (P3, step 6).
pub(crate) fn retirers(battle: &Battle, state: &State) -> ArrayVec<UnitId, 16> {
    let tested = flagged(battle, state, Flags::TESTED_OUT);
    if tested.is_empty() { flagged(battle, state, Flags::RETIRING) } else { tested }
}

/// Each enemy in contact with a unit that its test makes retire rolls one die (9.4, R75).
fn parting_hits(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    next(state, MeleeStep::Retires);
    let Some(melee) = state.melee.clone() else { return };
    for u in in_order(battle, state, &melee.units) {
        if !state.unit(u).flags.has(Flags::TESTED_OUT) {
            continue;
        }
        let foes: ArrayVec<UnitId, 16> = state.foes(u).map(|(f, _, _)| f).take(16).collect();
        let mut hits = 0;
        for foe in foes {
            let note = || at(battle, foe, u, "strikes at the back of", cite!("9.4.a"));
            hits += u8::from(fx.passes(on(3), note));
        }
        mark_hits(battle, state, u, hits, fx);
        break_if_due(battle, state, u, fx);
    }
}

/// A melee at once between those who broke through and their target (9.5.e, R80).
fn after_breakthrough(battle: &Battle, state: &mut State, target: UnitId, fx: &mut impl Effects) {
    state.agenda.pop();
    if !state.on_table(target) {
        return;
    }
    if state.unit(target).formation == Formation::Limbered {
        return break_unit(battle, state, target, cite!("7.7.a"), fx);
    }
    let mut units: ArrayVec<UnitId, 16> = state
        .foes(target)
        .map(|(f, _, _)| f)
        .filter(|f| {
            state.unit(*f).flags.has(Flags::BROKE_THROUGH) && state.unit(*f).flags.has(Flags::IMPETUS)
        })
        .take(8)
        .collect();
    if units.is_empty() {
        return;
    }
    for f in units.clone() {
        for (foe, _, _) in state.foes(f) {
            if !units.contains(&foe) {
                let _ = units.try_push(foe);
            }
        }
    }
    units.sort_unstable();
    begin(battle, state, units, true, fx);
}

/// Order markers of those who stay engaged (5.4.m, R83).
pub(crate) fn mark_orders(battle: &Battle, state: &mut State, units: &[UnitId], winner: Option<Side>) {
    for u in units {
        if state.on_table(*u) && state.engaged(*u) {
            let won = winner == Some(battle.unit(*u).side);
            state.unit_mut(*u).order = Some(if won { Marker::Charge } else { Marker::Hold });
        }
    }
}

/// The field of a melee's survivors: who is still there on a side.
pub(crate) fn survivors(battle: &Battle, state: &State, melee: &Melee, side: Side) -> ArrayVec<UnitId, 16> {
    melee
        .units
        .iter()
        .copied()
        .filter(|u| battle.unit(*u).side == side && state.on_table(*u) && !melee.is_gone(*u))
        .collect()
}

/// What a unit would need against an enemy in contact, for facts and views.
pub(crate) fn needs(field: &Field<'_>, u: UnitId, foe: UnitId) -> i16 {
    score_needed(4, melee_mods(field.state, u, foe).sum()).0
}
