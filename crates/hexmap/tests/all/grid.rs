//! Numbering, neighbourhood, sides and sets, against brute force.

use std::collections::{BTreeSet, VecDeque};

use hexmap::{Direction, EvenColumns, Grid, GridError, Hex, HexSet, Side, Zones};
use proptest::prelude::*;

fn grids() -> impl Strategy<Value = Grid> {
    let parity = prop_oneof![Just(EvenColumns::Lower), Just(EvenColumns::Higher)];
    (1u16..=14, 1u16..=14, parity).prop_map(|(columns, rows, even)| Grid::new(columns, rows, even).unwrap())
}

fn grid_and_two_hexes() -> impl Strategy<Value = (Grid, Hex, Hex)> {
    grids().prop_flat_map(|grid| {
        let hexes = grid.len() as u16;
        (Just(grid), (0..hexes).prop_map(Hex), (0..hexes).prop_map(Hex))
    })
}

fn steps_between(grid: &Grid, from: Hex) -> Vec<Option<u16>> {
    let mut steps = vec![None; grid.len()];
    steps[from.index()] = Some(0);
    let mut waiting = VecDeque::from([from]);
    while let Some(hex) = waiting.pop_front() {
        for (_, next) in grid.neighbours(hex) {
            if steps[next.index()].is_none() {
                steps[next.index()] = steps[hex.index()].map(|count| count + 1);
                waiting.push_back(next);
            }
        }
    }
    steps
}

proptest! {
    #[test]
    fn numbers_come_back(grid in grids()) {
        for (index, hex) in grid.hexes().enumerate() {
            prop_assert_eq!(hex.index(), index);
            prop_assert_eq!(grid.parse(&grid.name(hex).to_string()), Some(hex));
            prop_assert_eq!(grid.hex(grid.column(hex), grid.row(hex)), Some(hex));
        }
    }

    #[test]
    fn neighbours_are_mutual(grid in grids()) {
        for hex in grid.hexes() {
            for (direction, other) in grid.neighbours(hex) {
                prop_assert_eq!(grid.neighbour(other, direction.opposite()), Some(hex));
                prop_assert_eq!(grid.direction(hex, other), Some(direction));
                prop_assert!(grid.adjacent(hex, other));
            }
            prop_assert_eq!(grid.is_edge(hex), grid.neighbours(hex).count() < 6);
        }
    }

    #[test]
    fn distance_is_the_shortest_walk((grid, from, _) in grid_and_two_hexes()) {
        let steps = steps_between(&grid, from);
        // A map one hex high has no way round its gaps, so walk and distance part there.
        prop_assume!(grid.rows() > 1);
        for to in grid.hexes() {
            prop_assert_eq!(Some(grid.distance(from, to)), steps[to.index()]);
            prop_assert_eq!(grid.distance(from, to), grid.distance(to, from));
        }
    }

    #[test]
    fn within_and_ring((grid, centre, _) in grid_and_two_hexes(), distance in 0u16..6) {
        let near: Vec<Hex> = grid.hexes().filter(|&hex| grid.distance(centre, hex) <= distance).collect();
        prop_assert_eq!(grid.within(centre, distance).collect::<Vec<_>>(), near);
        let ring: Vec<Hex> = grid.hexes().filter(|&hex| grid.distance(centre, hex) == distance).collect();
        prop_assert_eq!(grid.ring(centre, distance).collect::<Vec<_>>(), ring);
    }

    #[test]
    fn every_side_has_one_number(grid in grids()) {
        let mut seen = vec![0; grid.sides_len()];
        for hex in grid.hexes() {
            for direction in Direction::ALL {
                let side = grid.side(hex, direction);
                seen[side.index()] += 1;
                let (one, other) = grid.hexes_of(side);
                prop_assert!(one == hex || other == Some(hex));
                match grid.neighbour(hex, direction) {
                    Some(beyond) => {
                        prop_assert_eq!(side, grid.side(beyond, direction.opposite()));
                        prop_assert_eq!(grid.side_between(hex, beyond), Some(side));
                        prop_assert!(one < other.unwrap());
                        let text = format!("{}/{}", grid.name(beyond), grid.name(hex));
                        prop_assert_eq!(grid.parse_side(&text), Some(side));
                    }
                    None => prop_assert_eq!((one, other), (hex, None)),
                }
            }
        }
        for side in grid.sides() {
            let sharing = if grid.hexes_of(side).1.is_some() { 2 } else { 1 };
            prop_assert_eq!(seen[side.index()], sharing);
        }
    }

    #[test]
    fn a_set_is_a_set(a in prop::collection::btree_set(0u16..1024, 0..60), b in prop::collection::btree_set(0u16..1024, 0..60)) {
        let set = |hexes: &BTreeSet<u16>| hexes.iter().copied().map(Hex).collect::<HexSet>();
        let list = |set: HexSet| set.iter().map(|hex| hex.0).collect::<Vec<_>>();
        let (left, right) = (set(&a), set(&b));
        prop_assert_eq!(list(left), a.iter().copied().collect::<Vec<_>>());
        prop_assert_eq!(left.len(), a.len());
        prop_assert_eq!(list(left.union(right)), a.union(&b).copied().collect::<Vec<_>>());
        prop_assert_eq!(list(left.intersection(right)), a.intersection(&b).copied().collect::<Vec<_>>());
        prop_assert_eq!(list(left.difference(right)), a.difference(&b).copied().collect::<Vec<_>>());
        prop_assert_eq!(left.meets(&right), !a.is_disjoint(&b));
        prop_assert_eq!(left.is_empty(), a.is_empty());
        let mut copy = left;
        for &hex in &a {
            prop_assert!(!copy.insert(Hex(hex)));
            prop_assert!(copy.remove(Hex(hex)));
            prop_assert!(!copy.contains(Hex(hex)));
        }
        prop_assert!(copy.is_empty());
    }

    #[test]
    fn zones_follow_their_masks(grid in grids(), closed in any::<u64>()) {
        let open = |hex: Hex, direction: Direction| closed >> ((hex.index() * 7 + direction.index()) % 64) & 1 == 0;
        let zones = Zones::new(&grid, |hex, direction, _| open(hex, direction));
        for hex in grid.hexes() {
            let expected: HexSet = grid.neighbours(hex).filter(|&(way, _)| open(hex, way)).map(|(_, to)| to).collect();
            prop_assert_eq!(zones.of(&grid, hex), expected);
            for to in grid.hexes() {
                prop_assert_eq!(zones.covers(&grid, hex, to), expected.contains(to));
            }
        }
    }
}

