//! Rollouts: a choice played on by a quick greedy player for both sides, to the end of a turn.

use game::dice::{Dice as _, QuickDice};
use game::{Foresight, Fx, Now, Outcome, Side, Silent, System};

use crate::captain::{look_on, mixed};

/// What a battle won is worth; one lost as much less than nothing.
const VICTORY: i64 = 10_000;
/// With this lead before the end, in hundredths of a victory point, half of what a victory is worth is in hand: where
/// captains stand so, three in four win.
const HALFWAY: i64 = 1_000;
/// Among equal prospects the greater margin is better: so many hundredths of a victory point count one, up to `MOST`.
const MARGIN: i64 = 20;
const MOST: i64 = 10_000;
/// No turn has more decisions; a position that goes round in circles is judged as it stands.
const LONGEST: usize = 2_000;

/// How a position is played on.
#[derive(Debug)]
pub(crate) struct Rollouts<'a, S: System> {
    pub battle: &'a S::Battle,
    /// The position as the deciding side sees it.
    pub root: &'a S::State,
    /// The side that decides.
    pub side: Side,
    /// With the end of which turn or player turn a rollout ends.
    pub until: Foresight,
    /// How many options are looked at for one decision at the most.
    pub width: usize,
    /// Under how many sets of dice an option that rolls some is looked at.
    pub looks: u32,
}

/// What a rollout needs again and again, so that it is not made again and again.
#[derive(Debug)]
pub(crate) struct Desk<S: System> {
    offers: Vec<S::Action>,
    order: Vec<(i32, u32, u32)>,
    /// Positions looked at since the rollout began.
    looked: u64,
}

impl<S: System> Default for Desk<S> {
    fn default() -> Self {
        Desk { offers: Vec::with_capacity(256), order: Vec::with_capacity(256), looked: 0 }
    }
}

/// Where a rollout has come to.
#[derive(Debug)]
pub(crate) struct End<S: System> {
    pub state: S::State,
    /// What that is worth to the side that decided at the root: from -10,000, surely lost, to 10,000, surely won, and a
    /// little for the margin.
    pub value: i64,
    /// By how much that side is ahead, in hundredths of a victory point.
    pub margin: i64,
    /// Decisions taken on the way.
    pub steps: usize,
    /// Positions looked at on the way.
    pub looked: u64,
}

impl<S: System> Rollouts<'_, S> {
    /// Plays `action` and then on. The dice follow from `seed` alone and are dealt by event (turn, affair, number of the
    /// decision in it), so that two choices meet the same dice in the same fight although they came to it by other ways.
    pub(crate) fn play(
        &self,
        action: &S::Action,
        seed: u64,
        desk: &mut Desk<S>,
        mut told: impl FnMut(&S::State, &S::Action),
    ) -> End<S> {
        let battle = self.battle;
        let mut state = self.root.clone();
        desk.looked = 0;
        told(&state, action);
        S::play_unchecked(battle, &mut state, action, &mut Fx { dice: QuickDice::new(seed), log: Silent });
        let mut count = Count::default();
        for steps in 1..LONGEST {
            let Now::Decides(mover) = S::now(battle, &state) else { return self.end(state, steps, desk) };
            let (turn, affair) = (S::player_turn(battle, &state), S::affair(battle, &state));
            let is_past = match self.until {
                Foresight::Turns(last) => S::turn(battle, &state) > last,
                Foresight::PlayerTurns(last) => turn > last,
            };
            if is_past && affair.is_none() {
                return self.end(state, steps, desk);
            }
            let number = count.next(turn, affair);
            let key = mixture([seed, u64::from(turn), affair.map_or(0, |a| u64::from(a) + 1), number]);
            self.step(&mut state, mover, key, desk, &mut told);
        }
        self.end(state, LONGEST, desk)
    }

    /// The turn in which a rollout ends.
    pub(crate) fn last_turn(&self) -> u32 {
        match self.until {
            Foresight::Turns(last) => last,
            Foresight::PlayerTurns(last) => {
                let now = S::player_turn(self.battle, self.root);
                S::turn(self.battle, self.root) + (last - now + now % 2) / 2
            }
        }
    }

    fn end(&self, state: S::State, steps: usize, desk: &Desk<S>) -> End<S> {
        let margin = margin::<S>(self.battle, &state, self.side);
        let prospects = match S::now(self.battle, &state) {
            Now::Over(Outcome::Won(winner)) if winner == self.side => VICTORY,
            Now::Over(Outcome::Won(_)) => -VICTORY,
            Now::Over(Outcome::Drawn) => 0,
            Now::Decides(_) => prospects(margin),
        };
        let value = prospects + margin.clamp(-MOST, MOST) / MARGIN;
        End { value, margin, state, steps, looked: desk.looked + steps as u64 }
    }

    /// One decision of the greedy player: a look at each option, or at those with the best promise.
    fn step(
        &self,
        state: &mut S::State,
        mover: Side,
        key: u64,
        desk: &mut Desk<S>,
        told: &mut impl FnMut(&S::State, &S::Action),
    ) {
        let battle = self.battle;
        let mut fx = Fx { dice: QuickDice::new(key), log: Silent };
        desk.offers.clear();
        S::offers(battle, state, &mut desk.offers);
        let drawn = match desk.offers.len() {
            1 => Some(0),
            _ => mixed::<S>(battle, state, &desk.offers, &mut fx.dice),
        };
        if let Some(index) = drawn {
            told(state, &desk.offers[index]);
            return S::play_unchecked(battle, state, &desk.offers[index], &mut fx);
        }
        // The dice of the look are not the game's: who saw those would choose what luck is about to favour. And the game's
        // do not depend on how many options there are to look at, or no two choices would ever meet the same.
        let mut look = QuickDice::new(!key);
        desk.promising(battle, state, self.width, &mut look);
        let seed = u64::from(look.below(u32::MAX));
        let mut best: Option<(i64, usize, Option<S::State>)> = None;
        for &(promise, _, index) in &desk.order {
            let option = &desk.offers[index as usize];
            let (worth, settled) = self.glance(state, option, mover, seed, &mut desk.looked);
            let worth = worth + i64::from(self.looks) * i64::from(promise);
            if best.as_ref().is_none_or(|(most, ..)| worth > *most) {
                best = Some((worth, index as usize, settled));
            }
        }
        let Some((_, index, settled)) = best else { return };
        told(state, &desk.offers[index]);
        match settled {
            Some(after) => *state = after,
            None => S::play_unchecked(battle, state, &desk.offers[index], &mut fx),
        }
    }

    /// How an option looks to who takes it, added up over the looks; and the position that it leads to, if that is certain.
    fn glance(
        &self,
        state: &S::State,
        option: &S::Action,
        mover: Side,
        seed: u64,
        looked: &mut u64,
    ) -> (i64, Option<S::State>) {
        let mut sum = 0;
        for look in 0..u64::from(self.looks) {
            let mut after = state.clone();
            let mut fx = Fx { dice: QuickDice::new(seed + look), log: Silent };
            S::play_unchecked(self.battle, &mut after, option, &mut fx);
            let looked_on = look_on::<S>(self.battle, &mut after, &mut fx);
            *looked += 1 + looked_on;
            let worth = i64::from(S::worth(self.battle, &after, mover));
            if !fx.dice.rolled() {
                return (worth * i64::from(self.looks), (looked_on == 0).then_some(after));
            }
            sum += worth;
        }
        (sum, None)
    }
}

