//! What the store keeps, and what it leaves alone when it fails: one suite for SQLite, PostgreSQL and the memory of
//! simulations.

mod accounts;
#[cfg(feature = "s3")]
mod bucket;
mod cluster;
mod group;
mod notices;
mod order;
mod ratings;

use std::fs;
use std::sync::Arc;

use accounts::{
    a_ceremony_ends_once, a_seat_belongs_to_one_account, accounts_move_with_their_games,
    an_account_is_opened_by_what_belongs_to_it,
};
use cluster::Cluster;
use notices::{
    a_channel_is_one_persons, a_delivery_is_the_same_until_it_has_gone_out, a_notice_is_written_with_the_act,
    notices_go_with_their_account_and_game, one_notice_is_enough_until_it_is_seen,
};
use order::{
    a_deed_and_its_entry_are_one, a_report_is_answered_once_and_forgotten_in_time,
    order_moves_with_its_accounts, ties_are_one_for_two_and_go_with_either,
    what_is_removed_is_gone_for_everybody,
};
use ratings::a_rated_game_counts_once_and_whole;
use store::memory::{Line, Memory, Way, Weakness};
use store::{
    Archive, ChallengeRow, Change, ChatRow, GameRow, Job, Kept, Kind, Limits, NO_GAME, Picture, Promise,
    Request, ReviewRow, SeatRow, Store, StoreError, Swap, Task, Untouched, Waiting,
};

/// Where a test keeps its games.
enum Place {
    Folder(tempfile::TempDir),
    Database(String),
    Memory(Arc<Memory>),
}

impl Place {
    fn folder() -> Place {
        Place::Folder(tempfile::tempdir().unwrap())
    }

    async fn database() -> Place {
        let cluster = tokio::task::spawn_blocking(Cluster::shared).await.unwrap();
        Place::Database(cluster.database().await)
    }

    fn memory() -> Place {
        Place::Memory(Memory::new(Weakness::None))
    }

    async fn open(&self) -> Store {
        match self {
            Place::Folder(folder) => Store::open(folder.path(), Limits::default()).await.unwrap(),
            Place::Database(url) => Store::connect(url, Limits::default()).await.unwrap(),
            Place::Memory(memory) => memory.store(Arc::new(Reliable)),
        }
    }
}

/// A line that always holds.
#[derive(Debug)]
struct Reliable;

impl Line for Reliable {
    fn there(&self) -> Way<'_> {
        Box::pin(async { Ok(()) })
    }

    fn back(&self) -> Way<'_> {
        Box::pin(async { Ok(()) })
    }
}

macro_rules! on_every_store {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test] async fn $name() { super::$name(super::Place::folder()).await; })*
        }
        mod postgres {
            $(#[tokio::test] async fn $name() { super::$name(super::Place::database().await).await; })*
        }
        mod memory {
            $(#[tokio::test] async fn $name() { super::$name(super::Place::memory()).await; })*
        }
    };
}

on_every_store!(
    what_is_kept_is_there_after_opening_again,
    a_conflict_leaves_no_trace_and_harms_nobody_else_in_the_same_commit,
    a_seat_is_claimed_once,
    old_requests_are_forgotten_and_young_ones_are_not,
    what_somebody_keeps_is_counted_and_goes_with_the_game,
    untouched_games_are_found_by_their_kind,
    a_journal_is_rewritten_whole_or_not_at_all,
    of_many_at_once_one_appends,
    a_request_to_take_back_is_not_written_over_another,
    a_version_tells_of_every_change,
    a_computer_is_waited_for_until_it_has_decided,
    a_review_is_made_once_and_goes_with_the_game,
    work_that_comes_round_again_is_done_by_one_at_a_time,
    a_promise_is_kept_once,
    what_was_touched_meanwhile_is_not_deleted,
    an_older_picture_does_not_cover_a_newer_one,
    everything_can_be_copied,
    a_challenge_is_accepted_once,
    a_challenge_ends_with_its_seat_its_time_or_its_game,
    a_game_is_fought_again_once,
    a_ceremony_ends_once,
    an_account_is_opened_by_what_belongs_to_it,
    a_seat_belongs_to_one_account,
    accounts_move_with_their_games,
    a_slip_changes_with_the_game_or_nothing_does,
    a_notice_is_written_with_the_act,
    one_notice_is_enough_until_it_is_seen,
    a_delivery_is_the_same_until_it_has_gone_out,
    a_channel_is_one_persons,
    notices_go_with_their_account_and_game,
    a_deed_and_its_entry_are_one,
    a_report_is_answered_once_and_forgotten_in_time,
    ties_are_one_for_two_and_go_with_either,
    what_is_removed_is_gone_for_everybody,
    order_moves_with_its_accounts,
    a_rated_game_counts_once_and_whole,
);

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
            version: 0,
            rematch: None,
            over: false,
            archive: None,
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
        was_asked: None,
        over: false,
        job: Job::None,
        slips: Vec::new(),
        tells: Vec::new(),
    }
}

