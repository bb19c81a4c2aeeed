//! The journal: a JSON Lines file that a person can read. The first line says what is played and how the dice fall;
//! then one line for each thing that happened. It is append-only: what was taken back stays on paper.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{BySide, Options, Outcome, Side};

/// The number of the format, in the first line.
pub const FORMAT: u32 = 1;

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The number of the format.
    pub linstock: u32,
    /// `battle-hymn`.
    pub system: String,
    /// The edition of the rules.
    pub edition: String,
    /// `battle-hymn/mcphersons-ridge`.
    pub scenario: String,
    /// SHA-256 of the scenario's text, in hexadecimal.
    pub hash: String,
    /// The scenario's text where it is not one of the library's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// House rules set apart from the scenario's.
    #[serde(default, skip_serializing_if = "Options::is_empty")]
    pub options: Options,
    /// Who sits where.
    pub seats: BySide<String>,
    /// How the dice fall.
    pub dice: DiceOf,
    /// Agreed at set-up: who plays alone may also take back what has rolled dice or revealed something.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rolls_back: bool,
    /// How many of the further lines were taken over from another journal: their faces stand as written there, the
    /// dice above are those of what follows.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub taken_over: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// How the dice of a game fall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DiceOf {
    /// From this seed (hexadecimal), open to all: games of the computer with itself, studies.
    Seed(String),
    /// From a secret that nobody may know before the end; this is its SHA-256.
    Commit(String),
    /// From this seed (hexadecimal) and the number of the decision alone, so that they fall the same for everybody, and
    /// the same again after something was taken back: lessons.
    Fixed(String),
    /// Real dice, typed in.
    Table,
}

/// Every further line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Line {
    /// A decision and the rolls it caused. Number 0 is the muster.
    Act {
        /// How many decisions stand before it.
        n: u64,
        /// Who decided; nobody at the muster.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<Side>,
        /// The action in notation.
        #[serde(rename = "do")]
        act: String,
        /// The faces, in the order they were asked for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rolls: Vec<u8>,
        /// What the acting player mixed into the dice, in hexadecimal.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        salt: String,
        /// The beginning of the position's digest.
        state: String,
        /// Whether an order given beforehand decided it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        ordered: bool,
    },
    /// Taken back: the position is again the one after decision `to`.
    Back {
        /// The decision after which play goes on.
        back: u64,
        /// Who asked.
        by: Side,
        /// Whether the other side had to agree, and did.
        agreed: bool,
    },
    /// A side gives up.
    Resign {
        /// Who gives up.
        resign: Side,
    },
    /// The end, and the secret behind the dice.
    End {
        /// How it ended.
        end: Outcome,
        /// The secret in hexadecimal, where there was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        secret: Option<String>,
    },
}

/// What is wrong with a journal, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct Broken {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

/// A journal as far as it can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The first line.
    pub header: Header,
    /// The good lines after it.
    pub lines: Vec<Line>,
    /// The first line that could not be read.
    pub broken: Option<Broken>,
}

/// Reads a journal up to its last good line.
///
/// # Errors
/// When not even the first line can be read: then there is nothing to open.
pub fn parse(text: &str) -> Result<Parsed, Broken> {
    // Some editors put a mark before the first letter; scenarios may have it too.
    let mut numbered = text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate();
    let (_, first) = numbered.next().ok_or(Broken {
        line: 1,
        message: "the file is empty; a journal begins with a line that names its scenario".into(),
    })?;
    let format: Format = serde_json::from_str(first).map_err(|e| Broken {
        line: 1,
        message: format!("this is not the first line of a journal: {}", plainly(&e)),
    })?;
    if format.linstock != FORMAT {
        let message =
            format!("the journal has format {}, this program reads format {FORMAT}", format.linstock);
        return Err(Broken { line: 1, message });
    }
    let header: Header = serde_json::from_str(first)
        .map_err(|e| Broken { line: 1, message: format!("the first line is incomplete: {}", plainly(&e)) })?;
    let mut lines = Vec::new();
    let mut broken = None;
    for (index, line) in numbered {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(line) {
            Ok(line) => lines.push(line),
            Err(_) => {
                let message =
                    format!("this line cannot be read: {}; everything before it stands", misread(line));
                broken = Some(Broken { line: index + 1, message });
                break;
            }
        }
    }
    Ok(Parsed { header, lines, broken })
}

