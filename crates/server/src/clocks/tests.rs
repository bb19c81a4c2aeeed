//! Clocks of real games in simulated time.

use std::net::{IpAddr, Ipv4Addr};

use game::BySide;
use host::wire::{Act, Created, NewGame, Pace, Resting};

use super::*;
use crate::owners::Client;
use crate::simulation::{LONG, quietly};

const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;

/// So much time, but for what the simulated database took to answer.
fn about(left: u64, seconds: u64) {
    assert!(left.abs_diff(seconds * 1000) < 1000, "{left} ms left, not {seconds} s");
}

fn client() -> Client {
    Client(IpAddr::V4(Ipv4Addr::LOCALHOST))
}

async fn days(days: u64) {
    world::sleep(Duration::from_secs(days * DAY)).await;
}

fn new(pace: Pace, second: Sitter) -> NewGame {
    NewGame {
        scenario: LONG.into(),
        text: None,
        seats: BySide { first: Sitter::Here { name: "Ada".into() }, second },
        options: game::Options::new(),
        dice: host::wire::DiceKind::Sealed,
        rolls_back: false,
        commitment: None,
        salt: Some("5".repeat(32)),
        public: false,
        clock: Some(ClockTerms { pace, weekends_off: false }),
    }
}

/// A game between two people, each with a token.
pub(crate) struct Table {
    pub(crate) hall: Arc<Hall>,
    pub(crate) game: String,
    tokens: BySide<String>,
}

impl Table {
    pub(crate) async fn set(hall: Arc<Hall>, pace: Pace) -> Self {
        let here = Sitter::Here { name: "Bertram".into() };
        let Created { game, seats, .. } = hall.create(new(pace, here), client()).await.ok().unwrap();
        Table { hall, game, tokens: seats.map(|seat| seat.token.unwrap()) }
    }

    pub(crate) async fn room(&self) -> Arc<Room> {
        self.hall.fetch(&self.game).await.ok().unwrap()
    }

    pub(crate) fn token(&self, side: Side) -> Tokens {
        Tokens::one(Some(self.tokens[side].clone()))
    }

    async fn clock(&self) -> ClockFace {
        self.room().await.clock_face().unwrap()
    }

    /// Whoever must decide takes the first offer; answers who decides then.
    pub(crate) async fn act(&self) -> Option<Side> {
        let room = self.room().await;
        let play = room.play().await.ok().unwrap();
        let (side, state) = (play.decides().unwrap(), play.state);
        let action = play.table.offers().remove(0).action;
        drop(play);
        let act = Act {
            id: format!("act-{state:08}"),
            state,
            action,
            salt: Some("7".repeat(32)),
            faces: vec![],
            ordered: false,
        };
        room.clone().act(self.token(side), act, false).await.ok().unwrap();
        let play = room.play().await.ok().unwrap();
        play.decides()
    }

    async fn at_zero(&self, side: Side, choice: ZeroChoice) -> Result<GameFace, Failure> {
        self.room().await.at_zero(self.token(side), choice).await
    }
}

fn refused(answer: Result<GameFace, Failure>) -> Code {
    answer.unwrap_err().0.code
}

#[test]
fn only_who_is_waited_for_spends_time() {
    quietly(|hall| async move {
        let table = Table::set(hall, Pace::Fast).await;
        let first = table.clock().await.runs.unwrap();
        days(1).await;
        let mut next = Some(first);
        while next == Some(first) {
            next = table.act().await;
        }
        let clock = table.clock().await;
        assert_eq!(clock.runs, Some(!first));
        about(clock.hands[first].left, 2 * DAY);
        about(clock.hands[!first].left, 3 * DAY);
        // Out of memory and back: the same.
        table.hall.let_go(vec![table.game.clone()]);
        about(table.clock().await.hands[first].left, 2 * DAY);
    });
}

