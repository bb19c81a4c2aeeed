//! The position: small, flat, no heap.

use arrayvec::ArrayVec;
use game::{Agenda, BySide, Side};
use hexmap::{Hex, HexSet};
use serde::{Deserialize, Serialize};

/// The most combat units of a battle.
pub const UNITS: usize = 128;
/// The most combat units of one side.
pub const MOST_OF_A_SIDE: usize = 80;
/// The most SP of a combat unit.
pub const MOST_SP: usize = 99;
/// The most leaders of a battle.
pub const LEADERS: usize = 64;
/// The most objectives, sites and ford markers of a battle.
pub const PLACES: usize = 24;

/// A combat unit: its index in the order of battle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub u8);

/// A leader: his index in the list of leaders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LeaderId(pub u8);

impl UnitId {
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl LeaderId {
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A combat unit or a leader: what moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Piece {
    Unit(UnitId),
    Leader(LeaderId),
}

macro_rules! set_of {
    ($(#[$doc:meta])* $name:ident, $id:ident, $words:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name([u64; $words]);

        impl $name {
            pub const EMPTY: $name = $name([0; $words]);

            #[inline]
            #[must_use]
            pub fn contains(self, id: $id) -> bool {
                self.0[id.index() / 64] >> (id.index() % 64) & 1 == 1
            }

            #[inline]
            pub fn insert(&mut self, id: $id) {
                self.0[id.index() / 64] |= 1 << (id.index() % 64);
            }

            #[inline]
            pub fn remove(&mut self, id: $id) {
                self.0[id.index() / 64] &= !(1 << (id.index() % 64));
            }

            #[inline]
            #[must_use]
            pub fn is_empty(self) -> bool {
                self == Self::EMPTY
            }

            #[must_use]
            pub fn len(self) -> usize {
                self.0.iter().map(|w| w.count_ones() as usize).sum()
            }

            /// Those in both.
            #[inline]
            #[must_use]
            pub fn and(mut self, other: Self) -> Self {
                for (a, b) in self.0.iter_mut().zip(other.0) {
                    *a &= b;
                }
                self
            }

            /// Those in either.
            #[inline]
            #[must_use]
            pub fn or(mut self, other: Self) -> Self {
                for (a, b) in self.0.iter_mut().zip(other.0) {
                    *a |= b;
                }
                self
            }

            /// Those that are not in the other.
            #[inline]
            #[must_use]
            pub fn without(mut self, other: Self) -> Self {
                for (a, b) in self.0.iter_mut().zip(other.0) {
                    *a &= !b;
                }
                self
            }

            /// This one alone.
            #[inline]
            #[must_use]
            pub fn one(id: $id) -> Self {
                Self::from_iter([id])
            }

            /// Takes out the last in file order.
            #[inline]
            pub fn take_last(&mut self) -> Option<$id> {
                let last = self.iter().last()?;
                self.remove(last);
                Some(last)
            }

            /// In file order.
            #[inline]
            pub fn iter(self) -> impl Iterator<Item = $id> {
                self.0.into_iter().enumerate().flat_map(|(word, mut bits)| {
                    std::iter::from_fn(move || {
                        let bit = bits.trailing_zeros();
                        bits &= bits.checked_sub(1)?;
                        Some($id((word * 64) as u8 + bit as u8))
                    })
                })
            }
        }

        impl FromIterator<$id> for $name {
            fn from_iter<I: IntoIterator<Item = $id>>(ids: I) -> Self {
                let mut set = Self::EMPTY;
                ids.into_iter().for_each(|id| set.insert(id));
                set
            }
        }
    };
}

set_of!(
    /// A set of combat units.
    Units, UnitId, 2
);
set_of!(
    /// A set of leaders.
    Leaders, LeaderId, 1
);

/// Where a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Post {
    /// Not yet on the map.
    Due,
    On(Hex),
    /// Eliminated, or a leader without an army left to go to.
    Gone,
}

impl Post {
    #[inline]
    #[must_use]
    pub fn hex(self) -> Option<Hex> {
        match self {
            Post::On(hex) => Some(hex),
            Post::Due | Post::Gone => None,
        }
    }
}

/// What a unit has begun in the Organization Phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Task {
    None,
    /// A BUILD marker.
    Build,
    /// A FIRE STARTED marker at this site.
    Burn(u8),
}

/// A combat unit as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Unit {
    pub post: Post,
    pub sp: u8,
    pub routed: bool,
    /// Artillery unlimbered, cavalry dismounted, infantry always.
    pub deployed: bool,
    pub task: Task,
}

/// A leader as he stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Leader {
    pub post: Post,
    /// On his REPL side.
    pub replaced: bool,
}

