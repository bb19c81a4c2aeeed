//! 6.1.5 to 6.1.9: Engagements, their Rounds, and who fires at whom.

use arrayvec::ArrayVec;
use game::log::Kind;
use game::words::does;
use game::{Effects, Entry, Refusal, RollNote, Side};

use crate::action::Action;
use crate::rules::combat::{army, attacker, forget_fire};
use crate::rules::zones;
use crate::rules::zones::{directions, opposite, units_in};
use crate::setup::battle::Battle;
use crate::state::{FireOf, Id, MAX_UNITS, State, Step, UnitSet};

/// Groups of units, in file order of their first attacker.
pub(crate) type Groups = ArrayVec<UnitSet, MAX_UNITS>;

/// 6.1.6.a: the defenders, not yet fought out, whose zones cover an attacker.
fn compulsory_targets(battle: &Battle, state: &State, id: Id) -> u8 {
    let hex = state.piece(id).hex;
    let mask = zones::enemies_over(battle, state, id);
    directions(mask)
        .filter(|&d| {
            state.at(battle.ground.beyond[hex.index()][d]).is_some_and(|u| !state.fought.contains(u))
        })
        .fold(0, |m, d| m | 1 << d)
}

/// The compulsory Engagements a side still has to fight (R27).
#[must_use]
pub(crate) fn groups(battle: &Battle, state: &State, side: Side) -> Groups {
    let mut groups = Groups::new();
    for id in army(battle, state, side).without(state.fought) {
        let targets = compulsory_targets(battle, state, id);
        if targets == 0 {
            continue;
        }
        let mut group = units_in(battle, state, state.piece(id).hex, targets);
        group.insert(id);
        // Whatever it touches becomes one group.
        groups.retain(|other| {
            let touches = !other.and(group).is_empty();
            if touches {
                group = group.or(*other);
            }
            !touches
        });
        groups.push(group);
    }
    let own = battle.armies[side].units;
    groups.sort_unstable_by_key(|g| g.and(own).first());
    groups
}

/// The group of a unit, grown to everything linked with it.
fn grow(groups: &Groups, members: UnitSet) -> UnitSet {
    let mut grown = members;
    for group in groups {
        if !group.and(grown).is_empty() {
            grown = grown.or(*group);
        }
    }
    grown
}

/// Visits each pair of an attacker and a defender next to it in whose zone it does not stand, neither fought out.
fn each_pair(battle: &Battle, state: &State, mut visit: impl FnMut(Id, Id)) {
    let side = attacker(state);
    // R21: guns that bombarded take no optional combat.
    for a in army(battle, state, side).without(state.bombarded).without(state.fought) {
        let hex = state.piece(a).hex;
        let outside =
            zones::adjacent_to(battle, state, side.enemy(), hex) & !zones::enemies_over(battle, state, a);
        for d in directions(outside) {
            if let Some(defender) = state.at(battle.ground.beyond[hex.index()][d])
                && !state.fought.contains(defender)
            {
                visit(a, defender);
            }
        }
    }
}

/// The pairs that belong to the decision at hand.
fn each_option(battle: &Battle, state: &State, mut visit: impl FnMut(Id, Id)) {
    let owing = if state.round == 1 { UnitSet::EMPTY } else { owing(battle, state) };
    if state.agenda.top() == Some(Step::Engage) {
        return each_pair(battle, state, |a, d| {
            if !owing.contains(a) && !owing.contains(d) {
                visit(a, d);
            }
        });
    }
    each_pair(battle, state, |a, d| {
        if may_opt(state, owing, a, d) && !fires_at(battle, state, a, d) {
            visit(a, d);
        }
    });
}

/// The units that still have a compulsory Engagement to fight, other than the one under way.
fn owing(battle: &Battle, state: &State) -> UnitSet {
    let groups = groups(battle, state, attacker(state));
    groups.into_iter().fold(UnitSet::EMPTY, UnitSet::or).without(state.members)
}

/// R30: whether a pair may fight by option in this Round. In Round One it may draw in another Engagement. In Round Two
/// nobody joins who owes one of his own, and only an advance brings a member against an outsider (8.2).
fn may_opt(state: &State, owing: UnitSet, attacker: Id, defender: Id) -> bool {
    let inside = |id: Id| state.members.contains(id);
    match state.round {
        2 => {
            (inside(defender) && (inside(attacker) || !owing.contains(attacker)))
                || (inside(attacker) && state.advanced.contains(attacker))
        }
        _ => inside(attacker) || inside(defender),
    }
}

fn has_options(battle: &Battle, state: &State) -> bool {
    let mut any = false;
    each_option(battle, state, |_, _| any = true);
    any
}

/// Whether one unit has already named the other as its target.
fn fires_at(battle: &Battle, state: &State, firer: Id, target: Id) -> bool {
    let hex = state.piece(firer).hex;
    let direction = battle.ground.direction(hex, state.piece(target).hex);
    direction.is_some_and(|d| state.piece(firer).shot_into & 1 << d != 0)
}

