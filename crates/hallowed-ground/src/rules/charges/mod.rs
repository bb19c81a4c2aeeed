//! Chapter 7: a charge at one target, from its declaration to the charge home test (procedure P1); what follows it is
//! in `countercharge`, `defensive_fire` and `contact`.

pub(crate) mod contact;
pub(crate) mod countercharge;
pub(crate) mod defensive_fire;
pub(crate) mod line;

use arrayvec::ArrayVec;
use game::words::{does, number};
use game::{Die, Effects, Entry, Kind, RollNote, Side, Test};
use serde::{Deserialize, Serialize};
use table::{Pose, Rect, Way};

use crate::board::prompt::charge_words;
use crate::field::Field;
use crate::rules::charges::countercharge::countercharge_lines;
use crate::rules::charges::line::{
    Charger, declare, last_stand, stopped_by_friend, stopped_by_zone, supports_of, to_point_blank,
};
use crate::rules::command::maneuvers::rate;
use crate::rules::command::roads::shift_unit;
use crate::rules::command::{orders_test, twelves};
use crate::rules::commanders::{evade, follow};
use crate::rules::formations::{Formation, POINT_BLANK};
use crate::rules::rolls::{Mods, piece, two_dice};
use crate::rules::sequence::Step;
use crate::setup::battle::{Battle, Flags, Marker, Specials, State, UnitId, mounted, rect_of};

/// The charge under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Charge {
    pub target: UnitId,
    /// Infantry beside charged guns (7.7.c).
    pub support: Option<UnitId>,
    pub chargers: ArrayVec<Charger, 8>,
    /// The modified charge home roll.
    pub result: i16,
    pub breakthrough: bool,
    /// Who has fired: the target, the support.
    pub fired: (bool, bool),
    /// Odd hits or dice still to be placed by the defender.
    pub odd: u8,
    /// The volley divides dice, not hits (R58).
    pub by_dice: bool,
}

impl Charge {
    pub fn side(&self, battle: &Battle) -> Side {
        self.chargers.first().map_or(Side::First, |c| battle.unit(c.unit).side)
    }

    pub fn active(&self) -> impl Iterator<Item = &Charger> {
        self.chargers.iter().filter(|c| !c.out)
    }

    fn involved(&self) -> ArrayVec<UnitId, 12> {
        let mut out: ArrayVec<UnitId, 12> = self.chargers.iter().map(|c| c.unit).collect();
        out.push(self.target);
        out.extend(self.support);
        out
    }
}

/// The steps of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ChargeStep {
    /// Two infantry units beside charged guns are equally close: their owner names the one that supports (R61).
    Supports,
    Orders,
    Home,
    /// The target may countercharge: its owner decides.
    Countercharge,
    PointBlank,
    /// Finds who fires next.
    Volleys,
    /// Two units may fire: their owner names the first.
    WhoFires,
    Fire {
        shooter: UnitId,
    },
    /// The defender places what does not divide evenly.
    Odd {
        shooter: UnitId,
    },
    Saves {
        shooter: UnitId,
    },
    Tests,
    Contact,
}

/// Declares a charge (7.2); the declaration has been checked.
pub(crate) fn begin(
    battle: &Battle,
    state: &mut State,
    target: UnitId,
    by: &[UnitId],
    fx: &mut impl Effects,
) {
    let Ok(chargers) = declare(&Field::new(battle, state), target, by) else { return };
    state.charged |= 1 << target.0;
    start(battle, state, target, chargers, false, fx);
}

