//! A position in mid-game, as a situation writes it.

use game::read::{self, Field, Section};
use game::{Faults, Side};

use crate::battle::{Battle, SitePlace};
use crate::ground::hex_of;
use crate::state::{
    Face, Fire, Ford, Leaders, Mover, Phase, Piece, Post, State, Step, Task, UnitId, Units, Why,
};
use crate::{command, night, retreat, scenario};

const PHASES: [(&str, Phase); 7] = [
    ("command", Phase::Command),
    ("organization", Phase::Organization),
    ("artillery", Phase::Artillery),
    ("movement", Phase::Movement),
    ("defensive", Phase::Defensive),
    ("offensive", Phase::Offensive),
    ("rally", Phase::Rally),
];

/// Reads the `[position]` table of a situation; the rest of the file is somebody else's.
pub(crate) fn read(battle: &Battle, source: &str) -> Result<State, Faults> {
    read::document(source, |sheet| {
        sheet.entries().for_each(drop);
        let position = sheet.field("position").required().section()?;
        let state = build(battle, &position);
        position.finish();
        Some(state)
    })
}

fn build(battle: &Battle, sheet: &Section<'_>) -> State {
    let mut state = scenario::muster(battle);
    if let Some(turn) = sheet.field("turn").integer(1..=battle.turns.len() as i64) {
        state.turn = turn as u8 - 1;
    }
    if let Some(side) = side(battle, &sheet.field("active")) {
        state.active = side;
    }
    let phases: Vec<&str> = PHASES.iter().map(|(id, _)| *id).collect();
    if let Some(phase) = sheet.field("phase").one_of(&phases) {
        state.phase = PHASES[phase].1;
    }
    read_units(battle, sheet, &mut state);
    read_leaders(battle, sheet, &mut state);
    read_ground(battle, sheet, &mut state);
    for (key, change) in [("losses", 0), ("tide", 1)] {
        let Some(section) = sheet.field(key).section() else { continue };
        for (id, value) in section.entries() {
            let Some(side) = battle.side_named(&id) else {
                value.fault(format!("no side `{id}`"), "a side of the battle");
                continue;
            };
            if change == 0 {
                state.losses[side] = value.integer(0..=9999).unwrap_or(0) as u16;
            } else {
                state.tide[side] = value.truth().unwrap_or(true);
            }
        }
    }
    check_stacking(battle, sheet, &state);
    // Command as it would be found now, unless the position is before the Command Phase or says otherwise.
    let written = sheet.field("out_of_command");
    if written.is_present() {
        state.uncommanded = unit_list(battle, &written);
    } else if state.phase != Phase::Command {
        let side = state.active;
        state.uncommanded = command::uncommanded(battle, &state, side);
    }
    for (key, set) in [
        ("fired_markers", &mut state.fired_marks),
        ("fired", &mut state.fired),
        ("targeted", &mut state.targeted),
        ("acted", &mut state.acted),
        ("moved", &mut state.moved),
    ] {
        let field = sheet.field(key);
        if field.is_present() {
            *set = unit_list(battle, &field);
        }
    }
    night::note_adjacent(battle, &mut state);
    let began = sheet.field("began_next_to_enemy");
    if began.is_present() {
        state.adjacent = unit_list(battle, &began);
    }
    read_mover(battle, sheet, &mut state);
    read_combat(battle, sheet, &mut state);
    state
}

fn side(battle: &Battle, field: &Field<'_>) -> Option<Side> {
    let ids = Side::BOTH.map(|s| battle.armies[s].id.as_str());
    field.one_of(&ids).map(|index| Side::BOTH[index])
}

fn unit_list(battle: &Battle, field: &Field<'_>) -> Units {
    field.list().iter().filter_map(|item| unit_of(battle, item)).collect()
}

fn unit_of(battle: &Battle, item: &Field<'_>) -> Option<UnitId> {
    let slug = item.text()?;
    let unit = battle.unit_named(&slug);
    if unit.is_none() {
        item.fault(format!("no unit `{slug}`"), "the id of a unit");
    }
    unit
}

