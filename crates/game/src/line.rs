//! A line of notation, taken word by word.

use std::iter::Peekable;
use std::ops::RangeInclusive;
use std::str::SplitWhitespace;

use crate::read;

/// The words of a line of notation, with a sentence for what is missing or unknown.
///
/// ```
/// use game::Line;
/// let units = ["archer", "meredith"];
/// let mut line = Line::new("fire meredith at archer");
/// assert_eq!(line.word("an order"), Ok("fire"));
/// assert_eq!(line.find("unit", |w| units.iter().position(|u| *u == w)), Ok(1));
/// line.must("at").unwrap();
/// assert_eq!(line.find("unit", |w| units.iter().position(|u| *u == w)), Ok(0));
/// assert_eq!(line.end(), Ok(()));
/// ```
#[derive(Debug, Clone)]
pub struct Line<'a>(Peekable<SplitWhitespace<'a>>);

impl<'a> Line<'a> {
    /// The words of `notation`.
    #[must_use]
    pub fn new(notation: &'a str) -> Line<'a> {
        Line(notation.split_whitespace().peekable())
    }

    /// The next word without taking it.
    pub fn peek(&mut self) -> Option<&'a str> {
        self.0.peek().copied()
    }

    /// The next word, if there is one.
    pub fn next_word(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    /// The next word; `what` says what it should be: "a unit".
    ///
    /// # Errors
    /// The line is at its end.
    pub fn word(&mut self, what: &str) -> Result<&'a str, String> {
        self.0.next().ok_or_else(|| format!("expected {what} at the end"))
    }

    /// Takes the next word if it is this one.
    pub fn take(&mut self, word: &str) -> bool {
        self.0.next_if(|w| *w == word).is_some()
    }

    /// The next word must be this one.
    ///
    /// # Errors
    /// It is another.
    pub fn must(&mut self, word: &str) -> Result<(), String> {
        if self.take(word) { Ok(()) } else { Err(format!("expected `{word}`")) }
    }

    /// Looks the next word up; `kind` names what it should be: "unit", "leader".
    ///
    /// # Errors
    /// There is none of that name, or the line is at its end.
    pub fn find<T>(&mut self, kind: &str, look_up: impl FnOnce(&str) -> Option<T>) -> Result<T, String> {
        let article = if kind.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
        let word = self.word(&format!("{article} {kind}"))?;
        look_up(word).ok_or_else(|| format!("there is no {kind} `{word}`"))
    }

    /// A whole number.
    ///
    /// # Errors
    /// It is none, or out of range.
    pub fn integer(&mut self, what: &str, range: RangeInclusive<i64>) -> Result<i64, String> {
        let word = self.word(what)?;
        let number = word.parse().ok().filter(|n| range.contains(n));
        number.ok_or_else(|| format!("`{word}` is not {what}; expected {} to {}", range.start(), range.end()))
    }

    /// A decimal number in thousandths, of at most a thousand either way: `6.5` is 6500.
    ///
    /// # Errors
    /// It is none, or too large.
    pub fn thousandths(&mut self, what: &str) -> Result<i32, String> {
        let word = self.word(what)?;
        let number = read::thousandths(word).and_then(|n| i32::try_from(n).ok());
        number
            .filter(|n| n.abs() <= 1_000_000)
            .ok_or_else(|| format!("`{word}` is not {what}; expected a number with at most three decimals"))
    }

    /// Nothing may follow.
    ///
    /// # Errors
    /// Something does.
    pub fn end(&mut self) -> Result<(), String> {
        self.0.next().map_or(Ok(()), |word| Err(format!("nothing may follow here; remove `{word}`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_in_turn() {
        let mut line = Line::new("  move 12 -6.5 at ");
        assert_eq!((line.peek(), line.next_word()), (Some("move"), Some("move")));
        assert_eq!(line.integer("a number", 1..=12), Ok(12));
        assert_eq!(line.thousandths("inches"), Ok(-6500));
        assert!(!line.take("to") && line.take("at"));
        assert_eq!((line.peek(), line.end()), (None, Ok(())));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let said = |text: &'static str, read: fn(&mut Line<'static>) -> Result<(), String>| {
            read(&mut Line::new(text)).unwrap_err()
        };
        let unit = |line: &mut Line<'static>| line.find("unit", |_| None::<()>);
        assert_eq!(said("", unit), "expected a unit at the end");
        assert_eq!(said("x", unit), "there is no unit `x`");
        assert_eq!(said("", |l| l.find("officer", |_| Some(()))), "expected an officer at the end");
        assert_eq!(said("x", |l| l.must("at")), "expected `at`");
        assert_eq!(said("x", Line::end), "nothing may follow here; remove `x`");
        for wrong in ["x", "0", "13"] {
            let number = |l: &mut Line<'static>| l.integer("a number", 1..=12).map(drop);
            assert_eq!(said(wrong, number), format!("`{wrong}` is not a number; expected 1 to 12"));
        }
        for wrong in ["x", "1.2345", "1001", "99999999999"] {
            assert!(
                said(wrong, |l| l.thousandths("a length").map(drop)).contains("is not a length"),
                "{wrong}"
            );
        }
        assert_eq!(Line::new("1000").thousandths("a length"), Ok(1_000_000));
    }
}
