-- Keeping order: who is an administrator, what was reported, who wants nothing to do with whom, what was done about it, and the
-- list of all that administrators have done.
CREATE TABLE administrators (
    account TEXT PRIMARY KEY,
    made BIGINT NOT NULL
);
CREATE TABLE reports (
    id TEXT PRIMARY KEY,
    author TEXT NOT NULL,
    subject TEXT NOT NULL,
    made BIGINT NOT NULL,
    until BIGINT NOT NULL,
    body TEXT NOT NULL,
    answer TEXT
);
CREATE INDEX reports_by_end ON reports (until);
CREATE TABLE ties (
    owner TEXT NOT NULL,
    other TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    made BIGINT NOT NULL,
    PRIMARY KEY (owner, other)
);
CREATE INDEX ties_by_other ON ties (other);
CREATE TABLE measures (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    kind TEXT NOT NULL,
    why TEXT NOT NULL,
    made BIGINT NOT NULL,
    until BIGINT,
    lifted BIGINT,
    appeal TEXT,
    appealed BIGINT,
    answer TEXT
);
CREATE INDEX measures_by_account ON measures (account);
CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL,
    author TEXT NOT NULL,
    act TEXT NOT NULL,
    subject TEXT NOT NULL,
    words TEXT NOT NULL
);
CREATE INDEX audit_by_time ON audit (at);
