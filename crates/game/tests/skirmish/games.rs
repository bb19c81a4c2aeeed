//! Games and their journals.

use std::sync::Arc;

use game::journal::{self, DiceOf, Header, Line};
use game::session::{ActError, Match, Throw, Undo, Verified, commitment, text_hash};
use game::{BySide, Eyes, Files, Notation, Now, Options, Outcome, Rules, Side};

use crate::system::{Nothing, ROW, Skirmish};

const SECRET: [u8; 32] = [7; 32];

fn header(dice: DiceOf) -> Header {
    Header {
        linstock: journal::FORMAT,
        system: "skirmish".into(),
        edition: Skirmish::edition().into(),
        scenario: "skirmish/row".into(),
        hash: text_hash(ROW),
        text: None,
        options: Options::new(),
        seats: BySide { first: "Ada".into(), second: "Bertram".into() },
        dice,
        rolls_back: false,
        taken_over: 0,
    }
}

fn battle(short: bool) -> Arc<crate::system::Battle> {
    let options = Options::from([("short".to_owned(), short)]);
    Arc::new(Skirmish::compile(ROW, &Nothing, &options).unwrap())
}

fn typed(faces: &[u8]) -> Throw {
    Throw { typed: faces.to_vec(), ..Throw::default() }
}

/// A game of one turn with dice typed in, the north beginning.
fn at_the_table() -> Match<Skirmish> {
    // Nobody sits at the table yet who could roll: the muster has dice of its own.
    let start = |salt: u8| {
        let throw = Throw { salt: vec![salt], ..Throw::default() };
        Match::start(battle(true), header(DiceOf::Table), None, &throw).unwrap()
    };
    (0..).map(start).find(|game| decides(game) == Side::First).unwrap()
}

fn sealed_dice() -> Match<Skirmish> {
    let dice = DiceOf::Commit(commitment(&SECRET));
    Match::start(battle(true), header(dice), Some(SECRET), &Throw::default()).unwrap()
}

fn decides(game: &Match<Skirmish>) -> Side {
    match game.now() {
        Now::Decides(side) => side,
        Now::Over(outcome) => panic!("over: {outcome:?}"),
    }
}

/// Passes and seals until it is over.
fn to_the_end(game: &mut Match<Skirmish>) {
    while let Now::Decides(side) = game.now() {
        let mut offers = Vec::new();
        Skirmish::offers(game.battle(), game.state(), &mut offers);
        let act = Skirmish::write(game.battle(), offers.last().unwrap());
        game.act(side, &act, &Throw { salt: vec![1, 2], ..Throw::default() }).unwrap();
    }
}

fn resumed(text: &str) -> Result<(Match<Skirmish>, Option<journal::Broken>), journal::Broken> {
    Match::resume(battle(true), journal::parse(text).unwrap(), None)
}

#[test]
fn dice_typed_in_must_be_exactly_those_asked_for() {
    let mut game = at_the_table();
    assert_eq!(decides(&game), Side::First);
    let Err(ActError::Roll(asked)) = game.act(Side::First, "fire ames cole", &typed(&[])) else {
        panic!("dice are missing")
    };
    assert_eq!((asked.dice, asked.faces, asked.side), (3, 3, Some(Side::First)));
    assert!(asked.what.starts_with("ames fires") && asked.roll.faces.is_empty());
    let Err(ActError::Roll(asked)) = game.act(Side::First, "fire ames cole", &typed(&[5, 1, 1])) else {
        panic!("the test of morale is missing")
    };
    assert_eq!((asked.dice, asked.faces, asked.side), (1, 4, Some(Side::Second)));
    let too_many = game.act(Side::First, "fire ames cole", &typed(&[5, 1, 1, 4, 4])).unwrap_err();
    assert!(
        matches!(&too_many, ActError::Dice(why) if why == "4 dice are needed, 5 were given"),
        "{too_many}"
    );
    let impossible = game.act(Side::First, "fire ames cole", &typed(&[7, 1, 1, 4])).unwrap_err();
    assert!(matches!(&impossible, ActError::Dice(why) if why.contains("die 1 shows 7")), "{impossible}");
    assert_eq!(game.moments().len(), 1, "nothing has changed");
    let played = game.act(Side::First, "fire ames cole", &typed(&[5, 1, 1, 4])).unwrap();
    assert_eq!((played.rolls.as_slice(), played.act.as_str()), (&[5, 1, 1, 4][..], "fire ames cole"));
    assert_eq!(game.state().units[2].men, 2);
}

