//! What must hold of every position.

use game::Side;

use crate::at::At;
use crate::rules::charts::Closed;
use crate::setup::battle::Battle;
use crate::setup::pieces::Arm;
use crate::state::{LeaderId, Post, State, Step, Task, UnitId};

impl At<'_> {
    /// 1.1.3: no SP that the counter does not have, and every lost one is counted.
    fn strengths(self, side: Side) -> Result<(), String> {
        let mut lost: u32 = 0;
        for unit in self.battle.of[side].iter() {
            let (sheet, here) = (self.battle.unit(unit), self.state.unit(unit));
            if here.sp > sheet.sp || here.sp == 0 && here.post != Post::Gone {
                return Err(format!("{} has {} SP", sheet.slug, here.sp));
            }
            lost += u32::from(sheet.sp - here.sp);
            if sheet.arm == Arm::Infantry && !here.deployed {
                return Err(format!("{} is infantry and not in line", sheet.slug));
            }
        }
        // Leaders who have fallen count too.
        let counted = u32::from(self.state.losses[side]);
        if counted < lost {
            return Err(format!("{lost} SP are gone but only {counted} counted"));
        }
        Ok(())
    }

    /// 1.1.1, 8.1.4: one combat unit a hex, in play and on open ground; one that goes back may pass through another.
    fn places(self, side: Side) -> Result<(), String> {
        let going_back = match self.state.agenda.top() {
            Some(Step::Retreat { unit, .. }) => Some(unit),
            _ => None,
        };
        for (hex, unit) in self.on_map(side) {
            let closed = self.battle.ground(hex).closed == Closed::ToAll;
            if closed || !self.battle.map.in_play.contains(hex) {
                return Err(format!("{} stands in {}", self.battle.unit(unit).slug, self.battle.number(hex)));
            }
            let mut others = self.state.units.iter().enumerate();
            let other = others.find(|(index, other)| *index != unit.index() && other.post == Post::On(hex));
            if let Some((other, _)) = other
                && going_back.is_none_or(|going| going != unit && going.index() != other)
            {
                return Err(format!("two combat units in {}", self.battle.number(hex)));
            }
        }
        Ok(())
    }

    /// 6.1, 7.2, 9.8.y: what a unit carries fits what it is.
    fn markers(self, side: Side) -> Result<(), String> {
        for unit in self.battle.of[side].iter() {
            let (sheet, here) = (self.battle.unit(unit), self.state.unit(unit));
            if here.routed && sheet.arm == Arm::Artillery && here.deployed && !self.state.goes_back(unit) {
                return Err(format!("{} is routed and unlimbered", sheet.slug));
            }
            if here.task != Task::None && (here.routed || here.post.hex().is_none()) {
                return Err(format!("{} has a work in hand that it left", sheet.slug));
            }
            let fired = self.state.fired_marks.contains(unit);
            if fired && (sheet.arm != Arm::Artillery || side != self.state.active) {
                return Err(format!("{} carries a FIRED marker", sheet.slug));
            }
            if sheet.independent && self.state.uncommanded.contains(unit) {
                return Err(format!("{} is independent and out of command", sheet.slug));
            }
        }
        Ok(())
    }

    /// 14.0.b: who stands on an objective controls it.
    fn holders(self) -> Result<(), String> {
        for (objective, &control) in self.battle.objectives.iter().zip(&self.state.control) {
            let holder = self.state.unit_at(objective.hex).map(|unit| self.battle.unit(unit).side);
            if holder.is_some() && holder != control {
                return Err(format!("{} is held by one side and controlled by another", objective.name));
            }
        }
        Ok(())
    }

    /// 1.1.1, 5.3.2: no leader stays in a hex with an enemy unit.
    fn companions(self) -> Result<(), String> {
        for (index, leader) in self.state.leaders.iter().enumerate() {
            let id = LeaderId(index as u8);
            let side = self.battle.leader(id).side;
            let with_enemy = leader
                .post
                .hex()
                .and_then(|hex| self.state.unit_at(hex))
                .is_some_and(|unit| self.battle.unit(unit).side != side);
            // He leaves when the retreat that came through his hex has come to its end.
            if with_enemy && self.state.trail.is_empty() && !self.state.is_leader_pending(id) {
                return Err(format!("{} shares a hex with an enemy unit", self.battle.leader(id).slug));
            }
        }
        Ok(())
    }
}

impl State {
    /// Whether the unit's retreat or rout is still to come.
    fn goes_back(&self, unit: UnitId) -> bool {
        self.agenda.iter().any(|step| matches!(step, Step::Limber { unit: other } if *other == unit))
    }
}

/// Strength never appears from nowhere, one combat unit a hex, nobody outside the map or on prohibited ground, markers
/// where they may be, objectives with those who stand on them, no leader among enemies.
///
/// # Errors
/// A sentence that names what is wrong.
pub fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
    let at = At::new(battle, state);
    for side in Side::BOTH {
        at.strengths(side)?;
        at.places(side)?;
    }
    for side in Side::BOTH {
        at.markers(side)?;
    }
    at.holders()?;
    at.companions()
}
