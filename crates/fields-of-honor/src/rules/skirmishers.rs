//! Skirmishers: detached, rejoining, giving way (skirmish.*, late.*); gunners who come back to their guns (qrs.guns).

use game::{Allowed, Effects, Kind, No};
use table::{Angle, EPS, INCH, MIL};

use crate::at::{At, Run};
use crate::cite;
use crate::rules::basics::{Arm, Formation, Layout, Shape};
use crate::rules::charge::touch_distance;
use crate::state::{Body, BodyId, MAX_BODIES, Marks, Order, Part, State, Where};

/// Whether a new shape only brings more stands of a late-century skirmish line up to the front: more of them in
/// skirmish order, then an extended line, then a line (R109).
pub(crate) fn thickens(late: bool, from: Shape, to: Shape) -> bool {
    late && match (from.formation, to.formation) {
        (Formation::Skirmish, Formation::Skirmish) => to.files > from.files,
        (Formation::Skirmish, Formation::Extended) | (Formation::Extended, Formation::Line) => true,
        _ => false,
    }
}

/// The stands in a new shape: about the same middle, but on the line of those in place if it is only thickened.
pub(crate) fn reformed(late: bool, layout: Layout, shape: Shape) -> Layout {
    if thickens(late, layout.shape, shape) {
        return Layout { shape, ..layout };
    }
    layout.rearranged(shape, layout.pose.facing)
}

impl At<'_> {
    /// Where two stands would go, or why they may not (skirmish.a, basics.formations.f).
    pub(crate) fn may_detach(self, id: BodyId, layout: &Layout, ahead: i16) -> Allowed<Layout> {
        let body = self.body(id);
        if !self.battle.on.skirmish
            || !self.battle.info(body).skirmish
            || body.part != Part::Main
            || body.skirmishing()
        {
            return Err(No::new(
                cite!("skirmish.a"),
                "the scenario does not let this unit send out skirmishers",
            ));
        }
        let out = self.state.on_table().any(|(_, b)| b.bmu == body.bmu && b.part == Part::Skirmishers);
        if out || body.stands(self.battle) < 4 {
            return Err(No::new(cite!("basics.formations.f"), "two stands at the most go out to skirmish"));
        }
        // Every battery keeps room for its gunners.
        let batteries = self.battle.bmus.iter().filter(|b| b.arm.is_artillery()).count();
        if self.state.rejoined_part(body.bmu, Part::Skirmishers).is_none()
            && self.state.bodies.len() + batteries >= MAX_BODIES
        {
            return Err(No::new(
                cite!("basics.formations.f"),
                "no more bodies fit on the table; call other skirmishers in",
            ));
        }
        if ahead < 0 || i64::from(ahead) * MIL > self.battle.yards(150) + EPS {
            return Err(No::new(
                cite!("skirmish.a"),
                "detached skirmishers stay within 150 yards of their parent",
            ));
        }
        let shape = Shape::of(Formation::Skirmish, self.battle.arm(body), 2, 2);
        let depth = layout.size.depth;
        let pose = layout.pose.moved(0, i64::from(ahead) * MIL + depth);
        let line = Layout { pose, shape, stands: 2, size: layout.size };
        if !self.is_free(id, &line) {
            return Err(No::new(cite!("skirmish.b"), "there is no room for the skirmishers there"));
        }
        Ok(line)
    }
}

impl State {
    /// A part of a unit that went out before and came back without losses: it goes out again under its number.
    fn rejoined_part(&self, bmu: u8, part: Part) -> Option<BodyId> {
        let back =
            |b: &Body| b.bmu == bmu && b.part == part && b.place == Where::Joined && b.lost + b.fresh == 0;
        self.bodies.iter().position(back).map(|i| BodyId(i as u8))
    }

    /// Whether a part of a unit can go out: there is a number for it.
    pub(crate) fn can_go_out(&self, bmu: u8, part: Part) -> bool {
        !self.bodies.is_full() || self.rejoined_part(bmu, part).is_some()
    }

    /// A part of a unit is on the table from now on.
    fn put_out(&mut self, body: Body) -> BodyId {
        match self.rejoined_part(body.bmu, body.part) {
            Some(id) => {
                *self.body_mut(id) = body;
                id
            }
            None => {
                self.bodies.push(body);
                BodyId(self.bodies.len() as u8 - 1)
            }
        }
    }

