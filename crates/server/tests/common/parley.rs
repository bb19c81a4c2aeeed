//! A small system for testing what surrounds systems: each round both sides seal a number, then both are revealed and
//! a die is added; who has more scores, and may rest a few times before the next round.

use std::sync::Arc;

use catalogue::{OpenError, Scenario, System};
use game::board::{
    Ask, Board, Card, Ground, Offer, Overlay, Panel, Piece, PieceId, Place, Prompt, SideFace, TableGround,
    View,
};
use game::situation::{Fact, Unknown};
use game::{
    Book, BySide, Die, Display, Effects, Entry, Facts, Faults, Files, Judgement, Kind, Library, Notation,
    Now, Odds, Options, Outcome, Refusal, RollNote, Rule, RuleText, Rules, Side,
};
use serde::{Deserialize, Serialize};

const IDS: &[&str] = &["1.1", "1.2", "2.1"];
const SEAL: Rule = Rule::cited("1.1", IDS);
const ROLL: Rule = Rule::cited("1.2", IDS);
const REST: Rule = Rule::cited("2.1", IDS);

static BOOK: Book = Book {
    system: "parley",
    title: "Parley",
    rules: &[
        RuleText { id: SEAL, name: "Sealing", says: "Each side seals a number from 1 to 3.", clauses: 1 },
        RuleText { id: ROLL, name: "Rolling", says: "Each adds a die; the higher scores.", clauses: 1 },
        RuleText {
            id: REST,
            name: "Resting",
            says: "Who has scored may rest up to three times.",
            clauses: 1,
        },
    ],
};

#[derive(Debug)]
pub struct Parley;

#[derive(Debug)]
pub struct Battle {
    rounds: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step {
    Seal(Side),
    Reveal,
    Rest(Side),
}

/// A sealed number; 0 is one that the eyes may not see.
type Sealed = Option<u8>;

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    round: u8,
    step: Step,
    sealed: BySide<Sealed>,
    points: BySide<i32>,
    rests: u8,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    Seal(u8),
    Rest,
    Go,
}

impl Rules for Parley {
    type Battle = Battle;
    type State = State;
    type Action = Action;

    fn book() -> &'static Book {
        &BOOK
    }

    fn muster(_: &Battle) -> State {
        State {
            round: 0,
            step: Step::Seal(Side::First),
            sealed: BySide::default(),
            points: BySide::default(),
            rests: 0,
        }
    }

    fn now(battle: &Battle, state: &State) -> Now {
        if state.round >= battle.rounds {
            return Now::Over(match state.points.first.cmp(&state.points.second) {
                std::cmp::Ordering::Greater => Outcome::Won(Side::First),
                std::cmp::Ordering::Less => Outcome::Won(Side::Second),
                std::cmp::Ordering::Equal => Outcome::Drawn,
            });
        }
        match state.step {
            Step::Seal(side) | Step::Rest(side) => Now::Decides(side),
            Step::Reveal => Now::Decides(Side::First),
        }
    }

    fn offers(_: &Battle, state: &State, out: &mut Vec<Action>) {
        match state.step {
            Step::Seal(_) => out.extend((1..=3).map(Action::Seal)),
            Step::Rest(_) if state.rests < 3 => out.extend([Action::Rest, Action::Go]),
            Step::Rest(_) => out.push(Action::Go),
            Step::Reveal => {}
        }
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        let mut offers = Vec::new();
        Self::offers(battle, state, &mut offers);
        if offers.contains(action) {
            return Ok(());
        }
        Err(match (action, state.step) {
            (Action::Seal(n), Step::Seal(_)) => {
                Refusal::new(format!("Not {n}."), "Only 1, 2 or 3 can be sealed.", SEAL)
            }
            (Action::Rest, Step::Rest(_)) => Refusal::new("No more rest.", "Three times is all.", REST),
            _ => Refusal::off_turn("Something else must be decided first."),
        })
    }

    fn answer(_: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        match (action, state.step) {
            (Action::Seal(n), Step::Seal(side)) => {
                state.sealed[side] = Some(*n);
                let n = *n;
                fx.tell(|| Entry::new(Kind::Draw, format!("You seal {n}.")).side(side).only(side));
                fx.tell(|| Entry::new(Kind::Note, "A number is sealed.").side(side).rule(SEAL));
                state.step = match side {
                    Side::First => Step::Seal(Side::Second),
                    Side::Second => Step::Reveal,
                };
            }
            (Action::Rest, Step::Rest(side)) => {
                state.rests += 1;
                fx.tell(|| Entry::new(Kind::Rally, "Rest.").side(side).rule(REST));
            }
            _ => {
                state.rests = 0;
                state.round += 1;
                state.step = Step::Seal(Side::First);
            }
        }
    }

    fn step(_: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
        if state.step != Step::Reveal {
            return false;
        }
        fx.revealed();
        let total = BySide::from_fn(|side| {
            let sealed = state.sealed[side].unwrap_or(0);
            let face =
                fx.die(Die::D6, || RollNote::new(format!("{sealed} sealed, and a die"), ROLL).side(side));
            sealed + face
        });
        state.sealed = BySide::default();
        let winner = if total.first >= total.second { Side::First } else { Side::Second };
        state.points[winner] += 1;
        state.step = Step::Rest(winner);
        fx.tell(|| {
            Entry::new(Kind::Score, format!("{} to {}.", total.first, total.second)).side(winner).rule(ROLL)
        });
        true
    }

    fn seen_by(_: &Battle, state: &State, side: Side) -> State {
        let mut seen = state.clone();
        seen.sealed[!side] = seen.sealed[!side].map(|_| 0);
        seen
    }

    fn score(_: &Battle, state: &State) -> BySide<i32> {
        state.points
    }
}

