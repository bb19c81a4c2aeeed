//! A second reading of chapter 2, written from the rulebook and its rulings and not from the engine: distances, arcs and
//! lines of sight among lines of infantry in the open, found by trying hundreds of sight lines to each.

use game::dice::{Dice, QuickDice};
use game::situation::Fact;
use game::{Facts, Files, Options, Rules};
use hallowed_ground::HallowedGround;

const UNITS: usize = 8;

/// Sight lines to a facing.
const LINES: usize = 600;

/// Closer to a border than this, in inches, either answer is right.
const NEAR: f64 = 0.02;

type P = (f64, f64);

fn minus(a: P, b: P) -> P {
    (a.0 - b.0, a.1 - b.1)
}

/// A base: 225 mm by 40 mm, the middle of its front in inches, its facing in degrees clockwise from north.
#[derive(Clone, Copy)]
struct Base {
    front: P,
    facing: f64,
}

const HALF_WIDTH: f64 = 225.0 / 25.4 / 2.0;
const DEPTH: f64 = 40.0 / 25.4;

impl Base {
    fn ahead(&self) -> P {
        let turn = self.facing.to_radians();
        (turn.sin(), turn.cos())
    }

    /// To the right of the middle and ahead of the front.
    fn at(&self, right: f64, ahead: f64) -> P {
        let (x, y) = self.ahead();
        (self.front.0 + right * y + ahead * x, self.front.1 - right * x + ahead * y)
    }

    /// How far to the right of the middle and ahead of the front a point lies.
    fn seen_from(&self, p: P) -> P {
        let ((dx, dy), (x, y)) = (minus(p, self.front), self.ahead());
        (dx * y - dy * x, dx * x + dy * y)
    }

    /// Front right, front left, rear left, rear right.
    fn corners(&self) -> [P; 4] {
        [(HALF_WIDTH, 0.0), (-HALF_WIDTH, 0.0), (-HALF_WIDTH, -DEPTH), (HALF_WIDTH, -DEPTH)]
            .map(|(r, a)| self.at(r, a))
    }

    fn holds(&self, p: P) -> bool {
        let (right, ahead) = self.seen_from(p);
        right.abs() <= HALF_WIDTH && (-DEPTH..=0.0).contains(&ahead)
    }

    fn edges(&self) -> [(P, P); 4] {
        let [fr, fl, rl, rr] = self.corners();
        [(fr, fl), (fl, rl), (rl, rr), (rr, fr)]
    }

    fn distance_to(&self, p: P) -> f64 {
        if self.holds(p) {
            return 0.0;
        }
        self.edges().into_iter().map(|e| to_segment(p, e)).fold(f64::MAX, f64::min)
    }

    fn distance(&self, other: &Base) -> f64 {
        let one_way =
            |a: &Base, b: &Base| a.corners().into_iter().map(|p| b.distance_to(p)).fold(f64::MAX, f64::min);
        one_way(self, other).min(one_way(other, self))
    }

    /// The arc a point lies in, and how far it is from the border of another.
    fn arc(&self, p: P) -> (&'static str, f64) {
        let (right, ahead) = self.seen_from(p);
        // Beyond the line of its sides, and beyond its front or rear.
        let aside = right.abs() - HALF_WIDTH;
        let (before, behind) = (ahead, -DEPTH - ahead);
        let arc = if before >= aside && before > behind {
            "front"
        } else if behind > aside && behind > before {
            "rear"
        } else if right < 0.0 {
            "left"
        } else {
            "right"
        };
        (arc, (before.max(behind) - aside).abs())
    }

    fn edge(&self, arc: &str) -> (P, P) {
        let [front, left, rear, right] = self.edges();
        match arc {
            "front" => front,
            "left" => left,
            "rear" => rear,
            _ => right,
        }
    }

    /// Whether a sight line goes through the inside of the base.
    fn hides(&self, from: P, to: P) -> bool {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let (a, b) = (self.seen_from(from), self.seen_from(to));
        for (start, end, low, high) in [(a.0, b.0, -HALF_WIDTH, HALF_WIDTH), (a.1, b.1, -DEPTH, 0.0)] {
            let by = end - start;
            if by.abs() < 1e-12 {
                if start <= low || start >= high {
                    return false;
                }
                continue;
            }
            let (first, second) = ((low - start) / by, (high - start) / by);
            enter = enter.max(first.min(second));
            leave = leave.min(first.max(second));
        }
        leave > enter + 1e-9
    }
}

fn to_segment(p: P, (a, b): (P, P)) -> f64 {
    let (side, from) = (minus(b, a), minus(p, a));
    let share = ((from.0 * side.0 + from.1 * side.1) / (side.0 * side.0 + side.1 * side.1)).clamp(0.0, 1.0);
    let away = minus(from, (side.0 * share, side.1 * share));
    away.0.hypot(away.1)
}

fn random(mind: &mut QuickDice) -> Vec<Base> {
    let mut bases: Vec<Base> = Vec::new();
    while bases.len() < UNITS {
        let mils = |mind: &mut QuickDice| f64::from(mind.below(46_000) + 7_000) / 1_000.0;
        let front = (mils(mind), mils(mind));
        let new = Base { front, facing: f64::from(mind.below(360)) };
        // Well apart, and never one in the other.
        if bases.iter().all(|b| b.distance(&new) > 1.2 && !b.hides(new.corners()[0], new.corners()[2])) {
            bases.push(new);
        }
    }
    bases
}

