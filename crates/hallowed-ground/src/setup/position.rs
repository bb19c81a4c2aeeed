//! Positions in mid-game, as situations write them.

use game::read::{Section, document};
use game::{Agenda, Faults, Side};
use table::{EPS, Pose, Side as Edge, Spot, touch};

use crate::notation::{brigade_named, officer_named, unit_named};
use crate::rules::charges::contact::engage;
use crate::rules::formations::{Formation, GRIP};
use crate::rules::morale::{breaks_with, broken_troops};
use crate::rules::sequence::Step;
use crate::setup::battle::{Battle, BrigadeId, Flags, Marker, Phase, State, UnitId, Whereabouts, rect_of};
use crate::setup::lawful::{self, Places};
use crate::setup::scenario::angle;

const PLACES: [&str; 4] = ["reserve", "table", "broken", "left"];
const EDGES: [&str; 4] = ["front", "left", "right", "rear"];

/// The position of a situation file, or of a text that is nothing but its `[position]`.
pub(crate) fn read(battle: &Battle, source: &str) -> Result<State, Faults> {
    document(source, |file| {
        let whole = file.field("position");
        if whole.is_present() {
            file.entries().for_each(drop);
            let section = whole.section()?;
            let state = set_up(battle, &section);
            section.finish();
            return Some(state);
        }
        Some(set_up(battle, file))
    })
}

fn set_up(battle: &Battle, file: &Section<'_>) -> State {
    let mut state = crate::muster_state(battle);
    let mut places = Places::new(file, battle);
    clock(file, battle, &mut state);
    if let Some(units) = file.field("unit").section() {
        for (name, value) in units.entries() {
            match (unit_named(battle, &name), value.section()) {
                (Some(u), Some(s)) => {
                    places.units[u.i()] = value.span();
                    unit(&s, battle, &mut state, u);
                }
                (None, _) => value.fault(format!("there is no unit `{name}`"), "a unit of the scenario"),
                _ => {}
            }
        }
    }
    if let Some(commanders) = file.field("commander").section() {
        for (name, value) in commanders.entries() {
            let (Some(c), Some(s)) = (officer_named(battle, &name), value.section()) else {
                value.fault(format!("there is no commander `{name}`"), "a commander of the scenario");
                continue;
            };
            places.commanders[c.i()] = value.span();
            commander(&s, battle, &mut state, c.i());
        }
    }
    brigades(file, battle, &mut state);
    for s in file.field("contact").sections() {
        contact(&s, battle, &mut state);
    }
    for i in 0..battle.units.len() {
        crate::rules::commanders::follow(battle, &mut state, UnitId(i as u8));
    }
    lawful::check(file, battle, &state, &places);
    state
}

/// The brigades that are Broken: those written, which must have lost more than half, and all that have.
fn brigades(file: &Section<'_>, battle: &Battle, state: &mut State) {
    let due = |state: &State, b: BrigadeId| breaks_with(battle, b, broken_troops(battle, state, b));
    for value in file.field("broken").list() {
        let Some(name) = value.text() else { continue };
        match brigade_named(battle, &name) {
            Some(b) if due(state, b) => {}
            Some(b) => {
                let most = battle.brigade(b).troops / 2;
                value.fault(
                    format!("brigade `{name}` has not lost enough to be Broken"),
                    format!("more than {most} of its foot and horse with `place = \"broken\"`"),
                );
            }
            None => value.fault(format!("there is no brigade `{name}`"), "a brigade of the scenario"),
        }
    }
    for i in 0..battle.brigades.len() {
        let b = BrigadeId(i as u8);
        if due(state, b) {
            state.broken_brigades |= 1 << b.0;
        }
    }
}

