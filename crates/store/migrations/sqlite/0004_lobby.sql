-- Seats that wait for anybody who wants them; and the game in which a finished one is fought again.
ALTER TABLE games ADD COLUMN rematch TEXT;
CREATE TABLE challenges (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL UNIQUE,
    side BIGINT NOT NULL,
    made BIGINT NOT NULL,
    until BIGINT NOT NULL,
    taken BIGINT NOT NULL DEFAULT 0,
    owner TEXT NOT NULL,
    face TEXT NOT NULL
);
CREATE INDEX challenges_by_end ON challenges (until);
