-- The tables of the first version, which had no migrations: they may be there already.
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    made BIGINT NOT NULL,
    touched BIGINT NOT NULL,
    public BIGINT NOT NULL,
    secret TEXT NOT NULL,
    summary TEXT NOT NULL,
    asked TEXT
);
CREATE INDEX IF NOT EXISTS games_by_age ON games (public, touched);
CREATE TABLE IF NOT EXISTS seats (
    game TEXT NOT NULL,
    side BIGINT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    invitation TEXT,
    token TEXT,
    PRIMARY KEY (game, side)
);
CREATE TABLE IF NOT EXISTS lines (
    game TEXT NOT NULL,
    seq BIGINT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (game, seq)
);
CREATE TABLE IF NOT EXISTS requests (
    game TEXT NOT NULL,
    id TEXT NOT NULL,
    content TEXT NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (game, id)
);
CREATE TABLE IF NOT EXISTS chat (
    game TEXT NOT NULL,
    n BIGINT NOT NULL,
    side BIGINT NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (game, n)
);
