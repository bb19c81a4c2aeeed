//! Opportunity fire and charges: what the enemy of the mover may do after each step (fire.opportunity, oppcharge.*,
//! R64).

use game::{Allowed, Effects, No, Side};
use table::INCH;

use crate::action::Action;
use crate::at::{At, Run};
use crate::cite;
use crate::rules::basics::Formation;
use crate::rules::fire::{FireOrder, When};
use crate::rules::{charge, fire};
use crate::state::{BodyId, Face, Marks, State};

impl At<'_> {
    pub(crate) fn can_interrupt(self) -> bool {
        let Some(mover) = self.state.march.unit else { return false };
        if !self.body(mover).marks.has(Marks::MOVED) {
            return false;
        }
        let side = self.side_of(mover).enemy();
        let mut found = Vec::new();
        self.state.on_table().any(|(by, b)| {
            if self.battle.side(b) != side {
                return false;
            }
            if self.can_snap(by).is_some() {
                return true;
            }
            self.dashes(by, &mut found);
            !found.is_empty()
        })
    }

    /// Whether a body may fire at the mover now.
    pub(crate) fn can_snap(self, by: BodyId) -> Option<u16> {
        let mover = self.state.march.unit?;
        self.may_fire(by, When::Opportunity).ok()?;
        self.may_be_target(by, mover).ok()?;
        let target = self.layout(mover);
        let far = self.info(by).weapon.ranges[3];
        if !self.layout(by).may_be_within(&target, far + INCH) {
            return None;
        }
        let aim = self.bearing(by, mover, &target).ok()?;
        self.order_allows_fire(by, aim.band).ok()?;
        Some(aim.stands)
    }

    /// Opportunity charges at the mover's flank or rear (R64).
    pub(crate) fn dashes(self, by: BodyId, out: &mut Vec<charge::ChargeLine>) {
        let Some(mover) = self.state.march.unit else { return };
        if self.state.has_had_its_chance(by) || self.may_charge(by).is_err() {
            return;
        }
        let mut all = Vec::new();
        self.charge_lines_at(by, mover, &mut all);
        out.extend(all.into_iter().filter(|l| !l.rush && self.may_dash(l).is_ok()));
    }

    /// Whether an opportunity charge may be announced.
    pub(crate) fn may_dash(self, line: &charge::ChargeLine) -> Allowed {
        let body = self.body(line.by);
        if self.state.has_had_its_chance(line.by) {
            return Err(No::new(
                cite!("oppcharge.a"),
                "only a unit that has neither moved nor tried may charge at an opportunity",
            ));
        }
        if self.state.march.unit != Some(line.at) {
            return Err(No::new(cite!("oppcharge.a"), "only the unit that moves may be charged now"));
        }
        self.check_charge(self.battle.side(body), &[*line])?;
        let way = self.charge_way(line)?;
        if way.face == Face::Front && self.body(line.at).shape.formation != Formation::MarchColumn {
            return Err(No::new(cite!("oppcharge.a"), "the mover does not show it a flank or the rear"));
        }
        Ok(())
    }

    pub(crate) fn check_snap(self, side: Side, by: BodyId, stands: u16) -> Allowed {
        let Some(mover) = self.state.march.unit else {
            return Err(No::new(cite!("fire.opportunity.a"), "nobody is moving"));
        };
        if self.side_of(by) != side {
            return Err(No::new(cite!("fire.opportunity.a"), "it is not yours"));
        }
        self.may_fire(by, fire::When::Opportunity)?;
        self.may_be_target(by, mover)?;
        let aim = self.bearing(by, mover, &self.layout(mover))?;
        if stands == 0 || stands & !aim.stands != 0 {
            return Err(No::new(cite!("fire.arcs.a"), "not all of these stands bear on the mover"));
        }
        self.order_allows_fire(by, aim.band)
    }

    /// The fires and charges with which a side may interrupt the mover.
    pub(crate) fn offer_interruptions(self, side: Side, out: &mut Vec<Action>) {
        let mut found = Vec::new();
        for (by, _) in self.state.on_table().filter(|(_, body)| self.battle.side(body) == side) {
            out.extend(self.can_snap(by).map(|stands| Action::Snap { by, stands }));
            self.dashes(by, &mut found);
        }
        out.extend(found.into_iter().map(Action::Dash));
    }
}

impl<F: Effects> Run<'_, F> {
    pub(crate) fn snap(&mut self, by: BodyId, stands: u16) {
        let Some(mover) = self.state.march.unit else { return };
        let target = self.at().layout(mover);
        let Ok(aim) = self.at().bearing(by, mover, &target) else { return };
        let order = FireOrder::plain(When::Opportunity, stands);
        let shot = self.at().shot(by, mover, &target, &aim, order);
        let hits = self.roll_shot(&shot);
        self.state.note_fired(by, Marks::FIRED_EARLY.and(Marks::SNAPPED));
        self.apply_shot(by, mover, shot.through, hits);
    }
}

impl State {
    /// It has moved, fired at the opportunity, or tried to charge.
    pub(crate) fn has_had_its_chance(&self, by: BodyId) -> bool {
        let chances =
            Marks::MOVED.and(Marks::GONE_ABOUT).and(Marks::TRIED).and(Marks::CHARGED).and(Marks::SNAPPED);
        self.body(by).marks.has(chances)
    }
}
