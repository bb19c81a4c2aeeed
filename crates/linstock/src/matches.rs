//! Matches between computer players, and the ladder of the levels.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, anyhow};
use catalogue::Scenario;
use clap::Args;
use game::Options;
use indicatif::{ProgressBar, ProgressStyle};
use players::{Bounds, Duel, Level, Pair, Player, Verdict};
use serde::{Deserialize, Serialize};

use crate::say::say;
use crate::{Failure, Outcome, files};

/// The scenario of each system that newcomers begin with.
const FIRST_BATTLES: [&str; 5] = [
    "battle-hymn/mcphersons-ridge",
    "brigade-battles/sunken-road",
    "american-revolution/the-cabin",
    "hallowed-ground/crossroads",
    "fields-of-honor/drill-ground",
];
/// Pairs played side by side before a sequential test looks again; the same on every machine.
const BATCH: u64 = 8;

/// A match between two computer players: every seed twice, with the sides swapped.
#[derive(Args)]
pub(crate) struct Match {
    /// The challenger: a level, or a General of your own such as `general:rollouts=128,candidates=8,turns=0,width=8`.
    challenger: String,
    /// Whom it challenges.
    champion: String,
    /// The scenario: an id of `linstock list`, or a file; may be given several times. The first battle of every system if
    /// none is.
    #[arg(long = "scenario", value_name = "SCENARIO")]
    scenarios: Vec<String>,
    /// How many pairs of games on each scenario, at the most.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pairs: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop as soon as a sequential test can tell which of two differences in Elo holds, with errors of 5 %.
    #[arg(long, value_name = "LOW:HIGH", num_args = 0..=1, default_missing_value = "0:50", value_parser = bounds)]
    sprt: Option<Bounds>,
    /// Keep every pair in this folder, and go on from there the next time.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn bounds(text: &str) -> Result<Bounds, String> {
    let parsed = text.split_once(':').and_then(|(low, high)| {
        Some(Bounds { low: low.trim().parse().ok()?, high: high.trim().parse().ok()? })
    });
    let sound = |b: &Bounds| b.low < b.high && b.low.abs() <= 1000.0 && b.high.abs() <= 1000.0;
    parsed.filter(sound).ok_or_else(|| "write two differences in Elo, the lower first: 0:50".to_owned())
}

impl Match {
    pub(crate) fn run(self) -> Outcome {
        let player = |text: &str| Player::custom(text).map_err(|why| Failure::Input(anyhow!("{why}")));
        let (challenger, champion) = (player(&self.challenger)?, player(&self.champion)?);
        let mut rows = Vec::new();
        for id in named(&self.scenarios) {
            let scenario = files::scenario(&id, &Options::new())?;
            let bout = Bout { scenario: &*scenario, challenger, champion, quiet: self.json };
            let duel = bout.play(self.seed, self.pairs, self.sprt, self.keep.as_deref())?;
            let report = Report::of(&bout, &duel, self.sprt);
            match self.json {
                true => rows.push(report),
                false => report.print(),
            }
        }
        if self.json {
            say!("{:#}", serde_json::json!(rows));
        }
        Ok(())
    }
}

fn named(scenarios: &[String]) -> Vec<String> {
    match scenarios {
        [] => FIRST_BATTLES.map(str::to_owned).to_vec(),
        some => some.to_vec(),
    }
}

/// Two players on a scenario.
struct Bout<'s> {
    scenario: &'s dyn Scenario,
    challenger: Player,
    champion: Player,
    quiet: bool,
}

/// What a file of pairs says of itself, so that pairs of different matches are never added up.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Heading {
    challenger: String,
    champion: String,
    scenario: String,
    edition: String,
    version: String,
}

