//! Why something is barred: small enough for the offers to ask in passing, with all that a refusal needs.

use game::{Refusal, Rule};

/// What stands in the way, and the rule behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bar {
    why: &'static str,
    rule: Rule,
}

impl Bar {
    pub(crate) const fn new(why: &'static str, rule: Rule) -> Bar {
        Bar { why, rule }
    }

    /// The refusal of `what`.
    pub(crate) fn refusal(self, what: impl Into<String>) -> Refusal {
        Refusal::new(what, self.why, self.rule)
    }
}
