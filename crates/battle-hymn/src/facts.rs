//! Named facts of a position, for situations. The manual's page on Battle Hymn lists them.

use game::Side;
use game::situation::{Fact, Unknown};
use hexmap::Hex;

use crate::at::At;
use crate::rules::fire::FireKind;
use crate::rules::movement::Explorer;
use crate::rules::sequence;
use crate::rules::sequence::Marker;
use crate::rules::zones::directions;
use crate::setup::battle::Battle;
use crate::setup::ground::CLOSED;
use crate::setup::pieces::Arm;
use crate::state::{FireOf, Id, Mount, NOWHERE, State, Status, Step, UnitSet};

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

impl At<'_> {
    /// The fact of that name.
    ///
    /// # Errors
    /// Which part of the name is unknown.
    pub(crate) fn fact(self, name: &str) -> Result<Fact, Unknown> {
        let parts: Vec<&str> = name.split('.').collect();
        let unit = |word: &str| self.battle.unit_named(word);
        let hex = |word: &str| self.battle.hex_named(word);
        let spot = |word: &str| self.spot_named(word);
        match parts[..] {
            ["hour"] => Ok(i64::from(self.battle.hours[usize::from(self.state.hour)].clock).into()),
            ["night"] => Ok(self.is_night().into()),
            ["turn"] => Ok(self.turn_word().into()),
            ["step"] => Ok(self.state.step_word().into()),
            ["round"] => Ok(i64::from(self.state.round).into()),
            ["initiative"] => Ok(self.battle.side_word(self.state.initiative).into()),
            ["cup"] => {
                Ok(Fact::Set(sequence::markers(self.state.cup).map(|m| m.word(self.battle)).collect()))
            }
            ["held"] => {
                Ok(self.state.held.map_or("none".to_owned(), |s| Marker::Combat(s).word(self.battle)).into())
            }
            ["way", x, to] => Ok(self.way_fact(unit(x)?, hex(to)?)),
            ["cost", x, from, to] => {
                let (unit, from) = (unit(x)?, hex(from)?);
                Ok(self.cost_fact(unit, from, self.battle.neighbour_named(from, to)?))
            }
            ["entry", x, at] => Ok(self.entry_fact(unit(x)?, hex(at)?)),
            ["terrain", at] => {
                let row = self.ground().terrain[hex(at)?.index()];
                Ok(self.battle.charts.hexes[usize::from(row)].name.clone().into())
            }
            ["level", at] => Ok(i64::from(self.ground().level[hex(at)?.index()]).into()),
            ["side", a, "edge"] => {
                let hex = hex(a)?;
                let off = (0..6).filter(|&d| self.ground().beyond[hex.index()][d] == NOWHERE);
                let all = off.flat_map(|d| self.ground().side_features(hex, d).iter().collect::<Vec<_>>());
                Ok(Fact::Set(all.map(|f| f.word().to_owned()).collect()))
            }
            ["side", a, b] => {
                let a = hex(a)?;
                let features = self.ground().side_features(a, self.battle.neighbour_named(a, b)?);
                Ok(Fact::Set(features.iter().map(|f| f.word().to_owned()).collect()))
            }
            ["distance", a, b] => Ok(i64::from(self.ground().distance(spot(a)?, spot(b)?)).into()),
            ["sight", a, b] => Ok(self.battle.in_sight(spot(a)?, spot(b)?).into()),
            ["zone", side, at] => Ok(self.covers(self.battle.side_named(side)?, hex(at)?).into()),
            ["chance", "approach", x, y] => Ok(self.chance_fact(unit(x)?, unit(y)?, FireKind::Approach)),
            ["chance", "bombard", x, y] => Ok(self.chance_fact(unit(x)?, unit(y)?, FireKind::Bombardment)),
            ["chance", x, y] => Ok(self.chance_fact(unit(x)?, unit(y)?, FireKind::Round)),
            ["engagements", side] => Ok(Fact::Set(self.engagement_names(self.battle.side_named(side)?))),
            ["control", at] => {
                let objectives = &self.battle.victory.objectives;
                let known = objectives.iter().map(|o| self.ground().name(o.hex));
                let found = self.battle.victory.objective_at(hex(at)?);
                let objective = found.ok_or_else(|| Unknown::new(at, "the hex of an Objective", known))?;
                Ok(self.battle.side_word(self.state.control[objective]).into())
            }
            ["score", side] => Ok(i64::from(self.score()[self.battle.side_named(side)?]).into()),
            [topic, ..] if TOPICS.contains(&topic) || OF_A_SIDE.contains(&topic) => {
                Err(Unknown::new(name, "a fact as the manual writes it", [""; 0]))
            }
            [x, what] => self.fact_of_unit(unit(x)?, what),
            [x] => Err(match self.battle.find(x) {
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

    /// A hex, or the hex of a unit on the map.
    fn spot_named(self, word: &str) -> Result<Hex, Unknown> {
        let of_unit = |id: Id| Some(self.piece(id).hex).filter(|&h| h != NOWHERE);
        let found = self.battle.hex_named(word).ok().or_else(|| self.battle.find(word).and_then(of_unit));
        let known = || self.battle.units.iter().map(|u| u.id.clone());
        found.ok_or_else(|| Unknown::new(word, "a hex or a unit on the map", known()))
    }

    /// `draw`, `move wadsworth`, `combat usa`.
    pub(crate) fn turn_word(self) -> String {
        match (self.state.active, self.state.attacker) {
            (_, Some(side)) => Marker::Combat(side).word(self.battle),
            (None, None) => "draw".to_owned(),
            (Some(formation), None) => Marker::Move(formation).word(self.battle),
        }
    }

    /// The type as it counts now.
    pub(crate) fn type_word(self, id: Id) -> &'static str {
        match self.unit(id).arm {
            Arm::Cavalry if self.piece(id).mount != Mount::Mounted => "dismounted",
            arm => arm.word(),
        }
    }

    fn fact_of_unit(self, id: Id, what: &str) -> Result<Fact, Unknown> {
        let (unit, piece) = (self.unit(id), self.piece(id));
        let number = |n: u8| Ok(Fact::Number(i64::from(n)));
        let hex = piece.hex;
        match what {
            "hex" => Ok(if hex == NOWHERE { String::new() } else { self.ground().name(hex) }.into()),
            "state" => Ok(state_word(piece.status).into()),
            "strength" => number(piece.strength),
            "intact" => number(piece.intact()),
            "demoralised" => number(piece.demoralised),
            "lost" => number(unit.strength.saturating_sub(piece.strength + piece.holders)),
            "holders" => number(piece.holders),
            "horses" => Ok(match piece.mount {
                Mount::Mounted => "none".into(),
                Mount::HorsesLost => "lost".into(),
                Mount::Dismounted => self.ground().name(piece.horses).into(),
            }),
            "side" => Ok(self.battle.armies[unit.side].id.clone().into()),
            "type" => Ok(self.type_word(id).into()),
            "formation" => Ok(self.battle.formations[usize::from(unit.formation)].id.clone().into()),
            "name" => Ok(unit.name.clone().into()),
            "morale" => Ok(i64::from(self.morale_rating(id)).into()),
            "allowance" => number(self.allowance(id)),
            "mp" => number(self.points_left(id)),
            "moved" => Ok(self.state.moved.contains(id).into()),
            "approach" => Ok(self.battle.ids_of(if hex == NOWHERE {
                UnitSet::EMPTY
            } else {
                self.units_in(hex, piece.approach)
            })),
            "zone" => Ok(Fact::Set(match hex {
                NOWHERE => Vec::new(),
                hex => directions(self.ground().zone_out[hex.index()])
                    .map(|d| self.ground().name(self.ground().beyond[hex.index()][d]))
                    .collect(),
            })),
            "in_zone_of" => Ok(self.battle.ids_of(match hex {
                NOWHERE => UnitSet::EMPTY,
                hex => self.units_in(hex, self.enemies_over(id)),
            })),
            "surrounded" => Ok((hex != NOWHERE && self.is_surrounded(id)).into()),
            "hits" => number(piece.hits),
            "reach" => {
                Ok(Fact::Set(self.reach(id).into_iter().map(|(h, _)| self.ground().name(h)).collect()))
            }
            "paths" => Ok(Fact::Set(self.retreat_paths(id))),
            "leash" => Ok(self.leash_length(id).map_or("none".into(), |n| i64::from(n).into())),
            "bombarded" => Ok(self.state.bombarded.contains(id).into()),
            "advanced" => Ok(self.state.advanced.contains(id).into()),
            _ => Err(Unknown::new(what, "a fact of a unit", OF_A_UNIT)),
        }
    }

    /// Everywhere a unit may march now, with the cost.
    pub(crate) fn reach(self, id: Id) -> Vec<(Hex, u8)> {
        if !self.may_march(id) {
            return Vec::new();
        }
        let field = self.field_of(self.side(id));
        let bounds = self.bounds_of(&field, id);
        let costs = self.costs(id);
        let leash = self.leash_of(&field, id);
        let mut found = Vec::new();
        let mut explorer = Explorer::new();
        explorer.explore(
            self.ground(),
            costs,
            self.piece(id).hex,
            self.points_left(id),
            &bounds,
            |hex, cost| {
                if !field.friends.contains(hex) && leash.as_ref().is_none_or(|l| l.allows(hex)) {
                    found.push((hex, cost));
                }
            },
        );
        found
    }

    fn way_fact(self, id: Id, to: Hex) -> Fact {
        let found = self.reach(id).into_iter().find(|(hex, _)| *hex == to);
        found.map_or(closed(), |(_, cost)| i64::from(cost).into())
    }

    fn cost_fact(self, id: Id, from: Hex, direction: usize) -> Fact {
        let cost = self.ground().costs[self.column_now(id) as usize][from.index()][direction];
        if cost == CLOSED { closed() } else { i64::from(cost).into() }
    }

    fn entry_fact(self, id: Id, at: Hex) -> Fact {
        let open = self.check_enter(id, Some(at)).is_ok();
        let cost = self.entry_cost(id, at).filter(|_| open);
        cost.map_or(closed(), |c| i64::from(c).into())
    }

    fn chance_fact(self, firer: Id, target: Id, kind: FireKind) -> Fact {
        i64::from(self.to_hit_chance(firer, target, kind).sum()).into()
    }

    fn engagement_names(self, side: Side) -> Vec<String> {
        let own = self.battle.armies[side].units;
        let names =
            |set: UnitSet| set.into_iter().map(|u| self.unit(u).id.as_str()).collect::<Vec<_>>().join(" ");
        let groups = self.engagements(side);
        groups.iter().map(|g| format!("{} | {}", names(g.and(own)), names(g.without(own)))).collect()
    }

    /// Of the retreat under way, else as if it withdrew now.
    fn retreat_paths(self, id: Id) -> Vec<String> {
        if !self.piece(id).on_map() {
            return Vec::new();
        }
        let under_way = self.state.agenda.iter().rev().find_map(|s| match s {
            Step::Retreat(r) if r.unit == id => Some(*r),
            _ => None,
        });
        let retreat = under_way.unwrap_or_else(|| self.imagined_withdrawal(id));
        let gone: Vec<String> =
            self.battle.ground.walk(retreat.start, retreat.path).map(|h| self.ground().name(h)).collect();
        let onward = self.all_retreat_paths(&retreat);
        onward.into_iter().map(|p| gone.iter().cloned().chain([p]).collect::<Vec<_>>().join("-")).collect()
    }
}

impl State {
    /// The step of a Combat Turn under way.
    pub(crate) fn step_word(&self) -> String {
        let found = self.agenda.iter().rev().find_map(|step| match step {
            Step::CavalryRetreat => Some("cavalry-retreat".to_owned()),
            Step::Bombard => Some("bombard".to_owned()),
            Step::Withdraw => Some("withdraw".to_owned()),
            Step::Approach | Step::Split(FireOf::Approach) | Step::Fire(FireOf::Approach, ..) => {
                Some("approach".to_owned())
            }
            Step::Engage => Some("engage".to_owned()),
            Step::Options | Step::Aim | Step::Split(_) | Step::Fire(..) => {
                Some(format!("round {}", self.round))
            }
            Step::Checks(..) => Some("checks".to_owned()),
            Step::Advance => Some("advance".to_owned()),
            Step::FallBack | Step::NextRound => Some("fallback".to_owned()),
            Step::Sweep => Some("end".to_owned()),
            _ => None,
        });
        found.unwrap_or_else(|| "none".to_owned())
    }

    /// The phase on top of the agenda.
    pub(crate) fn upcoming(&self) -> Option<&'static str> {
        Some(match self.agenda.top()? {
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
}

impl Battle {
    fn unit_named(&self, word: &str) -> Result<Id, Unknown> {
        let known = || self.units.iter().map(|u| u.id.clone()).chain(TOPICS.map(str::to_owned));
        self.find(word).ok_or_else(|| Unknown::new(word, "a unit", known()))
    }

    fn hex_named(&self, word: &str) -> Result<Hex, Unknown> {
        let found = self.ground.grid.parse(word).filter(|&h| self.ground.on_map.contains(h));
        found.ok_or_else(|| Unknown::new(word, "a hex of the map", [""; 0]))
    }

    /// The direction from a hex to the neighbour of that number.
    fn neighbour_named(&self, from: Hex, word: &str) -> Result<usize, Unknown> {
        let known = || self.ground.beyond[from.index()].into_iter().filter(|&h| h != NOWHERE);
        let direction = self.ground.direction(from, self.hex_named(word)?);
        direction.ok_or_else(|| {
            let what = format!("a neighbour of {}", self.ground.name(from));
            Unknown::new(word, what, known().map(|h| self.ground.name(h)))
        })
    }
}

impl Battle {
    fn side_named(&self, id: &str) -> Result<Side, Unknown> {
        let known = Side::BOTH.map(|s| self.armies[s].id.clone());
        let found = Side::BOTH.into_iter().find(|s| self.armies[*s].id == id);
        found.ok_or_else(|| Unknown::new(id, "a side", known))
    }

    /// `usa`, `csa` or `none`.
    pub(crate) fn side_word(&self, side: Option<Side>) -> String {
        side.map_or("none".to_owned(), |s| self.armies[s].id.clone())
    }
}

/// The box or the map.
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

impl Battle {
    fn ids_of(&self, units: UnitSet) -> Fact {
        Fact::Set(units.into_iter().map(|u| self.unit(u).id.clone()).collect())
    }
}

fn closed() -> Fact {
    "closed".into()
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
