//! Dice are an effect: the engine asks for every random thing here, and never knows who answers.

use chacha20::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A kind of die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Die {
    /// 1 to 6.
    D6,
    /// 1 to 10.
    D10,
    /// 0 to 9.
    Z10,
    /// 1 to 3.
    D3,
    /// The averaging die: 2, 3, 3, 4, 4, 5.
    Average,
}

impl Die {
    /// The faces, each as likely as the next.
    #[must_use]
    pub const fn faces(self) -> &'static [u8] {
        match self {
            Die::D6 => &[1, 2, 3, 4, 5, 6],
            Die::D10 => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
            Die::Z10 => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
            Die::D3 => &[1, 2, 3],
            Die::Average => &[2, 3, 3, 4, 4, 5],
        }
    }
}

/// What one die must show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// This face or a lower one.
    AtMost(i16),
    /// This face or a higher one.
    AtLeast(i16),
}

/// A die and what it must show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Test {
    /// The die.
    pub die: Die,
    /// What it must show.
    pub need: Need,
}

impl Test {
    /// Passed by `face` or less.
    #[must_use]
    pub const fn at_most(die: Die, face: i16) -> Test {
        Test { die, need: Need::AtMost(face) }
    }

    /// Passed by `face` or more.
    #[must_use]
    pub const fn at_least(die: Die, face: i16) -> Test {
        Test { die, need: Need::AtLeast(face) }
    }

    /// Whether `face` passes.
    #[must_use]
    pub const fn passed_by(self, face: u8) -> bool {
        match self.need {
            Need::AtMost(most) => face as i16 <= most,
            Need::AtLeast(least) => face as i16 >= least,
        }
    }

    /// How many of the die's faces pass, and how many it has.
    #[must_use]
    pub fn chance(self) -> (u32, u32) {
        let faces = self.die.faces();
        let good = faces.iter().filter(|&&f| self.passed_by(f)).count();
        (good as u32, faces.len() as u32)
    }
}

/// Where faces go when somebody wants to see them.
pub type Faces<'a> = Option<&'a mut Vec<u8>>;

/// A source of chance. Only [`Dice::below`] must be given; sources that weigh outcomes instead of rolling them
/// (exact odds) override the rest, so that "how many of n" is one binomial and not n branches.
pub trait Dice {
    /// A number under `n` (at least 1), each as likely as the next.
    fn below(&mut self, n: u32) -> u32;

    /// One face of one die.
    fn roll(&mut self, die: Die) -> u8 {
        let faces = die.faces();
        faces[self.below(faces.len() as u32) as usize]
    }

    /// Whether one die passes.
    fn passes(&mut self, test: Test, seen: Faces<'_>) -> bool {
        let face = self.roll(test.die);
        if let Some(seen) = seen {
            seen.push(face);
        }
        test.passed_by(face)
    }

    /// How many of `n` dice pass.
    fn count(&mut self, n: u8, test: Test, mut seen: Faces<'_>) -> u8 {
        (0..n).map(|_| u8::from(self.passes(test, seen.as_deref_mut()))).sum()
    }

    /// The total of `n` dice.
    fn total(&mut self, n: u8, die: Die, mut seen: Faces<'_>) -> u16 {
        (0..n)
            .map(|_| {
                let face = self.roll(die);
                if let Some(seen) = seen.as_deref_mut() {
                    seen.push(face);
                }
                u16::from(face)
            })
            .sum()
    }

    /// What the total of `n` dice comes to by `grade`. Totals of one grade are one outcome where chances are counted.
    fn graded(&mut self, n: u8, die: Die, grade: &dyn Fn(u16) -> i16, seen: Faces<'_>) -> i16 {
        grade(self.total(n, die, seen))
    }
}

impl<D: Dice + ?Sized> Dice for &mut D {
    fn below(&mut self, n: u32) -> u32 {
        (**self).below(n)
    }
    fn roll(&mut self, die: Die) -> u8 {
        (**self).roll(die)
    }
    fn passes(&mut self, test: Test, seen: Faces<'_>) -> bool {
        (**self).passes(test, seen)
    }
    fn count(&mut self, n: u8, test: Test, seen: Faces<'_>) -> u8 {
        (**self).count(n, test, seen)
    }
    fn total(&mut self, n: u8, die: Die, seen: Faces<'_>) -> u16 {
        (**self).total(n, die, seen)
    }
    fn graded(&mut self, n: u8, die: Die, grade: &dyn Fn(u16) -> i16, seen: Faces<'_>) -> i16 {
        (**self).graded(n, die, grade, seen)
    }
}

