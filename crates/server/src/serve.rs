use std::future::Future;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use store::{Archive, Limits, Store, StoreError};
use tokio::net::TcpListener;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;

use crate::config::Config;
use crate::door::{self, Door};
use crate::guard::{self, Gate};
use crate::hall::Hall;
use crate::metrics::Metrics;
use crate::owners::Owners;
use crate::{api, assets, clocks, nodes, notices, ops, reviews, traces, upkeep};
use host::Failure;

/// How long a request may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// How long open connections have to end when the server goes down, and how long the store has; with the last views
/// less than five seconds.
const FAREWELL: Duration = Duration::from_millis(2500);
const SETTLED_WITHIN: Duration = Duration::from_millis(750);
/// A page of the database.
const PAGE: u64 = 4096;

/// Why a server could not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The data directory.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A node that only thinks needs a database that it shares.
    #[error("a server that only thinks needs a shared database: add --database postgres://…")]
    NothingShared,
    /// Traces need what this build lacks.
    #[error("this program cannot send traces; build it with the feature `hosting`, or leave --otlp out")]
    NoTraces,
    /// Notices need what this build lacks.
    #[error("this program cannot send notices; build it with the feature `hosting`, or leave --url out")]
    NoNotices,
    /// Notices are set up in a way that cannot work.
    #[error("cannot send notices: {0}")]
    Notices(String),
    /// The collector's address says nothing.
    #[error("cannot send traces to {url}: {why}")]
    Collector {
        /// Where.
        url: String,
        /// Why.
        why: String,
    },
    /// There is nothing to copy.
    #[error("{} has no linstock.sqlite: name the data directory of a server with --data", .0.display())]
    NoData(PathBuf),
    /// The address.
    #[error("cannot listen on {addr}: {error}")]
    Listen {
        /// Where.
        addr: SocketAddr,
        /// Why.
        error: std::io::Error,
    },
    /// The network, later on.
    #[error("the server has failed: {0}")]
    Network(#[from] std::io::Error),
}

/// A server that listens, but does not answer yet.
#[derive(Debug)]
pub struct Server {
    /// None if it only thinks.
    listener: Option<TcpListener>,
    addr: SocketAddr,
    ops: Option<TcpListener>,
    hall: Arc<Hall>,
    gate: Arc<Gate>,
    door: Arc<Door>,
}

impl Server {
    /// Opens the store and takes the address.
    ///
    /// # Errors
    /// When either is not to be had.
    pub async fn bind(config: Config) -> Result<Self, ServeError> {
        let (listener, addr) = match config.think_only {
            true => (None, config.addr),
            false => listen(config.addr).await.map(|(listener, addr)| (Some(listener), addr))?,
        };
        let ops = match config.ops {
            Some(addr) => Some(listen(addr).await?.0),
            None => None,
        };
        let metrics = Arc::new(Metrics::new());
        let counted = metrics.clone();
        let limits = Limits {
            pages: config.quotas.disk.map(|bytes| u32::try_from(bytes / PAGE).unwrap_or(u32::MAX).max(128)),
            patience: None,
            observer: Some(Box::new(move |time, writes| {
                counted.commits.record(time.as_secs_f64());
                counted.commit_size.record(writes as f64);
            })),
        };
        let store = match &config.database {
            Some(url) => Store::connect(url, limits).await?,
            None if config.think_only => return Err(ServeError::NothingShared),
            None => Store::open(&config.data, limits).await?,
        };
        let archive =
            config.archive.as_deref().map(|place| Archive::open(place, environment())).transpose()?;
        let store = store.with_archive(archive);
        let owners = Owners::open(&config, &store).await?;
        let hall = Arc::new(Hall::new(&config, store, owners, metrics));
        hall.shared.notices.open(&config, &hall.shared.store).await?;
        let gate = Arc::new(Gate::new(&config, addr, hall.shared.clone()));
        let door = Arc::new(Door::new(&config));
        Ok(Server { listener, addr, ops, hall, gate, door })
    }

