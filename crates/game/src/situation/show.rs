//! A situation as a demonstration: what stands on the board after each step, what happened in it, and what was due.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::file::Step;
use super::stage::{At, Stage};
use super::{Fact, Opened};
use crate::faults::Faults;
use crate::session::{Moment, Opening};
use crate::{Entry, Eyes, Library, Now, Refusal, System};

/// A situation, played with its own dice.
#[derive(Debug)]
pub struct Demonstration<S: System> {
    /// Its title.
    pub title: String,
    /// What a reader should know.
    pub note: Option<String>,
    /// The rules it proves.
    pub proves: Vec<String>,
    /// Where a game of it begins.
    pub opening: Opening<S>,
    /// The position before the first step.
    pub start: Stand<S>,
    /// The steps, up to the first that does not hold.
    pub steps: Vec<Shown<S>>,
    /// Every position that somebody decided in and what led to it, the settled beginning first: what a [`Match`] can take
    /// over. Empty where play never came to a decision.
    ///
    /// [`Match`]: crate::session::Match
    pub moments: Vec<Moment<S>>,
}

/// A position of a demonstration.
#[derive(Debug)]
pub struct Stand<S: System> {
    /// The position.
    pub state: S::State,
    /// What has just happened.
    pub entries: Vec<Entry>,
    /// What play is stopped before.
    pub stopped: Option<&'static str>,
    /// Whether play has come to a decision or to the end.
    pub settled: bool,
}

/// A step of a demonstration.
#[derive(Debug)]
pub struct Shown<S: System> {
    /// Where it begins in the file, from 1.
    pub line: usize,
    /// What a reader should know.
    pub note: Option<String>,
    /// What is played, in notation.
    pub play: Vec<String>,
    /// The step in a sentence.
    pub words: String,
    /// What is tried and refused.
    pub asks: Vec<Asked>,
    /// What is offered, in notation.
    pub offered: Vec<String>,
    /// What is not.
    pub not_offered: Vec<String>,
    /// The position after it.
    pub stand: Stand<S>,
    /// What must hold after it, in words.
    pub expects: Vec<String>,
    /// How many decisions lead here, where play has come to one.
    pub moment: Option<usize>,
    /// What does not hold.
    pub failures: Vec<String>,
}

/// An action that is tried and refused.
#[derive(Debug, Clone)]
pub struct Asked {
    /// In notation.
    pub action: String,
    /// The engine's answer.
    pub refusal: Refusal,
}

/// The most steps that are shown: every one is a whole position.
const MOST: usize = 100;

/// Plays a situation and keeps what is to be seen of it.
///
/// # Errors
/// The faults of the file: what cannot be read, and every name that means nothing.
pub fn show<S: System>(source: &str, library: &dyn Library) -> Result<Demonstration<S>, Faults> {
    let Opened { situation, battle, start } = super::open::<S>(source, library)?;
    if situation.steps.len() > MOST {
        let mut faults = Faults::new();
        let message = format!("there are {} steps", situation.steps.len());
        faults.add(0..0, message, format!("at most {MOST}, so that they can be shown"));
        return Err(faults);
    }
    let mut stage = Stage::<S>::new(&battle, start.clone(), situation.otherwise);
    let names = Names::of::<S>(&battle, &start);
    let mut steps = Vec::new();
    for step in &situation.steps {
        let report = stage.run(step);
        let failed = !report.failures.is_empty() || !stage.faults.0.is_empty();
        steps.push(shown(&stage, step, report.failures, &names, &battle));
        if failed {
            break;
        }
    }
    let Stage { at, faults, tape, .. } = stage;
    let mut moments = tape.moments;
    if at != At::Decision {
        // What the last decision set off has not run to its end.
        moments.pop();
    }
    let held_back = situation.steps.first().is_some_and(|step| step.before.is_some() && step.play.is_empty());
    let beginning = match moments.first() {
        Some(beginning) if !held_back => Stand {
            state: beginning.state.clone(),
            entries: beginning.entries.clone(),
            stopped: None,
            settled: true,
        },
        _ => Stand { state: start.clone(), entries: Vec::new(), stopped: None, settled: false },
    };
    let opening = Opening { battle: Arc::new(battle), position: start };
    let proves = situation.proves.into_iter().map(|proved| proved.name).collect();
    let (title, note) = (situation.title, situation.note);
    faults.or(|| Demonstration { title, note, proves, opening, start: beginning, steps, moments })
}

