//! Boundaries, each looked at from both sides: the hair's breadth at which an answer turns.

use table::*;

fn pt(x: i64, y: i64) -> Pt {
    Pt::new(x * INCH, y * INCH)
}

fn area(corners: &[(i64, i64)]) -> Option<Area> {
    Area::new(corners.iter().map(|&(x, y)| pt(x, y)).collect())
}

fn line(points: &[(i64, i64)]) -> Line {
    Line::new(points.iter().map(|&(x, y)| pt(x, y)).collect()).expect("two points")
}

/// Facing north unless turned, the middle of its front at `x`, `y` inches.
fn base(x: i64, y: i64, width: i64, depth: i64) -> Rect {
    Rect::at(pt(x, y), Angle::degrees(0), Size { width: width * INCH, depth: depth * INCH })
}

#[test]
fn a_plain_outline_is_an_area() {
    for corners in [
        &[(0, 0), (4, 0), (0, 4)][..],
        &[(0, 0), (4, 0), (4, 4), (0, 4)],
        // An L, and the same the other way round.
        &[(0, 0), (6, 0), (6, 2), (2, 2), (2, 6), (0, 6)],
        &[(0, 6), (2, 6), (2, 2), (6, 2), (6, 0), (0, 0)],
        // A comb with two deep gaps.
        &[(0, 0), (10, 0), (10, 6), (8, 6), (8, 2), (6, 2), (6, 6), (4, 6), (4, 2), (2, 2), (2, 6), (0, 6)],
    ] {
        assert!(area(corners).is_some(), "{corners:?}");
    }
}

#[test]
fn an_outline_that_meets_itself_is_none() {
    for corners in [
        // A bow tie; a corner on a side; a side along another; a side that goes back over itself.
        &[(0, 0), (4, 4), (4, 0), (0, 4)][..],
        &[(0, 0), (8, 0), (8, 4), (4, 0), (0, 4)],
        &[(0, 0), (8, 0), (8, 4), (6, 4), (6, 0), (2, 0), (2, 4), (0, 4)],
        &[(0, 0), (8, 0), (8, 2), (4, 2), (4, 0), (3, 0), (3, 2), (0, 2)],
    ] {
        assert!(area(corners).is_none(), "{corners:?}");
    }
}

#[test]
fn what_lies_in_a_bent_area() {
    let l = area(&[(0, 0), (6, 0), (6, 2), (2, 2), (2, 6), (0, 6)]).expect("an L");
    for inside in [(1, 1), (5, 1), (1, 5), (0, 0), (6, 2), (2, 2), (0, 3), (2, 4)] {
        assert!(l.contains(pt(inside.0, inside.1)), "{inside:?}");
    }
    for outside in [(3, 3), (5, 3), (3, 5), (7, 1), (1, 7)] {
        assert!(!l.contains(pt(outside.0, outside.1)), "{outside:?}");
    }
    assert!(!l.contains(pt(2, 2) + Pt::new(1, 1)));
}

/// Parts are joined as long as the whole is convex: the fewer, the quicker.
#[test]
fn a_convex_outline_of_twelve_corners_is_one_part() {
    let twelve = [
        (10, 0),
        (14, 1),
        (17, 3),
        (19, 6),
        (20, 10),
        (19, 14),
        (17, 17),
        (14, 19),
        (10, 20),
        (6, 19),
        (3, 17),
        (1, 14),
    ];
    assert_eq!(area(&twelve).expect("convex").parts().len(), 1);
    let l = area(&[(0, 0), (6, 0), (6, 2), (2, 2), (2, 6), (0, 6)]).expect("an L");
    assert_eq!(l.parts().len(), 2);
}

#[test]
fn a_wall_is_crossed_or_touched() {
    let wall = line(&[(2, 2), (6, 2)]);
    for (a, b) in [
        ((4, 0), (4, 4)),
        // Its ends, from either hand; its middle from one hand.
        ((2, 0), (2, 4)),
        ((6, 2), (9, 2)),
        ((4, 0), (4, 2)),
        // Along it.
        ((3, 2), (5, 2)),
        ((0, 2), (9, 2)),
    ] {
        assert!(wall.crossed_by(pt(a.0, a.1), pt(b.0, b.1)), "{a:?} {b:?}");
        assert!(wall.crossed_by(pt(b.0, b.1), pt(a.0, a.1)), "{b:?} {a:?}");
    }
    for (a, b) in [
        ((4, 0), (4, 1)),
        ((1, 0), (1, 4)),
        ((7, 0), (7, 4)),
        ((7, 2), (9, 2)),
        ((2, 3), (6, 3)),
        ((0, 5), (8, 3)),
    ] {
        assert!(!wall.crossed_by(pt(a.0, a.1), pt(b.0, b.1)), "{a:?} {b:?}");
        assert!(!wall.crossed_by(pt(b.0, b.1), pt(a.0, a.1)), "{b:?} {a:?}");
    }
}

