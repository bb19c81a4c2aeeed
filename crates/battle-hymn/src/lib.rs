//! Battle Hymn, standard rules. The rulebook's chapters are the files of `rules/`:
//!
//! | chapter | file |
//! | --- | --- |
//! | 2 Game Equipment | `setup/battle.rs`, `setup/pieces.rs`, `setup/ground.rs`, `rules/charts.rs` |
//! | 3 Important Basic Rules | `rules/basics.rs`; 3.8 Zone of Control: `rules/zones.rs` |
//! | 4 Sequence of Play, 3.9 Initiative | `rules/sequence.rs` |
//! | 5 Movement | `rules/movement.rs`; 5.2 and 5.3, what bars a march: `rules/restrictions.rs`; the search: `rules/reach.rs` |
//! | 6 Combat | `rules/combat.rs`; 6.1.4 Approach Fire: `rules/approach.rs`; 6.1.5 to 6.1.9 Engagements: `rules/engagement.rs`; 6.2 and 6.5 To Hit: `rules/fire.rs` |
//! | 7 Retreat | `rules/retreat.rs` |
//! | 8 Advance After Combat | `rules/advance.rs` |
//! | 9 Artillery Bombardment | `rules/bombardment.rs`; 9.3 Line of Sight: `rules/sight.rs` |
//! | 10 Morale | `rules/morale.rs` |
//! | 11 Unit Type Special Rules | 11.3 Cavalry: `rules/cavalry.rs`; 11.1 and 11.2, guns, where they matter |
//! | 12 Reinforcements | `rules/reinforcements.rs` |
//! | 13 Night | `rules/night.rs` |
//! | 14 How to Win | `rules/victory.rs` |

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
mod rules;
mod setup;
mod state;

pub use action::{Action, Shares};
pub use contract::BattleHymn;

pub use invariant::invariant;
pub use setup::battle::Battle;
pub use state::{Id, State, Trail};