    /// The parent to which skirmishers go back as their whole move.
    pub(crate) fn may_rejoin(&self, id: BodyId, parts: usize) -> Allowed<BodyId> {
        let out = self.body(id).part == Part::Skirmishers && parts == 1;
        out.then(|| self.parent_of(id)).flatten().ok_or_else(|| {
            No::new(cite!("skirmish.g"), "only detached skirmishers rejoin, as their whole move")
        })
    }
}

impl<F: Effects> Run<'_, F> {
    /// Two stands go out.
    pub(crate) fn detach(&mut self, id: BodyId, ahead: i16) {
        let layout = self.at().layout(id);
        let Ok(line) = self.at().may_detach(id, &layout, ahead) else { return };
        let parent = self.state.body_mut(id);
        parent.strength -= 2;
        let out = Body {
            part: Part::Skirmishers,
            pose: line.pose,
            shape: line.shape,
            strength: 2,
            lost: 0,
            fresh: 0,
            other: None,
            ..*parent
        };
        let out = self.state.put_out(out);
        let out = self.state.body_mut(out);
        out.marks.clear(Marks::GONE_ABOUT);
        // They have changed formation and gone ahead of the others (R22).
        out.marks.set(Marks::MOVED);
        self.tell_of(id, Kind::March, "sends out skirmishers", cite!("skirmish.a"));
    }

    /// They are part of the parent again, with their losses.
    pub(crate) fn rejoin(&mut self, id: BodyId) {
        let Some(home) = self.state.parent_of(id) else { return };
        self.tell_of(id, Kind::March, "rejoin their unit", cite!("skirmish.g"));
        let out = *self.state.body(id);
        let joined = self.state.body_mut(id);
        joined.place = Where::Joined;
        // Their hits are the parent's from now on: they count once (R8).
        (joined.lost, joined.fresh) = (0, 0);
        self.state.release(id);
        self.state.bouts.retain(|b| b.attacker != id && b.defender != id);
        let before = self.at().layout(home);
        let body = self.state.body_mut(home);
        body.strength += out.strength;
        body.lost += out.lost;
        body.fresh += out.fresh;
        if body.shape.formation == Formation::Line {
            body.shape.files = body
                .shape
                .files
                .max(body.strength / if body.shape.files < body.strength / 2 + 1 { 2 } else { 1 });
        }
        self.settle_growth(home, &before);
    }

    /// Before a charge at their parent: back they come (skirmish.g).
    pub(crate) fn fall_back_before_charge(&mut self, target: BodyId, charger: BodyId) -> Option<FellBack> {
        let bmu = self.state.body(target).bmu;
        let out = self
            .state
            .on_table()
            .find(|(_, b)| b.bmu == bmu && b.part == Part::Skirmishers)
            .map(|(id, _)| id);
        let out = out.filter(|o| *o != target)?;
        let between = {
            let line = self.at().layout(out).centre();
            let (a, b) = (self.at().layout(target).centre(), self.at().layout(charger).centre());
            line.to(b) < a.to(b)
                && self.at().layout(target).behind_front(line) == self.at().layout(target).behind_front(b)
        };
        let stands = self.state.body(out).stands(self.battle);
        self.rejoin(out);
        Some(FellBack { stands, between })
    }

    /// Skirmishers go back before formed enemies and mobs that have come within their medium range (R99).
    pub(crate) fn give_way(&mut self, mover: BodyId) {
        if !self.battle.on.skirmish
            || self.state.body(mover).skirmishing()
            || !self.state.body(mover).marks.has(Marks::MOVED)
        {
            return;
        }
        for id in self.state.ids() {
            let body = *self.state.body(id);
            if !body.on_table() || !body.skirmishing() || self.battle.side(&body) == self.at().side_of(mover)
            {
                continue;
            }
            let left = self.battle.rate(&body).engaged - i64::from(body.given) * MIL;
            if left <= 0
                || body.marks.has(Marks::HIDDEN)
                || body.part == Part::Group
                || body.order.broken()
                || self.state.in_melee(id)
            {
                continue;
            }
            let (mine, theirs) = (body.layout(self.battle), self.at().layout(mover));
            let medium = self.battle.info(&body).weapon.ranges[1];
            if mine.distance(&theirs) >= medium - EPS {
                continue;
            }
            let away = Angle::of(mine.centre() - theirs.centre()).dir();
            let there = |far: i64| mine.at(mine.pose.shifted(away.times(far)));
            // As far as there is room, quarter inch by quarter inch.
            let mut far = way_to_range(medium, left, |far| there(far).distance(&theirs));
            while far > 0 && !self.at().is_free(id, &there(far)) {
                far -= INCH / 4;
            }
            if far > 0 {
                let body = self.state.body_mut(id);
                body.pose = there(far).pose;
                body.given += (far / MIL) as u16;
                body.marks.set(Marks::MOVED);
                self.tell_of(id, Kind::Retreat, "fall back before the enemy", cite!("skirmish.j"));
                self.ground_tells(id, &mine);
            }
        }
    }

    /// Gunners who end a move in contact with guns without crew man them (R38).
    pub(crate) fn man_guns(&mut self, id: BodyId) {
        let body = *self.state.body(id);
        if !body.marks.has(Marks::CREW) {
            return;
        }
        let layout = body.layout(self.battle);
        let guns = self.state.on_table().find(|(_, b)| {
            b.marks.has(Marks::ABANDONED)
                && self.battle.side(b) == self.battle.side(&body)
                && b.layout(self.battle).distance(&layout) <= EPS
        });
        let Some((guns, battery)) = guns else { return };
        // Nobody serves guns among which somebody else stands.
        let place = battery.layout(self.battle);
        if self.state.on_table().any(|(o, b)| o != guns && o != id && b.layout(self.battle).overlaps(&place))
        {
            return;
        }
        self.state.body_mut(id).place = Where::Joined;
        self.state.release(id);
        let battery = self.state.body_mut(guns);
        battery.marks.clear(Marks::ABANDONED);
        battery.order = Order::Suppressed;
        battery.marks.set(Marks::LIMBERING.and(Marks::GONE_ABOUT));
        self.tell_of(guns, Kind::Rally, "is manned again", cite!("charge.defender.i"));
    }

    /// Gunners leave their guns and run (charge.defender.f, charge.defender.g).
    pub(crate) fn abandon_guns(&mut self, id: BodyId, from: BodyId, far: i64) {
        let battery = *self.state.body(id);
        let layout = battery.layout(self.battle);
        let away = Angle::of(layout.centre() - self.at().layout(from).centre());
        self.state.body_mut(id).marks.set(Marks::ABANDONED.and(Marks::MOVED).and(Marks::MOVED_EARLY));
        let stands = battery.stands(self.battle).max(1);
        let mut crew = Body {
            part: Part::Crew,
            shape: Shape::of(Formation::Mob, Arm::Infantry, stands, 0),
            strength: stands,
            lost: 0,
            fresh: 0,
            order: Order::Suppressed,
            marks: Marks::CREW.and(Marks::MOVED).and(Marks::MOVED_EARLY),
            other: Some(from),
            ..battery
        };
        crew.pose = layout.rearranged(crew.shape, away).pose;
        let runner = self.state.put_out(crew);
        self.tell_of(id, Kind::Retreat, "is left by its gunners", cite!("charge.defender.i"));
        let start = self.at().layout(runner);
        let side = self.battle.side(&battery);
        // The first friend on their way takes them in.
        let mut met: Option<(BodyId, i64)> = None;
        for (o, b) in self.state.on_table() {
            if o == runner || o == id || self.battle.side(b) != side || b.marks.has(Marks::ABANDONED) {
                continue;
            }
            let d = touch_distance(&start, &b.layout(self.battle), away.dir());
            if let Some(d) = d.filter(|d| *d <= far && met.is_none_or(|(_, m)| *d < m)) {
                met = Some((o, d));
            }
        }
        if let Some((friend, _)) = met {
            self.state.body_mut(runner).place = Where::Joined;
            self.tell_of(friend, Kind::Note, "takes the gunners in", cite!("charge.defender.g"));
            return;
        }
        let room = table::to_edge(&start.block(), away.dir(), self.battle.top.width, self.battle.top.height);
        let pose = start.pose.shifted(away.dir().times(far.min(room)));
        self.state.put(self.battle, runner, &start, pose);
    }
}

/// Skirmishers who have fallen back on a charged parent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FellBack {
    pub stands: u8,
    /// They stood in its line of fire.
    pub between: bool,
}

/// The least way, of `most` at the farthest, after which a distance that grows with it has come up to `range`.
fn way_to_range(range: i64, most: i64, distance: impl Fn(i64) -> i64) -> i64 {
    let (mut short, mut far) = (0, most);
    while far - short > MIL / 2 {
        let middle = short + (far - short) / 2;
        if distance(middle) < range { short = middle } else { far = middle }
    }
    far
}
