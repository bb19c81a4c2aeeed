//! Computer players: they think away from the game, a few at a time, so that nobody waits for them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use game::Side;
use players::Player;
use store::{Job, Kind};

use crate::metrics::observe;
use crate::problem::OrFailed;
use crate::room::Room;
use crate::thinkers::For;
use crate::world;
use host::Failure;
use host::Play;
use host::wire::Code;

/// How long a computer waits when nothing can be kept, at first and at the most.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How long whoever has played an act, or taken a task, has the thinking to itself. If it dies, another takes over then.
pub(crate) const GRACE: Duration = Duration::from_secs(8);

impl Room {
    /// What the game waits for in the background, at the position it has come to.
    pub(crate) fn job(&self, play: &Play) -> Job {
        let here = self.shared.thinkers.any();
        let ordered = self.ordered(play).is_some();
        if !self.computers() && !self.has_orders() {
            Job::None
        } else if (play.computer().is_none() && !ordered) || (self.machines && (here || self.paused())) {
            // Games of computers alone go on where somebody looks, and only then.
            Job::Done
        } else {
            let grace = if here { GRACE } else { Duration::ZERO };
            Job::Due((world::now() + grace.as_millis() as u64) as i64)
        }
    }
}

/// A game was set up from the database. Where this is the only node its computer goes on; else whoever takes the task sees to
/// it, and there is one from now on.
pub(crate) async fn found(room: &Arc<Room>) -> Result<(), Failure> {
    let play = room.seen().await?;
    if !room.shared.store.shared() {
        wake(room, &play);
    } else if play.computer().is_some() && !room.machines {
        wanted(room, play.state).await?;
    }
    Ok(())
}

/// Somebody must think about the position of this state.
pub(crate) async fn wanted(room: &Arc<Room>, state: u64) -> Result<(), Failure> {
    let (seq, due) = (state as i64 + 1, world::now() as i64);
    room.shared.store.enqueue(Kind::Computer, &room.about.id, seq, due).await.or_failed()
}

/// Sets a computer to work if one must decide and none is at it.
pub(crate) fn wake(room: &Arc<Room>, play: &Play) {
    if play.computer().is_none()
        || room.paused()
        || !room.shared.thinkers.any()
        || room.thinking.swap(true, Ordering::AcqRel)
    {
        return;
    }
    let room = room.clone();
    world::spawn(async move {
        let mut pause = FIRST_PAUSE;
        let finished = loop {
            match one_decision(&room).await {
                Ok(true) => pause = FIRST_PAUSE,
                Ok(false) => break true,
                Err(failure) if keeps_nothing(&failure) && !room.shared.going_down() => {
                    tracing::warn!(game = %room.about.id, problem = %failure.0.message, ?pause, "a computer waits for the disk");
                    world::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(failure) => {
                    tracing::error!(game = %room.about.id, problem = %failure.0.message, "a computer could not decide");
                    break false;
                }
            }
        };
        room.thinking.store(false, Ordering::Release);
        // Somebody may have acted between the last look and the flag.
        if finished
            && !room.shared.going_down()
            && let Ok(play) = room.play().await
        {
            wake(&room, &play);
        }
    });
}

/// Decides once; false when no computer must decide (any longer).
async fn one_decision(room: &Arc<Room>) -> Result<bool, Failure> {
    let shared = &room.shared;
    let waits = if room.machines && !room.watched() { For::Nobody } else { For::People };
    let Some(_turn) = shared.thinkers.turn(waits).await else { return Ok(false) };
    if shared.going_down() || room.paused() {
        return Ok(false);
    }
    let (side, state, player, seed, thinker) = {
        let play = room.play().await?;
        let Some((side, level)) = play.computer() else { return Ok(false) };
        let player: Player = level.parse().unwrap_or(Player::Random);
        let hash = play.computer_hash("linstock choice 1");
        let seed = hash.iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte));
        (side, play.state, player, seed, play.table.thinker())
    };
    let started = std::time::Instant::now();
    let thought = world::blocking(move || thinker(player, seed)).await;
    observe(&shared.metrics.thought, started.elapsed());
    let action = match thought {
        Ok(Some(action)) => action,
        Ok(None) => return Ok(false),
        Err(panic) => {
            tracing::error!(game = %room.about.id, %panic, "a computer player has failed; it takes the first offer");
            return first_offer(room, side, state, None).await;
        }
    };
    match room.act_of_computer(side, state, action.clone()).await {
        Ok(_) => Ok(true),
        Err(failure) if keeps_nothing(&failure) => Err(failure),
        Err(failure) => {
            tracing::error!(game = %room.about.id, action, problem = %failure.0.message, "a computer's choice was not played");
            first_offer(room, side, state, Some((action, failure))).await
        }
    }
}

/// Whether it was the disk, and not the action, that stood in the way.
fn keeps_nothing(failure: &Failure) -> bool {
    matches!(failure.0.code, Code::StoreFailed | Code::DiskFull)
}

/// Takes the first offer, unless that is what just failed.
async fn first_offer(
    room: &Arc<Room>,
    side: Side,
    state: u64,
    failed: Option<(String, Failure)>,
) -> Result<bool, Failure> {
    let (_, offers) = room.work(room.play().await?, |_, play| play.table.offers()).await?;
    match (offers.into_iter().next(), failed) {
        (Some(first), Some((action, failure))) if first.action == action => Err(failure),
        (Some(first), _) => room.act_of_computer(side, state, first.action).await.map(|_| true),
        (None, _) => Ok(false),
    }
}
