//! Keeping order from the command line.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[cfg(not(feature = "serve"))]
use crate::Outcome;

/// Keep order: reports, accounts, administrators. It works beside a running server; everything it does is in the audit log.
#[derive(Args)]
pub(crate) struct Admin {
    /// The data directory.
    #[arg(long, env = "LINSTOCK_DATA", default_value = "data", global = true)]
    data: PathBuf,
    /// The database, if the server uses one: postgres://user:password@host:5432/name.
    #[arg(long, env = "LINSTOCK_DATABASE", value_name = "URL", hide_env_values = true, global = true)]
    database: Option<String>,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List accounts with their ids and what was done about them.
    Accounts {
        /// An id, or a part of a name; all if not given.
        #[arg(default_value = "")]
        name: String,
    },
    /// Make an account an administrator's.
    Grant {
        /// The account's id, as `linstock admin accounts` shows it.
        account: String,
    },
    /// Take that back.
    Revoke {
        /// The account's id.
        account: String,
    },
    /// List the reports, open ones first.
    Reports,
    /// Answer a report.
    Settle {
        /// The report's id.
        report: String,
        /// What came of it.
        #[arg(long)]
        why: String,
    },
    /// Warn the owner of an account.
    Warn {
        /// The account's id.
        account: String,
        /// Why; its owner reads it.
        #[arg(long)]
        why: String,
    },
    /// For a time no chat and no play with strangers.
    Suspend {
        /// The account's id.
        account: String,
        /// For how many days.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=365))]
        days: u32,
        /// Why; its owner reads it.
        #[arg(long)]
        why: String,
    },
    /// The same for good.
    Close {
        /// The account's id.
        account: String,
        /// Why; its owner reads it.
        #[arg(long)]
        why: String,
    },
    /// Give an account another name, also in its games. A running server shows it in games that it opens anew.
    Rename {
        /// The account's id.
        account: String,
        /// The name.
        name: String,
        /// Why; its owner reads it.
        #[arg(long)]
        why: String,
    },
    /// Take a challenge out of the lobby.
    RemoveChallenge {
        /// The challenge's id.
        challenge: String,
        /// Why; its owner reads it.
        #[arg(long)]
        why: String,
    },
    /// Remove what a line of chat says.
    RemoveLine {
        /// The game's id.
        game: String,
        /// The line's number.
        line: u64,
        /// Why; its writer reads it.
        #[arg(long)]
        why: String,
    },
    /// List the notes that wait for an answer.
    Appeals,
    /// Answer a note.
    Answer {
        /// The measure's id.
        measure: String,
        /// What; its writer reads it.
        #[arg(long)]
        answer: String,
        /// The measure holds no longer.
        #[arg(long)]
        lift: bool,
    },
    /// End a measure before its time.
    Lift {
        /// The measure's id.
        measure: String,
        /// Why.
        #[arg(long)]
        why: String,
    },
    /// Show what administrators have done, the latest first.
    Log,
}

#[cfg(feature = "serve")]
mod at_work {
    use anyhow::anyhow;
    use server::wire::{
        About, AnswerAppeal, AuditFace, Because, MeasureFace, MeasureKind, PersonFace, ReportFace,
        TakeMeasure,
    };
    use server::{Desk, Refused};

    use super::{Admin, What};
    use crate::say::say;
    use crate::{Failure, Outcome};

    impl Admin {
        pub(crate) fn run(self) -> Outcome {
            let Admin { data, database, what } = self;
            let done = server::desk(&data, database.as_deref(), async |desk| work(&desk, what).await);
            let done = done.map_err(|error| Failure::Machine(anyhow!(error)))?;
            done.map_err(|message| Failure::Input(anyhow!(message)))
        }
    }

