//! A position in mid-game, as a situation's `[position]` writes it, checked as strictly as a scenario.

use game::read::{Field, Section};
use game::{Faults, Side};
use table::{Angle, MIL, Pose, Pt, Spot};

use crate::at::At;
use crate::notation::number;
use crate::rules::basics::{Arm, Formation, Layout, Shape};
use crate::rules::contact::in_touch;
use crate::rules::sequence::{Phase, Step};
use crate::setup::battle::Battle;
use crate::setup::ground::Ground;
use crate::state::{
    Assault, Body, BodyId, Bout, Breach, Command, Face, Marks, Order, Personality, State, Where,
};

/// Sets up a position.
pub(crate) fn read(battle: &Battle, source: &str) -> Result<State, Faults> {
    game::read::document(source, |sheet| {
        sheet.entries().for_each(drop);
        let section = sheet.field("position").required().section()?;
        let mut state = battle.start.clone();
        if let Some(turn) = section.field("turn").integer(1..=i64::from(battle.turns)) {
            state.turn = turn as u8;
        }
        let phase = section.field("phase").one_of(&Phase::NAMES).map_or(Phase::Orders, |i| Phase::ALL[i]);
        state.phase = phase;
        state.agenda.clear();
        state.agenda.push(Step::Begin(phase));
        if let Some(side) = side(battle, &section.field("mover")) {
            state.mover = side;
        }
        let mut named = Vec::new();
        for (id, field) in entries(&section, "unit") {
            let found = state.read_unit(battle, &id, &field);
            named.extend(found.map(|found| (found, field)));
        }
        for (id, field) in entries(&section, "leader") {
            state.read_leader(battle, &id, &field);
        }
        for row in section.field("melee").sections() {
            state.read_melee(battle, &row);
            row.finish();
        }
        for row in section.field("breach").sections() {
            state.read_breach(battle, &row);
            row.finish();
        }
        section.finish();
        At::new(battle, &state).check_places(&section, &named);
        Some(state)
    })
}

fn entries<'d>(section: &Section<'d>, key: &'d str) -> Vec<(String, Field<'d>)> {
    section.field(key).section().map(|s| s.entries().collect()).unwrap_or_default()
}

fn side(battle: &Battle, field: &Field<'_>) -> Option<Side> {
    let ids = [battle.sides.first.id.as_str(), battle.sides.second.id.as_str()];
    field.one_of(&ids).map(|i| Side::BOTH[i])
}

/// A place on the table.
fn spot(battle: &Battle, field: &Field<'_>) -> Option<Spot> {
    if !field.is_present() {
        return None;
    }
    let (width, height) = (battle.top.width / MIL, battle.top.height / MIL);
    let numbers: Vec<i64> = field.list().iter().filter_map(Field::thousandths).collect();
    match numbers.as_slice() {
        [x, y] if (0..=width).contains(x) && (0..=height).contains(y) => {
            Some(Spot::new(*x as i32, *y as i32))
        }
        [_, _] => {
            let most = format!("0 to {} across and 0 to {} up", number(width), number(height));
            field.fault("this place is off the table", most);
            None
        }
        _ => {
            field.fault("a place is two numbers", "a list like [12, 7.5]");
            None
        }
    }
}

