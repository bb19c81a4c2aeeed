//! The Civil War Brigade Battle Series, series rules 1.3: command radius, defensive then offensive fire, rout and
//! rally.
//!
//! | chapter of the book | file |
//! | --- | --- |
//! | 1.1 Key concepts | `rules/concepts.rs` |
//! | 2.1 The game map | `setup/map.rs`, `setup/ground.rs` |
//! | 2.2 Player aids | `rules/charts.rs` |
//! | 2.3 The units | `setup/pieces.rs` |
//! | 3 Getting started, 13 Scenarios | `setup/scenario/` |
//! | 4 Turn sequence | `rules/sequence.rs` |
//! | 5.1, 5.2 Command control | `rules/command.rs` |
//! | 5.3 Leaders | `rules/leaders.rs` |
//! | 6 Organization Phase | `rules/organization.rs` |
//! | 7 Offensive artillery, 9.1 to 9.3 and 9.5 Fire | `rules/combat.rs` |
//! | 8 Movement Phase | `rules/movement.rs`; 8.1.3 to 8.2, one piece's march, `rules/march.rs` |
//! | 8.3 Reinforcements | `rules/reinforcements.rs` |
//! | 9.4 Line of sight | `rules/sight.rs` |
//! | 9.6, 9.7 Results and morale checks | `rules/results.rs` |
//! | 9.8 Retreat and rout | `rules/retreat.rs` |
//! | 9.9 Advance | `rules/advance.rs` |
//! | 10 Rally Phase | `rules/rally.rs` |
//! | 11 Night turns | `rules/night.rs` |
//! | 12 Tide of Battle | `rules/tide.rs` |
//! | 14 Victory | `rules/victory.rs` |

game::rulebook!();

mod action;
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

pub use action::{Action, Drill};
pub use contract::BrigadeBattles;
pub use invariant::invariant;
pub use setup::battle::Battle;
pub use state::State;