/// Steps 5 and 6 by themselves; false if the Attacker must choose.
pub(crate) fn engage_step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    let groups = groups(battle, state, attacker(state));
    if groups.is_empty() {
        if has_options(battle, state) {
            return false;
        }
        state.agenda.pop();
        return true;
    }
    if battle.house.at_random {
        let drawn = match groups.len() {
            1 => 0,
            n => fx.draw(n, || {
                let names = |group: &UnitSet| {
                    group.into_iter().map(|u| battle.name(u)).collect::<Vec<_>>().join(", ")
                };
                RollNote::new("Which engagement is next", cite!("3.1.b"))
                    .side(attacker(state))
                    .outcomes(groups.iter().map(names))
            }),
        };
        begin(battle, state, groups[drawn], fx);
        return true;
    }
    if groups.len() == 1 && !has_options(battle, state) {
        begin(battle, state, groups[0], fx);
        return true;
    }
    false
}

pub(crate) fn engage_offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    let own = battle.armies[attacker(state)].units;
    let groups = groups(battle, state, attacker(state));
    out.extend(groups.iter().filter_map(|g| g.and(own).first()).map(|unit| Action::Engage { unit }));
    each_option(battle, state, |unit, at| out.push(Action::Attack { unit, at }));
    if groups.is_empty() {
        out.push(Action::Pass);
    }
}

/// `engage`.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check_engage(battle: &Battle, state: &State, unit: Id) -> Result<(), Refusal> {
    let not = || does(battle.name(unit), "is in no engagement to be fought.");
    if state.fought.contains(unit) {
        return Err(Refusal::new(
            not(),
            "It has fought its engagement of this Combat Turn.",
            cite!("6.1.5.b"),
        ));
    }
    if groups(battle, state, attacker(state)).iter().any(|g| g.contains(unit)) {
        return Ok(());
    }
    Err(Refusal::new(not(), "No attacker stands in a zone of control that would bind it.", cite!("6.1.5.a")))
}

/// `attack`: an optional attack.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check_attack(battle: &Battle, state: &State, unit: Id, at: Id) -> Result<(), Refusal> {
    let mut found = false;
    each_option(battle, state, |a, d| found |= (a, d) == (unit, at));
    if found {
        return Ok(());
    }
    let not = format!("{} may not attack {} by choice.", battle.name(unit), battle.name(at));
    if state.fought.contains(unit) || state.fought.contains(at) {
        return Err(Refusal::new(not, "A unit fights in one engagement of a Combat Turn.", cite!("6.1.5.b")));
    }
    if state.bombarded.contains(unit) {
        return Err(Refusal::new(not, "It has bombarded in this Combat Turn.", cite!("6.3.a")));
    }
    let mut next_to_it = false;
    each_pair(battle, state, |a, d| next_to_it |= (a, d) == (unit, at));
    if !next_to_it {
        let why = "The choice is open to an attacker next to a defender in whose zone of control it does not stand.";
        return Err(Refusal::new(not, why, cite!("6.1.5.c")));
    }
    if state.agenda.top() == Some(Step::Engage) {
        let why = "One of them has a compulsory engagement: choose that first, then add this attack to it.";
        return Err(Refusal::new(not, why, cite!("6.1.5.c")));
    }
    if fires_at(battle, state, unit, at) {
        return Err(Refusal::new(not, "This attack has been declared.", cite!("6.1.7.d")));
    }
    if owing(battle, state).contains(unit) {
        let why = "It still has an engagement of its own to fight, and a unit fights in one only.";
        return Err(Refusal::new(not, why, cite!("6.1.5.b")));
    }
    let why = "The target is not in this engagement; only a unit that advanced may take on outsiders.";
    Err(Refusal::new(not, why, cite!("8.2.b")))
}

/// `pass` over what may not be passed over.
///
/// # Errors
/// 6.4.a while a compulsory engagement is left.
pub(crate) fn check_pass(battle: &Battle, state: &State) -> Result<(), Refusal> {
    if groups(battle, state, attacker(state)).is_empty() {
        return Ok(());
    }
    let why = "Every defender whose zone of control reaches an attacker must be attacked.";
    Err(Refusal::new("An engagement is still to be fought.", why, cite!("6.4.a")))
}

/// The group a unit belongs to.
pub(crate) fn engage(battle: &Battle, state: &mut State, unit: Id, fx: &mut impl Effects) {
    let groups = groups(battle, state, attacker(state));
    if let Some(&group) = groups.iter().find(|g| g.contains(unit)) {
        begin(battle, state, group, fx);
    }
}

/// `attack A Z` while no engagement is under way opens one.
pub(crate) fn open_by_attack(battle: &Battle, state: &mut State, unit: Id, at: Id, fx: &mut impl Effects) {
    begin(battle, state, [unit, at].into_iter().collect(), fx);
    attack(battle, state, unit, at);
}

