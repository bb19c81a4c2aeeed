//! Reading a scenario file.

use arrayvec::ArrayVec;
use game::board::TerrainPiece;
use game::read::{self, Field, Section};
use game::{BySide, Faults, Options, Side};
use table::{Angle, Area, INCH, Line, MIL, Pose, Pt, TableTop};

use crate::basics::{Arm, Formation, MAX_STANDS, Shape};
use crate::battle::{
    Arrival, Battle, BmuInfo, Cover, Ground, LeaderInfo, Linear, Rates, Score, SideInfo, Sudden, Switches,
    TableEdge, Weapon, WeaponKind, What, When, Woods, leader_at,
};
use crate::sequence::{Phase, Step};
use crate::state::{Bmu, Body, Command, Go, Leader, LeaderId, Marks, Order, Part, Personality, State, Where};
use crate::tables::{Rating, Scale, Tables, to_units};

/// The keys of a scenario file.
const KEYS: &[&str] = &["battle", "side", "terrain", "leader", "unit", "score", "sudden"];

/// The sides of a table, in thousandths of an inch.
const TABLE_SIDES: std::ops::RangeInclusive<i64> = 12_000..=240_000;
const MAX_UNITS: usize = 48;
const MAX_TERRAIN: usize = 64;
/// One bit each in [`State::scored`].
const MAX_SCORES: usize = 32;
/// As many as [`State::held`] has room for.
const MAX_POINTS_HELD: usize = 12;
/// One bit each in [`State::revealed`].
const MAX_UNSEEN: usize = 32;

/// Reads a scenario, or the scenario that a situation holds.
///
/// # Errors
/// Every fault at once.
pub(crate) fn compile(source: &str, options: &Options) -> Result<Battle, Faults> {
    read::document(source, |sheet| {
        sheet.ignore(game::situation::KEYS);
        sheet.ignore(KEYS);
        let title = sheet.field("title").required().text();
        let head = sheet.field("battle").required().section();
        let switches = read_switches(sheet, options);
        let mut reader = Reader::new(sheet, head.as_ref()?, switches)?;
        reader.terrain();
        reader.leaders();
        reader.units();
        reader.scores();
        head?.finish();
        // A situation shows one rule on as little ground and with as few troops as it needs.
        let is_situation = ["position", "step"].into_iter().any(|key| sheet.field(key).is_present());
        let battle = reader.finish(title?)?;
        if !is_situation {
            muster_faults(sheet, &battle);
        }
        Some(battle)
    })
}

fn read_switches(sheet: &Section<'_>, overriding: &Options) -> Switches {
    let mut all = Options::new();
    if let Some(section) = sheet.field("options").section() {
        for (name, field) in section.entries() {
            if Switches::LIST.iter().any(|(known, _, _)| *known == name) {
                all.extend(field.truth().map(|on| (name, on)));
            } else {
                let known: Vec<&str> = Switches::LIST.iter().map(|(n, _, _)| *n).collect();
                field.fault(format!("there is no option `{name}`"), format!("one of {}", known.join(", ")));
            }
        }
    }
    for name in overriding.keys().filter(|name| Switches::LIST.iter().all(|(known, _, _)| known != name)) {
        let known: Vec<&str> = Switches::LIST.iter().map(|(n, _, _)| *n).collect();
        sheet.fault(format!("there is no option `{name}`"), format!("one of {}", known.join(", ")));
    }
    all.extend(overriding.iter().map(|(k, v)| (k.clone(), *v)));
    Switches::from(&all)
}

struct Reader<'a, 'd> {
    sheet: &'a Section<'d>,
    scale: Scale,
    tables: Tables,
    on: Switches,
    head: Head,
    sides: BySide<SideInfo>,
    areas: Vec<Ground>,
    lines: Vec<Linear>,
    pieces: Vec<TerrainPiece>,
    leaders: Vec<LeaderInfo>,
    men: ArrayVec<Leader, { crate::state::MAX_LEADERS }>,
    bmus: Vec<BmuInfo>,
    bodies: ArrayVec<Body, { crate::state::MAX_BODIES }>,
    scores: Vec<Score>,
    sudden: Vec<Sudden>,
    /// What each leader's `bodyguard` and `with` say, until the units are known.
    bodyguards: Vec<Option<Field<'d>>>,
    withs: Vec<Option<Field<'d>>>,
    slots: usize,
}

