//! Named facts of a position, for situations. The manual's page on Battle Hymn lists them.

use game::Side;
use game::situation::{Fact, Unknown};
use hexmap::Hex;

use crate::rules::fire::FireKind;
use crate::rules::movement::Explorer;
use crate::rules::sequence::Marker;
use crate::rules::zones::{Field, directions};
use crate::rules::{
    cavalry, combat, engagement, fire, morale, movement, night, reinforcements, retreat, sequence, sight,
    victory, zones,
};
use crate::setup::battle::Battle;
use crate::setup::ground::CLOSED;
use crate::setup::pieces::Arm;
use crate::state::{FireOf, Id, Mount, NO_FORMATION, NOWHERE, State, Status, Step, UnitSet};

/// What a fact's name may begin with, if it is no unit.
const TOPICS: [&str; 19] = [
    "hour",
    "night",
    "turn",
    "step",
    "round",
    "initiative",
    "cup",
    "held",
    "way",
    "cost",
    "entry",
    "terrain",
    "level",
    "side",
    "distance",
    "sight",
    "zone",
    "chance",
    "control",
];
/// The topics that are about a side.
const OF_A_SIDE: [&str; 2] = ["engagements", "score"];
/// What can be asked of a unit.
const OF_A_UNIT: [&str; 26] = [
    "hex",
    "state",
    "strength",
    "intact",
    "demoralised",
    "lost",
    "holders",
    "horses",
    "side",
    "type",
    "formation",
    "name",
    "morale",
    "allowance",
    "mp",
    "moved",
    "approach",
    "zone",
    "in_zone_of",
    "surrounded",
    "hits",
    "reach",
    "paths",
    "leash",
    "bombarded",
    "advanced",
];

/// The fact of that name.
///
/// # Errors
/// Which part of the name is unknown.
pub(crate) fn fact(battle: &Battle, state: &State, name: &str) -> Result<Fact, Unknown> {
    let parts: Vec<&str> = name.split('.').collect();
    let unit = |word: &str| unit(battle, word);
    let hex = |word: &str| hex(battle, word);
    let spot = |word: &str| spot(battle, state, word);
    match parts[..] {
        ["hour"] => Ok(i64::from(battle.hours[usize::from(state.hour)].clock).into()),
        ["night"] => Ok(night::is_night(battle, state).into()),
        ["turn"] => Ok(turn(battle, state).into()),
        ["step"] => Ok(step(state).into()),
        ["round"] => Ok(i64::from(state.round).into()),
        ["initiative"] => Ok(side_word(battle, state.initiative).into()),
        ["cup"] => Ok(Fact::Set(sequence::markers(state.cup).map(|m| m.word(battle)).collect())),
        ["held"] => Ok(state.held.map_or("none".to_owned(), |s| Marker::Combat(s).word(battle)).into()),
        ["way", x, to] => Ok(way(battle, state, unit(x)?, hex(to)?)),
        ["cost", x, from, to] => {
            let (unit, from) = (unit(x)?, hex(from)?);
            Ok(cost(battle, state, unit, from, beside(battle, from, to)?))
        }
        ["entry", x, at] => Ok(entry(battle, state, unit(x)?, hex(at)?)),
        ["terrain", at] => {
            let row = battle.ground.terrain[hex(at)?.index()];
            Ok(battle.charts.hexes[usize::from(row)].name.clone().into())
        }
        ["level", at] => Ok(i64::from(battle.ground.level[hex(at)?.index()]).into()),
        ["side", a, "edge"] => {
            let hex = hex(a)?;
            let off = (0..6).filter(|&d| battle.ground.beyond[hex.index()][d] == NOWHERE);
            let all = off.flat_map(|d| battle.ground.side_features(hex, d).iter().collect::<Vec<_>>());
            Ok(Fact::Set(all.map(|f| f.word().to_owned()).collect()))
        }
        ["side", a, b] => {
            let a = hex(a)?;
            let features = battle.ground.side_features(a, beside(battle, a, b)?);
            Ok(Fact::Set(features.iter().map(|f| f.word().to_owned()).collect()))
        }
        ["distance", a, b] => Ok(i64::from(battle.ground.distance(spot(a)?, spot(b)?)).into()),
        ["sight", a, b] => Ok(sight::in_sight(battle, spot(a)?, spot(b)?).into()),
        ["zone", side, at] => Ok(zones::covers(battle, state, side_of(battle, side)?, hex(at)?).into()),
        ["chance", "approach", x, y] => Ok(chance(battle, state, unit(x)?, unit(y)?, FireKind::Approach)),
        ["chance", "bombard", x, y] => Ok(chance(battle, state, unit(x)?, unit(y)?, FireKind::Bombardment)),
        ["chance", x, y] => Ok(chance(battle, state, unit(x)?, unit(y)?, FireKind::Round)),
        ["engagements", side] => Ok(Fact::Set(engagements(battle, state, side_of(battle, side)?))),
        ["control", at] => {
            let objectives = &battle.victory.objectives;
            let known = objectives.iter().map(|o| battle.ground.name(o.hex));
            let found = battle.victory.objective_at(hex(at)?);
            let objective = found.ok_or_else(|| Unknown::new(at, "the hex of an Objective", known))?;
            Ok(side_word(battle, state.control[objective]).into())
        }
        ["score", side] => Ok(i64::from(victory::score(battle, state)[side_of(battle, side)?]).into()),
        [topic, ..] if TOPICS.contains(&topic) || OF_A_SIDE.contains(&topic) => {
            Err(Unknown::new(name, "a fact as the manual writes it", [""; 0]))
        }
        [x, what] => of_unit(battle, state, unit(x)?, what),
        [x] => Err(match battle.find(x) {
            Some(_) => Unknown::new(name, format!("a fact: `{x}.hex` would be one"), [""; 0]),
            None => Unknown::new(x, "a fact", TOPICS),
        }),
        [x, _, ref rest @ ..] => {
            unit(x)?;
            Err(Unknown::new(rest.join("."), "part of a fact of a unit", [""; 0]))
        }
        [] => Err(Unknown::fact(name)),
    }
}

