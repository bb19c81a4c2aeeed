use std::hash::{BuildHasher, Hash};
use std::rc::Rc;

use num_bigint::BigUint;
use num_rational::Ratio;
use rustc_hash::{FxBuildHasher, FxHashMap};

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
    asked: bool,
    weight: Option<Weight>,
    binomials: FxHashMap<(u8, u32, u32), Rc<[u128]>>,
}

impl EveryDice {
    /// Takes the outcome this run's path asks for. `weights` are those of the outcomes; those of weight 0 are never taken.
    fn choose(&mut self, weights: &[u128]) -> usize {
        let fan = weights.iter().filter(|&&weight| weight > 0).count();
        let nth = self.branch(fan);
        let mut possible = weights.iter().enumerate().filter(|&(_, &weight)| weight > 0);
        let Some((chosen, &weight)) = possible.nth(nth) else { return 0 };
        if fan > 1 {
            self.weigh(weight, weights.iter().sum());
        }
        chosen
    }

    /// Takes one of `n` outcomes that are as likely as each other.
    fn choose_even(&mut self, n: usize) -> usize {
        let chosen = self.branch(n);
        if n > 1 {
            self.weigh(1, n as u128);
        }
        chosen
    }

    fn branch(&mut self, fan: usize) -> usize {
        if self.depth == self.path.len() {
            self.path.push(0);
            self.fans.push(fan);
        }
        self.depth += 1;
        self.asked = true;
        self.path[self.depth - 1]
    }

    fn weigh(&mut self, numer: u128, denom: u128) {
        let factor = Weight::new(numer, denom);
        self.weight = Some(match self.weight.take() {
            Some(weight) => weight * &factor,
            None => factor,
        });
    }

    /// The chance of the way just walked.
    pub(super) fn walked(&mut self) -> Weight {
        self.weight.take().unwrap_or_else(Weight::certain)
    }

    /// Whether any die was asked for on the way just walked.
    pub(super) fn rolled(&self) -> bool {
        self.depth > 0
    }

    /// Whether any die was asked for on any way.
    pub(super) fn ever_rolled(&self) -> bool {
        self.asked
    }

    /// The next path, like an odometer; false when all have been walked.
    pub(super) fn advance(&mut self) -> bool {
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

    fn binomial(&mut self, n: u8, test: Test) -> Rc<[u128]> {
        let (good, all) = test.chance();
        let known = self.binomials.entry((n, good, all));
        known.or_insert_with(|| binomial(n, good.into(), (all - good).into()).into()).clone()
    }
}

impl Dice for EveryDice {
    fn below(&mut self, n: u32) -> u32 {
        self.choose_even(n as usize) as u32
    }

    fn roll(&mut self, die: Die) -> u8 {
        match die {
            // Faces that it has twice are one outcome of twice the weight.
            Die::Average => [2, 3, 4, 5][self.choose(&[1, 2, 2, 1])],
            Die::D3 | Die::D6 | Die::D10 | Die::Z10 => {
                let faces = die.faces();
                faces[self.choose_even(faces.len())]
            }
        }
    }

    fn passes(&mut self, test: Test, _: Faces<'_>) -> bool {
        let (good, all) = test.chance();
        self.choose(&[u128::from(all - good), u128::from(good)]) == 1
    }

    fn count(&mut self, n: u8, test: Test, _: Faces<'_>) -> u8 {
        let mut passed = 0;
        let mut left = n;
        while left > 0 {
            let now = left.min(AT_ONCE);
            let weights = self.binomial(now, test);
            passed += self.choose(&weights) as u8;
            left -= now;
        }
        passed
    }

    fn total(&mut self, n: u8, die: Die, _: Faces<'_>) -> u16 {
        self.choose(&totals(n, die)) as u16
    }

