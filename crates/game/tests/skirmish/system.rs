//! A skirmish on a row of hexes. Each turn both sides fire (whoever is hit tests morale and may flee), rally those who
//! fled, then seal a number each; numbers and dice decide who gains a point, and a tie is rolled again. A side with one
//! unit left can seal nothing but 1.

use game::board::{
    Ask, Board, Gauge, Ground, Offer, Overlay, Piece, Place, Prompt, SideFace, TableGround, View,
};
use game::odds::{Fate, Standing, Suffered, Tone, Verdict};
use game::situation::{self, Fact, Unknown};
use game::{
    Book, BySide, Die, Display, Effects, Entry, Eyes, Facts, Faults, Files, Judgement, Kind, Library,
    Modifier, Notation, Now, Odds, Options, Outcome, PieceId, Refusal, RollNote, Rule, RuleText, Rules, Side,
    Test, read,
};
use serde::{Deserialize, Serialize};

const IDS: &[&str] = &["1.a", "1.b", "1.c", "2.a", "3.a", "4.a", "4.b"];
pub(crate) const FIRE: Rule = Rule::cited("1.a", IDS);
const FAR: Rule = Rule::cited("1.b", IDS);
const RANGE: Rule = Rule::cited("1.c", IDS);
const MORALE: Rule = Rule::cited("2.a", IDS);
const RALLY: Rule = Rule::cited("3.a", IDS);
const SEAL: Rule = Rule::cited("4.a", IDS);
const REVEAL: Rule = Rule::cited("4.b", IDS);

const fn text(id: Rule, name: &'static str) -> RuleText {
    RuleText { id, name, says: "", clauses: if matches!(id.id().as_bytes(), b"1.c") { 2 } else { 1 } }
}

static BOOK: Book = Book {
    system: "skirmish",
    title: "Skirmish",
    rules: &[
        text(FIRE, "Fire"),
        text(FAR, "Far targets"),
        text(RANGE, "Range"),
        text(MORALE, "Morale"),
        text(RALLY, "Rally"),
        text(SEAL, "Sealing"),
        text(REVEAL, "Revealing"),
    ],
};

#[derive(Debug)]
pub(crate) struct Skirmish;

#[derive(Debug)]
pub(crate) struct Battle {
    turns: u8,
    pub(crate) units: Vec<Sheet>,
}

#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) slug: String,
    pub(crate) side: Side,
    men: u8,
    hex: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Phase {
    /// Lots decide who begins.
    Lots,
    Fire(Side),
    Morale(Side),
    Rally(Side),
    Seal(Side),
    Reveal,
    /// The turn ends; what was revealed is forgotten.
    Close,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Unit {
    pub(crate) men: u8,
    pub(crate) hex: u8,
    pub(crate) routed: bool,
    tests: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) turn: u8,
    pub(crate) phase: Phase,
    pub(crate) begins: Side,
    pub(crate) units: Vec<Unit>,
    /// Sealed numbers; 0 is one that the eyes may not see.
    pub(crate) sealed: BySide<Option<u8>>,
    /// By how much the first side had more when numbers were last revealed.
    pub(crate) lead: Option<i8>,
    pub(crate) points: BySide<i32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Action {
    Fire(usize, usize),
    Rally(usize),
    Seal(u8),
    Pass,
}

impl Battle {
    fn of(&self, side: Side) -> impl Iterator<Item = usize> + '_ {
        (0..self.units.len()).filter(move |&u| self.units[u].side == side)
    }
}

impl State {
    fn on(&self, unit: usize) -> bool {
        self.units[unit].men > 0
    }

    fn apart(&self, a: usize, b: usize) -> u8 {
        self.units[a].hex.abs_diff(self.units[b].hex)
    }
}

/// A unit hits on this or more at that distance.
fn need(apart: u8) -> i16 {
    5 + i16::from(apart > 2)
}

const REACH: u8 = 4;

