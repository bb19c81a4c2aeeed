//! A position in mid-game, as a situation's `[position]` writes it.

use game::read::{self, Field, Section};
use game::{Faults, Side};
use table::{Angle, Pose, Spot};

use crate::basics::{Formation, Shape};
use crate::battle::Battle;
use crate::sequence::{Phase, Step};
use crate::state::{BodyId, Bout, Breach, Command, Face, Marks, Order, Personality, State, Where};

/// Situations may put a piece off the table, but not so far that measuring ends: thousandths of an inch.
const PLACES: std::ops::RangeInclusive<i64> = -100_000..=400_000;

/// Sets up a position.
pub(crate) fn read(battle: &Battle, source: &str) -> Result<State, Faults> {
    read::document(source, |sheet| {
        sheet.entries().for_each(drop);
        let section = sheet.field("position").required().section()?;
        let mut state = battle.start.clone();
        if let Some(turn) = section.field("turn").integer(1..=60) {
            state.turn = turn as u8;
        }
        let phase = section.field("phase").one_of(&Phase::NAMES).map_or(Phase::Orders, |i| Phase::ALL[i]);
        state.phase = phase;
        state.agenda.clear();
        state.agenda.push(Step::Begin(phase));
        if let Some(side) = side(battle, &section.field("mover")) {
            state.mover = side;
        }
        for (id, field) in entries(&section, "unit") {
            unit(battle, &mut state, &id, &field);
        }
        for (id, field) in entries(&section, "leader") {
            leader(battle, &mut state, &id, &field);
        }
        for row in section.field("melee").sections() {
            melee(battle, &mut state, &row);
            row.finish();
        }
        for row in section.field("breach").sections() {
            let wall = row.field("wall").required().integer(0..=63);
            let along = row.field("along").required().thousandths();
            row.finish();
            let _ = state.breaches.try_push(Breach {
                wall: wall? as u8,
                along: along? as u16,
                hits: 0,
                open: true,
            });
        }
        section.finish();
        Some(state)
    })
}

fn entries<'d>(section: &Section<'d>, key: &'d str) -> Vec<(String, Field<'d>)> {
    section.field(key).section().map(|s| s.entries().collect()).unwrap_or_default()
}

fn side(battle: &Battle, field: &Field<'_>) -> Option<Side> {
    let ids = [battle.sides.first.id.as_str(), battle.sides.second.id.as_str()];
    field.one_of(&ids).map(|i| Side::BOTH[i])
}

fn spot(field: &Field<'_>) -> Option<Spot> {
    if !field.is_present() {
        return None;
    }
    let numbers: Vec<i64> = field.list().iter().filter_map(Field::thousandths).collect();
    match numbers.as_slice() {
        [x, y] if PLACES.contains(x) && PLACES.contains(y) => Some(Spot::new(*x as i32, *y as i32)),
        _ => {
            field.fault(
                "this is no place on or near a table",
                "a list like [12, 7.5], two numbers from -100 to 400",
            );
            None
        }
    }
}

