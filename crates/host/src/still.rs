//! The last view of a game, kept beside its journal as the edition drew it that played it: a game stays readable when no
//! later edition can replay it.

use catalogue::{Scene, Table};
use game::{Eyes, Side};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::{Drawn, LogLine, Sight};

/// The last view, through every pair of eyes, and all that happened.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Still {
    /// The moment it shows.
    pub moment: u64,
    first: Value,
    second: Value,
    bystander: Value,
    all: Value,
    log: Vec<Told>,
}

/// What happened at a moment, as everybody together may know it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Told {
    moment: u64,
    side: Option<Side>,
    act: Option<String>,
    entries: Vec<Value>,
}

impl Still {
    /// Of a game as it stands.
    pub fn of(table: &dyn Table) -> Option<Still> {
        let view = |sight: Sight| serde_json::to_value(table.view(sight.eyes(), None)?).ok();
        let told = |Scene { moment, side, act, entries }: Scene| {
            let entries = entries.iter().map(serde_json::to_value).collect::<Result<_, _>>().ok()?;
            Some(Told { moment, side, act, entries })
        };
        Some(Still {
            moment: table.moment(),
            first: view(Sight::First)?,
            second: view(Sight::Second)?,
            bystander: view(Sight::Bystander)?,
            all: view(Sight::All)?,
            log: table.scenes(Eyes::All, 0).into_iter().map(told).collect::<Option<_>>()?,
        })
    }

    /// The view as `sight` saw it.
    pub fn view(&self, sight: Sight) -> Value {
        match sight {
            Sight::First => &self.first,
            Sight::Second => &self.second,
            Sight::Bystander => &self.bystander,
            Sight::All => &self.all,
        }
        .clone()
    }

    /// What `sight` may read of what happened from moment `from` on.
    pub fn log(&self, sight: Sight, from: u64) -> Vec<LogLine> {
        let eyes = sight.eyes();
        let may_read = |entry: &&Value| match entry.get("only").and_then(Value::as_str) {
            Some("first") => eyes.see(Side::First),
            Some("second") => eyes.see(Side::Second),
            _ => true,
        };
        let line = |told: &Told| LogLine {
            moment: told.moment,
            side: told.side,
            act: told.act.clone().filter(|_| knows_act(eyes, told.side)),
            ordered: false,
            entries: told.entries.iter().filter(may_read).cloned().map(Drawn::Kept).collect(),
        };
        self.log.iter().filter(|told| told.moment >= from).map(line).collect()
    }
}

/// What somebody did is told by the entries; the action itself can say more (a path, a choice).
pub(crate) fn knows_act(eyes: Eyes, side: Option<Side>) -> bool {
    side.map_or(eyes == Eyes::All, |side| eyes.see(side))
}
