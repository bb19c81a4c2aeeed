//! What every system promises, proved on Fields of Honor.

use fields_of_honor::{FieldsOfHonor, invariant};

fn random_games_end(id: &str) {
    suite::random_games::<FieldsOfHonor>(id, suite::short_or_long(500, 10_000), invariant);
}

#[test]
fn the_contract_holds() {
    suite::contract::<FieldsOfHonor>("fields-of-honor/drill-ground", suite::short_or_long(4, 40), invariant);
}

#[test]
fn random_games_end_on_the_drill_ground() {
    random_games_end("fields-of-honor/drill-ground");
}

#[test]
fn random_games_end_at_buena_vista() {
    random_games_end("fields-of-honor/buena-vista");
}

#[test]
fn random_games_end_on_snodgrass_hill() {
    random_games_end("fields-of-honor/snodgrass-hill");
}

#[test]
fn random_games_end_at_rorkes_drift() {
    random_games_end("fields-of-honor/rorkes-drift");
}

/// A unit at the edge of the table took its skirmishers back, found no room, and came to lie in a battery.
#[test]
fn a_game_that_once_broke_ends() {
    suite::random_games_of::<FieldsOfHonor>("fields-of-honor/drill-ground", 1_419..1_420, invariant);
    // Units that rallied in contact took a shape that was not.
    suite::random_games_of::<FieldsOfHonor>("fields-of-honor/rorkes-drift", 124..125, invariant);
    suite::random_games_of::<FieldsOfHonor>("fields-of-honor/drill-ground", 351..352, invariant);
}

#[test]
fn perft() {
    suite::perft::<FieldsOfHonor>("crates/fields-of-honor/tests/perft.txt");
}

#[test]
fn a_body_can_be_dragged_anywhere() {
    let tried = suite::dragging::<FieldsOfHonor>("fields-of-honor/drill-ground", &["move", "ride"], 6);
    assert!(tried > 100, "{tried} goals only");
}

/// Forty-seven units test at once and all of them fail: nobody's result is left out.
#[test]
fn everybody_may_break_at_once() {
    use fields_of_honor::rules::sequence::Phase;
    use fields_of_honor::state::{Order, Where};
    use game::dice::ScriptedDice;
    use game::{Files, Fx, Options, Rules, Silent};
    let unit = |i: usize| {
        let (x, y) = (6 + i % 8 * 28, 20 + i / 8 * 8);
        format!(
            "[[unit]]\nid = \"u{i}\"\nside = \"a\"\nstands = 2\nat = [{x}, {y}]\nweapon = \"rifled musket\"\n"
        )
    };
    let hurt = |i: usize| format!("unit.u{i} = {{ fresh = 1 }}\n");
    let source = format!(
        "title = \"Rout\"\n[options]\norders = false\n[battle]\nscale = \"battalion\"\ntable = [220, 120]\n\
         [[side]]\nid = \"a\"\n[[side]]\nid = \"b\"\n{}\
         [[unit]]\nid = \"q\"\nside = \"b\"\nstands = 2\nat = [110, 110]\nfacing = 180\n\
         [position]\nphase = \"morale\"\n{}",
        (0..47).map(unit).collect::<String>(),
        (0..47).map(hurt).collect::<String>(),
    );
    let battle = FieldsOfHonor::compile(&source, &suite::Shelf, &Options::default()).expect("a battle");
    let mut state = FieldsOfHonor::position(&battle, &source).expect("a position");
    let mut fx = Fx { dice: ScriptedDice::new(vec![1; 400]), log: Silent };
    while state.phase == Phase::Morale && FieldsOfHonor::step(&battle, &mut state, &mut fx) {}
    let broken = state.bodies[..47].iter().filter(|b| b.order == Order::Routed || b.place == Where::Gone);
    assert_eq!(broken.count(), 47);
}
