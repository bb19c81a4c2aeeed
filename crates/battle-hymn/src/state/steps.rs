//! The procedures under way, as they wait on the agenda.

use game::Side;
use hexmap::Hex;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rules::retreat::Plan;
use crate::state::{Id, NOWHERE, Trail};

/// What caused a retreat: hexes next to `at`, by direction (7.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Causes {
    pub at: Hex,
    pub directions: u8,
}

impl Causes {
    pub const NONE: Causes = Causes { at: NOWHERE, directions: 0 };
}

/// A retreat under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Retreat {
    /// The way gone so far.
    #[serde(with = "crate::state::trail")]
    pub path: Option<Trail>,
    pub unit: Id,
    pub steps: u8,
    pub start: Hex,
    pub causes: Causes,
    /// The hex of a friend it waits to enter (7.8).
    #[serde(with = "nowhere")]
    pub pausing_before: Option<Hex>,
    /// The friend who has checked there.
    #[serde(with = "nobody")]
    pub checked: Option<Id>,
    pub voluntary: bool,
    /// Which paths are open to it, once that has been found out (R47).
    pub plan: Option<Plan>,
}

/// Which fire a check follows (10.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FireOf {
    Approach,
    Round,
}

/// The procedures of the rulebook, as they wait on the agenda.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step {
    /// Initiative and cup of a new Hour (4.a, 4.b).
    Hour,
    /// Declare, or draw (4.d).
    Draw,
    /// The Movement Turn of the active Formation (5).
    March,
    /// A rallied unit is placed (10.5.3).
    Place(Id),
    /// Step 1 of a Combat Turn (6.1.1).
    CavalryRetreat,
    /// Step 2 (6.1.2).
    Bombard,
    /// Step 3 (6.1.3).
    Withdraw,
    /// Step 4: who fires at whom (6.1.4).
    Approach,
    /// Steps 5 and 6: the next Engagement (6.1.5).
    Engage,
    /// Optional attacks of the Round (6.1.7.c).
    Options,
    /// All targets of the Round are known.
    Aim,
    /// Odd SPs are assigned (6.1.7.f).
    Split(FireOf),
    /// The dice of a step, one fire at a time: whose is next, and at which of his targets.
    Fire(FireOf, Id, u8),
    /// Checks of the Defender's, then the Attacker's hit units.
    Checks(FireOf, Side),
    /// Advances after combat (8).
    Advance,
    /// Another Round, or the end of the Engagement (6.1.8).
    NextRound,
    /// Retreats at the end of an Engagement (6.1.8.b).
    FallBack,
    /// Step 7 (6.1.d).
    Sweep,
    /// Somebody falls back (7).
    Retreat(Retreat),
    /// The time marker moves (4.h).
    TimePasses,
}

/// No hex, written down as a number that no hex has.
mod nowhere {
    use super::*;

    pub(super) fn serialize<S: Serializer>(hex: &Option<Hex>, to: S) -> Result<S::Ok, S::Error> {
        hex.unwrap_or(NOWHERE).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Hex>, D::Error> {
        Ok(Some(Hex::deserialize(from)?).filter(|&hex| hex != NOWHERE))
    }
}

/// No unit, written down as a number that no unit has.
mod nobody {
    use super::*;

    pub(super) fn serialize<S: Serializer>(id: &Option<Id>, to: S) -> Result<S::Ok, S::Error> {
        id.unwrap_or(Id::NONE).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Id>, D::Error> {
        Ok(Some(Id::deserialize(from)?).filter(|&id| id != Id::NONE))
    }
}
