//! Reading a scenario file. The manual's page on scenarios describes it.

use game::read::{self, Field, Section};
use game::scenario::Head;
use game::{BySide, Faults, Library, Options, Rule, Side, scenario};
use hexmap::Hex;

use crate::rules::charts;
use crate::rules::charts::Charts;
use crate::rules::reach::MOST_POINTS;
use crate::rules::reinforcements::MAX_AREA;
use crate::rules::victory::{Award, Objective, Sudden, Victory};
use crate::setup::battle::{Area, Battle, Condition, Fatigue, Hour, House, Mishap, Way};
use crate::setup::ground::Ground;
use crate::setup::map;
use crate::setup::pieces::{Arm, Army, Formation, Held, SetUp, Unit};
use crate::state::{Id, MAX_FORMATIONS, MAX_MISHAPS, MAX_OBJECTIVES, MAX_UNITS, UnitSet};

/// Compiles a scenario, or a situation that is its own scenario.
///
/// # Errors
/// Every fault at once.
pub(crate) fn compile(source: &str, library: &dyn Library, options: &Options) -> Result<Battle, Faults> {
    read::document(source, |sheet| read_battle(source, sheet, library, options))
}

fn read_battle(
    source: &str,
    sheet: &Section<'_>,
    library: &dyn Library,
    options: &Options,
) -> Option<Battle> {
    let mut charts = charts::standard();
    if let Some(changed) = sheet.field("charts").section() {
        charts::change(&changed, &mut charts);
    }
    let head = Head::read(sheet);
    let plan = sheet.field("map").required().section().and_then(|m| map::read(source, &m, &charts, library));
    let ground = plan.map(|p| p.compile(&charts));
    let mut reader =
        Reader { armies: armies(sheet), hours: hours(sheet), areas: Vec::new(), formations: Vec::new() };
    reader.set_initiative(sheet);
    let mut house = House::default();
    scenario::options(sheet, options, &mut [("at_random", &mut house.at_random)], &[]);
    // Without a map no hex can be read; everything else has been.
    let Some(ground) = ground else {
        sheet.leave();
        return None;
    };
    reader.areas = areas(sheet, &ground);
    reader.formations(sheet);
    let units = reader.units(sheet, &ground, &charts);
    let objectives = reader.objectives(sheet, &ground);
    let mut battle = Battle {
        head,
        units,
        victory: reader.victory(sheet, &ground, objectives),
        ways_out: reader.ways_out(sheet, &ground),
        hours: Vec::new(),
        areas: Vec::new(),
        formations: Vec::new(),
        armies: BySide::from_fn(|side| reader.armies[side].clone()),
        conditions: Vec::new(),
        mishaps: Vec::new(),
        fatigues: Vec::new(),
        house,
        ground,
        charts,
    };
    for (i, unit) in battle.units.iter().enumerate() {
        battle.armies[unit.side].units.insert(Id(i as u8));
        reader.formations[usize::from(unit.formation)].units.insert(Id(i as u8));
    }
    reader.formations_have_units(sheet);
    battle.conditions = reader.conditions(sheet, &battle);
    battle.mishaps = reader.mishaps(sheet);
    battle.fatigues = reader.fatigues(sheet, &battle);
    (battle.hours, battle.areas, battle.formations) = (reader.hours, reader.areas, reader.formations);
    (!battle.units.is_empty()).then_some(battle)
}

struct Reader {
    armies: BySide<Army>,
    hours: Vec<Hour>,
    areas: Vec<Area>,
    formations: Vec<Formation>,
}

