//! 4 Turn sequence: the phases of a half-turn, the two halves of a turn, the track; what runs by itself and what answers do.

use game::{Effects, Entry, Kind, Now, Side};

use crate::action::Action;
use crate::rules::{
    advance, combat, command, leaders, movement, night, organization, rally, reinforcements, results,
    retreat, tide, victory,
};
use crate::setup::battle::Battle;
use crate::state::{Fire, Leaders, Phase, State, Step, Units, Why};

impl Phase {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Phase::Command => "Command Phase",
            Phase::Organization => "Organization Phase",
            Phase::Artillery => "Offensive Artillery Phase",
            Phase::Movement => "Movement Phase",
            Phase::Defensive => "Combat Phase, defensive fire",
            Phase::Offensive => "Combat Phase, offensive fire",
            Phase::Rally => "Rally Phase",
            Phase::Interval => "end of the turn",
            Phase::Over => "the battle is over",
        }
    }

    /// Who acts in it, when it is this player's turn: the enemy fires defensively.
    #[must_use]
    pub const fn whose(self, active: Side) -> Side {
        match self {
            Phase::Defensive => active.enemy(),
            _ => active,
        }
    }

    /// In files and facts.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Phase::Command => "command",
            Phase::Organization => "organization",
            Phase::Artillery => "artillery",
            Phase::Movement => "movement",
            Phase::Defensive => "defensive",
            Phase::Offensive => "offensive",
            Phase::Rally => "rally",
            Phase::Interval => "interval",
            Phase::Over => "over",
        }
    }

    /// 4.2: what comes next.
    fn next(self) -> Phase {
        match self {
            Phase::Command => Phase::Organization,
            Phase::Organization => Phase::Artillery,
            Phase::Artillery => Phase::Movement,
            Phase::Movement => Phase::Defensive,
            Phase::Defensive => Phase::Offensive,
            Phase::Offensive => Phase::Rally,
            Phase::Rally | Phase::Interval => Phase::Interval,
            Phase::Over => Phase::Over,
        }
    }
}

/// Whether the phase under way has anything to decide.
pub(crate) fn has_decision(battle: &Battle, state: &State) -> bool {
    match state.phase {
        Phase::Command | Phase::Interval | Phase::Over => false,
        Phase::Organization => organization::anything(battle, state),
        Phase::Artillery | Phase::Defensive | Phase::Offensive => combat::anything(battle, state),
        Phase::Movement => movement::anything(battle, state),
        Phase::Rally => rally::candidates(battle, state).next().is_some(),
    }
}

/// The phase under way is over.
fn end_phase(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    match state.phase {
        Phase::Movement => {
            state.mover = None;
            state.moved = Units::EMPTY;
            state.moved_leaders = Leaders::EMPTY;
            state.phase = Phase::Defensive;
            clear_fires(state);
            announce(battle, state, fx);
        }
        Phase::Rally => end_rally(battle, state, fx),
        phase => {
            state.phase = phase.next();
            begin_phase(battle, state, fx);
        }
    }
}

fn begin_phase(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.acted = Units::EMPTY;
    announce(battle, state, fx);
    match state.phase {
        Phase::Organization => organization::complete(battle, state, fx),
        Phase::Artillery => clear_fires(state),
        _ => {}
    }
}

fn clear_fires(state: &mut State) {
    state.fired = Units::EMPTY;
    state.targeted = Units::EMPTY;
    state.targeted_leaders = Leaders::EMPTY;
    state.fire = Fire::NONE;
}

/// 10.1.3, 4.1: FIRED markers come off, and the other player, or the next turn, follows.
fn end_rally(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.fired_marks = state.fired_marks.without(battle.of[state.active]);
    clear_fires(state);
    if state.active == battle.first {
        state.active = state.active.enemy();
        state.phase = Phase::Command;
        begin_phase(battle, state, fx);
    } else {
        state.phase = Phase::Interval;
    }
}

/// 5.1: the Command Phase needs no decision.
fn command_phase(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    command::determine(battle, state, fx);
    end_phase(battle, state, fx);
}

/// Between two turns: stragglers by night, the turn marker, the end.
fn interval(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    if battle.turn(state).stragglers {
        night::stragglers(battle, state, fx);
        state.tide = game::BySide { first: true, second: true };
    }
    if usize::from(state.turn) + 1 >= battle.turns.len() {
        state.phase = Phase::Over;
        fx.tell(|| Entry::new(Kind::Time, "The last turn is complete.").rule(cite!("4.2.d")));
        return;
    }
    state.turn += 1;
    begin_turn(battle, state, fx);
}

/// A new game turn begins with the first player's Command Phase.
fn begin_turn(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.active = battle.first;
    state.phase = Phase::Command;
    night::note_adjacent(battle, state);
    fx.tell(|| {
        let turn = battle.turn(state);
        let night = if turn.night { ", night" } else { "" };
        Entry::new(Kind::Time, format!("Turn {}: {}{night}.", state.turn + 1, turn.label))
            .rule(cite!("4.1.a"))
    });
    reinforcements::draw_lots(battle, state, fx);
    begin_phase(battle, state, fx);
}

fn announce(battle: &Battle, state: &State, fx: &mut impl Effects) {
    fx.tell(|| {
        let side = state.phase.whose(state.active);
        let text = format!("{}: {}.", battle.armies[side].name, state.phase.words());
        Entry::new(Kind::Time, text).side(side).rule(cite!("4.2.a"))
    });
}

