//! This Hallowed Ground: regiments as rectangles on a table in inches.
//!
//! | chapter of the book | file |
//! | --- | --- |
//! | 2 Mustering | `setup/pieces.rs`, `setup/battle.rs`; its statistics in `rules/charts.rs` |
//! | 3 Formations | `rules/formations.rs` |
//! | 4 Game rules | `rules/sequence.rs`; measuring in `field.rs` |
//! | 5 Command phase | `rules/command/`: `mod.rs` (activation, orders, orders test), `maneuvers.rs`, `retire.rs`, `roads.rs`, `offered.rs` |
//! | 6 Terrain | `rules/terrain.rs`, `setup/ground.rs` |
//! | 7 Charges | `rules/charges/`: `mod.rs` (declaration to charge home), `line.rs`, `countercharge.rs`, `defensive_fire.rs`, `contact.rs` |
//! | 8 Shooting | `rules/shooting/`: `mod.rs`, `sight.rs` |
//! | 9 Melee | `rules/melee/`: `mod.rs`, `aftermath.rs` |
//! | 10 End phase | `rules/end.rs` |
//! | 11 Morale | `rules/morale.rs` |
//! | 12 Commanders | `rules/commanders.rs` |
//! | 13 Special rules | modifiers where they apply: orders, charge home, shooting, morale |
//! | rules of our scenarios | `rules/reinforcements.rs`, `rules/end.rs` |
//!
//! Rulings are cited as R and P, missing values as G, as `rules/hallowed-ground` numbers them.

game::rulebook!();

mod action;
mod at;
mod board;
mod contract;
mod facts;
mod field;
mod invariant;
mod judgement;
mod legal;
mod notation;
mod rules;
mod setup;
mod state;

pub use action::{Action, Change, Double, Maneuver, Order, Slant};
pub use at::At;
pub use contract::HallowedGround;
pub use field::Field;
pub use invariant::invariant;
pub use rules::charts::{base_depth, footprint, stat};
pub use rules::formations::{Arm, Formation};
pub use rules::sequence::Step;
pub use rules::terrain::{Blocks, Going};
pub use setup::battle::Battle;
pub use setup::pieces::{BrigadeId, CommanderId, UnitId};
pub use state::{Contact, Flags, Marker, Phase, State, Unit, Whereabouts};
