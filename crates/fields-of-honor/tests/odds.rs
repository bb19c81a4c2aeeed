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

/// Asked to the end, the odds of a charge go past the decisions of its target, though it is only about to be declared.
#[test]
fn a_charge_is_weighed_to_its_end() {
    use fields_of_honor::FieldsOfHonor as S;
    use fields_of_honor::action::Action;
    use game::dice::{Dice, QuickDice};
    use game::odds::{Budget, Horizon, of_action};
    use game::{Fx, Judgement, Now, Ruleset, Silent};

    let battle = suite::battle::<S>("fields-of-honor/drill-ground");
    let mut mind = QuickDice::new(1);
    let mut weighed = 0;
    for seed in 0..40 {
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = S::muster(&battle);
        S::settle(&battle, &mut state, &mut fx);
        while let Now::Decides(_) = S::now(&battle, &state) {
            let mut offers = Vec::new();
            S::offers(&battle, &state, &mut offers);
            let charge = offers.iter().find(|offer| matches!(offer, Action::Charge(_)));
            if let Some(charge) = charge.filter(|_| weighed < 5) {
                let odds = of_action::<S>(&battle, &state, charge, Horizon::Affair, Budget::default());
                if odds.sampled.is_none() && odds.last_scene.is_none() {
                    weighed += 1;
                    assert!(odds.ends.iter().all(|(end, _)| S::affair(&battle, end).is_none()));
                }
            }
            let action = offers[mind.below(offers.len() as u32) as usize].clone();
            S::play_unchecked(&battle, &mut state, &action, &mut fx);
        }
    }
    assert_eq!(weighed, 5, "charges that can be weighed to their end");
}
