//! What situations may name: facts of a position, decisions by kind, and where play may be stopped.

use game::situation::{Fact, Unknown};
use hexmap::Hex;

use crate::rules::charts::Closed;
use crate::rules::concepts::{Lines, add_zone, covered_by, features_now, on_map, shattered, way};
use crate::rules::movement::{self, Reach, Walk};
use crate::rules::{
    advance, combat, command, leaders, reinforcements, results, retreat, sequence, sight, victory,
};
use crate::setup::battle::Battle;
use crate::setup::map::feature;
use crate::setup::pieces::{Arm, Rank, Start};
use crate::state::{Ford, LeaderId, Phase, Piece, Post, State, Step, Task, UnitId, Units, Why};

/// What a fact gives, or the part of its name that is unknown.
type Found = Result<Fact, Unknown>;

/// The facts that are about the whole position, by their first word.
const GENERAL: [&str; 28] = [
    "turn", "day", "hours", "night", "phase", "active", "works", "burned", "vacated", "losses", "score",
    "tide", "units", "control", "terrain", "level", "in_play", "side", "ford", "distance", "sight", "zone",
    "chart", "column", "fire", "sp", "cost", "way",
];

const OF_A_UNIT: [&str; 34] = [
    "hex",
    "state",
    "sp",
    "full",
    "back",
    "routed",
    "shattered",
    "formation",
    "type",
    "side",
    "name",
    "colour",
    "morale",
    "passes_at",
    "division",
    "corps",
    "army",
    "independent",
    "start",
    "in_command",
    "would_be_commanded",
    "fired",
    "targeted",
    "fired_marker",
    "moved",
    "rallied",
    "mp",
    "allowance",
    "task",
    "reach",
    "zone",
    "in_zone_of",
    "retreats_to",
    "began_next_to_enemy",
];

const OF_A_LEADER: [&str; 18] = [
    "hex",
    "state",
    "replaced",
    "radius",
    "rank",
    "superior",
    "side",
    "name",
    "type",
    "alone",
    "command",
    "moved",
    "mp",
    "allowance",
    "reach",
    "nearest",
    "targeted",
    "zone",
];

