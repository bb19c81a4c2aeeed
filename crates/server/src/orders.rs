//! Conditional orders at the table: sealed, played at once when they apply, by whichever server is there.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use game::odds::{Horizon, OddsReport};
use game::session::Throw;
use game::{Side, odds::Tone};
use host::orders::{self, Answer};
use host::seats::Tokens;
use host::wire::{Code, DiceKind, Order, OrdersFace, Problems, PutOrders, SeatKind};
use host::{Failure, Play};
use players::Player;
use serde::{Deserialize, Serialize};
use store::Swap;

use crate::api::{self, Body, Path, to_the_end};
use crate::hall::Hall;
use crate::room::Room;
use crate::world;

/// Who decides where an order leaves it to the computer.
const CAPTAIN: &str = "captain";
/// How many uses are remembered.
const REMEMBERED: usize = 500;

pub(crate) fn router() -> Router<Arc<Hall>> {
    Router::new().route("/games/{game}/orders", get(look).post(give))
}

#[utoipa::path(get, path = "/api/v1/games/{game}/orders", tag = "orders", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = OrdersFace), Problems), security(("seat" = [])))]
pub(crate) async fn look(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
) -> api::Answer<OrdersFace> {
    let room = hall.room(&game).await?;
    let play = room.play().await?;
    let side = tokens.seats(&play.seats)?.must_sit(play.decides())?;
    Ok(Json(room.sealed(side).face(play.table.turn())))
}

#[utoipa::path(post, path = "/api/v1/games/{game}/orders", tag = "orders", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = PutOrders, responses((status = 200, body = OrdersFace), Problems), security(("seat" = [])))]
pub(crate) async fn give(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(body): Body<PutOrders>,
) -> api::Answer<OrdersFace> {
    let room = hall.room(&game).await?;
    to_the_end(async move { room.give_orders(tokens, body.orders).await }).await.map(Json)
}

/// A seat's orders as they are kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Sealed {
    orders: Vec<Order>,
    /// What they have decided: the moment it led to, and the line of the journal.
    used: Vec<(u64, u64)>,
}

impl Sealed {
    fn face(self, turn: u32) -> OrdersFace {
        OrdersFace { used: self.used.len() as u32, orders: self.orders, turn }
    }
}

fn slip(side: Side) -> &'static str {
    match side {
        Side::First => "orders first",
        Side::Second => "orders second",
    }
}

/// How likely an action harms an enemy of the side that decides.
fn harm(report: &OddsReport, enemies: &[game::board::PieceId]) -> f64 {
    let harmed = |fate: &game::odds::FateOdds| fate.fate.tone >= Tone::Hurt;
    let of_piece = |piece: &game::odds::PieceOdds| -> f64 {
        piece.fates.iter().filter(|fate| harmed(fate)).map(|fate| fate.share.p).sum()
    };
    report.pieces.iter().filter(|piece| enemies.contains(&piece.piece)).map(of_piece).fold(0.0, f64::max)
}

/// What the orders of a side answer at this position.
fn answer(sealed: &Sealed, play: &Play, side: Side) -> Option<Answer> {
    let (prompt, offers) = (play.table.prompt()?, play.table.offers());
    let weigher = play.table.weigher(side);
    let view = play.table.view(game::Eyes::Of(side), None)?;
    let enemies: Vec<_> = view.pieces.iter().filter(|p| p.side == !side).map(|p| p.id).collect();
    let weigh = |offer: &game::board::Offer| {
        Some(harm(&weigher.odds(&offer.action, Horizon::Affair).ok()?, &enemies))
    };
    orders::answer(&sealed.orders, play.table.turn(), &prompt, &offers, weigh)
}

impl Room {
    fn sealed(&self, side: Side) -> Sealed {
        self.slips.get(slip(side)).unwrap_or_default()
    }

    /// Whether anybody has given orders.
    pub(crate) fn has_orders(&self) -> bool {
        Side::BOTH.into_iter().any(|side| !self.sealed(side).orders.is_empty())
    }

    /// The side whose orders may answer the decision at hand.
    pub(crate) fn ordered(&self, play: &Play) -> Option<Side> {
        let side = play.decides().filter(|_| play.closed.is_none())?;
        let sealed = self.sealed(side);
        // What a player has taken back is asked.
        let again = sealed.used.iter().any(|(moment, _)| *moment == play.table.moment() + 1);
        if sealed.orders.is_empty() || again || play.seats[side].kind == SeatKind::Computer {
            return None;
        }
        let prompt = play.table.prompt()?;
        orders::concerns(&sealed.orders, play.table.turn(), &prompt).then_some(side)
    }