impl At<'_> {
    /// A unit of the battle by its id.
    fn body_named(self, field: &Field<'_>) -> Option<BodyId> {
        let id = field.text()?;
        let found = self.find_body(&id);
        if found.is_none() {
            field.fault(format!("there is no unit `{id}`"), "the id of a unit");
        }
        found
    }

    /// A leader is with a unit of his side on the table, the overall commander with his bodyguard.
    fn leader_joins(self, leader: usize, with: BodyId, at: Option<Spot>, section: &Section<'_>) {
        let (info, unit) = (&self.battle.leaders[leader], self.body(with));
        let field = section.field("attached");
        if self.battle.side(unit) != info.side || !unit.on_table() {
            field.fault("this is no unit of his side on the table", "one that is");
        } else if info.overall && info.bodyguard != Some(unit.bmu) {
            field.fault(
                "an overall commander is with his bodyguard or with nobody",
                "the unit of `bodyguard`",
            );
        }
        if at.is_some_and(|at| unit.layout(self.battle).distance_to(at.pt()) > table::EPS) {
            section.field("at").fault("he is not where his unit is", "no `at`, or a place in the unit");
        }
    }

    /// Everybody stands on the table, in nobody, on ground that his arm may enter.
    fn check_places(self, section: &Section<'_>, named: &[(BodyId, Field<'_>)]) {
        let tell =
            |id: BodyId, message: String, remedy: &str| match named.iter().find(|(named, _)| *named == id) {
                Some((_, field)) => field.fault(message, remedy),
                None => section.fault(message, remedy),
            };
        let bodies: Vec<(BodyId, Layout)> =
            self.state.on_table().map(|(id, body)| (id, body.layout(self.battle))).collect();
        for (i, (id, layout)) in bodies.iter().enumerate() {
            let slug = self.battle.slug(*id);
            if !layout.rects().iter().all(|stand| self.battle.top.holds(stand)) {
                let remedy = "`at`, the middle of its front, far enough from the edges";
                tell(*id, format!("`{slug}` stands partly off the table"), remedy);
            }
            if let Some(ground) = closed_ground(self.battle, self.body(*id), layout) {
                tell(*id, format!("`{slug}` stands in {ground}, which is closed to it"), "a place outside");
            }
            if let Some((other, _)) = bodies[..i].iter().find(|(other, _)| self.stands_in(*id, *other)) {
                let (first, second) =
                    if named.iter().any(|(n, _)| n == id) { (*id, *other) } else { (*other, *id) };
                let message =
                    format!("`{}` stands on `{}`", self.battle.slug(first), self.battle.slug(second));
                tell(first, message, "places apart");
            }
        }
    }

    /// Whether two bodies lie in each other, guns that nobody serves and unsighted enemies apart.
    fn stands_in(self, one: BodyId, other: BodyId) -> bool {
        let (a, b) = (self.body(one), self.body(other));
        let apart = |body: &Body| body.marks.has(Marks::ABANDONED) || body.marks.unsighted();
        if apart(a) || apart(b) {
            return false;
        }
        let (mine, theirs) = (a.layout(self.battle).rects(), b.layout(self.battle).rects());
        mine.iter().any(|x| theirs.iter().any(|y| x.depth_of_overlap(y) > 8 * table::EPS))
    }
}

