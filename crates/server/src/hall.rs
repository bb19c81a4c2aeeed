//! All games: those in memory, those on disk, and new ones.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use catalogue::{NewDice, Table};
use game::journal::{self, DiceOf, Header, Parsed};
use game::session::{Throw, commitment};
use game::{BySide, Now, Options, Side};
use store::{GameRow, Job, Kept, Promise, SeatRow, Store, Swap};
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore, watch};

use crate::accounts::Accounts;
use crate::compilers::Compilers;
use crate::config::Config;
use crate::metrics::{Metrics, Moment};
use crate::notices::{self, Notices};
use crate::ops::Pulse;
use crate::order::Order;
use crate::owners::{Client, Owners};
use crate::problem::OrFailed;
use crate::reviews::Reviews;
use crate::room::Room;
use crate::studies::Studies;
use crate::summary::{self, Summary};
use crate::thinkers::Thinkers;
use crate::trial::Trial;
use crate::world;
use crate::{chance, clocks, computer, pictures, ratings};
use host::Failure;
use host::seats::{self, Held, Seat, Tokens};
use host::wire::{
    AskDemonstration, ClockTerms, Code, Commitment, Created, Demonstration, DiceKind, GameFace, GameList,
    Import, Invited, Mine, NewGame, OwnScenario, Preview, SeatKind, Sitter,
};
use host::{Library, Play, Volume};
use host::{begin, requests};

/// How long a commitment waits for its game.
const COMMITMENT_KEPT: Duration = Duration::from_secs(600);
const COMMITMENTS: u64 = 10_000;
/// How long work waits for a worker.
const WORK_WITHIN: Duration = Duration::from_secs(10);
/// The longest scenario that a player may bring along, in bytes: ten times the longest of the library.
const LONGEST_SCENARIO: usize = 200 << 10;

/// What every game needs of the server.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) store: Store,
    pub(crate) library: Arc<Library>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) owners: Owners,
    pub(crate) thinkers: Arc<Thinkers>,
    pub(crate) compilers: Compilers,
    pub(crate) weighers: Arc<Semaphore>,
    pub(crate) reviews: Reviews,
    /// How long computers play on when nobody looks.
    pub(crate) unwatched: Duration,
    workers: Arc<Semaphore>,
    places: usize,
    waiting: AtomicUsize,
    pub(crate) down: watch::Sender<bool>,
    down_flag: AtomicBool,
    /// When no server could play on.
    pub(crate) known: clocks::Known,
    pub(crate) notices: Notices,
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
        away_with(self.worker().await?, work).await
    }

    async fn worker(&self) -> Result<OwnedSemaphorePermit, Failure> {
        if let Ok(turn) = self.workers.clone().try_acquire_owned() {
            return Ok(turn);
        }
        self.waiting.fetch_add(1, Ordering::AcqRel);
        let turn = tokio::time::timeout(WORK_WITHIN, self.workers.clone().acquire_owned()).await;
        self.waiting.fetch_sub(1, Ordering::AcqRel);
        turn.ok().and_then(Result::ok).ok_or_else(|| {
            self.metrics.busy.increment(1);
            Failure::new(Code::Busy, "The server has too much to do; try again in a moment.")
        })
    }

    /// Whether more waits than can be done soon.
    pub(crate) fn saturated(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= self.places || self.compilers.saturated()
    }

    /// Opens a scenario. What a player has brought along waits for a place of its own, and is tried out before.
    pub(crate) async fn volume(
        self: &Arc<Self>,
        id: String,
        text: Option<String>,
        options: Options,
        known: Known,
    ) -> Result<Arc<Volume>, Failure> {
        let shared = self.clone();
        let Some(text) = text else {
            return self.work(move || shared.library.volume(&id, None, &options)).await;
        };
        if known == Known::No {
            not_too_long(&text)?;
        }
        if let Some(volume) = self.library.open_already(&id, &text, &options) {
            return Ok(volume);
        }
        let turn = self.compilers.turn(&self.metrics).await?;
        if known == Known::No {
            let (id, text, options) = (&id, &text, &options);
            self.compilers.try_out(Trial::Scenario { id, text, options }, &self.metrics).await?;
        }
        away_with(turn, move || shared.library.volume(&id, Some(&text), &options)).await
    }

    /// No new work from here on.
    pub(crate) fn go_down(&self) {
        self.down_flag.store(true, Ordering::Release);
        self.thinkers.close();
        self.down.send_replace(true);
    }
}

