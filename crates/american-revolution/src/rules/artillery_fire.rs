//! 11. Defensive Artillery Fire, and what both kinds of fire share.

use game::words::does;
use game::{Die, Effects, Entry, Kind, Modifier, Place, RollNote, Test};
use hexmap::{Hex, HexSet};

use crate::action::Action;
use crate::legal::{Bar, Lawful};
use crate::rules::charts::Terrain;
use crate::rules::results::{self, Effect, Hit};
use crate::rules::sequence::Step;
use crate::rules::{close_combat, stacking};
use crate::setup::battle::Battle;
use crate::setup::ground::Sight;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::State;

/// Every hex that holds combat units (11.42.b).
#[must_use]
pub fn occupied(battle: &Battle, state: &State) -> HexSet {
    (battle.all_units() & state.on_map()).filter_map(|u| state.hex(u)).collect()
}

/// Whether a gun may fire in this phase at all (11.1).
fn may_fire(battle: &Battle, state: &State, gun: Piece) -> Lawful {
    if !battle.roles.artillery.has(gun) || state.hex(gun).is_none() {
        return Err(Bar::new(cite!("11.1.a"), "only artillery on the map fires in this phase"));
    }
    if !battle.units[!state.phasing].has(gun) {
        return Err(Bar::new(cite!("11.1.a"), "only the non-phasing player's artillery fires"));
    }
    if state.acted.has(gun) {
        return Err(Bar::new(cite!("11.1.c"), "it has fired in this phase"));
    }
    may_fire_in_its_order(state, gun)
}

pub(crate) fn may_fire_in_its_order(state: &State, unit: Piece) -> Lawful {
    if state.disrupted.has(unit) {
        return Err(Bar::new(cite!("13.3.e"), "it is disrupted"));
    }
    if state.shattered.has(unit) {
        return Err(Bar::new(cite!("13.4.b"), "it is shattered"));
    }
    Ok(())
}

/// Whether a gun reaches and sees a hex (11.2.a, 11.2.d, 11.41.a).
pub(crate) fn may_reach(battle: &Battle, state: &State, gun: Piece, at: Hex, occupied: &HexSet) -> Lawful {
    let Some(from) = state.hex(gun) else { return Err(Bar::other("the gun is not on the map")) };
    let (far, range) = (battle.ground.grid.distance(from, at), battle.charts.artillery_range);
    if far > range.into() {
        return Err(Bar::short(cite!("11.2.d"), "the target is out of range", far.min(99) as u8, range));
    }
    if battle.roles.indirect.has(gun) {
        return Ok(());
    }
    match battle.ground.sight(&battle.charts, from, at, occupied) {
        Sight::Clear => Ok(()),
        Sight::Terrain => Err(Bar::new(cite!("11.42.a"), "blocking terrain lies in the line of sight")),
        Sight::Unit => Err(Bar::new(cite!("11.42.b"), "a hex with combat units lies in the line of sight")),
        Sight::Slope => Err(Bar::new(cite!("11.43.b"), "a slope lies in the line of sight")),
    }
}

/// Enemy units in a hex that may still be fired on in this phase.
#[must_use]
pub fn marks(battle: &Battle, state: &State, at: Hex, by: game::Side) -> Pieces {
    state.units_in(battle, at, !by) - state.targeted
}

pub(crate) fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    let side = !state.phasing;
    let ready: Pieces = (battle.roles.artillery & battle.units[side])
        .filter(|&g| may_fire(battle, state, g).is_ok())
        .collect();
    if !ready.is_empty() {
        let occupied = occupied(battle, state);
        let foes: HexSet = (battle.units[!side] & state.on_map()).filter_map(|u| state.hex(u)).collect();
        for at in foes {
            if marks(battle, state, at, side).is_empty() {
                continue;
            }
            let able: Pieces =
                ready.filter(|&g| may_reach(battle, state, g, at, &occupied).is_ok()).collect();
            out.extend(able.subsets().map(|guns| Action::Bombard { guns, at }));
        }
    }
    out.push(Action::Done);
}

/// Whether any gun has anything to fire at.
#[must_use]
pub fn anybody(battle: &Battle, state: &State) -> bool {
    let side = !state.phasing;
    let ready: Pieces = (battle.roles.artillery & battle.units[side])
        .filter(|&g| may_fire(battle, state, g).is_ok())
        .collect();
    if ready.is_empty() {
        return false;
    }
    let occupied = occupied(battle, state);
    (battle.units[!side] & state.on_map())
        .filter(|&u| !state.targeted.has(u))
        .filter_map(|u| state.hex(u))
        .any(|at| {
            let mut guns = ready;
            guns.any(|g| may_reach(battle, state, g, at, &occupied).is_ok())
        })
}

pub(crate) fn check(battle: &Battle, state: &State, action: &Action) -> Lawful {
    match *action {
        Action::Bombard { guns, at } => check_guns(battle, state, guns, at),
        Action::Done => Ok(()),
        _ => Err(Bar::other("this is the defensive artillery fire phase")),
    }
}

