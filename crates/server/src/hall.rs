//! All games: those in memory, those on disk, and new ones.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use catalogue::{NewDice, Table};
use game::journal::{self, Broken, DiceOf, Line, Parsed};
use game::session::{Throw, commitment};
use game::{BySide, Now, Side};
use players::Player;
use store::{GameRow, Kept, SeatRow, Store};
use tokio::sync::{OnceCell, Semaphore, watch};

use crate::config::Config;
use crate::library::{Library, Volume};
use crate::metrics::Metrics;
use crate::problem::Failure;
use crate::room::Room;
use crate::seats::{self, Held, Tokens};
use crate::summary::Summary;
use crate::time;
use crate::wire::{
    Code, Commitment, Created, DiceKind, GameFace, GameList, Import, Mine, NewGame, NewSeat, Sitter,
};
use crate::{computer, requests};

/// How long a commitment waits for its game.
const COMMITMENT_KEPT: Duration = Duration::from_secs(600);
const COMMITMENTS: usize = 10_000;

/// What every game needs of the server.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) store: Store,
    pub(crate) library: Library,
    pub(crate) metrics: Metrics,
    pub(crate) thinkers: Semaphore,
    pub(crate) weighers: Arc<Semaphore>,
    workers: Arc<Semaphore>,
    pub(crate) down: watch::Sender<bool>,
    down_flag: AtomicBool,
}

impl Shared {
    pub(crate) fn going_down(&self) -> bool {
        self.down_flag.load(Ordering::Acquire)
    }

    /// Does long work away from the threads that answer, only so many at a time.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        away_with(self.workers.clone().acquire_owned().await, work).await
    }

    /// No new work from here on.
    pub(crate) fn go_down(&self) {
        self.down_flag.store(true, Ordering::Release);
        self.thinkers.close();
        self.down.send_replace(true);
    }
}

type Cell = Arc<OnceCell<Arc<Room>>>;

/// All games.
#[derive(Debug)]
pub(crate) struct Hall {
    pub(crate) shared: Arc<Shared>,
    rooms: Mutex<HashMap<String, Cell>>,
    commitments: Mutex<HashMap<String, ([u8; 32], Instant)>>,
    idle: Duration,
    most: usize,
}

impl Hall {
    pub(crate) fn new(config: &Config, store: Store) -> Self {
        let shared = Shared {
            store,
            library: Library::new(config.books.clone()),
            metrics: Metrics::default(),
            thinkers: Semaphore::new(config.thinkers.max(1)),
            weighers: Arc::new(Semaphore::new(config.thinkers.max(1))),
            workers: Arc::new(Semaphore::new(config.workers.max(1))),
            down: watch::Sender::new(false),
            down_flag: AtomicBool::new(false),
        };
        Hall {
            shared: Arc::new(shared),
            rooms: Mutex::default(),
            commitments: Mutex::default(),
            idle: config.idle,
            most: config.games_in_memory,
        }
    }

    /// The game of that id, set up from disk if need be.
    pub(crate) async fn room(&self, id: &str) -> Result<Arc<Room>, Failure> {
        if !seats::is_id(id) {
            return Err(no_such_game());
        }
        let cell = locked(&self.rooms).entry(id.to_owned()).or_default().clone();
        let result = cell.get_or_try_init(|| self.load(id)).await.cloned();
        if result.is_err() {
            let mut rooms = locked(&self.rooms);
            // The map's and ours: nobody else waits for it.
            if Arc::strong_count(&cell) == 2 && !cell.initialized() {
                rooms.remove(id);
            }
        }
        result
    }

    async fn load(&self, id: &str) -> Result<Arc<Room>, Failure> {
        let kept = self.shared.store.game(id).await?;
        let kept = kept.ok_or_else(no_such_game)?;
        let chat = self.shared.store.last_chat(id).await?;
        let shared = self.shared.clone();
        let room = self
            .shared
            .work(move || {
                let parsed = kept.lines.first().map(|line| journal::parse(line));
                let header = parsed
                    .and_then(Result::ok)
                    .ok_or_else(|| Failure::internal("a kept game without a first line"))?
                    .header;
                let volume =
                    shared.library.volume(&header.scenario, header.text.as_deref(), &header.options)?;
                Room::new(kept, volume, shared, chat).map(Arc::new)
            })
            .await?;
        self.shared.metrics.loaded.add(1);
        computer::wake(&room, &*room.play().await?);
        Ok(room)
    }

    /// How many games are in memory.
    pub(crate) fn in_memory(&self) -> usize {
        locked(&self.rooms).len()
    }

