//! Messages to browsers: Web Push (RFC 8030), sealed for the browser (RFC 8291), with the server's own signature (RFC 8292).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::header::{CONTENT_ENCODING, HeaderMap, HeaderName, HeaderValue};
use reqwest::{StatusCode, Url};
use serde::{Deserialize, Serialize};
use serde_json::json;
use web_push_native::p256::PublicKey;
use web_push_native::p256::ecdsa::signature::Signer as _;
use web_push_native::p256::ecdsa::{Signature, SigningKey};
use web_push_native::{Auth, encrypt};

use super::calls::{Fault, post};
use super::words::{Item, heading};
use crate::world;
use ipnet::IpNet;

/// How long a message waits for its browser, and how long a signature holds, in seconds.
const WAITS: u32 = 24 * 3600;
const HOLDS: u64 = 12 * 3600;
const SECRET: usize = 16;

/// A browser's keys, as they are kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Keys {
    pub(super) p256dh: String,
    pub(super) auth: String,
    /// The browser, in words.
    pub(super) agent: String,
}

impl Keys {
    pub(super) fn sound(&self) -> bool {
        self.open().is_some()
    }

    fn open(&self) -> Option<(PublicKey, Auth)> {
        let key = URL_SAFE_NO_PAD.decode(self.p256dh.trim_end_matches('=')).ok()?;
        let auth = URL_SAFE_NO_PAD.decode(self.auth.trim_end_matches('=')).ok()?;
        let auth: [u8; SECRET] = auth.try_into().ok()?;
        Some((PublicKey::from_sec1_bytes(&key).ok()?, auth.into()))
    }
}

/// The server's own key.
#[derive(Debug)]
pub(super) struct Signer(SigningKey);

impl Signer {
    /// From 32 bytes in base64url.
    pub(super) fn open(secret: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(secret.trim_end_matches('=')).ok()?;
        SigningKey::from_slice(&bytes).ok().map(Signer)
    }

    pub(super) fn written(secret: &[u8; 32]) -> String {
        URL_SAFE_NO_PAD.encode(secret)
    }

    /// The public half, as browsers want it.
    pub(super) fn public(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.verifying_key().to_encoded_point(false).as_bytes())
    }

    /// Who sends, for this push service and for a while.
    fn authorization(&self, endpoint: &Url, contact: &str) -> String {
        let until = world::now() / 1000 + HOLDS;
        let head = json!({ "typ": "JWT", "alg": "ES256" });
        let claims = json!({ "aud": endpoint.origin().ascii_serialization(), "exp": until, "sub": contact });
        let part = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(&head), part(&claims));
        let signature: Signature = self.0.sign(signed.as_bytes());
        format!("vapid t={signed}.{}, k={}", URL_SAFE_NO_PAD.encode(signature.to_bytes()), self.public())
    }
}

/// Sends what there is to tell to a browser.
pub(super) async fn send(
    signer: &Signer,
    contact: &str,
    endpoint: &str,
    keys: &Keys,
    delivery: &str,
    items: &[Item],
    allowed: &[IpNet],
) -> Result<(), Fault> {
    let unsound = || Fault::for_good("The browser's keys cannot be read.");
    let url = Url::parse(endpoint).map_err(|_| unsound())?;
    let (key, auth) = keys.open().ok_or_else(unsound)?;
    let one = items.first().filter(|_| items.len() == 1);
    let payload = json!({
        "title": heading(items),
        "body": one.is_none().then(|| items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>().join("\n")),
        "tag": one.map_or("linstock", |item| item.game.as_str()),
        "hash": one.map_or_else(|| "#/account".to_owned(), |item| format!("#/mine/{}", item.game)),
    });
    let body = encrypt(payload.to_string().into_bytes(), &key, &auth).map_err(|_| unsound())?;
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static("aes128gcm"));
    headers.insert(HeaderName::from_static("ttl"), HeaderValue::from(WAITS));
    headers.insert(HeaderName::from_static("urgency"), HeaderValue::from_static("normal"));
    // One that waits at the service gives way to the same one sent again.
    let topic = HeaderValue::try_from(delivery).map_err(|_| unsound())?;
    headers.insert(HeaderName::from_static("topic"), topic);
    let sender = HeaderValue::try_from(signer.authorization(&url, contact)).map_err(|_| unsound())?;
    headers.insert(reqwest::header::AUTHORIZATION, sender);
    match post(&url, headers, body, allowed).await? {
        status if status.is_success() => Ok(()),
        StatusCode::NOT_FOUND | StatusCode::GONE => {
            Err(Fault { gone: true, ..Fault::for_good("The browser takes no more messages.") })
        }
        StatusCode::TOO_MANY_REQUESTS => Err(Fault::passing("The push service asks to wait.")),
        status if status.is_server_error() => {
            Err(Fault::passing(format!("The push service answered {status}.")))
        }
        status => Err(Fault::for_good(format!("The push service answered {status}."))),
    }
}
