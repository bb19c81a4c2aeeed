//! 5.1, 5.2 The Command Phase: who is in command, by a path to a leader.

use game::words::does;
use game::{Effects, Entry, Kind, Side};
use hexmap::{Direction, Hex, HexSet};

use crate::at::{At, Run};
use crate::rules::charts::Closed;
use crate::rules::concepts::Lines;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Arm, Rank};
use crate::state::{LeaderId, Piece, State, UnitId, Units};

impl Battle {
    /// 1.1.8: the chain of command above a leader.
    pub(crate) fn superiors(&self, leader: LeaderId) -> impl Iterator<Item = LeaderId> + use<'_> {
        std::iter::successors(self.leader(leader).superior, |&l| self.leader(l).superior)
    }

    /// 5.2: whether this leader can put this unit in command.
    fn may_command(&self, leader: LeaderId, unit: UnitId) -> bool {
        let sheet = self.unit(unit);
        sheet.arm == Arm::Artillery || sheet.division == Some(leader) || sheet.corps == Some(leader)
    }
}

impl At<'_> {
    /// 5.2, 2.3.6, 5.3: how many hexes a leader's command reaches.
    pub(crate) fn command_radius(self, leader: LeaderId) -> u8 {
        let sheet = self.battle.leader(leader);
        let here = self.state.leader(leader);
        let own = if here.replaced { 3 } else { 4 };
        let helped = sheet.rank == Rank::Division
            && here.post.hex().is_some()
            && self.battle.superiors(leader).any(|superior| self.state.leader(superior).post == here.post);
        own + u8::from(helped)
    }

    /// Hexes through which a command path of a side may run: no enemy, no enemy zone unless a friendly unit or leader
    /// is there (5.2, R43).
    pub(crate) fn open_to_command(self, side: Side, lines: &Lines) -> HexSet {
        let leaders = self.battle.leaders_of[side].iter().filter_map(|id| self.state.leader_hex(id));
        let held: HexSet = lines.friends.iter().chain(leaders).collect();
        ((self.battle.map.in_play - lines.zone) | held) - lines.enemies
    }

    /// The hexes within a leader's command.
    pub(crate) fn command_reach(self, leader: LeaderId, open: &HexSet) -> HexSet {
        let Some(start) = self.state.leader_hex(leader) else { return HexSet::EMPTY };
        let mut reached = HexSet::EMPTY;
        reached.insert(start);
        let mut rim = reached;
        for _ in 0..self.command_radius(leader) {
            let mut next = HexSet::EMPTY;
            for hex in rim.iter() {
                for direction in Direction::ALL {
                    if let Some(way) = self.way(hex, direction)
                        && way.closed != Closed::ToAll
                        && open.contains(way.to)
                        && reached.insert(way.to)
                    {
                        next.insert(way.to);
                    }
                }
            }
            rim = next;
        }
        reached
    }

    /// The units of a side that are out of command where everybody stands now.
    pub(crate) fn uncommanded(self, side: Side) -> Units {
        let lines = self.lines(side);
        let open = self.open_to_command(side, &lines);
        let mut out: Units =
            self.on_map(side).map(|(_, id)| id).filter(|&id| !self.battle.unit(id).independent).collect();
        for leader in self.battle.leaders_of[side].iter() {
            if out.is_empty() {
                break;
            }
            if self.state.leader_hex(leader).is_none() {
                continue;
            }
            let reached = self.command_reach(leader, &open);
            for unit in out.iter() {
                let at: Option<Hex> = self.state.unit_hex(unit);
                if self.battle.may_command(leader, unit) && at.is_some_and(|hex| reached.contains(hex)) {
                    out.remove(unit);
                }
            }
        }
        out
    }
}

impl<F: Effects> Run<'_, F> {
    /// 5.1: command control is determined, for the whole turn.
    pub(crate) fn determine_command(&mut self) {
        let side = self.state.active;
        let out = self.at().uncommanded(side);
        self.state.uncommanded = self.state.uncommanded.without(self.battle.of[side]);
        for unit in out.iter() {
            self.state.uncommanded.insert(unit);
            self.tell(|at| {
                let text = does(&at.battle.unit(unit).name, "is out of command.");
                let entry = Entry::new(Kind::Note, text).side(side).rule(cite!("5.2.3.a"));
                entry.piece(at.battle.piece_id(Piece::Unit(unit)))
            });
        }
    }
}

impl State {
    /// 5.2.2, 5.2.3: whether the unit counts as in command.
    #[inline]
    pub(crate) fn in_command(&self, unit: UnitId) -> bool {
        !self.uncommanded.contains(unit)
    }
}
