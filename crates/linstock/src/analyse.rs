use std::path::{Path, PathBuf};

use anyhow::anyhow;
use catalogue::Table;
use clap::Args;
use game::{Now, journal};
use indicatif::{ProgressBar, ProgressStyle};
use players::{General, Grade, Hint, Review};

use crate::say::say;
use crate::{Failure, Outcome, files};

/// The best choices of a position, or the review of a game.
#[derive(Args)]
pub(crate) struct Analyse {
    /// A situation: its position before the last action it plays. Or a journal.
    file: PathBuf,
    /// Of a journal: after how many decisions; where it leaves off if you do not say.
    #[arg(long, value_name = "DECISIONS", conflicts_with = "review")]
    at: Option<u64>,
    /// How often the candidates are played on in all.
    #[arg(long, default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    plays: u32,
    /// Review the whole game of a journal instead.
    #[arg(long)]
    review: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Analyse {
    pub(crate) fn run(self) -> Outcome {
        let text = files::read(&self.file)?;
        let general = General { rollouts: self.plays, effort: u32::MAX, ..General::GENERAL };
        if !text.trim_start().starts_with('{') {
            if self.review || self.at.is_some() {
                let asked = if self.review { "--review" } else { "--at" };
                return Err(Failure::Input(anyhow!("{asked} is for journals; leave it out for a situation")));
            }
            let name = self.file.display().to_string();
            let analysed = catalogue::analyse(&name, &text, general).map_err(|e| Failure::Input(e.into()))?;
            if !self.json {
                say!("the situation plays `{}`", analysed.action);
            }
            return self.told(analysed.hint);
        }
        let table = opened(&self.file, &text)?;
        if self.review {
            return self.reviewed(&*table);
        }
        let at = self.at.unwrap_or_else(|| table.moment());
        let analyst = table.analyst(Some(at), None).ok_or_else(|| {
            Failure::Input(anyhow!("--at {at}: the journal has {} decisions", table.moment()))
        })?;
        self.told(analyst(general))
    }

    fn told(&self, hint: Option<Hint>) -> Outcome {
        let hint = hint.ok_or_else(|| Failure::Input(anyhow!("nobody decides there: the game is over")))?;
        match self.json {
            true => say!("{:#}", serde_json::json!(hint)),
            false => print_hint(&hint),
        }
        Ok(())
    }

    fn reviewed(&self, table: &dyn Table) -> Outcome {
        let reviewer =
            table.reviewer().ok_or_else(|| Failure::Input(anyhow!("there is nothing to review")))?;
        if matches!(table.now(), Now::Decides(_)) && !self.json {
            say!("the game is not finished; this is the review so far");
        }
        let bar = if self.json { ProgressBar::hidden() } else { ProgressBar::new(table.moment()) };
        bar.set_style(
            ProgressStyle::with_template("{bar:40} {pos} of {len} decisions, {eta} left")
                .expect("a sound template"),
        );
        let review = reviewer(&|done, _| {
            bar.set_position(done as u64);
            true
        });
        bar.finish_and_clear();
        let review = review.ok_or_else(|| Failure::Input(anyhow!("there is nothing to review")))?;
        match self.json {
            true => say!("{:#}", serde_json::json!(review)),
            false => print_review(&review),
        }
        Ok(())
    }
}

/// The game of a journal.
fn opened(path: &Path, text: &str) -> Result<Box<dyn Table>, Failure> {
    let name = path.display();
    let fault = |e: journal::Broken| Failure::Input(anyhow!("{name}, {e}"));
    let parsed = journal::parse(text).map_err(fault)?;
    let header = parsed.header.clone();
    let scenario = match &header.text {
        Some(text) => catalogue::open_text(&header.scenario, text, &header.options),
        None => catalogue::open(&header.scenario, &header.options),
    }
    .map_err(|e| Failure::Input(e.into()))?;
    match scenario.resume(parsed, None).map_err(fault)? {
        (table, None) => Ok(table),
        (_, Some(broken)) => Err(fault(broken)),
    }
}

fn print_hint(hint: &Hint) {
    say!("{}", hint.question);
    for (n, choice) in hint.choices.iter().enumerate() {
        match choice.often {
            Some(often) => say!("{}. {}  in {:.0} of 100 cases", n + 1, choice.title, often * 100.0),
            None => say!(
                "{}. {}  {:+.1} (within {:.1}; nine plays in ten {:+.1} to {:+.1})",
                n + 1,
                choice.title,
                choice.margin,
                choice.within,
                choice.low,
                choice.high,
            ),
        }
        let line: Vec<&str> = choice.line.iter().skip(1).map(|step| step.title.as_str()).collect();
        if !line.is_empty() {
            say!("   then {}", line.join("; "));
        }
    }
    if hint.plays > 0 {
        if !hint.clear && hint.choices.len() > 1 {
            say!("No clear difference between the first and the second.");
        }
        if let Some(decides) = &hint.decides {
            say!("{}", decides.says);
        }
        say!("{} plays to the end of {}", hint.plays, hint.until);
    }
}

fn print_review(review: &Review) {
    let shares = &review.shares;
    say!("{}", review.verdict);
    say!(
        "start {:+.1}, choices of the first side {:+.1}, of the second {:+.1}, dice {:+.1}, result {:+.0}",
        shares.start,
        shares.choices.first,
        shares.choices.second,
        shares.dice,
        shares.result,
    );
    for (side, accuracy) in review.accuracy.iter() {
        say!(
            "accuracy of the {} side {:.0}: {} best, {} good, {} weak, {} mistakes",
            if side == game::Side::First { "first" } else { "second" },
            accuracy.percent,
            accuracy.best,
            accuracy.good,
            accuracy.weak,
            accuracy.mistakes,
        );
    }
    for point in &review.turning_points {
        let what = if point.side.is_some() { "choice" } else { "dice" };
        say!("{}, decision {}: {:+.1} by {what}: {}", point.when, point.moment, point.change, point.played);
        if let (Some(margin), [first, ..]) = (point.better_margin, point.better.as_slice()) {
            say!("    better: {} ({margin:+.1} instead of {:+.1})", first.title, point.margin);
        }
    }
    let mistakes = review.decisions.iter().filter(|d| d.grade == Some(Grade::Mistake)).count();
    say!("{} decisions, {mistakes} mistakes, {} plays", review.decisions.len(), review.plays);
}
