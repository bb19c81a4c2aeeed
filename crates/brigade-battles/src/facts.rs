//! What situations may name: facts of a position, decisions by kind, and where play may be stopped.

use game::situation::{Fact, Unknown};
use hexmap::{Hex, HexSet};

use crate::at::At;
use crate::rules::charts::Closed;
use crate::rules::combat;
use crate::setup::battle::Battle;
use crate::setup::map::feature;
use crate::setup::pieces::{Arm, Rank, Start};
use crate::state::{Class, Ford, LeaderId, Phase, Piece, Post, State, Step, Task, UnitId, Units, Why};

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

/// Every kind of decision.
pub(crate) const KINDS: [&str; 11] = [
    "organize", "fire", "volley", "tide", "march", "leader", "place", "retreat", "advance", "follow", "rally",
];

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

impl Battle {
    fn hexes_fact(&self, hexes: impl Iterator<Item = Hex>) -> Fact {
        Fact::Set(hexes.map(|hex| self.number(hex)).collect())
    }

    fn units_fact(&self, units: Units) -> Fact {
        Fact::Set(units.iter().map(|id| self.unit(id).slug.clone()).collect())
    }

    fn post_fact(&self, post: Post) -> Fact {
        post.hex().map_or(String::new(), |hex| self.number(hex)).into()
    }

    fn leader_fact_name(&self, leader: Option<LeaderId>) -> Fact {
        leader.map_or("none", |l| self.leader(l).slug.as_str()).into()
    }

    fn start_words(&self, start: Start) -> String {
        match start {
            Start::At(hex) => self.number(hex),
            Start::Enters { turn, area } => format!("T{} {}", turn + 1, self.areas[usize::from(area)].0),
            Start::ByDie { area, .. } => format!("die {}", self.areas[usize::from(area)].0),
            Start::Nowhere => "off".into(),
        }
    }
}

