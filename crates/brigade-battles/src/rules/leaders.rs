//! 5.3 Leaders: the bonus, casualties, and where a leader goes who is left alone.

use game::{Die, Effects, Entry, Kind, Place, RollNote, Side, Test};
use hexmap::Hex;

use crate::rules::concepts::{leaders_in, on_map};
use crate::rules::{combat, tide};
use crate::setup::battle::Battle;
use crate::state::{LeaderId, Leaders, Piece, Post, State, Step, UnitId, Units};

/// 5.3, 2.3.6: a leader of the unit's own command stands with it.
pub(crate) fn bonus(battle: &Battle, state: &State, unit: UnitId) -> Option<LeaderId> {
    let hex = state.unit(unit).post.hex()?;
    leaders_in(battle, state, battle.unit(unit).side, hex).iter().find(|&l| battle.commands(l, unit))
}

/// Whether the leader has no combat unit of his side with him.
pub(crate) fn alone(battle: &Battle, state: &State, leader: LeaderId) -> bool {
    let post = state.leader(leader).post;
    post.hex().is_some()
        && !battle.of[battle.leader(leader).side].iter().any(|unit| state.unit(unit).post == post)
}

/// 5.3.1: the leaders of an eliminated unit are checked, unless this fire has already checked them, and go elsewhere.
pub(crate) fn bereave(state: &mut State, leaders: Leaders) {
    let checked = leaders.and(state.fire.checked);
    check_each(state, leaders.without(checked));
    send_off(state, checked);
}

/// 5.3.1: leaders are checked one after the other; 1.1.1.b sets no number of them.
pub(crate) fn check_each(state: &mut State, leaders: Leaders) {
    let fresh = leaders.iter().filter(|&leader| !pending(state, leader)).collect::<Leaders>();
    state.to_check = state.to_check.or(fresh);
    next_check(state);
}

fn next_check(state: &mut State) {
    if let Some(leader) = state.to_check.take_last() {
        state.agenda.push(Step::Casualty { leader });
    }
}

/// Leaders go to the nearest friendly unit one after the other.
fn send_off(state: &mut State, leaders: Leaders) {
    let fresh = leaders.iter().filter(|&leader| !pending(state, leader)).collect::<Leaders>();
    state.to_place = state.to_place.or(fresh);
    // Behind one who is being placed they wait.
    if !matches!(state.agenda.top(), Some(Step::Place { .. })) {
        next_place(state);
    }
}

fn next_place(state: &mut State) {
    if let Some(leader) = state.to_place.take_last() {
        state.agenda.push(Step::Place { leader });
    }
}

/// The leader on the agenda has been placed.
fn placed(state: &mut State) {
    state.agenda.pop();
    next_place(state);
}

/// Whether the leader is already to be checked or placed.
pub(crate) fn pending(state: &State, leader: LeaderId) -> bool {
    let next = |step: &Step| match *step {
        Step::Casualty { leader: other } | Step::Place { leader: other } => other == leader,
        _ => false,
    };
    state.to_check.or(state.to_place).contains(leader) || state.agenda.iter().any(next)
}

/// 5.3.1: a casualty check.
pub(crate) fn check_casualty(battle: &Battle, state: &mut State, leader: LeaderId, fx: &mut impl Effects) {
    state.agenda.pop();
    next_check(state);
    state.fire.checked.insert(leader);
    if state.leader(leader).post.hex().is_none() {
        return;
    }
    let killed = fx.passes(Test::at_least(Die::D10, 7), || {
        RollNote::new(format!("Is {} hit?", battle.leader(leader).name), cite!("5.3.1.a"))
            .outcomes(["no", "yes"])
            .side(battle.leader(leader).side)
            .by(battle.piece_id(Piece::Leader(leader)))
    });
    if killed {
        fall(battle, state, leader, fx);
    }
    if alone(battle, state, leader) {
        send_off(state, Leaders::one(leader));
    }
}

/// 5.3.1: the die against a leader alone in his hex.
const AT_LONE: Test = Test::at_least(Die::D10, 5);

/// Whether this die hits a leader who is alone.
pub(crate) fn is_hit_by(natural: u8) -> bool {
    AT_LONE.passed_by(natural)
}

/// Whether the firing player may use his Tide of Battle marker on the die against a lone leader.
fn tide_open(state: &State) -> bool {
    tide::may_use(state, combat::firing_side(state), state.fire.firers)
}

/// 5.3.1: fire at a leader alone in his hex. The die waits on the table while it may be rolled again (R67).
pub(crate) fn fire_at_lone(battle: &Battle, state: &mut State, leader: LeaderId, fx: &mut impl Effects) {
    let note = || {
        let name = &battle.leader(leader).name;
        let note = RollNote::new(format!("{name} is fired on."), cite!("5.3.1.d"))
            .side(battle.leader(leader).side.enemy())
            .at(battle.piece_id(Piece::Leader(leader)));
        match state.fire.firers.iter().next() {
            Some(unit) => note.by(battle.piece_id(Piece::Unit(unit))),
            None => note,
        }
    };
    if tide_open(state) {
        let came = |face| if is_hit_by(face) { "hit" } else { "missed" };
        let natural = fx.die(Die::D10, || note().outcomes((0..=10).map(came)));
        state.agenda.replace(Step::LeaderDie { leader, natural });
        return;
    }
    let hit = fx.passes(AT_LONE, || note().outcomes(["missed", "hit"]));
    conclude_lone(battle, state, leader, hit, fx);
}

