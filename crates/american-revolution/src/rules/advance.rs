//! 12.23, step 9: advance after combat, and the capture of guns that defend alone (12.3).

use arrayvec::ArrayVec;
use game::{Allowed, Effects, Kind, No};
use hexmap::Hex;

use crate::action::Action;
use crate::at::{At, Run};
use crate::legal::no;
use crate::setup::pieces::Piece;

impl At<'_> {
    /// Whether a defending hex is open to the advance: vacant, or with nothing but guns that were alone from the start.
    fn is_open_hex(self, hex: Hex) -> bool {
        let left = self.units_in(hex, !self.state.phasing);
        left.is_empty()
            || self.state.fight.guns && left.within(self.state.fight.defenders & self.battle.roles.artillery)
    }

    /// Whether a unit may advance into that hex now (12.23.s to 12.23.u).
    pub(crate) fn may_advance(self, unit: Piece, to: Hex) -> Allowed {
        let fight = &self.state.fight;
        if !fight.attackers.has(unit) || self.hex(unit).is_none() {
            return no(
                cite!("12.23.u"),
                "only attacking units that took part advance, never artillery, never the defender",
            );
        }
        if fight.retreated.has(unit) {
            return no(cite!("12.23.t"), "it retreated in this combat");
        }
        if fight.advanced.has(unit) {
            return no(cite!("12.23.t"), "it has advanced already");
        }
        if !fight.defending_hexes().any(|hex| hex == to) || !self.is_open_hex(to) {
            return no(cite!("12.23.s"), "the hex is not one that the defender has left vacant");
        }
        let Some(from) = self.hex(unit) else { return Err(No::other("it is not on the map")) };
        if !self.battle.ground.may_enter(self.counter(unit).arm, from, to) {
            return no(cite!("12.23.g"), "the terrain is prohibited to it");
        }
        if !self.has_room(unit, false, to) {
            return no(cite!("12.23.t"), "the hex would be over the stacking limit");
        }
        let guns_there = self.units_in(to, !self.state.phasing).meets(self.battle.roles.artillery);
        // Where all are barred one of them leads all the same, but takes no guns.
        let leads = fight.lead[self.state.phasing] == Some(unit)
            && !self.battle.is_barred_from_leading(fight.attackers, unit);
        let fit = leads || self.may_lead(self.state.phasing, unit).is_ok();
        if guns_there && !fit {
            return no(cite!("12.32.a"), "a unit that could not lead cannot take guns");
        }
        self.lead_first(unit)
    }

    /// Nobody goes before the lead unit if that can go (12.23.s).
    fn lead_first(self, unit: Piece) -> Allowed {
        match self.state.fight.lead[self.state.phasing] {
            Some(lead) if lead != unit && self.must_advance() => {
                no(cite!("12.23.s"), "the lead unit must advance first")
            }
            _ => Ok(()),
        }
    }

    /// Whether the lead unit still has to advance.
    pub(crate) fn must_advance(self) -> bool {
        let Some(lead) = self.state.fight.lead[self.state.phasing] else { return false };
        self.state.fight.advanced.is_empty()
            && self.state.fight.defending_hexes().any(|hex| self.may_advance(lead, hex).is_ok())
    }

    pub(crate) fn offer_advances(self, out: &mut Vec<Action>) {
        let hexes: ArrayVec<Hex, 12> = self.state.fight.defending_hexes().collect();
        for unit in self.state.fight.attackers & self.on_map() {
            for &to in &hexes {
                if self.may_advance(unit, to).is_ok() {
                    out.push(Action::Advance { unit, to });
                }
            }
        }
        if !self.must_advance() {
            out.push(Action::Done);
        }
    }

    pub(crate) fn check_advance(self, action: &Action) -> Allowed {
        match *action {
            Action::Advance { unit, to } => self.may_advance(unit, to),
            Action::Done if self.must_advance() => {
                let rule = if self.state.fight.guns { cite!("12.32.b") } else { cite!("12.23.s") };
                no(rule, "the defender's hex is vacant: the lead unit must advance into it")
            }
            Action::Done => Ok(()),
            _ => Err(No::other("the attacker advances after combat")),
        }
    }
}

impl<F: Effects> Run<'_, F> {
    pub(crate) fn step_advancing(&mut self) -> bool {
        let at = self.at();
        let fight = &at.state.fight;
        let hexes: ArrayVec<Hex, 12> = fight.defending_hexes().filter(|&hex| at.is_open_hex(hex)).collect();
        let mut first = None;
        let mut several = false;
        for unit in fight.attackers & at.on_map() {
            for &to in &hexes {
                if at.may_advance(unit, to).is_ok() {
                    several |= first.is_some();
                    first = first.or(Some((unit, to)));
                }
            }
        }
        match first {
            None => {
                self.state.agenda.pop();
                true
            }
            Some((unit, to)) if !several && at.must_advance() => {
                self.advance(unit, to);
                true
            }
            _ => false,
        }
    }

    pub(crate) fn advance(&mut self, unit: Piece, to: Hex) {
        let Some(from) = self.state.hex(unit) else { return };
        let side = self.state.phasing;
        self.state.fight.advanced.add(unit);
        self.state.place(unit, to);
        self.state.forget_pins(self.battle, unit);
        self.fx.tell(|| {
            self.battle
                .went(Kind::Advance, unit, "advances to", to, cite!("12.23.s"))
                .place(self.battle.place(from))
                .place(self.battle.place(to))
        });
        for gun in self.at().units_in(to, !side) {
            self.capture(gun, cite!("12.32.b"));
        }
        if self.state.ending.is_some() {
            return;
        }
        self.capture_lone(unit, to);
        self.take_hold(unit, to);
        if self.state.ending.is_none() {
            self.state.ask_leaders(self.battle, side, from, to);
        }
    }
}