struct Head {
    subtitle: String,
    blurb: String,
    year: i64,
    top: TableTop,
    turns: u8,
    attacker: Option<Side>,
    margin: i32,
}

fn units(mils: i64) -> i64 {
    mils * MIL
}

/// Two numbers in thousandths of an inch.
fn pair(field: &Field<'_>) -> Option<(i64, i64)> {
    if !field.is_present() {
        return None;
    }
    let written = field.list();
    let numbers: Vec<i64> = written.iter().filter_map(Field::thousandths).collect();
    match numbers.as_slice() {
        [x, y] if written.len() == 2 => Some((*x, *y)),
        // A number that could not be read has its own fault.
        _ if written.len() == 2 => None,
        _ => {
            field.fault("a place is two numbers", "a list like [12, 7.5]");
            None
        }
    }
}

/// A place on the table.
fn point(top: &TableTop, field: &Field<'_>) -> Option<Pt> {
    let (x, y) = pair(field)?;
    let (width, height) = (top.width / MIL, top.height / MIL);
    if !(0..=width).contains(&x) || !(0..=height).contains(&y) {
        field.fault(
            "this place is off the table",
            format!("0 to {} across and 0 to {} up", inches(width), inches(height)),
        );
        return None;
    }
    Some(Pt::new(units(x), units(y)))
}

/// The corners of an outline or a line, all on the table.
fn points(top: &TableTop, field: &Field<'_>) -> Vec<Pt> {
    field.list().iter().filter_map(|corner| point(top, corner)).collect()
}

