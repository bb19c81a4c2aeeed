//! Fields of Honor, rules summary: a table in inches, three scales, players who interrupt each other.
//!
//! | chapter of the book | rules | file |
//! | --- | --- | --- |
//! | Sequence of play | `qrs.sequence`, `seq` | `rules/sequence.rs` |
//! | Basics: stands, formations, casualties | `basics` | `rules/basics.rs`, `rules/footprints.rs` |
//! | Orders | `orders` | `rules/orders.rs` |
//! | Command, commanders, personalities | `command`, `commander`, `personality` | `rules/command.rs`, `rules/leaders.rs` |
//! | Reaction Phase | `reaction`, `qrs.reaction` | `rules/reaction.rs` |
//! | Sighting and what is concealed | `sighting`, `move.hiding` | `rules/sighting.rs`, `rules/concealment.rs` |
//! | Charge Phase | `charge`, `qrs.chargehome`, `zouave` | `rules/charge/` |
//! | Movement Phase | `move`, `qrs.rates` | `rules/initiative.rs`, `rules/movement/` |
//! | Opportunity fire and charges | `fire.opportunity`, `oppcharge` | `rules/opportunity.rs` |
//! | Skirmishers, late tactics | `skirmish`, `late` | `rules/skirmishers.rs` |
//! | Fire Phase | `fire`, `qrs.smallarms`, `qrs.artillery`, `jam` | `rules/fire/` |
//! | Melee Phase | `melee`, `qrs.melee` | `rules/melee.rs`, `rules/contact.rs` |
//! | Leader casualties | `leader-loss` | `rules/leaders.rs` |
//! | Morale Phase | `morale`, `qrs.morale` | `rules/morale.rs` |
//! | Rout and Pursuit Phase | `seq.rout`, `pursuit`, `qrs.pursuit` | `rules/rout.rs` |
//! | Terrain and lines of sight | `qrs.terrain`, `terrain`, `fire.visibility` | `rules/terrain.rs` |
//! | Fortifications, the box | `fort`, `box` | `rules/forts.rs` |
//! | Victory | `scenario` | `rules/victory.rs` |
//! | Charts | `qrs` | `rules/charts.rs`, `rules/rolls.rs` |

pub mod action;
mod at;
mod board;
mod contract;
mod facts;
mod invariant;
mod judgement;
mod legal;
mod notation;
pub mod rules;
pub mod setup;
pub mod state;

pub use contract::FieldsOfHonor;
game::rulebook!();

/// What must hold of every position: nobody lies in anybody, nobody is off the table, no body has more hits than stands.
///
/// # Errors
/// What does not hold.
pub fn invariant(battle: &setup::battle::Battle, state: &state::State) -> Result<(), String> {
    at::At::new(battle, state).invariant()
}
