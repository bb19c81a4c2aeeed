//! One decision of one player.

use arrayvec::ArrayVec;
use table::Spot;

use crate::rules::basics::Formation;
use crate::rules::charge::{ChargeLine, Reaction};
use crate::rules::fire::Volley;
use crate::rules::leaders::Lead;
use crate::rules::melee::Shares;
use crate::rules::movement::Legs;
use crate::state::{BodyId, Command, LeaderId};

/// A decision, as a player would say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Pass, or done.
    Pass,
    /// Let the rest of this move go by.
    Wave,
    /// New order for a sub-commander, with its marker.
    Order { leader: LeaderId, order: Command, marker: Spot },
    /// This unit takes its Reaction Test now.
    Test(BodyId),
    /// Sappers blow the gate.
    Blow(BodyId),
    /// A unit looks for the marker at a place: who stands there nobody knows yet.
    Spot { by: BodyId, at: Spot },
    /// A leader rides or attaches.
    Lead { leader: LeaderId, lead: Lead },
    /// One or several units charge.
    Charge(ArrayVec<ChargeLine, 4>),
    /// The target of a charge reacts, firing at that charger.
    React { reaction: Reaction, fires_at: u8 },
    /// A friend of the target fires at a charger.
    Support { by: BodyId, at: u8 },
    /// A unit moves.
    Move { unit: BodyId, legs: Legs },
    /// Opportunity fire at the mover.
    Snap { by: BodyId, stands: u16 },
    /// Opportunity charge at the mover.
    Dash(ChargeLine),
    /// Fire of the Fire Phase.
    Fire(Volley),
    /// This melee is fought now.
    Fight(BodyId),
    /// How a unit's dice are shared.
    Split(Shares),
    /// Stay in melee.
    Stay,
    /// Turn to face the attacker.
    Turn,
    /// Withdraw from melee.
    Withdraw,
    /// Pursue.
    Pursue,
    /// Hold instead of pursuing.
    Hold,
    /// The formation of a rallied unit.
    Reform { formation: Formation, files: u8 },
    /// A unit tries to recover stands.
    Recover(BodyId),
    /// March off the table unbeaten.
    Leave(BodyId),
}
