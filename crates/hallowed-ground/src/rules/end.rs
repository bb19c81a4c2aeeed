//! Chapter 10: the End phase, victory points and who has won.

use game::words::side_does;
use game::{BySide, Effects, Entry, Kind, Outcome, Side};
use table::{EPS, INCH};

use crate::field::Field;
use crate::rules::morale::army_broken;
use crate::rules::sequence::Step;
use crate::setup::battle::{Battle, Flags, Marker, Objective, Phase, State, Whereabouts};

/// A difference of this many points or fewer is a draw (10.2.f).
pub(crate) const DRAW_MARGIN: i32 = 5;
/// Radius of an objective (G7).
pub(crate) const OBJECTIVE_RADIUS: i64 = 3 * INCH;

/// Markers off, victory looked at, the next turn (10.1, 10.2).
pub(crate) fn end_phase(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    state.phase = Phase::End;
    for u in battle.all_units() {
        let engaged = state.engaged(u);
        let unit = state.unit_mut(u);
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
    for c in &mut state.commanders {
        c.rallied = false;
        c.moved = false;
    }
    if is_over(battle, state) {
        let outcome = outcome(battle, state);
        state.outcome = Some(outcome);
        state.agenda.clear();
        let score = score(battle, state);
        fx.tell(|| {
            let points = format!("{} to {} points", score.first, score.second);
            let text = match outcome {
                Outcome::Won(side) => format!("{}, {points}.", side_does(&battle.armies[side].name, "wins")),
                Outcome::Drawn => format!("A draw, {points}."),
            };
            Entry::new(Kind::Score, text).rule(cite!("10.2.f"))
        });
        return;
    }
    state.turn += 1;
    state.agenda.push(Step::Turn);
}

/// The game ends with its last turn, with a Broken army, or with a side that has nobody left (10.2.a, G55).
fn is_over(battle: &Battle, state: &State) -> bool {
    state.turn >= battle.turns
        || Side::BOTH
            .iter()
            .any(|side| army_broken(battle, state, *side) || nobody_left(battle, state, *side))
}

fn nobody_left(battle: &Battle, state: &State, side: Side) -> bool {
    !battle.all_units().any(|u| {
        battle.unit(u).side == side
            && matches!(state.unit(u).place, Whereabouts::Table | Whereabouts::Reserve)
    })
}

pub(crate) fn outcome(battle: &Battle, state: &State) -> Outcome {
    let points = score(battle, state);
    match points.first - points.second {
        d if d > DRAW_MARGIN => Outcome::Won(Side::First),
        d if d < -DRAW_MARGIN => Outcome::Won(Side::Second),
        _ => Outcome::Drawn,
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

/// What a side's points are made of (10.2.b to 10.2.e).
pub(crate) fn tally(battle: &Battle, state: &State, side: Side) -> Tally {
    tally_on(&Field::new(battle, state), side)
}

/// The same on bases already worked out.
fn tally_on(field: &Field<'_>, side: Side) -> Tally {
    let (battle, state) = (field.battle, field.state);
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
        if holder(field, objective) == Some(side) {
            tally.objectives += objective.points[side];
        }
    }
    tally
}

pub(crate) fn score(battle: &Battle, state: &State) -> BySide<i32> {
    score_on(&Field::new(battle, state))
}

pub(crate) fn score_on(field: &Field<'_>) -> BySide<i32> {
    BySide::from_fn(|side| tally_on(field, side).total())
}

/// Who holds an objective: a Steady unit of a side touches its circle, and no enemy unit does (G7).
pub(crate) fn holder(field: &Field<'_>, objective: &Objective) -> Option<Side> {
    let touches = |side: Side, steady: bool| {
        field.of_side(side).any(|u| {
            (!steady || field.state.steady(u))
                && field.rect(u).distance_to(objective.at.pt()) <= OBJECTIVE_RADIUS + EPS
        })
    };
    let held = Side::BOTH.into_iter().find(|side| touches(*side, true) && !touches(!*side, false));
    let nobody = Side::BOTH.into_iter().all(|side| !touches(side, false));
    if nobody { objective.held_at_start } else { held }
}
