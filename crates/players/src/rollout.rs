//! Rollouts: a choice played on by a quick greedy player for both sides, to the end of a turn.

use game::dice::{Dice as _, QuickDice};
use game::{Fx, Now, Outcome, Side, Silent, System};

use crate::captain::{look_on, mixed};

/// What winning is worth beyond the margin, in hundredths of a victory point.
const VICTORY: i64 = 1500;
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
    /// The turn with whose end a rollout ends.
    pub last_turn: u32,
    /// How many options are looked at for one decision.
    pub width: usize,
    /// Under how many sets of dice an option that rolls some is looked at.
    pub looks: u32,
}

/// What a rollout needs again and again, so that it is not made again and again.
#[derive(Debug)]
pub(crate) struct Desk<S: System> {
    offers: Vec<S::Action>,
    order: Vec<(i32, u32, u32)>,
}

impl<S: System> Default for Desk<S> {
    fn default() -> Self {
        Desk { offers: Vec::with_capacity(256), order: Vec::with_capacity(256) }
    }
}

/// Where a rollout has come to.
#[derive(Debug)]
pub(crate) struct End<S: System> {
    pub state: S::State,
    /// How that looks to the side that decided at the root, in hundredths of a victory point.
    pub value: i64,
    /// The same without what winning is worth by itself.
    pub margin: i64,
    /// Decisions taken on the way.
    pub steps: usize,
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
        told(&state, action);
        S::play_unchecked(battle, &mut state, action, &mut Fx { dice: QuickDice::new(seed), log: Silent });
        let mut event = (S::turn(battle, &state), S::affair(battle, &state));
        let mut number = 0;
        for steps in 1..LONGEST {
            let Now::Decides(mover) = S::now(battle, &state) else { return self.end(state, steps) };
            let here = (S::turn(battle, &state), S::affair(battle, &state));
            if here.0 > self.last_turn && here.1.is_none() {
                return self.end(state, steps);
            }
            if here != event {
                (event, number) = (here, 0);
            }
            number += 1;
            let key = mixture([seed, u64::from(here.0), here.1.map_or(0, |a| u64::from(a) + 1), number]);
            self.step(&mut state, mover, key, desk, &mut told);
        }
        self.end(state, LONGEST)
    }

    fn end(&self, state: S::State, steps: usize) -> End<S> {
        let margin = margin::<S>(self.battle, &state, self.side);
        let victory = match S::now(self.battle, &state) {
            Now::Over(Outcome::Won(winner)) if winner == self.side => VICTORY,
            Now::Over(Outcome::Won(_)) => -VICTORY,
            Now::Over(Outcome::Drawn) | Now::Decides(_) => 0,
        };
        End { value: margin + victory, margin, state, steps }
    }

    /// One decision of the greedy player: a few options with the best promise, one look at each.
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
        desk.promising(battle, state, self.width, &mut fx.dice);
        // The look's dice are not the game's: who saw those would choose what luck is about to favour.
        let look = fx.dice.below(u32::MAX);
        let mut best: Option<(i64, usize, Option<S::State>)> = None;
        for &(promise, _, index) in &desk.order {
            let option = &desk.offers[index as usize];
            let (worth, settled) = self.glance(state, option, mover, u64::from(look));
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
    ) -> (i64, Option<S::State>) {
        let mut sum = 0;
        for look in 0..u64::from(self.looks) {
            let mut after = state.clone();
            let mut fx = Fx { dice: QuickDice::new(seed + look), log: Silent };
            S::play_unchecked(self.battle, &mut after, option, &mut fx);
            let looked_on = look_on::<S>(self.battle, &mut after, &mut fx);
            let worth = i64::from(S::worth(self.battle, &after, mover));
            if !fx.dice.rolled() {
                return (worth * i64::from(self.looks), (!looked_on).then_some(after));
            }
            sum += worth;
        }
        (sum, None)
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
