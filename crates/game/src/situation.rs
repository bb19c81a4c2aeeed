//! Situations: a position, the dice to come, the actions to play, and what must then hold. The manual's page on
//! situations describes the file.

use std::fmt;
use std::ops::Range;

use toml::de::DeValue;

use crate::dice::{Need, Recorder, ScriptedDice};
use crate::faults::{Faults, clip};
use crate::log::Roll;
use crate::read::{self, Field, Section};
use crate::{Chronicle, Entry, Eyes, Fx, Library, Now, Options, Outcome, PieceId, Side, System};

/// The keys of a situation file that belong to the situation and not to the scenario written in the same file.
pub const KEYS: &[&str] =
    &["system", "title", "proves", "note", "scenario", "options", "position", "otherwise", "step"];

/// A named fact of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// A number.
    Number(i64),
    /// Yes or no.
    Truth(bool),
    /// A word or a sentence.
    Text(String),
    /// Several, in no order that matters.
    Set(Vec<String>),
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Number(n) => write!(f, "{n}"),
            Fact::Truth(t) => write!(f, "{t}"),
            Fact::Text(t) => write!(f, "{t:?}"),
            Fact::Set(s) => write!(f, "{s:?}"),
        }
    }
}

impl Fact {
    fn same_as(&self, other: &Fact) -> bool {
        match (self, other) {
            (Fact::Set(a), Fact::Set(b)) => sorted(a) == sorted(b),
            (Fact::Set(a), Fact::Text(b)) | (Fact::Text(b), Fact::Set(a)) => {
                a.as_slice() == std::slice::from_ref(b)
            }
            _ => self == other,
        }
    }
}

fn sorted(set: &[String]) -> Vec<&String> {
    let mut all: Vec<_> = set.iter().collect();
    all.sort();
    all
}

impl From<i64> for Fact {
    fn from(n: i64) -> Self {
        Fact::Number(n)
    }
}

impl From<bool> for Fact {
    fn from(t: bool) -> Self {
        Fact::Truth(t)
    }
}

impl From<&str> for Fact {
    fn from(t: &str) -> Self {
        Fact::Text(t.to_owned())
    }
}

impl From<String> for Fact {
    fn from(t: String) -> Self {
        Fact::Text(t)
    }
}

impl From<Vec<String>> for Fact {
    fn from(s: Vec<String>) -> Self {
        Fact::Set(s)
    }
}

/// A part of a name that means nothing, and what would.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// The part: `merideth` of `merideth.hex`.
    pub part: String,
    /// What it should be, with its article: `a unit`.
    pub what: String,
    /// What is known there; may be empty.
    pub known: Vec<String>,
}

impl Unknown {
    /// `part` is not `what`: one of `known` would be.
    pub fn new<K: Into<String>>(
        part: impl Into<String>,
        what: impl Into<String>,
        known: impl IntoIterator<Item = K>,
    ) -> Self {
        Unknown { part: part.into(), what: what.into(), known: known.into_iter().map(K::into).collect() }
    }

    /// The whole name is no fact, for a reason not known.
    pub fn fact(name: &str) -> Self {
        Unknown::new(name, "a fact", [""; 0])
    }

    /// The known word that was probably meant.
    #[must_use]
    pub fn meant(&self) -> Option<&str> {
        let far = |known: &&String| words_apart(&self.part, known);
        let nearest = self.known.iter().min_by_key(far)?;
        (far(&nearest) * 3 <= self.part.chars().count().max(3)).then_some(nearest)
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not {}", clip(&self.part), self.what)?;
        match (self.meant(), self.known.as_slice()) {
            (Some(meant), _) => write!(f, "; did you mean `{meant}`?"),
            (None, []) => Ok(()),
            (None, known) => {
                let more = if known.len() > SHOWN { ", …" } else { "" };
                write!(f, "; known: {}{more}", known[..known.len().min(SHOWN)].join(", "))
            }
        }
    }
}

impl std::error::Error for Unknown {}

/// How many known words a message lists.
const SHOWN: usize = 24;

/// In how many letters two words differ: added, left out or changed.
fn words_apart(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// What came of a situation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Its title.
    pub title: String,
    /// The rules it proves if it held.
    pub proves: Vec<String>,
    /// What happened at each step, in words.
    pub steps: Vec<StepReport>,
}

