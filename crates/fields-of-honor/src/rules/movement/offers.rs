//! The sample of moves that a unit is offered.

use arrayvec::ArrayVec;
use game::Side;
use table::{Angle, INCH, MIL};

use crate::action::Action;
use crate::at::At;
use crate::rules::basics::{Arm, Formation, Shape};
use crate::rules::footprints::Footprints;
use crate::rules::movement;
use crate::rules::movement::{Leg, Plan, WHOLE};
use crate::rules::skirmishers::thickens;
use crate::state::{BodyId, Marks, Order, Part};

/// Slants at which a march is offered, in hundredths of a degree.
const SLANTS: [i16; 5] = [0, -2250, 2250, -4500, 4500];

/// Wheels that are offered, in hundredths of a degree.
const WHEELS: [i32; 6] = [-1500, 1500, -3000, 3000, -6000, 6000];

/// The year from which an extended line is among the offers (basics.formations.g).
const EXTENDED_FROM: i64 = 1861;

/// The moves of one body that are worth offering.
struct Moves<'a> {
    at: At<'a>,
    id: BodyId,
    far: bool,
    /// The move without any part: it stands where it stands.
    start: Plan<'a>,
    /// The nearest enemy, the turn towards him and his distance.
    enemy: Option<(i32, i64)>,
    out: &'a mut Vec<Action>,
    /// How many offers there were before this body's.
    before: usize,
}

impl At<'_> {
    /// A well-spread sample of the moves of a body.
    pub(crate) fn offer_moves(self, here: &Footprints, id: BodyId, out: &mut Vec<Action>) {
        let body = self.body(id);
        let side = self.battle.side(body);
        let Some(mine) = here.get(id) else { return };
        let nearest = here.nearest_enemy(side, &mine.layout, &mine.block);
        let far = self.at_charge_rate(id, nearest.map(|(_, distance)| distance));
        let enemy = nearest.map(|(enemy, distance)| {
            let bearing = Angle::of(enemy.block.centre - mine.block.centre);
            (mine.layout.pose.facing.turn_to(bearing), distance)
        });
        let start = Plan::new(self, here, id, far);
        let before = out.len();
        let mut moves = Moves { at: self, id, far, start, enemy, out, before };
        if body.marks.has(Marks::HALT) {
            for turn in [9000, -9000, 18_000] {
                moves.one(Leg::Face { turn });
            }
        } else if self.battle.arm(body).is_artillery() && body.shape.formation == Formation::Unlimbered {
            moves.of_guns();
        } else if body.marks.has(Marks::PRONE) {
            moves.one(Leg::Up);
            let rate = moves.rate(body.shape.formation);
            for aside in SLANTS {
                for eighths in [6, 3] {
                    moves.both(Leg::Up, ahead(rate * eighths / 8, aside));
                }
            }
            for formation in [Formation::Extended, Formation::Line] {
                if thickens(self.battle.info(body).late, body.shape, Shape { formation, ..body.shape }) {
                    moves.one(Leg::Form { formation, files: 0 });
                }
            }
        } else {
            moves.of_all_kinds();
        }
    }

    /// The moves of a side, and who of it may march off the table.
    pub(crate) fn offer_all_moves(self, side: Side, out: &mut Vec<Action>) {
        let here = self.footprints();
        for (id, body) in self.state.on_table() {
            if self.battle.side(body) == side && self.can_be_moved(id) {
                self.offer_moves(&here, id, out);
                if self.may_leave(id).is_ok() {
                    out.push(Action::Leave(id));
                }
            }
        }
    }
}

impl<'a> Moves<'a> {
    fn rate(&self, formation: Formation) -> i64 {
        self.at.move_rate(self.id, formation, self.far)
    }

    /// Offers a move that goes on from another by one part, if that is legal.
    fn on(&mut self, from: &Plan<'a>, leg: Leg) {
        let mut plan = from.clone();
        if plan.go_on(leg).is_ok() {
            self.offer(&plan);
        }
    }

    /// Offers a move of one part.
    fn one(&mut self, leg: Leg) {
        let mut plan = self.start.clone();
        if plan.go_on(leg).is_ok() {
            self.offer(&plan);
        }
    }

    /// Offers a move of one part unless it is among the offers already.
    fn once(&mut self, leg: Leg) {
        let known = |a: &Action| matches!(a, Action::Move { legs, .. } if legs.as_slice() == [leg]);
        if !self.out[self.before..].iter().any(known) {
            self.one(leg);
        }
    }

    /// Offers a move of one part and leaves in `plan` what it leads to; false if it is illegal.
    fn alone(&mut self, leg: Leg, plan: &mut Plan<'a>) -> bool {
        plan.clone_from(&self.start);
        plan.go_on(leg).is_ok() && self.offer(plan)
    }

    fn both(&mut self, first: Leg, second: Leg) {
        let mut halfway = self.start.clone();
        if halfway.go_on(first).is_ok() {
            self.on(&halfway, second);
        }
    }

    /// Offers a move if it may end where it does.
    fn offer(&mut self, plan: &Plan<'_>) -> bool {
        let ends = plan.ends().is_ok();
        if ends {
            self.out.push(Action::Move { unit: self.id, legs: plan.legs().clone() });
        }
        ends
    }

    fn of_guns(&mut self) {
        for turn in [-4500, -2000, 2000, 4500, 9000, -9000, 18_000] {
            self.one(Leg::Slew { turn });
        }
        let limber = Leg::Form { formation: Formation::Limbered, files: 0 };
        self.one(limber);
        self.both(limber, ahead(self.rate(Formation::Limbered) / 2, 0));
    }