fn unit(battle: &Battle, state: &mut State, id: &str, field: &Field<'_>) -> Option<()> {
    let Some(found) = battle.find(state, id) else {
        field.fault(format!("there is no unit `{id}`"), "the id of a unit");
        return None;
    };
    let section = field.section()?;
    let arm = battle.bmus[usize::from(state.body(found).bmu)].arm;
    let at = spot(&section.field("at"));
    let facing = section.field("facing").thousandths().map(|t| Angle::hundredths((t / 10) as i32));
    let formation = section.field("formation").one_of(&Formation::NAMES).map(|i| Formation::ALL[i]);
    let files = section.field("files").integer(1..=12);
    let lost = section.field("lost").integer(0..=60);
    let fresh = section.field("fresh").integer(0..=60);
    let order = section.field("state").one_of(&Order::NAMES).map(|i| Order::ALL[i]);
    let marks = section.field("marks");
    let fired = section.field("has_fired").truth();
    let recovered = section.field("recovered").truth();
    let gone = section.field("gone").truth();
    let coming = section.field("coming").truth();
    let from = section.field("enemy").text();
    let cause = from.as_deref().and_then(|s| battle.find(state, s));
    section.finish();
    let bmu = usize::from(state.body(found).bmu);
    state.bmus[bmu].fired = fired.unwrap_or(state.bmus[bmu].fired);
    state.bmus[bmu].recovered = recovered.unwrap_or(state.bmus[bmu].recovered);
    let body = state.body_mut(found);
    body.place = Where::Table;
    if gone == Some(true) {
        body.place = Where::Gone;
    }
    if coming == Some(true) {
        body.place = Where::Coming;
    }
    body.lost = lost.map_or(body.lost, |n| n as u8);
    body.fresh = fresh.map_or(body.fresh, |n| n as u8);
    body.order = order.unwrap_or(body.order);
    body.other = cause;
    if body.fresh > 0 {
        body.marks.set(Marks::HIT);
    }
    for word in marks.texts() {
        match Marks::WORDS.iter().find(|(w, _)| *w == word) {
            Some((_, mark)) => body.marks.set(*mark),
            None => {
                let known: Vec<&str> = Marks::WORDS.iter().map(|(w, _)| *w).collect();
                marks.fault(format!("`{word}` is no mark"), format!("one of {}", known.join(", ")));
            }
        }
    }
    if formation.is_some() || files.is_some() {
        let formation = formation.unwrap_or(body.shape.formation);
        body.shape = Shape::of(formation, arm, body.strength, files.unwrap_or(0) as u8);
    }
    body.pose = Pose { at: at.unwrap_or(body.pose.at), facing: facing.unwrap_or(body.pose.facing) };
    Some(())
}

fn leader(battle: &Battle, state: &mut State, id: &str, field: &Field<'_>) -> Option<()> {
    let Some(found) = battle.find_leader(id) else {
        field.fault(format!("there is no leader `{id}`"), "the id of a leader");
        return None;
    };
    let section = field.section()?;
    let at = spot(&section.field("at"));
    let attached = section.field("attached").text();
    let disabled = section.field("disabled").truth();
    let moved = section.field("moved").truth();
    let order = section.field("order").one_of(&Command::NAMES).map(|i| Command::ALL[i]);
    let marker = spot(&section.field("marker"));
    let personality = section.field("personality").one_of(&Personality::NAMES).map(|i| Personality::ALL[i]);
    section.finish();
    let with = attached.as_deref().and_then(|s| battle.find(state, s));
    let pose = with.map(|b| state.body(b).pose.at);
    let man = &mut state.leaders[found.i()];
    man.place = Where::Table;
    man.at = at.or(pose).unwrap_or(man.at);
    man.attached = with.or(man.attached);
    man.disabled = disabled.unwrap_or(man.disabled);
    man.moved = moved.unwrap_or(man.moved);
    man.order = order.unwrap_or(man.order);
    man.marker = marker.unwrap_or(man.marker);
    man.personality = personality.unwrap_or(man.personality);
    Some(())
}

fn melee(battle: &Battle, state: &mut State, row: &Section<'_>) -> Option<()> {
    let find = |field: Field<'_>| -> Option<BodyId> {
        let id = field.clone().required().text()?;
        let found = battle.find(state, &id);
        if found.is_none() {
            field.fault(format!("there is no unit `{id}`"), "the id of a unit");
        }
        found
    };
    let (attacker, defender) = (find(row.field("attacker")), find(row.field("defender")));
    let face = row.field("face").one_of(&Face::NAMES).map_or(Face::Front, |i| Face::ALL[i]);
    let charged = row.field("charged").truth().unwrap_or(false);
    let countered = row.field("countered").truth().unwrap_or(false);
    let rounds = row.field("rounds").integer(0..=20).unwrap_or(0) as u8;
    let wall = row.field("wall").integer(0..=63).map_or(u8::MAX, |n| n as u8);
    let ladders = row.field("ladders").truth().unwrap_or(false);
    let bout = Bout {
        attacker: attacker?,
        defender: defender?,
        face,
        charged,
        countered,
        rounds,
        wall,
        ladders,
        fought: false,
    };
    let _ = state.bouts.try_push(bout);
    Some(())
}
