//! The invariant itself: it holds at the start of a battle, and each thing that may not be breaks it.

use brigade_battles::state::{Phase, Post, Task};
use brigade_battles::{Battle, BrigadeBattles, State, invariant};
use game::{Files, Options, Rules, Side};
use suite::Shelf;

const GROUND: &str = r#"
title = "Invariant"
unit = [
  { id = "gibbon", side = "usa", sp = 9, independent = true, at = "0505" },
  { id = "guns", side = "usa", type = "artillery", sp = 6, division = "meade", at = "0506" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0501" },
]
leader = [{ id = "meade", side = "usa", at = "0505" }]
objective = [{ hex = "0505", points = 5 }]
[map]
cols = 9
rows = 9
off = ["0909"]
terrain = { water = ["0101"] }
"#;

fn battle() -> Battle {
    BrigadeBattles::compile(GROUND, &Shelf, &Options::new()).expect("a sound scenario")
}

#[track_caller]
fn broken(said: &str, change: impl FnOnce(&Battle, &mut State)) {
    let battle = battle();
    let mut state = BrigadeBattles::muster(&battle);
    assert_eq!(invariant(&battle, &state), Ok(()));
    change(&battle, &mut state);
    assert_eq!(invariant(&battle, &state), Err(said.to_owned()));
}

fn at(battle: &Battle, hex: &str) -> Post {
    Post::On(battle.map.grid.parse(hex).expect("a hex"))
}

#[test]
fn strength() {
    broken("gibbon has 10 SP", |_, state| state.units[0].sp = 10);
    broken("gibbon has 0 SP", |_, state| state.units[0].sp = 0);
    broken("3 SP are gone but only 2 counted", |_, state| {
        state.units[0].sp = 6;
        state.losses[Side::First] = 2;
    });
    let battle = battle();
    let mut state = BrigadeBattles::muster(&battle);
    state.units[0].sp = 6;
    state.losses[Side::First] = 3;
    assert_eq!(invariant(&battle, &state), Ok(()));
}

#[test]
fn places() {
    broken("hood stands in 0909", |battle, state| state.units[2].post = at(battle, "0909"));
    broken("hood stands in 0101", |battle, state| state.units[2].post = at(battle, "0101"));
    broken("two combat units in 0506", |battle, state| state.units[0].post = at(battle, "0506"));
    broken("0505 is held by one side and controlled by another", |_, state| {
        state.control[0] = Some(Side::Second);
    });
    broken("meade shares a hex with an enemy unit", |battle, state| {
        state.leaders[0].post = at(battle, "0501");
    });
}

#[test]
fn markers() {
    broken("gibbon is infantry and not in line", |_, state| state.units[0].deployed = false);
    broken("guns is routed and unlimbered", |_, state| state.units[1].routed = true);
    for change in [
        |state: &mut State| state.units[0].routed = true,
        |state: &mut State| state.units[0].post = Post::Due,
    ] {
        broken("gibbon has a work in hand that it left", |_, state| {
            state.units[0].task = Task::Build;
            change(state);
        });
    }
    let gibbon = |battle: &Battle| battle.unit_named("gibbon").expect("a unit");
    let guns = |battle: &Battle| battle.unit_named("guns").expect("a unit");
    broken("gibbon carries a FIRED marker", |battle, state| state.fired_marks.insert(gibbon(battle)));
    broken("guns carries a FIRED marker", |battle, state| {
        state.fired_marks.insert(guns(battle));
        state.active = Side::Second;
    });
    broken("gibbon is independent and out of command", |battle, state| {
        state.uncommanded.insert(gibbon(battle));
    });
    let battle = battle();
    let mut state = BrigadeBattles::muster(&battle);
    state.phase = Phase::Movement;
    state.fired_marks.insert(guns(&battle));
    state.uncommanded.insert(guns(&battle));
    assert_eq!(invariant(&battle, &state), Ok(()));
}
