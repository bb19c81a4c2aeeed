//! Morale: tests, their failures, rallying, recovery (morale.*, seq.morale, qrs.morale, R125).

use arrayvec::ArrayVec;
use game::words::does;
use game::{Allowed, Die, Effects, Kind, No, RollNote, Side, Sum, Test};
use serde::{Deserialize, Serialize};
use table::{EPS, INCH, Pt};

use crate::action::Action;
use crate::at::{At, Run};
use crate::cite;
use crate::legal::require;
use crate::rules::basics::{Formation, Layout, Shape};
use crate::rules::rolls::rolled_by;
use crate::rules::rout::{Flight, on_table, rally_point};
use crate::rules::sequence::{Phase, Step};
use crate::setup::battle::Battle;
use crate::setup::ground::Cover;
use crate::state::{Body, BodyId, LeaderId, MAX_BODIES, Marks, Order, Part, Personality, State, Where};

/// Why a body tests its morale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Cause {
    /// It wants to charge.
    Charging,
    /// It is charged by this body.
    Charged(BodyId),
    /// The test of the Morale Phase.
    Phase,
    /// Friends ran through it, away from this enemy.
    RunThrough(Option<BodyId>),
    /// Its inspiring leader has fallen.
    LeaderKilled,
}

impl At<'_> {
    /// The number a body must reach (qrs.morale).
    pub(crate) fn morale_number(self, id: BodyId, cause: Cause) -> Sum {
        let body = self.body(id);
        let mods = &self.battle.tables.test.morale.modifiers;
        let mut sum = Sum::of(self.battle.tables.test.morale.base, "base", cite!("qrs.morale.a"));
        let state_of = match body.order {
            Order::Good => 0,
            Order::Suppressed => mods.suppressed,
            Order::Shaken => mods.shaken,
            Order::Routed => mods.routed,
        };
        sum.add(state_of, body.order.name(), cite!("qrs.morale.b"));
        let percent = self.state.percent_lost(self.battle, body.bmu);
        let losses = match percent {
            70.. => mods.casualties_70,
            50.. => mods.casualties_50,
            20.. => mods.casualties_20,
            _ => 0,
        };
        sum.add(losses, "casualties", cite!("qrs.morale.c"));
        if body.shape.formation == Formation::Mob {
            sum.add(mods.mob, "mob", cite!("qrs.morale.d"));
        }
        if matches!(cause, Cause::Charged(_)) {
            sum.add(mods.charged, "charged", cite!("qrs.morale.e"));
        }
        if body.marks.has(Marks::SURPRISED) {
            sum.add(mods.surprised, "surprised", cite!("qrs.morale.f"));
        }
        if self.flank_threat(id) {
            sum.add(mods.flank_threat, "flank threatened", cite!("qrs.morale.g"));
        }
        sum.add(mods.rating(self.battle.info(body).morale), "morale rating", cite!("qrs.morale.h"));
        let cover = match self.cover(&body.layout(self.battle), self.enemy_point(id, cause), false) {
            Cover::None => 0,
            Cover::Light => mods.light_cover,
            Cover::Heavy => mods.heavy_cover,
        };
        sum.add(cover, "cover", cite!("qrs.morale.i"));
        self.add_leaders(id, &mut sum);
        let support = if body.marks.has(Marks::BOX) { 2 } else { self.morale_supporters(id) };
        match support {
            0 => {}
            _ if body.marks.has(Marks::BOX) => sum.add(mods.supported_by_2, "in a box", cite!("box.c")),
            1 => sum.add(mods.supported_by_1, "supported", cite!("qrs.morale.k")),
            _ => sum.add(mods.supported_by_2, "supported", cite!("qrs.morale.k")),
        }
        if body.marks.has(Marks::WON) && cause == Cause::Phase && body.marks.has(Marks::IN_MELEE) {
            sum.add(mods.won_melee, "won its melee", cite!("qrs.morale.l"));
        }
        if cause == Cause::LeaderKilled {
            sum.add(mods.inspiring_killed, "inspiring leader killed", cite!("personality.h"));
        }
        sum
    }

    fn add_leaders(self, id: BodyId, sum: &mut Sum) {
        let mods = &self.battle.tables.test.morale.modifiers;
        let overall = self.battle.overall(self.side_of(id));
        let sub = self.helping(id);
        if sub.is_some() {
            sum.add(mods.sub_commander, "sub-commander", cite!("qrs.morale.j"));
        }
        // For units directly under him the overall commander stands in for the sub-commander and counts once (R90).
        if let Some(overall) = overall.filter(|l| Some(*l) != sub && self.in_range(*l, id)) {
            let _ = overall;
            sum.add(mods.overall_commander, "overall commander", cite!("qrs.morale.j"));
        }
        let inspiring = sub.filter(|l| self.state.leaders[l.i()].personality == Personality::Inspiring);
        if let Some(leader) = inspiring {
            let attached = self.state.leaders[leader.i()].attached == Some(id);
            let value = if attached { mods.inspiring_attached } else { mods.inspiring_in_range };
            sum.add(value, "inspiring", cite!("personality.g"));
        }
    }

    /// Friends within 4 in, in whatever order (R86), two at the most.
    pub(crate) fn morale_supporters(self, id: BodyId) -> usize {
        let body = self.body(id);
        let mine = body.layout(self.battle);
        let near = mine.block().bounds.grown(4 * INCH + EPS);
        let friends = self.state.on_table().filter(|(other, b)| {
            *other != id
            && b.bmu != body.bmu
            && self.battle.side(b) == self.battle.side(body)
            // Guns that nobody serves are no unit of anybody's (R38).
            && !b.marks.has(Marks::ABANDONED)
        });
        let mut bmus: arrayvec::ArrayVec<u8, 2> = arrayvec::ArrayVec::new();
        for (_, b) in friends {
            let theirs = b.layout(self.battle);
            if bmus.contains(&b.bmu) || !theirs.may_meet(&near) || !theirs.block().bounds.meets(&near) {
                continue;
            }
            if mine.distance(&theirs) <= 4 * INCH + EPS {
                bmus.push(b.bmu);
            }
            if bmus.is_full() {
                break;
            }
        }
        bmus.len()
    }

    /// An enemy in sight, within its own Charge rate, with a stand behind the front line (R87).
    pub(crate) fn flank_threat(self, id: BodyId) -> bool {
        let body = self.body(id);
        if matches!(body.shape.formation, Formation::Square | Formation::Skirmish)
            || body.marks.has(Marks::BOX)
        {
            return false;
        }
        let mine = body.layout(self.battle);
        self.state.on_table().any(|(other, b)| {
            if self.battle.side(b) == self.battle.side(body)
                || b.order.broken()
                || b.marks.unsighted()
                || b.marks.has(Marks::ABANDONED)
            {
                return false;
            }
            let rate = self.battle.rate(b).charge;
            let theirs = b.layout(self.battle);
            theirs.may_be_within(&mine, rate + EPS)
                && theirs.block().distance(&mine.block()) <= rate + EPS
                && theirs.centres().iter().any(|&stand| mine.behind_front(stand))
                && theirs.distance(&mine) <= rate + EPS
                && self.sees(other, id)
        })
    }

    /// The point from which cover is judged (R61).
    pub(crate) fn enemy_point(self, id: BodyId, cause: Cause) -> Option<Pt> {
        if let Cause::Charged(by) = cause {
            return Some(self.layout(by).centre());
        }
        if let Some((_, other)) = self.state.opponents(id).next() {
            return Some(self.layout(other).centre());
        }
        if self.battle.lines.is_empty() {
            return None;
        }
        let body = self.body(id);
        let mine = body.layout(self.battle);
        let enemies = self
            .state
            .on_table()
            .filter(|(_, b)| self.battle.side(b) != self.battle.side(body) && !b.marks.unsighted());
        let seen = enemies.filter(|(other, _)| self.sees(id, *other));
        seen.map(|(_, b)| (b.layout(self.battle).distance(&mine), b.layout(self.battle).centre()))
            .min_by_key(|p| p.0)
            .map(|p| p.1)
    }

    /// Beyond the medium range of every enemy, in cover, or at the edge (R83).
    pub(crate) fn has_stopped(self, id: BodyId) -> bool {
        let body = self.body(id);
        let layout = body.layout(self.battle);
        if self.cover(&layout, self.enemy_point(id, Cause::Phase), false) > Cover::None {
            return true;
        }
        // A Group halts when it has come to its rally point (fort.rally.a).
        let goal = rally_point(self.battle, body, layout.centre());
        if goal.is_some_and(|goal| layout.distance_to(goal) <= EPS) {
            return true;
        }
        let b = layout.block().bounds;
        let edge = b.lo.x <= EPS
            || b.lo.y <= EPS
            || b.hi.x >= self.battle.top.width - EPS
            || b.hi.y >= self.battle.top.height - EPS;
        edge || !self.state.on_table().any(|(_, enemy)| {
            let range = self.battle.info(enemy).weapon.ranges[1];
            self.battle.side(enemy) != self.battle.side(body)
                && !enemy.marks.has(Marks::ABANDONED)
                && enemy.layout(self.battle).distance(&layout) <= range + EPS
        })
    }

    /// Read from the state in which all have tested.
    fn morale_fate(self, id: BodyId, missed: i16) -> Fate {
        let body = self.body(id);
        match body.order {
            Order::Routed if missed > 0 => Fate::Removed,
            Order::Routed => Fate::Rallies,
            // With new hits the test is an ordinary one, but only a rout is worse than what it is (R84).
            Order::Shaken if missed >= 4 && self.state.fresh_hits(body) > 0 => Fate::GoesBack(missed),
            Order::Shaken if missed == 0 && self.has_stopped(id) => Fate::Rallies,
            Order::Shaken => Fate::None,
            _ if missed > 1 => Fate::GoesBack(missed),
            _ if missed == 1 => Fate::Stands,
            _ if self.is_drawn_back(id) => Fate::DrawnBack,
            _ => Fate::Steady,
        }
    }

    /// Who tests (seq.morale.a, R83, R85).
    pub(crate) fn must_test(self, id: BodyId) -> bool {
        let body = self.body(id);
        if !body.on_table() || body.stands(self.battle) == 0 || body.marks.has(Marks::ABANDONED) {
            return false;
        }
        if body.part == Part::Skirmishers {
            return false;
        }
        let touched = self.state.at_blows(id);
        let fresh = self.state.fresh_hits(body);
        match body.order {
            Order::Routed => {
                fresh == 0
                    && !touched
                    && !body.marks.has(Marks::JUST_ROUTED.and(Marks::HIT).and(Marks::RALLIED))
            }
            Order::Shaken => fresh > 0 || touched || self.has_stopped(id),
            _ => fresh > 0 || touched,
        }
    }

    /// The melee enemy, else whoever hit it most (R81); the engine keeps the last who did, else the nearest enemy.
    pub(crate) fn cause_of(self, id: BodyId) -> Option<BodyId> {
        let body = self.body(id);
        let melee = self.state.opponents(id).next().map(|(_, other)| other);
        let hit_by =
            body.other.filter(|o| self.body(*o).on_table() && self.side_of(*o) != self.battle.side(body));
        melee
            .or(hit_by)
            .or_else(|| self.nearest_enemy(self.battle.side(body), &body.layout(self.battle)).map(|n| n.0))
    }

    /// Under a Cautious sub-commander a unit at 25 percent falls back though it passed (R93).
    pub(crate) fn is_drawn_back(self, id: BodyId) -> bool {
        self.spirit(id) == Some(Personality::Cautious)
            && self.state.percent_lost(self.battle, self.body(id).bmu) >= 25
    }

    /// The shapes a rallied body may take without lying in anybody; last, as it is.
    pub(crate) fn reforms(self, id: BodyId, out: &mut Vec<Shape>) {
        let body = self.body(id);
        let arm = self.battle.arm(body);
        let stands = body.fighting(self.battle);
        let two_deep = if stands > 3 { stands.div_ceil(2) } else { 0 };
        for (formation, files) in [
            (Formation::Unlimbered, 0),
            (Formation::Line, 0),
            (Formation::Line, two_deep),
            (Formation::AttackColumn, 2),
            (Formation::Extended, 0),
            (Formation::Skirmish, 0),
            (Formation::MarchColumn, 0),
        ] {
            let shape = Shape::of(formation, arm, stands, files);
            if self.may_reform(id, formation, shape.files).is_ok() && !out.contains(&shape) {
                out.push(shape);
            }
        }
        if !out.contains(&body.shape) {
            out.push(body.shape);
        }
    }

    /// Whether a rallied body may take a formation: any that its arm and its order allow, where there is room
    /// (morale.rally.d).
    pub(crate) fn may_reform(self, id: BodyId, formation: Formation, files: u8) -> Allowed {
        let body = self.body(id);
        if formation == body.shape.formation && files == body.shape.files {
            return Ok(());
        }
        if formation == Formation::Mob {
            return Err(No::new(cite!("morale.rally.d"), "it rallies into a formation, or stays as it is"));
        }
        let layout = body.layout(self.battle);
        self.may_form(id, &layout, formation, files)?;
        let shape = Shape::of(formation, self.battle.arm(body), layout.stands, files);
        match self.place_reformed(id, shape) {
            Some(_) => Ok(()),
            None => Err(No::new(cite!("morale.rally.d"), "there is no room for that formation")),
        }
    }

    /// Where a rallied body stands in a new shape: about its middle, in touch with whoever is at blows with it.
    pub(crate) fn place_reformed(self, id: BodyId, shape: Shape) -> Option<Layout> {
        let body = self.body(id);
        let there = body.layout(self.battle).rearranged(shape, body.pose.facing);
        if self.state.in_melee(id) {
            return self.reshaped(id, &there).map(|pose| there.at(pose));
        }
        self.is_free(id, &there).then_some(there)
    }

    /// Whether a body may try to recover stands (morale.rally.e).
    pub(crate) fn may_recover(self, id: BodyId) -> bool {
        let body = self.body(id);
        body.on_table()
            && !body.order.broken()
            && body.strength - body.stands(self.battle) > 0
            && !self.state.bmus[usize::from(body.bmu)].recovered
            && !self.engaged(id)
            && self.in_command(id)
    }

    /// Sides with somebody who may try to recover.
    pub(crate) fn recoverers(self, side: Side) -> bool {
        self.state.on_table().any(|(id, b)| self.battle.side(b) == side && self.may_recover(id))
    }

    pub(crate) fn offer_reforms(self, body: BodyId, out: &mut Vec<Action>) {
        let mut found = Vec::new();
        self.reforms(body, &mut found);
        for shape in found {
            let action = Action::Reform { formation: shape.formation, files: shape.files };
            if !out.contains(&action) {
                out.push(action);
            }
        }
    }

    pub(crate) fn offer_recoveries(self, side: Side, out: &mut Vec<Action>) {
        let able =
            self.state.on_table().filter(|(id, b)| self.battle.side(b) == side && self.may_recover(*id));
        out.extend(able.map(|(id, _)| Action::Recover(id)));
    }

    pub(crate) fn check_recovery(self, id: BodyId) -> Allowed {
        let why = "once a battle, outside engagement distance, in command, neither Shaken nor Routed";
        require(self.may_recover(id), cite!("morale.rally.e"), why)
    }
}

