use crate::dice::{Dice, Die, Test};
use crate::log::{Chronicle, Entry, Log, RollNote};

/// All that the engine wants of the outside world: chance, and somebody to tell.
///
/// The two travel together because each roll is also an entry: the notes are closures, and when nobody listens they
/// are never called.
pub trait Effects {
    /// The face of one die.
    fn die(&mut self, die: Die, note: impl FnOnce() -> RollNote) -> u8;
    /// Whether one die passes.
    fn passes(&mut self, test: Test, note: impl FnOnce() -> RollNote) -> bool;
    /// How many of `n` dice pass.
    fn count(&mut self, n: u8, test: Test, note: impl FnOnce() -> RollNote) -> u8;
    /// The total of `n` dice.
    fn total(&mut self, n: u8, die: Die, note: impl FnOnce() -> RollNote) -> u16;
    /// What the total of `n` dice comes to by `grade` (by how much a test is missed, casualties), where the total itself
    /// is of no further use.
    fn graded(
        &mut self,
        n: u8,
        die: Die,
        grade: impl Fn(u16) -> i16,
        note: impl FnOnce() -> RollNote,
    ) -> i16 {
        grade(self.total(n, die, note))
    }
    /// One of `n` equals (at least one), counted from 0: a marker out of a cup, a choice made at random.
    fn draw(&mut self, n: usize, note: impl FnOnce() -> RollNote) -> usize;
    /// Tells what happened.
    fn tell(&mut self, entry: impl FnOnce() -> Entry);
    /// Something concealed has become known to the other side.
    fn revealed(&mut self);
    /// Whether anybody reads what is told.
    fn listening(&self) -> bool;
}

/// Dice and a log, together.
#[derive(Debug)]
pub struct Fx<D, L> {
    /// Where chance comes from.
    pub dice: D,
    /// Who is told.
    pub log: L,
}

/// Effects of which only run time knows what they are. Whatever need not be quick is played with this one type, so that a
/// system's rules are compiled twice, for quick play and for all else, and not once for every kind of dice.
pub type AnyFx<'d> = Fx<&'d mut dyn Dice, Option<&'d mut Chronicle>>;

impl<'d> AnyFx<'d> {
    /// These dice, and nobody who reads.
    pub fn silent(dice: &'d mut dyn Dice) -> Self {
        Fx { dice, log: None }
    }
}

impl<D: Dice> Fx<D, Chronicle> {
    /// The same dice and the same chronicle, for rules that are compiled once for all.
    pub fn any(&mut self) -> AnyFx<'_> {
        Fx { dice: &mut self.dice, log: Some(&mut self.log) }
    }
}

impl<D: Dice, L: Log> Effects for Fx<D, L> {
    #[inline]
    fn die(&mut self, die: Die, note: impl FnOnce() -> RollNote) -> u8 {
        let face = self.dice.roll(die);
        if self.log.listening() {
            self.log.tell(Entry::of_total(note(), die, vec![face], u16::from(face)));
        }
        face
    }

    #[inline]
    fn passes(&mut self, test: Test, note: impl FnOnce() -> RollNote) -> bool {
        if !self.log.listening() {
            return self.dice.passes(test, None);
        }
        let mut faces = Vec::with_capacity(1);
        let passed = self.dice.passes(test, Some(&mut faces));
        self.log.tell(Entry::of_tests(note(), test, faces, u8::from(passed)));
        passed
    }

    #[inline]
    fn count(&mut self, n: u8, test: Test, note: impl FnOnce() -> RollNote) -> u8 {
        if !self.log.listening() {
            return self.dice.count(n, test, None);
        }
        let mut faces = Vec::with_capacity(usize::from(n));
        let passed = self.dice.count(n, test, Some(&mut faces));
        self.log.tell(Entry::of_tests(note(), test, faces, passed));
        passed
    }

