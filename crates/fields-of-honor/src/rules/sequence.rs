//! The sequence of play: nine phases, their steps, who decides what, and what each answer does (qrs.sequence, seq.*).

use game::words::side_does;
use game::{Effects, Entry, Kind, Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::at::{At, Run};
use crate::cite;
use crate::state::{BodyId, Go, Marks};

/// The phases of a turn, the orders before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Orders,
    Replacement,
    Reaction,
    Charge,
    Movement,
    Fire,
    Melee,
    LeaderLoss,
    Morale,
    Rout,
}

impl Phase {
    pub const NAMES: [&'static str; 10] = [
        "orders",
        "replacement",
        "reaction",
        "charge",
        "movement",
        "fire",
        "melee",
        "leader-loss",
        "morale",
        "rout",
    ];
    pub const ALL: [Phase; 10] = [
        Phase::Orders,
        Phase::Replacement,
        Phase::Reaction,
        Phase::Charge,
        Phase::Movement,
        Phase::Fire,
        Phase::Melee,
        Phase::LeaderLoss,
        Phase::Morale,
        Phase::Rout,
    ];

    /// In a heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Orders => "Orders",
            Phase::Replacement => "Leader replacement",
            Phase::Reaction => "Reaction",
            Phase::Charge => "Charge",
            Phase::Movement => "Movement",
            Phase::Fire => "Fire",
            Phase::Melee => "Melee",
            Phase::LeaderLoss => "Leader casualties",
            Phase::Morale => "Morale",
            Phase::Rout => "Rout and pursuit",
        }
    }

    fn next(self) -> Phase {
        Phase::ALL[(self as usize + 1) % 10]
    }
}

/// A step of a procedure under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step {
    /// This phase begins.
    Begin(Phase),
    /// The turn is over.
    TurnEnd,
    /// Both roll for the initiative of this phase.
    Initiative(Phase),
    /// The averaging dice of the Movement Phase.
    Batches,
    /// A side issues orders.
    Orders {
        side: Side,
    },
    /// Leaders out of action are replaced.
    Replacements,
    /// The next unit takes its Reaction Test.
    Reactions,
    /// Shots at scouts.
    ScoutShots,
    /// A side looks for markers.
    Sight {
        side: Side,
    },
    /// A side's leaders may ride before its units test their morale.
    Leads {
        side: Side,
    },
    /// The next charge.
    Charges,
    ChargerTests,
    TargetTest {
        target: u8,
    },
    React {
        target: u8,
    },
    /// The target has left its place: it is taken, and pursuit is tested.
    GaveWay {
        target: u8,
    },
    Support,
    ChargeFire,
    /// The next of the fires on the chargers is rolled, the first of them their targets'; when all are, they strike together.
    ChargeVolleys {
        next: u8,
        own: u8,
    },
    AfterFire {
        target: u8,
    },
    Home {
        charger: u8,
    },
    ChargeEnd,
    /// The next move.
    Moves,
    March,
    /// The enemy of the mover may interrupt.
    Interrupt,
    /// A side declares fire.
    Declare {
        side: Side,
        moving: bool,
    },
    /// What was declared is turned over.
    Resolve,
    /// The next of the declared fires is rolled; when all are, they strike together.
    Volleys {
        next: u8,
    },
    /// The next melee.
    Melees,
    /// Whoever has several enemies in the melee of this body shares out his dice.
    Splits {
        of: BodyId,
    },
    Split {
        body: BodyId,
    },
    Brawl {
        body: BodyId,
    },
    /// Leaders with units that lost stands are at risk.
    LeaderLosses,
    /// The bodies from this one on take their tests of the Morale Phase.
    MoraleTests {
        next: u8,
    },
    /// Those whom a test of the Morale Phase moves go back, one after the other.
    GoBacks,
    /// Those whom others provoked test, one after the other.
    Provoked,
    /// The bodies from this one on that passed in melee are asked what they do.
    AfterTests {
        next: u8,
    },
    AfterTest {
        body: BodyId,
    },
    Pursuits,
    Pursue {
        by: BodyId,
        quarry: BodyId,
    },
    PursuitChoice {
        by: BodyId,
        quarry: BodyId,
        total: i8,
    },
    /// Those who have rallied choose their formations, one after the other.
    Reforms,
    Reform {
        body: BodyId,
    },
    EndMorale,
    Recover {
        side: Side,
    },
    /// The bodies from this one on make the moves of the Rout and Pursuit Phase.
    Flights {
        next: u8,
    },
}

