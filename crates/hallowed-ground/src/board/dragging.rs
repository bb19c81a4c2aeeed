//! Dragging on the table: from where a hand would put a unit to the maneuver that brings it nearest, no farther than
//! the rules let it go. The check decides as ever; here only its answers are asked for.

use table::{Angle, INCH, MIL, Pt, Rect, Spot, div_round, mul_div};

use crate::action::{Change, Double, Maneuver, Order, Slant};
use crate::field::Field;
use crate::rules::command::maneuvers::{Plan, Trail};
use crate::setup::pieces::{CommanderId, UnitId};

/// Nobody drags farther.
const FAR: i64 = 200 * INCH;

/// Thousandths of an inch that a kept facing is worth, when none was asked for.
const KEPT: i64 = 350;

/// Lengths are dragged in hundredths of an inch.
const NOTCH: i32 = 10;

impl Field<'_> {
    /// What an order comes to, if it may be given.
    fn planned(&self, u: UnitId, order: &Order) -> Option<Plan> {
        self.plan(self.battle.unit(u).brigade, u, order, &mut Trail::new()).ok()?
    }
}

const fn forward(first: i32, turn: i32, then: i32) -> Maneuver {
    Maneuver::Forward { first, turn, then }
}

impl Field<'_> {
    /// The maneuver of an Advance that ends nearest to a goal and a facing; with no facing asked for, it turns only
    /// where that helps. When nothing is allowed at all, the maneuver whose refusal says why.
    pub(crate) fn drag_advance(&self, u: UnitId, at: Spot, facing: Option<Angle>) -> Maneuver {
        let rect = self.rect(u);
        let goal = at.pt();
        let mut best: Option<(i64, Maneuver)> = None;
        for wish in wishes(rect, goal, facing) {
            let Some(maneuver) = self.drag_allowed(u, wish) else { continue };
            let end = self.maneuver_ending(u, &maneuver);
            let off = end.at.pt().to(goal) / MIL;
            let turned = match facing {
                Some(f) => 2 * i64::from(end.facing.turn_to(f).abs()),
                None => KEPT * i64::from(end.facing != rect.facing),
            };
            if best.is_none_or(|(least, _)| off + turned < least) {
                best = Some((off + turned, maneuver));
            }
        }
        best.map_or_else(|| self.maneuver_towards(u, at, facing), |(_, maneuver)| maneuver)
    }
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

