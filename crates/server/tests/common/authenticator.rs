//! A passkey in software, and a browser that is at home at a name.

use std::net::SocketAddr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::Method;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::client::{Answer, Client};

fn base64(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A passkey.
#[derive(Clone)]
pub struct Authenticator {
    key: SigningKey,
    id: Vec<u8>,
    user: Option<String>,
    counter: u32,
}

const PRESENT_AND_VERIFIED: u8 = 0x05;
const WITH_KEY: u8 = 0x40;

impl Authenticator {
    /// Each number another key.
    pub fn new(number: u8) -> Self {
        let key = SigningKey::from_slice(&[number.max(1); 32]).expect("a key");
        Authenticator { key, id: vec![number; 16], user: None, counter: 0 }
    }

    /// The same key, with another to sign with: a forgery.
    pub fn forged(&self) -> Self {
        Authenticator { key: SigningKey::from_slice(&[99; 32]).expect("a key"), ..self.clone() }
    }

    /// The same key for somebody else: what an enumeration would try.
    pub fn unknown(&self) -> Self {
        Authenticator { id: vec![77; 16], ..self.clone() }
    }

    fn client_data(kind: &str, challenge: &Value, origin: &str) -> Vec<u8> {
        json!({ "type": kind, "challenge": challenge, "origin": origin, "crossOrigin": false })
            .to_string()
            .into_bytes()
    }

    fn data(&mut self, name: &str, flags: u8) -> Vec<u8> {
        self.counter += 1;
        let mut data = Sha256::digest(name.as_bytes()).to_vec();
        data.push(flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// What it answers when it is asked for a new key.
    pub fn create(&mut self, options: &Value, origin: &str) -> Value {
        let asked = &options["publicKey"];
        assert_eq!(asked["authenticatorSelection"]["residentKey"], "required", "{asked}");
        self.user = asked["user"]["id"].as_str().map(str::to_owned);
        let mut data = self.data(asked["rp"]["id"].as_str().unwrap(), PRESENT_AND_VERIFIED | WITH_KEY);
        data.extend([0; 16]);
        data.extend((self.id.len() as u16).to_be_bytes());
        data.extend(&self.id);
        let point = self.key.verifying_key().to_sec1_point(false);
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(point.x().expect("x"));
        data.extend([0x22, 0x58, 0x20]);
        data.extend(point.y().expect("y"));
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        object.push(data.len() as u8);
        object.extend(data);
        let client = Self::client_data("webauthn.create", &asked["challenge"], origin);
        let response = json!({ "attestationObject": base64(&object), "clientDataJSON": base64(&client) });
        self.credential(response)
    }

    /// What it answers when it is asked who somebody is.
    pub fn get(&mut self, options: &Value, origin: &str) -> Value {
        let asked = &options["publicKey"];
        assert_eq!(asked["allowCredentials"], json!([]), "nobody says who they are before");
        let data = self.data(asked["rpId"].as_str().unwrap(), PRESENT_AND_VERIFIED);
        let client = Self::client_data("webauthn.get", &asked["challenge"], origin);
        let signed = [&data[..], &Sha256::digest(&client)].concat();
        let signature: Signature = self.key.sign(&signed);
        let response = json!({
            "authenticatorData": base64(&data), "clientDataJSON": base64(&client),
            "signature": base64(signature.to_der().as_bytes()), "userHandle": self.user,
        });
        self.credential(response)
    }

    fn credential(&self, response: Value) -> Value {
        let id = base64(&self.id);
        json!({ "id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {} })
    }
}

/// A browser with a cookie.
pub struct Browser {
    pub client: Client,
    pub origin: String,
    pub host: String,
    pub cookie: Option<String>,
    /// Sent besides, where a test needs it.
    pub more: Vec<(&'static str, String)>,
}

impl Browser {
    pub fn new(addr: SocketAddr) -> Self {
        let host = format!("localhost:{}", addr.port());
        let origin = format!("http://{host}");
        Browser { client: Client::new(addr), origin, host, cookie: None, more: Vec::new() }
    }

    pub async fn send(&mut self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let mut request = self.client.request(method, path, None, body);
        let headers = request.headers_mut();
        headers.insert("host", self.host.parse().unwrap());
        if !self.origin.is_empty() {
            headers.insert("origin", self.origin.parse().unwrap());
        }
        if let Some(cookie) = &self.cookie {
            headers.insert("cookie", format!("theme=dark; {cookie}").parse().unwrap());
        }
        for (name, value) in &self.more {
            headers.insert(*name, value.parse().unwrap());
        }
        let answer = self.client.send(request).await.expect("an answer");
        for set in answer.headers.get_all("set-cookie") {
            let pair = set.to_str().unwrap().split(';').next().unwrap().to_owned();
            if pair.starts_with("linstock=") {
                self.cookie = (pair.len() > "linstock=".len()).then_some(pair);
            }
        }
        answer
    }

    pub async fn get(&mut self, path: &str) -> Answer {
        self.send(Method::GET, &format!("/api/v1/account{path}"), None).await
    }

    pub async fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, &format!("/api/v1/account{path}"), Some(body)).await
    }

    /// Makes an account; answers its recovery codes.
    pub async fn register(&mut self, name: &str, key: &mut Authenticator) -> Vec<String> {
        let begun = self.post("/register", &json!({ "name": name })).await.json();
        let credential = key.create(&begun["options"], &self.origin);
        let end = json!({ "ceremony": begun["ceremony"], "credential": credential });
        let made = self.post("/register/end", &end).await;
        assert_eq!(made.status.as_u16(), 201, "{}", made.text);
        serde_json::from_value(made.json()["codes"].clone()).unwrap()
    }

    /// Begins to sign in; answers what ends it.
    pub async fn begin_sign_in(&mut self, key: &mut Authenticator) -> Value {
        let begun = self.post("/sign-in", &json!({})).await.json();
        let credential = key.get(&begun["options"], &self.origin);
        json!({ "ceremony": begun["ceremony"], "credential": credential })
    }

    pub async fn sign_in(&mut self, key: &mut Authenticator) -> Answer {
        let end = self.begin_sign_in(key).await;
        self.post("/sign-in/end", &end).await
    }
}
