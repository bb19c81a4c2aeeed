//! Requests to addresses that players have given. A server stands where they do not: nothing is sent to an internal address
//! unless the operator allows it, the connection goes to the very address that was looked at, and nobody is followed elsewhere.

use std::net::{IpAddr, SocketAddr};
use std::sync::LazyLock;
use std::time::Duration;

use host::Failure;
use host::wire::{Code, WebhookFormat};
use ipnet::IpNet;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, StatusCode, Url, redirect};
use serde_json::json;

use super::words::{Item, heading};

/// How long a name may take to be looked up, and a request to be answered.
const FOUND_WITHIN: Duration = Duration::from_secs(5);
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);
/// The longest text that is sent to a chat.
const LONGEST: usize = 1500;

/// Addresses that are nobody's on the open Internet.
static INTERNAL: LazyLock<Vec<IpNet>> = LazyLock::new(|| {
    [
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
        // Of IPv6 only 2000::/3 is open; within it, what is written down for examples or leads back into IPv4.
        "::/3",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "4000::/2",
        "8000::/1",
    ]
    .into_iter()
    .filter_map(|net| net.parse().ok())
    .collect()
});

/// Why something was not sent.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    /// It will not go better another time.
    pub(super) for_good: bool,
    /// Whoever wanted to be told there no longer is.
    pub(super) gone: bool,
    /// For people.
    pub(super) why: String,
}

impl Fault {
    pub(super) fn for_good(why: impl Into<String>) -> Self {
        Fault { for_good: true, gone: false, why: why.into() }
    }

    pub(super) fn passing(why: impl Into<String>) -> Self {
        Fault { for_good: false, gone: false, why: why.into() }
    }
}

/// Whether nothing may be sent there.
fn is_internal(ip: IpAddr, allowed: &[IpNet]) -> bool {
    let ip = ip.to_canonical();
    let within = |nets: &[IpNet]| nets.iter().any(|net| net.contains(&ip));
    within(&INTERNAL) && !within(allowed)
}

/// An address as somebody has typed it.
pub(super) fn read(text: &str) -> Result<Url, Failure> {
    let wrong =
        || Failure::new(Code::Malformed, "Give an address that begins with https:// and names no user.");
    let url = Url::parse(text.trim()).map_err(|_| wrong())?;
    let named = url.username().is_empty() && url.password().is_none() && url.host_str().is_some();
    if !named || !matches!(url.scheme(), "https" | "http") || url.as_str().len() > 1000 {
        return Err(wrong());
    }
    Ok(url)
}

/// Where an address leads, if something may be sent there.
pub(super) async fn find(url: &Url, allowed: &[IpNet]) -> Result<Vec<SocketAddr>, Fault> {
    let port = url.port_or_known_default().unwrap_or(443);
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let looked = tokio::time::timeout(FOUND_WITHIN, tokio::net::lookup_host((host.as_str(), port))).await;
    let found: Vec<SocketAddr> = match looked {
        Ok(Ok(found)) => found.collect(),
        Ok(Err(_)) | Err(_) => return Err(Fault::passing(format!("There is no {host}."))),
    };
    if found.iter().any(|addr| is_internal(addr.ip(), allowed)) {
        return Err(Fault::for_good("This address is internal to the server's network."));
    }
    // In the open, and in nobody's network, words are sealed.
    let ours = |addr: &SocketAddr| allowed.iter().any(|net| net.contains(&addr.ip().to_canonical()));
    if url.scheme() != "https" && !found.iter().all(ours) {
        return Err(Fault::for_good("Only addresses that begin with https:// are called."));
    }
    if found.is_empty() {
        return Err(Fault::passing(format!("There is no {host}.")));
    }
    Ok(found)
}

/// Sends a request, and answers what came of it. The answer's text is not read.
pub(super) async fn post(
    url: &Url,
    headers: HeaderMap,
    body: Vec<u8>,
    allowed: &[IpNet],
) -> Result<StatusCode, Fault> {
    let found = find(url, allowed).await?;
    let client = Client::builder()
        .no_proxy()
        .redirect(redirect::Policy::none())
        .timeout(ANSWERED_WITHIN)
        .resolve_to_addrs(url.host_str().unwrap_or_default(), &found)
        .user_agent("Linstock")
        .build()
        .map_err(|error| Fault::passing(error.to_string()))?;
    let sent = client.post(url.clone()).headers(headers).body(body).send().await;
    sent.map(|answer| answer.status()).map_err(|error| {
        tracing::debug!(%error, "a call was not answered");
        Fault::passing("It did not answer.")
    })
}

