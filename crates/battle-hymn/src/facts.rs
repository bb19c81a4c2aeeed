//! Named facts of a position, for situations. The manual's page on Battle Hymn lists them.

use game::Side;
use game::situation::Fact;
use hexmap::Hex;

use crate::equipment::{Arm, Battle};
use crate::fire::{self, FireKind};
use crate::ground::CLOSED;
use crate::movement::{self, Explorer};
use crate::sequence::{self, Marker};
use crate::state::{Id, Mount, NO_FORMATION, NOWHERE, State, Status, Step, UnitSet};
use crate::zones::{self, Field, directions};
use crate::{basics, cavalry, combat, engagement, morale, reinforcements, retreat, sight, victory};

/// The fact of that name.
#[must_use]
pub(crate) fn fact(battle: &Battle, state: &State, name: &str) -> Option<Fact> {
    let parts: Vec<&str> = name.split('.').collect();
    match parts[..] {
        ["hour"] => Some(i64::from(battle.hours.get(usize::from(state.hour))?.clock).into()),
        ["night"] => Some(movement::is_night(battle, state).into()),
        ["turn"] => Some(turn(battle, state).into()),
        ["step"] => Some(step(state).into()),
        ["round"] => Some(i64::from(state.round).into()),
        ["initiative"] => Some(side_word(battle, state.initiative).into()),
        ["cup"] => Some(Fact::Set(sequence::markers(state.cup).map(|m| m.word(battle)).collect())),
        ["held"] => Some(state.held.map_or("none".to_owned(), |s| Marker::Combat(s).word(battle)).into()),
        ["way", unit, hex] => way(battle, state, battle.find(unit)?, parse(battle, hex)?),
        ["cost", unit, from, to] => {
            cost(battle, state, battle.find(unit)?, parse(battle, from)?, parse(battle, to)?)
        }
        ["entry", unit, hex] => entry(battle, state, battle.find(unit)?, parse(battle, hex)?),
        ["terrain", hex] => {
            let row = battle.ground.terrain[parse(battle, hex)?.index()];
            Some(battle.charts.hexes[usize::from(row)].name.clone().into())
        }
        ["level", hex] => Some(i64::from(battle.ground.level[parse(battle, hex)?.index()]).into()),
        ["side", a, "edge"] => {
            let hex = parse(battle, a)?;
            let off = (0..6).filter(|&d| battle.ground.beyond[hex.index()][d] == NOWHERE);
            let all = off.flat_map(|d| battle.ground.side_features(hex, d).iter().collect::<Vec<_>>());
            Some(Fact::Set(all.map(|f| f.word().to_owned()).collect()))
        }
        ["side", a, b] => {
            let (a, b) = (parse(battle, a)?, parse(battle, b)?);
            let features = battle.ground.side_features(a, battle.ground.direction(a, b)?);
            Some(Fact::Set(features.iter().map(|f| f.word().to_owned()).collect()))
        }
        ["distance", a, b] => {
            let (a, b) = (place(battle, state, a)?, place(battle, state, b)?);
            Some(i64::from(battle.ground.distance(a, b)).into())
        }
        ["sight", a, b] => {
            let (a, b) = (place(battle, state, a)?, place(battle, state, b)?);
            Some(sight::in_sight(battle, a, b).into())
        }
        ["zone", side, hex] => {
            Some(zones::covers(battle, state, side_of(battle, side)?, parse(battle, hex)?).into())
        }
        ["chance", "approach", x, y] => chance(battle, state, x, y, FireKind::Approach),
        ["chance", "bombard", x, y] => chance(battle, state, x, y, FireKind::Bombardment),
        ["chance", x, y] => chance(battle, state, x, y, FireKind::Round),
        ["engagements", side] => Some(Fact::Set(engagements(battle, state, side_of(battle, side)?))),
        ["control", hex] => {
            let objective = battle.victory.objective_at(parse(battle, hex)?)?;
            Some(side_word(battle, state.control[objective]).into())
        }
        ["score", side] => Some(i64::from(victory::score(battle, state)[side_of(battle, side)?]).into()),
        [unit, what] => of_unit(battle, state, battle.find(unit)?, what),
        _ => None,
    }
}

fn parse(battle: &Battle, hex: &str) -> Option<Hex> {
    battle.ground.grid.parse(hex)
}

/// A hex, or the hex of a unit on the map.
fn place(battle: &Battle, state: &State, word: &str) -> Option<Hex> {
    parse(battle, word).or_else(|| Some(state.piece(battle.find(word)?).hex).filter(|&h| h != NOWHERE))
}

