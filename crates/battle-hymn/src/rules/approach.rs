//! 6.1.4, 6.1.7.f, 6.2: approach fire, the division of fire, the dice of a step, and the checks that follow.

use arrayvec::ArrayVec;
use game::{Allowed, Effects, No, Refusal, RollNote, Side};

use crate::action::{Action, MAX_TARGETS, Shares};
use crate::at::{At, Run};
use crate::rules::basics::even_split;
use crate::rules::fire::FireKind;
use crate::rules::zones::{directions, opposite};
use crate::state::{FireOf, Id, State, Step, UnitSet};

impl At<'_> {
    /// The directions of those who draw this unit's approach fire.
    fn approach_targets(self, firer: Id) -> u8 {
        let hex = self.piece(firer).hex;
        let around = self.adjacent_to(self.side(firer).enemy(), hex);
        directions(around)
            .filter(|&d| {
                let target = self.state.occupant(self.ground().beyond[hex.index()][d]);
                self.piece(target).approach & 1 << opposite(d) != 0
            })
            .fold(0, |m, d| m | 1 << d)
    }

    /// The directions over which a unit divides its SPs: its targets, and in approach fire those that mask (6.1.4.k).
    pub(crate) fn divided_over(self, id: Id, fire: FireOf) -> u8 {
        let targets = self.piece(id).shot_into;
        match fire {
            FireOf::Round => targets,
            FireOf::Approach => targets | self.enemies_over(id),
        }
    }

    /// Those units, in file order, with their directions.
    pub(crate) fn parties(self, id: Id, mask: u8) -> ArrayVec<(Id, usize), MAX_TARGETS> {
        let hex = self.piece(id).hex;
        let mut found: ArrayVec<(Id, usize), MAX_TARGETS> = directions(mask)
            .filter_map(|d| Some((self.state.at(self.ground().beyond[hex.index()][d])?, d)))
            .collect();
        found.sort_unstable();
        found
    }

    /// How many SPs do not divide evenly, and over how many.
    fn odd_points(self, id: Id, fire: FireOf) -> (u8, u8) {
        let n = self.divided_over(id, fire).count_ones() as u8;
        if n < 2 { (0, n) } else { (even_split(self.piece(id).intact(), n).1, n) }
    }

    /// The next unit whose odd SPs must be assigned: the Attacker's in file order, then the Defender's.
    pub(crate) fn next_to_split(self, fire: FireOf) -> Option<Id> {
        let own = self.battle.armies[self.state.attacking_side()].units;
        let all: UnitSet = self.state.on_map().without(self.state.settled);
        let odd = |id: &Id| self.piece(*id).shot_into != 0 && self.odd_points(*id, fire).0 > 0;
        let found = all.and(own).into_iter().find(odd);
        found.or_else(|| all.without(own).into_iter().find(odd))
    }

    /// The SPs a unit gives to each party it divides its fire over.
    pub(crate) fn shares(self, id: Id, fire: FireOf) -> ArrayVec<(Id, usize, u8), MAX_TARGETS> {
        let mask = self.divided_over(id, fire);
        let each = even_split(self.piece(id).intact(), mask.count_ones().max(1) as u8).0;
        let extra = self.piece(id).extra;
        self.parties(id, mask).into_iter().map(|(party, d)| (party, d, each + (extra >> d & 1))).collect()
    }

    /// Every way to assign the odd SPs.
    pub(crate) fn offer_splits(self, fire: FireOf, out: &mut Vec<Action>) {
        let Some(unit) = self.next_to_split(fire) else { return };
        let parties = self.parties(unit, self.divided_over(unit, fire));
        let (odd, n) = self.odd_points(unit, fire);
        let each = even_split(self.piece(unit).intact(), n).0;
        for chosen in (0u8..1 << n).filter(|c| c.count_ones() == u32::from(odd)) {
            let share = |(i, &(id, _)): (usize, &(Id, usize))| (id, each + (chosen >> i & 1));
            let shares = parties.iter().enumerate().map(share).collect();
            out.push(Action::Split { unit, shares });
        }
    }

    /// `split`.
    pub(crate) fn check_split(self, fire: FireOf, unit: Id, shares: &Shares) -> Result<(), Refusal> {
        if self.next_to_split(fire) != Some(unit) {
            return Err(Refusal::off_turn("Another unit divides its fire."));
        }
        let parties = self.parties(unit, self.divided_over(unit, fire));
        let each = even_split(self.piece(unit).intact(), parties.len() as u8).0;
        let all_named =
            shares.iter().count() == parties.len() && parties.iter().all(|(id, _)| shares.of(*id).is_some());
        let total: u16 = shares.iter().map(|(_, s)| u16::from(s)).sum();
        let even = shares.iter().all(|(_, s)| s == each || s == each + 1);
        if all_named && even && total == u16::from(self.piece(unit).intact()) {
            return Ok(());
        }
        let rule = if fire == FireOf::Approach { cite!("6.1.4.h") } else { cite!("6.1.7.f") };
        let (name, points, n) = (self.name(unit), self.piece(unit).intact(), parties.len());
        let why = format!(
            "{points} SP divide over {n} as evenly as possible: {each} or {} each, as you choose.",
            each + 1
        );
        Err(Refusal::new(format!("{name} may not divide its fire like this."), why, rule))
    }

    /// The next fire from there on that has SPs to it, and which of the firer's shares it is. The share of those that only mask
    /// is not fired (6.1.4.l).
    fn next_fire(self, fire: FireOf, (from, at): (Id, u8)) -> Option<(Id, u8, (Id, usize, u8))> {
        let firers =
            self.state.on_map().into_iter().filter(|&id| id >= from && self.piece(id).shot_into != 0);
        for firer in firers {
            let first = if firer == from { usize::from(at) } else { 0 };
            let targets = self.piece(firer).shot_into;
            let shares = self.shares(firer, fire);
            let fired = |(_, (_, direction, points)): &(usize, (Id, usize, u8))| {
                *points > 0 && targets >> direction & 1 != 0
            };
            if let Some((at, share)) = shares.into_iter().enumerate().skip(first).find(fired) {
                return Some((firer, at as u8, share));
            }
        }
        None
    }

    /// The units of a side still to check.
    pub(crate) fn hit_units(self, side: Side) -> UnitSet {
        let own = self.state.on_map().and(self.battle.armies[side].units);
        own.into_iter().filter(|&id| self.piece(id).hits > 0).collect()
    }

    /// `check`.
    pub(crate) fn check_order(self, side: Side, unit: Id) -> Allowed {
        if self.hit_units(side).contains(unit) {
            return Ok(());
        }
        let why = "Only units of the side that checks, with hits still to be checked, are in question.";
        Err(No::new(cite!("10.4.1.a"), why))
    }
}

