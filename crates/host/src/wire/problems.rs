//! Why a request was not granted.

use game::Refusal;
use game::session::RollRequest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::library::TextFault;
use super::positions::Position;

/// Why a request was not granted. Nothing has changed.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Problem {
    /// Its name, for programs.
    pub code: Code,
    /// What is wrong and what to do, for people.
    pub message: String,
    /// For `refused`: what, why and under which rule.
    #[schema(value_type = Option<Object>)]
    pub refusal: Option<Refusal>,
    /// For `stale`: the present position.
    pub position: Option<Box<Position>>,
    /// For `roll_needed`: what to roll at the table next.
    #[schema(value_type = Option<Object>)]
    pub roll: Option<Box<RollRequest>>,
    /// For `faulty_scenario`: each fault at its place in the text.
    pub faults: Vec<TextFault>,
}

/// Every request can be answered by one of these; `Problem.code` says which. For the OpenAPI description alone.
#[derive(Debug, utoipa::IntoResponses)]
pub enum Problems {
    /// `malformed`: the body or a parameter is not as described.
    #[response(status = 400)]
    Malformed(Problem),
    /// `seat_needed`: no token was sent. `sign_in_needed`: nobody is signed in.
    #[response(status = 401)]
    SeatNeeded(Problem),
    /// `foreign_origin`, `forged_seat`, `forged_invitation`, `not_your_decision`, `concealed`, `no_hints`, `quota`,
    /// `sign_in_failed`, `sign_in_again`, `suspended`, `blocked`, `protected`.
    #[response(status = 403)]
    Forbidden(Problem),
    /// `no_such_page`, `no_such_system`, `no_such_scenario`, `no_such_rule`, `no_such_game`, `no_such_moment`,
    /// `no_lesson`, `no_such_challenge`, `no_such_study`, `no_such_record`.
    #[response(status = 404)]
    NoSuch(Problem),
    /// `stale`, `over`, `outdated`, `full`, `id_reused`, `seat_taken`, `nothing_to_undo`, `settled`,
    /// `not_asked`, `challenge_gone`, `own_challenge`, `no_free_seat`, `not_over`, `no_rematch`, `no_passkeys`, `last_passkey`,
    /// `not_fallen`, `already_done`, `not_rated`.
    #[response(status = 409)]
    Conflict(Problem),
    /// `too_large`.
    #[response(status = 413)]
    TooLarge(Problem),
    /// `not_json`.
    #[response(status = 415)]
    NotJson(Problem),
    /// `foreign_host`.
    #[response(status = 421)]
    ForeignHost(Problem),
    /// `refused`, `unreadable`, `bad_id`, `salt_needed`, `wrong_faces`, `roll_needed`, `bad_name`, `bad_text`,
    /// `no_such_level`, `no_such_commitment`, `faulty_scenario`, `faulty_journal`.
    #[response(status = 422)]
    Unprocessable(Problem),
    /// `too_many`.
    #[response(status = 429)]
    TooMany(Problem),
    /// `internal`.
    #[response(status = 500)]
    Internal(Problem),
    /// `busy`, `going_down`, `store_failed`.
    #[response(status = 503)]
    Unavailable(Problem),
    /// `disk_full`.
    #[response(status = 507)]
    DiskFull(Problem),
}

