//! The statements, in SQL that SQLite and PostgreSQL both read. The tables are in `migrations/`.

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// Brings an SQLite database of any earlier version up to this one. Written out by hand: the macro that would read the
/// folder costs every build a second SQLite.
pub(crate) fn sqlite() -> Migrator {
    Migrator::with_migrations(vec![
        step(1, "games", include_str!("../migrations/sqlite/0001_games.sql")),
        step(2, "keeping", include_str!("../migrations/sqlite/0002_keeping.sql")),
        step(3, "nodes", include_str!("../migrations/sqlite/0003_nodes.sql")),
        step(4, "lobby", include_str!("../migrations/sqlite/0004_lobby.sql")),
        step(5, "archive", include_str!("../migrations/sqlite/0005_archive.sql")),
        step(20, "reviews", include_str!("../migrations/sqlite/0020_reviews.sql")),
        step(30, "accounts", include_str!("../migrations/sqlite/0030_accounts.sql")),
        step(40, "slips", include_str!("../migrations/sqlite/0040_slips.sql")),
        step(50, "notices", include_str!("../migrations/sqlite/0050_notices.sql")),
        step(60, "ratings", include_str!("../migrations/sqlite/0060_ratings.sql")),
        step(70, "order", include_str!("../migrations/sqlite/0070_order.sql")),
    ])
}

/// The number of the last migration on PostgreSQL.
pub(crate) const POSTGRES: i64 = 70;

/// The same for PostgreSQL.
pub(crate) fn postgres() -> Migrator {
    Migrator::with_migrations(vec![
        step(1, "games", include_str!("../migrations/postgres/0001_games.sql")),
        step(2, "lobby", include_str!("../migrations/postgres/0002_lobby.sql")),
        step(3, "archive", include_str!("../migrations/postgres/0003_archive.sql")),
        step(20, "reviews", include_str!("../migrations/postgres/0020_reviews.sql")),
        step(30, "accounts", include_str!("../migrations/postgres/0030_accounts.sql")),
        step(40, "slips", include_str!("../migrations/postgres/0040_slips.sql")),
        step(50, "notices", include_str!("../migrations/postgres/0050_notices.sql")),
        step(60, "ratings", include_str!("../migrations/postgres/0060_ratings.sql")),
        step(POSTGRES, "order", include_str!("../migrations/postgres/0070_order.sql")),
    ])
}

fn step(version: i64, name: &'static str, sql: &'static str) -> Migration {
    Migration::new(version, name.into(), MigrationType::Simple, SqlStr::from_static(sql), false)
}

pub(crate) const INSERT_GAME: &str = "INSERT INTO games (id, made, touched, public, secret, summary, asked, owner, bytes, lines, rematch, over) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
pub(crate) const INSERT_SEAT: &str =
    "INSERT INTO seats (game, side, kind, name, invitation, token) VALUES ($1, $2, $3, $4, $5, $6)";
pub(crate) const INSERT_LINE: &str = "INSERT INTO lines (game, seq, line) VALUES ($1, $2, $3)";
pub(crate) const INSERT_REQUEST: &str =
    "INSERT INTO requests (game, id, content, answer, seq) VALUES ($1, $2, $3, $4, $5)";
pub(crate) const INSERT_CHAT: &str =
    "INSERT INTO chat (game, n, side, name, text, at) VALUES ($1, $2, $3, $4, $5, $6)";
pub(crate) const INSERT_BOARD: &str =
    "INSERT INTO boards (hash, body) VALUES ($1, $2) ON CONFLICT DO NOTHING";
/// A node that is behind does not draw over what another has drawn.
pub(crate) const INSERT_PICTURE: &str = "INSERT INTO pictures (game, state, board, body) VALUES ($1, $2, $3, $4) \
     ON CONFLICT (game) DO UPDATE SET state = excluded.state, board = excluded.board, body = excluded.body \
     WHERE pictures.state <= excluded.state";
