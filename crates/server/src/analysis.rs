//! Hints and reviews: what the General thinks of a decision, and of a whole game. Both are worked out away from the games.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::Json;
use axum::extract::State;
use catalogue::Reviewer;
use host::Failure;
use host::seats::Tokens;
use host::wire::{AskHint, Code, Problems, ReviewFace};
use players::{General, Hint, Review};
use tokio::sync::Semaphore;

use crate::api::{Answer, Body, Path, weighing};
use crate::hall::Hall;
use crate::room::Room;

/// How often the candidates of a hint are played on.
const PLAYS: u32 = 400;
/// How many reviews are kept in memory.
const KEPT: usize = 64;
/// How many reviews may wait.
const WAITING: usize = 8;

#[utoipa::path(post, path = "/api/games/{game}/hint", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = AskHint, responses((status = 200, body = Object), Problems),
    security(("seat" = [])))]
pub(crate) async fn hint(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(ask): Body<AskHint>,
) -> Answer<Hint> {
    let room = hall.room(&game).await?;
    let analyst = room.play().await?.analyst(&tokens, &ask)?;
    let general = General { rollouts: PLAYS, ..General::GENERAL };
    let none = || Failure::new(Code::Over, "There is nothing to decide.");
    weighing(&hall, move || analyst(general).map(Json).ok_or_else(none)).await
}

#[utoipa::path(get, path = "/api/games/{game}/review", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = ReviewFace), Problems), security((), ("seat" = [])))]
pub(crate) async fn review(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
) -> Answer<ReviewFace> {
    let room = hall.room(&game).await?;
    let play = room.play().await?;
    room.admit(&play, &tokens)?;
    let reviewer = play.reviewer()?;
    let (state, moments) = (play.state, play.table.moment());
    drop(play);
    let reviews = &hall.shared.reviews;
    let progress = match reviews.find(&room.about.id, state) {
        Some(known) => known,
        None => reviews.begin(&room, state, moments as u32, reviewer)?,
    };
    Ok(Json(progress.face()))
}

/// The reviews in memory. They follow from the journals alone, so one that is forgotten can be made again.
#[derive(Debug)]
pub(crate) struct Reviews {
    list: Mutex<VecDeque<Arc<Progress>>>,
    /// One at a time: nobody waits for them as for a computer's move.
    turn: Arc<Semaphore>,
}

/// A review that is being made, or is there.
#[derive(Debug)]
pub(crate) struct Progress {
    game: String,
    state: u64,
    of: u32,
    done: AtomicUsize,
    review: OnceLock<Option<Review>>,
}

impl Progress {
    fn face(&self) -> ReviewFace {
        let review = self.review.get().cloned().flatten();
        let done = if review.is_some() { self.of } else { self.done.load(Ordering::Relaxed) as u32 };
        ReviewFace { done, of: self.of, review }
    }
}

impl Default for Reviews {
    fn default() -> Self {
        Reviews { list: Mutex::default(), turn: Arc::new(Semaphore::new(1)) }
    }
}

impl Reviews {
    fn find(&self, game: &str, state: u64) -> Option<Arc<Progress>> {
        let list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        list.iter().find(|p| p.game == game && p.state == state).cloned()
    }

    /// Sets a review going.
    fn begin(
        &self,
        room: &Arc<Room>,
        state: u64,
        of: u32,
        reviewer: Reviewer,
    ) -> Result<Arc<Progress>, Failure> {
        let (done, review) = (AtomicUsize::new(0), OnceLock::new());
        let progress = Arc::new(Progress { game: room.about.id.clone(), state, of, done, review });
        {
            let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
            if list.iter().filter(|p| p.review.get().is_none()).count() >= WAITING {
                return Err(Failure::new(
                    Code::Busy,
                    "Too many reviews are being made; ask again in a minute.",
                ));
            }
            list.push_back(progress.clone());
            if list.len() > KEPT
                && let Some(oldest) = list.iter().position(|p| p.review.get().is_some())
            {
                list.remove(oldest);
            }
        }
        let (turn, shared, making) = (self.turn.clone(), room.shared.clone(), progress.clone());
        tokio::spawn(async move {
            let Ok(_turn) = turn.acquire_owned().await else { return };
            let work = {
                let making = making.clone();
                move || {
                    let going_on = |done: usize, _: usize| {
                        making.done.store(done, Ordering::Relaxed);
                        !shared.going_down()
                    };
                    players::in_background(|| reviewer(&going_on))
                }
            };
            let made = tokio::task::spawn_blocking(work).await;
            if let Err(panic) = &made {
                tracing::error!(game = %making.game, %panic, "a review has failed");
            }
            let _ = making.review.set(made.ok().flatten());
        });
        Ok(progress)
    }
}
