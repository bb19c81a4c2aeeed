//! What clients send, looked at before anything is done with it.

use game::journal::{DiceOf, hex, unhex};
use game::session::Throw;
use sha2::{Digest, Sha256};

use crate::problem::Failure;
use crate::wire::{Code, Done};

const NAME: usize = 40;
const TEXT: usize = 1_000;
const NOTE: usize = 120;
const ACTION: usize = 4_000;

/// An id is the client's own, but it is ours to store.
pub fn check_id(id: &str) -> Result<(), Failure> {
    let fit = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    if (8..=64).contains(&id.len()) && id.bytes().all(fit) {
        return Ok(());
    }
    Err(Failure::new(Code::BadId, "An id has 8 to 64 letters, digits, `-` or `_`."))
}

/// A name, with blanks around it gone.
pub fn name(text: &str) -> Result<String, Failure> {
    line(text, NAME).ok_or_else(|| Failure::new(Code::BadName, "A name has 1 to 40 characters on one line."))
}

/// A line of chat.
pub fn chat(text: &str) -> Result<String, Failure> {
    line(text, TEXT)
        .ok_or_else(|| Failure::new(Code::BadText, "A message has 1 to 1,000 characters on one line."))
}

/// A line of words under a challenge; it may be empty.
pub fn note(text: &str) -> Result<String, Failure> {
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    line(text, NOTE)
        .ok_or_else(|| Failure::new(Code::BadText, "A note has at most 120 characters on one line."))
}

/// No control characters, none that turn the direction of what is written after them, none that cannot be seen; but the
/// joiners and selectors that some scripts and pictures need within a word.
fn line(text: &str, most: usize) -> Option<String> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || joins(c));
    let fits = text.chars().count() <= most
        && text.chars().any(|c| !c.is_whitespace() && !joins(c))
        && !text.chars().any(|c| c.is_control() || (unseen(c) && !joins(c)));
    fits.then(|| text.to_owned())
}

fn joins(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

/// What Unicode calls default-ignorable, what turns the direction of writing, other breaks of lines, and blanks that do not
/// count as white space.
fn unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' | '\u{e000}'..='\u{f8ff}')
}

/// What is mixed into the dice of an act.
pub fn throw(dice: &DiceOf, salt: Option<&str>, faces: Vec<u8>) -> Result<Throw, Failure> {
    if matches!(dice, DiceOf::Table) {
        return Ok(Throw { salt: Vec::new(), typed: faces });
    }
    if !faces.is_empty() {
        return Err(Failure::new(Code::WrongFaces, "The dice of this game are sealed; none are typed in."));
    }
    if matches!(dice, DiceOf::Fixed(_)) {
        return Ok(Throw::default());
    }
    let salt = salt.filter(|s| (32..=128).contains(&s.len())).and_then(unhex);
    let needed = || {
        Failure::new(
            Code::SaltNeeded,
            "Sealed dice need a `salt`: 32 to 128 fresh random hexadecimal digits.",
        )
    };
    Ok(Throw { salt: salt.ok_or_else(needed)?, typed: Vec::new() })
}

/// An action's notation is short.
pub fn action(notation: &str) -> Result<(), Failure> {
    if notation.len() <= ACTION && !notation.chars().any(char::is_control) {
        return Ok(());
    }
    Err(Failure::new(Code::Unreadable, "This is no action: it is too long, or not one line of text."))
}

/// A hash of what a request asks for, so that the same id with other content is noticed.
pub fn content(words: &[&str], salt: &Option<String>, faces: &[u8]) -> String {
    let mut parts = words.to_vec();
    let salt = salt.as_deref().unwrap_or("");
    let faces = hex(faces);
    parts.extend([salt, &faces]);
    hex(&hash(&parts)[..16])
}

