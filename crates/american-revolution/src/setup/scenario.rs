//! Reads a scenario file: every fault at once, each at its place.

use std::ops::Range;

use game::read::{self, Field, Section};
use game::scenario::{self, Head};
use game::{BySide, Faults, Library, Options, Side};
use hexmap::{Grid, Hex, HexSet};

use crate::rules::charts::{Charts, Terrain};
use crate::setup::battle::{
    Alarm, Anchor, Arm, Army, Battle, Brigade, Condition, Counter, Exit, Grape, Hasten, House, LeaderSheet,
    Leash, Objective, Roles, Special, Start, Victory,
};
use crate::setup::ground::Ground;
use crate::setup::map::{self, hex_of, hexes_of};
use crate::setup::pieces::{MOST, Piece, Pieces};
use crate::setup::position::soundness::may_stand;
use crate::state::UNITS;

/// Reads a scenario.
pub(crate) fn compile(source: &str, library: &dyn Library, options: &Options) -> Result<Battle, Faults> {
    read::document(source, |sheet| build(sheet, library, options))
}

fn build(sheet: &Section<'_>, library: &dyn Library, options: &Options) -> Option<Battle> {
    let _ = sheet.field("title").required();
    let head = Head::read(sheet);
    let mut charts = Charts::series();
    if let Some(own) = sheet.field("charts").section() {
        charts.replace(&own);
        own.finish();
    }
    let map = sheet.field("map").required().section();
    let map = map.and_then(|section| {
        let map = map::read(&section, library, &charts);
        section.finish();
        map
    });
    let sides = sheet.field("side").required().sections();
    let ids = side_ids(sheet, &sides);
    let turns = sheet.field("turns").required().integer(1..=30);
    let map = map?;
    let mut roll = Roll {
        ground: &map.ground,
        ids: ids?,
        turns: turns.unwrap_or(30) as u8,
        counters: Vec::new(),
        places: Vec::new(),
        roles: Roles::default(),
    };
    roll.units(sheet);
    roll.leaders(sheet);
    let house = house(sheet, options);
    let armies = armies(&sides, &map.ground, &charts, house.limited_intelligence);
    let objectives = roll.objectives(sheet);
    let victory = roll.victory(sheet, &objectives);
    let special = roll.special(sheet);
    roll.checks(sheet, &charts);
    // A situation shows one rule with as few troops as it needs.
    if !scenario::is_situation(sheet) {
        roll.both_have_units(sheet, &sides);
    }
    let turn_bits = |key| {
        sheet.field(key).list().iter().filter_map(|f| f.integer(1..=30)).fold(0u32, |bits, t| bits | 1 << t)
    };
    let armies = armies?;
    let higher = if armies.second.morale > armies.first.morale { Side::Second } else { Side::First };
    let battle = Battle {
        head,
        turns: turns? as u8,
        labels: sheet.field("labels").texts(),
        rain: turn_bits("rain"),
        dusk: turn_bits("dusk"),
        previous: roll.side(&sheet.field("previous")).unwrap_or(higher),
        first_turn: roll.side(&sheet.field("first_turn")),
        units: BySide::from_fn(|side| roll.all(|c| c.side == side && c.arm != Arm::Leader)),
        leaders: BySide::from_fn(|side| roll.all(|c| c.side == side && c.arm == Arm::Leader)),
        roles: roll.roles,
        counters: roll.counters,
        objectives,
        victory,
        special,
        house,
        armies,
        charts,
        ground: map.ground,
        survey: map.survey,
        hex_yards: map.hex_yards,
        inset: map.inset,
    };
    Some(battle)
}

fn side_ids(sheet: &Section<'_>, sides: &[Section<'_>]) -> Option<[String; 2]> {
    if sides.len() != 2 {
        sheet.field("side").fault(format!("{} sides are written", sides.len()), "two tables [[side]]");
        return None;
    }
    let id = |s: &Section<'_>| s.field("id").required().id();
    let (first, second) = (id(&sides[0]), id(&sides[1]));
    let (first, second) = (first?, second?);
    if first == second {
        sides[1].field("id").fault("both sides have the same id", "an id of its own");
        return None;
    }
    Some([first, second])
}

fn house(sheet: &Section<'_>, given: &Options) -> House {
    let mut house = House::default();
    let switches = &mut [
        ("illegal_tactics", &mut house.illegal_tactics),
        ("limited_intelligence", &mut house.limited_intelligence),
        ("grape", &mut house.grape),
    ];
    scenario::options(sheet, given, switches, &[]);
    house
}

