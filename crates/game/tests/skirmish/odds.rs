//! Odds of a system small enough to work them out by hand.

use game::dice::QuickDice;
use game::odds::{self, Budget, Horizon, OddsReport, Standing, Tone};
use game::{Files, Fx, Options, PieceId, Rules, Side, Silent};

use crate::system::{Action, Battle, Nothing, Phase, ROW, Skirmish, State};

fn start() -> (Battle, State) {
    let battle = Skirmish::compile(ROW, &Nothing, &Options::new()).unwrap();
    let state = State { phase: Phase::Fire(Side::First), ..Skirmish::muster(&battle) };
    (battle, state)
}

fn report(action: &Action, horizon: Horizon, budget: Budget) -> OddsReport {
    let (battle, state) = start();
    odds::report::<Skirmish>(&battle, &state, action, horizon, budget)
}

/// Every fate of a piece with its chance.
fn fates(report: &OddsReport, piece: u16) -> Vec<(&'static str, Tone, String)> {
    let found = report.pieces.iter().find(|odds| odds.piece == PieceId(piece));
    let fates = found.map_or(&[][..], |odds| &odds.fates);
    fates.iter().map(|f| (f.fate.word, f.fate.tone, f.share.exact.clone())).collect()
}

#[test]
fn a_volley_in_the_systems_own_words() {
    // Three dice that hit on 5 or 6; who is hit and left flees on 1 or 2.
    let report = report(&Action::Fire(0, 2), Horizon::Decision, Budget::default());
    assert_eq!((report.sampled, report.policy.as_str(), &report.open), (None, "nobody", &None));
    let told = fates(&report, 2);
    let expected = [
        // (2/3)^3 unhurt; 18/27 hit and left, of whom 2/3 stand; (1/3)^3 gone.
        ("unhurt", Tone::Holds, "8/27".to_owned()),
        ("hurt", Tone::Hurt, "4/9".to_owned()),
        ("flees", Tone::Yields, "2/9".to_owned()),
        ("gone", Tone::Gone, "1/27".to_owned()),
    ];
    assert_eq!(told, expected);
    assert_eq!(report.pieces.len(), 1, "nothing can happen to the others");
    let lost: Vec<(i32, &str)> =
        report.pieces[0].lost.iter().map(|c| (c.n, c.share.exact.as_str())).collect();
    assert_eq!(lost, [(0, "8/27"), (1, "4/9"), (2, "2/9"), (3, "1/27")]);
    let hurt: Vec<(i32, &str)> =
        report.pieces[0].hurt.iter().map(|c| (c.n, c.share.exact.as_str())).collect();
    assert_eq!(hurt, [(0, "1")]);
    let score: Vec<(i32, &str)> = report.score.iter().map(|s| (s.lead, s.share.exact.as_str())).collect();
    assert_eq!(score, [(0, "8/27"), (1, "4/9"), (2, "2/9"), (3, "1/27")]);
    assert_eq!(report.positions, 1 + 2 + 2 + 1);
    let p: f64 = report.pieces[0].fates.iter().map(|f| f.share.p).sum();
    assert!((p - 1.0).abs() < 1e-12);
}

#[test]
fn too_much_to_enumerate_is_sampled_and_says_so() {
    let budget = Budget { ways: 3, plays: 3_000, ..Budget::default() };
    let report = report(&Action::Fire(0, 2), Horizon::Decision, budget);
    assert_eq!(report.sampled, Some(3_000));
    let unhurt = &report.pieces[0].fates[0].share;
    assert!(unhurt.exact.is_empty());
    assert!((unhurt.p - 8.0 / 27.0).abs() < 2.0 * unhurt.within, "{unhurt:?}");
    let due = 1.959_964 * (unhurt.p * (1.0 - unhurt.p) / 3_000.0).sqrt();
    assert!((unhurt.within - due).abs() < 1e-12);
    let few = Budget { positions: 2, plays: 10, ..Budget::default() };
    let (battle, state) = start();
    let odds = odds::of_action::<Skirmish>(&battle, &state, &Action::Fire(0, 2), Horizon::Decision, few);
    assert_eq!(odds.sampled, Some(10), "more positions at once than allowed");
}

#[test]
fn a_line_ends_at_the_next_decision_a_forced_one_too() {
    let (battle, state) = start();
    let state = State {
        phase: Phase::Seal(Side::Second),
        sealed: game::BySide { first: Some(1), second: None },
        ..state
    };
    // First began, so that this is the second of the two seals: the dice follow at once, a tie is rolled again.
    let odds =
        odds::of_action::<Skirmish>(&battle, &state, &Action::Seal(1), Horizon::Line, Budget::default());
    let shares: Vec<String> = odds.ends.iter().map(|(_, chance)| chance.to_string()).collect();
    assert_eq!(odds.ends.len(), 2, "equal positions are one end");
    let north: game::odds::Chance =
        odds.ends.iter().filter(|(end, _)| end.points.first == 1).map(|(_, c)| c.clone()).sum();
    assert_eq!(north.to_string(), "1/2", "{shares:?}");
    let (due, sampled) = odds::due_lead::<Skirmish>(&battle, &state, &Action::Seal(1), Budget::default());
    assert!(due.abs() < 1e-12 && !sampled);
    let (due, _) = odds::due_lead::<Skirmish>(&battle, &start().1, &Action::Fire(0, 2), Budget::default());
    assert!((due - 1.0).abs() < 1e-12, "three dice at a third each: {due}");
}

