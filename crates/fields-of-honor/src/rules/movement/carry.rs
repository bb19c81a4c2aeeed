//! Carrying a move out, inch by inch and turn by turn.

use arrayvec::ArrayVec;
use game::words::does;
use game::{Effects, Entry, Kind};
use table::MIL;

use super::formations::{faced, wheeled};
use super::{Leg, March, Outcome, roams, slewed};
use crate::at::{At, Run};
use crate::cite;
use crate::rules::basics::{Formation, Layout, Shape};
use crate::rules::rolls::{piece, place};
use crate::rules::sequence::Step;
use crate::rules::skirmishers::{reformed, thickens};
use crate::setup::battle::Battle;
use crate::state::{Body, BodyId, Marks, Order, State};

/// How far a leg goes between two chances to interrupt it (R63).
const STEP: i32 = 1000;

impl State {
    /// Begins a move: the go pays for it, and the friends it touches become cheaper.
    pub(crate) fn begin_move(&mut self, battle: &Battle, id: BodyId, legs: &[Leg]) {
        let Ok(Outcome { passed, slack, far, .. }) = At::new(battle, self).plan_move(id, legs) else {
            return;
        };
        self.go.used += self.move_price(id);
        self.go.touching |= At::new(battle, self).touching(id);
        self.go.chosen |= id.bit();
        let body = self.body_mut(id);
        body.marks.set(Marks::GONE_ABOUT);
        if passed != 0 {
            body.marks.set(Marks::PASSED);
            for i in (0..self.bodies.len()).filter(|i| passed & (1 << i) != 0) {
                self.bodies[i].marks.set(Marks::PASSED);
            }
        }
        let legs = legs.iter().copied().collect();
        self.march = March { unit: Some(id), legs, leg: 0, done: 0, waved: false, slack, far };
    }

    fn advance_march(&mut self, battle: &Battle, id: BodyId, length: i32, bearing: i32) {
        let chunk = (length - self.march.done).min(STEP);
        let done = self.march.done + chunk;
        // Each step is measured from the beginning of the leg, so that rounding never adds up.
        let body = self.body_mut(id);
        let dir = body.pose.facing.turned(bearing).dir();
        let before = dir.times(i64::from(done - chunk) * MIL).spot();
        let after = dir.times(i64::from(done) * MIL).spot();
        body.pose.at.x += after.x - before.x;
        body.pose.at.y += after.y - before.y;
        body.marks.set(Marks::MOVED);
        let _ = battle;
        self.march.done = done;
        if done >= length {
            self.march.leg += 1;
            self.march.done = 0;
        }
    }

    /// A hidden unit that moves in view is hidden no longer (R62).
    fn come_into_view(&mut self, battle: &Battle, id: BodyId) {
        let marks = self.body(id).marks;
        if !marks.has(Marks::HIDDEN) || self.march.legs.last() == Some(&Leg::Hide) {
            return;
        }
        // Where it has been sighted it hides only while it stays (R62).
        if marks.has(Marks::SPOTTED) {
            if marks.has(Marks::MOVED) {
                self.body_mut(id).marks.show();
            }
            return;
        }
        let side = At::new(battle, self).side_of(id);
        let enemies: ArrayVec<BodyId, 64> =
            self.on_table().filter(|(_, b)| battle.side(b) != side).map(|(o, _)| o).collect();
        if enemies.iter().any(|o| At::new(battle, self).sees(*o, id)) {
            self.body_mut(id).marks.show();
        }
    }

    /// A body that lost a stand on its way, or was stopped among friends, stands in nobody in the end.
    pub(crate) fn make_room(&mut self, battle: &Battle, id: BodyId) {
        let layout = self.body(id).layout(battle);
        let hidden = |b: &Body| b.marks.unsighted();
        let lies_in_somebody = self.on_table().any(|(other, b)| {
            other != id && !b.marks.has(Marks::ABANDONED) && !hidden(b) && b.layout(battle).overlaps(&layout)
        });
        if lies_in_somebody && !hidden(self.body(id)) {
            self.body_mut(id).pose = At::new(battle, self).nearest_room(id, &layout);
        }
    }
}

