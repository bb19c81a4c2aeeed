//! Notices in every store: written with what they tell of, taken once, and gone when somebody has seen the game.

use store::{ChannelRow, NoticeRow, NoticeSettings, Proof, Store, StoreError, Swap, Tell};

use super::accounts::{join, seat, session};
use super::{Place, change, kept};

const TURN: i64 = 1;
const UNDO: i64 = 4;
const OVER: i64 = 32;

fn tell(side: i64, occasion: i64) -> Tell {
    Tell { side, occasion, at: 10, due: 20 }
}

fn channel(id: &str, account: &str, kind: &str) -> ChannelRow {
    ChannelRow {
        id: id.into(),
        account: account.into(),
        kind: kind.into(),
        target: format!("where {id} is"),
        more: String::new(),
        made: 1,
        muted: false,
        fault: None,
    }
}

fn settings(account: &str, occasions: i64) -> NoticeSettings {
    NoticeSettings { account: account.into(), occasions, body: "{}".into() }
}

/// Ada keeps the first seat of `game`, and is told of turns and ends in one place.
async fn ada(store: &Store) {
    join(store, "ada").await;
    store.create(kept("game"), None).await.unwrap();
    store.adopt(seat("game", 0, "ada")).await.unwrap();
    store.open_channel(channel("mail", "ada", "email"), settings("ada", TURN | UNDO | OVER)).await.unwrap();
}

async fn act(store: &Store, after: i64, tells: Vec<Tell>) -> Result<i64, StoreError> {
    let act = change("game", after, &format!("request {after}"));
    store.change(store::Change { tells, ..act }).await
}

async fn due(store: &Store, now: i64) -> Vec<NoticeRow> {
    store.take_notices(now, 10, now).await.unwrap()
}

pub(super) async fn a_notice_is_written_with_the_act(place: Place) {
    let store = place.open().await;
    ada(&store).await;
    // Nobody keeps the second seat, and of some things Ada does not want to hear.
    let version = act(&store, 2, vec![tell(0, TURN), tell(1, TURN)]).await.unwrap();
    assert!(due(&store, 19).await.is_empty());
    let waiting = due(&store, 20).await;
    let told: Vec<_> =
        waiting.iter().map(|row| (row.game.as_str(), row.side, row.occasion, row.version)).collect();
    assert_eq!(told, [("game", 0, TURN, version)]);
    store.see_notices("game", 0, version - 1).await.unwrap();
    assert_eq!(due(&store, 20).await.len(), 1, "an older look sees less");
    store.see_notices("game", 0, version).await.unwrap();
    assert!(due(&store, 20).await.is_empty());
    // What is refused tells of nothing; a slip tells as an act does, alone and with it.
    assert_eq!(act(&store, 2, vec![tell(0, TURN)]).await, Err(StoreError::Conflict));
    let swap = |was: Option<&str>, body: &str| Swap {
        name: "clock".into(),
        was: was.map(Into::into),
        body: Some(body.into()),
        due: None,
    };
    let refused = store.swap_and_tell("game", vec![swap(Some("x"), "y")], vec![tell(0, TURN)]).await;
    assert_eq!(refused, Err(StoreError::Conflict));
    assert!(due(&store, 20).await.is_empty());
    store.swap_and_tell("game", vec![swap(None, "a")], vec![tell(0, 8)]).await.unwrap();
    assert!(due(&store, 20).await.is_empty(), "not wanted");
    store.swap_and_tell("game", vec![swap(Some("a"), "b")], vec![tell(0, TURN)]).await.unwrap();
    assert_eq!(due(&store, 20).await.len(), 1);
    let act = store::Change {
        slips: vec![swap(Some("b"), "c")],
        tells: vec![tell(0, OVER)],
        ..change("game", 3, "with a slip")
    };
    store.change(act).await.unwrap();
    assert_eq!(due(&store, 20).await[0].occasion, OVER);
    // Somebody sits down.
    store.create(kept("other"), None).await.unwrap();
    store.adopt(seat("other", 0, "ada")).await.unwrap();
    let claimed = store.claim_and_tell("other", 1, "t".into(), "Eve".into(), vec![tell(0, TURN)]).await;
    assert_eq!(due(&store, 20).await.len(), 2);
    assert_eq!(claimed, Ok(1));
    // Nothing is told where Ada has stopped it.
    store.mute_channel("mail", true).await.unwrap();
    assert!(due(&store, 20).await.is_empty());
    store.swap_and_tell("game", vec![swap(Some("c"), "d")], vec![tell(0, OVER)]).await.unwrap();
    assert!(due(&store, 20).await.is_empty());
}