/// Whether a scenario was tried out before, when its game was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Yes,
    No,
}

type Cell = Arc<OnceCell<Arc<Room>>>;

/// All games.
#[derive(Debug)]
pub(crate) struct Hall {
    pub(crate) shared: Arc<Shared>,
    rooms: Mutex<HashMap<String, Cell>>,
    pub(crate) pulse: Pulse,
    pub(crate) studies: Arc<Studies>,
    pub(crate) accounts: Accounts,
    pub(crate) order: Order,
    pub(crate) idle: Duration,
    pub(crate) most: usize,
    pub(crate) archive_after: Duration,
}

impl Hall {
    pub(crate) fn new(config: &Config, store: Store, owners: Owners, metrics: Arc<Metrics>) -> Self {
        players::think_on(config.thinkers.max(1));
        let shared = Shared {
            library: Arc::new(Library::new(config.books.clone())),
            metrics,
            owners,
            // Where nobody else could think, somebody must.
            thinkers: Thinkers::new(config.thinkers.max(usize::from(!store.shared()))),
            compilers: Compilers::new(config),
            weighers: Arc::new(Semaphore::new(config.thinkers.max(1))),
            reviews: Reviews::default(),
            unwatched: config.unwatched,
            workers: Arc::new(Semaphore::new(config.workers.max(1))),
            places: config.workers.max(1),
            waiting: AtomicUsize::new(0),
            down: watch::Sender::new(false),
            down_flag: AtomicBool::new(false),
            known: clocks::Known::default(),
            notices: Notices::default(),
            store,
        };
        Hall {
            shared: Arc::new(shared),
            rooms: Mutex::default(),
            pulse: Pulse::default(),
            studies: Studies::new(config),
            accounts: Accounts::new(config),
            order: Order::new(config),
            idle: config.idle,
            most: config.games_in_memory,
            archive_after: config.archive_after,
        }
    }

    /// The game of that id, for somebody who looks at it.
    pub(crate) async fn room(&self, id: &str) -> Result<Arc<Room>, Failure> {
        let room = self.fetch(id).await?;
        room.look();
        Ok(room)
    }

    /// The game of that id, set up from disk if need be.
    pub(crate) async fn fetch(&self, id: &str) -> Result<Arc<Room>, Failure> {
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
        let store = &self.shared.store;
        let kept = store.game(id).await.or_failed()?.ok_or_else(no_such_game)?;
        let chat = store.last_chat(id).await.or_failed()?;
        let picture = store.picture(id).await.or_failed()?;
        let header =
            kept.lines.first().and_then(|line| journal::parse(line).ok()).map(|parsed| parsed.header);
        let header = header.ok_or_else(|| Failure::internal("a kept game without a first line"))?;
        let opened = self.shared.volume(header.scenario, header.text, header.options, Known::Yes).await;
        let volume = match opened {
            Ok(volume) => Some(volume),
            // It can still be read.
            Err(failure) if failure.0.code.status().is_client_error() => {
                tracing::warn!(game = id, problem = %failure.0.message, "the scenario of a kept game cannot be opened");
                None
            }
            Err(failure) => return Err(failure),
        };
        let shared = self.shared.clone();
        let room = self
            .shared
            .work(move || {
                let still = picture.as_ref().and_then(pictures::read);
                let room = Room::new(kept, chat, still, volume, shared)?;
                room.drawn.store(picture.map_or(0, |p| p.state as u64), Ordering::Relaxed);
                Ok(Arc::new(room))
            })
            .await?;
        room.read_slips().await?;
        room.start_clock(&mut *room.seen().await?).await?;
        room.mark_ordered(&mut *room.seen().await?);
        self.shared.metrics.loaded.increment(1);
        computer::found(&room).await?;
        Ok(room)
    }

    /// The numbers of this moment.
    pub(crate) fn moment(&self) -> Moment {
        let shared = &self.shared;
        let (thinkers_busy, thinkers_waiting) = shared.thinkers.count();
        Moment {
            in_memory: locked(&self.rooms).len(),
            workers_busy: shared.places - shared.workers.available_permits().min(shared.places),
            workers_waiting: shared.waiting.load(Ordering::Relaxed),
            thinkers_busy,
            thinkers_waiting,
            compilers_waiting: shared.compilers.waiting(),
            writes_waiting: shared.store.waiting(),
            database: shared.store.size(),
        }
    }

