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
    /// How many clauses it has, each of which must be proved by itself; 1 when it is proved as a whole.
    #[cfg_attr(feature = "ts", ts(skip))]
    #[serde(skip)]
    pub clauses: u8,
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

    /// The rule that a proof names: by its number, `5.3.c`, or one clause of it, `5.3.c/2`.
    ///
    /// # Errors
    /// What is wrong with the name, and which would be right.
    pub fn proved_by(&self, name: &str) -> Result<&'static RuleText, String> {
        let (id, clause) = match name.split_once('/') {
            Some((id, clause)) => (id, Some(clause)),
            None => (name, None),
        };
        let rule =
            self.find(id).ok_or_else(|| format!("the inventory of {} has no rule {id}", self.title))?;
        let counted = match clause {
            None => true,
            // Written as it is counted: no sign, no zero before it.
            Some(text) => (1..=rule.clauses).any(|n| rule.clauses > 1 && n.to_string() == text),
        };
        match rule.clauses {
            _ if counted => Ok(rule),
            0 | 1 => Err(format!("{id} is not divided into clauses: name {id} alone")),
            n => Err(format!("{id} has no clause {}: name {id}/1 to {id}/{n}", clause.unwrap_or_default())),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: &[&str] = &["1.a", "1.b"];
    static BOOK: Book = Book {
        system: "test",
        title: "Test",
        rules: &[
            RuleText { id: Rule::cited("1.a", IDS), name: "", says: "", clauses: 1 },
            RuleText { id: Rule::cited("1.b", IDS), name: "", says: "", clauses: 2 },
        ],
    };

    #[test]
    fn a_proof_names_a_rule_or_one_of_its_clauses() {
        for name in ["1.a", "1.b", "1.b/1", "1.b/2"] {
            let rule = BOOK.proved_by(name).expect(name);
            assert_eq!(rule.id.id(), &name[..3]);
        }
    }

    #[test]
    fn a_clause_that_is_not_there_is_named() {
        for (name, says) in [
            ("1.c", "no rule 1.c"),
            ("1.a/1", "name 1.a alone"),
            ("1.b/3", "1.b/1 to 1.b/2"),
            ("1.b/0", "no clause 0"),
            ("1.b/+1", "no clause +1"),
            ("1.b/", "no clause"),
        ] {
            let error = BOOK.proved_by(name).expect_err(name);
            assert!(error.contains(says), "{name}: {error}");
        }
    }
}
