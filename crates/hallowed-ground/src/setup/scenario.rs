//! Scenario files: the table, the terrain, the armies, objectives and length (G4).

use std::ops::{Range, RangeInclusive};

use game::read::{Field as Value, Section, document, is_slug};
use game::scenario::{self, Head};
use game::{BySide, Faults, Options, Side};
use table::{Angle, Area, Line, MAX_CORNERS, MAX_POINTS, MIL, Pose, Pt, Rect, Road, Spot, TableTop};

use crate::notation::slug;
use crate::rules::charts::footprint;
use crate::rules::formations::{Arm, Formation};
use crate::setup::battle::{Army, Battle, Initiative, Objective};
use crate::setup::ground::{Feature, Ground, Shape, by_going};
use crate::setup::pieces::{
    Arrival, Border, Brigade, BrigadeId, CommanderId, MAX_BRIGADES, MAX_COMMANDERS, MAX_UNITS, Officer,
    Roster, Specials,
};

/// The sides of a table, in thousandths of an inch.
const TABLE_SIDES: RangeInclusive<i64> = 6_000..=200_000;

/// A reserve due in this turn never comes, however short the battle.
const NEVER: i64 = 30;

pub(crate) fn read(source: &str, options: &Options) -> Result<Battle, Faults> {
    document(source, |file| {
        let (battle, places) = battle(file, options)?;
        muster_faults(file, &battle, &places);
        Some(battle)
    })
}

/// Where units and officers stand in the text, each in the order of its list.
#[derive(Default)]
struct Places {
    units: Vec<Range<usize>>,
    officers: Vec<Range<usize>>,
}

fn battle(file: &Section<'_>, options: &Options) -> Option<(Battle, Places)> {
    let head = Head::read(file);
    let turns = file.field("turns").integer(1..=30).unwrap_or(10) as u8;
    let second_bonus = file.field("second_points").integer(0..=50).unwrap_or(0) as i32;
    let top = table_top(file);
    let armies = armies(file)?;
    let initiative = initiative(file, &armies);
    let terrain = terrain(file, &top);
    let mut places = Places::default();
    let mut officers = Vec::new();
    let brigades = brigades(file, &armies, &top, &mut officers, &mut places);
    generals(file, &armies, &top, &mut officers, &mut places);
    let mut units: Vec<Roster> = Vec::new();
    let written = at_most(file.field("unit").required(), MAX_UNITS, "units");
    for section in &written {
        if let Some(unit) = unit(section, &brigades, &top, turns) {
            units.push(unit);
            places.units.push(section.span());
        }
    }
    let objectives =
        file.field("objective").sections().iter().filter_map(|s| objective(s, &armies, &top)).collect();
    let mut wants_dusk = false;
    scenario::options(file, options, &mut [("dusk", &mut wants_dusk)], &[]);
    let written: Vec<(u8, i64)> = file.field("dusk").sections().iter().filter_map(dusk).collect();
    let has_dusk = !written.is_empty();
    let mut battle = Battle {
        head,
        top,
        armies,
        brigades,
        units,
        officers,
        by_going: by_going(&terrain),
        terrain,
        objectives,
        turns,
        initiative,
        second_bonus,
        dusk: if wants_dusk { written } else { Vec::new() },
        options: if has_dusk { vec![("dusk".to_owned(), wants_dusk)] } else { Vec::new() },
    };
    for i in 0..battle.brigades.len() {
        let troops = battle.units.iter().filter(|u| u.brigade.i() == i && !u.arm.is_artillery()).count();
        battle.brigades[i].troops = troops as u8;
    }
    Some((battle, places))
}

/// So many tables of a list; the first too many is a fault.
fn at_most<'d>(value: Value<'d>, most: usize, what: &str) -> Vec<Section<'d>> {
    let mut sections = value.sections();
    if let Some(extra) = sections.get(most) {
        extra.fault(format!("there are too many {what}"), format!("{most} at the most"));
    }
    sections.truncate(most);
    sections
}

