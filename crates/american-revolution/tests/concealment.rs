//! Nobody learns of a sealed tactic before both are in.

use american_revolution::{Action, AmericanRevolution, Step, Tactic};
use game::dice::{Dice, QuickDice};
use game::{Chronicle, Fx, Now, Ruleset, Side, Words};

/// Whatever the attacker seals, the defender's view, offers and share of the log are the same.
#[test]
fn a_sealed_tactic_shows_nowhere() {
    suite::proves!("american-revolution", "12.23.k");
    let battle = suite::battle::<AmericanRevolution>("american-revolution/drill");
    let mut sealed = 0;
    for seed in 0..40 {
        let mut mind = QuickDice::new(!seed);
        let mut fx = Fx { dice: QuickDice::new(seed), log: Chronicle::default() };
        let mut state = AmericanRevolution::muster(&battle);
        AmericanRevolution::settle(&battle, &mut state, &mut fx);
        let mut offers = Vec::new();
        while let Now::Decides(side) = AmericanRevolution::now(&battle, &state) {
            offers.clear();
            AmericanRevolution::offers(&battle, &state, &mut offers);
            if matches!(state.agenda.top(), Some(Step::Tactics(_))) && state.fight.tactic[!side].is_none() {
                sealed += 1;
                let tactics: Vec<Tactic> = offers
                    .iter()
                    .filter_map(|a| if let Action::Play(t) = a { Some(*t) } else { None })
                    .collect();
                let seen: Vec<String> =
                    tactics.iter().map(|&t| as_the_enemy_sees(&battle, &state, side, t)).collect();
                assert!(
                    seen.windows(2).all(|w| w[0] == w[1]),
                    "seed {seed}: the enemy can tell {tactics:?} apart"
                );
            }
            let action = offers[mind.below(offers.len() as u32) as usize];
            AmericanRevolution::play_unchecked(&battle, &mut state, &action, &mut fx);
        }
    }
    assert!(sealed > 100, "too few tactics were sealed to say anything: {sealed}");
}

fn as_the_enemy_sees(
    battle: &american_revolution::Battle,
    state: &american_revolution::State,
    side: Side,
    tactic: Tactic,
) -> String {
    let mut after = state.clone();
    let mut fx = Fx { dice: QuickDice::new(1), log: Chronicle::default() };
    AmericanRevolution::play_unchecked(battle, &mut after, &Action::Play(tactic), &mut fx);
    let enemy = !side;
    let seen = AmericanRevolution::seen_by(battle, &after, enemy);
    let mut offers = Vec::new();
    AmericanRevolution::offers(battle, &after, &mut offers);
    let log: Vec<String> =
        fx.log.entries.iter().filter(|e| e.only.is_none_or(|s| s == enemy)).map(|e| e.text.clone()).collect();
    format!("{seen:?} {:?} {offers:?} {log:?}", AmericanRevolution::view(battle, &seen, Some(enemy)))
}
