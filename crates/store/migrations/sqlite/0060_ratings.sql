-- How strong members are in each system, and the rated games that have ended. A member is an account, or a computer's level.
CREATE TABLE ratings (
    member TEXT NOT NULL,
    system TEXT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (member, system)
);
CREATE TABLE rated_games (
    game TEXT PRIMARY KEY,
    system TEXT NOT NULL,
    scenario TEXT NOT NULL,
    at BIGINT NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    counts BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX rated_games_by_first ON rated_games (first, at);
CREATE INDEX rated_games_by_second ON rated_games (second, at);
CREATE INDEX rated_games_by_scenario ON rated_games (scenario, at);