impl At<'_> {
    /// The side that must decide, if the step on top needs a decision.
    pub(crate) fn decides(self) -> Option<Side> {
        Some(match self.state.agenda.top()? {
            Step::Orders { side }
            | Step::Leads { side }
            | Step::Sight { side }
            | Step::Declare { side, .. }
            | Step::Recover { side } => side,
            Step::Reactions | Step::Charges | Step::Moves | Step::Melees => self.state.turn_of,
            Step::React { target } => self.side_of(self.state.charge.targets[usize::from(target)].body),
            Step::Support => self.side_of(self.state.charge.targets.first()?.body),
            Step::Interrupt => self.side_of(self.state.march.unit?).enemy(),
            Step::Split { body } | Step::AfterTest { body } | Step::Reform { body } => self.side_of(body),
            Step::PursuitChoice { by, .. } => self.side_of(by),
            _ => return None,
        })
    }

    /// Whether somebody is asked, at a step that is nothing but a question.
    fn asks(self, step: Step) -> Option<bool> {
        Some(match step {
            Step::Orders { side } => self.has_orders(side),
            Step::Sight { side } => self.can_spot(side),
            Step::Leads { side } => self.may_help(side),
            Step::Support => self.fire_supporters().next().is_some(),
            Step::Interrupt => {
                let there = self.state.march.unit.is_some_and(|u| self.body(u).on_table());
                there && !self.state.march.waved && self.can_interrupt()
            }
            Step::Declare { side, moving } => self.has_fire(side, moving),
            Step::AfterTest { body } => self.has_choice_after_test(body),
            Step::Recover { side } => self.recoverers(side),
            Step::Reform { body } => {
                let body = self.body(body);
                body.on_table() && !body.order.broken()
            }
            Step::React { .. } | Step::PursuitChoice { .. } | Step::Split { .. } => true,
            _ => return None,
        })
    }
}

impl Step {
    /// Whether the player may go on without doing anything.
    pub(crate) fn may_be_passed(self) -> bool {
        matches!(
            self,
            Step::Orders { .. }
                | Step::Leads { .. }
                | Step::Sight { .. }
                | Step::Charges
                | Step::Support
                | Step::Moves
                | Step::Interrupt
                | Step::Declare { .. }
                | Step::Recover { .. }
        )
    }
}

