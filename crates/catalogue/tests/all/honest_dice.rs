//! The dice of a game with a sealed secret, against a server and a player who cheat: each is caught by verification, by
//! the copy of the journal the other kept, or gains nothing. docs/dice.md describes the scheme.

use catalogue::{NewDice, OpenError, Scenario, Table};
use game::dice::{Dice, Die, SeededDice};
use game::session::{Throw, Verified, commitment};
use game::{BySide, Now, Options, journal};
use std::sync::Arc;

const SECRET: [u8; 32] = [7; 32];

fn drill() -> Arc<dyn Scenario> {
    catalogue::open("battle-hymn/drill", &Options::new()).expect("the drill opens")
}

fn seated(secret: [u8; 32]) -> Box<dyn Table> {
    let seats = BySide::from_fn(|_| "test".to_owned());
    drill().start(seats, NewDice::Secret(secret), &Throw::default()).expect("musters")
}

/// What a player's machine mixes in at this decision.
fn fresh(moment: u64) -> Throw {
    Throw { salt: [moment.to_le_bytes(), (moment * 77 + 5).to_le_bytes()].concat(), typed: Vec::new() }
}

fn play(table: &mut dyn Table, decisions: u64, salt: impl Fn(u64) -> Throw) {
    for _ in 0..decisions {
        let Now::Decides(side) = table.now() else { break };
        let action = table.offers()[0].action.clone();
        let throw = salt(table.moment());
        table.act(side, &action, &throw).expect("an offer is played");
    }
}

/// A game played to its end and revealed.
fn played_out(secret: [u8; 32], salt: impl Fn(u64) -> Throw) -> String {
    let mut table = seated(secret);
    play(&mut *table, 10_000, salt);
    assert!(matches!(table.now(), Now::Over(_)), "the drill does not end");
    table.reveal();
    table.journal()
}

fn finished() -> String {
    played_out(SECRET, fresh)
}

