//! School: situations as demonstrations, and lessons as their learners see them.

use catalogue::lessons::{self, Grading, Verdict};
use catalogue::{LessonStanding, ShownStep};
use serde::Serialize;
use serde_json::Value;

use crate::play::Play;
use crate::problem::Failure;
use crate::requests;
use crate::seats::Tokens;
use crate::wire::{
    AskLesson, Asked, Code, Demonstration, ExerciseFace, GoalFace, Graded, GradedChoice, LessonFace,
    LessonPage, Look, LookAt, QuizFace, Said, SaidKind, ScreenPart, Shown, ShownPosition,
};

/// A demonstration as it is sent.
///
/// # Errors
/// When a position cannot be written.
pub(crate) fn demonstration(shown: catalogue::Demonstration) -> Result<Demonstration, Failure> {
    let catalogue::Demonstration { system, title, note, proves, board, start, steps, journal } = shown;
    let steps = steps.into_iter().map(step).collect::<Result<_, _>>()?;
    let (board, start) = (written(&board)?, position(&start)?);
    Ok(Demonstration { system, title, note, proves, board, start, steps, journal })
}

fn step(step: ShownStep) -> Result<Shown, Failure> {
    let asked = |asked: game::situation::Asked| Asked {
        action: asked.action,
        words: asked.refusal.what,
        rule: asked.refusal.rule.map(|rule| rule.id().to_owned()),
        why: asked.refusal.why,
    };
    Ok(Shown {
        line: step.line as u32,
        play: step.play,
        words: step.words,
        note: step.note,
        asks: step.asks.into_iter().map(asked).collect(),
        offered: step.offered,
        not_offered: step.not_offered,
        position: position(&step.position)?,
        expects: step.expects,
        moment: step.moment,
        holds: step.failures.is_empty(),
        failures: step.failures,
    })
}

fn position(shown: &catalogue::ShownPosition) -> Result<ShownPosition, Failure> {
    Ok(ShownPosition {
        view: written(&shown.view)?,
        entries: shown.entries.iter().map(written).collect::<Result<_, _>>()?,
        prompt: shown.prompt.as_ref().map(written).transpose()?,
        stopped: shown.stopped.map(str::to_owned),
    })
}

fn written(value: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(value).map_err(|_| Failure::internal("a position cannot be written"))
}

impl Play {
    /// The lesson that this game is, as far as its learner has come.
    ///
    /// # Errors
    /// When it is none, or the asker does not sit in it.
    pub fn lesson(&self, tokens: &Tokens, ask: &AskLesson) -> Result<LessonFace, Failure> {
        tokens.seats(&self.seats)?.must_sit(self.decides())?;
        if let Some(tried) = &ask.tried {
            requests::action(tried)?;
        }
        let none = || Failure::new(Code::NoLesson, "This game is no lesson.");
        let LessonStanding { lesson, standing } = self.table.lesson(ask.tried.as_deref()).ok_or_else(none)?;
        let met = lesson.goals.iter().zip(&standing.goals);
        let exercise = lesson.exercise.as_ref().map(|exercise| ExerciseFace {
            asks: exercise.asks.clone(),
            measure: exercise.measure.clone(),
            affair: exercise.affair,
            graded: standing.grading.as_ref().map(graded),
        });
        Ok(LessonFace {
            title: lesson.title.clone(),
            learns: lesson.learns.clone(),
            minutes: lesson.minutes,
            side: lesson.side,
            pages: lesson.pages.iter().map(page).collect(),
            task: lesson.task.clone(),
            goals: met.map(|(goal, met)| GoalFace { words: goal.words.clone(), met: *met }).collect(),
            exercise,
            solved: standing.solved,
            said: said(&lesson, &standing),
            hints: lesson.hints.clone(),
            why: lesson.why.clone(),
            learnt: lesson.learnt.clone(),
            solution: if ask.solution { lesson.solution() } else { Vec::new() },
            questions: lesson.questions.iter().map(quiz).collect(),
        })
    }
}

fn said(lesson: &lessons::Lesson, standing: &lessons::Standing) -> Option<Said> {
    let plain = |kind, words: String| Said { kind, words, rule: None, undo: false };
    match standing.verdict {
        Verdict::Silent => None,
        Verdict::Solved => Some(plain(SaidKind::Right, lesson.why.clone())),
        Verdict::Answered(index) => lesson.answers.get(index).map(|answer| Said {
            kind: SaidKind::Wrong,
            words: answer.says.clone(),
            rule: answer.rule.as_ref().or(answer.refused.as_ref()).map(|rule| rule.name.clone()),
            undo: answer.undo,
        }),
        Verdict::Graded => standing.grading.as_ref().map(|grading| Said {
            kind: SaidKind::Wrong,
            words: beaten(grading, lesson.exercise.as_ref().is_some_and(|e| e.chance.is_some())),
            rule: None,
            undo: true,
        }),
        Verdict::Stuck => {
            Some(plain(SaidKind::Stuck, "This way does not solve it. Take back, or start over.".to_owned()))
        }
    }
}

/// A choice that is not the best, in numbers; the best is not named, so that it can be looked for.
fn beaten(grading: &Grading, chance: bool) -> String {
    let best = grading.best.first().map_or(grading.chosen.value, |best| best.value);
    let told = |value: f64| match chance {
        true => format!("{:.0} in 100", value * 100.0),
        false => format!("{value:.1} points"),
    };
    format!(
        "There is a better choice: this one is worth {}, the best {}.",
        told(grading.chosen.value),
        told(best)
    )
}

fn page(page: &lessons::Page) -> LessonPage {
    let look = |look: &lessons::Look| Look {
        n: look.n,
        at: match &look.at {
            lessons::LookAt::Piece(slug) => LookAt::Piece(slug.clone()),
            lessons::LookAt::Hex(hex) => LookAt::Hex(hex.clone()),
            lessons::LookAt::Place(place) => LookAt::Place(place.clone()),
            lessons::LookAt::Point(point) => LookAt::Point(*point),
            lessons::LookAt::Panel(part) => LookAt::Panel(screen_part(*part)),
        },
        label: look.label.clone(),
    };
    LessonPage { says: page.says.clone(), look: page.look.iter().map(look).collect() }
}

fn screen_part(part: lessons::ScreenPart) -> ScreenPart {
    match part {
        lessons::ScreenPart::Turn => ScreenPart::Turn,
        lessons::ScreenPart::Phases => ScreenPart::Phases,
        lessons::ScreenPart::Prompt => ScreenPart::Prompt,
        lessons::ScreenPart::Log => ScreenPart::Log,
        lessons::ScreenPart::Score => ScreenPart::Score,
        lessons::ScreenPart::Odds => ScreenPart::Odds,
        lessons::ScreenPart::Unit => ScreenPart::Unit,
        lessons::ScreenPart::Panels => ScreenPart::Panels,
    }
}

fn graded(grading: &Grading) -> Graded {
    let choice = |choice: &lessons::Choice| GradedChoice {
        action: choice.action.clone(),
        words: choice.words.clone(),
        value: choice.value,
    };
    Graded {
        right: grading.right,
        chosen: choice(&grading.chosen),
        best: grading.best.iter().map(choice).collect(),
        exact: grading.exact,
    }
}

fn quiz(question: &lessons::Question) -> QuizFace {
    QuizFace {
        asks: question.asks.clone(),
        choices: question.choices.clone(),
        right: question.right as u32,
        why: question.why.clone(),
        rule: question.rule.as_ref().map(|rule| rule.name.clone()),
    }
}
