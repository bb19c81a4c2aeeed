//! Named facts of a position, for situations.

use game::Side;
use game::situation::Fact;
use hexmap::Hex;

use crate::army_morale;
use crate::artillery_fire;
use crate::battle::{Arm, Battle};
use crate::charts::COLUMNS;
use crate::close_combat;
use crate::designation;
use crate::ground::Sight;
use crate::how_to_win;
use crate::leaders;
use crate::pieces::{Piece, Pieces};
use crate::pins;
use crate::rally;
use crate::results::Effect;
use crate::retreat;
use crate::sequence;
use crate::state::{Order, Spot, State, seen_by};
use crate::tactics::{self, Tactic};
use crate::zones;

/// The fact of that name.
pub(crate) fn fact(battle: &Battle, state: &State, name: &str) -> Option<Fact> {
    let words: Vec<&str> = name.split('.').collect();
    let side = |i: usize| words.get(i).and_then(|w| battle.find_side(w));
    let hex = |i: usize| words.get(i).and_then(|w| battle.ground.grid.parse(w));
    let number = |n: i64| Some(Fact::Number(n));
    match words[..] {
        ["hex_yards"] => number(battle.hex_yards.into()),
        ["turn"] => number(state.turn.into()),
        ["phase"] => Some(sequence::phase_name(state.phase).to_lowercase().into()),
        ["phasing"] => Some(battle.armies[state.phasing].id.as_str().into()),
        ["first"] => Some(battle.armies[state.first].id.as_str().into()),
        ["ending"] => Some(ending(battle, state).into()),
        ["pool"] => number(state.pool(battle).into()),
        ["pins"] => number(state.pins.len() as i64),
        ["mended"] => number(state.mended.count_ones().into()),
        ["obliged"] => Some(ids(battle, designation::unmet(battle, state).0)),
        ["required"] => Some(Fact::Set(
            designation::unmet(battle, state).1.into_iter().map(|h| battle.hex_name(h)).collect(),
        )),
        ["morale", _] => number(state.morale[side(1)?].into()),
        ["level", _] => Some(army_morale::level(battle, state, side(1)?).name().into()),
        ["initiative_drm", _] => number(army_morale::initiative_drm(battle, state, side(1)?).into()),
        ["chits", _] => number(state.chits[side(1)?].into()),
        ["lost", _] => number(state.lost[side(1)?].into()),
        ["vp", _] => Some(halves(how_to_win::half_points(battle, state)[side(1)?]).into()),
        ["score", _] => number((how_to_win::half_points(battle, state)[side(1)?] / 2).into()),
        ["held", _] => Some(holder(battle, state, hex(1)?)?.into()),
        ["stack", _, _] => Some(ids(battle, state.in_hex(hex(2)?) & battle.pieces(side(1)?))),
        ["zone", _] => {
            let zone = zones::zone(battle, state, side(1)?);
            Some(Fact::Set(zone.iter().map(|h| battle.hex_name(h)).collect()))
        }
        ["zone", _, _] => Some(zones::in_zone(battle, state, side(1)?, hex(2)?).into()),
        ["sight", _, _] => {
            let occupied = artillery_fire::occupied(battle, state);
            let seen = match battle.ground.sight(&battle.charts, hex(1)?, hex(2)?, &occupied) {
                Sight::Clear => "clear",
                Sight::Terrain => "terrain",
                Sight::Slope => "slope",
                Sight::Unit => "unit",
            };
            Some(seen.into())
        }
        ["up_slope", _, _] => Some(battle.ground.up_slope(hex(1)?, hex(2)?).into()),
        ["terrain", _] => Some(battle.ground.terrain[hex(1)?.index()].name().into()),
        ["cost", arm, _, _] => cost(battle, arm, hex(2)?, hex(3)?),
        ["odds", attack, defence] => {
            let column = battle.charts.column(attack.parse().ok()?, defence.parse().ok()?);
            Some(format!("{}{}", column.name(), if column.below { " below" } else { "" }).into())
        }
        ["table", column, roll] => {
            let column = COLUMNS.iter().position(|c| *c == column)?;
            let [a, d] = battle.charts.row(roll.parse().ok()?)[column];
            Some(if a.effect == Effect::Pin {
                "PIN".into()
            } else {
                format!("{}/{}", a.words(), d.words()).into()
            })
        }
        ["matrix", attacker, defender] => {
            let cell = battle.charts.tactics(Tactic::parse(attacker)?, Tactic::parse(defender)?);
            Some(cell.map_or(Fact::from("NC"), |n| Fact::Number(n.into())))
        }
        ["to_hit", sp, range] => number(battle.charts.to_hit(sp.parse().ok()?, range.parse().ok()?).into()),
        ["rifle_damage", face] => {
            Some(battle.charts.rifle_damage.get(face.parse::<usize>().ok()?)?.words().into())
        }
        ["artillery_damage", face] => {
            Some(battle.charts.artillery_damage.get(face.parse::<usize>().ok()?)?.words().into())
        }
        ["fight", what] => fight(battle, state, what),
        ["fight", what, _] => fight_of(battle, state, what, side(2)?),
        ["combat", attacker, _] => combat(battle, state, battle.find(attacker)?, hex(2)?),
        ["commander", _, _] => {
            let leader = leaders::in_command(battle, state, side(1)?, hex(2)?);
            Some(leader.map_or("nobody".into(), |l| battle.counter(l).id.as_str().into()))
        }
        ["retreat", unit, hexes] => {
            let unit = battle.find(unit)?;
            let start = state.hex(unit)?;
            let ways = retreat::routes(battle, state, unit, hexes.parse().ok()?, false);
            Some(Fact::Set(
                ways.iter()
                    .filter_map(|w| w.end(&battle.ground, start))
                    .map(|h| battle.hex_name(h))
                    .collect(),
            ))
        }
        ["seen", _, what] => seen(battle, state, side(1)?, what),
        [id, what] => piece(battle, state, battle.find(id)?, what),
        _ => None,
    }
}

