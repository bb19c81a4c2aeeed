//! Chapter 7: a charge at one target, from its declaration to contact (procedure P1).

use arrayvec::ArrayVec;
use game::{Die, Effects, Entry, Kind, RollNote, Side, Test};
use serde::{Deserialize, Serialize};
use table::{Angle, EPS, MIL, Pose, Rect, Side as Edge, Way, pack_between, touch};

use crate::charge_line::{
    Charger, declare, final_pose, last_stand, line_without_sight, slide_to_support, stopped_by_zone,
    supports_of, surprises, to_point_blank,
};
use crate::command::{orders_test, twelves};
use crate::commanders::{evade, follow};
use crate::contact::engage;
use crate::field::Field;
use crate::formations::{Formation, GRIP, POINT_BLANK, PROXIMITY};
use crate::maneuvers::rate;
use crate::morale::{After, break_if_due, mark_hits};
use crate::muster::{Battle, Flags, Marker, Specials, State, UnitId, Units, mounted};
use crate::rolls::{Mods, piece, two_dice};
use crate::shooting::{Volley, defensive_fire};
use crate::turn::Step;

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
        let text = format!("{} charge at {}.", names.join(", "), battle.unit(target).name);
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
        ChargeStep::PointBlank => point_blank(battle, state, &charge),
        ChargeStep::Volleys => volleys(battle, state),
        ChargeStep::Fire { shooter } => fire(battle, state, charge, shooter, fx),
        ChargeStep::Saves { shooter } => saves(battle, state, charge, shooter, fx),
        ChargeStep::Tests => tests(state, &charge),
        ChargeStep::Contact => contact(battle, state, &charge, fx),
        ChargeStep::Supports | ChargeStep::Countercharge | ChargeStep::WhoFires | ChargeStep::Odd { .. } => {}
    }
}

fn end(state: &mut State) {
    state.agenda.pop();
    state.charge = None;
}

fn next(state: &mut State, step: ChargeStep) {
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
            && field.battle.unit(u).arm == crate::formations::Arm::Infantry
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
    fx.tell(|| Entry::new(Kind::Check, format!("{result}: {}.", band.0)).rule(band.1).piece(piece(lead)));
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
            forward_men(battle, state, c, charge.target, fx);
        }
        return end(state);
    }
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

/// It counts as having done an Advance and may shoot (7.3.j, R56).
fn as_advance(state: &mut State, u: UnitId) {
    let unit = state.unit_mut(u);
    unit.order = Some(Marker::Advance);
    unit.flags.clear(Flags::SILENT);
}

fn move_along(
    battle: &Battle,
    state: &mut State,
    c: &Charger,
    by: i32,
    rule: game::Rule,
    fx: &mut impl Effects,
) {
    let pose = if by == 0 { c.start } else { c.along(&Field::new(battle, state), by) };
    place(battle, state, c.unit, pose, rule, fx);
}

/// Sets a unit down by force of a rule, with its commanders.
pub(crate) fn place(
    battle: &Battle,
    state: &mut State,
    u: UnitId,
    pose: Pose,
    rule: game::Rule,
    fx: &mut impl Effects,
) {
    let unit = state.unit_mut(u);
    if unit.pose == pose {
        return;
    }
    let before = unit.pose;
    unit.pose = pose;
    unit.flags.set(Flags::MOVED);
    follow(battle, state, u);
    fx.tell(|| {
        let spot = |p: Pose| game::Place::Pose { x: p.at.x, y: p.at.y, facing: p.facing.get() };
        Entry::new(Kind::March, format!("{} moves.", battle.unit(u).name))
            .side(battle.unit(u).side)
            .rule(rule)
            .piece(piece(u))
            .place(spot(before))
            .place(spot(pose))
    });
}

/// Up to 6 in from the target, or as near as the normal rate allows (7.3.i, R54).
fn forward_men(battle: &Battle, state: &mut State, c: &Charger, target: UnitId, fx: &mut impl Effects) {
    let by = {
        let field = Field::new(battle, state);
        let want = to_point_blank(&field, c, field.rect(target), POINT_BLANK).min(rate(&field, c.unit));
        last_stand(&field, c, want)
    };
    move_along(battle, state, c, by, cite!("7.3.i"), fx);
    as_advance(state, c.unit);
}

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
        let field = Field::new(battle, state);
        let way =
            Way::between(field.rect(target), &Rect::new(meeting.counter_pose, field.rect(target).size()));
        battle.difficult(&way)
    };
    place(battle, state, u, meeting.charger_pose, cite!("7.3.o"), fx);
    place(battle, state, target, meeting.counter_pose, cite!("7.3.o"), fx);
    engage(battle, state, u, target, Edge::Front, Edge::Front);
    impetus(state, u, meeting.charger.difficult);
    impetus(state, target, difficult);
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
        return end(state);
    }
    state.charge = Some(rest);
}

