//! For build scripts: reads `rules/<system>/rules.toml`, or the crate's own `rules.toml`, and writes the Rust table that `game::cite!` looks in.
//!
//! A citation of a rule that the inventory does not have is then a compile error, not a surprise on the board.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use serde::Deserialize;

#[derive(Deserialize)]
struct Inventory {
    rule: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    id: String,
    name: String,
    says: String,
    /// How many clauses it has that are proved one by one.
    #[serde(default = "one")]
    clauses: u8,
}

fn one() -> u8 {
    1
}

impl Inventory {
    /// What would make a citation or a proof ambiguous.
    fn fault(&self) -> Option<String> {
        let mut seen = HashSet::new();
        self.rule.iter().find_map(|Rule { id, clauses, .. }| {
            if !seen.insert(id) {
                Some(format!("the rule {id} is listed twice"))
            } else if id.is_empty() || id.contains(|c: char| c == '/' || c.is_whitespace()) {
                Some(format!("the id `{id}` has a slash or a space: a slash names a clause"))
            } else if *clauses == 0 {
                Some(format!("{id} has no clause: leave `clauses` out for a rule that is proved as a whole"))
            } else {
                None
            }
        })
    }
}

/// Writes `citations.rs` into the build's output folder; the crate includes it with `game::rulebook!`.
///
/// # Panics
/// When the inventory cannot be read: a system without its rules must not build.
#[allow(clippy::print_stdout, reason = "cargo listens there")]
pub fn generate(system: &str, title: &str) {
    // Cargo runs a build script in its crate's folder. Paths relative to it stay true when the checkout moves.
    let (own, shared) =
        (Path::new("rules.toml").to_owned(), Path::new("../../rules").join(system).join("rules.toml"));
    let path = if own.exists() { own } else { shared };
    println!("cargo::rerun-if-changed={}", path.display());
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let inventory: Inventory = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if let Some(wrong) = inventory.fault() {
        panic!("{}: {wrong}", path.display());
    }
    let out = Path::new(&env::var("OUT_DIR").expect("run from a build script")).join("citations.rs");
    fs::write(out, table(system, title, &inventory)).expect("the output folder can be written");
}

fn table(system: &str, title: &str, inventory: &Inventory) -> String {
    let mut ids = String::new();
    let mut rules = String::new();
    for Rule { id, name, says, clauses } in &inventory.rule {
        writeln!(ids, "    {id:?},").expect("strings take all");
        writeln!(
            rules,
            "    ::game::RuleText {{ id: ::game::Rule::cited({id:?}, IDS), name: {name:?}, says: {says:?}, clauses: {clauses} }},"
        )
        .expect("strings take all");
    }
    format!(
        "pub(crate) const IDS: &[&str] = &[\n{ids}];\n\
         /// The inventory of the system's rules, in rulebook order.\n\
         pub static BOOK: ::game::Book = ::game::Book {{ system: {system:?}, title: {title:?}, rules: &[\n{rules}] }};\n"
    )
}
