//! A second reading of section 12 and its tables, written from the rulebook and not from the engine: odds, modifiers and
//! results of close combats in random positions, and the to-hit numbers of guns.

use std::collections::BTreeMap;

use american_revolution::AmericanRevolution;
use game::dice::{Dice, Need, QuickDice};
use game::log::Chronicle;
use game::situation::Fact;
use game::{Facts, Fx, Rules, Silent};
use suite::model::{self, At, Even, answer, build, may, name, rolls};

/// The hex that is attacked.
const CENTRE: At = (5, 5);

fn around(at: At) -> [At; 6] {
    model::around(at, Even::Low)
}

#[derive(Clone, Copy, PartialEq)]
enum Order {
    Parade,
    Disrupted,
    Shattered,
}

struct Unit {
    id: String,
    guns: bool,
    sp: i32,
    steps: i32,
    morale: i32,
    mark: &'static str,
    order: Order,
    at: At,
}

impl Unit {
    /// 13.3, 13.4: what it counts in defence.
    fn defence(&self) -> i32 {
        match self.order {
            _ if self.guns => 0,
            Order::Parade => self.sp,
            Order::Disrupted => (self.sp + 1) / 2,
            Order::Shattered => 1,
        }
    }
}

struct Leader {
    id: String,
    at: At,
    seniority: i32,
    close_combat: i32,
}

/// One side of a close combat.
struct Force {
    side: &'static str,
    units: Vec<Unit>,
    leaders: Vec<Leader>,
    army_morale: i32,
}

impl Force {
    /// 16.2, by the default track.
    fn level(&self) -> i32 {
        match self.army_morale {
            14.. => 0,
            7..=13 => -1,
            _ => -2,
        }
    }

    fn commander(&self) -> i32 {
        self.leaders.iter().min_by_key(|l| l.seniority).map_or(0, |l| l.close_combat)
    }

    fn has(&self, mark: &str) -> bool {
        self.units.iter().any(|u| u.mark == mark)
    }

    fn is_militia(&self) -> bool {
        self.units.iter().all(|u| u.mark == "militia")
    }

    fn random(mind: &mut QuickDice, side: &'static str, hexes: &[At], defends: bool) -> Force {
        let mut force =
            Force { side, units: Vec::new(), leaders: Vec::new(), army_morale: 1 + mind.below(20) as i32 };
        let militia = mind.below(5) == 0;
        for (i, &at) in hexes.iter().enumerate() {
            for n in 0..1 + mind.below(2) {
                let steps = 1 + mind.below(2) as i32;
                let order = match mind.below(6) {
                    0 if defends => Order::Disrupted,
                    1 if defends => Order::Shattered,
                    _ => Order::Parade,
                };
                let mark = match mind.below(6) {
                    _ if militia => "militia",
                    0 => "militia",
                    1 => "white-r",
                    2 => "black-r",
                    _ => "light",
                };
                let sp = 1 + mind.below(3) as i32;
                let morale = mind.below(5) as i32 - 2;
                force.units.push(Unit {
                    id: format!("{side}-{i}-{n}"),
                    guns: false,
                    sp,
                    steps,
                    morale,
                    mark,
                    order,
                    at,
                });
            }
            if mind.below(3) == 0 {
                let seniority = 1 + 10 * i as i32 + mind.below(9) as i32;
                let close_combat = mind.below(4) as i32 - 1;
                force.leaders.push(Leader { id: format!("{side}-leader-{i}"), at, seniority, close_combat });
            }
        }
        if defends && mind.below(3) == 0 {
            let mark = if mind.below(2) == 0 { "militia" } else { "no-lead" };
            let (id, at) = (format!("{side}-guns"), hexes[0]);
            let order = Order::Parade;
            force.units.push(Unit { id, guns: true, sp: 2, steps: 1, morale: 0, mark, order, at });
        }
        force
    }

