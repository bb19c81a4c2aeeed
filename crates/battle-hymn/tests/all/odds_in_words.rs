//! What the panel of odds says in random games.

use battle_hymn::BattleHymn;

#[test]
fn odds_speak_the_words_of_the_game() {
    suite::odds_in_words::<BattleHymn>("battle-hymn/drill", 60);
}
