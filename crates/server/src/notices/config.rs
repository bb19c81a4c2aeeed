use std::time::Duration;

use ipnet::IpNet;

/// How notices are sent.
#[derive(Debug, Clone)]
pub struct NoticeConfig {
    /// Where players open the board: `https://linstock.example`. Links in notices begin with it.
    pub url: String,
    /// The mail server: `smtps://user:password@mail.example`, `smtp://mail.example:587?tls=required`, or `smtp://localhost:25`.
    /// Without one no letters are sent.
    pub smtp: Option<String>,
    /// Whom letters come from: `Linstock <linstock@example.org>`.
    pub from: Option<String>,
    /// The private key for Web Push, 32 bytes in base64url; one is made and kept in the database if none is given.
    pub vapid: Option<String>,
    /// Networks that notices may reach although they are internal.
    pub internal: Vec<IpNet>,
    /// How long a notice waits, so that whoever is looking is told nothing.
    pub grace: Duration,
    /// How often a server looks for what is due.
    pub beat: Duration,
    /// How long a server has what it took to itself.
    pub lease: Duration,
}

impl Default for NoticeConfig {
    fn default() -> Self {
        NoticeConfig {
            url: String::new(),
            smtp: None,
            from: None,
            vapid: None,
            internal: Vec::new(),
            grace: Duration::from_secs(15),
            beat: Duration::from_secs(1),
            lease: Duration::from_secs(180),
        }
    }
}
