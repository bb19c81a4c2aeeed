//! Foray, a game of a page for testing players: in each turn one side decides three times, then the other. To grab is a
//! point at once, to dig is three at the end of the side's half of the turn, to dare is a throw of the dice that does not
//! pay. Each side has a card that the other does not see; it counts at the end.
#![allow(dead_code, unreachable_pub)]

use std::cmp::Ordering;

use game::board::{Ask, Board, Ground, Offer, Overlay, Prompt, SideFace, TableGround, View};
use game::dice::Die;
use game::situation::{Fact, Unknown};
use game::{
    Book, BySide, Display, Effects, Eyes, Facts, Faults, Files, Foresight, Judgement, Library, Notation, Now,
    Odds, Options, Outcome, Refusal, RollNote, Rule, RuleText, Rules, Side,
};
use serde::{Deserialize, Serialize};

const IDS: &[&str] = &["1"];
const RULE: Rule = Rule::cited("1", IDS);
static BOOK: Book = Book {
    system: "foray",
    title: "Foray",
    rules: &[RuleText { id: RULE, name: "Raiding", says: "Grab, dig or dare.", clauses: 1 }],
};
const TURNS: u8 = 4;
const EACH: u8 = 3;

#[derive(Debug)]
pub struct Foray;

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    turn: u8,
    mover: Side,
    left: u8,
    dug: i32,
    points: BySide<i32>,
    pub cards: BySide<i32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Grab,
    Dig,
    Dare,
}

const ALL: [(Action, &str); 3] = [(Action::Grab, "grab"), (Action::Dig, "dig"), (Action::Dare, "dare")];

impl Rules for Foray {
    type Battle = ();
    type State = State;
    type Action = Action;

    fn book() -> &'static Book {
        &BOOK
    }

    fn muster((): &()) -> State {
        let (points, cards) = (BySide::default(), BySide { first: 1, second: 1 });
        State { turn: 1, mover: Side::First, left: EACH, dug: 0, points, cards }
    }

    fn now((): &(), state: &State) -> Now {
        if state.turn <= TURNS {
            return Now::Decides(state.mover);
        }
        let score = Self::score(&(), state);
        Now::Over(match score.first.cmp(&score.second) {
            Ordering::Greater => Outcome::Won(Side::First),
            Ordering::Less => Outcome::Won(Side::Second),
            Ordering::Equal => Outcome::Drawn,
        })
    }

    fn offers((): &(), _: &State, out: &mut Vec<Action>) {
        out.extend(ALL.map(|(action, _)| action));
    }

    fn check((): &(), state: &State, _: &Action) -> Result<(), Refusal> {
        if state.turn <= TURNS { Ok(()) } else { Err(Refusal::off_turn("It is over.")) }
    }

    fn answer((): &(), state: &mut State, action: &Action, fx: &mut impl Effects) {
        match action {
            Action::Grab => state.points[state.mover] += 1,
            Action::Dig => state.dug += 3,
            Action::Dare => {
                let face = fx.die(Die::D6, || RollNote::new("A dare", RULE));
                state.points[state.mover] += if face == 6 { 4 } else { -2 };
            }
        }
        state.left -= 1;
    }

    fn step((): &(), state: &mut State, _: &mut impl Effects) -> bool {
        if state.left > 0 || state.turn > TURNS {
            return false;
        }
        state.points[state.mover] += std::mem::take(&mut state.dug);
        state.turn += u8::from(state.mover == Side::Second);
        (state.mover, state.left) = (!state.mover, EACH);
        true
    }

    fn seen_by((): &(), state: &State, side: Side) -> State {
        let mut seen = state.clone();
        seen.cards[!side] = 0;
        seen
    }

    fn score((): &(), state: &State) -> BySide<i32> {
        BySide::from_fn(|side| state.points[side] + if state.turn > TURNS { state.cards[side] } else { 0 })
    }
}

impl Files for Foray {
    fn compile(_: &str, _: &dyn Library, _: &Options) -> Result<(), Faults> {
        Ok(())
    }

    fn position((): &(), _: &str) -> Result<State, Faults> {
        Ok(Self::muster(&()))
    }
}

impl Notation for Foray {
    fn write((): &(), action: &Action) -> String {
        ALL.into_iter().find(|(known, _)| known == action).map_or("", |(_, word)| word).to_owned()
    }

    fn read((): &(), _: &State, notation: &str) -> Result<Action, String> {
        let found = ALL.into_iter().find(|(_, word)| *word == notation);
        found.map(|(action, _)| action).ok_or_else(|| "grab, dig or dare".to_owned())
    }
}

impl Facts for Foray {
    fn fact((): &(), _: &State, name: &str) -> Result<Fact, Unknown> {
        Err(Unknown::fact(name))
    }

    /// Not true of every game, so that tests see it broken.
    fn invariant((): &(), state: &State) -> Result<(), String> {
        match Side::BOTH.iter().all(|side| state.points[*side] < 12) {
            true => Ok(()),
            false => Err("a side has a dozen points".into()),
        }
    }
}

impl Display for Foray {
    fn board((): &()) -> Board {
        let side = |id: &str| SideFace::new(id, id, "dark");
        Board {
            system: "Foray".into(),
            title: "Foray".into(),
            subtitle: String::new(),
            blurb: String::new(),
            sides: BySide { first: side("north"), second: side("south") },
            ground: Ground::Table(TableGround { width: 12_000, depth: 12_000, terrain: Vec::new() }),
            charts: Vec::new(),
            options: Vec::new(),
            overlays: Vec::new(),
        }
    }

    fn view((): &(), state: &State, _: Eyes) -> View {
        View {
            pieces: Vec::new(),
            marks: Vec::new(),
            track: Vec::new(),
            phases: Vec::new(),
            panels: Vec::new(),
            score: state.points,
            tally: Vec::new(),
            combat: None,
        }
    }

    fn prompt((): &(), state: &State) -> Prompt {
        let (kind, sentence) = ("raid".to_owned(), "What do the raiders do?".to_owned());
        Prompt { side: state.mover, kind, sentence, detail: String::new(), rule: RULE }
    }

    fn offer((): &(), _: &State, action: &Action) -> Offer {
        let word = Self::write(&(), action);
        Offer::new(word.clone(), word.clone(), word)
    }

    fn overlay((): &(), _: &State, _: &Ask) -> Overlay {
        Overlay::default()
    }
}

impl Odds for Foray {}

impl Judgement for Foray {
    const FORESIGHT: Foresight = Foresight::PlayerTurns(1);

    fn turn((): &(), state: &State) -> u32 {
        u32::from(state.turn)
    }

    fn player_turn((): &(), state: &State) -> u32 {
        2 * u32::from(state.turn) + u32::from(state.mover == Side::Second)
    }

    /// Points alone, the cards included: who looks one decision ahead never digs, and who peeped would be found out.
    fn worth((): &(), state: &State, side: Side) -> i32 {
        let total = |side: Side| state.points[side] + state.cards[side] * state.cards[side] * 10;
        100 * (total(side) - total(!side))
    }
}
