//! Accounts: optional, for those who want their games on every device they use. Seats and links stay what they are; an account
//! only remembers which seats are somebody's.
//!
//! - `sessions` is who is signed in, and from which page a request comes; `passkeys` how one signs in, `codes` how when no key
//!   is at hand;
//! - `games` are the seats of an account, `export` everything that is kept of it, and `leave` how it is deleted.

mod codes;
mod export;
mod games;
mod leave;
mod passkeys;
mod sessions;

use std::num::NonZeroU32;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use governor::{DefaultKeyedRateLimiter, Quota};
use store::{AccountRow, StoreError};

pub(crate) use export::{__path_export, export};
pub(crate) use games::{__path_adopt, __path_games, __path_resume, adopt, games, resume};
pub(crate) use leave::{__path_delete, delete};
pub(crate) use passkeys::{
    __path_add, __path_end_add, __path_end_register, __path_end_sign_in, __path_register, __path_remove,
    __path_sign_in, add, end_add, end_register, end_sign_in, register, remove, sign_in,
};
pub(crate) use sessions::Member;
use sessions::OwnPage;

use crate::api::{Answer, Body, Path};
use crate::config::{Config, Rate};
use crate::hall::Hall;
use crate::owners::{Client, Pace};
use crate::problem::{OrFailed, store_failed};
use crate::world;
use host::wire::{AccountFace, AskRecover, Code, Codes, PasskeyFace, Problems, Rename, SessionFace};
use host::{Failure, requests, seats};

/// How often one network may try to sign in: so many at once, then one every few seconds.
const ATTEMPTS: Rate = Rate { per_second: 1.0 / 3.0, burst: 20 };
/// How many accounts one network may make.
const JOINS: Rate = Rate { per_second: 1.0 / 360.0, burst: 10 };

/// How fast accounts may be made, opened and used.
#[derive(Debug)]
pub(crate) struct Accounts {
    attempts: Pace,
    joins: Pace,
    members: DefaultKeyedRateLimiter<String>,
}

impl Accounts {
    pub(crate) fn new(config: &Config) -> Self {
        let positive = |n: u32| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(positive(config.rate.per_second.ceil() as u32))
            .allow_burst(positive(config.rate.burst));
        Accounts {
            attempts: Pace::new(ATTEMPTS),
            joins: Pace::new(JOINS),
            members: DefaultKeyedRateLimiter::keyed(quota),
        }
    }

    fn may_try(&self, client: Client) -> Result<(), Failure> {
        let message = "Too many attempts to sign in from your address; wait a few seconds.";
        self.attempts.allows(client, 1).then_some(()).ok_or_else(|| Failure::new(Code::TooMany, message))
    }

    fn may_join(&self, client: Client) -> Result<(), Failure> {
        let message = "Too many new accounts from your address; wait a few minutes.";
        self.joins.allows(client, 1).then_some(()).ok_or_else(|| Failure::new(Code::TooMany, message))
    }

    fn may_ask(&self, account: &str) -> Result<(), Failure> {
        let message = "Too many requests of your account; wait a moment.";
        let allowed = self.members.check_key(&account.to_owned()).is_ok();
        allowed.then_some(()).ok_or_else(|| Failure::new(Code::TooMany, message))
    }

    /// Forgets those who have not asked for a while.
    pub(crate) fn tidy(&self) {
        self.attempts.tidy();
        self.joins.tidy();
        self.members.retain_recent();
        self.members.shrink_to_fit();
    }
}

pub(crate) fn router() -> Router<Arc<Hall>> {
    Router::new()
        .route("/account", get(face))
        .route("/account/register", post(register))
        .route("/account/register/end", post(end_register))
        .route("/account/sign-in", post(sign_in))
        .route("/account/sign-in/end", post(end_sign_in))
        .route("/account/recover", post(recover))
        .route("/account/sign-out", post(sign_out))
        .route("/account/name", post(rename))
        .route("/account/passkeys", post(add))
        .route("/account/passkeys/end", post(end_add))
        .route("/account/passkeys/{passkey}/remove", post(remove))
        .route("/account/codes", post(renew_codes))
        .route("/account/sessions/end", post(end_others))
        .route("/account/sessions/{session}/end", post(end_session))
        .route("/account/seats", post(adopt))
        .route("/account/games", get(games))
        .route("/account/games/{game}/seat", post(resume))
        .route("/account/export", get(export))
        .route("/account/delete", post(delete))
}

/// The same answer to whoever cannot sign in, for whatever reason: it tells nobody which accounts there are.
fn failed() -> Failure {
    let message = "This did not open an account. Try again, or use a recovery code.";
    Failure::new(Code::SignInFailed, message)
}

fn sign_in_needed() -> Failure {
    Failure::new(Code::SignInNeeded, "Sign in first.")
}

// ---------------------------------------------------------------------------------------------- addresses