/// Turn, phase and whose round it is; the agenda follows from them.
fn clock(file: &Section<'_>, battle: &Battle, state: &mut State) {
    let ids = [battle.armies.first.id.as_str(), battle.armies.second.id.as_str()];
    let side = |key: &'static str| {
        let value = file.field(key);
        value.is_present().then(|| value.one_of(&ids).map(|i| Side::BOTH[i])).flatten()
    };
    state.turn = file.field("turn").integer(1..=i64::from(battle.turns)).unwrap_or(1) as u8;
    state.active = side("side").unwrap_or(Side::First);
    state.first = side("first").unwrap_or(state.active);
    let phase = file.field("phase");
    let text = phase.text().unwrap_or_else(|| "start".to_owned());
    let mut words = text.split_whitespace();
    let word = words.next().unwrap_or("start");
    let brigade = words.next().and_then(|b| brigade_named(battle, b));
    state.agenda = Agenda::new();
    if word == "start" {
        state.agenda.push(Step::Initiative);
        return;
    }
    state.agenda.push(Step::EndPhase);
    state.phase = if word == "end" { Phase::End } else { Phase::Command };
    if word == "end" {
        return;
    }
    if state.active == state.first {
        state.agenda.push(Step::Round { side: !state.first });
    }
    let steps = [
        ("melee", Step::MeleePhase),
        ("tests", Step::ShotTests),
        ("shooting", Step::Shooting),
        ("general", Step::ArmyRides),
        ("activate", Step::Activate),
        ("charges", Step::Charges),
        ("attach", Step::Attach),
    ];
    if word == "round" {
        state.agenda.push(Step::Round { side: state.active });
        return;
    }
    if let Some(at) = steps.iter().position(|(w, _)| *w == word) {
        for (_, step) in &steps[..=at] {
            state.agenda.push(*step);
        }
        return;
    }
    match (word, brigade) {
        ("orders" | "ride", Some(b)) if battle.brigade(b).side != state.active => phase.fault(
            format!("`{text}` is a brigade of the other side"),
            "a brigade of the side whose round it is",
        ),
        ("orders" | "ride", Some(b)) => {
            for (_, step) in &steps[..5] {
                state.agenda.push(*step);
            }
            state.activated |= 1 << b.0;
            state.agenda.push(Step::BrigadeRides { brigade: b });
            if word == "orders" {
                state.agenda.push(Step::Orders { brigade: b });
            }
        }
        _ => phase.fault(
            format!("`{text}` is no phase"),
            "start, round, attach, charges, activate, orders BRIGADE, ride BRIGADE, general, shooting, tests, melee or end",
        ),
    }
}

/// `at = [x, y]`: on or near a table.
fn spot(s: &Section<'_>) -> Option<Spot> {
    let value = s.field("at");
    if !value.is_present() {
        return None;
    }
    let numbers: Vec<i64> = value.list().iter().filter_map(|v| v.thousandths()).collect();
    let near = |n: i64| (-100_000..=400_000).contains(&n);
    match numbers[..] {
        [x, y] if near(x) && near(y) => Some(Spot::new(x as i32, y as i32)),
        _ => {
            value.fault("this is no place on or near a table", "[x, y], two numbers from -100 to 400");
            None
        }
    }
}