    fn written(&self) -> String {
        let pair =
            |steps: i32, n: i32, back: i32| if steps == 2 { format!("[{n}, {back}]") } else { n.to_string() };
        let units = self.units.iter().map(|u| {
            format!(
                "[[unit]]\nid = \"{}\"\nside = \"{}\"\narm = \"{}\"\nstrength = {}\nmorale = {}\nmp = 4\nhex = \"{}\"\nmarks = [\"{}\"]\n",
                u.id,
                self.side,
                if u.guns { "artillery" } else { "infantry" },
                pair(u.steps, u.sp, u.sp.min(1)),
                pair(u.steps, u.morale, u.morale),
                name(u.at),
                u.mark
            )
        });
        let leaders = self.leaders.iter().map(|l| {
            format!(
                "[[leader]]\nid = \"{}\"\nside = \"{}\"\nseniority = {}\nclose_combat = {}\nhex = \"{}\"\n",
                l.id,
                self.side,
                l.seniority,
                l.close_combat,
                name(l.at)
            )
        });
        units.chain(leaders).collect()
    }
}

/// What lies on the side of the attacked hex towards each attacker.
#[derive(Clone, Copy, PartialEq)]
enum Edge {
    Open,
    Creek,
    /// The attacked hex is the higher.
    Slope,
    Works,
}

struct Field {
    terrain: Option<&'static str>,
    edges: BTreeMap<At, Edge>,
    attackers: Force,
    defenders: Force,
}

const CARDS: [&str; 5] = ["skirmish", "attack-en-echelon", "stand-fast", "frontal-assault", "commit-reserve"];

/// The tactical matrix for those five: rows the defender's, columns the attacker's.
const MATRIX: [[i32; 5]; 5] =
    [[0, -1, 1, 2, -1], [1, 0, -1, 0, 0], [-1, 1, 0, -1, -1], [-2, 0, 1, 0, 1], [1, 0, 1, -1, 0]];

const COLUMNS: [&str; 7] = ["1-3", "1-2", "1-1", "3-2", "2-1", "3-1", "4-1"];

/// The Close Combat Table from -2 to 11.
const TABLE: [[&str; 7]; 14] = [
    ["2/-", "AC/-", "AC/-", "AC/-", "AC/-", "1*/-", "D/-"],
    ["AC/-", "1*/-", "1*/-", "1*/-", "1*/-", "D/-", "D/-"],
    ["1*/-", "1/-", "1/-", "1/-", "1/-", "D/-", "R/-"],
    ["1/-", "D/-", "D/-", "D/-", "D/-", "R/-", "R/-"],
    ["1/-", "D/-", "D/-", "D/-", "R/-", "R/-", "PIN"],
    ["D/-", "D/-", "R/-", "R/-", "PIN", "PIN", "R/R"],
    ["D/-", "R/-", "R/-", "PIN", "R/R", "R/R", "-/R"],
    ["R/-", "PIN", "PIN", "R/R", "-/R", "-/R", "-/D"],
    ["PIN", "R/R", "R/R", "-/R", "-/R", "-/D", "-/D"],
    ["R/R", "-/R", "-/R", "-/D", "-/D", "-/D", "-/1"],
    ["-/R", "-/R", "-/D", "-/D", "-/D", "-/1", "-/1*"],
    ["-/R", "-/D", "-/D", "-/1", "-/1", "-/1*", "-/DC"],
    ["-/D", "-/D", "-/1", "-/1*", "-/1*", "-/DC", "-/AC"],
    ["-/D", "-/1*", "-/1*", "-/DC", "-/AC", "-/AC", "-/2"],
];

impl Field {
    fn random(mind: &mut QuickDice) -> Field {
        let mut sides: Vec<At> = around(CENTRE).to_vec();
        let count = 1 + mind.below(3) as usize;
        let from: Vec<At> =
            (0..count).map(|_| sides.swap_remove(mind.below(sides.len() as u32) as usize)).collect();
        let one = [Edge::Open, Edge::Creek, Edge::Slope, Edge::Works][mind.below(4) as usize];
        let edges = from.iter().map(|&at| (at, if mind.below(4) == 0 { Edge::Open } else { one })).collect();
        let grounds =
            [None, None, Some("light_forest"), Some("orchard"), Some("heavy_forest"), Some("building")];
        // No guns in heavy forest.
        let terrain = grounds[mind.below(6) as usize];
        let attackers = Force::random(mind, "crown", &from, false);
        let mut defenders = Force::random(mind, "american", &[CENTRE], true);
        if terrain == Some("heavy_forest") {
            defenders.units.retain(|u| !u.guns);
        }
        Field { terrain, edges, attackers, defenders }
    }

