//! Finding an opponent: free seats that are put up for anybody, and the same battle again with the sides changed.
//!
//! Everything hangs on seat tokens. A challenge is a free seat by invitation with a few words to it; whoever accepts it needs
//! no invitation. It has an id of its own, because a game's id is for those who sit there.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use catalogue::Table;
use game::journal::DiceOf;
use game::{BySide, Side};
use serde::{Deserialize, Serialize};
use store::{ChallengeRow, Kept, StoreError, Swap};
use utoipa::IntoParams;

use crate::api::{Answer, Body, Path, Query, to_the_end};
use crate::hall::{Hall, Origin, no_such_game};
use crate::order::{Person, Visitor};
use crate::owners::Client;
use crate::problem::{OrFailed, store_failed};
use crate::ratings::{Agreed, Player};
use crate::room::{News, Room};
use crate::summary::Face;
use crate::{chance, notices, world};
use host::seats::{self, Tokens};
use host::wire::{
    Accept, Accepted, AskRematch, ChallengeFace, ChallengeList, ClockTerms, Code, DiceKind, NewGame,
    Problems, PutUp, RatingWindow, SeatKind, Sitter, Standing,
};
use host::{Failure, Play, requests};

/// How long a challenge waits if nobody says, and at the most.
const HOURS: u32 = 72;
const MOST_HOURS: u32 = 14 * 24;
/// How many the list shows, and how many there may be.
const LISTED: i64 = 200;
const MOST: u64 = 1_000;
/// How far a rating window may reach to either side.
const WINDOW: std::ops::RangeInclusive<u32> = 50..=1000;

pub(crate) fn router() -> Router<Arc<Hall>> {
    Router::new()
        .route("/challenges", get(list))
        .route("/challenges/{challenge}/accept", post(accept))
        .route("/games/{game}/challenge", get(of_game).post(put_up))
        .route("/games/{game}/challenge/withdraw", post(withdraw))
        .route("/games/{game}/rematch", post(rematch))
}

// ---------------------------------------------------------------------------------------------- addresses

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// Only those of this system.
    system: Option<String>,
}

#[utoipa::path(get, path = "/api/v1/challenges", tag = "lobby", params(Which),
    responses((status = 200, body = ChallengeList), Problems))]