#[test]
fn who_may_act_and_what() {
    let mut game = at_the_table();
    assert!(matches!(game.act(Side::Second, "pass", &typed(&[])), Err(ActError::NotYours)));
    assert!(matches!(game.act(Side::First, "charge", &typed(&[])), Err(ActError::Unreadable(_))));
    let Err(ActError::Refused(refusal)) = game.act(Side::First, "fire bell dunn", &typed(&[])) else {
        panic!("out of range")
    };
    assert_eq!(refusal.rule.unwrap().id(), "1.c");
    game.resign(Side::First).unwrap();
    assert_eq!(game.now(), Now::Over(Outcome::Won(Side::Second)));
    assert!(matches!(game.act(Side::First, "pass", &typed(&[])), Err(ActError::Over)));
    assert!(matches!(game.resign(Side::Second), Err(ActError::Over)));
}

#[test]
fn a_decision_is_taken_back_freely_only_before_anything_became_known() {
    let mut game = at_the_table();
    assert_eq!((game.undo_right(Side::First), game.undo_right(Side::Second)), (Undo::Nothing, Undo::Nothing));
    game.act(Side::First, "pass", &typed(&[])).unwrap();
    assert_eq!((game.undo_right(Side::First), game.undo_right(Side::Second)), (Undo::Free, Undo::Nothing));
    game.undo(Side::First, false).unwrap();
    assert_eq!((game.moments().len(), decides(&game)), (1, Side::First));
    // Dice have fallen.
    game.act(Side::First, "fire ames cole", &typed(&[1, 1, 1])).unwrap();
    assert_eq!(game.undo_right(Side::First), Undo::ByConsent);
    assert_eq!(game.undo(Side::First, false), Err(Undo::ByConsent));
    // The enemy has decided since.
    game.act(Side::Second, "pass", &typed(&[])).unwrap();
    assert_eq!((game.undo_right(Side::First), game.undo_right(Side::Second)), (Undo::ByConsent, Undo::Free));
    game.undo(Side::First, true).unwrap();
    assert_eq!((game.moments().len(), decides(&game)), (1, Side::First));
    let back: Vec<&Line> = game.lines().iter().filter(|l| matches!(l, Line::Back { .. })).collect();
    assert!(matches!(
        back[..],
        [
            Line::Back { back: 0, by: Side::First, agreed: false },
            Line::Back { back: 0, by: Side::First, agreed: true }
        ]
    ));
    assert!(!game.took_back_unseen(Side::First) && !game.took_back_unseen(Side::Second));
}

#[test]
fn the_journal_says_what_an_order_decided() {
    let ordered = |game: &Match<Skirmish>| {
        game.lines().iter().map(|line| matches!(line, Line::Act { ordered: true, .. })).collect::<Vec<_>>()
    };
    let mut game = sealed_dice();
    let side = decides(&game);
    game.act(side, "pass", &Throw::default()).unwrap();
    game.say_ordered(true);
    game.act(!side, "pass", &Throw::default()).unwrap();
    assert_eq!(ordered(&game), [false, true, false]);
    let parsed = journal::parse(&game.journal()).unwrap();
    let (again, broken) = Match::<Skirmish>::resume(battle(true), parsed, Some(SECRET)).unwrap();
    assert_eq!((ordered(&again), broken), (vec![false, true, false], None));
}

fn volley(side: Side) -> &'static str {
    match side {
        Side::First => "fire ames cole",
        Side::Second => "fire cole ames",
    }
}