pub(super) async fn one_notice_is_enough_until_it_is_seen(place: Place) {
    let store = place.open().await;
    ada(&store).await;
    act(&store, 2, vec![tell(0, TURN)]).await.unwrap();
    let sealed = store.seal_notices(due(&store, 20).await, "d1", 30).await.unwrap();
    assert_eq!(sealed.len(), 1);
    store.finish_delivery("d1").await.unwrap();
    assert!(due(&store, i64::MAX).await.is_empty());
    // Told and not seen: no more of the same, but what is more urgent.
    act(&store, 3, vec![tell(0, TURN)]).await.unwrap();
    assert!(due(&store, i64::MAX).await.is_empty());
    let version = act(&store, 4, vec![tell(0, UNDO)]).await.unwrap();
    let waiting = due(&store, 20).await;
    assert_eq!((waiting.len(), waiting[0].occasion, waiting[0].version), (1, UNDO, version));
    // It takes the place of one that is on its way, which then has not told of it.
    store.seal_notices(waiting, "d2", 20).await.unwrap();
    act(&store, 5, vec![tell(0, OVER)]).await.unwrap();
    store.finish_delivery("d2").await.unwrap();
    let waiting = due(&store, 20).await;
    assert_eq!((waiting[0].occasion, waiting[0].delivery.clone()), (OVER, None));
    // Seen, everything begins anew.
    store.see_notices("game", 0, i64::MAX).await.unwrap();
    act(&store, 6, vec![tell(0, TURN)]).await.unwrap();
    assert_eq!(due(&store, 20).await.len(), 1);
}

pub(super) async fn a_delivery_is_the_same_until_it_has_gone_out(place: Place) {
    let store = place.open().await;
    ada(&store).await;
    store.create(kept("other"), None).await.unwrap();
    store.adopt(seat("other", 0, "ada")).await.unwrap();
    act(&store, 2, vec![tell(0, TURN)]).await.unwrap();
    // What one takes the others are not given, until its time is over.
    let taken = store.take_notices(20, 10, 50).await.unwrap();
    assert_eq!(taken.len(), 1);
    assert!(store.take_notices(49, 10, 90).await.unwrap().is_empty());
    let again = store.take_notices(50, 10, 50).await.unwrap();
    assert_eq!(store.seal_notices(again, "d1", 60).await.unwrap().len(), 1);
    let late = store.seal_notices(taken, "d2", 60).await.unwrap();
    assert!(late.is_empty(), "it goes out in one message alone");
    // Another notice comes; the server dies. The next one sends what was sealed, and nothing else with it.
    let other = store::Change { tells: vec![tell(0, TURN)], ..change("other", 2, "request") };
    store.change(other).await.unwrap();
    let mut found = due(&store, 60).await;
    found.sort_by(|a, b| b.game.cmp(&a.game));
    let sealed: Vec<_> = found.iter().map(|row| (row.game.as_str(), row.delivery.as_deref())).collect();
    assert_eq!(sealed, [("other", None), ("game", Some("d1"))]);
    assert_eq!(store.sealed_notices("d1").await.unwrap().len(), 1);
    // Put off, and tried again.
    store.retry_delivery("d1", 100).await.unwrap();
    store.put_off_notices(found[..1].to_vec(), 100).await.unwrap();
    assert!(due(&store, 99).await.is_empty());
    let found = due(&store, 100).await;
    assert_eq!(found.len(), 2);
    assert_eq!(found.iter().map(|row| row.attempts).sum::<i64>(), 1);
    // Seen before it went out.
    store.see_notices("game", 0, i64::MAX).await.unwrap();
    assert!(store.sealed_notices("d1").await.unwrap().is_empty());
}

