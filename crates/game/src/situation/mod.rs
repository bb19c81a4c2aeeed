//! Situations: a position, the dice to come, the actions to play, and what must then hold. The manual's page on
//! situations describes the file.

mod facts;
mod file;
mod names;
mod rolls;
mod show;
mod stage;

pub use facts::{Fact, Unknown};
pub use file::{Named, read_facts};
pub use names::{unknown_fact, unreadable};
pub use show::{Asked, Demonstration, Shown, Stand, show};

use std::sync::Arc;

use file::Situation;
use stage::Stage;

use crate::dice::ScriptedDice;
use crate::faults::Faults;
use crate::session::Opening;
use crate::{AnyFx, Library, Options, System, read};

/// The keys of a situation or lesson file that do not belong to the scenario written in the same file.
pub const KEYS: &[&str] = &[
    "system",
    "title",
    "proves",
    "note",
    "scenario",
    "options",
    "position",
    "otherwise",
    "step",
    "lesson",
    "page",
    "goal",
    "answer",
    "exercise",
    "question",
    "try",
];

/// What came of a situation: every step up to the first that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Its title.
    pub title: String,
    /// The rules it proves if it held.
    pub proves: Vec<String>,
    /// What happened at each step that was tried.
    pub steps: Vec<StepReport>,
    /// How many steps were not tried, because an earlier one failed.
    pub untried: usize,
}

impl Report {
    /// Whether everything held.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.steps.iter().all(|s| s.failures.is_empty())
    }

    /// In lines: the whole story of a situation that holds; of another the step that failed.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let held = if self.holds() { 0 } else { self.steps.len() - 1 };
        match held {
            0 => {}
            1 => lines.push("step 1 holds".to_owned()),
            n => lines.push(format!("steps 1 to {n} hold")),
        }
        for (index, step) in self.steps.iter().enumerate().skip(held) {
            lines.push(format!("step {} (line {})", index + 1, step.line));
            lines.extend(step.story.iter().map(|line| format!("  {line}")));
            lines.extend(step.at_hand.iter().map(|line| format!("  At this point {line}")));
            lines.extend(
                step.failures.iter().map(|line| format!("  FAILS: {}", line.replace('\n', "\n    "))),
            );
        }
        if self.untried > 0 {
            lines.push(format!("{} not tried", crate::words::counted(self.untried as i64, "later step")));
        }
        lines
    }
}

/// What came of one step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StepReport {
    /// Where the step begins in the file, from 1.
    pub line: usize,
    /// What was played and what happened.
    pub story: Vec<String>,
    /// The decision at hand where it failed, in words.
    pub at_hand: Option<String>,
    /// What did not hold. A failure may have several lines.
    pub failures: Vec<String>,
}

/// A situation that can be played.
struct Opened<S: System> {
    situation: Situation,
    battle: S::Battle,
    start: S::State,
}

/// Reads a situation, its battle and its position, and looks up the names in it.
fn open<S: System>(source: &str, library: &dyn Library) -> Result<Opened<S>, Faults> {
    let opened = set_up::<S>(source, library, &Options::new())?;
    let faults = names::check::<S>(&opened.battle, &opened.situation);
    faults.or(|| opened)
}

/// Reads a situation, its battle and its position. `given` overrides the file's house rules.
fn set_up<S: System>(source: &str, library: &dyn Library, given: &Options) -> Result<Opened<S>, Faults> {
    let situation = file::parse(source)?;
    let mut options = situation.options.clone();
    options.extend(given.clone());
    let battle = match &situation.scenario {
        None => S::compile(source, library, &options)?,
        Some(named) => S::compile(&scenario::<S>(named, library)?, library, &options)?,
    };
    let start = match situation.positioned {
        true => S::position(&battle, source)?,
        false => S::muster(&battle),
    };
    Ok(Opened { situation, battle, start })
}

/// The title of a situation or lesson, and where a game of it begins. `given` overrides the file's house rules.
///
/// # Errors
/// The faults of the file or of the scenario it names.
pub fn opening<S: System>(
    source: &str,
    library: &dyn Library,
    given: &Options,
) -> Result<(String, Opening<S>), Faults> {
    let Opened { situation, battle, start } = set_up::<S>(source, library, given)?;
    let Situation { title, .. } = situation;
    Ok((title, Opening { battle: Arc::new(battle), position: start }))
}

