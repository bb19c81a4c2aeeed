//! Twins: two games that look alike to a seat and differ in what is hidden from it. Nothing that the seat can ask for or is
//! told may tell them apart: view, prompt, offers, checks of what is offered and of what is not, the words of a refusal, odds,
//! overlays, log, undo, whether the journal may be read, and when things happen.
//!
//! | concealed | twins |
//! | --- | --- |
//! | sealed tactics cards (American Revolution) | two cards that may be sealed |
//! | stacks under limited intelligence (American Revolution) | two regiments in each other's places; two that may march |
//! | ford markers (Brigade Battles) | two markers in each other's places |
//! | units behind markers (Fields of Honor) | two units in each other's places |
//! | orders (Fields of Honor) | two orders that leaders begin with; two that may be given |
//! | ground that the attacker does not know (Fields of Honor) | a bog here or a bog there |
//!
//! Twins part where dice or a look have openly told them apart. The crates of the systems have tests of their own that look
//! closer (`tests/concealment.rs`); Battle Hymn and This Hallowed Ground conceal nothing.

mod leaky;

use std::sync::Arc;

use catalogue::{NewDice, Scenario, Table};
use game::board::{Ask, Place};
use game::dice::QuickDice;
use game::odds::Horizon;
use game::session::{Throw, Undo};
use game::{BySide, Dice, Eyes, Library, Now, Options, Side, journal};
use leaky::{Leak, Leaky, SECRETS};

/// How many pairs of twins a case must compare to have shown anything.
const ENOUGH: usize = 40;
/// How many decisions twins are followed for.
const FOLLOWED: u64 = 6;
/// How many notations of earlier decisions are tried out of their time.
const TRIED: usize = 8;

fn library(id: &str, options: &[(&str, bool)]) -> Arc<dyn Scenario> {
    let options: Options = options.iter().map(|(name, on)| ((*name).to_owned(), *on)).collect();
    catalogue::open(id, &options).unwrap_or_else(|e| panic!("{e}"))
}

fn shelf(id: &str) -> String {
    catalogue::Shelf.scenario(id).unwrap_or_else(|| panic!("there is no {id}"))
}

fn text(text: &str, options: &[(&str, bool)]) -> Arc<dyn Scenario> {
    let options: Options = options.iter().map(|(name, on)| ((*name).to_owned(), *on)).collect();
    catalogue::open_text("test/twins", text, &options).unwrap_or_else(|e| panic!("{e}"))
}

fn start(scenario: &Arc<dyn Scenario>, seed: u64) -> Box<dyn Table> {
    let mut secret = [0; 32];
    secret[..8].copy_from_slice(&seed.to_le_bytes());
    scenario.start(BySide::from_fn(|_| String::new()), NewDice::Seed(secret), &throw(0)).expect("musters")
}

fn throw(n: u64) -> Throw {
    Throw { salt: n.to_le_bytes().to_vec(), typed: Vec::new() }
}

/// The same game again, at the same point.
fn again(scenario: &Arc<dyn Scenario>, table: &dyn Table) -> Box<dyn Table> {
    let parsed = journal::parse(&table.journal()).expect("a journal");
    let (copy, broken) = scenario.resume(parsed, None).expect("replays");
    assert_eq!(broken, None);
    copy
}

