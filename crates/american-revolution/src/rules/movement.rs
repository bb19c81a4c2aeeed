//! 9. Movement: reinforcements, marches, strategic movement. Pins are in `pins.rs`.

use arrayvec::ArrayVec;
use game::words::{does, side_does};
use game::{Effects, Entry, Kind, Place};
use hexmap::{Direction, Hex, HexSet};

use crate::action::{Action, Way};
use crate::legal::{Bar, Lawful};
use crate::rules::sequence::Step;
use crate::rules::zones::{self, Lay};
use crate::rules::{army_morale, how_to_win, leaders, pins, stacking, volume};
use crate::setup::battle::{Arm, Battle, Start};
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Spot, State};

const UNREACHED: u8 = u8::MAX;

/// Reinforcements of the phasing player that may be placed now (9.11.a, R86).
#[must_use]
pub fn arrivals(battle: &Battle, state: &State) -> Pieces {
    battle.pieces(state.phasing).filter(|&p| may_arrive(battle, state, p).is_ok()).collect()
}

fn may_arrive(battle: &Battle, state: &State, piece: Piece) -> Lawful {
    let Start::Enters(turn, hex) = battle.counter(piece).start else {
        return Err(Bar::new(cite!("9.11.a"), "only a reinforcement is placed in an entry hex"));
    };
    if battle.side(piece) != state.phasing || state.at[piece.index()] != Spot::TO_COME {
        return Err(Bar::new(
            cite!("9.11.a"),
            "only reinforcements of the phasing player that are still to come are placed",
        ));
    }
    if turn > state.turn {
        return Err(Bar::new(cite!("9.11.a"), "it arrives on a later turn"));
    }
    if state.in_hex(hex).meets(battle.units[!state.phasing]) {
        return Err(Bar::new(
            cite!("9.3.d"),
            "its entry hex holds an enemy combat unit; it waits until the hex is free",
        ));
    }
    if stacking::unknown(battle, state, state.phasing).meets(state.in_hex(hex)) {
        return Err(Bar::new(
            cite!("9.3.d"),
            "an enemy stack is in its entry hex; it waits until the hex is free",
        ));
    }
    if battle.all_leaders().has(piece) && state.in_hex(hex).meets(battle.leaders[!state.phasing]) {
        return Err(Bar::new(
            cite!("14.32.a"),
            "an enemy leader is in the entry hex: a combat unit must enter first, and captures him",
        ));
    }
    Ok(())
}

pub(crate) fn offers_arrivals(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    out.extend(arrivals(battle, state).map(Action::Enter));
    if check_arrivals(battle, state, &Action::Done).is_ok() {
        out.push(Action::Done);
    }
}

pub(crate) fn check_arrivals(battle: &Battle, state: &State, action: &Action) -> Lawful {
    match action {
        Action::Enter(piece) => may_arrive(battle, state, *piece),
        Action::Done if arrivals(battle, state).meets(battle.roles.prompt) => Err(Bar::new(
            cite!("9.11.c"),
            "a reinforcement that the scenario does not let wait must be placed first",
        )),
        Action::Done => Ok(()),
        _ => Err(Bar::other("reinforcements are placed before anything moves")),
    }
}

pub(crate) fn enter(battle: &Battle, state: &mut State, piece: Piece, fx: &mut impl Effects) {
    let Start::Enters(_, hex) = battle.counter(piece).start else { return };
    state.place(piece, hex);
    state.entered.add(piece);
    leaders::capture_lone(battle, state, piece, hex, fx);
    how_to_win::take_hold(battle, state, piece, hex, fx);
    fx.tell(|| {
        Entry::new(
            Kind::Rally,
            format!("{} {}.", does(&battle.counter(piece).name, "arrives in"), battle.hex_name(hex)),
        )
        .side(battle.side(piece))
        .rule(cite!("9.11.a"))
        .piece(piece.id())
        .place(Place::Hex(battle.hex_name(hex)))
    });
}

