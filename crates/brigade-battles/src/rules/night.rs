//! 11 Night turns: who may fire, and the stragglers who come back.

use game::words::does;
use game::{Die, Effects, Kind, RollNote, Side};

use crate::rules::concepts::{on_map, piece_entry};
use crate::setup::battle::Battle;
use crate::setup::pieces::Arm;
use crate::state::{Piece, State, UnitId};

/// R65: at the start of the game turn it is noted who stands next to an enemy.
pub(crate) fn note_adjacent(battle: &Battle, state: &mut State) {
    state.adjacent = crate::state::Units::EMPTY;
    if !battle.is_night(state) {
        return;
    }
    for side in Side::BOTH {
        let enemies = crate::rules::sight::standing(battle, state, side.enemy());
        let units: Vec<UnitId> = on_map(battle, state, side)
            .filter(|(hex, _)| battle.map.beside[hex.index()].meets(&enemies))
            .map(|(_, id)| id)
            .collect();
        units.into_iter().for_each(|id| state.adjacent.insert(id));
    }
}

/// 11.0: one die for each brigade that has lost SP, the first player's first.
pub(crate) fn stragglers(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for side in [battle.first, battle.first.enemy()] {
        for unit in battle.of[side].iter() {
            let here = *state.unit(unit);
            let sheet = battle.unit(unit);
            if here.post.hex().is_none() || sheet.arm == Arm::Artillery || here.sp >= sheet.sp {
                continue;
            }
            let face = fx.die(Die::D10, || {
                RollNote::new(format!("Do stragglers come back to {}?", sheet.name), cite!("11.0.d"))
                    .outcomes((0..=10).map(|face| if face > 5 { "yes" } else { "no" }))
                    .side(side)
                    .by(battle.piece_id(Piece::Unit(unit)))
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
            state.unit_mut(unit).sp += gained;
            state.losses[side] = state.losses[side].saturating_sub(u16::from(gained));
            fx.tell(|| {
                let text = format!("{} {gained} SP.", does(&sheet.name, "recovers"));
                piece_entry(battle, state, Kind::Rally, text, unit)
                    .rule(cite!("11.0.e"))
                    .rule(cite!("11.0.f"))
            });
        }
    }
}
