//! A second reading of chapters 8, 9 and 11, written from the rulebook and its rulings and not from the engine: the dice of a
//! shot and of a round of melee in random circumstances, what they need, and what becomes of the units.

use game::dice::{Dice, Need, QuickDice};
use game::log::{Chronicle, Roll};
use game::situation::Fact;
use game::{Facts, Fx, Notation, Rules};
use hallowed_ground::HallowedGround;
use suite::model::{build, rolls};

/// A line of the table of unit statistics: type, formation, dice at point blank, up to half range and beyond, melee dice.
#[derive(Clone, Copy, PartialEq)]
struct Row(&'static str, &'static str, [i32; 3], i32);

const ROWS: [Row; 10] = [
    Row("infantry", "line", [10, 10, 10], 4),
    Row("infantry", "supported_line", [6, 6, 6], 5),
    Row("infantry", "march_column", [2, 2, 2], 1),
    Row("cavalry", "supported_line", [6, 6, 6], 4),
    Row("cavalry", "march_column", [0, 0, 0], 1),
    Row("cavalry", "dismounted_line", [8, 8, 8], 2),
    Row("light_artillery", "deployed", [5, 4, 2], 1),
    Row("regular_artillery", "deployed", [6, 5, 3], 1),
    Row("siege_artillery", "deployed", [8, 7, 4], 1),
    Row("light_artillery", "limbered", [0, 0, 0], 0),
];

impl Row {
    /// The Shaken and the Break value.
    fn morale(self) -> (i32, i32) {
        match self.0 {
            "infantry" => (18, 20),
            "cavalry" => (14, 16),
            _ => (12, 14),
        }
    }

    /// In inches.
    fn range(self) -> f64 {
        match self.0 {
            "infantry" => 30.0,
            "cavalry" => 24.0,
            "light_artillery" => 40.0,
            "regular_artillery" => 60.0,
            _ => 80.0,
        }
    }

    fn is_mounted(self) -> bool {
        self.0 == "cavalry" && self.1 != "dismounted_line"
    }
}

#[derive(Clone)]
struct Unit {
    row: Row,
    hits: i32,
    shaken: bool,
    elite: bool,
    sharp: bool,
    led: bool,
    at: (f64, f64),
    facing: i32,
    /// More words for the position.
    more: String,
}

impl Unit {
    fn random(mind: &mut QuickDice, rows: &[Row]) -> Unit {
        let row = rows[mind.below(rows.len() as u32) as usize];
        let hits = mind.below(row.morale().1 as u32) as i32;
        Unit {
            row,
            hits,
            shaken: hits >= row.morale().0 || mind.below(5) == 0,
            elite: mind.below(4) == 0,
            sharp: mind.below(4) == 0,
            led: mind.below(4) == 0,
            at: (60.0, 0.0),
            facing: 0,
            more: String::new(),
        }
    }

    fn written(&self, id: &str, brigade: &str) -> String {
        let special: Vec<&str> = [(self.elite, "\"elite\""), (self.sharp, "\"sharpshooters\"")]
            .into_iter()
            .filter_map(|(on, word)| on.then_some(word))
            .collect();
        format!(
            "[[unit]]\nname = \"{id}\"\nbrigade = \"{brigade}\"\ntype = \"{}\"\nformation = \"{}\"\nat = [{:.3}, {:.3}]\nfacing = {}\nspecial = [{}]\n",
            self.row.0,
            self.row.1,
            self.at.0,
            self.at.1,
            self.facing,
            special.join(", ")
        )
    }

    fn placed(&self, id: &str, commander: &str) -> String {
        let led = if self.led {
            format!("commander.{commander} = {{ attached = \"{id}\" }}\n")
        } else {
            String::new()
        };
        format!("unit.{id} = {{ hits = {}, shaken = {}{} }}\n{led}", self.hits, self.shaken, self.more)
    }