fn unit(battle: &Battle, word: &str) -> Result<Id, Unknown> {
    let known = || battle.units.iter().map(|u| u.id.clone()).chain(TOPICS.map(str::to_owned));
    battle.find(word).ok_or_else(|| Unknown::new(word, "a unit", known()))
}

fn hex(battle: &Battle, word: &str) -> Result<Hex, Unknown> {
    let found = battle.ground.grid.parse(word).filter(|&h| battle.ground.on_map.contains(h));
    found.ok_or_else(|| Unknown::new(word, "a hex of the map", [""; 0]))
}

/// The direction from a hex to the neighbour of that number.
fn beside(battle: &Battle, from: Hex, word: &str) -> Result<usize, Unknown> {
    let known = || battle.ground.beyond[from.index()].into_iter().filter(|&h| h != NOWHERE);
    let direction = battle.ground.direction(from, hex(battle, word)?);
    direction.ok_or_else(|| {
        let what = format!("a neighbour of {}", battle.ground.name(from));
        Unknown::new(word, what, known().map(|h| battle.ground.name(h)))
    })
}

/// A hex, or the hex of a unit on the map.
fn spot(battle: &Battle, state: &State, word: &str) -> Result<Hex, Unknown> {
    let of_unit = |id: Id| Some(state.piece(id).hex).filter(|&h| h != NOWHERE);
    let found = hex(battle, word).ok().or_else(|| battle.find(word).and_then(of_unit));
    let known = || battle.units.iter().map(|u| u.id.clone());
    found.ok_or_else(|| Unknown::new(word, "a hex or a unit on the map", known()))
}

fn side_of(battle: &Battle, id: &str) -> Result<Side, Unknown> {
    let known = Side::BOTH.map(|s| battle.armies[s].id.clone());
    let found = Side::BOTH.into_iter().find(|s| battle.armies[*s].id == id);
    found.ok_or_else(|| Unknown::new(id, "a side", known))
}

/// `usa`, `csa` or `none`.
#[must_use]
pub(crate) fn side_word(battle: &Battle, side: Option<Side>) -> String {
    side.map_or("none".to_owned(), |s| battle.armies[s].id.clone())
}

/// `draw`, `move wadsworth`, `combat usa`.
#[must_use]
pub(crate) fn turn(battle: &Battle, state: &State) -> String {
    match (state.active, state.attacker) {
        (_, Some(side)) => Marker::Combat(side).word(battle),
        (NO_FORMATION, None) => "draw".to_owned(),
        (formation, None) => Marker::Move(formation).word(battle),
    }
}

/// The step of a Combat Turn under way.
#[must_use]
pub(crate) fn step(state: &State) -> String {
    let found = state.agenda.iter().rev().find_map(|step| match step {
        Step::CavalryRetreat => Some("cavalry-retreat".to_owned()),
        Step::Bombard => Some("bombard".to_owned()),
        Step::Withdraw => Some("withdraw".to_owned()),
        Step::Approach | Step::Split(FireOf::Approach) | Step::Fire(FireOf::Approach, ..) => {
            Some("approach".to_owned())
        }
        Step::Engage => Some("engage".to_owned()),
        Step::Options | Step::Aim | Step::Split(_) | Step::Fire(..) => Some(format!("round {}", state.round)),
        Step::Checks(..) => Some("checks".to_owned()),
        Step::Advance => Some("advance".to_owned()),
        Step::FallBack | Step::NextRound => Some("fallback".to_owned()),
        Step::Sweep => Some("end".to_owned()),
        _ => None,
    });
    found.unwrap_or_else(|| "none".to_owned())
}

