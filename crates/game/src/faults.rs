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

/// Every fault of one text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Faults(pub Vec<Fault>);

impl Faults {
    /// No fault yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes a fault at `span`.
    pub fn add(&mut self, span: Range<usize>, message: impl Into<String>, expected: impl Into<String>) {
        self.0.push(Fault { span, message: message.into(), expected: expected.into() });
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
        Err(self)
    }

    /// What the TOML reader objects to.
    #[must_use]
    pub fn of_toml(error: &toml::de::Error) -> Self {
        let mut faults = Faults::new();
        faults.add(
            error.span().unwrap_or(0..0),
            error.message().to_owned(),
            "TOML that the manual's page on the format describes",
        );
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
            let width = fault.span.len().clamp(1, text.chars().count().saturating_sub(column - 1).max(1));
            out += &format!(
                "{name}:{line}:{column}: {}\n  {text}\n  {}{}\n  expected: {}\n",
                fault.message,
                " ".repeat(column - 1),
                "^".repeat(width),
                fault.expected,
            );
        }
        out
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.0 {
            writeln!(f, "at byte {}: {} (expected: {})", fault.span.start, fault.message, fault.expected)?;
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
