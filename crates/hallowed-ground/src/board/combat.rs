//! The fight at hand as the board shows it, and what a charge that is offered would meet.

use arrayvec::ArrayVec;
use game::board::{Combat, Fire, Offer, OfferNote};
use game::words::{does, signed};
use game::{Place, Rule};
use table::{MIL, Pose};

use crate::board::prompt::inches;
use crate::field::Field;
use crate::rules::charges::line::{Charger, declare, supports_of, surprises};
use crate::rules::charges::{Charge, ChargeStep, charge_home_mods, on};
use crate::rules::command::maneuvers::rate;
use crate::rules::formations::Formation;
use crate::rules::melee::aftermath::breakthrough_lines;
use crate::rules::melee::{Melee, melee_mods, needs};
use crate::rules::rolls::piece;
use crate::rules::sequence::Step;
use crate::rules::shooting::{Volley, defensive_fire, may_shoot, shot};
use crate::setup::battle::{UnitId, mounted, stat_of};

/// The charge or melee under way, or the fire that can be given now.
pub(crate) fn combat(field: &Field<'_>) -> Option<Combat> {
    if let Some(charge) = &field.state.charge {
        return Some(charging(field, charge));
    }
    if let Some(melee) = &field.state.melee {
        return Some(hand_to_hand(field, melee));
    }
    match field.state.agenda.top()? {
        Step::Shooting => shooting(field),
        _ => None,
    }
}

fn charging(field: &Field<'_>, charge: &Charge) -> Combat {
    let chargers: ArrayVec<UnitId, 8> = charge.active().map(|c| c.unit).collect();
    let pieces = chargers.iter().copied().chain([charge.target]).chain(charge.support).map(piece);
    let shooters: ArrayVec<UnitId, 2> = match field.state.agenda.top() {
        Some(Step::Charge(ChargeStep::WhoFires)) => {
            [charge.target].into_iter().chain(charge.support).collect()
        }
        Some(Step::Charge(ChargeStep::Odd { shooter })) => [shooter].into_iter().collect(),
        _ => ArrayVec::new(),
    };
    let mut fires: Vec<Fire> = Vec::new();
    for shooter in shooters {
        fires.extend(chargers.iter().filter_map(|c| {
            defensive_fire(field, shooter, *c).ok().map(|volley| volley_fire(shooter, *c, &volley))
        }));
    }
    if fires.is_empty() {
        // Before and after the volleys it is the charge home roll that counts.
        fires.push(Fire {
            by: chargers.iter().map(|u| piece(*u)).collect(),
            at: vec![piece(charge.target)],
            dice: 2,
            test: None,
            modifiers: charge_home_mods(field, &charge.chargers).list(),
            considered: Vec::new(),
        });
    }
    let title = format!("Charge at {}", field.battle.unit(charge.target).name);
    Combat { title, pieces: pieces.collect(), fires }
}

fn hand_to_hand(field: &Field<'_>, melee: &Melee) -> Combat {
    let here = |u: UnitId| field.state.on_table(u) && !melee.is_gone(u);
    let blows = melee.shares.iter().filter(|s| here(s.by) && here(s.at)).map(|s| Fire {
        by: vec![piece(s.by)],
        at: vec![piece(s.at)],
        dice: s.dice,
        test: Some(on(needs(field, s.by, s.at))),
        modifiers: melee_mods(field.state, s.by, s.at).list(),
        considered: Vec::new(),
    });
    Combat {
        title: if melee.breakthrough { "Melee after a breakthrough" } else { "Melee" }.to_owned(),
        pieces: melee.units.iter().copied().filter(|u| here(*u)).map(piece).collect(),
        fires: blows.collect(),
    }
}

/// Every shot that may be taken now; none when nobody has one.
fn shooting(field: &Field<'_>) -> Option<Combat> {
    let mut combat = Combat { title: "Shooting".to_owned(), pieces: Vec::new(), fires: Vec::new() };
    for u in field.of_side(field.state.active).filter(|u| may_shoot(field, *u).is_ok()) {
        for target in field.enemies(u) {
            if let Ok(volley) = shot(field, u, target) {
                combat.fires.push(volley_fire(u, target, &volley));
            }
        }
    }
    for fire in &combat.fires {
        for p in fire.by.iter().chain(&fire.at) {
            if !combat.pieces.contains(p) {
                combat.pieces.push(*p);
            }
        }
    }
    (!combat.fires.is_empty()).then_some(combat)
}

