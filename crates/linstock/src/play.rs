use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use catalogue::{NewDice, Scenario};
use clap::Args;
use game::session::Throw;
use game::{BySide, Now, Options, Side};
use indicatif::{ProgressBar, ProgressStyle};
use players::{Player, Tally};

use crate::say::say;
use crate::{Failure, Outcome, files};

/// Games between computer players.
#[derive(Args)]
pub(crate) struct Play {
    /// The scenario: an id of `linstock list`, or a file.
    scenario: String,
    /// Who plays a side: `usa=captain`. Captain plays the seats not named.
    #[arg(long = "seat", value_name = "SIDE=PLAYER")]
    seats: Vec<String>,
    /// How many games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed of the first game.
    #[arg(long, default_value_t = 1863)]
    seed: u64,
    /// Write the journal of a single game to this new file.
    #[arg(long)]
    journal: Option<PathBuf>,
    /// Switch a house rule: `at_random=on`.
    #[arg(long = "option", value_name = "NAME=on|off")]
    options: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Play {
    pub(crate) fn run(self) -> Outcome {
        let options = self.house_rules()?;
        let scenario = files::scenario(&self.scenario, &options)?;
        let seats = self.seats(&*scenario)?;
        match &self.journal {
            Some(path) if self.games == 1 => self.with_journal(&*scenario, seats, path),
            Some(_) => Err(Failure::Input(anyhow!(
                "--journal takes one game; leave out --games, or play without a journal"
            ))),
            None => self.in_silence(&*scenario, seats),
        }
    }

    fn house_rules(&self) -> Result<Options, Failure> {
        let parse = |text: &String| match text.split_once('=') {
            Some((name, "on" | "true")) => Ok((name.to_owned(), true)),
            Some((name, "off" | "false")) => Ok((name.to_owned(), false)),
            _ => Err(Failure::Input(anyhow!("--option {text}: write NAME=on or NAME=off"))),
        };
        self.options.iter().map(parse).collect()
    }

    fn seats(&self, scenario: &dyn Scenario) -> Result<BySide<Player>, Failure> {
        let faces = scenario.board().sides;
        let captain: Player = "captain".parse().expect("there is a captain");
        let mut seats = BySide::from_fn(|_| None);
        for text in &self.seats {
            let wrong = |why: String| Failure::Input(anyhow!("--seat {text}: {why}"));
            let (side, player) = text.split_once('=').ok_or_else(|| wrong("write SIDE=PLAYER".into()))?;
            let side = Side::BOTH
                .into_iter()
                .find(|s| faces[*s].id == side)
                .ok_or_else(|| wrong(format!("the sides are {} and {}", faces.first.id, faces.second.id)))?;
            let player = Player::custom(player).map_err(wrong)?;
            if seats[side].replace(player).is_some() {
                return Err(wrong(format!("the seat of {} is taken already", faces[side].id)));
            }
        }
        Ok(seats.map(|player| player.unwrap_or(captain)))
    }

    fn in_silence(&self, scenario: &dyn Scenario, seats: BySide<Player>) -> Outcome {
        let bar =
            if self.json || self.games < 2 { ProgressBar::hidden() } else { ProgressBar::new(self.games) };
        bar.set_style(
            ProgressStyle::with_template("{bar:40} {pos} of {len} games, {eta} left")
                .expect("a sound template"),
        );
        let tally = scenario.play_many(seats, self.games, self.seed, &|_, _| bar.inc(1));
        bar.finish_and_clear();
        if self.json {
            say!("{:#}", report(scenario, seats, &tally));
        } else {
            print_report(scenario, seats, &tally);
        }
        if tally.endless == 0 { Ok(()) } else { Err(Failure::DoesNotHold) }
    }

    fn with_journal(
        &self,
        scenario: &dyn Scenario,
        seats: BySide<Player>,
        path: &std::path::Path,
    ) -> Outcome {
        // Looked at before the game, which may take a while.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return Err(Failure::Input(anyhow!(
                "--journal {}: there is no such folder; create it first",
                path.display()
            )));
        }
        if path.exists() {
            return Err(Failure::Input(anyhow!(
                "--journal {}: this file exists and nothing is overwritten; choose another name",
                path.display()
            )));
        }
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        let names = seats.map(|p| p.to_string());
        let mut table = scenario
            .start(names, NewDice::Seed(seed), &Throw::default())
            .map_err(|e| Failure::Input(anyhow!("{e}")))?;
        while let Now::Decides(side) = table.now() {
            let thought = table.thinker()(seats[side], self.seed ^ table.moment());
            let action = thought.ok_or_else(|| Failure::Input(anyhow!("the computer found no move")))?;
            table
                .act(side, &action, &Throw::default())
                .map_err(|e| Failure::Input(anyhow!("the computer's move `{action}` was not played: {e}")))?;
        }
        table.reveal();
        File::create_new(path)
            .and_then(|mut file| file.write_all(table.journal().as_bytes()))
            .with_context(|| {
                format!("{} cannot be written; is there room, and may you write there?", path.display())
            })
            .map_err(Failure::Machine)?;
        say!("{} decisions written to {}", table.moment(), path.display());
        Ok(())
    }
}

fn report(scenario: &dyn Scenario, seats: BySide<Player>, tally: &Tally) -> serde_json::Value {
    let faces = scenario.board().sides;
    let side = |side: Side| {
        let (share, low, high) = tally.share(side);
        serde_json::json!({
            "side": faces[side].id, "player": seats[side].to_string(), "won": tally.won[side],
            "share": share, "interval": [low, high],
            "points": tally.score[side] as f64 / tally.games as f64,
            "longest_thought_ms": tally.longest[side] as f64 / 1000.0,
        })
    };
    serde_json::json!({
        "scenario": scenario.id(), "games": tally.games, "drawn": tally.drawn, "endless": tally.endless,
        "decisions": tally.decisions, "options": tally.options, "sides": [side(Side::First), side(Side::Second)],
    })
}

fn print_report(scenario: &dyn Scenario, seats: BySide<Player>, tally: &Tally) {
    let faces = scenario.board().sides;
    let games = tally.games as f64;
    let played = if tally.games == 1 { "1 game".to_owned() } else { format!("{} games", tally.games) };
    say!("{}, {played}", scenario.info().title);
    for side in Side::BOTH {
        let (share, low, high) = tally.share(side);
        say!(
            "  {} ({}): won {}, {:.1} % (95 % interval {:.1} to {:.1}), {:.1} points a game",
            faces[side].name,
            seats[side],
            tally.won[side],
            share * 100.0,
            low * 100.0,
            high * 100.0,
            tally.score[side] as f64 / games,
        );
    }
    say!("  drawn {}, decisions a game {:.0}", tally.drawn, tally.decisions as f64 / games);
    let longest = tally.longest.first.max(tally.longest.second);
    if longest > 0 {
        say!("  longest thought of the computer: {:.1} ms", longest as f64 / 1000.0);
    }
    if tally.endless > 0 {
        say!("  did not end: {}", tally.endless);
    }
}
