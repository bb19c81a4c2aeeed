//! Lines of sight: pictures, symmetry, and agreement with a line cut into fine pieces.

use hexmap::{Crossing, EvenColumns, Grid, Hex, Pass, Side, Sightlines, Trace};
use proptest::prelude::*;

fn lower() -> Grid {
    Grid::new(12, 10, EvenColumns::Lower).unwrap()
}

/// The passes as text: `0504` through a hex, `0604|0605` along a spine, `0604|` along the edge of the map.
fn passes(grid: &Grid, from: &str, to: &str) -> String {
    let trace = Trace::new(grid, grid.parse(from).unwrap(), grid.parse(to).unwrap());
    let text = |pass| match pass {
        Pass::Through(hex) => grid.name(hex).to_string(),
        Pass::Spine(a, b) => {
            format!("{}|{}", grid.name(a), b.map_or(String::new(), |hex| grid.name(hex).to_string()))
        }
    };
    trace.line().between().map(text).collect::<Vec<_>>().join(" ")
}

/// The crossings as text: `0504/0605`, or `(leaving leaving > entering entering)` at a corner.
fn crossings(grid: &Grid, from: &str, to: &str) -> String {
    let trace = Trace::new(grid, grid.parse(from).unwrap(), grid.parse(to).unwrap());
    let side = |side: Side| match grid.hexes_of(side) {
        (a, Some(b)) => format!("{}/{}", grid.name(a), grid.name(b)),
        (a, None) => format!("{}/", grid.name(a)),
    };
    let text = |crossing| match crossing {
        Crossing::Side(crossed) => side(crossed),
        Crossing::Corner { leaving: [a, b], entering: [c, d] } => {
            format!("({} {} > {} {})", side(a), side(b), side(c), side(d))
        }
    };
    trace.line().crossings().map(text).collect::<Vec<_>>().join(" ")
}

#[test]
fn straight_down_a_column() {
    let grid = lower();
    assert_eq!(passes(&grid, "0302", "0305"), "0303 0304");
    assert_eq!(crossings(&grid, "0302", "0305"), "0302/0303 0303/0304 0304/0305");
    assert_eq!(passes(&grid, "0302", "0303"), "");
    assert_eq!(passes(&grid, "0302", "0302"), "");
    assert_eq!(crossings(&grid, "0302", "0302"), "");
}

/// ```text
///    0304    0504
///        0403           the line from 0304 to 0504 runs
///   --------=======---  along the side between 0403 and 0404
///        0404
/// ```
#[test]
fn spine_straight_east() {
    let grid = lower();
    assert_eq!(passes(&grid, "0304", "0504"), "0403|0404");
    assert_eq!(
        crossings(&grid, "0304", "0504"),
        "(0304/0403 0304/0404 > 0304/0403 0304/0404) (0403/0504 0404/0504 > 0403/0504 0404/0504)"
    );
    assert_eq!(passes(&grid, "0304", "0704"), "0403|0404 0504 0603|0604");
    assert_eq!(passes(&grid, "0704", "0304"), "0603|0604 0504 0403|0404");
}

#[test]
fn spine_to_the_south_east() {
    let grid = lower();
    // Two rows down and one column over: through the corner between 0303 and 0402.
    assert_eq!(passes(&grid, "0302", "0403"), "0303|0402");
    assert_eq!(passes(&grid, "0302", "0505"), "0303|0402 0403 0404|0504");
}

#[test]
fn spine_along_the_edge_of_the_map() {
    let grid = lower();
    assert_eq!(passes(&grid, "0301", "0501"), "0401|");
    assert_eq!(
        crossings(&grid, "0301", "0501"),
        "(0301/ 0301/0401 > 0301/ 0301/0401) (0401/0501 0501/ > 0401/0501 0501/)"
    );
    assert_eq!(passes(&grid, "0410", "0610"), "0510|");
}

/// A line that only clips a corner passes from hex to hex through it.
#[test]
fn through_a_corner_off_the_spine() {
    let grid = lower();
    assert_eq!(passes(&grid, "0104", "0605"), "0204 0305 0404 0505");
    assert_eq!(
        crossings(&grid, "0104", "0605"),
        "0104/0204 (0204/0304 0204/0305 > 0204/0305 0304/0305) 0305/0404 \
         (0404/0505 0404/0405 > 0404/0505 0405/0505) 0505/0605"
    );
}

#[test]
fn hidden_on_both_sides_of_a_spine() {
    let grid = lower();
    let hex = |number: &str| grid.parse(number).unwrap();
    let blocked = |blocking: &[&str]| {
        let trace = Trace::new(&grid, hex("0304"), hex("0504"));
        trace.line().is_blocked(|at| blocking.iter().any(|number| hex(number) == at))
    };
    assert!(!blocked(&[]));
    assert!(!blocked(&["0403"]));
    assert!(!blocked(&["0404"]));
    assert!(blocked(&["0403", "0404"]));
    let edge = Trace::new(&grid, hex("0301"), hex("0501"));
    assert!(!edge.line().is_blocked(|_| false));
    assert!(edge.line().is_blocked(|at| at == hex("0401")));
    assert!(!edge.line().is_blocked_by_both(|at| at == hex("0401")));
}

