//! Melee: which stands fight, what their dice are divided by, who wins, who withdraws (melee.*, qrs.melee).

use arrayvec::ArrayVec;
use game::words::does;
use game::{Allowed, Die, Effects, Entry, Kind, No, RollNote, Rule, Sum};
use table::{EPS, INCH, Rect};

use crate::action::Action;
use crate::at::{At, Run};
use crate::cite;
use crate::legal::require;
use crate::rules::basics::{Formation, Layout};
use crate::rules::charts::Scale;
use crate::rules::contact::touches;
use crate::rules::melee;
use crate::rules::rolls::{losses, piece};
use crate::rules::rout::Flight;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::ground::Cover;
use crate::state::{BodyId, Bout, Face, MAX_BODIES, MAX_FOES, Marks, Order, Share, State};

/// The bodies of a melee: everyone connected by contact.
pub(crate) type Brawl = ArrayVec<BodyId, MAX_BODIES>;

/// The dice of one body, shared out among its opponents.
pub(crate) type Shares = ArrayVec<Share, MAX_FOES>;

impl State {
    /// Everyone in the melee that a body is in, in order.
    pub(crate) fn melee_of(&self, of: BodyId) -> Brawl {
        let mut all = Brawl::new();
        all.push(of);
        let mut next = 0;
        while next < all.len() {
            let id = all[next];
            for other in self.foes(id) {
                if !all.contains(&other) {
                    all.push(other);
                }
            }
            next += 1;
        }
        all.sort_unstable();
        all
    }

    /// The melees still to be fought this phase, by their first body.
    pub(crate) fn melees_to_fight(&self) -> Brawl {
        let mut out = Brawl::new();
        for bout in self.bouts.iter().filter(|b| !b.fought && !b.ladders) {
            let first = self.melee_of(bout.attacker)[0];
            if !out.contains(&first) {
                out.push(first);
            }
        }
        out
    }

    /// Fought on a flank or the rear, whoever else is before it, so that only touched stands reply until it turns (R66).
    pub(crate) fn is_flanked(&self, id: BodyId) -> bool {
        self.exposed_face(id).is_some()
    }

    /// The first face other than its front at which a body is fought.
    fn exposed_face(&self, id: BodyId) -> Option<Face> {
        let mut faces = self.bouts.iter().filter(|b| b.other_than(id).is_some()).map(|b| b.face_of(id));
        faces.find(|face| *face != Face::Front)
    }

    /// Whether a body in melee that passed its test may withdraw: not if it is touched on opposite faces (R74).
    pub(crate) fn may_withdraw(&self, id: BodyId) -> bool {
        let held = |face: Face| {
            let mut bouts = self.bouts.iter().filter(|b| b.other_than(id).is_some());
            bouts.any(|b| b.face_of(id) == face)
        };
        let both = |a, b| held(a) && held(b);
        !both(Face::Front, Face::Rear) && !both(Face::Left, Face::Right)
    }

    /// Stands turn to an enemy on a flank or the rear (R73): that face becomes the front, and the old front a flank.
    pub(crate) fn turn_to_face(&mut self, battle: &Battle, id: BodyId) {
        let Some(face) = self.exposed_face(id) else { return };
        let Some(turned) = At::new(battle, self).turned_to(id, face) else { return };
        let body = self.body_mut(id);
        (body.pose, body.shape) = (turned.pose, turned.shape);
        body.marks.set(Marks::MOVED);
        for bout in self.bouts.iter_mut().filter(|b| b.other_than(id).is_some()) {
            bout.set_face_of(id, bout.face_of(id).after(face.edge().bearing()));
        }
    }

    pub(crate) fn next_melee(&mut self) -> bool {
        let left = self.melees_to_fight();
        match left.len() {
            0 => {
                self.agenda.pop();
            }
            1 => self.open_melee(left[0]),
            _ => return false,
        }
        true
    }

    /// A melee is fought: whoever has several enemies first shares out his dice.
    pub(crate) fn open_melee(&mut self, of: BodyId) {
        self.turn_of = self.turn_of.enemy();
        self.shares.clear();
        self.agenda.push(Step::Brawl { body: of });
        self.agenda.push(Step::Splits { of });
    }

