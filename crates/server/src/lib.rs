//! Games over HTTP and WebSocket. Knows no system: everything goes through the catalogue's interface.
//!
//! - `hall` has all games, `room` one of them and what is seen of it, `acting` what changes it, `seats` who holds which seat;
//! - `still` keeps the last view of a game and `relic` is one that can only be read; `upkeep` does what nobody asks for;
//! - `api`, `live` and `assets` are what can be addressed, `guard` stands before all of them, `owners` counts what each keeps;
//! - `analysis` gives hints and reviews;
//! - `thinkers` and `compilers` are queues before the work that takes long, `trial` is done in a program of its own;
//! - `ops` is for whoever runs the server;
//! - `wire` is what travels, `problem` what is answered when it cannot be done.

mod acting;
mod analysis;
mod api;
mod assets;
mod chance;
mod chat;
mod compilers;
mod computer;
mod config;
mod door;
mod guard;
mod hall;
mod live;
mod metrics;
mod ops;
mod owners;
mod pictures;
mod problem;
mod room;
mod serve;
mod summary;
mod thinkers;
mod time;
mod trial;
mod upkeep;

pub use config::{Config, Quotas, Rate};
#[cfg(feature = "declare")]
pub use host::declare;
pub use host::{Books, Standard, wire};
pub use serve::{ServeError, Server, run, serve};
pub use trial::trial;