fn scenario(bases: &[Base]) -> String {
    let units = bases.iter().enumerate().map(|(i, b)| {
        let brigade = if i % 2 == 0 { "Blue" } else { "Gray" };
        format!(
            "[[unit]]\nname = \"u{i}\"\nbrigade = \"{brigade}\"\ntype = \"infantry\"\nformation = \"line\"\nat = [{:.3}, {:.3}]\nfacing = {}\n",
            b.front.0, b.front.1, b.facing
        )
    });
    let side = |id: &str, name: &str, edge: &str, y: i32| {
        format!(
            "[[side]]\nid = \"{id}\"\nname = \"{name}\"\nown_edge = \"{edge}\"\n\
             [[brigade]]\nname = \"{name}\"\nside = \"{id}\"\ncommander = {{ id = \"c-{id}\", name = \"C. {name}\", at = [1, {y}] }}\n\
             [[general]]\nside = \"{id}\"\nname = \"G. {name}\"\nat = [2, {y}]\n"
        )
    };
    format!(
        "system = \"hallowed-ground\"\ntitle = \"Model\"\nturns = 8\n[table]\nwidth = 60\nheight = 60\n{}{}{}",
        side("blue", "Blue", "south", 1),
        side("gray", "Gray", "north", 59),
        units.collect::<String>()
    )
}

/// How much of a facing is seen from a point, by many sight lines.
fn visible(bases: &[Base], viewer: usize, target: usize) -> f64 {
    let from = bases[viewer].front;
    let (a, b) = bases[target].edge(bases[target].arc(from).0);
    let length = minus(b, a).0.hypot(minus(b, a).1);
    let seen = (0..LINES).filter(|&i| {
        let share = (i as f64 + 0.5) / LINES as f64;
        let to = (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share);
        let hidden = |k: usize| k != viewer && k != target && bases[k].hides(from, to);
        bases[viewer].arc(to).0 == "front" && !(0..UNITS).any(hidden)
    });
    length * seen.count() as f64 / LINES as f64
}

#[test]
fn distances_arcs_and_sight_are_those_of_the_book() {
    let mut mind = QuickDice::new(1863);
    let (mut compared, mut partly) = (0, 0);
    for position in 0..1_000 {
        let bases = random(&mut mind);
        let text = scenario(&bases);
        let battle = HallowedGround::compile(&text, &suite::Shelf, &Options::new())
            .unwrap_or_else(|faults| panic!("\n{}\n{text}", faults.report("model", &text)));
        let state = HallowedGround::muster(&battle);
        let fact = |name: String| {
            HallowedGround::fact(&battle, &state, &name).unwrap_or_else(|_| panic!("{name} is a fact"))
        };
        let inches = |name: String| match fact(name) {
            Fact::Number(mils) => mils as f64 / 1_000.0,
            other => panic!("{other:?}"),
        };
        for (a, b) in (0..UNITS).flat_map(|a| (0..UNITS).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            let place = format!("position {position}, u{a} and u{b}");
            let (one, other) = (&bases[a], &bases[b]);
            let near = |told: f64, found: f64, by: f64, what: &str| {
                assert!((told - found).abs() <= by, "{place}: {what} {told}, in the model {found}\n{text}");
            };
            near(inches(format!("distance.u{a}.u{b}")), one.distance(other), 0.003, "distance");
            near(inches(format!("range.u{a}.u{b}")), other.distance_to(one.front), 0.003, "range");
            let (arc, from_border) = one.arc(other.front);
            if from_border > NEAR {
                assert_eq!(fact(format!("arc.u{a}.u{b}")), Fact::Text(arc.into()), "{place}\n{text}");
            }
            if other.arc(one.front).1 > NEAR {
                let (a0, b0) = other.edge(other.arc(one.front).0);
                let length = minus(b0, a0).0.hypot(minus(b0, a0).1);
                let found = visible(&bases, a, b);
                // Each end of each shadow is known to a sight line.
                near(
                    inches(format!("visible.u{a}.u{b}")),
                    found,
                    length * 6.0 / LINES as f64 + NEAR,
                    "visible",
                );
                if (found - length / 2.0).abs() > 0.15 && found > 0.15 {
                    let told = if found > length / 2.0 { "full" } else { "partial" };
                    assert_eq!(fact(format!("sight.u{a}.u{b}")), Fact::Text(told.into()), "{place}\n{text}");
                    partly += usize::from(told == "partial");
                }
            }
            compared += 1;
        }
    }
    assert!(compared > 50_000 && partly > 500, "{compared} pairs, {partly} partly seen");
}

/// The model itself: a point ahead, beside and behind.
#[test]
fn the_model_knows_its_arcs() {
    let base = Base { front: (20.0, 20.0), facing: 0.0 };
    let arcs = [(20.0, 30.0), (30.0, 20.0), (10.0, 20.0), (20.0, 10.0)].map(|p| base.arc(p).0);
    assert_eq!(arcs, ["front", "right", "left", "rear"]);
}
