//! Chapter 7.3, defensive fire: chargers halt at point blank and take the volleys of target and support (P1, steps 9 to
//! 11).

use arrayvec::ArrayVec;
use game::Effects;
use table::Way;

use crate::at::{At, Run};
use crate::field::Field;
use crate::rules::charges::{Charge, ChargeStep};
use crate::rules::charts::POINT_BLANK;
use crate::rules::morale::After;
use crate::rules::sequence::Step;
use crate::rules::shooting::Volley;
use crate::setup::battle::Battle;
use crate::setup::pieces::{UnitId, Units};
use crate::state::State;

impl<F: Effects> Run<'_, F> {
    /// P1, steps 9 and 10: to point blank, and fire unless a charger surprises.
    pub(crate) fn point_blank(&mut self, charge: &Charge) {
        let surprise = {
            let field = self.field();
            charge.active().any(|c| field.surprises(c))
        };
        for c in charge.active() {
            let pose = {
                let field = self.field();
                let by = field.to_point_blank(c, field.rect(charge.target), POINT_BLANK);
                if by == 0 { c.start } else { c.along(&field, by) }
            };
            self.state.shift_unit(self.battle, c.unit, pose);
            self.state.commanders_follow(self.battle, c.unit);
        }
        // Commanders leave the path of the charge, all of it, whoever then goes in (7.5.b).
        let path: Vec<Way> = {
            let field = self.field();
            charge.active().flat_map(|c| c.legs(&field, c.length())).collect()
        };
        self.evade(charge.side(self.battle), &path);
        self.state.next_charge_step(if surprise { ChargeStep::Contact } else { ChargeStep::Volleys });
    }
}

impl State {
    /// Who has yet to fire of target and support; the next step.
    pub(crate) fn next_volley(&mut self, battle: &Battle) {
        let Some(charge) = &self.charge else { return };
        let field = At::new(battle, self).field();
        let ready = |u: UnitId| charge.active().any(|c| field.defensive_volley(u, c.unit).is_ok());
        let target = (!charge.fired.0 && ready(charge.target)).then_some(charge.target);
        let support = charge.support.filter(|s| !charge.fired.1 && ready(*s));
        let step = match (target, support) {
            (Some(_), Some(_)) => ChargeStep::WhoFires,
            (Some(shooter), None) | (None, Some(shooter)) => ChargeStep::Fire { shooter },
            (None, None) => ChargeStep::Tests,
        };
        self.next_charge_step(step);
    }

    /// The defender's owner has named the first to fire.
    pub(crate) fn fires_first(&mut self, shooter: UnitId) {
        self.next_charge_step(ChargeStep::Fire { shooter });
    }
}

impl<F: Effects> Run<'_, F> {
    /// One defender's volley, shared over the chargers in its front arc and sight (7.9.c, R58).
    pub(crate) fn defensive_fire(&mut self, mut charge: Charge, shooter: UnitId) {
        if shooter == charge.target {
            charge.fired.0 = true;
        } else {
            charge.fired.1 = true;
        }
        let field = self.field();
        let shots: ArrayVec<(usize, Volley), 8> = charge
            .chargers
            .iter()
            .enumerate()
            .filter(|(_, c)| !c.out)
            .filter_map(|(i, c)| field.defensive_volley(shooter, c.unit).ok().map(|v| (i, v)))
            .collect();
        for c in &mut charge.chargers {
            c.share = 0;
        }
        let Some((_, lead)) = shots.first().cloned() else {
            self.state.charge = Some(charge);
            return self.state.next_charge_step(ChargeStep::Volleys);
        };
        let count = shots.len() as u8;
        charge.by_dice = shots.iter().any(|(_, v)| v.need != lead.need || v.dice != lead.dice);
        let whole = if charge.by_dice {
            shots.iter().map(|(_, v)| v.dice).max().unwrap_or(0)
        } else {
            let target = charge.chargers[shots[0].0].unit;
            lead.roll(self.battle, shooter, target, lead.dice, self.fx)
        };
        for (i, _) in &shots {
            charge.chargers[*i].share = whole / count;
        }
        charge.odd = if count > 1 { whole % count } else { 0 };
        if count == 1 {
            charge.chargers[shots[0].0].share = whole;
        }
        let odd = charge.odd > 0;
        self.state.charge = Some(charge);
        self.state.next_charge_step(if odd {
            ChargeStep::Odd { shooter }
        } else {
            ChargeStep::Saves { shooter }
        });
    }
}