fn impetus(state: &mut State, u: UnitId, difficult: bool) {
    let flags = &mut state.unit_mut(u).flags;
    flags.set(Flags::IMPETUS | Flags::MOVED);
    if difficult {
        flags.set(Flags::DIFFICULT);
    }
}

/// P1, steps 9 and 10: to point blank, and fire unless a charger surprises.
fn point_blank(battle: &Battle, state: &mut State, charge: &Charge) {
    let surprise = {
        let field = Field::new(battle, state);
        charge.active().any(|c| surprises(&field, c))
    };
    for c in charge.active() {
        let pose = {
            let field = Field::new(battle, state);
            let by = to_point_blank(&field, c, field.rect(charge.target), POINT_BLANK);
            if by == 0 { c.start } else { c.along(&field, by) }
        };
        let unit = state.unit_mut(c.unit);
        if unit.pose != pose {
            unit.pose = pose;
            unit.flags.set(Flags::MOVED);
        }
        follow(battle, state, c.unit);
    }
    next(state, if surprise { ChargeStep::Contact } else { ChargeStep::Volleys });
}

/// Who has yet to fire of target and support; the next step.
fn volleys(battle: &Battle, state: &mut State) {
    let Some(charge) = &state.charge else { return };
    let field = Field::new(battle, state);
    let ready = |u: UnitId| charge.active().any(|c| defensive_fire(&field, u, c.unit).is_ok());
    let target = (!charge.fired.0 && ready(charge.target)).then_some(charge.target);
    let support = charge.support.filter(|s| !charge.fired.1 && ready(*s));
    let step = match (target, support) {
        (Some(_), Some(_)) => ChargeStep::WhoFires,
        (Some(shooter), None) | (None, Some(shooter)) => ChargeStep::Fire { shooter },
        (None, None) => ChargeStep::Tests,
    };
    next(state, step);
}

/// The defender's owner has named the first to fire.
pub(crate) fn fires_first(state: &mut State, shooter: UnitId) {
    next(state, ChargeStep::Fire { shooter });
}

/// One defender's volley, shared over the chargers in its front arc and sight (7.9.c, R58).
fn fire(battle: &Battle, state: &mut State, mut charge: Charge, shooter: UnitId, fx: &mut impl Effects) {
    if shooter == charge.target {
        charge.fired.0 = true;
    } else {
        charge.fired.1 = true;
    }
    let field = Field::new(battle, state);
    let shots: ArrayVec<(usize, Volley), 8> = charge
        .chargers
        .iter()
        .enumerate()
        .filter(|(_, c)| !c.out)
        .filter_map(|(i, c)| defensive_fire(&field, shooter, c.unit).ok().map(|v| (i, v)))
        .collect();
    for c in &mut charge.chargers {
        c.share = 0;
    }
    let Some((_, lead)) = shots.first().cloned() else {
        state.charge = Some(charge);
        return next(state, ChargeStep::Volleys);
    };
    let count = shots.len() as u8;
    charge.by_dice = shots.iter().any(|(_, v)| v.need != lead.need || v.dice != lead.dice);
    let whole = if charge.by_dice {
        shots.iter().map(|(_, v)| v.dice).max().unwrap_or(0)
    } else {
        let target = charge.chargers[shots[0].0].unit;
        lead.roll(battle, shooter, target, lead.dice, fx)
    };
    for (i, _) in &shots {
        charge.chargers[*i].share = whole / count;
    }
    charge.odd = if count > 1 { whole % count } else { 0 };
    if count == 1 {
        charge.chargers[shots[0].0].share = whole;
    }
    let odd = charge.odd > 0;
    state.charge = Some(charge);
    next(state, if odd { ChargeStep::Odd { shooter } } else { ChargeStep::Saves { shooter } });
}

/// Chargers that may take an odd hit: those under fire who have none yet.
pub(crate) fn odd_takers(field: &Field<'_>, shooter: UnitId) -> Units {
    let Some(charge) = &field.state.charge else { return Units::new() };
    let under_fire: ArrayVec<&Charger, 8> =
        charge.active().filter(|c| defensive_fire(field, shooter, c.unit).is_ok()).collect();
    let least = under_fire.iter().map(|c| c.share).min().unwrap_or(0);
    under_fire.iter().filter(|c| c.share == least).map(|c| c.unit).collect()
}

