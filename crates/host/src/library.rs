//! The systems and scenarios a server offers.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use catalogue::{NewDice, OpenError, Scenario, System};
use game::board::{Piece, View};
use game::faults::{Fault, Faults, line_and_column, printable};
use game::session::Throw;
use game::{BySide, Eyes, Options, Side};
use players::Level;

use crate::problem::Failure;
use crate::school;
use crate::wire::{
    ChapterFace, Code, Demonstration, LevelFace, Preview, RuleFace, ScenarioFace, SystemFace, TextFault,
};

/// Where systems and scenarios come from; tests bring their own.
pub trait Books: Debug + Send + Sync {
    /// The systems.
    fn systems(&self) -> Vec<&'static dyn System>;
    /// The ids of the scenarios.
    fn scenario_ids(&self) -> Vec<String>;
    /// The chapters of a system's book: the first part of its rules' numbers, and what each is about.
    fn chapters(&self, _system: &str) -> Vec<(String, String)> {
        Vec::new()
    }
    /// Opens a scenario.
    ///
    /// # Errors
    /// When there is none of that id, or it has faults.
    fn open(&self, id: &str, options: &Options) -> Result<Arc<dyn Scenario>, OpenError>;
    /// Opens a scenario from its text.
    ///
    /// # Errors
    /// When it has faults.
    fn open_text(&self, id: &str, text: &str, options: &Options) -> Result<Arc<dyn Scenario>, OpenError>;
    /// Plays a situation and keeps what is to be seen of it.
    ///
    /// # Errors
    /// When it has faults.
    fn demonstrate(&self, text: &str) -> Result<catalogue::Demonstration, OpenError> {
        catalogue::demonstrate("situation", text)
    }
}

/// What comes with the program.
#[derive(Debug, Clone, Copy, Default)]
pub struct Standard;

impl Books for Standard {
    fn systems(&self) -> Vec<&'static dyn System> {
        catalogue::systems().to_vec()
    }
    fn scenario_ids(&self) -> Vec<String> {
        catalogue::scenario_ids()
    }
    fn chapters(&self, system: &str) -> Vec<(String, String)> {
        catalogue::chapters(system)
    }
    fn open(&self, id: &str, options: &Options) -> Result<Arc<dyn Scenario>, OpenError> {
        catalogue::open(id, options)
    }
    fn open_text(&self, id: &str, text: &str, options: &Options) -> Result<Arc<dyn Scenario>, OpenError> {
        catalogue::open_text(id, text, options)
    }
}

/// A compiled scenario with what the board draws once, ready to be sent. Shared by all its games.
#[derive(Debug)]
pub struct Volume {
    pub scenario: Arc<dyn Scenario>,
    pub face: ScenarioFace,
    board: OnceLock<(Arc<[u8]>, String)>,
}

impl Volume {
    fn new(scenario: Arc<dyn Scenario>) -> Self {
        let face = scenario_face(scenario.as_ref());
        Volume { scenario, face, board: OnceLock::new() }
    }

    /// The scenario before anybody plays it.
    ///
    /// # Errors
    /// When it does not muster.
    pub fn preview(&self) -> Result<Preview, Failure> {
        let view = opening(self.scenario.as_ref());
        let view = view.ok_or_else(|| Failure::internal("a scenario does not muster"))?;
        Ok(Preview { scenario: self.face.clone(), board: self.scenario.board(), view })
    }

    /// The board in JSON, and a tag of its content.
    pub fn board(&self) -> (Arc<[u8]>, String) {
        let write = || {
            let json = serde_json::to_string(&self.scenario.board()).unwrap_or_default();
            let tag = format!("\"{}\"", &game::session::text_hash(&json)[..16]);
            (json.into_bytes().into(), tag)
        };
        self.board.get_or_init(write).clone()
    }
}

type Key = (String, Option<String>, Options);

/// Where a scenario stands once it is open. Whoever comes while it is being opened waits here, and opens nothing twice.
type Slot = Arc<Mutex<Weak<Volume>>>;

/// The library, with scenarios kept as long as a game uses them.
#[derive(Debug)]
pub struct Library {
    books: Arc<dyn Books>,
    open: Mutex<HashMap<Key, Slot>>,
    shelf: OnceLock<Vec<Arc<Volume>>>,
}

impl Library {
    pub fn new(books: Arc<dyn Books>) -> Self {
        Library { books, open: Mutex::default(), shelf: OnceLock::new() }
    }

