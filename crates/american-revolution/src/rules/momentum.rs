//! 12.6 Momentum.

use game::words::side_does;
use game::{Effects, Entry, Kind, Rule, Side};

use crate::at::Run;

impl<F: Effects> Run<'_, F> {
    /// A chit is due to a side: from the pool, or else the opponent must give one up (12.63.c).
    pub(crate) fn gain_momentum(&mut self, side: Side, rule: Rule) {
        if self.at().pool() > 0 {
            self.state.chits[side] += 1;
            self.tell_side(Kind::Draw, side, "gains momentum", rule);
        } else if self.state.chits[!side] > 0 {
            self.state.chits[!side] -= 1;
            self.tell_side(Kind::Draw, !side, "gives up a chit: the pool is empty", cite!("12.63.c"));
        }
    }

    /// A +2 unit was captured at full strength: its owner returns a chit, or the opponent takes one (12.64.a).
    pub(crate) fn surrender_momentum(&mut self, side: Side) {
        let text = if self.state.chits[side] > 0 {
            self.state.chits[side] -= 1;
            "surrenders a chit"
        } else if self.at().pool() > 0 {
            self.state.chits[!side] += 1;
            "has no chit to surrender; the enemy takes one"
        } else {
            return;
        };
        self.fx.tell(|| {
            Entry::new(Kind::Draw, format!("{}.", side_does(&self.battle.armies[side].name, text)))
                .side(side)
                .rule(cite!("12.64.a"))
        });
    }
}
