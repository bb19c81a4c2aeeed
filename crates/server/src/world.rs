//! What a node asks of the machine around it: the time, randomness, tasks, threads for long work. A simulation (`simulation`,
//! in tests) puts its own world in the place of the real one; everything that changes games asks here and nowhere else.

use std::future::Future;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[cfg(test)]
use crate::simulation;

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    #[cfg(test)]
    if let Some(now) = simulation::now() {
        return now;
    }
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64)
}

/// Random bytes.
pub(crate) fn random(bytes: &mut [u8]) -> Result<(), getrandom::Error> {
    #[cfg(test)]
    if simulation::random(bytes) {
        return Ok(());
    }
    getrandom::fill(bytes)
}

/// Waits.
pub(crate) async fn sleep(time: Duration) {
    #[cfg(test)]
    if let Some(sleep) = simulation::sleep(time) {
        return sleep.await;
    }
    tokio::time::sleep(time).await;
}

/// Does something beside everything else.
pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) {
    #[cfg(test)]
    let Some(task) = simulation::spawn(task) else { return };
    drop(tokio::spawn(task));
}

/// Does long work on a thread where nobody waits for it. The error is a panic's.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    #[cfg(test)]
    if simulation::now().is_some() {
        return Ok(work());
    }
    tokio::task::spawn_blocking(work).await.map_err(|panic| panic.to_string())
}
