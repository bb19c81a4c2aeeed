//! Dragging on the table: from where a hand would put a body to the move that brings it nearest, no farther than the
//! rules let it go. The check decides as ever; here only its answers are asked for.

use table::{Angle, INCH, MIL, Pose, Pt, Spot, div_round};

use crate::at::At;
use crate::rules::basics::Layout;
use crate::rules::movement::{Leg, Legs, roams, wheeled};
use crate::state::BodyId;

/// Nobody drags farther.
const FAR: i64 = 100 * INCH;
/// Thousandths of an inch that a kept facing is worth, when none was asked for.
const KEPT: i64 = 500;
/// Lengths are dragged in hundredths of an inch.
const NOTCH: i64 = 10 * MIL;

fn legs(parts: &[Leg]) -> Legs {
    parts.iter().copied().collect()
}

impl At<'_> {
    /// The move that ends nearest to a goal and a facing; with no facing asked for, it turns only where that helps. When
    /// nothing is allowed at all, the move whose refusal says why.
    pub(crate) fn drag_toward(self, id: BodyId, at: Spot, facing: Option<Angle>) -> Legs {
        let layout = self.layout(id);
        let most = self.rate_now(id);
        let goal = at.pt();
        let mut best: Option<(i64, Legs)> = None;
        let wishes = wishes(&layout, goal, facing);
        for wish in &wishes {
            let Some(found) = self.drag_allowed(id, wish, most) else { continue };
            let Ok(outcome) = self.plan_move(id, &found) else { continue };
            let end = outcome.layout.pose;
            let turned = match facing {
                Some(f) => 3 * i64::from(end.facing.turn_to(f).abs()),
                None => KEPT * i64::from(end.facing != layout.pose.facing),
            };
            let off = end.at.pt().to(goal) / MIL + turned;
            if best.as_ref().is_none_or(|(least, _)| off < *least) {
                best = Some((off, found));
            }
        }
        best.map(|(_, found)| found).or_else(|| wishes.into_iter().next()).unwrap_or_default()
    }

    /// The rate it moves at now.
    pub(crate) fn rate_now(self, id: BodyId) -> i64 {
        let mine = self.layout(id);
        let others = self.footprints();
        let nearest = others.nearest_enemy(self.side_of(id), &mine, &mine.block());
        let far = self.at_charge_rate(id, nearest.map(|(_, distance)| distance));
        self.move_rate(id, mine.shape.formation, far)
    }

    /// The same move with its straight part as long as it may be; a wheel that costs too much is wheeled less.
    fn drag_allowed(self, id: BodyId, wish: &[Leg], most: i64) -> Option<Legs> {
        let share = |n: i64| -> Legs {
            let part = |length: i32| {
                let most = (most / MIL) as i32;
                ((i64::from(length.min(most)) * n / 256 / 10 * 10) as i32).max(10)
            };
            wish.iter()
                .map(|leg| match *leg {
                    Leg::Ahead { length, aside } => Leg::Ahead { length: part(length), aside },
                    Leg::Sidle { length, bearing } => Leg::Sidle { length: part(length.min(1000)), bearing },
                    Leg::Wheel { turn } if wish.len() == 1 => {
                        Leg::Wheel { turn: (i64::from(turn) * n / 256) as i16 }
                    }
                    other => other,
                })
                .collect()
        };
        let may = |n: i64| self.plan_move(id, &share(n)).is_ok();
        if may(256) {
            return Some(share(256));
        }
        let (mut good, mut bad) = (0, 256);
        while bad - good > 1 {
            let middle = (good + bad) / 2;
            if may(middle) { good = middle } else { bad = middle }
        }
        (good > 0).then(|| share(good))
    }

    /// Where the middle of a body's front can come to by a march or by a wheel and a march: an outline.
    pub(crate) fn drag_reach(self, id: BodyId) -> Vec<Pt> {
        if self.may_move(id).is_err() {
            return Vec::new();
        }
        let layout = self.layout(id);
        let most = self.rate_now(id);
        let length = (most / MIL) as i32;
        let from = layout.pose.at.pt();
        let free = roams(self.body(id), layout.shape.formation);
        let mut wishes: Vec<Legs> = Vec::new();
        if free {
            wishes.extend((-18..18).map(|i| legs(&[Leg::Ahead { length, aside: 1_000 * i }])));
        } else {
            wishes.extend((-9..=9).map(|i| legs(&[Leg::Ahead { length, aside: 500 * i }])));
            let wheels = [1_500, 3_000, 4_500, 6_000, 9_000].into_iter().flat_map(|turn: i16| [turn, -turn]);
            wishes.extend(wheels.map(|turn| {
                legs(&[Leg::Wheel { turn }, Leg::Ahead { length, aside: 4_500 * turn.signum() }])
            }));
            let aside = [9_000, 13_500, 18_000, -13_500, -9_000];
            wishes.extend(aside.map(|bearing| legs(&[Leg::Sidle { length: 2_000, bearing }])));
        }
        let mut ends: Vec<(i32, Pt)> = wishes
            .iter()
            .filter_map(|wish| Some((wish, self.plan_move(id, &self.drag_allowed(id, wish, most)?).ok()?)))
            .map(|(wish, outcome)| (wish, outcome.layout.pose.at.pt()))
            .map(|(wish, end)| (wish, layout.pose.facing.turn_to(Angle::of(end - from)), end))
            // Within the arc a straight march goes as far as anything.
            .filter(|(wish, bearing, _)| {
                free || !matches!(wish[0], Leg::Wheel { .. }) || bearing.abs() > 4_500
            })
            .map(|(_, bearing, end)| (bearing, end))
            .collect();
        ends.sort_unstable_by_key(|(bearing, end)| (*bearing, end.x, end.y));
        ends.into_iter().map(|(_, end)| end).collect()
    }
}