fn decides(table: &dyn Table) -> Option<Side> {
    match table.now() {
        Now::Decides(side) => Some(side),
        Now::Over(_) => None,
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("serialises")
}

/// What a seat is told of a game, each with its name, whoever decides.
fn told(table: &dyn Table, side: Side) -> Vec<(String, String)> {
    let mut all = vec![
        ("turn".to_owned(), format!("{:?} at {}", table.now(), table.moment())),
        ("right to undo".to_owned(), format!("{:?}", table.undo_right(side))),
        (
            "right to the journal".to_owned(),
            format!("{:?}", [table.conceals_from(side), table.took_back_unseen(side)]),
        ),
        ("score".to_owned(), format!("{:?}", table.view(Eyes::Of(side), None).map(|view| view.score))),
    ];
    for eyes in [Eyes::Of(side), Eyes::Bystander] {
        for at in [table.moment(), table.moment().saturating_sub(1)] {
            all.push((format!("view of {eyes:?} at {at}"), json(&table.view(eyes, Some(at)))));
        }
        // What the enemy did is told by the log; the order itself is for the side that gave it.
        let scenes = table.scenes(eyes, 0).into_iter();
        let scenes = scenes.map(|s| (s.moment, s.side, s.act.filter(|_| s.side == Some(side)), s.entries));
        all.push((format!("log of {eyes:?}"), json(&scenes.collect::<Vec<_>>())));
    }
    all
}

/// What a seat is answered about a game when it asks.
fn asked(
    scenario: &Arc<dyn Scenario>,
    table: &dyn Table,
    side: Side,
    tried: &[String],
) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let view = table.view(Eyes::Of(side), None).expect("the present");
    for overlay in scenario.board().overlays {
        for piece in view.pieces.iter().take(12) {
            let place = Some(piece.place.clone()).filter(|place| !matches!(place, Place::Box(_)));
            let ask =
                Ask { overlay: overlay.id.clone(), side: Some(piece.side), place, piece: Some(piece.id) };
            all.push((format!("overlay {ask:?}"), json(&table.overlay(Eyes::Of(side), &ask))));
        }
    }
    let check = |notation: &str| match table.would(side, notation) {
        Ok(offer) => json(&offer),
        Err(refused) => format!("{refused:?}: {refused}"),
    };
    for notation in tried {
        all.push((format!("check of `{notation}`, tried"), check(notation)));
    }
    if decides(table) != Some(side) {
        return all;
    }
    all.push(("prompt".to_owned(), json(&table.prompt())));
    let offers = table.offers();
    all.push(("offers".to_owned(), json(&offers)));
    let weigher = table.weigher(side);
    all.push(("odds of what is sealed".to_owned(), json(&weigher.sealed())));
    for offer in &offers {
        all.push((format!("check of `{}`", offer.action), check(&offer.action)));
    }
    // A few of them weighed and garbled, spread over the list.
    for offer in offers.iter().step_by((offers.len() / 4).max(1)) {
        let odds = weigher.odds(&offer.action, Horizon::Decision).map(|odds| json(&odds));
        all.push((format!("odds of `{}`", offer.action), format!("{odds:?}")));
        let garbled = format!("{} 99", offer.action);
        all.push((format!("check of `{garbled}`, garbled"), check(&garbled)));
    }
    all
}

/// Two games, in the scenarios they are played in.
struct Twins<'a> {
    scenarios: [&'a Arc<dyn Scenario>; 2],
    tables: [Box<dyn Table>; 2],
    /// The seat that must not tell them apart.
    side: Side,
}

impl Twins<'_> {
    fn one(&self) -> &dyn Table {
        self.tables[0].as_ref()
    }

    fn both<T>(&self, of: impl Fn(&dyn Table) -> T) -> [T; 2] {
        [of(self.tables[0].as_ref()), of(self.tables[1].as_ref())]
    }

    fn look_alike(&self) -> bool {
        let [one, two] = self.both(|table| table.seen_digest(Eyes::Of(self.side)));
        one == two
    }

    /// Whether the position itself differs; unknown ground is no part of it.
    fn differ(&self) -> bool {
        let [one, two] = self.both(|table| table.digest());
        one != two
    }

    /// Whether dice fell at the last decision, or something was turned up: that is open to both from then on.
    fn opened(&self, decider: Side) -> bool {
        self.both(|table| table.undo_right(decider) != Undo::Free).contains(&true)
    }

    fn compare(&self, tried: &[String], how: &str) {
        let side = self.side;
        let everything = |i: usize| {
            let table = self.tables[i].as_ref();
            let mut all = told(table, side);
            all.extend(asked(self.scenarios[i], table, side, tried));
            all
        };
        let (a, b) = (everything(0), everything(1));
        for ((name, a), (_, b)) in a.iter().zip(&b) {
            let differ = || format!("\n{}\n{}", apart(a, b), apart(b, a));
            assert!(a == b, "{how}: {side:?} can tell them apart by its {name}:{}", differ());
        }
        assert_eq!(a.len(), b.len(), "{how}");
        if self.differ() {
            assert!(self.one().conceals_from(side), "{how}: {side:?} may read the journal");
        }
    }
}

