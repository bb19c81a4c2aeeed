//! The manual as a site, and whether its links lead anywhere.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use mdbook_driver::MDBook;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

/// Pages outside the manual whose links are looked at too.
const BESIDE: [&str; 4] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];

#[derive(clap::Args)]
pub(crate) struct Manual {
    /// Only look at the links.
    #[arg(long)]
    links: bool,
}

#[allow(clippy::print_stdout, reason = "the answer belongs on standard output")]
pub(crate) fn run(root: &Path, asked: &Manual) -> anyhow::Result<()> {
    let docs = root.join("docs");
    let mut files: Vec<PathBuf> = BESIDE.iter().map(|name| root.join(name)).collect();
    pages_in(&docs, &mut files)?;
    let pages = files
        .into_iter()
        .map(|file| Ok((file.clone(), Page::read(&file)?)))
        .collect::<anyhow::Result<HashMap<_, _>>>()?;
    let mut faults = faults(&pages);
    faults.extend(left_out(&docs, &pages));
    faults.sort();
    for fault in &faults {
        eprintln!("{fault}");
    }
    if !faults.is_empty() {
        bail!("{} faults in the manual's links", faults.len());
    }
    println!(
        "{} pages, {} links: all lead somewhere",
        pages.len(),
        pages.values().map(|p| p.links.len()).sum::<usize>()
    );
    if !asked.links {
        let book =
            MDBook::load(&docs).context("the manual cannot be read (docs/book.toml, docs/SUMMARY.md)")?;
        book.build().context("the manual cannot be built")?;
        println!("the manual is in {}", book.build_dir_for("html").display());
    }
    Ok(())
}

/// What a page has that links begin and end at.
struct Page {
    links: Vec<String>,
    anchors: HashSet<String>,
}

impl Page {
    fn read(file: &Path) -> anyhow::Result<Page> {
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        Ok(Page::of(&text))
    }

    fn of(text: &str) -> Page {
        let mut page = Page { links: Vec::new(), anchors: HashSet::new() };
        let mut heading: Option<String> = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => page.link(dest_url),
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::Text(words) | Event::Code(words) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&words);
                    }
                }
                Event::End(TagEnd::Heading(_)) => {
                    page.anchors.extend(heading.take().map(|words| anchor(&words)));
                }
                _ => {}
            }
        }
        page
    }

    fn link(&mut self, to: CowStr<'_>) {
        if !to.contains("://") && !to.starts_with("mailto:") {
            self.links.push(to.into_string());
        }
    }
}

/// A heading's name in an address: small letters, hyphens for spaces, no signs.
fn anchor(words: &str) -> String {
    let kept = words.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn pages_in(folder: &Path, out: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            pages_in(&path, out)?;
        } else if path.extension().is_some_and(|end| end == "md") {
            out.push(path);
        }
    }
    Ok(())
}

/// Links that lead nowhere: no such file, or no such heading in it.
fn faults(pages: &HashMap<PathBuf, Page>) -> Vec<String> {
    let mut faults = Vec::new();
    for (file, page) in pages {
        for link in &page.links {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let to = match path {
                "" => file.clone(),
                path => file.with_file_name("").join(path),
            };
            let Ok(to) = to.canonicalize() else {
                faults.push(format!("{}: there is no {path}", file.display()));
                continue;
            };
            let known =
                heading.is_empty() || pages.get(&to).is_some_and(|page| page.anchors.contains(heading));
            if !known {
                faults.push(format!("{}: {path} has no heading #{heading}", file.display()));
            }
        }
    }
    faults
}

/// Pages of the manual that its table of contents does not name, and links that leave the built manual.
fn left_out(docs: &Path, pages: &HashMap<PathBuf, Page>) -> Vec<String> {
    let summary = docs.join("SUMMARY.md");
    let named: HashSet<PathBuf> =
        pages.get(&summary).iter().flat_map(|page| &page.links).map(|link| docs.join(link)).collect();
    let inside = || pages.iter().filter(|(file, _)| file.starts_with(docs));
    let unnamed = inside()
        .filter(|(file, _)| **file != summary && !named.contains(*file))
        .map(|(file, _)| format!("{}: SUMMARY.md does not name it", file.display()));
    let outward = inside().flat_map(|(file, page)| {
        let leaves = page.links.iter().filter(|link| {
            file.with_file_name("").join(link).canonicalize().is_ok_and(|to| !to.starts_with(docs))
        });
        leaves
            .map(|link| format!("{}: {link} lies outside the manual; name the file instead", file.display()))
    });
    unnamed.chain(outward).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(pages: &[(&str, &str)]) -> (tempfile::TempDir, HashMap<PathBuf, Page>) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("its path");
        let mut known = HashMap::new();
        for (name, text) in pages {
            fs::write(root.join(name), text).expect("a page");
            known.insert(root.join(name), Page::of(text));
        }
        (folder, known)
    }

    #[test]
    fn a_link_needs_its_file_and_its_heading() {
        let (_folder, pages) = site(&[
            (
                "a.md",
                "[b](b.md) [there](b.md#two-words) [not](b.md#three) [gone](c.md) [here](#a-heading) ![](p.png)\n\n# A *heading*",
            ),
            ("b.md", "## Two `words`!\n\n```\n[code](nowhere.md)\n```\n<https://example.org/x.md>"),
        ]);
        let mut found: Vec<String> =
            faults(&pages).iter().map(|f| f.rsplit('/').next().unwrap_or_default().to_owned()).collect();
        found.sort();
        assert_eq!(
            found,
            ["a.md: b.md has no heading #three", "a.md: there is no c.md", "a.md: there is no p.png"]
        );
    }

    #[test]
    fn each_page_is_in_the_contents_and_none_leads_out() {
        let (folder, pages) =
            site(&[("SUMMARY.md", "[a](a.md)"), ("a.md", "[b](b.md) [out](../)"), ("b.md", "")]);
        let docs = folder.path().canonicalize().expect("its path");
        let mut found: Vec<String> =
            left_out(&docs, &pages).iter().map(|f| f.replace(&format!("{}/", docs.display()), "")).collect();
        found.sort();
        assert_eq!(
            found,
            ["a.md: ../ lies outside the manual; name the file instead", "b.md: SUMMARY.md does not name it"]
        );
    }
}
