//! What is done while nobody asks: games nobody looks at leave memory, their last views are kept, those nobody has touched
//! for long are deleted.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use game::journal;
use store::{Kind, NO_GAME, StoreError, Untouched};

use crate::guard::Gate;
use crate::hall::Hall;
use crate::nodes::after;
use crate::room::Room;
use crate::world;

/// How many games are drawn, or deleted, at a time.
const TOGETHER: usize = 32;
/// A game is drawn when it has been quiet so long, and when it leaves memory.
const QUIET: Duration = Duration::from_secs(60);
/// How often untouched games are looked for, and finished journals.
const ROUND: Duration = Duration::from_secs(600);
/// How long whoever is at it has it to itself after its last sign of life; after so long it is also tried again.
const AT_IT: Duration = Duration::from_secs(60);
/// How long games have to be drawn when the server goes down.
const FAREWELL: Duration = Duration::from_millis(1500);
/// Games that were never drawn are drawn after the start, so many a second.
const CATCH_UP: u32 = 20;
const ALL: i64 = 1_000_000;
/// How many finished journals leave the database at a time.
const ARCHIVED: i64 = 1000;

/// Does all of it, until the server goes down.
pub(crate) async fn run(hall: Arc<Hall>, gate: Arc<Gate>) {
    let period = (hall.idle / 4).clamp(Duration::from_millis(10), Duration::from_secs(10));
    let mut every = tokio::time::interval(period);
    let mut begun = false;
    loop {
        every.tick().await;
        let leaving = hall.sweep();
        draw(leaving.into_iter().chain(quiet(&hall)).take(TOGETHER)).await;
        hall.shared.metrics.tidy();
        gate.tidy();
        hall.shared.owners.tidy();
        hall.accounts.tidy();
        hall.order.tidy();
        if !begun {
            begun = begin(&hall).await.is_ok();
        }
        if let Err(error) = round(&hall, Kind::Expiry).await {
            tracing::warn!(%error, "untouched games cannot be deleted; it is tried again");
        }
        if let Err(error) = round(&hall, Kind::Archive).await {
            tracing::warn!(%error, "finished journals cannot be archived; it is tried again");
        }
    }
}

/// From now on there is something that comes round again. A server that has the database to itself begins at once, for its
/// settings may have changed; of several, whoever comes first when it is due.
async fn begin(hall: &Hall) -> Result<(), StoreError> {
    let (store, now) = (&hall.shared.store, world::now() as i64);
    for kind in [Kind::Expiry, Kind::Archive] {
        store.enqueue(kind, NO_GAME, 0, now).await?;
        if !store.shared() {
            store.postpone(kind, vec![NO_GAME.to_owned()], now).await?;
        }
    }
    Ok(())
}

/// Does what comes round again, if it is due and no other server is at it.
async fn round(hall: &Hall, kind: Kind) -> Result<(), StoreError> {
    let store = &hall.shared.store;
    // Only those who have the archive can fill it.
    if kind == Kind::Archive && !store.archives() {
        return Ok(());
    }
    let now = world::now() as i64;
    if store.take(kind, now, 1, after(AT_IT) as i64).await?.is_empty() {
        return Ok(());
    }
    match kind {
        Kind::Archive => archive(hall).await?,
        _ => expire(hall).await?,
    }
    at_it(hall, kind, ROUND).await
}

/// Tells the other servers that they need not look for so long.
async fn at_it(hall: &Hall, kind: Kind, on: Duration) -> Result<(), StoreError> {
    hall.shared.store.postpone(kind, vec![NO_GAME.to_owned()], after(on) as i64).await
}

async fn draw(rooms: impl Iterator<Item = Arc<Room>>) {
    for room in rooms {
        if let Err(failure) = room.draw().await {
            tracing::warn!(game = %room.about.id, problem = %failure.0.message, "a last view cannot be kept");
            // It must not stay in memory for that; after the next start it is tried again.
            room.drawn.store(room.state.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
}

/// Games in which nothing has happened for a while since they were last drawn.
fn quiet(hall: &Hall) -> Vec<Arc<Room>> {
    let limit = world::now().saturating_sub(QUIET.as_millis() as u64);
    let quiet = |room: &Arc<Room>| room.undrawn() && room.used.load(Ordering::Relaxed) < limit;
    hall.rooms().into_iter().filter(quiet).collect()
}

/// Draws what has changed, as far as there is time, before the server goes down.
pub(crate) async fn last_views(hall: &Hall) {
    let undrawn = hall.rooms().into_iter().filter(|room| room.undrawn());
    let _ = tokio::time::timeout(FAREWELL, draw(undrawn)).await;
}

/// Draws what an earlier run of this program had no time for. Games of another edition are left as they are.
pub(crate) async fn catch_up(hall: Arc<Hall>) {
    let Ok(undrawn) = hall.shared.store.undrawn(0, ALL).await else { return };
    let mut every = tokio::time::interval(Duration::from_secs(1) / CATCH_UP);
    let systems = hall.shared.library.editions();
    for id in undrawn {
        every.tick().await;
        let Ok(Some(kept)) = hall.shared.store.game(&id).await else { continue };
        let header =
            kept.lines.first().and_then(|line| journal::parse(line).ok()).map(|parsed| parsed.header);
        let ours = |header: &journal::Header| {
            systems.iter().any(|(s, e)| *s == header.system && *e == header.edition)
        };
        if !header.as_ref().is_some_and(ours) {
            continue;
        }
        if let Ok(room) = hall.fetch(&id).await
            && room.undrawn()
        {
            draw(std::iter::once(room)).await;
        }
    }
}

/// Moves the journals of finished games out of the database.
async fn archive(hall: &Hall) -> Result<(), StoreError> {
    let store = &hall.shared.store;
    let before = world::now() as i64 - hall.archive_after.as_millis() as i64;
    let mut count = 0;
    for (n, game) in store.finished(before, ARCHIVED).await?.into_iter().enumerate() {
        if n % TOGETHER == 0 {
            at_it(hall, Kind::Archive, AT_IT).await?;
        }
        match store.move_to_archive(&game).await {
            Ok(()) => count += 1,
            Err(StoreError::Conflict) => {}
            Err(error) => return Err(error),
        }
    }
    if count > 0 {
        tracing::info!(count, "moved finished journals to the archive");
    }
    Ok(())
}

/// Deletes games that nobody has touched for long.
async fn expire(hall: &Hall) -> Result<(), StoreError> {
    let quotas = &hall.shared.owners.quotas;
    let before = |age: Duration| match age.is_zero() {
        true => i64::MIN,
        false => world::now() as i64 - age.as_millis() as i64,
    };
    let since = Untouched {
        any: before(quotas.untouched),
        unbegun: before(quotas.unbegun),
        machines: before(quotas.machines),
    };
    let now = world::now() as i64;
    hall.studies.expire(since.machines).await;
    hall.shared.store.forget_promises(now).await?;
    let mut found = hall.shared.store.untouched(since, ALL).await?;
    while !found.is_empty() {
        at_it(hall, Kind::Expiry, AT_IT).await?;
        let rest = found.split_off(found.len().min(TOGETHER));
        let free = hall.let_go(found);
        let count = free.len() as u64;
        if count > 0 {
            hall.shared.store.delete(free, now).await?;
            hall.shared.metrics.deleted.increment(count);
            tracing::info!(count, "deleted games that nobody has touched for long");
        }
        found = rest;
    }
    Ok(())
}