    fn of_all_kinds(&mut self) {
        let body = self.at.state.body(self.id);
        if body.part == Part::Skirmishers {
            self.one(Leg::Rejoin);
        }
        let budget = movement::allowance(body.marks);
        let whole = table::mul_div(self.rate(body.shape.formation), budget, WHOLE);
        self.marches(whole);
        self.turns(whole);
        if !body.skirmishing() {
            let length = if body.mounted(self.at.battle) { 2000 } else { 1000 };
            for bearing in [9000, -9000, 18_000] {
                self.one(Leg::Sidle { length, bearing });
            }
        }
        self.forms(budget);
        self.changes();
    }

    /// Full, half and quarter moves, slantwise too, all round for those who may.
    fn marches(&mut self, whole: i64) {
        let body = self.at.state.body(self.id);
        let roams = movement::roams(body, body.shape.formation);
        let slants: &[i16] =
            if roams { &[0, 4500, 9000, 13_500, 18_000, -4500, -9000, -13_500] } else { &SLANTS };
        for aside in slants {
            let mut last = None;
            for quarters in [4, 3, 2, 1] {
                let march = ahead(whole * quarters / 4, *aside);
                if last != Some(march) {
                    self.one(march);
                }
                last = Some(march);
            }
        }
        // Straight at the nearest enemy, up to short range or as near as the move goes.
        if let Some((turn, distance)) = self.enemy
            && (roams || turn.abs() <= 4500)
        {
            let stop = self.at.battle.info(body).weapon.ranges[0].max(INCH / 2);
            self.once(ahead((distance - stop).clamp(0, whole), turn as i16));
        }
    }

    /// Wheels with the rest of the move after them, facings.
    fn turns(&mut self, whole: i64) {
        let layout = self.at.state.body(self.id).layout(self.at.battle);
        let width = layout.extent().width;
        let loose = matches!(
            layout.shape.formation,
            Formation::MarchColumn | Formation::Limbered | Formation::Skirmish
        );
        let mut wheeled = self.start.clone();
        let to_enemy = self.enemy.map(|(turn, _)| turn);
        let to_enemy = to_enemy.filter(|turn| turn.abs() > 200 && !WHEELS.contains(turn));
        for turn in WHEELS.into_iter().chain(to_enemy) {
            let spent = if loose { 0 } else { Angle::arc(turn, width) };
            if spent > whole {
                continue;
            }
            let rest = whole - spent - 2 * MIL;
            if self.alone(Leg::Wheel { turn: turn as i16 }, &mut wheeled) && rest > INCH / 4 {
                self.on(&wheeled, ahead(rest, 0));
                self.on(&wheeled, ahead(rest / 2, 0));
            }
        }
        for turn in [18_000, 9000, -9000] {
            self.one(Leg::Face { turn });
        }
    }

    /// Changes of formation, alone and with the rest of the move.
    fn forms(&mut self, budget: i64) {
        let body = self.at.state.body(self.id);
        let stands = body.fighting(self.at.battle);
        let now = body.shape;
        let info = self.at.battle.info(body);
        let cost = self.at.change_cost(self.id);
        let mut forms: ArrayVec<(Formation, u8), 8> = ArrayVec::new();
        if self.at.battle.arm(body) == Arm::Infantry && (info.late || self.at.battle.year >= EXTENDED_FROM) {
            forms.push((Formation::Extended, 0));
        }
        if self.at.battle.arm(body).is_artillery() {
            forms.push((Formation::Unlimbered, 0));
        } else {
            forms.push((Formation::Line, stands));
            if stands > 3 {
                forms.push((Formation::Line, stands.div_ceil(2)));
                forms.push((Formation::AttackColumn, 2));
            }
            forms.push((Formation::MarchColumn, 0));
            forms.push((Formation::Skirmish, 0));
            forms.push((Formation::Square, 0));
            if self.at.battle.on.forts && self.at.wall_of(self.id).is_some() {
                self.once(ahead(self.at.battle.arm(body).stand().depth, 0));
            }
        }
        let mut formed = self.start.clone();
        for (formation, files) in forms {
            let same = now.formation == formation && (files == 0 || files == now.files.min(stands));
            if same || cost > budget {
                continue;
            }
            let rest = table::mul_div(self.rate(formation), budget - cost, WHOLE) - MIL;
            if self.alone(Leg::Form { formation, files }, &mut formed)
                && formation != Formation::Unlimbered
                && rest > INCH / 4
            {
                self.on(&formed, ahead(rest, 0));
            }
        }
    }

    /// Lying down, mounting, hiding, detaching, boxes.
    fn changes(&mut self) {
        let (battle, body) = (self.at.battle, self.at.state.body(self.id));
        if battle.on.prone {
            self.one(Leg::Prone);
        }
        if battle.arm(body) == Arm::Cavalry {
            self.one(if body.mounted(battle) { Leg::Dismount } else { Leg::Mount });
        }
        if body.order == Order::Good {
            self.one(Leg::Hide);
        }
        if battle.on.skirmish && battle.info(body).skirmish && body.part == Part::Main {
            self.one(Leg::Detach { ahead: 1000 });
        }
        if battle.on.boxes {
            self.one(if body.marks.has(Marks::BOX) { Leg::Unbox } else { Leg::Box });
        }
    }
}

/// A march in whole quarters of an inch, as a ruler measures them; a shorter one to the thousandth.
fn ahead(length: i64, aside: i16) -> Leg {
    const QUARTER: i64 = INCH / 4;
    let length = if length > QUARTER { length - length % QUARTER } else { length };
    Leg::Ahead { length: (length / MIL) as i32, aside }
}
