//! What must hold of every position.

use table::EPS;

use crate::basics::Layout;
use crate::battle::Battle;
use crate::sequence::Phase;
use crate::state::{Body, BodyId, Marks, State};

/// Poses lie on a grid and lines are set flush against each other: so deep two bodies may seem to overlap.
const SLACK: i64 = 8 * EPS;

/// What must hold of every position.
pub(crate) fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
    let name = |id: BodyId| battle.slug(id);
    for (id, body) in state.on_table() {
        let layout = body.layout(battle);
        if body.stands(battle) == 0 && state.phase != Phase::Morale && state.phase != Phase::Melee {
            return Err(format!("{} has no stand left but is on the table", name(id)));
        }
        let b = layout.block().bounds;
        if b.lo.x < -20 * EPS
            || b.lo.y < -20 * EPS
            || b.hi.x > battle.top.width + 20 * EPS
            || b.hi.y > battle.top.height + 20 * EPS
        {
            return Err(format!("{} stands off the table", name(id)));
        }
        let hits = u16::from(body.lost) + u16::from(body.fresh);
        if hits > u16::from(body.strength) * u16::from(battle.arm(body).hits_a_stand()) {
            return Err(format!("{} has more hits than stands", name(id)));
        }
    }
    nobody_lies_in_anybody(battle, state)?;
    for bout in &state.bouts {
        if !state.body(bout.attacker).on_table() || !state.body(bout.defender).on_table() {
            return Err(format!(
                "{} and {} are at blows, but not both there",
                name(bout.attacker),
                name(bout.defender)
            ));
        }
        if battle.side_of(state, bout.attacker) == battle.side_of(state, bout.defender) {
            return Err("friends are at blows".to_owned());
        }
    }
    Ok(())
}

/// No stand lies in another (move.penetration.c), but for a unit in the middle of its move, guns that nobody serves, and
/// what is hidden from the one who stands there.
fn nobody_lies_in_anybody(battle: &Battle, state: &State) -> Result<(), String> {
    let apart = |b: &Body| b.marks.has(Marks::ABANDONED.and(Marks::HIDDEN));
    let bodies: Vec<(BodyId, Layout)> = state
        .on_table()
        .filter(|(id, b)| !apart(b) && state.march.unit != Some(*id))
        .map(|(id, b)| (id, b.layout(battle)))
        .collect();
    for (i, (a, mine)) in bodies.iter().enumerate() {
        for (b, theirs) in &bodies[i + 1..] {
            if !mine.overlaps(theirs) {
                continue;
            }
            let (ours, others) = (mine.rects(), theirs.rects());
            let deepest = ours.iter().flat_map(|r| others.iter().map(move |o| r.depth_of_overlap(o))).max();
            if deepest.is_some_and(|d| d > SLACK) {
                return Err(format!("{} lies in {}", battle.slug(*a), battle.slug(*b)));
            }
        }
    }
    Ok(())
}
