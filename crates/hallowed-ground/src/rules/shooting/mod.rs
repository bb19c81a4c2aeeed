//! Chapter 8: shooting, its dice, modifiers and saving throws.

pub(crate) mod sight;

use game::words::{counted, does};
use game::{Effects, Entry, Kind};
use table::{EPS, INCH};

use crate::field::Field;
use crate::rules::charges::{at, on};
use crate::rules::formations::{Formation, POINT_BLANK, stat};
use crate::rules::morale::{break_if_due, mark_hits};
use crate::rules::rolls::{Mods, piece};
use crate::setup::battle::{Battle, Fits, Flags, Specials, State, UnitId, mounted, no, too_long};

/// A shot ready to be rolled.
#[derive(Debug, Clone)]
pub(crate) struct Volley {
    pub dice: u8,
    /// The natural score each die must reach.
    pub need: i16,
    pub mods: Mods,
    pub cover: bool,
}

impl Volley {
    /// Rolls so many of its dice and counts hits.
    pub(crate) fn roll(
        &self,
        battle: &Battle,
        by: UnitId,
        target: UnitId,
        dice: u8,
        fx: &mut impl Effects,
    ) -> u8 {
        let note = || at(battle, by, target, "shoots at", cite!("8.4.a")).modifiers(self.mods.list());
        fx.count(dice, on(self.need), note)
    }

    /// How many of the hits the target saves (8.6).
    pub(crate) fn saves(&self, battle: &Battle, target: UnitId, hits: u8, fx: &mut impl Effects) -> u8 {
        if hits == 0 {
            return 0;
        }
        let (need, rule) = if self.cover { (5, cite!("8.6.b")) } else { (6, cite!("8.6.a")) };
        let note = || {
            let saved = (0..=hits).map(|n| format!("{n} of {}", counted(hits, "hit")));
            game::RollNote::new(does(&battle.unit(target).name, "saves"), rule)
                .outcomes(saved)
                .side(battle.unit(target).side)
                .by(piece(target))
        };
        fx.count(hits, on(need), note)
    }
}

/// May this unit shoot in its Shooting phase (8.a)?
pub(crate) fn may_shoot(field: &Field<'_>, u: UnitId) -> Fits {
    let unit = field.state.unit(u);
    if !field.state.on_table(u) || field.side(u) != field.state.active {
        return no(cite!("8.a"), "Only units of the active side shoot.");
    }
    if unit.flags.has(Flags::SMOKE) {
        return no(cite!("8.a"), "A unit shoots once.");
    }
    if unit.flags.has(Flags::SILENT) {
        return no(cite!("8.a"), "Its order does not permit shooting this round.");
    }
    if field.state.engaged(u) {
        return no(cite!("8.a"), "A unit engaged in melee does not shoot.");
    }
    if dice_of(field, u, 0) == 0 {
        return no(cite!("8.3.a"), "It has no shooting dice in this formation.");
    }
    Ok(())
}

/// Dice by formation, and for guns by range (8.3).
fn dice_of(field: &Field<'_>, u: UnitId, range: i64) -> u8 {
    let arm = field.battle.unit(u).arm;
    let bands = stat(arm, field.state.unit(u).formation).shooting;
    if range <= POINT_BLANK + EPS {
        bands[0]
    } else if range <= arm.range() * INCH / 2 + EPS {
        bands[1]
    } else {
        bands[2]
    }
}

/// A shot in the Shooting phase.
pub(crate) fn shot(field: &Field<'_>, u: UnitId, target: UnitId) -> Fits<Volley> {
    may_shoot(field, u)?;
    let range = may_be_shot(field, u, target)?;
    Ok(volley(field, u, target, range))
}

/// Whether a unit that may shoot may do so at this target, and its range (8.1, 8.2).
pub(crate) fn may_be_shot(field: &Field<'_>, u: UnitId, target: UnitId) -> Fits<i64> {
    if !field.state.on_table(target) || field.side(target) == field.side(u) {
        return no(cite!("8.b"), "The target must be an enemy unit on the table.");
    }
    if field.state.engaged(target) {
        return no(cite!("8.1.c"), "A unit engaged in melee may not be shot at.");
    }
    let (range, most) = (field.range(u, target), field.battle.unit(u).arm.range());
    if range > most * INCH + EPS {
        let asked = table::div_round(range, table::MIL) as i32;
        return too_long(range_rule(field, u), "The target is out of range.", asked, most as i32 * 1_000);
    }
    if field.is_dark(u, target) {
        return no(cite!("brawners-farm.a"), "At dusk the target is too far away to be seen.");
    }
    if !field.sees(u, target) {
        return no(cite!("8.1.a"), "There is no line of sight to the target.");
    }
    Ok(range)
}

