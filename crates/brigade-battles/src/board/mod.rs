//! What people see and read: the board, what is asked, what is offered, what may come of it.

pub(crate) mod fate;
mod ladder;
mod march;
pub(crate) mod offer;
pub(crate) mod overlay;
pub(crate) mod prompt;
pub(crate) mod view;
