//! A small survey, and every fault of a bad one at its line and column.

use survey::{Hand, RoadKind, Steep, WaterKind, WoodsKind, read};

const SMALL: &str = r#"
title = "Small"
size = [1000, 800]

[[high]]
name = "Hill"
level = 1
outline = [[100, 100], [300, 100], [200, 300]]
steep = "gentle"

[[escarpment]]
name = "Bluff"
line = [[100, 100], [300, 100]]
falls = "right"

[[woods]]
name = "Wood"
kind = "heavy"
label = ""
outline = [[0, 0], [50, 0], [50, 60]]

[[water]]
name = "Run"
kind = "creek"
line = [[500, 900], [500, -100]]

[[road]]
name = "Pike"
kind = "lane"
line = [[-50, 400], [1050, 400]]

[[bridge]]
name = "Bridge"
at = [500, 400]
burnt = true
"#;

#[test]
fn a_small_survey() {
    let survey = read(SMALL).unwrap();
    assert_eq!((survey.title.as_str(), survey.size, survey.base), ("Small", [1000, 800], 0));
    assert_eq!((survey.high[0].level, survey.high[0].steep), (1, Some(Steep::Gentle)));
    assert_eq!(survey.escarpment[0].falls, Hand::Right);
    assert_eq!((survey.woods[0].kind, survey.woods[0].label.as_deref()), (Some(WoodsKind::Heavy), Some("")));
    assert_eq!(survey.water[0].kind, WaterKind::Creek);
    assert_eq!((survey.road[0].kind, survey.road[0].line.len()), (RoadKind::Lane, 2));
    assert!(survey.bridge[0].is_burnt());
    assert!(survey.ford.is_empty());
}

#[test]
fn the_board_reads_the_same_names() {
    let survey = read(SMALL).unwrap();
    let json = serde_json::to_value(&survey).unwrap();
    assert_eq!(json["road"][0]["kind"], "lane");
    assert_eq!(json["high"][0]["outline"][2][1], 300);
    assert_eq!(json["escarpment"][0]["falls"], "right");
    assert!(json["high"][0].get("label").is_none());
    assert_eq!(serde_json::from_value::<survey::Survey>(json).unwrap(), survey);
}

#[test]
fn all_faults_at_their_places() {
    let text = r#"title = "Bad"
size = [1000, "800"]
moat = 3

[[woods]]
name = "Wood"
outline = [[0, 0], [50, 0]]
kind = "dark"

[[water]]
kind = "creek"
line = [[5, 5], [99999, 5], [7]]

[[high]]
name = ""
level = 1.5
outline = "round"
"#;
    let faults = read(text).unwrap_err();
    let told: Vec<String> = faults
        .iter()
        .map(|fault| {
            let (line, column) = fault.line_and_column(text);
            format!("{line}:{column} {fault}")
        })
        .collect();
    let known = "title, base, high, escarpment, woods, town, marsh, field, orchard, water, road, wall, bridge, ford, \
                 place, cut";
    assert_eq!(
        told,
        [
            "2:15 expected a whole number from 1 to 99999, found string".to_string(),
            format!("3:1 `moat` means nothing here; known are size, {known}"),
            "7:11 expected at least 3 points, found 2".to_string(),
            "8:8 expected \"light\" or \"heavy\", found \"dark\"".to_string(),
            "10:1 `name` is missing".to_string(),
            "12:18 expected a whole number from -2000 to 2000".to_string(),
            "12:29 expected a pair of numbers [x, y], found array".to_string(),
            "15:8 `name` is empty".to_string(),
            "16:9 expected a whole number from -9 to 9, found float".to_string(),
            "17:11 expected a list of points [[x, y], ...], found string".to_string(),
        ]
    );
}

#[test]
fn broken_syntax_is_a_fault_too() {
    let faults = read("title = \nsize = [1,").unwrap_err();
    assert!(!faults.is_empty());
}
