//! Chapters 4.2 and 5: the sequence of a turn as steps on the agenda, and whose decision each of them is.

use game::words::{counted, side_does, the, verb};
use game::{Die, Effects, Entry, Kind, Now, RollNote, Side};
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::at::{At, Run};
use crate::rules::charges::ChargeStep;
use crate::rules::melee::MeleeStep;
use crate::rules::morale::After;
use crate::setup::battle::Initiative;
use crate::setup::pieces::{BrigadeId, BrigadeSet, CommanderId, UnitId, UnitSet};
use crate::state::{Flags, Phase};

/// A step on the agenda.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step {
    /// Who goes first is rolled for or given.
    Initiative,
    /// The higher roller chooses.
    ChooseFirst {
        side: Side,
    },
    Turn,
    Round {
        side: Side,
    },
    Attach,
    Charges,
    Activate,
    Orders {
        brigade: BrigadeId,
    },
    BrigadeRides {
        brigade: BrigadeId,
    },
    ArmyRides,
    Shooting,
    ShotTests,
    MeleePhase,
    EndPhase,
    Charge(ChargeStep),
    Melee(MeleeStep),
    Morale {
        unit: UnitId,
        after: After,
    },
    /// A Stubborn unit may roll again.
    Reroll {
        unit: UnitId,
        total: i16,
        after: After,
    },
    Retire {
        unit: UnitId,
    },
    /// Both sides serve alike: the owner picks.
    RetireSide {
        unit: UnitId,
    },
    /// The commander of a Broken unit rides off.
    Flee {
        commander: CommanderId,
    },
}

impl At<'_> {
    /// Who decides, or how it ended.
    pub(crate) fn now(self) -> Now {
        match self.state.outcome {
            Some(outcome) => Now::Over(outcome),
            None => Now::Decides(self.decider().unwrap_or(self.state.active)),
        }
    }

    /// Whose decision the top step is, if it is one.
    pub(crate) fn decider(self) -> Option<Side> {
        let owner = |u: UnitId| self.battle.unit(u).side;
        match self.state.agenda.top()? {
            Step::ChooseFirst { side } => Some(side),
            Step::Attach
            | Step::Charges
            | Step::Activate
            | Step::Orders { .. }
            | Step::BrigadeRides { .. }
            | Step::ArmyRides
            | Step::Shooting
            | Step::MeleePhase => Some(self.state.active),
            Step::ShotTests => Some(!self.state.active),
            Step::Charge(step) => {
                let charge = self.state.charge.as_ref()?;
                match step {
                    ChargeStep::Supports
                    | ChargeStep::Countercharge
                    | ChargeStep::WhoFires
                    | ChargeStep::Odd { .. } => Some(owner(charge.target)),
                    ChargeStep::Tests => self.tests_to_order().first().map(|u| owner(*u)),
                    _ => None,
                }
            }
            Step::Melee(step) => match step {
                MeleeStep::Split => self.odd_dice().map(|(u, _)| owner(u)),
                MeleeStep::Tests => self.flagged(Flags::LOSER).first().map(|u| owner(*u)),
                MeleeStep::Retires => self.retirers().first().map(|u| owner(*u)),
                MeleeStep::Breakthrough => self.state.melee.as_ref()?.winner,
                _ => None,
            },
            Step::Reroll { unit, .. } | Step::RetireSide { unit } => Some(owner(unit)),
            Step::Flee { commander } => Some(self.battle.officer(commander).side),
            _ => None,
        }
    }

    /// Is there something to decide at this step? Nobody is asked who has no choice.
    pub(crate) fn asks(self, top: Step) -> bool {
        match top {
            Step::ChooseFirst { .. } | Step::Reroll { .. } | Step::RetireSide { .. } => true,
            Step::Attach => self.anyone_to_attach(),
            Step::Charges => self.anyone_to_charge(),
            Step::Activate => self.to_activate().len() > 1,
            Step::Orders { brigade } => self.anyone_waits(brigade),
            Step::BrigadeRides { brigade } => self.may_still_ride(self.battle.brigade(brigade).commander),
            Step::ArmyRides => {
                self.battle.army_commander(self.state.active).is_some_and(|c| self.may_still_ride(c))
            }
            Step::Shooting => self.anyone_to_shoot(),
            Step::ShotTests => self.shaky().len() > 1,
            Step::MeleePhase => !self.limbered_in_melee() && self.unfought_melees().len() > 1,
            Step::Charge(step) => match step {
                ChargeStep::Supports
                | ChargeStep::Countercharge
                | ChargeStep::WhoFires
                | ChargeStep::Odd { .. } => true,
                ChargeStep::Tests => !self.tests_to_order().is_empty(),
                _ => false,
            },
            Step::Melee(step) => match step {
                MeleeStep::Split => self.odd_dice().is_some(),
                MeleeStep::Tests => self.flagged(Flags::LOSER).len() > 1,
                MeleeStep::Retires => self.retirers().len() > 1,
                MeleeStep::Breakthrough => true,
                _ => false,
            },
            Step::Flee { commander } => {
                let field = self.field();
                (0..72).any(|i| field.flight(commander, table::Angle::degrees(5 * i)).is_some())
            }
            Step::Initiative
            | Step::Turn
            | Step::Round { .. }
            | Step::EndPhase
            | Step::Morale { .. }
            | Step::Retire { .. } => false,
        }
    }
}

