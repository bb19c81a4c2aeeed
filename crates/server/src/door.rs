//! The door: takes connections in, only so many at a time, and gives up on those that do not say what they want.

use std::collections::HashMap;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower::ServiceExt;

use crate::config::Config;
use crate::guard::{network, trusted};
use ipnet::IpNet;

/// One address may hold this part of all connections; the machine itself all of them.
const SHARE: usize = 10;
/// How long to wait when no more connections can be taken, as when files run out.
const BREATH: Duration = Duration::from_millis(200);

/// Who is inside.
#[derive(Debug)]
pub(crate) struct Door {
    most: usize,
    head_within: Duration,
    proxies: Vec<IpNet>,
    inside: Mutex<Inside>,
}

#[derive(Debug, Default)]
struct Inside {
    all: usize,
    of: HashMap<IpAddr, usize>,
}

/// A place inside, given back when it is dropped. A WebSocket keeps that of the request it came from.
#[derive(Debug)]
pub(crate) struct Place {
    door: Arc<Door>,
    network: IpAddr,
}

impl Door {
    pub(crate) fn new(config: &Config) -> Self {
        Door {
            most: config.connections.max(1),
            head_within: config.head_within,
            proxies: config.proxies.clone(),
            inside: Mutex::default(),
        }
    }

    fn enter(self: &Arc<Self>, ip: IpAddr) -> Option<Arc<Place>> {
        let network = network(ip);
        // Behind a proxy stand many.
        let whole = ip.is_loopback() || trusted(&self.proxies, ip);
        let each = if whole { self.most } else { (self.most / SHARE).max(1) };
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let of = inside.of.get(&network).copied().unwrap_or(0);
        if inside.all >= self.most || of >= each {
            return None;
        }
        inside.all += 1;
        inside.of.insert(network, of + 1);
        drop(inside);
        Some(Arc::new(Place { door: self.clone(), network }))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inside = self.door.inside.lock().unwrap_or_else(PoisonError::into_inner);
        inside.all -= 1;
        if let Some(of) = inside.of.get_mut(&self.network) {
            *of -= 1;
            if *of == 0 {
                inside.of.remove(&self.network);
            }
        }
    }
}

/// Answers until `stop`, then lets what is under way finish.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    door: Arc<Door>,
    stop: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(door.head_within);
    // Every connection has a receiver for as long as it lives.
    let (closing, closed) = watch::channel(false);
    let mut stop = std::pin::pin!(stop);
    loop {
        let (stream, addr) = tokio::select! {
            accepted = accept(&listener) => accepted,
            () = &mut stop => break,
        };
        let Some(place) = door.enter(addr.ip()) else {
            tracing::debug!(%addr, "no room for another connection");
            continue;
        };
        let router = router.clone();
        let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(addr));
            request.extensions_mut().insert(place.clone());
            router.clone().oneshot(request)
        });
        let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let mut closed = closed.clone();
        tokio::spawn(async move {
            let mut connection = std::pin::pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = told(&mut closed) => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%addr, %error, "a connection ended badly");
            }
        });
    }
    drop((listener, closed));
    closing.send_replace(true);
    closing.closed().await;
}

async fn told(closed: &mut watch::Receiver<bool>) {
    let _ = closed.wait_for(|closed| *closed).await;
}

/// The next connection, however long it takes.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, addr)) => {
                // Answers are written whole: there is nothing to wait for.
                let _ = stream.set_nodelay(true);
                return (stream, addr);
            }
            Err(error) => {
                tracing::warn!(%error, "cannot take a connection");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_given_out_and_taken_back() {
        let door = Arc::new(Door::new(&Config { connections: 20, ..Config::default() }));
        let far: IpAddr = "192.0.2.1".parse().unwrap();
        let held: Vec<_> = (0..2).map(|_| door.enter(far).expect("a tenth of them")).collect();
        assert!(door.enter(far).is_none(), "one address has its share");
        let near: IpAddr = "127.0.0.1".parse().unwrap();
        let local: Vec<_> = (0..18).map(|_| door.enter(near).expect("the machine itself")).collect();
        assert!(door.enter("192.0.2.2".parse().unwrap()).is_none(), "all places are taken");
        drop((held, local));
        assert!(door.enter(far).is_some());
        assert_eq!(door.inside.lock().unwrap().all, 0);
        assert!(door.inside.lock().unwrap().of.is_empty());
    }
}
