-- Whether a game has come to its end, and where its journal is when it has left the database.
ALTER TABLE games ADD COLUMN over BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN archive TEXT;
UPDATE games SET over = 1 WHERE summary LIKE '%"status":{"kind":"over"%';
CREATE INDEX games_to_archive ON games (touched) WHERE over = 1 AND archive IS NULL;
