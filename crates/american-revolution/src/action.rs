//! One decision of one player.

use game::Side;
use hexmap::{Direction, Hex};
use serde::{Deserialize, Serialize};

use crate::rules::tactics::Tactic;
use crate::setup::ground::Ground;
use crate::setup::pieces::{Piece, Pieces};

/// A way hex by hex, as directions packed into one word: up to nineteen steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Way(u64);

impl Way {
    /// No step.
    pub const EMPTY: Way = Way(0);
    /// The most steps.
    pub const LONGEST: usize = 19;

    /// How many steps.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        (self.0 >> 60) as usize + ((self.0 >> 55 & 16) as usize)
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// With one step more.
    ///
    /// The low 57 bits hold nineteen directions of three bits; the length stands in the bits above.
    #[inline]
    #[must_use]
    pub const fn then(self, direction: Direction) -> Way {
        let len = self.len();
        let steps = (self.0 & ((1 << 57) - 1)) | (direction as u64) << (3 * len);
        let longer = len as u64 + 1;
        Way(steps | (longer & 15) << 60 | (longer >> 4 & 1) << 59)
    }

    /// The directions in order.
    #[inline]
    pub fn steps(self) -> impl Iterator<Item = Direction> {
        (0..self.len()).map(move |i| Direction::from_index((self.0 >> (3 * i) & 7) as usize))
    }

    /// Where it leads from `start`; none if it leaves the map.
    #[must_use]
    pub fn end(self, ground: &Ground, start: Hex) -> Option<Hex> {
        self.steps().try_fold(start, |hex, direction| ground.neighbour(hex, direction))
    }
}

/// One decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// "I spend two chits on the initiative."
    Spend(u8),
    /// "I spend three and they go first."
    Dictate(Side),
    /// "A chit for the army's spirits" (a volume's use of momentum).
    Hearten,
    /// "Let them go a turn early": the release of that turn, where the volume lets a leader bring it forward.
    Hasten(u8),
    /// A reinforcement is put into its entry hex.
    Enter(Piece),
    /// A piece moves.
    March {
        /// Who.
        piece: Piece,
        /// From where.
        from: Hex,
        /// By which way.
        way: Way,
    },
    /// A piece leaves the map for good, where the volume lets it.
    Leave(Piece),
    /// A unit tries to rally.
    Rally(Piece),
    /// A unit is sent home, where the volume lets it.
    Dismiss(Piece),
    /// Guns fire together into a hex.
    Bombard {
        /// Which guns.
        guns: Pieces,
        /// Where.
        at: Hex,
    },
    /// Rifles fire together into an adjacent hex.
    Shoot {
        /// Which rifles.
        rifles: Pieces,
        /// Where.
        at: Hex,
    },
    /// The unit of that hex that is fired on.
    Target(Piece),
    /// An enemy stack is examined against the rules of limited intelligence.
    Peek(Hex),
    /// A unit is told to attack these neighbouring hexes, a bit for each direction.
    Attack {
        /// Who.
        unit: Piece,
        /// From where.
        from: Hex,
        /// Which neighbours.
        at: u8,
    },
    /// That stack receives the diversion.
    Divert(Hex),
    /// The combat for that hex is resolved next.
    Resolve(Hex),
    /// That unit leads.
    Lead(Piece),
    /// The defenders withdraw before combat.
    Withdraw,
    /// A tactic, sealed.
    Play(Tactic),
    /// A chit for a new die.
    Reroll,
    /// One unit or leader out of several: who is captured, loses the step, falls, checks next.
    Pick(Piece),
    /// The unit at hand retreats that way.
    Retreat {
        /// From where.
        from: Hex,
        /// By which way.
        way: Way,
    },
    /// It loses a step to find room (13.23.b).
    Shed,
    /// It lets itself be captured.
    Yield,
    /// A leader goes along with the unit that has just left his hex.
    Follow(Piece),
    /// A unit advances into a vacated hex.
    Advance {
        /// Who.
        unit: Piece,
        /// Where.
        to: Hex,
    },
    /// Ends or declines what is at hand.
    Done,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_keep_their_steps() {
        let mut way = Way::EMPTY;
        for i in 0..19 {
            way = way.then(Direction::from_index(i * 5));
            assert_eq!(way.len(), i + 1);
        }
        let steps: Vec<usize> = way.steps().map(Direction::index).collect();
        assert_eq!(steps, (0..19).map(|i| i * 5 % 6).collect::<Vec<_>>());
    }
}
