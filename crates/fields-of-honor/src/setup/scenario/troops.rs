//! `[[leader]]` and `[[unit]]`.

use game::Side;
use game::read::{Field, Section};
use table::{Angle, INCH, MIL, Pose, Pt};

use super::places::{facing, point, thousandths_within, units};
use super::{MAX_UNITS, Reader};
use crate::rules::basics::{Arm, Formation, MAX_STANDS, Shape};
use crate::rules::charts::{ArmRow, Rating, to_units};
use crate::setup::ground::TableEdge;
use crate::setup::pieces::{Arrival, BmuInfo, LeaderInfo, Weapon, WeaponKind};
use crate::state::{Body, Command, Leader, LeaderId, MAX_BODIES, Marks, Part, Personality, Where};

const FLAGS: [&str; 20] = [
    "skirmish",
    "lances",
    "armored",
    "breechloader",
    "repeater",
    "shrapnel",
    "no shrapnel",
    "civilian drivers",
    "scout",
    "sapper",
    "rush",
    "late",
    "telescope",
    "binoculars",
    "hidden",
    "prone",
    "on-wall",
    "improved",
    "bayonet",
    "bodyguard",
];

impl<'d> Reader<'_, 'd> {
    pub(super) fn leaders(&mut self) {
        for section in self.sheet.field("leader").sections() {
            self.leader(&section);
            section.finish();
        }
    }

    fn leader(&mut self, section: &Section<'d>) -> Option<()> {
        let id = section.field("id").required().id();
        let name = section.field("name").text();
        let side = self.side(&section.field("side"));
        let overall = section.field("overall").truth().unwrap_or(false);
        let competent = section.field("competent").truth().unwrap_or(true);
        let personality = section.field("personality").one_of(&Personality::NAMES);
        let at = point(&self.head.top, &section.field("at"));
        let order = section.field("order").one_of(&Command::NAMES).map(|i| Command::ALL[i]);
        let marker = point(&self.head.top, &section.field("marker"));
        let guard = Some(section.field("bodyguard")).filter(Field::is_present);
        let with = Some(section.field("with")).filter(Field::is_present);
        let rolled = section.field("rolled").truth().unwrap_or(false);
        let (id, side) = (id?, side?);
        if self.leaders.iter().any(|l| l.id == id) {
            section.field("id").fault(format!("there are two leaders `{id}`"), "an id of its own");
        }
        if !section.field("at").is_present() && with.is_none() {
            section.fault("the leader has no place", "`at = [x, y]`, or `with`");
        }
        if self.men.is_full() {
            section.fault("there are too many leaders", "20 at the most");
            return None;
        }
        let usual = if self.head.attacker == Some(side) { Command::Attack } else { Command::Defend };
        let at = at.unwrap_or_default().spot();
        let mut man = Leader::new(at, order.unwrap_or(usual), marker.map_or(at, Pt::spot));
        man.incompetent = !competent;
        man.personality = personality.map_or(Personality::Typical, |i| Personality::ALL[i]);
        if with.is_some() {
            man.place = Where::Coming;
        }
        self.men.push(man);
        self.leaders.push(LeaderInfo {
            name: name.unwrap_or_else(|| id.clone()),
            id,
            side,
            overall,
            bodyguard: None,
            arrives_with: None,
            rolled,
        });
        self.bodyguards.push(guard);
        self.withs.push(with);
        Some(())
    }

    pub(super) fn units(&mut self) {
        let sections = self.sheet.field("unit").sections();
        if let Some(extra) = sections.get(MAX_UNITS) {
            extra.fault("there are too many units", format!("{MAX_UNITS} at the most"));
        }
        for section in sections.iter().take(MAX_UNITS) {
            self.unit(section);
            section.finish();
        }
        for i in 0..self.leaders.len() {
            let guard = self.bodyguards[i].take();
            self.leaders[i].bodyguard = guard.and_then(|field| self.unit_of(&field, self.leaders[i].side));
            let with = self.withs[i].take();
            self.leaders[i].arrives_with = with.and_then(|field| self.unit_of(&field, self.leaders[i].side));
        }
    }

    /// A unit of that side by its id.
    fn unit_of(&self, field: &Field<'d>, side: Side) -> Option<u8> {
        let id = field.text()?;
        let found = self.bmus.iter().position(|b| b.id == id && b.side == side);
        if found.is_none() {
            field.fault(format!("there is no unit `{id}` on his side"), "the id of a unit");
        }
        found.map(|i| i as u8)
    }

    fn unit(&mut self, section: &Section<'d>) -> Option<()> {
        let id = section.field("id").required().id();
        let name = section.field("name").text();
        let side = self.side(&section.field("side"));
        let leader = self.commander(section, side);
        let arm = section.field("arm").one_of(&Arm::NAMES).map_or(Arm::Infantry, |i| Arm::ALL[i]);
        let stands = section.field("stands").required().integer(1..=MAX_STANDS as i64);
        let men = section.field("men").integer(1..=9999).unwrap_or(0);
        let mut weapon = self.weapon(&section.field("weapon"));
        let rating = |key: &'d str| section.field(key).one_of(&Rating::NAMES).map(|i| Rating::ALL[i]);
        let (morale, fire, melee) = (rating("morale"), rating("fire"), rating("melee"));
        let flags = section.field("flags");
        let words = flags.texts();
        let has = |word: &str| words.iter().any(|w| w == word);
        for word in words.iter().filter(|w| !FLAGS.contains(&w.as_str())) {
            flags.fault(format!("`{word}` is no flag"), format!("one of {}", FLAGS.join(", ")));
        }
        let formation = section.field("formation").one_of(&Formation::NAMES).map(|i| Formation::ALL[i]);
        let files = section.field("files").integer(1..=12).unwrap_or(0) as u8;
        let at = point(&self.head.top, &section.field("at"));
        let face = facing(&section.field("facing")).unwrap_or_default();
        let arrival = self.arrival(section, face);
        let groups = section.field("groups").sections();
        let (id, side, stands) = (id?, side?, stands? as u8);
        self.id_is_free(section, &id);
        arm_fits(section, arm, &weapon, formation);
        weapon.improved |= has("improved");
        let usual = if arm.is_artillery() { Formation::Unlimbered } else { Formation::Line };
        let formation = formation.unwrap_or(usual);
        let bmu = self.bmus.len() as u8;
        let morale = morale.unwrap_or(Rating::C);
        // From 1830 on every battery of guns has shrapnel unless it is said to have none (G32).
        let usual = self.head.year >= 1830 && weapon.kind.has_canister() && !has("no shrapnel");
        let shrapnel = self.on.shrapnel && (has("shrapnel") || usual);
        self.bmus.push(BmuInfo {
            name: name.unwrap_or_else(|| id.clone()),
            id,
            side,
            leader,
            arm,
            men,
            stands,
            fire: fire.or(Some(Rating::C)).filter(|_| weapon.kind != WeaponKind::None),
            weapon,
            morale,
            melee: melee.unwrap_or(Rating::C),
            skirmish: has("skirmish"),
            lances: has("lances"),
            armored: has("armored"),
            breechloader: has("breechloader"),
            repeater: has("repeater"),
            shrapnel,
            civilian_drivers: has("civilian drivers"),
            scout: has("scout"),
            sapper: has("sapper"),
            rush: has("rush") || self.on.rush,
            late: self.on.late && (has("late") || has("skirmish")),
            telescope: has("telescope"),
            binoculars: has("binoculars") || self.head.year >= 1850,
            poor: morale >= Rating::D,
            arrival,
        });
        let place = if arrival.is_some() { Where::Coming } else { Where::Table };
        let marks = self.marks_of(&words);
        let pose = Pose { at: at.unwrap_or_default().spot(), facing: face };
        let shape = Shape::of(formation, arm, stands, files);
        let body = Body { place, marks, ..Body::new(bmu, pose, shape, stands) };
        if groups.is_empty() {
            if !section.field("at").is_present() && arrival.is_none() {
                section.fault("the unit has no place", "`at = [x, y]`, or `arrives`");
            }
            return self.body(section, body);
        }
        groups.iter().try_for_each(|group| self.group(group, body, arm))
    }

    /// A group of stands on a segment of a wall.
    fn group(&mut self, group: &Section<'d>, of: Body, arm: Arm) -> Option<()> {
        let at = point(&self.head.top, &group.field("at").required()).unwrap_or_default().spot();
        let face = facing(&group.field("facing")).unwrap_or_default();
        let strength = group.field("stands").integer(1..=12).unwrap_or(1) as u8;
        let shape = Shape::of(Formation::Line, arm, strength, 0);
        let mut body = Body { part: Part::Group, pose: Pose { at, facing: face }, strength, shape, ..of };
        if let Some(pitch) = thousandths_within(&group.field("pitch"), 500, 12_000) {
            body.shape.pitch = pitch as u16;
        }
        if group.field("raised").truth().unwrap_or(false) {
            body.marks.set(Marks::ON_WALL);
        }
        group.finish();
        self.body(group, body)
    }

    /// The marks a unit begins with; where nobody looks for markers everybody sees who hides.
    fn marks_of(&self, flags: &[String]) -> Marks {
        let mut marks = Marks::default();
        for (word, mark) in [("hidden", Marks::HIDDEN), ("prone", Marks::PRONE), ("on-wall", Marks::ON_WALL)]
        {
            if flags.iter().any(|flag| flag == word) {
                marks.set(mark);
            }
        }
        if !self.on.sighting && marks.has(Marks::HIDDEN) {
            marks.set(Marks::SPOTTED);
        }
        marks
    }

    /// Nobody else is called that.
    fn id_is_free(&self, section: &Section<'d>, id: &str) {
        if self.bmus.iter().any(|b| b.id == id) {
            section.field("id").fault(format!("there are two units `{id}`"), "an id of its own");
        }
        if self.leaders.iter().any(|l| l.id == id) {
            section.field("id").fault(format!("a leader is called `{id}`"), "an id of its own");
        }
    }

    fn body(&mut self, section: &Section<'d>, body: Body) -> Option<()> {
        if self.bodies.try_push(body).is_err() {
            let most = MAX_BODIES;
            section.fault("there are too many units and groups", format!("{most} at the most"));
            return None;
        }
        Some(())
    }

    /// Its sub-commander, if it names one.
    fn commander(&self, section: &Section<'d>, side: Option<Side>) -> Option<LeaderId> {
        let field = section.field("leader");
        let id = field.text()?;
        let found = self.leaders.iter().position(|l| l.id == id && side.is_none_or(|s| s == l.side));
        if found.is_none() {
            field.fault(format!("there is no leader `{id}` on its side"), "the id of a leader");
        }
        found.map(|i| LeaderId(i as u8))
    }

    fn arrival(&self, section: &Section<'d>, facing: Angle) -> Option<Arrival> {
        let inner = section.field("arrives").section()?;
        let turn = inner.field("turn").required().integer(1..=i64::from(self.head.turns));
        let edge = inner.field("edge").required().one_of(&TableEdge::NAMES);
        let top = self.head.top;
        let length = match edge.map(|i| TableEdge::ALL[i]) {
            Some(TableEdge::East | TableEdge::West) => top.height,
            Some(TableEdge::North | TableEdge::South) => top.width,
            None => top.width.max(top.height),
        };
        let from = thousandths_within(&inner.field("from").required(), 0, length / MIL);
        let to = thousandths_within(&inner.field("to").required(), 0, length / MIL);
        inner.finish();
        if from > to && to.is_some() {
            inner.field("to").fault("`to` is before `from`", "the larger of the two");
        }
        Some(Arrival {
            turn: turn? as u8,
            edge: TableEdge::ALL[edge?],
            from: units(from?),
            to: units(to?),
            facing,
        })
    }

    fn weapon(&self, field: &Field<'d>) -> Weapon {
        let mut none = Weapon {
            name: "melee weapons".to_owned(),
            kind: WeaponKind::None,
            smoothbore: false,
            improved: false,
            ranges: [0; 4],
            dice: 0,
        };
        let Some(name) = field.text().filter(|n| n != "none") else { return none };
        let dice = &self.tables.fire.artillery.attack_dice;
        none.name = name.clone();
        let inches = |row: [i64; 4]| row.map(|i| i * INCH);
        let arm_row = |name: &str| self.tables.small_arm.iter().find(|a| a.name == name);
        let arm_ranges =
            |row: &ArmRow| [row.company, row.battalion, row.regiment][self.scale as usize].map(to_units);
        let gun = |name: &str, class: &str| {
            let row = self.tables.field_gun.iter().find(|g| g.name == name && g.class == class)?;
            Some((inches([row.company, row.battalion, row.regiment][self.scale as usize]), row.dice))
        };
        if let Some(row) = arm_row(&name) {
            let kind = if name == "bow" { WeaponKind::Bow } else { WeaponKind::SmallArm };
            return Weapon {
                kind,
                smoothbore: row.smoothbore,
                improved: row.improved,
                ranges: arm_ranges(row),
                dice: 1,
                ..none
            };
        }
        // G27-G29: machine guns shoot as far as improved rifles, rockets as a smoothbore 6 pdr, position guns as a 12 pdr.
        let improved = arm_row("improved rifle").map_or([0; 4], arm_ranges);
        let machine = |kind| Weapon { kind, ranges: improved, dice: dice.machine_gun, ..none.clone() };
        match name.as_str() {
            "early machine gun" => return machine(WeaponKind::EarlyMachineGun),
            "late machine gun" => return machine(WeaponKind::LateMachineGun),
            "rockets" => {
                let (ranges, light) = gun("6 pdr", "smoothbore").unwrap_or(([0; 4], dice.light));
                let dice = light + dice.rockets_bonus;
                return Weapon { kind: WeaponKind::Rockets, smoothbore: true, ranges, dice, ..none };
            }
            "position gun" => {
                let (ranges, _) = gun("12 pdr", "smoothbore").unwrap_or(([0; 4], 0));
                return Weapon {
                    kind: WeaponKind::Position,
                    smoothbore: true,
                    ranges,
                    dice: dice.position,
                    ..none
                };
            }
            _ => {}
        }
        if let Some((piece, class)) = name.rsplit_once(' ')
            && let Some((ranges, dice)) = gun(piece, class)
        {
            return Weapon { kind: WeaponKind::Gun, smoothbore: class == "smoothbore", ranges, dice, ..none };
        }
        let mut known: Vec<String> = self.tables.small_arm.iter().map(|a| a.name.clone()).collect();
        known.extend(self.tables.field_gun.iter().map(|g| format!("{} {}", g.name, g.class)));
        known.extend(
            ["early machine gun", "late machine gun", "rockets", "position gun", "none"].map(str::to_owned),
        );
        field.fault(format!("there is no weapon `{name}`"), format!("one of {}", known.join(", ")));
        none
    }
}

/// Guns have the weapons and formations of guns, and nobody else has.
fn arm_fits(section: &Section<'_>, arm: Arm, weapon: &Weapon, formation: Option<Formation>) {
    let (name, guns) = (Arm::NAMES[arm as usize], arm.is_artillery());
    if weapon.kind != WeaponKind::None && weapon.kind.is_artillery() != guns {
        let fitting = if guns { "a gun, rockets or a machine gun" } else { "a small arm, or none" };
        section.field("weapon").fault(format!("{name} does not fight with `{}`", weapon.name), fitting);
    }
    let of_guns = |f: Formation| matches!(f, Formation::Unlimbered | Formation::Limbered);
    if formation.is_some_and(|f| of_guns(f) != guns) {
        let fitting = if guns {
            "unlimbered or limbered"
        } else {
            "one of line, extended, attack, march, mob, skirmish, square"
        };
        section.field("formation").fault(format!("{name} has no such formation"), fitting);
    }
}