impl Files for Parley {
    fn compile(source: &str, _: &dyn Library, options: &Options) -> Result<Battle, Faults> {
        let rounds = source.lines().find_map(|l| l.strip_prefix("rounds = ")?.trim().parse().ok());
        // A scenario that takes its time, as one with too many corners would.
        let slow = source.lines().find_map(|l| l.strip_prefix("slow = ")?.trim().parse().ok());
        let until = std::time::Instant::now() + std::time::Duration::from_secs(slow.unwrap_or(0));
        while std::time::Instant::now() < until {
            std::hint::spin_loop();
        }
        let mut faults = Faults::new();
        if rounds.is_none() {
            let written = source.find("rounds = ").map(|at| at + "rounds = ".len());
            let place = written.map_or(0..source.len().min(6), |at| at..source.trim_end().len());
            faults.add(place, "there is no number of rounds", "rounds = 12");
        }
        let rounds = if options.get("short").copied().unwrap_or(false) { Some(1) } else { rounds };
        faults.or(|| Battle { rounds: rounds.unwrap_or(1) })
    }

    fn position(battle: &Battle, _: &str) -> Result<State, Faults> {
        Ok(Self::muster(battle))
    }
}

impl Notation for Parley {
    fn write(_: &Battle, action: &Action) -> String {
        match action {
            Action::Seal(n) => format!("seal {n}"),
            Action::Rest => "rest".into(),
            Action::Go => "go".into(),
        }
    }

    fn read(_: &Battle, _: &State, notation: &str) -> Result<Action, String> {
        match notation.split_once(' ') {
            None if notation == "rest" => Ok(Action::Rest),
            None if notation == "go" => Ok(Action::Go),
            None if notation == "explode" => panic!("a system with a mistake in it"),
            Some(("seal", n)) => n.parse().map(Action::Seal).map_err(|_| "expected a number to seal".into()),
            _ => Err("expected `seal <number>`, `rest` or `go`".into()),
        }
    }
}

impl Facts for Parley {
    fn fact(_: &Battle, _: &State, name: &str) -> Result<Fact, Unknown> {
        Err(Unknown::fact(name))
    }
}