impl Field<'_> {
    /// Chargers that may take an odd hit: all who are under fire, as the defender likes (7.9.c).
    pub(crate) fn odd_takers(&self, shooter: UnitId) -> Units {
        let Some(charge) = &self.state.charge else { return Units::new() };
        charge.active().map(|c| c.unit).filter(|u| self.defensive_volley(shooter, *u).is_ok()).collect()
    }
}

impl State {
    /// The defender gives an odd hit or die to a charger.
    pub(crate) fn give_odd(&mut self, shooter: UnitId, to: UnitId) {
        let Some(charge) = &mut self.charge else { return };
        if let Some(c) = charge.chargers.iter_mut().find(|c| c.unit == to) {
            c.share += 1;
            charge.odd -= 1;
        }
        if charge.odd == 0 {
            self.next_charge_step(ChargeStep::Saves { shooter });
        }
    }
}

impl<F: Effects> Run<'_, F> {
    /// Each charger saves its own share; hits count at once.
    pub(crate) fn defensive_saves(&mut self, mut charge: Charge, shooter: UnitId) {
        for i in 0..charge.chargers.len() {
            let (u, share) = (charge.chargers[i].unit, charge.chargers[i].share);
            charge.chargers[i].share = 0;
            if share == 0 || charge.chargers[i].out {
                continue;
            }
            let Ok(volley) = self.field().defensive_volley(shooter, u) else { continue };
            let hits =
                if charge.by_dice { volley.roll(self.battle, shooter, u, share, self.fx) } else { share };
            let unsaved = hits - volley.saves(self.battle, u, hits, self.fx);
            charge.chargers[i].hurt |= unsaved > 0;
            self.mark_hits(u, unsaved);
        }
        let units: Units = charge.chargers.iter().map(|c| c.unit).collect();
        self.state.charge = Some(charge);
        self.state.next_charge_step(ChargeStep::Volleys);
        for u in units {
            self.break_if_due(u);
        }
    }
}

impl State {
    /// The chargers that have yet to test for the volleys; none of a determined charge (P1, step 11).
    fn chargers_to_test(&self) -> Units {
        let Some(charge) = self.charge.as_ref().filter(|c| c.result <= 10) else { return Units::new() };
        charge.active().filter(|c| c.hurt && self.on_table(c.unit)).map(|c| c.unit).collect()
    }
}

impl At<'_> {
    /// The chargers among whom their owner chooses who tests next: where a brigade could break before the last of its
    /// units has tested, the order matters (G50).
    pub(crate) fn tests_to_order(self) -> Units {
        let waiting = self.state.chargers_to_test();
        let could_break = |u: &UnitId| {
            let b = self.battle.unit(*u).brigade;
            let mates = waiting.iter().filter(|v| self.battle.unit(**v).brigade == b).count() as u8;
            mates > 1
                && !self.state.brigade_broken(b)
                && self.battle.breaks_with(b, self.broken_troops(b) + mates - 1)
        };
        if waiting.iter().any(could_break) { waiting } else { Units::new() }
    }
}

impl State {
    /// P1, step 11: those hit test, one after the other.
    pub(crate) fn next_charge_test(&mut self, battle: &Battle) {
        if !At::new(battle, self).tests_to_order().is_empty() {
            return;
        }
        match self.chargers_to_test().first() {
            Some(u) => self.begin_charge_test(*u),
            None => self.next_charge_step(ChargeStep::Contact),
        }
    }

    pub(crate) fn begin_charge_test(&mut self, u: UnitId) {
        let charger = self.charge.as_mut().and_then(|c| c.chargers.iter_mut().find(|c| c.unit == u));
        if let Some(charger) = charger {
            charger.hurt = false;
        }
        self.agenda.push(Step::Morale { unit: u, after: After::Charge });
    }
}
