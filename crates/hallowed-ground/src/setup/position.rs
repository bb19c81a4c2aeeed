//! Positions in mid-game, as situations write them. A written position must be possible: on the table, on passable
//! ground, apart, and in agreement with itself.

use std::ops::Range;

use game::read::{Section, document};
use game::{Agenda, Faults, Side};
use table::{EPS, Pose, Side as Edge, Spot, touch};

use crate::at::At;
use crate::field::Field;
use crate::rules::charts::GRIP;
use crate::rules::formations::Formation;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{BrigadeId, CommanderId, UnitId};
use crate::setup::scenario::angle;
use crate::state::{Flags, Marker, Phase, State, Whereabouts};

const PLACES: [&str; 4] = ["reserve", "table", "broken", "left"];
const EDGES: [&str; 4] = ["front", "left", "right", "rear"];

impl Battle {
    /// The position of a situation file, or of a text that is nothing but its `[position]`.
    pub(crate) fn read_position(&self, source: &str) -> Result<State, Faults> {
        document(source, |file| {
            let whole = file.field("position");
            if whole.is_present() {
                file.entries().for_each(drop);
                let section = whole.section()?;
                let state = Written::read(self, &section).check();
                section.finish();
                return Some(state);
            }
            Some(Written::read(self, file).check())
        })
    }
}

/// A position as a text writes it, which may be impossible; `check` makes a playable one of it.
struct Written<'a, 'd> {
    battle: &'a Battle,
    file: &'a Section<'d>,
    state: State,
    /// Where the text speaks of each piece; the whole position for those it does not name.
    units: Vec<Range<usize>>,
    commanders: Vec<Range<usize>>,
}

impl<'a, 'd> Written<'a, 'd> {
    fn read(battle: &'a Battle, file: &'a Section<'d>) -> Self {
        let whole = file.span();
        let mut written = Self {
            battle,
            file,
            state: State::muster(battle),
            units: vec![whole.clone(); battle.units.len()],
            commanders: vec![whole; battle.officers.len()],
        };
        written.clock();
        written.pieces();
        written.brigades();
        for s in file.field("contact").sections() {
            written.contact(&s);
        }
        for u in battle.all_units() {
            written.state.commanders_follow(battle, u);
        }
        written
    }

    fn pieces(&mut self) {
        if let Some(units) = self.file.field("unit").section() {
            for (name, value) in units.entries() {
                match (self.battle.unit_named(&name), value.section()) {
                    (Some(u), Some(s)) => {
                        self.units[u.i()] = value.span();
                        self.unit(&s, u);
                    }
                    (None, _) => value.fault(format!("there is no unit `{name}`"), "a unit of the scenario"),
                    _ => {}
                }
            }
        }
        if let Some(commanders) = self.file.field("commander").section() {
            for (name, value) in commanders.entries() {
                let (Some(c), Some(s)) = (self.battle.officer_named(&name), value.section()) else {
                    value.fault(format!("there is no commander `{name}`"), "a commander of the scenario");
                    continue;
                };
                self.commanders[c.i()] = value.span();
                self.commander(&s, c);
            }
        }
    }

    /// The brigades that are Broken: those written, which must have lost more than half, and all that have.
    fn brigades(&mut self) {
        let (battle, file, state) = (self.battle, self.file, &mut self.state);
        let due =
            |state: &State, b: BrigadeId| battle.breaks_with(b, At::new(battle, state).broken_troops(b));
        for value in file.field("broken").list() {
            let Some(name) = value.text() else { continue };
            match battle.brigade_named(&name) {
                Some(b) if due(state, b) => {}
                Some(b) => {
                    let most = battle.brigade(b).troops / 2;
                    value.fault(
                        format!("brigade `{name}` has not lost enough to be Broken"),
                        format!("more than {most} of its foot and horse with `place = \"broken\"`"),
                    );
                }
                None => value.fault(format!("there is no brigade `{name}`"), "a brigade of the scenario"),
            }
        }
        for i in 0..battle.brigades.len() {
            let b = BrigadeId(i as u8);
            if due(state, b) {
                state.broken_brigades.insert(b);
            }
        }
    }

