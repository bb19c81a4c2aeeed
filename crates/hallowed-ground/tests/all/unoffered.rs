//! What was never offered is refused, or play goes on from it.

use hallowed_ground::{HallowedGround, invariant};

fn plays_on(id: &str, games: u64, every: usize) {
    let played = suite::unoffered_on_a_table::<HallowedGround>(id, games, every, invariant);
    assert!(played > 100, "{played} orders only");
}

#[test]
fn at_the_crossroads() {
    plays_on("hallowed-ground/crossroads", 4, 3);
}

#[test]
fn at_brawners_farm() {
    plays_on("hallowed-ground/brawners-farm", 2, 7);
}

#[test]
fn at_the_angle() {
    plays_on("hallowed-ground/the-angle", 2, 7);
}
