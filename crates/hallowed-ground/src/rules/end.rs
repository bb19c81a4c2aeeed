//! Chapter 10: the End phase, victory points and who has won.

use game::words::side_does;
use game::{BySide, Effects, Entry, Kind, Outcome, Side};
use table::{EPS, INCH};

use crate::at::{At, Run};
use crate::field::Field;
use crate::rules::sequence::Step;
use crate::setup::battle::Objective;
use crate::state::{Flags, Marker, Phase, Whereabouts};

/// A difference of this many points or fewer is a draw (10.2.f).
const DRAW_MARGIN: i32 = 5;

/// Radius of an objective (G7).
pub(crate) const OBJECTIVE_RADIUS: i64 = 3 * INCH;

impl<F: Effects> Run<'_, F> {
    /// Markers off, victory looked at, the next turn (10.1, 10.2).
    pub(crate) fn end_phase(&mut self) {
        self.state.agenda.pop();
        self.state.phase = Phase::End;
        for u in self.battle.all_units() {
            let engaged = self.state.engaged(u);
            let unit = self.state.unit_mut(u);
            let won = unit.flags.has(Flags::WON);
            unit.flags.clear(
                Flags::MOVED
                    | Flags::SMOKE
                    | Flags::BROKE_THROUGH
                    | Flags::ORDERED
                    | Flags::SILENT
                    | Flags::FOUGHT,
            );
            unit.order = match (engaged, won) {
                (true, true) => Some(Marker::Charge),
                (true, false) => Some(Marker::Hold),
                (false, _) => None,
            };
        }
        for c in &mut self.state.commanders {
            c.rallied = false;
            c.moved = false;
        }
        if self.at().is_over() {
            let outcome = self.at().outcome();
            self.state.outcome = Some(outcome);
            self.state.agenda.clear();
            let score = self.at().score();
            self.fx.tell(|| {
                let points = format!("{} to {} points", score.first, score.second);
                let text = match outcome {
                    Outcome::Won(side) => {
                        format!("{}, {points}.", side_does(&self.battle.armies[side].name, "wins"))
                    }
                    Outcome::Drawn => format!("A draw, {points}."),
                };
                Entry::new(Kind::Score, text).rule(cite!("10.2.f"))
            });
            return;
        }
        self.state.turn += 1;
        self.state.agenda.push(Step::Turn);
    }
}

impl At<'_> {
    /// The game ends with its last turn, with a Broken army, or with a side that has nobody left (10.2.a, G55).
    fn is_over(self) -> bool {
        self.state.turn >= self.battle.turns
            || Side::BOTH.iter().any(|side| self.army_broken(*side) || self.nobody_left(*side))
    }

    fn nobody_left(self, side: Side) -> bool {
        !self.battle.all_units().any(|u| {
            self.battle.unit(u).side == side
                && matches!(self.state.unit(u).place, Whereabouts::Table | Whereabouts::Reserve)
        })
    }

    pub(crate) fn outcome(self) -> Outcome {
        let points = self.score();
        match points.first - points.second {
            d if d > DRAW_MARGIN => Outcome::Won(Side::First),
            d if d < -DRAW_MARGIN => Outcome::Won(Side::Second),
            _ => Outcome::Drawn,
        }
    }
}

/// Points for Broken and Shaken enemies, by what they count for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub troops: i32,
    pub guns: i32,
    pub shaken: i32,
    pub objectives: i32,
    pub scenario: i32,
}

impl Tally {
    pub(crate) const fn total(&self) -> i32 {
        self.troops + self.guns + self.shaken + self.objectives + self.scenario
    }
}

impl At<'_> {
    /// What a side's points are made of (10.2.b to 10.2.e).
    pub(crate) fn tally(self, side: Side) -> Tally {
        self.field().tally_on(side)
    }
}

impl Field<'_> {
    /// The same on bases already worked out.
    fn tally_on(&self, side: Side) -> Tally {
        let (battle, state) = (self.battle, self.state);
        let mut tally = Tally { scenario: battle.armies[side].points_at_start, ..Tally::default() };
        if state.phase != Phase::Start && state.first != side {
            tally.scenario += battle.second_bonus;
        }
        for u in battle.all_units().filter(|u| battle.unit(*u).side != side) {
            let guns = battle.unit(u).arm.is_artillery();
            match state.unit(u).place {
                Whereabouts::Broken if guns => tally.guns += 2,
                Whereabouts::Broken => tally.troops += 3,
                Whereabouts::Table if state.unit(u).shaken => tally.shaken += 1,
                _ => {}
            }
        }
        for objective in &battle.objectives {
            if self.holder(objective) == Some(side) {
                tally.objectives += objective.points[side];
            }
        }
        tally
    }
}

impl At<'_> {
    pub(crate) fn score(self) -> BySide<i32> {
        self.field().score_on()
    }
}

impl Field<'_> {
    pub(crate) fn score_on(&self) -> BySide<i32> {
        BySide::from_fn(|side| self.tally_on(side).total())
    }

    /// Who holds an objective: a Steady unit of a side touches its circle, and no enemy unit does (G7).
    pub(crate) fn holder(&self, objective: &Objective) -> Option<Side> {
        let touches = |side: Side, steady: bool| {
            self.of_side(side).any(|u| {
                (!steady || self.state.steady(u))
                    && self.rect(u).distance_to(objective.at.pt()) <= OBJECTIVE_RADIUS + EPS
            })
        };
        let held = Side::BOTH.into_iter().find(|side| touches(*side, true) && !touches(!*side, false));
        let nobody = Side::BOTH.into_iter().all(|side| !touches(side, false));
        if nobody { objective.held_at_start } else { held }
    }
}
