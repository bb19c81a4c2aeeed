//! A second reading of section 9 up to the morale check, written from the rulebook and the player aid and not from the
//! engine: who may fire at whom in a random position, what a combined fire comes to, and what its dice do.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use brigade_battles::BrigadeBattles;
use game::dice::{Dice, Need, QuickDice};
use game::log::{Chronicle, Roll};
use game::situation::Fact;
use game::{Facts, Fx, Notation, Rules, Silent};
use suite::model::{self, At, Even, may, name, rolls};

const COLUMNS: i32 = 9;
const ROWS: i32 = 9;

fn on_map((c, r): At) -> bool {
    (1..=COLUMNS).contains(&c) && (1..=ROWS).contains(&r)
}

fn around(at: At) -> [At; 6] {
    model::around(at, Even::High)
}

/// The middle of a hex, a hex being 1 from flat to flat.
fn middle((c, r): At) -> (f64, f64) {
    let lift = if c % 2 == 0 { 0.5 } else { 0.0 };
    (f64::from(c) * 3.0_f64.sqrt() / 2.0, f64::from(r) - lift)
}

fn hex_of((x, y): (f64, f64)) -> At {
    let guess = ((x * 2.0 / 3.0_f64.sqrt()).round() as i32, y.round() as i32);
    let near = (-1..=1).flat_map(|c| (-1..=1).map(move |r| (guess.0 + c, guess.1 + r)));
    let away = |at: &At| {
        let (a, b) = middle(*at);
        (a - x).hypot(b - y)
    };
    near.min_by(|a, b| away(a).total_cmp(&away(b))).expect("a hex")
}

/// What lies between two hexes, by the two.
type Lines = BTreeMap<(At, At), Vec<(At, At)>>;

thread_local! {
    /// Lines that have been traced.
    static TRACED: RefCell<Lines> = RefCell::default();
}

/// What a line between two middles leads through: hexes, and pairs of hexes between which it runs along the side.
fn between(from: At, to: At) -> Vec<(At, At)> {
    TRACED.with_borrow_mut(|traced| traced.entry((from, to)).or_insert_with(|| trace(from, to)).clone())
}

fn trace(from: At, to: At) -> Vec<(At, At)> {
    let ((x0, y0), (x1, y1)) = (middle(from), middle(to));
    let length = (x1 - x0).hypot(y1 - y0);
    let (dx, dy) = ((y1 - y0) / length * 1e-5, (x0 - x1) / length * 1e-5);
    let mut seen: BTreeMap<(At, At), u32> = BTreeMap::new();
    for i in 1..1_600 {
        let t = f64::from(i) / 1_600.0;
        let (x, y) = (x0 + (x1 - x0) * t, y0 + (y1 - y0) * t);
        let pair = (hex_of((x + dx, y + dy)), hex_of((x - dx, y - dy)));
        *seen.entry((pair.0.min(pair.1), pair.0.max(pair.1))).or_default() += 1;
    }
    // Passing a corner is no more than a moment.
    let lasting = seen.into_iter().filter(|(_, n)| *n > 3).map(|(pair, _)| pair);
    lasting.filter(|(a, b)| ![from, to].contains(a) && ![from, to].contains(b)).collect()
}

/// Steps from hex to hex: sideways half a row is free with every column.
fn distance(from: At, to: At) -> i32 {
    let (y0, y1) = (middle(from).1, middle(to).1);
    let columns = (to.0 - from.0).abs();
    let rows = ((y1 - y0).abs() - f64::from(columns) / 2.0).max(0.0).round() as i32;
    columns + rows
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Infantry,
    Mounted,
    Dismounted,
    Limbered,
    Unlimbered,
}

struct Unit {
    id: String,
    ours: bool,
    kind: Kind,
    sp: i32,
    /// The number of its colour.
    morale: i32,
    routed: bool,
    led: bool,
    at: At,
}

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Artillery,
    Defensive,
    Offensive,
}

