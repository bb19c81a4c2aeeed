//! How far a learner has come.

use game::session::{Match, Moment};
use game::{Now, Refusal, Side, System};

use super::Lesson;
use super::condition::fits;
use super::exercise::Grading;

/// How far a learner has come.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Goal by goal, whether it is met.
    pub goals: Vec<bool>,
    /// Whether the lesson is solved.
    pub solved: bool,
    /// What is said to what was done or tried last.
    pub verdict: Verdict,
    /// The choice of an exercise, once it is made.
    pub grading: Option<Grading>,
}

/// What is said to what was done or tried last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing.
    Silent,
    /// The lesson's answer of this number, from 0.
    Answered(usize),
    /// It is solved.
    Solved,
    /// An exercise was answered, and not well.
    Graded,
    /// From here on nothing solves it.
    Stuck,
}

/// In how many positions after the learner's first action a solution is looked for; a lesson is short.
const JUDGED: usize = 200;

/// What was tried and refused.
pub type Tried<'a> = (&'a str, &'a Refusal);

/// Judges a game by its positions since the beginning. The lesson is solved at the first at which every goal is met; an
/// exercise by how its choice was graded.
pub(crate) fn judge<S: System>(
    lesson: &Lesson,
    game: &Match<S>,
    tried: Option<Tried<'_>>,
    grading: Option<Grading>,
) -> Standing {
    let (battle, moments) = (game.battle(), game.moments());
    let acts = acts(moments, lesson.side);
    let met = |index: usize| -> Vec<bool> {
        let before = &acts[..acts.partition_point(|(at, _)| *at <= index)];
        let acts: Vec<&str> = before.iter().map(|(_, act)| *act).collect();
        lesson
            .goals
            .iter()
            .map(|goal| goal.condition.holds::<S>(battle, &moments[index].state, &acts, acts.len()))
            .collect()
    };
    let solved = match &grading {
        Some(grading) => grading.right,
        None => {
            let first = acts.first().map_or(moments.len(), |(at, _)| *at);
            let last = moments.len().min(first.saturating_add(JUDGED));
            !lesson.goals.is_empty() && (first..last).any(|index| met(index).iter().all(|m| *m))
        }
    };
    let goals = if solved { vec![true; lesson.goals.len()] } else { met(moments.len() - 1) };
    let state = game.state();
    let all: Vec<&str> = acts.iter().map(|(_, act)| *act).collect();
    let verdict = match tried {
        Some((action, refusal)) => {
            let speaks = |answer: &super::Answer| {
                let rule = refusal.rule.map(|rule| rule.id());
                (answer.refused.is_some() || answer.tried.is_some())
                    && answer.refused.as_ref().is_none_or(|named| Some(named.name.as_str()) == rule)
                    && answer.tried.as_ref().is_none_or(|named| fits(&named.name, action))
                    && answer.condition.holds::<S>(battle, state, &all, all.len())
            };
            lesson.answers.iter().position(speaks).map_or(Verdict::Silent, Verdict::Answered)
        }
        None if solved => Verdict::Solved,
        None if acts.is_empty() => Verdict::Silent,
        None => {
            let speaks = |answer: &super::Answer| {
                answer.refused.is_none()
                    && answer.tried.is_none()
                    && answer.condition.holds::<S>(battle, state, &all, 1)
            };
            let over =
                matches!(game.now(), Now::Over(_)) || lesson.moves.is_some_and(|most| acts.len() >= most);
            match lesson.answers.iter().position(speaks) {
                Some(index) => Verdict::Answered(index),
                None if grading.is_some() => Verdict::Graded,
                None if over => Verdict::Stuck,
                None => Verdict::Silent,
            }
        }
    };
    Standing { goals, solved, verdict, grading }
}

/// The learner's actions, each with the moment it led to.
fn acts<S: System>(moments: &[Moment<S>], side: Side) -> Vec<(usize, &str)> {
    let own = moments.iter().enumerate().filter(|(_, moment)| moment.side == Some(side));
    own.map(|(index, moment)| (index, moment.act.as_str())).collect()
}
