use std::hash::{Hash, Hasher};

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// The procedures under way, innermost on top: a stack of small steps, inline, off the heap.
///
/// Answering a decision resolves the top step; steps that need no decision then run by themselves. A half-resolved
/// combat is therefore plain data: it can be saved, cloned by a search, shown and resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "S: Serialize", deserialize = "S: Deserialize<'de>"))]
pub struct Agenda<S, const DEPTH: usize>(ArrayVec<S, DEPTH>);

impl<S: Copy, const DEPTH: usize> Agenda<S, DEPTH> {
    /// Nothing to do.
    #[must_use]
    pub const fn new() -> Self {
        Agenda(ArrayVec::new_const())
    }

    /// The step to be done next.
    #[must_use]
    pub fn top(&self) -> Option<S> {
        self.0.last().copied()
    }

    /// The step to be done next, to be changed in place.
    pub fn top_mut(&mut self) -> Option<&mut S> {
        self.0.last_mut()
    }

    /// Puts `step` before everything else.
    ///
    /// # Panics
    /// When the procedures nest deeper than `DEPTH`: a system sets it above what its rules can reach.
    pub fn push(&mut self, step: S) {
        self.0.push(step);
    }

    /// Takes the top step off.
    pub fn pop(&mut self) -> Option<S> {
        self.0.pop()
    }

    /// Puts `step` in the place of the top one.
    pub fn replace(&mut self, step: S) {
        self.0.pop();
        self.0.push(step);
    }

    /// How deep the procedures nest.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.0.len()
    }

    /// The steps, the innermost last.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &S> {
        self.0.iter()
    }

    /// The steps, the innermost last, to be changed in place.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut S> {
        self.0.iter_mut()
    }

    /// Drops everything that was under way.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<S: Copy, const DEPTH: usize> Default for Agenda<S, DEPTH> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Hash, const DEPTH: usize> Hash for Agenda<S, DEPTH> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_slice().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::Agenda;

    #[test]
    fn the_innermost_procedure_is_on_top() {
        let mut agenda = Agenda::<u8, 4>::default();
        assert_eq!((agenda.top(), agenda.depth(), agenda.pop()), (None, 0, None));
        agenda.push(1);
        agenda.push(2);
        agenda.replace(3);
        assert_eq!((agenda.top(), agenda.depth()), (Some(3), 2));
        *agenda.top_mut().unwrap() += 1;
        agenda.iter_mut().for_each(|step| *step *= 2);
        assert_eq!(agenda.iter().copied().collect::<Vec<_>>(), [2, 8]);
        assert_eq!((agenda.pop(), agenda.depth()), (Some(8), 1));
        agenda.clear();
        assert_eq!(agenda.depth(), 0);
    }
}