/// Where a text begins to differ from another.
fn apart(a: &str, b: &str) -> String {
    let at = a.bytes().zip(b.bytes()).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
    let from = (0..=at.saturating_sub(160)).rev().find(|i| a.is_char_boundary(*i)).unwrap_or(0);
    a[from..].chars().take(360).collect()
}

/// Notations that are tried at later decisions, when they may be out of place.
fn remember(tried: &mut Vec<String>, offers: &[String]) {
    tried.extend(offers.iter().step_by(1 + offers.len() / 3).cloned());
    tried.drain(..tried.len().saturating_sub(TRIED));
}

fn notations(table: &dyn Table) -> Vec<String> {
    table.offers().into_iter().map(|offer| offer.action).collect()
}

fn pick<'a>(offers: &'a [String], dice: &mut QuickDice) -> &'a str {
    &offers[dice.below(offers.len() as u32) as usize]
}

/// Where a seat is told that something has just happened: that a stack marched from here to there is open.
fn places(table: &dyn Table, side: Side) -> String {
    let last = table.scenes(Eyes::Of(side), table.moment()).pop();
    format!("{:?}", last.map(|scene| scene.entries.into_iter().map(|entry| entry.places).collect::<Vec<_>>()))
}

/// Random play; wherever two of the decider's choices look alike to its enemy both are played, and followed. Answers how
/// many pairs were compared.
fn by_choice(scenario: &Arc<dyn Scenario>, games: u64, decisions: u64) -> usize {
    let mut compared = 0;
    for seed in 1..=games {
        let mut dice = QuickDice::new(seed);
        let mut table = start(scenario, seed);
        let mut tried = Vec::new();
        for n in 1..=decisions {
            let Some(decider) = decides(table.as_ref()) else { break };
            let offers = notations(table.as_ref());
            let mut played: Vec<(String, Box<dyn Table>)> = Vec::new();
            for _ in 0..offers.len().min(5) {
                let action = pick(&offers, &mut dice).to_owned();
                let mut copy = again(scenario, table.as_ref());
                copy.act(decider, &action, &throw(n)).expect("an offer is legal");
                let look =
                    |table: &dyn Table| (table.seen_digest(Eyes::Of(!decider)), places(table, !decider));
                let twin = played.iter().find(|(_, twin)| {
                    look(twin.as_ref()) == look(copy.as_ref()) && twin.digest() != copy.digest()
                });
                if let Some((other, twin)) = twin {
                    let tables = [again(scenario, copy.as_ref()), again(scenario, twin.as_ref())];
                    let twins = Twins { scenarios: [scenario; 2], tables, side: !decider };
                    let how = format!("seed {seed}, decision {n}, `{action}` or `{other}`");
                    if !twins.opened(decider) {
                        compared += follow(twins, &tried, how, &mut dice);
                    }
                }
                played.push((action, copy));
            }
            remember(&mut tried, &offers);
            table = played.swap_remove(0).1;
        }
    }
    compared
}

/// Plays the same on both for as long as they look alike.
fn follow(mut twins: Twins<'_>, tried: &[String], mut how: String, dice: &mut QuickDice) -> usize {
    let mut compared = 0;
    for n in 1_000..1_000 + FOLLOWED {
        twins.compare(tried, &how);
        compared += 1;
        let Some(decider) = decides(twins.one()) else { break };
        let offers = notations(twins.one());
        let action = pick(&offers, dice).to_owned();
        how = format!("{how}, then `{action}`");
        let results = twins.tables.each_mut().map(|table| table.act(decider, &action, &throw(n)));
        if decider == twins.side {
            assert_eq!(results[0], results[1], "{how}: the same order is taken differently");
        }
        let played = results.iter().all(Result::is_ok);
        if !played || twins.opened(decider) || !twins.differ() || !twins.look_alike() {
            break;
        }
    }
    compared
}