fn side_of(battle: &Battle, id: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|s| battle.armies[*s].id == id)
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
        Step::Approach | Step::Split(crate::state::FireOf::Approach) => Some("approach".to_owned()),
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

fn of_unit(battle: &Battle, state: &State, id: Id, what: &str) -> Option<Fact> {
    let (unit, piece) = (battle.unit(id), state.piece(id));
    let number = |n: u8| Some(Fact::Number(i64::from(n)));
    let hex = piece.hex;
    match what {
        "hex" => Some(if hex == NOWHERE { String::new() } else { battle.ground.name(hex) }.into()),
        "state" => Some(state_word(piece.status).into()),
        "strength" => number(piece.strength),
        "intact" => number(piece.intact()),
        "demoralised" => number(piece.demoralised),
        "lost" => number(unit.strength.saturating_sub(piece.strength + piece.holders)),
        "holders" => number(piece.holders),
        "horses" => Some(match piece.mount {
            Mount::Mounted => "none".into(),
            Mount::HorsesLost => "lost".into(),
            Mount::Dismounted => battle.ground.name(piece.horses).into(),
        }),
        "side" => Some(battle.armies[unit.side].id.clone().into()),
        "type" => Some(type_word(battle, state, id).into()),
        "formation" => Some(battle.formations[usize::from(unit.formation)].id.clone().into()),
        "name" => Some(unit.name.clone().into()),
        "morale" => Some(i64::from(morale::rating(battle, state, id)).into()),
        "allowance" => number(movement::allowance(battle, state, id)),
        "mp" => number(movement::points_left(battle, state, id)),
        "moved" => Some(state.moved.contains(id).into()),
        "approach" => Some(ids(
            battle,
            if hex == NOWHERE { UnitSet::EMPTY } else { zones::units_in(battle, state, hex, piece.approach) },
        )),
        "zone" => Some(Fact::Set(match hex {
            NOWHERE => Vec::new(),
            hex => directions(battle.ground.zone_out[hex.index()])
                .map(|d| battle.ground.name(battle.ground.beyond[hex.index()][d]))
                .collect(),
        })),
        "in_zone_of" => Some(ids(
            battle,
            match hex {
                NOWHERE => UnitSet::EMPTY,
                hex => zones::units_in(battle, state, hex, zones::enemies_over(battle, state, id)),
            },
        )),
        "surrounded" => Some((hex != NOWHERE && zones::surrounded(battle, state, id)).into()),
        "hits" => number(piece.hits),
        "reach" => Some(Fact::Set(
            reach(battle, state, id).into_iter().map(|(h, _)| battle.ground.name(h)).collect(),
        )),
        "paths" => Some(Fact::Set(paths(battle, state, id))),
        "leash" => {
            Some(cavalry::leash_length(battle, state, id).map_or("none".into(), |n| i64::from(n).into()))
        }
        _ => None,
    }
}

/// Everywhere a unit may march now, with the cost.
#[must_use]
pub(crate) fn reach(battle: &Battle, state: &State, id: Id) -> Vec<(Hex, u8)> {
    if !state.piece(id).on_map() || state.moved.contains(id) {
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

fn way(battle: &Battle, state: &State, id: Id, to: Hex) -> Option<Fact> {
    let found = reach(battle, state, id).into_iter().find(|(hex, _)| *hex == to);
    Some(found.map_or(closed(), |(_, cost)| i64::from(cost).into()))
}

fn cost(battle: &Battle, state: &State, id: Id, from: Hex, to: Hex) -> Option<Fact> {
    let direction = battle.ground.direction(from, to)?;
    let cost = battle.ground.costs[movement::column_now(battle, state, id) as usize][from.index()][direction];
    Some(if cost == CLOSED { closed() } else { i64::from(cost).into() })
}

fn entry(battle: &Battle, state: &State, id: Id, at: Hex) -> Option<Fact> {
    let open = reinforcements::check_enter(battle, state, id, at).is_ok();
    let cost = reinforcements::entry_cost(battle, state, id, at).filter(|_| open);
    Some(cost.map_or(closed(), |c| i64::from(c).into()))
}

fn chance(battle: &Battle, state: &State, x: &str, y: &str, kind: FireKind) -> Option<Fact> {
    let (firer, target) = (battle.find(x)?, battle.find(y)?);
    Some(i64::from(fire::chance(battle, state, firer, target, kind).sum()).into())
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
        basics::walk(battle, retreat.start, retreat.path).map(|h| battle.ground.name(h)).collect();
    let onward = retreat::all_paths(battle, state, &retreat);
    onward.into_iter().map(|p| gone.iter().cloned().chain([p]).collect::<Vec<_>>().join("-")).collect()
}
