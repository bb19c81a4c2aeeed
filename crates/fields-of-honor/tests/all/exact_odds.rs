//! Decisions whose odds are counted here by hand: every face of every die is tried, and the rulebook's numbers say what
//! comes of it. The engine's own enumeration must give the same fractions.

use fields_of_honor::FieldsOfHonor;
use suite::{Rolled, exact_odds};

fn d6(dice: usize) -> Rolled {
    Rolled { low: 1, high: 6, dice }
}

/// A battle at battalion scale in 1862, a position in it, and one action.
fn case(options: &str, forces: &str, position: &str, play: &str) -> String {
    format!(
        r#"
title = "A case"
[options]
orders = false
personalities = false
opportunity = false
{options}
[battle]
scale = "battalion"
year = 1862
table = [60, 40]
turns = 12
[[side]]
id = "a"
edge = "south"
[[side]]
id = "b"
edge = "north"
{forces}
[position]
{position}
[[step]]
play = "{play}"
"#
    )
}

fn unit(id: &str, side: &str, stands: u8, at: &str, more: &str) -> String {
    format!("[[unit]]\nid = \"{id}\"\nside = \"{side}\"\nstands = {stands}\nat = {at}\n{more}\n")
}

const RIFLES: &str = "weapon = \"rifled musket\"";
const SOUTH: &str = "facing = 180";

/// Two units far away whose fire, that of a unit that has moved, is the next decision.
fn next_fire() -> String {
    unit("z", "a", 2, "[50, 5]", RIFLES) + &unit("y", "b", 2, "[50, 8]", SOUTH)
}

fn fire(forces: &[String], position: &str, play: &str) -> String {
    let position = format!("phase = \"fire\"\nunit.z = {{ marks = [\"moved\"] }}\n{position}");
    case("", &(forces.concat() + &next_fire()), &position, play)
}

/// The dice that reach a number.
fn hits(dice: &[u8], need: u8) -> usize {
    dice.iter().filter(|d| **d >= need).count()
}

/// Casualties: the sum of as many dice as hit, over the divisor.
fn casualties(dice: &[u8], hits: usize, divisor: u32) -> u32 {
    dice[..hits].iter().map(|d| u32::from(*d)).sum::<u32>() / divisor
}

#[test]
fn two_stands_at_short_range() {
    let forces = [unit("p", "a", 2, "[20, 10]", RIFLES), unit("q", "b", 4, "[20, 13]", SOUTH)];
    let case = fire(&forces, "unit.p = { has_fired = true }", "fire p at q");
    let fresh = |f: &[u8]| casualties(&f[2..], hits(&f[..2], 2), 5).to_string();
    exact_odds::<FieldsOfHonor>(&case, &["q.fresh"], d6(4), fresh);
}

#[test]
fn smoothbores_that_fire_for_the_first_time_at_a_column() {
    // Medium, smoothbore: four. Five, column -1, initial fire -1, rating E +2: five.
    let muskets = "weapon = \"smoothbore musket\"\nfire = \"E\"";
    let column = "facing = 180\nformation = \"attack\"\nfiles = 2";
    let forces = [unit("p", "a", 3, "[20, 10]", muskets), unit("q", "b", 4, "[20, 13]", column)];
    let case = fire(&forces, "", "fire p at q");
    let fresh = |f: &[u8]| casualties(&f[3..], hits(&f[..3], 4), 5).to_string();
    exact_odds::<FieldsOfHonor>(&case, &["q.fresh"], d6(6), fresh);
}

#[test]
fn repeaters_roll_their_misses_again() {
    let repeaters = "weapon = \"rifled musket\"\nflags = [\"repeater\"]";
    let forces = [unit("p", "a", 2, "[20, 10]", repeaters), unit("q", "b", 4, "[20, 20]", SOUTH)];
    let case = fire(&forces, "unit.p = { has_fired = true }", "fire p at q");
    // Ten inches are long range: four. The dice of the second throw stand in third and fourth place.
    let fresh = |f: &[u8]| {
        let first = hits(&f[..2], 4);
        let second = hits(&f[2..4 - first], 4);
        casualties(&f[4..], first + second, 5).to_string()
    };
    exact_odds::<FieldsOfHonor>(&case, &["q.fresh"], d6(6), fresh);
}

