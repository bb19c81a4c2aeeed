//! Ratings in every store: a game counts once, and nothing of it is kept by halves.

use store::{
    AccountRow, NewAccount, PasskeyRow, RatedRow, RatingRow, SessionRow, Settlement, Store, StoreError,
};

use super::Place;

async fn join(store: &Store, id: &str) {
    let (account, made) = (id.to_owned(), 1);
    let new = NewAccount {
        account: AccountRow { id: account.clone(), name: id.into(), made },
        passkey: PasskeyRow {
            id: format!("key of {id}"),
            account: account.clone(),
            label: "L".into(),
            body: "{}".into(),
            made,
            used: made,
        },
        codes: Vec::new(),
        session: SessionRow {
            token: format!("token of {id}"),
            id: format!("session of {id}"),
            account,
            made,
            seen: made,
            until: 1_000,
            agent: "Firefox".into(),
        },
    };
    store.join(new).await.unwrap();
}

fn rating(member: &str, games: i64, rating: f64) -> RatingRow {
    let (member, system) = (member.to_owned(), "parley".to_owned());
    RatingRow { member, system, rating, deviation: 120.5, volatility: 0.06, games, at: games * 10 }
}

fn game(id: &str, at: i64, [first, second]: [&str; 2], counts: bool) -> RatedRow {
    RatedRow {
        game: id.into(),
        system: "parley".into(),
        scenario: "parley/oak".into(),
        at,
        first: first.into(),
        second: second.into(),
        counts,
        body: "{}".into(),
    }
}

fn settled(game: RatedRow, ratings: &[RatingRow]) -> Settlement {
    Settlement { game, ratings: ratings.to_vec() }
}

pub(super) async fn a_rated_game_counts_once_and_whole(place: Place) {
    let store = place.open().await;
    join(&store, "ada").await;
    join(&store, "eve").await;
    let first = settled(
        game("one", 10, ["eve", "ada"], true),
        &[rating("eve", 1, 1432.25), rating("ada", 1, 1568.0)],
    );
    store.settle_ratings(first.clone()).await.unwrap();
    assert_eq!(store.settle_ratings(first).await, Err(StoreError::Conflict), "it counts once");
    assert_eq!(store.rating("eve", "parley").await.unwrap(), Some(rating("eve", 1, 1432.25)));
    // Whoever has read an old rating is refused, and neither the game nor the other's rating is left behind.
    for stale in [
        settled(game("two", 20, ["ada", "eve"], true), &[rating("ada", 2, 1600.0), rating("eve", 1, 1400.0)]),
        settled(game("two", 20, ["ada", "eve"], true), &[rating("ada", 2, 1600.0), rating("eve", 3, 1400.0)]),
        settled(game("two", 20, ["ada", "bob"], true), &[rating("ada", 2, 1600.0), rating("bob", 1, 1400.0)]),
        settled(game("one", 20, ["ada", "eve"], true), &[rating("ada", 2, 1600.0), rating("eve", 2, 1400.0)]),
    ] {
        assert_eq!(store.settle_ratings(stale).await, Err(StoreError::Conflict));
        assert_eq!(store.rating("ada", "parley").await.unwrap(), Some(rating("ada", 1, 1568.0)));
        assert_eq!(store.rated_game("two").await.unwrap(), None);
    }
    // A game that does not count is entered all the same.
    store.settle_ratings(settled(game("two", 20, ["ada", "eve"], false), &[])).await.unwrap();
    store
        .settle_ratings(settled(game("three", 30, ["ada", "computer"], true), &[rating("ada", 2, 1580.0)]))
        .await
        .unwrap();
    assert_eq!(store.met("ada", "eve", "parley", 10).await.unwrap(), 1, "both ways round");
    assert_eq!(store.met("eve", "ada", "parley", 11).await.unwrap(), 0, "too long ago");
    assert_eq!(store.met("eve", "ada", "other", 0).await.unwrap(), 0);
    let names = |rows: Vec<RatedRow>| rows.into_iter().map(|row| row.game).collect::<Vec<_>>();
    assert_eq!(names(store.rated_games("ada", 10).await.unwrap()), ["three", "two", "one"]);
    assert_eq!(names(store.rated_games("eve", 1).await.unwrap()), ["two"]);
    assert_eq!(names(store.rated_in("parley/oak", 10).await.unwrap()), ["three", "one"]);
    store.close().await;
    let store = place.open().await;
    assert_eq!(store.ratings("ada").await.unwrap(), [rating("ada", 2, 1580.0)]);
    let to = Place::memory().open().await;
    for _ in 0..2 {
        store::copy(&store, &to, |_| {}).await.unwrap();
        assert_eq!(to.ratings("ada").await.unwrap(), store.ratings("ada").await.unwrap());
        assert_eq!(to.rated_games("ada", 10).await.unwrap(), store.rated_games("ada", 10).await.unwrap());
    }
    // Somebody leaves: the games stay without a name.
    store.delete_account("ada").await.unwrap();
    assert!(store.ratings("ada").await.unwrap().is_empty());
    assert!(store.rated_games("ada", 10).await.unwrap().is_empty());
    let left = store.rated_game("one").await.unwrap().unwrap();
    assert_eq!((left.first.as_str(), left.second.as_str()), ("eve", ""));
    assert_eq!(store.ratings("eve").await.unwrap(), [rating("eve", 1, 1432.25)]);
}
