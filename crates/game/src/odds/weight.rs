use std::ops::{AddAssign, Mul};

use num_bigint::BigUint;
use num_traits::One;

use super::Chance;

/// A chance on its way: a fraction that is not reduced, because reducing at every step costs more than all the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Weight {
    numer: BigUint,
    denom: BigUint,
}

impl Weight {
    pub(super) fn new(numer: u128, denom: u128) -> Self {
        Weight { numer: numer.into(), denom: denom.into() }
    }

    pub(super) fn certain() -> Self {
        Weight { numer: BigUint::one(), denom: BigUint::one() }
    }

    /// This chance, given that something of chance `excluded` does not happen.
    pub(super) fn given_not(&mut self, excluded: &Weight) {
        self.numer *= &excluded.denom;
        self.denom *= &excluded.denom - &excluded.numer;
    }

    pub(super) fn reduced(self) -> Chance {
        Chance::new(self.numer, self.denom)
    }
}

impl Mul<&Weight> for Weight {
    type Output = Weight;
    fn mul(mut self, other: &Weight) -> Weight {
        self.numer *= &other.numer;
        self.denom *= &other.denom;
        self
    }
}

impl AddAssign for Weight {
    fn add_assign(&mut self, other: Weight) {
        if self.denom == other.denom {
            self.numer += other.numer;
        } else if (&self.denom % &other.denom).bits() == 0 {
            // Most often one path has rolled a few dice more than the other.
            self.numer += other.numer * (&self.denom / &other.denom);
        } else if (&other.denom % &self.denom).bits() == 0 {
            self.numer *= &other.denom / &self.denom;
            self.numer += other.numer;
            self.denom = other.denom;
        } else {
            self.numer *= &other.denom;
            self.numer += other.numer * &self.denom;
            self.denom *= other.denom;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_whatever_the_denominators() {
        let add = |a: (u128, u128), b: (u128, u128)| {
            let mut sum = Weight::new(a.0, a.1);
            sum += Weight::new(b.0, b.1);
            sum.reduced()
        };
        let chance = |n: u32, d: u32| Chance::new(n.into(), d.into());
        assert_eq!(add((1, 10), (2, 10)), chance(3, 10));
        assert_eq!(add((1, 100), (1, 10)), chance(11, 100));
        assert_eq!(add((1, 10), (1, 100)), chance(11, 100));
        assert_eq!(add((1, 10), (1, 6)), chance(4, 15));
    }

    #[test]
    fn a_chance_given_that_something_else_fails() {
        let mut weight = Weight::new(45, 100);
        weight.given_not(&Weight::new(1, 10));
        assert_eq!(weight.reduced(), Chance::new(1u32.into(), 2u32.into()));
    }
}
