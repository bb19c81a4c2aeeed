//! Chapter 10: morale. Checks, losses, shattering, rally.

use game::dice::{Die, Test};
use game::log::Kind;
use game::words::does;
use game::{Effects, Entry, Modifier, RollNote, Rule};
use hexmap::{Hex, HexSet};

use crate::legal::Bar;
use crate::rules::{basics, cavalry, movement, night, retreat, sight};
use crate::setup::battle::{Battle, Fatigue};
use crate::state::{Causes, FireOf, Id, NOWHERE, State, Status, Step, UnitSet};

/// The Morale Rating as it is now: printed, less what the scenario takes off tired troops.
#[must_use]
pub(crate) fn rating(battle: &Battle, state: &State, id: Id) -> i8 {
    let printed = battle.unit(id).morale;
    if battle.fatigues.is_empty() {
        return printed;
    }
    tired(battle, state, id).fold(printed, |rating, (change, _)| rating + change)
}

/// What the scenario adds to the printed rating, rule by rule; the rating stays from -3 to +3.
pub(crate) fn tired<'a>(
    battle: &'a Battle,
    state: &'a State,
    id: Id,
) -> impl Iterator<Item = (i8, Rule)> + 'a {
    let mut rating = battle.unit(id).morale;
    fatigues(battle, state, id).filter(|f| f.morale != 0).map(move |fatigue| {
        let before = rating;
        rating = (rating + fatigue.morale).clamp(-3, 3);
        (rating - before, fatigue.rule)
    })
}

/// The scenario's rule that has silenced a gun.
#[must_use]
pub(crate) fn silenced(battle: &Battle, state: &State, id: Id) -> Option<Rule> {
    fatigues(battle, state, id).find(|f| f.silent).map(|f| f.rule)
}

fn fatigues<'a>(battle: &'a Battle, state: &'a State, id: Id) -> impl Iterator<Item = &'a Fatigue> {
    battle.fatigues.iter().filter(move |f| {
        let spared = f.unless_holding.and_then(|hex| battle.victory.objective_at(hex));
        f.units.contains(id)
            && f.from <= state.hour
            && spared.is_none_or(|objective| state.control[objective] != Some(battle.side(id)))
    })
}

/// 10.3.a: a die plus the Morale Rating, 6 or more passes.
pub(crate) fn passes(
    battle: &Battle,
    state: &State,
    id: Id,
    what: impl std::fmt::Display,
    rule: Rule,
    fx: &mut impl Effects,
) -> bool {
    let rating = rating(battle, state, id);
    fx.passes(Test::at_least(Die::D10, 6 - i16::from(rating)), || {
        let mut note = RollNote::new(does(battle.name(id), &what.to_string()), rule)
            .side(battle.side(id))
            .by(id.piece());
        let printed = battle.unit(id).morale;
        let terms = [(printed, "morale", cite!("10.3.a"))]
            .into_iter()
            .chain(tired(battle, state, id).map(|(change, rule)| (change, "exhausted", rule)));
        let counting = terms.filter(|(value, ..)| *value != 0);
        note.modifiers.extend(counting.map(|(value, why, rule)| Modifier::new(i16::from(value), why, rule)));
        note
    })
}

fn told(battle: &Battle, state: &State, id: Id, kind: Kind, text: String, rule: Rule) -> Entry {
    let entry = Entry::new(kind, text).side(battle.side(id)).rule(rule).piece(id.piece());
    let hex = state.piece(id).hex;
    if hex == NOWHERE { entry } else { entry.place(battle.place(hex)) }
}

/// Demoralizations: intact SPs only, the rest is ignored (6.2.4.d, R42).
fn demoralise(battle: &Battle, state: &mut State, id: Id, hits: u8, rule: Rule, fx: &mut impl Effects) {
    let points = hits.min(state.piece(id).intact());
    state.piece_mut(id).demoralised += points;
    if points > 0 {
        fx.tell(|| {
            told(
                battle,
                state,
                id,
                Kind::Loss,
                format!("{}: {points} SP demoralised.", battle.name(id)),
                rule,
            )
        });
    }
}

/// A Loss of an intact SP (10.4.1.c).
fn lose_intact(battle: &Battle, state: &mut State, id: Id, rule: Rule, fx: &mut impl Effects) {
    let piece = state.piece_mut(id);
    piece.strength -= 1;
    piece.demoralised = piece.demoralised.min(piece.strength);
    fx.tell(|| told(battle, state, id, Kind::Loss, format!("{}: 1 SP lost.", battle.name(id)), rule));
}

/// A Loss of a Demoralized SP if there is one (R76).
pub(crate) fn lose_one(battle: &Battle, state: &mut State, id: Id, rule: Rule, fx: &mut impl Effects) {
    let piece = state.piece_mut(id);
    if piece.strength == 0 {
        return;
    }
    piece.strength -= 1;
    piece.demoralised = piece.demoralised.saturating_sub(1);
    fx.tell(|| told(battle, state, id, Kind::Loss, format!("{}: 1 SP lost.", battle.name(id)), rule));
}