#[test]
fn a_wedge_is_closed() {
    let wedge = Wedge::new(pt(10, 10), Angle::degrees(0), 4_500);
    for inside in [(10, 10), (10, 20), (15, 15), (5, 15), (12, 18)] {
        assert!(wedge.contains(pt(inside.0, inside.1)), "{inside:?}");
    }
    for outside in [(10, 9), (15, 14), (5, 14), (20, 10), (0, 10)] {
        assert!(!wedge.contains(pt(outside.0, outside.1)), "{outside:?}");
    }
    // In it whole, reaching into it, beside it, behind it.
    assert!(wedge.meets(&base(10, 18, 2, 1)));
    assert!(wedge.meets(&base(18, 15, 8, 2)));
    assert!(!wedge.meets(&base(20, 12, 2, 1)));
    assert!(!wedge.meets(&base(10, 9, 2, 1)));
    // A front of two inches at 14: its rear edge, an inch nearer, is where it is nearest.
    assert_eq!(wedge.range(&base(10, 14, 2, 1)), Some(3 * INCH));
    assert_eq!(wedge.range(&base(10, 9, 2, 1)), None);
    assert_eq!(wedge.at(pt(10, 5)).range(&base(10, 9, 2, 1)), Some(3 * INCH));
}

#[test]
fn no_more_than_sixteen_stand_side_by_side() {
    let widths = [INCH; 17];
    let desired: Vec<i64> = (0..17).map(|i| i * INCH).collect();
    let sixteen = pack(&desired[..16], &widths[..16], 40 * INCH, INCH / 2).expect("there is room");
    assert_eq!(sixteen.len(), 16);
    assert!(pack(&desired, &widths, 40 * INCH, INCH / 2).is_none());
    assert!(pack(&[], &[], 40 * INCH, INCH / 2).is_none());
}

#[test]
fn room_is_found_at_the_very_edge_of_what_is_taken() {
    let taken = [(2, 5), (5, 9)];
    assert_eq!(
        [clear_from(&taken, 1), clear_from(&taken, 2), clear_from(&taken, 3), clear_from(&taken, 5)],
        [1, 2, 5, 5]
    );
    assert_eq!([clear_up_to(&taken, 9), clear_up_to(&taken, 8), clear_up_to(&taken, 4)], [9, 5, 2]);
    assert_eq!(clear_up_to(&[(-3, 4)], 2), 0);
    assert_eq!(nearest_free(&[(-3, 3)], -9, 9), Some(-3));
    assert_eq!(nearest_free(&[(-3, 2)], -9, 9), Some(2));
    assert_eq!(nearest_free(&[(-3, 2)], -9, 1), Some(-3));
    assert_eq!(nearest_free(&[(-3, 2)], -2, 1), None);
}

#[test]
fn a_base_holds_its_border() {
    let r = base(10, 10, 4, 2);
    for border in [(12, 10), (8, 8), (10, 10), (10, 8), (8, 9)] {
        assert!(r.contains(pt(border.0, border.1)), "{border:?}");
        let out = Pt::new((border.0 - 10).signum(), (border.1 - 9).signum());
        assert!(!r.contains(pt(border.0, border.1) + out), "{border:?}");
    }
}

/// A front laid on another at a tenth of a degree: the edges part by EPS after so much.
#[test]
fn edges_at_an_angle_touch_as_far_as_they_are_close() {
    let target = base(10, 10, 4, 2);
    let size = Size { width: 2 * INCH, depth: INCH };
    // sin 0.1 degrees is 1.7453 thousandths.
    let expected = EPS * 1_000_000 / 1_745;
    for (turn, hinge) in [(10, 1), (-10, -1)] {
        // It looks south; turned clockwise its right corner, to the west, lies nearer to the target's front.
        let facing = Angle::degrees(180).turned(turn);
        let right = facing.dir().right().times(size.width / 2);
        let corner = pt(10, 10);
        let front = if hinge > 0 { corner - right } else { corner + right };
        let mut touching = [facing, facing].map(|f| Rect::at(front, f, size));
        touching[1] = Rect::at(if hinge > 0 { corner + right } else { corner - right }, facing, size);
        let lengths: Vec<i64> = touching.iter().filter_map(|r| touch(r, &target)).map(|t| t.length).collect();
        assert!(
            lengths.iter().any(|l| (l - expected).abs() < expected / 20),
            "{turn}: {lengths:?}, {expected} expected"
        );
        let both: Vec<i64> = touching.iter().filter_map(|r| touch(&target, r)).map(|t| t.length).collect();
        assert!(both.iter().any(|l| (l - expected).abs() < expected / 20), "{turn}: {both:?}");
    }
}