    fn graded(&mut self, n: u8, die: Die, grade: &dyn Fn(u16) -> i16, _: Faces<'_>) -> i16 {
        let mut grades: Vec<i16> = Vec::new();
        let mut weights: Vec<u128> = Vec::new();
        for (total, weight) in totals(n, die).into_iter().enumerate().filter(|&(_, weight)| weight > 0) {
            let grade = grade(total as u16);
            match grades.iter().position(|&known| known == grade) {
                Some(at) => weights[at] += weight,
                None => {
                    grades.push(grade);
                    weights.push(weight);
                }
            }
        }
        grades[self.choose(&weights)]
    }
}

/// The weights of the totals of `n` dice, from 0 on.
fn totals(n: u8, die: Die) -> Vec<u128> {
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
    weights
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
pub fn enumerate<T: Eq + Hash>(
    most: usize,
    mut run: impl FnMut(&mut EveryDice) -> T,
) -> Option<Vec<(T, Chance)>> {
    let mut dice = EveryDice::default();
    let mut found = Merged::default();
    for _ in 0..most {
        let result = run(&mut dice);
        found.add(result, dice.walked());
        if !dice.advance() {
            return Some(found.list.into_iter().map(|(result, weight)| (result, weight.reduced())).collect());
        }
    }
    None
}

/// Equal things kept once, their chances added up, in the order first met.
pub(super) struct Merged<T> {
    /// Where in the list the things of a hash begin; the chain goes on in `alike`.
    heads: FxHashMap<u64, u32>,
    /// For each thing of the list the one before it that has the same hash, if any.
    alike: Vec<Option<u32>>,
    pub(super) list: Vec<(T, Weight)>,
}

impl<T> Default for Merged<T> {
    fn default() -> Self {
        Merged { heads: FxHashMap::default(), alike: Vec::new(), list: Vec::new() }
    }
}

impl<T: Eq + Hash> Merged<T> {
    pub(super) fn add(&mut self, item: T, weight: Weight) {
        let hash = FxBuildHasher.hash_one(&item);
        let mut at = self.heads.get(&hash).copied();
        while let Some(index) = at {
            let (known, sum) = &mut self.list[index as usize];
            if *known == item {
                *sum += weight;
                return;
            }
            at = self.alike[index as usize];
        }
        self.alike.push(self.heads.insert(hash, self.list.len() as u32));
        self.list.push((item, weight));
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
    fn totals_of_one_grade_are_one_outcome() {
        let graded =
            enumerate(2, |dice| dice.graded(2, Die::D6, &|total| i16::from(total >= 10), None)).unwrap();
        assert_eq!(graded, [(0, chance(5, 6)), (1, chance(1, 6))]);
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
    fn every_die_shows_its_faces_as_often_as_it_has_them() {
        for die in [Die::D3, Die::D6, Die::D10, Die::Z10, Die::Average] {
            let faces = die.faces();
            for (face, share) in enumerate(10, |dice| dice.roll(die)).unwrap() {
                let has = faces.iter().filter(|&&f| f == face).count();
                assert_eq!(share, chance(has as u32, faces.len() as u32), "{face} of {die:?}");
            }
            let (rolled, passed): (u32, u32) =
                faces.iter().fold((0, 0), |(n, sum), &f| (n + 1, sum + u32::from(f)));
            let mean: Chance = enumerate(100, |dice| dice.total(1, die, None))
                .unwrap()
                .into_iter()
                .map(|(total, share)| share * BigUint::from(total))
                .sum();
            assert_eq!(mean, chance(passed, rolled), "the mean of {die:?}");
        }
        assert_eq!(enumerate(6, |dice| dice.below(6)).unwrap().len(), 6);
        assert_eq!(enumerate(2, |dice| dice.below(2)).unwrap(), [(0, chance(1, 2)), (1, chance(1, 2))]);
        assert_eq!(enumerate(1, |dice| dice.below(1)).unwrap(), [(0, chance(1, 1))]);
        assert_eq!(enumerate(5, |dice| dice.below(6)), None, "six ways are more than five");
    }

    #[test]
    fn one_die_that_passes_or_fails() {
        let passed = enumerate(2, |dice| dice.passes(Test::at_least(Die::D6, 5), None)).unwrap();
        assert_eq!(passed, [(false, chance(2, 3)), (true, chance(1, 3))]);
        let hits = enumerate(60, |dice| dice.count(24, Test::at_most(Die::D6, 1), None)).unwrap();
        assert_eq!(hits.len(), 25, "24 dice are one binomial");
        let hits = enumerate(60, |dice| dice.count(25, Test::at_most(Die::D6, 1), None)).unwrap();
        assert_eq!(hits[0].1, Chance::new(BigUint::from(5u32).pow(25), BigUint::from(6u32).pow(25)));
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