/// 10.2.2.a, 10.2.3.a: a unit without intact SPs leaves the map at once. True if it did.
pub(crate) fn remove_if_broken(
    battle: &Battle,
    state: &mut State,
    id: Id,
    causes: Causes,
    fx: &mut impl Effects,
) -> bool {
    let piece = *state.piece(id);
    if piece.intact() > 0 {
        return false;
    }
    if piece.strength == 0 {
        eliminate(battle, state, id, fx);
        return true;
    }
    let had_way_out = !piece.on_map() || retreat::has_free_path(battle, state, id, causes);
    shatter(battle, state, id, cite!("10.2.2.a"), fx);
    if !had_way_out {
        lose_one(battle, state, id, cite!("10.2.2.d"), fx);
        if state.piece(id).strength == 0 {
            eliminate(battle, state, id, fx);
        }
    }
    true
}

/// 10.2.2: to the Shattered Units box; all SPs are Demoralized.
fn shatter(battle: &Battle, state: &mut State, id: Id, rule: Rule, fx: &mut impl Effects) {
    fx.tell(|| told(battle, state, id, Kind::Gone, does(battle.name(id), "is shattered."), rule));
    basics::remove(battle, state, id, Status::Shattered);
    cavalry::horses_of_lost_unit(state, id, Status::Shattered);
    let piece = state.piece_mut(id);
    piece.demoralised = piece.strength;
}

/// 10.2.3.a.
pub(crate) fn eliminate(battle: &Battle, state: &mut State, id: Id, fx: &mut impl Effects) {
    fx.tell(|| {
        told(battle, state, id, Kind::Gone, does(battle.name(id), "is destroyed."), cite!("10.2.3.a"))
    });
    basics::remove(battle, state, id, Status::Eliminated);
    cavalry::horses_of_lost_unit(state, id, Status::Eliminated);
    let piece = state.piece_mut(id);
    (piece.strength, piece.demoralised) = (0, 0);
}

/// 7.4.g, R43: a unit that cannot retreat loses one SP and Shatters, and that is all.
pub(crate) fn shatter_for_want_of_retreat(battle: &Battle, state: &mut State, id: Id, fx: &mut impl Effects) {
    lose_one(battle, state, id, cite!("7.4.g"), fx);
    if state.piece(id).strength == 0 {
        eliminate(battle, state, id, fx);
    } else {
        shatter(battle, state, id, cite!("10.2.2.c"), fx);
    }
}

/// 10.4.1, 10.4.2: the check of a unit hit by fire.
pub(crate) fn check_after_fire(
    battle: &Battle,
    state: &mut State,
    id: Id,
    fire: FireOf,
    fx: &mut impl Effects,
) {
    let hits = std::mem::take(&mut state.piece_mut(id).hits);
    let causes = Causes { at: state.piece(id).was, directions: state.piece(id).shot_from };
    let (rule, if_passed, if_failed) = match fire {
        FireOf::Round => (cite!("10.4.1.a"), cite!("10.4.1.b"), cite!("10.4.1.c")),
        FireOf::Approach => (cite!("10.4.2.a"), cite!("10.4.2.a"), cite!("10.4.2.b")),
    };
    let stands = passes(
        battle,
        state,
        id,
        format_args!("checks morale after {hits} {}", if hits == 1 { "hit" } else { "hits" }),
        rule,
        fx,
    );
    if stands {
        demoralise(battle, state, id, hits, if_passed, fx);
    } else {
        lose_intact(battle, state, id, if_failed, fx);
        demoralise(battle, state, id, hits - 1, if_failed, fx);
    }
    let gone = remove_if_broken(battle, state, id, causes, fx);
    if !gone && !stands && fire == FireOf::Round {
        retreat::begin(state, id, causes, false);
    }
}

/// 10.4.3: the check of a unit hit by Bombardment.
pub(crate) fn check_after_bombardment(
    battle: &Battle,
    state: &mut State,
    id: Id,
    hits: u8,
    fx: &mut impl Effects,
) {
    if passes(battle, state, id, "checks morale under bombardment", cite!("10.4.3.a"), fx) {
        return;
    }
    demoralise(battle, state, id, hits, cite!("10.4.3.b"), fx);
    remove_if_broken(battle, state, id, Causes::NONE, fx);
}

/// 10.4.4, 7.8: the check of a unit a friend is about to retreat into. True if it must give way.
pub(crate) fn gives_way(
    battle: &Battle,
    state: &mut State,
    id: Id,
    causes: Causes,
    fx: &mut impl Effects,
) -> bool {
    if passes(battle, state, id, "checks morale as friends fall back on it", cite!("7.8.a"), fx) {
        return false;
    }
    demoralise(battle, state, id, 1, cite!("7.8.c"), fx);
    !remove_if_broken(battle, state, id, causes, fx)
}

/// Whether a unit may attempt to Rally now.
#[must_use]
pub(crate) fn may_rally(battle: &Battle, state: &State, id: Id) -> bool {
    // Most units most of the time: by day nobody rallies.
    night::is_night(battle, state)
        && !state.moved.contains(id)
        && state.hand != id
        && check_rally(battle, state, id).is_ok()
        && !movement::must_return(battle, state, id)
}

