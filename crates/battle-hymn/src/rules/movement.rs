//! Chapter 5: Movement Turns.

use game::log::Kind;
use game::words::does;
use game::{Effects, Side};
use hexmap::{Hex, HexSet};

use crate::action::{Action, Anything, Offers, Sole};
use crate::at::{At, Run};
use crate::rules::cavalry;
use crate::rules::reach::{Bounds, MOST_POINTS, Path, Reach};
use crate::rules::zones::Field;
use crate::setup::battle::{Battle, Way};
use crate::setup::ground::CLOSED;
use crate::setup::pieces::{Arm, Column, Formation};
use crate::state::{Id, Mount, NOWHERE, State, Status, Step, Trail, UnitSet};

/// The scratch space of a Movement decision.
pub(crate) type Explorer = Reach<{ MOST_POINTS + 1 }>;

impl<'a> At<'a> {
    /// The Formation whose Movement Turn it is.
    #[inline]
    pub(crate) fn active_formation(self) -> Option<&'a Formation> {
        self.state.active.map(|f| &self.battle.formations[usize::from(f)])
    }

    /// The units of that Formation.
    #[inline]
    pub(crate) fn active_units(self) -> UnitSet {
        self.active_formation().map_or(UnitSet::EMPTY, |formation| formation.units)
    }

    /// The side whose Movement Turn it is.
    pub(crate) fn mover(self) -> Side {
        self.active_formation().map_or(Side::First, |formation| formation.side)
    }

    pub(crate) fn column_now(self, id: Id) -> Column {
        Column::of(self.arm_now(id))
    }

    /// The Movement Allowance in its present state: out of the saddle it is 3 less (11.3.s, R59).
    pub(crate) fn allowance(self, id: Id) -> u8 {
        let printed = self.unit(id).allowance;
        match self.piece(id).mount {
            Mount::Mounted => printed,
            Mount::Dismounted | Mount::HorsesLost => printed.saturating_sub(cavalry::COST_OF_SEAT),
        }
    }

    /// The MPs a unit may still spend in this Movement Turn.
    pub(crate) fn points_left(self, id: Id) -> u8 {
        if self.state.moved.contains(id) {
            0
        } else if self.state.hand == Some(id) {
            self.state.left
        } else {
            self.allowance(id)
        }
    }

    /// A unit the scenario still holds back.
    pub(crate) fn held_back(self, id: Id) -> bool {
        let Some(held) = self.unit(id).held else { return false };
        let enemies = self.battle.armies[self.side(id).enemy()].units;
        self.state.hour < held.until
            && !self.state.on_map().and(enemies).into_iter().any(|enemy| {
                self.ground().distance(self.piece(id).hex, self.piece(enemy).hex)
                    <= u16::from(held.unless_within)
            })
    }

    /// Whether a unit on the map may still march: its move is not over, and a march is not behind it.
    pub(crate) fn may_march(self, id: Id) -> bool {
        self.piece(id).on_map()
            && !self.state.moved.contains(id)
            && (self.state.hand != Some(id) || self.state.stride)
            && !self.held_back(id)
    }

    /// What each step costs the unit as it is now.
    #[inline]
    pub(crate) fn costs(self, id: Id) -> &'a [[u8; 6]] {
        &self.ground().costs[self.column_now(id) as usize]
    }

    /// Every march from where the unit stands.
    pub(crate) fn explored(self, id: Id, budget: u8, bounds: &Bounds) -> Explorer {
        let mut reach = Explorer::new();
        reach.explore(self.ground(), self.costs(id), self.piece(id).hex, budget, bounds, |_, _| {});
        reach
    }

    /// Where a unit may not go and where it must stop: 3.7.a, 5.3, 13.c.
    pub(crate) fn bounds_of(self, field: &Field, id: Id) -> Bounds {
        if self.zone_closed_to(id) {
            return Bounds { closed: field.enemies | field.zone, stops: HexSet::EMPTY };
        }
        match self.arm_now(id) {
            Arm::Cavalry | Arm::HorseArtillery => {
                Bounds { closed: field.enemies | field.foot_zone, stops: field.zone }
            }
            Arm::Infantry | Arm::Artillery => Bounds { closed: field.enemies, stops: field.zone },
        }
    }

    /// Units that may enter no enemy zone at all: at night (13.c), artillery (5.3.e), those that began in one (5.3.c).
    fn zone_closed_to(self, id: Id) -> bool {
        self.is_night() || self.arm_now(id) == Arm::Artillery || self.state.began_in_zone.contains(id)
    }

    /// Every action of a Movement Turn.
    pub(crate) fn offer_movement(self, out: &mut Vec<Action>) {
        self.offer_acts(out);
        if !self.state.must_march_on() && self.strayed().is_none() {
            out.push(Action::Done);
        }
    }

    /// A dismounted unit beyond its leash that could come nearer to its horses in this Movement Turn and has not (11.3.k).
    pub(crate) fn strayed(self) -> Option<Id> {
        let units = self.active_units().without(self.state.moved);
        // Only who has horses somewhere can be far from them.
        units.and(self.state.horse_markers).into_iter().find(|&id| self.must_return(id))
    }

    /// The one thing that is left to do in a Movement Turn which a strayed unit keeps from ending (11.3.k).
    pub(crate) fn forced_return(self) -> Option<Action> {
        if self.state.must_march_on() {
            return None;
        }
        self.strayed()?;
        let mut sole = Sole::default();
        self.offer_acts(&mut sole);
        sole.action()
    }

    /// Whether a unit has to use its move to come nearer to its horses (11.3.k).
    pub(crate) fn must_return(self, id: Id) -> bool {
        if self.piece(id).mount != Mount::Dismounted || !self.piece(id).on_map() {
            return false;
        }
        let field = self.field_of(self.mover());
        if !self.leash_of(&field, id).is_some_and(|leash| leash.can_be_shortened()) {
            return false;
        }
        let mut nearer = Anything::default();
        self.offer_marches(&field, &mut Explorer::new(), id, &mut nearer);
        nearer.0
    }

    /// Every action but the last, `done`.
    fn offer_acts(self, out: &mut impl Offers) {
        let field = self.field_of(self.mover());
        let mut reach = Explorer::new();
        if let Some(hand) = self.state.on_its_way_in() {
            self.offer_marches(&field, &mut reach, hand, out);
            return;
        }
        for id in self.active_units() {
            match self.piece(id).status {
                Status::OnMap => {
                    self.offer_marches(&field, &mut reach, id, out);
                    self.offer_mounting(id, out);
                    if self.may_rally(id) {
                        out.offer(Action::Rally { unit: id });
                    }
                }
                Status::Due | Status::Away => self.offer_entries(&field, &mut reach, id, out),
                Status::Shattered if self.may_rally(id) => out.offer(Action::Rally { unit: id }),
                Status::Rallied if !self.state.moved.contains(id) => {
                    let hexes = self.placements(id);
                    hexes.into_iter().for_each(|at| out.offer(Action::Place { unit: id, at }));
                }
                Status::Shattered | Status::Rallied | Status::Eliminated | Status::Exited => {}
            }
        }
    }

    fn offer_marches(self, field: &Field, reach: &mut Explorer, id: Id, out: &mut impl Offers) {
        if !self.may_march(id) {
            return;
        }
        let bounds = self.bounds_of(field, id);
        let start = self.piece(id).hex;
        let budget = self.points_left(id);
        let costs = self.costs(id);
        let leash = self.leash_of(field, id);
        reach.explore(self.ground(), costs, start, budget, &bounds, |hex, _| {
            if !field.friends.contains(hex) && leash.as_ref().is_none_or(|l| l.allows(hex)) {
                out.offer(Action::March { unit: id, to: hex, path: None });
            }
        });
        for way in
            self.battle.ways_out.iter().filter(|w| w.side == self.side(id) && w.from <= self.state.hour)
        {
            let stopped = bounds.stops.contains(way.hex) && way.hex != start;
            let there = reach.cost(way.hex, start, &bounds).filter(|_| !stopped);
            let in_reach = leash.as_ref().is_none_or(|l| l.allows(way.hex));
            if in_reach && there.is_some_and(|c| self.leaves_within(id, way.hex, c, budget)) {
                out.offer(Action::Exit { unit: id, by: way.hex });
            }
        }
    }

    fn leaves_within(self, id: Id, by: Hex, spent: u8, budget: u8) -> bool {
        let cost = self.ground().edge_cost(&self.battle.charts, self.column_now(id), by);
        cost != CLOSED && u16::from(spent) + u16::from(cost) <= u16::from(budget)
    }

    /// Whether anything but `done` is open: a Movement Turn in which nothing can be done is not asked about.
    pub(crate) fn anything_to_do(self) -> bool {
        if self.state.must_march_on() {
            return true;
        }
        let units = self.active_units().without(self.state.moved);
        if units.into_iter().any(|id| self.easily_marches(id)) {
            return true;
        }
        let mut anything = Anything::default();
        if !units.is_empty() {
            self.offer_acts(&mut anything);
        }
        anything.0
    }

    /// A free neighbouring hex outside enemy zones settles the question without looking further.
    fn easily_marches(self, id: Id) -> bool {
        if !self.may_march(id) || self.piece(id).mount == Mount::Dismounted {
            return false;
        }
        let hex = self.piece(id).hex.index();
        let costs = &self.ground().costs[self.column_now(id) as usize][hex];
        let budget = self.points_left(id);
        let enemy = self.side(id).enemy();
        (0..6).any(|d| {
            costs[d] <= budget && {
                let next = self.ground().beyond[hex][d];
                self.state.at(next).is_none() && !self.covers(enemy, next)
            }
        })
    }

    /// The way a march goes: the one named, or the cheapest.
    pub(crate) fn way_of_march(self, unit: Id, to: Hex, path: Option<Trail>) -> Option<(Path, u8)> {
        let start = self.piece(unit).hex;
        let costs = self.costs(unit);
        if path.is_some() {
            let way: Path = self.ground().walk(start, path).collect();
            return Some((way.clone(), self.cost_of_way(unit, &way)?));
        }
        if self.state.at(to).is_none()
            && self.ground().direction(start, to).is_some_and(|d| costs[start.index()][d] == 1)
        {
            return Some((Path::from_iter([to]), 1));
        }
        let field = self.field_of(self.side(unit));
        let bounds = self.bounds_of(&field, unit);
        let mut reach = Explorer::new();
        reach.explore(self.ground(), costs, start, self.points_left(unit), &bounds, |_, _| {});
        let path = reach.path(self.ground(), costs, start, to, &bounds)?;
        Some((path, reach.cost(to, start, &bounds)?))
    }

    /// What a way costs; none if a step of it is closed.
    fn cost_of_way(self, unit: Id, way: &[Hex]) -> Option<u8> {
        let costs = self.costs(unit);
        let mut at = self.piece(unit).hex;
        let mut total = 0u8;
        for &next in way {
            let step = costs[at.index()][self.ground().direction(at, next)?];
            total = (step != CLOSED).then(|| total.saturating_add(step))?;
            at = next;
        }
        Some(total)
    }

    /// Whether the hexes passed, or what they cost, make any difference: Objectives to be taken on the way (R14), enemy horses
    /// (R61), MPs that may still be spent.
    fn way_matters(self, unit: Id, to: Hex) -> bool {
        let side = self.side(unit);
        let (start, left) = (self.piece(unit).hex, u16::from(self.state.left));
        let ground = self.ground();
        self.has_horses(unit)
            || !self.state.horse_markers.and(self.battle.armies[side.enemy()].units).is_empty()
            || self.battle.victory.objectives.iter().zip(&self.state.control).any(|(objective, control)| {
                *control != Some(side)
                    && objective.hex != to
                    && ground.distance(start, objective.hex) + ground.distance(objective.hex, to) <= left
            })
    }

    /// The hexes out of the enemy's sight; used by horses, rally and placement.
    pub(crate) fn out_of_sight(self, side: Side) -> HexSet {
        self.ground().on_map - self.seen_by_enemies(side)
    }
}

