//! 11 Night turns: who may fire, and the stragglers who come back.

use game::words::does;
use game::{Die, Effects, Kind, RollNote, Side};

use crate::at::{At, Run};
use crate::setup::battle::Battle;
use crate::setup::pieces::Arm;
use crate::state::{Piece, State, UnitId, Units};

impl<F: Effects> Run<'_, F> {
    /// 11.0: one die for each brigade that has lost SP, the first player's first.
    pub(crate) fn stragglers(&mut self) {
        for side in [self.battle.first, self.battle.first.enemy()] {
            for unit in self.battle.of[side].iter() {
                let here = *self.state.unit(unit);
                let sheet = self.battle.unit(unit);
                if here.post.hex().is_none() || sheet.arm == Arm::Artillery || here.sp >= sheet.sp {
                    continue;
                }
                let face = self.fx.die(Die::D10, || {
                    RollNote::new(format!("Do stragglers come back to {}?", sheet.name), cite!("11.0.d"))
                        .outcomes((0..=10).map(|face| if face > 5 { "yes" } else { "no" }))
                        .side(side)
                        .by(self.battle.piece_id(Piece::Unit(unit)))
                });
                let found: u8 = match face {
                    ..=5 => 0,
                    6..=8 => 1,
                    _ => 2,
                };
                let gained = found.min(sheet.sp - here.sp);
                if gained == 0 {
                    continue;
                }
                self.state.unit_mut(unit).sp += gained;
                self.state.losses[side] = self.state.losses[side].saturating_sub(u16::from(gained));
                self.tell(|at| {
                    let text = format!("{} {gained} SP.", does(&sheet.name, "recovers"));
                    at.piece_entry(Kind::Rally, text, unit).rule(cite!("11.0.e")).rule(cite!("11.0.f"))
                });
            }
        }
    }
}

impl State {
    /// R65: at the start of the game turn it is noted who stands next to an enemy.
    pub(crate) fn note_adjacent(&mut self, battle: &Battle) {
        self.adjacent = Units::EMPTY;
        if !battle.is_night(self) {
            return;
        }
        for side in Side::BOTH {
            let enemies = At::new(battle, self).standing(side.enemy());
            let units: Vec<UnitId> = At::new(battle, self)
                .on_map(side)
                .filter(|(hex, _)| battle.map.beside[hex.index()].meets(&enemies))
                .map(|(_, id)| id)
                .collect();
            units.into_iter().for_each(|id| self.adjacent.insert(id));
        }
    }
}
