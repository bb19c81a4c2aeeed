//! Clocks of games. What a clock says is kept with the game and changes in the transaction of the act that passes the move on;
//! what time alone brings about is work that any server may do.

use std::sync::Arc;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use game::journal::DiceOf;
use game::{BySide, Side};
use host::clock::{Clock, Outages, Stroke};
use host::seats::Tokens;
use host::wire::{
    AtZero, ClockFace, ClockTerms, Code, GameFace, Problems, SeatKind, Sitter, Status, ZeroChoice, Zone,
};
use host::{Failure, Play};
use store::{SlipRow, StoreError, Swap};

use crate::api::{Answer, Body, Path, to_the_end};
use crate::hall::Hall;
use crate::problem::{OrFailed, store_failed};
use crate::room::{News, Room};
use crate::{computer, notices, slips, world};

/// The slip that a clock is kept on.
pub(crate) const SLIP: &str = "clock";
/// Who plays on for somebody whose flag has fallen.
const STAND_IN: &str = "captain";
/// How often a server gives a sign of life while clocks run, and how long none must have done so for the time not to count.
const BEAT: Duration = Duration::from_secs(15);
const SILENCE: i64 = 60_000;
/// Where signs of life, and the times without any, are noted.
const BEAT_FACT: &str = "beat";
const OUTAGES_FACT: &str = "outages";
/// How many slips are seen to at a time.
const TOGETHER: i64 = 100;

pub(crate) fn router() -> Router<Arc<Hall>> {
    Router::new().route("/games/{game}/clock", post(at_zero)).route("/games/{game}/zone", post(zone))
}

