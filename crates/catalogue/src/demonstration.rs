//! Situations as demonstrations, whichever system they belong to.

use game::board::{Board, Prompt, View};
use game::journal::{self, DiceOf, Header};
use game::session::{Match, text_hash};
use game::situation::{self, Asked, Stand};
use game::{BySide, Entry, Eyes, Faults, Now, Options};

use crate::Shelf;

/// A situation, played with its own dice.
#[derive(Debug, Clone)]
pub struct Demonstration {
    /// `battle-hymn`.
    pub system: String,
    /// Its title.
    pub title: String,
    /// What a reader should know.
    pub note: Option<String>,
    /// The rules it proves.
    pub proves: Vec<String>,
    /// What is drawn once.
    pub board: Board,
    /// The position before the first step.
    pub start: ShownPosition,
    /// The steps, up to the first that does not hold.
    pub steps: Vec<ShownStep>,
    /// What was played, as a journal.
    pub journal: Option<String>,
}

/// A position of a demonstration.
#[derive(Debug, Clone)]
pub struct ShownPosition {
    /// What is drawn.
    pub view: View,
    /// What has just happened.
    pub entries: Vec<Entry>,
    /// What is decided next.
    pub prompt: Option<Prompt>,
    /// What play is stopped before.
    pub stopped: Option<&'static str>,
}

/// A step of a demonstration.
#[derive(Debug, Clone)]
pub struct ShownStep {
    /// Where it begins in the file, from 1.
    pub line: usize,
    /// What is played, in notation.
    pub play: Vec<String>,
    /// The step in a sentence.
    pub words: String,
    /// What a reader should know.
    pub note: Option<String>,
    /// What is tried and refused.
    pub asks: Vec<Asked>,
    /// What is offered.
    pub offered: Vec<String>,
    /// What is not.
    pub not_offered: Vec<String>,
    /// The position after it.
    pub position: ShownPosition,
    /// What must hold after it.
    pub expects: Vec<String>,
    /// How many decisions of the journal lead here.
    pub moment: Option<u64>,
    /// What does not hold.
    pub failures: Vec<String>,
}

impl Demonstration {
    /// Whether everything holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        !self.steps.is_empty() && self.steps.iter().all(|step| step.failures.is_empty())
    }

    pub(crate) fn of<S: game::System>(id: &str, text: &str) -> Result<Self, Faults> {
        let shown = situation::show::<S>(text, &Shelf)?;
        let situation::Demonstration { title, note, proves, opening, start, steps, moments } = shown;
        let battle = opening.battle.clone();
        let position = |stand: Stand<S>| drawn::<S>(&battle, stand);
        let steps: Vec<ShownStep> = steps
            .into_iter()
            .map(|step| ShownStep {
                line: step.line,
                play: step.play,
                words: step.words,
                note: step.note,
                asks: step.asks,
                offered: step.offered,
                not_offered: step.not_offered,
                position: position(step.stand),
                expects: step.expects,
                moment: step.moment.map(|moment| moment as u64),
                failures: step.failures,
            })
            .collect();
        let holds = steps.iter().all(|step| step.failures.is_empty());
        let start = position(start);
        let mut board = S::board(&battle);
        board.title.clone_from(&title);
        let journal = (holds && !moments.is_empty()).then(|| {
            let id = format!("{}/{id}", S::book().system);
            let game = Match::taken_over(opening, header::<S>(&id, text), moments);
            game.map(|game| game.journal()).ok()
        });
        let system = S::book().system.to_owned();
        Ok(Demonstration { system, title, note, proves, board, start, steps, journal: journal.flatten() })
    }
}

fn drawn<S: game::System>(battle: &S::Battle, stand: Stand<S>) -> ShownPosition {
    let decides = stand.settled && matches!(S::now(battle, &stand.state), Now::Decides(_));
    ShownPosition {
        view: S::view(battle, &stand.state, Eyes::All),
        entries: stand.entries,
        prompt: decides.then(|| S::prompt(battle, &stand.state)),
        stopped: stand.stopped,
    }
}

/// The dice stand as they are written; whoever takes the journal over brings new ones.
fn header<S: game::System>(id: &str, text: &str) -> Header {
    Header {
        linstock: journal::FORMAT,
        system: S::book().system.to_owned(),
        edition: S::edition().to_owned(),
        scenario: id.to_owned(),
        hash: text_hash(text),
        text: Some(text.to_owned()),
        options: Options::new(),
        seats: BySide::from_fn(|_| "as written".to_owned()),
        dice: DiceOf::Seed(journal::hex(&[0; 32])),
        rolls_back: false,
        taken_over: 0,
    }
}
