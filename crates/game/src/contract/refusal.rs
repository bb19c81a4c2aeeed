//! Why an action is not allowed.

use serde::Serialize;

use crate::Rule;

/// Why an action is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Refusal {
    /// What is not possible, named: "Not to 0910."
    pub what: String,
    /// Why, and what would have to be different.
    pub why: String,
    /// The rule it rests on; none when the action answers another decision than the one at hand.
    pub rule: Option<Rule>,
}

impl Refusal {
    /// `what` is refused under `rule` because of `why`.
    pub fn new(what: impl Into<String>, why: impl Into<String>, rule: Rule) -> Self {
        Refusal { what: what.into(), why: why.into(), rule: Some(rule) }
    }

    /// The action does not answer the decision at hand.
    pub fn off_turn(why: impl Into<String>) -> Self {
        Refusal { what: "This is not the decision at hand.".into(), why: why.into(), rule: None }
    }
}