fn armies(sides: &[Section<'_>], ground: &Ground, charts: &Charts, limited: bool) -> Option<BySide<Army>> {
    let army = |s: &Section<'_>| {
        let home = s.field("home").required().one_of(&["north", "south", "west", "east"]);
        let army = Army {
            id: s.field("id").text()?,
            name: s.field("name").required().text()?,
            livery: s.field("livery").text().unwrap_or_else(|| "dark".into()),
            morale: s.field("morale").integer(1..=40).map_or(charts.track.start, |n| n as i8),
            chits: s.field("chits").integer(0..=i64::from(charts.chits[0])).unwrap_or(0) as u8,
            home: home_distances(ground, home?),
            haven: hexes_of(&s.field("haven"), &ground.grid).into_iter().collect(),
            limited: limited || s.field("limited_intelligence").truth().unwrap_or(false),
        };
        s.finish();
        Some(army)
    };
    let (first, second) = (army(&sides[0]), army(&sides[1]));
    let both = BySide { first: first?, second: second? };
    if sides[0].field("home").text() == sides[1].field("home").text() {
        sides[1].field("home").fault("both sides have the same home", "an edge of its own");
    }
    if both.first.chits + both.second.chits > charts.chits[0] {
        sides[1].field("chits").fault(
            "more momentum chits are held than there are",
            format!("at most {} in all", charts.chits[0]),
        );
    }
    Some(both)
}

/// The least distance of each hex from the hexes along an edge of what is in play.
fn home_distances(ground: &Ground, edge: usize) -> Vec<u8> {
    let grid = &ground.grid;
    let in_play: Vec<Hex> = ground.on_map.iter().collect();
    let rank = |hex: Hex| match edge {
        0 => i32::from(grid.row(hex)),
        1 => -i32::from(grid.row(hex)),
        2 => i32::from(grid.column(hex)),
        _ => -i32::from(grid.column(hex)),
    };
    let along: Vec<Hex> = match edge {
        0 | 1 => {
            // The outermost hex of each column.
            let mut best: Vec<Hex> = Vec::new();
            for &hex in &in_play {
                match best.iter_mut().find(|b| grid.column(**b) == grid.column(hex)) {
                    Some(b) if rank(hex) < rank(*b) => *b = hex,
                    Some(_) => {}
                    None => best.push(hex),
                }
            }
            best
        }
        _ => {
            let least = in_play.iter().map(|&h| rank(h)).min();
            in_play.iter().copied().filter(|&h| Some(rank(h)) == least).collect()
        }
    };
    grid.hexes().map(|hex| along.iter().map(|&e| grid.distance(hex, e)).min().unwrap_or(0) as u8).collect()
}

/// The counters being read.
struct Roll<'g> {
    ground: &'g Ground,
    ids: [String; 2],
    turns: u8,
    counters: Vec<Counter>,
    /// Where each counter stands in the text.
    places: Vec<Range<usize>>,
    roles: Roles,
}

