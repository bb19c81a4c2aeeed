//! Chapter 12: reinforcements, in a conga line.

use arrayvec::ArrayVec;
use game::log::Kind;
use game::words::does;
use game::{Allowed, Effects, No, RollNote};
use hexmap::Hex;

use crate::action::{Action, Offers};
use crate::at::{At, Run};
use crate::rules::movement::Explorer;
use crate::rules::zones::Field;
use crate::setup::battle::Battle;
use crate::setup::ground::CLOSED;
use crate::setup::pieces::SetUp;
use crate::state::{Id, NOWHERE, State, Status};

/// The hexes a unit may enter by.
pub(crate) type EntryHexes = ArrayVec<Hex, { 2 * MAX_AREA }>;

/// The most hexes of an Area; a unit may have the choice of two.
pub(crate) const MAX_AREA: usize = 48;

impl At<'_> {
    /// Whether a unit's Hour has come (12.a); those delayed stay due (R64).
    pub(crate) fn is_due(self, id: Id) -> bool {
        match (self.piece(id).status, &self.unit(id).set_up) {
            (Status::Due, SetUp::Due { hour, .. }) => *hour <= self.state.hour,
            (Status::Away, _) => self.piece(id).hits <= self.state.hour,
            _ => false,
        }
    }

    fn each_area(self, id: Id, mut visit: impl FnMut(u8)) {
        match (self.piece(id).status, &self.unit(id).set_up) {
            (Status::Due, SetUp::Due { areas, .. }) => areas.iter().for_each(|&a| visit(a)),
            (Status::Away, _) => visit(self.piece(id).extra),
            _ => {}
        }
    }

    /// Where a unit may enter: its Areas' hexes, or where one is blocked the next hexes to its left and right (12.2.e, R65).
    pub(crate) fn entry_hexes(self, id: Id) -> EntryHexes {
        let enemies = self.battle.armies[self.side(id).enemy()].units;
        let free = |hex: Hex| !self.state.at(hex).is_some_and(|u| enemies.contains(u));
        let mut found = EntryHexes::new();
        let mut add = |hex: Hex| {
            if !found.contains(&hex) {
                let _ = found.try_push(hex);
            }
        };
        self.each_area(id, |area| {
            let hexes = &self.battle.areas[usize::from(area)].hexes;
            if hexes.iter().any(|&h| free(h)) {
                hexes.iter().copied().filter(|&h| free(h)).for_each(&mut add);
            } else {
                self.battle.beside_area(hexes, free).into_iter().flatten().for_each(&mut add);
            }
        });
        found
    }

    /// Whether every hex of all its Areas is held by the enemy.
    pub(crate) fn entry_is_blocked(self, id: Id) -> bool {
        let enemies = self.battle.armies[self.side(id).enemy()].units;
        let mut blocked = true;
        self.each_area(id, |area| {
            let hexes = &self.battle.areas[usize::from(area)].hexes;
            blocked &= hexes.iter().all(|&h| self.state.at(h).is_some_and(|u| enemies.contains(u)));
        });
        blocked
    }

    /// 12.2.b: what it costs to enter there as the next of the conga line.
    pub(crate) fn entry_cost(self, id: Id, at: Hex) -> Option<u8> {
        let once = self.ground().edge_cost(&self.battle.charts, self.column_now(id), at);
        let before = self.state.conga.iter().find(|(hex, _)| *hex == at).map_or(0, |&(_, n)| n);
        (once != CLOSED).then(|| once.saturating_mul(before + 1)).filter(|&c| c <= self.allowance(id))
    }

    /// Whether a unit could do anything there once it has entered: a friend's hex must be left again.
    fn finds_room(self, field: &Field, reach: &mut Explorer, id: Id, at: Hex, cost: u8) -> bool {
        if self.state.at(at).is_none() {
            return true;
        }
        if field.zone.contains(at) {
            return false;
        }
        let bounds = self.bounds_of(field, id);
        let costs = self.costs(id);
        let left = self.allowance(id) - cost;
        let mut room = false;
        reach.explore(self.ground(), costs, at, left, &bounds, |hex, _| room |= !field.friends.contains(hex));
        room
    }

    /// `enter` for a unit that is due.
    pub(crate) fn offer_entries(self, field: &Field, reach: &mut Explorer, id: Id, out: &mut impl Offers) {
        if self.state.moved.contains(id) || !self.is_due(id) {
            return;
        }
        let chance = self.drawn_from(id);
        if chance.len() > 1 {
            out.offer(Action::Enter { unit: id, at: None });
            return;
        }
        for at in self.entry_hexes(id) {
            let Some(cost) = self.entry_cost(id, at) else { continue };
            let at_night = self.is_night() && field.zone.contains(at);
            if !at_night && self.finds_room(field, reach, id, at, cost) {
                out.offer(Action::Enter { unit: id, at: Some(at) });
            }
        }
    }

    /// `enter`.
    pub(crate) fn check_enter(self, id: Id, at: Option<Hex>) -> Allowed {
        if !matches!(self.piece(id).status, Status::Due | Status::Away) || !self.is_due(id) {
            return Err(No::new(cite!("12.a"), "It is not due in this Hour."));
        }
        let Some(at) = at else {
            let why = "Name the hex; chance picks it only beside a blocked Area, with At Random on.";
            let chance = self.drawn_from(id).len() > 1;
            return if chance { Ok(()) } else { Err(No::new(cite!("12.2.a"), why)) };
        };
        if !self.entry_hexes(id).contains(&at) {
            let mut listed = false;
            self.each_area(id, |a| listed |= self.battle.areas[usize::from(a)].hexes.contains(&at));
            if listed {
                return Err(No::new(cite!("12.2.e"), "An enemy stands there."));
            }
            let rule = if self.entry_is_blocked(id) { cite!("12.2.e") } else { cite!("12.2.a") };
            return Err(No::new(rule, "It is not a hex of its Entry Area."));
        }
        let field = self.field_of(self.side(id));
        if self.is_night() && field.zone.contains(at) {
            return Err(No::new(cite!("13.c"), "At night no unit enters an enemy zone of control."));
        }
        let Some(cost) = self.entry_cost(id, at) else {
            return Err(No::new(
                cite!("5.2.c"),
                "Not enough movement points for its place in the line of march; try another entry hex.",
            ));
        };
        if !self.finds_room(&field, &mut Explorer::new(), id, at, cost) {
            return Err(No::new(cite!("3.7.c"), "A friend stands there, and it could not march on."));
        }
        Ok(())
    }

    /// 3.1.e: with At Random on, the hexes beside blocked Areas that chance picks from; fewer than two leave nothing to it.
    fn drawn_from(self, id: Id) -> EntryHexes {
        if !self.battle.house.at_random || !self.entry_is_blocked(id) {
            return EntryHexes::new();
        }
        let open = self.entry_hexes(id).into_iter().filter(|&h| self.check_enter(id, Some(h)).is_ok());
        let mut hexes: EntryHexes = open.collect();
        hexes.sort_unstable();
        hexes
    }
}

