//! A position with every base worked out: what all measuring is done on (4.3, 4.4).

use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Deref;

use game::{Allowed, BySide, Side};
use table::{Bounds, Convex, EPS, INCH, Pt, Rect, Way};

use crate::at::At;
use crate::rules::charts::{ENEMY_NEAR, PROXIMITY};
use crate::rules::formations::Arm;
use crate::setup::pieces::{CommanderId, UnitId, UnitSet};

/// A position with the bases of all units; it gives everything that [`At`] gives.
#[derive(Debug)]
pub struct Field<'a> {
    at: At<'a>,
    /// On the heap: a field is handed on, its bases are many.
    rects: Vec<Rect>,
    /// The units of each side on the table.
    present: BySide<UnitSet>,
    /// The units on hills, one bit each, once somebody asks.
    on_hills: OnceCell<u64>,
}

impl<'a> Deref for Field<'a> {
    type Target = At<'a>;

    #[inline]
    fn deref(&self) -> &At<'a> {
        &self.at
    }
}

impl<'a> Field<'a> {
    pub fn new(at: At<'a>) -> Self {
        let At { battle, state } = at;
        let mut field = Field {
            at,
            rects: Vec::with_capacity(battle.units.len()),
            present: BySide::from_fn(|_| UnitSet::default()),
            on_hills: OnceCell::new(),
        };
        for u in battle.all_units() {
            field.rects.push(at.rect_of(u));
            if state.on_table(u) {
                field.present[battle.unit(u).side].insert(u);
            }
        }
        field
    }

    pub fn rect(&self, u: UnitId) -> &Rect {
        &self.rects[u.i()]
    }

    /// Is the unit's centre on a hill (R11)?
    pub fn on_hill(&self, u: UnitId) -> bool {
        let on = |(i, rect): (usize, &Rect)| u64::from(self.battle.is_on_hill(rect)) << i;
        let hills = self.on_hills.get_or_init(|| self.rects.iter().enumerate().map(on).sum());
        hills & (1 << u.0) != 0
    }

    pub fn side(&self, u: UnitId) -> Side {
        self.battle.unit(u).side
    }

    pub fn on_table(&self) -> UnitSet {
        self.present.first.union(self.present.second)
    }

    pub fn of_side(&self, side: Side) -> UnitSet {
        self.present[side]
    }

    pub fn enemies(&self, of: UnitId) -> UnitSet {
        self.of_side(!self.side(of))
    }

    pub fn friends(&self, of: UnitId) -> UnitSet {
        self.of_side(self.side(of)).without(of)
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
        self.disc(c).distance(self.rect(u))
    }

    /// Any enemy unit within 6 in (5.6.k).
    pub fn enemy_near(&self, u: UnitId) -> bool {
        self.enemies(u).any(|e| self.rect(u).within(self.rect(e), ENEMY_NEAR))
    }

