//! The odds panel speaks of these rules: what becomes of a piece, and how that feels, follows from the result and not
//! from where it stands.

use american_revolution::AmericanRevolution;
use game::odds::{self, Budget, Horizon, Tone};
use game::situation;

/// Every fate of a unit that an action may lead to, with its tone and its chance.
fn fates(position: &str, play: &str, unit: &str) -> Vec<(&'static str, Tone, String)> {
    let case = format!(
        "title = \"A case\"\nscenario = \"american-revolution/drill\"\n[position]\nothers = \"gone\"\n{position}\n[[step]]\nplay = \"{play}\"\n"
    );
    let asked = situation::question::<AmericanRevolution>(&case, &suite::Shelf).expect("it can be asked");
    let piece = asked.battle.find(unit).expect("it is there").id();
    let report = odds::report::<AmericanRevolution>(
        &asked.battle,
        &asked.state,
        &asked.action,
        Horizon::Decision,
        Budget::default(),
    );
    let mut found = Vec::new();
    for odds in report.pieces.iter().filter(|p| p.piece == piece) {
        found.extend(odds.fates.iter().map(|f| (f.fate.word, f.fate.tone, f.share.exact.clone())));
    }
    found
}

fn told(expected: &[(&'static str, Tone, &str)]) -> Vec<(&'static str, Tone, String)> {
    expected.iter().map(|&(word, tone, share)| (word, tone, share.to_owned())).collect()
}

#[test]
fn under_fire() {
    let position = "phase = \"artillery\"\nphasing = \"crown\"\nunit.battery = \"0408\"\nunit.second = \"0408\"\nunit.gren = \"0409\"";
    let expected = [
        ("unhurt", Tone::Holds, "21/25"),
        ("loses a step", Tone::Hurt, "1/25"),
        ("disrupted", Tone::Yields, "1/25"),
        ("retreats", Tone::Yields, "2/25"),
    ];
    assert_eq!(fates(position, "bombard battery 0409", "gren"), told(&expected));
}

#[test]
fn the_last_step_and_the_shattered() {
    let position = "phase = \"artillery\"\nphasing = \"crown\"\nunit.battery = \"0407\"\nunit.light = { hex = \"0409\", order = \"disrupted\" }";
    let expected = [
        ("unhurt", Tone::Holds, "23/25"),
        ("retreats", Tone::Yields, "1/25"),
        ("shattered", Tone::Yields, "1/50"),
        ("eliminated", Tone::Gone, "1/50"),
    ];
    assert_eq!(fates(position, "bombard battery 0409", "light"), told(&expected));
}

#[test]
fn a_rally() {
    let position = "phase = \"rally\"\nphasing = \"crown\"\nunit.gren = { hex = \"0409\", order = \"disrupted\" }\nunit.second = \"0401\"";
    let expected = [("rallies", Tone::Gains, "7/10"), ("fails to rally", Tone::Holds, "3/10")];
    assert_eq!(fates(position, "rally gren", "gren"), told(&expected));
}

/// The grenadiers' morale is one better: rolls of 1 to 10 at 1-1.
#[test]
fn a_close_combat() {
    let position = "phase = \"close-combat\"\nphasing = \"crown\"\nchits = { crown = 1, american = 0 }\nattacks = [{ by = [\"gren\"], at = [\"0408\"] }]\nunit.gren = \"0409\"\nunit.second = \"0408\"\n[[step]]\nplay = [\"play skirmish\", \"play skirmish\"]\ndice = [4]";
    let attacker = [
        ("advances", Tone::Gains, "1/10"),
        ("pinned", Tone::Holds, "1/10"),
        ("stands", Tone::Holds, "3/10"),
        ("disrupted", Tone::Yields, "1/5"),
        ("retreats", Tone::Yields, "3/10"),
    ];
    assert_eq!(fates(position, "reroll", "gren"), told(&attacker));
    let defender = [
        ("pinned", Tone::Holds, "1/10"),
        ("stands", Tone::Holds, "2/5"),
        ("loses a step", Tone::Hurt, "1/10"),
        ("disrupted", Tone::Yields, "1/5"),
        ("retreats", Tone::Yields, "1/5"),
    ];
    assert_eq!(fates(position, "reroll", "second"), told(&defender));
}

#[test]
fn guns_alone() {
    let position = "phase = \"close-combat\"\nphasing = \"crown\"\nchits = { crown = 0, american = 0 }\nattacks = [{ by = [\"gren\"], at = [\"0408\"] }, { by = [\"light\"], at = [\"0808\"] }]\nunit.gren = \"0409\"\nunit.second = \"0408\"\nunit.light = \"0809\"\nunit.battery = \"0808\"";
    assert_eq!(fates(position, "resolve 0808", "light"), told(&[("advances", Tone::Gains, "1")]));
    assert_eq!(fates(position, "resolve 0808", "battery"), told(&[("captured", Tone::Gone, "1")]));
}

#[test]
fn a_march_is_no_retreat() {
    let position = "phase = \"movement\"\nphasing = \"crown\"\nunit.gren = \"0409\"\nunit.second = \"0401\"";
    assert_eq!(fates(position, "march gren 0410", "gren"), told(&[("marches", Tone::Holds, "1")]));
}
