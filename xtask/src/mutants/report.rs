//! What became of the mutants, in words.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use serde::Deserialize;

use super::Mutant;

/// What became of a mutant.
#[derive(Debug, Clone)]
pub(crate) enum Fate {
    /// A test failed: which.
    Caught(String),
    /// A test did not end.
    TimedOut(String),
    /// So many tests came by it and passed.
    Survived(usize),
    /// No test comes by it.
    Unreached,
}

impl Fate {
    pub(crate) fn is_caught(&self) -> bool {
        matches!(self, Fate::Caught(_) | Fate::TimedOut(_))
    }

    pub(crate) fn words(&self) -> String {
        match self {
            Fate::Caught(by) => format!("caught by {by}"),
            Fate::TimedOut(by) => format!("timed out in {by}"),
            Fate::Survived(tests) => format!("SURVIVED {tests} tests"),
            Fate::Unreached => "SURVIVED: no test reaches it".into(),
        }
    }
}

/// The committed list of survivors that change nothing, and of files that hold no rules.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Explained {
    #[serde(default)]
    skip: Vec<Skip>,
    #[serde(default)]
    explained: Vec<Explanation>,
}

/// Files that are not broken.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Skip {
    /// How their paths end.
    files: Vec<String>,
    #[allow(dead_code, reason = "for readers")]
    why: String,
}

/// A break that changes nothing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Explanation {
    file: String,
    /// Part of the line as it is.
    code: String,
    /// Part of the line as broken; without it, whatever is done to the line changes nothing.
    mutated: Option<String>,
    why: String,
}

impl Explained {
    pub(crate) fn read(path: &Path) -> anyhow::Result<Explained> {
        let text = fs::read_to_string(path).with_context(|| format!("{} can be read", path.display()))?;
        toml::from_str(&text).with_context(|| format!("{} can be understood", path.display()))
    }

    pub(crate) fn skips(&self, file: &str) -> bool {
        self.skip.iter().flat_map(|s| &s.files).any(|end| file.ends_with(end.as_str()))
    }

    fn why(&self, mutant: &Mutant) -> Option<&str> {
        let found = self.explained.iter().find(|e| {
            e.file == mutant.file
                && mutant.original.contains(&e.code)
                && e.mutated.as_ref().is_none_or(|m| mutant.mutated.contains(m))
        });
        found.map(|e| e.why.as_str())
    }
}

#[allow(clippy::print_stdout, reason = "the answer belongs on standard output")]
pub(crate) fn list(mutant: &Mutant) {
    println!("{}:{}\n  - {}\n  + {}", mutant.file, mutant.line, mutant.original, mutant.mutated);
}

#[derive(Default, Clone)]
struct Score {
    tried: usize,
    caught: usize,
    timed_out: usize,
    equivalent: usize,
}

impl Score {
    fn survived(&self) -> usize {
        self.tried - self.caught - self.equivalent
    }

    fn share(&self) -> f64 {
        100.0 * self.caught as f64 / (self.tried - self.equivalent).max(1) as f64
    }

    fn row(&self, name: &str) -> String {
        format!(
            "| {name} | {} | {} | {} | {} | {} | {:.1} % |\n",
            self.tried,
            self.caught,
            self.timed_out,
            self.survived(),
            self.equivalent,
            self.share()
        )
    }
}

/// Prints the report, keeps it beside the copy, and gives the share caught in percent.
#[allow(clippy::print_stdout, reason = "the answer belongs on standard output")]
pub(crate) fn print(
    ground: &Path,
    rows: &[(Mutant, Fate)],
    explained: &Explained,
    seed: u64,
) -> anyhow::Result<f64> {
    let mut scores: Vec<(&str, Score)> = Vec::new();
    let (mut total, mut survivors, mut equivalents) = (Score::default(), String::new(), String::new());
    for (mutant, fate) in rows {
        if !scores.iter().any(|(name, _)| *name == mutant.package) {
            scores.push((&mutant.package, Score::default()));
        }
        let of_package = scores.iter_mut().find(|(name, _)| *name == mutant.package);
        let why = if fate.is_caught() { None } else { explained.why(mutant) };
        for score in of_package.map(|(_, score)| score).into_iter().chain([&mut total]) {
            score.tried += 1;
            score.caught += usize::from(fate.is_caught());
            score.timed_out += usize::from(matches!(fate, Fate::TimedOut(_)));
            score.equivalent += usize::from(why.is_some());
        }
        if fate.is_caught() {
            continue;
        }
        let place = format!("{}:{}", mutant.file, mutant.line);
        let lines = format!("  - `{}`\n  - `{}`\n", mutant.original, mutant.mutated);
        match why {
            Some(why) => writeln!(equivalents, "- {place}: {why}\n{lines}")?,
            None => writeln!(survivors, "- {place}: {}\n{lines}", fate.words())?,
        }
    }
    scores.sort_by(|a, b| a.0.cmp(b.0));
    let mut text = format!(
        "Seed {seed}.\n\n| crate | tried | caught | of them by time | survived | equivalent | score |\n"
    );
    text += "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (name, score) in &scores {
        text += &score.row(name);
    }
    if scores.len() > 1 {
        text += &total.row("all");
    }
    if !survivors.is_empty() {
        text += &format!("\n## Survivors\n\n{survivors}");
    }
    if !equivalents.is_empty() {
        text += &format!("\n## Breaks that change nothing\n\n{equivalents}");
    }
    println!("{text}");
    fs::write(ground.join("report.md"), &text)?;
    Ok(total.share())
}
