//! Which batches are still to be played, and where they are kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::statistics::{self, Estimate};
use crate::{Batch, Error, Study, Summary, report, tables};

/// One batch to be played: which cell, and which of its batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Job {
    /// The cell.
    pub cell: usize,
    /// The number of the batch.
    pub batch: u64,
}

/// A part of the work: `3/64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    pub number: u64,
    /// Of how many.
    pub of: u64,
}

impl FromStr for Shard {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            _ => Err(format!("`{text}`: write a part and how many there are, as in 3/64")),
        }
    }
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Games played.
    pub done: u64,
    /// Games that are known to be needed so far.
    pub of: u64,
}

/// A study and the folder that its batches are kept in.
#[derive(Debug)]
pub struct Run {
    /// The study.
    pub study: Study,
    folder: PathBuf,
}

impl Run {
    /// Opens the folder of a study, which may have been begun.
    ///
    /// # Errors
    /// When the folder holds another study or cannot be written.
    pub fn open(study: Study, folder: &Path) -> Result<Run, Error> {
        let batches = folder.join("batches");
        fs::create_dir_all(&batches).map_err(Error::file(format!("the folder {}", batches.display())))?;
        let mark = folder.join("fingerprint");
        match fs::read_to_string(&mark) {
            Ok(known) if known.trim() == study.fingerprint => {}
            Ok(_) => {
                return Err(Error::Input(format!(
                    "{} holds a study with other scenarios, players, rules or numbers; choose another --out, or delete it to begin anew",
                    folder.display()
                )));
            }
            Err(_) => write_whole(&mark, study.fingerprint.as_bytes())?,
        }
        Ok(Run { study, folder: folder.to_owned() })
    }

    /// The games of a batch.
    #[must_use]
    pub fn games_of(&self, job: Job) -> std::ops::Range<u64> {
        let from = job.batch * self.study.batch;
        from..(from + self.study.batch).min(self.study.games)
    }

    fn path(&self, job: Job) -> PathBuf {
        self.folder.join("batches").join(format!("{:04}-{:06}.zst", job.cell, job.batch))
    }

    /// Reads a batch that has been played; none if it has not, or its file is damaged.
    fn read(&self, job: Job) -> Option<Batch> {
        let batch = Batch::from_bytes(&fs::read(self.path(job)).ok()?)?;
        let games = self.games_of(job);
        let right = batch.games.iter().map(|row| row.game).eq(games);
        right.then_some(batch)
    }

    /// Plays a batch, on every core.
    ///
    /// # Errors
    /// When the study checks invariants and one is broken.
    pub fn play(&self, job: Job, done: &(dyn Fn() + Sync)) -> Result<Batch, Error> {
        Batch::play(&self.study, &self.study.cells[job.cell], self.games_of(job), done)
    }

