//! 6.2 and 6.5: the To Hit Chance, term by term, and the dice.

use arrayvec::ArrayVec;
use game::dice::{Die, Test};
use game::{Effects, Modifier, RollNote, Rule};

use crate::at::{At, Run};
use crate::board::spoken;
use crate::setup::battle::Battle;
use crate::setup::ground::{Feature, crossed};
use crate::setup::pieces::Arm;
use crate::state::{Id, NOWHERE};

/// The three kinds of fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FireKind {
    Round,
    Approach,
    Bombardment,
}

/// Why a term counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The target's hex, by the chart's row.
    Base(u8),
    FiringOut(u8),
    Across(Feature),
    /// Artillery fires over water as over land (6.5.4.a); worth nothing, and told as such.
    OverWater(Feature),
    FromHighToLow,
    FirerSurrounded,
    TargetSurrounded,
    ApproachFire,
    InfantryOnGuns,
    InfantryOnCavalry,
    ArtilleryOnCavalry,
    HorseArtilleryOnCavalry,
    CavalryOnInfantry,
    CavalryOnGuns,
    /// Ordinary fire of artillery.
    Canister,
    Range(u8),
    Morale,
    /// By the scenario's rule.
    Exhausted(Rule),
}

impl Reason {
    /// The rule behind it.
    pub(crate) fn rule(self, battle: &Battle) -> Rule {
        match self {
            Reason::Base(row) => match battle.charts.hexes[usize::from(row)].name.as_str() {
                "clear" => cite!("6.5.1.a"),
                "woods" => cite!("6.5.1.b"),
                _ => cite!("6.2.2.b"),
            },
            Reason::FiringOut(_) => cite!("6.5.1.c"),
            Reason::Across(Feature::Creek) => cite!("6.5.2.a"),
            Reason::Across(Feature::Slope | Feature::Escarpment) => cite!("6.5.3.b"),
            Reason::Across(_) => cite!("6.2.2.c"),
            Reason::OverWater(_) => cite!("6.5.4.a"),
            Reason::FromHighToLow => cite!("6.5.3.a"),
            Reason::FirerSurrounded => cite!("6.4.1.b"),
            Reason::TargetSurrounded => cite!("6.4.1.d"),
            Reason::ApproachFire => cite!("6.1.4.c"),
            Reason::InfantryOnGuns => cite!("6.2.2.f"),
            Reason::InfantryOnCavalry => cite!("6.2.2.c"),
            Reason::ArtilleryOnCavalry => cite!("11.1.b"),
            Reason::HorseArtilleryOnCavalry => cite!("11.2.c"),
            Reason::CavalryOnInfantry | Reason::CavalryOnGuns => cite!("11.3.c"),
            Reason::Canister => cite!("6.2.2.e"),
            Reason::Range(1) => cite!("9.2.a"),
            Reason::Range(2) => cite!("9.2.b"),
            Reason::Range(3) => cite!("9.2.c"),
            Reason::Range(_) => cite!("9.2.d"),
            Reason::Morale => cite!("6.2.2.d"),
            Reason::Exhausted(rule) => rule,
        }
    }

    /// In a few words.
    pub(crate) fn words(self, battle: &Battle) -> String {
        let terrain = |row: u8| spoken(&battle.charts.hexes[usize::from(row)].name);
        match self {
            Reason::Base(row) => {
                format!("target in {}", if row == 0 { "the open".to_owned() } else { terrain(row) })
            }
            Reason::FiringOut(row) => format!("firing out of {}", terrain(row)),
            Reason::Across(Feature::Slope) => "up the slope".into(),
            Reason::Across(Feature::Escarpment) => "up the escarpment".into(),
            Reason::Across(Feature::Fortification) => "into the works".into(),
            Reason::Across(feature) => format!("across the {}", spoken(feature.word())),
            Reason::OverWater(feature) => format!("guns fire over the {}", spoken(feature.word())),
            Reason::FromHighToLow => "from higher ground".into(),
            Reason::FirerSurrounded => "the firer is surrounded".into(),
            Reason::TargetSurrounded => "the target is surrounded".into(),
            Reason::ApproachFire => "approach fire".into(),
            Reason::InfantryOnGuns => "infantry on guns".into(),
            Reason::InfantryOnCavalry => "infantry on cavalry".into(),
            Reason::ArtilleryOnCavalry | Reason::HorseArtilleryOnCavalry => "guns on cavalry".into(),
            Reason::CavalryOnInfantry => "cavalry on infantry".into(),
            Reason::CavalryOnGuns => "cavalry on guns".into(),
            Reason::Canister => "guns at close range".into(),
            Reason::Range(hexes) => format!("range {hexes}"),
            Reason::Morale => "the firer's morale".into(),
            Reason::Exhausted(_) => "the firer is exhausted".into(),
        }
    }
}

/// One term of a To Hit Chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Term {
    pub value: i8,
    pub reason: Reason,
}

/// All terms of a To Hit Chance, the base first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chance(ArrayVec<Term, 20>);

impl Chance {
    fn add(&mut self, value: i8, reason: Reason) {
        let _ = self.0.try_push(Term { value, reason });
    }

    /// 6.2.2: the sum, not clamped (R41).
    pub(crate) fn sum(&self) -> i8 {
        self.0.iter().map(|t| t.value).sum()
    }

    /// 6.2.3.b: a natural 1 always hits and a natural 10 never does.
    pub(crate) fn test(&self) -> Test {
        Test::at_most(Die::D10, i16::from(self.sum()).clamp(1, 9))
    }

    /// The terms that count, for people.
    pub(crate) fn modifiers(&self, battle: &Battle) -> Vec<Modifier> {
        self.told(battle, |t| t.value != 0)
    }

