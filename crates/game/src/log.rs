//! What happened, for people: each entry in one sentence, each roll with its modifiers and their rules.

use serde::{Deserialize, Serialize};

use crate::board::{PieceId, Place};
use crate::dice::{Die, digits};
use crate::words::capital;
use crate::{Need, Rule, Side, Test};

/// One term of a sum: the base value of a chart or a modifier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Modifier {
    /// How much it adds.
    pub value: i16,
    /// Why, in a few words.
    pub reason: String,
    /// The rule it rests on.
    pub rule: Rule,
}

impl Modifier {
    /// `value` because of `reason`, under `rule`.
    pub fn new(value: i16, reason: impl Into<String>, rule: Rule) -> Self {
        Modifier { value, reason: reason.into(), rule }
    }
}

/// What a roll is for; built only when somebody reads the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollNote {
    /// In a few words: "Meredith fires on Archer".
    pub what: String,
    /// Who rolls.
    pub side: Option<Side>,
    /// The piece that acts.
    pub by: Option<PieceId>,
    /// The piece it is done to.
    pub at: Option<PieceId>,
    /// What the number to reach, or the total, is made of.
    pub modifiers: Vec<Modifier>,
    /// The rule that asks for the roll.
    pub rule: Rule,
    /// Only this side may read it.
    pub only: Option<Side>,
    /// What each result means, in words, counted from 0 (failed, passed; the faces of a die; the lots of a draw).
    /// Where it says nothing, a test tells how many hit or whether it passed.
    pub outcomes: Vec<String>,
}

impl RollNote {
    /// A roll for `what`, asked for by `rule`.
    pub fn new(what: impl Into<String>, rule: Rule) -> Self {
        RollNote {
            what: what.into(),
            side: None,
            by: None,
            at: None,
            modifiers: Vec::new(),
            rule,
            only: None,
            outcomes: Vec::new(),
        }
    }

    /// Rolled by `side`.
    #[must_use]
    pub fn side(mut self, side: Side) -> Self {
        self.side = Some(side);
        self
    }

    /// For `piece`.
    #[must_use]
    pub fn by(mut self, piece: PieceId) -> Self {
        self.by = Some(piece);
        self
    }

    /// Against `piece`.
    #[must_use]
    pub fn at(mut self, piece: PieceId) -> Self {
        self.at = Some(piece);
        self
    }

    /// For the eyes of `side` alone.
    #[must_use]
    pub fn only(mut self, side: Side) -> Self {
        self.only = Some(side);
        self
    }

    /// With these words for its results, counted from 0.
    #[must_use]
    pub fn outcomes<W: Into<String>>(mut self, outcomes: impl IntoIterator<Item = W>) -> Self {
        self.outcomes = outcomes.into_iter().map(Into::into).collect();
        self
    }

    /// What is told of it: what it was for, and what came of it.
    fn told(&self, came: Option<String>) -> String {
        match came {
            Some(came) => {
                let what = self.what.trim_end_matches('.');
                if what.ends_with('?') {
                    format!("{what} {}.", capital(&came))
                } else {
                    format!("{what}: {came}.")
                }
            }
            None => self.what.clone(),
        }
    }

    /// What so many passes of so many dice mean.
    fn came_of_tests(&self, dice: usize, passed: u8) -> Option<String> {
        self.outcomes.get(usize::from(passed)).cloned().or_else(|| match (self.at, dice, passed) {
            (_, 0, _) => None,
            (Some(_), 1, 0) => Some("a miss".into()),
            (Some(_), 1, _) => Some("a hit".into()),
            (Some(_), n, hits) => Some(format!("{hits} of {n} hit")),
            (None, 1, 0) => Some("failed".into()),
            (None, 1, _) => Some("passed".into()),
            (None, n, passed) => Some(format!("{passed} of {n} pass")),
        })
    }

    /// With these terms.
    #[must_use]
    pub fn modifiers(mut self, modifiers: Vec<Modifier>) -> Self {
        self.modifiers = modifiers;
        self
    }
}

/// A roll as it fell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Roll {
    /// The piece that acts.
    pub by: Option<PieceId>,
    /// The piece it is done to.
    pub at: Option<PieceId>,
    /// The rule that asks for the roll.
    pub rule: Rule,
    /// The die; none for a draw among equals.
    pub die: Option<Die>,
    /// What each die must show, if it is a test.
    pub need: Option<Need>,
    /// What the number to reach, or the total, is made of.
    pub modifiers: Vec<Modifier>,
    /// The faces.
    pub faces: Vec<u8>,
    /// How many passed (tests), the total (sums), or which was drawn, from 1 (draws).
    pub result: u16,
}

