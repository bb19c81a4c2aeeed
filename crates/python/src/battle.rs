use std::collections::BTreeMap;
use std::sync::Arc;

use catalogue::{NewDice, Scenario};
use game::session::{Throw, text_hash};
use game::{Eyes, Now, Options, journal};
use players::Detail;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::plain::{plain, reward, seats};
use crate::playing::Game;

/// A scenario, ready to be played.
#[pyclass(module = "linstock", frozen)]
pub(crate) struct Battle {
    pub(crate) scenario: Arc<dyn Scenario>,
}

fn opened(scenario: &str, text: Option<&str>, options: Options) -> PyResult<Arc<dyn Scenario>> {
    let opened = match text {
        Some(text) => catalogue::open_text(scenario, text, &options),
        None => catalogue::open(scenario, &options),
    };
    opened.map_err(|error| PyValueError::new_err(error.to_string()))
}

#[pymethods]
impl Battle {
    #[new]
    #[pyo3(signature = (scenario, *, text=None, options=None))]
    fn new(scenario: &str, text: Option<&str>, options: Option<BTreeMap<String, bool>>) -> PyResult<Self> {
        Ok(Battle { scenario: opened(scenario, text, options.unwrap_or_default())? })
    }

    /// Its id in the library, or the name it was given.
    #[getter]
    fn id(&self) -> &str {
        self.scenario.id()
    }

    #[getter]
    fn system(&self) -> &'static str {
        self.scenario.system().book().system
    }

    #[getter]
    fn edition(&self) -> &'static str {
        self.scenario.system().edition()
    }

    /// The scenario's text.
    #[getter]
    fn text(&self) -> &str {
        self.scenario.text()
    }

    /// The hash of its text.
    #[getter]
    fn hash(&self) -> String {
        text_hash(self.scenario.text())
    }

    #[getter]
    fn title(&self) -> String {
        self.scenario.info().title
    }

    /// The ids of the two sides.
    #[getter]
    fn sides(&self) -> (String, String) {
        let sides = self.scenario.board().sides;
        (sides.first.id, sides.second.id)
    }

    /// How many rows an array of pieces needs.
    #[getter]
    fn pieces(&self) -> usize {
        let view = self.scenario.position(0).view(Eyes::All);
        view.pieces.iter().map(|piece| usize::from(piece.id.0) + 1).max().unwrap_or(0)
    }

    /// What a list says of it.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &self.scenario.info())
    }

    /// The ground, the sides, the charts.
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &self.scenario.board())
    }

    /// A game with dice from a seed.
    #[pyo3(signature = (seed=0))]
    fn start(&self, seed: u64) -> Game {
        Game::new(self.scenario.position(seed))
    }

    /// One game between computer players, as a dict: result (1, 0, -1 for the first side), points, decisions, options.
    #[pyo3(signature = (first="captain", second="captain", seed=0))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        first: &str,
        second: &str,
        seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let seats = seats(first, second)?;
        let record = py.detach(|| self.scenario.record(seats, seed, Detail::default()));
        let result = record.result;
        let told = serde_json::json!({
            "result": result.outcome.map(reward), "points": [result.score.first, result.score.second],
            "decisions": result.decisions, "options": result.options,
        });
        plain(py, &told)
    }

    /// The journal of a game between computer players.
    #[pyo3(signature = (first="captain", second="captain", seed=0))]
    fn journal(&self, py: Python<'_>, first: &str, second: &str, seed: u64) -> PyResult<String> {
        let seats = seats(first, second)?;
        py.detach(|| -> Result<String, String> {
            let mut secret = [0; 32];
            secret[..8].copy_from_slice(&seed.to_le_bytes());
            let names = seats.map(|player| player.to_string());
            let mut table = self.scenario.start(names, NewDice::Seed(secret), &Throw::default())?;
            while let Now::Decides(side) = table.now() {
                let action =
                    table.thinker()(seats[side], seed ^ table.moment()).ok_or("no move was found")?;
                table.act(side, &action, &Throw::default()).map_err(|error| error.to_string())?;
            }
            table.reveal();
            Ok(table.journal())
        })
        .map_err(PyRuntimeError::new_err)
    }

    /// Plays `steps` random decisions one after the other on this core, beginning anew where a game ends; how many games
    /// ended.
    #[pyo3(signature = (steps, seed=0))]
    fn random_steps(&self, py: Python<'_>, steps: u64, seed: u64) -> u64 {
        py.detach(|| {
            let mut mind = game::dice::QuickDice::new(seed ^ 1);
            let mut position = self.scenario.position(seed);
            let mut ended = 0;
            for step in 0..steps {
                if !position.play_random(&mut mind) {
                    ended += 1;
                    position.restart(seed.wrapping_add(step));
                    position.play_random(&mut mind);
                }
            }
            ended
        })
    }

    fn __repr__(&self) -> String {
        format!("Battle({:?})", self.scenario.id())
    }
}

/// The ids of the scenarios of the library; a system's first is for newcomers.
#[pyfunction]
pub(crate) fn scenarios() -> Vec<String> {
    catalogue::scenario_ids()
}

/// The lines of a journal as rows: moment, side, action, dice, points of either side, what happened.
#[pyfunction]
pub(crate) fn read_journal<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let wrong =
        |broken: journal::Broken| PyValueError::new_err(format!("line {}: {}", broken.line, broken.message));
    let parsed = journal::parse(text).map_err(wrong)?;
    let header = parsed.header.clone();
    let scenario = opened(&header.scenario, header.text.as_deref(), header.options)?;
    let (table, broken) = scenario.resume(parsed, None).map_err(wrong)?;
    if let Some(broken) = broken {
        return Err(wrong(broken));
    }
    let mut rows = Vec::new();
    for scene in table.scenes(Eyes::All, 0) {
        let score = table.view(Eyes::All, Some(scene.moment)).map(|view| view.score).unwrap_or_default();
        let rolls: Vec<&Vec<u8>> =
            scene.entries.iter().filter_map(|entry| Some(&entry.roll.as_ref()?.faces)).collect();
        let told: Vec<&str> = scene.entries.iter().map(|entry| entry.text.as_str()).collect();
        rows.push(serde_json::json!({
            "moment": scene.moment, "side": scene.side.map(|side| side.index()), "action": scene.act,
            "rolls": rolls.into_iter().flatten().collect::<Vec<_>>(),
            "first_points": score.first, "second_points": score.second, "text": told.join(" "),
        }));
    }
    plain(py, &rows)
}
