//! One test for each situation file, so that a failure names its file and one file can be run alone:
//! `cargo test -p battle-hymn --test all situations::rout::shaken`.
//!
//! Use it through `suite::situation_tests!(BattleHymn, "situations")`: the system, and the folder seen from the crate.
//! The folder is listed when the tests are compiled. Files that came later are run by the test `written_since`, so none
//! is ever left out.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro::TokenStream;

/// A module for each folder, a test for each file.
#[proc_macro]
pub fn situation_tests(input: TokenStream) -> TokenStream {
    let input = input.to_string();
    let Some((system, folder)) = input.rsplit_once(',') else {
        return "compile_error!(\"write the system, a comma, and the folder in quotes\");"
            .parse()
            .expect("it is Rust");
    };
    let (system, folder) = (system.trim(), folder.trim().trim_matches('"'));
    let home = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo compiles"));
    let mut out = String::new();
    let mut listed = Vec::new();
    module(&home, Path::new(folder), system, &mut out, &mut listed);
    let home = "env!(\"CARGO_MANIFEST_DIR\")";
    writeln!(
        out,
        "#[test] fn written_since() {{ ::suite::situations_but::<{system}>({home}, {folder:?}, &{listed:?}); }}"
    )
    .expect("strings take all");
    out.parse().expect("it is Rust")
}

/// The tests of one folder, then the modules of the folders in it.
fn module(home: &Path, folder: &Path, system: &str, out: &mut String, listed: &mut Vec<String>) {
    let mut taken = BTreeMap::<String, u32>::new();
    for path in entries(&home.join(folder)) {
        let inner = folder.join(path.file_name().expect("a file has a name"));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            let name = named(&path.file_name().expect("a folder has a name").to_string_lossy());
            *out += &format!("mod {name} {{ #[allow(unused_imports)] use super::*;\n");
            module(home, &inner, system, out, listed);
            *out += "}\n";
        } else if path.extension().is_some_and(|e| e == "toml") {
            let mut name = named(&stem);
            let twins = taken.entry(name.clone()).or_default();
            *twins += 1;
            if *twins > 1 {
                name = format!("{name}_{twins}");
            }
            let file = inner.to_string_lossy().into_owned();
            *out += &format!(
                "#[test] fn {name}() {{ ::suite::situation::<{system}>(env!(\"CARGO_MANIFEST_DIR\"), {file:?}); }}\n"
            );
            listed.push(file);
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path())).collect();
    found.sort();
    found
}

/// A name for a test: `5.3.a-stops` becomes `_5_3_a_stops`.
fn named(stem: &str) -> String {
    const KEYWORDS: &str = " abstract as async await become box break const continue crate do dyn else enum extern false \
        final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct \
        super trait true try type typeof unsafe unsized use virtual where while yield ";
    let mut name: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if KEYWORDS.contains(&format!(" {name} ")) {
        name.push('_');
    }
    name
}