impl<F: Effects> Run<'_, F> {
    /// Rolls a Morale Test; gives by how much it was missed, 0 for a pass.
    pub(crate) fn roll_morale(&mut self, id: BodyId, cause: Cause) -> i16 {
        let sum = self.at().morale_number(id, cause);
        self.missed_by(id, &sum, "Morale Test", cite!("morale.test.b"))
    }

    /// Applies a failed test that follows the failure chart: states now, moves at once (qrs.failure, morale.retreat.i).
    pub(crate) fn fail_morale(&mut self, id: BodyId, missed: i16, cause: Option<BodyId>) {
        self.state.bar_from_moving(id);
        // Shaken men who fail again only rout (R84); Routed ones only flee.
        let before = self.state.body(id).order;
        if before.broken() && (before == Order::Routed || missed < 4) {
            return;
        }
        match missed {
            1 => self.stand_suppressed(id),
            _ => self.go_back(id, missed, cause),
        }
    }

    fn stand_suppressed(&mut self, id: BodyId) {
        self.state.worsen(id, Order::Suppressed);
        self.tell_of(id, Kind::Loss, "stands Suppressed", cite!("qrs.failure.a"));
    }

    /// The compulsory move of a test missed by two or more (qrs.failure).
    fn go_back(&mut self, id: BodyId, missed: i16, cause: Option<BodyId>) {
        match missed {
            2 => self.retreat(id, cause),
            3 => {
                self.tell_of(id, Kind::Retreat, "is Shaken and runs", cite!("qrs.failure.c"));
                self.flee(id, Flight { cause, order: Order::Shaken, later: false });
            }
            _ => self.rout_now(id, cause),
        }
    }

    /// Half a move back, Suppressed.
    pub(crate) fn retreat(&mut self, id: BodyId, cause: Option<BodyId>) {
        self.tell_of(id, Kind::Retreat, "retreats Suppressed", cite!("qrs.failure.b"));
        self.flee(id, Flight { cause, order: Order::Suppressed, later: false });
    }

    fn rout_now(&mut self, id: BodyId, cause: Option<BodyId>) {
        self.tell_of(id, Kind::Retreat, "routs", cite!("qrs.failure.d"));
        self.state.body_mut(id).marks.set(Marks::JUST_ROUTED);
        self.flee(id, Flight { cause, order: Order::Routed, later: false });
    }

    /// The next of those whom others provoked tests.
    pub(crate) fn next_provoked(&mut self) {
        let due = Marks::RUN_THROUGH.and(Marks::LEADER_FELL);
        let Some(id) = self.state.on_table().find(|(_, b)| b.marks.has(due)).map(|(id, _)| id) else {
            self.state.agenda.pop();
            return;
        };
        let body = self.state.body_mut(id);
        let (why, cause) = match body.marks.has(Marks::RUN_THROUGH) {
            true => (Marks::RUN_THROUGH, Cause::RunThrough(body.shover)),
            false => (Marks::LEADER_FELL, Cause::LeaderKilled),
        };
        body.marks.clear(why);
        self.test_now(id, cause);
    }

    /// A test that somebody else's misfortune provokes, with its results at once.
    fn test_now(&mut self, id: BodyId, cause: Cause) {
        if !self.state.body(id).on_table() || self.state.body(id).order == Order::Routed {
            return;
        }
        let missed = self.roll_morale(id, cause);
        if missed > 0 {
            let from = match cause {
                Cause::RunThrough(enemy) => enemy,
                Cause::Charged(by) => Some(by),
                _ => self.at().cause_of(id),
            };
            self.fail_morale(id, missed, from);
        }
    }

    /// The next body that must test does; its result waits, and takes effect when all have tested.
    pub(crate) fn test_next(&mut self, next: u8) {
        let tester = (next..self.state.bodies.len() as u8).map(BodyId).find(|id| self.at().must_test(*id));
        let Some(id) = tester else {
            self.state.agenda.pop();
            return self.change_in_order();
        };
        self.state.agenda.replace(Step::MoraleTests { next: id.0 + 1 });
        let missed = self.roll_morale(id, Cause::Phase);
        let body = self.state.body_mut(id);
        body.missed = missed as i8;
        body.marks.set(Marks::RESULT);
    }

    /// All results change the states of those who tested before anybody moves (R125); then the side that lost the Movement
    /// initiative moves its unfortunate units first (R21).
    fn change_in_order(&mut self) {
        let tested = self.state.on_table().filter(|(_, b)| b.marks.has(Marks::RESULT));
        let fates: ArrayVec<(BodyId, Fate), MAX_BODIES> =
            tested.map(|(id, body)| (id, self.at().morale_fate(id, i16::from(body.missed)))).collect();
        self.state.agenda.push(Step::GoBacks);
        self.state.agenda.push(Step::Reforms);
        for (id, fate) in fates {
            self.state.body_mut(id).marks.clear(Marks::RESULT);
            self.change_by_fate(id, fate);
        }
    }

    /// The next whom its test moves goes back, those of the side that lost the Movement initiative first.
    pub(crate) fn next_goes_back(&mut self) {
        let due = |side: Side| {
            let mut all = self.state.on_table().filter(|(_, b)| self.battle.side(b) == side);
            all.find(|(_, b)| b.marks.has(Marks::GOES_BACK)).map(|(id, _)| id)
        };
        let Some(id) = due(self.state.mover.enemy()).or_else(|| due(self.state.mover)) else {
            self.state.agenda.pop();
            return;
        };
        let body = self.state.body_mut(id);
        body.marks.clear(Marks::GOES_BACK);
        let missed = i16::from(body.missed);
        self.goes_back(id, missed);
    }

    /// The change of state; moves follow when all have changed.
    fn change_by_fate(&mut self, id: BodyId, fate: Fate) {
        match fate {
            Fate::None => {}
            Fate::Steady => self.state.body_mut(id).marks.set(Marks::STEADY),
            Fate::DrawnBack => {
                let body = self.state.body_mut(id);
                body.missed = 0;
                body.marks.set(Marks::STEADY.and(Marks::GOES_BACK));
                self.state.worsen(id, Order::Suppressed);
            }
            Fate::Rallies => self.rally_now(id),
            Fate::Removed => {
                self.tell_of(id, Kind::Gone, "does not rally and is removed", cite!("seq.morale.c"));
                self.state.remove(id);
            }
            Fate::Stands => {
                self.state.bar_from_moving(id);
                self.stand_suppressed(id);
            }
            Fate::GoesBack(missed) => {
                self.state.bar_from_moving(id);
                self.state.body_mut(id).marks.set(Marks::GOES_BACK);
                let order = match missed {
                    2 => Order::Suppressed,
                    3 => Order::Shaken,
                    _ => Order::Routed,
                };
                self.state.worsen(id, order);
            }
        }
    }

    /// A result of the Morale Phase moves a body, unless friends who ran through it have already made it go back: their
    /// test is taken only by those whose own result is no worse (R80, R125).
    fn goes_back(&mut self, id: BodyId, missed: i16) {
        let body = self.state.body(id);
        if !body.on_table() || body.marks.has(Marks::FLED) {
            return;
        }
        let cause = self.at().cause_of(id);
        match missed {
            0 => self.draw_back(id, cause),
            _ => self.go_back(id, missed, cause),
        }
    }

    /// It does so.
    pub(crate) fn draw_back(&mut self, id: BodyId, cause: Option<BodyId>) {
        self.tell_of(id, Kind::Retreat, "is drawn back by its cautious leader", cite!("personality.d"));
        self.flee(id, Flight { cause, order: Order::Suppressed, later: false });
    }

    fn rally_now(&mut self, id: BodyId) {
        let body = self.state.body_mut(id);
        if body.order == Order::Routed {
            body.marks.set(Marks::RALLIED);
        }
        body.order = Order::Suppressed;
        body.marks.clear(Marks::WAS_SUPPRESSED);
        body.marks.set(Marks::REFORMS);
        self.tell_of(id, Kind::Rally, "rallies and is Suppressed", cite!("morale.rally.d"));
    }

    /// Suppression lifts, half of the new hits comes off, and stands may be recovered (R82, R88, R89).
    pub(crate) fn end_of_turn_hits(&mut self) {
        for id in self.state.ids() {
            let body = self.state.body(id);
            if !body.on_table() {
                // Hits on skirmishers who are gone still count for their unit (skirmish.f).
                self.state.settle_hits(id);
                continue;
            }
            if body.stands(self.battle) == 0 {
                self.tell_of(id, Kind::Gone, "has no stand left", cite!("basics.casualties.b"));
                self.state.remove(id);
                continue;
            }
            let rested = body.order == Order::Suppressed
                && body.marks.has(Marks::WAS_SUPPRESSED)
                && !body.marks.has(Marks::MOVED.and(Marks::HIT))
                && body.fresh == 0;
            let before = body.layout(self.battle);
            if rested {
                self.state.body_mut(id).order = Order::Good;
                self.tell_of(id, Kind::Rally, "is no longer Suppressed", cite!("morale.rally.a"));
            }
            if self.state.settle_hits(id) > 0 {
                self.settle_growth(id, &before);
            }
        }
    }

    /// A stand that came back needs room: where there is none the line closes up by one.
    pub(crate) fn settle_growth(&mut self, id: BodyId, before: &Layout) {
        if self.state.in_melee(id) {
            return self.keep_in_touch(id, before);
        }
        for _ in 0..4 {
            let layout = self.at().layout(id);
            let inside = on_table(self.battle, &layout);
            if self.at().is_free(id, &layout.at(inside)) {
                self.state.body_mut(id).pose = inside;
                return;
            }
            let body = self.state.body_mut(id);
            body.shape.files = layout.files().saturating_sub(1).max(1);
        }
        let layout = self.at().layout(id);
        if !self.at().is_free(id, &layout) {
            self.state.body_mut(id).pose = self.at().nearest_room(id, &layout);
        }
    }

    /// One die for each lost stand; 6 brings it back, 5 too under a Cautious leader.
    pub(crate) fn recover(&mut self, id: BodyId) {
        let body = self.state.body(id);
        let lost = body.strength - body.stands(self.battle);
        let careful = self.at().spirit(id) == Some(Personality::Cautious);
        let need = if careful { 5 } else { 6 };
        let back = self.count(lost, Test::at_least(Die::D6, need), |at| {
            let what = does(&at.name(id), "recovers stands");
            let note = RollNote::new(what, cite!("morale.rally.e"))
                .outcomes((0..=lost).map(|n| format!("{n} of {lost} come back")))
                .side(at.side_of(id));
            rolled_by(note, at.state, id)
        });
        let hits = back * self.battle.arm(self.state.body(id)).hits_a_stand();
        let bmu = usize::from(self.state.body(id).bmu);
        self.state.bmus[bmu].recovered = true;
        let before = self.at().layout(id);
        let body = self.state.body_mut(id);
        body.lost -= hits.min(body.lost);
        self.settle_growth(id, &before);
    }

    /// Cavalry whose melee has ended is at least Suppressed (melee.cover.a).
    pub(crate) fn blow_the_horses(&mut self) {
        for id in self.state.ids() {
            let body = self.state.body(id);
            let ended = body.on_table()
                && body.mounted(self.battle)
                && body.marks.has(Marks::IN_MELEE)
                && !self.state.in_melee(id);
            if ended && body.order == Order::Good {
                self.state.body_mut(id).order = Order::Suppressed;
                self.tell_of(id, Kind::Loss, "is Suppressed after its melee", cite!("melee.cover.a"));
            }
        }
    }

    pub(crate) fn end_morale(&mut self) {
        self.blow_the_horses();
        self.end_of_turn_hits();
        self.occupy();
        self.state.lay_charges(self.battle);
        self.state.agenda.push(Step::Recover { side: Side::Second });
        self.state.agenda.push(Step::Recover { side: Side::First });
    }

    /// A rallied body takes a formation (morale.rally.d).
    pub(crate) fn reform(&mut self, id: BodyId, formation: Formation, files: u8) {
        let unit = self.state.body(id);
        let shape = Shape::of(formation, self.battle.arm(unit), unit.fighting(self.battle), files);
        let changed = shape.formation != unit.shape.formation || shape.files != unit.shape.files;
        let there = self.at().place_reformed(id, shape).filter(|_| changed);
        if let Some(there) = there {
            let unit = self.state.body_mut(id);
            (unit.shape, unit.pose) = (shape, there.pose);
            self.state.carry_leader(id);
        }
    }
}