struct Field {
    terrain: BTreeMap<At, &'static str>,
    levels: BTreeMap<At, i32>,
    walls: BTreeSet<(At, At)>,
    works: BTreeSet<At>,
    units: Vec<Unit>,
    phase: Phase,
}

impl Field {
    fn level(&self, at: At) -> i32 {
        self.levels.get(&at).copied().unwrap_or(0)
    }

    /// 9.4: the ground of a hex between two others.
    fn hides(&self, hex: At, from: At, to: At) -> bool {
        if !on_map(hex) {
            return false;
        }
        let (high, equal) = (self.level(from).max(self.level(to)), self.level(from) == self.level(to));
        matches!(self.terrain.get(&hex), Some(&("woods" | "town")))
            || self.level(hex) > high
            || self.level(hex) == high && !equal
    }

    fn sees(&self, from: &Unit, to: At) -> bool {
        between(from.at, to).into_iter().all(|(a, b)| {
            if a != b {
                return !(self.hides(a, from.at, to) && self.hides(b, from.at, to));
            }
            let friend = self.units.iter().any(|u| u.ours == from.ours && u.at == a);
            !(self.hides(a, from.at, to) || friend && around(a).contains(&to))
        })
    }

    /// What a unit puts into a fire at a hex: none if it may not fire there.
    fn strength(&self, unit: &Unit, at: At) -> Option<i32> {
        let range = distance(unit.at, at);
        let may = match unit.kind {
            Kind::Infantry | Kind::Dismounted => self.phase != Phase::Artillery,
            Kind::Unlimbered => self.phase != Phase::Offensive,
            Kind::Mounted | Kind::Limbered => false,
        };
        if !may || unit.routed || range > 1 && !self.sees(unit, at) {
            return None;
        }
        match (unit.kind, range) {
            (Kind::Unlimbered, 1) => Some(unit.sp * 2),
            (Kind::Unlimbered, 2..=4) => Some(unit.sp),
            (Kind::Unlimbered, 5..=8) => Some((unit.sp / 2).max(1)),
            (Kind::Infantry | Kind::Dismounted, 1) => Some(unit.sp),
            _ => None,
        }
    }

    /// 9.5: what is added to the die for the ground, the one that helps the target most.
    fn cover(&self, target: &Unit, firers: &[&Unit]) -> i32 {
        let hex = match self.terrain.get(&target.at).copied() {
            Some("sunken") => -3,
            Some("town") => -2,
            Some("woods" | "rough") => -1,
            _ => 0,
        };
        let work = if self.works.contains(&target.at) { -2 } else { 0 };
        let across =
            |u: &&Unit| self.walls.contains(&(u.at, target.at)) || self.walls.contains(&(target.at, u.at));
        let wall = if firers.iter().all(across) { -1 } else { 0 };
        hex.min(work).min(wall)
    }

    /// 9.7: the highest face with which a unit passes; a natural ten never does.
    fn passes_at(&self, unit: &Unit) -> i32 {
        let ground =
            matches!(self.terrain.get(&unit.at), Some(&("town" | "sunken"))) || self.works.contains(&unit.at);
        (unit.morale + i32::from(unit.led) + i32::from(ground)).min(9)
    }