    /// Lets go of games that nobody has looked at for a while.
    pub(crate) fn sweep(&self) {
        let mut rooms = locked(&self.rooms);
        // Whoever asked for a game that was still being loaded may have hung up.
        rooms.retain(|_, cell| cell.initialized() || Arc::strong_count(cell) > 1);
        let too_many = rooms.len().saturating_sub(self.most);
        let mut idle: Vec<(u64, String)> =
            rooms.iter().filter_map(|(id, cell)| Some((unwatched(cell)?, id.clone()))).collect();
        idle.sort_unstable();
        let limit = time::now().saturating_sub(self.idle.as_millis() as u64);
        for (index, (used, id)) in idle.into_iter().enumerate() {
            if used < limit || index < too_many {
                rooms.remove(&id);
                self.shared.metrics.unloaded.add(1);
            }
        }
        let now = Instant::now();
        locked(&self.commitments).retain(|_, (_, until)| *until > now);
    }

    // ------------------------------------------------------------------------------------------ lists

    /// Public games, the latest first.
    pub(crate) async fn list(&self, before: Option<u64>, limit: Option<u32>) -> Result<GameList, Failure> {
        let limit = i64::from(limit.unwrap_or(50).clamp(1, 100));
        let before = before.and_then(|b| i64::try_from(b).ok()).unwrap_or(i64::MAX);
        let rows = self.shared.store.public(before, limit).await?;
        let next = (rows.len() as i64 == limit).then(|| rows.last().map(|row| row.touched as u64)).flatten();
        let mut games = Vec::with_capacity(rows.len());
        for row in rows {
            let seats = self.shared.store.seats(&row.id).await?;
            games.extend(Summary::face(&row, seats, Held::default(), self.present(&row.id)));
        }
        Ok(GameList { games, next })
    }

    /// The games of the named seats; those that fit no seat are left out.
    pub(crate) async fn mine(&self, mine: Mine) -> Result<Vec<GameFace>, Failure> {
        if mine.seats.len() > 200 {
            return Err(Failure::new(Code::Malformed, "At most 200 seats at once."));
        }
        let mut games = Vec::new();
        for seat in mine.seats {
            let Some(row) = self.shared.store.summary(&seat.game).await? else { continue };
            let rows = self.shared.store.seats(&seat.game).await?;
            let holds = |row: &&SeatRow| seats::Seat::of_row((*row).clone()).is_held_by(&seat.token);
            let Some(held) = rows.iter().find(holds) else { continue };
            let side = if held.side == 0 { Side::First } else { Side::Second };
            games.extend(Summary::face(&row, rows, Held::side(side), self.present(&seat.game)));
        }
        games.sort_by_key(|game| std::cmp::Reverse(game.touched));
        Ok(games)
    }

    fn present(&self, id: &str) -> BySide<bool> {
        let rooms = locked(&self.rooms);
        let room = rooms.get(id).and_then(|cell| cell.get());
        BySide::from_fn(|side| room.is_some_and(|r| r.present[side].load(Ordering::Relaxed) > 0))
    }

    // ------------------------------------------------------------------------------------------ new games

    /// Promises dice for a game to come.
    pub(crate) fn commit(&self) -> Result<Commitment, Failure> {
        let secret = seats::random_bytes::<32>()?;
        let commitment = commitment(&secret);
        let mut kept = locked(&self.commitments);
        if kept.len() >= COMMITMENTS {
            return Err(Failure::new(
                Code::Busy,
                "Too many commitments wait for their games; try again in a while.",
            ));
        }
        kept.insert(commitment.clone(), (secret, Instant::now() + COMMITMENT_KEPT));
        Ok(Commitment { commitment, seconds: COMMITMENT_KEPT.as_secs() as u32 })
    }

    fn secret(&self, commitment: Option<&str>) -> Result<[u8; 32], Failure> {
        let Some(commitment) = commitment else { return seats::random_bytes() };
        let kept = locked(&self.commitments).remove(commitment);
        let live = kept.filter(|(_, until)| *until > Instant::now()).map(|(secret, _)| secret);
        live.ok_or_else(|| {
            Failure::new(Code::NoSuchCommitment, "This commitment is unknown, used or too old.")
        })
    }

