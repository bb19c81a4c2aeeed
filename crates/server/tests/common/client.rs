//! A client of the server's interface over a plain connection to the loopback.

use std::net::SocketAddr;

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// What came back.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: hyper::HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{e}: {}", self.text))
    }

    /// The name of the problem, or `ok`.
    pub fn code(&self) -> String {
        if self.status.is_success() {
            return "ok".into();
        }
        self.json()["code"].as_str().unwrap_or("no code").to_owned()
    }
}

#[derive(Debug)]
pub struct Client {
    addr: SocketAddr,
    sender: Option<SendRequest<Full<Bytes>>>,
}

impl Client {
    pub fn new(addr: SocketAddr) -> Self {
        Client { addr, sender: None }
    }

    /// Sends a request; fails when the connection does.
    pub async fn send(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<Answer, Box<dyn std::error::Error + Send + Sync>> {
        let result = self.attempt(request).await;
        if result.is_err() {
            self.sender = None;
        }
        result
    }

    async fn attempt(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<Answer, Box<dyn std::error::Error + Send + Sync>> {
        let usable = match &mut self.sender {
            Some(sender) => sender.ready().await.is_ok(),
            None => false,
        };
        if !usable {
            let stream = TcpStream::connect(self.addr).await?;
            stream.set_nodelay(true)?;
            let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
            tokio::spawn(connection);
            self.sender = Some(sender);
        }
        let Some(sender) = &mut self.sender else { return Err("not connected".into()) };
        let response = sender.send_request(request).await?;
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await?.to_bytes();
        Ok(Answer {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        })
    }

    pub fn request(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Request<Full<Bytes>> {
        let mut builder = Request::builder().method(method).uri(path).header("host", self.addr.to_string());
        if let Some(token) = token {
            builder = builder.header("authorization", format!("Bearer {token}"));
        }
        let bytes = match body {
            Some(body) => {
                builder = builder.header("content-type", "application/json");
                Bytes::from(body.to_string())
            }
            None => Bytes::new(),
        };
        builder.body(Full::new(bytes)).expect("a request")
    }

    pub async fn get(&mut self, path: &str, token: Option<&str>) -> Answer {
        let request = self.request(Method::GET, path, token, None);
        self.send(request).await.expect("an answer")
    }

    pub async fn post(&mut self, path: &str, token: Option<&str>, body: &Value) -> Answer {
        let request = self.request(Method::POST, path, token, Some(body));
        self.send(request).await.expect("an answer")
    }
}
