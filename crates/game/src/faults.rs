//! Faults of a written file: all at once, each at its line and column, with what was expected.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Where in the text, in bytes.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub expected: String,
}

/// How many faults of one text are told. Nobody reads more, and a file may be wrong in a million places.
const TOLD: usize = 50;
/// How many are kept until it is known which stand first in the text.
const KEPT: usize = 2000;

/// The faults of one text, the first of them one by one, and how many more there are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Faults(pub Vec<Fault>, usize);

impl Faults {
    /// No fault yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes a fault at `span`.
    pub fn add(&mut self, span: Range<usize>, message: impl Into<String>, expected: impl Into<String>) {
        if self.0.len() < KEPT {
            self.0.push(Fault { span, message: message.into(), expected: expected.into() });
        } else {
            self.1 += 1;
        }
    }

    /// The value if there was no fault.
    ///
    /// # Errors
    /// The faults, by their place in the text.
    pub fn or<T>(mut self, value: impl FnOnce() -> T) -> Result<T, Faults> {
        if self.0.is_empty() {
            return Ok(value());
        }
        self.0.sort_by_key(|f| f.span.start);
        self.0.dedup();
        self.1 += self.0.len().saturating_sub(TOLD);
        self.0.truncate(TOLD);
        Err(self)
    }

    /// What the TOML reader objects to.
    #[must_use]
    pub fn of_toml(error: &toml::de::Error) -> Self {
        let mut faults = Faults::new();
        let expected = "TOML: lines `key = value`, texts in quotes, tables `[name]` and `[[name]]`";
        faults.add(error.span().unwrap_or(0..0), error.message().to_owned(), expected);
        faults
    }

    /// The same faults in a text where this one begins at `offset`.
    #[must_use]
    pub fn shifted(mut self, offset: usize) -> Self {
        for fault in &mut self.0 {
            fault.span = fault.span.start + offset..fault.span.end + offset;
        }
        self
    }

    /// The faults with line, column and a caret, for a file of that name.
    #[must_use]
    pub fn report(&self, name: &str, source: &str) -> String {
        let mut out = String::new();
        for fault in &self.0 {
            let (line, column) = line_and_column(source, fault.span.start);
            let text = source.lines().nth(line - 1).unwrap_or("");
            // A long line is shown from a little before the fault on.
            let skipped = if text.chars().count() > LINE { (column - 1).saturating_sub(LINE / 2) } else { 0 };
            let shown: String = text.chars().skip(skipped).take(LINE).map(plain).collect();
            let before = column - 1 - skipped;
            let width = fault.span.len().clamp(1, shown.chars().count().saturating_sub(before).max(1));
            out += &format!(
                "{name}:{line}:{column}: {}\n  {shown}\n  {}{}\n  expected: {}\n",
                printable(&fault.message),
                " ".repeat(before),
                "^".repeat(width),
                printable(&fault.expected),
            );
        }
        if self.1 > 0 {
            out += &format!("{name}: and {} more faults\n", self.1);
        }
        out
    }
}

/// How much of a line a report shows.
const LINE: usize = 120;

/// The beginning of a text that may be of any length, for a message.
#[must_use]
pub fn clip(text: &str) -> String {
    match text.char_indices().nth(LINE) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// A text that comes from a file, fit to be shown: control characters would move the cursor, or worse.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { plain(c) }).collect()
}

fn plain(letter: char) -> char {
    match letter {
        '\t' => ' ',
        letter if letter.is_control() => '\u{fffd}',
        letter => letter,
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.0 {
            writeln!(f, "at byte {}: {} (expected: {})", fault.span.start, fault.message, fault.expected)?;
        }
        if self.1 > 0 {
            writeln!(f, "and {} more", self.1)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

/// Line and column of a byte, both from 1.
#[must_use]
pub fn line_and_column(source: &str, byte: usize) -> (usize, usize) {
    let mut end = byte.min(source.len());
    while !source.is_char_boundary(end) {
        end -= 1;
    }
    let before = &source[..end];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
    (line, column)
}