/// Whether a piece may begin a march in this phase.
#[inline]
pub(crate) fn may_move(battle: &Battle, state: &State, piece: Piece) -> Lawful {
    let counter = battle.counter(piece);
    if counter.side != state.phasing {
        return Err(Bar::new(cite!("3.1.g"), "only the phasing player's units move"));
    }
    if state.hex(piece).is_none() {
        return Err(Bar::new(cite!("9.2.a"), "it is not on the map"));
    }
    if state.moved.has(piece) {
        return Err(Bar::new(cite!("9.2.c"), "it has finished its move; a unit moves once in a phase"));
    }
    if state.shattered.has(piece) {
        return Err(Bar::new(cite!("9.3.a"), "it is shattered; rally it first"));
    }
    if state.withdrawn.has(piece) {
        return Err(Bar::new(
            cite!("12.42.a"),
            "it is under a withdrawal marker, which comes off in its next rally phase",
        ));
    }
    if counter.free == u8::MAX || counter.free > state.turn && !how_to_win::is_freed(battle, state, piece) {
        return Err(Bar::new(cite!("1.b"), "the scenario holds it in place on this turn"));
    }
    pins::may_move_now(battle, state, piece)
}

/// What the step into a neighbouring hex costs, or why it is barred.
#[inline]
fn entry_cost(
    battle: &Battle,
    state: &State,
    lay: &Lay,
    mover: &Mover,
    from: Hex,
    direction: Direction,
) -> Result<u8, Bar> {
    let step = battle.ground.step(from, direction, state.mended);
    if step.to == u16::MAX {
        return Err(Bar::new(cite!("9.3.d"), "there is no hex of the map"));
    }
    let to = Hex(step.to);
    let cost = step.cost[mover.arm.column()];
    if cost == crate::rules::charts::PROHIBITED {
        return Err(Bar::new(cite!("9.3.d"), "the terrain is prohibited to it"));
    }
    if lay.enemy.contains(to) {
        return Err(Bar::new(cite!("9.3.d"), "an enemy combat unit holds the hex"));
    }
    if mover.arm == Arm::Leader && lay.leaders.contains(to) {
        return Err(Bar::new(
            cite!("14.32.a"),
            "an enemy leader is there: only a combat unit may enter, and captures him",
        ));
    }
    if !lay.room(battle, mover.arm, mover.sp, to) {
        let (needs, has) = lay.weight_and_room(battle, mover.arm, mover.sp, to);
        return Err(Bar::short(cite!("7.2.a"), "not enough room in a hex, even in passing", needs, has));
    }
    if mover.tethered {
        tether(battle, state, mover.piece, to)?;
    }
    Ok(cost)
}

/// What the scenario forbids a piece on this turn.
fn tether(battle: &Battle, state: &State, piece: Piece, to: Hex) -> Lawful {
    let counter = battle.counter(piece);
    if counter.road_bound_until > state.turn {
        let ground = &battle.ground;
        if !ground.road.contains(to) && !ground.terrain[to.index()].is_open() {
            return Err(Bar::new(
                cite!("guilford-court-house.i"),
                "the scenario keeps it to roads and open ground on this turn",
            ));
        }
    }
    for leash in counter.leash.iter().filter(|leash| leash.until > state.turn) {
        let (column, row) = (battle.ground.grid.column(to), battle.ground.grid.row(to));
        let outside = row < leash.north || row > leash.south || column < leash.west;
        if outside && (leash.until == u8::MAX || !how_to_win::is_alarmed(battle, state, piece)) {
            return Err(Bar::new(
                cite!("freemans-farm.b"),
                "the scenario keeps it within its part of the map on this turn",
            ));
        }
    }
    Ok(())
}

/// A piece about to march, with what is looked up again and again.
#[derive(Debug, Clone, Copy)]
struct Mover {
    piece: Piece,
    arm: Arm,
    sp: u8,
    budget: u8,
    disrupted: bool,
    start: Hex,
    tethered: bool,
    /// Leaves the zone of a rifle unit.
    leaves_rifle: bool,
}

