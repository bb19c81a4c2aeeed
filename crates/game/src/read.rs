//! Reading written files: every fault at once, each at its place, unknown keys too.
//!
//! ```
//! use game::read;
//! let faults = read::document("name = 3\nsize = 40\ncolour = true\n", |sheet| {
//!     let name = sheet.field("name").required().text();
//!     let size = sheet.field("size").required().integer(1..=30);
//!     sheet.finish();
//!     Some((name?, size?))
//! })
//! .unwrap_err();
//! assert_eq!(faults.0.len(), 3, "a wrong type, a number out of range and an unknown key");
//! ```

use std::cell::RefCell;
use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::faults::{Faults, clip};

/// Reads a whole TOML text. `build` may give up with `None` only after it has noted a fault; the keys it has not asked for
/// by then are no faults, unless it called [`Section::finish`] itself.
///
/// # Errors
/// Every fault, by its place.
pub fn document<T>(source: &str, build: impl FnOnce(&Section<'_>) -> Option<T>) -> Result<T, Faults> {
    let root = DeTable::parse(source).map_err(|e| Faults::of_toml(&e))?;
    let faults = RefCell::new(Faults::new());
    let built = {
        let section = Section::new(root.get_ref(), root.span(), &faults);
        let built = build(&section);
        if built.is_some() {
            section.finish();
        }
        built
    };
    let faults = faults.into_inner();
    match built {
        Some(value) => faults.or(|| value),
        None if faults.0.is_empty() => {
            let mut faults = faults;
            faults.add(0..0, "the file could not be read", "a complete file");
            Err(faults)
        }
        None => faults.or(|| unreachable!("there are faults")),
    }
}

/// A table of the file. Keys that nobody asked for are faults when it is dropped by [`Section::finish`].
#[derive(Debug)]
pub struct Section<'d> {
    table: &'d DeTable<'d>,
    span: Range<usize>,
    faults: &'d RefCell<Faults>,
    asked: RefCell<Vec<&'d str>>,
}

impl<'d> Section<'d> {
    fn new(table: &'d DeTable<'d>, span: Range<usize>, faults: &'d RefCell<Faults>) -> Self {
        Section { table, span, faults, asked: RefCell::new(Vec::new()) }
    }