    fn random(mind: &mut QuickDice) -> Field {
        let mut field = Field {
            terrain: BTreeMap::new(),
            levels: BTreeMap::new(),
            walls: BTreeSet::new(),
            works: BTreeSet::new(),
            units: Vec::new(),
            phase: [Phase::Artillery, Phase::Defensive, Phase::Offensive][mind.below(3) as usize],
        };
        let hexes: Vec<At> = (1..=COLUMNS).flat_map(|c| (1..=ROWS).map(move |r| (c, r))).collect();
        for &at in &hexes {
            match mind.below(100) {
                0..12 => _ = field.terrain.insert(at, "woods"),
                12..18 => _ = field.terrain.insert(at, "rough"),
                18..23 => _ = field.terrain.insert(at, "town"),
                23..30 => _ = field.terrain.insert(at, "sunken"),
                30..35 => _ = field.terrain.insert(at, "field"),
                _ => {}
            }
            match mind.below(10) {
                0..2 => _ = field.levels.insert(at, 1),
                2 => _ = field.levels.insert(at, 2),
                _ => {}
            }
            for to in around(at).into_iter().filter(|&to| to > at && on_map(to)) {
                if mind.below(4) == 0 {
                    field.walls.insert((at, to));
                }
            }
        }
        // Everybody near the middle, so that fires combine.
        let mut free: Vec<At> = hexes.into_iter().filter(|&at| distance(at, (5, 5)) <= 3).collect();
        for number in 0..18 {
            let at = free.swap_remove(mind.below(free.len() as u32) as usize);
            let kind = match mind.below(10) {
                0..4 => Kind::Infantry,
                4 => Kind::Mounted,
                5 => Kind::Dismounted,
                6 => Kind::Limbered,
                _ => Kind::Unlimbered,
            };
            let unit = Unit {
                id: format!("unit-{number}"),
                ours: number % 4 != 0,
                kind,
                sp: 2 + mind.below(14) as i32,
                morale: [5, 7, 9][mind.below(3) as usize],
                routed: kind != Kind::Unlimbered && mind.below(8) == 0,
                led: number % 4 == 0 && mind.below(3) == 0,
                at,
            };
            if matches!(kind, Kind::Infantry | Kind::Dismounted) && mind.below(4) == 0 {
                field.works.insert(at);
            }
            field.units.push(unit);
        }
        field
    }

    fn scenario(&self) -> String {
        let list = |all: Vec<String>| all.iter().map(|a| format!("\"{a}\"")).collect::<Vec<_>>().join(", ");
        let of_terrain = |kind: &str| {
            let all = self.terrain.iter().filter(|(_, k)| **k == kind).map(|(at, _)| name(*at)).collect();
            format!("{kind} = [{}]", list(all))
        };
        let of_level = |level: i32| {
            let all = self.levels.iter().filter(|(_, l)| **l == level).map(|(at, _)| name(*at)).collect();
            format!("\"{level}\" = [{}]", list(all))
        };
        let units: String = self.units.iter().map(Unit::written).collect();
        let led = self.units.iter().filter(|u| u.led);
        let leaders: String = led
            .map(|u| {
                let at = name(u.at);
                format!(
                    "[[leader]]\nid = \"of-{}\"\nside = \"csa\"\nrank = \"division\"\nat = \"{at}\"\n",
                    u.id
                )
            })
            .collect();
        let walls = self.walls.iter().map(|(a, b)| format!("{}/{}", name(*a), name(*b))).collect();
        format!(
            "system = \"brigade-battles\"\ntitle = \"Model\"\nfirst = \"usa\"\nretreat = {{ usa = [\"0101\"], csa = [\"0909\"] }}\n\
             {units}{leaders}[map]\ncols = {COLUMNS}\nrows = {ROWS}\nterrain = {{ {} }}\nlevels = {{ {}, {} }}\n[map.sides]\nwall = [{}]\n",
            ["woods", "rough", "town", "sunken", "field"].map(of_terrain).join(", "),
            of_level(1),
            of_level(2),
            list(walls)
        )
    }

    /// The Union fires: in its own half-turn, or defensively in the enemy's.
    fn position(&self) -> String {
        let (active, phase) = match self.phase {
            Phase::Artillery => ("usa", "artillery"),
            Phase::Defensive => ("csa", "defensive"),
            Phase::Offensive => ("usa", "offensive"),
        };
        let works: Vec<String> = self.works.iter().map(|at| format!("\"{}\"", name(*at))).collect();
        let routed: String = self
            .units
            .iter()
            .filter(|u| u.routed)
            .map(|u| format!("unit.{} = {{ routed = true }}\n", u.id))
            .collect();
        format!(
            "[position]\nactive = \"{active}\"\nphase = \"{phase}\"\ntide = {{ usa = false, csa = false }}\nworks = [{}]\n{routed}",
            works.join(", ")
        )
    }
}

