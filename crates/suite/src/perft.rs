use std::fs;

use game::dice::QuickDice;
use game::{Fx, Silent, System};

use crate::shelf::{battle, root};

/// Compares the counts pinned in `file` (from the project's root) with what the engine counts: lines of
/// `scenario depth count`. With `LINSTOCK_PIN=1` the file is written anew.
///
/// # Panics
/// When a count differs: the set of legal actions has changed.
pub fn perft<S: System>(file: &str) {
    let path = root().join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{file}: {e}"));
    let mut counted = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[id, depth, _] = words.as_slice() else {
            counted += &format!("{line}\n");
            continue;
        };
        let battle = battle::<S>(id);
        let mut state = S::muster(&battle);
        S::settle(&battle, &mut state, &mut Fx { dice: QuickDice::new(1863), log: Silent });
        let count = players::perft::<S>(&battle, &state, depth.parse().expect("depth is a number"));
        counted += &format!("{id} {depth} {count}\n");
    }
    if std::env::var_os("LINSTOCK_PIN").is_some() {
        fs::write(&path, &counted).expect("the counts can be written");
    } else {
        assert_eq!(text, counted, "the legal actions have changed; look why, then pin with LINSTOCK_PIN=1");
    }
}
