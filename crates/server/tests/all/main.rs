//! The server's tests in one program, linked once. Beside it: what must be alone with the clock or the processor, and
//! several nodes on PostgreSQL.

mod accounts;
mod analysis;
#[path = "../common/mod.rs"]
mod common;
mod concealment;
mod door;
mod durability;
mod editions;
mod honest;
mod intruders;
mod lobby;
mod ops;
mod order;
mod play;
mod quotas;
mod ratings;
mod restart;
mod school;
mod studies;
mod undo;
mod upgrade;