    /// What was looked at and is worth nothing.
    pub(crate) fn considered(&self, battle: &Battle) -> Vec<Modifier> {
        self.told(battle, |t| t.value == 0)
    }

    fn told(&self, battle: &Battle, wanted: impl Fn(&Term) -> bool) -> Vec<Modifier> {
        let terms = self.0.iter().filter(|t| wanted(t));
        terms
            .map(|t| Modifier::new(i16::from(t.value), t.reason.words(battle), t.reason.rule(battle)))
            .collect()
    }
}

impl At<'_> {
    /// 6.2.2.c: the To Hit Chance of one unit at another.
    pub(crate) fn to_hit_chance(self, firer: Id, target: Id, kind: FireKind) -> Chance {
        let mut chance = Chance::default();
        let (from, to) = (self.piece(firer).hex, self.piece(target).hex);
        if from == NOWHERE || to == NOWHERE {
            return chance;
        }
        let arm = self.arm_now(firer);
        let situations = &self.battle.charts.situations;
        let row = self.ground().terrain[to.index()];
        chance.add(self.battle.charts.hexes[usize::from(row)].to_hit, Reason::Base(row));
        self.across_the_sides(firer, target, &mut chance);
        if self.is_surrounded(firer) {
            chance.add(situations.firer_surrounded, Reason::FirerSurrounded);
        }
        if self.is_surrounded(target) {
            chance.add(situations.target_surrounded, Reason::TargetSurrounded);
        }
        between_arms(self.battle, arm, self.arm_now(target), &mut chance);
        if self.ground().level[from.index()] > self.ground().level[to.index()] {
            chance.add(situations.from_high_to_low, Reason::FromHighToLow);
        }
        let stand = self.ground().terrain[from.index()];
        let out = self.battle.charts.hexes[usize::from(stand)].firing_out;
        if out != 0 {
            chance.add(out, Reason::FiringOut(stand));
        }
        if arm.has_guns() {
            let range = self.ground().distance(from, to).clamp(1, 4) as u8;
            let reason = if kind == FireKind::Bombardment { Reason::Range(range) } else { Reason::Canister };
            chance.add(self.battle.charts.range[usize::from(range) - 1], reason);
        }
        if kind == FireKind::Approach {
            chance.add(situations.approach_fire, Reason::ApproachFire);
        }
        chance.add(self.unit(firer).morale, Reason::Morale);
        for (change, rule) in self.fatigue_changes(firer) {
            chance.add(change, Reason::Exhausted(rule));
        }
        chance
    }

    /// 6.5.2, 6.5.4: the side of the target's hex that the shot crosses; 6.5.3.b: the height it climbs on its way.
    fn across_the_sides(self, firer: Id, target: Id, chance: &mut Chance) {
        let (from, to) = (self.piece(firer).hex, self.piece(target).hex);
        let ground = self.ground();
        let features = ground.crossed_by_shot(from, to);
        let guns = self.unit(firer).arm.has_guns();
        for feature in crossed(features) {
            let value = self.battle.charts.sides[feature as usize].to_hit;
            let applies = match feature {
                Feature::Slope | Feature::Escarpment => false,
                Feature::Fortification => features.fortified_beyond(),
                _ => value != 0,
            };
            if !applies {
                continue;
            }
            match guns && Feature::WATERS.contains(&feature) {
                true => chance.add(0, Reason::OverWater(feature)),
                false => chance.add(value, Reason::Across(feature)),
            }
        }
        if let Some(edge) = ground.climbed_by_shot(&self.battle.charts, from, to) {
            chance.add(self.battle.charts.sides[edge as usize].to_hit, Reason::Across(edge));
        }
    }
}

impl<F: Effects> Run<'_, F> {
    /// 6.2.2.a: one die for each SP; gives the hits.
    pub(crate) fn roll_fire(&mut self, (firer, target): (Id, Id), points: u8, kind: FireKind) -> u8 {
        let chance = self.at().to_hit_chance(firer, target, kind);
        self.fx.count(points, chance.test(), || {
            let (rule, verb) = match kind {
                FireKind::Round => (cite!("6.2.3.a"), "fires on"),
                FireKind::Approach => (cite!("6.1.4.a"), "fires on the approaching"),
                FireKind::Bombardment => (cite!("6.1.2.b"), "bombards"),
            };
            RollNote::new(format!("{} {}", self.battle.does(firer, verb), self.battle.name(target)), rule)
                .side(self.battle.side(firer))
                .by(firer.piece())
                .at(target.piece())
                .modifiers(chance.modifiers(self.battle))
        })
    }
}

/// The Special Combat Situations between types of unit (R71: always the firer's own).
fn between_arms(battle: &Battle, firer: Arm, target: Arm, chance: &mut Chance) {
    let s = &battle.charts.situations;
    let (value, reason) = match (firer, target) {
        (Arm::Infantry, Arm::Artillery | Arm::HorseArtillery) => (s.infantry_on_guns, Reason::InfantryOnGuns),
        (Arm::Infantry, Arm::Cavalry) => (s.infantry_on_cavalry, Reason::InfantryOnCavalry),
        (Arm::Artillery, Arm::Cavalry) => (s.artillery_on_cavalry, Reason::ArtilleryOnCavalry),
        (Arm::HorseArtillery, Arm::Cavalry) => (s.artillery_on_cavalry, Reason::HorseArtilleryOnCavalry),
        (Arm::Cavalry, Arm::Infantry) => (s.cavalry_on_infantry, Reason::CavalryOnInfantry),
        (Arm::Cavalry, Arm::Artillery | Arm::HorseArtillery) => (s.cavalry_on_guns, Reason::CavalryOnGuns),
        _ => return,
    };
    chance.add(value, reason);
}
