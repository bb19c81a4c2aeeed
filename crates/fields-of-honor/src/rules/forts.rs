//! Fortifications: walls, gates, breaches, assaults, sappers (fort.*); and the box (box.*).

use arrayvec::ArrayVec;
use game::words::does;
use game::{Allowed, Die, Effects, Entry, Kind, No, RollNote, Sum, Test};
use table::{Area, Dir, EPS, INCH, MIL, Pt, overlap_while_moving};

use crate::at::{At, Run};
use crate::cite;
use crate::rules::basics::{Arm, Formation, Layout};
use crate::rules::charge::ChargeLine;
use crate::rules::charts::Rating;
use crate::rules::fire::{Aim, Volley, When};
use crate::rules::movement::WHOLE;
use crate::rules::rolls::piece;
use crate::rules::terrain::{Look, Through, along_line, crossings, point_along};
use crate::setup::battle::Battle;
use crate::setup::ground::Linear;
use crate::setup::pieces::WeaponKind;
use crate::state::{Body, BodyId, Breach, MAX_BODIES, MAX_BREACHES, Marks, Order, Part, State};

impl At<'_> {
    /// The wall a body defends: the standing fortification within half an inch of it.
    pub(crate) fn wall_of(self, id: BodyId) -> Option<usize> {
        let layout = self.layout(id);
        let block = layout.block();
        let close = block.bounds.grown(INCH / 2 + EPS);
        let near = self
            .battle
            .lines
            .iter()
            .enumerate()
            .filter(|(i, l)| l.fort && l.line.bounds().meets(&close) && self.is_standing(*i));
        near.map(|(i, l)| (l.line.distance(&block), i))
            .filter(|(distance, _)| *distance <= INCH / 2 + EPS)
            .min_by_key(|(distance, _)| *distance)
            .map(|(_, i)| i)
    }

    /// Whether somebody defends a wall near a point against `id`.
    fn defended(self, wall: &Linear, at: Pt, id: BodyId) -> bool {
        let side = self.side_of(id);
        self.state.on_table().any(|(_, b)| {
            let layout = b.layout(self.battle);
            self.battle.side(b) != side
                && !b.order.broken()
                && layout.distance_to(at) <= INCH + EPS
                && wall.line.distance(&layout.block()) <= INCH / 2 + EPS
        })
    }

    /// An opening of a wall at a point: a gate, or a breach.
    fn opening_in(self, index: usize, at: Pt) -> Option<bool> {
        let wall = &self.battle.lines[index];
        let along = along_line(wall, at);
        let gate = wall.gates.iter().any(|g| (g - along).abs() <= INCH / 2 + EPS);
        let breach = self.state.breaches.iter().any(|b| {
            b.open
                && usize::from(b.wall) == index
                && (i64::from(b.along) * MIL - along).abs() <= INCH / 2 + EPS
        });
        (gate || breach).then_some(gate)
    }

    /// How far a body that runs gets before a wall that it would have to climb: no gate or breach is where its middle would
    /// cross, and it does not come out of the building whose wall it is.
    pub(crate) fn wall_in_the_way(self, start: &Layout, dir: Dir, far: i64) -> Option<i64> {
        let (block, centre) = (start.block(), start.centre());
        let mut nearest = None;
        for (index, wall) in
            self.battle.lines.iter().enumerate().filter(|(i, l)| l.fort && self.is_standing(*i))
        {
            let open = crossing(wall, centre, centre + dir.times(far + block.half_diagonal()))
                .is_some_and(|at| self.opening_in(index, at).is_some());
            if open || is_inside(self.battle, wall, centre) {
                continue;
            }
            let legs =
                wall.line.legs().filter_map(|(a, b)| overlap_while_moving(&block, &[a, b][..], dir, 0));
            let met = legs.map(|(from, _)| from).filter(|from| (-4 * EPS..far).contains(from)).min();
            nearest = [nearest, met].into_iter().flatten().min();
        }
        nearest.map(|from| from.max(0))
    }

    /// What crossing walls costs besides the ground, if it is allowed (fort.movement).
    pub(crate) fn cross_wall(self, id: BodyId, layout: &Layout, by: Pt) -> Allowed<i64> {
        if !self.battle.on.forts {
            return Ok(0);
        }
        let body = self.body(id);
        let from = layout.pose.at.pt();
        let mut cost = 0;
        let own = if body.marks.has(Marks::ON_WALL) { self.wall_of(id) } else { None };
        let block = layout.block();
        let swept = block.bounds.with(&block.shifted(by).bounds);
        for (index, wall) in
            self.battle.lines.iter().enumerate().filter(|(i, l)| l.fort && self.is_standing(*i))
        {
            if own == Some(index) {
                // Down from the wall, by stairs or by ladders.
                if self.battle.arm(body).is_artillery() {
                    return Err(No::new(
                        cite!("fort.movement.e"),
                        "artillery does not change its level during a battle",
                    ));
                }
                if wall.ladders {
                    cost += WHOLE / 2;
                }
            }
            if !wall.line.bounds().meets(&swept) {
                continue;
            }
            let gate = crossing(wall, from, from + by).and_then(|at| self.opening_in(index, at));
            if let Some(gate) = gate {
                may_pass(self.battle, body, layout, gate)?;
                continue;
            }
            cost += self.climb_wall(id, layout, by, wall)?;
        }
        Ok(cost)
    }

    /// What it costs to climb a wall: half a move for the row of stands that touches it, so one row a turn (fort.assault.d).
    fn climb_wall(self, id: BodyId, layout: &Layout, by: Pt, wall: &Linear) -> Allowed<i64> {
        let reach = INCH / 10 + EPS;
        let length = by.length().max(1);
        let nearly = Pt::default().part_way(by, (length - reach).max(0), length);
        let mut climbs = false;
        for stand in layout.rects() {
            let over = crossing(wall, stand.centre, stand.centre + by)
                .or_else(|| crossing(wall, stand.front, stand.front + nearly))
                .filter(|_| nearly != Pt::default());
            let Some(at) = over else { continue };
            if self.battle.arm(self.body(id)) != Arm::Infantry {
                return Err(No::new(cite!("fort.assault.a"), "only infantry gets over a wall"));
            }
            if self.defended(wall, at, id) {
                return Err(No::new(cite!("fort.assault.a"), "a defended wall is taken only by charging it"));
            }
            if wall.line.distance_to(stand.front) > reach {
                return Err(No::new(
                    cite!("fort.assault.d"),
                    "it climbs an undefended wall from contact with it, one row of stands a turn",
                ));
            }
            climbs = true;
        }
        Ok(if climbs { WHOLE / 2 } else { 0 })
    }

    /// Whether a charge may go over the walls in its way (fort.assault.a).
    pub(crate) fn charge_over(self, line: &ChargeLine, fronts: &[Pt], by: Pt) -> Allowed {
        if !self.battle.on.forts {
            return Ok(());
        }
        let body = self.body(line.by);
        let target = self.wall_of(line.at);
        for (index, wall) in
            self.battle.lines.iter().enumerate().filter(|(i, l)| l.fort && self.is_standing(*i))
        {
            // The last hair of the way brings the front against the defender, across his wall.
            let reach = by + Pt::new(by.x / 50, by.y / 50);
            let at = fronts.iter().find_map(|f| crossing(wall, *f, *f + reach));
            let Some(at) = at else { continue };
            if self.opening_in(index, at).is_some() {
                continue;
            }
            if body.mounted(self.battle) {
                return Err(No::new(cite!("fort.assault.a"), "only infantry assaults a wall"));
            }
            if target != Some(index) {
                return Err(No::new(
                    cite!("fort.assault.a"),
                    "a wall that the target does not defend is in the way",
                ));
            }
        }
        Ok(())
    }

    /// The wall between an attacker and the target it has reached.
    pub(crate) fn wall_between(self, by: BodyId, at: BodyId) -> Option<usize> {
        if !self.battle.on.forts {
            return None;
        }
        let wall = self.wall_of(at)?;
        let (a, b) = (self.layout(by).centre(), self.layout(at).centre());
        self.battle.lines[wall].line.crossed_by(a, b).then_some(wall)
    }

    /// Whether a defender stands above an attacker behind a raised wall.
    pub(crate) fn ledge(self, at: BodyId, by: BodyId) -> bool {
        self.battle.on.forts
            && self.body(at).marks.has(Marks::ON_WALL)
            && self.wall_between(by, at).is_some_and(|w| self.battle.lines[w].raised)
    }

    /// Whether guns may fire at a wall or gate (fort.destroy.a).
    pub(crate) fn may_batter(self, volley: &Volley, wall: u8, along: u16) -> Allowed {
        self.may_fire(volley.by, When::Phase)?;
        let Some(line) = self.battle.lines.get(usize::from(wall)).filter(|l| l.fort) else {
            return Err(No::new(cite!("fort.destroy.a"), "there is no such wall"));
        };
        let info = self.info(volley.by);
        let cannon = matches!(info.weapon.kind, WeaponKind::Gun | WeaponKind::Position);
        let at = point_along(line, i64::from(along) * MIL);
        let gate = line.gates.iter().any(|g| (g - i64::from(along) * MIL).abs() <= INCH / 2);
        if !cannon || !(line.stone || gate) {
            return Err(No::new(cite!("fort.destroy.a"), "cannon fire at stone walls and gates"));
        }
        if !self.state.has_room_for_damage(wall, along) {
            return Err(No::new(
                cite!("fort.destroy.a"),
                "32 places of the walls are broken or under fire; fire at one of those",
            ));
        }
        if self.state.stands_unassigned(volley.by) & volley.stands != volley.stands || volley.stands == 0 {
            return Err(No::new(cite!("fire.arcs.b"), "a stand fires at one target only"));
        }
        let stands = self.firing_stands(volley.by);
        let bears = |i: usize| {
            stands.fronts.get(i).is_some_and(|&front| {
                let wedge = table::Wedge::new(front, stands.facing, 3000);
                wedge.contains(at) && front.to(at) <= info.weapon.ranges[3] + EPS
            })
        };
        if (0..12).any(|i| volley.stands & (1 << i) != 0 && !bears(i)) {
            return Err(No::new(cite!("fire.arcs.a"), "not all of these guns have it in arc and range"));
        }
        let from = stands.fronts[0];
        let side = self.side_of(volley.by);
        let look = Look {
            from,
            to: from.part_way(at, 99, 100),
            by: volley.by,
            at: None,
            through: Through::Artillery,
            side,
        };
        self.line_of_sight(&look).map_err(|b| No::new(b.rule(Through::Artillery), "it cannot be seen"))?;
        Ok(())
    }

    /// Walls and gates that guns may be offered.
    pub(crate) fn batteries(self, by: BodyId, out: &mut Vec<Volley>) {
        if !self.battle.on.forts || !self.battle.arm(self.body(by)).is_artillery() {
            return;
        }
        let stands = (1 << self.firing_stands(by).fronts.len()) - 1;
        for (i, line) in self.battle.lines.iter().enumerate().filter(|(i, l)| l.fort && self.is_standing(*i))
        {
            for gate in &line.gates {
                let aim = Aim::Wall { wall: i as u8, along: (gate / MIL) as u16 };
                let volley = Volley::of(by, aim, stands);
                if self.may_batter(&volley, i as u8, (gate / MIL) as u16).is_ok() {
                    out.push(volley);
                }
            }
        }
    }

    /// The gate a sapper stand halts at: next to it, not in melee (fort.destroy.c).
    pub(crate) fn gate_at(self, id: BodyId) -> Option<(u8, u16)> {
        let body = self.body(id);
        if !self.battle.on.forts
            || !self.battle.info(body).sapper
            || body.order.broken()
            || self.state.in_melee(id)
        {
            return None;
        }
        let layout = body.layout(self.battle);
        for (i, line) in self.battle.lines.iter().enumerate().filter(|(i, l)| l.fort && self.is_standing(*i))
        {
            for gate in &line.gates {
                if layout.distance_to(point_along(line, *gate)) <= INCH / 2 + EPS {
                    return Some((i as u8, (gate / MIL) as u16));
                }
            }
        }
        None
    }

    /// Whether a body may join a box: foot or guns, touching a friend of foot or guns (box.a).
    pub(crate) fn may_box(self, id: BodyId) -> Allowed {
        let At { battle, state } = self;
        let body = state.body(id);
        let fits = |b: &Body| !b.mounted(battle) && !b.shape.formation.is_loose() && b.part == Part::Main;
        if !battle.on.boxes || !fits(body) || battle.arm(body) == Arm::Cavalry {
            return Err(No::new(
                cite!("box.a"),
                "only formed infantry and artillery form a box, where the scenario has it",
            ));
        }
        let touching = At::new(battle, state).touching(id);
        let friend = state
            .on_table()
            .any(|(o, b)| touching & o.bit() != 0 && fits(b) && battle.arm(b) != Arm::Cavalry);
        if friend { Ok(()) } else { Err(No::new(cite!("box.a"), "it must touch a friend of foot or guns")) }
    }

    /// Whether there are guns in its box, which is made of those who touch each other (box.a, box.b).
    pub(crate) fn box_has_guns(self, id: BodyId) -> bool {
        let boxed = self
            .state
            .on_table()
            .filter(|(_, b)| b.marks.has(Marks::BOX))
            .fold(0, |all, (o, _)| all | o.bit());
        let (mut found, mut new) = (id.bit(), id.bit());
        while new != 0 {
            let next = BodyId(new.trailing_zeros() as u8);
            new &= !next.bit();
            if self.battle.arm(self.body(next)).is_artillery() {
                return true;
            }
            let more = self.touching(next) & boxed & !found;
            found |= more;
            new |= more;
        }
        false
    }
}

