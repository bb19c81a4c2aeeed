//! Movement: who may move, how far, and for what share of a go (move.*, seq.move, qrs.rates).

mod carry;
mod formations;
mod legs;
mod offers;
mod plan;

use game::{Allowed, No, Side};
use table::{Bounds, EPS, INCH, Pt};

use crate::at::At;
use crate::cite;
use crate::rules::basics::{Formation, Layout};
use crate::state::{BodyId, Command, Marks, Part, State};

pub(crate) use self::formations::wheeled;
pub(crate) use self::legs::{Leg, Legs, March, slewed};

pub(crate) use self::plan::{Outcome, Plan, allowance, roams};

/// A whole move: the allowance is a fraction of it.
pub(crate) const WHOLE: i64 = 1_000_000_000;

impl At<'_> {
    /// Whether a body may move in this phase at all.
    pub(crate) fn may_move(self, id: BodyId) -> Allowed {
        let body = self.body(id);
        let marks = body.marks;
        if !body.on_table() || marks.has(Marks::ABANDONED) {
            return Err(No::new(cite!("charge.defender.i"), "nobody is there to move it"));
        }
        if body.order.broken() {
            return Err(No::new(cite!("seq.move.d"), "it is Shaken or Routed and must rally first"));
        }
        if marks.has(Marks::GONE_ABOUT) {
            return Err(No::new(cite!("move.initiative.b"), "it has moved this phase"));
        }
        if marks.has(Marks::MOVED_EARLY) {
            return Err(No::new(cite!("seq.move.c"), "it moved in the Reaction or Charge Phase"));
        }
        if marks.has(Marks::BARRED) {
            return Err(No::new(
                cite!("morale.retreat.i"),
                "it failed a Morale Test and may not move in this Movement Phase",
            ));
        }
        if marks.has(Marks::BALKED) {
            return Err(No::new(
                cite!("charge.failed.e"),
                "it failed to charge home and may not move this turn",
            ));
        }
        if marks.has(Marks::SNAPPED) {
            return Err(No::new(cite!("fire.opportunity.c"), "it used opportunity fire this turn"));
        }
        if self.state.in_melee(id) {
            return Err(No::new(
                cite!("melee.withdraw.a"),
                "it is in melee and leaves it only in the Morale Phase",
            ));
        }
        if marks.has(Marks::PASSED) {
            return Err(No::new(
                cite!("move.penetration.c"),
                "friends passed through it: it must stay still",
            ));
        }
        if matches!(body.part, Part::Skirmishers) {
            let parent = self.state.parent_of(id);
            if parent.is_some_and(|p| self.state.go.chosen & p.bit() == 0) {
                return Err(No::new(cite!("move.initiative.d"), "a detachment moves when its parent moves"));
            }
        }
        if marks.has(Marks::BOX) && self.box_has_guns(id) {
            return Err(No::new(cite!("box.b"), "a box with artillery does not move"));
        }
        Ok(())
    }

    /// Friends that touch a body.
    pub(crate) fn touching(self, id: BodyId) -> u64 {
        let body = self.body(id);
        let mine = body.layout(self.battle);
        let near = mine.block().bounds.grown(INCH / 10);
        let friends =
            self.state.on_table().filter(|(o, b)| *o != id && self.battle.side(b) == self.battle.side(body));
        friends
            .filter(|(_, b)| {
                let theirs = b.layout(self.battle);
                theirs.may_meet(&near) && theirs.block().bounds.meets(&near) && theirs.distance(&mine) <= EPS
            })
            .fold(0, |all, (o, _)| all | o.bit())
    }

    /// Whether a body can stand there: on the table and in nobody.
    pub(crate) fn is_free(self, id: BodyId, layout: &Layout) -> bool {
        let block = layout.block();
        self.battle.top.holds(&block)
            && !self
                .state
                .on_table()
                .any(|(o, b)| o != id && !self.is_apart(id, b) && layout.overlaps(&b.layout(self.battle)))
    }

    /// The rate of a body at this moment, and whether it is the Charge column (qrs.rates.b, R23).
    pub(crate) fn move_rate(self, id: BodyId, formation: Formation, far: bool) -> i64 {
        let body = self.body(id);
        if body.marks.has(Marks::BOX) {
            return self.battle.rates.line().engaged / 2;
        }
        let formation = if body.part == Part::Group { Formation::Skirmish } else { formation };
        let rate = self.battle.rates.rate(self.battle.arm(body), body.mounted(self.battle), formation);
        if far { rate.charge } else { rate.engaged }
    }

    /// Whether a body whose nearest enemy is so far away may use the Charge rate: under an order the order decides (orders.e,
    /// orders.h, orders.k), else the distance (R23).
    pub(crate) fn at_charge_rate(self, id: BodyId, nearest: Option<i64>) -> bool {
        let engaged = nearest.is_some_and(|d| d <= self.battle.row.engagement * INCH + EPS);
        match self.order_of(id) {
            Some(Command::Attack | Command::Defend) => false,
            Some(Command::Move) => true,
            None => !engaged,
        }
    }

    /// Linear obstacles that a body begins to cross: it pays once, however many legs its ranks take to get over (R101).
    pub(crate) fn obstacles(self, layout: &Layout, fronts: &[Pt], by: Pt) -> i64 {
        if self.battle.lines.is_empty() {
            return 0;
        }
        let mut bounds = Bounds::of(fronts);
        bounds.take_in(bounds.lo + by);
        bounds.take_in(bounds.hi + by);
        let block = layout.block();
        let lines = self.battle.lines.iter().enumerate();
        let crossed = lines.filter(|(i, l)| {
            !l.fort
                && self.is_standing(*i)
                && l.line.bounds().meets(&bounds)
                && !l.line.crosses(&block)
                && fronts.iter().any(|f| l.line.crossed_by(*f, *f + by) && l.line.distance_to(*f) > EPS)
        });
        crossed.count() as i64
    }

    pub(crate) fn check_move(self, side: Side, unit: BodyId, legs: &Legs) -> Allowed {
        let body = self.body(unit);
        if self.battle.side(body) != side {
            return Err(No::new(cite!("move.initiative.b"), "it is not yours"));
        }
        if legs.is_empty() {
            return Err(No::new(cite!("move.initiative.b"), "a move has at least one part"));
        }
        self.may_move(unit)?;
        if self.state.go.used + self.state.move_price(unit) > self.state.go.batch[side] {
            let rule = if self.state.move_price(unit) == 1 {
                cite!("move.initiative.c")
            } else {
                cite!("move.initiative.b")
            };
            return Err(No::new(rule, "this go has no BMU left for it"));
        }
        self.plan_move(unit, legs).map(|_| ())
    }
}

impl State {
    /// The main body of a detachment.
    pub(crate) fn parent_of(&self, id: BodyId) -> Option<BodyId> {
        let bmu = self.body(id).bmu;
        self.on_table().find(|(o, b)| *o != id && b.bmu == bmu && b.part == Part::Main).map(|(o, _)| o)
    }

    /// Half BMUs that moving a body uses up in this go (R20).
    pub(crate) fn move_price(&self, id: BodyId) -> u8 {
        match self.body(id).part {
            Part::Skirmishers | Part::Crew => 0,
            _ if self
                .bodies
                .iter()
                .enumerate()
                .any(|(i, b)| b.bmu == self.body(id).bmu && self.go.chosen & (1 << i) != 0) =>
            {
                0
            }
            _ if self.go.touching & id.bit() != 0 => 1,
            _ => 2,
        }
    }
}
