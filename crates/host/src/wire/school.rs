//! Situations shown step by step, and lessons.

use game::Side;
#[cfg(feature = "declare")]
use game::{
    Entry,
    board::{Board, Prompt, View},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::descriptions::SideName;

/// `POST /api/v1/situations`: a situation is played and shown; nothing is kept.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskDemonstration {
    /// The text of the situation, at most 200 KiB.
    #[schema(max_length = 204800)]
    pub text: String,
}

/// A situation, played step by step with its own dice.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Demonstration {
    /// `battle-hymn`.
    pub system: String,
    /// What it shows, in one sentence.
    pub title: String,
    /// What a reader should know.
    pub note: Option<String>,
    /// The rules it proves.
    pub proves: Vec<String>,
    /// What is drawn once.
    #[schema(value_type = Object)]
    #[cfg_attr(feature = "declare", ts(as = "Board"))]
    pub board: serde_json::Value,
    /// The position before the first step.
    pub start: ShownPosition,
    /// The steps, up to the first that does not hold.
    pub steps: Vec<Shown>,
    /// What was played as a journal, to be imported whole or cut after any `moment`.
    pub journal: Option<String>,
}

/// A step of a situation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Shown {
    /// The line of the file it begins at, from 1.
    pub line: u32,
    /// What is played, in notation.
    pub play: Vec<String>,
    /// The step in a sentence.
    pub words: String,
    /// What a reader should know of it.
    pub note: Option<String>,
    /// Actions that are tried and refused before anything is played.
    pub asks: Vec<Asked>,
    /// Actions that are offered before anything is played, in notation.
    pub offered: Vec<String>,
    /// Actions that are not, in notation.
    pub not_offered: Vec<String>,
    /// The position after the step.
    pub position: ShownPosition,
    /// What must hold after it, each in words: `Meredith: hex is 0910`.
    pub expects: Vec<String>,
    /// How many decisions of the journal lead here: play can be taken over after them. None where play is stopped in
    /// the middle of what runs by itself.
    pub moment: Option<u64>,
    /// Whether everything holds.
    pub holds: bool,
    /// What does not, in words.
    pub failures: Vec<String>,
}

/// A position of a situation: everything lies open.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ShownPosition {
    /// What is drawn.
    #[schema(value_type = Object)]
    #[cfg_attr(feature = "declare", ts(as = "View"))]
    pub view: serde_json::Value,
    /// What has just happened, with its dice and modifiers.
    #[schema(value_type = Vec<Object>)]
    #[cfg_attr(feature = "declare", ts(as = "Vec<Entry>"))]
    pub entries: Vec<serde_json::Value>,
    /// What is decided next; none at the end, or where play is stopped.
    #[schema(value_type = Option<Object>)]
    #[cfg_attr(feature = "declare", ts(as = "Option<Prompt>"))]
    pub prompt: Option<serde_json::Value>,
    /// The phase or check that play is stopped before.
    pub stopped: Option<String>,
}

/// An action that is tried and refused.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Asked {
    /// In notation.
    pub action: String,
    /// What is not possible: `Not to 0910.`
    pub words: String,
    /// The rule it rests on.
    pub rule: Option<String>,
    /// Why not.
    pub why: String,
}

/// `POST /api/v1/games/{game}/lesson`: the lesson that a game is played in, as far as its learner has come.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskLesson {
    /// An action that was just tried and refused, in notation: `said` is then the lesson's answer to it.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(optional))]
    #[schema(max_length = 4000)]
    pub tried: Option<String>,
    /// Whether to tell the solution.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<bool>", optional))]
    pub solution: bool,
}

/// A lesson under way.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct LessonFace {
    /// Its title.
    pub title: String,
    /// What is learnt, in a phrase.
    pub learns: String,
    /// How long it takes.
    pub minutes: u32,
    /// The learner's side.
    #[schema(value_type = SideName)]
    pub side: Side,
    /// What it says, page by page.
    pub pages: Vec<LessonPage>,
    /// What to do.
    pub task: String,
    /// What must come true; empty for an exercise.
    pub goals: Vec<GoalFace>,
    /// A choice that is graded by its exact odds.
    pub exercise: Option<ExerciseFace>,
    /// Whether it is solved.
    pub solved: bool,
    /// The answer to what was done or tried last.
    pub said: Option<Said>,
    /// Hints, to be shown one after the other.
    pub hints: Vec<String>,
    /// Why the solution works, to be shown once it is found.
    pub why: String,
    /// The rules it teaches.
    pub learnt: Vec<String>,
    /// Actions that solve it from the start, in notation; only if asked for.
    pub solution: Vec<String>,
    /// Questions to think over at the end.
    pub questions: Vec<QuizFace>,
}

/// A page of a lesson.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct LessonPage {
    /// Text with `**bold**` words and rules in `[5.3.a]` brackets.
    pub says: String,
    /// What to look at.
    pub look: Vec<Look>,
}

/// Something that a page points at.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Look {
    /// The number that the text calls it by.
    pub n: Option<u32>,
    /// What it is.
    pub at: LookAt,
    /// A word or two beside it.
    pub label: Option<String>,
}

/// What a page points at.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum LookAt {
    /// A piece, by its slug.
    Piece(String),
    /// A hex, by its number.
    Hex(String),
    /// A named place: a hex or a piece of terrain.
    Place(String),
    /// A point on a table, in thousandths of an inch east and north.
    Point([i32; 2]),
    /// A part of the screen.
    Panel(ScreenPart),
}

/// A part of the screen that a lesson may point at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
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
    /// The system's own panels: cup, cards, army morale.
    Panels,
}

/// A condition of a task.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct GoalFace {
    /// In words.
    pub words: String,
    /// Whether it is met.
    pub met: bool,
}

/// The answer to what was done or tried last.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Said {
    /// How it was.
    pub kind: SaidKind,
    /// In words.
    pub words: String,
    /// The rule it rests on.
    pub rule: Option<String>,
    /// Whether the try is to be taken back at once.
    pub undo: bool,
}

/// How a try was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum SaidKind {
    /// It does not solve the task.
    Wrong,
    /// It does.
    Right,
    /// From here on nothing does: start over or take back.
    Stuck,
}

/// A choice that is graded by its exact odds.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ExerciseFace {
    /// The question.
    pub asks: String,
    /// What is measured, in words: `the chance that Archer is routed`.
    pub measure: String,
    /// Whether it is judged at the end of the engagement or charge; otherwise at the next decision.
    pub affair: bool,
    /// The choice made, once it is.
    pub graded: Option<Graded>,
}

/// A choice beside the best ones.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Graded {
    /// Whether it is as good as the best, or near enough.
    pub right: bool,
    /// The choice made.
    pub chosen: GradedChoice,
    /// The best choices, the best first: at most five.
    pub best: Vec<GradedChoice>,
    /// Whether every number is exact; otherwise some were sampled.
    pub exact: bool,
}

/// What a choice is worth.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct GradedChoice {
    /// The action in notation.
    pub action: String,
    /// In words.
    pub words: String,
    /// A chance from 0 to 1, or points.
    pub value: f64,
}

/// A question at the end of a lesson.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct QuizFace {
    /// The question.
    pub asks: String,
    /// What may be answered.
    pub choices: Vec<String>,
    /// Which of them is right, from 0.
    pub right: u32,
    /// Why.
    pub why: String,
    /// The rule it rests on.
    pub rule: Option<String>,
}
