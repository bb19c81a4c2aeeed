//! The analyst: hints and reviews.

mod common;

use common::{Action, Foray, State};
use game::dice::QuickDice;
use game::{Fx, Notation as _, Now, Rules as _, Side, Silent};
use players::{Decided, General, Grade, Review};

const THINKER: General = General { candidates: 3, rollouts: 90, ..General::GENERAL };

#[test]
fn a_hint_names_the_best_with_its_margin_and_its_line() {
    let hint =
        players::weigh::<Foray>(&(), &Foray::muster(&()), THINKER, &[], &mut QuickDice::new(7)).unwrap();
    let titles: Vec<&str> = hint.choices.iter().map(|c| c.title.as_str()).collect();
    assert_eq!(titles, ["dig", "grab", "dare"]);
    assert!(hint.clear && hint.side == Side::First && hint.plays >= 90, "{hint:?}");
    assert_eq!(hint.question, "What do the raiders do?");
    assert_eq!((hint.until_turn, hint.until.as_str()), (1, "Turn 1"));
    let [dig, grab, dare] = hint.choices.as_slice() else { panic!("three choices") };
    // Both play on for a point a decision: digging once is two points better than grabbing.
    assert!((dig.margin - grab.margin - 2.0).abs() < 1e-9, "{dig:?} {grab:?}");
    assert!((grab.behind - 2.0).abs() < 1e-9 && dig.behind == 0.0);
    // Plays vary: the greedy go on to dare.
    assert!(dare.low < dare.margin && dare.margin < dare.high && dare.within > 0.0, "{dare:?}");
    assert_eq!((dig.line[0].action.as_str(), dig.line[0].side), ("dig", Side::First));
    assert_eq!(dig.line.len(), 6);
    let none = players::weigh::<Foray>(&(), &finished(&[]).1, THINKER, &[], &mut QuickDice::new(7));
    assert!(none.is_none(), "the game is over");
}

#[test]
fn who_plays_second_looks_on_to_the_enemys_next_turn() {
    let mut start = Foray::muster(&());
    let mut fx = Fx { dice: QuickDice::new(3), log: Silent };
    for mover in [Side::First, Side::Second] {
        let hint = players::weigh::<Foray>(&(), &start, THINKER, &[], &mut QuickDice::new(7)).unwrap();
        // The second half of a turn is followed by the enemy's half of the next.
        let until = if mover == Side::First { 1 } else { 2 };
        assert_eq!((hint.side, hint.until_turn, hint.until), (mover, until, format!("Turn {until}")));
        while Foray::now(&(), &start) == Now::Decides(mover) {
            Foray::play_unchecked(&(), &mut start, &Action::Grab, &mut fx);
        }
    }
}

#[test]
fn a_hint_weighs_what_somebody_asks_about() {
    let start = Foray::muster(&());
    let weigh = |also: &[Action]| {
        players::weigh::<Foray>(
            &(),
            &start,
            General { candidates: 1, ..THINKER },
            also,
            &mut QuickDice::new(1),
        )
        .unwrap()
    };
    let alone = weigh(&[]);
    assert_eq!(alone.choices.len(), 1);
    let best = alone.choices[0].offer.action.clone();
    let asked = weigh(&[Action::Dare]);
    let [first, dare] = asked.choices.as_slice() else { panic!("{:?}", asked.choices) };
    assert_eq!((&first.offer.action, dare.title.as_str()), (&best, "dare"));
    assert!(dare.behind > 0.0 && dare.plays == first.plays, "{dare:?}");
    assert_eq!(asked.plays, first.plays + dare.plays);
    let same = weigh(&[Foray::read(&(), &start, &best).unwrap()]);
    assert_eq!(same.choices.len(), 1, "what is shown already is not shown twice");
}

/// A game in which the first side plays `script`, then digs, and the second digs always; and its end.
fn finished(script: &[Action]) -> (Vec<Decided<Foray>>, State) {
    let mut fx = Fx { dice: QuickDice::new(3), log: Silent };
    let (mut state, mut decided, mut script) = (Foray::muster(&()), Vec::new(), script.iter().copied());
    while let Now::Decides(side) = Foray::now(&(), &state) {
        let action = if side == Side::First { script.next().unwrap_or(Action::Dig) } else { Action::Dig };
        let before = state.clone();
        Foray::play_unchecked(&(), &mut state, &action, &mut fx);
        decided.push(Decided { before, act: Foray::write(&(), &action), rolled: action == Action::Dare });
    }
    (decided, state)
}

fn review(script: &[Action]) -> Review {
    let (decided, end) = finished(script);
    players::review::<Foray>(&(), decided, &end, &|_, _| true).unwrap()
}

#[test]
fn a_review_tells_choices_from_dice_and_adds_up() {
    let review = review(&[Action::Grab, Action::Dig, Action::Dig, Action::Dare]);
    let shares = &review.shares;
    let sum = shares.start + shares.choices.first + shares.choices.second + shares.dice;
    assert!((sum - shares.result).abs() < 1e-9, "{shares:?}");
    // A grab in place of digging gives two points away; a dare, due a point less than nothing, gives more.
    let grades: Vec<_> = review.decisions.iter().map(|d| d.grade.unwrap()).collect();
    assert!(grades[0] != Grade::Best && grades[6] != Grade::Best, "{grades:?}");
    assert_eq!(grades.iter().filter(|grade| **grade == Grade::Best).count(), 22);
    assert!((review.decisions[0].choice + 2.0).abs() < 1e-9, "{:?}", review.decisions[0]);
    assert!(review.decisions[6].choice < -2.5 && review.decisions[6].dice != 0.0);
    assert_eq!(shares.choices.second, 0.0);
    assert!(review.accuracy.first.percent < review.accuracy.second.percent);
    assert_eq!(review.accuracy.second.best, 12);
    let point = &review.turning_points[0];
    assert_eq!((point.moment, point.side, point.played.as_str()), (0, Some(Side::First), "grab"));
    assert_eq!(point.better[0].action, "dig");
    assert!(
        review.turning_points.len() <= 5 && review.verdict.starts_with("south chose"),
        "{}",
        review.verdict
    );
}

#[test]
fn a_chance_that_a_plan_misses_is_counted_once() {
    let review = review(&[Action::Grab; 3]);
    let counted = review.decisions.iter().filter(|d| d.choice != 0.0).count();
    assert_eq!((counted, review.accuracy.first.best), (1, 11), "{:?}", &review.decisions[..3]);
}

#[test]
fn a_review_without_mistakes_finds_none() {
    let review = review(&[]);
    assert_eq!((review.accuracy.first.best, review.accuracy.second.best), (12, 12));
    assert!(review.turning_points.is_empty(), "{:?}", review.turning_points);
    assert!(review.verdict.starts_with("Both sides"), "{}", review.verdict);
}

#[test]
fn a_review_can_be_stopped() {
    let (decided, end) = finished(&[]);
    assert!(players::review::<Foray>(&(), decided, &end, &|done, _| done < 3).is_none());
}

#[test]
fn reviews_do_not_depend_on_the_machine() {
    let script = [Action::Dare, Action::Grab];
    let told = |r: Review| serde_json::to_string(&r).unwrap();
    let here = told(review(&script));
    assert_eq!(players::in_background(|| told(review(&script))), here);
}
