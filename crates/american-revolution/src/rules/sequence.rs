//! 5. Sequence of Play: what follows what. Every step that may be at hand is listed here, with the side that decides it.

use std::borrow::Cow;

use game::{Effects, Entry, Kind, Now, Side};
use hexmap::Hex;
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::rules::results::Hit;
use crate::rules::{
    advance, army_morale, artillery_fire, close_combat, designation, how_to_win, initiative, intelligence,
    movement, pins, rally, results, retreat, rifle_fire, stacking, tactics, volume,
};
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Phase, State};

/// A step of a procedure under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Step {
    /// A turn begins.
    Turn,
    /// A side declares momentum for the initiative.
    Declare(Side),
    /// The initiative is rolled for.
    Initiative,
    /// A side's player turn.
    PlayerTurn(Side),
    /// A phase of the player turn begins.
    Begin(Phase),
    /// The turn ends.
    EndOfTurn,
    /// Reinforcements are placed.
    Arrivals,
    /// Pieces march.
    Moving,
    /// Movement is over: pins, stacking.
    EndOfMovement,
    /// The stacking limit is looked at.
    Limit,
    /// The owner takes steps off an overstacked hex.
    Overstack(Side, Hex),
    /// Units rally.
    Rallying,
    /// Guns fire.
    Gunfire,
    /// The target in a hex is picked.
    Aiming { by: Pieces, at: Hex, rifles: bool },
    /// A side names its rifle targets.
    Volley(Side),
    /// All rifle fire is rolled.
    Volleys,
    /// What the rifles hit takes effect.
    Hits,
    /// A target of fire suffers.
    Struck { unit: Piece, hit: Hit },
    /// Close combats are announced.
    Designating,
    /// The next close combat is picked.
    NextCombat,
    /// A side names its lead unit.
    Leading(Side),
    /// The attacker's lead unit is named.
    Opening,
    /// The defender may withdraw before combat.
    Withdrawal,
    /// Units withdraw one after the other; true: before combat.
    Withdrawing(Side, bool),
    /// A unit withdraws three hexes.
    SlippingAway(Piece),
    /// A side seals its tactic.
    Tactics(Side),
    /// The tactics are revealed.
    Reveal,
    /// The close combat die.
    Roll,
    /// A side may spend a chit for another roll.
    Momentum(Side),
    /// The result is applied.
    Apply,
    /// A side suffers its part.
    Suffer { side: Side, hit: Hit, exact: bool },
    /// PIN captures.
    PinCaptures,
    /// PIN marks.
    PinMarks,
    /// Somebody picks who is captured.
    Captive(Side, Pieces),
    /// The owner picks who takes the second step.
    SecondLoss(Side, Pieces),
    /// The owner picks which leader falls.
    Casualty(Pieces),
    /// The others check morale.
    Checks(Side),
    /// A unit retreats.
    Retreating { unit: Piece, hexes: u8, disrupts: bool },
    /// Leaders may go with a unit that left their hex.
    Following { leaders: Pieces, to: Hex },
    /// A volume's guns may fire into the melee.
    Grape,
    /// The owner picks who of his own suffers what the grape did.
    Toll(Hit),
    /// Army morale changes that waited take effect.
    Settle,
    /// Momentum gained and surrendered.
    Gains,
    /// The attacker advances.
    Advancing,
    /// The combat is over.
    Close,
    /// The close combat phase is over.
    EndOfCombats,
    /// Disrupted units left next to the enemy take a further D.
    Straggling,
    /// Shattered units next to the enemy are captured.
    EndOfPhase,
}

/// Who decides the step at hand; none when it runs by itself.
#[must_use]
pub fn decider(battle: &Battle, state: &State, step: Step) -> Option<Side> {
    Some(match step {
        Step::Declare(side)
        | Step::Volley(side)
        | Step::Leading(side)
        | Step::Tactics(side)
        | Step::Momentum(side) => side,
        Step::Overstack(side, _)
        | Step::Withdrawing(side, _)
        | Step::Captive(side, _)
        | Step::SecondLoss(side, _) => side,
        Step::Checks(side) => side,
        Step::Arrivals
        | Step::Moving
        | Step::Rallying
        | Step::Designating
        | Step::NextCombat
        | Step::Grape
        | Step::Toll(_)
        | Step::Advancing
        | Step::Straggling => state.phasing,
        Step::Gunfire | Step::Withdrawal => !state.phasing,
        Step::Aiming { by, .. } => artillery_fire::firing_side(battle, by),
        Step::SlippingAway(unit) | Step::Retreating { unit, .. } => battle.side(unit),
        Step::Casualty(from) => from.first().map(|p| battle.side(p))?,
        Step::Following { leaders, .. } => leaders.first().map(|p| battle.side(p))?,
        _ => return None,
    })
}

