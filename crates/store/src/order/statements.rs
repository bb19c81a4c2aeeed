//! The statements about keeping order, in SQL that SQLite and PostgreSQL both read.

pub(crate) const GRANT: &str = "INSERT INTO administrators (account, made) SELECT $1, $2 WHERE EXISTS (SELECT 1 FROM accounts WHERE id = $1)";
pub(crate) const COPY_ADMINISTRATOR: &str =
    "INSERT INTO administrators (account, made) VALUES ($1, $2) ON CONFLICT DO NOTHING";
pub(crate) const REVOKE: &str = "DELETE FROM administrators WHERE account = $1";
pub(crate) const SELECT_ADMINISTRATORS: &str =
    "SELECT account, made FROM administrators ORDER BY made, account";

pub(crate) const INSERT_REPORT: &str = "INSERT INTO reports (id, author, subject, made, until, body, answer) \
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
/// A report is answered once: the second changes no row.
pub(crate) const ANSWER_REPORT: &str =
    "UPDATE reports SET answer = $2, until = $3 WHERE id = $1 AND answer IS NULL";
/// All, open ones first, the latest first.
pub(crate) const SELECT_REPORTS: &str = "SELECT id, author, subject, made, until, body, answer FROM reports \
     ORDER BY CASE WHEN answer IS NULL THEN 0 ELSE 1 END, made DESC, id LIMIT $1";
pub(crate) const SELECT_REPORTS_BY: &str = "SELECT id, author, subject, made, until, body, answer FROM reports \
     WHERE author = $1 ORDER BY made DESC, id";
pub(crate) const FORGET_REPORTS: &str = "DELETE FROM reports WHERE until <= $1";

pub(crate) const INSERT_TIE: &str = "INSERT INTO ties (owner, other, kind, name, made) VALUES ($1, $2, $3, $4, $5) \
     ON CONFLICT (owner, other) DO UPDATE SET kind = excluded.kind, name = excluded.name, made = excluded.made";
pub(crate) const DELETE_TIE: &str = "DELETE FROM ties WHERE owner = $1 AND other = $2";
pub(crate) const SELECT_TIES: &str =
    "SELECT owner, other, kind, name, made FROM ties WHERE owner = $1 ORDER BY made DESC, other";
/// Between two people, each of them known by two names.
pub(crate) const SELECT_TIES_BETWEEN: &str =
    "SELECT owner, other, kind, name, made FROM ties WHERE owner IN ($1, $2) AND other IN ($3, $4)";
pub(crate) const COUNT_TIES: &str = "SELECT COUNT(*) FROM ties WHERE owner = $1";
/// Of the seats of a game that is deleted.
pub(crate) const DELETE_GAME_TIES: &str =
    "DELETE FROM ties WHERE owner IN ($1 || ':0', $1 || ':1') OR other IN ($1 || ':0', $1 || ':1')";

pub(crate) const INSERT_MEASURE: &str = "INSERT INTO measures (id, account, kind, why, made, until, lifted, appeal, appealed, answer) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING";
pub(crate) const SELECT_MEASURES: &str = "SELECT id, account, kind, why, made, until, lifted, appeal, appealed, answer FROM measures \
     WHERE account = $1 ORDER BY made DESC, id";
pub(crate) const SELECT_MEASURE: &str = "SELECT id, account, kind, why, made, until, lifted, appeal, appealed, answer FROM measures \
     WHERE id = $1";
pub(crate) const SELECT_APPEALS: &str = "SELECT id, account, kind, why, made, until, lifted, appeal, appealed, answer FROM measures \
     WHERE appeal IS NOT NULL AND answer IS NULL ORDER BY appealed, id LIMIT $1";
/// One note for each measure: the second changes no row.
pub(crate) const APPEAL: &str =
    "UPDATE measures SET appeal = $3, appealed = $4 WHERE id = $1 AND account = $2 AND appeal IS NULL";
pub(crate) const ANSWER_APPEAL: &str = "UPDATE measures SET answer = $2, lifted = COALESCE(lifted, $3) \
     WHERE id = $1 AND appeal IS NOT NULL AND answer IS NULL";
pub(crate) const LIFT: &str = "UPDATE measures SET lifted = $2 WHERE id = $1 AND lifted IS NULL";

pub(crate) const INSERT_AUDIT: &str = "INSERT INTO audit (id, at, author, act, subject, words) VALUES ($1, $2, $3, $4, $5, $6) \
     ON CONFLICT DO NOTHING";
pub(crate) const SELECT_AUDIT: &str =
    "SELECT id, at, author, act, subject, words FROM audit WHERE at < $1 ORDER BY at DESC, id LIMIT $2";

pub(crate) const SELECT_SEAT_ACCOUNT: &str =
    "SELECT account FROM account_seats WHERE game = $1 AND side = $2";
pub(crate) const FIND_ACCOUNTS: &str = "SELECT id, name, made FROM accounts WHERE id = $1 OR LOWER(name) LIKE $2 ESCAPE '\\' \
     ORDER BY made DESC, id LIMIT $3";

/// The name of an account wherever it sits, in this order: the games first, which others wait for.
pub(crate) const RENAME_EVERYWHERE: [&str; 4] = [
    "UPDATE games SET version = version + 1 WHERE id IN (SELECT game FROM account_seats WHERE account = $1) AND $2 <> ''",
    "UPDATE accounts SET name = $2 WHERE id = $1",
    "UPDATE seats SET name = $2 WHERE (game, side) IN (SELECT game, side FROM account_seats WHERE account = $1)",
    "UPDATE chat SET name = $2 WHERE (game, side) IN (SELECT game, side FROM account_seats WHERE account = $1)",
];
/// What an account has put up in the lobby shows the name it had.
pub(crate) const WITHDRAW_ALL: &str = "DELETE FROM challenges WHERE taken = 0 AND EXISTS \
     (SELECT 1 FROM account_seats o WHERE o.game = challenges.game AND o.account = $1)";
pub(crate) const REMOVE_CHALLENGE: &str = "DELETE FROM challenges WHERE id = $1 AND taken = 0";
pub(crate) const REMOVE_LINE: &str = "UPDATE chat SET text = $3 WHERE game = $1 AND n = $2";

/// What is kept of an account that is deleted. Reports stay without its name, until they are too old.
pub(crate) const FORGET_ACCOUNT: [&str; 5] = [
    "DELETE FROM administrators WHERE account = $1",
    "DELETE FROM ties WHERE owner = $1 OR other = $1",
    "DELETE FROM measures WHERE account = $1",
    "UPDATE reports SET author = '' WHERE author = $1",
    "DELETE FROM reports WHERE subject = $1",
];
