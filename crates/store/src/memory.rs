//! A database in memory that several nodes share, for simulations: it does what the real ones do, as late and as unsurely as
//! it is told to, and it can be weakened to see that a simulation notices.

mod accounts;
mod notices;
mod order;
mod ratings;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::rows::{
    ChallengeRow, Change, ChatRow, GameRow, Job, Kept, Kind, News, Picture, Promise, Request, ReviewRow,
    SeatRow, Task, Untouched, Waiting,
};
use crate::slips::{SlipRow, Swap};
use crate::work::{FORGOTTEN_AFTER, Whole, Work, said, size};
use crate::{Store, StoreError};

/// What stands between a node and the database.
pub trait Line: Debug + Send + Sync {
    /// The way there: it may take a while, break (nothing is done), or never end.
    fn there(&self) -> Way<'_>;
    /// The way back: the same, but what was asked has been done.
    fn back(&self) -> Way<'_>;
    /// Whether a write is given up by its author and arrives all the same, some time later.
    fn strays(&self) -> bool {
        false
    }
}

/// A way between a node and the database.
pub type Way<'a> = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'a>>;

/// What the database leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weakness {
    /// Nothing.
    #[default]
    None,
    /// It does not look how many lines a journal has, and has no key on them.
    NoKey,
    /// It forgets which requests were granted in the transaction of the change: the two are written one after the other, and a
    /// line that breaks leaves the one without the other.
    NoTransaction,
}

/// The database.
#[derive(Debug, Default)]
pub struct Memory {
    tables: Mutex<Tables>,
    /// Writes that were given up and have not yet arrived.
    astray: Mutex<Vec<Work>>,
    weakness: Weakness,
}

#[derive(Debug, Default)]
struct Tables {
    games: BTreeMap<String, Game>,
    facts: BTreeMap<String, String>,
    promises: BTreeMap<String, Promise>,
    challenges: BTreeMap<String, ChallengeRow>,
    accounts: accounts::Accounts,
    notices: notices::Notices,
    order: order::Order,
    ratings: ratings::Ratings,
    jobs: BTreeMap<(Kind, String), Queued>,
    reviews: BTreeMap<String, ReviewRow>,
}

/// Something that waits.
#[derive(Debug, Clone, Copy)]
struct Queued {
    seq: i64,
    due: i64,
    done: i64,
}

#[derive(Debug, Clone)]
struct Game {
    row: GameRow,
    seats: Vec<SeatRow>,
    lines: Vec<String>,
    requests: BTreeMap<String, Request>,
    chat: BTreeMap<i64, ChatRow>,
    picture: Option<Picture>,
    drawn: i64,
    slips: BTreeMap<String, (String, Option<i64>)>,
}

impl Memory {
    /// An empty database.
    #[must_use]
    pub fn new(weakness: Weakness) -> Arc<Self> {
        Arc::new(Memory { tables: Mutex::default(), astray: Mutex::default(), weakness })
    }

    /// The database as a node at the end of this line sees it.
    #[must_use]
    pub fn store(self: &Arc<Self>, line: Arc<dyn Line>) -> Store {
        Store::at(Node { memory: self.clone(), line })
    }