impl<F: Effects> Run<'_, F> {
    /// Another unit acts: the move of the one in hand is over (5.2.a).
    pub(crate) fn take_in_hand(&mut self, unit: Id) {
        if self.state.hand == Some(unit) {
            return;
        }
        if let Some(before) = self.state.hand {
            self.state.moved.insert(before);
        }
        self.state.left = self.at().allowance(unit);
        self.state.hand = Some(unit);
        self.state.stride = true;
    }

    /// `march`: hex by hex (5.1.a), until the last.
    pub(crate) fn march(&mut self, unit: Id, to: Hex, path: Option<Trail>) {
        self.take_in_hand(unit);
        if path.is_none() && !self.fx.listening() && !self.at().way_matters(unit, to) {
            self.cancel_approach_fire(unit);
            self.state.lift(unit);
            self.appear(unit, to);
            return self.end_march(unit);
        }
        let Some((way, cost)) = self.at().way_of_march(unit, to, path) else {
            debug_assert!(false, "a march that was checked has a way");
            return self.state.end_move();
        };
        self.tell_march(unit, &way, cost);
        self.go_along(unit, &way);
        self.state.left = self.state.left.saturating_sub(cost);
        self.end_march(unit);
    }

    fn tell_march(&mut self, unit: Id, way: &[Hex], cost: u8) {
        let start = self.state.piece(unit).hex;
        let to = way.last().copied().unwrap_or(start);
        let places = std::iter::once(start).chain(way.iter().copied());
        self.tell_at(unit, Kind::March, cite!("5.1.a"), places, |name, hex| {
            format!("{} from {} to {} for {cost} MP.", does(name, "marches"), hex(start), hex(to))
        });
    }

    /// 5.3.a, 5.3.h: stopped in a zone, or done; cavalry may still mount or dismount.
    fn end_march(&mut self, unit: Id) {
        self.state.stride = false;
        if self.at().is_in_enemy_zone(unit) {
            self.state.stopped.insert(unit);
            self.mark_approach(unit);
            self.state.end_move();
        } else if self.state.left == 0 || !self.at().has_horses(unit) {
            self.state.end_move();
        }
    }

    /// Passes every hex of the way; control and horses do not wait for the last (R14, R61).
    fn go_along(&mut self, unit: Id, way: &[Hex]) {
        self.cancel_approach_fire(unit);
        self.state.lift(unit);
        for &hex in way {
            self.take_control(unit, hex);
            self.capture_horses_near(unit, hex);
        }
        if let Some(&last) = way.last() {
            self.state.put(unit, last);
        }
    }

    /// `exit`: to the exit hex and off the map (5.5.a).
    pub(crate) fn exit(&mut self, unit: Id, by: Hex) {
        self.take_in_hand(unit);
        if by != self.state.piece(unit).hex
            && let Some((way, _)) = self.at().way_of_march(unit, by, None)
        {
            // Passing through a friend on the exit hex is passing, not stopping.
            self.cancel_approach_fire(unit);
            for &hex in &way {
                self.take_control(unit, hex);
                self.capture_horses_near(unit, hex);
            }
        }
        self.leave_map(unit, by);
        self.state.end_move();
    }

    /// A unit leaves by a way out, for good or to come back.
    pub(crate) fn leave_map(&mut self, unit: Id, by: Hex) {
        let way = self.battle.way_out(unit, by, self.state.hour);
        let back = way.and_then(|w| w.back);
        self.remove(unit, Status::Exited);
        self.state.horses_go_with_unit(unit);
        if let Some((hours, area)) = back {
            let due = self.state.hour.saturating_add(hours);
            let piece = self.state.piece_mut(unit);
            (piece.status, piece.hits, piece.extra) = (Status::Away, due, area);
        }
        let rule = way.map_or(cite!("5.5.a"), |w| w.rule);
        self.tell_at(unit, Kind::Gone, rule, [by], |name, hex| {
            format!("{} {}.", does(name, "leaves the field at"), hex(by))
        });
    }
}

