//! Concealment: enemy orders, fire not yet shown, and who stands behind a marker (orders.a, seq.fire, sighting.a,
//! terrain.special.a).

use game::{BySide, Entry, PieceId, Side};
use table::{Angle, Pose, Spot};

use crate::at::At;
use crate::rules::basics::{Formation, Shape};
use crate::rules::movement::March;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::state::{Body, BodyId, Command, Marks, State};

impl At<'_> {
    /// The state as a side knows it.
    pub(crate) fn seen_by(self, side: Side) -> State {
        let mut seen = self.state.clone();
        let foe = side.enemy();
        if self.battle.on.orders {
            seen.conceal_orders(self.battle, foe);
        }
        if matches!(self.state.agenda.top(), Some(Step::Declare { .. } | Step::Resolve)) {
            seen.volleys.retain(|v| self.side_of(v.by) == side);
        }
        seen.conceal_markers(self.battle, foe);
        seen.blind |= self.unknown(side) != 0;
        seen
    }

    /// The markers of a side in an order that anybody can see: from left to right.
    pub(crate) fn markers(self, side: Side) -> Vec<BodyId> {
        let all =
            self.state.on_table().filter(|(id, b)| self.battle.side(b) == side && self.state.is_marker(*id));
        let mut found: Vec<BodyId> = all.map(|(id, _)| id).collect();
        found.sort_by_key(|id| {
            let at = self.body(*id).pose.at;
            (at.x, at.y, *id)
        });
        found
    }

    /// A marker as a piece of the board: by its place among the markers of its side, never by who it is.
    pub(crate) fn marker_piece(self, id: BodyId) -> PieceId {
        let side = self.side_of(id);
        let number = self.markers(side).iter().position(|m| *m == id).unwrap_or(0) as u16;
        PieceId(BySide { first: 200, second: 300 }[side] + number)
    }

    /// An entry about a hidden body is for its own side.
    pub(crate) fn if_hidden(self, id: BodyId, entry: Entry) -> Entry {
        if self.state.is_marker(id) { entry.only(self.side_of(id)) } else { entry }
    }
}

impl State {
    /// Nobody knows the orders of the enemy's leaders; where there are no orders there is nothing to hide.
    fn conceal_orders(&mut self, battle: &Battle, foe: Side) {
        for (man, _) in self.leaders.iter_mut().zip(&battle.leaders).filter(|(_, l)| l.side == foe) {
            man.order = Command::Defend;
            // Off the table, where no real one lies: who defends where he stands keeps that to himself as well.
            man.marker = Spot { y: -1, ..man.at };
            man.ordered = false;
        }
    }

    /// Puts like markers where the hidden bodies stand, dealt out by their places, so that no number tells who is where.
    fn conceal_markers(&mut self, battle: &Battle, foe: Side) {
        let by_place = At::new(battle, self).markers(foe);
        if by_place.is_empty() {
            return;
        }
        let mut by_number = by_place.clone();
        by_number.sort_unstable();
        let stand_in = battle.bmus.iter().position(|b| b.side == foe).unwrap_or(0) as u8;
        let arm = battle.bmus[usize::from(stand_in)].arm;
        let places: Vec<_> = by_place.iter().map(|id| self.body(*id).pose.at).collect();
        let looked: Vec<bool> = by_place.iter().map(|id| self.go.looked & id.bit() != 0).collect();
        for ((id, at), looked) in by_number.iter().zip(places).zip(looked) {
            let body = self.body_mut(*id);
            *body = Body {
                place: body.place,
                marks: Marks::HIDDEN.and(Marks::CONCEALED),
                ..Body::new(
                    stand_in,
                    Pose { at, facing: Angle::NORTH },
                    Shape::of(Formation::Mob, arm, 1, 1),
                    1,
                )
            };
            self.go.looked = if looked { self.go.looked | id.bit() } else { self.go.looked & !id.bit() };
            self.go.chosen &= !id.bit();
            self.go.touching &= !id.bit();
            self.leaders.iter_mut().filter(|l| l.attached == Some(*id)).for_each(|l| l.attached = None);
            self.bodies.iter_mut().filter(|b| b.other == Some(*id)).for_each(|b| b.other = None);
            if self.march.unit == Some(*id) {
                self.march = March::default();
            }
        }
    }
}
