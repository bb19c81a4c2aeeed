//! Randomness from the system.

use game::journal::hex;
use host::{Failure, seats};

use crate::world;

/// 32 random bytes in hexadecimal.
pub(crate) fn token() -> Result<String, Failure> {
    Ok(hex(&bytes::<32>()?))
}

/// The id of a new game.
pub(crate) fn id() -> Result<String, Failure> {
    bytes().map(seats::id_of)
}

/// Random bytes.
pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    world::random(&mut bytes).map_err(|_| Failure::internal("the system gives no randomness"))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn tokens_and_ids_are_unlike_each_other() {
        assert_ne!(super::token().unwrap(), super::token().unwrap());
        assert_ne!(super::id().unwrap(), super::id().unwrap());
    }
}
