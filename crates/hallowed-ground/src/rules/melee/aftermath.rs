//! Chapters 9.3 and 9.5: breakthrough, recoil and consolidation after a round of melee.

use arrayvec::ArrayVec;
use game::{Allowed, Effects, Entry, Kind, Side};
use table::{EPS, MIL, Pt, Rect, Side as Edge, Way, touch, touch_distance};

use crate::action::Action;
use crate::at::{At, Run};
use crate::field::Field;
use crate::legal::no;
use crate::rules::charges::line::Charger;
use crate::rules::charts::{GRIP, PROXIMITY, base_depth};
use crate::rules::melee::{Melee, MeleeStep};
use crate::rules::sequence::Step;
use crate::setup::pieces::{MAX_UNITS, UnitId, Units, piece};
use crate::state::{Contact, Flags};

impl<F: Effects> Run<'_, F> {
    /// P3, steps 7 and 8: breakthrough if every enemy is gone, else recoil if due, then consolidation.
    pub(crate) fn melee_aftermath(&mut self) {
        self.state.agenda.replace(Step::Melee(MeleeStep::Consolidate));
        let Some(melee) = self.state.melee.clone() else { return };
        let Some(winner) = melee.winner else { return };
        if self.at().survivors(&melee, !winner).is_empty() {
            if !melee.breakthrough && self.field().can_break_through() {
                self.state.mark_orders(self.battle, &melee.units, melee.winner);
                self.state.agenda.replace(Step::Melee(MeleeStep::Breakthrough));
            }
            return;
        }
        self.recoil(&melee, winner);
    }
}

impl At<'_> {
    /// Units that may break through: they charged into this round, are Steady, and have not done so this turn (9.5.a,
    /// d).
    fn breakers(self) -> Units {
        let Some(melee) = &self.state.melee else { return Units::new() };
        let Some(winner) = melee.winner else { return Units::new() };
        melee
            .units
            .iter()
            .copied()
            .filter(|u| {
                self.battle.unit(*u).side == winner && self.state.steady(*u) && !self.state.engaged(*u)
            })
            .filter(|u| melee.charged.has(*u) && !self.state.unit(*u).flags.has(Flags::BROKE_THROUGH))
            .take(8)
            .collect()
    }

    /// May these break through: each of them once, of the winner, charged into this round and Steady (9.5.a, 9.5.d)?
    fn are_free_to_break_through(self, by: &[UnitId]) -> Allowed {
        let able = self.breakers();
        let charged = |u: UnitId| self.state.melee.as_ref().is_some_and(|m| m.charged.has(u));
        for (i, u) in by.iter().enumerate() {
            if charged(*u) && self.state.on_table(*u) && self.state.unit(*u).shaken {
                return no(cite!("9.5.d"), "A Shaken unit stays behind.");
            }
            if !able.contains(u) || by[..i].contains(u) {
                return no(
                    cite!("9.5.a"),
                    "Only units of the winner that charged into this round may go, each once.",
                );
            }
        }
        if by.is_empty() { no(cite!("9.5.a"), "Name the units that break through.") } else { Ok(()) }
    }
}