    /// Sets up a new game.
    pub(crate) async fn create(&self, new: NewGame) -> Result<Created, Failure> {
        let sitters = check_sitters(new.seats)?;
        if new.dice == DiceKind::Table {
            two_people(&sitters)?;
        }
        let shared = self.shared.clone();
        let (scenario, text, options) = (new.scenario, new.text, new.options);
        if scenario.len() > 200 || options.len() > 100 {
            return Err(Failure::new(Code::Malformed, "The scenario's id or the house rules are too long."));
        }
        let volume =
            self.shared.work(move || shared.library.volume(&scenario, text.as_deref(), &options)).await?;
        let (dice, secret, throw) = match new.dice {
            DiceKind::Sealed => {
                // The salt is looked at before a commitment is used up.
                let throw = requests::throw(&DiceOf::Commit(String::new()), new.salt.as_deref(), Vec::new())?;
                let secret = self.secret(new.commitment.as_deref())?;
                (NewDice::Secret(secret), journal::hex(&secret), throw)
            }
            // Nobody sits at the table yet who could roll for the muster.
            DiceKind::Table => {
                let throw = Throw { salt: seats::random_bytes::<16>()?.to_vec(), typed: Vec::new() };
                (NewDice::Table, String::new(), throw)
            }
        };
        let names = BySide::from_fn(|side| called(&sitters[side]));
        let scenario = volume.scenario.clone();
        let start =
            move || scenario.start(names, dice, &throw).map_err(|m| Failure::new(Code::WrongFaces, m));
        let table = self.shared.work(start).await?;
        self.keep(table, &volume, secret, sitters, new.public, None).await
    }

    /// Goes on from a journal.
    pub(crate) async fn import(&self, import: Import) -> Result<Created, Failure> {
        let sitters = check_sitters(import.seats)?;
        let read =
            || journal::parse(&import.journal).map_err(|b| Failure::new(Code::FaultyJournal, b.to_string()));
        let mut parsed = read()?;
        let header = parsed.header.clone();
        let shared = self.shared.clone();
        let volume = self
            .shared
            .work(move || shared.library.volume(&header.scenario, header.text.as_deref(), &header.options))
            .await?;
        if parsed.lines.iter().any(|line| matches!(line, Line::End { .. })) {
            let (table, broken) = self.resume(&volume, parsed, None).await?;
            // A game that holds to its end is only looked at, whatever is written after it.
            if matches!(table.now(), Now::Over(_)) {
                let broken = broken.map(|b| b.to_string());
                return self.keep(table, &volume, String::new(), sitters, import.public, broken).await;
            }
            parsed = read()?;
        }
        // What goes on is a new game with new dice; what was rolled stays as it is written.
        parsed.header.seats = BySide::from_fn(|side| called(&sitters[side]));
        let mut secret = None;
        if parsed.header.dice == DiceOf::Table {
            two_people(&sitters)?;
        } else {
            let fresh = self.secret(None)?;
            parsed.header.dice = DiceOf::Commit(commitment(&fresh));
            parsed.header.taken_over = parsed.lines.len() as u64;
            secret = Some(fresh);
        }
        let (table, broken) = self.resume(&volume, parsed, secret).await?;
        let secret = secret.map_or_else(String::new, |s| journal::hex(&s));
        self.keep(table, &volume, secret, sitters, import.public, broken.map(|b| b.to_string())).await
    }

    /// The game of a journal as far as it holds, and where it does not.
    async fn resume(
        &self,
        volume: &Arc<Volume>,
        parsed: Parsed,
        secret: Option<[u8; 32]>,
    ) -> Result<(Box<dyn Table>, Option<Broken>), Failure> {
        let volume = volume.clone();
        let faulty = |broken: Broken| Failure::new(Code::FaultyJournal, broken.to_string());
        self.shared.work(move || volume.scenario.resume(parsed, secret).map_err(faulty)).await
    }

    async fn keep(
        &self,
        table: Box<dyn Table>,
        volume: &Arc<Volume>,
        secret: String,
        sitters: BySide<Sitter>,
        public: bool,
        broken: Option<String>,
    ) -> Result<Created, Failure> {
        let id = seats::random_id()?;
        let mut new_seats = BySide::default();
        let mut rows = Vec::with_capacity(2);
        for side in Side::BOTH {
            let (row, new) = sit(side, &sitters[side])?;
            rows.push(row);
            new_seats[side] = new;
        }
        let lines: Vec<String> = table.journal().lines().map(str::to_owned).collect();
        let made = time::now() as i64;
        let game = GameRow {
            id: id.clone(),
            made,
            touched: made,
            public,
            secret,
            summary: String::new(),
            asked: None,
        };
        let mut kept = Kept { game, seats: rows, lines };
        // The room is what a restart would make of it, so that a new game and a kept one never differ.
        let (copy, shelf, shared) = (kept.clone(), volume.clone(), self.shared.clone());
        let room = self.shared.work(move || Room::new(copy, shelf, shared, 0)).await?;
        let play = room.play().await?;
        let status = room.face(&play, Held::default()).status;
        kept.game.summary = Summary::of(&volume.face, &play, 0, status).write();
        drop(play);
        self.shared.store.create(kept).await?;
        let room = Arc::new(room);
        let cell = Arc::new(OnceCell::new_with(Some(room.clone())));
        locked(&self.rooms).insert(id.clone(), cell);
        self.shared.metrics.created.add(1);
        computer::wake(&room, &*room.play().await?);
        Ok(Created { game: id, seats: new_seats, broken })
    }

