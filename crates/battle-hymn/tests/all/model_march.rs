//! A second reading of chapter 5, written from the rulebook and not from the engine: where each unit of a random position
//! may march to, found by trying every way.

use std::collections::{BTreeMap, BTreeSet};

use battle_hymn::BattleHymn;
use game::dice::{Dice, QuickDice};
use game::{Fx, Notation, Rules, Silent};
use suite::model::{self, At, Even, name};

const COLUMNS: i32 = 9;
const ROWS: i32 = 8;

fn around(at: At) -> Vec<At> {
    let on_map = |&(c, r): &At| (1..=COLUMNS).contains(&c) && (1..=ROWS).contains(&r);
    model::around(at, Even::Low).into_iter().filter(on_map).collect()
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Arm {
    Infantry,
    Artillery,
    HorseArtillery,
    Cavalry,
}

impl Arm {
    fn word(self) -> &'static str {
        match self {
            Arm::Infantry => "infantry",
            Arm::Artillery => "artillery",
            Arm::HorseArtillery => "horse-artillery",
            Arm::Cavalry => "cavalry",
        }
    }

    fn points(self) -> i32 {
        match self {
            Arm::Infantry | Arm::Artillery => 8,
            Arm::HorseArtillery | Arm::Cavalry => 12,
        }
    }

    fn rides(self) -> bool {
        matches!(self, Arm::HorseArtillery | Arm::Cavalry)
    }
}

#[derive(Default)]
struct Field {
    terrain: BTreeMap<At, &'static str>,
    high: BTreeSet<At>,
    /// What each side carries; a fortification names the hex it protects first.
    sides: BTreeMap<&'static str, BTreeSet<(At, At)>>,
    units: Vec<(String, bool, Arm, At)>,
}

impl Field {
    fn has(&self, what: &str, a: At, b: At) -> bool {
        self.sides.get(what).is_some_and(|s| s.contains(&(a, b)) || s.contains(&(b, a)))
    }

    fn rises(&self, from: At, to: At) -> bool {
        !self.high.contains(&from) && self.high.contains(&to)
    }

    fn protects(&self, from: At, to: At) -> bool {
        self.sides.get("fortification").is_some_and(|s| s.contains(&(to, from)))
    }

    /// 5.4: what it costs to enter a hex from the next; none if it may not.
    fn cost(&self, arm: Arm, from: At, to: At) -> Option<i32> {
        let way = [("road", 1), ("minor-road", 2)].into_iter().find(|(w, _)| self.has(w, from, to));
        let on_foot = arm == Arm::Infantry;
        let entered = match (way, self.terrain.get(&to).copied()) {
            (Some((_, points)), _) => points,
            (None, Some("woods")) => 3,
            (None, Some("marsh")) if on_foot => 4,
            (None, Some("marsh")) => return None,
            (None, _) => 2,
        };
        if self.has("river", from, to) {
            return None;
        }
        if self.has("escarpment", from, to) && !on_foot && way.is_none() {
            return None;
        }
        let mut points = entered;
        points += i32::from(self.has("stream", from, to));
        points += 2 * i32::from(self.has("creek", from, to));
        points += i32::from(self.rises(from, to));
        points += i32::from(self.protects(from, to));
        Some(points)
    }

    /// 3.8: whether the zone of a unit in `from` extends into `to`.
    fn covers(&self, from: At, to: At) -> bool {
        let up_a_cliff = self.has("escarpment", from, to) && self.rises(from, to);
        let stopped = up_a_cliff || self.has("river", from, to) || self.protects(from, to);
        around(from).contains(&to) && !stopped
    }

    fn zones(&self, ours: bool, at: At) -> impl Iterator<Item = Arm> {
        self.units.iter().filter(move |u| u.1 != ours && self.covers(u.3, at)).map(|u| u.2)
    }

