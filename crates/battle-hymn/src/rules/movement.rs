//! Chapter 5: Movement Turns.

use game::log::Kind;
use game::words::does;
use game::{Effects, Entry, Side};
use hexmap::{Hex, HexSet};

use crate::action::{Action, Anything, Offers, Sole};
use crate::rules::reach::{Bounds, MOST_POINTS, Path, Reach};
use crate::rules::sight::seen_by_enemies;
use crate::rules::zones::{Field, arm_now};
use crate::rules::{basics, cavalry, morale, night, reinforcements, zones};
use crate::setup::battle::{Battle, Way};
use crate::setup::ground::CLOSED;
use crate::setup::pieces::{Arm, Column};
use crate::state::{Id, Mount, NO_FORMATION, NOWHERE, State, Status, Step, UnitSet};

/// The scratch space of a Movement decision.
pub(crate) type Explorer = Reach<{ MOST_POINTS + 1 }>;

/// A Movement Turn begins: who starts it in an enemy zone is bound by that until its end (5.3.c).
pub(crate) fn begin_turn(battle: &Battle, state: &mut State, formation: u8) {
    state.active = formation;
    state.hand = Id::NONE;
    state.moved = UnitSet::EMPTY;
    state.rallied = UnitSet::EMPTY;
    state.stopped = UnitSet::EMPTY;
    state.stopped_entering = UnitSet::EMPTY;
    state.placed = UnitSet::EMPTY;
    state.conga.fill((NOWHERE, 0));
    state.began_in_zone = battle.formations[usize::from(formation)]
        .units
        .into_iter()
        .filter(|&id| state.piece(id).on_map() && zones::in_enemy_zone(battle, state, id))
        .collect();
    state.agenda.push(Step::March);
}

pub(crate) fn end_turn(state: &mut State) {
    state.active = NO_FORMATION;
    state.hand = Id::NONE;
    state.agenda.pop();
}

/// The side whose Movement Turn it is.
#[must_use]
pub(crate) fn mover(battle: &Battle, state: &State) -> Side {
    battle.formations[usize::from(state.active)].side
}

#[must_use]
pub(crate) fn column_now(battle: &Battle, state: &State, id: Id) -> Column {
    Column::of(arm_now(battle, state, id))
}

/// The Movement Allowance in its present state: out of the saddle it is 3 less (11.3.s, R59).
#[must_use]
pub(crate) fn allowance(battle: &Battle, state: &State, id: Id) -> u8 {
    let printed = battle.unit(id).allowance;
    match state.piece(id).mount {
        Mount::Mounted => printed,
        Mount::Dismounted | Mount::HorsesLost => printed.saturating_sub(cavalry::COST_OF_SEAT),
    }
}

/// The MPs a unit may still spend in this Movement Turn.
#[must_use]
pub(crate) fn points_left(battle: &Battle, state: &State, id: Id) -> u8 {
    if state.moved.contains(id) {
        0
    } else if state.hand == id {
        state.left
    } else {
        allowance(battle, state, id)
    }
}

/// A unit the scenario still holds back.
#[must_use]
pub(crate) fn held_back(battle: &Battle, state: &State, id: Id) -> bool {
    let Some(held) = battle.unit(id).held else { return false };
    let enemies = battle.armies[battle.side(id).enemy()].units;
    state.hour < held.until
        && !state.on_map().and(enemies).into_iter().any(|enemy| {
            battle.ground.distance(state.piece(id).hex, state.piece(enemy).hex)
                <= u16::from(held.unless_within)
        })
}

/// Whether a unit on the map may still march: its move is not over, and a march is not behind it.
#[must_use]
pub(crate) fn may_march(battle: &Battle, state: &State, id: Id) -> bool {
    state.piece(id).on_map()
        && !state.moved.contains(id)
        && (state.hand != id || state.stride)
        && !held_back(battle, state, id)
}

/// Where a unit may not go and where it must stop: 3.7.a, 5.3, 13.c.
#[must_use]
pub(crate) fn bounds(battle: &Battle, state: &State, field: &Field, id: Id) -> Bounds {
    if zone_closed_to(battle, state, id) {
        return Bounds { closed: field.enemies | field.zone, stops: HexSet::EMPTY };
    }
    match arm_now(battle, state, id) {
        Arm::Cavalry | Arm::HorseArtillery => {
            Bounds { closed: field.enemies | field.foot_zone, stops: field.zone }
        }
        Arm::Infantry | Arm::Artillery => Bounds { closed: field.enemies, stops: field.zone },
    }
}

/// Units that may enter no enemy zone at all: at night (13.c), artillery (5.3.e), those that began in one (5.3.c).
fn zone_closed_to(battle: &Battle, state: &State, id: Id) -> bool {
    night::is_night(battle, state)
        || arm_now(battle, state, id) == Arm::Artillery
        || state.began_in_zone.contains(id)
}