    /// The games in memory.
    pub(crate) fn rooms(&self) -> Vec<Arc<Room>> {
        let mut rooms: Vec<Arc<Room>> =
            locked(&self.rooms).values().filter_map(|cell| cell.get().cloned()).collect();
        rooms.sort_by(|a, b| a.about.id.cmp(&b.about.id));
        rooms
    }

    /// A game in memory.
    pub(crate) fn in_memory(&self, id: &str) -> Option<Arc<Room>> {
        locked(&self.rooms).get(id).and_then(|cell| cell.get().cloned())
    }

    /// Lets go of games that nobody has looked at for a while, and names those that must be drawn before.
    pub(crate) fn sweep(&self) -> Vec<Arc<Room>> {
        let mut rooms = locked(&self.rooms);
        // Whoever asked for a game that was still being loaded may have hung up.
        rooms.retain(|_, cell| cell.initialized() || Arc::strong_count(cell) > 1);
        let too_many = rooms.len().saturating_sub(self.most);
        let mut idle: Vec<(u64, String)> =
            rooms.iter().filter_map(|(id, cell)| Some((unwatched(cell)?, id.clone()))).collect();
        idle.sort_unstable();
        let limit = world::now().saturating_sub(self.idle.as_millis() as u64);
        let mut undrawn = Vec::new();
        for (index, (used, id)) in idle.into_iter().enumerate() {
            if used >= limit && index >= too_many {
                continue;
            }
            match rooms.get(&id).and_then(|cell| cell.get()).filter(|room| room.undrawn()) {
                Some(room) => undrawn.push(room.clone()),
                None => {
                    rooms.remove(&id);
                    self.shared.metrics.unloaded.increment(1);
                }
            }
        }
        undrawn
    }

    /// Lets go of these games, but for those that somebody holds; answers which are gone.
    pub(crate) fn let_go(&self, ids: Vec<String>) -> Vec<String> {
        let mut rooms = locked(&self.rooms);
        let free = |id: &String| rooms.get(id).is_none_or(|cell| unwatched(cell).is_some());
        let ids: Vec<String> = ids.into_iter().filter(free).collect();
        for id in &ids {
            rooms.remove(id);
        }
        ids
    }

    // ------------------------------------------------------------------------------------------ lists

    /// Public games, the latest first.
    pub(crate) async fn list(&self, before: Option<u64>, limit: Option<u32>) -> Result<GameList, Failure> {
        let limit = i64::from(limit.unwrap_or(50).clamp(1, 100));
        let before = before.and_then(|b| i64::try_from(b).ok()).unwrap_or(i64::MAX);
        let rows = self.shared.store.public(before, limit).await.or_failed()?;
        let next = (rows.len() as i64 == limit).then(|| rows.last().map(|row| row.touched as u64)).flatten();
        let mut games = Vec::with_capacity(rows.len());
        for row in rows {
            let seats = self.shared.store.seats(&row.id).await.or_failed()?;
            games.extend(Summary::face(&row, seats, Held::default(), self.present(&row.id)));
        }
        self.set_clocks(&mut games).await?;
        Ok(GameList { games, next })
    }

    /// The games of the named seats; those that fit no seat are left out.
    pub(crate) async fn mine(&self, mine: Mine) -> Result<Vec<GameFace>, Failure> {
        if mine.seats.len() > 200 {
            return Err(Failure::new(Code::Malformed, "At most 200 seats at once."));
        }
        let mut games = Vec::new();
        for seat in mine.seats {
            let Some(row) = self.shared.store.summary(&seat.game).await.or_failed()? else { continue };
            let rows = self.shared.store.seats(&seat.game).await.or_failed()?;
            let holds = |row: &&SeatRow| summary::seat((*row).clone()).is_held_by(&seat.token);
            let Some(held) = rows.iter().find(holds) else { continue };
            let side = if held.side == 0 { Side::First } else { Side::Second };
            games.extend(Summary::face(&row, rows, Held::side(side), self.present(&seat.game)));
        }
        self.set_clocks(&mut games).await?;
        games.sort_by_key(|game| std::cmp::Reverse(game.touched));
        Ok(games)
    }

