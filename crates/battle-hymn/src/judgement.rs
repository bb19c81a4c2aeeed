//! What a position is worth, for computer players that look one decision ahead.

use game::Side;
use hexmap::Hex;

use crate::action::Action;
use crate::rules::fire::FireKind;
use crate::rules::zones::{arm_now, directions};
use crate::rules::{combat, fire, movement, victory, zones};
use crate::setup::battle::Battle;
use crate::setup::pieces::Arm;
use crate::state::{Id, State, Step};

/// Hundredths of a Victory Point.
const POINT: i32 = 100;
/// What a hex of lead in nearness to an Objective is worth for each of its points.
const HOLD: i32 = 8;

/// What the position is worth to a side.
pub(crate) fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
    let score = victory::score(battle, state);
    let points = (score[side] - score[side.enemy()]) * POINT;
    if state.outcome.is_some() {
        // The end is the end: only the margin counts, and winning above all.
        return points * 4;
    }
    points + stance(battle, state, side) - stance(battle, state, side.enemy()) + hold(battle, state, side)
}

/// The Engagement under way.
pub(crate) fn affair(state: &State) -> Option<u32> {
    (state.round > 0).then(|| state.members.into_iter().next().map_or(0, |id| u32::from(id.0)))
}

/// These steps ask only where there is something to do, and it may always be left.
pub(crate) fn is_open(state: &State) -> bool {
    match state.agenda.top() {
        Some(Step::March) => !movement::must_march_on(state),
        Some(Step::Draw | Step::Bombard | Step::Withdraw | Step::CavalryRetreat) => true,
        _ => false,
    }
}

/// Which actions are worth a look first.
pub(crate) fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
    match *action {
        Action::Bombard { .. }
        | Action::Advance { .. }
        | Action::AdvanceInto { .. }
        | Action::Enter { .. }
        | Action::Rally { .. } => 100,
        Action::March { unit, to, .. } => {
            (pull(battle, state, unit, to) - pull(battle, state, unit, state.piece(unit).hex)) / 8
        }
        _ => 0,
    }
}

/// Who stands nearer to each Objective: what nobody guards will be taken, what nobody contests will be kept.
fn hold(battle: &Battle, state: &State, side: Side) -> i32 {
    let nearest = |side: Side, hex: Hex| {
        let foot =
            combat::army(battle, state, side).into_iter().filter(|&id| !battle.unit(id).arm.has_guns());
        foot.map(|id| i32::from(battle.ground.distance(state.piece(id).hex, hex))).min().unwrap_or(12).min(12)
    };
    let objectives = battle.victory.objectives.iter().zip(&state.control);
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
fn stance(battle: &Battle, state: &State, side: Side) -> i32 {
    combat::army(battle, state, side).into_iter().map(|id| standing(battle, state, id)).sum()
}

fn standing(battle: &Battle, state: &State, id: Id) -> i32 {
    let piece = state.piece(id);
    let intact = i32::from(piece.intact());
    intact * 60
        + pull(battle, state, id, piece.hex)
        + support(battle, state, id)
        + fight(battle, state, id)
        + cover(battle, piece.hex)
}

/// The Objectives draw, the enemy's more than one's own, the nearer the more.
fn pull(battle: &Battle, state: &State, id: Id, hex: Hex) -> i32 {
    let side = battle.side(id);
    let mut best = 0;
    for (i, objective) in battle.victory.objectives.iter().enumerate() {
        let distance = i32::from(battle.ground.distance(hex, objective.hex));
        let value = i32::from(objective.points.max(1));
        // What the enemy holds, or nobody, is worth going to; one's own is worth keeping in reach.
        let worth = if state.control[i] == Some(side) { value * 30 } else { value * 60 };
        let weight = if arm_now(battle, state, id).has_guns() { worth / 3 } else { worth };
        best = best.max(weight * 12 / (12 + distance * 2));
    }
    best + nearness_to_enemy(battle, state, id, hex)
}

/// Infantry closes with the enemy; guns keep within range and out of reach; cavalry keeps off infantry.
fn nearness_to_enemy(battle: &Battle, state: &State, id: Id, hex: Hex) -> i32 {
    let enemies = combat::army(battle, state, battle.side(id).enemy());
    let nearest =
        enemies.into_iter().map(|e| battle.ground.distance(hex, state.piece(e).hex)).min().unwrap_or(12);
    let distance = i32::from(nearest);
    match arm_now(battle, state, id) {
        Arm::Infantry => 60 - distance.min(15) * 4,
        Arm::Cavalry => 40 - (distance - 3).abs().min(15) * 4,
        Arm::Artillery | Arm::HorseArtillery => 90 - (distance - 2).abs().min(15) * 6,
    }
}

/// Friends beside it, and no open flank.
fn support(battle: &Battle, state: &State, id: Id) -> i32 {
    let friends =
        zones::adjacent_to(battle, state, battle.side(id), state.piece(id).hex).count_ones().min(3) as i32;
    let ring = if zones::surrounded(battle, state, id) { -250 } else { 0 };
    friends * 15 + ring
}

/// Good ground: hard to hit, and high.
fn cover(battle: &Battle, hex: Hex) -> i32 {
    let row = &battle.charts.hexes[usize::from(battle.ground.terrain[hex.index()])];
    i32::from(5 - row.to_hit) * 12 + i32::from(battle.ground.level[hex.index()]) * 15
}

/// What the next fire would do for it and against it, in expectation; both sides' fire counts in every Combat Turn.
fn fight(battle: &Battle, state: &State, id: Id) -> i32 {
    // During a Round the dice decide; before it, expectations do.
    if matches!(state.agenda.top(), Some(Step::Checks(..) | Step::Advance)) {
        return 0;
    }
    let piece = state.piece(id);
    let enemy = battle.side(id).enemy();
    let around = zones::adjacent_to(battle, state, enemy, piece.hex);
    let n = around.count_ones() as i32;
    if n == 0 {
        return long_range(battle, state, id);
    }
    let mut balance = 0;
    for d in directions(around) {
        let Some(other) = state.at(battle.ground.beyond[piece.hex.index()][d]) else { continue };
        let share = i32::from(piece.intact()) * 10 / n;
        let chance = i32::from(fire::chance(battle, state, id, other, FireKind::Round).sum()).clamp(1, 9);
        balance += share * chance * worth_of_hit(battle, other) / 100;
        if piece.approach & 1 << d != 0 {
            let chance =
                i32::from(fire::chance(battle, state, other, id, FireKind::Approach).sum()).clamp(1, 9);
            balance -= i32::from(state.piece(other).intact()) * 10 * chance * worth_of_hit(battle, id) / 200;
        }
    }
    balance
}

/// A hit costs about two thirds of a loss, and more for guns and horse.
fn worth_of_hit(battle: &Battle, id: Id) -> i32 {
    if battle.unit(id).arm == Arm::Infantry { 250 } else { 500 }
}

/// Guns with a target.
fn long_range(battle: &Battle, state: &State, id: Id) -> i32 {
    let piece = state.piece(id);
    if !battle.unit(id).arm.has_guns() || piece.intact() == 0 {
        return 0;
    }
    let seen = &battle.ground.sees[piece.hex.index()];
    let enemies = combat::army(battle, state, battle.side(id).enemy());
    let best = enemies.into_iter().filter(|&e| seen.contains(state.piece(e).hex)).map(|e| {
        let chance = i32::from(fire::chance(battle, state, id, e, FireKind::Bombardment).sum()).clamp(1, 9);
        i32::from(piece.intact()) * chance * worth_of_hit(battle, e) / 40
    });
    best.max().unwrap_or(0)
}
