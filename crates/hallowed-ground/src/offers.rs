//! Offers: a rich, well-spread sample of what the rules allow, each of which has passed the same checks as any action.

use table::{Angle, INCH, MIL, Pt, Spot};

use crate::action::{Action, fits};
use crate::aftermath::breakers;
use crate::charge_line::{line_of_charge, may_charge};
use crate::charges::{ChargeStep, odd_takers};
use crate::command::{Order, awaits_order};
use crate::commanders::flight;
use crate::field::Field;
use crate::formations::{COMMANDER_MOVE, Formation, POINT_BLANK};
use crate::maneuvers::{Change, Double, Maneuver, Slant, on_road, rate};
use crate::melee::{self, MeleeStep};
use crate::muster::{Battle, BrigadeId, CommanderId, Flags, State, UnitId, Units};
use crate::shooting;
use crate::turn::{self, Step};

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
                turn::to_activate(battle, state).into_iter().map(|brigade| Action::Activate { brigade }),
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
        Step::ShotTests => picks(&turn::shaky(battle, state), out),
        Step::MeleePhase => picks(&melee::unfought(battle, state), out),
        Step::Charge(ChargeStep::Countercharge) => out.extend([Action::Pass, Action::Countercharge]),
        Step::Charge(ChargeStep::WhoFires) => {
            if let Some(charge) = &state.charge {
                out.push(Action::Pick { unit: charge.target });
                out.extend(charge.support.map(|unit| Action::Pick { unit }));
            }
        }
        Step::Charge(ChargeStep::Odd { shooter }) => picks(&odd_takers(&field, shooter), out),
        Step::Melee(MeleeStep::Split) => {
            if let Some((_, foes)) = melee::odd_dice(battle, state) {
                picks(&foes, out);
            }
        }
        Step::Melee(MeleeStep::Tests) => picks(&melee::flagged(battle, state, Flags::LOSER), out),
        Step::Melee(MeleeStep::Retires) => picks(&melee::flagged(battle, state, Flags::RETIRING), out),
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
        let reach: Vec<UnitId> = able
            .iter()
            .copied()
            .filter(|u| line_of_charge(field, *u, target, &[*u]).is_ok())
            .take(8)
            .collect();
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
    for u in waiting.filter(|u| awaits_order(field.state, *u)) {
        out.push(Action::Order { unit: u, order: Order::Hold });
        let start = out.len();
        let mut give = |order: Order| {
            let action = Action::Order { unit: u, order };
            if !out[start..].contains(&action) && fits(field, &action).is_ok() {
                out.push(action);
            }
        };
        if field.state.unit(u).hits > 0 || field.state.unit(u).shaken {
            give(Order::Rally);
        }
        if field.state.brigade_broken(brigade) {
            for degrees in [0, -20, 20, -45, 45] {
                give(Order::Advance { maneuver: Maneuver::Retire { degrees }, exit: false });
                give(Order::Advance { maneuver: Maneuver::Retire { degrees }, exit: true });
            }
        } else {
            moves(field, u, &mut give);
        }
        reforms(field, u, &mut give);
    }
}

/// The turn from a unit's facing towards a point, as far as a pivot goes.
fn turn_towards(field: &Field<'_>, u: UnitId, p: Pt) -> i32 {
    let rect = field.rect(u);
    rect.facing.turn_to(Angle::of(p - rect.centre))
}

/// The enemies and objectives that matter most to a unit: the nearest ones.
fn goals(field: &Field<'_>, u: UnitId) -> Vec<Pt> {
    let rect = field.rect(u);
    let mut enemies: Vec<(i64, Pt)> =
        field.enemies(u).map(|e| (rect.distance(field.rect(e)), field.rect(e).centre)).collect();
    enemies.sort_unstable();
    let mut goals: Vec<Pt> = enemies.into_iter().take(2).map(|(_, p)| p).collect();
    let nearest = field.battle.objectives.iter().map(|o| o.at.pt()).min_by_key(|p| rect.distance_to(*p));
    goals.extend(nearest.filter(|p| rect.distance_to(*p) > INCH));
    goals
}

fn moves(field: &Field<'_>, u: UnitId, give: &mut impl FnMut(Order)) {
    let full = rate(field, u);
    let half = full / 2;
    let formation = field.state.unit(u).formation;
    let advance = |maneuver: Maneuver| Order::Advance { maneuver, exit: false };
    let forward = |first: i32, turn: i32, then: i32| {
        advance(Maneuver::Forward { first, turn, then, change: Change::None })
    };
    for by in [full, full * 3 / 4, half, full / 4] {
        give(forward(by, 0, 0));
    }
    for turn in [-9_000, -4_500, -2_000, 2_000, 4_500, 9_000] {
        give(forward(0, turn, 0));
        give(forward(0, turn, full));
        give(forward(half, turn, half));
    }
    for goal in goals(field, u) {
        let turn = turn_towards(field, u, goal).clamp(-9_000, 9_000);
        if turn != 0 {
            give(forward(0, turn, 0));
            give(forward(0, turn, half));
            give(forward(0, turn, full));
            give(forward(full, turn, 0));
        }
        // Just out of the goal's point blank, and just within it.
        let reach = (field.rect(u).front.to(goal) / MIL) as i32;
        for stop in [reach - (POINT_BLANK / MIL) as i32, reach - 8_100, reach - 14_900] {
            if stop > 0 && stop < full {
                give(forward(0, turn, stop / 100 * 100));
            }
        }
    }
    for right in [false, true] {
        for by in [full, half] {
            give(advance(Maneuver::Oblique { right, by, change: Change::None }));
        }
        give(advance(Maneuver::Sidestep { right, by: half }));
    }
    give(advance(Maneuver::Back { slant: Slant::Straight, by: half }));
    give(advance(Maneuver::Back { slant: Slant::Left, by: half }));
    give(advance(Maneuver::Back { slant: Slant::Right, by: half }));
    for degrees in [0, -30, 30] {
        give(advance(Maneuver::Retire { degrees }));
    }
    conversions(formation, half, &mut |change, by| {
        give(advance(Maneuver::Forward { first: by, turn: 0, then: 0, change }));
    });
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
        give(Order::Advance { maneuver: Maneuver::Retire { degrees: 0 }, exit: true });
    }
}

/// Mounting, dismounting, limbering and deploying, before and after a move of half the rate.
fn conversions(formation: Formation, half: i32, give: &mut impl FnMut(Change, i32)) {
    let to = match formation {
        Formation::Deployed => Formation::Limbered,
        Formation::Limbered => Formation::Deployed,
        Formation::DismountedLine => Formation::SupportedLine,
        _ => Formation::DismountedLine,
    };
    for by in [0, half / 2, half] {
        give(Change::Before(to), by);
        give(Change::After(to), by);
    }
}

fn reforms(field: &Field<'_>, u: UnitId, give: &mut impl FnMut(Order)) {
    let facing = field.state.unit(u).pose.facing;
    let mut facings = vec![facing];
    facings.extend(goals(field, u).iter().map(|g| facing.turned(turn_towards(field, u, *g))));
    facings.extend([facing.turned(9_000), facing.turned(-9_000), facing.reversed()]);
    for formation in field.battle.unit(u).arm.formations() {
        for (i, f) in facings.iter().enumerate() {
            if *formation != field.state.unit(u).formation || i > 0 {
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
            if shooting::shot(field, u, target).is_ok() {
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
    use crate::muster::Border;
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