#[test]
fn an_early_machine_gun_may_jam() {
    let gatling = "weapon = \"early machine gun\"\narm = \"artillery\"";
    let forces = [unit("p", "a", 1, "[20, 10]", gatling), unit("q", "b", 8, "[20, 14]", SOUTH)];
    let case = fire(&forces, "", "fire p at q");
    // Four dice, short range: two. Two ones and nothing is hit; no canister, five.
    let fresh = |f: &[u8]| {
        let jammed = f[..4].iter().filter(|d| **d == 1).count() >= 2;
        let hits = if jammed { 0 } else { hits(&f[..4], 2) };
        casualties(&f[4..], hits, 5).to_string()
    };
    exact_odds::<FieldsOfHonor>(&case, &["q.fresh"], d6(8), fresh);
}

#[test]
fn fire_through_skirmishers_is_shared() {
    let screen = "facing = 180\nformation = \"skirmish\"\nflags = [\"skirmish\"]";
    let forces = [
        unit("p", "a", 3, "[20, 10]", RIFLES),
        unit("s", "b", 3, "[20, 12]", screen),
        unit("q", "b", 4, "[20, 14]", SOUTH),
    ];
    let case = fire(&forces, "unit.p = { has_fired = true }", "fire p at q");
    // Short range: two. As against skirmishers: seven. They take half, rounded up.
    let fresh = |f: &[u8]| {
        let all = casualties(&f[3..], hits(&f[..3], 2), 7);
        format!("{} {}", all.div_ceil(2), all / 2)
    };
    exact_odds::<FieldsOfHonor>(&case, &["s.fresh", "q.fresh"], d6(6), fresh);
}

#[test]
fn a_sniped_leader() {
    let forces = [
        "[[leader]]\nid = \"sub\"\nside = \"b\"\nat = [20, 16]\n".to_owned(),
        unit("p", "a", 2, "[20, 10]", RIFLES),
    ];
    let position = "phase = \"fire\"\nunit.z = { marks = [\"moved\"] }\nunit.p = { marks = [\"opportunity-fire\", \"fired-early\"] }";
    let case = case("", &(forces.concat() + &next_fire()), position, "snipe p at sub");
    let fallen = |f: &[u8]| (f[0] + f[1] >= 11).to_string();
    exact_odds::<FieldsOfHonor>(&case, &["sub.disabled"], d6(2), fallen);
}

/// Two more units, out of everybody's way, of which the second may still charge the first.
fn next_charge() -> String {
    unit("v", "a", 4, "[50, 10]", "") + &unit("w", "b", 4, "[50, 14]", SOUTH)
}

#[test]
fn a_charge_and_the_test_of_its_target() {
    let forces =
        unit("p", "a", 6, "[23, 10]", RIFLES) + &unit("q", "b", 6, "[23, 15]", SOUTH) + &next_charge();
    // The initiative has been won.
    let position = "phase = \"charge\"\n[[step]]\ndice = [6, 1]";
    let case = case("", &forces, position, "charge p at q");
    // The charger needs seven; then the target needs eight, and what it misses by decides.
    let state = |f: &[u8]| {
        let missed = 8 - i16::from(f[2] + f[3]);
        match missed {
            _ if f[0] + f[1] < 7 => "good",
            ..=0 => "good",
            1 | 2 => "suppressed",
            3 => "shaken",
            _ => "routed",
        }
        .to_owned()
    };
    exact_odds::<FieldsOfHonor>(&case, &["q.state"], d6(4), state);
}

#[test]
fn an_order_through_an_incompetent_commander() {
    let forces = "[[leader]]\nid = \"chief\"\nside = \"a\"\nat = [20, 2]\noverall = true\ncompetent = false\n\
        [[leader]]\nid = \"sub\"\nside = \"a\"\nat = [20, 5]\norder = \"defend\"\n\
        [[leader]]\nid = \"foe\"\nside = \"b\"\nat = [20, 35]\n\
        [[leader]]\nid = \"boss\"\nside = \"b\"\nat = [20, 38]\noverall = true\n"
        .to_owned()
        + &unit("p", "a", 6, "[20, 8]", "leader = \"sub\"")
        + &unit("q", "b", 6, "[20, 32]", "facing = 180\nleader = \"foe\"");
    let case = case("", &forces, "phase = \"orders\"", "order sub attack 20 20");
    let case = case.replace("orders = false", "orders = true");
    // More than one, after two off the die.
    let order = |f: &[u8]| if i16::from(f[0]) - 2 > 1 { "attack" } else { "defend" }.to_owned();
    exact_odds::<FieldsOfHonor>(&case, &["sub.order"], d6(1), order);
}