impl Mover {
    fn new(battle: &Battle, state: &State, lay: &Lay, piece: Piece) -> Option<Mover> {
        let counter = battle.counter(piece);
        let start = state.hex(piece)?;
        Some(Mover {
            piece,
            arm: counter.arm,
            sp: if counter.arm == Arm::Leader { 0 } else { state.strength(battle, piece) },
            budget: counter.allowance,
            disrupted: state.disrupted.has(piece),
            start,
            tethered: counter.road_bound_until > state.turn || !counter.leash.is_empty(),
            leaves_rifle: lay.rifle.contains(start),
        })
    }

    /// The surcharge of rifle zones on a step (8.31.b).
    #[inline]
    fn surcharge(&self, lay: &Lay, from: Hex, to: Hex) -> u8 {
        u8::from(from == self.start && self.leaves_rifle) + u8::from(lay.rifle.contains(to))
    }

    /// Whether it may march strategically at all this turn (9.5.a, 9.51.a).
    fn may_force(&self, battle: &Battle, state: &State, lay: &Lay) -> Lawful {
        if self.disrupted {
            return Err(Bar::new(cite!("9.3.b"), "a disrupted unit moves one hex only"));
        }
        if battle.is_dusk(state.turn) {
            return Err(Bar::new(
                cite!("freemans-farm.k"),
                "the scenario bars strategic movement on this turn",
            ));
        }
        if state.entered.has(self.piece) && battle.roles.no_forced_entry.has(self.piece) {
            return Err(Bar::new(
                cite!("9.12.a"),
                "the scenario bars strategic movement on the turn of entry",
            ));
        }
        if lay.near.contains(self.start) {
            return Err(Bar::new(cite!("9.51.a"), "strategic movement may not begin next to an enemy unit"));
        }
        Ok(())
    }
}

/// Whether a march may end in that hex.
fn may_end(battle: &Battle, state: &State, lay: &Lay, mover: &Mover, to: Hex) -> Lawful {
    let near = lay.near.contains(to);
    if near && mover.disrupted {
        may_back_off_to(battle, state, mover.piece, mover.start, to)?;
    }
    if near && battle.counter(mover.piece).shy_until > state.turn && mover.arm != Arm::Leader {
        return Err(Bar::new(
            cite!("guilford-court-house.h"),
            "the scenario keeps it away from the enemy on this turn",
        ));
    }
    if !state.pins.is_empty() {
        pins::may_end(battle, state, mover.piece, to, near)?;
    }
    Ok(())
}

/// A disrupted unit may stay next to an enemy only where it cannot do better (13.3.c, 13.3.d, R53).
fn may_back_off_to(battle: &Battle, state: &State, unit: Piece, start: Hex, to: Hex) -> Lawful {
    let enemy = !battle.side(unit);
    let now = zones::beside(battle, state, enemy, start).len();
    if now == 0 {
        return Err(Bar::new(cite!("13.3.c"), "a disrupted unit may not move next to an enemy unit"));
    }
    let least = least_beside(battle, state, unit, start);
    if zones::beside(battle, state, enemy, to).len() > least.min(now - 1) {
        return Err(Bar::new(cite!("13.3.d"), "it must move away from as many enemy units as it can"));
    }
    Ok(())
}

/// The fewest enemy units beside any hex that a disrupted unit can step to.
fn least_beside(battle: &Battle, state: &State, unit: Piece, start: Hex) -> u32 {
    let enemy = !battle.side(unit);
    let arm = battle.counter(unit).arm;
    battle
        .ground
        .neighbours(start)
        .filter(|&(direction, to)| {
            battle.ground.cost(arm, start, direction).is_some()
                && !state.in_hex(to).meets(battle.units[enemy])
                && stacking::has_room(battle, state, unit, false, to)
        })
        .map(|(_, to)| zones::beside(battle, state, enemy, to).len())
        .min()
        .unwrap_or(u32::MAX)
}

