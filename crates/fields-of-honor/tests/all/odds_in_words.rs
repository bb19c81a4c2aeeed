//! What the panel of odds says in random games.

use fields_of_honor::FieldsOfHonor;

#[test]
fn odds_speak_the_words_of_the_game() {
    suite::odds_in_words::<FieldsOfHonor>("fields-of-honor/drill-ground", 60);
}