impl Field<'_> {
    /// May these break through, and do they reach somebody (9.5.g)?
    pub(crate) fn may_break_through(&self, by: &[UnitId]) -> Allowed {
        self.are_free_to_break_through(by)?;
        match self.breakthrough_lines(by) {
            Some(_) => Ok(()),
            None => no(cite!("9.5.g"), "It cannot reach the nearest target."),
        }
    }

    /// Has anybody a target, by itself or with all the others out of its way?
    fn can_break_through(&self) -> bool {
        let able = self.breakers();
        able.iter().any(|u| self.breakthrough_target(&[*u]).is_some())
            || self.breakthrough_target(&able).is_some()
    }

    /// The nearest enemy that could be charged now, measured from the leader points of those who go (9.5.g, R79).
    fn breakthrough_target(&self, by: &[UnitId]) -> Option<UnitId> {
        let mut best: Option<(i64, UnitId)> = None;
        for u in by {
            if self.may_charge(*u).is_err() {
                continue;
            }
            for e in self.enemies(*u) {
                let key = (self.range(*u, e), e);
                if best.is_none_or(|b| key < b) && self.line_of_charge(*u, e, by).is_ok() {
                    best = Some(key);
                }
            }
        }
        best.map(|(_, e)| e)
    }

    /// The lines of those who can reach the breakthrough target.
    pub(crate) fn breakthrough_lines(&self, by: &[UnitId]) -> Option<(UnitId, ArrayVec<Charger, 8>)> {
        let target = self.breakthrough_target(by)?;
        let lines = by
            .iter()
            .map(|u| {
                self.may_charge(*u).ok()?;
                self.line_of_charge(*u, target, by).ok()
            })
            .collect::<Option<ArrayVec<Charger, 8>>>()?;
        Some((target, lines))
    }
}

impl<F: Effects> Run<'_, F> {
    /// The winner breaks through with these units, or stays (empty).
    pub(crate) fn break_through(&mut self, by: &[UnitId]) {
        let lines = if by.is_empty() { None } else { self.field().breakthrough_lines(by) };
        self.state.agenda.pop();
        if let Some(melee) = self.state.melee.take() {
            self.state.end_bonuses(melee.units);
        }
        let Some((target, lines)) = lines else { return };
        for u in by {
            self.state.unit_mut(*u).flags.set(Flags::BROKE_THROUGH);
        }
        self.start_charge(target, lines, true);
    }

    /// The winner of a fight for an obstacle pushes the losers back by the depth of one of its bases (9.5.h to 9.5.k,
    /// R82).
    fn recoil(&mut self, melee: &Melee, winner: Side) {
        let contest =
            |c: &&Contact| c.defended && melee.units.contains(&c.b) && self.battle.unit(c.a).side == winner;
        let Some(victor) = self.state.contacts.iter().find(contest).map(|c| c.a) else { return };
        let losers = self.at().survivors(melee, !winner);
        let winners = self.at().survivors(melee, winner);
        let moves = {
            let field = self.field();
            let dir = field.rect(victor).ahead;
            let depth = base_depth(self.battle.unit(victor).arm, self.state.unit(victor).formation);
            field.push_back(&losers, &winners, dir, depth)
        };
        let pushed = moves.is_some();
        for (u, pose) in moves.into_iter().flatten() {
            self.place_unit(u, pose, cite!("9.5.h"));
        }
        for c in &mut self.state.contacts {
            if melee.units.contains(&c.a) {
                c.defended = false;
            }
        }
        self.fx.tell(|| {
            let (text, rule) = if pushed {
                ("The losers are pushed back from the obstacle.", cite!("9.5.h"))
            } else {
                ("There is no room to recoil: the obstacle no longer helps the losers.", cite!("9.5.j"))
            };
            Entry::new(Kind::Retreat, text).rule(rule).piece(piece(victor))
        });
    }
}

