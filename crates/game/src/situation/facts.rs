use std::fmt;

use crate::faults::clip;

/// A named fact of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// A number.
    Number(i64),
    /// Yes or no.
    Truth(bool),
    /// A word or a sentence.
    Text(String),
    /// Several, in no order that matters.
    Set(Vec<String>),
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Number(n) => write!(f, "{n}"),
            Fact::Truth(t) => write!(f, "{t}"),
            Fact::Text(t) => write!(f, "{t:?}"),
            Fact::Set(s) => write!(f, "{s:?}"),
        }
    }
}

impl Fact {
    /// Whether they say the same: sets have no order, and a set of one is that one.
    #[must_use]
    pub fn same_as(&self, other: &Fact) -> bool {
        match (self, other) {
            (Fact::Set(a), Fact::Set(b)) => sorted(a) == sorted(b),
            (Fact::Set(a), Fact::Text(b)) | (Fact::Text(b), Fact::Set(a)) => {
                a.as_slice() == std::slice::from_ref(b)
            }
            _ => self == other,
        }
    }
}

pub(super) fn sorted(set: &[String]) -> Vec<&String> {
    let mut all: Vec<_> = set.iter().collect();
    all.sort();
    all
}

impl From<i64> for Fact {
    fn from(n: i64) -> Self {
        Fact::Number(n)
    }
}

impl From<bool> for Fact {
    fn from(t: bool) -> Self {
        Fact::Truth(t)
    }
}

impl From<&str> for Fact {
    fn from(t: &str) -> Self {
        Fact::Text(t.to_owned())
    }
}

impl From<String> for Fact {
    fn from(t: String) -> Self {
        Fact::Text(t)
    }
}

impl From<Vec<String>> for Fact {
    fn from(s: Vec<String>) -> Self {
        Fact::Set(s)
    }
}

/// A part of a name that means nothing, and what would.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// The part: `merideth` of `merideth.hex`.
    pub part: String,
    /// What it should be, with its article: `a unit`.
    pub what: String,
    /// What is known there; may be empty.
    pub known: Vec<String>,
}

impl Unknown {
    /// `part` is not `what`: one of `known` would be.
    pub fn new<K: Into<String>>(
        part: impl Into<String>,
        what: impl Into<String>,
        known: impl IntoIterator<Item = K>,
    ) -> Self {
        Unknown { part: part.into(), what: what.into(), known: known.into_iter().map(K::into).collect() }
    }

    /// The whole name is no fact, for a reason not known.
    pub fn fact(name: &str) -> Self {
        Unknown::new(name, "a fact", [""; 0])
    }

    /// The known word that was probably meant.
    #[must_use]
    pub fn meant(&self) -> Option<&str> {
        let far = |known: &&String| words_apart(&self.part, known);
        let nearest = self.known.iter().min_by_key(far)?;
        (far(&nearest) * 3 <= self.part.chars().count().max(3)).then_some(nearest)
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not {}", clip(&self.part), self.what)?;
        match (self.meant(), self.known.as_slice()) {
            (Some(meant), _) => write!(f, "; did you mean `{meant}`?"),
            (None, []) => Ok(()),
            (None, known) => {
                let more = if known.len() > SHOWN { ", …" } else { "" };
                write!(f, "; known: {}{more}", known[..known.len().min(SHOWN)].join(", "))
            }
        }
    }
}

impl std::error::Error for Unknown {}

/// How many known words a message lists.
const SHOWN: usize = 24;

/// In how many letters two words differ: added, left out, changed, or two neighbours swapped.
fn words_apart(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut next = vec![i + 1];
        for j in 0..b.len() {
            let changed = row[j] + usize::from(a[i] != b[j]);
            let mut least = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(above[j - 1] + 1);
            }
            next.push(least);
        }
        above = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_part_is_told_with_what_was_meant() {
        let units = ["meredith", "davis"];
        let said = |part: &str| Unknown::new(part, "a unit", units).to_string();
        assert_eq!(said("merideth"), "`merideth` is not a unit; did you mean `meredith`?");
        assert_eq!(said("davs"), "`davs` is not a unit; did you mean `davis`?");
        assert_eq!(said("archer"), "`archer` is not a unit; known: meredith, davis");
        assert_eq!(Unknown::fact("archer.hex").to_string(), "`archer.hex` is not a fact");
    }

    #[test]
    fn only_a_word_that_is_near_was_meant() {
        let meant = |part: &str, known: &str| Unknown::new(part, "a unit", [known]).meant().is_some();
        assert!(meant("abcdef", "abcdxy") && !meant("abcdef", "abcxyz"), "a third of the letters");
        assert!(meant("ab", "ax") && !meant("ab", "xy"), "one letter of a short word");
        let many: Vec<String> = (0..25).map(|n| format!("unit-number-{n}")).collect();
        let told = |n: usize| Unknown::new("q", "a unit", many[..n].iter().cloned()).to_string();
        assert!(told(24).ends_with("unit-number-23") && told(25).ends_with("unit-number-23, …"));
    }

    #[test]
    fn facts_that_are_the_same() {
        let set = |words: &[&str]| Fact::Set(words.iter().map(|w| (*w).to_owned()).collect());
        assert!(set(&["a", "b"]).same_as(&set(&["b", "a"])) && !set(&["a"]).same_as(&set(&["a", "b"])));
        assert!(set(&["a"]).same_as(&"a".into()) && Fact::from("a").same_as(&set(&["a"])));
        assert!(!set(&["a", "b"]).same_as(&"a".into()) && !Fact::from("b").same_as(&set(&["a"])));
        assert!(Fact::from(3).same_as(&Fact::from(3)) && !Fact::from(3).same_as(&Fact::from(4)));
        assert!(!Fact::from(true).same_as(&Fact::from("true".to_owned())));
        assert!(Fact::from(vec!["a".to_owned()]).same_as(&set(&["a"])));
    }

    #[test]
    fn words_are_apart_by_their_letters() {
        for (a, b, apart) in [
            ("hex", "hex", 0),
            ("hex", "hexes", 2),
            ("hexes", "hex", 2),
            ("order", "odrer", 1),
            ("fier", "fire", 1),
            ("ab", "", 2),
            ("", "ab", 2),
            ("abc", "cab", 2),
        ] {
            assert_eq!(words_apart(a, b), apart, "{a} {b}");
        }
    }
}
