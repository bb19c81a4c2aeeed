//! Chapter 9: bombardment.

use game::{Allowed, Effects, No};

use crate::action::Action;
use crate::at::{At, Run};
use crate::rules::fire::FireKind;
use crate::rules::sight;
use crate::state::{Id, UnitSet};

impl At<'_> {
    /// Whether a unit may bombard at all in this step (6.1.2.a, R20).
    pub(crate) fn check_gun(self, gun: Id) -> Allowed {
        if !self.unit(gun).arm.has_guns() {
            return Err(No::new(cite!("9.a"), "Only artillery and horse artillery bombard."));
        }
        if !self.piece(gun).on_map() {
            return Err(No::new(cite!("9.a"), "It is not on the map."));
        }
        if self.is_in_enemy_zone(gun) {
            return Err(No::new(cite!("9.b"), "It stands in an enemy zone of control."));
        }
        if self.state.bombarded.contains(gun) {
            return Err(No::new(cite!("6.3.a"), "It has bombarded in this Combat Turn."));
        }
        if let Some(rule) = self.silenced(gun) {
            return Err(No::new(rule, "Its ammunition is spent."));
        }
        Ok(())
    }

    /// `bombard`.
    pub(crate) fn check_bombardment(self, gun: Id, target: Id) -> Allowed {
        self.check_gun(gun)?;
        if self.side(gun) == self.side(target) || !self.piece(target).on_map() {
            return Err(No::new(cite!("6.1.2.a"), "The target must be an enemy on the map."));
        }
        let (from, to) = (self.piece(gun).hex, self.piece(target).hex);
        if self.ground().distance(from, to) > sight::LIMIT {
            return Err(No::new(cite!("9.3.d"), "Sight and range end at four hexes."));
        }
        if !self.battle.in_sight(from, to) {
            return Err(No::new(cite!("9.3.b"), "The line of sight is blocked."));
        }
        Ok(())
    }

    fn targets(self, gun: Id) -> UnitSet {
        let from = self.piece(gun).hex;
        let enemies = self.army(self.side(gun).enemy());
        enemies.into_iter().filter(|&t| self.battle.in_sight(from, self.piece(t).hex)).collect()
    }

    pub(crate) fn offer_bombardments(self, out: &mut Vec<Action>) {
        for (unit, targets) in self.ready_to_bombard() {
            out.extend(targets.into_iter().map(|at| Action::Bombard { unit, at }));
        }
        out.push(Action::Pass);
    }
}

impl<'a> At<'a> {
    /// The guns that can bombard, each with what it sees.
    pub(crate) fn ready_to_bombard(self) -> impl Iterator<Item = (Id, UnitSet)> + 'a {
        let guns = self.army(self.state.attacking_side()).without(self.state.bombarded);
        guns.into_iter()
            .filter(move |&gun| self.unit(gun).arm.has_guns() && self.check_gun(gun).is_ok())
            .map(move |gun| (gun, self.targets(gun)))
            .filter(|(_, targets)| !targets.is_empty())
    }
}

impl<F: Effects> Run<'_, F> {
    /// 6.1.2.c, 6.3.2.c: all intact SPs at one hex, and the target's check at once.
    pub(crate) fn bombard(&mut self, gun: Id, target: Id) {
        self.state.bombarded.insert(gun);
        let points = self.state.piece(gun).intact();
        let hits = self.roll_fire((gun, target), points, FireKind::Bombardment);
        if hits > 0 {
            self.check_after_bombardment(target, hits);
        }
    }
}