/// Even choice by rejection: the same on every machine, and no face a hair likelier than another.
fn even(n: u32, mut word: impl FnMut() -> u32) -> u32 {
    let fair = u32::MAX - u32::MAX % n;
    loop {
        let w = word();
        if w < fair {
            return w % n;
        }
    }
}

/// Dice from a secret seed: a stream cipher, a fresh stream for each action, the same on every platform.
#[derive(Debug)]
pub struct SeededDice(ChaCha8Rng);

impl SeededDice {
    /// The dice of action number `moment`, from the game's seed and whatever the acting player mixed in.
    #[must_use]
    pub fn for_moment(seed: &[u8; 32], moment: u64, salt: &[u8]) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"linstock dice 1");
        hash.update(seed);
        hash.update(moment.to_le_bytes());
        hash.update(salt);
        SeededDice(ChaCha8Rng::from_seed(hash.finalize().into()))
    }
}

impl Dice for SeededDice {
    fn below(&mut self, n: u32) -> u32 {
        even(n, || self.0.next_u32())
    }
}

/// Quick dice for mass play and search, where nothing is saved.
#[derive(Debug, Clone)]
pub struct QuickDice {
    random: Xoshiro256PlusPlus,
    rolled: bool,
}

impl QuickDice {
    /// Dice from a number.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        QuickDice { random: Xoshiro256PlusPlus::seed_from_u64(seed), rolled: false }
    }

    /// Whether anything was asked of them.
    #[must_use]
    pub fn rolled(&self) -> bool {
        self.rolled
    }
}

impl Dice for QuickDice {
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        // Lemire's multiply-shift with rejection.
        self.rolled = true;
        let mut wide = u64::from(self.random.next_u32()) * u64::from(n);
        if (wide as u32) < n {
            let unfair = n.wrapping_neg() % n;
            while (wide as u32) < unfair {
                wide = u64::from(self.random.next_u32()) * u64::from(n);
            }
        }
        (wide >> 32) as u32
    }
}

/// Dice that fall as written: for situations, and for players who roll real dice and type them in.
///
/// When the script runs out the dice fall somehow (somehow, so that rolls that are repeated until they differ come to an
/// end), and [`ScriptedDice::asked_for`] tells how many were missing.
#[derive(Debug, Clone)]
pub struct ScriptedDice {
    faces: Vec<u8>,
    next: usize,
    somehow: QuickDice,
    /// Set when a written face does not exist on the die that was asked for.
    pub impossible: Option<Impossible>,
}

/// A written face that the die it is for does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("die {number} shows {face}, but it can only show {low} to {high}")]
pub struct Impossible {
    /// Which of the faces, from 1.
    pub number: usize,
    /// What was written.
    pub face: u8,
    /// The lowest that is possible.
    pub low: u32,
    /// The highest.
    pub high: u32,
}

impl ScriptedDice {
    /// Dice that show `faces` in order.
    #[must_use]
    pub fn new(faces: Vec<u8>) -> Self {
        ScriptedDice { faces, next: 0, somehow: QuickDice::new(0), impossible: None }
    }

    /// How many faces have been asked for so far.
    #[must_use]
    pub fn asked_for(&self) -> usize {
        self.next
    }

    /// How many faces were written.
    #[must_use]
    pub fn written(&self) -> usize {
        self.faces.len()
    }

    fn cannot(&mut self, face: u8, low: u32, high: u32) {
        self.impossible.get_or_insert(Impossible { number: self.next, face, low, high });
    }

    fn below_many(&mut self, n: u32) -> u32 {
        let mut drawn = 0;
        for last in digits(n, n - 1) {
            let Some(face) = self.take() else { return self.somehow.below(n) };
            drawn = drawn * u64::from(BASE) + u64::from(face.saturating_sub(1));
            if face == 0 || drawn >= u64::from(n) {
                self.cannot(face, 1, u32::from(last));
            }
        }
        u32::try_from(drawn).map_or(n - 1, |drawn| drawn.min(n - 1))
    }

    fn take(&mut self) -> Option<u8> {
        let face = self.faces.get(self.next).copied();
        self.next += 1;
        face
    }
}

