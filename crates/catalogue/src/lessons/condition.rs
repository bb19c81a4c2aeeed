//! What may be asked of a position and of what the learner has played.

use game::read::{Field, Section};
use game::situation::{Fact, Named, Unknown, read_facts};
use game::{Now, Outcome, System};

/// Everything that it says must hold.
#[derive(Debug, Clone, Default)]
pub struct Condition {
    pub(crate) facts: Vec<(Named, Fact)>,
    pub(crate) not: Vec<(Named, Fact)>,
    pub(crate) at_least: Vec<(Named, i64)>,
    pub(crate) at_most: Vec<(Named, i64)>,
    pub(crate) decision: Option<Named>,
    pub(crate) over: Option<Named>,
    pub(crate) played: Option<Named>,
    pub(crate) never_played: Option<Named>,
}

/// The most facts that a condition may ask for.
const MOST: usize = 12;

/// The keys of a condition.
pub(super) const KEYS: [&str; 8] =
    ["facts", "not", "at_least", "at_most", "decision", "over", "played", "never_played"];

impl Condition {
    pub(super) fn read(section: &Section<'_>) -> Condition {
        let condition = Condition {
            facts: read_facts(&section.field("facts")),
            not: read_facts(&section.field("not")),
            at_least: numbers(&section.field("at_least")),
            at_most: numbers(&section.field("at_most")),
            decision: Named::read(&section.field("decision")),
            over: Named::read(&section.field("over")),
            played: Named::read(&section.field("played")),
            never_played: Named::read(&section.field("never_played")),
        };
        let facts = condition.names().count();
        if facts > MOST {
            section.fault(format!("the condition asks for {facts} facts"), format!("at most {MOST}"));
        }
        condition
    }

    /// Every fact it asks for.
    pub(super) fn names(&self) -> impl Iterator<Item = &Named> {
        let facts = self.facts.iter().chain(&self.not).map(|(named, _)| named);
        facts.chain(self.at_least.iter().chain(&self.at_most).map(|(named, _)| named))
    }

    /// Whether it holds in a position that the learner has come to by `acts`, of which `played` looks at the last
    /// `lately`. A fact that this position does not have holds for nothing.
    pub(super) fn holds<S: System>(
        &self,
        battle: &S::Battle,
        state: &S::State,
        acts: &[&str],
        lately: usize,
    ) -> bool {
        let fact = |named: &Named| S::fact(battle, state, &named.name);
        let number = |named: &Named| fact(named).ok().and_then(|fact| as_number(&fact));
        let is = |named: &Named, value: &Fact| fact(named).is_ok_and(|is| is.same_as(value));
        let differs = |named: &Named, value: &Fact| fact(named).is_ok_and(|is| !is.same_as(value));
        let some = |acts: &[&str], pattern: &Named| acts.iter().any(|act| fits(&pattern.name, act));
        let late = &acts[acts.len().saturating_sub(lately)..];
        self.facts.iter().all(|(named, value)| is(named, value))
            && self.not.iter().all(|(named, value)| differs(named, value))
            && self.at_least.iter().all(|(named, least)| number(named).is_some_and(|n| n >= *least as f64))
            && self.at_most.iter().all(|(named, most)| number(named).is_some_and(|n| n <= *most as f64))
            && self.decision.as_ref().is_none_or(|kind| decides::<S>(battle, state, &kind.name))
            && self.over.as_ref().is_none_or(|over| ended::<S>(battle, state).as_ref() == Some(&over.name))
            && self.played.as_ref().is_none_or(|pattern| some(late, pattern))
            && !self.never_played.as_ref().is_some_and(|pattern| some(acts, pattern))
    }

    /// What of its facts no position of these has.
    pub(super) fn unknown<'n, S: System>(
        &'n self,
        battle: &S::Battle,
        states: &[&S::State],
    ) -> Vec<(&'n Named, Unknown)> {
        let nowhere = |named: &'n Named| {
            let mut last = None;
            for state in states {
                match S::fact(battle, state, &named.name) {
                    Ok(_) => return None,
                    Err(unknown) => last = Some((named, unknown)),
                }
            }
            last
        };
        self.names().filter_map(nowhere).collect()
    }
}

fn numbers(field: &Field<'_>) -> Vec<(Named, i64)> {
    let number = |(named, fact): (Named, Fact)| match fact {
        Fact::Number(n) => Some((named, n)),
        _ => {
            field.fault(format!("`{}` is compared with no number", named.name), "a whole number");
            None
        }
    };
    read_facts(field).into_iter().filter_map(number).collect()
}

/// A number, or a text that is one: tables write lengths with decimals.
fn as_number(fact: &Fact) -> Option<f64> {
    match fact {
        Fact::Number(n) => Some(*n as f64),
        Fact::Text(text) => text.parse().ok(),
        _ => None,
    }
}

fn decides<S: System>(battle: &S::Battle, state: &S::State, kind: &str) -> bool {
    matches!(S::now(battle, state), Now::Decides(_)) && S::prompt(battle, state).kind == kind
}

/// How the game ended, as a file says it.
fn ended<S: System>(battle: &S::Battle, state: &S::State) -> Option<String> {
    match S::now(battle, state) {
        Now::Decides(_) => None,
        Now::Over(Outcome::Drawn) => Some("draw".to_owned()),
        Now::Over(Outcome::Won(side)) => Some(S::board(battle).sides[side].id.clone()),
    }
}

/// Whether an action fits a pattern, in which `*` stands for anything.
pub(super) fn fits(pattern: &str, act: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = act.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, act, is) in [
            ("march weed 0605", "march weed 0605", true),
            ("march weed 0605", "march weed 0605 0604", false),
            ("march weed*", "march weed 0605", true),
            ("march weed*", "march davis 0605", false),
            ("fire * davis", "fire weed davis", true),
            ("fire * davis", "fire weed davis archer", false),
            ("*davis*", "fire weed davis archer", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*a", "a", false),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, act), is, "{pattern} {act}");
        }
    }
}