#[test]
fn the_end_of_an_affair_is_played_by_the_plain_policy() {
    let (battle, mut state) = start();
    state.units[0].routed = true;
    // Bell fires; then Ames, who has fled, may rally: the policy takes that rather than pass.
    let action = Action::Fire(1, 2);
    let near = odds::report::<Skirmish>(&battle, &state, &action, Horizon::Decision, Budget::default());
    assert!(fates(&near, 0).is_empty(), "up to the rally nothing happens to Ames");
    let far = odds::report::<Skirmish>(&battle, &state, &action, Horizon::Affair, Budget::default());
    assert_eq!(
        fates(&far, 0),
        [("recovers", Tone::Gains, "7/12".to_owned()), ("unhurt", Tone::Holds, "5/12".to_owned()),]
    );
    assert_ne!(far.policy, "nobody");
    assert_eq!(odds::plain_policy::<Skirmish>(&battle, &state), Some(Action::Fire(1, 2)));
    assert_eq!(
        odds::plain_policy::<Skirmish>(&battle, &start().1),
        Some(Action::Fire(0, 2)),
        "the first of equals"
    );
}

#[test]
fn one_play_ends_where_the_odds_say() {
    let (battle, state) = start();
    let action = Action::Fire(0, 2);
    let odds = odds::of_action::<Skirmish>(&battle, &state, &action, Horizon::Decision, Budget::default());
    for seed in 0..50 {
        let end =
            odds::play_once::<Skirmish>(&battle, &state, &action, Horizon::Decision, odds.last_scene, seed);
        assert!(odds.ends.iter().any(|(known, _)| *known == end), "{end:?}");
    }
}

#[test]
fn sealed_choices_are_told_from_the_side_that_asks() {
    let (battle, state) = start();
    let state = State { phase: Phase::Seal(Side::First), ..state };
    for side in Side::BOTH {
        let sealed = odds::sealed::<Skirmish>(&battle, &state, side).unwrap();
        assert_eq!((sealed.side, sealed.own.len(), sealed.enemy.len()), (side, 3, 3));
        assert_eq!((sealed.own[2].action.as_str(), sealed.cells.len()), ("seal 3", 3));
        // 3 and a die against 1 and a die: more in 26 of 36 ways, less in 6, a tie in 4 is rolled again.
        let cell = &sealed.cells[2][0];
        assert_eq!(cell.clash, "two numbers");
        assert_eq!(
            [&cell.better, &cell.even, &cell.worse].map(|share| share.exact.as_str()),
            ["13/16", "0", "3/16"]
        );
        let mirrored = &sealed.cells[0][2];
        assert_eq!([&mirrored.better, &mirrored.worse].map(|s| s.exact.as_str()), ["3/16", "13/16"]);
        let best = cell.results.first().unwrap();
        assert_eq!((best.own.as_str(), best.enemy.as_str(), best.share.exact.as_str()), ("−0", "−7", "1/32"));
        assert_eq!(cell.results.last().unwrap().own, "−3");
    }
    assert!(odds::sealed::<Skirmish>(&battle, &start().1, Side::First).is_none());
}

#[test]
fn what_standings_alone_tell() {
    let was = Standing { whole: 3, hurt: 1, lost: 1, place: 7, off: false, order: 1 };
    let fate = |is: Standing| {
        let fate = odds::Fate::of_standings(&was, &is);
        (fate.word, fate.tone)
    };
    assert_eq!(fate(was), ("unhurt", Tone::Holds));
    assert_eq!(fate(Standing { off: true, lost: 4, ..was }), ("gone", Tone::Gone));
    assert_eq!(fate(Standing { lost: 2, ..was }), ("hurt", Tone::Hurt));
    assert_eq!(fate(Standing { hurt: 2, place: 8, ..was }), ("hurt", Tone::Hurt));
    assert_eq!(fate(Standing { order: 2, ..was }), ("loses order", Tone::Hurt));
    assert_eq!(fate(Standing { order: 2, place: 9, ..was }), ("loses order", Tone::Hurt));
    assert_eq!(fate(Standing { order: 0, ..was }), ("recovers", Tone::Gains));
    assert_eq!(fate(Standing { hurt: 0, ..was }), ("recovers", Tone::Gains));
    assert_eq!(fate(Standing { lost: 0, ..was }), ("recovers", Tone::Gains));
    assert_eq!(fate(Standing { place: 8, ..was }), ("moves", Tone::Holds));
    let away = Standing { off: true, ..was };
    assert_eq!(odds::Fate::of_standings(&away, &was).word, "arrives");
    assert_eq!(odds::Fate::of_standings(&away, &away).word, "unhurt");
}

