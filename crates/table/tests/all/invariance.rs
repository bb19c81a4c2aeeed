//! Nothing changes when the whole table is shifted or turned by quarter turns: exactly, not nearly.

use crate::common::*;

use table::*;

#[test]
fn shifts_and_quarter_turns_change_nothing() {
    let mut rng = Rng(31);
    for _ in 0..rounds() {
        let m = Moved::any(&mut rng);
        let (a, b, p) = (rng.rect(30), rng.rect(30), rng.point(30));
        let (a2, b2, p2) = (m.rect(&a), m.rect(&b), m.pt(p));
        assert_eq!(a2.corners, a.corners.map(|c| m.pt(c)));
        assert_eq!(a2.centre, m.pt(a.centre));
        assert_eq!(a.distance(&b), a2.distance(&b2));
        assert_eq!(table::distance(&a, &b), table::distance(&a2, &b2));
        assert_eq!(a.depth_of_overlap(&b), a2.depth_of_overlap(&b2));
        assert_eq!(depth(&a, &b), depth(&a2, &b2));
        assert_eq!(a.arc_of(p), a2.arc_of(p2));
        assert_eq!(m.pt(a.closest(p)), a2.closest(p2));
        let facing = rng.facing();
        let (dir, dir2) = (facing.dir(), m.angle(facing).dir());
        assert_eq!(overlap_while_moving(&a, &b, dir, EPS), overlap_while_moving(&a2, &b2, dir2, EPS));
        let wedge = Wedge::new(p, facing, 3_000).range(&a);
        assert_eq!(wedge, Wedge::new(p2, m.angle(facing), 3_000).range(&a2));
        assert_eq!(Angle::of(m.pt(p) - m.pt(a.centre)), m.angle(Angle::of(p - a.centre)));
        assert_eq!(m.pose(a.pose().pivoted(a.size(), facing)), a2.pose().pivoted(a.size(), m.angle(facing)));
        assert_eq!(m.pose(a.pose().wheeled(a.size(), 1234)), a2.pose().wheeled(a.size(), 1234));
    }
}

#[test]
fn sight_does_not_change() {
    let mut rng = Rng(32);
    for _ in 0..rounds() {
        let m = Moved::any(&mut rng);
        let (viewer, target) = (rng.rect(30), rng.rect(30));
        let bodies: Vec<Rect> = (0..rng.range(0, 8)).map(|_| rng.rect(30)).collect();
        let side = target.arc_of(viewer.front);
        let see = |viewer: &Rect, target: &Rect, bodies: &mut dyn Iterator<Item = Rect>| {
            let mut look = Look::at(viewer, target, side)?;
            for b in bodies {
                look.blocked_by(&b);
            }
            Some(look.seen())
        };
        let here = see(&viewer, &target, &mut bodies.iter().copied());
        // In another order, too.
        let there = see(&m.rect(&viewer), &m.rect(&target), &mut bodies.iter().rev().map(|b| m.rect(b)));
        assert_eq!(here, there);
    }
}

#[test]
fn ground_does_not_change() {
    let mut rng = Rng(33);
    for _ in 0..rounds() / 4 {
        let m = Moved::any(&mut rng);
        let outline = rng.outline();
        let moved: Vec<Pt> = outline.iter().map(|p| m.pt(*p)).collect();
        let (Some(a), Some(b)) = (Area::new(outline), Area::new(moved)) else { continue };
        let (r, p, q) = (rng.rect(30), rng.point(30), rng.point(30));
        assert_eq!(a.overlaps(&r), b.overlaps(&m.rect(&r)));
        assert_eq!(a.distance(&r), b.distance(&m.rect(&r)));
        assert_eq!(a.contains(p), b.contains(m.pt(p)));
        assert_eq!(a.chord(p, q), b.chord(m.pt(p), m.pt(q)));
    }
}
