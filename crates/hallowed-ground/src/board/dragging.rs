//! Dragging on the table: from where a hand would put a unit to the maneuver that brings it nearest, no farther than
//! the rules let it go. The check decides as ever; here only its answers are asked for.

use table::{Angle, INCH, MIL, Pt, Rect, Spot, div_round, mul_div};

use crate::field::Field;
use crate::notation::ending;
use crate::rules::charges::line::may_charge;
use crate::rules::command::maneuvers::{Change, Double, Maneuver, Plan, Slant, Trail, rate};
use crate::rules::command::roads::on_road;
use crate::rules::command::{Order, plan};
use crate::setup::battle::{CommanderId, UnitId};

/// Nobody drags farther.
const FAR: i64 = 200 * INCH;
/// Thousandths of an inch that a kept facing is worth, when none was asked for.
const KEPT: i64 = 350;
/// Lengths are dragged in hundredths of an inch.
const NOTCH: i32 = 10;

/// What an order comes to, if it may be given.
fn planned(field: &Field<'_>, u: UnitId, order: &Order) -> Option<Plan> {
    plan(field, field.battle.unit(u).brigade, u, order, &mut Trail::new()).ok()?
}

const fn forward(first: i32, turn: i32, then: i32) -> Maneuver {
    Maneuver::Forward { first, turn, then }
}

/// The maneuver of an Advance that ends nearest to a goal and a facing; with no facing asked for, it turns only where
/// that helps. When nothing is allowed at all, the maneuver whose refusal says why.
pub(crate) fn advance(field: &Field<'_>, u: UnitId, at: Spot, facing: Option<Angle>) -> Maneuver {
    let rect = field.rect(u);
    let goal = at.pt();
    let mut best: Option<(i64, Maneuver)> = None;
    for wish in wishes(rect, goal, facing) {
        let Some(maneuver) = allowed(field, u, wish) else { continue };
        let end = ending(field, u, &maneuver);
        let off = end.at.pt().to(goal) / MIL;
        let turned = match facing {
            Some(f) => 2 * i64::from(end.facing.turn_to(f).abs()),
            None => KEPT * i64::from(end.facing != rect.facing),
        };
        if best.is_none_or(|(least, _)| off + turned < least) {
            best = Some((off + turned, maneuver));
        }
    }
    best.map_or_else(|| crate::notation::towards(field, u, at, facing), |(_, maneuver)| maneuver)
}

/// Every kind of maneuver, as long as it would have to be.
fn wishes(rect: &Rect, goal: Pt, facing: Option<Angle>) -> Vec<Maneuver> {
    let way = goal - rect.front;
    let along = |turn: i32| whole(rect.facing.turned(turn).dir().along(way));
    let turn = facing.map_or(0, |f| rect.facing.turn_to(f));
    let mut out = Vec::new();
    if turn == 0 {
        out.extend([
            forward(along(0), 0, 0),
            Maneuver::Oblique { right: true, by: along(4_500) },
            Maneuver::Oblique { right: false, by: along(-4_500) },
            Maneuver::Sidestep { right: true, by: along(9_000) },
            Maneuver::Sidestep { right: false, by: along(-9_000) },
            Maneuver::Back { slant: Slant::Straight, by: along(18_000) },
            Maneuver::Back { slant: Slant::Left, by: along(-13_500) },
            Maneuver::Back { slant: Slant::Right, by: along(13_500) },
        ]);
    } else {
        // The front's way is that of the middle, and of the front about the middle.
        let new = rect.facing.turned(turn);
        let middle = goal - new.dir().times(rect.b) - rect.centre;
        let (old, new) = (rect.ahead, new.dir());
        let across = new.along(old.right().times(INCH));
        if across != 0 {
            let then = mul_div(old.right().along(middle), INCH, across);
            let first = old.along(middle - new.times(then));
            out.push(forward(whole(first), turn, whole(then)));
        }
        out.extend([forward(whole(old.along(middle)), turn, 0), forward(0, turn, whole(new.along(middle)))]);
    }
    if facing.is_none() {
        let bearing = rect.facing.turn_to(Angle::of(goal - rect.centre));
        // To the whole degree.
        let turn = (bearing + 50 * bearing.signum()) / 100 * 100;
        out.push(forward(0, turn.clamp(-9_000, 9_000), whole(rect.centre.to(goal) - rect.b)));
    }
    out
}

fn whole(length: i64) -> i32 {
    (div_round(length.clamp(0, FAR), MIL * i64::from(NOTCH)) as i32) * NOTCH
}