impl Report {
    /// Whether everything held.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.steps.iter().all(|s| s.failures.is_empty())
    }
}

/// What came of one step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StepReport {
    /// What was played and what happened.
    pub story: Vec<String>,
    /// What did not hold.
    pub failures: Vec<String>,
}

/// A name and where it stands in the file.
type Named = (Range<usize>, String);

struct Situation {
    title: String,
    proves: Vec<Named>,
    scenario: Option<Named>,
    sides: Vec<Named>,
    options: Options,
    positioned: bool,
    otherwise: Otherwise,
    steps: Vec<Step>,
}

#[derive(Clone, Copy, PartialEq)]
enum Otherwise {
    Nobody,
    Pass,
    First,
}

#[derive(Default)]
struct Step {
    by: Option<String>,
    decision: Option<String>,
    offered: Vec<String>,
    not_offered: Vec<String>,
    offers: Vec<(String, Vec<String>)>,
    refused: Vec<(String, String)>,
    play: Vec<String>,
    dice: Vec<u8>,
    until: Option<String>,
    rolls: Vec<ExpectedRoll>,
    only_rolls: bool,
    expect: Vec<(String, Fact)>,
    decides: Option<String>,
    then: Option<String>,
    over: Option<String>,
}

#[derive(Default)]
struct ExpectedRoll {
    by: Option<String>,
    at: Option<String>,
    rule: Option<String>,
    dice: Option<usize>,
    need: Option<i64>,
    faces: Option<Vec<u8>>,
    result: Option<i64>,
    modifiers: Option<Vec<(String, i64)>>,
}

fn parse(source: &str) -> Result<Situation, Faults> {
    let mut situation = None;
    let read = read::document(source, |sheet| {
        let title = sheet.field("title").required().text();
        let proves = sheet.field("proves").list().iter().filter_map(named).collect();
        let scenario = named(&sheet.field("scenario"));
        let options = sheet.field("options").section().map(|s| read_options(&s)).unwrap_or_default();
        let positioned = sheet.field("position").is_present();
        let otherwise = match sheet.field("otherwise").one_of(&["pass", "first"]) {
            Some(0) => Otherwise::Pass,
            Some(_) => Otherwise::First,
            None => Otherwise::Nobody,
        };
        let sections = sheet.field("step").sections();
        let sides = sections.iter().flat_map(named_sides).collect();
        let steps = sections.iter().map(read_step).collect();
        match &scenario {
            // The rest of the file is the scenario's business.
            None => sheet.leave(),
            // There is no rest: the ground and the forces are the library's.
            Some(_) => sheet.ignore(KEYS),
        }
        sheet.finish();
        let title = title?;
        situation = Some(Situation { title, proves, scenario, sides, options, positioned, otherwise, steps });
        Some(())
    });
    read?;
    Ok(situation.expect("a document without faults was built"))
}

fn named(field: &Field<'_>) -> Option<Named> {
    Some((field.span(), field.text()?))
}

/// The sides that a step names; a game may also end without a winner.
fn named_sides(step: &Section<'_>) -> Vec<Named> {
    let over = named(&step.field("over")).filter(|(_, side)| side != "draw");
    [named(&step.field("by")), named(&step.field("decides")), over].into_iter().flatten().collect()
}

fn read_options(section: &Section<'_>) -> Options {
    section.entries().filter_map(|(name, field)| Some((name, field.truth()?))).collect()
}

fn read_step(section: &Section<'_>) -> Step {
    let faces = |field: Field<'_>| -> Vec<u8> {
        field.list().iter().filter_map(|f| f.integer(0..=255)).map(|n| n as u8).collect()
    };
    let step = Step {
        by: section.field("by").text(),
        decision: section.field("decision").text(),
        offered: section.field("offered").texts(),
        not_offered: section.field("not_offered").texts(),
        offers: read_offers(&section.field("offers")),
        refused: read_refused(&section.field("refused")),
        play: section.field("play").texts(),
        dice: faces(section.field("dice")),
        until: section.field("until").text(),
        rolls: section.field("rolls").sections().iter().map(|s| read_roll(s, faces)).collect(),
        only_rolls: section.field("only_rolls").truth().unwrap_or(false),
        expect: read_facts(&section.field("expect")),
        decides: section.field("decides").text(),
        then: section.field("then").text(),
        over: section.field("over").text(),
    };
    section.ignore(&["note"]);
    section.finish();
    if !STEP_KEYS.iter().any(|key| section.field(key).is_present()) {
        section
            .fault("the step plays nothing and asks for nothing", format!("one of {}", STEP_KEYS.join(", ")));
    }
    step
}