impl Unit {
    fn written(&self) -> String {
        let kind = match self.kind {
            Kind::Infantry => "type = \"infantry\"",
            Kind::Mounted => "type = \"cavalry\"",
            Kind::Dismounted => "type = \"cavalry\"\ndismounted = true",
            Kind::Limbered => "type = \"artillery\"\nlimbered = true",
            Kind::Unlimbered => "type = \"artillery\"",
        };
        let division = if self.led { format!("division = \"of-{}\"\n", self.id) } else { String::new() };
        let (side, colour) = (
            if self.ours { "usa" } else { "csa" },
            match self.morale {
                5 => "green",
                7 => "black",
                _ => "gold",
            },
        );
        format!(
            "[[unit]]\nid = \"{}\"\nside = \"{side}\"\n{kind}\nsp = {}\nmorale = \"{colour}\"\nindependent = true\n{division}at = \"{}\"\n",
            self.id,
            self.sp,
            name(self.at)
        )
    }
}

/// A cell of the Combat Chart: losses, and whether the target goes back; none for a dash.
fn chart(total: i32, shift: i32, die: i32) -> Option<(i32, bool)> {
    let column = ((total + 3) / 4 + shift).clamp(1, 10);
    match die.clamp(0, 10) + column {
        ..=6 => None,
        7..=10 => Some((0, false)),
        11..=12 => Some((1, false)),
        13..=14 => Some((2, false)),
        15 => Some((2, true)),
        16..=17 => Some((3, true)),
        18..=19 => Some((4, true)),
        _ => Some((5, true)),
    }
}

type State = <BrigadeBattles as Rules>::State;
type Battle = <BrigadeBattles as Rules>::Battle;

/// Answers, and runs on until the result of the fire has been applied or somebody must decide.
fn act(battle: &Battle, state: &mut State, order: &str, fx: &mut Fx<QuickDice, Chronicle>) {
    let action = BrigadeBattles::read(battle, state, order).expect("it reads");
    BrigadeBattles::check(battle, state, &action).expect("it is legal");
    BrigadeBattles::answer(battle, state, &action, fx);
    let rolled = |fx: &Fx<QuickDice, Chronicle>| fx.log.entries.iter().any(|e| e.roll.is_some());
    let applied = |state: &State| !matches!(BrigadeBattles::upcoming(battle, state), Some("fire" | "result"));
    while !(rolled(fx) && applied(state)) && BrigadeBattles::step(battle, state, fx) {}
}

fn sum(roll: &Roll, rule: &str) -> i32 {
    roll.modifiers.iter().filter(|m| m.rule.id() == rule).map(|m| i32::from(m.value)).sum()
}

