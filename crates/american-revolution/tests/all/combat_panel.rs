//! The panel of a close combat: it goes by its lead unit, and after the die it tells the column that was fought.

use american_revolution::AmericanRevolution;
use game::board::Combat;
use game::{Display, Eyes, situation};

/// The panel before the last of these steps, and who stands first on the attacker's side.
fn panel(steps: &str) -> (Combat, String) {
    let case = format!(
        "title = \"A case\"\nscenario = \"american-revolution/drill\"\n[position]\nphase = \"close-combat\"\n\
         phasing = \"crown\"\nothers = \"gone\"\nchits = {{ crown = 0, american = 0 }}\n\
         attacks = [{{ by = [\"gren\", \"foot\"], at = [\"0408\"] }}]\nunit.gren = \"0409\"\nunit.foot = \"0409\"\n\
         unit.second = \"0408\"\n{steps}"
    );
    let asked = situation::question::<AmericanRevolution>(&case, &suite::Shelf).expect("it can be asked");
    let view = AmericanRevolution::view(&asked.battle, &asked.state, Eyes::All);
    let combat = view.combat.expect("a combat is under way");
    let lead = combat.fires[0].by[0];
    let name = view.pieces.iter().find(|p| p.id == lead).expect("it is on the map").name.clone();
    (combat, name)
}

#[test]
fn the_lead_unit_gives_the_combat_its_name() {
    for (slug, name) in [("gren", "Grenadiers"), ("foot", "Foot")] {
        let (_, lead) =
            panel(&format!("[[step]]\nplay = \"lead {slug}\"\n[[step]]\nplay = \"play skirmish\"\n"));
        assert_eq!(lead, name);
    }
}

#[test]
fn the_column_stays_the_one_that_was_fought() {
    // The Continentals are disrupted, and at half strength the odds would be better now.
    let (combat, _) = panel(
        "[[step]]\nplay = [\"lead gren\", \"play skirmish\", \"play skirmish\"]\ndice = [7]\n[[step]]\nplay = \"retreat 0405\"\n",
    );
    assert_eq!(combat.title, "Close combat at 2-1");
}