/// While a unit stands in a friend's hex on its way in, it must march on before anything else.
#[must_use]
pub(crate) fn must_march_on(state: &State) -> bool {
    state.hand != Id::NONE
        && state.piece(state.hand).on_map()
        && state.occupant(state.piece(state.hand).hex) != state.hand
}

/// Every action of a Movement Turn.
pub(crate) fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    acts(battle, state, out);
    if !must_march_on(state) && strayed(battle, state).is_none() {
        out.push(Action::Done);
    }
}

/// A dismounted unit beyond its leash that could come nearer to its horses in this Movement Turn and has not (11.3.k).
pub(crate) fn strayed(battle: &Battle, state: &State) -> Option<Id> {
    let units = battle.formations[usize::from(state.active)].units.without(state.moved);
    // Only who has horses somewhere can be far from them.
    units.and(state.horse_markers).into_iter().find(|&id| must_return(battle, state, id))
}

/// The one thing that is left to do in a Movement Turn which a strayed unit keeps from ending (11.3.k).
pub(crate) fn forced_return(battle: &Battle, state: &State) -> Option<Action> {
    if must_march_on(state) {
        return None;
    }
    strayed(battle, state)?;
    let mut sole = Sole::default();
    acts(battle, state, &mut sole);
    sole.action()
}

/// Whether a unit has to use its move to come nearer to its horses (11.3.k).
pub(crate) fn must_return(battle: &Battle, state: &State, id: Id) -> bool {
    if state.piece(id).mount != Mount::Dismounted || !state.piece(id).on_map() {
        return false;
    }
    let field = Field::seen_by(battle, state, mover(battle, state));
    if !cavalry::Leash::of(battle, state, &field, id).is_some_and(|leash| leash.can_be_shortened()) {
        return false;
    }
    let mut nearer = Anything::default();
    march_offers(battle, state, &field, &mut Explorer::new(), id, &mut nearer);
    nearer.0
}

/// Every action but the last, `done`.
fn acts(battle: &Battle, state: &State, out: &mut impl Offers) {
    let field = Field::seen_by(battle, state, mover(battle, state));
    let mut reach = Explorer::new();
    if must_march_on(state) {
        march_offers(battle, state, &field, &mut reach, state.hand, out);
        return;
    }
    for id in battle.formations[usize::from(state.active)].units {
        match state.piece(id).status {
            Status::OnMap => {
                march_offers(battle, state, &field, &mut reach, id, out);
                cavalry::offers(battle, state, id, out);
                if morale::may_rally(battle, state, id) {
                    out.offer(Action::Rally { unit: id });
                }
            }
            Status::Due | Status::Away => reinforcements::offers(battle, state, &field, &mut reach, id, out),
            Status::Shattered if morale::may_rally(battle, state, id) => {
                out.offer(Action::Rally { unit: id })
            }
            Status::Rallied if !state.moved.contains(id) => {
                let hexes = morale::placements(battle, state, id);
                hexes.into_iter().for_each(|at| out.offer(Action::Place { unit: id, at }));
            }
            Status::Shattered | Status::Rallied | Status::Eliminated | Status::Exited => {}
        }
    }
}

fn march_offers(
    battle: &Battle,
    state: &State,
    field: &Field,
    reach: &mut Explorer,
    id: Id,
    out: &mut impl Offers,
) {
    if !may_march(battle, state, id) {
        return;
    }
    let bounds = bounds(battle, state, field, id);
    let start = state.piece(id).hex;
    let budget = points_left(battle, state, id);
    let costs = &battle.ground.costs[column_now(battle, state, id) as usize];
    let leash = cavalry::Leash::of(battle, state, field, id);
    reach.explore(&battle.ground, costs, start, budget, &bounds, |hex, _| {
        if !field.friends.contains(hex) && leash.as_ref().is_none_or(|l| l.allows(hex)) {
            out.offer(Action::March { unit: id, to: hex, path: 0 });
        }
    });
    for way in battle.ways_out.iter().filter(|w| w.side == battle.side(id) && w.from <= state.hour) {
        let stopped = bounds.stops.contains(way.hex) && way.hex != start;
        let there = reach.cost(way.hex, start, &bounds).filter(|_| !stopped);
        let in_reach = leash.as_ref().is_none_or(|l| l.allows(way.hex));
        if in_reach && there.is_some_and(|c| leaves_within(battle, state, id, way.hex, c, budget)) {
            out.offer(Action::Exit { unit: id, by: way.hex });
        }
    }
}

