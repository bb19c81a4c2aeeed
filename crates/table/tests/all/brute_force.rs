//! Every primitive against an independent slow method, on random configurations.

use crate::common::*;

use table::*;

#[test]
fn directions_are_those_of_trigonometry() {
    for h in 0..36_000 {
        let a = Angle::hundredths(h);
        let t = f64::from(h).to_radians() / 100.0;
        let one = (1i64 << Dir::BITS) as f64;
        assert!((a.dir().x as f64 - t.sin() * one).abs() < 0.6, "{h}");
        assert!((a.dir().y as f64 - t.cos() * one).abs() < 0.6, "{h}");
        assert_eq!(Angle::of(a.dir().times(9 * INCH)), a);
    }
}

#[test]
fn corners_and_distance_of_bases() {
    let mut rng = Rng(11);
    for _ in 0..rounds() {
        let (a, b) = (rng.rect(30), rng.rect(30));
        let (fa, fb) = (corners(a.pose(), a.size()), corners(b.pose(), b.size()));
        for (p, q) in a.corners.iter().zip(&fa) {
            assert!((p.x as f64 - q.0).abs() < 2.0 && (p.y as f64 - q.1).abs() < 2.0);
        }
        let slow = slow_distance(&fa, &fb);
        assert!((a.distance(&b) as f64 - slow).abs() < 5.0, "{a:?} {b:?} {slow}");
        assert!((table::distance(&a, &b) as f64 - slow).abs() < 5.0, "{a:?} {b:?} {slow}");
        let p = rng.point(30);
        let slow = if inside(f(p), &fa) {
            0.0
        } else {
            sides(&fa).map(|s| point_segment(f(p), s)).fold(f64::MAX, f64::min)
        };
        assert!((a.distance_to(p) as f64 - slow).abs() < 4.0);
        assert!((a.closest(p).to(p) as f64 - slow).abs() < 6.0);
        assert!((distance_to_point(&a, p) as f64 - slow).abs() < 5.0);
        let disc = Disc { centre: p, radius: mm(300) };
        assert!((disc.distance(&a) as f64 - (slow - disc.radius as f64).max(0.0)).abs() < 4.0);
    }
}

#[test]
fn shortcuts_say_what_the_long_way_says() {
    let mut rng = Rng(21);
    for _ in 0..rounds() {
        let (a, b) = (rng.rect(30), rng.rect(30));
        // By two axes alone a base is never farther off than it is.
        assert!(a.gap(&b) <= a.distance(&b) + 4, "{a:?} {b:?}");
        // A pivot and a shift are those of the pose.
        let facing = rng.facing();
        let turned = Rect::new(a.pose().pivoted(a.size(), facing), a.size());
        assert_eq!(a.pivoted(facing), turned);
        let by = (rng.point(20) - rng.point(20)).spot();
        let there = Pose::new(a.pose().at.x + by.x, a.pose().at.y + by.y, a.facing);
        assert_eq!(a.shifted(by.pt()), Rect::new(there, a.size()));
        // The ground of a shift is the hull of all eight corners.
        let end = a.shifted(by.pt());
        let eight: Vec<Pt> = a.corners.iter().chain(&end.corners).copied().collect();
        let mut way: Vec<Pt> = Way::between(&a, &end).corners().to_vec();
        let mut slow: Vec<Pt> = hull(&eight).to_vec();
        way.sort_unstable();
        slow.sort_unstable();
        assert_eq!(way, slow);
        // The facing of a vector is the nearest hundredth.
        let v = rng.point(60) - rng.point(60);
        if v != Pt::default() {
            let degrees = (v.x as f64).atan2(v.y as f64).to_degrees().rem_euclid(360.0);
            let off = (f64::from(Angle::of(v).get()) / 100.0 - degrees).abs();
            assert!(off.min(360.0 - off) <= 0.005_001, "{v:?}: {:?} for {degrees}", Angle::of(v));
        }
    }
}