fn over(battle: &Battle, state: &State) -> bool {
    let beaten = |side| !battle.of(side).any(|u| state.on(u));
    state.turn > battle.turns || beaten(Side::First) || beaten(Side::Second)
}

fn flees(battle: &Battle, state: &mut State, unit: usize) {
    let away: i8 = if battle.units[unit].side == Side::First { -1 } else { 1 };
    let runs = &mut state.units[unit];
    runs.hex = runs.hex.saturating_add_signed(away);
    runs.routed = true;
}

impl Rules for Skirmish {
    type Battle = Battle;
    type State = State;
    type Action = Action;

    fn book() -> &'static Book {
        &BOOK
    }

    fn muster(battle: &Battle) -> State {
        State {
            turn: 1,
            phase: Phase::Lots,
            begins: Side::First,
            units: battle
                .units
                .iter()
                .map(|u| Unit { men: u.men, hex: u.hex, routed: false, tests: false })
                .collect(),
            sealed: BySide::default(),
            lead: None,
            points: BySide::default(),
        }
    }

    fn now(battle: &Battle, state: &State) -> Now {
        if over(battle, state) {
            return Now::Over(match state.points.first.cmp(&state.points.second) {
                std::cmp::Ordering::Greater => Outcome::Won(Side::First),
                std::cmp::Ordering::Less => Outcome::Won(Side::Second),
                std::cmp::Ordering::Equal => Outcome::Drawn,
            });
        }
        match state.phase {
            Phase::Fire(side) | Phase::Rally(side) | Phase::Seal(side) => Now::Decides(side),
            Phase::Lots | Phase::Morale(_) | Phase::Reveal | Phase::Close => Now::Decides(Side::First),
        }
    }

    fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
        let every = battle.of(Side::First).chain(battle.of(Side::Second));
        match state.phase {
            _ if over(battle, state) => {}
            Phase::Fire(_) => {
                let pairs = every.flat_map(|u| (0..battle.units.len()).map(move |t| Action::Fire(u, t)));
                out.extend(pairs.filter(|action| Self::check(battle, state, action).is_ok()));
                out.push(Action::Pass);
            }
            Phase::Rally(_) => {
                out.extend(every.map(Action::Rally).filter(|a| Self::check(battle, state, a).is_ok()));
                out.push(Action::Pass);
            }
            Phase::Seal(side) => out.extend((1..=highest(battle, state, side)).map(Action::Seal)),
            Phase::Lots | Phase::Morale(_) | Phase::Reveal | Phase::Close => {}
        }
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        let refuse = |why: &str, rule| Err(Refusal::new("Not now.", why, rule));
        match (action, state.phase) {
            (&Action::Fire(unit, target), Phase::Fire(side)) => {
                let (from, at) = (&battle.units[unit], &battle.units[target]);
                if from.side != side || at.side == side || !state.on(unit) || !state.on(target) {
                    refuse("Own units fire at the enemy's.", FIRE)
                } else if state.units[unit].routed {
                    refuse("It has fled.", RALLY)
                } else if state.apart(unit, target) > REACH {
                    refuse("That is too far.", RANGE)
                } else {
                    Ok(())
                }
            }
            (&Action::Rally(unit), Phase::Rally(side)) => {
                match battle.units[unit].side == side && state.on(unit) && state.units[unit].routed {
                    true => Ok(()),
                    false => refuse("It has not fled.", RALLY),
                }
            }
            (&Action::Seal(n), Phase::Seal(side)) => match (1..=highest(battle, state, side)).contains(&n) {
                true => Ok(()),
                false => refuse("Only 1 to 3.", SEAL),
            },
            (Action::Pass, Phase::Fire(_) | Phase::Rally(_)) => Ok(()),
            _ => Err(Refusal::off_turn("Something else must be decided first.")),
        }
    }

    fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        match (action, state.phase) {
            (&Action::Fire(unit, target), Phase::Fire(side)) => {
                let apart = state.apart(unit, target);
                let hits = fx.count(state.units[unit].men, Test::at_least(Die::D6, need(apart)), || {
                    let far = if apart > 2 { vec![Modifier::new(1, "far", FAR)] } else { Vec::new() };
                    RollNote::new(format!("{} fires", battle.units[unit].slug), FIRE)
                        .side(side)
                        .by(PieceId(unit as u16))
                        .at(PieceId(target as u16))
                        .modifiers(far)
                });
                let hit = &mut state.units[target];
                let lost = hits.min(hit.men);
                hit.men -= lost;
                hit.tests = lost > 0;
                state.points[side] += i32::from(lost);
                state.phase = Phase::Morale(side);
            }
            (&Action::Rally(unit), Phase::Rally(side)) => {
                let note = || RollNote::new("rallies", RALLY).side(side).by(PieceId(unit as u16));
                if fx.total(2, Die::D6, note) >= 7 {
                    state.units[unit].routed = false;
                }
                state.phase = next(state, side);
            }
            (&Action::Seal(n), Phase::Seal(side)) => {
                state.sealed[side] = Some(n);
                fx.tell(|| Entry::new(Kind::Draw, format!("You seal {n}.")).side(side).only(side));
                fx.tell(|| Entry::new(Kind::Note, "A number is sealed.").side(side).rule(SEAL));
                state.phase = if side == state.begins { Phase::Seal(!side) } else { Phase::Reveal };
            }
            (Action::Pass, Phase::Fire(side)) => state.phase = Phase::Morale(side),
            (Action::Pass, Phase::Rally(side)) => state.phase = next(state, side),
            _ => {}
        }
    }

    fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
        if over(battle, state) {
            return false;
        }
        match state.phase {
            Phase::Lots => {
                let lot = fx.draw(2, || RollNote::new("Lots are drawn", SEAL));
                state.begins = Side::BOTH[lot];
                state.phase = Phase::Fire(state.begins);
            }
            Phase::Morale(side) => match (0..state.units.len()).find(|&u| state.units[u].tests) {
                Some(unit) => {
                    state.units[unit].tests = false;
                    let owner = battle.units[unit].side;
                    let note = || RollNote::new("tests", MORALE).side(owner).by(PieceId(unit as u16));
                    if state.on(unit) && !fx.passes(Test::at_least(Die::D6, 3), note) {
                        flees(battle, state, unit);
                    }
                }
                None => state.phase = Phase::Rally(side),
            },
            Phase::Rally(side) if !battle.of(side).any(|u| state.on(u) && state.units[u].routed) => {
                state.phase = next(state, side);
            }
            Phase::Reveal => {
                fx.revealed();
                let total = BySide::from_fn(|side| {
                    let note = || RollNote::new("a number and a die", REVEAL).side(side);
                    state.sealed[side].unwrap_or(0) + fx.die(Die::D6, note)
                });
                let lead = total.first as i8 - total.second as i8;
                // A tie is rolled again.
                if lead != 0 {
                    state.lead = Some(lead);
                    state.points[if lead > 0 { Side::First } else { Side::Second }] += 1;
                    state.sealed = BySide::default();
                    state.phase = Phase::Close;
                }
            }
            Phase::Close => {
                state.lead = None;
                state.turn += 1;
                state.phase = Phase::Fire(state.begins);
            }
            Phase::Fire(_) | Phase::Rally(_) | Phase::Seal(_) => return false,
        }
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