/// What the check of a journal says: `Err` with the line and the reason, be it that it does not replay or that the dice
/// do not follow from the secret.
fn verdict(text: &str) -> Result<Verified, String> {
    let parsed = journal::parse(text).map_err(|b| b.to_string())?;
    let scenario = catalogue::open(&parsed.header.scenario, &parsed.header.options)
        .map_err(|e: OpenError| e.to_string())?;
    let (table, broken) = scenario.resume(parsed, None).map_err(|b| b.to_string())?;
    match broken {
        Some(broken) => Err(broken.to_string()),
        None => table.verify().map_err(|b| b.to_string()),
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The line with the most dice, so that other dice do not agree with it by chance, of those after which others follow.
fn rolled(lines: &[String]) -> usize {
    let with_dice: Vec<usize> = (2..lines.len()).filter(|&n| lines[n].contains("\"rolls\":[")).collect();
    assert!(with_dice.len() > 3, "only {} of {} decisions rolled dice", with_dice.len(), lines.len());
    let dice = |n: usize| lines[n].split_once("\"rolls\":[").map_or(0, |(_, rolls)| rolls.len());
    let (_, early) = with_dice.split_last().expect("there are some");
    *early.iter().max_by_key(|&&n| dice(n)).expect("there are more than three")
}

fn check_caught(text: &str, words: &str) {
    match verdict(text) {
        Err(said) => assert!(said.contains(words), "`{words}` is not in: {said}"),
        Ok(found) => panic!("not caught: {found:?}"),
    }
}

#[test]
fn an_honest_game_holds() {
    assert_eq!(verdict(&finished()), Ok(Verified::Holds));
}

#[test]
fn until_the_end_the_secret_is_nowhere_in_the_journal() {
    let mut table = seated(SECRET);
    play(&mut *table, 20, fresh);
    let text = table.journal();
    assert!(text.lines().next().is_some_and(|first| first.contains(&commitment(&SECRET))));
    assert!(!text.contains(&journal::hex(&SECRET)));
    table.reveal();
    assert!(!table.journal().contains(&journal::hex(&SECRET)), "the secret of a game under way was revealed");
    assert_eq!(verdict(&text), Ok(Verified::NotYetRevealed));
}

#[test]
fn a_server_that_chooses_its_secret_late_is_caught() {
    // The dice were dealt from another secret than the one committed to: named at the end, it does not fit line 1;
    // the one that does fit gives other faces.
    let other = journal::hex(&[8; 32]);
    let honest = finished();
    check_caught(&honest.replace(&journal::hex(&SECRET), &other), "not the one committed to");
    let committed_to_other = honest.replace(&commitment(&SECRET), &commitment(&[8; 32]));
    check_caught(&committed_to_other, "not the one committed to");
    check_caught(&committed_to_other.replace(&journal::hex(&SECRET), &other), "the secret gives");
}

#[test]
fn a_server_that_never_reveals_proves_nothing() {
    let honest = finished();
    let without = lines(&honest);
    let without: Vec<String> =
        without.iter().filter(|l| !l.contains(&journal::hex(&SECRET))).cloned().collect();
    assert_eq!(verdict(&without.join("\n")), Ok(Verified::NotYetRevealed));
}

#[test]
fn a_changed_roll_is_caught() {
    let mut all = lines(&finished());
    let at = rolled(&all);
    let start = all[at].find("\"rolls\":[").expect("it rolled") + 9;
    let end = start + all[at][start..].find([',', ']']).expect("a face ends");
    let face: u8 = all[at][start..end].parse().expect("a face");
    all[at].replace_range(start..end, &(if face == 1 { 2 } else { 1 }).to_string());
    // Either the position is no longer the one written beside it, or the dice are not those of the secret.
    check_caught(&all.join("\n"), &format!("line {}", at + 1));
}

#[test]
fn a_server_that_deals_other_dice_and_plays_on_is_caught() {
    // The whole game replayed on dice of its own liking, every digest right: only the secret tells.
    let liked = played_out([9; 32], fresh);
    let forged = liked
        .replace(&commitment(&[9; 32]), &commitment(&SECRET))
        .replace(&journal::hex(&[9; 32]), &journal::hex(&SECRET));
    check_caught(&forged, "the secret gives");
}

#[test]
fn a_changed_salt_is_caught() {
    // The server pretends that the player sent other randomness.
    let mut all = lines(&finished());
    let at = rolled(&all);
    let start = all[at].find("\"salt\":\"").expect("it was salted") + 8;
    let digit = if all[at].as_bytes()[start] == b'0' { "1" } else { "0" };
    all[at].replace_range(start..=start, digit);
    check_caught(&all.join("\n"), "the secret gives");
}

fn renumbered(all: &[String]) -> String {
    let mut next = 0;
    let numbered =
        all.iter().map(|line| match line.strip_prefix("{\"n\":").and_then(|rest| rest.split_once(',')) {
            Some((_, rest)) => {
                next += 1;
                format!("{{\"n\":{},{rest}", next - 1)
            }
            None => line.clone(),
        });
    numbered.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_dropped_action_is_caught() {
    let all = lines(&finished());
    let at = rolled(&all);
    let dropped = [&all[..at], &all[at + 1..]].concat();
    check_caught(&dropped.join("\n"), &format!("line {}", at + 1));
    // Closing up the numbers does not help: the rest leads elsewhere, or its dice belong to other lines.
    check_caught(&renumbered(&dropped), "line");
}

#[test]
fn reordered_actions_are_caught() {
    let mut all = lines(&finished());
    let at = rolled(&all);
    all.swap(at, at + 1);
    check_caught(&all.join("\n"), &format!("line {}", at + 1));
    check_caught(&renumbered(&all), "line");
}

#[test]
fn an_action_put_off_to_another_line_has_other_dice() {
    // Taking back writes a line, so that the same action with the same salt falls on a new number.
    let mut table = seated(SECRET);
    play(&mut *table, 40, fresh);
    let all = lines(&table.journal());
    let at = rolled(&all) as u64;
    let faces = |line: u64| -> Vec<u8> {
        let mut dice = SeededDice::for_moment(&SECRET, line, &fresh(at).salt);
        (0..40).map(|_| dice.roll(Die::D10)).collect()
    };
    assert_ne!(faces(at), faces(at + 1));
}

#[test]
fn a_player_who_replays_its_randomness_gains_nothing() {
    // The same salt at every decision: the dice are still different from line to line, and the game holds.
    let stale = |_| Throw { salt: vec![1; 16], typed: Vec::new() };
    assert_eq!(verdict(&played_out(SECRET, stale)), Ok(Verified::Holds));
    let faces = |line: u64| -> Vec<u8> {
        let mut dice = SeededDice::for_moment(&SECRET, line, &[1; 16]);
        (0..40).map(|_| dice.roll(Die::D10)).collect()
    };
    for line in 0..40 {
        assert_ne!(faces(line), faces(line + 1), "lines {line} and {} have the same dice", line + 1);
    }
}

#[test]
fn a_player_who_withholds_its_randomness_gains_nothing() {
    // Without salt the dice follow from the secret alone, which the player does not know; they are as even as ever.
    assert_eq!(verdict(&played_out(SECRET, |_| Throw::default())), Ok(Verified::Holds));
    let mut counts = [0u32; 10];
    for line in 0..1000 {
        let mut dice = SeededDice::for_moment(&SECRET, line, &[]);
        (0..10).for_each(|_| counts[usize::from(dice.roll(Die::D10)) - 1] += 1);
    }
    // A thousand of each are due; chi-square of nine degrees of freedom stays under 27.9 but once in a thousand.
    let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
    assert!(chi < 27.9, "{counts:?}");
}

#[test]
fn a_player_who_refuses_to_go_on_leaves_the_dice_where_they_are() {
    // An action that is refused writes no line: trying again and again does not turn the dice.
    let mut table = seated(SECRET);
    play(&mut *table, 12, fresh);
    let before = table.journal();
    let Now::Decides(side) = table.now() else { panic!("the drill lasts longer") };
    for moment in 0..5 {
        assert!(table.act(side, "fly to the moon", &fresh(moment)).is_err());
    }
    assert_eq!(table.journal(), before);
}

#[test]
fn an_end_that_the_game_did_not_come_to_is_caught() {
    let all = lines(&finished());
    let (end, kept) = all.split_last().expect("a journal has lines");
    let other = ["{\"end\":{\"won\":\"first\"}", "{\"end\":{\"won\":\"second\"}", "{\"end\":\"drawn\""];
    let came = other.iter().position(|o| end.starts_with(o)).expect("an outcome");
    let forged = end.replace(other[came], other[(came + 1) % 3]);
    check_caught(&[kept, &[forged]].concat().join("\n"), "but the game ended with");
    let early = [&kept[..rolled(&all)], std::slice::from_ref(end)].concat();
    check_caught(&early.join("\n"), "before the game is over");
    let late = [&all[..], &all[2..3]].concat();
    check_caught(&late.join("\n"), "after the end");
}

#[test]
fn lines_taken_over_from_another_journal_are_reported() {
    // A game goes on from another's journal under a new secret: what was taken over cannot be recomputed, the rest can.
    let mut first = seated([9; 32]);
    play(&mut *first, 12, fresh);
    let mut parsed = journal::parse(&first.journal()).expect("parses");
    let taken_over = parsed.lines.len() as u64;
    parsed.header.dice = journal::DiceOf::Commit(commitment(&SECRET));
    parsed.header.taken_over = taken_over;
    let (mut table, broken) = drill().resume(parsed, Some(SECRET)).expect("goes on");
    assert!(broken.is_none());
    play(&mut *table, 10_000, fresh);
    table.reveal();
    assert_eq!(verdict(&table.journal()), Ok(Verified::HoldsAfter(taken_over)));
    let claim = format!("\"taken_over\":{taken_over}");
    let forged = table.journal().replacen(&claim, "\"taken_over\":9999999", 1);
    let found = verdict(&forged).expect_err("more lines than there are");
    assert!(format!("{found:?}").contains("9999999"), "{found:?}");
}

#[test]
fn a_rewritten_end_differs_from_the_copy_the_player_kept() {
    // The last decisions dropped and the game given up there: the dice before it hold, so that verification alone
    // cannot tell. The player's copy can: what the server shows at the end must begin with it.
    let all = lines(&finished());
    let (_, kept) = all.split_last().expect("a journal has lines");
    let at = rolled(&all);
    let resigned = "{\"resign\":\"first\"}".to_owned();
    let end = format!("{{\"end\":{{\"won\":\"second\"}},\"secret\":\"{}\"}}", journal::hex(&SECRET));
    let cut = [&all[..at], &[resigned, end]].concat().join("\n");
    assert_eq!(verdict(&cut), Ok(Verified::Holds));
    assert!(!cut.starts_with(&kept.join("\n")));
}
