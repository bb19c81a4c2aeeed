//! What dice lead to where no piece's fate hangs on them: who decides what next, or what the roll itself says.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use serde::Serialize;

use super::walk::Weighed;
use super::weight::Weight;
use super::{Budget, Chance, Likelihood};
use crate::dice::QuickDice;
use crate::log::{Chronicle, Entry, Roll};
use crate::{Fx, Now, Side, System};

/// Something that may come of a roll.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Happening {
    /// Whom it asks or concerns, where it is one side.
    pub side: Option<Side>,
    /// In a sentence: what is decided next, or how the roll is told.
    pub words: String,
    /// How likely.
    pub share: Likelihood,
}

/// Plays of a sample of the log: enough for a bar, few enough to be read while a pointer rests.
const TOLD: u32 = 400;
/// Happenings of a report; those left are told as one.
const MOST: usize = 8;

/// An action whose ends are known.
pub(super) struct Outlook<'a, S: System> {
    pub(super) battle: &'a S::Battle,
    pub(super) state: &'a S::State,
    pub(super) action: &'a S::Action,
    pub(super) sampled: Option<u32>,
    pub(super) last_scene: Option<u32>,
}

type Told = (Option<Side>, String);

impl<S: System> Outlook<'_, S> {
    /// The likeliest first.
    pub(super) fn happenings(&self, ends: &Weighed<S::State>, budget: Budget) -> Vec<Happening> {
        let asked = self.asked_next(ends);
        if asked.len() > 1 {
            return listed(asked.into_iter().map(|(told, weight)| (told, weight.reduced())), self.sampled);
        }
        let plays = TOLD.min(budget.plays).max(1);
        let rolled = self.told_by_rolls(plays);
        if rolled.len() > 1 {
            let chance = |n: u32| Chance::new(n.into(), plays.into());
            return listed(rolled.into_iter().map(|(told, n)| (told, chance(n))), Some(plays));
        }
        listed(asked.into_iter().map(|(told, weight)| (told, weight.reduced())), self.sampled)
    }

    /// The ends by the decision that each leads to.
    fn asked_next(&self, ends: &Weighed<S::State>) -> BTreeMap<Told, Weight> {
        let mut asked = BTreeMap::<Told, Weight>::new();
        for (end, weight) in ends {
            match asked.entry(self.next(end)) {
                Slot::Occupied(mut sum) => *sum.get_mut() += weight.clone(),
                Slot::Vacant(new) => drop(new.insert(weight.clone())),
            }
        }
        asked
    }

    fn next(&self, end: &S::State) -> Told {
        if self.last_scene.is_some_and(|last| S::scene(self.battle, end) > last) {
            return (None, S::scene_name(self.battle, end).to_owned());
        }
        match S::now(self.battle, end) {
            Now::Decides(side) => (Some(side), S::prompt(self.battle, end).sentence),
            Now::Over(_) => (None, "The battle is over.".to_owned()),
        }
    }

    /// The first roll that whoever decides can read, in the words of the log, by how often it fell so.
    fn told_by_rolls(&self, plays: u32) -> BTreeMap<Told, u32> {
        let reader = match S::now(self.battle, self.state) {
            Now::Decides(side) => Some(side),
            Now::Over(_) => None,
        };
        let mut told = BTreeMap::<Told, u32>::new();
        for play in 0..plays {
            let mut fx = Fx { dice: QuickDice::new(u64::from(play)), log: Chronicle::default() };
            let mut after = self.state.clone();
            S::play_unchecked(self.battle, &mut after, self.action, &mut fx);
            let entries = fx.log.entries;
            let readable = |e: &Entry| e.only.is_none() || e.only == reader;
            let roll = entries.iter().filter(|e| readable(e)).find_map(|e| Some((e, e.roll.as_ref()?)));
            if let Some((entry, roll)) = roll {
                *told.entry((None, words_of(entry, roll))).or_default() += 1;
            }
        }
        told
    }
}

/// How the log tells a roll; where it only shows the dice, with what they come to.
fn words_of(entry: &Entry, roll: &Roll) -> String {
    match roll.need {
        Some(_) => entry.text.clone(),
        None => format!("{}: {}.", entry.text.trim_end_matches('.'), roll.result),
    }
}

fn listed(all: impl Iterator<Item = (Told, Chance)>, sampled: Option<u32>) -> Vec<Happening> {
    let mut all: Vec<_> = all.collect();
    all.sort_by(|a, b| b.1.cmp(&a.1));
    let rest: Chance = all.iter().skip(MOST - 1).map(|(_, chance)| chance.clone()).sum();
    if all.len() > MOST {
        all.truncate(MOST - 1);
        all.push(((None, "Something else.".to_owned()), rest));
    }
    let one = |((side, words), chance)| Happening { side, words, share: Likelihood::of(&chance, sampled) };
    all.into_iter().map(one).collect()
}
