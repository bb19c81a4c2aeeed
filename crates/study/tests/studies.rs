//! Whole studies: the same tables whichever way they are played.

use std::fs;
use std::path::Path;

use study::{Progress, Run, Study, Summary};

const RIDGE: &str = r#"
title = "A trial"
scenarios = ["battle-hymn/mcphersons-ridge"]
players = ["random"]
games = 60
batch = 8

[[variation]]
name = "Cutler an hour later"
set = { "unit.cutler.at" = "11S" }

[[variation]]
name = "Without Stone"
remove = ["unit.stone"]
"#;

fn open(text: &str, folder: &Path) -> Run {
    Run::open(Study::read(text, Path::new(".")).unwrap(), folder).unwrap()
}

fn whole(text: &str, folder: &Path) -> Summary {
    let run = open(text, folder);
    run.go(None, &|_| ()).unwrap();
    run.finish(true).unwrap()
}

fn tables(folder: &Path) -> Vec<Vec<u8>> {
    let files = ["games.parquet", "turns.parquet", "games.csv", "turns.csv", "summary.csv", "report.html"];
    files.iter().map(|file| fs::read(folder.join(file)).unwrap()).collect()
}

fn refused(text: &str) -> String {
    Study::read(text, Path::new(".")).map(drop).unwrap_err().to_string()
}

#[test]
fn shards_come_to_exactly_the_single_run() {
    let (one, many) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    whole(RIDGE, one.path());
    let run = open(RIDGE, many.path());
    // Out of order, and one of them twice.
    for part in ["3/3", "1/3", "3/3", "2/3"] {
        run.go(Some(part.parse().unwrap()), &|_| ()).unwrap();
    }
    run.finish(true).unwrap();
    assert_eq!(tables(one.path()), tables(many.path()));
}

#[test]
fn a_study_that_was_stopped_goes_on() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    whole(RIDGE, one.path());
    let run = open(RIDGE, two.path());
    run.go(Some("1/2".parse().unwrap()), &|_| ()).unwrap();
    let missing = run.finish(false).unwrap_err().to_string();
    assert!(missing.contains("have not been played yet"), "{missing}");
    // A batch that was cut off while it was written is played again.
    let cut = fs::read_dir(two.path().join("batches")).unwrap().next().unwrap().unwrap().path();
    fs::write(&cut, b"half").unwrap();
    let first = std::sync::Mutex::new(None);
    let run = open(RIDGE, two.path());
    run.go(None, &|progress: Progress| {
        first.lock().unwrap().get_or_insert(progress);
    })
    .unwrap();
    let first = first.into_inner().unwrap().unwrap();
    assert!(first.done > 0 && first.of == 180, "{first:?}");
    run.finish(true).unwrap();
    assert_eq!(tables(one.path()), tables(two.path()));
}

#[test]
fn any_number_of_cores_comes_to_the_same() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let on = |cores: usize, folder: &Path| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build().unwrap();
        pool.install(|| whole(RIDGE, folder));
    };
    on(1, one.path());
    on(3, two.path());
    assert_eq!(tables(one.path()), tables(two.path()));
}

#[test]
fn a_folder_holds_one_study() {
    let folder = tempfile::tempdir().unwrap();
    open(RIDGE, folder.path());
    let other = Study::read(&RIDGE.replace("games = 60", "games = 61"), Path::new(".")).unwrap();
    let said = Run::open(other, folder.path()).unwrap_err().to_string();
    assert!(said.contains("choose another --out"), "{said}");
    // A better title is no other study.
    open(&RIDGE.replace("A trial", "Another title"), folder.path());
}

#[test]
fn games_are_added_until_the_interval_is_narrow() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        RIDGE.replace("games = 60", "interval = 4.0\ngames = 4000").replace("batch = 8", "batch = 100");
    let summary = whole(&text, folder.path());
    for cell in &summary.cells {
        assert!(cell.score.half_width() <= 0.04, "{:?}", cell.score);
        assert!(cell.games >= 200 && cell.games < 4000, "{}", cell.games);
    }
    let said = open(&text, folder.path()).go(Some("1/2".parse().unwrap()), &|_| ()).unwrap_err().to_string();
    assert!(said.contains("give `games` instead"), "{said}");
}

#[test]
fn pairs_have_the_same_seeds_and_equal_cells_differ_by_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let text = RIDGE.replace("set = { \"unit.cutler.at\" = \"11S\" }", "set = { title = \"Another\" }");
    let summary = whole(&text, folder.path());
    let change = summary.cells[1].score_change.unwrap();
    assert_eq!((change.value, change.low, change.high), (0.0, 0.0, 0.0));
    assert_eq!(summary.cells[0].won, summary.cells[1].won);
    assert_ne!(summary.cells[0].margin.value, summary.cells[2].margin.value);
}

#[test]
fn a_grid_is_every_combination() {
    let text = r#"
scenarios = ["battle-hymn/mcphersons-ridge"]
players = ["random", ["captain", "random"]]
swap = true
[grid]
"side.csa.handicap" = [0, 8]
unit.gamble.sp = [4, 5, 6]
"#;
    let study = Study::read(text, Path::new(".")).unwrap();
    let names: Vec<_> = study.cells.iter().filter_map(|cell| cell.change.as_deref()).collect();
    assert_eq!(study.cells.len(), 3 + 6);
    assert!(names.contains(&"side.csa.handicap 0, unit.gamble.sp 6"), "{names:?}");
}

