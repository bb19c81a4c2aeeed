//! Offers: a rich, well-spread sample of what the rules allow, each of which has passed the same checks as any action.

use std::cell::OnceCell;

use arrayvec::ArrayVec;
use table::{Angle, INCH, MIL, Pt, Spot};

use crate::action::{Action, fits};
use crate::field::{Field, Surroundings};
use crate::rules::charges::defensive_fire::{odd_takers, tests_to_order};
use crate::rules::charges::line::{could_charge, may_charge};
use crate::rules::charges::{ChargeStep, rival_supports};
use crate::rules::command::maneuvers::{Change, Double, Maneuver, Slant, Trail, rate};
use crate::rules::command::roads::on_road;
use crate::rules::command::{Order, awaits_order, plan_among, surroundings};
use crate::rules::commanders::flight;
use crate::rules::formations::{Arm, COMMANDER_MOVE, Formation, POINT_BLANK};
use crate::rules::melee::aftermath::breakers;
use crate::rules::melee::{self, MeleeStep};
use crate::rules::sequence::{self, Step};
use crate::rules::shooting;
use crate::setup::battle::{Battle, BrigadeId, CommanderId, Flags, State, UnitId, Units};

pub(crate) fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    if state.outcome.is_some() {
        return;
    }
    let field = Field::new(battle, state);
    let Some(top) = state.agenda.top() else { return };
    match top {
        Step::ChooseFirst { .. } => out.extend([Action::Go { first: true }, Action::Go { first: false }]),
        Step::Attach => attaching(&field, out),
        Step::Charges => charging(&field, out),
        Step::Activate => {
            out.extend(
                sequence::to_activate(battle, state).into_iter().map(|brigade| Action::Activate { brigade }),
            );
        }
        Step::Orders { brigade } => orders(&field, brigade, out),
        Step::BrigadeRides { brigade } => {
            out.push(Action::Pass);
            rides(&field, battle.brigade(brigade).commander, out);
        }
        Step::ArmyRides => {
            out.push(Action::Pass);
            if let Some(c) = battle.army_commander(state.active) {
                rides(&field, c, out);
            }
        }
        Step::Shooting => shots(&field, out),
        Step::ShotTests => picks(&sequence::shaky(battle, state), out),
        Step::MeleePhase => picks(&melee::unfought(battle, state), out),
        Step::Charge(ChargeStep::Countercharge) => out.extend([Action::Pass, Action::Countercharge]),
        Step::Charge(ChargeStep::Supports) => picks(&rival_supports(&field), out),
        Step::Charge(ChargeStep::WhoFires) => {
            if let Some(charge) = &state.charge {
                out.push(Action::Pick { unit: charge.target });
                out.extend(charge.support.map(|unit| Action::Pick { unit }));
            }
        }
        Step::Charge(ChargeStep::Odd { shooter }) => picks(&odd_takers(&field, shooter), out),
        Step::Charge(ChargeStep::Tests) => picks(&tests_to_order(battle, state), out),
        Step::Melee(MeleeStep::Split) => {
            if let Some((_, foes)) = melee::odd_dice(battle, state) {
                picks(&foes, out);
            }
        }
        Step::Melee(MeleeStep::Tests) => picks(&melee::flagged(battle, state, Flags::LOSER), out),
        Step::Melee(MeleeStep::Retires) => picks(&melee::retirers(battle, state), out),
        Step::Melee(MeleeStep::Breakthrough) => breakthroughs(&field, out),
        Step::Reroll { .. } => out.extend([Action::Pass, Action::Reroll]),
        Step::RetireSide { .. } => out.extend([Action::Aside { left: true }, Action::Aside { left: false }]),
        Step::Flee { commander } => flights(&field, commander, out),
        _ => {}
    }
}

fn picks(units: &[UnitId], out: &mut Vec<Action>) {
    out.extend(units.iter().map(|unit| Action::Pick { unit: *unit }));
}

fn offer_if_fit(field: &Field<'_>, action: Action, out: &mut Vec<Action>) {
    if fits(field, &action).is_ok() && !out.contains(&action) {
        out.push(action);
    }
}

