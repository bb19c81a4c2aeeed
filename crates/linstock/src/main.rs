//! The command-line program. Without arguments it serves the board.

mod admin;
mod analyse;
mod doctor;
mod files;
mod library;
mod matches;
mod migrate;
mod odds;
mod place;
mod play;
mod replay;
mod say;
mod serve;
mod shell;
mod situations;
mod speed;
mod studies;

use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

/// A rules-complete digital tabletop for horse-and-musket wargames.
#[derive(Parser)]
#[command(version, about, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXIT_CODES: &str = "Exit codes: 0 success; 1 a situation, game or journal failed; 2 bad input; 3 a file or port could not be used.";

#[derive(Subcommand)]
enum Command {
    /// Serve the board in the browser (what the program does without a command).
    Serve(Box<serve::Serve>),
    /// Copy the games of a data directory into PostgreSQL.
    Migrate(migrate::Migrate),
    /// Keep order: reports, accounts, administrators.
    Admin(admin::Admin),
    /// Set one scenario up for a server that waits for the verdict.
    #[command(hide = true)]
    Trial,
    /// Tell what is wrong with a set-up, and what to do about it.
    Doctor(Box<doctor::Doctor>),
    /// Ask a running server whether it is well: exit code 0 if it is.
    Health {
        /// Where it listens; 127.0.0.1:1863 if not given.
        #[arg(long, env = "LINSTOCK_ADDR")]
        addr: Option<std::net::SocketAddr>,
    },
    /// List the systems and scenarios.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Check scenarios and situations for mistakes.
    Check {
        /// The files, or folders of them.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Run situations and explain each, up to the first step that fails; the last line is `N passed, M failed`.
    Try {
        /// The files, or folders of them.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// The exact odds of the last action a situation plays.
    Odds {
        /// The situation.
        file: PathBuf,
        /// Look to the end of the engagement, charge or close combat, not only to the next decision.
        #[arg(long)]
        affair: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show the rules of a system in our words, and where each is proved.
    Rules {
        /// The system: `battle-hymn`.
        system: String,
        /// One rule: `5.3.c`, or a chapter: `5.3`.
        id: Option<String>,
    },
    /// Play games between computer players, without a board.
    Play(play::Play),
    /// Play a match between two computer players, sides swapped, and tell what it proves.
    Match(matches::Match),
    /// Play every level against the one below, and rate them.
    Ladder(matches::Ladder),
    /// Find the best choices of a situation or of a moment of a game, or review a whole game.
    Analyse(analyse::Analyse),
    /// Play the games of a study and write tables and a report.
    Study(studies::StudyFile),
    /// Replay a journal and tell what happened.
    Replay {
        /// The journal.
        file: PathBuf,
        /// Recompute every roll and say whether it holds.
        #[arg(long)]
        verify: bool,
    },
    /// Count the decision sequences of a scenario to a depth.
    Perft {
        /// The scenario: an id of `linstock list`, or a file.
        scenario: String,
        /// How many decisions deep.
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        depth: u32,
    },
    /// Print completions for a shell: `linstock completions bash > /etc/bash_completion.d/linstock`.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    Man {
        /// Write a page for every command into this folder instead.
        folder: Option<PathBuf>,
    },
    /// Measure random play on one core.
    Bench {
        /// The scenario; all of them if none is named.
        scenario: Option<String>,
        /// How long, for each scenario.
        #[arg(long, default_value = "3", value_parser = speed::seconds)]
        seconds: Duration,
        /// Measure instead how long the odds of this many random decisions take.
        #[arg(long, value_name = "DECISIONS", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        odds: Option<u32>,
        /// Measure instead how many decisions of rollouts the General plays.
        #[arg(long, conflicts_with = "odds")]
        rollouts: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// What went wrong, and whose fault it is.
#[derive(Debug)]
enum Failure {
    /// Something was tried and does not hold.
    DoesNotHold,
    /// The input is at fault.
    Input(anyhow::Error),
    /// The machine is.
    Machine(anyhow::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::DoesNotHold => f.write_str("it failed"),
            Failure::Input(error) | Failure::Machine(error) => write!(f, "{error:#}"),
        }
    }
}

type Outcome = Result<(), Failure>;

fn main() -> ExitCode {
    let command = Arguments::parse().command.unwrap_or_else(|| Command::Serve(Box::default()));
    let outcome = match command {
        Command::Serve(serve) => serve.run(),
        Command::Trial => serve::trial(),
        Command::Doctor(doctor) => doctor.run(),
        Command::Health { addr } => place::health(addr),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { folder } => shell::man(folder),
        Command::List { json } => library::list(json),
        Command::Check { files } => situations::check(&files),
        Command::Try { files, json } => situations::run(&files, json),
        Command::Odds { file, affair, json } => odds::odds(&file, affair, json),
        Command::Rules { system, id } => library::rules(&system, id.as_deref()),
        Command::Migrate(migrate) => migrate.run(),
        Command::Admin(admin) => admin.run(),
        Command::Play(play) => play.run(),
        Command::Match(bout) => bout.run(),
        Command::Ladder(ladder) => ladder.run(),
        Command::Analyse(analyse) => analyse.run(),
        Command::Study(study) => study.run(),
        Command::Replay { file, verify } => replay::replay(&file, verify),
        Command::Perft { scenario, depth } => speed::perft(&scenario, depth),
        Command::Bench { scenario, odds: Some(decisions), .. } => {
            speed::bench_odds(scenario.as_deref(), decisions as usize)
        }
        Command::Bench { scenario, seconds, rollouts: true, .. } => {
            speed::bench_rollouts(scenario.as_deref(), seconds)
        }
        Command::Bench { scenario, seconds, json, .. } => speed::bench(scenario.as_deref(), seconds, json),
    };
    let (code, error) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::DoesNotHold) => return ExitCode::from(1),
        Err(Failure::Input(error)) => (2, error),
        Err(Failure::Machine(error)) => (3, error),
    };
    say::complain(format_args!("{error:#}"));
    ExitCode::from(code)
}