    /// The next in a melee who has several enemies and has not shared out his dice yet.
    pub(crate) fn next_split(&mut self, battle: &Battle, of: BodyId) {
        let open = |id: &&BodyId| {
            self.foes(**id).count() > 1
                && !self.shares.iter().any(|s| s.by == **id)
                && At::new(battle, self).melee_dice(**id).dice > 0
        };
        match self.melee_of(of).iter().find(open) {
            Some(body) => self.agenda.push(Step::Split { body: *body }),
            None => {
                self.agenda.pop();
            }
        }
    }

    /// The next who passed its test and is still at blows is asked what it does.
    pub(crate) fn ask_the_steady(&mut self, next: u8) {
        let steady = |id: &BodyId| {
            let body = self.body(*id);
            body.on_table() && body.marks.has(Marks::STEADY) && self.at_blows(*id)
        };
        match (next..self.bodies.len() as u8).map(BodyId).find(steady) {
            Some(body) => {
                self.agenda.replace(Step::AfterTests { next: body.0 + 1 });
                self.agenda.push(Step::AfterTest { body });
            }
            None => {
                self.agenda.pop();
            }
        }
    }

    pub(crate) fn may_fight(&self, of: BodyId) -> Allowed {
        require(self.melees_to_fight().contains(&of), cite!("seq.melee.a"), "there is no such melee to fight")
    }

    pub(crate) fn check_withdrawal(&self, body: BodyId) -> Allowed {
        let why = "it is held on opposite faces and cannot withdraw";
        require(self.may_withdraw(body), cite!("melee.withdraw.a"), why)
    }
}

/// How many dice a body rolls and what its other stands add (R66, R67).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dice {
    pub dice: u8,
    pub bonus: u8,
    pub rule: Rule,
}

