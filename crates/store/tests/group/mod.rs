//! Changes that share a commit on PostgreSQL, and what must not hold them up.

use std::sync::atomic::{AtomicUsize, Ordering};

use sqlx::{ConnectOptions, Connection, Executor};
use store::{Job, Task};
use tokio::task::JoinSet;

use super::*;

async fn with_games(url: &str, limits: Limits, games: &[String]) -> Arc<Store> {
    let store = Store::connect(url, limits).await.unwrap();
    for game in games {
        store.create(kept(game), None).await.unwrap();
    }
    Arc::new(store)
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("g{n}")).collect()
}

async fn url() -> String {
    let Place::Database(url) = Place::database().await else { unreachable!("it was asked for") };
    url
}

#[tokio::test]
async fn changes_of_many_games_share_a_commit() {
    let largest = Arc::new(AtomicUsize::new(0));
    let seen = largest.clone();
    let observer: store::Observer = Box::new(move |_, writes| {
        seen.fetch_max(writes, Ordering::Relaxed);
    });
    let games = names(50);
    let limits = Limits { observer: Some(observer), ..Limits::default() };
    let store = with_games(&url().await, limits, &games).await;
    let mut under_way = JoinSet::new();
    for (n, game) in games.iter().enumerate() {
        let (store, change) = (store.clone(), change(game, 2, &format!("r{n}")));
        // In every second game a computer must decide next.
        let job = if n % 2 == 0 { Job::Due(0) } else { Job::Done };
        under_way.spawn(async move { store.change(Change { job, ..change }).await });
    }
    let written = under_way.join_all().await;
    assert_eq!(written, vec![Ok(1); 50]);
    assert_eq!(largest.load(Ordering::Relaxed), 50, "one commit for all of them");
    for (n, game) in games.iter().enumerate() {
        assert_eq!(store.game(game).await.unwrap().unwrap().lines, ["header", "muster", "line 2"]);
        assert!(store.request(game, &format!("r{n}")).await.unwrap().is_some());
    }
    let mut waiting = store.take(Kind::Computer, 1, 100, 2).await.unwrap();
    waiting.sort_by(|a, b| a.game.cmp(&b.game));
    let mut expected: Vec<Task> =
        games.iter().step_by(2).map(|game| Task { game: game.clone(), seq: 3 }).collect();
    expected.sort_by(|a, b| a.game.cmp(&b.game));
    assert_eq!(waiting, expected);
}

#[tokio::test]
async fn a_game_that_somebody_else_holds_does_not_hold_up_the_others() {
    let (url, games) = (url().await, names(3));
    let store = with_games(&url, Limits::default(), &games).await;
    let mut somebody = url.parse::<sqlx::postgres::PgConnectOptions>().unwrap().connect().await.unwrap();
    let mut held = somebody.begin().await.unwrap();
    held.execute("SELECT 1 FROM games WHERE id = 'g1' FOR UPDATE").await.unwrap();
    let late = tokio::spawn({
        let store = store.clone();
        async move { store.change(change("g1", 2, "r")).await }
    });
    // Should they wait for it they would be given up.
    let others = tokio::join!(store.change(change("g0", 2, "r")), store.change(change("g2", 2, "r")));
    assert_eq!(others, (Ok(1), Ok(1)));
    assert!(!late.is_finished());
    held.rollback().await.unwrap();
    assert_eq!(late.await.unwrap(), Ok(1));
}

#[tokio::test]
async fn who_waits_for_a_game_sees_what_was_written_meanwhile() {
    let (url, games) = (url().await, names(1));
    let store = with_games(&url, Limits::default(), &games).await;
    let mut somebody = url.parse::<sqlx::postgres::PgConnectOptions>().unwrap().connect().await.unwrap();
    let mut held = somebody.begin().await.unwrap();
    held.execute("UPDATE games SET lines = lines + 1 WHERE id = 'g0'").await.unwrap();
    let late = tokio::spawn({
        let store = store.clone();
        async move { store.change(change("g0", 2, "r")).await }
    });
    // Whether it comes while the game is held or after: late is late.
    tokio::task::yield_now().await;
    held.commit().await.unwrap();
    assert_eq!(late.await.unwrap(), Err(StoreError::Conflict));
    assert_eq!(store.change(change("g0", 2, "s")).await, Err(StoreError::Conflict));
    assert_eq!(store.game("g0").await.unwrap().unwrap().lines.len(), 2, "nothing was appended");
}