/// The highest number that `side` may seal.
fn highest(battle: &Battle, state: &State, side: Side) -> u8 {
    if battle.of(side).filter(|&u| state.on(u)).count() > 1 { 3 } else { 1 }
}

/// After `side` has fired and rallied.
fn next(state: &State, side: Side) -> Phase {
    if side == state.begins { Phase::Fire(!side) } else { Phase::Seal(state.begins) }
}

fn unit_of(battle: &Battle, slug: &str) -> Result<usize, Unknown> {
    let slugs = || battle.units.iter().map(|u| u.slug.as_str());
    slugs().position(|known| known == slug).ok_or_else(|| Unknown::new(slug, "a unit", slugs()))
}

impl Files for Skirmish {
    fn compile(source: &str, _: &dyn Library, options: &Options) -> Result<Battle, Faults> {
        read::document(source, |sheet| {
            sheet.ignore(situation::KEYS);
            let turns = sheet.field("turns").required().integer(1..=9);
            let units = sheet.field("unit").sections();
            let units = units.iter().map(|unit| {
                let side = unit.field("side").required().one_of(&["north", "south"]);
                let men = unit.field("men").required().integer(1..=9);
                let hex = unit.field("hex").required().integer(0..=20);
                let slug = unit.field("id").required().id();
                unit.finish();
                Some(Sheet { slug: slug?, side: Side::BOTH[side?], men: men? as u8, hex: hex? as u8 })
            });
            let units: Option<Vec<_>> = units.collect();
            let short = options.get("short").copied().unwrap_or(false);
            sheet.finish();
            Some(Battle { turns: if short { 1 } else { turns? as u8 }, units: units? })
        })
    }

