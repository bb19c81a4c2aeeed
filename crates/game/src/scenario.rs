//! What every scenario file begins with: its head, its two sides, its options.
//!
//! ```
//! use game::{Options, read, scenario};
//! let file = "title = \"A meeting\"\n[options]\nfog = true\n\
//!     [[side]]\nid = \"red\"\nname = \"Red\"\n[[side]]\nid = \"blue\"\n";
//! let read = read::document(file, |sheet| {
//!     let head = scenario::Head::read(sheet);
//!     let mut fog = false;
//!     scenario::options(sheet, &Options::new(), &mut [("fog", &mut fog)], &[]);
//!     let sides = scenario::sides(sheet, |_, section| {
//!         let name = section.field("name").text().unwrap_or_else(|| "nobody".to_owned());
//!         section.finish();
//!         Some(name)
//!     })?;
//!     Some((head.title, fog, sides.ids.second, sides.each.first))
//! });
//! assert_eq!(read, Ok(("A meeting".into(), true, "blue".into(), "Red".into())));
//! ```

use crate::read::{Field, Section};
use crate::{BySide, Options, Side, situation};

/// How a battle introduces itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// `McPherson's Ridge`.
    pub title: String,
    /// `Gettysburg, 1 July 1863, morning`.
    pub subtitle: String,
    /// Two or three sentences for the set-up screen.
    pub blurb: String,
}

impl Head {
    /// Reads `title`, `subtitle` and `blurb`, and leaves a situation's own keys alone.
    #[must_use]
    pub fn read(sheet: &Section<'_>) -> Head {
        sheet.ignore(situation::KEYS);
        let text = |key| sheet.field(key).text().unwrap_or_default();
        Head { title: text("title"), subtitle: text("subtitle"), blurb: text("blurb") }
    }
}

/// Whether the file is a situation: it shows one rule with as little ground and as few troops as it needs.
#[must_use]
pub fn is_situation(sheet: &Section<'_>) -> bool {
    ["position", "step", "lesson"].into_iter().any(|key| sheet.field(key).is_present())
}

