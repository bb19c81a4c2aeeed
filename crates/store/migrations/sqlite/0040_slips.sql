-- What is kept with a game beside its journal, each under a name of its own: clocks, orders, notices. Some wait for a time.
CREATE TABLE slips (
    game TEXT NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    due BIGINT,
    PRIMARY KEY (game, name)
);
CREATE INDEX slips_by_due ON slips (due) WHERE due IS NOT NULL;
