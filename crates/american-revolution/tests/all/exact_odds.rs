//! Ten decisions whose odds are counted here by hand: every face of every die is tried, and the rulebook's numbers say
//! what comes of it. The engine's own enumeration must give the same fractions.

use american_revolution::AmericanRevolution;
use game::dice::QuickDice;
use game::odds::{self, SealedChoice};
use game::{Fx, Now, Rules, Silent, situation};
use suite::{Rolled, exact_odds};

/// Dice show 0 to 9.
fn d10(dice: usize) -> Rolled {
    Rolled { low: 0, high: 9, dice }
}

/// The drill ground in mid-game, and one action.
fn case(position: &str, play: &str) -> String {
    format!(
        r#"
title = "A case"
scenario = "american-revolution/drill"
[position]
others = "gone"
{position}
[[step]]
play = "{play}"
"#
    )
}

/// The damage tables: the faces that cost army morale alone. Both take a step on 8 and 9.
const RIFLES: [u8; 2] = [1, 2];
const GUNS: [u8; 1] = [1];

/// A full unit of two steps under fire: the first die hits at `need` or more, the second is the damage. An army of 12
/// loses one with a step, and one where the table says so; a retreat and a disruption wait for the owner's choice of way.
fn check_fire(case: &str, target: [&str; 2], need: u8, nerves: &[u8]) {
    let [unit, army] = target;
    let facts = [format!("{unit}.steps"), format!("morale.{army}")];
    let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
    let stands = |f: &[u8]| match f[1] {
        _ if f[0] < need => "2 12",
        8 | 9 => "1 11",
        face if nerves.contains(&face) => "2 11",
        _ => "2 12",
    };
    exact_odds::<AmericanRevolution>(case, &facts, d10(2), |f| stands(f).to_owned());
}

#[test]
fn rifles_fire_for_the_first_time() {
    // Two SP, adjacent: 7, and first fire adds one.
    let position = "phase = \"rifle\"\nphasing = \"american\"\nunit.rifles = \"0408\"\nunit.gren = \"0409\"";
    check_fire(&case(position, "shoot rifles 0409"), ["gren", "crown"], 6, &RIFLES);
}

#[test]
fn rifles_fire_again() {
    // One SP of rifles, adjacent: 8.
    let position = "phase = \"rifle\"\nphasing = \"american\"\nunit.mixed = { hex = \"0208\", fired = true }\nunit.foot = \"0209\"";
    check_fire(&case(position, "shoot mixed 0209"), ["foot", "crown"], 8, &RIFLES);
}

#[test]
fn a_battery_at_its_neighbour() {
    // One SP, adjacent: 8.
    let position = "phase = \"artillery\"\nphasing = \"crown\"\nunit.battery = \"0408\"\nunit.second = \"0408\"\nunit.gren = \"0409\"";
    check_fire(&case(position, "bombard battery 0409"), ["gren", "crown"], 8, &GUNS);
}

#[test]
fn a_battery_at_three_hexes() {
    // One SP at three hexes would need 10; 9 is the most.
    let position =
        "phase = \"artillery\"\nphasing = \"crown\"\nunit.battery = \"0404\"\nunit.gren = \"0407\"";
    check_fire(&case(position, "bombard battery 0407"), ["gren", "crown"], 9, &GUNS);
}

#[test]
fn a_battery_into_light_woods() {
    // One SP, adjacent: 8; light woods one less.
    let position = "phase = \"artillery\"\nphasing = \"crown\"\nunit.battery = \"1204\"\nunit.second = \"1204\"\nunit.gren = \"1203\"";
    check_fire(&case(position, "bombard battery 1203"), ["gren", "crown"], 9, &GUNS);
}

#[test]
fn two_guns_at_two_hexes() {
    // Two SP at two hexes: 8.
    let position =
        "phase = \"artillery\"\nphasing = \"american\"\nunit.guns = \"0408\"\nunit.second = \"0406\"";
    check_fire(&case(position, "bombard guns 0406"), ["second", "american"], 8, &GUNS);
}

fn check_rally(position: &str, unit: &str, need: u8, rallied: &str, not: &str) {
    let case = case(&format!("phase = \"rally\"\nphasing = \"crown\"\n{position}"), &format!("rally {unit}"));
    let order = |f: &[u8]| if f[0] >= need { rallied } else { not }.to_owned();
    exact_odds::<AmericanRevolution>(&case, &[&format!("{unit}.order")], d10(1), order);
}

#[test]
fn grenadiers_rally() {
    // Morale 2: three and more make five.
    let position = "unit.gren = { hex = \"0409\", order = \"disrupted\" }\nunit.second = \"0401\"";
    check_rally(position, "gren", 3, "parade", "disrupted");
}