/// The type as it counts now.
#[must_use]
pub(crate) fn type_word(battle: &Battle, state: &State, id: Id) -> &'static str {
    match battle.unit(id).arm {
        Arm::Cavalry if state.piece(id).mount != Mount::Mounted => "dismounted",
        arm => arm.word(),
    }
}

/// The box or the map.
#[must_use]
pub(crate) fn state_word(status: Status) -> &'static str {
    match status {
        Status::OnMap => "map",
        Status::Shattered => "shattered",
        Status::Eliminated => "eliminated",
        Status::Exited => "exited",
        Status::Due | Status::Away => "due",
        Status::Rallied => "rallied",
    }
}

fn ids(battle: &Battle, units: UnitSet) -> Fact {
    Fact::Set(units.into_iter().map(|u| battle.unit(u).id.clone()).collect())
}

fn of_unit(battle: &Battle, state: &State, id: Id, what: &str) -> Result<Fact, Unknown> {
    let (unit, piece) = (battle.unit(id), state.piece(id));
    let number = |n: u8| Ok(Fact::Number(i64::from(n)));
    let hex = piece.hex;
    match what {
        "hex" => Ok(if hex == NOWHERE { String::new() } else { battle.ground.name(hex) }.into()),
        "state" => Ok(state_word(piece.status).into()),
        "strength" => number(piece.strength),
        "intact" => number(piece.intact()),
        "demoralised" => number(piece.demoralised),
        "lost" => number(unit.strength.saturating_sub(piece.strength + piece.holders)),
        "holders" => number(piece.holders),
        "horses" => Ok(match piece.mount {
            Mount::Mounted => "none".into(),
            Mount::HorsesLost => "lost".into(),
            Mount::Dismounted => battle.ground.name(piece.horses).into(),
        }),
        "side" => Ok(battle.armies[unit.side].id.clone().into()),
        "type" => Ok(type_word(battle, state, id).into()),
        "formation" => Ok(battle.formations[usize::from(unit.formation)].id.clone().into()),
        "name" => Ok(unit.name.clone().into()),
        "morale" => Ok(i64::from(morale::rating(battle, state, id)).into()),
        "allowance" => number(movement::allowance(battle, state, id)),
        "mp" => number(movement::points_left(battle, state, id)),
        "moved" => Ok(state.moved.contains(id).into()),
        "approach" => Ok(ids(
            battle,
            if hex == NOWHERE { UnitSet::EMPTY } else { zones::units_in(battle, state, hex, piece.approach) },
        )),
        "zone" => Ok(Fact::Set(match hex {
            NOWHERE => Vec::new(),
            hex => directions(battle.ground.zone_out[hex.index()])
                .map(|d| battle.ground.name(battle.ground.beyond[hex.index()][d]))
                .collect(),
        })),
        "in_zone_of" => Ok(ids(
            battle,
            match hex {
                NOWHERE => UnitSet::EMPTY,
                hex => zones::units_in(battle, state, hex, zones::enemies_over(battle, state, id)),
            },
        )),
        "surrounded" => Ok((hex != NOWHERE && zones::surrounded(battle, state, id)).into()),
        "hits" => number(piece.hits),
        "reach" => {
            Ok(Fact::Set(reach(battle, state, id).into_iter().map(|(h, _)| battle.ground.name(h)).collect()))
        }
        "paths" => Ok(Fact::Set(paths(battle, state, id))),
        "leash" => {
            Ok(cavalry::leash_length(battle, state, id).map_or("none".into(), |n| i64::from(n).into()))
        }
        "bombarded" => Ok(state.bombarded.contains(id).into()),
        "advanced" => Ok(state.advanced.contains(id).into()),
        _ => Err(Unknown::new(what, "a fact of a unit", OF_A_UNIT)),
    }
}

/// Everywhere a unit may march now, with the cost.
#[must_use]
pub(crate) fn reach(battle: &Battle, state: &State, id: Id) -> Vec<(Hex, u8)> {
    if !movement::may_march(battle, state, id) {
        return Vec::new();
    }
    let field = Field::seen_by(battle, state, battle.side(id));
    let bounds = movement::bounds(battle, state, &field, id);
    let costs = &battle.ground.costs[movement::column_now(battle, state, id) as usize];
    let leash = cavalry::Leash::of(battle, state, &field, id);
    let mut found = Vec::new();
    let mut explorer = Explorer::new();
    explorer.explore(
        &battle.ground,
        costs,
        state.piece(id).hex,
        movement::points_left(battle, state, id),
        &bounds,
        |hex, cost| {
            if !field.friends.contains(hex) && leash.as_ref().is_none_or(|l| l.allows(hex)) {
                found.push((hex, cost));
            }
        },
    );
    found
}