pub(crate) const INSERT_FACT: &str = "INSERT INTO facts (name, value) VALUES ($1, $2) \
     ON CONFLICT (name) DO UPDATE SET value = excluded.value";
pub(crate) const INSERT_FACT_ONCE: &str =
    "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";
/// The fence of a change: the journal must have as many lines as whoever changes it knows, and where none are added the
/// same request must wait.
pub(crate) const UPDATE_GAME: &str = "UPDATE games SET touched = $2, summary = $3, asked = $4, bytes = bytes + $5, \
     lines = lines + $6, version = version + 1, over = $9 \
     WHERE id = $1 AND lines = $7 AND ($6 > 0 OR COALESCE(asked, '') = COALESCE($8, '')) RETURNING version";
/// Changes of several games on PostgreSQL, whole and in one statement: of each nothing happens unless the fence of `UPDATE_GAME`
/// lets it. It answers the games that it could lock, with the versions of those that were changed.
macro_rules! record {
    ($unless:literal) => {
        concat!(
            "WITH asked AS (SELECT * FROM UNNEST($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], \
               $7::bigint[], $8::text[], $9::bigint[], $10::text[], $11::text[], $12::text[], $13::bigint[], $14::bigint[], \
               $15::boolean[]) AS a (game, at, summary, asked, bytes, grown, after, was_asked, over, request, content, answer, \
               seq, due, done)), \
             locked AS (SELECT id FROM games WHERE id = ANY($1) ORDER BY id FOR UPDATE",
            $unless,
            "), \
             fence AS (UPDATE games g SET touched = a.at, summary = a.summary, asked = a.asked, bytes = g.bytes + a.bytes, \
               lines = g.lines + a.grown, version = g.version + 1, over = a.over \
               FROM asked a JOIN locked ON locked.id = a.game WHERE g.id = a.game AND g.lines = a.after \
               AND (a.grown > 0 OR COALESCE(g.asked, '') = COALESCE(a.was_asked, '')) RETURNING g.version, a.*), \
             appended AS (INSERT INTO lines (game, seq, line) SELECT new.game, new.seq, new.line FROM fence \
               JOIN UNNEST($16::text[], $17::bigint[], $18::text[]) AS new (game, seq, line) ON new.game = fence.game), \
             granted AS (INSERT INTO requests (game, id, content, answer, seq) \
               SELECT game, request, content, answer, seq FROM fence WHERE request IS NOT NULL), \
             forgotten AS (DELETE FROM requests r USING fence WHERE r.game = fence.game AND r.seq < fence.after - $19), \
             waits AS (INSERT INTO jobs (kind, game, seq, due) SELECT $20, game, after + grown, due FROM fence \
               WHERE due IS NOT NULL ON CONFLICT (kind, game) DO UPDATE SET seq = excluded.seq, due = excluded.due), \
             done AS (DELETE FROM jobs j USING fence WHERE fence.done AND j.kind = $20 AND j.game = fence.game), \
             told AS (INSERT INTO notices (channel, game, side, occasion, version, made, due, told, delivery, attempts) \
               SELECT c.id, t.game, t.side, t.occasion, fence.version, t.at, t.due, 0, NULL, 0 FROM fence \
               JOIN UNNEST($21::text[], $22::bigint[], $23::bigint[], $24::bigint[], $25::bigint[]) \
                 AS t (game, side, occasion, at, due) ON t.game = fence.game \
               JOIN account_seats o ON o.game = t.game AND o.side = t.side \
               JOIN notice_settings s ON s.account = o.account JOIN channels c ON c.account = o.account \
               WHERE c.muted = 0 AND (s.occasions & t.occasion) <> 0 ",
            crate::notices::meets!(),
            ") \
             SELECT locked.id, fence.version FROM locked LEFT JOIN fence ON fence.game = locked.id"
        )
    };
}
pub(crate) const RECORD: &str = record!("");
/// The same, for games that nobody else is changing just now.
pub(crate) const RECORD_FREE: &str = record!(" SKIP LOCKED");
/// Something other than the journal has changed.
pub(crate) const UPDATE_VERSION: &str =
    "UPDATE games SET version = version + 1, bytes = bytes + $2 WHERE id = $1 RETURNING version";
