use game::Library;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../scenarios"]
struct Scenarios;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../surveys"]
struct Surveys;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../rules"]
struct Rules;

/// The scenarios and surveys that come with the program.
#[derive(Debug, Clone, Copy)]
pub struct Shelf;

impl Library for Shelf {
    fn survey(&self, name: &str) -> Option<String> {
        text(Surveys::get(&format!("{name}.toml"))?)
    }

    fn scenario(&self, id: &str) -> Option<String> {
        text(Scenarios::get(&format!("{id}.toml"))?)
    }
}

fn text(file: rust_embed::EmbeddedFile) -> Option<String> {
    String::from_utf8(file.data.into_owned()).ok()
}

pub(crate) fn scenario_ids() -> Vec<String> {
    let mut ids: Vec<String> =
        Scenarios::iter().filter_map(|f| Some(f.strip_suffix(".toml")?.to_owned())).collect();
    ids.sort();
    ids
}

pub(crate) fn proofs(system: &str) -> Option<String> {
    text(Rules::get(&format!("{system}/proofs.tsv"))?)
}
