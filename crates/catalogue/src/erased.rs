use std::collections::BTreeMap;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use game::board::Board;
use game::dice::QuickDice;
use game::journal::{self, Broken, DiceOf, Header, Parsed};
use game::odds::{self, Budget, Horizon, OddsReport};
use game::session::{Match, Throw, commitment, text_hash};
use game::situation::{self, Question, Report};
use game::{Book, BySide, Eyes, Faults, Fx, Options, PieceId, Silent};
use players::{Bench, GameResult, General, Hint, Pair, Player, Steps, Tally};
use serde::Serialize;

use crate::table::{Played, Table, hint};
use crate::{ScenarioInfo, Shelf};

/// A system, whichever it is.
pub trait System: Debug + Send + Sync {
    /// Its rules.
    fn book(&self) -> &'static Book;
    /// The edition of the rules.
    fn edition(&self) -> &'static str;
    /// Compiles a scenario.
    ///
    /// # Errors
    /// All its faults.
    fn compile(&self, id: &str, text: &str, options: &Options) -> Result<Arc<dyn Scenario>, Faults>;
    /// Runs a situation.
    ///
    /// # Errors
    /// The faults of its file.
    fn try_situation(&self, text: &str) -> Result<Report, Faults>;
    /// Reads a situation without playing it.
    ///
    /// # Errors
    /// The faults of its file.
    fn check_situation(&self, text: &str) -> Result<(), Faults>;
    /// The odds of the last action a situation plays.
    ///
    /// # Errors
    /// The faults of its file.
    fn odds(&self, text: &str, horizon: Horizon) -> Result<Weighed, Faults>;
    /// The best choices where a situation plays its last action, and that action.
    ///
    /// # Errors
    /// The faults of its file.
    fn analyse(&self, text: &str, general: General) -> Result<Analysed, Faults>;
}

/// The odds of an action, with the names of the pieces they speak of.
#[derive(Debug, Clone, Serialize)]
pub struct Weighed {
    /// The action in notation.
    pub action: String,
    /// What may come of it.
    pub odds: OddsReport,
    /// The pieces' names.
    pub names: BTreeMap<PieceId, String>,
}

/// The best choices in the place of an action.
#[derive(Debug, Clone, Serialize)]
pub struct Analysed {
    /// The action in notation.
    pub action: String,
    /// The best choices; none if nobody decides there.
    pub hint: Option<Hint>,
}

/// The dice a new game shall have.
#[derive(Debug, Clone)]
pub enum NewDice {
    /// From a seed open to all.
    Seed([u8; 32]),
    /// From a secret that only its commitment tells of until the end.
    Secret([u8; 32]),
    /// Real dice, typed in.
    Table,
}

