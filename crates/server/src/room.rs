//! One game under way: its table, its seats, whoever looks on, and what each may see.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as Lock, PoisonError};

use game::{BySide, Side};
use host::seats::{Held, Tokens};
use host::wire::{ChatLine, Code, GameFace, SeatKind};
use host::{About, Failure, Heading, Play, Volume};
use tokio::sync::{Mutex, OwnedMutexGuard, broadcast};

use crate::chat;
use crate::hall::{Shared, away, no_such_game};
use crate::pictures;
use crate::problem::OrFailed;
use crate::slips::Slips;
use crate::summary::{self, Summary};
use crate::world;

/// What whoever looks on is told; they fetch the rest with their own eyes.
#[derive(Debug, Clone)]
pub(crate) enum News {
    /// The position or a request changed.
    Changed,
    /// A seat, a name or somebody's presence changed.
    Face,
    /// A line of chat.
    Chat(ChatLine),
}

/// A game in memory.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) about: About,
    /// The scenario; none if it can no longer be opened.
    pub(crate) volume: Option<Arc<Volume>>,
    pub(crate) shared: Arc<Shared>,
    pub(crate) news: broadcast::Sender<News>,
    /// How many connections each seat has.
    pub(crate) present: BySide<AtomicUsize>,
    /// How many bystanders are connected.
    pub(crate) bystanders: AtomicUsize,
    /// A computer is at work.
    pub(crate) thinking: AtomicBool,
    /// A computer holds a seat.
    computers: AtomicBool,
    /// No person holds a seat.
    pub(crate) machines: bool,
    /// When it was last worked on.
    pub(crate) used: AtomicU64,
    /// When somebody last looked at it.
    pub(crate) looked: AtomicU64,
    /// The state it has come to, and that of its last picture.
    pub(crate) state: AtomicU64,
    pub(crate) drawn: AtomicU64,
    /// The version of the game that is known here.
    version: AtomicI64,
    /// The request that waits for an answer, as it is kept.
    asked: Lock<Option<String>>,
    /// The game in which it is fought again.
    rematch: Lock<Option<String>>,
    pub(crate) slips: Slips,
    play: Arc<Mutex<Play>>,
}

/// The game, held by whoever works on it.
pub(crate) type Playing = OwnedMutexGuard<Play>;

impl Room {
    pub(crate) fn new(
        kept: store::Kept,
        chat: i64,
        still: Option<host::Still>,
        volume: Option<Arc<Volume>>,
        shared: Arc<Shared>,
    ) -> Result<Self, Failure> {
        let row = &kept.game;
        let kept_heading = || Summary::read(row).map(|summary| summary.heading());
        let heading = volume.as_ref().map(|v| Heading::of(&v.face)).or_else(kept_heading);
        let heading = heading.ok_or_else(|| Failure::internal("a kept game without a summary"))?;
        let about = About { id: row.id.clone(), public: row.public, made: row.made as u64, heading };
        let is_computer = |seat: &store::SeatRow| seat.kind == "computer";
        let machines = kept.seats.iter().all(is_computer);
        let computers = kept.seats.iter().any(is_computer);
        let (version, asked, rematch) = (row.version, row.asked.clone(), row.rematch.clone());
        let play = Play::of(summary::materials(kept, chat, still)?, volume.as_deref())?;
        Ok(Room {
            about,
            volume,
            shared,
            news: broadcast::channel(64).0,
            present: BySide::default(),
            bystanders: AtomicUsize::new(0),
            thinking: AtomicBool::new(false),
            computers: AtomicBool::new(computers),
            machines,
            used: AtomicU64::new(world::now()),
            looked: AtomicU64::new(world::now()),
            state: AtomicU64::new(play.state),
            drawn: AtomicU64::new(0),
            version: AtomicI64::new(version),
            asked: Lock::new(asked),
            rematch: Lock::new(rematch),
            slips: Slips::default(),
            play: Arc::new(Mutex::new(play)),
        })
    }