impl At<'_> {
    /// The dice of a body in its melee.
    pub(crate) fn melee_dice(self, id: BodyId) -> Dice {
        let body = self.body(id);
        let layout = body.layout(self.battle);
        let stands = layout.stands;
        let enemies: ArrayVec<Layout, MAX_FOES> = self.state.foes(id).map(|o| self.layout(o)).collect();
        let none = |dice, rule| Dice { dice, bonus: 0, rule };
        if body.order == Order::Routed {
            return none(0, cite!("melee.stands.g"));
        }
        if self.battle.arm(body).is_artillery() {
            let served = stands - u8::from((body.lost + body.fresh) % 4 == 3);
            let dice = if body.shape.formation == Formation::Limbered { 0 } else { served };
            return none(dice, cite!("qrs.melee.a"));
        }
        let rects = layout.rects();
        // The gaps of an open line are closed to whoever stands before them.
        let against =
            |r: &Rect, e: &Layout| touches(r, &e.block()) || e.rects().iter().any(|o| touches(r, o));
        let touching = |r: &Rect| enemies.iter().any(|e| against(r, e));
        if body.shape.formation == Formation::Square {
            return none((u16::from(stands) * 3 / 4).max(1) as u8, cite!("melee.stands.e"));
        }
        // A march column is flanked whatever the face (basics.formations.a).
        if self.state.is_flanked(id) || body.shape.formation == Formation::MarchColumn {
            let touched = rects.iter().filter(|r| touching(r)).count() as u8;
            return none(touched, cite!("melee.stands.f"));
        }
        if body.skirmishing() {
            let front = usize::from(layout.in_rank(0));
            let near = rects[..front].iter().filter(|r| {
                enemies.iter().any(|e| e.rects().iter().any(|o| r.distance(o) <= 2 * INCH + EPS))
            });
            return none(near.count() as u8, cite!("skirmish.i"));
        }
        let front = usize::from(layout.in_rank(0));
        let files: ArrayVec<bool, 12> = rects[..front].iter().map(touching).collect();
        let (first, last) = (files.iter().position(|t| *t), files.iter().rposition(|t| *t));
        let (Some(first), Some(last)) = (first, last) else {
            return none(0, cite!("melee.stands.c"));
        };
        let assault = self
            .state
            .bouts
            .iter()
            .any(|b| b.wall.wall().is_some() && (b.attacker == id || b.defender == id));
        let one_row = assault || self.battle.scale == Scale::Company;
        let ranks = if one_row { 1 } else { self.battle.tables.melee.ranks_counted };
        let horse = body.mounted(self.battle);
        let overlap = usize::from(if horse {
            self.battle.tables.melee.overlap_cavalry
        } else {
            self.battle.tables.melee.overlap_infantry
        });
        let in_contact = files.iter().filter(|t| **t).count() as u8;
        let mut dice = in_contact;
        for rank in 1..ranks.min(layout.ranks()) {
            dice += in_contact.min(layout.in_rank(rank));
        }
        let gaps = (last - first + 1) as u8 - in_contact;
        dice += gaps + (first.min(overlap) + (front - 1 - last).min(overlap)) as u8;
        let dice = dice.min(stands);
        if assault {
            return none(dice, cite!("fort.assault.e"));
        }
        let rule = if horse { cite!("melee.stands.b") } else { cite!("melee.stands.a") };
        Dice { dice, bonus: stands - dice, rule }
    }

    /// The divisor of a body's dice against one opponent (qrs.melee).
    pub(crate) fn melee_divisor(self, by: BodyId, at: BodyId, bout: &Bout) -> Sum {
        let (body, enemy) = (self.body(by), self.body(at));
        let info = self.battle.info(body);
        let mods = &self.battle.tables.melee.divisor_modifiers;
        let attacks = bout.attacker == by;
        let assault = bout.wall.wall().is_some();
        let (mine, theirs) = (body.layout(self.battle), enemy.layout(self.battle));
        let mut sum = Sum::of(self.battle.tables.melee.divisor_base, "base", cite!("qrs.melee.a"));
        if assault && attacks {
            sum.add(mods.in_march_column, "up the ladders", cite!("fort.assault.f"));
        } else if body.shape.formation == Formation::MarchColumn {
            sum.add(mods.in_march_column, "march column", cite!("qrs.melee.c"));
        }
        let charged = (attacks && bout.charged) || (!attacks && bout.countered);
        let into_woods = charged && body.mounted(self.battle) && self.battle.in_woods(&theirs);
        match body.order {
            Order::Shaken => sum.add(mods.shaken, "shaken", cite!("qrs.melee.d")),
            Order::Suppressed => sum.add(mods.suppressed, "suppressed", cite!("qrs.melee.d")),
            _ if into_woods => sum.add(mods.suppressed, "cavalry against woods", cite!("melee.cover.d")),
            _ => {}
        }
        // Cover helps the one who received the charge (R68), and only works and walls give it (melee.cover.b).
        if attacks {
            let cover = self.cover(&theirs, Some(mine.centre()), true);
            let cover = if assault { Cover::Heavy } else { cover };
            match cover {
                Cover::None => {}
                Cover::Light => sum.add(mods.vs_light_cover, "light cover", cite!("qrs.melee.e")),
                Cover::Heavy if assault => sum.add(mods.vs_hard_cover, "the wall", cite!("fort.assault.f")),
                Cover::Heavy => sum.add(mods.vs_hard_cover, "hard cover", cite!("qrs.melee.e")),
            }
        }
        if self.battle.level(enemy) > self.battle.level(body) || self.ledge(at, by) {
            sum.add(mods.vs_uphill, "uphill", cite!("qrs.melee.f"));
        }
        if self.battle.info(enemy).armored {
            sum.add(mods.vs_armored, "armoured enemy", cite!("qrs.melee.g"));
        }
        sum.add(mods.rating(info.melee), "melee rating", cite!("qrs.melee.h"));
        if !body.shape.formation.is_loose() && enemy.shape.formation.is_loose() {
            sum.add(mods.formed_vs_mob_or_skirmishers, "formed against loose", cite!("qrs.melee.i"));
        }
        let covered = self.cover(&theirs, Some(mine.centre()), false) > Cover::None;
        if charged && !assault && !covered && !into_woods && !body.marks.has(Marks::RUSH) {
            sum.add(mods.charged_this_round, "charged", cite!("qrs.melee.j"));
        }
        if body.marks.has(Marks::WON) && bout.rounds > 0 {
            sum.add(mods.won_last_round, "won the last round", cite!("qrs.melee.k"));
        }
        if info.lances && bout.rounds == 0 {
            sum.add(mods.lances_first_round, "lances", cite!("qrs.melee.l"));
        }
        if enemy.shape.formation == Formation::MarchColumn {
            sum.add(mods.flank_attack, "march column is flanked", cite!("basics.formations.a"));
        } else {
            match bout.face_of(at) {
                Face::Left | Face::Right => sum.add(mods.flank_attack, "flank", cite!("qrs.melee.m")),
                Face::Rear => sum.add(mods.rear_attack, "rear", cite!("qrs.melee.n")),
                Face::Front => {}
            }
        }
        sum
    }

    /// How the dice of a body are shared among its opponents: as its owner allotted them, else evenly (R72).
    pub(crate) fn even_shares(self, by: BodyId) -> Shares {
        let given: Shares = self.state.shares.iter().filter(|s| s.by == by).copied().collect();
        if !given.is_empty() {
            return given;
        }
        let all = self.melee_dice(by).dice;
        let against: ArrayVec<BodyId, MAX_FOES> = self.state.foes(by).collect();
        let n = against.len().max(1) as u8;
        let shares = against.iter().enumerate();
        shares.map(|(i, at)| Share { by, at: *at, dice: all / n + u8::from((i as u8) < all % n) }).collect()
    }

    /// Checks how a body's dice are allotted.
    pub(crate) fn check_shares(self, by: BodyId, shares: &[Share]) -> Allowed {
        let all = self.melee_dice(by).dice;
        let against: ArrayVec<BodyId, MAX_FOES> = self.state.foes(by).collect();
        let sum: u32 = shares.iter().map(|s| u32::from(s.dice)).sum();
        let each = against.iter().all(|o| shares.iter().filter(|s| s.at == *o).count() == 1)
            && shares.len() == against.len();
        if !each || sum != u32::from(all) {
            return Err(No::new(cite!("melee.multiple.b"), "every die goes to one of its opponents, whole"));
        }
        if usize::from(all) >= against.len() && shares.iter().any(|s| s.dice == 0) {
            return Err(No::new(
                cite!("melee.multiple.b"),
                "with dice enough each opponent gets one at least",
            ));
        }
        Ok(())
    }

    /// Whether a body fought elsewhere than on its front can turn there.
    pub(crate) fn may_turn(self, id: BodyId) -> bool {
        self.state.exposed_face(id).is_some_and(|face| self.turned_to(id, face).is_some())
    }

    pub(crate) fn offer_splits(self, body: BodyId, out: &mut Vec<Action>) {
        let even = self.even_shares(body);
        let n = even.len();
        let mut push = |shares: melee::Shares| {
            let action = Action::Split(shares);
            if !out.contains(&action) {
                out.push(action);
            }
        };
        push(even.clone());
        let all: u8 = even.iter().map(|s| s.dice).sum();
        let least = u8::from(usize::from(all) >= n);
        for heavy in 0..n {
            let mut shares = even.clone();
            for (i, share) in shares.iter_mut().enumerate() {
                share.dice = if i == heavy { all - least * (n as u8 - 1) } else { least };
            }
            push(shares);
        }
    }

    pub(crate) fn offer_after_test(self, body: BodyId, out: &mut Vec<Action>) {
        out.push(Action::Stay);
        if self.may_turn(body) {
            out.push(Action::Turn);
        }
        if self.state.may_withdraw(body) {
            out.push(Action::Withdraw);
        }
    }

    pub(crate) fn check_turn(self, body: BodyId) -> Allowed {
        let why = if self.state.is_flanked(body) {
            "there is no room to turn"
        } else {
            "it faces its enemy already"
        };
        require(self.may_turn(body), cite!("melee.withdraw.b"), why)
    }

    /// Whether a body that passed its test has anything to choose.
    pub(crate) fn has_choice_after_test(self, body: BodyId) -> bool {
        self.state.at_blows(body)
            && self.body(body).on_table()
            && (self.state.may_withdraw(body) || self.may_turn(body))
    }
}