/// `[[side]]`: the Union and the Confederacy, unless the file says otherwise.
fn armies(sheet: &Section<'_>) -> BySide<Army> {
    let army = |id: &str, name: &str, livery: &str| Army {
        id: id.to_owned(),
        name: name.to_owned(),
        livery: livery.to_owned(),
        handicap: 0,
        units: UnitSet::EMPTY,
    };
    let mut armies =
        BySide { first: army("usa", "Union", "union"), second: army("csa", "Confederacy", "confederate") };
    let field = sheet.field("side");
    let sections = field.sections();
    if field.is_present() && sections.len() != 2 {
        field.fault(format!("{} sides are written", sections.len()), "two [[side]] tables, or none");
    }
    for (side, section) in Side::BOTH.into_iter().zip(&sections) {
        let army = &mut armies[side];
        let set = |field: Field<'_>, into: &mut String| {
            if let Some(text) = field.text() {
                *into = text;
            }
        };
        if let Some(id) = section.field("id").required().id() {
            army.id = id;
        }
        set(section.field("name"), &mut army.name);
        set(section.field("livery"), &mut army.livery);
        army.handicap = section.field("handicap").integer(-999..=999).unwrap_or(0) as i16;
        section.finish();
    }
    if armies.first.id == armies.second.id {
        sections[1].field("id").fault("both sides have the same id", "an id of its own");
        armies.second.id.push_str("-2");
    }
    armies
}

/// `hours = { first = 8, last = 19, night = [20], check = [17] }`.
fn hours(sheet: &Section<'_>) -> Vec<Hour> {
    let Some(section) = sheet.field("hours").required().section() else { return Vec::new() };
    let clock = |field: &Field<'_>| field.integer(0..=200).map(|n| n as u8);
    let first = clock(&section.field("first").required());
    let last = clock(&section.field("last").required());
    section.ignore(&["night", "check", "pause", "initiative"]);
    section.finish();
    let (Some(first), Some(last)) = (first, last) else { return Vec::new() };
    if first > last {
        section
            .fault(format!("Hour {first} is after Hour {last}"), "a last Hour that is not before the first");
        return Vec::new();
    }
    let between = |field: &Field<'_>| field.integer(i64::from(first)..=i64::from(last)).map(|n| n as u8);
    let list = |key| section.field(key).list().iter().filter_map(between).collect::<Vec<u8>>();
    let (night, check) = (list("night"), list("check"));
    let pause = section.field("pause");
    let paused = pause_of(&pause, between);
    if paused == Some((first, last)) {
        pause.fault("no Hour is played", "a pause that leaves an Hour before or after it");
    }
    let paused = |clock: u8| paused.is_some_and(|(from, to)| (from..=to).contains(&clock));
    (first..=last)
        .filter(|&clock| !paused(clock))
        .map(|clock| Hour {
            clock,
            night: night.contains(&clock),
            initiative: None,
            check: check.contains(&clock),
        })
        .collect()
}

/// `pause = [22, 30]`: the first and the last Hour that are not played.
fn pause_of(field: &Field<'_>, hour: impl Fn(&Field<'_>) -> Option<u8>) -> Option<(u8, u8)> {
    match field.list().as_slice() {
        [] if !field.is_present() => None,
        [from, to] => {
            let (from, to) = (hour(from), hour(to));
            let (from, to) = (from?, to?);
            if from > to {
                field.fault(
                    format!("Hour {from} is after Hour {to}"),
                    "the first Hour that is not played, then the last",
                );
                return None;
            }
            Some((from, to))
        }
        _ => {
            field.fault("a pause is two Hours", "the first Hour that is not played, then the last");
            None
        }
    }
}

/// `areas = { A = ["0101", "0102"] }`.
fn areas(sheet: &Section<'_>, ground: &Ground) -> Vec<Area> {
    let Some(section) = sheet.field("areas").section() else { return Vec::new() };
    section
        .entries()
        .map(|(letter, field)| {
            let hexes: Vec<Hex> = field.list().iter().filter_map(|f| on_map(ground, f)).collect();
            if hexes.is_empty() {
                field.fault(format!("Area {letter} has no hex"), "a list of hexes");
            }
            if hexes.len() > MAX_AREA {
                field.fault(
                    format!("Area {letter} has {} hexes", hexes.len()),
                    format!("at most {MAX_AREA} hexes"),
                );
            }
            Area { letter, hexes }
        })
        .collect()
}

/// A hex that is on the map.
pub(crate) fn on_map(ground: &Ground, field: &Field<'_>) -> Option<Hex> {
    let hex = map::hex(&ground.grid, field)?;
    if !ground.on_map.contains(hex) {
        field.fault(
            format!("hex {} is not on the map", ground.name(hex)),
            "a hex of the part that is played on",
        );
        return None;
    }
    Some(hex)
}