fn ids(battle: &Battle, pieces: Pieces) -> Fact {
    Fact::Set(pieces.map(|p| battle.counter(p).id.clone()).collect())
}

fn halves(n: i32) -> String {
    if n % 2 == 0 { (n / 2).to_string() } else { format!("{}.5", n / 2) }
}

fn ending(battle: &Battle, state: &State) -> String {
    match state.ending {
        None => "none".into(),
        Some(e) => match e.winner {
            Some(side) => format!("{:?} {}", e.level, battle.armies[side].id).to_lowercase(),
            None => "draw".into(),
        },
    }
}

fn holder(battle: &Battle, state: &State, hex: Hex) -> Option<String> {
    let i = battle.objectives.iter().position(|o| o.hex == hex)?;
    let side = Side::BOTH.into_iter().find(|&s| state.held[s] >> i & 1 == 1);
    Some(side.map_or("nobody".into(), |s| battle.armies[s].id.clone()))
}

fn cost(battle: &Battle, arm: &str, from: Hex, to: Hex) -> Option<Fact> {
    let arm = match arm {
        "infantry" => Arm::Infantry,
        "cavalry" => Arm::Cavalry,
        "artillery" => Arm::Artillery,
        "leader" => Arm::Leader,
        _ => return None,
    };
    let direction = battle.ground.grid.direction(from, to)?;
    Some(battle.ground.cost(arm, from, direction).map_or("prohibited".into(), |n| Fact::Number(n.into())))
}

fn fight(battle: &Battle, state: &State, what: &str) -> Option<Fact> {
    let f = &state.fight;
    Some(match what {
        "open" => f.is_open().into(),
        "column" => close_combat::odds(battle, state, f.attackers, f.defenders).name().into(),
        "attack" => Fact::Number(close_combat::strength(battle, state, f.attackers, false).into()),
        "defence" => Fact::Number(close_combat::strength(battle, state, f.defenders, true).into()),
        "roll" => Fact::Number(f.roll.into()),
        "drm" => Fact::Number(close_combat::total_drm(battle, state).into()),
        "attackers" => ids(battle, f.attackers),
        "defenders" => ids(battle, f.defenders),
        "late" => ids(battle, f.late),
        "result" => {
            let [a, d] = close_combat::result(battle, state);
            if a.effect == Effect::Pin { "PIN".into() } else { format!("{}/{}", a.words(), d.words()).into() }
        }
        _ => return None,
    })
}

fn fight_of(battle: &Battle, state: &State, what: &str, side: Side) -> Option<Fact> {
    Some(match what {
        "lead" => state.fight.lead[side].map_or("nobody".into(), |p| battle.counter(p).id.as_str().into()),
        "tactic" => state.fight.tactic[side].map_or("none".into(), |t| t.slug().into()),
        "leads" => ids(battle, close_combat::leads(battle, state, side)),
        "open_flank" => tactics::has_open_flank(battle, state, side).into(),
        "eligible" => {
            let open = Tactic::ALL.into_iter().filter(|&t| tactics::may_play(battle, state, side, t).is_ok());
            Fact::Set(open.map(Tactic::slug).collect())
        }
        _ => return None,
    })
}

