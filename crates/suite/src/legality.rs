use std::collections::{BTreeMap, BTreeSet};

use game::board::{Ground, Place};
use game::dice::{Dice, QuickDice};
use game::{Eyes, Fx, Now, Silent, System};

use crate::shelf::battle;
use crate::unoffered::{Essence, leads_back};

/// A word of a form: said as it is, or any piece or any hex in its place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    As(String),
    Piece,
    Hex,
}

/// What can be named in a battle.
struct Names {
    pieces: BTreeSet<String>,
    hexes: BTreeSet<String>,
}

impl Names {
    fn of<S: System>(battle: &S::Battle, state: &S::State) -> Names {
        let pieces = S::view(battle, state, Eyes::All).pieces;
        let hexes = match S::board(battle).ground {
            Ground::Hexes(ground) => ground.hexes.into_iter().map(|face| face.hex).collect(),
            Ground::Table(_) => panic!("offers on a table are a sample"),
        };
        let off_map = |place: Place| if let Place::Hex(hex) = place { Some(hex) } else { None };
        let (slugs, places): (BTreeSet<_>, Vec<_>) = pieces.into_iter().map(|p| (p.slug, p.place)).unzip();
        let mut names = Names { pieces: slugs, hexes };
        names.hexes.extend(places.into_iter().filter_map(off_map));
        names
    }

    /// `march meredith 0910` as `march <piece> <hex>`; none with more than two such places, which are ways hex by hex and
    /// lists of pieces.
    fn form(&self, order: &str) -> Option<Vec<Word>> {
        let word = |word: &str| match word {
            _ if self.pieces.contains(word) => Word::Piece,
            _ if self.hexes.contains(word) => Word::Hex,
            _ => Word::As(word.to_owned()),
        };
        let form: Vec<Word> = order.split(' ').map(word).collect();
        let open = form.iter().filter(|word| !matches!(word, Word::As(_))).count();
        (open <= 2).then_some(form)
    }

    /// Every order of a form.
    fn orders(&self, form: &[Word]) -> Vec<String> {
        let mut orders = vec![String::new()];
        for word in form {
            let said: Vec<&str> = match word {
                Word::As(word) => vec![word],
                Word::Piece => self.pieces.iter().map(String::as_str).collect(),
                Word::Hex => self.hexes.iter().map(String::as_str).collect(),
            };
            let longer = |order: &String| {
                let gap = if order.is_empty() { "" } else { " " };
                said.iter().map(|word| format!("{order}{gap}{word}")).collect::<Vec<_>>()
            };
            orders = orders.iter().flat_map(longer).collect();
        }
        orders
    }
}

/// Proves on a hex map that offers are exactly what the rules allow: at every `every`th decision of random games, every
/// order of every form ever offered is tried with every piece and every hex of the battle in it. Whatever is allowed must
/// be offered, and whatever is offered must be allowed. Gives back how many orders were tried.
///
/// Forms with more than two pieces or hexes (ways hex by hex, divided fire) are left to [`crate::unoffered`].
///
/// # Panics
/// With all that is allowed and not offered, or offered and not allowed: one example for each kind of order.
pub fn offers_are_all<S: System>(id: &str, games: u64, every: u64, essence: Essence) -> usize {
    let battle = battle::<S>(id);
    let mut forms = BTreeSet::<Vec<Word>>::new();
    let mut wrong = BTreeMap::<String, String>::new();
    let mut tried = 0;
    for seed in 0..games {
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = S::muster(&battle);
        S::settle(&battle, &mut state, &mut fx);
        let names = Names::of::<S>(&battle, &state);
        let mut offers = Vec::new();
        for decision in seed.. {
            let Now::Decides(_) = S::now(&battle, &state) else { break };
            offers.clear();
            S::offers(&battle, &state, &mut offers);
            let written: Vec<String> = offers.iter().map(|offer| S::write(&battle, offer)).collect();
            forms.extend(written.iter().filter_map(|order| names.form(order)));
            if decision % every == 0 {
                let mut note = |order: &str, what: &str| {
                    let verb = order.split(' ').next().unwrap_or_default();
                    let kind = S::prompt(&battle, &state).kind;
                    let example = format!("{id}, seed {seed}, decision {}: `{order}`", decision - seed);
                    wrong.entry(format!("{what}: {verb} ({kind})")).or_insert(example);
                };
                for (offer, order) in offers.iter().zip(&written) {
                    if S::check(&battle, &state, offer).is_err() {
                        note(order, "offered and refused");
                    }
                }
                let offered: BTreeSet<Option<String>> = written.iter().map(|order| essence(order)).collect();
                for order in forms.iter().flat_map(|form| names.orders(form)) {
                    tried += 1;
                    let Ok(action) = S::read(&battle, &state, &order) else { continue };
                    if S::check(&battle, &state, &action).is_err() {
                        continue;
                    }
                    let found = essence(&S::write(&battle, &action));
                    if found.is_some()
                        && !offered.contains(&found)
                        && !leads_back::<S>(&battle, &state, &order)
                    {
                        note(&order, "allowed and not offered");
                    }
                }
            }
            let action = offers[fx.dice.below(offers.len() as u32) as usize].clone();
            S::play_unchecked(&battle, &mut state, &action, &mut fx);
        }
    }
    let lines: Vec<String> = wrong.iter().map(|(kind, example)| format!("{kind}; {example}")).collect();
    assert!(lines.is_empty(), "\n{}\n", lines.join("\n"));
    tried
}