impl Reader {
    fn side(&self, field: &Field<'_>) -> Option<Side> {
        let ids = [self.armies.first.id.as_str(), self.armies.second.id.as_str()];
        field.one_of(&ids).map(|i| Side::BOTH[i])
    }

    /// The index of an Hour by its clock; `last + 1` is the end.
    fn hour(&self, field: &Field<'_>) -> Option<u8> {
        let clock = field.integer(0..=201)? as u8;
        let found = self.hours.iter().position(|h| h.clock == clock);
        let end = self.hours.last().is_some_and(|h| h.clock + 1 == clock).then_some(self.hours.len());
        if found.or(end).is_none() {
            field.fault(format!("Hour {clock} is not played"), "an Hour of this scenario");
        }
        found.or(end).map(|i| i as u8)
    }

    fn hours_of(&self, field: &Field<'_>) -> Vec<u8> {
        field.list().iter().filter_map(|f| self.hour(f)).collect()
    }

    /// `initiative = { "8" = "csa", "10" = "none" }`: the Hours in which it changes.
    fn set_initiative(&mut self, sheet: &Section<'_>) {
        let Some(hours) = sheet.field("hours").section() else { return };
        hours.ignore(&["first", "last", "night", "check", "pause"]);
        let Some(changes) = hours.field("initiative").section() else { return };
        let mut set: Vec<(u8, Option<Side>)> = Vec::new();
        for (clock, field) in changes.entries() {
            let words = [self.armies.first.id.as_str(), self.armies.second.id.as_str(), "none"];
            let Ok(clock) = clock.parse::<u8>() else {
                field.fault(format!("`{clock}` is no Hour"), "an Hour in quotes");
                continue;
            };
            let played = self.hours.first().zip(self.hours.last());
            if let Some((first, last)) = played.map(|(a, b)| (a.clock, b.clock))
                && !(first..=last).contains(&clock)
            {
                field.fault(format!("Hour {clock} is not played"), format!("{first} to {last}"));
            }
            if let Some(i) = field.one_of(&words) {
                set.push((clock, Side::BOTH.get(i).copied()));
            }
        }
        set.sort_by_key(|(clock, _)| *clock);
        for hour in &mut self.hours {
            hour.initiative =
                set.iter().rev().find(|(from, _)| *from <= hour.clock).and_then(|(_, side)| *side);
        }
    }

    /// `[[formation]]`: names; units may name others.
    fn formations(&mut self, sheet: &Section<'_>) {
        for section in sheet.field("formation").sections() {
            let (id, side) =
                (section.field("id").required().id(), self.side(&section.field("side").required()));
            let name = section.field("name").text();
            section.finish();
            if let (Some(id), Some(side)) = (id, side) {
                if self.formations.iter().any(|f| f.id == id) {
                    section.field("id").fault(format!("there are two Formations `{id}`"), "an id of its own");
                }
                if self.formations.len() == MAX_FORMATIONS {
                    section.fault("there are too many Formations", format!("at most {MAX_FORMATIONS}"));
                    return;
                }
                let name = name.unwrap_or_else(|| titled(&id));
                self.formations.push(Formation { id, name, side, units: UnitSet::EMPTY });
            }
        }
    }

    /// A Formation that nothing belongs to would have no marker.
    fn formations_have_units(&self, sheet: &Section<'_>) {
        for section in sheet.field("formation").sections() {
            let id = section.field("id").text();
            if self.formations.iter().any(|f| Some(&f.id) == id.as_ref() && f.units.is_empty()) {
                section.field("id").fault("no unit belongs to it", "the `formation` of a unit");
            }
        }
    }

    fn formation(&mut self, field: &Field<'_>, id: &str, side: Side) -> u8 {
        let found = self.formations.iter().position(|f| f.id == id);
        if let Some(at) = found {
            if self.formations[at].side != side {
                field.fault(
                    format!("Formation `{id}` belongs to the other side"),
                    "a Formation of the unit's own side",
                );
            }
            return at as u8;
        }
        if self.formations.len() == MAX_FORMATIONS {
            field.fault("there are too many Formations", format!("at most {MAX_FORMATIONS}"));
            return 0;
        }
        self.formations.push(Formation { id: id.to_owned(), name: titled(id), side, units: UnitSet::EMPTY });
        self.formations.len() as u8 - 1
    }

