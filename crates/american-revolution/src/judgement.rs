//! A small evaluation for computer players, and the matrix game of the tactics.

use std::cell::Cell;

use arrayvec::ArrayVec;
use game::odds::{Fates, Standing};
use game::{BySide, Side};
use hexmap::{Hex, HexSet};

use crate::action::{Action, Way};
use crate::at::At;
use crate::rules::results::Effect;
use crate::rules::sequence::Step;
use crate::rules::tactics::Tactic;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Order, Spot, State, UNITS};

/// What each thing counts, in hundredths of a victory point.
mod weight {
    /// A battle won.
    pub(super) const WON: i32 = 100_000;
    /// Winning if it ended now: on the last turn, one turn before, two, earlier.
    pub(super) const STANDING: [i32; 4] = [1200, 600, 300, 100];
    /// Half a victory point.
    pub(super) const HALF_POINT: i32 = 50;
    /// A point of army morale, and one of an army below fatigued.
    pub(super) const MORALE: i32 = 110;
    pub(super) const LOW_MORALE: i32 = 160;
    /// An army in high spirits; one that is not yet wavering.
    pub(super) const HIGH: i32 = 150;
    pub(super) const FATIGUED: i32 = 80;
    /// A momentum chit.
    pub(super) const CHIT: i32 = 60;
    /// A unit, each of its SP, each point of its morale.
    pub(super) const UNIT: i32 = 40;
    pub(super) const SP: i32 = 30;
    pub(super) const UNIT_MORALE: i32 = 20;
    /// What a unit out of order is still worth, in per cent.
    pub(super) const DISRUPTED: i32 = 60;
    pub(super) const SHATTERED: i32 = 25;
    /// Each hex between a unit and an objective, for each point of it and two more.
    pub(super) const DISTANCE: i32 = 2;
    /// Each point of an objective that a unit stands in, or next to.
    pub(super) const GUARDED: i32 = 14;
    pub(super) const WATCHED: i32 = 6;
    /// Each point of the edge that a unit in contact has, up to so many.
    pub(super) const CONTACT: i32 = 4;
    pub(super) const CONTACT_MOST: i32 = 12;
    /// A hex nearer to an objective or to the enemy, at first sight.
    pub(super) const NEARER: i32 = 2;
    /// A column of the odds; odds below the first; a shift.
    pub(super) const COLUMN: i32 = 60;
    pub(super) const BELOW: i32 = 40;
    pub(super) const SHIFT: i32 = 20;
}

