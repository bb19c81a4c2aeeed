//! Reminders of clocks, in simulated time.

use std::sync::Arc;
use std::time::Duration;

use game::Side;
use host::seats::Held;
use host::wire::Pace;
use store::{AccountRow, ChannelRow, NewAccount, NoticeRow, OwnSeatRow, PasskeyRow, SessionRow, Store};

use super::{NoticeConfig, Occasion, hours, seen};
use crate::clocks::beat;
use crate::clocks::tests::Table;
use crate::config::Config;
use crate::hall::Hall;
use crate::simulation::quietly;
use crate::world;

/// Ada keeps a seat with an account, and wants to be told.
async fn ada(store: &Store, game: &str, side: Side) {
    let id = || "ada".to_owned();
    let passkey = PasskeyRow { id: id(), account: id(), label: id(), body: id(), made: 1, used: 1 };
    let session =
        SessionRow { token: id(), id: id(), account: id(), made: 1, seen: 1, until: 2, agent: id() };
    let account = AccountRow { id: id(), name: id(), made: 1 };
    store.join(NewAccount { account, passkey, codes: Vec::new(), session }).await.unwrap();
    let side = side.index() as i64;
    store.adopt(OwnSeatRow { game: game.to_owned(), side, account: id(), made: 1 }).await.unwrap();
    let channel = ChannelRow {
        id: id(),
        account: id(),
        kind: "webhook".into(),
        target: "https://example.org/".into(),
        more: "\"json\"".into(),
        made: 1,
        muted: false,
        fault: None,
    };
    store.open_channel(channel, hours::write("ada", &hours::usual()).unwrap()).await.unwrap();
}

/// What waits so many minutes later, on a server that gives a sign of life in time.
async fn after(hall: &Arc<Hall>, minutes: u64) -> Vec<NoticeRow> {
    world::sleep(Duration::from_secs(minutes * 60)).await;
    hall.shared.store.note("beat", String::new()).await.unwrap();
    beat(hall).await.ok().unwrap();
    let now = world::now() as i64;
    hall.shared.store.take_notices(now + 60_000, 10, now).await.unwrap()
}

#[test]
fn half_and_a_tenth_of_the_clock_are_told_once() {
    quietly(|hall| async move {
        let notices = NoticeConfig { url: "https://linstock.example".into(), ..NoticeConfig::default() };
        let config = Config { notices: Some(notices), ..Config::default() };
        let store = &hall.shared.store;
        hall.shared.notices.open(&config, store).await.unwrap();
        let table = Table::set(hall.clone(), Pace::Live).await;
        let room = table.room().await;
        let side = room.clock_face().unwrap().runs.unwrap();
        ada(store, &table.game, side).await;
        // Ninety minutes.
        assert!(after(&hall, 44).await.is_empty());
        let half = after(&hall, 2).await;
        assert_eq!((half.len(), half[0].occasion), (1, Occasion::Half.bit()));
        seen(&room, Held::side(side), room.version());
        assert!(after(&hall, 34).await.is_empty(), "seen, and not told again");
        assert_eq!(after(&hall, 2).await[0].occasion, Occasion::Tenth.bit());
        seen(&room, Held::side(!side), room.version());
        assert_eq!(after(&hall, 1).await.len(), 1, "the other side has looked");
    });
}
