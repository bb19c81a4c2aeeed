//! What a position is worth to a computer player: victory points, strength, and the ground still to be won.

use game::Side;
use hexmap::{Hex, HexSet};

use crate::action::Action;
use crate::at::At;
use crate::rules::charts::Cell;
use crate::setup::pieces::Arm;
use crate::state::{Phase, Piece, Post, State, Step, UnitId};

// Weights in hundredths of a victory point.

const VICTORY_POINT: i32 = 100;
/// An SP on the map.
const SP: i32 = 12;
/// What a unit is worth less that is routed, shattered or still to come.
const ROUTED: i32 = 250;
const SHATTERED: i32 = 120;
const OFF_MAP: i32 = 150;
/// A Tide of Battle marker that is left.
const TIDE: i32 = 120;
/// Each enemy next to a unit, in order or routed.
const BESIDE_ENEMY: i32 = 14;
const BESIDE_ROUTED: i32 = 30;
/// Each leader of its command who is no further off than this.
const LED: i32 = 15;
const LEADER_NEAR: u16 = 3;
/// Each point that the ground takes off the combat die.
const COVER: i32 = 10;
const GUNS_READY: i32 = 60;
/// For each point of an objective in other or own hands, less so much for each hex of the way there.
const GROUND: i32 = 11;
const OWN_GROUND: i32 = 6;
const DISTANCE: i32 = 9;
/// What the results of a fire are worth that is being declared, and each SP that fires.
const CHECK: i32 = 60;
const LOSS: i32 = 80;
const RETREAT: i32 = 140;
const LOST_SP: i32 = 112;
const FIRING_SP: i32 = 5;

/// What actions promise before they are tried.
mod promises {
    pub(super) const FIRE: i32 = 200;
    pub(super) const OPEN: i32 = 50;
    pub(super) const KEEP: i32 = 10;
    pub(super) const RALLY: i32 = 400;
    pub(super) const ADVANCE: i32 = 100;
    /// Who has ridden once rides on only for a gain.
    pub(super) const RIDE_ON: i32 = -3;
}

impl At<'_> {
    /// What the position is worth to a side.
    pub(crate) fn worth(self, side: Side) -> i32 {
        let score = self.score();
        let own = self.army_worth(side) - self.army_worth(side.enemy());
        VICTORY_POINT * (score[side] - score[side.enemy()]) + own + self.pending_fire_worth(side)
    }

    /// What an action promises before it is tried.
    pub(crate) fn promise(self, action: Action) -> i32 {
        match action {
            Action::Fire { unit, .. } | Action::Join { unit } => {
                promises::FIRE + i32::from(self.state.unit(unit).sp)
            }
            Action::Open => promises::OPEN,
            Action::Keep => promises::KEEP,
            Action::Rally { .. } => promises::RALLY,
            Action::Advance { .. } => promises::ADVANCE,
            Action::March { piece: Piece::Unit(unit), to } => {
                let side = self.battle.unit(unit).side;
                self.pull(side, to) - self.state.unit_hex(unit).map_or(0, |h| self.pull(side, h))
            }
            Action::March { piece: Piece::Leader(leader), .. }
                if self.state.moved_leaders.contains(leader) =>
            {
                promises::RIDE_ON
            }
            _ => 0,
        }
    }
}

impl State {
    /// The affair under way: a fire or a rally, from its declaration to the last retreat, check and advance that follow
    /// from it.
    pub(crate) fn affair(&self) -> Option<u32> {
        let under_way = self.agenda.top().is_some();
        let before = match self.phase {
            Phase::Artillery | Phase::Defensive | Phase::Offensive if under_way => {
                self.fired.without(self.fire.firers).len()
            }
            Phase::Artillery | Phase::Defensive | Phase::Offensive => self.fired.len(),
            Phase::Rally => self.acted.len().saturating_sub(usize::from(under_way)),
            _ => return None,
        };
        let phase = u32::from(self.turn) << 4 | (self.active.index() as u32) << 3 | self.phase as u32;
        Some(phase << 8 | before as u32)
    }
}