    /// What went astray arrives now.
    pub fn arrive(&self) {
        let astray = std::mem::take(&mut *self.astray.lock().unwrap_or_else(PoisonError::into_inner));
        for work in astray {
            // Nobody waits for the answer.
            let _ = self.tables().write(&work, self.weakness);
        }
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A node's end of the line.
#[derive(Debug)]
pub(crate) struct Node {
    memory: Arc<Memory>,
    line: Arc<dyn Line>,
}

type Read<T> = Result<T, StoreError>;

impl Node {
    async fn read<T>(&self, look: impl FnOnce(&Tables) -> T) -> Read<T> {
        self.line.there().await?;
        let found = look(&self.memory.tables());
        self.line.back().await?;
        Ok(found)
    }

    pub(crate) async fn write(&self, work: Work) -> Result<i64, StoreError> {
        self.line.there().await?;
        if self.line.strays() {
            self.memory.astray.lock().unwrap_or_else(PoisonError::into_inner).push(work);
            return Err(StoreError::Unreachable("it did not answer in time".into()));
        }
        let weakness = self.memory.weakness;
        if let (Weakness::NoTransaction, Work::Change(change)) = (weakness, &work) {
            let mut half = change.clone();
            half.request = None;
            let version = self.memory.tables().write(&Work::Change(half), weakness)?;
            self.line.back().await?;
            if let (Some(request), Some(game)) =
                (&change.request, self.memory.tables().games.get_mut(&change.game))
            {
                game.requests.insert(request.id.clone(), request.clone());
            }
            return Ok(version);
        }
        let written = self.memory.tables().write(&work, weakness);
        self.line.back().await?;
        written
    }

    pub(crate) async fn news(&self, id: &str, from: i64) -> Read<Option<News>> {
        self.read(|tables| {
            let game = tables.games.get(id)?;
            let lines = game.lines.iter().skip(from as usize).cloned().collect();
            let chat = game.chat.keys().next_back().copied().unwrap_or(0);
            Some(News { game: game.row.clone(), seats: game.seats.clone(), lines, chat })
        })
        .await
    }

    pub(crate) async fn summary(&self, id: &str) -> Read<Option<GameRow>> {
        self.read(|tables| tables.games.get(id).map(|game| game.row.clone())).await
    }

    pub(crate) async fn version(&self, id: &str) -> Read<Option<i64>> {
        self.read(|tables| tables.games.get(id).map(|game| game.row.version)).await
    }

    pub(crate) async fn outdated(&self, known: &[(String, i64)]) -> Read<Vec<String>> {
        self.read(|tables| {
            let version = |id: &String| tables.games.get(id).map(|game| game.row.version);
            known.iter().filter(|(id, v)| version(id) != Some(*v)).map(|(id, _)| id.clone()).collect()
        })
        .await
    }

    pub(crate) async fn seats(&self, game: &str) -> Read<Vec<SeatRow>> {
        self.read(|tables| tables.games.get(game).map(|game| game.seats.clone()).unwrap_or_default()).await
    }

    pub(crate) async fn public(&self, before: i64, limit: i64) -> Read<Vec<GameRow>> {
        let listed = |row: &GameRow| row.public && row.touched < before;
        let mut rows: Vec<GameRow> = self
            .read(|tables| tables.games.values().map(|game| game.row.clone()).filter(listed).collect())
            .await?;
        rows.sort_by_key(|row| std::cmp::Reverse(row.touched));
        rows.truncate(limit as usize);
        Ok(rows)
    }

    pub(crate) async fn ids(&self) -> Read<Vec<String>> {
        let made = |game: &Game| (game.row.made, game.row.id.clone());
        let mut ids: Vec<_> = self.read(|tables| tables.games.values().map(made).collect()).await?;
        ids.sort();
        Ok(ids.into_iter().map(|(_, id)| id).collect())
    }

    pub(crate) async fn request(&self, game: &str, id: &str) -> Read<Option<Request>> {
        self.read(|tables| tables.games.get(game)?.requests.get(id).cloned()).await
    }

    pub(crate) async fn requests(&self, game: &str) -> Read<Vec<Request>> {
        let all = |game: &Game| game.requests.values().cloned().collect();
        self.read(|tables| tables.games.get(game).map(all).unwrap_or_default()).await
    }

    pub(crate) async fn chat(&self, game: &str, after: i64, limit: i64) -> Read<Vec<ChatRow>> {
        let some = |game: &Game| {
            let later = game.chat.iter().filter(|(n, _)| **n > after);
            later.take(limit as usize).map(|(_, line)| line.clone()).collect()
        };
        self.read(|tables| tables.games.get(game).map(some).unwrap_or_default()).await
    }

    pub(crate) async fn last_chat(&self, game: &str) -> Read<i64> {
        let last = |game: &Game| game.chat.keys().next_back().copied();
        self.read(|tables| tables.games.get(game).and_then(last).unwrap_or(0)).await
    }

    pub(crate) async fn slips(&self, game: &str) -> Read<Vec<SlipRow>> {
        self.read(|tables| tables.games.get(game).map(Game::slips).unwrap_or_default()).await
    }

    pub(crate) async fn due_slips(&self, now: i64, limit: i64) -> Read<Vec<SlipRow>> {
        let due = |slip: &SlipRow| slip.due.is_some_and(|due| due <= now);
        let mut slips: Vec<SlipRow> =
            self.read(|tables| tables.games.values().flat_map(Game::slips).filter(due).collect()).await?;
        slips.sort_by_key(|slip| (slip.due, slip.game.clone(), slip.name.clone()));
        slips.truncate(limit as usize);
        Ok(slips)
    }

    pub(crate) async fn picture(&self, game: &str) -> Read<Option<Picture>> {
        self.read(|tables| tables.games.get(game)?.picture.clone()).await
    }

    pub(crate) async fn undrawn(&self, since: i64, limit: i64) -> Read<Vec<String>> {
        let undrawn = |game: &&Game| {
            let drawn = game.picture.as_ref().map_or(-1, |picture| picture.state);
            game.row.touched > since && drawn < game.lines.len() as i64 - 1
        };
        self.read(|tables| {
            let mut found: Vec<&Game> = tables.games.values().filter(undrawn).collect();
            found.sort_by_key(|game| (std::cmp::Reverse(game.row.touched), game.row.id.clone()));
            found.into_iter().take(limit as usize).map(|game| game.row.id.clone()).collect()
        })
        .await
    }

    /// There is no archive in a simulation.
    pub(crate) async fn finished(&self, _before: i64, _limit: i64) -> Read<Vec<String>> {
        Ok(Vec::new())
    }

    pub(crate) async fn untouched(&self, since: Untouched, limit: i64) -> Read<Vec<String>> {
        let old = |game: &&Game| {
            let machines = game.seats.iter().all(|seat| seat.kind == "computer");
            let touched = game.row.touched;
            touched < since.any
                || (touched < since.unbegun && game.lines.len() <= 2)
                || (touched < since.machines && machines)
        };
        self.read(|tables| {
            let mut found: Vec<&Game> = tables.games.values().filter(old).collect();
            found.sort_by_key(|game| (game.row.touched, game.row.id.clone()));
            found.into_iter().take(limit as usize).map(|game| game.row.id.clone()).collect()
        })
        .await
    }

    pub(crate) async fn holdings(&self, owner: &str) -> Read<(u64, u64)> {
        self.read(|tables| {
            let own: Vec<&Game> = tables.games.values().filter(|game| game.row.owner == owner).collect();
            let bytes = own.iter().map(|game| (game.row.bytes + game.drawn) as u64).sum();
            (own.len() as u64, bytes)
        })
        .await
    }

    pub(crate) async fn noted(&self, name: &str) -> Read<Option<String>> {
        self.read(|tables| tables.facts.get(name).cloned()).await
    }

    pub(crate) async fn promised(&self, commitment: &str, now: i64) -> Read<Option<String>> {
        self.read(|tables| {
            let promise = tables.promises.get(commitment).filter(|promise| promise.until > now);
            promise.map(|promise| promise.secret.clone())
        })
        .await
    }

    pub(crate) async fn promises(&self, owner: &str, now: i64) -> Read<(u64, u64)> {
        self.read(|tables| {
            let live = || tables.promises.values().filter(|promise| promise.until > now);
            (live().count() as u64, live().filter(|promise| promise.owner == owner).count() as u64)
        })
        .await
    }

    pub(crate) async fn challenges(&self, now: i64, limit: i64) -> Read<Vec<ChallengeRow>> {
        let mut rows: Vec<ChallengeRow> = self.read(|tables| tables.open(now).cloned().collect()).await?;
        rows.sort_by_key(|row| (std::cmp::Reverse(row.made), row.id.clone()));
        rows.truncate(limit as usize);
        Ok(rows)
    }

    pub(crate) async fn challenge(&self, id: &str) -> Read<Option<ChallengeRow>> {
        self.read(|tables| tables.challenges.get(id).cloned()).await
    }

    pub(crate) async fn challenge_of(&self, game: &str) -> Read<Option<ChallengeRow>> {
        self.read(|tables| tables.challenges.values().find(|row| row.game == game).cloned()).await
    }

    pub(crate) async fn open_challenges(&self, owner: &str, now: i64) -> Read<(u64, u64)> {
        self.read(|tables| {
            let own = tables.open(now).filter(|row| row.owner == owner).count();
            (tables.open(now).count() as u64, own as u64)
        })
        .await
    }

    pub(crate) async fn waits(&self, kind: Kind, game: &str) -> Read<Option<Waiting>> {
        self.read(|tables| {
            let queued = tables.jobs.get(&(kind, game.to_owned()))?;
            Some(Waiting { seq: queued.seq, done: queued.done })
        })
        .await
    }

    pub(crate) async fn queued(&self, kind: Kind) -> Read<u64> {
        self.read(|tables| tables.jobs.keys().filter(|(of, _)| *of == kind).count() as u64).await
    }

    pub(crate) async fn review(&self, game: &str) -> Read<Option<ReviewRow>> {
        self.read(|tables| tables.reviews.get(game).cloned()).await
    }

    pub(crate) async fn take(&self, kind: Kind, now: i64, limit: i64, until: i64) -> Read<Vec<Task>> {
        self.line.there().await?;
        let taken = self.memory.tables().take(kind, now, limit as usize, until);
        self.line.back().await?;
        Ok(taken)
    }
}

impl Tables {
    fn take(&mut self, kind: Kind, now: i64, limit: usize, until: i64) -> Vec<Task> {
        let mut due: Vec<(&String, &mut Queued)> = self
            .jobs
            .iter_mut()
            .filter(|((of, _), queued)| *of == kind && queued.due <= now)
            .map(|((_, game), queued)| (game, queued))
            .collect();
        due.sort_by_key(|(game, queued)| (queued.due, (*game).clone()));
        let taken = due.into_iter().take(limit).map(|(game, queued)| {
            queued.due = until;
            Task { game: game.clone(), seq: queued.seq }
        });
        taken.collect()
    }

    fn queue(&mut self, kind: Kind, game: &str, seq: i64, due: i64) {
        self.jobs.insert((kind, game.to_owned()), Queued { seq, due, done: 0 });
    }

    fn waiting(&mut self, kind: Kind, game: &str) -> Option<&mut Queued> {
        self.jobs.get_mut(&(kind, game.to_owned()))
    }

    /// A change of a game, and what it means for its computer.
    fn change(&mut self, change: &Change, weakness: Weakness) -> Result<i64, StoreError> {
        let version = self.alter(&change.game, |game| game.record(change, weakness))?;
        self.tell(&change.game, version, &change.tells);
        match change.job {
            Job::None => {}
            Job::Done => drop(self.jobs.remove(&(Kind::Computer, change.game.clone()))),
            Job::Due(due) => {
                let seq = change.after + change.lines.len() as i64;
                self.queue(Kind::Computer, &change.game, seq, due);
            }
        }
        Ok(version)
    }

    fn write(&mut self, work: &Work, weakness: Weakness) -> Result<i64, StoreError> {
        match work {
            Work::Settle => Ok(0),
            Work::Create { kept, due, slips } => {
                self.create(kept, *due)?;
                self.games.get_mut(&kept.game.id).map_or(Ok(()), |game| game.swap(slips)).map(|()| 0)
            }
            Work::Swap { game, swaps, tells } => {
                let version = self.alter(game, |game| game.swap(swaps))?;
                self.tell(game, version, tells);
                Ok(version)
            }
            Work::StandIn { game, side, level, swaps } => self.alter(game, |game| {
                let person = |seat: &&mut SeatRow| seat.side == *side && seat.kind != "computer";
                let seat = game.seats.iter_mut().find(person).ok_or(StoreError::Conflict)?;
                (seat.kind, seat.name) = ("computer".to_owned(), level.clone());
                game.swap(swaps)
            }),
            Work::Change(change) => self.change(change, weakness),
            Work::Claim { game, side, token, name, tells } => {
                let version = self.alter(game, |game| game.seat(*side, token, name))?;
                let open = |row: &&mut ChallengeRow| row.game == *game && row.side == *side;
                self.challenges.values_mut().filter(open).for_each(|row| row.taken = true);
                self.tell(game, version, tells);
                Ok(version)
            }
            Work::PutUp(challenge) => self.put_up(challenge),
            Work::Withdraw { game } => {
                let before = self.challenges.len();
                self.challenges.retain(|_, row| row.taken || row.game != *game);
                if self.challenges.len() < before { Ok(0) } else { Err(StoreError::Conflict) }
            }
            Work::Accept { id, game, side, token, name, now, tells } => {
                if !self.open(*now).any(|row| row.id == *id) {
                    return Err(StoreError::Conflict);
                }
                let version = self.alter(game, |game| game.seat(*side, token, name))?;
                self.challenges.entry(id.clone()).and_modify(|row| row.taken = true);
                self.tell(game, version, tells);
                Ok(version)
            }
            Work::Rematch { kept, old, slips } => {
                if self.games.get(old).is_none_or(|game| game.row.rematch.is_some()) {
                    return Err(StoreError::Conflict);
                }
                self.create(kept, None)?;
                self.games.get_mut(&kept.game.id).map_or(Ok(()), |game| game.swap(slips))?;
                self.alter(old, |game| {
                    game.row.rematch = Some(kept.game.id.clone());
                    Ok(())
                })
            }
            Work::Rename { game, side, name } => self.alter(game, |game| {
                game.seats.iter_mut().filter(|seat| seat.side == *side).for_each(|s| s.name.clone_from(name));
                Ok(())
            }),
            Work::Say { game, line, request } => self.alter(game, |game| {
                game.grant(request)?;
                game.row.bytes += said(line);
                once(game.chat.insert(line.n, line.clone()))
            }),
            Work::Rewrite { game, lines } => self.alter(game, |game| {
                if game.lines.len() != lines.len() {
                    return Err(StoreError::Conflict);
                }
                game.lines.clone_from(lines);
                Ok(())
            }),
            Work::Draw { game, picture } => {
                let Some(game) = self.games.get_mut(game) else { return Ok(0) };
                game.drawn = (picture.board.len() + picture.body.len()) as i64;
                if game.picture.as_ref().is_none_or(|old| old.state <= picture.state) {
                    game.picture = Some((**picture).clone());
                }
                Ok(0)
            }
            Work::Delete { games, before } => {
                for id in games {
                    if self.games.get(id).is_some_and(|game| game.row.touched < *before) {
                        self.games.remove(id);
                        self.challenges.retain(|_, row| row.game != *id);
                        self.accounts.forget_seats(id);
                        self.notices.forget_game(id);
                        self.order.forget_game(id);
                        self.jobs.retain(|(_, game), _| game != id);
                        self.reviews.remove(id);
                    }
                }
                Ok(0)
            }
            Work::Fact { name, value, once } => {
                if !once || !self.facts.contains_key(name) {
                    self.facts.insert(name.clone(), value.clone());
                }
                Ok(0)
            }
            Work::Enqueue { kind, game, seq, due } => {
                if self.waiting(*kind, game).is_none() {
                    self.queue(*kind, game, *seq, *due);
                }
                Ok(0)
            }
            Work::Dismiss { kind, game, seq } => {
                if self.waiting(*kind, game).is_some_and(|queued| queued.seq <= *seq) {
                    self.jobs.remove(&(*kind, game.clone()));
                }
                Ok(0)
            }
            Work::Postpone { kind, games, due } => {
                for game in games {
                    if let Some(queued) = self.waiting(*kind, game) {
                        queued.due = *due;
                    }
                }
                Ok(0)
            }
            Work::Advance { kind, task, done, due } => {
                let queued = self.waiting(*kind, &task.game).filter(|queued| queued.seq == task.seq);
                let queued = queued.ok_or(StoreError::Conflict)?;
                (queued.done, queued.due) = (*done, *due);
                Ok(0)
            }
            Work::Review { game, review } => {
                let waited = self.waiting(Kind::Review, game).is_some_and(|queued| queued.seq == review.seq);
                if !waited {
                    return Err(StoreError::Conflict);
                }
                self.jobs.remove(&(Kind::Review, game.clone()));
                self.reviews.insert(game.clone(), review.clone());
                Ok(0)
            }
            Work::Promise(promise) => {
                once(self.promises.insert(promise.commitment.clone(), promise.clone())).map(|()| 0)
            }
            Work::Redeem { commitment } => {
                self.promises.remove(commitment).map(|_| 0).ok_or(StoreError::Conflict)
            }
            Work::Forget { until } => {
                self.promises.retain(|_, promise| promise.until > *until);
                self.challenges.retain(|_, row| row.until > *until);
                self.accounts.forget(*until);
                self.order.forget(*until);
                Ok(0)
            }
            Work::Archive { .. } => Err(StoreError::Conflict),
            Work::Account(work) => self.write_account(work),
            Work::Notice(work) => self.write_notice(work),
            Work::Order(work) => self.write_order(work),
            Work::Rating(work) => self.write_rating(work),
            Work::Import(whole) => self.import(whole),
        }
    }

    /// What is offered at this time.
    fn open(&self, now: i64) -> impl Iterator<Item = &ChallengeRow> {
        self.challenges.values().filter(move |row| !row.taken && row.until > now)
    }

    fn put_up(&mut self, challenge: &ChallengeRow) -> Result<i64, StoreError> {
        let free =
            |seat: &SeatRow| seat.side == challenge.side && seat.kind == "link" && seat.token.is_none();
        let waits = self.games.get(&challenge.game).is_some_and(|game| game.seats.iter().any(free));
        if !waits || self.challenges.values().any(|row| row.game == challenge.game) {
            return Err(StoreError::Conflict);
        }
        once(self.challenges.insert(challenge.id.clone(), challenge.clone())).map(|()| 0)
    }

    /// Changes a game: wholly, or not at all.
    fn alter(
        &mut self,
        id: &str,
        change: impl FnOnce(&mut Game) -> Result<(), StoreError>,
    ) -> Result<i64, StoreError> {
        let game = self.games.get_mut(id).ok_or(StoreError::Conflict)?;
        let mut copy = game.clone();
        change(&mut copy)?;
        copy.row.version += 1;
        *game = copy;
        Ok(game.row.version)
    }

    fn create(&mut self, kept: &Kept, due: Option<i64>) -> Result<i64, StoreError> {
        if self.games.contains_key(&kept.game.id) {
            return Err(StoreError::Conflict);
        }
        let mut row = kept.game.clone();
        (row.bytes, row.version, row.archive) = (size(&kept.lines), 0, None);
        let game = Game {
            row,
            seats: kept.seats.clone(),
            lines: kept.lines.clone(),
            requests: BTreeMap::new(),
            chat: BTreeMap::new(),
            picture: None,
            drawn: 0,
            slips: BTreeMap::new(),
        };
        if let Some(due) = due {
            self.queue(Kind::Computer, &kept.game.id, kept.lines.len() as i64, due);
        }
        self.games.insert(kept.game.id.clone(), game);
        Ok(0)
    }

    fn import(&mut self, whole: &Whole) -> Result<i64, StoreError> {
        self.create(&whole.kept, None)?;
        if let Some(challenge) = &whole.challenge {
            self.challenges.insert(challenge.id.clone(), challenge.clone());
        }
        if let Some(review) = &whole.review {
            self.reviews.insert(whole.kept.game.id.clone(), review.clone());
        }
        self.alter(&whole.kept.game.id, |game| {
            whole.requests.iter().try_for_each(|request| game.grant(request))?;
            game.row.bytes += whole.chat.iter().map(said).sum::<i64>();
            game.chat = whole.chat.iter().map(|line| (line.n, line.clone())).collect();
            game.drawn = whole.picture.as_ref().map_or(0, |p| (p.board.len() + p.body.len()) as i64);
            game.picture.clone_from(&whole.picture);
            let slip = |slip: &SlipRow| (slip.name.clone(), (slip.body.clone(), slip.due));
            game.slips = whole.slips.iter().map(slip).collect();
            Ok(())
        })
    }
}

/// What a key forbids to be there twice.
fn once<T>(before: Option<T>) -> Result<(), StoreError> {
    if before.is_some() { Err(StoreError::Conflict) } else { Ok(()) }
}

impl Game {
    fn slips(&self) -> Vec<SlipRow> {
        let game = &self.row.id;
        let slip = |(name, (body, due)): (&String, &(String, Option<i64>))| SlipRow {
            game: game.clone(),
            name: name.clone(),
            body: body.clone(),
            due: *due,
        };
        self.slips.iter().map(slip).collect()
    }

    fn seat(&mut self, side: i64, token: &str, name: &str) -> Result<(), StoreError> {
        let seat = self.seats.iter_mut().find(|seat| seat.side == side && seat.token.is_none());
        let seat = seat.ok_or(StoreError::Conflict)?;
        (seat.token, seat.name) = (Some(token.to_owned()), name.to_owned());
        Ok(())
    }

    fn grant(&mut self, request: &Request) -> Result<(), StoreError> {
        once(self.requests.insert(request.id.clone(), request.clone()))
    }

    fn swap(&mut self, swaps: &[Swap]) -> Result<(), StoreError> {
        for Swap { name, was, body, due } in swaps {
            if self.slips.get(name).map(|(body, _)| body) != was.as_ref() {
                return Err(StoreError::Conflict);
            }
            match body {
                Some(body) => drop(self.slips.insert(name.clone(), (body.clone(), *due))),
                None => drop(self.slips.remove(name)),
            }
        }
        Ok(())
    }

    fn record(&mut self, change: &Change, weakness: Weakness) -> Result<(), StoreError> {
        let after = change.after as usize;
        if weakness == Weakness::NoKey {
            self.lines.truncate(after);
        } else if self.lines.len() != after
            || (change.lines.is_empty() && self.row.asked.as_deref() != change.was_asked.as_deref())
        {
            return Err(StoreError::Conflict);
        }
        if let Some(request) = &change.request {
            self.grant(request)?;
        }
        self.swap(&change.slips)?;
        self.lines.extend(change.lines.iter().cloned());
        self.row.touched = change.at;
        self.row.summary.clone_from(&change.summary);
        self.row.asked.clone_from(&change.asked);
        self.row.over = change.over;
        self.row.bytes += size(&change.lines);
        self.requests.retain(|_, request| request.seq >= change.after - FORGOTTEN_AFTER);
        Ok(())
    }
}