/// Where a segment crosses a line, if it does.
fn crossing(line: &Linear, a: Pt, b: Pt) -> Option<Pt> {
    crossings(line, a, b).next()
}

/// Whether a point lies in the building that this wall encloses.
fn is_inside(battle: &Battle, wall: &Linear, at: Pt) -> bool {
    let corner = wall.line.points().first();
    let mut houses = battle.areas.iter().filter(|a| a.building && a.area.contains(at));
    houses.any(|house| corner.is_some_and(|c| house.area.outline().contains(c)))
}

/// The middle of the walled work in which a point lies, or at whose wall (G62).
pub(crate) fn middle_of_the_work(battle: &Battle, at: Pt) -> Option<Pt> {
    let holds = |ring: &[Pt]| {
        let closed = ring.len() > 3 && ring.first() == ring.last();
        closed && Area::new(ring[1..].to_vec()).is_some_and(|yard| yard.distance_to(at) <= INCH + EPS)
    };
    let works = battle.lines.iter().filter(|l| l.fort && holds(l.line.points()));
    works.min_by_key(|l| l.line.distance_to(at)).and_then(|work| middle_of(work.line.points()))
}

/// The centroid of the polygon within a ring.
fn middle_of(ring: &[Pt]) -> Option<Pt> {
    let origin = *ring.first()?;
    let (mut doubled, mut x, mut y) = (0i128, 0i128, 0i128);
    for pair in ring.windows(2) {
        let (p, q) = (pair[0] - origin, pair[1] - origin);
        let cross = i128::from(p.x) * i128::from(q.y) - i128::from(p.y) * i128::from(q.x);
        doubled += cross;
        x += i128::from(p.x + q.x) * cross;
        y += i128::from(p.y + q.y) * cross;
    }
    let part = |sum: i128| i64::try_from(sum / (3 * doubled)).ok();
    (doubled != 0).then(|| Some(origin + Pt::new(part(x)?, part(y)?))).flatten()
}

