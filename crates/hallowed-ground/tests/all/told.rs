//! What players are told: the log sentence by sentence with its rules, the notes of an offer, the fight at hand.

use game::dice::ScriptedDice;
use game::{Chronicle, Display, Eyes, Files, Fx, Notation, Now, Rules};
use hallowed_ground::{Action, Battle, CommanderId, HallowedGround, Order, State, UnitId};

fn drill() -> Battle {
    suite::battle::<HallowedGround>("hallowed-ground/drill")
}

fn position(battle: &Battle, text: &str) -> State {
    HallowedGround::position(battle, text).unwrap_or_else(|f| panic!("{}", f.report("here", text)))
}

/// The position after an action, at the next decision.
fn after(battle: &Battle, text: &str, play: &str, faces: &[u8]) -> State {
    let mut state = position(battle, text);
    let mut fx = Fx { dice: ScriptedDice::new(faces.to_vec()), log: game::Silent };
    if !play.is_empty() {
        let action = HallowedGround::read(battle, &state, play).expect("an action");
        HallowedGround::check(battle, &state, &action).expect("allowed");
        HallowedGround::answer(battle, &mut state, &action, &mut fx);
    }
    while HallowedGround::step(battle, &mut state, &mut fx) {}
    state
}

/// Plays an action and tells the sentences that are no rolls, each with its rules.
fn told(text: &str, play: &str, faces: &[u8]) -> Vec<String> {
    let battle = drill();
    told_from(&battle, position(&battle, text), play, faces)
}

fn told_from(battle: &Battle, mut state: State, play: &str, faces: &[u8]) -> Vec<String> {
    let mut fx = Fx { dice: ScriptedDice::new(faces.to_vec()), log: Chronicle::default() };
    if !play.is_empty() {
        // As in a game: the phase has begun before anybody decides in it.
        HallowedGround::step(battle, &mut state, &mut fx);
        fx.log.entries.clear();
        let action = HallowedGround::read(battle, &state, play).expect("an action");
        HallowedGround::check(battle, &state, &action).expect("allowed");
        HallowedGround::answer(battle, &mut state, &action, &mut fx);
    }
    while matches!(HallowedGround::now(battle, &state), Now::Decides(_)) {
        if !HallowedGround::step(battle, &mut state, &mut fx) {
            break;
        }
    }
    let entries = fx.log.entries.iter().filter(|e| e.roll.is_none());
    let line = |e: &game::Entry| {
        let rules: Vec<String> = e.rules.iter().map(ToString::to_string).collect();
        format!("{} {}", e.text, rules.join(" "))
    };
    entries.map(line).collect()
}

const FAR: &str = "commander.ames = { at = [150, 2] }\ncommander.grant = { at = [150, 6] }\ncommander.xavier = { at = [150, 118] }\ncommander.lee = { at = [150, 114] }\n";

#[test]
fn who_goes_second_has_its_points() {
    let battle = suite::battle::<HallowedGround>("hallowed-ground/crossroads");
    let mut state = HallowedGround::muster(&battle);
    let mut fx = Fx { dice: ScriptedDice::new(vec![6, 1]), log: game::Silent };
    assert!(HallowedGround::step(&battle, &mut state, &mut fx), "they roll for it");
    let said = |play: &str| told_from(&battle, state.clone(), play, &[]).swap_remove(0);
    assert_eq!(said("go first"), "Blue goes first; Gray has 5 points for going second. 4.2.a");
    assert_eq!(said("go second"), "Gray goes first; Blue has 5 points for going second. 4.2.a");
}

