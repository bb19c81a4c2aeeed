use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use study::{Error, Progress, Run, Shard, Summary};

use crate::say::say;
use crate::{Failure, Outcome, files};

/// Play the games of a study and write tables and a report.
#[derive(Args)]
pub(crate) struct StudyFile {
    /// The study: a TOML file (docs/laboratory.md tells what is in it).
    file: PathBuf,
    /// The folder for batches, tables and report; a study that was stopped goes on there.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Play only this part of the work, as in 3/64. Run without it to add up what all parts have played.
    #[arg(long, value_name = "PART/PARTS")]
    shard: Option<Shard>,
    /// Write the tables of games and turns as CSV too.
    #[arg(long)]
    csv: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
    /// Print how far it is as lines of JSON, for programs: {"done":120,"of":1000}.
    #[arg(long, conflicts_with_all = ["json", "shard"])]
    progress: bool,
}

/// How often programs are told how far it is.
const TOLD_EVERY: Duration = Duration::from_millis(250);

impl StudyFile {
    pub(crate) fn run(self) -> Outcome {
        let text = files::read(&self.file)?;
        let beside = self.file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let study = study::Study::read(&text, beside.unwrap_or(Path::new("."))).map_err(failure)?;
        let out = self.out.clone().unwrap_or_else(|| self.file.with_extension("study"));
        let run = Run::open(study, &out).map_err(failure)?;
        let bar = if self.json || self.progress { ProgressBar::hidden() } else { ProgressBar::new(1) };
        bar.set_style(
            ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} games, {eta} left")
                .expect("a sound template"),
        );
        let last = Mutex::new(None::<Instant>);
        let tell_program = |Progress { done, of }: Progress| {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if done == of || last.is_none_or(|last| last.elapsed() >= TOLD_EVERY) {
                *last = Some(Instant::now());
                say!("{{\"done\":{done},\"of\":{of}}}");
            }
        };
        let told = |progress: Progress| {
            if self.progress {
                return tell_program(progress);
            }
            // Once is enough for the length; the bar draws at its own pace.
            if bar.length() != Some(progress.of) {
                bar.set_length(progress.of);
                bar.reset_eta();
            }
            bar.set_position(progress.done);
        };
        run.go(self.shard, &told).map_err(failure)?;
        bar.finish_and_clear();
        if let Some(shard) = self.shard {
            say!("Part {} of {} is played. Without --shard the parts are added up.", shard.number, shard.of);
            return Ok(());
        }
        let summary = run.finish(self.csv).map_err(failure)?;
        if self.json {
            let json = serde_json::to_string_pretty(&summary).map_err(|e| Failure::Machine(anyhow!(e)))?;
            say!("{json}");
        } else if !self.progress {
            tell(&summary);
            say!("Report: {}", out.join("report.html").display());
        }
        if summary.cells.iter().all(|cell| cell.endless == 0) { Ok(()) } else { Err(Failure::DoesNotHold) }
    }
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Input(message) => Failure::Input(anyhow!("{message}")),
        error => Failure::Machine(anyhow!("{error}")),
    }
}

fn tell(summary: &Summary) {
    for cell in &summary.cells {
        let change = match (&cell.change, cell.score_change) {
            (Some(name), Some(by)) => {
                format!(
                    ", {name}: {:+.1} (95 % interval {:+.1} to {:+.1})",
                    by.value * 100.0,
                    by.low * 100.0,
                    by.high * 100.0
                )
            }
            _ => String::new(),
        };
        say!(
            "{} ({}) against {} ({}), {} games: score {:.1} % (95 % interval {:.1} to {:.1}){change}",
            cell.sides.first,
            cell.players.first,
            cell.sides.second,
            cell.players.second,
            cell.games,
            cell.score.value * 100.0,
            cell.score.low * 100.0,
            cell.score.high * 100.0,
        );
        if cell.endless > 0 {
            say!("  did not end: {}", cell.endless);
        }
    }
}