fn challenge(id: &str, game: &str) -> ChallengeRow {
    ChallengeRow {
        id: id.into(),
        game: game.into(),
        side: 1,
        made: 5,
        until: 100,
        taken: false,
        owner: "somebody".into(),
        face: "{}".into(),
    }
}

async fn a_challenge_is_accepted_once(place: Place) {
    let store = place.open().await;
    store.create(kept("g"), None).await.unwrap();
    let row = challenge("c", "g");
    store.put_up(row.clone()).await.unwrap();
    assert_eq!(store.put_up(challenge("d", "g")).await, Err(StoreError::Conflict), "one at a time");
    assert_eq!(store.challenges(99, 10).await.unwrap(), std::slice::from_ref(&row));
    assert_eq!(store.open_challenges("somebody", 99).await.unwrap(), (1, 1));
    assert_eq!(store.open_challenges("nobody", 99).await.unwrap(), (1, 0));
    let before = store.version("g").await.unwrap();
    let (one, two) = tokio::join!(
        store.accept(&row, "t1".into(), "Eve".into(), 10, vec![]),
        store.accept(&row, "t2".into(), "Bertram".into(), 10, vec![])
    );
    assert!(one.is_ok() != two.is_ok(), "{one:?} {two:?}");
    assert_eq!(store.version("g").await.unwrap(), before.map(|version| version + 1));
    let seat = store.seats("g").await.unwrap().remove(1);
    let winner = if one.is_ok() { ("t1", "Eve") } else { ("t2", "Bertram") };
    assert_eq!((seat.token.as_deref(), seat.name.as_str()), (Some(winner.0), winner.1));
    assert_eq!(store.challenges(10, 10).await.unwrap(), []);
    assert!(store.challenge("c").await.unwrap().unwrap().taken);
    assert_eq!(store.withdraw("g").await, Err(StoreError::Conflict), "it is taken");
    assert_eq!(store.put_up(challenge("e", "g")).await, Err(StoreError::Conflict), "somebody sits there");
    store.close().await;
}

async fn a_challenge_ends_with_its_seat_its_time_or_its_game(place: Place) {
    let store = place.open().await;
    for game in ["a", "b", "c", "d"] {
        store.create(kept(game), None).await.unwrap();
        store.put_up(challenge(&format!("of-{game}"), game)).await.unwrap();
    }
    let left = async |now| {
        let rows = store.challenges(now, 10).await.unwrap();
        rows.into_iter().map(|row| row.game).collect::<Vec<_>>()
    };
    assert_eq!(left(1).await, ["a", "b", "c", "d"]);
    store.claim("a", 1, "by link".into(), "Bertram".into()).await.unwrap();
    assert_eq!(left(1).await, ["b", "c", "d"]);
    store.withdraw("b").await.unwrap();
    assert_eq!(store.withdraw("b").await, Err(StoreError::Conflict));
    let late = store.accept(&challenge("of-b", "b"), "t".into(), "Eve".into(), 10, vec![]).await;
    assert_eq!(late, Err(StoreError::Conflict));
    assert_eq!(store.seats("b").await.unwrap()[1].token, None, "nobody took it after all");
    store.put_up(challenge("again", "b")).await.unwrap();
    store.delete(vec!["c".into()], 50).await.unwrap();
    assert_eq!(left(1).await, ["b", "d"]);
    assert_eq!(left(100).await, [""; 0], "too old to be shown");
    let late = store.accept(&challenge("of-d", "d"), "t".into(), "Eve".into(), 100, vec![]).await;
    assert_eq!(late, Err(StoreError::Conflict), "too old to be taken");
    store.forget_promises(99).await.unwrap();
    assert!(store.challenge("of-d").await.unwrap().is_some());
    store.forget_promises(100).await.unwrap();
    assert_eq!(store.challenge("of-d").await.unwrap(), None);
    store.close().await;
}

