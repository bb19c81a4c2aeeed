//! A bucket of Amazon's S3, or of anything that speaks like it.

use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path;
use object_store::{ClientOptions, Error, ObjectStoreExt as _, RetryConfig};

use crate::StoreError;
use crate::archive::failed;

/// How long one attempt may take, and all of them together; somebody may be waiting for their game.
const ANSWERED_WITHIN: Duration = Duration::from_secs(5);
const GIVEN_UP_AFTER: Duration = Duration::from_secs(15);
const ATTEMPTS: usize = 3;

/// A bucket, and where in it the journals are.
#[derive(Debug)]
pub(crate) struct Bucket {
    s3: AmazonS3,
    prefix: Path,
}

impl Bucket {
    pub(crate) fn open(
        address: &str,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, StoreError> {
        // One that is there already does as well.
        drop(rustls::crypto::ring::default_provider().install_default());
        let unreadable = |why: &dyn std::fmt::Display| failed(address, why);
        let rest = address.strip_prefix("s3://").unwrap_or(address);
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(unreadable(&"write it as s3://bucket/prefix"));
        }
        let prefix = Path::parse(prefix.trim_matches('/')).map_err(|error| unreadable(&error))?;
        let options = ClientOptions::new()
            .with_timeout(ANSWERED_WITHIN)
            .with_connect_timeout(ANSWERED_WITHIN)
            // Whoever names an address without TLS means it.
            .with_allow_http(true);
        let retry = RetryConfig {
            max_retries: ATTEMPTS - 1,
            retry_timeout: GIVEN_UP_AFTER,
            ..RetryConfig::default()
        };
        // Not everything that speaks like S3 deletes many at once, and nobody here does.
        let mut builder = AmazonS3Builder::new()
            .with_client_options(options)
            .with_retry(retry)
            .with_disable_bulk_delete(true);
        for (name, value) in variables {
            if let Some(key) = setting(&name) {
                builder = builder.with_config(key, value);
            }
        }
        let s3 = builder.with_bucket_name(bucket).build().map_err(|error| unreadable(&error))?;
        Ok(Bucket { s3, prefix })
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.prefix.clone(), |path, part| path.join(part))
    }

    pub(crate) async fn put(&self, name: &str, text: String) -> Result<(), StoreError> {
        self.s3.put(&self.path(name), text.into()).await.map(drop).map_err(|error| failed(name, error))
    }

    pub(crate) async fn get(&self, name: &str) -> Result<String, StoreError> {
        let read = async { self.s3.get(&self.path(name)).await?.bytes().await };
        let bytes = read.await.map_err(|error| failed(name, error))?;
        String::from_utf8(bytes.into()).map_err(|error| failed(name, error))
    }

    pub(crate) async fn forget(&self, name: &str) -> Result<(), StoreError> {
        match self.s3.delete(&self.path(name)).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(name, error)),
        }
    }
}

/// The setting that a variable of the environment makes: those that Amazon's own tools read.
fn setting(variable: &str) -> Option<AmazonS3ConfigKey> {
    variable.starts_with("AWS_").then(|| variable.to_ascii_lowercase().parse().ok()).flatten()
}