#[test]
fn what_is_seen_is_a_picture() {
    let grid = lower();
    let (eye, wood) = (grid.parse("0605").unwrap(), grid.parse("0604").unwrap());
    let seen = Sightlines::up_to(2).seen_from(&grid, eye, |hex| hex == wood);
    let names: Vec<String> = seen.iter().map(|hex| grid.name(hex).to_string()).collect();
    let all = "0404 0405 0406 0504 0505 0506 0507 0604 0605 0606 0607 0704 0705 0706 0707 0804 0805 0806";
    assert_eq!(names.join(" "), all);
}

fn pairs() -> impl Strategy<Value = (Grid, Hex, Hex)> {
    let parity = prop_oneof![Just(EvenColumns::Lower), Just(EvenColumns::Higher)];
    (1u16..=10, 1u16..=10, parity).prop_flat_map(|(columns, rows, even)| {
        let grid = Grid::new(columns, rows, even).unwrap();
        let hexes = grid.len() as u16;
        (Just(grid), (0..hexes).prop_map(Hex), (0..hexes).prop_map(Hex))
    })
}

/// The hexes whose closed shape a point belongs to, in the squeezed coordinates scaled by `scale`.
fn hexes_at(grid: &Grid, x: i64, y: i64, scale: i64) -> Vec<Hex> {
    let touches = |hex: &Hex| {
        let (cx, cy) = centre(grid, *hex);
        let (dx, dy) = ((x - cx * scale).abs(), (y - cy * scale).abs());
        dy <= scale && dx + dy <= 2 * scale
    };
    grid.hexes().filter(touches).collect()
}

fn centre(grid: &Grid, hex: Hex) -> (i64, i64) {
    let (column, row) = (i64::from(grid.column(hex)), i64::from(grid.row(hex)));
    let lower = match grid.even_columns() {
        EvenColumns::Lower => column % 2 == 0,
        EvenColumns::Higher => column % 2 == 1,
    };
    (3 * column, 2 * row + i64::from(lower))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn the_same_from_both_ends((grid, a, b) in pairs()) {
        let (there, back) = (Trace::new(&grid, a, b), Trace::new(&grid, b, a));
        let mut reversed: Vec<Pass> = back.line().between().collect();
        reversed.reverse();
        prop_assert_eq!(there.line().between().collect::<Vec<_>>(), reversed);
        let mut reversed: Vec<Crossing> = back.line().crossings().map(|crossing| match crossing {
            Crossing::Side(side) => Crossing::Side(side),
            Crossing::Corner { leaving, entering } => Crossing::Corner { leaving: entering, entering: leaving },
        }).collect();
        reversed.reverse();
        prop_assert_eq!(there.line().crossings().collect::<Vec<_>>(), reversed);
    }

    /// Points so close on the line that none of the hexes it goes through, and no spine, can be missed.
    #[test]
    fn the_same_as_a_fine_walk((grid, a, b) in pairs()) {
        prop_assume!(a != b);
        let ((ax, ay), (bx, by)) = (centre(&grid, a), centre(&grid, b));
        let pieces = 5040;
        let mut walked: Vec<Pass> = Vec::new();
        for piece in 1..pieces {
            let (x, y) = (ax * pieces + (bx - ax) * piece, ay * pieces + (by - ay) * piece);
            let pass = match hexes_at(&grid, x, y, pieces)[..] {
                [hex] => Pass::Through(hex),
                [one, other] => Pass::Spine(one, Some(other)),
                _ => continue,
            };
            if walked.last() != Some(&pass) {
                walked.push(pass);
            }
        }
        // A side crossed at a single point is no spine, and one at the edge of the map looks like a hex.
        let inner: Vec<Hex> = runs(&walked).into_iter().filter_map(|pass| match pass {
            Pass::Through(hex) if hex != a && hex != b => Some(hex),
            _ => None,
        }).collect();
        let traced: Vec<Hex> = Trace::new(&grid, a, b).line().between().filter_map(|pass| match pass {
            Pass::Through(hex) | Pass::Spine(hex, None) => Some(hex),
            Pass::Spine(_, Some(_)) => None,
        }).collect();
        prop_assert_eq!(traced, inner);
    }

    #[test]
    fn tables_and_single_lines_agree((grid, a, b) in pairs(), range in 0u16..14) {
        let tables = Sightlines::up_to(range);
        let trace = Trace::new(&grid, a, b);
        match tables.between(&grid, a, b) {
            Some(line) => prop_assert_eq!(line.legs().collect::<Vec<_>>(), trace.line().legs().collect::<Vec<_>>()),
            None => prop_assert!(grid.distance(a, b) > range),
        }
    }

    #[test]
    fn a_line_ends_where_it_should((grid, a, b) in pairs()) {
        let trace = Trace::new(&grid, a, b);
        let legs: Vec<_> = trace.line().legs().collect();
        prop_assert_eq!(legs.last().map(|leg| leg.into), (a != b).then_some(Pass::Through(b)));
        prop_assert!(legs.len() >= usize::from(grid.distance(a, b)));
    }
}

fn runs(walked: &[Pass]) -> Vec<Pass> {
    let mut runs: Vec<Pass> = Vec::new();
    for &pass in walked {
        if matches!(pass, Pass::Through(_)) && runs.last() != Some(&pass) {
            runs.push(pass);
        }
    }
    runs
}