/// A journal is written down anew as long as it is.
pub(crate) const UPDATE_REWRITTEN: &str =
    "UPDATE games SET version = version + 1, archive = NULL WHERE id = $1 AND lines = $2 RETURNING version";
/// Its journal is in the archive, unless something has happened since it was read.
pub(crate) const UPDATE_ARCHIVED: &str =
    "UPDATE games SET archive = $2 WHERE id = $1 AND version = $3 AND archive IS NULL";
pub(crate) const DELETE_LINES: &str = "DELETE FROM lines WHERE game = $1";
pub(crate) const UPDATE_DRAWN: &str = "UPDATE games SET drawn = $2 WHERE id = $1";
/// A seat is taken once: the second claim changes no row.
pub(crate) const CLAIM_SEAT: &str =
    "UPDATE seats SET token = $3, name = $4 WHERE game = $1 AND side = $2 AND token IS NULL";
/// Whoever held the seat still does, to look on.
pub(crate) const STAND_IN: &str =
    "UPDATE seats SET kind = 'computer', name = $3 WHERE game = $1 AND side = $2 AND kind <> 'computer'";
pub(crate) const RENAME_SEAT: &str = "UPDATE seats SET name = $3 WHERE game = $1 AND side = $2";
/// What answers a position so long past that nobody can still be waiting for it.
pub(crate) const FORGET_REQUESTS: &str = "DELETE FROM requests WHERE game = $1 AND seq < $2";
/// A game that was touched after all is not deleted.
pub(crate) const DELETE_GAME: &str = "DELETE FROM games WHERE id = $1 AND touched < $2";
/// All that belongs to a game.
pub(crate) const DELETE_PARTS: [&str; 12] = [
    DELETE_LINES,
    "DELETE FROM requests WHERE game = $1",
    "DELETE FROM chat WHERE game = $1",
    "DELETE FROM pictures WHERE game = $1",
    "DELETE FROM seats WHERE game = $1",
    "DELETE FROM jobs WHERE game = $1",
    "DELETE FROM challenges WHERE game = $1",
    "DELETE FROM account_seats WHERE game = $1",
    crate::slips::DELETE_SLIPS,
    crate::notices::DELETE_NOTICES,
    crate::order::DELETE_GAME_TIES,
    "DELETE FROM reviews WHERE game = $1",
];
pub(crate) const DELETE_BOARDS: &str = "DELETE FROM boards WHERE hash NOT IN (SELECT board FROM pictures)";

/// A game waits for one thing of a kind at a time; what waited before has been answered or taken back.
pub(crate) const INSERT_JOB: &str = "INSERT INTO jobs (kind, game, seq, due) VALUES ($1, $2, $3, $4) \
     ON CONFLICT (kind, game) DO UPDATE SET seq = excluded.seq, due = excluded.due";
/// What waits already is not moved.
pub(crate) const INSERT_JOB_ONCE: &str =
    "INSERT INTO jobs (kind, game, seq, due) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
pub(crate) const DELETE_JOB: &str = "DELETE FROM jobs WHERE kind = $1 AND game = $2 AND seq <= $3";
pub(crate) const POSTPONE_JOB: &str = "UPDATE jobs SET due = $3 WHERE kind = $1 AND game = $2";
/// PostgreSQL alone: several at once. What somebody else is changing just now will be due when that says so; to wait for it with
/// others in hand could end in two who wait for each other.
pub(crate) const POSTPONE_JOBS: &str = "UPDATE jobs SET due = $3 WHERE (kind, game) IN \
     (SELECT kind, game FROM jobs WHERE kind = $1 AND game = ANY($2) FOR UPDATE SKIP LOCKED)";
pub(crate) const ADVANCE_JOB: &str =
    "UPDATE jobs SET done = $4, due = $5 WHERE kind = $1 AND game = $2 AND seq = $3";
