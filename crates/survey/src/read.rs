//! Reading a survey, with every fault reported at its place.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::feature::{
    Area, Crossing, Cut, Escarpment, High, Place, Point, Road, Survey, Wall, Water, Woods, Words,
};

/// How far beyond the sheet a line may run on, in yards.
const BEYOND: i32 = 2_000;
/// The largest sheet, in yards either way.
const LARGEST: i32 = 100_000;
/// The most points of one line or outline.
const MOST_POINTS: usize = 2_000;

/// Something wrong in a file, and where.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// Bytes of the text.
    pub span: Range<usize>,
    pub message: String,
}

impl Fault {
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Fault {
        Fault { span, message: message.into() }
    }

    /// Line and column of the beginning, both from 1.
    pub fn line_and_column(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.span.start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// Reads a survey, or says everything that is wrong with it.
pub fn read(text: &str) -> Result<Survey, Vec<Fault>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let fault = |error: toml::de::Error| Fault::new(error.span().unwrap_or(0..0), error.message());
        return Err(errors.into_iter().map(fault).collect());
    }
    let mut faults = Vec::new();
    let survey = survey(Entry::new(table.get_ref(), table.span(), [0, 0], &mut faults));
    faults.sort_by_key(|fault| fault.span.start);
    if faults.is_empty() { Ok(survey) } else { Err(faults) }
}

fn survey(mut top: Entry<'_>) -> Survey {
    top.sheet = top.size();
    let survey = Survey {
        title: top.text("title"),
        size: top.sheet,
        base: top.optional("base", Entry::level).unwrap_or(0),
        high: top.list("high", |entry| High {
            name: entry.text("name"),
            level: entry.required("level", 1, Entry::level),
            outline: entry.outline(),
            label: entry.label(),
            steep: entry.optional("steep", Entry::word),
        }),
        escarpment: top.list("escarpment", |entry| Escarpment {
            name: entry.text("name"),
            line: entry.line(),
            falls: entry.kind("falls"),
        }),
        woods: top.list("woods", |entry| Woods {
            name: entry.text("name"),
            outline: entry.outline(),
            kind: entry.optional("kind", Entry::word),
            label: entry.label(),
        }),
        town: top.list("town", area),
        marsh: top.list("marsh", area),
        field: top.list("field", area),
        orchard: top.list("orchard", area),
        water: top.list("water", |entry| Water {
            name: entry.text("name"),
            kind: entry.kind("kind"),
            line: entry.line(),
            width: entry.optional("width", Entry::yards),
            outline: entry.optional("outline", |entry, value| entry.points(value, 3)),
            bottom: entry.optional("bottom", Entry::yards),
            label: entry.label(),
        }),
        road: top.list("road", |entry| Road {
            name: entry.text("name"),
            kind: entry.kind("kind"),
            line: entry.line(),
            label: entry.label(),
        }),
        wall: top.list("wall", |entry| Wall {
            name: entry.text("name"),
            kind: entry.kind("kind"),
            line: entry.line(),
            protects: entry.optional("protects", Entry::word),
        }),
        bridge: top.list("bridge", crossing),
        ford: top.list("ford", crossing),
        place: top.list("place", |entry| Place {
            name: entry.text("name"),
            kind: entry.kind("kind"),
            at: entry.at(),
            chief: entry.optional("chief", Entry::truth),
        }),
        cut: top.list("cut", |entry| Cut { name: entry.text("name"), line: entry.line() }),
    };
    top.nothing_else();
    survey
}

fn area(entry: &mut Entry<'_>) -> Area {
    Area { name: entry.text("name"), outline: entry.outline(), label: entry.label() }
}

fn crossing(entry: &mut Entry<'_>) -> Crossing {
    Crossing { name: entry.text("name"), at: entry.at(), burnt: entry.optional("burnt", Entry::truth) }
}

type Value<'a> = Spanned<DeValue<'a>>;

/// One table of the file. What is missing or wrong is noted and read as something harmless, so that reading
/// goes on to the next fault.
struct Entry<'a> {
    table: &'a DeTable<'a>,
    span: Range<usize>,
    sheet: Point,
    known: Vec<&'static str>,
    faults: &'a mut Vec<Fault>,
}

impl<'a> Entry<'a> {
    fn new(table: &'a DeTable<'a>, span: Range<usize>, sheet: Point, faults: &'a mut Vec<Fault>) -> Self {
        Entry { table, span, sheet, known: Vec::new(), faults }
    }

    fn fault(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.faults.push(Fault::new(span, message));
    }

    fn expected<T>(&mut self, value: &Value<'_>, what: &str) -> Option<T> {
        self.fault(value.span(), format!("expected {what}, found {}", value.get_ref().type_str()));
        None
    }