    /// What is added to a morale test when it has so many hits.
    fn morale(&self, hits: i32, shaken: bool, steady_enemy_near: bool, engaged: i32) -> i32 {
        hits - 2 * i32::from(self.led)
            - i32::from(2 * hits < self.row.morale().1)
            - i32::from(!shaken)
            - i32::from(self.elite)
            + i32::from(steady_enemy_near)
            + engaged
    }
}

/// Two units, and others of their brigades far away, so that nobody's brigade breaks.
fn scenario(a: &Unit, b: &Unit, terrain: &str) -> String {
    let mut text = "system = \"hallowed-ground\"\ntitle = \"Model\"\ninitiative = \"usa\"\n[table]\nwidth = 180\nheight = 180\n".to_owned();
    text += "[[side]]\nid = \"usa\"\nname = \"Union\"\nown_edge = \"south\"\n[[side]]\nid = \"csa\"\nname = \"South\"\nown_edge = \"north\"\n";
    for (side, x) in [("usa", 150.0), ("csa", 20.0)] {
        text += &format!(
            "[[brigade]]\nname = \"{side}\"\nside = \"{side}\"\ncommander = {{ id = \"of-{side}\", name = \"of {side}\", at = [{x}, 170] }}\n\
             [[general]]\nside = \"{side}\"\nid = \"g-{side}\"\nname = \"G {side}\"\nat = [{x}, 175]\n"
        );
        for i in 0..3 {
            let (y, facing) = (110 + 12 * i, if side == "usa" { 90 } else { 270 });
            text += &format!(
                "[[unit]]\nname = \"{side}-{i}\"\nbrigade = \"{side}\"\ntype = \"infantry\"\nformation = \"line\"\nat = [{x}, {y}]\nfacing = {facing}\n"
            );
        }
    }
    text + terrain + &a.written("a", "usa") + &b.written("b", "csa")
}

type Battle = <HallowedGround as Rules>::Battle;
type State = <HallowedGround as Rules>::State;

fn number(battle: &Battle, state: &State, fact: &str) -> i32 {
    match HallowedGround::fact(battle, state, fact) {
        Ok(Fact::Number(n)) => n as i32,
        other => panic!("{fact}: {other:?}"),
    }
}

fn word(battle: &Battle, state: &State, fact: &str) -> String {
    match HallowedGround::fact(battle, state, fact) {
        Ok(Fact::Text(word)) => word,
        other => panic!("{fact}: {other:?}"),
    }
}

/// The natural score for a hit, and the dice that are left when it would be 7 or more.
fn score(base: i32, sum: i32, dice: i32) -> (i32, i32) {
    match base - sum {
        need @ 7.. => {
            let _ = need;
            (6, ((dice + 1) / 2).max(1))
        }
        need => (need.max(2), dice.max(1)),
    }
}

fn half_up(dice: i32, halved: bool) -> i32 {
    if halved { (dice + 1) / 2 } else { dice }
}

/// What a unit is after its hits and after a test: 0 as it was, 1 Shaken, 2 Broken.
fn by_hits(unit: &Unit, hits: i32) -> i32 {
    let (shaken, broken) = unit.row.morale();
    if hits >= broken { 2 } else { i32::from(hits >= shaken || unit.shaken) }
}

fn state_word(state: i32) -> &'static str {
    ["steady", "shaken", "broken"][state as usize]
}

/// How many natural faces of a roll reach what it needs.
fn passed(roll: &Roll, need: i32) -> i32 {
    assert_eq!(roll.need, Some(Need::AtLeast(need as i16)), "{roll:#?}");
    roll.faces.iter().filter(|f| i32::from(**f) >= need).count() as i32
}

