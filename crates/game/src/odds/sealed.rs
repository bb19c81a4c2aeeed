use std::collections::BTreeMap;

use num_traits::Zero;
use serde::Serialize;

use super::walk::Walk;
use super::{Budget, Chance, Horizon, Likelihood};
use crate::{BySide, Side, System};

/// What a contest of sealed choices has come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What the two choices made of each other: `+2`, `No Combat`.
    pub clash: String,
    /// What each side suffers.
    pub suffers: BySide<Suffered>,
}

/// What a side suffers of a contest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Suffered {
    /// How much, to compare: more is worse, 0 is nothing.
    pub pain: i32,
    /// In the words of the results table.
    pub says: String,
}

/// The odds of every own choice against every choice of the enemy, where both are sealed.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct SealedOdds {
    /// Whose choices the rows are.
    pub side: Side,
    /// The rows: what one may choose.
    pub own: Vec<SealedChoice>,
    /// The columns: what the enemy may have chosen or may choose.
    pub enemy: Vec<SealedChoice>,
    /// Row by row.
    pub cells: Vec<Vec<SealedCell>>,
}

/// A choice that is sealed.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct SealedChoice {
    /// The action in notation.
    pub action: String,
    /// On a card: `Turn Flank`.
    pub name: String,
}

/// What comes of a choice against another.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct SealedCell {
    /// What the two make of each other: `+2`, `No Combat`.
    pub clash: String,
    /// The enemy suffers more than oneself.
    pub better: Likelihood,
    /// Both suffer alike, or nobody.
    pub even: Likelihood,
    /// One suffers more than the enemy.
    pub worse: Likelihood,
    /// Every result, the best for oneself first.
    pub results: Vec<SealedResult>,
}

/// A result of a contest and its chance.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct SealedResult {
    /// What one suffers, in the words of the results table.
    pub own: String,
    /// What the enemy suffers.
    pub enemy: String,
    /// How likely.
    pub share: Likelihood,
}

/// The odds of every choice of `side` against every one of its enemy's, where the decision at hand is to be sealed. The
/// result is the first that the dice give; what may be bought to change it afterwards is not foreseen.
pub fn sealed<S: System>(battle: &S::Battle, state: &S::State, side: Side) -> Option<SealedOdds> {
    let choices = S::sealed(battle, state)?;
    let faces = |side: Side| {
        let face = |action: &S::Action| SealedChoice {
            action: S::write(battle, action),
            name: S::offer(battle, state, action).label,
        };
        choices[side].iter().map(face).collect()
    };
    let cell = |own: &S::Action, enemy: &S::Action| {
        let both = match side {
            Side::First => BySide { first: own, second: enemy },
            Side::Second => BySide { first: enemy, second: own },
        };
        contest::<S>(battle, S::unsealed(battle, state, both), side)
    };
    let row = |own: &S::Action| choices[!side].iter().map(|enemy| cell(own, enemy)).collect::<Option<_>>();
    Some(SealedOdds {
        side,
        own: faces(side),
        enemy: faces(!side),
        cells: choices[side].iter().map(row).collect::<Option<_>>()?,
    })
}

fn contest<S: System>(battle: &S::Battle, state: S::State, side: Side) -> Option<SealedCell> {
    let walk = Walk::<S>::new(battle, None, Horizon::Decision, Budget::default());
    let ends = walk.exact_until(state, |state| S::verdict(battle, state).is_some())?;
    let mut clash = String::new();
    let mut results = BTreeMap::<(i32, Suffered, Suffered), Chance>::new();
    for (end, weight) in ends {
        let verdict = S::verdict(battle, &end)?;
        let [own, enemy] = [side, !side].map(|side| verdict.suffers[side].clone());
        let sum = results.entry((own.pain - enemy.pain, own, enemy)).or_insert_with(Chance::zero);
        *sum += weight.reduced();
        clash = verdict.clash;
    }
    let share = |of: std::cmp::Ordering| {
        let alike = results.iter().filter(|((balance, ..), _)| balance.cmp(&0) == of);
        Likelihood::of(&alike.map(|(_, chance)| chance).sum(), None)
    };
    Some(SealedCell {
        clash,
        better: share(std::cmp::Ordering::Less),
        even: share(std::cmp::Ordering::Equal),
        worse: share(std::cmp::Ordering::Greater),
        results: results
            .iter()
            .map(|((_, own, enemy), chance)| SealedResult {
                own: own.says.clone(),
                enemy: enemy.says.clone(),
                share: Likelihood::of(chance, None),
            })
            .collect(),
    })
}
