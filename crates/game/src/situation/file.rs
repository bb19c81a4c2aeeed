use std::ops::Range;

use toml::de::DeValue;

use super::{Fact, KEYS};
use crate::Options;
use crate::faults::Faults;
use crate::read::{self, Field, Section};

/// A word of the file and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Where it stands.
    pub span: Range<usize>,
    /// The word.
    pub name: String,
}

impl Named {
    /// The text of a field, if it has one.
    #[must_use]
    pub fn read(field: &Field<'_>) -> Option<Named> {
        Some(Named { span: field.span(), name: field.text()? })
    }

    /// Every text of a list.
    #[must_use]
    pub fn all(field: &Field<'_>) -> Vec<Named> {
        field.list().iter().filter_map(Named::read).collect()
    }
}

/// A situation as it is written.
pub(super) struct Situation {
    pub(super) title: String,
    pub(super) note: Option<String>,
    pub(super) proves: Vec<Named>,
    pub(super) scenario: Option<Named>,
    pub(super) options: Options,
    pub(super) positioned: bool,
    pub(super) otherwise: Otherwise,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Otherwise {
    Nobody,
    Pass,
    First,
}

#[derive(Default)]
pub(super) struct Step {
    pub(super) line: usize,
    pub(super) note: Option<String>,
    pub(super) by: Option<Named>,
    pub(super) decision: Option<Named>,
    pub(super) offered: Vec<Named>,
    pub(super) not_offered: Vec<Named>,
    pub(super) offers: Vec<(String, Vec<String>)>,
    pub(super) refused: Vec<(Named, Named)>,
    pub(super) play: Vec<Named>,
    pub(super) dice: Vec<u8>,
    pub(super) until: Option<Named>,
    pub(super) before: Option<Named>,
    pub(super) rolls: Vec<ExpectedRoll>,
    pub(super) only_rolls: bool,
    pub(super) expect: Vec<(Named, Fact)>,
    pub(super) decides: Option<Named>,
    pub(super) then: Option<Named>,
    pub(super) over: Option<Named>,
}

impl Step {
    /// Whether play goes on in it, where it was stopped before a check. A step that only looks does so where it is.
    pub(super) fn goes_on(&self) -> bool {
        let Step { play, dice, until, before, rolls, only_rolls, decides, then, over, .. } = self;
        let asks_after = [until, before, decides, then, over].into_iter().any(Option::is_some);
        asks_after || *only_rolls || !(play.is_empty() && dice.is_empty() && rolls.is_empty())
    }
}

#[derive(Default)]
pub(super) struct ExpectedRoll {
    pub(super) by: Option<Named>,
    pub(super) at: Option<Named>,
    pub(super) rule: Option<Named>,
    pub(super) dice: Option<usize>,
    pub(super) need: Option<i64>,
    pub(super) faces: Option<Vec<u8>>,
    pub(super) result: Option<i64>,
    pub(super) modifiers: Option<Vec<(Named, i64)>>,
}

pub(super) fn parse(source: &str) -> Result<Situation, Faults> {
    let mut situation = None;
    let read = read::document(source, |sheet| {
        let title = sheet.field("title").required().text();
        let note = sheet.field("note").text();
        let proves = Named::all(&sheet.field("proves"));
        let scenario = Named::read(&sheet.field("scenario"));
        let options = sheet.field("options").section().map(|s| read_options(&s)).unwrap_or_default();
        let positioned = sheet.field("position").is_present();
        let otherwise = match sheet.field("otherwise").one_of(&["pass", "first"]) {
            Some(0) => Otherwise::Pass,
            Some(_) => Otherwise::First,
            None => Otherwise::Nobody,
        };
        let steps = sheet.field("step").sections().iter().map(|section| read_step(source, section)).collect();
        match &scenario {
            // The rest of the file is the scenario's business.
            None => sheet.leave(),
            // There is no rest: the ground and the forces are the library's.
            Some(_) => sheet.ignore(KEYS),
        }
        sheet.finish();
        let title = title?;
        situation = Some(Situation { title, note, proves, scenario, options, positioned, otherwise, steps });
        Some(())
    });
    read?;
    Ok(situation.expect("a document without faults was built"))
}

fn read_options(section: &Section<'_>) -> Options {
    section.entries().filter_map(|(name, field)| Some((name, field.truth()?))).collect()
}

fn read_step(source: &str, section: &Section<'_>) -> Step {
    let faces = |field: Field<'_>| -> Vec<u8> {
        field.list().iter().filter_map(|f| f.integer(0..=255)).map(|n| n as u8).collect()
    };
    let step = Step {
        line: source[..section.span().start].matches('\n').count() + 1,
        note: section.field("note").text(),
        by: Named::read(&section.field("by")),
        decision: Named::read(&section.field("decision")),
        offered: Named::all(&section.field("offered")),
        not_offered: Named::all(&section.field("not_offered")),
        offers: read_offers(&section.field("offers")),
        refused: read_refused(&section.field("refused")),
        play: Named::all(&section.field("play")),
        dice: faces(section.field("dice")),
        until: Named::read(&section.field("until")),
        before: Named::read(&section.field("before")),
        rolls: section.field("rolls").sections().iter().map(|s| read_roll(s, faces)).collect(),
        only_rolls: section.field("only_rolls").truth().unwrap_or(false),
        expect: read_facts(&section.field("expect")),
        decides: Named::read(&section.field("decides")),
        then: Named::read(&section.field("then")),
        over: Named::read(&section.field("over")),
    };
    section.finish();
    if !STEP_KEYS.iter().any(|key| section.field(key).is_present()) {
        section
            .fault("the step plays nothing and asks for nothing", format!("one of {}", STEP_KEYS.join(", ")));
    }
    if let (Some(before), Some(_)) = (&step.before, &step.until) {
        let expected = "one of the two, or another step for the second";
        section.fault_at(before.span.clone(), "a step cannot stop both `before` and `until`", expected);
    }
    step
}

