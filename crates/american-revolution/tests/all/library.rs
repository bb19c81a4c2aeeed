//! Every scenario of the library can be read and plays to its end.

use american_revolution::{AmericanRevolution, invariant};

fn plays_to_its_end(id: &str) {
    suite::contract::<AmericanRevolution>(id, 1, invariant);
    suite::random_games::<AmericanRevolution>(id, suite::short_or_long(1_000, 20_000), invariant);
}

#[test]
fn the_third_line() {
    plays_to_its_end("american-revolution/third-line");
}

#[test]
fn guilford_court_house() {
    plays_to_its_end("american-revolution/guilford-court-house");
}

#[test]
fn the_cabin() {
    plays_to_its_end("american-revolution/the-cabin");
}

#[test]
fn freemans_farm() {
    plays_to_its_end("american-revolution/freemans-farm");
}

/// While combats are announced, each attack that is offered names its odds and modifiers, and their sum.
#[test]
fn the_planner_adds_up() {
    use game::dice::{Dice, QuickDice};
    use game::{Display, Files, Fx, Library, Now, Options, Rules, Silent};
    let text = suite::Shelf.scenario("american-revolution/third-line").expect("it is there");
    let battle = AmericanRevolution::compile(&text, &suite::Shelf, &Options::new()).expect("it compiles");
    let (mut offers, mut seen) = (Vec::new(), 0);
    for seed in 0..12 {
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = AmericanRevolution::muster(&battle);
        AmericanRevolution::settle(&battle, &mut state, &mut fx);
        while let Now::Decides(_) = AmericanRevolution::now(&battle, &state) {
            offers.clear();
            AmericanRevolution::offers(&battle, &state, &mut offers);
            for action in &offers {
                let offer = AmericanRevolution::offer(&battle, &state, action);
                if offer.verb != "attack" {
                    continue;
                }
                let number = |text: &str| {
                    let first = text.split(' ').next().map(|n| n.replace('−', "-"));
                    first.and_then(|n| n.parse::<i32>().ok()).expect("a number comes first")
                };
                let (odds, rest) = offer.notes.split_first().expect("odds come first");
                let (total, parts) = rest.split_last().expect("the sum comes last");
                assert!(odds.text.starts_with("Odds "), "{}", odds.text);
                assert_eq!(parts.iter().map(|n| number(&n.text)).sum::<i32>(), number(&total.text));
                seen += 1;
            }
            let action = offers[fx.dice.below(offers.len() as u32) as usize];
            AmericanRevolution::play_unchecked(&battle, &mut state, &action, &mut fx);
        }
    }
    assert!(seen > 50, "only {seen} attacks were offered");
}
