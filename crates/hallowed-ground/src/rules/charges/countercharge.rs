//! Chapter 7.3, countercharge: mounted cavalry that is charged may meet the chargers half way (R53).

use arrayvec::ArrayVec;
use game::Effects;
use table::{Angle, EPS, Pose, Rect, Side as Edge, Size, Way};

use crate::field::Field;
use crate::rules::charges::contact::{engage, finish_charge, stop_short};
use crate::rules::charges::line::{Charger, line_without_sight, passes_difficult};
use crate::rules::charges::{ChargeStep, end, impetus, next, place};
use crate::rules::command::orders_test;
use crate::setup::battle::{Battle, State, UnitId, Units, mounted, rect_of};

/// A countercharge: the charger met, and the poses of both (R53).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting {
    pub charger: Charger,
    pub charger_pose: Pose,
    pub counter_pose: Pose,
}

/// The chargers that the target could meet, the nearest first.
pub(crate) fn countercharge_lines(field: &Field<'_>) -> ArrayVec<Meeting, 8> {
    let mut out = ArrayVec::new();
    let Some(charge) = &field.state.charge else { return out };
    let target = charge.target;
    let unit = field.state.unit(target);
    let allowed = mounted(field.battle, field.state, target)
        && !unit.shaken
        && !field.state.engaged(target)
        && !field.state.brigade_broken(field.battle.unit(target).brigade);
    if !allowed {
        return out;
    }
    for c in charge.active() {
        let ulp = field.rect(c.unit).front;
        if field.rect(target).arc_of(ulp) != Edge::Front || !field.sees(target, c.unit) {
            continue;
        }
        let middle = ulp.middle(c.aim.pt());
        let facing = Angle::of(c.aim.pt() - ulp);
        let charger_pose = Pose { at: middle.spot(), facing };
        let counter_pose = Pose { at: middle.spot(), facing: facing.reversed() };
        let fits = |u: UnitId, pose: Pose| {
            let r = Rect::new(pose, field.rect(u).size());
            let others = field.on_table().filter(|v| *v != c.unit && *v != target);
            field.battle.top.holds(&r)
                && !field.battle.impassable(&r)
                && others.into_iter().all(|v| !r.overlaps(field.rect(v)))
        };
        if fits(c.unit, charger_pose) && fits(target, counter_pose) {
            out.push(Meeting { charger: *c, charger_pose, counter_pose });
        }
    }
    out.sort_unstable_by_key(|m| (m.charger.distance, m.charger.unit));
    out
}

/// The target's owner has decided whether to countercharge (7.3.n, 7.3.o).
pub(crate) fn countercharge(battle: &Battle, state: &mut State, yes: bool, fx: &mut impl Effects) {
    next(state, ChargeStep::Contact);
    let Some(charge) = state.charge.clone() else { return };
    if !yes || !orders_test(battle, state, charge.target, fx) {
        return;
    }
    let Some(meeting) = countercharge_lines(&Field::new(battle, state)).first().copied() else { return };
    let (u, target) = (meeting.charger.unit, charge.target);
    let difficult = {
        let rect = rect_of(battle, state, target);
        let turned = state.unit(target).pose.pivoted(rect.size(), meeting.counter_pose.facing);
        let way = |size: Size| Way::between(&Rect::new(turned, size), &Rect::new(meeting.counter_pose, size));
        let front = Size { depth: EPS / 2, ..rect.size() };
        let end = Rect::new(meeting.counter_pose, rect.size());
        passes_difficult(battle, None, &rect, &[way(rect.size())], &[way(front)], &end)
    };
    place(battle, state, u, meeting.charger_pose, cite!("7.3.o"), fx);
    place(battle, state, target, meeting.counter_pose, cite!("7.3.o"), fx);
    // Both have charged before they meet, so neither defends what lies between them (9.2.e, R72).
    impetus(state, u, meeting.charger.difficult);
    impetus(state, target, difficult);
    engage(battle, state, u, target, Edge::Front, Edge::Front);
    // The others come up to where it stands now, if they still can.
    let mut rest = charge.clone();
    rest.chargers.retain(|c| c.unit != u);
    let group: Units = rest.chargers.iter().map(|c| c.unit).chain([u]).collect();
    for c in rest.chargers.clone() {
        let anew = line_without_sight(&Field::new(battle, state), c.unit, target, &group);
        match anew {
            Ok(line) => {
                if let Some(old) = rest.chargers.iter_mut().find(|x| x.unit == c.unit) {
                    *old = line;
                }
            }
            Err(_) => {
                stop_short(battle, state, &c, fx);
                rest.chargers.retain(|x| x.unit != c.unit);
            }
        }
    }
    if rest.chargers.is_empty() {
        end(state);
        return finish_charge(state, &charge);
    }
    state.charge = Some(rest);
}
