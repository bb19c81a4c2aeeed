//! Chapter 5: the orders that are offered, a sample of what 5.4 and 5.5 allow.

use std::cell::OnceCell;

use arrayvec::ArrayVec;
use table::{Angle, INCH, MIL, Pt};

use crate::action::{Action, Change, Double, Maneuver, Order, Slant};
use crate::field::{Field, Surroundings};
use crate::rules::charts::POINT_BLANK;
use crate::rules::command::maneuvers::Trail;
use crate::rules::formations::{Arm, Formation};
use crate::setup::pieces::{BrigadeId, UnitId};

impl Field<'_> {
    pub(crate) fn offer_orders(&self, brigade: BrigadeId, out: &mut Vec<Action>) {
        let waiting = self.of_side(self.state.active).filter(|u| self.battle.unit(*u).brigade == brigade);
        let mut way = Trail::new();
        for u in waiting.filter(|u| self.state.awaits_order(*u)) {
            out.push(Action::Order { unit: u, order: Order::Hold });
            let near = Surroundings::new(self, u, i64::from(self.rate(u)) * MIL);
            let far = OnceCell::new();
            let mut give = |order: Order| {
                let about = match order {
                    Order::March { .. } => far.get_or_init(|| self.surroundings(u, &order)),
                    _ => &near,
                };
                let fits = about.plan(&order, &mut way).is_ok();
                if fits {
                    out.push(Action::Order { unit: u, order });
                }
                fits
            };
            if self.state.unit(u).hits > 0 || self.state.unit(u).shaken {
                give(Order::Rally);
            }
            let goals = self.goals(u);
            if self.state.brigade_broken(brigade) {
                for degrees in [0, -20, 20, -45, 45] {
                    let maneuver = Maneuver::Retire { degrees };
                    give(Order::Advance { maneuver, change: Change::None, exit: false });
                    give(Order::Advance { maneuver, change: Change::None, exit: true });
                }
            } else {
                self.offer_moves(u, &goals, &mut give);
            }
            self.offer_reforms(u, &goals, &mut give);
        }
    }
}

/// A place worth going to: how far the leader point is from it, and the turn from the unit's facing towards it.
#[derive(Debug, Clone, Copy)]
struct Goal {
    reach: i32,
    turn: i32,
}

