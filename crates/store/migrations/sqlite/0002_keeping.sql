-- Who made a game and how much room it takes, so that both can be limited; how old a request is, so that it can be forgotten.
ALTER TABLE games ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN drawn BIGINT NOT NULL DEFAULT 0;
ALTER TABLE requests ADD COLUMN seq BIGINT NOT NULL DEFAULT 0;
UPDATE games SET bytes =
    (SELECT COALESCE(SUM(LENGTH(line)), 0) FROM lines WHERE lines.game = games.id)
    + (SELECT COALESCE(SUM(LENGTH(text)), 0) FROM chat WHERE chat.game = games.id);
CREATE INDEX games_by_owner ON games (owner);
CREATE INDEX games_by_touch ON games (touched);

-- The last view of each game, as the edition drew it that played it; readable when no edition can replay the journal.
CREATE TABLE pictures (
    game TEXT PRIMARY KEY,
    state BIGINT NOT NULL,
    board TEXT NOT NULL,
    body BLOB NOT NULL
);
-- What is drawn once, shared by the games of a scenario.
CREATE TABLE boards (
    hash TEXT PRIMARY KEY,
    body BLOB NOT NULL
);
-- What the server knows about itself: the salt of owners, its last sign of life.
CREATE TABLE facts (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
