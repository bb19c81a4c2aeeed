//! Who holds a seat. Tokens and invitations are 32 random bytes; only their hashes are kept.

use axum::http::{HeaderMap, header};
use game::journal::{hex, unhex};
use game::{BySide, Side};
use sha2::{Digest, Sha256};
use store::SeatRow;
use subtle::ConstantTimeEq;

use crate::problem::Failure;
use crate::wire::{Code, SeatKind};

/// 32 random bytes in hexadecimal.
pub(crate) fn random_token() -> Result<String, Failure> {
    Ok(hex(&random_bytes::<32>()?))
}

pub(crate) fn random_bytes<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| Failure::internal("the system gives no randomness"))?;
    Ok(bytes)
}

/// A game's id: unguessable, and fit for a link.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Whether a text could be the id of a game.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|letter| LETTERS.contains(&letter))
}

pub(crate) fn random_id() -> Result<String, Failure> {
    Ok(random_bytes::<16>()?.iter().map(|b| char::from(LETTERS[usize::from(b & 31)])).collect())
}

pub(crate) fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

pub(crate) fn is_token(text: &str) -> bool {
    text.len() == 64 && unhex(text).is_some()
}

fn same(kept: Option<&String>, hashed: &str) -> bool {
    kept.is_some_and(|kept| kept.as_bytes().ct_eq(hashed.as_bytes()).into())
}

/// A seat as the server knows it.
#[derive(Debug, Clone)]
pub(crate) struct Seat {
    pub(crate) kind: SeatKind,
    /// How its holder is called; a computer's level.
    pub(crate) name: String,
    invitation: Option<String>,
    token: Option<String>,
}

impl Seat {
    pub(crate) fn of_row(row: SeatRow) -> Self {
        let kind = match row.kind.as_str() {
            "computer" => SeatKind::Computer,
            "link" => SeatKind::Link,
            _ => SeatKind::Here,
        };
        Seat { kind, name: row.name, invitation: row.invitation, token: row.token }
    }

    pub(crate) fn taken(&self) -> bool {
        self.token.is_some() || self.kind == SeatKind::Computer
    }

    pub(crate) fn invites(&self, invitation: &str) -> bool {
        same(self.invitation.as_ref(), &hash(invitation))
    }

    pub(crate) fn is_held_by(&self, token: &str) -> bool {
        same(self.token.as_ref(), &hash(token))
    }

    pub(crate) fn give(&mut self, token_hash: String, name: String) {
        self.token = Some(token_hash);
        self.name = name;
    }
}

/// The tokens a request carries: none, one, or both of a hot-seat game.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tokens(Vec<String>);

impl Tokens {
    pub(crate) fn one(token: Option<String>) -> Self {
        Tokens(token.into_iter().collect())
    }

    /// Reads `Authorization: Bearer <token> [<token>]`.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Failure> {
        let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(Tokens::default()) };
        let malformed = || Failure::new(Code::Malformed, "`Authorization` must be `Bearer <token>`.");
        let tokens = value.to_str().ok().and_then(|v| v.strip_prefix("Bearer ")).ok_or_else(malformed)?;
        let tokens: Vec<String> = tokens.split_whitespace().take(3).map(str::to_owned).collect();
        if tokens.is_empty() || tokens.len() > 2 {
            return Err(malformed());
        }
        Ok(Tokens(tokens))
    }

    /// Which seats they hold. A token that fits none is refused, not ignored.
    pub(crate) fn seats(&self, seats: &BySide<Seat>) -> Result<Held, Failure> {
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
pub(crate) struct Held(BySide<bool>);

impl Held {
    pub(crate) fn side(side: Side) -> Self {
        Held(BySide::from_fn(|s| s == side))
    }

    pub(crate) fn none(self) -> bool {
        !self.0.first && !self.0.second
    }

    pub(crate) fn both(self) -> bool {
        self.0.first && self.0.second
    }

    pub(crate) fn holds(self, side: Side) -> bool {
        self.0[side]
    }

    /// The one seat to speak for: of two, `decides`.
    pub(crate) fn speaks_for(self, decides: Option<Side>) -> Option<Side> {
        match (self.0.first, self.0.second) {
            (true, true) => Some(decides.unwrap_or(Side::First)),
            (true, false) => Some(Side::First),
            (false, true) => Some(Side::Second),
            (false, false) => None,
        }
    }

    /// As [`Held::speaks_for`], but somebody must sit there.
    pub(crate) fn must_sit(self, decides: Option<Side>) -> Result<Side, Failure> {
        let needed = || Failure::new(Code::SeatNeeded, "Only who holds a seat may do this: send its token.");
        self.speaks_for(decides).ok_or_else(needed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_unlike_each_other_and_kept_as_hashes() {
        let (a, b) = (random_token().unwrap(), random_token().unwrap());
        assert_ne!(a, b);
        assert!(is_token(&a) && !is_token("00") && !is_token(&"g".repeat(64)));
        assert_ne!(hash(&a), a);
        assert!(is_id(&random_id().unwrap()) && !is_id("") && !is_id("abcdefghijkmnpq/"));
    }

    #[test]
    fn only_the_right_token_holds_a_seat() {
        let row = |token: &str| SeatRow {
            side: 0,
            kind: "here".into(),
            name: "Ada".into(),
            invitation: None,
            token: Some(hash(token)),
        };
        let seats = BySide { first: Seat::of_row(row("a")), second: Seat::of_row(row("b")) };
        assert_eq!(Tokens(vec!["a".into()]).seats(&seats).unwrap(), Held::side(Side::First));
        assert!(Tokens(vec!["a".into(), "b".into()]).seats(&seats).unwrap().both());
        assert!(Tokens::default().seats(&seats).unwrap().none());
        assert_eq!(Tokens(vec!["c".into()]).seats(&seats).unwrap_err().0.code, Code::ForgedSeat);
    }
}