/// What kind of thing happened; the board picks its icon, sound and motion by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A new turn, hour or phase; opens a group of entries.
    Time,
    /// A marker, card or order drawn or shown.
    Draw,
    /// A march or manoeuvre by choice.
    March,
    /// Fire.
    Fire,
    /// Hand to hand.
    Melee,
    /// A test of morale or orders.
    Check,
    /// A retreat or rout.
    Retreat,
    /// An advance after combat.
    Advance,
    /// Strength lost, a state changed.
    Loss,
    /// A unit removed from the board.
    Gone,
    /// Recovered, rallied, placed.
    Rally,
    /// Control or victory points.
    Score,
    /// Anything else.
    Note,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Entry {
    /// What kind of thing.
    pub kind: Kind,
    /// Whose doing it was.
    pub side: Option<Side>,
    /// One sentence.
    pub text: String,
    /// The rules it rests on.
    pub rules: Vec<Rule>,
    /// The pieces it speaks of, the one concerned first.
    pub pieces: Vec<PieceId>,
    /// The places it speaks of; of a march or retreat the whole way, the start first.
    pub places: Vec<Place>,
    /// The roll, if there was one.
    pub roll: Option<Roll>,
    /// Only this side may read it.
    pub only: Option<Side>,
}

impl Entry {
    /// An entry of one sentence.
    pub fn new(kind: Kind, text: impl Into<String>) -> Self {
        Entry {
            kind,
            side: None,
            text: text.into(),
            rules: Vec::new(),
            pieces: Vec::new(),
            places: Vec::new(),
            roll: None,
            only: None,
        }
    }

    /// Whether it tells the next stretch of the march that `before` tells of.
    fn goes_on_from(&self, before: &Entry) -> bool {
        let march = |entry: &Entry| entry.kind == Kind::March && entry.roll.is_none();
        march(self)
            && march(before)
            && (&self.text, &self.pieces, self.side, self.only)
                == (&before.text, &before.pieces, before.side, before.only)
            && self.places.len() > 1
            && self.places.first() == before.places.last()
    }

    /// `side`'s doing.
    #[must_use]
    pub fn side(mut self, side: Side) -> Self {
        self.side = Some(side);
        self
    }

    /// Resting on `rule`.
    #[must_use]
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Speaking of `piece`.
    #[must_use]
    pub fn piece(mut self, piece: PieceId) -> Self {
        self.pieces.push(piece);
        self
    }

    /// Speaking of `place`.
    #[must_use]
    pub fn place(mut self, place: Place) -> Self {
        self.places.push(place);
        self
    }

    /// For the eyes of `side` alone.
    #[must_use]
    pub fn only(mut self, side: Side) -> Self {
        self.only = Some(side);
        self
    }

    fn of_roll(
        note: RollNote,
        came: Option<String>,
        die: Option<Die>,
        need: Option<Need>,
        faces: Vec<u8>,
        result: u16,
    ) -> Self {
        let kind = match (need, note.at) {
            (Some(_), Some(_)) => Kind::Fire,
            (Some(_), None) => Kind::Check,
            (None, _) if die.is_none() => Kind::Draw,
            (None, _) => Kind::Note,
        };
        let mut entry = Entry::new(kind, note.told(came)).rule(note.rule);
        entry.side = note.side;
        entry.only = note.only;
        entry.pieces.extend(note.by);
        entry.pieces.extend(note.at);
        let RollNote { by, at, modifiers, rule, .. } = note;
        entry.roll = Some(Roll { by, at, rule, die, need, modifiers, faces, result });
        entry
    }

    pub(crate) fn of_tests(note: RollNote, test: Test, faces: Vec<u8>, passed: u8) -> Self {
        let came = note.came_of_tests(faces.len(), passed);
        Entry::of_roll(note, came, Some(test.die), Some(test.need), faces, u16::from(passed))
    }

    pub(crate) fn of_total(note: RollNote, die: Die, faces: Vec<u8>, total: u16) -> Self {
        let came = note.outcomes.get(usize::from(total)).cloned();
        Entry::of_roll(note, came, Some(die), None, faces, total)
    }

    /// One of `n` was drawn, counted from 0; it is told counted from 1.
    pub(crate) fn of_draw(note: RollNote, n: usize, drawn: usize) -> Self {
        let came = note.outcomes.get(drawn).cloned();
        let faces = digits(n as u32, drawn as u32).collect();
        Entry::of_roll(note, came, None, None, faces, u16::try_from(drawn + 1).unwrap_or(u16::MAX))
    }
}

/// Somebody, or nobody, who reads what happens.
pub trait Log {
    /// False when entries would be built for nobody.
    fn listening(&self) -> bool;
    /// Takes an entry down.
    fn tell(&mut self, entry: Entry);
    /// Something concealed has become known to the other side; what led here cannot be taken back freely.
    fn revealed(&mut self) {}
}

/// Nobody reads.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Log for Silent {
    #[inline]
    fn listening(&self) -> bool {
        false
    }
    #[inline]
    fn tell(&mut self, _: Entry) {}
}

/// Keeps every entry.
#[derive(Debug, Clone, Default)]
pub struct Chronicle {
    /// What happened, in order.
    pub entries: Vec<Entry>,
    /// Whether something concealed became known.
    pub revealed: bool,
}

