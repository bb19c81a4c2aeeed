//! 7 Offensive Artillery and 9.1 to 9.5 Combat: who may fire at whom, combined fire, the column and the die.

use game::words::{does, number, signed};
use game::{Die, Effects, Entry, Kind, Modifier, Place, RollNote, Side};
use hexmap::{Crossing, Hex, HexSet};

use crate::action::Action;
use crate::refusals::{Bar, bar};
use crate::rules::charts::{Cell, Factor};
use crate::rules::concepts::{leaders_in, on_map};
use crate::rules::{results, sight, tide};
use crate::setup::battle::Battle;
use crate::setup::map::{factor, feature};
use crate::setup::pieces::Arm;
use crate::state::{Fire, Phase, Piece, State, Step, Task, UnitId, Units};

/// Who fires in this phase.
pub(crate) fn firing_side(state: &State) -> Side {
    if state.phase == Phase::Defensive { state.active.enemy() } else { state.active }
}

/// May the unit fire at all in this phase?
pub(crate) fn may_fire(battle: &Battle, state: &State, unit: UnitId) -> Result<Hex, Bar> {
    let sheet = battle.unit(unit);
    let here = state.unit(unit);
    if sheet.side != firing_side(state) {
        return Err(match state.phase {
            Phase::Defensive => {
                bar!("9.2.a", "in defensive fire the units of the player who is not moving fire")
            }
            _ => bar!("9.3.a", "only units of the player whose turn it is fire now"),
        });
    }
    let Some(hex) = here.post.hex() else { return Err(bar!("9.1.a", "it is not on the map")) };
    if here.routed {
        return Err(bar!("9.8.x", "routed units do not fire: it would have to rally"));
    }
    match (sheet.arm, here.deployed) {
        (Arm::Cavalry, false) => {
            return Err(bar!("8.1.9.b", "mounted cavalry does not fire: it would have to be dismounted"));
        }
        (Arm::Artillery, false) if state.phase == Phase::Artillery => {
            return Err(bar!("7.1.a", "limbered guns do not fire: they would have to be unlimbered"));
        }
        (Arm::Artillery, false) => {
            return Err(bar!("8.1.9.a", "limbered guns do not fire: they would have to be unlimbered"));
        }
        _ => {}
    }
    if state.phase == Phase::Artillery && sheet.arm != Arm::Artillery {
        return Err(bar!("7.1.a", "only artillery fires in the Offensive Artillery Phase"));
    }
    if state.phase == Phase::Offensive {
        if sheet.arm == Arm::Artillery {
            return Err(bar!(
                "9.3.b",
                "artillery does not fire in offensive fire: its phase comes before movement"
            ));
        }
        match here.task {
            Task::None => {}
            Task::Build => {
                return Err(bar!("6.1.1.b", "it is building a breastwork and does not fire offensively"));
            }
            Task::Burn(_) => {
                return Err(bar!("6.1.2.b", "it is setting a fire and does not fire offensively"));
            }
        }
    }
    if state.fired.contains(unit) {
        return Err(if state.phase == Phase::Artillery {
            bar!("7.2.1.b", "it has fired in this phase: each artillery unit fires once")
        } else {
            bar!("9.1.3.b", "it has fired in this phase: each unit fires once")
        });
    }
    if battle.is_night(state) && !state.adjacent.contains(unit) {
        return Err(bar!("11.0.b", "at night only units fire that began the turn next to an enemy"));
    }
    Ok(hex)
}

/// May this hex be fired at now, by anybody?
pub(crate) fn may_be_target(battle: &Battle, state: &State, at: Hex) -> Result<(), Bar> {
    let enemies = firing_side(state).enemy();
    let again = || {
        if state.phase == Phase::Artillery {
            bar!("7.2.1.b", "it has been fired at in this phase: each target is fired at once")
        } else {
            bar!("9.1.3.b", "it has been fired at in this phase: each unit is a target once")
        }
    };
    if let Some(unit) = state.unit_at(at) {
        if battle.unit(unit).side != enemies {
            return Err(bar!("9.5.a", "the target must be an enemy"));
        }
        return if state.targeted.contains(unit) { Err(again()) } else { Ok(()) };
    }
    let leaders = leaders_in(battle, state, enemies, at);
    if leaders.is_empty() {
        return Err(bar!("9.5.a", "there is no enemy in the target hex"));
    }
    if leaders.without(state.targeted_leaders).is_empty() {
        return Err(again());
    }
    Ok(())
}