async fn a_game_is_fought_again_once(place: Place) {
    let store = place.open().await;
    store.create(kept("old"), None).await.unwrap();
    let (one, two) = tokio::join!(
        store.create_rematch(kept("one"), "old", vec![]),
        store.create_rematch(kept("two"), "old", vec![])
    );
    assert!(one.is_ok() != two.is_ok(), "{one:?} {two:?}");
    let (made, not) = if one.is_ok() { ("one", "two") } else { ("two", "one") };
    assert_eq!(store.summary("old").await.unwrap().unwrap().rematch.as_deref(), Some(made));
    assert!(store.game(made).await.unwrap().is_some());
    assert_eq!(store.game(not).await.unwrap(), None, "no game without its place");
    assert_eq!(store.create_rematch(kept("three"), "nowhere", vec![]).await, Err(StoreError::Conflict));
    store.close().await;
}

fn swap(name: &str, was: Option<&str>, body: Option<&str>, due: Option<i64>) -> Swap {
    Swap { name: name.into(), was: was.map(Into::into), body: body.map(Into::into), due }
}

async fn a_slip_changes_with_the_game_or_nothing_does(place: Place) {
    let store = place.open().await;
    let new = vec![swap("clock", None, Some("full"), Some(50)), swap("orders", None, Some("none"), None)];
    store.create_with(kept("g"), None, new).await.unwrap();
    // An act whose author has read something else leaves no trace.
    let stale = Change {
        slips: vec![swap("clock", Some("half"), Some("gone"), None)],
        ..change("g", 2, "stale-act")
    };
    assert_eq!(store.change(stale).await, Err(StoreError::Conflict));
    assert_eq!(store.game("g").await.unwrap().unwrap().lines.len(), 2);
    let act = Change {
        slips: vec![swap("clock", Some("full"), Some("half"), Some(70))],
        ..change("g", 2, "good-act")
    };
    store.change(act).await.unwrap();
    assert_eq!(store.game("g").await.unwrap().unwrap().lines.len(), 3);
    let rows = store.slips("g").await.unwrap();
    let told: Vec<(&str, &str, Option<i64>)> =
        rows.iter().map(|row| (row.name.as_str(), row.body.as_str(), row.due)).collect();
    assert_eq!(told, [("clock", "half", Some(70)), ("orders", "none", None)]);
    assert!(store.due_slips(69, 10).await.unwrap().is_empty());
    assert_eq!(store.due_slips(70, 10).await.unwrap(), rows[..1]);
    // Of two changes at once one is made; all of it or nothing.
    let both = vec![swap("orders", Some("none"), None, None), swap("clock", Some("full"), Some("x"), None)];
    assert_eq!(store.swap("g", both).await, Err(StoreError::Conflict));
    let version = store.version("g").await.unwrap().unwrap();
    let gone = store.swap("g", vec![swap("orders", Some("none"), None, None)]).await;
    assert_eq!(gone, Ok(version + 1));
    assert_eq!(store.slips("g").await.unwrap().len(), 1);
    store
        .stand_in("g", 0, "captain", vec![swap("clock", Some("half"), Some("stopped"), None)])
        .await
        .unwrap();
    let seat = store.seats("g").await.unwrap().remove(0);
    assert_eq!(
        (seat.kind.as_str(), seat.name.as_str(), seat.token.as_deref()),
        ("computer", "captain", Some("token"))
    );
    store.delete(vec!["g".into()], i64::MAX).await.unwrap();
    assert!(store.slips("g").await.unwrap().is_empty());
}

async fn open(folder: &std::path::Path) -> Store {
    Store::open(folder, Limits::default()).await.unwrap()
}

async fn what_is_kept_is_there_after_opening_again(place: Place) {
    let store = place.open().await;
    store.create(kept("g"), None).await.unwrap();
    store.change(change("g", 2, "r1")).await.unwrap();
    store.claim("g", 1, "other".into(), "Bertram".into()).await.unwrap();
    let line = ChatRow { n: 1, side: 0, name: "Ada".into(), text: "<b>hello</b>".into(), at: 5 };
    let request = Request { id: "r2".into(), content: "c".into(), answer: "1".into(), seq: 3 };
    store.say("g", line.clone(), request.clone()).await.unwrap();
    store.close().await;

    let store = place.open().await;
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

async fn a_conflict_leaves_no_trace_and_harms_nobody_else_in_the_same_commit(place: Place) {
    let store = Arc::new(place.open().await);
    for id in ["a", "b", "c"] {
        store.create(kept(id), None).await.unwrap();
    }
    store.change(change("b", 2, "r")).await.unwrap();
    // The same seq with another id, the same id with another seq: both too late. The others go through.
    let results = tokio::join!(
        store.change(change("a", 2, "r")),
        store.change(change("b", 2, "other")),
        store.change(change("b", 3, "r")),
        store.change(change("c", 2, "r")),
    );
    assert_eq!(results, (Ok(1), Err(StoreError::Conflict), Err(StoreError::Conflict), Ok(1)));
    assert_eq!(store.game("b").await.unwrap().unwrap().lines.len(), 3);
    assert_eq!(store.request("b", "other").await.unwrap(), None);
}

async fn a_seat_is_claimed_once(place: Place) {
    let store = place.open().await;
    store.create(kept("g"), None).await.unwrap();
    let (one, two) = tokio::join!(
        store.claim("g", 1, "one".into(), "One".into()),
        store.claim("g", 1, "two".into(), "Two".into()),
    );
    assert_eq!([one.is_ok(), two.is_ok()].iter().filter(|&&ok| ok).count(), 1);
}

#[tokio::test]
async fn a_full_disk_is_said_so_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Limits { pages: Some(128), ..Limits::default() }).await.unwrap();
    store.create(kept("g"), None).await.unwrap();
    let mut large = change("g", 2, "r");
    large.lines = vec!["x".repeat(600_000)];
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
    store.create(kept("g"), None).await.unwrap();
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.path().join("linstock.sqlite"));
    let mut other = options.connect().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    assert_eq!(store.change(change("g", 2, "r")).await, Err(StoreError::Locked));
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    store.change(change("g", 2, "r")).await.unwrap();
}

