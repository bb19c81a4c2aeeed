//! Initiative, and the goes of the Movement Phase: batches by averaging dice, arrivals (move.initiative,
//! scenario.arrival).

use game::words::{side_does, the};
use game::{Die, Effects, Kind, RollNote, Rule, Side, Sum};
use table::INCH;

use crate::at::{At, Run};
use crate::cite;
use crate::rules::sequence::{Phase, Step};
use crate::setup::battle::Battle;
use crate::setup::ground::TableEdge;
use crate::state::{BodyId, Marks, State, Where};

impl<F: Effects> Run<'_, F> {
    /// Both roll a die for the initiative of a phase; the higher goes first. A tie changes nothing and leaves the step where
    /// it is, so that it is rolled again.
    pub(crate) fn roll_initiative(&mut self, phase: Phase) {
        let rule = match phase {
            Phase::Reaction => cite!("seq.reaction.a"),
            Phase::Charge => cite!("seq.charge.a"),
            _ => cite!("seq.move.a"),
        };
        let mut totals = [0; 2];
        for side in Side::BOTH {
            let sum = self.at().initiative_terms(phase, side, rule);
            let die = self.die(Die::D6, |at| {
                RollNote::new(side_does(&at.battle.sides[side].name, "rolls for initiative"), rule)
                    .side(side)
                    .modifiers(sum.modifiers())
            });
            totals[side.index()] = i16::from(die) + sum.total();
        }
        if totals[0] == totals[1] {
            return;
        }
        self.state.turn_of = if totals[0] > totals[1] { Side::First } else { Side::Second };
        self.state.agenda.replace(match phase {
            Phase::Reaction => Step::Reactions,
            Phase::Charge => Step::Charges,
            _ => Step::Batches,
        });
    }

    pub(crate) fn begin_movement(&mut self) {
        // Who charged whom counts within one phase (R46).
        self.state.bodies.iter_mut().for_each(|b| b.marks.clear(Marks::BY_FOOT.and(Marks::BY_HORSE)));
        self.bring_arrivals();
        self.state.begin_sighting(self.battle);
        self.state.agenda.push(Step::Initiative(Phase::Movement));
    }

    /// Whoever has the initiative moves first; how many BMUs a go is the averaging dice's say.
    pub(crate) fn roll_batches(&mut self) {
        self.state.mover = self.state.turn_of;
        for side in Side::BOTH {
            let die = self.die(Die::Average, |at| {
                RollNote::new(
                    format!("The averaging die of {}", the(&at.battle.sides[side].name)),
                    cite!("move.initiative.b"),
                )
                .side(side)
            });
            let mut bmus: u64 = 0;
            self.state
                .on_table()
                .filter(|(_, b)| self.battle.side(b) == side)
                .for_each(|(_, b)| bmus |= 1 << b.bmu);
            self.state.go.batch[side] = (bmus.count_ones() as u8 / die).max(1) * 2;
        }
        self.state.agenda.replace(Step::Moves);
    }

    /// Units due this turn stand at their stretch of the edge, slid along it if somebody is in the way.
    pub(crate) fn bring_arrivals(&mut self) {
        for id in self.state.ids() {
            let body = *self.state.body(id);
            let Some(arrival) = self.battle.info(&body).arrival.filter(|a| a.turn <= self.state.turn) else {
                continue;
            };
            if body.place != Where::Coming {
                continue;
            }
            let mut layout = body.layout(self.battle);
            layout.pose.facing = arrival.facing;
            let block = table::Rect::at(table::Pt::default(), arrival.facing, layout.extent());
            let (w, h) = (self.battle.top.width, self.battle.top.height);
            let middle = i64::midpoint(arrival.from, arrival.to);
            for step in 0..200_i64 {
                let along = middle + if step % 2 == 0 { 1 } else { -1 } * (step + 1) / 2 * (INCH / 2);
                let front = match arrival.edge {
                    TableEdge::North => table::Pt::new(along, h - block.bounds.hi.y),
                    TableEdge::South => table::Pt::new(along, -block.bounds.lo.y),
                    TableEdge::East => table::Pt::new(w - block.bounds.hi.x, along),
                    TableEdge::West => table::Pt::new(-block.bounds.lo.x, along),
                };
                layout.pose.at = front.spot();
                let there = table::Pose { at: front.spot(), facing: arrival.facing };
                let inside = layout.at(there);
                if self.at().is_free(id, &inside) {
                    let body = self.state.body_mut(id);
                    body.pose = there;
                    body.place = Where::Table;
                    self.tell_of(id, Kind::March, "arrives", cite!("scenario.arrival.a"));
                    for (l, info) in self.battle.leaders.iter().enumerate() {
                        if info.arrives_with == Some(self.state.body(id).bmu)
                            && self.state.leaders[l].place == Where::Coming
                        {
                            self.state.leaders[l].place = Where::Table;
                            self.state.leaders[l].at = there.at;
                        }
                    }
                    break;
                }
            }
        }
    }
}

impl At<'_> {
    /// What a side adds to its die: the attacker in the Charge and Movement Phases, an incompetent commander in the latter
    /// (R17).
    fn initiative_terms(self, phase: Phase, side: Side, rule: Rule) -> Sum {
        let mut sum = Sum::new();
        if phase != Phase::Reaction && self.battle.attacker == Some(side) {
            sum.add(1, "attacker", rule);
        }
        let chief = self.battle.overall(side).map(|c| &self.state.leaders[c.i()]);
        if phase == Phase::Movement && chief.is_some_and(|c| c.incompetent && c.leads()) {
            sum.add(-1, "incompetent commander", cite!("move.initiative.a"));
        }
        sum
    }

    /// Whether a body can be chosen in this go.
    pub(crate) fn can_be_moved(self, id: BodyId) -> bool {
        let side = self.side_of(id);
        self.state.go.used + self.state.move_price(id) <= self.state.go.batch[side]
            && self.may_move(id).is_ok()
    }
}

impl State {
    pub(crate) fn next_move(&mut self, battle: &Battle) -> bool {
        if self.go.passes >= 2 {
            self.agenda.pop();
            return true;
        }
        let side = self.turn_of;
        let movable =
            self.on_table().any(|(id, b)| battle.side(b) == side && At::new(battle, self).can_be_moved(id));
        if movable {
            return false;
        }
        self.end_go();
        true
    }

    /// The go is over; one in which nothing moved was a pass.
    pub(crate) fn end_go(&mut self) {
        self.go.passes = if self.go.chosen == 0 { self.go.passes + 1 } else { 0 };
        self.go.used = 0;
        self.go.touching = 0;
        self.go.chosen = 0;
        self.turn_of = self.turn_of.enemy();
    }
}
