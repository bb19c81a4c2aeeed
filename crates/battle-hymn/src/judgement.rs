//! What a position is worth, for computer players that look one decision ahead.

use game::Side;
use hexmap::Hex;

use crate::action::Action;
use crate::at::At;
use crate::rules::fire::FireKind;
use crate::rules::zones::directions;
use crate::setup::battle::Battle;
use crate::setup::pieces::Arm;
use crate::state::{Id, State, Step};

// The weights, in hundredths of a Victory Point.

/// A Victory Point.
const POINT: i32 = 100;
/// How many times the margin counts when the battle is over.
const FINAL: i32 = 4;
/// A hex of lead in nearness to an Objective, for each of its points.
const HOLD: i32 = 8;
/// An intact SP.
const STRENGTH: i32 = 60;
/// The pull of an Objective for each of its points: to be taken, and to be kept.
const TO_TAKE: i32 = 60;
const TO_KEEP: i32 = 30;
/// A friend beside the unit, up to three of them.
const FRIEND: i32 = 15;
const SURROUNDED: i32 = -250;
/// Each point that the ground takes off a To Hit Chance, and each level of height.
const COVER: i32 = 12;
const HEIGHT: i32 = 15;
/// A hit: about two thirds of a loss, and more for guns and horse.
const HIT_ON_INFANTRY: i32 = 250;
const HIT_ON_OTHERS: i32 = 500;
/// What is almost always worth a look.
const PROMISING: i32 = 100;