    fn scenario(&self) -> String {
        let at = name(CENTRE);
        let list = |edge: Edge, sign: &str| {
            let all = self.edges.iter().filter(|(_, e)| **e == edge);
            all.map(|(from, _)| format!("\"{}{sign}{at}\"", name(*from))).collect::<Vec<_>>().join(", ")
        };
        let terrain =
            self.terrain.map_or(String::new(), |kind| format!("terrain = {{ {kind} = [\"{at}\"] }}\n"));
        format!(
            "system = \"american-revolution\"\ntitle = \"Model\"\nturns = 6\n[map]\ncols = 9\nrows = 9\n{terrain}creeks = [{}]\nslopes = [{}]\nworks = [{}]\n\
             [[side]]\nid = \"crown\"\nname = \"Crown\"\nhome = \"south\"\nmorale = {}\n[[side]]\nid = \"american\"\nname = \"American\"\nhome = \"north\"\nmorale = {}\n{}{}",
            list(Edge::Creek, "/"),
            list(Edge::Slope, ">"),
            list(Edge::Works, ">"),
            self.attackers.army_morale,
            self.defenders.army_morale,
            self.attackers.written(),
            self.defenders.written()
        )
    }

    fn position(&self) -> String {
        let by: Vec<String> = self.attackers.units.iter().map(|u| format!("\"{}\"", u.id)).collect();
        let mut text = "[position]\nphase = \"close-combat\"\nphasing = \"crown\"\nchits = { crown = 0, american = 0 }\n".to_owned();
        text += &format!("attacks = [{{ by = [{}], at = [\"{}\"] }}]\n", by.join(", "), name(CENTRE));
        for unit in &self.defenders.units {
            let order = match unit.order {
                Order::Parade => continue,
                Order::Disrupted => "disrupted",
                Order::Shattered => "shattered",
            };
            text += &format!("unit.{} = {{ hex = \"{}\", order = \"{order}\" }}\n", unit.id, name(unit.at));
        }
        text
    }

    /// The column and what odds below the first cost.
    fn odds(&self) -> (usize, i32) {
        let attack: i32 = self.attackers.units.iter().map(|u| u.sp).sum();
        let defence: i32 = self.defenders.units.iter().map(Unit::defence).sum();
        let least = [(1, 3), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1)];
        match least.iter().rposition(|&(a, d)| attack * d >= defence * a) {
            Some(column) => (column, 0),
            None => (0, -1),
        }
    }

    /// 12.23 step 3, G5: the ground of hex and hexsides.
    fn ground(&self) -> i32 {
        if self.defenders.units.iter().filter(|u| !u.guns).all(|u| u.order == Order::Shattered) {
            return 0;
        }
        let hex = match self.terrain {
            Some("light_forest" | "orchard") => -1,
            Some(_) => -2,
            None => 0,
        };
        // A line of the chart counts where every attacker crosses such a side.
        let all = |edge: Edge| self.edges.values().all(|e| *e == edge);
        let side = match () {
            () if all(Edge::Creek) || all(Edge::Slope) => -1,
            () if all(Edge::Works) => -2,
            () => 0,
        };
        (hex + side).max(-3)
    }

    /// 12.7: enemies or their zones in all six hexes.
    fn is_surrounded(&self) -> bool {
        around(CENTRE).into_iter().all(|hex| {
            self.edges.contains_key(&hex) || self.edges.keys().any(|from| around(*from).contains(&hex))
        })
    }

    /// All but the lead units' morale and the tactics.
    fn modifiers(&self) -> i32 {
        let (us, them) = (&self.attackers, &self.defenders);
        self.odds().1 + self.ground() + i32::from(self.is_surrounded()) + us.commander()
            - them.commander()
            - i32::from(us.has("white-r"))
            + i32::from(them.has("white-r"))
            - i32::from(us.is_militia())
            + i32::from(them.is_militia())
    }

    /// Who may lead: of those in order if there are any.
    fn leads(force: &Force) -> Vec<&Unit> {
        let foot = || force.units.iter().filter(|u| !u.guns);
        let parade: Vec<&Unit> = foot().filter(|u| u.order == Order::Parade).collect();
        if parade.is_empty() { foot().collect() } else { parade }
    }
}