impl State {
    /// A failed test bars its next Movement Phase: this turn's if that is still to come, else the next turn's (R75).
    fn bar_from_moving(&mut self, id: BodyId) {
        let late = self.phase >= Phase::Movement;
        self.body_mut(id).marks.set(if late { Marks::BARRED_NEXT } else { Marks::BARRED });
    }

    /// A body is in no better order than this any more, nor are the skirmishers it has sent out (skirmish.f).
    pub(crate) fn worsen(&mut self, id: BodyId, order: Order) {
        let body = self.body_mut(id);
        body.order = body.order.max(order);
        let (bmu, main) = (body.bmu, body.part == Part::Main);
        let out = self.bodies.iter_mut().filter(|b| main && b.bmu == bmu && b.part == Part::Skirmishers);
        out.for_each(|b| b.order = b.order.max(order));
    }

    /// A body tests as soon as the flight or the loss that provokes it is over (R80, R95).
    pub(crate) fn provoke(&mut self, id: BodyId, why: Marks) {
        self.body_mut(id).marks.set(why);
        if self.agenda.top() == Some(Step::Provoked) {
            return;
        }
        // Whoever loses his enemy by this tests for pursuit at once (pursuit.test.a); in the Morale Phase all do together,
        // and the Rout and Pursuit Phase only goes on with pursuits begun before (R76).
        if self.phase < Phase::Morale {
            self.agenda.push(Step::Pursuits);
        }
        self.agenda.push(Step::Provoked);
    }

