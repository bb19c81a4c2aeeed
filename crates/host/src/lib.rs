//! One game with its seats: what each may see and do. It knows no network, no disk, no clock and no chance; the server hosts it for many,
//! the page in a browser for one.
//!
//! - `wire` is what a host and a client say to each other, `problem` what is answered when it cannot be done;
//! - `begin` is how a game begins, `play` is one under way, `seats` who holds which seat, `requests` what clients send;
//! - `clock` works out what time each side has left, `orders` says what prepared orders answer;
//! - `library` has the systems and scenarios, `school` demonstrations and lessons;
//! - `still` is the last view of a game and `relic` one that can only be read.

pub mod begin;
pub mod clock;
pub mod orders;
pub mod play;
pub mod requests;
pub mod seats;
pub mod wire;

#[cfg(feature = "declare")]
mod declare;
mod library;
mod problem;
mod relic;
mod school;
mod still;

#[cfg(feature = "declare")]
pub use declare::declare;
pub use library::{Books, Library, Standard, Volume, text_faults};
pub use play::{About, Heading, Materials, Play, Shut};
pub use problem::Failure;
pub use relic::Relic;
pub use still::Still;
