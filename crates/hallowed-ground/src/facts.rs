//! Facts of a position by name (`a.hits`, `sight.a.b`, `shot.a.b.need`), the steps at which a situation can stop, and
//! the kinds of decisions.

use game::No;
use game::situation::{Fact, Unknown};
use table::{MIL, Side as Edge, Spot, div_round};

use crate::at::At;
use crate::field::Field;
use crate::notation::{decimal, degrees};
use crate::rules::charges::ChargeStep;
use crate::rules::charges::line::Charger;
use crate::rules::charts::bases;
use crate::rules::melee::MeleeStep;
use crate::rules::sequence::Step;
use crate::rules::shooting::Volley;
use crate::rules::shooting::sight::Kind;
use crate::rules::terrain::{Blocks, Going};
use crate::setup::battle::Battle;
use crate::setup::ground::Ground;
use crate::setup::pieces::{BrigadeId, CommanderId, UnitId};
use crate::state::{Flags, Phase, Whereabouts};

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

const TALLY: [&str; 5] = ["troops", "guns", "shaken", "objectives", "scenario"];
const COMMANDER: [&str; 7] = ["at", "x", "y", "attached", "radius", "rallied", "brigade-broken"];
const SHOT: [&str; 3] = ["dice", "need", "sum"];
const CHARGE: [&str; 4] = ["distance", "side", "difficult", "pose"];
const TERRAIN: [&str; 4] = ["type", "cover", "obscures", "blocks"];

const ROOTS: [&str; 21] = [
    "turn",
    "phase",
    "active",
    "first",
    "score",
    "army",
    "brigade",
    "brigades",
    "objective",
    "distance",
    "range",
    "arc",
    "sight",
    "visible",
    "cover",
    "obscured",
    "shot",
    "melee",
    "orders",
    "morale",
    "charge",
];

/// The parts of a dotted name, each looked up with a word of its own when it is unknown.
struct Parts<'a>(&'a Battle);

impl Parts<'_> {
    fn unit(&self, part: &str) -> Result<UnitId, Unknown> {
        let known = self.0.units.iter().map(|u| u.slug.clone());
        self.0.unit_named(part).ok_or_else(|| Unknown::new(part, "a unit", known))
    }

    fn brigade(&self, part: &str) -> Result<BrigadeId, Unknown> {
        let known = self.0.brigades.iter().map(|b| b.slug.clone());
        self.0.brigade_named(part).ok_or_else(|| Unknown::new(part, "a brigade", known))
    }

    fn side(&self, part: &str) -> Result<game::Side, Unknown> {
        let known = game::Side::BOTH.map(|s| self.0.armies[s].id.clone());
        let named = game::Side::BOTH.into_iter().find(|s| self.0.armies[*s].id == part);
        named.ok_or_else(|| Unknown::new(part, "a side", known))
    }

    fn inches(&self, part: &str) -> Result<i32, Unknown> {
        let number = part.parse::<i32>().ok().filter(|n| n.abs() < 1_000);
        number.map(|n| n * 1_000).ok_or_else(|| Unknown::new(part, "a number of whole inches", [""; 0]))
    }
}

/// The last part of a name is none of these.
fn none_of<T>(part: &str, known: &[&str]) -> Result<T, Unknown> {
    Err(Unknown::new(part, "a fact", known.iter().copied()))
}

/// What a name asks for cannot be done now, for this reason.
fn not_now(name: &str, what: &str, no: No) -> Unknown {
    Unknown::new(name, format!("{what} that is allowed now: {no}"), [""; 0])
}

