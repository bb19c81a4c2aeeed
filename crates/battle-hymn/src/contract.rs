//! The rules as the contract wants them: every step by itself or by a decision.

use game::{Book, BySide, Effects, Now, Refusal, Rules, Side};

use crate::action::Action;
use crate::legal;
use crate::rules::approach;
use crate::rules::{
    advance, bombardment, cavalry, combat, engagement, morale, movement, reinforcements, retreat, sequence,
    victory,
};
use crate::setup::battle::{Battle, SetUp};
use crate::state::{Id, State, Step};

/// Battle Hymn, standard rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BattleHymn;

impl Rules for BattleHymn {
    type Battle = Battle;
    type State = State;
    type Action = Action;

    fn book() -> &'static Book {
        &crate::rulebook::BOOK
    }

    /// 2: an attack that no SP makes draws no fire; retreats drawn by lot look at every hex. 3: dismounted cavalry beyond
    /// its leash comes back. 4: corrections to R12, R21, R26, R30, R32, R40, R50, R59 and R62; who fell back does not advance.
    fn edition() -> &'static str {
        "4"
    }

    fn muster(battle: &Battle) -> State {
        let mut state = State::empty(battle.units.len());
        for id in battle.ids() {
            set_up(battle, &mut state, id);
        }
        for (i, objective) in battle.victory.objectives.iter().enumerate() {
            let holder = state.at(objective.hex).map(|id| battle.side(id));
            state.control[i] = holder.or(objective.control);
        }
        state.agenda.push(Step::Hour);
        state
    }

    fn now(battle: &Battle, state: &State) -> Now {
        match state.outcome {
            Some(outcome) => Now::Over(outcome),
            None => Now::Decides(decider(battle, state)),
        }
    }

    fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
        offers(battle, state, out);
    }

    fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
        orders::check(battle, state, action)
    }

    fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
        answer(battle, state, action, fx);
    }

    fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
        step(battle, state, fx)
    }

    /// Nothing is concealed in the standard rules.
    fn seen_by(_: &Battle, state: &State, _: Side) -> State {
        state.clone()
    }

    fn score(battle: &Battle, state: &State) -> BySide<i32> {
        victory::score(battle, state)
    }
}

fn set_up(battle: &Battle, state: &mut State, id: Id) {
    let unit = battle.unit(id);
    let piece = state.piece_mut(id);
    piece.strength = unit.strength.saturating_sub(unit.lost);
    piece.demoralised = unit.demoralised.min(piece.strength.saturating_sub(1));
    if let SetUp::At(hex) = unit.set_up {
        state.put(id, hex);
    }
    if let Some(horses) = unit.horses {
        cavalry::begin_dismounted(state, id, horses);
    }
}

/// Who must decide.
fn decider(battle: &Battle, state: &State) -> Side {
    let attacker = combat::attacker(state);
    match state.agenda.top() {
        Some(Step::Draw) => state.held.unwrap_or(Side::First),
        Some(Step::March) => movement::mover(battle, state),
        Some(Step::Place(id)) => battle.side(id),
        Some(Step::CavalryRetreat) => attacker.enemy(),
        Some(Step::Split(fire)) => {
            approach::next_to_split(battle, state, fire).map_or(attacker, |id| battle.side(id))
        }
        Some(Step::Checks(_, side)) => side,
        Some(Step::Retreat(retreat)) => battle.side(retreat.unit),
        _ => attacker,
    }
}

fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    if state.outcome.is_some() {
        return;
    }
    let Some(step) = state.agenda.top() else { return };
    match step {
        Step::Draw => out.extend([Action::Combat, Action::Wait]),
        Step::March => movement::offers(battle, state, out),
        Step::Place(unit) => {
            out.extend(morale::placements(battle, state, unit).iter().map(|at| Action::Place { unit, at }))
        }
        Step::CavalryRetreat => {
            out.extend(combat::cavalry_retreats(battle, state).map(|unit| Action::Withdraw { unit }));
            out.push(Action::Pass);
        }
        Step::Bombard => bombardment::offers(battle, state, out),
        Step::Withdraw => {
            out.extend(combat::withdrawals(battle, state).map(|unit| Action::Withdraw { unit }));
            out.push(Action::Pass);
        }
        Step::Engage => engagement::engage_offers(battle, state, out),
        Step::Options => engagement::option_offers(battle, state, out),
        Step::Split(fire) => approach::split_offers(battle, state, fire, out),
        Step::Checks(_, side) => out
            .extend(approach::hit_units(battle, state, side).into_iter().map(|unit| Action::Check { unit })),
        Step::Advance => advance::offers(battle, state, out),
        Step::FallBack | Step::Sweep => combat::fall_back_offers(battle, state, out),
        Step::Retreat(retreat) => {
            let Some((_, choices)) = retreat::choices(battle, state, &retreat) else { return };
            out.extend(choices.hexes.into_iter().map(|to| Action::Retreat { unit: retreat.unit, to }));
            if choices.off {
                out.push(Action::RetreatOff { unit: retreat.unit });
            }
        }
        Step::Hour | Step::Approach | Step::Aim | Step::Fire(..) | Step::NextRound | Step::TimePasses => {}
    }
}

