//! Ten decisions whose odds are counted here by hand: every face of every die is tried, and the rulebook's numbers say
//! what comes of it. The engine's own enumeration must give the same fractions.

use battle_hymn::BattleHymn;
use suite::{Rolled, exact_odds};

/// Guns bombard; a second battery keeps the Combat Turn open.
fn bombardment(guns: &str, target: &str, map: &str) -> String {
    format!(
        r#"
title = "Bombardment"
hours = {{ first = 1, last = 9, initiative = {{ "1" = "usa" }} }}
unit = [
  {{ id = "fitzhugh", side = "usa", type = "artillery", {guns} }},
  {{ id = "cowan", side = "usa", type = "artillery", sp = 1, at = "0809" }},
  {{ id = "davis", side = "csa", {target} }},
  {{ id = "lane", side = "csa", sp = 2, at = "0807" }},
]
[map]
cols = 9
rows = 9
{map}
[position]
turn = "combat usa"
cup = []
[[step]]
play = "bombard fitzhugh at davis"
"#
    )
}

fn rally(unit: &str, position: &str) -> String {
    format!(
        r#"
title = "Rally"
hours = {{ first = 1, last = 9, night = [1, 2] }}
unit = [
  {{ id = "weed", side = "usa", formation = "ayres", at = "0101", {unit} }},
  {{ id = "tilton", side = "usa", sp = 4, formation = "ayres", at = "0103" }},
  {{ id = "davis", side = "csa", sp = 4, at = "0909" }},
]
[map]
cols = 9
rows = 9
[position]
turn = "move ayres"
cup = []
unit.weed = {{ {position} }}
[[step]]
play = "rally weed"
"#
    )
}

fn d10(dice: usize) -> Rolled {
    Rolled { low: 1, high: 10, dice }
}

/// 6.2.3: a die at or under the chance hits; a one always does, a ten never.
fn hits(faces: &[u8], chance: i32) -> usize {
    faces.iter().filter(|&&f| f == 1 || f != 10 && i32::from(f) <= chance).count()
}

/// 10.3: the die and the Morale Rating, six or more.
fn passes(face: u8, rating: i32) -> bool {
    i32::from(face) + rating >= 6
}

/// 9.1, 10.4.3: the first dice fire, the last is the target's check; only a failure turns hits into Demoralizations,
/// no more than there are SPs.
fn bombarded(faces: &[u8], chance: i32, rating: i32, sp: usize) -> usize {
    let (&check, fire) = faces.split_last().expect("dice were rolled");
    if passes(check, rating) { 0 } else { hits(fire, chance).min(sp) }
}