#[test]
fn overlap_and_its_depth() {
    let mut rng = Rng(12);
    for _ in 0..rounds() {
        let (a, b) = (rng.rect(16), rng.rect(16));
        let (fa, fb) = (poly(&a.corners), poly(&b.corners));
        let (slow, area) = (sampled_depth(&fa, &fb), common_area(&fa, &fb));
        for fast in [a.depth_of_overlap(&b), depth(&a, &b)] {
            if fast > 0 {
                assert!((fast as f64 - slow).abs() < 8.0, "{fast} {slow}");
                assert!(area > 0.0 || fast < 8);
            } else {
                assert!(slow < 8.0 && area < 1e9, "{fast} {slow} {area}");
            }
        }
        if (slow - EPS as f64).abs() > 8.0 {
            assert_eq!(a.overlaps(&b), slow > EPS as f64);
            assert_eq!(deeper_than_eps(&a, &b), slow > EPS as f64);
        }
    }
}

#[test]
fn arcs_by_the_angle_at_the_corners() {
    let mut rng = Rng(13);
    for _ in 0..rounds() {
        let (r, p) = (rng.rect(20), rng.point(40));
        let fc = corners(r.pose(), r.size());
        if inside(f(p), &fc) || r.distance_to(p) < 3 * EPS {
            continue;
        }
        // The arc of a side is the polygon between its edge and the two rays, run out far beyond the table.
        let t = f64::from(r.facing.get()).to_radians() / 100.0;
        let far = |i: usize| {
            let ray = t + [45.0, 315.0, 225.0, 135.0][i] * std::f64::consts::PI / 180.0;
            (fc[i].0 + 1e9 * ray.sin(), fc[i].1 + 1e9 * ray.cos())
        };
        if (0..4).any(|i| point_segment(f(p), (fc[i], far(i))) < 3e3) {
            continue; // on a dividing ray: ties are for the examples
        }
        let arcs = [(Side::Front, 1, 0), (Side::Right, 0, 3), (Side::Rear, 3, 2), (Side::Left, 2, 1)];
        let within = |(_, i, j): &(Side, usize, usize)| inside(f(p), &[fc[*i], fc[*j], far(*j), far(*i)]);
        let slow = arcs.iter().find(|a| within(a)).expect("the arcs fill the table").0;
        assert_eq!(r.arc_of(p), slow, "{r:?} {p:?}");
    }
}

fn slow_seen(viewer: &Rect, look: &Look, blockers: &[Vec<P>], samples: i64) -> f64 {
    let eye = f(look.eye());
    let mut seen = 0;
    for i in 0..samples {
        let p = look.point(look.length * (2 * i + 1) / (2 * samples));
        let clear = blockers.iter().all(|b| clipped(eye, f(p), b) < 2.0);
        if viewer.arc_of(p) == Side::Front && clear {
            seen += 1;
        }
    }
    seen as f64 * look.length as f64 / samples as f64
}

#[test]
fn what_is_seen_of_an_edge() {
    let mut rng = Rng(14);
    let samples = 80;
    for _ in 0..rounds() {
        let (viewer, target) = (rng.rect(30), rng.rect(30));
        let side = target.arc_of(viewer.front);
        let Some(mut look) = Look::at(&viewer, &target, side) else { continue };
        let bodies: Vec<Rect> =
            (0..rng.range(0, 8)).map(|_| rng.rect(30)).filter(|r| !r.contains(viewer.front)).collect();
        let blockers: Vec<Vec<P>> = bodies.iter().map(|b| poly(&b.corners)).collect();
        for b in &bodies {
            look.blocked_by(b);
        }
        let seen = look.seen();
        let slow = slow_seen(&viewer, &look, &blockers, samples);
        // Each end of a seen stretch may be off by one sample; so may stretches too short for one.
        let slack = (2 * bodies.len() + 3) as f64 * look.length as f64 / samples as f64;
        assert!(
            (length(&seen) as f64 - slow).abs() <= slack,
            "{} {slow} {viewer:?} {target:?}",
            length(&seen)
        );
        for s in &seen {
            let p = look.point((s.lo + s.hi) / 2);
            assert!(
                s.hi - s.lo < 20 || blockers.iter().all(|b| clipped(f(look.eye()), f(p), b) < 20.0),
                "{viewer:?} {target:?}"
            );
        }
    }
}

