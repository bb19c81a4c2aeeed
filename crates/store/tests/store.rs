//! What the store keeps, and what it leaves alone when it fails.

use std::sync::Arc;

use store::{Change, ChatRow, GameRow, Kept, Limits, Request, SeatRow, Store, StoreError};

fn kept(id: &str) -> Kept {
    let seat = |side, kind: &str, token: Option<&str>| SeatRow {
        side,
        kind: kind.into(),
        name: "Ada".into(),
        invitation: token.is_none().then(|| "invitation".into()),
        token: token.map(Into::into),
    };
    Kept {
        game: GameRow {
            id: id.into(),
            made: 1,
            touched: 1,
            public: true,
            secret: "ff".into(),
            summary: "{}".into(),
            asked: None,
        },
        seats: vec![seat(0, "here", Some("token")), seat(1, "link", None)],
        lines: vec!["header".into(), "muster".into()],
    }
}

fn change(game: &str, after: i64, id: &str) -> Change {
    Change {
        game: game.into(),
        after,
        lines: vec![format!("line {after}")],
        request: Some(Request { id: id.into(), content: "c".into(), answer: "a".into() }),
        at: after,
        summary: format!("{{\"n\":{after}}}"),
        asked: None,
    }
}

async fn open(folder: &std::path::Path) -> Store {
    Store::open(folder, Limits::default()).await.unwrap()
}

#[tokio::test]
async fn what_is_kept_is_there_after_opening_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    store.create(kept("g")).await.unwrap();
    store.change(change("g", 2, "r1")).await.unwrap();
    store.claim("g", 1, "other".into(), "Bertram".into()).await.unwrap();
    let line = ChatRow { n: 1, side: 0, name: "Ada".into(), text: "<b>hello</b>".into(), at: 5 };
    let request = Request { id: "r2".into(), content: "c".into(), answer: "1".into() };
    store.say("g", line.clone(), request.clone()).await.unwrap();
    store.close().await;

    let store = open(folder.path()).await;
    let again = store.game("g").await.unwrap().unwrap();
    assert_eq!(again.lines, ["header", "muster", "line 2"]);
    assert_eq!(again.seats[1].token.as_deref(), Some("other"));
    assert_eq!(again.game.summary, "{\"n\":2}");
    assert_eq!(store.chat("g", 0, 10).await.unwrap(), [line]);
    assert_eq!(store.last_chat("g").await.unwrap(), 1);
    assert_eq!(store.request("g", "r2").await.unwrap(), Some(request));
    assert_eq!(store.public(100, 10).await.unwrap().len(), 1);
    assert_eq!(store.ids().await.unwrap(), ["g"]);
}

#[tokio::test]
async fn a_conflict_leaves_no_trace_and_harms_nobody_else_in_the_same_commit() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(open(folder.path()).await);
    for id in ["a", "b", "c"] {
        store.create(kept(id)).await.unwrap();
    }
    store.change(change("b", 2, "r")).await.unwrap();
    // The same seq with another id, the same id with another seq: both too late. The others go through.
    let results = tokio::join!(
        store.change(change("a", 2, "r")),
        store.change(change("b", 2, "other")),
        store.change(change("b", 3, "r")),
        store.change(change("c", 2, "r")),
    );
    assert_eq!(results, (Ok(()), Err(StoreError::Conflict), Err(StoreError::Conflict), Ok(())));
    assert_eq!(store.game("b").await.unwrap().unwrap().lines.len(), 3);
    assert_eq!(store.request("b", "other").await.unwrap(), None);
}

#[tokio::test]
async fn a_seat_is_claimed_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    store.create(kept("g")).await.unwrap();
    let (one, two) = tokio::join!(
        store.claim("g", 1, "one".into(), "One".into()),
        store.claim("g", 1, "two".into(), "Two".into()),
    );
    assert_eq!([one.is_ok(), two.is_ok()].iter().filter(|&&ok| ok).count(), 1);
}

#[tokio::test]
async fn a_full_disk_is_said_so_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Limits { pages: Some(24), ..Limits::default() }).await.unwrap();
    store.create(kept("g")).await.unwrap();
    let mut large = change("g", 2, "r");
    large.lines = vec!["x".repeat(200_000)];
    assert_eq!(store.change(large).await, Err(StoreError::Full));
    assert_eq!(store.game("g").await.unwrap().unwrap().lines.len(), 2);
    assert_eq!(store.request("g", "r").await.unwrap(), None);
    store.change(change("g", 2, "r")).await.unwrap();
}

#[tokio::test]
async fn two_servers_do_not_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let _store = open(folder.path()).await;
    let second = Store::open(folder.path(), Limits::default()).await;
    assert!(matches!(second, Err(StoreError::InUse(_))));
}

#[tokio::test]
async fn a_database_held_by_another_program_is_said_so() {
    use sqlx::ConnectOptions;
    let folder = tempfile::tempdir().unwrap();
    let patience = Some(std::time::Duration::from_millis(50));
    let store = Store::open(folder.path(), Limits { patience, pages: None }).await.unwrap();
    store.create(kept("g")).await.unwrap();
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.path().join("linstock.sqlite"));
    let mut other = options.connect().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    assert_eq!(store.change(change("g", 2, "r")).await, Err(StoreError::Locked));
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    store.change(change("g", 2, "r")).await.unwrap();
}