/// The statements of the version before migrations, with a game in it.
const FIRST_VERSION: &str = include_str!("../migrations/sqlite/0001_games.sql");

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

async fn old_requests_are_forgotten_and_young_ones_are_not(place: Place) {
    let store = place.open().await;
    store.create(kept("g"), None).await.unwrap();
    for after in 2..=66 {
        store.change(change("g", after, &format!("r{after}"))).await.unwrap();
    }
    assert!(store.request("g", "r2").await.unwrap().is_some(), "64 lines ago");
    store.change(change("g", 67, "r67")).await.unwrap();
    assert!(store.request("g", "r2").await.unwrap().is_none(), "65 lines ago");
    assert!(store.request("g", "r3").await.unwrap().is_some());
}

async fn what_somebody_keeps_is_counted_and_goes_with_the_game(place: Place) {
    let store = place.open().await;
    store.create(kept("g"), None).await.unwrap();
    store.create(kept("h"), None).await.unwrap();
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
    store.delete(vec!["g".into()], 100).await.unwrap();
    assert_eq!(store.game("g").await.unwrap(), None);
    assert_eq!(store.picture("g").await.unwrap(), None);
    assert_eq!(store.request("g", "r").await.unwrap(), None);
    assert_eq!(store.holdings("somebody").await.unwrap(), (1, before / 2));
}

async fn untouched_games_are_found_by_their_kind(place: Place) {
    let store = place.open().await;
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
        store.create(game, None).await.unwrap();
    }
    let found = |any, unbegun, machines| store.untouched(Untouched { any, unbegun, machines }, 10);
    assert_eq!(found(0, 0, 0).await.unwrap(), Vec::<String>::new());
    assert_eq!(found(0, 51, 0).await.unwrap(), ["unbegun"]);
    assert_eq!(found(0, 50, 51).await.unwrap(), ["machines"]);
    assert_eq!(found(51, 0, 0).await.unwrap().len(), 3);
}

async fn a_journal_is_rewritten_whole_or_not_at_all(place: Place) {
    let store = place.open().await;
    store.create(kept("g"), None).await.unwrap();
    let lines = |n: usize| (0..n).map(|i| format!("new {i}")).collect::<Vec<_>>();
    assert_eq!(store.rewrite("g", lines(3)).await, Err(StoreError::Conflict));
    assert_eq!(store.game("g").await.unwrap().unwrap().lines, ["header", "muster"]);
    assert_eq!(store.rewrite("g", lines(1)).await, Err(StoreError::Conflict), "it has grown meanwhile");
    store.rewrite("g", lines(2)).await.unwrap();
    assert_eq!(store.game("g").await.unwrap().unwrap().lines, ["new 0", "new 1"]);
}

async fn of_many_at_once_one_appends(place: Place) {
    let stores = two(&place).await;
    stores[0].create(kept("g"), None).await.unwrap();
    for after in 2..12 {
        let attempt = |n: usize| stores[n % 2].change(change("g", after, &format!("r{after}-{n}")));
        let results = tokio::join!(attempt(0), attempt(1), attempt(2), attempt(3));
        let results = [results.0, results.1, results.2, results.3];
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1, "{results:?}");
        assert!(results.iter().all(|r| r.is_ok() || *r == Err(StoreError::Conflict)), "{results:?}");
        // Nobody leaves a gap either.
        let ahead = stores[1].change(change("g", after + 2, &format!("ahead{after}"))).await;
        assert_eq!(ahead, Err(StoreError::Conflict));
    }
    assert_eq!(stores[1].game("g").await.unwrap().unwrap().lines.len(), 12);
    assert_eq!(stores[1].news("g", 11).await.unwrap().unwrap().lines, ["line 11"]);
}