#[utoipa::path(post, path = "/api/v1/games/{game}/clock", tag = "clocks", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = AtZero, responses((status = 200, body = GameFace), Problems), security(("seat" = [])))]
pub(crate) async fn at_zero(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(body): Body<AtZero>,
) -> Answer<GameFace> {
    let room = hall.room(&game).await?;
    to_the_end(async move { room.at_zero(tokens, body.choice).await }).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games/{game}/zone", tag = "clocks", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = Zone, responses((status = 200, body = GameFace), Problems), security(("seat" = [])))]
pub(crate) async fn zone(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(body): Body<Zone>,
) -> Answer<GameFace> {
    let room = hall.room(&game).await?;
    to_the_end(async move { room.live_in(tokens, body.minutes).await }).await.map(Json)
}

/// When no server could play on, as far as it is known here.
#[derive(Debug, Default)]
pub(crate) struct Known(Mutex<Outages>);

impl Known {
    pub(crate) fn outages(&self) -> Outages {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn no_clock() -> Failure {
    Failure::new(Code::NotFallen, "This game has no clock.")
}

/// The clock of a new game, and the slip it is kept on.
pub(crate) fn wind(terms: ClockTerms, play: &Play) -> Swap {
    let now = world::now() as i64;
    let mut clock = Clock::new(terms, now);
    let none = Outages::default();
    clock.pass(waited_for(play), play.table.turn(), &none, now);
    slips::Slips::default().swap(SLIP, Some(&clock), clock.next_stroke(&none))
}

/// The person who must decide, once everybody is there. A computer's time is nobody's.
fn waited_for(play: &Play) -> Option<Side> {
    let all_here = Side::BOTH.into_iter().all(|side| play.seats[side].taken());
    let side = play.decides().filter(|_| all_here && play.closed.is_none())?;
    (play.seats[side].kind != SeatKind::Computer).then_some(side)
}

impl Room {
    pub(crate) fn clock(&self) -> Option<Clock> {
        self.slips.get(SLIP)
    }

    pub(crate) fn clock_face(&self) -> Option<ClockFace> {
        Some(self.clock()?.face(&self.shared.known.outages(), world::now() as i64))
    }

    fn clock_swap(&self, clock: &Clock) -> Swap {
        self.slips.swap(SLIP, Some(clock), clock.next_stroke(&self.shared.known.outages()))
    }

    /// What becomes of the clock when the game has come to this.
    pub(crate) fn pass_clock(&self, play: &Play, now: u64) -> Option<Swap> {
        let (mut clock, outages) = (self.clock()?, self.shared.known.outages());
        let fallen = clock.fallen(&outages, now as i64);
        if let Some(side) = fallen.filter(|side| play.resigned == Some(*side)) {
            clock.lose(side, clock.is_abandoned(&outages, now as i64));
        }
        clock.pass(waited_for(play), play.table.turn(), &outages, now as i64);
        Some(self.clock_swap(&clock))
    }

    /// Somebody has sat down: when all are there the clock runs.
    pub(crate) async fn start_clock(&self, play: &mut Play) -> Result<(), Failure> {
        let runs = self.clock().is_some_and(|clock| clock.runs() == waited_for(play));
        match self.pass_clock(play, world::now()).filter(|_| !runs) {
            // Whoever was faster has started it.
            Some(swap) => self.change_slips(vec![swap]).await.map(drop),
            None => Ok(()),
        }
    }

    /// The opponent's flag has fallen: the game is claimed, or the computer plays on.
    async fn at_zero(self: Arc<Self>, tokens: Tokens, choice: ZeroChoice) -> Result<GameFace, Failure> {
        let mut play = self.play().await?;
        let held = tokens.seats(&play.seats)?;
        held.must_sit(None)?;
        play.must_be_playable()?;
        let clock = self.clock().ok_or_else(no_clock)?;
        let fallen = clock.fallen(&self.shared.known.outages(), world::now() as i64);
        let theirs = fallen.filter(|side| held.holds(!*side)).ok_or_else(|| {
            Failure::new(Code::NotFallen, "Your opponent still has time, or it is your own clock that runs.")
        })?;
        match choice {
            ZeroChoice::Claim => self.lose(&mut play, theirs).await?,
            ZeroChoice::Captain => self.stand_in(&mut play, theirs).await?,
        }
        Ok(self.face(&play, held))
    }

    /// The side whose flag has fallen loses.
    async fn lose(self: &Arc<Self>, play: &mut Play, side: Side) -> Result<(), Failure> {
        play.resign(side)?;
        self.keep(play, None).await
    }

    /// The computer plays on for the side whose flag has fallen.
    async fn stand_in(self: &Arc<Self>, play: &mut Play, side: Side) -> Result<(), Failure> {
        if play.table.header().dice == DiceOf::Table {
            let what = "The computer cannot roll real dice. You may wait, or claim the game.";
            return Err(Failure::new(Code::NotFallen, what));
        }
        let mut clock = self.clock().ok_or_else(no_clock)?;
        clock.pass(None, play.table.turn(), &self.shared.known.outages(), world::now() as i64);
        let swap = self.clock_swap(&clock);
        let stands = self
            .shared
            .store
            .stand_in(&self.about.id, side.index() as i64, STAND_IN, vec![swap.clone()])
            .await;
        let version = stands.map_err(|error| match error {
            StoreError::Conflict => {
                play.unsure = true;
                Failure::new(Code::Busy, "Something has just happened in this game; look again.")
            }
            error => store_failed(error),
        })?;
        self.advance(version);
        self.slips.keep(&[swap]);
        (play.seats[side].kind, play.seats[side].name) = (SeatKind::Computer, STAND_IN.to_owned());
        self.notice_computers(play);
        self.tell(News::Changed);
        self.tell(News::Face);
        computer::wanted(self, play.state).await?;
        computer::wake(self, play);
        Ok(())
    }

    /// A seat says where its holder lives.
    async fn live_in(self: Arc<Self>, tokens: Tokens, minutes: i16) -> Result<GameFace, Failure> {
        let play = self.play().await?;
        let held = tokens.seats(&play.seats)?;
        let side = held.must_sit(play.decides())?;
        let mut clock = self.clock().ok_or_else(no_clock)?;
        clock
            .live_in(side, minutes, &self.shared.known.outages(), world::now() as i64)
            .map_err(|why| Failure::new(Code::Malformed, why))?;
        let busy = || Failure::new(Code::Busy, "Something has just happened in this game; try again.");
        if !self.change_slips(vec![self.clock_swap(&clock)]).await? {
            return Err(busy());
        }
        self.tell(News::Face);
        Ok(self.face(&play, held))
    }

    /// Time alone has brought something about.
    async fn struck(self: &Arc<Self>) -> Result<(), Failure> {
        let mut play = self.play().await?;
        let Some(mut clock) = self.clock() else { return Ok(()) };
        let stroke = clock.strike(&self.shared.known.outages(), world::now() as i64);
        let down = clock.runs().filter(|_| !play.over() && play.closed.is_none());
        match (stroke, down) {
            (Some(Stroke::Abandoned), Some(side)) => {
                tracing::info!(game = %self.about.id, "an abandoned game is over");
                self.lose(&mut play, side).await
            }
            // What was due is noted, or it was put off by an outage.
            _ => {
                let tells = notices::of_stroke(&self.shared, clock.runs(), stroke);
                self.change_slips_and_tell(vec![self.clock_swap(&clock)], tells).await?;
                self.tell(News::Face);
                Ok(())
            }
        }
    }
}

/// Whether a game with these at the table may have a clock.
pub(crate) fn may_have(clock: Option<ClockTerms>, sitters: &BySide<Sitter>) -> Result<(), Failure> {
    let people = !sitters.iter().any(|(_, sitter)| matches!(sitter, Sitter::Computer { .. }));
    if clock.is_none() || people {
        return Ok(());
    }
    Err(Failure::new(Code::Malformed, "A clock is for two people: the computer does not mind waiting."))
}

impl Hall {
    /// Shows the clocks of these games.
    pub(crate) async fn set_clocks(&self, games: &mut [GameFace]) -> Result<(), Failure> {
        for game in games.iter_mut().filter(|game| matches!(game.status, Status::Deciding { .. })) {
            game.clock = self.clock_of(&game.id).await?;
        }
        Ok(())
    }

    /// The clock of a game that may not be in memory.
    async fn clock_of(&self, game: &str) -> Result<Option<ClockFace>, Failure> {
        let rows = self.shared.store.slips(game).await.or_failed()?;
        let clock = rows.iter().find(|row| row.name == SLIP).and_then(|row| slips::read::<Clock>(&row.body));
        Ok(clock.map(|clock| clock.face(&self.shared.known.outages(), world::now() as i64)))
    }
}

/// Sees to what time brings about, until the server goes down.
pub(crate) async fn run(hall: Arc<Hall>) {
    while !hall.shared.going_down() {
        world::sleep(BEAT).await;
        try_to_beat(&hall).await;
    }
}

/// A beat that may fail: the next one makes up for it.
pub(crate) async fn try_to_beat(hall: &Arc<Hall>) {
    if let Err(failure) = beat(hall).await {
        tracing::warn!(problem = %failure.0.message, "clocks cannot be seen to");
    }
}

/// One sign of life, and everything that is due by now.
pub(crate) async fn beat(hall: &Arc<Hall>) -> Result<(), Failure> {
    let store = &hall.shared.store;
    let last = store.noted(BEAT_FACT).await.or_failed()?.unwrap_or_default();
    let clocks_run = !store.due_slips(i64::MAX, 1).await.or_failed()?.is_empty();
    // Where no clock runs there is nothing to tell, and no disk to wake.
    if !clocks_run && last.is_empty() {
        return Ok(());
    }
    let now = world::now() as i64;
    note_outage(hall, last.parse().ok(), now).await?;
    let sign = if clocks_run { now.to_string() } else { String::new() };
    store.note(BEAT_FACT, sign).await.or_failed()?;
    for slip in store.due_slips(now, TOGETHER).await.or_failed()? {
        if let Err(failure) = see_to(hall, &slip).await {
            tracing::warn!(game = %slip.game, slip = %slip.name, problem = %failure.0.message, "a slip cannot be seen to; it is tried again");
        }
    }
    Ok(())
}

/// Time without a sign of life from any server is nobody's, and neither is a jump of the clock.
async fn note_outage(hall: &Hall, last: Option<i64>, now: i64) -> Result<(), Failure> {
    let store = &hall.shared.store;
    let noted = store.noted(OUTAGES_FACT).await.or_failed()?;
    let mut outages: Outages = noted.and_then(|noted| slips::read(&noted)).unwrap_or_default();
    if let Some(last) = last.filter(|last| now - last > SILENCE) {
        outages.add(last, now);
        let written = serde_json::to_string(&outages).unwrap_or_default();
        store.note(OUTAGES_FACT, written).await.or_failed()?;
    }
    *hall.shared.known.0.lock().unwrap_or_else(PoisonError::into_inner) = outages;
    Ok(())
}

async fn see_to(hall: &Arc<Hall>, slip: &SlipRow) -> Result<(), Failure> {
    match slip.name.as_str() {
        SLIP => hall.fetch(&slip.game).await?.struck().await,
        crate::ratings::SLIP => hall.fetch(&slip.game).await?.settle().await,
        _ => Ok(()),
    }
}

#[cfg(test)]
pub(crate) mod tests;