fn closed() -> Fact {
    "closed".into()
}

fn way(battle: &Battle, state: &State, id: Id, to: Hex) -> Fact {
    let found = reach(battle, state, id).into_iter().find(|(hex, _)| *hex == to);
    found.map_or(closed(), |(_, cost)| i64::from(cost).into())
}

fn cost(battle: &Battle, state: &State, id: Id, from: Hex, direction: usize) -> Fact {
    let cost = battle.ground.costs[movement::column_now(battle, state, id) as usize][from.index()][direction];
    if cost == CLOSED { closed() } else { i64::from(cost).into() }
}

fn entry(battle: &Battle, state: &State, id: Id, at: Hex) -> Fact {
    let open = reinforcements::check_enter(battle, state, id, at).is_ok();
    let cost = reinforcements::entry_cost(battle, state, id, at).filter(|_| open);
    cost.map_or(closed(), |c| i64::from(c).into())
}

fn chance(battle: &Battle, state: &State, firer: Id, target: Id, kind: FireKind) -> Fact {
    i64::from(fire::chance(battle, state, firer, target, kind).sum()).into()
}

fn engagements(battle: &Battle, state: &State, side: Side) -> Vec<String> {
    let own = battle.armies[side].units;
    let names =
        |set: UnitSet| set.into_iter().map(|u| battle.unit(u).id.as_str()).collect::<Vec<_>>().join(" ");
    let groups = engagement::groups(battle, state, side);
    groups.iter().map(|g| format!("{} | {}", names(g.and(own)), names(g.without(own)))).collect()
}

/// Of the retreat under way, else as if it withdrew now.
fn paths(battle: &Battle, state: &State, id: Id) -> Vec<String> {
    if !state.piece(id).on_map() {
        return Vec::new();
    }
    let under_way = state.agenda.iter().rev().find_map(|s| match s {
        Step::Retreat(r) if r.unit == id => Some(*r),
        _ => None,
    });
    let retreat = under_way.unwrap_or_else(|| combat::imagined_withdrawal(battle, state, id));
    let gone: Vec<String> =
        battle.ground.walk(retreat.start, retreat.path).map(|h| battle.ground.name(h)).collect();
    let onward = retreat::all_paths(battle, state, &retreat);
    onward.into_iter().map(|p| gone.iter().cloned().chain([p]).collect::<Vec<_>>().join("-")).collect()
}

/// Every kind of decision.
pub(crate) const KINDS: [&str; 14] = [
    "declare",
    "march",
    "place",
    "cavalry-retreat",
    "bombard",
    "withdraw",
    "split",
    "engage",
    "option",
    "check",
    "retreat",
    "advance",
    "fallback",
    "over",
];

/// Every phase that a situation can stop before.
pub(crate) const STOPS: [&str; 19] = [
    "hour",
    "draw",
    "march",
    "place",
    "cavalry-retreat",
    "bombard",
    "withdraw",
    "approach",
    "approach fire",
    "approach checks",
    "engage",
    "option",
    "fire",
    "checks",
    "advance",
    "next round",
    "fallback",
    "retreat",
    "time",
];

/// The phase on top of the agenda.
pub(crate) fn upcoming(state: &State) -> Option<&'static str> {
    Some(match state.agenda.top()? {
        Step::Hour => "hour",
        Step::Draw => "draw",
        Step::March => "march",
        Step::Place(_) => "place",
        Step::CavalryRetreat => "cavalry-retreat",
        Step::Bombard => "bombard",
        Step::Withdraw => "withdraw",
        Step::Approach | Step::Split(FireOf::Approach) => "approach",
        Step::Fire(FireOf::Approach, ..) => "approach fire",
        Step::Checks(FireOf::Approach, _) => "approach checks",
        Step::Engage => "engage",
        Step::Options | Step::Aim | Step::Split(FireOf::Round) => "option",
        Step::Fire(FireOf::Round, ..) => "fire",
        Step::Checks(FireOf::Round, _) => "checks",
        Step::Advance => "advance",
        Step::NextRound => "next round",
        Step::FallBack | Step::Sweep => "fallback",
        Step::Retreat(_) => "retreat",
        Step::TimePasses => "time",
    })
}