#[test]
fn tones_go_from_best_to_worst() {
    let tones = [Tone::Gains, Tone::Holds, Tone::Hurt, Tone::Yields, Tone::Gone];
    assert!(tones.is_sorted());
    assert_eq!(serde_json::to_string(&tones).unwrap(), r#"["gains","holds","hurt","yields","gone"]"#);
    let fate = serde_json::to_value(odds::Fate::new("flees", Tone::Yields)).unwrap();
    assert_eq!(fate, serde_json::json!({ "word": "flees", "tone": "yields" }));
}

#[test]
fn nothing_is_left_to_chance_where_no_die_falls() {
    let report = report(&Action::Pass, Horizon::Decision, Budget::default());
    assert!(report.pieces.is_empty() && report.positions == 1);
    let (battle, mut state) = start();
    Skirmish::settle(&battle, &mut state, &mut Fx { dice: QuickDice::new(0), log: Silent });
}

#[test]
fn a_forced_decision_is_passed_through_and_an_open_one_is_not() {
    let (battle, mut state) = start();
    state.units[0].men = 0;
    state.units[3].men = 0;
    let state = State { phase: Phase::Seal(Side::First), ..state };
    // Both can seal nothing but 1: the numbers are turned over before anybody really decides.
    let far =
        odds::of_action::<Skirmish>(&battle, &state, &Action::Seal(1), Horizon::Decision, Budget::default());
    assert!(far.ends.iter().all(|(end, _)| end.turn == 2 && end.phase == Phase::Fire(Side::First)));
    assert_eq!(far.ends.len(), 2);
    let near =
        odds::of_action::<Skirmish>(&battle, &state, &Action::Seal(1), Horizon::Line, Budget::default());
    assert_eq!(near.ends.len(), 1, "a line of a journal ends at the second seal");
    assert_eq!(near.ends[0].0.phase, Phase::Seal(Side::Second));
}

#[test]
fn what_would_cost_too_much_is_left_open_at_the_end_of_a_scene() {
    let (battle, state) = start();
    let action = Action::Fire(0, 2);
    let budget = Budget { beyond: 0, ..Budget::default() };
    let cut = odds::report::<Skirmish>(&battle, &state, &action, Horizon::Decision, budget);
    assert_eq!((cut.sampled, cut.open.as_deref(), cut.positions), (None, Some("morale"), 4));
    let told = fates(&cut, 2);
    assert_eq!(
        told.iter().map(|t| t.0).collect::<Vec<_>>(),
        ["unhurt", "hurt", "gone"],
        "nobody has tested yet"
    );
    let odds = odds::of_action::<Skirmish>(&battle, &state, &action, Horizon::Decision, budget);
    let last = odds.last_scene;
    assert_eq!(last, Some(11), "the scene it was in");
    for seed in 0..20 {
        let end = odds::play_once::<Skirmish>(&battle, &state, &action, Horizon::Decision, last, seed);
        assert_eq!(end.phase, Phase::Morale(Side::First));
    }
    let whole = odds::report::<Skirmish>(&battle, &state, &action, Horizon::Decision, Budget::default());
    assert_eq!(whole.open, None);
    let line = odds::of_action::<Skirmish>(&battle, &state, &action, Horizon::Line, budget);
    assert_eq!((line.last_scene, line.sampled), (None, None), "a line is never cut");
}

/// The least of something for which the odds are still exact.
fn least(mut budget: impl FnMut(usize) -> Budget, horizon: Horizon) -> usize {
    let (battle, state) = start();
    let exact = |n: &usize| {
        let odds = odds::of_action::<Skirmish>(&battle, &state, &Action::Fire(0, 2), horizon, budget(*n));
        odds.sampled.is_none()
    };
    (0..1000).find(exact).unwrap()
}

#[test]
fn work_is_counted_to_the_last_way() {
    let plays = 1;
    // Four falls of the volley. Then three steps to the next decision of who is unhurt, four of who is gone, and eight for
    // each who is hit and left: two ways of the test, and three steps after either.
    let ways = least(|ways| Budget { ways, plays, ..Budget::default() }, Horizon::Line);
    assert_eq!(ways, 4 + 3 + 4 + 2 * 8);
    let positions = least(|positions| Budget { positions, plays, ..Budget::default() }, Horizon::Line);
    assert_eq!(positions, 6);
}

#[test]
fn the_budget_is_the_one_of_the_manual() {
    let Budget { positions, ways, beyond, plays } = Budget::default();
    assert_eq!((positions, ways, beyond, plays), (20_000, 120_000, 2_000, 20_000));
}