    fn optional<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut Self, &Value<'_>) -> Option<T>,
    ) -> Option<T> {
        self.known.push(key);
        let value = self.table.get(key)?;
        read(self, value)
    }

    fn required<T>(
        &mut self,
        key: &'static str,
        otherwise: T,
        read: impl FnOnce(&mut Self, &Value<'_>) -> Option<T>,
    ) -> T {
        if !self.table.contains_key(key) {
            self.fault(self.span.clone(), format!("`{key}` is missing"));
        }
        self.optional(key, read).unwrap_or(otherwise)
    }

    fn text(&mut self, key: &'static str) -> String {
        self.required(key, String::new(), |entry, value| match value.get_ref().as_str() {
            Some("") => {
                entry.fault(value.span(), format!("`{key}` is empty"));
                None
            }
            Some(text) => Some(text.to_string()),
            None => entry.expected(value, "text in quotes"),
        })
    }

    fn label(&mut self) -> Option<String> {
        self.optional("label", |entry, value| match value.get_ref().as_str() {
            Some(text) => Some(text.to_string()),
            None => entry.expected(value, "text in quotes"),
        })
    }

    fn kind<T: Words>(&mut self, key: &'static str) -> T {
        self.required(key, T::WORDS[0].1, Entry::word)
    }

    fn word<T: Words>(&mut self, value: &Value<'_>) -> Option<T> {
        let words =
            || T::WORDS.iter().map(|(word, _)| format!("\"{word}\"")).collect::<Vec<_>>().join(" or ");
        let Some(text) = value.get_ref().as_str() else {
            return self.expected(value, &words());
        };
        let known = T::WORDS.iter().find(|(word, _)| *word == text);
        if known.is_none() {
            self.fault(value.span(), format!("expected {}, found \"{text}\"", words()));
        }
        known.map(|&(_, meaning)| meaning)
    }

    fn truth(&mut self, value: &Value<'_>) -> Option<bool> {
        value.get_ref().as_bool().or_else(|| self.expected(value, "true or false"))
    }

    fn whole(&mut self, value: &Value<'_>, range: Range<i32>) -> Option<i32> {
        let what = || format!("a whole number from {} to {}", range.start, range.end - 1);
        let Some(integer) = value.get_ref().as_integer() else {
            return self.expected(value, &what());
        };
        let number = i32::from_str_radix(integer.as_str(), integer.radix()).ok();
        let number = number.filter(|number| range.contains(number));
        if number.is_none() {
            self.fault(value.span(), format!("expected {}", what()));
        }
        number
    }

    fn level(&mut self, value: &Value<'_>) -> Option<i8> {
        self.whole(value, -9..10).and_then(|level| i8::try_from(level).ok())
    }

    fn yards(&mut self, value: &Value<'_>) -> Option<i32> {
        self.whole(value, 1..10_000)
    }

    fn size(&mut self) -> Point {
        self.required("size", [0, 0], |entry, value| {
            let [x, y] = entry.pair(value)?;
            Some([entry.whole(x, 1..LARGEST)?, entry.whole(y, 1..LARGEST)?])
        })
    }

    fn pair<'v, 'i>(&mut self, value: &'v Value<'i>) -> Option<[&'v Value<'i>; 2]> {
        let pair = value.get_ref().as_array().filter(|array| array.len() == 2);
        match pair {
            Some(pair) => Some([pair.first()?, pair.get(1)?]),
            None => self.expected(value, "a pair of numbers [x, y]"),
        }
    }

    fn point(&mut self, value: &Value<'_>) -> Option<Point> {
        let [x, y] = self.pair(value)?;
        let [width, height] = self.sheet;
        Some([self.whole(x, -BEYOND..width + BEYOND + 1)?, self.whole(y, -BEYOND..height + BEYOND + 1)?])
    }

    fn at(&mut self) -> Point {
        self.required("at", [0, 0], Entry::point)
    }

    fn line(&mut self) -> Vec<Point> {
        self.required("line", Vec::new(), |entry, value| entry.points(value, 2))
    }

    fn outline(&mut self) -> Vec<Point> {
        self.required("outline", Vec::new(), |entry, value| entry.points(value, 3))
    }

    fn points(&mut self, value: &Value<'_>, least: usize) -> Option<Vec<Point>> {
        let Some(array) = value.get_ref().as_array() else {
            return self.expected(value, "a list of points [[x, y], ...]");
        };
        if array.len() < least {
            self.fault(value.span(), format!("expected at least {least} points, found {}", array.len()));
        }
        if let Some(extra) = array.get(MOST_POINTS) {
            let message = format!("expected at most {MOST_POINTS} points, found {}", array.len());
            self.fault(extra.span(), message);
        }
        let points: Vec<Point> =
            array.iter().take(MOST_POINTS).filter_map(|value| self.point(value)).collect();
        if let Some(at) = points.windows(2).position(|pair| pair[0] == pair[1]) {
            self.fault(value.span(), format!("the point {:?} stands twice in a row", points[at]));
        }
        Some(points)
    }

    fn list<T>(&mut self, key: &'static str, read: impl Fn(&mut Entry<'_>) -> T) -> Vec<T> {
        let sheet = self.sheet;
        let entries = self.optional(key, |top, value| match value.get_ref().as_array() {
            Some(array) => {
                let mut list = Vec::with_capacity(array.len());
                for value in array.iter() {
                    let Some(table) = value.get_ref().as_table() else {
                        top.expected::<()>(value, "a table");
                        continue;
                    };
                    let mut entry = Entry::new(table, value.span(), sheet, top.faults);
                    list.push(read(&mut entry));
                    entry.nothing_else();
                }
                Some(list)
            }
            None => top.expected(value, &format!("[[{key}]]")),
        });
        entries.unwrap_or_default()
    }

    /// Every key must have been asked for.
    fn nothing_else(&mut self) {
        let strangers: Vec<_> = self
            .table
            .keys()
            .filter(|key| !self.known.contains(&key.get_ref().as_ref()))
            .map(|key| (key.span(), format!("`{}` means nothing here", key.get_ref())))
            .collect();
        for (span, message) in strangers {
            self.fault(span, format!("{message}; known are {}", self.known.join(", ")));
        }
    }
}