/// The written id, or the one that the name gives.
fn id_of(s: &Section<'_>, name: &str) -> Option<String> {
    let written = s.field("id");
    if written.is_present() {
        return written.id();
    }
    let id = slug(name);
    if !is_slug(&id) {
        s.field("name").fault("no id can be made of this name", "a line `id = ...`");
        return None;
    }
    Some(id)
}

fn dusk(s: &Section<'_>) -> Option<(u8, i64)> {
    let row = (s.field("turn").required().integer(1..=30), s.field("sight").required().thousandths());
    s.finish();
    Some((row.0? as u8, row.1? * MIL))
}

fn table_top(file: &Section<'_>) -> TableTop {
    let mut top = TableTop { width: 72_000 * MIL, height: 48_000 * MIL };
    if let Some(table) = file.field("table").section() {
        let size = |key: &'static str| within(&table.field(key), &TABLE_SIDES);
        top.width = size("width").unwrap_or(72_000) * MIL;
        top.height = size("height").unwrap_or(48_000) * MIL;
        table.finish();
    }
    top
}

fn armies(file: &Section<'_>) -> Option<BySide<Army>> {
    let mut taken = None;
    let sides = scenario::sides(file, |side, s| {
        let army = army(side, s)?;
        if taken == Some(army.own_edge) {
            s.field("own_edge").fault("both sides have the same edge", "an edge of its own");
        }
        taken = Some(army.own_edge);
        Some(army)
    })?;
    let (ids, each) = (sides.ids, sides.each);
    Some(BySide {
        first: Army { id: ids.first, ..each.first },
        second: Army { id: ids.second, ..each.second },
    })
}

/// All of an army but its id.
fn army(side: Side, s: &Section<'_>) -> Option<Army> {
    let usual = BySide { first: Border::South, second: Border::North }[side];
    let name = s.field("name").required().text();
    let livery = s.field("livery").text().unwrap_or_else(|| "union".to_owned());
    let confederate = s.field("confederate").truth().unwrap_or(false);
    let own_edge = s.field("own_edge").one_of(&Border::WORDS).map_or(usual, |i| Border::ALL[i]);
    let points_at_start = s.field("points").integer(0..=100).unwrap_or(0) as i32;
    s.finish();
    Some(Army { id: String::new(), name: name?, livery, confederate, own_edge, points_at_start })
}

fn side_of(value: &Value<'_>, armies: &BySide<Army>) -> Option<Side> {
    scenario::side(value, BySide { first: &armies.first.id, second: &armies.second.id })
}

fn initiative(file: &Section<'_>, armies: &BySide<Army>) -> Initiative {
    let value = file.field("initiative");
    let words = ["roll", armies.first.id.as_str(), armies.second.id.as_str()];
    match value.is_present().then(|| value.one_of(&words)).flatten() {
        Some(1) => Initiative::Given(Side::First),
        Some(2) => Initiative::Given(Side::Second),
        _ => Initiative::Rolled,
    }
}

/// `[x, y]` in inches, on the table.
fn spot(value: &Value<'_>, top: &TableTop) -> Option<Spot> {
    let numbers = value.list();
    if !value.is_present() {
        return None;
    }
    let [x, y] = &numbers[..] else {
        value.fault("a place is two numbers", "[x, y] in inches");
        return None;
    };
    let (x, y) = (x.thousandths(), y.thousandths());
    let (x, y) = (x?, y?);
    let (width, height) = (top.width / MIL, top.height / MIL);
    if !(0..=width).contains(&x) || !(0..=height).contains(&y) {
        value.fault(
            "this place is off the table",
            format!("0 to {} across and 0 to {} up", inches(width), inches(height)),
        );
        return None;
    }
    Some(Spot::new(x as i32, y as i32))
}

