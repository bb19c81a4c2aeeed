//! Conditional orders: which of them answers a decision, and how. An order decides what it names and nothing else.

use game::board::{Offer, Prompt};

use crate::problem::Failure;
use crate::wire::{Code, Given, Order, Then};

/// How many orders a seat may have, and how long their parts may be.
const MOST: usize = 20;
const LONGEST_NAME: usize = 60;
const LONGEST_WORDS: usize = 200;
/// Verbs by which a decision is declined.
const DECLINING: [&str; 8] = ["pass", "end", "done", "stop", "decline", "no-more", "finish", "none"];

/// What an order answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// This action.
    Play(String),
    /// What the captain thinks best.
    Captain,
}

/// Whether these can be orders.
///
/// # Errors
/// Which cannot, and why.
pub fn check(orders: &[Order]) -> Result<(), Failure> {
    let malformed = |what: String| Err(Failure::new(Code::Malformed, what));
    if orders.len() > MOST {
        return malformed(format!("At most {MOST} orders at once."));
    }
    for order in orders {
        let verb = if let Then::Take { verb } = &order.then { verb.as_str() } else { "" };
        if order.kind.is_empty() || order.kind.len() > LONGEST_NAME || verb.len() > LONGEST_NAME {
            return malformed(format!("The names in an order have 1 to {LONGEST_NAME} characters."));
        }
        if order.words.chars().count() > LONGEST_WORDS || order.words.chars().any(char::is_control) {
            return malformed(format!("An order is told in at most {LONGEST_WORDS} characters of one line."));
        }
        if let Given::Odds { least } = order.given
            && (!(1..=100).contains(&least) || verb.is_empty())
        {
            return malformed("Odds are 1 to 100 per cent, and of something that is to be done.".to_owned());
        }
    }
    Ok(())
}

/// Whether an order may answer this kind of decision in this turn.
#[must_use]
pub fn concerns(orders: &[Order], turn: u32, prompt: &Prompt) -> bool {
    orders.iter().any(|order| holds(order, turn, prompt))
}

fn holds(order: &Order, turn: u32, prompt: &Prompt) -> bool {
    order.kind == prompt.kind && order.turn.is_none_or(|only| only == turn)
}

/// What the first order that fits answers. `harm` tells how likely an action hurts an enemy, if that can be told.
pub fn answer(
    orders: &[Order],
    turn: u32,
    prompt: &Prompt,
    offers: &[Offer],
    mut harm: impl FnMut(&Offer) -> Option<f64>,
) -> Option<Answer> {
    orders.iter().filter(|order| holds(order, turn, prompt)).find_map(|order| {
        let of_unit = |offer: &Offer| match order.given {
            Given::Unit { piece } => offer.piece.is_some_and(|id| id.0 == piece),
            Given::Always | Given::Odds { .. } => true,
        };
        offers.iter().find(|offer| of_unit(offer))?;
        let choice = match &order.then {
            Then::Captain => return Some(Answer::Captain),
            Then::Decline => declining(offers)?,
            Then::Take { verb } => offers.iter().find(|offer| offer.verb == *verb && of_unit(offer))?,
        };
        if let Given::Odds { least } = order.given
            && harm(choice)? * 100.0 < f64::from(least)
        {
            return None;
        }
        Some(Answer::Play(choice.action.clone()))
    })
}

/// The offer that declines, where there is something to decline.
fn declining(offers: &[Offer]) -> Option<&Offer> {
    let declines = |offer: &&Offer| {
        let on_map = offer.piece.is_some() || offer.place.is_some() || !offer.targets.is_empty();
        (offer.button || !on_map) && DECLINING.iter().any(|verb| offer.verb.starts_with(verb))
    };
    offers.iter().find(declines).filter(|_| offers.len() > 1)
}

#[cfg(test)]
mod tests {
    use game::board::PieceId;
    use game::{Rule, Side};

    use super::*;

    fn order(given: Given, then: Then) -> Order {
        Order { kind: "fire".into(), given, then, turn: None, words: String::new() }
    }

    fn prompt(kind: &str) -> Prompt {
        Prompt::new(Side::First, kind, "Fire?", Rule::cited("1", &["1"]))
    }

    fn offers() -> Vec<Offer> {
        let mut fire = Offer::new("fire a", "fire", "Fire with A");
        fire.piece = Some(PieceId(7));
        let mut hold = Offer::new("pass", "pass", "Hold fire");
        hold.button = true;
        vec![fire, hold]
    }

    fn play(action: &str) -> Option<Answer> {
        Some(Answer::Play(action.into()))
    }

    #[test]
    fn the_first_order_that_fits_decides_and_nothing_else_does() {
        let likely = Given::Odds { least: 50 };
        let orders = [order(likely, Then::Take { verb: "fire".into() }), order(Given::Always, Then::Decline)];
        let answer = |kind, harm| super::answer(&orders, 1, &prompt(kind), &offers(), |_| Some(harm));
        assert_eq!(answer("fire", 0.5), play("fire a"));
        assert_eq!(answer("fire", 0.49), play("pass"));
        assert_eq!(answer("march", 1.0), None, "another decision");
    }

    #[test]
    fn an_order_holds_for_its_turn_and_its_unit() {
        let mut once = order(Given::Unit { piece: 7 }, Then::Captain);
        once.turn = Some(3);
        let ask = |order: &Order, turn| {
            super::answer(std::slice::from_ref(order), turn, &prompt("fire"), &offers(), |_| None)
        };
        assert_eq!(ask(&once, 3), Some(Answer::Captain));
        assert_eq!(ask(&once, 4), None);
        once.given = Given::Unit { piece: 8 };
        assert_eq!(ask(&once, 3), None);
        assert!(concerns(&[once], 3, &prompt("fire")));
    }

    #[test]
    fn what_cannot_be_done_or_told_is_asked() {
        let take = |verb: &str| Then::Take { verb: verb.into() };
        let ask = |order: Order| super::answer(&[order], 1, &prompt("fire"), &offers(), |_| None);
        assert_eq!(ask(order(Given::Always, take("charge"))), None);
        assert_eq!(ask(order(Given::Odds { least: 1 }, take("fire"))), None);
        let only = offers().split_off(1);
        let decline = [order(Given::Always, Then::Decline)];
        assert_eq!(super::answer(&decline, 1, &prompt("fire"), &only, |_| None), None, "nothing to decline");
    }

    #[test]
    fn orders_are_checked() {
        assert!(check(&[order(Given::Always, Then::Decline)]).is_ok());
        assert!(check(&[order(Given::Odds { least: 0 }, Then::Take { verb: "fire".into() })]).is_err());
        assert!(check(&[order(Given::Odds { least: 50 }, Then::Decline)]).is_err());
        assert!(check(&vec![order(Given::Always, Then::Captain); 21]).is_err());
        let mut loud = order(Given::Always, Then::Captain);
        loud.words = "a\nb".into();
        assert!(check(&[loud]).is_err());
    }
}
