//! The orders a player can give; each shown as notation writes it.

use hexmap::Hex;

use crate::state::Id;

/// The most enemies a unit can divide its fire over.
pub(crate) const MAX_TARGETS: usize = 6;

/// One decision of one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// `combat`: the Initiative side takes its Combat Turn now.
    Combat,
    /// `wait`: it does not; a marker is drawn.
    Wait,
    /// `march meredith 0910`; `path` is 0 for the cheapest way, else the way itself, three bits a step.
    March { unit: Id, to: Hex, path: u64 },
    /// `mount gamble`.
    Mount { unit: Id },
    /// `dismount gamble horses 0504`.
    Dismount { unit: Id, horses: Hex },
    /// `enter cutler 1221`.
    Enter { unit: Id, at: Hex },
    /// `exit gamble 0109`.
    Exit { unit: Id, by: Hex },
    /// `rally cutler`.
    Rally { unit: Id },
    /// `place cutler 1413`.
    Place { unit: Id, at: Hex },
    /// `done`: the Movement Turn is over.
    Done,
    /// `withdraw gamble`: a retreat before combat.
    Withdraw { unit: Id },
    /// `bombard calef at archer`.
    Bombard { unit: Id, at: Id },
    /// `split davis weed=3 baxter=2`.
    Split { unit: Id, targets: [Id; MAX_TARGETS], shares: [u8; MAX_TARGETS] },
    /// `engage weed`.
    Engage { unit: Id },
    /// `attack weed davis`: by choice, from outside his zone.
    Attack { unit: Id, at: Id },
    /// `check weed`.
    Check { unit: Id },
    /// `retreat stonewall 0405`.
    Retreat { unit: Id, to: Hex },
    /// `retreat stonewall off`: out by a way the scenario leaves open.
    RetreatOff { unit: Id },
    /// `advance stonewall 0504`.
    Advance { unit: Id, to: Hex },
    /// `advance 0504`: somebody, at random.
    AdvanceInto { to: Hex },
    /// `fallback weed`.
    FallBack { unit: Id },
    /// `pass`: declines or ends.
    Pass,
}

/// Where offers go: a list, or somebody who only asks whether there is one.
pub(crate) trait Offers {
    fn offer(&mut self, action: Action);
}

impl Offers for Vec<Action> {
    #[inline]
    fn offer(&mut self, action: Action) {
        self.push(action);
    }
}

/// Notes that something was offered.
#[derive(Debug, Default)]
pub(crate) struct Anything(pub(crate) bool);

impl Offers for Anything {
    fn offer(&mut self, _: Action) {
        self.0 = true;
    }
}

/// Keeps an offer as long as it is the only one.
#[derive(Debug, Default)]
pub(crate) struct Sole {
    only: Option<Action>,
    offers: usize,
}

impl Sole {
    pub(crate) fn action(self) -> Option<Action> {
        self.only.filter(|_| self.offers == 1)
    }
}

impl Offers for Sole {
    fn offer(&mut self, action: Action) {
        self.only = Some(action);
        self.offers += 1;
    }
}