#[test]
fn a_shot_and_what_follows() {
    let text = format!(
        "{FAR}side = \"csa\"\nphase = \"shooting\"\nunit.a1 = {{ at = [20, 20], hits = 16 }}\nunit.x1 = {{ at = [20, 30] }}"
    );
    let said = told(&text, "shoot x1 at a1", &[3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(
        said[..4],
        [
            "2 hits on A1 by X1, saves taken off. 8.7.a",
            "A1 takes 2 hits, 18 in all. 8.6.c 11.a",
            "A1 breaks: the test comes to 20; 18 shakes it, 20 breaks it. 11.2.l",
            "A1 is Broken. 11.2.l",
        ]
    );
    let said = told(&text, "shoot x1 at a1", &[3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(
        said[..4],
        [
            "1 hit on A1 by X1, saves taken off. 8.7.a",
            "A1 takes 1 hit, 17 in all. 8.6.c",
            "A1 must retire, Shaken: the test comes to 18; 18 shakes it, 20 breaks it. 11.2.m",
            "A1 retires. 5.5.q",
        ]
    );
    let said =
        told(&text.replace("hits = 16", "hits = 19"), "shoot x1 at a1", &[3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(said[1..3], ["A1 takes 1 hit, 20 in all. 8.6.c 11.c", "A1 is Broken. 11.c"]);
}

#[test]
fn orders_and_rallies() {
    let text = "phase = \"orders a\"\nunit.a1 = { at = [20, 20], hits = 5 }\nunit.a2 = { at = [60, 20] }\ncommander.ames = { at = [20, 10] }\ncommander.grant = { at = [150, 6] }";
    assert_eq!(
        told(text, "advance a1 forward 4", &[2, 3]),
        ["A1 obeys: 7 beats 5 hits. 5.6.b", "A1 moves. 5.5.a"]
    );
    assert_eq!(told(text, "advance a1 forward 4", &[1, 2]), ["A1 does not obey: 5 against 5 hits. 5.6.b"]);
    assert_eq!(told(text, "advance a1 forward 4", &[1, 1]), ["A1 blunders. 5.6.d"]);
    assert_eq!(told(text, "rally a1", &[6, 6, 3])[1..], ["A1 rallies: 3 hits left, Steady. 5.4.i"]);
    assert_eq!(told(text, "reform a2 line 0", &[]), ["A2 stays. 5.5.a"]);
    let edge = text.replace("[60, 20]", "[60, 4]").replace("unit.a2 = { ", "unit.a2 = { facing = 180, ");
    assert_eq!(told(&edge, "advance a2 forward 8 exit", &[])[1..], ["A2 leaves the table. 5.5.ag"]);
    let shaken = edge.replace("facing = 180, ", "facing = 180, shaken = true, ");
    assert_eq!(told(&shaken, "advance a2 forward 8 exit", &[])[1..], ["A2 leaves the table. 5.5.ah"]);
}

#[test]
fn a_charge_in_its_bands() {
    let text = "phase = \"charges\"\nunit.a1 = { at = [20, 24] }\nunit.x1 = { at = [20, 32] }\ncommander.ames = { at = [20, 18] }\ncommander.grant = { at = [150, 6] }";
    for (faces, line) in [
        ([1, 1], "A1: the charge home test comes to 2, Yellow Bellied. 7.3.h"),
        ([3, 3], "A1: the charge home test comes to 6, Forward Men. 7.3.i"),
        ([4, 4], "A1: the charge home test comes to 8, Charge. 7.3.k"),
        ([5, 6], "A1: the charge home test comes to 11, Determined Charge. 7.3.l"),
    ] {
        let said = told(text, "charge a1 at x1", &faces);
        assert_eq!(said[..2], ["A1 charges X1. 7.a", line]);
    }
    assert_eq!(told(text, "charge a1 at x1", &[4, 4])[2], "A1 moves. 7.4.g");
}

#[test]
fn a_melee_and_its_end() {
    let text = format!(
        "{FAR}side = \"csa\"\nphase = \"melee\"\nunit.a1 = {{ at = [130, 30.2], facing = 180 }}\nunit.x1 = {{ at = [130, 30.2], facing = 0 }}\ncontact = [{{ a = \"x1\", b = \"a1\" }}]"
    );
    let said = told(&text, "", &[4, 4, 1, 1, 3, 1, 1, 1, 1, 1]);
    assert_eq!(
        said[..6],
        [
            "Confederates: Melee phase 4.2.d",
            "Melee: A1, X1. 9.a",
            "The Confederates win the round, 2 hits to 1. 9.3.a",
            "A1 takes 2 hits, 2 in all. 8.6.c",
            "X1 takes 1 hit, 1 in all. 8.6.c",
            "A1 stands: the test comes to 3; 18 shakes it, 20 breaks it. 11.2.n",
        ]
    );
    assert!(said.contains(&"The losers are pushed back from the obstacle. 9.5.h".to_owned()), "{said:#?}");
    let said = told(&text, "", &[1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(said[2], "The round is drawn at 0 hits each. 9.3.c");
}

#[test]
fn the_clock_and_the_brigades() {
    let text = format!(
        "{FAR}turn = 2\nside = \"csa\"\nfirst = \"usa\"\nphase = \"end\"\nunit.a1 = {{ at = [20, 20] }}\nunit.x1 = {{ at = [20, 60] }}"
    );
    assert_eq!(told(&text, "", &[])[..2], ["Turn 3 4.2.c", "Union: Command phase 5.a"]);
    let last = text.replace("turn = 2", "turn = 10");
    assert_eq!(told(&last, "", &[]), ["A draw, 0 to 0 points. 10.2.f"]);
    let broken = format!(
        "{FAR}side = \"csa\"\nphase = \"shooting\"\nunit.a1 = {{ place = \"broken\" }}\nunit.a2 = {{ place = \"broken\" }}\nunit.a3 = {{ at = [20, 20], hits = 19 }}\nunit.a4 = {{ at = [60, 20], shaken = true }}\nunit.x1 = {{ at = [20, 30] }}"
    );
    let said = told(&broken, "shoot x1 at a3", &[3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(said[2..5], ["A3 is Broken. 11.c", "A's brigade is Broken. 11.3.a", "A4 is Broken. 11.3.b"]);
}

#[test]
fn commanders_come_and_go() {
    let text = "phase = \"attach\"\nunit.a1 = { at = [20, 20] }\nunit.x1 = { at = [20, 60] }\ncommander.ames = { at = [20, 10] }\ncommander.grant = { attached = \"a1\" }";
    assert_eq!(told(text, "attach ames a1", &[])[0], "Ames joins A1. 5.1.b");
    assert_eq!(told(text, "detach grant 20 15.85", &[])[0], "Grant leaves his unit. 5.1.d");
    let ride = text.replace("\"attach\"", "\"ride a\"");
    assert_eq!(told(&ride, "ride ames 24 10", &[])[0], "Ames rides. 2.6.n");
}

/// What an offer says about itself.
fn notes(text: &str, play: &str) -> Vec<String> {
    let battle = drill();
    let state = position(&battle, text);
    let action = HallowedGround::read(&battle, &state, play).expect("an action");
    HallowedGround::offer(&battle, &state, &action).notes.into_iter().map(|n| n.text).collect()
}

#[test]
fn an_offer_of_a_charge_says_what_it_meets() {
    let text = |x: &str, y: f64| {
        format!("{FAR}phase = \"charges\"\nunit.a1 = {{ at = [20, {y}] }}\nunit.b1 = {{ at = [60, {y}] }}\nunit.x1 = {{ at = [20, 32]{x} }}\nunit.y1 = {{ at = [60, 32] }}\ncommander.ames = {{ at = [14, 20] }}\ncommander.burns = {{ at = [60, 8] }}\n")
            .replace("commander.ames = { at = [150, 2] }\n", "")
    };
    assert_eq!(
        notes(&text("", 20.0), "charge a1 at x1"),
        [
            "A1: 12 in, strikes the front",
            "Charge home, two dice 0: 3 or more go forward in 35 of 36, 7 or more charge in 21, 11 or more are determined in 3",
            "X1 fires 10 dice at point blank",
        ]
    );
    assert_eq!(notes(&text(", shaken = true", 20.0), "charge a1 at x1")[2], "X1 fires 5 dice at point blank");
    assert_eq!(notes(&text("", 24.0), "charge a1 at x1")[2], "surprise from 8 in or less: no defensive fire");
    assert_eq!(notes(&text("", 20.0), "charge b1 at y1")[2], "Y1 may countercharge");
    let guns = format!(
        "{FAR}phase = \"charges\"\nunit.a1 = {{ at = [20, 20] }}\nunit.xg = {{ at = [20, 32], formation = \"limbered\" }}"
    );
    assert_eq!(notes(&guns, "charge a1 at xg")[2], "XG is limbered and cannot fire");
    let rough =
        format!("{FAR}phase = \"charges\"\nunit.a1 = {{ at = [130, 20] }}\nunit.x1 = {{ at = [130, 32] }}");
    assert_eq!(
        notes(&rough, "charge a1 at x1")[0],
        "A1: 12 in, strikes the front, through difficult terrain"
    );
}

#[test]
fn an_offer_of_a_shot_says_its_dice() {
    let text = format!(
        "{FAR}phase = \"shooting\"\nunit.a1 = {{ at = [130, 20] }}\nunit.x1 = {{ at = [130, 30.4] }}"
    );
    assert_eq!(notes(&text, "shoot a1 at x1"), ["10 dice, 5+ hits, cover saves on 5+"]);
}

#[test]
fn the_fight_at_hand_is_shown() {
    let battle = drill();
    let shooting = position(
        &battle,
        &format!(
            "{FAR}phase = \"shooting\"\nunit.a1 = {{ at = [20, 20] }}\nunit.x1 = {{ at = [20, 30] }}\nunit.x2 = {{ at = [60, 90] }}"
        ),
    );
    let combat = HallowedGround::view(&battle, &shooting, Eyes::All).combat.expect("shots");
    assert_eq!((combat.title.as_str(), combat.fires.len(), combat.pieces.len()), ("Shooting", 1, 2));
    assert_eq!(combat.fires[0].dice, 10);
    let quiet = position(&battle, &format!("{FAR}phase = \"general\"\nunit.a1 = {{ at = [20, 20] }}"));
    assert!(HallowedGround::view(&battle, &quiet, Eyes::All).combat.is_none());
}

#[test]
fn pieces_that_do_not_exist_are_refused() {
    let battle = drill();
    let state = position(&battle, "phase = \"orders a\"\nunit.a1 = { at = [20, 20] }");
    let (unit, officer) = (UnitId(battle.units.len() as u8), CommanderId(battle.officers.len() as u8));
    let spot = table::Spot::new(0, 0);
    for action in [
        Action::Order { unit, order: Order::Hold },
        Action::Pick { unit },
        Action::Shoot { unit, target: UnitId(0) },
        Action::Shoot { unit: UnitId(0), target: unit },
        Action::Attach { commander: officer, unit: UnitId(0) },
        Action::Attach { commander: CommanderId(0), unit },
        Action::Ride { commander: officer, to: spot },
        Action::Detach { commander: officer, to: spot },
        Action::Charge { target: unit, by: [UnitId(0)].into_iter().collect() },
        Action::Charge { target: UnitId(0), by: [unit].into_iter().collect() },
        Action::BreakThrough { by: [unit].into_iter().collect() },
        Action::Activate { brigade: hallowed_ground::BrigadeId(battle.brigades.len() as u8) },
    ] {
        assert!(HallowedGround::check(&battle, &state, &action).is_err(), "{action:?}");
    }
}

#[test]
fn a_charge_and_a_melee_at_hand_are_shown() {
    let battle = drill();
    let shown = |state: &State| HallowedGround::view(&battle, state, Eyes::All).combat.expect("a fight");
    let horse = format!(
        "{FAR}phase = \"charges\"\nunit.b1 = {{ at = [20, 10] }}\nunit.y1 = {{ at = [20, 30] }}\ncommander.burns = {{ at = [20, 4] }}"
    );
    let charge = shown(&after(&battle, &horse, "charge b1 at y1", &[4, 4]));
    assert_eq!((charge.title.as_str(), charge.pieces.len(), charge.fires.len()), ("Charge at Y1", 2, 1));
    assert_eq!((charge.fires[0].dice, charge.fires[0].test), (2, None));
    let group = format!(
        "{FAR}side = \"csa\"\nphase = \"charges\"\nunit.a1 = {{ at = [20, 34], facing = 180, moved = true, shaken = true }}\nunit.x1 = {{ at = [15, 20], facing = 0 }}\nunit.x2 = {{ at = [24, 19], facing = 0, formation = \"march_column\" }}\ncommander.xavier = {{ at = [20, 10] }}"
    )
    .replace("commander.xavier = { at = [150, 118] }\n", "");
    let volley = shown(&after(&battle, &group, "charge x1 x2 at a1", &[5, 5]));
    assert_eq!(volley.fires.iter().map(|f| f.dice).collect::<Vec<_>>(), [5, 5]);
    assert_eq!(volley.pieces.len(), 3);
    let melee = format!(
        "{FAR}side = \"usa\"\nphase = \"melee\"\nunit.a1 = {{ at = [20, 32], facing = 180 }}\nunit.x1 = {{ at = [20, 32], facing = 0 }}\nunit.x2 = {{ at = [24.429, 32.787], facing = 270, formation = \"march_column\" }}\ncontact = [{{ a = \"x1\", b = \"a1\" }}, {{ a = \"x2\", b = \"a1\" }}]"
    );
    let round = shown(&after(&battle, &melee, "", &[]));
    assert_eq!((round.title.as_str(), round.pieces.len()), ("Melee", 3));
    assert_eq!(round.fires.iter().map(|f| f.dice).collect::<Vec<_>>(), [1, 1, 4, 1]);
}

/// The bases of a block lie in ranks that fill its outline, the first along the front edge.
#[test]
fn bases_fill_the_block_they_are_drawn_in() {
    let battle = drill();
    let mut state = HallowedGround::muster(&battle);
    for round in 0..3 {
        for u in battle.all_units() {
            let formations = battle.unit(u).arm.formations();
            state.unit_mut(u).formation = formations[round % formations.len()];
        }
        let view = HallowedGround::view(&battle, &state, Eyes::All);
        for (piece, u) in view.pieces.iter().zip(battle.all_units()) {
            let block = piece.footprint.as_ref().expect("a block of bases");
            let least = |part: fn(&[i32; 4]) -> i32| block.bases.iter().map(part).min().expect("a base");
            let edges =
                [least(|b| -b[1]), least(|b| b[1] - b[3]), least(|b| b[0]), least(|b| -(b[0] + b[2]))];
            let want = [0, -block.depth, -block.width / 2, -block.width / 2];
            let off = edges.iter().zip(want).map(|(a, b)| (a - b).abs()).max();
            assert!(off <= Some(2), "{:?}: {edges:?}, not {want:?}", state.unit(u).formation);
        }
    }
}
