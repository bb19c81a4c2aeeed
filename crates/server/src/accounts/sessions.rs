//! Who is signed in. The token travels in a cookie that scripts cannot read; only its hash is kept.
//!
//! A cookie comes along with requests that other sites make a browser send. So whatever uses it must say that it comes from
//! one of our own pages: browsers do, and pages cannot make it up.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::AppendHeaders;
use store::{Proof, SessionRow, StoreError};

use super::{failed, sign_in_needed};
use crate::hall::Hall;
use crate::problem::{OrFailed, store_failed};
use crate::{chance, world};
use host::wire::Code;
use host::{Failure, seats};

/// How long a session can be used after it was last used.
const KEPT: Duration = Duration::from_secs(90 * 24 * 3600);
/// How often it is noted that a session is in use.
const NOTED: Duration = Duration::from_secs(3600);
/// How lately one must have signed in to change what opens an account.
const FRESH: Duration = Duration::from_secs(15 * 60);
/// The cookie's name; over HTTPS browsers hold the first to this host alone.
const COOKIES: [&str; 2] = ["__Host-linstock", "linstock"];
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

pub(super) type Cookies = AppendHeaders<Vec<(HeaderName, HeaderValue)>>;

/// Somebody who is signed in.
#[derive(Debug)]
pub(crate) struct Member {
    pub(super) session: SessionRow,
}

impl Member {
    /// Whose account it is.
    pub(crate) fn account(&self) -> &str {
        &self.session.account
    }

    pub(super) fn fresh(&self) -> bool {
        within(self.session.made, FRESH)
    }

    pub(super) fn must_be_fresh(&self) -> Result<(), Failure> {
        let message = "You signed in more than a quarter of an hour ago. Sign in again to do this.";
        self.fresh().then_some(()).ok_or_else(|| Failure::new(Code::SignInAgain, message))
    }
}

/// Whether a time is no longer ago than this.
fn within(time: i64, age: Duration) -> bool {
    world::now() as i64 - time < age.as_millis() as i64
}

/// One of our own pages, which asks for something.
#[derive(Debug)]
pub(crate) struct OwnPage {
    /// `https://linstock.example`. The gate has seen that it is the host that was asked.
    pub(super) origin: String,
    /// The session that its browser has, if any.
    token: Option<String>,
    /// The browser, in words.
    pub(super) agent: String,
}

impl OwnPage {
    fn secure(&self) -> bool {
        self.origin.starts_with("https://")
    }
}

fn foreign() -> Failure {
    let message = "Only a page of this server may do this; a program must send `Origin`.";
    Failure::new(Code::ForeignOrigin, message)
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// What changes something must name our page as its origin; what only reads may leave that out where browsers do.
fn from_own_page(method: &Method, headers: &HeaderMap) -> Result<Option<String>, Failure> {
    let reads = matches!(*method, Method::GET | Method::HEAD);
    let site = text(headers, &SITE);
    let own_site = match site {
        Some("same-origin") | None => true,
        Some("none") => reads,
        Some(_) => false,
    };
    let origin = text(headers, &header::ORIGIN).map(str::to_ascii_lowercase);
    if !own_site || (!reads && origin.is_none()) {
        return Err(foreign());
    }
    Ok(origin)
}

/// The token that a browser has been given.
fn token(headers: &HeaderMap) -> Option<String> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs: Vec<(&str, &str)> =
        all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('=')).collect();
    let value = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
    COOKIES.into_iter().find_map(value).filter(|token| seats::is_token(token)).map(str::to_owned)
}

impl<S: Send + Sync> FromRequestParts<S> for OwnPage {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let origin = from_own_page(&parts.method, &parts.headers)?.ok_or_else(foreign)?;
        let agent = agent(text(&parts.headers, &header::USER_AGENT).unwrap_or_default());
        Ok(OwnPage { origin, token: token(&parts.headers), agent })
    }
}

impl FromRequestParts<Arc<Hall>> for Member {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, hall: &Arc<Hall>) -> Result<Self, Failure> {
        let token = token(&parts.headers).ok_or_else(sign_in_needed)?;
        from_own_page(&parts.method, &parts.headers)?;
        let store = &hall.shared.store;
        let now = world::now() as i64;
        let session = store.session(&seats::hash(&token), now).await.or_failed()?;
        let session = session.ok_or_else(sign_in_needed)?;
        hall.accounts.may_ask(&session.account)?;
        if !within(session.seen, NOTED) {
            store.session_seen(&session.token, now, now + KEPT.as_millis() as i64).await.or_failed()?;
        }
        Ok(Member { session })
    }
}

