//! Who sits at a seat, what two people want of each other, and who may not play with strangers.

use std::sync::Arc;

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use game::Side;
use host::seats::{Held, Tokens};
use host::wire::{Code, Problems, Tie, TieKind};
use host::{Failure, requests};
use store::{ChallengeRow, MeasureRow, Store, TieRow};

use crate::accounts::Member;
use crate::api::{Answer, Body, Path};
use crate::hall::Hall;
use crate::lobby::offered_by;
use crate::problem::OrFailed;
use crate::room::Room;
use crate::world;

/// With how many one may want nothing to do.
const MOST: i64 = 500;

/// Somebody, by the seat they hold and by the account that it belongs to, if any.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    seat: String,
    account: Option<String>,
}

impl Person {
    /// Whoever sits here.
    pub(crate) async fn at(store: &Store, game: &str, side: Side) -> Result<Self, Failure> {
        let account = store.seat_account(game, side.index() as i64).await.or_failed()?;
        Ok(Person { seat: format!("{game}:{}", side.index()), account })
    }

    /// Somebody who has an account and no seat yet.
    pub(crate) fn member(account: &str) -> Self {
        Person { seat: account.to_owned(), account: Some(account.to_owned()) }
    }

    /// What they are known by where it matters most.
    pub(super) fn name(&self) -> &str {
        self.account.as_deref().unwrap_or(&self.seat)
    }

    pub(super) fn account(&self) -> Option<&str> {
        self.account.as_deref()
    }

    fn names(&self) -> [&str; 2] {
        [&self.seat, self.name()]
    }

    /// What they want of somebody: the more of two.
    async fn wants(&self, store: &Store, other: &Person) -> Result<Option<TieKind>, Failure> {
        let ties = store.ties_between(self.names(), other.names()).await.or_failed()?;
        let kinds: Vec<TieKind> = ties.iter().filter_map(|row| kind_of(&row.kind)).collect();
        Ok(if kinds.contains(&TieKind::Block) { Some(TieKind::Block) } else { kinds.first().copied() })
    }

    /// Whether these two may meet in the lobby and talk: neither has blocked the other.
    pub(crate) async fn may_meet(&self, store: &Store, other: &Person) -> Result<(), Failure> {
        let blocks = |tie: Option<TieKind>| tie == Some(TieKind::Block);
        if blocks(self.wants(store, other).await?) || blocks(other.wants(store, self).await?) {
            let what = "One of you two has blocked the other: no challenges and no chat between you.";
            return Err(Failure::new(Code::Blocked, what));
        }
        Ok(())
    }

    /// Whether they may talk to strangers and play with them.
    pub(crate) async fn must_stand(&self, store: &Store) -> Result<(), Failure> {
        let Some(account) = &self.account else { return Ok(()) };
        if suspension(store, account).await?.is_none() {
            return Ok(());
        }
        let what = "Your account is suspended or closed. Its page says why, and there you can write a note.";
        Err(Failure::new(Code::Suspended, what))
    }
}

/// What keeps an account from playing with strangers now.
pub(super) async fn suspension(store: &Store, account: &str) -> Result<Option<MeasureRow>, Failure> {
    let now = world::now() as i64;
    let holds = |row: &MeasureRow| {
        let stops = matches!(row.kind.as_str(), "suspended" | "closed");
        stops && row.lifted.is_none() && row.until.is_none_or(|until| until > now)
    };
    Ok(store.measures(account).await.or_failed()?.into_iter().find(holds))
}

pub(super) fn kind_of(word: &str) -> Option<TieKind> {
    match word {
        "mute" => Some(TieKind::Mute),
        "block" => Some(TieKind::Block),
        _ => None,
    }
}

fn word_of(kind: TieKind) -> &'static str {
    match kind {
        TieKind::Mute => "mute",
        TieKind::Block => "block",
    }
}

/// Whoever asks, by their account if they are signed in and it is one of our own pages that asks.
#[derive(Debug)]
pub(crate) struct Visitor(pub(crate) Option<String>);

impl FromRequestParts<Arc<Hall>> for Visitor {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, hall: &Arc<Hall>) -> Result<Self, Failure> {
        match Member::from_request_parts(parts, hall).await {
            Ok(member) => Ok(Visitor(Some(member.account().to_owned()))),
            Err(failure) if matches!(failure.0.code, Code::SignInNeeded | Code::ForeignOrigin) => {
                Ok(Visitor(None))
            }
            Err(failure) => Err(failure),
        }
    }
}

