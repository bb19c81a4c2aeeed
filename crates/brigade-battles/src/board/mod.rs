//! What people see and read: the board, what is asked, what is offered.

pub(crate) mod prompt;
pub(crate) mod view;
