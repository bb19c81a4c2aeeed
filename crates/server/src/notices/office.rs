//! The office: takes notices that are due, and sees them sent. A delivery gets its id before it is tried, and keeps it: should
//! the server die between sending and writing that down, the next one sends the same under the same id.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use hmac::{Hmac, KeyInit as _, Mac as _};
use host::wire::{ChannelKind, NoticeTerms, WebhookFormat};
use host::{Failure, seats};
use ipnet::IpNet;
use sha2::Sha256;
use store::{ChannelRow, NoticeRow, Store};

use super::calls::{self, Fault};
use super::letters::{Leave, Letters};
use super::links::Paces;
use super::push::{self, Keys, Signer};
use super::words::{Item, item};
use super::{NoticeConfig, Notices, hours};
use crate::accounts::side;
use crate::config::Config;
use crate::hall::Hall;
use crate::problem::OrFailed;
use crate::serve::ServeError;
use crate::summary::Summary;
use crate::{chance, world};
use game::BySide;
use host::seats::Held;

/// How many notices are taken at a time, and how many deliveries are under way at once.
const TOGETHER: i64 = 200;
const AT_ONCE: usize = 8;
/// How long a delivery waits after each failure, in minutes; then it is given up.
const PATIENCE: [i64; 6] = [1, 5, 30, 120, 360, 720];
const MINUTE: i64 = 60_000;
const KEY: &str = "notice_key";
const VAPID: &str = "vapid_key";

/// What sends notices.
#[derive(Debug)]
pub(super) struct Office {
    /// Where the board is, without a slash at the end.
    pub(super) url: String,
    pub(super) letters: Option<Letters>,
    signer: Signer,
    pub(super) internal: Vec<IpNet>,
    /// Signs links that need no login.
    key: String,
    pub(super) grace: i64,
    beat: Duration,
    lease: i64,
    pub(super) paces: Paces,
}

impl Notices {
    /// Opens the office if the server is set up for it.
    pub(crate) async fn open(&self, config: &Config, store: &Store) -> Result<(), ServeError> {
        if let Some(config) = &config.notices {
            let office = Office::open(config, store).await?;
            drop(self.office.set(office));
        }
        Ok(())
    }
}

fn wrong(what: impl Into<String>) -> ServeError {
    ServeError::Notices(what.into())
}

impl Office {
    async fn open(config: &NoticeConfig, store: &Store) -> Result<Self, ServeError> {
        // One that is there already does as well.
        drop(rustls::crypto::ring::default_provider().install_default());
        let url = config.url.trim_end_matches('/').to_owned();
        if calls::read(&url).is_err() {
            return Err(wrong(format!(
                "the board's address {url} is not one such as https://linstock.example"
            )));
        }
        let letters = match (&config.smtp, &config.from) {
            (None, _) => None,
            (Some(_), None) => return Err(wrong("letters need a sender: name one with --mail-from")),
            (Some(server), Some(from)) => Some(Letters::open(server, from).map_err(wrong)?),
        };
        let random = || chance::bytes::<32>().map_err(|_| wrong("the system gives no randomness"));
        let key = store.note_once(KEY, Signer::written(&random()?)).await?;
        let vapid = match &config.vapid {
            Some(own) => own.clone(),
            None => store.note_once(VAPID, Signer::written(&random()?)).await?,
        };
        let signer =
            Signer::open(&vapid).ok_or_else(|| wrong("the key for Web Push is not 32 bytes in base64url"))?;
        Ok(Office {
            url,
            letters,
            signer,
            internal: config.internal.clone(),
            key,
            grace: config.grace.as_millis() as i64,
            beat: config.beat,
            lease: config.lease.as_millis() as i64,
            paces: Paces::default(),
        })
    }

    pub(super) fn terms(&self) -> NoticeTerms {
        NoticeTerms { email: self.letters.is_some(), push: Some(self.signer.public()), webhooks: true }
    }

    /// The signature of a link that stops letters to a channel.
    fn signed(&self, channel: &str) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.key.as_bytes()).ok()?;
        mac.update(b"unsubscribe ");
        mac.update(channel.as_bytes());
        Some(mac)
    }

    pub(super) fn is_signed(&self, channel: &str, signature: &str) -> bool {
        let bytes = game::journal::unhex(signature);
        self.signed(channel).zip(bytes).is_some_and(|(mac, bytes)| mac.verify_slice(&bytes).is_ok())
    }

    fn leave(&self, channel: &str) -> Leave {
        let signature = self.signed(channel).map(|mac| game::journal::hex(&mac.finalize().into_bytes()));
        let signature = signature.unwrap_or_default();
        Leave {
            click: format!("{}/api/v1/notices/unsubscribe/{channel}/{signature}", self.url),
            settings: format!("{}/#/account", self.url),
        }
    }

    /// Sends a delivery.
    async fn send(&self, channel: &ChannelRow, delivery: &str, items: &[Item]) -> Result<(), Fault> {
        let unreadable = || Fault::for_good("What is known of this channel cannot be read.");
        match kind(&channel.kind) {
            ChannelKind::Email => match &self.letters {
                Some(letters) => {
                    letters.tell(&channel.target, delivery, items, &self.leave(&channel.id)).await
                }
                None => Err(Fault::passing("This server sends no letters now.")),
            },
            ChannelKind::Webhook => {
                let format: WebhookFormat = serde_json::from_str(&channel.more).map_err(|_| unreadable())?;
                calls::call(&channel.target, format, delivery, items, &self.internal).await
            }
            ChannelKind::Push => {
                let keys: Keys = serde_json::from_str(&channel.more).map_err(|_| unreadable())?;
                let contact = match &self.letters {
                    Some(letters) => format!("mailto:{}", letters.from()),
                    None => self.url.clone(),
                };
                let (target, internal) = (&channel.target, &self.internal);
                push::send(&self.signer, &contact, target, &keys, delivery, items, internal).await
            }
        }
    }
}