type Battle = <AmericanRevolution as Rules>::Battle;
type State = <AmericanRevolution as Rules>::State;

fn told(battle: &Battle, state: &State, fact: &str) -> String {
    match AmericanRevolution::fact(battle, state, fact) {
        Ok(Fact::Text(word)) => word,
        Ok(other) => other.to_string(),
        Err(unknown) => panic!("{fact}: {unknown:?}"),
    }
}

#[test]
fn close_combats_are_those_of_the_book() {
    let mut mind = QuickDice::new(1781);
    let (mut surrounded, mut low, mut steps) = (0, 0, 0);
    for number in 0..1_000 {
        let field = Field::random(&mut mind);
        let (text, source) = (field.scenario(), field.position());
        let (battle, mut state) = build::<AmericanRevolution>(&text, &source);
        let mut fx = Fx { dice: QuickDice::new(number), log: Chronicle::default() };
        AmericanRevolution::settle(&battle, &mut state, &mut fx);
        // Each side names its lead unit where it has a choice.
        let mut leads = Vec::new();
        for force in [&field.attackers, &field.defenders] {
            let able = Field::leads(force);
            let lead = able[mind.below(able.len() as u32) as usize];
            if able.len() > 1 {
                for unit in &force.units {
                    let lawful = able.iter().any(|u| u.id == unit.id);
                    assert_eq!(
                        may::<AmericanRevolution>(&battle, &state, &format!("lead {}", unit.id)),
                        lawful,
                        "{}\n{text}{source}",
                        unit.id
                    );
                }
                answer::<AmericanRevolution>(&battle, &mut state, &format!("lead {}", lead.id), &mut fx);
                AmericanRevolution::settle(&battle, &mut state, &mut fx);
            }
            leads.push(lead);
        }
        let mut cards = [0; 2];
        for (card, force) in cards.iter_mut().zip([&field.attackers, &field.defenders]) {
            *card = mind.below(if force.leaders.is_empty() { 3 } else { 5 }) as usize;
            let order = format!("play {}", CARDS[*card]);
            assert!(
                may::<AmericanRevolution>(&battle, &state, &order),
                "position {number}: {order}\n{text}{source}"
            );
            answer::<AmericanRevolution>(&battle, &mut state, &order, &mut fx);
            while rolls(&fx.log).is_empty() && AmericanRevolution::step(&battle, &mut state, &mut fx) {}
        }
        let sum = field.modifiers() + leads[0].morale + field.attackers.level()
            - leads[1].morale
            - field.defenders.level()
            + MATRIX[cards[1]][cards[0]];
        let die = rolls(&fx.log)[0].clone();
        let context = || format!("position {number}\n{text}{source}\n{die:#?}");
        assert_eq!(die.rule.id(), "12.23.o", "{}", context());
        assert_eq!(die.modifiers.iter().map(|m| i32::from(m.value)).sum::<i32>(), sum, "{}", context());
        let (column, below) = field.odds();
        assert_eq!(told(&battle, &state, "fight.column"), COLUMNS[column], "{}", context());
        let roll = i32::from(die.faces[0]) + sum;
        let result = TABLE[(roll.clamp(-2, 11) + 2) as usize][column];
        assert_eq!(told(&battle, &state, "fight.result"), result, "{}", context());
        surrounded += usize::from(field.is_surrounded());
        low += usize::from(below < 0);
        // A step is lost at once, by the lead unit.
        let loser = match result {
            "1/-" => Some(leads[0]),
            "-/1" => Some(leads[1]),
            _ => None,
        };
        if let Some(unit) = loser {
            let left = || told(&battle, &state, &format!("{}.steps", unit.id));
            assert_eq!(left(), unit.steps.to_string());
            AmericanRevolution::settle(&battle, &mut state, &mut fx);
            let place = told(&battle, &state, &format!("{}.hex", unit.id));
            if unit.steps == 1 {
                assert_eq!(place, "eliminated", "{}", context());
            } else {
                assert_eq!(told(&battle, &state, &format!("{}.steps", unit.id)), "1", "{}", context());
            }
            steps += 1;
        }
    }
    assert!(
        surrounded > 100 && low > 10 && steps > 50,
        "{surrounded} surrounded, {low} below, {steps} steps"
    );
}

