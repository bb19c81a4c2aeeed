//! The two views of a battle under way: [`At`] reads a position, [`Run`] acts on it.

use game::{Die, Effects, Entry, RollNote, Side, Test};

use crate::rules::basics::Layout;
use crate::setup::battle::Battle;
use crate::setup::pieces::BmuInfo;
use crate::state::{Body, BodyId, Part, State};

/// A position to read. The rules that only look are methods of it, in the files of their chapters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'a> {
    pub battle: &'a Battle,
    pub state: &'a State,
}

impl<'a> At<'a> {
    /// A position of a battle.
    #[inline]
    pub(crate) fn new(battle: &'a Battle, state: &'a State) -> At<'a> {
        At { battle, state }
    }

    /// A body by its id.
    #[inline]
    pub(crate) fn body(self, id: BodyId) -> &'a Body {
        self.state.body(id)
    }

    /// What the order of battle says of a body.
    #[inline]
    pub(crate) fn info(self, id: BodyId) -> &'a BmuInfo {
        self.battle.info(self.body(id))
    }

    /// A body as it stands.
    #[inline]
    pub(crate) fn layout(self, id: BodyId) -> Layout {
        self.body(id).layout(self.battle)
    }
}

/// A position to act on, with the dice and the log.
#[derive(Debug)]
pub(crate) struct Run<'a, F> {
    pub battle: &'a Battle,
    pub state: &'a mut State,
    pub fx: &'a mut F,
}

impl<'a, F: Effects> Run<'a, F> {
    /// A position of a battle and what rolls its dice.
    #[inline]
    pub(crate) fn new(battle: &'a Battle, state: &'a mut State, fx: &'a mut F) -> Run<'a, F> {
        Run { battle, state, fx }
    }

    /// The position as it is now.
    #[inline]
    pub(crate) fn at(&self) -> At<'_> {
        At::new(self.battle, self.state)
    }

    /// Tells what happened.
    #[inline]
    pub(crate) fn tell(&mut self, entry: impl FnOnce(At<'_>) -> Entry) {
        let at = At::new(self.battle, self.state);
        self.fx.tell(|| entry(at));
    }

    /// The face of one die.
    #[inline]
    pub(crate) fn die(&mut self, die: Die, note: impl FnOnce(At<'_>) -> RollNote) -> u8 {
        let at = At::new(self.battle, self.state);
        self.fx.die(die, || note(at))
    }

    /// Whether one die passes.
    #[inline]
    pub(crate) fn passes(&mut self, test: Test, note: impl FnOnce(At<'_>) -> RollNote) -> bool {
        let at = At::new(self.battle, self.state);
        self.fx.passes(test, || note(at))
    }

    /// How many of `n` dice pass.
    #[inline]
    pub(crate) fn count(&mut self, n: u8, test: Test, note: impl FnOnce(At<'_>) -> RollNote) -> u8 {
        let at = At::new(self.battle, self.state);
        self.fx.count(n, test, || note(at))
    }

    /// The total of `n` dice.
    #[inline]
    pub(crate) fn total(&mut self, n: u8, die: Die, note: impl FnOnce(At<'_>) -> RollNote) -> u16 {
        let at = At::new(self.battle, self.state);
        self.fx.total(n, die, || note(at))
    }

    /// What the total of `n` dice comes to by `grade`.
    #[inline]
    pub(crate) fn graded(
        &mut self,
        n: u8,
        die: Die,
        grade: impl Fn(u16) -> i16,
        note: impl FnOnce(At<'_>) -> RollNote,
    ) -> i16 {
        let at = At::new(self.battle, self.state);
        self.fx.graded(n, die, grade, || note(at))
    }
}

impl At<'_> {
    /// Whose the body of that id is.
    pub(crate) fn side_of(self, id: BodyId) -> Side {
        self.battle.side(self.state.body(id))
    }

    /// A name for the log that both sides read.
    pub(crate) fn name(self, id: BodyId) -> String {
        if self.state.is_marker(id) {
            return "A hidden unit".to_owned();
        }
        self.own_name(id)
    }

    /// Its name among its own.
    pub(crate) fn own_name(self, id: BodyId) -> String {
        let At { battle, state } = self;
        let body = state.body(id);
        let name = &battle.info(body).name;
        match body.part {
            Part::Main => name.clone(),
            Part::Skirmishers => format!("{name}'s skirmishers"),
            Part::Group => {
                let slug = battle.slug(id);
                format!("{name} {}", slug.split_once('.').map_or("1", |(_, number)| number))
            }
            Part::Crew => format!("the gunners of {name}"),
        }
    }

    /// The body of that notation.
    pub(crate) fn find_body(self, slug: &str) -> Option<BodyId> {
        self.state.ids().find(|id| self.battle.slug(*id) == slug)
    }
}
