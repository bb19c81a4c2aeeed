//! 4 Turn sequence: the phases of a half-turn, the two halves of a turn, the track; what runs by itself and what
//! answers do.

use game::{BySide, Effects, Entry, Kind, Now, Side};

use crate::action::Action;
use crate::at::{At, Run};
use crate::rules::leaders;
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

    /// Whether units fire in it.
    pub(crate) const fn is_fire(self) -> bool {
        matches!(self, Phase::Artillery | Phase::Defensive | Phase::Offensive)
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

impl At<'_> {
    /// Whether the phase under way has anything to decide.
    pub(crate) fn has_decision(self) -> bool {
        match self.state.phase {
            Phase::Command | Phase::Interval | Phase::Over => false,
            Phase::Organization => self.can_anyone_organize(),
            Phase::Artillery | Phase::Defensive | Phase::Offensive => self.can_anyone_fire(),
            Phase::Movement => self.can_anyone_move(),
            Phase::Rally => self.who_may_rally().next().is_some(),
        }
    }
}

impl State {
    /// Nobody has fired yet in the phase that begins.
    fn clear_fires(&mut self) {
        self.fired = Units::EMPTY;
        self.targeted = Units::EMPTY;
        self.targeted_leaders = Leaders::EMPTY;
        self.fire = Fire::NONE;
    }
}

impl<F: Effects> Run<'_, F> {
    /// The phase under way is over.
    fn end_phase(&mut self) {
        match self.state.phase {
            Phase::Movement => {
                self.state.mover = None;
                self.state.moved = Units::EMPTY;
                self.state.moved_leaders = Leaders::EMPTY;
                self.state.phase = Phase::Defensive;
                self.state.clear_fires();
                self.announce();
            }
            Phase::Rally => self.end_rally(),
            phase => {
                self.state.phase = phase.next();
                self.begin_phase();
            }
        }
    }

    fn begin_phase(&mut self) {
        self.state.acted = Units::EMPTY;
        self.announce();
        match self.state.phase {
            Phase::Organization => self.complete_works(),
            Phase::Artillery => self.state.clear_fires(),
            _ => {}
        }
    }

    /// 10.1.3, 4.1: FIRED markers come off, and the other player, or the next turn, follows.
    fn end_rally(&mut self) {
        self.state.fired_marks = self.state.fired_marks.without(self.battle.of[self.state.active]);
        self.state.clear_fires();
        self.state.left.clear();
        if self.state.active == self.battle.first {
            self.state.active = self.state.active.enemy();
            self.state.phase = Phase::Command;
            self.begin_phase();
        } else {
            self.state.phase = Phase::Interval;
        }
    }

    /// 5.1: the Command Phase needs no decision.
    fn command_phase(&mut self) {
        self.determine_command();
        self.end_phase();
    }

    /// Between two turns: stragglers by night, the turn marker, the end.
    fn interval(&mut self) {
        if self.battle.turn(self.state).stragglers {
            self.stragglers();
            self.state.tide = BySide { first: true, second: true };
        }
        if usize::from(self.state.turn) + 1 >= self.battle.turns.len() {
            self.state.phase = Phase::Over;
            self.tell(|_| Entry::new(Kind::Time, "The last turn is complete.").rule(cite!("4.2.d")));
            return;
        }
        self.state.turn += 1;
        self.begin_turn();
    }

    /// A new game turn begins with the first player's Command Phase.
    fn begin_turn(&mut self) {
        self.state.active = self.battle.first;
        self.state.phase = Phase::Command;
        self.state.note_adjacent(self.battle);
        self.tell(|at| {
            let turn = at.battle.turn(at.state);
            let night = if turn.night { ", night" } else { "" };
            Entry::new(Kind::Time, format!("Turn {}: {}{night}.", at.state.turn + 1, turn.label))
                .rule(cite!("4.1.a"))
        });
        self.draw_lots();
        self.begin_phase();
    }

    fn announce(&mut self) {
        self.tell(|at| {
            let side = at.state.phase.whose(at.state.active);
            let text = format!("{}: {}.", at.battle.armies[side].name, at.state.phase.words());
            Entry::new(Kind::Time, text).side(side).rule(cite!("4.2.a"))
        });
    }
}

impl At<'_> {
    /// Who must decide.
    pub(crate) fn decider(self) -> Side {
        match self.state.agenda.top() {
            None
            | Some(
                Step::Volley | Step::CombatDie { .. } | Step::LoneLeader { .. } | Step::LeaderDie { .. },
            ) => self.state.firing_side(),
            Some(
                Step::Morale { unit, .. }
                | Step::MoraleDie { unit, .. }
                | Step::Limber { unit }
                | Step::Retreat { unit, .. },
            ) => self.battle.unit(unit).side,
            Some(
                Step::Casualty { leader }
                | Step::Place { leader }
                | Step::Choose { leader, .. }
                | Step::Follow { leader, .. },
            ) => self.battle.leader(leader).side,
            Some(Step::PassedBy { units, .. }) => self.battle.unit(units[0]).side,
            Some(Step::Advance) => self.state.active,
        }
    }

    /// Who must decide, or how the battle ended.
    pub(crate) fn now(self) -> Now {
        if self.state.phase == Phase::Over {
            return Now::Over(self.outcome());
        }
        Now::Decides(self.decider())
    }
}