/// A compiled scenario.
pub trait Scenario: Debug + Send + Sync {
    /// Its id in the library, or the name of its file.
    fn id(&self) -> &str;
    /// Its text.
    fn text(&self) -> &str;
    /// The system it belongs to.
    fn system(&self) -> &'static dyn System;
    /// What a list says of it.
    fn info(&self) -> ScenarioInfo;
    /// What the board draws once.
    fn board(&self) -> Board;
    /// Musters a game.
    ///
    /// # Errors
    /// When the dice typed in do not fit.
    fn start(&self, seats: BySide<String>, dice: NewDice, throw: &Throw) -> Result<Box<dyn Table>, String>;
    /// Replays a journal as far as it holds.
    ///
    /// # Errors
    /// When it does not belong here or not even its muster holds.
    fn resume(
        &self,
        parsed: Parsed,
        secret: Option<[u8; 32]>,
    ) -> Result<(Box<dyn Table>, Option<Broken>), Broken>;
    /// Replays a journal of another edition, or of an earlier text of this scenario, as far as that goes: every decision
    /// must be allowed and take exactly its dice. What comes of it is a game of the present edition.
    ///
    /// # Errors
    /// When not even its muster can be replayed.
    fn readopt(
        &self,
        parsed: Parsed,
        secret: Option<[u8; 32]>,
    ) -> Result<(Box<dyn Table>, Option<Broken>), Broken>;
    /// Plays one game between computer players, on this thread.
    fn play_one(&self, seats: BySide<Player>, seed: u64) -> GameResult;
    /// Plays many games between computer players, on every core.
    fn play_many(
        &self,
        seats: BySide<Player>,
        games: u64,
        seed: u64,
        done: &(dyn Fn(u64, GameResult) + Sync),
    ) -> Tally;
    /// Plays two games of each seed, the challenger with either side, on every core.
    fn play_pairs(
        &self,
        challenger: Player,
        champion: Player,
        seeds: &[u64],
        done: &(dyn Fn(Pair) + Sync),
    ) -> Vec<Pair>;
    /// Rollouts on one core.
    fn bench_steps(&self, general: General, time: Duration, seed: u64) -> Steps;
    /// Random play on one core.
    fn bench(&self, time: Duration, seed: u64) -> Bench;
    /// How long the odds of random decisions take, in microseconds, ascending, and how many were sampled.
    fn bench_odds(&self, decisions: usize, seed: u64) -> (Vec<f64>, usize);
    /// The number of decision sequences.
    fn perft(&self, depth: u32) -> u64;
}

#[derive(Debug)]
pub(crate) struct Of<S>(PhantomData<S>);

impl<S> Of<S> {
    pub(crate) const NEW: Of<S> = Of(PhantomData);
}

impl<S: game::System> System for Of<S> {
    fn book(&self) -> &'static Book {
        S::book()
    }

    fn edition(&self) -> &'static str {
        S::edition()
    }

    fn compile(&self, id: &str, text: &str, options: &Options) -> Result<Arc<dyn Scenario>, Faults> {
        let battle = Arc::new(S::compile(text, &Shelf, options)?);
        let (id, text) = (id.to_owned(), text.to_owned());
        Ok(Arc::new(Compiled::<S> { id, text, options: options.clone(), battle }))
    }

    fn try_situation(&self, text: &str) -> Result<Report, Faults> {
        situation::run::<S>(text, &Shelf)
    }

    fn check_situation(&self, text: &str) -> Result<(), Faults> {
        situation::check::<S>(text, &Shelf)
    }

    fn odds(&self, text: &str, horizon: Horizon) -> Result<Weighed, Faults> {
        let Question { battle, state, action } = situation::question::<S>(text, &Shelf)?;
        let pieces = S::view(&battle, &state, Eyes::All).pieces;
        Ok(Weighed {
            action: S::write(&battle, &action),
            odds: odds::report::<S>(&battle, &state, &action, horizon, Budget::default()),
            names: pieces.into_iter().map(|p| (p.id, p.name)).collect(),
        })
    }

    fn analyse(&self, text: &str, general: General) -> Result<Analysed, Faults> {
        let Question { battle, state, action } = situation::question::<S>(text, &Shelf)?;
        Ok(Analysed { action: S::write(&battle, &action), hint: hint::<S>(&battle, &state, general) })
    }
}

struct Compiled<S: game::System> {
    id: String,
    text: String,
    options: Options,
    battle: Arc<S::Battle>,
}

impl<S: game::System> Debug for Compiled<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scenario").field("id", &self.id).finish_non_exhaustive()
    }
}

impl<S: game::System> Compiled<S> {
    fn in_library(&self) -> bool {
        game::Library::scenario(&Shelf, &self.id).is_some_and(|text| text == self.text)
    }
}

impl<S: game::System> Scenario for Compiled<S> {
    fn id(&self) -> &str {
        &self.id
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn system(&self) -> &'static dyn System {
        const { &Of::<S>::NEW }
    }

