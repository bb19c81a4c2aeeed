//! 5.3 Leaders: the bonus, casualties, and where a leader goes who is left alone.

use game::{Die, Effects, Kind, RollNote, Side, Test};
use hexmap::Hex;

use crate::at::{At, Run};
use crate::setup::battle::Battle;
use crate::state::{LeaderId, Leaders, Piece, Post, State, Step, UnitId, Units};

/// 5.3.1: the die against a leader alone in his hex.
const AT_LONE: Test = Test::at_least(Die::D10, 5);

impl Battle {
    /// Of these units the closest to a hex, no further off than `most`.
    fn closest_units(&self, units: impl Iterator<Item = (Hex, UnitId)>, from: Hex, most: u16) -> Units {
        let mut found = Units::EMPTY;
        let mut least = most;
        for (hex, unit) in units {
            let distance = self.map.grid.distance(from, hex);
            if distance < least {
                found = Units::EMPTY;
            }
            if distance <= least {
                least = distance;
                found.insert(unit);
            }
        }
        found
    }
}

impl At<'_> {
    /// 5.3, 2.3.6: a leader of the unit's own command stands with it.
    pub(crate) fn leader_bonus(self, unit: UnitId) -> Option<LeaderId> {
        let hex = self.state.unit_hex(unit)?;
        self.leaders_in(self.battle.unit(unit).side, hex).iter().find(|&l| self.battle.commands(l, unit))
    }

    /// Whether the leader has no combat unit of his side with him.
    pub(crate) fn is_alone(self, leader: LeaderId) -> bool {
        let post = self.state.leader(leader).post;
        post.hex().is_some()
            && !self.battle.of[self.battle.leader(leader).side]
                .iter()
                .any(|unit| self.state.unit(unit).post == post)
    }

    /// R38: the nearest friendly combat units.
    pub(crate) fn nearest_units(self, leader: LeaderId) -> Units {
        let Some(from) = self.state.leader_hex(leader) else { return Units::EMPTY };
        self.battle.closest_units(self.on_map(self.battle.leader(leader).side), from, u16::MAX)
    }

    /// 9.8.l: the units to which a leader may transfer when `unit` must go back.
    pub(crate) fn transfers(self, leader: LeaderId, unit: UnitId) -> Units {
        let Some(from) = self.state.leader_hex(leader) else { return Units::EMPTY };
        let side = self.battle.leader(leader).side;
        let own = self.on_map(side).filter(|&(_, id)| id != unit && self.battle.commands(leader, id));
        self.battle.closest_units(own, from, 3)
    }
}

impl<F: Effects> Run<'_, F> {
    /// 5.3.1: a casualty check.
    pub(crate) fn check_casualty(&mut self, leader: LeaderId) {
        self.state.agenda.pop();
        self.state.next_check();
        self.state.fire.checked.insert(leader);
        if self.state.leader_hex(leader).is_none() {
            return;
        }
        let killed = self.fx.passes(Test::at_least(Die::D10, 7), || {
            RollNote::new(format!("Is {} hit?", self.battle.leader(leader).name), cite!("5.3.1.a"))
                .outcomes(["no", "yes"])
                .side(self.battle.leader(leader).side)
                .by(self.battle.piece_id(Piece::Leader(leader)))
        });
        if killed {
            self.leader_falls(leader);
        }
        if self.at().is_alone(leader) {
            self.state.send_off(Leaders::one(leader));
        }
    }

    /// 5.3.1: fire at a leader alone in his hex. The die waits on the table while it may be rolled again (R67).
    pub(crate) fn fire_at_lone(&mut self, leader: LeaderId) {
        let note = || {
            let name = &self.battle.leader(leader).name;
            let note = RollNote::new(format!("{name} is fired on."), cite!("5.3.1.d"))
                .side(self.battle.leader(leader).side.enemy())
                .at(self.battle.piece_id(Piece::Leader(leader)));
            match self.state.fire.firers.iter().next() {
                Some(unit) => note.by(self.battle.piece_id(Piece::Unit(unit))),
                None => note,
            }
        };
        if self.state.may_reroll_fire() {
            let came = |face| if is_hit_by(face) { "hit" } else { "missed" };
            let natural = self.fx.die(Die::D10, || note().outcomes((0..=10).map(came)));
            self.state.agenda.replace(Step::LeaderDie { leader, natural });
            return;
        }
        let hit = self.fx.passes(AT_LONE, || note().outcomes(["missed", "hit"]));
        self.conclude_lone(leader, hit);
    }

    /// The die against a lone leader stands.
    pub(crate) fn conclude_lone(&mut self, leader: LeaderId, hit: bool) {
        self.state.agenda.pop();
        if hit {
            self.leader_falls(leader);
            self.state.send_off(Leaders::one(leader));
        }
    }

    /// The leader is turned to REPL and counts as a casualty.
    fn leader_falls(&mut self, leader: LeaderId) {
        let side = self.battle.leader(leader).side;
        self.state.leaders[leader.index()].replaced = true;
        self.state.losses[side] += 1;
        self.tell(|at| {
            let text = format!("{} falls; a replacement takes over.", at.battle.leader(leader).name);
            let entry = at.battle.entry(Kind::Loss, text, Piece::Leader(leader));
            entry.rule(cite!("5.3.1.b")).rule(cite!("14.0.d"))
        });
    }

    /// Moves a leader to a unit.
    pub(crate) fn join_unit(&mut self, leader: LeaderId, unit: UnitId) {
        let Some(hex) = self.state.unit_hex(unit) else { return };
        let before = self.state.leader_hex(leader);
        self.state.leaders[leader.index()].post = Post::On(hex);
        self.tell(|at| {
            let text = format!("{} goes to {}.", at.battle.leader(leader).name, at.battle.unit(unit).name);
            let entry = at.battle.entry(Kind::Note, text, Piece::Leader(leader)).rule(cite!("5.3.2.a"));
            at.battle.along(entry, before.into_iter().chain([hex]))
        });
    }

    /// The leader on the agenda goes to this unit.
    pub(crate) fn place_with(&mut self, leader: LeaderId, unit: UnitId) {
        self.state.placed();
        self.join_unit(leader, unit);
    }

    /// The placing of a leader that needs no choice; false when the owner must choose.
    pub(crate) fn place_leader(&mut self, leader: LeaderId) -> bool {
        let units = self.at().nearest_units(leader);
        let mut ways = units.iter();
        match (ways.next(), ways.next()) {
            (Some(_), Some(_)) => return false,
            (Some(unit), None) => self.place_with(leader, unit),
            (None, _) => {
                self.state.placed();
                self.state.leaders[leader.index()].post = Post::Gone;
                self.tell(|at| {
                    let text = format!("{} has no unit left to go to.", at.battle.leader(leader).name);
                    at.battle.entry(Kind::Gone, text, Piece::Leader(leader)).rule(cite!("5.3.1.c"))
                });
            }
        }
        true
    }
}

