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

#[cfg(test)]
mod tests {
    use super::*;

    fn report(source: &str, span: Range<usize>) -> String {
        let mut faults = Faults::new();
        faults.add(span, "wrong", "right");
        faults.report("file", source)
    }

    #[test]
    fn a_line_that_fits_is_shown_from_its_beginning() {
        let line = "x".repeat(LINE);
        let told = report(&line, 100..103);
        assert_eq!(
            told,
            format!("file:1:101: wrong\n  {line}\n  {}^^^\n  expected: right\n", " ".repeat(100))
        );
        let longer = "x".repeat(LINE + 1);
        let shown = "x".repeat(LINE + 1 - 40);
        let told = report(&longer, 100..101);
        assert_eq!(told, format!("file:1:101: wrong\n  {shown}\n  {}^\n  expected: right\n", " ".repeat(60)));
    }

    #[test]
    fn the_caret_is_as_wide_as_the_fault_within_its_line() {
        assert!(report("ab\ncd\n", 3..3).contains("file:2:1: wrong\n  cd\n  ^\n"));
        assert!(report("ab\ncd\n", 4..99).contains("file:2:2: wrong\n  cd\n   ^\n"));
        assert!(report("ab\ncd\n", 3..5).contains("  cd\n  ^^\n"));
        assert!(report("", 0..0).contains("file:1:1: wrong\n  \n  ^\n"));
        assert!(report("a\tb\u{7}", 0..1).contains("\n  a b\u{fffd}\n"));
    }

    #[test]
    fn no_more_faults_are_told_than_anybody_reads() {
        let faults = |n: usize| {
            let mut faults = Faults::new();
            (0..n).rev().for_each(|at| faults.add(at..at, format!("fault {at}"), "none"));
            faults.or(|| ()).unwrap_err()
        };
        let fifty = faults(TOLD);
        assert!(!fifty.report("file", "").contains("more") && !fifty.to_string().contains("more"));
        let more = faults(TOLD + 1);
        assert_eq!((more.0.len(), more.0[0].message.as_str()), (TOLD, "fault 0"), "by their place");
        assert!(more.report("file", "").ends_with("file: and 1 more faults\n"));
        assert!(more.to_string().ends_with("and 1 more\n"));
        assert!(more.to_string().starts_with("at byte 0: fault 0 (expected: none)\n"));
        let kept = faults(KEPT + 10);
        assert!(kept.to_string().ends_with(&format!("and {} more\n", KEPT + 10 - TOLD)));
        let mut twice = Faults::new();
        twice.add(1..2, "a", "b");
        twice.add(1..2, "a", "b");
        assert_eq!(twice.or(|| ()).unwrap_err().0.len(), 1, "the same fault is told once");
        assert_eq!(Faults::new().or(|| 3), Ok(3));
    }

    #[test]
    fn faults_of_a_part_stand_in_the_whole() {
        let mut faults = Faults::new();
        faults.add(2..5, "a", "b");
        assert_eq!(faults.shifted(10).0[0].span, 12..15);
    }

    #[test]
    fn places_are_counted_in_letters_from_one() {
        for (byte, place) in [(0, (1, 1)), (1, (1, 2)), (2, (1, 2)), (3, (1, 3)), (4, (2, 1)), (99, (2, 2))] {
            assert_eq!(line_and_column("aé\nb", byte), place, "byte {byte}");
        }
    }

    #[test]
    fn a_text_of_any_length_is_clipped() {
        assert_eq!(clip(&"é".repeat(LINE)), "é".repeat(LINE));
        assert_eq!(clip(&"é".repeat(LINE + 1)), format!("{}…", "é".repeat(LINE)));
        assert_eq!(printable("a\tb\nc\u{1b}"), "a b\nc\u{fffd}");
    }
}
