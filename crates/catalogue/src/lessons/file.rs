//! A lesson as it is written.

use std::ops::Range;

use game::Faults;
use game::read::{self, Field, Section};
use game::situation::Named;

use super::condition::{self, Condition};
use super::{Answer, Exercise, Expect, Goal, Look, LookAt, Page, Question, ScreenPart, Try};

/// The keys that make a file a lesson.
pub(super) const KEYS: [&str; 7] = ["lesson", "page", "goal", "answer", "exercise", "question", "try"];

/// A text that somebody reads, and where it stands.
pub(super) type Text = Named;

/// A lesson before names are looked up.
pub(super) struct Written {
    pub(super) title: String,
    pub(super) learns: Text,
    pub(super) minutes: u32,
    pub(super) plays: Named,
    pub(super) opponent: Option<Named>,
    pub(super) seed: u64,
    pub(super) task: Text,
    pub(super) why: Text,
    pub(super) learnt: Vec<Named>,
    pub(super) hints: Vec<Text>,
    pub(super) moves: Option<usize>,
    pub(super) pages: Vec<(Range<usize>, Page)>,
    pub(super) looks: Vec<(Range<usize>, LookAt)>,
    pub(super) goals: Vec<(Range<usize>, Goal)>,
    pub(super) answers: Vec<(Range<usize>, Answer)>,
    pub(super) exercise: Option<Exercise>,
    pub(super) questions: Vec<(Range<usize>, Question)>,
    pub(super) tries: Vec<Try>,
}

/// Parts of the screen by their words in a file.
const PARTS: [(&str, ScreenPart); 8] = [
    ("turn", ScreenPart::Turn),
    ("phases", ScreenPart::Phases),
    ("prompt", ScreenPart::Prompt),
    ("log", ScreenPart::Log),
    ("score", ScreenPart::Score),
    ("odds", ScreenPart::Odds),
    ("unit", ScreenPart::Unit),
    ("panels", ScreenPart::Panels),
];

/// The most of anything that a lesson may have: tries, pages, answers, questions.
const MOST: usize = 50;
/// The most goals: they are looked at in every position.
const MOST_GOALS: usize = 8;

pub(super) fn parse(source: &str) -> Result<Written, Faults> {
    read::document(source, |sheet| {
        let title = sheet.field("title").required().text();
        let step = sheet.field("step");
        if step.is_present() {
            step.fault("a lesson has no steps", "[[try]], which says how the lesson is played");
        }
        let mut looks = Vec::new();
        let pages = each(sheet, "page", |section| page(section, &mut looks));
        let goals = each(sheet, "goal", goal);
        let answers = each(sheet, "answer", answer);
        let exercise = sheet.field("exercise").section().and_then(|section| exercise(&section));
        let questions = each(sheet, "question", question);
        let tries = each(sheet, "try", |section| one_try(section, answers.len()));
        if pages.is_empty() {
            sheet.field("page").fault("the lesson has no page", "at least one [[page]]");
        }
        if goals.len() > MOST_GOALS {
            sheet
                .field("goal")
                .fault(format!("there are {} goals", goals.len()), format!("at most {MOST_GOALS}"));
        }
        match (goals.is_empty(), &exercise) {
            (true, None) => sheet.field("goal").fault("the lesson has no goal", "[[goal]] or [exercise]"),
            (false, Some(_)) => {
                sheet.field("exercise").fault("the lesson has goals and an exercise", "one of the two")
            }
            _ => {}
        }
        let lesson = sheet.field("lesson").required().section()?;
        let text = |key| Named::read(&lesson.field(key).required());
        let (learns, task, why) = (text("learns"), text("task"), text("why"));
        let minutes = lesson.field("minutes").required().integer(1..=15);
        let plays = Named::read(&lesson.field("plays").required());
        let opponent = Named::read(&lesson.field("opponent"));
        let seed = lesson.field("seed").required().integer(0..=i64::MAX);
        let learnt = Named::all(&lesson.field("learnt").required());
        let hints = Named::all(&lesson.field("hints").required());
        if hints.len() != 2 {
            lesson
                .field("hints")
                .fault(format!("there are {} hints", hints.len()), "two: a nudge, then nearly the answer");
        }
        let moves = lesson.field("moves").integer(1..=1000).map(|n| n as usize);
        lesson.finish();
        sheet.leave();
        Some(Written {
            title: title?,
            learns: learns?,
            minutes: minutes? as u32,
            plays: plays?,
            opponent,
            seed: seed? as u64,
            task: task?,
            why: why?,
            learnt,
            hints,
            moves,
            pages,
            looks,
            goals,
            answers,
            exercise,
            questions,
            tries: tries.into_iter().map(|(_, one)| one).collect(),
        })
    })
}