/// The keys of a step that do something.
const STEP_KEYS: [&str; 15] = [
    "by",
    "decision",
    "offered",
    "not_offered",
    "offers",
    "refused",
    "play",
    "dice",
    "until",
    "rolls",
    "only_rolls",
    "expect",
    "decides",
    "then",
    "over",
];

fn read_offers(field: &Field<'_>) -> Vec<(String, Vec<String>)> {
    match field.raw() {
        None => Vec::new(),
        Some(DeValue::Table(_)) => {
            let Some(section) = field.section() else { return Vec::new() };
            section.entries().map(|(start, endings)| (start, endings.texts())).collect()
        }
        Some(_) => vec![(String::new(), field.texts())],
    }
}

fn read_refused(field: &Field<'_>) -> Vec<(String, String)> {
    let Some(section) = field.is_present().then(|| field.section()).flatten() else { return Vec::new() };
    section.entries().filter_map(|(action, rule)| Some((action, rule.text()?))).collect()
}

fn read_roll(section: &Section<'_>, faces: impl Fn(Field<'_>) -> Vec<u8>) -> ExpectedRoll {
    let modifiers = section.field("modifiers");
    let roll = ExpectedRoll {
        by: section.field("by").text(),
        at: section.field("at").text(),
        rule: section.field("rule").text(),
        dice: section.field("dice").integer(0..=255).map(|n| n as usize),
        need: section.field("need").integer(-99..=99),
        faces: section.field("faces").is_present().then(|| faces(section.field("faces"))),
        result: section.field("result").integer(0..=999),
        modifiers: modifiers.is_present().then(|| {
            let Some(terms) = modifiers.section() else { return Vec::new() };
            terms.entries().filter_map(|(rule, value)| Some((rule, value.integer(-99..=99)?))).collect()
        }),
    };
    section.finish();
    roll
}

fn read_facts(field: &Field<'_>) -> Vec<(String, Fact)> {
    let Some(section) = field.is_present().then(|| field.section()).flatten() else { return Vec::new() };
    let mut facts = Vec::new();
    collect_facts("", &section, &mut facts);
    facts
}

/// `"meredith.hex" = "0910"` and `meredith.hex = "0910"` say the same.
fn collect_facts(prefix: &str, section: &Section<'_>, facts: &mut Vec<(String, Fact)>) {
    for (name, field) in section.entries() {
        let name = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        match field.raw() {
            Some(DeValue::Table(_)) => {
                if let Some(inner) = field.section() {
                    collect_facts(&name, &inner, facts);
                }
            }
            Some(DeValue::Integer(_)) => {
                facts.extend(field.integer(i64::MIN..=i64::MAX).map(|n| (name, Fact::Number(n))))
            }
            Some(DeValue::Boolean(_)) => facts.extend(field.truth().map(|t| (name, Fact::Truth(t)))),
            Some(DeValue::Array(_)) => facts.push((name, Fact::Set(field.texts()))),
            _ => facts.extend(field.text().map(|t| (name, Fact::Text(t)))),
        }
    }
}

/// Runs a situation.
///
/// # Errors
/// The faults of the file, if it cannot be run at all.
pub fn run<S: System>(source: &str, library: &dyn Library) -> Result<Report, Faults> {
    let situation = parse(source)?;
    let battle = stage::<S>(source, &situation, library)?;
    let mut state = match situation.positioned {
        true => S::position(&battle, source)?,
        false => S::muster(&battle),
    };
    let proves = situation.proves.iter().map(|(_, id)| id.clone()).collect();
    let mut report = Report { title: situation.title.clone(), proves, steps: Vec::new() };
    for (index, step) in situation.steps.iter().enumerate() {
        let mut stage =
            Stage::<S> { battle: &battle, report: StepReport::default(), otherwise: situation.otherwise };
        state = stage.run(state, step, index == 0);
        report.steps.push(stage.report);
    }
    if situation.steps.is_empty() {
        let failures = vec!["the situation has no step, so it shows nothing".to_owned()];
        report.steps.push(StepReport { failures, ..StepReport::default() });
    }
    Ok(report)
}

