//! Chapter 6: the Combat Turn, its steps, and the retreats before and after it.

use game::log::Kind;
use game::words::does;
use game::{Effects, Entry, Refusal, Side};

use crate::action::Action;
use crate::legal::Bar;
use crate::rules::zones::{arm_now, directions};
use crate::rules::{morale, retreat, zones};
use crate::setup::battle::Battle;
use crate::setup::pieces::Arm;
use crate::state::{Causes, Id, NOWHERE, Retreat, State, Step, UnitSet};

/// 6.1.c: the steps of a Combat Turn, each of which takes itself off the agenda when it is done.
pub(crate) fn begin_turn(battle: &Battle, state: &mut State, attacker: Side) {
    state.attacker = Some(attacker);
    forget_turn(state);
    note_who_presses(battle, state);
    for step in
        [Step::Sweep, Step::Engage, Step::Approach, Step::Withdraw, Step::Bombard, Step::CavalryRetreat]
    {
        state.agenda.push(step);
    }
}

/// After step 7 nothing of the Turn is remembered, so that positions that look alike are alike.
pub(crate) fn end_turn(state: &mut State) {
    state.attacker = None;
    state.agenda.pop();
    forget_turn(state);
}

fn forget_turn(state: &mut State) {
    state.members = UnitSet::EMPTY;
    state.fought = UnitSet::EMPTY;
    state.bombarded = UnitSet::EMPTY;
    state.advanced = UnitSet::EMPTY;
    state.advanced_now = UnitSet::EMPTY;
    state.retreated = UnitSet::EMPTY;
    state.tried = UnitSet::EMPTY;
    state.fired_in_two = UnitSet::EMPTY;
    state.screened.clear();
    forget_fire(state);
}

/// Nobody has fired in this step yet.
pub(crate) fn forget_fire(state: &mut State) {
    state.settled = UnitSet::EMPTY;
    for piece in &mut state.pieces[..usize::from(state.units)] {
        if piece.on_map() {
            (piece.was, piece.shot_from, piece.shot_into, piece.extra) = (NOWHERE, 0, 0, 0);
        }
    }
}

/// The side whose Combat Turn it is (6.1.a).
#[must_use]
pub(crate) fn attacker(state: &State) -> Side {
    state.attacker.unwrap_or(Side::First)
}

/// The units of a side on the map.
#[must_use]
pub(crate) fn army(battle: &Battle, state: &State, side: Side) -> UnitSet {
    state.on_map().and(battle.armies[side].units)
}

// Step 1: defending cavalry.

/// 7.5.b: the attackers in whose zones the defender's cavalry begins the Turn; they cause its retreat though they may be
/// gone when it comes to it.
pub(crate) fn note_who_presses(battle: &Battle, state: &mut State) {
    for id in army(battle, state, attacker(state).enemy()) {
        if matches!(arm_now(battle, state, id), Arm::Cavalry | Arm::HorseArtillery) {
            state.piece_mut(id).shot_from = zones::enemies_over(battle, state, id);
        }
    }
}

fn causes_of_cavalry_retreat(state: &State, id: Id) -> Causes {
    Causes { at: state.piece(id).hex, directions: state.piece(id).shot_from }
}

/// Step 1 is over.
pub(crate) fn end_cavalry_retreats(state: &mut State) {
    state.agenda.pop();
    forget_fire(state);
}

/// 6.1.1: whether a defending unit may try to withdraw.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check_cavalry_retreat(battle: &Battle, state: &State, id: Id) -> Result<(), Bar> {
    let piece = state.piece(id);
    let over = if piece.on_map() { zones::enemies_over(battle, state, id) } else { 0 };
    if !matches!(arm_now(battle, state, id), Arm::Cavalry | Arm::HorseArtillery) || over == 0 {
        let why = "Only mounted cavalry and horse artillery in an attacker's zone of control withdraw before combat.";
        return Err(Bar::new(why, cite!("6.1.1.a")));
    }
    if state.tried.contains(id) {
        return Err(Bar::new("It has tried in this Combat Turn.", cite!("6.1.1.c")));
    }
    let pinned = zones::units_in(battle, state, piece.hex, over)
        .into_iter()
        .any(|u| arm_now(battle, state, u) == Arm::Cavalry);
    if pinned {
        return Err(Bar::new("Enemy cavalry has it in its zone of control.", cite!("6.1.1.b")));
    }
    if !retreat::has_path(battle, state, id, causes_of_cavalry_retreat(state, id)) {
        return Err(Bar::new("No path of retreat is open to it.", cite!("7.4.g")));
    }
    Ok(())
}

/// The defenders who may still try.
pub(crate) fn cavalry_retreats<'a>(battle: &'a Battle, state: &'a State) -> impl Iterator<Item = Id> + 'a {
    let defenders = army(battle, state, attacker(state).enemy()).without(state.tried);
    defenders.into_iter().filter(|&id| {
        matches!(arm_now(battle, state, id), Arm::Cavalry | Arm::HorseArtillery)
            && check_cavalry_retreat(battle, state, id).is_ok()
    })
}

pub(crate) fn cavalry_retreat(battle: &Battle, state: &mut State, id: Id, fx: &mut impl Effects) {
    state.tried.insert(id);
    let causes = causes_of_cavalry_retreat(state, id);
    if morale::passes(battle, state, id, "tries to slip away before combat", cite!("6.1.1.c"), fx) {
        state.screened.insert(state.piece(id).hex);
        retreat::begin(state, id, causes, true);
    }
}

