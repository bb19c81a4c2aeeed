//! What must hold of every position.

use table::EPS;

use crate::at::At;
use crate::rules::basics::Layout;
use crate::rules::contact::in_touch;
use crate::rules::sequence::Phase;
use crate::setup::battle::Battle;
use crate::state::{Body, BodyId, Marks, Order, State};

/// Poses lie on a grid and lines are set flush against each other: so deep two bodies may seem to overlap.
const SLACK: i64 = 8 * EPS;

/// What must hold of every position.
pub fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
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
    At::new(battle, state).nobody_lies_in_anybody()?;
    for bout in &state.bouts {
        if !state.body(bout.attacker).on_table() || !state.body(bout.defender).on_table() {
            return Err(format!(
                "{} and {} are at blows, but not both there",
                name(bout.attacker),
                name(bout.defender)
            ));
        }
        if At::new(battle, state).side_of(bout.attacker) == At::new(battle, state).side_of(bout.defender) {
            return Err("friends are at blows".to_owned());
        }
    }
    At::new(battle, state).everybody_at_blows_touches()
}

impl At<'_> {
    /// Every pair in melee touches, stand against stand, and dice come from stands that touch or support (melee.contact.b,
    /// melee.stands.a-g).
    fn everybody_at_blows_touches(self) -> Result<(), String> {
        let name = |id: BodyId| self.battle.slug(id);
        for bout in &self.state.bouts {
            let (attacker, defender) = (self.state.body(bout.attacker), self.state.body(bout.defender));
            if !in_touch(&attacker.layout(self.battle), &defender.layout(self.battle)) {
                let (a, d) = (name(bout.attacker), name(bout.defender));
                let apart = attacker.layout(self.battle).distance(&defender.layout(self.battle)) / table::MIL;
                return Err(format!(
                    "{a} and {d} are in melee and do not touch ({apart} mils apart): {bout:?}"
                ));
            }
            for id in [bout.attacker, bout.defender] {
                let body = self.state.body(id);
                let silent = body.order == Order::Routed || self.battle.arm(body).is_artillery();
                if !silent && !bout.ladders && self.melee_dice(id).dice == 0 {
                    return Err(format!("{} is in melee and none of its stands fights", name(id)));
                }
            }
            if self.state.bouts.iter().filter(|b| b.attacker == bout.attacker).count() > 1 {
                return Err(format!("{} attacks two at once", name(bout.attacker)));
            }
        }
        Ok(())
    }

    /// No stand lies in another (move.penetration.c), but for a unit in the middle of its move, guns that nobody serves, and
    /// what is hidden from the one who stands there.
    fn nobody_lies_in_anybody(self) -> Result<(), String> {
        let apart = |b: &Body| b.marks.has(Marks::ABANDONED) || b.marks.unsighted();
        let bodies: Vec<(BodyId, Layout)> = self
            .state
            .on_table()
            .filter(|(id, b)| !apart(b) && self.state.march.unit != Some(*id))
            .map(|(id, b)| (id, b.layout(self.battle)))
            .collect();
        for (i, (a, mine)) in bodies.iter().enumerate() {
            for (b, theirs) in &bodies[i + 1..] {
                if !mine.overlaps(theirs) {
                    continue;
                }
                let (ours, others) = (mine.rects(), theirs.rects());
                let deepest =
                    ours.iter().flat_map(|r| others.iter().map(move |o| r.depth_of_overlap(o))).max();
                if deepest.is_some_and(|d| d > SLACK) {
                    return Err(format!("{} lies in {}", self.battle.slug(*a), self.battle.slug(*b)));
                }
            }
        }
        Ok(())
    }
}
