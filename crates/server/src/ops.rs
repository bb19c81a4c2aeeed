//! For whoever runs the server: is it alive, is it ready, how is it doing. On an address of their own the metrics are
//! told as well.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::Mutex;

use crate::hall::Hall;
use crate::problem::OrFailed;
use crate::world;
use host::Failure;
use host::wire::Code;

/// A sign of life that is younger is believed, so that asking for it often costs nothing.
const FRESH: Duration = Duration::from_secs(1);
/// How many bytes must find room for the server to be ready: a few games' worth.
const ROOM: usize = 32 << 10;
/// A commit that takes longer is as good as none.
const WRITTEN_WITHIN: Duration = Duration::from_secs(5);

/// What was last found.
#[derive(Debug, Default)]
pub(crate) struct Pulse(Mutex<Option<(Instant, Result<(), Failure>)>>);

/// What players' addresses answer too.
pub(crate) fn public() -> Router<Arc<Hall>> {
    Router::new().route("/healthz", get(healthz)).route("/readyz", get(readyz))
}

/// The address for whoever runs the server.
pub(crate) fn private(hall: Arc<Hall>) -> Router {
    public().route("/metrics", get(metrics)).with_state(hall)
}

/// Alive: it answers.
async fn healthz() -> &'static str {
    "ok\n"
}

/// Ready: it can write to disk, and nobody who comes now would be turned away.
async fn readyz(State(hall): State<Arc<Hall>>) -> Response {
    match ready(&hall).await {
        Ok(()) => "ready\n".into_response(),
        Err(failure) => failure.into_response(),
    }
}

async fn ready(hall: &Hall) -> Result<(), Failure> {
    let shared = &hall.shared;
    if shared.going_down() {
        return Err(Failure::new(Code::GoingDown, "The server is going down."));
    }
    if shared.saturated() {
        return Err(Failure::new(
            Code::Busy,
            "All workers are busy and more work waits than they can do soon.",
        ));
    }
    let mut last = hall.pulse.0.lock().await;
    if let Some((at, found)) = &*last
        && at.elapsed() < FRESH
    {
        return found.clone();
    }
    let written = async {
        // On a disk of its own it makes sure that there is room; a shared database is watched by those who run it.
        if !shared.store.shared() {
            shared.store.note("pulse", "x".repeat(ROOM)).await?;
        }
        shared.store.note("pulse", world::now().to_string()).await
    };
    let found = match tokio::time::timeout(WRITTEN_WITHIN, written).await {
        Ok(written) => written.or_failed(),
        Err(_) => Err(Failure::new(Code::StoreFailed, "The database does not write in time.")),
    };
    *last = Some((Instant::now(), found.clone()));
    found
}

async fn metrics(State(hall): State<Arc<Hall>>) -> Response {
    let text = hall.shared.metrics.text(hall.moment());
    (StatusCode::OK, [(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}
