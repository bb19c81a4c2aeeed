//! 5.1, 5.2 The Command Phase: who is in command, by a path to a leader.

use game::words::does;
use game::{Effects, Entry, Kind, Side};
use hexmap::{Direction, Hex, HexSet};

use crate::rules::charts::Closed;
use crate::rules::concepts::{Lines, on_map, way};
use crate::setup::battle::Battle;
use crate::setup::pieces::{Arm, Rank};
use crate::state::{LeaderId, Piece, State, UnitId, Units};

/// 5.2, 2.3.6, 5.3: how many hexes a leader's command reaches.
pub(crate) fn radius(battle: &Battle, state: &State, leader: LeaderId) -> u8 {
    let sheet = battle.leader(leader);
    let here = state.leader(leader);
    let own = if here.replaced { 3 } else { 4 };
    let helped = sheet.rank == Rank::Division
        && here.post.hex().is_some()
        && superiors(battle, leader).any(|superior| state.leader(superior).post == here.post);
    own + u8::from(helped)
}

/// 1.1.8: the chain of command above a leader.
pub(crate) fn superiors(battle: &Battle, leader: LeaderId) -> impl Iterator<Item = LeaderId> + use<'_> {
    std::iter::successors(battle.leader(leader).superior, |&l| battle.leader(l).superior)
}

/// Hexes through which a command path of a side may run: no enemy, no enemy zone unless a friendly unit or leader is
/// there (5.2, R43).
pub(crate) fn open_to_command(battle: &Battle, state: &State, side: Side, lines: &Lines) -> HexSet {
    let leaders = battle.leaders_of[side].iter().filter_map(|id| state.leader(id).post.hex());
    let held: HexSet = lines.friends.iter().chain(leaders).collect();
    ((battle.map.in_play - lines.zone) | held) - lines.enemies
}

/// The hexes within a leader's command.
pub(crate) fn reach(battle: &Battle, state: &State, leader: LeaderId, open: &HexSet) -> HexSet {
    let Some(start) = state.leader(leader).post.hex() else { return HexSet::EMPTY };
    let mut reached = HexSet::EMPTY;
    reached.insert(start);
    let mut rim = reached;
    for _ in 0..radius(battle, state, leader) {
        let mut next = HexSet::EMPTY;
        for hex in rim.iter() {
            for direction in Direction::ALL {
                if let Some(way) = way(battle, state, hex, direction)
                    && way.closed != Closed::ToAll
                    && open.contains(way.to)
                    && reached.insert(way.to)
                {
                    next.insert(way.to);
                }
            }
        }
        rim = next;
    }
    reached
}

/// 5.2: whether this leader can put this unit in command.
fn may_command(battle: &Battle, leader: LeaderId, unit: UnitId) -> bool {
    let sheet = battle.unit(unit);
    sheet.arm == Arm::Artillery || sheet.division == Some(leader) || sheet.corps == Some(leader)
}

/// The units of a side that are out of command where everybody stands now.
pub(crate) fn uncommanded(battle: &Battle, state: &State, side: Side) -> Units {
    let lines = Lines::of(battle, state, side);
    let open = open_to_command(battle, state, side, &lines);
    let mut out: Units =
        on_map(battle, state, side).map(|(_, id)| id).filter(|&id| !battle.unit(id).independent).collect();
    for leader in battle.leaders_of[side].iter() {
        if out.is_empty() {
            break;
        }
        if state.leader(leader).post.hex().is_none() {
            continue;
        }
        let reached = reach(battle, state, leader, &open);
        for unit in out.iter() {
            let at: Option<Hex> = state.unit(unit).post.hex();
            if may_command(battle, leader, unit) && at.is_some_and(|hex| reached.contains(hex)) {
                out.remove(unit);
            }
        }
    }
    out
}

/// 5.1: command control is determined, for the whole turn.
pub(crate) fn determine(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let side = state.active;
    let out = uncommanded(battle, state, side);
    state.uncommanded = state.uncommanded.without(battle.of[side]);
    for unit in out.iter() {
        state.uncommanded.insert(unit);
        fx.tell(|| {
            let text = does(&battle.unit(unit).name, "is out of command.");
            let entry = Entry::new(Kind::Note, text).side(side).rule(cite!("5.2.3.a"));
            entry.piece(battle.piece_id(Piece::Unit(unit)))
        });
    }
}

/// 5.2.2, 5.2.3: whether the unit counts as in command.
#[inline]
pub(crate) fn in_command(state: &State, unit: UnitId) -> bool {
    !state.uncommanded.contains(unit)
}
