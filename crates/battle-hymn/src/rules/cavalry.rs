//! Section 11.3: mounting, dismounting, horse holders, and what becomes of the horses.

use game::log::Kind;
use game::words::does;
use game::{Effects, Entry};
use hexmap::{Hex, HexSet};

use crate::action::{Action, Offers};
use crate::legal::Bar;
use crate::rules::movement::Explorer;
use crate::rules::reach::{Bounds, Reach};
use crate::rules::retreat::Hexes;
use crate::rules::zones::{Field, directions};
use crate::rules::{basics, morale, movement};
use crate::setup::battle::Battle;
use crate::setup::ground::CLOSED;
use crate::setup::pieces::{Arm, Column};
use crate::state::{Causes, Id, Mount, NOWHERE, State, Status};

/// 11.3.d, 11.3.s.
pub(crate) const COST_OF_SEAT: u8 = 3;
/// 11.3.j.
const LEASH: u8 = 9;
/// Ways to the horses longer than this are no longer told apart.
const LONGEST_LEASH: usize = 96;

/// 11.3.g: one third of the unit's SPs.
#[must_use]
pub(crate) fn holders_for(state: &State, id: Id) -> u8 {
    state.piece(id).strength / 3
}

/// Cavalry that can still get on its horses or off them.
#[must_use]
pub(crate) fn has_horses(battle: &Battle, state: &State, id: Id) -> bool {
    battle.unit(id).arm == Arm::Cavalry && state.piece(id).mount != Mount::HorsesLost
}

/// Whether the unit could mount or dismount with what it has left.
#[must_use]
pub(crate) fn may_change_seat(battle: &Battle, state: &State, id: Id) -> bool {
    battle.unit(id).arm == Arm::Cavalry
        && match state.piece(id).mount {
            Mount::Mounted => horse_hexes(battle, state, id).next().is_some(),
            Mount::Dismounted => check_mount(battle, state, id).is_ok(),
            Mount::HorsesLost => false,
        }
}

/// `mount` and `dismount` of a unit of the active Formation.
pub(crate) fn offers(battle: &Battle, state: &State, id: Id, out: &mut impl Offers) {
    if battle.unit(id).arm != Arm::Cavalry
        || state.moved.contains(id)
        || movement::held_back(battle, state, id)
    {
        return;
    }
    match state.piece(id).mount {
        Mount::Mounted => {
            horse_hexes(battle, state, id).for_each(|horses| out.offer(Action::Dismount { unit: id, horses }))
        }
        Mount::Dismounted if check_mount(battle, state, id).is_ok() => out.offer(Action::Mount { unit: id }),
        Mount::Dismounted | Mount::HorsesLost => {}
    }
}

/// The hexes its horses may be held in; none if it may not dismount at all.
fn horse_hexes<'a>(battle: &'a Battle, state: &'a State, id: Id) -> impl Iterator<Item = Hex> + 'a {
    let able = check_dismount(battle, state, id).is_ok();
    let hidden = if able { movement::out_of_sight(battle, state, battle.side(id)) } else { HexSet::EMPTY };
    let hex = state.piece(id).hex;
    let nearby = battle.ground.beyond[hex.index()];
    (0..6).filter(move |&d| able && horse_hex_ok(battle, state, hex, d, &hidden)).map(move |d| nearby[d])
}

/// 11.3.f.
fn horse_hex_ok(battle: &Battle, state: &State, hex: Hex, direction: usize, hidden: &HexSet) -> bool {
    let there = battle.ground.beyond[hex.index()][direction];
    there != NOWHERE
        && battle.ground.costs[Column::Cavalry as usize][hex.index()][direction] != CLOSED
        && hidden.contains(there)
        && state.at(there).is_none()
        && !state.horse_markers.into_iter().any(|u| state.piece(u).horses == there)
}