/// Two scenarios that look alike to a seat.
struct Pair<'a> {
    scenarios: [Arc<dyn Scenario>; 2],
    side: Side,
    /// Two pieces in each other's places: what the one does here, the other does there.
    swapped: [&'a str; 2],
    /// Their names, by which the log calls them once they have been looked at.
    names: [&'a str; 2],
    /// Whether what is hidden is part of the position, or of the ground.
    in_position: bool,
}

impl Pair<'_> {
    fn twin_of(&self, action: &str) -> String {
        let [one, two] = self.swapped;
        let swap = |name: &str| match name {
            name if name == one => two.to_owned(),
            name if name == two => one.to_owned(),
            name => name.to_owned(),
        };
        let words = action.split(' ').map(|word| word.split('+').map(swap).collect::<Vec<_>>().join("+"));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Whether the seat has just been shown who one of the two is.
    fn openly_told(&self, twins: &Twins<'_>) -> bool {
        let entries = twins.both(|table| table.scenes(Eyes::Of(self.side), table.moment()).pop());
        let entries = entries.map(|scene| scene.map_or(Vec::new(), |scene| scene.entries));
        let names = |text: &str| self.names.iter().any(|name| !name.is_empty() && text.contains(name));
        entries.iter().flatten().any(|entry| names(&entry.text))
    }

    /// Plays alike games of both until they are openly told apart. Answers how many positions were compared.
    fn play(&self, games: u64, decisions: u64) -> usize {
        let boards = self.scenarios.each_ref().map(|scenario| json(&scenario.board()));
        assert!(boards[0] == boards[1], "by the board: {}", apart(&boards[0], &boards[1]));
        let mut compared = 0;
        for seed in 1..=games {
            let tables = self.scenarios.each_ref().map(|scenario| start(scenario, seed));
            let twins = Twins { scenarios: self.scenarios.each_ref(), tables, side: self.side };
            assert!(twins.look_alike(), "they differ from the first");
            compared += self.follow(twins, seed, decisions);
        }
        compared
    }

    fn follow(&self, mut twins: Twins<'_>, seed: u64, decisions: u64) -> usize {
        let mut dice = QuickDice::new(seed);
        let mut tried = Vec::new();
        let mut last = String::new();
        for n in 1..=decisions {
            if !twins.look_alike() || (self.in_position && !twins.differ()) {
                return n as usize - 1;
            }
            let how = format!("seed {seed}, decision {n}, after `{last}`");
            twins.compare(&tried, &how);
            let Some(decider) = decides(twins.one()) else { return n as usize };
            let offers = notations(twins.one());
            // The hidden side does what it can do in both.
            let tries = (0..12).map(|_| pick(&offers, &mut dice).to_owned());
            let acts = tries.map(|action| {
                [action.clone(), if decider == self.side { action } else { self.twin_of(&action) }]
            });
            let acts = acts
                .into_iter()
                .find(|[_, twin]| decider == self.side || twins.tables[1].would(decider, twin).is_ok());
            let Some(acts) = acts else { return n as usize };
            let mut results = Vec::new();
            for (table, act) in twins.tables.iter_mut().zip(&acts) {
                results.push(table.act(decider, act, &throw(n)));
            }
            assert_eq!(results[0], results[1], "{how}: `{}` is taken differently", acts[0]);
            assert_eq!(results[0], Ok(()), "{how}: `{}` was offered", acts[0]);
            remember(&mut tried, &offers);
            [last, _] = acts;
            if twins.opened(decider) && self.openly_told(&twins) {
                return n as usize;
            }
        }
        decisions as usize
    }
}

fn enough(name: &str, compared: usize) {
    assert!(compared >= ENOUGH, "{name}: only {compared} pairs of twins were found");
}

#[test]
fn tactics_that_lie_face_down() {
    enough("tactics", by_choice(&library("american-revolution/drill", &[]), 24, 60));
}

#[test]
fn marches_under_limited_intelligence() {
    let scenario = library("american-revolution/drill", &[("limited_intelligence", true)]);
    enough("marches", by_choice(&scenario, 60, 40));
}

/// Text with two pieces of it in each other's places.
fn exchanged(text: &str, key: &str, one: &str, two: &str) -> String {
    let line = |value: &str| format!("{key} = {value}\n");
    let text = text.replacen(&line(one), "<one>", 1).replacen(&line(two), "<two>", 1);
    text.replacen("<one>", &line(two), 1).replacen("<two>", &line(one), 1)
}

#[test]
fn stacks_under_limited_intelligence() {
    let drill = shelf("american-revolution/drill");
    // The 2nd and 3rd Continentals; beside them only the 3rd's place has another piece, which stays. And the 2nd and the
    // riflemen, whose zone costs more.
    for (places, swapped, names) in [
        (["\"0704\"", "\"0904\""], ["second", "third"], ["2nd Continentals", "3rd Continentals"]),
        (["\"0704\"", "\"1004\""], ["second", "rifles"], ["2nd Continentals", "Riflemen"]),
    ] {
        let twin = exchanged(&drill, "hex", places[0], places[1]);
        assert_ne!(drill, twin);
        let scenarios = [&drill, &twin].map(|t| text(t, &[("limited_intelligence", true)]));
        let pair = Pair { scenarios, side: Side::First, swapped, names, in_position: true };
        enough("stacks", pair.play(12, 40));
    }
}

/// Two ford markers, of which one says yes.
fn fords(first: &str, second: &str) -> Arc<dyn Scenario> {
    let battle = format!(
        r#"
system = "brigade-battles"
title = "Twins"
options = {{ fords = true, breastworks = true }}
unit = [
  {{ id = "gibbon", side = "usa", sp = 9, division = "meade", at = "0505" }},
  {{ id = "guns", side = "usa", type = "artillery", sp = 6, division = "meade", at = "0406" }},
  {{ id = "hood", side = "csa", sp = 9, division = "hill", at = "0604" }},
  {{ id = "law", side = "csa", sp = 9, division = "hill", at = "0706" }},
]
leader = [
  {{ id = "meade", side = "usa", at = "0505" }},
  {{ id = "hill", side = "csa", at = "0706" }},
]
ford = [{{ side = "0505/0605", face = "{first}" }}, {{ side = "0505/0606", face = "{second}" }}]
turns = {{ count = 2 }}
[map]
cols = 9
rows = 9
sides = {{ river = ["0505/0605", "0505/0606", "0506/0606", "0504/0605"] }}
"#
    );
    text(&battle, &[])
}

#[test]
fn fords_that_nobody_has_searched() {
    for side in Side::BOTH {
        let scenarios = [fords("yes", "no"), fords("no", "yes")];
        let pair = Pair { scenarios, side, swapped: [""; 2], names: [""; 2], in_position: true };
        enough("fords", pair.play(20, 40));
    }
}

/// A table between a side that shows itself and one that may hide; `more` comes before the units.
fn field(options: &str, attacker: &str, more: &str) -> String {
    format!(
        r#"
system = "fields-of-honor"
title = "Twins"
[options]
personalities = false
opportunity = false
{options}
[battle]
scale = "battalion"
year = 1862
table = [60, 44]
turns = 12
attacker = "{attacker}"
[[side]]
id = "a"
edge = "south"
[[side]]
id = "b"
edge = "north"
[[leader]]
id = "general-a"
side = "a"
overall = true
at = [24, 4]
[[leader]]
id = "general-b"
side = "b"
overall = true
at = [48, 41]
{more}
[[unit]]
id = "p"
side = "a"
stands = 4
at = [16, 8]
weapon = "rifled musket"
[[unit]]
id = "s"
side = "a"
stands = 4
at = [30, 8]
weapon = "rifled musket"
[[unit]]
id = "h"
side = "a"
arm = "cavalry"
stands = 4
at = [42, 8]
[[unit]]
id = "q"
side = "b"
stands = 4
at = [50, 38]
facing = 180
weapon = "rifled musket"
"#
    )
}

/// Lancers and militia behind markers.
fn markers(lancers: &str, militia: &str) -> Arc<dyn Scenario> {
    let hidden = format!(
        r#"
[[terrain]]
kind = "heavy woods"
area = [[12, 27], [17, 27], [17, 31], [12, 31]]
[[terrain]]
kind = "light woods"
area = [[34, 31], [44, 31], [44, 37], [34, 37]]
[[unit]]
id = "lancers"
side = "b"
stands = 6
at = {lancers}
facing = 180
arm = "cavalry"
morale = "A"
flags = ["hidden"]
[[unit]]
id = "militia"
side = "b"
stands = 3
at = {militia}
facing = 180
weapon = "rifled musket"
morale = "D"
flags = ["hidden"]
"#
    );
    text(&field("orders = false\nsighting = true", "a", &hidden), &[])
}

#[test]
fn units_behind_markers() {
    let scenarios = [markers("[15, 34]", "[36, 34]"), markers("[36, 34]", "[15, 34]")];
    let pair = Pair {
        scenarios,
        side: Side::First,
        swapped: ["lancers", "militia"],
        names: ["lancers", "militia"],
        in_position: true,
    };
    enough("markers", pair.play(40, 24));
}

#[test]
fn orders_that_may_be_given() {
    enough("orders given", by_choice(&library("fields-of-honor/drill-ground", &[("orders", true)]), 10, 24));
}

/// The drill ground with these orders and markers for Blue's general and brigadier.
fn orders(general: (&str, &str), brigadier: (&str, &str)) -> Arc<dyn Scenario> {
    let mut drill = shelf("fields-of-honor/drill-ground");
    for (who, (order, marker)) in [("general-blue", general), ("brigadier-blue", brigadier)] {
        let (before, man) = drill.split_once(&format!("id = \"{who}\"")).expect("a leader");
        let man = man.replacen("order = \"move\"", &format!("order = \"{order}\""), 1);
        let man = man.replacen("marker = [24, 22]", &format!("marker = {marker}"), 1);
        drill = format!("{before}id = \"{who}\"{man}");
    }
    text(&drill, &[("orders", true)])
}

#[test]
fn orders_to_begin_with() {
    let ahead = ("move", "[24, 22]");
    let stay = orders(("defend", "[29, 32]"), ("defend", "[24, 30.5]"));
    // Aside; and where both defend where they stand, as whoever knows nothing may suppose.
    for scenarios in [
        [orders(ahead, ahead), orders(ahead, ("move", "[14, 26]"))],
        [stay, orders(ahead, ("attack", "[24, 22]"))],
    ] {
        let pair = Pair { scenarios, side: Side::First, swapped: [""; 2], names: [""; 2], in_position: true };
        enough("orders", pair.play(40, 24));
    }
}

/// A bog that the attacker does not know.
fn bog(x: i32, y: i32) -> Arc<dyn Scenario> {
    let (right, top) = (x + 6, y + 4);
    let ground = format!(
        "[[terrain]]\nkind = \"boggy ground\"\nunseen = true\narea = [[{x}, {y}], [{right}, {y}], [{right}, {top}], [{x}, {top}]]\n"
    );
    text(&field("orders = false\nhidden_terrain = true", "a", &ground), &[])
}

#[test]
fn ground_that_the_attacker_does_not_know() {
    // One before the left unit, one before the right, each within reach of a march.
    let scenarios = [bog(14, 15), bog(28, 15)];
    let pair = Pair { scenarios, side: Side::First, swapped: [""; 2], names: [""; 2], in_position: false };
    enough("unknown ground", pair.play(40, 24));
}

/// Whatever gives the truth away on purpose, the comparison notices, for each kind of concealment.
#[test]
fn a_leak_would_be_noticed() {
    let drill = shelf("american-revolution/drill");
    let moved = exchanged(&drill, "hex", "\"0704\"", "\"0904\"");
    let cases: [(&str, [Arc<dyn Scenario>; 2]); 5] = [
        ("stacks", [drill, moved].map(|t| text(&t, &[("limited_intelligence", true)]))),
        ("fords", [fords("yes", "no"), fords("no", "yes")]),
        ("markers", [markers("[15, 34]", "[36, 34]"), markers("[36, 34]", "[15, 34]")]),
        (
            "orders",
            [
                orders(("move", "[24, 22]"), ("move", "[24, 22]")),
                orders(("move", "[24, 22]"), ("move", "[14, 26]")),
            ],
        ),
        ("ground", [bog(14, 15), bog(28, 15)]),
    ];
    for (name, scenarios) in &cases {
        for leak in Leak::ALL {
            let mut tables = scenarios.each_ref().map(|scenario| start(scenario, 1));
            for n in 1..30 {
                let Some(side) = decides(tables[0].as_ref()).filter(|side| *side != Side::First) else {
                    break;
                };
                let action = notations(tables[0].as_ref()).swap_remove(0);
                for table in &mut tables {
                    table.act(side, &action, &throw(n)).expect("it is offered in both");
                }
            }
            assert_eq!(decides(tables[0].as_ref()), Some(Side::First), "{name}");
            let [one, two] = tables;
            let [here, there] = SECRETS;
            let tables: [Box<dyn Table>; 2] = [
                Box::new(Leaky { table: one, leak, secret: here }),
                Box::new(Leaky { table: two, leak, secret: there }),
            ];
            let twins = Twins { scenarios: scenarios.each_ref(), tables, side: Side::First };
            let compared =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| twins.compare(&[], "leaky")));
            // Where the position is the same in both, the ground alone differs, and the journal tells nothing of it.
            assert!(compared.is_err(), "{name}: nobody noticed what {leak:?} gave away");
        }
    }
}

