//! Named facts of a position, for situations.

use game::Side;
use game::situation::{Fact, Unknown};

use crate::notation::number as decimal;
use crate::rules::morale::{Cause, number, supporters};
use crate::rules::{charge, fire, melee, movement, reaction, sighting, terrain, victory};
use crate::setup::battle::{Battle, Cover};
use crate::state::{BodyId, LeaderId, Marks, State, Where};

fn inches(units: i64) -> Fact {
    Fact::from(decimal(table::div_round(units, table::MIL)))
}

/// Facts of the whole position.
const WHOLE: [&str; 7] = ["turn", "phase", "first", "mover", "melees", "breaches", "revealed"];
/// Facts of a side.
const OF_SIDE: [&str; 3] = ["score", "batch", "commands"];
/// Facts of two bodies, or of a body and a leader.
const OF_PAIR: [&str; 5] = ["sight", "distance", "range", "need", "bearing"];
/// Facts of a unit.
const OF_UNIT: [&str; 37] = [
    "at",
    "x",
    "y",
    "facing",
    "stands",
    "fighting",
    "lost",
    "fresh",
    "percent",
    "state",
    "formation",
    "files",
    "ranks",
    "width",
    "depth",
    "hits_a_stand",
    "place",
    "marks",
    "hidden",
    "melee",
    "face",
    "melee_dice",
    "melee_bonus",
    "in_command",
    "must_react",
    "engaged",
    "rate",
    "engaged_rate",
    "charge_rate",
    "ranges",
    "dice",
    "men",
    "support",
    "morale",
    "level",
    "cover",
    "price",
];
const OF_UNIT_TOO: [&str; 2] = ["order", "charge_ready"];
/// Facts of a leader.
const OF_LEADER: [&str; 9] =
    ["at", "disabled", "personality", "competent", "order", "marker", "attached", "hears", "moved"];

/// The fact of that name.
pub(crate) fn fact(battle: &Battle, state: &State, name: &str) -> Result<Fact, Unknown> {
    match name {
        "turn" => return Ok(Fact::from(i64::from(state.turn))),
        "phase" => return Ok(Fact::from(crate::rules::sequence::Phase::NAMES[state.phase as usize])),
        "first" => return Ok(Fact::from(battle.sides[state.turn_of].id.as_str())),
        "mover" => return Ok(Fact::from(battle.sides[state.mover].id.as_str())),
        "melees" => return Ok(Fact::from(state.bouts.len() as i64)),
        "breaches" => return Ok(Fact::from(state.breaches.iter().filter(|b| b.open).count() as i64)),
        "revealed" => return Ok(Fact::from(i64::from(state.revealed.count_ones()))),
        _ => {}
    }
    let Some((head, rest)) = name.split_once('.') else {
        let what = "a fact of the position, a unit or a leader";
        return Err(Unknown::new(
            name,
            what,
            WHOLE.iter().map(|w| (*w).to_owned()).chain(names(battle, state)),
        ));
    };
    match head {
        "score" => {
            return side(battle, rest).map(|s| Fact::from(i64::from(victory::score(battle, state)[s])));
        }
        "batch" => return side(battle, rest).map(|s| Fact::from(i64::from(state.go.batch[s]))),
        "commands" => return side(battle, rest).map(|s| Fact::from(i64::from(state.commands[s]))),
        "sight" | "distance" | "range" | "need" | "bearing" => return pair(battle, state, head, rest),
        _ => {}
    }
    // Ids of later groups hold a dot themselves: the longest that is known is meant.
    if let Some((unit, what)) = name.rsplit_once('.')
        && let Some(id) = battle.find(state, unit)
    {
        return of_unit(battle, state, id, what);
    }
    if let Some(id) = battle.find(state, head) {
        return of_unit(battle, state, id, rest);
    }
    if let Some(id) = battle.find_leader(head) {
        return leader_fact(battle, state, id, rest)
            .ok_or_else(|| Unknown::new(rest, "a fact of a leader", OF_LEADER));
    }
    let known = OF_SIDE.into_iter().chain(OF_PAIR).map(str::to_owned);
    Err(Unknown::new(head, "a unit, a leader or a kind of fact", names(battle, state).chain(known)))
}

