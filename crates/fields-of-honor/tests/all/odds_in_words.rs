//! What the panel of odds says in random games.

use fields_of_honor::FieldsOfHonor;

#[test]
fn odds_speak_the_words_of_the_game() {
    suite::odds_in_words::<FieldsOfHonor>("fields-of-honor/drill-ground", 60);
}

#[test]
fn every_roll_is_weighed_before_it_is_made() {
    suite::every_roll_is_weighed::<FieldsOfHonor>("fields-of-honor/drill-ground", 150);
}
