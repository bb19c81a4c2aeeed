use std::fs;
use std::path::{Path, PathBuf};

use game::{Library, Options, System};

/// The project's root.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The scenarios and surveys as they lie in the project.
#[derive(Debug, Clone, Copy)]
pub struct Shelf;

impl Library for Shelf {
    fn survey(&self, name: &str) -> Option<String> {
        fs::read_to_string(root().join("surveys").join(format!("{name}.toml"))).ok()
    }

    fn scenario(&self, id: &str) -> Option<String> {
        let shipped = root().join("scenarios").join(format!("{id}.toml"));
        let (system, name) = id.split_once('/')?;
        let example = root().join("examples").join(system).join("scenarios").join(format!("{name}.toml"));
        fs::read_to_string(shipped).or_else(|_| fs::read_to_string(example)).ok()
    }
}

/// The battle of a scenario of the library: `battle-hymn/drill`.
///
/// # Panics
/// With its faults, if it has any.
#[must_use]
pub fn battle<S: System>(id: &str) -> S::Battle {
    let text = Shelf.scenario(id).unwrap_or_else(|| panic!("there is no scenario {id}"));
    S::compile(&text, &Shelf, &Options::new())
        .unwrap_or_else(|faults| panic!("\n{}", faults.report(id, &text)))
}