/// Whether a body may pass a gateway or a breach (fort.movement.c, fort.movement.d).
fn may_pass(battle: &Battle, body: &Body, layout: &Layout, gate: bool) -> Allowed {
    if body.mounted(battle) && !gate {
        return Err(No::new(cite!("fort.movement.d"), "cavalry passes gateways, never breaches"));
    }
    let narrow =
        layout.shape.formation.is_column() || layout.shape.formation == Formation::Mob || layout.stands == 1;
    if narrow {
        return Ok(());
    }
    Err(No::new(
        cite!("fort.movement.c"),
        "through a gate, door or breach of 2 in it must be a column or a mob",
    ))
}

impl State {
    /// After each step: whoever has got over a wall is on it, and whoever has left it is not (fort.assault.d).
    pub(crate) fn mind_the_wall(&mut self, battle: &Battle, id: BodyId, before: &Layout) {
        if !battle.on.forts {
            return;
        }
        let body = self.body(id);
        let after = body.layout(battle);
        let walls =
            battle.lines.iter().enumerate().filter(|(i, l)| l.fort && At::new(battle, self).is_standing(*i));
        let mut climbed = false;
        for (index, wall) in walls {
            let tracks = before.rects().into_iter().zip(after.rects());
            climbed |= tracks
                .map(|(a, b)| crossing(wall, a.centre, b.centre))
                .any(|at| at.is_some_and(|at| At::new(battle, self).opening_in(index, at).is_none()));
        }
        let near = At::new(battle, self).wall_of(id).is_some();
        let body = self.body_mut(id);
        if climbed && near {
            body.marks.set(Marks::ON_WALL);
        } else if !near {
            body.marks.clear(Marks::ON_WALL);
        }
    }