    /// Where the table stands in the text.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The value under `key`, if any.
    #[must_use]
    pub fn field(&self, key: &'d str) -> Field<'d> {
        self.asked.borrow_mut().push(key);
        let found = self.table.get_key_value(key);
        Field {
            key: key.to_owned(),
            key_span: found.map_or(self.span.clone(), |(k, _)| k.span()),
            span: found.map_or(self.span.clone(), |(_, v)| v.span()),
            value: found.map(|(_, v)| v),
            faults: self.faults,
        }
    }

    /// All keys with their values, for tables whose keys are names. They count as asked for.
    pub fn entries(&self) -> impl Iterator<Item = (String, Field<'d>)> + '_ {
        self.table.iter().map(|(key, value)| {
            let name: &'d str = key.get_ref();
            self.asked.borrow_mut().push(name);
            let field = Field {
                key: name.to_owned(),
                key_span: key.span(),
                span: value.span(),
                value: Some(value),
                faults: self.faults,
            };
            (name.to_owned(), field)
        })
    }

    /// Leaves these keys to somebody else.
    pub fn ignore(&self, keys: &[&'d str]) {
        self.asked.borrow_mut().extend_from_slice(keys);
    }

    /// The reader gives up here: what it has not asked for yet is no fault.
    pub fn leave(&self) {
        self.entries().for_each(drop);
    }

    /// Notes a fault about the table as a whole.
    pub fn fault(&self, message: impl Into<String>, expected: impl Into<String>) {
        self.faults.borrow_mut().add(self.span.clone(), message, expected);
    }

    /// Notes a fault at a place of the text.
    pub fn fault_at(&self, span: Range<usize>, message: impl Into<String>, expected: impl Into<String>) {
        self.faults.borrow_mut().add(span, message, expected);
    }

    /// Reports the keys that nobody asked for.
    pub fn finish(&self) {
        let mut asked = self.asked.borrow_mut();
        asked.sort_unstable();
        asked.dedup();
        let known =
            if asked.is_empty() { "no key".to_owned() } else { format!("one of {}", asked.join(", ")) };
        for (key, _) in self.table {
            let name: &str = key.get_ref();
            if asked.binary_search(&name).is_err() {
                self.faults.borrow_mut().add(
                    key.span(),
                    format!("unknown key `{}`", clip(name)),
                    known.as_str(),
                );
            }
        }
    }
}

/// The longest text, in bytes. The largest map drawn in letters is well below it.
const LONGEST: usize = 100_000;

/// A value of the file, or its absence.
#[derive(Debug, Clone)]
pub struct Field<'d> {
    key: String,
    key_span: Range<usize>,
    span: Range<usize>,
    value: Option<&'d Spanned<DeValue<'d>>>,
    faults: &'d RefCell<Faults>,
}

impl<'d> Field<'d> {
    /// Where its key stands (the table's place if it is absent).
    #[must_use]
    pub fn key_span(&self) -> Range<usize> {
        self.key_span.clone()
    }

    /// Where it stands (the table's place if it is absent).
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Whether it is there.
    #[must_use]
    pub fn is_present(&self) -> bool {
        self.value.is_some()
    }

    /// Its absence is a fault.
    #[must_use]
    pub fn required(self) -> Self {
        if self.value.is_none() {
            self.fault(format!("`{}` is missing", self.key), format!("a line `{} = ...`", self.key));
        }
        self
    }

    /// Notes a fault at its place.
    pub fn fault(&self, message: impl Into<String>, expected: impl Into<String>) {
        self.faults.borrow_mut().add(self.span.clone(), message, expected);
    }

    fn wrong(&self, expected: &str) {
        let found = self.value.map_or("nothing", |v| v.get_ref().type_str());
        self.fault(format!("`{}` is {found}", self.key), expected);
    }

    /// A text.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        match self.value?.get_ref() {
            DeValue::String(text) if text.len() > LONGEST => {
                self.fault(format!("`{}` has {} bytes", self.key, text.len()), format!("at most {LONGEST}"));
                None
            }
            DeValue::String(text)
                if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) =>
            {
                self.fault(
                    format!("`{}` has a control character in it", self.key),
                    "letters, figures and signs",
                );
                None
            }
            DeValue::String(text) => Some(text.to_string()),
            _ => {
                self.wrong("a text in quotes");
                None
            }
        }
    }

    /// An id: what files, journals and notation call something ([`is_slug`]).
    #[must_use]
    pub fn id(&self) -> Option<String> {
        let text = self.text()?;
        if is_slug(&text) {
            return Some(text);
        }
        self.fault(format!("`{}` is no id", clip(&text)), "small letters, figures and hyphens");
        None
    }

    /// One of these texts; gives its index.
    #[must_use]
    pub fn one_of(&self, words: &[&str]) -> Option<usize> {
        let text = self.text()?;
        let found = words.iter().position(|w| *w == text);
        if found.is_none() {
            self.fault(
                format!("`{}` is not known here", clip(&text)),
                format!("one of {}", words.join(", ")),
            );
        }
        found
    }

    /// A whole number within `range`.
    #[must_use]
    pub fn integer(&self, range: RangeInclusive<i64>) -> Option<i64> {
        let number = match self.value?.get_ref() {
            DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).ok(),
            _ => None,
        };
        match number {
            Some(n) if range.contains(&n) => Some(n),
            Some(n) => {
                self.fault(format!("`{}` is {n}", self.key), format!("{} to {}", range.start(), range.end()));
                None
            }
            None => {
                self.wrong("a whole number");
                None
            }
        }
    }

    /// A decimal number in thousandths, exact: `6.5` is 6500.
    #[must_use]
    pub fn thousandths(&self) -> Option<i64> {
        let written = match self.value?.get_ref() {
            DeValue::Integer(n) => n.as_str().to_owned(),
            DeValue::Float(f) => f.as_str().to_owned(),
            _ => String::new(),
        };
        let number = thousandths(&written);
        if number.is_none() {
            self.wrong("a number with at most three decimals");
        }
        number
    }

    /// Yes or no.
    #[must_use]
    pub fn truth(&self) -> Option<bool> {
        match self.value?.get_ref() {
            DeValue::Boolean(b) => Some(*b),
            _ => {
                self.wrong("true or false");
                None
            }
        }
    }

    /// The values of a list; a single value counts as a list of one.
    #[must_use]
    pub fn list(&self) -> Vec<Field<'d>> {
        let Some(value) = self.value else { return Vec::new() };
        let item = |value: &'d Spanned<DeValue<'d>>| Field {
            key: self.key.clone(),
            key_span: self.key_span.clone(),
            span: value.span(),
            value: Some(value),
            faults: self.faults,
        };
        match value.get_ref() {
            DeValue::Array(items) => items.iter().map(item).collect(),
            _ => vec![item(value)],
        }
    }

    /// A list of texts.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.list().iter().filter_map(Field::text).collect()
    }

    /// A table.
    #[must_use]
    pub fn section(&self) -> Option<Section<'d>> {
        match self.value?.get_ref() {
            DeValue::Table(table) => Some(Section::new(table, self.span.clone(), self.faults)),
            _ => {
                self.wrong("a table");
                None
            }
        }
    }

    /// A list of tables, as `[[key]]` writes it.
    #[must_use]
    pub fn sections(&self) -> Vec<Section<'d>> {
        self.list().iter().filter_map(Field::section).collect()
    }

    /// The value as it was parsed.
    #[must_use]
    pub fn raw(&self) -> Option<&'d DeValue<'d>> {
        self.value.map(Spanned::get_ref)
    }
}