impl<F: Effects> Run<'_, F> {
    /// Step 4: everybody with approach fire takes aim; then splits, dice and checks (R25).
    pub(crate) fn begin_approach_fire(&mut self) {
        self.state.agenda.pop();
        let mut anybody = false;
        for id in self.state.on_map() {
            let targets = self.at().approach_targets(id);
            let piece = self.state.piece_mut(id);
            piece.was = piece.hex;
            piece.shot_into = targets;
            anybody |= targets != 0;
        }
        if !anybody {
            return self.state.forget_approach_fire();
        }
        let side = self.state.attacking_side();
        self.state.agenda.push(Step::Advance);
        self.state.agenda.push(Step::Checks(FireOf::Approach, side));
        self.state.agenda.push(Step::Checks(FireOf::Approach, side.enemy()));
        self.state.agenda.push(Step::Fire(FireOf::Approach, Id(0), 0));
        self.state.agenda.push(Step::Split(FireOf::Approach));
    }

    /// Odd SPs by themselves: with At Random, or when there are none; false if an owner must choose.
    pub(crate) fn split_step(&mut self, fire: FireOf) -> bool {
        let Some(id) = self.at().next_to_split(fire) else {
            self.state.agenda.pop();
            return true;
        };
        if !self.battle.house.at_random {
            return false;
        }
        let mut left = self.at().parties(id, self.at().divided_over(id, fire));
        for _ in 0..self.at().odd_points(id, fire).0 {
            let drawn = match left.len() {
                1 => 0,
                n => self.fx.draw(n, || {
                    RollNote::new(format!("An odd SP of {}", self.battle.name(id)), cite!("3.1.c"))
                        .side(self.battle.side(id))
                        .by(id.piece())
                }),
            };
            let (_, direction) = left.remove(drawn);
            self.state.piece_mut(id).extra |= 1 << direction;
        }
        self.settle(fire, id);
        true
    }

    /// The shares stand. An attack that no SP makes is none, unless the attacker is bound to it: the defender is not fired at and
    /// does not answer (6.1.7.c, R28).
    fn settle(&mut self, fire: FireOf, unit: Id) {
        self.state.settled.insert(unit);
        if fire == FireOf::Approach || self.battle.side(unit) != self.state.attacking_side() {
            return;
        }
        let bound = self.at().bound_to_fire_on(unit);
        let shares = self.at().shares(unit, fire);
        for &(target, d, _) in shares.iter().filter(|(_, d, points)| *points == 0 && bound & 1 << d == 0) {
            self.state.piece_mut(unit).shot_into &= !(1 << d);
            self.state.piece_mut(target).shot_into &= !(1 << opposite(d));
        }
        // What is left may divide evenly now.
        let left = self.state.piece(unit).shot_into;
        if u32::from(self.state.piece(unit).intact()) == left.count_ones() {
            self.state.piece_mut(unit).extra = 0;
        }
    }

    pub(crate) fn split(&mut self, fire: FireOf, unit: Id, shares: &Shares) {
        let parties = self.at().parties(unit, self.at().divided_over(unit, fire));
        let each = even_split(self.state.piece(unit).intact(), parties.len().max(1) as u8).0;
        for (id, direction) in parties {
            if shares.of(id).is_some_and(|share| share > each) {
                self.state.piece_mut(unit).extra |= 1 << direction;
            }
        }
        self.settle(fire, unit);
    }

    /// One fire of the step: firers in file order, each firer's targets in file order; hits are only marked (6.2.a). A step
    /// is one fire so that exact odds can add up equal positions after each.
    pub(crate) fn fire_step(&mut self, fire: FireOf, next: (Id, u8)) {
        let Some((firer, at, (target, direction, points))) = self.at().next_fire(fire, next) else {
            return self.end_of_fire(fire);
        };
        self.state.agenda.replace(Step::Fire(fire, firer, at + 1));
        let kind = match fire {
            FireOf::Round => FireKind::Round,
            FireOf::Approach => FireKind::Approach,
        };
        let hits = self.roll_fire((firer, target), points, kind);
        let piece = self.state.piece_mut(target);
        piece.hits = piece.hits.saturating_add(hits);
        piece.shot_from |= 1 << opposite(direction);
    }

    /// Whoever had no SP for a target has not fired at it: no cause of a retreat, no leave to advance.
    fn end_of_fire(&mut self, fire: FireOf) {
        self.state.agenda.pop();
        for firer in self.state.on_map() {
            let idle = self.at().shares(firer, fire).into_iter().filter(|(_, _, points)| *points == 0);
            let mask = idle.fold(0u8, |m, (_, direction, _)| m | 1 << direction);
            self.state.piece_mut(firer).shot_into &= !mask;
            if fire == FireOf::Round && self.state.round == 2 && self.state.piece(firer).shot_into != 0 {
                self.state.fired_in_two.insert(firer);
            }
        }
        if fire == FireOf::Approach {
            self.state.forget_approach_fire();
        }
    }

    /// Checks by themselves; false if the owner must choose the order (6.2.4.b).
    pub(crate) fn checks_step(&mut self, fire: FireOf, side: Side) -> bool {
        let hit = self.at().hit_units(side);
        let drawn = match hit.len() {
            0 => {
                self.state.agenda.pop();
                return true;
            }
            1 => 0,
            n if self.battle.house.at_random => self.fx.draw(n, || {
                RollNote::new("Who checks next", cite!("3.1.g"))
                    .side(side)
                    .outcomes(hit.into_iter().map(|u| self.battle.name(u)))
            }),
            _ => return false,
        };
        if let Some(id) = hit.into_iter().nth(drawn) {
            self.check_after_fire(id, fire);
        }
        true
    }
}

impl State {
    /// 6.1.4.g, 13.b.
    pub(crate) fn forget_approach_fire(&mut self) {
        for piece in &mut self.pieces[..usize::from(self.units)] {
            piece.approach = 0;
        }
    }
}
