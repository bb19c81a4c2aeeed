//! The tables, in plain SQL: `TEXT` and `BIGINT` alone, numbered parameters, no functions.

pub(crate) const TABLES: [&str; 6] = [
    "CREATE TABLE IF NOT EXISTS games (
        id TEXT PRIMARY KEY,
        made BIGINT NOT NULL,
        touched BIGINT NOT NULL,
        public BIGINT NOT NULL,
        secret TEXT NOT NULL,
        summary TEXT NOT NULL,
        asked TEXT
    )",
    "CREATE INDEX IF NOT EXISTS games_by_age ON games (public, touched)",
    "CREATE TABLE IF NOT EXISTS seats (
        game TEXT NOT NULL,
        side BIGINT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        invitation TEXT,
        token TEXT,
        PRIMARY KEY (game, side)
    )",
    "CREATE TABLE IF NOT EXISTS lines (
        game TEXT NOT NULL,
        seq BIGINT NOT NULL,
        line TEXT NOT NULL,
        PRIMARY KEY (game, seq)
    )",
    "CREATE TABLE IF NOT EXISTS requests (
        game TEXT NOT NULL,
        id TEXT NOT NULL,
        content TEXT NOT NULL,
        answer TEXT NOT NULL,
        PRIMARY KEY (game, id)
    )",
    "CREATE TABLE IF NOT EXISTS chat (
        game TEXT NOT NULL,
        n BIGINT NOT NULL,
        side BIGINT NOT NULL,
        name TEXT NOT NULL,
        text TEXT NOT NULL,
        at BIGINT NOT NULL,
        PRIMARY KEY (game, n)
    )",
];

pub(crate) const INSERT_GAME: &str =
    "INSERT INTO games (id, made, touched, public, secret, summary) VALUES ($1, $2, $3, $4, $5, $6)";
pub(crate) const INSERT_SEAT: &str =
    "INSERT INTO seats (game, side, kind, name, invitation, token) VALUES ($1, $2, $3, $4, $5, $6)";
pub(crate) const INSERT_LINE: &str = "INSERT INTO lines (game, seq, line) VALUES ($1, $2, $3)";
pub(crate) const INSERT_REQUEST: &str =
    "INSERT INTO requests (game, id, content, answer) VALUES ($1, $2, $3, $4)";
pub(crate) const INSERT_CHAT: &str =
    "INSERT INTO chat (game, n, side, name, text, at) VALUES ($1, $2, $3, $4, $5, $6)";
pub(crate) const UPDATE_GAME: &str = "UPDATE games SET touched = $2, summary = $3, asked = $4 WHERE id = $1";
/// A seat is taken once: the second claim changes no row.
pub(crate) const CLAIM_SEAT: &str =
    "UPDATE seats SET token = $3, name = $4 WHERE game = $1 AND side = $2 AND token IS NULL";
pub(crate) const RENAME_SEAT: &str = "UPDATE seats SET name = $3 WHERE game = $1 AND side = $2";

pub(crate) const SELECT_GAME: &str =
    "SELECT id, made, touched, public, secret, summary, asked FROM games WHERE id = $1";
pub(crate) const SELECT_PUBLIC: &str = "SELECT id, made, touched, public, secret, summary, asked FROM games \
     WHERE public = 1 AND touched < $1 ORDER BY touched DESC LIMIT $2";
pub(crate) const SELECT_IDS: &str = "SELECT id FROM games ORDER BY made, id";
pub(crate) const SELECT_SEATS: &str =
    "SELECT side, kind, name, invitation, token FROM seats WHERE game = $1 ORDER BY side";
pub(crate) const SELECT_LINES: &str = "SELECT line FROM lines WHERE game = $1 ORDER BY seq";
pub(crate) const SELECT_REQUEST: &str = "SELECT content, answer FROM requests WHERE game = $1 AND id = $2";
pub(crate) const SELECT_CHAT: &str =
    "SELECT n, side, name, text, at FROM chat WHERE game = $1 AND n > $2 ORDER BY n LIMIT $3";
pub(crate) const SELECT_LAST_CHAT: &str = "SELECT n FROM chat WHERE game = $1 ORDER BY n DESC LIMIT 1";
pub(crate) const ALIVE: &str = "SELECT COUNT(*) FROM games WHERE id = ''";
