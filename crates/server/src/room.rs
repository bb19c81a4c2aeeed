//! One game under way: its table, its seats, whoever looks on, and what each may see.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use game::{BySide, Side};
use host::seats::{Held, Tokens};
use host::wire::{ChatLine, Code, GameFace};
use host::{About, Failure, Heading, Play, Volume};
use tokio::sync::{Mutex, OwnedMutexGuard, broadcast};

use crate::hall::{Shared, away};
use crate::pictures;
use crate::problem::OrFailed;
use crate::summary::{self, Summary};
use crate::time;

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
    /// No person holds a seat.
    pub(crate) machines: bool,
    /// When it was last worked on.
    pub(crate) used: AtomicU64,
    /// When somebody last looked at it.
    pub(crate) looked: AtomicU64,
    /// The state it has come to, and that of its last picture.
    pub(crate) state: AtomicU64,
    pub(crate) drawn: AtomicU64,
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
        let machines = kept.seats.iter().all(|seat| seat.kind == "computer");
        let play = Play::of(summary::materials(kept, chat, still)?, volume.as_deref())?;
        Ok(Room {
            about,
            volume,
            shared,
            news: broadcast::channel(64).0,
            present: BySide::default(),
            bystanders: AtomicUsize::new(0),
            thinking: AtomicBool::new(false),
            machines,
            used: AtomicU64::new(time::now()),
            looked: AtomicU64::new(time::now()),
            state: AtomicU64::new(play.state),
            drawn: AtomicU64::new(0),
            play: Arc::new(Mutex::new(play)),
        })
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
        let limit = time::now().saturating_sub(self.shared.unwatched.as_millis() as u64);
        self.machines && !self.watched() && self.looked.load(Ordering::Relaxed) < limit
    }

    /// Somebody looks: computers that have waited for that go on.
    pub(crate) fn look(self: &Arc<Self>) {
        self.looked.store(time::now(), Ordering::Relaxed);
        if self.machines && !self.thinking.load(Ordering::Acquire) {
            let room = self.clone();
            tokio::spawn(async move {
                if let Ok(play) = room.play().await {
                    crate::computer::wake(&room, &play);
                }
            });
        }
    }

    /// The game, true to the disk.
    pub(crate) async fn play(&self) -> Result<Playing, Failure> {
        let mut play = self.play.clone().lock_owned().await;
        self.used.store(time::now(), Ordering::Relaxed);
        if play.unsure {
            self.reload(&mut play).await?;
        }
        Ok(play)
    }

    pub(crate) async fn reload(&self, play: &mut Play) -> Result<(), Failure> {
        let kept = self.shared.store.game(&self.about.id).await.or_failed()?;
        let kept = kept.ok_or_else(|| Failure::internal("a game has vanished from the store"))?;
        let chat = self.shared.store.last_chat(&self.about.id).await.or_failed()?;
        let (volume, materials) = (self.volume.clone(), summary::materials(kept, chat, None)?);
        *play = away(move || Play::of(materials, volume.as_deref())).await?;
        self.state.store(play.state, Ordering::Relaxed);
        tracing::warn!(game = %self.about.id, state = play.state, "set up again from disk");
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
        play.face(&self.about, present, held)
    }

    /// The board that is drawn once, in JSON, and its tag.
    pub(crate) fn board(&self) -> Option<(Arc<[u8]>, String)> {
        self.volume.as_ref().map(|volume| volume.board())
    }
}