/// The ids of all units and leaders.
fn names<'a>(battle: &'a Battle, state: &'a State) -> impl Iterator<Item = String> + 'a {
    let units = (0..state.bodies.len()).map(|i| battle.slug(BodyId(i as u8)));
    units.chain(battle.leaders.iter().map(|l| l.id.clone()))
}

fn of_unit(battle: &Battle, state: &State, id: BodyId, what: &str) -> Result<Fact, Unknown> {
    unit_fact(battle, state, id, what)
        .ok_or_else(|| Unknown::new(what, "a fact of a unit", OF_UNIT.into_iter().chain(OF_UNIT_TOO)))
}

fn side(battle: &Battle, id: &str) -> Result<Side, Unknown> {
    let found = Side::BOTH.into_iter().find(|s| battle.sides[*s].id == id);
    found.ok_or_else(|| Unknown::new(id, "a side", Side::BOTH.map(|s| battle.sides[s].id.clone())))
}

fn unit(battle: &Battle, state: &State, id: &str) -> Result<BodyId, Unknown> {
    battle.find(state, id).ok_or_else(|| Unknown::new(id, "a unit", names(battle, state)))
}

/// `A.B`, where the ids of later groups hold a dot themselves.
fn two<'a>(battle: &Battle, state: &State, rest: &'a str) -> Result<(BodyId, &'a str), Unknown> {
    let mut dots = rest.match_indices('.').map(|(at, _)| at);
    let known = dots.clone().find_map(|at| {
        let later =
            battle.find(state, &rest[at + 1..]).is_some() || battle.find_leader(&rest[at + 1..]).is_some();
        battle.find(state, &rest[..at]).filter(|_| later).map(|id| (id, &rest[at + 1..]))
    });
    match (known, dots.next()) {
        (Some(both), _) => Ok(both),
        (None, Some(at)) => unit(battle, state, &rest[..at]).map(|id| (id, &rest[at + 1..])),
        (None, None) => Err(Unknown::new(rest, "two units with a dot between", [""; 0])),
    }
}

fn pair(battle: &Battle, state: &State, what: &str, rest: &str) -> Result<Fact, Unknown> {
    let (by, other) = two(battle, state, rest)?;
    if let Some(leader) = battle.find_leader(other) {
        let at = state.leaders[leader.i()].at.pt();
        let distance = || inches(state.body(by).layout(battle).distance_to(at));
        return (what == "distance")
            .then(distance)
            .ok_or_else(|| Unknown::new(what, "a fact of a unit and a leader", ["distance"]));
    }
    let at = unit(battle, state, other)?;
    let (mine, theirs) = (state.body(by).layout(battle), state.body(at).layout(battle));
    Ok(match what {
        "sight" => Fact::from(terrain::sees(battle, state, by, at)),
        "distance" => inches(mine.distance(&theirs)),
        "need" => Fact::from(i64::from(sighting::need(battle, state, by, at))),
        "bearing" => match fire::bearing(battle, state, by, at, &theirs) {
            Ok(aim) => Fact::from(i64::from(aim.stands.count_ones())),
            Err(no) => Fact::from(no.rule.id()),
        },
        _ => match fire::bearing(battle, state, by, at, &theirs) {
            Ok(aim) => Fact::from(["short", "medium", "long", "extreme"][aim.band]),
            Err(no) => Fact::from(no.rule.id()),
        },
    })
}

