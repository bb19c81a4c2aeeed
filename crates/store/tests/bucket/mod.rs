//! Finished journals in a bucket: a stand-in for S3 on the loopback that lets in whoever signs with the right key.

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use store::{Archive, Store, StoreError};
use tokio::task::JoinHandle;

use super::{change, kept, open};

const KEY: &str = "KEYOFTHETESTS";

/// What is in the bucket, by its whole path.
type Objects = Arc<Mutex<BTreeMap<String, Bytes>>>;

/// The stand-in, which can go away and come back with what it had.
struct Bucket {
    objects: Objects,
    addr: SocketAddr,
    serving: JoinHandle<()>,
}

impl Bucket {
    fn start() -> Bucket {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (addr, objects) = (listener.local_addr().unwrap(), Objects::default());
        let serving = serve(listener, objects.clone());
        Bucket { objects, addr, serving }
    }

    async fn go_away(&mut self) {
        self.serving.abort();
        let _ = (&mut self.serving).await;
    }

    fn come_back(&mut self) {
        self.serving = serve(TcpListener::bind(self.addr).unwrap(), self.objects.clone());
    }

    fn names(&self) -> Vec<String> {
        self.objects.lock().unwrap().keys().cloned().collect()
    }

    /// The archive as a server with these settings opens it.
    fn archive(&self, key: &str) -> Archive {
        let settings = [
            ("AWS_ACCESS_KEY_ID", key.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "secret".to_owned()),
            ("AWS_REGION", "eu-test-1".to_owned()),
            ("AWS_ENDPOINT_URL", format!("http://{}", self.addr)),
            ("PATH", "is nothing to a bucket".to_owned()),
        ];
        let settings = settings.map(|(name, value)| (name.to_owned(), value));
        Archive::open(Path::new("s3://games/finished/here"), settings).unwrap()
    }
}

fn serve(listener: TcpListener, objects: Objects) -> JoinHandle<()> {
    listener.set_nonblocking(true).unwrap();
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    let router = Router::new().fallback(answer).with_state(objects);
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() })
}

/// Whether somebody with the right key has signed this, for this service and region.
fn signed(headers: &HeaderMap) -> bool {
    let said = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("");
    let proof = said(header::AUTHORIZATION.as_str());
    let signature = proof.rsplit_once("Signature=").map_or("", |(_, signature)| signature);
    proof.starts_with(&format!("AWS4-HMAC-SHA256 Credential={KEY}/"))
        && proof.contains("/eu-test-1/s3/aws4_request")
        && proof.contains("SignedHeaders=host;")
        && signature.len() == 64
        && !said("x-amz-date").is_empty()
        && said("x-amz-content-sha256").len() == 64
}

async fn answer(State(objects): State<Objects>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    if !signed(&head.headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let name = head.uri.path().to_owned();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let mut objects = objects.lock().unwrap();
    match head.method {
        Method::PUT => {
            objects.insert(name, body);
            [(header::ETAG, "\"1\"")].into_response()
        }
        Method::GET => match objects.get(&name) {
            Some(body) => {
                let about =
                    [(header::ETAG, "\"1\""), (header::LAST_MODIFIED, "Wed, 18 Nov 2026 14:00:00 GMT")];
                (about, body.clone()).into_response()
            }
            None => StatusCode::NOT_FOUND.into_response(),
        },
        Method::DELETE => {
            objects.remove(&name);
            StatusCode::NO_CONTENT.into_response()
        }
        _ => StatusCode::METHOD_NOT_ALLOWED.into_response(),
    }
}

/// A store with one finished game.
async fn finished(folder: &Path, archive: Archive) -> Store {
    let store = open(folder).await.with_archive(Some(archive));
    store.create(kept("g"), None).await.unwrap();
    let mut last = change("g", 2, "r");
    last.over = true;
    store.change(last).await.unwrap();
    store
}

#[tokio::test]
async fn a_finished_journal_goes_to_a_bucket_and_is_read_from_there() {
    let (folder, bucket) = (tempfile::tempdir().unwrap(), Bucket::start());
    let store = finished(folder.path(), bucket.archive(KEY)).await;
    let before = store.game("g").await.unwrap().unwrap().lines;
    store.move_to_archive("g").await.unwrap();
    assert_eq!(bucket.names(), ["/games/finished/here/g/3-1.journal"]);
    let text = bucket.objects.lock().unwrap().values().next().unwrap().clone();
    assert_eq!(text, "header\nmuster\nline 2\n");
    assert_eq!(store.game("g").await.unwrap().unwrap().lines, before);
    store.delete(vec!["g".into()], 100).await.unwrap();
    assert_eq!(bucket.names(), [""; 0], "a deleted game leaves nothing behind");
    store.close().await;
}

#[tokio::test]
async fn nothing_is_lost_while_the_bucket_is_away() {
    let (folder, mut bucket) = (tempfile::tempdir().unwrap(), Bucket::start());
    let store = finished(folder.path(), bucket.archive(KEY)).await;
    bucket.go_away().await;
    assert!(matches!(store.move_to_archive("g").await, Err(StoreError::Archive(_))));
    assert_eq!(store.finished(100, 10).await.unwrap(), ["g"], "it waits for the next attempt");
    assert_eq!(store.game("g").await.unwrap().unwrap().lines.len(), 3, "and is read from the database");
    bucket.come_back();
    store.move_to_archive("g").await.unwrap();
    assert_eq!(store.finished(100, 10).await.unwrap(), [""; 0]);
    // What is there already cannot be read meanwhile, and says so.
    bucket.go_away().await;
    assert!(matches!(store.game("g").await, Err(StoreError::Archive(_))));
    bucket.come_back();
    assert_eq!(store.game("g").await.unwrap().unwrap().lines.len(), 3);
    store.close().await;
}

#[tokio::test]
async fn a_wrong_key_is_refused_and_loses_nothing() {
    let (folder, bucket) = (tempfile::tempdir().unwrap(), Bucket::start());
    let store = finished(folder.path(), bucket.archive("ANOTHERKEY")).await;
    let error = store.move_to_archive("g").await.unwrap_err();
    assert!(matches!(&error, StoreError::Archive(why) if why.contains("g/3-1.journal")), "{error}");
    assert_eq!(bucket.names(), [""; 0]);
    assert_eq!(store.game("g").await.unwrap().unwrap().lines.len(), 3);
    store.close().await;
}

#[test]
fn an_address_without_a_bucket_is_refused() {
    let error = Archive::open(Path::new("s3:///finished"), []).unwrap_err().to_string();
    assert!(error.contains("s3://bucket/prefix"), "{error}");
}
