//! 14. Leaders.

use game::{Effects, Entry, Kind, Side};
use hexmap::Hex;

use crate::at::{At, Run};
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::Spot;

impl At<'_> {
    /// The leader in command of a hex: the most senior there (14.1.b).
    pub(crate) fn in_command(self, side: Side, hex: Hex) -> Option<Piece> {
        self.battle.senior_of(self.in_hex(hex) & self.battle.leaders[side])
    }

    /// The leader whose close combat DRM counts for a side: the most senior in command in any of its hexes of the
    /// combat (3.1.b, 14.21.a, R50). Hexes are those of the side's units.
    pub(crate) fn commander_of(self, side: Side, units: Pieces) -> Option<Piece> {
        let in_hexes: Pieces =
            units.filter_map(|u| self.hex(u)).filter_map(|hex| self.in_command(side, hex)).collect();
        self.battle.senior_of(in_hexes).filter(|&leader| self.battle.may_command(leader, units))
    }

    /// Whether a commanding leader is stacked with or adjacent to one of the units (12.53.d, 14.22.a, R51), or a
    /// demi-leader among or stacked with them serves (14.4.a).
    pub(crate) fn opens_tactics(self, side: Side, units: Pieces) -> bool {
        let mut hexes = units.filter_map(|u| self.hex(u));
        hexes.any(|hex| {
            let near = |leader: Piece| {
                self.hex(leader).is_some_and(|at| at == hex || self.battle.ground.adjacent(at, hex))
            };
            let mut leaders = self.battle.leaders[side] & self.on_map();
            let led = leaders.any(|leader| {
                near(leader)
                    && self.hex(leader).and_then(|at| self.in_command(side, at)) == Some(leader)
                    && self.battle.may_command(leader, units)
            });
            led || self.units_in(hex, side).meets(self.battle.roles.demi_leaders)
        })
    }

    /// The leadership DRM on a unit's morale check, and whose it is (13.5.c, 14.23.a, 14.23.b, R85).
    pub(crate) fn leadership(self, unit: Piece) -> Option<(Piece, i8)> {
        let (side, hex) = (self.side(unit), self.hex(unit)?);
        let own = self.in_command(side, hex);
        let near = (self.battle.leaders[side] & self.on_map()).filter(|&leader| {
            let Some(at) = self.hex(leader) else { return false };
            self.battle.sheet(leader).reaches
                && self.battle.ground.adjacent(at, hex)
                && self.in_command(side, at) == Some(leader)
        });
        own.into_iter()
            .chain(near)
            .map(|leader| (leader, self.battle.sheet(leader).leadership))
            .max_by_key(|&(_, drm)| drm)
    }
}

impl Battle {
    /// The most senior of these.
    pub(crate) fn senior_of(&self, leaders: Pieces) -> Option<Piece> {
        leaders.min_by_key(|&leader| self.sheet(leader).seniority)
    }

    /// Whether a leader may command these units in close combat (12.54.b).
    pub(crate) fn may_command(&self, leader: Piece, units: Pieces) -> bool {
        let sheet = self.sheet(leader);
        !sheet.no_close_combat && (!sheet.dragoons_only || units.meets(self.roles.dragoons))
    }
}

impl<F: Effects> Run<'_, F> {
    /// A combat unit that enters a hex takes enemy leaders who are alone in it, at no cost (14.32.a, 14.32.b).
    pub(crate) fn capture_lone(&mut self, by: Piece, hex: Hex) {
        let side = self.battle.side(by);
        if !self.battle.units[side].has(by) || self.state.shattered.has(by) {
            return;
        }
        let here = self.state.in_hex(hex);
        if here.meets(self.battle.units[!side]) {
            return;
        }
        for leader in here & self.battle.leaders[!side] {
            self.state.at[leader.index()] = Spot::CAPTURED;
            self.state.forget_pins(self.battle, leader);
            self.fx.tell(|| {
                Entry::new(
                    Kind::Gone,
                    format!(
                        "{} is captured in {}.",
                        self.battle.counter(leader).name,
                        self.battle.hex_name(hex)
                    ),
                )
                .side(!side)
                .rule(cite!("14.32.a"))
                .piece(leader.id())
                .place(self.battle.place(hex))
            });
            let commander = self.battle.sheet(leader).commander;
            let chart = &self.battle.charts.change;
            let change = if commander { chart.army_commander_captured } else { chart.leader_captured };
            self.lose_leader(leader, commander, change);
        }
    }

    /// A leader falls (13.1.aa).
    pub(crate) fn kill_leader(&mut self, leader: Piece) {
        self.state.at[leader.index()] = Spot::ELIMINATED;
        self.state.forget_pins(self.battle, leader);
        self.fx.tell(|| {
            Entry::new(Kind::Gone, format!("{} falls.", self.battle.counter(leader).name))
                .side(self.battle.side(leader))
                .rule(cite!("13.1.aa"))
                .piece(leader.id())
        });
        let commander = self.battle.sheet(leader).commander;
        let chart = &self.battle.charts.change;
        let change = if commander { chart.army_commander_killed } else { chart.leader_killed };
        self.lose_leader(leader, commander, change);
    }

    fn lose_leader(&mut self, leader: Piece, commander: bool, change: [i8; 2]) {
        let side = self.battle.side(leader);
        self.state.spoils[!side] +=
            self.battle.charts.leader_vp[usize::from(commander)] + self.battle.counter(leader).bonus_vp;
        if commander {
            self.gain_momentum(!side, cite!("12.63.d"));
        }
        self.adjust_morale(side, change);
    }
}
