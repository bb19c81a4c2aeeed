//! 9.6 Combat results and 9.7 the morale check.

use game::words::does;
use game::{Die, Effects, Kind, Modifier, RollNote, Test};
use hexmap::Hex;

use crate::rules::charts::Cell;
use crate::rules::concepts::{leaders_in, lose, piece_entry, shattered};
use crate::rules::{leaders, retreat, sight, tide};
use crate::setup::battle::Battle;
use crate::state::{Phase, Piece, State, Step, Task, UnitId, Units, Why};

/// A result in words, for a target that is routed already or not.
pub(crate) fn words(cell: Cell, routed: bool) -> String {
    match cell {
        Cell::Nothing => "no result".into(),
        Cell::Check if routed => "three hexes further back".into(),
        Cell::Loss(n) | Cell::Retreat(n) if routed => format!("{n} SP lost and three hexes further back"),
        Cell::Check => "a morale check".into(),
        Cell::Loss(n) => format!("{n} SP lost and a morale check"),
        Cell::Retreat(n) => format!("{n} SP lost, a retreat and a morale check"),
    }
}

/// 9.6, R18: loss; leader checks; for R guns limber and leaders choose; retreat; morale. The last is pushed first.
pub(crate) fn apply(
    battle: &Battle,
    state: &mut State,
    target: UnitId,
    at: Hex,
    cell: Cell,
    ten: bool,
    fx: &mut impl Effects,
) {
    let side = battle.unit(target).side;
    if state.phase == Phase::Offensive {
        state.fire.defended = sight::standing(battle, state, side);
        state.agenda.push(Step::Advance);
    }
    let (loss, back) = match cell {
        Cell::Nothing => {
            if ten {
                leaders::check_each(state, leaders_in(battle, state, side, at));
            }
            return;
        }
        Cell::Check => (0, false),
        Cell::Loss(n) => (n, false),
        Cell::Retreat(n) => (n, true),
    };
    let below = state.agenda.depth();
    if !lose(battle, state, target, loss, fx) {
        return;
    }
    debug_assert_eq!(state.agenda.depth(), below, "a unit that lives leaves no leader behind");
    if state.unit(target).routed {
        retreat::begin(battle, state, target, true);
    } else {
        state.agenda.push(Step::Morale { unit: target, why: Why::Fire });
        if back {
            retreat::begin(battle, state, target, false);
        }
    }
    if ten {
        leaders::check_each(state, leaders_in(battle, state, side, at));
    }
}

/// 9.7: the terrain modifier of the morale die, at most one, the best for the unit.
pub(crate) fn terrain_morale(battle: &Battle, state: &State, unit: UnitId) -> i16 {
    let Some(hex) = state.unit(unit).post.hex() else { return 0 };
    let terrain = battle.charts.terrain[usize::from(battle.map.terrain[hex.index()])].morale;
    let works = if state.works.contains(hex) { battle.charts.works_morale } else { 0 };
    i16::from(terrain.min(works))
}

/// The unit's morale number now: the back of the counter may have another colour.
pub(crate) fn morale_number(battle: &Battle, state: &State, unit: UnitId) -> i16 {
    let sheet = battle.unit(unit);
    if shattered(battle, state, unit) { sheet.back_morale.number() } else { sheet.morale.number() }
}

/// 9.7: the highest face with which the unit passes; a natural 10 never does.
pub(crate) fn passes_at(battle: &Battle, state: &State, unit: UnitId) -> i16 {
    let leader = i16::from(leaders::bonus(battle, state, unit).is_some());
    (morale_number(battle, state, unit) + leader - terrain_morale(battle, state, unit)).min(9)
}

fn test(battle: &Battle, state: &State, unit: UnitId) -> Test {
    Test::at_most(Die::D10, passes_at(battle, state, unit))
}

/// Whether a check is passed with this die.
pub(crate) fn passed_by(battle: &Battle, state: &State, unit: UnitId, natural: u8) -> bool {
    test(battle, state, unit).passed_by(natural)
}

