//! Changes of formation and facing: which are allowed, what they cost, where they lead (basics.formations,
//! move.wheel).

use game::{Allowed, No};
use table::{Angle, MIL, Pose};

use super::WHOLE;
use crate::at::At;
use crate::cite;
use crate::rules::basics::{Arm, Formation, Layout};
use crate::rules::charts::Rating;
use crate::state::BodyId;

impl At<'_> {
    /// What a change of formation or facing costs (qrs.rates.g, move.wheel.a, personality.f).
    pub(crate) fn change_cost(self, id: BodyId) -> i64 {
        let body = self.body(id);
        let quick = match self.battle.arm(body) {
            Arm::Cavalry => true,
            Arm::Infantry => self.battle.info(body).morale <= Rating::C,
            _ => false,
        };
        if quick || self.is_drilled(id) { WHOLE / 4 } else { WHOLE / 2 }
    }

    /// Which formations a body may take (basics.formations, G54-G56).
    pub(crate) fn may_form(self, id: BodyId, layout: &Layout, formation: Formation, files: u8) -> Allowed {
        let body = self.body(id);
        let info = self.battle.info(body);
        let arm = self.battle.arm(body);
        let stands = layout.stands;
        let no = |rule, why| Err(No::new(rule, why));
        if arm.is_artillery() != matches!(formation, Formation::Limbered | Formation::Unlimbered) {
            return no(cite!("move.wheel.a"), "that is a formation of another arm");
        }
        match formation {
            Formation::Extended if arm != Arm::Infantry => {
                no(cite!("basics.formations.g"), "only infantry forms an extended line")
            }
            Formation::Square if arm != Arm::Infantry => {
                no(cite!("charge.defender.c"), "only infantry forms square")
            }
            Formation::Square if body.shape.formation.is_loose() => {
                no(cite!("basics.formations.e"), "skirmishers and mobs do not form square")
            }
            Formation::AttackColumn if !self.battle.row.attack_columns => {
                no(cite!("basics.ratings.b"), "at company scale there are no attack columns")
            }
            Formation::AttackColumn
                if arm != Arm::Infantry || stands < 4 || (files > 0 && (files < 2 || files > stands / 2)) =>
            {
                no(
                    cite!("move.wheel.a"),
                    "an attack column is 2 to half its stands wide, two ranks deep at least",
                )
            }
            Formation::Line if files > 0 && (files > stands || stands.div_ceil(files) > 2) => {
                no(cite!("move.wheel.a"), "a line is two ranks deep at the most")
            }
            Formation::Skirmish if !info.skirmish || !self.battle.on.skirmish => {
                no(cite!("skirmish.a"), "the scenario does not let this unit skirmish")
            }
            _ => self.may_be_in_column(id, formation),
        }
    }
}

/// The pose after a wheel about a front corner; backwards the far end goes to the rear.
pub(crate) fn wheeled(pose: Pose, size: table::Size, turn: i32, back: bool) -> Pose {
    if !back {
        return pose.wheeled(size, turn);
    }
    // Backwards and clockwise the body hinges on its left corner.
    let facing = pose.facing.turned(turn);
    let half = size.width / 2;
    let arm = |a: Angle| if turn >= 0 { a.dir().left().times(half) } else { a.dir().right().times(half) };
    let mut there = pose.shifted(arm(pose.facing) - arm(facing));
    there.facing = facing;
    there
}

/// The stands after facing: turned in place, or the whole about its middle where direction is free.
pub(super) fn faced(layout: &Layout, turn: i32, any: bool) -> Layout {
    let facing = layout.pose.facing.turned(turn);
    let mut shape = layout.shape;
    let quarter = turn.rem_euclid(18_000) != 0;
    if quarter
        && !any
        && !matches!(shape.formation, Formation::Mob | Formation::MarchColumn | Formation::Limbered)
    {
        let depth = (layout.size.depth / MIL) as u16;
        shape.files = layout.ranks();
        (shape.pitch, shape.gap) = (layout.shape.gap.max(1000), layout.shape.pitch.max(depth));
    }
    layout.rearranged(shape, facing)
}
