//! What an account can set: where it is told, of what, and when.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use host::Failure;
use host::wire::{
    AskPush, AskWebhook, ChannelFace, ChannelKind, Code, Mute, NoticeWishes, NoticesFace, Problems,
};
use store::ChannelRow;
use utoipa::OpenApi;

use super::links::{self, office};
use super::office::kind;
use super::push::Keys;
use super::{calls, hours};
use crate::accounts::{Member, OwnPage};
use crate::api::{Answer, Body, Path};
use crate::hall::Hall;
use crate::problem::{OrFailed, store_failed};
use crate::{chance, world};

/// The addresses, for the description.
#[derive(Debug, OpenApi)]
#[openapi(paths(
    super::terms,
    face,
    wish,
    add_push,
    add_webhook,
    mute,
    remove,
    links::ask_confirm,
    links::confirm,
    links::ask_enter,
    links::enter,
    links::ask_unsubscribe,
    links::unsubscribe
))]
pub(crate) struct Addresses;

pub(super) fn router() -> Router<Arc<Hall>> {
    Router::new()
        .route("/account/notices", get(face).post(wish))
        .route("/account/notices/push", post(add_push))
        .route("/account/notices/webhook", post(add_webhook))
        .route("/account/notices/channels/{channel}/mute", post(mute))
        .route("/account/notices/channels/{channel}/remove", post(remove))
}

#[utoipa::path(get, path = "/api/v1/account/notices", tag = "notices", responses((status = 200, body = NoticesFace), Problems),
    security(("session" = [])))]
pub(crate) async fn face(State(hall): State<Arc<Hall>>, member: Member) -> Answer<NoticesFace> {
    office(&hall)?;
    hall.notices_face(&member.session.account).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/notices", tag = "notices", request_body = NoticeWishes,
    responses((status = 200, body = NoticesFace), Problems), security(("session" = [])))]
pub(crate) async fn wish(
    State(hall): State<Arc<Hall>>,
    member: Member,
    Body(wishes): Body<NoticeWishes>,
) -> Answer<NoticesFace> {
    office(&hall)?;
    let account = &member.session.account;
    hall.shared.store.set_notices(hours::write(account, &wishes)?).await.or_failed()?;
    hall.notices_face(account).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/notices/push", tag = "notices", request_body = AskPush,
    responses((status = 200, body = NoticesFace), Problems), security(("session" = [])))]
pub(crate) async fn add_push(
    State(hall): State<Arc<Hall>>,
    member: Member,
    page: OwnPage,
    Body(ask): Body<AskPush>,
) -> Answer<NoticesFace> {
    let AskPush { endpoint, p256dh, auth } = ask;
    let keys = Keys { p256dh, auth, agent: page.agent.clone() };
    let malformed = || Failure::new(Code::Malformed, "The browser's keys cannot be read.");
    if !keys.sound() {
        return Err(malformed());
    }
    let more = serde_json::to_string(&keys).map_err(|_| malformed())?;
    add(&hall, member, "push", &endpoint, more).await
}

#[utoipa::path(post, path = "/api/v1/account/notices/webhook", tag = "notices", request_body = AskWebhook,
    responses((status = 200, body = NoticesFace), Problems), security(("session" = [])))]
pub(crate) async fn add_webhook(
    State(hall): State<Arc<Hall>>,
    member: Member,
    Body(ask): Body<AskWebhook>,
) -> Answer<NoticesFace> {
    let more =
        serde_json::to_string(&ask.format).map_err(|_| Failure::internal("a format cannot be written"))?;
    add(&hall, member, "webhook", &ask.url, more).await
}

/// Adds an address that this server will call.
async fn add(hall: &Hall, member: Member, kind: &str, target: &str, more: String) -> Answer<NoticesFace> {
    let url = calls::read(target)?;
    // Refused again when it is called: where a name leads may change.
    calls::find(&url, &office(hall)?.internal)
        .await
        .map_err(|fault| Failure::new(Code::Malformed, fault.why))?;
    let account = member.session.account;
    let channel = ChannelRow {
        id: chance::id()?,
        account: account.clone(),
        kind: kind.to_owned(),
        target: url.to_string(),
        more,
        made: world::now() as i64,
        muted: false,
        fault: None,
    };
    hall.open_channel(channel).await?;
    hall.notices_face(&account).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/notices/channels/{channel}/mute", tag = "notices", params(("channel" = String, Path)),
    request_body = Mute, responses((status = 200, body = NoticesFace), Problems), security(("session" = [])))]
pub(crate) async fn mute(
    State(hall): State<Arc<Hall>>,
    member: Member,
    Path(channel): Path<String>,
    Body(body): Body<Mute>,
) -> Answer<NoticesFace> {
    let account = &member.session.account;
    let channel = hall.own_channel(account, &channel).await?;
    hall.shared.store.mute_channel(&channel.id, body.muted).await.or_failed()?;
    hall.notices_face(account).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/notices/channels/{channel}/remove", tag = "notices", params(("channel" = String, Path)),
    responses((status = 200, body = NoticesFace), Problems), security(("session" = [])))]
pub(crate) async fn remove(
    State(hall): State<Arc<Hall>>,
    member: Member,
    Path(channel): Path<String>,
) -> Answer<NoticesFace> {
    let account = &member.session.account;
    let channel = hall.own_channel(account, &channel).await?;
    if kind(&channel.kind) == ChannelKind::Email {
        // It opens the account.
        member.must_be_fresh()?;
    }
    hall.shared.store.close_channel(&channel.id).await.map_err(store_failed)?;
    hall.notices_face(account).await.map(Json)
}

/// What a channel is called.
fn label(row: &ChannelRow) -> String {
    match kind(&row.kind) {
        ChannelKind::Email => row.target.clone(),
        ChannelKind::Push => {
            serde_json::from_str::<Keys>(&row.more).map_or_else(|_| "A browser".to_owned(), |keys| keys.agent)
        }
        // The rest of the address is often a secret.
        ChannelKind::Webhook => calls::read(&row.target)
            .ok()
            .and_then(|url| url.host_str().map(str::to_owned))
            .unwrap_or_else(|| "A program".to_owned()),
    }
}

impl Hall {
    async fn own_channel(&self, account: &str, id: &str) -> Result<ChannelRow, Failure> {
        let row = self.shared.store.channel(id).await.or_failed()?;
        let gone = || Failure::new(Code::NoSuchPage, "This is gone already.");
        row.filter(|row| row.account == account).ok_or_else(gone)
    }

    /// How an account is told.
    pub(super) async fn notices_face(&self, account: &str) -> Result<NoticesFace, Failure> {
        let store = &self.shared.store;
        let channels = store.channels(account).await.or_failed()?.into_iter().map(|row| ChannelFace {
            label: label(&row),
            kind: kind(&row.kind),
            made: row.made as u64,
            muted: row.muted,
            fault: row.fault,
            id: row.id,
        });
        let channels = channels.collect();
        let wishes = hours::read(store.notice_settings(account).await.or_failed()?);
        Ok(NoticesFace { channels, wishes })
    }
}
