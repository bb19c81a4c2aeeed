//! What a player may decide, and the parts of a decision.

use hexmap::Hex;

use crate::state::{LeaderId, Piece, UnitId};

/// One decision of one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// `done`: the phase is over.
    Done,
    /// `build rodes`: begins a breastwork.
    Build { unit: UnitId },
    /// `raze rodes`: pulls a breastwork down.
    Raze { unit: UnitId },
    /// `burn rodes 0405/0505`: sets fire to a bridge, depot or rail line.
    Burn { unit: UnitId, site: u8 },
    /// `search rodes 0405/0505`: turns a ford marker up.
    Search { unit: UnitId, ford: u8 },
    /// `fire caldwell at rodes`: declares a fire.
    Fire { unit: UnitId, at: Hex },
    /// `join meagher`: takes part in the fire being declared.
    Join { unit: UnitId },
    /// `open`: all who fire have been named.
    Open,
    /// `march meagher 0910`.
    March { piece: Piece, to: Hex },
    /// `limber`, `unlimber`, `mount` or `dismount`.
    Change { unit: UnitId, drill: Drill },
    /// `tide`: the die on the table is rolled again.
    Tide,
    /// `keep`: the die stands.
    Keep,
    /// `place hill rodes`: the leader goes to that unit.
    Place { leader: LeaderId, unit: UnitId },
    /// `stay hill`: the leader goes back with his unit.
    Stay { leader: LeaderId },
    /// `retreat rodes 0506`: the next hex of the way back.
    Retreat { unit: UnitId, to: Hex },
    /// `advance meagher`: into the hex that was fired at; `advance hood 0406`: into another that the combat has
    /// emptied.
    Advance { unit: UnitId, to: Option<Hex> },
    /// `hold`: nobody advances.
    Hold,
    /// `follow hancock`: the leader comes along with the advance.
    Follow { leader: LeaderId },
    /// `remain hancock`: he does not.
    Remain { leader: LeaderId },
    /// `rally rodes`.
    Rally { unit: UnitId },
}

/// 8.1.9: a change of formation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Drill {
    Limber,
    Unlimber,
    Mount,
    Dismount,
}

impl Action {
    /// The piece an action is about, if it is about one.
    pub(crate) fn piece(self) -> Option<Piece> {
        match self {
            Action::Build { unit }
            | Action::Raze { unit }
            | Action::Burn { unit, .. }
            | Action::Search { unit, .. }
            | Action::Fire { unit, .. }
            | Action::Join { unit }
            | Action::Change { unit, .. }
            | Action::Retreat { unit, .. }
            | Action::Advance { unit, .. }
            | Action::Rally { unit } => Some(Piece::Unit(unit)),
            Action::March { piece, .. } => Some(piece),
            Action::Place { leader, .. }
            | Action::Stay { leader }
            | Action::Follow { leader }
            | Action::Remain { leader } => Some(Piece::Leader(leader)),
            Action::Done | Action::Open | Action::Tide | Action::Keep | Action::Hold => None,
        }
    }
}
