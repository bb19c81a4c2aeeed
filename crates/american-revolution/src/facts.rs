//! Facts by name, stops and kinds of decisions, for situations.

use game::Side;
use game::situation::{Fact, Unknown};
use hexmap::Hex;

use crate::rules::army_morale;
use crate::rules::artillery_fire;
use crate::rules::charts::COLUMNS;
use crate::rules::close_combat;
use crate::rules::designation;
use crate::rules::how_to_win;
use crate::rules::intelligence::seen_by;
use crate::rules::leaders;
use crate::rules::pins;
use crate::rules::rally;
use crate::rules::results::{Effect, Hit};
use crate::rules::retreat;
use crate::rules::sequence::{self, Step};
use crate::rules::tactics::{self, Tactic};
use crate::rules::zones;
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

/// The fact of that name.
pub(crate) fn fact(battle: &Battle, state: &State, name: &str) -> Told {
    let parts = Parts { battle, name, words: name.split('.').collect() };
    let first = parts.words[0];
    if first == "seen" {
        return seen(battle, state, &parts);
    }
    let form = FORMS.iter().find(|form| form.0 == first);
    let whole = form.is_some_and(|form| form.1.iter().any(|f| f.split('.').count() == parts.words.len()));
    // A unit may be called `first` or `turn`.
    if !whole && (form.is_none() || battle.find(first).is_some()) {
        return of_a_piece(battle, state, &parts);
    }
    if !whole {
        return Err(parts.shape());
    }
    let number = |n: i64| Ok(Fact::Number(n));
    match first {
        "hex_yards" => number(battle.hex_yards.into()),
        "turn" => number(state.turn.into()),
        "phase" => Ok(sequence::phase_name(state.phase).to_lowercase().into()),
        "phasing" => Ok(battle.armies[state.phasing].id.as_str().into()),
        "first" => Ok(battle.armies[state.first].id.as_str().into()),
        "ending" => Ok(ending(battle, state).into()),
        "pool" => number(state.pool(battle).into()),
        "pins" => number(state.pins.len() as i64),
        "mended" => number(state.mended.count_ones().into()),
        "obliged" => Ok(ids(battle, designation::unmet(battle, state).0)),
        "required" => Ok(hexes(battle, designation::unmet(battle, state).1)),
        "morale" => number(state.morale[parts.side(1)?].into()),
        "level" => Ok(army_morale::level(battle, state, parts.side(1)?).name().into()),
        "initiative_drm" => number(army_morale::initiative_drm(battle, state, parts.side(1)?).into()),
        "chits" => number(state.chits[parts.side(1)?].into()),
        "lost" => number(state.lost[parts.side(1)?].into()),
        "vp" => Ok(halves(how_to_win::half_points(battle, state)[parts.side(1)?]).into()),
        "score" => number((how_to_win::half_points(battle, state)[parts.side(1)?] / 2).into()),
        "held" => holder(battle, state, &parts),
        "stack" => Ok(ids(battle, state.in_hex(parts.hex(2)?) & battle.pieces(parts.side(1)?))),
        "zone" if parts.words.len() == 2 => Ok(hexes(battle, zones::zone(battle, state, parts.side(1)?))),
        "zone" => Ok(zones::in_zone(battle, state, parts.side(1)?, parts.hex(2)?).into()),
        "commander" => {
            let leader = leaders::in_command(battle, state, parts.side(1)?, parts.hex(2)?);
            Ok(leader.map_or("nobody".into(), |l| battle.counter(l).id.as_str().into()))
        }
        "fight" if parts.words.len() == 2 => fight(battle, state, parts.words[1]),
        "fight" => fight_of(battle, state, parts.words[1], parts.side(2)?),
        "combat" => Ok(combat(battle, state, parts.piece(1)?, parts.hex(2)?)),
        "retreat" => {
            let (unit, hexes_back) = (parts.piece(1)?, parts.number(2, 1, 3)?);
            let ways = retreat::routes(battle, state, unit, hexes_back as u8, false);
            let start = state.hex(unit);
            Ok(hexes(battle, ways.iter().filter_map(|w| w.end(&battle.ground, start?))))
        }
        _ => of_the_charts(battle, state, &parts),
    }
}

