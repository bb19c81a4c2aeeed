//! `[[terrain]]`: ground and lines.

use game::board::TerrainPiece;
use game::read::{Field, Section};
use table::{Area, INCH, Line, MAX_POINTS, MIL, Pt};

use super::places::{points, thousandths_within, units};
use super::{MAX_TERRAIN, MAX_UNSEEN, Reader};
use crate::rules::charts::TerrainRow;
use crate::setup::ground::{Cover, Ground, Linear, Woods};

impl<'d> Reader<'_, 'd> {
    pub(super) fn terrain(&mut self) {
        let sections = self.sheet.field("terrain").sections();
        if let Some(extra) = sections.get(MAX_TERRAIN) {
            extra.fault("there are too many pieces of terrain", format!("{MAX_TERRAIN} at the most"));
        }
        let mut all = 0;
        for section in sections.iter().take(MAX_TERRAIN) {
            all += section.field("area").list().len() + section.field("line").list().len();
            if all > MAX_POINTS {
                let expected = format!("{MAX_POINTS} in all at the most");
                section.fault("the terrain has too many points by here", expected);
                section.leave();
                break;
            }
            self.terrain_piece(section);
            section.finish();
        }
    }

    fn terrain_piece(&mut self, section: &Section<'d>) {
        let Some(kind) = section.field("kind").required().text() else {
            section.leave();
            return;
        };
        let name = section.field("name").text().unwrap_or_else(|| kind.clone());
        let width = thousandths_within(&section.field("width"), 0, 24_000).unwrap_or(0);
        let area = points(&self.head.top, &section.field("area"));
        let line = points(&self.head.top, &section.field("line"));
        // Only where one side defends can ground be unknown to the other.
        let hides = self.on.hidden_terrain && self.head.attacker.is_some();
        let more = AreaMore::read(section, hides);
        let (cover, unseen) = (more.cover, more.unseen);
        let linear = LinearMore::read(section);
        let shape = if area.is_empty() { &line } else { &area };
        // Ground that the attacker does not know yet is no part of the board; the view marks it for those who do.
        self.pieces.extend((!unseen).then(|| TerrainPiece {
            kind: board_kind(&kind),
            name: section.field("name").text(),
            points: shape.iter().map(|p| [(p.x / MIL) as i32, (p.y / MIL) as i32]).collect(),
            closed: !area.is_empty(),
            width: width as i32,
            says: String::new(),
        }));
        if !area.is_empty() || width > 0 {
            let made =
                if area.is_empty() { Area::ribbon(&line, units(width)) } else { Area::new(area.clone()) };
            let Some(made) = made else {
                section.fault(format!("`{name}` has no inside"), "a simple outline, or a line with a width");
                return;
            };
            let Some(ground) = self.ground(section, name.clone(), &kind, made, &more) else { return };
            let building = ground.building;
            if unseen && self.areas.len() >= MAX_UNSEEN {
                section.fault(
                    "ground that is not seen stands too far down",
                    format!("among the first {MAX_UNSEEN}"),
                );
                return;
            }
            self.areas.push(ground);
            if building && self.on.forts {
                let mut ring = area;
                ring.extend(ring.first().copied());
                self.line(section, name, "wall", ring, cover, linear);
            }
        } else if !line.is_empty() {
            self.line(section, name, &kind, line, cover, linear);
        } else {
            section
                .fault(format!("`{name}` has no shape"), "`area = [[x, y], ...]` or `line = [[x, y], ...]`");
        }
    }

    fn ground(
        &self,
        section: &Section<'d>,
        name: String,
        kind: &str,
        area: Area,
        more: &AreaMore,
    ) -> Option<Ground> {
        let AreaMore { level, cover, ref closed, unseen } = *more;
        let row = self.tables.terrain.iter().find(|r| r.name == kind);
        let building = kind == "building";
        if row.is_none() && !building {
            let known: Vec<&str> = self.tables.terrain.iter().map(|r| r.name.as_str()).collect();
            section.fault(
                format!("`{kind}` is no kind of ground"),
                format!("one of {}, building", known.join(", ")),
            );
            return None;
        }
        let woods = match kind {
            "light woods" => Some(Woods::Light),
            "medium woods" => Some(Woods::Medium),
            "heavy woods" => Some(Woods::Heavy),
            _ => None,
        };
        let hill = kind.ends_with("hill");
        let usual = match kind {
            _ if building => Cover::Heavy,
            _ if woods.is_some() => Cover::Light,
            "rough" | "depression" => Cover::Light,
            _ => Cover::None,
        };
        let reveal = row.and_then(|r| r.reveal_yards);
        if unseen && (reveal.is_none() || level != 0) {
            section.field("unseen").fault(
                format!("`{kind}` cannot be unknown to the attacker"),
                "a depression or boggy ground, on level 0",
            );
        }
        let yards = self.tables.scale.of(self.scale).yards_per_inch;
        Some(Ground {
            name,
            kind: kind.to_owned(),
            area,
            level: if hill { level.max(1) } else { level },
            cover: cover.unwrap_or(usual),
            cost: row.map_or(4, TerrainRow::doubled),
            suppress: row.is_some_and(|r| r.suppress),
            woods,
            hill,
            road: kind == "road",
            building,
            closed_to_guns: building || closed.iter().any(|c| c == "artillery"),
            closed_to_cavalry: building || closed.iter().any(|c| c == "cavalry"),
            unseen: reveal.filter(|_| unseen).map(|y| y * INCH / yards),
            rough: kind != "clear" && kind != "road",
        })
    }

    fn line(
        &mut self,
        section: &Section<'d>,
        name: String,
        kind: &str,
        line: Vec<Pt>,
        cover: Option<Cover>,
        more: LinearMore,
    ) {
        let Some(line) = Line::new(line) else {
            section.fault(format!("`{name}` is no line"), "two corners or more");
            return;
        };
        let (usual, fort, high) = match kind {
            "obstacle" => (Cover::None, false, false),
            "fence" => (Cover::Light, false, false),
            "stone wall" => (Cover::Heavy, false, false),
            "wall" => (Cover::Heavy, true, false),
            "high wall" => (Cover::Heavy, true, true),
            _ => {
                section.fault(
                    format!("`{kind}` is no kind of line"),
                    "one of obstacle, fence, stone wall, wall, high wall, or a ground with a width",
                );
                return;
            }
        };
        self.lines.push(Linear {
            name,
            line,
            cover: cover.unwrap_or(usual),
            fort: fort && self.on.forts,
            raised: more.raised,
            high,
            stone: more.stone,
            gates: more.gates,
            ladders: more.ladders,
            from_turn: more.from_turn,
            until_turn: more.until_turn,
        });
    }
}

