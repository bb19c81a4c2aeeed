//! A second reading of section 8, with the zones of section 1.1.2, written from the rulebook and not from the engine: where
//! each unit of a random position may march to, found by trying every way.

use std::collections::{BTreeMap, BTreeSet};

use brigade_battles::BrigadeBattles;
use game::dice::{Dice, QuickDice};
use game::{Fx, Notation, Rules, Silent};
use suite::model::{self, At, Even, name};

const COLUMNS: i32 = 14;
const ROWS: i32 = 9;

fn around(at: At) -> Vec<At> {
    let on_map = |&(c, r): &At| (1..=COLUMNS).contains(&c) && (1..=ROWS).contains(&r);
    model::around(at, Even::High).into_iter().filter(on_map).collect()
}

/// The hexes no farther than four hexes from one of these.
fn within_four(of: impl Iterator<Item = At>) -> BTreeSet<At> {
    let mut near: BTreeSet<At> = of.collect();
    for _ in 0..4 {
        near = near.iter().flat_map(|&at| around(at)).chain(near.iter().copied()).collect();
    }
    near
}

#[derive(Clone, Copy, PartialEq)]
enum Arm {
    Infantry,
    /// In the saddle.
    Cavalry,
    /// Limbered.
    Artillery,
}

struct Unit {
    id: String,
    ours: bool,
    arm: Arm,
    at: At,
}

#[derive(Default)]
struct Field {
    terrain: BTreeMap<At, &'static str>,
    levels: BTreeMap<At, i32>,
    sides: BTreeMap<&'static str, BTreeSet<(At, At)>>,
    roads: BTreeSet<(At, At)>,
    units: Vec<Unit>,
}

fn holds(set: &BTreeSet<(At, At)>, a: At, b: At) -> bool {
    set.contains(&(a, b)) || set.contains(&(b, a))
}

impl Field {
    fn has(&self, what: &str, a: At, b: At) -> bool {
        self.sides.get(what).is_some_and(|s| holds(s, a, b))
    }

    fn level(&self, at: At) -> i32 {
        self.levels.get(&at).copied().unwrap_or(0)
    }

    fn closed(&self, from: At, to: At) -> bool {
        self.has("river", from, to) || self.has("cliff", from, to)
    }

    /// The zones of the enemy that cover a hex, by the number of the unit.
    fn zones(&self, ours: bool, at: At) -> BTreeSet<usize> {
        let covers = |u: &Unit| u.ours != ours && around(u.at).contains(&at) && !self.closed(u.at, at);
        (0..self.units.len()).filter(|&i| covers(&self.units[i])).collect()
    }

    fn beside_enemy(&self, ours: bool, at: At) -> bool {
        self.units.iter().any(|u| u.ours != ours && around(u.at).contains(&at))
    }

    /// What it costs to enter a hex from the next, in half points.
    fn cost(&self, arm: Arm, from: At, to: At, far: bool) -> Option<i32> {
        if self.closed(from, to) {
            return None;
        }
        let terrain = self.terrain.get(&to).copied();
        let hex = match terrain {
            Some("woods" | "rough") => 4,
            Some("marsh") if arm == Arm::Artillery => return None,
            Some("marsh") => 6,
            _ => 2,
        };
        let water = 2 * i32::from(self.has("stream", from, to));
        let climb = 2 * (self.level(to) - self.level(from)).max(0);
        // In column one price for road and clear ground, uphill or not; water off the road is paid for (R54).
        Some(match (far, holds(&self.roads, from, to), terrain) {
            (true, true, _) => 1,
            (true, false, None) => 1 + water,
            _ => hex + climb + water,
        })
    }

    fn reach(&self, unit: &Unit) -> BTreeSet<At> {
        let near = within_four(self.units.iter().filter(|u| u.ours != unit.ours).map(|u| u.at));
        let banned = self.zones(unit.ours, unit.at);
        let points = if unit.arm == Arm::Cavalry { 18 } else { 12 };
        let mut left = BTreeMap::from([(unit.at, points)]);
        let mut open = vec![unit.at];
        while let Some(at) = open.pop() {
            let leaves_zone = !self.zones(unit.ours, at).is_empty();
            if leaves_zone && at != unit.at {
                continue;
            }
            for to in around(at) {
                let far = !near.contains(&at) && !near.contains(&to);
                let Some(cost) = self.cost(unit.arm, at, to, far) else { continue };
                let rest = left[&at] - cost - 2 * i32::from(leaves_zone);
                let enemy = self.units.iter().any(|u| u.ours != unit.ours && u.at == to);
                if rest < 0 || enemy || !self.zones(unit.ours, to).is_disjoint(&banned) {
                    continue;
                }
                if unit.arm == Arm::Artillery && self.beside_enemy(unit.ours, to) {
                    continue;
                }
                if left.get(&to).is_none_or(|&known| known < rest) {
                    left.insert(to, rest);
                    open.push(to);
                }
            }
        }
        left.into_keys().filter(|at| !self.units.iter().any(|u| u.at == *at)).collect()
    }