/// The defender gives an odd hit or die to a charger.
pub(crate) fn give_odd(state: &mut State, shooter: UnitId, to: UnitId) {
    let Some(charge) = &mut state.charge else { return };
    if let Some(c) = charge.chargers.iter_mut().find(|c| c.unit == to) {
        c.share += 1;
        charge.odd -= 1;
    }
    if charge.odd == 0 {
        next(state, ChargeStep::Saves { shooter });
    }
}

/// Each charger saves its own share; hits count at once.
fn saves(battle: &Battle, state: &mut State, mut charge: Charge, shooter: UnitId, fx: &mut impl Effects) {
    for i in 0..charge.chargers.len() {
        let (u, share) = (charge.chargers[i].unit, charge.chargers[i].share);
        charge.chargers[i].share = 0;
        if share == 0 || charge.chargers[i].out {
            continue;
        }
        let Ok(volley) = defensive_fire(&Field::new(battle, state), shooter, u) else { continue };
        let hits = if charge.by_dice { volley.roll(battle, shooter, u, share, fx) } else { share };
        let unsaved = hits - volley.saves(battle, u, hits, fx);
        charge.chargers[i].hurt |= unsaved > 0;
        mark_hits(battle, state, u, unsaved, fx);
    }
    let units: Units = charge.chargers.iter().map(|c| c.unit).collect();
    state.charge = Some(charge);
    next(state, ChargeStep::Volleys);
    for u in units {
        break_if_due(battle, state, u, fx);
    }
}

/// P1, step 11: those hit test, unless determined.
fn tests(state: &mut State, charge: &Charge) {
    next(state, ChargeStep::Contact);
    if charge.result > 10 {
        return;
    }
    for c in charge.active().filter(|c| c.hurt).collect::<ArrayVec<&Charger, 8>>().into_iter().rev() {
        if state.on_table(c.unit) {
            state.agenda.push(Step::Morale { unit: c.unit, after: After::Charge });
        }
    }
}

/// P1, step 12: those still in it are placed flush and engaged.
fn contact(battle: &Battle, state: &mut State, charge: &Charge, fx: &mut impl Effects) {
    let determined = charge.result > 10;
    let mut going: ArrayVec<Charger, 8> = charge
        .active()
        .filter(|c| state.on_table(c.unit) && (determined || !state.unit(c.unit).shaken))
        .copied()
        .collect();
    end(state);
    make_room(battle, state, charge, &going, fx);
    if !state.on_table(charge.target) {
        return;
    }
    // While they find no room together, the one with the longest way drops out (7.9.e, R55).
    let mut dropped: ArrayVec<Charger, 8> = ArrayVec::new();
    let poses = loop {
        let left_out: Units = dropped.iter().map(|c| c.unit).collect();
        if let Some(poses) = poses_for(&Field::new(battle, state), charge, &going, &left_out) {
            break poses;
        }
        let worst = (0..going.len()).max_by_key(|i| (going[*i].distance, going[*i].unit)).unwrap_or(0);
        dropped.push(going.remove(worst));
    };
    let mut corridor: Vec<Way> = Vec::new();
    for (c, pose) in going.iter().zip(&poses) {
        let size = Field::new(battle, state).rect(c.unit).size();
        corridor.push(Way::between(&Rect::new(c.start, size), &Rect::new(*pose, size)));
        place(battle, state, c.unit, *pose, cite!("7.4.g"), fx);
    }
    for c in &going {
        impetus(state, c.unit, c.difficult);
        engage_touching(battle, state, c, charge.target);
    }
    for c in &dropped {
        stop_short(battle, state, c, fx);
    }
    let side = charge.side(battle);
    evade(battle, state, &corridor, fx, side);
    for u in battle.all_units() {
        if state.on_table(u) && state.has_commander(u) {
            follow(battle, state, u);
        }
    }
    finish_charge(state, charge);
}