/// Two who use the same place: through connections of their own, where there can be several.
async fn two(place: &Place) -> [Arc<Store>; 2] {
    let one = Arc::new(place.open().await);
    match place {
        Place::Folder(_) => [one.clone(), one],
        Place::Database(_) | Place::Memory(_) => [one, Arc::new(place.open().await)],
    }
}

async fn a_request_to_take_back_is_not_written_over_another(place: Place) {
    let store = place.open().await;
    store.create(kept("g"), None).await.unwrap();
    let ask = |id: &str, was: Option<&str>, now: Option<&str>| {
        let mut change = change("g", 2, id);
        (change.lines, change.was_asked, change.asked) =
            (Vec::new(), was.map(str::to_owned), now.map(str::to_owned));
        change
    };
    store.change(ask("r1", None, Some("first"))).await.unwrap();
    assert_eq!(store.change(ask("r2", None, Some("second"))).await, Err(StoreError::Conflict));
    assert_eq!(store.summary("g").await.unwrap().unwrap().asked.as_deref(), Some("first"));
    store.change(ask("r3", Some("first"), None)).await.unwrap();
    // An act ends it, whether its author knew of it or not.
    store.change(ask("r4", None, Some("third"))).await.unwrap();
    store.change(change("g", 2, "r5")).await.unwrap();
    assert_eq!(store.summary("g").await.unwrap().unwrap().asked, None);
    assert_eq!(store.change(ask("r6", None, Some("late"))).await, Err(StoreError::Conflict));
}

async fn a_version_tells_of_every_change(place: Place) {
    let store = place.open().await;
    store.create(kept("g"), None).await.unwrap();
    let request = Request { id: "r2".into(), content: "c".into(), answer: "1".into(), seq: 3 };
    let line = ChatRow { n: 1, side: 0, name: "Ada".into(), text: "hello".into(), at: 5 };
    assert_eq!(store.version("g").await.unwrap(), Some(0));
    assert_eq!(store.change(change("g", 2, "r1")).await.unwrap(), 1);
    assert_eq!(store.claim("g", 1, "other".into(), "Bertram".into()).await.unwrap(), 2);
    assert_eq!(store.rename("g", 1, "Bert".into()).await.unwrap(), 3);
    assert_eq!(store.say("g", line, request).await.unwrap(), 4);
    assert_eq!(store.rewrite("g", vec!["a".into(), "b".into(), "c".into()]).await.unwrap(), 5);
    assert_eq!(store.version("g").await.unwrap(), Some(5));
    assert_eq!(store.version("h").await.unwrap(), None);
    if store.shared() {
        let known = [("g".to_owned(), 5), ("h".to_owned(), 1)];
        assert_eq!(store.outdated(&known).await.unwrap(), ["h"]);
        assert_eq!(store.outdated(&[("g".to_owned(), 4)]).await.unwrap(), ["g"]);
    }
}

async fn a_computer_is_waited_for_until_it_has_decided(place: Place) {
    let store = place.open().await;
    store.create(kept("g"), Some(50)).await.unwrap();
    store.create(kept("h"), None).await.unwrap();
    assert_eq!(store.take(Kind::Computer, 49, 10, 100).await.unwrap(), []);
    let task = |game: &str, seq| Task { game: game.into(), seq };
    assert_eq!(store.take(Kind::Computer, 50, 10, 100).await.unwrap(), [task("g", 2)]);
    assert_eq!(store.take(Kind::Computer, 99, 10, 100).await.unwrap(), [], "somebody is at it");
    store.postpone(Kind::Computer, vec!["g".into()], 120).await.unwrap();
    assert_eq!(store.take(Kind::Computer, 119, 10, 130).await.unwrap(), [], "and still is");
    assert_eq!(store.take(Kind::Computer, 120, 10, 130).await.unwrap(), [task("g", 2)], "not any more");
    let mut next = change("g", 2, "r");
    next.job = Job::Due(200);
    store.change(next.clone()).await.unwrap();
    next.request = None;
    assert_eq!(store.change(next).await, Err(StoreError::Conflict), "the second answer is refused");
    assert_eq!(store.take(Kind::Computer, 199, 10, 300).await.unwrap(), []);
    // What waits already is not moved, and what is out of date cannot end what is not.
    store.enqueue(Kind::Computer, "g", 9, 1).await.unwrap();
    store.dismiss(Kind::Computer, "g", 2).await.unwrap();
    store.enqueue(Kind::Computer, "h", 2, 201).await.unwrap();
    assert_eq!(store.take(Kind::Computer, 300, 1, 400).await.unwrap(), [task("g", 3)]);
    assert_eq!(store.take(Kind::Computer, 300, 10, 400).await.unwrap(), [task("h", 2)]);
    let mut last = change("g", 3, "r3");
    last.job = Job::Done;
    store.change(last).await.unwrap();
    store.dismiss(Kind::Computer, "h", 2).await.unwrap();
    assert_eq!(store.take(Kind::Computer, i64::MAX, 10, 1).await.unwrap(), []);
}