#[test]
fn sight_across_lines_and_areas() {
    let mut rng = Rng(15);
    for _ in 0..rounds() {
        let (viewer, target) = (rng.rect(30), rng.rect(30));
        let side = target.arc_of(viewer.front);
        let Some(look) = Look::at(&viewer, &target, side) else { continue };
        let (a, b) = (rng.point(30), rng.point(30));
        let body = rng.rect(30);
        let (line, area) = (look.crossing_line(a, b), look.crossing(&body));
        for i in 0..40 {
            let s = look.length * (2 * i + 1) / 80;
            let p = look.point(s);
            let within = |span: Option<Span>, by: i64| span.is_some_and(|x| x.lo - by <= s && s <= x.hi + by);
            let wide = 40; // about the rounding of a point thrown from near the eye
            let (eye, end) = (f(look.eye()), f(p));
            let crossed = {
                let (f0, f1) = (cross(sub(end, eye), sub(f(a), eye)), cross(sub(end, eye), sub(f(b), eye)));
                let (g0, g1) =
                    (cross(sub(f(b), f(a)), sub(eye, f(a))), cross(sub(f(b), f(a)), sub(end, f(a))));
                f0 * f1 < 0.0 && g0 * g1 < 0.0
            };
            if crossed && point_segment(eye, (f(a), f(b))) > 5.0e4 {
                assert!(within(line, wide * 100));
            } else if !crossed
                && point_segment(end, (f(a), f(b))) > 5.0e3
                && point_segment(eye, (f(a), f(b))) > 5.0e4
            {
                assert!(!within(line, -wide * 100), "{line:?} {s}");
            }
            let inner = clipped(eye, end, &poly(&body.corners));
            if inner > 5.0e3 && !body.contains(look.eye()) && body.distance_to(look.eye()) > 50_000 {
                assert!(within(area, wide * 100), "{area:?} {s} {inner}");
            } else if inner == 0.0 && body.distance_to(look.eye()) > 50_000 {
                assert!(!within(area, -wide * 100), "{area:?} {s}");
            }
        }
    }
}

#[test]
fn overlap_along_a_move() {
    let mut rng = Rng(16);
    for _ in 0..rounds() {
        let (a, b) = (rng.rect(24), rng.rect(24));
        let dir = rng.facing().dir();
        let interval = overlap_while_moving(&a, &b, dir, EPS);
        for i in 0..12 {
            let t = rng.range(0, 2 * INCH) + (i - 6) * 4 * INCH;
            let moved = a.shifted(dir.times(t));
            let slow = sampled_depth(&poly(&moved.corners), &poly(&b.corners));
            if (slow - EPS as f64).abs() < 30.0 {
                continue;
            }
            assert_eq!(
                interval.is_some_and(|(lo, hi)| lo < t && t < hi),
                slow > EPS as f64,
                "{interval:?} {t} {slow}"
            );
        }
        if let Some(t) = touch_distance(&a, &b, dir) {
            let gap = slow_distance(&poly(&a.shifted(dir.times(t)).corners), &poly(&b.corners));
            assert!(gap < 100.0, "{gap}");
            let way = Way::between(&a, &a.shifted(dir.times(t)));
            assert!(depth(&way, &b) < 100 || a.depth_of_overlap(&b) > 0);
        }
        if let Some(t) = first_overlap(&a, &b, dir, 24 * INCH) {
            assert!(Way::between(&a, &a.shifted(dir.times(t + 200))).corners().len() >= 4);
            assert!(a.shifted(dir.times(t)).depth_of_overlap(&b) < EPS + 100 || t == 0);
        }
    }
}