    /// 5.2, 5.3: every hex a unit can end its march in.
    fn reach(&self, ours: bool, arm: Arm, start: At) -> BTreeSet<At> {
        let began_in_zone = self.zones(ours, start).next().is_some();
        let mut left = BTreeMap::from([(start, arm.points())]);
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if at != start && self.zones(ours, at).next().is_some() {
                continue;
            }
            for to in around(at) {
                let Some(cost) = self.cost(arm, at, to) else { continue };
                let rest = left[&at] - cost;
                if rest < 0 || self.units.iter().any(|u| u.1 != ours && u.3 == to) {
                    continue;
                }
                let zones: Vec<Arm> = self.zones(ours, to).collect();
                let barred = match arm {
                    Arm::Infantry => false,
                    Arm::Artillery => true,
                    Arm::Cavalry | Arm::HorseArtillery => zones.iter().any(|z| !z.rides()),
                };
                if !zones.is_empty() && (began_in_zone || barred) {
                    continue;
                }
                if left.get(&to).is_none_or(|&known| known < rest) {
                    left.insert(to, rest);
                    open.push(to);
                }
            }
        }
        let taken = |at: &At| self.units.iter().any(|u| u.3 == *at);
        left.into_keys().filter(|at| !taken(at)).collect()
    }

    fn random(mind: &mut QuickDice) -> Field {
        let mut field = Field::default();
        let hexes: Vec<At> = (1..=COLUMNS).flat_map(|c| (1..=ROWS).map(move |r| (c, r))).collect();
        for &at in &hexes {
            match mind.below(100) {
                0..25 => _ = field.terrain.insert(at, "woods"),
                25..33 => _ = field.terrain.insert(at, "marsh"),
                33..38 => _ = field.terrain.insert(at, "town"),
                _ => {}
            }
            if mind.below(100) < 30 {
                field.high.insert(at);
            }
        }
        for &at in &hexes {
            for to in around(at).into_iter().filter(|&to| to > at) {
                let mut put = |what, pair| _ = field.sides.entry(what).or_default().insert(pair);
                match mind.below(100) {
                    0..15 => put("road", (at, to)),
                    15..20 => put("minor-road", (at, to)),
                    20..24 => put("river", (at, to)),
                    _ => {}
                }
                let river = field.has("river", at, to);
                let steep = field.high.contains(&at) != field.high.contains(&to);
                let mut put = |what, pair| _ = field.sides.entry(what).or_default().insert(pair);
                match mind.below(100) {
                    0..10 if !river => put("stream", (at, to)),
                    10..16 if !river => put("creek", (at, to)),
                    _ => {}
                }
                if steep && mind.below(100) < 30 {
                    put("escarpment", (at, to));
                } else if mind.below(100) < 6 {
                    put("fortification", if mind.below(2) == 0 { (at, to) } else { (to, at) });
                }
            }
        }
        let mut free: Vec<At> =
            hexes.into_iter().filter(|at| field.terrain.get(at).copied() != Some("marsh")).collect();
        for number in 0..10 {
            let at = free.swap_remove(mind.below(free.len() as u32) as usize);
            let arm = match mind.below(6) {
                0..3 => Arm::Infantry,
                3 => Arm::Artillery,
                4 => Arm::HorseArtillery,
                _ => Arm::Cavalry,
            };
            field.units.push((format!("unit-{number}"), number % 2 == 0, arm, at));
        }
        field
    }

    fn scenario(&self) -> String {
        let list = |all: Vec<String>| all.join(", ");
        let of_terrain = |kind: &str| {
            let all =
                self.terrain.iter().filter(|(_, k)| **k == kind).map(|(at, _)| format!("\"{}\"", name(*at)));
            format!("{kind} = [{}]", list(all.collect()))
        };
        let sides = self.sides.iter().map(|(kind, sides)| {
            let all = sides.iter().map(|(a, b)| format!("\"{}/{}\"", name(*a), name(*b)));
            format!("{kind} = [{}]\n", list(all.collect()))
        });
        let units = self.units.iter().map(|(id, ours, arm, at)| {
            let (side, formation) = if *ours { ("usa", "alpha") } else { ("csa", "beta") };
            format!(
                "[[unit]]\nid = \"{id}\"\nside = \"{side}\"\nformation = \"{formation}\"\ntype = \"{}\"\nsp = 3\nat = \"{}\"\n",
                arm.word(),
                name(*at)
            )
        });
        let units: String = units.collect();
        let high: Vec<String> = self.high.iter().map(|at| format!("\"{}\"", name(*at))).collect();
        format!(
            "system = \"battle-hymn\"\ntitle = \"Model\"\nhours = {{ first = 9, last = 11 }}\n{units}\n[map]\ncols = {COLUMNS}\nrows = {ROWS}\n\
             terrain = {{ {}, {}, {} }}\nlevels = {{ \"1\" = [{}] }}\n[map.sides]\n{}",
            of_terrain("woods"),
            of_terrain("marsh"),
            of_terrain("town"),
            list(high),
            sides.collect::<String>()
        )
    }
}

#[test]
fn marches_are_those_of_the_book() {
    let mut mind = QuickDice::new(1863);
    let mut compared = 0;
    for position in 0..1_000 {
        let field = Field::random(&mut mind);
        let text = field.scenario();
        let source = "hour = 9\nturn = \"move alpha\"\n";
        let (battle, mut state) = model::build::<BattleHymn>(&text, source);
        BattleHymn::settle(&battle, &mut state, &mut Fx { dice: QuickDice::new(1), log: Silent });
        let mut offers = Vec::new();
        BattleHymn::offers(&battle, &state, &mut offers);
        let offered: BTreeSet<String> = offers
            .iter()
            .map(|offer| BattleHymn::write(&battle, offer))
            .filter(|order| order.starts_with("march "))
            .collect();
        let ours = field.units.iter().filter(|u| u.1);
        let modelled: BTreeSet<String> = ours
            .flat_map(|(id, ours, arm, at)| {
                let reach = field.reach(*ours, *arm, *at);
                reach.into_iter().map(move |to| format!("march {id} {}", name(to)))
            })
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