/// Every kind of move, as long as it would have to be.
fn wishes(layout: &Layout, goal: Pt, facing: Option<Angle>) -> Vec<Legs> {
    let pose = layout.pose;
    let mut out = Vec::new();
    let bearing = degrees(pose.facing.turn_to(Angle::of(goal - layout.centre())));
    let turn = facing.map_or(0, |f| pose.facing.turn_to(f));
    if turn == 0 {
        let straight = pose.facing.turn_to(Angle::of(goal - pose.at.pt()));
        out.extend(
            [straight, straight.clamp(-4_500, 4_500), 0].map(|aside| legs(&[ahead(pose, goal, aside)])),
        );
        out.push(legs(&[Leg::Sidle { length: sidle(pose, goal), bearing: straight as i16 }]));
    }
    let turns: &[i32] = if facing.is_some() { &[turn] } else { &[bearing, bearing.clamp(-9_000, 9_000)] };
    for turn in turns.iter().filter(|t| **t != 0) {
        let wheel = wheeled(pose, layout.extent(), *turn, false);
        let after = wheel.facing.turn_to(Angle::of(goal - wheel.at.pt()));
        for aside in [after.clamp(-4_500, 4_500), 0] {
            out.push(legs(&[Leg::Wheel { turn: *turn as i16 }, ahead(wheel, goal, aside)]));
        }
        if facing.is_some() {
            let before = pose.at.pt() + (goal - wheel.at.pt());
            let aside = pose.facing.turn_to(Angle::of(before - pose.at.pt())).clamp(-4_500, 4_500);
            out.push(legs(&[ahead(pose, before, aside), Leg::Wheel { turn: *turn as i16 }]));
            out.push(legs(&[Leg::WheelBack { turn: *turn as i16 }]));
        }
        out.extend([legs(&[Leg::Wheel { turn: *turn as i16 }]), legs(&[Leg::Slew { turn: *turn as i16 }])]);
        let quarter =
            [-18_000, -9_000, 9_000, 18_000].into_iter().min_by_key(|q| (q - turn).abs()).unwrap_or(9_000);
        if (quarter - turn).abs() < 1_500 {
            let face = Leg::Face { turn: quarter as i16 };
            let faced = Pose { facing: pose.facing.turned(quarter), ..pose };
            out.extend([legs(&[face]), legs(&[face, ahead(faced, goal, 0)])]);
        }
        out.push(legs(&[Leg::Face { turn: *turn as i16 }]));
    }
    out
}

/// Ahead by what the goal asks for in a direction.
fn ahead(from: Pose, goal: Pt, aside: i32) -> Leg {
    let along = from.facing.turned(aside).dir().along(goal - from.at.pt());
    Leg::Ahead { length: mils(along), aside: aside as i16 }
}

fn sidle(from: Pose, goal: Pt) -> i32 {
    mils(from.at.pt().to(goal).min(2 * INCH))
}

/// To the whole degree.
fn degrees(turn: i32) -> i32 {
    (turn + 50 * turn.signum()) / 100 * 100
}

fn mils(length: i64) -> i32 {
    (div_round(length.clamp(NOTCH, FAR), NOTCH) * NOTCH / MIL) as i32
}

/// The farthest spot on a leader's straight way to a goal that he may go to.
pub(crate) fn ride(from: Spot, at: Spot, may: impl Fn(Spot) -> bool) -> Spot {
    let on_the_way = |n: i64| from.pt().part_way(at.pt(), n, 96).spot();
    (1..=96).rev().map(on_the_way).find(|spot| may(*spot)).unwrap_or(at)
}