/// Reads a situation, its battle and its position, without playing anything.
///
/// # Errors
/// The faults of the file or of the scenario it names.
pub fn check<S: System>(source: &str, library: &dyn Library) -> Result<(), Faults> {
    let situation = parse(source)?;
    let battle = stage::<S>(source, &situation, library)?;
    if situation.positioned {
        S::position(&battle, source)?;
    }
    Ok(())
}

/// The decision a situation asks about: the action of its last step that plays one, the earlier steps being played
/// with their dice.
#[derive(Debug)]
pub struct Question<S: System> {
    /// The battle.
    pub battle: S::Battle,
    /// The position before the action.
    pub state: S::State,
    /// The action.
    pub action: S::Action,
}

/// Plays a situation up to the last action it names.
///
/// # Errors
/// The faults of the file, or what keeps it from getting there.
pub fn question<S: System>(source: &str, library: &dyn Library) -> Result<Question<S>, Faults> {
    let situation = parse(source)?;
    let battle = stage::<S>(source, &situation, library)?;
    let mut state = match situation.positioned {
        true => S::position(&battle, source)?,
        false => S::muster(&battle),
    };
    let stuck = |what: String| {
        let mut faults = Faults::new();
        faults.add(
            source.rfind("[[step]]").map_or(0..0, |at| at..at + 8),
            what,
            "a step that plays an action",
        );
        faults
    };
    let last = situation.steps.iter().rposition(|step| !step.play.is_empty());
    let last = last.ok_or_else(|| stuck("no step plays an action, so there is nothing to weigh".into()))?;
    for (index, step) in situation.steps[..last].iter().enumerate() {
        let mut stage =
            Stage::<S> { battle: &battle, report: StepReport::default(), otherwise: situation.otherwise };
        state = stage.run(state, step, index == 0);
    }
    if last == 0 {
        let mut quiet = Fx { dice: ScriptedDice::new(situation.steps[0].dice.clone()), log: crate::Silent };
        S::settle(&battle, &mut state, &mut quiet);
    }
    let action = S::read(&battle, &state, &situation.steps[last].play[0]).map_err(stuck)?;
    S::check(&battle, &state, &action).map_err(|r| stuck(format!("{} {}", r.what, r.why)))?;
    Ok(Question { battle, state, action })
}

/// The battle of a situation, and whether what the file names is there.
fn stage<S: System>(source: &str, situation: &Situation, library: &dyn Library) -> Result<S::Battle, Faults> {
    let battle = match &situation.scenario {
        None => S::compile(source, library, &situation.options)?,
        Some(named) => S::compile(&scenario::<S>(named, library)?, library, &situation.options)?,
    };
    let mut faults = Faults::new();
    for (span, id) in &situation.proves {
        if let Err(wrong) = S::book().proved_by(id) {
            let message = format!("`proves` names {id}, but {wrong}");
            faults.add(
                span.clone(),
                message,
                format!("a rule that `linstock rules {}` lists", S::book().system),
            );
        }
    }
    if !situation.sides.is_empty() {
        let sides = S::board(&battle).sides.map(|side| side.id);
        for (span, id) in situation.sides.iter().filter(|(_, id)| *id != sides.first && *id != sides.second) {
            faults.add(
                span.clone(),
                format!("there is no side `{id}`"),
                format!("{} or {}", sides.first, sides.second),
            );
        }
    }
    faults.or(|| battle)
}

/// The text of the scenario that a situation names.
fn scenario<S: System>((span, id): &Named, library: &dyn Library) -> Result<String, Faults> {
    let fault = |message: String, expected: String| {
        let mut faults = Faults::new();
        faults.add(span.clone(), message, expected);
        faults
    };
    let Some(text) = library.scenario(id) else {
        let expected = "a scenario that `linstock list` names";
        return Err(fault(format!("there is no scenario `{id}`"), expected.to_owned()));
    };
    let system = read::document(&text, |sheet| {
        sheet.leave();
        sheet.field("system").required().text()
    })?;
    match system == S::book().system {
        true => Ok(text),
        false => Err(fault(
            format!("the scenario `{id}` belongs to {system}"),
            format!("a scenario of {}, or system = \"{system}\"", S::book().system),
        )),
    }
}

