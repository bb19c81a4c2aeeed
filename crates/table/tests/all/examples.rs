//! The worked geometry of the rulings, to the thousandth of an inch.

use table::*;

const LINE: Size = Size { width: mm(2250), depth: mm(400) };
const SUPPORTED: Size = Size { width: mm(1350), depth: mm(800) };

fn rect(x: i32, y: i32, degrees: i32, size: Size) -> Rect {
    Rect::new(Pose::new(x, y, Angle::degrees(degrees)), size)
}

#[test]
fn footprint() {
    let r = rect(20_000, 20_000, 0, LINE);
    let spots: Vec<(i32, i32)> = r.corners.iter().map(|c| (c.spot().x, c.spot().y)).collect();
    assert_eq!(spots, [(24_429, 20_000), (15_571, 20_000), (15_571, 18_425), (24_429, 18_425)]);
    assert_eq!(r.centre.spot(), Spot::new(20_000, 19_213));
}

#[test]
fn arcs() {
    let r = rect(20_000, 20_000, 0, LINE);
    let arc = |x: i32, y: i32| r.arc_of(Spot::new(x * 1000, y * 1000).pt());
    assert_eq!(
        [arc(20, 30), arc(30, 26), arc(30, 25), arc(30, 20)],
        [Side::Front, Side::Front, Side::Right, Side::Right]
    );
    assert_eq!([arc(20, 10), arc(13, 12), arc(8, 12)], [Side::Rear, Side::Rear, Side::Left]);
}

fn seen(blocker_x: i32) -> i64 {
    let (viewer, target) = (rect(20_000, 20_000, 0, LINE), rect(20_000, 32_000, 180, LINE));
    let mut look = Look::at(&viewer, &target, Side::Front).expect("faces the viewer");
    look.blocked_by(&rect(blocker_x, 27_000, 0, SUPPORTED));
    div_round(length(&look.seen()), MIL)
}

#[test]
fn full_and_partial_sight() {
    // The rulings round the ends of the stretch before they subtract; a thousandth is left between the two ways.
    assert!((seen(23_000) - 5_017).abs() <= 1);
    assert!((seen(22_000) - 2_380).abs() <= 1);
}

#[test]
fn touching_blockers_leave_no_slit() {
    let (viewer, target) = (rect(20_000, 20_000, 0, LINE), rect(20_000, 32_000, 180, LINE));
    let mut look = Look::at(&viewer, &target, Side::Front).expect("faces the viewer");
    look.blocked_by(&rect(17_343, 25_000, 0, SUPPORTED));
    look.blocked_by(&rect(22_657, 25_000, 0, SUPPORTED));
    assert_eq!(length(&look.seen()), 0);
}

#[test]
fn clearing_a_friend() {
    let (unit, friend) = (rect(20_000, 20_000, 0, LINE), rect(20_000, 11_000, 0, LINE));
    let back = Angle::SOUTH.dir();
    let taken = overlap_while_moving(&unit, &friend, back, EPS).expect("in the way");
    // Overlap up to EPS is no overlap: the place is one thousandth nearer than bare contact.
    assert!((clear_from(&[taken], 8 * INCH) - inches(10_575)).abs() <= 2 * EPS);
    let touching = overlap_while_moving(&unit, &friend, back, 0).expect("in the way");
    assert_eq!(div_round(clear_from(&[touching], 8 * INCH), MIL), 10_575);
}

/// A road north for ten inches, then east: at the bend a column faces along the leg it came by, whichever way it goes.
#[test]
fn a_column_at_a_bend_faces_as_it_came() {
    let spot = |x: i32, y: i32| Spot::new(x * 1000, y * 1000).pt();
    let road = Road::new(vec![spot(10, 10), spot(10, 20), spot(20, 20)]).expect("three points");
    let bend = road.length() / 2;
    let facing = |along: i64, upward: bool| road.tangent(along, upward);
    let (north, east) = (Angle::degrees(0), Angle::degrees(90));
    assert_eq!([facing(bend, true), facing(bend, false)], [north, east.reversed()]);
    // A hair before and behind the bend both go by the leg they are on.
    assert_eq!([facing(bend - 1, true), facing(bend - 1, false)], [north, north.reversed()]);
    assert_eq!([facing(bend + 1, true), facing(bend + 1, false)], [east, east.reversed()]);
    // The ends, and what lies beyond them.
    assert_eq!([facing(0, true), facing(-5, true), facing(0, false)], [north, north, north.reversed()]);
    let end = road.length();
    assert_eq!([facing(end, true), facing(end + 5, true), facing(end, false)], [east, east, east.reversed()]);
}
