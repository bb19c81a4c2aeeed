//! What is wrong with a `[map]` is said at its place, and what is right is read.

use game::Library;
use game::read::document;
use hexmap::EvenColumns;
use hexmap::compile::Slopes;
use sheet::{Custom, Sheet};

struct NoSurveys;

impl Library for NoSurveys {
    fn survey(&self, name: &str) -> Option<String> {
        (name == "broken").then(|| "size = 7".to_owned())
    }
}

/// Reads a `[map]` with everything that this crate knows to read in it.
fn read(map: &str) -> Result<(Sheet, usize, usize), String> {
    let text = format!("[map]\n{map}");
    let custom = Custom { even: EvenColumns::Lower, hex_yards: 200, slopes: Slopes::Levels };
    document(&text, |file| {
        let map = file.field("map").section()?;
        let sheet = Sheet::read(&map, &NoSurveys, custom)?;
        let roads = map.field("roads").list().iter().map(|item| sheet::road(item, &sheet.grid).len()).sum();
        for item in map.field("creeks").list() {
            let _ = sheet::side_of(&item, &sheet.grid);
        }
        for item in map.field("slopes").list() {
            let _ = sheet::towards(&item, &sheet.grid);
        }
        for item in map.field("at").list() {
            let _ = sheet::hex_of(&item, &sheet.grid);
        }
        let cells = sheet::raster(&map.field("raster"), &sheet.grid).len();
        map.finish();
        Some((sheet, roads, cells))
    })
    .map_err(|faults| faults.report("map", &text))
}

#[test]
fn each_fault_is_named() {
    for (map, said) in [
        ("rows = 3", "cols"),
        ("cols = 100\nrows = 3", "100"),
        ("cols = 4\nrows = 3\neven = \"middle\"", "middle"),
        ("cols = 4\nrows = 3\nplay = { columns = [3, 2], rows = [1, 2] }", "not a first and a last"),
        ("cols = 4\nrows = 3\nplay = { columns = [1, 5], rows = [1, 2] }", "5"),
        ("cols = 4\nrows = 3\nsurvey = \"atlantis\"", "there is no survey `atlantis`"),
        ("cols = 4\nrows = 3\nsurvey = \"broken\"", "the survey is faulty"),
        ("cols = 4\nrows = 3\noff = [\"0101 0909\"]", "`0909` is no hex of the map"),
        ("cols = 4\nrows = 3\nat = [\"0505\"]", "`0505` is no hex of the map"),
        ("cols = 4\nrows = 3\nnames = { \"0501\" = \"The Elm\" }", "no hex `0501`"),
        ("cols = 4\nrows = 3\ncreeks = [\"0101/0301\"]", "is no hexside of the map"),
        ("cols = 4\nrows = 3\nslopes = [\"0101>0301\"]", "is no hexside with a direction"),
        ("cols = 4\nrows = 3\nroads = [\"0101 0301\"]", "0101 and 0301 are not neighbours"),
        ("cols = 4\nrows = 3\nroads = [\"0101 0901\"]", "a hex of the road is not on the map"),
        ("cols = 2\nrows = 2\nraster = \". . .\"", "row 1 has too many cells"),
        ("cols = 2\nrows = 2\nraster = \". .\"", "2 cells are drawn"),
        ("cols = 2\nrows = 2\nforest = []", "forest"),
    ] {
        let report = read(map).expect_err(map);
        assert!(report.contains(said), "{map}\nis answered by\n{report}");
    }
}

#[test]
fn what_lies_on_a_map_that_cannot_be_laid_out_is_not_called_unknown() {
    let text = "[map]\ncols = 100\nrows = 3\nwoods = [\"0101\"]";
    let custom = Custom { even: EvenColumns::Lower, hex_yards: 200, slopes: Slopes::Levels };
    let faults = document(text, |file| {
        let map = file.field("map").section()?;
        let sheet = Sheet::read(&map, &NoSurveys, custom);
        map.finish();
        sheet.map(drop)
    })
    .expect_err("a hundred columns are too many");
    assert_eq!(faults.0.len(), 1, "{faults}");
}

#[test]
fn a_map_by_hand_is_read() {
    let map = "cols = 4\nrows = 3\nplay = { columns = [1, 3], rows = [1, 3] }\noff = [\"0101\"]\n\
               roads = [\"0101 0102 0103\"]\nraster = \"\"\"\n. f . .\n. . . .\n. . . .\n\"\"\"\nnames = { \"0202\" = \"The Elm\" }";
    let (sheet, roads, cells) = read(map).unwrap_or_else(|report| panic!("{report}"));
    let hex = |number: &str| sheet.grid.parse(number).expect("a hex");
    assert_eq!(sheet.in_play.len(), 8, "three columns of three but for one hex");
    assert!(!sheet.in_play.contains(hex("0101")) && !sheet.in_play.contains(hex("0401")));
    assert_eq!((roads, cells), (2, 12));
    assert_eq!((sheet.name(hex("0202")), sheet.name(hex("0203"))), (Some("The Elm"), None));
    assert_eq!((sheet.hex_yards, sheet.drawn()), (200, serde_json::Value::Null));
}
