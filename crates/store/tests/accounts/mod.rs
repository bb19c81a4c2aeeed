//! Accounts in every store: what opens them opens once, and a seat belongs to one of them.

use store::{
    AccountRow, CeremonyRow, ChatRow, NewAccount, OwnSeatRow, PasskeyRow, Proof, Request, SessionRow, Store,
    StoreError,
};

use super::{Place, kept};

fn passkey(id: &str, account: &str) -> PasskeyRow {
    PasskeyRow {
        id: id.into(),
        account: account.into(),
        label: "Firefox on Linux".into(),
        body: "{}".into(),
        made: 1,
        used: 1,
    }
}

pub(super) fn session(token: &str, account: &str, at: i64) -> SessionRow {
    SessionRow {
        token: token.into(),
        id: format!("id of {token}"),
        account: account.into(),
        made: at,
        seen: at,
        until: at + 1_000,
        agent: "Firefox".into(),
    }
}

pub(super) fn seat(game: &str, side: i64, account: &str) -> OwnSeatRow {
    OwnSeatRow { game: game.into(), side, account: account.into(), made: 5 }
}

pub(super) async fn join(store: &Store, id: &str) {
    let new = NewAccount {
        account: AccountRow { id: id.into(), name: "Ada".into(), made: 1 },
        passkey: passkey(&format!("key of {id}"), id),
        codes: vec![format!("first of {id}"), format!("second of {id}")],
        session: session(&format!("token of {id}"), id, 10),
    };
    store.join(new).await.unwrap();
}

pub(super) async fn a_ceremony_ends_once(place: Place) {
    let store = place.open().await;
    let ceremony = CeremonyRow { id: "one".into(), state: "half".into(), until: 100 };
    store.begin_ceremony(ceremony).await.unwrap();
    assert_eq!(store.end_ceremony("one", 100).await.unwrap(), None, "too late");
    assert_eq!(store.end_ceremony("one", 99).await.unwrap().as_deref(), Some("half"));
    assert_eq!(store.end_ceremony("one", 99).await.unwrap(), None);
    let old = CeremonyRow { id: "two".into(), state: "half".into(), until: 100 };
    store.begin_ceremony(old).await.unwrap();
    store.forget_promises(100).await.unwrap();
    assert_eq!(store.end_ceremony("two", 1).await.unwrap(), None, "forgotten with all that is too old");
}

pub(super) async fn an_account_is_opened_by_what_belongs_to_it(place: Place) {
    let store = place.open().await;
    join(&store, "ada").await;
    join(&store, "eve").await;
    let taken = NewAccount {
        account: AccountRow { id: "mallory".into(), name: "M".into(), made: 1 },
        passkey: passkey("key of ada", "mallory"),
        codes: Vec::new(),
        session: session("token of mallory", "mallory", 10),
    };
    assert_eq!(store.join(taken).await, Err(StoreError::Conflict));
    assert_eq!(store.account("mallory").await.unwrap(), None, "nothing of it is left");
    assert_eq!(store.session("token of mallory", 11).await.unwrap(), None);
    // A key signs in its own account, and what is kept of it changes.
    let proof = || Proof::Passkey { id: "key of ada".into(), body: "{\"used\":1}".into() };
    let before = Some("token of ada".to_owned());
    store.sign_in(session("second", "ada", 20), proof(), before).await.unwrap();
    assert_eq!(store.session("token of ada", 21).await.unwrap(), None, "the session before has ended");
    assert_eq!(store.session("second", 21).await.unwrap().unwrap().account, "ada");
    assert_eq!(store.session("second", 1_020).await.unwrap(), None, "too old");
    let key = store.passkey("key of ada").await.unwrap().unwrap();
    assert_eq!((key.body.as_str(), key.used), ("{\"used\":1}", 20));
    assert_eq!(
        store.sign_in(session("third", "eve", 20), proof(), None).await,
        Err(StoreError::Conflict),
        "another's key"
    );
    // A code opens once, and its own account alone.
    let code = || Proof::Code("first of ada".into());
    assert_eq!(store.recovered("first of ada").await.unwrap().as_deref(), Some("ada"));
    assert_eq!(store.sign_in(session("third", "eve", 20), code(), None).await, Err(StoreError::Conflict));
    store.sign_in(session("third", "ada", 30), code(), None).await.unwrap();
    assert_eq!(store.sign_in(session("fourth", "ada", 30), code(), None).await, Err(StoreError::Conflict));
    assert_eq!(store.recovery_codes("ada").await.unwrap(), ["second of ada"]);
    store.renew_codes("ada", vec!["new".into()]).await.unwrap();
    assert_eq!(store.recovered("second of ada").await.unwrap(), None);
    // Sessions are listed, used longer, and ended by their owner.
    store.session_seen("second", 40, 5_000).await.unwrap();
    let listed = store.sessions("ada", 41).await.unwrap();
    let tokens: Vec<&str> = listed.iter().map(|row| row.token.as_str()).collect();
    assert_eq!(tokens, ["second", "third"]);
    assert_eq!(store.end_session("eve", "id of third").await, Err(StoreError::Conflict));
    store.end_session("ada", "id of third").await.unwrap();
    for n in 0..60 {
        let proof = Proof::Passkey { id: "key of ada".into(), body: "{}".into() };
        store.sign_in(session(&format!("s{n:02}"), "ada", 100 + n), proof, None).await.unwrap();
    }
    assert_eq!(store.sessions("ada", 200).await.unwrap().len(), 50, "the oldest ones have ended");
    store.end_other_sessions("ada", "s59").await.unwrap();
    assert_eq!(store.sessions("ada", 200).await.unwrap().len(), 1);
    assert_eq!(store.sessions("eve", 20).await.unwrap().len(), 1, "others stay signed in");
    // Keys come and go, but for the last.
    assert_eq!(store.remove_passkey("ada", "key of ada").await, Err(StoreError::Conflict));
    store.add_passkey(passkey("another", "ada")).await.unwrap();
    assert_eq!(store.add_passkey(passkey("another", "eve")).await, Err(StoreError::Conflict));
    assert_eq!(store.add_passkey(passkey("lost", "nobody")).await, Err(StoreError::Conflict));
    assert_eq!(store.remove_passkey("ada", "key of eve").await, Err(StoreError::Conflict));
    store.remove_passkey("ada", "key of ada").await.unwrap();
    store.rename_account("ada", "Ada L.".into()).await.unwrap();
    store.delete_account("eve").await.unwrap();
    assert_eq!(store.delete_account("eve").await, Err(StoreError::Conflict));
    assert_eq!(store.passkey("key of eve").await.unwrap(), None);
    store.close().await;
    let store = place.open().await;
    assert_eq!(store.account("ada").await.unwrap().unwrap().name, "Ada L.");
    assert_eq!(store.passkeys("ada").await.unwrap(), [passkey("another", "ada")]);
}

