-- What was found in a finished game whose journal has so many lines; nothing where it could not be looked over.
CREATE TABLE reviews (
    game TEXT PRIMARY KEY,
    seq BIGINT NOT NULL,
    body TEXT
);
-- How far whoever is at it has come.
ALTER TABLE jobs ADD COLUMN done BIGINT NOT NULL DEFAULT 0;