/// Whether the unit may dismount, wherever its horses go.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check_dismount(battle: &Battle, state: &State, id: Id) -> Result<(), Bar> {
    let piece = state.piece(id);
    if battle.unit(id).arm != Arm::Cavalry || piece.mount != Mount::Mounted {
        return Err(Bar::new("Only mounted cavalry dismounts.", cite!("11.3.d")));
    }
    if movement::points_left(battle, state, id) < COST_OF_SEAT {
        return Err(Bar::new("It costs 3 MP, and the unit has fewer left.", cite!("11.3.d")));
    }
    if piece.intact() <= holders_for(state, id) {
        return Err(Bar::new("Its horse holders would leave it without an intact SP.", cite!("11.3.h")));
    }
    Ok(())
}

/// The whole order `dismount`.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check_dismount_with(battle: &Battle, state: &State, id: Id, horses: Hex) -> Result<(), Bar> {
    check_dismount(battle, state, id)?;
    let hex = state.piece(id).hex;
    let hidden = movement::out_of_sight(battle, state, battle.side(id));
    match battle.ground.direction(hex, horses) {
        Some(d) if horse_hex_ok(battle, state, hex, d, &hidden) => Ok(()),
        _ => Err(Bar::new(
            "It must be a neighbouring hex that cavalry could enter, out of enemy sight, without a unit or other horses.",
            cite!("11.3.f"),
        )),
    }
}

/// `mount`.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check_mount(battle: &Battle, state: &State, id: Id) -> Result<(), Bar> {
    let piece = state.piece(id);
    match piece.mount {
        Mount::HorsesLost => return Err(Bar::new("Its horses are lost.", cite!("11.3.r"))),
        Mount::Mounted => return Err(Bar::new("It is not dismounted cavalry.", cite!("11.3.i"))),
        Mount::Dismounted => {}
    }
    if battle.ground.distance(piece.hex, piece.horses) != 1 {
        return Err(Bar::new("Its horses must be in a neighbouring hex.", cite!("11.3.i")));
    }
    if movement::points_left(battle, state, id) < COST_OF_SEAT {
        return Err(Bar::new("It costs 3 MP, and the unit has fewer left.", cite!("11.3.d")));
    }
    Ok(())
}

pub(crate) fn dismount(battle: &Battle, state: &mut State, unit: Id, horses: Hex, fx: &mut impl Effects) {
    movement::take_in_hand(battle, state, unit);
    let holders = holders_for(state, unit);
    let piece = state.piece_mut(unit);
    piece.strength -= holders;
    (piece.holders, piece.mount, piece.horses) = (holders, Mount::Dismounted, horses);
    state.horse_markers.insert(unit);
    state.left -= COST_OF_SEAT;
    go_on(battle, state, unit);
    fx.tell(|| {
        let text = format!(
            "{}; {holders} SP hold the horses in {}.",
            does(battle.name(unit), "dismounts"),
            battle.ground.name(horses)
        );
        Entry::new(Kind::March, text)
            .side(battle.side(unit))
            .rule(cite!("11.3.g"))
            .piece(unit.piece())
            .place(battle.place(state.piece(unit).hex))
            .place(battle.place(horses))
    });
}

pub(crate) fn mount(battle: &Battle, state: &mut State, unit: Id, fx: &mut impl Effects) {
    movement::take_in_hand(battle, state, unit);
    rejoin(state, unit);
    state.left -= COST_OF_SEAT;
    go_on(battle, state, unit);
    fx.tell(|| {
        Entry::new(Kind::March, does(battle.name(unit), "mounts."))
            .side(battle.side(unit))
            .rule(cite!("11.3.i"))
            .piece(unit.piece())
            .place(battle.place(state.piece(unit).hex))
    });
}

/// In the saddle or out of it, the unit may march on.
fn go_on(battle: &Battle, state: &mut State, unit: Id) {
    state.stride = !state.stopped.contains(unit);
    if state.left == 0 || (!state.stride && !may_change_seat(battle, state, unit)) {
        movement::end_move(state);
    }
}

