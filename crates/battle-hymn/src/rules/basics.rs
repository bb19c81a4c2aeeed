//! Chapter 3: strength points, control of Objectives, and what happens whenever a unit changes hex.

use game::log::Kind;
use game::words::does;
use game::{Effects, Entry, PieceId, Place};
use hexmap::Hex;

use crate::rules::zones::opposite;
use crate::setup::battle::Battle;
use crate::state::{Id, Mount, NOWHERE, State, Status};

#[must_use]
pub(crate) fn piece_id(id: Id) -> PieceId {
    PieceId(u16::from(id.0))
}

#[must_use]
pub(crate) fn place(battle: &Battle, hex: Hex) -> Place {
    Place::Hex(battle.ground.name(hex))
}

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
    crate::rules::cavalry::capture_horses_near(battle, state, id, to, fx);
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
        .piece(piece_id(id))
        .place(place(battle, hex))
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

/// The hexes of a packed path (three bits a direction plus one), walked from `start`.
pub(crate) fn walk(battle: &Battle, start: Hex, mut path: u64) -> impl Iterator<Item = Hex> + '_ {
    let mut at = start;
    std::iter::from_fn(move || {
        if path == 0 || at == NOWHERE {
            return None;
        }
        let direction = (path & 7) as usize - 1;
        path >>= 3;
        at = battle.ground.beyond[at.index()][direction];
        (at != NOWHERE).then_some(at)
    })
}

/// Marks the enemies whose zones cover a unit that has moved next to them (5.3.h).
pub(crate) fn mark_approach(battle: &Battle, state: &mut State, id: Id, fx: &mut impl Effects) {
    let mask = crate::rules::zones::enemies_over(battle, state, id);
    state.piece_mut(id).approach = mask;
    if mask != 0 {
        let hex = state.piece(id).hex;
        fx.tell(|| {
            let firers = crate::rules::zones::units_in(battle, state, hex, mask);
            let names: Vec<&str> = firers.into_iter().map(|u| battle.name(u)).collect();
            let mut entry = Entry::new(
                Kind::Note,
                does(battle.name(id), &format!("draws the approach fire of {}.", names.join(", "))),
            )
            .side(battle.side(id))
            .rule(cite!("5.3.h"))
            .piece(piece_id(id));
            entry.pieces.extend(firers.into_iter().map(piece_id));
            entry.place(place(battle, hex))
        });
    }
}

/// What holds of every position in which somebody decides.
pub(crate) fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
    let passing = |id: Id| {
        state.hand == id
            || state.agenda.iter().any(|s| matches!(s, crate::state::Step::Retreat(r) if r.unit == id))
    };
    for id in battle.ids() {
        let (unit, piece) = (battle.unit(id), state.piece(id));
        let name = &unit.id;
        if piece.strength + piece.holders > unit.strength {
            return Err(format!("{name} has strength from nowhere"));
        }
        if piece.demoralised > piece.strength {
            return Err(format!("{name} has more demoralised SPs than SPs"));
        }
        match piece.status {
            Status::OnMap if piece.hex == NOWHERE || !battle.ground.on_map.contains(piece.hex) => {
                return Err(format!("{name} is on no hex of the map"));
            }
            Status::OnMap if piece.intact() == 0 => {
                return Err(format!("{name} has no intact SP and is still on the map"));
            }
            Status::OnMap if state.at(piece.hex) != Some(id) && !passing(id) => {
                return Err(format!("{name} is stacked"));
            }
            Status::OnMap => {}
            _ if piece.hex != NOWHERE => return Err(format!("{name} is off the map in a hex")),
            Status::Shattered if piece.demoralised != piece.strength || piece.strength == 0 => {
                return Err(format!("{name} is shattered with intact SPs or none"));
            }
            Status::Eliminated if piece.strength + piece.holders > 0 => {
                return Err(format!("{name} is destroyed with SPs left"));
            }
            _ => {}
        }
        if piece.on_map()
            && piece.approach & !crate::rules::zones::adjacent_to(battle, state, unit.side.enemy(), piece.hex)
                != 0
        {
            return Err(format!("approach fire at {name} from where no enemy stands"));
        }
        horses_are_safe(battle, state, id)?;
    }
    // 3.6.b: whoever stands on an Objective controls it.
    for (objective, control) in battle.victory.objectives.iter().zip(&state.control) {
        let holder = state.at(objective.hex).map(|id| battle.side(id));
        if holder.is_some() && holder != *control {
            return Err(format!("{} is not controlled by the unit that stands on it", objective.name));
        }
    }
    Ok(())
}

/// 11.3.o: dismounted cavalry has its horses on the map, and no enemy or enemy zone is there.
fn horses_are_safe(battle: &Battle, state: &State, id: Id) -> Result<(), String> {
    let (name, piece) = (&battle.unit(id).id, state.piece(id));
    let out = piece.mount == Mount::Dismounted;
    if out != state.horse_markers.contains(id) || out != (piece.horses != NOWHERE) {
        return Err(format!("{name} and its horse marker do not agree"));
    }
    let enemy = battle.side(id).enemy();
    let taken = |hex: Hex| {
        crate::rules::zones::covers(battle, state, enemy, hex)
            || state.at(hex).is_some_and(|u| battle.side(u) == enemy)
    };
    match out && taken(piece.horses) {
        true => Err(format!("the enemy should have taken the horses of {name}")),
        false => Ok(()),
    }
}