/// Who must decide.
pub(crate) fn decider(battle: &Battle, state: &State) -> Side {
    match state.agenda.top() {
        None => combat::firing_side(state),
        Some(Step::Volley | Step::CombatDie { .. } | Step::LoneLeader { .. } | Step::LeaderDie { .. }) => {
            combat::firing_side(state)
        }
        Some(
            Step::Morale { unit, .. }
            | Step::MoraleDie { unit, .. }
            | Step::Limber { unit }
            | Step::Retreat { unit, .. },
        ) => battle.unit(unit).side,
        Some(
            Step::Casualty { leader }
            | Step::Place { leader }
            | Step::Choose { leader, .. }
            | Step::Follow { leader, .. },
        ) => battle.leader(leader).side,
        Some(Step::PassedBy { units, .. }) => battle.unit(units[0]).side,
        Some(Step::Advance) => state.active,
    }
}

/// Who must decide, or how the battle ended.
pub(crate) fn now(battle: &Battle, state: &State) -> Now {
    if state.phase == Phase::Over {
        return Now::Over(victory::outcome(battle, state));
    }
    Now::Decides(decider(battle, state))
}

/// Goes on as far as nobody has to decide; false when somebody must, or when the battle is over.
pub(crate) fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    if let Some(step) = state.agenda.top() {
        return run_step(battle, state, step, fx);
    }
    match state.phase {
        Phase::Over => return false,
        Phase::Command => command_phase(battle, state, fx),
        Phase::Interval => interval(battle, state, fx),
        _ if has_decision(battle, state) => return false,
        _ => end_phase(battle, state, fx),
    }
    true
}

/// Runs the top step as far as it needs no decision; false when it does.
fn run_step(battle: &Battle, state: &mut State, step: Step, fx: &mut impl Effects) -> bool {
    match step {
        Step::Volley => {
            if !combat::joiners(battle, state).is_empty() {
                return false;
            }
            combat::open_fire(battle, state, fx);
        }
        Step::CombatDie { natural } => {
            if combat::tide_open(state) {
                return false;
            }
            combat::resolve(battle, state, natural, fx);
        }
        Step::LoneLeader { leader } => leaders::fire_at_lone(battle, state, leader, fx),
        Step::Casualty { leader } => leaders::check_casualty(battle, state, leader, fx),
        Step::Place { leader } => return leaders::place(battle, state, leader, fx),
        Step::Morale { unit, why } => results::check(battle, state, unit, why, fx),
        Step::LeaderDie { .. } | Step::MoraleDie { .. } => return false,
        Step::Limber { unit } => retreat::limber(battle, state, unit, fx),
        Step::Choose { leader, unit } => {
            let gone =
                state.unit(unit).post.hex().is_none() || state.leader(leader).post != state.unit(unit).post;
            if !gone && !leaders::transfers(battle, state, leader, unit).is_empty() {
                return false;
            }
            retreat::chosen(battle, state, leader, unit);
        }
        Step::Retreat { unit, rout, class } => return retreat::run(battle, state, unit, rout, class, fx),
        Step::PassedBy { units, left } => retreat::next_passed(state, units, left),
        Step::Advance => {
            if advance::candidates(battle, state).next().is_some() {
                return false;
            }
            state.agenda.pop();
        }
        Step::Follow { .. } => return false,
    }
    true
}

/// Resolves the decision at hand.
pub(crate) fn answer(battle: &Battle, state: &mut State, action: Action, fx: &mut impl Effects) {
    match action {
        Action::Done => end_phase(battle, state, fx),
        Action::Build { .. } | Action::Raze { .. } | Action::Burn { .. } | Action::Search { .. } => {
            organization::perform(battle, state, action, fx);
        }
        Action::Fire { unit, at } => combat::declare(state, unit, at),
        Action::Join { unit } => state.fire.firers.insert(unit),
        Action::Open => combat::open_fire(battle, state, fx),
        Action::March { piece, to } => movement::march(battle, state, piece, to, fx),
        Action::Change { unit, .. } => movement::change(battle, state, unit, fx),
        Action::Tide => tide::use_marker(battle, state, fx),
        Action::Keep => match state.agenda.top() {
            Some(Step::CombatDie { natural }) => combat::resolve(battle, state, natural, fx),
            Some(Step::LeaderDie { leader, natural }) => {
                leaders::conclude_lone(battle, state, leader, leaders::is_hit_by(natural), fx);
            }
            Some(Step::MoraleDie { unit, why, natural }) => {
                results::stand(battle, state, unit, why, natural, fx);
            }
            _ => {}
        },
        Action::Place { leader, unit: to } => match state.agenda.top() {
            Some(Step::Choose { unit, .. }) => {
                leaders::join(battle, state, leader, to, fx);
                retreat::chosen(battle, state, leader, unit);
            }
            _ => leaders::place_with(battle, state, leader, to, fx),
        },
        Action::Stay { leader } => {
            if let Some(Step::Choose { unit, .. }) = state.agenda.top() {
                retreat::chosen(battle, state, leader, unit);
            }
        }
        Action::Hold => {
            state.agenda.pop();
        }
        Action::Retreat { unit, to } => {
            if let Some(Step::Retreat { rout, .. }) = state.agenda.top() {
                retreat::go(battle, state, unit, rout, to, fx);
            }
        }
        Action::Advance { unit, to } => {
            if let Some(hex) = to.or(state.fire.at) {
                advance::advance(battle, state, unit, hex, fx);
            }
        }
        Action::Follow { leader } => {
            if let Some(Step::Follow { to, .. }) = state.agenda.top() {
                advance::follow(state, leader, Some(to));
            }
        }
        Action::Remain { leader } => advance::follow(state, leader, None),
        Action::Rally { unit } => {
            state.acted.insert(unit);
            state.agenda.push(Step::Morale { unit, why: Why::Rally });
        }
    }
}
