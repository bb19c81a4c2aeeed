use std::collections::BTreeMap;

use game::dice::{Dice, QuickDice, Recorder};
use game::odds::{self, Budget, Horizon, OddsReport};
use game::{Fx, Now, Silent, System};

use crate::shelf::battle;

/// Enough to enumerate most decisions, few enough ways to be quick.
const BUDGET: Budget = Budget { positions: 300, ways: 2_000, beyond: 500, plays: 40 };
/// How often an action is tried for dice: what follows may roll in some cases only.
const TRIES: u64 = 3;

/// Walks random games, and wherever something that is offered rolls dice before the next decision, asks for its odds:
/// they say in words what may come of it, and the shares add up. One action of each kind is asked about at each
/// decision; answers how many were.
///
/// # Panics
/// With every action that rolls dice and is told without a chance.
pub fn every_roll_is_weighed<S: System>(id: &str, wanted: usize) -> usize {
    let battle = battle::<S>(id);
    let mut mind = QuickDice::new(1863);
    let (mut asked, mut silent) = (0, BTreeMap::<(String, String), usize>::new());
    for seed in 0.. {
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = S::muster(&battle);
        S::settle(&battle, &mut state, &mut fx);
        while let Now::Decides(side) = S::now(&battle, &state) {
            let mut offers = Vec::new();
            S::offers(&battle, &state, &mut offers);
            let action = offers[mind.below(offers.len() as u32) as usize].clone();
            if mind.below(3) == 0 {
                let seen = S::seen_by(&battle, &state, side);
                for (verb, action) in one_of_each::<S>(&battle, &seen, &offers, &mut mind) {
                    if !rolls::<S>(&battle, &seen, &action) {
                        continue;
                    }
                    asked += 1;
                    let told = odds::report::<S>(&battle, &seen, &action, Horizon::Decision, BUDGET);
                    if let Err(why) = check(&told) {
                        let kind = S::prompt(&battle, &seen).kind;
                        *silent
                            .entry((format!("{kind}: {verb}: {why}"), S::write(&battle, &action)))
                            .or_default() += 1;
                    }
                }
            }
            S::play_unchecked(&battle, &mut state, &action, &mut fx);
        }
        if asked >= wanted || seed > 200 {
            break;
        }
    }
    assert!(silent.is_empty(), "{id}: of {asked} actions that roll dice these are not weighed: {silent:#?}");
    asked
}

/// One of the offers of each verb.
fn one_of_each<S: System>(
    battle: &S::Battle,
    state: &S::State,
    offers: &[S::Action],
    mind: &mut QuickDice,
) -> Vec<(String, S::Action)> {
    let mut verbs = BTreeMap::<String, Vec<&S::Action>>::new();
    for action in offers {
        verbs.entry(S::offer(battle, state, action).verb).or_default().push(action);
    }
    let pick =
        |list: Vec<&S::Action>, mind: &mut QuickDice| list[mind.below(list.len() as u32) as usize].clone();
    verbs.into_iter().map(|(verb, list)| (verb, pick(list, mind))).collect()
}

/// Whether dice fall before the next decision that is not forced.
fn rolls<S: System>(battle: &S::Battle, state: &S::State, action: &S::Action) -> bool {
    (0..TRIES).any(|seed| {
        let mut fx = Fx { dice: Recorder::new(QuickDice::new(seed)), log: Silent };
        let mut after = state.clone();
        S::play_unchecked(battle, &mut after, action, &mut fx);
        !fx.dice.faces.is_empty()
    })
}

/// What may come of it is told, in words that tell its ends apart, and the shares are a whole.
fn check(told: &OddsReport) -> Result<(), &'static str> {
    let open = told.pieces.iter().any(|p| p.fates.len() > 1) || told.score.len() > 1;
    if !told.rolls {
        return Err("not known to roll");
    }
    if open {
        return Ok(());
    }
    let sum: f64 = told.happens.iter().map(|h| h.share.p).sum();
    if (sum - 1.0).abs() > 1e-9 {
        return Err("no chances");
    }
    if told.happens.iter().any(|h| h.words.is_empty()) {
        return Err("no words");
    }
    if told.positions > 1 && told.happens.len() == 1 {
        return Err("one word for several ends");
    }
    Ok(())
}
