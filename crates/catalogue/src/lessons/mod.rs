//! Lessons: a situation with pages, a task and answers. The manual's page on lessons describes the file.

mod condition;
mod exercise;
mod file;
mod judge;
mod names;
mod style;
mod tries;

use std::ops::Range;

use game::situation::Named;
use game::{Faults, Side};
use players::Player;

pub use condition::Condition;
pub use exercise::{Choice, Grading};
pub(crate) use exercise::{first_choice, grade};
pub(crate) use judge::judge;
pub use judge::{Standing, Tried, Verdict};
pub use tries::{LessonReport, TryReport};

use crate::Shelf;
use crate::lessons::names::Checked;

/// A lesson, every name in it looked up.
#[derive(Debug, Clone)]
pub struct Lesson {
    /// Its title.
    pub title: String,
    /// What is learnt, in a phrase.
    pub learns: String,
    /// How long it takes.
    pub minutes: u32,
    /// The learner's side.
    pub side: Side,
    /// Who plays the other.
    pub opponent: Player,
    /// What the dice are made from.
    pub seed: [u8; 32],
    /// What to do.
    pub task: String,
    /// Why the solution works.
    pub why: String,
    /// The rules it teaches.
    pub learnt: Vec<String>,
    /// A nudge, then nearly the answer.
    pub hints: Vec<String>,
    /// After how many decisions without a solution the lesson gives up.
    pub moves: Option<usize>,
    /// What it says.
    pub pages: Vec<Page>,
    /// What must come true.
    pub goals: Vec<Goal>,
    /// What is said to wrong tries.
    pub answers: Vec<Answer>,
    /// A choice that is graded.
    pub exercise: Option<Exercise>,
    /// Questions at the end.
    pub questions: Vec<Question>,
    /// How tests play it.
    pub tries: Vec<Try>,
}

impl Lesson {
    /// The actions that solve it.
    #[must_use]
    pub fn solution(&self) -> Vec<String> {
        let solution = self.tries.iter().find(|one| one.name == SOLUTION);
        solution.map_or_else(Vec::new, |one| one.play.iter().map(|act| act.name.clone()).collect())
    }
}

/// The name of the try that solves a lesson.
const SOLUTION: &str = "solution";

/// A page.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its text.
    pub says: String,
    /// What to look at.
    pub look: Vec<Look>,
}

/// Something to look at.
#[derive(Debug, Clone)]
pub struct Look {
    /// The number of its disc.
    pub n: Option<u32>,
    /// What it is.
    pub at: LookAt,
    /// A word or two beside it.
    pub label: Option<String>,
}

/// What a page points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookAt {
    /// A piece.
    Piece(String),
    /// A hex.
    Hex(String),
    /// A named place.
    Place(String),
    /// A point on a table, in thousandths of an inch.
    Point([i32; 2]),
    /// A part of the screen.
    Panel(ScreenPart),
}

/// A part of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenPart {
    /// The track of turns or hours.
    Turn,
    /// The phases of the turn.
    Phases,
    /// The decision at hand.
    Prompt,
    /// The log.
    Log,
    /// Victory points.
    Score,
    /// The odds.
    Odds,
    /// The selected unit.
    Unit,
    /// What is special to the system.
    Panels,
}

/// A condition of the task.
#[derive(Debug, Clone)]
pub struct Goal {
    /// In words.
    pub words: String,
    /// What must hold.
    pub condition: Condition,
}

/// What is said to a wrong try.
#[derive(Debug, Clone)]
pub struct Answer {
    /// When it fits.
    pub condition: Condition,
    /// The rule under which an action was refused.
    pub refused: Option<Named>,
    /// The action that was refused.
    pub tried: Option<Named>,
    /// The answer.
    pub says: String,
    /// The rule it rests on.
    pub rule: Option<Named>,
    /// Whether the try is taken back.
    pub undo: bool,
}

/// A choice that is graded by its odds.
#[derive(Debug, Clone)]
pub struct Exercise {
    /// The question.
    pub asks: String,
    /// What is measured, in words.
    pub measure: String,
    /// What the chance is of; points are compared without it.
    pub chance: Option<Condition>,
    /// How far behind the best is as good.
    pub within: f64,
    /// The offers that are compared; all if none is named.
    pub among: Vec<String>,
    /// Whether to look to the end of the affair.
    pub affair: bool,
}

/// A question at the end.
#[derive(Debug, Clone)]
pub struct Question {
    /// The question.
    pub asks: String,
    /// What may be answered.
    pub choices: Vec<String>,
    /// Which is right, from 0.
    pub right: usize,
    /// Why.
    pub why: String,
    /// The rule it rests on.
    pub rule: Option<Named>,
}

/// A way to play the lesson.
#[derive(Debug, Clone)]
pub struct Try {
    /// Where it stands in the file.
    pub span: Range<usize>,
    /// What it is called.
    pub name: String,
    /// The learner's actions.
    pub play: Vec<Named>,
    /// What must come of it.
    pub expect: Expect,
}

/// What must come of a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// It is solved after the last action.
    Solved,
    /// It is not, and this answer speaks, from 0.
    Answer(usize),
    /// It is not, and no answer speaks.
    Unsolved,
}

/// Whether the text is a lesson's.
#[must_use]
pub fn is_lesson(text: &str) -> bool {
    let found = game::read::document(text, |sheet| {
        sheet.leave();
        Some(file::KEYS.iter().any(|key| sheet.field(key).is_present()))
    });
    found.unwrap_or(false)
}

/// Reads a lesson and looks up what means the same in every position.
///
/// # Errors
/// Every fault of the file.
pub(crate) fn read<S: game::System>(
    text: &str,
    opening: &game::session::Opening<S>,
) -> Result<Lesson, Faults> {
    let written = file::parse(text)?;
    let Checked { lesson, faults } = names::check::<S>(written, opening);
    faults.or(|| lesson)
}

/// Reads a lesson and plays every try of it.
///
/// # Errors
/// Every fault of the file: what cannot be read, every name that means nothing, and texts that are too long.
pub(crate) fn play<S: game::System>(name: &str, text: &str) -> Result<LessonReport, Faults> {
    let (_, opening) = game::situation::opening::<S>(text, &Shelf, &game::Options::new())?;
    let lesson = read::<S>(text, &opening)?;
    tries::run::<S>(name, text, &opening, &lesson)
}
