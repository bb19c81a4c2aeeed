//! 13 Scenario set-up: reads a scenario file. Troops, variants and places have files of their own.

mod places;
mod troops;
mod variants;

use game::read::{self, Field, Section};
use game::scenario::{self, Head};
use game::{BySide, Faults, Library, Options, Side};
use hexmap::{Hex, HexSet};

use crate::rules::charts::Charts;
use crate::setup::battle::{Battle, FordSite, Site, SitePlace, Switches, Turn};
use crate::setup::ground::{self, Ground, hex_of};
use crate::setup::map::{Map, feature};
use crate::setup::pieces::Start;
use crate::state::{Face, LeaderId, UnitId};

use variants::Chosen;

/// 1.0.a: the two sides as files name them.
const SIDES: [&str; 2] = ["usa", "csa"];

/// Reads a scenario.
pub(crate) fn compile(source: &str, library: &dyn Library, options: &Options) -> Result<Battle, Faults> {
    read::document(source, |sheet| build(sheet, library, options))
}

fn build(sheet: &Section<'_>, library: &dyn Library, options: &Options) -> Option<Battle> {
    let head = Head::read(sheet);
    let mut charts = Charts::series();
    if let Some(own) = sheet.field("charts").section() {
        charts.read(&own);
        own.finish();
    }
    let map = sheet.field("map").required().section();
    let ground = map.and_then(|map| {
        let ground = ground::read(&map, library, &charts);
        map.finish();
        ground
    })?;
    let turns = read_turns(sheet);
    let areas = read_areas(sheet, &ground);
    let mut roll = Roll { ground: &ground, areas: &areas, turns: turns.len() };
    let mut leaders = roll.leaders(sheet);
    let mut units = roll.units(sheet, &leaders);
    let Chosen { variants, bonus, lots, prizes } = roll.variants(sheet, options, &mut units, &mut leaders);
    let objectives = roll.objectives(sheet, &units);
    let sites = roll.sites(sheet);
    let mut fords = roll.fords(sheet);
    let mut armies = roll.armies(sheet, &units, &leaders);
    if !scenario::is_situation(sheet) {
        roll.both_have_units(sheet, &units);
    }
    Side::BOTH.into_iter().for_each(|side| armies[side].points += bonus[side]);
    let first = roll.side(&sheet.field("first")).unwrap_or(Side::First);
    let switches = switches(sheet, options);
    let Ground { grid, in_play, terrain, level, mut sides, names, survey, inset, hex_yards } = ground;
    lay_fords(&mut fords, switches, &mut sides);
    for side in changing(&sites, &fords) {
        sides[side.index()] |= feature::CHANGES;
    }
    Some(Battle {
        head,
        first,
        armies,
        map: Map::new(grid, in_play, terrain, level, sides, names, &charts),
        survey,
        inset,
        hex_yards,
        charts,
        of: BySide::from_fn(|side| of(side, units.iter().map(|unit| unit.side)).map(UnitId).collect()),
        leaders_of: BySide::from_fn(|side| {
            of(side, leaders.iter().map(|leader| leader.side)).map(LeaderId).collect()
        }),
        units,
        leaders,
        turns,
        areas,
        objective_hexes: objectives.iter().map(|o| o.hex).collect::<HexSet>(),
        objectives,
        sites,
        fords,
        switches,
        variants,
        lots,
        prizes,
    })
}

/// The places in a list of those that belong to the side.
fn of(side: Side, sides: impl Iterator<Item = Side>) -> impl Iterator<Item = u8> {
    sides.enumerate().filter(move |&(_, of)| of == side).map(|(index, _)| index as u8)
}

/// 6.1.3: where fords are searched for, a marker covers what lies there; where all are known, a YES is a ford.
fn lay_fords(fords: &mut Vec<FordSite>, switches: Switches, sides: &mut [u8]) {
    for ford in fords.iter() {
        let side = &mut sides[ford.side.index()];
        *side &= !feature::FORD;
        if !switches.fords && ford.face == Face::Yes {
            *side |= feature::FORD;
        }
    }
    if !switches.fords {
        fords.clear();
    }
}

/// The hexsides that may change during play.
fn changing(sites: &[Site], fords: &[FordSite]) -> Vec<hexmap::Side> {
    let bridges = sites.iter().filter_map(|site| match site.place {
        SitePlace::Bridge(side) => Some(side),
        SitePlace::Depot(_) => None,
    });
    bridges.chain(fords.iter().map(|ford| ford.side)).collect()
}