fn shown<S: System>(
    stage: &Stage<'_, S>,
    step: &Step,
    failures: Vec<String>,
    names: &Names,
    battle: &S::Battle,
) -> Shown<S> {
    let stopped = match stage.at {
        At::Before(stop) => Some(stop),
        At::Start | At::Decision => None,
    };
    let settled = stage.at == At::Decision;
    let tape = &stage.tape;
    // What the beginning set off is shown with the beginning.
    let entries = tape.entries.get(tape.begun..).unwrap_or_default().to_vec();
    let play: Vec<String> = tape.played.iter().map(|(_, _, written)| written.clone()).collect();
    let told = tape
        .played
        .iter()
        .zip(&tape.positions)
        .map(|((_, action, _), state)| names.told::<S>(battle, state, action));
    let refusal =
        |(action, refusal): &(String, Refusal)| Asked { action: action.clone(), refusal: refusal.clone() };
    let texts = |all: &[super::Named]| all.iter().map(|named| named.name.clone()).collect();
    Shown {
        line: step.line,
        note: step.note.clone(),
        words: words(told.collect(), step, stopped),
        play,
        asks: tape.refusals.iter().map(refusal).collect(),
        offered: texts(&step.offered),
        not_offered: texts(&step.not_offered),
        expects: expects::<S>(step, names, battle),
        moment: settled.then(|| tape.moments.len() - 1),
        failures,
        stand: Stand { state: stage.state.clone(), entries, stopped, settled },
    }
}

/// The step in a sentence.
fn words(told: Vec<String>, step: &Step, stopped: Option<&str>) -> String {
    let mut words = match (told.is_empty(), step.refused.is_empty()) {
        (false, _) => told.join(". "),
        (true, false) => "What is not allowed here".to_owned(),
        (true, true) if step.goes_on() => "Play goes on by itself".to_owned(),
        (true, true) if step.offered.is_empty() && step.offers.is_empty() && step.not_offered.is_empty() => {
            "A look at the position".to_owned()
        }
        (true, true) => "What may be done here".to_owned(),
    };
    if let Some(stop) = stopped {
        words += &format!(", stopped before {}", stop.replace('-', " "));
    }
    words
}

/// What must hold after a step, in words.
fn expects<S: System>(step: &Step, names: &Names, battle: &S::Battle) -> Vec<String> {
    let facts = step.expect.iter().map(|(named, fact)| names.fact(&named.name, fact));
    let sides = S::board(battle).sides;
    let side = |id: &str| {
        let face = if sides.first.id == id { &sides.first } else { &sides.second };
        face.name.clone()
    };
    let decides = match (&step.decides, &step.then) {
        (Some(decides), Some(then)) => Some(format!("{} decides next: {}", side(&decides.name), then.name)),
        (Some(decides), None) => Some(format!("{} decides next", side(&decides.name))),
        (None, Some(then)) => Some(format!("The next decision: {}", then.name)),
        (None, None) => None,
    };
    let over = step.over.as_ref().map(|over| match over.name.as_str() {
        "draw" => "The game is drawn".to_owned(),
        winner => format!("{} has won", side(winner)),
    });
    facts.chain(decides).chain(over).collect()
}

/// The names of the pieces, by their ids in files and on the board.
struct Names {
    slugs: BTreeMap<String, String>,
    ids: BTreeMap<crate::PieceId, String>,
}

impl Names {
    fn of<S: System>(battle: &S::Battle, state: &S::State) -> Names {
        let pieces = S::view(battle, state, Eyes::All).pieces;
        let ids = pieces.iter().map(|piece| (piece.id, piece.name.clone())).collect();
        Names { slugs: pieces.into_iter().map(|piece| (piece.slug, piece.name)).collect(), ids }
    }

    /// A fact and its value: `Meredith: hex is 0910`.
    fn fact(&self, name: &str, fact: &Fact) -> String {
        let (subject, rest) = name.split_once('.').unwrap_or(("", name));
        let what = match self.slugs.get(subject) {
            Some(called) => format!("{called}: {}", plain(rest)),
            None => plain(name),
        };
        let is = match fact {
            Fact::Number(n) => n.to_string(),
            Fact::Truth(true) => "yes".to_owned(),
            Fact::Truth(false) => "no".to_owned(),
            Fact::Text(text) => self.called(text),
            Fact::Set(set) if set.is_empty() => "none".to_owned(),
            Fact::Set(set) => set.iter().map(|one| self.called(one)).collect::<Vec<_>>().join(", "),
        };
        format!("{what} is {is}")
    }

    fn called(&self, word: &str) -> String {
        self.slugs.get(word).cloned().unwrap_or_else(|| word.to_owned())
    }

    /// An action in words, with the piece that acts unless the words name it.
    fn told<S: System>(&self, battle: &S::Battle, state: &S::State, action: &S::Action) -> String {
        if let Now::Over(_) = S::now(battle, state) {
            return S::write(battle, action);
        }
        let offer = S::offer(battle, state, action);
        match offer.piece.and_then(|piece| self.ids.get(&piece)) {
            Some(name) if !offer.label.contains(name.as_str()) => format!("{name}: {}", offer.label),
            _ => offer.label,
        }
    }
}

/// A part of a fact's name as people read it.
fn plain(name: &str) -> String {
    name.replace(['_', '-', '.'], " ")
}
