//! What one side must not know shows nowhere: not in its view, not in its offers, not in its share of the log.

use fields_of_honor::FieldsOfHonor;
use fields_of_honor::setup::battle::Battle;
use fields_of_honor::state::State;
use game::board::{Board, Ground};
use game::dice::QuickDice;
use game::{Chronicle, Display, Eyes, Files, Fx, Library, Notation, Options, Rules, Side};

const HEAD: &str = r#"
system = "fields-of-honor"
title = "A case"
[options]
orders = false
personalities = false
opportunity = false
sighting = true
[battle]
scale = "battalion"
year = 1862
table = [60, 40]
turns = 12
attacker = "a"
[[side]]
id = "a"
edge = "south"
[[side]]
id = "b"
edge = "north"
[[unit]]
id = "p"
side = "a"
stands = 4
at = [28, 10]
weapon = "rifled musket"
"#;

/// Two hidden units of very different kinds, in these places.
fn hidden_pair(horse: &str, guns: &str) -> String {
    format!(
        r#"
[[unit]]
id = "lancers"
side = "b"
stands = 6
at = {horse}
facing = 180
arm = "cavalry"
morale = "A"
flags = ["hidden"]
[[unit]]
id = "militia"
side = "b"
stands = 3
at = {guns}
facing = 150
weapon = "rifled musket"
morale = "D"
flags = ["hidden"]
[[unit]]
id = "q"
side = "b"
stands = 2
at = [55, 38]
facing = 180
"#
    )
}

fn open(source: &str, position: &str) -> (Battle, State) {
    let source = format!("{source}\n[position]\n{position}\n");
    let battle = FieldsOfHonor::compile(&source, &suite::Shelf, &Options::default()).expect("a battle");
    let state = FieldsOfHonor::position(&battle, &source).expect("a position");
    (battle, state)
}

/// Everything that side `a` is shown of a position, and of what led to it.
fn shown(battle: &Battle, state: &State, fx: &Fx<QuickDice, Chronicle>) -> String {
    let seen = FieldsOfHonor::seen_by(battle, state, Side::First);
    let view = FieldsOfHonor::view(battle, &seen, Eyes::Of(Side::First));
    let public = FieldsOfHonor::seen(battle, state, Eyes::Bystander);
    let public = FieldsOfHonor::view(battle, &public, Eyes::Bystander);
    let mut actions = Vec::new();
    if game::Now::Decides(Side::First) == FieldsOfHonor::now(battle, state) {
        FieldsOfHonor::offers(battle, state, &mut actions);
    }
    let offers: Vec<_> = actions.iter().map(|a| FieldsOfHonor::offer(battle, state, a)).collect();
    let log: Vec<_> = fx.log.entries.iter().filter(|e| e.only.is_none_or(|s| s == Side::First)).collect();
    format!("{seen:?}\n{view:?}\n{public:?}\n{offers:?}\n{log:?}")
}

fn recorder() -> Fx<QuickDice, Chronicle> {
    Fx { dice: QuickDice::new(7), log: Chronicle::default() }
}

#[test]
fn a_marker_does_not_tell_who_stands_there() {
    suite::proves!("fields-of-honor", "sighting.a");
    let sides = [("[15, 30]", "[40, 30]"), ("[40, 30]", "[15, 30]")];
    let seen = sides.map(|(horse, foot)| {
        let source = HEAD.to_owned() + &hidden_pair(horse, foot);
        let (battle, mut state) = open(&source, "phase = \"reaction\"");
        let mut fx = recorder();
        FieldsOfHonor::settle(&battle, &mut state, &mut fx);
        assert_eq!(FieldsOfHonor::now(&battle, &state), game::Now::Decides(Side::First));
        shown(&battle, &state, &fx)
    });
    assert!(seen[0].contains("spot p at 15 30") && seen[0].contains("spot p at 40 30"));
    assert!(!seen[0].contains("lancers") && !seen[0].contains("militia"));
    assert_eq!(seen[0], seen[1], "the two units can be told apart");
}