    fn position(battle: &Battle, position: &str) -> Result<State, Faults> {
        let mut state = Self::muster(battle);
        read::document(position, |sheet| {
            sheet.leave();
            let fields = sheet.field("position").section()?;
            for (slug, field) in fields.entries() {
                let (Ok(unit), Some(section)) = (unit_of(battle, &slug), field.section()) else {
                    field.fault(format!("there is no unit `{slug}`"), "a unit");
                    continue;
                };
                let here = &mut state.units[unit];
                here.men = section.field("men").integer(0..=9).map_or(here.men, |n| n as u8);
                here.hex = section.field("hex").integer(0..=20).map_or(here.hex, |n| n as u8);
                here.routed = section.field("routed").truth().unwrap_or(false);
            }
            Some(())
        })?;
        Ok(state)
    }
}

impl Notation for Skirmish {
    fn write(battle: &Battle, action: &Action) -> String {
        let slug = |unit: &usize| &battle.units[*unit].slug;
        match action {
            Action::Fire(unit, target) => format!("fire {} {}", slug(unit), slug(target)),
            Action::Rally(unit) => format!("rally {}", slug(unit)),
            Action::Seal(n) => format!("seal {n}"),
            Action::Pass => "pass".into(),
        }
    }

    fn read(battle: &Battle, _: &State, notation: &str) -> Result<Action, String> {
        let unit = |slug: &str| unit_of(battle, slug).map_err(|unknown| unknown.to_string());
        match *notation.split(' ').collect::<Vec<_>>().as_slice() {
            ["fire", from, at] => Ok(Action::Fire(unit(from)?, unit(at)?)),
            ["rally", slug] => unit(slug).map(Action::Rally),
            ["seal", n] => n.parse().map(Action::Seal).map_err(|_| "expected a number".into()),
            ["pass"] => Ok(Action::Pass),
            _ => Err("expected `fire UNIT TARGET`, `rally UNIT`, `seal N` or `pass`".into()),
        }
    }
}

impl Facts for Skirmish {
    fn fact(battle: &Battle, state: &State, name: &str) -> Result<Fact, Unknown> {
        let (slug, what) = name.split_once('.').unwrap_or((name, ""));
        if slug == "score" {
            let side = ["north", "south"].iter().position(|id| *id == what);
            let side = side.ok_or_else(|| Unknown::new(what, "a side", ["north", "south"]))?;
            return Ok(Fact::Number(state.points[Side::BOTH[side]].into()));
        }
        let unit = &state.units[unit_of(battle, slug)?];
        match what {
            "men" => Ok(i64::from(unit.men).into()),
            "hex" => Ok(unit.hex.to_string().into()),
            "routed" => Ok(unit.routed.into()),
            _ => Err(Unknown::new(what, "a fact of a unit", ["men", "hex", "routed"])),
        }
    }

