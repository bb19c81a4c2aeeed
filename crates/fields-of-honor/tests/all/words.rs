//! What the board says to a player who has never seen the book.

use fields_of_honor::FieldsOfHonor as S;
use game::dice::QuickDice;
use game::{Chronicle, Display, Files, Fx, Notation, Options, Rules};

const DRILL: &str = include_str!("../../../../scenarios/fields-of-honor/drill-ground.toml");

struct Case {
    battle: <S as Rules>::Battle,
    state: <S as Rules>::State,
    log: Chronicle,
}

fn case(rest: &str) -> Case {
    case_on(DRILL, rest)
}

fn case_on(scenario: &str, rest: &str) -> Case {
    let source = format!("{scenario}\n{rest}");
    let battle = S::compile(&source, &suite::Shelf, &Options::default()).expect("a battle");
    let mut state = S::position(&battle, &source).expect("a position");
    let mut fx = Fx { dice: QuickDice::new(4), log: Chronicle::default() };
    S::settle(&battle, &mut state, &mut fx);
    Case { battle, state, log: fx.log }
}

impl Case {
    fn play(&mut self, action: &str) {
        let action = S::read(&self.battle, &self.state, action).expect("an action");
        let mut fx = Fx { dice: QuickDice::new(4), log: Some(&mut self.log) };
        S::answer(&self.battle, &mut self.state, &action, &mut fx);
        S::settle(&self.battle, &mut self.state, &mut fx);
    }

    fn labels(&self) -> Vec<String> {
        let mut offers = Vec::new();
        S::offers(&self.battle, &self.state, &mut offers);
        offers.iter().map(|a| S::offer(&self.battle, &self.state, a).label).collect()
    }

    fn notes(&self, action: &str) -> Vec<String> {
        let action = S::read(&self.battle, &self.state, action).expect("an action");
        S::offer(&self.battle, &self.state, &action).notes.into_iter().map(|n| n.text).collect()
    }
}

#[test]
fn a_line_says_how_deep_it_is() {
    let moves = case("[position]\nturn = 1\nphase = \"movement\"\nmover = \"red\"\n").labels();
    assert!(moves.iter().any(|l| l == "Form line, two deep"), "{moves:?}");
    assert!(
        !moves.iter().any(|l| l == "Form line" || l == "Form line, one deep"),
        "all stand in line: {moves:?}"
    );
}

#[test]
fn orders_to_different_places_are_told_apart() {
    let orders = case_on(
        &DRILL.replace("orders = false", "orders = true"),
        "[position]\nturn = 2\nphase = \"orders\"\nmover = \"red\"\n\
         leader.brigadier-red = { at = [24, 9], order = \"move\", marker = [24, 16] }\n",
    )
    .labels();
    let hill = orders.iter().filter(|l| l.starts_with("Brigadier Red to attack towards round hill"));
    assert_eq!(hill.count(), 1, "{orders:?}");
    let mut once = orders.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), orders.len(), "{orders:?}");
}

#[test]
fn a_move_to_a_wall_promises_its_cover() {
    let wall = case(
        "[position]\nturn = 1\nphase = \"movement\"\nmover = \"red\"\n\
         unit.r1 = { at = [33, 7.6] }\nunit.b1 = { at = [33, 26], facing = 180 }\n",
    );
    let heavy = "Heavy cover against the nearest enemy".to_owned();
    assert!(wall.notes("move r1 ahead 3").contains(&heavy));
    assert!(!wall.notes("move r1 ahead 1").contains(&heavy));
}

#[test]
fn a_rallied_mob_is_offered_its_formations_first() {
    let mut rally = case(
        "[position]\nturn = 4\nphase = \"morale\"\nmover = \"red\"\n\
         unit.r1 = { at = [36, 6], state = \"shaken\", formation = \"mob\", lost = 4 }\n\
         leader.brigadier-red = { at = [31, 8] }\n",
    );
    rally.play("pass");
    let labels = rally.labels();
    assert_eq!(labels[..2], ["Form line, one deep", "Form line, two deep"], "{labels:?}");
    assert_eq!(labels.last().map(String::as_str), Some("Red 1st Regiment stays a mob"), "{labels:?}");
}

#[test]
fn the_go_is_told_in_units_and_each_phase_has_its_head() {
    let moves = case("[position]\nturn = 1\nphase = \"movement\"\nmover = \"red\"\n");
    let asked = S::prompt(&moves.battle, &moves.state);
    assert!(asked.sentence.starts_with("Which unit moves? You may move "), "{}", asked.sentence);
    assert!(!asked.sentence.contains("BMU") && !asked.detail.contains("BMU"), "{asked:?}");
    let mut fire = case(
        "[position]\nturn = 3\nphase = \"fire\"\nmover = \"red\"\n\
         unit.r1 = { at = [29.5, 9] }\nunit.b2 = { at = [29.5, 13], facing = 180 }\n",
    );
    fire.play("fire r1 at b2 stands 1,2,3,4,5,6");
    // The other side declares, then both may fire after moving; nobody charges or moves on.
    while !fire.log.entries.iter().any(|e| e.text == "Turn 3: Melee.") {
        fire.play("pass");
    }
    let told: Vec<&str> = fire.log.entries.iter().map(|e| e.text.as_str()).collect();
    assert!(told.iter().any(|t| t.contains("inflicts losses on")), "{told:?}");
    assert!(!told.iter().any(|t| t.contains("takes") && t.contains("hit")), "{told:?}");
}