pub(super) async fn a_seat_belongs_to_one_account(place: Place) {
    let store = place.open().await;
    join(&store, "ada").await;
    join(&store, "eve").await;
    store.create(kept("game"), None).await.unwrap();
    store.create(kept("other"), None).await.unwrap();
    store.adopt(seat("game", 0, "ada")).await.unwrap();
    for refused in
        [seat("game", 0, "eve"), seat("game", 0, "ada"), seat("none", 0, "ada"), seat("game", 1, "nobody")]
    {
        assert_eq!(store.adopt(refused).await, Err(StoreError::Conflict));
    }
    store.adopt(seat("other", 1, "ada")).await.unwrap();
    let own = store.own_games("ada").await.unwrap();
    let sides: Vec<(&str, i64, &str)> =
        own.iter().map(|own| (own.game.as_str(), own.side, own.other_kind.as_str())).collect();
    assert_eq!(sides, [("game", 0, "link"), ("other", 1, "here")]);
    assert!(store.own_games("eve").await.unwrap().is_empty());
    // Its owner alone gives it another token; the version tells of it.
    let version = store.version("game").await.unwrap().unwrap();
    assert_eq!(store.reseat("eve", "game", 0, "stolen".into()).await, Err(StoreError::Conflict));
    assert_eq!(store.reseat("ada", "game", 1, "stolen".into()).await, Err(StoreError::Conflict));
    assert_eq!(store.reseat("ada", "game", 0, "new".into()).await.unwrap(), version + 1);
    assert_eq!(store.seats("game").await.unwrap()[0].token.as_deref(), Some("new"));
    // Whoever leaves takes the name along, and no more.
    let line = |n, side| ChatRow { n, side, name: "Ada".into(), text: "hello".into(), at: 1 };
    let request = |id: &str| Request { id: id.into(), content: "c".into(), answer: "a".into(), seq: 2 };
    store.say("game", line(1, 0), request("request-1")).await.unwrap();
    store.say("game", line(2, 1), request("request-2")).await.unwrap();
    assert_eq!(store.delete_account("ada").await, Err(StoreError::Conflict), "seats are left first");
    assert_eq!(store.leave(seat("game", 0, "eve"), "Nobody".into()).await, Err(StoreError::Conflict));
    store.leave(seat("game", 0, "ada"), "Nobody".into()).await.unwrap();
    let names: Vec<String> = store.seats("game").await.unwrap().into_iter().map(|seat| seat.name).collect();
    assert_eq!(names, ["Nobody", "Ada"]);
    let said: Vec<String> =
        store.chat("game", 0, 10).await.unwrap().into_iter().map(|line| line.name).collect();
    assert_eq!(said, ["Nobody", "Ada"]);
    assert_eq!(store.seats("game").await.unwrap()[0].token.as_deref(), Some("new"), "the seat is still held");
    // A game that is deleted is nobody's.
    store.delete(vec!["other".into()], i64::MAX).await.unwrap();
    assert!(store.own_seats("ada").await.unwrap().is_empty());
    store.delete_account("ada").await.unwrap();
}

pub(super) async fn accounts_move_with_their_games(place: Place) {
    let from = place.open().await;
    join(&from, "ada").await;
    from.create(kept("game"), None).await.unwrap();
    from.adopt(seat("game", 0, "ada")).await.unwrap();
    let to = Place::memory().open().await;
    for _ in 0..2 {
        // A second time nothing is doubled.
        store::copy(&from, &to, |_| {}).await.unwrap();
        assert_eq!(to.account("ada").await.unwrap(), from.account("ada").await.unwrap());
        assert_eq!(to.passkeys("ada").await.unwrap(), from.passkeys("ada").await.unwrap());
        assert_eq!(to.recovery_codes("ada").await.unwrap().len(), 2);
        assert_eq!(to.own_seats("ada").await.unwrap(), [seat("game", 0, "ada")]);
        assert!(to.sessions("ada", 11).await.unwrap().is_empty(), "everybody signs in anew");
    }
}