#[test]
fn losses_rolls_and_luck_are_taken_down() {
    let folder = tempfile::tempdir().unwrap();
    let text = "scenarios = [\"battle-hymn/mcphersons-ridge\"]\ngames = 12\nluck = true\nrolls = true\n";
    let summary = whole(text, folder.path());
    let cell = &summary.cells[0];
    assert!(cell.luck.is_some_and(|luck| luck > 0.0), "{:?}", cell.luck);
    assert!(
        !cell.falls.is_empty() && !cell.deeds.is_empty() && cell.lost.iter().any(|lost| lost.mean() > 0.0)
    );
    let rolls = fs::read_to_string(folder.path().join("rolls.csv")).unwrap();
    assert!(rolls.lines().count() > 50 && rolls.contains("d10") || rolls.contains("d6"), "{rolls:.300}");
}

#[test]
fn every_system_tells_its_story() {
    for scenario in [
        "brigade-battles/drill",
        "american-revolution/drill",
        "hallowed-ground/crossroads",
        "fields-of-honor/drill-ground",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let summary = whole(
            &format!("scenarios = [\"{scenario}\"]\nplayers = [\"random\"]\ngames = 6\n"),
            folder.path(),
        );
        let cell = &summary.cells[0];
        assert_eq!((cell.games, cell.endless), (6, 0), "{scenario}");
        assert!(!cell.leads.is_empty() && !cell.deeds.is_empty(), "{scenario}");
        assert!(!cell.falls.is_empty(), "{scenario}: nothing was lost anywhere");
        let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
        assert!(page.contains("Where they fought"), "{scenario}");
        let specs: Vec<serde_json::Value> = page
            .split("<script type=\"application/json\">")
            .skip(1)
            .map(|rest| serde_json::from_str(rest.split("</script>").next().unwrap()).unwrap())
            .collect();
        assert_eq!(specs.len(), 5, "{scenario}: who wins, margins, lengths, losses, deeds");
        for spec in specs {
            let layers = spec["layer"].as_array().unwrap();
            let told = layers.iter().filter(|layer| layer["mark"]["aria"] != false);
            let marks: usize = told.map(|layer| layer["data"]["values"].as_array().unwrap().len()).sum();
            assert!(marks > 0 && spec["description"].as_str().unwrap().len() > 20, "{scenario}: {spec}");
        }
        // The name of the charts' language is the one address in it, and nothing asks for it.
        let page = page.replace("https://vega.github.io/schema/", "");
        for outside in ["http:", "https:", "src=", "url(\"", "@import"] {
            assert!(!page.contains(outside), "{scenario}: the page needs {outside}");
        }
    }
}

#[test]
fn mistakes_are_told_with_their_remedy() {
    for (text, why) in [
        ("scenarios = []", "name one"),
        ("scenarios = [\"nowhere\"]", "linstock list"),
        ("scenario = \"x\"", "unknown field"),
        ("scenarios = [\"battle-hymn/drill\"]\nplayers = [\"marshal\"]", "there is no player"),
        ("scenarios = [\"battle-hymn/drill\"]\ngames = 0", "from 1 to"),
        ("scenarios = [\"battle-hymn/drill\"]\ninterval = 80", "from 0.1 to 50"),
        (
            "scenarios = [\"battle-hymn/drill\"]\n[[variation]]\nname = \"a\"\nset = { \"unit.nobody.sp\" = 1 }",
            "variation `a`",
        ),
        (
            "scenarios = [\"battle-hymn/drill\"]\n[[variation]]\nname = \"a\"\noptions = { rain = true }",
            "there is no option",
        ),
        (
            "scenarios = [\"battle-hymn/drill\"]\n[[variation]]\nname = \"a\"\n[[variation]]\nname = \"a\"",
            "a name of its own",
        ),
        ("scenarios = [\"battle-hymn/drill\"]\n[grid]\n\"hours.last\" = 3", "list of values"),
    ] {
        let said = refused(text);
        assert!(said.contains(why), "{text}: {said}");
    }
    assert!("0/3".parse::<study::Shard>().is_err() && "4/3".parse::<study::Shard>().is_err());
}

#[test]
fn house_rules_hold_in_every_row_and_a_variation_may_turn_them_back() {
    let text = r#"
scenarios = ["battle-hymn/mcphersons-ridge"]
options = { at_random = true }

[[variation]]
name = "By choice"
options = { at_random = false }
"#;
    let study = Study::read(text, Path::new(".")).unwrap();
    let on = |cell: usize| {
        let rules = study.cells[cell].scenario.board().options;
        rules.into_iter().find(|rule| rule.id == "at_random").unwrap().on
    };
    assert_eq!([on(0), on(1)], [true, false]);
}

/// The engagement that the situation begins in is not that of a muster: from there none of these could be played.
#[test]
fn a_game_for_programs_begins_where_a_situation_does() {
    let text = include_str!("../../battle-hymn/situations/08-advance/8-advance.toml");
    let scenario = catalogue::open_text("battle-hymn/8-advance", text, &game::Options::new()).unwrap();
    let mut position = scenario.position(1);
    for seed in [2, 3] {
        for action in ["pass", "pass", "split davis weed=1 tilton=0"] {
            position.act(action).unwrap();
        }
        position.restart(seed);
        assert_eq!(position.decisions(), 0);
    }
}
