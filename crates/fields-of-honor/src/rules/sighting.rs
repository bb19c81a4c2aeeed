//! Special terrain, and sighting.

use game::words::does;
use game::{Die, Effects, Entry, Kind, RollNote, Side, Test};
use table::{EPS, Spot};

use crate::cite;
use crate::rules::fire::No;
use crate::rules::rolls::{Sum, piece, rolled_by, tell_of};
use crate::rules::sequence::Step;
use crate::rules::terrain::{descries, on_hill};
use crate::setup::battle::{Battle, Cover, WeaponKind};
use crate::state::{BodyId, Marks, State};

/// An attacker who comes near uncovers hidden ground (terrain.special.b).
pub fn reveal(battle: &Battle, state: &mut State, id: BodyId, fx: &mut impl Effects) {
    if battle.unknown(state, battle.side_of(state, id)) == 0 || state.blind {
        return;
    }
    let block = state.body(id).layout(battle).block();
    for (i, area) in battle.areas.iter().enumerate().take(32) {
        let Some(near) = area.unseen else { continue };
        if state.revealed & (1 << i) == 0 && area.area.distance(&block) <= near + EPS {
            state.revealed |= 1 << i;
            fx.revealed();
            fx.tell(|| {
                Entry::new(Kind::Note, does(&battle.name(state, id), &format!("comes upon {}.", area.name)))
                    .rule(cite!("terrain.special.b"))
                    .piece(piece(id))
            });
        }
    }
}

/// A marker that the other side has not sighted.
#[must_use]
pub fn is_marker(state: &State, id: BodyId) -> bool {
    let body = state.body(id);
    body.on_table() && body.marks.unsighted()
}

/// The enemy marker that stands at a place.
#[must_use]
pub fn marker_at(battle: &Battle, state: &State, side: Side, place: Spot) -> Option<BodyId> {
    let markers = state.on_table().filter(|(id, b)| battle.side(b) != side && is_marker(state, *id));
    markers.filter(|(_, b)| b.pose.at == place).map(|(id, _)| id).min_by_key(|id| state.go.looked & id.bit())
}

/// Yards between two bodies, a begun one counted as whole so that a printed range is never overstepped.
fn yards(battle: &Battle, state: &State, by: BodyId, at: BodyId) -> i64 {
    let d = state.body(by).layout(battle).distance(&state.body(at).layout(battle));
    let exact = (d - EPS).max(0) * battle.row.yards_per_inch;
    (exact + table::INCH - 1) / table::INCH
}

/// The column of a range: the smallest printed one that holds it (R111).
fn column(printed: &[i64], yards: i64, open: bool) -> Option<usize> {
    let found = printed.iter().position(|p| yards <= *p);
    if open { Some(found.unwrap_or(printed.len() - 1)) } else { found }
}

/// What one die must reach, 0 for automatic, 99 for impossible (sighting.c).
#[must_use]
pub fn need(battle: &Battle, state: &State, by: BodyId, at: BodyId) -> i16 {
    let body = state.body(at);
    let rows = &battle.tables.sighting;
    let layout = body.layout(battle);
    let cover = battle.cover(state, &layout, Some(state.body(by).pose.at.pt()), false) > Cover::None;
    let broken = cover
        || battle
            .grounds(battle.unknown(state, battle.side_of(state, by)))
            .any(|a| a.cost > 2 && a.area.contains(layout.centre()));
    let moving = body.marks.has(Marks::MOVED);
    let row = match (body.marks.has(Marks::LURKING), battle.info(body).scout, moving) {
        (true, _, _) => "any_hiding_in_cover",
        (_, true, false) if cover => "scouts_stationary_in_cover",
        (_, true, false) => "scouts_stationary_in_open_or_moving_in_broken",
        (_, true, true) if broken => "scouts_stationary_in_open_or_moving_in_broken",
        (_, true, true) => "scouts_moving_in_open",
        (_, false, false) if cover => "formed_stationary_in_cover",
        (_, false, false) => "formed_moving_in_cover_or_standing_in_open",
        (_, false, true) if cover => "formed_moving_in_cover_or_standing_in_open",
        (_, false, true) => "formed_moving_in_open",
    };
    let column = column(&rows.yards, yards(battle, state, by, at), true).unwrap_or(0);
    rows.need.get(row).and_then(|r| r.get(column)).copied().unwrap_or(99)
}

/// What is added to the die (sighting.d).
#[must_use]
pub fn eyes(battle: &Battle, state: &State, by: BodyId) -> Sum {
    let body = state.body(by);
    let info = battle.info(body);
    let mods = &battle.tables.sighting.modifiers;
    let mut sum = Sum::default();
    if info.telescope {
        sum.add(mods.naval_telescope, "naval telescope", cite!("sighting.d"));
    }
    if !info.binoculars {
        sum.add(mods.regulars_without_binoculars, "no binoculars", cite!("sighting.d"));
    }
    if info.poor {
        sum.add(mods.poor_quality, "poor quality", cite!("sighting.d"));
    }
    if on_hill(battle, body.layout(battle).centre()) {
        sum.add(mods.elevated, "elevated", cite!("sighting.d"));
    }
    sum
}