fn attaching(field: &Field<'_>, out: &mut Vec<Action>) {
    out.push(Action::Pass);
    for c in field.battle.all_officers().filter(|c| field.battle.officer(*c).side == field.state.active) {
        for u in field.of_side(field.state.active) {
            let own = field.battle.officer(c).brigade.is_none_or(|b| b == field.battle.unit(u).brigade);
            if own {
                offer_if_fit(field, Action::Attach { commander: c, unit: u }, out);
            }
        }
        if let Some(u) = field.state.commanders[c.i()].attached {
            let rect = field.rect(u);
            let away = field.battle.officer(c).radius() + INCH;
            for (side, reach) in [(18_000, rect.b), (9_000, rect.a), (-9_000, rect.a), (0, rect.b)] {
                let to = (rect.centre + rect.facing.turned(side).dir().times(reach + away)).spot();
                offer_if_fit(field, Action::Detach { commander: c, to }, out);
            }
        }
    }
}

/// Each target by each unit alone, by every pair, and by all who can reach it.
fn charging(field: &Field<'_>, out: &mut Vec<Action>) {
    out.push(Action::Pass);
    let able: Vec<UnitId> = field
        .of_side(field.state.active)
        .filter(|u| !field.state.unit(*u).flags.has(Flags::ORDERED) && may_charge(field, *u).is_ok())
        .collect();
    for target in field.of_side(!field.state.active) {
        if field.state.charged & (1 << target.0) != 0 {
            continue;
        }
        let reach: Vec<UnitId> =
            able.iter().copied().filter(|u| could_charge(field, *u, target)).take(8).collect();
        let mut groups: Vec<Units> = reach.iter().map(|u| [*u].into_iter().collect()).collect();
        for (i, a) in reach.iter().enumerate() {
            groups.extend(reach[i + 1..].iter().map(|b| [*a, *b].into_iter().collect::<Units>()));
        }
        if reach.len() > 2 {
            groups.push(reach.iter().copied().collect());
        }
        for by in groups {
            let single = by.len() == 1;
            let action = Action::Charge { target, by };
            if single {
                out.push(action);
            } else {
                offer_if_fit(field, action, out);
            }
        }
    }
}

fn orders(field: &Field<'_>, brigade: BrigadeId, out: &mut Vec<Action>) {
    let waiting = field.of_side(field.state.active).filter(|u| field.battle.unit(*u).brigade == brigade);
    let mut way = Trail::new();
    for u in waiting.filter(|u| awaits_order(field.state, *u)) {
        out.push(Action::Order { unit: u, order: Order::Hold });
        let near = Surroundings::new(field, u, i64::from(rate(field, u)) * MIL);
        let far = OnceCell::new();
        let mut give = |order: Order| {
            let about = match order {
                Order::March { .. } => far.get_or_init(|| surroundings(field, u, &order)),
                _ => &near,
            };
            let fits = plan_among(about, &order, &mut way).is_ok();
            if fits {
                out.push(Action::Order { unit: u, order });
            }
            fits
        };
        if field.state.unit(u).hits > 0 || field.state.unit(u).shaken {
            give(Order::Rally);
        }
        let goals = goals(field, u);
        if field.state.brigade_broken(brigade) {
            for degrees in [0, -20, 20, -45, 45] {
                let maneuver = Maneuver::Retire { degrees };
                give(Order::Advance { maneuver, change: Change::None, exit: false });
                give(Order::Advance { maneuver, change: Change::None, exit: true });
            }
        } else {
            moves(field, u, &goals, &mut give);
        }
        reforms(field, u, &goals, &mut give);
    }
}

/// A place worth going to: how far the leader point is from it, and the turn from the unit's facing towards it.
#[derive(Debug, Clone, Copy)]
struct Goal {
    reach: i32,
    turn: i32,
}

/// The enemies and objectives that matter most to a unit: the nearest ones.
fn goals(field: &Field<'_>, u: UnitId) -> ArrayVec<Goal, 3> {
    let rect = field.rect(u);
    let mut nearest: ArrayVec<(i64, Pt), 3> = ArrayVec::new();
    for e in field.enemies(u) {
        let enemy = field.rect(e);
        // Farther by its own axes than the two found so far: no need to measure.
        if nearest.len() == 2 && rect.gap(enemy) > nearest[1].0 {
            continue;
        }
        let found = (rect.distance(enemy), enemy.centre);
        let at = nearest.iter().position(|n| found < *n).unwrap_or(nearest.len());
        nearest.insert(at, found);
        nearest.truncate(2);
    }
    let objectives = field.battle.objectives.iter().map(|o| (rect.distance_to(o.at.pt()), o.at.pt()));
    nearest.extend(objectives.min_by_key(|(away, _)| *away).filter(|(away, _)| *away > INCH));
    let goal = |p: Pt| Goal {
        reach: (rect.front.to(p) / MIL) as i32,
        turn: rect.facing.turn_to(Angle::of(p - rect.centre)),
    };
    nearest.into_iter().map(|(_, p)| goal(p)).collect()
}