#[test]
fn lost_stands_are_recovered() {
    let forces = unit("p", "a", 6, "[20, 5]", "leader = \"sub\"")
        + &unit("r", "a", 6, "[30, 5]", "leader = \"sub\"")
        + "[[leader]]\nid = \"sub\"\nside = \"a\"\nat = [25, 3]\n"
        + &unit("q", "b", 6, "[20, 38]", SOUTH);
    let position = "phase = \"morale\"\nunit.p = { lost = 9 }\nunit.r = { lost = 3 }";
    let case = case("", &forces, position, "recover p");
    let stands = |f: &[u8]| (3 + hits(f, 6)).to_string();
    exact_odds::<FieldsOfHonor>(&case, &["p.stands"], d6(3), stands);
}

#[test]
fn a_round_of_melee() {
    let pair = |a: &str, b: &str, x: u8, more: &str| {
        unit(a, "a", 2, &format!("[{x}, 20]"), more) + &unit(b, "b", 2, &format!("[{x}, 20]"), SOUTH)
    };
    let forces = pair("p", "q", 10, "melee = \"B\"") + &pair("r", "s", 25, "") + &pair("t", "u", 40, "");
    let melee = |a: &str, b: &str, charged: bool| {
        format!("[[position.melee]]\nattacker = \"{a}\"\ndefender = \"{b}\"\ncharged = {charged}\n")
    };
    let position = "phase = \"melee\"\n".to_owned()
        + &melee("p", "q", true)
        + &melee("r", "s", false)
        + &melee("t", "u", false);
    let case = case("", &forces, &position, "melee p");
    // Five, charged -1, rating B -1: three. The defender's dice are divided by five.
    let fresh = |f: &[u8]| {
        let (p, q) = (u32::from(f[0] + f[1]), u32::from(f[2] + f[3]));
        format!("{} {}", p / 3, q / 5)
    };
    exact_odds::<FieldsOfHonor>(&case, &["q.fresh", "p.fresh"], d6(4), fresh);
}

#[test]
fn morale_after_a_single_shot() {
    // One stand at short range; five or six inflict one hit. Then seven, and a unit behind that may recover stands ends it.
    let forces = unit("p", "a", 1, "[20, 10]", RIFLES)
        + &unit("q", "b", 6, "[20, 13]", SOUTH)
        + "[[leader]]\nid = \"sub\"\nside = \"a\"\nat = [57, 3]\n"
        + &unit("x", "a", 2, "[57, 2]", "leader = \"sub\"");
    let position =
        "phase = \"fire\"\nunit.p = { has_fired = true, marks = [\"moved\"] }\nunit.x = { lost = 3 }";
    let case = case("", &forces, position, "fire p at q");
    let state = |f: &[u8]| {
        let missed = 7 - i16::from(f[2] + f[3]);
        match missed {
            _ if f[0] < 3 || f[1] < 5 => "good",
            ..=0 => "good",
            1 | 2 => "suppressed",
            3 => "shaken",
            _ => "routed",
        }
        .to_owned()
    };
    exact_odds::<FieldsOfHonor>(&case, &["q.state"], d6(4), state);
}

#[test]
fn sappers_blow_a_gate() {
    let forces = "[[terrain]]\nkind = \"wall\"\nline = [[10, 20], [30, 20]]\ngates = [10]\n\
        [[leader]]\nid = \"sub\"\nside = \"a\"\nat = [58, 2]\n"
        .to_owned()
        + &unit("s", "a", 1, "[20, 19.8]", "flags = [\"sapper\"]")
        + &unit("o", "a", 2, "[5, 30]", "leader = \"sub\"")
        + &unit("n", "a", 2, "[5, 35]", "leader = \"sub\"")
        + &unit("q", "b", 6, "[50, 38]", "facing = 180");
    let position = "phase = \"reaction\"\nunit.s = { marks = [\"mining\"] }";
    let case = case("forts = true", &forces, position, "blow s");
    let open = |f: &[u8]| i64::from(f[0] >= 3).to_string();
    exact_odds::<FieldsOfHonor>(&case, &["breaches"], d6(1), open);
}
