//! 4 Turn sequence: the phases of a half-turn, the two halves of a turn, the track.

use game::{Effects, Entry, Kind, Side};

use crate::rules::{combat, command, leaders, movement, night, organization, rally, reinforcements, retreat};
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

/// Who decides in the phase under way, when nothing else is.
pub(crate) fn decider(state: &State) -> Side {
    if state.phase == Phase::Defensive { state.active.enemy() } else { state.active }
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
pub(crate) fn end_phase(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
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
pub(crate) fn command_phase(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    command::determine(battle, state, fx);
    end_phase(battle, state, fx);
}

/// Between two turns: stragglers by night, the turn marker, the end.
pub(crate) fn interval(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
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
pub(crate) fn begin_turn(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
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

/// What may run by itself, by name: the phases, and the steps of a combat.
pub(crate) const STOPS: [&str; 18] = [
    "command",
    "organization",
    "artillery",
    "movement",
    "defensive",
    "offensive",
    "rally",
    "interval",
    "fire",
    "result",
    "lone-leader",
    "casualty",
    "place",
    "morale",
    "rally-check",
    "limber",
    "retreat",
    "rout",
];

/// The phase or step that runs next by itself, if no decision is at hand.
pub(crate) fn upcoming(battle: &Battle, state: &State) -> Option<&'static str> {
    let Some(step) = state.agenda.top() else {
        let passed_over = state.phase != Phase::Over && !has_decision(battle, state);
        return passed_over.then(|| state.phase.id());
    };
    match step {
        Step::Volley => combat::joiners(battle, state).is_empty().then_some("fire"),
        Step::CombatDie { .. } => (!combat::tide_open(state)).then_some("result"),
        Step::LoneLeader { .. } => Some("lone-leader"),
        Step::Casualty { .. } => Some("casualty"),
        Step::Place { leader } => (leaders::nearest(battle, state, leader).len() < 2).then_some("place"),
        Step::Morale { why: Why::Rally, .. } => Some("rally-check"),
        Step::Morale { .. } => Some("morale"),
        Step::Limber { unit } => retreat::limbers(battle, state, unit).then_some("limber"),
        // Before its first hex: what follows hex by hex belongs to it.
        Step::Retreat { rout, class: 0, .. } => Some(if rout { "rout" } else { "retreat" }),
        _ => None,
    }
}