/// Who decides, or how it ended.
pub(crate) fn now(battle: &Battle, state: &State) -> Now {
    if let Some(ending) = state.ending {
        return Now::Over(how_to_win::outcome(ending));
    }
    let side = state.agenda.top().and_then(|step| decider(battle, state, step));
    Now::Decides(side.unwrap_or(state.phasing))
}

fn phase_rule(phase: Phase) -> game::Rule {
    match phase {
        Phase::Movement => cite!("9.2.a"),
        Phase::Rally => cite!("15.1.a"),
        Phase::Artillery => cite!("11.1.a"),
        Phase::Rifle => cite!("10.1.a"),
        Phase::CloseCombat => cite!("12.21.a"),
        Phase::Initiative | Phase::EndOfTurn => cite!("5.a"),
    }
}

/// A phase as people call it.
#[must_use]
pub const fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Initiative => "Initiative",
        Phase::Movement => "Movement",
        Phase::Rally => "Rally",
        Phase::Artillery => "Defensive Artillery Fire",
        Phase::Rifle => "Rifle Fire",
        Phase::CloseCombat => "Close Combat",
        Phase::EndOfTurn => "End of Turn",
    }
}

fn begin_phase(battle: &Battle, state: &mut State, phase: Phase, fx: &mut impl Effects) {
    state.agenda.pop();
    state.phase = phase;
    state.acted = Pieces::NONE;
    state.targeted = Pieces::NONE;
    state.known = Default::default();
    let side = state.phasing;
    fx.tell(|| {
        Entry::new(Kind::Time, format!("{}: {} phase.", battle.armies[side].name, phase_name(phase)))
            .side(side)
            .rule(phase_rule(phase))
    });
    open_phase(battle, state, phase);
}

/// Puts the steps of a phase on the agenda.
pub(crate) fn open_phase(battle: &Battle, state: &mut State, phase: Phase) {
    let side = state.phasing;
    match phase {
        Phase::Movement => {
            state.agenda.push(Step::EndOfMovement);
            state.agenda.push(Step::Moving);
            state.agenda.push(Step::Arrivals);
        }
        Phase::Rally => {
            rally::begin(battle, state);
            state.agenda.push(Step::Rallying);
        }
        Phase::Artillery => state.agenda.push(Step::Gunfire),
        Phase::Rifle => {
            state.agenda.push(Step::Volleys);
            state.agenda.push(Step::Volley(!side));
            state.agenda.push(Step::Volley(side));
        }
        Phase::CloseCombat => {
            designation::begin(battle, state);
            state.agenda.push(Step::EndOfCombats);
            state.agenda.push(Step::NextCombat);
            state.agenda.push(Step::Designating);
        }
        Phase::Initiative | Phase::EndOfTurn => {}
    }
}

/// The five phases of a player turn, in their fixed order (5.b).
fn player_turn(state: &mut State, side: Side) {
    state.agenda.pop();
    state.phasing = side;
    for phase in [Phase::CloseCombat, Phase::Rifle, Phase::Artillery, Phase::Rally, Phase::Movement] {
        state.agenda.push(Step::Begin(phase));
    }
}

fn end_of_combats(battle: &Battle, state: &mut State) {
    state.agenda.pop();
    state.were_pinned.clear();
    state.diverted = Pieces::NONE;
    state.excused = Pieces::NONE;
    state.owed = Pieces::NONE;
    state.driven = Pieces::NONE;
    state.waiting = results::stragglers(battle, state);
    state.netting = true;
    state.agenda.push(Step::EndOfPhase);
    state.agenda.push(Step::Settle);
    state.agenda.push(Step::Straggling);
}

fn end_of_turn(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    state.phase = Phase::EndOfTurn;
    if !how_to_win::end_of_turn(battle, state, fx) {
        state.turn += 1;
        state.agenda.push(Step::Turn);
    }
}