#[test]
fn a_reduced_regiment_of_a_fatigued_army_rallies() {
    // Morale 0, the army's level -1.
    let position = "morale = { crown = 8, american = 12 }\nunit.foot = { hex = \"0409\", order = \"disrupted\", reduced = true }\nunit.second = \"0401\"";
    check_rally(position, "foot", 6, "parade", "disrupted");
}

#[test]
fn a_shattered_regiment_rallies_on_its_general() {
    // Morale 1, Howe's leadership 2; one level at a time.
    let position =
        "unit.line = { hex = \"0409\", order = \"shattered\" }\nunit.howe = \"0409\"\nunit.second = \"0401\"";
    check_rally(position, "line", 2, "disrupted", "shattered");
}

#[test]
fn initiative_with_a_chit() {
    // Both armies are at High, +1; the Crown's chit is worth 2. A tie is rolled again, so only the other pairs count.
    let position = "previous = \"american\"\nchits = { crown = 1, american = 0 }\nunit.gren = \"0411\"\nunit.second = \"0401\"";
    let pairs: Vec<(u8, u8)> =
        (0..10).flat_map(|c| (0..10).map(move |a| (c + 3, a + 1))).filter(|(c, a)| c != a).collect();
    let untied = Rolled { low: 0, high: pairs.len() as u8 - 1, dice: 1 };
    exact_odds::<AmericanRevolution>(&case(position, "spend 1"), &["first"], untied, |f| {
        let (crown, american) = pairs[usize::from(f[0])];
        if crown > american { "crown" } else { "american" }.to_owned()
    });
}

/// The grenadiers attack the second regiment in the open; nobody leads, so only the three cards that are always legal,
/// and Withdraw, can be played.
const SEALED: &str = r#"
title = "A case"
scenario = "american-revolution/drill"
[position]
phase = "close-combat"
phasing = "crown"
others = "gone"
attacks = [{ by = ["gren"], at = ["0408"] }]
unit.gren = "0409"
unit.second = "0408"
[[step]]
play = "play skirmish"
"#;

#[test]
fn sealed_tactics_against_each_other() {
    let asked = situation::question::<AmericanRevolution>(SEALED, &suite::Shelf).unwrap();
    let (battle, mut state) = (&asked.battle, asked.state);
    let Now::Decides(attacker) = AmericanRevolution::now(battle, &state) else { panic!("nobody decides") };
    let attacking = odds::sealed::<AmericanRevolution>(battle, &state, attacker).unwrap();
    let names = |choices: &[SealedChoice]| choices.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    let cards = ["Skirmish", "Attack en Echelon", "Stand Fast", "Withdraw"];
    assert_eq!(
        (names(&attacking.own), names(&attacking.enemy)),
        (cards.map(String::from).to_vec(), cards.map(String::from).to_vec())
    );
    // The printed matrix, the attacker's cards down, the defender's across.
    let printed = [["0", "+1", "−1", "No Combat"], ["−1", "0", "+1", "+1"], ["+1", "−1", "0", "No Combat"]];
    for (row, printed) in attacking.cells.iter().zip(printed) {
        assert_eq!(row.iter().map(|c| c.clash.as_str()).collect::<Vec<_>>(), printed);
    }
    for cell in attacking.cells.iter().flatten() {
        let whole: f64 = cell.results.iter().map(|r| r.share.p).sum();
        let sides = cell.better.p + cell.even.p + cell.worse.p;
        assert!((whole - 1.0).abs() < 1e-9 && (sides - 1.0).abs() < 1e-9, "{cell:?}");
        // One die of ten faces decides.
        assert!(cell.results.iter().all(|r| ((r.share.p * 10.0).round() - r.share.p * 10.0).abs() < 1e-9));
        if cell.clash == "No Combat" {
            assert_eq!(cell.even.exact, "1");
        }
    }
    // The defender, who must not know the card that lies there, sees the same from the other side.
    let mut fx = Fx { dice: QuickDice::new(1), log: Silent };
    AmericanRevolution::play_unchecked(battle, &mut state, &asked.action, &mut fx);
    let seen = AmericanRevolution::seen_by(battle, &state, !attacker);
    let defending = odds::sealed::<AmericanRevolution>(battle, &seen, !attacker).unwrap();
    for (d, row) in defending.cells.iter().enumerate() {
        for (a, cell) in row.iter().enumerate() {
            let mirror = &attacking.cells[a][d];
            assert_eq!(
                (&cell.clash, &cell.better, &cell.worse),
                (&mirror.clash, &mirror.worse, &mirror.better)
            );
        }
    }
}
