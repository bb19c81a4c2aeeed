//! Failed charges.

use game::{Effects, Kind};

use crate::cite;
use crate::rules::charge::movement::{charging_layout, moved_early, put};
use crate::rules::rolls::tell_of;
use crate::setup::battle::Battle;
use crate::state::{Marks, Order, State};

/// Infantry that fails halts on the way, cavalry goes back (R42, R43).
pub fn fail_home(battle: &Battle, state: &mut State, index: usize, missed: i16, fx: &mut impl Effects) {
    let charger = state.charge.chargers[index];
    let by = charger.line.by;
    let start = charging_layout(battle, state, &charger);
    let dir = start.pose.facing.dir();
    let mounted = state.body(by).mounted(battle);
    state.charge.chargers[index].on = false;
    let body = state.body_mut(by);
    body.order = body.order.max(Order::Suppressed);
    body.marks.clear(Marks::RUSH);
    if mounted {
        let back = crate::rules::rout::rout_roll(battle, state, by, "falls back from its charge", fx);
        let room = table::to_edge(&start.block(), dir.back(), battle.top.width, battle.top.height);
        let pose = start.pose.shifted(dir.times((charger.point - back).max(-room)));
        put(battle, state, by, &start, pose);
        moved_early(battle, state, by, &start, fx);
        tell_of(
            battle,
            state,
            by,
            Kind::Retreat,
            "does not close and goes back Suppressed",
            cite!("charge.failed.a"),
            fx,
        );
        return;
    }
    match missed {
        1 | 2 => {
            let share = if missed == 1 { 3 } else { 2 };
            let pose = start.pose.shifted(dir.times(charger.d * share / 4));
            put(battle, state, by, &start, pose);
            moved_early(battle, state, by, &start, fx);
            state.body_mut(by).marks.set(Marks::IMMUNE);
            let rule = if missed == 1 { cite!("charge.failed.b") } else { cite!("charge.failed.c") };
            tell_of(battle, state, by, Kind::Loss, "halts Suppressed before the enemy", rule, fx);
        }
        _ => {
            state.body_mut(by).marks.set(Marks::BALKED);
            tell_of(
                battle,
                state,
                by,
                Kind::Loss,
                "does not move and is Suppressed",
                cite!("charge.failed.e"),
                fx,
            );
        }
    }
}