#[test]
fn a_failed_look_and_a_move_in_hiding_tell_nothing_either() {
    suite::proves!("fields-of-honor", "sighting.a", "move.hiding.a");
    let wood = "[[terrain]]\nkind = \"heavy woods\"\narea = [[0, 14], [60, 14], [60, 26], [0, 26]]\n";
    let sides = [("[15, 32]", "[40, 32]", "lancers"), ("[40, 32]", "[15, 32]", "militia")];
    let seen = sides.map(|(horse, foot, left)| {
        let source = HEAD.to_owned() + wood + &hidden_pair(horse, foot);
        let (battle, mut state) = open(&source, "phase = \"movement\"\nunit.p = { marks = [\"done\"] }");
        let mut fx = recorder();
        FieldsOfHonor::settle(&battle, &mut state, &mut fx);
        let action = FieldsOfHonor::read(&battle, &state, &format!("move {left} ahead 1.5")).expect("a move");
        FieldsOfHonor::check(&battle, &state, &action).expect("a legal move");
        FieldsOfHonor::play_unchecked(&battle, &mut state, &action, &mut fx);
        shown(&battle, &state, &fx)
    });
    assert!(!seen[0].contains("lancers") && !seen[0].contains("militia"));
    // One faces 180 and the other 150 degrees, so that they end in different places; the words must not differ.
    let words = |s: &str| s.chars().filter(|c| c.is_alphabetic()).collect::<String>();
    assert_eq!(words(&seen[0]), words(&seen[1]), "the two units can be told apart");
}

/// Scouts, formed men, and men who hide: a look that fails is told alike, with its die and without its number (R129).
#[test]
fn a_failed_look_does_not_tell_whom_it_missed() {
    suite::proves!("fields-of-honor", "sighting.c");
    let hidden = |flags: &str, stands: u8, facing: u16| {
        format!(
            "[[terrain]]\nkind = \"rough\"\narea = [[20, 24], [40, 24], [40, 30], [20, 30]]\n\
             [[unit]]\nid = \"m\"\nside = \"b\"\nstands = {stands}\nat = [28, 26]\nfacing = {facing}\n\
             weapon = \"rifled musket\"\nflags = [{flags}]\n"
        )
    };
    let cases = [
        (hidden("\"hidden\", \"scout\"", 1, 180), "[]"),
        (hidden("\"hidden\"", 8, 90), "[]"),
        (hidden("\"hidden\"", 4, 200), "[\"lurking\"]"),
    ];
    let told = cases.map(|(unit, marks)| {
        let position = format!("phase = \"reaction\"\nunit.m = {{ marks = {marks} }}");
        let (battle, mut state) = open(&(HEAD.to_owned() + &unit), &position);
        let mut fx = Fx { dice: game::dice::ScriptedDice::new(vec![1, 6, 1]), log: Chronicle::default() };
        FieldsOfHonor::settle(&battle, &mut state, &mut fx);
        let action = FieldsOfHonor::read(&battle, &state, "spot p at 28 26").expect("a look");
        FieldsOfHonor::check(&battle, &state, &action).expect("a legal look");
        FieldsOfHonor::play_unchecked(&battle, &mut state, &action, &mut fx);
        let rolls: Vec<_> = fx.log.entries.iter().filter(|e| e.roll.is_some()).collect();
        assert!(format!("{rolls:?}").contains("nothing is seen"), "{rolls:?}");
        format!("{rolls:?}")
    });
    assert_eq!(told[0], told[1], "scouts and formed men can be told apart");
    assert_eq!(told[1], told[2], "men who hide can be told apart");
}

/// Without orders nothing is hidden of the enemy's leaders, and the position may be told whole.
#[test]
fn without_orders_nobody_hides_any() {
    let options: Options = [("orders".to_owned(), false)].into_iter().collect();
    let source = suite::Shelf.scenario("fields-of-honor/buena-vista").expect("a scenario");
    let battle = FieldsOfHonor::compile(&source, &suite::Shelf, &options).expect("a battle");
    let state = FieldsOfHonor::muster(&battle);
    for side in Side::BOTH {
        assert_eq!(FieldsOfHonor::seen_by(&battle, &state, side), state);
    }
}

fn names(board: &Board) -> String {
    match &board.ground {
        Ground::Table(table) => format!("{:?}", table.terrain),
        _ => String::new(),
    }
}