impl At<'_> {
    /// What the position is worth to a side.
    pub(crate) fn worth(self, side: Side) -> i32 {
        let score = self.score();
        let points = (score[side] - score[side.enemy()]) * POINT;
        if self.state.outcome.is_some() {
            // The end is the end: only the margin counts, and winning above all.
            return points * FINAL;
        }
        points + self.stance(side) - self.stance(side.enemy()) + self.hold(side)
    }

    /// Which actions are worth a look first.
    pub(crate) fn promise(self, action: &Action) -> i32 {
        match *action {
            Action::Bombard { .. }
            | Action::Advance { .. }
            | Action::AdvanceInto { .. }
            | Action::Enter { .. }
            | Action::Rally { .. } => PROMISING,
            Action::March { unit, to, .. } => {
                (self.pull(unit, to) - self.pull(unit, self.piece(unit).hex)) / 8
            }
            _ => 0,
        }
    }

    /// Who stands nearer to each Objective: what nobody guards will be taken, what nobody contests will be kept.
    fn hold(self, side: Side) -> i32 {
        let nearest = |side: Side, hex: Hex| {
            let foot = self.army(side).into_iter().filter(|&id| !self.unit(id).arm.has_guns());
            foot.map(|id| i32::from(self.ground().distance(self.piece(id).hex, hex)))
                .min()
                .unwrap_or(12)
                .min(12)
        };
        let objectives = self.battle.victory.objectives.iter().zip(&self.state.control);
        objectives
            .map(|(objective, control)| {
                let (own, enemy) = (nearest(side, objective.hex), nearest(side.enemy(), objective.hex));
                let value = i32::from(objective.points);
                let guarded = if own == 0 { 2 } else { 0 } - if enemy == 0 { 2 } else { 0 };
                let contested = if *control == Some(side) && own > 0 && enemy <= 4 { -2 } else { 0 };
                value * HOLD * ((enemy - own).clamp(-4, 4) + guarded + contested)
            })
            .sum()
    }

    /// How well a side stands: strength in hand, ground in reach, fights worth having, lines kept together.
    fn stance(self, side: Side) -> i32 {
        self.army(side).into_iter().map(|id| self.worth_of_unit(id)).sum()
    }

    fn worth_of_unit(self, id: Id) -> i32 {
        let piece = self.piece(id);
        let intact = i32::from(piece.intact());
        let enemy = self.nearest_enemy(self.side(id), piece.hex);
        intact * STRENGTH
            + self.draw(id, piece.hex)
            + self.nearness_to_enemy(id, enemy)
            + self.support(id, enemy)
            + self.fight_balance(id)
            + self.battle.worth_of_ground(piece.hex)
    }

    /// What draws a unit to a hex: Objectives, and the enemy.
    fn pull(self, id: Id, hex: Hex) -> i32 {
        self.draw(id, hex) + self.nearness_to_enemy(id, self.nearest_enemy(self.side(id), hex))
    }

    /// The Objectives draw, the enemy's more than one's own, the nearer the more.
    fn draw(self, id: Id, hex: Hex) -> i32 {
        let side = self.side(id);
        let mut best = 0;
        for (i, objective) in self.battle.victory.objectives.iter().enumerate() {
            let distance = i32::from(self.ground().distance(hex, objective.hex));
            let value = i32::from(objective.points.max(1));
            // What the enemy holds, or nobody, is worth going to; one's own is worth keeping in reach.
            let worth = value * if self.state.control[i] == Some(side) { TO_KEEP } else { TO_TAKE };
            let weight = if self.arm_now(id).has_guns() { worth / 3 } else { worth };
            best = best.max(weight * 12 / (12 + distance * 2));
        }
        best
    }

    /// How far off the nearest enemy of a side is.
    fn nearest_enemy(self, side: Side, hex: Hex) -> i32 {
        let enemies = self.army(side.enemy());
        let nearest = enemies.into_iter().map(|e| self.ground().distance(hex, self.piece(e).hex)).min();
        nearest.map_or(12, i32::from)
    }

    /// Infantry closes with the enemy; guns keep within range and out of reach; cavalry keeps off infantry.
    fn nearness_to_enemy(self, id: Id, distance: i32) -> i32 {
        match self.arm_now(id) {
            Arm::Infantry => 60 - distance.min(15) * 4,
            Arm::Cavalry => 40 - (distance - 3).abs().min(15) * 4,
            Arm::Artillery | Arm::HorseArtillery => 90 - (distance - 2).abs().min(15) * 6,
        }
    }

    /// Friends beside it, and no open flank. With no enemy within two hexes nobody's zone reaches round it.
    fn support(self, id: Id, enemy: i32) -> i32 {
        let friends = self.adjacent_to(self.side(id), self.piece(id).hex).count_ones().min(3) as i32;
        let ring = if enemy <= 2 && self.is_surrounded(id) { SURROUNDED } else { 0 };
        friends * FRIEND + ring
    }

    /// What the next fire would do for it and against it, in expectation; both sides' fire counts in every Combat Turn.
    fn fight_balance(self, id: Id) -> i32 {
        // During a Round the dice decide; before it, expectations do.
        if matches!(self.state.agenda.top(), Some(Step::Checks(..) | Step::Advance)) {
            return 0;
        }
        let piece = self.piece(id);
        let enemy = self.side(id).enemy();
        let around = self.adjacent_to(enemy, piece.hex);
        let n = around.count_ones() as i32;
        if n == 0 {
            return self.long_range_fire(id);
        }
        let mut balance = 0;
        for d in directions(around) {
            let Some(other) = self.state.at(self.ground().beyond[piece.hex.index()][d]) else {
                continue;
            };
            let share = i32::from(piece.intact()) * 10 / n;
            let chance = i32::from(self.to_hit_chance(id, other, FireKind::Round).sum()).clamp(1, 9);
            balance += share * chance * self.battle.worth_of_hit(other) / 100;
            if piece.approach & 1 << d != 0 {
                let chance = i32::from(self.to_hit_chance(other, id, FireKind::Approach).sum()).clamp(1, 9);
                balance -=
                    i32::from(self.piece(other).intact()) * 10 * chance * self.battle.worth_of_hit(id) / 200;
            }
        }
        balance
    }

    /// Guns with a target.
    fn long_range_fire(self, id: Id) -> i32 {
        let piece = self.piece(id);
        if !self.unit(id).arm.has_guns() || piece.intact() == 0 {
            return 0;
        }
        let seen = &self.ground().sees[piece.hex.index()];
        let enemies = self.army(self.side(id).enemy());
        let best = enemies.into_iter().filter(|&e| seen.contains(self.piece(e).hex)).map(|e| {
            let chance = i32::from(self.to_hit_chance(id, e, FireKind::Bombardment).sum()).clamp(1, 9);
            i32::from(piece.intact()) * chance * self.battle.worth_of_hit(e) / 40
        });
        best.max().unwrap_or(0)
    }
}

impl State {
    /// The Engagement under way.
    pub(crate) fn affair(&self) -> Option<u32> {
        (self.round > 0).then(|| self.members.into_iter().next().map_or(0, |id| u32::from(id.0)))
    }

    /// These steps ask only where there is something to do, and it may always be left.
    pub(crate) fn is_open(&self) -> bool {
        match self.agenda.top() {
            Some(Step::March) => !self.must_march_on(),
            Some(Step::Draw | Step::Bombard | Step::Withdraw | Step::CavalryRetreat) => true,
            _ => false,
        }
    }
}

impl Battle {
    /// Good ground: hard to hit, and high.
    fn worth_of_ground(&self, hex: Hex) -> i32 {
        let row = &self.charts.hexes[usize::from(self.ground.terrain[hex.index()])];
        i32::from(5 - row.to_hit) * COVER + i32::from(self.ground.level[hex.index()]) * HEIGHT
    }

    fn worth_of_hit(&self, id: Id) -> i32 {
        if self.unit(id).arm == Arm::Infantry { HIT_ON_INFANTRY } else { HIT_ON_OTHERS }
    }
}
