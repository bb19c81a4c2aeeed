use std::path::Path;

use catalogue::Weighed;
use game::odds::{CountOdds, Horizon, Likelihood};

use crate::say::say;
use crate::{Failure, Outcome, files};

pub(crate) fn odds(file: &Path, affair: bool, json: bool) -> Outcome {
    let text = files::read(file)?;
    let horizon = if affair { Horizon::Affair } else { Horizon::Decision };
    let weighed =
        catalogue::odds(&file.display().to_string(), &text, horizon).map_err(|e| Failure::Input(e.into()))?;
    if json {
        let written = serde_json::to_string_pretty(&weighed).map_err(|e| Failure::Machine(e.into()))?;
        say!("{written}");
    } else {
        print(&weighed);
    }
    Ok(())
}

fn print(weighed: &Weighed) {
    let odds = &weighed.odds;
    say!("{}", weighed.action);
    match odds.sampled {
        None if odds.positions <= 1 && odds.open.is_none() => return say!("nothing is left to chance"),
        None => say!("exact, {} different positions", odds.positions),
        Some(plays) => say!("sampled from {plays} plays"),
    }
    if let Some(open) = &odds.open {
        say!("what follows is left open: {open}");
    }
    for piece in &odds.pieces {
        let name = weighed.names.get(&piece.piece).map_or("?", String::as_str);
        say!("  {name}");
        for fate in &piece.fates {
            say!("    {:<14} {}", fate.fate.word, percent(&fate.share));
        }
        print_counts("lost", &piece.lost);
        print_counts("shaken", &piece.hurt);
    }
    for score in &odds.score {
        say!("  lead changes by {:+} points {}", score.lead, percent(&score.share));
    }
}

fn print_counts(what: &str, counts: &[CountOdds]) {
    if counts.len() > 1 {
        for count in counts {
            say!("      {what} {:+} {}", count.n, percent(&count.share));
        }
    }
}

fn percent(share: &Likelihood) -> String {
    match share.exact.is_empty() {
        false => format!("{:5.1} %  ({})", share.p * 100.0, share.exact),
        true => format!("{:5.1} %  (within {:.1})", share.p * 100.0, share.within * 100.0),
    }
}
