//! Two units on the charts of a table: the engine works out the fire and names the rows and columns that speak of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use catalogue::{NewDice, open_text};
use game::board::{Ask, Board, Overlay, View};
use game::session::Throw;
use game::{BySide, Eyes, Options};

/// A lesson's board, its first view, and the fires of one of its units.
fn fires_of(lesson: &str, by: &str) -> (Board, View, Overlay) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons").join(lesson);
    let text = fs::read_to_string(path).expect("a lesson");
    let scenario = open_text("lesson", &text, &Options::new()).expect("opens");
    let nobody = BySide::from_fn(|_| String::new());
    let table = scenario.start(nobody, NewDice::Seed([0; 32]), &Throw::default()).expect("begins");
    let view = table.view(Eyes::All, None).expect("a view");
    let piece = view.pieces.iter().find(|p| p.slug == by).map(|p| p.id);
    let ask = Ask { overlay: "fire".into(), side: None, place: None, piece };
    let overlay = table.overlay(Eyes::All, &ask);
    (scenario.board(), view, overlay)
}

fn labels(board: &Board) -> BTreeSet<&str> {
    let heads = board.charts.iter().flat_map(|chart| chart.rows.iter().map(|row| row[0].as_str()));
    heads.chain(board.charts.iter().flat_map(|chart| chart.columns.iter().map(String::as_str))).collect()
}

fn every_fire_is_in_the_charts(lesson: &str, by: &str) -> (View, Overlay) {
    let (board, view, overlay) = fires_of(lesson, by);
    let known = labels(&board);
    for prospect in &overlay.fires {
        assert!(!prospect.notes.is_empty(), "{lesson}: neither what it brings nor why it cannot be");
        // The base of a sum is the range itself, whose band is named beside it.
        let unknown: Vec<&String> = prospect
            .labels
            .iter()
            .filter(|label| !label.ends_with("range") && !known.contains(label.as_str()))
            .collect();
        assert!(unknown.is_empty(), "{lesson}: no chart has {unknown:?}");
    }
    (view, overlay)
}

#[test]
fn fields_of_honor_tells_range_and_divisor_of_any_two_units() {
    let (view, overlay) = every_fire_is_in_the_charts("fields-of-honor/04-fire.toml", "r1");
    let at = |slug: &str| {
        let piece = view.pieces.iter().find(|p| p.slug == slug).expect("a piece").id;
        overlay.fires.iter().find(|fire| fire.at == piece).expect("a prospect")
    };
    assert_eq!(overlay.fires.len(), 4);
    for (slug, band) in [("b2", "short"), ("b1", "medium")] {
        let labels = &at(slug).labels;
        assert!(
            ["rifled musket", "small arms", band, "initial fire"]
                .iter()
                .all(|l| labels.iter().any(|x| x == l)),
            "{labels:?}"
        );
        assert_eq!(at(slug).fire.as_ref().map(|fire| fire.dice), Some(6));
    }
    let flank = fires_of("fields-of-honor/05-flank-fire.toml", "r1").2;
    assert!(flank.fires.iter().any(|fire| fire.labels.iter().any(|l| l == "flank fire")));
}

#[test]
fn a_fire_that_cannot_be_says_why_in_either_turn() {
    let (_, overlay) = every_fire_is_in_the_charts("fields-of-honor/01-first-move.toml", "b2");
    let why = |text: &str| overlay.fires.iter().any(|f| f.fire.is_none() && f.notes[0].text.contains(text));
    assert!(why("beyond extreme range"), "{:?}", overlay.fires);
}

#[test]
fn this_hallowed_ground_tells_cover_of_any_two_units() {
    let (view, overlay) = every_fire_is_in_the_charts("hallowed-ground/07-shooting.toml", "3rd-blue");
    let gray = view.pieces.iter().find(|p| p.slug == "2nd-gray").expect("a piece").id;
    let behind = overlay.fires.iter().find(|fire| fire.at == gray).expect("a prospect");
    assert!(behind.labels.iter().any(|l| l == "infantry line"));
    assert!(behind.labels.iter().any(|l| l == "target in cover"), "{:?}", behind.labels);
    assert!(behind.notes[0].text.contains("5 or 6"));
    // Gray shoots at nobody in Blue's turn, and its fire is known all the same.
    let (_, theirs) = every_fire_is_in_the_charts("hallowed-ground/07-shooting.toml", "1st-gray");
    assert!(theirs.fires.iter().any(|fire| fire.fire.is_some()));
}
