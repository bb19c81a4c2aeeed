//! How a game comes to count for ratings: each person at the table says so before their first act, with an account of
//! their own. A computer always agrees.

use std::sync::Arc;

use game::journal::{self, DiceOf, Line};
use game::{BySide, Side};
use host::seats::Tokens;
use host::wire::{Code, GameFace, RatedFace, RatingWindow, SeatKind, SettledFace};
use host::{Failure, Play};
use serde::{Deserialize, Serialize};
use store::Swap;

use super::{computer, level};
use crate::hall::{Hall, no_such_game};
use crate::owners::Client;
use crate::problem::OrFailed;
use crate::room::{News, Room};
use crate::slips;

/// The slip that it is kept on.
pub(crate) const SLIP: &str = "rated";
/// How often it is tried again when something else of the game has changed in between.
const ATTEMPTS: usize = 5;

/// What has been agreed about a game, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Agreed {
    pub(crate) seats: BySide<Option<Player>>,
    pub(crate) settled: Option<SettledFace>,
}

/// Who plays a side of a rated game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Player {
    /// Somebody with an account.
    Account {
        id: String,
        /// The network they agreed from, as owners are called on disk; none for the machine itself.
        network: Option<String>,
    },
    /// A computer of this level.
    Computer(String),
}

impl Player {
    pub(crate) fn of(hall: &Hall, account: &str, client: Client) -> Player {
        // Behind a proxy that is not trusted everybody would be this machine: `docs/hosting.md` tells the operator.
        let network = (!client.local()).then(|| hall.shared.owners.name(client));
        Player::Account { id: account.to_owned(), network }
    }

    /// What the member is called in tables.
    pub(super) fn member(&self) -> String {
        match self {
            Player::Account { id, .. } => id.clone(),
            Player::Computer(level) => computer(level),
        }
    }

    pub(crate) fn account(&self) -> Option<&str> {
        match self {
            Player::Account { id, .. } => Some(id),
            Player::Computer(_) => None,
        }
    }

    /// Nobody plays themselves for rating, and nobody a second account at the same place.
    fn may_play(&self, other: &Player) -> Result<(), Failure> {
        let (Player::Account { id, network }, Player::Account { id: theirs, network: there }) = (self, other)
        else {
            return Ok(());
        };
        if id == theirs {
            return Err(not_rated("Both seats are with your account. A rated game is between two people."));
        }
        if network.is_some() && network == there {
            return Err(not_rated(
                "Your opponent plays from the same network as you. Such games do not count; play without rating.",
            ));
        }
        Ok(())
    }
}

impl Agreed {
    /// Whoever plays, if all have agreed.
    pub(super) fn players(&self) -> Option<BySide<&Player>> {
        Some(BySide { first: self.seats.first.as_ref()?, second: self.seats.second.as_ref()? })
    }

    /// The same with the sides changed, for the same two people again.
    pub(crate) fn again(self) -> Option<Agreed> {
        self.players()?;
        let BySide { first, second } = self.seats;
        Some(Agreed { seats: BySide { first: second, second: first }, settled: None })
    }

    pub(crate) fn slip(&self) -> Swap {
        slips::Slips::default().swap(SLIP, Some(self), None)
    }
}

pub(crate) fn not_rated(why: impl Into<String>) -> Failure {
    Failure::new(Code::NotRated, why)
}

/// Whether a side has done anything, be it taken back since.
fn has_acted(play: &Play, side: Side) -> bool {
    let by = |line: &Line| matches!(line, Line::Act { side: Some(by), .. } if *by == side);
    journal::parse(&play.table.journal()).map_or(true, |parsed| parsed.lines.iter().any(by))
}

/// Whether a game may count at all.
fn may_count(room: &Room, play: &Play) -> Result<(), Failure> {
    play.must_be_playable()?;
    let header = play.table.header();
    let people = BySide::from_fn(|side| play.seats[side].kind != SeatKind::Computer);
    let one_screen = BySide::from_fn(|side| play.seats[side].kind == SeatKind::Here);
    let why = if header.text.is_some() {
        "Only battles of the library count for ratings, not scenarios of one's own."
    } else if !matches!(header.dice, DiceOf::Commit(_)) {
        "Only games with the server's dice count for ratings."
    } else if header.taken_over > 0 {
        "A game that goes on from a journal does not count for ratings."
    } else if header.rolls_back {
        "Where rolls may be taken back a game does not count for ratings."
    } else if one_screen.first && one_screen.second {
        "Two people at one screen: such a game does not count for ratings."
    } else if people.first && people.second && room.clock().is_none() {
        "A rated game between two people needs a clock."
    } else {
        return Ok(());
    };
    Err(not_rated(why))
}

