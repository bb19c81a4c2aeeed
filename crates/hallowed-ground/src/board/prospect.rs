//! What the fire of a unit at each enemy would be now, for the charts: whoever's turn it is, wherever they stand.

use game::board::{OfferNote, Prospect};
use game::{No, Rule};

use crate::board::combat::volley_fire;
use crate::board::view::chart_row;
use crate::field::Field;
use crate::rules::shooting::Volley;
use crate::setup::pieces::{UnitId, piece};

impl Field<'_> {
    /// Its fire at each enemy on the table.
    pub(crate) fn prospects(&self, by: UnitId) -> Vec<Prospect> {
        if !self.state.on_table(by) {
            return Vec::new();
        }
        self.enemies(by).iter().map(|at| self.prospect(by, at)).collect()
    }

    fn prospect(&self, by: UnitId, at: UnitId) -> Prospect {
        let row = |u: UnitId| chart_row(self.battle.unit(u).arm, self.state.unit(u).formation);
        let mut labels = vec![row(by), row(at)];
        match self.would_shoot(by, at) {
            Ok(volley) => {
                labels.extend(volley.mods.modifiers().into_iter().map(|m| m.reason));
                let fire = Some(volley_fire(by, at, &volley));
                Prospect { at: piece(at), fire, notes: vec![saves(&volley)], labels }
            }
            Err(no) => Prospect { at: piece(at), fire: None, notes: vec![why(no)], labels },
        }
    }
}

fn saves(volley: &Volley) -> OfferNote {
    let (text, rule) = if volley.cover {
        ("The target saves each hit on a 5 or 6.", cite!("8.6.b"))
    } else {
        ("The target saves each hit on a 6.", cite!("8.6.a"))
    };
    note(text.to_owned(), Some(rule))
}

fn why(no: No) -> OfferNote {
    note(no.refuses("").why, no.rule())
}

fn note(text: String, rule: Option<Rule>) -> OfferNote {
    OfferNote { text, warning: false, stop: false, rule }
}