/// 4.2: the phases of a half-turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Phase {
    Command,
    Organization,
    Artillery,
    Movement,
    Defensive,
    Offensive,
    Rally,
    /// Between turns: stragglers, the turn marker.
    Interval,
    Over,
}

/// The piece whose move is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mover {
    pub piece: Piece,
    /// Where its move began; none if it came from off the map.
    pub start: Option<Hex>,
    /// Halves of a movement point spent this turn.
    pub spent: u8,
    /// It enters no further hex this turn.
    pub stopped: bool,
}

/// 1.1.2.d: a unit has left the zone of an enemy in this turn's march.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Leave {
    pub unit: UnitId,
    pub zone_of: UnitId,
}

/// Every unit of a side leaves the zones of six enemies at most.
pub const LEAVES: usize = 6 * MOST_OF_A_SIDE;

/// A ford marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ford {
    /// Face down.
    Unsearched(Face),
    /// YES, for all to see.
    Found,
    /// NO, and removed.
    None,
}

/// The face of a marker that lies face down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Face {
    Yes,
    No,
    /// Concealed from whoever looks at this position.
    Hidden,
}

/// The fire under way, or the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fire {
    pub at: Option<Hex>,
    pub firers: Units,
    /// Leaders already checked for this fire.
    pub checked: Leaders,
    /// 9.9: in offensive fire, the hexes that the other side held when the die fell.
    #[serde(default, skip_serializing_if = "is_nowhere")]
    pub defended: HexSet,
}

impl Fire {
    pub const NONE: Fire =
        Fire { at: None, firers: Units::EMPTY, checked: Leaders::EMPTY, defended: HexSet::EMPTY };
}

/// Why a unit checks its morale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Why {
    /// It was fired on.
    Fire,
    /// A routing unit moved through it.
    Passed,
    /// It tries to rally.
    Rally,
}

/// 9.8: the kind of way that a retreat keeps to, the best first (R21, R22). Open until its first hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Class(u8);

impl Class {
    /// Not chosen yet.
    pub const OPEN: Class = Class(0);

    /// The class of that number, from 1.
    pub(crate) fn chosen(class: u8) -> Class {
        Class(class)
    }

    /// Its number, once it is chosen.
    pub(crate) fn number(self) -> Option<u8> {
        (self != Class::OPEN).then_some(self.0)
    }
}

/// A step of a procedure under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step {
    /// A fire is being declared: more units may join.
    Volley,
    /// The combat die lies on the table.
    CombatDie { natural: u8 },
    /// Leaders alone in the target hex, each to be rolled for.
    LoneLeader { leader: LeaderId },
    /// The die against a leader alone in the target hex lies on the table.
    LeaderDie { leader: LeaderId, natural: u8 },
    /// A leader casualty check.
    Casualty { leader: LeaderId },
    /// A leader goes to the nearest friendly unit.
    Place { leader: LeaderId },
    /// A unit checks morale.
    Morale { unit: UnitId, why: Why },
    /// A morale die lies on the table.
    MoraleDie { unit: UnitId, why: Why, natural: u8 },
    /// Unlimbered guns that must go back lose 1 SP and limber.
    Limber { unit: UnitId },
    /// A leader goes with his unit or to another.
    Choose { leader: LeaderId, unit: UnitId },
    /// A unit retreats or routs.
    Retreat { unit: UnitId, rout: bool, class: Class },
    /// The units that routs moved through check one after the other, the last of those left first.
    PassedBy { units: [UnitId; PASSED], left: u8 },
    /// Attackers may move into hexes that the combat has emptied.
    Advance,
    /// A leader may come along with the unit that advances.
    Follow { leader: LeaderId, to: Hex },
}

/// How deep procedures may nest. Most of it is for the checks that a chain of routs leaves behind.
pub const DEPTH: usize = 96;
/// What the rout of one unit, and all that happens to leaders with it and beside it, needs on top of those checks.
pub const ONE_ROUT: usize = 8;
/// The longest way of a retreat: its start, three hexes, every other unit of its side, and as many hexes in enemy zones
/// as it has SP to lose there.
pub const TRAIL: usize = MOST_OF_A_SIDE + MOST_SP + 3;
/// The checks that share a step.
pub const PASSED: usize = 8;
/// From this depth on no unit waits for two checks: each of a side still finds room, and one rout above them.
pub const MANY_WAIT: usize = DEPTH - ONE_ROUT - MOST_OF_A_SIDE.div_ceil(PASSED) - 1;

/// The most dice for arrivals, and the most prizes, of a scenario.
pub const LOTS: usize = 4;
pub const PRIZES: usize = 8;

fn is_nobody(leaders: &Leaders) -> bool {
    leaders.is_empty()
}

