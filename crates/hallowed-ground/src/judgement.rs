//! What computer players think of a position and an action: points, wear, guns in range, ground held; and what adding
//! up odds needs to know.

use game::Side;
use game::odds::{Fates, Standing};
use table::{INCH, Spot};

use crate::action::{Action, Order};
use crate::at::At;
use crate::field::Field;
use crate::rules::charts::{POINT_BLANK, stat};
use crate::rules::end::OBJECTIVE_RADIUS;
use crate::rules::formations::Formation;
use crate::rules::sequence::Step;
use crate::setup::ground::Shape;
use crate::setup::pieces::{Specials, UnitId, piece};
use crate::state::{State, Whereabouts};

// The weights, in hundredths of a victory point unless something else is said.

/// What a victory point is worth.
const POINT: i32 = 100;
/// Beyond this an objective attracts nobody.
const OBJECTIVE_FAR: i64 = 40 * INCH;
/// A unit on the spot is as good as this many hundredths of the objective, held or not.
const OBJECTIVE_PULL: i64 = 40;
/// What a unit loses on its way to breaking.
const TROOPS_VALUE: i32 = 300;
const GUNS_VALUE: i32 = 200;
const SHAKEN: i32 = 40;
/// Each shooting die that has a target: at point blank, to half range, beyond.
const FIRE: [i32; 3] = [12, 9, 5];
/// Being in column this near to an enemy.
const COLUMN_NEAR_ENEMY: i32 = 40;
const COLUMN_DANGER: i64 = 24 * INCH;
const SHELTER: i32 = 15;
/// An enemy this near is near enough; farther off, each inch costs a hundredth.
const NEAR_ENOUGH: i64 = 12 * INCH;
/// With no enemy on the table.
const NOWHERE_NEAR: i64 = 60 * INCH;
/// Rallying a unit that is Shaken.
const RALLY_SHAKEN: i32 = 25;
const REROLL: i32 = 50;
/// A charge, and what speaks for it and against it.
const CHARGE: i32 = -60;
const CHARGE_MODIFIER: i32 = 30;
const CHARGE_FLANK: i32 = 60;
const CHARGE_WEAK: i32 = 60;
/// A target with so many hits is weak.
const WEAK_HITS: u8 = 12;
const CHARGE_GREEN: i32 = 10;
const CHARGE_COMPANION: i32 = 25;
const CHARGER_HIT: i32 = 4;

impl At<'_> {
    /// How good a position is for a side, in hundredths of a victory point.
    pub(crate) fn worth(self, side: Side) -> i32 {
        let field = self.field();
        let points = field.score_on();
        let mut worth = POINT * (points[side] - points[!side]);
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
        let mut worth = 0;
        for objective in self.battle.objectives.iter().filter(|o| o.points[side] > 0) {
            let mut nearest = [OBJECTIVE_FAR; 2];
            for u in self.of_side(side).filter(|u| !self.state.unit(*u).shaken) {
                let away = (self.rect(u).distance_to(objective.at.pt()) - OBJECTIVE_RADIUS).max(0);
                if away < nearest[0] {
                    nearest = [away, nearest[0]];
                } else {
                    nearest[1] = nearest[1].min(away);
                }
            }
            let near: i64 =
                nearest.iter().zip([2, 1]).map(|(away, weight)| (OBJECTIVE_FAR - away) * weight).sum();
            worth += i64::from(objective.points[side]) * OBJECTIVE_PULL * near / (3 * OBJECTIVE_FAR);
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
        let value = if arm.is_artillery() { GUNS_VALUE } else { TROOPS_VALUE };
        let mut wear = value * hits * (hits + broken) / (2 * broken * broken);
        if unit.shaken {
            wear += SHAKEN;
        }
        wear
    }

    /// What its place and formation promise: fire it can give, an enemy it is near. Measured roughly, from leader point
    /// to centre, for this is looked at a thousand times for one decision.
    fn standing_worth(&self, u: UnitId) -> i32 {
        let (battle, state) = (self.battle, self.state);
        let (unit, rect) = (state.unit(u), self.rect(u));
        let arm = battle.unit(u).arm;
        let dice = stat(arm, unit.formation).shooting;
        let reach = arm.range() * INCH;
        let (mut best, mut nearest) = (0, NOWHERE_NEAR);
        for e in self.enemies(u) {
            let range = rect.front.to(self.rect(e).centre) - INCH;
            nearest = nearest.min(range);
            let (aside, ahead) = rect.local(self.rect(e).centre);
            if range > reach || ahead - rect.b < aside.abs() - rect.a {
                continue;
            }
            let band = if range <= POINT_BLANK {
                0
            } else if range <= reach / 2 {
                1
            } else {
                2
            };
            best = best.max(FIRE[band] * i32::from(dice[band]));
        }
        let mut worth = best / if unit.shaken { 4 } else { 2 };
        // With nobody to shoot at, nearness to the enemy is what there is.
        worth -= ((nearest - NEAR_ENOUGH).max(0) / INCH) as i32;
        if unit.formation == Formation::MarchColumn && nearest < COLUMN_DANGER {
            worth -= COLUMN_NEAR_ENEMY;
        }
        if self.is_sheltered(u) {
            worth += SHELTER;
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
        let state = self.state;
        match action {
            Action::Shoot { unit, target } => self.field().shot(*unit, *target).map_or(0, |v| {
                // Prefer the shots that hit most, and finish what is nearly broken.
                i32::from(v.dice) * i32::from(7 - v.need) / 2 + i32::from(state.unit(*target).hits)
            }),
            Action::Charge { target, by } => self.field().charge_promise(*target, by),
            Action::Order { unit, order: Order::Rally } => {
                let unit = state.unit(*unit);
                RALLY_SHAKEN * i32::from(unit.shaken) + i32::from(unit.hits)
            }
            Action::Reroll => REROLL,
            Action::Pick { unit } => i32::from(state.unit(*unit).hits),
            _ => 0,
        }
    }
}

impl Field<'_> {
    /// A charge is good against the weak and the flanked, with more than one, and when it is likely to go home.
    fn charge_promise(&self, target: UnitId, by: &[UnitId]) -> i32 {
        let Ok(lines) = self.declare(target, by) else { return 0 };
        let mods = i32::from(self.charge_home_mods(&lines).total());
        let flank = lines.iter().any(|l| l.side != table::Side::Front);
        let weak = self.state.unit(target).shaken || self.state.unit(target).hits >= WEAK_HITS;
        let green = self.battle.unit(target).specials.has(Specials::GREEN);
        CHARGE
            + CHARGE_MODIFIER * mods
            + CHARGE_FLANK * i32::from(flank)
            + CHARGE_WEAK * i32::from(weak)
            + CHARGE_GREEN * i32::from(green)
            + CHARGE_COMPANION * (by.len() as i32 - 1)
            - lines.iter().map(|l| CHARGER_HIT * i32::from(self.state.unit(l.unit).hits)).sum::<i32>()
    }
}

impl At<'_> {
    /// Whether the step at hand surely leaves a choice: charges and shots are asked for only where there is one, and
    /// may be left; of two units that await orders either may have its own first.
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
