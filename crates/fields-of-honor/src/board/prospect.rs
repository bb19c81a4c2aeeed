//! What the fire of a unit at each enemy would be now, for the charts: whoever's turn it is, wherever they stand.

use game::board::{OfferNote, Prospect};
use game::{No, Sum};

use crate::at::At;
use crate::board::procedure::fire_of;
use crate::board::view::{GUNS, SMALL_ARMS};
use crate::rules::fire::{BANDS, FireOrder, When};
use crate::rules::rolls::piece;
use crate::state::{BodyId, Marks};

impl At<'_> {
    /// Its fire at each enemy in sight of these eyes.
    pub(crate) fn fire_prospects(self, by: BodyId) -> Vec<Prospect> {
        let side = self.side_of(by);
        let seen = |at: &BodyId| {
            let body = self.body(*at);
            self.side_of(*at) != side
                && body.on_table()
                && !body.marks.has(Marks::CONCEALED)
                && !self.state.is_marker(*at)
        };
        self.state.ids().filter(seen).map(|at| self.fire_prospect(by, at)).collect()
    }

    fn fire_prospect(self, by: BodyId, at: BodyId) -> Prospect {
        let (target, weapon) = (self.layout(at), &self.info(by).weapon);
        let column = if weapon.kind.is_artillery() { GUNS } else { SMALL_ARMS };
        let mut labels = vec![weapon.name.clone(), column.to_owned()];
        let aim = match self.bearing(by, at, &target) {
            Ok(aim) => aim,
            Err(no) => return Prospect { at: piece(at), fire: None, notes: vec![why(no)], labels },
        };
        let shot = self.shot(by, at, &target, &aim, FireOrder::plain(When::Phase, !0));
        let reasons = |sum: &Sum| sum.modifiers().into_iter().map(|m| m.reason).collect::<Vec<_>>();
        labels.push(BANDS[aim.band].to_owned());
        labels.extend(reasons(&shot.hit));
        labels.extend(reasons(&shot.divisor));
        Prospect { at: piece(at), fire: Some(fire_of(&shot)), notes: self.preview_shot(&shot), labels }
    }
}

fn why(no: No) -> OfferNote {
    OfferNote { text: no.refuses("").why, warning: false, stop: false, rule: no.rule() }
}
