//! Every scenario that ships opens, can be mustered and shown, and is listed.

use catalogue::NewDice;
use game::session::Throw;
use game::{BySide, Options};

#[test]
fn every_scenario_of_the_library_opens() {
    let ids = catalogue::scenario_ids();
    assert!(!ids.is_empty());
    for id in &ids {
        let scenario = catalogue::open(id, &Options::new()).unwrap_or_else(|e| panic!("{id}: {e}"));
        let info = scenario.info();
        assert!(!info.title.is_empty() && !info.blurb.is_empty(), "{id} has no title or blurb");
        let seats = BySide::from_fn(|_| "nobody".to_owned());
        let table = scenario.start(seats, NewDice::Seed([7; 32]), &Throw::default()).expect("musters");
        assert!(table.prompt().is_some(), "{id} begins with a decision");
        assert!(!table.offers().is_empty(), "{id} begins with an offer");
    }
    assert_eq!(catalogue::scenarios().len(), ids.len());
}

#[test]
fn a_scenario_of_no_known_system_is_refused_at_its_line() {
    let text = "title = \"x\"\nsystem = \"bugles\"\n";
    let error = catalogue::open_text("mine.toml", text, &Options::new()).unwrap_err().to_string();
    assert!(error.contains("mine.toml:2:10") && error.contains("battle-hymn"), "{error}");
}
