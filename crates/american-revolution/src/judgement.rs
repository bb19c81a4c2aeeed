//! A small evaluation for computer players, and the matrix game of the tactics.

use game::odds::{Fates, Standing};
use game::{BySide, Side};
use hexmap::{Hex, HexSet};

use crate::action::Action;
use crate::at::At;
use crate::rules::results::Effect;
use crate::rules::sequence::Step;
use crate::rules::tactics::Tactic;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Spot, State};

impl At<'_> {
    /// What the position is worth to a side.
    pub(crate) fn worth(self, side: Side) -> i32 {
        if let Some(ending) = self.state.ending {
            return match ending.winner {
                Some(winner) if winner == side => 100_000,
                Some(_) => -100_000,
                None => 0,
            };
        }
        self.half_worth(side) - self.half_worth(!side) + self.standing_of(side)
    }
}

impl State {
    /// The close combat under way, as a number.
    pub(crate) fn affair(&self) -> Option<u32> {
        let fight = &self.fight;
        fight
            .is_open()
            .then(|| (fight.attackers.0 ^ fight.attackers.0 >> 32) as u32 ^ u32::from(self.turn) << 24)
    }
}

impl At<'_> {
    /// How each piece that can be seen stands, for the odds.
    pub(crate) fn standings(self) -> Fates {
        let seen = (0..self.battle.counters.len())
            .map(|i| Piece(i as u8))
            .filter(|p| self.state.at[p.index()] != Spot::HIDDEN);
        seen.map(|p| {
            let counter = self.counter(p);
            let (hex, spot) = (self.hex(p), self.state.at[p.index()]);
            let full = if counter.leader.is_some() { 0 } else { counter.steps };
            let whole = match spot {
                Spot::ELIMINATED | Spot::CAPTURED => 0,
                _ => self.steps(p).min(full),
            };
            let standing = Standing {
                whole,
                hurt: 0,
                lost: full - whole,
                place: hex.map_or(u32::MAX, |hex| u32::from(hex.0)),
                off: hex.is_none(),
                order: self.state.order(p) as u8,
            };
            (p.id(), standing)
        })
        .collect()
    }

    /// The cards that each side may lay while tactics are chosen in secret.
    pub(crate) fn sealed(self) -> Option<BySide<Vec<Action>>> {
        let choosing = matches!(self.state.agenda.top(), Some(Step::Tactics(_)));
        choosing.then(|| {
            BySide::from_fn(|side| {
                let mut cards = Vec::new();
                self.offer_tactics(side, &mut cards);
                cards
            })
        })
    }
}

impl State {
    /// The position with both cards laid.
    pub(crate) fn unsealed(&self, choices: BySide<&Action>) -> State {
        let mut both = self.clone();
        while matches!(both.agenda.top(), Some(Step::Tactics(_))) {
            both.agenda.pop();
        }
        for (side, choice) in choices.iter() {
            if let Action::Play(tactic) = **choice {
                both.fight.tactic[side] = Some(tactic);
            }
        }
        both
    }
}

