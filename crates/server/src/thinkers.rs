//! Whose computer thinks next. Only a few think at once: those that people wait for go first, the others in turn. Each
//! game waits with one decision at a time, so that no game comes twice before another has come once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Who waits for a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum For {
    /// Somebody plays in this game, or looks on.
    People,
    /// Nobody does.
    Nobody,
}

/// The queue.
#[derive(Debug)]
pub(crate) struct Thinkers(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    places: usize,
    free: usize,
    closed: bool,
    people: VecDeque<oneshot::Sender<Turn>>,
    nobody: VecDeque<oneshot::Sender<Turn>>,
}

/// The right to think; given on when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn(Option<Arc<Thinkers>>);

impl Thinkers {
    /// So many places; without any, other nodes do the thinking.
    pub(crate) fn new(places: usize) -> Arc<Self> {
        let (people, nobody) = (VecDeque::new(), VecDeque::new());
        Arc::new(Thinkers(Mutex::new(Inner { places, free: places, closed: false, people, nobody })))
    }

    /// Waits for a turn; none when the server goes down.
    pub(crate) async fn turn(self: &Arc<Self>, waits: For) -> Option<Turn> {
        let coming = {
            let mut inner = self.inner();
            if inner.closed {
                return None;
            }
            if inner.free > 0 {
                inner.free -= 1;
                return Some(Turn(Some(self.clone())));
            }
            let (turn, coming) = oneshot::channel();
            match waits {
                For::People => inner.people.push_back(turn),
                For::Nobody => inner.nobody.push_back(turn),
            }
            coming
        };
        coming.await.ok()
    }

    /// Whether computers think here at all.
    pub(crate) fn any(&self) -> bool {
        self.inner().places > 0
    }

    /// How many could begin to think now.
    pub(crate) fn free(&self) -> usize {
        self.inner().free
    }

    /// Sends everybody home.
    pub(crate) fn close(&self) {
        let mut inner = self.inner();
        inner.closed = true;
        inner.people.clear();
        inner.nobody.clear();
    }

    /// How many think, and how many wait.
    pub(crate) fn count(&self) -> (usize, usize) {
        let inner = self.inner();
        (inner.places - inner.free, inner.people.len() + inner.nobody.len())
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Some(thinkers) = self.0.take() else { return };
        loop {
            let next = {
                let mut inner = thinkers.inner();
                let next = inner.people.pop_front().or_else(|| inner.nobody.pop_front());
                inner.free += usize::from(next.is_none());
                next
            };
            let Some(next) = next else { return };
            match next.send(Turn(Some(thinkers.clone()))) {
                Ok(()) => return,
                // Whoever this was for has stopped waiting: the turn goes to the next, from here.
                Err(mut unused) => drop(unused.0.take()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn people_go_first_and_the_others_in_turn() {
        let thinkers = Thinkers::new(1);
        let first = thinkers.turn(For::Nobody).await.unwrap();
        let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
        let queue = [("machine 1", For::Nobody), ("machine 2", For::Nobody), ("Ada", For::People)];
        for (expected, (name, waits)) in queue.into_iter().enumerate() {
            let (thinkers_, told) = (thinkers.clone(), told.clone());
            tokio::spawn(async move {
                let turn = thinkers_.turn(waits).await.unwrap();
                told.send(name).unwrap();
                drop(turn);
            });
            while thinkers.count().1 <= expected {
                tokio::task::yield_now().await;
            }
        }
        assert_eq!(thinkers.count(), (1, 3));
        drop(first);
        let mut order = Vec::new();
        for _ in 0..3 {
            order.push(heard.recv().await.unwrap());
        }
        assert_eq!(order, ["Ada", "machine 1", "machine 2"]);
        // Who hangs up while waiting is passed over.
        let held = thinkers.turn(For::People).await.unwrap();
        let gone = tokio::spawn({
            let thinkers = thinkers.clone();
            async move { thinkers.turn(For::People).await }
        });
        while thinkers.count().1 == 0 {
            tokio::task::yield_now().await;
        }
        gone.abort();
        let _ = gone.await;
        drop(held);
        assert_eq!(thinkers.count(), (0, 0));
        thinkers.close();
        assert!(thinkers.turn(For::People).await.is_none());
    }
}