#[test]
fn the_ground_of_a_move_is_the_union_of_its_poses() {
    let mut rng = Rng(17);
    for _ in 0..rounds() {
        let a = rng.rect(10);
        let by = rng.facing().dir().times(rng.range(0, 16 * INCH));
        let way = Way::between(&a, &a.shifted(by));
        let outline = poly(way.corners());
        let p = rng.point(30);
        let slow =
            (0..=64).map(|i| a.shifted(Pt::new(by.x * i / 64, by.y * i / 64)).distance_to(p)).min().unwrap()
                as f64;
        let fast = if inside(f(p), &outline) { 0.0 } else { distance_to_point(&way, p) as f64 };
        assert!(fast <= slow + 4.0 && slow - fast < by.length() as f64 / 64.0 + 4.0, "{fast} {slow}");
    }
}

#[test]
fn pivots_go_in_small_steps_about_the_centre() {
    let mut rng = Rng(18);
    for _ in 0..rounds() / 50 {
        let a = rng.rect(10);
        let to = rng.facing();
        let mut before = a;
        for step in pivot_steps(&a, to) {
            assert!(step.centre.to(a.centre) <= 2);
            for (p, q) in before.corners.iter().zip(&step.corners) {
                assert!(p.to(*q) <= INCH / 50 + 4);
            }
            before = step;
        }
        assert_eq!(before.facing, to);
    }
}

#[test]
fn polygons_and_their_parts() {
    let mut rng = Rng(19);
    for _ in 0..rounds() / 4 {
        let outline = rng.outline();
        let Some(area) = Area::new(outline.clone()) else { continue };
        let outline = poly(area.outline());
        let doubled = |p: &[P]| {
            let o = p[0];
            sides(p).map(|(a, b)| cross(sub(a, o), sub(b, o))).sum::<f64>()
        };
        let parts: f64 = area.parts().iter().map(|h| doubled(&poly(h))).sum();
        assert!((parts - doubled(&outline)).abs() <= 1e-9 * parts.abs(), "the parts fill the outline");
        for _ in 0..8 {
            let p = rng.point(30);
            if sides(&outline).all(|s| point_segment(f(p), s) > 10.0) {
                assert_eq!(area.contains(p), inside(f(p), &outline));
                let slow = if inside(f(p), &outline) {
                    0.0
                } else {
                    sides(&outline).map(|s| point_segment(f(p), s)).fold(f64::MAX, f64::min)
                };
                assert!((area.distance_to(p) as f64 - slow).abs() < 4.0);
            }
        }
        let (a, b) = (rng.point(30), rng.point(30));
        let samples = 200;
        let hits = (0..samples).filter(|i| {
            let t = (f64::from(*i) + 0.5) / f64::from(samples);
            inside((a.x as f64 + t * (b.x - a.x) as f64, a.y as f64 + t * (b.y - a.y) as f64), &outline)
        });
        let len = a.to(b) as f64;
        let slow = hits.count() as f64 * len / f64::from(samples);
        assert!(
            (area.chord(a, b) as f64 - slow).abs() <= 12.0 * len / f64::from(samples),
            "{} {slow}",
            area.chord(a, b)
        );
        let r = rng.rect(24);
        let fr = poly(&r.corners);
        let common: f64 = area.parts().iter().map(|h| common_area(&poly(h), &fr)).sum();
        if area.overlaps(&r) {
            assert!(common > 0.0);
        } else {
            assert!(common < 1e6 * 12.0 * 10.0 * 1000.0, "no more than a sliver EPS wide: {common}");
        }
        assert!((area.distance(&r) as f64 - slow_distance(&outline, &fr)).abs() < 6.0);
    }
}

#[test]
fn clearance_of_polygons_and_lines() {
    let mut rng = Rng(22);
    for _ in 0..rounds() / 4 {
        let r = rng.rect(30);
        if let Some(area) = Area::new(rng.outline()) {
            let clear = area.clearance(&r);
            assert_eq!(clear < 0, area.overlaps(&r));
            assert!(clear < 0 || clear <= area.distance(&r) + 4);
        }
        if let Some(line) = Line::new(rng.outline()) {
            let clear = line.clearance(&r);
            assert_eq!(clear < 0, line.crosses(&r));
            assert!(clear < 0 || clear <= line.distance(&r) + 4);
        }
    }
}