async fn a_review_is_made_once_and_goes_with_the_game(place: Place) {
    let [one, two] = two(&place).await;
    one.create(kept("g"), Some(50)).await.unwrap();
    one.enqueue(Kind::Review, "g", 2, 10).await.unwrap();
    two.enqueue(Kind::Review, "g", 2, 10).await.unwrap();
    assert_eq!(two.queued(Kind::Review).await.unwrap(), 1, "asked for twice, made once");
    // Many look for work at once; one is given it, and not for a computer's.
    let (a, b) = tokio::join!(one.take(Kind::Review, 20, 5, 40), two.take(Kind::Review, 20, 5, 40));
    let task = Task { game: "g".into(), seq: 2 };
    if one.shared() {
        assert_eq!([a.unwrap(), b.unwrap()].concat(), std::slice::from_ref(&task));
    }
    one.advance(Kind::Review, &task, 7, 60).await.unwrap();
    assert_eq!(two.waits(Kind::Review, "g").await.unwrap(), Some(Waiting { seq: 2, done: 7 }));
    assert_eq!(two.take(Kind::Review, 59, 5, 99).await.unwrap(), [], "somebody is at it");
    // Whoever was at it is gone; it is kept, and another does it.
    assert_eq!(two.take(Kind::Review, 60, 5, 99).await.unwrap(), std::slice::from_ref(&task));
    let review = |body: &str| ReviewRow { seq: 2, body: Some(body.into()) };
    let (a, b) = tokio::join!(one.keep_review("g", review("a")), two.keep_review("g", review("b")));
    assert!(a.is_ok() != b.is_ok(), "{a:?} {b:?}");
    let found = one.review("g").await.unwrap().unwrap();
    assert_eq!(found, review(if a.is_ok() { "a" } else { "b" }));
    assert_eq!(one.waits(Kind::Review, "g").await.unwrap(), None);
    assert_eq!(two.advance(Kind::Review, &task, 8, 99).await, Err(StoreError::Conflict), "it is done");
    assert_eq!(two.take(Kind::Computer, 50, 5, 99).await.unwrap(), [task], "the computer still waits");
    // Of a game that went on after all, the later is kept; and all of it goes with the game.
    one.enqueue(Kind::Review, "g", 3, 10).await.unwrap();
    one.keep_review("g", ReviewRow { seq: 3, body: None }).await.unwrap();
    assert_eq!(two.review("g").await.unwrap(), Some(ReviewRow { seq: 3, body: None }));
    one.enqueue(Kind::Review, "g", 4, 10).await.unwrap();
    one.delete(vec!["g".into()], 100).await.unwrap();
    assert_eq!(two.review("g").await.unwrap(), None);
    assert_eq!(two.keep_review("g", ReviewRow { seq: 4, body: None }).await, Err(StoreError::Conflict));
}

async fn work_that_comes_round_again_is_done_by_one_at_a_time(place: Place) {
    let [one, two] = two(&place).await;
    for store in [&one, &two] {
        store.enqueue(Kind::Expiry, NO_GAME, 0, 10).await.unwrap();
    }
    assert_eq!(one.take(Kind::Archive, 10, 1, 20).await.unwrap(), [], "each kind by itself");
    assert_eq!(one.take(Kind::Expiry, 10, 1, 20).await.unwrap(), [Task { game: NO_GAME.into(), seq: 0 }]);
    assert_eq!(two.take(Kind::Expiry, 19, 1, 30).await.unwrap(), [], "the first is at it");
    one.postpone(Kind::Expiry, vec![NO_GAME.into()], 600).await.unwrap();
    assert_eq!(two.take(Kind::Expiry, 599, 1, 700).await.unwrap(), [], "and has done it");
    assert_eq!(two.take(Kind::Expiry, 600, 1, 700).await.unwrap().len(), 1);
    // The second dies over it.
    assert_eq!(one.take(Kind::Expiry, 700, 1, 800).await.unwrap().len(), 1);
}