impl At<'_> {
    pub(crate) fn fact(self, name: &str) -> Result<Fact, Unknown> {
        let parts: Vec<&str> = name.split('.').collect();
        let field = self.field();
        let of = Parts(self.battle);
        let number = |n: i64| Ok(Fact::Number(n));
        match parts[..] {
            ["turn"] => number(i64::from(self.state.turn)),
            ["phase"] => Ok(phase_word(self.state.phase).into()),
            ["active"] => Ok(self.battle.armies[self.state.active].id.as_str().into()),
            ["first"] => Ok(self.battle.armies[self.state.first].id.as_str().into()),
            ["score", id] => number(i64::from(self.score()[of.side(id)?])),
            ["score", id, what] => self.tally_fact(of.side(id)?, what),
            ["army", id, what] => self.army_fact(of.side(id)?, what),
            ["brigade", b, what] => self.brigade_fact(of.brigade(b)?, what),
            ["brigades"] => Ok(Fact::Set(self.battle.brigades.iter().map(|b| b.slug.clone()).collect())),
            ["objective", n] => field.objective_fact(n),
            ["distance", a, b] => {
                let b = of.unit(b)?;
                match self.battle.officer_named(a) {
                    Some(c) => Ok(mils(field.commander_distance(c, b))),
                    None => Ok(mils(field.distance(of.unit(a)?, b))),
                }
            }
            ["range", a, b] => Ok(mils(field.range(of.unit(a)?, of.unit(b)?))),
            ["arc", a, b] => {
                Ok(edge_word(field.rect(of.unit(a)?).arc_of(field.rect(of.unit(b)?).front)).into())
            }
            ["arc", a, x, y] => {
                let spot = Spot::new(of.inches(x)?, of.inches(y)?);
                Ok(edge_word(field.rect(of.unit(a)?).arc_of(spot.pt())).into())
            }
            ["sight", a, b] => Ok(match field.sight(of.unit(a)?, of.unit(b)?).kind() {
                Kind::None => "none".into(),
                Kind::Partial => "partial".into(),
                Kind::Full => "full".into(),
            }),
            ["visible", a, b] => Ok(mils(field.sight(of.unit(a)?, of.unit(b)?).visible)),
            ["cover", a, b] | ["obscured", a, b] => {
                let (viewer, target) = (of.unit(a)?, of.unit(b)?);
                let shelter = field.shelter(viewer, field.rect(viewer), target);
                Ok(Fact::Truth(if parts[0] == "cover" { shelter.cover } else { shelter.obscured }))
            }
            ["shot", a, b, what] => {
                let volley = field.shot(of.unit(a)?, of.unit(b)?);
                shot_fact(&volley.map_err(|no| not_now(name, "a shot", no))?, what)
            }
            ["melee", a, "dice"] => number(i64::from(self.melee_dice(of.unit(a)?))),
            ["melee", a, b, "need"] => number(i64::from(field.melee_need(of.unit(a)?, of.unit(b)?))),
            ["melee", _, what] => none_of(what, &["dice"]),
            ["melee", _, _, what] => none_of(what, &["need"]),
            ["orders", a, "sum"] => number(i64::from(field.orders_mods(of.unit(a)?).total())),
            ["morale", a, "sum"] => number(i64::from(field.morale_mods(of.unit(a)?).total())),
            ["orders" | "morale", _, what] => none_of(what, &["sum"]),
            ["charge", a, b, what] => {
                let (a, b) = (of.unit(a)?, of.unit(b)?);
                let line = field.line_of_charge(a, b, &[a]);
                charge_fact(&line.map_err(|no| not_now(name, "a charge", no))?, what)
            }
            ["terrain", kind, what] => terrain_fact(kind, what),
            [who, what] => field.piece_fact(who, what),
            [root, ..] => none_of(root, &ROOTS),
            [] => Err(Unknown::fact(name)),
        }
    }

    fn tally_fact(self, side: game::Side, what: &str) -> Result<Fact, Unknown> {
        let t = self.tally(side);
        let points = [t.troops, t.guns, t.shaken, t.objectives, t.scenario];
        match TALLY.iter().position(|w| *w == what) {
            Some(i) => Ok(Fact::Number(i64::from(points[i]))),
            None => none_of(what, &TALLY),
        }
    }

    fn army_fact(self, side: game::Side, what: &str) -> Result<Fact, Unknown> {
        match (what, self.battle.army_commander(side)) {
            ("broken", _) => Ok(Fact::Truth(self.army_broken(side))),
            ("commander", Some(c)) => Ok(self.battle.officer(c).slug.as_str().into()),
            _ => none_of(what, &["broken", "commander"]),
        }
    }

    fn brigade_fact(self, b: BrigadeId, what: &str) -> Result<Fact, Unknown> {
        match what {
            "broken" => Ok(Fact::Truth(self.state.brigade_broken(b))),
            "units" => {
                let names = self.battle.units.iter().filter(|u| u.brigade == b).map(|u| u.slug.clone());
                Ok(Fact::Set(names.collect()))
            }
            "commander" => Ok(self.battle.officer(self.battle.brigade(b).commander).slug.as_str().into()),
            _ => none_of(what, &["broken", "units", "commander"]),
        }
    }

    fn commander_fact(self, c: CommanderId, what: &str) -> Result<Fact, Unknown> {
        let now = &self.state.commanders[c.i()];
        Ok(match what {
            "at" => format!("{} {}", decimal(now.at.x), decimal(now.at.y)).into(),
            "x" => Fact::Number(i64::from(now.at.x)),
            "y" => Fact::Number(i64::from(now.at.y)),
            "attached" => now.attached.map_or("nobody", |u| self.battle.unit(u).slug.as_str()).into(),
            "radius" => mils(self.battle.officer(c).radius()),
            "rallied" => Fact::Truth(now.rallied),
            "brigade-broken" => {
                Fact::Truth(self.battle.officer(c).brigade.is_some_and(|b| self.state.brigade_broken(b)))
            }
            _ => return none_of(what, &COMMANDER),
        })
    }
}