#[test]
fn bombardment_at_two_hexes() {
    // Clear 5, range 2 -3: three dice at 2.
    let case = bombardment(r#"sp = 3, at = "0506""#, r#"sp = 4, at = "0504""#, "");
    exact_odds::<BattleHymn>(&case, &["davis.demoralised"], d10(4), |f| bombarded(f, 2, 0, 4).to_string());
}

#[test]
fn bombardment_at_three_hexes() {
    // Clear 5, range 3 -4: four dice at 1.
    let case = bombardment(r#"sp = 4, at = "0507""#, r#"sp = 5, at = "0504""#, "");
    exact_odds::<BattleHymn>(&case, &["davis.demoralised"], d10(5), |f| bombarded(f, 1, 0, 5).to_string());
}

#[test]
fn bombardment_at_four_hexes_of_a_steady_target() {
    // Clear 5, range 4 -5: nothing, yet a one hits.
    let case = bombardment(r#"sp = 2, at = "0508""#, r#"sp = 4, mr = 2, at = "0504""#, "");
    exact_odds::<BattleHymn>(&case, &["davis.demoralised"], d10(3), |f| bombarded(f, 0, 2, 4).to_string());
}

#[test]
fn bombardment_over_a_river_may_shatter() {
    // Clear 5, range 1 +1, guns ignore the river: two dice at 6; two hits on a target of two, if it fails, shatter it.
    let case = bombardment(
        r#"sp = 2, at = "0305""#,
        r#"sp = 2, at = "0304""#,
        r#"sides = { river = ["0305/0304"] }"#,
    );
    exact_odds::<BattleHymn>(&case, &["davis.demoralised", "davis.state"], d10(3), |f| {
        match bombarded(f, 6, 0, 2) {
            2 => "2 shattered".to_owned(),
            n => format!("{n} map"),
        }
    });
}

#[test]
fn more_hits_than_strength_from_a_height_into_woods() {
    // Woods 3, range 2 -3, from higher ground +1, the gunners' rating +1: three dice at 2, a target of two SPs.
    let case = bombardment(
        r#"sp = 3, mr = 1, at = "0506""#,
        r#"sp = 2, mr = -1, at = "0504""#,
        "levels = { \"1\" = [\"0506\"] }\nterrain = { woods = [\"0504\"] }",
    );
    exact_odds::<BattleHymn>(&case, &["davis.demoralised"], d10(4), |f| bombarded(f, 2, -1, 2).to_string());
}

#[test]
fn rally_of_two() {
    // Rating +2 passes on 4 or more and rallies two.
    let case = rally("sp = 6, mr = 2", "demoralised = 4");
    exact_odds::<BattleHymn>(&case, &["weed.demoralised"], d10(1), |f| {
        (if passes(f[0], 2) { 2 } else { 4 }).to_string()
    });
}

#[test]
fn rally_of_bad_troops() {
    // Rating -3 passes on 9 or more and rallies one.
    let case = rally("sp = 6, mr = -3", "demoralised = 3");
    exact_odds::<BattleHymn>(&case, &["weed.demoralised"], d10(1), |f| {
        (if passes(f[0], -3) { 2 } else { 3 }).to_string()
    });
}

#[test]
fn rally_never_of_the_last() {
    // Rating +3 passes on 3 or more and would rally three; one of three stays.
    let case = rally("sp = 6, mr = 3", "demoralised = 3");
    exact_odds::<BattleHymn>(&case, &["weed.demoralised"], d10(1), |f| {
        (if passes(f[0], 3) { 1 } else { 3 }).to_string()
    });
}

#[test]
fn a_round_of_fire() {
    // Clear 5, creek -1, downhill +1, rating +3: three dice at 8. Davis, rating -3, passes on 9 or 10.
    let case = r#"
title = "A round of fire"
hours = { first = 1, last = 9, initiative = { "1" = "usa" } }
unit = [
  { id = "weed", side = "usa", sp = 3, mr = 3, at = "0505" },
  { id = "davis", side = "csa", sp = 4, mr = -3, at = "0504" },
]
[map]
cols = 9
rows = 9
levels = { "1" = ["0505"] }
sides = { creek = ["0504/0505"], fortification = ["0505/0504"] }
terrain = { woods = ["0505"] }
[position]
turn = "combat usa"
cup = []
[[step]]
play = "pass"
[[step]]
play = "attack weed davis"
"#;
    // 10.4.1: all Demoralized on a pass; on a fail one is a Loss.
    exact_odds::<BattleHymn>(case, &["davis.lost", "davis.demoralised"], d10(4), |f| {
        match (hits(&f[..3], 8), passes(f[3], -3)) {
            (0, _) => "0 0".to_owned(),
            (n, true) => format!("0 {n}"),
            (n, false) => format!("1 {}", n - 1),
        }
    });
}

#[test]
fn approach_fire() {
    // Clear 5, downhill +1, approach -3, guns at range 1 +1: three dice at 4. 10.4.2: nobody retreats.
    let case = r#"
title = "Approach Fire"
hours = { first = 1, last = 9, initiative = { "1" = "usa" } }
unit = [
  { id = "fitzhugh", side = "usa", type = "artillery", sp = 3, at = "0505" },
  { id = "davis", side = "csa", sp = 4, at = "0506" },
]
[map]
cols = 9
rows = 9
levels = { "1" = ["0505"] }
sides = { escarpment = ["0505/0506"] }
[position]
turn = "combat usa"
cup = []
approach = ["fitzhugh>davis"]
[[step]]
play = "pass"
[[step]]
play = "pass"
"#;
    exact_odds::<BattleHymn>(case, &["davis.lost", "davis.demoralised", "davis.hex"], d10(4), |f| {
        match (hits(&f[..3], 4), passes(f[3], 0)) {
            (0, _) => "0 0 0506".to_owned(),
            (n, true) => format!("0 {n} 0506"),
            (n, false) => format!("1 {} 0506", n - 1),
        }
    });
}