impl At<'_> {
    /// How often a player of the mixed strategy lays that card, in thousandths.
    pub(crate) fn chance(self, action: &Action) -> Option<u32> {
        match (self.state.agenda.top(), *action) {
            (Some(Step::Tactics(side)), Action::Play(tactic)) => {
                Some(self.mixture(side)[tactic as usize] as u32)
            }
            _ => None,
        }
    }

    /// What an action promises before it is tried.
    pub(crate) fn promise(self, action: &Action) -> i32 {
        match (self.state.agenda.top(), *action) {
            (Some(Step::Designating), Action::Attack { unit, from, at }) => {
                self.attack_promise(unit, from, at)
            }
            (Some(Step::Momentum(side)), Action::Reroll) => self.reroll_promise(side),
            _ => 0,
        }
    }

    /// Who would win if it ended here, which counts the more the nearer the end is.
    fn standing_of(self, side: Side) -> i32 {
        let weight = match self.battle.turns.saturating_sub(self.state.turn) {
            0 => 1200,
            1 => 600,
            2 => 300,
            _ => 100,
        };
        match self.final_ending().winner {
            Some(winner) if winner == side => weight,
            Some(_) => -weight,
            None => 0,
        }
    }

    /// What one side has: points, morale, order, chits, ground.
    fn half_worth(self, side: Side) -> i32 {
        let points = 50 * self.half_points()[side];
        let track = &self.battle.charts.track;
        let spirit = i32::from(self.state.morale[side]);
        let low = if self.state.morale[side] < track.fatigued { 160 } else { 110 };
        let mut worth = points + low * spirit + 60 * i32::from(self.state.chits[side]);
        if self.state.morale[side] >= track.high {
            worth += 150;
        } else if self.state.morale[side] >= track.fatigued {
            worth += 80;
        }
        let goals = self
            .battle
            .objectives
            .iter()
            .enumerate()
            .filter(|(i, o)| o.vp[side] > 0 && self.state.held[side] >> i & 1 == 0);
        let goals: arrayvec::ArrayVec<_, 16> = goals.map(|(_, o)| (o.hex, o.vp[side])).collect();
        worth += self.guarded(side) + self.contacts(side);
        for unit in self.battle.units[side] & self.on_map() {
            let sp = i32::from(self.strength(unit));
            let order = if self.state.shattered.has(unit) {
                25
            } else if self.state.disrupted.has(unit) {
                60
            } else {
                100
            };
            worth += (40 + 30 * sp + 20 * i32::from(self.base_morale(unit))) * order / 100;
            if let Some(hex) = self.hex(unit) {
                let near = goals
                    .iter()
                    .map(|&(goal, vp)| {
                        (i32::from(self.battle.ground.grid.distance(hex, goal)), i32::from(vp))
                    })
                    .min();
                if let Some((far, vp)) = near {
                    worth -= far * (2 + vp) * 2;
                }
            }
        }
        worth
    }

    /// Objectives that are held are better held by somebody: an enemy who passes takes them.
    fn guarded(self, side: Side) -> i32 {
        let ready = self.battle.units[side] & self.state.parade() & self.on_map();
        let held =
            self.battle.objectives.iter().enumerate().filter(|(i, _)| self.state.held[side] >> i & 1 == 1);
        held.map(|(_, objective)| {
            let near = ready
                .filter_map(|unit| self.hex(unit))
                .map(|hex| self.battle.ground.grid.distance(hex, objective.hex))
                .min();
            let value = i32::from(objective.vp[side].max(objective.vp[!side]));
            match near {
                Some(0) => 14 * value,
                Some(1) => 6 * value,
                _ => 0,
            }
        })
        .sum()
    }

    /// What the phasing side's units in touch with the enemy are worth there. Most are not, so it is first asked who is.
    fn contacts(self, side: Side) -> i32 {
        if self.state.phasing != side {
            return 0;
        }
        let on_map = self.on_map();
        let ready = self.battle.units[side] & self.state.parade() & on_map;
        let touched = self.around(self.battle.units[!side] & on_map);
        // Units of one hex meet the same enemies, with the same friends.
        let mut known: arrayvec::ArrayVec<(Hex, i32), { crate::state::UNITS }> = arrayvec::ArrayVec::new();
        let mut worth = 0;
        for unit in ready - self.battle.roles.artillery {
            let Some(hex) = self.hex(unit).filter(|&hex| touched.contains(hex)) else { continue };
            let edge = match known.iter().find(|(at, _)| *at == hex) {
                Some(&(_, edge)) => edge,
                None => {
                    let edge = self.local_edge(side, ready, hex);
                    known.push((hex, edge));
                    edge
                }
            };
            worth += (edge + 2 * i32::from(self.base_morale(unit))).clamp(-12, 12) * 4;
        }
        worth
    }

    /// Being next to weaker enemies is good on the eve of one's own attack, next to stronger ones it is not.
    fn local_edge(self, side: Side, ready: Pieces, hex: Hex) -> i32 {
        let foes = self.beside(!side, hex);
        let reach = self.around(foes);
        let friends: Pieces =
            ready.filter(|&friend| self.hex(friend).is_some_and(|at| reach.contains(at))).collect();
        let theirs = i32::from(self.combat_strength(foes, true));
        let ours = i32::from(self.combat_strength(friends, false));
        2 * ours - 3 * theirs
    }

    /// The hexes next to these units.
    fn around(self, units: Pieces) -> HexSet {
        let hexes = units.filter_map(|unit| self.hex(unit));
        hexes.flat_map(|hex| self.battle.ground.neighbours(hex)).map(|(_, hex)| hex).collect()
    }

    fn attack_promise(self, unit: Piece, from: Hex, at: u8) -> i32 {
        let foes =
            self.battle.ground.neighbours_in(from, at).map(|hex| self.units_in(hex, !self.state.phasing));
        let defenders = foes.fold(crate::Pieces::NONE, |all, units| all | units);
        let joined = self
            .state
            .attacks
            .iter()
            .find(|a| a.defenders.meets(defenders))
            .map_or(crate::Pieces::NONE, |a| a.attackers);
        let column = self.odds(joined.with(unit), defenders);
        let shifted = i32::from(self.is_shifted(joined.with(unit)));
        60 * i32::from(column.column) - 40 * i32::from(column.below) - 20 * shifted
    }

    /// How much better an average roll would be than the one that fell.
    fn reroll_promise(self, side: Side) -> i32 {
        let value = |roll: i8| {
            let [a, d] = self.battle.charts.row(roll)[usize::from(self.state.fight.column)];
            pain(d.effect) - pain(a.effect)
        };
        let drm = self.state.fight.roll - self.state.fight.face as i8;
        let mean: i32 = (0..10).map(|face| value(face + drm)).sum::<i32>() / 10;
        let gain = mean - value(self.state.fight.roll);
        let own = if side == self.state.phasing { gain } else { -gain };
        own - 60
    }
}