#[test]
fn fires_are_those_of_the_book() {
    let mut mind = QuickDice::new(1863);
    let (mut fires, mut checks, mut flanks, mut combined) = (0, 0, 0, 0);
    for number in 0..1_500 {
        let field = Field::random(&mut mind);
        let (text, source) = (field.scenario(), field.position());
        let (battle, mut state) = model::build::<BrigadeBattles>(&text, &source);
        BrigadeBattles::settle(&battle, &mut state, &mut Fx { dice: QuickDice::new(1), log: Silent });
        let (ours, theirs): (Vec<&Unit>, Vec<&Unit>) = field.units.iter().partition(|u| u.ours);
        let mut able: BTreeMap<usize, Vec<&Unit>> = BTreeMap::new();
        for (i, target) in theirs.iter().enumerate() {
            for unit in &ours {
                let lawful = field.strength(unit, target.at).is_some();
                let order = format!("fire {} at {}", unit.id, target.id);
                assert_eq!(
                    may::<BrigadeBattles>(&battle, &state, &order),
                    lawful,
                    "position {number}: {order}\n{text}{source}"
                );
                if lawful {
                    able.entry(i).or_default().push(unit);
                }
            }
        }
        let Some((&i, able)) = able.iter().nth(mind.below(able.len().max(1) as u32) as usize) else {
            continue;
        };
        let target = theirs[i];
        let keep = mind.below(100);
        let mut firers: Vec<&Unit> = able.iter().copied().filter(|_| mind.below(100) >= keep).collect();
        if firers.is_empty() {
            firers.push(able[0]);
        }
        // The charts do not say by which side of the hex distant guns fire.
        let near = |u: &&Unit| around(u.at).contains(&target.at);
        if firers.len() > 1 && firers.iter().any(near) && !firers.iter().all(near) {
            firers.retain(|u| !field.walls.iter().any(|(a, b)| [*a, *b].contains(&target.at)) || near(u));
        } else if !firers.iter().all(near) && field.walls.iter().any(|(a, b)| [*a, *b].contains(&target.at)) {
            continue;
        }

        let mut fx = Fx { dice: QuickDice::new(number), log: Chronicle::default() };
        let before = state.clone();
        act(&battle, &mut state, &format!("fire {} at {}", firers[0].id, target.id), &mut fx);
        for unit in &firers[1..] {
            act(&battle, &mut state, &format!("join {}", unit.id), &mut fx);
        }
        if rolls(&fx.log).is_empty() {
            act(&battle, &mut state, "open", &mut fx);
        }
        let told = |state: &State, what: &str| {
            BrigadeBattles::fact(&battle, state, &format!("{}.{what}", target.id)).expect("a fact")
        };
        let context = || {
            let by: Vec<&str> = firers.iter().map(|u| u.id.as_str()).collect();
            format!("position {number}: {by:?} at {}\n{text}{source}\n{:#?}", target.id, rolls(&fx.log))
        };
        let dice = rolls(&fx.log);
        let flank = firers.iter().filter(|u| near(u)).count() >= 3;
        let cover = field.cover(target, &firers);
        assert_eq!(dice[0].rule.id(), "9.5.d", "{}", context());
        assert_eq!(
            (sum(dice[0], "9.5.d"), sum(dice[0], "9.5.g")),
            (cover, i32::from(flank)),
            "{}",
            context()
        );
        let face = i32::from(dice[0].faces[0]);
        let die = face + cover + i32::from(flank);
        let total = firers.iter().filter_map(|u| field.strength(u, target.at)).sum();
        let result = chart(total, i32::from(target.kind == Kind::Limbered), die);
        let loss = result.map_or(0, |(loss, _)| loss).min(target.sp);
        let left = target.sp - loss;
        assert_eq!(told(&state, "sp"), Fact::Number(left.into()), "{}", context());
        fires += 1;
        flanks += usize::from(flank);
        combined += usize::from(firers.len() > 1);
        let next = BrigadeBattles::upcoming(&battle, &state);
        let starred = target.led && (die >= 10 || face == 10);
        if left == 0 || starred || next.is_none() {
            // Gone, or leaders come first.
            continue;
        }
        let expected = match result {
            None => None,
            Some(_) if target.routed => Some("rout"),
            Some((_, false)) => Some("morale"),
            Some((_, true)) if target.kind == Kind::Unlimbered => Some("limber"),
            Some((_, true)) => Some("retreat"),
        };
        let step = next.filter(|next| ["rout", "morale", "limber", "retreat"].contains(next));
        assert_eq!(step, expected, "{}", context());
        if expected == Some("morale") {
            while rolls(&fx.log).len() < 2 && BrigadeBattles::step(&battle, &mut state, &mut fx) {}
            let dice = rolls(&fx.log);
            let need = field.passes_at(target);
            assert_eq!(dice[1].rule.id(), "9.7.b", "{dice:#?}");
            assert_eq!(
                dice[1].need,
                Some(Need::AtMost(need as i16)),
                "position {number}\n{text}{source}\n{dice:#?}"
            );
            assert_eq!(dice[1].result == 1, i32::from(dice[1].faces[0]) <= need);
            checks += 1;
        }
        assert_ne!(before, state);
    }
    assert!(
        fires >= 1_000 && checks > 400 && flanks > 20 && combined > 100,
        "{fires} fires, {checks} checks, {flanks} flanks, {combined} combined"
    );
}
