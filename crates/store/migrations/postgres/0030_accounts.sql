-- People who want to be known again: how they sign in, where they are signed in, and the seats that belong to them.
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    made BIGINT NOT NULL
);
CREATE TABLE passkeys (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    label TEXT NOT NULL,
    body TEXT NOT NULL,
    made BIGINT NOT NULL,
    used BIGINT NOT NULL
);
CREATE INDEX passkeys_by_account ON passkeys (account);
CREATE TABLE recovery_codes (
    hash TEXT PRIMARY KEY,
    account TEXT NOT NULL
);
CREATE INDEX recovery_codes_by_account ON recovery_codes (account);
CREATE TABLE sessions (
    token TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    account TEXT NOT NULL,
    made BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    until BIGINT NOT NULL,
    agent TEXT NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account);
CREATE INDEX sessions_by_end ON sessions (until);
CREATE TABLE ceremonies (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    until BIGINT NOT NULL
);
CREATE INDEX ceremonies_by_end ON ceremonies (until);
CREATE TABLE account_seats (
    game TEXT NOT NULL,
    side BIGINT NOT NULL,
    account TEXT NOT NULL,
    made BIGINT NOT NULL,
    PRIMARY KEY (game, side)
);
CREATE INDEX account_seats_by_account ON account_seats (account);
