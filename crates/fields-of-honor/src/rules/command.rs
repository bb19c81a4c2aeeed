//! Command: range, what commanders do, personalities (command.range, commander.functions, personality.*).

use game::Side;
use table::{EPS, INCH, Pt};

use crate::at::At;
use crate::rules::basics::Layout;
use crate::rules::terrain::level_at;
use crate::state::{BodyId, Command, Leader, LeaderId, Marks, Personality, Where};

impl Leader {
    /// On the table and able to lead.
    pub fn leads(&self) -> bool {
        self.place == Where::Table && !self.disabled
    }
}

impl At<'_> {
    /// How far a leader's command reaches to a body: farther downhill, twice as far to skirmishers.
    pub(crate) fn reach(self, leader: LeaderId, body: BodyId) -> i64 {
        let man = &self.state.leaders[leader.i()];
        let unit = self.body(body);
        let mut range = self.battle.command_range();
        if level_at(self.battle, man.at.pt()) > self.battle.level(unit) {
            range += range / 2;
        }
        if unit.skirmishing() {
            range *= 2;
        }
        range
    }

    /// Whether a body is within a leader's command range (R90).
    pub(crate) fn in_range(self, leader: LeaderId, body: BodyId) -> bool {
        let man = &self.state.leaders[leader.i()];
        if !man.leads() {
            return false;
        }
        if man.attached == Some(body) {
            return true;
        }
        let distance = self.layout(body).distance_to(man.at.pt());
        distance <= self.reach(leader, body) + EPS
    }

    /// The sub-commander of a body, the overall commander for those directly under him.
    pub(crate) fn commander_of(self, body: BodyId) -> Option<LeaderId> {
        self.info(body).leader
    }

    /// The leader a body answers to: the overall commander where the scenario names nobody (command.range.h).
    pub(crate) fn answers_to(self, body: BodyId) -> Option<LeaderId> {
        self.commander_of(body).or_else(|| self.battle.overall(self.side_of(body)))
    }

    /// His sub-commander, if in range and in action.
    pub(crate) fn helping(self, body: BodyId) -> Option<LeaderId> {
        self.commander_of(body).filter(|l| self.in_range(*l, body))
    }

    /// Whether a body is in command (command.range.d, command.range.e).
    pub(crate) fn in_command(self, body: BodyId) -> bool {
        if self.helping(body).is_some() {
            return true;
        }
        self.battle.overall(self.side_of(body)).is_some_and(|l| self.in_range(l, body))
    }

    /// The sub-commanders attached to a body, its own or others (commander.functions.c); the overall commander is one for
    /// those directly under him.
    fn leaders_with(self, body: BodyId) -> impl Iterator<Item = LeaderId> {
        let own = self.commander_of(body);
        let with =
            self.state.leaders.iter().enumerate().filter(move |(_, l)| l.leads() && l.attached == Some(body));
        with.map(|(i, _)| LeaderId(i as u8))
            .filter(move |l| !self.battle.leaders[l.i()].overall || own == Some(*l))
    }

    /// An attached sub-commander who lends a modifier to anything but morale (personality.i).
    pub(crate) fn attached_helper(self, body: BodyId) -> Option<LeaderId> {
        self.leaders_with(body).find(|l| self.state.leaders[l.i()].personality != Personality::Political)
    }

    /// Whether a Brash sub-commander is attached to a body (personality.c).
    pub(crate) fn has_brash_leader(self, body: BodyId) -> bool {
        self.leaders_with(body).any(|l| self.state.leaders[l.i()].personality == Personality::Brash)
    }

    /// Whether a body is under a Perfectionist, however far away: his drill reaches all his units (R94).
    pub(crate) fn is_drilled(self, body: BodyId) -> bool {
        self.commander_of(body).is_some_and(|l| {
            let man = &self.state.leaders[l.i()];
            man.leads() && man.personality == Personality::Perfectionist
        })
    }

    /// The personality of the sub-commander in range of his body.
    pub(crate) fn spirit(self, body: BodyId) -> Option<Personality> {
        self.helping(body).map(|l| self.state.leaders[l.i()].personality)
    }

    /// Whether a sub-commander is in command for orders: within twice the range of the overall commander (R96).
    pub(crate) fn hears_orders(self, leader: LeaderId) -> bool {
        let side = self.battle.leaders[leader.i()].side;
        let Some(overall) = self.battle.overall(side) else { return false };
        let (chief, man) = (&self.state.leaders[overall.i()], &self.state.leaders[leader.i()]);
        chief.leads() && chief.at.pt().to(man.at.pt()) <= 2 * self.battle.command_range() + EPS
    }

    /// The order a body is under; none when the orders rule is off or nobody commands it.
    pub(crate) fn order_of(self, body: BodyId) -> Option<Command> {
        if !self.battle.on.orders {
            return None;
        }
        let leader = self.commander_of(body)?;
        Some(self.state.leaders[leader.i()].order)
    }

    /// The nearest enemy body to a point that is not an unsighted marker.
    pub(crate) fn nearest_enemy(self, side: Side, from: &Layout) -> Option<(BodyId, i64)> {
        let here = self.footprints();
        here.nearest_enemy(side, from, &from.block()).map(|(enemy, distance)| (enemy.id, distance))
    }

    /// Whether a body begins its move inside the engagement distance (R23).
    pub(crate) fn engaged(self, body: BodyId) -> bool {
        let layout = self.layout(body);
        let side = self.side_of(body);
        self.has_enemy_within(side, &layout, self.battle.row.engagement * INCH + EPS)
    }

    /// Whether an enemy that is no unsighted marker, nor guns that nobody serves, is so near to a body.
    pub(crate) fn has_enemy_within(self, side: Side, from: &Layout, distance: i64) -> bool {
        self.state.on_table().any(|(_, b)| {
            let theirs = b.layout(self.battle);
            self.battle.side(b) != side
                && !b.marks.unsighted()
                && !b.marks.has(Marks::ABANDONED)
                && from.may_be_within(&theirs, distance)
                && from.distance(&theirs) <= distance
        })
    }

    /// The distance from a point to the nearest enemy body in the open.
    pub(crate) fn enemy_within(self, side: Side, at: Pt, limit: i64) -> bool {
        self.state.on_table().any(|(_, b)| {
            let known = !b.marks.unsighted() && !b.marks.has(Marks::ABANDONED);
            self.battle.side(b) != side && known && b.layout(self.battle).distance_to(at) <= limit + EPS
        })
    }
}