/// The die against a lone leader stands.
pub(crate) fn conclude_lone(
    battle: &Battle,
    state: &mut State,
    leader: LeaderId,
    hit: bool,
    fx: &mut impl Effects,
) {
    state.agenda.pop();
    if hit {
        fall(battle, state, leader, fx);
        send_off(state, Leaders::one(leader));
    }
}

/// The leader is turned to REPL and counts as a casualty.
fn fall(battle: &Battle, state: &mut State, leader: LeaderId, fx: &mut impl Effects) {
    let side = battle.leader(leader).side;
    state.leaders[leader.index()].replaced = true;
    state.losses[side] += 1;
    fx.tell(|| {
        let text = format!("{} falls; a replacement takes over.", battle.leader(leader).name);
        let entry = Entry::new(Kind::Loss, text).side(side).piece(battle.piece_id(Piece::Leader(leader)));
        entry.rule(cite!("5.3.1.b")).rule(cite!("14.0.d"))
    });
}

/// R38: the nearest friendly combat units.
pub(crate) fn nearest(battle: &Battle, state: &State, leader: LeaderId) -> Units {
    let Some(from) = state.leader(leader).post.hex() else { return Units::EMPTY };
    closest(battle, on_map(battle, state, battle.leader(leader).side), from, u16::MAX)
}

/// Of these units the closest to a hex, no further off than `most`.
fn closest(battle: &Battle, units: impl Iterator<Item = (Hex, UnitId)>, from: Hex, most: u16) -> Units {
    let mut found = Units::EMPTY;
    let mut least = most;
    for (hex, unit) in units {
        let distance = battle.map.grid.distance(from, hex);
        if distance < least {
            found = Units::EMPTY;
        }
        if distance <= least {
            least = distance;
            found.insert(unit);
        }
    }
    found
}

/// 9.8.l: the units to which a leader may transfer when `unit` must go back.
pub(crate) fn transfers(battle: &Battle, state: &State, leader: LeaderId, unit: UnitId) -> Units {
    let Some(from) = state.leader(leader).post.hex() else { return Units::EMPTY };
    let side = battle.leader(leader).side;
    let own = on_map(battle, state, side).filter(|&(_, id)| id != unit && battle.commands(leader, id));
    closest(battle, own, from, 3)
}

/// Moves a leader to a unit.
pub(crate) fn join(
    battle: &Battle,
    state: &mut State,
    leader: LeaderId,
    unit: UnitId,
    fx: &mut impl Effects,
) {
    let Some(hex) = state.unit(unit).post.hex() else { return };
    let before = state.leader(leader).post.hex();
    state.leaders[leader.index()].post = Post::On(hex);
    fx.tell(|| {
        let text = format!("{} goes to {}.", battle.leader(leader).name, battle.unit(unit).name);
        let mut entry = Entry::new(Kind::Note, text).side(battle.leader(leader).side).rule(cite!("5.3.2.a"));
        entry = entry.piece(battle.piece_id(Piece::Leader(leader)));
        for hex in before.into_iter().chain([hex]) {
            entry = entry.place(Place::Hex(battle.number(hex)));
        }
        entry
    });
}

/// The leader on the agenda goes to this unit.
pub(crate) fn place_with(
    battle: &Battle,
    state: &mut State,
    leader: LeaderId,
    unit: UnitId,
    fx: &mut impl Effects,
) {
    placed(state);
    join(battle, state, leader, unit, fx);
}

/// The placing of a leader that needs no choice; false when the owner must choose.
pub(crate) fn place(battle: &Battle, state: &mut State, leader: LeaderId, fx: &mut impl Effects) -> bool {
    let units = nearest(battle, state, leader);
    let mut ways = units.iter();
    match (ways.next(), ways.next()) {
        (Some(_), Some(_)) => return false,
        (Some(unit), None) => place_with(battle, state, leader, unit, fx),
        (None, _) => {
            placed(state);
            state.leaders[leader.index()].post = Post::Gone;
            fx.tell(|| {
                let text = format!("{} has no unit left to go to.", battle.leader(leader).name);
                let entry = Entry::new(Kind::Gone, text).side(battle.leader(leader).side);
                entry.piece(battle.piece_id(Piece::Leader(leader))).rule(cite!("5.3.1.c"))
            });
        }
    }
    true
}

/// 5.3.2: leaders of `side` alone in a hex next to `hex`, where an enemy unit now is, must leave.
pub(crate) fn displace_beside(battle: &Battle, state: &mut State, side: Side, hex: Hex) {
    let beside = &battle.map.beside[hex.index()];
    let near =
        |leader: LeaderId| state.leader(leader).post.hex().is_some_and(|at| at == hex || beside.contains(at));
    let lone = battle.leaders_of[side]
        .iter()
        .filter(|&leader| near(leader) && alone(battle, state, leader))
        .collect();
    send_off(state, lone);
}
