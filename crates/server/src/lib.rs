//! Games over HTTP and WebSocket. Knows no system: everything goes through the catalogue's interface.
//!
//! - `hall` has all games, `room` one of them and what is seen of it, `acting` what changes it, `seats` who holds which seat;
//! - `still` keeps the last view of a game and `relic` is one that can only be read; `upkeep` does what nobody asks for;
//! - `api`, `live` and `assets` are what can be addressed, `guard` stands before all of them, `owners` counts what each keeps;
//! - `accounts` are for those who want their games on every device;
//! - `notices` tells those with accounts what happens when they are not there;
//! - `order` keeps order: reports, blocking, administrators;
//! - `slips` is what is kept with a game beside its journal: `clocks`, `orders`;
//! - `lobby` finds opponents: open challenges and rematches;
//! - `ratings` says how strong members are, and which games count for it;
//! - `analysis` gives hints and reviews, which `reviews` makes; `studies` has battles played many times in the background;
//! - `thinkers` and `compilers` are queues before the work that takes long, `trial` is done in a program of its own;
//! - `nodes` keeps in step with other servers on the same database, and does work that waits there;
//! - `ops` is for whoever runs the server, and so are the log and the `traces`;
//! - `wire` is what travels, `problem` what is answered when it cannot be done.

// The tests' own system names the crate as they do.
#[cfg(test)]
extern crate self as server;

mod accounts;
mod acting;
mod analysis;
mod api;
mod assets;
mod chance;
mod chat;
mod clocks;
mod compilers;
mod computer;
mod config;
mod door;
mod guard;
mod hall;
mod live;
mod lobby;
mod metrics;
mod migrate;
mod nodes;
mod notices;
mod ops;
mod order;
mod orders;
mod owners;
mod pictures;
mod problem;
mod ratings;
mod reviews;
mod room;
mod serve;
#[cfg(test)]
mod simulation;
mod slips;
mod studies;
mod summary;
mod thinkers;
mod traces;
mod trial;
mod upkeep;
mod world;

pub use assets::board_files;
pub use config::{Config, Quotas, Rate};
#[cfg(feature = "declare")]
pub use host::declare;
pub use host::{Books, Failure as Refused, Standard, wire};
pub use migrate::{Copied, migrate};
pub use notices::NoticeConfig;
pub use order::{Desk, desk};
pub use serve::{ServeError, Server, run, serve};
pub use traces::TRACES;
pub use trial::trial;
