//! What the panel of odds says of a decision, in the words of the game.

use battle_hymn::BattleHymn;
use game::odds::{self, Budget, Horizon, PieceOdds};
use game::situation::question;

/// The fates of each unit with their tones and chances: `davis: stands (holds) 9/10, demoralised (hurt) 1/10`.
fn fates(units: &str, rest: &str) -> Vec<String> {
    let case = format!(
        "title = \"Fates\"\nhours = {{ first = 1, last = 9, night = [8, 9], initiative = {{ \"1\" = \"usa\" }} }}\n\
         unit = [{units}]\n[map]\ncols = 12\nrows = 9\n{rest}"
    );
    let asked = question::<BattleHymn>(&case, &suite::Shelf)
        .unwrap_or_else(|faults| panic!("\n{}", faults.report("the case", &case)));
    let report = odds::report::<BattleHymn>(
        &asked.battle,
        &asked.state,
        &asked.action,
        Horizon::Decision,
        Budget::default(),
    );
    assert_eq!(report.sampled, None, "the odds are sampled in:\n{case}");
    let told = |piece: &PieceOdds| {
        let fate = |f: &odds::FateOdds| {
            format!("{} ({}) {}", f.fate.word, format!("{:?}", f.fate.tone).to_lowercase(), f.share.exact)
        };
        let fates: Vec<String> = piece.fates.iter().map(fate).collect();
        format!("{}: {}", asked.battle.units[usize::from(piece.piece.0)].id, fates.join(", "))
    };
    report.pieces.iter().map(told).collect()
}

/// On a lane one hex wide, so that every retreat has one way.
fn lane(units: &str, rest: &str) -> Vec<String> {
    let hexes = (1..=12).flat_map(|c| (2..=9).map(move |r| format!("\"{c:02}{r:02}\"")));
    fates(units, &format!("off = [{}]\n{rest}", hexes.collect::<Vec<_>>().join(", ")))
}

#[test]
fn bombardment() {
    // 5 - 3 at two hexes: two faces in ten hit, half the checks fail.
    let units = r#"
  { id = "gun", side = "usa", type = "artillery", sp = 1, at = "0505" },
  { id = "cowan", side = "usa", type = "artillery", sp = 1, at = "0506" },
  { id = "davis", side = "csa", sp = 2, at = "0503" }"#;
    let play = "[position]\nturn = \"combat usa\"\ncup = []\n[[step]]\nplay = \"bombard gun at davis\"";
    assert_eq!(fates(units, play), ["davis: stands (holds) 9/10, demoralised (hurt) 1/10"]);
    let last = units.replace("sp = 2", "sp = 1");
    assert_eq!(fates(&last, play), ["davis: stands (holds) 9/10, shattered (gone) 1/10"]);
}

#[test]
fn cavalry_slips_away_or_must_stand() {
    let units = r#"
  { id = "weed", side = "usa", sp = 2, at = "0501" },
  { id = "stuart", side = "csa", type = "cavalry", sp = 2, at = "0601" }"#;
    let play = "[position]\nturn = \"combat usa\"\ncup = []\n[[step]]\nplay = \"withdraw stuart\"";
    assert_eq!(lane(units, play), ["stuart: slips away (gains) 1/2, must stand (holds) 1/2"]);
}

#[test]
fn attackers_withdraw_fall_back_and_advance() {
    let units = r#"
  { id = "weed", side = "usa", sp = 3, at = "0401" },
  { id = "tilton", side = "usa", sp = 3, at = "0601" },
  { id = "davis", side = "csa", sp = 3, at = "0501" }"#;
    // Each fails half its checks; one that passes falls back by itself unless both have passed and one is chosen.
    let checks = "[position]\nturn = \"combat usa\"\ncup = []\nstep = \"checks\"\nround = 2\n\
                  engagement = [\"weed\", \"tilton\", \"davis\"]\n\
                  fired = [\"davis>weed\", \"davis>tilton\", \"weed>davis\", \"tilton>davis\"]\n\
                  hits = { weed = 1, tilton = 1 }\n[[step]]\nplay = \"check weed\"";
    assert_eq!(
        lane(units, checks),
        [
            "weed: demoralised (hurt) 1/4, falls back (yields) 3/4",
            "tilton: demoralised (hurt) 1/4, falls back (yields) 3/4"
        ]
    );
    let withdraw = "[position]\nturn = \"combat usa\"\ncup = []\nstep = \"withdraw\"\n[[step]]\nplay = \"withdraw weed\"";
    assert_eq!(lane(units, withdraw), ["weed: withdraws (holds) 1"]);
    let advance = "[position]\nturn = \"combat usa\"\ncup = []\nstep = \"advance\"\n\
                   engagement = [\"weed\", \"tilton\", \"davis\"]\nfired = [\"weed>davis\"]\nvacated = [\"0501\"]\n\
                   unit.davis = { box = \"shattered\" }\n[[step]]\nplay = \"advance weed 0501\"";
    assert_eq!(lane(units, advance), ["weed: advances (gains) 1"]);
}

#[test]
fn rally() {
    let units = r#"
  { id = "weed", side = "usa", sp = 4, formation = "ayres", at = "0501" },
  { id = "tilton", side = "usa", sp = 4, formation = "ayres", at = "0101" },
  { id = "davis", side = "csa", sp = 2, at = "1201" }"#;
    let night = |weed: &str| {
        format!(
            "[position]\nhour = 8\nturn = \"move ayres\"\ncup = []\nunit.weed = {{ {weed} }}\n[[step]]\nplay = \"rally weed\""
        )
    };
    assert_eq!(
        lane(units, &night("demoralised = 3")),
        ["weed: rallies (gains) 1/2, does not rally (holds) 1/2"]
    );
    assert_eq!(
        lane(units, &night("box = \"shattered\"")),
        ["weed: rallies (gains) 1/2, stays shattered (holds) 1/2"]
    );
}