/// The moves of an order that are offered; `give` says whether one is possible.
fn moves(field: &Field<'_>, u: UnitId, goals: &[Goal], give: &mut impl FnMut(Order) -> bool) {
    const TURNS: [i32; 6] = [-9_000, -4_500, -2_000, 2_000, 4_500, 9_000];
    let full = rate(field, u);
    let half = full / 2;
    let formation = field.state.unit(u).formation;
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
    if field.battle.unit(u).arm != Arm::Infantry {
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
        if on_road(field, u).is_some() {
            for by in [2 * full, full + half, full, half] {
                give(Order::March { double: Double::Road { by }, exit: false });
            }
        }
    }
    if field.state.unit(u).shaken {
        let maneuver = Maneuver::Retire { degrees: 0 };
        give(Order::Advance { maneuver, change: Change::None, exit: true });
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

fn reforms(field: &Field<'_>, u: UnitId, goals: &[Goal], give: &mut impl FnMut(Order) -> bool) {
    let facing = field.state.unit(u).pose.facing;
    let mut facings: ArrayVec<Angle, 8> = ArrayVec::new();
    facings.push(facing);
    facings.extend(goals.iter().map(|g| facing.turned(g.turn)));
    facings.extend([facing.turned(9_000), facing.turned(-9_000), facing.reversed()]);
    for formation in field.battle.unit(u).arm.formations() {
        let same = *formation == field.state.unit(u).formation;
        for (i, f) in facings.iter().enumerate() {
            let no_change = same && *f == facing;
            if !no_change && !facings[..i].contains(f) {
                give(Order::Reform { formation: *formation, facing: *f });
            }
        }
    }
}

/// Behind each unit he commands, and a rose of directions.
fn rides(field: &Field<'_>, c: CommanderId, out: &mut Vec<Action>) {
    let officer = field.battle.officer(c);
    let from = field.state.commanders[c.i()].at.pt();
    for u in field.of_side(officer.side) {
        if officer.brigade.is_none_or(|b| b == field.battle.unit(u).brigade) {
            let rect = field.rect(u);
            let to = rect.rear_middle() - rect.ahead.times(officer.radius() + INCH);
            offer_if_fit(field, Action::Ride { commander: c, to: to.spot() }, out);
        }
    }
    for i in 0..12 {
        for length in [6 * INCH, 12 * INCH, COMMANDER_MOVE - INCH] {
            let to = (from + Angle::degrees(30 * i).dir().times(length)).spot();
            offer_if_fit(field, Action::Ride { commander: c, to }, out);
        }
    }
}

fn shots(field: &Field<'_>, out: &mut Vec<Action>) {
    out.push(Action::Pass);
    for u in field.of_side(field.state.active).filter(|u| shooting::may_shoot(field, *u).is_ok()) {
        for target in field.enemies(u) {
            if shooting::may_be_shot(field, u, target).is_ok() {
                out.push(Action::Shoot { unit: u, target });
            }
        }
    }
}

fn breakthroughs(field: &Field<'_>, out: &mut Vec<Action>) {
    out.push(Action::Pass);
    let able = breakers(field.battle, field.state);
    for u in &able {
        offer_if_fit(field, Action::BreakThrough { by: [*u].into_iter().collect() }, out);
    }
    if able.len() > 1 {
        offer_if_fit(field, Action::BreakThrough { by: able }, out);
    }
}

/// Directions for the commander of a Broken unit, the own table edge first (R44).
fn flights(field: &Field<'_>, c: CommanderId, out: &mut Vec<Action>) {
    use crate::setup::battle::Border;
    let home = match field.battle.armies[field.battle.officer(c).side].own_edge {
        Border::South => Angle::SOUTH,
        Border::North => Angle::NORTH,
        Border::West => Angle::WEST,
        Border::East => Angle::EAST,
    };
    let here: Spot = field.state.commanders[c.i()].at;
    for i in 0..72 {
        let turn = [0, 1, -1][i % 3] * 500 * (i as i32 / 3 + i32::from(i % 3 > 0));
        if let Some(to) = flight(field, c, home.turned(turn))
            && to != here
            && out.len() < 16
        {
            offer_if_fit(field, Action::Ride { commander: c, to }, out);
        }
    }
    if out.is_empty() {
        offer_if_fit(field, Action::Ride { commander: c, to: here }, out);
    }
}