    /// Where it listens.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Where metrics and readiness are told.
    #[must_use]
    pub fn ops(&self) -> Option<SocketAddr> {
        self.ops.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// Answers until `stop` is done; then lets everybody finish, and closes the store.
    ///
    /// # Errors
    /// When the network fails.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let Server { listener, ops, hall, gate, door, .. } = self;
        // So that the first who opens the home page does not wait for every scenario to be read.
        // It holds the library alone: the store must be free when the server has ended.
        let library = hall.shared.library.clone();
        drop(tokio::task::spawn_blocking(move || library.scenarios().len()));
        let mut aside = vec![
            tokio::spawn(upkeep::run(hall.clone(), gate.clone())),
            tokio::spawn(nodes::think(hall.clone())),
            tokio::spawn(reviews::make(hall.clone())),
            tokio::spawn(notices::run(hall.clone())),
            tokio::spawn(hall.studies.clone().wake()),
        ];
        if listener.is_some() {
            aside.push(tokio::spawn(upkeep::catch_up(hall.clone())));
            // Before anybody is answered it is known since when nobody was.
            clocks::try_to_beat(&hall).await;
            aside.push(tokio::spawn(clocks::run(hall.clone())));
        }
        if hall.shared.store.shared() {
            aside.push(tokio::spawn(nodes::follow(hall.clone())));
        }
        if let Some(ops) = ops {
            let router = ops::private(hall.clone());
            aside.push(tokio::spawn(async move { drop(axum::serve(ops, router).await) }));
        }
        let shared = hall.shared.clone();
        let mut down = shared.down.subscribe();
        let stopped = async move {
            stop.await;
            tracing::info!("going down");
            shared.go_down();
        };
        let router = router(hall.clone(), gate);
        let serving = async move {
            match listener {
                Some(listener) => door::serve(listener, router, door, stopped).await,
                None => stopped.await,
            }
        };
        let farewell = async {
            let _ = down.wait_for(|down| *down).await;
            tokio::time::sleep(FAREWELL).await;
        };
        tokio::select! {
            () = serving => {}
            () = farewell => tracing::warn!("some connections did not end in time"),
        }
        for task in aside {
            task.abort();
        }
        hall.studies.close();
        nodes::hand_over(&hall).await;
        reviews::hand_over(&hall.shared).await;
        upkeep::last_views(&hall).await;
        if tokio::time::timeout(SETTLED_WITHIN, hall.shared.store.settle()).await.is_err() {
            tracing::warn!("the database did not settle in time");
        }
        Ok(())
    }
}

/// The variables of the environment that can be read.
pub(crate) fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

async fn listen(addr: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let listener = TcpListener::bind(addr).await.map_err(|error| ServeError::Listen { addr, error })?;
    let addr = listener.local_addr()?;
    Ok((listener, addr))
}

fn router(hall: Arc<Hall>, gate: Arc<Gate>) -> Router {
    Router::new()
        .nest("/api/v1", api::router())
        .merge(ops::public())
        .fallback(assets::serve)
        .method_not_allowed_fallback(assets::wrong_method)
        .with_state(hall)
        // A little smaller is not worth the time of the threads that answer.
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, ANSWER_WITHIN))
        .layer(CatchPanicLayer::custom(|_| Failure::internal("a request panicked").into_response()))
        .layer(axum::middleware::from_fn_with_state(gate, guard::stand))
}

/// Serves until the program is told to stop (Ctrl-C or SIGTERM), and says where.
///
/// # Errors
/// When the store or the address is not to be had, or the network fails.
pub async fn serve(config: Config) -> Result<(), ServeError> {
    let traces = traces::begin(config.otlp.as_deref())?;
    let server = Server::bind(config).await?;
    if server.listener.is_some() {
        let _ = writeln!(std::io::stdout(), "Linstock is at http://{}", server.addr());
    } else {
        let _ = writeln!(std::io::stdout(), "Linstock thinks for the computers of its database");
    }
    if let Some(ops) = server.ops() {
        let _ = writeln!(std::io::stdout(), "Metrics are at http://{ops}/metrics");
    }
    let ended = server.run(told_to_stop()).await;
    traces.close().await;
    ended
}

/// The same for a program that does nothing else. Work that does not end does not keep it from ending.
///
/// # Errors
/// As [`serve`].
pub fn run(config: Config) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Runtime::new()?;
    let served = runtime.block_on(serve(config));
    runtime.shutdown_background();
    served
}

async fn told_to_stop() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::ConnectInfo;
    use axum::http::{Request, header};
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn answers_are_compressed_but_for_the_machine_itself() {
        let folder = tempfile::tempdir().unwrap();
        let addr = SocketAddr::from(([127, 0, 0, 1], 0));
        let server = Server::bind(Config { data: folder.path().to_owned(), addr, ..Config::default() });
        let server = server.await.unwrap();
        let router = router(server.hall, server.gate);
        for (from, encoding) in [("192.0.2.1:4000", Some("gzip")), ("127.0.0.1:4000", None)] {
            let from: SocketAddr = from.parse().unwrap();
            let request = Request::get("/api/v1/openapi.json")
                .header(header::HOST, "localhost")
                .header(header::ACCEPT_ENCODING, "gzip, br")
                .extension(ConnectInfo(from))
                .body(Body::empty())
                .unwrap();
            let answer = router.clone().oneshot(request).await.unwrap();
            let found = answer.headers().get(header::CONTENT_ENCODING).map(|e| e.to_str().unwrap());
            assert_eq!((answer.status(), found), (StatusCode::OK, encoding));
        }
    }
}