#[test]
fn lines() {
    let mut rng = Rng(20);
    for _ in 0..rounds() {
        let (a, b) = (rng.point(30), rng.point(30));
        let Some(line) = Line::new(vec![a, b]) else { continue };
        let r = rng.rect(30);
        let fr = poly(&r.corners);
        let inner = clipped(f(a), f(b), &fr);
        if line.crosses(&r) {
            assert!(inner > 0.0);
        } else {
            assert!(inner < 2.1e3 || sampled_depth(&[f(a), f(b)], &fr) < EPS as f64 + 8.0);
        }
        let slow = if inner > 0.0 {
            0.0
        } else {
            sides(&fr)
                .map(|(p, q)| {
                    point_segment(p, (f(a), f(b)))
                        .min(point_segment(f(a), (p, q)))
                        .min(point_segment(f(b), (p, q)))
                })
                .fold(f64::MAX, f64::min)
        };
        assert!((line.distance(&r) as f64 - slow).abs() < 5.0, "{} {slow}", line.distance(&r));
    }
}

#[test]
fn wedges() {
    let mut rng = Rng(21);
    for _ in 0..rounds() {
        let apex = rng.point(10);
        let facing = rng.facing();
        let half = if rng.range(0, 1) == 0 { 4_500 } else { 3_000 };
        let wedge = Wedge::new(apex, facing, half);
        let r = rng.rect(30);
        if r.distance_to(apex) < INCH {
            continue;
        }
        let ray = |turn: i32| {
            let t = f64::from(facing.get() + turn).to_radians() / 100.0;
            (t.sin(), t.cos())
        };
        let (left, right) = (ray(-half), ray(half));
        let mut slow = f64::MAX;
        for (p, q) in sides(&poly(&r.corners)) {
            for i in 0..=60 {
                let t = f64::from(i) / 60.0;
                let d = sub((p.0 + t * (q.0 - p.0), p.1 + t * (q.1 - p.1)), f(apex));
                if cross(d, left) >= -995.0 && cross(right, d) >= -995.0 {
                    slow = slow.min(d.0.hypot(d.1));
                }
            }
        }
        match wedge.range(&r) {
            Some(fast) => assert!(fast as f64 <= slow + 3.0, "{fast} {slow}"),
            None => assert_eq!(slow, f64::MAX),
        }
        if let (Some(fast), true) = (wedge.range(&r), slow < f64::MAX) {
            assert!(slow - fast as f64 <= 400_000.0, "{fast} {slow}");
        }
    }
}

#[test]
fn finding_room_by_trying_every_place() {
    let mut rng = Rng(22);
    for _ in 0..rounds() {
        let taken: Vec<(i64, i64)> = (0..rng.range(0, 5))
            .map(|_| {
                let lo = rng.range(-60, 60);
                (lo, lo + rng.range(1, 30))
            })
            .collect();
        let free = |t: i64| taken.iter().all(|(lo, hi)| t <= *lo || t >= *hi);
        let from = rng.range(-50, 50);
        assert_eq!(clear_from(&taken, from), (from..).find(|t| free(*t)).unwrap());
        let limit = rng.range(0, 80);
        assert_eq!(clear_up_to(&taken, limit), (0..=limit).rev().find(|t| free(*t)).unwrap_or(0));
        let (lo, hi) = (rng.range(-40, 0), rng.range(0, 40));
        let slow = (0..=40).flat_map(|d| [-d, d]).find(|t| *t >= lo && *t <= hi && free(*t));
        assert_eq!(nearest_free(&taken, lo, hi), slow, "{taken:?} {lo} {hi}");
    }
}

