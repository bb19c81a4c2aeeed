//! The Charge Home Test and contact (qrs.chargehome).

use game::{Effects, Kind, Sum};
use table::{EPS, INCH};

use crate::at::{At, Run};
use crate::cite;
use crate::rules::basics::Formation;
use crate::rules::charge::movement::touch_distance;
use crate::rules::charge::{Charged, Charger, Reaction};
use crate::rules::charts::Rating;
use crate::rules::fire;
use crate::rules::fire::{FireOrder, When};
use crate::rules::sequence::Step;
use crate::state::{Assault, BodyId, Command, Face, Marks, Personality, State};

impl At<'_> {
    /// The number of the Charge Home Test (qrs.chargehome).
    pub(crate) fn home_number(self, index: usize) -> Sum {
        let charger = &self.state.charge.chargers[index];
        let (by, at) = (charger.line.by, charger.line.at);
        let (body, target) = (self.body(by), self.body(at));
        let info = self.battle.info(body);
        let mods = &self.battle.tables.test.charge_home.modifiers;
        let mut sum = Sum::of(self.battle.tables.test.charge_home.base, "base", cite!("qrs.chargehome.a"));
        sum.add(
            mods.per_3_hits * i16::from(charger.hits / 3),
            "losses in the charge",
            cite!("qrs.chargehome.b"),
        );
        let stands: u8 = self
            .state
            .charge
            .chargers
            .iter()
            .filter(|c| c.joined && c.line.at == at)
            .map(|c| self.body(c.line.by).fighting(self.battle))
            .sum();
        if stands > target.fighting(self.battle) {
            sum.add(mods.odds_over_1_to_1, "more stands", cite!("qrs.chargehome.c"));
        }
        if self.order_of(by) == Some(Command::Attack) {
            let chief = self.battle.overall(self.battle.side(body));
            if chief.is_some_and(|l| self.in_range(l, by)) {
                sum.add(mods.attack_order, "attack order", cite!("orders.j"));
            }
        }
        if info.melee_only() {
            sum.add(mods.melee_only, "melee only", cite!("qrs.chargehome.e"));
        }
        if body.skirmishing() {
            sum.add(mods.skirmisher, "charging in skirmish order", cite!("qrs.chargehome.f"));
        }
        if !charger.under_fire {
            sum.add(mods.no_fire, "no fire met", cite!("qrs.chargehome.g"));
        }
        let square = target.shape.formation == Formation::Square || target.marks.has(Marks::BOX);
        if body.mounted(self.battle) && !square {
            sum.add(mods.cavalry, "cavalry", cite!("qrs.chargehome.h"));
        }
        let mut rating = mods.rating(info.morale);
        if self.battle.on.strict_print && info.morale == Rating::E {
            rating = 0;
        }
        sum.add(rating, "morale rating", cite!("qrs.chargehome.i"));
        if target.marks.has(Marks::HIDDEN) {
            sum.add(mods.vs_hidden, "hidden target", cite!("qrs.chargehome.j"));
        }
        if target.shape.formation == Formation::Extended {
            sum.add(mods.vs_extended_line, "extended line", cite!("qrs.chargehome.k"));
        }
        if self.state.is_flank_charge(charger) {
            sum.add(mods.vs_flank_or_rear, "flank or rear", cite!("qrs.chargehome.l"));
        }
        if self.battle.level(target) > self.battle.level(body) || self.ledge(at, by) {
            sum.add(mods.uphill, "uphill", cite!("qrs.chargehome.m"));
        }
        if target.skirmishing() {
            sum.add(mods.vs_skirmishers, "against skirmishers", cite!("qrs.chargehome.n"));
        }
        if self.attached_helper(by).is_some() {
            sum.add(mods.sub_commander_attached, "sub-commander attached", cite!("qrs.chargehome.o"));
        }
        if self.has_brash_leader(by) {
            sum.add(mods.brash_attached, "brash leader attached", cite!("personality.c"));
        }
        if self.spirit(by) == Some(Personality::Cautious) {
            sum.add(mods.cautious_in_range, "cautious leader", cite!("personality.d"));
        }
        sum
    }

    /// Whether a charger still reaches a target that has gone to meet another one (R122, R24).
    fn within_reach(self, charger: &Charger, met: Option<i64>) -> bool {
        let start = self.charging_layout(charger);
        let rate = self.battle.rate(self.body(charger.line.by)).charge;
        met.is_some_and(|d| {
            let clear = self.clear_way(&charger.line, &start, start.pose.facing.dir(), d);
            d <= rate + EPS && clear.is_ok()
        })
    }
}

impl State {
    /// A flank or rear is struck; a march column shows nothing else (R26).
    fn is_flank_charge(&self, charger: &Charger) -> bool {
        charger.face != Face::Front || self.body(charger.line.at).shape.formation == Formation::MarchColumn
    }

    /// The gunners who left these guns.
    pub(crate) fn runner_of(&self, guns: BodyId) -> Option<BodyId> {
        let bmu = self.body(guns).bmu;
        self.on_table().find(|(_, b)| b.bmu == bmu && b.marks.has(Marks::CREW)).map(|(id, _)| id)
    }
}