    #[inline]
    fn total(&mut self, n: u8, die: Die, note: impl FnOnce() -> RollNote) -> u16 {
        if !self.log.listening() {
            return self.dice.total(n, die, None);
        }
        let mut faces = Vec::with_capacity(usize::from(n));
        let total = self.dice.total(n, die, Some(&mut faces));
        self.log.tell(Entry::of_total(note(), die, faces, total));
        total
    }

    #[inline]
    fn graded(
        &mut self,
        n: u8,
        die: Die,
        grade: impl Fn(u16) -> i16,
        note: impl FnOnce() -> RollNote,
    ) -> i16 {
        if self.log.listening() {
            return grade(self.total(n, die, note));
        }
        self.dice.graded(n, die, &grade, None)
    }

    #[inline]
    fn draw(&mut self, n: usize, note: impl FnOnce() -> RollNote) -> usize {
        let drawn = self.dice.below(n as u32) as usize;
        if self.log.listening() {
            self.log.tell(Entry::of_draw(note(), n, drawn));
        }
        drawn
    }

    #[inline]
    fn tell(&mut self, entry: impl FnOnce() -> Entry) {
        if self.log.listening() {
            self.log.tell(entry());
        }
    }

    #[inline]
    fn revealed(&mut self) {
        self.log.revealed();
    }

    #[inline]
    fn listening(&self) -> bool {
        self.log.listening()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::ScriptedDice;
    use crate::{Kind, Rule, Silent};

    fn note() -> RollNote {
        RollNote::new("A rolls", Rule::cited("1.a", &["1.a"]))
    }

    /// Every question once; what came of each.
    fn asked(fx: &mut impl Effects) -> (u8, bool, u8, u16, i16, usize, bool) {
        let test = Test::at_least(Die::D6, 4);
        fx.tell(|| Entry::new(Kind::Note, "told"));
        fx.revealed();
        (
            fx.die(Die::D6, note),
            fx.passes(test, note),
            fx.count(2, test, note),
            fx.total(2, Die::D6, note),
            fx.graded(1, Die::D6, |total| total as i16 - 6, note),
            fx.draw(3, note),
            fx.listening(),
        )
    }

    const FACES: [u8; 8] = [3, 4, 6, 1, 5, 2, 4, 2];

    #[test]
    fn each_roll_is_told_once_with_its_faces() {
        let mut fx = Fx { dice: ScriptedDice::new(FACES.to_vec()), log: Chronicle::default() };
        assert_eq!(asked(&mut fx), (3, true, 1, 7, -2, 1, true));
        let rolled: Vec<Vec<u8>> =
            fx.log.entries.iter().filter_map(|e| Some(e.roll.as_ref()?.faces.clone())).collect();
        assert_eq!(rolled, [vec![3], vec![4], vec![6, 1], vec![5, 2], vec![4], vec![2]]);
        assert!(fx.log.revealed && fx.log.entries[0].text == "told" && fx.log.entries.len() == 7);
    }

    #[test]
    fn dice_fall_alike_where_nobody_listens() {
        let mut fx = Fx { dice: ScriptedDice::new(FACES.to_vec()), log: Silent };
        assert_eq!(asked(&mut fx), (3, true, 1, 7, -2, 1, false));
        assert_eq!(fx.dice.asked_for(), FACES.len());
    }

    #[test]
    fn effects_known_at_run_time_alone_are_the_same() {
        let mut fx = Fx { dice: ScriptedDice::new(FACES.to_vec()), log: Chronicle::default() };
        assert_eq!(asked(&mut fx.any()), (3, true, 1, 7, -2, 1, true));
        assert!(fx.log.revealed && fx.log.entries.len() == 7);
        let mut dice = ScriptedDice::new(FACES.to_vec());
        assert_eq!(asked(&mut AnyFx::silent(&mut dice)), (3, true, 1, 7, -2, 1, false));
        assert_eq!(dice.asked_for(), FACES.len());
    }
}
