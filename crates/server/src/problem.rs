//! What becomes of a request when the store fails.

use host::wire::Code;
use store::StoreError;

pub(crate) use host::Failure;

/// The answer to whoever asked for something that the store could not do.
pub(crate) trait OrFailed<T> {
    /// The store's failure as an answer.
    fn or_failed(self) -> Result<T, Failure>;
}

impl<T> OrFailed<T> for Result<T, StoreError> {
    fn or_failed(self) -> Result<T, Failure> {
        self.map_err(store_failed)
    }
}

pub(crate) fn store_failed(error: StoreError) -> Failure {
    tracing::error!(%error, "the store failed");
    match error {
        StoreError::Full => Failure::new(Code::DiskFull, "The server's disk is full. Nothing was changed."),
        StoreError::Closed => Failure::new(Code::GoingDown, "The server is going down. Nothing was changed."),
        StoreError::Unreachable(_) => Failure::new(
            Code::StoreFailed,
            "The database cannot be reached just now. Send the same request again: it is never done twice.",
        ),
        StoreError::Conflict
        | StoreError::Locked
        | StoreError::InUse(_)
        | StoreError::Newer(_)
        | StoreError::Address(_)
        | StoreError::Archive(_)
        | StoreError::Failed(_) => {
            Failure::new(Code::StoreFailed, "The database did not take it. Nothing was changed; try again.")
        }
    }
}
