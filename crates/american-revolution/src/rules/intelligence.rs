//! 7.4 Limited intelligence: what a side is shown, what it takes the position to be, and what the log tells it.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use game::{BySide, Die, Effects, Entry, Kind, PieceId, RollNote, Side, Test};
use hexmap::HexSet;

use crate::at::At;
use crate::rules::sequence::Step;
use crate::setup::pieces::{MOST, Piece, Pieces};
use crate::state::{Spot, State};

impl At<'_> {
    // What is shown.

    /// The position with what `side` may not know removed: a tactic that lies face down (R43), and under limited
    /// intelligence all of an enemy stack but that one is there, and in what order (7.42.a, R44, R92).
    pub(crate) fn seen_by(self, side: Side) -> State {
        let mut seen = self.state.clone();
        if seen.agenda.iter().any(|step| matches!(step, Step::Reveal)) {
            seen.fight.tactic[!side] = None;
        }
        let unknown = self.unknown(side);
        if !unknown.is_empty() {
            hide(&mut seen, unknown, self.battle.units[!side]);
        }
        seen
    }

    /// Enemy pieces that may stand for a hidden stack: whoever is not in sight, plain foot first, whatever is true of
    /// them. Leaders come last, where they ride alone and there are more stacks than units.
    fn dummies(self, side: Side) -> impl Iterator<Item = Piece> {
        let roles = &self.battle.roles;
        let in_sight = self.state.known[side] & self.on_map();
        let free = self.battle.units[!side] - in_sight;
        let marked = roles.artillery | roles.rifles | roles.cavalry | roles.indians;
        (free - marked).chain(free & marked).chain(self.battle.leaders[!side] - in_sight)
    }
}

/// Every hidden stack becomes one nameless piece: the lowest numbered hidden ones, in the order of their hexes.
fn hide(seen: &mut State, unknown: Pieces, units: Pieces) {
    let hexes: HexSet = unknown.filter_map(|p| seen.hex(p)).collect();
    let stacks = hexes.iter().map(|hex| unknown & seen.in_hex(hex));
    let nameless: ArrayVec<(Pieces, Piece), MOST> = stacks.zip(unknown).collect();
    for piece in unknown {
        seen.at[piece.index()] = Spot::HIDDEN;
    }
    for set in [
        &mut seen.unfired,
        &mut seen.moved,
        &mut seen.entered,
        &mut seen.volleyed,
        &mut seen.acted,
        &mut seen.defended,
        &mut seen.waiting,
    ] {
        *set -= unknown;
    }
    mark(seen, &nameless, units);
    seen.were_pinned.iter_mut().for_each(|pinned| *pinned -= unknown);
    for (hex, piece) in hexes.into_iter().zip(unknown) {
        seen.place(piece, hex);
    }
}

// What is believed: a stack that may not be examined is taken for one unit of plain foot, in Parade Order unless the
// marker on it says otherwise (R92).

impl<'s> At<'s> {
    /// The position as `side` takes it to be; the position itself where nothing is hidden from it.
    pub(crate) fn believed(self, side: Side) -> Cow<'s, State> {
        let unknown = self.unknown(side);
        if unknown.is_empty() {
            return Cow::Borrowed(self.state);
        }
        let mut seen = self.state.clone();
        let hexes: HexSet = unknown.filter_map(|p| self.hex(p)).collect();
        let stacks = hexes.iter().map(|hex| unknown & self.in_hex(hex));
        let stand_ins: ArrayVec<(Pieces, Piece), MOST> = stacks.zip(self.dummies(side)).collect();
        let replaced = stand_ins.iter().fold(Pieces::NONE, |all, (stack, _)| all | *stack);
        for piece in replaced {
            seen.at[piece.index()] = Spot::HIDDEN;
        }
        for &(stack, dummy) in &stand_ins {
            if let Some(hex) = stack.first().and_then(|piece| self.hex(piece)) {
                seen.place(dummy, hex);
            }
        }
        mark(&mut seen, &stand_ins, self.battle.units[!side]);
        Cow::Owned(seen)
    }
}

/// Lets each unit bear what is known of the stack that it stands for: that it is pinned, diverted or excused, and that
/// it is broken. Markers lie on top: a stack of nothing but disrupted and shattered units shows one of them (R92).
fn mark(seen: &mut State, stand_ins: &[(Pieces, Piece)], units: Pieces) {
    let broken = |set: Pieces| -> Pieces {
        let all_in = |stack: Pieces| !stack.is_empty() && (stack - set).is_empty();
        stand_ins.iter().filter(|(stack, _)| all_in(*stack & units)).map(|(_, dummy)| *dummy).collect()
    };
    let shattered = broken(seen.shattered);
    let disrupted = broken(seen.disrupted | seen.shattered) - shattered;
    let gone = stand_ins.iter().fold(Pieces::NONE, |all, &(stack, dummy)| (all | stack).with(dummy));
    for set in [
        &mut seen.reduced,
        &mut seen.disrupted,
        &mut seen.shattered,
        &mut seen.withdrawn,
        &mut seen.targeted,
        &mut seen.driven,
    ] {
        *set -= gone;
    }
    seen.shattered |= shattered;
    seen.disrupted |= disrupted;
    let pins = seen.pins.iter_mut().map(|pin| &mut pin.pieces);
    for set in pins.chain([&mut seen.diverted, &mut seen.excused, &mut seen.owed]) {
        let bears = |(stack, dummy): &(Pieces, Piece)| set.meets(*stack).then_some(*dummy);
        *set = (*set - gone) | stand_ins.iter().filter_map(bears).collect();
    }
}

// What is told.

/// Tells each side only what it may know: what concerns a piece that the enemy may not examine is for its owner's eyes,
/// and the enemy reads no more than that a stack has moved, as he sees on the map.
pub(crate) struct Veil<'f, F> {
    fx: &'f mut F,
    /// What each side may not examine of the other.
    hidden: BySide<Pieces>,
}

impl<'f, F: Effects> Veil<'f, F> {
    pub(crate) fn new(at: At<'_>, fx: &'f mut F) -> Self {
        let listening = fx.listening();
        let hidden = |side: Side| {
            if !listening || !at.battle.armies[side].limited {
                return Pieces::NONE;
            }
            let to_come = at.battle.pieces(!side).filter(|p| at.state.at[p.index()] == Spot::TO_COME);
            at.unknown(side) | to_come.collect()
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