pub(crate) async fn list(
    State(hall): State<Arc<Hall>>,
    visitor: Visitor,
    Query(which): Query<Which>,
) -> Answer<ChallengeList> {
    hall.challenges(which.system.as_deref(), visitor).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/challenges/{challenge}/accept", tag = "lobby",
    params(("challenge" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")), request_body = Accept,
    responses((status = 200, body = Accepted), Problems))]
pub(crate) async fn accept(
    State(hall): State<Arc<Hall>>,
    visitor: Visitor,
    Path(challenge): Path<String>,
    Body(body): Body<Accept>,
) -> Answer<Accepted> {
    to_the_end(async move { hall.accept(&challenge, visitor, body, None).await }).await.map(Json)
}

#[utoipa::path(get, path = "/api/v1/games/{game}/challenge", tag = "lobby", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = Option<ChallengeFace>), Problems), security(("seat" = [])))]
pub(crate) async fn of_game(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
) -> Answer<Option<ChallengeFace>> {
    hall.challenge_of(&game, tokens).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games/{game}/challenge", tag = "lobby", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = PutUp, responses((status = 201, body = ChallengeFace), Problems), security(("seat" = [])))]
pub(crate) async fn put_up(
    State(hall): State<Arc<Hall>>,
    client: Client,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(body): Body<PutUp>,
) -> Result<(StatusCode, Json<ChallengeFace>), Failure> {
    let face = to_the_end(async move { hall.put_up(&game, tokens, client, body).await }).await?;
    Ok((StatusCode::CREATED, Json(face)))
}

#[utoipa::path(post, path = "/api/v1/games/{game}/challenge/withdraw", tag = "lobby", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 204), Problems), security(("seat" = [])))]
pub(crate) async fn withdraw(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
) -> Result<StatusCode, Failure> {
    to_the_end(async move { hall.withdraw(&game, tokens).await }).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[utoipa::path(post, path = "/api/v1/games/{game}/rematch", tag = "lobby", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = AskRematch, responses((status = 200, body = Accepted), Problems), security(("seat" = [])))]
pub(crate) async fn rematch(
    State(hall): State<Arc<Hall>>,
    client: Client,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(body): Body<AskRematch>,
) -> Answer<Accepted> {
    to_the_end(async move { hall.rematch(&game, tokens, client, body).await }).await.map(Json)
}

// ---------------------------------------------------------------------------------------------- challenges

/// What the list shows of a challenge, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct Words {
    name: String,
    system: String,
    scenario: String,
    title: String,
    sides: BySide<Face>,
    house: Vec<String>,
    note: String,
    #[serde(default)]
    clock: Option<ClockTerms>,
    #[serde(default)]
    rated: Option<Standing>,
    #[serde(default)]
    window: Option<RatingWindow>,
}

impl Words {
    /// Of the seat that `side` leaves free.
    fn of(room: &Room, play: &Play, side: Side, note: String) -> Self {
        let heading = room.about.heading.clone();
        Words {
            name: play.seats[!side].name.clone(),
            system: heading.system,
            scenario: heading.scenario,
            title: heading.title,
            sides: heading.sides.map(Face::of),
            house: house_rules(room, play),
            note,
            clock: room.clock().map(|clock| clock.terms()),
            rated: None,
            window: None,
        }
    }
}

/// The house rules that were set apart from the scenario's, by name, and real dice.
fn house_rules(room: &Room, play: &Play) -> Vec<String> {
    let header = play.table.header();
    let known = room.volume.as_ref().map_or(&[][..], |volume| &volume.face.options);
    let named = |(id, on): (&String, &bool)| {
        let name = known.iter().find(|rule| rule.id == *id).map_or(id.as_str(), |rule| &rule.name);
        if *on { name.to_owned() } else { format!("{name}: off") }
    };
    let real = (header.dice == DiceOf::Table).then(|| "Real dice".to_owned());
    header.options.iter().map(named).chain(real).collect()
}

fn no_such_challenge() -> Failure {
    Failure::new(Code::NoSuchChallenge, "This challenge is no longer open.")
}

fn gone() -> Failure {
    Failure::new(Code::ChallengeGone, "Somebody else was faster, or the challenge was withdrawn.")
}

fn must_be_token(token: &str) -> Result<(), Failure> {
    if seats::is_token(token) {
        return Ok(());
    }
    let what = "`token` must be 64 hexadecimal digits of the client's own making.";
    Err(Failure::new(Code::Malformed, what))
}

/// How whoever put it up is called, and their note.
pub(crate) fn words(row: &ChallengeRow) -> Option<(String, String)> {
    let words: Words = serde_json::from_str(&row.face).ok()?;
    Some((words.name, words.note))
}

/// The seat of whoever put it up.
pub(crate) fn offered_by(row: &ChallengeRow) -> Side {
    !side_of(row)
}

fn side_of(row: &ChallengeRow) -> Side {
    if row.side == 0 { Side::First } else { Side::Second }
}

impl Hall {
    /// What is offered now, the latest first.
    async fn challenges(&self, system: Option<&str>, visitor: Visitor) -> Result<ChallengeList, Failure> {
        let rows = self.shared.store.challenges(world::now() as i64, LISTED).await.or_failed()?;
        let rows = visitor.unblocked(&self.shared.store, rows).await?;
        let faces = rows.iter().filter_map(|row| self.challenge_face(row));
        let wanted = |face: &ChallengeFace| system.is_none_or(|system| face.system == system);
        Ok(ChallengeList { challenges: faces.filter(wanted).collect() })
    }

    fn challenge_face(&self, row: &ChallengeRow) -> Option<ChallengeFace> {
        let words: Words = serde_json::from_str(&row.face).ok()?;
        let side = side_of(row);
        Some(ChallengeFace {
            id: row.id.clone(),
            name: words.name,
            here: self.present(&row.game)[!side],
            system: words.system,
            scenario: words.scenario,
            title: words.title,
            sides: words.sides.map(Face::show),
            side,
            house: words.house,
            note: words.note,
            clock: words.clock,
            rated: words.rated,
            window: words.window,
            made: row.made as u64,
            until: row.until as u64,
        })
    }

    /// The open challenge of a game, for those who sit there.
    async fn challenge_of(&self, game: &str, tokens: Tokens) -> Result<Option<ChallengeFace>, Failure> {
        let room = self.room(game).await?;
        tokens.seats(&room.play().await?.seats)?.must_sit(None)?;
        let row = self.shared.store.challenge_of(game).await.or_failed()?;
        let open = row.filter(|row| !row.taken && row.until > world::now() as i64);
        Ok(open.and_then(|row| self.challenge_face(&row)))
    }

    /// Puts the free seat of a game up for anybody.
    async fn put_up(
        &self,
        game: &str,
        tokens: Tokens,
        client: Client,
        body: PutUp,
    ) -> Result<ChallengeFace, Failure> {
        let note = requests::note(&body.note)?;
        let hours = body.hours.unwrap_or(HOURS);
        if !(1..=MOST_HOURS).contains(&hours) {
            let what = format!("A challenge waits for 1 to {MOST_HOURS} hours, not {hours}.");
            return Err(Failure::new(Code::Malformed, what));
        }
        let room = self.room(game).await?;
        let play = room.play().await?;
        let held = tokens.seats(&play.seats)?;
        let side = !held.must_sit(None)?;
        play.must_be_playable()?;
        let no_free_seat = || {
            Failure::new(
                Code::NoFreeSeat,
                "Only a seat by link that nobody holds can be put up in the lobby, and only once at a time.",
            )
        };
        if play.seats[side].kind != SeatKind::Link || play.seats[side].taken() {
            return Err(no_free_seat());
        }
        Person::at(&self.shared.store, game, !side).await?.must_stand(&self.shared.store).await?;
        let owner = self.may_put_up(client).await?;
        let words = Words::of(&room, &play, side, note);
        drop(play);
        let words = self.with_rating(&room, !side, words, body.within).await?;
        let made = world::now() as i64;
        let row = ChallengeRow {
            id: chance::id()?,
            game: game.to_owned(),
            side: side.index() as i64,
            made,
            until: made + Duration::from_secs(3600 * u64::from(hours)).as_millis() as i64,
            taken: false,
            owner,
            face: serde_json::to_string(&words)
                .map_err(|_| Failure::internal("a challenge cannot be written"))?,
        };
        self.shared.store.put_up(row.clone()).await.map_err(|error| match error {
            StoreError::Conflict => no_free_seat(),
            error => store_failed(error),
        })?;
        self.challenge_face(&row).ok_or_else(|| Failure::internal("a challenge cannot be read"))
    }

    /// The same words with the rating of the one who offers a rated game, and whom they want to meet.
    async fn with_rating(
        &self,
        room: &Room,
        side: Side,
        words: Words,
        within: Option<u32>,
    ) -> Result<Words, Failure> {
        let agreed = room.agreed().and_then(|agreed| agreed.seats[side].clone());
        let Some(account) = agreed.as_ref().and_then(Player::account) else {
            let what = "Only a rated game is offered to certain ratings.";
            return within.map_or(Ok(words), |_| Err(Failure::new(Code::Malformed, what)));
        };
        let rated = self.standing(account, &words.system).await?;
        let window = match within {
            Some(width) if !WINDOW.contains(&width) => {
                let what = format!("A rating window is 50 to 1000 wide to either side, not {width}.");
                return Err(Failure::new(Code::Malformed, what));
            }
            Some(width) => {
                Some(RatingWindow { from: rated.rating - width as i32, to: rated.rating + width as i32 })
            }
            None => None,
        };
        Ok(Words { rated: Some(rated), window, ..words })
    }

    /// Who wants to put up one more, as the disk knows them.
    async fn may_put_up(&self, client: Client) -> Result<String, Failure> {
        let owners = &self.shared.owners;
        let owner = owners.name(client);
        let (all, own) = self.shared.store.open_challenges(&owner, world::now() as i64).await.or_failed()?;
        let most = owners.quotas.challenges * u64::from(client.share());
        if own >= most {
            self.shared.metrics.over_quota.increment(1);
            let what = format!(
                "Your address has {own} open challenges, at most {most}. Withdraw one, or wait until one is taken."
            );
            return Err(Failure::new(Code::Quota, what));
        }
        if all >= MOST {
            return Err(Failure::new(Code::Busy, "The lobby is full; try again in a while."));
        }
        Ok(owner)
    }

    /// Takes a challenge back.
    async fn withdraw(&self, game: &str, tokens: Tokens) -> Result<(), Failure> {
        let room = self.room(game).await?;
        tokens.seats(&room.play().await?.seats)?.must_sit(None)?;
        self.shared.store.withdraw(game).await.map_err(|error| match error {
            StoreError::Conflict => gone(),
            error => store_failed(error),
        })
    }

    /// Takes the seat that a challenge offers; that of a rated game for a `player` alone.
    pub(crate) async fn accept(
        &self,
        id: &str,
        visitor: Visitor,
        body: Accept,
        player: Option<Player>,
    ) -> Result<Accepted, Failure> {
        let row = self.shared.store.challenge(id).await.or_failed()?.ok_or_else(no_such_challenge)?;
        let words: Words =
            serde_json::from_str(&row.face).map_err(|_| Failure::internal("a challenge cannot be read"))?;
        let player = player.filter(|_| words.rated.is_some());
        if words.rated.is_some() && player.is_none() {
            let what = "This challenge is for a rated game. Sign in to accept it, or choose another.";
            return Err(Failure::new(Code::SignInNeeded, what));
        }
        let Some(player) = player else { return self.take(row, visitor, body).await };
        let (room, side, token) = (self.room(&row.game).await?, side_of(&row), body.token.clone());
        // The slip as it is by now, on whichever server it was changed.
        drop(room.play().await?);
        self.may_meet(&room, side, &player, words.window).await?;
        let accepted = self.take(row, visitor, body).await?;
        // Should this be cut short, the same request sent again finds the seat and goes on here.
        self.agree(player, &accepted.game, token).await?;
        Ok(accepted)
    }

    /// Takes a seat that is offered. Of two at once one gets it.
    async fn take(&self, row: ChallengeRow, visitor: Visitor, body: Accept) -> Result<Accepted, Failure> {
        let name = requests::name(&body.name)?;
        must_be_token(&body.token)?;
        let side = side_of(&row);
        let room = self.room(&row.game).await?;
        let mut play = room.play().await?;
        if play.seats[side].is_held_by(&body.token) {
            return Ok(Accepted { game: row.game, side });
        }
        if play.seats[!side].is_held_by(&body.token) {
            let what = "This is your own challenge. Somebody else must take the seat.";
            return Err(Failure::new(Code::OwnChallenge, what));
        }
        if let Some(account) = visitor.0 {
            let member = Person::member(&account);
            member.must_stand(&self.shared.store).await?;
            let host = Person::at(&self.shared.store, &row.game, !side).await?;
            member.may_meet(&self.shared.store, &host).await?;
        }
        let now = world::now() as i64;
        if row.taken || row.until <= now || play.seats[side].taken() {
            return Err(gone());
        }
        let hash = seats::hash(&body.token);
        let tells = notices::of_joining(&self.shared, side);
        let accepted = self.shared.store.accept(&row, hash.clone(), name.clone(), now, tells).await;
        let version = accepted.map_err(|error| match error {
            StoreError::Conflict => gone(),
            error => store_failed(error),
        })?;
        room.advance(version);
        play.seats[side].give(hash, name);
        room.start_clock(&mut play).await?;
        room.tell(News::Face);
        Ok(Accepted { game: row.game, side })
    }

    // ------------------------------------------------------------------------------------------ rematches

    /// The same battle again with the sides changed: the first who asks sets it up, the other sits down in it.
    async fn rematch(
        &self,
        old: &str,
        tokens: Tokens,
        client: Client,
        body: AskRematch,
    ) -> Result<Accepted, Failure> {
        must_be_token(&body.token)?;
        let room = self.room(old).await?;
        let (played, name, new) = {
            let play = room.play().await?;
            let held = tokens.seats(&play.seats)?;
            let side = held.must_sit(None)?;
            if !play.over() {
                return Err(Failure::new(Code::NotOver, "A rematch can be asked for when the game is over."));
            }
            let people = BySide::from_fn(|side| play.seats[side].kind != SeatKind::Computer);
            if held.both() || !people.first || !people.second || !play.seats[!side].taken() {
                let what = "A rematch is for two people, each with their own seat. Set the battle up anew.";
                return Err(Failure::new(Code::NoRematch, what));
            }
            room.may_meet().await?;
            let name = play.seats[side].name.clone();
            (side, name.clone(), again(&room, play.table.as_ref(), side, name, &body))
        };
        if room.rematch().is_none() {
            let origin = Origin {
                token: Some((!played, body.token.clone())),
                of: Some(room.clone()),
                rated: room.agreed().and_then(Agreed::again),
                ..Origin::default()
            };
            match self.set_up(new, client, origin).await {
                Ok(created) => {
                    self.keep_rematch_seat(&created.game, !played, &body.token).await?;
                    return Ok(Accepted { game: created.game, side: !played });
                }
                // The other asked at the same moment and was faster.
                Err(failure) if failure.0.code == Code::NoRematch => drop(room.play().await?),
                Err(failure) => return Err(failure),
            }
        }
        let next = room.rematch().ok_or_else(no_such_game)?;
        self.sit_again(next, !played, name, body.token).await
    }

    /// Sits down in a rematch that the other has set up.
    async fn sit_again(
        &self,
        game: String,
        side: Side,
        name: String,
        token: String,
    ) -> Result<Accepted, Failure> {
        let room = self.room(&game).await?;
        let mut play = room.play().await?;
        let taken = || {
            let what = "You have taken this seat already, on another device. Open the game there.";
            Failure::new(Code::SeatTaken, what)
        };
        if !play.seats[side].is_held_by(&token) {
            if play.seats[side].taken() || play.seats[!side].is_held_by(&token) {
                return Err(taken());
            }
            let hash = seats::hash(&token);
            let (tells, seat) = (notices::of_joining(&self.shared, side), side.index() as i64);
            let claimed =
                self.shared.store.claim_and_tell(&game, seat, hash.clone(), name.clone(), tells).await;
            let version = claimed.map_err(|error| match error {
                StoreError::Conflict => taken(),
                error => store_failed(error),
            })?;
            room.advance(version);
            play.seats[side].give(hash, name);
            room.start_clock(&mut play).await?;
            room.tell(News::Face);
        }
        drop(play);
        self.keep_rematch_seat(&game, side, &token).await?;
        Ok(Accepted { game, side })
    }

    /// A seat of a rated rematch is with the account that plays it.
    async fn keep_rematch_seat(&self, game: &str, side: Side, token: &str) -> Result<(), Failure> {
        let player = self.room(game).await?.agreed().and_then(|agreed| agreed.seats[side].clone());
        match player.as_ref().and_then(Player::account) {
            Some(account) => self.adopt_seat(account, game, token).await.map(drop),
            None => Ok(()),
        }
    }
}

impl Room {
    /// Keeps a game in which this one is fought again, unless there is one already.
    pub(crate) async fn fight_again(&self, kept: Kept, slips: Vec<Swap>) -> Result<(), Failure> {
        // Nobody sees the game in between.
        let _play = self.play().await?;
        let next = kept.game.id.clone();
        let version = self.shared.store.create_rematch(kept, &self.about.id, slips).await;
        let version = version.map_err(|error| match error {
            StoreError::Conflict => Failure::new(Code::NoRematch, "The rematch has been set up already."),
            error => store_failed(error),
        })?;
        self.advance(version);
        self.keep_rematch(Some(next));
        self.tell(News::Face);
        Ok(())
    }
}

/// The same battle with `side`'s player at the other side of the table.
fn again(room: &Room, table: &dyn Table, side: Side, name: String, body: &AskRematch) -> NewGame {
    let header = table.header();
    let dice = if header.dice == DiceOf::Table { DiceKind::Table } else { DiceKind::Sealed };
    NewGame {
        scenario: header.scenario.clone(),
        text: header.text.clone(),
        seats: BySide::from_fn(
            |s| if s == side { Sitter::Link } else { Sitter::Here { name: name.clone() } },
        ),
        options: header.options.clone(),
        dice,
        rolls_back: header.rolls_back,
        commitment: None,
        salt: Some(body.salt.clone()),
        public: room.about.public,
        clock: room.clock().map(|clock| clock.terms()),
    }
}

/// The game in which one is fought again, as it is kept.
pub(crate) fn seen_rematch(row: &store::GameRow, held: host::seats::Held) -> Option<String> {
    row.rematch.clone().filter(|_| !held.none())
}
