//! 10 Rally Phase.

use crate::action::Action;
use crate::at::At;
use crate::legal::no;
use crate::state::UnitId;
use game::Allowed;

impl<'a> At<'a> {
    /// 10.1: may the unit try to rally?
    pub(crate) fn may_rally(self, unit: UnitId) -> Allowed {
        let here = self.state.unit(unit);
        if self.battle.unit(unit).side != self.state.active {
            return Err(no!("10.1.a", "only units of the player whose turn it is rally"));
        }
        if here.post.hex().is_none() || !here.routed {
            return Err(no!("10.1.a", "it carries no ROUT marker"));
        }
        if !self.state.in_command(unit) {
            return Err(no!("10.1.a", "it is out of command: only units in command rally"));
        }
        if self.state.acted.contains(unit) {
            return Err(no!(
                "10.1.1.b",
                "it has tried in this phase: it may try again in the next Rally Phase"
            ));
        }
        Ok(())
    }

    /// The units that may try.
    pub(crate) fn who_may_rally(self) -> impl Iterator<Item = UnitId> + use<'a> {
        self.battle.of[self.state.active].iter().filter(move |&unit| self.may_rally(unit).is_ok())
    }

    pub(crate) fn offer_rallies(self, out: &mut Vec<Action>) {
        out.extend(self.who_may_rally().map(|unit| Action::Rally { unit }));
    }
}
