//! Marches against Bellman and Ford, and their paths.

use arrayvec::ArrayVec;
use hexmap::{Direction, EvenColumns, Grid, Hex, March, Passage};
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Country {
    grid: Grid,
    passages: Vec<[Passage; 6]>,
}

impl Country {
    fn passage(&self, from: Hex, direction: Direction) -> Passage {
        self.passages[from.index()][direction.index()]
    }
}

fn passage(least: u8) -> impl Strategy<Value = Passage> {
    prop_oneof![
        2 => Just(Passage::Closed),
        8 => (least..5).prop_map(Passage::Open),
        2 => (least..5).prop_map(Passage::Stop),
    ]
}

fn countries(least: u8) -> impl Strategy<Value = (Country, Hex)> {
    (1u16..=9, 1u16..=9, any::<bool>()).prop_flat_map(move |(columns, rows, lower)| {
        let even = if lower { EvenColumns::Lower } else { EvenColumns::Higher };
        let grid = Grid::new(columns, rows, even).unwrap();
        let hexes = grid.len();
        let passages = prop::collection::vec(prop::array::uniform6(passage(least)), hexes);
        (passages, 0..hexes as u16)
            .prop_map(move |(passages, start)| (Country { grid: grid.clone(), passages }, Hex(start)))
    })
}

/// The least cost of being in each hex, and of being there with leave to go on.
fn bellman_ford(country: &Country, start: Hex, budget: u8) -> Vec<(Option<u8>, Option<u8>)> {
    let mut costs = vec![(None, None); country.grid.len()];
    costs[start.index()] = (Some(0), Some(0));
    let least = |known: &mut Option<u8>, cost: u8| {
        if known.is_none_or(|known| cost < known) {
            *known = Some(cost);
        }
    };
    for _ in 0..country.grid.len() {
        for from in country.grid.hexes() {
            let Some(spent) = costs[from.index()].1 else { continue };
            for (direction, to) in country.grid.neighbours(from) {
                let (step, onward) = match country.passage(from, direction) {
                    Passage::Closed => continue,
                    Passage::Open(step) => (step, true),
                    Passage::Stop(step) => (step, false),
                };
                if spent + step > budget {
                    continue;
                }
                least(&mut costs[to.index()].0, spent + step);
                if onward {
                    least(&mut costs[to.index()].1, spent + step);
                }
            }
        }
    }
    costs
}

fn explore(march: &mut March, country: &Country, start: Hex, budget: u8) {
    march.explore(&country.grid, start, budget, |from, direction, _| country.passage(from, direction));
}

proptest! {
    #[test]
    fn marches_cost_what_bellman_and_ford_say((country, start) in countries(0), budgets in prop::collection::vec(0u8..20, 1..4)) {
        let mut march = March::new(&country.grid);
        for budget in budgets {
            explore(&mut march, &country, start, budget);
            let expected = bellman_ford(&country, start, budget);
            for hex in country.grid.hexes() {
                prop_assert_eq!((march.cost(hex), march.onward_cost(hex)), expected[hex.index()]);
            }
            let reached = march.reached();
            prop_assert_eq!(reached[0], start);
            prop_assert_eq!(reached.len(), expected.iter().filter(|cost| cost.0.is_some()).count());
            prop_assert!(reached.is_sorted_by_key(|&hex| march.cost(hex)));
        }
    }

    #[test]
    fn paths_cost_what_they_should((country, start) in countries(0), budget in 0u8..20) {
        let mut march = March::new(&country.grid);
        explore(&mut march, &country, start, budget);
        for &goal in march.reached() {
            let mut path = ArrayVec::<Hex, 96>::new();
            prop_assert!(march.path(goal, &mut path));
            let (mut at, mut spent, mut halted) = (start, 0, false);
            for &next in &path {
                prop_assert!(!halted, "went on where it must stop");
                let direction = country.grid.direction(at, next).unwrap();
                match country.passage(at, direction) {
                    Passage::Closed => prop_assert!(false, "closed way"),
                    Passage::Open(step) => spent += step,
                    Passage::Stop(step) => (spent, halted) = (spent + step, true),
                }
                at = next;
            }
            prop_assert_eq!((at, Some(spent)), (goal, march.cost(goal)));
        }
    }

    /// Where every step costs something, each hex is entered from the lowest-numbered hex that is as cheap.
    #[test]
    fn of_equal_ways_the_lowest_number((country, start) in countries(1), budget in 0u8..20) {
        let mut march = March::new(&country.grid);
        explore(&mut march, &country, start, budget);
        for &hex in &march.reached()[1..] {
            let before = march.back_from(hex).nth(1);
            let as_cheap = country.grid.neighbours(hex).filter(|&(direction, from)| {
                let step = match country.passage(from, direction.opposite()) {
                    Passage::Closed => return false,
                    Passage::Open(step) | Passage::Stop(step) => step,
                };
                march.onward_cost(from).map(|spent| spent + step) == march.cost(hex)
            });
            prop_assert_eq!(before, as_cheap.map(|(_, from)| from).min());
        }
    }

    #[test]
    fn several_starts_are_the_best_of_each((country, start) in countries(1), other in any::<prop::sample::Index>(), spent in 0u8..6) {
        let other = Hex(other.index(country.grid.len()) as u16);
        let mut march = March::new(&country.grid);
        march.explore_from(&country.grid, [(start, 0), (other, spent)], 12, |from, direction, _| country.passage(from, direction));
        let (one, two) = (bellman_ford(&country, start, 12), bellman_ford(&country, other, 12 - spent));
        for hex in country.grid.hexes() {
            let best = one[hex.index()].0.into_iter().chain(two[hex.index()].0.map(|cost| cost + spent)).min();
            prop_assert_eq!(march.cost(hex), best);
        }
    }
}

/// ```text
///  0101      0301         The straight way to 0301 enters 0201, where the unit must stop;
///       0201              the way round by 0202 is dearer but goes on.
///  0102      0302
///       0202
/// ```
#[test]
fn stopping_short_of_the_cheap_way() {
    let grid = Grid::new(3, 2, EvenColumns::Lower).unwrap();
    let hex = |number: &str| grid.parse(number).unwrap();
    let mut march = March::new(&grid);
    march.explore(&grid, hex("0101"), 9, |_, _, to| match to == hex("0201") {
        true => Passage::Stop(1),
        false => Passage::Open(1),
    });
    assert_eq!(march.cost(hex("0201")), Some(1));
    assert_eq!(march.onward_cost(hex("0201")), None);
    assert_eq!(march.cost(hex("0301")), Some(4));
    let mut path = ArrayVec::<Hex, 8>::new();
    assert!(march.path(hex("0301"), &mut path));
    assert_eq!(path[..], [hex("0102"), hex("0202"), hex("0302"), hex("0301")]);
    let mut short = ArrayVec::<Hex, 3>::new();
    assert!(!march.path(hex("0301"), &mut short));
}

#[test]
fn a_flood_counts_steps() {
    let grid = Grid::new(9, 9, EvenColumns::Higher).unwrap();
    let centre = grid.parse("0505").unwrap();
    let mut march = March::new(&grid);
    march.flood(&grid, centre, 3, |_, _, _| true);
    assert_eq!(march.reached().len(), 37);
    for hex in grid.hexes() {
        let distance = grid.distance(centre, hex);
        assert_eq!(march.cost(hex).map(u16::from), (distance <= 3).then_some(distance));
    }
}