impl At<'_> {
    /// What the position is worth to a side.
    pub(crate) fn worth(self, side: Side) -> i32 {
        if let Some(ending) = self.state.ending {
            return match ending.winner {
                Some(winner) if winner == side => weight::WON,
                Some(_) => -weight::WON,
                None => 0,
            };
        }
        self.half_worth(side) - self.half_worth(!side) + self.standing_of(side)
    }

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
            (Some(Step::Moving), Action::March { piece, from, way }) => self.march_promise(piece, from, way),
            _ => 0,
        }
    }

    /// Who would win if it ended here, which counts the more the nearer the end is.
    fn standing_of(self, side: Side) -> i32 {
        let left = self.battle.turns.saturating_sub(self.state.turn);
        let weight = weight::STANDING[usize::from(left.min(3))];
        match self.final_ending().winner {
            Some(winner) if winner == side => weight,
            Some(_) => -weight,
            None => 0,
        }
    }

    /// What one side has: points, morale, order, chits, ground.
    fn half_worth(self, side: Side) -> i32 {
        let goals = self.battle.objectives.iter().enumerate();
        let goals = goals.filter(|(i, o)| o.vp[side] > 0 && self.state.held[side] >> i & 1 == 0);
        let goals: ArrayVec<_, 16> = goals.map(|(_, o)| (o.hex, o.vp[side])).collect();
        let units = (self.battle.units[side] & self.on_map()).map(|unit| {
            self.unit_worth(unit) - self.hex(unit).map_or(0, |hex| self.distance_worth(hex, &goals))
        });
        weight::HALF_POINT * self.half_points()[side]
            + self.morale_worth(side)
            + weight::CHIT * i32::from(self.state.chits[side])
            + self.guarded(side)
            + self.contacts(side)
            + units.sum::<i32>()
    }

    fn morale_worth(self, side: Side) -> i32 {
        let (track, morale) = (&self.battle.charts.track, self.state.morale[side]);
        let (each, level) = match morale {
            _ if morale >= track.high => (weight::MORALE, weight::HIGH),
            _ if morale >= track.fatigued => (weight::MORALE, weight::FATIGUED),
            _ => (weight::LOW_MORALE, 0),
        };
        each * i32::from(morale) + level
    }

    fn unit_worth(self, unit: Piece) -> i32 {
        let order = match self.state.order(unit) {
            Order::Parade => 100,
            Order::Disrupted => weight::DISRUPTED,
            Order::Shattered => weight::SHATTERED,
        };
        let (sp, morale) = (i32::from(self.strength(unit)), i32::from(self.base_morale(unit)));
        (weight::UNIT + weight::SP * sp + weight::UNIT_MORALE * morale) * order / 100
    }

    /// What the way to the nearest of these objectives takes off.
    fn distance_worth(self, hex: Hex, goals: &[(Hex, u8)]) -> i32 {
        let grid = &self.battle.ground.grid;
        let near = goals.iter().map(|&(goal, vp)| (i32::from(grid.distance(hex, goal)), i32::from(vp))).min();
        near.map_or(0, |(far, vp)| weight::DISTANCE * far * (2 + vp))
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
                Some(0) => weight::GUARDED * value,
                Some(1) => weight::WATCHED * value,
                _ => 0,
            }
        })
        .sum()
    }

    /// What the phasing side's units in touch with the enemy are worth there. Most are not, so it is first asked who
    /// is.
    fn contacts(self, side: Side) -> i32 {
        if self.state.phasing != side {
            return 0;
        }
        let on_map = self.on_map();
        let ready = self.battle.units[side] & self.state.parade() & on_map;
        let touched = self.around(self.battle.units[!side] & on_map);
        // Units of one hex meet the same enemies, with the same friends.
        let mut known: ArrayVec<(Hex, i32), UNITS> = ArrayVec::new();
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
            worth += (edge + 2 * i32::from(self.base_morale(unit)))
                .clamp(-weight::CONTACT_MOST, weight::CONTACT_MOST)
                * weight::CONTACT;
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

    /// How many hexes a march brings a unit nearer to what it should take, and to the enemy.
    fn march_promise(self, piece: Piece, from: Hex, way: Way) -> i32 {
        let (side, ground) = (self.battle.side(piece), &self.battle.ground);
        let Some(to) = way.end(ground, from) else { return 0 };
        let gain = |there: Hex| {
            i32::from(ground.grid.distance(from, there)) - i32::from(ground.grid.distance(to, there))
        };
        let goals = self.battle.objectives.iter().enumerate();
        let open = goals.filter(|(i, o)| o.vp[side] > 0 && self.state.held[side] >> i & 1 == 0);
        let goal = open.map(|(_, o)| o.hex).min_by_key(|&hex| ground.grid.distance(from, hex));
        let enemies = self.battle.units[!side] & self.on_map();
        let enemy = enemies.filter_map(|e| self.hex(e)).min_by_key(|&hex| ground.grid.distance(from, hex));
        weight::NEARER * (goal.map_or(0, gain) + enemy.map_or(0, gain))
    }

    fn attack_promise(self, unit: Piece, from: Hex, at: u8) -> i32 {
        let (attackers, defenders) = self.joined_attack(unit, self.battle.ground.neighbours_in(from, at));
        let column = self.odds(attackers, defenders);
        weight::COLUMN * i32::from(column.column)
            - weight::BELOW * i32::from(column.below)
            - weight::SHIFT * i32::from(self.is_shifted(attackers))
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
        own - weight::CHIT
    }

    /// The mixed strategy of a side over its eligible tactics, in thousandths.
    pub(crate) fn mixture(self, side: Side) -> [i32; 8] {
        let attacker = self.state.phasing;
        let open = |side: Side| Tactic::ALL.map(|t| self.may_play(side, t).is_ok());
        let cards = Cards { matrix: self.battle.charts.matrix, open: [open(attacker), open(!attacker)] };
        let solved = LAST_SOLVED.with(|last| match last.get() {
            Some((known, solved)) if known == cards => solved,
            _ => {
                let solved = cards.solve();
                last.set(Some((cards, solved)));
                solved
            }
        });
        solved[usize::from(side != attacker)]
    }
}

thread_local! {
    /// The same cards are asked about again and again: for each of them, and in one fight after the other.
    static LAST_SOLVED: Cell<Option<(Cards, [[i32; 8]; 2])>> = const { Cell::new(None) };
}

/// The matrix game of the tactics: what each pair of cards gives the attacker, and which cards each side may lay.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cards {
    matrix: [[Option<i8>; 8]; 8],
    open: [[bool; 8]; 2],
}

impl Cards {
    /// How often each card is to be laid by the attacker and by the defender, in thousandths: both sides answer each
    /// other's habits many times over.
    fn solve(&self) -> [[i32; 8]; 2] {
        const ROUNDS: usize = 400;
        // No combat is worth about what an even fight is to whoever would win it: nothing.
        let cell = |a: usize, d: usize| i32::from(self.matrix[d][a].unwrap_or(0));
        let mut played = [[0i32; 8]; 2];
        let mut against = [[0i32; 8]; 2];
        for round in 0..ROUNDS {
            let best = |who: usize| {
                let sign = if who == 0 { 1 } else { -1 };
                (0..8)
                    .filter(|&t| self.open[who][t])
                    .max_by_key(|&t| (sign * against[who][t], (t + round) % 8))
                    .unwrap_or(0)
            };
            let (a, d) = (best(0), best(1));
            played[0][a] += 1;
            played[1][d] += 1;
            against[0].iter_mut().enumerate().for_each(|(t, sum)| *sum += cell(t, d));
            against[1].iter_mut().enumerate().for_each(|(t, sum)| *sum += cell(a, t));
        }
        played.map(|cards| cards.map(|n| n * 1000 / ROUNDS as i32))
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