    pub fn systems(&self) -> Vec<SystemFace> {
        let face = |system: &&'static dyn System| SystemFace {
            id: system.book().system.to_owned(),
            title: system.book().title.to_owned(),
            levels: levels(),
            chapters: self.chapters(system.book().system),
        };
        self.books.systems().iter().map(face).collect()
    }

    fn chapters(&self, system: &str) -> Vec<ChapterFace> {
        self.books.chapters(system).into_iter().map(|(key, name)| ChapterFace { key, name }).collect()
    }

    /// Each system with its edition.
    pub fn editions(&self) -> Vec<(&'static str, &'static str)> {
        self.books.systems().iter().map(|system| (system.book().system, system.edition())).collect()
    }

    fn system(&self, id: &str) -> Result<&'static dyn System, Failure> {
        let unknown = || Failure::new(Code::NoSuchSystem, format!("There is no system `{id}`."));
        self.books.systems().into_iter().find(|s| s.book().system == id).ok_or_else(unknown)
    }

    pub fn rules(&self, system: &str) -> Result<Vec<RuleFace>, Failure> {
        Ok(self.system(system)?.book().rules.iter().map(rule_face).collect())
    }

    pub fn rule(&self, system: &str, id: &str) -> Result<RuleFace, Failure> {
        let unknown = || Failure::new(Code::NoSuchRule, format!("`{system}` has no rule `{id}`."));
        self.system(system)?.book().find(id).map(rule_face).ok_or_else(unknown)
    }

    /// Every scenario that can be opened. Compiled once; slow the first time.
    pub fn scenarios(&self) -> Vec<ScenarioFace> {
        let shelf = self.shelf.get_or_init(|| {
            let open = |id: &String| match self.volume(id, None, &Options::new()) {
                Ok(volume) => Some(volume),
                Err(problem) => {
                    tracing::warn!(scenario = %id, problem = %problem.0.message, "a scenario of the library cannot be opened");
                    None
                }
            };
            self.books.scenario_ids().iter().filter_map(open).collect()
        });
        shelf.iter().map(|v| v.face.clone()).collect()
    }

    /// A scenario of the library before anybody plays it.
    pub fn preview(&self, id: &str) -> Result<Preview, Failure> {
        self.volume(id, None, &Options::new())?.preview()
    }

    /// Plays a situation and shows it step by step.
    pub fn demonstrate(&self, text: &str) -> Result<Demonstration, Failure> {
        school::demonstration(self.books.demonstrate(text).map_err(|error| not_opened(error, Some(text)))?)
    }

    /// A scenario from its text, if a game uses it already.
    pub fn open_already(&self, id: &str, text: &str, options: &Options) -> Option<Arc<Volume>> {
        let key = (id.to_owned(), Some(game::session::text_hash(text)), options.clone());
        let slot = locked(&self.open).get(&key)?.clone();
        slot.try_lock().ok()?.upgrade()
    }

    /// Opens a scenario of the library, or one from its text.
    pub fn volume(&self, id: &str, text: Option<&str>, options: &Options) -> Result<Arc<Volume>, Failure> {
        let key = (id.to_owned(), text.map(game::session::text_hash), options.clone());
        let slot = {
            let mut open = locked(&self.open);
            // The map's own count is one: nobody opens it, and no game uses it.
            open.retain(|_, slot| Arc::strong_count(slot) > 1 || locked(slot).strong_count() > 0);
            open.entry(key).or_default().clone()
        };
        let mut slot = locked(&slot);
        if let Some(volume) = slot.upgrade() {
            return Ok(volume);
        }
        let opened = match text {
            None => self.books.open(id, options),
            Some(text) => self.books.open_text(id, text, options),
        };
        let scenario = opened.map_err(|error| not_opened(error, text))?;
        let volume = Arc::new(Volume::new(scenario));
        *slot = Arc::downgrade(&volume);
        Ok(volume)
    }
}

fn not_opened(error: OpenError, text: Option<&str>) -> Failure {
    match error {
        OpenError::Unknown(id) => Failure::new(Code::NoSuchScenario, format!("There is no scenario `{id}`.")),
        OpenError::System(message) => Failure::faulty(message, Vec::new()),
        OpenError::Faults { report, faults } => {
            Failure::faulty(report, text.map_or_else(Vec::new, |text| text_faults(&faults, text)))
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn rule_face(rule: &game::RuleText) -> RuleFace {
    RuleFace { id: rule.id.id().to_owned(), name: rule.name.to_owned(), says: rule.says.to_owned() }
}

/// The opening position as a bystander sees it.
fn opening(scenario: &dyn Scenario) -> Option<View> {
    let nobody = BySide::from_fn(|_| String::new());
    let table = scenario.start(nobody, NewDice::Seed([0; 32]), &Throw::default()).ok()?;
    table.view(Eyes::Bystander, None)
}

/// A typical unit of each side: the first that lies open, infantry before all others.
fn sign(scenario: &dyn Scenario) -> Vec<Piece> {
    let pieces = opening(scenario).map_or_else(Vec::new, |view| view.pieces);
    let typical = |side: Side| {
        let open = || pieces.iter().filter(move |piece| piece.side == side && !piece.hidden);
        open().find(|piece| piece.arm == "infantry").or_else(|| open().next()).cloned()
    };
    Side::BOTH.into_iter().filter_map(typical).collect()
}

/// Faults at their lines and columns.
#[must_use]
pub fn text_faults(faults: &Faults, text: &str) -> Vec<TextFault> {
    let place = |fault: &Fault| {
        let (line, column) = line_and_column(text, fault.span.start);
        let covered = text.get(fault.span.clone()).unwrap_or("");
        let width = covered.lines().next().map_or(0, |first| first.chars().count()).max(1);
        TextFault {
            line: line as u32,
            column: column as u32,
            width: width as u32,
            message: printable(&fault.message),
            expected: printable(&fault.expected),
        }
    };
    faults.0.iter().map(place).collect()
}

fn scenario_face(scenario: &dyn Scenario) -> ScenarioFace {
    let info = scenario.info();
    ScenarioFace {
        id: info.id,
        system: info.system,
        title: info.title,
        subtitle: info.subtitle,
        blurb: info.blurb,
        sides: info.sides,
        units: info.units as u32,
        turns: info.turns as u32,
        options: scenario.board().options,
        sign: sign(scenario),
    }
}

fn levels() -> Vec<LevelFace> {
    let level = |level: Level| LevelFace {
        id: level.id().to_owned(),
        name: level.name().to_owned(),
        says: level.says().to_owned(),
    };
    Level::ALL.into_iter().map(level).collect()
}
