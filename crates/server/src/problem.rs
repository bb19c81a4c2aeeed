//! Problems with a name, and what status each has.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use game::session::RollRequest;
use store::StoreError;

use crate::wire::{Code, Position, Problem};

/// Why a request is not granted.
#[derive(Debug, Clone)]
pub(crate) struct Failure(pub(crate) Box<Problem>);

impl Failure {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Failure(Box::new(Problem {
            code,
            message: message.into(),
            refusal: None,
            position: None,
            roll: None,
        }))
    }

    pub(crate) fn refused(refusal: game::Refusal) -> Self {
        let mut failure = Failure::new(Code::Refused, format!("{} {}", refusal.what, refusal.why));
        failure.0.refusal = Some(refusal);
        failure
    }

    pub(crate) fn stale(position: Position) -> Self {
        let mut failure =
            Failure::new(Code::Stale, "The position has changed meanwhile; here is the present one.");
        failure.0.position = Some(Box::new(position));
        failure
    }

    pub(crate) fn roll_needed(roll: Box<RollRequest>) -> Self {
        let mut failure =
            Failure::new(Code::RollNeeded, format!("{}: roll, and type in what fell.", roll.what));
        failure.0.roll = Some(roll);
        failure
    }

    pub(crate) fn internal(what: &str) -> Self {
        tracing::error!(what, "internal");
        Failure::new(
            Code::Internal,
            "Something went wrong on the server. Nothing was changed; it is in the server's log.",
        )
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the store failed");
        match error {
            StoreError::Full => {
                Failure::new(Code::DiskFull, "The server's disk is full. Nothing was changed.")
            }
            StoreError::Closed => {
                Failure::new(Code::GoingDown, "The server is going down. Nothing was changed.")
            }
            StoreError::Conflict
            | StoreError::Locked
            | StoreError::InUse(_)
            | StoreError::Newer(_)
            | StoreError::Failed(_) => Failure::new(
                Code::StoreFailed,
                "The database did not take it. Nothing was changed; try again.",
            ),
        }
    }
}

impl Code {
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Code::Malformed => StatusCode::BAD_REQUEST,
            Code::SeatNeeded => StatusCode::UNAUTHORIZED,
            Code::ForeignOrigin
            | Code::ForgedSeat
            | Code::ForgedInvitation
            | Code::NotYourDecision
            | Code::Concealed
            | Code::Quota => StatusCode::FORBIDDEN,
            Code::NoSuchPage
            | Code::NoSuchSystem
            | Code::NoSuchScenario
            | Code::NoSuchRule
            | Code::NoSuchGame
            | Code::NoSuchMoment => StatusCode::NOT_FOUND,
            Code::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Code::SeatTaken
            | Code::Stale
            | Code::Over
            | Code::Outdated
            | Code::Full
            | Code::IdReused
            | Code::NothingToUndo
            | Code::NotAsked => StatusCode::CONFLICT,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::ForeignHost => StatusCode::MISDIRECTED_REQUEST,
            Code::NoSuchLevel
            | Code::FaultyScenario
            | Code::FaultyJournal
            | Code::NoSuchCommitment
            | Code::Refused
            | Code::Unreadable
            | Code::BadId
            | Code::SaltNeeded
            | Code::WrongFaces
            | Code::RollNeeded
            | Code::BadName
            | Code::BadText => StatusCode::UNPROCESSABLE_ENTITY,
            Code::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Code::Busy | Code::GoingDown | Code::StoreFailed => StatusCode::SERVICE_UNAVAILABLE,
            Code::DiskFull => StatusCode::INSUFFICIENT_STORAGE,
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let code = self.0.code;
        let mut response = (code.status(), Json(*self.0)).into_response();
        if matches!(code, Code::TooMany | Code::Busy) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response.extensions_mut().insert(code);
        response
    }
}
