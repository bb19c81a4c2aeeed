use std::collections::BTreeMap;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;
#[cfg(feature = "laboratory")]
use std::sync::OnceLock;
use std::time::Duration;

use game::board::Board;
use game::dice::QuickDice;
use game::journal::{self, Broken, DiceOf, Header, Parsed};
use game::odds::{self, Budget, Horizon, OddsReport};
use game::session::{Match, Opening, Throw, commitment, text_hash};
use game::situation::{self, Question, Report};
use game::{Book, BySide, Eyes, Faults, Fx, Options, PieceId, Silent};
use players::{Bench, GameResult, General, Hint, Pair, Player, Steps, Tally};
#[cfg(feature = "laboratory")]
use players::{Detail, Record, Roster, Unit};
use serde::Serialize;

use crate::demonstration::Demonstration;
use crate::lessons::{self, Lesson, LessonReport};
#[cfg(feature = "laboratory")]
use crate::position::{Live, Position};
use crate::table::{Played, Table, hint};
use crate::walk::{Walked, walk};
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
    /// Plays a situation and keeps what is to be seen of it.
    ///
    /// # Errors
    /// The faults of its file.
    fn demonstrate(&self, id: &str, text: &str) -> Result<Demonstration, Faults>;
    /// Reads a lesson and plays every try of it.
    ///
    /// # Errors
    /// The faults of its file.
    fn try_lesson(&self, id: &str, text: &str) -> Result<LessonReport, Faults>;
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
    /// From a seed and the number of the decision alone: lessons.
    Fixed([u8; 32]),
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
    /// The lesson, if it is one.
    fn lesson(&self) -> Option<&Arc<Lesson>>;
    /// Whether games of it begin at a position of its own and not with the muster.
    fn is_situation(&self) -> bool;
    /// Begins a game: with the muster, or at the position of a situation.
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
    /// Plays one game between computer players for its fingerprint, on this thread.
    fn walk(&self, seats: BySide<Player>, seed: u64, quick: bool) -> Walked;
    /// Plays one game between computer players, on this thread.
    fn play_one(&self, seats: BySide<Player>, seed: u64) -> GameResult;
    /// Plays the game that [`Scenario::play_one`] plays, on this thread, and takes it down for a study.
    #[cfg(feature = "laboratory")]
    fn record(&self, seats: BySide<Player>, seed: u64, detail: Detail) -> Record;
    /// Who takes part: the units that records speak of.
    #[cfg(feature = "laboratory")]
    fn units(&self) -> Vec<Unit>;
    /// A game for programs: quick dice from a seed, no journal.
    #[cfg(feature = "laboratory")]
    fn position(&self, seed: u64) -> Box<dyn Position>;
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
        let (situation, opening, lesson) = if begins_at_a_position(text) {
            let (title, opening) = situation::opening::<S>(text, &Shelf, options)?;
            let lesson = lessons::is_lesson(text).then(|| lessons::read::<S>(text, &opening)).transpose()?;
            (Some(title), opening, lesson.map(Arc::new))
        } else {
            (None, Opening::from(Arc::new(S::compile(text, &Shelf, options)?)), None)
        };
        let (id, text) = (id.to_owned(), text.to_owned());
        Ok(Arc::new(Compiled::<S> {
            id,
            text,
            options: options.clone(),
            opening,
            situation,
            lesson,
            #[cfg(feature = "laboratory")]
            roster: OnceLock::new(),
        }))
    }

    fn demonstrate(&self, id: &str, text: &str) -> Result<Demonstration, Faults> {
        Demonstration::of::<S>(id, text)
    }

    fn try_lesson(&self, id: &str, text: &str) -> Result<LessonReport, Faults> {
        lessons::play::<S>(id, text)
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
        Ok(Analysed { action: S::write(&battle, &action), hint: hint::<S>(&battle, &state, general, None) })
    }
}

/// Whether a text is a situation or a lesson, whose games begin at its position.
fn begins_at_a_position(text: &str) -> bool {
    let found = game::read::document(text, |sheet| {
        sheet.leave();
        let named = ["scenario", "try", "page"].into_iter().any(|key| sheet.field(key).is_present());
        Some(named || game::scenario::is_situation(sheet))
    });
    found.unwrap_or(false)
}

struct Compiled<S: game::System> {
    id: String,
    text: String,
    options: Options,
    opening: Opening<S>,
    /// The title of the situation it is, if it is one.
    situation: Option<String>,
    lesson: Option<Arc<Lesson>>,
    #[cfg(feature = "laboratory")]
    roster: OnceLock<Roster>,
}