fn leaves_within(battle: &Battle, state: &State, id: Id, by: Hex, spent: u8, budget: u8) -> bool {
    let cost = battle.ground.edge_cost(&battle.charts, column_now(battle, state, id), by);
    cost != CLOSED && u16::from(spent) + u16::from(cost) <= u16::from(budget)
}

/// Whether anything but `done` is open: a Movement Turn in which nothing can be done is not asked about.
#[must_use]
pub(crate) fn anything_to_do(battle: &Battle, state: &State) -> bool {
    if must_march_on(state) {
        return true;
    }
    let units = battle.formations[usize::from(state.active)].units.without(state.moved);
    if units.into_iter().any(|id| easily_marches(battle, state, id)) {
        return true;
    }
    let mut anything = Anything::default();
    if !units.is_empty() {
        acts(battle, state, &mut anything);
    }
    anything.0
}

/// A free neighbouring hex outside enemy zones settles the question without looking further.
fn easily_marches(battle: &Battle, state: &State, id: Id) -> bool {
    if !may_march(battle, state, id) || state.piece(id).mount == Mount::Dismounted {
        return false;
    }
    let hex = state.piece(id).hex.index();
    let costs = &battle.ground.costs[column_now(battle, state, id) as usize][hex];
    let budget = points_left(battle, state, id);
    let enemy = battle.side(id).enemy();
    (0..6).any(|d| {
        costs[d] <= budget && {
            let next = battle.ground.beyond[hex][d];
            state.at(next).is_none() && !zones::covers(battle, state, enemy, next)
        }
    })
}

/// The way a march goes: the one named, or the cheapest.
#[must_use]
pub(crate) fn way(battle: &Battle, state: &State, unit: Id, to: Hex, path: u64) -> Option<(Path, u8)> {
    let start = state.piece(unit).hex;
    let costs = &battle.ground.costs[column_now(battle, state, unit) as usize];
    if path != 0 {
        let way: Path = battle.ground.walk(start, path).collect();
        return Some((way.clone(), cost_of(battle, state, unit, &way)?));
    }
    if state.at(to).is_none()
        && battle.ground.direction(start, to).is_some_and(|d| costs[start.index()][d] == 1)
    {
        return Some((Path::from_iter([to]), 1));
    }
    let field = Field::seen_by(battle, state, battle.side(unit));
    let bounds = bounds(battle, state, &field, unit);
    let mut reach = Explorer::new();
    reach.explore(&battle.ground, costs, start, points_left(battle, state, unit), &bounds, |_, _| {});
    let path = reach.path(&battle.ground, costs, start, to, &bounds)?;
    Some((path, reach.cost(to, start, &bounds)?))
}

/// What a way costs; none if a step of it is closed.
fn cost_of(battle: &Battle, state: &State, unit: Id, way: &[Hex]) -> Option<u8> {
    let costs = &battle.ground.costs[column_now(battle, state, unit) as usize];
    let mut at = state.piece(unit).hex;
    let mut total = 0u8;
    for &next in way {
        let step = costs[at.index()][battle.ground.direction(at, next)?];
        total = (step != CLOSED).then(|| total.saturating_add(step))?;
        at = next;
    }
    Some(total)
}

/// Another unit acts: the move of the one in hand is over (5.2.a).
pub(crate) fn take_in_hand(battle: &Battle, state: &mut State, unit: Id) {
    if state.hand == unit {
        return;
    }
    if state.hand != Id::NONE {
        state.moved.insert(state.hand);
    }
    state.left = allowance(battle, state, unit);
    state.hand = unit;
    state.stride = true;
}

/// The move of the unit in hand is over.
pub(crate) fn end_move(state: &mut State) {
    if state.hand != Id::NONE {
        state.moved.insert(state.hand);
    }
    (state.hand, state.left, state.stride) = (Id::NONE, 0, false);
}

/// `march`: hex by hex (5.1.a), until the last.
pub(crate) fn march(battle: &Battle, state: &mut State, unit: Id, to: Hex, path: u64, fx: &mut impl Effects) {
    take_in_hand(battle, state, unit);
    if path == 0 && !fx.listening() && !way_matters(battle, state, unit, to) {
        basics::cancel_approach_fire(battle, state, unit);
        state.lift(unit);
        cavalry::appear(battle, state, unit, to, fx);
        return end_march(battle, state, unit, fx);
    }
    let Some((way, cost)) = way(battle, state, unit, to, path) else {
        debug_assert!(false, "a march that was checked has a way");
        return end_move(state);
    };
    tell_march(battle, state, unit, &way, cost, fx);
    go_along(battle, state, unit, &way, fx);
    state.left = state.left.saturating_sub(cost);
    end_march(battle, state, unit, fx);
}