#[test]
fn who_moves_away_from_what_he_touches_never_meets_it() {
    let (mover, stander) = (base(10, 10, 2, 1), base(10, 9, 2, 1));
    let (north, south) = (Angle::degrees(0).dir(), Angle::degrees(180).dir());
    assert_eq!(touch_distance(&mover, &stander, north), None);
    assert_eq!(touch_distance(&mover, &stander, south), Some(0));
    assert_eq!(touch_distance(&mover, &base(10, 5, 2, 1), south), Some(4 * INCH));
    // Who stands in another already is in trouble at once.
    assert_eq!(first_overlap(&mover, &base(10, 10, 2, 1), north, 5 * INCH), Some(0));
    assert_eq!(first_overlap(&mover, &stander, north, 5 * INCH), None);
    let ahead = base(10, 15, 2, 1);
    assert_eq!(first_overlap(&mover, &ahead, north, 5 * INCH), Some(4 * INCH + EPS));
    assert_eq!(first_overlap(&mover, &ahead, north, 4 * INCH), None);
}

#[test]
fn a_pivot_is_looked_at_to_its_end() {
    let r = base(10, 10, 4, 1);
    let east = Angle::degrees(90);
    let mut seen = Vec::new();
    assert!(pivot_is_clear(&r, east, |pose| {
        seen.push(pose.facing);
        0
    }));
    assert_eq!(seen.last(), Some(&east));
    assert!(seen.len() > 50, "{}", seen.len());
    // With room to spare fewer poses are looked at, but the last one always is.
    let mut last = None;
    assert!(!pivot_is_clear(&r, east, |pose| {
        last = Some(pose.facing);
        if pose.facing == east { -1 } else { INCH }
    }));
    assert_eq!(last, Some(east));
}

#[test]
fn a_place_on_a_road_and_beside_it() {
    let road = Road::new(vec![pt(10, 10), pt(10, 20), pt(20, 20)]).expect("three points");
    assert_eq!(road.place_of(pt(10, 15), 0), Some(5 * INCH));
    assert_eq!(road.place_of(pt(12, 15), 2 * INCH), Some(5 * INCH));
    assert_eq!(road.place_of(pt(12, 15), 2 * INCH - 1), None);
    assert_eq!(road.place_of(pt(10, 40), 2 * INCH), None);
    assert_eq!(road.place_of(pt(22, 20), 2 * INCH), Some(20 * INCH));
    let (from, to) = (5 * INCH, 15 * INCH);
    assert_eq!(road.between(from, to), [pt(10, 15), pt(10, 20), pt(15, 20)]);
    assert_eq!(road.between(to, from), [pt(15, 20), pt(10, 20), pt(10, 15)]);
    // A bend at either end is named once.
    assert_eq!(road.between(10 * INCH, to), [pt(10, 20), pt(15, 20)]);
    assert_eq!(road.between(from, 10 * INCH), [pt(10, 15), pt(10, 20)]);
    assert_eq!([road.point(-5), road.point(0), road.point(99 * INCH)], [pt(10, 10), pt(10, 10), pt(20, 20)]);
}

/// Ground swept in a straight move: bodies beside, ahead and behind, each by so much.
#[test]
fn the_gap_on_the_way() {
    let r = base(10, 10, 2, 2);
    let way = |x: i64, y: i64, by: (i64, i64)| r.gap_on_way(&base(x, y, 2, 2), pt(by.0, by.1));
    // Standing still: three inches aside, three ahead, three behind.
    assert_eq!([way(15, 10, (0, 0)), way(10, 15, (0, 0)), way(10, 5, (0, 0))], [3 * INCH; 3]);
    // Ahead by four and to either side: what lies that way is met, what lies the other way is as far as before.
    assert_eq!(way(10, 19, (0, 4)), 3 * INCH);
    assert_eq!(way(10, 5, (0, 4)), 3 * INCH);
    assert_eq!(way(10, 1, (0, -4)), 3 * INCH);
    assert_eq!(way(10, 15, (0, -4)), 3 * INCH);
    assert_eq!(way(19, 10, (4, 0)), 3 * INCH);
    assert_eq!(way(5, 10, (4, 0)), 3 * INCH);
    assert_eq!(way(1, 10, (-4, 0)), 3 * INCH);
    assert_eq!(way(15, 10, (-4, 0)), 3 * INCH);
    assert!(way(10, 14, (0, 4)) <= 0);
}
