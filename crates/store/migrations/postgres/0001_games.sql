-- The same tables as SQLite has after its third migration. Migrations only add: nodes of the version before must be able to
-- live with them while one node after the other is restarted. One that cannot keep to this raises the fact `oldest_schema`.
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    made BIGINT NOT NULL,
    touched BIGINT NOT NULL,
    public BIGINT NOT NULL,
    secret TEXT NOT NULL,
    summary TEXT NOT NULL,
    asked TEXT,
    owner TEXT NOT NULL DEFAULT '',
    bytes BIGINT NOT NULL DEFAULT 0,
    drawn BIGINT NOT NULL DEFAULT 0,
    lines BIGINT NOT NULL DEFAULT 0,
    version BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX games_by_age ON games (public, touched);
CREATE INDEX games_by_owner ON games (owner);
CREATE INDEX games_by_touch ON games (touched);
CREATE TABLE seats (
    game TEXT NOT NULL,
    side BIGINT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    invitation TEXT,
    token TEXT,
    PRIMARY KEY (game, side)
);
CREATE TABLE lines (
    game TEXT NOT NULL,
    seq BIGINT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (game, seq)
);
CREATE TABLE requests (
    game TEXT NOT NULL,
    id TEXT NOT NULL,
    content TEXT NOT NULL,
    answer TEXT NOT NULL,
    seq BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (game, id)
);
CREATE TABLE chat (
    game TEXT NOT NULL,
    n BIGINT NOT NULL,
    side BIGINT NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (game, n)
);
CREATE TABLE pictures (
    game TEXT PRIMARY KEY,
    state BIGINT NOT NULL,
    board TEXT NOT NULL,
    body BYTEA NOT NULL
);
CREATE TABLE boards (
    hash TEXT PRIMARY KEY,
    body BYTEA NOT NULL
);
CREATE TABLE facts (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE jobs (
    kind TEXT NOT NULL,
    game TEXT NOT NULL,
    seq BIGINT NOT NULL,
    due BIGINT NOT NULL,
    PRIMARY KEY (kind, game)
);
CREATE INDEX jobs_by_due ON jobs (due);
CREATE TABLE promises (
    commitment TEXT PRIMARY KEY,
    secret TEXT NOT NULL,
    until BIGINT NOT NULL,
    owner TEXT NOT NULL
);
