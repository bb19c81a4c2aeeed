//! Who holds a seat. Tokens and invitations are 32 random bytes; only their hashes are kept.

use game::journal::{hex, unhex};
use game::{BySide, Side};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::problem::Failure;
use crate::wire::{Code, SeatKind};

/// A game's id: unguessable, and fit for a link.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Whether a text could be the id of a game.
pub fn is_id(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|letter| LETTERS.contains(&letter))
}

/// The id that 16 random bytes make.
#[must_use]
pub fn id_of(random: [u8; 16]) -> String {
    random.iter().map(|b| char::from(LETTERS[usize::from(b & 31)])).collect()
}

pub fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

pub fn is_token(text: &str) -> bool {
    text.len() == 64 && unhex(text).is_some()
}

fn same(kept: Option<&String>, hashed: &str) -> bool {
    kept.is_some_and(|kept| kept.as_bytes().ct_eq(hashed.as_bytes()).into())
}

/// A seat as the server knows it.
#[derive(Debug, Clone)]
pub struct Seat {
    pub kind: SeatKind,
    /// How its holder is called; a computer's level.
    pub name: String,
    /// The hash of the invitation that opens it.
    pub invitation: Option<String>,
    /// The hash of the token that holds it.
    pub token: Option<String>,
}

impl Seat {
    /// A seat with the hashes of what opens it.
    #[must_use]
    pub fn new(kind: SeatKind, name: String, invitation: Option<String>, token: Option<String>) -> Self {
        Seat { kind, name, invitation, token }
    }

    pub fn taken(&self) -> bool {
        self.token.is_some() || self.kind == SeatKind::Computer
    }

    pub fn invites(&self, invitation: &str) -> bool {
        same(self.invitation.as_ref(), &hash(invitation))
    }

    pub fn is_held_by(&self, token: &str) -> bool {
        same(self.token.as_ref(), &hash(token))
    }

    pub fn give(&mut self, token_hash: String, name: String) {
        self.token = Some(token_hash);
        self.name = name;
    }
}

/// The tokens a request carries: none, one, or both of a hot-seat game.
#[derive(Debug, Clone, Default)]
pub struct Tokens(Vec<String>);

impl Tokens {
    pub fn one(token: Option<String>) -> Self {
        Tokens(token.into_iter().collect())
    }

    /// Reads the value of `Authorization`: `Bearer <token> [<token>]`.
    ///
    /// # Errors
    /// When it is something else.
    pub fn bearer(value: Option<&str>) -> Result<Self, Failure> {
        let Some(value) = value else { return Ok(Tokens::default()) };
        let malformed = || Failure::new(Code::Malformed, "`Authorization` must be `Bearer <token>`.");
        let tokens = value.strip_prefix("Bearer ").ok_or_else(malformed)?;
        let tokens: Vec<String> = tokens.split_whitespace().take(3).map(str::to_owned).collect();
        if tokens.is_empty() || tokens.len() > 2 {
            return Err(malformed());
        }
        Ok(Tokens(tokens))
    }

    /// Which seats they hold. A token that fits none is refused, not ignored.
    pub fn seats(&self, seats: &BySide<Seat>) -> Result<Held, Failure> {
        let mut held = Held::default();
        for token in &self.0 {
            let side = Side::BOTH.into_iter().find(|&side| seats[side].is_held_by(token));
            let side =
                side.ok_or_else(|| Failure::new(Code::ForgedSeat, "The token holds no seat of this game."))?;
            held.0[side] = true;
        }
        Ok(held)
    }
}

/// The seats somebody holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Held(BySide<bool>);

impl Held {
    pub fn side(side: Side) -> Self {
        Held(BySide::from_fn(|s| s == side))
    }

    pub fn none(self) -> bool {
        !self.0.first && !self.0.second
    }

    pub fn both(self) -> bool {
        self.0.first && self.0.second
    }

    pub fn holds(self, side: Side) -> bool {
        self.0[side]
    }

    /// The one seat to speak for: of two, `decides`.
    pub fn speaks_for(self, decides: Option<Side>) -> Option<Side> {
        match (self.0.first, self.0.second) {
            (true, true) => Some(decides.unwrap_or(Side::First)),
            (true, false) => Some(Side::First),
            (false, true) => Some(Side::Second),
            (false, false) => None,
        }
    }

    /// As [`Held::speaks_for`], but somebody must sit there.
    pub fn must_sit(self, decides: Option<Side>) -> Result<Side, Failure> {
        let needed = || Failure::new(Code::SeatNeeded, "Only who holds a seat may do this: send its token.");
        self.speaks_for(decides).ok_or_else(needed)
    }
}

#[cfg(feature = "http")]
impl<S: Send + Sync> axum::extract::FromRequestParts<S> for Tokens {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, _: &S) -> Result<Self, Failure> {
        let value = parts.headers.get(axum::http::header::AUTHORIZATION);
        // What is no text is no token either.
        Tokens::bearer(value.map(|value| value.to_str().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_kept_as_hashes() {
        let a = hex(&[7; 32]);
        assert!(is_token(&a) && !is_token("00") && !is_token(&"g".repeat(64)));
        assert_ne!(hash(&a), a);
        assert!(is_id(&id_of([250; 16])) && !is_id("") && !is_id("abcdefghijkmnpq/"));
    }

    #[test]
    fn only_the_right_token_holds_a_seat() {
        let seat = |token: &str| Seat::new(SeatKind::Here, "Ada".into(), None, Some(hash(token)));
        let seats = BySide { first: seat("a"), second: seat("b") };
        assert_eq!(Tokens(vec!["a".into()]).seats(&seats).unwrap(), Held::side(Side::First));
        assert!(Tokens(vec!["a".into(), "b".into()]).seats(&seats).unwrap().both());
        assert!(Tokens::default().seats(&seats).unwrap().none());
        assert_eq!(Tokens(vec!["c".into()]).seats(&seats).unwrap_err().0.code, Code::ForgedSeat);
    }
}
