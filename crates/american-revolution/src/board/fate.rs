//! What becomes of a piece, in the words of these rules, for the odds on the board.

use game::odds::{Fate, Standing, Tone};

use crate::at::At;
use crate::rules::sequence::Step;
use crate::rules::tactics::Tactic;
use crate::setup::pieces::Piece;
use crate::state::{Phase, Spot, State};

impl At<'_> {
    /// The fate of a piece between two positions. What is settled but waits for its owner to name the way is told as if
    /// it had been done.
    pub(crate) fn fate(self, after: &State, piece: Piece, was: &Standing, is: &Standing) -> Fate {
        let At { battle, state: before } = self;
        let leader = battle.all_leaders().has(piece);
        let (from, to) = (before.at[piece.index()], after.at[piece.index()]);
        let disrupts = |broken: bool| Fate::new(if broken { "shattered" } else { "disrupted" }, Tone::Yields);
        match to {
            _ if to == from => {}
            Spot::CAPTURED => return Fate::new("captured", Tone::Gone),
            Spot::ELIMINATED if leader => return Fate::new("falls", Tone::Gone),
            Spot::ELIMINATED => return Fate::new("eliminated", Tone::Gone),
            Spot::GONE if battle.roles.home_goers.has(piece) => return Fate::new("goes home", Tone::Gone),
            Spot::GONE => return Fate::new("leaves the field", Tone::Gone),
            _ => {}
        }
        if is.lost > was.lost {
            return Fate::new("loses a step", Tone::Hurt);
        }
        if is.order > was.order {
            return disrupts(after.shattered.has(piece));
        }
        if is.order < was.order {
            return Fate::new("rallies", Tone::Gains);
        }
        if let Some(fate) = pending(after, piece, disrupts(after.disrupted.has(piece))) {
            return fate;
        }
        if from == Spot::TO_COME && to != from {
            return Fate::new("arrives", Tone::Gains);
        }
        if to != from {
            return At::new(battle, before).moved(after, piece);
        }
        if after.is_pinned(piece) && !before.is_pinned(piece) {
            return Fate::new("pinned", Tone::Holds);
        }
        stayed(before, piece)
    }

    /// It stands elsewhere.
    fn moved(self, after: &State, piece: Piece) -> Fate {
        let At { battle, state: before } = self;
        let side = battle.side(piece);
        let taken = after.hex(piece).is_some_and(|hex| before.in_hex(hex).meets(battle.pieces(!side)));
        match () {
            () if before.phase == Phase::Movement => Fate::new("marches", Tone::Holds),
            () if battle.all_leaders().has(piece) => Fate::new("goes along", Tone::Holds),
            () if taken => Fate::new("advances", Tone::Gains),
            () if withdraws(before, after, piece) => Fate::new("withdraws", Tone::Holds),
            () => Fate::new("retreats", Tone::Yields),
        }
    }
}

/// A retreat or withdrawal that waits for its owner.
fn pending(after: &State, piece: Piece, disrupted: Fate) -> Option<Fate> {
    after.agenda.iter().find_map(|step| match *step {
        Step::Retreating { unit, disrupts: true, .. } if unit == piece => Some(disrupted),
        Step::Retreating { unit, .. } if unit == piece && withdraws(after, after, piece) => {
            Some(Fate::new("withdraws", Tone::Holds))
        }
        Step::Retreating { unit, .. } if unit == piece => Some(Fate::new("retreats", Tone::Yields)),
        Step::SlippingAway(unit) if unit == piece => Some(Fate::new("withdraws", Tone::Holds)),
        Step::Withdrawing(..) if after.waiting.has(piece) => Some(Fate::new("withdraws", Tone::Holds)),
        _ => None,
    })
}

/// Whether the piece's side chose to go: before combat, or by the tactic.
fn withdraws(before: &State, after: &State, piece: Piece) -> bool {
    let of = |state: &State| {
        let attacks = state.fight.attackers.has(piece);
        let defends = state.fight.defenders.has(piece);
        let side = if attacks { state.phasing } else { !state.phasing };
        (attacks || defends) && !state.fight.rolled && state.fight.tactic[side] == Some(Tactic::Withdraw)
    };
    after.withdrawn.has(piece) && !before.withdrawn.has(piece) || of(before) || of(after)
}

/// Nothing has happened to it. In the rally phase only who tries has anything at stake.
fn stayed(before: &State, piece: Piece) -> Fate {
    let broken = (before.disrupted | before.shattered) - before.acted;
    let tried = before.phase == Phase::Rally && broken.has(piece);
    let fought = (before.fight.attackers | before.fight.defenders).has(piece);
    match () {
        () if tried => Fate::new("fails to rally", Tone::Holds),
        () if fought => Fate::new("stands", Tone::Holds),
        () => Fate::UNHURT,
    }
}