/// Ground and charts.
fn of_the_charts(battle: &Battle, state: &State, parts: &Parts<'_>) -> Told {
    let number = |n: i8| Ok(Fact::Number(n.into()));
    match parts.words[0] {
        "sight" => {
            let occupied = artillery_fire::occupied(battle, state);
            let sight = battle.ground.sight(&battle.charts, parts.hex(1)?, parts.hex(2)?, &occupied);
            Ok(match sight {
                Sight::Clear => "clear",
                Sight::Terrain => "terrain",
                Sight::Slope => "slope",
                Sight::Unit => "unit",
            }
            .into())
        }
        "up_slope" => Ok(battle.ground.up_slope(parts.hex(1)?, parts.hex(2)?).into()),
        "terrain" => Ok(battle.ground.terrain[parts.hex(1)?.index()].name().into()),
        "cost" => cost(battle, parts),
        "odds" => {
            let column = battle.charts.column(parts.number(1, 0, 99)? as u16, parts.number(2, 1, 99)? as u16);
            Ok(format!("{}{}", column.name(), if column.below { " below" } else { "" }).into())
        }
        "table" => {
            let word = parts.word(1)?;
            let column = COLUMNS.iter().position(|c| *c == word);
            let column = column.ok_or_else(|| Unknown::new(word, "a column of the table", COLUMNS))?;
            Ok(both(battle.charts.row(parts.number(2, -99, 99)? as i8)[column]))
        }
        "matrix" => {
            let cell = battle.charts.tactics(parts.tactic(1)?, parts.tactic(2)?);
            Ok(cell.map_or(Fact::from("NC"), |n| Fact::Number(n.into())))
        }
        "to_hit" => number(battle.charts.to_hit(parts.number(1, 1, 99)? as u8, parts.number(2, 1, 6)? as u8)),
        "rifle_damage" => Ok(battle.charts.rifle_damage[parts.number(1, 0, 9)? as usize].words().into()),
        _ => Ok(battle.charts.artillery_damage[parts.number(1, 0, 9)? as usize].words().into()),
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

fn ending(battle: &Battle, state: &State) -> String {
    match state.ending {
        None => "none".into(),
        Some(e) => match e.winner {
            Some(side) => format!("{:?} {}", e.level, battle.armies[side].id).to_lowercase(),
            None => "draw".into(),
        },
    }
}

fn holder(battle: &Battle, state: &State, parts: &Parts<'_>) -> Told {
    let hex = parts.hex(1)?;
    let known = battle.objectives.iter().map(|o| battle.hex_name(o.hex));
    let i = battle
        .objectives
        .iter()
        .position(|o| o.hex == hex)
        .ok_or_else(|| Unknown::new(parts.words[1], "the hex of an objective", known))?;
    let side = Side::BOTH.into_iter().find(|&s| state.held[s] >> i & 1 == 1);
    Ok(side.map_or("nobody".into(), |s| battle.armies[s].id.as_str().into()))
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

fn fight(battle: &Battle, state: &State, what: &str) -> Told {
    let f = &state.fight;
    Ok(match what {
        "open" => f.is_open().into(),
        "column" => close_combat::odds(battle, state, f.attackers, f.defenders).name().into(),
        "attack" => Fact::Number(close_combat::strength(battle, state, f.attackers, false).into()),
        "defence" => Fact::Number(close_combat::strength(battle, state, f.defenders, true).into()),
        "roll" => Fact::Number(f.roll.into()),
        "drm" => Fact::Number(close_combat::total_drm(battle, state).into()),
        "attackers" => ids(battle, f.attackers),
        "defenders" => ids(battle, f.defenders),
        "late" => ids(battle, f.late),
        "result" => both(close_combat::result(battle, state)),
        _ => return Err(Unknown::new(what, "a fact of a close combat", OF_A_FIGHT)),
    })
}

fn fight_of(battle: &Battle, state: &State, what: &str, side: Side) -> Told {
    Ok(match what {
        "lead" => state.fight.lead[side].map_or("nobody".into(), |p| battle.counter(p).id.as_str().into()),
        "tactic" => state.fight.tactic[side].map_or("none".into(), |t| t.slug().into()),
        "leads" => ids(battle, close_combat::leads(battle, state, side)),
        "open_flank" => tactics::has_open_flank(battle, state, side).into(),
        "eligible" => {
            let open = Tactic::ALL.into_iter().filter(|&t| tactics::may_play(battle, state, side, t).is_ok());
            Fact::Set(open.map(Tactic::slug).collect())
        }
        _ => return Err(Unknown::new(what, "a fact of a side in a close combat", OF_A_SIDE_IN_A_FIGHT)),
    })
}

/// `combat.b-23.0910`: the column of an announced attack on that hex in which the unit takes part.
fn combat(battle: &Battle, state: &State, unit: Piece, hex: Hex) -> Fact {
    let here = state.units_in(battle, hex, !battle.side(unit));
    let attack = state.attacks.iter().find(|a| a.attackers.has(unit) && a.defenders.meets(here));
    attack.map_or("none".into(), |a| {
        let column = close_combat::odds(battle, state, a.attackers, a.defenders);
        format!("{}{}", column.name(), if column.below { " below" } else { "" }).into()
    })
}

/// What a side sees: `seen.crown.a-1m` where a piece is, `seen.crown.tactic` the enemy's tactic.
fn seen(battle: &Battle, state: &State, parts: &Parts<'_>) -> Told {
    if parts.words.len() != 3 {
        return Err(Unknown::new(parts.name, "a whole fact; seen.SIDE.WHAT is", [""; 0]));
    }
    let side = parts.side(1)?;
    let seen = seen_by(battle, state, side);
    match parts.words[2] {
        "tactic" => return Ok(seen.fight.tactic[!side].map_or("none".into(), |t| t.slug().into())),
        "stacks" => {
            let there: hexmap::HexSet = battle.pieces(!side).filter_map(|p| seen.hex(p)).collect();
            return Ok(hexes(battle, there));
        }
        _ => {}
    }
    let piece = parts.piece(2)?;
    if crate::rules::stacking::unknown(battle, state, side).has(piece) {
        return Ok("hidden".into());
    }
    Ok(place(battle, &seen, piece).into())
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

/// `b-23.hex` and the like.
fn of_a_piece(battle: &Battle, state: &State, parts: &Parts<'_>) -> Told {
    let Some(piece) = battle.find(parts.words[0]) else {
        let known = FORMS.iter().map(|form| form.0).chain(["seen"]);
        let known = known.chain(battle.counters.iter().map(|c| c.id.as_str()));
        return Err(Unknown::new(parts.words[0], "a fact, a unit or a leader", known));
    };
    let &[id, what] = parts.words.as_slice() else {
        return Err(Unknown::new(parts.name, format!("a fact of `{}`", parts.words[0]), OF_A_PIECE));
    };
    let counter = battle.counter(piece);
    let roles = &battle.roles;
    let small = |n: i8| Fact::Number(n.into());
    if OF_A_LEADER.contains(&what) {
        let sheet = counter.leader.ok_or_else(|| Unknown::new(id, "a leader", [""; 0]))?;
        return Ok(match what {
            "seniority" => Fact::Number(sheet.seniority.into()),
            "close_combat" => small(sheet.close_combat),
            _ => small(sheet.leadership),
        });
    }
    let hex = state.hex(piece);
    Ok(match what {
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
        "surrounded" => {
            hex.is_some_and(|hex| zones::is_surrounded(battle, state, counter.side, hex, counter.arm)).into()
        }
        "beside" => {
            ids(battle, hex.map_or(Pieces::NONE, |hex| zones::beside(battle, state, !counter.side, hex)))
        }
        _ => {
            let known = OF_A_PIECE.iter().chain(&OF_A_LEADER).copied();
            return Err(Unknown::new(what, format!("a fact of `{id}`"), known));
        }
    })
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

/// What runs next by itself: a phase, also one that is passed over because nothing can be done in it, or a check.
pub(crate) fn upcoming(state: &State) -> Option<&'static str> {
    Some(match state.agenda.top()? {
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
