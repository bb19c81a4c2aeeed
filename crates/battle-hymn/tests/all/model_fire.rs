//! A second reading of section 6.2 with its charts, written from the rulebook and not from the engine: who fires at whom in
//! Round One of an engagement, with how many dice, and what each of them needs.

use std::collections::{BTreeMap, BTreeSet};

use battle_hymn::BattleHymn;
use game::dice::{Dice, Need, QuickDice};
use game::log::{Chronicle, Roll};
use game::{Facts, Fx, Notation, Rules};
use suite::model::{self, At, Even, name};

fn around(at: At) -> [At; 6] {
    model::around(at, Even::Low)
}

#[derive(Clone, Copy, PartialEq)]
enum Arm {
    Infantry,
    Cavalry,
    Artillery,
    HorseArtillery,
}

impl Arm {
    fn word(self) -> &'static str {
        match self {
            Arm::Infantry => "infantry",
            Arm::Cavalry => "cavalry",
            Arm::Artillery => "artillery",
            Arm::HorseArtillery => "horse-artillery",
        }
    }

    fn has_guns(self) -> bool {
        matches!(self, Arm::Artillery | Arm::HorseArtillery)
    }
}

struct Unit {
    ours: bool,
    arm: Arm,
    sp: i32,
    demoralised: i32,
    rating: i32,
    at: At,
}

struct Field {
    terrain: BTreeMap<At, &'static str>,
    high: BTreeSet<At>,
    creeks: BTreeSet<(At, At)>,
    streams: BTreeSet<(At, At)>,
    units: Vec<Unit>,
}

fn holds(set: &BTreeSet<(At, At)>, a: At, b: At) -> bool {
    set.contains(&(a, b)) || set.contains(&(b, a))
}

/// The middle of the map, and the hexes up to two away from it.
fn cluster() -> BTreeSet<At> {
    let mut near = BTreeSet::from([(5, 5)]);
    for _ in 0..2 {
        near = near.iter().flat_map(|&at| around(at)).chain(near.iter().copied()).collect();
    }
    near
}

impl Field {
    fn random(mind: &mut QuickDice) -> Field {
        let mut field = Field {
            terrain: BTreeMap::new(),
            high: BTreeSet::new(),
            creeks: BTreeSet::new(),
            streams: BTreeSet::new(),
            units: Vec::new(),
        };
        let hexes = cluster();
        for &at in &hexes {
            match mind.below(10) {
                0..2 => _ = field.terrain.insert(at, "woods"),
                2 => _ = field.terrain.insert(at, "town"),
                3 => _ = field.terrain.insert(at, "marsh"),
                _ => {}
            }
            if mind.below(3) == 0 {
                field.high.insert(at);
            }
            for to in around(at).into_iter().filter(|to| *to > at) {
                match mind.below(5) {
                    0 => _ = field.creeks.insert((at, to)),
                    1 => _ = field.streams.insert((at, to)),
                    _ => {}
                }
            }
        }
        let mut free: Vec<At> = hexes.into_iter().collect();
        for number in 0..7 + mind.below(4) {
            let at = free.swap_remove(mind.below(free.len() as u32) as usize);
            let arm = match mind.below(8) {
                0..4 => Arm::Infantry,
                _ if field.terrain.get(&at) == Some(&"marsh") => Arm::Infantry,
                4 | 5 => Arm::Cavalry,
                6 => Arm::Artillery,
                _ => Arm::HorseArtillery,
            };
            let sp = 1 + mind.below(7) as i32;
            let demoralised = mind.below(sp as u32).min(mind.below(3)) as i32;
            let rating = mind.below(7) as i32 - 3;
            field.units.push(Unit { ours: number % 2 == 0, arm, sp, demoralised, rating, at });
        }
        field
    }

    /// Every pair of neighbours of different height has a slope between them.
    fn slopes(&self) -> Vec<(At, At)> {
        let low = |at: &At| !self.high.contains(at);
        self.high
            .iter()
            .flat_map(|&up| around(up).into_iter().filter(low).map(move |down| (down, up)))
            .collect()
    }