async fn a_promise_is_kept_once(place: Place) {
    let store = place.open().await;
    let promise = |commitment: &str, owner: &str| Promise {
        commitment: commitment.into(),
        secret: "ff".into(),
        until: 100,
        owner: owner.into(),
    };
    store.promise(promise("a", "ada")).await.unwrap();
    store.promise(promise("b", "bertram")).await.unwrap();
    assert_eq!(store.promises("ada", 99).await.unwrap(), (2, 1));
    assert_eq!(store.redeem("a", 100).await.unwrap(), None, "too old");
    assert_eq!(store.redeem("a", 99).await.unwrap().as_deref(), Some("ff"));
    assert_eq!(store.redeem("a", 99).await.unwrap(), None, "used");
    store.forget_promises(100).await.unwrap();
    assert_eq!(store.promises("bertram", 0).await.unwrap(), (0, 0));
    // What all servers must agree on is what the first has said.
    assert_eq!(store.note_once("salt", "one".into()).await.unwrap(), "one");
    assert_eq!(store.note_once("salt", "two".into()).await.unwrap(), "one");
}

async fn what_was_touched_meanwhile_is_not_deleted(place: Place) {
    let store = place.open().await;
    store.create(kept("g"), None).await.unwrap();
    store.change(change("g", 2, "r")).await.unwrap();
    store.delete(vec!["g".into()], 2).await.unwrap();
    assert_eq!(store.game("g").await.unwrap().unwrap().lines.len(), 3);
    store.delete(vec!["g".into()], 3).await.unwrap();
    assert_eq!(store.game("g").await.unwrap(), None);
    assert_eq!(store.change(change("g", 3, "s")).await, Err(StoreError::Conflict), "there is no such game");
}

async fn an_older_picture_does_not_cover_a_newer_one(place: Place) {
    let store = place.open().await;
    store.create(kept("g"), None).await.unwrap();
    let picture = |state| Picture { state, board_hash: "b".into(), board: vec![1], body: vec![state as u8] };
    store.draw("g", picture(7)).await.unwrap();
    store.draw("g", picture(6)).await.unwrap();
    assert_eq!(store.picture("g").await.unwrap(), Some(picture(7)));
}

#[tokio::test]
async fn finished_journals_leave_sqlite_and_are_read_as_before() {
    finished_journals_are_read_as_before(Place::folder()).await;
}

#[tokio::test]
async fn finished_journals_leave_postgres_and_are_read_as_before() {
    finished_journals_are_read_as_before(Place::database().await).await;
}

async fn finished_journals_are_read_as_before(place: Place) {
    let folder = tempfile::tempdir().unwrap();
    let store = place.open().await.with_archive(Some(Archive::open(folder.path(), []).unwrap()));
    for id in ["g", "h", "young", "open"] {
        store.create(kept(id), None).await.unwrap();
        let mut last = change(id, 2, "r");
        (last.over, last.at) = (id != "open", if id == "young" { 50 } else { 2 });
        store.change(last).await.unwrap();
    }
    assert_eq!(store.finished(50, 10).await.unwrap(), ["g", "h"]);
    let before = store.game("g").await.unwrap().unwrap();
    store.move_to_archive("g").await.unwrap();
    store.move_to_archive("h").await.unwrap();
    assert_eq!(store.finished(50, 10).await.unwrap(), Vec::<String>::new());
    assert_eq!(store.move_to_archive("g").await, Err(StoreError::Conflict), "it is there already");
    let after = store.game("g").await.unwrap().unwrap();
    let name = after.game.archive.clone().unwrap();
    assert_eq!(fs::read_to_string(folder.path().join(&name)).unwrap(), "header\nmuster\nline 2\n");
    assert_eq!((&after.lines, &after.seats), (&before.lines, &before.seats));
    assert_eq!(store.news("g", 2).await.unwrap().unwrap().lines, ["line 2"]);
    // The last decision is taken back after all, and the game goes on in the database.
    assert_eq!(store.change(change("g", 2, "late")).await, Err(StoreError::Conflict));
    store.change(change("g", 3, "on")).await.unwrap();
    assert_eq!(store.news("g", 1).await.unwrap().unwrap().lines, ["muster", "line 2", "line 3"]);
    // Written down anew, all of it is in the database again.
    let anew: Vec<String> = (0..4).map(|n| format!("new {n}")).collect();
    store.rewrite("g", anew.clone()).await.unwrap();
    let kept = store.game("g").await.unwrap().unwrap();
    assert_eq!((kept.lines, kept.game.archive), (anew, None));
    assert!(!folder.path().join(&name).exists(), "what was written before is gone");
    // Whoever comes without the archive is told so, and a journal that was cut short is not taken for a shorter game.
    let name = store.summary("h").await.unwrap().unwrap().archive.unwrap();
    fs::write(folder.path().join(&name), "header\nmuster\n").unwrap();
    let error = store.game("h").await.unwrap_err().to_string();
    assert!(error.contains("2 lines where 3 were written"), "{error}");
    store.delete(vec!["h".into()], 100).await.unwrap();
    assert!(!folder.path().join("h").exists(), "a deleted game leaves nothing behind");
    store.move_to_archive("young").await.unwrap();
    let store = store.with_archive(None);
    let error = store.game("young").await.unwrap_err().to_string();
    assert!(error.contains("--archive"), "{error}");
}