/// Holders and horses come back to the unit.
fn rejoin(state: &mut State, unit: Id) {
    let piece = state.piece_mut(unit);
    piece.strength += piece.holders;
    (piece.holders, piece.mount, piece.horses) = (0, Mount::Mounted, NOWHERE);
    state.horse_markers.remove(unit);
}

/// A unit that leaves the map takes its horses along.
pub(crate) fn horses_go_with_unit(state: &mut State, unit: Id) {
    if state.piece(unit).mount == Mount::Dismounted {
        rejoin(state, unit);
    }
}

/// R60: a shattered unit's holders rejoin it; those of an eliminated one are lost with it.
pub(crate) fn horses_of_lost_unit(state: &mut State, unit: Id, status: Status) {
    if state.piece(unit).mount != Mount::Dismounted {
        return;
    }
    if status == Status::Eliminated {
        state.piece_mut(unit).holders = 0;
    }
    rejoin(state, unit);
}

/// 11.3.o: the zone of a unit in `hex`, or the unit itself, takes enemy horses.
pub(crate) fn capture_horses_near(
    battle: &Battle,
    state: &mut State,
    by: Id,
    hex: Hex,
    fx: &mut impl Effects,
) {
    if state.horse_markers.is_empty() {
        return;
    }
    let enemies = battle.armies[battle.side(by).enemy()].units;
    for owner in state.horse_markers.and(enemies) {
        let horses = state.piece(owner).horses;
        let reached = horses == hex
            || directions(battle.ground.zone_out[hex.index()])
                .any(|d| battle.ground.beyond[hex.index()][d] == horses);
        if reached {
            lose_horses(battle, state, owner, by, fx);
        }
    }
}

/// 11.3.p: the holders and one more SP are lost, a Demoralized one if possible.
fn lose_horses(battle: &Battle, state: &mut State, owner: Id, by: Id, fx: &mut impl Effects) {
    let (horses, holders) = (state.piece(owner).horses, state.piece(owner).holders);
    fx.tell(|| {
        let held = match holders {
            0 => String::new(),
            n => format!(" and the {n} SP holding them"),
        };
        Entry::new(
            Kind::Loss,
            format!("{} {}{held}.", does(battle.name(by), "takes the horses of"), battle.name(owner)),
        )
        .side(battle.side(by))
        .rule(cite!("11.3.o"))
        .piece(owner.piece())
        .piece(by.piece())
        .place(battle.place(horses))
    });
    let piece = state.piece_mut(owner);
    (piece.holders, piece.mount, piece.horses) = (0, Mount::HorsesLost, NOWHERE);
    state.horse_markers.remove(owner);
    morale::lose_one(battle, state, owner, cite!("11.3.p"), fx);
    morale::remove_if_broken(battle, state, owner, Causes::NONE, fx);
}

/// How far a dismounted unit is from its horses, by hex, and how far it may be (11.3.j, R62).
#[derive(Debug)]
pub(crate) struct Leash {
    lengths: [u8; HexSet::CAPACITY],
    bounds: Bounds,
    start: Option<u8>,
    /// The longest leash a march may end with: nine, or for one that has strayed the shortest it can reach.
    limit: u8,
}

impl Leash {
    /// The leash of a dismounted unit; others have none.
    #[must_use]
    #[inline]
    pub(crate) fn of(battle: &Battle, state: &State, field: &Field, id: Id) -> Option<Leash> {
        if state.piece(id).mount != Mount::Dismounted {
            return None;
        }
        // Within the leash nothing beyond it matters; only one that has strayed needs the whole field.
        let leash = Leash::measured::<{ LEASH as usize + 1 }>(battle, state, field, id);
        if leash.start.is_some() {
            return Some(leash);
        }
        let mut leash = Leash::measured::<LONGEST_LEASH>(battle, state, field, id);
        if leash.can_be_shortened() {
            leash.limit = leash.shortest_in_reach(battle, state, field, id).max(LEASH);
        }
        Some(leash)
    }