    fn scenario(&self) -> String {
        let list = |all: Vec<String>| all.iter().map(|a| format!("\"{a}\"")).collect::<Vec<_>>().join(", ");
        let of = |kind: &str| {
            let all = self.terrain.iter().filter(|(_, k)| **k == kind).map(|(at, _)| name(*at)).collect();
            format!("{kind} = [{}]", list(all))
        };
        let sides = |all: &mut dyn Iterator<Item = (At, At)>| {
            list(all.map(|(a, b)| format!("{}/{}", name(a), name(b))).collect())
        };
        let units: String = self
            .units
            .iter()
            .enumerate()
            .map(|(i, u)| {
                let (side, formation) = if u.ours { ("usa", "alpha") } else { ("csa", "beta") };
                format!(
                    "[[unit]]\nid = \"u{i}\"\nside = \"{side}\"\nformation = \"{formation}\"\ntype = \"{}\"\nsp = {}\nmr = {}\nat = \"{}\"\n",
                    u.arm.word(),
                    u.sp,
                    u.rating,
                    name(u.at)
                )
            })
            .collect();
        format!(
            "system = \"battle-hymn\"\ntitle = \"Model\"\nhours = {{ first = 9, last = 11 }}\n{units}[map]\ncols = 9\nrows = 9\n\
             terrain = {{ {} }}\nlevels = {{ \"1\" = [{}] }}\n[map.sides]\ncreek = [{}]\nstream = [{}]\nslope = [{}]\n",
            ["woods", "town", "marsh"].map(of).join(", "),
            list(self.high.iter().map(|at| name(*at)).collect()),
            sides(&mut self.creeks.iter().copied()),
            sides(&mut self.streams.iter().copied()),
            sides(&mut self.slopes().into_iter()),
        )
    }

    fn position(&self) -> String {
        let mut text = "[position]\nhour = 9\nturn = \"combat usa\"\nstep = \"engage\"\n".to_owned();
        for (i, unit) in self.units.iter().enumerate().filter(|(_, u)| u.demoralised > 0) {
            text += &format!("unit.u{i} = {{ demoralised = {} }}\n", unit.demoralised);
        }
        text
    }

    /// Where nothing keeps zones out, whoever is adjacent is in the zone.
    fn foes(&self, of: &Unit) -> BTreeSet<usize> {
        let near = |u: &Unit| u.ours != of.ours && around(of.at).contains(&u.at);
        (0..self.units.len()).filter(|&i| near(&self.units[i])).collect()
    }

    fn is_surrounded(&self, unit: &Unit) -> bool {
        let enemies = || self.units.iter().filter(|u| u.ours != unit.ours);
        around(unit.at).into_iter().all(|hex| enemies().any(|e| e.at == hex || around(e.at).contains(&hex)))
    }

    /// 6.2.2 and the two charts: the highest face that hits.
    fn chance(&self, by: &Unit, at: &Unit) -> i32 {
        let base = match self.terrain.get(&at.at).copied() {
            Some("woods" | "town") => 3,
            _ => 5,
        };
        let out_of_marsh = -i32::from(self.terrain.get(&by.at) == Some(&"marsh"));
        let creek = -i32::from(holds(&self.creeks, by.at, at.at) && !by.arm.has_guns());
        let height = i32::from(self.high.contains(&by.at)) - i32::from(self.high.contains(&at.at));
        let ring = 2 * i32::from(self.is_surrounded(at)) - 2 * i32::from(self.is_surrounded(by));
        let kinds = match (by.arm, at.arm) {
            (Arm::Infantry, Arm::Artillery | Arm::HorseArtillery) => 1,
            (Arm::Artillery | Arm::HorseArtillery, Arm::Cavalry) => 1,
            (Arm::Cavalry, Arm::Infantry | Arm::Artillery | Arm::HorseArtillery) => -1,
            _ => 0,
        };
        let near = i32::from(by.arm.has_guns());
        (base + out_of_marsh + creek + height + ring + kinds + near + by.rating).clamp(1, 9)
    }
}

type Battle = <BattleHymn as Rules>::Battle;
type State = <BattleHymn as Rules>::State;