#[test]
fn guns_hit_by_the_table() {
    let mut mind = QuickDice::new(1777);
    let mut fired = 0;
    for number in 0..1_000 {
        // Guns in the west, the target on the same row to the east of them, nothing between.
        let range = 1 + mind.below(3) as i32;
        let grounds = [
            None,
            Some("light_forest"),
            Some("orchard"),
            Some("heavy_forest"),
            Some("building"),
            Some("swamp"),
        ];
        let ground = grounds[mind.below(6) as usize];
        let guns: Vec<i32> = (0..1 + mind.below(2)).map(|_| 1 + mind.below(5) as i32).collect();
        // Two batteries stand at the ends of the same distance: north and south of the target.
        let at = (5, 5);
        let from = [(5, 5 - range), (5, 5 + range)];
        let shattered = mind.below(4) == 0;
        let terrain =
            ground.map_or(String::new(), |kind| format!("terrain = {{ {kind} = [\"{}\"] }}\n", name(at)));
        let mut text = format!(
            "system = \"american-revolution\"\ntitle = \"Model\"\nturns = 6\n[map]\ncols = 9\nrows = 9\n{terrain}\
             [[side]]\nid = \"crown\"\nname = \"Crown\"\nhome = \"south\"\n[[side]]\nid = \"american\"\nname = \"American\"\nhome = \"north\"\n\
             [[unit]]\nid = \"foot\"\nside = \"crown\"\nstrength = [4, 2]\nmorale = [1, 0]\nmp = 4\nhex = \"{}\"\n",
            name(at)
        );
        for (i, sp) in guns.iter().enumerate() {
            text += &format!(
                "[[unit]]\nid = \"guns-{i}\"\nside = \"american\"\narm = \"artillery\"\nstrength = {sp}\nmorale = 0\nmp = 4\nhex = \"{}\"\n",
                name(from[i])
            );
        }
        let mut source = "[position]\nphase = \"artillery\"\nphasing = \"crown\"\n".to_owned();
        if shattered {
            source += &format!("unit.foot = {{ hex = \"{}\", order = \"shattered\" }}\n", name(at));
        }
        let (battle, mut state) = build::<AmericanRevolution>(&text, &source);
        AmericanRevolution::settle(&battle, &mut state, &mut Fx { dice: QuickDice::new(1), log: Silent });
        let mut fx = Fx { dice: QuickDice::new(number), log: Chronicle::default() };
        let all: Vec<String> = (0..guns.len()).map(|i| format!("guns-{i}")).collect();
        answer::<AmericanRevolution>(
            &battle,
            &mut state,
            &format!("bombard {} {}", all.join("+"), name(at)),
            &mut fx,
        );
        while rolls(&fx.log).is_empty() && AmericanRevolution::step(&battle, &mut state, &mut fx) {}
        let die = rolls(&fx.log)[0].clone();
        let sp: i32 = guns.iter().sum();
        let cover = match ground {
            _ if shattered => 0,
            Some("light_forest" | "orchard") => -1,
            Some("heavy_forest" | "building") => -2,
            _ => 0,
        };
        let need = (8 + range - sp.min(6)).min(9) - cover;
        assert_eq!(die.need, Some(Need::AtLeast(need as i16)), "position {number}\n{text}{source}\n{die:#?}");
        if die.result == 1 {
            while rolls(&fx.log).len() < 2 && AmericanRevolution::step(&battle, &mut state, &mut fx) {}
            let damage = rolls(&fx.log)[1].clone();
            assert!(damage.modifiers.is_empty());
            let expected = ["-", "AM", "R", "R", "R", "R", "D", "D", "1", "1*"][usize::from(damage.faces[0])];
            assert_eq!(
                AmericanRevolution::fact(&battle, &state, &format!("artillery_damage.{}", damage.faces[0]))
                    .ok(),
                Some(Fact::Text(expected.to_owned()))
            );
        }
        fired += 1;
    }
    assert_eq!(fired, 1_000);
}
