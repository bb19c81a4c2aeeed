//! Enumerated odds against seeded plays of the same decision.

#[test]
fn odds_agree_with_play() {
    let (decisions, plays) =
        (suite::short_or_long(40, 200) as usize, suite::short_or_long(4_000, 100_000) as u32);
    let too_large = suite::odds_against_play::<fields_of_honor::FieldsOfHonor>(
        "fields-of-honor/drill-ground",
        decisions,
        plays,
    );
    assert!(too_large * 10 <= decisions, "{too_large} of {decisions} decisions were too large to enumerate");
}

#[test]
fn odds_are_quick() {
    suite::odds_speed::<fields_of_honor::FieldsOfHonor>(
        "fields-of-honor/drill-ground",
        suite::short_or_long(200, 2_000) as usize,
    );
}

#[test]
fn luck_evens_out() {
    suite::luck_evens_out::<fields_of_honor::FieldsOfHonor>(
        "fields-of-honor/drill-ground",
        suite::short_or_long(16, 1_000),
    );
}