impl Bout<'_> {
    fn heading(&self) -> Heading {
        Heading {
            challenger: self.challenger.to_string(),
            champion: self.champion.to_string(),
            scenario: self.scenario.id().to_owned(),
            edition: self.scenario.system().edition().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    fn play(
        &self,
        seed: u64,
        pairs: u64,
        sprt: Option<Bounds>,
        keep: Option<&Path>,
    ) -> Result<Duel, Failure> {
        let mut book = keep.map(|folder| Book::open(folder, &self.heading())).transpose()?;
        let seeds: Vec<u64> = (0..pairs).map(|n| seed.wrapping_add(n)).collect();
        let wanted: BTreeSet<u64> = seeds.iter().copied().collect();
        let known = book.as_mut().map(|book| std::mem::take(&mut book.pairs)).unwrap_or_default();
        let mut duel = Duel::new(known.into_iter().filter(|p| wanted.contains(&p.seed)).collect());
        let done: BTreeSet<u64> = duel.pairs().iter().map(|p| p.seed).collect();
        let left: Vec<u64> = seeds.into_iter().filter(|seed| !done.contains(seed)).collect();
        let bar = if self.quiet { ProgressBar::hidden() } else { ProgressBar::new(pairs) };
        bar.set_style(
            ProgressStyle::with_template("{bar:40} {pos} of {len} pairs, {eta} left")
                .expect("a sound template"),
        );
        bar.set_position(done.len() as u64);
        for batch in left.chunks(BATCH as usize) {
            if sprt.is_some_and(|bounds| duel.test(bounds).1 != Verdict::Open) {
                break;
            }
            // Each pair is kept as soon as it is played: the next may take long.
            let kept = Mutex::new(Ok(()));
            let keep = |pair: Pair| {
                bar.inc(1);
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if let (Ok(()), Some(book)) = (&*kept, &book) {
                    *kept = book.add(&pair);
                }
            };
            let played = self.scenario.play_pairs(self.challenger, self.champion, batch, &keep);
            kept.into_inner().unwrap_or_else(PoisonError::into_inner)?;
            played.into_iter().for_each(|pair| duel.add(pair));
        }
        bar.finish_and_clear();
        Ok(duel)
    }
}

/// A file of pairs: a heading, then a line a pair.
struct Book {
    path: PathBuf,
    file: File,
    pairs: Vec<Pair>,
}

impl Book {
    fn open(folder: &Path, heading: &Heading) -> Result<Book, Failure> {
        let plain = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let Heading { challenger, champion, scenario, .. } = heading;
        let name = format!("{}-v-{}-{}.jsonl", plain(challenger), plain(champion), plain(scenario));
        let path = folder.join(name);
        let machine = |what: &str| format!("{} cannot be {what}", path.display());
        std::fs::create_dir_all(folder).with_context(|| machine("made")).map_err(Failure::Machine)?;
        let pairs = if path.exists() { Book::read(&path, heading)? } else { None };
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .with_context(|| machine("written"))
            .map_err(Failure::Machine)?;
        if pairs.is_none() {
            line(&file, heading).with_context(|| machine("written")).map_err(Failure::Machine)?;
        }
        Ok(Book { path, file, pairs: pairs.unwrap_or_default() })
    }

    /// The pairs of a file; none if it is empty. A last line that was cut off is played again.
    fn read(path: &Path, heading: &Heading) -> Result<Option<Vec<Pair>>, Failure> {
        let text = files::read(path)?;
        let mut lines = text.lines().enumerate();
        let Some((_, first)) = lines.next() else { return Ok(None) };
        let other = || {
            Failure::Input(anyhow!(
                "{} belongs to another match or another version; name another folder, or delete the file",
                path.display()
            ))
        };
        let kept: Heading = serde_json::from_str(first).map_err(|_| other())?;
        if kept != *heading {
            return Err(other());
        }
        let (mut pairs, last) = (Vec::new(), text.lines().count());
        for (n, one) in lines {
            match serde_json::from_str(one) {
                Ok(pair) => pairs.push(pair),
                Err(_) if n + 1 == last && !text.ends_with('\n') => {}
                Err(e) => {
                    return Err(Failure::Input(anyhow!("{}, line {}: {e}", path.display(), n + 1)));
                }
            }
        }
        if !text.ends_with('\n') {
            let whole: String = text.lines().take(1 + pairs.len()).map(|l| format!("{l}\n")).collect();
            std::fs::write(path, whole)
                .with_context(|| format!("{} cannot be written", path.display()))
                .map_err(Failure::Machine)?;
        }
        Ok(Some(pairs))
    }

    fn add(&self, pair: &Pair) -> Result<(), Failure> {
        line(&self.file, pair)
            .with_context(|| format!("{} cannot be written", self.path.display()))
            .map_err(Failure::Machine)
    }
}

fn line(mut file: &File, what: &impl Serialize) -> std::io::Result<()> {
    let text = serde_json::to_string(what)?;
    writeln!(file, "{text}")
}

/// What a match came to.
#[derive(Debug, Serialize)]
struct Report {
    scenario: String,
    challenger: String,
    champion: String,
    games: usize,
    /// The challenger's share of the points, draws as halves, and its 95 % interval.
    share: f64,
    interval: [f64; 2],
    elo: f64,
    elo_interval: [f64; 2],
    /// Won, lost, drawn, and the share, with the first side and with the second.
    as_first: [u64; 3],
    as_second: [u64; 3],
    shares: [f64; 2],
    /// Victory points ahead, and half the width of the 95 % interval.
    margin: [f64; 2],
    /// Milliseconds of processor time a decision: the mean, and the longest.
    thought_ms: [f64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<Tested>,
}

#[derive(Debug, Serialize)]
struct Tested {
    bounds: [f64; 2],
    ratio: f64,
    verdict: Verdict,
}

impl Report {
    fn of(bout: &Bout<'_>, duel: &Duel, sprt: Option<Bounds>) -> Report {
        let ((share, low, high), (elo, elo_low, elo_high)) = (duel.share(), duel.elo());
        let (margin, thought) = (duel.margin(), duel.thought());
        Report {
            scenario: bout.scenario.id().to_owned(),
            challenger: bout.challenger.to_string(),
            champion: bout.champion.to_string(),
            games: 2 * duel.pairs().len(),
            share,
            interval: [low, high],
            elo,
            elo_interval: [elo_low, elo_high],
            as_first: duel.with_side(0),
            as_second: duel.with_side(1),
            shares: [duel.share_with(0), duel.share_with(1)],
            margin: [margin.0, margin.1],
            thought_ms: [thought.0, thought.1],
            test: sprt.map(|bounds| {
                let (ratio, verdict) = duel.test(bounds);
                Tested { bounds: [bounds.low, bounds.high], ratio, verdict }
            }),
        }
    }

    fn print(&self) {
        let percent = |share: f64| share * 100.0;
        let counts = |[won, lost, drawn]: [u64; 3]| format!("{won} won, {lost} lost, {drawn} drawn");
        say!("{}: {} against {}, {} games", self.scenario, self.challenger, self.champion, self.games);
        say!(
            "  {:.1} % (95 % interval {:.1} to {:.1}), Elo {:+.0} ({:+.0} to {:+.0})",
            percent(self.share),
            percent(self.interval[0]),
            percent(self.interval[1]),
            self.elo,
            self.elo_interval[0],
            self.elo_interval[1],
        );
        say!("  with the first side {:.1} %: {}", percent(self.shares[0]), counts(self.as_first));
        say!("  with the second side {:.1} %: {}", percent(self.shares[1]), counts(self.as_second));
        say!("  {:+.1} points a game (within {:.1})", self.margin[0], self.margin[1]);
        say!("  thought {:.1} ms a decision, at the most {:.0} ms", self.thought_ms[0], self.thought_ms[1]);
        if let Some(Tested { bounds: [low, high], ratio, verdict }) = &self.test {
            let says = match verdict {
                Verdict::Better => format!("at least {high:+.0} Elo"),
                Verdict::NotBetter => format!("no more than {low:+.0} Elo"),
                Verdict::Open => "not decided; play more pairs".to_owned(),
            };
            say!(
                "  sequential test of {low:+.0} against {high:+.0} Elo: {says} (log-likelihood ratio {ratio:+.2})"
            );
        }
    }
}

/// Every level against the one below it.
#[derive(Args)]
pub(crate) struct Ladder {
    /// The scenario, as in `linstock match`.
    #[arg(long = "scenario", value_name = "SCENARIO")]
    scenarios: Vec<String>,
    /// How many pairs of games for each step of the ladder and each scenario.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pairs: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Keep every pair in this folder, and go on from there the next time.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Write the ladder to this file, as Markdown, in place of what it held.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// One step of the ladder: a level against the one below, over all scenarios.
#[derive(Debug, Serialize)]
struct Rung {
    level: &'static str,
    /// Elo above the lowest level, and its 95 % interval.
    rating: f64,
    interval: [f64; 2],
    against: Option<&'static str>,
    /// The share of the points against the level below.
    share: Option<f64>,
    by_scenario: Vec<Report>,
}

impl Ladder {
    pub(crate) fn run(self) -> Outcome {
        let levels = &Level::ALL[1..];
        let lowest = levels[0];
        let bottom = Rung {
            level: lowest.name(),
            rating: 0.0,
            interval: [0.0, 0.0],
            against: None,
            share: None,
            by_scenario: Vec::new(),
        };
        let mut rungs = vec![bottom];
        let (mut rating, mut squares) = (0.0, 0.0);
        for pair in levels.windows(2) {
            let [below, above] = pair else { continue };
            let (mut all, mut by_scenario) = (Duel::default(), Vec::new());
            for id in named(&self.scenarios) {
                let scenario = files::scenario(&id, &Options::new())?;
                let (challenger, champion) = (above.player(), below.player());
                let bout = Bout { scenario: &*scenario, challenger, champion, quiet: true };
                let duel = bout.play(self.seed, self.pairs, None, self.keep.as_deref())?;
                by_scenario.push(Report::of(&bout, &duel, None));
                duel.pairs().iter().for_each(|pair| all.add(*pair));
            }
            let (elo, low, high) = all.elo();
            rating += elo;
            squares += ((high - low) / 2.0f64).powi(2);
            rungs.push(Rung {
                level: above.name(),
                rating,
                interval: [rating - squares.sqrt(), rating + squares.sqrt()],
                against: Some(below.name()),
                share: Some(all.share().0),
                by_scenario,
            });
        }
        if let Some(path) = &self.out {
            std::fs::write(path, markdown(&rungs, self.pairs))
                .with_context(|| format!("{} cannot be written", path.display()))
                .map_err(Failure::Machine)?;
        }
        match self.json {
            true => say!("{:#}", serde_json::json!(rungs)),
            false => say!("{}", markdown(&rungs, self.pairs)),
        }
        Ok(())
    }
}

/// The ladder as a table, the strongest first.
fn markdown(rungs: &[Rung], pairs: u64) -> String {
    let mut text = format!(
        "# The ladder\n\nWritten by `linstock ladder`: every level against the one below, {pairs} pairs of games a battle, \
         sides swapped. Rating in Elo above the lowest level, with its 95 % interval.\n\n\
         | level | rating | interval | against the level below |\n| --- | --- | --- | --- |\n"
    );
    for rung in rungs.iter().rev() {
        let share = match (rung.share, rung.against) {
            (Some(share), Some(against)) => format!("{:.0} % against {against}", share * 100.0),
            _ => String::new(),
        };
        let [low, high] = rung.interval;
        text += &format!("| {} | {:.0} | {low:.0} to {high:.0} | {share} |\n", rung.level, rung.rating);
    }
    text += "\n| battle | step | share | interval | as first, as second |\n| --- | --- | --- | --- | --- |\n";
    for report in rungs.iter().rev().flat_map(|rung| &rung.by_scenario) {
        let [low, high] = report.interval;
        let [first, second] = report.shares;
        text += &format!(
            "| {} | {} against {} | {:.0} % | {:.0} to {:.0} % | {:.0} %, {:.0} % |\n",
            report.scenario,
            report.challenger,
            report.champion,
            report.share * 100.0,
            low * 100.0,
            high * 100.0,
            first * 100.0,
            second * 100.0,
        );
    }
    text
}
