//! The engine's numbers against the charts the project ships.

use game::{Display, Facts, Files, Options};
use hallowed_ground::{Arm, Formation, HallowedGround, base_depth, footprint, stat};

fn tables() -> toml::Table {
    let path = suite::root().join("rules/hallowed-ground/tables.toml");
    std::fs::read_to_string(path).expect("the charts").parse().expect("TOML")
}

fn rows<'t>(tables: &'t toml::Table, key: &str) -> impl Iterator<Item = &'t toml::Table> {
    tables[key].as_array().expect("rows").iter().filter_map(|r| r.as_table())
}

fn named<T: Copy>(word: &str, words: &[&str], all: &[T]) -> Option<T> {
    words.iter().position(|w| *w == word).map(|i| all[i])
}

/// The bases that the board draws fill the footprint of each formation.
#[test]
fn bases_fill_their_footprint() {
    let battle = suite::battle::<HallowedGround>("hallowed-ground/drill");
    for (unit, formation, count) in [
        ("a1", Formation::Line, 5),
        ("a1", Formation::SupportedLine, 5),
        ("a1", Formation::MarchColumn, 5),
        ("b1", Formation::SupportedLine, 6),
        ("b1", Formation::MarchColumn, 6),
        ("b1", Formation::DismountedLine, 6),
        ("ag", Formation::Deployed, 4),
        ("ag", Formation::Limbered, 2),
    ] {
        let text = format!(
            "phase = \"general\"\nunit.{unit} = {{ at = [40, 40], formation = \"{}\" }}",
            formation.word()
        );
        let state = HallowedGround::position(&battle, &text).expect("a position");
        let view = HallowedGround::view(&battle, &state, game::Eyes::All);
        let piece = view.pieces.iter().find(|p| p.slug == unit).expect("a piece");
        let drawn = piece.footprint.as_ref().expect("a footprint");
        assert_eq!(drawn.bases.len(), count, "{unit} {formation:?}");
        let left = drawn.bases.iter().map(|b| b[0]).min().unwrap();
        let right = drawn.bases.iter().map(|b| b[0] + b[2]).max().unwrap();
        let front = drawn.bases.iter().map(|b| b[1]).max().unwrap();
        let rear = drawn.bases.iter().map(|b| b[1] - b[3]).min().unwrap();
        assert!((right - left - drawn.width).abs() <= 2, "{unit} {formation:?}: {drawn:?}");
        assert!((left + right).abs() <= 2, "{unit} {formation:?}: {drawn:?}");
        assert!(front == 0 && (rear + drawn.depth).abs() <= 2, "{unit} {formation:?}: {drawn:?}");
    }
}

#[test]
fn statistics_are_those_of_the_chart() {
    let tables = tables();
    for row in rows(&tables, "stat") {
        let Some(arm) = named(row["type"].as_str().unwrap(), &Arm::WORDS, &Arm::ALL) else { continue };
        let formation =
            named(row["formation"].as_str().unwrap(), &Formation::WORDS, &Formation::ALL).expect("known");
        let mine = stat(arm, formation);
        assert_eq!(mine.rate, row["move"].as_integer().unwrap(), "{arm:?} {formation:?}");
        assert_eq!(i64::from(mine.melee), row["melee"].as_integer().unwrap());
        let dice: Vec<i64> =
            row["shooting"].as_array().unwrap().iter().filter_map(|v| v.as_integer()).collect();
        for (i, band) in mine.shooting.iter().enumerate() {
            assert_eq!(i64::from(*band), dice[i.min(dice.len() - 1)], "{arm:?} {formation:?}");
        }
        let (shaken, broken) = arm.morale();
        assert_eq!(
            (i64::from(shaken), i64::from(broken)),
            (row["shaken"].as_integer().unwrap(), row["break"].as_integer().unwrap())
        );
    }
    let weapons = [
        ("carbine", Arm::Cavalry),
        ("rifled_musket", Arm::Infantry),
        ("light_gun", Arm::LightArtillery),
        ("regular_gun", Arm::RegularArtillery),
        ("siege_gun", Arm::SiegeArtillery),
    ];
    for (name, arm) in weapons {
        let row = rows(&tables, "weapon").find(|r| r["name"].as_str() == Some(name)).expect("the weapon");
        assert_eq!(arm.range(), row["max"].as_integer().unwrap());
        assert_eq!(arm.range() / 2, row["half"].as_integer().unwrap());
    }
}

#[test]
fn footprints_are_those_of_the_chart() {
    let tables = tables();
    for row in rows(&tables, "footprint") {
        let arms: &[Arm] = match row["type"].as_str().unwrap() {
            "infantry" => &[Arm::Infantry],
            "cavalry" => &[Arm::Cavalry],
            "artillery" => &[Arm::LightArtillery, Arm::RegularArtillery, Arm::SiegeArtillery],
            _ => continue,
        };
        let formation =
            named(row["formation"].as_str().unwrap(), &Formation::WORDS, &Formation::ALL).expect("known");
        let tenths: Vec<i64> = row["envelope_mm"]
            .as_array()
            .unwrap()
            .iter()
            .map(|v| v.as_integer().map_or_else(|| (v.as_float().unwrap() * 10.0).round() as i64, |n| n * 10))
            .collect();
        for arm in arms {
            let size = footprint(*arm, formation);
            assert_eq!(
                (size.width, size.depth),
                (table::mm(tenths[0]), table::mm(tenths[1])),
                "{arm:?} {formation:?}"
            );
            assert_eq!(
                base_depth(*arm, formation),
                table::mm(10 * row["base_depth_mm"].as_integer().unwrap())
            );
        }
    }
}

/// Commanders are discs without a facing: no arc can be asked of them, and no pose of theirs has one.
#[test]
fn commanders_have_no_arcs() {
    suite::proves!("hallowed-ground", "2.3.c");
    let text = game::Library::scenario(&suite::Shelf, "hallowed-ground/drill").expect("the drill ground");
    let battle = HallowedGround::compile(&text, &suite::Shelf, &Options::new()).expect("compiles");
    let state = HallowedGround::position(&battle, "phase = \"orders a\"\nunit.a1 = { at = [20, 20] }")
        .expect("a position");
    assert!(HallowedGround::fact(&battle, &state, "arc.a1.20.30").is_ok());
    assert!(HallowedGround::fact(&battle, &state, "arc.ames.20.30").is_err());
    assert!(HallowedGround::fact(&battle, &state, "arc.ames.a1").is_err());
    assert!(HallowedGround::fact(&battle, &state, "ames.facing").is_err());
    assert!(HallowedGround::fact(&battle, &state, "ames.at").is_ok());
}

/// Faults of a file are reported together, each at its place.
#[test]
fn faults_are_reported_at_their_place() {
    let text = game::Library::scenario(&suite::Shelf, "hallowed-ground/crossroads").expect("the crossroads");
    let broken =
        text.replacen("kind = \"corn_field\"", "kind = \"maize\"", 1).replacen("turns = 8", "turns = 99", 1);
    let faults = HallowedGround::compile(&broken, &suite::Shelf, &Options::new()).expect_err("two faults");
    assert_eq!(faults.0.len(), 2, "{}", faults.report("crossroads", &broken));
}