/// Sets each of `switches` as the file's `[options]` say, then as the player says (`given`). `others` are read by
/// somebody else. A name that nobody knows is a fault.
pub fn options(
    sheet: &Section<'_>,
    given: &Options,
    switches: &mut [(&'static str, &mut bool)],
    others: &[&str],
) {
    let names: Vec<&str> = switches.iter().map(|(name, _)| *name).chain(others.iter().copied()).collect();
    let remedy = match names[..] {
        [] => "no option".to_owned(),
        [only] => only.to_owned(),
        _ => format!("one of {}", names.join(", ")),
    };
    let mut set = |name: &str, on: bool| match switches.iter_mut().find(|(known, _)| *known == name) {
        Some((_, switch)) => **switch = on,
        None => debug_assert!(others.contains(&name)),
    };
    for (name, field) in sheet.field("options").section().iter().flat_map(Section::entries) {
        if !names.contains(&name.as_str()) {
            field.fault(format!("there is no option `{name}`"), remedy.as_str());
        } else if let Some(on) = field.truth() {
            set(&name, on);
        }
    }
    for (name, on) in given {
        if names.contains(&name.as_str()) {
            set(name, *on);
        } else {
            sheet.fault(format!("there is no option `{name}`"), remedy.as_str());
        }
    }
}

/// The two sides of a battle.
#[derive(Debug, Clone)]
pub struct Sides<T> {
    /// Their ids, as files and notation call them.
    pub ids: BySide<String>,
    /// What else was read of each.
    pub each: BySide<T>,
}

impl<T> Sides<T> {
    /// The side that the field names.
    #[must_use]
    pub fn side(&self, field: &Field<'_>) -> Option<Side> {
        side(field, BySide { first: &self.ids.first, second: &self.ids.second })
    }
}

/// The side of that id; another is a fault.
#[must_use]
pub fn side(field: &Field<'_>, ids: BySide<&str>) -> Option<Side> {
    let text = field.text()?;
    let found = Side::BOTH.into_iter().find(|side| ids[*side] == text);
    if found.is_none() {
        field.fault(format!("there is no side `{text}`"), format!("{} or {}", ids.first, ids.second));
    }
    found
}

/// Reads the two tables `[[side]]`, each with an id of its own; `read` reads the rest of a table and finishes it.
pub fn sides<'d, T>(
    sheet: &Section<'d>,
    mut read: impl FnMut(Side, &Section<'d>) -> Option<T>,
) -> Option<Sides<T>> {
    let field = sheet.field("side").required();
    let sections = field.sections();
    let [first, second] = &sections[..] else {
        if field.is_present() {
            field.fault(format!("there are {} sides", sections.len()), "two tables [[side]]");
        }
        return None;
    };
    let id = |section: &Section<'d>| section.field("id").required().id();
    let (one, two) = (id(first), id(second));
    if one.is_some() && one == two {
        second.field("id").fault("both sides have the same id", "an id of its own");
        return None;
    }
    let each = (read(Side::First, first), read(Side::Second, second));
    let ids = BySide { first: one?, second: two? };
    Some(Sides { ids, each: BySide { first: each.0?, second: each.1? } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::document;

    fn faults<T>(source: &str, read: impl FnOnce(&Section<'_>) -> Option<T>) -> Vec<(String, String)> {
        let faults = document(source, read).map(drop).unwrap_err();
        faults.0.into_iter().map(|f| (f.message, f.expected)).collect()
    }

    fn switched(source: &str, given: &Options) -> Option<(bool, bool)> {
        let (mut fog, mut rain) = (false, true);
        document(source, |sheet| {
            options(sheet, given, &mut [("fog", &mut fog), ("rain", &mut rain)], &["snow"]);
            Some(())
        })
        .ok()?;
        Some((fog, rain))
    }

    #[test]
    fn the_player_overrides_the_file() {
        let given = Options::from([("fog".to_owned(), false)]);
        assert_eq!(switched("", &Options::new()), Some((false, true)));
        assert_eq!(switched("options = { fog = true, rain = false }", &Options::new()), Some((true, false)));
        assert_eq!(switched("options = { fog = true }", &given), Some((false, true)));
        assert_eq!(switched("options = { snow = true }", &given), Some((false, true)));
        assert_eq!(switched("options = { fog = 1 }", &Options::new()), None);
    }

    #[test]
    fn an_unknown_option_is_told_wherever_it_comes_from() {
        let read = |given: Options| {
            move |sheet: &Section<'_>| {
                options(sheet, &given, &mut [("fog", &mut false)], &[]);
                Some(())
            }
        };
        let told = [("there is no option `mud`".to_owned(), "fog".to_owned())];
        assert_eq!(faults("options = { mud = true }", read(Options::new())), told);
        assert_eq!(faults("", read(Options::from([("mud".to_owned(), true)]))), told);
        let both = |sheet: &Section<'_>| {
            options(sheet, &Options::new(), &mut [("fog", &mut false)], &["rain"]);
            Some(())
        };
        assert_eq!(faults("options = { mud = true }", both)[0].1, "one of fog, rain");
    }

    #[test]
    fn two_sides_with_ids_of_their_own() {
        let read = |sheet: &Section<'_>| {
            sides(sheet, |_, s| {
                s.finish();
                Some(())
            })
        };
        let said = |source: &str| faults(source, read).remove(0).0;
        assert_eq!(said(""), "`side` is missing");
        assert_eq!(said("[[side]]\nid = \"a\"\n"), "there are 1 sides");
        assert_eq!(said(&"[[side]]\nid = \"a\"\n".repeat(3)), "there are 3 sides");
        assert_eq!(said(&"[[side]]\nid = \"a\"\n".repeat(2)), "both sides have the same id");
        assert_eq!(said("[[side]]\n[[side]]\nid = \"b\"\n"), "`id` is missing");
        let by = "by = \"b\"\n[[side]]\nid = \"a\"\n[[side]]\nid = \"b\"\n";
        let whose = |sheet: &Section<'_>| read(sheet)?.side(&sheet.field("by"));
        assert_eq!(document(by, whose), Ok(Side::Second));
        let told = ("there is no side `c`".to_owned(), "a or b".to_owned());
        assert_eq!(faults(&by.replace("by = \"b\"", "by = \"c\""), whose), [told]);
    }

    #[test]
    fn a_situation_has_steps_or_a_position() {
        let asked = |source| {
            document(source, |sheet| {
                let head = Head::read(sheet);
                Some((head.title, is_situation(sheet)))
            })
        };
        assert_eq!(asked("title = \"x\"\n[[step]]\n"), Ok(("x".into(), true)));
        assert_eq!(asked("title = \"x\"\n[position]\n"), Ok(("x".into(), true)));
        assert_eq!(asked("title = \"x\"\n[lesson]\n"), Ok(("x".into(), true)));
        assert_eq!(asked("title = \"x\"\nproves = []\n"), Ok(("x".into(), false)));
    }
}
