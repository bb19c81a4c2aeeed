//! Why something is not allowed: the rule and what would have to be different.

use game::{Refusal, Rule};

/// A bar to an action, cheap enough for the inner loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bar {
    pub(crate) rule: Rule,
    pub(crate) why: &'static str,
}

impl Bar {
    /// The refusal of `what` for this reason.
    pub(crate) fn refuses(self, what: impl Into<String>) -> Refusal {
        let mut letters = self.why.chars();
        let first = letters.next().map_or(String::new(), |letter| letter.to_uppercase().to_string());
        Refusal::new(what, format!("{first}{}.", letters.as_str()), self.rule)
    }
}

/// `bar!("9.1.a", "mounted cavalry does not fire: dismount first")`.
macro_rules! bar {
    ($rule:literal, $why:literal) => {
        $crate::refusals::Bar { rule: $crate::cite!($rule), why: $why }
    };
}
pub(crate) use bar;
