//! A host of games inside a browser's page: it answers the same requests as the server, with the same code behind them.
//!
//! The page gives it the time and fresh random bytes with every request, keeps what it is told to keep (a [`Record`] after
//! every change), and asks it to think when a computer must decide.

#[cfg(target_arch = "wasm32")]
mod browser;
mod games;
mod requests;

pub use games::{Page, Record};
pub use requests::{Answer, Request, handle};