pub(super) fn kind(word: &str) -> ChannelKind {
    match word {
        "email" => ChannelKind::Email,
        "push" => ChannelKind::Push,
        _ => ChannelKind::Webhook,
    }
}

/// Sends what is due, until the server goes down.
pub(crate) async fn run(hall: Arc<Hall>) {
    let Some(office) = hall.shared.notices.office() else { return };
    while !hall.shared.going_down() {
        tokio::time::sleep(office.beat).await;
        if let Err(failure) = round(&hall, office).await {
            tracing::warn!(problem = %failure.0.message, "notices cannot be looked for");
        }
    }
}

/// Takes what is due and sends it.
async fn round(hall: &Hall, office: &Office) -> Result<(), Failure> {
    let now = world::now() as i64;
    let taken = hall.shared.store.take_notices(now, TOGETHER, now + office.lease).await.or_failed()?;
    let mut bundles: BTreeMap<(String, Option<String>), Vec<NoticeRow>> = BTreeMap::new();
    for row in taken {
        bundles.entry((row.channel.clone(), row.delivery.clone())).or_default().push(row);
    }
    stream::iter(bundles)
        .for_each_concurrent(AT_ONCE, |((channel, delivery), rows)| async move {
            if let Err(failure) = see_to(hall, office, &channel, delivery, rows).await {
                tracing::warn!(channel, problem = %failure.0.message, "a notice waits; it is tried again");
            }
        })
        .await;
    Ok(())
}

/// Sends some notices of one channel, or puts them off.
async fn see_to(
    hall: &Hall,
    office: &Office,
    channel: &str,
    delivery: Option<String>,
    rows: Vec<NoticeRow>,
) -> Result<(), Failure> {
    let store = &hall.shared.store;
    let Some(channel) = store.channel(channel).await.or_failed()? else {
        return store.close_channel(channel).await.or_failed();
    };
    let now = world::now() as i64;
    let (delivery, rows) = match delivery {
        // Somebody was at it and has not said that it went out.
        Some(delivery) => {
            let rows = store.sealed_notices(&delivery).await.or_failed()?;
            (delivery, rows)
        }
        None => {
            let ready = put_off(store, &channel, rows, now).await?;
            let delivery = chance::id()?;
            let sealed = store.seal_notices(ready, &delivery, now + office.lease).await.or_failed()?;
            (delivery, sealed)
        }
    };
    let mut items = Vec::new();
    for row in &rows {
        items.extend(of_row(store, row, &office.url).await?);
    }
    if items.is_empty() {
        return store.finish_delivery(&delivery).await.or_failed();
    }
    let attempts = rows.iter().map(|row| row.attempts).max().unwrap_or(0);
    match office.send(&channel, &delivery, &items).await {
        Ok(()) => {
            store.finish_delivery(&delivery).await.or_failed()?;
            if channel.fault.is_some() {
                store.fault_channel(&channel.id, None).await.or_failed()?;
            }
            Ok(())
        }
        Err(fault) if fault.gone => store.close_channel(&channel.id).await.or_failed(),
        Err(fault) => {
            let patience = usize::try_from(attempts).ok().and_then(|n| PATIENCE.get(n));
            match patience.filter(|_| !fault.for_good) {
                Some(minutes) => store.retry_delivery(&delivery, now + minutes * MINUTE).await.or_failed()?,
                None => store.finish_delivery(&delivery).await.or_failed()?,
            }
            store.fault_channel(&channel.id, Some(fault.why)).await.or_failed()
        }
    }
}

/// Puts off what must wait for its hour; answers the rest.
async fn put_off(
    store: &Store,
    channel: &ChannelRow,
    rows: Vec<NoticeRow>,
    now: i64,
) -> Result<Vec<NoticeRow>, Failure> {
    let wishes = hours::read(store.notice_settings(&channel.account).await.or_failed()?);
    let letter = kind(&channel.kind) == ChannelKind::Email;
    let mut ready = Vec::new();
    for row in rows {
        let when = hours::when(&wishes, letter, row.occasion, row.made, now);
        if when <= now {
            ready.push(row);
        } else {
            store.put_off_notices(vec![row], when).await.or_failed()?;
        }
    }
    Ok(ready)
}

/// What there is to say; nothing of a game that is gone.
async fn of_row(store: &Store, row: &NoticeRow, url: &str) -> Result<Option<Item>, Failure> {
    let Some(game) = store.summary(&row.game).await.or_failed()? else { return Ok(None) };
    let seats = store.seats(&row.game).await.or_failed()?;
    let side = side(row.side);
    let face = Summary::face(&game, seats, Held::side(side), BySide::default());
    Ok(face.and_then(|face| item(&face, side, row.occasion, url)))
}

/// What a link is kept under: nobody can make it from what is in the database.
pub(super) fn link_id(token: &str, browser: &str) -> String {
    seats::hash(&format!("link {token} {browser}"))
}
