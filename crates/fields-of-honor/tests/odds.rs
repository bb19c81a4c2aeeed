//! Enumerated odds against seeded plays of the same decision.

/// A decision that ends a phase lets everything run until the next one; now and then too many fires, tests and flights
/// come together to be enumerated.
#[test]
fn odds_agree_with_play() {
    let (decisions, plays) =
        (suite::short_or_long(40, 200) as usize, suite::short_or_long(4_000, 100_000) as u32);
    let too_large = suite::odds_against_play::<fields_of_honor::FieldsOfHonor>(
        "fields-of-honor/drill-ground",
        decisions,
        plays,
    );
    assert!(too_large * 4 <= decisions, "{too_large} of {decisions} decisions were too large to enumerate");
}

#[test]
fn luck_evens_out() {
    suite::luck_evens_out::<fields_of_honor::FieldsOfHonor>(
        "fields-of-honor/drill-ground",
        suite::short_or_long(16, 1_000),
    );
}