fn begin(battle: &Battle, state: &mut State, members: UnitSet, fx: &mut impl Effects) {
    state.members = members;
    state.round = 1;
    state.advanced_now = UnitSet::EMPTY;
    forget_fire(state);
    state.agenda.push(Step::NextRound);
    state.agenda.push(Step::Options);
    fx.tell(|| {
        let own = battle.armies[attacker(state)].units;
        let names = |set: UnitSet| set.into_iter().map(|u| battle.name(u)).collect::<Vec<_>>().join(", ");
        let attackers = members.and(own);
        let who = match attackers.len() {
            1 => does(&names(attackers), "attacks"),
            _ => format!("{} attack", names(attackers)),
        };
        let text = format!("{who} {}.", names(members.without(own)));
        let mut entry = Entry::new(Kind::Time, text).side(attacker(state)).rule(cite!("6.1.5.a"));
        entry.pieces = members.into_iter().map(Id::piece).collect();
        entry
    });
}

/// An optional attack is declared; it draws in everything it touches.
pub(crate) fn attack(battle: &Battle, state: &mut State, unit: Id, at: Id) {
    let direction = battle.ground.direction(state.piece(unit).hex, state.piece(at).hex);
    if let Some(d) = direction {
        state.piece_mut(unit).shot_into |= 1 << d;
    }
    if state.round == 2 {
        // 8.2.b: outsiders attacked now do not join.
        state.members.insert(unit);
    } else {
        let drawn_in = state.members.or([unit, at].into_iter().collect());
        state.members = grow(&groups(battle, state, attacker(state)), drawn_in);
    }
}

pub(crate) fn options_step(battle: &Battle, state: &mut State) -> bool {
    if has_options(battle, state) {
        return false;
    }
    state.agenda.replace(Step::Aim);
    true
}

pub(crate) fn option_offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    each_option(battle, state, |unit, at| out.push(Action::Attack { unit, at }));
    out.push(Action::Pass);
}

/// The defenders an attacker of the Engagement must fire on this Round (6.1.7.b, 8.2.a).
pub(crate) fn bound_to_fire_on(battle: &Battle, state: &State, id: Id) -> u8 {
    let hex = state.piece(id).hex;
    let mask = zones::enemies_over(battle, state, id);
    // Who has advanced is in Round Two: it fights no other Engagement.
    if state.advanced.contains(id) {
        return mask;
    }
    let member = |d: &usize| {
        state.at(battle.ground.beyond[hex.index()][*d]).is_some_and(|u| state.members.contains(u))
    };
    directions(mask).filter(member).fold(0, |m, d| m | 1 << d)
}

/// 6.3.a, R32: one fire in each Round of a Combat Turn; a defender attacked in two Round Twos answers in the first.
fn has_fired_in(state: &State, id: Id) -> bool {
    state.round == 2 && state.fired_in_two.contains(id)
}

/// All targets of the Round: each attacker's, and in return each defender's (R28, R32).
pub(crate) fn aim(battle: &Battle, state: &mut State) {
    state.agenda.pop();
    let mut anybody = false;
    for id in army(battle, state, attacker(state)).and(state.members) {
        let targets = state.piece(id).shot_into | bound_to_fire_on(battle, state, id);
        let hex = state.piece(id).hex;
        state.piece_mut(id).shot_into = targets;
        state.piece_mut(id).was = hex;
        for d in directions(targets) {
            if let Some(target) = state.at(battle.ground.beyond[hex.index()][d]) {
                let fires_back = !has_fired_in(state, target);
                let back = state.piece_mut(target);
                back.was = back.hex;
                back.shot_into |= u8::from(fires_back) << opposite(d);
                anybody = true;
            }
        }
    }
    if !anybody {
        // R31: a second Round that rests on options alone is not fought when they are declined.
        state.round = 1;
        state.agenda.replace(Step::FallBack);
        return;
    }
    let side = attacker(state);
    state.agenda.push(Step::Advance);
    state.agenda.push(Step::Checks(FireOf::Round, side));
    state.agenda.push(Step::Checks(FireOf::Round, side.enemy()));
    state.agenda.push(Step::Fire(FireOf::Round, Id(0), 0));
    state.agenda.push(Step::Split(FireOf::Round));
}

/// 6.1.8: a second Round if anybody can still fire, else the end of the Engagement.
pub(crate) fn next_round(battle: &Battle, state: &mut State) {
    let first = state.round == 1;
    state.advanced_now = UnitSet::EMPTY;
    forget_fire(state);
    if first && second_round(battle, state) {
        state.agenda.push(Step::Options);
    } else {
        state.agenda.replace(Step::FallBack);
    }
}

/// 6.1.8.a, told as Round Two if it is to be fought.
fn second_round(battle: &Battle, state: &mut State) -> bool {
    state.round = 2;
    let own = army(battle, state, attacker(state)).and(state.members);
    let fights =
        own.into_iter().any(|id| bound_to_fire_on(battle, state, id) != 0) || has_options(battle, state);
    if !fights {
        state.round = 1;
    }
    fights
}

/// The Engagement is over; its units fight no other in this Combat Turn (6.1.5.b).
pub(crate) fn end(state: &mut State) {
    state.fought = state.fought.or(state.members);
    state.members = UnitSet::EMPTY;
    state.settled = UnitSet::EMPTY;
    state.round = 0;
    state.agenda.pop();
}
