//! Scenarios that are sound, and scenarios that are not: each fault has its place and its remedy.

use game::{Files, Options};

use crate::{Shelf, root};

/// What a system's reader has against a file: message and remedy of each fault, every one at a place in it.
///
/// # Panics
/// If a fault has no place.
#[must_use]
pub fn faults<S: Files>(source: &str) -> Vec<String> {
    let Err(found) = S::compile(source, &Shelf, &Options::new()) else { return Vec::new() };
    let told = found.0.into_iter().map(|fault| {
        assert!(fault.span.start > 0, "no place: {} ({})", fault.message, fault.expected);
        format!("{}; {}", fault.message, fault.expected)
    });
    told.collect()
}

/// With `broken` in the place of `part` the sound scenario is refused, and one of the faults says `message`.
///
/// # Panics
/// If it is not.
#[track_caller]
pub fn refused<S: Files>(sound: &str, part: &str, broken: &str, message: &str) {
    assert!(sound.contains(part), "{part} is not in the sound scenario");
    let found = faults::<S>(&sound.replacen(part, broken, 1));
    assert!(
        found.iter().any(|fault| fault.contains(message)),
        "expected `{message}` for `{broken}`, found {found:#?}"
    );
}

/// Every scenario that ships with the system is sound.
///
/// # Panics
/// If one is not.
pub fn shipped_are_sound<S: Files>(system: &str) {
    let folder = root().join("scenarios").join(system);
    for file in std::fs::read_dir(folder).expect("the scenarios are there") {
        let path = file.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        assert_eq!(faults::<S>(&text), Vec::<String>::new(), "{}", path.display());
    }
}

/// The first file that a page of the manual writes out is sound.
///
/// # Panics
/// If it is not, or there is none.
pub fn manual_is_sound<S: Files>(page: &str) {
    let page = std::fs::read_to_string(root().join("docs").join(page)).expect("the page is there");
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(faults::<S>(example.expect("the manual has an example")), Vec::<String>::new());
}