    pub(crate) fn present(&self, id: &str) -> BySide<bool> {
        let rooms = locked(&self.rooms);
        let room = rooms.get(id).and_then(|cell| cell.get());
        BySide::from_fn(|side| room.is_some_and(|r| r.present[side].load(Ordering::Relaxed) > 0))
    }

    // ------------------------------------------------------------------------------------------ new games

    /// Promises dice for a game to come, on whichever node it will be made.
    pub(crate) async fn commit(&self, client: Client) -> Result<Commitment, Failure> {
        let Shared { owners, store, metrics, .. } = &*self.shared;
        let owner = owners.name(client);
        let secret = chance::bytes::<32>()?;
        let commitment = commitment(&secret);
        let now = world::now() as i64;
        let (all, own) = store.promises(&owner, now).await.or_failed()?;
        if own >= owners.quotas.commitments as u64 * u64::from(client.share()) {
            metrics.over_quota.increment(1);
            return Err(Failure::new(
                Code::TooMany,
                "Too many commitments to your address wait for their games; use them, or wait ten minutes.",
            ));
        }
        if all >= COMMITMENTS {
            return Err(Failure::new(
                Code::Busy,
                "Too many commitments wait for their games; try again in a while.",
            ));
        }
        let until = now + COMMITMENT_KEPT.as_millis() as i64;
        let promise = Promise { commitment: commitment.clone(), secret: journal::hex(&secret), until, owner };
        store.promise(promise).await.or_failed()?;
        Ok(Commitment { commitment, seconds: COMMITMENT_KEPT.as_secs() as u32 })
    }

    async fn secret(&self, commitment: Option<&str>) -> Result<[u8; 32], Failure> {
        let Some(commitment) = commitment else { return chance::bytes() };
        let secret = self.shared.store.redeem(commitment, world::now() as i64).await.or_failed()?;
        secret.and_then(|hex| journal::unhex(&hex)?.try_into().ok()).ok_or_else(|| {
            Failure::new(Code::NoSuchCommitment, "This commitment is unknown, used or too old.")
        })
    }

    /// Sets up a new game.
    pub(crate) async fn create(&self, new: NewGame, client: Client) -> Result<Created, Failure> {
        self.set_up(new, client, Origin::default()).await
    }

    /// Sets up a new game, which may be an old one fought again.
    pub(crate) async fn set_up(
        &self,
        new: NewGame,
        client: Client,
        origin: Origin,
    ) -> Result<Created, Failure> {
        let sitters = begin::check_sitters(new.seats)?;
        let origin = Origin { clock: new.clock, ..origin };
        clocks::may_have(origin.clock, &sitters)?;
        if new.dice == DiceKind::Table {
            begin::two_people(&sitters)?;
        }
        let (scenario, text, options) = (new.scenario, new.text, new.options);
        if scenario.len() > 200 || options.len() > 100 || options.keys().any(|name| name.len() > 100) {
            return Err(Failure::new(Code::Malformed, "The scenario's id or the house rules are too long."));
        }
        let owner = self.may_create(client).await?;
        let volume = self.shared.volume(scenario, text, options, Known::No).await?;
        if let Some((sitters, dice)) = begin::lesson(&volume, &sitters) {
            let (shelf, seated) = (volume.clone(), sitters.clone());
            let start = move || begin::muster(&shelf, &seated, dice, &Throw::default());
            let table = self.shared.work(start).await?;
            let (secret, public) = (String::new(), new.public);
            return self
                .keep(table, &volume, NewRow { secret, sitters, public, broken: None, owner, origin })
                .await;
        }
        let (dice, secret, throw) = match new.dice {
            DiceKind::Sealed => {
                // The salt is looked at before a commitment is used up.
                let throw = requests::throw(&DiceOf::Commit(String::new()), new.salt.as_deref(), Vec::new())?;
                let secret = self.secret(new.commitment.as_deref()).await?;
                (NewDice::Secret(secret), journal::hex(&secret), throw)
            }
            // Nobody sits at the table yet who could roll for the muster.
            DiceKind::Table => {
                let throw = Throw { salt: chance::bytes::<16>()?.to_vec(), typed: Vec::new() };
                (NewDice::Table, String::new(), throw)
            }
        };
        let (shelf, seated) = (volume.clone(), sitters.clone());
        let start = move || begin::muster(&shelf, &seated, dice, &throw);
        let mut table = self.shared.work(start).await?;
        if new.rolls_back {
            table.let_rolls_back();
        }
        let public = new.public;
        self.keep(table, &volume, NewRow { secret, sitters, public, broken: None, owner, origin }).await
    }

