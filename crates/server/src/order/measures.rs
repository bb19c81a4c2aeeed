//! What the one concerned sees of it, and may say to it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use host::wire::{Appeal, Code, MeasureFace, MeasureKind, OwnOrder, Problems, ReportFace, TieFace};
use host::{Failure, requests, seats};
use serde::Serialize;
use store::{MeasureRow, StoreError, TieRow};

use super::people::kind_of;
use super::reports;
use crate::accounts::Member;
use crate::api::{Answer, Body, Path};
use crate::hall::Hall;
use crate::problem::{OrFailed, store_failed};
use crate::world;

const KINDS: [(MeasureKind, &str); 6] = [
    (MeasureKind::Warned, "warned"),
    (MeasureKind::Suspended, "suspended"),
    (MeasureKind::Closed, "closed"),
    (MeasureKind::Renamed, "renamed"),
    (MeasureKind::LineRemoved, "line_removed"),
    (MeasureKind::ChallengeRemoved, "challenge_removed"),
];

pub(super) fn word(kind: MeasureKind) -> &'static str {
    KINDS.iter().find(|(k, _)| *k == kind).map_or("", |(_, word)| word)
}

pub(super) fn measure_face(row: MeasureRow) -> Option<MeasureFace> {
    let kind = KINDS.iter().find(|(_, word)| *word == row.kind)?.0;
    let of = |time: i64| time as u64;
    let MeasureRow { id, why, made, until, lifted, appeal, answer, .. } = row;
    let (made, until, lifted) = (of(made), until.map(of), lifted.map(of));
    Some(MeasureFace { id, kind, why, made, until, lifted, appeal, answer })
}

fn tie_face(row: TieRow) -> Option<TieFace> {
    let tie = kind_of(&row.kind)?;
    Some(TieFace { id: seats::hash(&row.other), name: row.name, tie, made: row.made as u64 })
}

/// What is kept of somebody besides, for their export.
#[derive(Serialize)]
pub(crate) struct Kept {
    #[serde(flatten)]
    order: OwnOrder,
    reports: Vec<ReportFace>,
}

/// What is kept about order of an account.
pub(crate) async fn own_order(hall: &Hall, account: &str) -> Result<Kept, Failure> {
    let reports = hall.shared.store.reports_by(account).await.or_failed()?;
    Ok(Kept {
        order: hall.own_order(account).await?,
        reports: reports.into_iter().filter_map(reports::face).collect(),
    })
}

#[utoipa::path(get, path = "/api/v1/account/order", tag = "order", responses((status = 200, body = OwnOrder), Problems),
    security(("session" = [])))]
pub(crate) async fn own(State(hall): State<Arc<Hall>>, member: Member) -> Answer<OwnOrder> {
    hall.own_order(member.account()).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/ties/{tie}/end", tag = "order", params(("tie" = String, Path)),
    responses((status = 200, body = OwnOrder), Problems), security(("session" = [])))]
pub(crate) async fn untie(
    State(hall): State<Arc<Hall>>,
    member: Member,
    Path(tie): Path<String>,
) -> Answer<OwnOrder> {
    let (store, account) = (&hall.shared.store, member.account());
    let ties = store.ties(account).await.or_failed()?;
    // Taken back already it stays so.
    if let Some(row) = ties.into_iter().find(|row| seats::hash(&row.other) == tie) {
        store.untie(account, &row.other).await.or_failed()?;
    }
    hall.own_order(account).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/measures/{measure}/appeal", tag = "order", params(("measure" = String, Path)),
    request_body = Appeal, responses((status = 200, body = OwnOrder), Problems), security(("session" = [])))]
pub(crate) async fn appeal(
    State(hall): State<Arc<Hall>>,
    member: Member,
    Path(measure): Path<String>,
    Body(appeal): Body<Appeal>,
) -> Answer<OwnOrder> {
    let text = requests::chat(&appeal.text)?;
    let account = member.account();
    let said = hall.shared.store.appeal(&measure, account, text, world::now() as i64).await;
    said.map_err(|error| match error {
        StoreError::Conflict => {
            let what = "You can write one note to each measure about your account, and there is one already or no such measure.";
            Failure::new(Code::AlreadyDone, what)
        }
        error => store_failed(error),
    })?;
    hall.own_order(account).await.map(Json)
}

impl Hall {
    async fn own_order(&self, account: &str) -> Result<OwnOrder, Failure> {
        let store = &self.shared.store;
        let measures = store.measures(account).await.or_failed()?;
        let ties = store.ties(account).await.or_failed()?;
        Ok(OwnOrder {
            administrator: self.is_administrator(account).await?,
            measures: measures.into_iter().filter_map(measure_face).collect(),
            ties: ties.into_iter().filter_map(tie_face).collect(),
        })
    }
}