/// Thousandths as they are written: 7500 is 7.5.
fn inches(thousandths: i64) -> String {
    let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number of thousandths within bounds.
fn within(value: &Value<'_>, range: &RangeInclusive<i64>) -> Option<i64> {
    let number = value.thousandths()?;
    if !range.contains(&number) {
        let (least, most) = (inches(*range.start()), inches(*range.end()));
        value.fault("this number is out of range", format!("{least} to {most}"));
        return None;
    }
    Some(number)
}

pub(crate) fn angle(value: &Value<'_>) -> Option<Angle> {
    let degrees = within(value, &(-360_000..=360_000))?;
    Some(Angle::hundredths(((degrees + 5).div_euclid(10) % 36_000) as i32))
}

/// The most pieces of terrain.
const MAX_TERRAIN: usize = 64;

/// The points of a piece of terrain: only so many, for every one of them costs time when the table is set up.
fn points(value: &Value<'_>, top: &TableTop) -> Vec<Spot> {
    let written = value.list();
    if let Some(extra) = written.get(MAX_CORNERS) {
        extra.fault(
            format!("this has {} points", written.len()),
            format!("{MAX_CORNERS} at the most; leave out what no rule can see"),
        );
    }
    written.iter().take(MAX_CORNERS).filter_map(|v| spot(v, top)).collect()
}

/// The terrain of a table, whose points are counted together.
fn terrain(file: &Section<'_>, top: &TableTop) -> Vec<Feature> {
    let (mut features, mut all) = (Vec::new(), 0);
    for s in at_most(file.field("terrain"), MAX_TERRAIN, "pieces of terrain") {
        all += s.field("points").list().len() + s.field("plateau").list().len();
        if all > MAX_POINTS {
            s.fault("the terrain has too many points by here", format!("{MAX_POINTS} in all at the most"));
            break;
        }
        features.extend(feature(&s, top));
    }
    features
}

fn feature(s: &Section<'_>, top: &TableTop) -> Option<Feature> {
    let name = s.field("name").text().unwrap_or_default();
    let ground = s.field("kind").required().one_of(&Ground::WORDS).map(|i| Ground::ALL[i]);
    let value = s.field("points").required();
    let spots = points(&value, top);
    let plateau = points(&s.field("plateau"), top);
    let works = s.field("works").truth().unwrap_or(false);
    let passable = s.field("passable").truth().unwrap_or(false);
    s.finish();
    let written = ground?;
    let ground = match written {
        // A scenario may make a river fordable (6.2.d): it is then a stream as wide as a river.
        Ground::River if passable => Ground::Stream,
        other => other,
    };
    let outline: Vec<Pt> = spots.iter().map(|p| p.pt()).collect();
    let width = written.line_width();
    let shape = match width {
        Some(0) => Line::new(outline).map(Shape::Line),
        Some(_) if ground == Ground::Road => Road::new(outline).map(Shape::Road),
        Some(width) => Area::ribbon(&outline, width * MIL).map(Shape::Area),
        None if outline.len() > 2 => Area::new(outline).map(Shape::Area),
        None => None,
    };
    if shape.is_none() && spots.len() == value.list().len() {
        value.fault(
            "these points make no such terrain",
            "a simple outline of three points or more, or a line of two",
        );
    }
    let plateau = (plateau.len() > 2).then(|| Area::new(plateau.iter().map(|p| p.pt()).collect())).flatten();
    Some(Feature { name, ground, shape: shape?, width, plateau, works, points: spots })
}

fn officer(s: &Section<'_>, side: Side, brigade: Option<BrigadeId>, top: &TableTop) -> Option<Officer> {
    let name = s.field("name").required().text();
    let id = name.as_ref().and_then(|name| id_of(s, name));
    let at = spot(&s.field("at").required(), top);
    let arrives = s.field("arrives").integer(2..=30).map(|t| t as u8);
    let fixed = s.field("fixed").truth().unwrap_or(false);
    Some(Officer { slug: id?, name: name?, side, brigade, at: at?, arrives, fixed })
}

fn brigades(
    file: &Section<'_>,
    armies: &BySide<Army>,
    top: &TableTop,
    officers: &mut Vec<Officer>,
    places: &mut Places,
) -> Vec<Brigade> {
    let mut out: Vec<Brigade> = Vec::new();
    for s in at_most(file.field("brigade").required(), MAX_BRIGADES, "brigades") {
        let name = s.field("name").required().text();
        let id = name.as_ref().and_then(|name| id_of(&s, name));
        let side = side_of(&s.field("side").required(), armies);
        let commander = s.field("commander").required().section();
        s.ignore(&["id"]);
        s.finish();
        let (Some(name), Some(side), Some(commander)) = (name, side, commander) else { continue };
        let man = officer(&commander, side, Some(BrigadeId(out.len() as u8)), top);
        commander.ignore(&["id"]);
        commander.finish();
        let (Some(man), Some(id)) = (man, id) else { continue };
        if out.iter().any(|b| b.name == name || b.slug == id) {
            s.field("name").fault("another brigade has this name or id", "a name and an id of its own");
        }
        officers.push(man);
        places.officers.push(commander.span());
        let commander = CommanderId((officers.len() - 1) as u8);
        out.push(Brigade { slug: id, name, side, commander, troops: 0 });
    }
    out
}

fn generals(
    file: &Section<'_>,
    armies: &BySide<Army>,
    top: &TableTop,
    officers: &mut Vec<Officer>,
    places: &mut Places,
) {
    for s in at_most(file.field("general"), MAX_COMMANDERS - MAX_BRIGADES, "generals") {
        let side = side_of(&s.field("side").required(), armies);
        if let Some(man) = side.and_then(|side| officer(&s, side, None, top)) {
            officers.push(man);
            places.officers.push(s.span());
            s.finish();
        }
    }
}

fn arrival(s: &Section<'_>, top: &TableTop, turns: u8) -> Option<Arrival> {
    let value = s.field("turn").required();
    let turn = value.integer(1..=NEVER);
    let border = s.field("edge").required().one_of(&Border::WORDS).map(|i| Border::ALL[i]);
    let length = match border {
        Some(Border::East | Border::West) => top.height,
        Some(Border::North | Border::South) => top.width,
        None => top.width.max(top.height),
    };
    let along = 0..=length / MIL;
    let from = within(&s.field("from").required(), &along);
    let to = within(&s.field("to").required(), &along);
    s.finish();
    if turn.is_some_and(|turn| turn > i64::from(turns) && turn != NEVER) {
        value.fault("the battle is over by then", format!("1 to {turns}, or {NEVER} for never"));
    }
    if to.is_some() && from > to {
        s.field("to").fault("`to` is before `from`", "the larger of the two");
    }
    Some(Arrival { turn: turn? as u8, border: border?, from: from? as i32, to: to? as i32 })
}

fn unit(s: &Section<'_>, brigades: &[Brigade], top: &TableTop, turns: u8) -> Option<Roster> {
    let name = s.field("name").required().text();
    let id = name.as_ref().and_then(|name| id_of(s, name));
    s.ignore(&["id"]);
    let names: Vec<&str> = brigades.iter().map(|b| b.name.as_str()).collect();
    let brigade = s.field("brigade").required().one_of(&names);
    let arm = s.field("type").required().one_of(&Arm::WORDS).map(|i| Arm::ALL[i]);
    let formation_value = s.field("formation").required();
    let formation = formation_value.one_of(&Formation::WORDS).map(|i| Formation::ALL[i]);
    let at = spot(&s.field("at").required(), top);
    let facing = angle(&s.field("facing").required());
    let hits = s.field("hits").integer(0..=19).unwrap_or(0) as u8;
    let men = s.field("men").text().unwrap_or_default();
    let mut specials = Specials::default();
    for value in s.field("special").list() {
        if let Some(i) = value.one_of(&Specials::WORDS) {
            specials.0 |= 1 << i;
        }
    }
    if specials.has(Specials::ELITE) && specials.has(Specials::GREEN) {
        s.fault("a unit is not both elite and green", "one of the two");
    }
    let arrives = s.field("arrives").section();
    let arrival = arrives.as_ref().and_then(|s| arrival(s, top, turns));
    s.finish();
    let (arm, formation) = (arm?, formation?);
    if !arm.formations().contains(&formation) {
        let known: Vec<&str> = arm.formations().iter().map(|f| f.word()).collect();
        formation_value
            .fault(format!("{} has no such formation", arm.word()), format!("one of {}", known.join(", ")));
        return None;
    }
    let brigade = brigade?;
    Some(Roster {
        slug: id?,
        name: name?,
        side: brigades[brigade].side,
        brigade: BrigadeId(brigade as u8),
        arm,
        specials,
        pose: Pose { at: at?, facing: facing? },
        formation,
        hits,
        arrival,
        men,
    })
}

fn objective(s: &Section<'_>, armies: &BySide<Army>, top: &TableTop) -> Option<Objective> {
    let name = s.field("name").required().text();
    let at = spot(&s.field("at").required(), top);
    let worth = s.field("points");
    let numbers: Vec<Option<i64>> = worth.list().iter().map(|v| v.integer(0..=50)).collect();
    if worth.is_present() && numbers.len() != 2 {
        worth.fault(
            "the points of an objective are two numbers",
            "a list like [3, 3], the first side's first",
        );
    }
    let held = s.field("held");
    let held_at_start = if held.is_present() { side_of(&held, armies) } else { None };
    s.finish();
    let points = match numbers[..] {
        [Some(first), Some(second)] => BySide { first: first as i32, second: second as i32 },
        _ => BySide { first: 3, second: 3 },
    };
    Some(Objective { name: name?, at: at?, points, held_at_start })
}

/// What no single line shows: a side without troops or general, the same name twice, units on top of each other.
fn muster_faults(file: &Section<'_>, battle: &Battle, places: &Places) {
    let sides = file.field("side").sections();
    let written = file.field("unit").sections().len();
    if written > MAX_UNITS {
        return;
    }
    // A unit that could not be read has its own fault.
    let all_read = written == battle.units.len();
    for (side, section) in Side::BOTH.into_iter().zip(&sides) {
        let id = &battle.armies[side].id;
        if battle.officers.iter().filter(|o| o.side == side && o.brigade.is_none()).count() != 1 {
            section.fault(format!("`{id}` needs exactly one army commander"), "one table [[general]] a side");
        }
        if all_read && !battle.units.iter().any(|u| u.side == side) {
            section.fault(format!("`{id}` has no units"), "a table [[unit]] in a brigade of that side");
        }
    }
    let units = battle.units.iter().map(|u| u.slug.as_str()).zip(&places.units);
    let officers = battle.officers.iter().map(|o| o.slug.as_str()).zip(&places.officers);
    let mut names: Vec<&str> = Vec::new();
    for (name, place) in units.chain(officers) {
        if names.contains(&name) {
            file.fault_at(
                place.clone(),
                format!("two pieces are called `{name}`"),
                "an `id` of its own for each",
            );
        }
        names.push(name);
    }
    let on_table: Vec<(&Roster, Rect, &Range<usize>)> = battle
        .units
        .iter()
        .zip(&places.units)
        .filter(|(u, _)| u.arrival.is_none())
        .map(|(u, place)| (u, Rect::new(u.pose, footprint(u.arm, u.formation)), place))
        .collect();
    for (i, (a, r, place)) in on_table.iter().enumerate() {
        if !battle.top.holds(r) || battle.impassable(r) {
            file.fault_at(
                (*place).clone(),
                format!("`{}` stands off the table or in impassable terrain", a.slug),
                "a place on the table, on passable ground",
            );
        }
        if let Some((b, ..)) = on_table[..i].iter().find(|(_, o, _)| r.overlaps(o)) {
            file.fault_at((*place).clone(), format!("`{}` and `{}` overlap", b.slug, a.slug), "places apart");
        }
    }
}
