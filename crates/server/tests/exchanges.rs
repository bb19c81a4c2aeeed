//! How often two absent players must wait for each other in a turn, with and without conditional orders. `cargo test -p server
//! --test exchanges -- --nocapture` prints the table of `docs/measurements.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use catalogue::{NewDice, Table};
use game::session::Throw;
use game::{BySide, Now, Options, Side};
use host::orders::{self, Answer};
use host::wire::{Given, Order, Sitter, Then};
use host::{Library, Standard, begin};

/// How many turns are played, and how many decisions at the most.
const TURNS: u32 = 4;
const MOST: usize = 2_000;
/// A kind of decision is a reaction if it comes so often, in per cent, in the midst of what the other side does.
const REACTION: usize = 60;

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

/// Kinds of decision that mostly come one or two at a time in the midst of what the other side does.
fn reactions(asked: &[Decision]) -> BTreeSet<String> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for run in asked.chunk_by(|a, b| a.0 == b.0) {
        for (_, kind) in run {
            let (all, short) = counts.entry(kind).or_default();
            *all += 1;
            *short += usize::from(run.len() <= 2);
        }
    }
    let mostly = |(_, (all, short)): &(&str, (usize, usize))| 100 * short >= REACTION * all;
    counts.into_iter().filter(mostly).map(|(kind, _)| kind.to_owned()).collect()
}

#[test]
fn orders_halve_the_exchanges_of_a_turn_by_mail() {
    let library = Library::new(Arc::new(Standard));
    let mut systems = BTreeSet::new();
    println!("| battle | turns | exchanges a turn without | with | orders for |");
    println!("| --- | --- | --- | --- | --- |");
    for face in library.scenarios() {
        if !systems.insert(face.system.clone()) {
            continue;
        }
        let without = play(&library, &face.id, &[]);
        let kinds = reactions(&without.asked);
        let captain = |kind: &String| Order {
            kind: kind.clone(),
            given: Given::Always,
            then: Then::Captain,
            turn: None,
            words: String::new(),
        };
        let orders: Vec<Order> = kinds.iter().map(captain).collect();
        assert!(orders::check(&orders).is_ok());
        let with = play(&library, &face.id, &orders);
        let (before, after) = (exchanges(&without.asked), exchanges(&with.asked));
        let a_turn = |n: usize| n as f64 / f64::from(without.turns);
        let list: Vec<&str> = kinds.iter().map(String::as_str).collect();
        println!(
            "| {} | {} | {:.1} | {:.1} | {} |",
            face.title,
            without.turns,
            a_turn(before),
            a_turn(after),
            list.join(", ")
        );
        assert!(2 * after <= before, "{}: {before} exchanges without orders, {after} with", face.id);
    }
    assert_eq!(systems.len(), 5);
}
