//! Chapter 3: strength points, control of Objectives, and what happens whenever a unit changes hex.

use game::log::Kind;
use game::words::does;
use game::{Effects, Rule};
use hexmap::Hex;

use crate::at::{At, Run};
use crate::rules::zones::opposite;
use crate::state::{Id, NOWHERE, Status};

/// An even split (3.3, 6.1.7.f): each of `n` gets the first number, and the second many SPs are odd.
pub(crate) fn even_split(points: u8, n: u8) -> (u8, u8) {
    (points / n, points % n)
}

impl<F: Effects> Run<'_, F> {
    /// Tells something about a unit, with the places it is about. The sentence is given the unit's name, and names hexes.
    pub(crate) fn tell_at(
        &mut self,
        unit: Id,
        kind: Kind,
        rule: Rule,
        places: impl IntoIterator<Item = Hex>,
        text: impl FnOnce(&str, &dyn Fn(Hex) -> String) -> String,
    ) {
        self.fx.tell(|| {
            let text = text(self.battle.name(unit), &|hex| self.battle.ground.name(hex));
            let mut entry = self.battle.entry(kind, unit, text, rule);
            entry.places.extend(places.into_iter().map(|hex| self.battle.place(hex)));
            entry
        });
    }

    /// Tells something about a unit, and where it is.
    pub(crate) fn tell_of(&mut self, unit: Id, kind: Kind, rule: Rule, text: impl FnOnce(&str) -> String) {
        let hex = Some(self.state.piece(unit).hex).filter(|&hex| hex != NOWHERE);
        self.tell_at(unit, kind, rule, hex, |name, _| text(name));
    }

    /// R23: a change of hex, or removal, ends every approach fire by and at the unit.
    pub(crate) fn cancel_approach_fire(&mut self, id: Id) {
        let hex = self.state.piece(id).hex;
        self.state.piece_mut(id).approach = 0;
        if hex == NOWHERE || self.state.occupant(hex) != id {
            return;
        }
        for (direction, &next) in self.battle.ground.beyond[hex.index()].iter().enumerate() {
            if next == NOWHERE {
                continue;
            }
            let other = self.state.occupant(next);
            if other != Id::NONE && other != id {
                self.state.piece_mut(other).approach &= !(1 << opposite(direction));
            }
        }
    }

    /// A unit goes from its hex to the next, whatever the reason: control (3.6.b) and horses (11.3.o) follow at once.
    pub(crate) fn change_hex(&mut self, id: Id, to: Hex) {
        self.cancel_approach_fire(id);
        self.state.lift(id);
        self.state.put(id, to);
        self.take_control(id, to);
        self.capture_horses_near(id, to);
    }

    /// 3.6.b: an Objective passes to whoever occupies it.
    pub(crate) fn take_control(&mut self, id: Id, hex: Hex) {
        let Some(objective) = self.battle.victory.objective_at(hex) else { return };
        let side = self.battle.side(id);
        if self.state.control[objective] == Some(side) {
            return;
        }
        self.state.control[objective] = Some(side);
        let objective = &self.battle.victory.objectives[objective].name;
        self.tell_at(id, Kind::Score, cite!("3.6.b"), [hex], |name, _| {
            does(name, &format!("takes {objective}."))
        });
    }

    /// Takes a unit off the map; its zone ends at that instant (3.8.f).
    pub(crate) fn remove(&mut self, id: Id, status: Status) {
        self.cancel_approach_fire(id);
        self.state.lift(id);
        let piece = self.state.piece_mut(id);
        piece.status = status;
        piece.hits = 0;
        (piece.was, piece.shot_from, piece.shot_into, piece.extra) = (NOWHERE, 0, 0, 0);
    }

    /// Marks the enemies whose zones cover a unit that has moved next to them (5.3.h).
    pub(crate) fn mark_approach(&mut self, id: Id) {
        let mask = self.at().enemies_over(id);
        self.state.piece_mut(id).approach = mask;
        if mask != 0 {
            let hex = self.state.piece(id).hex;
            self.fx.tell(|| {
                let firers = At::new(self.battle, self.state).units_in(hex, mask);
                let names: Vec<&str> = firers.into_iter().map(|u| self.battle.name(u)).collect();
                let mut entry = self.battle.entry(
                    Kind::Note,
                    id,
                    self.battle.does(id, &format!("draws the approach fire of {}.", names.join(", "))),
                    cite!("5.3.h"),
                );
                entry.pieces.extend(firers.into_iter().map(Id::piece));
                entry.place(self.battle.place(hex))
            });
        }
    }
}