    /// Keeps a batch. Keeping the same one twice changes nothing.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, job: Job, bytes: &[u8]) -> Result<(), Error> {
        if self.path(job).is_file() && self.read(job).is_some() {
            return Ok(());
        }
        write_whole(&self.path(job), bytes)
    }

    /// How many batches each cell needs, as far as what has been played tells; each cell's first `n` batches are needed.
    fn needed(&self) -> Vec<u64> {
        let all = self.study.games.div_ceil(self.study.batch);
        let Some(interval) = self.study.interval else { return vec![all; self.study.cells.len()] };
        let cells = (0..self.study.cells.len()).into_par_iter();
        let mut needed: Vec<u64> = cells.map(|cell| self.needed_by(cell, interval, all)).collect();
        // What is compared is played as often as what it is compared with.
        for cell in 0..needed.len() {
            if let Some(base) = self.study.cells[cell].base {
                needed[base] = needed[base].max(needed[cell]);
            }
        }
        needed
    }

    /// The batches of one cell until its interval is narrow enough. Looked at only after whole rounds, so that it does not
    /// matter in what order batches were played.
    fn needed_by(&self, cell: usize, interval: f64, all: u64) -> u64 {
        let least = 200_u64.div_ceil(self.study.batch).min(all);
        let (mut won, mut drawn, mut games) = (0, 0, 0);
        let (mut counted, mut round) = (0, least);
        loop {
            while counted < round {
                let Some(batch) = self.read(Job { cell, batch: counted }) else { return round };
                won += batch.games.iter().filter(|row| row.half_points == Some(2)).count() as u64;
                drawn += batch.games.iter().filter(|row| row.half_points == Some(1)).count() as u64;
                games += batch.games.len() as u64;
                counted += 1;
            }
            let width = Estimate::half_width(&statistics::score(won, drawn, games));
            if width <= interval || round == all {
                return round;
            }
            // As many as that width promises to take, at most twice as many at a time.
            let due = (counted as f64 * (width / interval).powi(2)).ceil() as u64;
            round = due.clamp(round + 1, round * 2).min(all);
        }
    }

    /// The batches that are still to be played in this round; empty when the study is done.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        self.wanted().into_iter().filter(|job| self.read(*job).is_none()).collect()
    }

    fn wanted(&self) -> Vec<Job> {
        let needed = self.needed();
        needed
            .iter()
            .enumerate()
            .flat_map(|(cell, n)| (0..*n).map(move |batch| Job { cell, batch }))
            .collect()
    }

    /// Plays what is missing of a shard, or of the whole study, and tells how far it is.
    ///
    /// # Errors
    /// When a batch cannot be written, or a shard is asked of a study that adapts.
    pub fn go(&self, shard: Option<Shard>, told: &(dyn Fn(Progress) + Sync)) -> Result<(), Error> {
        if shard.is_some() && self.study.interval.is_some() {
            return Err(Error::Input(
                "--shard needs a fixed number of games: give `games` instead of `interval`".into(),
            ));
        }
        loop {
            let wanted = self.wanted();
            let mine = |index: usize| shard.is_none_or(|s| index as u64 % s.of == s.number - 1);
            let wanted: Vec<Job> =
                wanted.into_iter().enumerate().filter(|(i, _)| mine(*i)).map(|(_, job)| job).collect();
            let missing: Vec<Job> = wanted.iter().copied().filter(|job| self.read(*job).is_none()).collect();
            if missing.is_empty() {
                return Ok(());
            }
            let count = |jobs: &[Job]| -> u64 {
                jobs.iter().map(|job| self.games_of(*job)).map(|games| games.end - games.start).sum()
            };
            let of = count(&wanted);
            let done = AtomicU64::new(of - count(&missing));
            told(Progress { done: done.load(Ordering::Relaxed), of });
            let one = || told(Progress { done: done.fetch_add(1, Ordering::Relaxed) + 1, of });
            missing.par_iter().try_for_each(|job| self.keep(*job, &self.play(*job, &one)?.to_bytes()))?;
            if shard.is_some() {
                return Ok(());
            }
        }
    }

    /// Adds everything up and writes tables and report.
    ///
    /// # Errors
    /// When batches are missing, or a file cannot be written.
    pub fn finish(&self, csv: bool) -> Result<Summary, Error> {
        let missing = self.jobs().len();
        if missing > 0 {
            return Err(Error::Input(format!(
                "{missing} batches have not been played yet; run the study again to play them"
            )));
        }
        let mut summary = Summary::begin(&self.study);
        let mut tables = tables::Tables::create(&self.folder, &self.study, csv)?;
        for job in self.wanted() {
            let Some(batch) = self.read(job) else { continue };
            tables.add(&self.study, job.cell, &batch)?;
            summary.add(job.cell, batch);
        }
        tables.close()?;
        summary.finish(&self.study);
        write_whole(&self.folder.join("summary.csv"), tables::summary(&summary).as_bytes())?;
        write_whole(&self.folder.join("report.html"), report::page(&self.study, &summary).as_bytes())?;
        Ok(summary)
    }
}

/// Writes a file so that it is there whole or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let beside = path.with_extension(format!("{}.part", std::process::id()));
    fs::write(&beside, bytes)
        .and_then(|()| fs::rename(&beside, path))
        .map_err(Error::file(format!("{} cannot be written", path.display())))
}