    /// The phase, step by step (R125): list, roll on one state, apply.
    pub(crate) fn begin_morale(&mut self) {
        for id in self.ids() {
            let melee = self.at_blows(id);
            let body = self.body_mut(id);
            body.marks.clear(Marks::STEADY);
            if melee {
                body.marks.set(Marks::IN_MELEE);
            }
            if body.order == Order::Suppressed {
                body.marks.set(Marks::WAS_SUPPRESSED);
            }
        }
        self.agenda.push(Step::EndMorale);
        self.agenda.push(Step::Pursuits);
        self.agenda.push(Step::AfterTests { next: 0 });
        self.agenda.push(Step::MoraleTests { next: 0 });
        self.agenda.push(Step::Leads { side: self.mover.enemy() });
        self.agenda.push(Step::Leads { side: self.mover });
    }

    /// The next who has rallied chooses a formation.
    pub(crate) fn next_reform(&mut self) {
        let next = self.on_table().find(|(_, b)| b.marks.has(Marks::REFORMS)).map(|(id, _)| id);
        match next {
            Some(body) => {
                self.body_mut(body).marks.clear(Marks::REFORMS);
                self.agenda.push(Step::Reform { body });
            }
            None => {
                self.agenda.pop();
            }
        }
    }

    /// Hits of this turn, those of the skirmishers it has sent out among them: for morale they are the unit's (skirmish.f).
    fn fresh_hits(&self, body: &Body) -> u8 {
        let out = self.bodies.iter().filter(|b| {
            body.part == Part::Main
                && b.bmu == body.bmu
                && b.part == Part::Skirmishers
                && b.place != Where::Joined
        });
        out.map(|b| b.fresh).sum::<u8>() + body.fresh
    }

    /// Half of the new hits comes off, the rest stays (R88); gives how many came off.
    fn settle_hits(&mut self, id: BodyId) -> u8 {
        let body = self.body_mut(id);
        let removed = body.fresh / 2;
        body.lost += body.fresh - removed;
        body.fresh = 0;
        removed
    }

    /// Every unit of a fallen inspiring leader tests (R95).
    pub(crate) fn leader_killed(&mut self, battle: &Battle, leader: LeaderId) {
        for id in self.ids() {
            let body = self.body(id);
            if body.on_table() && battle.info(body).leader == Some(leader) {
                self.provoke(id, Marks::LEADER_FELL);
            }
        }
    }
}

/// What a test of the Morale Phase brings.
#[derive(Debug, Clone, Copy)]
enum Fate {
    /// Nothing.
    None,
    /// It passed.
    Steady,
    /// It passed and goes back all the same (personality.d).
    DrawnBack,
    Rallies,
    /// Its one rally failed.
    Removed,
    /// It missed by one.
    Stands,
    /// It missed by so much, two or more.
    GoesBack(i16),
}
