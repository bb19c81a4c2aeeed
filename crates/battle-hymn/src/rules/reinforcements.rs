//! Chapter 12: reinforcements, in a conga line.

use arrayvec::ArrayVec;
use game::log::Kind;
use game::words::does;
use game::{Effects, Entry, RollNote};
use hexmap::Hex;

use crate::action::{Action, Offers};
use crate::legal::Bar;
use crate::rules::movement::Explorer;
use crate::rules::zones::Field;
use crate::rules::{basics, cavalry, movement, night, zones};
use crate::setup::battle::Battle;
use crate::setup::ground::CLOSED;
use crate::setup::pieces::SetUp;
use crate::state::{Id, NOWHERE, State, Status};

/// The hexes a unit may enter by.
pub(crate) type EntryHexes = ArrayVec<Hex, { 2 * MAX_AREA }>;

/// The most hexes of an Area; a unit may have the choice of two.
pub(crate) const MAX_AREA: usize = 48;

/// Whether a unit's Hour has come (12.a); those delayed stay due (R64).
#[must_use]
pub(crate) fn is_due(battle: &Battle, state: &State, id: Id) -> bool {
    match (state.piece(id).status, &battle.unit(id).set_up) {
        (Status::Due, SetUp::Due { hour, .. }) => *hour <= state.hour,
        (Status::Away, _) => state.piece(id).hits <= state.hour,
        _ => false,
    }
}

fn each_area(battle: &Battle, state: &State, id: Id, mut visit: impl FnMut(u8)) {
    match (state.piece(id).status, &battle.unit(id).set_up) {
        (Status::Due, SetUp::Due { areas, .. }) => areas.iter().for_each(|&a| visit(a)),
        (Status::Away, _) => visit(state.piece(id).extra),
        _ => {}
    }
}

/// Where a unit may enter: its Areas' hexes, or where one is blocked the next hexes to its left and right (12.2.e, R65).
#[must_use]
pub(crate) fn entry_hexes(battle: &Battle, state: &State, id: Id) -> EntryHexes {
    let enemies = battle.armies[battle.side(id).enemy()].units;
    let free = |hex: Hex| !state.at(hex).is_some_and(|u| enemies.contains(u));
    let mut found = EntryHexes::new();
    let mut add = |hex: Hex| {
        if !found.contains(&hex) {
            let _ = found.try_push(hex);
        }
    };
    each_area(battle, state, id, |area| {
        let hexes = &battle.areas[usize::from(area)].hexes;
        if hexes.iter().any(|&h| free(h)) {
            hexes.iter().copied().filter(|&h| free(h)).for_each(&mut add);
        } else {
            beside(battle, hexes, free).into_iter().flatten().for_each(&mut add);
        }
    });
    found
}

/// Whether every hex of all its Areas is held by the enemy.
#[must_use]
pub(crate) fn is_blocked(battle: &Battle, state: &State, id: Id) -> bool {
    let enemies = battle.armies[battle.side(id).enemy()].units;
    let mut blocked = true;
    each_area(battle, state, id, |area| {
        let hexes = &battle.areas[usize::from(area)].hexes;
        blocked &= hexes.iter().all(|&h| state.at(h).is_some_and(|u| enemies.contains(u)));
    });
    blocked
}

/// The next free hexes along the border of the map, to the left and to the right of an Area.
fn beside(battle: &Battle, hexes: &[Hex], free: impl Fn(Hex) -> bool) -> [Option<Hex>; 2] {
    let border = &battle.ground.border;
    let mut places = hexes.iter().filter_map(|h| border.iter().position(|b| b == h));
    let (first, last) = (places.clone().next(), places.next_back());
    let (Some(first), Some(last)) = (first, last) else {
        let is_open_edge =
            |h: Hex| h != NOWHERE && battle.ground.is_edge(h) && free(h) && !hexes.contains(&h);
        let around = hexes.iter().flat_map(|h| battle.ground.beyond[h.index()]).filter(|&h| is_open_edge(h));
        return [around.clone().min(), around.max()];
    };
    let n = border.len();
    let open = |&i: &usize| free(border[i]) && !hexes.contains(&border[i]);
    let left = (1..n).map(|k| (first + n - k) % n).find(open);
    let right = (1..n).map(|k| (last + k) % n).find(open);
    [left.map(|i| border[i]), right.map(|i| border[i])]
}

/// 12.2.b: what it costs to enter there as the next of the conga line.
#[must_use]
pub(crate) fn entry_cost(battle: &Battle, state: &State, id: Id, at: Hex) -> Option<u8> {
    let once = battle.ground.edge_cost(&battle.charts, movement::column_now(battle, state, id), at);
    let before = state.conga.iter().find(|(hex, _)| *hex == at).map_or(0, |&(_, n)| n);
    (once != CLOSED)
        .then(|| once.saturating_mul(before + 1))
        .filter(|&c| c <= movement::allowance(battle, state, id))
}

/// Whether a unit could do anything there once it has entered: a friend's hex must be left again.
fn finds_room(
    battle: &Battle,
    state: &State,
    field: &Field,
    reach: &mut Explorer,
    id: Id,
    at: Hex,
    cost: u8,
) -> bool {
    if state.at(at).is_none() {
        return true;
    }
    if field.zone.contains(at) {
        return false;
    }
    let bounds = movement::bounds(battle, state, field, id);
    let costs = &battle.ground.costs[movement::column_now(battle, state, id) as usize];
    let left = movement::allowance(battle, state, id) - cost;
    let mut room = false;
    reach.explore(&battle.ground, costs, at, left, &bounds, |hex, _| room |= !field.friends.contains(hex));
    room
}