impl Field<'_> {
    /// Every pose after a recoil, friends of the losers pushed as far as room requires; none if something is in the
    /// way.
    fn push_back(
        &self,
        losers: &[UnitId],
        winners: &[UnitId],
        dir: table::Dir,
        depth: i64,
    ) -> Option<ArrayVec<(UnitId, table::Pose), MAX_UNITS>> {
        let mut pushes: ArrayVec<(UnitId, i64), MAX_UNITS> = losers.iter().map(|u| (*u, depth)).collect();
        let mut i = 0;
        while i < pushes.len() {
            let (u, by) = pushes[i];
            let rect = self.rect(u).shifted(dir.times(by));
            let into_enemy = self.enemies(u).any(|e| !winners.contains(&e) && rect.overlaps(self.rect(e)));
            if into_enemy || self.battle.impassable(&rect) || !self.battle.top.holds(&rect) {
                return None;
            }
            i += 1;
            for f in self.friends(u).filter(|f| !losers.contains(f)) {
                let known = pushes.iter().position(|(v, _)| *v == f);
                let pushed = known.map_or(0, |k| pushes[k].1);
                if !rect.overlaps(&self.rect(f).shifted(dir.times(pushed))) {
                    continue;
                }
                // The least push that clears: until the pusher no longer overlaps it.
                let clear = table::overlap_while_moving(self.rect(f), &rect, dir, 0)?.1.max(0);
                match known {
                    None => pushes.push((f, clear)),
                    // Two push it: it gives way to both, and whom it pushes itself is looked at anew.
                    Some(k) if clear > pushed => {
                        pushes[k].1 = clear;
                        i = i.min(k);
                    }
                    Some(_) => {}
                }
            }
        }
        let mut moved: ArrayVec<(UnitId, Rect), MAX_UNITS> =
            pushes.iter().map(|(u, by)| (*u, self.rect(*u).shifted(dir.times(*by)))).collect();
        for w in winners {
            moved.push((*w, self.rect(*w).shifted(dir.times(depth))));
        }
        // Everybody must find room, the winners who follow up too.
        let now = |v: UnitId| moved.iter().find(|(u, _)| *u == v).map_or(*self.rect(v), |(_, r)| *r);
        let fits = |(u, r): &(UnitId, Rect)| {
            !self.battle.impassable(r)
                && self.battle.top.holds(r)
                && self
                    .on_table()
                    .all(|v| v == *u || !r.overlaps(&now(v)) || self.rect(*u).overlaps(self.rect(v)))
        };
        // Nobody is torn from an enemy: one who is held in another fight cannot give way.
        let shift = |v: UnitId| now(v).front - self.rect(v).front;
        let grips = |a: &Rect, b: &Rect| touch(a, b).is_some_and(|t| t.length >= GRIP - 2 * EPS);
        let torn = |c: &Contact| shift(c.a) != shift(c.b) && !grips(&now(c.a), &now(c.b));
        if self.state.contacts.iter().any(torn) || !moved.iter().all(fits) {
            return None;
        }
        Some(moved.iter().map(|(u, r)| (*u, r.pose())).collect())
    }
}

impl<F: Effects> Run<'_, F> {
    /// Brings the rest of a melee together again and sets the markers (9.3.e, 9.3.f, R78).
    pub(crate) fn consolidate(&mut self) {
        self.state.agenda.pop();
        let Some(melee) = self.state.melee.take() else { return };
        let mut order: ArrayVec<UnitId, 16> = melee.units.iter().copied().collect();
        order.sort_by_key(|u| (self.battle.unit(*u).side != self.state.active, *u));
        order.retain(|u| self.state.on_table(*u) && !melee.is_gone(*u));
        for u in &order {
            if !self.state.engaged(*u) {
                self.rejoin(&melee, *u);
            }
        }
        if order.len() < melee.units.len() {
            self.close_up(&order);
        }
        self.state.end_bonuses(melee.units.iter().copied());
        self.state.mark_orders(self.battle, &melee.units, melee.winner);
    }

    /// 9.3.e: who is left slides along its enemies until as much as possible touches.
    fn close_up(&mut self, order: &[UnitId]) {
        for u in order {
            let pose = self.field().fullest_contact(*u);
            if let Some(pose) = pose {
                self.place_unit(*u, pose, cite!("9.3.e"));
            }
        }
    }

    /// Into contact with an enemy of this melee who is still engaged, by the shortest way; else 1 in away.
    fn rejoin(&mut self, melee: &Melee, u: UnitId) {
        let (joined, apart) = {
            let field = self.field();
            let rect = *field.rect(u);
            let mut joined: Option<(i64, UnitId, table::Pose)> = None;
            for foe in melee.units.iter().copied() {
                if field.side(foe) == field.side(u) || !self.state.on_table(foe) || !self.state.engaged(foe) {
                    continue;
                }
                for (by, legs) in
                    straight_at(&rect, field.rect(foe)).into_iter().chain(along_at(&rect, field.rect(foe)))
                {
                    let pose = field.state.unit(u).pose.shifted(legs[0] + legs[1]);
                    let there = Rect::new(pose, rect.size());
                    let grips = touch(&there, field.rect(foe)).is_some_and(|t| t.length >= GRIP - 2 * EPS);
                    let free = field.free_of_units(u, &there)
                        && self.battle.top.holds(&there)
                        && (field.slides(u, legs) || field.slides(u, [legs[1], legs[0]]));
                    if grips && free && joined.is_none_or(|(b, _, _)| by < b) {
                        joined = Some((by, foe, pose));
                    }
                }
            }
            (joined, field.step_back(u))
        };
        if let Some((_, foe, pose)) = joined {
            self.place_unit(u, pose, cite!("9.3.e"));
            let sides = {
                let field = self.field();
                touch(field.rect(u), field.rect(foe)).map(|t| (t.mine, t.theirs))
            };
            if let Some((mine, theirs)) = sides {
                self.state.engage(self.battle, u, foe, mine, theirs);
            }
        } else if let Some(pose) = apart {
            self.state.disengage(u);
            self.place_unit(u, pose, cite!("9.3.f"));
        }
        self.state.commanders_follow(self.battle, u);
    }
}