#[test]
fn unseen_ground_is_known_to_the_defender_alone() {
    suite::proves!("fields-of-honor", "terrain.special.a");
    let ground = |unseen: bool| {
        format!(
            "[[terrain]]\nname = \"the gulch\"\nkind = \"depression\"\nunseen = {unseen}\narea = [[20, 22], [36, 22], [36, 26], [20, 26]]\n"
        )
    };
    let q = "[[unit]]\nid = \"q\"\nside = \"b\"\nstands = 2\nat = [55, 38]\nfacing = 180\n";
    let head = HEAD.replace("sighting = true", "hidden_terrain = true");
    let (battle, mut state) = open(&(head.clone() + &ground(true) + q), "phase = \"movement\"");
    let told = |state: &State, side: Side| {
        let seen = FieldsOfHonor::seen_by(&battle, state, side);
        format!("{:?}", FieldsOfHonor::view(&battle, &seen, Eyes::Of(side)))
    };
    assert!(!names(&FieldsOfHonor::board(&battle)).contains("gulch"), "the board is everybody's");
    assert!(!told(&state, Side::First).contains("gulch"), "the attacker does not know it");
    assert!(told(&state, Side::Second).contains("gulch"), "the defender has noted it");
    let public = FieldsOfHonor::seen(&battle, &state, Eyes::Bystander);
    let public = format!("{:?}", FieldsOfHonor::view(&battle, &public, Eyes::Bystander));
    assert!(!public.contains("gulch"), "a bystander knows what both know");
    let mut fx = recorder();
    FieldsOfHonor::settle(&battle, &mut state, &mut fx);
    let action = FieldsOfHonor::read(&battle, &state, "move p ahead 6").expect("a move");
    FieldsOfHonor::check(&battle, &state, &action).expect("a legal move");
    FieldsOfHonor::play_unchecked(&battle, &mut state, &action, &mut fx);
    assert!(told(&state, Side::First).contains("gulch"), "within 200 yards it is revealed");
    // Ground that nobody hides, and hidden ground where nobody attacks, is everybody's.
    let (battle, _) = open(&(head.clone() + &ground(false) + q), "phase = \"movement\"");
    assert!(names(&FieldsOfHonor::board(&battle)).contains("gulch"));
    let (battle, _) =
        open(&(head.replace("attacker = \"a\"\n", "") + &ground(true) + q), "phase = \"movement\"");
    assert!(names(&FieldsOfHonor::board(&battle)).contains("gulch"), "without a defender nothing is hidden");
}

#[test]
fn orders_are_for_those_who_give_them() {
    suite::proves!("fields-of-honor", "orders.a");
    let battle = suite::battle::<FieldsOfHonor>("fields-of-honor/buena-vista");
    let mut state = FieldsOfHonor::muster(&battle);
    FieldsOfHonor::settle(&battle, &mut state, &mut recorder());
    let sides = |eyes: Eyes| {
        let view = FieldsOfHonor::view(&battle, &FieldsOfHonor::seen(&battle, &state, eyes), eyes);
        let badges = view.pieces.iter().filter(|p| p.badges.iter().any(|b| b.sign.starts_with("order-")));
        let mut told: Vec<Side> = badges.map(|p| p.side).collect();
        told.extend(view.marks.iter().filter(|m| m.kind == "marker").filter_map(|m| m.side));
        told.sort_unstable();
        told.dedup();
        told
    };
    assert_eq!(sides(Eyes::Of(Side::First)), [Side::First]);
    assert_eq!(sides(Eyes::Of(Side::Second)), [Side::Second]);
    assert_eq!(sides(Eyes::All), Side::BOTH);
    assert_eq!(sides(Eyes::Bystander), []);
}

