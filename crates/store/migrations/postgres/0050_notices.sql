-- Notices: where somebody wants to be told, about what, and what waits to be told.
CREATE TABLE channels (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    more TEXT NOT NULL,
    made BIGINT NOT NULL,
    muted BIGINT NOT NULL DEFAULT 0,
    fault TEXT
);
CREATE INDEX channels_by_account ON channels (account);
-- An address opens one account, and a browser is one person's.
CREATE UNIQUE INDEX channels_by_target ON channels (kind, target) WHERE kind IN ('email', 'push');
CREATE TABLE notice_settings (
    account TEXT PRIMARY KEY,
    occasions BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE notices (
    channel TEXT NOT NULL,
    game TEXT NOT NULL,
    side BIGINT NOT NULL,
    occasion BIGINT NOT NULL,
    version BIGINT NOT NULL,
    made BIGINT NOT NULL,
    due BIGINT NOT NULL,
    told BIGINT NOT NULL,
    delivery TEXT,
    attempts BIGINT NOT NULL,
    PRIMARY KEY (channel, game, side)
);
CREATE INDEX notices_by_due ON notices (due) WHERE told = 0;
CREATE INDEX notices_by_game ON notices (game, side);
CREATE INDEX notices_by_delivery ON notices (delivery) WHERE delivery IS NOT NULL;