/// Runs a situation up to the first step that fails.
///
/// # Errors
/// The faults of the file: what cannot be read, and every name that means nothing.
pub fn run<S: System>(source: &str, library: &dyn Library) -> Result<Report, Faults> {
    let Opened { situation, battle, start } = open::<S>(source, library)?;
    let proves = situation.proves.iter().map(|proved| proved.name.clone()).collect();
    let mut report = Report { title: situation.title.clone(), proves, steps: Vec::new(), untried: 0 };
    let mut stage = Stage::<S>::new(&battle, start, situation.otherwise);
    let mut steps = situation.steps.iter();
    for step in steps.by_ref() {
        let came = stage.run(step);
        let failed = !came.failures.is_empty() || !stage.faults.0.is_empty();
        report.steps.push(came);
        if failed {
            break;
        }
    }
    let Stage { state, mut faults, .. } = stage;
    for step in steps {
        report.untried += 1;
        names::later_facts::<S>(&battle, &state, &step.expect, &mut faults);
    }
    if situation.steps.is_empty() {
        let failures = vec!["the situation has no step, so it shows nothing".to_owned()];
        report.steps.push(StepReport { line: 1, failures, ..StepReport::default() });
    }
    faults.or(|| report)
}

/// Reads a situation and looks up every name in it. It is played, because notation and facts have a meaning only in their
/// position, but whether it holds is not asked.
///
/// # Errors
/// The faults of the file or of the scenario it names.
pub fn check<S: System>(source: &str, library: &dyn Library) -> Result<(), Faults> {
    run::<S>(source, library).map(drop)
}

/// The decision a situation asks about: the action of its last step that plays one, the earlier steps being played
/// with their dice.
#[derive(Debug)]
pub struct Question<S: System> {
    /// The battle.
    pub battle: S::Battle,
    /// The position before the action.
    pub state: S::State,
    /// The action.
    pub action: S::Action,
}

/// Plays a situation up to the last action it names.
///
/// # Errors
/// The faults of the file, or what keeps it from getting there.
pub fn question<S: System>(source: &str, library: &dyn Library) -> Result<Question<S>, Faults> {
    let Opened { situation, battle, start } = open::<S>(source, library)?;
    let stuck = |what: String| {
        let mut faults = Faults::new();
        let place = source.rfind("[[step]]").map_or(0..0, |at| at..at + 8);
        faults.add(place, what, "a step that plays an action");
        faults
    };
    let last = situation.steps.iter().rposition(|step| !step.play.is_empty());
    let last = last.ok_or_else(|| stuck("no step plays an action, so there is nothing to weigh".into()))?;
    let mut stage = Stage::<S>::new(&battle, start, situation.otherwise);
    for step in &situation.steps[..last] {
        stage.run(step);
    }
    let mut state = stage.state;
    let mut dice = ScriptedDice::new(situation.steps[last].dice.clone());
    S::settle(&battle, &mut state, &mut AnyFx::silent(&mut dice));
    let action = S::read(&battle, &state, &situation.steps[last].play[0].name).map_err(stuck)?;
    S::check(&battle, &state, &action).map_err(|r| stuck(format!("{} {}", r.what, r.why)))?;
    Ok(Question { battle, state, action })
}

/// The text of the scenario that a situation names.
fn scenario<S: System>(named: &Named, library: &dyn Library) -> Result<String, Faults> {
    let Named { span, name: id } = named;
    let fault = |message: String, expected: String| {
        let mut faults = Faults::new();
        faults.add(span.clone(), message, expected);
        faults
    };
    let Some(text) = library.scenario(id) else {
        let expected = "a scenario that `linstock list` names";
        return Err(fault(format!("there is no scenario `{id}`"), expected.to_owned()));
    };
    let system = read::document(&text, |sheet| {
        sheet.leave();
        sheet.field("system").required().text()
    })?;
    match system == S::book().system {
        true => Ok(text),
        false => Err(fault(
            format!("the scenario `{id}` belongs to {system}"),
            format!("a scenario of {}, or system = \"{system}\"", S::book().system),
        )),
    }
}
