//! What the panel of odds says in random games.

use brigade_battles::BrigadeBattles;

#[test]
fn odds_speak_the_words_of_the_game() {
    suite::odds_in_words::<BrigadeBattles>("brigade-battles/drill", 60);
}

#[test]
fn every_roll_is_weighed_before_it_is_made() {
    suite::every_roll_is_weighed::<BrigadeBattles>("brigade-battles/drill", 150);
}
