//! Scenario files: the table, the terrain, the armies, objectives and length (G4).

use game::read::{Field as Value, Section, document};
use game::{BySide, Faults, Options, Side};
use table::{Angle, Area, Line, MIL, Pose, Pt, Rect, Road, Spot, TableTop};

use crate::formations::{Arm, Formation, footprint};
use crate::muster::{
    Army, Arrival, Battle, Border, Brigade, BrigadeId, CommanderId, Feature, Ground, Initiative,
    MAX_BRIGADES, MAX_COMMANDERS, MAX_UNITS, Objective, Officer, Roster, Shape, Specials,
};
use crate::notation::slug;

/// Keys of a situation that are not part of the scenario written in it.
const SITUATION: [&str; 9] =
    ["system", "proves", "note", "scenario", "options", "position", "otherwise", "step", "id"];

pub(crate) fn read(source: &str, options: &Options) -> Result<Battle, Faults> {
    document(source, |file| {
        file.ignore(&SITUATION);
        let battle = battle(file, options)?;
        muster_faults(file, &battle);
        Some(battle)
    })
}

fn battle(file: &Section<'_>, options: &Options) -> Option<Battle> {
    let title = file.field("title").text().unwrap_or_default();
    let subtitle = file.field("subtitle").text().unwrap_or_default();
    let blurb = file.field("blurb").text().unwrap_or_default();
    let turns = file.field("turns").integer(1..=30).unwrap_or(10) as u8;
    let second_bonus = file.field("second_points").integer(0..=50).unwrap_or(0) as i32;
    let top = table_top(file);
    let armies = armies(file)?;
    let initiative = initiative(file, &armies);
    let terrain: Vec<Feature> = file.field("terrain").sections().iter().filter_map(feature).collect();
    let mut officers = Vec::new();
    let brigades = brigades(file, &armies, &mut officers);
    generals(file, &armies, &mut officers);
    let units: Vec<Roster> =
        file.field("unit").sections().iter().filter_map(|s| unit(s, &armies, &brigades)).collect();
    let objectives =
        file.field("objective").sections().iter().filter_map(|s| objective(s, &armies)).collect();
    let wants_dusk = options.get("dusk").copied().unwrap_or(false);
    let written: Vec<(u8, i64)> = file.field("dusk").sections().iter().filter_map(dusk).collect();
    let has_dusk = !written.is_empty();
    let mut battle = Battle {
        title,
        subtitle,
        blurb,
        top,
        armies,
        brigades,
        units,
        officers,
        by_going: crate::terrain::by_going(&terrain),
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
    Some(battle)
}

fn dusk(s: &Section<'_>) -> Option<(u8, i64)> {
    let row = (s.field("turn").required().integer(1..=30), s.field("sight").required().thousandths());
    s.finish();
    Some((row.0? as u8, row.1? * MIL))
}

fn table_top(file: &Section<'_>) -> TableTop {
    let mut top = TableTop { width: 72_000 * MIL, height: 48_000 * MIL };
    if let Some(table) = file.field("table").section() {
        let size =
            |key: &'static str| table.field(key).thousandths().filter(|n| (6_000..=200_000).contains(n));
        top.width = size("width").unwrap_or(72_000) * MIL;
        top.height = size("height").unwrap_or(48_000) * MIL;
        table.finish();
    }
    top
}

fn armies(file: &Section<'_>) -> Option<BySide<Army>> {
    let sides = file.field("side").required().sections();
    let mut armies: Vec<Army> = sides
        .iter()
        .filter_map(|s| {
            let id = s.field("id").required().text();
            let name = s.field("name").required().text();
            let livery = s.field("livery").text().unwrap_or_else(|| "union".to_owned());
            let confederate = s.field("confederate").truth().unwrap_or(false);
            let own_edge =
                s.field("own_edge").one_of(&Border::WORDS).map_or(Border::South, |i| Border::ALL[i]);
            let points = s.field("points").integer(0..=100).unwrap_or(0) as i32;
            s.finish();
            Some(Army { id: id?, name: name?, livery, confederate, own_edge, points_at_start: points })
        })
        .collect();
    if armies.len() != 2 {
        file.fault("a battle has two sides", "two tables [[side]]");
        return None;
    }
    let second = armies.pop()?;
    Some(BySide { first: armies.pop()?, second })
}

fn side_of(value: &Value<'_>, armies: &BySide<Army>) -> Option<Side> {
    let ids = [armies.first.id.as_str(), armies.second.id.as_str()];
    value.one_of(&ids).map(|i| Side::BOTH[i])
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

/// `[x, y]` in inches.
fn spot(value: &Value<'_>) -> Option<Spot> {
    let numbers: Vec<i64> = value.list().iter().filter_map(Value::thousandths).collect();
    match numbers[..] {
        [x, y] if x.abs() < 1_000_000 && y.abs() < 1_000_000 => Some(Spot::new(x as i32, y as i32)),
        _ => {
            if value.is_present() {
                value.fault("a place is two numbers", "[x, y] in inches");
            }
            None
        }
    }
}

pub(crate) fn angle(value: &Value<'_>) -> Option<Angle> {
    value.thousandths().map(|n| Angle::hundredths(((n + 5).div_euclid(10) % 36_000) as i32))
}

fn points(value: &Value<'_>) -> Vec<Spot> {
    value.list().iter().filter_map(spot).collect()
}

fn feature(s: &Section<'_>) -> Option<Feature> {
    let name = s.field("name").text().unwrap_or_default();
    let ground = s.field("kind").required().one_of(&Ground::WORDS).map(|i| Ground::ALL[i]);
    let value = s.field("points").required();
    let spots = points(&value);
    let plateau = points(&s.field("plateau"));
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
    let closed = outline.len() > 2 && width.is_none();
    let shape = match width {
        Some(0) => Line::new(outline).map(Shape::Line),
        Some(_) if ground == Ground::Road => Road::new(outline).map(Shape::Road),
        Some(width) => Area::ribbon(&outline, width * MIL).map(Shape::Area),
        None if closed => Area::new(outline).map(Shape::Area),
        None => None,
    };
    if shape.is_none() {
        value.fault(
            "these points make no such terrain",
            "a simple outline of three points or more, or a line of two",
        );
    }
    let plateau = (plateau.len() > 2).then(|| Area::new(plateau.iter().map(|p| p.pt()).collect())).flatten();
    Some(Feature { name, ground, shape: shape?, width, plateau, works, points: spots })
}

fn officer(s: &Section<'_>, side: Side, brigade: Option<BrigadeId>) -> Option<Officer> {
    let name = s.field("name").required().text();
    let id = s.field("id").text();
    let at = spot(&s.field("at").required());
    let arrives = s.field("arrives").integer(2..=30).map(|t| t as u8);
    let fixed = s.field("fixed").truth().unwrap_or(false);
    let name = name?;
    Some(Officer { slug: id.unwrap_or_else(|| slug(&name)), name, side, brigade, at: at?, arrives, fixed })
}

fn brigades(file: &Section<'_>, armies: &BySide<Army>, officers: &mut Vec<Officer>) -> Vec<Brigade> {
    let mut out: Vec<Brigade> = Vec::new();
    for s in file.field("brigade").required().sections() {
        let name = s.field("name").required().text();
        let id = s.field("id").text();
        let side = side_of(&s.field("side").required(), armies);
        let commander = s.field("commander").required().section();
        s.finish();
        let (Some(name), Some(side), Some(commander)) = (name, side, commander) else { continue };
        let man = officer(&commander, side, Some(BrigadeId(out.len() as u8)));
        commander.finish();
        let Some(man) = man else { continue };
        officers.push(man);
        let commander = CommanderId((officers.len() - 1) as u8);
        out.push(Brigade { slug: id.unwrap_or_else(|| slug(&name)), name, side, commander, troops: 0 });
    }
    out
}

fn generals(file: &Section<'_>, armies: &BySide<Army>, officers: &mut Vec<Officer>) {
    for s in file.field("general").sections() {
        let side = side_of(&s.field("side").required(), armies);
        if let Some(man) = side.and_then(|side| officer(&s, side, None)) {
            officers.push(man);
        }
        s.finish();
    }
}

fn arrival(s: &Section<'_>) -> Option<Arrival> {
    let turn = s.field("turn").required().integer(1..=30);
    let border = s.field("edge").required().one_of(&Border::WORDS);
    let from = s.field("from").required().thousandths();
    let to = s.field("to").required().thousandths();
    s.finish();
    Some(Arrival { turn: turn? as u8, border: Border::ALL[border?], from: from? as i32, to: to? as i32 })
}

fn unit(s: &Section<'_>, armies: &BySide<Army>, brigades: &[Brigade]) -> Option<Roster> {
    let name = s.field("name").required().text();
    let id = s.field("id").text();
    let names: Vec<&str> = brigades.iter().map(|b| b.name.as_str()).collect();
    let brigade = s.field("brigade").required().one_of(&names);
    let arm = s.field("type").required().one_of(&Arm::WORDS).map(|i| Arm::ALL[i]);
    let formation_value = s.field("formation").required();
    let formation = formation_value.one_of(&Formation::WORDS).map(|i| Formation::ALL[i]);
    let at = spot(&s.field("at").required());
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
    let arrival = arrives.as_ref().and_then(arrival);
    s.finish();
    let (arm, formation) = (arm?, formation?);
    if !arm.formations().contains(&formation) {
        let known: Vec<&str> = arm.formations().iter().map(|f| f.word()).collect();
        formation_value
            .fault(format!("{} has no such formation", arm.word()), format!("one of {}", known.join(", ")));
        return None;
    }
    let name = name?;
    let brigade = brigade?;
    let _ = armies;
    Some(Roster {
        slug: id.unwrap_or_else(|| slug(&name)),
        name,
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

fn objective(s: &Section<'_>, armies: &BySide<Army>) -> Option<Objective> {
    let name = s.field("name").required().text();
    let at = spot(&s.field("at").required());
    let numbers: Vec<i64> = s.field("points").list().iter().filter_map(|v| v.integer(0..=50)).collect();
    let held = s.field("held");
    let held_at_start = if held.is_present() { side_of(&held, armies) } else { None };
    s.finish();
    let points = match numbers[..] {
        [first, second] => BySide { first: first as i32, second: second as i32 },
        _ => BySide { first: 3, second: 3 },
    };
    Some(Objective { name: name?, at: at?, points, held_at_start })
}

/// What no single line shows: too many pieces, the same name twice, units on top of each other.
fn muster_faults(file: &Section<'_>, battle: &Battle) {
    if battle.units.len() > MAX_UNITS
        || battle.officers.len() > MAX_COMMANDERS
        || battle.brigades.len() > MAX_BRIGADES
    {
        file.fault(
            "too many units, commanders or brigades",
            format!("{MAX_UNITS}, {MAX_COMMANDERS} and {MAX_BRIGADES} at the most"),
        );
    }
    for side in Side::BOTH {
        if battle.officers.iter().filter(|o| o.side == side && o.brigade.is_none()).count() != 1 {
            file.fault(
                format!("`{}` needs exactly one army commander", battle.armies[side].id),
                "one table [[general]] a side",
            );
        }
    }
    let mut names: Vec<&str> = battle.units.iter().map(|u| u.slug.as_str()).collect();
    names.extend(battle.officers.iter().map(|o| o.slug.as_str()));
    names.sort_unstable();
    for pair in names.windows(2).filter(|p| p[0] == p[1]) {
        file.fault(format!("two pieces are called `{}`", pair[0]), "an `id` of its own for each");
    }
    let on_table: Vec<(&Roster, Rect)> = battle
        .units
        .iter()
        .filter(|u| u.arrival.is_none())
        .map(|u| (u, Rect::new(u.pose, footprint(u.arm, u.formation))))
        .collect();
    for (i, (a, r)) in on_table.iter().enumerate() {
        if !battle.top.holds(r) || battle.impassable(r) {
            file.fault(
                format!("`{}` stands off the table or in impassable terrain", a.slug),
                "a lawful place",
            );
        }
        for (b, o) in &on_table[i + 1..] {
            if r.overlaps(o) {
                file.fault(format!("`{}` and `{}` overlap", a.slug, b.slug), "places apart");
            }
        }
    }
}
