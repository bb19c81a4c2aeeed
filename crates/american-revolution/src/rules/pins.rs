//! 9.3, 9.6 and 13.1 PIN: pinned combats are kept or broken whole.

use arrayvec::ArrayVec;
use game::{Allowed, Effects, Entry, Kind};
use hexmap::Hex;

use crate::at::{At, Run};
use crate::legal::no;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Pin, Spot, State};

impl State {
    /// Whether a pin of this player turn holds the piece.
    pub(crate) fn is_pinned(&self, piece: Piece) -> bool {
        self.pins.iter().any(|pin| pin.pieces.has(piece))
    }

    /// Everybody who is pinned.
    pub(crate) fn pinned(&self) -> Pieces {
        self.pins.iter().fold(Pieces::NONE, |all, pin| all | pin.pieces)
    }

    /// Notes that a piece leaves its pins.
    pub(crate) fn on_march(&mut self, battle: &Battle, piece: Piece) {
        let leader = battle.all_leaders().has(piece);
        let all = if leader { Pieces::NONE } else { At::new(battle, self).pin_chain(piece) };
        for pin in &mut self.pins {
            if leader && pin.pieces.has(piece) {
                pin.left = true;
                pin.pieces.drop(piece);
            } else if pin.pieces.meets(all) {
                pin.broken = true;
            }
        }
    }

    /// Drops a piece from every pin: driven off, disrupted or moved by a combat (R18). A pin that has nobody left on
    /// one side lapses for everybody (13.1.p, R14).
    pub(crate) fn forget_pins(&mut self, battle: &Battle, piece: Piece) {
        for pin in &mut self.pins {
            pin.pieces.drop(piece);
        }
        self.drop_one_sided(battle);
    }

    fn drop_one_sided(&mut self, battle: &Battle) {
        self.pins.retain(|pin| battle.has_both_sides(pin.pieces));
    }

    /// How many pinned combats those units break by withdrawing: the pins they were in when the combats were announced
    /// (R20).
    pub(crate) fn pins_broken_by_withdrawal(&self, units: Pieces) -> usize {
        self.were_pinned.iter().filter(|pin| pin.meets(units)).count()
    }

    /// Once all close combats are announced every pin marker comes off (12.22.a); who was pinned is remembered (R20).
    pub(crate) fn remove_pins(&mut self, battle: &Battle) {
        self.were_pinned = self.pins.iter().map(|pin| pin.pieces & battle.all_units()).collect();
        self.pins.clear();
    }
}

