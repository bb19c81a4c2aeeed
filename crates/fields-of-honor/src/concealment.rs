//! What a side may not know.

use game::Side;

use crate::basics::{Formation, Shape};
use crate::battle::Battle;
use crate::sequence::Step;
use crate::state::{Body, Command, Marks, Order, Part, State};

/// Removes what a side may not know: enemy orders, fire not yet shown, what stands behind markers.
pub(crate) fn seen_by(battle: &Battle, state: &State, side: Side) -> State {
    let mut seen = state.clone();
    let foe = side.enemy();
    for (i, info) in battle.leaders.iter().enumerate().filter(|(_, l)| l.side == foe) {
        let _ = info;
        let man = &mut seen.leaders[i];
        man.order = Command::Defend;
        man.marker = man.at;
        man.ordered = false;
    }
    if matches!(state.agenda.top(), Some(Step::Declare { .. } | Step::Resolve)) {
        seen.volleys.retain(|v| battle.side_of(state, v.by) == side);
    }
    let stand_in = battle.bmus.iter().position(|b| b.side == foe).unwrap_or(0) as u8;
    for body in &mut seen.bodies {
        let marker = body.marks.has(Marks::HIDDEN) && !body.marks.has(Marks::SPOTTED);
        if battle.side(body) == side || !marker || !body.on_table() {
            continue;
        }
        let arm = battle.bmus[usize::from(stand_in)].arm;
        *body = Body {
            bmu: stand_in,
            part: Part::Main,
            shape: Shape::of(Formation::Mob, arm, 1, 1),
            strength: 1,
            lost: 0,
            fresh: 0,
            order: Order::Good,
            marks: Marks::HIDDEN,
            other: None,
            ..*body
        };
    }
    seen
}