/// Whether a unit may look for a marker now (sighting.b).
///
/// # Errors
/// The rule that forbids it.
pub fn may_spot(battle: &Battle, state: &State, side: Side, by: BodyId, at: BodyId) -> Result<(), No> {
    let body = state.body(by);
    if !body.on_table()
        || battle.side(body) != side
        || battle.side_of(state, at) == side
        || !is_marker(state, at)
    {
        return Err(No::new(cite!("sighting.b"), "one of your units looks for an enemy marker"));
    }
    if state.go.looked & at.bit() != 0 {
        return Err(No::new(cite!("sighting.b"), "one attempt is made for each marker"));
    }
    if !descries(battle, state, by, at) {
        return Err(No::new(cite!("sighting.c"), "there is no free line of sight to it"));
    }
    Ok(())
}

/// One attempt to sight a marker.
pub fn spot(battle: &Battle, state: &mut State, by: BodyId, at: BodyId, fx: &mut impl Effects) {
    state.go.looked |= at.bit();
    let sum = eyes(battle, state, by);
    let need = need(battle, state, by, at);
    let seen = match need {
        0 => true,
        99 => false,
        n => fx.passes(Test::at_least(Die::D6, n - sum.total()), || {
            let what = does(&battle.name(state, by), "looks for a marker");
            let note = RollNote::new(what, cite!("sighting.c"))
                .outcomes(["nothing is seen", "it is seen"])
                .side(battle.side_of(state, by))
                .modifiers(sum.modifiers());
            rolled_by(note, state, by)
        }),
    };
    if seen {
        // In cover it still counts as hidden, but everybody sees where it is (R62).
        let from = state.body(by).layout(battle).centre();
        let covered = battle.cover(state, &state.body(at).layout(battle), Some(from), false) > Cover::None;
        let marks = &mut state.body_mut(at).marks;
        if covered {
            marks.set(Marks::SPOTTED)
        } else {
            marks.show()
        }
        crate::rules::movement::make_room(battle, state, at);
        fx.revealed();
        tell_of(battle, state, at, Kind::Draw, "is sighted", cite!("sighting.a"), fx);
    }
}

/// Just before sighting each scout is shot at once by whoever is nearest with firearms in reach (R112).
pub fn snipe_scouts(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for i in 0..state.bodies.len() {
        let at = BodyId(i as u8);
        let scout = *state.body(at);
        if !scout.on_table() || !battle.info(&scout).scout || scout.marks.has(Marks::HIDDEN) {
            continue;
        }
        let rows = &battle.tables.sniping;
        let shooters = state.on_table().filter(|(by, b)| {
            let info = battle.info(b);
            let bow = info.weapon.kind == WeaponKind::Bow;
            battle.side(b) != battle.side(&scout)
                && (info.weapon.kind == WeaponKind::SmallArm
                    || (bow && yards(battle, state, *by, at) <= rows.bow_max_yards))
                && !b.order.broken()
                && yards(battle, state, *by, at) <= 1000
                && descries(battle, state, *by, at)
        });
        let nearest = shooters.map(|(by, _)| (yards(battle, state, by, at), by)).min();
        let Some((range, by)) = nearest else { continue };
        let Some(column) = column(&rows.yards, range, false) else { continue };
        let need = rows.hit_2d6[column];
        let sum = Sum::from(need, "range", cite!("sighting.e"));
        let rolled = fx.total(2, Die::D6, || {
            let came = |sum| if sum >= need { "a hit" } else { "a miss" };
            RollNote::new(format!("A shot at the scouts, {need} or more"), cite!("sighting.e"))
                .outcomes((0..=12).map(came))
                .side(battle.side_of(state, by))
                .at(piece(at))
                .modifiers(sum.modifiers())
        });
        if rolled as i16 >= need {
            tell_of(battle, state, at, Kind::Gone, "is shot", cite!("sighting.e"), fx);
            crate::rules::rout::remove(state, at);
        }
    }
}

pub(crate) fn can_spot(battle: &Battle, state: &State, side: Side) -> bool {
    state.on_table().any(|(at, b)| {
        battle.side(b) != side
            && is_marker(state, at)
            && state.go.looked & at.bit() == 0
            && state.on_table().any(|(by, _)| may_spot(battle, state, side, by, at).is_ok())
    })
}

/// Scouting: the last step of the Reaction and of the Movement Phase (R13).
pub(crate) fn sighting(battle: &Battle, state: &mut State) {
    if battle.on.sighting {
        state.agenda.push(Step::Sight { side: Side::Second });
        state.agenda.push(Step::Sight { side: Side::First });
        state.agenda.push(Step::ScoutShots);
    }
}
