//! A second reading of the firing arcs, written from the rulebook and its rulings and not from the engine: how far two lines
//! are apart, and how many stands of one bear on the other, found by trying points all over the target.

use fields_of_honor::FieldsOfHonor;
use game::dice::{Dice, QuickDice};
use game::situation::Fact;
use game::{Facts, Files, Options, Rules};

type P = (f64, f64);

/// A line of infantry in one rank: stands an inch wide and three quarters deep, the middle of its front, its facing in
/// degrees clockwise from north.
#[derive(Clone, Copy)]
struct Line {
    stands: i32,
    front: P,
    facing: f64,
}

const DEPTH: f64 = 0.75;

/// Extreme range of a rifled musket, in inches, where a unit is a regiment.
const REACH: f64 = 14.0;

impl Line {
    /// To the right of the middle and ahead of the front.
    fn at(&self, right: f64, ahead: f64) -> P {
        let turn = self.facing.to_radians();
        let (x, y) = (turn.sin(), turn.cos());
        (self.front.0 + right * y + ahead * x, self.front.1 - right * x + ahead * y)
    }

    fn seen_from(&self, p: P) -> P {
        let turn = self.facing.to_radians();
        let ((dx, dy), (x, y)) = ((p.0 - self.front.0, p.1 - self.front.1), (turn.sin(), turn.cos()));
        (dx * y - dy * x, dx * x + dy * y)
    }

    fn half(&self) -> f64 {
        f64::from(self.stands) / 2.0
    }

    fn corners(&self) -> [P; 4] {
        let half = self.half();
        [(half, 0.0), (-half, 0.0), (-half, -DEPTH), (half, -DEPTH)].map(|(r, a)| self.at(r, a))
    }

    /// The closest point of the line to another point.
    fn closest(&self, p: P) -> P {
        let (right, ahead) = self.seen_from(p);
        self.at(right.clamp(-self.half(), self.half()), ahead.clamp(-DEPTH, 0.0))
    }

    fn distance(&self, other: &Line) -> f64 {
        let one_way = |a: &Line, b: &Line| {
            a.corners().map(|p| length(p, b.closest(p))).into_iter().fold(f64::MAX, f64::min)
        };
        one_way(self, other).min(one_way(other, self))
    }

    /// Points all over it, the borders more densely than the inside.
    fn points(&self) -> Vec<P> {
        let across = 40 * self.stands;
        let mut all = Vec::new();
        for i in 0..=across {
            let right = f64::from(i) / 40.0 - self.half();
            all.extend((0..=30).map(|j| self.at(right, -DEPTH * f64::from(j) / 30.0)));
        }
        all
    }

    /// The stands that have part of the target within so many degrees of their front and no farther than so many inches.
    fn bearing(&self, target: &Line, degrees: f64, reach: f64) -> i64 {
        let points = target.points();
        let bears = |i: i32| {
            let muzzle = self.at(f64::from(i) + 0.5 - self.half(), 0.0);
            let sees = |p: P| {
                let turn = self.facing.to_radians();
                let (dx, dy) = (p.0 - muzzle.0, p.1 - muzzle.1);
                let (right, ahead) = (dx * turn.cos() - dy * turn.sin(), dx * turn.sin() + dy * turn.cos());
                right.abs() <= ahead * degrees.to_radians().tan()
            };
            let nearest = target.closest(muzzle);
            let seen = points.iter().copied().chain([nearest]).filter(|&p| sees(p));
            seen.map(|p| length(p, muzzle)).fold(f64::MAX, f64::min) <= reach
        };
        (0..self.stands).filter(|&i| bears(i)).count() as i64
    }
}

fn length(a: P, b: P) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

fn random(mind: &mut QuickDice) -> [Line; 2] {
    loop {
        let mut line = || Line {
            stands: 2 + mind.below(7) as i32,
            front: (
                f64::from(mind.below(24_000) + 12_000) / 1_000.0,
                f64::from(mind.below(24_000) + 12_000) / 1_000.0,
            ),
            facing: f64::from(mind.below(360)),
        };
        let (one, other) = (line(), line());
        let inside = |a: &Line, b: &Line| length(a.front, b.closest(a.front)) < 1.5;
        // Apart, and in arc more often than not.
        let (_, ahead) = one.seen_from(other.front);
        if one.distance(&other) > 1.2 && !inside(&one, &other) && !inside(&other, &one) && ahead > -2.0 {
            return [one, other];
        }
    }
}

fn scenario(lines: &[Line; 2]) -> String {
    let side = |id: &str, edge: &str, y: i32, line: &Line| {
        format!(
            "[[side]]\nid = \"{id}\"\nedge = \"{edge}\"\n[[leader]]\nid = \"l-{id}\"\nside = \"{id}\"\noverall = true\nat = [1, {y}]\n\
             [[unit]]\nid = \"{id}-1\"\nside = \"{id}\"\nstands = {}\nfiles = {}\nweapon = \"rifled musket\"\nat = [{:.3}, {:.3}]\nfacing = {}\n",
            line.stands, line.stands, line.front.0, line.front.1, line.facing
        )
    };
    format!(
        "system = \"fields-of-honor\"\ntitle = \"Model\"\n[battle]\nscale = \"regiment\"\ntable = [48, 48]\n{}{}",
        side("red", "south", 1, &lines[0]),
        side("blue", "north", 47, &lines[1])
    )
}

#[test]
fn distances_and_arcs_are_those_of_the_book() {
    let mut mind = QuickDice::new(1859);
    let (mut compared, mut in_part) = (0, 0);
    for position in 0..1_000 {
        let lines = random(&mut mind);
        let text = scenario(&lines);
        let battle = FieldsOfHonor::compile(&text, &suite::Shelf, &Options::new())
            .unwrap_or_else(|faults| panic!("\n{}\n{text}", faults.report("model", &text)));
        let state = FieldsOfHonor::muster(&battle);
        let fact = |name: &str| {
            FieldsOfHonor::fact(&battle, &state, name).unwrap_or_else(|_| panic!("{name} is a fact"))
        };
        let told = match fact("distance.red-1.blue-1") {
            Fact::Number(mils) => mils as f64 / 1_000.0,
            Fact::Text(inches) => inches.parse().expect("inches"),
            other => panic!("{other:?}"),
        };
        let found = lines[0].distance(&lines[1]);
        assert!((told - found).abs() <= 0.003, "position {position}: {told}, in the model {found}\n{text}");
        // A hair to either side: where the answer turns there, either is right.
        let bearing = |degrees, reach| lines[0].bearing(&lines[1], degrees, reach);
        let (least, most) = (bearing(44.7, REACH - 0.05), bearing(45.3, REACH + 0.05));
        if least == most {
            match fact("bearing.red-1.blue-1") {
                Fact::Number(stands) => {
                    assert_eq!(stands, least, "position {position}\n{text}");
                    in_part += usize::from(least < i64::from(lines[0].stands));
                }
                refused => assert_eq!(least, 0, "position {position}: {refused:?}\n{text}"),
            }
            compared += 1;
        }
    }
    assert!(compared > 800 && in_part > 50, "{compared} compared, {in_part} in part");
}
