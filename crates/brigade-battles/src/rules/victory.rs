//! 14 Victory: objectives, the loss track, who wins.

use game::words::{side_does, the};
use game::{BySide, Effects, Entry, Kind, Outcome, Place, Side};
use hexmap::Hex;

use crate::at::{At, Run};
use crate::setup::battle::Battle;
use crate::setup::pieces::Arm;
use crate::state::{Post, State, UnitId};

impl At<'_> {
    /// The prizes a side has won.
    pub(crate) fn prize_points(self, side: Side) -> i32 {
        let won = self.battle.prizes.iter().enumerate().filter(|&(index, _)| self.state.is_won(index));
        won.filter(|(_, prize)| prize.side == side).map(|(_, prize)| prize.points).sum()
    }

    /// 14.0.a: the points of the objectives a side controls.
    pub(crate) fn ground_points(self, side: Side) -> i32 {
        self.battle
            .objectives
            .iter()
            .zip(&self.state.control)
            .filter(|&(_, &control)| control == Some(side))
            .map(|(objective, _)| objective.points)
            .sum()
    }

    /// 14.0: objectives, the enemy's losses, and what the scenario gives at the start.
    pub(crate) fn score(self) -> BySide<i32> {
        BySide::from_fn(|side| {
            self.battle.armies[side].points
                + self.ground_points(side)
                + self.prize_points(side)
                + i32::from(self.state.losses[side.enemy()])
        })
    }

    /// 14.0.f, R69: more points win, equal points draw.
    pub(crate) fn outcome(self) -> Outcome {
        let score = self.score();
        match score.first.cmp(&score.second) {
            std::cmp::Ordering::Greater => Outcome::Won(Side::First),
            std::cmp::Ordering::Less => Outcome::Won(Side::Second),
            std::cmp::Ordering::Equal => Outcome::Drawn,
        }
    }
}

impl<F: Effects> Run<'_, F> {
    /// 14.0.b: an objective belongs to the side whose combat unit last moved through it.
    pub(crate) fn take_objective(&mut self, side: Side, hex: Hex) {
        if !self.battle.objective_hexes.contains(hex) {
            return;
        }
        for (index, objective) in self.battle.objectives.iter().enumerate() {
            if objective.hex != hex || self.state.control[index] == Some(side) {
                continue;
            }
            self.state.control[index] = Some(side);
            self.tell(|at| {
                let text =
                    format!("{} {}.", side_does(&at.battle.armies[side].name, "takes"), objective.name);
                Entry::new(Kind::Score, text)
                    .side(side)
                    .rule(cite!("14.0.b"))
                    .place(Place::Hex(at.battle.number(hex)))
            });
        }
    }

    /// 13.0, 14.0: the unit has come to stand in its hex; the scenario may have a prize for the first that does.
    pub(crate) fn take_prize(&mut self, unit: UnitId) {
        let sheet = self.battle.unit(unit);
        for (index, prize) in self.battle.prizes.iter().enumerate() {
            let won = self.state.is_won(index);
            let there = self.state.unit(unit).post == Post::On(prize.hex);
            if won || !there || prize.side != sheet.side || sheet.arm != Arm::Infantry {
                continue;
            }
            self.state.prizes |= 1 << index;
            self.tell(|at| {
                let text = format!(
                    "{}: {} points for {}.",
                    prize.name,
                    prize.points,
                    the(&at.battle.armies[prize.side].name)
                );
                at.piece_entry(Kind::Score, text, unit).rule(prize.rule)
            });
        }
    }
}

impl State {
    /// 14.0.b, R68: who controls the objectives at the start: whoever stands there, else whom the scenario names.
    pub(crate) fn set_up_control(&mut self, battle: &Battle) {
        for (index, objective) in battle.objectives.iter().enumerate() {
            let holder = self.unit_at(objective.hex).map(|unit| battle.unit(unit).side);
            self.control[index] = holder.or(objective.control);
        }
    }
}