impl<F: Effects> Run<'_, F> {
    /// Runs one step that needs no decision.
    pub(crate) fn step(&mut self) -> bool {
        let Some(top) = self.state.agenda.top().filter(|_| self.state.outcome.is_none()) else {
            return false;
        };
        match top {
            Step::Shooting => self.enter(Phase::Shooting),
            Step::MeleePhase => self.enter(Phase::Melee),
            _ => {}
        }
        if self.at().asks(top) {
            return false;
        }
        match top {
            Step::Initiative => self.initiative(),
            Step::Turn => self.begin_turn(),
            Step::Round { side } => self.begin_round(side),
            Step::Activate => self.state.activate_the_only_one(self.battle),
            Step::ShotTests => self.state.next_shot_test(self.battle),
            Step::MeleePhase => self.next_melee(),
            Step::EndPhase => self.end_phase(),
            Step::Charge(step) => self.run_charge(step),
            Step::Melee(step) => self.melee_step(step),
            Step::Morale { unit, after } => self.test_morale(unit, after),
            Step::Retire { unit } => self.retire_unit(unit, None),
            // Nothing to do here.
            Step::Attach
            | Step::Charges
            | Step::Orders { .. }
            | Step::BrigadeRides { .. }
            | Step::ArmyRides
            | Step::Shooting
            | Step::Flee { .. }
            | Step::ChooseFirst { .. }
            | Step::Reroll { .. }
            | Step::RetireSide { .. } => {
                self.state.agenda.pop();
            }
        }
        true
    }

    /// A D6 each; ties roll again; the higher chooses (4.2.a, G6).
    fn initiative(&mut self) {
        match self.battle.initiative {
            Initiative::Given(side) => {
                self.state.agenda.pop();
                self.state.first = side;
                self.tell_order();
                self.state.agenda.push(Step::Turn);
            }
            Initiative::Rolled => {
                let mut roll = |side: Side| {
                    let note = || {
                        RollNote::new(
                            side_does(&self.battle.armies[side].name, "rolls for initiative"),
                            cite!("4.2.a"),
                        )
                    };
                    self.fx.die(Die::D6, || note().side(side))
                };
                let (first, second) = (roll(Side::First), roll(Side::Second));
                if first != second {
                    let side = if first > second { Side::First } else { Side::Second };
                    self.state.agenda.replace(Step::ChooseFirst { side });
                }
            }
        }
    }

    /// Who goes first, and what the other has for going second.
    fn tell_order(&mut self) {
        self.fx.tell(|| {
            let (first, second) =
                (&self.battle.armies[self.state.first].name, &self.battle.armies[!self.state.first].name);
            let mut text = side_does(first, "goes first");
            if self.battle.second_bonus != 0 {
                let points = counted(self.battle.second_bonus, "point");
                text += &format!("; {} {} {points} for going second", the(second), verb(second, "has"));
            }
            Entry::new(Kind::Note, text + ".").side(self.state.first).rule(cite!("4.2.a"))
        });
    }

    fn begin_turn(&mut self) {
        self.state.agenda.pop();
        self.state.agenda.push(Step::EndPhase);
        self.state.agenda.push(Step::Round { side: !self.state.first });
        self.state.agenda.push(Step::Round { side: self.state.first });
        let turn = self.state.turn;
        self.fx.tell(|| Entry::new(Kind::Time, format!("Turn {turn}")).rule(cite!("4.2.c")));
    }

    /// A phase of the active player begins; what is told from now on belongs to it.
    fn enter(&mut self, phase: Phase) {
        if self.state.phase == phase {
            return;
        }
        self.state.phase = phase;
        let side = self.state.active;
        let name = if phase == Phase::Shooting { "Shooting" } else { "Melee" };
        self.fx.tell(|| {
            Entry::new(Kind::Time, format!("{}: {name} phase", self.battle.armies[side].name))
                .side(side)
                .rule(cite!("4.2.d"))
        });
    }

    /// One player's Command, Shooting and Melee phases (4.2.d); reinforcements come first.
    fn begin_round(&mut self, side: Side) {
        self.state.agenda.pop();
        self.state.active = side;
        self.state.phase = Phase::Command;
        self.state.activated = BrigadeSet::default();
        self.state.charged = UnitSet::default();
        for u in self.battle.all_units() {
            let flags = &mut self.state.unit_mut(u).flags;
            flags.clear(Flags::SILENT | Flags::FOUGHT);
            if self.battle.unit(u).side == side {
                flags.clear(Flags::ORDERED);
            }
        }
        for c in &mut self.state.commanders {
            c.moved = false;
        }
        self.fx.tell(|| {
            Entry::new(Kind::Time, format!("{}: Command phase", self.battle.armies[side].name))
                .side(side)
                .rule(cite!("5.a"))
        });
        self.arrive(side);
        for step in [
            Step::MeleePhase,
            Step::ShotTests,
            Step::Shooting,
            Step::ArmyRides,
            Step::Activate,
            Step::Charges,
            Step::Attach,
        ] {
            self.state.agenda.push(step);
        }
    }

    /// Resolves the decision at hand; the action has been checked.
    pub(crate) fn answer(&mut self, action: &Action) {
        let Some(top) = self.state.agenda.top() else { return };
        match (top, action) {
            (Step::ChooseFirst { side }, Action::Go { first }) => {
                self.state.first = if *first { side } else { !side };
                self.tell_order();
                self.state.agenda.replace(Step::Turn);
            }
            (_, Action::Attach { commander, unit }) => self.attach(*commander, *unit),
            (_, Action::Detach { commander, to }) => self.detach(*commander, *to),
            (_, Action::Charge { target, by }) => self.declare_charge(*target, by),
            (_, Action::Activate { brigade }) => self.state.activate(self.battle, *brigade),
            (Step::Orders { brigade }, Action::Order { unit, order }) => {
                self.issue_order(brigade, *unit, order);
            }
            (_, Action::Ride { commander, to }) => {
                let fleeing = matches!(top, Step::Flee { .. });
                self.state.agenda.pop();
                let moved = self.state.commanders[commander.i()].moved;
                self.ride(*commander, *to);
                if fleeing {
                    // A free move outside the sequence costs him nothing (12.1.a).
                    self.state.commanders[commander.i()].moved = moved;
                }
            }
            (_, Action::Shoot { unit, target }) => self.shoot(*unit, *target),
            (Step::Charge(ChargeStep::Countercharge), yes) => {
                self.countercharge(*yes == Action::Countercharge);
            }
            (_, Action::Pick { unit }) => self.pick(top, *unit),
            (Step::Reroll { .. }, yes) => self.reroll(*yes == Action::Reroll),
            (Step::RetireSide { unit }, Action::Aside { left }) => {
                self.retire_unit(unit, Some(*left));
            }
            (Step::Melee(MeleeStep::Breakthrough), Action::BreakThrough { by }) => {
                self.break_through(by);
            }
            (Step::Melee(MeleeStep::Breakthrough), Action::Pass) => self.break_through(&[]),
            (_, Action::Pass) => {
                self.state.agenda.pop();
            }
            _ => {}
        }
    }

    pub(crate) fn pick(&mut self, top: Step, unit: UnitId) {
        match top {
            Step::ShotTests => self.state.begin_shot_test(unit),
            Step::MeleePhase => self.fight_melee(unit),
            Step::Charge(ChargeStep::Supports) => self.state.supported_by(unit),
            Step::Charge(ChargeStep::WhoFires) => self.state.fires_first(unit),
            Step::Charge(ChargeStep::Odd { shooter }) => self.state.give_odd(shooter, unit),
            Step::Charge(ChargeStep::Tests) => self.state.begin_charge_test(unit),
            Step::Melee(MeleeStep::Split) => {
                if let Some((by, _)) = self.at().odd_dice() {
                    self.state.place_odd_die(by, unit);
                }
            }
            Step::Melee(MeleeStep::Tests) => self.state.begin_melee_test(unit),
            Step::Melee(MeleeStep::Retires) => self.state.begin_retire(unit),
            _ => {}
        }
    }
}