/// Point blank is a passing halt: who fails there and stays (R60) may not stand on top of anybody.
fn make_room(battle: &Battle, state: &mut State, charge: &Charge, going: &[Charger], fx: &mut impl Effects) {
    for c in charge.active().filter(|c| going.iter().all(|g| g.unit != c.unit)) {
        let by = {
            let field = Field::new(battle, state);
            let here = to_point_blank(&field, c, field.rect(charge.target), POINT_BLANK);
            let stays =
                state.on_table(c.unit) && (here == 0 || c.along(&field, here) == state.unit(c.unit).pose);
            (stays && !field.free_of_units(c.unit, field.rect(c.unit))).then(|| last_stand(&field, c, here))
        };
        if let Some(by) = by {
            move_along(battle, state, c, by, cite!("5.7.a"), fx);
        }
    }
}

fn finish_charge(state: &mut State, charge: &Charge) {
    if charge.breakthrough {
        state.agenda.push(Step::Melee(crate::melee::MeleeStep::AfterBreakthrough { target: charge.target }));
    }
}

/// Stores the contact with the target and with any neighbour that is really touched (R31, R62).
fn engage_touching(battle: &Battle, state: &mut State, c: &Charger, target: UnitId) {
    let touched: ArrayVec<(UnitId, Edge, Edge), 8> = {
        let field = Field::new(battle, state);
        let rect = field.rect(c.unit);
        let start = Rect::new(c.start, rect.size());
        field
            .enemies(c.unit)
            .filter_map(|e| {
                let t = touch(rect, field.rect(e)).filter(|t| t.length >= GRIP - 2 * EPS)?;
                let struck = if e == target { c.side } else { field.rect(e).arc_of(start.front) };
                let mine = if e == target { Edge::Front } else { t.mine };
                Some((e, mine, struck))
            })
            .take(8)
            .collect()
    };
    for (e, mine, struck) in touched {
        engage(battle, state, c.unit, e, mine, struck);
    }
}

/// Poses for all who go in, side by side on each struck edge (R47, R55); none when somebody finds no room.
fn poses_for(
    field: &Field<'_>,
    charge: &Charge,
    going: &[Charger],
    left_out: &[UnitId],
) -> Option<ArrayVec<Pose, 8>> {
    let target = field.rect(charge.target);
    // Who drops out gives way; who has failed before stands in the way like anybody else.
    let mut involved: ArrayVec<UnitId, 12> =
        going.iter().map(|c| c.unit).chain(left_out.iter().copied()).collect();
    involved.push(charge.target);
    involved.extend(charge.support);
    let mut out: ArrayVec<Option<Pose>, 8> = going.iter().map(|_| None).collect();
    let mut placed: ArrayVec<Rect, 8> = ArrayVec::new();
    for side in Edge::ALL {
        let mut here: ArrayVec<usize, 8> = (0..going.len()).filter(|i| going[*i].side == side).collect();
        if here.is_empty() {
            continue;
        }
        if let [i] = here[..] {
            let c = &going[i];
            let mut pose = final_pose(field, c.unit, charge.target, side, c.aim.pt(), &involved)?;
            if let Some(s) = charge.support {
                let size = field.rect(c.unit).size();
                let slid = slide_to_support(pose, size, target, side, field.rect(s));
                if has_room(field, c.unit, &Rect::new(slid, size), &involved, &placed) {
                    pose = slid;
                }
            }
            let mut pose = [(c.unit, pose)];
            keep_off_neighbours(field, &mut pose, charge.target, &involved, &placed);
            let pose = pose[0].1;
            let rect = Rect::new(pose, field.rect(c.unit).size());
            if placed.iter().all(|p| !p.overlaps(&rect)) {
                placed.push(rect);
                out[i] = Some(pose);
                continue;
            }
        }
        // Along the edge as the chargers see it, from left to right.
        let (start, dir) = (
            target.edge(side).1,
            Rect::new(going[here[0]].pose, field.rect(going[here[0]].unit).size()).ahead.right(),
        );
        let along = |i: usize| dir.along(field_start(field, &going[i]) - start);
        here.sort_by_key(|i| (along(*i), going[*i].unit));
        let widths: ArrayVec<i64, 8> =
            here.iter().map(|i| 2 * field.rect(going[*i].unit).a + 2 * MIL).collect();
        let desired: ArrayVec<i64, 8> = here.iter().map(|i| dir.along(going[*i].aim.pt() - start)).collect();
        let (mut least, mut greatest) =
            (GRIP - widths.first()? / 2, target.edge_length(side) - GRIP + widths.last()? / 2);
        // Chargers round the corner take room at the ends.
        for p in &placed {
            let first =
                Rect::new(table::conform(target, side, start), field.rect(going[here[0]].unit).size());
            if let Some((lo, hi)) = table::overlap_while_moving(&first, p, dir, 0) {
                if lo + hi < target.edge_length(side) {
                    least = least.max(hi + MIL);
                } else {
                    greatest = greatest.min(lo - MIL);
                }
            }
        }
        let places = pack_between(&desired, &widths, least, greatest)?;
        let mut row: ArrayVec<(UnitId, Pose), 8> = here
            .iter()
            .zip(places)
            .map(|(i, at)| (going[*i].unit, table::conform(target, side, start + dir.times(at))))
            .collect();
        keep_off_neighbours(field, &mut row, charge.target, &involved, &placed);
        for (i, (unit, pose)) in here.iter().zip(row) {
            let rect = Rect::new(pose, field.rect(unit).size());
            let clear = field.on_table().all(|v| involved.contains(&v) || !rect.overlaps(field.rect(v)));
            let off = charge.support.is_some_and(|s| rect.overlaps(field.rect(s)));
            let turn = going[*i].start.facing.turn_to(pose.facing).abs();
            if !clear
                || off
                || turn > 9_000
                || field.battle.impassable(&rect)
                || !field.battle.top.holds(&rect)
            {
                return None;
            }
            if placed.iter().any(|p| p.overlaps(&rect)) {
                return None;
            }
            placed.push(rect);
            out[*i] = Some(pose);
        }
    }
    out.into_iter().collect::<Option<ArrayVec<Pose, 8>>>()
}