/// 9.5, G2: what range makes of the unit's SP.
pub(crate) fn range_factor(battle: &Battle, state: &State, unit: UnitId, range: u16) -> Option<Factor> {
    if range > 1 && battle.is_night(state) {
        return None;
    }
    let charts = &battle.charts;
    let line = match battle.unit(unit).arm {
        Arm::Infantry => &charts.infantry,
        Arm::Cavalry => &charts.cavalry,
        Arm::Artillery => &charts.artillery,
    };
    factor(line, range)
}

/// May the unit, standing at `from`, reach and see the hex?
fn may_reach(
    battle: &Battle,
    state: &State,
    unit: UnitId,
    from: Hex,
    at: Hex,
    friends: &HexSet,
) -> Result<(), Bar> {
    let range = battle.map.grid.distance(from, at);
    if range_factor(battle, state, unit, range).is_none() {
        return Err(if range > 1 && battle.is_night(state) {
            bar!("11.0.c", "at night nobody fires further than 1 hex")
        } else {
            bar!("9.5.b", "the target is out of its range")
        });
    }
    if !sight::sees(battle, friends, from, at) {
        return Err(if sight::ground_hides(battle, from, at) {
            ground_bar(battle, from, at)
        } else {
            bar!("9.4.g", "the line of sight passes over a friendly unit next to the target")
        });
    }
    Ok(())
}

/// Which of the rules of 9.4 hides the target.
fn ground_bar(battle: &Battle, from: Hex, at: Hex) -> Bar {
    let map = &battle.map;
    let level = |hex: Hex| map.level[hex.index()];
    let woods = |hex: Hex| battle.charts.terrain[usize::from(map.terrain[hex.index()])].blocks;
    let by_terrain =
        map.lines.between(&map.grid, from, at).is_some_and(|line| line.is_blocked_by_both(woods));
    if by_terrain {
        bar!("9.4.d", "woods or a town lie between")
    } else if level(from) > level(at) {
        bar!("9.4.e", "ground as high as the firing unit lies between")
    } else {
        bar!("9.4.f", "ground that hides the target's level lies between")
    }
}

/// May the unit fire at the hex now?
pub(crate) fn may_fire_at(battle: &Battle, state: &State, unit: UnitId, at: Hex) -> Result<(), Bar> {
    let from = may_fire(battle, state, unit)?;
    may_be_target(battle, state, at)?;
    let friends = sight::standing(battle, state, battle.unit(unit).side);
    may_reach(battle, state, unit, from, at, &friends)
}

/// The hexes that may still be fired at.
fn targets(battle: &Battle, state: &State) -> HexSet {
    let enemies = firing_side(state).enemy();
    let mut hexes: HexSet = on_map(battle, state, enemies)
        .filter(|&(_, id)| !state.targeted.contains(id))
        .map(|(hex, _)| hex)
        .collect();
    for leader in battle.leaders_of[enemies].without(state.targeted_leaders).iter() {
        if let Some(hex) = state.leader(leader).post.hex()
            && crate::rules::leaders::alone(battle, state, leader)
        {
            hexes.insert(hex);
        }
    }
    hexes
}

/// Every unit with every hex it may fire at, until `each` says stop.
fn each_fire(battle: &Battle, state: &State, mut each: impl FnMut(UnitId, Hex) -> bool) {
    let side = firing_side(state);
    let targets = targets(battle, state);
    if targets.is_empty() {
        return;
    }
    let friends = sight::standing(battle, state, side);
    for unit in battle.of[side].iter() {
        let Ok(from) = may_fire(battle, state, unit) else { continue };
        let within = if battle.unit(unit).arm == Arm::Artillery {
            targets & (battle.map.seen[from.index()] | battle.map.beside[from.index()])
        } else {
            targets & (battle.map.beside[from.index()] | infantry_field(battle, from))
        };
        for at in within.iter() {
            if may_reach(battle, state, unit, from, at, &friends).is_ok() && !each(unit, at) {
                return;
            }
        }
    }
}

/// Hexes beyond the next that infantry or cavalry could fire into: none, unless the charts of the battle say so.
fn infantry_field(battle: &Battle, from: Hex) -> HexSet {
    if battle.charts.infantry.len().max(battle.charts.cavalry.len()) > 1 {
        battle.map.seen[from.index()]
    } else {
        HexSet::EMPTY
    }
}

/// The fires that may be begun.
pub(crate) fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    each_fire(battle, state, |unit, at| {
        out.push(Action::Fire { unit, at });
        true
    });
}

/// Whether any fire may be begun.
pub(crate) fn anything(battle: &Battle, state: &State) -> bool {
    let mut found = false;
    each_fire(battle, state, |_, _| {
        found = true;
        false
    });
    found
}