impl At<'_> {
    /// The fact of that name.
    pub(crate) fn fact(self, name: &str) -> Found {
        let parts: Vec<&str> = name.split('.').collect();
        for facts in [Self::track_fact, Self::ground_fact, Self::action_fact] {
            if let Some(fact) = facts(self, &parts)? {
                return Ok(fact);
            }
        }
        Ok(match parts[..] {
            [slug, key] => match self.battle.piece_named(slug) {
                Some(Piece::Unit(unit)) => self.unit_fact(unit, key)?,
                Some(Piece::Leader(leader)) => self.leader_fact(leader, key)?,
                None => return Err(self.no_such(slug)),
            },
            [first, ..] => {
                // A known word with the wrong number of parts, or no known word at all.
                let known_word =
                    GENERAL.contains(&first) || first == "entry" || self.battle.piece_named(first).is_some();
                return Err(if known_word { Unknown::fact(name) } else { self.no_such(first) });
            }
            [] => return Err(Unknown::fact(name)),
        })
    }

    /// Time, tracks and markers.
    fn track_fact(self, parts: &[&str]) -> Result<Option<Fact>, Unknown> {
        Ok(Some(match *parts {
            ["turn"] => number(i64::from(self.state.turn) + 1),
            ["day"] => number(i64::from(self.battle.turn(self.state).day)),
            ["hours"] => number(i64::from(self.battle.turn(self.state).hours)),
            ["night"] => self.battle.is_night(self.state).into(),
            ["phase"] => self.state.phase.id().into(),
            ["active"] => self.battle.armies[self.state.active].id.as_str().into(),
            ["works"] => self.battle.hexes_fact(self.state.works.iter()),
            ["vacated"] => self.battle.hexes_fact(self.vacated().iter()),
            ["burned"] => {
                let burned = (0..self.battle.sites.len() as u8).filter(|&site| self.state.is_burned(site));
                Fact::Set(burned.map(|i| self.battle.site_name(i)).collect())
            }
            ["losses", side] => number(i64::from(self.state.losses[self.known_side(side)?])),
            ["score", side] => number(i64::from(self.score()[self.known_side(side)?])),
            ["tide", side] => self.state.tide[self.known_side(side)?].into(),
            ["units", side] => self.battle.units_fact(self.battle.of[self.known_side(side)?]),
            _ => return Ok(None),
        }))
    }

    /// Hexes, hexsides, sight and zones.
    fn ground_fact(self, parts: &[&str]) -> Result<Option<Fact>, Unknown> {
        Ok(Some(match *parts {
            ["control", hex] => {
                let at = self.known_hex(hex)?;
                let objectives = || self.battle.objectives.iter();
                let index = objectives().position(|o| o.hex == at).ok_or_else(|| {
                    Unknown::new(hex, "an objective", objectives().map(|o| self.battle.number(o.hex)))
                })?;
                self.state.control[index].map_or("none", |side| self.battle.armies[side].id.as_str()).into()
            }
            ["terrain", hex] => {
                let hex = self.known_hex(hex)?;
                self.battle.ground(hex).name.as_str().into()
            }
            ["level", hex] => number(i64::from(self.battle.map.level[self.known_hex(hex)?.index()])),
            ["in_play", hex] => self.battle.map.parse(hex).is_some().into(),
            ["side", a, b] => self.side_fact(a, b)?,
            ["ford", a, b] => self.ford_fact(a, b)?,
            ["distance", a, b] => {
                let (a, b) = (self.known_spot(a)?, self.known_spot(b)?);
                number(i64::from(self.battle.map.grid.distance(a, b)))
            }
            ["sight", a, b] => self.sight_fact(a, b)?,
            ["zone", side, hex] => {
                let (side, hex) = (self.known_side(side)?, self.known_hex(hex)?);
                self.lines(side.enemy()).zone.contains(hex).into()
            }
            _ => return Ok(None),
        }))
    }

    /// The charts, fire and marches.
    fn action_fact(self, parts: &[&str]) -> Result<Option<Fact>, Unknown> {
        Ok(Some(match *parts {
            ["chart", total, die] => {
                let column = self.battle.charts.column(whole(total)?, 0);
                self.battle.charts.cell(column, whole(die)?).printed().into()
            }
            ["column", total] => self.battle.charts.head(self.battle.charts.column(whole(total)?, 0)).into(),
            ["fire", "total"] => number(i64::from(self.known_volley()?.total)),
            ["fire", "column"] => self.battle.charts.head(self.known_volley()?.column).into(),
            ["fire", "modifier"] => number(i64::from(self.known_volley()?.modifier())),
            ["fire", target, firers] => self.fire_fact(target, firers)?,
            ["sp", slug, target] => {
                let unit = self.known_unit(slug)?;
                let range = self.battle.map.grid.distance(self.known_spot(slug)?, self.known_spot(target)?);
                let factor = self.range_factor(unit, range);
                number(factor.map_or(0, |f| i64::from(f.of(self.state.unit(unit).sp))))
            }
            ["cost", piece, from, to] => self.cost_fact(piece, from, to)?,
            ["way", piece, to] => self.way_fact(piece, to)?,
            ["entry", piece] => {
                let piece = self.known_piece(piece)?;
                let lines = self.lines(self.battle.side_of(piece));
                self.battle.hexes_fact(self.battle.entry_hexes(&lines, piece).iter())
            }
            _ => return Ok(None),
        }))
    }

    fn known_hex(self, text: &str) -> Result<Hex, Unknown> {
        self.battle.map.grid.parse(text).ok_or_else(|| Unknown::new(text, "a hex of the map", [""; 0]))
    }

    fn known_side(self, text: &str) -> Result<game::Side, Unknown> {
        let ids = game::Side::BOTH.map(|side| self.battle.armies[side].id.clone());
        self.battle.side_named(text).ok_or_else(|| Unknown::new(text, "a side", ids))
    }

    fn known_unit(self, slug: &str) -> Result<UnitId, Unknown> {
        let all = self.battle.units.iter().map(|u| u.slug.clone());
        self.battle.unit_named(slug).ok_or_else(|| Unknown::new(slug, "a unit", all))
    }

    fn slugs(self) -> impl Iterator<Item = String> {
        let leaders = self.battle.leaders.iter().map(|l| l.slug.clone());
        self.battle.units.iter().map(|u| u.slug.clone()).chain(leaders)
    }

    fn known_piece(self, slug: &str) -> Result<Piece, Unknown> {
        self.battle.piece_named(slug).ok_or_else(|| Unknown::new(slug, "a unit or leader", self.slugs()))
    }

    /// A first word that is neither a piece nor a fact of the whole position.
    fn no_such(self, word: &str) -> Unknown {
        let words = GENERAL.into_iter().chain(["entry"]).map(str::to_owned);
        Unknown::new(word, "a unit, a leader or a fact", self.slugs().chain(words))
    }

    /// A hex by number, or where a piece stands.
    fn known_spot(self, name: &str) -> Result<Hex, Unknown> {
        if let Some(hex) = self.battle.map.grid.parse(name) {
            return Ok(hex);
        }
        let piece = self
            .battle
            .piece_named(name)
            .ok_or_else(|| Unknown::new(name, "a hex, a unit or a leader", self.slugs()))?;
        self.state.post_of(piece).hex().ok_or_else(|| Unknown::new(name, "on the map", [""; 0]))
    }

    /// The fire under way.
    fn known_volley(self) -> Result<combat::Volley, Unknown> {
        let at = self.state.fire.at.ok_or_else(|| Unknown::new("fire", "under way", [""; 0]))?;
        Ok(self.volley(at, self.state.fire.firers))
    }

    fn unit_fact(self, unit: UnitId, key: &str) -> Found {
        let off = || Unknown::new(self.battle.unit(unit).slug.as_str(), "on the map", [""; 0]);
        let sheet = self.battle.unit(unit);
        let here = self.state.unit(unit);
        let piece = Piece::Unit(unit);
        Ok(match key {
            "hex" => self.battle.post_fact(here.post),
            "state" => post_word(here.post),
            "sp" => number(i64::from(here.sp)),
            "full" => number(i64::from(sheet.sp)),
            "back" => number(i64::from(sheet.back)),
            "routed" => here.routed.into(),
            "shattered" => self.shattered(unit).into(),
            "formation" => self.formation(unit).into(),
            "type" => type_word(sheet.arm).into(),
            "side" => self.battle.armies[sheet.side].id.as_str().into(),
            "name" => sheet.name.as_str().into(),
            "colour" => sheet.morale.colour().into(),
            "morale" => number(i64::from(self.morale_number(unit))),
            "passes_at" => number(i64::from(self.passes_at(unit))),
            "division" => self.battle.leader_fact_name(sheet.division),
            "corps" => self.battle.leader_fact_name(sheet.corps),
            "army" => self.battle.leader_fact_name(sheet.army),
            "independent" => sheet.independent.into(),
            "start" => self.battle.start_words(sheet.start).into(),
            "in_command" => self.state.in_command(unit).into(),
            "would_be_commanded" => (!self.uncommanded(sheet.side).contains(unit)).into(),
            "fired" => self.state.fired.contains(unit).into(),
            "targeted" => self.state.targeted.contains(unit).into(),
            "fired_marker" => self.state.fired_marks.contains(unit).into(),
            "moved" => self.state.moved.contains(unit).into(),
            "rallied" => (self.state.phase == Phase::Rally && self.state.acted.contains(unit)).into(),
            "mp" => halves(self.points_left(piece)),
            "allowance" => halves(self.allowance(piece)),
            "task" => match here.task {
                Task::None => "none",
                Task::Build => "build",
                Task::Burn(_) => "burn",
            }
            .into(),
            "reach" => self.reach_fact(piece),
            "zone" => {
                let mut zone = HexSet::EMPTY;
                let at = here.post.hex().ok_or_else(off)?;
                self.add_zone(unit, at, &mut zone);
                zone.remove(at);
                self.battle.hexes_fact(zone.iter())
            }
            "in_zone_of" => {
                self.battle.units_fact(self.covered_by(sheet.side, here.post.hex().ok_or_else(off)?))
            }
            "retreats_to" => {
                let Some(Step::Retreat { unit: going, rout, class }) = self.state.agenda.top() else {
                    return Ok(Fact::Set(Vec::new()));
                };
                let to = if going == unit { self.ways_back(unit, rout, class) } else { Default::default() };
                self.battle.hexes_fact(to.into_iter())
            }
            "began_next_to_enemy" => self.state.adjacent.contains(unit).into(),
            _ => return Err(Unknown::new(key, "a fact of a unit", OF_A_UNIT)),
        })
    }

    fn leader_fact(self, leader: LeaderId, key: &str) -> Found {
        let sheet = self.battle.leader(leader);
        let here = self.state.leader(leader);
        let piece = Piece::Leader(leader);
        Ok(match key {
            "hex" => self.battle.post_fact(here.post),
            "state" => post_word(here.post),
            "replaced" => here.replaced.into(),
            "radius" => number(i64::from(self.command_radius(leader))),
            "rank" => match sheet.rank {
                Rank::Division => "division",
                Rank::Corps => "corps",
                Rank::Army => "army",
            }
            .into(),
            "superior" => self.battle.leader_fact_name(sheet.superior),
            "side" => self.battle.armies[sheet.side].id.as_str().into(),
            "type" => "leader".into(),
            "alone" => self.is_alone(leader).into(),
            "command" => {
                let all = (0..self.battle.units.len()).map(|i| UnitId(i as u8));
                self.battle.units_fact(all.filter(|&u| self.battle.commands(leader, u)).collect())
            }
            "mp" => halves(self.points_left(piece)),
            "allowance" => halves(self.allowance(piece)),
            "reach" => self.reach_fact(piece),
            "nearest" => self.battle.units_fact(self.nearest_units(leader)),
            "name" => sheet.name.as_str().into(),
            "zone" => Fact::Set(Vec::new()),
            "moved" => self.state.moved_leaders.contains(leader).into(),
            "targeted" => self.state.targeted_leaders.contains(leader).into(),
            _ => return Err(Unknown::new(key, "a fact of a leader", OF_A_LEADER)),
        })
    }

    fn formation(self, unit: UnitId) -> &'static str {
        match (self.battle.unit(unit).arm, self.state.unit(unit).deployed) {
            (Arm::Infantry, _) => "foot",
            (Arm::Cavalry, true) => "dismounted",
            (Arm::Cavalry, false) => "mounted",
            (Arm::Artillery, true) => "unlimbered",
            (Arm::Artillery, false) => "limbered",
        }
    }

    fn reach_fact(self, piece: Piece) -> Fact {
        if self.may_move(piece).is_err() || self.may_leave(piece).is_err() {
            return Fact::Set(Vec::new());
        }
        let lines = self.lines(self.battle.side_of(piece));
        let walk = self.walk(&lines, piece);
        let reach = walk.reach();
        self.battle.hexes_fact(reach.hexes.iter().filter(|&to| walk.may_end(to).is_ok()))
    }

    fn side_fact(self, a: &str, b: &str) -> Found {
        let map = &self.battle.map;
        let (from, to) = (self.known_hex(a)?, self.known_hex(b)?);
        let direction =
            map.grid.direction(from, to).ok_or_else(|| Unknown::new(b, format!("next to {a}"), [""; 0]))?;
        let bits = self.features_now(from, direction);
        let named = feature::NAMES.iter().filter(|(_, bit)| bits & bit != 0);
        Ok(Fact::Set(named.map(|(name, _)| (*name).to_owned()).collect()))
    }

    fn ford_fact(self, a: &str, b: &str) -> Found {
        let (battle, from, to) = (self.battle, self.known_hex(a)?, self.known_hex(b)?);
        let side = battle.map.grid.side_between(from, to);
        let index = side.and_then(|side| battle.fords.iter().position(|ford| ford.side == side));
        let all = battle.fords.iter().map(|ford| battle.map.side_name(ford.side));
        let index = index.ok_or_else(|| Unknown::new(format!("{a}/{b}"), "a ford marker", all))?;
        Ok(match self.state.fords[index] {
            Ford::Unsearched(_) => "unsearched",
            Ford::Found => "ford",
            Ford::None => "river",
        }
        .into())
    }

    /// Whether the first sees the second; friends of the unit that looks are in its way.
    fn sight_fact(self, a: &str, b: &str) -> Found {
        let At { battle, state } = self;
        let (from, to) = (self.known_spot(a)?, self.known_spot(b)?);
        let side = battle.unit_named(a).or_else(|| state.unit_at(from)).map(|u| battle.unit(u).side);
        let friends = side.map_or(HexSet::EMPTY, |s| self.standing(s));
        Ok(battle.sees(&friends, from, to).into())
    }

    /// `fire.rodes.caldwell+meagher`: the column and what is added to the die, as `29 SP, column 29-32, die -3`.
    fn fire_fact(self, target: &str, firers: &str) -> Found {
        let at = self.known_spot(target)?;
        let firers =
            firers.split('+').map(|slug| self.known_unit(slug)).collect::<Result<Units, Unknown>>()?;
        let volley = self.volley(at, firers);
        let column = self.battle.charts.head(volley.column);
        Ok(format!("{} SP, column {column}, die {:+}", volley.total, volley.modifier()).into())
    }

    /// The cost of one step now, or `"closed"`.
    fn cost_fact(self, piece: &str, a: &str, b: &str) -> Found {
        let At { battle, state: _ } = self;
        let piece = self.known_piece(piece)?;
        let (from, to) = (self.known_hex(a)?, self.known_hex(b)?);
        let direction = battle
            .map
            .grid
            .direction(from, to)
            .ok_or_else(|| Unknown::new(b, format!("next to {a}"), [""; 0]))?;
        if self.way(from, direction).is_none_or(|w| w.closed == Closed::ToAll) {
            return Ok("closed".into());
        }
        let lines = self.lines(battle.side_of(piece));
        let walk = self.walk(&lines, piece);
        Ok(walk.step(from, direction).map_or("closed".into(), |(_, cost)| halves(cost)))
    }

    /// The cost of the cheapest march there now, or `"closed"`.
    fn way_fact(self, piece: &str, to: &str) -> Found {
        let At { battle, state: _ } = self;
        let (piece, to) = (self.known_piece(piece)?, self.known_hex(to)?);
        let lines = self.lines(battle.side_of(piece));
        let walk = self.walk(&lines, piece);
        let spent = walk.reach().spent_at(to);
        Ok(spent.map_or("closed".into(), |spent| halves(spent - walk.spent)))
    }

    /// The phase or step that runs next by itself, if no decision is at hand.
    pub(crate) fn upcoming(self) -> Option<&'static str> {
        let Some(step) = self.state.agenda.top() else {
            let passed_over = self.state.phase != Phase::Over && !self.has_decision();
            return passed_over.then(|| self.state.phase.id());
        };
        match step {
            Step::Volley => self.joiners().is_empty().then_some("fire"),
            Step::CombatDie { .. } => (!self.state.may_reroll_fire()).then_some("result"),
            Step::LoneLeader { .. } => Some("lone-leader"),
            Step::Casualty { .. } => Some("casualty"),
            Step::Place { leader } => (self.nearest_units(leader).len() < 2).then_some("place"),
            Step::Morale { why: Why::Rally, .. } => Some("rally-check"),
            Step::Morale { .. } => Some("morale"),
            Step::Limber { unit } => self.must_limber(unit).then_some("limber"),
            // Before its first hex: what follows hex by hex belongs to it.
            Step::Retreat { rout, class: Class::OPEN, .. } => Some(if rout { "rout" } else { "retreat" }),
            _ => None,
        }
    }
}

