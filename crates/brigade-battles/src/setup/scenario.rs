//! 13 Scenario set-up: reads a scenario file and musters the armies.

use arrayvec::ArrayVec;
use game::read::{self, Field, Section};
use game::{Agenda, BySide, Faults, Library, Options, Rule, Side};
use hexmap::{Hex, HexSet};

use crate::rules::charts::Charts;
use crate::setup::battle::{
    Army, Battle, FordSite, Lot, Objective, Prize, Site, SitePlace, Switches, Turn, Variant,
};
use crate::setup::ground::{self, Ground, hex_of, side_of};
use crate::setup::map::{Map, feature};
use crate::setup::pieces::{Arm, LeaderSheet, Morale, Rank, Start, UnitSheet};
use crate::state::{
    Face, Fire, Ford, LEADERS, LOTS, Leader, LeaderId, Leaders, MOST_OF_A_SIDE, MOST_SP, PLACES, PRIZES,
    Phase, Post, State, Task, UNITS, Unit, UnitId, Units,
};

/// 1.0.a: the two sides as files name them.
const SIDES: [&str; 2] = ["usa", "csa"];

/// Reads a scenario.
pub(crate) fn compile(source: &str, library: &dyn Library, options: &Options) -> Result<Battle, Faults> {
    read::document(source, |sheet| build(sheet, library, options))
}

