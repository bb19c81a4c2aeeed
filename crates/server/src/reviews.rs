//! Reviews of finished games. Whoever asks first puts one into the queue of the database; a server that thinks takes it, tells
//! how far it has come, and keeps it with the game, where every server finds it. If it dies over it, another begins again.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use catalogue::Reviewer;
use host::Failure;
use host::wire::{Code, ReviewFace};
use players::Review;
use store::{Kind, ReviewRow, StoreError, Task};
use tokio::sync::Notify;

use crate::hall::{Hall, Shared};
use crate::nodes::{SEEK, STILL_AT_IT, after};
use crate::problem::OrFailed;
use crate::world;

/// How many reviews may wait on all servers together.
const WAITING: u64 = 32;
/// How long whoever makes a review has it to itself after its last sign of life.
const GRACE: Duration = Duration::from_secs(12);

/// What this server has to do with reviews.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    /// Somebody has asked for one here.
    asked: Notify,
    /// The one that is made here: one at a time, for nobody waits for them as for a computer's move.
    here: Mutex<Option<Making>>,
}

/// A review that is being made.
#[derive(Debug, Clone)]
struct Making {
    task: Task,
    done: Arc<AtomicUsize>,
}

impl Reviews {
    fn here(&self) -> MutexGuard<'_, Option<Making>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far the review of this game has come, if it is made here.
    fn progress(&self, game: &str) -> Option<i64> {
        let here = self.here();
        let making = here.as_ref().filter(|making| making.task.game == game)?;
        Some(making.done.load(Ordering::Relaxed) as i64)
    }
}

/// The review of a game whose journal has so many lines, if there is one.
pub(crate) async fn kept(
    shared: &Shared,
    game: &str,
    seq: i64,
    of: u32,
) -> Result<Option<ReviewFace>, Failure> {
    let row = shared.store.review(game).await.or_failed()?;
    let Some(row) = row.filter(|row| row.seq == seq) else { return Ok(None) };
    let unreadable = || Failure::new(Code::Internal, "This game could not be reviewed.");
    let review: Review = row.body.and_then(|body| serde_json::from_str(&body).ok()).ok_or_else(unreadable)?;
    Ok(Some(ReviewFace { done: of, of, review: Some(review) }))
}

/// Asks for a review, unless somebody has; answers how far it has come.
pub(crate) async fn ask(shared: &Shared, game: &str, seq: i64, of: u32) -> Result<ReviewFace, Failure> {
    let (store, reviews) = (&shared.store, &shared.reviews);
    let waiting = store.waits(Kind::Review, game).await.or_failed()?;
    if waiting.is_none() {
        if store.queued(Kind::Review).await.or_failed()? >= WAITING {
            return Err(Failure::new(Code::Busy, "Too many reviews are being made; ask again in a minute."));
        }
        store.enqueue(Kind::Review, game, seq, world::now() as i64).await.or_failed()?;
        reviews.asked.notify_one();
    }
    let done = reviews.progress(game).or(waiting.map(|waiting| waiting.done)).unwrap_or(0);
    Ok(ReviewFace { done: (done as u32).min(of), of, review: None })
}

/// Makes what waits, until the server goes down.
pub(crate) async fn make(hall: Arc<Hall>) {
    let shared = &hall.shared;
    if !shared.thinkers.any() {
        return;
    }
    while !shared.going_down() {
        let now = world::now() as i64;
        match shared.store.take(Kind::Review, now, 1, after(GRACE) as i64).await {
            Ok(tasks) => match tasks.into_iter().next() {
                Some(task) => make_one(&hall, task).await,
                None => tokio::select! {
                    biased;
                    () = shared.reviews.asked.notified() => {}
                    () = world::sleep(SEEK) => {}
                },
            },
            Err(error) => {
                tracing::warn!(%error, "cannot see which reviews wait");
                world::sleep(SEEK).await;
            }
        }
    }
}

async fn make_one(hall: &Hall, task: Task) {
    let shared = &hall.shared;
    let made = match reviewer(hall, &task).await {
        Ok(Some(reviewer)) => look_over(shared, &task, reviewer).await,
        // The game is gone, or has gone on.
        Ok(None) => shared.store.dismiss(Kind::Review, &task.game, task.seq).await,
        Err(failure) => {
            tracing::warn!(game = %task.game, problem = %failure.0.message, "cannot begin with a review; it is tried again");
            return;
        }
    };
    match made {
        Ok(()) => {}
        Err(StoreError::Conflict) => tracing::debug!(game = %task.game, "another server has made the review"),
        Err(error) => {
            tracing::warn!(game = %task.game, %error, "a review cannot be kept; it is tried again");
        }
    }
}

/// What looks the game over, if it still is what was asked about.
async fn reviewer(hall: &Hall, task: &Task) -> Result<Option<Reviewer>, Failure> {
    let room = match hall.fetch(&task.game).await {
        Err(failure) if failure.0.code == Code::NoSuchGame => return Ok(None),
        room => room?,
    };
    let play = match room.play().await {
        Err(failure) if failure.0.code == Code::NoSuchGame => return Ok(None),
        play => play?,
    };
    Ok((play.state as i64 + 1 == task.seq).then(|| play.reviewer().ok()).flatten())
}

/// Makes the review and keeps it, with a sign of life now and then.
async fn look_over(shared: &Arc<Shared>, task: &Task, reviewer: Reviewer) -> Result<(), StoreError> {
    let (done, wanted) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(true)));
    *shared.reviews.here() = Some(Making { task: task.clone(), done: done.clone() });
    let work = {
        let (shared, done, wanted) = (shared.clone(), done.clone(), wanted.clone());
        move || {
            let going_on = |so_far: usize, _: usize| {
                done.store(so_far, Ordering::Relaxed);
                wanted.load(Ordering::Relaxed) && !shared.going_down()
            };
            players::in_background(|| reviewer(&going_on))
        }
    };
    let mut work = pin!(world::blocking(work));
    let made = loop {
        tokio::select! {
            biased;
            made = &mut work => break made,
            () = world::sleep(STILL_AT_IT) => {
                let so_far = done.load(Ordering::Relaxed) as i64;
                let told = shared.store.advance(Kind::Review, task, so_far, after(GRACE) as i64).await;
                // What nobody waits for any longer need not be finished.
                wanted.store(told != Err(StoreError::Conflict), Ordering::Relaxed);
            }
        }
    };
    if shared.going_down() {
        // It stays marked as ours, to be handed over.
        return Ok(());
    }
    *shared.reviews.here() = None;
    let body = match made {
        Ok(Some(review)) => serde_json::to_string(&review).ok(),
        Ok(None) => return Ok(()),
        Err(panic) => {
            tracing::error!(game = %task.game, %panic, "a review has failed");
            None
        }
    };
    shared.store.keep_review(&task.game, ReviewRow { seq: task.seq, body }).await?;
    shared.metrics.reviewed.increment(1);
    Ok(())
}

/// Leaves what is under way to the other servers, or to this one when it comes back.
pub(crate) async fn hand_over(shared: &Shared) {
    let Some(Making { task, .. }) = shared.reviews.here().take() else { return };
    if let Err(error) = shared.store.postpone(Kind::Review, vec![task.game], world::now() as i64).await {
        tracing::debug!(%error, "the others do not know yet that a review waits");
    }
}