impl Display for Parley {
    fn board(_: &Battle) -> Board {
        let side = |id: &str, livery: &str| SideFace::new(id, id, livery);
        Board {
            system: "Parley".into(),
            title: "The Oak".into(),
            subtitle: String::new(),
            blurb: "Two envoys under an oak.".into(),
            sides: BySide { first: side("north", "dark"), second: side("south", "light") },
            ground: Ground::Table(TableGround { width: 12_000, depth: 12_000, terrain: Vec::new() }),
            charts: Vec::new(),
            options: Vec::new(),
            overlays: Vec::new(),
        }
    }

    fn view(_: &Battle, state: &State, _: game::Eyes) -> View {
        let piece = |side: Side| Piece {
            id: PieceId(side.index() as u16),
            slug: format!("envoy{}", side.index()),
            side,
            name: "Envoy".into(),
            byname: None,
            arm: "leader".into(),
            band: None,
            place: Place::Box("oak".into()),
            footprint: None,
            big: state.points[side].to_string(),
            small: Vec::new(),
            gauge: None,
            figures: Vec::new(),
            state: None,
            badges: Vec::new(),
            spent: false,
            hidden: false,
            livery: None,
        };
        let cards = |side: Side| Panel::Cards {
            title: "Sealed".into(),
            side,
            cards: state.sealed[side]
                .map(|n| Card {
                    name: if n == 0 { "?".into() } else { format!("number {n}") },
                    art: String::new(),
                    note: String::new(),
                    open: true,
                    chosen: true,
                    face_down: n == 0,
                    rule: None,
                })
                .into_iter()
                .collect(),
        };
        View {
            pieces: Side::BOTH.map(piece).to_vec(),
            marks: Vec::new(),
            track: Vec::new(),
            phases: Vec::new(),
            panels: Side::BOTH.map(cards).to_vec(),
            score: state.points,
            tally: Vec::new(),
            combat: None,
        }
    }

    fn prompt(_: &Battle, state: &State) -> Prompt {
        let (side, kind, sentence, rule) = match state.step {
            Step::Seal(side) => (side, "seal", "Which number do you seal?", SEAL),
            Step::Rest(side) => (side, "rest", "Rest or go on?", REST),
            Step::Reveal => (Side::First, "reveal", "", ROLL),
        };
        Prompt { side, kind: kind.into(), sentence: sentence.into(), detail: String::new(), rule }
    }

    fn offer(battle: &Battle, _: &State, action: &Action) -> Offer {
        let notation = Self::write(battle, action);
        let verb = notation.split(' ').next().unwrap_or("").to_owned();
        Offer::new(notation.clone(), verb, notation)
    }

    fn overlay(_: &Battle, state: &State, _: &Ask) -> Overlay {
        Overlay { note: format!("{:?}", state.sealed), ..Overlay::default() }
    }
}

impl Odds for Parley {}

impl Judgement for Parley {
    fn turn(_: &Battle, state: &State) -> u32 {
        u32::from(state.round)
    }

    fn worth(_: &Battle, state: &State, side: Side) -> i32 {
        100 * (state.points[side] - state.points[!side])
    }
}

/// A library with Parley alone.
#[derive(Debug)]
pub struct Oak;

pub const OAK: &str = "parley/oak";
const TEXT: &str = "system = \"parley\"\nrounds = 12\n";
/// One that no test plays to its end.
pub const LONG: &str = "parley/avenue";
const LONG_TEXT: &str = "system = \"parley\"\nrounds = 250\n";

impl server::Books for Oak {
    fn systems(&self) -> Vec<&'static dyn System> {
        vec![catalogue::erase::<Parley>()]
    }

    fn scenario_ids(&self) -> Vec<String> {
        vec![OAK.into()]
    }

    fn open(&self, id: &str, options: &Options) -> Result<Arc<dyn Scenario>, OpenError> {
        match id {
            OAK => self.open_text(id, TEXT, options),
            LONG => self.open_text(id, LONG_TEXT, options),
            _ => Err(OpenError::Unknown(id.into())),
        }
    }

    fn open_text(&self, id: &str, text: &str, options: &Options) -> Result<Arc<dyn Scenario>, OpenError> {
        let opened = catalogue::erase::<Parley>().compile(id, text, options);
        opened.map_err(|faults| OpenError::Faults { report: faults.report(id, text), faults })
    }
}