struct LinearMore {
    raised: bool,
    stone: bool,
    gates: Vec<i64>,
    ladders: bool,
    from_turn: u8,
    until_turn: u8,
}

impl LinearMore {
    fn read(section: &Section<'_>) -> LinearMore {
        LinearMore {
            raised: section.field("raised").truth().unwrap_or(false),
            stone: section.field("stone").truth().unwrap_or(false),
            gates: section.field("gates").list().iter().filter_map(Field::thousandths).map(units).collect(),
            ladders: section.field("ladders").truth().unwrap_or(false),
            from_turn: section.field("from_turn").integer(1..=60).unwrap_or(0) as u8,
            until_turn: section.field("until_turn").integer(1..=60).unwrap_or(99) as u8,
        }
    }
}

/// What a piece of ground may say besides its kind and its shape.
struct AreaMore {
    level: i8,
    cover: Option<Cover>,
    closed: Vec<String>,
    unseen: bool,
}

impl AreaMore {
    fn read(section: &Section<'_>, hides: bool) -> AreaMore {
        AreaMore {
            level: section.field("level").integer(-3..=9).unwrap_or(0) as i8,
            cover: section.field("cover").one_of(&Cover::NAMES).map(|i| Cover::ALL[i]),
            closed: section.field("closed").texts(),
            unseen: section.field("unseen").truth().unwrap_or(false) && hides,
        }
    }
}

fn board_kind(kind: &str) -> String {
    match kind {
        k if k.ends_with("woods") => "woods",
        k if k.ends_with("hill") => "hill",
        k if k.ends_with("water") => "stream",
        "stone wall" | "wall" | "high wall" => "wall",
        other => other,
    }
    .to_owned()
}