impl Field<'_> {
    /// Can it slide so, one leg after the other, without entering an enemy or impassable ground?
    fn slides(&self, u: UnitId, legs: [Pt; 2]) -> bool {
        let corner = self.rect(u).shifted(legs[0]);
        let free = |from: &Rect, by: Pt| {
            let way = Way::between(from, &from.shifted(by));
            !self.battle.impassable(&way)
                && self.enemies(u).all(|e| !table::deeper_than_eps(&way, self.rect(e)))
        };
        free(self.rect(u), legs[0]) && free(&corner, legs[1])
    }
}

/// What is tried on the way back from the fullest contact when somebody stands there.
const STEP: i64 = 25 * MIL;

impl Field<'_> {
    /// Where the unit touches its enemies over the greatest length, sliding along an edge that touches; none where it
    /// cannot do better than now (R78).
    fn fullest_contact(&self, u: UnitId) -> Option<table::Pose> {
        let rect = self.rect(u);
        let held = |r: &Rect| -> Option<i64> {
            let lengths = self.state.foes(u).map(|(foe, ..)| {
                touch(r, self.rect(foe)).map(|t| t.length).filter(|length| *length >= GRIP - 2 * EPS)
            });
            lengths.sum()
        };
        let mut best = (held(rect)? + 2 * EPS, 0, None);
        for (foe, ..) in self.state.foes(u) {
            for (dir, by) in flush(rect, self.rect(foe)) {
                let places =
                    std::iter::successors(Some(by), |by| (by.abs() > STEP).then(|| by - STEP * by.signum()));
                // The first that is free is the farthest, and so the one with most contact on this way.
                let found = places.map(|by| (by, dir.times(by))).find(|(_, slide)| self.may_slide(u, *slide));
                let Some((by, slide)) = found else { continue };
                let pose = self.state.unit(u).pose.shifted(slide);
                let Some(length) = held(&Rect::new(pose, rect.size())) else { continue };
                if length > best.0 || length == best.0 && best.2.is_some() && by.abs() < best.1 {
                    best = (length, by.abs(), Some(pose));
                }
            }
        }
        best.2
    }

    /// Is the way free of enemies and the place of everybody, and no enemy outside the fight too near (4.4.a)?
    fn may_slide(&self, u: UnitId, slide: Pt) -> bool {
        let there = self.rect(u).shifted(slide);
        self.free_of_units(u, &there)
            && self.battle.top.holds(&there)
            && self.keeps_distance(u, &there)
            && self.slides(u, [slide, Pt::default()])
    }
}

