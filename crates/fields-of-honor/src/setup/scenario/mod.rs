//! Reading a scenario file.

mod ground;
mod places;
mod scores;
mod troops;

use arrayvec::ArrayVec;
use game::board::TerrainPiece;
use game::read::{Field, Section};
use game::{BySide, Faults, Options, Side, scenario};
use table::TableTop;

use self::places::{points, table_top};
use crate::rules::charge::Charge;
use crate::rules::charts::{Scale, Tables};
use crate::rules::movement::March;
use crate::rules::sequence::{Phase, Step};
use crate::setup::battle::{Battle, Score, SideInfo, Sudden, Switches};
use crate::setup::ground::{Ground, Linear, TableEdge};
use crate::setup::pieces::{BmuInfo, LeaderInfo, Rates};
use crate::state::{Bmu, Body, Go, Leader, MAX_BODIES, MAX_LEADERS, Personality, State, Where};

/// The keys of a scenario file.
const KEYS: &[&str] = &["battle", "side", "terrain", "leader", "unit", "score", "sudden"];

/// The sides of a table, in thousandths of an inch.
const TABLE_SIDES: std::ops::RangeInclusive<i64> = 12_000..=240_000;
const MAX_UNITS: usize = 48;
const MAX_TERRAIN: usize = 64;
/// One bit each in [`State::scored`].
const MAX_SCORES: usize = 32;
/// As many as [`State::held`] has room for.
const MAX_POINTS_HELD: usize = 12;
/// One bit each in [`State::revealed`].
const MAX_UNSEEN: usize = 32;

/// Reads a scenario, or the scenario that a situation holds.
pub(crate) fn compile(source: &str, options: &Options) -> Result<Battle, Faults> {
    game::read::document(source, |sheet| {
        sheet.ignore(game::situation::KEYS);
        sheet.ignore(KEYS);
        let title = sheet.field("title").required().text();
        let head = sheet.field("battle").required().section();
        let mut on = Switches::USUAL;
        scenario::options(sheet, options, &mut on.named(), &[]);
        let mut reader = Reader::new(sheet, head.as_ref()?, on)?;
        reader.terrain();
        reader.leaders();
        reader.units();
        reader.scores();
        head?.finish();
        let battle = reader.finish(title?)?;
        if !scenario::is_situation(sheet) {
            muster_faults(sheet, &battle);
        }
        Some(battle)
    })
}

struct Reader<'a, 'd> {
    sheet: &'a Section<'d>,
    scale: Scale,
    tables: Tables,
    on: Switches,
    head: Frame,
    sides: BySide<SideInfo>,
    areas: Vec<Ground>,
    lines: Vec<Linear>,
    pieces: Vec<TerrainPiece>,
    leaders: Vec<LeaderInfo>,
    men: ArrayVec<Leader, { MAX_LEADERS }>,
    bmus: Vec<BmuInfo>,
    bodies: ArrayVec<Body, { MAX_BODIES }>,
    scores: Vec<Score>,
    sudden: Vec<Sudden>,
    /// What each leader's `bodyguard` and `with` say, until the units are known.
    bodyguards: Vec<Option<Field<'d>>>,
    withs: Vec<Option<Field<'d>>>,
    slots: usize,
}

struct Frame {
    subtitle: String,
    blurb: String,
    year: i64,
    top: TableTop,
    turns: u8,
    attacker: Option<Side>,
    margin: i32,
}

impl<'a, 'd> Reader<'a, 'd> {
    fn new(sheet: &'a Section<'d>, head: &Section<'d>, on: Switches) -> Option<Self> {
        let scale = Scale::ALL[head.field("scale").required().one_of(&Scale::NAMES)?];
        let top = table_top(&head.field("table").required())?;
        let sides = scenario::sides(sheet, |side, section| Some(read_side(side, section, &top)))?.each;
        let attacker = match head.field("attacker").text().as_deref() {
            None | Some("none") => None,
            Some(id) => {
                let side = Side::BOTH.into_iter().find(|s| sides[*s].id == id);
                if side.is_none() {
                    head.field("attacker")
                        .fault(format!("there is no side `{id}`"), "the id of a side, or none");
                }
                side
            }
        };
        let head = Frame {
            subtitle: head.field("subtitle").text().unwrap_or_default(),
            blurb: head.field("blurb").text().unwrap_or_default(),
            year: head.field("year").integer(1700..=1914).unwrap_or(1862),
            top,
            turns: head.field("turns").integer(1..=60).unwrap_or(12) as u8,
            attacker,
            margin: head.field("margin").integer(1..=20).unwrap_or(1) as i32,
        };
        Some(Reader {
            sheet,
            scale,
            tables: Tables::shipped(),
            on,
            head,
            sides,
            areas: Vec::new(),
            lines: Vec::new(),
            pieces: Vec::new(),
            leaders: Vec::new(),
            men: ArrayVec::new(),
            bmus: Vec::new(),
            bodies: ArrayVec::new(),
            scores: Vec::new(),
            sudden: Vec::new(),
            bodyguards: Vec::new(),
            withs: Vec::new(),
            slots: 0,
        })
    }

    fn side(&self, field: &Field<'d>) -> Option<Side> {
        let ids = [self.sides.first.id.as_str(), self.sides.second.id.as_str()];
        field.clone().required().one_of(&ids).map(|i| Side::BOTH[i])
    }

