//! Facts by name, stops and kinds of decisions, for situations.

use game::Side;
use game::situation::{Fact, Unknown};
use hexmap::Hex;

use crate::at::At;
use crate::rules::charts::COLUMNS;
use crate::rules::results::{Effect, Hit};
use crate::rules::sequence::{self, Step};
use crate::rules::tactics::Tactic;
use crate::setup::battle::{Arm, Battle};
use crate::setup::ground::Sight;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Order, Spot, State};

type Told<T = Fact> = Result<T, Unknown>;

/// The facts that do not begin with a unit or leader, each with the forms it has.
const FORMS: [(&str, &[&str]); 35] = [
    ("hex_yards", &["hex_yards"]),
    ("turn", &["turn"]),
    ("phase", &["phase"]),
    ("phasing", &["phasing"]),
    ("first", &["first"]),
    ("ending", &["ending"]),
    ("pool", &["pool"]),
    ("pins", &["pins"]),
    ("mended", &["mended"]),
    ("obliged", &["obliged"]),
    ("required", &["required"]),
    ("morale", &["morale.SIDE"]),
    ("level", &["level.SIDE"]),
    ("initiative_drm", &["initiative_drm.SIDE"]),
    ("chits", &["chits.SIDE"]),
    ("lost", &["lost.SIDE"]),
    ("vp", &["vp.SIDE"]),
    ("score", &["score.SIDE"]),
    ("held", &["held.HEX"]),
    ("stack", &["stack.SIDE.HEX"]),
    ("zone", &["zone.SIDE", "zone.SIDE.HEX"]),
    ("sight", &["sight.HEX.HEX"]),
    ("up_slope", &["up_slope.HEX.HEX"]),
    ("terrain", &["terrain.HEX"]),
    ("cost", &["cost.ARM.FROM.TO"]),
    ("odds", &["odds.ATTACK.DEFENCE"]),
    ("table", &["table.COLUMN.ROLL"]),
    ("matrix", &["matrix.ATTACKER.DEFENDER"]),
    ("to_hit", &["to_hit.SP.RANGE"]),
    ("rifle_damage", &["rifle_damage.FACE"]),
    ("artillery_damage", &["artillery_damage.FACE"]),
    ("fight", &["fight.WHAT", "fight.WHAT.SIDE"]),
    ("combat", &["combat.ID.HEX"]),
    ("commander", &["commander.SIDE.HEX"]),
    ("retreat", &["retreat.ID.N"]),
];

const OF_A_FIGHT: [&str; 10] =
    ["open", "column", "attack", "defence", "roll", "drm", "attackers", "defenders", "late", "result"];

const OF_A_SIDE_IN_A_FIGHT: [&str; 5] = ["lead", "tactic", "leads", "open_flank", "eligible"];

const OF_A_LEADER: [&str; 3] = ["seniority", "close_combat", "leadership"];

const OF_A_PIECE: [&str; 27] = [
    "hex",
    "place",
    "steps",
    "strength",
    "fire",
    "defence",
    "base_morale",
    "morale",
    "mp",
    "side",
    "arm",
    "nation",
    "reduced",
    "order",
    "pinned",
    "withdrawn",
    "first_fire",
    "moved",
    "combat_unit",
    "rifle",
    "light",
    "militia",
    "dragoon",
    "indian",
    "jaeger",
    "surrounded",
    "beside",
];

/// Reads the parts of a dotted name.
struct Parts<'a> {
    battle: &'a Battle,
    name: &'a str,
    words: Vec<&'a str>,
}

impl<'a> Parts<'a> {
    fn word(&self, i: usize) -> Told<&'a str> {
        self.words.get(i).copied().ok_or_else(|| self.shape())
    }

    /// The name has too many parts, or too few.
    fn shape(&self) -> Unknown {
        let forms = FORMS.iter().find(|form| form.0 == self.words[0]);
        let what = forms.map_or("a fact of a unit or leader".into(), |form| {
            format!("a whole fact; {} is", form.1.join(" or "))
        });
        Unknown::new(self.name, what, [""; 0])
    }

    fn side(&self, i: usize) -> Told<Side> {
        let word = self.word(i)?;
        let known = Side::BOTH.map(|side| self.battle.armies[side].id.as_str());
        self.battle.find_side(word).ok_or_else(|| Unknown::new(word, "a side", known))
    }

    fn hex(&self, i: usize) -> Told<Hex> {
        let word = self.word(i)?;
        self.battle.ground.grid.parse(word).ok_or_else(|| Unknown::new(word, "a hex of the map", [""; 0]))
    }

    fn piece(&self, i: usize) -> Told<Piece> {
        let word = self.word(i)?;
        let known = self.battle.counters.iter().map(|c| c.id.as_str());
        self.battle.find(word).ok_or_else(|| Unknown::new(word, "a unit or leader", known))
    }

    fn number(&self, i: usize, least: i64, most: i64) -> Told<i64> {
        let word = self.word(i)?;
        let read = word.parse().ok().filter(|n| (least..=most).contains(n));
        read.ok_or_else(|| Unknown::new(word, format!("a number from {least} to {most}"), [""; 0]))
    }

    fn tactic(&self, i: usize) -> Told<Tactic> {
        let word = self.word(i)?;
        Tactic::parse(word).ok_or_else(|| Unknown::new(word, "a tactic", Tactic::ALL.map(Tactic::slug)))
    }
}

