//! Letters, by SMTP.

use std::time::Duration;

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MessageBuilder};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use super::calls::Fault;
use super::words::{Item, heading};

/// How long a mail server may take for each step.
const ANSWERED_WITHIN: Duration = Duration::from_secs(15);
const LONGEST: usize = 254;

/// The way to the mail server.
#[derive(Debug)]
pub(super) struct Letters {
    server: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

/// An address as it is kept: in small letters, so that it is the same however it is typed.
pub(super) fn address(typed: &str) -> Option<String> {
    let address = typed.trim().to_lowercase();
    let sound = address.len() <= LONGEST && address.is_ascii() && !address.contains(['"', '[', '\\']);
    (sound && address.parse::<Address>().is_ok()).then_some(address)
}

/// Where one stops letters with one click, and where one sets them.
#[derive(Debug)]
pub(super) struct Leave {
    pub(super) click: String,
    pub(super) settings: String,
}

impl Letters {
    pub(super) fn open(server: &str, from: &str) -> Result<Self, String> {
        let from: Mailbox =
            from.parse().map_err(|error| format!("the sender {from} is no address: {error}"))?;
        let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(server)
            .map_err(|error| format!("the mail server's address cannot be read: {error}"))?;
        Ok(Letters { server: server.timeout(Some(ANSWERED_WITHIN)).build(), from })
    }

    /// The sender's address.
    pub(super) fn from(&self) -> &Address {
        &self.from.email
    }

    fn begin(&self, to: &str, id: &str, subject: String) -> Result<MessageBuilder, Fault> {
        let to: Address = to.parse().map_err(|_| Fault::for_good("The address is not sound."))?;
        Ok(Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            // The same however often it is sent: whoever gets it twice sees one.
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .subject(subject)
            .header(ContentType::TEXT_PLAIN))
    }

    async fn send(&self, mut letter: Message, headers: &[(&'static str, String)]) -> Result<(), Fault> {
        for (name, value) in headers {
            let name = HeaderName::new_from_ascii_str(name);
            // Made by us alone, in ASCII and without a line's end.
            let value = HeaderValue::dangerous_new_pre_encoded(name, value.clone(), value.clone());
            letter.headers_mut().insert_raw(value);
        }
        let sent = self.server.send(letter).await;
        sent.map(drop).map_err(|error| {
            tracing::info!(%error, "a letter was not taken");
            if error.is_permanent() {
                Fault::for_good("The mail server refused the letter.")
            } else {
                Fault::passing("The mail server did not take the letter.")
            }
        })
    }

    /// Sends what there is to tell.
    pub(super) async fn tell(
        &self,
        to: &str,
        delivery: &str,
        items: &[Item],
        leave: &Leave,
    ) -> Result<(), Fault> {
        let lines: Vec<String> = items.iter().map(|item| format!("{}\n{}\n", item.text, item.link)).collect();
        let text = format!(
            "{}\n-- \nWhat Linstock tells you, and when: {}\nNo more letters: {}\n",
            lines.join("\n"),
            leave.settings,
            leave.click
        );
        let letter = self.begin(to, delivery, heading(items))?.body(text);
        let letter = letter.map_err(|_| Fault::for_good("The letter cannot be written."))?;
        let headers = [
            ("Auto-Submitted", "auto-generated".to_owned()),
            ("List-Unsubscribe", format!("<{}>", leave.click)),
            ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()),
        ];
        self.send(letter, &headers).await
    }

    /// Sends a link that its reader asked for.
    pub(super) async fn link(&self, to: &str, id: &str, subject: &str, text: String) -> Result<(), Fault> {
        let letter = self.begin(to, id, subject.to_owned())?.body(text);
        let letter = letter.map_err(|_| Fault::for_good("The letter cannot be written."))?;
        self.send(letter, &[("Auto-Submitted", "auto-generated".to_owned())]).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_address_and_nothing_else() {
        assert_eq!(address(" Ada@Example.org ").as_deref(), Some("ada@example.org"));
        for wrong in [
            "",
            "ada",
            "ada@example.org\r\nBcc: eve@example.org",
            "ada@example.org, eve@example.org",
            "Ada <ada@example.org>",
            "\"a b\"@example.org",
            "ada@[127.0.0.1]",
            "ada@exa mple.org",
            "ada@exämple.org",
            &format!("{}@example.org", "a".repeat(300)),
        ] {
            assert_eq!(address(wrong), None, "{wrong}");
        }
    }
}