    fn units(&mut self, sheet: &Section<'_>, ground: &Ground, charts: &Charts) -> Vec<Unit> {
        let field = sheet.field("unit").required();
        let sections = field.sections();
        if sections.len() > MAX_UNITS {
            field.fault(format!("there are {} units", sections.len()), format!("at most {MAX_UNITS}"));
        }
        let mut units: Vec<Unit> = Vec::new();
        for section in sections.iter().take(MAX_UNITS) {
            let Some(unit) = self.unit(section, ground, charts) else { continue };
            if units.iter().any(|u| u.id == unit.id) {
                section.field("id").fault(format!("there are two units `{}`", unit.id), "an id of its own");
            }
            let stands =
                |u: &&Unit| matches!((&u.set_up, &unit.set_up), (SetUp::At(a), SetUp::At(b)) if a == b);
            if let Some(other) = units.iter().find(stands) {
                section
                    .field("at")
                    .fault(format!("`{}` stands there already", other.id), "one unit a hex (3.7.c)");
            }
            units.push(unit);
        }
        // A unit that could not be read has its own fault.
        let all_read = field.is_present() && units.len() == sections.len();
        for side in Side::BOTH {
            if all_read && !units.iter().any(|u| u.side == side) {
                field.fault(format!("`{}` has no unit", self.armies[side].id), "at least one for each side");
            }
        }
        units
    }

    fn unit(&mut self, section: &Section<'_>, ground: &Ground, charts: &Charts) -> Option<Unit> {
        let id = section.field("id").required().id();
        let side = self.side(&section.field("side").required());
        let arm = match section.field("type").is_present() {
            true => section.field("type").one_of(&Arm::ALL.map(Arm::word)).map(|i| Arm::ALL[i]),
            false => Some(Arm::Infantry),
        };
        let strength = section.field("sp").required().integer(1..=40);
        let morale = section.field("mr").integer(-3..=3).unwrap_or(0) as i8;
        let allowance = section.field("ma").integer(1..=MOST_POINTS as i64);
        let set_up = self.set_up(&section.field("at").required(), ground);
        let horses =
            section.field("horses").is_present().then(|| on_map(ground, &section.field("horses"))).flatten();
        let name = section.field("name").text();
        let byname = section.field("byname").text();
        let formation_field = section.field("formation");
        let formation = formation_field.id();
        let lost = section.field("lost").integer(0..=39).unwrap_or(0) as u8;
        let demoralised = section.field("demoralised").integer(0..=39).unwrap_or(0) as u8;
        let held = section.field("held").section().and_then(|s| self.held(&s));
        section.finish();
        let (id, side, arm, strength) = (id?, side?, arm?, strength? as u8);
        if names_a_hex(&id) {
            section.field("id").fault(format!("`{id}` would be read as a hex"), "an id with a letter in it");
        }
        if horses.is_some() && arm != Arm::Cavalry {
            section.field("horses").fault("only cavalry dismounts", "`horses` with type = \"cavalry\" alone");
        }
        let left = strength.saturating_sub(lost);
        // 11.3.h: of a unit on foot a third holds the horses.
        let holders = if horses.is_some() { left / 3 } else { 0 };
        if left - holders <= demoralised {
            section.fault(
                "no intact SP would be left",
                "`lost`, `demoralised` and the holders of its horses below `sp` together",
            );
        }
        let formation = self.formation(&formation_field, formation.as_deref().unwrap_or(&id), side);
        Some(Unit {
            name: name.unwrap_or_else(|| titled(&id)),
            byname,
            side,
            arm,
            formation,
            strength,
            morale,
            allowance: allowance.map_or(charts.allowance[arm as usize], |n| n as u8),
            set_up: set_up?,
            horses,
            lost,
            demoralised,
            held,
            id,
        })
    }

