//! How often two absent players must wait for each other in a turn, with and without conditional orders. `cargo test -p server
//! --test exchanges -- --nocapture` prints the table of `docs/measurements.md`.

use std::sync::Arc;

use catalogue::{NewDice, Table};
use game::session::Throw;
use game::{BySide, Now, Options, Side};
use host::orders::{self, Answer};
use host::wire::{Given, Order, Sitter, Then};
use host::{Library, Standard, begin};

/// How many turns are played, and how many decisions at the most.
const TURNS: u32 = 12;
const MOST: usize = 2_000;
/// What an absent player leaves to the captain in each system: how to give way and follow up, fire that answers or comes out of
/// turn, tactics and re-rolls. The plan of one's own turn is not among it. And how many of the exchanges are left at the most, in
/// per cent: few where much is answered, many where the sides take turns and little else.
const ORDERS: [(&str, &[&str], usize); 5] = [
    ("battle-hymn", &["cavalry-retreat", "retreat", "withdraw", "check", "split"], 75),
    ("brigade-battles", &["place", "retreat", "advance", "tide", "volley", "fire"], 50),
    ("american-revolution", &["reroll", "tactic", "retreat", "follow", "advance"], 50),
    ("hallowed-ground", &["flee", "test", "initiative"], 85),
    ("fields-of-honor", &["opportunity", "reaction", "withdraw", "pursuit", "melee", "fire"], 57),
];

/// A decision that a person had to take: who, and of which kind.
type Decision = (Side, String);

struct Played {
    asked: Vec<Decision>,
    turns: u32,
}

fn set_up(library: &Library, scenario: &str) -> Box<dyn Table> {
    let volume =
        library.volume(scenario, None, &Options::new()).map_err(|failure| failure.0.message).unwrap();
    let here = || Sitter::Here { name: "Ada".into() };
    let throw = Throw { salt: vec![1; 16], typed: Vec::new() };
    let sitters = BySide { first: here(), second: here() };
    begin::muster(&volume, &sitters, NewDice::Secret([7; 32]), &throw).map_err(|f| f.0.message).unwrap()
}

/// Captains play; what these orders answer, nobody is asked.
fn play(library: &Library, scenario: &str, orders: &[Order]) -> Played {
    let mut table = set_up(library, scenario);
    let (first, mut asked) = (table.turn(), Vec::new());
    for n in 0..MOST {
        let Now::Decides(side) = table.now() else { break };
        if table.turn() >= first + TURNS {
            break;
        }
        let prompt = table.prompt().unwrap();
        let answered = orders::answer(orders, table.turn(), &prompt, &table.offers(), |_| None);
        assert!(matches!(answered, None | Some(Answer::Captain)));
        if answered.is_none() {
            asked.push((side, prompt.kind.clone()));
        }
        let action = table.thinker()("captain".parse().unwrap(), n as u64).unwrap();
        let throw = Throw { salt: (n as u64).to_be_bytes().repeat(2), typed: Vec::new() };
        table.act(side, &action, &throw).unwrap();
    }
    Played { asked, turns: (table.turn() - first).max(1) }
}

/// How often the one must wait for the other.
fn exchanges(asked: &[Decision]) -> usize {
    asked.windows(2).filter(|pair| pair[0].0 != pair[1].0).count()
}

#[test]
fn orders_save_exchanges_by_mail() {
    let library = Library::new(Arc::new(Standard));
    eprintln!("| battle | turns | exchanges a turn without | with | orders for |");
    eprintln!("| --- | --- | --- | --- | --- |");
    for (system, kinds, most) in ORDERS {
        let face = library.scenarios().into_iter().find(|face| face.system == system).unwrap();
        let captain = |kind: &&str| Order {
            kind: (*kind).to_owned(),
            given: Given::Always,
            then: Then::Captain,
            turn: None,
            words: String::new(),
        };
        let orders: Vec<Order> = kinds.iter().map(captain).collect();
        assert!(orders::check(&orders).is_ok());
        let (without, with) = (play(&library, &face.id, &[]), play(&library, &face.id, &orders));
        let (before, after) = (exchanges(&without.asked), exchanges(&with.asked));
        let a_turn = |n: usize| n as f64 / f64::from(without.turns);
        let (title, list) = (&face.title, kinds.join(", "));
        eprintln!("| {title} | {} | {:.1} | {:.1} | {list} |", without.turns, a_turn(before), a_turn(after));
        assert!(100 * after <= most * before, "{title}: {before} exchanges without orders, {after} with");
    }
}
