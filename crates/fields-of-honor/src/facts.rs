//! Facts by name, stops and kinds of decisions, for situations.

use game::Side;
use game::situation::{Fact, Unknown};

use crate::at::At;
use crate::notation::number as decimal;
use crate::rules::morale::Cause;
use crate::rules::sequence::{Phase, Step};
use crate::setup::battle::Battle;
use crate::setup::ground::Cover;
use crate::state::{BodyId, Command, LeaderId, Marks, State, Where};

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

impl At<'_> {
    /// The fact of that name.
    pub(crate) fn fact(self, name: &str) -> Result<Fact, Unknown> {
        match name {
            "turn" => return Ok(Fact::from(i64::from(self.state.turn))),
            "phase" => {
                return Ok(Fact::from(Phase::NAMES[self.state.phase as usize]));
            }
            "first" => return Ok(Fact::from(self.battle.sides[self.state.turn_of].id.as_str())),
            "mover" => return Ok(Fact::from(self.battle.sides[self.state.mover].id.as_str())),
            "melees" => return Ok(Fact::from(self.state.bouts.len() as i64)),
            "breaches" => {
                return Ok(Fact::from(self.state.breaches.iter().filter(|b| b.open).count() as i64));
            }
            "revealed" => return Ok(Fact::from(i64::from(self.state.revealed.count_ones()))),
            _ => {}
        }
        let Some((head, rest)) = name.split_once('.') else {
            let what = "a fact of the position, a unit or a leader";
            return Err(Unknown::new(
                name,
                what,
                WHOLE.iter().map(|w| (*w).to_owned()).chain(self.known_names()),
            ));
        };
        match head {
            "score" => {
                return side(self.battle, rest).map(|s| Fact::from(i64::from(self.score()[s])));
            }
            "batch" => return side(self.battle, rest).map(|s| Fact::from(i64::from(self.state.go.batch[s]))),
            "commands" => {
                return side(self.battle, rest).map(|s| Fact::from(i64::from(self.state.commands[s])));
            }
            "sight" | "distance" | "range" | "need" | "bearing" => return self.fact_of_pair(head, rest),
            _ => {}
        }
        // Ids of later groups hold a dot themselves: the longest that is known is meant.
        if let Some((unit, what)) = name.rsplit_once('.')
            && let Some(id) = self.find_body(unit)
        {
            return self.fact_of_unit(id, what);
        }
        if let Some(id) = self.find_body(head) {
            return self.fact_of_unit(id, rest);
        }
        if let Some(id) = self.battle.find_leader(head) {
            return self
                .leader_fact(id, rest)
                .ok_or_else(|| Unknown::new(rest, "a fact of a leader", OF_LEADER));
        }
        let known = OF_SIDE.into_iter().chain(OF_PAIR).map(str::to_owned);
        Err(Unknown::new(head, "a unit, a leader or a kind of fact", self.known_names().chain(known)))
    }

    fn fact_of_unit(self, id: BodyId, what: &str) -> Result<Fact, Unknown> {
        self.unit_fact(id, what)
            .ok_or_else(|| Unknown::new(what, "a fact of a unit", OF_UNIT.into_iter().chain(OF_UNIT_TOO)))
    }

    fn unit_named(self, id: &str) -> Result<BodyId, Unknown> {
        self.find_body(id).ok_or_else(|| Unknown::new(id, "a unit", self.known_names()))
    }

    /// `A.B`, where the ids of later groups hold a dot themselves.
    fn two_units(self, rest: &str) -> Result<(BodyId, &str), Unknown> {
        let mut dots = rest.match_indices('.').map(|(at, _)| at);
        let known = dots.clone().find_map(|at| {
            let later = self.find_body(&rest[at + 1..]).is_some()
                || self.battle.find_leader(&rest[at + 1..]).is_some();
            self.find_body(&rest[..at]).filter(|_| later).map(|id| (id, &rest[at + 1..]))
        });
        match (known, dots.next()) {
            (Some(both), _) => Ok(both),
            (None, Some(at)) => self.unit_named(&rest[..at]).map(|id| (id, &rest[at + 1..])),
            (None, None) => Err(Unknown::new(rest, "two units with a dot between", [""; 0])),
        }
    }

    fn fact_of_pair(self, what: &str, rest: &str) -> Result<Fact, Unknown> {
        let (by, other) = self.two_units(rest)?;
        if let Some(leader) = self.battle.find_leader(other) {
            let at = self.state.leaders[leader.i()].at.pt();
            let distance = || inches(self.layout(by).distance_to(at));
            return (what == "distance")
                .then(distance)
                .ok_or_else(|| Unknown::new(what, "a fact of a unit and a leader", ["distance"]));
        }
        let at = self.unit_named(other)?;
        let (mine, theirs) = (self.layout(by), self.layout(at));
        Ok(match what {
            "sight" => Fact::from(self.sees(by, at)),
            "distance" => inches(mine.distance(&theirs)),
            "need" => Fact::from(i64::from(self.sighting_entry(by, at).as_written())),
            "bearing" => match self.bearing(by, at, &theirs) {
                Ok(aim) => Fact::from(i64::from(aim.stands.count_ones())),
                Err(no) => Fact::from(no.rule().map_or("none", game::Rule::id)),
            },
            _ => match self.bearing(by, at, &theirs) {
                Ok(aim) => Fact::from(["short", "medium", "long", "extreme"][aim.band]),
                Err(no) => Fact::from(no.rule().map_or("none", game::Rule::id)),
            },
        })
    }

    fn unit_fact(self, id: BodyId, what: &str) -> Option<Fact> {
        self.fact_of_stands(id, what).or_else(|| self.fact_of_rules(id, what))
    }

    /// What can be seen of a unit, and what it carries.
    fn fact_of_stands(self, id: BodyId, what: &str) -> Option<Fact> {
        let body = self.body(id);
        let layout = body.layout(self.battle);
        let info = self.battle.info(body);
        Some(match what {
            "at" => Fact::from(format!(
                "{} {}",
                decimal(i64::from(body.pose.at.x)),
                decimal(i64::from(body.pose.at.y))
            )),
            "x" => Fact::from(decimal(i64::from(body.pose.at.x))),
            "y" => Fact::from(decimal(i64::from(body.pose.at.y))),
            "facing" => Fact::from(decimal(i64::from(body.pose.facing.get()) * 10)),
            "stands" => Fact::from(i64::from(body.stands(self.battle))),
            "fighting" => Fact::from(i64::from(body.fighting(self.battle))),
            "lost" => Fact::from(i64::from(body.lost)),
            "fresh" => Fact::from(i64::from(body.fresh)),
            "percent" => Fact::from(self.state.percent_lost(self.battle, body.bmu)),
            "state" => Fact::from(body.order.name()),
            "formation" => Fact::from(body.shape.formation.name()),
            "files" => Fact::from(i64::from(layout.files())),
            "ranks" => Fact::from(i64::from(layout.ranks())),
            "width" => inches(layout.extent().width),
            "depth" => inches(layout.extent().depth),
            "hits_a_stand" => Fact::from(i64::from(self.battle.arm(body).hits_a_stand())),
            "place" => Fact::from(match body.place {
                Where::Table => "table",
                Where::Coming => "coming",
                Where::Gone => "gone",
                Where::Joined => "joined",
                Where::Left => "left",
            }),
            "marks" => {
                let all =
                    Marks::WORDS.iter().filter(|(_, m)| body.marks.has(*m)).map(|(w, _)| (*w).to_owned());
                Fact::from(all.collect::<Vec<String>>())
            }
            "hidden" => Fact::from(self.state.is_marker(id)),
            "ranges" => {
                let all: Vec<String> = info.weapon.ranges.iter().map(|r| decimal(r / table::MIL)).collect();
                Fact::from(all.join("/"))
            }
            "dice" => Fact::from(i64::from(info.weapon.dice)),
            "men" => Fact::from(info.men),
            _ => return None,
        })
    }

    /// What the rules make of a unit.
    fn fact_of_rules(self, id: BodyId, what: &str) -> Option<Fact> {
        let body = self.body(id);
        let layout = body.layout(self.battle);
        let nearest = || self.nearest_enemy(self.battle.side(body), &layout);
        Some(match what {
            "melee" => {
                let all = self.state.opponents(id).map(|(_, o)| self.battle.slug(o));
                Fact::from(all.collect::<Vec<String>>())
            }
            "face" => {
                let bout = self.state.bouts.iter().find(|b| b.defender == id);
                Fact::from(bout.map_or("none", |b| b.face.name()))
            }
            "melee_dice" => Fact::from(i64::from(self.melee_dice(id).dice)),
            "melee_bonus" => Fact::from(i64::from(self.melee_dice(id).bonus)),
            "in_command" => Fact::from(self.in_command(id)),
            "must_react" => Fact::from(self.must_react(id)),
            "engaged" => Fact::from(self.engaged(id)),
            "rate" => {
                let far = self.at_charge_rate(id, nearest().map(|n| n.1));
                inches(self.move_rate(id, body.shape.formation, far))
            }
            "engaged_rate" => inches(self.battle.rate(body).engaged),
            "charge_rate" => inches(self.battle.rate(body).charge),
            "support" => Fact::from(self.morale_supporters(id) as i64),
            "morale" => Fact::from(i64::from(self.morale_number(id, Cause::Phase).total())),
            "level" => Fact::from(i64::from(self.battle.level(body))),
            "cover" => {
                let from = nearest().map(|(e, _)| self.layout(e).centre());
                Fact::from(Cover::NAMES[self.cover(&layout, from, false) as usize])
            }
            "price" => Fact::from(i64::from(self.state.move_price(id))),
            "order" => Fact::from(self.order_of(id).map_or("none", Command::name)),
            "charge_ready" => Fact::from(self.may_charge(id).is_ok()),
            _ => return None,
        })
    }

    fn leader_fact(self, id: LeaderId, what: &str) -> Option<Fact> {
        let man = &self.state.leaders[id.i()];
        Some(match what {
            "at" => Fact::from(format!("{} {}", decimal(i64::from(man.at.x)), decimal(i64::from(man.at.y)))),
            "disabled" => Fact::from(man.disabled),
            "personality" => Fact::from(man.personality.name()),
            "competent" => Fact::from(!man.incompetent),
            "order" => Fact::from(man.order.name()),
            "marker" => Fact::from(format!(
                "{} {}",
                decimal(i64::from(man.marker.x)),
                decimal(i64::from(man.marker.y))
            )),
            "attached" => Fact::from(man.attached.map_or("none".to_owned(), |b| self.battle.slug(b))),
            "hears" => Fact::from(self.hears_orders(id)),
            "moved" => Fact::from(man.moved),
            _ => return None,
        })
    }
}

