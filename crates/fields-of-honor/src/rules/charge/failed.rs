//! Failed charges (charge.failed, qrs.failure).

use game::{Effects, Kind};

use crate::at::Run;
use crate::cite;
use crate::state::{Marks, Order};

impl<F: Effects> Run<'_, F> {
    /// Infantry that fails halts on the way, cavalry goes back (R42, R43).
    pub(crate) fn fail_home(&mut self, index: usize, missed: i16) {
        let charger = self.state.charge.chargers[index];
        let by = charger.line.by;
        let start = self.at().charging_layout(&charger);
        let dir = start.pose.facing.dir();
        let mounted = self.state.body(by).mounted(self.battle);
        self.state.charge.chargers[index].on = false;
        let body = self.state.body_mut(by);
        body.order = body.order.max(Order::Suppressed);
        body.marks.clear(Marks::RUSH);
        if mounted {
            let back = self.rout_roll(by, "falls back from its charge");
            let room =
                table::to_edge(&start.block(), dir.back(), self.battle.top.width, self.battle.top.height);
            let pose = start.pose.shifted(dir.times((charger.point - back).max(-room)));
            self.state.put(self.battle, by, &start, pose);
            self.moved_early(by, &start);
            self.tell_of(
                by,
                Kind::Retreat,
                "does not close and goes back Suppressed",
                cite!("charge.failed.a"),
            );
            return;
        }
        match missed {
            1 | 2 => {
                let share = if missed == 1 { 3 } else { 2 };
                let pose = start.pose.shifted(dir.times(charger.d * share / 4));
                self.state.put(self.battle, by, &start, pose);
                self.moved_early(by, &start);
                self.state.body_mut(by).marks.set(Marks::IMMUNE);
                let rule = if missed == 1 { cite!("charge.failed.b") } else { cite!("charge.failed.c") };
                self.tell_of(by, Kind::Loss, "halts Suppressed before the enemy", rule);
            }
            _ => {
                self.state.body_mut(by).marks.set(Marks::BALKED);
                self.tell_of(by, Kind::Loss, "does not move and is Suppressed", cite!("charge.failed.e"));
            }
        }
    }
}
