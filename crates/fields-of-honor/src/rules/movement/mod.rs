//! The Movement Phase: who may move, how far, and for what share of a go.

mod carry;
mod formations;
mod legs;
mod plan;

use table::{Bounds, EPS, INCH, Pt};

pub use self::carry::{begin, finish, go_on, ground_tells, make_room};
pub use self::formations::{change_cost, may_form, wheeled};
pub use self::legs::{Leg, Legs, March, slewed};
pub(crate) use self::plan::closed;
pub use self::plan::{Outcome, Plan, allowance, plan, rest_on_known_ground, roams};
use crate::cite;
use crate::rules::basics::{Formation, Layout};
use crate::rules::fire::No;
use crate::setup::battle::Battle;
use crate::state::{BodyId, Command, Marks, Part, State};

/// A whole move: the allowance is a fraction of it.
pub const WHOLE: i64 = 1_000_000_000;

/// Whether a body may move in this phase at all.
///
/// # Errors
/// The rule that forbids it.
pub fn may_move(battle: &Battle, state: &State, id: BodyId) -> Result<(), No> {
    let body = state.body(id);
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
        return Err(No::new(cite!("charge.failed.e"), "it failed to charge home and may not move this turn"));
    }
    if marks.has(Marks::SNAPPED) {
        return Err(No::new(cite!("fire.opportunity.c"), "it used opportunity fire this turn"));
    }
    if state.in_melee(id) {
        return Err(No::new(
            cite!("melee.withdraw.a"),
            "it is in melee and leaves it only in the Morale Phase",
        ));
    }
    if marks.has(Marks::PASSED) {
        return Err(No::new(cite!("move.penetration.c"), "friends passed through it: it must stay still"));
    }
    if matches!(body.part, Part::Skirmishers) {
        let parent = parent(state, id);
        if parent.is_some_and(|p| state.go.chosen & p.bit() == 0) {
            return Err(No::new(cite!("move.initiative.d"), "a detachment moves when its parent moves"));
        }
    }
    if marks.has(Marks::BOX) && crate::rules::forts::box_has_guns(battle, state, id) {
        return Err(No::new(cite!("box.b"), "a box with artillery does not move"));
    }
    Ok(())
}

/// The main body of a detachment.
#[must_use]
pub fn parent(state: &State, id: BodyId) -> Option<BodyId> {
    let bmu = state.body(id).bmu;
    state.on_table().find(|(o, b)| *o != id && b.bmu == bmu && b.part == Part::Main).map(|(o, _)| o)
}

/// Half BMUs that moving a body uses up in this go (R20).
#[must_use]
pub fn price(state: &State, id: BodyId) -> u8 {
    match state.body(id).part {
        Part::Skirmishers | Part::Crew => 0,
        _ if state
            .bodies
            .iter()
            .enumerate()
            .any(|(i, b)| b.bmu == state.body(id).bmu && state.go.chosen & (1 << i) != 0) =>
        {
            0
        }
        _ if state.go.touching & id.bit() != 0 => 1,
        _ => 2,
    }
}

/// Friends that touch a body.
#[must_use]
pub fn touching(battle: &Battle, state: &State, id: BodyId) -> u64 {
    let body = state.body(id);
    let mine = body.layout(battle);
    let near = mine.block().bounds.grown(INCH / 10);
    let friends = state.on_table().filter(|(o, b)| *o != id && battle.side(b) == battle.side(body));
    friends
        .filter(|(_, b)| {
            let theirs = b.layout(battle);
            theirs.may_meet(&near) && theirs.block().bounds.meets(&near) && theirs.distance(&mine) <= EPS
        })
        .fold(0, |all, (o, _)| all | o.bit())
}

/// Whether a body can stand there: on the table and in nobody.
#[must_use]
pub fn free(battle: &Battle, state: &State, id: BodyId, layout: &Layout) -> bool {
    let block = layout.block();
    battle.top.holds(&block)
        && !state.on_table().any(|(o, b)| {
            o != id
                && !crate::rules::charge::movement::is_apart(battle, state, id, b)
                && layout.overlaps(&b.layout(battle))
        })
}

/// The rate of a body at this moment, and whether it is the Charge column (qrs.rates.b, R23).
#[must_use]
pub fn rate(battle: &Battle, state: &State, id: BodyId, formation: Formation, far: bool) -> i64 {
    let body = state.body(id);
    if body.marks.has(Marks::BOX) {
        return battle.rates.line().engaged / 2;
    }
    let formation = if body.part == Part::Group { Formation::Skirmish } else { formation };
    let rate = battle.rates.rate(battle.arm(body), body.mounted(battle), formation);
    if far { rate.charge } else { rate.engaged }
}

/// Whether a body whose nearest enemy is so far away may use the Charge rate: under an order the order decides (orders.e,
/// orders.h, orders.k), else the distance (R23).
#[must_use]
pub fn at_charge_rate(battle: &Battle, state: &State, id: BodyId, nearest: Option<i64>) -> bool {
    let engaged = nearest.is_some_and(|d| d <= battle.row.engagement * INCH + EPS);
    match battle.order_of(state, id) {
        Some(Command::Attack | Command::Defend) => false,
        Some(Command::Move) => true,
        None => !engaged,
    }
}

/// Linear obstacles that a body begins to cross: it pays once, however many legs its ranks take to get over (R101).
#[must_use]
pub fn obstacles(battle: &Battle, state: &State, layout: &Layout, fronts: &[Pt], by: Pt) -> i64 {
    if battle.lines.is_empty() {
        return 0;
    }
    let mut bounds = Bounds::of(fronts);
    bounds.take_in(bounds.lo + by);
    bounds.take_in(bounds.hi + by);
    let block = layout.block();
    let lines = battle.lines.iter().enumerate();
    let crossed = lines.filter(|(i, l)| {
        !l.fort
            && battle.standing(state, *i)
            && l.line.bounds().meets(&bounds)
            && !l.line.crosses(&block)
            && fronts.iter().any(|f| l.line.crossed_by(*f, *f + by) && l.line.distance_to(*f) > EPS)
    });
    crossed.count() as i64
}
