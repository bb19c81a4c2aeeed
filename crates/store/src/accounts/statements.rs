//! The statements about accounts, in SQL that SQLite and PostgreSQL both read.

pub(crate) const INSERT_CEREMONY: &str = "INSERT INTO ceremonies (id, state, until) VALUES ($1, $2, $3)";
pub(crate) const SELECT_CEREMONY: &str = "SELECT state FROM ceremonies WHERE id = $1 AND until > $2";
/// A ceremony ends once: the second changes no row.
pub(crate) const DELETE_CEREMONY: &str = "DELETE FROM ceremonies WHERE id = $1";
pub(crate) const FORGET_CEREMONIES: &str = "DELETE FROM ceremonies WHERE until <= $1";

pub(crate) const INSERT_ACCOUNT: &str = "INSERT INTO accounts (id, name, made) VALUES ($1, $2, $3)";
pub(crate) const SELECT_ACCOUNT: &str = "SELECT id, name, made FROM accounts WHERE id = $1";
pub(crate) const SELECT_ACCOUNT_IDS: &str = "SELECT id FROM accounts ORDER BY made, id";
pub(crate) const RENAME_ACCOUNT: &str = "UPDATE accounts SET name = $2 WHERE id = $1";
/// Whoever changes what opens an account waits for others that do.
pub(crate) const LOCK_ACCOUNT: &str = "UPDATE accounts SET made = made WHERE id = $1";
pub(crate) const DELETE_ACCOUNT: &str =
    "DELETE FROM accounts WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM account_seats WHERE account = $1)";
/// What opens an account.
pub(crate) const DELETE_ACCOUNT_PARTS: [&str; 3] = [
    "DELETE FROM passkeys WHERE account = $1",
    "DELETE FROM recovery_codes WHERE account = $1",
    "DELETE FROM sessions WHERE account = $1",
];

pub(crate) const INSERT_PASSKEY: &str =
    "INSERT INTO passkeys (id, account, label, body, made, used) VALUES ($1, $2, $3, $4, $5, $6)";
pub(crate) const SELECT_PASSKEYS: &str =
    "SELECT id, account, label, body, made, used FROM passkeys WHERE account = $1 ORDER BY made, id";
pub(crate) const SELECT_PASSKEY: &str =
    "SELECT id, account, label, body, made, used FROM passkeys WHERE id = $1";
pub(crate) const USE_PASSKEY: &str =
    "UPDATE passkeys SET body = $2, used = $3 WHERE id = $1 AND account = $4";
pub(crate) const DELETE_PASSKEY: &str = "DELETE FROM passkeys WHERE account = $1 AND id = $2 \
     AND (SELECT COUNT(*) FROM passkeys WHERE account = $1) > 1";

pub(crate) const INSERT_CODE: &str = "INSERT INTO recovery_codes (hash, account) VALUES ($1, $2)";
pub(crate) const SELECT_CODES: &str = "SELECT hash FROM recovery_codes WHERE account = $1 ORDER BY hash";
pub(crate) const SELECT_CODE: &str = "SELECT account FROM recovery_codes WHERE hash = $1";
/// A code opens once: the second changes no row.
pub(crate) const USE_CODE: &str = "DELETE FROM recovery_codes WHERE hash = $1 AND account = $2";
pub(crate) const DELETE_CODES: &str = "DELETE FROM recovery_codes WHERE account = $1";

pub(crate) const INSERT_SESSION: &str = "INSERT INTO sessions (token, id, account, made, seen, until, agent) \
     VALUES ($1, $2, $3, $4, $5, $6, $7)";
pub(crate) const SELECT_SESSION: &str = "SELECT token, id, account, made, seen, until, agent FROM sessions \
     WHERE token = $1 AND until > $2";
pub(crate) const SELECT_SESSIONS: &str = "SELECT token, id, account, made, seen, until, agent FROM sessions \
     WHERE account = $1 AND until > $2 ORDER BY seen DESC, id";
pub(crate) const SEE_SESSION: &str = "UPDATE sessions SET seen = $2, until = $3 WHERE token = $1";
pub(crate) const DELETE_SESSION: &str = "DELETE FROM sessions WHERE token = $1";
pub(crate) const REVOKE_SESSION: &str = "DELETE FROM sessions WHERE account = $1 AND id = $2";
pub(crate) const REVOKE_SESSIONS: &str = "DELETE FROM sessions WHERE account = $1 AND token <> $2";
pub(crate) const FORGET_SESSIONS: &str = "DELETE FROM sessions WHERE until <= $1";
/// All but the few that were used last.
pub(crate) const TRIM_SESSIONS: &str = "DELETE FROM sessions WHERE account = $1 AND token NOT IN \
     (SELECT token FROM sessions WHERE account = $1 ORDER BY seen DESC, made DESC LIMIT $2)";

/// Only a seat that is there can be adopted.
pub(crate) const ADOPT_SEAT: &str = "INSERT INTO account_seats (game, side, account, made) SELECT $1, $2, $3, $4 \
     WHERE EXISTS (SELECT 1 FROM seats WHERE game = $1 AND side = $2)";
pub(crate) const COPY_OWN_SEAT: &str =
    "INSERT INTO account_seats (game, side, account, made) VALUES ($1, $2, $3, $4)";
pub(crate) const SELECT_OWN_SEATS: &str =
    "SELECT game, side, account, made FROM account_seats WHERE account = $1 ORDER BY made, game, side";
pub(crate) const LEAVE_SEAT: &str =
    "DELETE FROM account_seats WHERE game = $1 AND side = $2 AND account = $3";
pub(crate) const LEAVE_CHAT: &str = "UPDATE chat SET name = $3 WHERE game = $1 AND side = $2";
pub(crate) const LEAVE_LOBBY: &str = "DELETE FROM challenges WHERE game = $1";
pub(crate) const RESEAT: &str = "UPDATE seats SET token = $3 WHERE game = $1 AND side = $2 AND EXISTS \
     (SELECT 1 FROM account_seats o WHERE o.game = $1 AND o.side = $2 AND o.account = $4)";

/// The games, and who sits at the other side.
pub(crate) const SELECT_OWN_GAMES: &str = "SELECT o.game, o.side, g.touched, g.over, g.summary, s.kind, s.name \
     FROM account_seats o JOIN games g ON g.id = o.game JOIN seats s ON s.game = o.game AND s.side = 1 - o.side \
     WHERE o.account = $1 ORDER BY g.touched DESC, g.id, o.side";
