//! A small evaluation for computer players: points, wear, guns in range, ground held.

use game::Side;
use game::odds::{Fates, Standing};
use table::{INCH, Spot};

use crate::action::{Action, Order};
use crate::at::At;
use crate::field::Field;
use crate::rules::charts::stat;
use crate::rules::end::OBJECTIVE_RADIUS;
use crate::rules::formations::Formation;
use crate::rules::sequence::Step;
use crate::setup::ground::Shape;
use crate::setup::pieces::{Specials, UnitId, piece};
use crate::state::{Flags, State, Whereabouts};

impl At<'_> {
    /// How good a position is for a side, in hundredths of a victory point.
    pub(crate) fn worth(self, side: Side) -> i32 {
        let field = self.field();
        let points = field.score_on();
        let mut worth = 100 * (points[side] - points[!side]);
        for u in field.on_table() {
            let sign = if field.side(u) == side { 1 } else { -1 };
            worth += sign * (field.standing_worth(u) - field.wear(u));
        }
        worth + field.ground_worth(side) - field.ground_worth(!side)
    }
}

impl Field<'_> {
    /// What the objectives promise a side: the more, the nearer its two nearest Steady units are.
    fn ground_worth(&self, side: Side) -> i32 {
        const FAR: i64 = 40 * INCH;
        /// A unit on the spot is as good as this many hundredths of the objective, held or not.
        const PULL: i64 = 40;
        let mut worth = 0;
        for objective in self.battle.objectives.iter().filter(|o| o.points[side] > 0) {
            let mut nearest = [FAR; 2];
            for u in self.of_side(side).filter(|u| !self.state.unit(*u).shaken) {
                let away = (self.rect(u).distance_to(objective.at.pt()) - OBJECTIVE_RADIUS).max(0);
                if away < nearest[0] {
                    nearest = [away, nearest[0]];
                } else {
                    nearest[1] = nearest[1].min(away);
                }
            }
            let near: i64 = nearest.iter().zip([2, 1]).map(|(away, weight)| (FAR - away) * weight).sum();
            worth += i64::from(objective.points[side]) * PULL * near / (3 * FAR);
        }
        worth as i32
    }
}

impl At<'_> {
    /// How every unit and commander stands, for adding up odds.
    pub(crate) fn standings(self) -> Fates {
        let units = self.battle.all_units().map(|u| {
            let unit = self.state.unit(u);
            let (_, break_at) = self.battle.unit(u).arm.morale();
            let on = unit.place == Whereabouts::Table;
            let standing = Standing {
                whole: break_at.saturating_sub(unit.hits),
                hurt: 0,
                lost: unit.hits.min(break_at),
                place: if on { numbered(unit.pose.at, unit.pose.facing.get()) } else { u32::MAX },
                off: !on,
                order: u8::from(on && unit.shaken),
            };
            (piece(u), standing)
        });
        let commanders = self.battle.all_officers().map(|c| {
            let (officer, now) = (self.battle.officer(c), &self.state.commanders[c.i()]);
            let broken = officer.brigade.is_some_and(|b| self.state.brigade_broken(b));
            let place = if now.on_table { numbered(now.at, 0) } else { u32::MAX };
            let (off, order) = (!now.on_table, u8::from(broken));
            (self.battle.commander_piece(c), Standing { whole: 0, hurt: 0, lost: 0, place, off, order })
        });
        units.chain(commanders).collect()
    }
}

/// A place as a number that is equal for equal places, and for others as good as never.
fn numbered(at: Spot, facing: i32) -> u32 {
    (at.x as u32).wrapping_mul(0x9E37_79B1) ^ (at.y as u32).wrapping_mul(0x85EB_CA77) ^ (facing as u32) << 16
}

