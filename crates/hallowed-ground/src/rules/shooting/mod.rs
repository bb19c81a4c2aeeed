//! Chapter 8: shooting, its dice, modifiers and saving throws.

pub(crate) mod sight;

use arrayvec::ArrayVec;
use game::words::{counted, does};
use game::{Allowed, Effects, Entry, Kind, No, Sum};
use table::{EPS, INCH};

use crate::action::Action;
use crate::at::{At, Run};
use crate::field::Field;
use crate::legal::no;
use crate::rules::charts::{POINT_BLANK, stat};
use crate::rules::formations::{Arm, Formation};
use crate::rules::morale::After;
use crate::rules::rolls::on;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{MAX_UNITS, Specials, UnitId, piece};
use crate::state::{Flags, Marker, State};

/// A shot ready to be rolled.
#[derive(Debug, Clone)]
pub(crate) struct Volley {
    pub dice: u8,
    /// The natural score each die must reach.
    pub need: i16,
    pub mods: Sum,
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
        let note =
            || battle.note_of_roll(by, target, "shoots at", cite!("8.4.a")).modifiers(self.mods.modifiers());
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

impl Field<'_> {
    /// May this unit shoot in its Shooting phase (8.a)?
    pub(crate) fn may_shoot(&self, u: UnitId) -> Allowed {
        let unit = self.state.unit(u);
        if !self.state.on_table(u) || self.side(u) != self.state.active {
            return no(cite!("8.a"), "Only units of the active side shoot.");
        }
        if unit.flags.has(Flags::SMOKE) {
            return no(cite!("8.a"), "A unit shoots once a turn.");
        }
        if unit.flags.has(Flags::SILENT) {
            return match unit.order {
                // A Hold permits it: only the charge home test silences a unit that holds.
                Some(Marker::Hold) => no(cite!("7.3.h"), "Yellow Bellied: it may not shoot this round."),
                _ => no(cite!("8.a"), "Its order does not permit shooting this round."),
            };
        }
        if self.state.engaged(u) {
            return no(cite!("8.a"), "A unit engaged in melee does not shoot.");
        }
        if self.shooting_dice(u, 0) == 0 {
            return no(cite!("8.3.a"), "It has no shooting dice in this formation.");
        }
        Ok(())
    }

    /// Dice by formation, and for guns by range (8.3).
    fn shooting_dice(&self, u: UnitId, range: i64) -> u8 {
        let arm = self.battle.unit(u).arm;
        let bands = stat(arm, self.state.unit(u).formation).shooting;
        if range <= POINT_BLANK + EPS {
            bands[0]
        } else if range <= arm.range() * INCH / 2 + EPS {
            bands[1]
        } else {
            bands[2]
        }
    }

    /// A shot in the Shooting phase.
    pub(crate) fn shot(&self, u: UnitId, target: UnitId) -> Allowed<Volley> {
        self.may_shoot(u)?;
        let range = self.may_be_shot(u, target)?;
        Ok(self.volley(u, target, range))
    }

    /// The volley it would fire at a target from where both stand, whoever's turn it is.
    pub(crate) fn would_shoot(&self, u: UnitId, target: UnitId) -> Allowed<Volley> {
        if self.shooting_dice(u, 0) == 0 {
            return no(cite!("8.3.a"), "It has no shooting dice in this formation.");
        }
        let range = self.may_be_shot(u, target)?;
        Ok(self.volley(u, target, range))
    }

    /// Whether a unit that may shoot may do so at this target, and its range (8.1, 8.2).
    fn may_be_shot(&self, u: UnitId, target: UnitId) -> Allowed<i64> {
        if !self.state.on_table(target) || self.side(target) == self.side(u) {
            return no(cite!("8.b"), "The target must be an enemy unit on the table.");
        }
        if self.state.engaged(target) {
            return no(cite!("8.1.c"), "A unit engaged in melee may not be shot at.");
        }
        let (range, most) = (self.range(u, target), self.battle.unit(u).arm.range());
        if range > most * INCH + EPS {
            let asked = table::div_round(range, table::MIL) as i32;
            return Err(No::long(
                self.range_rule(u),
                "The target is out of range",
                asked,
                most as i32 * 1_000,
            ));
        }
        if self.is_dark(u, target) {
            return no(cite!("brawners-farm.a"), "At dusk the target is too far away to be seen.");
        }
        if !self.sees(u, target) {
            return no(cite!("8.1.a"), "There is no line of sight to the target.");
        }
        Ok(range)
    }
}

const fn range_rule_of(arm: Arm) -> game::Rule {
    use Arm;
    match arm {
        Arm::Cavalry => cite!("8.2.a"),
        Arm::Infantry => cite!("8.2.b"),
        Arm::LightArtillery => cite!("8.2.c"),
        Arm::RegularArtillery => cite!("8.2.d"),
        Arm::SiegeArtillery => cite!("8.2.e"),
    }
}