impl Dice for ScriptedDice {
    /// An even choice is written as a number from 1 to n; one of more than 255 as several, see [`digits`].
    fn below(&mut self, n: u32) -> u32 {
        if n > BASE {
            return self.below_many(n);
        }
        match self.take() {
            Some(face) if (1..=n).contains(&u32::from(face)) => u32::from(face) - 1,
            Some(face) => {
                self.cannot(face, 1, n);
                0
            }
            None => self.somehow.below(n),
        }
    }

    fn roll(&mut self, die: Die) -> u8 {
        match self.take() {
            Some(face) if die.faces().contains(&face) => face,
            Some(face) => {
                let faces = die.faces();
                self.cannot(face, u32::from(faces[0]), u32::from(faces[faces.len() - 1]));
                faces[0]
            }
            None => self.somehow.roll(die),
        }
    }
}

/// How many choices one written number can tell apart, from 1 to 255.
const BASE: u32 = u8::MAX as u32;

/// One of `n` choices as it is written: a number from 1 to n, or, where n is more than 255, as many numbers from 1 to
/// 255 as n needs, the most significant first.
pub(crate) fn digits(n: u32, drawn: u32) -> impl Iterator<Item = u8> {
    let places = (1..).find(|&places| u64::from(BASE).pow(places) >= u64::from(n)).unwrap_or(1);
    (0..places).rev().map(move |place| (drawn / BASE.pow(place) % BASE) as u8 + 1)
}

/// Passes every question on and writes down each face, so that the same can be rolled again from paper.
#[derive(Debug)]
pub struct Recorder<D> {
    inner: D,
    /// The faces so far, in the form [`ScriptedDice`] reads.
    pub faces: Vec<u8>,
}

impl<D: Dice> Recorder<D> {
    /// Records what `inner` rolls.
    pub fn new(inner: D) -> Self {
        Recorder { inner, faces: Vec::new() }
    }

    /// The dice behind the recorder.
    pub fn inner(&self) -> &D {
        &self.inner
    }
}

impl<D: Dice> Dice for Recorder<D> {
    fn below(&mut self, n: u32) -> u32 {
        let drawn = self.inner.below(n);
        self.faces.extend(digits(n, drawn));
        drawn
    }