/// The units that may still join the fire being declared.
pub(crate) fn joiners(battle: &Battle, state: &State) -> Units {
    state.fire.at.map_or(Units::EMPTY, |at| who_may_join(battle, state, at, state.fire.firers))
}

/// The units that could join these in a fire at the hex.
pub(crate) fn who_may_join(battle: &Battle, state: &State, at: Hex, firers: Units) -> Units {
    let side = firing_side(state);
    let friends = sight::standing(battle, state, side);
    battle.of[side]
        .without(firers)
        .iter()
        .filter(|&unit| {
            may_fire(battle, state, unit)
                .is_ok_and(|from| may_reach(battle, state, unit, from, at, &friends).is_ok())
        })
        .collect()
}

/// May the unit join the fire being declared?
pub(crate) fn may_join(battle: &Battle, state: &State, unit: UnitId) -> Result<(), Bar> {
    let Some(at) = state.fire.at else { return Err(bar!("9.5.a", "no fire is being declared")) };
    if state.fire.firers.contains(unit) {
        return Err(bar!("9.1.3.c", "it takes part already, with all its SP"));
    }
    may_fire_at(battle, state, unit, at)
}

/// A fire as the charts see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Volley {
    pub(crate) total: u16,
    pub(crate) column: usize,
    pub(crate) shifted: bool,
    /// The one terrain modifier, and what it comes from.
    pub(crate) cover: i16,
    pub(crate) cover_of: Cover,
    /// 9.5.g: from three or more hexes next to the target.
    pub(crate) flank: bool,
}

/// What the terrain modifier comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cover {
    Terrain,
    Works,
    Wall,
}

impl Volley {
    /// What is added to the combat die.
    pub(crate) fn modifier(&self) -> i16 {
        self.cover + i16::from(self.flank)
    }
}

/// 9.5: the fire of these units at the hex.
pub(crate) fn volley(battle: &Battle, state: &State, at: Hex, firers: Units) -> Volley {
    let mut total = 0;
    let mut adjacent = 0;
    for unit in firers.iter() {
        let Some(from) = state.unit(unit).post.hex() else { continue };
        let range = battle.map.grid.distance(from, at);
        if let Some(factor) = range_factor(battle, state, unit, range) {
            total += factor.of(state.unit(unit).sp);
        }
        adjacent += u8::from(range == 1);
    }
    let limbered = state
        .unit_at(at)
        .is_some_and(|unit| battle.unit(unit).arm == Arm::Artillery && !state.unit(unit).deployed);
    let (cover, cover_of) = cover(battle, state, at, firers);
    Volley {
        total,
        column: battle.charts.column(total, usize::from(limbered)),
        shifted: limbered,
        cover,
        cover_of,
        flank: adjacent >= 3,
    }
}

/// 9.5.e: the one modifier that is best for the defender.
fn cover(battle: &Battle, state: &State, at: Hex, firers: Units) -> (i16, Cover) {
    let charts = &battle.charts;
    let terrain = &charts.terrain[usize::from(battle.map.terrain[at.index()])];
    let mut best = (i16::from(terrain.fire), Cover::Terrain);
    if state.works.contains(at) && i16::from(charts.works_fire) < best.0 {
        best = (i16::from(charts.works_fire), Cover::Works);
    }
    if i16::from(charts.wall) < best.0 && firers.iter().all(|unit| over_a_wall(battle, state, unit, at)) {
        best = (i16::from(charts.wall), Cover::Wall);
    }
    best
}

/// Whether the unit's line enters the hex over a stone wall.
fn over_a_wall(battle: &Battle, state: &State, unit: UnitId, at: Hex) -> bool {
    let map = &battle.map;
    let Some(from) = state.unit(unit).post.hex() else { return false };
    let wall = |side: hexmap::Side| map.sides[side.index()] & feature::WALL != 0;
    let Some(line) = map.lines.between(&map.grid, from, at) else { return false };
    match line.crossings().last() {
        Some(Crossing::Side(side)) => wall(side),
        Some(Crossing::Corner { entering, .. }) => entering.into_iter().all(wall),
        None => false,
    }
}

/// Begins a fire, or lets another unit join it.
pub(crate) fn declare(state: &mut State, unit: UnitId, at: Hex) {
    state.fire = Fire { at: Some(at), ..Fire::NONE };
    state.fire.firers.insert(unit);
    state.agenda.push(Step::Volley);
}

