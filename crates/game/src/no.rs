//! Why something is not allowed, small enough for offers to ask in passing.

use std::fmt;

use crate::words::capital;
use crate::{Refusal, Rule};

/// A "no" inside a system: the rule and the reason, without a heap, so that offers can ask for it and drop it. [`check`]
/// makes a [`Refusal`] of it.
///
/// ```
/// use game::{No, Rule};
/// const IDS: &[&str] = &["5.3.c"];
/// let no = No::short(Rule::cited("5.3.c", IDS), "not enough movement points", 5, 3);
/// let refusal = no.refuses("Not to 0910.");
/// assert_eq!(refusal.why, "Not enough movement points (needs 5, has 3).");
/// ```
///
/// [`check`]: crate::Rules::check
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct No {
    rule: Option<Rule>,
    why: &'static str,
    amounts: Amounts,
}

/// The numbers behind a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Amounts {
    None,
    /// What it needs, and what there is.
    Short(i16, i16),
    /// The length asked for and the longest allowed, in thousandths of an inch.
    Long(i32, i32),
}

/// It is allowed, or not.
pub type Allowed<T = ()> = Result<T, No>;

impl No {
    /// Not under `rule`, because of `why`: a clause ("it has fired already") or a whole sentence.
    #[must_use]
    pub const fn new(rule: Rule, why: &'static str) -> No {
        No { rule: Some(rule), why, amounts: Amounts::None }
    }

    /// There is not enough of something: it needs so much and has so much.
    #[must_use]
    pub const fn short(rule: Rule, why: &'static str, needs: i16, has: i16) -> No {
        No { rule: Some(rule), why, amounts: Amounts::Short(needs, has) }
    }

    /// Too long on a table: the length asked for and the longest allowed, in thousandths of an inch.
    #[must_use]
    pub const fn long(rule: Rule, why: &'static str, asked: i32, most: i32) -> No {
        No { rule: Some(rule), why, amounts: Amounts::Long(asked, most) }
    }

    /// It answers another decision than the one at hand.
    #[must_use]
    pub const fn other(why: &'static str) -> No {
        No { rule: None, why, amounts: Amounts::None }
    }

    /// No, unless this holds: for checks one after the other with `?`.
    ///
    /// # Errors
    /// As [`No::new`].
    pub const fn unless(holds: bool, rule: Rule, why: &'static str) -> Allowed {
        if holds { Ok(()) } else { Err(No::new(rule, why)) }
    }

    /// The rule it rests on; none when the action answers another decision.
    #[must_use]
    pub const fn rule(self) -> Option<Rule> {
        self.rule
    }

    /// The reason alone.
    #[must_use]
    pub const fn why(self) -> &'static str {
        self.why
    }

    /// The refusal of `what` for this reason, told as a sentence.
    #[must_use]
    pub fn refuses(self, what: impl Into<String>) -> Refusal {
        let mut why = capital(&self.to_string());
        if !why.ends_with(['.', '!', '?']) {
            why.push('.');
        }
        Refusal { what: what.into(), why, rule: self.rule }
    }
}

/// The reason with its numbers, as a clause.
impl fmt::Display for No {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)?;
        match self.amounts {
            Amounts::None => Ok(()),
            Amounts::Short(needs, has) => write!(f, " (needs {needs}, has {has})"),
            Amounts::Long(asked, most) => {
                write!(f, " ({} in asked for, {} in allowed)", inches(asked), inches(most))
            }
        }
    }
}

/// Thousandths of an inch as people write them: 6500 is `6.5`.
fn inches(mils: i32) -> String {
    let sign = if mils < 0 { "-" } else { "" };
    let (whole, rest) = (mils.unsigned_abs() / 1000, mils.unsigned_abs() % 1000);
    let text = format!("{sign}{whole}.{rest:03}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Rule = Rule::cited("1.1", &["1.1"]);

    #[test]
    fn a_clause_becomes_a_sentence() {
        let said = |no: No| no.refuses("Not so.").why;
        assert_eq!(said(No::new(RULE, "it has fired already")), "It has fired already.");
        assert_eq!(said(No::new(RULE, "It has fired already.")), "It has fired already.");
        assert_eq!(said(No::long(RULE, "too far", 6500, 6000)), "Too far (6.5 in asked for, 6 in allowed).");
        assert_eq!(said(No::short(RULE, "too few", 2, 1)), "Too few (needs 2, has 1).");
    }

    #[test]
    fn the_rule_goes_with_it() {
        assert_eq!(No::new(RULE, "x").refuses("y").rule, Some(RULE));
        assert_eq!(No::other("x").refuses("y").rule, None);
        assert_eq!((No::new(RULE, "x").rule(), No::other("x").rule()), (Some(RULE), None));
        assert_eq!(No::other("not now").why(), "not now");
        assert_eq!(No::unless(true, RULE, "x"), Ok(()));
        assert_eq!(No::unless(false, RULE, "x"), Err(No::new(RULE, "x")));
    }

    #[test]
    fn inches_as_people_write_them() {
        assert_eq!([6500, 6000, -125, 0, 10_010].map(inches), ["6.5", "6", "-0.125", "0", "10.01"]);
    }

    #[test]
    fn small_enough_to_pass_around() {
        assert!(size_of::<Allowed>() <= 48, "{}", size_of::<Allowed>());
    }
}
