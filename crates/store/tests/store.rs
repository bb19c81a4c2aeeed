//! What the store keeps, and what it leaves alone when it fails.

use std::sync::Arc;

use store::{
    Change, ChatRow, GameRow, Kept, Limits, Picture, Request, SeatRow, Store, StoreError, Untouched,
};

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
            owner: "somebody".into(),
            bytes: 0,
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
        request: Some(Request { id: id.into(), content: "c".into(), answer: "a".into(), seq: after }),
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
    let request = Request { id: "r2".into(), content: "c".into(), answer: "1".into(), seq: 3 };
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
    let store = Store::open(folder.path(), Limits { pages: Some(48), ..Limits::default() }).await.unwrap();
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
    let store = Store::open(folder.path(), Limits { patience, ..Limits::default() }).await.unwrap();
    store.create(kept("g")).await.unwrap();
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.path().join("linstock.sqlite"));
    let mut other = options.connect().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    assert_eq!(store.change(change("g", 2, "r")).await, Err(StoreError::Locked));
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    store.change(change("g", 2, "r")).await.unwrap();
}

/// The statements of the version before migrations, with a game in it.
const FIRST_VERSION: &str = include_str!("../migrations/0001_games.sql");

async fn by_hand(folder: &std::path::Path, statements: &str) {
    use sqlx::ConnectOptions;
    let file = folder.join("linstock.sqlite");
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(file).create_if_missing(true);
    let mut connection = options.connect().await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(statements.to_owned())).execute(&mut connection).await.unwrap();
}

#[tokio::test]
async fn a_database_without_a_version_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let game =
        "INSERT INTO games (id, made, touched, public, secret, summary) VALUES ('g', 1, 2, 1, 'ff', '{}');
        INSERT INTO lines (game, seq, line) VALUES ('g', 0, 'header'), ('g', 1, 'muster');
        INSERT INTO requests (game, id, content, answer) VALUES ('g', 'r', 'c', 'a');
        INSERT INTO chat (game, n, side, name, text, at) VALUES ('g', 1, 0, 'Ada', 'hello', 5);";
    by_hand(folder.path(), &format!("{FIRST_VERSION};{game}")).await;
    for _ in 0..2 {
        let store = open(folder.path()).await;
        let kept = store.game("g").await.unwrap().unwrap();
        assert_eq!((kept.lines.len(), kept.game.owner.as_str(), kept.game.bytes), (2, "", 17));
        assert_eq!(store.request("g", "r").await.unwrap().unwrap().answer, "a");
        assert_eq!(store.chat("g", 0, 10).await.unwrap().len(), 1);
        store.close().await;
    }
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path()).await.close().await;
    by_hand(
        folder.path(),
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (99, 'later', 1, x'00', 0)",
    )
    .await;
    let error = Store::open(folder.path(), Limits::default()).await.unwrap_err();
    assert!(matches!(&error, StoreError::Newer(what) if what.contains("99")), "{error}");
}

#[tokio::test]
async fn old_requests_are_forgotten_and_young_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    store.create(kept("g")).await.unwrap();
    for after in 2..=66 {
        store.change(change("g", after, &format!("r{after}"))).await.unwrap();
    }
    assert!(store.request("g", "r2").await.unwrap().is_some(), "64 lines ago");
    store.change(change("g", 67, "r67")).await.unwrap();
    assert!(store.request("g", "r2").await.unwrap().is_none(), "65 lines ago");
    assert!(store.request("g", "r3").await.unwrap().is_some());
}

#[tokio::test]
async fn what_somebody_keeps_is_counted_and_goes_with_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    store.create(kept("g")).await.unwrap();
    store.create(kept("h")).await.unwrap();
    let (games, before) = store.holdings("somebody").await.unwrap();
    assert_eq!((games, store.holdings("nobody").await.unwrap()), (2, (0, 0)));
    store.change(change("g", 2, "r")).await.unwrap();
    let picture = |state| Picture { state, board_hash: "b".into(), board: vec![1; 300], body: vec![2; 200] };
    store.draw("g", picture(1)).await.unwrap();
    assert_eq!(store.undrawn(0, 10).await.unwrap(), ["g", "h"], "the picture is of an earlier state");
    store.draw("g", picture(2)).await.unwrap();
    assert_eq!(store.undrawn(0, 10).await.unwrap(), ["h"]);
    assert_eq!(store.picture("g").await.unwrap(), Some(picture(2)));
    let (_, after) = store.holdings("somebody").await.unwrap();
    assert!(after > before + 500, "{before} {after}");
    store.delete(vec!["g".into()]).await.unwrap();
    assert_eq!(store.game("g").await.unwrap(), None);
    assert_eq!(store.picture("g").await.unwrap(), None);
    assert_eq!(store.request("g", "r").await.unwrap(), None);
    assert_eq!(store.holdings("somebody").await.unwrap(), (1, before / 2));
}

#[tokio::test]
async fn untouched_games_are_found_by_their_kind() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let aged = |id: &str, touched: i64, kind: &str| {
        let mut kept = kept(id);
        kept.game.touched = touched;
        kept.seats.iter_mut().for_each(|seat| seat.kind = kind.into());
        kept
    };
    let mut begun = aged("begun", 50, "here");
    begun.lines.push("an act".into());
    let mut machines = aged("machines", 50, "computer");
    machines.lines.push("an act".into());
    for game in [begun, machines, aged("unbegun", 50, "here"), aged("fresh", 90, "here")] {
        store.create(game).await.unwrap();
    }
    let found = |any, unbegun, machines| store.untouched(Untouched { any, unbegun, machines }, 10);
    assert_eq!(found(0, 0, 0).await.unwrap(), Vec::<String>::new());
    assert_eq!(found(0, 51, 0).await.unwrap(), ["unbegun"]);
    assert_eq!(found(0, 50, 51).await.unwrap(), ["machines"]);
    assert_eq!(found(51, 0, 0).await.unwrap().len(), 3);
}

#[tokio::test]
async fn a_journal_is_rewritten_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    store.create(kept("g")).await.unwrap();
    let lines = |n: usize| (0..n).map(|i| format!("new {i}")).collect::<Vec<_>>();
    assert_eq!(store.rewrite("g", lines(3)).await, Err(StoreError::Conflict));
    assert_eq!(store.game("g").await.unwrap().unwrap().lines, ["header", "muster"]);
    store.rewrite("g", lines(2)).await.unwrap();
    assert_eq!(store.game("g").await.unwrap().unwrap().lines, ["new 0", "new 1"]);
}