struct Stage<'b, S: System> {
    battle: &'b S::Battle,
    report: StepReport,
    otherwise: Otherwise,
}

impl<S: System> Stage<'_, S> {
    fn run(&mut self, mut state: S::State, step: &Step, first: bool) -> S::State {
        let mut fx =
            Fx { dice: Recorder::new(ScriptedDice::new(step.dice.clone())), log: Chronicle::default() };
        if first {
            S::settle(self.battle, &mut state, &mut fx);
        }
        self.before(&state, step);
        for notation in &step.play {
            self.play(&mut state, notation, &mut fx);
        }
        if let Some(until) = &step.until {
            self.go_on(&mut state, until, &mut fx);
        }
        let story: Vec<String> = fx.log.entries.iter().map(|e| self.tell(&state, e)).collect();
        self.report.story.extend(story);
        self.dice(fx.dice.inner());
        self.after(&state, step, &fx.log.entries);
        state
    }

    fn fail(&mut self, message: String) {
        self.report.failures.push(message);
    }

    fn before(&mut self, state: &S::State, step: &Step) {
        self.decider(state, step.by.as_deref(), step.decision.as_deref());
        let mut offers = Vec::new();
        if !(step.offered.is_empty() && step.not_offered.is_empty() && step.offers.is_empty()) {
            let mut actions = Vec::new();
            S::offers(self.battle, state, &mut actions);
            offers = actions.iter().map(|a| S::write(self.battle, a)).collect();
        }
        for wanted in &step.offered {
            match self.full(state, wanted) {
                Some(full) if offers.contains(&full) => {}
                _ => self.fail(format!("`{wanted}` is not offered; offered: {}", offers.join(" | "))),
            }
        }
        for unwanted in &step.not_offered {
            match S::read(self.battle, state, unwanted) {
                Err(fault) => self.fail(format!("`{unwanted}` cannot be read: {fault}")),
                Ok(action) if offers.contains(&S::write(self.battle, &action)) => {
                    self.fail(format!("`{unwanted}` is offered"));
                }
                Ok(_) => {}
            }
        }
        for (start, endings) in &step.offers {
            let found: Vec<String> = match start.as_str() {
                "" => offers.clone(),
                start => offers
                    .iter()
                    .filter_map(|o| Some(o.strip_prefix(start)?.strip_prefix(' ')?.to_owned()))
                    .collect(),
            };
            if sorted(&found) != sorted(endings) {
                self.fail(format!(
                    "offers of `{start}` are {:?}, expected {:?}",
                    sorted(&found),
                    sorted(endings)
                ));
            }
        }
        for (action, rule) in &step.refused {
            self.refused(state, action, rule);
        }
    }

    /// The notation in full, as the engine would write it.
    fn full(&self, state: &S::State, notation: &str) -> Option<String> {
        S::read(self.battle, state, notation).ok().map(|action| S::write(self.battle, &action))
    }

    fn refused(&mut self, state: &S::State, notation: &str, rule: &str) {
        let refusal = match S::read(self.battle, state, notation) {
            Err(fault) => return self.fail(format!("`{notation}` cannot be read: {fault}")),
            Ok(action) => S::check(self.battle, state, &action),
        };
        match refusal {
            Ok(()) => self.fail(format!("`{notation}` is allowed; it should be refused under {rule}")),
            Err(refusal) => {
                let cited = refusal.rule.map_or("no rule", |r| r.id());
                self.report
                    .story
                    .push(format!("`{notation}` is refused: {} {} ({cited})", refusal.what, refusal.why));
                if cited != rule {
                    self.fail(format!("`{notation}` is refused under {cited}, expected {rule}"));
                }
            }
        }
    }

    fn play<D: crate::Dice>(&mut self, state: &mut S::State, notation: &str, fx: &mut Fx<D, Chronicle>) {
        if let Now::Over(_) = S::now(self.battle, state) {
            return self.fail(format!("`{notation}` cannot be played: the game is over"));
        }
        let action = match S::read(self.battle, state, notation) {
            Ok(action) => action,
            Err(fault) => return self.fail(format!("`{notation}` cannot be read: {fault}")),
        };
        fx.log.entries.push(Entry::new(crate::Kind::Note, format!("> {}", S::write(self.battle, &action))));
        if let Err(refusal) = S::play(self.battle, state, &action, fx) {
            let cited = refusal.rule.map_or("no rule", |r| r.id());
            self.fail(format!("`{notation}` is refused: {} {} ({cited})", refusal.what, refusal.why));
        }
    }

    fn go_on<D: crate::Dice>(&mut self, state: &mut S::State, until: &str, fx: &mut Fx<D, Chronicle>) {
        for _ in 0..1000 {
            if let Now::Over(_) = S::now(self.battle, state) {
                if until != "over" {
                    self.fail(format!("the game ended before a decision `{until}`"));
                }
                return;
            }
            if S::prompt(self.battle, state).kind == until {
                return;
            }
            let mut offers = Vec::new();
            S::offers(self.battle, state, &mut offers);
            let chosen = match self.otherwise {
                Otherwise::First => offers.first(),
                Otherwise::Pass if offers.len() == 1 => offers.first(),
                Otherwise::Pass => offers.iter().find(|a| S::offer(self.battle, state, a).button),
                Otherwise::Nobody => None,
            };
            let Some(action) = chosen.cloned() else {
                let kind = S::prompt(self.battle, state).kind;
                return self.fail(format!("nobody answers the decision `{kind}` on the way to `{until}`"));
            };
            S::play_unchecked(self.battle, state, &action, fx);
        }
        self.fail(format!("a thousand decisions were answered without coming to `{until}`"));
    }

    fn dice(&mut self, dice: &ScriptedDice) {
        if let Some(impossible) = dice.impossible {
            self.fail(impossible.to_string());
        }
        if dice.asked_for() != dice.written() {
            self.fail(format!("{} dice were asked for, `dice` has {}", dice.asked_for(), dice.written()));
        }
    }

    fn decider(&mut self, state: &S::State, side: Option<&str>, kind: Option<&str>) {
        if side.is_none() && kind.is_none() {
            return;
        }
        let Now::Decides(decides) = S::now(self.battle, state) else {
            return self.fail("a decision was expected, but the game is over".to_owned());
        };
        let prompt = S::prompt(self.battle, state);
        if side.is_some_and(|s| s != self.side_id(decides)) {
            let expected = side.unwrap_or_default();
            self.fail(format!(
                "{} decides ({}), expected {expected}",
                self.side_id(decides),
                prompt.sentence
            ));
        }
        if kind.is_some_and(|k| k != prompt.kind) {
            let expected = kind.unwrap_or_default();
            self.fail(format!(
                "the decision is `{}` ({}), expected `{expected}`",
                prompt.kind, prompt.sentence
            ));
        }
    }

    fn side_id(&self, side: Side) -> String {
        S::board(self.battle).sides[side].id.clone()
    }

    fn after(&mut self, state: &S::State, step: &Step, entries: &[Entry]) {
        self.rolls(state, step, entries);
        for (name, expected) in &step.expect {
            match S::fact(self.battle, state, name) {
                Err(unknown) => self.fail(format!("there is no fact `{name}`: {unknown}")),
                Ok(fact) if fact.same_as(expected) => {}
                Ok(fact) => self.fail(format!("{name} is {fact}, expected {expected}")),
            }
        }
        self.decider(state, step.decides.as_deref(), step.then.as_deref());
        if let Some(over) = &step.over {
            let ended = match S::now(self.battle, state) {
                Now::Decides(_) => "still going on".to_owned(),
                Now::Over(Outcome::Drawn) => "draw".to_owned(),
                Now::Over(Outcome::Won(side)) => self.side_id(side),
            };
            if ended != *over {
                self.fail(format!("the game is {ended}, expected {over}"));
            }
        }
    }

    fn rolls(&mut self, state: &S::State, step: &Step, entries: &[Entry]) {
        let rolled: Vec<&Roll> = entries.iter().filter_map(|e| e.roll.as_ref()).collect();
        if step.only_rolls && rolled.len() != step.rolls.len() {
            self.fail(format!("{} rolls were made, expected {}", rolled.len(), step.rolls.len()));
        }
        let mut next = 0;
        for (index, expected) in step.rolls.iter().enumerate() {
            let found = rolled[next..].iter().position(|roll| self.differs(state, roll, expected).is_none());
            match found {
                Some(at) => next += at + 1,
                None => {
                    let near = rolled[next..]
                        .iter()
                        .filter_map(|roll| self.differs(state, roll, expected))
                        .collect::<Vec<_>>();
                    self.fail(format!(
                        "expected roll {} was not made; those that were: {}",
                        index + 1,
                        near.join("; ")
                    ));
                }
            }
        }
    }

    fn slug(&self, state: &S::State, piece: Option<PieceId>) -> Option<String> {
        let piece = piece?;
        S::view(self.battle, state, Eyes::All).pieces.into_iter().find(|p| p.id == piece).map(|p| p.slug)
    }

    /// How a roll differs from what was expected; none if it does not.
    fn differs(&self, state: &S::State, roll: &Roll, expected: &ExpectedRoll) -> Option<String> {
        let mut differences = Vec::new();
        let mut compare = |what: &str, found: String, wanted: Option<String>| {
            if let Some(wanted) = wanted.filter(|w| *w != found) {
                differences.push(format!("{what} {found} instead of {wanted}"));
            }
        };
        let name = |piece| self.slug(state, piece).unwrap_or_else(|| "nobody".to_owned());
        if expected.by.is_some() {
            compare("by", name(roll.by), expected.by.clone());
        }
        if expected.at.is_some() {
            compare("at", name(roll.at), expected.at.clone());
        }
        compare("rule", roll.rule.id().to_owned(), expected.rule.clone());
        compare("dice", roll.faces.len().to_string(), expected.dice.map(|n| n.to_string()));
        let need = roll.need.map_or("none".to_owned(), |n| match n {
            Need::AtMost(n) | Need::AtLeast(n) => n.to_string(),
        });
        compare("need", need, expected.need.map(|n| n.to_string()));
        compare("faces", format!("{:?}", roll.faces), expected.faces.as_ref().map(|f| format!("{f:?}")));
        compare("result", roll.result.to_string(), expected.result.map(|n| n.to_string()));
        compare("modifiers", terms(roll), expected.modifiers.as_ref().map(|m| written_terms(m)));
        (!differences.is_empty()).then(|| differences.join(", "))
    }

    fn tell(&self, state: &S::State, entry: &Entry) -> String {
        let Some(roll) = &entry.roll else { return format!("  {}", entry.text) };
        let by = self.slug(state, roll.by).map_or(String::new(), |s| format!(" [{s}]"));
        let need = roll.need.map_or(String::new(), |n| match n {
            Need::AtMost(n) => format!(", {n} or less"),
            Need::AtLeast(n) => format!(", {n} or more"),
        });
        format!("  {}{by}{need}: {:?} -> {} {}", entry.text, roll.faces, roll.result, terms(roll))
    }
}