fn unit(s: &Section<'_>, battle: &Battle, state: &mut State, u: UnitId) {
    let (at, arm) = (spot(s), battle.unit(u).arm);
    let (shaken_at, break_at) = arm.morale();
    let unit = state.unit_mut(u);
    if let Some(at) = at {
        unit.pose = Pose { at, facing: unit.pose.facing };
        unit.place = Whereabouts::Table;
    }
    if let Some(facing) = angle(&s.field("facing")) {
        unit.pose.facing = facing;
    }
    let formation = s.field("formation");
    if let Some(i) = formation.one_of(&Formation::WORDS) {
        unit.formation = Formation::ALL[i];
        if !arm.formations().contains(&unit.formation) {
            let known: Vec<&str> = arm.formations().iter().map(|f| f.word()).collect();
            formation.fault(
                format!("{} has no such formation", arm.word()),
                format!("one of {}", known.join(", ")),
            );
            unit.formation = arm.formations()[0];
        }
    }
    // Units that are gone may have any number of hits.
    if let Some(hits) = s.field("hits").integer(0..=30) {
        unit.hits = hits as u8;
        unit.shaken = unit.hits >= shaken_at;
    }
    let shaken = s.field("shaken");
    unit.shaken = shaken.truth().unwrap_or(unit.shaken);
    if let Some(i) = s.field("place").one_of(&PLACES) {
        unit.place = [Whereabouts::Reserve, Whereabouts::Table, Whereabouts::Broken, Whereabouts::Left][i];
    }
    let on_table = unit.place == Whereabouts::Table;
    if on_table && unit.hits >= break_at {
        let expected = format!("0 to {}, or `place = \"broken\"`", break_at - 1);
        s.field("hits").fault(format!("at {break_at} hits the unit is Broken"), expected);
    } else if on_table && unit.hits >= shaken_at && !unit.shaken {
        shaken.fault(format!("at {shaken_at} hits the unit is Shaken"), "`shaken = true`, or no such line");
    }
    if unit.place == Whereabouts::Reserve && battle.unit(u).arrival.is_none() {
        s.field("place").fault("the scenario has no arrival for this unit", "table, broken or left");
    }
    if let Some(i) = s.field("order").one_of(&Marker::WORDS) {
        unit.order = Some(Marker::ALL[i]);
    }
    for (word, bit) in Flags::WORDS {
        if s.field(word).truth() == Some(true) {
            unit.flags.set(bit);
        }
    }
    let by_road = s.field("by_road");
    if by_road.truth() == Some(true) {
        unit.road = battle.road_near(unit.pose.at.pt());
        if unit.road.is_none() {
            by_road.fault("no road is within 1 in of its leader point", "a place on a road");
        }
    }
    s.finish();
}

fn commander(s: &Section<'_>, battle: &Battle, state: &mut State, c: usize) {
    if let Some(at) = spot(s) {
        state.commanders[c].at = at;
        state.commanders[c].on_table = true;
    }
    let attached = s.field("attached");
    if let Some(name) = attached.text() {
        match unit_named(battle, &name) {
            Some(u) => state.commanders[c].attached = Some(u),
            None => attached.fault(format!("there is no unit `{name}`"), "a unit of the scenario"),
        }
    }
    let present = s.field("on_table").truth();
    state.commanders[c].on_table = present.unwrap_or(state.commanders[c].on_table);
    state.commanders[c].moved = s.field("moved").truth().unwrap_or(false);
    state.commanders[c].rallied = s.field("rallied").truth().unwrap_or(false);
    s.finish();
}

/// `{ a = "x", b = "y" }`: a came upon b. Sides not written are those of the touching edges.
fn contact(s: &Section<'_>, battle: &Battle, state: &mut State) {
    let name = |key: &'static str| s.field(key).required().text().and_then(|n| unit_named(battle, &n));
    let (a, b) = (name("a"), name("b"));
    let edge = |key: &'static str| s.field(key).one_of(&EDGES).map(|i| Edge::ALL[i]);
    let (side_a, side_b) = (edge("side_of_a"), edge("side_of_b"));
    let defends = s.field("defends").truth();
    s.finish();
    let (Some(a), Some(b)) = (a, b) else {
        return s.fault("a contact is between two units of the scenario", "a and b");
    };
    if battle.unit(a).side == battle.unit(b).side {
        return s.fault("the two are of one side", "two enemies");
    }
    if !state.on_table(a) || !state.on_table(b) {
        return s.fault("one of the two is not on the table", "two units with a place on it");
    }
    if state.foes(a).any(|(foe, _, _)| foe == b) {
        return s.fault("this contact is written twice", "each pair once");
    }
    let touching = touch(&rect_of(battle, state, a), &rect_of(battle, state, b));
    let Some(touching) = touching.filter(|t| t.length >= GRIP - 2 * EPS) else {
        let hint = "edges that lie together for 0.25 in or more";
        return s.fault("the two do not touch, or only at a corner", hint);
    };
    engage(battle, state, a, b, side_a.unwrap_or(touching.mine), side_b.unwrap_or(touching.theirs));
    if let (Some(defends), Some(last)) = (defends, state.contacts.last_mut()) {
        last.defended = defends;
    }
}