/// `rally`: 10.5.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check_rally(battle: &Battle, state: &State, id: Id) -> Result<(), Bar> {
    if !night::is_night(battle, state) {
        return Err(Bar::new("Troops rally at night.", cite!("10.5.a")));
    }
    let piece = state.piece(id);
    match piece.status {
        Status::OnMap => {
            if piece.demoralised < 2 {
                let why = "It needs two Demoralized SPs; the last one never rallies.";
                return Err(Bar::new(why, cite!("10.5.1.a")));
            }
            if sight::seen_by_enemies(battle, state, battle.side(id)).contains(piece.hex) {
                return Err(Bar::new("It must be out of every enemy's sight.", cite!("10.5.1.a")));
            }
            Ok(())
        }
        Status::Shattered if piece.strength < 2 => {
            Err(Bar::new("A Shattered unit needs two SPs; the last one never rallies.", cite!("10.5.2.a")))
        }
        Status::Shattered => Ok(()),
        _ => Err(Bar::new("It has nothing to rally.", cite!("10.5.a"))),
    }
}

pub(crate) fn rally(battle: &Battle, state: &mut State, id: Id, fx: &mut impl Effects) {
    movement::take_in_hand(battle, state, id);
    movement::end_move(state);
    state.rallied.insert(id);
    let was_shattered = state.piece(id).status == Status::Shattered;
    let rule = if was_shattered { cite!("10.5.2.a") } else { cite!("10.5.1.a") };
    if !passes(battle, state, id, "tries to rally", rule, fx) {
        return;
    }
    let by_table = battle.charts.rally[(rating(battle, state, id) + 3) as usize];
    let piece = state.piece_mut(id);
    let points = by_table.min(piece.demoralised.saturating_sub(1));
    piece.demoralised -= points;
    fx.tell(|| {
        let text = format!("{}: {points} SP intact again.", does(battle.name(id), "rallies"));
        told(battle, state, id, Kind::Rally, text, cite!("10.5.4.a"))
    });
    if was_shattered {
        state.piece_mut(id).status = Status::Rallied;
        state.agenda.push(Step::Place(id));
    }
}

/// 10.5.3: where a rallied unit may be placed.
#[must_use]
pub(crate) fn placements(battle: &Battle, state: &State, id: Id) -> HexSet {
    let comrades = comrades(battle, state, id);
    let near: HexSet =
        comrades.into_iter().flat_map(|u| battle.ground.grid.within(state.piece(u).hex, 2)).collect();
    let hidden = movement::out_of_sight(battle, state, battle.side(id));
    (near & hidden)
        .iter()
        .filter(|&hex| state.at(hex).is_none() && enterable(battle, state, id, hex))
        .collect()
}

/// Units of its Formation on the map that were not themselves placed this Turn.
fn comrades(battle: &Battle, state: &State, id: Id) -> UnitSet {
    battle.formations[usize::from(battle.unit(id).formation)].units.and(state.on_map()).without(state.placed)
}

fn enterable(battle: &Battle, state: &State, id: Id, hex: Hex) -> bool {
    let row = usize::from(battle.ground.terrain[hex.index()]);
    battle.charts.hexes[row].cost[movement::column_now(battle, state, id) as usize].is_some()
}

/// `place`.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check_place(battle: &Battle, state: &State, id: Id, hex: Hex) -> Result<(), Bar> {
    if state.piece(id).status != Status::Rallied {
        return Err(Bar::new("Only a rallied unit that is off the map is placed.", cite!("10.5.3.c")));
    }
    if sight::seen_by_enemies(battle, state, battle.side(id)).contains(hex) {
        return Err(Bar::new("The hex must be out of every enemy's sight.", cite!("10.5.3.a")));
    }
    if !battle.ground.on_map.contains(hex) {
        return Err(Bar::new("It is not on the map.", cite!("10.5.3.b")));
    }
    let near =
        comrades(battle, state, id).into_iter().any(|u| battle.ground.distance(state.piece(u).hex, hex) <= 2);
    if !near {
        let why = "It must be within two hexes of a unit of its Formation that was already on the map.";
        return Err(Bar::new(why, cite!("10.5.3.b")));
    }
    if state.at(hex).is_some() {
        return Err(Bar::new("Another unit stands there.", cite!("3.7.c")));
    }
    if !enterable(battle, state, id, hex) {
        return Err(Bar::new("The ground is closed to it.", cite!("5.2.e")));
    }
    Ok(())
}

pub(crate) fn place_unit(battle: &Battle, state: &mut State, id: Id, hex: Hex, fx: &mut impl Effects) {
    cavalry::appear(battle, state, id, hex, fx);
    state.placed.insert(id);
    state.moved.insert(id);
    fx.tell(|| {
        let text = format!("{} {}.", does(battle.name(id), "is back in line at"), battle.ground.name(hex));
        told(battle, state, id, Kind::Rally, text, cite!("10.5.3.b"))
    });
}