/// Reads every table of a name, each with its place.
fn each<T>(
    sheet: &Section<'_>,
    key: &'static str,
    mut read: impl FnMut(&Section<'_>) -> Option<T>,
) -> Vec<(Range<usize>, T)> {
    let field = sheet.field(key);
    if !field.is_present() {
        return Vec::new();
    }
    let sections = field.sections();
    if sections.len() > MOST {
        field.fault(format!("there are {} tables [[{key}]]", sections.len()), format!("at most {MOST}"));
        return Vec::new();
    }
    let mut all = Vec::new();
    for section in &sections {
        all.extend(read(section).map(|one| (section.span(), one)));
        section.finish();
    }
    all
}

fn page(section: &Section<'_>, looks: &mut Vec<(Range<usize>, LookAt)>) -> Option<Page> {
    let says = section.field("says").required().text();
    let mut look = Vec::new();
    for row in if section.field("look").is_present() { section.field("look").sections() } else { Vec::new() }
    {
        let read = read_look(&row);
        row.finish();
        if let Some(one) = read {
            looks.push((row.span(), one.at.clone()));
            look.push(one);
        }
    }
    Some(Page { says: says?, look })
}

fn read_look(row: &Section<'_>) -> Option<Look> {
    let n = row.field("n").integer(1..=20).map(|n| n as u32);
    let label = row.field("label").text();
    let text = |key| row.field(key).text();
    let point = row.field("point");
    let panel = row
        .field("panel")
        .is_present()
        .then(|| row.field("panel").one_of(&PARTS.map(|(word, _)| word)))
        .flatten();
    let named: Vec<LookAt> = [
        text("piece").map(LookAt::Piece),
        text("hex").map(LookAt::Hex),
        text("place").map(LookAt::Place),
        point.is_present().then(|| inches(&point)).flatten().map(LookAt::Point),
        panel.map(|index| LookAt::Panel(PARTS[index].1)),
    ]
    .into_iter()
    .flatten()
    .collect();
    match <[LookAt; 1]>::try_from(named) {
        Ok([at]) => Some(Look { n, at, label }),
        Err(other) => {
            let many = if other.is_empty() { "nothing" } else { "several things" };
            row.fault(format!("this points at {many}"), "one of piece, hex, place, point, panel");
            None
        }
    }
}

/// A point in inches, kept in thousandths.
fn inches(field: &Field<'_>) -> Option<[i32; 2]> {
    let both: Vec<i32> =
        field.list().iter().filter_map(Field::thousandths).filter_map(|n| i32::try_from(n).ok()).collect();
    let point = <[i32; 2]>::try_from(both).ok();
    if point.is_none() {
        field.fault("this is no point", "[east, north] in inches");
    }
    point
}

fn goal(section: &Section<'_>) -> Option<Goal> {
    let words = section.field("words").required().text();
    let condition = Condition::read(section);
    says_something(section);
    Some(Goal { words: words?, condition })
}

fn says_something(section: &Section<'_>) {
    if !condition::KEYS.iter().any(|key| section.field(key).is_present()) {
        section.fault("the condition asks for nothing", format!("one of {}", condition::KEYS.join(", ")));
    }
}

fn answer(section: &Section<'_>) -> Option<Answer> {
    let says = section.field("says").required().text();
    let rule = Named::read(&section.field("rule"));
    let undo = section.field("undo").truth().unwrap_or(false);
    let when = section.field("when").required().section()?;
    let condition = Condition::read(&when);
    let (refused, tried) = (Named::read(&when.field("refused")), Named::read(&when.field("tried")));
    if refused.is_none() && tried.is_none() {
        says_something(&when);
    }
    when.finish();
    Some(Answer { condition, refused, tried, says: says?, rule, undo })
}

fn exercise(section: &Section<'_>) -> Option<Exercise> {
    let asks = section.field("asks").required().text();
    let measure = section.field("measure").required().text();
    let chance = section.field("chance");
    let chance = chance.is_present().then(|| chance.section()).flatten().map(|inner| {
        let condition = Condition::read(&inner);
        says_something(&inner);
        for key in ["played", "never_played"] {
            let field = inner.field(key);
            if field.is_present() {
                field.fault("a chance is of a position, not of what was played", "facts");
            }
        }
        inner.finish();
        condition
    });
    let within = section.field("within");
    let within = if within.is_present() { within.thousandths()? } else { 0 };
    let among = section.field("among").texts();
    let until = section.field("until");
    let affair = until.is_present() && until.one_of(&["decision", "affair"]) == Some(1);
    section.finish();
    Some(Exercise { asks: asks?, measure: measure?, chance, within: within as f64 / 1000.0, among, affair })
}

fn question(section: &Section<'_>) -> Option<Question> {
    let asks = section.field("asks").required().text();
    let choices = section.field("choices").required().texts();
    if !(2..=4).contains(&choices.len()) {
        section.field("choices").fault(format!("there are {} choices", choices.len()), "two to four");
    }
    let right = section.field("right").required().integer(1..=choices.len().max(1) as i64);
    let why = section.field("why").required().text();
    let rule = Named::read(&section.field("rule"));
    Some(Question { asks: asks?, choices, right: right? as usize - 1, why: why?, rule })
}

fn one_try(section: &Section<'_>, answers: usize) -> Option<Try> {
    let name = section.field("name").required().text();
    let play = Named::all(&section.field("play").required());
    if section.field("play").is_present() && play.is_empty() {
        section.field("play").fault("the try plays nothing", "at least one action");
    }
    if play.len() > MOST {
        section
            .field("play")
            .fault(format!("the try plays {} actions", play.len()), format!("at most {MOST}"));
    }
    let field = section.field("expect").required();
    let written = field.text()?;
    let expect = match written.as_str() {
        "solved" => Some(Expect::Solved),
        "unsolved" => Some(Expect::Unsolved),
        other => {
            let number = other.strip_prefix("answer ").and_then(|n| n.parse::<usize>().ok());
            let index = number.filter(|n| (1..=answers).contains(n)).map(|n| Expect::Answer(n - 1));
            if index.is_none() {
                let expected = format!("\"solved\", \"unsolved\" or \"answer 1\" to \"answer {answers}\"");
                field.fault(format!("`{other}` is nothing that can come of a try"), expected);
            }
            index
        }
    };
    Some(Try { span: section.span(), name: name?, play, expect: expect? })
}