impl Visitor {
    /// The challenges that are not of somebody whom the visitor has blocked.
    pub(crate) async fn unblocked(
        &self,
        store: &Store,
        rows: Vec<ChallengeRow>,
    ) -> Result<Vec<ChallengeRow>, Failure> {
        let Some(account) = &self.0 else { return Ok(rows) };
        let ties = store.ties(account).await.or_failed()?;
        let blocks = |name: &str| ties.iter().any(|tie| tie.kind == "block" && tie.other == name);
        if !ties.iter().any(|tie| tie.kind == "block") {
            return Ok(rows);
        }
        let mut open = Vec::new();
        for row in rows {
            if !Person::at(store, &row.game, offered_by(&row)).await?.names().into_iter().any(blocks) {
                open.push(row);
            }
        }
        Ok(open)
    }
}

impl Room {
    /// Whether the holder of this seat may write to the other.
    pub(crate) async fn may_talk(&self, side: Side) -> Result<(), Failure> {
        Person::at(&self.shared.store, &self.about.id, side).await?.must_stand(&self.shared.store).await?;
        self.may_meet().await
    }

    /// Whether those who sit here may play each other again.
    pub(crate) async fn may_meet(&self) -> Result<(), Failure> {
        let (store, game) = (&self.shared.store, &self.about.id);
        let (first, second) =
            (Person::at(store, game, Side::First).await?, Person::at(store, game, Side::Second).await?);
        first.may_meet(store, &second).await
    }

    /// The side whose chat is hidden from these eyes.
    pub(crate) async fn hidden(&self, held: Held) -> Result<Option<Side>, Failure> {
        let Some(side) = held.speaks_for(None).filter(|_| !held.both()) else { return Ok(None) };
        let (store, game) = (&self.shared.store, &self.about.id);
        let (own, other) = (Person::at(store, game, side).await?, Person::at(store, game, !side).await?);
        Ok(own.wants(store, &other).await?.map(|_| !side))
    }
}

// ---------------------------------------------------------------------------------------------- addresses

#[utoipa::path(get, path = "/api/v1/games/{game}/tie", tag = "order", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = Tie), Problems), security(("seat" = [])))]
pub(crate) async fn tied(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
) -> Answer<Tie> {
    let (own, other, _) = hall.opposite(&game, &tokens).await?;
    Ok(Json(Tie { tie: own.wants(&hall.shared.store, &other).await? }))
}

#[utoipa::path(post, path = "/api/v1/games/{game}/tie", tag = "order", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = Tie, responses((status = 204), Problems), security(("seat" = [])))]
pub(crate) async fn tie(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(wanted): Body<Tie>,
) -> Result<StatusCode, Failure> {
    let (own, other, name) = hall.opposite(&game, &tokens).await?;
    let store = &hall.shared.store;
    // Whatever it was before, also from when the seats belonged to nobody yet.
    for row in store.ties_between(own.names(), other.names()).await.or_failed()? {
        store.untie(&row.owner, &row.other).await.or_failed()?;
    }
    if let Some(kind) = wanted.tie {
        if store.count_ties(own.name()).await.or_failed()? >= MOST {
            let what = format!(
                "You have muted or blocked {MOST} people. Take some of it back on your account's page."
            );
            return Err(Failure::new(Code::Quota, what));
        }
        let (owner, other) = (own.name().to_owned(), other.name().to_owned());
        let kind = word_of(kind).to_owned();
        let name = requests::name(&name).unwrap_or_else(|_| "Somebody".to_owned());
        store.tie(TieRow { owner, other, kind, name, made: world::now() as i64 }).await.or_failed()?;
    }
    Ok(StatusCode::NO_CONTENT)
}

impl Hall {
    /// Who asks, who sits opposite, and how that one is called.
    async fn opposite(&self, game: &str, tokens: &Tokens) -> Result<(Person, Person, String), Failure> {
        let room = self.room(game).await?;
        let play = room.play().await?;
        let held = tokens.seats(&play.seats)?;
        let side = held.must_sit(None)?;
        if held.both() || play.seats[!side].kind == host::wire::SeatKind::Computer {
            return Err(Failure::new(Code::NoSuchRecord, "Nobody else sits opposite."));
        }
        let store = &self.shared.store;
        let (own, other) = (Person::at(store, game, side).await?, Person::at(store, game, !side).await?);
        Ok((own, other, play.seats[!side].name.clone()))
    }
}