/// What a program is told.
pub(super) fn message(format: WebhookFormat, delivery: &str, items: &[Item]) -> serde_json::Value {
    let lines = |say: &dyn Fn(&str) -> String, link: &dyn Fn(&str) -> String| {
        let each = items.iter().map(|item| format!("{} {}", say(&item.text), link(&item.link)));
        each.collect::<Vec<_>>().join("\n").chars().take(LONGEST).collect::<String>()
    };
    let bare = |link: &str| link.to_owned();
    match format {
        WebhookFormat::Json => json!({ "delivery": delivery, "text": heading(items), "notices": items }),
        WebhookFormat::Discord => {
            json!({ "content": lines(&unmarked, &bare), "allowed_mentions": { "parse": [] } })
        }
        WebhookFormat::Slack => json!({ "text": lines(&escaped, &bare) }),
    }
}

/// Without anything that Discord would take for markup.
fn unmarked(text: &str) -> String {
    let mark = |c: char| "\\*_~`|>#[]()<:@".contains(c);
    text.chars().flat_map(|c| mark(c).then_some('\\').into_iter().chain([c])).collect()
}

/// The same for Slack.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Calls a program.
pub(super) async fn call(
    url: &str,
    format: WebhookFormat,
    delivery: &str,
    items: &[Item],
    allowed: &[IpNet],
) -> Result<(), Fault> {
    let url = Url::parse(url).map_err(|_| Fault::for_good("The address cannot be read."))?;
    let mut headers = HeaderMap::new();
    headers.insert(reqwest::header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let key = HeaderValue::try_from(delivery).map_err(|_| Fault::for_good("The id cannot be written."))?;
    headers.insert(HeaderName::from_static("idempotency-key"), key);
    let body = message(format, delivery, items).to_string().into_bytes();
    let status = post(&url, headers, body, allowed).await?;
    match status {
        status if status.is_success() => Ok(()),
        StatusCode::TOO_MANY_REQUESTS => Err(Fault::passing("It asks to wait.")),
        status if status.is_server_error() => Err(Fault::passing(format!("It answered {status}."))),
        status => Err(Fault::for_good(format!("It answered {status}."))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internal_addresses_are_known() {
        let internal = |ip: &str| is_internal(ip.parse().unwrap(), &[]);
        for ip in [
            "127.0.0.1",
            "10.1.2.3",
            "172.31.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "fe80::1",
            "fd00::1",
            "ff02::1",
            "2002:7f00:1::",
        ] {
            assert!(internal(ip), "{ip}");
        }
        for ip in ["1.1.1.1", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"] {
            assert!(!internal(ip), "{ip}");
        }
        assert!(!is_internal("127.0.0.1".parse().unwrap(), &["127.0.0.0/8".parse().unwrap()]));
    }

    #[tokio::test]
    async fn an_address_is_refused_however_it_is_written() {
        for text in [
            "https://127.0.0.1/",
            "https://0x7f000001/",
            "https://2130706433/",
            "https://[::1]/",
            "https://[::ffff:169.254.169.254]/latest/meta-data",
            "https://localhost:8080/",
        ] {
            let fault = find(&read(text).unwrap(), &[]).await.unwrap_err();
            assert!(fault.for_good, "{text}: {}", fault.why);
        }
        for text in
            ["ftp://example.org/", "https://user:word@example.org/", "example.org", "file:///etc/passwd"]
        {
            assert!(read(text).is_err(), "{text}");
        }
        let open = find(&read("http://1.1.1.1/").unwrap(), &[]).await.unwrap_err();
        assert!(open.why.contains("https"), "{}", open.why);
    }

    #[test]
    fn what_players_write_is_no_markup() {
        let item = Item {
            game: "g".into(),
            occasion: "turn",
            title: "t".into(),
            opponent: "o".into(),
            text: "@everyone [x](https://evil.example) <b>&".into(),
            link: "https://l/#/game/g".into(),
        };
        let text = |format, part: &str| message(format, "d", std::slice::from_ref(&item))[part].to_string();
        assert!(text(WebhookFormat::Discord, "content").contains(r"\\@everyone \\[x\\]\\(https\\://evil"));
        assert!(text(WebhookFormat::Slack, "text").contains("&lt;b&gt;&amp;"));
    }
}
