//! What the panel of odds says in random games.

use brigade_battles::BrigadeBattles;

#[test]
fn odds_speak_the_words_of_the_game() {
    suite::odds_in_words::<BrigadeBattles>("brigade-battles/drill", 60);
}