impl State {
    fn read_unit(&mut self, battle: &Battle, id: &str, field: &Field<'_>) -> Option<BodyId> {
        let Some(found) = At::new(battle, self).find_body(id) else {
            field.fault(format!("there is no unit `{id}`"), "the id of a unit");
            return None;
        };
        let section = field.section()?;
        let arm = battle.bmus[usize::from(self.body(found).bmu)].arm;
        let at = spot(battle, &section.field("at"));
        let facing = section.field("facing").thousandths().map(|t| Angle::hundredths((t / 10) as i32));
        let formation = section.field("formation").one_of(&Formation::NAMES).map(|i| Formation::ALL[i]);
        let files = section.field("files").integer(1..=i64::from(self.body(found).strength));
        let most = i64::from(self.body(found).strength) * i64::from(arm.hits_a_stand());
        let lost = section.field("lost").integer(0..=most);
        let fresh = section.field("fresh").integer(0..=most);
        let order = section.field("state").one_of(&Order::NAMES).map(|i| Order::ALL[i]);
        let marks = section.field("marks");
        let fired = section.field("has_fired").truth();
        let recovered = section.field("recovered").truth();
        let gone = section.field("gone").truth();
        let coming = section.field("coming").truth();
        let enemy = section.field("enemy");
        let cause = At::new(battle, self).body_named(&enemy);
        section.finish();
        if cause
            .is_some_and(|cause| At::new(battle, self).side_of(cause) == At::new(battle, self).side_of(found))
        {
            enemy.fault("this is a friend", "the id of an enemy unit");
        }
        let bmu = usize::from(self.body(found).bmu);
        self.bmus[bmu].fired = fired.unwrap_or(self.bmus[bmu].fired);
        self.bmus[bmu].recovered = recovered.unwrap_or(self.bmus[bmu].recovered);
        if coming == Some(true) && battle.bmus[bmu].arrival.is_none() {
            section.field("coming").fault(format!("`{id}` does not arrive later"), "a unit with `arrives`");
        }
        let body = self.body_mut(found);
        body.place = match (gone, coming) {
            (Some(true), _) => Where::Gone,
            (_, Some(true)) => Where::Coming,
            _ => Where::Table,
        };
        body.lost = lost.map_or(body.lost, |n| n as u8);
        body.fresh = fresh.map_or(body.fresh, |n| n as u8);
        body.order = order.unwrap_or(body.order);
        body.other = cause;
        if body.fresh > 0 {
            body.marks.set(Marks::HIT);
        }
        for word in marks.texts() {
            match Marks::WORDS.iter().find(|(w, _)| *w == word) {
                Some((_, mark)) => body.marks.set(*mark),
                None => {
                    let known: Vec<&str> = Marks::WORDS.iter().map(|(w, _)| *w).collect();
                    marks.fault(format!("`{word}` is no mark"), format!("one of {}", known.join(", ")));
                }
            }
        }
        if formation.is_some() || files.is_some() {
            let formation = formation.unwrap_or(body.shape.formation);
            body.shape = Shape::of(formation, arm, body.strength, files.unwrap_or(0) as u8);
        }
        body.pose = Pose { at: at.unwrap_or(body.pose.at), facing: facing.unwrap_or(body.pose.facing) };
        let body = *body;
        if body.on_table() {
            strength(battle, id, &body, &section);
            shape(battle, id, &body, &section);
            marks_fit(battle, id, &body, &marks);
        }
        Some(found)
    }

    fn read_leader(&mut self, battle: &Battle, id: &str, field: &Field<'_>) -> Option<()> {
        let Some(found) = battle.find_leader(id) else {
            field.fault(format!("there is no leader `{id}`"), "the id of a leader");
            return None;
        };
        let section = field.section()?;
        let at = spot(battle, &section.field("at"));
        let with = At::new(battle, self).body_named(&section.field("attached"));
        let disabled = section.field("disabled").truth();
        let moved = section.field("moved").truth();
        let order = section.field("order").one_of(&Command::NAMES).map(|i| Command::ALL[i]);
        let marker = spot(battle, &section.field("marker"));
        let personality =
            section.field("personality").one_of(&Personality::NAMES).map(|i| Personality::ALL[i]);
        section.finish();
        if let Some(with) = with {
            At::new(battle, self).leader_joins(found.i(), with, at, &section);
        }
        let pose = with.map(|b| self.body(b).pose.at);
        let man = &mut self.leaders[found.i()];
        man.place = Where::Table;
        man.at = at.or(pose).unwrap_or(man.at);
        man.attached = with.or(man.attached);
        man.disabled = disabled.unwrap_or(man.disabled);
        man.moved = moved.unwrap_or(man.moved);
        man.order = order.unwrap_or(man.order);
        man.marker = marker.unwrap_or(man.marker);
        man.personality = personality.unwrap_or(man.personality);
        Some(())
    }