#[cfg(not(feature = "s3"))]
#[test]
fn a_program_without_buckets_says_so() {
    let error = Archive::open(std::path::Path::new("s3://games/finished"), []).unwrap_err().to_string();
    assert!(error.contains("feature `hosting`"), "{error}");
}

/// Into a place of this kind, out of SQLite.
async fn everything_can_be_copied(place: Place) {
    // The folder goes with this name, so it is kept to the end.
    let folder = Place::folder();
    let old = folder.open().await;
    for id in ["g", "h"] {
        old.create(kept(id), None).await.unwrap();
        old.change(change(id, 2, "r")).await.unwrap();
    }
    let request = Request { id: "r2".into(), content: "c".into(), answer: "1".into(), seq: 3 };
    let line = ChatRow { n: 1, side: 0, name: "Ada".into(), text: "hello".into(), at: 5 };
    old.say("g", line.clone(), request.clone()).await.unwrap();
    let picture = Picture { state: 2, board_hash: "b".into(), board: vec![1; 9], body: vec![2; 9] };
    old.draw("g", picture.clone()).await.unwrap();
    old.note("owner_salt", "salt".into()).await.unwrap();
    old.put_up(challenge("c", "h")).await.unwrap();
    old.create_rematch(kept("r"), "g", vec![]).await.unwrap();
    let review = ReviewRow { seq: 3, body: Some("{}".into()) };
    old.enqueue(Kind::Review, "g", 3, 0).await.unwrap();
    old.keep_review("g", review.clone()).await.unwrap();
    let new = place.open().await;
    let copied = store::copy(&old, &new, |_| {}).await.unwrap();
    assert_eq!((copied.games, copied.already, copied.lines), (3, 0, 8));
    for id in ["g", "h"] {
        let (mut there, here) = (old.game(id).await.unwrap().unwrap(), new.game(id).await.unwrap().unwrap());
        there.game.version = here.game.version;
        assert_eq!(here, there);
    }
    assert_eq!(new.challenges(50, 10).await.unwrap(), [challenge("c", "h")]);
    assert_eq!(new.chat("g", 0, 10).await.unwrap(), [line]);
    assert_eq!(new.picture("g").await.unwrap(), Some(picture));
    assert_eq!(new.review("g").await.unwrap(), Some(review));
    assert_eq!(new.request("g", "r2").await.unwrap(), Some(request));
    assert_eq!(new.holdings("somebody").await.unwrap(), old.holdings("somebody").await.unwrap());
    assert_eq!(new.noted("owner_salt").await.unwrap().as_deref(), Some("salt"));
    // And back: nothing is lost on the way.
    let place_at_home = Place::folder();
    let home = place_at_home.open().await;
    store::copy(&new, &home, |_| {}).await.unwrap();
    for id in ["g", "h"] {
        let (there, mut here) = (old.game(id).await.unwrap().unwrap(), home.game(id).await.unwrap().unwrap());
        here.game.version = there.game.version;
        assert_eq!(here, there);
        assert_eq!(home.chat(id, 0, 10).await.unwrap(), old.chat(id, 0, 10).await.unwrap());
        assert_eq!(home.picture(id).await.unwrap(), old.picture(id).await.unwrap());
        assert_eq!(home.request(id, "r").await.unwrap(), old.request(id, "r").await.unwrap());
    }
    // Again, as after an interruption: what is there is left alone.
    new.change(change("g", 3, "on")).await.unwrap();
    let again = store::copy(&old, &new, |_| {}).await.unwrap();
    assert_eq!((again.games, again.already), (0, 3));
    assert_eq!(new.game("g").await.unwrap().unwrap().lines.len(), 4);
}
