use std::fmt;

use serde::Serialize;

/// The number of a rule, as the rulebook counts. It can only be made by a citation that the compiler has looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
#[serde(transparent)]
pub struct Rule(&'static str);

impl Rule {
    /// Looks `id` up in `ids`; in a const context (`cite!`) an unknown one does not compile.
    ///
    /// # Panics
    /// When `ids` does not hold `id`.
    #[must_use]
    pub const fn cited(id: &'static str, ids: &[&str]) -> Rule {
        let mut i = 0;
        while i < ids.len() {
            if same(id.as_bytes(), ids[i].as_bytes()) {
                return Rule(id);
            }
            i += 1;
        }
        panic!("rules.toml has no rule of this id");
    }

    /// The id as printed: `5.3.c`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.0
    }
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule {}", self.0)
    }
}

/// One rule in our words.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RuleText {
    /// Its number.
    pub id: Rule,
    /// A short name.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub name: &'static str,
    /// What it asks.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub says: &'static str,
}

/// A system's inventory of rules.
#[derive(Debug)]
pub struct Book {
    /// The system's id: `battle-hymn`.
    pub system: &'static str,
    /// The system's name: `Battle Hymn`.
    pub title: &'static str,
    /// Every rule, in rulebook order.
    pub rules: &'static [RuleText],
}

impl Book {
    /// The rule of that number.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&'static RuleText> {
        self.rules.iter().find(|r| r.id.id() == id)
    }
}

/// In a system's crate root: brings in the inventory that the build script wrote (`citations::generate`)
/// and defines `cite!("5.3.c")` for the crate.
#[allow(clippy::crate_in_macro_def, reason = "the inventory lies in the crate that cites")]
#[macro_export]
macro_rules! rulebook {
    () => {
        /// The rules of this system, and the citations checked against them.
        pub mod rulebook {
            include!(concat!(env!("OUT_DIR"), "/citations.rs"));
        }
        /// `cite!("5.3.c")`: that rule, looked up while compiling.
        macro_rules! cite {
            ($id:literal) => {
                const { ::game::Rule::cited($id, crate::rulebook::IDS) }
            };
        }
        #[allow(unused_imports)]
        pub(crate) use cite;
    };
}