/// What a value of a line must be.
struct Must {
    key: &'static str,
    may_be_absent: bool,
    be: &'static str,
    is: fn(&Value) -> bool,
}

const fn must(key: &'static str, be: &'static str, is: fn(&Value) -> bool) -> Must {
    Must { key, may_be_absent: false, be, is }
}

const fn may(key: &'static str, be: &'static str, is: fn(&Value) -> bool) -> Must {
    Must { key, may_be_absent: true, be, is }
}

/// The lines of a journal by the key that tells them apart, each with what it holds.
const KINDS: &[(&str, &[Must])] = &[
    (
        "do",
        &[
            must("n", "a number", Value::is_u64),
            may("side", "first or second", is::<Option<Side>>),
            must("do", "an action in notation", Value::is_string),
            may("rolls", "a list of faces", is::<Vec<u8>>),
            may("salt", "a text", Value::is_string),
            must("state", "the beginning of the position's digest", Value::is_string),
            may("ordered", "true or false", Value::is_boolean),
        ],
    ),
    (
        "back",
        &[
            must("back", "the number of a decision", Value::is_u64),
            must("by", "first or second", is::<Side>),
            must("agreed", "true or false", Value::is_boolean),
        ],
    ),
    ("resign", &[must("resign", "first or second", is::<Side>)]),
    (
        "end",
        &[must("end", "how the game ended", is::<Outcome>), may("secret", "a text", is::<Option<String>>)],
    ),
];

fn is<T: for<'d> Deserialize<'d>>(value: &Value) -> bool {
    T::deserialize(value).is_ok()
}

/// Why a line cannot be read.
fn misread(line: &str) -> String {
    let value: Value = match serde_json::from_str(line) {
        Ok(value) => value,
        Err(e) => return plainly(&e),
    };
    let Some((_, holds)) = KINDS.iter().find(|(key, _)| value.get(key).is_some()) else {
        let keys: Vec<String> = KINDS.iter().map(|(key, _)| format!("`{key}`")).collect();
        return format!("it has none of {}", keys.join(", "));
    };
    let wrong = holds.iter().find_map(|must| match value.get(must.key) {
        None if must.may_be_absent => None,
        None => Some(format!("`{}` is missing", must.key)),
        Some(found) if (must.is)(found) => None,
        Some(_) => Some(format!("`{}` must be {}", must.key, must.be)),
    });
    wrong.unwrap_or_else(|| "it is not a journal line".to_owned())
}

/// What the reader of JSON objects to, in plain words.
fn plainly(error: &serde_json::Error) -> String {
    use serde_json::error::Category;
    match error.classify() {
        Category::Eof => "it is cut off".to_owned(),
        Category::Syntax | Category::Io => format!("it is not JSON from column {} on", error.column()),
        Category::Data => {
            let said = error.to_string();
            let said = said.split(" at line ").next().unwrap_or_default();
            said.replace("missing field", "there is no").replace("invalid type: ", "wrong kind of value: ")
        }
    }
}

#[derive(Deserialize)]
struct Format {
    linstock: u32,
}

/// Writes one line.
///
/// # Panics
/// Never: the lines are plain data.
#[must_use]
pub fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data can be written")
}

