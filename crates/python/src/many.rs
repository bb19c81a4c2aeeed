use std::sync::{Mutex, MutexGuard, PoisonError};

use catalogue::{ACTION_FIELDS, Encoding, GLOBAL_FIELDS, PIECE_FIELDS, Position};
use game::Now;
use game::dice::{Dice, QuickDice};
use numpy::{PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray3};
use players::seed_of;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::battle::Battle;
use crate::plain::reward;

/// Many games of one battle, stepped on all cores into the caller's arrays. A game that ends begins anew at once.
#[pyclass(module = "linstock", frozen)]
pub(crate) struct Batch {
    games: Mutex<Vec<One>>,
    n: usize,
    pieces: usize,
}

struct One {
    position: Box<dyn Position>,
    mind: QuickDice,
    seed: u64,
    rounds: u64,
}

/// What a step tells of a game.
#[derive(Default, Clone, Copy)]
struct Told {
    reward: f32,
    done: bool,
    missing: bool,
}

impl One {
    fn step(&mut self, action: i64) -> Told {
        let index = usize::try_from(action).unwrap_or(usize::MAX);
        if !self.position.play(index) {
            return Told { missing: true, ..Told::default() };
        }
        let Now::Over(outcome) = self.position.now() else { return Told::default() };
        self.rounds += 1;
        self.position.restart(seed_of(self.seed, self.rounds));
        Told { reward: reward(outcome), done: true, missing: false }
    }