/// Sets a charge going, from an order or as a breakthrough.
pub(crate) fn start(
    battle: &Battle,
    state: &mut State,
    target: UnitId,
    chargers: ArrayVec<Charger, 8>,
    breakthrough: bool,
    fx: &mut impl Effects,
) {
    let Some(lead) = chargers.first().copied() else { return };
    let field = Field::new(battle, state);
    let supports = supports_of(&field, target, field.rect(lead.unit).front, lead.aim.pt());
    fx.tell(|| {
        let names: Vec<&str> = chargers.iter().map(|c| battle.unit(c.unit).name.as_str()).collect();
        let text = format!("{} {}.", charge_words(&names), battle.unit(target).name);
        let mut entry = Entry::new(Kind::Melee, text).side(battle.unit(lead.unit).side).rule(cite!("7.a"));
        for c in &chargers {
            entry = entry.piece(piece(c.unit));
        }
        entry.piece(piece(target))
    });
    state.charge = Some(Charge {
        target,
        support: supports.first().copied(),
        chargers,
        result: 0,
        breakthrough,
        fired: (false, false),
        odd: 0,
        by_dice: false,
    });
    state.agenda.push(Step::Charge(if breakthrough { ChargeStep::Home } else { ChargeStep::Orders }));
    if supports.len() > 1 {
        state.agenda.push(Step::Charge(ChargeStep::Supports));
    }
}

/// The units among which the owner of charged guns chooses their support.
pub(crate) fn rival_supports(field: &Field<'_>) -> ArrayVec<UnitId, 2> {
    let lead = field.state.charge.as_ref().and_then(|c| c.chargers.first().map(|lead| (c.target, lead)));
    lead.map_or_else(ArrayVec::new, |(target, lead)| {
        supports_of(field, target, field.rect(lead.unit).front, lead.aim.pt())
    })
}

/// The owner of the guns has named their support.
pub(crate) fn supported_by(state: &mut State, unit: UnitId) {
    state.agenda.pop();
    if let Some(charge) = &mut state.charge {
        charge.support = Some(unit);
    }
}

/// Runs a step that needs no decision.
pub(crate) fn run(battle: &Battle, state: &mut State, step: ChargeStep, fx: &mut impl Effects) {
    let Some(charge) = state.charge.clone() else {
        state.agenda.pop();
        return;
    };
    match step {
        ChargeStep::Orders => orders(battle, state, charge, fx),
        ChargeStep::Home => charge_home(battle, state, charge, fx),
        ChargeStep::PointBlank => defensive_fire::point_blank(battle, state, &charge, fx),
        ChargeStep::Volleys => defensive_fire::volleys(battle, state),
        ChargeStep::Fire { shooter } => defensive_fire::fire(battle, state, charge, shooter, fx),
        ChargeStep::Saves { shooter } => defensive_fire::saves(battle, state, charge, shooter, fx),
        ChargeStep::Tests => defensive_fire::tests(battle, state),
        ChargeStep::Contact => contact::close_in(battle, state, &charge, fx),
        ChargeStep::Supports | ChargeStep::Countercharge | ChargeStep::WhoFires | ChargeStep::Odd { .. } => {}
    }
}

pub(crate) fn end(state: &mut State) {
    state.agenda.pop();
    state.charge = None;
}

pub(crate) fn next(state: &mut State, step: ChargeStep) {
    state.agenda.replace(Step::Charge(step));
}

/// P1, step 3: who fails holds and leaves the group.
fn orders(battle: &Battle, state: &mut State, mut charge: Charge, fx: &mut impl Effects) {
    for c in &mut charge.chargers {
        let obeys = orders_test(battle, state, c.unit, fx);
        c.out = !obeys;
        let unit = state.unit_mut(c.unit);
        unit.flags.set(Flags::ORDERED);
        unit.order = Some(if obeys { Marker::Charge } else { Marker::Hold });
        if obeys {
            unit.flags.set(Flags::SILENT);
        }
    }
    charge.chargers.retain(|c| !c.out);
    let over = charge.chargers.is_empty();
    if over {
        // Nobody obeyed, so nobody has charged: the target is still open to others (R41).
        state.charged &= !(1 << charge.target.0);
    }
    state.charge = Some(charge);
    if over { end(state) } else { next(state, ChargeStep::Home) }
}

