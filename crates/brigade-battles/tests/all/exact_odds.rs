//! Ten decisions whose odds are counted here by hand: every face of every die is tried, and the rulebook's numbers say
//! what comes of it. The engine's own enumeration must give the same fractions.

use brigade_battles::BrigadeBattles;
use suite::{Rolled, exact_odds};

const D10_TWICE: Rolled = Rolled { low: 1, high: 10, dice: 2 };

/// Gibbon fires at Hood, one hex off, in the offensive fire of the combat phase.
fn fire(sp: u8, morale: &str, terrain: &str) -> String {
    format!(
        r#"
title = "Fire"
unit = [
  {{ id = "gibbon", side = "usa", sp = {sp}, independent = true, at = "0505" }},
  {{ id = "hood", side = "csa", sp = 12, morale = "{morale}", independent = true, at = "0504" }},
]
retreat = {{ csa = ["0501"] }}
[map]
cols = 9
rows = 9
{terrain}
[position]
phase = "offensive"
tide = {{ usa = false, csa = false }}
[[step]]
play = "fire gibbon at hood"
"#
    )
}

/// Guns of six SP fire from 0508 before movement.
fn guns(morale: &str, at: &str, terrain: &str) -> String {
    format!(
        r#"
title = "Guns"
unit = [
  {{ id = "guns", side = "usa", type = "artillery", sp = 6, independent = true, at = "0508" }},
  {{ id = "foot", side = "usa", sp = 12, independent = true, at = "0109" }},
  {{ id = "hood", side = "csa", sp = 12, morale = "{morale}", independent = true, at = "{at}" }},
]
retreat = {{ csa = ["0501"] }}
[map]
cols = 9
rows = 9
{terrain}
[position]
phase = "artillery"
tide = {{ usa = false, csa = false }}
[[step]]
play = "fire guns at hood"
"#
    )
}

fn rally(morale: &str) -> String {
    format!(
        r#"
title = "Rally"
unit = [
  {{ id = "routed", side = "usa", sp = 12, morale = "{morale}", division = "meade", at = "0505" }},
  {{ id = "other", side = "usa", sp = 12, independent = true, at = "0305" }},
  {{ id = "hood", side = "csa", sp = 9, independent = true, at = "0501" }},
]
leader = [{{ id = "meade", side = "usa", rank = "division", at = "0505" }}]
[map]
cols = 9
rows = 9
terrain = {{ town = ["0505"] }}
[position]
phase = "rally"
tide = {{ usa = false, csa = false }}
unit.routed = {{ routed = true }}
unit.other = {{ routed = true }}
[[step]]
play = "rally routed"
"#
    )
}

/// The Combat Chart without its retreats: row and column number added up. None is no result; else the SP lost before
/// the check.
fn chart(die: i32, column: i32) -> Option<i32> {
    match die.clamp(0, 10) + column {
        ..=6 => None,
        7..=10 => Some(0),
        11..=12 => Some(1),
        13..=15 => Some(2),
        16..=17 => Some(3),
        18..=19 => Some(4),
        _ => Some(5),
    }
}

/// Five green, seven black, nine gold; a ten always fails.
fn stands(face: u8, number: u8) -> bool {
    face != 10 && face <= number
}

/// Hood's twelve SP and whether he routs: the first die fires, the second is his check.
fn fired_on(faces: &[u8], modifier: i32, column: i32, number: u8) -> String {
    match chart(i32::from(faces[0]) + modifier, column) {
        None => "12 false".to_owned(),
        Some(lost) => format!("{} {}", 12 - lost, !stands(faces[1], number)),
    }
}

fn check_fire(case: &str, modifier: i32, column: i32, number: u8) {
    exact_odds::<BrigadeBattles>(case, &["hood.sp", "hood.routed"], D10_TWICE, |f| {
        fired_on(f, modifier, column, number)
    });
}

#[test]
fn ten_points_at_gold() {
    check_fire(&fire(10, "gold", ""), 0, 3, 9);
}

#[test]
fn ten_points_at_black() {
    check_fire(&fire(10, "black", ""), 0, 3, 7);
}

#[test]
fn four_points_at_green() {
    check_fire(&fire(4, "green", ""), 0, 1, 5);
}

#[test]
fn sixteen_points_into_woods() {
    // One less on the fire; woods do nothing for morale.
    check_fire(&fire(16, "black", "terrain = { woods = [\"0504\"] }"), -1, 4, 7);
}

#[test]
fn seventeen_points_into_a_town() {
    // Two less on the fire, one more for morale.
    check_fire(&fire(17, "green", "terrain = { town = [\"0504\"] }"), -2, 5, 6);
}

#[test]
fn losses_of_twenty_four_points() {
    // With retreats, whose ways the owner chooses: the losses alone.
    let lost = |f: &[u8]| (12 - chart(i32::from(f[0]), 6).unwrap_or(0)).to_string();
    exact_odds::<BrigadeBattles>(&fire(24, "gold", ""), &["hood.sp"], D10_TWICE, lost);
}

#[test]
fn guns_into_woods() {
    check_fire(&guns("gold", "0505", "terrain = { woods = [\"0505\"] }"), -1, 2, 9);
}

#[test]
fn guns_at_five_hexes() {
    // Half of six: the first column.
    check_fire(&guns("black", "0503", ""), 0, 1, 7);
}

#[test]
fn rally_with_a_leader_in_a_town() {
    let rallied = |number: u8| move |f: &[u8]| (!stands(f[0], number)).to_string();
    exact_odds::<BrigadeBattles>(&rally("green"), &["routed.routed"], D10_TWICE, rallied(7));
    exact_odds::<BrigadeBattles>(&rally("black"), &["routed.routed"], D10_TWICE, rallied(9));
    // Eleven would be enough, but a ten fails.
    exact_odds::<BrigadeBattles>(&rally("gold"), &["routed.routed"], D10_TWICE, rallied(11));
}

#[test]
fn a_leader_under_fire() {
    let case = r#"
title = "A leader under fire"
unit = [
  { id = "rodes", side = "csa", sp = 12, morale = "gold", division = "dh-hill", at = "0504" },
  { id = "spare", side = "csa", sp = 12, independent = true, at = "0502" },
  { id = "gibbon", side = "usa", sp = 12, independent = true, at = "0505" },
]
leader = [{ id = "dh-hill", side = "csa", rank = "division", at = "0504" }]
retreat = { csa = ["0501"] }
[map]
cols = 9
rows = 9
[position]
phase = "offensive"
tide = { usa = false, csa = false }
[[step]]
play = "fire gibbon at rodes"
"#;
    // On a ten of the combat die he falls on 7 or more.
    exact_odds::<BrigadeBattles>(case, &["dh-hill.replaced", "rodes.sp"], D10_TWICE, |f| {
        format!("{} {}", f[0] == 10 && f[1] >= 7, 12 - chart(i32::from(f[0]), 3).unwrap_or(0))
    });
}