fn check_guns(battle: &Battle, state: &State, guns: Pieces, at: Hex) -> Lawful {
    if guns.is_empty() || at.index() >= battle.ground.grid.len() {
        return Err(Bar::other("no gun, or no hex of the map, was named"));
    }
    let occupied = occupied(battle, state);
    for gun in guns {
        if gun.index() >= battle.counters.len() {
            return Err(Bar::other("there is no such piece"));
        }
        may_fire(battle, state, gun)?;
        may_reach(battle, state, gun, at, &occupied)?;
    }
    check_marks(battle, state, at, !state.phasing, cite!("11.2.a"), cite!("11.2.b"))
}

pub(crate) fn check_marks(
    battle: &Battle,
    state: &State,
    at: Hex,
    by: game::Side,
    none: game::Rule,
    spent: game::Rule,
) -> Lawful {
    if state.units_in(battle, at, !by).is_empty() {
        return Err(Bar::new(none, "no enemy combat unit is there"));
    }
    if marks(battle, state, at, by).is_empty() {
        return Err(Bar::new(spent, "every unit there has been fired on in this phase"));
    }
    Ok(())
}

/// Fire is committed to a hex; its stack may now be examined (7.42.b), and one unit is picked.
pub(crate) fn commit(
    battle: &Battle,
    state: &mut State,
    by: Pieces,
    at: Hex,
    rifles: bool,
    fx: &mut impl Effects,
) {
    let side = if by.meets(battle.units.first) { game::Side::First } else { game::Side::Second };
    state.acted |= by;
    stacking::examine(battle, state, side, at, fx);
    stacking::show(battle, state, by);
    state.agenda.push(Step::Aiming { by, at, rifles });
}

/// Whose fire it is.
#[must_use]
pub fn firing_side(battle: &Battle, by: Pieces) -> game::Side {
    if by.meets(battle.units.first) { game::Side::First } else { game::Side::Second }
}

pub(crate) fn step_aiming(
    battle: &Battle,
    state: &mut State,
    by: Pieces,
    at: Hex,
    rifles: bool,
    fx: &mut impl Effects,
) -> bool {
    let marks = marks(battle, state, at, firing_side(battle, by));
    if marks.is_empty() {
        // The stack turns out to be leaders alone: the fire hits nobody.
        state.agenda.pop();
        return true;
    }
    let Some(only) = marks.only() else { return false };
    aim(battle, state, by, only, rifles, fx);
    true
}

pub(crate) fn check_target(
    battle: &Battle,
    state: &State,
    by: Pieces,
    at: Hex,
    rifles: bool,
    action: &Action,
) -> Lawful {
    let Action::Target(unit) = *action else { return Err(Bar::other("the target in the hex is picked")) };
    if marks(battle, state, at, firing_side(battle, by)).has(unit) {
        return Ok(());
    }
    let rule = match (state.targeted.has(unit), rifles) {
        (true, true) => cite!("10.2.c"),
        (true, false) => cite!("11.2.b"),
        (false, true) => cite!("10.2.b"),
        (false, false) => cite!("11.2.a"),
    };
    Err(Bar::new(
        rule,
        "the target must be an enemy combat unit of that hex that has not been fired on in this phase",
    ))
}

pub(crate) fn aim(
    battle: &Battle,
    state: &mut State,
    by: Pieces,
    target: Piece,
    rifles: bool,
    fx: &mut impl Effects,
) {
    state.agenda.pop();
    state.targeted.add(target);
    if rifles {
        crate::rules::rifle_fire::announce(battle, state, by, target, fx);
        return;
    }
    let hit = shoot(battle, state, by, target, false, fx);
    state.netting = true;
    state.agenda.push(Step::Settle);
    state.agenda.push(Step::Struck { unit: target, hit });
}

