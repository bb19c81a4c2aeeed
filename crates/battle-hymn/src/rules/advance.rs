//! Chapter 8: advance after combat.

use game::log::Kind;
use game::words::does;
use game::{Allowed, Effects, No, RollNote};
use hexmap::Hex;

use crate::action::Action;
use crate::at::{At, Run};
use crate::rules::zones::directions;
use crate::setup::ground::CLOSED;
use crate::setup::pieces::Arm;
use crate::state::{Id, NOWHERE, UnitSet};

impl At<'_> {
    /// Whether a unit fired into a hex in this Round.
    fn fired_into(self, unit: Id, hex: Hex) -> bool {
        let piece = self.piece(unit);
        piece.was != NOWHERE
            && directions(piece.shot_into).any(|d| self.ground().beyond[piece.was.index()][d] == hex)
    }

    /// Whether a unit fired from next to a hex and has gone from there since, wherever it is now.
    fn has_left(self, unit: Id, hex: Hex) -> bool {
        let piece = self.piece(unit);
        piece.was != NOWHERE
            && piece.hex != piece.was
            && !self.state.advanced_now.contains(unit)
            && self.ground().direction(piece.was, hex).is_some()
    }

    /// `advance`.
    pub(crate) fn check_advance(self, unit: Id, to: Hex) -> Allowed {
        match self.arm_now(unit) {
            Arm::Artillery => return Err(No::new(cite!("11.1.c"), "Artillery does not advance.")),
            Arm::HorseArtillery => {
                return Err(No::new(cite!("11.2.d"), "Horse artillery does not advance."));
            }
            Arm::Infantry | Arm::Cavalry => {}
        }
        if self.state.screened.contains(to) {
            return Err(No::new(cite!("6.1.1.d"), "Cavalry that slipped away screens it."));
        }
        let piece = self.piece(unit);
        if piece.on_map() && self.has_left(unit, to) {
            return Err(No::new(
                cite!("8.a"),
                "It fell back in this fight; only a unit that stayed next to the hex may advance.",
            ));
        }
        if !piece.on_map() || self.side(unit) != self.state.attacking_side() || !self.fired_into(unit, to) {
            return Err(No::new(
                cite!("8.1.a"),
                "Only an attacker that has just fired into the hex may advance there.",
            ));
        }
        if self.state.advanced_now.contains(unit) {
            return Err(No::new(cite!("8.1.a"), "It has advanced in this Round."));
        }
        if self.state.at(to).is_some() {
            return Err(No::new(cite!("8.a"), "The hex has not been vacated."));
        }
        let Some(direction) = self.ground().direction(piece.hex, to) else {
            return Err(No::new(cite!("8.a"), "It is no longer next to the hex."));
        };
        if self.ground().costs[self.column_now(unit) as usize][piece.hex.index()][direction] == CLOSED {
            return Err(No::new(cite!("5.2.e"), "The ground is closed to it."));
        }
        Ok(())
    }

    /// The units that could advance into a hex.
    fn could_advance(self, to: Hex) -> UnitSet {
        self.open_advances().filter(|&(_, hex)| hex == to).map(|(unit, _)| unit).collect()
    }

    /// With At Random on, a hex several units could enter is chosen without the unit (3.1.f).
    pub(crate) fn left_to_chance(self, to: Hex) -> bool {
        self.battle.house.at_random && self.could_advance(to).len() > 1
    }

    pub(crate) fn offer_advances(self, out: &mut Vec<Action>) {
        for (unit, to) in self.open_advances() {
            let action = match self.left_to_chance(to) {
                true => Action::AdvanceInto { to },
                false => Action::Advance { unit, to },
            };
            if !out.contains(&action) {
                out.push(action);
            }
        }
        out.push(Action::Pass);
    }

    /// `advance HEX`.
    pub(crate) fn check_advance_into(self, to: Hex) -> Allowed {
        if self.left_to_chance(to) {
            return Ok(());
        }
        Err(No::new(cite!("3.1.f"), "Name the unit that advances."))
    }
}

impl<'a> At<'a> {
    /// `advance X HEX`.
    pub(crate) fn check_named_advance(self, unit: Id, to: Hex) -> Allowed {
        self.check_advance(unit, to)?;
        match self.left_to_chance(to) {
            true => {
                Err(No::new(cite!("3.1.f"), "Several could advance there; with At Random chance picks one."))
            }
            false => Ok(()),
        }
    }

    /// Every advance that is open.
    pub(crate) fn open_advances(self) -> impl Iterator<Item = (Id, Hex)> + 'a {
        let units = self.army(self.state.attacking_side()).without(self.state.advanced_now);
        units.into_iter().flat_map(move |unit| {
            let piece = *self.piece(unit);
            directions(piece.shot_into)
                .map(move |d| self.ground().beyond[piece.was.index()][d])
                .filter(move |&to| self.check_advance(unit, to).is_ok())
                .map(move |to| (unit, to))
        })
    }
}

impl<F: Effects> Run<'_, F> {
    pub(crate) fn advance_at_random(&mut self, to: Hex) {
        let units = self.at().could_advance(to);
        let drawn = match units.len() {
            0 | 1 => 0,
            n => self.fx.draw(n, || {
                RollNote::new(format!("Who advances to {}", self.battle.ground.name(to)), cite!("3.1.f"))
                    .side(self.state.attacking_side())
                    .outcomes(units.into_iter().map(|u| self.battle.name(u)))
            }),
        };
        if let Some(unit) = units.into_iter().nth(drawn) {
            self.advance(unit, to);
        }
    }

    /// 8.1.b: not movement; zones do not matter, and no approach fire follows.
    pub(crate) fn advance(&mut self, unit: Id, to: Hex) {
        let from = self.state.piece(unit).hex;
        // R26: an advance after approach fire does not spare the unit the retreat at the end.
        if self.state.round > 0 {
            self.state.advanced.insert(unit);
        }
        self.state.advanced_now.insert(unit);
        self.tell_at(unit, Kind::Advance, cite!("8.1.a"), [from, to], |name, hex| {
            format!("{} {}.", does(name, "advances to"), hex(to))
        });
        self.change_hex(unit, to);
    }
}