impl At<'_> {
    /// The fact of that name.
    pub(crate) fn fact(self, name: &str) -> Told {
        let parts = Parts { battle: self.battle, name, words: name.split('.').collect() };
        let first = parts.words[0];
        if first == "seen" {
            return self.fact_seen(&parts);
        }
        let form = FORMS.iter().find(|form| form.0 == first);
        let whole = form.is_some_and(|form| form.1.iter().any(|f| f.split('.').count() == parts.words.len()));
        // A unit may be called `first` or `turn`.
        if !whole && (form.is_none() || self.battle.find(first).is_some()) {
            return self.fact_of_a_piece(&parts);
        }
        if !whole {
            return Err(parts.shape());
        }
        let number = |n: i64| Ok(Fact::Number(n));
        match first {
            "hex_yards" => number(self.battle.hex_yards.into()),
            "turn" => number(self.state.turn.into()),
            "phase" => Ok(sequence::phase_name(self.state.phase).to_lowercase().into()),
            "phasing" => Ok(self.battle.armies[self.state.phasing].id.as_str().into()),
            "first" => Ok(self.battle.armies[self.state.first].id.as_str().into()),
            "ending" => Ok(self.ending_word().into()),
            "pool" => number(self.pool().into()),
            "pins" => number(self.state.pins.len() as i64),
            "mended" => number(self.state.mended.count_ones().into()),
            "obliged" => Ok(ids(self.battle, self.unmet_duties().0)),
            "required" => Ok(hexes(self.battle, self.unmet_duties().1)),
            "morale" => number(self.state.morale[parts.side(1)?].into()),
            "level" => Ok(self.army_level(parts.side(1)?).name().into()),
            "initiative_drm" => number(self.initiative_drm(parts.side(1)?).into()),
            "chits" => number(self.state.chits[parts.side(1)?].into()),
            "lost" => number(self.state.lost[parts.side(1)?].into()),
            "vp" => Ok(halves(self.half_points()[parts.side(1)?]).into()),
            "score" => number((self.half_points()[parts.side(1)?] / 2).into()),
            "held" => self.fact_of_holding(&parts),
            "stack" => Ok(ids(self.battle, self.in_hex(parts.hex(2)?) & self.battle.pieces(parts.side(1)?))),
            "zone" if parts.words.len() == 2 => Ok(hexes(self.battle, self.zone(parts.side(1)?))),
            "zone" => Ok(self.in_zone(parts.side(1)?, parts.hex(2)?).into()),
            "commander" => {
                let leader = self.in_command(parts.side(1)?, parts.hex(2)?);
                Ok(leader.map_or("nobody".into(), |l| self.counter(l).id.as_str().into()))
            }
            "fight" if parts.words.len() == 2 => self.fact_of_the_fight(parts.words[1]),
            "fight" => self.fact_of_a_side_in_the_fight(parts.words[1], parts.side(2)?),
            "combat" => Ok(self.announced_odds(parts.piece(1)?, parts.hex(2)?)),
            "retreat" => {
                let (unit, hexes_back) = (parts.piece(1)?, parts.number(2, 1, 3)?);
                let ways = self.retreats(unit, hexes_back as u8, false);
                let start = self.hex(unit);
                Ok(hexes(self.battle, ways.iter().filter_map(|w| w.end(&self.battle.ground, start?))))
            }
            _ => self.fact_of_the_charts(&parts),
        }
    }

    /// Ground and charts.
    fn fact_of_the_charts(self, parts: &Parts<'_>) -> Told {
        let number = |n: i8| Ok(Fact::Number(n.into()));
        match parts.words[0] {
            "sight" => {
                let occupied = self.occupied();
                let sight =
                    self.battle.ground.sight(&self.battle.charts, parts.hex(1)?, parts.hex(2)?, &occupied);
                Ok(match sight {
                    Sight::Clear => "clear",
                    Sight::Terrain => "terrain",
                    Sight::Slope => "slope",
                    Sight::Unit => "unit",
                }
                .into())
            }
            "up_slope" => Ok(self.battle.ground.up_slope(parts.hex(1)?, parts.hex(2)?).into()),
            "terrain" => Ok(self.battle.ground.terrain[parts.hex(1)?.index()].name().into()),
            "cost" => cost(self.battle, parts),
            "odds" => {
                let column =
                    self.battle.charts.column(parts.number(1, 0, 99)? as u16, parts.number(2, 1, 99)? as u16);
                Ok(format!("{}{}", column.name(), if column.below { " below" } else { "" }).into())
            }
            "table" => {
                let word = parts.word(1)?;
                let column = COLUMNS.iter().position(|c| *c == word);
                let column = column.ok_or_else(|| Unknown::new(word, "a column of the table", COLUMNS))?;
                Ok(both(self.battle.charts.row(parts.number(2, -99, 99)? as i8)[column]))
            }
            "matrix" => {
                let cell = self.battle.charts.tactics(parts.tactic(1)?, parts.tactic(2)?);
                Ok(cell.map_or(Fact::from("NC"), |n| Fact::Number(n.into())))
            }
            "to_hit" => {
                number(self.battle.charts.to_hit(parts.number(1, 1, 99)? as u8, parts.number(2, 1, 6)? as u8))
            }
            "rifle_damage" => {
                Ok(self.battle.charts.rifle_damage[parts.number(1, 0, 9)? as usize].words().into())
            }
            _ => Ok(self.battle.charts.artillery_damage[parts.number(1, 0, 9)? as usize].words().into()),
        }
    }

    fn ending_word(self) -> String {
        match self.state.ending {
            None => "none".into(),
            Some(e) => match e.winner {
                Some(side) => format!("{:?} {}", e.level, self.battle.armies[side].id).to_lowercase(),
                None => "draw".into(),
            },
        }
    }

    fn fact_of_holding(self, parts: &Parts<'_>) -> Told {
        let hex = parts.hex(1)?;
        let known = self.battle.objectives.iter().map(|o| self.battle.hex_name(o.hex));
        let i = self
            .battle
            .objectives
            .iter()
            .position(|o| o.hex == hex)
            .ok_or_else(|| Unknown::new(parts.words[1], "the hex of an objective", known))?;
        let side = Side::BOTH.into_iter().find(|&s| self.state.held[s] >> i & 1 == 1);
        Ok(side.map_or("nobody".into(), |s| self.battle.armies[s].id.as_str().into()))
    }

    fn fact_of_the_fight(self, what: &str) -> Told {
        let f = &self.state.fight;
        Ok(match what {
            "open" => f.is_open().into(),
            "column" => self.odds(f.attackers, f.defenders).name().into(),
            "attack" => Fact::Number(self.combat_strength(f.attackers, false).into()),
            "defence" => Fact::Number(self.combat_strength(f.defenders, true).into()),
            "roll" | "result" if !f.is_open() => "none".into(),
            "roll" => Fact::Number(f.roll.into()),
            "drm" => Fact::Number(self.combat_sum().total().into()),
            "attackers" => ids(self.battle, f.attackers),
            "defenders" => ids(self.battle, f.defenders),
            "late" => ids(self.battle, f.late),
            "result" => both(self.result()),
            _ => return Err(Unknown::new(what, "a fact of a close combat", OF_A_FIGHT)),
        })
    }

    fn fact_of_a_side_in_the_fight(self, what: &str, side: Side) -> Told {
        Ok(match what {
            "lead" => {
                self.state.fight.lead[side].map_or("nobody".into(), |p| self.counter(p).id.as_str().into())
            }
            "tactic" => self.state.fight.tactic[side].map_or("none".into(), |t| t.slug().into()),
            "leads" => ids(self.battle, self.leads(side)),
            "open_flank" => self.has_open_flank(side).into(),
            "eligible" => {
                let open = Tactic::ALL.into_iter().filter(|&t| self.may_play(side, t).is_ok());
                Fact::Set(open.map(Tactic::slug).collect())
            }
            _ => return Err(Unknown::new(what, "a fact of a side in a close combat", OF_A_SIDE_IN_A_FIGHT)),
        })
    }

    /// `combat.b-23.0910`: the column of an announced attack on that hex in which the unit takes part.
    fn announced_odds(self, unit: Piece, hex: Hex) -> Fact {
        let here = self.units_in(hex, !self.side(unit));
        let attack = self.state.attacks.iter().find(|a| a.attackers.has(unit) && a.defenders.meets(here));
        attack.map_or("none".into(), |a| {
            let column = self.odds(a.attackers, a.defenders);
            format!("{}{}", column.name(), if column.below { " below" } else { "" }).into()
        })
    }

    /// What a side sees: `seen.crown.a-1m` where a piece is, `seen.crown.tactic` the enemy's tactic.
    fn fact_seen(self, parts: &Parts<'_>) -> Told {
        if parts.words.len() != 3 {
            return Err(Unknown::new(parts.name, "a whole fact; seen.SIDE.WHAT is", [""; 0]));
        }
        let side = parts.side(1)?;
        let seen = self.seen_by(side);
        match parts.words[2] {
            "tactic" => return Ok(seen.fight.tactic[!side].map_or("none".into(), |t| t.slug().into())),
            "stacks" => {
                let there: hexmap::HexSet = self.battle.pieces(!side).filter_map(|p| seen.hex(p)).collect();
                return Ok(hexes(self.battle, there));
            }
            _ => {}
        }
        let piece = parts.piece(2)?;
        if self.unknown(side).has(piece) {
            return Ok("hidden".into());
        }
        Ok(At::new(self.battle, &seen).place_word(piece).into())
    }

    fn place_word(self, piece: Piece) -> String {
        match self.state.at[piece.index()] {
            Spot::TO_COME => "to-come".into(),
            Spot::ELIMINATED => "eliminated".into(),
            Spot::CAPTURED => "captured".into(),
            Spot::GONE => "gone".into(),
            Spot::HIDDEN => "hidden".into(),
            spot => spot.hex().map_or_else(String::new, |hex| self.battle.hex_name(hex)),
        }
    }

    /// `b-23.hex` and the like.
    fn fact_of_a_piece(self, parts: &Parts<'_>) -> Told {
        let Some(piece) = self.battle.find(parts.words[0]) else {
            let known = FORMS.iter().map(|form| form.0).chain(["seen"]);
            let known = known.chain(self.battle.counters.iter().map(|c| c.id.as_str()));
            return Err(Unknown::new(parts.words[0], "a fact, a unit or a leader", known));
        };
        let &[id, what] = parts.words.as_slice() else {
            return Err(Unknown::new(parts.name, format!("a fact of `{}`", parts.words[0]), OF_A_PIECE));
        };
        let counter = self.counter(piece);
        let roles = &self.battle.roles;
        let small = |n: i8| Fact::Number(n.into());
        if OF_A_LEADER.contains(&what) {
            let sheet = counter.leader.ok_or_else(|| Unknown::new(id, "a leader", [""; 0]))?;
            return Ok(match what {
                "seniority" => Fact::Number(sheet.seniority.into()),
                "close_combat" => small(sheet.close_combat),
                _ => small(sheet.leadership),
            });
        }
        let hex = self.hex(piece);
        Ok(match what {
            "hex" | "place" => self.place_word(piece).into(),
            "steps" => Fact::Number(self.steps(piece).into()),
            "strength" => Fact::Number(self.strength(piece).into()),
            "fire" => Fact::Number(self.fire_strength(piece).into()),
            "defence" => Fact::Number(self.combat_strength(Pieces::one(piece), true).into()),
            "base_morale" => small(self.base_morale(piece)),
            "morale" => small(self.modified_morale(piece)),
            "mp" => Fact::Number(counter.allowance.into()),
            "side" => self.battle.armies[counter.side].id.as_str().into(),
            "arm" => counter.arm.name().into(),
            "nation" => counter.nation.clone().unwrap_or_default().into(),
            "reduced" => self.state.reduced.has(piece).into(),
            "order" => match self.state.order(piece) {
                Order::Parade => "parade",
                Order::Disrupted => "disrupted",
                Order::Shattered => "shattered",
            }
            .into(),
            "pinned" => self.state.is_pinned(piece).into(),
            "withdrawn" => self.state.withdrawn.has(piece).into(),
            "first_fire" => self.state.unfired.has(piece).into(),
            "moved" => self.state.moved.has(piece).into(),
            "combat_unit" => self.battle.all_units().has(piece).into(),
            "rifle" => roles.rifles.has(piece).into(),
            "light" => roles.light.has(piece).into(),
            "militia" => roles.militia.has(piece).into(),
            "dragoon" => roles.dragoons.has(piece).into(),
            "indian" => roles.indians.has(piece).into(),
            "jaeger" => roles.jaegers.has(piece).into(),
            "surrounded" => hex.is_some_and(|hex| self.is_surrounded(counter.side, hex, counter.arm)).into(),
            "beside" => ids(self.battle, hex.map_or(Pieces::NONE, |hex| self.beside(!counter.side, hex))),
            _ => {
                let known = OF_A_PIECE.iter().chain(&OF_A_LEADER).copied();
                return Err(Unknown::new(what, format!("a fact of `{id}`"), known));
            }
        })
    }
}

