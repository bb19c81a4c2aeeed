//! Named facts of a position, for situations: `a.hits`, `sight.a.b`, `shot.a.b.need`.

use game::situation::Fact;
use table::{MIL, Side as Edge, Spot, div_round};

use crate::charge_line::line_of_charge;
use crate::command::orders_mods;
use crate::end::{holder, score, tally};
use crate::field::Field;
use crate::maneuvers::rate;
use crate::melee;
use crate::morale::{army_broken, morale_mods};
use crate::muster::{Battle, Flags, Phase, State, UnitId, Whereabouts, stat_of};
use crate::notation::{brigade_named, decimal, degrees, officer_named, unit_named};
use crate::roads::on_road;
use crate::shooting::shot;
use crate::sight::Kind;

fn mils(n: i64) -> Fact {
    Fact::Number(div_round(n, MIL))
}

const fn edge_word(edge: Edge) -> &'static str {
    match edge {
        Edge::Front => "front",
        Edge::Left => "left",
        Edge::Right => "right",
        Edge::Rear => "rear",
    }
}

pub(crate) fn fact(battle: &Battle, state: &State, name: &str) -> Option<Fact> {
    let parts: Vec<&str> = name.split('.').collect();
    let field = Field::new(battle, state);
    let side = |id: &str| game::Side::BOTH.into_iter().find(|s| battle.armies[*s].id == id);
    match parts[..] {
        ["turn"] => Some(Fact::Number(i64::from(state.turn))),
        ["phase"] => Some(phase_word(state.phase).into()),
        ["active"] => Some(battle.armies[state.active].id.as_str().into()),
        ["first"] => Some(battle.armies[state.first].id.as_str().into()),
        ["score", id] => Some(Fact::Number(i64::from(score(battle, state)[side(id)?]))),
        ["score", id, what] => {
            let t = tally(battle, state, side(id)?);
            let points = match what {
                "troops" => t.troops,
                "guns" => t.guns,
                "shaken" => t.shaken,
                "objectives" => t.objectives,
                "scenario" => t.scenario,
                _ => return None,
            };
            Some(Fact::Number(i64::from(points)))
        }
        ["army", id, "broken"] => Some(Fact::Truth(army_broken(battle, state, side(id)?))),
        ["army", id, "commander"] => {
            let c = battle.army_commander(side(id)?)?;
            Some(battle.officer(c).slug.as_str().into())
        }
        ["brigade", b, "broken"] => Some(Fact::Truth(state.brigade_broken(brigade_named(battle, b)?))),
        ["brigade", b, "units"] => {
            let b = brigade_named(battle, b)?;
            let names = battle.units.iter().filter(|u| u.brigade == b).map(|u| u.slug.clone());
            Some(Fact::Set(names.collect()))
        }
        ["brigade", b, "commander"] => {
            let c = battle.brigade(brigade_named(battle, b)?).commander;
            Some(battle.officer(c).slug.as_str().into())
        }
        ["brigades"] => Some(Fact::Set(battle.brigades.iter().map(|b| b.slug.clone()).collect())),
        ["objective", n] => {
            let objective = battle.objectives.get(n.parse::<usize>().ok()?)?;
            let held = holder(&field, objective).map_or("nobody", |s| battle.armies[s].id.as_str());
            Some(held.into())
        }
        ["distance", a, b] => {
            match (unit_named(battle, a), unit_named(battle, b), officer_named(battle, a)) {
                (Some(a), Some(b), _) => Some(mils(field.distance(a, b))),
                (None, Some(b), Some(c)) => Some(mils(field.commander_distance(c, b))),
                _ => None,
            }
        }
        ["range", a, b] => Some(mils(field.range(unit_named(battle, a)?, unit_named(battle, b)?))),
        ["arc", a, b] => {
            let (a, b) = (unit_named(battle, a)?, unit_named(battle, b)?);
            Some(edge_word(field.rect(a).arc_of(field.rect(b).front)).into())
        }
        ["arc", a, x, y] => {
            let spot = Spot::new(x.parse::<i32>().ok()? * 1000, y.parse::<i32>().ok()? * 1000);
            Some(edge_word(field.rect(unit_named(battle, a)?).arc_of(spot.pt())).into())
        }
        ["sight", a, b] => {
            let sight = field.sight(unit_named(battle, a)?, unit_named(battle, b)?);
            Some(match sight.kind() {
                Kind::None => "none".into(),
                Kind::Partial => "partial".into(),
                Kind::Full => "full".into(),
            })
        }
        ["visible", a, b] => Some(mils(field.sight(unit_named(battle, a)?, unit_named(battle, b)?).visible)),
        ["cover", a, b] | ["obscured", a, b] => {
            let (viewer, target) = (unit_named(battle, a)?, unit_named(battle, b)?);
            let shelter = field.shelter(viewer, field.rect(viewer), target);
            Some(Fact::Truth(if parts[0] == "cover" { shelter.cover } else { shelter.obscured }))
        }
        ["shot", a, b, what] => {
            let volley = shot(&field, unit_named(battle, a)?, unit_named(battle, b)?).ok()?;
            Some(Fact::Number(match what {
                "dice" => i64::from(volley.dice),
                "need" => i64::from(volley.need),
                "sum" => i64::from(volley.mods.sum()),
                _ => return None,
            }))
        }
        ["melee", a, "dice"] => {
            Some(Fact::Number(i64::from(melee::dice(battle, state, unit_named(battle, a)?))))
        }
        ["melee", a, b, "need"] => Some(Fact::Number(i64::from(melee::needs(
            &field,
            unit_named(battle, a)?,
            unit_named(battle, b)?,
        )))),
        ["orders", a, "sum"] => {
            Some(Fact::Number(i64::from(orders_mods(&field, unit_named(battle, a)?).sum())))
        }
        ["morale", a, "sum"] => {
            Some(Fact::Number(i64::from(morale_mods(&field, unit_named(battle, a)?).sum())))
        }
        ["charge", a, b, what] => {
            let (a, b) = (unit_named(battle, a)?, unit_named(battle, b)?);
            let line = line_of_charge(&field, a, b, &[a]).ok()?;
            Some(match what {
                "distance" => Fact::Number(i64::from(line.distance)),
                "side" => edge_word(line.side).into(),
                "difficult" => Fact::Truth(line.difficult),
                "pose" => pose_text(line.pose).into(),
                _ => return None,
            })
        }
        ["terrain", kind, what] => terrain_fact(kind, what),
        [who, what] => match (unit_named(battle, who), officer_named(battle, who)) {
            (Some(u), _) => unit_fact(&field, u, what),
            (None, Some(c)) => {
                let now = &state.commanders[c.i()];
                Some(match what {
                    "at" => format!("{} {}", decimal(now.at.x), decimal(now.at.y)).into(),
                    "x" => Fact::Number(i64::from(now.at.x)),
                    "y" => Fact::Number(i64::from(now.at.y)),
                    "attached" => now.attached.map_or("nobody", |u| battle.unit(u).slug.as_str()).into(),
                    "radius" => mils(battle.officer(c).radius()),
                    "rallied" => Fact::Truth(now.rallied),
                    "brigade-broken" => {
                        Fact::Truth(battle.officer(c).brigade.is_some_and(|b| state.brigade_broken(b)))
                    }
                    _ => return None,
                })
            }
            (None, None) => None,
        },
        _ => None,
    }
}

fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Start => "start",
        Phase::Command => "command",
        Phase::Shooting => "shooting",
        Phase::Melee => "melee",
        Phase::End => "end",
    }
}

fn pose_text(pose: table::Pose) -> String {
    format!("{} {} f {}", decimal(pose.at.x), decimal(pose.at.y), degrees(pose.facing.get()))
}

fn terrain_fact(kind: &str, what: &str) -> Option<Fact> {
    use crate::muster::Ground;
    use crate::terrain::{Blocks, Going};
    let ground = Ground::ALL[Ground::WORDS.iter().position(|w| *w == kind)?];
    Some(match what {
        "type" => match ground.going() {
            Going::Open => "open".into(),
            Going::Difficult => "difficult".into(),
            Going::Impassable => "impassable".into(),
        },
        "cover" => Fact::Truth(ground.gives_cover()),
        "obscures" => Fact::Truth(ground.obscures()),
        "blocks" => match ground.blocks() {
            Blocks::No => "no".into(),
            Blocks::Yes => "yes".into(),
            Blocks::Hill => "hill".into(),
        },
        _ => return None,
    })
}

fn unit_fact(field: &Field<'_>, u: UnitId, what: &str) -> Option<Fact> {
    let (battle, state) = (field.battle, field.state);
    let (unit, roster, rect) = (state.unit(u), battle.unit(u), field.rect(u));
    let stat = stat_of(battle, state, u);
    let flag = |bit: u16| Fact::Truth(unit.flags.has(bit));
    let corner = |i: usize| {
        let s = rect.corners[i].spot();
        Fact::Text(format!("{} {}", decimal(s.x), decimal(s.y)))
    };
    let spot = |p: table::Pt| Fact::Text(format!("{} {}", decimal(p.spot().x), decimal(p.spot().y)));
    Some(match what {
        "pose" => pose_text(unit.pose).into(),
        "x" => Fact::Number(i64::from(unit.pose.at.x)),
        "y" => Fact::Number(i64::from(unit.pose.at.y)),
        "facing" => Fact::Number(i64::from(unit.pose.facing.get())),
        "ulp" => spot(rect.front),
        "centre" => spot(rect.centre),
        "front-right" => corner(0),
        "front-left" => corner(1),
        "rear-left" => corner(2),
        "rear-right" => corner(3),
        "width" => mils(2 * rect.a),
        "depth" => mils(2 * rect.b),
        "bases" => Fact::Number(crate::formations::bases(roster.arm, unit.formation).len() as i64),
        "formation" => unit.formation.word().into(),
        "arm" => roster.arm.word().into(),
        "brigade" => battle.brigade(roster.brigade).slug.as_str().into(),
        "hits" => Fact::Number(i64::from(unit.hits)),
        "state" => match (unit.place, unit.shaken) {
            (Whereabouts::Table, false) => "steady".into(),
            (Whereabouts::Table, true) => "shaken".into(),
            (Whereabouts::Broken, _) => "broken".into(),
            (Whereabouts::Left, _) => "left".into(),
            (Whereabouts::Reserve, _) => "reserve".into(),
        },
        "order" => unit.order.map_or("none", |o| o.word()).into(),
        "moved" => flag(Flags::MOVED),
        "smoke" => flag(Flags::SMOKE),
        "charging" => flag(Flags::IMPETUS),
        "engaged" => Fact::Truth(state.engaged(u)),
        "foes" => Fact::Set(state.foes(u).map(|(f, _, _)| battle.unit(f).slug.clone()).collect()),
        "defends" => Fact::Truth(state.foes(u).any(|(f, _, _)| crate::contact::is_defending(state, u, f))),
        "on-road" => Fact::Truth(on_road(field, u).is_some()),
        "rate" => Fact::Number(i64::from(rate(field, u))),
        "shooting" => Fact::Number(i64::from(stat.shooting[0])),
        "shooting-half" => Fact::Number(i64::from(stat.shooting[1])),
        "shooting-long" => Fact::Number(i64::from(stat.shooting[2])),
        "melee" => Fact::Number(i64::from(stat.melee)),
        "shaken-at" => Fact::Number(i64::from(roster.arm.morale().0)),
        "break-at" => Fact::Number(i64::from(roster.arm.morale().1)),
        "reach" => Fact::Number(roster.arm.range()),
        "commanders" => Fact::Set(state.attached(u).map(|c| battle.officer(c).slug.clone()).collect()),
        _ => return None,
    })
}