impl At<'_> {
    /// The phasing player's combat units of a pin.
    pub(crate) fn holders_of(self, pin: &Pin) -> Pieces {
        pin.pieces & self.battle.units[self.state.phasing]
    }

    /// The enemy combat units of a pin.
    pub(crate) fn held_by(self, pin: &Pin) -> Pieces {
        pin.pieces & self.battle.units[!self.state.phasing]
    }

    /// The phasing units that must still get away because the breaking of their pin has begun (R16, R17).
    pub(crate) fn must_follow(self) -> Pieces {
        let broken = self.state.pins.iter().filter(|pin| pin.broken);
        broken.fold(Pieces::NONE, |all, pin| all | self.holders_of(pin)) - self.state.moved
    }

    /// While a pin is half broken nobody else moves, so that the rest can still get away.
    pub(crate) fn may_move_now(self, piece: Piece) -> Allowed {
        if self.state.pins.is_empty() {
            return Ok(());
        }
        let rest = self.must_follow();
        if !rest.is_empty() && !rest.has(piece) && !self.battle.all_leaders().has(piece) {
            return no(cite!("13.1.r"), "a pin is being broken: its other units must get away first");
        }
        Ok(())
    }

    /// Whether a march may end there as far as pins go.
    pub(crate) fn may_end_by_pins(self, piece: Piece, to: Hex, near: bool) -> Allowed {
        if self.battle.all_leaders().has(piece) {
            return Ok(());
        }
        if self.state.is_pinned(piece) {
            if near {
                return no(cite!("9.3.c"), "a pinned unit may move only to where no enemy unit is adjacent");
            }
            return self.may_break_pin(piece, to);
        }
        let left_behind =
            self.state.pins.iter().filter(|pin| pin.broken).any(|pin| self.next_to(self.held_by(pin), to));
        if left_behind {
            return no(
                cite!("13.1.r"),
                "the pin on that enemy was broken: no other unit may move next to him",
            );
        }
        Ok(())
    }

    fn next_to(self, units: Pieces, hex: Hex) -> bool {
        let mut units = units;
        units.any(|unit| self.hex(unit).is_some_and(|at| self.battle.ground.adjacent(at, hex)))
    }

    /// The pins that break when `piece` moves: its own, and those of everybody who must then go too (R17).
    fn pin_chain(self, piece: Piece) -> Pieces {
        let mut all = Pieces::one(piece);
        loop {
            let grown = self
                .state
                .pins
                .iter()
                .map(|pin| self.holders_of(pin))
                .filter(|own| own.meets(all))
                .fold(all, |sum, own| sum | own);
            if grown == all {
                return all;
            }
            all = grown;
        }
    }

    fn may_break_pin(self, piece: Piece, to: Hex) -> Allowed {
        let all = self.pin_chain(piece);
        for pin in self.state.pins.iter().filter(|pin| pin.pieces.meets(all)) {
            let enemies = self.held_by(pin);
            let mut others = (self.battle.units[self.state.phasing] & self.state.moved) - pin.pieces;
            if others.any(|u| self.hex(u).is_some_and(|hex| self.next_to(enemies, hex))) {
                return no(
                    cite!("13.1.r"),
                    "another unit has moved next to the pinned enemy, so the pin has to be kept",
                );
            }
        }
        let rest = (all - self.state.moved).without(piece);
        if rest.is_empty() {
            return Ok(());
        }
        let mut tried = 0;
        let mut after = self.state.clone();
        after.place(piece, to);
        after.moved.add(piece);
        if !self.anybody_stuck(rest.with(piece), rest)
            && At::new(self.battle, &after).can_all_leave(rest, &mut tried)
        {
            return Ok(());
        }
        no(cite!("13.1.r"), "a pin is broken whole: the other pinned units could not get away from the enemy")
    }

    /// Whether one of these units could not get away even if all the others who leave were gone: whoever has no way out
    /// alone has none in company, which spares most of the search.
    fn anybody_stuck(self, leaving: Pieces, rest: Pieces) -> bool {
        let mut empty = self.state.clone();
        empty.pins.clear();
        for unit in leaving {
            empty.at[unit.index()] = Spot::GONE;
        }
        let mut rest = rest;
        rest.any(|unit| {
            empty.at[unit.index()] = self.state.at[unit.index()];
            let stuck = At::new(self.battle, &empty).ways_out(unit).is_empty();
            empty.at[unit.index()] = Spot::GONE;
            stuck
        })
    }

    /// The hexes without an enemy beside them that a unit can march to.
    fn ways_out(self, unit: Piece) -> ArrayVec<Hex, 64> {
        let mut ways = ArrayVec::new();
        self.reach(unit, |hex, _, _| {
            let clear = self.beside(!self.state.phasing, hex).is_empty();
            if clear && !ways.is_full() {
                ways.push(hex);
            }
        });
        ways
    }

    /// Whether these units can march away one after the other; gives up after many tries.
    fn can_all_leave(self, rest: Pieces, tried: &mut u32) -> bool {
        let Some(next) = rest.first() else { return true };
        *tried += 1;
        if *tried > 200 {
            return false;
        }
        // The pins themselves are no bar to those who break them.
        let mut free = self.state.clone();
        free.pins.clear();
        At::new(self.battle, &free).ways_out(next).iter().any(|&hex| {
            let mut after = free.clone();
            after.place(next, hex);
            after.moved.add(next);
            At::new(self.battle, &after).can_all_leave(rest.without(next), tried)
        })
    }

    pub(crate) fn no_pin_half_broken(self) -> Allowed {
        let mut rest = self.must_follow();
        // Under limited intelligence the way out may prove to be shut.
        let stuck = |unit: Piece| self.ways_out(unit).is_empty();
        if rest.is_empty() || self.battle.armies[self.state.phasing].limited && rest.all(stuck) {
            return Ok(());
        }
        no(cite!("13.1.r"), "a pin is broken whole: its other units must move away too")
    }

    /// The pins that bind the phasing player in his close combat phase: units of both sides are left in them.
    pub(crate) fn binding_pins(self) -> ArrayVec<(Pieces, Pieces), { crate::state::UNITS }> {
        self.state
            .pins
            .iter()
            .map(|pin| (self.holders_of(pin), self.held_by(pin)))
            .filter(|(own, enemy)| !own.is_empty() && !enemy.is_empty())
            .collect()
    }
}

impl Battle {
    /// Whether combat units of both sides are among them: it takes two to be pinned.
    pub(crate) fn has_both_sides(&self, pieces: Pieces) -> bool {
        pieces.meets(self.units.first) && pieces.meets(self.units.second)
    }
}

impl<F: Effects> Run<'_, F> {
    /// When all movement is done: broken pins are paid for, and markers come off whoever has no enemy beside him (9.6).
    pub(crate) fn lift_pins(&mut self) {
        let side = self.state.phasing;
        let paid = self.state.pins.iter().filter(|pin| pin.broken || pin.left).count();
        for _ in 0..paid {
            self.tell_side(Kind::Note, side, "breaks a pin", cite!("9.6.b"));
            self.adjust_morale(side, self.battle.charts.change.pin_broken);
            if self.state.ending.is_some() {
                return;
            }
        }
        let mut pins = std::mem::take(&mut self.state.pins);
        let at = self.at();
        for pin in &mut pins {
            // A broken pin is off for both sides (13.1.v).
            if pin.broken {
                pin.pieces = Pieces::NONE;
            }
            pin.left = false;
            let apart =
                pin.pieces.filter(|&p| at.hex(p).is_none_or(|hex| at.beside(!at.side(p), hex).is_empty()));
            pin.pieces -= apart.collect();
        }
        self.state.pins = pins;
        self.state.drop_one_sided(self.battle);
    }

    /// Records a PIN result: every piece in the hexes of the combat (R14). Where one side was captured to a man nobody
    /// is pinned.
    pub(crate) fn record_pin(&mut self, pieces: Pieces) {
        if self.battle.has_both_sides(pieces)
            && self.state.pins.try_push(Pin { pieces, broken: false, left: false }).is_ok()
        {
            self.fx.tell(|| {
                let mut entry = Entry::new(Kind::Note, "The combatants are pinned.").rule(cite!("13.1.p"));
                entry.pieces.extend((pieces & self.battle.all_units()).map(Piece::id));
                entry
            });
        }
    }
}