/// Disrupted units that still have to back off from the enemy (13.3.d).
#[must_use]
pub fn must_back_off(battle: &Battle, state: &State) -> Pieces {
    (state.disrupted & battle.units[state.phasing] & state.on_map())
        .filter(|&unit| {
            let Some(start) = state.hex(unit) else { return false };
            let now = zones::beside(battle, state, !state.phasing, start).len();
            let mut can = false;
            if now > 0 && least_beside(battle, state, unit, start) < now {
                reach(battle, state, unit, |_, _, _| can = true);
            }
            can
        })
        .collect()
}

/// Whether the way is lawful, and as which kind of movement.
pub(crate) fn check_march(battle: &Battle, state: &State, piece: Piece, from: Hex, way: Way) -> Lawful {
    if piece.index() >= battle.counters.len() {
        return Err(Bar::other("there is no such piece"));
    }
    may_move(battle, state, piece)?;
    if state.hex(piece) != Some(from) {
        return Err(Bar::other("the march begins in another hex than the piece stands in"));
    }
    let lay = Lay::of(battle, state, state.phasing);
    let Some(mover) = Mover::new(battle, state, &lay, piece) else {
        return Err(Bar::other("the piece is not on the map"));
    };
    if way.is_empty() {
        return Err(Bar::new(cite!("9.2.b"), "a march goes to another hex"));
    }
    if mover.disrupted && way.len() > 1 {
        return Err(Bar::new(cite!("9.3.b"), "a disrupted unit moves one hex only"));
    }
    let (mut at, mut spent, mut strategic) = (mover.start, 0u8, true);
    let mut shut: Lawful = Ok(());
    for direction in way.steps() {
        if at != mover.start && lay.zone.contains(at) {
            shut = shut.and(Err(Bar::new(
                cite!("8.31.a"),
                "it enters an enemy zone of control on the way and has to stop there",
            )));
        }
        let cost = entry_cost(battle, state, &lay, &mover, at, direction)?;
        let to = Hex(battle.ground.steps[at.index()][direction.index()].to);
        strategic &= battle.ground.step(at, direction, state.mended).strategic;
        spent = spent.saturating_add(cost).saturating_add(mover.surcharge(&lay, at, to));
        at = to;
    }
    shut?;
    if spent > mover.budget && way.len() > 1 {
        check_forced(battle, state, &lay, &mover, way, spent, strategic)?;
    }
    may_end(battle, state, &lay, &mover, at)
}

fn check_forced(
    battle: &Battle,
    state: &State,
    lay: &Lay,
    mover: &Mover,
    way: Way,
    spent: u8,
    strategic: bool,
) -> Lawful {
    let most = if strategic { 2 * mover.budget } else { mover.budget };
    if spent > most {
        return Err(Bar::short(cite!("9.2.b"), "not enough movement points", spent, most));
    }
    mover.may_force(battle, state, lay)?;
    let mut at = mover.start;
    for direction in way.steps() {
        at = Hex(battle.ground.steps[at.index()][direction.index()].to);
        if lay.near.contains(at) {
            return Err(Bar::new(cite!("9.51.a"), "strategic movement may not pass next to an enemy unit"));
        }
    }
    Ok(())
}

/// "Nothing follows", among the entries of a bucket.
const NO_ENTRY: u16 = u16::MAX;
/// More than the longest allowance, and than any cost that is looked at.
const LEVELS: usize = 16;

/// Scratch space for one decision's marches.
struct Scratch {
    cost: [u8; HexSet::CAPACITY],
    way: [Way; HexSet::CAPACITY],
    /// The hexes reached, the start first.
    list: ArrayVec<Hex, { HexSet::CAPACITY }>,
    /// Hexes to be expanded at each cost, as chains of entries. A march of nine hexes reaches 271 of them, and each is
    /// improved upon six times at the most.
    buckets: [u16; LEVELS],
    entries: ArrayVec<(Hex, u16), 2048>,
}

impl Scratch {
    fn new() -> Scratch {
        Scratch {
            cost: [UNREACHED; HexSet::CAPACITY],
            way: [Way::EMPTY; HexSet::CAPACITY],
            list: ArrayVec::new(),
            buckets: [NO_ENTRY; LEVELS],
            entries: ArrayVec::new(),
        }
    }

