//! Writes the TypeScript declarations of the wire types: `cargo run -p server --features declare --example wire -- web/src/wire`.

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("web/src/wire"), PathBuf::from);
    server::declare(&folder)?;
    Ok(())
}