/// `hex = "0910"`, or `box = "due"` or `"gone"`.
fn read_post(battle: &Battle, section: &Section<'_>, now: Post) -> Post {
    let boxed = section.field("box").one_of(&["due", "gone"]);
    let hex = section.field("hex");
    if let Some(index) = boxed {
        return [Post::Due, Post::Gone][index];
    }
    match hex_of(&hex, &battle.map.grid) {
        Some(at) if battle.map.in_play.contains(at) => Post::On(at),
        Some(_) => {
            hex.fault("the hex is not in play", "a hex that is in play");
            now
        }
        None => now,
    }
}

fn read_units(battle: &Battle, sheet: &Section<'_>, state: &mut State) {
    let Some(units) = sheet.field("unit").section() else { return };
    for (slug, field) in units.entries() {
        let (Some(id), Some(section)) = (battle.unit_named(&slug), field.section()) else {
            field.fault(format!("no unit `{slug}`"), "the id of a unit, and a table");
            continue;
        };
        let sheet = battle.unit(id);
        let unit = state.unit_mut(id);
        unit.post = read_post(battle, &section, unit.post);
        if let Some(sp) = section.field("sp").integer(1..=i64::from(sheet.sp)) {
            unit.sp = sp as u8;
        }
        if let Some(lost) = section.field("lost").integer(0..=i64::from(sheet.sp) - 1) {
            unit.sp = sheet.sp - lost as u8;
        }
        if let Some(routed) = section.field("routed").truth() {
            unit.routed = routed;
        }
        for (key, deployed) in
            [("limbered", false), ("unlimbered", true), ("mounted", false), ("dismounted", true)]
        {
            if let Some(is) = section.field(key).truth() {
                unit.deployed = deployed == is;
            }
        }
        if section.field("building").truth() == Some(true) {
            unit.task = Task::Build;
        }
        let burning = section.field("burning");
        if let Some(name) = burning.text() {
            match (0..battle.sites.len() as u8).find(|&s| crate::notation::site_name(battle, s) == name) {
                Some(site) => unit.task = Task::Burn(site),
                None => burning.fault(format!("nothing to burn at `{name}`"), "a place of [[burnable]]"),
            }
        }
        section.finish();
    }
}

fn read_leaders(battle: &Battle, sheet: &Section<'_>, state: &mut State) {
    let Some(leaders) = sheet.field("leader").section() else { return };
    for (slug, field) in leaders.entries() {
        let (Some(id), Some(section)) = (battle.leader_named(&slug), field.section()) else {
            field.fault(format!("no leader `{slug}`"), "the id of a leader, and a table");
            continue;
        };
        let leader = &mut state.leaders[id.index()];
        leader.post = read_post(battle, &section, leader.post);
        if let Some(replaced) = section.field("replaced").truth() {
            leader.replaced = replaced;
        }
        section.finish();
    }
}

fn read_ground(battle: &Battle, sheet: &Section<'_>, state: &mut State) {
    for item in sheet.field("works").list() {
        if let Some(hex) = hex_of(&item, &battle.map.grid) {
            state.works.insert(hex);
        }
    }
    for item in sheet.field("burned").list() {
        let Some(name) = item.text() else { continue };
        match battle.sites.iter().position(|s| site_is(battle, s.place, &name)) {
            Some(index) => state.burned |= 1 << index,
            None => item.fault(format!("nothing to burn at `{name}`"), "a place of [[burnable]]"),
        }
    }
    if let Some(fords) = sheet.field("fords").section() {
        for (name, value) in fords.entries() {
            let index =
                battle.map.grid.parse_side(&name).and_then(|s| battle.fords.iter().position(|f| f.side == s));
            let word = value.one_of(&["yes", "no", "hidden", "found", "none"]);
            match (index, word) {
                (Some(index), Some(word)) => {
                    state.fords[index] = [
                        Ford::Unsearched(Face::Yes),
                        Ford::Unsearched(Face::No),
                        Ford::Unsearched(Face::Hidden),
                        Ford::Found,
                        Ford::None,
                    ][word];
                }
                (None, _) => value.fault(format!("no ford marker at `{name}`"), "a side of [[ford]]"),
                _ => {}
            }
        }
    }
    if let Some(control) = sheet.field("control").section() {
        for (number, value) in control.entries() {
            let index =
                battle.map.parse(&number).and_then(|h| battle.objectives.iter().position(|o| o.hex == h));
            let Some(index) = index else {
                value.fault(format!("{number} is no objective"), "a hex of [[objective]]");
                continue;
            };
            state.control[index] =
                if value.text().as_deref() == Some("none") { None } else { side(battle, &value) };
        }
    }
}