#[test]
fn the_clock_waits_until_everybody_is_there() {
    quietly(|hall| async move {
        let Created { game, seats, .. } =
            hall.create(new(Pace::Live, Sitter::Link), client()).await.ok().unwrap();
        days(3).await;
        let room = hall.fetch(&game).await.ok().unwrap();
        assert_eq!(room.clock_face().unwrap().runs, None);
        let invitation = seats.second.invitation.unwrap();
        hall.claim(&game, &invitation, "Bertram", &"b".repeat(64)).await.ok().unwrap();
        let clock = room.clock_face().unwrap();
        assert!(clock.runs.is_some());
        about(clock.hands.first.left, 90 * 60);
    });
}

#[test]
fn at_zero_the_opponent_may_wait_claim_or_let_the_computer_play() {
    quietly(|hall| async move {
        let table = Table::set(hall.clone(), Pace::Live).await;
        let side = table.clock().await.runs.unwrap();
        world::sleep(Duration::from_secs(89 * 60)).await;
        assert_eq!(refused(table.at_zero(!side, ZeroChoice::Claim).await), Code::NotFallen);
        world::sleep(Duration::from_secs(60)).await;
        assert_eq!(table.clock().await.fallen, Some(side));
        assert_eq!(refused(table.at_zero(side, ZeroChoice::Claim).await), Code::NotFallen, "one's own flag");
        // The opponent waits: the game goes on, until they have waited enough.
        table.act().await;
        days(1).await;
        let side = table.clock().await.runs.unwrap();
        let face = table.at_zero(!side, ZeroChoice::Claim).await.ok().unwrap();
        assert_eq!(face.clock.unwrap().lost, Some(side));
        assert!(table.room().await.play().await.ok().unwrap().over());

        let table = Table::set(hall, Pace::Live).await;
        let side = table.clock().await.runs.unwrap();
        days(1).await;
        let face = table.at_zero(!side, ZeroChoice::Captain).await.ok().unwrap();
        assert_eq!(face.seats[side].kind, SeatKind::Computer);
        world::sleep(Duration::from_secs(5)).await;
        let state = table.room().await.play().await.ok().unwrap().state;
        assert!(state > 1, "the computer has played on");
    });
}

#[test]
fn leave_is_spent_by_itself_and_abandoned_games_end() {
    quietly(|hall| async move {
        let table = Table::set(hall.clone(), Pace::Fast).await;
        let side = table.clock().await.runs.unwrap();
        for _ in 0..4 {
            days(1).await;
            // A sign of life in time: servers beat far more often.
            hall.shared.store.note(BEAT_FACT, String::new()).await.unwrap();
            beat(&hall).await.ok().unwrap();
        }
        assert_eq!(table.clock().await.rest, Some(Resting::Leave));
        for _ in 4..47 {
            days(1).await;
            hall.shared.store.note(BEAT_FACT, String::new()).await.unwrap();
            beat(&hall).await.ok().unwrap();
        }
        let play = table.room().await;
        let play = play.play().await.ok().unwrap();
        assert!(play.over() && play.resigned == Some(side));
        let clock = table.room().await.clock_face().unwrap();
        assert_eq!((clock.lost, clock.abandoned), (Some(side), true));
    });
}

#[test]
fn a_day_without_a_server_is_nobodys() {
    quietly(|hall| async move {
        let table = Table::set(hall.clone(), Pace::Fast).await;
        let side = table.clock().await.runs.unwrap();
        beat(&hall).await.ok().unwrap();
        days(2).await;
        // The first sign of life after two days.
        beat(&hall).await.ok().unwrap();
        about(table.clock().await.hands[side].left, 3 * DAY);
        world::sleep(Duration::from_secs(HOUR)).await;
        about(table.clock().await.hands[side].left, 3 * DAY - HOUR);
    });
}

#[test]
fn a_computer_needs_no_clock() {
    quietly(|hall| async move {
        let computer = Sitter::Computer { level: "random".into() };
        let answer = hall.create(new(Pace::Live, computer), client()).await;
        assert_eq!(answer.unwrap_err().0.code, Code::Malformed);
    });
}