impl Field<'_> {
    fn range_rule(&self, u: UnitId) -> game::Rule {
        range_rule_of(self.battle.unit(u).arm)
    }

    /// Defensive fire at a charger at point blank (7.6, R57).
    pub(crate) fn defensive_volley(&self, u: UnitId, charger: UnitId) -> Allowed<Volley> {
        if !self.state.on_table(charger) {
            return no(cite!("7.6.a"), "The charger has left the table.");
        }
        if self.state.engaged(u) || self.shooting_dice(u, 0) == 0 {
            return no(cite!("7.6.b"), "It cannot give defensive fire.");
        }
        let in_front = self.rect(u).arc_of(self.rect(charger).front) == table::Side::Front;
        if !in_front || !self.sees(u, charger) {
            return no(cite!("7.9.c"), "The charger is not in its front arc and sight.");
        }
        Ok(self.volley(u, charger, POINT_BLANK.min(self.range(u, charger))))
    }

    /// Dice, number to reach and modifiers (8.3 to 8.5).
    fn volley(&self, u: UnitId, target: UnitId, range: i64) -> Volley {
        let (battle, state) = (self.battle, self.state);
        let (shooter, mark) = (state.unit(u), state.unit(target));
        let shelter = self.shelter(u, self.rect(u), target);
        let mut mods = Sum::new();
        mods.add_if(range <= POINT_BLANK + EPS, 1, "point blank", cite!("8.4.b"));
        let column = matches!(mark.formation, Formation::MarchColumn | Formation::Limbered);
        mods.add_if(column, 1, "target in march column or limbered", cite!("8.4.c"));
        mods.add_if(self.is_mounted(target), 1, "target mounted", cite!("8.4.d"));
        mods.add_if(battle.unit(u).specials.has(Specials::SHARPSHOOTERS), 1, "Sharpshooters", cite!("8.4.e"));
        mods.add_if(shooter.flags.has(Flags::MOVED), -1, "shooter moved", cite!("8.4.f"));
        mods.add_if(mark.formation == Formation::Deployed, -1, "target deployed artillery", cite!("8.4.g"));
        let half = battle.unit(u).arm.range() * INCH / 2;
        mods.add_if(range > half + EPS, -1, "beyond half range", cite!("8.4.h"));
        mods.add_if(shelter.cover, -1, "target in cover", cite!("8.4.i"));
        mods.add_if(shelter.obscured, -1, "target obscured", cite!("8.4.j"));
        mods.add_if(self.is_mounted(u), -1, "shooter mounted", cite!("8.4.k"));
        let mut dice = self.shooting_dice(u, range);
        if shooter.shaken {
            dice = dice.div_ceil(2);
        }
        let (need, halved) = score_needed(3, mods.total());
        if halved {
            dice = dice.div_ceil(2);
        }
        Volley { dice: dice.max(1), need, mods, cover: shelter.cover }
    }
}

/// The modifiers of a volley as rows of a chart.
pub(crate) const fn shooting_rows() -> [(&'static str, i16); 10] {
    [
        ("point blank", 1),
        ("target in march column or limbered", 1),
        ("target mounted", 1),
        ("Sharpshooters", 1),
        ("shooter moved", -1),
        ("target deployed artillery", -1),
        ("beyond half range", -1),
        ("target in cover", -1),
        ("target obscured", -1),
        ("shooter mounted", -1),
    ]
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

impl<F: Effects> Run<'_, F> {
    /// Resolves a shot: dice, saves, hits, smoke (8.b).
    pub(crate) fn shoot(&mut self, u: UnitId, target: UnitId) {
        let Ok(volley) = self.field().shot(u, target) else { return };
        self.state.unit_mut(u).flags.set(Flags::SMOKE);
        let hits = volley.roll(self.battle, u, target, volley.dice, self.fx);
        let unsaved = hits - volley.saves(self.battle, target, hits, self.fx);
        self.fx.tell(|| {
            let text = format!(
                "{} on {} by {}, saves taken off.",
                counted(unsaved, "hit"),
                self.battle.unit(target).name,
                self.battle.unit(u).name
            );
            Entry::new(Kind::Fire, text)
                .side(self.battle.unit(u).side)
                .rule(cite!("8.7.a"))
                .piece(piece(u))
                .piece(piece(target))
        });
        if unsaved > 0 {
            self.state.unit_mut(target).flags.set(Flags::SHAKY);
            self.mark_hits(target, unsaved);
            self.break_if_due(target);
        }
    }
}

impl Field<'_> {
    pub(crate) fn offer_shots(&self, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        for u in self.of_side(self.state.active).filter(|u| self.may_shoot(*u).is_ok()) {
            for target in self.enemies(u) {
                if self.may_be_shot(u, target).is_ok() {
                    out.push(Action::Shoot { unit: u, target });
                }
            }
        }
    }
}

impl At<'_> {
    pub(crate) fn anyone_to_shoot(self) -> bool {
        let field = self.field();
        field
            .of_side(self.state.active)
            .any(|u| field.may_shoot(u).is_ok() && field.enemies(u).any(|e| field.may_be_shot(u, e).is_ok()))
    }

    /// Units that still have to test for the shots of this phase.
    pub(crate) fn shaky(self) -> ArrayVec<UnitId, MAX_UNITS> {
        self.battle
            .all_units()
            .filter(|u| self.state.on_table(*u) && self.state.unit(*u).flags.has(Flags::SHAKY))
            .collect()
    }
}

impl State {
    /// Morale tests at the end of the Shooting phase, in the order their owner chooses (8.6.d, R67).
    pub(crate) fn next_shot_test(&mut self, battle: &Battle) {
        match At::new(battle, self).shaky().first() {
            Some(u) => self.begin_shot_test(*u),
            None => {
                self.agenda.pop();
            }
        }
    }

    pub(crate) fn begin_shot_test(&mut self, u: UnitId) {
        self.unit_mut(u).flags.clear(Flags::SHAKY);
        self.agenda.push(Step::Morale { unit: u, after: After::Shooting });
    }
}
