//! 2.3 The units and leaders: what their counters say.

use game::Side;
use hexmap::Hex;

use crate::state::LeaderId;

/// 2.3.1: the arms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arm {
    Infantry,
    Cavalry,
    Artillery,
}

/// 1.1.5: morale by colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Morale {
    Green,
    Black,
    Gold,
}

impl Morale {
    /// The number a morale die may not exceed.
    #[must_use]
    pub const fn number(self) -> i16 {
        match self {
            Morale::Green => 5,
            Morale::Black => 7,
            Morale::Gold => 9,
        }
    }

    /// The colour in words.
    #[must_use]
    pub const fn colour(self) -> &'static str {
        match self {
            Morale::Green => "green",
            Morale::Black => "black",
            Morale::Gold => "gold",
        }
    }
}

/// Where and when a piece comes into play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    At(Hex),
    /// From this turn (index into the track) on, through this entry area.
    Enters {
        turn: u8,
        area: u8,
    },
    /// From a turn that a die of the scenario tells, through this entry area.
    ByDie {
        lot: u8,
        area: u8,
    },
    /// Never by itself: only a written position brings it in.
    Nowhere,
}

/// A counter.
#[derive(Debug, Clone)]
pub struct UnitSheet {
    pub slug: String,
    pub name: String,
    pub byname: Option<String>,
    pub side: Side,
    pub arm: Arm,
    pub sp: u8,
    /// 2.3.2: the printed SP of the back; 0 for artillery and units of 1 SP.
    pub back: u8,
    pub morale: Morale,
    /// The colour of the back.
    pub back_morale: Morale,
    pub division: Option<LeaderId>,
    pub corps: Option<LeaderId>,
    pub army: Option<LeaderId>,
    pub independent: bool,
    pub start: Start,
    /// Artillery that starts unlimbered, cavalry that starts dismounted.
    pub deployed: bool,
}

impl UnitSheet {
    /// 1.1.8: the leaders above the unit, the nearest first.
    pub(crate) fn chain(&self) -> impl Iterator<Item = LeaderId> + use<> {
        [self.division, self.corps, self.army].into_iter().flatten()
    }
}

/// 1.1.8: the tiers of leaders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    Division,
    Corps,
    Army,
}

/// A leader's counter.
#[derive(Debug, Clone)]
pub struct LeaderSheet {
    pub slug: String,
    pub name: String,
    pub side: Side,
    pub rank: Rank,
    pub superior: Option<LeaderId>,
    pub start: Start,
    pub replaced: bool,
}