/// How much a result hurts the side that suffers it.
pub(crate) fn pain(effect: Effect) -> i32 {
    match effect {
        Effect::Nothing | Effect::Pin => 0,
        Effect::ArmyMorale => 60,
        Effect::Retreat => 50,
        Effect::Disrupt => 160,
        Effect::Step => 230,
        Effect::TwoSteps => 420,
        Effect::DefendersChoice => 380,
        Effect::AttackersChoice => 420,
    }
}

impl At<'_> {
    /// The mixed strategy of a side over its eligible tactics, in thousandths: the matrix game, solved by letting both sides
    /// answer each other's habits many times over.
    #[must_use]
    pub(crate) fn mixture(self, side: Side) -> [i32; 8] {
        let attacker = self.state.phasing;
        let open = |side: Side, t: Tactic| self.may_play(side, t).is_ok();
        let mine: [[bool; 8]; 2] =
            [Tactic::ALL.map(|t| open(attacker, t)), Tactic::ALL.map(|t| open(!attacker, t))];
        // No combat is worth about what an even fight is to whoever would win it: nothing.
        let cell = |a: usize, d: usize| i32::from(self.battle.charts.matrix[d][a].unwrap_or(0));
        let mut played = [[0i32; 8]; 2];
        let mut against = [[0i32; 8]; 2];
        for round in 0..400 {
            let best = |who: usize| {
                let sign = if who == 0 { 1 } else { -1 };
                (0..8)
                    .filter(|&t| mine[who][t])
                    .max_by_key(|&t| (sign * against[who][t], (t + round) % 8))
                    .unwrap_or(0)
            };
            let (a, d) = (best(0), best(1));
            played[0][a] += 1;
            played[1][d] += 1;
            against[0].iter_mut().enumerate().for_each(|(t, sum)| *sum += cell(t, d));
            against[1].iter_mut().enumerate().for_each(|(t, sum)| *sum += cell(a, t));
        }
        played[usize::from(side != attacker)].map(|n| n * 1000 / 400)
    }
}
