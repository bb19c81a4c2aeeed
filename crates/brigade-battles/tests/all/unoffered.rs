//! What was never offered is refused.

use brigade_battles::BrigadeBattles;

fn refused(id: &str, games: u64, every: usize) {
    let tried = suite::unoffered::<BrigadeBattles>(id, games, every, suite::but_for_the_way);
    assert!(tried > 1_000, "{tried} orders only");
}

#[test]
fn on_the_drill_field() {
    refused("brigade-battles/drill", 20, 1);
}

#[test]
fn at_the_sunken_road() {
    refused("brigade-battles/sunken-road", 3, 3);
}

#[test]
fn at_cedar_mountain() {
    refused("brigade-battles/cedar-mountain", 2, 17);
}

#[test]
fn in_the_evening_at_antietam() {
    refused("brigade-battles/antietam-evening", 1, 31);
}
