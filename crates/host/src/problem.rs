//! Problems with a name.

use game::session::RollRequest;

use crate::wire::{Code, Position, Problem, TextFault};

/// Why a request is not granted.
#[derive(Debug, Clone)]
pub struct Failure(pub Box<Problem>);

impl Failure {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Failure(Box::new(Problem {
            code,
            message: message.into(),
            refusal: None,
            position: None,
            roll: None,
            faults: Vec::new(),
        }))
    }

    pub fn refused(refusal: game::Refusal) -> Self {
        let mut failure = Failure::new(Code::Refused, format!("{} {}", refusal.what, refusal.why));
        failure.0.refusal = Some(refusal);
        failure
    }

    /// A scenario with faults, each at its place.
    pub fn faulty(message: impl Into<String>, faults: Vec<TextFault>) -> Self {
        let mut failure = Failure::new(Code::FaultyScenario, message);
        failure.0.faults = faults;
        failure
    }

    pub fn stale(position: Position) -> Self {
        let mut failure =
            Failure::new(Code::Stale, "The position has changed meanwhile; here is the present one.");
        failure.0.position = Some(Box::new(position));
        failure
    }

    pub fn roll_needed(roll: Box<RollRequest>) -> Self {
        let mut failure =
            Failure::new(Code::RollNeeded, format!("{}: roll, and type in what fell.", roll.what));
        failure.0.roll = Some(roll);
        failure
    }

    pub fn internal(what: &str) -> Self {
        tracing::error!(what, "internal");
        Failure::new(
            Code::Internal,
            "Something went wrong on the server. Nothing was changed; it is in the server's log.",
        )
    }
}

impl Code {
    /// Its status, as over HTTP.
    #[must_use]
    pub fn number(self) -> u16 {
        match self {
            Code::Malformed => 400,
            Code::SeatNeeded | Code::SignInNeeded => 401,
            Code::ForeignOrigin
            | Code::ForgedSeat
            | Code::ForgedInvitation
            | Code::NotYourDecision
            | Code::Concealed
            | Code::NoHints
            | Code::SignInFailed
            | Code::SignInAgain
            | Code::Suspended
            | Code::Blocked
            | Code::Protected
            | Code::Quota => 403,
            Code::NoSuchPage
            | Code::NoSuchSystem
            | Code::NoSuchScenario
            | Code::NoSuchRule
            | Code::NoSuchGame
            | Code::NoSuchMoment
            | Code::NoLesson
            | Code::NoSuchChallenge
            | Code::NoSuchStudy
            | Code::NoSuchRecord => 404,
            Code::WrongMethod => 405,
            Code::SeatTaken
            | Code::Stale
            | Code::Over
            | Code::Outdated
            | Code::Full
            | Code::IdReused
            | Code::NothingToUndo
            | Code::Settled
            | Code::NotAsked
            | Code::ChallengeGone
            | Code::OwnChallenge
            | Code::NoFreeSeat
            | Code::NotOver
            | Code::NoRematch
            | Code::NoPasskeys
            | Code::LastPasskey
            | Code::NotFallen
            | Code::AlreadyDone
            | Code::NotRated => 409,
            Code::TooLarge => 413,
            Code::NotJson => 415,
            Code::ForeignHost => 421,
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
            | Code::BadText => 422,
            Code::TooMany => 429,
            Code::Busy | Code::GoingDown | Code::StoreFailed => 503,
            Code::DiskFull => 507,
            Code::Internal => 500,
        }
    }
}

#[cfg(feature = "http")]
mod http {
    //! What status each problem has.

    use axum::Json;
    use axum::http::{HeaderValue, StatusCode, header};
    use axum::response::{IntoResponse, Response};

    use super::Failure;
    use crate::wire::Code;

    impl Code {
        /// Its status over HTTP.
        #[must_use]
        pub fn status(self) -> StatusCode {
            StatusCode::from_u16(self.number()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
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
}
