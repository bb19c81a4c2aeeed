//! The charge sequence: declaration, the tests of charger and target (charge.sequence, seq.charge, R123).

use arrayvec::ArrayVec;
use game::{Effects, Kind, Side};

use crate::at::{At, Run};
use crate::cite;
use crate::rules::charge::{Charge, Charged, Charger, Reaction};
use crate::rules::morale::Cause;
use crate::rules::sequence::Step;
use crate::rules::{charge, rout};
use crate::setup::battle::Battle;
use crate::setup::ground::Cover;
use crate::state::{BodyId, Marks, Order, Part, State};

impl At<'_> {
    /// Whether a side has a charge to declare.
    pub(crate) fn can_charge(self, side: Side) -> bool {
        self.state.on_table().any(|(by, body)| self.battle.side(body) == side && self.has_charge(by))
    }
}

impl State {
    pub(crate) fn next_charge(&mut self, battle: &Battle) -> bool {
        if self.go.passes >= 2 {
            self.agenda.pop();
            return true;
        }
        if At::new(battle, self).can_charge(self.turn_of) {
            return false;
        }
        self.go.passes += 1;
        self.turn_of = self.turn_of.enemy();
        true
    }

    /// Opens a charge as declared.
    pub(crate) fn declare(&mut self, battle: &Battle, lines: &[charge::ChargeLine], opportunity: bool) {
        self.charge = Charge { opportunity, ..Charge::default() };
        for line in lines {
            let Ok(way) = At::new(battle, self).charge_way(line) else { continue };
            let charger = Charger {
                line: *line,
                d: way.d,
                point: 0,
                face: way.face,
                hits: 0,
                under_fire: false,
                on: true,
                joined: true,
            };
            self.charge.chargers.push(charger);
            let mounted = self.body(line.by).mounted(battle);
            let body = self.body_mut(line.by);
            body.marks.set(Marks::CHARGED);
            // Whoever charges out of hiding is seen from then on (R62); that it was hidden surprises its target.
            body.marks.show();
            if line.rush {
                body.marks.set(Marks::RUSH);
            }
            let target = self.body_mut(line.at);
            target.marks.set(if mounted { Marks::BY_HORSE } else { Marks::BY_FOOT });
            if !self.charge.targets.iter().any(|t| t.body == line.at) {
                let target = Charged {
                    body: line.at,
                    moved: self.body(line.at).marks.has(Marks::MOVED),
                    reaction: Reaction::None,
                    fires_at: 0,
                    masked: false,
                    rejoined: 0,
                    pinned: false,
                    gone: false,
                };
                self.charge.targets.push(target);
            }
        }
        self.agenda.push(Step::ChargeEnd);
        self.agenda.push(Step::ChargerTests);
    }

    /// Whoever a countercharge meets comes first: the others find its target where it then stands (R122).
    pub(crate) fn meet_first(&mut self) {
        let countered =
            |i: u8| self.charge.targets.iter().any(|t| t.reaction == Reaction::Counter && t.fires_at == i);
        let mut order: ArrayVec<u8, 4> = (0..self.charge.chargers.len() as u8).collect();
        order.sort_by_key(|i| (!countered(*i), self.charge.chargers[usize::from(*i)].d));
        let homes = self.agenda.iter_mut().rev().filter(|step| matches!(step, Step::Home { .. }));
        homes.zip(order).for_each(|(step, charger)| *step = Step::Home { charger });
    }

    pub(crate) fn chargers_at(&self, target: BodyId) -> ArrayVec<u8, 4> {
        let all = self.charge.chargers.iter().enumerate();
        let mut mine: ArrayVec<u8, 4> =
            all.filter(|(_, c)| c.on && c.line.at == target).map(|(i, _)| i as u8).collect();
        mine.sort_by_key(|i| self.charge.chargers[usize::from(*i)].d);
        mine
    }
}