    /// `"0614"`, `"2B"`, `"6 C/D"` (2.2.1.d).
    fn set_up(&self, field: &Field<'_>, ground: &Ground) -> Option<SetUp> {
        let text = field.text()?;
        if names_a_hex(&text) {
            return on_map(ground, field).map(SetUp::At);
        }
        let letters = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let clock = text[..letters].parse::<u8>().ok();
        let hour = clock.and_then(|c| self.hours.iter().position(|h| h.clock == c));
        let areas: Option<Vec<u8>> = text[letters..]
            .trim()
            .split('/')
            .map(|letter| self.areas.iter().position(|a| a.letter == letter.trim()).map(|i| i as u8))
            .collect();
        match (hour, areas) {
            (Some(hour), Some(areas)) => Some(SetUp::Due { hour: hour as u8, areas }),
            _ => {
                field.fault(
                    format!("`{text}` is no set-up"),
                    "a hex (0614), or an Hour played and Areas listed (2B, 6C/D)",
                );
                None
            }
        }
    }

    fn held(&self, section: &Section<'_>) -> Option<Held> {
        let until = self.hour(&section.field("until").required());
        let unless_within = section.field("unless_within").integer(0..=20).unwrap_or(0) as u8;
        let rule = rule_of(section, cite!("4.e"));
        section.finish();
        Some(Held { until: until?, unless_within, rule })
    }

    /// `objective = [{ hex = "0505", points = 10, control = "csa" }]`.
    fn objectives(&self, sheet: &Section<'_>, ground: &Ground) -> Vec<Objective> {
        let field = sheet.field("objective");
        let sections = field.sections();
        if sections.len() > MAX_OBJECTIVES {
            field.fault(
                format!("there are {} Objectives", sections.len()),
                format!("at most {MAX_OBJECTIVES}"),
            );
        }
        let mut objectives: Vec<Objective> = Vec::new();
        for section in sections.iter().take(MAX_OBJECTIVES) {
            let hex = on_map(ground, &section.field("hex").required());
            let points = section.field("points").integer(0..=999).unwrap_or(10) as i16;
            let name = section.field("name").text();
            let ids = [self.armies.first.id.as_str(), self.armies.second.id.as_str(), "none"];
            let control = section.field("control").one_of(&ids).and_then(|i| Side::BOTH.get(i).copied());
            section.finish();
            let Some(hex) = hex else { continue };
            if objectives.iter().any(|o| o.hex == hex) {
                section.field("hex").fault("this hex is an Objective already", "another hex");
            }
            let name = name.or_else(|| ground.names[hex.index()].clone()).unwrap_or_else(|| ground.name(hex));
            objectives.push(Objective { hex, name, points, control });
        }
        objectives
    }

    fn objective(&self, field: &Field<'_>, ground: &Ground, objectives: &[Objective]) -> Option<usize> {
        let hex = on_map(ground, field)?;
        let found = objectives.iter().position(|o| o.hex == hex);
        if found.is_none() {
            field.fault(format!("{} is no Objective", ground.name(hex)), "the hex of an [[objective]]");
        }
        found
    }