/// Runs one step that needs no decision (the contract's `step`).
pub(crate) fn run(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    if state.ending.is_some() {
        return false;
    }
    let Some(step) = state.agenda.top() else { return false };
    let nothing_to_do = |state: &mut State, idle: bool| {
        if idle {
            state.agenda.pop();
        }
        idle
    };
    match step {
        Step::Turn => {
            state.agenda.pop();
            initiative::begin(battle, state, fx);
        }
        Step::Declare(side) => return nothing_to_do(state, state.chits[side] == 0),
        Step::Initiative => initiative::roll(battle, state, fx),
        Step::PlayerTurn(side) => player_turn(state, side),
        Step::Begin(phase) => begin_phase(battle, state, phase, fx),
        Step::EndOfTurn => end_of_turn(battle, state, fx),
        Step::Arrivals => {
            let idle = movement::arrivals(battle, &deciding(battle, state, step)).is_empty();
            return nothing_to_do(state, idle);
        }
        Step::Moving => return false,
        Step::EndOfMovement => movement::end_of_movement(battle, state, fx),
        Step::Limit => {
            state.agenda.pop();
            stacking::enforce(battle, state);
        }
        Step::Overstack(side, hex) => {
            let done = stacking::step_overstack(battle, state, side, hex, fx);
            if done && state.agenda.top() != Some(step) && state.ending.is_none() {
                stacking::enforce(battle, state);
            }
            return done;
        }
        Step::Rallying => {
            let idle = rally::eligible(battle, &deciding(battle, state, step)).is_empty()
                && !rally::may_send_anybody_home(battle, state);
            return nothing_to_do(state, idle);
        }
        Step::Gunfire => {
            let idle = !artillery_fire::anybody(battle, &deciding(battle, state, step));
            return nothing_to_do(state, idle);
        }
        Step::Aiming { by, at, rifles } => {
            return artillery_fire::step_aiming(battle, state, by, at, rifles, fx);
        }
        Step::Volley(side) => {
            let idle = !rifle_fire::anybody(battle, &deciding(battle, state, step), side);
            return nothing_to_do(state, idle);
        }
        Step::Volleys => rifle_fire::resolve(battle, state, fx),
        Step::Hits => rifle_fire::step_hits(battle, state),
        Step::Struck { unit, hit } => artillery_fire::struck(battle, state, unit, hit, fx),
        Step::Designating => {
            let idle = !designation::anybody(battle, &deciding(battle, state, step));
            if idle {
                announced(battle, state);
            }
            return idle;
        }
        Step::NextCombat => return close_combat::step_next(battle, state, fx),
        Step::Leading(side) => return close_combat::step_leading(battle, state, side, fx),
        Step::Opening => close_combat::opening(battle, state),
        Step::Withdrawal | Step::Tactics(_) => return false,
        Step::Withdrawing(side, _) => return retreat::step_withdrawing(battle, state, side),
        Step::SlippingAway(unit) => return retreat::step_slipping(battle, state, unit, fx),
        Step::Reveal => tactics::reveal(battle, state, fx),
        Step::Roll => close_combat::roll(battle, state, fx),
        Step::Momentum(side) => return nothing_to_do(state, state.chits[side] == 0),
        Step::Apply => close_combat::apply(battle, state, fx),
        Step::Suffer { side, hit, exact } => results::suffer(battle, state, side, hit, exact, fx),
        Step::PinCaptures => results::pin_captures(battle, state, fx),
        Step::PinMarks => results::pin_marks(battle, state, fx),
        Step::Captive(_, from) | Step::SecondLoss(_, from) | Step::Casualty(from) => {
            return results::step_choice(battle, state, from, fx);
        }
        Step::Checks(side) => return results::step_checks(battle, state, side, fx),
        Step::Retreating { unit, hexes, disrupts } => {
            return retreat::step(battle, state, unit, hexes, disrupts, fx);
        }
        Step::Following { leaders, .. } => return nothing_to_do(state, leaders.is_empty()),
        Step::Settle => {
            state.agenda.pop();
            army_morale::settle(battle, state, fx);
        }
        Step::Grape => {
            let idle = volume::grape_marks(battle, state).is_empty();
            return nothing_to_do(state, idle);
        }
        Step::Toll(_) => return results::step_choice(battle, state, volume::toll(state), fx),
        Step::Gains => close_combat::gains(battle, state, fx),
        Step::Advancing => return advance::step_advancing(battle, state, fx),
        Step::Close => close_combat::close(battle, state, fx),
        Step::EndOfCombats => end_of_combats(battle, state),
        Step::Straggling => {
            let rest = state.waiting & state.on_map();
            return results::step_choice(battle, state, rest, fx);
        }
        Step::EndOfPhase => {
            state.agenda.pop();
            results::shattered_captures(battle, state, fx);
            if state.ending.is_none() {
                results::send_home(battle, state, fx);
                state.defended = Pieces::NONE;
            }
        }
    }
    true
}

/// All close combats are announced: pin markers come off (12.22.a).
fn announced(battle: &Battle, state: &mut State) {
    state.agenda.pop();
    pins::remove_all(battle, state);
}