impl<F: Effects> Run<'_, F> {
    pub(crate) fn charger_tests(&mut self) {
        self.state.agenda.pop();
        for i in 0..self.state.charge.chargers.len() {
            let by = self.state.charge.chargers[i].line.by;
            let missed = self.roll_morale(by, Cause::Charging);
            if missed > 0 {
                self.state.charge.chargers[i].on = false;
                self.state.charge.chargers[i].joined = false;
                let body = self.state.body_mut(by);
                body.marks.set(Marks::HALVED);
                body.marks.clear(Marks::RUSH);
                self.tell_of(
                    by,
                    Kind::Check,
                    "does not charge; half speed and half fire this turn",
                    cite!("charge.sequence.b"),
                );
            }
        }
        if self.state.charge.chargers.iter().all(|c| !c.on) {
            return;
        }
        if self.state.charge.opportunity {
            // The mover halts; its move is over (oppcharge.b). It does not halt in the middle of friends it passes.
            if let Some(mover) = self.state.march.unit.take() {
                self.state.make_room(self.battle, mover);
            }
        }
        let mut order: ArrayVec<u8, 4> = (0..self.state.charge.chargers.len() as u8).collect();
        order.sort_by_key(|i| self.state.charge.chargers[usize::from(*i)].d);
        for i in order.iter().rev() {
            self.state.agenda.push(Step::Home { charger: *i });
        }
        for i in (0..self.state.charge.targets.len() as u8).rev() {
            self.state.agenda.push(Step::AfterFire { target: i });
        }
        self.state.agenda.push(Step::ChargeFire);
        self.state.agenda.push(Step::Support);
        for i in (0..self.state.charge.targets.len() as u8).rev() {
            self.state.agenda.push(Step::TargetTest { target: i });
        }
    }

    pub(crate) fn target_test(&mut self, target: usize) {
        self.state.agenda.pop();
        let id = self.state.charge.targets[target].body;
        let chargers = self.state.chargers_at(id);
        let Some(first) = chargers.first().filter(|_| self.state.body(id).on_table()) else { return };
        let by = self.state.charge.chargers[usize::from(*first)].line.by;
        if self.state.body(id).marks.has(Marks::PRONE) {
            // It has to, and goes nowhere: that is no move (R22).
            let body = self.state.body_mut(id);
            body.marks.clear(Marks::PRONE);
            body.marks.set(Marks::STOOD);
            self.tell_of(id, Kind::March, "stands up", cite!("move.prone.c"));
        }
        if self.state.body(by).marks.has(Marks::WAS_HIDDEN) {
            self.state.body_mut(id).marks.set(Marks::SURPRISED);
        }
        if let Some(back) = self.fall_back_before_charge(id, by) {
            let charged = &mut self.state.charge.targets[target];
            (charged.masked, charged.rejoined) = (back.between, back.stands);
        }
        if self.state.in_melee(id) {
            return;
        }
        let body = self.state.body(id);
        let formed = !self.state.body(by).shape.formation.is_loose();
        let from = self.at().layout(by).centre();
        let open = self.at().cover(&body.layout(self.battle), Some(from), false) == Cover::None;
        if body.skirmishing() && formed && open && body.part != Part::Group {
            self.tell_of(id, Kind::Retreat, "is ridden off the field as a Shaken mob", cite!("skirmish.h"));
            // Whoever they run through tests before the charger comes up.
            self.state.agenda.push(Step::GaveWay { target: target as u8 });
            self.flee(id, rout::Flight { cause: Some(by), order: Order::Shaken, later: false });
            return;
        }
        if body.marks.has(Marks::ON_WALL) && self.at().wall_between(by, id).is_some() {
            self.state.charge.targets[target].reaction = Reaction::Stand;
            return;
        }
        let missed = self.roll_morale(id, Cause::Charged(by));
        match missed {
            1 if !self.state.body(id).order.broken() => {
                self.fail_morale(id, missed, Some(by));
                self.state.charge.targets[target].pinned = true;
            }
            1.. => {
                let order = self.state.body(id).order;
                self.state.agenda.push(Step::GaveWay { target: target as u8 });
                if order == Order::Routed || order == Order::Shaken && missed < 4 {
                    // Already running: it runs on.
                    self.flee(id, rout::Flight { cause: Some(by), order, later: false });
                } else {
                    self.fail_morale(id, missed, Some(by));
                }
            }
            // Men who neither fire nor move can only stand; the charger must still close (R123).
            _ if self.state.body(id).order.broken() => {
                self.state.charge.targets[target].reaction = Reaction::Stand
            }
            _ if self.at().is_drawn_back(id) => {
                self.state.agenda.push(Step::GaveWay { target: target as u8 });
                self.draw_back(id, Some(by));
            }
            _ => self.state.agenda.push(Step::React { target: target as u8 }),
        }
    }

    /// The target is gone from its place: those who charged it take it and test for pursuit (R30).
    pub(crate) fn gave_way(&mut self, target: usize) {
        let id = self.state.charge.targets[target].body;
        self.state.charge.targets[target].gone = true;
        let chargers = self.state.chargers_at(id);
        for i in &chargers {
            let i = usize::from(*i);
            self.take_place(i);
            self.state.charge.chargers[i].on = false;
        }
        // The nearest pursues first (R122), so its step goes on top.
        for i in chargers.iter().rev() {
            let by = self.state.charge.chargers[usize::from(*i)].line.by;
            if self.state.body(id).on_table() {
                self.state.agenda.push(Step::Pursue { by, quarry: id });
            }
        }
    }

    pub(crate) fn charge_end(&mut self) {
        let opportunity = self.state.charge.opportunity;
        self.state.charge = Charge::default();
        self.state.scene += self.state.scene % 2;
        // Chargers, pursuers and those who ran may have brought an enemy near a leader on the march.
        self.convert_orders();
        if !opportunity {
            self.state.turn_of = self.state.turn_of.enemy();
            self.state.go.passes = 0;
        }
    }
}