    fn begin(&mut self, start: Hex) {
        for hex in &self.list {
            self.cost[hex.index()] = UNREACHED;
        }
        self.list.clear();
        self.entries.clear();
        self.buckets = [NO_ENTRY; LEVELS];
        self.note(start, 0, Way::EMPTY);
    }

    #[inline]
    fn note(&mut self, hex: Hex, cost: u8, way: Way) {
        let known = &mut self.cost[hex.index()];
        if *known <= cost {
            return;
        }
        if *known == UNREACHED {
            self.list.push(hex);
        }
        *known = cost;
        self.way[hex.index()] = way;
        if let Some(bucket) = self.buckets.get_mut(usize::from(cost))
            && self.entries.try_push((hex, *bucket)).is_ok()
        {
            *bucket = self.entries.len() as u16 - 1;
        }
    }

    fn take(&mut self, level: u8) -> Option<Hex> {
        let bucket = &mut self.buckets[usize::from(level)];
        let (hex, next) = *self.entries.get(usize::from(*bucket))?;
        *bucket = next;
        Some(hex)
    }

    /// Least-cost marches: a hex in an enemy zone is the end of the way (8.31.a, 8.32).
    fn explore(&mut self, battle: &Battle, state: &State, lay: &Lay, mover: &Mover) {
        self.begin(mover.start);
        let shut = closed_to(battle, state, lay, mover);
        let arm = mover.arm.column();
        let rifles = mover.leaves_rifle || !lay.rifle.is_empty();
        let mended = state.mended;
        let deepest = if mover.disrupted { 0 } else { mover.budget.min(LEVELS as u8 - 1) };
        for level in 0..=deepest {
            while let Some(at) = self.take(level) {
                if self.cost[at.index()] != level || (at != mover.start && lay.zone.contains(at)) {
                    continue;
                }
                let way = self.way[at.index()];
                for direction in Direction::ALL {
                    let step = battle.ground.step(at, direction, mended);
                    let cost = step.cost[arm];
                    let to = Hex(step.to);
                    if cost == crate::rules::charts::PROHIBITED
                        || self.cost[to.index()] <= level
                        || shut.contains(to)
                    {
                        continue;
                    }
                    if mover.tethered && tether(battle, state, mover.piece, to).is_err() {
                        continue;
                    }
                    let more = if rifles { mover.surcharge(lay, at, to) } else { 0 };
                    let total = level + cost + more;
                    if total <= mover.budget {
                        self.note(to, total, way.then(direction));
                    } else if at == mover.start {
                        // One hex is always possible (9.2.e), and nothing beyond it.
                        self.note(to, mover.budget.max(1), way.then(direction));
                    }
                }
            }
        }
    }

    /// Strategic marches to hexes that the ordinary ones do not reach (9.5.a).
    fn force(&mut self, battle: &Battle, state: &State, lay: &Lay, mover: &Mover) {
        if mover.may_force(battle, state, lay).is_err() || !battle.ground.road.contains(mover.start) {
            return;
        }
        let mut on: ArrayVec<(Hex, Way), 64> = ArrayVec::new();
        on.push((mover.start, Way::EMPTY));
        let mut i = 0;
        while i < on.len() {
            let (at, way) = on[i];
            i += 1;
            if way.len() >= usize::from(2 * mover.budget).min(Way::LONGEST) {
                continue;
            }
            for direction in Direction::ALL {
                let step = battle.ground.step(at, direction, state.mended);
                let to = Hex(step.to);
                if !step.strategic || lay.near.contains(to) || on.iter().any(|&(hex, _)| hex == to) {
                    continue;
                }
                if entry_cost(battle, state, lay, mover, at, direction).is_err() || on.is_full() {
                    continue;
                }
                on.push((to, way.then(direction)));
                if self.cost[to.index()] == UNREACHED {
                    self.note(to, way.len() as u8 + 1, way.then(direction));
                }
            }
        }
    }
}