/// The slides along the touching edges of two bases after which they are flush at one end or the other.
fn flush(rect: &Rect, foe: &Rect) -> ArrayVec<(table::Dir, i64), 2> {
    let Some(contact) = touch(rect, foe) else { return ArrayVec::new() };
    let (aside, ahead) = rect.local(foe.centre);
    let abreast = rect.facing.turn_to(foe.facing) % 18_000 == 0;
    let (wide, deep) = if abreast { (foe.a, foe.b) } else { (foe.b, foe.a) };
    let (dir, at, mine, theirs) = match contact.mine {
        Edge::Front | Edge::Rear => (rect.ahead.right(), aside, rect.a, wide),
        Edge::Left | Edge::Right => (rect.ahead, ahead, rect.b, deep),
    };
    [at - theirs + mine, at + theirs - mine].into_iter().map(|by| (dir, by)).collect()
}

/// The moves straight along an own axis that touch a base: how far, and the legs of the way.
fn straight_at(rect: &Rect, foe: &Rect) -> ArrayVec<(i64, [Pt; 2]), 4> {
    [rect.ahead, rect.ahead.left(), rect.ahead.right(), rect.ahead.back()]
        .into_iter()
        .filter_map(|dir| touch_distance(rect, foe, dir).map(|by| (by, [dir.times(by), Pt::default()])))
        .collect()
}

/// Up to the line of an edge that lies parallel, and along it until the edges share what makes a melee.
fn along_at(rect: &Rect, foe: &Rect) -> ArrayVec<(i64, [Pt; 2]), 4> {
    let turn = rect.facing.turn_to(foe.facing);
    if turn % 9_000 != 0 {
        return ArrayVec::new();
    }
    let (aside, ahead) = rect.local(foe.centre);
    let (wide, deep) = if turn % 18_000 == 0 { (foe.a, foe.b) } else { (foe.b, foe.a) };
    // How far one axis is from touching, with its sign, and how far the other is from enough in common.
    let apart = |at: i64, mine: i64, theirs: i64| {
        let gap = at.abs() - mine - theirs;
        (gap >= -EPS).then(|| gap.max(0) * at.signum())
    };
    let short = |at: i64, mine: i64, theirs: i64| (at.abs() - mine - theirs + GRIP).max(0) * at.signum();
    let right = rect.ahead.right();
    let forward = apart(ahead, rect.b, deep).map(|gap| (short(aside, rect.a, wide), gap));
    let sideways = apart(aside, rect.a, wide).map(|gap| (gap, short(ahead, rect.b, deep)));
    [forward, sideways]
        .into_iter()
        .flatten()
        .map(|(u, v)| (u.abs() + v.abs(), [rect.ahead.times(v), right.times(u)]))
        .collect()
}

impl Field<'_> {
    /// Back until exactly 1 in from the nearest enemy, if it is nearer than that.
    fn step_back(&self, u: UnitId) -> Option<table::Pose> {
        let rect = self.rect(u);
        let gap = |r: &Rect| self.enemies(u).map(|e| r.distance(self.rect(e))).min().unwrap_or(i64::MAX);
        if gap(rect) >= PROXIMITY - EPS {
            return None;
        }
        let fits = |by: i64| {
            let there = Rect::new(self.state.unit(u).pose.moved(18_000, by * MIL), rect.size());
            gap(&there) >= PROXIMITY
                && self.free_of_units(u, &there)
                && !self.battle.impassable(&there)
                && self.battle.top.holds(&there)
        };
        let mut by = (1..=80).map(|i| i * 25).find(|by| fits(*by))?;
        while fits(by - 1) {
            by -= 1;
        }
        Some(self.state.unit(u).pose.moved(18_000, by * MIL))
    }

    pub(crate) fn offer_breakthroughs(&self, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        let able = self.breakers();
        for u in &able {
            self.offer_if_fit(Action::BreakThrough { by: [*u].into_iter().collect() }, out);
        }
        if able.len() > 1 {
            self.offer_if_fit(Action::BreakThrough { by: able }, out);
        }
    }
}