impl<F: Effects> Run<'_, F> {
    pub(crate) fn charge_home(&mut self, index: usize) {
        self.state.agenda.pop();
        let charger = self.state.charge.chargers[index];
        let by = charger.line.by;
        if !charger.on || !self.state.body(by).on_table() {
            return;
        }
        let Some(target) = self.state.charge.targets.iter().find(|t| t.body == charger.line.at).copied()
        else {
            return;
        };
        if !target.pinned {
            let sum = self.at().home_number(index);
            let missed = self.missed_by(by, &sum, "Charge Home Test", cite!("qrs.chargehome.a"));
            if missed > 0 {
                self.fail_home(index, missed);
                return;
            }
        }
        if target.gone || !self.state.body(target.body).on_table() {
            self.take_place(index);
            self.state.charge.chargers[index].on = false;
            let quarry = target.body;
            let chased = if self.state.body(quarry).marks.has(Marks::ABANDONED) {
                self.state.runner_of(quarry)
            } else {
                Some(quarry)
            };
            if let Some(quarry) = chased.filter(|q| self.state.body(*q).on_table()) {
                self.state.agenda.push(Step::Pursue { by, quarry });
            }
            return;
        }
        if charger.line.rush {
            self.rush_fire(&charger);
            if !self.state.body(target.body).on_table() {
                self.take_place(index);
                return;
            }
        }
        self.close_with(index, &target);
    }

    /// A rush that closes fires once, at short range, as a unit that moved (R108).
    pub(crate) fn rush_fire(&mut self, charger: &Charger) {
        let (by, at) = (charger.line.by, charger.line.at);
        if self.at().may_fire(by, When::Rush).is_err() {
            return;
        }
        let stands = self.at().firing_stands(by).fronts.len() as u32;
        let target = self.at().layout(at);
        let aim = fire::Bearing {
            stands: (1 << stands) - 1,
            range: 0,
            band: 0,
            from: self.state.body(by).pose.at.pt(),
            through: None,
            flank: charger.face != Face::Front,
            fixed: None,
        };
        let order = FireOrder::plain(When::Rush, aim.stands);
        let shot = self.at().shot(by, at, &target, &aim, order);
        let hits = self.roll_shot(&shot);
        self.state.note_fired(by, Marks::FIRED_EARLY);
        self.apply_shot(by, at, None, hits);
    }

    /// Into contact (R65), the countercharge halfway (R37).
    pub(crate) fn close_with(&mut self, index: usize, target: &Charged) {
        let charger = self.state.charge.chargers[index];
        let (by, at) = (charger.line.by, charger.line.at);
        let mut start = self.at().charging_layout(&charger);
        let dir = start.pose.facing.dir();
        let counter = target.reaction == Reaction::Counter && target.fires_at == index as u8;
        if counter {
            self.meet_halfway(at, charger.d, dir.back());
        }
        if let Some(far) = self.at().held_up(&charger, &start) {
            let pose = start.pose.shifted(dir.times(far));
            self.state.put(self.battle, by, &start, pose);
            self.moved_early(by, &start);
            let what = "is held up by ground it did not know";
            self.tell_of(by, Kind::March, what, cite!("terrain.special.a"));
            return;
        }
        let met = touch_distance(&start, &self.at().layout(at), dir);
        let away = target.reaction == Reaction::Counter && !counter && !self.at().within_reach(&charger, met);
        let d = met.filter(|_| !away).unwrap_or(charger.d);
        if charger.line.files > 0 {
            start.shape.files = charger.line.files;
        }
        let landing = match away {
            true => None,
            false => self.at().square_up(by, &start, at, d, dir, charger.face),
        };
        let Some(pose) = landing else {
            let short = start.pose.shifted(dir.times((d - INCH / 2).max(0)));
            self.state.put(self.battle, by, &start, short);
            self.moved_early(by, &start);
            self.tell_of(by, Kind::March, "finds no room to close", cite!("melee.contact.b"));
            return;
        };
        let body = self.state.body_mut(by);
        body.pose = pose;
        body.shape = start.shape;
        body.marks.set(Marks::IMMUNE);
        self.moved_early(by, &start);
        self.state.open_bout(by, at, charger.face);
        let wall = self.at().wall_between(by, at);
        if let Some(bout) = self.state.bouts.iter_mut().find(|b| b.attacker == by && b.defender == at) {
            bout.charged = true;
            bout.countered = counter;
            if let Some(wall) = wall {
                bout.wall = Assault::over(wall as u8);
                bout.ladders = true;
            }
        }
        self.tell_of(by, Kind::Melee, "charges home", cite!("seq.charge.f"));
    }

    pub(crate) fn meet_halfway(&mut self, id: BodyId, gap: i64, dir: table::Dir) {
        let layout = self.at().layout(id);
        let mut far = (gap / 2).min(self.battle.rate(self.state.body(id)).charge);
        while far > 0 && !self.at().is_free(id, &layout.at(layout.pose.shifted(dir.times(far)))) {
            far -= INCH / 4;
        }
        if far > 0 {
            self.state.body_mut(id).pose = layout.pose.shifted(dir.times(far));
        }
        self.moved_early(id, &layout);
    }
}