    /// A body at least 1 in from every enemy of `u`; from one that is nearer at the start, no nearer (4.4.a, R16).
    pub fn keeps_distance(&self, u: UnitId, body: &(impl Convex + ?Sized)) -> bool {
        let reach = body.bounds().grown(PROXIMITY);
        self.enemies(u).all(|e| {
            let enemy = self.rect(e);
            if !reach.meets(&enemy.bounds) {
                return true;
            }
            is_clear_of(body, enemy, PROXIMITY.min(self.rect(u).distance(enemy)))
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

/// Is a body no nearer to an enemy than `limit`? The enemy's own axes settle most cases.
fn is_clear_of(body: &(impl Convex + ?Sized), enemy: &Rect, limit: i64) -> bool {
    enemy.gap(body) >= limit || table::distance(body, enemy) >= limit - EPS
}

/// The ground that a unit can come to with one order, and who is there: worked out once for all the moves that are
/// looked at.
#[derive(Debug)]
pub(crate) struct Surroundings<'f, 'a> {
    pub field: &'f Field<'a>,
    pub unit: UnitId,
    room: Bounds,
    enemies: UnitSet,
    /// Those of the enemies that are within 1 in from the start.
    close: UnitSet,
    friends: UnitSet,
    impassable: bool,
    in_difficult: OnceCell<bool>,
    /// What is known of marches to the left front, straight on, to the right front.
    pub marches: [Cell<March>; 3],
    /// The last leg straight on from the start that was looked at, and the last pivot there: moves share them.
    pub leg: Cell<Option<(i32, Allowed)>>,
    pub turn: RefCell<Option<(i32, Allowed<Rect>)>>,
}

/// What a look for difficult terrain in one direction has found.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct March {
    /// Nothing up to here.
    pub open: i32,
    /// Whoever would go farther than the first stops at the second.
    pub stop: Option<(i64, i32)>,
}

impl<'f, 'a> Surroundings<'f, 'a> {
    /// As far as a unit comes whose centre travels no farther than `travel`.
    pub(crate) fn new(field: &'f Field<'a>, unit: UnitId, travel: i64) -> Self {
        // Half the diagonal of its largest base; horses and limbers also shift the centre when they come and go.
        let base = if field.battle.unit(unit).arm == Arm::Infantry { 5 * INCH } else { 14 * INCH };
        let own = field.rect(unit);
        let room = Bounds { lo: own.centre, hi: own.centre }.grown(travel + base);
        let reach = room.grown(PROXIMITY);
        let enemies = field.enemies(unit).within(field, &reach);
        Self {
            field,
            unit,
            room,
            enemies,
            close: enemies.within(field, &own.bounds.grown(PROXIMITY)),
            friends: field.friends(unit).within(field, &reach),
            impassable: field.battle.impassable_about(&room),
            in_difficult: OnceCell::new(),
            marches: Default::default(),
            leg: Cell::new(None),
            turn: RefCell::new(None),
        }
    }

    /// Nobody and nothing that a move could meet.
    pub(crate) fn empty(&self) -> bool {
        self.enemies.is_empty() && !self.impassable
    }

    /// The enemies that touch a box, each with the distance to be kept from it: 1 in, or what it is at the start
    /// (4.4.a, R16).
    pub(crate) fn enemies(&self, room: &Bounds) -> impl Iterator<Item = (&'f Rect, i64)> {
        let own = self.field.rect(self.unit);
        self.enemies.iter().map(|e| (e, self.field.rect(e))).filter(|(_, r)| room.meets(&r.bounds)).map(
            move |(e, r)| (r, if self.close.has(e) { PROXIMITY.min(own.distance(r)) } else { PROXIMITY }),
        )
    }

    /// Does a straight move plainly stay clear of every enemy? The axes of the moving base settle most cases.
    pub(crate) fn passes_enemies(&self, from: &Rect, by: Pt, room: &Bounds) -> bool {
        self.enemies.is_empty()
            || self.enemies(&room.grown(PROXIMITY)).all(|(e, limit)| from.gap_on_way(e, by) >= limit)
    }

    /// Is there impassable ground that a move could meet?
    pub(crate) const fn impassable_near(&self) -> bool {
        self.impassable
    }

    pub(crate) fn impassable_about(&self, room: &Bounds) -> bool {
        self.impassable && self.field.battle.impassable_about(room)
    }

    pub(crate) fn impassable(&self, body: &(impl Convex + ?Sized)) -> bool {
        self.impassable && self.field.battle.impassable(body)
    }

    /// Does a way lead through an enemy (5.7.c)?
    pub(crate) fn meets_enemy(&self, way: &Way) -> bool {
        self.enemies(&way.bounds()).any(|(e, _)| e.gap(way) <= 0 && table::deeper_than_eps(way, e))
    }

    /// As [`Field::keeps_distance`].
    pub(crate) fn keeps_distance(&self, body: &(impl Convex + ?Sized)) -> bool {
        self.enemies.is_empty()
            || self.enemies(&body.bounds().grown(PROXIMITY)).all(|(e, limit)| is_clear_of(body, e, limit))
    }

    /// The same of a base that stands.
    pub(crate) fn stands_clear(&self, r: &Rect) -> bool {
        self.enemies.is_empty()
            || self
                .enemies(&r.bounds.grown(PROXIMITY))
                .all(|(e, limit)| r.gap(e) >= limit || is_clear_of(r, e, limit))
    }

    /// As [`Field::free_of_units`].
    pub(crate) fn free_of_units(&self, r: &Rect) -> bool {
        debug_assert!(self.holds(r), "a move ends outside the room that was looked at");
        let others = self.friends.union(self.enemies);
        others.iter().all(|o| !r.overlaps(self.field.rect(o)))
    }

    /// Does the unit stand in difficult terrain?
    pub(crate) fn in_difficult(&self) -> bool {
        *self.in_difficult.get_or_init(|| self.field.battle.difficult(self.field.rect(self.unit)))
    }

    pub(crate) fn holds(&self, r: &Rect) -> bool {
        let (room, b) = (&self.room, &r.bounds);
        room.lo.x <= b.lo.x && room.lo.y <= b.lo.y && b.hi.x <= room.hi.x && b.hi.y <= room.hi.y
    }
}

impl UnitSet {
    /// Those whose bases come into a box.
    #[must_use]
    fn within(self, field: &Field<'_>, room: &Bounds) -> Self {
        let mut set = Self::default();
        for u in self.filter(|u| room.meets(&field.rect(*u).bounds)) {
            set.insert(u);
        }
        set
    }
}
