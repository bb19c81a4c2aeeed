//! Order in every store: a note is written once, a report is answered once, and each deed of an administrator is in the list
//! together with what it did, or neither is.

use store::{
    AccountRow, AuditRow, ChallengeRow, ChatRow, Deed, MeasureRow, NewAccount, OwnSeatRow, PasskeyRow,
    ReportRow, Request, SessionRow, Store, StoreError, TieRow,
};

use super::{Place, kept};

async fn join(store: &Store, id: &str, name: &str, made: i64) {
    let passkey = PasskeyRow {
        id: format!("key of {id}"),
        account: id.into(),
        label: "Firefox".into(),
        body: "{}".into(),
        made,
        used: made,
    };
    let session = SessionRow {
        token: format!("token of {id}"),
        id: format!("session of {id}"),
        account: id.into(),
        made,
        seen: made,
        until: made + 1_000,
        agent: "Firefox".into(),
    };
    let account = AccountRow { id: id.into(), name: name.into(), made };
    store.join(NewAccount { account, passkey, codes: Vec::new(), session }).await.unwrap();
}

fn report(id: &str, author: &str, subject: &str, made: i64) -> ReportRow {
    let (id, author, subject) = (id.into(), author.into(), subject.into());
    ReportRow { id, author, subject, made, until: made + 100, body: "{}".into(), answer: None }
}

fn tie(owner: &str, other: &str, kind: &str) -> TieRow {
    TieRow { owner: owner.into(), other: other.into(), kind: kind.into(), name: "Eve".into(), made: 5 }
}

fn measure(id: &str, account: &str) -> MeasureRow {
    MeasureRow {
        id: id.into(),
        account: account.into(),
        kind: "suspended".into(),
        why: "insults".into(),
        made: 7,
        until: Some(100),
        lifted: None,
        appeal: None,
        appealed: None,
        answer: None,
    }
}

fn entry(id: &str, at: i64) -> AuditRow {
    let of = |text: &str| text.to_owned();
    AuditRow { id: of(id), at, author: of("ada"), act: of("act"), subject: of("eve"), words: of("why") }
}

async fn acts(store: &Store) -> Vec<String> {
    store.audit(i64::MAX, 100).await.unwrap().into_iter().map(|row| row.id).collect()
}

pub(super) async fn a_deed_and_its_entry_are_one(place: Place) {
    let store = place.open().await;
    join(&store, "ada", "Ada", 1).await;
    join(&store, "eve", "Eve_100%", 2).await;
    let grant = |account: &str| Deed::Grant { account: account.into() };
    store.administer(grant("ada"), entry("a1", 1)).await.unwrap();
    assert_eq!(store.administrators().await.unwrap(), [("ada".to_owned(), 1)]);
    for account in ["ada", "nobody"] {
        assert_eq!(store.administer(grant(account), entry("a2", 2)).await, Err(StoreError::Conflict));
    }
    let refused = [
        Deed::Measure { measure: measure("m0", "nobody"), rename: None },
        Deed::Answer { measure: "none".into(), answer: "no".into(), lift: true },
        Deed::Lift { measure: "none".into() },
        Deed::Settle { report: "none".into(), answer: "no".into(), until: 1 },
        Deed::RemoveChallenge { challenge: "none".into(), measure: Some(measure("m0", "eve")) },
        Deed::RemoveLine { game: "none".into(), n: 1, text: "x".into(), measure: Some(measure("m0", "eve")) },
        Deed::Revoke { account: "eve".into() },
    ];
    for deed in refused {
        assert_eq!(
            store.administer(deed.clone(), entry("a2", 2)).await,
            Err(StoreError::Conflict),
            "{deed:?}"
        );
    }
    assert_eq!(acts(&store).await, ["a1"], "what was not done is not in the list");
    assert_eq!(store.measure("m0").await.unwrap(), None);
    let deed = Deed::Measure { measure: measure("m1", "eve"), rename: None };
    store.administer(deed, entry("a3", 3)).await.unwrap();
    assert_eq!(acts(&store).await, ["a3", "a1"]);
    assert_eq!(store.audit(3, 100).await.unwrap(), [entry("a1", 1)]);
    assert_eq!(store.audit(i64::MAX, 1).await.unwrap(), [entry("a3", 3)]);
    // One note by the one concerned, one answer.
    assert_eq!(store.appeal("m1", "ada", "not hers".into(), 8).await, Err(StoreError::Conflict));
    store.appeal("m1", "eve", "sorry".into(), 8).await.unwrap();
    assert_eq!(store.appeal("m1", "eve", "again".into(), 9).await, Err(StoreError::Conflict));
    let open = store.appeals(10).await.unwrap();
    assert_eq!((open.len(), open[0].appeal.as_deref(), open[0].appealed), (1, Some("sorry"), Some(8)));
    let answer = || Deed::Answer { measure: "m1".into(), answer: "fine".into(), lift: true };
    store.administer(answer(), entry("a4", 10)).await.unwrap();
    assert_eq!(store.administer(answer(), entry("a5", 11)).await, Err(StoreError::Conflict));
    let row = store.measure("m1").await.unwrap().unwrap();
    assert_eq!((row.answer.as_deref(), row.lifted), (Some("fine"), Some(10)));
    assert!(store.appeals(10).await.unwrap().is_empty());
    assert_eq!(
        store.administer(Deed::Lift { measure: "m1".into() }, entry("a5", 11)).await,
        Err(StoreError::Conflict)
    );
    // Found by a part of the name, where nothing stands for anything else, and by the id.
    let found = async |text: &str| -> Vec<String> {
        store.find_accounts(text, 10).await.unwrap().into_iter().map(|row| row.id).collect()
    };
    assert_eq!(found("").await, ["eve", "ada"]);
    assert_eq!(found("e_1").await, ["eve"]);
    assert_eq!(found("0%").await, ["eve"]);
    assert_eq!(found("a_a").await, Vec::<String>::new());
    assert_eq!(found("ada").await, ["ada"]);
    store.administer(Deed::Revoke { account: "ada".into() }, entry("a6", 12)).await.unwrap();
    store.close().await;
    let store = place.open().await;
    assert!(store.administrators().await.unwrap().is_empty());
    assert_eq!(acts(&store).await, ["a6", "a4", "a3", "a1"]);
}