/// The die is rolled on what has been declared.
pub(crate) fn open_fire(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    let Some(at) = state.fire.at else { return };
    for unit in state.fire.firers.iter() {
        state.fired.insert(unit);
        if state.phase == Phase::Artillery {
            state.fired_marks.insert(unit);
        }
    }
    let Some(target) = state.unit_at(at) else {
        for leader in
            leaders_in(battle, state, firing_side(state).enemy(), at).without(state.targeted_leaders).iter()
        {
            state.targeted_leaders.insert(leader);
            state.agenda.push(Step::LoneLeader { leader });
        }
        return;
    };
    state.targeted.insert(target);
    let natural = roll(battle, state, at, target, fx);
    state.agenda.push(Step::CombatDie { natural });
}

/// 9.5.d: the combat die.
pub(crate) fn roll(battle: &Battle, state: &State, at: Hex, target: UnitId, fx: &mut impl Effects) -> u8 {
    fx.die(Die::D10, || {
        let volley = volley(battle, state, at, state.fire.firers);
        let names: Vec<&str> = state.fire.firers.iter().map(|u| battle.unit(u).name.as_str()).collect();
        let what = format!(
            "{} at {} with {} SP, column {}.",
            fire_words(&names),
            battle.unit(target).name,
            volley.total,
            battle.charts.head(volley.column)
        );
        let first = state.fire.firers.iter().next();
        let note = RollNote::new(what, cite!("9.5.d"))
            .side(firing_side(state))
            .at(battle.piece_id(Piece::Unit(target)))
            .modifiers(modifiers(battle, at, &volley));
        match first {
            Some(unit) => note.by(battle.piece_id(Piece::Unit(unit))),
            None => note,
        }
    })
}

fn fire_words(names: &[&str]) -> String {
    match names {
        [one] => does(one, "fires"),
        [first @ .., last] => format!("{} and {last} fire", first.join(", ")),
        [] => "Nobody fires".into(),
    }
}

/// Every term that is added to the combat die.
pub(crate) fn modifiers(battle: &Battle, at: Hex, volley: &Volley) -> Vec<Modifier> {
    let mut list = Vec::new();
    if volley.cover != 0 {
        let reason = match volley.cover_of {
            Cover::Terrain => {
                format!(
                    "target in {}",
                    battle.charts.terrain[usize::from(battle.map.terrain[at.index()])].title
                )
            }
            Cover::Works => "target in a breastwork".into(),
            Cover::Wall => "target behind a stone wall".into(),
        };
        list.push(Modifier::new(volley.cover, reason, cite!("9.5.d")));
    }
    if volley.flank {
        list.push(Modifier::new(1, "flank fire from three hexes", cite!("9.5.g")));
    }
    list
}

/// What the chart gives for this die on the fire declared.
pub(crate) fn result(battle: &Battle, state: &State, natural: u8) -> Option<Cell> {
    let volley = volley(battle, state, state.fire.at?, state.fire.firers);
    Some(battle.charts.cell(volley.column, i16::from(natural) + volley.modifier()))
}

/// The combat die stands: the result is read and applied.
pub(crate) fn resolve(battle: &Battle, state: &mut State, natural: u8, fx: &mut impl Effects) {
    state.agenda.pop();
    let Some(at) = state.fire.at else { return };
    let Some(target) = state.unit_at(at) else { return };
    let volley = volley(battle, state, at, state.fire.firers);
    let die = i16::from(natural) + volley.modifier();
    let cell = battle.charts.cell(volley.column, die);
    fx.tell(|| {
        let shift = if volley.shifted { ", shifted for limbered guns" } else { "" };
        let sum = match volley.modifier() {
            0 => String::new(),
            more => format!(" {} = {}", signed(more), number(die)),
        };
        let head = battle.charts.head(volley.column);
        let routed = state.unit(target).routed;
        let text = format!("{natural}{sum} in column {head}{shift}: {}.", results::words(cell, routed));
        let mut entry = Entry::new(Kind::Fire, text).side(firing_side(state)).rule(cite!("9.5.f"));
        if routed && cell != Cell::Nothing {
            entry = entry.rule(cite!("9.8.v"));
        }
        entry = entry.piece(battle.piece_id(Piece::Unit(target))).place(Place::Hex(battle.number(at)));
        if volley.shifted { entry.rule(cite!("9.5.h")) } else { entry }
    });
    results::apply(battle, state, target, at, cell, natural == 10 || die >= 10, fx);
}

/// Whether the firing player may use his Tide of Battle marker on the combat die.
pub(crate) fn tide_open(state: &State) -> bool {
    let side = firing_side(state);
    tide::may_use(state, side, state.fire.firers)
}