    fn victory(&self, sheet: &Section<'_>, ground: &Ground, objectives: Vec<Objective>) -> Victory {
        let mut victory = Victory { ground: true, damage: true, draw_within: 0, ..Victory::default() };
        if let Some(section) = sheet.field("victory").section() {
            victory.ground = section.field("ground").truth().unwrap_or(true);
            victory.damage = section.field("damage").truth().unwrap_or(true);
            victory.draw_within = section.field("draw_within").integer(0..=100).unwrap_or(0) as i32;
            section.finish();
        }
        for section in sheet.field("award").sections() {
            let objective = self.objective(&section.field("hex").required(), ground, &objectives);
            let points = section.field("points").required().integer(0..=999);
            let hours = self.hours_of(&section.field("hours").required());
            let side =
                section.field("side").is_present().then(|| self.side(&section.field("side"))).flatten();
            let rule = rule_of(&section, cite!("14.a"));
            section.finish();
            if let (Some(objective), Some(points)) = (objective, points) {
                victory.awards.push(Award { objective, points: points as i16, hours, side, rule });
            }
        }
        for section in sheet.field("sudden").sections() {
            let at = self.hour(&section.field("at").required());
            let side = self.side(&section.field("side").required());
            let of = section.field("hexes").required();
            let held: Vec<usize> =
                of.list().iter().filter_map(|f| self.objective(f, ground, &objectives)).collect();
            let holds = section.field("holds").integer(0..=24).map(|n| n as u8);
            let enemy_below = section.field("enemy_below").integer(0..=24).map(|n| n as u8);
            let rule = rule_of(&section, cite!("14.a"));
            section.finish();
            if holds.is_none() && enemy_below.is_none() {
                section.fault("nothing is to be held", "`holds = 3` or `enemy_below = 2`");
            }
            if of.is_present() && of.list().is_empty() {
                of.fault("no hex is listed", "hexes of [[objective]] tables");
            }
            let count = of.list().len().max(1);
            for (key, number) in [("holds", holds), ("enemy_below", enemy_below)] {
                if number.is_some_and(|n| n == 0 || usize::from(n) > count) {
                    section.field(key).fault(
                        format!("`{key}` does not fit the number of hexes, {count}"),
                        format!("1 to {count}"),
                    );
                }
            }
            if let (Some(at), Some(side)) = (at, side) {
                victory.sudden.push(Sudden { at, side, objectives: held, holds, enemy_below, rule });
            }
        }
        victory.places = vec![u8::MAX; ground.grid.len()];
        for (i, objective) in objectives.iter().enumerate() {
            victory.places[objective.hex.index()] = i as u8;
        }
        victory.objectives = objectives;
        victory
    }

    /// `exits = { usa = ["0109"] }`, and `[[exit]]` for ways that open later or lead back.
    fn ways_out(&self, sheet: &Section<'_>, ground: &Ground) -> Vec<Way> {
        let mut ways = Vec::new();
        if let Some(section) = sheet.field("exits").section() {
            for (id, field) in section.entries() {
                let side = Side::BOTH.into_iter().find(|s| self.armies[*s].id == id);
                let Some(side) = side else {
                    field.fault(
                        format!("`{id}` is no side"),
                        format!("{} or {}", self.armies.first.id, self.armies.second.id),
                    );
                    continue;
                };
                let hexes = field.list();
                ways.extend(hexes.iter().filter_map(|f| edge(ground, f)).map(|hex| Way {
                    side,
                    hex,
                    from: 0,
                    back: None,
                    rule: cite!("5.5.a"),
                }));
            }
        }
        for section in sheet.field("exit").sections() {
            let side = self.side(&section.field("side").required());
            let from = self.hour(&section.field("from")).unwrap_or(0);
            let hexes: Vec<Hex> =
                section.field("hexes").required().list().iter().filter_map(|f| edge(ground, f)).collect();
            let back = section.field("back").section().and_then(|s| {
                let area = s.field("area").required().text();
                let after = s.field("after").required().integer(1..=24);
                s.finish();
                let found =
                    area.as_ref().and_then(|a| self.areas.iter().position(|known| known.letter == *a));
                if found.is_none() {
                    s.fault("there is no such Area", "the letter of an Area of `areas`");
                }
                Some((after? as u8, found? as u8))
            });
            let rule = rule_of(&section, cite!("5.5.a"));
            section.finish();
            if let Some(side) = side {
                ways.extend(hexes.into_iter().map(|hex| Way { side, hex, from, back, rule }));
            }
        }
        ways
    }

