//! The desk over HTTP. To everybody but an administrator there is no such address.

use std::sync::Arc;

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use host::Failure;
use host::wire::{
    AnswerAppeal, AppealFace, AuditFace, Because, Code, PersonFace, Problems, ReportFace, TakeMeasure,
};
use serde::Deserialize;
use utoipa::IntoParams;

use super::desk::Desk;
use super::people::suspension;
use crate::accounts::Member;
use crate::api::{Answer, Body, Path, Query, to_the_end};
use crate::chat;
use crate::hall::Hall;
use crate::problem::OrFailed;
use crate::room::News;

/// Somebody who is signed in to an administrator's account that is not suspended.
#[derive(Debug)]
pub(crate) struct Administrator {
    member: Member,
}

impl FromRequestParts<Arc<Hall>> for Administrator {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, hall: &Arc<Hall>) -> Result<Self, Failure> {
        // The same as for any address that is not there.
        let none = || Failure::new(Code::NoSuchPage, "There is no such address; docs/api.md lists them.");
        let member = Member::from_request_parts(parts, hall)
            .await
            .map_err(|failure| if failure.0.code == Code::SignInNeeded { none() } else { failure })?;
        let account = member.account();
        if !hall.is_administrator(account).await? || suspension(&hall.shared.store, account).await?.is_some()
        {
            return Err(none());
        }
        Ok(Administrator { member })
    }
}

impl Administrator {
    fn desk<'a>(&'a self, hall: &'a Hall) -> Desk<'a> {
        Desk::new(&hall.shared.store, self.member.account(), &hall.order.named)
    }

    /// What changes something needs a sign-in of the last quarter of an hour: a session that was left open somewhere changes nothing.
    fn acts<'a>(&'a self, hall: &'a Hall) -> Result<Desk<'a>, Failure> {
        self.member.must_be_fresh()?;
        Ok(self.desk(hall))
    }
}

impl Hall {
    pub(super) async fn is_administrator(&self, account: &str) -> Result<bool, Failure> {
        if self.order.named.iter().any(|id| id == account) {
            return Ok(true);
        }
        let granted = self.shared.store.administrators().await.or_failed()?;
        Ok(granted.iter().any(|(id, _)| id == account))
    }

    /// The games of an account that are in memory here are set up again from the database, which has the name.
    async fn show_name(&self, account: &str) -> Result<(), Failure> {
        for seat in self.shared.store.own_seats(account).await.or_failed()? {
            let Some(room) = self.in_memory(&seat.game) else { continue };
            // One that cannot be read now is read when somebody asks for it.
            let Ok(mut play) = room.seen().await else { continue };
            play.unsure = true;
            drop(play);
            room.tell(News::Face);
        }
        Ok(())
    }
}

// ---------------------------------------------------------------------------------------------- addresses

#[utoipa::path(get, path = "/api/v1/admin/reports", tag = "admin", responses((status = 200, body = [ReportFace]), Problems),
    security(("session" = [])))]
pub(crate) async fn reports(State(hall): State<Arc<Hall>>, admin: Administrator) -> Answer<Vec<ReportFace>> {
    admin.desk(&hall).reports().await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/admin/reports/{report}/settle", tag = "admin", params(("report" = String, Path)),
    request_body = Because, responses((status = 204), Problems), security(("session" = [])))]
pub(crate) async fn settle(
    State(hall): State<Arc<Hall>>,
    admin: Administrator,
    Path(report): Path<String>,
    Body(because): Body<Because>,
) -> Result<StatusCode, Failure> {
    admin.acts(&hall)?.settle(&report, because).await.map(|()| StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Find {
    /// An id, or a part of a name; all if left out.
    #[serde(default)]
    name: String,
}

#[utoipa::path(get, path = "/api/v1/admin/accounts", tag = "admin", params(Find),
    responses((status = 200, body = [PersonFace]), Problems), security(("session" = [])))]
pub(crate) async fn accounts(
    State(hall): State<Arc<Hall>>,
    admin: Administrator,
    Query(find): Query<Find>,
) -> Answer<Vec<PersonFace>> {
    admin.desk(&hall).accounts(&find.name).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/admin/accounts/{account}/measures", tag = "admin", params(("account" = String, Path)),
    request_body = TakeMeasure, responses((status = 204), Problems), security(("session" = [])))]
