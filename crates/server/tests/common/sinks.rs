//! Where notices arrive in tests: a mail server, and a server for webhooks and Web Push, both on the loopback.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// How long a test waits for something to arrive.
const PATIENCE: Duration = Duration::from_secs(20);

/// A letter as it was sent.
#[derive(Debug, Clone)]
pub struct Letter {
    pub from: String,
    pub to: Vec<String>,
    pub text: String,
}

impl Letter {
    /// A header, unfolded.
    pub fn header(&self, name: &str) -> Option<String> {
        let head = self.text.split("\r\n\r\n").next().unwrap_or_default().replace("\r\n ", " ");
        let prefix = format!("{name}: ");
        head.split("\r\n").find_map(|line| line.strip_prefix(&prefix).map(str::to_owned))
    }

    /// What follows this in the text, up to the end of the line.
    pub fn after(&self, mark: &str) -> String {
        let text = self.text.replace("=\r\n", "").replace("=3D", "=");
        let rest = text.split_once(mark).unwrap_or_else(|| panic!("no {mark} in {text}")).1;
        rest.split_whitespace().next().unwrap_or_default().to_owned()
    }
}

/// A request as it was sent.
#[derive(Debug, Clone)]
pub struct Call {
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Call {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

type Arrived<T> = Arc<Mutex<Vec<T>>>;
type Answer = Arc<Mutex<Option<String>>>;

/// What has arrived.
#[derive(Debug)]
pub struct Sink<T> {
    pub addr: SocketAddr,
    arrived: Arrived<T>,
    /// What it answers from now on; none answers nothing at all.
    answer: Answer,
}

impl<T: Clone + Send + 'static> Sink<T> {
    async fn open<F>(answer: &str, hear: fn(TcpStream, Arrived<T>, Answer) -> F) -> Self
    where
        F: Future<Output = Option<()>> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let (arrived, answer) = (Arc::default(), Arc::new(Mutex::new(Some(answer.to_owned()))));
        let (heard, said) = (Arc::clone(&arrived), Arc::clone(&answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(hear(stream, Arc::clone(&heard), Arc::clone(&said)));
            }
        });
        Sink { addr, arrived, answer }
    }

    pub fn answer(&self, answer: Option<&str>) {
        *self.answer.lock().unwrap() = answer.map(str::to_owned);
    }

    pub fn all(&self) -> Vec<T> {
        self.arrived.lock().unwrap().clone()
    }

    /// The first so many, when they are there.
    pub async fn first(&self, count: usize) -> Vec<T> {
        let there = async {
            while self.all().len() < count {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(PATIENCE, there)
            .await
            .unwrap_or_else(|_| panic!("{} of {count}", self.all().len()));
        self.all()
    }
}

pub async fn mail() -> Sink<Letter> {
    Sink::open("250 taken", converse).await
}

pub async fn web() -> Sink<Call> {
    Sink::open("201 Created", listen).await
}

/// A conversation with a mail program.
async fn converse(stream: TcpStream, arrived: Arc<Mutex<Vec<Letter>>>, answer: Answer) -> Option<()> {
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 sink ESMTP\r\n").await.ok()?;
    let mut letter = Letter { from: String::new(), to: Vec::new(), text: String::new() };
    let mut line = String::new();
    loop {
        line.clear();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let said = line.trim_end();
        let reply = match said.get(..4).unwrap_or_default().to_ascii_uppercase().as_str() {
            "EHLO" => "250 sink",
            "MAIL" => {
                said.clone_into(&mut letter.from);
                "250 ok"
            }
            "RCPT" => {
                letter.to.push(said.to_owned());
                "250 ok"
            }
            "DATA" => {
                stream.write_all(b"354 go on\r\n").await.ok()?;
                loop {
                    line.clear();
                    stream.read_line(&mut line).await.ok()?;
                    if line == ".\r\n" {
                        break;
                    }
                    letter.text.push_str(&line);
                }
                let said = answer.lock().unwrap().clone();
                let taken = said.as_ref().is_none_or(|said| said.starts_with('2'));
                if taken {
                    arrived.lock().unwrap().push(letter.clone());
                }
                let Some(said) = said else { return std::future::pending().await };
                letter.text.clear();
                letter.to.clear();
                stream.write_all(format!("{said}\r\n").as_bytes()).await.ok()?;
                continue;
            }
            "QUIT" => {
                stream.write_all(b"221 bye\r\n").await.ok()?;
                return Some(());
            }
            _ => "250 ok",
        };
        stream.write_all(format!("{reply}\r\n").as_bytes()).await.ok()?;
    }
}

/// One request.
async fn listen(stream: TcpStream, arrived: Arc<Mutex<Vec<Call>>>, answer: Answer) -> Option<()> {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    stream.read_line(&mut line).await.ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        line.clear();
        stream.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_owned(), value.to_owned()));
    }
    let mut call = Call { path, headers, body: Vec::new() };
    let length = call.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    call.body = vec![0; length];
    stream.read_exact(&mut call.body).await.ok()?;
    arrived.lock().unwrap().push(call);
    let said = answer.lock().unwrap().clone();
    let Some(said) = said else { return std::future::pending().await };
    let text = format!("HTTP/1.1 {said}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    stream.write_all(text.as_bytes()).await.ok()
}
