//! 12.6 Momentum.

use game::words::side_does;
use game::{Effects, Entry, Kind, Rule, Side};

use crate::setup::battle::Battle;
use crate::state::State;

/// A chit is due to a side: from the pool, or else the opponent must give one up (12.63.c).
pub(crate) fn gain(battle: &Battle, state: &mut State, side: Side, rule: Rule, fx: &mut impl Effects) {
    if state.pool(battle) > 0 {
        state.chits[side] += 1;
        fx.tell(|| {
            Entry::new(Kind::Draw, side_does(&battle.armies[side].name, "gains momentum."))
                .side(side)
                .rule(rule)
        });
    } else if state.chits[!side] > 0 {
        state.chits[!side] -= 1;
        fx.tell(|| {
            Entry::new(
                Kind::Draw,
                side_does(&battle.armies[!side].name, "gives up a chit: the pool is empty."),
            )
            .side(!side)
            .rule(cite!("12.63.c"))
        });
    }
}

/// A +2 unit was captured at full strength: its owner returns a chit, or the opponent takes one (12.64.a).
pub(crate) fn surrender(battle: &Battle, state: &mut State, side: Side, fx: &mut impl Effects) {
    let text = if state.chits[side] > 0 {
        state.chits[side] -= 1;
        "surrenders a chit"
    } else if state.pool(battle) > 0 {
        state.chits[!side] += 1;
        "has no chit to surrender; the enemy takes one"
    } else {
        return;
    };
    fx.tell(|| {
        Entry::new(Kind::Draw, format!("{}.", side_does(&battle.armies[side].name, text)))
            .side(side)
            .rule(cite!("12.64.a"))
    });
}
