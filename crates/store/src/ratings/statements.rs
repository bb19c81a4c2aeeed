//! The statements about ratings, in SQL that SQLite and PostgreSQL both read.

pub(crate) const SELECT_RATING: &str = "SELECT member, system, rating, deviation, volatility, games, at FROM ratings \
     WHERE member = $1 AND system = $2";
pub(crate) const SELECT_RATINGS: &str = "SELECT member, system, rating, deviation, volatility, games, at FROM ratings \
     WHERE member = $1 ORDER BY system";
pub(crate) const INSERT_RATING: &str = "INSERT INTO ratings (member, system, rating, deviation, volatility, games, at) \
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
/// Whoever has read a rating that is no longer there changes no row.
pub(crate) const UPDATE_RATING: &str = "UPDATE ratings SET rating = $3, deviation = $4, volatility = $5, games = $6, at = $7 \
     WHERE member = $1 AND system = $2 AND games = $6 - 1";

/// A game is entered once: the second time changes no row.
pub(crate) const INSERT_RATED: &str = "INSERT INTO rated_games (game, system, scenario, at, first, second, counts, body) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
pub(crate) const SELECT_RATED: &str =
    "SELECT game, system, scenario, at, first, second, counts, body FROM rated_games WHERE game = $1";
pub(crate) const SELECT_RATED_OF: &str = "SELECT game, system, scenario, at, first, second, counts, body FROM rated_games \
     WHERE first = $1 OR second = $1 ORDER BY at DESC, game LIMIT $2";
pub(crate) const SELECT_RATED_IN: &str = "SELECT game, system, scenario, at, first, second, counts, body FROM rated_games \
     WHERE scenario = $1 AND counts = 1 ORDER BY at DESC, game LIMIT $2";
pub(crate) const SELECT_RATED_AFTER: &str = "SELECT game, system, scenario, at, first, second, counts, body FROM rated_games \
     WHERE game > $1 ORDER BY game LIMIT $2";
pub(crate) const COUNT_MET: &str = "SELECT COUNT(*) FROM rated_games WHERE counts = 1 AND system = $3 AND at >= $4 \
     AND ((first = $1 AND second = $2) OR (first = $2 AND second = $1))";

/// Somebody leaves: the games stay for whoever else played them, without a name.
pub(crate) const LEAVE_RATINGS: [&str; 3] = [
    "DELETE FROM ratings WHERE member = $1",
    "UPDATE rated_games SET first = '' WHERE first = $1",
    "UPDATE rated_games SET second = '' WHERE second = $1",
];
