//! 7.42 Limited intelligence in decisions: what a side may do hangs on what it knows. A stack that it may not examine
//! is taken for one unit of plain foot in Parade Order (R92).

use std::borrow::Cow;

use arrayvec::ArrayVec;
use game::Side;
use hexmap::HexSet;

use crate::rules::stacking;
use crate::setup::battle::Battle;
use crate::setup::pieces::{MOST, Piece, Pieces};
use crate::state::{Spot, State};

/// The position as `side` takes it to be; the position itself where nothing is hidden from it.
pub(crate) fn believed<'s>(battle: &Battle, state: &'s State, side: Side) -> Cow<'s, State> {
    let unknown = stacking::unknown(battle, state, side);
    if unknown.is_empty() {
        return Cow::Borrowed(state);
    }
    let mut seen = state.clone();
    let hexes: HexSet = unknown.filter_map(|p| state.hex(p)).collect();
    let stacks = hexes.iter().map(|hex| unknown & state.in_hex(hex));
    let stand_ins: ArrayVec<(Pieces, Piece), MOST> = stacks.zip(dummies(battle, state, side)).collect();
    let replaced = stand_ins.iter().fold(Pieces::NONE, |all, (stack, _)| all | *stack);
    for piece in replaced {
        seen.at[piece.index()] = Spot::HIDDEN;
    }
    for &(stack, dummy) in &stand_ins {
        if let Some(hex) = stack.first().and_then(|piece| state.hex(piece)) {
            seen.place(dummy, hex);
        }
    }
    mark(&mut seen, &stand_ins);
    Cow::Owned(seen)
}

/// Enemy pieces that may stand for a hidden stack: whoever is not in sight, plain foot first, whatever is true of them.
/// Leaders come last, where they ride alone and there are more stacks than units.
fn dummies(battle: &Battle, state: &State, side: Side) -> impl Iterator<Item = Piece> {
    let roles = &battle.roles;
    let in_sight = state.known[side] & state.on_map();
    let free = battle.units[!side] - in_sight;
    let marked = roles.artillery | roles.rifles | roles.cavalry | roles.indians;
    (free - marked).chain(free & marked).chain(battle.leaders[!side] - in_sight)
}

/// Lets each unit bear what is known of the stack that it stands for: that it is pinned, diverted or excused. In what
/// order the stack is, is not known.
pub(crate) fn mark(seen: &mut State, stand_ins: &[(Pieces, Piece)]) {
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
    let pins = seen.pins.iter_mut().map(|pin| &mut pin.pieces);
    for set in pins.chain([&mut seen.diverted, &mut seen.excused, &mut seen.owed]) {
        let bears = |(stack, dummy): &(Pieces, Piece)| set.meets(*stack).then_some(*dummy);
        *set = (*set - gone) | stand_ins.iter().filter_map(bears).collect();
    }
}
