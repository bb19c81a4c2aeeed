//! What the program says about itself: lines to the standard error, and, where a collector of OpenTelemetry's is named, a trace of
//! each request with the acts and transactions in it.
//!
//! The spans are there for collectors alone (level `debug`): without one they cost nothing and no line mentions them.

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer, Registry, fmt};

use crate::serve::ServeError;

/// Whether this build can send traces.
pub const TRACES: bool = cfg!(feature = "otlp");

/// A layer of whatever kind.
type AnyLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// Lines go to the standard error; `LINSTOCK_LOG` says how much (`info`, `server=debug`), `LINSTOCK_LOG_JSON=1` as JSON. Traces go
/// to the collector at `otlp`.
pub(crate) fn begin(otlp: Option<&str>) -> Result<Traces, ServeError> {
    let asked = std::env::var("LINSTOCK_LOG").ok().and_then(|wanted| wanted.parse::<Targets>().ok());
    let filter = asked.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines: AnyLayer = if std::env::var_os("LINSTOCK_LOG_JSON").is_some_and(|v| v != "0") {
        lines.json().with_filter(filter).boxed()
    } else {
        lines.with_filter(filter).boxed()
    };
    let mut layers = vec![lines];
    let traces = match otlp {
        Some(url) => {
            let (traces, spans) = to_collector(url)?;
            layers.push(spans);
            traces
        }
        None => Traces::default(),
    };
    let set = tracing_subscriber::registry().with(layers).try_init();
    // A program that has its own keeps it.
    drop(set);
    Ok(traces)
}

#[cfg(not(feature = "otlp"))]
mod sending {
    use super::{AnyLayer, ServeError};

    /// Nothing is sent.
    #[derive(Debug, Default)]
    pub(crate) struct Traces;

    impl Traces {
        pub(crate) async fn close(self) {}
    }

    pub(super) fn to_collector(_: &str) -> Result<(Traces, AnyLayer), ServeError> {
        Err(ServeError::NoTraces)
    }
}

#[cfg(feature = "otlp")]
mod sending {
    use std::time::Duration;

    use opentelemetry::trace::TracerProvider as _;
    use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use tracing_subscriber::Layer as _;
    use tracing_subscriber::filter::{LevelFilter, Targets};

    use super::{AnyLayer, ServeError};

    /// How long a collector may take, and how long the last spans have when the server goes down.
    const SENT_WITHIN: Duration = Duration::from_secs(5);
    const FAREWELL: Duration = Duration::from_secs(1);

    /// What is on its way to a collector.
    #[derive(Debug, Default)]
    pub(crate) struct Traces(Option<SdkTracerProvider>);

    impl Traces {
        /// Sends what is left, as far as there is time.
        pub(crate) async fn close(self) {
            let Some(provider) = self.0 else { return };
            let sent = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(FAREWELL)).await;
            if !matches!(sent, Ok(Ok(()))) {
                tracing::warn!("the last traces did not reach the collector");
            }
        }
    }

    /// Sends spans of ours to the collector at this address, as OTLP over HTTP.
    pub(super) fn to_collector(url: &str) -> Result<(Traces, AnyLayer), ServeError> {
        // One that is there already does as well.
        drop(rustls::crypto::ring::default_provider().install_default());
        let exporter = SpanExporter::builder()
            .with_http()
            .with_endpoint(format!("{}/v1/traces", url.trim_end_matches('/')))
            .with_timeout(SENT_WITHIN)
            .build()
            .map_err(|error| ServeError::Collector { url: url.to_owned(), why: error.to_string() })?;
        let name = std::env::var("OTEL_SERVICE_NAME").unwrap_or_else(|_| "linstock".to_owned());
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(Resource::builder().with_service_name(name).build())
            .build();
        let ours =
            Targets::new().with_target("server", LevelFilter::DEBUG).with_target("store", LevelFilter::DEBUG);
        let spans = tracing_opentelemetry::layer().with_tracer(provider.tracer("linstock")).with_filter(ours);
        Ok((Traces(Some(provider)), spans.boxed()))
    }
}

pub(crate) use sending::Traces;
use sending::to_collector;
