//! The Charge Home Test and contact.

use game::{Effects, Kind};
use table::{EPS, INCH};

use crate::cite;
use crate::rules::basics::Formation;
use crate::rules::charge::failed::fail_home;
use crate::rules::charge::movement::{
    charging_layout, clear_way, held_up, moved_early, open_bout, put, square_up, take_place, touch_distance,
};
use crate::rules::charge::{Charged, Charger, Reaction};
use crate::rules::fire::{FireOrder, When};
use crate::rules::rolls::{Sum, missed_by, tell_of};
use crate::rules::sequence::Step;
use crate::rules::{fire, forts, movement};
use crate::setup::battle::Battle;
use crate::state::{BodyId, Command, Face, Marks, Personality, State};

/// The number of the Charge Home Test (qrs.chargehome).
#[must_use]
pub fn home_number(battle: &Battle, state: &State, index: usize) -> Sum {
    let charger = &state.charge.chargers[index];
    let (by, at) = (charger.line.by, charger.line.at);
    let (body, target) = (state.body(by), state.body(at));
    let info = battle.info(body);
    let mods = &battle.tables.test.charge_home.modifiers;
    let mut sum = Sum::from(battle.tables.test.charge_home.base, "base", cite!("qrs.chargehome.a"));
    sum.add(mods.per_3_hits * i16::from(charger.hits / 3), "hits in the charge", cite!("qrs.chargehome.b"));
    let stands: u8 = state
        .charge
        .chargers
        .iter()
        .filter(|c| c.joined && c.line.at == at)
        .map(|c| state.body(c.line.by).fighting(battle))
        .sum();
    if stands > target.fighting(battle) {
        sum.add(mods.odds_over_1_to_1, "more stands", cite!("qrs.chargehome.c"));
    }
    if battle.order_of(state, by) == Some(Command::Attack) {
        let chief = battle.overall(battle.side(body));
        if chief.is_some_and(|l| battle.in_range(state, l, by)) {
            sum.add(mods.attack_order, "attack order", cite!("orders.j"));
        }
    }
    if info.melee_only() {
        sum.add(mods.melee_only, "melee only", cite!("qrs.chargehome.e"));
    }
    if body.skirmishing() {
        sum.add(mods.skirmisher, "charging in skirmish order", cite!("qrs.chargehome.f"));
    }
    if !charger.under_fire {
        sum.add(mods.no_fire, "no fire met", cite!("qrs.chargehome.g"));
    }
    let square = target.shape.formation == Formation::Square || target.marks.has(Marks::BOX);
    if body.mounted(battle) && !square {
        sum.add(mods.cavalry, "cavalry", cite!("qrs.chargehome.h"));
    }
    let mut rating = mods.rating(info.morale);
    if battle.on.strict_print && info.morale == crate::rules::charts::Rating::E {
        rating = 0;
    }
    sum.add(rating, "morale rating", cite!("qrs.chargehome.i"));
    if target.marks.has(Marks::HIDDEN) {
        sum.add(mods.vs_hidden, "hidden target", cite!("qrs.chargehome.j"));
    }
    if target.shape.formation == Formation::Extended {
        sum.add(mods.vs_extended_line, "extended line", cite!("qrs.chargehome.k"));
    }
    if flanked(state, charger) {
        sum.add(mods.vs_flank_or_rear, "flank or rear", cite!("qrs.chargehome.l"));
    }
    if battle.level(target) > battle.level(body) || crate::rules::forts::ledge(battle, state, at, by) {
        sum.add(mods.uphill, "uphill", cite!("qrs.chargehome.m"));
    }
    if target.skirmishing() {
        sum.add(mods.vs_skirmishers, "against skirmishers", cite!("qrs.chargehome.n"));
    }
    if battle.attached_helper(state, by).is_some() {
        sum.add(mods.sub_commander_attached, "sub-commander attached", cite!("qrs.chargehome.o"));
    }
    if battle.has_brash_leader(state, by) {
        sum.add(mods.brash_attached, "brash leader attached", cite!("personality.c"));
    }
    if battle.spirit(state, by) == Some(Personality::Cautious) {
        sum.add(mods.cautious_in_range, "cautious leader", cite!("personality.d"));
    }
    sum
}

/// A flank or rear is struck; a march column shows nothing else (R26).
fn flanked(state: &State, charger: &Charger) -> bool {
    charger.face != Face::Front || state.body(charger.line.at).shape.formation == Formation::MarchColumn
}

pub(crate) fn home(battle: &Battle, state: &mut State, index: usize, fx: &mut impl Effects) {
    state.agenda.pop();
    let charger = state.charge.chargers[index];
    let by = charger.line.by;
    if !charger.on || !state.body(by).on_table() {
        return;
    }
    let Some(target) = state.charge.targets.iter().find(|t| t.body == charger.line.at).copied() else {
        return;
    };
    if !target.pinned {
        let sum = home_number(battle, state, index);
        let missed = missed_by(battle, state, by, &sum, "Charge Home Test", cite!("qrs.chargehome.a"), fx);
        if missed > 0 {
            fail_home(battle, state, index, missed, fx);
            return;
        }
    }
    if target.gone || !state.body(target.body).on_table() {
        take_place(battle, state, index, fx);
        state.charge.chargers[index].on = false;
        let quarry = target.body;
        let chased = if state.body(quarry).marks.has(Marks::ABANDONED) {
            runner_of(state, quarry)
        } else {
            Some(quarry)
        };
        if let Some(quarry) = chased.filter(|q| state.body(*q).on_table()) {
            state.agenda.push(Step::Pursue { by, quarry });
        }
        return;
    }
    if charger.line.rush {
        rush_fire(battle, state, &charger, fx);
        if !state.body(target.body).on_table() {
            take_place(battle, state, index, fx);
            return;
        }
    }
    close(battle, state, index, &target, fx);
}

