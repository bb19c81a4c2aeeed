use super::enumerate::{EveryDice, Merged};
use super::weight::Weight;
use super::{Budget, Horizon};
use crate::dice::QuickDice;
use crate::{AnyFx, Fx, Now, Silent, System};

/// Positions with their chances; boxed, for a position is large and goes through many hands.
pub(super) type Weighed<T> = Vec<(Box<T>, Weight)>;

/// All that comes of an action.
pub(super) struct Exact<T> {
    pub(super) ends: Weighed<T>,
    /// The scene with which it leaves off, if what follows would be too much.
    pub(super) last_scene: Option<u32>,
    /// Dice fell on the way.
    pub(super) rolled: bool,
}

/// Pushes a distribution over positions forward until each has come to its end.
pub(super) struct Walk<'b, S: System> {
    battle: &'b S::Battle,
    affair: Option<u32>,
    horizon: Horizon,
    budget: Budget,
}

/// The work that is left before play is sampled instead, and the dice that do it.
struct Toil {
    ways: usize,
    dice: EveryDice,
}

impl<'b, S: System> Walk<'b, S> {
    pub(super) fn new(battle: &'b S::Battle, affair: Option<u32>, horizon: Horizon, budget: Budget) -> Self {
        Walk { battle, affair, horizon, budget }
    }

    /// To look at what comes of `action`: the affair is the one under way, or the one that it opens.
    pub(super) fn from(
        battle: &'b S::Battle,
        state: &S::State,
        action: &S::Action,
        horizon: Horizon,
        budget: Budget,
    ) -> Self {
        let opened = || {
            let mut after = state.clone();
            S::answer(battle, &mut after, action, &mut Fx { dice: QuickDice::new(0), log: Silent });
            S::affair(battle, &after)
        };
        let affair = match horizon {
            Horizon::Affair => S::affair(battle, state).or_else(opened),
            Horizon::Line | Horizon::Decision => None,
        };
        Walk::new(battle, affair, horizon, budget)
    }

    /// Every end of `action`, unless there are more than the budget allows.
    pub(super) fn exact(&self, state: &S::State, action: &S::Action) -> Option<Exact<S::State>> {
        let mut toil = Toil { ways: self.budget.ways, dice: EveryDice::default() };
        let mut open = Merged::default();
        self.answer(state, action, &Weight::certain(), &mut toil, &mut open)?;
        if self.horizon == Horizon::Line {
            let ends = self.to_the_end(open, Merged::default(), &mut toil, |_| false)?;
            return Some(Exact { ends, last_scene: None, rolled: toil.dice.ever_rolled() });
        }
        let scene = |state: &S::State| S::scene(self.battle, state);
        let mut last = scene(state);
        let mut reached = self.to_the_end(open, Merged::default(), &mut toil, |s| scene(s) > last)?;
        // Scene by scene, as long as it costs little.
        let spent = self.budget.ways - toil.ways;
        toil.ways = self.budget.beyond.saturating_sub(spent);
        while let Some(next) = reached.iter().map(|(state, _)| scene(state)).filter(|&s| s > last).min() {
            let (mut open, mut ends) = (Merged::default(), Merged::default());
            for (state, weight) in &reached {
                let into = if scene(state) > last { &mut open } else { &mut ends };
                into.add(state.clone(), weight.clone());
            }
            match self.to_the_end(open, ends, &mut toil, |s| scene(s) > next) {
                Some(farther) => (reached, last) = (farther, next),
                None => {
                    let rolled = toil.dice.ever_rolled();
                    return Some(Exact { ends: reached, last_scene: Some(last), rolled });
                }
            }
        }
        Some(Exact { ends: reached, last_scene: None, rolled: toil.dice.ever_rolled() })
    }

    /// Every position that comes of `state` by itself, as far as `known`.
    pub(super) fn exact_until(
        &self,
        state: S::State,
        known: impl Fn(&S::State) -> bool,
    ) -> Option<Weighed<S::State>> {
        let mut open = Merged::default();
        open.add(Box::new(state), Weight::certain());
        let mut toil = Toil { ways: self.budget.ways, dice: EveryDice::default() };
        self.to_the_end(open, Merged::default(), &mut toil, known)
    }

    fn to_the_end(
        &self,
        mut open: Merged<Box<S::State>>,
        mut ends: Merged<Box<S::State>>,
        toil: &mut Toil,
        known: impl Fn(&S::State) -> bool,
    ) -> Option<Weighed<S::State>> {
        while !open.list.is_empty() {
            let mut next = Merged::default();
            for (state, chance) in open.list {
                if let Some((settled, chance)) = self.forward(state, chance, &known, toil, &mut next)? {
                    match self.next_answer(&settled).filter(|_| !known(&settled)) {
                        Some(answer) => self.answer(&settled, &answer, &chance, toil, &mut next)?,
                        None => ends.add(settled, chance),
                    }
                }
                if next.list.len() + ends.list.len() > self.budget.positions {
                    return None;
                }
            }
            open = next;
        }
        Some(ends.list)
    }