impl Field<'_> {
    /// The same maneuver, as long as it may be.
    fn drag_allowed(&self, u: UnitId, wish: Maneuver) -> Option<Maneuver> {
        let full = self.rate(u);
        let may = |maneuver: Maneuver| {
            self.planned(u, &Order::Advance { maneuver, change: Change::None, exit: false }).is_some()
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

impl Field<'_> {
    /// The March that ends nearest to a goal: straight on, along an oblique, or by the road.
    pub(crate) fn drag_march(&self, u: UnitId, at: Spot) -> Double {
        let rect = self.rect(u);
        let way = at.pt() - rect.front;
        let most = 2 * self.rate(u);
        let mut best: Option<(i64, Double)> = None;
        let mut take = |double: Double| {
            let Some(plan) = self.planned(u, &Order::March { double, exit: false }) else { return false };
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
        if self.on_road(u).is_some() {
            for by in (0..=most / 250).map(|n| n * 250) {
                take(Double::Road { by });
            }
        }
        best.map_or(Double::Ahead { slant: Slant::Straight, by: whole(way.length()) }, |(_, double)| double)
    }

    /// The farthest spot on a commander's straight way to a goal that he may ride to.
    pub(crate) fn drag_ride(&self, c: CommanderId, at: Spot, may: impl Fn(Spot) -> bool) -> Spot {
        let from = self.state.commanders[c.i()].at;
        let on_the_way = |n: i64| from.pt().part_way(at.pt(), n, 96).spot();
        (1..=96).rev().map(on_the_way).find(|spot| may(*spot)).unwrap_or(at)
    }

    /// Where the middle of a unit's front can come to by an Advance: an outline.
    pub(crate) fn advance_reach(&self, u: UnitId) -> Vec<Pt> {
        let full = self.rate(u);
        let aside = |right: bool| Maneuver::Sidestep { right, by: full / 2 };
        let back = |slant: Slant| Maneuver::Back { slant, by: full / 2 };
        let ahead = (-18..=18).map(|i| forward(0, 500 * i, full));
        let behind =
            [aside(true), back(Slant::Right), back(Slant::Straight), back(Slant::Left), aside(false)];
        ahead
            .chain(behind)
            .filter_map(|wish| self.drag_allowed(u, wish))
            .map(|maneuver| self.maneuver_ending(u, &maneuver).at.pt())
            .collect()
    }

    /// The ends of its Marches straight on and along both obliques.
    pub(crate) fn march_reach(&self, u: UnitId) -> Vec<Pt> {
        let rect = self.rect(u);
        let most = i64::from(2 * self.rate(u)) * MIL;
        let end = |turn: i32| {
            let double = self.drag_march(u, (rect.front + rect.facing.turned(turn).dir().times(most)).spot());
            Some(self.planned(u, &Order::March { double, exit: false })?.pose.at.pt())
        };
        [-4_500, 0, 4_500].into_iter().filter_map(end).collect()
    }

    /// How far its charges go, from the middle of the front; nothing for those who do not charge.
    pub(crate) fn longest_charge(&self, u: UnitId) -> Option<i64> {
        self.may_charge(u).is_ok().then(|| i64::from(2 * self.rate(u)) * MIL)
    }

    /// The maneuver that brings a unit's leader point nearest to where somebody dragged it, facing as asked: straight
    /// on, a pivot and straight on again, an oblique, back, or aside. Whether it is allowed is for the check to say.
    pub(crate) fn maneuver_towards(&self, u: UnitId, at: Spot, facing: Option<Angle>) -> Maneuver {
        let rect = self.rect(u);
        let facing = facing.unwrap_or(rect.facing);
        let goal = Rect::at(at.pt(), facing, rect.size());
        let way = goal.centre - rect.centre;
        let whole = |n: i64| table::div_round(n.max(0), MIL) as i32;
        let along = |turn: i32| whole(rect.facing.turned(turn).dir().along(way));
        let turn = rect.facing.turn_to(facing);
        let mut ways = vec![
            Maneuver::Forward { first: along(0), turn: 0, then: 0 },
            Maneuver::Oblique { right: true, by: along(4_500) },
            Maneuver::Oblique { right: false, by: along(-4_500) },
            Maneuver::Back { slant: Slant::Straight, by: along(18_000) },
            Maneuver::Back { slant: Slant::Left, by: along(-13_500) },
            Maneuver::Back { slant: Slant::Right, by: along(13_500) },
            Maneuver::Sidestep { right: true, by: along(9_000) },
            Maneuver::Sidestep { right: false, by: along(-9_000) },
        ];
        if turn != 0 {
            // way = first * old facing + then * new facing, solved by the parts across each.
            let (old, new) = (rect.ahead, facing.dir());
            let across = new.along(old.right().times(INCH));
            let (first, then) = if across == 0 {
                (0, 0)
            } else {
                let then = table::mul_div(old.right().along(way), INCH, across);
                (old.along(way - new.times(then)), then)
            };
            ways.push(Maneuver::Forward { first: whole(first), turn, then: whole(then) });
        }
        let off = |maneuver: &Maneuver| {
            let pose = self.maneuver_ending(u, maneuver);
            (pose.facing.turn_to(facing).abs(), pose.at.pt().to(at.pt()))
        };
        ways.into_iter().min_by_key(off).unwrap_or(Maneuver::Retire { degrees: 0 })
    }

    /// Where a maneuver would end on an empty table.
    fn maneuver_ending(&self, u: UnitId, maneuver: &Maneuver) -> table::Pose {
        let (pose, size) = (self.state.unit(u).pose, self.rect(u).size());
        let long = |by: i32| i64::from(by) * MIL;
        match *maneuver {
            Maneuver::Forward { first, turn, then } => {
                pose.moved(0, long(first)).pivoted(size, pose.facing.turned(turn)).moved(0, long(then))
            }
            Maneuver::Oblique { right, by } => pose.moved(if right { 4_500 } else { -4_500 }, long(by)),
            Maneuver::Back { slant, by } => pose.moved(
                match slant {
                    Slant::Left => -13_500,
                    Slant::Straight => 18_000,
                    Slant::Right => 13_500,
                },
                long(by),
            ),
            Maneuver::Sidestep { right, by } => pose.moved(if right { 9_000 } else { -9_000 }, long(by)),
            Maneuver::Retire { .. } => pose,
        }
    }
}