    fn random(mind: &mut QuickDice) -> Field {
        let mut field = Field::default();
        let hexes: Vec<At> = (1..=COLUMNS).flat_map(|c| (1..=ROWS).map(move |r| (c, r))).collect();
        for &at in &hexes {
            match mind.below(100) {
                0..20 => _ = field.terrain.insert(at, "woods"),
                20..28 => _ = field.terrain.insert(at, "rough"),
                28..33 => _ = field.terrain.insert(at, "town"),
                33..39 => _ = field.terrain.insert(at, "marsh"),
                _ => {}
            }
            match mind.below(10) {
                0..3 => _ = field.levels.insert(at, 1),
                3 => _ = field.levels.insert(at, 2),
                _ => {}
            }
        }
        for &at in &hexes {
            for to in around(at).into_iter().filter(|&to| to > at) {
                let mut put = |what| _ = field.sides.entry(what).or_default().insert((at, to));
                match mind.below(100) {
                    0..10 => put("stream"),
                    10..16 => put("river"),
                    16..20 => put("cliff"),
                    20..40 => _ = field.roads.insert((at, to)),
                    _ => {}
                }
            }
        }
        // The enemy stands in the west, so that the east is far from him.
        let mut free: Vec<At> =
            hexes.into_iter().filter(|at| field.terrain.get(at).copied() != Some("marsh")).collect();
        for number in 0..9 {
            let ours = number % 3 != 0;
            let at = loop {
                let index = mind.below(free.len() as u32) as usize;
                if ours || free[index].0 <= 5 {
                    break free.swap_remove(index);
                }
            };
            let arm = match mind.below(4) {
                0 | 1 => Arm::Infantry,
                2 => Arm::Cavalry,
                _ => Arm::Artillery,
            };
            field.units.push(Unit { id: format!("unit-{number}"), ours, arm, at });
        }
        field
    }

    fn scenario(&self) -> String {
        let of_terrain = |kind: &str| {
            let all = self.terrain.iter().filter(|(_, k)| **k == kind);
            let all: Vec<String> = all.map(|(at, _)| format!("\"{}\"", name(*at))).collect();
            format!("{kind} = [{}]", all.join(", "))
        };
        let of_level = |level: i32| {
            let all = self.levels.iter().filter(|(_, l)| **l == level);
            let all: Vec<String> = all.map(|(at, _)| format!("\"{}\"", name(*at))).collect();
            format!("\"{level}\" = [{}]", all.join(", "))
        };
        let sides: String = self
            .sides
            .iter()
            .map(|(kind, sides)| {
                let all: Vec<String> =
                    sides.iter().map(|(a, b)| format!("\"{}/{}\"", name(*a), name(*b))).collect();
                format!("{kind} = [{}]\n", all.join(", "))
            })
            .collect();
        let roads: Vec<String> =
            self.roads.iter().map(|(a, b)| format!("\"{} {}\"", name(*a), name(*b))).collect();
        let units: String = self
            .units
            .iter()
            .map(|u| {
                let side = if u.ours { "usa" } else { "csa" };
                let arm = match u.arm {
                    Arm::Infantry => "infantry",
                    Arm::Cavalry => "cavalry",
                    Arm::Artillery => "artillery\"\nlimbered = true\nmorale = \"black",
                };
                format!(
                    "[[unit]]\nid = \"{}\"\nside = \"{side}\"\ntype = \"{arm}\"\nsp = 9\nat = \"{}\"\n",
                    u.id,
                    name(u.at)
                )
            })
            .collect();
        format!(
            "system = \"brigade-battles\"\ntitle = \"Model\"\nfirst = \"usa\"\n{units}\n[map]\ncols = {COLUMNS}\nrows = {ROWS}\n\
             terrain = {{ {}, {}, {}, {} }}\nlevels = {{ {}, {} }}\nroads = [{}]\n[map.sides]\n{sides}",
            of_terrain("woods"),
            of_terrain("rough"),
            of_terrain("town"),
            of_terrain("marsh"),
            of_level(1),
            of_level(2),
            roads.join(", ")
        )
    }
}

#[test]
fn marches_are_those_of_the_book() {
    let mut mind = QuickDice::new(1862);
    let mut compared = 0;
    for position in 0..1_000 {
        let field = Field::random(&mut mind);
        let text = field.scenario();
        let source = "[position]\nturn = 1\nactive = \"usa\"\nphase = \"movement\"\nout_of_command = []\n";
        let (battle, mut state) = model::build::<BrigadeBattles>(&text, source);
        BrigadeBattles::settle(&battle, &mut state, &mut Fx { dice: QuickDice::new(1), log: Silent });
        let mut offers = Vec::new();
        BrigadeBattles::offers(&battle, &state, &mut offers);
        let offered: BTreeSet<String> = offers
            .iter()
            .map(|offer| BrigadeBattles::write(&battle, offer))
            .filter(|order| order.starts_with("march "))
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
            "position {position}: offered alone {:?}, in the model alone {:?}\n{text}",
            only(&offered, &modelled),
            only(&modelled, &offered)
        );
        compared += offered.len();
    }
    assert!(compared > 50_000, "{compared} marches only");
}