/// A result of the Close Combat Table as printed.
fn both([attacker, defender]: [Hit; 2]) -> Fact {
    if attacker.effect == Effect::Pin {
        "PIN".into()
    } else {
        format!("{}/{}", attacker.words(), defender.words()).into()
    }
}

fn hexes(battle: &Battle, hexes: impl IntoIterator<Item = Hex>) -> Fact {
    Fact::Set(hexes.into_iter().map(|hex| battle.hex_name(hex)).collect())
}

fn ids(battle: &Battle, pieces: Pieces) -> Fact {
    Fact::Set(pieces.map(|p| battle.counter(p).id.clone()).collect())
}

fn halves(n: i32) -> String {
    if n % 2 == 0 { (n / 2).to_string() } else { format!("{}.5", n / 2) }
}

fn cost(battle: &Battle, parts: &Parts<'_>) -> Told {
    let (word, from, to) = (parts.word(1)?, parts.hex(2)?, parts.hex(3)?);
    let arms = [Arm::Infantry, Arm::Cavalry, Arm::Artillery, Arm::Leader];
    let arm = arms.into_iter().find(|arm| arm.name() == word);
    let arm = arm.ok_or_else(|| Unknown::new(word, "an arm", arms.map(Arm::name)))?;
    let direction = battle.ground.grid.direction(from, to);
    let next = || Unknown::new(parts.words[3], format!("next to {}", parts.words[2]), [""; 0]);
    let cost = battle.ground.cost(arm, from, direction.ok_or_else(next)?);
    Ok(cost.map_or("prohibited".into(), |n| Fact::Number(n.into())))
}

