use std::time::Duration;

use game::Options;

use crate::say::say;
use crate::{Outcome, files};

/// A time on the command line.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(n) if (0.01..=3600.0).contains(&n) => Ok(Duration::from_secs_f64(n)),
        _ => Err("a number of seconds from 0.01 to 3600 is expected".to_owned()),
    }
}

pub(crate) fn perft(scenario: &str, depth: u32) -> Outcome {
    let scenario = files::scenario(scenario, &Options::new())?;
    for depth in 1..=depth {
        say!("{} {depth} {}", scenario.id(), scenario.perft(depth));
    }
    Ok(())
}

pub(crate) fn bench(scenario: Option<&str>, time: Duration, json: bool) -> Outcome {
    let ids = scenario.map_or_else(catalogue::scenario_ids, |one| vec![one.to_owned()]);
    let mut rows = Vec::new();
    for id in ids {
        let scenario = files::scenario(&id, &Options::new())?;
        let b = scenario.bench(time, 1863);
        let rate = |n: u64| n as f64 / b.seconds;
        if json {
            rows.push(serde_json::json!({
                "scenario": id, "games": rate(b.games), "decisions": rate(b.decisions), "options": rate(b.options),
            }));
        } else {
            say!(
                "{id}: {:.0} games, {:.0} decisions, {:.0} options a second",
                rate(b.games),
                rate(b.decisions),
                rate(b.options),
            );
        }
    }
    if json {
        say!("{:#}", serde_json::json!(rows));
    }
    Ok(())
}

pub(crate) fn bench_odds(scenario: Option<&str>, decisions: usize) -> Outcome {
    let ids = scenario.map_or_else(catalogue::scenario_ids, |one| vec![one.to_owned()]);
    for id in ids {
        let scenario = files::scenario(&id, &Options::new())?;
        let (times, sampled) = scenario.bench_odds(decisions, 1863);
        let at = |share: f64| {
            times.get((times.len() as f64 * share) as usize).or(times.last()).copied().unwrap_or(0.0) / 1000.0
        };
        say!(
            "{id}: odds of {} decisions, median {:.2} ms, 90 % {:.2} ms, 99 % {:.2} ms, longest {:.1} ms; {sampled} sampled",
            times.len(),
            at(0.5),
            at(0.9),
            at(0.99),
            at(1.0),
        );
    }
    Ok(())
}

pub(crate) fn bench_rollouts(scenario: Option<&str>, time: Duration) -> Outcome {
    let ids = scenario.map_or_else(catalogue::scenario_ids, |one| vec![one.to_owned()]);
    for id in ids {
        let scenario = files::scenario(&id, &Options::new())?;
        let b = scenario.bench_steps(players::General::GENERAL, time, 1863);
        say!(
            "{id}: {:.0} rollouts, {:.0} decisions a second, {:.1} decisions a rollout",
            b.rollouts as f64 / b.seconds,
            b.steps as f64 / b.seconds,
            b.steps as f64 / b.rollouts.max(1) as f64,
        );
    }
    Ok(())
}