/// One fire: to hit, then damage (10.3, 11.3).
pub(crate) fn shoot(
    battle: &Battle,
    state: &State,
    by: Pieces,
    target: Piece,
    rifles: bool,
    fx: &mut impl Effects,
) -> Hit {
    let Some(at) = state.hex(target) else { return Hit::NOTHING };
    let sp: u8 = by.map(|u| state.fire_strength(battle, u)).sum();
    let range = by
        .filter_map(|u| state.hex(u))
        .map(|hex| battle.ground.grid.distance(hex, at) as u8)
        .max()
        .unwrap_or(1);
    let mut drm = 0;
    fire_drms(battle, state, by, target, rifles, &mut |value, _, _| drm += value);
    let need = battle.charts.to_hit(sp, range) - drm;
    let test = Test::at_least(Die::Z10, need.into());
    let (roll_rule, damage_rule) =
        if rifles { (cite!("10.3.b"), cite!("10.3.c")) } else { (cite!("11.3.a"), cite!("11.3.b")) };
    let note = || {
        let names: Vec<&str> = by.map(|u| battle.counter(u).name.as_str()).collect();
        let mut modifiers = Vec::new();
        fire_drms(battle, state, by, target, rifles, &mut |value, reason, rule| {
            modifiers.push(Modifier::new(value.into(), reason, rule))
        });
        let mut note = RollNote::new(
            format!(
                "{} at {} with {sp} SP at range {range}",
                fire_words(&names),
                battle.counter(target).name
            ),
            roll_rule,
        )
        .side(firing_side(battle, by))
        .at(target.id())
        .modifiers(modifiers);
        note.by = by.first().map(Piece::id);
        note
    };
    let hit = if rifles && crate::rules::rifle_fire::fires_twice(battle, state, by, at) {
        fx.count(2, test, note) > 0
    } else {
        fx.passes(test, note)
    };
    if !hit {
        return Hit::NOTHING;
    }
    let table = if rifles { &battle.charts.rifle_damage } else { &battle.charts.artillery_damage };
    let face = fx.die(Die::Z10, || {
        let who = &battle.counter(target).name;
        let mut note = RollNote::new(format!("Damage to {who}"), damage_rule)
            .outcomes(table.iter().map(|hit| format!("{}, {}", hit.words(), hit.told("the target"))))
            .side(firing_side(battle, by))
            .at(target.id());
        note.by = by.first().map(Piece::id);
        note
    });
    let damage = table[usize::from(face)];
    fx.tell(|| {
        Entry::new(
            Kind::Fire,
            format!("{}: {}.", does(&battle.counter(target).name, "is hit"), damage.told("it")),
        )
        .side(battle.side(target))
        .rule(damage_rule)
        .piece(target.id())
        .place(Place::Hex(battle.hex_name(at)))
    });
    damage
}

/// Calls `each` with every ranged fire DRM.
pub(crate) fn fire_drms(
    battle: &Battle,
    state: &State,
    by: Pieces,
    target: Piece,
    rifles: bool,
    each: &mut impl FnMut(i8, &'static str, game::Rule),
) {
    let chart = &battle.charts.fire;
    let mut add = |value: i8, reason: &'static str, rule: game::Rule| {
        if value != 0 {
            each(value, reason, rule);
        }
    };
    if rifles && by.within(state.unfired) {
        add(chart.first_fire, "first fire", cite!("10.5.a"));
    }
    let rule = if rifles { cite!("10.3.b") } else { cite!("11.3.a") };
    add(fire_terrain(battle, state, by, target), "the target's ground", rule);
    if battle.rains(state.turn) {
        add(chart.rain, "rain", cite!("1.c"));
    }
    if battle.is_dusk(state.turn) {
        add(battle.special.dusk, "dusk", cite!("freemans-farm.k"));
    }
}

/// Cover, works and slope together, never below the floor; a shattered target gets nothing from its ground (13.4.c).
fn fire_terrain(battle: &Battle, state: &State, by: Pieces, target: Piece) -> i8 {
    let chart = &battle.charts.fire;
    let Some(at) = state.hex(target).filter(|_| !state.shattered.has(target)) else { return 0 };
    let here = state.units_in(battle, at, battle.side(target)) - battle.roles.artillery;
    let sheltered = battle.special.shelter == 0
        || close_combat::strength(battle, state, here, false) <= u16::from(battle.special.shelter);
    let mut terrain = match battle.ground.terrain[at.index()] {
        Terrain::LightForest => chart.light_forest,
        Terrain::Orchard => chart.orchard,
        Terrain::HeavyForest => chart.heavy_forest,
        Terrain::Building if sheltered => chart.building,
        _ => 0,
    };
    let all = |test: &dyn Fn(Hex) -> bool| by.filter_map(|u| state.hex(u)).all(test);
    if all(&|from| battle.ground.enters_works(from, at)) {
        terrain += chart.into_fieldworks;
    }
    if all(&|from| battle.ground.up_slope(at, from)) {
        terrain += chart.target_up_slope;
    }
    terrain.max(chart.terrain_floor)
}

/// The target of a fire suffers what the damage table says; nobody else of the hex but a leader (10.3.d, 13.1.ac).
pub(crate) fn struck(battle: &Battle, state: &mut State, unit: Piece, hit: Hit, fx: &mut impl Effects) {
    state.agenda.pop();
    let leaders =
        state.hex(unit).map_or(Pieces::NONE, |hex| state.in_hex(hex) & battle.leaders[battle.side(unit)]);
    if hit.star {
        state.agenda.push(Step::Casualty(leaders));
    }
    match hit.effect {
        Effect::ArmyMorale => results::am_result(battle, state, unit, fx),
        Effect::Retreat => results::retreat_one(battle, state, unit),
        Effect::Disrupt => results::disrupt(battle, state, unit, fx),
        Effect::Step => results::one_step(battle, state, unit, fx),
        Effect::TwoSteps => {
            for _ in 0..state.steps(battle, unit) {
                results::one_step(battle, state, unit, fx);
            }
        }
        _ => {}
    }
}

/// `9th Foot fires`, `A and B fire`.
pub(crate) fn fire_words(names: &[&str]) -> String {
    match names {
        [one] => does(one, "fires"),
        [first @ .., last] => format!("{} and {last} fire", first.join(", ")),
        [] => "Nobody fires".into(),
    }
}