/// The hexes that a piece cannot enter from anywhere: enemies hold them, or there is no room (9.3.d, 7.2.a, R91).
fn closed_to(battle: &Battle, state: &State, lay: &Lay, mover: &Mover) -> HexSet {
    let mut shut = lay.enemy;
    if mover.arm == Arm::Leader {
        shut |= lay.leaders;
    } else {
        for unit in battle.units[state.phasing] & state.on_map() {
            if let Some(hex) = state.hex(unit)
                && !lay.room(battle, mover.arm, mover.sp, hex)
            {
                shut.insert(hex);
            }
        }
    }
    shut
}

/// Calls `each` with every hex that a piece may march to, the way there and its cost.
pub(crate) fn reach(battle: &Battle, state: &State, piece: Piece, mut each: impl FnMut(Hex, Way, u8)) {
    if may_move(battle, state, piece).is_err() {
        return;
    }
    let lay = Lay::of(battle, state, state.phasing);
    let mut scratch = Scratch::new();
    reach_in(battle, state, &lay, &mut scratch, piece, &mut each);
}

fn reach_in(
    battle: &Battle,
    state: &State,
    lay: &Lay,
    scratch: &mut Scratch,
    piece: Piece,
    each: &mut impl FnMut(Hex, Way, u8),
) {
    let Some(mover) = Mover::new(battle, state, lay, piece) else { return };
    scratch.explore(battle, state, lay, &mover);
    scratch.force(battle, state, lay, &mover);
    for &hex in &scratch.list[1..] {
        if may_end(battle, state, lay, &mover, hex).is_ok() {
            each(hex, scratch.way[hex.index()], scratch.cost[hex.index()]);
        }
    }
}

pub(crate) fn offers_moving(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    let side = state.phasing;
    let lay = Lay::of(battle, state, side);
    let mut scratch = Scratch::new();
    for piece in (battle.pieces(side) & state.on_map()) - state.moved {
        let Some(from) = state.hex(piece) else { continue };
        if may_move(battle, state, piece).is_ok() {
            reach_in(battle, state, &lay, &mut scratch, piece, &mut |_, way, _| {
                out.push(Action::March { piece, from, way })
            });
        }
        if battle.special.exit.is_some() && may_leave(battle, state, piece).is_ok() {
            out.push(Action::Leave(piece));
        }
    }
    if battle.armies[side].limited {
        // In the order of the map: the order of the pieces would tell who stands where.
        let stacks: HexSet =
            stacking::unknown(battle, state, side).filter_map(|piece| state.hex(piece)).collect();
        out.extend(
            stacks
                .iter()
                .filter(|&hex| stacking::check_peek(battle, state, side, hex).is_ok())
                .map(Action::Peek),
        );
    }
    if battle.special.chit_buys_morale > 0 && state.chits[side] > 0 {
        out.push(Action::Hearten);
    }
    volume::offers_hasten(battle, state, out);
    if may_finish(battle, state).is_ok() {
        out.push(Action::Done);
    }
}

pub(crate) fn check_moving(battle: &Battle, state: &State, action: &Action) -> Lawful {
    match *action {
        Action::March { piece, from, way } => check_march(battle, state, piece, from, way),
        Action::Leave(piece) => may_leave(battle, state, piece),
        Action::Peek(hex) => stacking::check_peek(battle, state, state.phasing, hex),
        Action::Hearten if battle.special.chit_buys_morale == 0 => {
            Err(Bar::new(cite!("12.62.e"), "the scenario does not know this use of momentum"))
        }
        Action::Hearten if state.chits[state.phasing] == 0 => {
            Err(Bar::new(cite!("12.62.e"), "there is no chit to spend"))
        }
        Action::Hearten => Ok(()),
        Action::Hasten(turn) => volume::may_hasten(battle, state, turn),
        Action::Done => may_finish(battle, state),
        _ => Err(Bar::other("this is the movement phase: pieces march, or the phase ends")),
    }
}

fn may_finish(battle: &Battle, state: &State) -> Lawful {
    if !must_back_off(battle, state).is_empty() {
        return Err(Bar::new(
            cite!("13.3.d"),
            "a disrupted unit next to the enemy must first use its one hex to get away",
        ));
    }
    pins::may_finish(battle, state)
}

