//! Chapter 14: Objectives, Victory Points, and who has won.

use game::log::Kind;
use game::words::side_does;
use game::{BySide, Effects, Entry, Outcome, Rule, Side};
use hexmap::Hex;

use crate::at::{At, Run};
use crate::setup::pieces::Arm;
use crate::state::{Id, State, Status};

/// An Objective (14.1).
#[derive(Debug, Clone)]
pub struct Objective {
    pub hex: Hex,
    pub name: String,
    pub points: i16,
    pub control: Option<Side>,
}

/// Points put away at the end of certain Hours for whoever holds a hex.
#[derive(Debug, Clone)]
pub struct Award {
    pub objective: usize,
    pub points: i16,
    pub hours: Vec<u8>,
    /// Only this side scores it.
    pub side: Option<Side>,
    /// The scenario's rule for it, or the rule of the book it rests on.
    pub rule: Rule,
}

/// A condition that ends the battle at once, judged when the time marker enters an Hour.
#[derive(Debug, Clone)]
pub struct Sudden {
    pub at: u8,
    /// Who wins by it.
    pub side: Side,
    pub objectives: Vec<usize>,
    /// The winner holds at least so many of them ...
    pub holds: Option<u8>,
    /// ... or the enemy holds fewer than so many.
    pub enemy_below: Option<u8>,
    /// The scenario's rule for it, or the rule of the book it rests on.
    pub rule: Rule,
}

/// How a battle is won (14.a).
#[derive(Debug, Clone, Default)]
pub struct Victory {
    /// Objectives count.
    pub ground: bool,
    /// Losses count.
    pub damage: bool,
    /// A lead below so many per cent of the larger total is none.
    pub draw_within: i32,
    pub objectives: Vec<Objective>,
    /// For each hex the number of its Objective, 255 for none.
    pub places: Vec<u8>,
    pub awards: Vec<Award>,
    pub sudden: Vec<Sudden>,
}

impl Victory {
    /// The Objective in a hex.
    #[inline]
    pub fn objective_at(&self, hex: Hex) -> Option<usize> {
        let objective = self.places[hex.index()];
        (objective != u8::MAX).then_some(usize::from(objective))
    }
}

/// SPs of one kind of a unit, with what each is worth to the enemy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Damage {
    pub lost: i32,
    pub shattered: i32,
    pub demoralised: i32,
}

impl At<'_> {
    /// 14.2: what a unit's state is worth to the enemy. A unit without horses is still cavalry (11.3.q).
    pub(crate) fn damage(self, id: Id) -> Damage {
        let (unit, piece) = (self.unit(id), self.piece(id));
        let column = usize::from(unit.arm != Arm::Infantry);
        let points = &self.battle.charts.points;
        let lost = unit.strength.saturating_sub(piece.strength + piece.holders);
        let worth = |count: u8, each: [u8; 2]| i32::from(count) * i32::from(each[column]);
        let shattered = piece.status == Status::Shattered;
        Damage {
            lost: worth(lost, points.lost),
            shattered: if shattered { worth(piece.demoralised, points.shattered) } else { 0 },
            demoralised: if shattered { 0 } else { worth(piece.demoralised, points.demoralised) },
        }
    }

    /// Victory Points of both sides.
    pub(crate) fn score(self) -> BySide<i32> {
        BySide::from_fn(|side| {
            let handicap =
                i32::from(self.battle.armies[side].handicap) + i32::from(self.state.banked[side.index()]);
            handicap + self.points_for_ground(side) + self.damage_done(side)
        })
    }

    /// Points for Objectives held.
    pub(crate) fn points_for_ground(self, side: Side) -> i32 {
        if !self.battle.victory.ground {
            return 0;
        }
        let held = self
            .battle
            .victory
            .objectives
            .iter()
            .zip(self.state.control)
            .filter(|(_, control)| *control == Some(side));
        held.map(|(objective, _)| i32::from(objective.points)).sum()
    }

    /// Points for damage done to the enemy.
    pub(crate) fn damage_done(self, side: Side) -> i32 {
        if !self.battle.victory.damage {
            return 0;
        }
        let enemies = self.battle.armies[side.enemy()].units;
        enemies.into_iter().map(|id| self.damage(id)).map(|d| d.lost + d.shattered + d.demoralised).sum()
    }

    /// Who has more, by enough.
    pub(crate) fn leader(self) -> Outcome {
        let score = self.score();
        let lead = (score.first - score.second).abs();
        let larger = score.first.max(score.second);
        if lead == 0 || lead * 100 < self.battle.victory.draw_within * larger {
            return Outcome::Drawn;
        }
        Outcome::Won(if score.first > score.second { Side::First } else { Side::Second })
    }

    /// The judgement when the time marker enters an Hour (4.h, R74); none while play goes on.
    pub(crate) fn judge(self, entering: u8) -> Option<(Outcome, Rule)> {
        let sudden = self.battle.victory.sudden.iter().find(|s| s.at == entering && self.state.is_met(s));
        if let Some(sudden) = sudden {
            return Some((Outcome::Won(sudden.side), sudden.rule));
        }
        let by_points = match self.battle.hours.get(usize::from(entering)) {
            None => Some(self.leader()),
            Some(hour) if hour.check => Some(self.leader()).filter(|o| *o != Outcome::Drawn),
            Some(_) => None,
        };
        by_points.map(|outcome| (outcome, cite!("14.a")))
    }
}

impl<F: Effects> Run<'_, F> {
    /// At the end of an Hour points are put away for what is held then.
    pub(crate) fn bank_awards(&mut self) {
        for award in self.battle.victory.awards.iter().filter(|a| a.hours.contains(&self.state.hour)) {
            if let Some(side) =
                self.state.control[award.objective].filter(|s| award.side.is_none_or(|a| a == *s))
            {
                self.state.banked[side.index()] += award.points;
                self.fx.tell(|| {
                    let objective = &self.battle.victory.objectives[award.objective];
                    let gains = format!("scores {} for holding {}.", award.points, objective.name);
                    Entry::new(Kind::Score, side_does(&self.battle.armies[side].name, &gains))
                        .side(side)
                        .rule(award.rule)
                        .place(self.battle.place(objective.hex))
                });
            }
        }
    }
}

impl State {
    fn is_met(&self, sudden: &Sudden) -> bool {
        let held = |side| sudden.objectives.iter().filter(|&&o| self.control[o] == Some(side)).count();
        sudden.holds.is_some_and(|n| held(sudden.side) >= usize::from(n))
            || sudden.enemy_below.is_some_and(|n| held(sudden.side.enemy()) < usize::from(n))
    }
}