    fn measured<const B: usize>(battle: &Battle, state: &State, field: &Field, id: Id) -> Leash {
        let piece = state.piece(id);
        let bounds = Bounds { closed: field.enemies, stops: HexSet::EMPTY };
        let mut reach = Reach::<B>::new();
        reach.explore_back(
            &battle.ground,
            &battle.ground.costs[Column::Infantry as usize],
            piece.horses,
            &bounds,
        );
        let mut leash = Leash { lengths: *reach.costs(), bounds, start: None, limit: LEASH };
        leash.start = leash.length(piece.hex);
        leash
    }

    /// The shortest leash the unit can march to in this Turn (11.3.k).
    fn shortest_in_reach(&self, battle: &Battle, state: &State, field: &Field, id: Id) -> u8 {
        let bounds = movement::bounds(battle, state, field, id);
        let costs = &battle.ground.costs[movement::column_now(battle, state, id) as usize];
        let points = movement::points_left(battle, state, id);
        let mut shortest = CLOSED;
        Explorer::new().explore(&battle.ground, costs, state.piece(id).hex, points, &bounds, |hex, _| {
            if !field.friends.contains(hex) {
                shortest = shortest.min(self.length(hex).unwrap_or(CLOSED));
            }
        });
        shortest
    }

    /// Infantry MPs from a hex to the horses.
    #[must_use]
    pub(crate) fn length(&self, hex: Hex) -> Option<u8> {
        let length = self.lengths[hex.index()];
        (length != CLOSED && !self.bounds.closed.contains(hex)).then_some(length)
    }

    /// Whether the unit is beyond its leash already (11.3.k).
    #[must_use]
    pub(crate) fn is_overstretched(&self) -> bool {
        self.start.is_none_or(|s| s > LEASH)
    }

    /// Whether it is too long and there is a way back at all (11.3.k).
    #[must_use]
    pub(crate) fn can_be_shortened(&self) -> bool {
        self.start.is_some_and(|s| s > LEASH)
    }

    /// Within nine MPs; for one that began beyond and cannot be back this Turn, as near as it can come.
    #[must_use]
    pub(crate) fn allows(&self, hex: Hex) -> bool {
        match (self.length(hex), self.start) {
            (_, None) => true,
            (Some(there), Some(here)) => there <= self.limit && (here <= LEASH || there < here),
            (None, Some(_)) => false,
        }
    }
}

/// R53: of hexes equally good, those nearest the horses by infantry MPs.
pub(crate) fn nearest_to_horses(battle: &Battle, state: &State, id: Id, hexes: &mut Hexes) {
    if state.piece(id).mount != Mount::Dismounted || hexes.len() < 2 {
        return;
    }
    let field = Field::seen_by(battle, state, battle.side(id));
    let leash = Leash::measured::<LONGEST_LEASH>(battle, state, &field, id);
    let Some(least) = hexes.iter().filter_map(|&h| leash.length(h)).min() else { return };
    hexes.retain(|h| leash.length(*h) == Some(least));
}

/// Where the horse marker of a unit that begins dismounted stands, and how many hold it.
pub(crate) fn begin_dismounted(state: &mut State, unit: Id, horses: Hex) {
    let holders = holders_for(state, unit);
    let piece = state.piece_mut(unit);
    piece.strength -= holders;
    (piece.holders, piece.mount, piece.horses) = (holders, Mount::Dismounted, horses);
    state.horse_markers.insert(unit);
}

/// Infantry MPs to its horses, for those who ask.
#[must_use]
pub(crate) fn leash_length(battle: &Battle, state: &State, id: Id) -> Option<u8> {
    let field = Field::seen_by(battle, state, battle.side(id));
    Leash::of(battle, state, &field, id)?.start
}

/// Control and horses when a unit appears on the map, by entry or placement.
pub(crate) fn appear(battle: &Battle, state: &mut State, unit: Id, hex: Hex, fx: &mut impl Effects) {
    state.put(unit, hex);
    basics::take_control(battle, state, unit, hex, fx);
    capture_horses_near(battle, state, unit, hex, fx);
}