/// The same maneuver, as long as it may be.
fn allowed(field: &Field<'_>, u: UnitId, wish: Maneuver) -> Option<Maneuver> {
    let full = rate(field, u);
    let may = |maneuver: Maneuver| {
        planned(field, u, &Order::Advance { maneuver, change: Change::None, exit: false }).is_some()
    };
    let cut = match wish {
        Maneuver::Forward { first, turn, then } => {
            let first = first.min(full);
            Maneuver::Forward { first, turn, then: then.min(full - first) }
        }
        Maneuver::Oblique { right, by } => Maneuver::Oblique { right, by: by.min(full) },
        Maneuver::Back { slant, by } => Maneuver::Back { slant, by: by.min(full / 2) },
        Maneuver::Sidestep { right, by } => Maneuver::Sidestep { right, by: by.min(full / 2) },
        Maneuver::Retire { .. } => wish,
    };
    let share = |n: i32| {
        let part = |length: i32| (i64::from(length) * i64::from(n) / 256) as i32 / NOTCH * NOTCH;
        match cut {
            Maneuver::Forward { first, turn, then } => {
                Maneuver::Forward { first: part(first), turn, then: part(then) }
            }
            Maneuver::Oblique { right, by } => Maneuver::Oblique { right, by: part(by) },
            Maneuver::Back { slant, by } => Maneuver::Back { slant, by: part(by) },
            Maneuver::Sidestep { right, by } => Maneuver::Sidestep { right, by: part(by) },
            Maneuver::Retire { .. } => cut,
        }
    };
    longest(|n| may(if n == 256 { cut } else { share(n) })).map(|n| if n == 256 { cut } else { share(n) })
}

/// The most of 256 parts that is allowed, if any is.
fn longest(may: impl Fn(i32) -> bool) -> Option<i32> {
    if may(256) {
        return Some(256);
    }
    let (mut good, mut bad) = (may(0).then_some(0)?, 256);
    while bad - good > 1 {
        let middle = i32::midpoint(good, bad);
        if may(middle) { good = middle } else { bad = middle }
    }
    Some(good)
}

/// The March that ends nearest to a goal: straight on, along an oblique, or by the road.
pub(crate) fn march(field: &Field<'_>, u: UnitId, at: Spot) -> Double {
    let rect = field.rect(u);
    let way = at.pt() - rect.front;
    let most = 2 * rate(field, u);
    let mut best: Option<(i64, Double)> = None;
    let mut take = |double: Double| {
        let Some(plan) = planned(field, u, &Order::March { double, exit: false }) else { return false };
        let off = plan.pose.at.pt().to(at.pt());
        if best.is_none_or(|(least, _)| off < least) {
            best = Some((off, double));
        }
        true
    };
    for (slant, turn) in [(Slant::Straight, 0), (Slant::Left, -4_500), (Slant::Right, 4_500)] {
        let by = whole(rect.facing.turned(turn).dir().along(way)).min(most);
        // As far as it may, in quarters of an inch where something bars the way.
        let mut tries = std::iter::once(by).chain((0..by / 250).rev().map(|n| n * 250));
        tries.find(|by| take(Double::Ahead { slant, by: *by }));
    }
    if on_road(field, u).is_some() {
        for by in (0..=most / 250).map(|n| n * 250) {
            take(Double::Road { by });
        }
    }
    best.map_or(Double::Ahead { slant: Slant::Straight, by: whole(way.length()) }, |(_, double)| double)
}

/// The farthest spot on a commander's straight way to a goal that he may ride to.
pub(crate) fn ride(field: &Field<'_>, c: CommanderId, at: Spot, may: impl Fn(Spot) -> bool) -> Spot {
    let from = field.state.commanders[c.i()].at;
    let on_the_way = |n: i64| from.pt().part_way(at.pt(), n, 96).spot();
    (1..=96).rev().map(on_the_way).find(|spot| may(*spot)).unwrap_or(at)
}

/// Where the middle of a unit's front can come to by an Advance: an outline.
pub(crate) fn reach(field: &Field<'_>, u: UnitId) -> Vec<Pt> {
    let full = rate(field, u);
    let aside = |right: bool| Maneuver::Sidestep { right, by: full / 2 };
    let back = |slant: Slant| Maneuver::Back { slant, by: full / 2 };
    let ahead = (-18..=18).map(|i| forward(0, 500 * i, full));
    let behind = [aside(true), back(Slant::Right), back(Slant::Straight), back(Slant::Left), aside(false)];
    ahead
        .chain(behind)
        .filter_map(|wish| allowed(field, u, wish))
        .map(|maneuver| ending(field, u, &maneuver).at.pt())
        .collect()
}

/// The ends of its Marches straight on and along both obliques.
pub(crate) fn marches(field: &Field<'_>, u: UnitId) -> Vec<Pt> {
    let rect = field.rect(u);
    let most = i64::from(2 * rate(field, u)) * MIL;
    let end = |turn: i32| {
        let double = march(field, u, (rect.front + rect.facing.turned(turn).dir().times(most)).spot());
        Some(planned(field, u, &Order::March { double, exit: false })?.pose.at.pt())
    };
    [-4_500, 0, 4_500].into_iter().filter_map(end).collect()
}

/// How far its charges go, from the middle of the front; nothing for those who do not charge.
pub(crate) fn charge(field: &Field<'_>, u: UnitId) -> Option<i64> {
    may_charge(field, u).is_ok().then(|| i64::from(2 * rate(field, u)) * MIL)
}