    fn upcoming(battle: &Battle, state: &State) -> Option<&'static str> {
        let routed = |side| battle.of(side).any(|u| state.on(u) && state.units[u].routed);
        match state.phase {
            Phase::Lots => Some("lots"),
            Phase::Morale(_) if state.units.iter().any(|u| u.tests) => Some("morale"),
            Phase::Rally(side) if !routed(side) => Some("rally"),
            Phase::Reveal => Some("reveal"),
            _ => None,
        }
    }

    fn stops() -> &'static [&'static str] {
        &["lots", "morale", "rally", "reveal"]
    }

    fn kinds() -> &'static [&'static str] {
        &["fire", "rally", "seal"]
    }
}

impl Display for Skirmish {
    fn board(_: &Battle) -> Board {
        let side = |id: &str, livery: &str| SideFace::new(id, id, livery);
        Board {
            system: "Skirmish".into(),
            title: "The Row".into(),
            subtitle: String::new(),
            blurb: String::new(),
            sides: BySide { first: side("north", "dark"), second: side("south", "light") },
            ground: Ground::Table(TableGround { width: 12_000, depth: 12_000, terrain: Vec::new() }),
            charts: Vec::new(),
            options: Vec::new(),
            overlays: Vec::new(),
        }
    }

    fn view(battle: &Battle, state: &State, _: Eyes) -> View {
        let piece = |(index, sheet): (usize, &Sheet)| {
            let unit = &state.units[index];
            let place = match unit.men {
                0 => Place::Box("lost".into()),
                _ => Place::Hex(unit.hex.to_string()),
            };
            Piece {
                id: PieceId(index as u16),
                slug: sheet.slug.clone(),
                side: sheet.side,
                name: sheet.slug.clone(),
                byname: None,
                arm: "foot".into(),
                band: None,
                place,
                footprint: None,
                big: unit.men.to_string(),
                small: Vec::new(),
                gauge: Some(Gauge { whole: unit.men, hurt: 0, lost: sheet.men.saturating_sub(unit.men) }),
                figures: Vec::new(),
                state: unit.routed.then(|| "routed".into()),
                badges: Vec::new(),
                spent: false,
                hidden: false,
                livery: None,
            }
        };
        View {
            pieces: battle.units.iter().enumerate().map(piece).collect(),
            marks: Vec::new(),
            track: Vec::new(),
            phases: Vec::new(),
            panels: Vec::new(),
            score: state.points,
            tally: Vec::new(),
            combat: None,
        }
    }

    fn prompt(_: &Battle, state: &State) -> Prompt {
        let (side, kind, sentence, rule) = match state.phase {
            Phase::Fire(side) => (side, "fire", "Who fires?", FIRE),
            Phase::Rally(side) => (side, "rally", "Who rallies?", RALLY),
            Phase::Seal(side) => (side, "seal", "Which number do you seal?", SEAL),
            Phase::Lots | Phase::Morale(_) | Phase::Reveal | Phase::Close => (Side::First, "", "", SEAL),
        };
        Prompt { side, kind: kind.into(), sentence: sentence.into(), detail: String::new(), rule }
    }

    fn offer(battle: &Battle, _: &State, action: &Action) -> Offer {
        let notation = Self::write(battle, action);
        let verb = notation.split(' ').next().unwrap_or("").to_owned();
        let offer = Offer::new(notation.clone(), verb, notation);
        Offer { button: *action == Action::Pass, ..offer }
    }

    fn overlay(_: &Battle, _: &State, _: &Ask) -> Overlay {
        Overlay::default()
    }
}