#[test]
fn chargers_side_by_side() {
    let mut rng = Rng(23);
    for _ in 0..rounds() / 40 {
        let n = rng.range(1, 3) as usize;
        let widths: Vec<i64> = (0..n).map(|_| 2 * rng.range(2, 8)).collect();
        let desired: Vec<i64> = (0..n).map(|_| rng.range(0, 30)).collect();
        let (edge, grip) = (rng.range(6, 30), 1);
        let cost = |p: &[i64]| p.iter().zip(&desired).map(|(a, b)| (a - b) * (a - b)).sum::<i64>();
        let legal = |p: &[i64]| {
            (1..n).all(|i| 2 * (p[i] - p[i - 1]) >= widths[i] + widths[i - 1])
                && (0..n).all(|i| p[i] + widths[i] / 2 >= grip && p[i] - widths[i] / 2 <= edge - grip)
        };
        let places = -10..=40i64;
        let mut best: Option<i64> = None;
        for a in places.clone() {
            for b in if n > 1 { places.clone() } else { 0..=0 } {
                for c in if n > 2 { places.clone() } else { 0..=0 } {
                    let p = &[a, b, c][..n];
                    if legal(p) && best.is_none_or(|x| cost(p) < x) {
                        best = Some(cost(p));
                    }
                }
            }
        }
        match pack(&desired, &widths, edge, grip) {
            Some(p) => {
                assert!(legal(&p), "{p:?} {desired:?} {widths:?} {edge}");
                // The blocks are rounded to whole units, all of one block alike.
                assert!(cost(&p) <= best.unwrap() + n as i64, "{p:?} {desired:?} {widths:?} {edge}");
            }
            None => assert_eq!(best, None),
        }
    }
}

#[test]
fn flush_contact() {
    let mut rng = Rng(24);
    for _ in 0..rounds() {
        let target = rng.rect(10);
        let size = rng.size();
        let side = Side::ALL[rng.range(0, 3) as usize];
        let (start, end) = target.edge(side);
        let share = rng.range(0, 1000);
        let pose = conform(&target, side, start.part_way(end, share, 1000));
        let charger = Rect::new(pose, size);
        assert!(!charger.overlaps(&target));
        assert!(charger.distance(&target) <= EPS);
        // The common length of two intervals on one line.
        let middle = target.edge_length(side) * share / 1000;
        let expected =
            (middle + size.width / 2).min(target.edge_length(side)) - (middle - size.width / 2).max(0);
        let t = touch(&charger, &target).expect("flush");
        assert_eq!((t.mine, t.theirs), (Side::Front, side));
        assert!((t.length - expected).abs() < 3 * EPS, "{} {expected}", t.length);
        let away = Rect::new(pose.moved(18_000, 3 * EPS), size);
        assert_eq!(touch(&away, &target), None);
    }
}

#[test]
fn roads() {
    let mut rng = Rng(25);
    for _ in 0..rounds() / 10 {
        let points: Vec<Pt> = (0..rng.range(2, 6)).map(|_| rng.point(40)).collect();
        if points.windows(2).any(|w| w[0] == w[1]) {
            continue;
        }
        let Some(road) = Road::new(points.clone()) else { continue };
        let along = rng.range(0, road.length());
        let p = road.point(along);
        assert!(road.nearest(p).1 < 3);
        let way = road.between(along, road.length());
        let walked: i64 = way.windows(2).map(|w| w[0].to(w[1])).sum();
        assert!((walked - (road.length() - along)).abs() < 10);
        let q = rng.point(40);
        let slow =
            points.windows(2).map(|w| point_segment(f(q), (f(w[0]), f(w[1])))).fold(f64::MAX, f64::min);
        assert!((road.nearest(q).1 as f64 - slow).abs() < 3.0);
        assert_eq!(road.tangent(along, true), road.tangent(along, false).reversed());
    }
}

#[test]
fn the_edge_of_the_table() {
    let mut rng = Rng(26);
    let top = TableTop { width: 72 * INCH, height: 48 * INCH };
    for _ in 0..rounds() {
        let r = rng.rect(40);
        if !top.holds(&r) {
            continue;
        }
        let dir = rng.facing().dir();
        let t = to_edge(&r, dir, top.width, top.height);
        assert!(top.holds(&r.shifted(dir.times(t))));
        assert!(
            !top.holds(&r.shifted(dir.times(t + 40 * EPS)))
                || t > 1 << 40
                || dir.x.abs().min(dir.y.abs()) < 1 << 26
        );
    }
}
