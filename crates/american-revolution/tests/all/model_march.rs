//! A second reading of sections 7 to 9, written from the rulebook and not from the engine: where each unit of a random
//! position may march to, found by trying every way.

use std::collections::{BTreeMap, BTreeSet};

use american_revolution::AmericanRevolution;
use game::dice::{Dice, QuickDice};
use game::{Fx, Notation, Rules, Silent};
use suite::model::{self, At, Even, name};

const COLUMNS: i32 = 10;
const ROWS: i32 = 8;

fn around(at: At) -> Vec<At> {
    let on_map = |&(c, r): &At| (1..=COLUMNS).contains(&c) && (1..=ROWS).contains(&r);
    model::around(at, Even::Low).into_iter().filter(on_map).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Arm {
    Infantry,
    Cavalry,
    Artillery,
}

impl Arm {
    fn word(self) -> &'static str {
        match self {
            Arm::Infantry => "infantry",
            Arm::Cavalry => "cavalry",
            Arm::Artillery => "artillery",
        }
    }
}

struct Unit {
    id: String,
    ours: bool,
    arm: Arm,
    strength: i32,
    points: i32,
    at: At,
}

#[derive(Default)]
struct Field {
    terrain: BTreeMap<At, &'static str>,
    creeks: BTreeSet<(At, At)>,
    rivers: BTreeSet<(At, At)>,
    /// From low to high.
    slopes: BTreeSet<(At, At)>,
    /// From outside to inside.
    works: BTreeSet<(At, At)>,
    roads: BTreeSet<(At, At)>,
    units: Vec<Unit>,
}

fn holds(set: &BTreeSet<(At, At)>, a: At, b: At) -> bool {
    set.contains(&(a, b)) || set.contains(&(b, a))
}

impl Field {
    /// 9.4: what it costs to enter a hex from the next; none if it may not.
    fn cost(&self, arm: Arm, from: At, to: At) -> Option<i32> {
        if holds(&self.roads, from, to) {
            return Some(1);
        }
        let guns = arm == Arm::Artillery;
        let hex = match (self.terrain.get(&to).copied(), arm) {
            (Some("light_forest"), Arm::Artillery) => 3,
            (Some("light_forest" | "orchard"), _) => 2,
            (Some("heavy_forest"), Arm::Infantry) => 2,
            (Some("heavy_forest"), Arm::Cavalry) => 3,
            (Some("swamp"), Arm::Infantry) => 3,
            (Some("heavy_forest" | "swamp" | "water"), _) => return None,
            _ => 1,
        };
        if holds(&self.rivers, from, to) || guns && self.works.contains(&(from, to)) {
            return None;
        }
        let up = self.slopes.contains(&(from, to));
        let side = match (up || self.slopes.contains(&(to, from)), holds(&self.creeks, from, to)) {
            (true, true) => 2 + i32::from(up && guns),
            (true, false) => 1,
            (false, true) => 1 + i32::from(guns),
            (false, false) => 0,
        };
        Some(hex + side + i32::from(holds(&self.works, from, to)))
    }

    fn beside_enemy(&self, unit: &Unit, at: At) -> bool {
        self.units.iter().any(|u| u.ours != unit.ours && around(u.at).contains(&at))
    }

    /// 8.1: into woods, houses and works no zone extends.
    fn in_zone(&self, unit: &Unit, at: At) -> bool {
        let closed = ["light_forest", "orchard", "heavy_forest", "building"];
        let hidden = self.terrain.get(&at).is_some_and(|t| closed.contains(t));
        !hidden
            && self.units.iter().any(|u| {
                u.ours != unit.ours && around(u.at).contains(&at) && !self.works.contains(&(u.at, at))
            })
    }