impl Field<'_> {
    /// The enemies and objectives that matter most to a unit: the nearest ones.
    fn goals(&self, u: UnitId) -> ArrayVec<Goal, 3> {
        let rect = self.rect(u);
        let mut nearest: ArrayVec<(i64, Pt), 3> = ArrayVec::new();
        for e in self.enemies(u) {
            let enemy = self.rect(e);
            // Farther by its own axes than the two found so far: no need to measure.
            if nearest.len() == 2 && rect.gap(enemy) > nearest[1].0 {
                continue;
            }
            let found = (rect.distance(enemy), enemy.centre);
            let at = nearest.iter().position(|n| found < *n).unwrap_or(nearest.len());
            nearest.insert(at, found);
            nearest.truncate(2);
        }
        let objectives = self.battle.objectives.iter().map(|o| (rect.distance_to(o.at.pt()), o.at.pt()));
        nearest.extend(objectives.min_by_key(|(away, _)| *away).filter(|(away, _)| *away > INCH));
        let goal = |p: Pt| Goal {
            reach: (rect.front.to(p) / MIL) as i32,
            turn: rect.facing.turn_to(Angle::of(p - rect.centre)),
        };
        nearest.into_iter().map(|(_, p)| goal(p)).collect()
    }

    /// The moves of an order that are offered; `give` says whether one is possible.
    fn offer_moves(&self, u: UnitId, goals: &[Goal], give: &mut impl FnMut(Order) -> bool) {
        const TURNS: [i32; 6] = [-9_000, -4_500, -2_000, 2_000, 4_500, 9_000];
        let full = self.rate(u);
        let half = full / 2;
        let formation = self.state.unit(u).formation;
        let advance = |maneuver: Maneuver| Order::Advance { maneuver, change: Change::None, exit: false };
        let forward = |first: i32, turn: i32, then: i32| advance(Maneuver::Forward { first, turn, then });
        for by in [full, full * 3 / 4, half, full / 4] {
            give(forward(by, 0, 0));
        }
        for turn in TURNS {
            give(forward(0, turn, 0));
            give(forward(0, turn, full));
            give(forward(half, turn, half));
        }
        // What has been offered with a turn towards a goal, for goals may lie in one direction.
        let mut given: ArrayVec<(i32, i32, i32), 24> = ArrayVec::new();
        for goal in goals {
            let turn = goal.turn.clamp(-9_000, 9_000);
            let mut towards = |first: i32, then: i32| {
                let again = given.contains(&(first, turn, then))
                    || (first == 0 && (then == 0 || then == full) && TURNS.contains(&turn));
                if !again && give(forward(first, turn, then)) {
                    given.push((first, turn, then));
                }
            };
            if turn != 0 {
                towards(0, 0);
                towards(0, half);
                towards(0, full);
                towards(full, 0);
            }
            // Just out of the goal's point blank, and just within it.
            for stop in [goal.reach - (POINT_BLANK / MIL) as i32, goal.reach - 8_100, goal.reach - 14_900] {
                let stop = stop / 100 * 100;
                if stop > 0 && stop < full {
                    towards(0, stop);
                }
            }
        }
        for right in [false, true] {
            for by in [full, half] {
                give(advance(Maneuver::Oblique { right, by }));
            }
            give(advance(Maneuver::Sidestep { right, by: half }));
        }
        give(advance(Maneuver::Back { slant: Slant::Straight, by: half }));
        give(advance(Maneuver::Back { slant: Slant::Left, by: half }));
        give(advance(Maneuver::Back { slant: Slant::Right, by: half }));
        for degrees in [0, -30, 30] {
            give(advance(Maneuver::Retire { degrees }));
        }
        if self.battle.unit(u).arm != Arm::Infantry {
            conversions(formation, half, &mut |change, maneuver| {
                give(Order::Advance { maneuver, change, exit: false });
            });
        }
        if formation != Formation::Deployed {
            for slant in [Slant::Straight, Slant::Left, Slant::Right] {
                for by in [2 * full, full + half, full] {
                    give(Order::March { double: Double::Ahead { slant, by }, exit: false });
                }
            }
            if self.on_road(u).is_some() {
                for by in [2 * full, full + half, full, half] {
                    give(Order::March { double: Double::Road { by }, exit: false });
                }
            }
        }
        if self.state.unit(u).shaken {
            let maneuver = Maneuver::Retire { degrees: 0 };
            give(Order::Advance { maneuver, change: Change::None, exit: true });
        }
    }
}

/// Mounting, dismounting, limbering and deploying, before and after a move of half the rate, ahead or to the rear.
fn conversions(formation: Formation, half: i32, give: &mut impl FnMut(Change, Maneuver)) {
    let to = match formation {
        Formation::Deployed => Formation::Limbered,
        Formation::Limbered => Formation::Deployed,
        Formation::DismountedLine => Formation::SupportedLine,
        _ => Formation::DismountedLine,
    };
    for by in [0, half / 2, half] {
        let ahead = Maneuver::Forward { first: by, turn: 0, then: 0 };
        give(Change::Before(to), ahead);
        give(Change::After(to), ahead);
    }
    let rear = Maneuver::Retire { degrees: 0 };
    give(Change::Before(to), rear);
    give(Change::After(to), rear);
}

impl Field<'_> {
    fn offer_reforms(&self, u: UnitId, goals: &[Goal], give: &mut impl FnMut(Order) -> bool) {
        let facing = self.state.unit(u).pose.facing;
        let mut facings: ArrayVec<Angle, 8> = ArrayVec::new();
        facings.push(facing);
        facings.extend(goals.iter().map(|g| facing.turned(g.turn)));
        facings.extend([facing.turned(9_000), facing.turned(-9_000), facing.reversed()]);
        for formation in self.battle.unit(u).arm.formations() {
            let same = *formation == self.state.unit(u).formation;
            for (i, f) in facings.iter().enumerate() {
                let no_change = same && *f == facing;
                if !no_change && !facings[..i].contains(f) {
                    give(Order::Reform { formation: *formation, facing: *f });
                }
            }
        }
    }
}