/// SHA-256 over parts, each with its length before it; a lone purpose and text are joined as they are.
pub fn hash(parts: &[&str]) -> Vec<u8> {
    let mut hash = Sha256::new();
    if let [purpose, text] = parts {
        hash.update(purpose);
        hash.update(text);
    } else {
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    hash.finalize().to_vec()
}

const DONE: [(Done, &str); 5] = [
    (Done::Played, "played"),
    (Done::TakenBack, "taken_back"),
    (Done::Asked, "asked"),
    (Done::Declined, "declined"),
    (Done::Resigned, "resigned"),
];

pub fn write_done(done: Done) -> &'static str {
    DONE.iter().find(|(d, _)| *d == done).map_or("", |(_, word)| word)
}

pub fn read_done(word: &str) -> Option<Done> {
    DONE.iter().find(|(_, w)| *w == word).map(|(done, _)| *done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_line_of_plain_text() {
        assert_eq!(name("  <b>Ada</b> ").unwrap(), "<b>Ada</b>");
        for bad in ["", "   ", "a\nb", "a\u{0}", "a\u{202e}b", &"x".repeat(41)] {
            assert_eq!(name(bad).unwrap_err().0.code, Code::BadName, "{bad:?}");
        }
        assert_eq!((note(" ").unwrap().as_str(), note(&"x".repeat(120)).unwrap().len()), ("", 120));
        for bad in ["a\nb", "a\u{202e}b", "\u{200b}", &"x".repeat(121)] {
            assert_eq!(note(bad).unwrap_err().0.code, Code::BadText, "{bad:?}");
        }
        assert_eq!(chat(&"x".repeat(1001)).unwrap_err().0.code, Code::BadText);
    }

    #[test]
    fn a_name_can_be_seen() {
        let invisible = [
            "\u{200b}",
            "\u{200d}\u{200c}",
            "\u{2800}",
            "\u{3164}",
            "\u{ad}",
            "\u{fe0f}",
            "\u{e0041}",
            "\u{a0}\u{3000}",
        ];
        for bad in invisible.into_iter().chain(["Ada\u{200b}", "A\u{2060}da", "Ada\u{feff}!", "\u{202e}ada"])
        {
            assert_eq!(name(bad).unwrap_err().0.code, Code::BadName, "{bad:?}");
        }
        // What looks like nothing at the ends is taken off; within a word it may be needed.
        assert_eq!(name("\u{200d}Ada\u{200d}").unwrap(), "Ada");
        for good in ["Zoë", "नि\u{200d}शा", "👩\u{200d}🚀", "李", "O'Brien, J. E. B."] {
            assert_eq!(name(good).unwrap(), good);
        }
    }

    #[test]
    fn sealed_dice_want_a_salt_of_their_own() {
        let sealed = DiceOf::Commit(String::new());
        let code = |salt: Option<&str>| throw(&sealed, salt, vec![]).map(drop).map_err(|f| f.0.code);
        assert_eq!(code(Some(&"0f".repeat(16))), Ok(()));
        for bad in
            [None, Some(""), Some("0f"), Some("zz".repeat(16).as_str()), Some("0f".repeat(65).as_str())]
        {
            assert_eq!(code(bad), Err(Code::SaltNeeded), "{bad:?}");
        }
        assert_eq!(throw(&sealed, None, vec![3]).unwrap_err().0.code, Code::WrongFaces);
        assert_eq!(throw(&DiceOf::Table, None, vec![3]).unwrap().typed, [3]);
        let lesson = DiceOf::Fixed(String::new());
        assert!(throw(&lesson, Some(&"0f".repeat(16)), vec![]).unwrap().salt.is_empty());
        assert_eq!(throw(&lesson, None, vec![3]).unwrap_err().0.code, Code::WrongFaces);
    }

    #[test]
    fn contents_differ_where_requests_do() {
        let a = content(&["act", "1", "march"], &None, &[]);
        assert_ne!(a, content(&["act", "1", "marc"], &Some("h".into()), &[]));
        assert_ne!(a, content(&["act", "1", "march"], &None, &[1]));
        assert_eq!(a, content(&["act", "1", "march"], &None, &[]));
    }

    #[test]
    fn every_done_survives_the_store() {
        for (done, word) in DONE {
            assert_eq!((read_done(word), write_done(done)), (Some(done), word));
        }
    }
}
