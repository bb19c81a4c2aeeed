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
fn the_order_of_battles_names_each_once_and_begins_with_those_for_newcomers() {
    let ids = catalogue::scenario_ids();
    let order = include_str!("../../../../scenarios/order.txt");
    let named: Vec<&str> = order.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(ids, named, "scenarios/order.txt names every scenario once");
    for system in catalogue::systems() {
        let id = system.book().system;
        let first = ids.iter().find(|s| s.starts_with(&format!("{id}/"))).expect("it has a battle");
        assert_ne!(first, &format!("{id}/drill"), "a newcomer begins with a battle");
    }
}

#[test]
fn every_rule_has_a_chapter_with_a_name() {
    for system in catalogue::systems() {
        let book = system.book();
        let chapters = catalogue::chapters(book.system);
        for rule in book.rules {
            let key = rule.id.id().split('.').next().unwrap_or_default();
            let named = chapters.iter().filter(|(k, name)| k == key && !name.is_empty()).count();
            assert_eq!(named, 1, "{} {}: rules/{}/chapters.tsv", book.system, rule.id.id(), book.system);
        }
    }
}

#[test]
fn a_scenario_of_no_known_system_is_refused_at_its_line() {
    let text = "title = \"x\"\nsystem = \"bugles\"\n";
    let error = catalogue::open_text("mine.toml", text, &Options::new()).unwrap_err().to_string();
    assert!(error.contains("mine.toml:2:10") && error.contains("battle-hymn"), "{error}");
}