/// Every name that [`upcoming`] gives.
pub(crate) const STOPS: [&str; 24] = [
    "turn",
    "initiative",
    "arrivals",
    "movement",
    "end-of-movement",
    "stacking",
    "rally",
    "artillery",
    "rifle",
    "rifle-fire",
    "hits",
    "close-combat",
    "lead",
    "reveal",
    "roll",
    "results",
    "retreat",
    "morale",
    "army-morale",
    "momentum",
    "advance",
    "end-of-combats",
    "captures",
    "end-of-turn",
];

impl State {
    /// What runs next by itself: a phase, also one that is passed over because nothing can be done in it, or a check.
    pub(crate) fn upcoming(&self) -> Option<&'static str> {
        Some(match self.agenda.top()? {
            Step::Turn => "turn",
            Step::Initiative => "initiative",
            Step::Arrivals => "arrivals",
            Step::Moving => "movement",
            Step::EndOfMovement => "end-of-movement",
            Step::Limit => "stacking",
            Step::Rallying => "rally",
            Step::Gunfire => "artillery",
            Step::Volley(_) => "rifle",
            Step::Volleys => "rifle-fire",
            Step::Hits | Step::Struck { .. } => "hits",
            Step::Designating => "close-combat",
            Step::Leading(_) => "lead",
            Step::Reveal => "reveal",
            Step::Roll => "roll",
            Step::Apply => "results",
            Step::Retreating { .. } => "retreat",
            Step::Checks(_) => "morale",
            Step::Settle => "army-morale",
            Step::Gains => "momentum",
            Step::Advancing => "advance",
            Step::EndOfCombats => "end-of-combats",
            Step::EndOfPhase => "captures",
            Step::EndOfTurn => "end-of-turn",
            _ => return None,
        })
    }
}

/// Every kind of decision that the prompt gives.
pub(crate) const KINDS: [&str; 27] = [
    "declare",
    "arrivals",
    "march",
    "overstack",
    "rally",
    "bombard",
    "target",
    "shoot",
    "designate",
    "resolve",
    "lead",
    "withdrawal",
    "withdraw-order",
    "withdraw",
    "tactic",
    "reroll",
    "capture",
    "second-loss",
    "casualty",
    "check",
    "retreat",
    "follow",
    "grape",
    "toll",
    "advance",
    "straggle",
    "none",
];
