use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use game::board::Place;
use game::dice::{Dice, QuickDice};
use game::{Eyes, Fx, Now, Silent, System};

use crate::contract::Invariant;
use crate::shelf::battle;

/// How many earlier decisions lend their offers.
const EARLIER: usize = 12;

/// How many offers of each earlier decision are tried, and how many of the decision at hand are varied.
const SAMPLE: u32 = 8;

/// How long play goes on after an action that a table allowed without having offered it.
const ON: usize = 4;

/// On hexes: the notation of an action without what need not be offered, or none for an action that is compared
/// elsewhere.
pub type Essence = fn(&str) -> Option<String>;

/// The usual [`Essence`]: of a way hex by hex, only where it ends.
#[must_use]
pub fn but_for_the_way(notation: &str) -> Option<String> {
    let is_hex = |word: &str| word.len() >= 4 && word.bytes().all(|b| b.is_ascii_digit());
    let words: Vec<&str> = notation.split(' ').collect();
    let last = words.iter().rposition(|w| is_hex(w));
    let kept = words.iter().enumerate().filter(|(i, w)| !is_hex(w) || Some(*i) == last);
    Some(kept.map(|(_, w)| *w).collect::<Vec<_>>().join(" "))
}

/// Tries, at every `every`th decision of random games, what was not offered: what was offered to either side a little
/// earlier, and what is offered now with one word changed (another piece, a hex or a number beside it), left out or said
/// twice. All of it must be refused, unless it comes to something that is offered. How many were tried is given back.
///
/// # Panics
/// With all that was allowed and never offered, one example for each kind of order.
pub fn unoffered<S: System>(id: &str, games: u64, every: usize, essence: Essence) -> usize {
    let mut allowed = BTreeMap::<String, (usize, String)>::new();
    let essences = |battle: &S::Battle, offers: &[S::Action]| -> BTreeSet<Option<String>> {
        offers.iter().map(|o| essence(&S::write(battle, o))).collect()
    };
    let tried = each_unoffered::<S>(id, games, every, |battle, state, offers, said, action, place| {
        let written = S::write(battle, &action);
        let found = essence(&written);
        if found.is_some()
            && !essences(battle, offers).contains(&found)
            && !leads_back::<S>(battle, state, &written)
        {
            let verb = written.split(' ').next().unwrap_or_default().to_owned();
            let kind = S::prompt(battle, state).kind;
            let example = format!("{place}`{said}` is allowed as `{written}` and was not offered");
            allowed.entry(format!("{verb} ({kind:?})")).or_insert((0, example)).0 += 1;
        }
    });
    let lines: Vec<String> =
        allowed.iter().map(|(kind, (n, example))| format!("{kind}: {n} times; {example}")).collect();
    assert!(lines.is_empty(), "\n{}\n", lines.join("\n"));
    tried
}

/// A way round to where its walker stands already: it may be gone, and comes to nothing.
pub(crate) fn leads_back<S: System>(battle: &S::Battle, state: &S::State, order: &str) -> bool {
    let words: Vec<&str> = order.split(' ').collect();
    let [_, walker, .., end] = words[..] else { return false };
    let pieces = S::view(battle, state, Eyes::All).pieces;
    pieces.iter().any(|p| p.slug == walker && matches!(&p.place, Place::Hex(at) if at == end))
}

/// As [`unoffered`], for a table, where offers are a sample: what is allowed without having been offered must be read
/// again as it is written, and play must go on from it without breaking the invariant.
///
/// # Panics
/// At the first from which it does not.
pub fn unoffered_on_a_table<S: System>(id: &str, games: u64, every: usize, invariant: Invariant<S>) -> usize {
    let mut plays = 0;
    each_unoffered::<S>(id, games, every, |battle, state, _, said, action, place| {
        let written = S::write(battle, &action);
        let again = S::read(battle, state, &written);
        assert_eq!(again.as_ref(), Ok(&action), "{place}`{said}` is written as `{written}`");
        plays += 1;
        let mut mind = QuickDice::new(plays as u64);
        let mut fx = Fx { dice: QuickDice::new(!(plays as u64)), log: Silent };
        let (mut state, mut action) = (state.clone(), action);
        for _ in 0..ON {
            S::play_unchecked(battle, &mut state, &action, &mut fx);
            if let Err(broken) = invariant(battle, &state) {
                panic!("{place}after `{said}`: {broken}");
            }
            let Now::Decides(_) = S::now(battle, &state) else { return };
            let mut offers = Vec::new();
            S::offers(battle, &state, &mut offers);
            assert!(!offers.is_empty(), "{place}after `{said}`: a decision without an offer");
            action = offers.swap_remove(mind.below(offers.len() as u32) as usize);
        }
    });
    plays
}