    /// Tells the game which of its moments orders have brought about, where an earlier program did not write it in the journal.
    pub(crate) fn mark_ordered(&self, play: &mut Play) {
        let used: Vec<(u64, u64)> = Side::BOTH.into_iter().flat_map(|side| self.sealed(side).used).collect();
        let last_line = |moment: u64| {
            play.moments.iter().rposition(|m| u64::from(*m) == moment).map(|index| index as u64 + 1)
        };
        let stand: Vec<u64> =
            used.into_iter().filter(|(m, line)| last_line(*m) == Some(*line)).map(|(m, _)| m).collect();
        play.ordered.extend(stand);
    }

    /// A seat's orders from now on.
    async fn give_orders(self: Arc<Self>, tokens: Tokens, new: Vec<Order>) -> Result<OrdersFace, Failure> {
        orders::check(&new)?;
        let play = self.play().await?;
        let held = tokens.seats(&play.seats)?;
        let side = held.must_sit(play.decides())?;
        play.must_be_playable()?;
        let (dice, _) = host::play::dice_of(&play.table.header().dice);
        if dice == DiceKind::Table {
            let what = "Orders need dice that the server rolls; this game is played with real ones.";
            return Err(Failure::new(Code::Malformed, what));
        }
        let sealed = Sealed { orders: new, ..self.sealed(side) };
        let swap = self.slips.swap(slip(side), Some(&sealed), None);
        if !self.change_slips(vec![swap]).await? {
            return Err(Failure::new(Code::Busy, "Something has just happened in this game; try again."));
        }
        let turn = play.table.turn();
        drop(play);
        obey(&self).await?;
        Ok(sealed.face(turn))
    }

    /// What is written down when an order of `side` leads to this moment, on this line.
    fn use_order(&self, side: Side, moment: u64, line: u64) -> Swap {
        let mut sealed = self.sealed(side);
        sealed.used.push((moment, line));
        let excess = sealed.used.len().saturating_sub(REMEMBERED);
        sealed.used.drain(..excess);
        self.slips.swap(slip(side), Some(&sealed), None)
    }

    /// Plays what an order says, unless the game has moved on.
    async fn act_as_ordered(
        self: &Arc<Self>,
        side: Side,
        state: u64,
        action: String,
    ) -> Result<bool, Failure> {
        let play = self.play().await?;
        if play.state != state || play.decides() != Some(side) {
            return Ok(false);
        }
        let throw = Throw { salt: play.computer_hash("linstock order 1"), typed: Vec::new() };
        let mut play = self.perform(play, side, action, throw).await?;
        play.say_ordered();
        let used = self.use_order(side, play.table.moment(), play.state + 1);
        match self.keep_with(&mut play, None, vec![used]).await {
            // Another node was faster.
            Err(failure) if failure.0.code == Code::IdReused => Ok(false),
            kept => kept.map(|()| true),
        }
    }
}

/// Plays what orders say, as long as they say something. Answers whether any was played.
pub(crate) async fn obey(room: &Arc<Room>) -> Result<bool, Failure> {
    let mut any = false;
    loop {
        let play = room.play().await?;
        let Some(side) = room.ordered(&play) else { return Ok(any) };
        let (sealed, state) = (room.sealed(side), play.state);
        let (play, found) = room.work(play, move |_, play| answer(&sealed, play, side)).await?;
        let hash = play.computer_hash("linstock order choice 1");
        let thinker = matches!(found, Some(Answer::Captain)).then(|| play.table.thinker());
        drop(play);
        let action = match (found, thinker) {
            (Some(Answer::Play(action)), _) => Some(action),
            (Some(Answer::Captain), Some(think)) => {
                let seed = hash.iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte));
                let captain = CAPTAIN.parse().unwrap_or(Player::Random);
                world::blocking(move || think(captain, seed)).await.ok().flatten()
            }
            _ => None,
        };
        let Some(action) = action else { return Ok(any) };
        if !room.act_as_ordered(side, state, action).await? {
            return Ok(any);
        }
        any = true;
    }
}

/// Sets somebody to it if an order may answer the decision at hand; nobody waits for that.
pub(crate) fn wake(room: &Arc<Room>, play: &Play) {
    if room.ordered(play).is_none() {
        return;
    }
    let room = room.clone();
    world::spawn(async move {
        if let Err(failure) = obey(&room).await {
            tracing::warn!(game = %room.about.id, problem = %failure.0.message, "an order could not be played; it is tried again");
        }
    });
}

#[cfg(test)]
mod tests;