    fn side(&self) -> i8 {
        match self.position.now() {
            Now::Decides(side) => side.index() as i8,
            Now::Over(_) => -1,
        }
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (battle, n, seed=0))]
    fn new(battle: &Battle, n: usize, seed: u64) -> PyResult<Self> {
        if n == 0 {
            return Err(PyValueError::new_err("a batch needs at least one game"));
        }
        let game = |index: u64| {
            let seed = seed.wrapping_add(index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let position = battle.scenario.position(seed_of(seed, 0));
            One { position, mind: QuickDice::new(seed ^ 0x5851_F42D), seed, rounds: 0 }
        };
        let view = battle.scenario.position(0).view(game::Eyes::All);
        let pieces = view.pieces.iter().map(|piece| usize::from(piece.id.0) + 1).max().unwrap_or(0);
        Ok(Batch { games: Mutex::new((0..n as u64).map(game).collect()), n, pieces })
    }

    fn __len__(&self) -> usize {
        self.n
    }

    /// How many rows an array of pieces needs.
    #[getter]
    fn pieces(&self) -> usize {
        self.pieces
    }

    /// Writes who decides in each game (0 or 1) and how many actions it may choose from.
    fn look(
        &self,
        py: Python<'_>,
        mut sides: PyReadwriteArray1<'_, i8>,
        mut counts: PyReadwriteArray1<'_, i32>,
    ) -> PyResult<()> {
        let (sides, counts) = (sides.as_slice_mut()?, counts.as_slice_mut()?);
        self.fits(&[sides.len(), counts.len()])?;
        py.detach(|| {
            // Too little work to share out.
            for ((game, side), count) in self.games().iter().zip(sides).zip(counts) {
                *side = game.side();
                *count = game.position.count() as i32;
            }
        });
        Ok(())
    }

    /// Plays one action in each game. Writes what the first side gets (1, 0, -1 at the end of a game), whether the game
    /// ended (it has begun anew then), and who decides next among how many actions.
    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        mut rewards: PyReadwriteArray1<'_, f32>,
        mut done: PyReadwriteArray1<'_, bool>,
        mut sides: PyReadwriteArray1<'_, i8>,
        mut counts: PyReadwriteArray1<'_, i32>,
    ) -> PyResult<()> {
        let actions = actions.as_slice()?;
        let (rewards, done) = (rewards.as_slice_mut()?, done.as_slice_mut()?);
        let (sides, counts) = (sides.as_slice_mut()?, counts.as_slice_mut()?);
        self.fits(&[actions.len(), rewards.len(), done.len(), sides.len(), counts.len()])?;
        let missing = py.detach(|| {
            self.games()
                .par_iter_mut()
                .with_min_len(64)
                .zip(actions)
                .zip(rewards)
                .zip(done)
                .zip(sides)
                .zip(counts)
                .map(|(((((game, action), reward), done), side), count)| {
                    let told = game.step(*action);
                    (*reward, *done) = (told.reward, told.done);
                    (*side, *count) = (game.side(), game.position.count() as i32);
                    usize::from(told.missing)
                })
                .sum::<usize>()
        });
        match missing {
            0 => Ok(()),
            n => Err(PyIndexError::new_err(format!(
                "{n} actions are not among the offers of their games and were not played"
            ))),
        }
    }

    /// Plays `steps` random decisions in each game on all cores; how many games ended.
    fn random(&self, py: Python<'_>, steps: u64) -> u64 {
        py.detach(|| {
            let play = |game: &mut One| {
                let mut ended = 0;
                for _ in 0..steps {
                    let action = game.mind.below(game.position.count().max(1) as u32);
                    ended += u64::from(game.step(i64::from(action)).done);
                }
                ended
            };
            self.games().par_iter_mut().map(play).sum()
        })
    }

    /// The number of the offer that a computer player would take in each game.
    #[pyo3(signature = (out, name="captain", seed=0))]
    fn choose(
        &self,
        py: Python<'_>,
        mut out: PyReadwriteArray1<'_, i64>,
        name: &str,
        seed: u64,
    ) -> PyResult<()> {
        let player = crate::plain::player(name)?;
        let out = out.as_slice_mut()?;
        self.fits(&[out.len()])?;
        py.detach(|| {
            self.games().par_iter_mut().zip(out).enumerate().for_each(|(index, (game, out))| {
                *out = game.position.choose(player, seed ^ index as u64).map_or(-1, |chosen| chosen as i64);
            });
        });
        Ok(())
    }

    /// Writes each game as the side that decides knows it: pieces (n, pieces, fields), globals (n, fields), actions
    /// (n, most, fields) and mask (n, most).
    fn observe(
        &self,
        py: Python<'_>,
        mut pieces: PyReadwriteArray3<'_, f32>,
        mut globals: PyReadwriteArray2<'_, f32>,
        mut actions: PyReadwriteArray3<'_, f32>,
        mut mask: PyReadwriteArray2<'_, i8>,
    ) -> PyResult<()> {
        let n = self.n;
        let (pieces, globals) = (pieces.as_slice_mut()?, globals.as_slice_mut()?);
        let (actions, mask) = (actions.as_slice_mut()?, mask.as_slice_mut()?);
        let most = mask.len() / n;
        let wanted = [
            n * self.pieces * PIECE_FIELDS.len(),
            n * GLOBAL_FIELDS.len(),
            n * most * ACTION_FIELDS.len(),
            n * most,
        ];
        if [pieces.len(), globals.len(), actions.len(), mask.len()] != wanted || most == 0 {
            return Err(PyValueError::new_err(
                "the arrays do not fit; `linstock.Batch.arrays` makes some that do",
            ));
        }
        py.detach(|| {
            self.games()
                .par_iter_mut()
                .zip(pieces.par_chunks_exact_mut(wanted[0] / n))
                .zip(globals.par_chunks_exact_mut(GLOBAL_FIELDS.len()))
                .zip(actions.par_chunks_exact_mut(most * ACTION_FIELDS.len()))
                .zip(mask.par_chunks_exact_mut(most))
                .for_each(|((((game, pieces), globals), actions), mask)| {
                    let Now::Decides(side) = game.position.now() else { return };
                    game.position.encode(side, &mut Encoding { pieces, globals, actions, mask });
                });
        });
        Ok(())
    }
}

impl Batch {
    fn games(&self) -> MutexGuard<'_, Vec<One>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fits(&self, lengths: &[usize]) -> PyResult<()> {
        match lengths.iter().find(|length| **length != self.n) {
            None => Ok(()),
            Some(length) => Err(PyValueError::new_err(format!(
                "an array has {length} entries, but there are {} games",
                self.n
            ))),
        }
    }
}
