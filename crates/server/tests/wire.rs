//! The TypeScript declarations that the board is built with are those of the types as they are now.

use std::collections::BTreeMap;
use std::path::Path;

fn files(folder: &Path) -> BTreeMap<String, String> {
    let read = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    read.map(|file| {
        let path = file.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(&path).expect("text"))
    })
    .collect()
}

#[test]
fn the_declarations_are_not_stale() {
    let folder = tempfile::tempdir().unwrap();
    server::declare(folder.path()).expect("declares");
    let (now, kept) =
        (files(folder.path()), files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/wire")));
    let differ: Vec<&String> = now
        .keys()
        .chain(kept.keys().filter(|name| !now.contains_key(*name)))
        .filter(|name| now.get(*name) != kept.get(*name))
        .collect();
    assert!(
        differ.is_empty(),
        "stale: {differ:?}; write them anew with `cargo run -p server --features declare --example wire -- web/src/wire`"
    );
}