/// The computer at a seat, if it has a rating.
fn computer_at(play: &Play, side: Side) -> Result<Option<Player>, Failure> {
    let seat = &play.seats[side];
    if seat.kind != SeatKind::Computer {
        return Ok(None);
    }
    let rated = level(&seat.name).is_some_and(|level| super::Strength::of(level).is_some());
    let none = || not_rated("This computer player has no rating. Choose another level.");
    rated.then(|| Some(Player::Computer(seat.name.clone()))).ok_or_else(none)
}

impl Room {
    pub(crate) fn agreed(&self) -> Option<Agreed> {
        self.slips.get(SLIP)
    }

    /// Whether anybody plays this game for rating.
    pub(crate) fn is_rated(&self) -> bool {
        self.agreed().is_some()
    }

    pub(crate) fn rated_face(&self) -> Option<RatedFace> {
        let agreed = self.agreed()?;
        Some(RatedFace {
            agreed: BySide { first: agreed.seats.first.is_some(), second: agreed.seats.second.is_some() },
            settled: agreed.settled,
        })
    }

    /// The change by which a player agrees; none if they have.
    fn agreement(&self, play: &Play, side: Side, player: Player) -> Result<Option<Swap>, Failure> {
        let mut agreed = self.agreed().unwrap_or_default();
        if agreed.seats[side].as_ref().is_some_and(|known| known.member() == player.member()) {
            return Ok(None);
        }
        may_count(self, play)?;
        if agreed.seats[side].is_some() || has_acted(play, side) {
            return Err(not_rated("A game counts only if that is agreed before one's first act."));
        }
        if agreed.seats[!side].is_none() {
            agreed.seats[!side] = computer_at(play, !side)?;
        }
        if let Some(other) = &agreed.seats[!side] {
            player.may_play(other)?;
        }
        agreed.seats[side] = Some(player);
        Ok(Some(self.slips.swap(SLIP, Some(&agreed), None)))
    }
}

impl Hall {
    /// Somebody with a seat agrees that their game counts. The seat is with their account from then on.
    pub(crate) async fn agree(&self, player: Player, game: &str, token: String) -> Result<GameFace, Failure> {
        let room = self.room(game).await?;
        let held = Tokens::one(Some(token.clone())).seats(&room.play().await?.seats)?;
        let side = held.must_sit(None)?;
        if held.both() {
            return Err(not_rated("You play both sides. A rated game is between two."));
        }
        let Some(account) = player.account() else { return Err(no_such_game()) };
        self.one_against_computers(account, &room).await?;
        self.agree_at(&room, side, player.clone()).await?;
        if self.adopt_seat(account, game, &token).await?.is_none() {
            return Err(not_rated("This seat is with another account."));
        }
        let play = room.play().await?;
        Ok(room.face(&play, held))
    }

    /// Writes it down that the player of this side has agreed.
    pub(crate) async fn agree_at(&self, room: &Arc<Room>, side: Side, player: Player) -> Result<(), Failure> {
        for _ in 0..ATTEMPTS {
            let play = room.play().await?;
            let Some(swap) = room.agreement(&play, side, player.clone())? else { return Ok(()) };
            if room.change_slips(vec![swap]).await? {
                room.tell(News::Face);
                return Ok(());
            }
        }
        Err(Failure::new(Code::Busy, "Something has just happened in this game; try again."))
    }

    /// Whether a player may take a seat that is offered for a rated game. Nothing changes.
    pub(crate) async fn may_meet(
        &self,
        room: &Arc<Room>,
        side: Side,
        player: &Player,
        window: Option<RatingWindow>,
    ) -> Result<(), Failure> {
        if let (Some(RatingWindow { from, to }), Some(account)) = (window, player.account()) {
            let rating = self.standing(account, &room.about.heading.system).await?.rating;
            if !(from..=to).contains(&rating) {
                let why = format!("This challenge is for ratings from {from} to {to}; yours is {rating}.");
                return Err(not_rated(why));
            }
        }
        match room.agreed().and_then(|agreed| agreed.seats[!side].clone()) {
            Some(other) => player.may_play(&other),
            None => Ok(()),
        }
    }

    /// Against computers nobody has a clock. So that no game is left when it goes badly, there is one at a time.
    async fn one_against_computers(&self, account: &str, room: &Room) -> Result<(), Failure> {
        if !room.computers() {
            return Ok(());
        }
        let store = &self.shared.store;
        for own in store.own_games(account).await.or_failed()? {
            if own.over || own.other_kind != "computer" || own.game == room.about.id {
                continue;
            }
            if store.slips(&own.game).await.or_failed()?.iter().any(|slip| slip.name == SLIP) {
                return Err(not_rated(
                    "You have a rated game against a computer already. Finish it, or resign it, first.",
                ));
            }
        }
        Ok(())
    }
}