/// The gunners who left these guns.
pub(crate) fn runner_of(state: &State, guns: BodyId) -> Option<BodyId> {
    let bmu = state.body(guns).bmu;
    state.on_table().find(|(_, b)| b.bmu == bmu && b.marks.has(Marks::CREW)).map(|(id, _)| id)
}

/// A rush that closes fires once, at short range, as a unit that moved (R108).
pub(crate) fn rush_fire(battle: &Battle, state: &mut State, charger: &Charger, fx: &mut impl Effects) {
    let (by, at) = (charger.line.by, charger.line.at);
    if fire::may_fire(battle, state, by, When::Rush).is_err() {
        return;
    }
    let stands = fire::firing_stands(battle, state, by).fronts.len() as u32;
    let target = state.body(at).layout(battle);
    let aim = fire::Bearing {
        stands: (1 << stands) - 1,
        range: 0,
        band: 0,
        from: state.body(by).pose.at.pt(),
        through: None,
        flank: charger.face != Face::Front,
        fixed: None,
    };
    let order = FireOrder::plain(When::Rush, aim.stands);
    let shot = fire::shot(battle, state, by, at, &target, &aim, order);
    let hits = fire::roll_shot(battle, state, &shot, fx);
    fire::has_fired(state, by, Marks::FIRED_EARLY);
    fire::apply(battle, state, by, at, None, hits, fx);
}

/// Into contact (R65), the countercharge halfway (R37).
pub(crate) fn close(
    battle: &Battle,
    state: &mut State,
    index: usize,
    target: &Charged,
    fx: &mut impl Effects,
) {
    let charger = state.charge.chargers[index];
    let (by, at) = (charger.line.by, charger.line.at);
    let mut start = charging_layout(battle, state, &charger);
    let dir = start.pose.facing.dir();
    let counter = target.reaction == Reaction::Counter && target.fires_at == index as u8;
    if counter {
        meet_halfway(battle, state, at, charger.d, dir.back(), fx);
    }
    if let Some(far) = held_up(battle, state, &charger, &start) {
        let pose = start.pose.shifted(dir.times(far));
        put(battle, state, by, &start, pose);
        moved_early(battle, state, by, &start, fx);
        let what = "is held up by ground it did not know";
        tell_of(battle, state, by, Kind::March, what, cite!("terrain.special.a"), fx);
        return;
    }
    let met = touch_distance(&start, &state.body(at).layout(battle), dir);
    let away =
        target.reaction == Reaction::Counter && !counter && !within_reach(battle, state, &charger, met);
    let d = met.filter(|_| !away).unwrap_or(charger.d);
    if charger.line.files > 0 {
        start.shape.files = charger.line.files;
    }
    let landing = match away {
        true => None,
        false => square_up(battle, state, by, &start, at, d, dir, charger.face),
    };
    let Some(pose) = landing else {
        let short = start.pose.shifted(dir.times((d - INCH / 2).max(0)));
        put(battle, state, by, &start, short);
        moved_early(battle, state, by, &start, fx);
        tell_of(battle, state, by, Kind::March, "finds no room to close", cite!("melee.contact.b"), fx);
        return;
    };
    let body = state.body_mut(by);
    body.pose = pose;
    body.shape = start.shape;
    body.marks.set(Marks::IMMUNE);
    moved_early(battle, state, by, &start, fx);
    open_bout(state, by, at, charger.face);
    let wall = forts::wall_between(battle, state, by, at);
    if let Some(bout) = state.bouts.iter_mut().find(|b| b.attacker == by && b.defender == at) {
        bout.charged = true;
        bout.countered = counter;
        if let Some(wall) = wall {
            bout.wall = wall as u8;
            bout.ladders = true;
        }
    }
    tell_of(battle, state, by, Kind::Melee, "charges home", cite!("seq.charge.f"), fx);
}

/// Whether a charger still reaches a target that has gone to meet another one (R122, R24).
fn within_reach(battle: &Battle, state: &State, charger: &Charger, met: Option<i64>) -> bool {
    let start = charging_layout(battle, state, charger);
    let rate = battle.rate(state.body(charger.line.by)).charge;
    met.is_some_and(|d| {
        let clear = clear_way(battle, state, &charger.line, &start, start.pose.facing.dir(), d);
        d <= rate + EPS && clear.is_ok()
    })
}

pub(crate) fn meet_halfway(
    battle: &Battle,
    state: &mut State,
    id: BodyId,
    gap: i64,
    dir: table::Dir,
    fx: &mut impl Effects,
) {
    let layout = state.body(id).layout(battle);
    let mut far = (gap / 2).min(battle.rate(state.body(id)).charge);
    while far > 0 && !movement::free(battle, state, id, &layout.at(layout.pose.shifted(dir.times(far)))) {
        far -= INCH / 4;
    }
    if far > 0 {
        state.body_mut(id).pose = layout.pose.shifted(dir.times(far));
    }
    moved_early(battle, state, id, &layout, fx);
}
