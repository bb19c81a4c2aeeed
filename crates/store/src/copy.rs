//! From one store to another.

use crate::work::{Whole, Work};
use crate::{Store, StoreError};

/// Lines of chat that are read at once: more than a game may have.
const CHAT: i64 = 1_000_000;
/// What a server knows about itself that must not change when it moves.
const FACTS: [&str; 3] = ["owner_salt", "notice_key", "vapid_key"];

/// What was copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Copied {
    /// Games that were copied now.
    pub games: u64,
    /// Games that were there already and are left alone.
    pub already: u64,
    /// Lines of their journals.
    pub lines: u64,
}

/// Copies every game and every account with all that belongs to it, each in one transaction; nobody stays signed in. What is there already is left alone, so it can be
/// run again after an interruption. `told` hears of each game.
///
/// # Errors
/// When either store fails. What was copied before stays.
pub async fn copy(from: &Store, to: &Store, mut told: impl FnMut(Copied)) -> Result<Copied, StoreError> {
    let mut copied = Copied::default();
    for name in FACTS {
        if let Some(value) = from.noted(name).await? {
            to.note(name, value).await?;
        }
    }
    for id in from.ids().await? {
        let Some(kept) = from.game(&id).await? else { continue };
        let lines = kept.lines.len() as u64;
        let whole = Whole {
            kept,
            requests: from.requests(&id).await?,
            chat: from.chat(&id, 0, CHAT).await?,
            picture: from.picture(&id).await?,
            challenge: from.challenge_of(&id).await?,
            slips: from.slips(&id).await?,
            review: from.review(&id).await?,
        };
        match to.write(Work::Import(Box::new(whole))).await {
            Ok(_) => {
                copied.games += 1;
                copied.lines += lines;
            }
            Err(StoreError::Conflict) => copied.already += 1,
            Err(error) => return Err(error),
        }
        told(copied);
    }
    for id in from.account_ids().await? {
        to.import_account(from, &id).await?;
    }
    to.import_order(from).await?;
    to.import_ratings(from).await?;
    Ok(copied)
}