impl<'a> At<'a> {
    /// The ids of all units and leaders.
    fn known_names(self) -> impl Iterator<Item = String> + 'a {
        let units = self.state.ids().map(|id| self.battle.slug(id));
        units.chain(self.battle.leaders.iter().map(|l| l.id.clone()))
    }
}

fn side(battle: &Battle, id: &str) -> Result<Side, Unknown> {
    let found = Side::BOTH.into_iter().find(|s| battle.sides[*s].id == id);
    found.ok_or_else(|| Unknown::new(id, "a side", Side::BOTH.map(|s| battle.sides[s].id.clone())))
}

/// Where a situation may stop: before a phase begins, and before the checks and rolls within one.
pub(crate) const STOPS: [&str; 25] = [
    "orders",
    "replacement",
    "reaction",
    "charge",
    "movement",
    "fire",
    "melee",
    "leader-loss",
    "morale",
    "rout",
    "initiative",
    "charger-tests",
    "target-tests",
    "charge-fire",
    "after-fire",
    "charge-home",
    "fire-dice",
    "blows",
    "morale-tests",
    "retreats",
    "provoked-tests",
    "pursuit",
    "end-of-morale",
    "flights",
    "turn-end",
];

impl State {
    /// What runs next by itself, if it has a name.
    pub(crate) fn upcoming(&self) -> Option<&'static str> {
        Some(match self.agenda.top()? {
            Step::Begin(phase) => Phase::NAMES[phase as usize],
            Step::Initiative(_) => "initiative",
            Step::ChargerTests => "charger-tests",
            Step::TargetTest { .. } => "target-tests",
            Step::ChargeFire | Step::ChargeVolleys { next: 0, .. } => "charge-fire",
            Step::AfterFire { .. } => "after-fire",
            Step::Home { .. } => "charge-home",
            Step::Volleys { next: 0 } => "fire-dice",
            Step::Brawl { .. } => "blows",
            Step::MoraleTests { .. } => "morale-tests",
            Step::GoBacks => "retreats",
            Step::Provoked => "provoked-tests",
            Step::Pursue { .. } => "pursuit",
            Step::EndMorale => "end-of-morale",
            Step::Flights { .. } => "flights",
            Step::TurnEnd => "turn-end",
            _ => return None,
        })
    }
}

/// Every kind of decision, as [`sequence_name`] names them.
pub(crate) const KINDS: [&str; 16] = [
    "order",
    "reaction",
    "lead",
    "sight",
    "charge",
    "react",
    "support",
    "move",
    "opportunity",
    "fire",
    "melee",
    "split",
    "withdraw",
    "pursuit",
    "reform",
    "recover",
];

/// The decision in a word, for prompts and refusals.
pub(crate) fn sequence_name(step: Step) -> &'static str {
    match step {
        Step::Orders { .. } => "order",
        Step::Reactions => "reaction",
        Step::Leads { .. } => "lead",
        Step::Sight { .. } => "sight",
        Step::Charges => "charge",
        Step::React { .. } => "react",
        Step::Support => "support",
        Step::Moves => "move",
        Step::Interrupt => "opportunity",
        Step::Declare { .. } => "fire",
        Step::Melees => "melee",
        Step::Split { .. } => "split",
        Step::AfterTest { .. } => "withdraw",
        Step::PursuitChoice { .. } => "pursuit",
        Step::Reform { .. } => "reform",
        Step::Recover { .. } => "recover",
        _ => "wait",
    }
}