impl<S: game::System> Debug for Compiled<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scenario").field("id", &self.id).finish_non_exhaustive()
    }
}

impl<S: game::System> Compiled<S> {
    #[cfg(feature = "laboratory")]
    fn roster(&self) -> &Roster {
        self.roster.get_or_init(|| Roster::of::<S>(&self.opening.battle))
    }

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
        let board = self.board();
        let Opening { battle, position: mut state } = self.opening.clone();
        S::settle(&battle, &mut state, &mut Fx { dice: QuickDice::new(0), log: Silent });
        let view = S::view(&battle, &state, Eyes::All);
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
        let mut board = S::board(&self.opening.battle);
        if let Some(title) = &self.situation {
            board.title.clone_from(title);
        }
        board
    }

    fn lesson(&self) -> Option<&Arc<Lesson>> {
        self.lesson.as_ref()
    }

    fn is_situation(&self) -> bool {
        self.situation.is_some()
    }

    fn start(&self, seats: BySide<String>, dice: NewDice, throw: &Throw) -> Result<Box<dyn Table>, String> {
        let (dice, secret) = match dice {
            NewDice::Seed(seed) => (DiceOf::Seed(journal::hex(&seed)), None),
            NewDice::Secret(secret) => (DiceOf::Commit(commitment(&secret)), Some(secret)),
            NewDice::Fixed(seed) => (DiceOf::Fixed(journal::hex(&seed)), None),
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
            rolls_back: false,
            taken_over: 0,
        };
        let game = Match::<S>::start(self.opening.clone(), header, secret, throw)?;
        Ok(Box::new(Played::new(game, self.lesson.clone())))
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
        let (game, broken) = Match::<S>::resume(self.opening.clone(), parsed, secret)?;
        Ok((Box::new(Played::new(game, self.lesson.clone())), broken))
    }

    fn readopt(
        &self,
        mut parsed: Parsed,
        secret: Option<[u8; 32]>,
    ) -> Result<(Box<dyn Table>, Option<Broken>), Broken> {
        parsed.header.hash = text_hash(&self.text);
        let (game, broken) = Match::<S>::readopt(self.opening.clone(), parsed, secret)?;
        Ok((Box::new(Played::new(game, self.lesson.clone())), broken))
    }

    fn walk(&self, seats: BySide<Player>, seed: u64, quick: bool) -> Walked {
        walk::<S>(&self.opening.battle, seats, seed, quick)
    }

    fn play_one(&self, seats: BySide<Player>, seed: u64) -> GameResult {
        players::play_game::<S>(&self.opening.battle, seats, seed)
    }

    #[cfg(feature = "laboratory")]
    fn record(&self, seats: BySide<Player>, seed: u64, detail: Detail) -> Record {
        players::record::<S>(&self.opening.battle, self.roster(), seats, seed, detail)
    }

    #[cfg(feature = "laboratory")]
    fn units(&self) -> Vec<Unit> {
        self.roster().units().cloned().collect()
    }

    #[cfg(feature = "laboratory")]
    fn position(&self, seed: u64) -> Box<dyn Position> {
        Box::new(Live::<S>::start(self.opening.clone(), seed))
    }

    fn play_many(
        &self,
        seats: BySide<Player>,
        games: u64,
        seed: u64,
        done: &(dyn Fn(u64, GameResult) + Sync),
    ) -> Tally {
        players::play_many::<S>(&self.opening.battle, seats, games, seed, done)
    }

    fn play_pairs(
        &self,
        challenger: Player,
        champion: Player,
        seeds: &[u64],
        done: &(dyn Fn(Pair) + Sync),
    ) -> Vec<Pair> {
        players::play_pairs::<S>(&self.opening.battle, challenger, champion, seeds, done)
    }

    fn bench_steps(&self, general: General, time: Duration, seed: u64) -> Steps {
        players::bench_steps::<S>(&self.opening.battle, general, time, seed)
    }

    fn bench(&self, time: Duration, seed: u64) -> Bench {
        players::bench::<S>(&self.opening.battle, time, seed)
    }

    fn bench_odds(&self, decisions: usize, seed: u64) -> (Vec<f64>, usize) {
        players::bench_odds::<S>(&self.opening.battle, decisions, seed)
    }

    fn perft(&self, depth: u32) -> u64 {
        let Opening { battle, position: mut state } = self.opening.clone();
        S::settle(&battle, &mut state, &mut Fx { dice: QuickDice::new(1863), log: Silent });
        players::perft::<S>(&battle, &state, depth)
    }
}
