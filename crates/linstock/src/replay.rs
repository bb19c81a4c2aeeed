use std::path::Path;

use anyhow::anyhow;
use game::journal::{self, Line};
use game::session::Verified;
use game::{Eyes, Now, Outcome as Ended, Side};

use crate::say::say;
use crate::{Failure, Outcome, files};

pub(crate) fn replay(path: &Path, verify: bool) -> Outcome {
    let text = files::read(path)?;
    let name = path.display();
    let fault = |e: journal::Broken| Failure::Input(anyhow!("{name}, {e}"));
    let parsed = journal::parse(&text).map_err(fault)?;
    let header = parsed.header.clone();
    let has_end = matches!(parsed.lines.last(), Some(Line::End { .. }));
    let scenario = match &header.text {
        Some(text) => catalogue::open_text(&header.scenario, text, &header.options),
        None => catalogue::open(&header.scenario, &header.options),
    }
    .map_err(|e| Failure::Input(e.into()))?;
    let (table, broken) = scenario.resume(parsed, None).map_err(fault)?;
    if !verify {
        for scene in table.scenes(Eyes::All, 0) {
            say!("{:>5}  {}", scene.moment, scene.act.unwrap_or_default());
            scene.entries.iter().for_each(|e| say!("         {}", e.text));
        }
    }
    let (score, sides) = (table.score(), scenario.board().sides);
    let name_of = |side: Side| &sides[side].name;
    let standing = match table.now() {
        Now::Over(Ended::Won(side)) => format!("{} has won", name_of(side)),
        Now::Over(Ended::Drawn) => "a draw".to_owned(),
        Now::Decides(side) => format!("not finished ({} decides)", name_of(side)),
    };
    say!("{} decisions, {standing}, points {} to {}", table.moment(), score.first, score.second);
    if let (Now::Over(_), None) = (table.now(), &broken) {
        let fair = table.fair_score();
        say!("a lead of {}; without luck it would be {:.1}", fair.lead, fair.fair);
    }
    if let Some(broken) = broken {
        say!("{name} is good up to here; {broken}");
        return Err(Failure::DoesNotHold);
    }
    if let (Now::Over(_), false) = (table.now(), has_end) {
        say!("the line of the end is missing");
    }
    if verify {
        match table.verify() {
            Ok(Verified::Holds) => say!("every roll follows from the secret"),
            Ok(Verified::HoldsAfter(lines)) => {
                say!(
                    "the first {lines} lines were taken over from another journal, their faces as written there"
                );
                say!("every roll after them follows from the secret");
            }
            Ok(Verified::NotYetRevealed) => {
                say!("the secret is still sealed; the faces were replayed as written")
            }
            Ok(Verified::TableDice) => say!("real dice were typed in; there is nothing to recompute"),
            Err(broken) => {
                say!("{name} does not hold; {broken}");
                return Err(Failure::DoesNotHold);
            }
        }
    }
    Ok(())
}