    /// A gate or an inch of wall is open from now on.
    fn open_breach(&mut self, wall: u8, along: u16, hits: u8) {
        match self.breaches.iter_mut().find(|b| is_near(b, wall, along)) {
            Some(breach) => (breach.open, breach.hits) = (true, breach.hits.saturating_add(hits)),
            None => self.breaches.push(Breach { wall, along, hits, open: true }),
        }
    }

    /// Whether there is room to write down damage at one more place: those that are broken or declared to be fired at count.
    fn has_room_for_damage(&self, wall: u8, along: u16) -> bool {
        let aimed = self.volleys.iter().filter(|v| matches!(v.at, Aim::Wall { .. })).count();
        // Every gate that sappers may blow keeps a place.
        self.breaches.iter().any(|b| is_near(b, wall, along))
            || self.breaches.len() + aimed < MAX_BREACHES / 2
    }

    /// A new turn: hits on walls do not add up from one turn to the next, ladders are up, sappers are ready.
    pub(crate) fn new_turn_at_walls(&mut self) {
        self.breaches.retain(|b| b.open);
        for bout in &mut self.bouts {
            bout.ladders = false;
            bout.fought = false;
            bout.charged = false;
            bout.countered = false;
        }
    }

    /// At the end of the Morale Phase: sappers still at a gate may blow it next turn.
    pub(crate) fn lay_charges(&mut self, battle: &Battle) {
        for id in self.ids() {
            let ready = self.body(id).on_table()
                && !self.body(id).marks.has(Marks::FLED)
                && At::new(battle, self).gate_at(id).is_some();
            let body = self.body_mut(id);
            if ready {
                body.marks.set(Marks::MINING);
            } else {
                body.marks.clear(Marks::MINING);
            }
        }
    }

