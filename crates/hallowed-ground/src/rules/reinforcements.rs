//! Reinforcements, a rule of our scenarios: how units that come later are set down at the table edge.

use arrayvec::ArrayVec;
use game::words::does;
use game::{Effects, Entry, Kind, Side};
use table::{MIL, Pose, Rect, Spot, nearest_free, overlap_while_moving};

use crate::at::Run;
use crate::field::Field;
use crate::rules::charts::{PROXIMITY, footprint};
use crate::setup::battle::Battle;
use crate::setup::pieces::{Arrival, Border, MAX_UNITS, UnitId, piece, place_of};
use crate::state::{State, Whereabouts};

impl<F: Effects> Run<'_, F> {
    /// Sets down the units whose turn has come, as far as there is room; the others wait.
    pub(crate) fn arrive(&mut self, side: Side) {
        for u in self.battle.all_units().filter(|u| self.battle.unit(*u).side == side) {
            let Some(arrival) = self.battle.unit(u).arrival else { continue };
            if self.state.unit(u).place != Whereabouts::Reserve || self.state.turn < arrival.turn {
                continue;
            }
            let Some(pose) = self.field().entry_pose(u, &arrival) else { continue };
            let unit = self.state.unit_mut(u);
            unit.pose = pose;
            unit.place = Whereabouts::Table;
            self.fx.tell(|| {
                Entry::new(Kind::March, does(&self.battle.unit(u).name, "arrives."))
                    .side(side)
                    .rule(cite!("scenario.a"))
                    .piece(piece(u))
                    .place(place_of(pose))
            });
            self.state.bring_commander(self.battle, u);
        }
        for c in self.battle.all_officers().filter(|c| self.battle.officer(*c).side == side) {
            if self.battle.officer(c).brigade.is_none()
                && self.battle.officer(c).arrives.is_some_and(|t| self.state.turn >= t)
            {
                self.state.commanders[c.i()].on_table = true;
            }
        }
    }
}

impl State {
    /// A brigade commander comes with the first of its units.
    fn bring_commander(&mut self, battle: &Battle, u: UnitId) {
        let c = battle.brigade(battle.unit(u).brigade).commander;
        let due = battle.officer(c).arrives.is_some_and(|t| self.turn >= t);
        if due {
            self.commanders[c.i()].on_table = true;
        }
    }
}

impl Field<'_> {
    /// The written pose, slid along its edge by the least distance that is lawful, within the stretch.
    fn entry_pose(&self, u: UnitId, arrival: &Arrival) -> Option<Pose> {
        let roster = self.battle.unit(u);
        let start = Rect::new(roster.pose, footprint(roster.arm, roster.formation));
        let east_west = matches!(arrival.border, Border::South | Border::North);
        let dir = if east_west { table::Angle::EAST.dir() } else { table::Angle::NORTH.dir() };
        let bounds = start.bounds;
        let (low, high) = if east_west { (bounds.lo.x, bounds.hi.x) } else { (bounds.lo.y, bounds.hi.y) };
        let (from, to) = (i64::from(arrival.from) * MIL, i64::from(arrival.to) * MIL);
        let mut taken: ArrayVec<(i64, i64), MAX_UNITS> = ArrayVec::new();
        for v in self.on_table() {
            let other = self.rect(v);
            let interval = if self.side(v) == roster.side {
                overlap_while_moving(&start, other, dir, 0)
            } else {
                // An inch round an enemy: its base grown on all sides.
                let size = table::Size { width: 2 * (other.a + PROXIMITY), depth: 2 * (other.b + PROXIMITY) };
                let grown = Rect::at(other.front + other.ahead.times(PROXIMITY), other.facing, size);
                overlap_while_moving(&start, &grown, dir, 0)
            };
            taken.extend(interval);
        }
        let by = nearest_free(&taken, (from - low).min(0), (to - high).max(0))?;
        let shift = dir.times(by).spot();
        let at = Spot::new(roster.pose.at.x + shift.x, roster.pose.at.y + shift.y);
        let pose = Pose { at, facing: roster.pose.facing };
        (!self.battle.impassable(&Rect::new(pose, start.size()))).then_some(pose)
    }
}