pub(super) async fn a_report_is_answered_once_and_forgotten_in_time(place: Place) {
    let store = place.open().await;
    join(&store, "ada", "Ada", 1).await;
    store.report(report("r1", "ada", "eve", 10)).await.unwrap();
    store.report(report("r2", "game:0", "game:1", 20)).await.unwrap();
    let settle = |report: &str| Deed::Settle { report: report.into(), answer: "done".into(), until: 500 };
    store.administer(settle("r2"), entry("a1", 1)).await.unwrap();
    assert_eq!(store.administer(settle("r2"), entry("a2", 1)).await, Err(StoreError::Conflict));
    let ids =
        async || -> Vec<String> { store.reports(10).await.unwrap().into_iter().map(|row| row.id).collect() };
    assert_eq!(ids().await, ["r1", "r2"], "open ones first");
    assert_eq!(store.reports_by("ada").await.unwrap(), [report("r1", "ada", "eve", 10)]);
    store.forget_promises(110).await.unwrap();
    assert_eq!(ids().await, ["r2"]);
    store.report(report("r3", "ada", "eve", 1_000)).await.unwrap();
    store.delete_account("ada").await.unwrap();
    assert_eq!(store.reports(1).await.unwrap()[0].author, "", "who has left is not named");
}

pub(super) async fn ties_are_one_for_two_and_go_with_either(place: Place) {
    let store = place.open().await;
    join(&store, "ada", "Ada", 1).await;
    join(&store, "eve", "Eve", 1).await;
    store.create(kept("game"), None).await.unwrap();
    store.tie(tie("ada", "eve", "mute")).await.unwrap();
    store.tie(tie("ada", "eve", "block")).await.unwrap();
    store.tie(tie("game:0", "game:1", "block")).await.unwrap();
    store.tie(tie("ada", "game:1", "mute")).await.unwrap();
    assert_eq!(store.count_ties("ada").await.unwrap(), 2);
    let between = |owner: [&'static str; 2], other: [&'static str; 2]| store.ties_between(owner, other);
    assert_eq!(between(["x:0", "ada"], ["x:1", "eve"]).await.unwrap(), [tie("ada", "eve", "block")]);
    assert_eq!(between(["game:0", "game:0"], ["game:1", "game:1"]).await.unwrap().len(), 1);
    assert!(between(["x:1", "eve"], ["x:0", "ada"]).await.unwrap().is_empty(), "it has a direction");
    store.untie("ada", "nobody").await.unwrap();
    store.delete(vec!["game".into()], i64::MAX).await.unwrap();
    assert_eq!(store.ties("ada").await.unwrap(), [tie("ada", "eve", "block")]);
    assert!(store.ties("game:0").await.unwrap().is_empty());
    store.delete_account("eve").await.unwrap();
    assert!(store.ties("ada").await.unwrap().is_empty());
}

