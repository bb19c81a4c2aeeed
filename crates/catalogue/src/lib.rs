//! The systems behind one type-erased interface, and the library of scenarios. Whoever stands on this crate (server,
//! program) knows no system; adding one touches its own crate, its scenarios and one line of [`systems`].

mod demonstration;
mod erased;
pub mod lessons;
mod library;
#[cfg(feature = "laboratory")]
mod position;
mod table;
mod walk;

use std::sync::Arc;

use game::board::SideFace;
use game::odds::Horizon;
use game::situation::Report;
use game::{BySide, Faults, Options, read};
use serde::Serialize;

pub use demonstration::{Demonstration, ShownPosition, ShownStep};
pub use erased::{Analysed, NewDice, Scenario, System, Weighed};
pub use library::Shelf;
#[cfg(feature = "laboratory")]
pub use position::{ACTION_FIELDS, Encoding, GLOBAL_FIELDS, PIECE_FIELDS, Position};
pub use table::{Analyst, LessonStanding, Reviewer, Scene, Table, Thinker, Weigher};
pub use walk::Walked;

/// Every system, in the order the home screen shows them.
#[must_use]
pub fn systems() -> &'static [&'static dyn System] {
    const ALL: &[&dyn System] = &[
        #[cfg(feature = "battle-hymn")]
        &erased::Of::<battle_hymn::BattleHymn>::NEW,
        #[cfg(feature = "brigade-battles")]
        &erased::Of::<brigade_battles::BrigadeBattles>::NEW,
        #[cfg(feature = "american-revolution")]
        &erased::Of::<american_revolution::AmericanRevolution>::NEW,
        #[cfg(feature = "hallowed-ground")]
        &erased::Of::<hallowed_ground::HallowedGround>::NEW,
        #[cfg(feature = "fields-of-honor")]
        &erased::Of::<fields_of_honor::FieldsOfHonor>::NEW,
        #[cfg(feature = "example")]
        &erased::Of::<skirmish::Skirmish>::NEW,
    ];
    ALL
}

/// A system behind the interface, for tests with a system of their own.
#[must_use]
pub fn erase<S: game::System>() -> &'static dyn System {
    const { &erased::Of::<S>::NEW }
}

/// The system of that id.
#[must_use]
pub fn system(id: &str) -> Option<&'static dyn System> {
    systems().iter().copied().find(|s| s.book().system == id)
}

/// What a list says of a scenario.
#[derive(Debug, Clone, Serialize)]
pub struct ScenarioInfo {
    /// `battle-hymn/mcphersons-ridge`.
    pub id: String,
    /// `battle-hymn`.
    pub system: String,
    /// `Battle Hymn`.
    pub system_title: String,
    /// `McPherson's Ridge`.
    pub title: String,
    /// When and where.
    pub subtitle: String,
    /// Two or three sentences.
    pub blurb: String,
    /// The two sides.
    pub sides: BySide<SideFace>,
    /// How many units fight.
    pub units: usize,
    /// How many hours or turns it lasts at the most.
    pub turns: usize,
}

/// Why a scenario cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The library does not have it.
    #[error("there is no scenario `{0}`; `linstock list` names them all")]
    Unknown(String),
    /// Its file names no system, or one that is not here.
    #[error("{0}")]
    System(String),
    /// Its text has faults.
    #[error("the scenario has faults:\n{report}")]
    Faults {
        /// The faults with their places.
        report: String,
        /// The faults themselves.
        faults: Faults,
    },
}

/// The scenarios of the library.
#[must_use]
pub fn scenarios() -> Vec<ScenarioInfo> {
    library::scenario_ids().iter().filter_map(|id| open(id, &Options::new()).ok()).map(|s| s.info()).collect()
}

/// The ids of the scenarios of the library, whether or not they can be opened; a system's first is for newcomers.
#[must_use]
pub fn scenario_ids() -> Vec<String> {
    library::scenario_ids()
}

/// The chapters of a system's book in its order: the first part of the rules' numbers, and what they are about.
#[must_use]
pub fn chapters(system: &str) -> Vec<(String, String)> {
    library::chapters(system)
}