/// `enter` for a unit that is due.
pub(crate) fn offers(
    battle: &Battle,
    state: &State,
    field: &Field,
    reach: &mut Explorer,
    id: Id,
    out: &mut impl Offers,
) {
    if state.moved.contains(id) || !is_due(battle, state, id) {
        return;
    }
    let chance = drawn_from(battle, state, id);
    if chance.len() > 1 {
        out.offer(Action::Enter { unit: id, at: NOWHERE });
        return;
    }
    for at in entry_hexes(battle, state, id) {
        let Some(cost) = entry_cost(battle, state, id, at) else { continue };
        let at_night = night::is_night(battle, state) && field.zone.contains(at);
        if !at_night && finds_room(battle, state, field, reach, id, at, cost) {
            out.offer(Action::Enter { unit: id, at });
        }
    }
}

/// `enter`.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check_enter(battle: &Battle, state: &State, id: Id, at: Hex) -> Result<(), Bar> {
    if !matches!(state.piece(id).status, Status::Due | Status::Away) || !is_due(battle, state, id) {
        return Err(Bar::new("It is not due in this Hour.", cite!("12.a")));
    }
    if at == NOWHERE {
        let why = "Name the hex; chance picks it only beside a blocked Area, with At Random on.";
        let chance = drawn_from(battle, state, id).len() > 1;
        return if chance { Ok(()) } else { Err(Bar::new(why, cite!("12.2.a"))) };
    }
    if !entry_hexes(battle, state, id).contains(&at) {
        let mut listed = false;
        each_area(battle, state, id, |a| listed |= battle.areas[usize::from(a)].hexes.contains(&at));
        if listed {
            return Err(Bar::new("An enemy stands there.", cite!("12.2.e")));
        }
        let rule = if is_blocked(battle, state, id) { cite!("12.2.e") } else { cite!("12.2.a") };
        return Err(Bar::new("It is not a hex of its Entry Area.", rule));
    }
    let field = Field::seen_by(battle, state, battle.side(id));
    if night::is_night(battle, state) && field.zone.contains(at) {
        return Err(Bar::new("At night no unit enters an enemy zone of control.", cite!("13.c")));
    }
    let Some(cost) = entry_cost(battle, state, id, at) else {
        return Err(Bar::new(
            "Not enough movement points for its place in the line of march; try another entry hex.",
            cite!("5.2.c"),
        ));
    };
    if !finds_room(battle, state, &field, &mut Explorer::new(), id, at, cost) {
        return Err(Bar::new("A friend stands there, and it could not march on.", cite!("3.7.c")));
    }
    Ok(())
}

pub(crate) fn enter(battle: &Battle, state: &mut State, unit: Id, at: Hex, fx: &mut impl Effects) {
    movement::take_in_hand(battle, state, unit);
    let at = entry_at_random(battle, state, unit, at, fx);
    let cost = entry_cost(battle, state, unit, at).unwrap_or(state.left);
    count_in_line(state, at);
    state.left = state.left.saturating_sub(cost);
    let piece = state.piece_mut(unit);
    (piece.hits, piece.extra) = (0, 0);
    cavalry::appear(battle, state, unit, at, fx);
    fx.tell(|| {
        Entry::new(
            Kind::March,
            format!("{} {} for {cost} MP.", does(battle.name(unit), "enters at"), battle.ground.name(at)),
        )
        .side(battle.side(unit))
        .rule(cite!("12.2.b"))
        .piece(unit.piece())
        .place(battle.place(at))
    });
    if zones::in_enemy_zone(battle, state, unit) {
        state.stopped_entering.insert(unit);
        basics::mark_approach(battle, state, unit, fx);
        movement::end_move(state);
    } else if state.left == 0 {
        movement::end_move(state);
    }
}

fn count_in_line(state: &mut State, at: Hex) {
    let slot = state.conga.iter_mut().find(|(hex, _)| *hex == at || *hex == NOWHERE);
    if let Some((hex, n)) = slot {
        *hex = at;
        *n += 1;
    }
}

/// 3.1.e: with At Random on, the hexes beside blocked Areas that chance picks from; fewer than two leave nothing to it.
fn drawn_from(battle: &Battle, state: &State, id: Id) -> EntryHexes {
    if !battle.house.at_random || !is_blocked(battle, state, id) {
        return EntryHexes::new();
    }
    let open =
        entry_hexes(battle, state, id).into_iter().filter(|&h| check_enter(battle, state, id, h).is_ok());
    let mut hexes: EntryHexes = open.collect();
    hexes.sort_unstable();
    hexes
}

/// `enter X` without a hex leaves it to chance.
fn entry_at_random(battle: &Battle, state: &State, unit: Id, at: Hex, fx: &mut impl Effects) -> Hex {
    if at != NOWHERE {
        return at;
    }
    let hexes = drawn_from(battle, state, unit);
    let drawn = fx.draw(hexes.len().max(1), || {
        RollNote::new(format!("Where {} enters", battle.name(unit)), cite!("3.1.e"))
            .side(battle.side(unit))
            .by(unit.piece())
            .outcomes(hexes.iter().map(|&hex| battle.ground.name(hex)))
    });
    hexes.get(drawn).copied().unwrap_or(at)
}
