//! `[[score]]` and `[[sudden]]`: what counts, and what ends a battle before its time.

use game::read::{Field, Section};
use game::{BySide, Side};
use table::Area;

use super::places::{point, points, thousandths_within, units};
use super::{MAX_POINTS_HELD, MAX_SCORES, Reader};
use crate::setup::battle::{Score, Sudden, What, When};

impl<'d> Reader<'_, 'd> {
    pub(super) fn scores(&mut self) {
        let sections = self.sheet.field("score").sections();
        if let Some(extra) = sections.get(MAX_SCORES) {
            extra.fault("there are too many scores", format!("{MAX_SCORES} at the most"));
        }
        let mut kept = Vec::new();
        for section in sections.iter().take(MAX_SCORES) {
            if self.score(section).is_some() {
                section.finish();
            }
            kept.push(section.field("names"));
        }
        for section in self.sheet.field("sudden").sections() {
            self.sudden_end(&section);
            section.finish();
            kept.push(section.field("holds"));
        }
        kept.iter().for_each(|names| self.must_be_held(names));
    }

    /// `names` and `holds` list scores for ground that is held.
    fn must_be_held(&self, names: &Field<'d>) {
        for item in names.list() {
            let Some(name) = item.text() else { continue };
            let held = |s: &&Score| matches!(s.what, What::HoldArea { .. } | What::HoldPoint { .. });
            if !self.scores.iter().filter(held).any(|s| s.name == name) {
                item.fault(
                    format!("there is no ground to hold called `{name}`"),
                    "the `name` of a [[score]] for a held area or point",
                );
            }
        }
    }

    fn score(&mut self, section: &Section<'d>) -> Option<()> {
        const KINDS: [&str; 11] = [
            "hold area",
            "hold point",
            "clear",
            "removed",
            "broken",
            "fewer losses",
            "stands lost",
            "spent",
            "kept",
            "entered",
            "held at",
        ];
        let kind = section.field("what").required().one_of(&KINDS);
        let kind = KINDS[kind?];
        let name = section.field("name").text();
        let points_of = self.points_of(section, kind == "entered");
        let most = section.field("most").integer(1..=99).unwrap_or(99) as i32;
        let top = self.head.top;
        let outline = || {
            let field = section.field("area").required();
            let corners = points(&top, &field);
            let area = Area::new(corners.clone());
            if area.is_none() && field.is_present() && corners.len() == field.list().len() {
                field.fault("these corners have no inside", "a simple outline of three corners or more");
            }
            area
        };
        let turns = i64::from(self.head.turns);
        let bit = 1 << self.scores.len();
        let what = match kind {
            "hold area" => {
                let areas = self.areas_named(&section.field("areas").required());
                let foot_and_guns = section.field("foot_and_guns").truth().unwrap_or(false);
                What::HoldArea { areas, foot_and_guns }
            }
            "hold point" => {
                let at = point(&top, &section.field("at").required());
                let within = thousandths_within(&section.field("within"), 0, 24_000).unwrap_or(3000);
                if self.slots == MAX_POINTS_HELD {
                    section
                        .fault("there are too many points to hold", format!("{MAX_POINTS_HELD} at the most"));
                    return None;
                }
                let at = at?;
                self.slots += 1;
                What::HoldPoint { at, within: units(within), slot: self.slots - 1 }
            }
            "removed" => {
                let arms = section.field("arms").one_of(&["all", "batteries", "foot and horse"]);
                What::Removed { batteries: arms.filter(|a| *a > 0).map(|a| a == 1) }
            }
            "broken" => What::Broken,
            "fewer losses" => What::FewerLosses,
            "stands lost" => {
                What::StandsLost { each: section.field("each").integer(1..=20).unwrap_or(1) as i32 }
            }
            "spent" => What::Spent,
            "kept" => What::Kept { names: section.field("names").required().texts() },
            "clear" => What::Clear { area: outline()? },
            "entered" => {
                let before = section.field("turn").integer(1..=turns + 1).unwrap_or(60) as u8;
                What::Entered { area: outline()?, before, bit }
            }
            _ => {
                let turn = section.field("turn").required().integer(1..=turns);
                What::HeldAt { area: outline()?, turn: turn? as u8, bit }
            }
        };
        self.scores.push(Score {
            name: name.unwrap_or_else(|| kind.to_owned()),
            what,
            points: points_of,
            most,
        });
        Some(())
    }

    /// `points` for both sides, or `for = { red = 3 }`; a score that names the side that earns it has `for` alone.
    fn points_of(&self, section: &Section<'d>, of_one_side: bool) -> BySide<i32> {
        let mut points = BySide::default();
        let by = section.field("for");
        if by.is_present() || of_one_side {
            let ids = [self.sides.first.id.as_str(), self.sides.second.id.as_str()];
            for (id, field) in by.required().section().iter().flat_map(|by| by.entries()) {
                match ids.iter().position(|known| *known == id) {
                    Some(i) => points[Side::BOTH[i]] = field.integer(0..=99).unwrap_or(0) as i32,
                    None => {
                        field.fault(format!("there is no side `{id}`"), format!("{} or {}", ids[0], ids[1]))
                    }
                }
            }
            return points;
        }
        let both = section.field("points");
        if !both.is_present() {
            section.fault("the score has no points", "`points = 3`, or `for = { side = 3 }`");
        }
        let both = both.integer(0..=99).unwrap_or(0) as i32;
        BySide { first: both, second: both }
    }

    /// Pieces of ground by their names.
    fn areas_named(&self, field: &Field<'d>) -> Vec<usize> {
        let mut found = Vec::new();
        for item in field.list() {
            let Some(name) = item.text() else { continue };
            let before = found.len();
            found.extend((0..self.areas.len()).filter(|i| self.areas[*i].name == name));
            if found.len() == before {
                item.fault(
                    format!("there is no ground `{name}`"),
                    "the `name` of a [[terrain]] with an `area`",
                );
            }
        }
        if field.is_present() && field.list().is_empty() {
            field.fault("no ground is named", "the `name` of a [[terrain]] with an `area`");
        }
        found
    }

    fn sudden_end(&mut self, section: &Section<'d>) -> Option<()> {
        let winner = self.side(&section.field("winner"));
        let ways = ["alone_in", "stands_left", "holds"];
        if ways.into_iter().filter(|key| section.field(key).is_present()).count() != 1 {
            section.fault("it is not said what ends the battle", "one of alone_in, stands_left, holds");
        }
        let inside = section.field("alone_in");
        let area = Area::new(points(&self.head.top, &inside));
        if inside.is_present() && area.is_none() {
            inside.fault("these corners have no inside", "a simple outline of three corners or more");
        }
        let stands = section.field("stands_left").integer(0..=99);
        let names = section.field("holds").texts();
        let most = section.field("of_the_others").integer(0..=9).unwrap_or(0) as usize;
        if section.field("holds").is_present() && most >= names.len() {
            section
                .field("holds")
                .fault("too few names are listed", "the first, and the others to choose from");
        }
        let from = section.field("from").integer(1..=60).unwrap_or(1) as u8;
        let when = match (area, stands) {
            (Some(area), _) => When::Alone { area },
            (None, Some(stands)) => When::StandsLeft { stands: stands as i32 },
            _ => When::Holds { names, most, from },
        };
        self.sudden.push(Sudden { winner: winner?, when });
        Some(())
    }
}
