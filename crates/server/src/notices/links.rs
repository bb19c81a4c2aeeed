//! Links in letters: one confirms an address, one signs somebody in. Each works once, for a short while, and in the browser
//! that asked for it. Nobody learns from an answer, nor from how long it takes, which addresses are known.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, Html, IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use governor::{DefaultKeyedRateLimiter, Quota};
use host::wire::{AccountFace, AskLetter, Code, EndLetter, NoticesFace, Problems};
use host::{Failure, seats};
use serde::{Deserialize, Serialize};
use store::{CeremonyRow, ChannelRow, Proof, StoreError};

use super::letters::address;
use super::office::{Office, link_id};
use super::{hours, letters};
use crate::accounts::{Member, OwnPage};
use crate::api::{Answer, Body, Path, to_the_end};
use crate::hall::Hall;
use crate::owners::Client;
use crate::problem::{OrFailed, store_failed};
use crate::{chance, world};

/// How long a link can be followed.
const KEPT: Duration = Duration::from_secs(15 * 60);
/// How many links may go to one address at once, and then one more in so long.
const LETTERS: NonZeroU32 = NonZeroU32::new(3).expect("three");
const LETTER_EVERY: Duration = Duration::from_secs(20 * 60);
/// The browser that asked; over HTTPS held to this host.
const COOKIES: [&str; 2] = ["__Host-linstock-letter", "linstock-letter"];

/// How fast letters may be asked for.
#[derive(Debug)]
pub(super) struct Paces(DefaultKeyedRateLimiter<String>);

impl Default for Paces {
    fn default() -> Self {
        let quota = Quota::with_period(LETTER_EVERY).unwrap_or(Quota::per_hour(LETTERS));
        Paces(DefaultKeyedRateLimiter::keyed(quota.allow_burst(LETTERS)))
    }
}

impl Paces {
    fn allows(&self, address: &str) -> bool {
        self.0.retain_recent();
        self.0.check_key(&seats::hash(address)).is_ok()
    }
}

/// What a link does.
#[derive(Debug, Serialize, Deserialize)]
enum Pending {
    Confirm { account: String, address: String },
    Enter { account: String, address: String },
}

pub(super) fn router() -> Router<Arc<Hall>> {
    Router::new()
        .route("/account/notices/email", post(ask_confirm))
        .route("/account/notices/email/end", post(confirm))
        .route("/account/email/sign-in", post(ask_enter))
        .route("/account/email/sign-in/end", post(enter))
        .route("/notices/unsubscribe/{channel}/{signature}", post(unsubscribe).get(ask_unsubscribe))
}

pub(super) fn office(hall: &Hall) -> Result<&Office, Failure> {
    let none = || Failure::new(Code::NoSuchPage, "This server sends no notices.");
    hall.shared.notices.office().ok_or_else(none)
}

fn typed(text: &str) -> Result<String, Failure> {
    address(text).ok_or_else(|| Failure::new(Code::Malformed, "This is not an e-mail address."))
}

fn too_old() -> Failure {
    let message = "This link is too old, was used, or was asked for in another browser. Ask for a new one.";
    Failure::new(Code::SignInFailed, message)
}

fn letters(hall: &Hall) -> Result<&letters::Letters, Failure> {
    let none = || Failure::new(Code::NoSuchPage, "This server sends no letters.");
    office(hall)?.letters.as_ref().ok_or_else(none)
}

// ---------------------------------------------------------------------------------------------- confirming

#[utoipa::path(post, path = "/api/v1/account/notices/email", tag = "notices", request_body = AskLetter,
    responses((status = 204), Problems), security(("session" = [])))]
pub(crate) async fn ask_confirm(
    State(hall): State<Arc<Hall>>,
    member: Member,
    client: Client,
    Body(ask): Body<AskLetter>,
) -> Result<StatusCode, Failure> {
    letters(&hall)?;
    // It will open the account.
    member.must_be_fresh()?;
    hall.accounts.may_try(client)?;
    let address = typed(&ask.address)?;
    if !office(&hall)?.paces.allows(&address) {
        return Err(Failure::new(Code::TooMany, "Enough letters went to this address; wait twenty minutes."));
    }
    let account = member.session.account.clone();
    let pending = Pending::Confirm { account: account.clone(), address: address.clone() };
    let token = hall.keep_link(&pending, &account).await?;
    let url = format!("{}/#/confirm/{token}", office(&hall)?.url);
    let text = format!(
        "You asked Linstock to write to this address. To confirm it, open this link within 15 minutes, in a browser where \
         you are signed in:\n\n{url}\n\nIf it was not you, do nothing: no more letters will come.\n"
    );
    tokio::spawn(async move {
        hall.send_link(&address, "Confirm your address", text).await;
    });
    Ok(StatusCode::NO_CONTENT)
}