impl State {
    /// The kind of decision at hand.
    pub(crate) fn kind(&self) -> &'static str {
        match self.agenda.top() {
            None => match self.phase {
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
}

fn whole<N: std::str::FromStr>(text: &str) -> Result<N, Unknown> {
    text.parse().map_err(|_| Unknown::new(text, "a number", [""; 0]))
}

fn number(n: i64) -> Fact {
    Fact::Number(n)
}

/// Halves of a movement point: a number, or a text such as `5.5`.
fn halves(mp: u8) -> Fact {
    if mp.is_multiple_of(2) { number(i64::from(mp / 2)) } else { Fact::Text(format!("{}.5", mp / 2)) }
}

fn post_word(post: Post) -> Fact {
    match post {
        Post::On(_) => "map",
        Post::Due => "due",
        Post::Gone => "gone",
    }
    .into()
}

fn type_word(arm: Arm) -> &'static str {
    match arm {
        Arm::Infantry => "infantry",
        Arm::Cavalry => "cavalry",
        Arm::Artillery => "artillery",
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
        let state = battle.muster();
        for key in OF_A_UNIT {
            assert!(At::new(&battle, &state).fact(&format!("gibbon.{key}")).is_ok(), "gibbon.{key}");
        }
        for key in OF_A_LEADER {
            assert!(At::new(&battle, &state).fact(&format!("meade.{key}")).is_ok(), "meade.{key}");
        }
    }

    #[test]
    fn the_unknown_part_is_named() {
        let battle = battle();
        let state = battle.muster();
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
            let unknown = At::new(&battle, &state).fact(name).expect_err(name);
            assert_eq!(unknown.to_string(), said, "{name}");
        }
    }
}
