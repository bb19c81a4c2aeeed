//! Choices graded by their exact odds.

use game::odds::{self, Budget, Horizon};
use game::session::{Match, Moment};
use game::{Side, System};

use super::condition::fits;
use super::{Exercise, Lesson};

/// How many of the best choices are told.
const SHOWN: usize = 5;
/// More offers than this are not compared: the first count.
const MOST: usize = 200;
/// A learner waits for the answer.
const BUDGET: Budget = Budget { positions: 4_000, ways: 30_000, beyond: 2_000, plays: 2_000 };

/// The choice that was made beside the best.
#[derive(Debug, Clone)]
pub struct Grading {
    /// Whether it is as good as the best, or near enough.
    pub right: bool,
    /// The choice made.
    pub chosen: Choice,
    /// The best, the best first.
    pub best: Vec<Choice>,
    /// Whether no number was sampled.
    pub exact: bool,
}

/// What a choice is worth.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The action in notation.
    pub action: String,
    /// In words.
    pub words: String,
    /// A chance from 0 to 1, or points.
    pub value: f64,
}

/// Grades the learner's first action; none while there is none, or the lesson is no exercise.
pub(crate) fn grade<S: System>(lesson: &Lesson, game: &Match<S>) -> Option<Grading> {
    let (exercise, battle, side) = (lesson.exercise.as_ref()?, game.battle(), lesson.side);
    let [before, made] = first_choice(lesson, game)?;
    let before = &before.state;
    let mut offers = Vec::new();
    S::offers(battle, before, &mut offers);
    let compared = |action: &S::Action| {
        let written = S::write(battle, action);
        exercise.among.is_empty() || exercise.among.iter().any(|pattern| fits(pattern, &written))
    };
    let mut exact = true;
    let mut worth = |action: &S::Action| {
        let (value, sampled) = worth::<S>(exercise, battle, before, action, side);
        exact &= !sampled;
        let words = S::offer(battle, before, action).label;
        Choice { action: S::write(battle, action), words, value }
    };
    let mut best: Vec<Choice> =
        offers.iter().filter(|action| compared(action)).take(MOST).map(&mut worth).collect();
    best.sort_by(|a, b| b.value.total_cmp(&a.value));
    let chosen = S::read(battle, before, &made.act).ok().map(|action| worth(&action))?;
    let top = best.first().map_or(chosen.value, |first| first.value);
    best.truncate(SHOWN);
    let right = chosen.value >= top - exercise.within - 1e-9;
    Some(Grading { right, chosen, best, exact })
}

/// The learner's first action, after the position it was taken in.
pub(crate) fn first_choice<'g, S: System>(lesson: &Lesson, game: &'g Match<S>) -> Option<[&'g Moment<S>; 2]> {
    let moments = game.moments();
    let made = moments.iter().position(|moment| moment.side == Some(lesson.side))?;
    Some([moments.get(made.checked_sub(1)?)?, &moments[made]])
}

/// The value of an action, and whether that is a sample's word.
fn worth<S: System>(
    exercise: &Exercise,
    battle: &S::Battle,
    state: &S::State,
    action: &S::Action,
    side: Side,
) -> (f64, bool) {
    let horizon = if exercise.affair { Horizon::Affair } else { Horizon::Decision };
    let odds = odds::of_action::<S>(battle, state, action, horizon, BUDGET);
    let value = |end: &S::State| match &exercise.chance {
        Some(condition) => f64::from(u8::from(condition.holds::<S>(battle, end, &[], 0))),
        None => {
            let score = S::score(battle, end);
            f64::from(score[side] - score[!side])
        }
    };
    let expected = odds.ends.iter().map(|(end, chance)| value(end) * share(chance)).sum();
    (expected, odds.sampled.is_some())
}

fn share(chance: &odds::Chance) -> f64 {
    use num_traits::ToPrimitive;
    chance.to_f64().unwrap_or(0.0)
}