impl<F: Effects> Run<'_, F> {
    pub(crate) fn enter_map(&mut self, unit: Id, at: Option<Hex>) {
        self.take_in_hand(unit);
        let Some(at) = at.or_else(|| self.entry_at_random(unit)) else { return self.state.end_move() };
        let cost = self.at().entry_cost(unit, at).unwrap_or(self.state.left);
        self.state.count_in_line(at);
        self.state.left = self.state.left.saturating_sub(cost);
        let piece = self.state.piece_mut(unit);
        (piece.hits, piece.extra) = (0, 0);
        self.appear(unit, at);
        self.tell_at(unit, Kind::March, cite!("12.2.b"), [at], |name, hex| {
            format!("{} {} for {cost} MP.", does(name, "enters at"), hex(at))
        });
        if self.at().is_in_enemy_zone(unit) {
            self.state.stopped_entering.insert(unit);
            self.mark_approach(unit);
            self.state.end_move();
        } else if self.state.left == 0 {
            self.state.end_move();
        }
    }

    /// `enter X` without a hex leaves it to chance.
    fn entry_at_random(&mut self, unit: Id) -> Option<Hex> {
        let hexes = self.at().drawn_from(unit);
        let drawn = self.fx.draw(hexes.len().max(1), || {
            RollNote::new(format!("Where {} enters", self.battle.name(unit)), cite!("3.1.e"))
                .side(self.battle.side(unit))
                .by(unit.piece())
                .outcomes(hexes.iter().map(|&hex| self.battle.ground.name(hex)))
        });
        hexes.get(drawn).copied()
    }
}

impl State {
    fn count_in_line(&mut self, at: Hex) {
        let slot = self.conga.iter_mut().find(|(hex, _)| *hex == at || *hex == NOWHERE);
        if let Some((hex, n)) = slot {
            *hex = at;
            *n += 1;
        }
    }
}

impl Battle {
    /// The next free hexes along the border of the map, to the left and to the right of an Area.
    fn beside_area(&self, hexes: &[Hex], free: impl Fn(Hex) -> bool) -> [Option<Hex>; 2] {
        let border = &self.ground.border;
        let mut places = hexes.iter().filter_map(|h| border.iter().position(|b| b == h));
        let (first, last) = (places.clone().next(), places.next_back());
        let (Some(first), Some(last)) = (first, last) else {
            let is_open_edge =
                |h: Hex| h != NOWHERE && self.ground.is_edge(h) && free(h) && !hexes.contains(&h);
            let around =
                hexes.iter().flat_map(|h| self.ground.beyond[h.index()]).filter(|&h| is_open_edge(h));
            return [around.clone().min(), around.max()];
        };
        let n = border.len();
        let open = |&i: &usize| free(border[i]) && !hexes.contains(&border[i]);
        let left = (1..n).map(|k| (first + n - k) % n).find(open);
        let right = (1..n).map(|k| (last + k) % n).find(open);
        [left.map(|i| border[i]), right.map(|i| border[i])]
    }
}