fn note(battle: &Battle, state: &State, unit: UnitId, why: Why) -> RollNote {
    let sheet = battle.unit(unit);
    let (what, rule) = match why {
        Why::Fire => ("checks morale", cite!("9.7.b")),
        Why::Passed => ("checks morale: a routing unit came through", cite!("9.8.ab")),
        Why::Rally => ("tries to rally", cite!("10.1.1.a")),
    };
    let number = morale_number(battle, state, unit);
    let mut modifiers = vec![Modifier::new(number, "morale number", cite!("1.1.5.a"))];
    if let Some(leader) = leaders::bonus(battle, state, unit) {
        modifiers.push(Modifier::new(
            1,
            format!("{} is with it", battle.leader(leader).name),
            cite!("5.3.a"),
        ));
    }
    let terrain = terrain_morale(battle, state, unit);
    if terrain != 0 {
        modifiers.push(Modifier::new(-terrain, "terrain", cite!("9.7.a")));
    }
    let sum: i16 = modifiers.iter().map(|m| m.value).sum();
    if sum > 9 {
        modifiers.push(Modifier::new(9 - sum, "a 10 always fails", cite!("9.7.c")));
    }
    RollNote::new(does(&sheet.name, what), rule)
        .side(sheet.side)
        .by(battle.piece_id(Piece::Unit(unit)))
        .modifiers(modifiers)
}

/// Rolls the check; the die waits on the table if its owner could still use his Tide of Battle marker.
pub(crate) fn check(battle: &Battle, state: &mut State, unit: UnitId, why: Why, fx: &mut impl Effects) {
    if state.unit(unit).post.hex().is_none() {
        state.agenda.pop();
        return;
    }
    if tide_open(battle, state, unit) {
        let natural = fx.die(Die::D10, || {
            let came = |die| if passed_by(battle, state, unit, die) { "passed" } else { "failed" };
            note(battle, state, unit, why).outcomes((0..=10).map(came))
        });
        state.agenda.replace(Step::MoraleDie { unit, why, natural });
        return;
    }
    state.agenda.pop();
    let passed = fx.passes(test(battle, state, unit), || note(battle, state, unit, why));
    conclude(battle, state, unit, why, passed, fx);
}

/// The die on the table stands.
pub(crate) fn stand(
    battle: &Battle,
    state: &mut State,
    unit: UnitId,
    why: Why,
    natural: u8,
    fx: &mut impl Effects,
) {
    state.agenda.pop();
    let passed = passed_by(battle, state, unit, natural);
    conclude(battle, state, unit, why, passed, fx);
}

/// Whether the owner may re-roll this unit's check.
pub(crate) fn tide_open(battle: &Battle, state: &State, unit: UnitId) -> bool {
    let mut involved = Units::EMPTY;
    involved.insert(unit);
    tide::may_use(state, battle.unit(unit).side, involved)
}

fn conclude(battle: &Battle, state: &mut State, unit: UnitId, why: Why, passed: bool, fx: &mut impl Effects) {
    let name = &battle.unit(unit).name;
    match (why, passed) {
        (Why::Rally, true) => {
            state.unit_mut(unit).routed = false;
            fx.tell(|| {
                piece_entry(battle, state, Kind::Rally, does(name, "rallies."), unit).rule(cite!("10.1.1.a"))
            });
        }
        (Why::Rally, false) => fx.tell(|| {
            piece_entry(battle, state, Kind::Check, does(name, "stays routed."), unit).rule(cite!("10.1.1.b"))
        }),
        (_, true) => fx.tell(|| {
            piece_entry(battle, state, Kind::Check, does(name, "stands."), unit).rule(cite!("9.7.b"))
        }),
        (_, false) => rout(battle, state, unit, fx),
    }
}

/// 9.8: the unit routs, or, if it is routed already, routs on (R27).
fn rout(battle: &Battle, state: &mut State, unit: UnitId, fx: &mut impl Effects) {
    let here = state.unit_mut(unit);
    let (what, rule) = if here.routed { ("routs on.", cite!("9.8.ab")) } else { ("routs.", cite!("9.8.n")) };
    here.routed = true;
    here.task = Task::None;
    fx.tell(|| {
        let text = does(&battle.unit(unit).name, what);
        piece_entry(battle, state, Kind::Retreat, text, unit).rule(rule)
    });
    retreat::begin(battle, state, unit, true);
}