#[test]
fn shots_are_those_of_the_book() {
    let mut mind = QuickDice::new(1861);
    let (mut shots, mut tests, mut halved, mut covered) = (0, 0, 0, 0);
    for case in 0..1_500 {
        let mut a = Unit::random(&mut mind, &ROWS[..9]);
        let mut b = Unit::random(&mut mind, &ROWS);
        let range = match mind.below(6) {
            0 => [6.0, 6.002, 12.0, 12.002, 15.0, 15.002, 20.0, 20.002, 30.0, 40.0][mind.below(10) as usize],
            1 => 2.0 + f64::from(mind.below(60_000)) / 1_000.0,
            _ => 2.0 + f64::from(mind.below(22_000)) / 1_000.0,
        };
        (b.at.1, b.facing) = (90.0, 180);
        a.at.1 = 90.0 - range;
        let moved = mind.below(3) == 0;
        a.more = format!(", moved = {moved}");
        // A fence before the target hides it and protects it; corn farther off hides it alone.
        let (cover, obscured) = match mind.below(4) {
            0 => (true, true),
            1 if range > 8.0 => (false, true),
            _ => (false, false),
        };
        let terrain = match (cover, obscured) {
            (true, _) => "[[terrain]]\nkind = \"obstacle\"\npoints = [[40, 89.7], [80, 89.7]]\n",
            (_, true) => {
                "[[terrain]]\nkind = \"corn_field\"\npoints = [[35, 86], [85, 86], [85, 88], [35, 88]]\n"
            }
            _ => "",
        };
        let text = scenario(&a, &b, terrain);
        let source = format!(
            "[position]\nturn = 2\nside = \"usa\"\nfirst = \"usa\"\nphase = \"shooting\"\n{}{}",
            a.placed("a", "of-usa"),
            b.placed("b", "of-csa")
        );
        let (battle, mut state) = build::<HallowedGround>(&text, &source);
        let context = || format!("case {case}\n{text}{source}");
        let band = if range <= 6.0 { 0 } else { usize::from(range > a.row.range() / 2.0) + 1 };
        let dice = a.row.2[band];
        let may = dice > 0 && range <= a.row.range();
        let order = HallowedGround::read(&battle, &state, "shoot a at b").expect("it reads");
        let mut fx = Fx { dice: QuickDice::new(case), log: Chronicle::default() };
        HallowedGround::settle(&battle, &mut state, &mut fx);
        let allowed = HallowedGround::check(&battle, &state, &order);
        assert_eq!(allowed.is_ok(), may, "{allowed:?} at {range}: {}", context());
        if !may {
            continue;
        }
        let column = ["march_column", "limbered"].contains(&b.row.1);
        let sum =
            i32::from(range <= 6.0) + i32::from(column) + i32::from(b.row.is_mounted()) + i32::from(a.sharp)
                - i32::from(moved)
                - i32::from(b.row.1 == "deployed")
                - i32::from(range > a.row.range() / 2.0)
                - i32::from(cover)
                - i32::from(obscured)
                - i32::from(a.row.is_mounted());
        let (need, dice) = score(3, sum, half_up(dice, a.shaken));
        HallowedGround::answer(&battle, &mut state, &order, &mut fx);
        while !matches!(HallowedGround::upcoming(&battle, &state), Some("tests" | "morale" | "melee" | "end"))
            && HallowedGround::step(&battle, &mut state, &mut fx)
        {}
        let all: Vec<Roll> = rolls(&fx.log).into_iter().cloned().collect();
        assert_eq!(all[0].faces.len() as i32, dice, "{}\n{all:#?}", context());
        let mut hits = passed(&all[0], need);
        if hits > 0 {
            assert_eq!(all[1].faces.len() as i32, hits, "{}\n{all:#?}", context());
            hits -= passed(&all[1], if cover { 5 } else { 6 });
        }
        let total = b.hits + hits;
        let state_now = by_hits(&b, total);
        assert_eq!(word(&battle, &state, "b.state"), state_word(state_now), "{}\n{all:#?}", context());
        shots += 1;
        halved += usize::from(3 - sum >= 7);
        covered += usize::from(cover);
        if state_now == 2 {
            continue;
        }
        assert_eq!(number(&battle, &state, "b.hits"), total, "{}", context());
        let earlier = all.len();
        if HallowedGround::upcoming(&battle, &state).is_none() {
            let pass = HallowedGround::read(&battle, &state, "pass").expect("it reads");
            HallowedGround::answer(&battle, &mut state, &pass, &mut fx);
        }
        while !matches!(
            HallowedGround::upcoming(&battle, &state),
            Some("retire" | "melee" | "end" | "turn" | "round")
        ) && HallowedGround::step(&battle, &mut state, &mut fx)
        {}
        let after: Vec<&Roll> =
            rolls(&fx.log).into_iter().skip(earlier).filter(|r| r.rule.id() == "11.2.b").collect();
        assert_eq!(after.len(), usize::from(hits > 0), "{}\n{after:#?}", context());
        let Some(test) = after.first() else { continue };
        let near = !a.shaken && range <= 6.0;
        let sum = b.morale(total, state_now == 1, near, 0);
        assert_eq!(
            test.modifiers.iter().map(|m| i32::from(m.value)).sum::<i32>(),
            sum,
            "{}\n{test:#?}",
            context()
        );
        let came = test.faces.iter().map(|f| i32::from(*f)).sum::<i32>() + sum;
        let (shaken, broken) = b.row.morale();
        let expected = if came >= broken { 2 } else { state_now.max(i32::from(came >= shaken)) };
        assert_eq!(word(&battle, &state, "b.state"), state_word(expected), "{}\n{test:#?}", context());
        tests += 1;
    }
    assert!(
        shots > 1_000 && tests > 600 && halved > 20 && covered > 100,
        "{shots} shots, {tests} tests, {halved} halved, {covered} covered"
    );
}

