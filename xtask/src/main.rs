//! Chores of the project: `cargo xtask rules` counts the rules proved, `cargo xtask mutants` breaks the code on purpose
//! to see whether tests notice, `cargo xtask package` writes the crates as they go to the registry, `cargo xtask manual`
//! builds the manual.

mod manual;
mod mutants;
mod package;
mod rules;

use std::path::Path;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Count the rules proved.
    Rules(rules::Rules),
    /// Write the crates as they go to the registry.
    Package(package::Package),
    /// Build the manual as a site and look at its links.
    Manual(manual::Manual),
    /// Break the code in random places, one at a time, and count the breaks that tests notice.
    Mutants(mutants::Mutants),
}

fn main() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask lies in the project")?;
    match Arguments::parse().chore {
        Chore::Rules(asked) => rules::run(root, asked),
        Chore::Package(asked) => package::run(root, &asked),
        Chore::Manual(asked) => manual::run(root, &asked),
        Chore::Mutants(asked) => mutants::run(root, &asked),
    }
}