/// The keys of a step that do something.
const STEP_KEYS: [&str; 16] = [
    "by",
    "decision",
    "offered",
    "not_offered",
    "offers",
    "refused",
    "play",
    "dice",
    "until",
    "before",
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

fn read_refused(field: &Field<'_>) -> Vec<(Named, Named)> {
    let Some(section) = field.is_present().then(|| field.section()).flatten() else { return Vec::new() };
    let refused = |(action, rule): (String, Field<'_>)| {
        Some((Named { span: rule.key_span(), name: action }, Named::read(&rule)?))
    };
    section.entries().filter_map(refused).collect()
}

fn read_roll(section: &Section<'_>, faces: impl Fn(Field<'_>) -> Vec<u8>) -> ExpectedRoll {
    let modifiers = section.field("modifiers");
    let roll = ExpectedRoll {
        by: Named::read(&section.field("by")),
        at: Named::read(&section.field("at")),
        rule: Named::read(&section.field("rule")),
        dice: section.field("dice").integer(0..=255).map(|n| n as usize),
        need: section.field("need").integer(-99..=99),
        faces: section.field("faces").is_present().then(|| faces(section.field("faces"))),
        result: section.field("result").integer(0..=999),
        modifiers: modifiers.is_present().then(|| {
            let Some(terms) = modifiers.section() else { return Vec::new() };
            let term = |(rule, value): (String, Field<'_>)| {
                Some((Named { span: value.key_span(), name: rule }, value.integer(-99..=99)?))
            };
            terms.entries().filter_map(term).collect()
        }),
    };
    section.finish();
    roll
}

/// Facts and their values, as `expect` has them.
#[must_use]
pub fn read_facts(field: &Field<'_>) -> Vec<(Named, Fact)> {
    let Some(section) = field.is_present().then(|| field.section()).flatten() else { return Vec::new() };
    let mut facts = Vec::new();
    collect_facts("", &section, &mut facts);
    facts
}

/// `"meredith.hex" = "0910"` and `meredith.hex = "0910"` say the same.
fn collect_facts(prefix: &str, section: &Section<'_>, facts: &mut Vec<(Named, Fact)>) {
    for (name, field) in section.entries() {
        let name = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        let fact = match field.raw() {
            Some(DeValue::Table(_)) => {
                if let Some(inner) = field.section() {
                    collect_facts(&name, &inner, facts);
                }
                None
            }
            Some(DeValue::Integer(_)) => field.integer(i64::MIN..=i64::MAX).map(Fact::Number),
            Some(DeValue::Boolean(_)) => field.truth().map(Fact::Truth),
            Some(DeValue::Array(_)) => Some(Fact::Set(field.texts())),
            _ => field.text().map(Fact::Text),
        };
        facts.extend(fact.map(|fact| (Named { span: field.key_span(), name }, fact)));
    }
}
