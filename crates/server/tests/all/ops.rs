//! What whoever runs the server is told, and where.

use crate::common;

use crate::common::client::Client;
use crate::common::{Game, Running, here};
use server::{Config, Quotas};

#[tokio::test]
async fn metrics_have_an_address_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    game.round(&mut client).await;
    assert_eq!(client.get("/metrics", None).await.code(), "no_such_page");
    let mut ops = Client::new(server.ops);
    let text = ops.get("/metrics", None).await.text;
    let names = [
        "linstock_acts_total 3",
        "linstock_workers_busy ",
        "linstock_workers_waiting ",
        "linstock_thinkers_busy ",
        "linstock_thinkers_waiting ",
        "linstock_compilers_waiting ",
        "linstock_writes_waiting ",
        "linstock_database_bytes ",
        "linstock_commit_seconds_bucket{le=\"0.001\"} ",
        "linstock_commit_writes_count ",
        "linstock_request_seconds_count ",
        "# HELP linstock_busy_total ",
    ];
    for name in names {
        assert!(text.lines().any(|line| line.starts_with(name)), "no {name} in {text}");
    }
    assert_eq!(ops.get("/healthz", None).await.text, "ok\n");
    assert_eq!(ops.get("/readyz", None).await.text, "ready\n");
    assert_eq!(ops.get("/api/v1/systems", None).await.status.as_u16(), 404, "nothing else is there");
    server.stop().await;
}

#[tokio::test]
async fn a_full_disk_is_alive_and_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    let quotas = Quotas { disk: Some(64 * 4096), ..Quotas::default() };
    let server = Running::with(Config { data: folder.path().to_owned(), quotas, ..common::config() }).await;
    let mut client = server.client();
    let mut ops = Client::new(server.ops);
    assert_eq!(ops.get("/readyz", None).await.code(), "ok");
    let mut made = 0;
    loop {
        let new = serde_json::json!({ "scenario": common::parley::OAK, "salt": common::salt(),
            "seats": { "first": here("Ada"), "second": here("Bertram") } });
        match client.post("/api/v1/games", None, &new).await.code().as_str() {
            "ok" => made += 1,
            code => break assert_eq!(code, "disk_full"),
        }
        assert!(made < 1000, "the disk has no bound");
    }
    // What was last found is believed for a second.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    let ready = ops.get("/readyz", None).await;
    assert_eq!((ready.code().as_str(), ready.status.as_u16()), ("disk_full", 507));
    assert_eq!(ops.get("/healthz", None).await.code(), "ok");
    server.stop().await;
}