    /// Whether a computer holds a seat.
    pub(crate) fn computers(&self) -> bool {
        self.computers.load(Ordering::Relaxed)
    }

    /// A computer may have sat down.
    pub(crate) fn notice_computers(&self, play: &Play) {
        let any = Side::BOTH.into_iter().any(|side| play.seats[side].kind == SeatKind::Computer);
        self.computers.store(any, Ordering::Relaxed);
    }

    /// Whether something has happened since the last picture.
    pub(crate) fn undrawn(&self) -> bool {
        self.drawn.load(Ordering::Relaxed) < self.state.load(Ordering::Relaxed)
    }

    /// Keeps a picture of the game as it stands, so that it can be looked at whatever becomes of the rules.
    pub(crate) async fn draw(self: &Arc<Self>) -> Result<(), Failure> {
        let play = self.play().await?;
        let (state, Some(volume)) = (play.state, self.volume.clone()) else { return Ok(()) };
        let picture = match play.closed {
            // Drawn by the rules that played it, or not at all.
            Some(_) => None,
            None => {
                self.work(play, move |_, play| pictures::picture(play.table.as_ref(), &volume, state))
                    .await?
                    .1
            }
        };
        if let Some(picture) = picture {
            self.shared.store.draw(&self.about.id, picture).await.or_failed()?;
            self.shared.metrics.drawn.increment(1);
        }
        self.drawn.store(state, Ordering::Relaxed);
        Ok(())
    }

    /// Whether somebody is connected.
    pub(crate) fn watched(&self) -> bool {
        let seats = Side::BOTH.into_iter().map(|side| &self.present[side]);
        seats.chain([&self.bystanders]).any(|count| count.load(Ordering::Relaxed) > 0)
    }

    /// Whether computers play each other and nobody has looked for a while: then they wait.
    pub(crate) fn paused(&self) -> bool {
        let limit = world::now().saturating_sub(self.shared.unwatched.as_millis() as u64);
        self.machines && !self.watched() && self.looked.load(Ordering::Relaxed) < limit
    }

    /// Somebody looks: computers that have waited for that go on.
    pub(crate) fn look(self: &Arc<Self>) {
        self.looked.store(world::now(), Ordering::Relaxed);
        if self.machines && !self.thinking.load(Ordering::Acquire) {
            let room = self.clone();
            world::spawn(async move {
                if let Ok(play) = room.play().await {
                    crate::computer::wake(&room, &play);
                }
            });
        }
    }

    /// The game, true to the database.
    pub(crate) async fn play(&self) -> Result<Playing, Failure> {
        let mut play = self.seen().await?;
        if self.shared.store.shared() {
            let found = self.shared.store.version(&self.about.id).await.or_failed()?;
            if found.ok_or_else(no_such_game)? != self.version() {
                self.catch_up(&mut play).await?;
            }
        }
        Ok(play)
    }

    /// The game as it was last heard of here. Another node may have gone on; then this one will hear of it.
    pub(crate) async fn seen(&self) -> Result<Playing, Failure> {
        let mut play = self.play.clone().lock_owned().await;
        self.used.store(world::now(), Ordering::Relaxed);
        if play.unsure {
            self.reload(&mut play).await?;
        }
        Ok(play)
    }

    pub(crate) fn version(&self) -> i64 {
        self.version.load(Ordering::Acquire)
    }

    /// A change of ours has brought the game to this version. If others have changed it in between, it stays outdated here.
    pub(crate) fn advance(&self, version: i64) {
        let _ = self.version.compare_exchange(version - 1, version, Ordering::AcqRel, Ordering::Acquire);
    }