/// Numbers the decisions of an event. After an affair the turn's own count goes on, or its dice would fall twice.
#[derive(Debug, Default)]
struct Count {
    turn: u32,
    affair: Option<u32>,
    in_turn: u64,
    in_affair: u64,
}

impl Count {
    fn next(&mut self, turn: u32, affair: Option<u32>) -> u64 {
        if turn != self.turn {
            *self = Count { turn, ..Count::default() };
        }
        if affair != self.affair {
            (self.affair, self.in_affair) = (affair, 0);
        }
        let number = if affair.is_some() { &mut self.in_affair } else { &mut self.in_turn };
        *number += 1;
        *number
    }
}

impl<S: System> Desk<S> {
    /// Puts the options with the best promise into `order`; equals by chance.
    fn promising(&mut self, battle: &S::Battle, state: &S::State, width: usize, dice: &mut QuickDice) {
        self.order.clear();
        let all = self.offers.iter().zip(0..);
        self.order.extend(all.map(|(offer, i)| (S::promise(battle, state, offer), dice.below(1 << 24), i)));
        if self.order.len() > width {
            self.order.select_nth_unstable_by(width, |a, b| b.cmp(a));
            self.order.truncate(width);
        }
        // Equal worth goes to the first looked at: the order must not depend on how the selection was made.
        self.order.sort_unstable_by(|a, b| b.cmp(a));
    }
}

/// What a margin promises before the end: the more there is already, the less each further point adds, so that a lead is kept
/// rather than stretched, and who is behind dares.
fn prospects(margin: i64) -> i64 {
    VICTORY * margin / (margin.abs() + HALFWAY)
}

/// By how much `side` is ahead in a position, in hundredths of a victory point: the points at the end of a game, before it
/// also what strength and ground are worth.
pub(crate) fn margin<S: System>(battle: &S::Battle, state: &S::State, side: Side) -> i64 {
    if let Now::Over(_) = S::now(battle, state) {
        let score = S::score(battle, state);
        return 100 * i64::from(score[side] - score[!side]);
    }
    (i64::from(S::worth(battle, state, side)) - i64::from(S::worth(battle, state, !side))) / 2
}

/// A number that follows from all of these (splitmix64 over each).
pub(crate) fn mixture(parts: [u64; 4]) -> u64 {
    parts.into_iter().fold(0x9E37_79B9_7F4A_7C15, |hash: u64, part| {
        let mut z = (hash ^ part).wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_worth_less_than_victory_and_each_further_point_less_than_the_last() {
        assert_eq!(prospects(0), 0);
        assert_eq!(prospects(-HALFWAY), -VICTORY / 2);
        let gains = [0, 500, 1000, 2000, 100_000].map(prospects);
        assert!(gains.is_sorted() && gains[4] < VICTORY);
        assert!(prospects(500) - prospects(0) > prospects(1500) - prospects(1000));
    }

    #[test]
    fn after_an_affair_the_count_of_the_turn_goes_on() {
        let mut count = Count::default();
        let numbers = [(1, None), (1, None), (1, Some(7)), (1, Some(7)), (1, None), (1, Some(8)), (2, None)]
            .map(|(turn, affair)| count.next(turn, affair));
        assert_eq!(numbers, [1, 2, 1, 2, 3, 1, 1]);
    }
}
