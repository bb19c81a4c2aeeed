//! Ford markers lie face down: two battles that differ only in which marker says YES look alike to both sides, in
//! everything that is offered, refused, weighed, drawn and said, until a marker is turned up.

use brigade_battles::state::{Face, Ford};
use brigade_battles::{Action, Battle, BrigadeBattles, State};
use game::board::Ask;
use game::dice::{Dice, QuickDice};
use game::odds::{self, Budget, Horizon};
use game::{Display, Eyes, Files, Fx, Judgement, Notation, Now, Options, Rules, Side, Silent};
use suite::Shelf;

fn twin(first: &str, second: &str) -> Battle {
    let source = format!(
        r#"
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
    BrigadeBattles::compile(&source, &Shelf, &Options::new()).expect("a sound scenario")
}

/// Everything that the eyes of a side get to see of a position, as one text.
fn told(battle: &Battle, state: &State, side: Side) -> String {
    let seen = BrigadeBattles::seen(battle, state, Eyes::Of(side));
    let json = |value: &dyn Json| value.text();
    let mut out = vec![json(&BrigadeBattles::view(battle, &seen, Eyes::Of(side)))];
    out.push(json(&BrigadeBattles::board(battle)));
    for name in ["zones", "command", "reach", "sight"] {
        for piece in 0..6 {
            let ask = Ask {
                overlay: name.into(),
                piece: Some(game::PieceId(piece)),
                place: Some(game::Place::Hex("0505".into())),
                side: None,
            };
            out.push(json(&BrigadeBattles::overlay(battle, &seen, &ask)));
        }
    }
    out.push(BrigadeBattles::worth(battle, &seen, side).to_string());
    if BrigadeBattles::now(battle, &seen) != Now::Decides(side) {
        return out.join("\n");
    }
    out.push(json(&BrigadeBattles::prompt(battle, &seen)));
    let mut offers = Vec::new();
    BrigadeBattles::offers(battle, &seen, &mut offers);
    let mut real = Vec::new();
    BrigadeBattles::offers(battle, state, &mut real);
    assert_eq!(offers, real, "what is offered is what the side knows");
    out.push(json(&BrigadeBattles::offer_all(battle, &seen, &offers)));
    for action in offers.iter().take(40) {
        let report =
            odds::report::<BrigadeBattles>(battle, &seen, action, Horizon::Decision, Budget::default());
        out.push(json(&report));
    }
    // Marches over the water, and searches, that may or may not be allowed.
    for act in ["march gibbon 0605", "march gibbon 0606", "march law 0505", "march hood 0505"] {
        let action = BrigadeBattles::read(battle, &seen, act).expect("an action");
        out.push(format!("{:?}", BrigadeBattles::check(battle, state, &action).map_err(|r| (r.why, r.rule))));
    }
    out.join("\n")
}

/// Whatever can be written as JSON.
trait Json {
    fn text(&self) -> String;
}

impl<T: serde::Serialize> Json for T {
    fn text(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }
}

#[test]
fn twins_look_alike_until_a_marker_is_turned_up() {
    let twins = [twin("yes", "no"), twin("no", "yes")];
    let [mut compared, mut searched] = [0; 2];
    for seed in 0..12 {
        let mut mind = QuickDice::new(!seed);
        let mut fx = [0, 1].map(|_| Fx { dice: QuickDice::new(seed), log: Silent });
        let mut states = [0, 1].map(|i| BrigadeBattles::muster(&twins[i]));
        for i in 0..2 {
            BrigadeBattles::settle(&twins[i], &mut states[i], &mut fx[i]);
        }
        while let Now::Decides(_) = BrigadeBattles::now(&twins[0], &states[0]) {
            assert_eq!(states[0].fords[0], Ford::Unsearched(Face::Yes));
            for side in Side::BOTH {
                assert_eq!(
                    told(&twins[0], &states[0], side),
                    told(&twins[1], &states[1], side),
                    "seed {seed}"
                );
                compared += 1;
            }
            let mut offers = Vec::new();
            BrigadeBattles::offers(&twins[0], &states[0], &mut offers);
            let action = offers[mind.below(offers.len() as u32) as usize];
            for i in 0..2 {
                BrigadeBattles::play_unchecked(&twins[i], &mut states[i], &action, &mut fx[i]);
            }
            if matches!(action, Action::Search { .. }) {
                let search = |i: usize| states[i].fords.clone();
                assert_ne!(search(0), search(1), "the marker is turned up for all to see");
                searched += 1;
                break;
            }
        }
    }
    assert!(compared > 100 && searched > 3, "{compared} positions, {searched} searches");
}

#[test]
fn a_search_is_weighed_by_what_is_known() {
    let battle = twin("yes", "no");
    let mut state = BrigadeBattles::muster(&battle);
    let mut fx = Fx { dice: QuickDice::new(1), log: Silent };
    BrigadeBattles::settle(&battle, &mut state, &mut fx);
    let seen = BrigadeBattles::seen_by(&battle, &state, Side::First);
    assert!(seen.fords.iter().all(|ford| *ford == Ford::Unsearched(Face::Hidden)));
    assert_eq!(BrigadeBattles::seen_by(&battle, &seen, Side::Second), seen);
}

#[test]
fn turning_a_marker_up_cannot_be_taken_back_freely() {
    let battle = twin("yes", "no");
    let mut state = BrigadeBattles::muster(&battle);
    let mut fx = Fx { dice: QuickDice::new(1), log: game::log::Chronicle::default() };
    BrigadeBattles::settle(&battle, &mut state, &mut fx);
    assert!(!fx.log.revealed);
    let search = BrigadeBattles::read(&battle, &state, "search gibbon 0505/0605").expect("an action");
    BrigadeBattles::play(&battle, &mut state, &search, &mut fx).expect("legal");
    assert!(fx.log.revealed);
    let told = |fx: &Fx<QuickDice, game::log::Chronicle>| {
        fx.log
            .entries
            .iter()
            .rev()
            .find(|e| e.text.contains("find"))
            .map(|e| (e.text.clone(), e.rules[0].id()))
    };
    assert_eq!(told(&fx), Some(("Gibbon finds a ford at 0505/0605.".to_owned(), "6.1.3.c")));
    let search = BrigadeBattles::read(&battle, &state, "search gibbon 0505/0606").expect("an action");
    BrigadeBattles::play(&battle, &mut state, &search, &mut fx).expect("legal");
    assert_eq!(told(&fx), Some(("Gibbon finds no ford at 0505/0606.".to_owned(), "6.1.3.d")));
}
