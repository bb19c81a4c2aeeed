//! What must hold of every position.

use table::EPS;

use crate::at::At;
use crate::rules::basics::Layout;
use crate::rules::contact::in_touch;
use crate::rules::sequence::Phase;
use crate::state::{Body, BodyId, Marks, Order};

/// Poses lie on a grid and lines are set flush against each other: so deep two bodies may seem to overlap.
const SLACK: i64 = 8 * EPS;

impl At<'_> {
    /// Nobody lies in anybody, nobody is off the table, nobody has more hits than stands, and those at blows touch.
    pub(crate) fn invariant(self) -> Result<(), String> {
        for (id, _) in self.state.on_table() {
            self.stands_and_hits_fit(id)?;
        }
        self.nobody_lies_in_anybody()?;
        for bout in &self.state.bouts {
            let [one, other] = [bout.attacker, bout.defender];
            if ![one, other].iter().all(|id| self.body(*id).on_table()) {
                let name = |id: BodyId| self.battle.slug(id);
                return Err(format!("{} and {} are at blows, but not both there", name(one), name(other)));
            }
            if self.side_of(one) == self.side_of(other) {
                return Err("friends are at blows".to_owned());
            }
        }
        self.everybody_at_blows_touches()
    }

    /// A body on the table has stands, no more hits than they take, and room on the table.
    fn stands_and_hits_fit(self, id: BodyId) -> Result<(), String> {
        let At { battle, state } = self;
        let (name, body) = (battle.slug(id), state.body(id));
        if body.stands(battle) == 0 && state.phase != Phase::Morale && state.phase != Phase::Melee {
            return Err(format!("{name} has no stand left but is on the table"));
        }
        let b = body.layout(battle).block().bounds;
        if b.lo.x < -20 * EPS
            || b.lo.y < -20 * EPS
            || b.hi.x > battle.top.width + 20 * EPS
            || b.hi.y > battle.top.height + 20 * EPS
        {
            return Err(format!("{name} stands off the table"));
        }
        let hits = u16::from(body.lost) + u16::from(body.fresh);
        if hits > u16::from(body.strength) * u16::from(battle.arm(body).hits_a_stand()) {
            return Err(format!("{name} has more hits than stands"));
        }
        Ok(())
    }

    /// Every pair in melee touches, stand against stand, and dice come from stands that touch or support (melee.contact.b,
    /// melee.stands.a-g).
    fn everybody_at_blows_touches(self) -> Result<(), String> {
        let name = |id: BodyId| self.battle.slug(id);
        for bout in &self.state.bouts {
            let (attacker, defender) = (self.body(bout.attacker), self.body(bout.defender));
            if !in_touch(&attacker.layout(self.battle), &defender.layout(self.battle)) {
                let (a, d) = (name(bout.attacker), name(bout.defender));
                let apart = attacker.layout(self.battle).distance(&defender.layout(self.battle)) / table::MIL;
                return Err(format!(
                    "{a} and {d} are in melee and do not touch ({apart} mils apart): {bout:?}"
                ));
            }
            for id in [bout.attacker, bout.defender] {
                let body = self.body(id);
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