    /// `[[condition]]`: the Initiative rests on units that must still be in the field.
    fn conditions(&self, sheet: &Section<'_>, battle: &Battle) -> Vec<Condition> {
        let read = |section: &Section<'_>| {
            let hours = self.hours_of(&section.field("hours").required());
            let side = self.side(&section.field("side").required());
            let units = units_of(battle, &section.field("units").required());
            for key in ["hours", "units"] {
                let field = section.field(key);
                if field.is_present() && field.list().is_empty() {
                    field.fault(format!("`{key}` is empty"), "one or more");
                }
            }
            let rule = rule_of(section, cite!("4.a"));
            section.finish();
            Some(Condition { hours, side: side?, units, rule })
        };
        sheet.field("condition").sections().iter().filter_map(read).collect()
    }

    /// `[[mishap]]`: a marker may stay out of the cup, once.
    fn mishaps(&self, sheet: &Section<'_>) -> Vec<Mishap> {
        let read = |section: &Section<'_>| {
            let hours = self.hours_of(&section.field("hours").required());
            let field = section.field("formation").required();
            let id = field.text();
            let formation = id.as_ref().and_then(|id| self.formations.iter().position(|f| f.id == *id));
            if id.is_some() && formation.is_none() {
                field.fault("there is no such Formation", "the id of a Formation");
            }
            let at_most = section.field("at_most").required().integer(1..=10);
            let name = section.field("name").text().unwrap_or_else(|| "A mishap".to_owned());
            let rule = rule_of(section, cite!("4.b"));
            section.finish();
            Some(Mishap { name, formation: formation? as u8, hours, at_most: at_most? as u8, rule })
        };
        let field = sheet.field("mishap");
        let sections = field.sections();
        if sections.len() > MAX_MISHAPS {
            field.fault(format!("there are {} mishaps", sections.len()), format!("at most {MAX_MISHAPS}"));
        }
        sections.iter().filter_map(read).collect()
    }

    /// `[[fatigue]]`: tired troops, spent ammunition.
    fn fatigues(&self, sheet: &Section<'_>, battle: &Battle) -> Vec<Fatigue> {
        let read = |section: &Section<'_>| {
            let side = self.side(&section.field("side").required());
            let from = self.hour(&section.field("from").required());
            let words = Arm::ALL.map(Arm::word);
            let arms: Vec<&str> = section
                .field("types")
                .list()
                .iter()
                .filter_map(|f| f.one_of(&words))
                .map(|i| words[i])
                .collect();
            let morale = section.field("mr").integer(-3..=3).unwrap_or(0) as i8;
            let silent = section.field("silent").truth().unwrap_or(false);
            let holding = section.field("unless_holding");
            let unless_holding = holding.is_present().then(|| {
                self.objective(&holding, &battle.ground, &battle.victory.objectives)
                    .map(|o| battle.victory.objectives[o].hex)
            });
            let rule = rule_of(section, if silent { cite!("6.1.2.a") } else { cite!("10.3.a") });
            section.finish();
            let side = side?;
            let units = battle.armies[side].units.into_iter();
            let units =
                units.filter(|&id| arms.is_empty() || arms.contains(&battle.unit(id).arm.word())).collect();
            Some(Fatigue {
                units,
                from: from?,
                morale,
                silent,
                unless_holding: unless_holding.flatten(),
                rule,
            })
        };
        sheet.field("fatigue").sections().iter().filter_map(read).collect()
    }
}

/// `rule = "pea-ridge.a"`: the number under which the inventory has a scenario's own rule.
fn rule_of(section: &Section<'_>, otherwise: Rule) -> Rule {
    let field = section.field("rule");
    let Some(id) = field.text() else { return otherwise };
    let found = crate::rulebook::BOOK.find(&id).map(|rule| rule.id);
    if found.is_none() {
        field.fault(format!("there is no rule `{id}`"), "the id of a rule in rules.toml");
    }
    found.unwrap_or(otherwise)
}

fn edge(ground: &Ground, field: &Field<'_>) -> Option<Hex> {
    let hex = on_map(ground, field)?;
    if !ground.is_edge(hex) {
        field.fault(format!("hex {} is not at the edge", ground.name(hex)), "a hex at the edge of the map");
        return None;
    }
    Some(hex)
}

/// Units by their ids.
pub(crate) fn units_of(battle: &Battle, field: &Field<'_>) -> UnitSet {
    field.list().iter().filter_map(|f| unit_of(battle, f)).collect()
}

/// A unit by its id.
pub(crate) fn unit_of(battle: &Battle, field: &Field<'_>) -> Option<Id> {
    let id = field.text()?;
    let found = battle.find(&id);
    if found.is_none() {
        field.fault(format!("there is no unit `{id}`"), "the id of a unit");
    }
    found
}

/// Four figures.
fn names_a_hex(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit())
}

/// `iron-brigade` is called "Iron Brigade".
fn titled(id: &str) -> String {
    let word = |w: &str| {
        let mut letters = w.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    };
    id.split('-').map(word).collect::<Vec<_>>().join(" ")
}
