//! Enumerated odds against seeded plays of the same decision.

/// A tied initiative is rolled again without end, so that a decision that ends a phase has no small tree; those inside a
/// phase do.
#[test]
fn odds_agree_with_play() {
    let (decisions, plays) =
        (suite::short_or_long(12, 200) as usize, suite::short_or_long(2_000, 100_000) as u32);
    let too_large = suite::odds_against_play::<fields_of_honor::FieldsOfHonor>(
        "fields-of-honor/drill-ground",
        decisions,
        plays,
    );
    assert!(
        too_large * 4 <= decisions * 3,
        "{too_large} of {decisions} decisions were too large to enumerate"
    );
}