/// The fact of that name.
pub(crate) fn fact(battle: &Battle, state: &State, name: &str) -> Found {
    let known = Names { battle, state };
    let parts: Vec<&str> = name.split('.').collect();
    Ok(match parts[..] {
        ["turn"] => number(i64::from(state.turn) + 1),
        ["day"] => number(i64::from(battle.turn(state).day)),
        ["hours"] => number(i64::from(battle.turn(state).hours)),
        ["night"] => battle.is_night(state).into(),
        ["phase"] => state.phase.id().into(),
        ["active"] => battle.armies[state.active].id.as_str().into(),
        ["works"] => hexes(battle, state.works.iter()),
        ["vacated"] => hexes(battle, advance::vacated(battle, state).iter()),
        ["burned"] => {
            let burned = (0..battle.sites.len()).filter(|&i| state.burned >> i & 1 == 1);
            Fact::Set(burned.map(|i| crate::notation::site_name(battle, i as u8)).collect())
        }
        ["losses", side] => number(i64::from(state.losses[known.side(side)?])),
        ["score", side] => number(i64::from(victory::score(battle, state)[known.side(side)?])),
        ["tide", side] => state.tide[known.side(side)?].into(),
        ["units", side] => units(battle, battle.of[known.side(side)?]),
        ["control", hex] => {
            let at = known.hex(hex)?;
            let objectives = || battle.objectives.iter();
            let index = objectives().position(|o| o.hex == at).ok_or_else(|| {
                Unknown::new(hex, "an objective", objectives().map(|o| battle.number(o.hex)))
            })?;
            state.control[index].map_or("none", |side| battle.armies[side].id.as_str()).into()
        }
        ["terrain", hex] => {
            let hex = known.hex(hex)?;
            battle.charts.terrain[usize::from(battle.map.terrain[hex.index()])].name.as_str().into()
        }
        ["level", hex] => number(i64::from(battle.map.level[known.hex(hex)?.index()])),
        ["in_play", hex] => battle.map.parse(hex).is_some().into(),
        ["side", a, b] => side_fact(&known, a, b)?,
        ["ford", a, b] => ford_fact(&known, a, b)?,
        ["distance", a, b] => {
            let (a, b) = (known.spot(a)?, known.spot(b)?);
            number(i64::from(battle.map.grid.distance(a, b)))
        }
        ["sight", a, b] => sight_fact(&known, a, b)?,
        ["zone", side, hex] => {
            let (side, hex) = (known.side(side)?, known.hex(hex)?);
            Lines::of(battle, state, side.enemy()).zone.contains(hex).into()
        }
        ["chart", total, die] => {
            let column = battle.charts.column(whole(total)?, 0);
            battle.charts.cell(column, whole(die)?).printed().into()
        }
        ["column", total] => battle.charts.head(battle.charts.column(whole(total)?, 0)).into(),
        ["fire", "total"] => number(i64::from(known.volley()?.total)),
        ["fire", "column"] => battle.charts.head(known.volley()?.column).into(),
        ["fire", "modifier"] => number(i64::from(known.volley()?.modifier())),
        ["fire", target, firers] => fire_fact(&known, target, firers)?,
        ["sp", slug, target] => {
            let unit = known.unit(slug)?;
            let range = battle.map.grid.distance(known.spot(slug)?, known.spot(target)?);
            let factor = combat::range_factor(battle, state, unit, range);
            number(factor.map_or(0, |f| i64::from(f.of(state.unit(unit).sp))))
        }
        ["cost", piece, from, to] => cost_fact(&known, piece, from, to)?,
        ["way", piece, to] => way_fact(&known, piece, to)?,
        ["entry", piece] => {
            let piece = known.piece(piece)?;
            let lines = Lines::of(battle, state, battle.side_of(piece));
            hexes(battle, reinforcements::doors(battle, &lines, piece).iter())
        }
        [slug, key] => match battle.piece_named(slug) {
            Some(Piece::Unit(unit)) => unit_fact(battle, state, unit, key)?,
            Some(Piece::Leader(leader)) => leader_fact(battle, state, leader, key)?,
            None => return Err(known.no_such(slug)),
        },
        [first, ..] => {
            // A known word with the wrong number of parts, or no known word at all.
            let known_word =
                GENERAL.contains(&first) || first == "entry" || battle.piece_named(first).is_some();
            return Err(if known_word { Unknown::fact(name) } else { known.no_such(first) });
        }
        [] => return Err(Unknown::fact(name)),
    })
}

/// What the parts of a fact's name may be.
struct Names<'a> {
    battle: &'a Battle,
    state: &'a State,
}

impl Names<'_> {
    fn hex(&self, text: &str) -> Result<Hex, Unknown> {
        self.battle.map.grid.parse(text).ok_or_else(|| Unknown::new(text, "a hex of the map", [""; 0]))
    }

    fn side(&self, text: &str) -> Result<game::Side, Unknown> {
        let ids = game::Side::BOTH.map(|side| self.battle.armies[side].id.clone());
        self.battle.side_named(text).ok_or_else(|| Unknown::new(text, "a side", ids))
    }

    fn unit(&self, slug: &str) -> Result<UnitId, Unknown> {
        let all = self.battle.units.iter().map(|u| u.slug.clone());
        self.battle.unit_named(slug).ok_or_else(|| Unknown::new(slug, "a unit", all))
    }

    fn slugs(&self) -> impl Iterator<Item = String> {
        let leaders = self.battle.leaders.iter().map(|l| l.slug.clone());
        self.battle.units.iter().map(|u| u.slug.clone()).chain(leaders)
    }

    fn piece(&self, slug: &str) -> Result<Piece, Unknown> {
        self.battle.piece_named(slug).ok_or_else(|| Unknown::new(slug, "a unit or leader", self.slugs()))
    }

    /// A first word that is neither a piece nor a fact of the whole position.
    fn no_such(&self, word: &str) -> Unknown {
        let words = GENERAL.into_iter().chain(["entry"]).map(str::to_owned);
        Unknown::new(word, "a unit, a leader or a fact", self.slugs().chain(words))
    }

    /// A hex by number, or where a piece stands.
    fn spot(&self, name: &str) -> Result<Hex, Unknown> {
        if let Some(hex) = self.battle.map.grid.parse(name) {
            return Ok(hex);
        }
        let piece = self
            .battle
            .piece_named(name)
            .ok_or_else(|| Unknown::new(name, "a hex, a unit or a leader", self.slugs()))?;
        self.state.hex_of(piece).hex().ok_or_else(|| Unknown::new(name, "on the map", [""; 0]))
    }

    /// The fire under way.
    fn volley(&self) -> Result<combat::Volley, Unknown> {
        let at = self.state.fire.at.ok_or_else(|| Unknown::new("fire", "under way", [""; 0]))?;
        Ok(combat::volley(self.battle, self.state, at, self.state.fire.firers))
    }
}

