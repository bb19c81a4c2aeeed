//! Notices: people who keep their seats with an account are told what happens when they are not there. A notice is written in
//! the transaction of what it tells of; any server sends it afterwards. Whoever has seen the game is told nothing.
//!
//! - here is what writes a notice and what takes it back; it costs nothing where notices are not set up;
//! - `office` takes what is due and sees it sent, `words` says it, `hours` knows when; `letters`, `push` and `calls` send it;
//! - `desk` is what an account can set, `links` are the letters that confirm an address or sign somebody in.

#[cfg(feature = "notices")]
mod calls;
mod config;
#[cfg(feature = "notices")]
mod desk;
#[cfg(feature = "notices")]
mod hours;
#[cfg(feature = "notices")]
mod letters;
#[cfg(feature = "notices")]
mod links;
#[cfg(feature = "notices")]
mod office;
#[cfg(feature = "notices")]
mod push;
#[cfg(all(test, feature = "notices"))]
mod tests;
#[cfg(feature = "notices")]
mod words;

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use game::Side;
use host::clock::Stroke;
use host::seats::Held;
use host::wire::{NoticeTerms, Problems};
use host::{Failure, Play};
use store::Tell;

pub use config::NoticeConfig;
#[cfg(feature = "notices")]
pub(crate) use desk::Addresses;
#[cfg(feature = "notices")]
pub(crate) use office::run;

use crate::hall::{Hall, Shared};
use crate::room::Room;
use crate::world;

/// Of what somebody is told: the higher, the more urgent. As bits they are what somebody wants to be told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Occasion {
    /// They must decide.
    Turn,
    /// Somebody has sat down opposite.
    Joined,
    /// The opponent asks to take something back.
    Undo,
    /// Half of their time is gone.
    Half,
    /// Nine tenths of it are gone.
    Tenth,
    /// The game is over.
    Over,
}

impl Occasion {
    pub(crate) const fn bit(self) -> i64 {
        1 << self as i64
    }
}

/// Whether notices are sent here, and how.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    #[cfg(feature = "notices")]
    office: std::sync::OnceLock<office::Office>,
}

impl Notices {
    #[cfg(feature = "notices")]
    fn office(&self) -> Option<&office::Office> {
        self.office.get()
    }

    /// How long a notice waits for somebody who is looking; none where nothing is sent.
    #[cfg(feature = "notices")]
    fn grace(&self) -> Option<i64> {
        self.office().map(|office| office.grace)
    }

    #[cfg(not(feature = "notices"))]
    #[allow(clippy::unused_self)]
    fn grace(&self) -> Option<i64> {
        None
    }

    #[cfg(feature = "notices")]
    fn terms(&self) -> NoticeTerms {
        self.office().map(office::Office::terms).unwrap_or_default()
    }

    #[cfg(not(feature = "notices"))]
    #[allow(clippy::unused_self)]
    fn terms(&self) -> NoticeTerms {
        NoticeTerms::default()
    }

    /// A notice for a side, of what happens now.
    fn tell(&self, side: Side, occasion: Occasion) -> Option<Tell> {
        let at = world::now() as i64;
        let due = at + self.grace()?;
        Some(Tell { side: side.index() as i64, occasion: occasion.bit(), at, due })
    }
}

#[cfg(not(feature = "notices"))]
impl Notices {
    /// Nothing can be sent by this build.
    #[allow(clippy::unused_async, clippy::unused_self)]
    pub(crate) async fn open(
        &self,
        config: &crate::config::Config,
        _: &store::Store,
    ) -> Result<(), crate::serve::ServeError> {
        match config.notices {
            Some(_) => Err(crate::serve::ServeError::NoNotices),
            None => Ok(()),
        }
    }
}

/// Nobody is told anything.
#[cfg(not(feature = "notices"))]
pub(crate) async fn run(_: Arc<Hall>) {}

pub(crate) fn router() -> Router<Arc<Hall>> {
    let router = Router::new().route("/notices", get(terms));
    #[cfg(feature = "notices")]
    let router = router.merge(desk::router()).merge(links::router());
    router
}

#[utoipa::path(get, path = "/api/v1/notices", tag = "notices", responses((status = 200, body = NoticeTerms), Problems))]
pub(crate) async fn terms(State(hall): State<Arc<Hall>>) -> Json<NoticeTerms> {
    Json(hall.shared.notices.terms())
}

/// Who should be told of a change that `by` has brought about, which may have `grown` the journal.
pub(crate) fn of_change(
    room: &Room,
    play: &Play,
    by: Option<Side>,
    asked: Option<&String>,
    grown: bool,
) -> Vec<Tell> {
    let notices = &room.shared.notices;
    if notices.grace().is_none() {
        return Vec::new();
    }
    if grown && play.over() {
        return Side::BOTH.into_iter().filter_map(|side| notices.tell(side, Occasion::Over)).collect();
    }
    let ask = play.asked.as_ref().filter(|_| asked != room.kept_ask().as_ref());
    let undo = ask.and_then(|ask| notices.tell(!ask.by, Occasion::Undo));
    let turn = play.decides().filter(|side| grown && by != Some(*side));
    undo.or_else(|| notices.tell(turn?, Occasion::Turn)).into_iter().collect()
}

/// Who should be told that somebody has sat down at `side`.
pub(crate) fn of_joining(shared: &Shared, side: Side) -> Vec<Tell> {
    shared.notices.tell(!side, Occasion::Joined).into_iter().collect()
}

/// Who should be told of what time has brought about.
pub(crate) fn of_stroke(shared: &Shared, side: Option<Side>, stroke: Option<Stroke>) -> Vec<Tell> {
    let occasion = match stroke {
        Some(Stroke::Half) => Occasion::Half,
        Some(Stroke::Tenth) => Occasion::Tenth,
        Some(Stroke::Fallen | Stroke::Abandoned) | None => return Vec::new(),
    };
    side.and_then(|side| shared.notices.tell(side, occasion)).into_iter().collect()
}

/// How an account is told, for its export.
#[cfg(feature = "notices")]
pub(crate) async fn exported(hall: &Hall, account: &str) -> Result<String, Failure> {
    let face = hall.notices_face(account).await?;
    serde_json::to_string(&face).map_err(|_| Failure::internal("notices cannot be written"))
}

#[cfg(not(feature = "notices"))]
#[allow(clippy::unused_async)]
pub(crate) async fn exported(_: &Hall, _: &str) -> Result<String, Failure> {
    Ok("null".to_owned())
}

/// Whoever holds these seats has seen the game in this version, and need not be told of it.
pub(crate) fn seen(room: &Arc<Room>, held: Held, version: i64) {
    if room.shared.notices.grace().is_none() {
        return;
    }
    for side in Side::BOTH.into_iter().filter(|side| held.holds(*side)) {
        let room = room.clone();
        world::spawn(async move {
            let seen = room.shared.store.see_notices(&room.about.id, side.index() as i64, version).await;
            if let Err(error) = seen {
                tracing::warn!(%error, "somebody may be told of what they have seen");
            }
        });
    }
}
