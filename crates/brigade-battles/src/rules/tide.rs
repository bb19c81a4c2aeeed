//! 12 Tide of Battle markers: one die of one's own, rolled again.

use game::{Effects, Entry, Kind, No, Side};

use crate::at::Run;
use crate::legal::no;
use crate::state::{State, Step, Units};

impl<F: Effects> Run<'_, F> {
    /// The marker is set aside.
    fn spend_tide(&mut self, side: Side) {
        self.state.tide[side] = false;
        self.tell(|_| {
            Entry::new(Kind::Note, "The Tide of Battle marker is used: the die is rolled again.")
                .side(side)
                .rule(cite!("12.0.a"))
        });
    }

    /// The die on the table is rolled again, and the new one stands.
    pub(crate) fn use_tide(&mut self) {
        match self.state.agenda.top() {
            Some(Step::CombatDie { .. }) => {
                self.spend_tide(self.state.firing_side());
                let target = self.state.fire.at.and_then(|at| self.state.unit_at(at).map(|unit| (at, unit)));
                if let Some((at, unit)) = target {
                    let natural = self.roll_combat_die(at, unit);
                    self.state.agenda.replace(Step::CombatDie { natural });
                }
            }
            Some(Step::LeaderDie { leader, .. }) => {
                self.spend_tide(self.state.firing_side());
                self.state.agenda.replace(Step::LoneLeader { leader });
            }
            Some(Step::MoraleDie { unit, why, .. }) => {
                self.spend_tide(self.battle.unit(unit).side);
                self.state.agenda.replace(Step::Morale { unit, why });
            }
            _ => {}
        }
    }
}

impl State {
    /// 12.0: the side still has its marker, and a unit in command is involved.
    pub(crate) fn may_use_tide(&self, side: Side, involved: Units) -> bool {
        self.tide[side] && involved.iter().any(|unit| self.in_command(unit))
    }

    /// Why the marker may not be used now.
    pub(crate) fn why_no_tide(&self, side: Side) -> No {
        if self.tide[side] {
            no!("12.0.b", "only dice of fire attacks and morale checks of a unit in command are rolled again")
        } else {
            no!("12.0.d", "the marker has been used")
        }
    }
}