/// Opens a scenario of the library: `battle-hymn/mcphersons-ridge`.
///
/// # Errors
/// When there is none, or it has faults.
pub fn open(id: &str, options: &Options) -> Result<Arc<dyn Scenario>, OpenError> {
    let text = game::Library::scenario(&Shelf, id).ok_or_else(|| OpenError::Unknown(id.to_owned()))?;
    open_text(id, &text, options)
}

/// Opens a scenario from its text. `name` is shown in faults and kept as its id.
///
/// # Errors
/// When its system is unknown, or it has faults.
pub fn open_text(name: &str, text: &str, options: &Options) -> Result<Arc<dyn Scenario>, OpenError> {
    system_of(name, text)?
        .compile(name, text, options)
        .map_err(|faults| OpenError::Faults { report: faults.report(name, text), faults })
}

/// Plays a situation and keeps what is to be seen of it. `name` becomes the scenario of its journal.
///
/// # Errors
/// When its system is unknown, or it has faults.
pub fn demonstrate(name: &str, text: &str) -> Result<Demonstration, OpenError> {
    system_of(name, text)?
        .demonstrate(name, text)
        .map_err(|faults| OpenError::Faults { report: faults.report(name, text), faults })
}

/// Reads a lesson and plays every try of it.
///
/// # Errors
/// When its system is unknown, or it has faults.
pub fn try_lesson(name: &str, text: &str) -> Result<lessons::LessonReport, OpenError> {
    system_of(name, text)?
        .try_lesson(name, text)
        .map_err(|faults| OpenError::Faults { report: faults.report(name, text), faults })
}

/// Runs a situation from its text.
///
/// # Errors
/// When its system is unknown, or it has faults.
pub fn try_situation(name: &str, text: &str) -> Result<Report, OpenError> {
    system_of(name, text)?
        .try_situation(text)
        .map_err(|faults| OpenError::Faults { report: faults.report(name, text), faults })
}

/// Reads a situation and its battle without playing it.
///
/// # Errors
/// When its system is unknown, or it has faults.
pub fn check_situation(name: &str, text: &str) -> Result<(), OpenError> {
    system_of(name, text)?
        .check_situation(text)
        .map_err(|faults| OpenError::Faults { report: faults.report(name, text), faults })
}

/// The odds of the last action a situation plays, after the steps before it.
///
/// # Errors
/// When its system is unknown, or it has faults.
pub fn odds(name: &str, text: &str, horizon: Horizon) -> Result<Weighed, OpenError> {
    system_of(name, text)?
        .odds(text, horizon)
        .map_err(|faults| OpenError::Faults { report: faults.report(name, text), faults })
}

/// The best choices where a situation plays its last action.
///
/// # Errors
/// When its system is unknown, or it has faults.
pub fn analyse(name: &str, text: &str, general: players::General) -> Result<Analysed, OpenError> {
    system_of(name, text)?
        .analyse(text, general)
        .map_err(|faults| OpenError::Faults { report: faults.report(name, text), faults })
}

/// Where a rule is proved: situations and tests by name, as `cargo xtask rules --write` recorded them.
#[must_use]
pub fn proofs(system: &str, id: &str) -> Vec<String> {
    let Some(recorded) = library::proofs(system) else { return Vec::new() };
    recorded
        .lines()
        .filter_map(|l| l.split_once('\t'))
        .filter_map(|(rule, by)| match rule.strip_prefix(id)?.split_once('/') {
            None if rule == id => Some(by.to_owned()),
            Some(("", clause)) => Some(format!("{by} (clause {clause})")),
            _ => None,
        })
        .collect()
}

/// Reads `system = "..."` at the head of a scenario or situation.
fn system_of(name: &str, text: &str) -> Result<&'static dyn System, OpenError> {
    let ids: Vec<&str> = systems().iter().map(|s| s.book().system).collect();
    let read = read::document(text, |sheet| {
        let field = sheet.field("system").required();
        let found = field.one_of(&ids);
        sheet.entries().for_each(drop);
        found
    });
    read.map(|index| systems()[index])
        .map_err(|faults| OpenError::Faults { report: faults.report(name, text), faults })
}
