//! A small judgement of positions for computer players.

use game::Side;
use table::INCH;

use crate::action::Action;
use crate::basics::Formation;
use crate::battle::{Battle, What};
use crate::fire::Aim;
use crate::state::{BodyId, Order, State};
use crate::victory;

/// How good a position looks: points, strength, order, and being where one can fight.
pub(crate) fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
    let score = victory::score(battle, state);
    let mut total = 60 * (score[side] - score[side.enemy()]);
    if let Some(outcome) = state.over {
        total += match outcome {
            game::Outcome::Won(s) if s == side => 20_000,
            game::Outcome::Won(_) => -20_000,
            game::Outcome::Drawn => 0,
        };
    }
    for (id, body) in state.on_table() {
        let sign = if battle.side(body) == side { 1 } else { -1 };
        let stand = 100 / i32::from(battle.arm(body).hits_a_stand());
        let hits = i32::from(body.lost) + i32::from(body.fresh);
        let mut value = 100 * i32::from(body.strength) - stand * hits + 60;
        value -= match body.order {
            Order::Good => 0,
            Order::Suppressed => 25,
            Order::Shaken => 160,
            Order::Routed => 320,
        };
        value -= i32::from(body.shape.formation == Formation::MarchColumn && battle.engaged(state, id)) * 120;
        total += sign * value;
        if sign == 1 && !body.order.broken() {
            total += eagerness(battle, state, id);
        }
    }
    total
}

/// Nearer to the objective and to a good range is a little better.
fn eagerness(battle: &Battle, state: &State, id: BodyId) -> i32 {
    let body = state.body(id);
    let layout = body.layout(battle);
    let centre = layout.centre();
    let mut value = 0;
    for score in &battle.scores {
        if score.points[battle.side(body)] == 0 {
            continue;
        }
        let goal = match &score.what {
            What::HoldPoint { at, .. } => *at,
            What::HoldArea { areas, .. } => {
                let Some(area) = areas.first() else { continue };
                let b = battle.areas[*area].area.bounds();
                b.lo.middle(b.hi)
            }
            _ => continue,
        };
        if !battle.arm(body).is_artillery() {
            value -= (goal.to(centre) / INCH).min(40) as i32;
        }
    }
    if let Some((enemy, distance)) = battle.nearest_enemy(state, battle.side(body), &layout) {
        let medium = battle.info(body).weapon.ranges[1].max(2 * INCH);
        let over = ((distance - medium) / INCH).max(0) as i32;
        value -= over.min(30);
        let turn = layout
            .pose
            .facing
            .turn_to(table::Angle::of(state.body(enemy).layout(battle).centre() - centre))
            .abs();
        value -= (turn - 4500).max(0) / 450;
    }
    value
}

/// Fire and charges first, then moves.
pub(crate) fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
    let _ = (battle, state);
    match action {
        Action::Fire(v) => match v.at {
            Aim::Leader(_) => 20,
            _ => 15 * v.stands.count_ones() as i32,
        },
        Action::Support { .. } => 30,
        Action::Snap { stands, .. } => 4 * stands.count_ones() as i32,
        _ => 0,
    }
}
