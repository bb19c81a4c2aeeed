//! Named facts of a position, for situations.

use game::situation::Fact;
use hexmap::Hex;

use crate::battle::{Arm, Battle, Rank, Start};
use crate::charts::Closed;
use crate::concepts::{Lines, add_zone, covered_by, features_now, on_map, shattered, way};
use crate::map::feature;
use crate::movement::{self, Reach, Walk};
use crate::state::{Ford, LeaderId, Piece, Post, State, Step, Task, UnitId, Units};
use crate::{combat, command, face, leaders, reinforcements, results, retreat, sight};

/// The fact of that name.
pub(crate) fn fact(battle: &Battle, state: &State, name: &str) -> Option<Fact> {
    let parts: Vec<&str> = name.split('.').collect();
    match parts[..] {
        ["turn"] => Some(number(i64::from(state.turn) + 1)),
        ["day"] => Some(number(i64::from(battle.turn(state).day))),
        ["hours"] => Some(number(i64::from(battle.turn(state).hours))),
        ["night"] => Some(battle.is_night(state).into()),
        ["phase"] => Some(state.phase.id().into()),
        ["active"] => Some(battle.armies[state.active].id.as_str().into()),
        ["works"] => Some(hexes(battle, state.works.iter())),
        ["burned"] => {
            let burned = (0..battle.sites.len()).filter(|&i| state.burned >> i & 1 == 1);
            Some(Fact::Set(burned.map(|i| crate::notation::site_name(battle, i as u8)).collect()))
        }
        ["losses", side] => Some(number(i64::from(state.losses[battle.side_named(side)?]))),
        ["score", side] => Some(number(i64::from(face::score(battle, state)[battle.side_named(side)?]))),
        ["tide", side] => Some(state.tide[battle.side_named(side)?].into()),
        ["units", side] => Some(units(battle, battle.of[battle.side_named(side)?])),
        ["control", hex] => {
            let hex = battle.map.parse(hex)?;
            let index = battle.objectives.iter().position(|o| o.hex == hex)?;
            Some(state.control[index].map_or("none", |side| battle.armies[side].id.as_str()).into())
        }
        ["terrain", hex] => {
            let hex = battle.map.grid.parse(hex)?;
            Some(battle.charts.terrain[usize::from(battle.map.terrain[hex.index()])].name.as_str().into())
        }
        ["level", hex] => Some(number(i64::from(battle.map.level[battle.map.grid.parse(hex)?.index()]))),
        ["in_play", hex] => Some(battle.map.parse(hex).is_some().into()),
        ["side", a, b] => side_fact(battle, state, a, b),
        ["ford", a, b] => ford_fact(battle, state, a, b),
        ["distance", a, b] => {
            let (a, b) = (spot(battle, state, a)?, spot(battle, state, b)?);
            Some(number(i64::from(battle.map.grid.distance(a, b))))
        }
        ["sight", a, b] => sight_fact(battle, state, a, b),
        ["zone", side, hex] => {
            let side = battle.side_named(side)?;
            let hex = battle.map.parse(hex)?;
            Some(Lines::of(battle, state, side.enemy()).zone.contains(hex).into())
        }
        ["chart", total, die] => {
            let column = battle.charts.column(total.parse().ok()?, 0);
            Some(battle.charts.cell(column, die.parse().ok()?).printed().into())
        }
        ["column", total] => Some(battle.charts.head(battle.charts.column(total.parse().ok()?, 0)).into()),
        ["fire", "total"] => declared(battle, state).map(|v| number(i64::from(v.total))),
        ["fire", "column"] => declared(battle, state).map(|v| battle.charts.head(v.column).into()),
        ["fire", "modifier"] => declared(battle, state).map(|v| number(i64::from(v.modifier()))),
        ["fire", target, firers] => fire_fact(battle, state, target, firers),
        ["sp", unit, target] => {
            let unit = battle.unit_named(unit)?;
            let range = battle.map.grid.distance(state.unit(unit).post.hex()?, spot(battle, state, target)?);
            let factor = combat::range_factor(battle, state, unit, range);
            Some(number(factor.map_or(0, |f| i64::from(f.of(state.unit(unit).sp)))))
        }
        ["cost", piece, from, to] => cost_fact(battle, state, piece, from, to),
        ["way", piece, to] => way_fact(battle, state, piece, to),
        ["entry", piece] => {
            let piece = battle.piece_named(piece)?;
            let lines = Lines::of(battle, state, battle.side_of(piece));
            Some(hexes(battle, reinforcements::doors(battle, &lines, piece).iter()))
        }
        [piece, key] => match battle.piece_named(piece)? {
            Piece::Unit(unit) => unit_fact(battle, state, unit, key),
            Piece::Leader(leader) => leader_fact(battle, state, leader, key),
        },
        _ => None,
    }
}

