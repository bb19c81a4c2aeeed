//! 9.9 Advance: units of the fire may move into the hexes that the combat has emptied.

use game::{Allowed, Effects, Kind};
use hexmap::{Hex, HexSet};

use crate::at::{At, Run};
use crate::legal::no;
use crate::rules::charts::Closed;
use crate::rules::concepts::Lines;
use crate::state::{LeaderId, Leaders, Piece, Post, State, Step, UnitId, Units};

impl At<'_> {
    /// R34: the hexes that the other side held when the die fell and that nobody holds now.
    pub(crate) fn vacated(self) -> HexSet {
        let held = |side| self.standing(side);
        self.state.fire.defended - held(self.state.active) - held(self.state.active.enemy())
    }

    /// May this unit advance into the hex?
    pub(crate) fn may_advance(self, lines: &Lines, unit: UnitId, hex: Hex) -> Allowed {
        if !self.state.fire.firers.contains(unit) {
            return Err(no!("9.9.a", "only a unit that took part in the fire advances"));
        }
        let Some(from) = self.state.unit_hex(unit) else {
            return Err(no!("9.9.a", "it is not on the map"));
        };
        if self.state.fire.defended.contains(from) {
            return Err(no!("9.9.a", "it has advanced: a unit advances once after a fire"));
        }
        if lines.friends.contains(hex) {
            return Err(no!("9.9.b", "another unit has advanced into that hex, and only one may"));
        }
        if !self.vacated().contains(hex) {
            return Err(no!("9.9.a", "this combat has not emptied that hex"));
        }
        let way = self.battle.map.grid.direction(from, hex).and_then(|direction| self.way(from, direction));
        match way {
            None => return Err(no!("9.9.a", "it is not next to the vacated hex")),
            Some(way) if way.closed == Closed::ToAll => {
                return Err(no!("8.1.4.b", "the hexside is prohibited"));
            }
            Some(_) => {}
        }
        if lines.zone.contains(hex) {
            self.may_enter_zone(Some(unit))?;
            if self.zones_of(self.state.zones_left_by(unit)).contains(hex) {
                return Err(no!(
                    "1.1.2.d",
                    "it left the zone of an enemy this turn, and that enemy's zone covers the hex"
                ));
            }
        }
        Ok(())
    }

    /// Every unit with every hex that it may advance into.
    pub(crate) fn advances(self) -> impl Iterator<Item = (UnitId, Hex)> {
        let vacated = self.vacated();
        let firers = if vacated.is_empty() { Units::EMPTY } else { self.state.fire.firers };
        let lines = self.lines(self.state.active);
        let pairs = firers.iter().flat_map(move |unit| {
            let near = self
                .state
                .unit(unit)
                .post
                .hex()
                .map_or(HexSet::EMPTY, |hex| self.battle.map.beside[hex.index()]);
            (near & vacated).iter().map(move |hex| (unit, hex))
        });
        pairs.filter(move |&(unit, hex)| self.may_advance(&lines, unit, hex).is_ok())
    }
}

impl<F: Effects> Run<'_, F> {
    /// Carries an advance out; leaders with the unit may come along. Whoever else may advance is asked after that.
    pub(crate) fn advance(&mut self, unit: UnitId, hex: Hex) {
        let side = self.battle.unit(unit).side;
        let from = self.state.unit_hex(unit);
        self.tell(|at| {
            let text = format!("{} advances into {}.", at.battle.unit(unit).name, at.battle.number(hex));
            let entry = at.battle.entry(Kind::Advance, text, Piece::Unit(unit)).rule(cite!("9.9.a"));
            at.battle.along(entry, from.into_iter().chain([hex]))
        });
        self.enter(unit, hex, Leaders::EMPTY);
        self.take_prize(unit);
        self.state.displace_beside(self.battle, side.enemy(), hex);
        if let Some(from) = from {
            for leader in self.at().leaders_in(side, from).iter() {
                self.state.agenda.push(Step::Follow { leader, to: hex });
            }
        }
    }
}

impl State {
    /// A leader comes along with the advance, or stays behind.
    pub(crate) fn follow_advance(&mut self, leader: LeaderId, to: Option<Hex>) {
        self.agenda.pop();
        if let Some(to) = to {
            self.leaders[leader.index()].post = Post::On(to);
        }
    }
}
