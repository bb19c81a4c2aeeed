//! A position as it is written down: its digest follows from this form, which never changes within an edition.

use game::{Agenda, Outcome, Side};
use hexmap::{Hex, HexSet};
use serde::{Deserialize, Serialize};

use crate::state::{
    CONGA, DEPTH, Id, MAX_OBJECTIVES, MAX_UNITS, NO_FORMATION, Piece, SETS, State, Step, UnitSet,
};

/// A position as it is written down.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Saved {
    pieces: Vec<Piece>,
    hour: u8,
    attacker: Option<Side>,
    active: u8,
    held: Option<Side>,
    initiative: Option<Side>,
    cup: u32,
    drawn: Vec<u8>,
    hand: Id,
    left: u8,
    stride: bool,
    round: u8,
    mishaps: u8,
    sets: [UnitSet; SETS],
    conga: [(Hex, u8); CONGA],
    control: [Option<Side>; MAX_OBJECTIVES],
    banked: [i16; 2],
    screened: Vec<Hex>,
    outcome: Option<Outcome>,
    agenda: Agenda<Step, DEPTH>,
}

impl From<State> for Saved {
    fn from(state: State) -> Saved {
        Saved {
            pieces: state.pieces[..usize::from(state.units)].to_vec(),
            hour: state.hour,
            attacker: state.attacker,
            active: state.active.unwrap_or(NO_FORMATION),
            held: state.held,
            initiative: state.initiative,
            cup: state.cup,
            drawn: state.drawn[..usize::from(state.draws)].to_vec(),
            hand: state.hand.unwrap_or(Id::NONE),
            left: state.left,
            stride: state.stride,
            round: state.round,
            mishaps: state.mishaps,
            sets: state.key().1.map(UnitSet),
            conga: state.conga,
            control: state.control,
            banked: state.banked,
            screened: state.screened.iter().collect(),
            outcome: state.outcome,
            agenda: state.agenda,
        }
    }
}

impl From<Saved> for State {
    fn from(saved: Saved) -> State {
        let units = saved.pieces.len().min(MAX_UNITS);
        let mut state = State::empty(units);
        state.agenda = saved.agenda;
        for (i, piece) in saved.pieces.into_iter().take(MAX_UNITS).enumerate() {
            state.pieces[i] = piece;
        }
        state.hand = Some(saved.hand).filter(|&id| id != Id::NONE);
        state.stand_in_hexes();
        let draws = saved.drawn.len().min(32);
        state.drawn[..draws].copy_from_slice(&saved.drawn[..draws]);
        state.draws = draws as u8;
        [
            state.moved,
            state.rallied,
            state.began_in_zone,
            state.stopped,
            state.stopped_entering,
            state.horse_markers,
            state.placed,
            state.members,
            state.fought,
            state.bombarded,
            state.advanced,
            state.advanced_now,
            state.retreated,
            state.tried,
            state.fired_in_two,
            state.settled,
        ] = saved.sets;
        State {
            hour: saved.hour,
            attacker: saved.attacker,
            active: Some(saved.active).filter(|&f| f != NO_FORMATION),
            held: saved.held,
            initiative: saved.initiative,
            cup: saved.cup,
            left: saved.left,
            stride: saved.stride,
            round: saved.round,
            mishaps: saved.mishaps,
            conga: saved.conga,
            control: saved.control,
            banked: saved.banked,
            screened: saved.screened.into_iter().filter(|h| h.index() < HexSet::CAPACITY).collect(),
            outcome: saved.outcome,
            ..state
        }
    }
}