fn whole<N: std::str::FromStr>(text: &str) -> Result<N, Unknown> {
    text.parse().map_err(|_| Unknown::new(text, "a number", [""; 0]))
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

fn unit_fact(battle: &Battle, state: &State, unit: UnitId, key: &str) -> Found {
    let off = || Unknown::new(battle.unit(unit).slug.as_str(), "on the map", [""; 0]);
    let sheet = battle.unit(unit);
    let here = state.unit(unit);
    let piece = Piece::Unit(unit);
    Ok(match key {
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
        "rallied" => (state.phase == Phase::Rally && state.acted.contains(unit)).into(),
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
            let at = here.post.hex().ok_or_else(off)?;
            add_zone(battle, state, unit, at, &mut zone);
            zone.remove(at);
            hexes(battle, zone.iter())
        }
        "in_zone_of" => {
            units(battle, covered_by(battle, state, sheet.side, here.post.hex().ok_or_else(off)?))
        }
        "retreats_to" => {
            let Some(Step::Retreat { unit: going, rout, class }) = state.agenda.top() else {
                return Ok(Fact::Set(Vec::new()));
            };
            let to = if going == unit {
                retreat::options(battle, state, unit, rout, class)
            } else {
                Default::default()
            };
            hexes(battle, to.into_iter())
        }
        "began_next_to_enemy" => state.adjacent.contains(unit).into(),
        _ => return Err(Unknown::new(key, "a fact of a unit", OF_A_UNIT)),
    })
}