fn number(n: i64) -> Fact {
    Fact::Number(n)
}

fn hexes(battle: &Battle, hexes: impl Iterator<Item = Hex>) -> Fact {
    Fact::Set(hexes.map(|hex| battle.number(hex)).collect())
}

fn units(battle: &Battle, units: Units) -> Fact {
    Fact::Set(units.iter().map(|id| battle.unit(id).slug.clone()).collect())
}

/// Halves of a movement point: a number, or a text such as `5.5`.
fn halves(mp: u8) -> Fact {
    if mp.is_multiple_of(2) { number(i64::from(mp / 2)) } else { Fact::Text(format!("{}.5", mp / 2)) }
}

/// A hex by number, or where a piece stands.
fn spot(battle: &Battle, state: &State, name: &str) -> Option<Hex> {
    battle.map.grid.parse(name).or_else(|| state.hex_of(battle.piece_named(name)?).hex())
}

fn post(battle: &Battle, post: Post) -> Fact {
    post.hex().map_or(String::new(), |hex| battle.number(hex)).into()
}

fn post_word(post: Post) -> Fact {
    match post {
        Post::On(_) => "map",
        Post::Due => "due",
        Post::Gone => "gone",
    }
    .into()
}

fn leader_name(battle: &Battle, leader: Option<LeaderId>) -> Fact {
    leader.map_or("none", |l| battle.leader(l).slug.as_str()).into()
}

fn unit_fact(battle: &Battle, state: &State, unit: UnitId, key: &str) -> Option<Fact> {
    let sheet = battle.unit(unit);
    let here = state.unit(unit);
    let piece = Piece::Unit(unit);
    Some(match key {
        "hex" => post(battle, here.post),
        "state" => post_word(here.post),
        "sp" => number(i64::from(here.sp)),
        "full" => number(i64::from(sheet.sp)),
        "back" => number(i64::from(sheet.back)),
        "routed" => here.routed.into(),
        "shattered" => shattered(battle, state, unit).into(),
        "formation" => formation(battle, state, unit).into(),
        "type" => type_word(sheet.arm).into(),
        "side" => battle.armies[sheet.side].id.as_str().into(),
        "name" => sheet.name.as_str().into(),
        "colour" => sheet.morale.colour().into(),
        "morale" => number(i64::from(results::morale_number(battle, state, unit))),
        "passes_at" => number(i64::from(results::passes_at(battle, state, unit))),
        "division" => leader_name(battle, sheet.division),
        "corps" => leader_name(battle, sheet.corps),
        "army" => leader_name(battle, sheet.army),
        "independent" => sheet.independent.into(),
        "start" => start_words(battle, sheet.start).into(),
        "in_command" => command::in_command(state, unit).into(),
        "would_be_commanded" => (!command::uncommanded(battle, state, sheet.side).contains(unit)).into(),
        "fired" => state.fired.contains(unit).into(),
        "targeted" => state.targeted.contains(unit).into(),
        "fired_marker" => state.fired_marks.contains(unit).into(),
        "moved" => state.moved.contains(unit).into(),
        "mp" => halves(movement::left(battle, state, piece)),
        "allowance" => halves(movement::allowance(battle, state, piece)),
        "task" => match here.task {
            Task::None => "none",
            Task::Build => "build",
            Task::Burn(_) => "burn",
        }
        .into(),
        "reach" => reach(battle, state, piece),
        "zone" => {
            let mut zone = hexmap::HexSet::EMPTY;
            let at = here.post.hex()?;
            add_zone(battle, state, unit, at, &mut zone);
            zone.remove(at);
            hexes(battle, zone.iter())
        }
        "in_zone_of" => units(battle, covered_by(battle, state, sheet.side, here.post.hex()?)),
        "retreats_to" => {
            let Some(Step::Retreat { unit: going, rout, class }) = state.agenda.top() else {
                return Some(Fact::Set(Vec::new()));
            };
            let to = if going == unit {
                retreat::options(battle, state, unit, rout, class)
            } else {
                Default::default()
            };
            hexes(battle, to.into_iter())
        }
        "began_next_to_enemy" => state.adjacent.contains(unit).into(),
        _ => return None,
    })
}