fn switches(sheet: &Section<'_>, options: &Options) -> Switches {
    let mut switches = Switches::default();
    let chosen = sheet.field("options").section();
    for (name, on) in [
        ("breastworks", &mut switches.breastworks),
        ("burning", &mut switches.burning),
        ("fords", &mut switches.fords),
        ("mixed_fords", &mut switches.mixed_fords),
    ] {
        if let Some(truth) = chosen.as_ref().and_then(|o| o.field(name).truth()) {
            *on = truth;
        }
        if let Some(&truth) = options.get(name) {
            *on = truth;
        }
    }
    if let Some(chosen) = chosen {
        chosen.finish();
    }
    switches
}

fn read_turns(sheet: &Section<'_>) -> Vec<Turn> {
    let field = sheet.field("turns");
    let section = field.section();
    let numbers = |key: &'static str| -> Vec<usize> {
        section.as_ref().map_or(Vec::new(), |s| {
            s.field(key).list().iter().filter_map(|f| f.integer(1..=99)).map(|n| n as usize).collect()
        })
    };
    let labels = section.as_ref().map_or(Vec::new(), |s| s.field("labels").texts());
    let count = section.as_ref().and_then(|s| s.field("count").integer(1..=60)).map_or(6, |n| n as usize);
    let night_hours = section.as_ref().and_then(|s| s.field("night_hours").integer(3..=4)).unwrap_or(4) as u8;
    let (night, stragglers) = (numbers("night"), numbers("stragglers"));
    if let Some(section) = section {
        section.finish();
    }
    let labels: Vec<String> =
        if labels.is_empty() { (1..=count).map(|n| format!("turn {n}")).collect() } else { labels };
    let mut day = 1;
    labels
        .into_iter()
        .enumerate()
        .map(|(index, label)| {
            let is_night = night.contains(&(index + 1));
            let turn = Turn {
                label,
                night: is_night,
                stragglers: is_night && stragglers.contains(&(index + 1)),
                day,
                hours: if is_night { night_hours } else { 1 },
            };
            day += u8::from(turn.stragglers);
            turn
        })
        .collect()
}

fn read_areas(sheet: &Section<'_>, ground: &Ground) -> Vec<(String, Vec<Hex>)> {
    let Some(section) = sheet.field("areas").section() else { return Vec::new() };
    section
        .entries()
        .map(|(name, hexes)| {
            let list = hexes.list();
            let hexes = list.iter().filter_map(|item| in_play(item, ground)).collect();
            (name, hexes)
        })
        .collect()
}

pub(crate) fn in_play(item: &Field<'_>, ground: &Ground) -> Option<Hex> {
    let hex = hex_of(item, &ground.grid)?;
    if !ground.in_play.contains(hex) {
        item.fault(format!("{} is not in play", ground.grid.name(hex)), "a hex that is in play");
        return None;
    }
    Some(hex)
}

/// What the lists of the file refer to.
struct Roll<'a> {
    ground: &'a Ground,
    areas: &'a [(String, Vec<Hex>)],
    turns: usize,
}

impl Roll<'_> {
    fn side(&self, field: &Field<'_>) -> Option<Side> {
        field.one_of(&SIDES).map(|index| Side::BOTH[index])
    }

    /// `"0910"`, `"T3 E2"` (turn and area), or `"off"`; in a variant with a die also `"die E2"`.
    fn start(&self, field: &Field<'_>, lot: Option<u8>) -> Start {
        let Some(text) = field.text() else { return Start::Nowhere };
        if text == "off" {
            return Start::Nowhere;
        }
        let by_die = lot.zip(text.strip_prefix("die ").and_then(|area| self.area(area)));
        if let Some((lot, area)) = by_die {
            return Start::ByDie { lot, area };
        }
        let entry = text.strip_prefix('T').and_then(|rest| rest.split_once(' '));
        if let Some((turn, area)) = entry {
            if let (Some(turn), Some(area)) = (self.turn(turn), self.area(area)) {
                return Start::Enters { turn, area };
            }
            field.fault(
                format!("`{text}` is not a turn and an entry area"),
                "such as \"T3 E2\", with E2 under [areas]",
            );
            return Start::Nowhere;
        }
        in_play(field, self.ground).map_or(Start::Nowhere, Start::At)
    }

    /// The index of a turn that is written from 1.
    fn turn(&self, number: &str) -> Option<u8> {
        number.parse::<usize>().ok().filter(|t| (1..=self.turns).contains(t)).map(|t| t as u8 - 1)
    }

    fn area(&self, name: &str) -> Option<u8> {
        self.areas.iter().position(|(known, _)| known == name).map(|index| index as u8)
    }
}

/// So many tables of a list; the first too many is a fault.
fn at_most<'d>(field: &Field<'d>, most: usize, what: &str) -> Vec<Section<'d>> {
    let mut sections = field.sections();
    if let Some(extra) = sections.get(most) {
        extra.fault(format!("{} {what}", sections.len()), format!("at most {most}"));
    }
    sections.truncate(most);
    sections
}
