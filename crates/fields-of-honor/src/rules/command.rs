//! Command range, commander functions and personalities.

use game::Side;
use table::{EPS, INCH, Pt};

use crate::rules::footprints::Footprints;
use crate::rules::terrain::level_at;
use crate::setup::battle::Battle;
use crate::state::{BodyId, Command, Leader, LeaderId, Marks, Personality, State, Where};

impl Leader {
    /// On the table and able to lead.
    #[must_use]
    pub fn leads(&self) -> bool {
        self.place == Where::Table && !self.disabled
    }
}

impl Battle {
    /// How far a leader's command reaches to a body: farther downhill, twice as far to skirmishers.
    #[must_use]
    pub fn reach(&self, state: &State, leader: LeaderId, body: BodyId) -> i64 {
        let man = &state.leaders[leader.i()];
        let unit = state.body(body);
        let mut range = self.command_range();
        if level_at(self, man.at.pt()) > self.level(unit) {
            range += range / 2;
        }
        if unit.skirmishing() {
            range *= 2;
        }
        range
    }

    /// Whether a body is within a leader's command range (R90).
    #[must_use]
    pub fn in_range(&self, state: &State, leader: LeaderId, body: BodyId) -> bool {
        let man = &state.leaders[leader.i()];
        if !man.leads() {
            return false;
        }
        if man.attached == Some(body) {
            return true;
        }
        let distance = state.body(body).layout(self).distance_to(man.at.pt());
        distance <= self.reach(state, leader, body) + EPS
    }

    /// The sub-commander of a body, the overall commander for those directly under him.
    #[must_use]
    pub fn commander_of(&self, state: &State, body: BodyId) -> Option<LeaderId> {
        let leader = self.info(state.body(body)).leader;
        (leader.i() < self.leaders.len()).then_some(leader)
    }

    /// His sub-commander, if in range and in action.
    #[must_use]
    pub fn helping(&self, state: &State, body: BodyId) -> Option<LeaderId> {
        self.commander_of(state, body).filter(|l| self.in_range(state, *l, body))
    }

    /// Whether a body is in command (command.range.d, command.range.e).
    #[must_use]
    pub fn in_command(&self, state: &State, body: BodyId) -> bool {
        if self.helping(state, body).is_some() {
            return true;
        }
        self.overall(self.side_of(state, body)).is_some_and(|l| self.in_range(state, l, body))
    }

    /// The sub-commanders attached to a body, its own or others (commander.functions.c); the overall commander is one for
    /// those directly under him.
    fn attached(&self, state: &State, body: BodyId) -> impl Iterator<Item = LeaderId> {
        let own = self.commander_of(state, body);
        let with =
            state.leaders.iter().enumerate().filter(move |(_, l)| l.leads() && l.attached == Some(body));
        with.map(|(i, _)| LeaderId(i as u8)).filter(move |l| !self.leaders[l.i()].overall || own == Some(*l))
    }

    /// An attached sub-commander who lends a modifier to anything but morale (personality.i).
    #[must_use]
    pub fn attached_helper(&self, state: &State, body: BodyId) -> Option<LeaderId> {
        self.attached(state, body).find(|l| state.leaders[l.i()].personality != Personality::Political)
    }

    /// Whether a Brash sub-commander is attached to a body (personality.c).
    #[must_use]
    pub fn has_brash_leader(&self, state: &State, body: BodyId) -> bool {
        self.attached(state, body).any(|l| state.leaders[l.i()].personality == Personality::Brash)
    }

    /// Whether a body is under a Perfectionist, however far away: his drill reaches all his units (R94).
    #[must_use]
    pub fn is_drilled(&self, state: &State, body: BodyId) -> bool {
        self.commander_of(state, body).is_some_and(|l| {
            let man = &state.leaders[l.i()];
            man.leads() && man.personality == Personality::Perfectionist
        })
    }

    /// The personality of the sub-commander in range of his body.
    #[must_use]
    pub fn spirit(&self, state: &State, body: BodyId) -> Option<Personality> {
        self.helping(state, body).map(|l| state.leaders[l.i()].personality)
    }

    /// Whether the sub-commander in range of his body has that personality.
    #[must_use]
    pub fn has_spirit(&self, state: &State, body: BodyId, spirit: Personality) -> bool {
        let leader = self.commander_of(state, body);
        leader.is_some_and(|l| state.leaders[l.i()].personality == spirit && self.in_range(state, l, body))
    }

    /// Whether a sub-commander is in command for orders: within twice the range of the overall commander (R96).
    #[must_use]
    pub fn hears_orders(&self, state: &State, leader: LeaderId) -> bool {
        let side = self.leaders[leader.i()].side;
        let Some(overall) = self.overall(side) else { return false };
        let (chief, man) = (&state.leaders[overall.i()], &state.leaders[leader.i()]);
        chief.leads() && chief.at.pt().to(man.at.pt()) <= 2 * self.command_range() + EPS
    }

    /// The order a body is under; none when the orders rule is off or nobody commands it.
    #[must_use]
    pub fn order_of(&self, state: &State, body: BodyId) -> Option<Command> {
        if !self.on.orders {
            return None;
        }
        let leader = self.commander_of(state, body)?;
        Some(state.leaders[leader.i()].order)
    }

    /// The nearest enemy body to a point that is not an unsighted marker.
    #[must_use]
    pub fn nearest_enemy(
        &self,
        state: &State,
        side: Side,
        from: &crate::rules::basics::Layout,
    ) -> Option<(BodyId, i64)> {
        let here = Footprints::of(self, state);
        here.nearest_enemy(side, from, &from.block()).map(|(enemy, distance)| (enemy.id, distance))
    }

    /// Whether a body begins its move inside the engagement distance (R23).
    #[must_use]
    pub fn engaged(&self, state: &State, body: BodyId) -> bool {
        let layout = state.body(body).layout(self);
        let side = self.side_of(state, body);
        self.has_enemy_within(state, side, &layout, self.row.engagement * INCH + EPS)
    }

    /// Whether an enemy that is no unsighted marker, nor guns that nobody serves, is so near to a body.
    #[must_use]
    pub fn has_enemy_within(
        &self,
        state: &State,
        side: Side,
        from: &crate::rules::basics::Layout,
        distance: i64,
    ) -> bool {
        state.on_table().any(|(_, b)| {
            let theirs = b.layout(self);
            self.side(b) != side
                && !b.marks.unsighted()
                && !b.marks.has(Marks::ABANDONED)
                && from.may_be_within(&theirs, distance)
                && from.distance(&theirs) <= distance
        })
    }

    /// The distance from a point to the nearest enemy body in the open.
    #[must_use]
    pub fn enemy_within(&self, state: &State, side: Side, at: Pt, limit: i64) -> bool {
        state.on_table().any(|(_, b)| {
            let known = !b.marks.unsighted() && !b.marks.has(Marks::ABANDONED);
            self.side(b) != side && known && b.layout(self).distance_to(at) <= limit + EPS
        })
    }
}
