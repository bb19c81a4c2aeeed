use std::ops::{AddAssign, Mul};

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};
use rustc_hash::FxHashSet;

use super::Chance;

/// A chance on its way: a fraction that is not reduced, because reducing at every step costs more than all the rest.
/// Most fit two machine words each; what outgrows them goes on in numbers of any size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Weight {
    Small { numer: u128, denom: u128 },
    Large(Box<Large>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Large {
    numer: BigUint,
    denom: BigUint,
}

impl Weight {
    pub(super) const fn new(numer: u128, denom: u128) -> Self {
        Weight::Small { numer, denom }
    }

    pub(super) const fn certain() -> Self {
        Weight::new(1, 1)
    }

    fn large(self) -> Large {
        match self {
            Weight::Small { numer, denom } => Large { numer: numer.into(), denom: denom.into() },
            Weight::Large(large) => *large,
        }
    }

    /// This chance, given that something of chance `excluded` does not happen.
    pub(super) fn given_not(self, excluded: &Weight) -> Weight {
        if let (Weight::Small { numer, denom }, Weight::Small { numer: n, denom: d }) = (&self, excluded)
            && let (Some(numer), Some(denom)) = (numer.checked_mul(*d), denom.checked_mul(*d - *n))
        {
            return Weight::new(numer, denom);
        }
        let (mut weight, excluded) = (self.large(), excluded.clone().large());
        weight.numer *= &excluded.denom;
        weight.denom *= &excluded.denom - &excluded.numer;
        Weight::Large(Box::new(weight))
    }

    pub(super) fn reduced(self) -> Chance {
        match self {
            Weight::Small { numer, denom } => fraction(numer, denom),
            Weight::Large(large) => Chance::new(large.numer, large.denom),
        }
    }
}

/// In lowest terms.
fn fraction(numer: u128, denom: u128) -> Chance {
    let common = numer.gcd(&denom).max(1);
    Chance::new_raw((numer / common).into(), (denom / common).into())
}

impl Mul<&Weight> for Weight {
    type Output = Weight;
    fn mul(self, other: &Weight) -> Weight {
        if let (Weight::Small { numer, denom }, Weight::Small { numer: n, denom: d }) = (&self, other)
            && let (Some(numer), Some(denom)) = (numer.checked_mul(*n), denom.checked_mul(*d))
        {
            return Weight::new(numer, denom);
        }
        let (mut weight, other) = (self.large(), other.clone().large());
        weight.numer *= other.numer;
        weight.denom *= other.denom;
        Weight::Large(Box::new(weight))
    }
}

impl AddAssign for Weight {
    fn add_assign(&mut self, other: Weight) {
        if let (Weight::Small { numer, denom }, Weight::Small { numer: n, denom: d }) = (&*self, &other)
            && let Some(sum) = small_sum((*numer, *denom), (*n, *d))
        {
            *self = sum;
            return;
        }
        let mut sum = std::mem::replace(self, Weight::certain()).large();
        sum.add(other.large());
        *self = Weight::Large(Box::new(sum));
    }
}

fn small_sum(a: (u128, u128), b: (u128, u128)) -> Option<Weight> {
    if a.1 == b.1 {
        return Some(Weight::new(a.0.checked_add(b.0)?, a.1));
    }
    // Most often one path has rolled a few dice more than the other.
    let common = a.1.checked_mul(b.1 / a.1.gcd(&b.1))?;
    let sum = a.0.checked_mul(common / a.1)?.checked_add(b.0.checked_mul(common / b.1)?)?;
    Some(Weight::new(sum, common))
}

impl Large {
    fn add(&mut self, other: Large) {
        if self.denom != other.denom {
            let common = self.denom.lcm(&other.denom);
            self.numer *= &common / &self.denom;
            self.numer += other.numer * (&common / &other.denom);
            self.denom = common;
        } else {
            self.numer += other.numer;
        }
    }
}

/// Chances brought to one denominator, so that adding them up is adding whole numbers.
pub(super) enum Shares {
    Small(Vec<u128>, u128),
    Large(Vec<BigUint>, BigUint),
}

impl Shares {
    pub(super) fn of<T>(ends: &[(T, Weight)]) -> Shares {
        Self::small(ends).unwrap_or_else(|| Self::large(ends))
    }

    fn small<T>(ends: &[(T, Weight)]) -> Option<Shares> {
        let mut known = FxHashSet::default();
        let mut common = 1u128;
        for (_, weight) in ends {
            let Weight::Small { denom, .. } = weight else { return None };
            if known.insert(*denom) {
                common = common.checked_mul(denom / common.gcd(denom))?;
            }
        }
        // The whole is the common denominator itself, so that no sum of them can overflow.
        let share = |weight: &Weight| match weight {
            Weight::Small { numer, denom } => numer.checked_mul(common / denom),
            Weight::Large(_) => None,
        };
        let shares = ends.iter().map(|(_, weight)| share(weight)).collect::<Option<_>>()?;
        Some(Shares::Small(shares, common))
    }

    fn large<T>(ends: &[(T, Weight)]) -> Shares {
        let large: Vec<Large> = ends.iter().map(|(_, weight)| weight.clone().large()).collect();
        let known: FxHashSet<&BigUint> = large.iter().map(|l| &l.denom).collect();
        let common = known.into_iter().fold(BigUint::one(), |common, denom| common.lcm(denom));
        let shares = large.iter().map(|l| &l.numer * (&common / &l.denom)).collect();
        Shares::Large(shares, common)
    }
}

/// A whole number of the shares' size.
pub(super) trait Share: Clone + Zero + for<'s> AddAssign<&'s Self> {
    fn out_of(&self, denom: &Self) -> Chance;
}

impl Share for u128 {
    fn out_of(&self, denom: &u128) -> Chance {
        fraction(*self, *denom)
    }
}

impl Share for BigUint {
    fn out_of(&self, denom: &BigUint) -> Chance {
        Chance::new(self.clone(), denom.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(n: u32, d: u32) -> Chance {
        Chance::new(n.into(), d.into())
    }

    #[test]
    fn sums_are_exact_whatever_the_denominators() {
        let add = |a: (u128, u128), b: (u128, u128)| {
            let mut sum = Weight::new(a.0, a.1);
            sum += Weight::new(b.0, b.1);
            sum.reduced()
        };
        assert_eq!(add((1, 10), (2, 10)), chance(3, 10));
        assert_eq!(add((1, 100), (1, 10)), chance(11, 100));
        assert_eq!(add((1, 10), (1, 100)), chance(11, 100));
        assert_eq!(add((1, 10), (1, 6)), chance(4, 15));
    }

    #[test]
    fn a_chance_given_that_something_else_fails() {
        let weight = Weight::new(45, 100).given_not(&Weight::new(1, 10));
        assert_eq!(weight.reduced(), chance(1, 2));
    }

    #[test]
    fn what_outgrows_two_words_stays_exact() {
        let tiny = Weight::new(1, u128::MAX / 7);
        let product = tiny.clone() * &tiny;
        let mut twice = product.clone();
        twice += product.clone();
        assert!(matches!(twice, Weight::Large(_)));
        assert_eq!(twice.reduced(), product.reduced() * BigUint::from(2u32));
        let mut mixed = tiny.clone() * &tiny;
        mixed += Weight::new(1, 2);
        assert!(mixed.reduced() > chance(1, 2));
    }

    #[test]
    fn shares_of_one_denominator_add_up_to_the_whole() {
        let ends = [((), Weight::new(1, 10)), ((), Weight::new(1, 6)), ((), Weight::new(11, 15))];
        let Shares::Small(shares, whole) = Shares::of(&ends) else { panic!("these are small") };
        assert_eq!((shares.iter().sum::<u128>(), whole), (30, 30));
        let Shares::Large(shares, whole) = Shares::large(&ends) else { panic!("asked for") };
        assert_eq!(shares.iter().sum::<BigUint>(), whole);
    }
}