    /// Runs steps up to and with the first that leaves something to chance, and puts every way it may go into `next`; or
    /// gives back where nothing more happens by itself.
    fn forward(
        &self,
        mut state: Box<S::State>,
        chance: Weight,
        known: &impl Fn(&S::State) -> bool,
        toil: &mut Toil,
        next: &mut Merged<Box<S::State>>,
    ) -> Option<Option<(Box<S::State>, Weight)>> {
        loop {
            if known(&state) {
                return Some(Some((state, chance)));
            }
            let before = state.clone();
            toil.ways = toil.ways.checked_sub(1)?;
            let moved = S::step(self.battle, &mut state, &mut AnyFx::silent(&mut toil.dice));
            if !moved {
                return Some(Some((state, chance)));
            }
            if toil.dice.rolled() {
                let step = |state: &mut S::State, fx: &mut AnyFx<'_>| {
                    S::step(self.battle, state, fx);
                };
                let after = every_way(&*before, state, toil, step)?;
                for (state, weight) in without_repeats(&*before, after) {
                    next.add(state, weight * &chance);
                }
                return Some(None);
            }
        }
    }

    /// Puts every position an answer leads to, before anything runs by itself, into `next`.
    fn answer(
        &self,
        state: &S::State,
        action: &S::Action,
        chance: &Weight,
        toil: &mut Toil,
        next: &mut Merged<Box<S::State>>,
    ) -> Option<()> {
        let answer = |state: &mut S::State, fx: &mut AnyFx<'_>| {
            S::answer(self.battle, state, action, fx);
        };
        let mut first = Box::new(state.clone());
        toil.ways = toil.ways.checked_sub(1)?;
        answer(&mut first, &mut AnyFx::silent(&mut toil.dice));
        for (state, weight) in every_way(state, first, toil, answer)? {
            next.add(state, weight * chance);
        }
        Some(())
    }

    /// The answer to a decision that need not be asked: a forced one or, to the end of an affair, the policy's.
    fn next_answer(&self, settled: &S::State) -> Option<S::Action> {
        if self.horizon == Horizon::Line || matches!(S::now(self.battle, settled), Now::Over(_)) {
            return None;
        }
        let on = self.horizon == Horizon::Affair
            && self.affair.is_some()
            && S::affair(self.battle, settled) == self.affair;
        if !on && S::is_open(self.battle, settled) {
            return None;
        }
        if on {
            return plain_policy::<S>(self.battle, settled);
        }
        let mut offers = Vec::new();
        S::offers(self.battle, settled, &mut offers);
        if offers.len() == 1 { offers.pop() } else { None }
    }

    /// The ends of many plays.
    pub(super) fn sampled(&self, state: &S::State, action: &S::Action) -> (Weighed<S::State>, u32) {
        let plays = self.budget.plays.max(1);
        let mut ends = Merged::default();
        for play in 0..plays {
            let end = self.play_out(state, action, None, QuickDice::new(u64::from(play)));
            ends.add(Box::new(end), Weight::new(1, plays.into()));
        }
        (ends.list, plays)
    }

    /// One play of it, to the end of the scene `last` if one is named.
    pub(super) fn play_out(
        &self,
        state: &S::State,
        action: &S::Action,
        last: Option<u32>,
        dice: QuickDice,
    ) -> S::State {
        let mut after = state.clone();
        let mut fx = Fx { dice, log: Silent };
        S::answer(self.battle, &mut after, action, &mut fx);
        loop {
            loop {
                if last.is_some_and(|last| S::scene(self.battle, &after) > last) {
                    return after;
                }
                if !S::step(self.battle, &mut after, &mut fx) {
                    break;
                }
            }
            let Some(answer) = self.next_answer(&after) else { return after };
            S::answer(self.battle, &mut after, &answer, &mut fx);
        }
    }
}

/// `first` is where the dice led from `before` on their first way; this walks the others too.
fn every_way<T: Clone>(
    before: &T,
    first: Box<T>,
    toil: &mut Toil,
    run: impl Fn(&mut T, &mut AnyFx<'_>),
) -> Option<Weighed<T>> {
    let mut after = vec![(first, toil.dice.walked())];
    while toil.dice.advance() {
        toil.ways = toil.ways.checked_sub(1)?;
        let mut state = Box::new(before.clone());
        run(&mut state, &mut AnyFx::silent(&mut toil.dice));
        after.push((state, toil.dice.walked()));
    }
    Some(after)
}

/// A step that may lead back to where it was (a tie that is rolled again) goes on until it does not: the rest share
/// its chance, each in proportion.
fn without_repeats<T: PartialEq>(from: &T, mut after: Weighed<T>) -> Weighed<T> {
    let mut repeated: Option<Weight> = None;
    after.retain_mut(|(state, weight)| {
        if **state != *from {
            return true;
        }
        match &mut repeated {
            Some(sum) => *sum += weight.clone(),
            None => repeated = Some(weight.clone()),
        }
        false
    });
    match repeated {
        Some(repeated) if !after.is_empty() => {
            after.into_iter().map(|(state, weight)| (state, weight.given_not(&repeated))).collect()
        }
        _ => after,
    }
}

/// What the plain policy does in an affair: the offer of the best promise, the first of equals.
pub fn plain_policy<S: System>(battle: &S::Battle, state: &S::State) -> Option<S::Action> {
    let mut offers = Vec::new();
    S::offers(battle, state, &mut offers);
    let mut best: Option<(i32, S::Action)> = None;
    for action in offers {
        let promise = S::promise(battle, state, &action);
        if best.as_ref().is_none_or(|(most, _)| promise > *most) {
            best = Some((promise, action));
        }
    }
    best.map(|(_, action)| action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::odds::Chance;

    #[test]
    fn a_tie_is_rolled_again_until_it_is_none() {
        let after = [("first", 45), ("tie", 5), ("tie", 5), ("second", 45)];
        let after = after.map(|(state, share)| (Box::new(state), Weight::new(share, 100))).to_vec();
        let half = Chance::new(1u32.into(), 2u32.into());
        let settled: Vec<_> =
            without_repeats(&"tie", after).into_iter().map(|(s, w)| (*s, w.reduced())).collect();
        assert_eq!(settled, [("first", half.clone()), ("second", half)]);
    }
}