/// What was done is done once: the second changes no row.
pub(crate) const FINISH_JOB: &str = "DELETE FROM jobs WHERE kind = $1 AND game = $2 AND seq = $3";
pub(crate) const SELECT_JOB: &str = "SELECT seq, done FROM jobs WHERE kind = $1 AND game = $2";
pub(crate) const COUNT_JOBS: &str = "SELECT COUNT(*) FROM jobs WHERE kind = $1";
pub(crate) const SELECT_DUE: &str =
    "SELECT game, seq FROM jobs WHERE kind = $1 AND due <= $2 ORDER BY due, game LIMIT $3";
/// PostgreSQL alone: what one node takes, the others pass over.
pub(crate) const TAKE_DUE: &str = "UPDATE jobs SET due = $4 WHERE (kind, game) IN \
     (SELECT kind, game FROM jobs WHERE kind = $1 AND due <= $2 ORDER BY due, game LIMIT $3 FOR UPDATE SKIP LOCKED) \
     RETURNING game, seq";

/// PostgreSQL alone. A hint may be lost, so its commit waits for no disk; a commit that notifies holds a lock that all others
/// which notify wait for.
pub(crate) const NOTIFY: &str = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";

pub(crate) const INSERT_REVIEW: &str = "INSERT INTO reviews (game, seq, body) VALUES ($1, $2, $3) \
     ON CONFLICT (game) DO UPDATE SET seq = excluded.seq, body = excluded.body";
pub(crate) const SELECT_REVIEW: &str = "SELECT seq, body FROM reviews WHERE game = $1";

pub(crate) const INSERT_PROMISE: &str =
    "INSERT INTO promises (commitment, secret, until, owner) VALUES ($1, $2, $3, $4)";
pub(crate) const SELECT_PROMISE: &str = "SELECT secret FROM promises WHERE commitment = $1 AND until > $2";
/// A promise is kept once: the second game changes no row.
pub(crate) const DELETE_PROMISE: &str = "DELETE FROM promises WHERE commitment = $1";
pub(crate) const FORGET_PROMISES: &str = "DELETE FROM promises WHERE until <= $1";
pub(crate) const COUNT_PROMISES: &str =
    "SELECT COUNT(*), COUNT(CASE WHEN owner = $1 THEN 1 END) FROM promises WHERE until > $2";

/// Only a seat that nobody holds can be put up.
pub(crate) const INSERT_CHALLENGE: &str = "INSERT INTO challenges (id, game, side, made, until, owner, face) \
     SELECT $1, $2, $3, $4, $5, $6, $7 \
     WHERE EXISTS (SELECT 1 FROM seats WHERE game = $2 AND side = $3 AND kind = 'link' AND token IS NULL)";
pub(crate) const COPY_CHALLENGE: &str = "INSERT INTO challenges (id, game, side, made, until, owner, face, taken) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
pub(crate) const WITHDRAW_CHALLENGE: &str = "DELETE FROM challenges WHERE game = $1 AND taken = 0";
/// A challenge is accepted once: the second changes no row.
pub(crate) const ACCEPT_CHALLENGE: &str =
    "UPDATE challenges SET taken = 1 WHERE id = $1 AND taken = 0 AND until > $2";
/// Somebody has come by another way.
pub(crate) const CLOSE_CHALLENGE: &str = "UPDATE challenges SET taken = 1 WHERE game = $1 AND side = $2";
pub(crate) const FORGET_CHALLENGES: &str = "DELETE FROM challenges WHERE until <= $1";
pub(crate) const SELECT_CHALLENGES: &str = "SELECT id, game, side, made, until, taken, owner, face FROM challenges \
     WHERE taken = 0 AND until > $1 ORDER BY made DESC, id LIMIT $2";
pub(crate) const SELECT_CHALLENGE: &str =
    "SELECT id, game, side, made, until, taken, owner, face FROM challenges WHERE id = $1";