    async fn work(desk: &Desk<'_>, what: What) -> Result<(), Refused> {
        let because = |why| Because { why };
        let measure = |kind, why| TakeMeasure { kind, why, days: None, name: None };
        match what {
            What::Accounts { name } => {
                desk.accounts(&name).await?.iter().for_each(account);
                return Ok(());
            }
            What::Reports => {
                desk.reports().await?.iter().for_each(report);
                return Ok(());
            }
            What::Appeals => {
                for waiting in desk.appeals().await? {
                    say!("{}  {}", waiting.account, waiting.name);
                    done_about(&waiting.measure);
                }
                return Ok(());
            }
            What::Log => {
                desk.audit(None).await?.iter().for_each(entry);
                return Ok(());
            }
            What::Grant { account } => desk.grant(&account).await?,
            What::Revoke { account } => desk.revoke(&account).await?,
            What::Settle { report, why } => desk.settle(&report, because(why)).await?,
            What::Warn { account, why } => {
                desk.take(&account, measure(MeasureKind::Warned, why)).await?;
            }
            What::Suspend { account, days, why } => {
                let measure = TakeMeasure { days: Some(days), ..measure(MeasureKind::Suspended, why) };
                desk.take(&account, measure).await?;
            }
            What::Close { account, why } => {
                desk.take(&account, measure(MeasureKind::Closed, why)).await?;
            }
            What::Rename { account, name, why } => {
                let measure = TakeMeasure { name: Some(name), ..measure(MeasureKind::Renamed, why) };
                desk.take(&account, measure).await?;
            }
            What::RemoveChallenge { challenge, why } => {
                desk.remove_challenge(&challenge, because(why)).await?
            }
            What::RemoveLine { game, line, why } => desk.remove_line(&game, line, because(why)).await?,
            What::Answer { measure, answer, lift } => {
                desk.answer(&measure, AnswerAppeal { answer, lift }).await?;
            }
            What::Lift { measure, why } => desk.lift(&measure, because(why)).await?,
        }
        say!("Done. It is in the audit log: `linstock admin log`.");
        Ok(())
    }

    fn account(person: &PersonFace) {
        let PersonFace { id, name, made, administrator, measures } = person;
        let administrator = if *administrator { "  administrator" } else { "" };
        say!("{id}  {name}  since {}{administrator}", day(*made));
        measures.iter().for_each(done_about);
    }

    fn done_about(measure: &MeasureFace) {
        let MeasureFace { id, kind, why, made, until, lifted, appeal, answer } = measure;
        let ends = match (lifted, until) {
            (Some(at), _) => format!(", lifted {}", day(*at)),
            (None, Some(at)) => format!(", until {}", day(*at)),
            (None, None) => String::new(),
        };
        say!("  {id}  {} {}{ends}: {why}", kind_of(*kind), day(*made));
        if let Some(appeal) = appeal {
            say!("    note: {appeal}");
            say!("    answer: {}", answer.as_deref().unwrap_or("none yet"));
        }
    }

    fn report(report: &ReportFace) {
        let about = match report.about {
            About::Person => "behaviour".to_owned(),
            About::Name => "name".to_owned(),
            About::Line { n } => format!("line {n} of the chat"),
            About::Challenge => {
                format!("challenge {}", report.challenge.as_deref().unwrap_or_default())
            }
        };
        let account = report.account.as_deref().unwrap_or("no account");
        say!(
            "{}  {}  {about} of {} ({account}), game {}",
            report.id,
            day(report.made),
            report.name,
            report.game
        );
        say!("  {}", report.words);
        for line in &report.lines {
            say!("    {} {}: {}", line.n, line.name, line.text);
        }
        say!("  {}", report.answer.as_deref().unwrap_or("open"));
    }

    fn entry(entry: &AuditFace) {
        let AuditFace { at, author, act, subject, words } = entry;
        say!("{}  {author}  {act}  {subject}  {words}", day(*at));
    }

    fn kind_of(kind: MeasureKind) -> &'static str {
        match kind {
            MeasureKind::Warned => "warned",
            MeasureKind::Suspended => "suspended",
            MeasureKind::Closed => "closed",
            MeasureKind::Renamed => "renamed",
            MeasureKind::LineRemoved => "line removed",
            MeasureKind::ChallengeRemoved => "challenge removed",
        }
    }

    /// A day in UTC: `2026-03-01`.
    fn day(ms: u64) -> String {
        // Civil from days, in the proleptic Gregorian calendar whose years begin in March.
        let days = ms / 86_400_000 + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let march = (5 * of_year + 2) / 153;
        let (day, month) =
            (of_year - (153 * march + 2) / 5 + 1, if march < 10 { march + 3 } else { march - 9 });
        format!("{:04}-{month:02}-{day:02}", era * 400 + year + u64::from(month <= 2))
    }

    #[cfg(test)]
    mod tests {
        use super::day;

        #[test]
        fn days_are_written_as_calendars_do() {
            let days = [(0, "1970-01-01"), (951_782_400_000, "2000-02-29"), (951_868_800_000, "2000-03-01")];
            for (ms, text) in
                days.into_iter().chain([(1_798_761_599_999, "2026-12-31"), (1_798_761_600_000, "2027-01-01")])
            {
                assert_eq!(day(ms), text);
            }
        }
    }
}

#[cfg(not(feature = "serve"))]
impl Admin {
    pub(crate) fn run(self) -> Outcome {
        let _ = (self.data, self.database, self.what);
        Err(crate::Failure::Input(anyhow::anyhow!(
            "this build has no server; build it with the feature `serve`"
        )))
    }
}
