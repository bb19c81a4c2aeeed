//! Setting up scenarios that players bring along. It takes as much time as its author likes, so it is done a few at a
//! time, first in a program of its own that can be ended, and never in the way of the games.

use std::ffi::OsString;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Config;
use crate::metrics::{Metrics, observe};
use crate::trial::{Question, Trial, Verdict};
use host::Failure;
use host::wire::Code;

/// How many may wait for their turn, for each that is at work.
const QUEUE: usize = 4;
/// How long they wait.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest verdict that is listened to.
const LONGEST: u64 = 1 << 20;

/// The pool.
#[derive(Debug)]
pub(crate) struct Compilers {
    turns: Arc<Semaphore>,
    waiting: AtomicUsize,
    queue: usize,
    within: Duration,
    trial: Option<Vec<OsString>>,
}

/// The right to set a scenario up.
pub(crate) type Turn = OwnedSemaphorePermit;

impl Compilers {
    pub(crate) fn new(config: &Config) -> Self {
        let places = config.compilers.max(1);
        Compilers {
            turns: Arc::new(Semaphore::new(places)),
            waiting: AtomicUsize::new(0),
            queue: places * QUEUE,
            within: config.compile_within,
            trial: config.trial.clone(),
        }
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Whether more wait than will come to their turn soon.
    pub(crate) fn saturated(&self) -> bool {
        self.waiting() >= self.queue
    }

    /// Waits for a turn, if not too many do already.
    pub(crate) async fn turn(&self, metrics: &Metrics) -> Result<Turn, Failure> {
        let busy = || {
            metrics.busy.increment(1);
            Failure::new(Code::Busy, "Too many scenarios are being set up; try again in a moment.")
        };
        if let Ok(turn) = self.turns.clone().try_acquire_owned() {
            return Ok(turn);
        }
        let _waits = Waits::new(self).ok_or_else(busy)?;
        let turn = tokio::time::timeout(PATIENCE, self.turns.clone().acquire_owned()).await;
        turn.ok().and_then(Result::ok).ok_or_else(busy)
    }

    /// Tries a scenario or a situation in a program of its own, which is ended when it takes too long.
    pub(crate) async fn try_out(&self, trial: Trial<'_>, metrics: &Metrics) -> Result<(), Failure> {
        let Some([program, arguments @ ..]) = self.trial.as_deref() else { return Ok(()) };
        let failed = |error: std::io::Error| {
            tracing::error!(%error, "a scenario cannot be tried out");
            Failure::internal("a scenario cannot be tried out")
        };
        let question = Question { trial, seconds: self.within.as_secs().max(1) };
        let question = serde_json::to_vec(&question).map_err(|e| failed(e.into()))?;
        let started = Instant::now();
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let heard = async {
            if let Some(mut stdin) = stdin {
                stdin.write_all(&question).await?;
            }
            let mut verdict = Vec::new();
            if let Some(stdout) = stdout {
                stdout.take(LONGEST).read_to_end(&mut verdict).await?;
            }
            child.wait().await?;
            Ok::<_, std::io::Error>(verdict)
        };
        // The machine may be busy: it is the child's own time that is limited, this is for one that does nothing.
        let heard = tokio::time::timeout(self.within * 3, heard).await;
        observe(&metrics.compiled, started.elapsed());
        let heard = heard.ok().and_then(Result::ok).unwrap_or_default();
        // It stands on the last line: a program may have something to say before.
        let last = heard.rsplit(|byte| *byte == b'\n').find(|line| !line.is_empty());
        let verdict = last.and_then(|line| serde_json::from_slice::<Verdict>(line).ok());
        match verdict {
            Some(Verdict::Holds) => Ok(()),
            Some(Verdict::NoSuchScenario { message }) => Err(Failure::new(Code::NoSuchScenario, message)),
            Some(Verdict::Faulty { message, faults }) => Err(Failure::faulty(message, faults)),
            None => Err(Failure::new(
                Code::FaultyScenario,
                format!(
                    "This takes too long to set up (more than {} s) or too much memory; make it smaller.",
                    self.within.as_secs_f32()
                ),
            )),
        }
    }
}

/// One that waits, counted while it does.
struct Waits<'a>(&'a Compilers);

impl<'a> Waits<'a> {
    fn new(compilers: &'a Compilers) -> Option<Self> {
        let waiting = compilers.waiting.fetch_add(1, Ordering::AcqRel);
        let waits = Waits(compilers);
        (waiting < compilers.queue).then_some(waits)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::AcqRel);
    }
}
