use std::sync::{Mutex, MutexGuard, PoisonError};

use catalogue::{Encoding, Position};
use game::odds::Horizon;
use game::session::ActError;
use game::situation::Fact;
use game::{Eyes, Now};
use numpy::{PyReadwriteArray1, PyReadwriteArray2};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::plain::{plain, player, reward, side};

/// A game under way: quick dice from a seed, no journal.
#[pyclass(module = "linstock", frozen)]
pub(crate) struct Game(Mutex<Box<dyn Position>>);

impl Game {
    pub(crate) fn new(position: Box<dyn Position>) -> Self {
        Game(Mutex::new(position))
    }

    fn at(&self) -> MutexGuard<'_, Box<dyn Position>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An action by its number among the offers, or in notation.
#[derive(FromPyObject)]
pub(crate) enum Action {
    Index(usize),
    Notation(String),
}

fn refused(error: ActError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl Game {
    /// Who decides: 0 or 1; None when the game is over.
    #[getter]
    fn side(&self) -> Option<usize> {
        match self.at().now() {
            Now::Decides(side) => Some(side.index()),
            Now::Over(_) => None,
        }
    }

    #[getter]
    fn over(&self) -> bool {
        matches!(self.at().now(), Now::Over(_))
    }

    /// 1 if the first side has won, -1 if the second has, 0 for a draw; None while the game goes on.
    #[getter]
    fn result(&self) -> Option<f32> {
        match self.at().now() {
            Now::Decides(_) => None,
            Now::Over(outcome) => Some(reward(outcome)),
        }
    }

    /// Victory points of the two sides.
    #[getter]
    fn score(&self) -> (i32, i32) {
        let score = self.at().score();
        (score.first, score.second)
    }

    #[getter]
    fn turn(&self) -> u32 {
        self.at().turn()
    }

    /// How many decisions have been taken.
    #[getter]
    fn decisions(&self) -> u64 {
        self.at().decisions()
    }

    /// How many actions are offered.
    fn __len__(&self) -> usize {
        self.at().count()
    }

    /// The offered actions in notation.
    fn actions(&self) -> Vec<String> {
        let at = self.at();
        (0..at.count()).filter_map(|index| at.notation(index)).collect()
    }

    /// The offered action of that number in notation.
    fn action(&self, index: usize) -> PyResult<String> {
        let at = self.at();
        at.notation(index).ok_or_else(|| no_offer(index, at.count()))
    }

    /// The number of an action among the offers; None if it is not offered.
    fn index(&self, action: &str) -> Option<usize> {
        self.at().index(action)
    }

    /// The offers with words, pieces, places and rules.
    fn offers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let offers = self.at().offers();
        plain(py, &offers)
    }

    /// Plays an action: its number among the offers, or its notation. A refusal names the rule.
    fn play(&self, action: Action) -> PyResult<()> {
        let mut at = self.at();
        match action {
            Action::Index(index) if at.play(index) => Ok(()),
            Action::Index(index) => Err(no_offer(index, at.count())),
            Action::Notation(notation) => at.act(&notation).map_err(refused),
        }
    }

    /// A copy that goes its own way; the same dice await both until one is reseeded.
    fn copy(&self) -> Game {
        Game::new(self.at().copy())
    }

    fn __copy__(&self) -> Game {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.copy()
    }

    /// A copy as a side knows it.
    fn seen_by(&self, who: usize) -> PyResult<Game> {
        Ok(Game::new(self.at().seen_by(side(who)?)))
    }

    /// Begins anew with dice from this seed.
    fn restart(&self, seed: u64) {
        self.at().restart(seed);
    }

    /// Other dice from here on.
    fn reseed(&self, seed: u64) {
        self.at().reseed(seed);
    }

    /// The number of the offer that a computer player would take.
    #[pyo3(signature = (name="captain", seed=0))]
    fn choose(&self, py: Python<'_>, name: &str, seed: u64) -> PyResult<usize> {
        let player = player(name)?;
        let chosen = py.detach(|| self.at().choose(player, seed));
        chosen.ok_or_else(|| PyValueError::new_err("the game is over"))
    }

    /// How good the position is for a side, in victory points, as computer players judge it.
    fn worth(&self, who: usize) -> PyResult<f64> {
        Ok(f64::from(self.at().worth(side(who)?)) / 100.0)
    }

    /// Takes down what happens from now on, or no longer.
    #[pyo3(signature = (on=true))]
    fn listen(&self, on: bool) {
        self.at().listen(on);
    }

    /// What happened since it was last asked: entries with sentences, rules and dice. Call `listen` first.
    fn log<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let entries = self.at().entries();
        plain(py, &entries)
    }

    /// The decision at hand: its kind, a sentence, the rule.
    fn prompt<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let prompt = self.at().prompt();
        plain(py, &prompt)
    }

    /// The position as a side sees it, or as everybody does at once.
    #[pyo3(signature = (who=None))]
    fn view<'py>(&self, py: Python<'py>, who: Option<usize>) -> PyResult<Bound<'py, PyAny>> {
        let eyes = who.map_or(Ok(Eyes::All), |who| side(who).map(Eyes::Of))?;
        let view = self.at().view(eyes);
        plain(py, &view)
    }

    /// The odds of an action with exact fractions, to the next decision or to the end of the affair.
    #[pyo3(signature = (action, *, affair=false))]
    fn odds<'py>(&self, py: Python<'py>, action: Action, affair: bool) -> PyResult<Bound<'py, PyAny>> {
        let notation = match action {
            Action::Index(index) => self.action(index)?,
            Action::Notation(notation) => notation,
        };
        let horizon = if affair { Horizon::Affair } else { Horizon::Decision };
        let report = py.detach(|| self.at().odds(&notation, horizon)).map_err(refused)?;
        py.import("linstock._plain")?.getattr("odds")?.call1((plain(py, &report)?,))
    }

    /// A named fact of the position, as situations ask for it: `meredith.hex`.
    fn fact<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let fact = self.at().fact(name).map_err(PyValueError::new_err)?;
        match fact {
            Fact::Number(number) => plain(py, &number),
            Fact::Truth(truth) => plain(py, &truth),
            Fact::Text(text) => plain(py, &text),
            Fact::Set(set) => plain(py, &set),
        }
    }

    /// The digest of the position.
    fn digest(&self) -> String {
        self.at().digest().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Writes the position as a side knows it into arrays.
    fn observe(
        &self,
        who: usize,
        mut pieces: PyReadwriteArray2<'_, f32>,
        mut globals: PyReadwriteArray1<'_, f32>,
        mut actions: PyReadwriteArray2<'_, f32>,
        mut mask: PyReadwriteArray1<'_, i8>,
    ) -> PyResult<()> {
        let mut into = Encoding {
            pieces: pieces.as_slice_mut()?,
            globals: globals.as_slice_mut()?,
            actions: actions.as_slice_mut()?,
            mask: mask.as_slice_mut()?,
        };
        self.at().encode(side(who)?, &mut into);
        Ok(())
    }

    fn __repr__(&self) -> String {
        let at = self.at();
        match at.now() {
            Now::Decides(side) => {
                format!("<Game: side {} decides among {} actions>", side.index(), at.count())
            }
            Now::Over(_) => "<Game: over>".to_owned(),
        }
    }
}

fn no_offer(index: usize, count: usize) -> PyErr {
    PyIndexError::new_err(match count {
        0 => "the game is over".to_owned(),
        _ => format!("there is no offer {index}; there are {count}, from 0 to {}", count - 1),
    })
}