fn build(sheet: &Section<'_>, library: &dyn Library, options: &Options) -> Option<Battle> {
    sheet.ignore(game::situation::KEYS);
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
    // A situation shows one rule with as few troops as it needs.
    let is_situation = ["position", "step"].into_iter().any(|key| sheet.field(key).is_present());
    if !is_situation {
        roll.both_have_units(sheet, &units);
    }
    Side::BOTH.into_iter().for_each(|side| armies[side].points += bonus[side]);
    let first = roll.side(&sheet.field("first")).unwrap_or(Side::First);
    let switches = switches(sheet, options);
    let title = sheet.field("title").text().unwrap_or_default();
    let subtitle = sheet.field("subtitle").text().unwrap_or_default();
    let blurb = sheet.field("blurb").text().unwrap_or_default();
    let Ground { grid, in_play, terrain, level, mut sides, names, survey, inset, hex_yards } = ground;
    lay_fords(&mut fords, switches, &mut sides);
    for side in changing(&sites, &fords) {
        sides[side.index()] |= feature::CHANGES;
    }
    let of = BySide::from_fn(|side| {
        (0..units.len()).filter(|&i| units[i].side == side).map(|i| UnitId(i as u8)).collect::<Units>()
    });
    let leaders_of = BySide::from_fn(|side| {
        (0..leaders.len())
            .filter(|&i| leaders[i].side == side)
            .map(|i| LeaderId(i as u8))
            .collect::<Leaders>()
    });
    Some(Battle {
        title,
        subtitle,
        blurb,
        first,
        armies,
        map: Map::new(grid, in_play, terrain, level, sides, names, &charts),
        survey,
        inset,
        hex_yards,
        charts,
        of,
        leaders_of,
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

fn in_play(item: &Field<'_>, ground: &Ground) -> Option<Hex> {
    let hex = hex_of(item, &ground.grid)?;
    if !ground.in_play.contains(hex) {
        item.fault(format!("{} is not in play", ground.grid.name(hex)), "a hex that is in play");
        return None;
    }
    Some(hex)
}

/// What the variants that the players have chosen come to.
#[derive(Default)]
struct Chosen {
    variants: Vec<Variant>,
    bonus: BySide<i32>,
    lots: Vec<Lot>,
    prizes: Vec<Prize>,
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
                format!("`{text}` is no turn and entry area"),
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

    fn leaders(&mut self, sheet: &Section<'_>) -> Vec<LeaderSheet> {
        let sections = at_most(&sheet.field("leader"), LEADERS, "leaders");
        let ids: Vec<String> =
            sections.iter().map(|s| s.field("id").required().id().unwrap_or_default()).collect();
        let mut leaders: Vec<LeaderSheet> = Vec::new();
        for section in &sections {
            let slug = ids[leaders.len()].clone();
            if leaders.iter().any(|l| l.slug == slug && !slug.is_empty()) {
                section
                    .field("id")
                    .fault(format!("a second `{slug}`"), "an id of its own for each unit and leader");
            }
            let superior = section.field("superior");
            let named = superior.text();
            let found = named.as_ref().and_then(|n| ids.iter().position(|id| id == n));
            if let Some(name) = named
                && found.is_none()
            {
                superior.fault(format!("no leader `{name}`"), "the id of a leader");
            }
            let rank = section.field("rank").one_of(&["division", "corps", "army"]).unwrap_or(0);
            let leader = LeaderSheet {
                name: section.field("name").text().unwrap_or_else(|| title_case(&slug)),
                side: self.side(&section.field("side").required()).unwrap_or(Side::First),
                rank: [Rank::Division, Rank::Corps, Rank::Army][rank],
                superior: found.map(|i| LeaderId(i as u8)),
                start: self.start(&section.field("at").required(), None),
                replaced: section.field("replaced").truth().unwrap_or(false),
                slug,
            };
            section.finish();
            leaders.push(leader);
        }
        for (index, section) in sections.iter().enumerate().take(leaders.len()) {
            let above = leaders[index].superior.map(|l| &leaders[l.index()]);
            if above.is_some_and(|l| l.rank <= leaders[index].rank || l.side != leaders[index].side) {
                section.fault(
                    "the superior has no higher rank in the same army",
                    "division under corps under army",
                );
                leaders[index].superior = None;
            }
        }
        under_their_army(&mut leaders);
        leaders
    }

    fn units(&mut self, sheet: &Section<'_>, leaders: &[LeaderSheet]) -> Vec<UnitSheet> {
        let mut units: Vec<UnitSheet> = Vec::new();
        let sections = at_most(&sheet.field("unit"), UNITS, "units");
        for section in &sections {
            if let Some(unit) = self.unit(section, leaders) {
                let twice =
                    units.iter().any(|u| u.slug == unit.slug) || leaders.iter().any(|l| l.slug == unit.slug);
                if twice {
                    section.field("id").fault(
                        format!("a second `{}`", unit.slug),
                        "an id of its own for each unit and leader",
                    );
                }
                let shared =
                    matches!(unit.start, Start::At(_)) && units.iter().any(|u| u.start == unit.start);
                if shared {
                    section
                        .field("at")
                        .fault("a second combat unit in the hex", "one combat unit a hex (1.1.1.a)");
                }
                units.push(unit);
            }
            section.finish();
        }
        for (side, id) in Side::BOTH.into_iter().zip(SIDES) {
            let count = units.iter().filter(|u| u.side == side).count();
            if count > MOST_OF_A_SIDE {
                sheet
                    .field("unit")
                    .fault(format!("{count} units of {id}"), format!("at most {MOST_OF_A_SIDE}"));
            }
        }
        units
    }

    fn unit(&mut self, section: &Section<'_>, leaders: &[LeaderSheet]) -> Option<UnitSheet> {
        let slug = section.field("id").required().id();
        let side = self.side(&section.field("side").required());
        let arm = section.field("type").one_of(&["infantry", "cavalry", "artillery"]).unwrap_or(0);
        let arm = [Arm::Infantry, Arm::Cavalry, Arm::Artillery][arm];
        let sp = section.field("sp").required().integer(1..=MOST_SP as i64);
        let morale = colour(&section.field("morale")).unwrap_or(Morale::Black);
        let back_morale = colour(&section.field("back_morale")).unwrap_or(morale);
        let leader = |key: &'static str, rank: Rank| {
            let field = section.field(key);
            let name = field.text()?;
            let found = leaders.iter().position(|l| l.slug == name && l.rank == rank && Some(l.side) == side);
            if found.is_none() {
                field.fault(
                    format!("`{name}` is no {key} leader of that side"),
                    format!("the id of a {key} leader"),
                );
            }
            found.map(|i| LeaderId(i as u8))
        };
        let division = leader("division", Rank::Division);
        let above = |from: Option<LeaderId>, rank: Rank| {
            let mut next = from;
            while let Some(l) = next {
                if leaders[l.index()].rank == rank {
                    return Some(l);
                }
                next = leaders[l.index()].superior;
            }
            None
        };
        let corps = leader("corps", Rank::Corps).or_else(|| above(division, Rank::Corps));
        let army = above(corps.or(division), Rank::Army)
            .or_else(|| side.and_then(|side| army_leader(leaders, side)));
        let start = self.start(&section.field("at").required(), None);
        let on_map = matches!(start, Start::At(_) | Start::Nowhere);
        let deployed = match arm {
            Arm::Infantry => true,
            Arm::Cavalry => section.field("dismounted").truth().unwrap_or(false),
            Arm::Artillery => !section.field("limbered").truth().unwrap_or(!on_map),
        };
        let name = section.field("name").text();
        let byname = section.field("byname").text();
        let independent = section.field("independent").truth().unwrap_or(false);
        let back = section.field("back").integer(0..=98);
        let (slug, side, sp) = (slug?, side?, sp? as u8);
        if back.is_some_and(|back| back * 2 > i64::from(sp)) {
            section
                .field("back")
                .fault("the back has more than half the SP of the front", "at most half (2.3.2.a)");
        }
        Some(UnitSheet {
            name: name.unwrap_or_else(|| title_case(&slug)),
            byname,
            side,
            arm,
            sp,
            back: if arm == Arm::Artillery {
                0
            } else {
                back.map_or_else(|| back_of(sp, morale), |b| b as u8)
            },
            morale,
            back_morale,
            division,
            corps,
            army,
            independent,
            start,
            deployed,
            slug,
        })
    }

    /// 13.0: what the scenario leaves to the players, and the victory points at the start that go with it.
    fn variants(
        &self,
        sheet: &Section<'_>,
        options: &Options,
        units: &mut [UnitSheet],
        leaders: &mut [LeaderSheet],
    ) -> Chosen {
        let mut chosen = Chosen::default();
        for section in sheet.field("variant").sections() {
            let id = section.field("id").required().text().unwrap_or_default();
            let written = section.field("on").truth().unwrap_or(false);
            let on = options.get(&id).copied().unwrap_or(written);
            let name = section.field("name").required().text().unwrap_or_default();
            let rule = variant_rule(&section.field("rule"));
            let lot = self.lot(&section.field("die"), &name, rule);
            let lot_id = lot.as_ref().map(|_| chosen.lots.len() as u8);
            let prize = section.field("prize").section().and_then(|prize| self.prize(&prize, &name, rule));
            if let Some(points) = section.field("points").section() {
                for (side, name) in Side::BOTH.into_iter().zip(SIDES) {
                    let more = points.field(name).integer(0..=999).unwrap_or(0) as i32;
                    chosen.bonus[side] += if on { more } else { 0 };
                }
                points.finish();
            }
            if let Some(at) = section.field("at").section() {
                for (name, field) in at.entries() {
                    let start = self.start(&field, lot_id);
                    let unit = units.iter_mut().find(|u| u.slug == name).map(|u| &mut u.start);
                    let leader = leaders.iter_mut().find(|l| l.slug == name).map(|l| &mut l.start);
                    match unit.or(leader) {
                        Some(place) if on => *place = start,
                        Some(_) => {}
                        None => field.fault(format!("no unit or leader `{name}`"), "the id of a piece"),
                    }
                }
            }
            if on {
                chosen.lots.extend(lot);
                chosen.prizes.extend(prize);
            }
            let says = section.field("says").text().unwrap_or_default();
            section.finish();
            chosen.variants.push(Variant { id, name, says, on, rule });
        }
        if chosen.lots.len() > LOTS || chosen.prizes.len() > PRIZES {
            sheet
                .field("variant")
                .fault("too many dice or prizes", format!("at most {LOTS} dice and {PRIZES} prizes"));
            chosen.lots.truncate(LOTS);
            chosen.prizes.truncate(PRIZES);
        }
        chosen
    }

    /// `die = { T9 = 2, T10 = 8, T11 = 10 }`: the highest face that brings each turn.
    fn lot(&self, field: &Field<'_>, name: &str, rule: Rule) -> Option<Lot> {
        let section = field.section()?;
        let mut upto: Vec<(u8, i64)> = Vec::new();
        for (turn, face) in section.entries() {
            let known = turn.strip_prefix('T').and_then(|number| self.turn(number)).filter(|&turn| turn > 0);
            match (known, face.integer(1..=10)) {
                (Some(turn), Some(highest)) => upto.push((turn, highest)),
                (None, _) => face.fault(format!("`{turn}` is no later turn"), "such as T9, not the first"),
                (Some(_), None) => {}
            }
        }
        upto.sort_unstable();
        let rises = upto.windows(2).all(|pair| pair[0].1 < pair[1].1);
        if !rises || upto.last().is_none_or(|&(_, highest)| highest != 10) {
            field.fault("not every face has one turn", "a higher face for each later turn, 10 for the last");
            return None;
        }
        let turn =
            |face: i64| upto.iter().find(|&&(_, highest)| face <= highest).map_or(0, |&(turn, _)| turn);
        Some(Lot { name: name.into(), rule, turns: std::array::from_fn(|index| turn(index as i64 + 1)) })
    }

    /// `prize = { hex = "1012", side = "usa", points = 10 }`.
    fn prize(&self, section: &Section<'_>, name: &str, rule: Rule) -> Option<Prize> {
        let hex = in_play(&section.field("hex").required(), self.ground);
        let side = self.side(&section.field("side").required());
        let points = section.field("points").required().integer(1..=999);
        section.finish();
        Some(Prize { name: name.into(), rule, hex: hex?, side: side?, points: points? as i32 })
    }

    fn objectives(&self, sheet: &Section<'_>, units: &[UnitSheet]) -> Vec<Objective> {
        let sections = at_most(&sheet.field("objective"), PLACES, "objectives");
        let mut hexes: Vec<Hex> = Vec::new();
        let objectives = sections.iter().filter_map(|section| {
            let hex = in_play(&section.field("hex").required(), self.ground);
            let points = section.field("points").required().integer(0..=999);
            let written = section.field("control");
            let control = if written.text().as_deref() == Some("none") { None } else { self.side(&written) };
            let name = section.field("name").text();
            section.finish();
            let hex = hex?;
            let holder = units.iter().find(|unit| unit.start == Start::At(hex)).map(|unit| unit.side);
            if let (Some(holder), Some(named)) = (holder, control)
                && holder != named
            {
                let id = SIDES[holder.index()];
                written.fault(format!("a unit of {id} stands there"), format!("\"{id}\" (14.0.b)"));
            }
            if hexes.contains(&hex) {
                section.field("hex").fault("this hex is an objective already", "another hex");
            }
            hexes.push(hex);
            let known = self.ground.names[hex.index()].clone();
            let name = name.or(known).unwrap_or_else(|| self.ground.grid.name(hex).to_string());
            Some(Objective { hex, points: points? as i32, name, control })
        });
        objectives.collect()
    }

    fn sites(&self, sheet: &Section<'_>) -> Vec<Site> {
        let sections = at_most(&sheet.field("burnable"), PLACES, "burnable places");
        let sites = sections.iter().filter_map(|section| {
            let (bridge, depot) = (section.field("bridge"), section.field("depot"));
            let place = if bridge.is_present() {
                self.side_with(&bridge, feature::BRIDGE, "bridge").map(SitePlace::Bridge)
            } else {
                in_play(&depot.required(), self.ground).map(SitePlace::Depot)
            };
            let name = section.field("name").text();
            section.finish();
            let place = place?;
            let default = match place {
                SitePlace::Bridge(_) => "the bridge",
                SitePlace::Depot(_) => "the depot",
            };
            Some(Site { name: name.unwrap_or_else(|| default.into()), place })
        });
        sites.collect()
    }

    fn fords(&self, sheet: &Section<'_>) -> Vec<FordSite> {
        let sections = at_most(&sheet.field("ford"), PLACES, "ford markers");
        let fords = sections.iter().filter_map(|section| {
            let side = self.side_with(&section.field("side").required(), feature::RIVER, "river");
            let face = section.field("face").one_of(&["yes", "no"]).unwrap_or(0);
            section.finish();
            Some(FordSite { side: side?, face: [Face::Yes, Face::No][face] })
        });
        fords.collect()
    }

    /// A hexside that has what the scenario puts its marker on.
    fn side_with(&self, field: &Field<'_>, bit: u8, what: &str) -> Option<hexmap::Side> {
        let side = side_of(field, &self.ground.grid)?;
        if self.ground.sides[side.index()] & bit == 0 {
            field.fault(format!("there is no {what} there"), format!("a hexside with a {what}"));
        }
        Some(side)
    }

    fn both_have_units(&self, sheet: &Section<'_>, units: &[UnitSheet]) {
        let field = sheet.field("unit").required();
        // A unit that could not be read has its own fault.
        let all_read = field.is_present() && field.sections().len() == units.len();
        for (side, id) in Side::BOTH.into_iter().zip(SIDES) {
            if all_read && !units.iter().any(|u| u.side == side) {
                field.fault(format!("`{id}` has no units"), "a table [[unit]] for each");
            }
        }
    }

    fn armies(&self, sheet: &Section<'_>, units: &[UnitSheet], leaders: &[LeaderSheet]) -> BySide<Army> {
        let points = sheet.field("points").section();
        let havens = sheet.field("retreat").section();
        let armies = BySide::from_fn(|side| {
            let id = SIDES[side.index()];
            let (name, livery) = match side {
                Side::First => ("Union", "union"),
                Side::Second => ("Confederates", "confederate"),
            };
            let start = points.as_ref().and_then(|p| p.field(id).integer(0..=999));
            let written = havens.as_ref().map(|h| h.field(id));
            let havens = match written.filter(Field::is_present) {
                Some(field) => self.haven_list(&field),
                None => self.entered_by(side, units, leaders),
            };
            Army {
                id: id.into(),
                name: name.into(),
                livery: livery.into(),
                points: start.unwrap_or(0) as i32,
                havens,
            }
        });
        for section in points.into_iter().chain(havens) {
            section.finish();
        }
        armies
    }

    /// Entry hexes: areas by name or single hexes.
    fn haven_list(&self, field: &Field<'_>) -> Vec<Hex> {
        let mut hexes = Vec::new();
        for item in field.list() {
            let area = item.text().and_then(|name| self.areas.iter().find(|(known, _)| *known == name));
            match area {
                Some((_, area)) => hexes.extend(area),
                None => hexes.extend(in_play(&item, self.ground)),
            }
        }
        hexes
    }

    /// The areas through which a side's reinforcements come.
    fn entered_by(&self, side: Side, units: &[UnitSheet], leaders: &[LeaderSheet]) -> Vec<Hex> {
        let starts = units.iter().filter(|u| u.side == side).map(|u| u.start);
        let all = starts.chain(leaders.iter().filter(|l| l.side == side).map(|l| l.start));
        let mut areas: Vec<u8> = all
            .filter_map(|start| match start {
                Start::Enters { area, .. } | Start::ByDie { area, .. } => Some(area),
                Start::At(_) | Start::Nowhere => None,
            })
            .collect();
        areas.sort_unstable();
        areas.dedup();
        areas.into_iter().flat_map(|area| self.areas[usize::from(area)].1.iter().copied()).collect()
    }
}

/// 5.3.d: the army is the army leader's command, so he is above those of its leaders for whom the file names nobody.
fn under_their_army(leaders: &mut [LeaderSheet]) {
    for index in 0..leaders.len() {
        let LeaderSheet { side, rank, superior, .. } = leaders[index];
        if rank < Rank::Army && superior.is_none() {
            leaders[index].superior = army_leader(leaders, side);
        }
    }
}

/// The first army leader of a side.
fn army_leader(leaders: &[LeaderSheet], side: Side) -> Option<LeaderId> {
    leaders.iter().position(|l| l.rank == Rank::Army && l.side == side).map(|i| LeaderId(i as u8))
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

/// 13.0: the rule of the inventory that a variant is, if it is one of ours.
fn variant_rule(field: &Field<'_>) -> Rule {
    let known = field.text().map(|id| (crate::rulebook::BOOK.find(&id), id));
    match known {
        Some((Some(text), _)) => text.id,
        Some((None, id)) => {
            field.fault(format!("no rule `{id}`"), "a rule of the inventory, or none");
            cite!("13.0.a")
        }
        None => cite!("13.0.a"),
    }
}

/// G6: the SP of the back where the counter does not say.
fn back_of(sp: u8, morale: Morale) -> u8 {
    let half = sp / 2;
    match morale {
        Morale::Green | Morale::Black => half,
        Morale::Gold if sp >= 2 => half.saturating_sub(1).max(1),
        Morale::Gold => 0,
    }
}

fn colour(field: &Field<'_>) -> Option<Morale> {
    field.one_of(&["green", "black", "gold"]).map(|index| [Morale::Green, Morale::Black, Morale::Gold][index])
}

fn title_case(slug: &str) -> String {
    let words = slug.split('-').map(|word| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    });
    words.collect::<Vec<String>>().join(" ")
}

/// 3.1: both sides as the scenario says, before the first player's Command Phase.
pub(crate) fn muster(battle: &Battle) -> State {
    let post = |start: Start| match start {
        Start::At(hex) => Post::On(hex),
        Start::Enters { .. } | Start::ByDie { .. } => Post::Due,
        Start::Nowhere => Post::Gone,
    };
    let unit = |sheet: &UnitSheet| Unit {
        post: post(sheet.start),
        sp: sheet.sp,
        routed: false,
        deployed: sheet.deployed,
        task: Task::None,
    };
    let mixed = battle.switches.mixed_fords;
    let mut state = State {
        turn: 0,
        phase: Phase::Command,
        active: battle.first,
        units: battle.units.iter().map(unit).collect(),
        leaders: battle
            .leaders
            .iter()
            .map(|l| Leader { post: post(l.start), replaced: l.replaced })
            .collect(),
        losses: BySide::default(),
        tide: BySide { first: true, second: true },
        uncommanded: Units::EMPTY,
        fired_marks: Units::EMPTY,
        acted: Units::EMPTY,
        moved: Units::EMPTY,
        moved_leaders: Leaders::EMPTY,
        mover: None,
        fired: Units::EMPTY,
        targeted: Units::EMPTY,
        targeted_leaders: Leaders::EMPTY,
        adjacent: Units::EMPTY,
        control: battle.objectives.iter().map(|o| o.control).collect(),
        works: HexSet::EMPTY,
        burned: 0,
        fords: battle
            .fords
            .iter()
            .map(|f| Ford::Unsearched(if mixed { Face::Hidden } else { f.face }))
            .collect(),
        lots: battle.lots.iter().map(|_| None).collect(),
        prizes: 0,
        fire: Fire::NONE,
        trail: ArrayVec::new(),
        escort: Leaders::EMPTY,
        to_check: Leaders::EMPTY,
        to_place: Leaders::EMPTY,
        agenda: Agenda::new(),
    };
    state.set_up_control(battle);
    state.note_adjacent(battle);
    state
}