/// Runs the top step by itself; false if somebody must decide.
fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    let Some(top) = state.agenda.top() else { return false };
    match top {
        Step::Hour => sequence::begin_hour(battle, state, fx),
        Step::Draw => return sequence::draw_step(battle, state, fx),
        Step::March => {
            if let Some(only) = movement::forced_return(battle, state) {
                answer(battle, state, &only, fx);
            } else if movement::anything_to_do(battle, state) {
                return false;
            } else {
                movement::end_turn(state);
            }
        }
        Step::Place(unit) => return place_step(battle, state, unit, fx),
        Step::CavalryRetreat => {
            if combat::cavalry_retreats(battle, state).next().is_some() {
                return false;
            }
            combat::end_cavalry_retreats(state);
        }
        Step::Bombard => {
            let open = bombardment::ready(battle, state).next().is_some();
            return asks(state, open);
        }
        Step::Withdraw => {
            let open = combat::withdrawals(battle, state).next().is_some();
            return asks(state, open);
        }
        Step::Approach => approach::begin(battle, state),
        Step::Engage => return engagement::engage_step(battle, state, fx),
        Step::Options => return engagement::options_step(battle, state),
        Step::Aim => engagement::aim(battle, state),
        Step::Split(fire) => return approach::split_step(battle, state, fire, fx),
        Step::Fire(fire, firer, at) => approach::fire_step(battle, state, fire, (firer, at), fx),
        Step::Checks(fire, side) => return approach::checks_step(battle, state, fire, side, fx),
        Step::Advance => {
            let open = advance::open(battle, state).next().is_some();
            return asks(state, open);
        }
        Step::NextRound => engagement::next_round(battle, state),
        Step::FallBack | Step::Sweep => return fall_back_step(battle, state, fx),
        Step::Retreat(retreat) => return retreat::step(battle, state, retreat, fx),
        Step::TimePasses => sequence::time_passes(battle, state, fx),
    }
    true
}

/// A step with an option in it waits; without one it is over.
fn asks(state: &mut State, open: bool) -> bool {
    if !open {
        state.agenda.pop();
    }
    !open
}

fn place_step(battle: &Battle, state: &mut State, unit: Id, fx: &mut impl Effects) -> bool {
    let hexes = morale::placements(battle, state, unit);
    if hexes.len() > 1 {
        return false;
    }
    state.agenda.pop();
    if let Some(hex) = hexes.first() {
        morale::place_unit(battle, state, unit, hex, fx);
    }
    true
}

fn fall_back_step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    let (must, may) = (combat::must_fall_back(battle, state), combat::may_fall_back(battle, state));
    if let (1, true, Some(unit)) = (must.len(), may.is_empty(), must.first()) {
        combat::fall_back(battle, state, unit, fx);
        return true;
    }
    if !must.is_empty() || !may.is_empty() {
        return false;
    }
    end_of_fall_back(state);
    true
}

fn end_of_fall_back(state: &mut State) {
    match state.agenda.top() {
        Some(Step::Sweep) => combat::end_turn(state),
        _ => engagement::end(state),
    }
}

fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
    match *action {
        Action::Combat => {
            if let Some(side) = state.held {
                sequence::use_held_marker(battle, state, side, fx);
            }
        }
        Action::Wait => sequence::draw(battle, state, fx),
        Action::March { unit, to, path } => movement::march(battle, state, unit, to, path, fx),
        Action::Mount { unit } => cavalry::mount(battle, state, unit, fx),
        Action::Dismount { unit, horses } => cavalry::dismount(battle, state, unit, horses, fx),
        Action::Enter { unit, at } => reinforcements::enter(battle, state, unit, at, fx),
        Action::Exit { unit, by } => movement::exit(battle, state, unit, by, fx),
        Action::Rally { unit } => morale::rally(battle, state, unit, fx),
        Action::Place { unit, at } => {
            if state.agenda.top() == Some(Step::Place(unit)) {
                state.agenda.pop();
            } else {
                movement::take_in_hand(battle, state, unit);
                movement::end_move(state);
            }
            morale::place_unit(battle, state, unit, at, fx);
        }
        Action::Done => {
            movement::end_move(state);
            movement::end_turn(state);
        }
        Action::Withdraw { unit } if state.agenda.top() == Some(Step::CavalryRetreat) => {
            combat::cavalry_retreat(battle, state, unit, fx);
        }
        Action::Withdraw { unit } => combat::withdraw(battle, state, unit),
        Action::Bombard { unit, at } => bombardment::bombard(battle, state, unit, at, fx),
        Action::Split { unit, targets, shares } => {
            if let Some(Step::Split(fire)) = state.agenda.top() {
                approach::split(battle, state, fire, unit, &targets, &shares);
            }
        }
        Action::Engage { unit } => engagement::engage(battle, state, unit, fx),
        Action::Attack { unit, at } if state.agenda.top() == Some(Step::Engage) => {
            engagement::open_by_attack(battle, state, unit, at, fx);
        }
        Action::Attack { unit, at } => engagement::attack(battle, state, unit, at),
        Action::Check { unit } => {
            if let Some(Step::Checks(fire, _)) = state.agenda.top() {
                morale::check_after_fire(battle, state, unit, fire, fx);
            }
        }
        Action::Retreat { to, .. } => retreat::go(battle, state, to, fx),
        Action::RetreatOff { .. } => retreat::leave(battle, state, fx),
        Action::Advance { unit, to } => advance::advance(battle, state, unit, to, fx),
        Action::AdvanceInto { to } => advance::advance_at_random(battle, state, to, fx),
        Action::FallBack { unit } => combat::fall_back(battle, state, unit, fx),
        Action::Pass => pass(state),
    }
}

/// Declines or ends what the top step asks about.
fn pass(state: &mut State) {
    match state.agenda.top() {
        Some(Step::CavalryRetreat) => combat::end_cavalry_retreats(state),
        Some(Step::Options) => state.agenda.replace(Step::Aim),
        Some(Step::FallBack | Step::Sweep) => end_of_fall_back(state),
        _ => {
            state.agenda.pop();
        }
    }
}