    fn info(&self) -> ScenarioInfo {
        let board = S::board(&self.battle);
        let mut state = S::muster(&self.battle);
        S::settle(&self.battle, &mut state, &mut Fx { dice: QuickDice::new(0), log: Silent });
        let view = S::view(&self.battle, &state, Eyes::All);
        ScenarioInfo {
            id: self.id.clone(),
            system: S::book().system.to_owned(),
            system_title: S::book().title.to_owned(),
            title: board.title,
            subtitle: board.subtitle,
            blurb: board.blurb,
            sides: board.sides,
            units: view.pieces.len(),
            turns: view.track.len(),
        }
    }

    fn board(&self) -> Board {
        S::board(&self.battle)
    }

    fn start(&self, seats: BySide<String>, dice: NewDice, throw: &Throw) -> Result<Box<dyn Table>, String> {
        let (dice, secret) = match dice {
            NewDice::Seed(seed) => (DiceOf::Seed(journal::hex(&seed)), None),
            NewDice::Secret(secret) => (DiceOf::Commit(commitment(&secret)), Some(secret)),
            NewDice::Table => (DiceOf::Table, None),
        };
        let header = Header {
            linstock: journal::FORMAT,
            system: S::book().system.to_owned(),
            edition: S::edition().to_owned(),
            scenario: self.id.clone(),
            hash: text_hash(&self.text),
            text: (!self.in_library()).then(|| self.text.clone()),
            options: self.options.clone(),
            seats,
            dice,
            taken_over: 0,
        };
        Ok(Box::new(Played(Match::<S>::start(self.battle.clone(), header, secret, throw)?)))
    }

    fn resume(
        &self,
        parsed: Parsed,
        secret: Option<[u8; 32]>,
    ) -> Result<(Box<dyn Table>, Option<Broken>), Broken> {
        if parsed.header.hash != text_hash(&self.text) {
            let message = format!("the scenario `{}` has changed since this journal was written", self.id);
            return Err(Broken { line: 1, message });
        }
        let (game, broken) = Match::<S>::resume(self.battle.clone(), parsed, secret)?;
        Ok((Box::new(Played(game)), broken))
    }

    fn readopt(
        &self,
        mut parsed: Parsed,
        secret: Option<[u8; 32]>,
    ) -> Result<(Box<dyn Table>, Option<Broken>), Broken> {
        parsed.header.hash = text_hash(&self.text);
        let (game, broken) = Match::<S>::readopt(self.battle.clone(), parsed, secret)?;
        Ok((Box::new(Played(game)), broken))
    }

    fn play_one(&self, seats: BySide<Player>, seed: u64) -> GameResult {
        players::play_game::<S>(&self.battle, seats, seed)
    }

    fn play_many(
        &self,
        seats: BySide<Player>,
        games: u64,
        seed: u64,
        done: &(dyn Fn(u64, GameResult) + Sync),
    ) -> Tally {
        players::play_many::<S>(&self.battle, seats, games, seed, done)
    }

    fn play_pairs(
        &self,
        challenger: Player,
        champion: Player,
        seeds: &[u64],
        done: &(dyn Fn(Pair) + Sync),
    ) -> Vec<Pair> {
        players::play_pairs::<S>(&self.battle, challenger, champion, seeds, done)
    }

    fn bench_steps(&self, general: General, time: Duration, seed: u64) -> Steps {
        players::bench_steps::<S>(&self.battle, general, time, seed)
    }

    fn bench(&self, time: Duration, seed: u64) -> Bench {
        players::bench::<S>(&self.battle, time, seed)
    }

    fn bench_odds(&self, decisions: usize, seed: u64) -> (Vec<f64>, usize) {
        players::bench_odds::<S>(&self.battle, decisions, seed)
    }

    fn perft(&self, depth: u32) -> u64 {
        let mut state = S::muster(&self.battle);
        S::settle(&self.battle, &mut state, &mut Fx { dice: QuickDice::new(1863), log: Silent });
        players::perft::<S>(&self.battle, &state, depth)
    }
}