    /// Turn, phase and whose round it is; the agenda follows from them.
    fn clock(&mut self) {
        let (battle, file, state) = (self.battle, self.file, &mut self.state);
        let ids = [battle.armies.first.id.as_str(), battle.armies.second.id.as_str()];
        let side = |key: &'static str| {
            let value = file.field(key);
            value.is_present().then(|| value.one_of(&ids).map(|i| Side::BOTH[i])).flatten()
        };
        state.turn = file.field("turn").integer(1..=i64::from(battle.turns)).unwrap_or(1) as u8;
        state.active = side("side").unwrap_or(Side::First);
        state.first = side("first").unwrap_or(state.active);
        let phase = file.field("phase");
        let text = phase.text().unwrap_or_else(|| "start".to_owned());
        let mut words = text.split_whitespace();
        let word = words.next().unwrap_or("start");
        let brigade = words.next().and_then(|b| battle.brigade_named(b));
        state.agenda = Agenda::new();
        if word == "start" {
            state.agenda.push(Step::Initiative);
            return;
        }
        state.agenda.push(Step::EndPhase);
        state.phase = if word == "end" { Phase::End } else { Phase::Command };
        if word == "end" {
            return;
        }
        if state.active == state.first {
            state.agenda.push(Step::Round { side: !state.first });
        }
        let steps = [
            ("melee", Step::MeleePhase),
            ("tests", Step::ShotTests),
            ("shooting", Step::Shooting),
            ("general", Step::ArmyRides),
            ("activate", Step::Activate),
            ("charges", Step::Charges),
            ("attach", Step::Attach),
        ];
        if word == "round" {
            state.agenda.push(Step::Round { side: state.active });
            return;
        }
        if let Some(at) = steps.iter().position(|(w, _)| *w == word) {
            for (_, step) in &steps[..=at] {
                state.agenda.push(*step);
            }
            return;
        }
        match (word, brigade) {
        ("orders" | "ride", Some(b)) if battle.brigade(b).side != state.active => phase.fault(
            format!("`{text}` is a brigade of the other side"),
            "a brigade of the side whose round it is",
        ),
        ("orders" | "ride", Some(b)) => {
            for (_, step) in &steps[..5] {
                state.agenda.push(*step);
            }
            state.activated.insert(b);
            state.agenda.push(Step::BrigadeRides { brigade: b });
            if word == "orders" {
                state.agenda.push(Step::Orders { brigade: b });
            }
        }
        _ => phase.fault(
            format!("`{text}` is not a phase"),
            "start, round, attach, charges, activate, orders BRIGADE, ride BRIGADE, general, shooting, tests, melee or end",
        ),
    }
    }

    fn unit(&mut self, s: &Section<'_>, u: UnitId) {
        let (battle, state) = (self.battle, &mut self.state);
        let (at, arm) = (spot(s), battle.unit(u).arm);
        let (shaken_at, break_at) = arm.morale();
        let unit = state.unit_mut(u);
        if let Some(at) = at {
            unit.pose = Pose { at, facing: unit.pose.facing };
            unit.place = Whereabouts::Table;
        }
        if let Some(facing) = angle(&s.field("facing")) {
            unit.pose.facing = facing;
        }
        let formation = s.field("formation");
        if let Some(i) = formation.one_of(&Formation::WORDS) {
            unit.formation = Formation::ALL[i];
            if !arm.formations().contains(&unit.formation) {
                let known: Vec<&str> = arm.formations().iter().map(|f| f.word()).collect();
                formation.fault(
                    format!("{} has no such formation", arm.word()),
                    format!("one of {}", known.join(", ")),
                );
                unit.formation = arm.formations()[0];
            }
        }
        // Units that are gone may have any number of hits.
        if let Some(hits) = s.field("hits").integer(0..=30) {
            unit.hits = hits as u8;
            unit.shaken = unit.hits >= shaken_at;
        }
        let shaken = s.field("shaken");
        unit.shaken = shaken.truth().unwrap_or(unit.shaken);
        if let Some(i) = s.field("place").one_of(&PLACES) {
            unit.place =
                [Whereabouts::Reserve, Whereabouts::Table, Whereabouts::Broken, Whereabouts::Left][i];
        }
        let on_table = unit.place == Whereabouts::Table;
        if on_table && unit.hits >= break_at {
            let expected = format!("0 to {}, or `place = \"broken\"`", break_at - 1);
            s.field("hits").fault(format!("at {break_at} hits the unit is Broken"), expected);
        } else if on_table && unit.hits >= shaken_at && !unit.shaken {
            shaken
                .fault(format!("at {shaken_at} hits the unit is Shaken"), "`shaken = true`, or no such line");
        }
        if unit.place == Whereabouts::Reserve && battle.unit(u).arrival.is_none() {
            s.field("place").fault("the scenario has no arrival for this unit", "table, broken or left");
        }
        if let Some(i) = s.field("order").one_of(&Marker::WORDS) {
            unit.order = Some(Marker::ALL[i]);
        }
        for (word, bit) in Flags::WORDS {
            if s.field(word).truth() == Some(true) {
                unit.flags.set(bit);
            }
        }
        let by_road = s.field("by_road");
        if by_road.truth() == Some(true) {
            unit.road = battle.road_near(unit.pose.at.pt());
            if unit.road.is_none() {
                by_road.fault("no road is within 1 in of its leader point", "a place on a road");
            }
        }
        s.finish();
    }

    fn commander(&mut self, s: &Section<'_>, c: CommanderId) {
        let now = &mut self.state.commanders[c.i()];
        if let Some(at) = spot(s) {
            now.at = at;
            now.on_table = true;
        }
        let attached = s.field("attached");
        if let Some(name) = attached.text() {
            match self.battle.unit_named(&name) {
                Some(u) => now.attached = Some(u),
                None => attached.fault(format!("there is no unit `{name}`"), "a unit of the scenario"),
            }
        }
        now.on_table = s.field("on_table").truth().unwrap_or(now.on_table);
        now.moved = s.field("moved").truth().unwrap_or(false);
        now.rallied = s.field("rallied").truth().unwrap_or(false);
        s.finish();
    }

    /// `{ a = "x", b = "y" }`: a came upon b. Sides not written are those of the touching edges.
    fn contact(&mut self, s: &Section<'_>) {
        let (battle, state) = (self.battle, &mut self.state);
        let name = |key: &'static str| s.field(key).required().text().and_then(|n| battle.unit_named(&n));
        let (a, b) = (name("a"), name("b"));
        let edge = |key: &'static str| s.field(key).one_of(&EDGES).map(|i| Edge::ALL[i]);
        let (side_a, side_b) = (edge("side_of_a"), edge("side_of_b"));
        let defends = s.field("defends").truth();
        s.finish();
        let (Some(a), Some(b)) = (a, b) else {
            return s.fault("a contact is between two units of the scenario", "a and b");
        };
        if battle.unit(a).side == battle.unit(b).side {
            return s.fault("the two are of one side", "two enemies");
        }
        if !state.on_table(a) || !state.on_table(b) {
            return s.fault("one of the two is not on the table", "two units with a place on it");
        }
        if state.foes(a).any(|(foe, _, _)| foe == b) {
            return s.fault("this contact is written twice", "each pair once");
        }
        let touching = touch(&At::new(battle, state).rect_of(a), &At::new(battle, state).rect_of(b));
        let Some(touching) = touching.filter(|t| t.length >= GRIP - 2 * EPS) else {
            let hint = "edges that lie together for 0.25 in or more";
            return s.fault("the two do not touch, or only at a corner", hint);
        };
        state.engage(battle, a, b, side_a.unwrap_or(touching.mine), side_b.unwrap_or(touching.theirs));
        if let (Some(defends), Some(last)) = (defends, state.contacts.last_mut()) {
            last.defended = defends;
        }
    }

    /// Of two units the one that the text names, the later of both.
    fn place_of_pair(&self, a: UnitId, b: UnitId) -> Range<usize> {
        let (a, b) = (&self.units[a.i()], &self.units[b.i()]);
        if a.len() < b.len() || (a.len() == b.len() && a.start > b.start) { a.clone() } else { b.clone() }
    }

    /// The position, with a fault for everything about it that cannot be.
    fn check(self) -> State {
        let (battle, state) = (self.battle, &self.state);
        let field = At::new(battle, state).field();
        for u in field.on_table() {
            let fault = |message: String, expected: &str| {
                self.file.fault_at(self.units[u.i()].clone(), message, expected);
            };
            let name = &battle.unit(u).slug;
            if !battle.top.holds(field.rect(u)) {
                fault(format!("`{name}` stands off the table"), "its whole base on the table");
            } else if field.in_impassable(u) {
                fault(format!("`{name}` stands in impassable terrain"), "passable ground");
            }
            let flags = state.unit(u).flags;
            if !state.engaged(u) && (flags.has(Flags::IMPETUS) || flags.has(Flags::WON)) {
                fault(format!("`{name}` charged or won, but fights nobody"), "a line in `contact`");
            }
            if flags.has(Flags::IMPETUS) && flags.has(Flags::WON) {
                fault(format!("`{name}` has both charged and won the last round"), "one of the two");
            }
            for v in field.on_table().filter(|v| *v > u) {
                self.check_apart(&field, u, v);
            }
        }
        for c in battle.all_officers() {
            self.check_commander(&field, c);
        }
        self.state
    }

    /// Two bases are apart; enemies whose edges lie together are in contact.
    fn check_apart(&self, field: &Field<'_>, u: UnitId, v: UnitId) {
        let (a, b) = (field.rect(u), field.rect(v));
        let (first, second) = (&field.battle.unit(u).slug, &field.battle.unit(v).slug);
        // Poses are rounded to the thousandth.
        if a.depth_of_overlap(b) > 2 * EPS {
            let message = format!("`{first}` and `{second}` overlap");
            self.file.fault_at(self.place_of_pair(u, v), message, "places apart");
        } else if field.side(u) != field.side(v)
            && touch(a, b).is_some_and(|t| t.length >= GRIP)
            && !field.state.foes(u).any(|(foe, _, _)| foe == v)
        {
            let message = format!("`{first}` and `{second}` touch, but no contact is written");
            self.file.fault_at(self.place_of_pair(u, v), message, "a line in `contact`, or places apart");
        }
    }

    fn check_commander(&self, field: &Field<'_>, c: CommanderId) {
        let (officer, now) = (field.battle.officer(c), &field.state.commanders[c.i()]);
        let fault = |message: String, expected: &str| {
            self.file.fault_at(self.commanders[c.i()].clone(), message, expected);
        };
        let name = &officer.slug;
        match now.attached {
            Some(u) if !field.state.on_table(u) || field.side(u) != officer.side => {
                fault(
                    format!("`{name}` is attached to a unit that is not on the table or not on his side"),
                    "a unit of his side on the table",
                );
            }
            Some(u) if officer.brigade.is_some_and(|b| b != field.battle.unit(u).brigade) => {
                fault(
                    format!("`{name}` is attached to a unit of another brigade"),
                    "a unit of his own brigade",
                );
            }
            Some(_) if !now.on_table => {
                fault(format!("`{name}` is attached, but not on the table"), "no `on_table = false`");
            }
            None if now.on_table && !field.battle.top.holds_point(now.at.pt()) => {
                fault(format!("`{name}` is off the table"), "a place on the table");
            }
            _ => {}
        }
    }
}

/// `at = [x, y]`: on or near a table.
fn spot(s: &Section<'_>) -> Option<Spot> {
    let value = s.field("at");
    if !value.is_present() {
        return None;
    }
    let numbers: Vec<i64> = value.list().iter().filter_map(|v| v.thousandths()).collect();
    let near = |n: i64| (-100_000..=400_000).contains(&n);
    match numbers[..] {
        [x, y] if near(x) && near(y) => Some(Spot::new(x as i32, y as i32)),
        _ => {
            value.fault("this is no place on or near a table", "[x, y], two numbers from -100 to 400");
            None
        }
    }
}

impl Field<'_> {
    /// Impassable ground under a base, unless a road carries it (R24).
    fn in_impassable(&self, u: UnitId) -> bool {
        let carried = || self.on_road(u).is_some_and(|(road, ..)| self.battle.is_bridged(road, self.rect(u)));
        self.battle.impassable(self.rect(u)) && !carried()
    }
}