    /// The request that waits for an answer, as it was last kept.
    pub(crate) fn kept_ask(&self) -> Option<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn keep_ask(&self, asked: Option<String>) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = asked;
    }

    /// The game in which this one is fought again.
    pub(crate) fn rematch(&self) -> Option<String> {
        self.rematch.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn keep_rematch(&self, game: Option<String>) {
        *self.rematch.lock().unwrap_or_else(PoisonError::into_inner) = game;
    }

    /// Sets the game up again from what is kept.
    pub(crate) async fn reload(&self, play: &mut Play) -> Result<(), Failure> {
        let news = self.news(0).await?;
        tracing::warn!(game = %self.about.id, lines = news.lines.len(), "set up again from the database");
        self.take(play, news, Vec::new()).await
    }

    /// Reads what other nodes have added, by the number of the line.
    async fn catch_up(&self, play: &mut Play) -> Result<(), Failure> {
        // One that could only be read may have been written down anew.
        let known = if play.closed.is_some() { Vec::new() } else { play.journal_kept() };
        let news = self.news(known.len() as i64).await?;
        tracing::debug!(game = %self.about.id, lines = news.lines.len(), "catches up");
        self.take(play, news, known).await
    }

    async fn news(&self, from: i64) -> Result<store::News, Failure> {
        self.shared.store.news(&self.about.id, from).await.or_failed()?.ok_or_else(no_such_game)
    }

    /// Makes the game what the database says it is, and tells whoever looks on here.
    async fn take(&self, play: &mut Play, news: store::News, mut lines: Vec<String>) -> Result<(), Failure> {
        let store::News { game, seats, lines: new, chat } = news;
        let (version, asked, heard) = (game.version, game.asked.clone(), play.chat);
        self.keep_rematch(game.rematch.clone());
        let grown = !new.is_empty() || play.unsure;
        lines.extend(new);
        let materials = summary::materials(store::Kept { game, seats, lines }, chat, None)?;
        if grown {
            let volume = self.volume.clone();
            *play = away(move || Play::of(materials, volume.as_deref())).await?;
        } else {
            let host::Materials { seats, asked, touched, chat, .. } = materials;
            (play.seats, play.asked, play.touched, play.chat) = (seats, asked, touched, chat);
        }
        self.read_slips().await?;
        self.notice_computers(play);
        self.mark_ordered(play);
        let asks = asked != self.kept_ask();
        self.keep_ask(asked);
        self.version.store(version, Ordering::Release);
        self.state.store(play.state, Ordering::Relaxed);
        if grown || asks {
            self.tell(News::Changed);
        }
        self.tell(News::Face);
        if chat > heard {
            for line in chat::since(self, heard).await? {
                self.tell(News::Chat(line));
            }
        }
        Ok(())
    }

    /// Works on the game away from the threads that answer, only so many at a time, so that a heavy position delays no
    /// other game. Should the work panic the game is let go; if it was being changed the disk then says what is true.
    pub(crate) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        mut play: Playing,
        work: impl FnOnce(&Room, &mut Play) -> T + Send + 'static,
    ) -> Result<(Playing, T), Failure> {
        let room = self.clone();
        self.shared
            .work(move || {
                let result = work(&room, &mut play);
                Ok((play, result))
            })
            .await
    }

    /// Whether bystanders may look.
    pub(crate) fn open_to_all(&self, play: &Play) -> bool {
        self.about.public || play.over()
    }

    /// The seats that `tokens` hold; none are needed where bystanders may look.
    pub(crate) fn admit(&self, play: &Play, tokens: &Tokens) -> Result<Held, Failure> {
        let held = tokens.seats(&play.seats)?;
        if held.none() && !self.open_to_all(play) {
            return Err(Failure::new(Code::SeatNeeded, "This game is not public: send the token of a seat."));
        }
        Ok(held)
    }

    /// The game as lists and the frame of the board show it.
    pub(crate) fn face(&self, play: &Play, held: Held) -> GameFace {
        let present = BySide::from_fn(|side| self.present[side].load(Ordering::Relaxed) > 0);
        let rematch = self.rematch().filter(|_| !held.none());
        GameFace {
            rematch,
            clock: self.clock_face(),
            rated: self.rated_face(),
            ..play.face(&self.about, present, held)
        }
    }

    /// The board that is drawn once, in JSON, and its tag.
    pub(crate) fn board(&self) -> Option<(Arc<[u8]>, String)> {
        self.volume.as_ref().map(|volume| volume.board())
    }
}
