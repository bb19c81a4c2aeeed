//! 4. How To Win, and the conditions that a volume adds.

use game::words::side_does;
use game::{BySide, Effects, Entry, Kind, Outcome, Rule, Side};
use hexmap::Hex;

use crate::at::{At, Run};
use crate::rules::army_morale::Spirit;
use crate::setup::battle::Condition;
use crate::setup::pieces::Piece;
use crate::state::{Ending, Level, Spot, State};

impl At<'_> {
    /// Victory points in halves: losses of the enemy, objectives held, shattered enemies on the map (4.b to 4.e, R61).
    pub(crate) fn half_points(self) -> BySide<i32> {
        BySide::from_fn(|side| {
            let objectives: i32 = self
                .battle
                .objectives
                .iter()
                .enumerate()
                .filter(|(i, _)| self.state.held[side] >> i & 1 == 1)
                .map(|(_, o)| i32::from(o.vp[side]))
                .sum();
            let shattered = (self.state.shattered & self.battle.units[!side] & self.on_map()).len() as i32;
            2 * i32::from(self.state.spoils[side]) + 2 * objectives + shattered
        })
    }

    /// Victory points as the book counts them, in whole numbers.
    pub(crate) fn score(self) -> BySide<i32> {
        self.half_points().map(|halves| halves / 2)
    }

    fn condition_holds(self, side: Side, condition: &Condition) -> bool {
        let held = |i: &usize| self.state.held[side] >> i & 1 == 1;
        let points = self.half_points();
        condition.hold.iter().all(held)
            && (condition.hold_any.is_empty() || condition.hold_any.iter().any(held))
            && condition.lead.is_none_or(|lead| points[side] - points[!side] >= 2 * i32::from(lead))
            && condition.enemy_lost.is_none_or(|steps| self.state.lost[!side] >= steps)
            && condition.own_lost.is_none_or(|steps| self.state.lost[side] <= steps)
            && condition
                .gone
                .into_iter()
                .all(|p| matches!(self.state.at[p.index()], Spot::ELIMINATED | Spot::CAPTURED))
    }

    fn decisive(self, automatic: bool) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| {
            self.battle.victory.decisive[side]
                .iter()
                .any(|c| (c.automatic || !automatic) && self.condition_holds(side, c))
        })
    }

    /// Who has won when the last turn is over (4.a).
    pub(crate) fn final_ending(self) -> Ending {
        if let Some(winner) = self.decisive(false) {
            return Ending { winner: Some(winner), level: Level::Decisive };
        }
        let points = self.half_points();
        for side in Side::BOTH {
            if let Some(lead) = self.battle.victory.marginal[side]
                && points[side] - points[!side] >= 2 * i32::from(lead)
            {
                return Ending { winner: Some(side), level: Level::Marginal };
            }
        }
        Ending { winner: None, level: Level::Draw }
    }

    /// Whether an alarm, or an order, has freed a piece before its time.
    pub(crate) fn is_freed(self, piece: Piece) -> bool {
        self.is_hastened(piece) || self.is_alarmed(piece)
    }

    /// Whether an alarm has freed a piece.
    pub(crate) fn is_alarmed(self, piece: Piece) -> bool {
        self.state.alarmed != 0
            && self
                .battle
                .special
                .alarms
                .iter()
                .enumerate()
                .any(|(i, alarm)| self.state.alarmed >> i & 1 == 1 && alarm.units.has(piece))
    }
}