/// Everything the attacker can ask about his next decision: what he sees, is offered, may do, and what the odds are.
fn told(battle: &Battle, state: &State, tries: &[&str]) -> String {
    use game::board::Ask;
    use game::odds::{Budget, Horizon, report};
    let seen = FieldsOfHonor::seen_by(battle, state, Side::First);
    let mut actions = Vec::new();
    FieldsOfHonor::offers(battle, state, &mut actions);
    let offers: Vec<_> = actions.iter().map(|a| FieldsOfHonor::offer(battle, &seen, a)).collect();
    let mut out = format!(
        "{offers:?}\n{:?}\n{:?}\n",
        FieldsOfHonor::prompt(battle, &seen),
        FieldsOfHonor::view(battle, &seen, Eyes::Of(Side::First)),
    );
    for notation in tries {
        let action = FieldsOfHonor::read(battle, state, notation).expect("an action");
        let checked = FieldsOfHonor::check(battle, state, &action);
        out += &format!("{notation}: {checked:?}\n");
        if checked.is_ok() {
            let odds = report::<FieldsOfHonor>(battle, &seen, &action, Horizon::Decision, Budget::default());
            out += &format!("{odds:?}\n");
        }
    }
    for piece in 0..state.bodies.len() as u16 {
        let ask = |what: &str| Ask {
            overlay: what.to_owned(),
            side: Some(Side::First),
            place: None,
            piece: Some(game::PieceId(piece)),
        };
        for what in ["moves", "arcs", "reach", "command", "fire"] {
            out += &format!("{:?}\n", FieldsOfHonor::overlay(battle, &seen, &ask(what)));
        }
    }
    out
}

/// Two battles alike to the attacker, with a bog and a hollow that he does not know in one of them.
#[test]
fn unknown_ground_shapes_nothing_the_attacker_is_told() {
    suite::proves!("fields-of-honor", "terrain.special.a");
    let hidden = "[[terrain]]\nname = \"the bog\"\nkind = \"boggy ground\"\nunseen = true\narea = [[18, 15], [40, 15], [40, 17], [18, 17]]\n\
        [[terrain]]\nname = \"the hollow\"\nkind = \"depression\"\nunseen = true\nclosed = [\"cavalry\"]\narea = [[18, 18], [40, 18], [40, 26], [18, 26]]\n";
    let troops = "[[unit]]\nid = \"q\"\nside = \"b\"\nstands = 4\nat = [28, 20]\nfacing = 180\nweapon = \"rifled musket\"\n\
        [[unit]]\nid = \"h\"\nside = \"a\"\nstands = 4\nat = [22, 4]\narm = \"cavalry\"\n\
        [[unit]]\nid = \"s\"\nside = \"a\"\nstands = 4\nat = [34, 9]\nformation = \"square\"\nweapon = \"rifled musket\"\n";
    let head = HEAD.replace("sighting = true", "hidden_terrain = true");
    let cases: [(&str, &[u8], &[&str]); 3] = [
        (
            "phase = \"movement\"\nunit.p = { at = [28, 10.5] }\nunit.h = { at = [22, 8] }",
            &[6, 1, 2, 2],
            &[
                "move p ahead 4",
                "move p ahead 4.001",
                "move h ahead 11",
                "move h ahead 11.001",
                "move h wheel 20 ahead 5",
                "move p hide",
                "move s ahead 2",
            ],
        ),
        (
            "phase = \"charge\"\nunit.p = { at = [28, 10.5] }\nunit.h = { at = [33, 9] }\nunit.s = { at = [10, 4] }\nunit.q = { at = [30, 16] }",
            &[6, 1],
            &["charge p at q", "charge h at q", "charge h at q turn -10"],
        ),
        ("phase = \"fire\"\nunit.p = { at = [28, 10.5] }", &[], &["fire p at q", "fire p at q stands 1,2"]),
    ];
    for (position, dice, tries) in cases {
        let sides = [troops.to_owned(), hidden.to_owned() + troops].map(|ground| {
            let (battle, mut state) = open(&(head.clone() + &ground), position);
            let mut fx = Fx { dice: game::dice::ScriptedDice::new(dice.to_vec()), log: Chronicle::default() };
            FieldsOfHonor::settle(&battle, &mut state, &mut fx);
            assert_eq!(FieldsOfHonor::now(&battle, &state), game::Now::Decides(Side::First), "{position}");
            told(&battle, &state, tries)
        });
        for (plain, bog) in sides[0].lines().zip(sides[1].lines()) {
            assert_eq!(plain, bog, "{position}");
        }
        assert_eq!(sides[0].lines().count(), sides[1].lines().count());
    }
}