pub(super) async fn what_is_removed_is_gone_for_everybody(place: Place) {
    let store = place.open().await;
    join(&store, "eve", "Rude", 1).await;
    for game in ["game", "other"] {
        store.create(kept(game), None).await.unwrap();
        let challenge = ChallengeRow {
            id: format!("challenge of {game}"),
            game: game.into(),
            side: 1,
            made: 1,
            until: 1_000,
            taken: false,
            owner: "somebody".into(),
            face: "{}".into(),
        };
        store.put_up(challenge).await.unwrap();
    }
    store.adopt(OwnSeatRow { game: "game".into(), side: 0, account: "eve".into(), made: 1 }).await.unwrap();
    assert_eq!(store.seat_account("game", 0).await.unwrap().as_deref(), Some("eve"));
    assert_eq!(store.seat_account("game", 1).await.unwrap(), None);
    let line = |n, side| ChatRow { n, side, name: "Rude".into(), text: "rude".into(), at: 1 };
    let request = |id: &str| Request { id: id.into(), content: "c".into(), answer: "a".into(), seq: 2 };
    store.say("game", line(1, 0), request("request-1")).await.unwrap();
    store.say("game", line(2, 1), request("request-2")).await.unwrap();
    let version = store.version("game").await.unwrap().unwrap();
    let deed = Deed::RemoveLine {
        game: "game".into(),
        n: 1,
        text: "removed".into(),
        measure: Some(measure("m1", "eve")),
    };
    store.administer(deed, entry("a1", 1)).await.unwrap();
    let said = store.chat("game", 0, 10).await.unwrap();
    assert_eq!((said[0].text.as_str(), said[1].text.as_str()), ("removed", "rude"));
    assert_eq!(store.version("game").await.unwrap(), Some(version + 1), "others hear of it");
    assert_eq!(store.measures("eve").await.unwrap(), [measure("m1", "eve")]);
    // A new name everywhere, and nothing in the lobby under the old one.
    let deed = Deed::Measure { measure: measure("m2", "eve"), rename: Some("Member".into()) };
    store.administer(deed, entry("a2", 2)).await.unwrap();
    assert_eq!(store.account("eve").await.unwrap().unwrap().name, "Member");
    let names: Vec<String> = store.seats("game").await.unwrap().into_iter().map(|seat| seat.name).collect();
    assert_eq!(names, ["Member", "Ada"]);
    assert_eq!(store.chat("game", 0, 10).await.unwrap()[0].name, "Member");
    assert_eq!(store.version("game").await.unwrap(), Some(version + 2));
    let open = store.challenges(2, 10).await.unwrap();
    assert_eq!(open.iter().map(|row| row.game.as_str()).collect::<Vec<_>>(), ["other"]);
    let deed = Deed::RemoveChallenge { challenge: "challenge of other".into(), measure: None };
    store.administer(deed.clone(), entry("a3", 3)).await.unwrap();
    assert_eq!(store.administer(deed, entry("a4", 3)).await, Err(StoreError::Conflict));
    assert!(store.challenges(2, 10).await.unwrap().is_empty());
}

pub(super) async fn order_moves_with_its_accounts(place: Place) {
    let from = place.open().await;
    join(&from, "ada", "Ada", 1).await;
    from.create(kept("game"), None).await.unwrap();
    from.administer(Deed::Grant { account: "ada".into() }, entry("a1", 1)).await.unwrap();
    from.administer(Deed::Measure { measure: measure("m1", "ada"), rename: None }, entry("a2", 2))
        .await
        .unwrap();
    from.report(report("r1", "ada", "eve", 10)).await.unwrap();
    from.tie(tie("ada", "eve", "block")).await.unwrap();
    from.tie(tie("game:0", "game:1", "mute")).await.unwrap();
    let to = Place::memory().open().await;
    for _ in 0..2 {
        store::copy(&from, &to, |_| {}).await.unwrap();
        assert_eq!(to.administrators().await.unwrap(), from.administrators().await.unwrap());
        assert_eq!(to.measures("ada").await.unwrap(), from.measures("ada").await.unwrap());
        assert_eq!(to.reports(10).await.unwrap(), from.reports(10).await.unwrap());
        assert_eq!(to.ties("ada").await.unwrap(), from.ties("ada").await.unwrap());
        assert_eq!(to.ties("game:0").await.unwrap().len(), 1);
        assert_eq!(to.audit(i64::MAX, 10).await.unwrap(), from.audit(i64::MAX, 10).await.unwrap());
    }
}
