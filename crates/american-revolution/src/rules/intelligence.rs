//! 7.4 Limited intelligence in the log: what is told of a stack that may not be examined.

use game::{BySide, Die, Effects, Entry, Kind, PieceId, RollNote, Side, Test};

use crate::rules::stacking;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Spot, State};

/// Tells each side only what it may know: what concerns a piece that the enemy may not examine is for its owner's eyes,
/// and the enemy reads no more than that a stack has moved, as he sees on the map.
pub(crate) struct Veil<'f, F> {
    fx: &'f mut F,
    /// What each side may not examine of the other.
    hidden: BySide<Pieces>,
}

impl<'f, F: Effects> Veil<'f, F> {
    pub(crate) fn new(battle: &Battle, state: &State, fx: &'f mut F) -> Self {
        let listening = fx.listening();
        let hidden = |side: Side| {
            if !listening || !battle.armies[side].limited {
                return Pieces::NONE;
            }
            let to_come = battle.pieces(!side).filter(|p| state.at[p.index()] == Spot::TO_COME);
            stacking::unknown(battle, state, side) | to_come.collect()
        };
        Veil { hidden: BySide::from_fn(hidden), fx }
    }
}

/// The side from which something about these pieces is to be kept.
fn kept_from(hidden: BySide<Pieces>, mut pieces: impl Iterator<Item = PieceId>) -> Option<Side> {
    pieces.find_map(|id| Side::BOTH.into_iter().find(|&side| hidden[side].has(Piece(id.0 as u8))))
}

fn veiled(hidden: BySide<Pieces>, note: impl FnOnce() -> RollNote) -> impl FnOnce() -> RollNote {
    move || {
        let note = note();
        match kept_from(hidden, note.by.into_iter().chain(note.at)) {
            Some(side) => note.only(!side),
            None => note,
        }
    }
}

/// What the enemy sees of a move of pieces that he may not examine: where from and where to.
fn from_afar(entry: &Entry, eyes: Side) -> Option<Entry> {
    let (first, last) = (entry.places.first()?, entry.places.last()?);
    if !matches!(entry.kind, Kind::March | Kind::Retreat | Kind::Advance) {
        return None;
    }
    let mut seen = Entry::new(entry.kind, "A stack moves.").only(eyes);
    seen.side = entry.side;
    seen.rules.push(cite!("7.42.a"));
    seen.places.push(first.clone());
    if last != first {
        seen.places.push(last.clone());
    }
    Some(seen)
}

impl<F: Effects> Effects for Veil<'_, F> {
    fn die(&mut self, die: Die, note: impl FnOnce() -> RollNote) -> u8 {
        self.fx.die(die, veiled(self.hidden, note))
    }

    fn passes(&mut self, test: Test, note: impl FnOnce() -> RollNote) -> bool {
        self.fx.passes(test, veiled(self.hidden, note))
    }

    fn count(&mut self, n: u8, test: Test, note: impl FnOnce() -> RollNote) -> u8 {
        self.fx.count(n, test, veiled(self.hidden, note))
    }

    fn total(&mut self, n: u8, die: Die, note: impl FnOnce() -> RollNote) -> u16 {
        self.fx.total(n, die, veiled(self.hidden, note))
    }

    fn draw(&mut self, n: usize, note: impl FnOnce() -> RollNote) -> usize {
        self.fx.draw(n, veiled(self.hidden, note))
    }

    fn tell(&mut self, entry: impl FnOnce() -> Entry) {
        if self.hidden.first.is_empty() && self.hidden.second.is_empty() {
            return self.fx.tell(entry);
        }
        let entry = entry();
        let kept =
            if entry.only.is_some() { None } else { kept_from(self.hidden, entry.pieces.iter().copied()) };
        let Some(side) = kept else { return self.fx.tell(|| entry) };
        if let Some(seen) = from_afar(&entry, side) {
            self.fx.tell(|| seen);
        }
        self.fx.tell(|| entry.only(!side));
    }

    fn revealed(&mut self) {
        self.fx.revealed();
    }

    fn listening(&self) -> bool {
        self.fx.listening()
    }
}
