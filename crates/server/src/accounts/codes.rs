//! Recovery codes: for whoever has lost every passkey. Each is 80 random bits, so that its hash can be kept as it is.

use crate::chance;
use host::{Failure, seats};

/// How many there are.
const CODES: usize = 10;
/// Letters between two hyphens.
const GROUP: usize = 4;

/// New codes, as they are shown once, and their hashes.
pub(super) fn fresh() -> Result<(Vec<String>, Vec<String>), Failure> {
    let codes = (0..CODES).map(|_| chance::id()).collect::<Result<Vec<String>, Failure>>()?;
    let hashes = codes.iter().map(|code| seats::hash(code)).collect();
    Ok((codes.iter().map(|code| spaced(code)).collect(), hashes))
}

fn spaced(code: &str) -> String {
    let letters: Vec<char> = code.chars().collect();
    letters.chunks(GROUP).map(|group| group.iter().collect()).collect::<Vec<String>>().join("-")
}

/// The hash of a code as somebody has typed it; none if it cannot be one.
pub(super) fn hash(typed: &str) -> Option<String> {
    let bare: String = typed.chars().filter(char::is_ascii_alphanumeric).take(32).collect();
    let code = bare.to_ascii_lowercase();
    seats::is_id(&code).then(|| seats::hash(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_known_however_it_is_typed() {
        let (codes, hashes) = fresh().unwrap();
        assert_eq!((codes.len(), hashes.len()), (CODES, CODES));
        let code = &codes[0];
        assert_eq!(code.len(), 19, "{code}");
        for typed in [code.clone(), code.to_uppercase(), code.replace('-', " "), format!(" {code} ")] {
            assert_eq!(hash(&typed).as_ref(), Some(&hashes[0]), "{typed}");
        }
        for typed in ["", "abcd", "abcd-efgh-abcd-efg0", &"a".repeat(10_000)] {
            assert_eq!(hash(typed), None, "{typed}");
        }
    }
}