/// The position by which the step at hand is decided: where a side chooses what to do, as it takes it to be (R92); where
/// a result is carried out, as it is.
pub(crate) fn deciding<'s>(battle: &Battle, state: &'s State, step: Step) -> Cow<'s, State> {
    match step {
        Step::Arrivals
        | Step::Moving
        | Step::Rallying
        | Step::Gunfire
        | Step::Volley(_)
        | Step::Designating => {
            let side = decider(battle, state, step).unwrap_or(state.phasing);
            intelligence::believed(battle, state, side)
        }
        _ => Cow::Borrowed(state),
    }
}

/// Resolves the decision at hand.
pub(crate) fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
    let Some(step) = state.agenda.top() else { return };
    match (step, *action) {
        (Step::Declare(side), Action::Spend(chits)) => initiative::spend(battle, state, side, chits, fx),
        (Step::Declare(side), Action::Dictate(first)) => initiative::dictate(battle, state, side, first, fx),
        (Step::Arrivals, Action::Enter(piece)) => movement::enter(battle, state, piece, fx),
        (Step::Moving, Action::March { piece, way, .. }) => movement::march(battle, state, piece, way, fx),
        (Step::Moving, Action::Leave(piece)) => movement::leave(battle, state, piece, fx),
        (Step::Moving, Action::Peek(hex)) => stacking::peek(battle, state, state.phasing, hex, fx),
        (Step::Moving, Action::Hearten) => movement::hearten(battle, state, fx),
        (Step::Moving, Action::Hasten(turn)) => volume::hasten(battle, state, turn, fx),
        (Step::Rallying, Action::Rally(unit)) => rally::rally(battle, state, unit, fx),
        (Step::Rallying, Action::Dismiss(unit)) => {
            rally::dismiss(battle, state, unit, cite!("guilford-court-house.c"), fx)
        }
        (Step::Gunfire, Action::Bombard { guns, at }) => {
            artillery_fire::commit(battle, state, guns, at, false, fx)
        }
        (Step::Volley(_), Action::Shoot { rifles, at }) => {
            artillery_fire::commit(battle, state, rifles, at, true, fx)
        }
        (Step::Aiming { by, rifles, .. }, Action::Target(unit)) => {
            artillery_fire::aim(battle, state, by, unit, rifles, fx)
        }
        (Step::Designating, Action::Attack { unit, at, .. }) => {
            designation::attack(battle, state, unit, at, fx)
        }
        (Step::Designating, Action::Divert(hex)) => {
            state.diverted = state.units_in(battle, hex, !state.phasing)
        }
        (Step::Designating, Action::Done) => announced(battle, state),
        (Step::NextCombat, Action::Resolve(hex)) => close_combat::resolve(battle, state, hex, fx),
        (Step::Leading(side), Action::Lead(unit)) => close_combat::lead(battle, state, side, unit, fx),
        (Step::Withdrawal, Action::Withdraw) => close_combat::withdraw(battle, state, fx),
        (Step::SlippingAway(unit), Action::Retreat { way, .. }) => {
            retreat::slip(battle, state, unit, way, fx)
        }
        (Step::Tactics(side), Action::Play(tactic)) => tactics::seal(battle, state, side, tactic, fx),
        (Step::Momentum(side), Action::Reroll) => close_combat::reroll(battle, state, side, fx),
        (Step::Grape, Action::Target(unit)) => volume::fire_grape(battle, state, unit, fx),
        (Step::Retreating { unit, disrupts, .. }, Action::Retreat { way, .. }) => {
            retreat::go(battle, state, unit, way, disrupts, fx)
        }
        (Step::Retreating { unit, .. }, Action::Shed) => retreat::shed(battle, state, unit, fx),
        (Step::Retreating { unit, .. }, Action::Yield) => retreat::give_up(battle, state, unit, fx),
        (Step::Following { leaders, to }, Action::Follow(leader)) => {
            follow(battle, state, leaders, leader, to, fx)
        }
        (Step::Advancing, Action::Advance { unit, to }) => advance::advance(battle, state, unit, to, fx),
        (_, Action::Pick(piece)) => results::pick(battle, state, piece, fx),
        (_, Action::Done) => {
            state.agenda.pop();
        }
        _ => {}
    }
}

/// A leader goes along (13.25.a, 14.31.b, R62).
fn follow(
    battle: &Battle,
    state: &mut State,
    leaders: Pieces,
    leader: Piece,
    to: Hex,
    fx: &mut impl Effects,
) {
    state.agenda.replace(Step::Following { leaders: leaders.without(leader), to });
    state.place(leader, to);
    pins::forget(battle, state, leader);
    fx.tell(|| {
        Entry::new(
            Kind::March,
            format!("{} goes along to {}.", battle.counter(leader).name, battle.hex_name(to)),
        )
        .side(battle.side(leader))
        .rule(cite!("13.25.a"))
        .piece(leader.id())
    });
}