impl Roll<'_> {
    fn grid(&self) -> &Grid {
        &self.ground.grid
    }

    fn all(&self, test: impl Fn(&Counter) -> bool) -> Pieces {
        (0..self.counters.len()).filter(|&i| test(&self.counters[i])).map(|i| Piece(i as u8)).collect()
    }

    fn side(&self, field: &Field<'_>) -> Option<Side> {
        scenario::side(field, BySide { first: &self.ids[0], second: &self.ids[1] })
    }

    fn piece(&self, field: &Field<'_>) -> Option<Piece> {
        let text = field.text()?;
        let found = self.counters.iter().position(|c| c.id == text);
        if found.is_none() {
            field.fault(format!("there is no unit or leader `{text}`"), "an id of this file");
        }
        found.map(|i| Piece(i as u8))
    }

    fn pieces(&self, field: &Field<'_>) -> Pieces {
        field.list().iter().filter_map(|f| self.piece(f)).collect()
    }

    fn start(&self, s: &Section<'_>) -> Option<Start> {
        if let Some(enters) = s.field("enters").section() {
            if s.field("hex").is_present() {
                s.field("hex").fault("it both stands on the map and enters", "either `hex` or `enters`");
            }
            let turn = enters.field("turn").required().integer(1..=i64::from(self.turns));
            let hex = hex_of(&enters.field("hex").required(), self.grid());
            enters.finish();
            return Some(Start::Enters(turn? as u8, hex?));
        }
        let field = s.field("hex");
        if !field.is_present() {
            field.fault("it has no place", "a line `hex = ...`, or `enters = { turn = ..., hex = ... }`");
        }
        let hex = hex_of(&field, self.grid())?;
        if !self.ground.on_map.contains(hex) {
            field.fault("the hex is not part of what is in play", "a hex of the scenario's map");
        }
        Some(Start::At(hex))
    }

    fn units(&mut self, sheet: &Section<'_>) {
        for s in sheet.field("unit").sections() {
            if self.counters.len() > MOST {
                return;
            }
            if let Some(counter) = self.unit(&s) {
                self.marks(&s);
                self.counters.push(counter);
                self.places.push(s.span());
                s.finish();
            }
        }
    }

    fn unit(&self, s: &Section<'_>) -> Option<Counter> {
        let pair = |field: Field<'_>, range: std::ops::RangeInclusive<i64>| -> Vec<i64> {
            field.list().iter().filter_map(|f| f.integer(range.clone())).collect()
        };
        let arm = match s.field("arm").one_of(&["infantry", "cavalry", "artillery"]) {
            Some(1) => Arm::Cavalry,
            Some(2) => Arm::Artillery,
            _ => Arm::Infantry,
        };
        let strength = pair(s.field("strength").required(), 0..=20);
        let morale = pair(s.field("morale").required(), -5..=5);
        let fire = pair(s.field("fire"), 0..=20);
        if !matches!((strength.len(), morale.len()), (1, 1) | (2, 2)) {
            s.fault(
                "strength and morale do not tell how many steps it has",
                "one number each, or two each for a two-step unit",
            );
            return None;
        }
        if let [front, back] = strength[..]
            && back > front
        {
            s.field("strength")
                .fault("the back is stronger than the front", "at most the strength of the front");
        }
        let both = |list: &[i64]| [list[0] as u8, *list.last().unwrap_or(&list[0]) as u8];
        let strength_both = both(&strength);
        let id = self.fresh_id(s)?;
        Some(Counter {
            name: s.field("name").text().unwrap_or_else(|| id.clone()),
            id,
            byname: s.field("byname").text(),
            side: self.side(&s.field("side").required())?,
            nation: s.field("nation").text(),
            arm,
            fire: if fire.is_empty() { strength_both } else { both(&fire) },
            morale: [morale[0] as i8, morale[morale.len() - 1] as i8],
            steps: strength.len() as u8,
            strength: strength_both,
            allowance: s.field("mp").required().integer(0..=9)? as u8,
            start: self.start(s)?,
            starts_reduced: s.field("reduced").truth().unwrap_or(false) && strength.len() == 2,
            leader: None,
            free: turn_or_never(&s.field("free")),
            shy_until: s.field("shy_until").integer(0..=99).unwrap_or(0) as u8,
            road_bound_until: s.field("road_bound_until").integer(0..=99).unwrap_or(0) as u8,
            leash: leash(s),
            captured_vp: s.field("captured_vp").integer(0..=20).unwrap_or(1) as u8,
            bonus_vp: s.field("bonus_vp").integer(0..=20).unwrap_or(0) as u8,
        })
    }

    fn fresh_id(&self, s: &Section<'_>) -> Option<String> {
        let field = s.field("id").required();
        let id = field.id()?;
        if self.counters.iter().any(|c| c.id == id) {
            field.fault(format!("there are two units or leaders `{id}`"), "an id of its own");
            return None;
        }
        Some(id)
    }

    /// `marks = ["light", "white-r"]`: what is printed on the counter.
    fn marks(&mut self, s: &Section<'_>) {
        let piece = Piece(self.counters.len() as u8);
        let arm = match s.field("arm").text().as_deref() {
            Some("cavalry") => Arm::Cavalry,
            Some("artillery") => Arm::Artillery,
            _ => Arm::Infantry,
        };
        let roles = &mut self.roles;
        match arm {
            Arm::Cavalry => roles.cavalry.add(piece),
            Arm::Artillery => roles.artillery.add(piece),
            _ => {}
        }
        for mark in s.field("marks").list() {
            let Some(word) = mark.text() else { continue };
            match word.as_str() {
                "light" => roles.light.add(piece),
                "militia" => roles.militia.add(piece),
                "dragoon" => {
                    roles.dragoons.add(piece);
                    roles.cavalry.add(piece);
                }
                "indian" => roles.indians.add(piece),
                "jaeger" => {
                    roles.jaegers.add(piece);
                    roles.rifles.add(piece);
                }
                "white-r" => {
                    roles.white_r.add(piece);
                    roles.rifles.add(piece);
                }
                "black-r" => roles.rifles.add(piece),
                "musket-rifle" => {
                    roles.mixed.add(piece);
                    roles.rifles.add(piece);
                }
                "german" | "musket" => {}
                "demi-leader" => roles.demi_leaders.add(piece),
                "no-lead" => roles.no_lead.add(piece),
                "no-lead-mixed" => roles.no_lead_mixed.add(piece),
                "no-attack" => roles.no_attack.add(piece),
                "no-retreat" => roles.no_retreat.add(piece),
                "withdraws" => roles.withdrawers.add(piece),
                "indirect" => roles.indirect.add(piece),
                "goes-home" => roles.home_goers.add(piece),
                "fence" => roles.fence.add(piece),
                "leaves-wavering" => roles.waverers.add(piece),
                "no-delay" => roles.prompt.add(piece),
                "no-strategic-entry" => roles.no_forced_entry.add(piece),
                _ => mark.fault(
                    format!("`{word}` is no mark"),
                    "light, militia, dragoon, indian, jaeger, german, white-r, black-r, musket-rifle, demi-leader, no-lead, no-lead-mixed, \
                     no-attack, no-retreat, withdraws, indirect, goes-home, fence, leaves-wavering, no-delay or no-strategic-entry",
                ),
            }
        }
    }

    fn leaders(&mut self, sheet: &Section<'_>) {
        for s in sheet.field("leader").sections() {
            if self.counters.len() > MOST {
                return;
            }
            if let Some(counter) = self.leader(&s) {
                self.counters.push(counter);
                self.places.push(s.span());
                s.finish();
            }
        }
    }

    fn leader(&self, s: &Section<'_>) -> Option<Counter> {
        let id = self.fresh_id(s)?;
        let only = s.field("commands").one_of(&["all", "dragoons", "none"]);
        let sheet = LeaderSheet {
            seniority: s.field("seniority").required().integer(1..=99)? as u8,
            close_combat: s.field("close_combat").integer(-5..=5).unwrap_or(0) as i8,
            leadership: s.field("leadership").integer(-5..=5).unwrap_or(0) as i8,
            commander: s.field("commander").truth().unwrap_or(false),
            reaches: s.field("reaches").truth().unwrap_or(false),
            dragoons_only: only == Some(1),
            no_close_combat: only == Some(2),
        };
        Some(Counter {
            name: s.field("name").text().unwrap_or_else(|| id.clone()),
            id,
            byname: s.field("rank").text(),
            side: self.side(&s.field("side").required())?,
            nation: None,
            arm: Arm::Leader,
            strength: [0; 2],
            fire: [0; 2],
            morale: [0; 2],
            steps: 1,
            allowance: s.field("mp").integer(0..=9).unwrap_or(8) as u8,
            start: self.start(s)?,
            starts_reduced: false,
            leader: Some(sheet),
            free: turn_or_never(&s.field("free")),
            shy_until: 0,
            road_bound_until: 0,
            leash: leash(s),
            captured_vp: 0,
            bonus_vp: s.field("bonus_vp").integer(0..=20).unwrap_or(0) as u8,
        })
    }

    fn objectives(&self, sheet: &Section<'_>) -> Vec<Objective> {
        let mut found = Vec::new();
        for s in sheet.field("objective").sections() {
            let field = s.field("vp");
            let vp = field.list();
            if field.is_present() && vp.len() != 2 {
                field.fault(
                    "the points of an objective are two numbers",
                    "a list like [2, 1], the first side's first",
                );
            }
            let of = |i: usize| vp.get(i).and_then(|f| f.integer(0..=30)).unwrap_or(0) as u8;
            let hex = hex_of(&s.field("hex").required(), self.grid());
            let name = s.field("name").text();
            let held = self.side(&s.field("held"));
            if let Some(hex) = hex {
                let name = name.unwrap_or_else(|| self.grid().name(hex).to_string());
                found.push(Objective { hex, name, vp: BySide { first: of(0), second: of(1) }, held });
            }
            s.finish();
        }
        if found.len() > 16 {
            sheet.field("objective").fault("too many objectives", "at most 16");
            found.truncate(16);
        }
        found
    }

    fn victory(&self, sheet: &Section<'_>, objectives: &[Objective]) -> Victory {
        let mut victory =
            Victory { marginal: BySide { first: Some(3), second: Some(3) }, ..Victory::default() };
        let Some(s) = sheet.field("victory").section() else { return victory };
        let marginal = s.field("marginal");
        if let Some(both) = marginal.section_or_number() {
            match both {
                SectionOrNumber::Number(n) => victory.marginal = BySide { first: Some(n), second: Some(n) },
                SectionOrNumber::Section(each) => {
                    for (name, field) in each.entries().filter(|(name, _)| !self.ids.contains(name)) {
                        field.fault(format!("there is no side `{name}`"), self.ids.join(" or "));
                    }
                    victory.marginal = BySide::from_fn(|side| {
                        each.entries()
                            .find(|(name, _)| *name == self.ids[side.index()])
                            .and_then(|(_, f)| f.integer(1..=99))
                            .map(|n| n as i16)
                    });
                }
            }
        }
        let index = |f: &Field<'_>| {
            let hex = hex_of(f, self.grid())?;
            let found = objectives.iter().position(|o| o.hex == hex);
            if found.is_none() {
                f.fault("this hex is no objective", "a hex of an [[objective]]");
            }
            found
        };
        for d in s.field("decisive").sections() {
            let small = |key: &'static str| d.field(key).integer(0..=99).map(|n| n as u8);
            let condition = Condition {
                hold: d.field("hold").list().iter().filter_map(&index).collect(),
                hold_any: d.field("hold_any").list().iter().filter_map(&index).collect(),
                lead: d.field("lead").integer(0..=99).map(|n| n as i16),
                enemy_lost: small("enemy_lost"),
                own_lost: small("own_lost"),
                gone: self.pieces(&d.field("gone")),
                automatic: d.field("automatic").truth().unwrap_or(false),
            };
            let asked = ["hold", "hold_any", "lead", "enemy_lost", "own_lost", "gone"];
            if !asked.into_iter().any(|key| d.field(key).is_present()) {
                d.fault("nothing is asked for this victory", format!("one or more of {}", asked.join(", ")));
            }
            if let Some(side) = self.side(&d.field("side").required()) {
                victory.decisive[side].push(condition);
            }
            d.finish();
        }
        s.finish();
        victory
    }

    fn special(&self, sheet: &Section<'_>) -> Special {
        let mut special = Special::default();
        let Some(s) = sheet.field("special").section() else { return special };
        let terrains = |key: &'static str| -> Vec<Terrain> {
            s.field(key)
                .list()
                .iter()
                .filter_map(|f| f.one_of(&Terrain::NAMES))
                .map(|i| Terrain::ALL[i])
                .collect()
        };
        let small = |key: &'static str| s.field(key).integer(-9..=9).unwrap_or(0) as i8;
        special.dragoons_shun = terrains("dragoons_shun");
        special.withdrawal_terrain = terrains("withdrawal_terrain");
        special.shelter = s.field("shelter").integer(0..=20).unwrap_or(0) as u8;
        special.home_check = small("home_check");
        special.fence = small("fence");
        special.dusk = small("dusk_fire");
        special.check = small("check");
        special.chit_buys_morale = s.field("chit_buys_morale").integer(0..=9).unwrap_or(0) as u8;
        for b in s.field("brigade").sections() {
            let leader = self.piece(&b.field("leader").required());
            let units = self.pieces(&b.field("units").required());
            let check = b.field("check").required().integer(-9..=9);
            if let (Some(leader), Some(check)) = (leader, check) {
                special.brigades.push(Brigade { leader, units, check: check as i8 });
            }
            b.finish();
        }
        if let Some(c) = s.field("call").section() {
            let leader = self.piece(&c.field("leader").required());
            let rally = c.field("rally").required().integer(-9..=9);
            special.call = leader.zip(rally.map(|n| n as i8));
            c.finish();
        }
        special.anchor = s.field("anchor").section().and_then(|a| self.anchor(&a));
        special.exit = s.field("exit").section().and_then(|e| self.exit(&e));
        special.grape = s.field("grape").section().and_then(|g| self.grape(&g));
        special.hasten = s.field("hasten").section().and_then(|h| self.hasten(&h));
        special.mends = self.side(&s.field("mends"));
        special.alarms = s.field("alarm").sections().iter().filter_map(|a| self.alarm(a)).take(8).collect();
        s.finish();
        special
    }

    fn grape(&self, g: &Section<'_>) -> Option<Grape> {
        let grape = Grape {
            gun: self.piece(&g.field("gun").required())?,
            within: g.field("within").integer(1..=9).unwrap_or(2) as u8,
        };
        g.finish();
        Some(grape)
    }

    fn hasten(&self, h: &Section<'_>) -> Option<Hasten> {
        let hasten = Hasten {
            leader: self.piece(&h.field("leader").required())?,
            turns: h
                .field("turns")
                .required()
                .list()
                .iter()
                .filter_map(|f| f.integer(2..=30))
                .map(|turn| turn as u8)
                .collect(),
            price: h.field("price").integer(0..=9).unwrap_or(0) as u8,
        };
        h.finish();
        Some(hasten)
    }

    fn anchor(&self, a: &Section<'_>) -> Option<Anchor> {
        let anchor = Anchor {
            side: self.side(&a.field("side").required())?,
            from: a.field("from").integer(1..=30).unwrap_or(1) as u8,
            units: self.pieces(&a.field("units").required()),
            sp: a.field("sp").required().integer(0..=99)? as u8,
            within: a.field("within").required().integer(0..=20)? as u8,
            hex: hex_of(&a.field("hex").required(), self.grid())?,
        };
        a.finish();
        Some(anchor)
    }

    /// `{ side = "american", within = 2 }`: of any works, or of the hexes in `of`; all units, or those named.
    fn alarm(&self, a: &Section<'_>) -> Option<Alarm> {
        let side = self.side(&a.field("side").required())?;
        let within = a.field("within").required().integer(0..=20)? as u16;
        let (grid, of, units) = (self.grid(), a.field("of"), a.field("units"));
        let of: HexSet = match of.raw() {
            Some(_) => hexes_of(&of, grid).into_iter().collect(),
            None => {
                let works = grid.sides().filter(|side| self.ground.edges[side.index()].works.is_some());
                works.map(|side| grid.hexes_of(side)).flat_map(|(a, b)| [Some(a), b]).flatten().collect()
            }
        };
        let units = match units.raw() {
            Some(_) => self.pieces(&units),
            None => self.all(|c| c.side == side),
        };
        a.finish();
        let near = grid.hexes().filter(|&hex| of.iter().any(|at| grid.distance(hex, at) <= within)).collect();
        Some(Alarm { side, units, near })
    }

    fn exit(&self, e: &Section<'_>) -> Option<Exit> {
        let exit = Exit {
            side: self.side(&e.field("side").required())?,
            from: e.field("from").integer(1..=30).unwrap_or(1) as u8,
            hexes: hexes_of(&e.field("hexes").required(), self.grid()).into_iter().collect::<HexSet>(),
            army: self.pieces(&e.field("army").required()),
        };
        e.finish();
        Some(exit)
    }

    fn both_have_units(&self, sheet: &Section<'_>, sides: &[Section<'_>]) {
        // A unit that could not be read has its own fault.
        if self.all(|c| c.arm != Arm::Leader).len() as usize != sheet.field("unit").sections().len() {
            return;
        }
        for (side, section) in Side::BOTH.into_iter().zip(sides) {
            if self.all(|c| c.side == side && c.arm != Arm::Leader).is_empty() {
                section
                    .fault(format!("`{}` has no units", self.ids[side.index()]), "a table [[unit]] for each");
            }
        }
    }

    /// Notes a fault of counter number `i`, at its place in the text.
    fn fault_of(&self, sheet: &Section<'_>, i: usize, message: String, expected: String) {
        sheet.fault_at(self.places[i].clone(), message, expected);
    }

    /// What the whole must be: not too many, no ties of seniority, no hex over the limit or shared at the start.
    fn checks(&self, sheet: &Section<'_>, charts: &Charts) {
        for side in Side::BOTH {
            let mut units = (0..self.counters.len())
                .filter(|&i| self.counters[i].side == side && self.counters[i].arm != Arm::Leader);
            if let Some(extra) = units.nth(UNITS) {
                let id = &self.ids[side.index()];
                self.fault_of(sheet, extra, format!("`{id}` has too many units"), format!("at most {UNITS}"));
            }
        }
        if self.counters.len() > MOST {
            let most = format!("at most {MOST} in all");
            self.fault_of(sheet, MOST, "there are too many units and leaders".into(), most);
            return;
        }
        for i in 0..self.counters.len() {
            self.seniority_is_his_own(sheet, i);
            self.hex_has_room(sheet, i, charts);
        }
    }

    fn seniority_is_his_own(&self, sheet: &Section<'_>, i: usize) {
        let counter = &self.counters[i];
        let Some(leader) = counter.leader else { return };
        let same = |c: &&Counter| {
            c.side == counter.side && c.leader.is_some_and(|other| other.seniority == leader.seniority)
        };
        if let Some(other) = self.counters[..i].iter().find(same) {
            self.fault_of(
                sheet,
                i,
                format!("`{}` has the seniority of `{}`", counter.id, other.id),
                "a number of his own for each leader".into(),
            );
        }
    }

    /// 7.1, and no counter starts among enemies.
    fn hex_has_room(&self, sheet: &Section<'_>, i: usize, charts: &Charts) {
        let counter = &self.counters[i];
        let Start::At(hex) = counter.start else { return };
        let before = || self.counters[..i].iter().filter(|c| c.start == counter.start);
        if self.ground.on_map.contains(hex) && !may_stand(self.ground, charts, counter.arm, hex) {
            let terrain = self.ground.terrain[hex.index()].words();
            self.fault_of(
                sheet,
                i,
                format!("`{}` stands where {terrain} is prohibited to it", counter.id),
                "ground it may enter, or a road".into(),
            );
        }
        if let Some(enemy) = before().find(|c| c.side != counter.side) {
            self.fault_of(
                sheet,
                i,
                format!("`{}` stands in the hex of `{}`, an enemy", counter.id, enemy.id),
                "hexes apart".into(),
            );
        }
        let strength = |c: &Counter| match c.arm {
            Arm::Artillery => (0, 1),
            Arm::Leader => (0, 0),
            _ => (u32::from(c.strength[usize::from(c.starts_reduced)]), 0),
        };
        let sum = |all: (u32, u32), c: &Counter| (all.0 + strength(c).0, all.1 + strength(c).1);
        let room = |(sp, guns): (u32, u32)| {
            sp <= u32::from(charts.stacking[0]) && guns <= u32::from(charts.stacking[1])
        };
        let others = before().filter(|c| c.side == counter.side).fold((0, 0), sum);
        if room(others) && !room(sum(others, counter)) {
            self.fault_of(
                sheet,
                i,
                format!("{} is over the stacking limit", self.grid().name(hex)),
                format!(
                    "at most {} SP and {} artillery unit in a hex",
                    charts.stacking[0], charts.stacking[1]
                ),
            );
        }
    }
}

