//! Slow connections, and many.

use crate::common;

use std::time::{Duration, Instant};

use crate::common::Running;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What the server says until it closes, at most five seconds.
async fn last_words(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut said)).await;
    let _ = read.expect("the server closes in time");
    String::from_utf8_lossy(&said).into_owned()
}

#[tokio::test]
async fn who_does_not_finish_a_request_is_shown_out() {
    let folder = tempfile::tempdir().unwrap();
    let head_within = Duration::from_millis(200);
    let config = server::Config { data: folder.path().to_owned(), head_within, ..common::config() };
    let server = Running::with(config).await;
    let begun = Instant::now();
    let mut silent = TcpStream::connect(server.addr).await.unwrap();
    let mut slow = TcpStream::connect(server.addr).await.unwrap();
    slow.write_all(b"GET /api/v1/systems HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ").await.unwrap();
    assert!(!last_words(&mut slow).await.contains("200"));
    assert!(!last_words(&mut silent).await.contains("200"));
    assert!(begun.elapsed() >= head_within, "not before its time");
    assert_eq!(server.client().get("/healthz", None).await.text, "ok\n");
    server.stop().await;
}

#[tokio::test]
async fn only_so_many_connections_are_open_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let config = server::Config { data: folder.path().to_owned(), connections: 3, ..common::config() };
    let server = Running::with(config).await;
    let mut inside = Vec::new();
    for _ in 0..3 {
        let mut client = server.client();
        assert_eq!(client.get("/healthz", None).await.text, "ok\n");
        inside.push(client);
    }
    let mut fourth = TcpStream::connect(server.addr).await.unwrap();
    assert_eq!(last_words(&mut fourth).await, "");
    drop(inside);
    for _ in 0..100 {
        let mut client = server.client();
        let request = client.request(hyper::Method::GET, "/healthz", None, None);
        if client.send(request).await.is_ok() {
            server.stop().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("no place became free");
}
