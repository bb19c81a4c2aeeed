//! `cargo xtask package`: the crates as they go to the registry.
//!
//! In the project the crates have short names and read files that lie beside them (scenarios, rules, the built board). In the
//! registry they need names that are free and must carry what they read. This writes a copy of the crates that the program
//! needs, with names that begin with `linstock-` and every such file inside; `cargo package` packs that copy.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use toml::{Table, Value};

/// Write the crates as they go to the registry.
#[derive(Args)]
pub(crate) struct Package {
    /// The folder to write; whatever is in it goes.
    #[arg(long, default_value = "target/packed")]
    to: PathBuf,
    /// The project's home, for the registry to show and for `cargo binstall` to look for releases.
    #[arg(long)]
    repository: Option<String>,
}

/// The program, and in its manifest all that it needs.
const PROGRAM: &str = "linstock";
/// The feature and the crate of the example system, which is not published.
const EXAMPLE: (&str, &str) = ("example", "skirmish");
/// Where a crate keeps what it carries from outside.
const CARRIED: &str = "carried";

#[allow(clippy::print_stdout, reason = "the answer belongs on standard output")]
pub(crate) fn run(root: &Path, asked: &Package) -> anyhow::Result<()> {
    let to = root.join(&asked.to);
    if !root.join("web/dist/index.html").is_file() {
        bail!("the board is not built: run `make web` first");
    }
    if to.exists() {
        // Only what an earlier run wrote.
        if !to.join("Cargo.toml").is_file() {
            bail!("{} is not a folder that this command wrote; remove it or name another", to.display());
        }
        fs::remove_dir_all(&to)?;
    }
    let workspace = read(&root.join("Cargo.toml"))?;
    let crates = needed(root, &workspace)?;
    for name in &crates {
        stage(root, &to, name, asked.repository.as_deref()).with_context(|| format!("the crate {name}"))?;
    }
    fs::write(to.join("Cargo.toml"), toml::to_string(&outer(workspace, &crates)?)?)?;
    fs::copy(root.join("Cargo.lock"), to.join("Cargo.lock"))?;
    println!("{} crates in {}", crates.len(), to.display());
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Table> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

fn published(name: &str) -> String {
    if name == PROGRAM { name.to_owned() } else { format!("{PROGRAM}-{name}") }
}

/// The program and every crate of ours that it needs, directly or not.
fn needed(root: &Path, workspace: &Table) -> anyhow::Result<BTreeSet<String>> {
    let ours = &workspace["workspace"]["dependencies"];
    let is_ours = |name: &str| ours.get(name).and_then(|d| d.get("path")).is_some();
    let mut found = BTreeSet::new();
    let mut open = vec![PROGRAM.to_owned()];
    while let Some(name) = open.pop() {
        let mut manifest = read(&root.join("crates").join(&name).join("Cargo.toml"))?;
        without_unpublished(&mut manifest);
        for table in ["dependencies", "build-dependencies"] {
            let names = manifest.get(table).and_then(Value::as_table).into_iter().flat_map(Table::keys);
            open.extend(names.filter(|n| is_ours(n) && !found.contains(*n)).cloned());
        }
        found.insert(name);
    }
    Ok(found)
}

/// Takes out what only the project itself uses: its tests, its benches, the example system.
fn without_unpublished(manifest: &mut Table) {
    for table in ["dev-dependencies", "bench", "test", "example"] {
        manifest.remove(table);
    }
    if let Some(features) = manifest.get_mut("features").and_then(Value::as_table_mut) {
        features.remove(EXAMPLE.0);
    }
    if let Some(dependencies) = manifest.get_mut("dependencies").and_then(Value::as_table_mut) {
        dependencies.remove(EXAMPLE.1);
    }
}

/// One crate with what it reads.
fn stage(root: &Path, to: &Path, name: &str, repository: Option<&str>) -> anyhow::Result<()> {
    let (from, to) = (root.join("crates").join(name), to.join("crates").join(name));
    for part in fs::read_dir(&from)? {
        let part = part?.file_name();
        if !["tests", "benches", "examples", "situations", "Cargo.toml"].iter().any(|p| part == *p) {
            copy(&from.join(&part), &to.join(&part))?;
        }
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
        fs::copy(root.join(licence), to.join(licence))?;
    }
    // The build script prefers a crate's own inventory to the project's.
    let rules = root.join("rules").join(name).join("rules.toml");
    if rules.is_file() {
        fs::copy(rules, to.join("rules.toml"))?;
    }
    carry(root, &from, &to)?;
    let mut manifest = read(&from.join("Cargo.toml"))?;
    without_unpublished(&mut manifest);
    let package = manifest["package"].as_table_mut().context("[package]")?;
    package.insert("name".into(), published(name).into());
    package.insert("readme".into(), "README.md".into());
    package.insert("categories".into(), vec!["games"].into());
    package.insert("keywords".into(), vec!["wargame", "boardgame", "rules", "hex", "history"].into());
    package.remove("publish");
    if let Some(repository) = repository {
        package.insert("repository".into(), repository.into());
        if name == PROGRAM {
            package.insert("metadata".into(), binstall(repository).into());
        }
    }
    if name != PROGRAM {
        let library = manifest.entry("lib").or_insert_with(|| Table::new().into());
        library.as_table_mut().context("[lib]")?.insert("name".into(), name.replace('-', "_").into());
    }
    fs::write(to.join("Cargo.toml"), toml::to_string(&manifest)?)?;
    Ok(())
}

/// Where `cargo binstall linstock` finds the archives of a release.
fn binstall(repository: &str) -> Table {
    let mut of_release = Table::new();
    let url =
        format!("{repository}/releases/download/v{{ version }}/linstock-{{ version }}-{{ target }}.tar.gz");
    of_release.insert("pkg-url".into(), url.into());
    of_release.insert("bin-dir".into(), "linstock-{ version }-{ target }/{ bin }{ binary-ext }".into());
    of_release.insert("pkg-fmt".into(), "tgz".into());
    Table::from_iter([("binstall".to_owned(), Value::Table(of_release))])
}

/// The workspace around the copies.
fn outer(mut workspace: Table, crates: &BTreeSet<String>) -> anyhow::Result<Table> {
    let inner = workspace["workspace"].as_table_mut().context("[workspace]")?;
    inner.insert("members".into(), vec!["crates/*"].into());
    inner.remove("exclude");
    let shared = inner["package"].as_table_mut().context("[workspace.package]")?;
    let version = shared["version"].clone();
    shared.remove("publish");
    let dependencies = inner["dependencies"].as_table_mut().context("[workspace.dependencies]")?;
    dependencies.retain(|name, of| of.get("path").is_none() || crates.contains(name));
    for (name, of) in dependencies.iter_mut() {
        if let Some(of) = of.as_table_mut().filter(|of| of.contains_key("path")) {
            of.insert("package".into(), published(name).into());
            of.insert("version".into(), version.clone());
        }
    }
    // Profiles name packages of the project; a registry ignores them anyway.
    workspace.remove("profile");
    Ok(workspace)
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for part in fs::read_dir(from)? {
            let part = part?.file_name();
            copy(&from.join(&part), &to.join(&part))?;
        }
    } else {
        fs::create_dir_all(to.parent().context("a folder")?)?;
        fs::copy(from, to).with_context(|| from.display().to_string())?;
    }
    Ok(())
}

