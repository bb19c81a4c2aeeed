use game::Library;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../scenarios"]
#[include = "order.txt"]
#[cfg_attr(feature = "american-revolution", include = "american-revolution/*")]
#[cfg_attr(feature = "battle-hymn", include = "battle-hymn/*")]
#[cfg_attr(feature = "brigade-battles", include = "brigade-battles/*")]
#[cfg_attr(feature = "fields-of-honor", include = "fields-of-honor/*")]
#[cfg_attr(feature = "hallowed-ground", include = "hallowed-ground/*")]
struct Scenarios;

#[cfg(feature = "example")]
#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../examples/skirmish/scenarios"]
#[prefix = "skirmish/"]
struct Examples;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../surveys"]
struct Surveys;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../rules"]
#[cfg_attr(feature = "american-revolution", include = "american-revolution/chapters.tsv")]
#[cfg_attr(feature = "battle-hymn", include = "battle-hymn/chapters.tsv")]
#[cfg_attr(feature = "brigade-battles", include = "brigade-battles/chapters.tsv")]
#[cfg_attr(feature = "fields-of-honor", include = "fields-of-honor/chapters.tsv")]
#[cfg_attr(feature = "hallowed-ground", include = "hallowed-ground/chapters.tsv")]
// Who proves a rule is for the command line, which has every system.
#[cfg_attr(feature = "all", include = "*/proofs.tsv")]
struct Rules;

/// The scenarios and surveys that come with the program.
#[derive(Debug, Clone, Copy)]
pub struct Shelf;

impl Library for Shelf {
    fn survey(&self, name: &str) -> Option<String> {
        text(Surveys::get(&format!("{name}.toml"))?)
    }

    fn scenario(&self, id: &str) -> Option<String> {
        let file = format!("{id}.toml");
        #[cfg(feature = "example")]
        if let Some(example) = Examples::get(&file) {
            return text(example);
        }
        text(Scenarios::get(&file)?)
    }
}

fn text(file: rust_embed::EmbeddedFile) -> Option<String> {
    String::from_utf8(file.data.into_owned()).ok()
}

/// In the order of `scenarios/order.txt`; those it does not name follow by name.
pub(crate) fn scenario_ids() -> Vec<String> {
    let order = Scenarios::get("order.txt").and_then(text).unwrap_or_default();
    let rank = |id: &str| order.lines().position(|line| line == id).unwrap_or(usize::MAX);
    let mut ids: Vec<String> =
        Scenarios::iter().filter_map(|f| Some(f.strip_suffix(".toml")?.to_owned())).collect();
    #[cfg(feature = "example")]
    ids.extend(Examples::iter().filter_map(|f| Some(f.strip_suffix(".toml")?.to_owned())));
    ids.sort_by_cached_key(|id| (rank(id), id.clone()));
    ids
}

/// The chapters of a book: the first part of its rules' numbers, and what the chapter is about.
pub(crate) fn chapters(system: &str) -> Vec<(String, String)> {
    let written = Rules::get(&format!("{system}/chapters.tsv")).and_then(text).unwrap_or_default();
    let chapter = |line: &str| line.split_once('\t').map(|(key, name)| (key.to_owned(), name.to_owned()));
    written.lines().filter_map(chapter).collect()
}

pub(crate) fn proofs(system: &str) -> Option<String> {
    text(Rules::get(&format!("{system}/proofs.tsv"))?)
}