/// A new session, and the cookie for it. What the browser brought along is never taken over.
pub(super) fn begin(page: &OwnPage, account: String) -> Result<(Cookies, SessionRow), Failure> {
    let token = chance::token()?;
    let now = world::now() as i64;
    let hash = seats::hash(&token);
    let session = SessionRow {
        id: chance::id()?,
        token: hash,
        account,
        made: now,
        seen: now,
        until: now + KEPT.as_millis() as i64,
        agent: page.agent.clone(),
    };
    let [strict, plain] = COOKIES;
    let (name, secure) = if page.secure() { (strict, "; Secure") } else { (plain, "") };
    let cookie =
        format!("{name}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={}{secure}", KEPT.as_secs());
    let cookie =
        HeaderValue::try_from(cookie).map_err(|_| Failure::internal("a cookie cannot be written"))?;
    Ok((AppendHeaders(vec![(header::SET_COOKIE, cookie)]), session))
}

/// The browser forgets its session.
pub(super) fn forgotten() -> Cookies {
    let past = [
        "__Host-linstock=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure",
        "linstock=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0",
    ];
    AppendHeaders(past.map(|cookie| (header::SET_COOKIE, HeaderValue::from_static(cookie))).to_vec())
}

impl Hall {
    /// Signs somebody in who has proved who they are.
    pub(super) async fn open_session(
        &self,
        page: &OwnPage,
        account: String,
        proof: Proof,
    ) -> Result<(Cookies, Member), Failure> {
        let (cookie, session) = begin(page, account)?;
        let before = page.token.as_deref().map(seats::hash);
        self.shared.store.sign_in(session.clone(), proof, before).await.map_err(|error| match error {
            StoreError::Conflict => failed(),
            error => store_failed(error),
        })?;
        Ok((cookie, Member { session }))
    }
}

/// A browser in words: `Firefox on Linux`.
fn agent(text: &str) -> String {
    // Each pretends to be those after it.
    let browsers = [
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    let systems = [
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS", "Mac"),
        ("Linux", "Linux"),
    ];
    let named = |known: &[(&str, &'static str)]| {
        known.iter().find(|(sign, _)| text.contains(sign)).map(|(_, name)| *name)
    };
    match (named(&browsers), named(&systems)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "A program".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(all: &[(&'static str, &'static str)]) -> HeaderMap {
        all.iter().map(|(k, v)| (HeaderName::from_static(k), HeaderValue::from_static(v))).collect()
    }

    #[test]
    fn only_our_own_pages_use_a_session() {
        let own = |method: Method, all: &[(&'static str, &'static str)]| {
            from_own_page(&method, &headers(all)).is_ok()
        };
        let origin = ("origin", "https://linstock.example");
        assert!(own(Method::POST, &[origin]));
        assert!(own(Method::POST, &[origin, ("sec-fetch-site", "same-origin")]));
        assert!(!own(Method::POST, &[]), "a change names its page");
        assert!(!own(Method::POST, &[("sec-fetch-site", "none")]));
        assert!(own(Method::GET, &[]) && own(Method::GET, &[("sec-fetch-site", "none")]));
        for site in ["cross-site", "same-site"] {
            assert!(!own(Method::GET, &[("sec-fetch-site", site)]));
            assert!(!own(Method::POST, &[origin, ("sec-fetch-site", site)]));
        }
    }

    #[test]
    fn a_cookie_is_found_among_others() {
        let (a, b) = ("a".repeat(64), "b".repeat(64));
        let of = |text: String| {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, text.parse().unwrap());
            token(&headers)
        };
        assert_eq!(of(format!("x=1; linstock={a}; y=2")), Some(a.clone()));
        assert_eq!(
            of(format!("linstock={a}; __Host-linstock={b}")),
            Some(b),
            "one that only this host can set"
        );
        assert_eq!(of("linstock=short".into()), None);
        assert_eq!(of(format!("linstocks={a}")), None);
    }

    #[test]
    fn browsers_have_names() {
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
        let chrome = "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36";
        assert_eq!(agent(firefox), "Firefox on Linux");
        assert_eq!(agent(chrome), "Chrome on Android");
        assert_eq!(agent("<script>alert(1)</script>"), "A program");
    }
}
