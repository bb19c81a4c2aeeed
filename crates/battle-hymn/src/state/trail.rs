//! A way from hex to hex, small enough for an action and for the agenda.

use std::num::NonZeroU64;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// At least one step: three bits each, the direction plus one, the first lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Trail(NonZeroU64);

impl Trail {
    /// The most steps.
    pub(crate) const MOST: usize = 21;

    /// A trail with one more step; none if it would be too long.
    pub(crate) fn longer(trail: Option<Trail>, direction: usize) -> Option<Trail> {
        let bits = bits(trail);
        let used = steps(bits);
        let step = (used < Trail::MOST as u32).then(|| (direction as u64 + 1) << (3 * used))?;
        NonZeroU64::new(bits | step).map(Trail)
    }

    /// The directions, from the first to the last.
    pub(crate) fn directions(self) -> impl DoubleEndedIterator<Item = usize> {
        let step = move |i: u32| (self.0.get() >> (3 * i) & 7).saturating_sub(1) as usize;
        (0..steps(self.0.get())).map(step)
    }
}

fn bits(trail: Option<Trail>) -> u64 {
    trail.map_or(0, |t| t.0.get())
}

fn steps(bits: u64) -> u32 {
    (u64::BITS - bits.leading_zeros()).div_ceil(3)
}

/// Written down as one number, 0 for none.
pub(super) fn serialize<S: Serializer>(trail: &Option<Trail>, to: S) -> Result<S::Ok, S::Error> {
    bits(*trail).serialize(to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Trail>, D::Error> {
    Ok(NonZeroU64::new(u64::deserialize(from)?).map(Trail))
}