    fn read_melee(&mut self, battle: &Battle, row: &Section<'_>) -> Option<()> {
        let attacker = At::new(battle, self).body_named(&row.field("attacker").required());
        let defender = At::new(battle, self).body_named(&row.field("defender").required());
        let face = row.field("face").one_of(&Face::NAMES).map_or(Face::Front, |i| Face::ALL[i]);
        let charged = row.field("charged").truth().unwrap_or(false);
        let countered = row.field("countered").truth().unwrap_or(false);
        let rounds = row.field("rounds").integer(0..=20).unwrap_or(0) as u8;
        let wall = wall(battle, &row.field("wall"));
        let ladders = row.field("ladders").truth().unwrap_or(false);
        let (attacker, defender) = (attacker?, defender?);
        if At::new(battle, self).side_of(attacker) == At::new(battle, self).side_of(defender) {
            row.fault("friends do not fight each other", "two units of different sides");
            return None;
        }
        if !self.body(attacker).on_table() || !self.body(defender).on_table() {
            row.fault("one of them is not on the table", "two units that are");
            return None;
        }
        if self.bouts.iter().any(|b| b.attacker == attacker) {
            row.field("attacker").fault("it attacks somebody already", "one melee for each attacker");
            return None;
        }
        if ladders && wall.is_none() {
            row.field("ladders").fault("ladders go up at a wall", "`wall`, its number");
        }
        let (mine, theirs) = (self.body(attacker).layout(battle), self.body(defender).layout(battle));
        if !in_touch(&mine, &theirs) {
            let (a, d) = (battle.slug(attacker), battle.slug(defender));
            row.fault(
                format!("`{a}` and `{d}` do not touch"),
                format!("places in contact; they are {} in apart", number(mine.distance(&theirs) / MIL)),
            );
            return None;
        }
        if let Some(struck) = face_struck(&mine, &theirs).filter(|struck| *struck != face) {
            let why = format!("the attacker's front is against the {}", struck.name());
            row.field("face").fault(why, format!("face = \"{}\"", struck.name()));
        }
        let wall = wall.map_or(Assault::NONE, Assault::over);
        let (back, fought) = (Face::Front, false);
        self.bouts.push(Bout {
            attacker,
            defender,
            face,
            back,
            charged,
            countered,
            rounds,
            wall,
            ladders,
            fought,
        });
        Some(())
    }

    fn read_breach(&mut self, battle: &Battle, row: &Section<'_>) -> Option<()> {
        let wall = wall(battle, &row.field("wall").required());
        let along = row.field("along").required().thousandths();
        let (wall, along) = (wall?, along?);
        let line = &battle.lines[usize::from(wall)];
        let length = line.line.legs().map(|(a, b)| a.to(b)).sum::<i64>() / MIL;
        if !(0..=length).contains(&along) {
            row.field("along").fault("the wall is not so long", format!("0 to {}", number(length)));
            return None;
        }
        let open = Breach { wall, along: along as u16, hits: 0, open: true };
        if self.breaches.try_push(open).is_err() {
            row.fault("there are too many breaches", "64 at the most");
        }
        Some(())
    }
}

/// A unit on the table has a stand left.
fn strength(battle: &Battle, id: &str, body: &Body, section: &Section<'_>) {
    if body.stands(battle) > 0 {
        return;
    }
    let each = u16::from(battle.arm(body).hits_a_stand());
    let most = u16::from(body.strength) * each - 1;
    let field = section.field(if body.fresh > body.lost { "fresh" } else { "lost" });
    let hits = u16::from(body.lost) + u16::from(body.fresh);
    field.fault(
        format!("with {hits} hits `{id}` has no stand left"),
        format!("{most} in all at the most, or `gone = true`"),
    );
}