fn names(grid: &Grid, number: &str) -> Vec<String> {
    let hex = grid.parse(number).unwrap();
    Direction::ALL
        .into_iter()
        .map(|way| grid.neighbour(hex, way).map_or("-".to_string(), |hex| grid.name(hex).to_string()))
        .collect()
}

#[test]
fn neighbours_by_number() {
    let lower = Grid::new(28, 21, EvenColumns::Lower).unwrap();
    assert_eq!(names(&lower, "0910"), ["0909", "1009", "1010", "0911", "0810", "0809"]);
    assert_eq!(names(&lower, "1009"), ["1008", "1109", "1110", "1010", "0910", "0909"]);
    assert_eq!(names(&lower, "0101"), ["-", "-", "0201", "0102", "-", "-"]);
    let higher = Grid::new(24, 29, EvenColumns::Higher).unwrap();
    assert_eq!(names(&higher, "0910"), ["0909", "1010", "1011", "0911", "0811", "0810"]);
    assert_eq!(names(&higher, "1009"), ["1008", "1108", "1109", "1010", "0909", "0908"]);
}

#[test]
fn faulty_numbers_are_no_hexes() {
    let grid = Grid::new(28, 21, EvenColumns::Lower).unwrap();
    for number in ["", "0", "0022", "2901", "0100", "0122", "101", "10101", "+101", "é01", "ab01"] {
        assert_eq!(grid.parse(number), None, "{number}");
    }
    assert_eq!(grid.parse_side("0101/0103"), None);
    assert_eq!(grid.parse_side("0101"), None);
    assert_eq!(grid.parse_side("0101/0102").map(|side: Side| grid.hexes_of(side).1.is_some()), Some(true));
}

#[test]
fn the_size_has_limits() {
    assert_eq!(
        Grid::new(0, 5, EvenColumns::Lower).unwrap_err(),
        GridError::Numbering { columns: 0, rows: 5 }
    );
    assert_eq!(Grid::new(40, 40, EvenColumns::Lower).unwrap_err(), GridError::TooLarge { hexes: 1600 });
    assert!(Grid::new(32, 32, EvenColumns::Lower).is_ok());
}

#[test]
fn a_map_has_from_one_to_ninety_nine_columns_and_rows() {
    use hexmap::{EvenColumns, Grid};
    let fits = |columns, rows| Grid::new(columns, rows, EvenColumns::Lower).is_ok();
    assert_eq!([fits(1, 1), fits(99, 1), fits(1, 99)], [true; 3]);
    assert_eq!([fits(0, 1), fits(1, 0), fits(100, 1), fits(1, 100)], [false; 4]);
}
