//! Games over HTTP and WebSocket. Knows no system: everything goes through the catalogue's interface.
//!
//! - `hall` has all games, `room` one of them and what is seen of it, `acting` what changes it, `seats` who holds which seat;
//! - `api`, `live` and `assets` are what can be addressed, `guard` stands before all of them;
//! - `wire` is what travels, `problem` what is answered when it cannot be done.

mod acting;
mod api;
mod assets;
mod chat;
mod computer;
mod config;
mod declare;
mod door;
mod guard;
mod hall;
mod library;
mod live;
mod metrics;
mod problem;
mod requests;
mod room;
mod seats;
mod serve;
mod summary;
mod time;
pub mod wire;

pub use config::{Config, Rate};
pub use declare::declare;
pub use library::{Books, Standard};
pub use serve::{ServeError, Server, serve};
