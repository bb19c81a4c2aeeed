//! Chapter 13: night.

use crate::at::At;

impl At<'_> {
    pub(crate) fn is_night(self) -> bool {
        self.battle.hours[usize::from(self.state.hour)].night
    }
}