/// Whether the hexes passed, or what they cost, make any difference: Objectives to be taken on the way (R14), enemy horses
/// (R61), MPs that may still be spent.
fn way_matters(battle: &Battle, state: &State, unit: Id, to: Hex) -> bool {
    let side = battle.side(unit);
    let (start, left) = (state.piece(unit).hex, u16::from(state.left));
    let ground = &battle.ground;
    cavalry::has_horses(battle, state, unit)
        || !state.horse_markers.and(battle.armies[side.enemy()].units).is_empty()
        || battle.victory.objectives.iter().zip(&state.control).any(|(objective, control)| {
            *control != Some(side)
                && objective.hex != to
                && ground.distance(start, objective.hex) + ground.distance(objective.hex, to) <= left
        })
}

fn tell_march(battle: &Battle, state: &State, unit: Id, way: &[Hex], cost: u8, fx: &mut impl Effects) {
    let start = state.piece(unit).hex;
    fx.tell(|| {
        let to = way.last().copied().unwrap_or(start);
        let (from, to) = (battle.ground.name(start), battle.ground.name(to));
        let mut entry = Entry::new(
            Kind::March,
            format!("{} from {from} to {to} for {cost} MP.", does(battle.name(unit), "marches")),
        )
        .side(battle.side(unit))
        .rule(cite!("5.1.a"))
        .piece(unit.piece())
        .place(battle.place(start));
        entry.places.extend(way.iter().map(|&h| battle.place(h)));
        entry
    });
}

/// 5.3.a, 5.3.h: stopped in a zone, or done; cavalry may still mount or dismount.
fn end_march(battle: &Battle, state: &mut State, unit: Id, fx: &mut impl Effects) {
    state.stride = false;
    if zones::in_enemy_zone(battle, state, unit) {
        state.stopped.insert(unit);
        basics::mark_approach(battle, state, unit, fx);
        end_move(state);
    } else if state.left == 0 || !cavalry::has_horses(battle, state, unit) {
        end_move(state);
    }
}

/// Passes every hex of the way; control and horses do not wait for the last (R14, R61).
fn go_along(battle: &Battle, state: &mut State, unit: Id, way: &[Hex], fx: &mut impl Effects) {
    basics::cancel_approach_fire(battle, state, unit);
    state.lift(unit);
    for &hex in way {
        basics::take_control(battle, state, unit, hex, fx);
        cavalry::capture_horses_near(battle, state, unit, hex, fx);
    }
    if let Some(&last) = way.last() {
        state.put(unit, last);
    }
}

/// `exit`: to the exit hex and off the map (5.5.a).
pub(crate) fn exit(battle: &Battle, state: &mut State, unit: Id, by: Hex, fx: &mut impl Effects) {
    take_in_hand(battle, state, unit);
    if by != state.piece(unit).hex
        && let Some((way, _)) = way(battle, state, unit, by, 0)
    {
        // Passing through a friend on the exit hex is passing, not stopping.
        basics::cancel_approach_fire(battle, state, unit);
        for &hex in &way {
            basics::take_control(battle, state, unit, hex, fx);
            cavalry::capture_horses_near(battle, state, unit, hex, fx);
        }
    }
    leave_map(battle, state, unit, by, fx);
    end_move(state);
    state.moved.insert(unit);
}

/// The way out that the scenario leaves a unit at a hex.
pub(crate) fn way_out<'b>(battle: &'b Battle, state: &State, unit: Id, by: Hex) -> Option<&'b Way> {
    let side = battle.side(unit);
    battle.ways_out.iter().find(|w| w.side == side && w.hex == by && w.from <= state.hour)
}

/// A unit leaves by a way out, for good or to come back.
pub(crate) fn leave_map(battle: &Battle, state: &mut State, unit: Id, by: Hex, fx: &mut impl Effects) {
    let way = way_out(battle, state, unit, by);
    let back = way.and_then(|w| w.back);
    basics::remove(battle, state, unit, Status::Exited);
    cavalry::horses_go_with_unit(state, unit);
    if let Some((hours, area)) = back {
        let due = state.hour.saturating_add(hours);
        let piece = state.piece_mut(unit);
        (piece.status, piece.hits, piece.extra) = (Status::Away, due, area);
    }
    fx.tell(|| {
        Entry::new(
            Kind::Gone,
            format!("{} {}.", does(battle.name(unit), "leaves the field at"), battle.ground.name(by)),
        )
        .side(battle.side(unit))
        .rule(way.map_or(cite!("5.5.a"), |w| w.rule))
        .piece(unit.piece())
        .place(battle.place(by))
    });
}

/// The hexes out of the enemy's sight; used by horses, rally and placement.
#[must_use]
pub(crate) fn out_of_sight(battle: &Battle, state: &State, side: Side) -> HexSet {
    battle.ground.on_map - seen_by_enemies(battle, state, side)
}