impl State {
    /// A Movement Turn begins: who starts it in an enemy zone is bound by that until its end (5.3.c).
    pub(crate) fn begin_movement_turn(&mut self, battle: &Battle, formation: u8) {
        self.active = Some(formation);
        self.hand = None;
        self.moved = UnitSet::EMPTY;
        self.rallied = UnitSet::EMPTY;
        self.stopped = UnitSet::EMPTY;
        self.stopped_entering = UnitSet::EMPTY;
        self.placed = UnitSet::EMPTY;
        self.conga.fill((NOWHERE, 0));
        self.began_in_zone = battle.formations[usize::from(formation)]
            .units
            .into_iter()
            .filter(|&id| self.piece(id).on_map() && At::new(battle, self).is_in_enemy_zone(id))
            .collect();
        self.agenda.push(Step::March);
    }

    pub(crate) fn end_movement_turn(&mut self) {
        self.active = None;
        self.hand = None;
        self.agenda.pop();
    }

    /// A unit that stands in a friend's hex on its way in: it must march on before anything else.
    pub(crate) fn on_its_way_in(&self) -> Option<Id> {
        self.hand.filter(|&id| self.piece(id).on_map() && self.occupant(self.piece(id).hex) != id)
    }

    pub(crate) fn must_march_on(&self) -> bool {
        self.on_its_way_in().is_some()
    }

    /// The move of the unit in hand is over.
    pub(crate) fn end_move(&mut self) {
        if let Some(hand) = self.hand {
            self.moved.insert(hand);
        }
        (self.hand, self.left, self.stride) = (None, 0, false);
    }
}

impl Battle {
    /// The way out that the scenario leaves a unit at a hex in an Hour.
    pub(crate) fn way_out(&self, unit: Id, by: Hex, hour: u8) -> Option<&Way> {
        let side = self.side(unit);
        self.ways_out.iter().find(|w| w.side == side && w.hex == by && w.from <= hour)
    }
}
