//! Signing in with a passkey. A ceremony has two halves; what must be remembered in between is in the database, so that the
//! second half may come to another server, and comes once.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use game::journal::hex;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::{AccountRow, CeremonyRow, NewAccount, PasskeyRow, Proof, StoreError};
use webauthn_rs::prelude::{
    DiscoverableAuthentication, Passkey, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Url, Uuid, Webauthn, WebauthnBuilder,
};

use super::sessions::{self, Member, OwnPage};
use super::{codes, failed};
use crate::api::{Answer, Body, Path, to_the_end};
use crate::hall::Hall;
use crate::owners::Client;
use crate::problem::{OrFailed, store_failed};
use crate::{chance, world};
use host::wire::{AccountFace, AskRegister, Ceremony, Code, Codes, EndCeremony, Problems};
use host::{Failure, requests, seats};

/// How long a ceremony waits for its second half.
const PATIENCE: Duration = Duration::from_secs(300);
/// Passkeys that one account may have.
const MOST: usize = 20;

/// What is remembered between the two halves of a ceremony.
#[derive(Debug, Serialize, Deserialize)]
enum Pending {
    Register { account: Uuid, name: String, state: PasskeyRegistration },
    Add { account: String, state: PasskeyRegistration },
    SignIn { state: DiscoverableAuthentication },
}

// ---------------------------------------------------------------------------------------------- addresses

#[utoipa::path(post, path = "/api/v1/account/register", tag = "account", request_body = AskRegister,
    responses((status = 200, body = Ceremony), Problems))]
pub(crate) async fn register(
    State(hall): State<Arc<Hall>>,
    client: Client,
    page: OwnPage,
    Body(ask): Body<AskRegister>,
) -> Answer<Ceremony> {
    let name = requests::name(&ask.name)?;
    hall.accounts.may_join(client)?;
    let account = Uuid::from_bytes(chance::bytes()?);
    let (options, state) = new_key(&party(&page)?, account, &name, &[])?;
    hall.begin(Pending::Register { account, name, state }, options).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/register/end", tag = "account", request_body = EndCeremony,
    responses((status = 201, body = Codes), Problems))]
pub(crate) async fn end_register(
    State(hall): State<Arc<Hall>>,
    page: OwnPage,
    Body(end): Body<EndCeremony>,
) -> Result<Response, Failure> {
    let Pending::Register { account, name, state } = hall.pending(&end.ceremony).await? else {
        return Err(failed());
    };
    let id = account.simple().to_string();
    let passkey = made_key(&page, &id, &state, end.credential)?;
    let (cookie, session) = sessions::begin(&page, id.clone())?;
    let (codes, hashes) = codes::fresh()?;
    let row = AccountRow { id, name, made: session.made };
    let new = NewAccount { account: row, passkey, codes: hashes, session: session.clone() };
    let joining = hall.clone();
    to_the_end(async move { joining.shared.store.join(new).await.map_err(key_refused) }).await?;
    let account = hall.account_face(&Member { session }).await?;
    Ok((StatusCode::CREATED, cookie, Json(Codes { account, codes })).into_response())
}

#[utoipa::path(post, path = "/api/v1/account/sign-in", tag = "account", responses((status = 200, body = Ceremony), Problems))]
pub(crate) async fn sign_in(
    State(hall): State<Arc<Hall>>,
    client: Client,
    page: OwnPage,
) -> Answer<Ceremony> {
    hall.accounts.may_try(client)?;
    let (challenge, state) =
        party(&page)?.start_discoverable_authentication().map_err(|error| broken(&error))?;
    // The page asks when somebody presses a button, not in passing.
    let options = json!({ "publicKey": written(&challenge.public_key)? });
    hall.begin(Pending::SignIn { state }, options).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/sign-in/end", tag = "account", request_body = EndCeremony,
    responses((status = 200, body = AccountFace), Problems))]
pub(crate) async fn end_sign_in(
    State(hall): State<Arc<Hall>>,
    client: Client,
    page: OwnPage,
    Body(end): Body<EndCeremony>,
) -> Result<Response, Failure> {
    hall.accounts.may_try(client)?;
    let Pending::SignIn { state } = hall.pending(&end.ceremony).await? else { return Err(failed()) };
    let party = party(&page)?;
    let credential: PublicKeyCredential = serde_json::from_value(end.credential).map_err(|_| failed())?;
    let (account, key) = party.identify_discoverable_authentication(&credential).map_err(|_| failed())?;
    let account = account.simple().to_string();
    let row = hall.shared.store.passkey(&hex(key)).await.or_failed()?;
    let row = row.filter(|row| row.account == account).ok_or_else(failed)?;
    let mut passkey: Passkey =
        serde_json::from_str(&row.body).map_err(|_| Failure::internal("a kept passkey cannot be read"))?;
    let proved = party.finish_discoverable_authentication_v2(&credential, state, &passkey);
    let proved = proved.map_err(|error| {
        tracing::info!(%error, "a passkey was refused");
        failed()
    })?;
    passkey.update_credential(&proved);
    let proof = Proof::Passkey { id: row.id, body: written(&passkey)?.to_string() };
    let (cookie, member) = hall.open_session(&page, account, proof).await?;
    Ok((cookie, Json(hall.account_face(&member).await?)).into_response())
}

#[utoipa::path(post, path = "/api/v1/account/passkeys", tag = "account", responses((status = 200, body = Ceremony), Problems),
    security(("session" = [])))]
