use game::board::Place;
use game::dice::{Dice, QuickDice};
use game::{Fx, Now, Silent, System};

use crate::shelf::battle;

/// Drags pieces on a table through random games: for each move that is offered, goals all over the table are said as
/// `<verb> <piece> toward x y facing`. Each must be read, what is allowed must be written so that it is read again as
/// the same action, and for most goals a move must be found. How many were tried is given back.
///
/// # Panics
/// At the first goal for which that does not hold.
pub fn dragging<S: System>(id: &str, verbs: &[&str], games: u64) -> usize {
    let battle = battle::<S>(id);
    let (mut tried, mut found_one) = (0, 0);
    for seed in 0..games {
        let mut mind = QuickDice::new(!seed);
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = S::muster(&battle);
        S::settle(&battle, &mut state, &mut fx);
        while let Now::Decides(_) = S::now(&battle, &state) {
            let mut offers = Vec::new();
            S::offers(&battle, &state, &mut offers);
            let action = offers[mind.below(offers.len() as u32) as usize].clone();
            let offer = S::offer(&battle, &state, &action);
            let said: Vec<&str> = offer.action.split(' ').take(2).collect();
            if let (Some(Place::Pose { x, y, .. }), [verb, piece]) = (&offer.place, said.as_slice())
                && verbs.contains(verb)
            {
                let mut about = |n: i32| n + mind.below(24_000) as i32 - 12_000;
                let (goal_x, goal_y) = (about(*x), about(*y));
                let facing = mind.below(360) as i32 - 180;
                let inches = |n: i32| {
                    format!("{}{}.{:03}", if n < 0 { "-" } else { "" }, n.abs() / 1000, n.abs() % 1000)
                };
                for turned in [String::new(), format!(" {facing}")] {
                    let goal = format!("{verb} {piece} toward {} {}{turned}", inches(goal_x), inches(goal_y));
                    let found =
                        S::read(&battle, &state, &goal).unwrap_or_else(|e| panic!("{id}: `{goal}`: {e}"));
                    tried += 1;
                    if S::check(&battle, &state, &found).is_ok() {
                        let written = S::write(&battle, &found);
                        assert_eq!(S::read(&battle, &state, &written).as_ref(), Ok(&found), "{id}: `{goal}`");
                        let _ = S::offer(&battle, &state, &found);
                        found_one += 1;
                    }
                }
            }
            S::play_unchecked(&battle, &mut state, &action, &mut fx);
        }
    }
    assert!(2 * found_one > tried, "{id}: a move was found for {found_one} of {tried} goals only");
    tried
}