    fn finish(mut self, title: String) -> Option<Battle> {
        let bmus: ArrayVec<Bmu, MAX_UNITS> = self.bmus.iter().map(|_| Bmu::default()).collect();
        if self.bmus.is_empty() {
            self.sheet.fault("there are no units", "a table [[unit]] for each");
            return None;
        }
        if !self.on.personalities {
            self.men.iter_mut().for_each(|m| m.personality = Personality::Typical);
        }
        let batteries = self.bmus.iter().filter(|b| b.arm.is_artillery()).count();
        if self.bodies.len() + batteries > MAX_BODIES {
            let count = self.bodies.len() + batteries;
            self.sheet.fault(
                format!("{count} bodies are too many: every unit, group and battery of gunners is one"),
                format!("{MAX_BODIES} at the most"),
            );
        }
        let held = (0..self.slots).map(|_| None).collect();
        let row = self.tables.scale.of(self.scale).clone();
        let unseen = self.areas.iter().enumerate().filter(|(_, area)| area.unseen.is_some());
        let unseen = unseen.fold(0, |all, (i, _)| all | 1 << i);
        let start = State {
            turn: 1,
            phase: Phase::Orders,
            bodies: self.bodies,
            bmus,
            leaders: self.men,
            agenda: {
                let mut agenda = game::Agenda::new();
                agenda.push(Step::Begin(Phase::Orders));
                agenda
            },
            turn_of: Side::First,
            mover: Side::First,
            go: Go::default(),
            charge: Charge::default(),
            march: March::default(),
            volleys: ArrayVec::new(),
            bouts: ArrayVec::new(),
            shares: ArrayVec::new(),
            breaches: ArrayVec::new(),
            revealed: 0,
            blind: false,
            commands: BySide::default(),
            held,
            points: BySide::default(),
            scored: 0,
            over: None,
            scene: 0,
        };
        Some(Battle {
            head: scenario::Head { title, subtitle: self.head.subtitle, blurb: self.head.blurb },
            scale: self.scale,
            year: self.head.year,
            top: self.head.top,
            turns: self.head.turns,
            attacker: self.head.attacker,
            sides: self.sides,
            rates: Rates::of(&self.tables, self.scale),
            tables: self.tables,
            row,
            on: self.on,
            bmus: self.bmus,
            leaders: self.leaders,
            areas: self.areas,
            unseen,
            lines: self.lines,
            scores: self.scores,
            sudden: self.sudden,
            margin: self.head.margin,
            start,
            pieces: self.pieces,
        })
    }
}

/// What only the whole of a scenario shows: troops and a commander for both sides, each body on ground of its own.
fn muster_faults(sheet: &Section<'_>, battle: &Battle) {
    let sections = sheet.field("side").sections();
    let units = sheet.field("unit").sections();
    // A unit that could not be read has its own fault.
    let all_read = battle.bmus.len() == units.len();
    for (side, section) in Side::BOTH.into_iter().zip(&sections) {
        let id = &battle.sides[side].id;
        if all_read && !battle.bmus.iter().any(|b| b.side == side) {
            section.fault(format!("`{id}` has no units"), "a table [[unit]] for each");
        }
        if battle.leaders.iter().filter(|l| l.side == side && l.overall).count() != 1 {
            section.fault(
                format!("`{id}` needs exactly one overall commander"),
                "one table [[leader]] with `overall = true`",
            );
        }
    }
    let (first, second) = (battle.sides.first.edge, battle.sides.second.edge);
    if first.is_some() && first == second {
        sections[1].field("edge").fault("both sides have the same edge", "an edge of its own, or none");
    }
    if !all_read {
        return;
    }
    let bodies = &battle.start.bodies;
    for (i, body) in bodies.iter().enumerate().filter(|(_, b)| b.place == Where::Table) {
        let (Some(section), layout) = (units.get(usize::from(body.bmu)), body.layout(battle)) else {
            continue;
        };
        let id = &battle.bmus[usize::from(body.bmu)].id;
        if !layout.rects().iter().all(|r| battle.top.holds(r)) {
            section.fault(
                format!("`{id}` stands partly off the table"),
                "`at`, the middle of its front, far enough from the edges",
            );
        }
        let mut before = bodies[..i].iter().filter(|b| b.place == Where::Table && b.bmu != body.bmu);
        if let Some(other) = before.find(|b| b.layout(battle).overlaps(&layout)) {
            let there = &battle.bmus[usize::from(other.bmu)].id;
            section.fault(format!("`{id}` stands on `{there}`"), "places apart");
        }
    }
}

fn read_side(side: Side, section: &Section<'_>, top: &TableTop) -> SideInfo {
    let id = section.field("id").text().unwrap_or_default();
    let edge = section.field("edge").one_of(&["north", "east", "south", "west", "none"]);
    let usual = BySide { first: TableEdge::South, second: TableEdge::North }[side];
    let exit = section.field("exit").section().and_then(|inner| {
        let edge = TableEdge::ALL[inner.field("edge").one_of(&TableEdge::NAMES)?];
        let from = inner.field("from").integer(1..=60)?;
        inner.finish();
        Some((edge, from as u8))
    });
    let info = SideInfo {
        name: section.field("name").text().unwrap_or_else(|| id.clone()),
        id,
        livery: section.field("livery").text().unwrap_or_else(|| "dark".to_owned()),
        edge: edge.map_or(Some(usual), |i| TableEdge::ALL.get(i).copied()),
        rally: points(top, &section.field("rally")),
        exit,
    };
    section.finish();
    info
}