impl State {
    /// 5.3.1: the leaders of an eliminated unit are checked, unless this fire has already checked them, and go
    /// elsewhere.
    pub(crate) fn bereave(&mut self, leaders: Leaders) {
        let checked = leaders.and(self.fire.checked);
        self.check_each(leaders.without(checked));
        self.send_off(checked);
    }

    /// 5.3.1: leaders are checked one after the other; 1.1.1.b sets no number of them.
    pub(crate) fn check_each(&mut self, leaders: Leaders) {
        let fresh = leaders.iter().filter(|&leader| !self.is_leader_pending(leader)).collect::<Leaders>();
        self.to_check = self.to_check.or(fresh);
        self.next_check();
    }

    fn next_check(&mut self) {
        if let Some(leader) = self.to_check.take_last() {
            self.agenda.push(Step::Casualty { leader });
        }
    }

    /// Leaders go to the nearest friendly unit one after the other.
    fn send_off(&mut self, leaders: Leaders) {
        let fresh = leaders.iter().filter(|&leader| !self.is_leader_pending(leader)).collect::<Leaders>();
        self.to_place = self.to_place.or(fresh);
        // Behind one who is being placed they wait.
        if !matches!(self.agenda.top(), Some(Step::Place { .. })) {
            self.next_place();
        }
    }

    fn next_place(&mut self) {
        if let Some(leader) = self.to_place.take_last() {
            self.agenda.push(Step::Place { leader });
        }
    }

    /// The leader on the agenda has been placed.
    fn placed(&mut self) {
        self.agenda.pop();
        self.next_place();
    }

    /// Whether the leader is already to be checked or placed.
    pub(crate) fn is_leader_pending(&self, leader: LeaderId) -> bool {
        let next = |step: &Step| match *step {
            Step::Casualty { leader: other } | Step::Place { leader: other } => other == leader,
            _ => false,
        };
        self.to_check.or(self.to_place).contains(leader) || self.agenda.iter().any(next)
    }

    /// 5.3.2: leaders of `side` alone in a hex next to `hex`, where an enemy unit now is, must leave.
    pub(crate) fn displace_beside(&mut self, battle: &Battle, side: Side, hex: Hex) {
        let beside = &battle.map.beside[hex.index()];
        let near =
            |leader: LeaderId| self.leader_hex(leader).is_some_and(|at| at == hex || beside.contains(at));
        let lone = battle.leaders_of[side]
            .iter()
            .filter(|&leader| near(leader) && At::new(battle, self).is_alone(leader))
            .collect();
        self.send_off(lone);
    }
}

/// Whether this die hits a leader who is alone.
pub(crate) fn is_hit_by(natural: u8) -> bool {
    AT_LONE.passed_by(natural)
}