impl<F: Effects> Run<'_, F> {
    /// Runs the step on top if nobody has to decide it; false if somebody has.
    pub(crate) fn step(&mut self) -> bool {
        if self.state.over.is_some() {
            return false;
        }
        let Some(step) = self.state.agenda.top() else { return false };
        self.state.scene = self.state.scene_of_phase();
        if let Some(asks) = self.at().asks(step) {
            if !asks {
                self.state.agenda.pop();
            }
            return !asks;
        }
        match step {
            Step::Begin(phase) => {
                self.state.agenda.replace(Step::Begin(phase.next()));
                self.begin_phase(phase);
            }
            Step::Initiative(phase) => self.roll_initiative(phase),
            Step::Batches => self.roll_batches(),
            Step::Reactions => return self.next_reaction(),
            Step::Charges => return self.state.next_charge(self.battle),
            Step::ChargerTests => self.charger_tests(),
            Step::TargetTest { target } => self.target_test(usize::from(target)),
            Step::ChargeFire => self.state.charge_fire(self.battle),
            Step::ChargeVolleys { next, own } => self.charge_volley(next, own),
            Step::AfterFire { target } => self.after_fire(usize::from(target)),
            Step::Home { charger } => self.charge_home(usize::from(charger)),
            Step::Moves => return self.state.next_move(self.battle),
            Step::March => self.march_on(),
            Step::Volleys { next } => self.next_volley(next),
            Step::Melees => return self.state.next_melee(),
            Step::Splits { of } => self.state.next_split(self.battle, of),
            Step::MoraleTests { next } => self.test_next(next),
            Step::GoBacks => self.next_goes_back(),
            Step::Provoked => self.next_provoked(),
            Step::AfterTests { next } => self.state.ask_the_steady(next),
            Step::Pursuits => self.state.next_pursuit(),
            Step::Reforms => self.state.next_reform(),
            Step::Flights { next } => self.flee_next(next),
            once => {
                self.state.agenda.pop();
                self.run_once(once);
            }
        }
        true
    }

    /// Runs a step that is over as soon as it has run.
    fn run_once(&mut self, step: Step) {
        match step {
            Step::TurnEnd => self.turn_end(),
            Step::Replacements => self.replace_leaders(),
            Step::ScoutShots => self.snipe_scouts(),
            Step::GaveWay { target } => self.gave_way(usize::from(target)),
            Step::ChargeEnd => self.charge_end(),
            Step::Resolve => self.show_declared_fire(),
            Step::Brawl { body } => {
                self.fight_melee(body);
                self.state.shares.clear();
            }
            Step::LeaderLosses => self.leader_losses(),
            Step::Pursue { by, quarry } => self.pursue(by, quarry),
            Step::EndMorale => self.end_morale(),
            _ => {}
        }
    }

    fn begin_phase(&mut self, phase: Phase) {
        self.state.phase = phase;
        self.state.scene = 0;
        self.state.go = Go { batch: self.state.go.batch, ..Go::default() };
        if phase != Phase::Orders {
            self.tell(|at| {
                let text = format!("Turn {}: {}.", at.state.turn, phase.title());
                Entry::new(Kind::Time, text).rule(cite!("qrs.sequence.a"))
            });
        }
        match phase {
            Phase::Orders => self.new_turn(),
            Phase::Replacement => self.state.agenda.push(Step::Replacements),
            Phase::Reaction => {
                self.state.begin_sighting(self.battle);
                let testers = (0..self.state.bodies.len()).any(|i| {
                    let id = BodyId(i as u8);
                    self.at().must_react(id) || self.state.body(id).marks.has(Marks::MINING)
                });
                if testers {
                    self.state.agenda.push(Step::Initiative(Phase::Reaction));
                }
            }
            Phase::Charge => {
                if Side::BOTH.into_iter().any(|s| self.at().can_charge(s)) {
                    self.state.agenda.push(Step::Initiative(Phase::Charge));
                }
            }
            Phase::Movement => self.begin_movement(),
            Phase::Fire => {
                self.state.agenda.push(Step::Resolve);
                self.state.agenda.push(Step::Declare { side: Side::Second, moving: true });
                self.state.agenda.push(Step::Declare { side: Side::First, moving: true });
                self.state.agenda.push(Step::Resolve);
                self.state.agenda.push(Step::Declare { side: Side::Second, moving: false });
                self.state.agenda.push(Step::Declare { side: Side::First, moving: false });
            }
            Phase::Melee => {
                self.state.turn_of = self.state.mover;
                self.state.agenda.push(Step::Melees);
            }
            Phase::LeaderLoss => self.state.agenda.push(Step::LeaderLosses),
            Phase::Morale => {
                self.state.bodies.iter_mut().for_each(|b| b.marks.clear(Marks::DUE));
                self.state.begin_morale();
            }
            Phase::Rout => {
                self.state.agenda.push(Step::TurnEnd);
                self.state.agenda.push(Step::Flights { next: 0 });
            }
        }
    }

    fn new_turn(&mut self) {
        for body in &mut self.state.bodies {
            body.marks.new_turn();
            body.worst = 0;
            body.given = 0;
        }
        for leader in &mut self.state.leaders {
            leader.moved = false;
            leader.rolled = false;
            leader.ordered = false;
            leader.exposed = false;
        }
        self.state.commands = game::BySide::default();
        self.state.new_turn_at_walls();
        self.tell(|at| {
            Entry::new(Kind::Time, format!("Turn {}.", at.state.turn)).rule(cite!("qrs.sequence.a"))
        });
        self.state.score_at_start(self.battle);
        if self.state.turn == 1 {
            self.appoint_leaders();
        }
        if self.battle.on.orders {
            self.convert_orders();
            self.state.agenda.push(Step::Orders { side: Side::Second });
            self.state.agenda.push(Step::Orders { side: Side::First });
        }
    }

    fn turn_end(&mut self) {
        self.state.visit(self.battle);
        if let Some(outcome) = self.at().sudden_end() {
            self.state.over = Some(outcome);
        } else if self.state.turn >= self.battle.turns {
            self.state.over = Some(self.at().outcome());
        } else {
            self.state.turn += 1;
            self.state.phase = Phase::Orders;
            self.state.scene = 0;
        }
        if let Some(outcome) = self.state.over {
            self.tell(|at| {
                let text = match outcome {
                    Outcome::Won(side) => side_does(&at.battle.sides[side].name, "has won."),
                    Outcome::Drawn => "The battle is drawn.".to_owned(),
                };
                Entry::new(Kind::Score, text)
            });
        }
    }

    /// Resolves the decision at hand.
    pub(crate) fn answer(&mut self, action: &Action) {
        let Some(step) = self.state.agenda.top() else { return };
        match (step, action) {
            (_, Action::Lead { leader, lead }) => self.ride_or_join(*leader, *lead),
            (Step::Orders { .. }, Action::Order { leader, order, marker }) => {
                self.issue_order(*leader, *order, *marker);
            }
            (Step::Reactions, Action::Test(id)) => self.test_reaction(*id),
            (Step::Reactions, Action::Blow(id)) => self.blow_gate_now(*id),
            (Step::Reactions, Action::Pass) => self.leave_gates(),
            (Step::Sight { side }, Action::Spot { by, at }) => self.look(side, *by, *at),
            (Step::Charges, Action::Charge(lines)) => {
                self.state.go.passes = 0;
                self.state.declare(self.battle, lines, false);
            }
            (Step::Charges, Action::Pass) => {
                self.state.go.passes += 1;
                self.state.turn_of = self.state.turn_of.enemy();
            }
            (Step::Support, Action::Support { by, at }) => self.fire_in_support(*by, *at),
            (Step::Moves, Action::Move { unit, legs }) => {
                self.state.begin_move(self.battle, *unit, legs);
                self.state.agenda.push(Step::March);
            }
            (Step::Moves, Action::Leave(unit)) => self.leave_table(*unit),
            (Step::Moves, Action::Pass) => self.state.end_go(),
            (Step::Interrupt, Action::Snap { by, stands }) => self.snap(*by, *stands),
            (Step::Interrupt, Action::Dash(line)) => {
                self.state.body_mut(line.by).marks.set(Marks::TRIED);
                self.state.declare(self.battle, &[*line], true);
            }
            (Step::Declare { .. }, Action::Fire(volley)) => self.state.volleys.push(*volley),
            (Step::Melees, Action::Fight(of)) => self.state.open_melee(*of),
            (Step::Recover { .. }, Action::Recover(id)) => self.recover(*id),
            _ => {
                self.state.agenda.pop();
                self.answer_for_good(step, action);
            }
        }
    }

    /// An answer that ends the step: it is asked once.
    fn answer_for_good(&mut self, step: Step, action: &Action) {
        match (step, action) {
            (Step::React { target }, Action::React { reaction, fires_at }) => {
                self.react_to_charge(usize::from(target), *reaction, *fires_at);
            }
            (Step::Interrupt, Action::Wave) => self.state.march.waved = true,
            (Step::Split { .. }, Action::Split(shares)) => self.state.shares.extend(shares.iter().copied()),
            (Step::AfterTest { body }, Action::Turn) => self.state.turn_to_face(self.battle, body),
            (Step::AfterTest { body }, Action::Withdraw) => self.withdraw(body),
            (Step::PursuitChoice { by, quarry, .. }, Action::Pursue) => self.chase(by, quarry),
            (Step::Reform { body }, Action::Reform { formation, files }) => {
                self.reform(body, *formation, *files);
            }
            // Pass, Hold, Stay.
            _ => {}
        }
    }
}