impl At<'_> {
    /// Units in good order, near what is worth fighting for.
    fn army_worth(self, side: Side) -> i32 {
        let mut sum = if self.state.tide[side] { TIDE } else { 0 };
        let (mut standing, mut routed) = (HexSet::EMPTY, HexSet::EMPTY);
        for (hex, enemy) in self.on_map(side.enemy()) {
            if self.state.unit(enemy).routed {
                routed.insert(hex)
            } else {
                standing.insert(hex)
            };
        }
        for unit in self.battle.of[side].iter() {
            let here = self.state.unit(unit);
            match here.post {
                Post::On(hex) => {
                    // Six hexes are sooner asked than two sets cut and counted.
                    let beside = self.battle.map.grid.neighbours(hex).map(|(_, near)| near);
                    let fight: i32 = beside
                        .map(|near| {
                            BESIDE_ENEMY * i32::from(standing.contains(near))
                                + BESIDE_ROUTED * i32::from(routed.contains(near))
                        })
                        .sum();
                    sum += SP * i32::from(here.sp) + self.stance_worth(unit, hex, fight);
                    if here.routed {
                        sum -= ROUTED;
                    } else {
                        sum += self.pull(side, hex);
                    }
                    if self.shattered(unit) {
                        sum -= SHATTERED;
                    }
                }
                Post::Due => sum -= OFF_MAP,
                Post::Gone => {}
            }
        }
        sum + self.command_worth(side)
    }

    /// Leaders near the units they command.
    fn command_worth(self, side: Side) -> i32 {
        let led = |unit: UnitId, hex: Hex| {
            let near = self
                .battle
                .unit(unit)
                .chain()
                .filter_map(|l| self.state.leader_hex(l))
                .filter(|&at| self.battle.map.grid.distance(at, hex) <= LEADER_NEAR);
            LED * near.count() as i32
        };
        self.on_map(side).map(|(hex, unit)| led(unit, hex)).sum()
    }

    /// Guns ready to fire behind the line, infantry in cover and at the enemy.
    fn stance_worth(self, unit: UnitId, hex: Hex, fight: i32) -> i32 {
        let cover = -COVER * i32::from(self.battle.ground(hex).fire);
        match self.battle.unit(unit).arm {
            Arm::Artillery if self.state.unit(unit).deployed => cover + GUNS_READY - fight,
            Arm::Artillery => cover - fight,
            Arm::Infantry | Arm::Cavalry => cover + fight,
        }
    }

    /// How strongly objectives in other hands draw a unit to a hex, and own ones hold it.
    fn pull(self, side: Side, hex: Hex) -> i32 {
        let mut best = 0;
        for (objective, &control) in self.battle.objectives.iter().zip(&self.state.control) {
            let distance = i32::from(self.battle.map.grid.distance(objective.hex, hex));
            let weight = if control == Some(side) { OWN_GROUND } else { GROUND };
            best = best.max(weight * objective.points - DISTANCE * distance);
        }
        best
    }

    /// A fire that is being declared is worth what it may do.
    fn pending_fire_worth(self, side: Side) -> i32 {
        let (Some(Step::Volley), Some(at)) = (self.state.agenda.top(), self.state.fire.at) else { return 0 };
        let volley = self.volley(at, self.state.fire.firers);
        let sum: i32 = (1..=10)
            .map(|die| match self.battle.charts.cell(volley.column, die + volley.modifier()) {
                Cell::Nothing => 0,
                Cell::Check => CHECK,
                Cell::Loss(n) => LOSS + LOST_SP * i32::from(n),
                Cell::Retreat(n) => RETREAT + LOST_SP * i32::from(n),
            })
            .sum();
        let worth = sum / 10 + FIRING_SP * i32::from(volley.total);
        if self.state.firing_side() == side { worth } else { -worth }
    }
}