/// Opens an engagement and plays on to its first checks. False if there is none.
fn fight(battle: &Battle, state: &mut State, fx: &mut Fx<QuickDice, Chronicle>) -> bool {
    let mut offers = Vec::new();
    for _ in 0..1_000 {
        if BattleHymn::upcoming(battle, state) == Some("checks") {
            return true;
        }
        if BattleHymn::step(battle, state, fx) {
            continue;
        }
        offers.clear();
        BattleHymn::offers(battle, state, &mut offers);
        let orders: Vec<String> = offers.iter().map(|offer| BattleHymn::write(battle, offer)).collect();
        let wanted = |word: &str| orders.iter().position(|order| order.starts_with(word));
        let Some(choice) = wanted("engage").or_else(|| wanted("split")).or_else(|| wanted("pass")) else {
            return false;
        };
        if orders[choice] == "pass"
            && orders.iter().any(|order| order.starts_with("combat") || order.starts_with("march"))
        {
            return false;
        }
        BattleHymn::answer(battle, state, &offers[choice], fx);
    }
    false
}

#[test]
fn fires_are_those_of_the_book() {
    let mut mind = QuickDice::new(1864);
    let (mut fought, mut fires, mut split, mut ringed) = (0, 0, 0, 0);
    for number in 0..1_200 {
        let field = Field::random(&mut mind);
        let (text, source) = (field.scenario(), field.position());
        let (battle, mut state) = model::build::<BattleHymn>(&text, &source);
        let mut fx = Fx { dice: QuickDice::new(number), log: Chronicle::default() };
        if !fight(&battle, &mut state, &mut fx) {
            continue;
        }
        let rolls: Vec<&Roll> =
            model::rolls(&fx.log).into_iter().filter(|r| r.rule.id() == "6.2.3.a").collect();
        let context = || format!("position {number}\n{text}{source}\n{rolls:#?}");
        let mut shares: BTreeMap<usize, BTreeMap<usize, i32>> = BTreeMap::new();
        let mut hits: BTreeMap<usize, i32> = BTreeMap::new();
        for roll in &rolls {
            let (by, at) = (roll.by.expect("a firer").0 as usize, roll.at.expect("a target").0 as usize);
            let need = field.chance(&field.units[by], &field.units[at]);
            assert_eq!(roll.need, Some(Need::AtMost(need as i16)), "u{by} at u{at}: {}", context());
            let hit = roll.faces.iter().filter(|f| i32::from(**f) <= need).count() as i32;
            assert_eq!(i32::from(roll.result), hit, "u{by} at u{at}: {}", context());
            shares.entry(by).or_default().insert(at, roll.faces.len() as i32);
            *hits.entry(at).or_default() += hit;
            fires += 1;
            ringed += usize::from(field.is_surrounded(&field.units[at]));
        }
        for (by, of) in &shares {
            let unit = &field.units[*by];
            let foes = field.foes(unit);
            let intact = unit.sp - unit.demoralised;
            assert_eq!(of.values().sum::<i32>(), intact, "u{by}: {}", context());
            let share = |foe: &usize| of.get(foe).copied().unwrap_or(0);
            let (least, most) = (foes.iter().map(share).min(), foes.iter().map(share).max());
            assert!(of.keys().all(|at| foes.contains(at)), "u{by}: {}", context());
            assert!(most.unwrap_or(0) - least.unwrap_or(0) <= 1, "u{by} divides unevenly: {}", context());
            split += usize::from(foes.len() > 1);
            // Whoever it fires at fires too: nobody is left out of the engagement.
            assert!(foes.iter().all(|foe| shares.contains_key(foe)), "u{by}: {}", context());
        }
        for (i, unit) in field.units.iter().enumerate() {
            let told = BattleHymn::fact(&battle, &state, &format!("u{i}.hits")).expect("a fact").to_string();
            let intact = unit.sp - unit.demoralised;
            let hit = hits.get(&i).copied().unwrap_or(0);
            let told: i32 = told.parse().expect("a number");
            assert_eq!(told.min(intact), hit.min(intact), "u{i}: {}", context());
        }
        fought += 1;
    }
    assert!(
        fought >= 1_000 && fires > 3_000 && split > 500 && ringed > 50,
        "{fought} fights, {fires} fires, {split} split, {ringed} ringed"
    );
}