/// Whether a text may be an id: small letters, figures and hyphens, at least one and at most 64. Then it can stand in
/// notation, where a blank parts words and `+` joins them.
#[must_use]
pub fn is_slug(id: &str) -> bool {
    (1..=64).contains(&id.len())
        && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// `6.5` as 6500, exactly; none if it has more than three decimals or is no plain number.
#[must_use]
pub fn thousandths(written: &str) -> Option<i64> {
    let (sign, digits) = match written.strip_prefix(['-', '+']) {
        Some(rest) if written.starts_with('-') => (-1, rest),
        Some(rest) => (1, rest),
        None => (1, written),
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || decimals.len() > 3 || !all_digits(whole) || !all_digits(decimals) {
        return None;
    }
    let padded = format!("{decimals:0<3}");
    let whole: i64 = whole.parse().ok()?;
    let rest: i64 = padded.parse().ok()?;
    Some(sign * (whole.checked_mul(1000)?.checked_add(rest)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        assert_eq!(thousandths("6.5"), Some(6500));
        assert_eq!(thousandths("-0.125"), Some(-125));
        assert_eq!(thousandths("12"), Some(12_000));
        assert_eq!(thousandths("1.2345"), None);
        assert_eq!(thousandths("1e3"), None);
        assert_eq!(thousandths(""), None);
    }

    #[test]
    fn an_id_is_small_letters_figures_and_hyphens() {
        for good in ["meredith", "2nd-wisconsin", "0505", "a"] {
            assert!(is_slug(good), "{good}");
        }
        for bad in ["", "a b", "a\nb", "Meredith", "a+b", "a_b", "\u{1b}[2J", "é", &"x".repeat(65)] {
            assert!(!is_slug(bad), "{bad:?}");
        }
        let faults = document("id = \"a b\"", |sheet| sheet.field("id").id()).unwrap_err();
        assert_eq!(faults.0[0].message, "`a b` is no id");
    }

    #[test]
    fn a_text_can_be_shown() {
        let texts = ["title = \"\\u001b[2J\"".to_owned(), format!("title = \"{}\"", "x".repeat(5_000_000))];
        for source in texts {
            let faults = document(&source, |sheet| sheet.field("title").text()).unwrap_err();
            assert!(faults.report("file.toml", &source).starts_with("file.toml:1:9: `title` has "));
        }
        let two_lines = "blurb = \"\"\"one\ntwo\"\"\"";
        assert!(document(two_lines, |sheet| sheet.field("blurb").text()).is_ok());
    }

    #[test]
    fn what_a_reader_that_broke_off_has_not_asked_for_is_no_fault() {
        let faults = document("a = 99\nb = 1\n", |sheet| {
            let a = sheet.field("a").integer(0..=9)?;
            Some((a, sheet.field("b").integer(0..=9)?))
        })
        .unwrap_err();
        assert_eq!(faults.0.len(), 1, "{faults}");
    }

    #[test]
    fn thirty_thousand_unknown_keys_take_no_longer_than_they_must() {
        let source: String = (0..30_000).map(|i| format!("unknown-{i} = {i}\n")).collect();
        let begun = std::time::Instant::now();
        let faults = document(&source, |sheet| sheet.field("known").integer(0..=9).or(Some(0))).unwrap_err();
        let report = faults.report("file.toml", &source);
        assert!(begun.elapsed().as_secs() < 2, "{:?}", begun.elapsed());
        assert!(report.ends_with("file.toml: and 29950 more faults\n"), "{report}");
    }

    #[test]
    fn a_long_line_is_shown_around_the_fault() {
        let source = format!("long = [{}x, 1]\n", "1, ".repeat(100_000));
        let report = document(&source, |_| Some(())).unwrap_err().report("file.toml", &source);
        assert!(report.len() < 1000, "{} bytes", report.len());
        assert!(report.contains("^"), "{report}");
    }

    /// Reads one value and tells the fault.
    fn fault<T>(source: &str, read: impl FnOnce(&Field<'_>) -> Option<T>) -> (String, String) {
        let faults = document(source, |sheet| read(&sheet.field("a"))).map(drop).unwrap_err();
        assert_eq!(faults.0.len(), 1, "{source}: {faults}");
        (faults.0[0].message.clone(), faults.0[0].expected.clone())
    }

    #[test]
    fn a_value_of_another_kind_is_told() {
        let told = |message: &str, expected: &str| (message.to_owned(), expected.to_owned());
        assert_eq!(fault("a = 1", |f| f.text()), told("`a` is integer", "a text in quotes"));
        assert_eq!(fault("a = \"1\"", |f| f.integer(0..=9)), told("`a` is string", "a whole number"));
        assert_eq!(fault("a = 10", |f| f.integer(0..=9)), told("`a` is 10", "0 to 9"));
        assert_eq!(
            fault("a = \"x\"", |f| f.thousandths()),
            told("`a` is string", "a number with at most three decimals")
        );
        assert_eq!(
            fault("a = 1.2345", |f| f.thousandths()),
            told("`a` is float", "a number with at most three decimals")
        );
        assert_eq!(fault("a = 1", |f| f.truth()), told("`a` is integer", "true or false"));
        assert_eq!(fault("a = 1", |f| f.section().map(drop)), told("`a` is integer", "a table"));
        assert_eq!(
            fault("a = \"c\"", |f| f.one_of(&["x", "y"])),
            told("`c` is not known here", "one of x, y")
        );
        assert_eq!(
            fault("b = 1", |f| f.clone().required().text()),
            told("`a` is missing", "a line `a = ...`")
        );
    }

    #[test]
    fn values_are_read_as_they_are_written() {
        let read = document(
            "a = 0\nb = 9\nc = [1, 2]\nd = 6.5\ne = true\nf = { g = \"x\" }\nh = 0x1f\ni = 3\n",
            |sheet| {
                let range = |key| sheet.field(key).integer(0..=9);
                let list =
                    sheet.field("c").list().iter().filter_map(|f| f.integer(0..=2)).collect::<Vec<_>>();
                let inner = sheet.field("f").section()?;
                let word = inner.field("g").one_of(&["w", "x"])?;
                inner.finish();
                let lone = sheet.field("i").list().len();
                let absent = (
                    sheet.field("z").is_present(),
                    sheet.field("z").list().len(),
                    sheet.field("z").raw().is_none(),
                );
                let known = (
                    sheet.field("d").thousandths()?,
                    sheet.field("e").truth()?,
                    sheet.field("h").integer(0..=99)?,
                );
                Some((range("a")?, range("b")?, list, known, word, lone, absent))
            },
        );
        assert_eq!(read, Ok((0, 9, vec![1, 2], (6500, true, 31), 1, 1, (false, 0, true))));
    }

    #[test]
    fn places_of_keys_and_values() {
        let source = "first = 1\nkey = \"value\"\n";
        document(source, |sheet| {
            sheet.ignore(&["first"]);
            let field = sheet.field("key");
            assert_eq!((&source[field.key_span()], &source[field.span()]), ("key", "\"value\""));
            let item = &field.list()[0];
            assert_eq!((&source[item.key_span()], item.text().as_deref()), ("key", Some("value")));
            assert_eq!(sheet.field("none").key_span(), sheet.span());
            let (name, entry) = sheet.entries().nth(1)?;
            assert_eq!((name.as_str(), &source[entry.key_span()]), ("key", "key"));
            Some(())
        })
        .unwrap();
    }

    #[test]
    fn the_longest_text_and_the_longest_id() {
        let text = |n: usize| format!("a = \"{}\"", "x".repeat(n));
        assert!(document(&text(LONGEST), |sheet| sheet.field("a").text()).is_ok());
        assert!(document(&text(LONGEST + 1), |sheet| sheet.field("a").text()).is_err());
        assert!(is_slug(&"x".repeat(64)) && is_slug("z9-"));
        for (written, number) in [
            ("+1.5", Some(1500)),
            ("-.5", None),
            ("1.", Some(1000)),
            ("9223372036854775807", None),
            ("0.001", Some(1)),
            ("1.a", None),
        ] {
            assert_eq!(thousandths(written), number, "{written}");
        }
    }

    #[test]
    fn unknown_keys_are_told_with_the_known_ones() {
        let faults = document("colour = 1\n", |sheet| {
            let _ = (sheet.field("size"), sheet.field("name"), sheet.field("size"));
            Some(())
        })
        .unwrap_err();
        assert_eq!(
            (faults.0[0].message.as_str(), faults.0[0].expected.as_str()),
            ("unknown key `colour`", "one of name, size")
        );
        let faults = document("colour = 1\n", |_| Some(())).unwrap_err();
        assert_eq!(faults.0[0].expected, "no key");
        let faults = document("colour = 1\n", |_| None::<()>).unwrap_err();
        assert_eq!(faults.0[0].message, "the file could not be read");
        assert!(
            document("colour = 1\n", |sheet| {
                sheet.leave();
                Some(())
            })
            .is_ok()
        );
        let faults = document("a = 1\n", |sheet| {
            sheet.leave();
            sheet.fault("all of it", "none of it");
            sheet.fault_at(4..5, "this", "that");
            Some(())
        })
        .unwrap_err();
        assert_eq!(faults.0.iter().map(|f| f.message.as_str()).collect::<Vec<_>>(), ["all of it", "this"]);
    }

    #[test]
    fn faults_come_in_the_order_of_the_text() {
        let source = "b = 99\nwrong = 1\n[inner]\na = \"x\"\n";
        let faults = document(source, |sheet| {
            let inner = sheet.field("inner").required().section()?;
            let a = inner.field("a").integer(0..=1);
            inner.finish();
            let b = sheet.field("b").integer(0..=9);
            sheet.finish();
            Some((a?, b?))
        })
        .unwrap_err();
        let report = faults.report("file.toml", source);
        assert!(
            report.starts_with("file.toml:1:5: `b` is 99\n  b = 99\n      ^^\n  expected: 0 to 9\n"),
            "{report}"
        );
        assert_eq!(faults.0.len(), 3);
    }
}