#[test]
fn alone_one_takes_back_until_a_die_has_fallen() {
    let mut game = sealed_dice();
    let side = decides(&game);
    assert_eq!(game.undo_right_alone(side), Undo::Nothing);
    game.act(side, "pass", &Throw::default()).unwrap();
    // The other side's decision without dice is no hindrance.
    game.act(!side, "pass", &Throw::default()).unwrap();
    assert_eq!((game.undo_right(side), game.undo_right_alone(side)), (Undo::ByConsent, Undo::Free));
    game.undo(side, true).unwrap();
    game.act(side, volley(side), &Throw::default()).unwrap();
    assert_eq!(game.undo_right_alone(side), Undo::Rolled);
    // Unless that was agreed, the faces are typed in, or they fall the same again.
    game.let_rolls_back();
    assert_eq!(game.undo_right_alone(side), Undo::Free);
    let parsed = journal::parse(&game.journal()).unwrap();
    let (again, _) = Match::<Skirmish>::resume(battle(true), parsed, Some(SECRET)).unwrap();
    assert_eq!(again.undo_right_alone(side), Undo::Free, "the journal remembers it");
    let mut typed_in = at_the_table();
    typed_in.act(Side::First, "fire ames cole", &typed(&[1, 1, 1])).unwrap();
    assert_eq!(typed_in.undo_right_alone(Side::First), Undo::Free);
    let fixed = header(DiceOf::Fixed("07".repeat(32)));
    let mut lesson = Match::<Skirmish>::start(battle(true), fixed, None, &Throw::default()).unwrap();
    let side = decides(&lesson);
    lesson.act(side, volley(side), &Throw::default()).unwrap();
    assert_eq!(lesson.undo_right_alone(side), Undo::Free);
}

#[test]
fn what_is_sealed_is_concealed_and_taken_back_unseen() {
    let mut game = at_the_table();
    game.act(Side::First, "pass", &typed(&[])).unwrap();
    game.act(Side::Second, "pass", &typed(&[])).unwrap();
    assert!(!game.conceals_from(Side::First) && !game.conceals_from(Side::Second));
    game.act(Side::First, "seal 3", &typed(&[])).unwrap();
    assert!(game.conceals_from(Side::Second) && !game.conceals_from(Side::First));
    let seen = |eyes| Skirmish::seen(game.battle(), game.state(), eyes).sealed.first;
    assert_eq!(
        [Eyes::Of(Side::First), Eyes::Of(Side::Second), Eyes::Bystander, Eyes::All].map(seen),
        [Some(3), Some(0), Some(0), Some(3)]
    );
    game.undo(Side::First, false).unwrap();
    assert!(game.took_back_unseen(Side::Second) && !game.took_back_unseen(Side::First));
    game.act(Side::First, "seal 1", &typed(&[])).unwrap();
    game.act(Side::Second, "seal 2", &typed(&[2, 2])).unwrap();
    assert_eq!(game.now(), Now::Over(Outcome::Won(Side::Second)));
    assert_eq!(game.undo_right(Side::Second), Undo::ByConsent, "everything has been revealed");
}

#[test]
fn a_journal_plays_the_same_game_again() {
    let mut game = at_the_table();
    game.act(Side::First, "fire ames cole", &typed(&[5, 1, 1, 4])).unwrap();
    game.act(Side::Second, "fire cole ames", &typed(&[1, 1])).unwrap();
    game.undo(Side::Second, true).unwrap();
    game.act(Side::Second, "pass", &typed(&[])).unwrap();
    game.act(Side::First, "seal 1", &typed(&[])).unwrap();
    game.act(Side::Second, "seal 3", &typed(&[2, 2])).unwrap();
    game.reveal();
    let (again, broken) = resumed(&game.journal()).unwrap();
    assert_eq!((again.journal(), broken), (game.journal(), None));
    assert_eq!(again.state(), game.state());
    assert_eq!(again.verify().unwrap(), Verified::TableDice);
    assert_eq!(again.header().seats.second, "Bertram");
}