fn leader_fact(battle: &Battle, state: &State, leader: LeaderId, key: &str) -> Option<Fact> {
    let sheet = battle.leader(leader);
    let here = state.leader(leader);
    let piece = Piece::Leader(leader);
    Some(match key {
        "hex" => post(battle, here.post),
        "state" => post_word(here.post),
        "replaced" => here.replaced.into(),
        "radius" => number(i64::from(command::radius(battle, state, leader))),
        "rank" => match sheet.rank {
            Rank::Division => "division",
            Rank::Corps => "corps",
            Rank::Army => "army",
        }
        .into(),
        "superior" => leader_name(battle, sheet.superior),
        "side" => battle.armies[sheet.side].id.as_str().into(),
        "type" => "leader".into(),
        "alone" => leaders::alone(battle, state, leader).into(),
        "command" => {
            let all = (0..battle.units.len()).map(|i| UnitId(i as u8));
            units(battle, all.filter(|&u| battle.commands(leader, u)).collect())
        }
        "mp" => halves(movement::left(battle, state, piece)),
        "allowance" => halves(movement::allowance(battle, state, piece)),
        "reach" => reach(battle, state, piece),
        "zone" => Fact::Set(Vec::new()),
        "nearest" => units(battle, leaders::nearest(battle, state, leader)),
        "present" => command::present(state, leader).into(),
        _ => return None,
    })
}

fn formation(battle: &Battle, state: &State, unit: UnitId) -> &'static str {
    match (battle.unit(unit).arm, state.unit(unit).deployed) {
        (Arm::Infantry, _) => "foot",
        (Arm::Cavalry, true) => "dismounted",
        (Arm::Cavalry, false) => "mounted",
        (Arm::Artillery, true) => "unlimbered",
        (Arm::Artillery, false) => "limbered",
    }
}

fn type_word(arm: Arm) -> &'static str {
    match arm {
        Arm::Infantry => "infantry",
        Arm::Cavalry => "cavalry",
        Arm::Artillery => "artillery",
    }
}

fn start_words(battle: &Battle, start: Start) -> String {
    match start {
        Start::At(hex) => battle.number(hex),
        Start::Enters { turn, area } => format!("T{} {}", turn + 1, battle.areas[usize::from(area)].0),
        Start::ByDie { area, .. } => format!("die {}", battle.areas[usize::from(area)].0),
        Start::Nowhere => "off".into(),
    }
}

fn reach(battle: &Battle, state: &State, piece: Piece) -> Fact {
    if movement::may_act(battle, state, piece).is_err() || movement::may_leave(battle, state, piece).is_err()
    {
        return Fact::Set(Vec::new());
    }
    let lines = Lines::of(battle, state, battle.side_of(piece));
    let walk = Walk::new(battle, state, &lines, piece);
    let reach = Reach::of(&walk, piece);
    hexes(battle, reach.hexes.iter().filter(|&to| walk.may_end(piece, to).is_ok()))
}