impl<F: Effects> Run<'_, F> {
    /// Goes on as far as nobody has to decide; false when somebody must, or when the battle is over.
    pub(crate) fn step(&mut self) -> bool {
        if let Some(step) = self.state.agenda.top() {
            return self.run_step(step);
        }
        match self.state.phase {
            Phase::Over => return false,
            Phase::Command => self.command_phase(),
            Phase::Interval => self.interval(),
            _ if self.at().has_decision() => return false,
            _ => self.end_phase(),
        }
        true
    }

    /// Runs the top step as far as it needs no decision; false when it does.
    fn run_step(&mut self, step: Step) -> bool {
        match step {
            Step::Volley => {
                if !self.at().joiners().is_empty() {
                    return false;
                }
                self.open_fire();
            }
            Step::CombatDie { natural } => {
                if self.state.may_reroll_fire() {
                    return false;
                }
                self.resolve_fire(natural);
            }
            Step::LoneLeader { leader } => self.fire_at_lone(leader),
            Step::Casualty { leader } => self.check_casualty(leader),
            Step::Place { leader } => return self.place_leader(leader),
            Step::Morale { unit, why } => self.check_morale(unit, why),
            Step::LeaderDie { .. } | Step::MoraleDie { .. } => return false,
            Step::Limber { unit } => self.limber_in_haste(unit),
            Step::Choose { leader, unit } => {
                let gone = self.state.unit_hex(unit).is_none()
                    || self.state.leader(leader).post != self.state.unit(unit).post;
                if !gone && !self.at().transfers(leader, unit).is_empty() {
                    return false;
                }
                self.state.leader_has_chosen(self.battle, leader, unit);
            }
            Step::Retreat { unit, rout, class } => return self.run_retreat(unit, rout, class),
            Step::PassedBy { units, left } => self.state.next_passed(units, left),
            Step::Advance => {
                if self.at().advances().next().is_some() {
                    return false;
                }
                self.state.agenda.pop();
            }
            Step::Follow { .. } => return false,
        }
        true
    }

    /// Resolves the decision at hand.
    pub(crate) fn answer(&mut self, action: Action) {
        match action {
            Action::Done => self.end_phase(),
            Action::Build { .. } | Action::Raze { .. } | Action::Burn { .. } | Action::Search { .. } => {
                self.organize(action);
            }
            Action::Fire { unit, at } => self.state.declare_fire(unit, at),
            Action::Join { unit } => self.state.fire.firers.insert(unit),
            Action::Open => self.open_fire(),
            Action::March { piece, to } => self.march(piece, to),
            Action::Change { unit, .. } => self.change_formation(unit),
            Action::Tide => self.use_tide(),
            Action::Keep => match self.state.agenda.top() {
                Some(Step::CombatDie { natural }) => self.resolve_fire(natural),
                Some(Step::LeaderDie { leader, natural }) => {
                    self.conclude_lone(leader, leaders::is_hit_by(natural));
                }
                Some(Step::MoraleDie { unit, why, natural }) => {
                    self.keep_morale_die(unit, why, natural);
                }
                _ => {}
            },
            Action::Place { leader, unit: to } => match self.state.agenda.top() {
                Some(Step::Choose { unit, .. }) => {
                    self.join_unit(leader, to);
                    self.state.leader_has_chosen(self.battle, leader, unit);
                }
                _ => self.place_with(leader, to),
            },
            Action::Stay { leader } => {
                if let Some(Step::Choose { unit, .. }) = self.state.agenda.top() {
                    self.state.leader_has_chosen(self.battle, leader, unit);
                }
            }
            Action::Hold => {
                self.state.agenda.pop();
            }
            Action::Retreat { unit, to } => {
                if let Some(Step::Retreat { rout, .. }) = self.state.agenda.top() {
                    self.step_back(unit, rout, to);
                }
            }
            Action::Advance { unit, to } => {
                if let Some(hex) = to.or(self.state.fire.at) {
                    self.advance(unit, hex);
                }
            }
            Action::Follow { leader } => {
                if let Some(Step::Follow { to, .. }) = self.state.agenda.top() {
                    self.state.follow_advance(leader, Some(to));
                }
            }
            Action::Remain { leader } => self.state.follow_advance(leader, None),
            Action::Rally { unit } => {
                self.state.acted.insert(unit);
                self.state.agenda.push(Step::Morale { unit, why: Why::Rally });
            }
        }
    }
}