impl<F: Effects> Run<'_, F> {
    /// A combat unit that stands in or passes an objective holds it.
    pub(crate) fn take_hold(&mut self, unit: Piece, hex: Hex) {
        let side = self.battle.side(unit);
        if !self.battle.units[side].has(unit) {
            return;
        }
        for (i, objective) in self.battle.objectives.iter().enumerate() {
            if objective.hex == hex && self.state.held[side] >> i & 1 == 0 {
                self.state.held[side] |= 1 << i;
                self.state.held[!side] &= !(1 << i);
                self.fx.tell(|| {
                    Entry::new(
                        Kind::Score,
                        format!("{} {}.", side_does(&self.battle.armies[side].name, "takes"), objective.name),
                    )
                    .side(side)
                    .rule(cite!("3.1.m"))
                    .place(self.battle.place(hex))
                });
            }
        }
    }

    /// Ends the game.
    pub(crate) fn end_game(&mut self, ending: Ending, rule: Rule) {
        self.state.ending = Some(ending);
        self.state.netting = false;
        self.state.agenda.clear();
        self.fx.tell(|| {
            let text = match (ending.winner, ending.level) {
                (Some(side), level) => {
                    let level = format!("{level:?}").to_lowercase();
                    format!("{}: a {level} victory.", side_does(&self.battle.armies[side].name, "wins"))
                }
                (None, _) => "The battle is drawn.".to_owned(),
            };
            Entry::new(Kind::Score, text).rule(rule)
        });
    }

    /// The end of a turn: automatic victory, then the winner if it was the last, else the next turn (5.c).
    pub(crate) fn ends_with_turn(&mut self) -> bool {
        if let Some(winner) = self.at().decisive(true) {
            self.end_game(Ending { winner: Some(winner), level: Level::Decisive }, cite!("4.a"));
            return true;
        }
        if self.state.turn < self.battle.turns {
            self.mend_bridges();
            return false;
        }
        let ending = self.at().final_ending();
        self.end_game(ending, cite!("4.a"));
        true
    }

    /// A volume's rule: some units leave the map when their army wavers.
    pub(crate) fn waverers_leave(&mut self) {
        if self.battle.roles.waverers.is_empty() || self.state.ending.is_some() {
            return;
        }
        for unit in self.battle.roles.waverers & self.state.on_map() {
            if self.at().army_level(self.battle.side(unit)) == Spirit::Wavering
                && !self.state.is_in_combat(unit)
            {
                self.dismiss(unit, cite!("freemans-farm.i"));
            }
        }
    }

    /// A volume's rule: an enemy who comes too near frees units that the scenario holds back.
    pub(crate) fn raise_alarm(&mut self) {
        for (i, alarm) in self.battle.special.alarms.iter().enumerate() {
            let mut enemies = self.battle.units[!alarm.side] & self.state.on_map();
            if self.state.alarmed >> i & 1 == 1
                || !enemies.any(|unit| self.state.hex(unit).is_some_and(|hex| alarm.near.contains(hex)))
            {
                continue;
            }
            self.state.alarmed |= 1 << i;
            self.fx.tell(|| {
                Entry::new(Kind::Note, "The alarm is raised: units that were held back are free to move.")
                    .side(alarm.side)
                    .rule(cite!("freemans-farm.c"))
            });
        }
    }

    /// A volume's rule: units that must stay near a place, at a price in army morale.
    pub(crate) fn drag_anchor(&mut self) {
        let Some(anchor) = self.battle.special.anchor else { return };
        if anchor.side != self.state.phasing || self.state.turn < anchor.from {
            return;
        }
        let near = (anchor.units & self.state.on_map()).filter(|&u| {
            self.state
                .hex(u)
                .is_some_and(|hex| self.battle.ground.grid.distance(hex, anchor.hex) <= anchor.within.into())
        });
        let sp: u8 = near.map(|u| self.at().strength(u)).sum();
        if sp < anchor.sp {
            self.fx.tell(|| {
                Entry::new(Kind::Note, format!("The flank at {} is bare.", self.battle.hex_name(anchor.hex)))
                    .side(anchor.side)
                    .rule(cite!("freemans-farm.a"))
                    .place(self.battle.place(anchor.hex))
            });
            self.adjust_morale(anchor.side, [-1, 0]);
        }
    }

    /// A volume's rule: when the army has marched off, the game ends and the enemy holds the field.
    pub(crate) fn army_has_left(&mut self) {
        let Some(exit) = &self.battle.special.exit else { return };
        if !self.state.has_marched_off(exit.army) {
            return;
        }
        let all = (1u16 << self.battle.objectives.len()) - 1;
        self.state.held[!exit.side] = all;
        self.state.held[exit.side] = 0;
        let ending = self.at().final_ending();
        self.end_game(ending, cite!("guilford-court-house.k"));
    }
}

/// The outcome as the contract knows it.
#[must_use]
pub(crate) fn outcome(ending: Ending) -> Outcome {
    ending.winner.map_or(Outcome::Drawn, Outcome::Won)
}

impl State {
    fn is_in_combat(&self, unit: Piece) -> bool {
        self.attacks.iter().any(|a| (a.attackers | a.defenders).has(unit))
            || (self.fight.attackers | self.fight.defenders).has(unit)
    }
}
