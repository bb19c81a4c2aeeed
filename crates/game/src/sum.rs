//! What a number is made of: each term with its reason and its rule, for the roll, the log and the screen alike.

use arrayvec::ArrayVec;

use crate::{Modifier, Rule};

/// The most terms a sum has room for.
const MOST: usize = 24;

/// A sum of terms.
///
/// ```
/// use game::{Rule, Sum};
/// const IDS: &[&str] = &["6.1", "6.2"];
/// let mut sum = Sum::of(5, "infantry", Rule::cited("6.1", IDS));
/// sum.add(-2, "in woods", Rule::cited("6.2", IDS));
/// sum.add_if(false, 1, "flank", Rule::cited("6.2", IDS));
/// assert_eq!((sum.total(), sum.modifiers().len()), (3, 2));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Sum {
    total: i16,
    terms: ArrayVec<(i16, &'static str, Rule), MOST>,
}

impl Sum {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Sum {
        Sum::default()
    }

    /// Starts from the base value of a chart.
    #[must_use]
    pub fn of(base: i16, reason: &'static str, rule: Rule) -> Sum {
        let mut sum = Sum::default();
        sum.add(base, reason, rule);
        sum
    }

    /// Adds a term; nothing adds nothing.
    ///
    /// # Panics
    /// With more terms than any rulebook has (24).
    pub fn add(&mut self, value: i16, reason: &'static str, rule: Rule) {
        if value != 0 {
            self.total += value;
            self.terms.push((value, reason, rule));
        }
    }

    /// Adds a term where it applies.
    pub fn add_if(&mut self, applies: bool, value: i16, reason: &'static str, rule: Rule) {
        if applies {
            self.add(value, reason, rule);
        }
    }

    /// What it comes to.
    #[must_use]
    pub fn total(&self) -> i16 {
        self.total
    }

    /// The terms for the log and the screen.
    #[must_use]
    pub fn modifiers(&self) -> Vec<Modifier> {
        self.terms.iter().map(|&(value, reason, rule)| Modifier::new(value, reason, rule)).collect()
    }
}
