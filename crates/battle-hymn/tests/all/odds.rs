//! Enumerated odds against seeded plays of the same decision.

#[test]
fn odds_agree_with_play() {
    let (decisions, plays) =
        (suite::short_or_long(40, 200) as usize, suite::short_or_long(4_000, 100_000) as u32);
    let too_large =
        suite::odds_against_play::<battle_hymn::BattleHymn>("battle-hymn/mcphersons-ridge", decisions, plays);
    assert!(too_large * 10 <= decisions, "{too_large} of {decisions} decisions were too large to enumerate");
}

#[test]
fn odds_are_quick() {
    let decisions = suite::short_or_long(60, 2_000) as usize;
    suite::odds_speed::<battle_hymn::BattleHymn>("battle-hymn/mcphersons-ridge", decisions);
}

#[test]
fn luck_evens_out() {
    suite::luck_evens_out::<battle_hymn::BattleHymn>(
        "battle-hymn/mcphersons-ridge",
        suite::short_or_long(60, 2_000),
    );
}