/// Formations are those of the arm, as wide as they may be, and broken men are a mob.
fn shape(battle: &Battle, id: &str, body: &Body, section: &Section<'_>) {
    let (arm, formation) = (battle.arm(body), body.shape.formation);
    let guns = matches!(formation, Formation::Unlimbered | Formation::Limbered);
    let field = section.field("formation");
    if guns != arm.is_artillery() {
        let fitting = if arm.is_artillery() { "unlimbered or limbered" } else { "a formation of its arm" };
        field.fault(format!("{} has no such formation", Arm::NAMES[arm as usize]), fitting);
        return;
    }
    let foot = matches!(formation, Formation::Extended | Formation::Square | Formation::AttackColumn);
    if foot && arm != Arm::Infantry {
        field.fault("only infantry has that formation", "line, march, mob or skirmish");
    }
    let (stands, files) = (body.strength, body.shape.files);
    let fits = match formation {
        Formation::Line => stands.div_ceil(files) <= 2,
        Formation::AttackColumn => stands >= 4 && (2..=stands / 2).contains(&files),
        _ => true,
    };
    if !fits && section.field("files").is_present() {
        section.field("files").fault(
            format!("`{id}` cannot be {files} stands wide in that formation"),
            "a line of two ranks at the most, an attack column of two ranks at the least",
        );
    }
    let mob = if arm.is_artillery() { Formation::Limbered } else { Formation::Mob };
    if body.order.broken() && formation != mob {
        field.fault(
            format!("`{id}` is {} and not a mob", body.order.name()),
            format!("formation = \"{}\"", mob.name()),
        );
    }
}

/// Marks belong to the arm, the order and the switches of the battle.
fn marks_fit(battle: &Battle, id: &str, body: &Body, field: &Field<'_>) {
    let guns = battle.info(body).arm.is_artillery();
    let has = |mark: Marks| body.marks.has(mark);
    let hidden = has(Marks::SPOTTED.and(Marks::LURKING)) && !has(Marks::HIDDEN);
    let impossible: [(bool, &str); 7] = [
        (hidden, "`spotted` and `lurking` go with `hidden`"),
        (has(Marks::DISMOUNTED) && battle.arm(body) != Arm::Cavalry, "only cavalry dismounts"),
        (has(Marks::PRONE) && (guns || body.mounted(battle)), "only men on foot lie down"),
        (has(Marks::PRONE) && body.order.broken(), "nobody who is Shaken or Routed lies down"),
        (
            has(Marks::PROLONGED.and(Marks::LIMBERING).and(Marks::ABANDONED)) && !guns,
            "only guns are limbered, prolonged or abandoned",
        ),
        (has(Marks::ON_WALL) && !battle.on.forts, "without `forts` nobody is on a wall"),
        (
            has(Marks::BOX) && (!battle.on.boxes || body.mounted(battle)),
            "only foot and guns form a box, with `box`",
        ),
    ];
    for (_, why) in impossible.into_iter().filter(|(is, _)| *is) {
        field.fault(format!("`{id}` cannot have these marks"), why);
    }
}

/// The face of the defender along which the front of the attacker lies; none where a corner leaves it open.
fn face_struck(attacker: &Layout, defender: &Layout) -> Option<Face> {
    if !attacker.solid() || !defender.solid() {
        return None;
    }
    table::touch(&attacker.block(), &defender.block())
        .filter(|t| t.length > table::INCH / 10)
        .map(|t| Face::of(t.theirs))
}

/// The number of a wall that is a fortification.
fn wall(battle: &Battle, field: &Field<'_>) -> Option<u8> {
    let number = field.integer(0..=63)?;
    let found = battle.lines.get(number as usize).is_some_and(|l| l.fort);
    if !found {
        field.fault(
            format!("line {number} is no wall"),
            "the number of a wall among the lines, from 0, with `forts`",
        );
    }
    found.then_some(number as u8)
}

/// The ground under the middle of a body that its arm may not enter.
fn closed_ground<'b>(battle: &'b Battle, body: &Body, layout: &Layout) -> Option<&'b str> {
    let (guns, horse) = (battle.arm(body).is_artillery(), body.mounted(battle));
    let formed = !body.shape.formation.is_loose();
    let mut closed = battle
        .areas
        .iter()
        .filter(|a| guns && a.closed_to_guns || horse && a.closed_to_cavalry && (a.building || formed));
    let on = |p: &Pt, area: &Ground| area.area.contains(*p);
    closed.find(|area| layout.centres().iter().any(|p| on(p, area))).map(|area| area.name.as_str())
}
