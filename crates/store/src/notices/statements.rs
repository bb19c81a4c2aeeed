//! The statements about notices, in SQL that SQLite and PostgreSQL both read.

/// What a notice does that meets one of the same game: one is enough until it has been seen, unless the new one is more urgent.
/// One that is on its way already is then told anew.
macro_rules! meets {
    () => {
        "ON CONFLICT (channel, game, side) DO UPDATE SET occasion = excluded.occasion, version = excluded.version, \
         made = excluded.made, due = excluded.due, told = 0, delivery = NULL, attempts = 0 \
         WHERE excluded.occasion > notices.occasion"
    };
}
pub(crate) use meets;

/// Written in the transaction of what it tells of, for whoever keeps the seat with an account and wants to be told.
pub(crate) const TELL: &str = concat!(
    "INSERT INTO notices (channel, game, side, occasion, version, made, due, told, delivery, attempts) \
     SELECT c.id, $1, $2, $3, $4, $5, $6, 0, NULL, 0 FROM account_seats o \
     JOIN notice_settings s ON s.account = o.account JOIN channels c ON c.account = o.account \
     WHERE o.game = $1 AND o.side = $2 AND c.muted = 0 AND (s.occasions & $3) <> 0 ",
    meets!()
);
pub(crate) const SELECT_NOTICED: &str =
    "SELECT COUNT(*) FROM notices WHERE game = $1 AND side = $2 AND version <= $3";
pub(crate) const SEE: &str = "DELETE FROM notices WHERE game = $1 AND side = $2 AND version <= $3";
pub(crate) const SELECT_DUE_NOTICES: &str = "SELECT channel, game, side, occasion, version, made, due, delivery, attempts \
     FROM notices WHERE told = 0 AND due <= $1 ORDER BY due, channel, game, side LIMIT $2";
/// Somebody is at it, or it waits for its hour.
pub(crate) const PUT_OFF: &str = "UPDATE notices SET due = $5 \
     WHERE channel = $1 AND game = $2 AND side = $3 AND version = $4 AND told = 0";
/// PostgreSQL alone: what one node takes, the others pass over.
pub(crate) const TAKE_NOTICES: &str = "UPDATE notices SET due = $3 WHERE (channel, game, side) IN \
     (SELECT channel, game, side FROM notices WHERE told = 0 AND due <= $1 ORDER BY due, channel, game, side LIMIT $2 \
      FOR UPDATE SKIP LOCKED) \
     RETURNING channel, game, side, occasion, version, made, due, delivery, attempts";
/// It goes out in this message and no other, unless it has been seen meanwhile.
pub(crate) const SEAL: &str = "UPDATE notices SET delivery = $5, due = $6 \
     WHERE channel = $1 AND game = $2 AND side = $3 AND version = $4 AND told = 0 AND delivery IS NULL";
pub(crate) const SELECT_SEALED: &str = "SELECT channel, game, side, occasion, version, made, due, delivery, attempts \
     FROM notices WHERE delivery = $1 AND told = 0 ORDER BY made, game, side";
pub(crate) const FINISH: &str = "UPDATE notices SET told = 1 WHERE delivery = $1";
pub(crate) const TRY_LATER: &str =
    "UPDATE notices SET due = $2, attempts = attempts + 1 WHERE delivery = $1 AND told = 0";

pub(crate) const INSERT_CHANNEL: &str = "INSERT INTO channels (id, account, kind, target, more, made, muted, fault) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
/// An account has one address for letters.
pub(crate) const CLOSE_EMAIL: &str = "DELETE FROM channels WHERE account = $1 AND kind = 'email'";
/// A browser that somebody else has used is theirs no longer.
pub(crate) const CLOSE_PUSH: &str = "DELETE FROM channels WHERE kind = 'push' AND target = $1";
pub(crate) const COUNT_CHANNELS: &str = "SELECT COUNT(*) FROM channels WHERE account = $1";
pub(crate) const CLOSE_CHANNEL: &str = "DELETE FROM channels WHERE id = $1";
/// What waits for channels that are no more.
pub(crate) const FORGET_STRAYS: &str = "DELETE FROM notices WHERE channel NOT IN (SELECT id FROM channels)";
pub(crate) const MUTE: &str = "UPDATE channels SET muted = $2 WHERE id = $1";
pub(crate) const DROP_NOTICES: &str = "DELETE FROM notices WHERE channel = $1";
pub(crate) const FAULT: &str = "UPDATE channels SET fault = $2 WHERE id = $1";
pub(crate) const SELECT_CHANNELS: &str = "SELECT id, account, kind, target, more, made, muted, fault FROM channels WHERE account = $1 ORDER BY made, id";
pub(crate) const SELECT_CHANNEL: &str =
    "SELECT id, account, kind, target, more, made, muted, fault FROM channels WHERE id = $1";
pub(crate) const SELECT_EMAIL: &str = "SELECT account FROM channels WHERE kind = 'email' AND target = $1";
/// The address must still be the account's when somebody signs in with it.
pub(crate) const USE_EMAIL: &str =
    "UPDATE channels SET made = made WHERE kind = 'email' AND target = $1 AND account = $2";

/// What an account leaves behind.
pub(crate) const DELETE_ACCOUNT_NOTICES: [&str; 3] = [
    "DELETE FROM notices WHERE channel IN (SELECT id FROM channels WHERE account = $1)",
    "DELETE FROM channels WHERE account = $1",
    "DELETE FROM notice_settings WHERE account = $1",
];
/// What waited for whoever leaves a seat.
pub(crate) const LEAVE_NOTICES: &str = "DELETE FROM notices WHERE game = $1 AND side = $2";
pub(crate) const DELETE_NOTICES: &str = "DELETE FROM notices WHERE game = $1";

pub(crate) const INSERT_SETTINGS: &str =
    "INSERT INTO notice_settings (account, occasions, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
pub(crate) const WRITE_SETTINGS: &str = "INSERT INTO notice_settings (account, occasions, body) VALUES ($1, $2, $3) \
     ON CONFLICT (account) DO UPDATE SET occasions = excluded.occasions, body = excluded.body";
pub(crate) const SELECT_SETTINGS: &str =
    "SELECT account, occasions, body FROM notice_settings WHERE account = $1";