fn shot_fact(volley: &Volley, what: &str) -> Result<Fact, Unknown> {
    Ok(Fact::Number(match what {
        "dice" => i64::from(volley.dice),
        "need" => i64::from(volley.need),
        "sum" => i64::from(volley.mods.total()),
        _ => return none_of(what, &SHOT),
    }))
}

fn charge_fact(line: &Charger, what: &str) -> Result<Fact, Unknown> {
    Ok(match what {
        "distance" => Fact::Number(i64::from(line.distance)),
        "side" => edge_word(line.side).into(),
        "difficult" => Fact::Truth(line.difficult),
        "pose" => pose_text(line.pose).into(),
        _ => return none_of(what, &CHARGE),
    })
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

fn terrain_fact(kind: &str, what: &str) -> Result<Fact, Unknown> {
    let Some(i) = Ground::WORDS.iter().position(|w| *w == kind) else {
        return Err(Unknown::new(kind, "a kind of terrain", Ground::WORDS));
    };
    let ground = Ground::ALL[i];
    Ok(match what {
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
        _ => return none_of(what, &TERRAIN),
    })
}

/// The facts of a unit.
const UNIT: [&str; 35] = [
    "pose",
    "x",
    "y",
    "facing",
    "ulp",
    "centre",
    "front-right",
    "front-left",
    "rear-left",
    "rear-right",
    "width",
    "depth",
    "bases",
    "formation",
    "arm",
    "brigade",
    "hits",
    "state",
    "order",
    "moved",
    "smoke",
    "charging",
    "engaged",
    "foes",
    "defends",
    "on-road",
    "rate",
    "shooting",
    "shooting-half",
    "shooting-long",
    "melee",
    "shaken-at",
    "break-at",
    "reach",
    "commanders",
];

impl Field<'_> {
    fn objective_fact(&self, number: &str) -> Result<Fact, Unknown> {
        let objectives = &self.battle.objectives;
        let known = (0..objectives.len()).map(|i| i.to_string());
        let objective = number.parse::<usize>().ok().and_then(|n| objectives.get(n));
        let objective = objective.ok_or_else(|| Unknown::new(number, "the number of an objective", known))?;
        Ok(self.holder(objective).map_or("nobody", |s| self.battle.armies[s].id.as_str()).into())
    }

    fn piece_fact(&self, who: &str, what: &str) -> Result<Fact, Unknown> {
        match (self.battle.unit_named(who), self.battle.officer_named(who)) {
            (Some(u), _) => self.unit_fact(u, what).map_or_else(|| none_of(what, &UNIT), Ok),
            (None, Some(c)) => self.commander_fact(c, what),
            (None, None) => {
                let pieces = self.battle.units.iter().map(|u| u.slug.clone());
                let known = pieces.chain(self.battle.officers.iter().map(|o| o.slug.clone()));
                Err(Unknown::new(who, "a unit or a commander", known))
            }
        }
    }

    fn unit_fact(&self, u: UnitId, what: &str) -> Option<Fact> {
        let (battle, state) = (self.battle, self.state);
        let (unit, roster, rect) = (state.unit(u), battle.unit(u), self.rect(u));
        let stat = self.stat(u);
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
            "bases" => Fact::Number(bases(roster.arm, unit.formation).len() as i64),
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
            "defends" => Fact::Truth(state.foes(u).any(|(f, _, _)| state.is_defending(u, f))),
            "on-road" => Fact::Truth(self.on_road(u).is_some()),
            "rate" => Fact::Number(i64::from(self.rate(u))),
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
}

/// The names at which a situation can stop.
pub(crate) const STOPS: [&str; 26] = [
    "initiative",
    "turn",
    "round",
    "attach",
    "charges",
    "activate",
    "orders",
    "ride",
    "general",
    "shooting",
    "tests",
    "melee",
    "end",
    "charge-orders",
    "charge-home",
    "point-blank",
    "defensive-fire",
    "saves",
    "contact",
    "melee-roll",
    "parting-hits",
    "aftermath",
    "consolidation",
    "morale",
    "retire",
    "flee",
];

impl At<'_> {
    /// What runs next by itself, by its name.
    pub(crate) fn upcoming(self) -> Option<&'static str> {
        let top = self.state.agenda.top().filter(|top| self.state.outcome.is_none() && !self.asks(*top))?;
        match top {
            Step::Initiative => Some("initiative"),
            Step::Turn => Some("turn"),
            Step::Round { .. } => Some("round"),
            Step::Attach => Some("attach"),
            Step::Charges => Some("charges"),
            Step::Activate => Some("activate"),
            Step::Orders { .. } => Some("orders"),
            Step::BrigadeRides { .. } => Some("ride"),
            Step::ArmyRides => Some("general"),
            Step::Shooting => Some("shooting"),
            Step::ShotTests => Some("tests"),
            Step::MeleePhase => Some("melee"),
            Step::EndPhase => Some("end"),
            Step::Charge(step) => match step {
                ChargeStep::Orders => Some("charge-orders"),
                ChargeStep::Home => Some("charge-home"),
                ChargeStep::PointBlank => Some("point-blank"),
                ChargeStep::Fire { .. } => Some("defensive-fire"),
                ChargeStep::Saves { .. } => Some("saves"),
                ChargeStep::Contact => Some("contact"),
                _ => None,
            },
            Step::Melee(step) => match step {
                MeleeStep::Roll => Some("melee-roll"),
                MeleeStep::Parting => Some("parting-hits"),
                MeleeStep::After => Some("aftermath"),
                MeleeStep::Consolidate => Some("consolidation"),
                _ => None,
            },
            Step::Morale { .. } => Some("morale"),
            Step::Retire { .. } => Some("retire"),
            Step::Flee { .. } => Some("flee"),
            Step::ChooseFirst { .. } | Step::Reroll { .. } | Step::RetireSide { .. } => None,
        }
    }
}

/// Every kind of decision.
pub(crate) const KINDS: [&str; 20] = [
    "initiative",
    "attach",
    "charge",
    "activate",
    "order",
    "ride",
    "shoot",
    "test",
    "melee",
    "countercharge",
    "support",
    "who-fires",
    "odd-hit",
    "odd-die",
    "retire",
    "breakthrough",
    "reroll",
    "aside",
    "flee",
    "over",
];
