//! What must hold of every position.

use table::EPS;

use crate::battle::Battle;
use crate::sequence::Phase;
use crate::state::{BodyId, State};

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
