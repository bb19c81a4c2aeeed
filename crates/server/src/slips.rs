//! Slips of a game: what is kept beside its journal and changes together with it, such as clocks.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use host::Failure;
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::{StoreError, Swap, Tell};

use crate::problem::OrFailed;
use crate::room::Room;

/// What each slip says, as it was last read or kept.
#[derive(Debug, Default)]
pub(crate) struct Slips(Mutex<BTreeMap<String, String>>);

impl Slips {
    /// What a slip says.
    pub(crate) fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        read(self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name)?)
    }

    /// The change that makes a slip say something else.
    pub(crate) fn swap<T: Serialize>(&self, name: &str, new: Option<&T>, due: Option<i64>) -> Swap {
        let was = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        Swap { name: name.to_owned(), was, body: new.and_then(|new| serde_json::to_string(new).ok()), due }
    }

    /// These changes are kept.
    pub(crate) fn keep(&self, swaps: &[Swap]) {
        let mut slips = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for Swap { name, body, .. } in swaps {
            match body {
                Some(body) => drop(slips.insert(name.clone(), body.clone())),
                None => drop(slips.remove(name)),
            }
        }
    }
}

/// What a kept slip says; one that an earlier version wrote in a way nobody can read says nothing.
pub(crate) fn read<T: DeserializeOwned>(body: &str) -> Option<T> {
    serde_json::from_str(body).ok()
}

impl Room {
    /// Reads the slips anew. To be done after the game itself was read: what has changed in between is found by its version.
    pub(crate) async fn read_slips(&self) -> Result<(), Failure> {
        let rows = self.shared.store.slips(&self.about.id).await.or_failed()?;
        let new = rows.into_iter().map(|row| (row.name, row.body)).collect();
        *self.slips.0.lock().unwrap_or_else(PoisonError::into_inner) = new;
        Ok(())
    }

    /// Changes slips and nothing else. False when somebody else was faster: then they are read anew.
    pub(crate) async fn change_slips(&self, swaps: Vec<Swap>) -> Result<bool, Failure> {
        self.change_slips_and_tell(swaps, Vec::new()).await
    }

    /// The same, with notices of it.
    pub(crate) async fn change_slips_and_tell(
        &self,
        swaps: Vec<Swap>,
        tells: Vec<Tell>,
    ) -> Result<bool, Failure> {
        match self.shared.store.swap_and_tell(&self.about.id, swaps.clone(), tells).await {
            Ok(version) => {
                self.advance(version);
                self.slips.keep(&swaps);
                Ok(true)
            }
            Err(StoreError::Conflict) => self.read_slips().await.map(|()| false),
            Err(error) => Err(crate::problem::store_failed(error)),
        }
    }
}