/// Plays random games and hands over each action that is allowed: battle, position, offers, what was said, what it was
/// read as, where.
fn each_unoffered<S: System>(
    id: &str,
    games: u64,
    every: usize,
    mut allowed: impl FnMut(&S::Battle, &S::State, &[S::Action], &str, S::Action, &str),
) -> usize {
    let battle = battle::<S>(id);
    let mut tried = 0;
    for seed in 0..games {
        let mut mind = QuickDice::new(!seed);
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = S::muster(&battle);
        S::settle(&battle, &mut state, &mut fx);
        let mut earlier = VecDeque::<Vec<String>>::new();
        for decision in seed as usize.. {
            let Now::Decides(_) = S::now(&battle, &state) else { break };
            let mut offers = Vec::new();
            S::offers(&battle, &state, &mut offers);
            if decision % every == 0 {
                let place = format!("{id}, seed {seed}, decision {}: ", decision - seed as usize);
                let pieces: Vec<String> =
                    S::view(&battle, &state, Eyes::All).pieces.into_iter().map(|p| p.slug).collect();
                let mut said: BTreeSet<String> = earlier.iter().flatten().cloned().collect();
                for offer in sample(&offers, &mut mind) {
                    said.extend(variations(&S::write(&battle, offer), &pieces, &mut mind));
                }
                for said in said {
                    tried += 1;
                    let found = catch_unwind(AssertUnwindSafe(|| {
                        let action = S::read(&battle, &state, &said).ok()?;
                        S::check(&battle, &state, &action).ok().map(|()| action)
                    }));
                    match found {
                        Ok(Some(action)) if !offers.contains(&action) => {
                            allowed(&battle, &state, &offers, &said, action, &place);
                        }
                        Ok(_) => {}
                        Err(panic) => {
                            eprintln!("{place}`{said}` panics");
                            resume_unwind(panic);
                        }
                    }
                }
            }
            earlier.push_back(sample(&offers, &mut mind).map(|o| S::write(&battle, o)).collect());
            if earlier.len() > EARLIER {
                earlier.pop_front();
            }
            let action = offers.swap_remove(mind.below(offers.len() as u32) as usize);
            S::play_unchecked(&battle, &mut state, &action, &mut fx);
        }
    }
    tried
}

/// All of a short list, a choice out of a long one.
fn sample<'a, T>(all: &'a [T], mind: &mut QuickDice) -> impl Iterator<Item = &'a T> + use<'a, T> {
    let chosen: Vec<usize> = if all.len() <= SAMPLE as usize {
        (0..all.len()).collect()
    } else {
        (0..SAMPLE).map(|_| mind.below(all.len() as u32) as usize).collect()
    };
    chosen.into_iter().map(|i| &all[i])
}

/// The order with one word changed, left out or said twice.
fn variations(order: &str, pieces: &[String], mind: &mut QuickDice) -> Vec<String> {
    let words: Vec<&str> = order.split(' ').collect();
    let mut all = Vec::new();
    for at in 0..words.len() {
        let mut with = |instead: &[&str]| {
            let said = [&words[..at], instead, &words[at + 1..]].concat();
            all.push(said.join(" "));
        };
        if at > 0 {
            with(&[]);
            with(&[words[at], words[at]]);
        }
        for other in instead_of(words[at], pieces, mind) {
            with(&[&other]);
        }
    }
    all
}

/// What stands near a word: other pieces, the hexes around, a number by one more or less. Of words joined by signs each
/// is changed by itself.
fn instead_of(word: &str, pieces: &[String], mind: &mut QuickDice) -> Vec<String> {
    if pieces.iter().any(|p| p == word) {
        return (0..SAMPLE).map(|_| pieces[mind.below(pieces.len() as u32) as usize].clone()).collect();
    }
    if let Ok(number) = word.parse::<i64>() {
        let width = if word.len() >= 4 { word.len() } else { 0 };
        let column = if width > 0 { &[-101, -100, -99, 99, 100, 101][..] } else { &[] };
        let steps = [-1, 1].iter().chain(column);
        return steps.map(|step| format!("{:0width$}", number + step)).collect();
    }
    for sign in ['+', '=', ':', ',', '.'] {
        let parts: Vec<&str> = word.split(sign).collect();
        if parts.len() > 1 {
            let mut all = Vec::new();
            for at in 0..parts.len() {
                let mut others = instead_of(parts[at], pieces, mind);
                others.push(String::new());
                for other in others {
                    let mut changed: Vec<&str> = parts.clone();
                    if other.is_empty() {
                        changed.remove(at);
                    } else {
                        changed[at] = &other;
                    }
                    all.push(changed.join(&sign.to_string()));
                }
            }
            return all;
        }
    }
    Vec::new()
}
