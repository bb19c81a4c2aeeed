//! Ten decisions whose odds are counted here by hand: every face of every die is tried, and the rulebook's numbers say
//! what comes of it. The engine's own enumeration must give the same fractions.

use hallowed_ground::HallowedGround;
use suite::{Rolled, exact_odds};

fn d6(dice: usize) -> Rolled {
    Rolled { low: 1, high: 6, dice }
}

/// The drill ground in mid-game, and one action.
fn case(position: &str, play: &str) -> String {
    format!(
        r#"
title = "A case"
scenario = "hallowed-ground/drill"
[position]
{position}
[[step]]
play = "{play}"
"#
    )
}

fn orders(position: &str, play: &str) -> String {
    case(&format!("side = \"usa\"\nphase = \"orders a\"\n{position}"), play)
}

/// 5.6: two dice and the modifiers, more than the hits; two ones always fail.
fn obeys(faces: &[u8], modifiers: i32, hits: i32) -> bool {
    faces[..2] != [1, 1] && i32::from(faces[0] + faces[1]) + modifiers > hits
}

fn check_advance(position: &str, modifiers: i32, hits: i32) {
    let case = orders(position, "advance a1 forward 4");
    let ordered = |f: &[u8]| if obeys(f, modifiers, hits) { "advance" } else { "hold" }.to_owned();
    exact_odds::<HallowedGround>(&case, &["a1.order"], d6(2), ordered);
}

#[test]
fn orders_with_both_commanders_near() {
    // Brigade commander +1, army commander +1, Steady +1.
    let position = "unit.a1 = { at = [20, 20], hits = 7 }\ncommander.ames = { at = [20, 10] }\ncommander.grant = { at = [30, 10] }";
    check_advance(position, 3, 7);
}

#[test]
fn orders_to_a_shaken_unit() {
    // Brigade commander +1, Shaken -2.
    let position = "unit.a1 = { at = [20, 20], hits = 9, shaken = true }\ncommander.ames = { at = [20, 10] }\ncommander.grant = { at = [150, 2] }";
    check_advance(position, -1, 9);
}

#[test]
fn orders_with_the_commander_attached() {
    // Attached +2, Steady +1.
    let position = "unit.a1 = { at = [20, 20], hits = 10 }\ncommander.ames = { attached = \"a1\" }\ncommander.grant = { at = [150, 2] }";
    check_advance(position, 3, 10);
}

#[test]
fn orders_that_only_two_ones_can_stop() {
    // Attached +2, army commander +1, Steady +1.
    let position = "unit.a1 = { at = [20, 20], hits = 1 }\ncommander.ames = { attached = \"a1\" }\ncommander.grant = { at = [30, 20] }";
    check_advance(position, 4, 1);
}

#[test]
fn orders_from_far_away() {
    // Ten times twelve inches: -10; Steady +1.
    let position = "unit.a1 = { at = [20, 20], hits = 1 }\ncommander.ames = { at = [150, 2] }\ncommander.grant = { at = [150, 8] }";
    check_advance(position, -9, 1);
}

/// Half a die, rounded up.
fn d3(face: u8) -> i32 {
    i32::from(face.div_ceil(2))
}

#[test]
fn a_steady_unit_rallies() {
    // Attached +2, Steady +1; then one to three hits come off.
    let position = "unit.a1 = { at = [20, 20], hits = 7 }\nunit.a2 = { at = [40, 20] }\ncommander.ames = { attached = \"a1\" }\ncommander.grant = { at = [150, 2] }";
    let hits = |f: &[u8]| (if obeys(f, 3, 7) { 7 - d3(f[2]) } else { 7 }).to_string();
    exact_odds::<HallowedGround>(&orders(position, "rally a1"), &["a1.hits"], d6(3), hits);
}

#[test]
fn a_shaken_unit_rallies() {
    // Attached +2, Shaken -2; below eighteen hits it is then Steady.
    let position = "unit.a1 = { at = [20, 20], hits = 10, shaken = true }\nunit.a2 = { at = [40, 20] }\ncommander.ames = { attached = \"a1\" }\ncommander.grant = { at = [150, 2] }";
    let stands = |f: &[u8]| match obeys(f, 0, 10) {
        true => format!("{} steady", 10 - d3(f[2])),
        false => "10 shaken".to_owned(),
    };
    exact_odds::<HallowedGround>(&orders(position, "rally a1"), &["a1.hits", "a1.state"], d6(3), stands);
}

/// Hits that are not saved: the first dice shoot, the next save the hits one by one.
fn unsaved(shots: &[u8], saves: &[u8], hit: u8, save: u8) -> usize {
    let hits = shots.iter().filter(|&&f| f >= hit).count();
    saves[..hits].iter().filter(|&&f| f < save).count()
}

#[test]
fn shaken_guns_at_ten_inches() {
    // Five dice to half range, halved and rounded up: three at 3 or more; saved on a six.
    let position = "side = \"usa\"\nphase = \"shooting\"\nunit.ag = { at = [60, 20], shaken = true }\nunit.x2 = { at = [60, 30] }";
    let hits = |f: &[u8]| unsaved(&f[..3], &f[3..], 3, 6).to_string();
    exact_odds::<HallowedGround>(&case(position, "shoot ag at x2"), &["x2.hits"], d6(6), hits);
}

#[test]
fn one_die_at_guns_behind_a_fence() {
    // Moved, deployed guns, beyond half range, cover, obscured: eight would be needed, so only a six hits; of the
    // column's two dice Shaken leaves one. Cover saves on five or six.
    let position = "side = \"usa\"\nphase = \"shooting\"\nunit.a1 = { at = [130, 10.4], moved = true, shaken = true, formation = \"march_column\" }\nunit.xg = { at = [130, 30.4] }";
    let hits = |f: &[u8]| unsaved(&f[..1], &f[1..], 6, 5).to_string();
    exact_odds::<HallowedGround>(&case(position, "shoot a1 at xg"), &["xg.hits"], d6(2), hits);
}

#[test]
fn morale_under_guns() {
    // As above, at a Steady unit of nine hits. Any more make ten: 2D6, the hits, Steady -1; Shaken at 18, Broken at 20.
    let position = "side = \"usa\"\nphase = \"shooting\"\nunit.ag = { at = [60, 20], shaken = true }\nunit.x2 = { at = [60, 30], hits = 9 }\ncommander.xavier = { at = [150, 110] }\ncommander.lee = { at = [150, 118] }";
    let state = |f: &[u8]| {
        let more = unsaved(&f[..3], &f[3..6], 3, 6) as u8;
        match f[6] + f[7] + 9 + more - 1 {
            _ if more == 0 => "steady",
            20.. => "broken",
            18..=19 => "shaken",
            _ => "steady",
        }
        .to_owned()
    };
    exact_odds::<HallowedGround>(&case(position, "shoot ag at x2"), &["x2.state"], d6(8), state);
}