impl<F: Effects> Run<'_, F> {
    /// Carries out the next inch or turn of a move; false when it is over.
    pub(crate) fn go_on_moving(&mut self) -> bool {
        let Some(id) = self.state.march.unit else { return false };
        let Some(leg) = self.state.march.legs.get(usize::from(self.state.march.leg)).copied() else {
            return false;
        };
        if !self.state.body(id).on_table() {
            return false;
        }
        let from = self.state.body(id).pose;
        let before = self.at().layout(id);
        match leg {
            Leg::Ahead { length, aside } => {
                self.state.advance_march(self.battle, id, length, i32::from(aside))
            }
            Leg::Sidle { length, bearing } => {
                self.state.advance_march(self.battle, id, length, i32::from(bearing))
            }
            _ => {
                self.turn_or_change(id, leg);
                self.state.march.leg += 1;
            }
        }
        self.state.carry_leader(id);
        self.state.mind_the_wall(self.battle, id, &before);
        let side = self.at().side_of(id);
        let unknown = self.at().unknown(side);
        self.ground_tells(id, &before);
        if self.at().unknown(side) != unknown {
            self.go_on_over_known_ground(id, unknown);
        }
        self.state.come_into_view(self.battle, id);
        self.tell(|here| {
            let entry = Entry::new(Kind::March, does(&here.own_name(id), "moves."))
                .side(here.side_of(id))
                .rule(cite!("move.range.b"))
                .piece(piece(id))
                .place(place(from))
                .place(place(here.state.body(id).pose));
            here.if_hidden(id, entry)
        });
        true
    }

    /// Ground has come to light on the way: the rest of the move is paid for as it is.
    fn go_on_over_known_ground(&mut self, id: BodyId, before: u32) {
        let (rest, whole) = self.at().rest_on_known_ground(id, before);
        let march = &mut self.state.march;
        (march.legs, march.leg, march.done) = (rest, 0, 0);
        if !whole {
            self.tell_of(id, Kind::March, "is held up by the ground", cite!("terrain.special.b"));
        }
    }

    fn turn_or_change(&mut self, id: BodyId, leg: Leg) {
        let layout = self.at().layout(id);
        let any = roams(self.state.body(id), layout.shape.formation);
        let turned = slewed(&self.state.march.legs[..=usize::from(self.state.march.leg)]);
        let body = self.state.body_mut(id);
        match leg {
            Leg::Wheel { turn } => {
                body.pose = wheeled(body.pose, layout.extent(), i32::from(turn), false);
                body.marks.set(Marks::MOVED);
            }
            Leg::WheelBack { turn } => {
                body.pose = wheeled(body.pose, layout.extent(), i32::from(turn), true);
                body.marks.set(Marks::MOVED);
            }
            Leg::Face { turn } => {
                let there = faced(&layout, i32::from(turn), any);
                body.pose = there.pose;
                body.shape = there.shape;
                body.marks.set(Marks::MOVED);
            }
            Leg::Form { formation, files } => {
                let shape = Shape::of(formation, self.battle.arm(body), layout.stands, files);
                // A skirmish line that is only thickened stays where it is and fires as it did (late.b).
                let thickened = thickens(self.battle.info(body).late, layout.shape, shape);
                let there = reformed(self.battle.info(body).late, layout, shape);
                body.pose = there.pose;
                body.shape = shape;
                if !thickened {
                    body.marks.set(Marks::MOVED);
                }
                if self.battle.arm(body).is_artillery() {
                    body.marks.set(Marks::LIMBERING);
                }
            }
            Leg::Slew { turn } => {
                let there = layout.rearranged(layout.shape, layout.pose.facing.turned(i32::from(turn)));
                body.pose = there.pose;
                if turned <= 4500 {
                    body.marks.set(Marks::PROLONGED);
                } else {
                    body.marks.clear(Marks::PROLONGED);
                    body.marks.set(Marks::MOVED);
                }
            }
            Leg::Prone => body.marks.set(Marks::PRONE),
            // It costs a quarter of the move and a grade of its fire, and is no move besides (R22).
            Leg::Up => {
                body.marks.clear(Marks::PRONE);
                body.marks.set(Marks::STOOD);
            }
            Leg::Dismount => body.marks.set(Marks::DISMOUNTED.and(Marks::MOVED)),
            Leg::Mount => {
                body.marks.clear(Marks::DISMOUNTED);
                body.marks.set(Marks::MOVED);
            }
            Leg::Hide => {
                body.marks.set(Marks::HIDDEN.and(Marks::LURKING));
                if !self.battle.on.sighting {
                    // Without markers everybody sees where they went (R62).
                    body.marks.set(Marks::SPOTTED);
                }
            }
            Leg::Detach { ahead } => self.detach(id, ahead),
            Leg::Rejoin => self.rejoin(id),
            Leg::Box => self.state.join_box(self.battle, id),
            Leg::Unbox => body.marks.clear(Marks::BOX),
            Leg::Ahead { .. } | Leg::Sidle { .. } => {}
        }
    }

    /// What the ground does to a body that has come there from `before`: unknown ground is uncovered, some ground suppresses
    /// whoever sets foot on it; squares are suppressed by anything but clear ground.
    pub(crate) fn ground_tells(&mut self, id: BodyId, before: &Layout) {
        self.reveal_ground(id);
        let body = self.state.body(id);
        if body.order >= Order::Suppressed || self.battle.areas.is_empty() {
            return;
        }
        let layout = body.layout(self.battle);
        let unknown = self.at().left_out();
        let square = body.shape.formation == Formation::Square && !self.battle.clear_ground(&layout, unknown);
        let rule = match self.battle.suppressing(before, &layout, unknown).map(|ground| ground.kind.as_str())
        {
            _ if square => cite!("basics.formations.b"),
            None => return,
            Some("heavy woods") => cite!("qrs.terrain.a"),
            Some("sheer hill") => cite!("qrs.terrain.b"),
            Some(_) => cite!("qrs.terrain.e"),
        };
        self.state.body_mut(id).order = Order::Suppressed;
        self.tell_of(id, Kind::Loss, "is Suppressed by the ground", rule);
    }

    /// The move is over: skirmishers give way before it (R99), crews man guns.
    pub(crate) fn finish_move(&mut self) {
        let Some(id) = self.state.march.unit.take() else { return };
        self.state.march.legs.clear();
        if self.state.body(id).on_table() {
            self.state.make_room(self.battle, id);
            self.give_way(id);
            self.man_guns(id);
            self.convert_orders();
        }
    }

    /// The move under way goes on, or ends.
    pub(crate) fn march_on(&mut self) {
        if !self.go_on_moving() {
            self.state.agenda.pop();
            self.finish_move();
        } else if self.battle.on.opportunity && !self.state.march.waved {
            self.state.agenda.push(Step::Interrupt);
        }
    }
}
