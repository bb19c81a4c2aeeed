//! Rolls and entries: who is named, where it happens, two dice against a number.

use game::words::does;
use game::{Die, Effects, Entry, Kind, PieceId, Place, RollNote, Rule, Sum};
use table::{Pose, Spot};

use crate::at::Run;
use crate::state::{BodyId, LeaderId, State};

/// A body as a piece of the board.
pub(crate) fn piece(id: BodyId) -> PieceId {
    PieceId(u16::from(id.0))
}

/// A pose as a place of the board.
pub(crate) fn place(pose: Pose) -> Place {
    Place::Pose { x: pose.at.x, y: pose.at.y, facing: pose.facing.get() }
}

/// A spot as a place of the board.
pub(crate) fn spot_place(spot: Spot) -> Place {
    Place::Pose { x: spot.x, y: spot.y, facing: 0 }
}

/// A leader as a piece of the board.
pub(crate) fn leader_piece(id: LeaderId) -> PieceId {
    PieceId(100 + u16::from(id.0))
}

/// A roll by a body, which is named unless it is hidden.
pub(crate) fn rolled_by(note: RollNote, state: &State, id: BodyId) -> RollNote {
    if state.is_marker(id) { note } else { note.by(piece(id)) }
}

/// What dice that hit have cost a body: `1 loss`, `3 losses`.
pub(crate) fn losses(n: impl Into<i64>) -> String {
    match n.into() {
        0 => "no loss".to_owned(),
        1 => "1 loss".to_owned(),
        n => format!("{n} losses"),
    }
}

impl<F: Effects> Run<'_, F> {
    /// Two dice for a body against a number; gives by how much they miss it, 0 for a pass. No chart asks beyond 4.
    pub(crate) fn missed_by(&mut self, id: BodyId, sum: &Sum, what: &str, rule: Rule) -> i16 {
        let need = sum.total();
        let missed = |rolled: u16| (need - rolled as i16).clamp(0, 4);
        self.graded(2, Die::D6, missed, |at| {
            let name = at.name(id);
            let ask = if need <= 2 { "any roll will do".to_owned() } else { format!("{need} or more") };
            let came = |rolled: u16| match need - rolled as i16 {
                ..=0 => "passed".to_owned(),
                by => format!("failed by {by}"),
            };
            let note = RollNote::new(format!("{name}: {what}, {ask}"), rule)
                .outcomes((0..=12).map(came))
                .side(at.side_of(id))
                .modifiers(sum.modifiers());
            rolled_by(note, at.state, id)
        })
    }

    /// Tells of a body.
    pub(crate) fn tell_of(&mut self, id: BodyId, kind: Kind, what: &str, rule: Rule) {
        self.tell(|here| {
            let body = here.state.body(id);
            let entry = Entry::new(kind, format!("{}.", does(&here.own_name(id), what)))
                .side(here.battle.side(body))
                .rule(rule)
                .piece(piece(id))
                .place(place(body.pose));
            here.if_hidden(id, entry)
        });
    }
}