pub(crate) async fn take(
    State(hall): State<Arc<Hall>>,
    admin: Administrator,
    Path(account): Path<String>,
    Body(measure): Body<TakeMeasure>,
) -> Result<StatusCode, Failure> {
    to_the_end(async move {
        if admin.acts(&hall)?.take(&account, measure).await?.is_some() {
            hall.show_name(&account).await?;
        }
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

#[utoipa::path(get, path = "/api/v1/admin/appeals", tag = "admin", responses((status = 200, body = [AppealFace]), Problems),
    security(("session" = [])))]
pub(crate) async fn appeals(State(hall): State<Arc<Hall>>, admin: Administrator) -> Answer<Vec<AppealFace>> {
    admin.desk(&hall).appeals().await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/admin/measures/{measure}/answer", tag = "admin", params(("measure" = String, Path)),
    request_body = AnswerAppeal, responses((status = 204), Problems), security(("session" = [])))]
pub(crate) async fn answer(
    State(hall): State<Arc<Hall>>,
    admin: Administrator,
    Path(measure): Path<String>,
    Body(answer): Body<AnswerAppeal>,
) -> Result<StatusCode, Failure> {
    admin.acts(&hall)?.answer(&measure, answer).await.map(|()| StatusCode::NO_CONTENT)
}

#[utoipa::path(post, path = "/api/v1/admin/measures/{measure}/lift", tag = "admin", params(("measure" = String, Path)),
    request_body = Because, responses((status = 204), Problems), security(("session" = [])))]
pub(crate) async fn lift(
    State(hall): State<Arc<Hall>>,
    admin: Administrator,
    Path(measure): Path<String>,
    Body(because): Body<Because>,
) -> Result<StatusCode, Failure> {
    admin.acts(&hall)?.lift(&measure, because).await.map(|()| StatusCode::NO_CONTENT)
}

#[utoipa::path(post, path = "/api/v1/admin/challenges/{challenge}/remove", tag = "admin", params(("challenge" = String, Path)),
    request_body = Because, responses((status = 204), Problems), security(("session" = [])))]
pub(crate) async fn remove_challenge(
    State(hall): State<Arc<Hall>>,
    admin: Administrator,
    Path(challenge): Path<String>,
    Body(because): Body<Because>,
) -> Result<StatusCode, Failure> {
    admin.acts(&hall)?.remove_challenge(&challenge, because).await.map(|()| StatusCode::NO_CONTENT)
}

#[utoipa::path(post, path = "/api/v1/admin/games/{game}/chat/{line}/remove", tag = "admin",
    params(("game" = String, Path), ("line" = u64, Path)),
    request_body = Because, responses((status = 204), Problems), security(("session" = [])))]
pub(crate) async fn remove_line(
    State(hall): State<Arc<Hall>>,
    admin: Administrator,
    Path((game, line)): Path<(String, u64)>,
    Body(because): Body<Because>,
) -> Result<StatusCode, Failure> {
    to_the_end(async move {
        admin.acts(&hall)?.remove_line(&game, line, because).await?;
        // Whoever looks on sees the line as it is now.
        if let Some(room) = hall.in_memory(&game) {
            let lines = chat::since(&room, i64::try_from(line).unwrap_or(i64::MAX).saturating_sub(1)).await?;
            lines.into_iter().take(1).for_each(|line| room.tell(News::Chat(line)));
        }
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Earlier {
    /// Only what was done before this, in milliseconds since 1970.
    before: Option<u64>,
}

#[utoipa::path(get, path = "/api/v1/admin/audit", tag = "admin", params(Earlier),
    responses((status = 200, body = [AuditFace]), Problems), security(("session" = [])))]
pub(crate) async fn audit(
    State(hall): State<Arc<Hall>>,
    admin: Administrator,
    Query(earlier): Query<Earlier>,
) -> Answer<Vec<AuditFace>> {
    admin.desk(&hall).audit(earlier.before).await.map(Json)
}
