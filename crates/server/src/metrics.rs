//! What the server counts, in Prometheus's text.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A number that grows and shrinks.
#[derive(Debug, Default)]
pub(crate) struct Level(AtomicU64);

impl Level {
    pub(crate) fn up(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn down(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Upper bounds of the histogram's boxes, in milliseconds.
const BOUNDS: [u64; 10] = [1, 2, 5, 10, 20, 50, 100, 250, 1_000, 5_000];

/// How long something takes.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    boxes: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

impl Histogram {
    pub(crate) fn observe(&self, time: Duration) {
        let index = BOUNDS.iter().position(|&ms| time <= Duration::from_millis(ms)).unwrap_or(BOUNDS.len());
        self.boxes[index].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(time.as_micros() as u64, Ordering::Relaxed);
    }

    fn write(&self, out: &mut String, name: &str, help: &str) {
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} histogram");
        let mut sum = 0;
        for (index, count) in self.boxes.iter().enumerate() {
            sum += count.load(Ordering::Relaxed);
            let bound = BOUNDS.get(index).map_or("+Inf".to_owned(), |&ms| (ms as f64 / 1000.0).to_string());
            let _ = writeln!(out, "{name}_bucket{{le=\"{bound}\"}} {sum}");
        }
        let seconds = self.micros.load(Ordering::Relaxed) as f64 / 1e6;
        let _ = writeln!(out, "{name}_sum {seconds}\n{name}_count {sum}");
    }
}

/// All that is counted.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    pub(crate) requests: Histogram,
    pub(crate) problems: Counter,
    pub(crate) acts: Counter,
    pub(crate) refused: Counter,
    pub(crate) stale: Counter,
    pub(crate) limited: Counter,
    pub(crate) created: Counter,
    pub(crate) loaded: Counter,
    pub(crate) unloaded: Counter,
    pub(crate) connections: Level,
    pub(crate) thought: Histogram,
}

impl Metrics {
    /// Prometheus's text.
    pub(crate) fn text(&self, games_in_memory: usize) -> String {
        let mut out = String::new();
        let counters = [
            ("linstock_problems_total", "Requests answered with a problem.", &self.problems),
            ("linstock_acts_total", "Acts played.", &self.acts),
            ("linstock_refused_total", "Acts that the rules refused.", &self.refused),
            ("linstock_stale_total", "Acts that came too late.", &self.stale),
            ("linstock_limited_total", "Requests over the rate limit.", &self.limited),
            ("linstock_games_created_total", "Games created or imported.", &self.created),
            ("linstock_games_loaded_total", "Games set up from disk.", &self.loaded),
            ("linstock_games_unloaded_total", "Games let go of.", &self.unloaded),
        ];
        for (name, help, counter) in counters {
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} counter\n{name} {}", counter.get());
        }
        let connections = self.connections.0.load(Ordering::Relaxed);
        let levels = [
            ("linstock_games_in_memory", "Games in memory.", games_in_memory as u64),
            ("linstock_connections", "Open WebSockets.", connections),
        ];
        for (name, help, value) in levels {
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
        }
        self.requests.write(&mut out, "linstock_request_seconds", "Time to answer a request.");
        self.thought.write(&mut out, "linstock_thought_seconds", "Time a computer takes to decide.");
        out
    }
}