/// The modifiers of the charge home test: each once for the group (7.3, 7.9.b, R101).
pub(crate) fn charge_home_mods(field: &Field<'_>, chargers: &[Charger]) -> Mods {
    let any = |test: &dyn Fn(UnitId) -> bool| chargers.iter().any(|c| test(c.unit));
    let special = |bit: u8| move |u: UnitId| field.battle.unit(u).specials.has(bit);
    let mut mods = Mods::new();
    mods.when(any(&|u| field.state.has_commander(u)), 1, "commander attached", cite!("7.3.b"));
    let yells = |u: UnitId| {
        field.battle.armies[field.side(u)].confederate
            && field.battle.unit(u).arm == crate::rules::formations::Arm::Infantry
    };
    mods.when(any(&yells), 1, "Rebel Yell", cite!("7.3.c"));
    mods.when(any(&special(Specials::ELITE)), 1, "Elite", cite!("7.3.d"));
    mods.when(any(&special(Specials::GREEN)), -1, "Green", cite!("7.3.e"));
    let far = chargers.iter().map(|c| twelves(field, c.unit)).max().unwrap_or(0);
    mods.when(true, -far, "each 12 in from the brigade commander", cite!("7.3.f"));
    mods.when(chargers.iter().any(|c| c.difficult), -1, "through difficult terrain", cite!("7.3.g"));
    mods
}

/// P1, steps 4 to 8.
fn charge_home(battle: &Battle, state: &mut State, mut charge: Charge, fx: &mut impl Effects) {
    let Some(lead) = charge.chargers.first().map(|c| c.unit) else { return end(state) };
    let mods = charge_home_mods(&Field::new(battle, state), &charge.chargers);
    let result = two_dice(fx, battle, lead, "charge home test", &mods, cite!("7.3.a")) + mods.sum();
    charge.result = result;
    let band = match result {
        ..=2 => ("Yellow Bellied", cite!("7.3.h")),
        3..=6 => ("Forward Men", cite!("7.3.i")),
        7..=10 => ("Charge", cite!("7.3.k")),
        _ => ("Determined Charge", cite!("7.3.l")),
    };
    fx.tell(|| {
        let text = format!(
            "{}: the charge home test comes to {}, {}.",
            battle.unit(lead).name,
            number(result),
            band.0
        );
        Entry::new(Kind::Check, text).rule(band.1).piece(piece(lead))
    });
    if result <= 2 {
        for c in &charge.chargers {
            let unit = state.unit_mut(c.unit);
            unit.shaken = true;
            unit.order = Some(Marker::Hold);
            unit.flags.set(Flags::SILENT);
        }
        return end(state);
    }
    stop_at_zones(battle, state, &mut charge, fx);
    if result <= 6 {
        for c in &charge.chargers {
            forward_men(battle, state, c, &charge, fx);
        }
        return end(state);
    }
    stop_at_friends(battle, state, &mut charge, fx);
    if charge.chargers.is_empty() {
        return end(state);
    }
    let target = charge.target;
    state.charge = Some(charge);
    if mounted(battle, state, target) {
        let open = !countercharge_lines(&Field::new(battle, state)).is_empty();
        next(state, if open { ChargeStep::Countercharge } else { ChargeStep::Contact });
    } else if state.unit(target).formation == Formation::Limbered {
        next(state, ChargeStep::Contact);
    } else {
        next(state, ChargeStep::PointBlank);
    }
}

/// P1, step 6: those whose way crosses another enemy's front stop before it, an Advance (R50).
fn stop_at_zones(battle: &Battle, state: &mut State, charge: &mut Charge, fx: &mut impl Effects) {
    let involved = charge.involved();
    let stops: ArrayVec<Option<i32>, 8> = {
        let field = Field::new(battle, state);
        charge.chargers.iter().map(|c| stopped_by_zone(&field, c, &involved)).collect()
    };
    for (c, stop) in charge.chargers.iter_mut().zip(&stops) {
        if let Some(by) = stop {
            c.out = true;
            let by = last_stand(&Field::new(battle, state), c, *by);
            move_along(battle, state, c, by, cite!("7.4.e"), fx);
            as_advance(state, c.unit);
        }
    }
    charge.chargers.retain(|c| !c.out);
}