/// The modifiers by rule, added up where one rule gives several.
fn terms(roll: &Roll) -> String {
    let all: Vec<(String, i64)> =
        roll.modifiers.iter().map(|m| (m.rule.id().to_owned(), i64::from(m.value))).collect();
    written_terms(&all)
}

fn written_terms(all: &[(String, i64)]) -> String {
    let mut sums: Vec<(String, i64)> = Vec::new();
    for (rule, value) in all {
        match sums.iter_mut().find(|(r, _)| r == rule) {
            Some((_, sum)) => *sum += value,
            None => sums.push((rule.clone(), *value)),
        }
    }
    sums.sort();
    let parts: Vec<String> = sums.iter().map(|(rule, value)| format!("{rule} {value:+}")).collect();
    format!("({})", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_part_is_told_with_what_was_meant() {
        let units = ["meredith", "davis"];
        let said = |part: &str| Unknown::new(part, "a unit", units).to_string();
        assert_eq!(said("merideth"), "`merideth` is not a unit; did you mean `meredith`?");
        assert_eq!(said("davs"), "`davs` is not a unit; did you mean `davis`?");
        assert_eq!(said("archer"), "`archer` is not a unit; known: meredith, davis");
        assert_eq!(Unknown::fact("archer.hex").to_string(), "`archer.hex` is not a fact");
    }

    #[test]
    fn words_are_apart_by_their_letters() {
        for (a, b, apart) in
            [("hex", "hex", 0), ("hex", "hexes", 2), ("hexes", "hex", 2), ("order", "odrer", 2)]
        {
            assert_eq!(words_apart(a, b), apart, "{a} {b}");
        }
    }
}