pub(super) async fn a_channel_is_one_persons(place: Place) {
    let store = place.open().await;
    join(&store, "ada").await;
    join(&store, "eve").await;
    let of = |id: &str, account: &str, kind: &str, target: &str| ChannelRow {
        target: target.into(),
        ..channel(id, account, kind)
    };
    let open = async |row: ChannelRow| {
        let settings = settings(&row.account, 1);
        store.open_channel(row, settings).await
    };
    open(of("a", "ada", "email", "ada@example.org")).await.unwrap();
    assert_eq!(open(of("b", "eve", "email", "ada@example.org")).await, Err(StoreError::Conflict));
    assert_eq!(open(of("c", "nobody", "email", "n@example.org")).await, Err(StoreError::Conflict));
    assert_eq!(store.account_of_email("ada@example.org").await.unwrap().as_deref(), Some("ada"));
    // It opens the account while it belongs to it.
    let email = || Proof::Email("ada@example.org".into());
    store.sign_in(session("by mail", "ada", 20), email(), None).await.unwrap();
    assert_eq!(store.sign_in(session("x", "eve", 20), email(), None).await, Err(StoreError::Conflict));
    open(of("d", "ada", "email", "new@example.org")).await.unwrap();
    assert_eq!(store.account_of_email("ada@example.org").await.unwrap(), None, "a new address replaces it");
    assert_eq!(store.sign_in(session("y", "ada", 20), email(), None).await, Err(StoreError::Conflict));
    // A browser changes hands, and a program may serve many.
    open(of("e", "ada", "push", "https://push/1")).await.unwrap();
    open(of("f", "eve", "push", "https://push/1")).await.unwrap();
    open(of("g", "ada", "webhook", "https://hook/1")).await.unwrap();
    open(of("h", "eve", "webhook", "https://hook/1")).await.unwrap();
    let ids = async |account: &str| {
        let rows = store.channels(account).await.unwrap();
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(ids("ada").await, ["d", "g"]);
    assert_eq!(ids("eve").await, ["f", "h"]);
    store.fault_channel("d", Some("full".into())).await.unwrap();
    assert_eq!(store.channel("d").await.unwrap().unwrap().fault.as_deref(), Some("full"));
    for n in 0..18 {
        open(of(&format!("n{n}"), "ada", "webhook", "https://hook/2")).await.unwrap();
    }
    assert_eq!(open(of("z", "ada", "webhook", "https://hook/2")).await, Err(StoreError::Conflict), "twenty");
    store.set_notices(settings("ada", 3)).await.unwrap();
    assert_eq!(store.set_notices(settings("nobody", 3)).await, Err(StoreError::Conflict));
    open(of("h2", "eve", "webhook", "https://hook/3")).await.unwrap();
    assert_eq!(store.notice_settings("ada").await.unwrap(), Some(settings("ada", 3)));
}

pub(super) async fn notices_go_with_their_account_and_game(place: Place) {
    let store = place.open().await;
    ada(&store).await;
    store.create(kept("other"), None).await.unwrap();
    store.adopt(seat("other", 0, "ada")).await.unwrap();
    act(&store, 2, vec![tell(0, TURN)]).await.unwrap();
    let other = store::Change { tells: vec![tell(0, TURN)], ..change("other", 2, "request") };
    store.change(other).await.unwrap();
    let to = Place::memory().open().await;
    store::copy(&store, &to, |_| {}).await.unwrap();
    assert_eq!(to.channels("ada").await.unwrap(), store.channels("ada").await.unwrap());
    assert_eq!(to.notice_settings("ada").await.unwrap(), Some(settings("ada", TURN | UNDO | OVER)));
    assert_eq!(due(&store, 20).await.len(), 2);
    store.delete(vec!["other".into()], i64::MAX).await.unwrap();
    assert_eq!(due(&store, 20).await.len(), 1);
    store.leave(seat("game", 0, "ada"), "Nobody".into()).await.unwrap();
    assert!(due(&store, 20).await.is_empty());
    store.delete_account("ada").await.unwrap();
    assert!(store.channels("ada").await.unwrap().is_empty());
    assert_eq!(store.notice_settings("ada").await.unwrap(), None);
    assert_eq!(store.account_of_email("where mail is").await.unwrap(), None);
}
