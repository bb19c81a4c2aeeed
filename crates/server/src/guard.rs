//! What stands before every address: names, origins, rates, headers, times.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::config::{Config, Rate};
use crate::hall::Shared;
use crate::problem::Failure;
use crate::wire::Code;

/// Nothing but what we serve ourselves: no inline script, no frame, no other host.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
    img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), microphone=(), geolocation=()"),
    ),
];

/// How many addresses are remembered at once.
const ADDRESSES: usize = 100_000;
/// The machine itself may ask this many times as much.
const LOOPBACK: f64 = 50.0;

/// What the gate knows.
#[derive(Debug)]
pub(crate) struct Gate {
    shared: Arc<Shared>,
    hosts: Vec<String>,
    any_host: bool,
    rate: Rate,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Gate {
    pub(crate) fn new(config: &Config, addr: SocketAddr, shared: Arc<Shared>) -> Self {
        let any_host = !addr.ip().is_loopback() && config.hosts.is_empty();
        let hosts = config.hosts.iter().map(|h| h.to_ascii_lowercase()).collect();
        Gate { shared, hosts, any_host, rate: config.rate, buckets: Mutex::default() }
    }

    /// A page of another site that has bent its name to this machine's address does not get in.
    fn knows_host(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        if self.any_host {
            return true;
        }
        let Some(host) = host(headers, uri) else { return false };
        let name = name_of(&host);
        matches!(name, "localhost" | "127.0.0.1" | "[::1]")
            || self.hosts.iter().any(|h| h == name || *h == host)
    }

    fn lets_through(&self, ip: IpAddr, cost: f64) -> bool {
        let share = if ip.is_loopback() { LOOPBACK } else { 1.0 };
        let (speed, burst) = (self.rate.per_second * share, self.rate.burst * share);
        let now = Instant::now();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= ADDRESSES {
            buckets.retain(|_, bucket| now.duration_since(bucket.at).as_secs() < 60);
        }
        let bucket = buckets.entry(network(ip)).or_insert(Bucket { left: burst, at: now });
        bucket.left = (bucket.left + now.duration_since(bucket.at).as_secs_f64() * speed).min(burst);
        bucket.at = now;
        if bucket.left < cost {
            return false;
        }
        bucket.left -= cost;
        true
    }
}

/// One subscriber's network: an address of IPv4, a /64 of IPv6.
pub(crate) fn network(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 => v4,
    }
}

fn host(headers: &HeaderMap, uri: &Uri) -> Option<String> {
    let named = headers.get(header::HOST).and_then(|h| h.to_str().ok());
    named.or_else(|| uri.authority().map(|a| a.as_str())).map(str::to_ascii_lowercase)
}

fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !name.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Browsers name the page that sends; only our own may change anything or listen.
fn is_foreign(headers: &HeaderMap, uri: &Uri) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return false };
    let origin = origin.to_str().unwrap_or("").to_ascii_lowercase();
    let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    from.is_none() || from != host(headers, uri).as_deref()
}

/// Making games costs more than looking at them.
fn cost(method: &Method, path: &str) -> f64 {
    match path {
        "/api/games/import" => 20.0,
        "/api/games" if method == Method::POST => 10.0,
        _ if ["/claim", "/dice", "/luck"].iter().any(|end| path.ends_with(end)) => 5.0,
        _ => 1.0,
    }
}

/// Every request passes here.
pub(crate) async fn stand(State(gate): State<Arc<Gate>>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    if path.starts_with("/api/") && address(&request).is_some_and(|ip| ip.is_loopback()) {
        // On the machine itself copying is quicker than compressing.
        request.headers_mut().remove(header::ACCEPT_ENCODING);
    }
    let mut response = match admit(&gate, &request, &path) {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.into_response(),
    };
    let metrics = &gate.shared.metrics;
    metrics.requests.observe(started.elapsed());
    let code = response.extensions().get::<Code>().copied();
    if code.is_some() {
        metrics.problems.add(1);
    }
    // Neither queries nor bodies nor tokens go into the log.
    let (status, micros) = (response.status().as_u16(), started.elapsed().as_micros() as u64);
    tracing::debug!(%method, path, status, ?code, micros, "answered");
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, value);
    }
    if path.starts_with("/api/") {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    response
}

fn address(request: &Request) -> Option<IpAddr> {
    request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(addr)| addr.ip())
}

fn admit(gate: &Gate, request: &Request, path: &str) -> Result<(), Failure> {
    let (headers, uri, method) = (request.headers(), request.uri(), request.method());
    if !gate.knows_host(headers, uri) {
        return Err(Failure::new(Code::ForeignHost, "This server does not go by that name."));
    }
    let listens = headers.contains_key(header::UPGRADE);
    if (listens || !matches!(*method, Method::GET | Method::HEAD)) && is_foreign(headers, uri) {
        return Err(Failure::new(Code::ForeignOrigin, "A page of another site may not do this."));
    }
    if let Some(ip) = address(request)
        && path.starts_with("/api/")
        && !gate.lets_through(ip, cost(method, path))
    {
        gate.shared.metrics.limited.add(1);
        return Err(Failure::new(Code::TooMany, "Too many requests; wait a moment."));
    }
    if gate.shared.going_down() {
        return Err(Failure::new(Code::GoingDown, "The server is going down; try again in a moment."));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_our_own_pages_are_at_home() {
        let uri = Uri::from_static("/");
        let foreign = |host, origin| is_foreign(&headers(host, origin), &uri);
        assert!(!foreign("127.0.0.1:1863", None));
        assert!(!foreign("127.0.0.1:1863", Some("http://127.0.0.1:1863")));
        assert!(!foreign("linstock.example", Some("https://linstock.example")));
        assert!(foreign("127.0.0.1:1863", Some("http://127.0.0.1:8000")));
        assert!(foreign("127.0.0.1:1863", Some("https://evil.example")));
        assert!(foreign("127.0.0.1:1863", Some("null")));
    }

    #[test]
    fn hosts_are_known_without_their_port() {
        assert_eq!(name_of("localhost:1863"), "localhost");
        assert_eq!(name_of("[::1]:1863"), "[::1]");
        assert_eq!(name_of("[::1]"), "[::1]");
        assert_eq!(name_of("linstock.example"), "linstock.example");
    }

    #[test]
    fn a_network_of_ipv6_is_one_asker() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
    }
}
