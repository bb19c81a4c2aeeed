//! Chapter 7.3, countercharge: mounted cavalry that is charged may meet the chargers half way (R53).

use arrayvec::ArrayVec;
use game::Effects;
use table::{Angle, EPS, Pose, Rect, Side as Edge, Size, Way};

use crate::at::Run;
use crate::field::Field;
use crate::rules::charges::ChargeStep;
use crate::rules::charges::line::Charger;
use crate::setup::pieces::{UnitId, Units};

/// A countercharge: the charger met, and the poses of both (R53).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting {
    pub charger: Charger,
    pub charger_pose: Pose,
    pub counter_pose: Pose,
}

impl Field<'_> {
    /// The chargers that the target could meet, the nearest first.
    pub(crate) fn countercharge_lines(&self) -> ArrayVec<Meeting, 8> {
        let mut out = ArrayVec::new();
        let Some(charge) = &self.state.charge else { return out };
        let target = charge.target;
        let unit = self.state.unit(target);
        let allowed = self.is_mounted(target)
            && !unit.shaken
            && !self.state.engaged(target)
            && !self.state.brigade_broken(self.battle.unit(target).brigade);
        if !allowed {
            return out;
        }
        for c in charge.active() {
            let ulp = self.rect(c.unit).front;
            if self.rect(target).arc_of(ulp) != Edge::Front || !self.sees(target, c.unit) {
                continue;
            }
            let middle = ulp.middle(c.aim.pt());
            let facing = Angle::of(c.aim.pt() - ulp);
            let charger_pose = Pose { at: middle.spot(), facing };
            let counter_pose = Pose { at: middle.spot(), facing: facing.reversed() };
            let fits = |u: UnitId, pose: Pose| {
                let r = Rect::new(pose, self.rect(u).size());
                let others = self.on_table().filter(|v| *v != c.unit && *v != target);
                self.battle.top.holds(&r)
                    && !self.battle.impassable(&r)
                    && others.into_iter().all(|v| !r.overlaps(self.rect(v)))
            };
            if fits(c.unit, charger_pose) && fits(target, counter_pose) {
                out.push(Meeting { charger: *c, charger_pose, counter_pose });
            }
        }
        out.sort_unstable_by_key(|m| (m.charger.distance, m.charger.unit));
        out
    }

    /// Does its own way to the place where the two meet lead through difficult terrain? What lies beyond that place
    /// burdens the other side alone (9.2.f, R49).
    fn meets_over_difficult(&self, u: UnitId, meeting: Pose) -> bool {
        let start = self.rect(u);
        let turned = self.state.unit(u).pose.pivoted(start.size(), meeting.facing);
        let way = |size: Size| Way::between(&Rect::new(turned, size), &Rect::new(meeting, size));
        let front = Size { depth: EPS / 2, ..start.size() };
        let end = Rect::new(meeting, start.size());
        self.battle.passes_difficult(None, start, &[way(start.size())], &[way(front)], &end)
    }
}

impl<F: Effects> Run<'_, F> {
    /// The target's owner has decided whether to countercharge (7.3.n, 7.3.o).
    pub(crate) fn countercharge(&mut self, yes: bool) {
        self.state.next_charge_step(ChargeStep::Contact);
        let Some(charge) = self.state.charge.clone() else { return };
        if !yes || !self.orders_test(charge.target) {
            return;
        }
        let Some(meeting) = self.field().countercharge_lines().first().copied() else { return };
        let (u, target) = (meeting.charger.unit, charge.target);
        let difficult = [(u, meeting.charger_pose), (target, meeting.counter_pose)]
            .map(|(who, pose)| self.field().meets_over_difficult(who, pose));
        self.place_unit(u, meeting.charger_pose, cite!("7.3.o"));
        self.place_unit(target, meeting.counter_pose, cite!("7.3.o"));
        // Both have charged before they meet, so neither defends what lies between them (9.2.e, R72).
        self.state.gain_impetus(u, difficult[0]);
        self.state.gain_impetus(target, difficult[1]);
        self.state.engage(self.battle, u, target, Edge::Front, Edge::Front);
        // The others come up to where it stands now, if they still can.
        let mut rest = charge.clone();
        rest.chargers.retain(|c| c.unit != u);
        let group: Units = rest.chargers.iter().map(|c| c.unit).chain([u]).collect();
        for c in rest.chargers.clone() {
            let anew = self.field().line_without_sight(c.unit, target, &group);
            match anew {
                Ok(line) => {
                    if let Some(old) = rest.chargers.iter_mut().find(|x| x.unit == c.unit) {
                        *old = line;
                    }
                }
                Err(_) => {
                    self.stop_short(&c);
                    rest.chargers.retain(|x| x.unit != c.unit);
                }
            }
        }
        if rest.chargers.is_empty() {
            self.state.end_charge();
            return self.state.finish_charge(&charge);
        }
        self.state.charge = Some(rest);
    }
}
