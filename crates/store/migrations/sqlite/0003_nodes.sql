-- How many lines a journal has, which fences every change; a number that grows with every change of a game, by which whoever
-- has the game in memory sees that it has changed.
ALTER TABLE games ADD COLUMN lines BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
UPDATE games SET lines = (SELECT COUNT(*) FROM lines WHERE lines.game = games.id);

-- What waits to be done in the background: at most one thing of a kind for each game.
CREATE TABLE jobs (
    kind TEXT NOT NULL,
    game TEXT NOT NULL,
    seq BIGINT NOT NULL,
    due BIGINT NOT NULL,
    PRIMARY KEY (kind, game)
);
CREATE INDEX jobs_by_due ON jobs (due);
-- Secrets of dice that are promised to games to come.
CREATE TABLE promises (
    commitment TEXT PRIMARY KEY,
    secret TEXT NOT NULL,
    until BIGINT NOT NULL,
    owner TEXT NOT NULL
);