pub(crate) async fn add(State(hall): State<Arc<Hall>>, member: Member, page: OwnPage) -> Answer<Ceremony> {
    member.must_be_fresh()?;
    let account = hall.account(&member.session.account).await?;
    let known = hall.shared.store.passkeys(&account.id).await.or_failed()?;
    if known.len() >= MOST {
        let message = format!("An account has at most {MOST} passkeys. Remove one first.");
        return Err(Failure::new(Code::Quota, message));
    }
    let user =
        Uuid::parse_str(&account.id).map_err(|_| Failure::internal("an account without a proper id"))?;
    let (options, state) = new_key(&party(&page)?, user, &account.name, &known)?;
    hall.begin(Pending::Add { account: account.id, state }, options).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/passkeys/end", tag = "account", request_body = EndCeremony,
    responses((status = 200, body = AccountFace), Problems), security(("session" = [])))]
pub(crate) async fn end_add(
    State(hall): State<Arc<Hall>>,
    member: Member,
    page: OwnPage,
    Body(end): Body<EndCeremony>,
) -> Answer<AccountFace> {
    member.must_be_fresh()?;
    let Pending::Add { account, state } = hall.pending(&end.ceremony).await? else { return Err(failed()) };
    // Begun by somebody else, it adds no key here.
    if account != member.session.account {
        return Err(failed());
    }
    let passkey = made_key(&page, &account, &state, end.credential)?;
    hall.shared.store.add_passkey(passkey).await.map_err(key_refused)?;
    hall.account_face(&member).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/passkeys/{passkey}/remove", tag = "account", params(("passkey" = String, Path)),
    responses((status = 200, body = AccountFace), Problems), security(("session" = [])))]
pub(crate) async fn remove(
    State(hall): State<Arc<Hall>>,
    member: Member,
    Path(passkey): Path<String>,
) -> Answer<AccountFace> {
    member.must_be_fresh()?;
    let store = &hall.shared.store;
    let account = &member.session.account;
    let last = || {
        let message =
            "This is the last passkey of your account, or it is gone already. Add another one first.";
        Failure::new(Code::LastPasskey, message)
    };
    let own = store.passkeys(account).await.or_failed()?;
    let row = own.into_iter().find(|row| seats::hash(&row.id) == passkey).ok_or_else(last)?;
    store.remove_passkey(account, &row.id).await.map_err(|error| match error {
        StoreError::Conflict => last(),
        error => store_failed(error),
    })?;
    hall.account_face(&member).await.map(Json)
}

// ---------------------------------------------------------------------------------------------- ceremonies

impl Hall {
    async fn begin(&self, pending: Pending, options: Value) -> Result<Ceremony, Failure> {
        let ceremony = chance::token()?;
        let until = world::now() as i64 + PATIENCE.as_millis() as i64;
        let row = CeremonyRow { id: seats::hash(&ceremony), state: written(&pending)?.to_string(), until };
        self.shared.store.begin_ceremony(row).await.or_failed()?;
        Ok(Ceremony { ceremony, options })
    }

    /// What was remembered; whoever asks a second time is too late.
    async fn pending(&self, ceremony: &str) -> Result<Pending, Failure> {
        let id = seats::hash(ceremony);
        let state = self.shared.store.end_ceremony(&id, world::now() as i64).await.or_failed()?;
        serde_json::from_str(&state.ok_or_else(failed)?)
            .map_err(|_| Failure::internal("a kept ceremony cannot be read"))
    }
}

/// This server as the page's browser knows it: keys belong to a name and not to an address.
fn party(page: &OwnPage) -> Result<Webauthn, Failure> {
    let nameless = || {
        let message =
            "Passkeys work only where the server has a name. On your own machine open it as `localhost`.";
        Failure::new(Code::NoPasskeys, message)
    };
    let origin = Url::parse(&page.origin).map_err(|_| nameless())?;
    let name = origin.domain().ok_or_else(nameless)?.to_owned();
    let builder = WebauthnBuilder::new(&name, &origin).map_err(|_| nameless())?;
    builder.rp_name("Linstock").timeout(PATIENCE).build().map_err(|error| broken(&error))
}

/// Asks for a new key: one that the browser finds by itself, so that nobody has to type a name.
fn new_key(
    party: &Webauthn,
    account: Uuid,
    name: &str,
    known: &[PasskeyRow],
) -> Result<(Value, PasskeyRegistration), Failure> {
    let known = known.iter().filter_map(|row| serde_json::from_str::<Passkey>(&row.body).ok());
    let known = known.map(|key| key.cred_id().clone()).collect();
    let begun = party.start_passkey_registration(account, name, name, Some(known));
    let (challenge, state) = begun.map_err(|error| broken(&error))?;
    let mut options = written(&challenge.public_key)?;
    options["authenticatorSelection"]["residentKey"] = "required".into();
    options["authenticatorSelection"]["requireResidentKey"] = true.into();
    Ok((json!({ "publicKey": options }), state))
}

/// The key that an authenticator has made.
fn made_key(
    page: &OwnPage,
    account: &str,
    state: &PasskeyRegistration,
    credential: Value,
) -> Result<PasskeyRow, Failure> {
    let credential: RegisterPublicKeyCredential = serde_json::from_value(credential).map_err(|_| failed())?;
    let key = party(page)?.finish_passkey_registration(&credential, state).map_err(|error| {
        tracing::info!(%error, "a new passkey was refused");
        failed()
    })?;
    let made = world::now() as i64;
    Ok(PasskeyRow {
        id: hex(key.cred_id()),
        account: account.to_owned(),
        label: page.agent.clone(),
        body: written(&key)?.to_string(),
        made,
        used: made,
    })
}

fn key_refused(error: StoreError) -> Failure {
    match error {
        StoreError::Conflict => failed(),
        error => store_failed(error),
    }
}

fn written(value: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(value).map_err(|_| Failure::internal("a ceremony cannot be written"))
}

fn broken(error: &dyn std::fmt::Display) -> Failure {
    tracing::error!(%error, "a ceremony cannot begin");
    Failure::internal("passkeys")
}