    /// Reads a scenario that somebody brings along, and shows how it opens.
    pub(crate) async fn read_scenario(&self, own: OwnScenario) -> Result<Preview, Failure> {
        if own.name.len() > 100 {
            return Err(Failure::new(Code::Malformed, "The scenario's name is too long: 100 bytes at most."));
        }
        let volume = self.shared.volume(own.name.clone(), Some(own.text), Options::new(), Known::No).await?;
        let mut preview = self.shared.work(move || volume.preview()).await?;
        preview.scenario.id = format!("{}/{}", preview.scenario.system, own.name);
        Ok(preview)
    }

    /// Plays a situation that somebody brings along, and shows it step by step.
    pub(crate) async fn demonstrate(&self, ask: AskDemonstration) -> Result<Demonstration, Failure> {
        let (text, shared) = (ask.text, self.shared.clone());
        not_too_long(&text)?;
        let Shared { compilers, metrics, .. } = &*self.shared;
        let turn = compilers.turn(metrics).await?;
        compilers.try_out(Trial::Demonstration { text: &text }, metrics).await?;
        away_with(turn, move || shared.library.demonstrate(&text)).await
    }

    async fn may_create(&self, client: Client) -> Result<String, Failure> {
        let Shared { owners, store, metrics, .. } = &*self.shared;
        owners.may_create(client, store, metrics).await
    }

    /// Goes on from a journal.
    pub(crate) async fn import(&self, import: Import, client: Client) -> Result<Created, Failure> {
        let sitters = begin::check_sitters(import.seats)?;
        let read =
            || journal::parse(&import.journal).map_err(|b| Failure::new(Code::FaultyJournal, b.to_string()));
        let mut parsed = read()?;
        self.shared.owners.may_grow(parsed.lines.len() as u64)?;
        let owner = self.may_create(client).await?;
        let Header { scenario, text, options, .. } = parsed.header.clone();
        let volume = self.shared.volume(scenario, text, options, Known::No).await?;
        let public = import.public;
        if begin::has_ended(&parsed) {
            let (table, broken) = self.resume(&volume, parsed, None).await?;
            // A game that holds to its end is only looked at, whatever is written after it.
            if matches!(table.now(), Now::Over(_)) {
                let (secret, origin) = (String::new(), Origin::default());
                return self
                    .keep(table, &volume, NewRow { secret, sitters, public, broken, owner, origin })
                    .await;
            }
            parsed = read()?;
        }
        // What goes on is a new game with new dice; what was rolled stays as it is written.
        let secret = begin::take_over(&mut parsed, &sitters, chance::bytes()?)?;
        let (table, broken) = self.resume(&volume, parsed, secret).await?;
        let secret = secret.map_or_else(String::new, |s| journal::hex(&s));
        let origin = Origin::default();
        self.keep(table, &volume, NewRow { secret, sitters, public, broken, owner, origin }).await
    }

    async fn resume(
        &self,
        volume: &Arc<Volume>,
        parsed: Parsed,
        secret: Option<[u8; 32]>,
    ) -> Result<(Box<dyn Table>, Option<String>), Failure> {
        let volume = volume.clone();
        self.shared.work(move || begin::resume(&volume, parsed, secret)).await
    }