fn may_leave(battle: &Battle, state: &State, piece: Piece) -> Lawful {
    may_move(battle, state, piece)?;
    let Some(exit) = &battle.special.exit else {
        return Err(Bar::new(cite!("guilford-court-house.k"), "the scenario lets nobody leave the map"));
    };
    let there = state.hex(piece).is_some_and(|hex| exit.hexes.contains(hex));
    if exit.side == state.phasing && state.turn >= exit.from && there && !pins::is_pinned(state, piece) {
        return Ok(());
    }
    Err(Bar::new(
        cite!("guilford-court-house.k"),
        "the scenario lets units leave only later, or from another hex",
    ))
}

/// Carries a march out.
pub(crate) fn march(battle: &Battle, state: &mut State, piece: Piece, way: Way, fx: &mut impl Effects) {
    let Some(start) = state.hex(piece) else { return };
    pins::on_march(battle, state, piece);
    let side = battle.side(piece);
    // A zone that the player could not know of stops the march on the way (8.31.a, R92).
    let unforeseen = battle.armies[side].limited.then(|| zones::zone(battle, state, !side));
    let (mut at, mut gone) = (start, Way::EMPTY);
    for direction in way.steps() {
        let Some(to) = battle.ground.neighbour(at, direction) else { break };
        at = to;
        gone = gone.then(direction);
        state.place(piece, at);
        leaders::capture_lone(battle, state, piece, at, fx);
        how_to_win::take_hold(battle, state, piece, at, fx);
        if state.ending.is_some() {
            return;
        }
        if unforeseen.is_some_and(|zone| zone.contains(at)) {
            break;
        }
    }
    state.moved.add(piece);
    fx.tell(|| {
        let places = way_places(battle, start, gone);
        let mut entry = Entry::new(
            Kind::March,
            format!("{} {}.", does(&battle.counter(piece).name, "marches to"), battle.hex_name(at)),
        )
        .side(side)
        .rule(cite!("9.2.b"))
        .piece(piece.id());
        entry.places = places;
        entry
    });
    how_to_win::raise_alarm(battle, state, fx);
}

/// The hexes of a way, the start first.
pub(crate) fn way_places(battle: &Battle, start: Hex, way: Way) -> Vec<Place> {
    let mut at = start;
    let mut places = vec![Place::Hex(battle.hex_name(at))];
    for direction in way.steps() {
        let Some(to) = battle.ground.neighbour(at, direction) else { break };
        at = to;
        places.push(Place::Hex(battle.hex_name(at)));
    }
    places
}

pub(crate) fn leave(battle: &Battle, state: &mut State, piece: Piece, fx: &mut impl Effects) {
    state.at[piece.index()] = Spot::GONE;
    state.moved.add(piece);
    fx.tell(|| {
        Entry::new(Kind::Gone, does(&battle.counter(piece).name, "leaves the field."))
            .side(battle.side(piece))
            .rule(cite!("guilford-court-house.k"))
            .piece(piece.id())
    });
    how_to_win::army_has_left(battle, state, fx);
}

pub(crate) fn hearten(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let side = state.phasing;
    state.chits[side] -= 1;
    let gain = battle.special.chit_buys_morale as i8;
    fx.tell(|| {
        Entry::new(Kind::Note, side_does(&battle.armies[side].name, "spends a chit on the army's spirits."))
            .side(side)
            .rule(cite!("12.62.e"))
    });
    army_morale::adjust(battle, state, side, [gain, 0], fx);
}

/// After all movement: pins are lifted or kept, stacking is enforced, the scenario's anchors are looked at (9.6).
pub(crate) fn end_of_movement(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    pins::lift(battle, state, fx);
    if state.ending.is_some() {
        return;
    }
    how_to_win::drag_anchor(battle, state, fx);
    state.moved = Pieces::NONE;
    state.entered = Pieces::NONE;
    state.agenda.push(Step::Limit);
}