#[utoipa::path(post, path = "/api/v1/account/notices/email/end", tag = "notices", request_body = EndLetter,
    responses((status = 200, body = NoticesFace), Problems), security(("session" = [])))]
pub(crate) async fn confirm(
    State(hall): State<Arc<Hall>>,
    member: Member,
    client: Client,
    Body(end): Body<EndLetter>,
) -> Answer<NoticesFace> {
    hall.accounts.may_try(client)?;
    let account = member.session.account;
    let Some(Pending::Confirm { account: of, address }) = hall.follow_link(&end.token, &account).await?
    else {
        return Err(too_old());
    };
    if of != account {
        return Err(too_old());
    }
    let channel = ChannelRow {
        id: chance::id()?,
        account: account.clone(),
        kind: "email".to_owned(),
        target: address,
        more: String::new(),
        made: world::now() as i64,
        muted: false,
        fault: None,
    };
    hall.open_channel(channel).await?;
    hall.notices_face(&account).await.map(Json)
}

// ---------------------------------------------------------------------------------------------- signing in

#[utoipa::path(post, path = "/api/v1/account/email/sign-in", tag = "notices", request_body = AskLetter,
    responses((status = 204), Problems))]
pub(crate) async fn ask_enter(
    State(hall): State<Arc<Hall>>,
    client: Client,
    page: OwnPage,
    Body(ask): Body<AskLetter>,
) -> Result<Response, Failure> {
    letters(&hall)?;
    hall.accounts.may_try(client)?;
    let address = typed(&ask.address)?;
    let browser = chance::token()?;
    let cookie = cookie(&page, &browser, KEPT)?;
    // Whether there is such an account is found out when the answer has gone.
    tokio::spawn(async move {
        if let Err(failure) = hall.send_entry(address, &browser).await {
            tracing::warn!(problem = %failure.0.message, "a link to sign in was not sent");
        }
    });
    Ok((cookie, StatusCode::NO_CONTENT).into_response())
}

#[utoipa::path(post, path = "/api/v1/account/email/sign-in/end", tag = "notices", request_body = EndLetter,
    responses((status = 200, body = AccountFace), Problems))]
pub(crate) async fn enter(
    State(hall): State<Arc<Hall>>,
    client: Client,
    page: OwnPage,
    headers: HeaderMap,
    Body(end): Body<EndLetter>,
) -> Result<Response, Failure> {
    hall.accounts.may_try(client)?;
    let browser = asked_here(&headers).ok_or_else(too_old)?;
    let Some(Pending::Enter { account, address }) = hall.follow_link(&end.token, &browser).await? else {
        return Err(too_old());
    };
    let opening = hall.clone();
    let forget = cookie(&page, "", Duration::ZERO)?;
    let (session, member) =
        to_the_end(async move { opening.open_session(&page, account, Proof::Email(address)).await }).await?;
    Ok((session, forget, Json(hall.account_face(&member).await?)).into_response())
}

type Cookie = AppendHeaders<[(header::HeaderName, HeaderValue); 1]>;

fn cookie(page: &OwnPage, browser: &str, age: Duration) -> Result<Cookie, Failure> {
    let [strict, plain] = COOKIES;
    let (name, secure) = if page.secure() { (strict, "; Secure") } else { (plain, "") };
    let text =
        format!("{name}={browser}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{secure}", age.as_secs());
    let value = HeaderValue::try_from(text).map_err(|_| Failure::internal("a cookie cannot be written"))?;
    Ok(AppendHeaders([(header::SET_COOKIE, value)]))
}

/// What the browser was given when it asked.
fn asked_here(headers: &HeaderMap) -> Option<String> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs: Vec<(&str, &str)> =
        all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('=')).collect();
    let value = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
    COOKIES.into_iter().find_map(value).filter(|token| seats::is_token(token)).map(str::to_owned)
}

impl Hall {
    /// Keeps what a link does; answers its last part.
    async fn keep_link(&self, pending: &Pending, browser: &str) -> Result<String, Failure> {
        let token = chance::token()?;
        let state =
            serde_json::to_string(pending).map_err(|_| Failure::internal("a link cannot be written"))?;
        let until = world::now() as i64 + KEPT.as_millis() as i64;
        let row = CeremonyRow { id: link_id(&token, browser), state, until };
        self.shared.store.begin_ceremony(row).await.or_failed()?;
        Ok(token)
    }

