//! A second reading of the two fire tables and of the melee table, written from the rulebook and its rulings and not from
//! the engine: the dice of a volley and of a round of melee in random circumstances, what they need, what divides the
//! casualties, and how many fall.

use fields_of_honor::FieldsOfHonor;
use game::dice::{Dice, Need, QuickDice};
use game::log::Chronicle;
use game::situation::Fact;
use game::{Facts, Fx, Notation, Rules};
use suite::model;

/// A weapon: its name, its ranges where a unit is a battalion, the dice of a stand, smoothbore 1 or improved -1.
struct Weapon(&'static str, [f64; 4], i32, i32);

const SMALL_ARMS: [Weapon; 5] = [
    Weapon("smoothbore musket", [2.0, 3.0, 5.0, 9.0], 1, 1),
    Weapon("rifled musket", [4.0, 7.0, 14.0, 28.0], 1, 0),
    Weapon("improved rifle", [5.0, 9.0, 18.0, 36.0], 1, -1),
    Weapon("rifled carbine", [2.0, 3.0, 5.0, 9.0], 1, 0),
    Weapon("improved carbine", [3.0, 5.0, 9.0, 18.0], 1, -1),
];

const GUNS: [Weapon; 4] = [
    Weapon("6 pdr smoothbore", [6.0, 11.0, 21.0, 41.0], 2, 1),
    Weapon("8-9 pdr smoothbore", [7.0, 13.0, 25.0, 50.0], 3, 1),
    Weapon("12 pdr smoothbore", [7.0, 13.0, 25.0, 50.0], 4, 1),
    Weapon("10 pdr rifled", [16.0, 32.0, 63.0, 125.0], 4, 0),
];

#[derive(Clone, Copy, PartialEq)]
enum Arm {
    Foot,
    Horse,
    Guns,
}

/// Stands in ranks and files.
#[derive(Clone)]
struct Body {
    arm: Arm,
    formation: &'static str,
    stands: i32,
    files: i32,
    /// Inches from stand to stand sideways and from rank to rank.
    pitch: f64,
    gap: f64,
    at: (f64, f64),
    facing: i32,
}

impl Body {
    fn of(arm: Arm, formation: &'static str, stands: i32) -> Body {
        let depth = if arm == Arm::Foot { 0.75 } else { 1.0 };
        let files = match formation {
            "attack" => 2,
            "march" | "limbered" => 1,
            "mob" | "square" => (1..).find(|n| n * n >= stands).unwrap_or(1),
            _ => stands,
        };
        let open = formation == "skirmish" || formation == "extended";
        Body {
            arm,
            formation,
            stands,
            files,
            pitch: if open { 2.0 } else { 1.0 },
            gap: if formation == "skirmish" { depth + 1.0 } else { depth },
            at: (24.0, 0.0),
            facing: 0,
        }
    }

    fn depth(&self) -> f64 {
        if self.arm == Arm::Foot { 0.75 } else { 1.0 }
    }

    /// Right of the middle of the front, and ahead of it.
    fn place(&self, right: f64, ahead: f64) -> (f64, f64) {
        let turn = f64::from(self.facing).to_radians();
        let (x, y) = (turn.sin(), turn.cos());
        (self.at.0 + right * y + ahead * x, self.at.1 - right * x + ahead * y)
    }

    /// The middle of the front of each stand, right and ahead, the front rank first.
    fn offsets(&self) -> Vec<(f64, f64)> {
        (0..self.stands)
            .map(|i| {
                let rank = i / self.files;
                let count = self.files.min(self.stands - rank * self.files);
                let file = i % self.files;
                (f64::from(2 * file - (count - 1)) * self.pitch / 2.0, -f64::from(rank) * self.gap)
            })
            .collect()
    }

    /// Each stand as a box: least and greatest x, least and greatest y.
    fn boxes(&self) -> Vec<[f64; 4]> {
        let corners = |(right, ahead): (f64, f64)| {
            let a = self.place(right - 0.5, ahead);
            let b = self.place(right + 0.5, ahead - self.depth());
            [a.0.min(b.0), a.0.max(b.0), a.1.min(b.1), a.1.max(b.1)]
        };
        self.offsets().into_iter().map(corners).collect()
    }

    /// Its entry in a scenario, up to its rating and flags.
    fn written(&self, id: &str, side: &str) -> String {
        let arm = match self.arm {
            Arm::Foot => "infantry",
            Arm::Horse => "cavalry",
            Arm::Guns => "artillery",
        };
        format!(
            "[[unit]]\nid = \"{id}\"\nside = \"{side}\"\nstands = {}\nat = [{:.3}, {:.3}]\nfacing = {}\narm = \"{arm}\"\nformation = \"{}\"\n",
            self.stands, self.at.0, self.at.1, self.facing, self.formation
        )
    }

    /// Hits that it can take.
    fn strength(&self) -> i32 {
        self.stands
            * match self.arm {
                Arm::Foot => 3,
                Arm::Horse => 2,
                Arm::Guns => 4,
            }
    }

    fn is_column(&self) -> bool {
        ["attack", "march", "limbered"].contains(&self.formation)
    }
}

/// A scenario without its terrain and units.
fn head(scale: &str) -> String {
    format!(
        "system = \"fields-of-honor\"\ntitle = \"Model\"\n[battle]\nscale = \"{scale}\"\ntable = [48, 60]\nyear = 1862\n[options]\norders = false\n\
         [[side]]\nid = \"red\"\nedge = \"south\"\n[[side]]\nid = \"blue\"\nedge = \"north\"\n\
         [[leader]]\nid = \"gr\"\nside = \"red\"\nat = [2, 2]\noverall = true\n[[leader]]\nid = \"gb\"\nside = \"blue\"\nat = [2, 58]\noverall = true\n"
    )
}

struct Case {
    firer: Body,
    weapon: &'static Weapon,
    rating: usize,
    suppressed: bool,
    moved: bool,
    fired_before: bool,
    shrapnel: bool,
    target: Body,
    prone: bool,
    cover: i32,
}

impl Case {
    fn random(mind: &mut QuickDice) -> Case {
        let guns = mind.below(3) == 0;
        let (mut firer, weapon) = if guns {
            let weapon = &GUNS[mind.below(4) as usize];
            (Body::of(Arm::Guns, "unlimbered", 1 + mind.below(2) as i32), weapon)
        } else {
            let weapon = &SMALL_ARMS[mind.below(5) as usize];
            let body = match mind.below(6) {
                0 => Body::of(Arm::Foot, "skirmish", 1 + mind.below(4) as i32),
                1 => Body::of(Arm::Horse, "line", 1 + mind.below(4) as i32),
                2 => Body::of(Arm::Foot, "march", 4),
                _ => Body::of(Arm::Foot, "line", 1 + mind.below(5) as i32),
            };
            (body, weapon)
        };
        let mut target = match mind.below(11) {
            0 => Body::of(Arm::Foot, "extended", 5),
            1 => Body::of(Arm::Foot, "attack", 6),
            2 => Body::of(Arm::Foot, "march", 4),
            3 => Body::of(Arm::Foot, "mob", 9),
            4 => Body::of(Arm::Foot, "skirmish", 5),
            5 => Body::of(Arm::Foot, "square", 9),
            6 => Body::of(Arm::Horse, "line", 5),
            7 => Body::of(Arm::Guns, "unlimbered", 4),
            8 => Body::of(Arm::Guns, "limbered", 2),
            _ => Body::of(Arm::Foot, "line", 6),
        };
        firer.at = (24.0, 14.0);
        let away = 1.5 + f64::from(mind.below((weapon.1[3].min(34.0) * 1_000.0) as u32)) / 1_000.0;
        target.at = (24.0, 14.0 + away);
        target.facing = 180;
        if target.formation == "line" && target.arm == Arm::Foot && mind.below(3) == 0 {
            // Side on, looking past the firer's left or right.
            target.facing = if mind.below(2) == 0 { 90 } else { 270 };
            target.at = (24.0 + f64::from(mind.below(7)) - 3.0, 14.0 + away + 3.0);
        }
        let one_rank = target.files == target.stands && target.facing == 180 && target.stands > 1;
        let prone = target.formation == "line" && target.arm == Arm::Foot && mind.below(4) == 0;
        Case {
            firer,
            weapon,
            rating: mind.below(5) as usize,
            suppressed: mind.below(4) == 0,
            moved: !guns && mind.below(3) == 0,
            fired_before: mind.below(2) == 0,
            shrapnel: guns && mind.below(3) == 0,
            target,
            prone,
            cover: if one_rank { mind.below(4).saturating_sub(1) as i32 } else { 0 },
        }
    }

    fn guns(&self) -> bool {
        self.firer.arm == Arm::Guns
    }

    /// The shortest range, if every firing stand plainly has the target in arc and range.
    fn range(&self) -> Option<f64> {
        let mut least = f64::MAX;
        let round = ["skirmish", "march"].contains(&self.firer.formation);
        let slope = if self.guns() { 30.0_f64 } else { 45.0 }.to_radians().tan();
        let boxes = self.target.boxes();
        for (right, ahead) in self.firer.offsets().into_iter().take(self.firer.files as usize) {
            let from = self.firer.place(right, ahead);
            let nearest = boxes
                .iter()
                .map(|b| (from.0.clamp(b[0], b[1]) - from.0, from.1.clamp(b[2], b[3]) - from.1))
                .min_by(|a, b| a.0.hypot(a.1).total_cmp(&b.0.hypot(b.1)))?;
            let far = nearest.0.hypot(nearest.1);
            if !round && nearest.0.abs() > nearest.1 * slope - 0.02 || far > self.weapon.1[3] - 0.02 {
                return None;
            }
            least = least.min(far);
        }
        let clear = self.weapon.1.iter().all(|band| (least - band).abs() > 0.01);
        clear.then_some(least)
    }

    fn band(&self, range: f64) -> usize {
        self.weapon.1.iter().position(|most| range <= *most).expect("in range")
    }

    /// At least half of the firing stands behind the line of the target's front.
    fn flank(&self) -> bool {
        match self.target.formation {
            "march" | "limbered" => return true,
            "square" => return false,
            _ => {}
        }
        let turn = f64::from(self.target.facing).to_radians();
        let stands = self.firer.offsets();
        let behind = stands.iter().take(self.firer.files as usize).filter(|(right, ahead)| {
            let p = self.firer.place(*right, *ahead - self.firer.depth() / 2.0);
            (p.0 - self.target.at.0) * turn.sin() + (p.1 - self.target.at.1) * turn.cos() < -0.001
        });
        2 * behind.count() >= self.firer.files as usize
    }

    fn dice(&self) -> i32 {
        if self.firer.formation == "march" {
            return 1;
        }
        self.firer.files * (self.weapon.2 + i32::from(self.shrapnel))
    }

    fn hit_number(&self, band: usize) -> i32 {
        let moved = i32::from(self.moved);
        (band as i32 + 2 + self.weapon.3 + moved + i32::from(self.shrapnel)).max(2)
    }

    fn divisor(&self, band: usize) -> i32 {
        let (firer, target) = (&self.firer, &self.target);
        let square = if self.guns() { -2 } else { -1 };
        let sum = 5
            + i32::from(target.formation == "extended" || target.arm == Arm::Guns)
            + i32::from(self.prone)
            + self.cover
            + 2 * i32::from(target.formation == "skirmish")
            + i32::from(self.suppressed)
            + [-2, -1, 0, 1, 2][self.rating]
            - i32::from(target.arm == Arm::Horse)
            - i32::from(target.is_column())
            + if target.formation == "square" { square } else { 0 }
            - i32::from(target.formation == "mob")
            - i32::from(self.flank());
        let own = if self.guns() {
            -2 * i32::from(band == 0)
        } else {
            i32::from(firer.formation == "skirmish") + i32::from(firer.arm == Arm::Horse)
                - i32::from(!self.fired_before)
        };
        (sum + own).max(2)
    }

    fn scenario(&self) -> String {
        let unit = |id: &str, side: &str, body: &Body, weapon: &str, rating: &str, flags: &str| {
            format!(
                "{}weapon = \"{weapon}\"\nfire = \"{rating}\"\nflags = [{flags}]\n",
                body.written(id, side)
            )
        };
        let wall = |kind: &str| {
            let y = self.target.at.1 - 0.25;
            format!("[[terrain]]\nkind = \"{kind}\"\nline = [[8, {y:.3}], [40, {y:.3}]]\n")
        };
        let terrain = match self.cover {
            1 => wall("fence"),
            2 => wall("stone wall"),
            _ => String::new(),
        };
        let skirmish = |body: &Body| if body.formation == "skirmish" { "\"skirmish\"" } else { "" };
        let flags = if self.prone { "\"prone\"" } else { skirmish(&self.target) };
        let disarmed = if self.target.arm == Arm::Guns { "6 pdr smoothbore" } else { "none" };
        format!(
            "{}{terrain}{}{}",
            head("battalion"),
            unit(
                "r",
                "red",
                &self.firer,
                self.weapon.0,
                ["A", "B", "C", "D", "E"][self.rating],
                skirmish(&self.firer)
            ),
            unit("b", "blue", &self.target, disarmed, "C", flags)
        )
    }

    fn position(&self) -> String {
        let state = if self.suppressed { "suppressed" } else { "good" };
        let marks = if self.moved { "\"moved\"" } else { "" };
        format!(
            "[position]\nturn = 2\nphase = \"fire\"\nunit.r = {{ state = \"{state}\", marks = [{marks}], has_fired = {} }}\n",
            self.fired_before
        )
    }
}

#[test]
fn volleys_are_those_of_the_book() {
    let mut mind = QuickDice::new(1859);
    let (mut fired, mut guns, mut hurt, mut flanks) = (0, 0, 0, 0);
    for number in 0..3_000 {
        let case = Case::random(&mut mind);
        let Some(range) = case.range() else { continue };
        let band = case.band(range);
        if case.shrapnel && band == 0 {
            continue;
        }
        let (text, source) = (case.scenario(), case.position());
        let (battle, mut state) = model::build::<FieldsOfHonor>(&text, &source);
        let mut fx = Fx { dice: QuickDice::new(number), log: Chronicle::default() };
        FieldsOfHonor::settle(&battle, &mut state, &mut fx);
        let order = if case.shrapnel { "fire r at b shrapnel" } else { "fire r at b" };
        let action = FieldsOfHonor::read(&battle, &state, order).expect("it reads");
        // Who stood still declares first; the target lets its turn go by.
        if case.moved && !model::may::<FieldsOfHonor>(&battle, &state, order) {
            model::answer::<FieldsOfHonor>(&battle, &mut state, "pass", &mut fx);
            FieldsOfHonor::settle(&battle, &mut state, &mut fx);
        }
        let allowed = FieldsOfHonor::check(&battle, &state, &action);
        assert!(allowed.is_ok(), "case {number}: {allowed:?}\n{text}{source}");
        FieldsOfHonor::answer(&battle, &mut state, &action, &mut fx);
        // On to the end of the phase; the target would fire back if it had anything to fire with in reach.
        for _ in 0..100 {
            if matches!(FieldsOfHonor::upcoming(&battle, &state), Some("melee" | "leader-loss" | "morale")) {
                break;
            }
            if FieldsOfHonor::step(&battle, &mut state, &mut fx) {
                continue;
            }
            let Ok(pass) = FieldsOfHonor::read(&battle, &state, "pass") else { break };
            FieldsOfHonor::answer(&battle, &mut state, &pass, &mut fx);
        }
        let rolls = model::rolls(&fx.log);
        let context = || format!("case {number}, range {range:.3}\n{text}{source}\n{rolls:#?}");
        let need = case.hit_number(band);
        assert_eq!(rolls[0].faces.len() as i32, case.dice(), "{}", context());
        if need <= 6 {
            assert_eq!(rolls[0].need, Some(Need::AtLeast(need as i16)), "{}", context());
        }
        let hits = i32::from(rolls[0].result);
        assert_eq!(
            hits,
            rolls[0].faces.iter().filter(|f| i32::from(**f) >= need).count() as i32,
            "{}",
            context()
        );
        fired += 1;
        guns += usize::from(case.guns());
        flanks += usize::from(case.flank());
        let casualties = if hits == 0 {
            0
        } else {
            let divisor = case.divisor(band);
            assert_eq!(rolls[1].faces.len() as i32, hits, "{}", context());
            let told: i32 = rolls[1].modifiers.iter().map(|m| i32::from(m.value)).sum();
            assert_eq!(told.max(2), divisor, "{}", context());
            rolls[1].faces.iter().map(|f| i32::from(*f)).sum::<i32>() / divisor
        };
        hurt += usize::from(casualties > 0);
        let fresh = FieldsOfHonor::fact(&battle, &state, "b.fresh").expect("a fact");
        assert_eq!(fresh, Fact::Number(casualties.min(case.target.strength()).into()), "{}", context());
    }
    assert!(
        fired > 1_500 && guns > 400 && hurt > 500 && flanks > 200,
        "{fired} fired, {guns} guns, {hurt} hurt, {flanks} flanks"
    );
}

/// Where one of the two in a melee stands, and what it is.
struct Fighter {
    body: Body,
    rating: usize,
    suppressed: bool,
    shaken: bool,
    lances: bool,
    armored: bool,
    won: bool,
    charged: bool,
}

impl Fighter {
    fn random(mind: &mut QuickDice, body: Body) -> Fighter {
        let horse = body.arm == Arm::Horse;
        let shaken = body.formation == "mob" && mind.below(3) == 0;
        Fighter {
            body,
            rating: mind.below(5) as usize,
            suppressed: !shaken && mind.below(4) == 0,
            shaken,
            lances: horse && mind.below(2) == 0,
            armored: horse && mind.below(3) == 0,
            won: false,
            charged: false,
        }
    }

    fn is_loose(&self) -> bool {
        ["mob", "skirmish"].contains(&self.body.formation)
    }

    fn written(&self, id: &str, side: &str) -> String {
        let flags: Vec<&str> = [
            (self.lances, "\"lances\""),
            (self.armored, "\"armored\""),
            (self.body.formation == "skirmish", "\"skirmish\""),
        ]
        .into_iter()
        .filter_map(|(on, word)| on.then_some(word))
        .collect();
        format!(
            "{}melee = \"{}\"\nflags = [{}]\n",
            self.body.written(id, side),
            ["A", "B", "C", "D", "E"][self.rating],
            flags.join(", ")
        )
    }

    fn placed(&self, id: &str) -> String {
        let state = match (self.suppressed, self.shaken) {
            (true, _) => "suppressed",
            (_, true) => "shaken",
            _ => "good",
        };
        let marks = if self.won { "\"won\"" } else { "" };
        format!("unit.{id} = {{ state = \"{state}\", marks = [{marks}] }}\n")
    }
}

/// Do two stretches share more than a point?
fn overlap(a: (f64, f64), b: (f64, f64)) -> bool {
    a.1.min(b.1) - a.0.max(b.0) > 1e-6
}

struct Fight {
    company: bool,
    a: Fighter,
    b: Fighter,
    face: &'static str,
    rounds: i32,
    /// Of a wall or fence before the defender: nothing, light, heavy.
    wall: i32,
    woods: bool,
    uphill: bool,
}

/// Where the attacker's front is.
const FRONT: f64 = 20.0;

impl Fight {
    fn random(mind: &mut QuickDice) -> Fight {
        let company = mind.below(4) == 0;
        let stands = 1 + mind.below(6) as i32;
        let body = match mind.below(5) {
            0 if !company => Body::of(Arm::Foot, "attack", [4, 6, 8, 10][mind.below(4) as usize]),
            1 => Body::of(Arm::Foot, "mob", [4, 6, 9, 12][mind.below(4) as usize]),
            2 => Body::of(Arm::Horse, "line", stands + 2),
            _ => Body::of(Arm::Foot, "line", stands + 2),
        };
        let mut a = Fighter::random(mind, body);
        (a.shaken, a.body.at) = (false, (24.0 + f64::from(mind.below(33)) / 4.0 - 4.0, FRONT));
        let body = match mind.below(8) {
            0 if !company => Body::of(Arm::Foot, "attack", [4, 6, 8, 10][mind.below(4) as usize]),
            1 | 2 => Body::of(Arm::Foot, "mob", [4, 6, 9, 12][mind.below(4) as usize]),
            3 => Body::of(Arm::Foot, "march", 4),
            4 => Body::of(Arm::Foot, ["skirmish", "extended"][mind.below(2) as usize], 4),
            5 => Body::of(Arm::Horse, "line", stands),
            _ => Body::of(Arm::Foot, "line", stands),
        };
        let mut b = Fighter::random(mind, body);
        let face = match mind.below(6) {
            _ if ["skirmish", "extended", "march"].contains(&b.body.formation) => "front",
            0 => "left",
            1 => "right",
            2 => "rear",
            _ => "front",
        };
        b.body.facing = match face {
            "front" => 180,
            "left" => 270,
            "right" => 90,
            _ => 0,
        };
        let boxes = b.body.boxes();
        let low = boxes.iter().map(|s| s[2]).fold(f64::MAX, f64::min);
        let west = boxes.iter().map(|s| s[0]).fold(f64::MAX, f64::min);
        let east = boxes.iter().map(|s| s[1]).fold(f64::MIN, f64::max);
        b.body.at.0 += 24.0 - (west + east) / 2.0;
        b.body.at.1 += FRONT - low;
        let rounds = mind.below(3) as i32;
        a.charged = rounds == 0 && mind.below(3) > 0;
        let (wall, woods) = match mind.below(5) {
            0 => (1 + mind.below(2) as i32, false),
            1 => (0, true),
            _ => (0, false),
        };
        let may_counter = face == "front" && wall == 0 && !woods && !b.shaken && !b.is_loose();
        b.charged = a.charged && may_counter && b.body.formation != "march" && mind.below(3) == 0;
        if rounds > 0 {
            (a.won, b.won) = [(true, false), (false, true), (false, false)][mind.below(3) as usize];
        }
        Fight { company, a, b, face, rounds, wall, woods, uphill: mind.below(5) == 0 }
    }

    /// The defender's stands on the line of the attacker's front.
    fn stands_struck(&self) -> Vec<(f64, f64)> {
        let boxes = self.b.body.boxes();
        boxes.iter().filter(|s| (s[2] - FRONT).abs() < 1e-6).map(|s| (s[0], s[1])).collect()
    }

    /// What the attacker meets of the defender: its stands, of an open line the gaps too.
    fn edge(&self) -> Vec<(f64, f64)> {
        let stands = self.stands_struck();
        if !["extended", "skirmish"].contains(&self.b.body.formation) {
            return stands;
        }
        let west = stands.iter().map(|s| s.0).fold(f64::MAX, f64::min);
        let east = stands.iter().map(|s| s.1).fold(f64::MIN, f64::max);
        vec![(west, east)]
    }

    fn fronts(body: &Body) -> Vec<(f64, f64)> {
        body.boxes().iter().take(body.files as usize).map(|s| (s[0], s[1])).collect()
    }

    /// The whole front of one stand on the enemy, or the whole end of a line covered by one.
    fn touches(&self) -> bool {
        let edge = self.edge();
        Fight::fronts(&self.a.body).into_iter().any(|(west, east)| {
            let within = |x: f64| edge.iter().any(|s| s.0 - 1e-6 <= x && x <= s.1 + 1e-6);
            let covers =
                edge.len() == 1 && edge[0].1 - edge[0].0 < 1.0 && west <= edge[0].0 && east >= edge[0].1;
            covers || (0..=20).all(|i| within(west + (east - west) * f64::from(i) / 20.0))
        })
    }

    /// The dice of a body that fights to its front, and what the stands behind add.
    fn to_the_front(&self, body: &Body, enemy: &[(f64, f64)]) -> (i32, i32) {
        let fronts = Fight::fronts(body);
        let touching: Vec<bool> = fronts.iter().map(|s| enemy.iter().any(|e| overlap(*s, *e))).collect();
        let reach = if body.arm == Arm::Horse { 3 } else { 2 };
        let ranks = body.stands / body.files;
        let deep = if self.company { 1 } else { ranks.min(3) };
        let dice = (0..fronts.len())
            .map(|i| {
                let beside = |j: usize| touching[j] && i.abs_diff(j) <= reach;
                if touching[i] { deep } else { i32::from((0..fronts.len()).any(beside)) }
            })
            .sum();
        (dice, body.stands - dice)
    }

    fn dice_of_attacker(&self) -> (i32, i32) {
        self.to_the_front(&self.a.body, &self.edge())
    }

    fn dice_of_defender(&self) -> (i32, i32) {
        let fronts = Fight::fronts(&self.a.body);
        match self.b.body.formation {
            "skirmish" => {
                // Those within two inches of an enemy stand; all stand on the line of the attacker's front.
                let near = |s: &(f64, f64)| fronts.iter().any(|f| s.0.max(f.0) - s.1.min(f.1) <= 2.0 + 1e-6);
                (self.stands_struck().iter().filter(|s| near(s)).count() as i32, 0)
            }
            "march" => (1, 0),
            _ if self.face != "front" => {
                let touched = |s: &&(f64, f64)| fronts.iter().any(|f| overlap(**s, *f));
                (self.stands_struck().iter().filter(touched).count() as i32, 0)
            }
            _ => self.to_the_front(&self.b.body, &fronts),
        }
    }

    /// At least half of the defender's stands within half an inch of the wall.
    fn walled(&self) -> i32 {
        let boxes = self.b.body.boxes();
        let near = boxes.iter().filter(|s| s[2] - FRONT <= 0.5).count();
        if 2 * near >= boxes.len() { self.wall } else { 0 }
    }

    fn divisor_of_attacker(&self) -> i32 {
        let (a, b) = (&self.a, &self.b);
        let column = b.body.formation == "march";
        let surprised = self.woods && a.charged && a.body.arm == Arm::Horse;
        let sum = 5
            + [-2, -1, 0, 1, 2][a.rating]
            + i32::from(a.suppressed || surprised)
            + self.walled()
            + i32::from(self.uphill)
            + i32::from(b.armored)
            - 2 * i32::from(b.is_loose() && !a.is_loose())
            - i32::from(a.charged && self.walled() == 0 && !self.woods)
            - i32::from(a.won)
            - i32::from(a.lances && self.rounds == 0)
            - match self.face {
                _ if column => 2,
                "left" | "right" => 2,
                "rear" => 1,
                _ => 0,
            };
        sum.max(2)
    }

    fn divisor_of_defender(&self) -> i32 {
        let (a, b) = (&self.a, &self.b);
        let sum = 5
            + [-2, -1, 0, 1, 2][b.rating]
            + i32::from(b.suppressed)
            + 2 * i32::from(b.shaken)
            + 2 * i32::from(b.body.formation == "march")
            + i32::from(a.armored)
            - 2 * i32::from(a.is_loose() && !b.is_loose())
            - i32::from(b.charged)
            - i32::from(b.won)
            - i32::from(b.lances && self.rounds == 0);
        sum.max(2)
    }

    fn scenario(&self) -> String {
        let area = |kind: &str| {
            format!(
                "[[terrain]]\nkind = \"{kind}\"\narea = [[10, {FRONT}], [40, {FRONT}], [40, 40], [10, 40]]\n"
            )
        };
        let line =
            |kind: &str| format!("[[terrain]]\nkind = \"{kind}\"\nline = [[10, {FRONT}], [40, {FRONT}]]\n");
        let mut terrain = match self.wall {
            1 => line("fence"),
            2 => line("stone wall"),
            _ => String::new(),
        };
        if self.woods {
            terrain += &area("light woods");
        }
        if self.uphill {
            terrain += &area("rolling hill");
        }
        let scale = if self.company { "company" } else { "battalion" };
        format!("{}{terrain}{}{}", head(scale), self.a.written("a", "red"), self.b.written("b", "blue"))
    }

    fn position(&self) -> String {
        format!(
            "[position]\nturn = 2\nphase = \"melee\"\n{}{}[[position.melee]]\nattacker = \"a\"\ndefender = \"b\"\nface = \"{}\"\ncharged = {}\ncountered = {}\nrounds = {}\n",
            self.a.placed("a"),
            self.b.placed("b"),
            self.face,
            self.a.charged,
            self.b.charged,
            self.rounds
        )
    }
}

#[test]
fn melees_are_those_of_the_book() {
    let mut mind = QuickDice::new(1871);
    let (mut fought, mut flanked, mut walled, mut behind, mut destroyed) = (0, 0, 0, 0, 0);
    for number in 0..3_000 {
        let fight = Fight::random(&mut mind);
        if !fight.touches() {
            continue;
        }
        let (text, source) = (fight.scenario(), fight.position());
        let (battle, mut state) = model::build::<FieldsOfHonor>(&text, &source);
        let mut fx = Fx { dice: QuickDice::new(number), log: Chronicle::default() };
        while !matches!(FieldsOfHonor::upcoming(&battle, &state), Some("leader-loss" | "morale"))
            && FieldsOfHonor::step(&battle, &mut state, &mut fx)
        {}
        let rolls = model::rolls(&fx.log);
        let context = || format!("case {number}\n{text}{source}\n{rolls:#?}");
        assert_eq!(rolls.len(), 2, "{}", context());
        let sides = [
            (fight.dice_of_attacker(), fight.divisor_of_attacker(), &fight.b, "b"),
            (fight.dice_of_defender(), fight.divisor_of_defender(), &fight.a, "a"),
        ];
        for (roll, ((dice, bonus), divisor, enemy, id)) in rolls.iter().zip(sides) {
            assert_eq!(roll.faces.len() as i32, dice, "at {id}: {}", context());
            let told: i32 = roll.modifiers.iter().map(|m| i32::from(m.value)).sum();
            assert_eq!(told.max(2), divisor, "at {id}: {}", context());
            let hits = (roll.faces.iter().map(|f| i32::from(*f)).sum::<i32>() + bonus) / divisor;
            let fact =
                |of: &str| FieldsOfHonor::fact(&battle, &state, &format!("{id}.{of}")).expect("a fact");
            if hits < enemy.body.strength() {
                assert_eq!(fact("fresh"), Fact::Number(hits.into()), "{id}: {}", context());
            } else {
                assert_eq!(fact("place"), Fact::Text("gone".to_owned()), "{id}: {}", context());
                destroyed += 1;
            }
            behind += usize::from(bonus > 0);
        }
        fought += 1;
        flanked += usize::from(fight.face != "front");
        walled += usize::from(fight.walled() > 0);
    }
    assert!(
        fought > 1_000 && flanked > 250 && walled > 100 && behind > 200 && destroyed > 50,
        "{fought} fought, {flanked} in flank or rear, {walled} at walls, {behind} with stands behind, {destroyed} destroyed"
    );
}