/// A turn, or none for "never".
fn turn_or_never(field: &Field<'_>) -> Option<u8> {
    match field.raw().and_then(|v| v.as_str()) {
        Some("never") => None,
        Some(_) => {
            field.fault("this is not a turn", "a turn, or \"never\"");
            Some(0)
        }
        None => Some(field.integer(0..=99).unwrap_or(0) as u8),
    }
}

/// `leash = { until = 5, west = 20 }`, or several.
fn leash(s: &Section<'_>) -> Vec<Leash> {
    let field = s.field("leash");
    let several = matches!(field.raw(), Some(toml::de::DeValue::Array(_)));
    let sections = if several { field.sections() } else { field.section().into_iter().collect() };
    let one = |l: Section<'_>| {
        let row = |key: &'static str, or: u16| l.field(key).integer(1..=99).map_or(or, |n| n as u16);
        let leash = Leash {
            until: turn_or_never(&l.field("until")),
            north: row("north", 1),
            south: row("south", 99),
            west: row("west", 1),
        };
        l.finish();
        leash
    };
    sections.into_iter().map(one).collect()
}

/// `marginal = 3`, or `marginal = { crown = 2 }`.
enum SectionOrNumber<'d> {
    Section(Section<'d>),
    Number(i16),
}

trait EitherWay<'d> {
    fn section_or_number(&self) -> Option<SectionOrNumber<'d>>;
}

impl<'d> EitherWay<'d> for Field<'d> {
    fn section_or_number(&self) -> Option<SectionOrNumber<'d>> {
        match self.raw()? {
            toml::de::DeValue::Table(_) => self.section().map(SectionOrNumber::Section),
            _ => self.integer(0..=99).map(|n| SectionOrNumber::Number(n as i16)),
        }
    }
}