/// Thousandths as they are written: 7500 is 7.5.
fn inches(mils: i64) -> String {
    let text = format!("{}.{:03}", mils / 1000, mils % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Width and depth of the table.
fn table_top(field: &Field<'_>) -> Option<TableTop> {
    let (width, height) = pair(field)?;
    if !TABLE_SIDES.contains(&width) || !TABLE_SIDES.contains(&height) {
        let (least, most) = (inches(*TABLE_SIDES.start()), inches(*TABLE_SIDES.end()));
        field.fault(
            format!("a table of {} by {} inches", inches(width), inches(height)),
            format!("two numbers from {least} to {most}"),
        );
        return None;
    }
    Some(TableTop { width: units(width), height: units(height) })
}

/// A number of thousandths within bounds.
fn thousandths_within(field: &Field<'_>, least: i64, most: i64) -> Option<i64> {
    let number = field.thousandths()?;
    if !(least..=most).contains(&number) {
        field.fault("this number is out of range", format!("{} to {}", inches(least), inches(most)));
        return None;
    }
    Some(number)
}

/// Degrees to the right of the table's top.
fn facing(field: &Field<'_>) -> Option<Angle> {
    thousandths_within(field, -360_000, 360_000).map(|t| Angle::hundredths((t / 10) as i32))
}

impl<'a, 'd> Reader<'a, 'd> {
    fn new(sheet: &'a Section<'d>, head: &Section<'d>, on: Switches) -> Option<Self> {
        let scale = Scale::ALL[head.field("scale").required().one_of(&Scale::NAMES)?];
        let top = table_top(&head.field("table").required())?;
        let sides = read_sides(sheet, &top)?;
        let attacker = match head.field("attacker").text().as_deref() {
            None | Some("none") => None,
            Some(id) => {
                let side = Side::BOTH.into_iter().find(|s| sides[*s].id == id);
                if side.is_none() {
                    head.field("attacker")
                        .fault(format!("there is no side `{id}`"), "the id of a side, or none");
                }
                side
            }
        };
        let head = Head {
            subtitle: head.field("subtitle").text().unwrap_or_default(),
            blurb: head.field("blurb").text().unwrap_or_default(),
            year: head.field("year").integer(1700..=1914).unwrap_or(1862),
            top,
            turns: head.field("turns").integer(1..=60).unwrap_or(12) as u8,
            attacker,
            margin: head.field("margin").integer(1..=20).unwrap_or(1) as i32,
        };
        Some(Reader {
            sheet,
            scale,
            tables: Tables::shipped(),
            on,
            head,
            sides,
            areas: Vec::new(),
            lines: Vec::new(),
            pieces: Vec::new(),
            leaders: Vec::new(),
            men: ArrayVec::new(),
            bmus: Vec::new(),
            bodies: ArrayVec::new(),
            scores: Vec::new(),
            sudden: Vec::new(),
            bodyguards: Vec::new(),
            withs: Vec::new(),
            slots: 0,
        })
    }

    fn side(&self, field: &Field<'d>) -> Option<Side> {
        let ids = [self.sides.first.id.as_str(), self.sides.second.id.as_str()];
        field.clone().required().one_of(&ids).map(|i| Side::BOTH[i])
    }

    fn terrain(&mut self) {
        let sections = self.sheet.field("terrain").sections();
        if let Some(extra) = sections.get(MAX_TERRAIN) {
            extra.fault("there are too many pieces of terrain", format!("{MAX_TERRAIN} at the most"));
        }
        for section in sections.iter().take(MAX_TERRAIN) {
            self.terrain_piece(section);
            section.finish();
        }
    }

    fn terrain_piece(&mut self, section: &Section<'d>) {
        let Some(kind) = section.field("kind").required().text() else {
            section.leave();
            return;
        };
        let name = section.field("name").text().unwrap_or_else(|| kind.clone());
        let cover = section.field("cover").one_of(&Cover::NAMES).map(|i| Cover::ALL[i]);
        let level = section.field("level").integer(-3..=9).unwrap_or(0) as i8;
        let width = thousandths_within(&section.field("width"), 0, 24_000).unwrap_or(0);
        let area = points(&self.head.top, &section.field("area"));
        let line = points(&self.head.top, &section.field("line"));
        let closed = section.field("closed").texts();
        // Only where one side defends can ground be unknown to the other.
        let hides = self.on.hidden_terrain && self.head.attacker.is_some();
        let unseen = section.field("unseen").truth().unwrap_or(false) && hides;
        let linear = LinearMore::read(section);
        let shape = if area.is_empty() { &line } else { &area };
        // Ground that the attacker does not know yet is no part of the board; the view marks it for those who do.
        self.pieces.extend((!unseen).then(|| TerrainPiece {
            kind: board_kind(&kind),
            name: section.field("name").text(),
            points: shape.iter().map(|p| [(p.x / MIL) as i32, (p.y / MIL) as i32]).collect(),
            closed: !area.is_empty(),
            width: width as i32,
            says: String::new(),
        }));
        if !area.is_empty() || width > 0 {
            let made =
                if area.is_empty() { Area::ribbon(&line, units(width)) } else { Area::new(area.clone()) };
            let Some(made) = made else {
                section.fault(format!("`{name}` has no inside"), "a simple outline, or a line with a width");
                return;
            };
            let Some(ground) = self.ground(section, name.clone(), &kind, made, level, cover, &closed, unseen)
            else {
                return;
            };
            let building = ground.building;
            if unseen && self.areas.len() >= MAX_UNSEEN {
                section.fault(
                    "ground that is not seen stands too far down",
                    format!("among the first {MAX_UNSEEN}"),
                );
            }
            self.areas.push(ground);
            if building && self.on.forts {
                let mut ring = area;
                ring.extend(ring.first().copied());
                self.line(section, name, "wall", ring, cover, linear);
            }
        } else if !line.is_empty() {
            self.line(section, name, &kind, line, cover, linear);
        } else {
            section
                .fault(format!("`{name}` has no shape"), "`area = [[x, y], ...]` or `line = [[x, y], ...]`");
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn ground(
        &self,
        section: &Section<'d>,
        name: String,
        kind: &str,
        area: Area,
        level: i8,
        cover: Option<Cover>,
        closed: &[String],
        unseen: bool,
    ) -> Option<Ground> {
        let row = self.tables.terrain.iter().find(|r| r.name == kind);
        let building = kind == "building";
        if row.is_none() && !building {
            let known: Vec<&str> = self.tables.terrain.iter().map(|r| r.name.as_str()).collect();
            section.fault(
                format!("`{kind}` is no kind of ground"),
                format!("one of {}, building", known.join(", ")),
            );
            return None;
        }
        let woods = match kind {
            "light woods" => Some(Woods::Light),
            "medium woods" => Some(Woods::Medium),
            "heavy woods" => Some(Woods::Heavy),
            _ => None,
        };
        let hill = kind.ends_with("hill");
        let usual = match kind {
            _ if building => Cover::Heavy,
            _ if woods.is_some() => Cover::Light,
            "rough" | "depression" => Cover::Light,
            _ => Cover::None,
        };
        let reveal = row.and_then(|r| r.reveal_yards);
        let yards = self.tables.scale.of(self.scale).yards_per_inch;
        Some(Ground {
            name,
            kind: kind.to_owned(),
            area,
            level: if hill { level.max(1) } else { level },
            cover: cover.unwrap_or(usual),
            cost: row.map_or(4, crate::tables::TerrainRow::doubled),
            suppress: row.is_some_and(|r| r.suppress),
            woods,
            hill,
            road: kind == "road",
            building,
            closed_to_guns: building || closed.iter().any(|c| c == "artillery"),
            closed_to_cavalry: building || closed.iter().any(|c| c == "cavalry"),
            unseen: reveal.filter(|_| unseen).map(|y| y * INCH / yards),
            rough: kind != "clear" && kind != "road",
        })
    }

    fn line(
        &mut self,
        section: &Section<'d>,
        name: String,
        kind: &str,
        line: Vec<Pt>,
        cover: Option<Cover>,
        more: LinearMore,
    ) {
        let Some(line) = Line::new(line) else {
            section.fault(format!("`{name}` is no line"), "two corners or more");
            return;
        };
        let (usual, fort, high) = match kind {
            "obstacle" => (Cover::None, false, false),
            "fence" => (Cover::Light, false, false),
            "stone wall" => (Cover::Heavy, false, false),
            "wall" => (Cover::Heavy, true, false),
            "high wall" => (Cover::Heavy, true, true),
            _ => {
                section.fault(
                    format!("`{kind}` is no kind of line"),
                    "one of obstacle, fence, stone wall, wall, high wall, or a ground with a width",
                );
                return;
            }
        };
        self.lines.push(Linear {
            name,
            line,
            cover: cover.unwrap_or(usual),
            fort: fort && self.on.forts,
            raised: more.raised,
            high,
            stone: more.stone,
            gates: more.gates,
            ladders: more.ladders,
            from_turn: more.from_turn,
            until_turn: more.until_turn,
        });
    }

    fn leaders(&mut self) {
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
        let mut man = leader_at(at, order.unwrap_or(usual), marker.map_or(at, Pt::spot));
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

    fn units(&mut self) {
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
        let leader = leader?;
        if self.bmus.iter().any(|b| b.id == id) {
            section.field("id").fault(format!("there are two units `{id}`"), "an id of its own");
        }
        if self.leaders.iter().any(|l| l.id == id) {
            section.field("id").fault(format!("a leader is called `{id}`"), "an id of its own");
        }
        if weapon.kind != WeaponKind::None && weapon.kind.is_artillery() != arm.is_artillery() {
            let fitting =
                if arm.is_artillery() { "a gun, rockets or a machine gun" } else { "a small arm, or none" };
            section.field("weapon").fault(
                format!("{} does not fight with `{}`", Arm::NAMES[arm as usize], weapon.name),
                fitting,
            );
        }
        if formation
            .is_some_and(|f| matches!(f, Formation::Unlimbered | Formation::Limbered) != arm.is_artillery())
        {
            let fitting = if arm.is_artillery() {
                "unlimbered or limbered"
            } else {
                "one of line, extended, attack, march, mob, skirmish, square"
            };
            section
                .field("formation")
                .fault(format!("{} has no such formation", Arm::NAMES[arm as usize]), fitting);
        }
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
        let mut marks = Marks::default();
        for (word, mark) in [("hidden", Marks::HIDDEN), ("prone", Marks::PRONE), ("on-wall", Marks::ON_WALL)]
        {
            if has(word) {
                marks.set(mark);
            }
        }
        let mut body = Body {
            bmu,
            part: Part::Main,
            place,
            pose: Pose { at: at.unwrap_or_default().spot(), facing: face },
            shape: Shape::of(formation, arm, stands, files),
            strength: stands,
            lost: 0,
            fresh: 0,
            order: Order::Good,
            marks,
            other: None,
            worst: 0,
            given: 0,
        };
        if groups.is_empty() {
            if !section.field("at").is_present() && arrival.is_none() {
                section.fault("the unit has no place", "`at = [x, y]`, or `arrives`");
            }
            return self.body(section, body);
        }
        for group in groups {
            body.part = Part::Group;
            body.pose.at = point(&self.head.top, &group.field("at").required()).unwrap_or_default().spot();
            body.pose.facing = facing(&group.field("facing")).unwrap_or_default();
            body.strength = group.field("stands").integer(1..=12).unwrap_or(1) as u8;
            body.shape = Shape::of(Formation::Line, arm, body.strength, 0);
            if let Some(pitch) = thousandths_within(&group.field("pitch"), 500, 12_000) {
                body.shape.pitch = pitch as u16;
            }
            body.marks = marks;
            if group.field("raised").truth().unwrap_or(false) {
                body.marks.set(Marks::ON_WALL);
            }
            group.finish();
            self.body(&group, body)?;
        }
        Some(())
    }

    fn body(&mut self, section: &Section<'d>, body: Body) -> Option<()> {
        if self.bodies.try_push(body).is_err() {
            let most = crate::state::MAX_BODIES;
            section.fault("there are too many units and groups", format!("{most} at the most"));
            return None;
        }
        Some(())
    }

    fn commander(&self, section: &Section<'d>, side: Option<Side>) -> Option<LeaderId> {
        let field = section.field("leader");
        match field.text() {
            Some(id) => {
                let found = self.leaders.iter().position(|l| l.id == id && side.is_none_or(|s| s == l.side));
                if found.is_none() {
                    field.fault(format!("there is no leader `{id}` on its side"), "the id of a leader");
                }
                found.map(|i| LeaderId(i as u8))
            }
            None => Some(LeaderId(u8::MAX)),
        }
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
        let arm_ranges = |row: &crate::tables::ArmRow| {
            [row.company, row.battalion, row.regiment][self.scale as usize].map(to_units)
        };
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

    fn scores(&mut self) {
        let sections = self.sheet.field("score").sections();
        if let Some(extra) = sections.get(MAX_SCORES) {
            extra.fault("there are too many scores", format!("{MAX_SCORES} at the most"));
        }
        let mut kept = Vec::new();
        for section in sections.iter().take(MAX_SCORES) {
            if self.score(section).is_some() {
                section.finish();
            }
            kept.push(section.field("names"));
        }
        for section in self.sheet.field("sudden").sections() {
            self.sudden_end(&section);
            section.finish();
            kept.push(section.field("holds"));
        }
        kept.iter().for_each(|names| self.must_be_held(names));
    }

    /// `names` and `holds` list scores for ground that is held.
    fn must_be_held(&self, names: &Field<'d>) {
        for item in names.list() {
            let Some(name) = item.text() else { continue };
            let held = |s: &&Score| matches!(s.what, What::HoldArea { .. } | What::HoldPoint { .. });
            if !self.scores.iter().filter(held).any(|s| s.name == name) {
                item.fault(
                    format!("there is no ground to hold called `{name}`"),
                    "the `name` of a [[score]] for a held area or point",
                );
            }
        }
    }

    fn score(&mut self, section: &Section<'d>) -> Option<()> {
        const KINDS: [&str; 11] = [
            "hold area",
            "hold point",
            "clear",
            "removed",
            "broken",
            "fewer losses",
            "stands lost",
            "spent",
            "kept",
            "entered",
            "held at",
        ];
        let kind = section.field("what").required().one_of(&KINDS);
        let kind = KINDS[kind?];
        let name = section.field("name").text();
        let points_of = self.points_of(section, kind == "entered");
        let most = section.field("most").integer(1..=99).unwrap_or(99) as i32;
        let top = self.head.top;
        let outline = || {
            let field = section.field("area").required();
            let corners = points(&top, &field);
            let area = Area::new(corners.clone());
            if area.is_none() && field.is_present() && corners.len() == field.list().len() {
                field.fault("these corners have no inside", "a simple outline of three corners or more");
            }
            area
        };
        let turns = i64::from(self.head.turns);
        let bit = 1 << self.scores.len();
        let what = match kind {
            "hold area" => {
                let areas = self.areas_named(&section.field("areas").required());
                let foot_and_guns = section.field("foot_and_guns").truth().unwrap_or(false);
                What::HoldArea { areas, foot_and_guns }
            }
            "hold point" => {
                let at = point(&top, &section.field("at").required());
                let within = thousandths_within(&section.field("within"), 0, 24_000).unwrap_or(3000);
                if self.slots == MAX_POINTS_HELD {
                    section
                        .fault("there are too many points to hold", format!("{MAX_POINTS_HELD} at the most"));
                    return None;
                }
                let at = at?;
                self.slots += 1;
                What::HoldPoint { at, within: units(within), slot: self.slots - 1 }
            }
            "removed" => {
                let arms = section.field("arms").one_of(&["all", "batteries", "foot and horse"]);
                What::Removed { batteries: arms.filter(|a| *a > 0).map(|a| a == 1) }
            }
            "broken" => What::Broken,
            "fewer losses" => What::FewerLosses,
            "stands lost" => {
                What::StandsLost { each: section.field("each").integer(1..=20).unwrap_or(1) as i32 }
            }
            "spent" => What::Spent,
            "kept" => What::Kept { names: section.field("names").required().texts() },
            "clear" => What::Clear { area: outline()? },
            "entered" => {
                let before = section.field("turn").integer(1..=turns + 1).unwrap_or(60) as u8;
                What::Entered { area: outline()?, before, bit }
            }
            _ => {
                let turn = section.field("turn").required().integer(1..=turns);
                What::HeldAt { area: outline()?, turn: turn? as u8, bit }
            }
        };
        self.scores.push(Score {
            name: name.unwrap_or_else(|| kind.to_owned()),
            what,
            points: points_of,
            most,
        });
        Some(())
    }

    /// `points` for both sides, or `for = { red = 3 }`; a score that names the side that earns it has `for` alone.
    fn points_of(&self, section: &Section<'d>, of_one_side: bool) -> BySide<i32> {
        let mut points = BySide::default();
        let by = section.field("for");
        if by.is_present() || of_one_side {
            let ids = [self.sides.first.id.as_str(), self.sides.second.id.as_str()];
            for (id, field) in by.required().section().iter().flat_map(|by| by.entries()) {
                match ids.iter().position(|known| *known == id) {
                    Some(i) => points[Side::BOTH[i]] = field.integer(0..=99).unwrap_or(0) as i32,
                    None => {
                        field.fault(format!("there is no side `{id}`"), format!("{} or {}", ids[0], ids[1]))
                    }
                }
            }
            return points;
        }
        let both = section.field("points");
        if !both.is_present() {
            section.fault("the score has no points", "`points = 3`, or `for = { side = 3 }`");
        }
        let both = both.integer(0..=99).unwrap_or(0) as i32;
        BySide { first: both, second: both }
    }

    /// Pieces of ground by their names.
    fn areas_named(&self, field: &Field<'d>) -> Vec<usize> {
        let mut found = Vec::new();
        for item in field.list() {
            let Some(name) = item.text() else { continue };
            let before = found.len();
            found.extend((0..self.areas.len()).filter(|i| self.areas[*i].name == name));
            if found.len() == before {
                item.fault(
                    format!("there is no ground `{name}`"),
                    "the `name` of a [[terrain]] with an `area`",
                );
            }
        }
        if field.is_present() && field.list().is_empty() {
            field.fault("no ground is named", "the `name` of a [[terrain]] with an `area`");
        }
        found
    }

    fn sudden_end(&mut self, section: &Section<'d>) -> Option<()> {
        let winner = self.side(&section.field("winner"));
        let ways = ["alone_in", "stands_left", "holds"];
        if ways.into_iter().filter(|key| section.field(key).is_present()).count() != 1 {
            section.fault("it is not said what ends the battle", "one of alone_in, stands_left, holds");
        }
        let inside = section.field("alone_in");
        let area = Area::new(points(&self.head.top, &inside));
        if inside.is_present() && area.is_none() {
            inside.fault("these corners have no inside", "a simple outline of three corners or more");
        }
        let stands = section.field("stands_left").integer(0..=99);
        let names = section.field("holds").texts();
        let most = section.field("of_the_others").integer(0..=9).unwrap_or(0) as usize;
        if section.field("holds").is_present() && most >= names.len() {
            section
                .field("holds")
                .fault("too few names are listed", "the first, and the others to choose from");
        }
        let from = section.field("from").integer(1..=60).unwrap_or(1) as u8;
        let when = match (area, stands) {
            (Some(area), _) => When::Alone { area },
            (None, Some(stands)) => When::StandsLeft { stands: stands as i32 },
            _ => When::Holds { names, most, from },
        };
        self.sudden.push(Sudden { winner: winner?, when });
        Some(())
    }

    fn finish(mut self, title: String) -> Option<Battle> {
        let mut bmus: ArrayVec<Bmu, MAX_UNITS> = ArrayVec::new();
        self.bmus.iter().for_each(|_| {
            let _ = bmus.try_push(Bmu::default());
        });
        if self.bmus.is_empty() {
            self.sheet.fault("there are no units", "a table [[unit]] for each");
            return None;
        }
        if !self.on.personalities {
            self.men.iter_mut().for_each(|m| m.personality = Personality::Typical);
        }
        // Whoever serves guns serves them unlimbered where the drivers are civilians, unless the file says otherwise.
        let mut held = ArrayVec::new();
        (0..self.slots).for_each(|_| {
            let _ = held.try_push(None);
        });
        let row = self.tables.scale.of(self.scale).clone();
        let start = State {
            turn: 1,
            phase: Phase::Orders,
            bodies: self.bodies,
            bmus,
            leaders: self.men,
            agenda: {
                let mut agenda = game::Agenda::new();
                agenda.push(Step::Begin(Phase::Orders));
                agenda
            },
            turn_of: Side::First,
            mover: Side::First,
            go: Go::default(),
            charge: crate::charge::Charge::default(),
            march: crate::movement::March::default(),
            volleys: ArrayVec::new(),
            bouts: ArrayVec::new(),
            shares: ArrayVec::new(),
            breaches: ArrayVec::new(),
            revealed: 0,
            commands: BySide::default(),
            held,
            points: BySide::default(),
            scored: 0,
            over: None,
            scene: 0,
        };
        Some(Battle {
            title,
            subtitle: self.head.subtitle,
            blurb: self.head.blurb,
            scale: self.scale,
            year: self.head.year,
            top: self.head.top,
            turns: self.head.turns,
            attacker: self.head.attacker,
            sides: self.sides,
            rates: Rates::of(&self.tables, self.scale),
            tables: self.tables,
            row,
            on: self.on,
            bmus: self.bmus,
            leaders: self.leaders,
            areas: self.areas,
            lines: self.lines,
            scores: self.scores,
            sudden: self.sudden,
            margin: self.head.margin,
            start,
            pieces: self.pieces,
        })
    }
}

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

struct LinearMore {
    raised: bool,
    stone: bool,
    gates: Vec<i64>,
    ladders: bool,
    from_turn: u8,
    until_turn: u8,
}

impl LinearMore {
    fn read(section: &Section<'_>) -> LinearMore {
        LinearMore {
            raised: section.field("raised").truth().unwrap_or(false),
            stone: section.field("stone").truth().unwrap_or(false),
            gates: section.field("gates").list().iter().filter_map(Field::thousandths).map(units).collect(),
            ladders: section.field("ladders").truth().unwrap_or(false),
            from_turn: section.field("from_turn").integer(1..=60).unwrap_or(0) as u8,
            until_turn: section.field("until_turn").integer(1..=60).unwrap_or(99) as u8,
        }
    }
}

fn board_kind(kind: &str) -> String {
    match kind {
        k if k.ends_with("woods") => "woods",
        k if k.ends_with("hill") => "hill",
        k if k.ends_with("water") => "stream",
        "stone wall" | "wall" | "high wall" => "wall",
        other => other,
    }
    .to_owned()
}

/// What only the whole of a scenario shows: troops and a commander for both sides, each body on ground of its own.
fn muster_faults(sheet: &Section<'_>, battle: &Battle) {
    let sections = sheet.field("side").sections();
    let units = sheet.field("unit").sections();
    // A unit that could not be read has its own fault.
    let all_read = battle.bmus.len() == units.len();
    for (side, section) in Side::BOTH.into_iter().zip(&sections) {
        let id = &battle.sides[side].id;
        if all_read && !battle.bmus.iter().any(|b| b.side == side) {
            section.fault(format!("`{id}` has no units"), "a table [[unit]] for each");
        }
        if battle.leaders.iter().filter(|l| l.side == side && l.overall).count() != 1 {
            section.fault(
                format!("`{id}` needs exactly one overall commander"),
                "one table [[leader]] with `overall = true`",
            );
        }
    }
    let (first, second) = (battle.sides.first.edge, battle.sides.second.edge);
    if first.is_some() && first == second {
        sections[1].field("edge").fault("both sides have the same edge", "an edge of its own, or none");
    }
    if !all_read {
        return;
    }
    let bodies = &battle.start.bodies;
    for (i, body) in bodies.iter().enumerate().filter(|(_, b)| b.place == Where::Table) {
        let (Some(section), layout) = (units.get(usize::from(body.bmu)), body.layout(battle)) else {
            continue;
        };
        let id = &battle.bmus[usize::from(body.bmu)].id;
        if !layout.rects().iter().all(|r| battle.top.holds(r)) {
            section.fault(
                format!("`{id}` stands partly off the table"),
                "`at`, the middle of its front, far enough from the edges",
            );
        }
        let mut before = bodies[..i].iter().filter(|b| b.place == Where::Table && b.bmu != body.bmu);
        if let Some(other) = before.find(|b| b.layout(battle).overlaps(&layout)) {
            let there = &battle.bmus[usize::from(other.bmu)].id;
            section.fault(format!("`{id}` stands on `{there}`"), "places apart");
        }
    }
}

fn read_sides(sheet: &Section<'_>, top: &TableTop) -> Option<BySide<SideInfo>> {
    let mut found: Vec<SideInfo> = Vec::new();
    for section in sheet.field("side").required().sections() {
        let id = section.field("id").required().id();
        if id.is_some() && found.iter().any(|other| Some(&other.id) == id.as_ref()) {
            section.field("id").fault("both sides have the same id", "an id of its own");
        }
        let edge = section.field("edge").one_of(&["north", "east", "south", "west", "none"]);
        let usual = if found.is_empty() { TableEdge::South } else { TableEdge::North };
        let exit = section.field("exit").section().and_then(|inner| {
            let edge = TableEdge::ALL[inner.field("edge").one_of(&TableEdge::NAMES)?];
            let from = inner.field("from").integer(1..=60)?;
            inner.finish();
            Some((edge, from as u8))
        });
        let info = SideInfo {
            name: section.field("name").text().or(id.clone()).unwrap_or_default(),
            id: id.unwrap_or_default(),
            livery: section.field("livery").text().unwrap_or_else(|| "dark".to_owned()),
            edge: edge.map_or(Some(usual), |i| TableEdge::ALL.get(i).copied()),
            rally: points(top, &section.field("rally")),
            exit,
        };
        section.finish();
        found.push(info);
    }
    let mut found = found.into_iter();
    match (found.next(), found.next(), found.next()) {
        (Some(first), Some(second), None) => Some(BySide { first, second }),
        _ => {
            sheet.fault("a battle has two sides", "two tables [[side]]");
            None
        }
    }
}
