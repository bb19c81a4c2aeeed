//! The other end of [`Config::trial`](crate::Config::trial): a program of its own that sets one scenario up, says what it
//! found, and ends. It asks for little processor time and memory, so that the system ends it if it wants more.

use std::io::{Read, Write};

use catalogue::OpenError;
use game::Options;
use serde::{Deserialize, Serialize};

use host::wire::TextFault;
use host::{Books, text_faults};

/// The most memory it may have, in bytes.
const MEMORY: u64 = 1 << 30;
/// The longest question.
const LONGEST: u64 = 16 << 20;

/// What is tried.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "try", rename_all = "snake_case")]
pub(crate) enum Trial<'a> {
    /// Whether a scenario can be set up.
    Scenario { id: &'a str, text: &'a str, options: &'a Options },
    /// Whether a situation can be shown.
    Demonstration { text: &'a str },
}

/// What is asked.
#[derive(Debug, Serialize)]
pub(crate) struct Question<'a> {
    #[serde(flatten)]
    pub(crate) trial: Trial<'a>,
    pub(crate) seconds: u64,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "try", rename_all = "snake_case")]
enum Tried {
    Scenario { id: String, text: String, options: Options },
    Demonstration { text: String },
}

#[derive(Debug, Deserialize)]
struct Asked {
    #[serde(flatten)]
    tried: Tried,
    seconds: u64,
}

/// What is answered.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "found", rename_all = "snake_case")]
pub(crate) enum Verdict {
    Holds,
    NoSuchScenario { message: String },
    Faulty { message: String, faults: Vec<TextFault> },
}

/// Reads a question from the standard input, sets its scenario up and writes the verdict to the standard output.
///
/// # Errors
/// When either cannot be done.
pub fn trial(books: &dyn Books) -> std::io::Result<()> {
    let mut question = Vec::new();
    std::io::stdin().take(LONGEST).read_to_end(&mut question)?;
    let asked: Asked = serde_json::from_slice(&question)?;
    confine(asked.seconds);
    let (tried, text) = match &asked.tried {
        // What the board draws once, and what a list says, are made when a game is; they count too.
        Tried::Scenario { id, text, options } => {
            (books.open_text(id, text, options).map(|s| drop((s.info(), s.board()))), text)
        }
        Tried::Demonstration { text } => (books.demonstrate(text).map(drop), text),
    };
    let verdict = match tried {
        Ok(()) => Verdict::Holds,
        Err(OpenError::Unknown(id)) => {
            Verdict::NoSuchScenario { message: format!("There is no scenario `{id}`.") }
        }
        Err(OpenError::System(message)) => Verdict::Faulty { message, faults: Vec::new() },
        Err(OpenError::Faults { report: message, faults }) => {
            Verdict::Faulty { message, faults: text_faults(&faults, text) }
        }
    };
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, &verdict)?;
    out.flush()
}

/// Asks the system for no more than this much time and memory, behind everybody else.
#[cfg(unix)]
fn confine(seconds: u64) {
    use rustix::process::{Resource, Rlimit, setpriority_process, setrlimit};
    let limit = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    // A system that does not know one of them leaves it to the server to end this program.
    let _ = setrlimit(Resource::Cpu, limit(seconds));
    let _ = setrlimit(Resource::As, limit(MEMORY));
    let _ = setpriority_process(None, 15);
}

#[cfg(not(unix))]
fn confine(_: u64) {}