impl<F: Effects> Run<'_, F> {
    /// Fights one melee: all roll on the state at its start, losses fall together (R71).
    pub(crate) fn fight_melee(&mut self, of: BodyId) {
        let all = self.state.melee_of(of);
        let mut blows: ArrayVec<(BodyId, BodyId, u16), { 2 * MAX_BODIES }> = ArrayVec::new();
        for by in &all {
            let whole = self.at().melee_dice(*by);
            for (i, part) in self.at().even_shares(*by).iter().enumerate() {
                let bout = self.state.bouts.iter().find(|b| {
                    (b.attacker == *by && b.defender == part.at)
                        || (b.defender == *by && b.attacker == part.at)
                });
                let Some(bout) = bout.copied() else { continue };
                let bonus = if i == 0 {
                    u16::from(whole.bonus) * self.battle.tables.melee.remaining_stand_bonus
                } else {
                    0
                };
                if part.dice == 0 && bonus == 0 {
                    continue;
                }
                let hits = self.strike_blow(*by, part, bonus, &bout, whole.rule);
                blows.push((*by, part.at, hits));
            }
        }
        self.settle_melee(&all, &blows);
    }

    fn strike_blow(&mut self, by: BodyId, part: &Share, bonus: u16, bout: &Bout, rule: Rule) -> u16 {
        let sum = self.at().melee_divisor(by, part.at, bout);
        let divisor = sum.total().max(self.battle.tables.melee.divisor_min) as u16;
        let casualties = |rolled: u16| ((rolled + bonus) / divisor) as i16;
        let note = |at: At<'_>| {
            let plus = if bonus > 0 { format!(", {bonus} for stands behind") } else { String::new() };
            let text = format!("{} {}{plus}", does(&at.name(by), "strikes"), at.name(part.at));
            let most = 6 * u16::from(part.dice);
            RollNote::new(text, rule)
                .outcomes((0..=most).map(|rolled| losses(casualties(rolled))))
                .side(at.side_of(by))
                .by(piece(by))
                .at(piece(part.at))
                .modifiers(sum.modifiers())
        };
        self.graded(part.dice, Die::D6, casualties, note) as u16
    }

    fn settle_melee(&mut self, all: &[BodyId], blows: &[(BodyId, BodyId, u16)]) {
        let before: ArrayVec<Layout, MAX_BODIES> = all.iter().map(|id| self.at().layout(*id)).collect();
        for (by, at, hits) in blows {
            self.state.strike(self.battle, *at, *hits);
            self.tell(|here| {
                let (name, lost) = (here.name(*at), losses(*hits));
                Entry::new(Kind::Loss, format!("{} {lost} in melee.", does(&name, "takes")))
                    .side(here.side_of(*at))
                    .rule(cite!("melee.multiple.a"))
                    .piece(piece(*at))
                    .piece(piece(*by))
            });
        }
        let side = self.at().side_of(all[0]);
        let inflicted = |mine: bool| -> u16 {
            blows.iter().filter(|(by, _, _)| (self.at().side_of(*by) == side) == mine).map(|b| b.2).sum()
        };
        let (ours, theirs) = (inflicted(true), inflicted(false));
        for id in all {
            let won = if self.at().side_of(*id) == side { ours > theirs } else { theirs > ours };
            let body = self.state.body_mut(*id);
            body.marks.clear(Marks::WON);
            if won {
                body.marks.set(Marks::WON);
                self.tell_of(*id, Kind::Melee, "has the better of it", cite!("qrs.morale.l"));
            }
        }
        for bout in self.state.bouts.iter_mut().filter(|b| !b.ladders && all.contains(&b.attacker)) {
            bout.fought = true;
            bout.rounds = bout.rounds.saturating_add(1);
        }
        for id in all {
            if self.state.body(*id).stands(self.battle) == 0 {
                self.tell_of(*id, Kind::Gone, "is cut down", cite!("basics.casualties.b"));
                self.state.remove(*id);
            }
            self.run_down(*id);
        }
        for (id, before) in all.iter().zip(&before) {
            self.close_up(*id, before);
        }
    }

    /// A body leaves its melee, Suppressed (melee.withdraw.a).
    pub(crate) fn withdraw(&mut self, body: BodyId) {
        let cause = self.state.opponents(body).next().map(|(_, o)| o);
        self.tell_of(body, Kind::Retreat, "withdraws from the melee", cite!("melee.withdraw.a"));
        self.flee(body, Flight { cause, order: Order::Suppressed, later: false });
    }
}