fn side_fact(battle: &Battle, state: &State, a: &str, b: &str) -> Option<Fact> {
    let (a, b) = (battle.map.grid.parse(a)?, battle.map.grid.parse(b)?);
    let bits = features_now(battle, state, a, battle.map.grid.direction(a, b)?);
    let named = feature::NAMES.iter().filter(|(_, bit)| bits & bit != 0);
    Some(Fact::Set(named.map(|(name, _)| (*name).to_owned()).collect()))
}

fn ford_fact(battle: &Battle, state: &State, a: &str, b: &str) -> Option<Fact> {
    let side = battle.map.grid.side_between(battle.map.grid.parse(a)?, battle.map.grid.parse(b)?)?;
    let index = battle.fords.iter().position(|f| f.side == side)?;
    Some(
        match state.fords[index] {
            Ford::Unsearched(_) => "unsearched",
            Ford::Found => "ford",
            Ford::None => "river",
        }
        .into(),
    )
}

/// Whether the first sees the second; friends of the unit that looks are in its way.
fn sight_fact(battle: &Battle, state: &State, a: &str, b: &str) -> Option<Fact> {
    let (from, to) = (spot(battle, state, a)?, spot(battle, state, b)?);
    let side = battle.unit_named(a).or_else(|| state.unit_at(from)).map(|u| battle.unit(u).side);
    let friends =
        side.map_or(hexmap::HexSet::EMPTY, |s| on_map(battle, state, s).map(|(hex, _)| hex).collect());
    Some(sight::sees(battle, &friends, from, to).into())
}

fn declared(battle: &Battle, state: &State) -> Option<combat::Volley> {
    state.fire.at.map(|at| combat::volley(battle, state, at, state.fire.firers))
}

/// `fire.rodes.caldwell+meagher`: the column and what is added to the die, as `29 SP, column 29-32, die -3`.
fn fire_fact(battle: &Battle, state: &State, target: &str, firers: &str) -> Option<Fact> {
    let at = spot(battle, state, target)?;
    let firers: Option<Units> = firers.split('+').map(|slug| battle.unit_named(slug)).collect();
    let volley = combat::volley(battle, state, at, firers?);
    let text = format!(
        "{} SP, column {}, die {:+}",
        volley.total,
        battle.charts.head(volley.column),
        volley.modifier()
    );
    Some(text.into())
}

/// The cost of one step now, or `"closed"`.
fn cost_fact(battle: &Battle, state: &State, piece: &str, from: &str, to: &str) -> Option<Fact> {
    let piece = battle.piece_named(piece)?;
    let (from, to) = (battle.map.grid.parse(from)?, battle.map.grid.parse(to)?);
    let direction = battle.map.grid.direction(from, to)?;
    if way(battle, state, from, direction).is_none_or(|w| w.closed == Closed::ToAll) {
        return Some("closed".into());
    }
    let lines = Lines::of(battle, state, battle.side_of(piece));
    let walk = Walk::new(battle, state, &lines, piece);
    Some(walk.step(from, direction).map_or("closed".into(), |(_, cost)| halves(cost)))
}

/// The cost of the cheapest march there now, or `"closed"`.
fn way_fact(battle: &Battle, state: &State, piece: &str, to: &str) -> Option<Fact> {
    let piece = battle.piece_named(piece)?;
    let to = battle.map.grid.parse(to)?;
    let lines = Lines::of(battle, state, battle.side_of(piece));
    let walk = Walk::new(battle, state, &lines, piece);
    let spent = Reach::of(&walk, piece).spent_at(to);
    Some(spent.map_or("closed".into(), |spent| halves(spent - walk.spent)))
}