    /// 7.1, 7.2, 9.3: no enemy, and no more than six strength points and one battery.
    fn has_room(&self, unit: &Unit, at: At) -> bool {
        let here: Vec<&Unit> = self.units.iter().filter(|u| u.at == at && u.id != unit.id).collect();
        let (guns, others): (Vec<&Unit>, Vec<&Unit>) = here.iter().partition(|u| u.arm == Arm::Artillery);
        here.iter().all(|u| u.ours == unit.ours)
            && match unit.arm {
                Arm::Artillery => guns.is_empty(),
                _ => others.iter().map(|u| u.strength).sum::<i32>() + unit.strength <= 6,
            }
    }

    fn reach(&self, unit: &Unit) -> BTreeSet<At> {
        let mut left = BTreeMap::from([(unit.at, unit.points)]);
        let mut open = vec![unit.at];
        while let Some(at) = open.pop() {
            if at != unit.at && self.in_zone(unit, at) {
                continue;
            }
            for to in around(at).into_iter().filter(|&to| self.has_room(unit, to)) {
                let Some(cost) = self.cost(unit.arm, at, to) else { continue };
                // 9.2: one hex can always be gone.
                let rest = if at == unit.at { (left[&at] - cost).max(0) } else { left[&at] - cost };
                if rest >= 0 && left.get(&to).is_none_or(|&known| known < rest) {
                    left.insert(to, rest);
                    open.push(to);
                }
            }
        }
        let mut all: BTreeSet<At> = left.into_keys().collect();
        all.extend(self.strategic(unit));
        all.remove(&unit.at);
        all
    }

    /// 9.5: twice as far along roads, never next to an enemy.
    fn strategic(&self, unit: &Unit) -> BTreeSet<At> {
        let mut all = BTreeSet::new();
        if self.beside_enemy(unit, unit.at) {
            return all;
        }
        let mut now = BTreeSet::from([unit.at]);
        for _ in 0..2 * unit.points {
            let next = now.iter().flat_map(|&at| around(at).into_iter().map(move |to| (at, to)));
            let next = next.filter(|&(at, to)| {
                holds(&self.roads, at, to) && !self.beside_enemy(unit, to) && self.has_room(unit, to)
            });
            now = next.map(|(_, to)| to).collect();
            all.extend(now.iter().copied());
        }
        all
    }

    fn random(mind: &mut QuickDice) -> Field {
        let mut field = Field::default();
        let hexes: Vec<At> = (1..=COLUMNS).flat_map(|c| (1..=ROWS).map(move |r| (c, r))).collect();
        for &at in &hexes {
            match mind.below(100) {
                0..12 => _ = field.terrain.insert(at, "light_forest"),
                12..18 => _ = field.terrain.insert(at, "orchard"),
                18..26 => _ = field.terrain.insert(at, "heavy_forest"),
                26..32 => _ = field.terrain.insert(at, "swamp"),
                32..36 => _ = field.terrain.insert(at, "building"),
                36..38 => _ = field.terrain.insert(at, "water"),
                _ => {}
            }
        }
        let dry = |field: &Field, at: At| field.terrain.get(&at).copied() != Some("water");
        for &at in &hexes {
            for to in around(at).into_iter().filter(|&to| to > at) {
                if !dry(&field, at) || !dry(&field, to) {
                    continue;
                }
                let pair = if mind.below(2) == 0 { (at, to) } else { (to, at) };
                match mind.below(100) {
                    0..5 => _ = field.rivers.insert(pair),
                    5..15 => _ = field.creeks.insert(pair),
                    15..38 => _ = field.roads.insert(pair),
                    _ => {}
                }
                match mind.below(100) {
                    0..15 => _ = field.slopes.insert(pair),
                    15..20 => _ = field.works.insert(pair),
                    _ => {}
                }
            }
        }
        let free: Vec<At> = hexes
            .into_iter()
            .filter(|at| !matches!(field.terrain.get(at).copied(), Some("water" | "swamp" | "heavy_forest")))
            .collect();
        while field.units.len() < 10 {
            let number = field.units.len();
            let arm = [Arm::Infantry, Arm::Infantry, Arm::Cavalry, Arm::Artillery][mind.below(4) as usize];
            let at = free[mind.below(free.len() as u32) as usize];
            let (strength, points) = (1 + mind.below(4) as i32, 2 + mind.below(4) as i32);
            let unit =
                Unit { id: format!("unit-{number}"), ours: number % 2 == 0, arm, strength, points, at };
            if field.has_room(&unit, at) {
                field.units.push(unit);
            }
        }
        field
    }