impl Odds for Skirmish {
    /// Fire and all that it sets off, up to the end of the rally.
    fn affair(_: &Battle, state: &State) -> Option<u32> {
        match state.phase {
            Phase::Morale(side) | Phase::Rally(side) => Some(u32::from(state.turn) * 2 + side.index() as u32),
            _ => None,
        }
    }

    fn fate(_: &Battle, _: &State, after: &State, piece: PieceId, was: &Standing, is: &Standing) -> Fate {
        match after.units[usize::from(piece.0)].routed && is.place != was.place {
            true => Fate::new("flees", Tone::Yields),
            false => Fate::of_standings(was, is),
        }
    }

    fn is_open(_: &Battle, state: &State) -> bool {
        matches!(state.phase, Phase::Fire(_))
    }

    fn scene(_: &Battle, state: &State) -> u32 {
        let place = |side: Side| if side == state.begins { 0 } else { 3 };
        let nth = match state.phase {
            Phase::Lots => 0,
            Phase::Fire(side) => 1 + place(side),
            Phase::Morale(side) => 2 + place(side),
            Phase::Rally(side) => 3 + place(side),
            Phase::Seal(_) => 7,
            Phase::Reveal | Phase::Close => 8,
        };
        u32::from(state.turn) * 10 + nth
    }

    fn scene_name(_: &Battle, state: &State) -> &'static str {
        match state.phase {
            Phase::Lots => "lots",
            Phase::Fire(_) => "fire",
            Phase::Morale(_) => "morale",
            Phase::Rally(_) => "rally",
            Phase::Seal(_) | Phase::Reveal | Phase::Close => "numbers",
        }
    }

    fn sealed(_: &Battle, state: &State) -> Option<BySide<Vec<Action>>> {
        let choices = || (1..=3).map(Action::Seal).collect();
        matches!(state.phase, Phase::Seal(_)).then(|| BySide { first: choices(), second: choices() })
    }

    fn unsealed(_: &Battle, state: &State, choices: BySide<&Action>) -> State {
        let sealed = choices.map(|action| match action {
            Action::Seal(n) => Some(*n),
            _ => None,
        });
        State { sealed, lead: None, phase: Phase::Reveal, ..state.clone() }
    }

    fn verdict(_: &Battle, state: &State) -> Option<Verdict> {
        let lead = i32::from(state.lead?);
        let suffers = |pain: i32| Suffered { pain: pain.max(0), says: format!("−{}", pain.max(0)) };
        Some(Verdict {
            clash: "two numbers".into(),
            suffers: BySide { first: suffers(-lead), second: suffers(lead) },
        })
    }
}

impl Judgement for Skirmish {
    fn turn(_: &Battle, state: &State) -> u32 {
        u32::from(state.turn)
    }

    fn worth(_: &Battle, state: &State, side: Side) -> i32 {
        100 * (state.points[side] - state.points[!side])
    }

    /// Fire at the strongest, and rather than not at all.
    fn promise(_: &Battle, state: &State, action: &Action) -> i32 {
        match *action {
            Action::Fire(_, target) => i32::from(state.units[target].men),
            Action::Rally(_) => 1,
            Action::Seal(_) | Action::Pass => 0,
        }
    }
}

/// A library without anything in it.
pub(crate) struct Nothing;

impl Library for Nothing {
    fn survey(&self, _: &str) -> Option<String> {
        None
    }

    fn scenario(&self, id: &str) -> Option<String> {
        (id == "skirmish/row").then(|| ROW.to_owned())
    }
}

/// Two units a side.
pub(crate) const ROW: &str = r#"
system = "skirmish"
turns = 3
unit = [
  { id = "ames", side = "north", men = 3, hex = 5 },
  { id = "bell", side = "north", men = 2, hex = 4 },
  { id = "cole", side = "south", men = 3, hex = 6 },
  { id = "dunn", side = "south", men = 2, hex = 9 },
]
"#;
