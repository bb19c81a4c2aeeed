//! The Morale Phase: tests, their failures, rallying, recovery.

use arrayvec::ArrayVec;
use game::words::does;
use game::{Die, Effects, Kind, RollNote, Side, Test};
use serde::{Deserialize, Serialize};
use table::{EPS, INCH, Pt};

use crate::cite;
use crate::rules::basics::{Formation, Layout, Shape};
use crate::rules::fire::No;
use crate::rules::rolls::{Sum, missed_by, rolled_by, tell_of};
use crate::rules::rout::{Flight, flee};
use crate::rules::sequence::{Phase, Step};
use crate::rules::terrain::sees;
use crate::setup::battle::{Battle, Cover};
use crate::state::{Body, BodyId, LeaderId, MAX_BODIES, Marks, Order, Part, Personality, State, Where};

/// Why a body tests its morale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Cause {
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

/// The number a body must reach (qrs.morale).
#[must_use]
pub fn number(battle: &Battle, state: &State, id: BodyId, cause: Cause) -> Sum {
    let body = state.body(id);
    let mods = &battle.tables.test.morale.modifiers;
    let mut sum = Sum::from(battle.tables.test.morale.base, "base", cite!("qrs.morale.a"));
    let state_of = match body.order {
        Order::Good => 0,
        Order::Suppressed => mods.suppressed,
        Order::Shaken => mods.shaken,
        Order::Routed => mods.routed,
    };
    sum.add(state_of, body.order.name(), cite!("qrs.morale.b"));
    let percent = state.percent_lost(battle, body.bmu);
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
    if flank_threat(battle, state, id) {
        sum.add(mods.flank_threat, "flank threatened", cite!("qrs.morale.g"));
    }
    sum.add(mods.rating(battle.info(body).morale), "morale rating", cite!("qrs.morale.h"));
    let cover = match battle.cover(state, &body.layout(battle), enemy_point(battle, state, id, cause), false)
    {
        Cover::None => 0,
        Cover::Light => mods.light_cover,
        Cover::Heavy => mods.heavy_cover,
    };
    sum.add(cover, "cover", cite!("qrs.morale.i"));
    leaders(battle, state, id, &mut sum);
    let support = if body.marks.has(Marks::BOX) { 2 } else { supporters(battle, state, id) };
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

fn leaders(battle: &Battle, state: &State, id: BodyId, sum: &mut Sum) {
    let mods = &battle.tables.test.morale.modifiers;
    let overall = battle.overall(battle.side_of(state, id));
    let sub = battle.helping(state, id);
    if sub.is_some() {
        sum.add(mods.sub_commander, "sub-commander", cite!("qrs.morale.j"));
    }
    // For units directly under him the overall commander stands in for the sub-commander and counts once (R90).
    if let Some(overall) = overall.filter(|l| Some(*l) != sub && battle.in_range(state, *l, id)) {
        let _ = overall;
        sum.add(mods.overall_commander, "overall commander", cite!("qrs.morale.j"));
    }
    let inspiring = sub.filter(|l| state.leaders[l.i()].personality == Personality::Inspiring);
    if let Some(leader) = inspiring {
        let attached = state.leaders[leader.i()].attached == Some(id);
        let value = if attached { mods.inspiring_attached } else { mods.inspiring_in_range };
        sum.add(value, "inspiring", cite!("personality.g"));
    }
}

/// Friends within 4 in, in whatever order (R86), two at the most.
#[must_use]
pub fn supporters(battle: &Battle, state: &State, id: BodyId) -> usize {
    let body = state.body(id);
    let mine = body.layout(battle);
    let near = mine.block().bounds.grown(4 * INCH + EPS);
    let friends = state.on_table().filter(|(other, b)| {
        *other != id
            && b.bmu != body.bmu
            && battle.side(b) == battle.side(body)
            // Guns that nobody serves are no unit of anybody's (R38).
            && !b.marks.has(Marks::ABANDONED)
    });
    let mut bmus: arrayvec::ArrayVec<u8, 2> = arrayvec::ArrayVec::new();
    for (_, b) in friends {
        let theirs = b.layout(battle);
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
#[must_use]
pub fn flank_threat(battle: &Battle, state: &State, id: BodyId) -> bool {
    let body = state.body(id);
    if matches!(body.shape.formation, Formation::Square | Formation::Skirmish) || body.marks.has(Marks::BOX) {
        return false;
    }
    let mine = body.layout(battle);
    state.on_table().any(|(other, b)| {
        if battle.side(b) == battle.side(body)
            || b.order.broken()
            || b.marks.unsighted()
            || b.marks.has(Marks::ABANDONED)
        {
            return false;
        }
        let rate = battle.rate(b).charge;
        let theirs = b.layout(battle);
        theirs.may_be_within(&mine, rate + EPS)
            && theirs.block().distance(&mine.block()) <= rate + EPS
            && theirs.centres().iter().any(|&stand| mine.behind_front(stand))
            && theirs.distance(&mine) <= rate + EPS
            && sees(battle, state, other, id)
    })
}

/// The point from which cover is judged (R61).
pub(crate) fn enemy_point(battle: &Battle, state: &State, id: BodyId, cause: Cause) -> Option<Pt> {
    if let Cause::Charged(by) = cause {
        return Some(state.body(by).layout(battle).centre());
    }
    if let Some((_, other)) = state.opponents(id).next() {
        return Some(state.body(other).layout(battle).centre());
    }
    if battle.lines.is_empty() {
        return None;
    }
    let body = state.body(id);
    let mine = body.layout(battle);
    let enemies =
        state.on_table().filter(|(_, b)| battle.side(b) != battle.side(body) && !b.marks.unsighted());
    let seen = enemies.filter(|(other, _)| sees(battle, state, id, *other));
    seen.map(|(_, b)| (b.layout(battle).distance(&mine), b.layout(battle).centre()))
        .min_by_key(|p| p.0)
        .map(|p| p.1)
}

/// Rolls a Morale Test; gives by how much it was missed, 0 for a pass.
pub fn roll(battle: &Battle, state: &State, id: BodyId, cause: Cause, fx: &mut impl Effects) -> i16 {
    let sum = number(battle, state, id, cause);
    missed_by(battle, state, id, &sum, "Morale Test", cite!("morale.test.b"), fx)
}

/// Applies a failed test that follows the failure chart: states now, moves at once (qrs.failure, morale.retreat.i).
pub fn fail(
    battle: &Battle,
    state: &mut State,
    id: BodyId,
    missed: i16,
    cause: Option<BodyId>,
    fx: &mut impl Effects,
) {
    bar(state, id);
    // Shaken men who fail again only rout (R84); Routed ones only flee.
    let before = state.body(id).order;
    if before.broken() && (before == Order::Routed || missed < 4) {
        return;
    }
    match missed {
        1 => stand_suppressed(battle, state, id, fx),
        _ => go_back(battle, state, id, missed, cause, fx),
    }
}

/// A failed test bars its next Movement Phase: this turn's if that is still to come, else the next turn's (R75).
fn bar(state: &mut State, id: BodyId) {
    let late = state.phase >= Phase::Movement;
    state.body_mut(id).marks.set(if late { Marks::BARRED_NEXT } else { Marks::BARRED });
}

fn stand_suppressed(battle: &Battle, state: &mut State, id: BodyId, fx: &mut impl Effects) {
    worsen(state, id, Order::Suppressed);
    tell_of(battle, state, id, Kind::Loss, "stands Suppressed", cite!("qrs.failure.a"), fx);
}

/// A body is in no better order than this any more, nor are the skirmishers it has sent out (skirmish.f).
pub fn worsen(state: &mut State, id: BodyId, order: Order) {
    let body = state.body_mut(id);
    body.order = body.order.max(order);
    let (bmu, main) = (body.bmu, body.part == Part::Main);
    let out = state.bodies.iter_mut().filter(|b| main && b.bmu == bmu && b.part == Part::Skirmishers);
    out.for_each(|b| b.order = b.order.max(order));
}

/// The compulsory move of a test missed by two or more (qrs.failure).
fn go_back(
    battle: &Battle,
    state: &mut State,
    id: BodyId,
    missed: i16,
    cause: Option<BodyId>,
    fx: &mut impl Effects,
) {
    match missed {
        2 => retreat(battle, state, id, cause, fx),
        3 => {
            tell_of(battle, state, id, Kind::Retreat, "is Shaken and runs", cite!("qrs.failure.c"), fx);
            flee(battle, state, id, Flight { cause, order: Order::Shaken, later: false }, fx);
        }
        _ => rout(battle, state, id, cause, fx),
    }
}

/// Half a move back, Suppressed.
pub fn retreat(battle: &Battle, state: &mut State, id: BodyId, cause: Option<BodyId>, fx: &mut impl Effects) {
    tell_of(battle, state, id, Kind::Retreat, "retreats Suppressed", cite!("qrs.failure.b"), fx);
    flee(battle, state, id, Flight { cause, order: Order::Suppressed, later: false }, fx);
}

fn rout(battle: &Battle, state: &mut State, id: BodyId, cause: Option<BodyId>, fx: &mut impl Effects) {
    tell_of(battle, state, id, Kind::Retreat, "routs", cite!("qrs.failure.d"), fx);
    state.body_mut(id).marks.set(Marks::JUST_ROUTED);
    flee(battle, state, id, Flight { cause, order: Order::Routed, later: false }, fx);
}

/// A body tests as soon as the flight or the loss that provokes it is over (R80, R95).
pub fn provoke(state: &mut State, id: BodyId, why: Marks) {
    state.body_mut(id).marks.set(why);
    if state.agenda.top() == Some(Step::Provoked) {
        return;
    }
    // Whoever loses his enemy by this tests for pursuit at once (pursuit.test.a); in the Morale Phase all do together,
    // and the Rout and Pursuit Phase only goes on with pursuits begun before (R76).
    if state.phase < Phase::Morale {
        state.agenda.push(Step::Pursuits);
    }
    state.agenda.push(Step::Provoked);
}

/// The next of those whom others provoked tests.
pub(crate) fn next_provoked(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let due = Marks::RUN_THROUGH.and(Marks::LEADER_FELL);
    let Some(id) = state.on_table().find(|(_, b)| b.marks.has(due)).map(|(id, _)| id) else {
        state.agenda.pop();
        return;
    };
    let body = state.body_mut(id);
    let (why, cause) = match body.marks.has(Marks::RUN_THROUGH) {
        true => (Marks::RUN_THROUGH, Cause::RunThrough(body.shover)),
        false => (Marks::LEADER_FELL, Cause::LeaderKilled),
    };
    body.marks.clear(why);
    test_now(battle, state, id, cause, fx);
}

/// A test that somebody else's misfortune provokes, with its results at once.
fn test_now(battle: &Battle, state: &mut State, id: BodyId, cause: Cause, fx: &mut impl Effects) {
    if !state.body(id).on_table() || state.body(id).order == Order::Routed {
        return;
    }
    let missed = roll(battle, state, id, cause, fx);
    if missed > 0 {
        let from = match cause {
            Cause::RunThrough(enemy) => enemy,
            Cause::Charged(by) => Some(by),
            _ => cause_of(battle, state, id),
        };
        fail(battle, state, id, missed, from, fx);
    }
}

/// Beyond the medium range of every enemy, in cover, or at the edge (R83).
#[must_use]
pub fn has_stopped(battle: &Battle, state: &State, id: BodyId) -> bool {
    let body = state.body(id);
    let layout = body.layout(battle);
    if battle.cover(state, &layout, enemy_point(battle, state, id, Cause::Phase), false) > Cover::None {
        return true;
    }
    // A Group halts when it has come to its rally point (fort.rally.a).
    let goal = crate::rules::rout::rally_point(battle, body, layout.centre());
    if goal.is_some_and(|goal| layout.distance_to(goal) <= EPS) {
        return true;
    }
    let b = layout.block().bounds;
    let edge = b.lo.x <= EPS
        || b.lo.y <= EPS
        || b.hi.x >= battle.top.width - EPS
        || b.hi.y >= battle.top.height - EPS;
    edge || !state.on_table().any(|(_, enemy)| {
        let range = battle.info(enemy).weapon.ranges[1];
        battle.side(enemy) != battle.side(body)
            && !enemy.marks.has(Marks::ABANDONED)
            && enemy.layout(battle).distance(&layout) <= range + EPS
    })
}

/// The phase, step by step (R125): list, roll on one state, apply.
pub fn phase(state: &mut State) {
    for i in 0..state.bodies.len() {
        let id = BodyId(i as u8);
        let melee = state.at_blows(id);
        let body = state.body_mut(id);
        body.marks.clear(Marks::STEADY);
        if melee {
            body.marks.set(Marks::IN_MELEE);
        }
        if body.order == Order::Suppressed {
            body.marks.set(Marks::WAS_SUPPRESSED);
        }
    }
    state.agenda.push(Step::EndMorale);
    state.agenda.push(Step::Pursuits);
    state.agenda.push(Step::AfterTests { next: 0 });
    state.agenda.push(Step::MoraleTests { next: 0 });
    state.agenda.push(Step::Leads { side: state.mover.enemy() });
    state.agenda.push(Step::Leads { side: state.mover });
}

/// The next body that must test does; its result waits, and takes effect when all have tested.
pub(crate) fn test_next(battle: &Battle, state: &mut State, next: u8, fx: &mut impl Effects) {
    let tester = (next..state.bodies.len() as u8).map(BodyId).find(|id| must_test(battle, state, *id));
    let Some(id) = tester else {
        state.agenda.pop();
        return in_order(battle, state, fx);
    };
    state.agenda.replace(Step::MoraleTests { next: id.0 + 1 });
    let missed = roll(battle, state, id, Cause::Phase, fx);
    let body = state.body_mut(id);
    body.missed = missed as i8;
    body.marks.set(Marks::RESULT);
}

/// All results change the states of those who tested before anybody moves (R125); then the side that lost the Movement
/// initiative moves its unfortunate units first (R21).
fn in_order(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let tested = state.on_table().filter(|(_, b)| b.marks.has(Marks::RESULT));
    let fates: ArrayVec<(BodyId, Fate), MAX_BODIES> =
        tested.map(|(id, body)| (id, fate(battle, state, id, i16::from(body.missed)))).collect();
    state.agenda.push(Step::GoBacks);
    state.agenda.push(Step::Reforms);
    for (id, fate) in fates {
        state.body_mut(id).marks.clear(Marks::RESULT);
        settle(battle, state, id, fate, fx);
    }
}

/// The next whom its test moves goes back, those of the side that lost the Movement initiative first.
pub(crate) fn next_goes_back(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let due = |side: Side| {
        let mut all = state.on_table().filter(|(_, b)| battle.side(b) == side);
        all.find(|(_, b)| b.marks.has(Marks::GOES_BACK)).map(|(id, _)| id)
    };
    let Some(id) = due(state.mover.enemy()).or_else(|| due(state.mover)) else {
        state.agenda.pop();
        return;
    };
    let body = state.body_mut(id);
    body.marks.clear(Marks::GOES_BACK);
    let missed = i16::from(body.missed);
    goes_back(battle, state, id, missed, fx);
}

/// The next who has rallied chooses a formation.
pub(crate) fn next_reform(state: &mut State) {
    let next = state.on_table().find(|(_, b)| b.marks.has(Marks::REFORMS)).map(|(id, _)| id);
    match next {
        Some(body) => {
            state.body_mut(body).marks.clear(Marks::REFORMS);
            state.agenda.push(Step::Reform { body });
        }
        None => {
            state.agenda.pop();
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

/// Read from the state in which all have tested.
fn fate(battle: &Battle, state: &State, id: BodyId, missed: i16) -> Fate {
    let body = state.body(id);
    match body.order {
        Order::Routed if missed > 0 => Fate::Removed,
        Order::Routed => Fate::Rallies,
        // With new hits the test is an ordinary one, but only a rout is worse than what it is (R84).
        Order::Shaken if missed >= 4 && fresh_hits(state, body) > 0 => Fate::GoesBack(missed),
        Order::Shaken if missed == 0 && has_stopped(battle, state, id) => Fate::Rallies,
        Order::Shaken => Fate::None,
        _ if missed > 1 => Fate::GoesBack(missed),
        _ if missed == 1 => Fate::Stands,
        _ if is_drawn_back(battle, state, id) => Fate::DrawnBack,
        _ => Fate::Steady,
    }
}

/// The change of state; moves follow when all have changed.
fn settle(battle: &Battle, state: &mut State, id: BodyId, fate: Fate, fx: &mut impl Effects) {
    match fate {
        Fate::None => {}
        Fate::Steady => state.body_mut(id).marks.set(Marks::STEADY),
        Fate::DrawnBack => {
            let body = state.body_mut(id);
            body.missed = 0;
            body.marks.set(Marks::STEADY.and(Marks::GOES_BACK));
            worsen(state, id, Order::Suppressed);
        }
        Fate::Rallies => rally(battle, state, id, fx),
        Fate::Removed => {
            tell_of(
                battle,
                state,
                id,
                Kind::Gone,
                "does not rally and is removed",
                cite!("seq.morale.c"),
                fx,
            );
            crate::rules::rout::remove(state, id);
        }
        Fate::Stands => {
            bar(state, id);
            stand_suppressed(battle, state, id, fx);
        }
        Fate::GoesBack(missed) => {
            bar(state, id);
            state.body_mut(id).marks.set(Marks::GOES_BACK);
            let order = match missed {
                2 => Order::Suppressed,
                3 => Order::Shaken,
                _ => Order::Routed,
            };
            worsen(state, id, order);
        }
    }
}

/// A result of the Morale Phase moves a body, unless friends who ran through it have already made it go back: their
/// test is taken only by those whose own result is no worse (R80, R125).
fn goes_back(battle: &Battle, state: &mut State, id: BodyId, missed: i16, fx: &mut impl Effects) {
    let body = state.body(id);
    if !body.on_table() || body.marks.has(Marks::FLED) {
        return;
    }
    let cause = cause_of(battle, state, id);
    match missed {
        0 => draw_back(battle, state, id, cause, fx),
        _ => go_back(battle, state, id, missed, cause, fx),
    }
}

/// Hits of this turn, those of the skirmishers it has sent out among them: for morale they are the unit's (skirmish.f).
fn fresh_hits(state: &State, body: &Body) -> u8 {
    let out = state.bodies.iter().filter(|b| {
        body.part == Part::Main
            && b.bmu == body.bmu
            && b.part == Part::Skirmishers
            && b.place != Where::Joined
    });
    out.map(|b| b.fresh).sum::<u8>() + body.fresh
}

/// Who tests (seq.morale.a, R83, R85).
pub(crate) fn must_test(battle: &Battle, state: &State, id: BodyId) -> bool {
    let body = state.body(id);
    if !body.on_table() || body.stands(battle) == 0 || body.marks.has(Marks::ABANDONED) {
        return false;
    }
    if body.part == Part::Skirmishers {
        return false;
    }
    let touched = state.at_blows(id);
    let fresh = fresh_hits(state, body);
    match body.order {
        Order::Routed => {
            fresh == 0 && !touched && !body.marks.has(Marks::JUST_ROUTED.and(Marks::HIT).and(Marks::RALLIED))
        }
        Order::Shaken => fresh > 0 || touched || has_stopped(battle, state, id),
        _ => fresh > 0 || touched,
    }
}

/// The melee enemy, else whoever hit it most (R81); the engine keeps the last who did, else the nearest enemy.
#[must_use]
pub fn cause_of(battle: &Battle, state: &State, id: BodyId) -> Option<BodyId> {
    let body = state.body(id);
    let melee = state.opponents(id).next().map(|(_, other)| other);
    let hit_by =
        body.other.filter(|o| state.body(*o).on_table() && battle.side_of(state, *o) != battle.side(body));
    melee
        .or(hit_by)
        .or_else(|| battle.nearest_enemy(state, battle.side(body), &body.layout(battle)).map(|n| n.0))
}

/// Under a Cautious sub-commander a unit at 25 percent falls back though it passed (R93).
#[must_use]
pub fn is_drawn_back(battle: &Battle, state: &State, id: BodyId) -> bool {
    battle.spirit(state, id) == Some(Personality::Cautious)
        && state.percent_lost(battle, state.body(id).bmu) >= 25
}

/// It does so.
pub fn draw_back(
    battle: &Battle,
    state: &mut State,
    id: BodyId,
    cause: Option<BodyId>,
    fx: &mut impl Effects,
) {
    tell_of(
        battle,
        state,
        id,
        Kind::Retreat,
        "is drawn back by its cautious leader",
        cite!("personality.d"),
        fx,
    );
    flee(battle, state, id, Flight { cause, order: Order::Suppressed, later: false }, fx);
}

fn rally(battle: &Battle, state: &mut State, id: BodyId, fx: &mut impl Effects) {
    let body = state.body_mut(id);
    if body.order == Order::Routed {
        body.marks.set(Marks::RALLIED);
    }
    body.order = Order::Suppressed;
    body.marks.clear(Marks::WAS_SUPPRESSED);
    body.marks.set(Marks::REFORMS);
    tell_of(battle, state, id, Kind::Rally, "rallies and is Suppressed", cite!("morale.rally.d"), fx);
}

/// The shapes a rallied body may take without lying in anybody.
pub fn reforms(battle: &Battle, state: &State, id: BodyId, out: &mut Vec<Shape>) {
    let body = state.body(id);
    let arm = battle.arm(body);
    let stands = body.fighting(battle);
    out.push(body.shape);
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
        if may_reform(battle, state, id, formation, shape.files).is_ok() && !out.contains(&shape) {
            out.push(shape);
        }
    }
}

/// Whether a rallied body may take a formation: any that its arm and its order allow, where there is room
/// (morale.rally.d).
///
/// # Errors
/// The rule that forbids it.
pub fn may_reform(
    battle: &Battle,
    state: &State,
    id: BodyId,
    formation: Formation,
    files: u8,
) -> Result<(), No> {
    let body = state.body(id);
    if formation == body.shape.formation && files == body.shape.files {
        return Ok(());
    }
    if formation == Formation::Mob {
        return Err(No::new(cite!("morale.rally.d"), "it rallies into a formation, or stays as it is"));
    }
    let layout = body.layout(battle);
    crate::rules::movement::may_form(battle, state, id, &layout, formation, files)?;
    let shape = Shape::of(formation, battle.arm(body), layout.stands, files);
    match place_reformed(battle, state, id, shape) {
        Some(_) => Ok(()),
        None => Err(No::new(cite!("morale.rally.d"), "there is no room for that formation")),
    }
}

/// Where a rallied body stands in a new shape: about its middle, in touch with whoever is at blows with it.
#[must_use]
pub fn place_reformed(battle: &Battle, state: &State, id: BodyId, shape: Shape) -> Option<Layout> {
    let body = state.body(id);
    let there = body.layout(battle).rearranged(shape, body.pose.facing);
    if state.in_melee(id) {
        return crate::rules::contact::reshaped(battle, state, id, &there).map(|pose| there.at(pose));
    }
    crate::rules::movement::free(battle, state, id, &there).then_some(there)
}

/// Suppression lifts, half of the new hits comes off, and stands may be recovered (R82, R88, R89).
pub fn end(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for i in 0..state.bodies.len() {
        let id = BodyId(i as u8);
        let body = state.body(id);
        if !body.on_table() {
            // Hits on skirmishers who are gone still count for their unit (skirmish.f).
            settle_hits(state, id);
            continue;
        }
        if body.stands(battle) == 0 {
            tell_of(battle, state, id, Kind::Gone, "has no stand left", cite!("basics.casualties.b"), fx);
            crate::rules::rout::remove(state, id);
            continue;
        }
        let rested = body.order == Order::Suppressed
            && body.marks.has(Marks::WAS_SUPPRESSED)
            && !body.marks.has(Marks::MOVED.and(Marks::HIT))
            && body.fresh == 0;
        let before = body.layout(battle);
        if rested {
            state.body_mut(id).order = Order::Good;
            tell_of(battle, state, id, Kind::Rally, "is no longer Suppressed", cite!("morale.rally.a"), fx);
        }
        if settle_hits(state, id) > 0 {
            settle_growth(battle, state, id, &before, fx);
        }
    }
}

/// Half of the new hits comes off, the rest stays (R88); gives how many came off.
fn settle_hits(state: &mut State, id: BodyId) -> u8 {
    let body = state.body_mut(id);
    let removed = body.fresh / 2;
    body.lost += body.fresh - removed;
    body.fresh = 0;
    removed
}

/// A stand that came back needs room: where there is none the line closes up by one.
pub fn settle_growth(battle: &Battle, state: &mut State, id: BodyId, before: &Layout, fx: &mut impl Effects) {
    if state.in_melee(id) {
        return crate::rules::contact::keep_in_touch(battle, state, id, before, fx);
    }
    for _ in 0..4 {
        let layout = state.body(id).layout(battle);
        let inside = crate::rules::rout::on_table(battle, &layout);
        if crate::rules::movement::free(battle, state, id, &layout.at(inside)) {
            state.body_mut(id).pose = inside;
            return;
        }
        let body = state.body_mut(id);
        body.shape.files = layout.files().saturating_sub(1).max(1);
    }
    let layout = state.body(id).layout(battle);
    if !crate::rules::movement::free(battle, state, id, &layout) {
        state.body_mut(id).pose = crate::rules::rout::nearest_room(battle, state, id, &layout);
    }
}

/// Whether a body may try to recover stands (morale.rally.e).
#[must_use]
pub fn may_recover(battle: &Battle, state: &State, id: BodyId) -> bool {
    let body = state.body(id);
    body.on_table()
        && !body.order.broken()
        && body.strength - body.stands(battle) > 0
        && !state.bmus[usize::from(body.bmu)].recovered
        && !battle.engaged(state, id)
        && battle.in_command(state, id)
}

/// One die for each lost stand; 6 brings it back, 5 too under a Cautious leader.
pub fn recover(battle: &Battle, state: &mut State, id: BodyId, fx: &mut impl Effects) {
    let body = state.body(id);
    let lost = body.strength - body.stands(battle);
    let careful = battle.spirit(state, id) == Some(Personality::Cautious);
    let need = if careful { 5 } else { 6 };
    let back = fx.count(lost, Test::at_least(Die::D6, need), || {
        let what = does(&battle.name(state, id), "recovers stands");
        let note = RollNote::new(what, cite!("morale.rally.e"))
            .outcomes((0..=lost).map(|n| format!("{n} of {lost} come back")))
            .side(battle.side_of(state, id));
        rolled_by(note, state, id)
    });
    let hits = back * battle.arm(state.body(id)).hits_a_stand();
    let bmu = usize::from(state.body(id).bmu);
    state.bmus[bmu].recovered = true;
    let before = state.body(id).layout(battle);
    let body = state.body_mut(id);
    body.lost -= hits.min(body.lost);
    settle_growth(battle, state, id, &before, fx);
}

/// Sides with somebody who may try to recover.
#[must_use]
pub fn recoverers(battle: &Battle, state: &State, side: Side) -> bool {
    state.on_table().any(|(id, b)| battle.side(b) == side && may_recover(battle, state, id))
}

/// Every unit of a fallen inspiring leader tests (R95).
pub fn leader_killed(battle: &Battle, state: &mut State, leader: LeaderId) {
    for i in 0..state.bodies.len() {
        let id = BodyId(i as u8);
        let body = state.body(id);
        if body.on_table() && battle.info(body).leader == leader {
            provoke(state, id, Marks::LEADER_FELL);
        }
    }
}

pub(crate) fn end_morale(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for i in 0..state.bodies.len() {
        let id = BodyId(i as u8);
        let body = state.body(id);
        let ended =
            body.on_table() && body.mounted(battle) && body.marks.has(Marks::IN_MELEE) && !state.in_melee(id);
        if ended && body.order == Order::Good {
            state.body_mut(id).order = Order::Suppressed;
            tell_of(
                battle,
                state,
                id,
                Kind::Loss,
                "is Suppressed after its melee",
                cite!("melee.cover.a"),
                fx,
            );
        }
    }
    end(battle, state, fx);
    crate::rules::forts::occupy(battle, state, fx);
    crate::rules::forts::lay_charges(battle, state);
    state.agenda.push(Step::Recover { side: Side::Second });
    state.agenda.push(Step::Recover { side: Side::First });
}