/// The ways were free of the group; one of it that has stayed behind stands in the way like any friend. Who would pass
/// through it stops before it, without contact (7.4.c, 7.9.e, R47), and may stand in the way of the next.
fn stop_at_friends(battle: &Battle, state: &mut State, charge: &mut Charge, fx: &mut impl Effects) {
    loop {
        let field = Field::new(battle, state);
        let involved = charge.involved();
        let blocked = charge.chargers.iter().enumerate().find_map(|(i, c)| {
            let by = stopped_by_friend(&field, c, &involved)?;
            Some((i, last_stand(&field, c, by)))
        });
        let Some((i, by)) = blocked else { return };
        let c = charge.chargers.remove(i);
        move_along(battle, state, &c, by, cite!("7.4.c"), fx);
    }
}

/// It counts as having done an Advance and may shoot (7.3.j, R56).
fn as_advance(state: &mut State, u: UnitId) {
    let unit = state.unit_mut(u);
    unit.order = Some(Marker::Advance);
    unit.flags.clear(Flags::SILENT);
}

pub(crate) fn move_along(
    battle: &Battle,
    state: &mut State,
    c: &Charger,
    by: i32,
    rule: game::Rule,
    fx: &mut impl Effects,
) {
    let (pose, legs) = {
        let field = Field::new(battle, state);
        (if by == 0 { c.start } else { c.along(&field, by) }, c.legs(&field, by))
    };
    set_down(battle, state, c.unit, pose, rule, fx);
    evade(battle, state, battle.unit(c.unit).side, &legs, fx);
}

/// Moves a unit straight to a pose by force of a rule; commanders of the enemy ride out of its way (12.2.a).
pub(crate) fn place(
    battle: &Battle,
    state: &mut State,
    u: UnitId,
    pose: Pose,
    rule: game::Rule,
    fx: &mut impl Effects,
) {
    let size = rect_of(battle, state, u).size();
    let turned = state.unit(u).pose.pivoted(size, pose.facing);
    set_down(battle, state, u, pose, rule, fx);
    let way = Way::between(&Rect::new(turned, size), &Rect::new(pose, size));
    evade(battle, state, battle.unit(u).side, &[way], fx);
}

/// Sets a unit down by force of a rule, with its commanders.
pub(crate) fn set_down(
    battle: &Battle,
    state: &mut State,
    u: UnitId,
    pose: Pose,
    rule: game::Rule,
    fx: &mut impl Effects,
) {
    let unit = state.unit(u);
    if unit.pose == pose {
        return;
    }
    let before = unit.pose;
    shift_unit(battle, state, u, pose);
    follow(battle, state, u);
    fx.tell(|| {
        let spot = |p: Pose| game::Place::Pose { x: p.at.x, y: p.at.y, facing: p.facing.get() };
        Entry::new(Kind::March, does(&battle.unit(u).name, "moves."))
            .side(battle.unit(u).side)
            .rule(rule)
            .piece(piece(u))
            .place(spot(before))
            .place(spot(pose))
    });
}

/// Up to 6 in from the target, or as near as the normal rate allows (7.3.i, R54).
fn forward_men(battle: &Battle, state: &mut State, c: &Charger, charge: &Charge, fx: &mut impl Effects) {
    let by = {
        let field = Field::new(battle, state);
        let blank = to_point_blank(&field, c, field.rect(charge.target), POINT_BLANK);
        let friend = stopped_by_friend(&field, c, &charge.involved()).unwrap_or(blank);
        last_stand(&field, c, blank.min(rate(&field, c.unit)).min(friend))
    };
    move_along(battle, state, c, by, cite!("7.3.i"), fx);
    as_advance(state, c.unit);
}

pub(crate) fn impetus(state: &mut State, u: UnitId, difficult: bool) {
    let flags = &mut state.unit_mut(u).flags;
    flags.set(Flags::IMPETUS | Flags::MOVED);
    if difficult {
        flags.set(Flags::DIFFICULT);
    }
}

/// A note for a roll of one unit at another.
pub(crate) fn at(battle: &Battle, by: UnitId, target: UnitId, what: &str, rule: game::Rule) -> RollNote {
    RollNote::new(format!("{} {}", does(&battle.unit(by).name, what), battle.unit(target).name), rule)
        .side(battle.unit(by).side)
        .by(piece(by))
        .at(piece(target))
}

/// A die that passes at `need` or more.
pub(crate) const fn on(need: i16) -> Test {
    Test::at_least(Die::D6, need)
}
