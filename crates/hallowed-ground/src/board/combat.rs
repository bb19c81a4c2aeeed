//! The fight at hand as the board shows it.

use arrayvec::ArrayVec;
use game::board::{Combat, Fire};

use crate::field::Field;
use crate::rules::charges::{Charge, ChargeStep};
use crate::rules::melee::Melee;
use crate::rules::rolls::on;
use crate::rules::sequence::Step;
use crate::rules::shooting::Volley;
use crate::setup::pieces::{UnitId, piece};

impl Field<'_> {
    /// The charge or melee under way, or the fire that can be given now.
    pub(crate) fn combat(&self) -> Option<Combat> {
        if let Some(charge) = &self.state.charge {
            return Some(self.charge_combat(charge));
        }
        if let Some(melee) = &self.state.melee {
            return Some(self.melee_combat(melee));
        }
        match self.state.agenda.top()? {
            Step::Shooting => self.shooting_combat(),
            _ => None,
        }
    }

    fn charge_combat(&self, charge: &Charge) -> Combat {
        let chargers: ArrayVec<UnitId, 8> = charge.active().map(|c| c.unit).collect();
        let pieces = chargers.iter().copied().chain([charge.target]).chain(charge.support).map(piece);
        let shooters: ArrayVec<UnitId, 2> = match self.state.agenda.top() {
            Some(Step::Charge(ChargeStep::WhoFires)) => {
                [charge.target].into_iter().chain(charge.support).collect()
            }
            Some(Step::Charge(ChargeStep::Odd { shooter })) => [shooter].into_iter().collect(),
            _ => ArrayVec::new(),
        };
        let mut fires: Vec<Fire> = Vec::new();
        for shooter in shooters {
            fires.extend(chargers.iter().filter_map(|c| {
                self.defensive_volley(shooter, *c).ok().map(|volley| volley_fire(shooter, *c, &volley))
            }));
        }
        if fires.is_empty() {
            // Before and after the volleys it is the charge home roll that counts.
            fires.push(Fire {
                by: chargers.iter().map(|u| piece(*u)).collect(),
                at: vec![piece(charge.target)],
                dice: 2,
                test: None,
                modifiers: self.charge_home_mods(&charge.chargers).modifiers(),
                considered: Vec::new(),
            });
        }
        let title = format!("Charge at {}", self.battle.unit(charge.target).name);
        Combat { title, pieces: pieces.collect(), fires }
    }

    fn melee_combat(&self, melee: &Melee) -> Combat {
        let here = |u: UnitId| self.state.on_table(u) && !melee.is_gone(u);
        let blows = melee.shares.iter().filter(|s| here(s.by) && here(s.at)).map(|s| Fire {
            by: vec![piece(s.by)],
            at: vec![piece(s.at)],
            dice: s.dice,
            test: Some(on(self.melee_need(s.by, s.at))),
            modifiers: self.state.melee_mods(s.by, s.at).modifiers(),
            considered: Vec::new(),
        });
        Combat {
            title: if melee.breakthrough { "Melee after a breakthrough" } else { "Melee" }.to_owned(),
            pieces: melee.units.iter().copied().filter(|u| here(*u)).map(piece).collect(),
            fires: blows.collect(),
        }
    }

    /// Every shot that may be taken now; none when nobody has one.
    fn shooting_combat(&self) -> Option<Combat> {
        let mut combat = Combat { title: "Shooting".to_owned(), pieces: Vec::new(), fires: Vec::new() };
        for u in self.of_side(self.state.active).filter(|u| self.may_shoot(*u).is_ok()) {
            for target in self.enemies(u) {
                if let Ok(volley) = self.shot(u, target) {
                    combat.fires.push(volley_fire(u, target, &volley));
                }
            }
        }
        for fire in &combat.fires {
            for p in fire.by.iter().chain(&fire.at) {
                if !combat.pieces.contains(p) {
                    combat.pieces.push(*p);
                }
            }
        }
        (!combat.fires.is_empty()).then_some(combat)
    }
}

pub(crate) fn volley_fire(by: UnitId, at: UnitId, volley: &Volley) -> Fire {
    Fire {
        by: vec![piece(by)],
        at: vec![piece(at)],
        dice: volley.dice,
        test: Some(on(volley.need)),
        modifiers: volley.mods.modifiers(),
        considered: Vec::new(),
    }
}
