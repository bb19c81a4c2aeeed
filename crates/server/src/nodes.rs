//! Several servers on one database. None of them owns a game: each keeps in memory what it was asked for, sees by the game's
//! version when another has gone on, and does what waits in the database when nobody else seems to be at it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use host::Failure;
use host::wire::Code;
use store::{Kind, Task};
use tokio::sync::broadcast;

use crate::computer::{self, GRACE};
use crate::hall::Hall;
use crate::problem::OrFailed;
use crate::room::Room;
use crate::{orders, world};

/// How often a node looks whether games that are watched here have gone on elsewhere, hints or not.
const LOOK: Duration = Duration::from_secs(1);
/// How many games it asks about at once: a question about ten thousand would hold up whoever acts meanwhile.
const TOGETHER: usize = 512;
/// How often it looks for work that waits, and tells the others what it is working on.
pub(crate) const SEEK: Duration = Duration::from_secs(1);
pub(crate) const STILL_AT_IT: Duration = Duration::from_secs(3);
/// How long telling the others may take when the server goes down.
const FAREWELL: Duration = Duration::from_millis(500);

/// Follows what other nodes do in the games that are watched here.
pub(crate) async fn follow(hall: Arc<Hall>) {
    let mut hints = hall.shared.store.hints();
    let mut next = after(LOOK);
    loop {
        let hinted = tokio::select! {
            biased;
            hinted = hinted(&mut hints) => hinted,
            () = world::sleep(Duration::from_millis(next.saturating_sub(world::now()))) => None,
        };
        let rooms: Vec<Arc<Room>> = match hinted {
            Some(games) => games.iter().filter_map(|game| hall.in_memory(game)).collect(),
            None => {
                next = after(LOOK);
                hall.rooms().into_iter().filter(|room| followed(room)).collect()
            }
        };
        if let Err(failure) = look_at_all(&hall, &rooms).await {
            tracing::warn!(problem = %failure.0.message, "cannot see what other nodes do");
            world::sleep(LOOK).await;
        }
    }
}

pub(crate) fn after(time: Duration) -> u64 {
    world::now() + time.as_millis() as u64
}

fn followed(room: &Room) -> bool {
    room.watched() || room.thinking.load(Ordering::Acquire)
}

/// The games that others say they have changed; none if so many that it is better to look at all.
async fn hinted(hints: &mut Option<broadcast::Receiver<String>>) -> Option<BTreeSet<String>> {
    let Some(hints) = hints else { return std::future::pending().await };
    let mut games = BTreeSet::from([hints.recv().await.ok()?]);
    while let Ok(game) = hints.try_recv() {
        games.insert(game);
    }
    Some(games)
}

async fn look_at_all(hall: &Arc<Hall>, rooms: &[Arc<Room>]) -> Result<(), Failure> {
    for some in rooms.chunks(TOGETHER) {
        look(hall, some).await?;
    }
    Ok(())
}

/// Brings those of these games up to date that are not.
async fn look(hall: &Arc<Hall>, rooms: &[Arc<Room>]) -> Result<(), Failure> {
    let known: Vec<(String, i64)> =
        rooms.iter().map(|room| (room.about.id.clone(), room.version())).collect();
    let outdated = hall.shared.store.outdated(&known).await.or_failed()?;
    for room in rooms.iter().filter(|room| outdated.contains(&room.about.id)) {
        match room.play().await {
            Ok(_) => {}
            Err(failure) if failure.0.code == Code::NoSuchGame => {
                hall.let_go(vec![room.about.id.clone()]);
            }
            Err(failure) => return Err(failure),
        }
    }
    for room in rooms.iter().filter(|room| room.machines && !hall.shared.thinkers.any()) {
        let play = room.seen().await?;
        if play.computer().is_some() && !room.paused() {
            computer::wanted(room, play.state).await?;
        }
    }
    Ok(())
}

/// Thinks for computers that have been waited for, as far as there are places.
pub(crate) async fn think(hall: Arc<Hall>) {
    let shared = &hall.shared;
    if !shared.thinkers.any() {
        return;
    }
    let mut hints = shared.store.hints();
    let mut tell = after(STILL_AT_IT);
    while !shared.going_down() {
        let soon = tokio::select! {
            biased;
            _ = hinted(&mut hints) => true,
            () = world::sleep(SEEK) => false,
        };
        if world::now() >= tell {
            tell = after(STILL_AT_IT);
            still_at_it(&hall).await;
        }
        // Hints come often; what has only just become due is found at the latest by the next look.
        if soon {
            world::sleep(SEEK / 20).await;
        }
        let free = shared.thinkers.free();
        if free == 0 {
            continue;
        }
        let now = world::now() as i64;
        match shared.store.take(Kind::Computer, now, free as i64, now + GRACE.as_millis() as i64).await {
            Ok(tasks) => {
                for task in tasks {
                    world::spawn(begin(hall.clone(), task));
                }
            }
            Err(error) => {
                tracing::warn!(%error, "cannot see what waits to be done");
                world::sleep(SEEK).await;
            }
        }
    }
}

/// Begins with a task, or finds that there is nothing left to do.
async fn begin(hall: Arc<Hall>, task: Task) {
    let begun = async {
        let room = hall.room(&task.game).await?;
        let play = room.play().await?;
        if play.computer().is_some() && play.state as i64 + 1 == task.seq {
            computer::wake(&room, &play);
            return Ok(());
        }
        drop(play);
        orders::obey(&room).await?;
        hall.shared.store.dismiss(Kind::Computer, &task.game, task.seq).await.or_failed()
    };
    match begun.await {
        Ok(()) => {}
        Err(failure) if failure.0.code == Code::NoSuchGame => {
            drop(hall.shared.store.dismiss(Kind::Computer, &task.game, task.seq).await);
        }
        Err(failure) => {
            tracing::warn!(game = %task.game, problem = %failure.0.message, "cannot begin to think; it is tried again");
        }
    }
}

/// Tells the others which computers think here, so that they need not.
async fn still_at_it(hall: &Hall) {
    let at_it = |room: &Arc<Room>| !room.machines && room.thinking.load(Ordering::Acquire);
    due_from(hall, hall.rooms().into_iter().filter(at_it), GRACE).await;
}

async fn due_from(hall: &Hall, rooms: impl Iterator<Item = Arc<Room>>, on: Duration) {
    let games: Vec<String> = rooms.map(|room| room.about.id.clone()).collect();
    if games.is_empty() {
        return;
    }
    if let Err(error) = hall.shared.store.postpone(Kind::Computer, games, after(on) as i64).await {
        tracing::debug!(%error, "the others do not know who thinks about what");
    }
}

/// Leaves what computers must decide to the others, at once. Nobody thinks here any more, so it is the games that are asked.
pub(crate) async fn hand_over(hall: &Hall) {
    if !hall.shared.store.shared() {
        return;
    }
    let farewell = async {
        let mut waiting = Vec::new();
        for room in hall.rooms().into_iter().filter(|room| room.computers() && !room.machines) {
            if room.seen().await.is_ok_and(|play| play.computer().is_some()) {
                waiting.push(room);
            }
        }
        due_from(hall, waiting.into_iter(), Duration::ZERO).await;
    };
    let _ = tokio::time::timeout(FAREWELL, farewell).await;
}