fn leader_fact(battle: &Battle, state: &State, leader: LeaderId, key: &str) -> Found {
    let sheet = battle.leader(leader);
    let here = state.leader(leader);
    let piece = Piece::Leader(leader);
    Ok(match key {
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
        "nearest" => units(battle, leaders::nearest(battle, state, leader)),
        "name" => sheet.name.as_str().into(),
        "zone" => Fact::Set(Vec::new()),
        "moved" => state.moved_leaders.contains(leader).into(),
        "targeted" => state.targeted_leaders.contains(leader).into(),
        _ => return Err(Unknown::new(key, "a fact of a leader", OF_A_LEADER)),
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

fn side_fact(known: &Names<'_>, a: &str, b: &str) -> Found {
    let map = &known.battle.map;
    let (from, to) = (known.hex(a)?, known.hex(b)?);
    let direction =
        map.grid.direction(from, to).ok_or_else(|| Unknown::new(b, format!("next to {a}"), [""; 0]))?;
    let bits = features_now(known.battle, known.state, from, direction);
    let named = feature::NAMES.iter().filter(|(_, bit)| bits & bit != 0);
    Ok(Fact::Set(named.map(|(name, _)| (*name).to_owned()).collect()))
}

fn ford_fact(known: &Names<'_>, a: &str, b: &str) -> Found {
    let (battle, from, to) = (known.battle, known.hex(a)?, known.hex(b)?);
    let side = battle.map.grid.side_between(from, to);
    let index = side.and_then(|side| battle.fords.iter().position(|ford| ford.side == side));
    let all = battle.fords.iter().map(|ford| battle.map.side_name(ford.side));
    let index = index.ok_or_else(|| Unknown::new(format!("{a}/{b}"), "a ford marker", all))?;
    Ok(match known.state.fords[index] {
        Ford::Unsearched(_) => "unsearched",
        Ford::Found => "ford",
        Ford::None => "river",
    }
    .into())
}

/// Whether the first sees the second; friends of the unit that looks are in its way.
fn sight_fact(known: &Names<'_>, a: &str, b: &str) -> Found {
    let (battle, state) = (known.battle, known.state);
    let (from, to) = (known.spot(a)?, known.spot(b)?);
    let side = battle.unit_named(a).or_else(|| state.unit_at(from)).map(|u| battle.unit(u).side);
    let friends =
        side.map_or(hexmap::HexSet::EMPTY, |s| on_map(battle, state, s).map(|(hex, _)| hex).collect());
    Ok(sight::sees(battle, &friends, from, to).into())
}

/// `fire.rodes.caldwell+meagher`: the column and what is added to the die, as `29 SP, column 29-32, die -3`.
fn fire_fact(known: &Names<'_>, target: &str, firers: &str) -> Found {
    let at = known.spot(target)?;
    let firers = firers.split('+').map(|slug| known.unit(slug)).collect::<Result<Units, Unknown>>()?;
    let volley = combat::volley(known.battle, known.state, at, firers);
    let column = known.battle.charts.head(volley.column);
    Ok(format!("{} SP, column {column}, die {:+}", volley.total, volley.modifier()).into())
}

/// The cost of one step now, or `"closed"`.
fn cost_fact(known: &Names<'_>, piece: &str, a: &str, b: &str) -> Found {
    let (battle, state) = (known.battle, known.state);
    let piece = known.piece(piece)?;
    let (from, to) = (known.hex(a)?, known.hex(b)?);
    let direction = battle
        .map
        .grid
        .direction(from, to)
        .ok_or_else(|| Unknown::new(b, format!("next to {a}"), [""; 0]))?;
    if way(battle, state, from, direction).is_none_or(|w| w.closed == Closed::ToAll) {
        return Ok("closed".into());
    }
    let lines = Lines::of(battle, state, battle.side_of(piece));
    let walk = Walk::new(battle, state, &lines, piece);
    Ok(walk.step(from, direction).map_or("closed".into(), |(_, cost)| halves(cost)))
}

/// The cost of the cheapest march there now, or `"closed"`.
fn way_fact(known: &Names<'_>, piece: &str, to: &str) -> Found {
    let (battle, state) = (known.battle, known.state);
    let (piece, to) = (known.piece(piece)?, known.hex(to)?);
    let lines = Lines::of(battle, state, battle.side_of(piece));
    let walk = Walk::new(battle, state, &lines, piece);
    let spent = Reach::of(&walk, piece).spent_at(to);
    Ok(spent.map_or("closed".into(), |spent| halves(spent - walk.spent)))
}

/// Every kind of decision.
pub(crate) const KINDS: [&str; 11] = [
    "organize", "fire", "volley", "tide", "march", "leader", "place", "retreat", "advance", "follow", "rally",
];

/// The kind of decision at hand.
pub(crate) fn kind(state: &State) -> &'static str {
    match state.agenda.top() {
        None => match state.phase {
            Phase::Organization => "organize",
            Phase::Movement => "march",
            Phase::Rally => "rally",
            Phase::Artillery | Phase::Defensive | Phase::Offensive => "fire",
            Phase::Command | Phase::Interval | Phase::Over => "none",
        },
        Some(Step::Volley) => "volley",
        Some(Step::CombatDie { .. } | Step::LeaderDie { .. } | Step::MoraleDie { .. }) => "tide",
        Some(Step::Place { .. }) => "place",
        Some(Step::Choose { .. }) => "leader",
        Some(Step::Retreat { .. }) => "retreat",
        Some(Step::Advance) => "advance",
        Some(Step::Follow { .. }) => "follow",
        Some(_) => "none",
    }
}

/// What may run by itself, by name: the phases, and the steps of a combat.
pub(crate) const STOPS: [&str; 18] = [
    "command",
    "organization",
    "artillery",
    "movement",
    "defensive",
    "offensive",
    "rally",
    "interval",
    "fire",
    "result",
    "lone-leader",
    "casualty",
    "place",
    "morale",
    "rally-check",
    "limber",
    "retreat",
    "rout",
];

/// The phase or step that runs next by itself, if no decision is at hand.
pub(crate) fn upcoming(battle: &Battle, state: &State) -> Option<&'static str> {
    let Some(step) = state.agenda.top() else {
        let passed_over = state.phase != Phase::Over && !sequence::has_decision(battle, state);
        return passed_over.then(|| state.phase.id());
    };
    match step {
        Step::Volley => combat::joiners(battle, state).is_empty().then_some("fire"),
        Step::CombatDie { .. } => (!combat::tide_open(state)).then_some("result"),
        Step::LoneLeader { .. } => Some("lone-leader"),
        Step::Casualty { .. } => Some("casualty"),
        Step::Place { leader } => (leaders::nearest(battle, state, leader).len() < 2).then_some("place"),
        Step::Morale { why: Why::Rally, .. } => Some("rally-check"),
        Step::Morale { .. } => Some("morale"),
        Step::Limber { unit } => retreat::limbers(battle, state, unit).then_some("limber"),
        // Before its first hex: what follows hex by hex belongs to it.
        Step::Retreat { rout, class: 0, .. } => Some(if rout { "rout" } else { "retreat" }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn battle() -> Battle {
        let source = r#"
title = "Facts"
unit = [
  { id = "gibbon", side = "usa", sp = 9, division = "meade", at = "0505" },
  { id = "hood", side = "csa", sp = 9, at = "0501" },
]
leader = [{ id = "meade", side = "usa", at = "0505" }]
[map]
cols = 9
rows = 9
"#;
        struct Nothing;
        impl game::Library for Nothing {
            fn survey(&self, _name: &str) -> Option<String> {
                None
            }
        }
        crate::setup::scenario::compile(source, &Nothing, &game::Options::new()).expect("a sound scenario")
    }

    #[test]
    fn every_key_that_a_message_names_is_a_fact() {
        let battle = battle();
        let state = crate::setup::scenario::muster(&battle);
        for key in OF_A_UNIT {
            assert!(fact(&battle, &state, &format!("gibbon.{key}")).is_ok(), "gibbon.{key}");
        }
        for key in OF_A_LEADER {
            assert!(fact(&battle, &state, &format!("meade.{key}")).is_ok(), "meade.{key}");
        }
    }

    #[test]
    fn the_unknown_part_is_named() {
        let battle = battle();
        let state = crate::setup::scenario::muster(&battle);
        for (name, said) in [
            ("gibon.hex", "`gibon` is not a unit, a leader or a fact; did you mean `gibbon`?"),
            ("gibbon.hexx", "`hexx` is not a fact of a unit; did you mean `hex`?"),
            ("meade.radios", "`radios` is not a fact of a leader; did you mean `radius`?"),
            ("losses.uk", "`uk` is not a side; known: usa, csa"),
            ("sight.0505.9999", "`9999` is not a hex, a unit or a leader; known: gibbon, hood, meade"),
            ("cost.gibbon.0505.0508", "`0508` is not next to 0505"),
            ("cost.gibbon.0505", "`cost.gibbon.0505` is not a fact"),
            ("chart.x.3", "`x` is not a number"),
            ("fire.total", "`fire` is not under way"),
            ("control.0505", "`0505` is not an objective"),
            ("ford.0505.0605", "`0505/0605` is not a ford marker"),
            ("fire.hood.gibbon+meade", "`meade` is not a unit; known: gibbon, hood"),
        ] {
            let unknown = fact(&battle, &state, name).expect_err(name);
            assert_eq!(unknown.to_string(), said, "{name}");
        }
    }
}