/// Copies every file and folder outside the crate that its source names by a relative path into the crate, and lets the source
/// name the copy.
fn carry(root: &Path, from: &Path, to: &Path) -> anyhow::Result<()> {
    let mut sources = vec![to.join("src")];
    while let Some(path) = sources.pop() {
        if path.is_dir() {
            for part in fs::read_dir(&path)? {
                sources.push(part?.path());
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path)?;
            let inside = path.strip_prefix(to)?;
            let mended = mend(&text, inside, |outside| {
                let named = plain(&from.join(outside));
                let Ok(within) = named.strip_prefix(root) else { return Ok(None) };
                if named.starts_with(from) || !named.exists() || !reads(&text, outside) {
                    return Ok(None);
                }
                copy(&named, &to.join(CARRIED).join(within))?;
                Ok(Some(Path::new(CARRIED).join(within)))
            })?;
            if mended != text {
                fs::write(&path, mended)?;
            }
        }
    }
    Ok(())
}

/// A path that is joined at run time, such as the one of `citations`, is not a file that a crate reads itself.
fn reads(text: &str, outside: &Path) -> bool {
    let name = outside.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    text.lines().any(|line| line.contains(name) && (line.contains("include_") || line.contains("folder =")))
}

const MANIFEST: &str = "$CARGO_MANIFEST_DIR/";

/// Replaces each quoted path that leads upwards by what `carried` makes of it. Paths are given, and answered, from the crate's
/// own folder; `file` is where in it the text stands.
fn mend(
    text: &str,
    file: &Path,
    mut carried: impl FnMut(&Path) -> anyhow::Result<Option<PathBuf>>,
) -> anyhow::Result<String> {
    let depth = file.components().count() - 1;
    let mut mended = String::with_capacity(text.len());
    for (i, piece) in text.split('"').enumerate() {
        if i > 0 {
            mended.push('"');
        }
        let (from_manifest, path) = match piece.strip_prefix(MANIFEST) {
            Some(rest) => (true, rest),
            None => (false, piece),
        };
        if !path.starts_with("../") || path.contains('\n') {
            mended.push_str(piece);
            continue;
        }
        let outside = if from_manifest {
            PathBuf::from(path)
        } else {
            file.parent().unwrap_or(Path::new("")).join(path)
        };
        match carried(&outside)? {
            Some(inside) if from_manifest => mended.push_str(&format!("{MANIFEST}{}", inside.display())),
            Some(inside) => mended.push_str(&format!("{}{}", "../".repeat(depth), inside.display())),
            None => mended.push_str(piece),
        }
    }
    Ok(mended)
}

/// The path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_out_of_a_crate_lead_into_what_it_carries() {
        let text = r#"include_str!("../../../../rules/a/t.toml"); include_str!("../../own.toml"); "$CARGO_MANIFEST_DIR/../../web/dist""#;
        let mended = mend(text, Path::new("src/rules/charts.rs"), |outside| {
            let named = plain(&Path::new("/p/crates/a").join(outside));
            Ok(named
                .strip_prefix("/p")
                .ok()
                .filter(|w| !w.starts_with("crates/a"))
                .map(|w| Path::new(CARRIED).join(w)))
        });
        assert_eq!(
            mended.unwrap(),
            r#"include_str!("../../carried/rules/a/t.toml"); include_str!("../../own.toml"); "$CARGO_MANIFEST_DIR/carried/web/dist""#
        );
    }

    #[test]
    fn what_is_not_published_is_taken_out() {
        let mut manifest: Table = toml::from_str(
            "[features]\nall = ['dep:a']\nexample = ['dep:skirmish']\n\
             [dependencies]\na = '1'\nskirmish = '1'\n[dev-dependencies]\nb = '1'",
        )
        .unwrap();
        without_unpublished(&mut manifest);
        let left: Table = toml::from_str("[features]\nall = ['dep:a']\n[dependencies]\na = '1'").unwrap();
        assert_eq!(manifest, left);
    }
}
