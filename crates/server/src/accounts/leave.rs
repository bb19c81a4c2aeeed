//! Deleting an account. The games stay as they are for whoever else sits there; only the name goes.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use game::journal::{self, Header};
use store::{OwnSeatRow, Store, StoreError};

use super::games::side;
use super::sessions::{self, Member};
use crate::api::to_the_end;
use crate::hall::Hall;
use crate::problem::{OrFailed, store_failed};
use crate::room::News;
use host::Failure;
use host::wire::Problems;

/// What stands in place of the name.
const NOBODY: &str = "Former member";
/// How often a journal is read anew that grows while it is written down.
const ATTEMPTS: usize = 5;

#[utoipa::path(post, path = "/api/v1/account/delete", tag = "account", responses((status = 204), Problems),
    security(("session" = [])))]
pub(crate) async fn delete(State(hall): State<Arc<Hall>>, member: Member) -> Result<Response, Failure> {
    member.must_be_fresh()?;
    to_the_end(async move { hall.delete_account(&member.session.account).await }).await?;
    Ok((sessions::forgotten(), StatusCode::NO_CONTENT).into_response())
}

impl Hall {
    /// Each game is left by itself, and the account goes last: cut short, it can be deleted again.
    async fn delete_account(&self, account: &str) -> Result<(), Failure> {
        let store = &self.shared.store;
        for seat in store.own_seats(account).await.or_failed()? {
            self.leave_seat(seat).await?;
        }
        store.delete_account(account).await.or_failed()
    }

    async fn leave_seat(&self, seat: OwnSeatRow) -> Result<(), Failure> {
        let room = self.in_memory(&seat.game);
        // Nobody acts in the game meanwhile, and afterwards it is set up again from the database.
        let held = match &room {
            Some(room) => {
                let mut play = room.seen().await?;
                play.unsure = true;
                Some(play)
            }
            None => None,
        };
        name_in_journal(&self.shared.store, &seat, NOBODY).await?;
        let left = self.shared.store.leave(seat, NOBODY.to_owned()).await;
        drop(held);
        if let Some(room) = room {
            room.tell(News::Face);
        }
        match left {
            // The game is deleted, and the seat with it.
            Ok(_) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(store_failed(error)),
        }
    }
}

/// Puts another name for a seat into the journal's first line.
pub(crate) async fn name_in_journal(store: &Store, seat: &OwnSeatRow, name: &str) -> Result<(), Failure> {
    for _ in 0..ATTEMPTS {
        let Some(mut kept) = store.game(&seat.game).await.or_failed()? else { return Ok(()) };
        let Some(first) = kept.lines.first_mut() else { return Ok(()) };
        let Ok(parsed) = journal::parse(first) else { return Ok(()) };
        let mut header: Header = parsed.header;
        header.seats[side(seat.side)] = name.to_owned();
        *first = journal::line(&header);
        match store.rewrite(&seat.game, kept.lines).await {
            Err(StoreError::Conflict) => {}
            done => return done.map(drop).or_failed(),
        }
    }
    Err(Failure::new(host::wire::Code::Busy, "A game of this account is being played just now; try again."))
}