fn is_nowhere(hexes: &HexSet) -> bool {
    hexes.is_empty()
}

fn is_none_won(prizes: &u8) -> bool {
    *prizes == 0
}

/// A position.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    /// Index into the turn track.
    pub turn: u8,
    pub phase: Phase,
    /// Whose half-turn it is.
    pub active: Side,
    pub units: ArrayVec<Unit, UNITS>,
    pub leaders: ArrayVec<Leader, LEADERS>,
    pub losses: BySide<u16>,
    /// Tide of Battle markers still to be used.
    pub tide: BySide<bool>,
    /// OUT OF COMMAND markers.
    pub uncommanded: Units,
    /// FIRED markers.
    pub fired_marks: Units,
    /// Units that have tried to rally in this Rally Phase.
    pub acted: Units,
    pub moved: Units,
    pub moved_leaders: Leaders,
    pub mover: Option<Mover>,
    /// Whose zones the units that marched have left.
    #[serde(default, skip_serializing_if = "ArrayVec::is_empty")]
    pub left: ArrayVec<Leave, LEAVES>,
    /// Units that have fired in this phase.
    pub fired: Units,
    /// Units and leaders that have been fired at in this phase.
    pub targeted: Units,
    pub targeted_leaders: Leaders,
    /// Units that began this game turn next to an enemy.
    pub adjacent: Units,
    /// Who controls each objective.
    pub control: ArrayVec<Option<Side>, PLACES>,
    /// Completed breastworks.
    pub works: HexSet,
    /// Burned sites, one bit each.
    pub burned: u32,
    pub fords: ArrayVec<Ford, PLACES>,
    /// The turns that the scenario's dice have told so far.
    #[serde(default, skip_serializing_if = "ArrayVec::is_empty")]
    pub lots: ArrayVec<Option<u8>, LOTS>,
    /// Prizes that have been won, one bit each.
    #[serde(default, skip_serializing_if = "is_none_won")]
    pub prizes: u8,
    pub fire: Fire,
    /// The hexes of the retreat under way, its start first.
    pub trail: ArrayVec<Hex, TRAIL>,
    /// The leaders who go back with the unit.
    pub escort: Leaders,
    /// Leaders who wait for their casualty check, and leaders who wait to be placed, behind the one on the agenda.
    #[serde(default, skip_serializing_if = "is_nobody")]
    pub to_check: Leaders,
    #[serde(default, skip_serializing_if = "is_nobody")]
    pub to_place: Leaders,
    pub agenda: Agenda<Step, DEPTH>,
}

impl State {
    #[inline]
    #[must_use]
    pub fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id.index()]
    }

    #[inline]
    pub fn unit_mut(&mut self, id: UnitId) -> &mut Unit {
        &mut self.units[id.index()]
    }

    #[inline]
    #[must_use]
    pub fn leader(&self, id: LeaderId) -> &Leader {
        &self.leaders[id.index()]
    }

    #[inline]
    #[must_use]
    pub fn post_of(&self, piece: Piece) -> Post {
        match piece {
            Piece::Unit(id) => self.unit(id).post,
            Piece::Leader(id) => self.leader(id).post,
        }
    }

    /// Where the unit stands, if it is on the map.
    #[inline]
    pub(crate) fn unit_hex(&self, unit: UnitId) -> Option<Hex> {
        self.unit(unit).post.hex()
    }

    /// Where the leader stands, if he is on the map.
    #[inline]
    pub(crate) fn leader_hex(&self, leader: LeaderId) -> Option<Hex> {
        self.leader(leader).post.hex()
    }

    /// 1.1.2.d: the enemies whose zones the unit has left this turn.
    pub(crate) fn zones_left_by(&self, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        self.left.iter().filter(move |leave| leave.unit == unit).map(|leave| leave.zone_of)
    }

    /// 6.1.2: whether the site has been burned.
    #[inline]
    pub(crate) fn is_burned(&self, site: u8) -> bool {
        self.burned >> site & 1 == 1
    }

    /// 13.0: whether the prize has been won.
    pub(crate) fn is_won(&self, prize: usize) -> bool {
        self.prizes >> prize & 1 == 1
    }

    /// The combat unit in a hex.
    #[inline]
    #[must_use]
    pub fn unit_at(&self, hex: Hex) -> Option<UnitId> {
        self.units.iter().position(|u| u.post == Post::On(hex)).map(|i| UnitId(i as u8))
    }

    /// What nobody may know removed: the faces of the ford markers that lie face down.
    pub(crate) fn with_fords_hidden(&self) -> State {
        let mut seen = self.clone();
        for ford in &mut seen.fords {
            if let Ford::Unsearched(face) = ford {
                *face = Face::Hidden;
            }
        }
        seen
    }
}