    /// What a link does, once, and for the browser that asked.
    async fn follow_link(&self, token: &str, browser: &str) -> Result<Option<Pending>, Failure> {
        let id = link_id(token, browser);
        let state = self.shared.store.end_ceremony(&id, world::now() as i64).await.or_failed()?;
        Ok(state.and_then(|state| serde_json::from_str(&state).ok()))
    }

    async fn send_link(&self, address: &str, subject: &str, text: String) {
        let (Ok(letters), Ok(id)) = (letters(self), chance::id()) else { return };
        if let Err(fault) = letters.link(address, &id, subject, text).await {
            tracing::warn!(why = fault.why, "a link was not sent");
        }
    }

    async fn send_entry(&self, address: String, browser: &str) -> Result<(), Failure> {
        let office = office(self)?;
        // Counted for every address alike, or the count would tell which are known.
        if !office.paces.allows(&address) {
            return Ok(());
        }
        let Some(account) = self.shared.store.account_of_email(&address).await.or_failed()? else {
            return Ok(());
        };
        let pending = Pending::Enter { account, address: address.clone() };
        let token = self.keep_link(&pending, browser).await?;
        let url = format!("{}/#/enter/{token}", office.url);
        let text = format!(
            "Somebody asked to sign in to Linstock with this address. Open this link within 15 minutes, in the same \
             browser:\n\n{url}\n\nIf it was not you, do nothing. Never pass this link on.\n"
        );
        self.send_link(&address, "Sign in to Linstock", text).await;
        Ok(())
    }

    /// Opens a channel for an account.
    pub(super) async fn open_channel(&self, channel: ChannelRow) -> Result<(), Failure> {
        let settings = hours::write(&channel.account, &hours::usual())?;
        self.shared.store.open_channel(channel, settings).await.map_err(|error| match error {
            StoreError::Conflict => {
                let message = "This cannot be added: it is with another account, or you have twenty of them.";
                Failure::new(Code::Quota, message)
            }
            error => store_failed(error),
        })
    }
}

// ---------------------------------------------------------------------------------------------- unsubscribing

/// A page of its own, without scripts: mail programs open links before anybody reads them, so a look changes nothing.
const ASK: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <meta name=\"viewport\" content=\"width=device-width\"><title>Letters from Linstock</title>\
    <h1>Letters from Linstock</h1><form method=\"post\"><p>Stop all letters to this address?</p>\
    <button>Stop them</button></form></html>";
const DONE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <meta name=\"viewport\" content=\"width=device-width\"><title>Letters from Linstock</title>\
    <h1>Letters from Linstock</h1><p>No more letters will come. You can turn them on again in your account.</p></html>";
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);

fn page(text: &'static str) -> Response {
    // Without a referrer a browser would not say that the form is ours.
    let referrer = HeaderValue::from_static("same-origin");
    let head = [(header::CONTENT_SECURITY_POLICY, POLICY), (header::REFERRER_POLICY, referrer)];
    (head, Html(text)).into_response()
}

fn signed(hall: &Hall, channel: &str, signature: &str) -> Result<(), Failure> {
    let forged = || Failure::new(Code::NoSuchPage, "This link is not complete. Copy all of it.");
    office(hall)?.is_signed(channel, signature).then_some(()).ok_or_else(forged)
}

#[utoipa::path(get, path = "/api/v1/notices/unsubscribe/{channel}/{signature}", tag = "notices",
    params(("channel" = String, Path), ("signature" = String, Path)),
    responses((status = 200, body = String, content_type = "text/html"), Problems))]
pub(crate) async fn ask_unsubscribe(
    State(hall): State<Arc<Hall>>,
    Path((channel, signature)): Path<(String, String)>,
) -> Result<Response, Failure> {
    signed(&hall, &channel, &signature)?;
    Ok(page(ASK))
}

#[utoipa::path(post, path = "/api/v1/notices/unsubscribe/{channel}/{signature}", tag = "notices",
    params(("channel" = String, Path), ("signature" = String, Path)),
    responses((status = 200, body = String, content_type = "text/html"), Problems))]
pub(crate) async fn unsubscribe(
    State(hall): State<Arc<Hall>>,
    Path((channel, signature)): Path<(String, String)>,
) -> Result<Response, Failure> {
    signed(&hall, &channel, &signature)?;
    hall.shared.store.mute_channel(&channel, true).await.or_failed()?;
    Ok(page(DONE))
}
