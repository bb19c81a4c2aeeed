//! Who makes games, known by the network that they ask from, and how much each may make and keep.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use game::journal::hex;
use governor::{DefaultKeyedRateLimiter, Quota};
use sha2::{Digest, Sha256};
use store::{Store, StoreError};

use crate::config::{Config, Quotas, Rate};
use crate::guard::network;
use crate::metrics::Metrics;
use crate::problem::OrFailed;
use host::Failure;
use host::wire::Code;

/// The machine itself may ask and keep this many times as much.
pub(crate) const LOOPBACK: u32 = 50;
const SALT: &str = "owner_salt";

/// Who asks: the client's own address, as the connection or a trusted proxy tells it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client(pub(crate) IpAddr);

impl Client {
    pub(crate) fn local(self) -> bool {
        self.0.is_loopback()
    }

    /// How many times as much as others it may have.
    pub(crate) fn share(self) -> u32 {
        if self.local() { LOOPBACK } else { 1 }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let client = parts.extensions.get::<Client>().copied();
        client.ok_or_else(|| Failure::internal("a request from nowhere"))
    }
}

/// So many at once for each network, and so fast again: one limiter for the machine itself, one for all others.
#[derive(Debug)]
pub(crate) struct Pace {
    others: DefaultKeyedRateLimiter<IpAddr>,
    local: DefaultKeyedRateLimiter<IpAddr>,
}

impl Pace {
    pub(crate) fn new(rate: Rate) -> Self {
        let limiter = |share: u32| {
            let each = Duration::from_secs_f64(1.0 / (rate.per_second * f64::from(share)).max(1e-6));
            let burst = NonZeroU32::new(rate.burst.saturating_mul(share)).unwrap_or(NonZeroU32::MIN);
            let quota = Quota::with_period(each.max(Duration::from_nanos(1)));
            let quota = quota.unwrap_or(Quota::per_second(NonZeroU32::MAX)).allow_burst(burst);
            DefaultKeyedRateLimiter::keyed(quota)
        };
        Pace { others: limiter(1), local: limiter(LOOPBACK) }
    }

    /// Whether one more of this cost may pass now.
    pub(crate) fn allows(&self, client: Client, cost: u32) -> bool {
        let limiter = if client.local() { &self.local } else { &self.others };
        let cost = NonZeroU32::new(cost).unwrap_or(NonZeroU32::MIN);
        matches!(limiter.check_key_n(&network(client.0), cost), Ok(Ok(())))
    }

    /// Forgets those who have not asked for a while.
    pub(crate) fn tidy(&self) {
        for limiter in [&self.others, &self.local] {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

/// How much each may make and keep.
#[derive(Debug)]
pub(crate) struct Owners {
    pub(crate) quotas: Quotas,
    creations: Pace,
    salt: String,
}

impl Owners {
    /// Owners are known again after a restart, but no address is written to disk.
    pub(crate) async fn open(config: &Config, store: &Store) -> Result<Self, StoreError> {
        let salt = match store.noted(SALT).await? {
            Some(salt) => salt,
            None => {
                let random = crate::chance::token().map_err(|f| StoreError::Failed(f.0.message))?;
                store.note_once(SALT, random).await?
            }
        };
        let an_hour = config.quotas.games_an_hour.max(1);
        let pace = Rate { per_second: f64::from(an_hour) / 3600.0, burst: an_hour.div_ceil(2) };
        Ok(Owners { quotas: config.quotas, creations: Pace::new(pace), salt })
    }

    /// What an owner is called on disk.
    pub(crate) fn name(&self, client: Client) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.salt);
        hash.update(network(client.0).to_string());
        hex(&hash.finalize()[..12])
    }

    /// Whether a client may make one more game.
    pub(crate) async fn may_create(
        &self,
        client: Client,
        store: &Store,
        metrics: &Metrics,
    ) -> Result<String, Failure> {
        let refused = |code, message: String| {
            metrics.over_quota.increment(1);
            Err(Failure::new(code, message))
        };
        let owner = self.name(client);
        let (games, bytes) = store.holdings(&owner).await.or_failed()?;
        let share = u64::from(client.share());
        let (most_games, most_bytes) = (self.quotas.games * share, self.quotas.bytes.saturating_mul(share));
        if games >= most_games {
            return refused(
                Code::Quota,
                format!(
                    "Too many games from your address are kept here ({games}, at most {most_games}). Games that nobody touches are deleted after a while."
                ),
            );
        }
        if bytes >= most_bytes {
            return refused(
                Code::Quota,
                format!(
                    "The games from your address take too much room here ({} MB, at most {} MB). Games that nobody touches are deleted after a while.",
                    bytes >> 20,
                    most_bytes >> 20
                ),
            );
        }
        if !self.creations.allows(client, 1) {
            return refused(
                Code::TooMany,
                format!(
                    "Too many new games from your address; at most {} in an hour.",
                    self.quotas.games_an_hour
                ),
            );
        }
        Ok(owner)
    }

    /// Whether a journal may grow beyond `lines`.
    pub(crate) fn may_grow(&self, lines: u64) -> Result<(), Failure> {
        let most = self.quotas.lines;
        if lines < most {
            return Ok(());
        }
        Err(Failure::new(
            Code::Full,
            format!(
                "This game has come to {most} lines of journal, the most that a game may have. Export it to go on elsewhere."
            ),
        ))
    }

    /// Whether there may be another line of chat after the `lines`-th.
    pub(crate) fn may_say(&self, lines: u64) -> Result<(), Failure> {
        let most = self.quotas.chat;
        if lines < most {
            return Ok(());
        }
        Err(Failure::new(Code::Full, format!("A game has at most {most} lines of chat.")))
    }

    pub(crate) fn tidy(&self) {
        self.creations.tidy();
    }
}