    /// It and the friends it touches are one box.
    pub(crate) fn join_box(&mut self, battle: &Battle, id: BodyId) {
        let touching = At::new(battle, self).touching(id) | id.bit();
        for i in (0..self.bodies.len()).filter(|i| touching & (1 << i) != 0) {
            let body = &self.bodies[i];
            if !body.mounted(battle) && !body.shape.formation.is_loose() && battle.arm(body) != Arm::Cavalry {
                self.bodies[i].marks.set(Marks::BOX);
            }
        }
    }
}

impl<F: Effects> Run<'_, F> {
    /// At the end of the Morale Phase: whoever has won a wall goes up, its first row of stands at least (fort.assault.g).
    pub(crate) fn occupy(&mut self) {
        for id in self.state.ids() {
            let body = self.state.body(id);
            if !body.on_table() || !body.marks.has(Marks::WALL_WON) {
                continue;
            }
            let stays = body.marks.has(Marks::ON_WALL) && !self.state.in_melee(id) && !body.order.broken();
            let layout = body.layout(self.battle);
            let up = layout.pose.shifted(layout.pose.facing.dir().times(layout.size.depth));
            let room = self.at().is_free(id, &layout.at(up));
            let at_its_foot = self.at().wall_of(id).is_some_and(|w| {
                self.battle.lines[w].line.distance_to(layout.pose.at.pt()) <= INCH / 10 + EPS
            });
            let body = self.state.body_mut(id);
            body.marks.clear(Marks::WALL_WON);
            if stays && room && at_its_foot {
                body.pose = up;
                self.state.carry_leader(id);
                self.tell_of(id, Kind::Advance, "occupies the wall", cite!("fort.assault.g"));
            }
        }
    }

    /// Cannon hits on a wall: the divisor is the gun's, changed by the firer alone (R115).
    pub(crate) fn batter(&mut self, volley: &mut Volley, wall: u8, along: u16) {
        let body = self.state.body(volley.by);
        let info = self.battle.info(body);
        let at = point_along(&self.battle.lines[usize::from(wall)], i64::from(along) * MIL);
        let range = body.pose.at.pt().to(at);
        let band = (0..4).find(|b| range <= info.weapon.ranges[*b] + EPS).unwrap_or(3);
        let numbers = &self.battle.tables.fire.hit_number;
        let mut hit = Sum::of(
            [numbers.short, numbers.medium, numbers.long, numbers.extreme][band],
            "range",
            cite!("qrs.artillery.b"),
        );
        if info.weapon.smoothbore {
            hit.add(
                self.battle.tables.fire.artillery.hit_modifiers.smoothbore,
                "smoothbore",
                cite!("qrs.artillery.c"),
            );
        }
        if info.weapon.improved {
            hit.add(
                self.battle.tables.fire.artillery.hit_modifiers.improved,
                "improved",
                cite!("qrs.artillery.c"),
            );
        }
        if body.marks.has(Marks::PROLONGED) {
            hit.add(
                self.battle.tables.fire.artillery.hit_modifiers.prolonged,
                "prolonged",
                cite!("move.artillery.d"),
            );
        }
        let base = match info.weapon.kind {
            WeaponKind::Position => 4,
            _ if info.weapon.name.starts_with("12") => 5,
            _ => 6,
        };
        let mods = &self.battle.tables.fire.artillery.divisor_modifiers;
        let mut sum = Sum::of(base, "weight of the guns", cite!("fort.destroy.b"));
        sum.add(mods.rating(info.fire.unwrap_or(Rating::C)), "fire rating", cite!("qrs.artillery.k"));
        if body.order == Order::Suppressed {
            sum.add(mods.firer_suppressed, "firer suppressed", cite!("qrs.artillery.h"));
        }
        let dice = volley.stands.count_ones() as u8 * info.weapon.dice;
        let by = volley.by;
        let note = |at: At<'_>, rule, sum: &Sum| {
            RollNote::new(does(&at.name(by), "batters a wall"), rule)
                .side(at.side_of(by))
                .by(piece(by))
                .modifiers(sum.modifiers())
        };
        let test = Test::at_least(Die::D6, hit.total().max(2));
        let hits = self.count(dice, test, |at| note(at, cite!("fort.destroy.a"), &hit));
        if hits == 0 {
            return;
        }
        let divisor = sum.total().max(2) as u16;
        let damage = |total: u16| (total / divisor) as i16;
        volley.hits = self.graded(hits, Die::D6, damage, |at| note(at, cite!("fort.destroy.b"), &sum)) as u16;
    }

    /// What a battery has done to a wall or gate counts when all fires strike (R21, R115).
    pub(crate) fn record_damage(&mut self, volley: &Volley, wall: u8, along: u16) {
        if volley.hits == 0 {
            return;
        }
        let gate = self.battle.lines[usize::from(wall)]
            .gates
            .iter()
            .any(|g| (g / MIL - i64::from(along)).abs() <= 500);
        let near = |b: &Breach| is_near(b, wall, along);
        if !self.state.breaches.iter().any(near) {
            self.state.breaches.push(Breach { wall, along, hits: 0, open: false });
        }
        let Some(breach) = self.state.breaches.iter_mut().find(|b| near(b)) else { return };
        breach.hits = breach.hits.saturating_add(volley.hits.min(u16::from(u8::MAX)) as u8);
        let threshold = if gate { 2 } else { 3 };
        if breach.open || breach.hits < threshold {
            return;
        }
        breach.open = true;
        let hits = u16::from(breach.hits);
        self.fx.tell(|| {
            let what = if gate { "A gate is shot in." } else { "An inch of wall comes down." };
            Entry::new(Kind::Loss, what).rule(cite!("fort.destroy.a"))
        });
        self.hurt_defenders(volley.by, wall, along, hits);
    }

    /// The hits that break a wall strike whoever defends it there (fort.destroy.d).
    fn hurt_defenders(&mut self, by: BodyId, wall: u8, along: u16, hits: u16) {
        let at = point_along(&self.battle.lines[usize::from(wall)], i64::from(along) * MIL);
        let there: ArrayVec<BodyId, MAX_BODIES> = self
            .state
            .on_table()
            .filter(|(id, b)| {
                b.layout(self.battle).distance_to(at) <= INCH
                    && self.at().wall_of(*id) == Some(usize::from(wall))
            })
            .map(|(id, _)| id)
            .collect();
        for id in there {
            self.tell_of(id, Kind::Loss, "is struck by the falling wall", cite!("fort.destroy.d"));
            self.apply_shot(by, id, None, hits);
        }
    }

    /// The sappers go back a full charge move and one die tells (R116).
    pub(crate) fn blow_gate(&mut self, id: BodyId) {
        let Some((wall, along)) = self.at().gate_at(id) else { return };
        let body = self.state.body_mut(id);
        body.marks.clear(Marks::MINING);
        body.marks.set(Marks::MOVED.and(Marks::MOVED_EARLY));
        let start = self.at().layout(id);
        let at = point_along(&self.battle.lines[usize::from(wall)], i64::from(along) * MIL);
        let away = table::Angle::of(start.centre() - at).dir();
        let mut far = self.battle.rate(self.state.body(id)).charge.min(table::to_edge(
            &start.block(),
            away,
            self.battle.top.width,
            self.battle.top.height,
        ));
        while far > 0 && !self.at().is_free(id, &start.at(start.pose.shifted(away.times(far)))) {
            far -= INCH / 4;
        }
        self.state.body_mut(id).pose = start.pose.shifted(away.times(far.max(0)));
        let blown = self.passes(Test::at_least(Die::D6, 3), |at| {
            RollNote::new(format!("{} blow the gate", at.name(id)), cite!("fort.destroy.c"))
                .side(at.side_of(id))
                .by(piece(id))
        });
        if !blown {
            return;
        }
        self.state.open_breach(wall, along, 2);
        self.tell_of(id, Kind::Loss, "blow the gate in", cite!("fort.destroy.c"));
        self.hurt_defenders(id, wall, along, 2);
    }
}

// ---- walls shot down ----

fn is_near(breach: &Breach, wall: u8, along: u16) -> bool {
    breach.wall == wall && breach.along.abs_diff(along) <= 500
}

// ---- the box ----