// Step 3: the Attacker's own.

/// 7.5.c: the defenders it withdraws from.
fn causes_of_withdrawal(battle: &Battle, state: &State, id: Id) -> Causes {
    let hex = state.piece(id).hex;
    Causes { at: hex, directions: zones::adjacent_to(battle, state, battle.side(id).enemy(), hex) }
}

/// 6.1.3: whether an attacking unit may withdraw.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check_withdrawal(battle: &Battle, state: &State, id: Id) -> Result<(), Bar> {
    if !state.piece(id).on_map() || causes_of_withdrawal(battle, state, id).directions == 0 {
        return Err(Bar::new(
            "It is neither next to an enemy nor in an enemy zone of control.",
            cite!("6.1.3.a"),
        ));
    }
    if state.retreated.contains(id) {
        return Err(Bar::new("It has withdrawn in this Combat Turn.", cite!("6.1.3.b")));
    }
    if !retreat::has_path(battle, state, id, causes_of_withdrawal(battle, state, id)) {
        return Err(Bar::new("No path of retreat is open to it.", cite!("7.4.g")));
    }
    Ok(())
}

/// The attackers who may withdraw.
pub(crate) fn withdrawals<'a>(battle: &'a Battle, state: &'a State) -> impl Iterator<Item = Id> + 'a {
    let attackers = army(battle, state, attacker(state)).without(state.retreated);
    attackers.into_iter().filter(|&id| check_withdrawal(battle, state, id).is_ok())
}

pub(crate) fn withdraw(battle: &Battle, state: &mut State, id: Id) {
    let causes = causes_of_withdrawal(battle, state, id);
    retreat::begin(state, id, causes, true);
}

/// As if it withdrew before combat now.
#[must_use]
pub(crate) fn imagined_withdrawal(battle: &Battle, state: &State, id: Id) -> Retreat {
    retreat::new_retreat(state, id, causes_of_withdrawal(battle, state, id), true)
}

// The end of an Engagement, and step 7.

/// 6.1.8.b, 6.1.d: attackers that must go: in a defender's zone, without having advanced.
#[must_use]
pub(crate) fn must_fall_back(battle: &Battle, state: &State) -> UnitSet {
    let all = army(battle, state, attacker(state)).without(state.advanced);
    let units = match state.agenda.top() {
        Some(Step::Sweep) => all.without(state.retreated),
        _ => all.and(state.members),
    };
    units.into_iter().filter(|&id| zones::in_enemy_zone(battle, state, id)).collect()
}

/// 6.1.8.c: attackers that may go: next to a defender, but in no zone, after a second Round.
#[must_use]
pub(crate) fn may_fall_back(battle: &Battle, state: &State) -> UnitSet {
    if state.agenda.top() != Some(Step::FallBack) || state.round < 2 {
        return UnitSet::EMPTY;
    }
    let units = army(battle, state, attacker(state))
        .and(state.members)
        .without(state.advanced)
        .without(state.settled);
    let may = |id: &Id| {
        let causes = causes_of_withdrawal(battle, state, *id);
        causes.directions != 0
            && !zones::in_enemy_zone(battle, state, *id)
            && retreat::has_path(battle, state, *id, causes)
    };
    units.into_iter().filter(may).collect()
}

/// `fallback`.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check_fall_back(battle: &Battle, state: &State, id: Id) -> Result<(), Refusal> {
    if must_fall_back(battle, state).contains(id) || may_fall_back(battle, state).contains(id) {
        return Ok(());
    }
    let not = does(battle.name(id), "does not fall back.");
    if state.advanced.contains(id) {
        return Err(Refusal::new(
            not,
            "It has advanced after combat and holds its ground.",
            cite!("6.1.7.i"),
        ));
    }
    let why = "Only attackers in a defender's zone of control, or next to a defender after a second Round, fall back.";
    Err(Refusal::new(not, why, cite!("6.1.8.b")))
}

/// R35, R36: compulsory from the zones it stands in, by choice from the defenders next to it.
pub(crate) fn fall_back(battle: &Battle, state: &mut State, id: Id, fx: &mut impl Effects) {
    state.settled.insert(id);
    let over = zones::enemies_over(battle, state, id);
    if over != 0 {
        fx.tell(|| {
            let hex = state.piece(id).hex;
            let mut entry = Entry::new(
                Kind::Note,
                format!("{} back: it has not advanced.", does(battle.name(id), "falls")),
            )
            .side(battle.side(id))
            .rule(cite!("6.1.8.b"))
            .piece(id.piece())
            .place(battle.place(hex));
            entry.pieces.extend(
                directions(over)
                    .filter_map(|d| state.at(battle.ground.beyond[hex.index()][d]))
                    .map(Id::piece),
            );
            entry
        });
        retreat::begin(state, id, Causes { at: state.piece(id).hex, directions: over }, false);
    } else {
        withdraw(battle, state, id);
    }
}

/// Offers of `fallback`; the end only when nobody is bound to go.
pub(crate) fn fall_back_offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    let must = must_fall_back(battle, state);
    out.extend(must.or(may_fall_back(battle, state)).into_iter().map(|unit| Action::FallBack { unit }));
    if must.is_empty() {
        out.push(Action::Pass);
    }
}
