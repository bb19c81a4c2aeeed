//! The statements, in plain SQL: numbered parameters, no functions but counts and sums. The tables are in `migrations/`.

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// Brings a database of any earlier version up to this one. Written out by hand: the macro that would read the folder
/// costs every build a second SQLite.
pub(crate) fn migrations() -> Migrator {
    let step = |version, name: &'static str, sql| {
        Migration::new(version, name.into(), MigrationType::Simple, SqlStr::from_static(sql), false)
    };
    Migrator::with_migrations(vec![
        step(1, "games", include_str!("../migrations/0001_games.sql")),
        step(2, "keeping", include_str!("../migrations/0002_keeping.sql")),
    ])
}

pub(crate) const INSERT_GAME: &str = "INSERT INTO games (id, made, touched, public, secret, summary, owner, bytes) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
pub(crate) const INSERT_SEAT: &str =
    "INSERT INTO seats (game, side, kind, name, invitation, token) VALUES ($1, $2, $3, $4, $5, $6)";
pub(crate) const INSERT_LINE: &str = "INSERT INTO lines (game, seq, line) VALUES ($1, $2, $3)";
pub(crate) const INSERT_REQUEST: &str =
    "INSERT INTO requests (game, id, content, answer, seq) VALUES ($1, $2, $3, $4, $5)";
pub(crate) const INSERT_CHAT: &str =
    "INSERT INTO chat (game, n, side, name, text, at) VALUES ($1, $2, $3, $4, $5, $6)";
pub(crate) const INSERT_BOARD: &str =
    "INSERT INTO boards (hash, body) VALUES ($1, $2) ON CONFLICT DO NOTHING";
pub(crate) const INSERT_PICTURE: &str = "INSERT INTO pictures (game, state, board, body) VALUES ($1, $2, $3, $4) \
     ON CONFLICT (game) DO UPDATE SET state = excluded.state, board = excluded.board, body = excluded.body";
pub(crate) const INSERT_FACT: &str = "INSERT INTO facts (name, value) VALUES ($1, $2) \
     ON CONFLICT (name) DO UPDATE SET value = excluded.value";
pub(crate) const UPDATE_GAME: &str =
    "UPDATE games SET touched = $2, summary = $3, asked = $4, bytes = bytes + $5 WHERE id = $1";
pub(crate) const UPDATE_BYTES: &str = "UPDATE games SET bytes = bytes + $2 WHERE id = $1";
pub(crate) const UPDATE_DRAWN: &str = "UPDATE games SET drawn = $2 WHERE id = $1";
/// A seat is taken once: the second claim changes no row.
pub(crate) const CLAIM_SEAT: &str =
    "UPDATE seats SET token = $3, name = $4 WHERE game = $1 AND side = $2 AND token IS NULL";
pub(crate) const RENAME_SEAT: &str = "UPDATE seats SET name = $3 WHERE game = $1 AND side = $2";
pub(crate) const UPDATE_LINE: &str = "UPDATE lines SET line = $3 WHERE game = $1 AND seq = $2";
/// What answers a position so long past that nobody can still be waiting for it.
pub(crate) const FORGET_REQUESTS: &str = "DELETE FROM requests WHERE game = $1 AND seq < $2";
/// All that belongs to a game.
pub(crate) const DELETE_GAME: [&str; 6] = [
    "DELETE FROM lines WHERE game = $1",
    "DELETE FROM requests WHERE game = $1",
    "DELETE FROM chat WHERE game = $1",
    "DELETE FROM pictures WHERE game = $1",
    "DELETE FROM seats WHERE game = $1",
    "DELETE FROM games WHERE id = $1",
];
pub(crate) const DELETE_BOARDS: &str = "DELETE FROM boards WHERE hash NOT IN (SELECT board FROM pictures)";

pub(crate) const SELECT_GAME: &str =
    "SELECT id, made, touched, public, secret, summary, asked, owner, bytes FROM games WHERE id = $1";
pub(crate) const SELECT_PUBLIC: &str = "SELECT id, made, touched, public, secret, summary, asked, owner, bytes FROM games \
     WHERE public = 1 AND touched < $1 ORDER BY touched DESC LIMIT $2";
pub(crate) const SELECT_IDS: &str = "SELECT id FROM games ORDER BY made, id";
pub(crate) const SELECT_SEATS: &str =
    "SELECT side, kind, name, invitation, token FROM seats WHERE game = $1 ORDER BY side";
pub(crate) const SELECT_LINES: &str = "SELECT line FROM lines WHERE game = $1 ORDER BY seq";
pub(crate) const SELECT_REQUEST: &str =
    "SELECT content, answer, seq FROM requests WHERE game = $1 AND id = $2";
pub(crate) const SELECT_CHAT: &str =
    "SELECT n, side, name, text, at FROM chat WHERE game = $1 AND n > $2 ORDER BY n LIMIT $3";
pub(crate) const SELECT_LAST_CHAT: &str = "SELECT n FROM chat WHERE game = $1 ORDER BY n DESC LIMIT 1";
pub(crate) const SELECT_PICTURE: &str = "SELECT p.state, p.board, p.body, b.body FROM pictures p \
     LEFT JOIN boards b ON b.hash = p.board WHERE p.game = $1";
pub(crate) const SELECT_FACT: &str = "SELECT value FROM facts WHERE name = $1";
pub(crate) const SELECT_HOLDINGS: &str =
    "SELECT COUNT(*), COALESCE(SUM(bytes + drawn), 0) FROM games WHERE owner = $1";
/// Games whose last lines were never drawn: the server was ended before it came to it.
pub(crate) const SELECT_UNDRAWN: &str = "SELECT g.id FROM games g LEFT JOIN pictures p ON p.game = g.id \
     WHERE g.touched > $1 AND COALESCE(p.state, -1) < (SELECT COUNT(*) - 1 FROM lines l WHERE l.game = g.id) \
     ORDER BY g.touched DESC LIMIT $2";
/// Games that nobody has touched: any ($1), those never begun ($2), those among computers ($3).
pub(crate) const SELECT_UNTOUCHED: &str = "SELECT g.id FROM games g WHERE g.touched < $1 \
     OR (g.touched < $2 AND (SELECT COUNT(*) FROM lines l WHERE l.game = g.id) <= 2) \
     OR (g.touched < $3 AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.game = g.id AND s.kind <> 'computer')) \
     ORDER BY g.touched LIMIT $4";
