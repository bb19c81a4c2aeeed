//! Situations: a position, the dice to come, the actions to play, and what must then hold.

use std::fmt;

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
