//! The orders a player can give; each shown as notation writes it.

use hexmap::Hex;

use crate::state::{Id, Trail};

/// The most enemies a unit can divide its fire over.
pub(crate) const MAX_TARGETS: usize = 6;

/// One decision of one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// `combat`: the Initiative side takes its Combat Turn now.
    Combat,
    /// `wait`: it does not; a marker is drawn.
    Wait,
    /// `march meredith 0910`: the cheapest way, unless a path is named.
    March { unit: Id, to: Hex, path: Option<Trail> },
    /// `mount gamble`.
    Mount { unit: Id },
    /// `dismount gamble horses 0504`.
    Dismount { unit: Id, horses: Hex },
    /// `enter cutler 1221`, or `enter cutler` where chance picks the hex.
    Enter { unit: Id, at: Option<Hex> },
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
    Split { unit: Id, shares: Shares },
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

impl Action {
    /// The unit that acts.
    pub(crate) fn unit(&self) -> Option<Id> {
        match *self {
            Action::Combat | Action::Wait | Action::Done | Action::AdvanceInto { .. } | Action::Pass => None,
            Action::March { unit, .. }
            | Action::Mount { unit }
            | Action::Dismount { unit, .. }
            | Action::Enter { unit, .. }
            | Action::Exit { unit, .. }
            | Action::Rally { unit }
            | Action::Place { unit, .. }
            | Action::Withdraw { unit }
            | Action::Bombard { unit, .. }
            | Action::Split { unit, .. }
            | Action::Engage { unit }
            | Action::Attack { unit, .. }
            | Action::Check { unit }
            | Action::Retreat { unit, .. }
            | Action::RetreatOff { unit }
            | Action::Advance { unit, .. }
            | Action::FallBack { unit } => Some(unit),
        }
    }

    /// The hex it names.
    pub(crate) fn hex(&self) -> Option<Hex> {
        match *self {
            Action::March { to: hex, .. }
            | Action::Dismount { horses: hex, .. }
            | Action::Exit { by: hex, .. }
            | Action::Place { at: hex, .. }
            | Action::Retreat { to: hex, .. }
            | Action::Advance { to: hex, .. }
            | Action::AdvanceInto { to: hex } => Some(hex),
            Action::Enter { at, .. } => at,
            _ => None,
        }
    }
}

/// SPs divided over enemies: at whom, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shares([(Id, u8); MAX_TARGETS]);

impl Shares {
    /// Each target and its share.
    pub fn iter(&self) -> impl Iterator<Item = (Id, u8)> + '_ {
        self.0.iter().copied().filter(|(target, _)| *target != Id::NONE)
    }

    /// The share of one target.
    pub(crate) fn of(&self, target: Id) -> Option<u8> {
        self.iter().find(|(t, _)| *t == target).map(|(_, share)| share)
    }
}

impl FromIterator<(Id, u8)> for Shares {
    fn from_iter<I: IntoIterator<Item = (Id, u8)>>(parts: I) -> Shares {
        let mut shares = [(Id::NONE, 0); MAX_TARGETS];
        shares.iter_mut().zip(parts).for_each(|(slot, part)| *slot = part);
        Shares(shares)
    }
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