#[utoipa::path(get, path = "/api/v1/account", tag = "account", responses((status = 200, body = AccountFace), Problems),
    security(("session" = [])))]
pub(crate) async fn face(State(hall): State<Arc<Hall>>, member: Member) -> Answer<AccountFace> {
    hall.account_face(&member).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/recover", tag = "account", request_body = AskRecover,
    responses((status = 200, body = AccountFace), Problems))]
pub(crate) async fn recover(
    State(hall): State<Arc<Hall>>,
    client: Client,
    page: OwnPage,
    Body(ask): Body<AskRecover>,
) -> Result<Response, Failure> {
    hall.accounts.may_try(client)?;
    let hash = codes::hash(&ask.code).ok_or_else(failed)?;
    let account = hall.shared.store.recovered(&hash).await.or_failed()?.ok_or_else(failed)?;
    let (cookie, member) = hall.open_session(&page, account, store::Proof::Code(hash)).await?;
    Ok((cookie, Json(hall.account_face(&member).await?)).into_response())
}

#[utoipa::path(post, path = "/api/v1/account/sign-out", tag = "account", responses((status = 204), Problems),
    security(("session" = [])))]
pub(crate) async fn sign_out(State(hall): State<Arc<Hall>>, member: Member) -> Result<Response, Failure> {
    let Member { session } = member;
    let ended = hall.shared.store.end_session(&session.account, &session.id).await;
    match ended {
        Ok(()) | Err(StoreError::Conflict) => {
            Ok((sessions::forgotten(), StatusCode::NO_CONTENT).into_response())
        }
        Err(error) => Err(store_failed(error)),
    }
}

#[utoipa::path(post, path = "/api/v1/account/name", tag = "account", request_body = Rename,
    responses((status = 200, body = AccountFace), Problems), security(("session" = [])))]
pub(crate) async fn rename(
    State(hall): State<Arc<Hall>>,
    member: Member,
    Body(rename): Body<Rename>,
) -> Answer<AccountFace> {
    let name = requests::name(&rename.name)?;
    hall.shared.store.rename_account(&member.session.account, name).await.or_failed()?;
    hall.account_face(&member).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/codes", tag = "account", responses((status = 200, body = Codes), Problems),
    security(("session" = [])))]
pub(crate) async fn renew_codes(State(hall): State<Arc<Hall>>, member: Member) -> Answer<Codes> {
    member.must_be_fresh()?;
    let (codes, hashes) = codes::fresh()?;
    hall.shared.store.renew_codes(&member.session.account, hashes).await.or_failed()?;
    Ok(Json(Codes { account: hall.account_face(&member).await?, codes }))
}

#[utoipa::path(post, path = "/api/v1/account/sessions/end", tag = "account",
    responses((status = 200, body = AccountFace), Problems), security(("session" = [])))]
pub(crate) async fn end_others(State(hall): State<Arc<Hall>>, member: Member) -> Answer<AccountFace> {
    let session = &member.session;
    hall.shared.store.end_other_sessions(&session.account, &session.token).await.or_failed()?;
    hall.account_face(&member).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/sessions/{session}/end", tag = "account", params(("session" = String, Path)),
    responses((status = 200, body = AccountFace), Problems), security(("session" = [])))]
pub(crate) async fn end_session(
    State(hall): State<Arc<Hall>>,
    member: Member,
    Path(session): Path<String>,
) -> Answer<AccountFace> {
    match hall.shared.store.end_session(&member.session.account, &session).await {
        // It has ended already.
        Ok(()) | Err(StoreError::Conflict) => hall.account_face(&member).await.map(Json),
        Err(error) => Err(store_failed(error)),
    }
}

impl Hall {
    async fn account(&self, id: &str) -> Result<AccountRow, Failure> {
        self.shared.store.account(id).await.or_failed()?.ok_or_else(sign_in_needed)
    }

    /// One's own account.
    async fn account_face(&self, member: &Member) -> Result<AccountFace, Failure> {
        let store = &self.shared.store;
        let (id, here) = (&member.session.account, &member.session.id);
        let account = self.account(id).await?;
        let passkeys = store.passkeys(id).await.or_failed()?.into_iter().map(|row| PasskeyFace {
            id: seats::hash(&row.id),
            label: row.label,
            made: row.made as u64,
            used: row.used as u64,
        });
        let sessions = store.sessions(id, world::now() as i64).await.or_failed()?;
        let sessions = sessions.into_iter().map(|row| SessionFace {
            here: row.id == *here,
            id: row.id,
            agent: row.agent,
            made: row.made as u64,
            seen: row.seen as u64,
        });
        Ok(AccountFace {
            name: account.name,
            made: account.made as u64,
            passkeys: passkeys.collect(),
            sessions: sessions.collect(),
            codes: store.recovery_codes(id).await.or_failed()?.len() as u32,
            fresh: member.fresh(),
        })
    }
}
