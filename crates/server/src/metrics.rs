//! What the server counts, in Prometheus's text. Each server has a recorder of its own.

use std::fmt;
use std::time::Duration;

use metrics::{Counter, Gauge, Histogram, Key, KeyName, Level, Metadata, Recorder};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

/// Upper bounds of the histograms' boxes, in seconds.
const BOUNDS: [f64; 11] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];
const META: Metadata<'static> = Metadata::new("linstock", Level::INFO, None);

/// All that is counted.
pub(crate) struct Metrics {
    handle: PrometheusHandle,
    pub(crate) requests: Histogram,
    pub(crate) problems: Counter,
    pub(crate) acts: Counter,
    pub(crate) refused: Counter,
    pub(crate) stale: Counter,
    pub(crate) limited: Counter,
    pub(crate) over_quota: Counter,
    pub(crate) busy: Counter,
    pub(crate) created: Counter,
    pub(crate) deleted: Counter,
    pub(crate) loaded: Counter,
    pub(crate) unloaded: Counter,
    pub(crate) drawn: Counter,
    pub(crate) reviewed: Counter,
    pub(crate) connections: Gauge,
    pub(crate) thought: Histogram,
    pub(crate) compiled: Histogram,
    pub(crate) commits: Histogram,
    pub(crate) commit_size: Histogram,
    levels: Levels,
}

/// What is looked up when somebody asks.
struct Levels {
    in_memory: Gauge,
    workers_busy: Gauge,
    workers_waiting: Gauge,
    thinkers_busy: Gauge,
    thinkers_waiting: Gauge,
    compilers_waiting: Gauge,
    writes_waiting: Gauge,
    database: Gauge,
}

/// The numbers of a moment.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Moment {
    pub(crate) in_memory: usize,
    pub(crate) workers_busy: usize,
    pub(crate) workers_waiting: usize,
    pub(crate) thinkers_busy: usize,
    pub(crate) thinkers_waiting: usize,
    pub(crate) compilers_waiting: usize,
    pub(crate) writes_waiting: usize,
    pub(crate) database: u64,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

/// Names each number once, with what it means.
struct Register(PrometheusRecorder);

impl Register {
    fn counter(&self, name: &'static str, help: &'static str) -> Counter {
        self.0.describe_counter(KeyName::from_const_str(name), None, help.into());
        self.0.register_counter(&Key::from_static_name(name), &META)
    }

    fn gauge(&self, name: &'static str, help: &'static str) -> Gauge {
        self.0.describe_gauge(KeyName::from_const_str(name), None, help.into());
        self.0.register_gauge(&Key::from_static_name(name), &META)
    }

    fn histogram(&self, name: &'static str, help: &'static str) -> Histogram {
        self.0.describe_histogram(KeyName::from_const_str(name), None, help.into());
        self.0.register_histogram(&Key::from_static_name(name), &META)
    }
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let builder = PrometheusBuilder::new();
        let recorder = match builder.set_buckets(&BOUNDS) {
            Ok(builder) => builder.build_recorder(),
            // The bounds are ours and not empty; quantiles would do as well.
            Err(_) => PrometheusBuilder::new().build_recorder(),
        };
        let handle = recorder.handle();
        let of = Register(recorder);
        Metrics {
            handle,
            requests: of.histogram("linstock_request_seconds", "Time to answer a request."),
            problems: of.counter("linstock_problems_total", "Requests answered with a problem."),
            acts: of.counter("linstock_acts_total", "Acts played."),
            refused: of.counter("linstock_refused_total", "Acts that the rules refused."),
            stale: of.counter("linstock_stale_total", "Acts that came too late."),
            limited: of.counter("linstock_limited_total", "Requests over the rate limit."),
            over_quota: of.counter("linstock_over_quota_total", "Requests that would have kept too much."),
            busy: of.counter("linstock_busy_total", "Requests turned away because there was too much to do."),
            created: of.counter("linstock_games_created_total", "Games created or imported."),
            deleted: of.counter("linstock_games_deleted_total", "Games deleted because nobody touched them."),
            loaded: of.counter("linstock_games_loaded_total", "Games set up from disk."),
            unloaded: of.counter("linstock_games_unloaded_total", "Games let go of."),
            drawn: of.counter("linstock_games_drawn_total", "Last views kept."),
            reviewed: of.counter("linstock_reviews_total", "Reviews made of finished games."),
            connections: of.gauge("linstock_connections", "Open WebSockets."),
            thought: of.histogram("linstock_thought_seconds", "Time a computer takes to decide."),
            compiled: of.histogram("linstock_compile_seconds", "Time to set up a player's own scenario."),
            commits: of.histogram("linstock_commit_seconds", "Time of a commit to disk."),
            commit_size: of.histogram("linstock_commit_writes", "Writes that share a commit."),
            levels: Levels {
                in_memory: of.gauge("linstock_games_in_memory", "Games in memory."),
                workers_busy: of.gauge("linstock_workers_busy", "Games being worked on."),
                workers_waiting: of.gauge("linstock_workers_waiting", "Work that waits for a worker."),
                thinkers_busy: of.gauge("linstock_thinkers_busy", "Computers that think."),
                thinkers_waiting: of.gauge("linstock_thinkers_waiting", "Computers that wait to think."),
                compilers_waiting: of
                    .gauge("linstock_compilers_waiting", "Scenarios that wait to be set up."),
                writes_waiting: of.gauge("linstock_writes_waiting", "Writes that wait for a commit."),
                database: of.gauge("linstock_database_bytes", "Size of the database."),
            },
        }
    }

    /// Prometheus's text.
    pub(crate) fn text(&self, now: Moment) -> String {
        let Levels { in_memory, workers_busy, workers_waiting, thinkers_busy, .. } = &self.levels;
        in_memory.set(now.in_memory as f64);
        workers_busy.set(now.workers_busy as f64);
        workers_waiting.set(now.workers_waiting as f64);
        thinkers_busy.set(now.thinkers_busy as f64);
        self.levels.thinkers_waiting.set(now.thinkers_waiting as f64);
        self.levels.compilers_waiting.set(now.compilers_waiting as f64);
        self.levels.writes_waiting.set(now.writes_waiting as f64);
        self.levels.database.set(now.database as f64);
        self.handle.render()
    }

    /// Sorts what was measured into its boxes; to be called now and then even if nobody reads it.
    pub(crate) fn tidy(&self) {
        self.handle.run_upkeep();
    }
}

/// Notes how long something took.
pub(crate) fn observe(histogram: &Histogram, time: Duration) {
    histogram.record(time.as_secs_f64());
}