    async fn keep(
        &self,
        table: Box<dyn Table>,
        volume: &Arc<Volume>,
        new: NewRow,
    ) -> Result<Created, Failure> {
        let NewRow { secret, sitters, public, broken, owner, origin } = new;
        let id = chance::id()?;
        let mut new_seats = BySide::default();
        let mut rows = Vec::with_capacity(2);
        for side in Side::BOTH {
            let own = origin.token.as_ref().filter(|(own, _)| *own == side).map(|(_, token)| token.clone());
            let (seat, new) = begin::sit(&sitters[side], own.map_or_else(chance::token, Ok)?);
            rows.push(row(side, seat));
            new_seats[side] = new;
        }
        let lines: Vec<String> = table.journal().lines().map(str::to_owned).collect();
        let made = world::now() as i64;
        let game = GameRow {
            id: id.clone(),
            made,
            touched: made,
            public,
            secret,
            summary: String::new(),
            asked: None,
            owner,
            bytes: 0,
            version: 0,
            rematch: None,
            over: false,
            archive: None,
        };
        let mut kept = Kept { game, seats: rows, lines };
        // The room is what a restart would make of it, so that a new game and a kept one never differ.
        let (copy, shelf, shared) = (kept.clone(), volume.clone(), self.shared.clone());
        let room = self.shared.work(move || Room::new(copy, 0, None, Some(shelf), shared)).await?;
        let play = room.seen().await?;
        let status = room.face(&play, Held::default()).status;
        kept.game.over = play.over();
        kept.game.summary = Summary::of(&room.about.heading, &play, 0, status).write();
        let due = match room.job(&play) {
            Job::Due(due) => Some(due),
            Job::None | Job::Done => None,
        };
        let mut slips: Vec<Swap> = origin.clock.map(|terms| clocks::wind(terms, &play)).into_iter().collect();
        slips.extend(origin.rated.as_ref().map(ratings::Agreed::slip));
        drop(play);
        room.slips.keep(&slips);
        match &origin.of {
            None => self.shared.store.create_with(kept, due, slips).await.or_failed()?,
            Some(old) => old.fight_again(kept, slips).await?,
        }
        let room = Arc::new(room);
        let cell = Arc::new(OnceCell::new_with(Some(room.clone())));
        locked(&self.rooms).insert(id.clone(), cell);
        self.shared.metrics.created.increment(1);
        computer::wake(&room, &*room.seen().await?);
        Ok(Created { game: id, seats: new_seats, broken })
    }

    /// What an invitation is for.
    pub(crate) async fn invited(&self, id: &str, invitation: &str) -> Result<Invited, Failure> {
        let room = self.room(id).await?;
        let play = room.play().await?;
        let side = invited_side(&play, invitation)?;
        Ok(Invited { game: room.face(&play, Held::default()), side })
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
        let side = invited_side(&play, invitation)?;
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
        let tells = notices::of_joining(&self.shared, side);
        let seat = side.index() as i64;
        let claimed = self.shared.store.claim_and_tell(id, seat, hash.clone(), name.clone(), tells).await;
        let version = claimed.map_err(|error| match error {
            store::StoreError::Conflict => taken(),
            error => crate::problem::store_failed(error),
        })?;
        room.advance(version);
        play.seats[side].give(hash, name);
        room.start_clock(&mut play).await?;
        room.tell(crate::room::News::Face);
        Ok(side)
    }
}

/// The side whose seat an invitation opens.
fn invited_side(play: &Play, invitation: &str) -> Result<Side, Failure> {
    let forged = || Failure::new(Code::ForgedInvitation, "The invitation fits no seat of this game.");
    Side::BOTH.into_iter().find(|&side| play.seats[side].invites(invitation)).ok_or_else(forged)
}

/// What a new game needs besides its table.
struct NewRow {
    secret: String,
    sitters: BySide<Sitter>,
    public: bool,
    broken: Option<String>,
    owner: String,
    origin: Origin,
}

/// Where a new game comes from, if not out of nowhere.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    /// A seat's token that its holder has made up.
    pub(crate) token: Option<(Side, String)>,
    /// The game that is fought again.
    pub(crate) of: Option<Arc<Room>>,
    /// Its clock.
    pub(crate) clock: Option<ClockTerms>,
    /// What was agreed about ratings.
    pub(crate) rated: Option<ratings::Agreed>,
}

fn not_too_long(text: &str) -> Result<(), Failure> {
    if text.len() <= LONGEST_SCENARIO {
        return Ok(());
    }
    let (size, most) = (text.len() >> 10, LONGEST_SCENARIO >> 10);
    Err(Failure::new(Code::TooLarge, format!("The text has {size} KiB; at most {most} are taken.")))
}

pub(crate) fn no_such_game() -> Failure {
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
    world::blocking(work)
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

/// A seat as it is kept.
fn row(side: Side, seat: Seat) -> SeatRow {
    let kind = match seat.kind {
        SeatKind::Here => "here",
        SeatKind::Link => "link",
        SeatKind::Computer => "computer",
    };
    let Seat { name, invitation, token, .. } = seat;
    SeatRow { side: side.index() as i64, kind: kind.to_owned(), name, invitation, token }
}
