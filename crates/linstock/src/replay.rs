use std::path::Path;

use anyhow::anyhow;
use game::session::Verified;
use game::{Now, journal};

use crate::{Failure, Outcome, files};

#[allow(clippy::print_stdout, reason = "the answer belongs on standard output")]
pub(crate) fn replay(path: &Path, verify: bool) -> Outcome {
    let text = files::read(path)?;
    let name = path.display();
    let fault = |e: journal::Broken| Failure::Input(anyhow!("{name}, {e}"));
    let parsed = journal::parse(&text).map_err(fault)?;
    let header = parsed.header.clone();
    let scenario = match &header.text {
        Some(text) => catalogue::open_text(&header.scenario, text, &header.options),
        None => catalogue::open(&header.scenario, &header.options),
    }
    .map_err(|e| Failure::Input(e.into()))?;
    let (table, broken) = scenario.resume(parsed, None).map_err(fault)?;
    if !verify {
        for scene in table.scenes(None, 0) {
            println!("{:>5}  {}", scene.moment, scene.act.unwrap_or_default());
            scene.entries.iter().for_each(|e| println!("         {}", e.text));
        }
    }
    let score = table.score();
    println!("{} decisions, {:?}, points {} to {}", table.moment(), table.now(), score.first, score.second);
    if let (Now::Over(_), None) = (table.now(), &broken) {
        let fair = table.fair_score();
        println!("a lead of {}; without luck it would be {:.1}", fair.lead, fair.fair);
    }
    if let Some(broken) = broken {
        println!("{name} is good up to here; {broken}");
        return Err(Failure::DoesNotHold);
    }
    if verify {
        match table.verify() {
            Ok(Verified::Holds) => println!("every roll follows from the secret"),
            Ok(Verified::HoldsAfter(lines)) => {
                println!(
                    "the first {lines} lines were taken over from another journal, their faces as written there"
                );
                println!("every roll after them follows from the secret");
            }
            Ok(Verified::NotYetRevealed) => {
                println!("the secret is still sealed; the faces were replayed as written")
            }
            Ok(Verified::TableDice) => println!("real dice were typed in; there is nothing to recompute"),
            Err(broken) => {
                println!("{name} does not hold; {broken}");
                return Err(Failure::DoesNotHold);
            }
        }
    }
    Ok(())
}
