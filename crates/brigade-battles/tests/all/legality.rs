//! One source of legality: what is offered and what is allowed are the same set.

use brigade_battles::BrigadeBattles;

fn offers_are_all(id: &str, games: u64, every: u64) {
    let tried = suite::offers_are_all::<BrigadeBattles>(id, games, every, suite::but_for_the_way);
    assert!(tried > 10_000, "only {tried} orders were tried");
}

#[test]
fn on_the_drill_field() {
    offers_are_all("brigade-battles/drill", 3, 5);
}

#[test]
fn at_the_sunken_road() {
    offers_are_all("brigade-battles/sunken-road", 1, 60);
}