/// Names of problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// 400: the body or a parameter is not what `docs/api.md` describes.
    Malformed,
    /// 404: there is no such address.
    NoSuchPage,
    /// 405: not with this method.
    WrongMethod,
    /// 413: larger than allowed.
    TooLarge,
    /// 415: `Content-Type: application/json` is needed.
    NotJson,
    /// 429: wait a moment.
    TooMany,
    /// 403: the page that sent this is not ours.
    ForeignOrigin,
    /// 421: the server is not known by this name.
    ForeignHost,

    /// 404.
    NoSuchSystem,
    /// 404.
    NoSuchScenario,
    /// 404.
    NoSuchRule,
    /// 404: there is no such game, or it is not for these eyes.
    NoSuchGame,
    /// 404: the game has not come so far.
    NoSuchMoment,
    /// 404: the game is no lesson.
    NoLesson,
    /// 404: there is no such challenge, or no longer.
    NoSuchChallenge,
    /// 404: there is no such study, or it has no report yet.
    NoSuchStudy,
    /// 422: the system has no such computer player.
    NoSuchLevel,
    /// 422: the scenario file has faults; the message shows each at its line.
    FaultyScenario,
    /// 422: the journal does not hold even at its beginning.
    FaultyJournal,
    /// 422: the commitment is unknown or has been used.
    NoSuchCommitment,

    /// 401: a seat's token is needed.
    SeatNeeded,
    /// 403: the token holds no seat of this game.
    ForgedSeat,
    /// 403: the invitation does not fit.
    ForgedInvitation,
    /// 409: somebody else has taken the seat.
    SeatTaken,
    /// 409: the challenge was taken, withdrawn or is too old.
    ChallengeGone,
    /// 409: nobody accepts their own challenge.
    OwnChallenge,
    /// 409: only a free seat by invitation can be put up in the lobby, once.
    NoFreeSeat,
    /// 409: a rematch begins when the game is over.
    NotOver,
    /// 409: a rematch is for two people, each with a seat of their own.
    NoRematch,
    /// 401: nobody is signed in, or no longer.
    SignInNeeded,
    /// 403: the passkey or the code opens no account, or the ceremony is too old.
    SignInFailed,
    /// 403: the account is suspended or closed; its page says why.
    Suspended,
    /// 403: one of the two has blocked the other.
    Blocked,
    /// 403: this is an administrator's account.
    Protected,
    /// 404: there is nothing of this id that it could be done to.
    NoSuchRecord,
    /// 409: it was done before.
    AlreadyDone,
    /// 403: this needs a sign-in of the last quarter of an hour.
    SignInAgain,
    /// 409: passkeys work only where the server has a name.
    NoPasskeys,
    /// 409: without this passkey nothing would open the account, or there is no such passkey.
    LastPasskey,
    /// 409: the game has no clock, or no flag has fallen.
    NotFallen,
    /// 409: this game cannot count for ratings; the message says why.
    NotRated,
    /// 403: the other side decides.
    NotYourDecision,
    /// 403: while something is concealed this may not be seen.
    Concealed,
    /// 403: people who play each other get no hints.
    NoHints,

    /// 409: the state it answers is no longer the present one; the present position comes along.
    Stale,
    /// 422: the rules forbid it; `refusal` names the rule.
    Refused,
    /// 422: the notation cannot be read.
    Unreadable,
    /// 409: the game is over.
    Over,
    /// 409: this id was used for something else.
    IdReused,
    /// 422: an id is 8 to 64 of `A-Z a-z 0-9 - _`.
    BadId,
    /// 422: sealed dice need a salt of 32 to 128 hexadecimal digits.
    SaltNeeded,
    /// 422: the faces typed in do not fit what is rolled.
    WrongFaces,
    /// 422: real dice are used; `roll` says what to roll next. Send the act again with all its faces so far.
    RollNeeded,
    /// 409: there is nothing to take back.
    NothingToUndo,
    /// 409: dice have fallen or something was revealed since, and nobody is there who could agree.
    Settled,
    /// 409: nobody asks, or no longer.
    NotAsked,
    /// 422: a name has 1 to 40 characters and no control characters.
    BadName,
    /// 422: a line of chat has 1 to 1,000 characters and no control characters.
    BadText,

    /// 409: the game was played under an earlier edition of the rules; `GameFace.closed` says whether it may be continued.
    Outdated,
    /// 409: the game has as many lines of journal or chat as a game may have.
    Full,
    /// 403: too much from this address is kept here already.
    Quota,
    /// 503: too much to do; try again.
    Busy,
    /// 503: the server is going down.
    GoingDown,
    /// 503: the database does not answer; nothing was changed.
    StoreFailed,
    /// 507: the disk is full; nothing was changed.
    DiskFull,
    /// 500: our mistake; it is in the server's log.
    Internal,
}