/// Where they would come within 1 in of an enemy they do not fight, the chargers on one edge slide along it, 1 in at the
/// most, to restore the distance, if all keep their contact (R62); else the nearness is accepted.
fn keep_off_neighbours(
    field: &Field<'_>,
    row: &mut [(UnitId, Pose)],
    target: UnitId,
    involved: &[UnitId],
    placed: &[Rect],
) {
    let grips = |r: &Rect, e: UnitId| touch(r, field.rect(e)).is_some_and(|t| t.length >= GRIP);
    let strangers = |u: UnitId| field.enemies(u).filter(|e| !involved.contains(e));
    let base = |u: UnitId, pose: Pose| Rect::new(pose, field.rect(u).size());
    let too_near = |&(u, pose): &(UnitId, Pose)| {
        let r = base(u, pose);
        strangers(u).any(|e| r.distance(field.rect(e)) < PROXIMITY - EPS && !grips(&r, e))
    };
    if !row.iter().any(too_near) {
        return;
    }
    let fits = |u: UnitId, pose: Pose| {
        let r = base(u, pose);
        grips(&r, target)
            && strangers(u).all(|e| r.distance(field.rect(e)) >= PROXIMITY - EPS)
            && has_room(field, u, &r, involved, placed)
    };
    let slid = |pose: Pose, by: i64| pose.moved(9_000, by * 10 * MIL);
    let slides = (1..=100i64).flat_map(|i| [-i, i]);
    if let Some(by) = slides.into_iter().find(|by| row.iter().all(|(u, pose)| fits(*u, slid(*pose, *by)))) {
        for (_, pose) in row {
            *pose = slid(*pose, by);
        }
    }
}

/// On the table and passable ground, and on nobody who is not in the charge or has been placed already.
fn has_room(field: &Field<'_>, u: UnitId, r: &Rect, involved: &[UnitId], placed: &[Rect]) -> bool {
    field.on_table().all(|v| v == u || involved.contains(&v) || !r.overlaps(field.rect(v)))
        && placed.iter().all(|p| !p.overlaps(r))
        && !field.battle.impassable(r)
        && field.battle.top.holds(r)
}

fn field_start(field: &Field<'_>, c: &Charger) -> table::Pt {
    Rect::new(c.start, field.rect(c.unit).size()).front
}

/// No room or no contact: along its line as far as 1 in from enemies allows (7.4.h, 7.9.e).
fn stop_short(battle: &Battle, state: &mut State, c: &Charger, fx: &mut impl Effects) {
    let by = last_stand(&Field::new(battle, state), c, c.length());
    move_along(battle, state, c, by, cite!("7.9.e"), fx);
}

/// A note for a roll of one unit at another.
pub(crate) fn at(battle: &Battle, by: UnitId, target: UnitId, what: &str, rule: game::Rule) -> RollNote {
    RollNote::new(format!("{} {what} {}", battle.unit(by).name, battle.unit(target).name), rule)
        .side(battle.unit(by).side)
        .by(piece(by))
        .at(piece(target))
}

/// A die that passes at `need` or more.
pub(crate) const fn on(need: i16) -> Test {
    Test::at_least(Die::D6, need)
}