    /// Sits down with an invitation.
    pub(crate) async fn claim(
        &self,
        id: &str,
        invitation: &str,
        name: &str,
        token: &str,
    ) -> Result<Side, Failure> {
        let name = requests::name(name)?;
        if !seats::is_token(token) {
            return Err(Failure::new(
                Code::Malformed,
                "`token` must be 64 hexadecimal digits of the client's own making.",
            ));
        }
        let room = self.room(id).await?;
        let mut play = room.play().await?;
        let side = Side::BOTH.into_iter().find(|&side| play.seats[side].invites(invitation));
        let side = side.ok_or_else(|| {
            Failure::new(Code::ForgedInvitation, "The invitation fits no seat of this game.")
        })?;
        if play.seats[side].is_held_by(token) {
            return Ok(side);
        }
        let taken = || {
            Failure::new(Code::SeatTaken, "Somebody has opened this invitation before and holds the seat.")
        };
        if play.seats[side].taken() || Tokens::one(Some(token.to_owned())).seats(&play.seats).is_ok() {
            return Err(taken());
        }
        let hash = seats::hash(token);
        self.shared.store.claim(id, side.index() as i64, hash.clone(), name.clone()).await.map_err(
            |error| match error {
                store::StoreError::Conflict => taken(),
                error => error.into(),
            },
        )?;
        play.seats[side].give(hash, name);
        room.tell(crate::room::News::Face);
        Ok(side)
    }
}

fn no_such_game() -> Failure {
    Failure::new(Code::NoSuchGame, "There is no such game.")
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// When a game that nobody holds was last used.
fn unwatched(cell: &Cell) -> Option<u64> {
    let room = cell.get()?;
    (Arc::strong_count(cell) == 1 && Arc::strong_count(room) == 1).then(|| room.used.load(Ordering::Relaxed))
}

/// Does long work away from the threads that answer.
pub(crate) async fn away<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|_| Err(Failure::internal("work away from the threads failed")))
}

/// The same, in its turn. Whoever asked may hang up: the turn ends with the work.
pub(crate) async fn away_with<T: Send + 'static>(
    turn: impl Send + 'static,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    away(move || {
        let _turn = turn;
        work()
    })
    .await
}

fn check_sitters(sitters: BySide<Sitter>) -> Result<BySide<Sitter>, Failure> {
    let check = |sitter: Sitter| match sitter {
        Sitter::Here { name } => Ok(Sitter::Here { name: requests::name(&name)? }),
        Sitter::Link => Ok(Sitter::Link),
        Sitter::Computer { level } => match level.parse::<Player>() {
            Ok(_) => Ok(Sitter::Computer { level }),
            Err(unknown) => Err(Failure::new(Code::NoSuchLevel, unknown.to_string())),
        },
    };
    let BySide { first, second } = sitters.map(check);
    Ok(BySide { first: first?, second: second? })
}

fn two_people(sitters: &BySide<Sitter>) -> Result<(), Failure> {
    if sitters.iter().any(|(_, sitter)| matches!(sitter, Sitter::Computer { .. })) {
        return Err(Failure::new(Code::Malformed, "Real dice need two people: a computer cannot roll them."));
    }
    Ok(())
}

fn called(sitter: &Sitter) -> String {
    match sitter {
        Sitter::Here { name } => name.clone(),
        Sitter::Link => "by invitation".to_owned(),
        Sitter::Computer { level } => level.clone(),
    }
}

fn sit(side: Side, sitter: &Sitter) -> Result<(SeatRow, NewSeat), Failure> {
    let mut row = SeatRow {
        side: side.index() as i64,
        kind: String::new(),
        name: String::new(),
        invitation: None,
        token: None,
    };
    let mut new = NewSeat::default();
    match sitter {
        Sitter::Here { name } => {
            let token = seats::random_token()?;
            row.kind = "here".into();
            row.name = name.clone();
            row.token = Some(seats::hash(&token));
            new.token = Some(token);
        }
        Sitter::Link => {
            let invitation = seats::random_token()?;
            row.kind = "link".into();
            row.invitation = Some(seats::hash(&invitation));
            new.invitation = Some(invitation);
        }
        Sitter::Computer { level } => {
            row.kind = "computer".into();
            row.name = level.clone();
        }
    }
    Ok((row, new))
}