pub(crate) const SELECT_CHALLENGE_OF: &str =
    "SELECT id, game, side, made, until, taken, owner, face FROM challenges WHERE game = $1";
pub(crate) const COUNT_CHALLENGES: &str = "SELECT COUNT(*), COUNT(CASE WHEN owner = $1 THEN 1 END) FROM challenges \
     WHERE taken = 0 AND until > $2";
/// A game is fought again once: the second changes no row.
pub(crate) const UPDATE_REMATCH: &str = "UPDATE games SET rematch = $2, version = version + 1 WHERE id = $1 AND rematch IS NULL RETURNING version";

pub(crate) const SELECT_GAME: &str = "SELECT id, made, touched, public, secret, summary, asked, owner, bytes, version, rematch, over, archive \
     FROM games WHERE id = $1";
pub(crate) const SELECT_PUBLIC: &str = "SELECT id, made, touched, public, secret, summary, asked, owner, bytes, version, rematch, over, archive \
     FROM games WHERE public = 1 AND touched < $1 ORDER BY touched DESC LIMIT $2";
pub(crate) const SELECT_VERSION: &str = "SELECT version FROM games WHERE id = $1";
/// PostgreSQL alone: of several games.
pub(crate) const SELECT_VERSIONS: &str = "SELECT id, version FROM games WHERE id = ANY($1)";
pub(crate) const SELECT_IDS: &str = "SELECT id FROM games ORDER BY made, id";
pub(crate) const SELECT_SEATS: &str =
    "SELECT side, kind, name, invitation, token FROM seats WHERE game = $1 ORDER BY side";
pub(crate) const SELECT_LINES: &str = "SELECT line FROM lines WHERE game = $1 AND seq >= $2 ORDER BY seq";
pub(crate) const SELECT_REQUEST: &str =
    "SELECT content, answer, seq FROM requests WHERE game = $1 AND id = $2";
pub(crate) const SELECT_REQUESTS: &str =
    "SELECT id, content, answer, seq FROM requests WHERE game = $1 ORDER BY id";
pub(crate) const SELECT_CHAT: &str =
    "SELECT n, side, name, text, at FROM chat WHERE game = $1 AND n > $2 ORDER BY n LIMIT $3";
pub(crate) const SELECT_LAST_CHAT: &str = "SELECT n FROM chat WHERE game = $1 ORDER BY n DESC LIMIT 1";
pub(crate) const SELECT_PICTURE: &str = "SELECT p.state, p.board, p.body, b.body FROM pictures p \
     LEFT JOIN boards b ON b.hash = p.board WHERE p.game = $1";
pub(crate) const SELECT_FACT: &str = "SELECT value FROM facts WHERE name = $1";
pub(crate) const SELECT_HOLDINGS: &str =
    "SELECT COUNT(*), CAST(COALESCE(SUM(bytes + drawn), 0) AS BIGINT) FROM games WHERE owner = $1";
/// Finished games whose journals are still in the database.
pub(crate) const SELECT_FINISHED: &str = "SELECT id FROM games WHERE over = 1 AND archive IS NULL AND touched < $1 \
     ORDER BY touched, id LIMIT $2";
/// Games whose last lines were never drawn: the server was ended before it came to it.
pub(crate) const SELECT_UNDRAWN: &str = "SELECT g.id FROM games g LEFT JOIN pictures p ON p.game = g.id \
     WHERE g.touched > $1 AND COALESCE(p.state, -1) < g.lines - 1 ORDER BY g.touched DESC, g.id LIMIT $2";
/// Games that nobody has touched: any ($1), those never begun ($2), those among computers ($3).
pub(crate) const SELECT_UNTOUCHED: &str = "SELECT g.id FROM games g WHERE g.touched < $1 \
     OR (g.touched < $2 AND g.lines <= 2) \
     OR (g.touched < $3 AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.game = g.id AND s.kind <> 'computer')) \
     ORDER BY g.touched, g.id LIMIT $4";