const fn range_rule_of(arm: crate::rules::formations::Arm) -> game::Rule {
    use crate::rules::formations::Arm;
    match arm {
        Arm::Cavalry => cite!("8.2.a"),
        Arm::Infantry => cite!("8.2.b"),
        Arm::LightArtillery => cite!("8.2.c"),
        Arm::RegularArtillery => cite!("8.2.d"),
        Arm::SiegeArtillery => cite!("8.2.e"),
    }
}

fn range_rule(field: &Field<'_>, u: UnitId) -> game::Rule {
    range_rule_of(field.battle.unit(u).arm)
}

/// Defensive fire at a charger at point blank (7.6, R57).
pub(crate) fn defensive_fire(field: &Field<'_>, u: UnitId, charger: UnitId) -> Fits<Volley> {
    if !field.state.on_table(charger) {
        return no(cite!("7.6.a"), "The charger has left the table.");
    }
    if field.state.engaged(u) || dice_of(field, u, 0) == 0 {
        return no(cite!("7.6.b"), "It cannot give defensive fire.");
    }
    let in_front = field.rect(u).arc_of(field.rect(charger).front) == table::Side::Front;
    if !in_front || !field.sees(u, charger) {
        return no(cite!("7.9.c"), "The charger is not in its front arc and sight.");
    }
    Ok(volley(field, u, charger, POINT_BLANK.min(field.range(u, charger))))
}

/// Dice, number to reach and modifiers (8.3 to 8.5).
fn volley(field: &Field<'_>, u: UnitId, target: UnitId, range: i64) -> Volley {
    let (battle, state) = (field.battle, field.state);
    let (shooter, mark) = (state.unit(u), state.unit(target));
    let shelter = field.shelter(u, field.rect(u), target);
    let mut mods = Mods::new();
    mods.when(range <= POINT_BLANK + EPS, 1, "point blank", cite!("8.4.b"));
    let column = matches!(mark.formation, Formation::MarchColumn | Formation::Limbered);
    mods.when(column, 1, "target in march column or limbered", cite!("8.4.c"));
    mods.when(mounted(battle, state, target), 1, "target mounted", cite!("8.4.d"));
    mods.when(battle.unit(u).specials.has(Specials::SHARPSHOOTERS), 1, "Sharpshooters", cite!("8.4.e"));
    mods.when(shooter.flags.has(Flags::MOVED), -1, "shooter moved", cite!("8.4.f"));
    mods.when(mark.formation == Formation::Deployed, -1, "target deployed artillery", cite!("8.4.g"));
    let half = battle.unit(u).arm.range() * INCH / 2;
    mods.when(range > half + EPS, -1, "beyond half range", cite!("8.4.h"));
    mods.when(shelter.cover, -1, "target in cover", cite!("8.4.i"));
    mods.when(shelter.obscured, -1, "target obscured", cite!("8.4.j"));
    mods.when(mounted(battle, state, u), -1, "shooter mounted", cite!("8.4.k"));
    let mut dice = dice_of(field, u, range);
    if shooter.shaken {
        dice = dice.div_ceil(2);
    }
    let (need, halved) = score_needed(3, mods.sum());
    if halved {
        dice = dice.div_ceil(2);
    }
    Volley { dice: dice.max(1), need, mods, cover: shelter.cover }
}

/// The natural score for a base number and a sum of modifiers: never below 2; at 7 or more half the dice, and sixes.
pub(crate) const fn score_needed(base: i16, sum: i16) -> (i16, bool) {
    let need = base - sum;
    if need >= 7 {
        (6, true)
    } else if need <= 2 {
        (2, false)
    } else {
        (need, false)
    }
}

/// Resolves a shot: dice, saves, hits, smoke (8.b).
pub(crate) fn shoot(battle: &Battle, state: &mut State, u: UnitId, target: UnitId, fx: &mut impl Effects) {
    let Ok(volley) = shot(&Field::new(battle, state), u, target) else { return };
    state.unit_mut(u).flags.set(Flags::SMOKE);
    let hits = volley.roll(battle, u, target, volley.dice, fx);
    let unsaved = hits - volley.saves(battle, target, hits, fx);
    fx.tell(|| {
        let text = format!(
            "{} on {} by {}, saves taken off.",
            counted(unsaved, "hit"),
            battle.unit(target).name,
            battle.unit(u).name
        );
        Entry::new(Kind::Fire, text)
            .side(battle.unit(u).side)
            .rule(cite!("8.7.a"))
            .piece(piece(u))
            .piece(piece(target))
    });
    if unsaved > 0 {
        state.unit_mut(target).flags.set(Flags::SHAKY);
        mark_hits(battle, state, target, unsaved, fx);
        break_if_due(battle, state, target, fx);
    }
}