fn site_is(battle: &Battle, place: SitePlace, name: &str) -> bool {
    match place {
        SitePlace::Bridge(side) => battle.map.grid.parse_side(name) == Some(side),
        SitePlace::Depot(hex) => battle.map.grid.parse(name) == Some(hex),
    }
}

/// 1.1.1: one combat unit a hex.
fn check_stacking(battle: &Battle, sheet: &Section<'_>, state: &State) {
    for (index, unit) in state.units.iter().enumerate() {
        let Some(hex) = unit.post.hex() else { continue };
        if state.unit_at(hex) != Some(UnitId(index as u8)) {
            let text = format!("two combat units in {}", battle.number(hex));
            sheet.field("unit").fault(text, "one combat unit a hex (1.1.1.a)");
        }
    }
}

/// `mover = { piece = "meagher", start = "0910", spent = 2.5, stopped = true }`.
fn read_mover(battle: &Battle, sheet: &Section<'_>, state: &mut State) {
    let Some(section) = sheet.field("mover").section() else { return };
    let field = section.field("piece").required();
    let piece = field.text().and_then(|slug| battle.piece_named(&slug));
    let start = hex_of(&section.field("start"), &battle.map.grid);
    let spent = section.field("spent").thousandths().unwrap_or(0) / 500;
    let stopped = section.field("stopped").truth().unwrap_or(false);
    section.finish();
    let Some(piece) = piece else {
        field.fault("no such unit or leader", "the id of a unit or leader");
        return;
    };
    match piece {
        Piece::Unit(id) => state.moved.insert(id),
        Piece::Leader(id) => state.moved_leaders.insert(id),
    }
    let start = start.or(state.hex_of(piece).hex());
    state.mover = Some(Mover { piece, start, spent: spent.clamp(0, 100) as u8, stopped });
}

/// A combat under way: `fire = { at = "0505", by = ["caldwell"] }` and one of `check`, `retreat`, `rout`, `advance`.
fn read_combat(battle: &Battle, sheet: &Section<'_>, state: &mut State) {
    if let Some(section) = sheet.field("fire").section() {
        let at = hex_of(&section.field("at").required(), &battle.map.grid);
        let firers = unit_list(battle, &section.field("by"));
        let declared = section.field("declared").truth().unwrap_or(false);
        section.finish();
        state.fire = Fire { at, firers, checked: Leaders::EMPTY };
        if declared {
            state.agenda.push(Step::Volley);
        }
    }
    if let Some(hex) = hex_of(&sheet.field("advance"), &battle.map.grid) {
        state.agenda.push(Step::Advance { hex });
    }
    if let Some(unit) = optional_unit(battle, &sheet.field("check")) {
        state.agenda.push(Step::Morale { unit, why: Why::Fire });
    }
    for (key, rout) in [("retreat", false), ("rout", true)] {
        if let Some(unit) = optional_unit(battle, &sheet.field(key)) {
            if rout {
                state.unit_mut(unit).routed = true;
            }
            retreat::begin(battle, state, unit, rout);
        }
    }
}

fn optional_unit(battle: &Battle, field: &Field<'_>) -> Option<UnitId> {
    if field.is_present() { unit_of(battle, field) } else { None }
}