    fn scenario(&self) -> String {
        let of_terrain = |kind: &str| {
            let all = self.terrain.iter().filter(|(_, k)| **k == kind);
            let all: Vec<String> = all.map(|(at, _)| name(*at)).collect();
            format!("{kind} = [\"{}\"]", all.join(" "))
        };
        let kinds = ["light_forest", "orchard", "heavy_forest", "swamp", "building", "water"];
        let used = kinds.iter().filter(|k| self.terrain.values().any(|t| t == *k));
        let terrain: Vec<String> = used.map(|k| of_terrain(k)).collect();
        let list = |set: &BTreeSet<(At, At)>, sign: &str| {
            let all: Vec<String> =
                set.iter().map(|(a, b)| format!("\"{}{sign}{}\"", name(*a), name(*b))).collect();
            all.join(", ")
        };
        let units: String = self
            .units
            .iter()
            .map(|u| {
                format!(
                    "[[unit]]\nid = \"{}\"\nside = \"{}\"\narm = \"{}\"\nstrength = {}\nmorale = 1\nmp = {}\nhex = \"{}\"\n",
                    u.id,
                    if u.ours { "crown" } else { "american" },
                    u.arm.word(),
                    u.strength,
                    u.points,
                    name(u.at)
                )
            })
            .collect();
        format!(
            "system = \"american-revolution\"\ntitle = \"Model\"\nturns = 6\n\
             [[side]]\nid = \"crown\"\nname = \"Crown\"\nhome = \"south\"\n\
             [[side]]\nid = \"american\"\nname = \"American\"\nhome = \"north\"\n{units}\n\
             [map]\ncols = {COLUMNS}\nrows = {ROWS}\nterrain = {{ {} }}\ncreeks = [{}]\nrivers = [{}]\nslopes = [{}]\nworks = [{}]\nroads = [{}]\n",
            terrain.join(", "),
            list(&self.creeks, "/"),
            list(&self.rivers, "/"),
            list(&self.slopes, ">"),
            list(&self.works, ">"),
            list(&self.roads, " "),
        )
    }
}

#[test]
fn marches_are_those_of_the_book() {
    let mut mind = QuickDice::new(1777);
    let mut compared = 0;
    for position in 0..1_000 {
        let field = Field::random(&mut mind);
        let text = field.scenario();
        let source = "[position]\nphase = \"movement\"\nphasing = \"crown\"\n";
        let (battle, mut state) = model::build::<AmericanRevolution>(&text, source);
        AmericanRevolution::settle(&battle, &mut state, &mut Fx { dice: QuickDice::new(1), log: Silent });
        let mut offers = Vec::new();
        AmericanRevolution::offers(&battle, &state, &mut offers);
        let offered: BTreeSet<String> = offers
            .iter()
            .map(|offer| AmericanRevolution::write(&battle, offer))
            .filter(|order| order.starts_with("march "))
            .filter_map(|order| suite::but_for_the_way(&order))
            .collect();
        let modelled: BTreeSet<String> = field
            .units
            .iter()
            .filter(|u| u.ours)
            .flat_map(|u| field.reach(u).into_iter().map(move |to| format!("march {} {}", u.id, name(to))))
            .collect();
        let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect::<Vec<_>>();
        assert!(
            offered == modelled,
            "position {position}: offered alone {:?}, in the model alone {:?}, offered in all {:?}\n{text}",
            only(&offered, &modelled),
            only(&modelled, &offered),
            offers.iter().map(|offer| AmericanRevolution::write(&battle, offer)).collect::<Vec<_>>()
        );
        compared += offered.len();
    }
    assert!(compared > 30_000, "{compared} marches only");
}