fn volley_fire(by: UnitId, at: UnitId, volley: &Volley) -> Fire {
    Fire {
        by: vec![piece(by)],
        at: vec![piece(at)],
        dice: volley.dice,
        test: Some(on(volley.need)),
        modifiers: volley.mods.list(),
        considered: Vec::new(),
    }
}

/// A charge as an offer: the way of the first charger, what each strikes, how likely it goes home, what it meets.
pub(crate) fn charge_offer(field: &Field<'_>, offer: &mut Offer, target: UnitId, by: &[UnitId]) {
    offer.rule = Some(cite!("7.2.a"));
    if let Ok(lines) = declare(field, target, by) {
        preview(field, offer, target, &lines);
    }
}

/// A breakthrough as an offer: a charge without orders.
pub(crate) fn breakthrough_offer(field: &Field<'_>, offer: &mut Offer, by: &[UnitId]) {
    offer.rule = Some(cite!("9.5.b"));
    if let Some((target, lines)) = breakthrough_lines(field, by) {
        preview(field, offer, target, &lines);
    }
}

fn preview(field: &Field<'_>, offer: &mut Offer, target: UnitId, lines: &[Charger]) {
    let Some(lead) = lines.first() else { return };
    offer.piece = Some(piece(lead.unit));
    offer.targets = vec![piece(target)];
    offer.rolls = true;
    offer.place = Some(spot(lead.pose));
    offer.path = way(field, lead).into_iter().map(spot).collect();
    for line in lines {
        let name = &field.battle.unit(line.unit).name;
        let side = format!("{:?}", line.side).to_lowercase();
        let rough = if line.difficult { ", through difficult terrain" } else { "" };
        let text = format!("{name}: {}, strikes the {side}{rough}", inches(line.distance));
        offer.notes.push(note(text, line.difficult, cite!("7.8.a")));
    }
    offer.notes.push(bands(field, lines));
    offer.notes.push(answer(field, target, lines));
}

/// The poses of a charge: straight on, the pivot, up to the target, flush on it.
fn way(field: &Field<'_>, line: &Charger) -> ArrayVec<Pose, 5> {
    let corner = line.start.moved(0, i64::from(line.first) * MIL);
    let mut way: ArrayVec<Pose, 5> = ArrayVec::new();
    for pose in [line.start, corner, line.turned(field), line.along(field, line.length()), line.pose] {
        if way.last() != Some(&pose) {
            way.push(pose);
        }
    }
    way
}

/// The four bands of the charge home roll, with how many of the 36 throws reach contact's band.
fn bands(field: &Field<'_>, lines: &[Charger]) -> OfferNote {
    let sum = charge_home_mods(field, lines).sum();
    let throws =
        |least: i16| (1..=6).flat_map(|a| (1..=6).map(move |b| a + b)).filter(|n| n + sum >= least).count();
    let text = format!(
        "Charge home, two dice {}: 3 or more go forward in {} of 36, 7 or more charge in {}, 11 or more are determined in {}",
        signed(sum),
        throws(3),
        throws(7),
        throws(11)
    );
    note(text, throws(7) < 18, cite!("7.3.a"))
}

/// What the target may do about it.
fn answer(field: &Field<'_>, target: UnitId, lines: &[Charger]) -> OfferNote {
    let name = &field.battle.unit(target).name;
    if mounted(field.battle, field.state, target) {
        return note(format!("{name} may countercharge"), true, cite!("7.3.n"));
    }
    if field.state.unit(target).formation == Formation::Limbered {
        return note(format!("{} and cannot fire", does(name, "is limbered")), false, cite!("7.7.a"));
    }
    if let Some(near) = lines.iter().find(|l| surprises(field, l)) {
        let half = inches(rate(field, near.unit));
        return note(format!("surprise from {half} or less: no defensive fire"), false, cite!("7.3.m"));
    }
    let full = stat_of(field.battle, field.state, target).shooting[0];
    let dice = if field.state.unit(target).shaken { full.div_ceil(2) } else { full };
    let lead = &lines[0];
    let support = supports_of(field, target, field.rect(lead.unit).front, lead.aim.pt());
    let beside =
        support.first().map(|s| format!(", so does {}", field.battle.unit(*s).name)).unwrap_or_default();
    note(format!("{} {dice} dice at point blank{beside}", does(name, "fires")), true, cite!("7.6.a"))
}

fn note(text: String, warning: bool, rule: Rule) -> OfferNote {
    OfferNote { text, warning, stop: false, rule: Some(rule) }
}

fn spot(pose: Pose) -> Place {
    Place::Pose { x: pose.at.x, y: pose.at.y, facing: pose.facing.get() }
}