impl Field<'_> {
    /// What a unit has lost of its value: the nearer to breaking, the more each hit counts.
    fn wear(&self, u: UnitId) -> i32 {
        let unit = self.state.unit(u);
        let arm = self.battle.unit(u).arm;
        let (hits, broken) = (i32::from(unit.hits), i32::from(arm.morale().1));
        let value = if arm.is_artillery() { 200 } else { 300 };
        let mut wear = value * hits * (hits + broken) / (2 * broken * broken);
        if unit.shaken {
            wear += 40;
        }
        wear
    }

    /// What its place and formation promise: fire it can give, an enemy it is near. Measured roughly, from leader point to
    /// centre, for this is looked at a thousand times for one decision.
    fn standing_worth(&self, u: UnitId) -> i32 {
        let (battle, state) = (self.battle, self.state);
        let (unit, rect) = (state.unit(u), self.rect(u));
        let arm = battle.unit(u).arm;
        let dice = stat(arm, unit.formation).shooting;
        let reach = arm.range() * INCH;
        let (mut best, mut nearest) = (0, 60 * INCH);
        for e in self.enemies(u) {
            let range = rect.front.to(self.rect(e).centre) - INCH;
            nearest = nearest.min(range);
            let (aside, ahead) = rect.local(self.rect(e).centre);
            if range > reach || ahead - rect.b < aside.abs() - rect.a {
                continue;
            }
            let fire = if range <= 6 * INCH {
                12 * i32::from(dice[0])
            } else if range <= reach / 2 {
                9 * i32::from(dice[1])
            } else {
                5 * i32::from(dice[2])
            };
            best = best.max(fire);
        }
        let mut worth = best / if unit.shaken { 4 } else { 2 };
        // With nobody to shoot at, nearness to the enemy is what there is.
        worth -= ((nearest - 12 * INCH).max(0) / INCH) as i32;
        if unit.formation == Formation::MarchColumn && nearest < 24 * INCH {
            worth -= 40;
        }
        if self.is_sheltered(u) {
            worth += 15;
        }
        worth
    }

    /// Close behind an obstacle.
    fn is_sheltered(&self, u: UnitId) -> bool {
        let rect = self.rect(u);
        let about = rect.bounds.grown(INCH / 2);
        self.battle.terrain.iter().any(|f| match &f.shape {
            Shape::Line(line) => {
                f.ground.gives_cover() && about.meets(&line.bounds()) && line.distance_to(rect.front) <= INCH
            }
            _ => false,
        })
    }
}

impl At<'_> {
    /// A quick guess at an action, added to what it leads to.
    pub(crate) fn promise(self, action: &Action) -> i32 {
        let At { battle, state } = self;
        let field = At::new(battle, state).field();
        match action {
            Action::Shoot { unit, target } => field.shot(*unit, *target).map_or(0, |v| {
                // Prefer the shots that hit most, and finish what is nearly broken.
                i32::from(v.dice) * i32::from(7 - v.need) / 2 + i32::from(state.unit(*target).hits)
            }),
            Action::Charge { target, by } => field.charge_promise(*target, by),
            Action::Order { unit, order } => match order {
                Order::Rally => 25 * i32::from(state.unit(*unit).shaken) + i32::from(state.unit(*unit).hits),
                Order::Advance { .. } if state.unit(*unit).flags.has(Flags::SMOKE) => 0,
                _ => 0,
            },
            Action::Reroll => 50,
            Action::Pick { unit } => i32::from(state.unit(*unit).hits),
            _ => 0,
        }
    }
}

impl Field<'_> {
    /// A charge is good against the weak and the flanked, with more than one, and when it is likely to go home.
    fn charge_promise(&self, target: UnitId, by: &[UnitId]) -> i32 {
        let Ok(lines) = self.declare(target, by) else { return 0 };
        let mods = i32::from(self.charge_home_mods(&lines).sum());
        let flank = lines.iter().any(|l| l.side != table::Side::Front);
        let weak = self.state.unit(target).shaken || self.state.unit(target).hits >= 12;
        let green = self.battle.unit(target).specials.has(Specials::GREEN);
        -60 + 30 * mods
            + 60 * i32::from(flank)
            + 60 * i32::from(weak)
            + 10 * i32::from(green)
            + 25 * (by.len() as i32 - 1)
            - lines.iter().map(|l| 4 * i32::from(self.state.unit(l.unit).hits)).sum::<i32>()
    }
}

impl At<'_> {
    /// Whether the step at hand surely leaves a choice: charges and shots are asked for only where there is one, and may be
    /// left; of two units that await orders either may have its own first.
    pub(crate) fn is_open(self) -> bool {
        match self.state.agenda.top() {
            Some(Step::Charges | Step::Shooting) => true,
            Some(Step::Orders { brigade }) => {
                let mut waiting = self
                    .battle
                    .all_units()
                    .filter(|u| self.battle.unit(*u).brigade == brigade && self.state.awaits_order(*u));
                waiting.nth(1).is_some()
            }
            _ => false,
        }
    }
}

impl State {
    /// The charge or the melee under way, as a number that stays while it lasts.
    pub(crate) fn affair(&self) -> Option<u32> {
        let charge = self.charge.as_ref().map(|c| 1 + u32::from(c.target.0));
        charge.or_else(|| self.melee.as_ref().and_then(|m| m.units.first()).map(|u| 101 + u32::from(u.0)))
    }
}
