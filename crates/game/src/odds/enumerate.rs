use num_bigint::BigUint;
use num_rational::Ratio;
use rustc_hash::FxHashMap;
use std::hash::Hash;

use super::weight::Weight;
use crate::dice::{Dice, Die, Faces, Test};

/// An exact probability.
pub type Chance = Ratio<BigUint>;

/// How many dice are counted as one binomial; more are split, so that weights stay within 128 bits.
const AT_ONCE: u8 = 24;

/// Dice that walk every outcome: each run follows a path of choices, and [`enumerate`] tries them all.
#[derive(Debug, Default)]
pub struct EveryDice {
    path: Vec<usize>,
    fans: Vec<usize>,
    depth: usize,
    weight: Option<Weight>,
}

impl EveryDice {
    /// Takes the outcome this run's path asks for. `outcomes` are weights; those of weight 0 are never taken.
    fn choose(&mut self, weights: &[u128]) -> usize {
        let possible: Vec<usize> = (0..weights.len()).filter(|&i| weights[i] > 0).collect();
        if self.depth == self.path.len() {
            self.path.push(0);
            self.fans.push(possible.len());
        }
        let chosen = possible[self.path[self.depth]];
        self.depth += 1;
        if possible.len() > 1 {
            let total: u128 = weights.iter().sum();
            let factor = Weight::new(weights[chosen], total);
            self.weight = Some(match self.weight.take() {
                Some(weight) => weight * &factor,
                None => factor,
            });
        }
        chosen
    }

    /// The next path, like an odometer; false when all have been walked.
    fn advance(&mut self) -> bool {
        self.depth = 0;
        self.weight = None;
        while let (Some(last), Some(fan)) = (self.path.pop(), self.fans.pop()) {
            if last + 1 < fan {
                self.path.push(last + 1);
                self.fans.push(fan);
                return true;
            }
        }
        false
    }
}

impl Dice for EveryDice {
    fn below(&mut self, n: u32) -> u32 {
        self.choose(&vec![1; n as usize]) as u32
    }

    fn roll(&mut self, die: Die) -> u8 {
        // Faces that a die has twice are one outcome of twice the weight.
        let faces = die.faces();
        let mut distinct: Vec<(u8, u128)> = Vec::with_capacity(faces.len());
        for &face in faces {
            match distinct.last_mut() {
                Some((f, weight)) if *f == face => *weight += 1,
                _ => distinct.push((face, 1)),
            }
        }
        let weights: Vec<u128> = distinct.iter().map(|d| d.1).collect();
        distinct[self.choose(&weights)].0
    }

    fn passes(&mut self, test: Test, _: Faces<'_>) -> bool {
        let (good, all) = test.chance();
        self.choose(&[u128::from(all - good), u128::from(good)]) == 1
    }

    fn count(&mut self, n: u8, test: Test, _: Faces<'_>) -> u8 {
        let (good, all) = test.chance();
        let mut passed = 0;
        let mut left = n;
        while left > 0 {
            let now = left.min(AT_ONCE);
            passed += self.choose(&binomial(now, u128::from(good), u128::from(all - good))) as u8;
            left -= now;
        }
        passed
    }

    fn total(&mut self, n: u8, die: Die, _: Faces<'_>) -> u16 {
        let mut weights = vec![1u128];
        for _ in 0..n {
            let mut next = vec![0; weights.len() + usize::from(*die.faces().last().unwrap_or(&0))];
            for (sum, weight) in weights.iter().enumerate() {
                for &face in die.faces() {
                    next[sum + usize::from(face)] += weight;
                }
            }
            weights = next;
        }
        self.choose(&weights) as u16
    }
}

/// The weights of 0 to n passes of n dice with `good` faces that pass and `bad` that do not.
fn binomial(n: u8, good: u128, bad: u128) -> Vec<u128> {
    let mut weights = vec![1u128];
    for _ in 0..n {
        let mut next = vec![0; weights.len() + 1];
        for (passed, weight) in weights.iter().enumerate() {
            next[passed] += weight * bad;
            next[passed + 1] += weight * good;
        }
        weights = next;
    }
    weights
}