/// `combat.b-23.0910`: the column of an announced attack on that hex in which the unit takes part.
fn combat(battle: &Battle, state: &State, unit: Piece, hex: Hex) -> Option<Fact> {
    let here = state.units_in(battle, hex, !battle.side(unit));
    let attack = state.attacks.iter().find(|a| a.attackers.has(unit) && a.defenders.meets(here));
    Some(attack.map_or("none".into(), |a| {
        let column = close_combat::odds(battle, state, a.attackers, a.defenders);
        format!("{}{}", column.name(), if column.below { " below" } else { "" }).into()
    }))
}

/// What a side sees: `seen.crown.a-1m` where a piece is, `seen.crown.tactic` the enemy's tactic.
fn seen(battle: &Battle, state: &State, side: Side, what: &str) -> Option<Fact> {
    let seen = seen_by(battle, state, side);
    if what == "tactic" {
        return Some(seen.fight.tactic[!side].map_or("none".into(), |t| t.slug().into()));
    }
    if what == "stacks" {
        let hexes: hexmap::HexSet = battle.pieces(!side).filter_map(|p| seen.hex(p)).collect();
        return Some(Fact::Set(hexes.iter().map(|h| battle.hex_name(h)).collect()));
    }
    let piece = battle.find(what)?;
    if crate::stacking::unknown(battle, state, side).has(piece) {
        return Some("hidden".into());
    }
    Some(place(battle, &seen, piece).into())
}

fn place(battle: &Battle, state: &State, piece: Piece) -> String {
    match state.at[piece.index()] {
        Spot::TO_COME => "to-come".into(),
        Spot::ELIMINATED => "eliminated".into(),
        Spot::CAPTURED => "captured".into(),
        Spot::GONE => "gone".into(),
        Spot::HIDDEN => "hidden".into(),
        spot => spot.hex().map_or_else(String::new, |hex| battle.hex_name(hex)),
    }
}

fn piece(battle: &Battle, state: &State, piece: Piece, what: &str) -> Option<Fact> {
    let counter = battle.counter(piece);
    let leader = counter.leader;
    let roles = &battle.roles;
    let small = |n: i8| Fact::Number(n.into());
    Some(match what {
        "hex" | "place" => place(battle, state, piece).into(),
        "steps" => Fact::Number(state.steps(battle, piece).into()),
        "strength" => Fact::Number(state.strength(battle, piece).into()),
        "fire" => Fact::Number(state.fire_strength(battle, piece).into()),
        "defence" => Fact::Number(close_combat::strength(battle, state, Pieces::one(piece), true).into()),
        "base_morale" => small(state.base_morale(battle, piece)),
        "morale" => small(rally::modified_morale(battle, state, piece)),
        "mp" => Fact::Number(counter.allowance.into()),
        "side" => battle.armies[counter.side].id.as_str().into(),
        "arm" => counter.arm.name().into(),
        "nation" => counter.nation.clone().unwrap_or_default().into(),
        "reduced" => state.reduced.has(piece).into(),
        "order" => match state.order(piece) {
            Order::Parade => "parade",
            Order::Disrupted => "disrupted",
            Order::Shattered => "shattered",
        }
        .into(),
        "pinned" => pins::is_pinned(state, piece).into(),
        "withdrawn" => state.withdrawn.has(piece).into(),
        "first_fire" => state.unfired.has(piece).into(),
        "moved" => state.moved.has(piece).into(),
        "combat_unit" => battle.all_units().has(piece).into(),
        "rifle" => roles.rifles.has(piece).into(),
        "light" => roles.light.has(piece).into(),
        "militia" => roles.militia.has(piece).into(),
        "dragoon" => roles.dragoons.has(piece).into(),
        "indian" => roles.indians.has(piece).into(),
        "jaeger" => roles.jaegers.has(piece).into(),
        "seniority" => Fact::Number(leader?.seniority.into()),
        "close_combat" => small(leader?.close_combat),
        "leadership" => small(leader?.leadership),
        "surrounded" => {
            zones::is_surrounded(battle, state, counter.side, state.hex(piece)?, counter.arm).into()
        }
        "beside" => ids(battle, zones::beside(battle, state, !counter.side, state.hex(piece)?)),
        _ => return None,
    })
}