fn unit_fact(battle: &Battle, state: &State, id: BodyId, what: &str) -> Option<Fact> {
    let body = state.body(id);
    let layout = body.layout(battle);
    let info = battle.info(body);
    Some(match what {
        "at" => Fact::from(format!(
            "{} {}",
            decimal(i64::from(body.pose.at.x)),
            decimal(i64::from(body.pose.at.y))
        )),
        "x" => Fact::from(decimal(i64::from(body.pose.at.x))),
        "y" => Fact::from(decimal(i64::from(body.pose.at.y))),
        "facing" => Fact::from(decimal(i64::from(body.pose.facing.get()) * 10)),
        "stands" => Fact::from(i64::from(body.stands(battle))),
        "fighting" => Fact::from(i64::from(body.fighting(battle))),
        "lost" => Fact::from(i64::from(body.lost)),
        "fresh" => Fact::from(i64::from(body.fresh)),
        "percent" => Fact::from(state.percent_lost(battle, body.bmu)),
        "state" => Fact::from(body.order.name()),
        "formation" => Fact::from(body.shape.formation.name()),
        "files" => Fact::from(i64::from(layout.files())),
        "ranks" => Fact::from(i64::from(layout.ranks())),
        "width" => inches(layout.extent().width),
        "depth" => inches(layout.extent().depth),
        "hits_a_stand" => Fact::from(i64::from(battle.arm(body).hits_a_stand())),
        "place" => Fact::from(match body.place {
            Where::Table => "table",
            Where::Coming => "coming",
            Where::Gone => "gone",
            Where::Joined => "joined",
            Where::Left => "left",
        }),
        "marks" => {
            let all = Marks::WORDS.iter().filter(|(_, m)| body.marks.has(*m)).map(|(w, _)| (*w).to_owned());
            Fact::from(all.collect::<Vec<String>>())
        }
        "hidden" => Fact::from(sighting::is_marker(state, id)),
        "melee" => {
            let all = state.opponents(id).map(|(_, o)| battle.slug(o));
            Fact::from(all.collect::<Vec<String>>())
        }
        "face" => {
            let bout = state.bouts.iter().find(|b| b.defender == id);
            Fact::from(bout.map_or("none", |b| b.face.name()))
        }
        "melee_dice" => Fact::from(i64::from(melee::dice(battle, state, id).dice)),
        "melee_bonus" => Fact::from(i64::from(melee::dice(battle, state, id).bonus)),
        "in_command" => Fact::from(battle.in_command(state, id)),
        "must_react" => Fact::from(reaction::must_react(battle, state, id)),
        "engaged" => Fact::from(battle.engaged(state, id)),
        "rate" => inches(movement::rate(
            battle,
            state,
            id,
            body.shape.formation,
            movement::at_charge_rate(
                battle,
                state,
                id,
                battle.nearest_enemy(state, battle.side(body), &body.layout(battle)).map(|n| n.1),
            ),
        )),
        "engaged_rate" => inches(battle.rate(body).engaged),
        "charge_rate" => inches(battle.rate(body).charge),
        "ranges" => {
            let all: Vec<String> = info.weapon.ranges.iter().map(|r| decimal(r / table::MIL)).collect();
            Fact::from(all.join("/"))
        }
        "dice" => Fact::from(i64::from(info.weapon.dice)),
        "men" => Fact::from(info.men),
        "support" => Fact::from(supporters(battle, state, id) as i64),
        "morale" => Fact::from(i64::from(number(battle, state, id, Cause::Phase).total())),
        "level" => Fact::from(i64::from(battle.level(body))),
        "cover" => {
            let from = battle.nearest_enemy(state, battle.side(body), &layout);
            let from = from.map(|(e, _)| state.body(e).layout(battle).centre());
            Fact::from(match battle.cover(state, &layout, from, false) {
                Cover::None => "none",
                Cover::Light => "light",
                Cover::Heavy => "heavy",
            })
        }
        "price" => Fact::from(i64::from(movement::price(state, id))),
        "order" => Fact::from(battle.order_of(state, id).map_or("none", crate::state::Command::name)),
        "charge_ready" => Fact::from(charge::may_charge(battle, state, id).is_ok()),
        _ => return None,
    })
}

fn leader_fact(battle: &Battle, state: &State, id: LeaderId, what: &str) -> Option<Fact> {
    let man = &state.leaders[id.i()];
    Some(match what {
        "at" => Fact::from(format!("{} {}", decimal(i64::from(man.at.x)), decimal(i64::from(man.at.y)))),
        "disabled" => Fact::from(man.disabled),
        "personality" => Fact::from(man.personality.name()),
        "competent" => Fact::from(!man.incompetent),
        "order" => Fact::from(man.order.name()),
        "marker" => {
            Fact::from(format!("{} {}", decimal(i64::from(man.marker.x)), decimal(i64::from(man.marker.y))))
        }
        "attached" => Fact::from(man.attached.map_or("none".to_owned(), |b| battle.slug(b))),
        "hears" => Fact::from(battle.hears_orders(state, id)),
        "moved" => Fact::from(man.moved),
        _ => return None,
    })
}
