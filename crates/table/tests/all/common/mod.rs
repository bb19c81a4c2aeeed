//! Random configurations and an independent slow geometry in floating point, for tests only.
#![allow(dead_code, unreachable_pub)]

use table::{Angle, Pose, Pt, Rect, Size};

/// How many configurations: 20,000 in the ordinary run, a million with `LINSTOCK_LONG=1`.
pub fn rounds() -> u32 {
    if std::env::var_os("LINSTOCK_LONG").is_some() { 1_000_000 } else { 20_000 }
}

pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn range(&mut self, lo: i64, hi: i64) -> i64 {
        lo + (self.next() >> 11) as i64 % (hi - lo + 1)
    }

    pub fn size(&mut self) -> Size {
        const SIZES: [(i64, i64); 8] = [
            (2250, 400),
            (1350, 800),
            (450, 2000),
            (1500, 1000),
            (500, 3000),
            (1800, 1258),
            (500, 2500),
            (1000, 1750),
        ];
        let (w, d) = SIZES[self.range(0, 7) as usize];
        Size { width: table::mm(w), depth: table::mm(d) }
    }

    pub fn facing(&mut self) -> Angle {
        // Often square to the table: that is where ties live.
        if self.range(0, 3) == 0 {
            Angle::degrees(45 * self.range(0, 7) as i32)
        } else {
            Angle::hundredths(self.range(0, 35_999) as i32)
        }
    }

    /// A pose in a square of so many inches about the middle of the table.
    pub fn pose(&mut self, spread: i64) -> Pose {
        let half = spread * 500;
        Pose::new(
            (36_000 + self.range(-half, half)) as i32,
            (24_000 + self.range(-half, half)) as i32,
            self.facing(),
        )
    }

    pub fn rect(&mut self, spread: i64) -> Rect {
        let pose = self.pose(spread);
        Rect::new(pose, self.size())
    }

    pub fn point(&mut self, spread: i64) -> Pt {
        self.pose(spread).at.pt()
    }

    /// A star-shaped simple polygon, often concave.
    pub fn outline(&mut self) -> Vec<Pt> {
        let centre = self.point(20);
        let n = self.range(3, 10) as i32;
        (0..n)
            .map(|i| {
                let slot = 36_000 / n;
                let a = Angle::hundredths(-(i * slot + self.range(0, i64::from(slot) - 1) as i32));
                (centre + a.dir().times(self.range(1_000_000, 8_000_000))).spot().pt()
            })
            .collect()
    }
}

pub type P = (f64, f64);

pub fn f(p: Pt) -> P {
    (p.x as f64, p.y as f64)
}

pub fn poly(points: &[Pt]) -> Vec<P> {
    points.iter().map(|p| f(*p)).collect()
}

/// The corners of a base, from its pose by floating-point trigonometry.
pub fn corners(pose: Pose, size: Size) -> Vec<P> {
    let t = f64::from(pose.facing.get()).to_radians() / 100.0;
    let (fx, fy, rx, ry) = (t.sin(), t.cos(), t.cos(), -t.sin());
    let (x, y) = f(pose.at.pt());
    let (a, d) = (size.width as f64 / 2.0, size.depth as f64);
    [(a, 0.0), (-a, 0.0), (-a, -d), (a, -d)]
        .iter()
        .map(|(u, v)| (x + u * rx + v * fx, y + u * ry + v * fy))
        .collect()
}

pub fn sub(a: P, b: P) -> P {
    (a.0 - b.0, a.1 - b.1)
}

pub fn cross(a: P, b: P) -> f64 {
    a.0 * b.1 - a.1 * b.0
}

pub fn dot(a: P, b: P) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

pub fn sides(p: &[P]) -> impl Iterator<Item = (P, P)> + '_ {
    (0..p.len()).map(move |i| (p[i], p[(i + 1) % p.len()]))
}

pub fn point_segment(p: P, (a, b): (P, P)) -> f64 {
    let d = sub(b, a);
    let t = (dot(sub(p, a), d) / dot(d, d)).clamp(0.0, 1.0);
    (p.0 - a.0 - t * d.0).hypot(p.1 - a.1 - t * d.1)
}

/// Crossing-number test.
pub fn inside(p: P, outline: &[P]) -> bool {
    let mut odd = false;
    for (a, b) in sides(outline) {
        if (a.1 > p.1) != (b.1 > p.1) && p.0 < (b.0 - a.0) * (p.1 - a.1) / (b.1 - a.1) + a.0 {
            odd = !odd;
        }
    }
    odd
}

