//! Orders of absent players in real games.

use std::time::Duration;

use host::wire::{Given, Pace, Then};

use super::*;
use crate::clocks::tests::Table;
use crate::simulation::quietly;

fn order(kind: &str, then: Then) -> Order {
    Order { kind: kind.into(), given: Given::Always, then, turn: None, words: "If asked, then so.".into() }
}

async fn soon() {
    world::sleep(Duration::from_secs(5)).await;
}

/// How many lines the journal has, and who decides.
async fn now(table: &Table) -> (u64, Option<Side>) {
    let room = table.room().await;
    let play = room.play().await.ok().unwrap();
    (play.state, play.decides())
}

#[test]
fn an_order_is_played_at_once_sealed_and_told_afterwards() {
    quietly(|hall| async move {
        let table = Table::set(hall, Pace::Fast).await;
        let (_, first) = now(&table).await;
        let side = !first.unwrap();
        let room = table.room().await;
        let given = vec![order("seal", Then::Captain), order("rest", Then::Captain)];
        let face = room.clone().give_orders(table.token(side), given.clone()).await.ok().unwrap();
        assert_eq!((face.orders, face.used), (given, 0));
        assert!(room.sealed(!side).orders.is_empty(), "the other side has none, and sees none");
        let (before, _) = now(&table).await;
        table.act().await;
        soon().await;
        let (after, decides) = now(&table).await;
        assert!(after > before + 1, "the server has answered by itself");
        assert_eq!(decides, Some(!side), "and has left the other side its decisions");
        // Out of memory and back, the log still tells.
        table.hall.let_go(vec![table.game.clone()]);
        let room = table.room().await;
        assert!(room.sealed(side).used.len() as u64 == after - before - 1);
        let mut play = room.play().await.ok().unwrap();
        let held = table.token(!side).seats(&play.seats).ok().unwrap();
        let log = play.present(held, 0).ok().unwrap().log;
        let told: Vec<_> = log.iter().filter(|line| line.ordered).map(|line| line.side).collect();
        assert!(!told.is_empty() && told.iter().all(|by| *by == Some(side)), "{told:?}");
        play.unsure = false;
    });
}

#[test]
fn an_order_for_something_else_decides_nothing() {
    quietly(|hall| async move {
        let table = Table::set(hall, Pace::Fast).await;
        let side = !now(&table).await.1.unwrap();
        let room = table.room().await;
        let given = vec![order("march", Then::Captain), order("seal", Then::Take { verb: "fire".into() })];
        room.clone().give_orders(table.token(side), given).await.ok().unwrap();
        let mut decides = Some(!side);
        while decides == Some(!side) {
            decides = table.act().await;
        }
        let (state, _) = now(&table).await;
        soon().await;
        assert_eq!(now(&table).await, (state, Some(side)), "the player is asked");
        let forged = room.give_orders(Tokens::one(Some("f".repeat(64))), Vec::new()).await;
        assert_eq!(forged.unwrap_err().0.code, Code::ForgedSeat);
    });
}

#[test]
fn a_pending_order_is_work_for_any_server() {
    quietly(|hall| async move {
        let table = Table::set(hall.clone(), Pace::Fast).await;
        let side = now(&table).await.1.unwrap();
        let room = table.room().await;
        let sealed = Sealed { orders: vec![order("seal", Then::Captain)], used: Vec::new() };
        let swap = room.slips.swap(slip(side), Some(&sealed), None);
        assert!(room.change_slips(vec![swap]).await.ok().unwrap());
        let play = room.play().await.ok().unwrap();
        assert!(matches!(room.job(&play), store::Job::Due(_)), "whoever finds it due sees to it");
        drop(play);
        assert!(obey(&room).await.ok().unwrap());
        assert_eq!(room.sealed(side).used.len(), 1);
    });
}
