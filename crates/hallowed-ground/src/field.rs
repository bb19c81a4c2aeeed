//! A position with every base worked out: what all measuring is done on (4.3, 4.4).

use arrayvec::ArrayVec;
use game::Side;
use table::{Bounds, Convex, EPS, Rect};

use crate::formations::{ENEMY_NEAR, PROXIMITY};
use crate::muster::{Battle, CommanderId, MAX_UNITS, State, UnitId, disc_of, rect_of};

/// Battle, position and the bases of all units.
#[derive(Debug)]
pub struct Field<'a> {
    pub battle: &'a Battle,
    pub state: &'a State,
    rects: ArrayVec<Rect, MAX_UNITS>,
}

impl<'a> Field<'a> {
    pub fn new(battle: &'a Battle, state: &'a State) -> Self {
        Field { battle, state, rects: battle.all_units().map(|u| rect_of(battle, state, u)).collect() }
    }

    pub fn rect(&self, u: UnitId) -> &Rect {
        &self.rects[u.i()]
    }

    pub fn side(&self, u: UnitId) -> Side {
        self.battle.unit(u).side
    }

    pub fn on_table(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.battle.all_units().filter(|u| self.state.on_table(*u))
    }

    pub fn of_side(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.on_table().filter(move |u| self.side(*u) == side)
    }

    pub fn enemies(&self, of: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        self.of_side(!self.side(of))
    }

    pub fn friends(&self, of: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        self.of_side(self.side(of)).filter(move |u| *u != of)
    }

    /// Closest-point distance (4.3.b).
    pub fn distance(&self, a: UnitId, b: UnitId) -> i64 {
        self.rect(a).distance(self.rect(b))
    }

    /// From the leader point of one to the closest point of the other (8.1.b).
    pub fn range(&self, from: UnitId, to: UnitId) -> i64 {
        self.rect(to).distance_to(self.rect(from).front)
    }

    /// Disc edge to base (R45); zero for the unit a commander is attached to.
    pub fn commander_distance(&self, c: CommanderId, u: UnitId) -> i64 {
        if self.state.commanders[c.i()].attached == Some(u) {
            return 0;
        }
        disc_of(self.battle, self.state, c).distance(self.rect(u))
    }

    /// Any enemy unit within 6 in (5.6.k).
    pub fn enemy_near(&self, u: UnitId) -> bool {
        self.enemies(u).any(|e| self.rect(u).within(self.rect(e), ENEMY_NEAR))
    }

    /// Is any enemy of `u` in or near a box?
    pub fn enemy_about(&self, u: UnitId, room: &Bounds) -> bool {
        self.enemies(u).any(|e| room.meets(&self.rect(e).bounds))
    }

    /// A body at least 1 in from every enemy of `u`; from one that is nearer at the start, no nearer (4.4.a, R16).
    pub fn keeps_distance(&self, u: UnitId, body: &(impl Convex + ?Sized)) -> bool {
        let reach = body.bounds().grown(PROXIMITY);
        self.enemies(u).all(|e| {
            let enemy = self.rect(e);
            if !reach.meets(&enemy.bounds) {
                return true;
            }
            let limit = PROXIMITY.min(self.rect(u).distance(enemy));
            table::distance(body, enemy) >= limit - EPS
        })
    }

    /// At least 1 in from every enemy of `u`, whatever it was before.
    pub fn clear_of_enemies(&self, u: UnitId, r: &Rect) -> bool {
        self.enemies(u).all(|e| r.distance(self.rect(e)) >= PROXIMITY - EPS)
    }

    /// Overlaps no other unit (5.7.a).
    pub fn free_of_units(&self, u: UnitId, r: &Rect) -> bool {
        self.on_table().all(|v| v == u || !r.overlaps(self.rect(v)))
    }

    pub fn free_of_friends(&self, u: UnitId, r: &Rect) -> bool {
        self.friends(u).all(|v| !r.overlaps(self.rect(v)))
    }
}
