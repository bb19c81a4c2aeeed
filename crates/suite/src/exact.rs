use std::collections::BTreeMap;

use game::odds::{self, Budget, Chance, Horizon};
use game::situation::{Fact, Unknown, question};
use game::{Library, System};

use crate::shelf::Shelf;

/// Dice of a case: every combination of so many faces is as likely as every other.
#[derive(Debug, Clone, Copy)]
pub struct Rolled {
    /// The lowest face.
    pub low: u8,
    /// The highest.
    pub high: u8,
    /// How many dice may fall; those that a case does not need change nothing.
    pub dice: usize,
}

/// Compares the enumerated odds of the last action of a situation with a count by hand: `outcome` says, for every way
/// the dice can fall, how the named `facts` then stand, written one after the other. The two must be equal as fractions.
///
/// # Panics
/// When they differ in any outcome or any chance, or the odds are not exact.
pub fn exact_odds<S: System>(
    situation: &str,
    facts: &[&str],
    rolled: Rolled,
    outcome: impl Fn(&[u8]) -> String,
) {
    let expected = counted(rolled, outcome);
    let found = enumerated::<S>(situation, facts, &Shelf);
    assert_eq!(
        found, expected,
        "the engine's odds, and those counted by hand, of {facts:?} in:\n{situation}"
    );
}

/// Fractions in lowest terms, as text, so that a failure can be read.
type Shares = BTreeMap<String, String>;

fn counted(rolled: Rolled, outcome: impl Fn(&[u8]) -> String) -> Shares {
    let mut counts = BTreeMap::<String, u64>::new();
    let mut faces = vec![rolled.low; rolled.dice];
    let mut all = 0u64;
    loop {
        *counts.entry(outcome(&faces)).or_default() += 1;
        all += 1;
        let Some(at) = faces.iter().rposition(|&f| f < rolled.high) else { break };
        faces[at] += 1;
        faces[at + 1..].fill(rolled.low);
    }
    counts.into_iter().map(|(what, n)| (what, Chance::new(n.into(), all.into()).to_string())).collect()
}

fn enumerated<S: System>(situation: &str, facts: &[&str], library: &dyn Library) -> Shares {
    let asked = question::<S>(situation, library)
        .unwrap_or_else(|faults| panic!("\n{}", faults.report("the case", situation)));
    let odds = odds::of_action::<S>(
        &asked.battle,
        &asked.state,
        &asked.action,
        Horizon::Decision,
        Budget::default(),
    );
    assert_eq!(odds.sampled, None, "the odds are sampled in:\n{situation}");
    let mut shares = BTreeMap::<String, Chance>::new();
    for (end, chance) in odds.ends {
        let stands: Vec<String> =
            facts.iter().map(|name| told(S::fact(&asked.battle, &end, name), name)).collect();
        let share = shares.entry(stands.join(" ")).or_insert_with(|| Chance::new(0u32.into(), 1u32.into()));
        *share += chance;
    }
    shares.into_iter().map(|(what, chance)| (what, chance.to_string())).collect()
}

fn told(fact: Result<Fact, Unknown>, name: &str) -> String {
    match fact.unwrap_or_else(|unknown| panic!("there is no fact `{name}`: {unknown}")) {
        Fact::Text(text) => text,
        other => other.to_string(),
    }
}