fn properly_cross(a: P, b: P, c: P, d: P) -> bool {
    cross(sub(b, a), sub(c, a)) * cross(sub(b, a), sub(d, a)) < 0.0
        && cross(sub(d, c), sub(a, c)) * cross(sub(d, c), sub(b, c)) < 0.0
}

/// Distance of two outlines by all pairs of sides, zero if one meets the other.
pub fn slow_distance(a: &[P], b: &[P]) -> f64 {
    if inside(a[0], b)
        || inside(b[0], a)
        || sides(a).any(|(p, q)| sides(b).any(|(r, s)| properly_cross(p, q, r, s)))
    {
        return 0.0;
    }
    let mut least = f64::MAX;
    for s in sides(a) {
        for t in sides(b) {
            least = least.min(point_segment(s.0, t)).min(point_segment(t.0, s));
        }
    }
    least
}

/// Area common to two convex counter-clockwise outlines.
pub fn common_area(a: &[P], b: &[P]) -> f64 {
    let mut out = a.to_vec();
    for (p, q) in sides(b) {
        let mut next = Vec::new();
        for (r, s) in sides(&out.clone()) {
            let (g0, g1) = (cross(sub(q, p), sub(r, p)), cross(sub(q, p), sub(s, p)));
            if g0 >= 0.0 {
                next.push(r);
            }
            if g0 * g1 < 0.0 {
                let t = g0 / (g0 - g1);
                next.push((r.0 + t * (s.0 - r.0), r.1 + t * (s.1 - r.1)));
            }
        }
        out = next;
        if out.is_empty() {
            return 0.0;
        }
    }
    let o = out[0];
    sides(&out).map(|(p, q)| cross(sub(p, o), sub(q, o))).sum::<f64>().abs() / 2.0
}

/// The least push that parts two convex outlines, over many directions: never less than the true depth.
pub fn sampled_depth(a: &[P], b: &[P]) -> f64 {
    let mut least = f64::MAX;
    let normals =
        sides(a).chain(sides(b)).map(|(p, q)| (q.1 - p.1).atan2(q.0 - p.0) + std::f64::consts::FRAC_PI_2);
    for t in normals.chain((0..90).map(|i| f64::from(i) * 0.0698)) {
        let n = (t.cos(), t.sin());
        let top = a.iter().map(|p| dot(*p, n)).fold(f64::MIN, f64::max);
        let bottom = b.iter().map(|p| dot(*p, n)).fold(f64::MAX, f64::min);
        least = least.min(top - bottom);
        let low = a.iter().map(|p| dot(*p, n)).fold(f64::MAX, f64::min);
        let high = b.iter().map(|p| dot(*p, n)).fold(f64::MIN, f64::max);
        least = least.min(high - low);
    }
    least
}

/// Length of a segment inside a convex counter-clockwise outline.
pub fn clipped(a: P, b: P, outline: &[P]) -> f64 {
    let (mut lo, mut hi) = (0.0f64, 1.0f64);
    for (p, q) in sides(outline) {
        let (g0, g1) = (cross(sub(q, p), sub(a, p)), cross(sub(q, p), sub(b, p)));
        if g0 <= 0.0 && g1 <= 0.0 {
            return 0.0;
        }
        if g0 < 0.0 {
            lo = lo.max(g0 / (g0 - g1));
        } else if g1 < 0.0 {
            hi = hi.min(g0 / (g0 - g1));
        }
    }
    (hi - lo).max(0.0) * (a.0 - b.0).hypot(a.1 - b.1)
}

/// The same configuration elsewhere: shifted, and turned about the origin by quarter turns.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    pub dx: i32,
    pub dy: i32,
    pub quarters: i32,
}

impl Moved {
    pub fn any(rng: &mut Rng) -> Self {
        Self {
            dx: rng.range(-20_000, 20_000) as i32,
            dy: rng.range(-20_000, 20_000) as i32,
            quarters: rng.range(0, 3) as i32,
        }
    }

    pub fn pt(self, p: Pt) -> Pt {
        let mut p = p;
        for _ in 0..self.quarters {
            p = Pt::new(p.y, -p.x);
        }
        p + Pt::new(i64::from(self.dx) * 1000, i64::from(self.dy) * 1000)
    }

    pub fn angle(self, a: Angle) -> Angle {
        a.turned(9_000 * self.quarters)
    }

    pub fn pose(self, p: Pose) -> Pose {
        Pose { at: self.pt(p.at.pt()).spot(), facing: self.angle(p.facing) }
    }

    pub fn rect(self, r: &Rect) -> Rect {
        Rect::new(self.pose(r.pose()), r.size())
    }
}