/// Where nothing is hidden a seat sees the position itself: then there are no twins to be told apart.
#[test]
fn the_other_systems_hide_nothing() {
    for id in ["battle-hymn/drill", "brigade-battles/drill", "hallowed-ground/drill"] {
        let scenario = library(id, &[]);
        let mut table = start(&scenario, 7);
        let mut dice = QuickDice::new(7);
        for n in 1..=60 {
            let Some(side) = decides(table.as_ref()) else { break };
            for eyes in [Eyes::Of(Side::First), Eyes::Of(Side::Second), Eyes::Bystander] {
                assert_eq!(table.seen_digest(eyes), table.digest(), "{id}");
            }
            let offers = notations(table.as_ref());
            table.act(side, pick(&offers, &mut dice), &throw(n)).expect("an offer is legal");
        }
    }
}

/// What is offered from what a side knows is what the rules allow.
#[test]
fn offers_from_what_is_known_are_legal() {
    for (id, options) in [
        ("american-revolution/drill", &[("limited_intelligence", true)][..]),
        ("fields-of-honor/drill-ground", &[("orders", true)][..]),
    ] {
        let scenario = library(id, options);
        for seed in 1..=4 {
            let mut table = start(&scenario, seed);
            let mut dice = QuickDice::new(seed);
            for n in 1..=60 {
                let Some(side) = decides(table.as_ref()) else { break };
                let offers = notations(table.as_ref());
                assert!(!offers.is_empty(), "{id}: nothing to decide");
                let action = pick(&offers, &mut dice);
                let played = table.act(side, action, &throw(n));
                assert_eq!(played, Ok(()), "{id}, seed {seed}, decision {n}: `{action}`");
            }
        }
    }
}