/// Runs `run` once for every way the dice can fall and adds up the chances of equal results, in the order they were
/// first met. `None` when there are more than `most` ways.
pub fn enumerate<T: Eq + Hash + Clone>(
    most: usize,
    run: impl FnMut(&mut EveryDice) -> T,
) -> Option<Vec<(T, Chance)>> {
    weighed(most, run).map(|all| all.into_iter().map(|(result, weight)| (result, weight.reduced())).collect())
}

/// The same, with the chances still unreduced.
pub(super) fn weighed<T: Eq + Hash + Clone>(
    most: usize,
    mut run: impl FnMut(&mut EveryDice) -> T,
) -> Option<Vec<(T, Weight)>> {
    let mut dice = EveryDice::default();
    let mut found = Merged::default();
    for _ in 0..most {
        let result = run(&mut dice);
        let weight = dice.weight.take().unwrap_or_else(Weight::certain);
        found.add(result, weight);
        if !dice.advance() {
            return Some(found.list);
        }
    }
    None
}

/// Equal things kept once, their chances added up, in the order first met.
pub(super) struct Merged<T> {
    index: FxHashMap<T, usize>,
    pub(super) list: Vec<(T, Weight)>,
}

impl<T> Default for Merged<T> {
    fn default() -> Self {
        Merged { index: FxHashMap::default(), list: Vec::new() }
    }
}

impl<T: Eq + Hash + Clone> Merged<T> {
    pub(super) fn add(&mut self, item: T, weight: Weight) {
        // A single thing needs no index: most steps leave nothing to chance.
        if self.list.len() == 1 && self.index.is_empty() {
            if self.list[0].0 == item {
                self.list[0].1 += weight;
                return;
            }
            self.index.insert(self.list[0].0.clone(), 0);
        }
        if self.list.is_empty() {
            self.list.push((item, weight));
            return;
        }
        match self.index.get(&item) {
            Some(&at) => self.list[at].1 += weight,
            None => {
                self.index.insert(item.clone(), self.list.len());
                self.list.push((item, weight));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use num_traits::One;

    use super::*;

    fn chance(n: u32, d: u32) -> Chance {
        Chance::new(n.into(), d.into())
    }

    #[test]
    fn three_dice_of_seven_or_less() {
        let hits = enumerate(100, |dice| dice.count(3, Test::at_most(Die::D10, 7), None)).unwrap();
        let expected =
            [(0, chance(27, 1000)), (1, chance(189, 1000)), (2, chance(441, 1000)), (3, chance(343, 1000))];
        assert_eq!(hits, expected);
    }

    #[test]
    fn two_dice_added_up() {
        let totals = enumerate(100, |dice| dice.total(2, Die::D6, None)).unwrap();
        let seven = totals.iter().find(|(total, _)| *total == 7).unwrap();
        assert_eq!(seven.1, chance(1, 6));
        assert_eq!(totals.len(), 11);
    }

    #[test]
    fn equal_results_merge_and_chances_add_up_to_one() {
        let results = enumerate(10_000, |dice| {
            let first = dice.count(4, Test::at_least(Die::D6, 5), None);
            if first > 1 { u16::from(first) + dice.total(1, Die::Average, None) } else { 0 }
        })
        .unwrap();
        let sum: Chance = results.iter().map(|(_, c)| c.clone()).sum();
        assert_eq!(sum, chance(1, 1));
    }

    #[test]
    fn certain_and_impossible_dice_do_not_branch() {
        let sure = enumerate(1, |dice| dice.passes(Test::at_most(Die::D10, 10), None)).unwrap();
        assert_eq!(sure, [(true, chance(1, 1))]);
    }

    #[test]
    fn too_many_ways_are_not_walked() {
        assert_eq!(enumerate(5, |dice| dice.roll(Die::D6)), None);
    }

    #[test]
    fn more_dice_than_one_binomial_holds() {
        let hits = enumerate(10_000, |dice| dice.count(30, Test::at_most(Die::D10, 5), None)).unwrap();
        let none = hits.iter().find(|(n, _)| *n == 0).unwrap();
        assert_eq!(none.1, Chance::new(BigUint::one(), BigUint::from(2u32).pow(30)));
    }
}