impl Log for Chronicle {
    fn listening(&self) -> bool {
        true
    }
    /// A march that is carried out step by step is one march to the reader.
    fn tell(&mut self, entry: Entry) {
        match self.entries.last_mut() {
            Some(last) if entry.goes_on_from(last) => last.places.extend(entry.places.into_iter().skip(1)),
            _ => self.entries.push(entry),
        }
    }
    fn revealed(&mut self) {
        self.revealed = true;
    }
}

/// A log that is kept elsewhere, or not at all.
impl<L: Log> Log for Option<&mut L> {
    #[inline]
    fn listening(&self) -> bool {
        self.as_ref().is_some_and(|log| log.listening())
    }
    fn tell(&mut self, entry: Entry) {
        if let Some(log) = self {
            log.tell(entry);
        }
    }
    fn revealed(&mut self) {
        if let Some(log) = self {
            log.revealed();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(text: &str, from: &str, to: &str) -> Entry {
        Entry::new(Kind::March, text).place(Place::Hex(from.into())).place(Place::Hex(to.into()))
    }

    #[test]
    fn a_roll_tells_what_came_of_it() {
        let test = Test::at_least(Die::D6, 5);
        let note = |what: &str| RollNote::new(what, Rule::cited("1.a", &["1.a"]));
        let fire = Entry::of_tests(note("A fires on B").at(PieceId(1)), test, vec![5, 6, 1], 2);
        assert_eq!(fire.text, "A fires on B: 2 of 3 hit.");
        assert_eq!(Entry::of_tests(note("A checks."), test, vec![1], 0).text, "A checks: failed.");
        let fate = note("Is A hit?").outcomes(["he is unhurt", "he falls"]);
        assert_eq!(Entry::of_tests(fate, test, vec![6], 1).text, "Is A hit? He falls.");
        assert_eq!(Entry::of_total(note("Damage."), Die::D6, vec![4], 4).text, "Damage.");
        let drawn = Entry::of_draw(note("A marker is drawn").outcomes(["one", "the other"]), 2, 1);
        assert_eq!(drawn.text, "A marker is drawn: the other.");
    }

    #[test]
    fn a_roll_is_of_the_kind_of_what_is_rolled() {
        let test = Test::at_least(Die::D6, 5);
        let note =
            || RollNote::new("A rolls", Rule::cited("1.a", &["1.a"])).side(Side::Second).by(PieceId(3));
        let fire = Entry::of_tests(note().at(PieceId(1)), test, vec![5], 1);
        assert_eq!((fire.kind, fire.text.as_str()), (Kind::Fire, "A rolls: a hit."));
        assert_eq!(
            (fire.side, fire.pieces, fire.only),
            (Some(Side::Second), vec![PieceId(3), PieceId(1)], None)
        );
        assert_eq!(Entry::of_tests(note().at(PieceId(1)), test, vec![1], 0).text, "A rolls: a miss.");
        let check = Entry::of_tests(note().only(Side::First), test, vec![5], 1);
        assert_eq!(
            (check.kind, check.text.as_str(), check.only),
            (Kind::Check, "A rolls: passed.", Some(Side::First))
        );
        assert_eq!(Entry::of_tests(note(), test, vec![5, 1], 1).text, "A rolls: 1 of 2 pass.");
        assert_eq!(
            Entry::of_tests(note(), test, Vec::new(), 0).text,
            "A rolls",
            "no die, nothing came of it"
        );
        let sum = Entry::of_total(note().outcomes(["none", "one"]), Die::D6, vec![1], 1);
        assert_eq!((sum.kind, sum.text.as_str()), (Kind::Note, "A rolls: one."));
        let lot = Entry::of_draw(note(), 300, 299);
        let roll = lot.roll.unwrap();
        assert_eq!(
            (lot.kind, roll.die, roll.faces.as_slice(), roll.result),
            (Kind::Draw, None, &[2, 45][..], 300)
        );
    }

    #[test]
    fn another_kind_side_or_reader_is_another_march() {
        let told = |second: Entry| {
            let mut told = Chronicle::default();
            told.tell(step("A moves.", "1", "2").side(Side::First));
            told.tell(second);
            told.entries.len()
        };
        let next = || step("A moves.", "2", "3").side(Side::First);
        assert_eq!(told(next()), 1);
        assert_eq!(told(Entry { kind: Kind::Retreat, ..next() }), 2);
        assert_eq!(told(next().side(Side::Second)), 2);
        assert_eq!(told(next().only(Side::First)), 2);
    }

    #[test]
    fn a_march_told_step_by_step_is_one_entry() {
        let mut told = Chronicle::default();
        for entry in [step("A moves.", "1", "2"), step("A moves.", "2", "3"), step("B moves.", "3", "4")] {
            told.tell(entry);
        }
        assert_eq!(told.entries.len(), 2);
        assert_eq!(told.entries[0].places.len(), 3);
        told.tell(step("B moves.", "7", "8"));
        assert_eq!(told.entries.len(), 3, "another march begins elsewhere");
    }
}
