//! The example passes what the five systems pass, and plays behind the interface that server and program use.

use catalogue::NewDice;
use game::session::Throw;
use game::{BySide, Now, Options};
use players::Player;
use skirmish::Skirmish;

const MEADOW: &str = "skirmish/meadow";

#[test]
fn contract() {
    suite::contract::<Skirmish>(MEADOW, 20, |_, _| Ok(()));
    suite::random_games::<Skirmish>(MEADOW, 200, |_, _| Ok(()));
}

#[test]
fn broken_scenarios_are_refused() {
    let sound =
        std::fs::read_to_string(suite::root().join("examples/skirmish/scenarios/meadow.toml")).unwrap();
    for (part, broken, message) in [
        ("side = \"grey\"", "side = \"red\"", "`red` is not known here"),
        ("hex = \"0202\"", "hex = \"0909\"", "there is no such hex"),
        ("hex = \"0202\"", "", "`hex` is missing"),
        ("men = 4", "men = 10", "`men` is 10"),
        ("turns = 8", "turns = 8\nrain = true", "unknown key `rain`"),
        ("turns = 8", "turns = 8\noptions = { fog = true }", "there is no option `fog`"),
    ] {
        suite::refused::<Skirmish>(&sound, part, broken, message);
    }
}

#[test]
fn it_plays_on_the_board() {
    let system = catalogue::erase::<Skirmish>();
    let text =
        std::fs::read_to_string(suite::root().join("examples/skirmish/scenarios/meadow.toml")).unwrap();
    let scenario = system.compile(MEADOW, &text, &Options::new()).unwrap();
    let info = scenario.info();
    assert_eq!((info.title.as_str(), info.units, info.turns), ("The Meadow", 6, 8));
    let seats = BySide::from_fn(|_| "somebody".to_owned());
    let mut table = scenario.start(seats, NewDice::Seed([7; 32]), &Throw::default()).unwrap();
    assert_eq!(table.prompt().unwrap().kind, "act");
    for decision in 0.. {
        assert!(decision < 1000, "the game does not end");
        let Now::Decides(side) = table.now() else { break };
        let offers = table.offers();
        // Fire where that is offered, else close in.
        let best = offers.iter().find(|o| o.verb == "fire").unwrap_or(&offers[0]);
        table.act(side, &best.action, &Throw::default()).unwrap();
    }
    let result = scenario.play_one(BySide::from_fn(|_| Player::Random), 1);
    assert!(result.decisions > 0);
}

#[test]
fn offers_are_exactly_what_is_allowed() {
    let tried = suite::offers_are_all::<Skirmish>(MEADOW, 5, 3, |order| Some(order.to_owned()));
    assert!(tried > 10_000, "only {tried} orders were tried");
}