/// Bytes in hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Hexadecimal as bytes.
#[must_use]
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.is_ascii() {
        return None;
    }
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            linstock: FORMAT,
            system: "battle-hymn".into(),
            edition: "1".into(),
            scenario: "battle-hymn/drill".into(),
            hash: "00".into(),
            text: None,
            options: Options::new(),
            seats: BySide { first: "Ada".into(), second: "captain".into() },
            dice: DiceOf::Seed("07".repeat(32)),
            rolls_back: false,
            taken_over: 0,
        }
    }

    fn act(n: u64) -> Line {
        let side = Some(Side::First);
        let (salt, state) = (String::new(), "ab".into());
        Line::Act { n, side, act: "done".into(), rolls: vec![3], salt, state, ordered: false }
    }

    #[test]
    fn every_kind_of_line_survives_the_paper() {
        let lines = [
            act(4),
            Line::Back { back: 2, by: Side::Second, agreed: true },
            Line::Resign { resign: Side::First },
            Line::End { end: Outcome::Won(Side::Second), secret: Some("ff".into()) },
        ];
        for l in lines {
            assert_eq!(serde_json::from_str::<Line>(&line(&l)).unwrap(), l);
        }
    }

    #[test]
    fn a_truncated_journal_opens_up_to_its_last_good_line() {
        let text = format!("{}\n{}\n{}\n{{\"n\":2,\"si", line(&header()), line(&act(0)), line(&act(1)));
        let parsed = parse(&text).unwrap();
        assert_eq!(parsed.lines.len(), 2);
        assert_eq!(parsed.broken.unwrap().line, 4);
    }

    #[test]
    fn a_line_that_cannot_be_read_is_explained() {
        for (bad, said) in [
            (r#"{"n":1,"side":"first","do":"done"}"#, "`state` is missing"),
            (r#"{"n":1,"side":"third","do":"done","state":"ab"}"#, "`side` must be first or second"),
            (
                r#"{"n":1,"side":"first","do":"done","rolls":[300],"state":"ab"}"#,
                "`rolls` must be a list of faces",
            ),
            (r#"{"back":1,"by":"first"}"#, "`agreed` is missing"),
            (r#"{"end":{"won":"nobody"}}"#, "`end` must be how the game ended"),
            (r#"{"hello":1}"#, "it has none of `do`, `back`, `resign`, `end`"),
            (r#"{"n":1,"#, "it is cut off"),
            ("castling", "it is not JSON"),
        ] {
            let parsed = parse(&format!("{}\n{bad}\n", line(&header()))).unwrap();
            let broken = parsed.broken.expect(bad);
            assert!(broken.line == 2 && broken.message.contains(said), "{bad}: {broken}");
        }
    }

    #[test]
    fn what_is_nothing_is_not_written() {
        let plain = line(&header());
        assert!(["taken_over", "text", "rolls_back"].iter().all(|key| !plain.contains(key)), "{plain}");
        assert!(!line(&act(1)).contains("ordered"));
        let taken = Header { taken_over: 3, rolls_back: true, ..header() };
        let parsed = parse(&line(&taken)).unwrap();
        assert_eq!((parsed.header, parsed.lines.len(), parsed.broken), (taken, 0, None));
        let act = Line::Act {
            n: 0,
            side: None,
            act: "a".into(),
            rolls: Vec::new(),
            salt: String::new(),
            state: "s".into(),
            ordered: false,
        };
        assert_eq!(line(&act), r#"{"n":0,"do":"a","state":"s"}"#);
    }

    #[test]
    fn empty_lines_are_counted_and_passed_over() {
        let parsed = parse(&format!("{}\n\n{}\n  \ncastling\n", line(&header()), line(&act(0)))).unwrap();
        assert_eq!((parsed.lines.len(), parsed.broken.unwrap().line), (1, 5));
        assert!(parse(r#"{"linstock":1}"#).unwrap_err().message.contains("incomplete: there is no `system`"));
        assert_eq!(parse("").unwrap_err().line, 1);
    }

    #[test]
    fn a_mark_before_the_first_letter_is_no_fault() {
        assert!(parse(&format!("\u{feff}{}\n", line(&header()))).is_ok());
    }

    #[test]
    fn a_journal_of_another_format_is_refused_by_name() {
        let text = line(&Header { linstock: 9, ..header() });
        assert!(parse(&text).unwrap_err().message.contains("format 9"));
        assert!(parse("").unwrap_err().message.contains("empty"));
        assert!(parse("hello").unwrap_err().message.contains("first line"));
    }

    #[test]
    fn hexadecimal_goes_both_ways() {
        assert_eq!(unhex(&hex(&[0, 255, 16])), Some(vec![0, 255, 16]));
        assert_eq!(unhex("abc"), None);
        assert_eq!(unhex("zz"), None);
    }

    #[test]
    fn letters_of_several_bytes_are_no_hexadecimal() {
        for text in ["é", "aé1", "€a", "1€", "００"] {
            assert_eq!(unhex(text), None, "{text}");
        }
    }
}