    fn roll(&mut self, die: Die) -> u8 {
        let face = self.inner.roll(die);
        self.faces.push(face);
        face
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeded_dice_fall_alike_everywhere() {
        let mut dice = SeededDice::for_moment(&[7; 32], 3, b"salt");
        let rolled: Vec<u8> = (0..12).map(|_| dice.roll(Die::D10)).collect();
        assert_eq!(
            rolled,
            [4, 7, 1, 6, 5, 5, 3, 8, 2, 8, 9, 5],
            "a journal of another machine must replay here"
        );
    }

    #[test]
    fn every_face_is_as_likely_as_the_next() {
        let mut dice = QuickDice::new(1);
        let mut seen = [0u32; 10];
        for _ in 0..100_000 {
            seen[usize::from(dice.roll(Die::D10)) - 1] += 1;
        }
        for count in seen {
            assert!((9_600..10_400).contains(&count), "{seen:?}");
        }
    }

    #[test]
    fn chances_count_faces() {
        assert_eq!(Test::at_most(Die::D10, 7).chance(), (7, 10));
        assert_eq!(Test::at_least(Die::D6, 5).chance(), (2, 6));
        assert_eq!(Test::at_least(Die::Average, 4).chance(), (3, 6));
        assert_eq!(Test::at_most(Die::D10, -2).chance(), (0, 10));
    }

    #[test]
    fn scripted_dice_tell_what_was_missing_or_wrong() {
        let mut dice = ScriptedDice::new(vec![3, 11]);
        assert_eq!(dice.roll(Die::D10), 3);
        assert_eq!(dice.roll(Die::D10), 1, "a face that is not there counts as the lowest");
        let said = dice.impossible.map(|i| i.to_string());
        assert_eq!(said.as_deref(), Some("die 2 shows 11, but it can only show 1 to 10"));
        dice.roll(Die::D10);
        assert_eq!((dice.asked_for(), dice.written()), (3, 2));
    }

    #[test]
    fn a_written_choice_is_one_of_them() {
        let mut dice = ScriptedDice::new(vec![1, 4, 5, 0]);
        assert_eq!([dice.below(4), dice.below(4)], [0, 3]);
        assert_eq!(dice.impossible, None);
        assert_eq!(dice.below(4), 0);
        assert_eq!(dice.impossible, Some(Impossible { number: 3, face: 5, low: 1, high: 4 }));
        dice.below(4);
        assert_eq!(dice.impossible.map(|i| i.number), Some(3), "the first is told");
        let mut none = ScriptedDice::new(vec![0]);
        none.below(4);
        assert_eq!(none.impossible.map(|i| i.face), Some(0));
        let drawn: Vec<u32> = (0..50).map(|_| dice.below(3)).collect();
        assert!([0, 1, 2].iter().all(|n| drawn.contains(n)), "beyond the script they fall somehow");
    }

    #[test]
    fn faces_are_shown_to_who_wants_to_see_them() {
        let mut seen = Vec::new();
        let test = Test::at_least(Die::D6, 4);
        let mut dice = ScriptedDice::new(vec![4, 3, 6, 2, 5, 1, 2]);
        assert!(dice.passes(test, Some(&mut seen)));
        assert_eq!(dice.count(3, test, Some(&mut seen)), 1);
        assert_eq!(dice.total(2, Die::D6, Some(&mut seen)), 6);
        assert_eq!(dice.graded(1, Die::D6, &|total| total as i16 - 5, Some(&mut seen)), -3);
        assert_eq!(seen, [4, 3, 6, 2, 5, 1, 2]);
        let mut lent = ScriptedDice::new(vec![1, 6, 6, 3, 3, 2, 1]);
        let lent = &mut lent;
        assert_eq!((lent.below(3), lent.roll(Die::D6), lent.passes(test, None)), (0, 6, true));
        assert_eq!((lent.count(1, test, None), lent.total(1, Die::D6, None)), (0, 3));
        assert_eq!(lent.graded(2, Die::D6, &|total| total as i16, None), 3);
    }

    #[test]
    fn an_even_choice_rejects_what_would_favour_the_low() {
        let mut words = [u32::MAX, u32::MAX - 1, 7].into_iter();
        assert_eq!(
            even(3, || words.next().unwrap()),
            (u32::MAX - 1) % 3,
            "only the last word is one too many"
        );
        let mut words = [u32::MAX - 5, 9].into_iter();
        assert_eq!(even(10, || words.next().unwrap()), 9);
    }

    #[test]
    fn what_a_recorder_wrote_can_be_rolled_again() {
        let test = Test::at_most(Die::D10, 5);
        let mut first = Recorder::new(QuickDice::new(9));
        let once = (first.count(8, test, None), first.below(5), first.total(2, Die::D6, None));
        let mut again = ScriptedDice::new(first.faces);
        assert_eq!((again.count(8, test, None), again.below(5), again.total(2, Die::D6, None)), once);
    }

    /// Draws the last of n.
    struct Last;

    impl Dice for Last {
        fn below(&mut self, n: u32) -> u32 {
            n - 1
        }
    }

    #[test]
    fn a_draw_among_hundreds_is_written_and_read_whole() {
        for n in [1, 2, 255, 256, 257, 65_025, 65_026, u32::MAX] {
            let mut first = Recorder::new(Last);
            assert_eq!(first.below(n), n - 1);
            let mut again = ScriptedDice::new(first.faces);
            assert_eq!(again.below(n), n - 1, "the last of {n}");
            assert_eq!((again.asked_for(), again.impossible), (again.written(), None));
        }
        let faces = |n, drawn| digits(n, drawn).collect::<Vec<u8>>();
        assert_eq!(
            [faces(255, 254), faces(256, 254), faces(256, 255)],
            [vec![255], vec![1, 255], vec![2, 1]]
        );
    }

    #[test]
    fn a_draw_beyond_the_last_choice_is_impossible() {
        for faces in [vec![2, 2], vec![0, 1], vec![255, 255]] {
            let mut dice = ScriptedDice::new(faces.clone());
            assert!(dice.below(256) < 256);
            assert!(dice.impossible.is_some(), "{faces:?}");
        }
        let mut dice = ScriptedDice::new(vec![2, 2]);
        dice.below(256);
        assert_eq!(dice.impossible.map(|i| (i.number, i.face, i.low, i.high)), Some((2, 2, 1, 1)));
        let mut short = ScriptedDice::new(vec![1]);
        assert!(short.below(256) < 256);
        assert_eq!((short.asked_for(), short.impossible), (2, None), "one number is missing");
    }
}