/// Where B stands when A's front touches that side of it, and how B faces.
fn struck(b: &mut Unit, side: usize) {
    const WIDTH: f64 = 225.0 / 25.4;
    const DEPTH: f64 = 40.0 / 25.4;
    match side {
        0 => (b.at, b.facing) = ((60.0, 90.0), 180),
        1 => (b.at, b.facing) = ((60.0 + DEPTH / 2.0, 90.0 + WIDTH / 2.0), 90),
        2 => (b.at, b.facing) = ((60.0 - DEPTH / 2.0, 90.0 + WIDTH / 2.0), 270),
        _ => (b.at, b.facing) = ((60.0, 90.0 + DEPTH), 0),
    }
}

#[test]
fn melees_are_those_of_the_book() {
    let mut mind = QuickDice::new(1862);
    let (mut rounds, mut tests, mut flanks) = (0, 0, 0);
    for case in 0..1_200 {
        let lines = [ROWS[0], ROWS[1], ROWS[3]];
        let mut a = Unit::random(&mut mind, &lines);
        let side = mind.below(6) as usize;
        let side = if side < 3 { 0 } else { side - 2 };
        let mut b = Unit::random(&mut mind, if side == 0 { &lines } else { &lines[..1] });
        // Infantry does not charge horse, and who is Shaken has left a melee.
        for unit in [&mut a, &mut b] {
            unit.shaken = false;
            unit.hits = unit.hits.min(unit.row.morale().0 - 1);
        }
        a.at.1 = 90.0;
        struck(&mut b, side);
        let charging = mind.below(2) == 0;
        let difficult = charging && mind.below(3) == 0;
        let won = match mind.below(3) {
            _ if charging => 0,
            n => n,
        };
        a.more = format!(", charging = {charging}, difficult = {difficult}, won = {}", won == 1);
        b.more = format!(", won = {}", won == 2);
        let wall = side == 0 && mind.below(3) == 0;
        let terrain =
            if wall { "[[terrain]]\nkind = \"obstacle\"\npoints = [[50, 90], [70, 90]]\n" } else { "" };
        let text = scenario(&a, &b, terrain);
        let source = format!(
            "[position]\nturn = 2\nside = \"usa\"\nfirst = \"usa\"\nphase = \"melee\"\n{}{}contact = [{{ a = \"a\", b = \"b\", defends = {wall} }}]\n",
            a.placed("a", "of-usa"),
            b.placed("b", "of-csa")
        );
        let (battle, mut state) = build::<HallowedGround>(&text, &source);
        let mut fx = Fx { dice: QuickDice::new(case), log: Chronicle::default() };
        let melee =
            |fx: &Fx<QuickDice, Chronicle>| rolls(&fx.log).iter().filter(|r| r.rule.id() == "9.2.a").count();
        while melee(&fx) < 2 && HallowedGround::step(&battle, &mut state, &mut fx) {}
        let all: Vec<Roll> = rolls(&fx.log).into_iter().cloned().collect();
        let context = || format!("case {case}\n{text}{source}\n{all:#?}");
        assert_eq!(all.len(), 2, "{}", context());
        // What each fights with: against the enemy's flank or rear, or to its own.
        let (for_a, lost) = [(0, 0), (1, 1), (1, 1), (2, 2)][side];
        let sum_a = for_a + i32::from(charging || won == 1) - i32::from(difficult);
        let sum_b = i32::from(won == 2) + i32::from(wall);
        let dice = |unit: &Unit, lost: i32| (unit.row.3 + i32::from(unit.led) - lost).max(1);
        let (need_a, dice_a) = score(4, sum_a, dice(&a, 0));
        let (need_b, dice_b) = score(4, sum_b, dice(&b, lost));
        assert_eq!(
            [all[0].faces.len(), all[1].faces.len()],
            [dice_a as usize, dice_b as usize],
            "{}",
            context()
        );
        let hits = [passed(&all[0], need_a), passed(&all[1], need_b)];
        rounds += 1;
        flanks += usize::from(side > 0);
        let totals = [a.hits + hits[1], b.hits + hits[0]];
        let states = [by_hits(&a, totals[0]), by_hits(&b, totals[1])];
        // A commander whose unit is Broken rides off before the others test.
        while HallowedGround::upcoming(&battle, &state) != Some("parting-hits") {
            if !HallowedGround::step(&battle, &mut state, &mut fx) {
                let mut rides = Vec::new();
                HallowedGround::offers(&battle, &state, &mut rides);
                HallowedGround::answer(&battle, &mut state, &rides[0], &mut fx);
            }
        }
        let after: Vec<Roll> = rolls(&fx.log).into_iter().skip(2).cloned().collect();
        let loser = match hits[0].cmp(&hits[1]) {
            std::cmp::Ordering::Greater => Some(1),
            std::cmp::Ordering::Less => Some(0),
            std::cmp::Ordering::Equal => None,
        };
        let tested = loser.filter(|&i| states[i] < 2);
        assert_eq!(after.len(), usize::from(tested.is_some()), "{}\n{after:#?}", context());
        for (i, (unit, id)) in [(&a, "a"), (&b, "b")].into_iter().enumerate() {
            let mut expected = states[i];
            if tested == Some(i) {
                // The table as it stands: an enemy who is Broken presses nobody any more.
                let engaged = if i == 1 && states[0] < 2 { lost } else { 0 };
                // The enemy in front is near and in sight, if he is still Steady; one in flank or rear is not seen.
                let near = states[1 - i] == 0 && engaged == 0;
                let sum = unit.morale(totals[i], states[i] == 1, near, engaged);
                assert_eq!(
                    after[0].modifiers.iter().map(|m| i32::from(m.value)).sum::<i32>(),
                    sum,
                    "{}\n{after:#?}",
                    context()
                );
                let came = after[0].faces.iter().map(|f| i32::from(*f)).sum::<i32>() + sum;
                let (shaken, broken) = unit.row.morale();
                expected = if came >= broken { 2 } else { expected.max(i32::from(came >= shaken)) };
                tests += 1;
            }
            let told = word(&battle, &state, &format!("{id}.state"));
            assert_eq!(told, state_word(expected), "{id}: {}\n{after:#?}", context());
        }
    }
    assert!(
        rounds == 1_200 && tests > 600 && flanks > 300,
        "{rounds} rounds, {tests} tests, {flanks} flanks"
    );
}