#[test]
fn a_journal_is_opened_as_far_as_it_holds() {
    let mut game = at_the_table();
    game.act(Side::First, "pass", &typed(&[])).unwrap();
    game.act(Side::Second, "pass", &typed(&[])).unwrap();
    let text = game.journal();
    let broken = |text: String| {
        let (game, broken) = resumed(&text).unwrap();
        let broken = broken.unwrap_or_else(|| panic!("it holds:\n{text}"));
        (game.moments().len(), broken.line, broken.message)
    };
    let last = text.lines().last().unwrap();
    let doubled = format!("{text}{last}\n");
    let (kept, line, said) = broken(doubled);
    assert_eq!((kept, line, said.as_str()), (3, 5, "decision 2, expected 3"));
    let other = text.replacen("\"do\":\"pass\"", "\"do\":\"fire ames cole\"", 1);
    let (kept, line, said) = broken(other);
    assert_eq!((kept, line), (1, 3));
    assert!(said.contains("dice are needed"), "{said}");
    let digest = last.rsplit("\"state\":\"").next().unwrap();
    let changed = text.replace(digest, &format!("00{}", &digest[2..]));
    let (kept, line, said) = broken(changed);
    assert_eq!((kept, line), (2, 4));
    assert!(said.contains("leads to another position"), "{said}");
    let ended = format!("{text}{}\n", r#"{"end":"drawn"}"#);
    assert!(broken(ended).2.contains("before the game is over"));
    let back = format!("{text}{}\n", r#"{"back":2,"by":"first","agreed":true}"#);
    assert!(broken(back).2.contains("nothing after decision 2 to take back"));
    let resigned = format!("{text}{0}\n{0}\n", r#"{"resign":"first"}"#);
    assert!(broken(resigned).2.contains("over already"));
    let wrong_end = format!("{text}{}\n{}\n", r#"{"resign":"first"}"#, r#"{"end":{"won":"first"}}"#);
    let said = broken(wrong_end).2;
    assert!(said.contains("north has won") && said.contains("south has won"), "{said}");
}

#[test]
fn every_roll_follows_from_the_secret() {
    let mut game = sealed_dice();
    assert_eq!(game.verify().unwrap(), Verified::NotYetRevealed);
    to_the_end(&mut game);
    game.reveal();
    game.reveal();
    assert_eq!(game.lines().iter().filter(|l| matches!(l, Line::End { .. })).count(), 1);
    assert_eq!(game.verify().unwrap(), Verified::Holds);
    let text = game.journal();
    let (again, broken) = resumed(&text).unwrap();
    assert_eq!((again.verify().unwrap(), broken), (Verified::Holds, None));
    let other = text.replace(&journal::hex(&SECRET), &journal::hex(&[8; 32]));
    let (again, _) = resumed(&other).unwrap();
    let broken = again.verify().unwrap_err();
    assert!(broken.message.contains("not the one committed to"), "{broken}");
    assert_eq!(broken.line, text.lines().count());
    // Another player's randomness gives other dice.
    let other = text.replace("\"salt\":\"0102\"", "\"salt\":\"0103\"");
    let (again, _) = resumed(&other).unwrap();
    let broken = again.verify().unwrap_err();
    assert!(broken.message.contains("the secret gives"), "{broken}");
}

#[test]
fn lines_taken_over_from_another_journal_are_not_verified() {
    let seed = DiceOf::Seed(journal::hex(&SECRET));
    let mut game = Match::<Skirmish>::start(battle(true), header(seed), None, &Throw::default()).unwrap();
    to_the_end(&mut game);
    assert_eq!(game.verify().unwrap(), Verified::Holds);
    game.reveal();
    assert!(matches!(game.lines().last(), Some(Line::End { secret: None, .. })), "the seed is open already");
    let text = game.journal();
    let taken = |n: u64| {
        let mut parsed = journal::parse(&text).unwrap();
        parsed.header.taken_over = n;
        Match::<Skirmish>::resume(battle(true), parsed, None).unwrap().0.verify()
    };
    assert_eq!(taken(2).unwrap(), Verified::HoldsAfter(2));
    let lines = text.lines().count() as u64 - 1;
    assert_eq!(taken(lines).unwrap(), Verified::HoldsAfter(lines));
    assert!(taken(lines + 1).unwrap_err().message.contains("`taken_over`"));
}

#[test]
fn another_system_edition_or_seed_is_not_resumed() {
    let text = at_the_table().journal();
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        let broken = resumed(&text.replace(from, to)).expect_err(to);
        (broken.line, broken.message)
    };
    let (line, said) = refused("\"system\":\"skirmish\"", "\"system\":\"parley\"");
    assert!(line == 1 && said.contains("`parley`") && said.contains("`skirmish`"), "{said}");
    let (line, said) = refused("\"edition\":\"1\"", "\"edition\":\"0\"");
    assert!(line == 1 && said.contains("edition 0") && said.contains("edition 1"), "{said}");
    let (line, said) = refused("\"do\":\"muster\"", "\"side\":\"first\",\"do\":\"muster\"");
    assert!(line == 2 && said.contains("muster"), "{said}");
    let headless = text.lines().next().unwrap();
    let broken = resumed(&format!("{headless}\n")).unwrap_err();
    assert!(broken.line == 2 && broken.message.contains("missing"), "{broken}");
    let dice = DiceOf::Seed("zz".into());
    let start = Match::<Skirmish>::start(battle(true), header(dice), None, &Throw::default());
    assert!(start.unwrap_err().contains("64 hexadecimal digits"));
}

#[test]
fn a_game_without_its_secret_can_be_looked_at_only() {
    let text = sealed_dice().journal();
    let (mut game, _) = resumed(&text).unwrap();
    let side = decides(&game);
    let error = game.act(side, "pass", &Throw::default()).unwrap_err();
    assert!(matches!(&error, ActError::Dice(why) if why.contains("secret")), "{error}");
}

#[test]
fn nothing_is_read_after_the_end() {
    let mut game = at_the_table();
    game.resign(Side::First).unwrap();
    game.reveal();
    let end = game.journal().lines().last().unwrap().to_owned();
    let (again, broken) = resumed(&format!("{}{end}\n", game.journal())).unwrap();
    assert_eq!(again.lines().len(), game.lines().len());
    assert!(broken.unwrap().message.contains("after the end"));
    assert_eq!(again.now(), Now::Over(Outcome::Won(Side::Second)));
}

#[test]
fn what_holds_of_a_broken_journal_is_what_was_taken_over() {
    let mut game = at_the_table();
    game.act(Side::First, "pass", &typed(&[])).unwrap();
    let mut parsed = journal::parse(&format!("{}castling\n", game.journal())).unwrap();
    parsed.header.taken_over = 9;
    let (again, broken) = Match::<Skirmish>::resume(battle(true), parsed, None).unwrap();
    assert_eq!((again.header().taken_over, broken.unwrap().line), (2, 4));
}

#[test]
fn a_resignation_can_be_taken_back_with_consent_only() {
    let mut game = at_the_table();
    game.act(Side::First, "pass", &typed(&[])).unwrap();
    game.resign(Side::First).unwrap();
    assert_eq!(game.undo_right(Side::First), Undo::ByConsent);
    game.undo(Side::First, true).unwrap();
    assert_eq!(decides(&game), Side::First);
}

#[test]
fn luck_is_what_came_against_what_was_due() {
    let mut game = at_the_table();
    game.act(Side::First, "fire ames cole", &typed(&[5, 6, 1, 4])).unwrap();
    game.act(Side::Second, "fire cole ames", &typed(&[1])).unwrap();
    game.act(Side::First, "seal 1", &typed(&[])).unwrap();
    game.act(Side::Second, "seal 3", &typed(&[2, 2])).unwrap();
    let told = game.moments().iter().enumerate().map(|(n, m)| (n as u64, m.entries.as_slice()));
    let luck = game::luck::of(told);
    let points: Vec<(u64, Side, u16)> = luck.points.iter().map(|p| (p.moment, p.side, p.came)).collect();
    // A volley of three, the test it caused, a volley of one; draws and dice that are added up do not count.
    assert_eq!(points, [(1, Side::First, 2), (1, Side::Second, 1), (2, Side::Second, 0)]);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    assert!(
        near(luck.points[0].due, 1.0) && near(luck.points[0].variance, 2.0 / 3.0),
        "{:?}",
        luck.points[0]
    );
    assert!(near(luck.sums.first.due, 1.0) && near(luck.sums.first.came, 2.0));
    assert!(near(luck.sums.second.due, 1.0) && near(luck.sums.second.came, 1.0));
    // Half a pass above the mean of deviation sqrt(2/3).
    assert!((luck.sums.first.so_much_or_more - 0.270_1).abs() < 1e-3, "{:?}", luck.sums.first);
    // One of two volleys and a test: (1 - 1/2) below the mean.
    assert!(luck.sums.second.so_much_or_more > 0.5);
    assert!(luck.score.is_none());
    let fair = game::luck::fair_score::<Skirmish>(game.battle(), game.moments());
    // Two hits where one was due, none where a third was, a point where the odds were 10 to 6 ... for the south.
    assert_eq!((fair.lead, fair.sampled), (1, 0));
    let swings: Vec<(u64, f64)> = fair.swings.iter().map(|s| (s.moment, s.lead)).collect();
    assert_eq!(swings.iter().map(|s| s.0).collect::<Vec<_>>(), [1, 2, 4]);
    assert!(near(swings[0].1, 1.0) && near(swings[1].1, 1.0 / 3.0), "{swings:?}");
    // 1 and a die against 3 and a die: the south leads in 26 of the 32 ways that are no tie.
    assert!(near(swings[2].1, -1.0 + 20.0 / 32.0), "{swings:?}");
    assert!(near(fair.fair, 1.0 - swings.iter().map(|s| s.1).sum::<f64>()));
}
