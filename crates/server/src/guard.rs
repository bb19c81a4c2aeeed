//! What stands before every address: names, origins, rates, headers, times.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use ipnet::IpNet;
use tracing::Instrument as _;

use crate::config::Config;
use crate::hall::Shared;
use crate::metrics::observe;
use crate::owners::{Client, Pace};
use host::Failure;
use host::wire::Code;

/// Nothing but what we serve ourselves: no inline script, no other host, and in frames only our own reports.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
    img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; \
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

/// What the gate knows.
#[derive(Debug)]
pub(crate) struct Gate {
    shared: Arc<Shared>,
    hosts: Vec<String>,
    any_host: bool,
    proxies: Vec<IpNet>,
    pace: Pace,
}

impl Gate {
    pub(crate) fn new(config: &Config, addr: SocketAddr, shared: Arc<Shared>) -> Self {
        let any_host = !addr.ip().is_loopback() && config.hosts.is_empty();
        let hosts = config.hosts.iter().map(|h| h.to_ascii_lowercase()).collect();
        let pace = Pace::new(config.rate);
        Gate { shared, hosts, any_host, proxies: config.proxies.clone(), pace }
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

    /// Forgets those who have not asked for a while.
    pub(crate) fn tidy(&self) {
        self.pace.tidy();
    }
}

pub(crate) fn trusted(proxies: &[IpNet], ip: IpAddr) -> bool {
    let ip = ip.to_canonical();
    proxies.iter().any(|net| net.contains(&ip))
}

/// The client's own address. Each proxy adds the one it was asked by at the right, so the first from the right that is
/// no proxy of ours is the client; what stands further left anybody can have made up.
fn client(proxies: &[IpNet], peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let mut client = peer;
    if !trusted(proxies, peer) {
        return client;
    }
    for hop in hops(headers).into_iter().rev() {
        let Some(ip) = hop else { break };
        client = ip;
        if !trusted(proxies, ip) {
            break;
        }
    }
    client
}

/// The addresses in `Forwarded` (RFC 7239), or else in `X-Forwarded-For`, the nearest last.
fn hops(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let all = |name: HeaderName| {
        let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).map(str::trim).collect::<Vec<_>>()
    };
    let forwarded = all(header::FORWARDED);
    if forwarded.is_empty() {
        return all(HeaderName::from_static("x-forwarded-for")).into_iter().map(hop).collect();
    }
    let named = |element: &str| {
        let pair = element.split(';').filter_map(|pair| pair.trim().split_once('='));
        let mut names = pair.filter(|(name, _)| name.eq_ignore_ascii_case("for"));
        names.next().and_then(|(_, node)| hop(node.trim_matches('"')))
    };
    forwarded.into_iter().map(named).collect()
}

/// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`.
fn hop(node: &str) -> Option<IpAddr> {
    let bare = node.strip_prefix('[').and_then(|rest| rest.split(']').next());
    let bare = bare.unwrap_or(node);
    let ip = bare.parse().ok().or_else(|| bare.parse::<SocketAddr>().ok().map(|addr| addr.ip()));
    ip.map(|ip: IpAddr| ip.to_canonical())
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
fn cost(method: &Method, path: &str) -> u32 {
    match path {
        "/api/v1/games/import" => 20,
        "/api/v1/games" | "/api/v1/scenarios" | "/api/v1/situations" | "/api/v1/studies"
            if method == Method::POST =>
        {
            10
        }
        _ if [
            "/accept",
            "/challenge",
            "/claim",
            "/continue",
            "/dice",
            "/hint",
            "/invitation",
            "/luck",
            "/rematch",
            "/review",
        ]
        .iter()
        .any(|end| path.ends_with(end)) =>
        {
            5
        }
        _ => 1,
    }
}

/// Every request passes here.
pub(crate) async fn stand(State(gate): State<Arc<Gate>>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let client = address(&request).map(|peer| Client(client(&gate.proxies, peer, request.headers())));
    if let Some(client) = client {
        request.extensions_mut().insert(client);
        if path.starts_with("/api/v1/") && client.local() {
            // On the machine itself copying is quicker than compressing.
            request.headers_mut().remove(header::ACCEPT_ENCODING);
        }
    }
    let mut response = match admit(&gate, &request, client, &path) {
        Ok(()) => traced(request, next).await,
        Err(failure) => failure.into_response(),
    };
    let metrics = &gate.shared.metrics;
    observe(&metrics.requests, started.elapsed());
    let code = response.extensions().get::<Code>().copied();
    if code.is_some() {
        metrics.problems.increment(1);
    }
    // Neither queries nor bodies nor tokens go into the log.
    let (status, micros) = (response.status().as_u16(), started.elapsed().as_micros() as u64);
    tracing::debug!(%method, path, status, ?code, micros, "answered");
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        // A page that is stricter than these says so itself.
        headers.entry(name).or_insert(value);
    }
    if path.starts_with("/api/v1/") {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    response
}

/// Answers, with a span around it for collectors of traces.
async fn traced(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let span = tracing::debug_span!(
        "request",
        otel.name = format_args!("{} {route}", request.method()),
        otel.kind = "server",
        http.request.method = %request.method(),
        http.route = route,
        http.response.status_code = tracing::field::Empty,
    );
    let response = next.run(request).instrument(span.clone()).await;
    span.record("http.response.status_code", response.status().as_u16());
    response
}

fn address(request: &Request) -> Option<IpAddr> {
    request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(addr)| addr.ip())
}

fn admit(gate: &Gate, request: &Request, client: Option<Client>, path: &str) -> Result<(), Failure> {
    let (headers, uri, method) = (request.headers(), request.uri(), request.method());
    if !gate.knows_host(headers, uri) {
        return Err(Failure::new(Code::ForeignHost, "This server does not go by that name."));
    }
    let listens = headers.contains_key(header::UPGRADE);
    if (listens || !matches!(*method, Method::GET | Method::HEAD)) && is_foreign(headers, uri) {
        return Err(Failure::new(Code::ForeignOrigin, "A page of another site may not do this."));
    }
    let metered = path.starts_with("/api/v1/") || matches!(path, "/healthz" | "/readyz");
    if let Some(client) = client
        && metered
        && !gate.pace.allows(client, cost(method, path))
    {
        gate.shared.metrics.limited.increment(1);
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
    fn only_trusted_proxies_say_who_asks() {
        let proxies: Vec<IpNet> = vec!["127.0.0.1/32".parse().unwrap(), "10.0.0.0/8".parse().unwrap()];
        let of = |peer: &str, name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(HeaderName::from_static(name), value.parse().unwrap());
            client(&proxies, peer.parse().unwrap(), &headers).to_string()
        };
        let xff = "x-forwarded-for";
        assert_eq!(of("127.0.0.1", xff, "203.0.113.7"), "203.0.113.7");
        assert_eq!(of("::ffff:127.0.0.1", xff, "203.0.113.7"), "203.0.113.7");
        assert_eq!(of("198.51.100.9", xff, "203.0.113.7"), "198.51.100.9", "a stranger is not believed");
        assert_eq!(
            of("127.0.0.1", xff, "6.6.6.6, 203.0.113.7, 10.1.2.3"),
            "203.0.113.7",
            "made up at the left"
        );
        assert_eq!(of("127.0.0.1", xff, "10.1.1.1, 10.1.2.3"), "10.1.1.1", "all of them are ours");
        assert_eq!(of("127.0.0.1", xff, "6.6.6.6, rubbish"), "127.0.0.1");
        assert_eq!(
            of("127.0.0.1", "forwarded", "for=6.6.6.6, For=\"[2001:db8::7]:4711\";proto=https"),
            "2001:db8::7"
        );
        assert_eq!(of("127.0.0.1", "forwarded", "for=203.0.113.7:99"), "203.0.113.7");
        assert_eq!(of("127.0.0.1", "forwarded", "for=_hidden"), "127.0.0.1");
        assert_eq!(of("127.0.0.1", "x-other", "203.0.113.7"), "127.0.0.1");
    }

    #[test]
    fn a_network_of_ipv6_is_one_asker() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
    }
}
