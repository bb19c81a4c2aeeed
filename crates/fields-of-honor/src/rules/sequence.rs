//! The expanded sequence of play: nine phases, their steps, and who decides what.

use game::words::side_does;
use game::{Effects, Entry, Kind, Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::at::{At, Run};
use crate::cite;
use crate::rules::fire::{Aim, Volley};
use crate::rules::leaders::Lead;
use crate::rules::rout;
use crate::state::{BodyId, Go, Marks, Order, Where};

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
    #[must_use]
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
}

impl<F: Effects> Run<'_, F> {
    /// Runs the step on top if nobody has to decide it; false if somebody has.
    pub(crate) fn step(&mut self) -> bool {
        if self.state.over.is_some() {
            return false;
        }
        let Some(step) = self.state.agenda.top() else { return false };
        self.state.scene = self.state.scene_of_phase();
        match step {
            Step::Begin(phase) => {
                self.state.agenda.replace(Step::Begin(phase.next()));
                self.begin_phase(phase);
            }
            Step::TurnEnd => {
                self.state.agenda.pop();
                self.turn_end();
            }
            Step::Initiative(phase) => self.roll_initiative(phase),
            Step::Batches => self.roll_batches(),
            Step::Orders { side } => {
                let mut found = Vec::new();
                self.at().find_orders(side, &mut found);
                if !found.is_empty() {
                    return false;
                }
                self.state.agenda.pop();
            }
            Step::Replacements => {
                self.state.agenda.pop();
                self.replace_leaders();
            }
            Step::Reactions => return self.next_reaction(),
            Step::ScoutShots => {
                self.state.agenda.pop();
                self.snipe_scouts();
            }
            Step::Sight { side } => {
                if self.at().can_spot(side) {
                    return false;
                }
                self.state.agenda.pop();
            }
            Step::Leads { side } => {
                if self.at().may_help(side) {
                    return false;
                }
                self.state.agenda.pop();
            }
            Step::Charges => return self.state.next_charge(self.battle),
            Step::ChargerTests => self.charger_tests(),
            Step::TargetTest { target } => self.target_test(usize::from(target)),
            Step::GaveWay { target } => {
                self.state.agenda.pop();
                self.gave_way(usize::from(target));
            }
            Step::Support => {
                if self.at().fire_supporters().next().is_some() {
                    return false;
                }
                self.state.agenda.pop();
            }
            Step::ChargeFire => self.state.charge_fire(self.battle),
            Step::ChargeVolleys { next, own } => self.charge_volley(next, own),
            Step::AfterFire { target } => self.after_fire(usize::from(target)),
            Step::Home { charger } => self.charge_home(usize::from(charger)),
            Step::ChargeEnd => {
                self.state.agenda.pop();
                self.charge_end();
            }
            Step::Moves => return self.state.next_move(self.battle),
            Step::March => {
                if self.go_on_moving() {
                    if self.battle.on.opportunity && !self.state.march.waved {
                        self.state.agenda.push(Step::Interrupt);
                    }
                } else {
                    self.state.agenda.pop();
                    self.finish_move();
                }
            }
            Step::Interrupt => {
                let open = self.state.march.unit.is_some_and(|u| self.state.body(u).on_table())
                    && !self.state.march.waved;
                if open && self.at().can_interrupt() {
                    return false;
                }
                self.state.agenda.pop();
            }
            Step::Declare { side, moving } => {
                let mut found = Vec::new();
                self.at().find_volleys(side, moving, 1, &mut found);
                if !found.is_empty() {
                    return false;
                }
                self.state.agenda.pop();
            }
            Step::Resolve => {
                self.state.agenda.pop();
                if !self.state.volleys.is_empty() {
                    self.fx.revealed();
                    self.state.agenda.push(Step::Volleys { next: 0 });
                }
            }
            Step::Volleys { next } => {
                if usize::from(next) < self.state.volleys.len() {
                    self.state.agenda.replace(Step::Volleys { next: next + 1 });
                    self.roll_volley(usize::from(next));
                } else {
                    self.state.agenda.pop();
                    self.strike_all();
                }
            }
            Step::Melees => return self.state.next_melee(),
            Step::Splits { of } => self.state.next_split(self.battle, of),
            Step::Brawl { body } => {
                self.state.agenda.pop();
                self.fight_melee(body);
                self.state.shares.clear();
            }
            Step::LeaderLosses => {
                self.state.agenda.pop();
                self.leader_losses();
            }
            Step::MoraleTests { next } => self.test_next(next),
            Step::GoBacks => self.next_goes_back(),
            Step::Provoked => self.next_provoked(),
            Step::AfterTests { next } => self.state.ask_the_steady(next),
            Step::AfterTest { body } => {
                let asked = self.state.at_blows(body) && self.state.body(body).on_table();
                if asked && (self.state.may_withdraw(body) || self.at().may_turn(body)) {
                    return false;
                }
                self.state.agenda.pop();
            }
            Step::Pursuits => self.state.next_pursuit(),
            Step::Pursue { by, quarry } => {
                self.state.agenda.pop();
                self.pursue(by, quarry);
            }
            Step::EndMorale => {
                self.state.agenda.pop();
                self.end_morale();
            }
            Step::Recover { side } => {
                if self.at().recoverers(side) {
                    return false;
                }
                self.state.agenda.pop();
            }
            Step::Flights { next } => self.flee_next(next),
            Step::React { .. } | Step::PursuitChoice { .. } | Step::Split { .. } => return false,
            Step::Reforms => self.state.next_reform(),
            Step::Reform { body } => {
                if self.state.body(body).on_table() && !self.state.body(body).order.broken() {
                    return false;
                }
                self.state.agenda.pop();
            }
        }
        true
    }

    fn begin_phase(&mut self, phase: Phase) {
        self.state.phase = phase;
        self.state.scene = 0;
        self.state.go = Go { batch: self.state.go.batch, ..Go::default() };
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
}

impl<F: Effects> Run<'_, F> {
    /// Resolves the decision at hand.
    pub(crate) fn answer(&mut self, action: &Action) {
        let Some(step) = self.state.agenda.top() else { return };
        match (step, action) {
            (_, Action::Lead { leader, lead }) => {
                self.state.lead(self.battle, *leader, *lead);
                self.tell(|at| {
                    let name = &at.battle.leaders[leader.i()].name;
                    let text = match lead {
                        Lead::Ride(_) => format!("{name} rides."),
                        Lead::Attach(unit) => {
                            format!("{name} joins {}.", at.name(*unit))
                        }
                    };
                    Entry::new(Kind::March, text)
                        .side(at.battle.leaders[leader.i()].side)
                        .rule(cite!("commander.functions.a"))
                        .piece(crate::rules::rolls::leader_piece(*leader))
                });
                self.convert_orders();
            }
            (Step::Orders { .. }, Action::Order { leader, order, marker }) => {
                self.issue_order(*leader, *order, *marker);
            }
            (Step::Reactions, Action::Test(id)) => {
                self.state.turn_of = self.state.turn_of.enemy();
                self.take_reaction_test(*id);
            }
            (Step::Reactions, Action::Blow(id)) => {
                self.state.turn_of = self.state.turn_of.enemy();
                self.blow_gate(*id);
            }
            (Step::Reactions, Action::Pass) => {
                let side = self.state.turn_of;
                self.state
                    .bodies
                    .iter_mut()
                    .filter(|b| self.battle.side(b) == side)
                    .for_each(|b| b.marks.clear(Marks::MINING));
            }
            (Step::Sight { side }, Action::Spot { by, at }) => {
                if let Some(at) = self.at().marker_at(side, *at) {
                    self.spot(*by, at);
                }
            }
            (Step::Charges, Action::Charge(lines)) => {
                self.state.go.passes = 0;
                self.state.declare(self.battle, lines, false);
            }
            (Step::Charges, Action::Pass) => {
                self.state.go.passes += 1;
                self.state.turn_of = self.state.turn_of.enemy();
            }
            (Step::React { target }, Action::React { reaction, fires_at }) => {
                self.state.agenda.pop();
                self.react_to_charge(usize::from(target), *reaction, *fires_at);
            }
            (Step::Support, Action::Support { by, at }) => {
                let charger = self.state.charge.chargers[usize::from(*at)];
                let lead = self.at().test_point(&charger).0;
                if let Ok(aim) = self.at().bearing(*by, charger.line.by, &lead) {
                    let volley = Volley::of(*by, Aim::Body(charger.line.by), aim.stands);
                    self.state.volleys.push(volley);
                }
            }
            (Step::Moves, Action::Move { unit, legs }) => {
                self.state.begin_move(self.battle, *unit, legs);
                self.state.agenda.push(Step::March);
            }
            (Step::Moves, Action::Leave(unit)) => {
                self.state.go.used += self.state.move_price(*unit);
                self.state.go.chosen |= unit.bit();
                self.state.body_mut(*unit).place = Where::Left;
                self.state.release(*unit);
                self.tell_of(*unit, Kind::March, "marches off the table", cite!("scenario.exit.a"));
            }
            (Step::Moves, Action::Pass) => self.state.end_go(),
            (Step::Interrupt, Action::Snap { by, stands }) => self.snap(*by, *stands),
            (Step::Interrupt, Action::Dash(line)) => {
                self.state.body_mut(line.by).marks.set(Marks::TRIED);
                self.state.declare(self.battle, &[*line], true);
            }
            (Step::Interrupt, Action::Wave) => {
                self.state.march.waved = true;
                self.state.agenda.pop();
            }
            (Step::Declare { .. }, Action::Fire(volley)) => {
                self.state.volleys.push(*volley);
            }
            (Step::Melees, Action::Fight(of)) => self.state.open_melee(*of),
            (Step::Split { .. }, Action::Split(shares)) => {
                self.state.agenda.pop();
                self.state.shares.extend(shares.iter().copied());
            }
            (Step::AfterTest { body }, Action::Turn) => {
                self.state.agenda.pop();
                self.state.turn_to_face(self.battle, body);
            }
            (Step::AfterTest { body }, Action::Withdraw) => {
                self.state.agenda.pop();
                let cause = self.state.opponents(body).next().map(|(_, o)| o);
                self.tell_of(body, Kind::Retreat, "withdraws from the melee", cite!("melee.withdraw.a"));
                self.flee(body, rout::Flight { cause, order: Order::Suppressed, later: false });
            }
            (Step::PursuitChoice { by, quarry, .. }, Action::Pursue) => {
                self.state.agenda.pop();
                self.chase(by, quarry);
            }
            (Step::Reform { body }, Action::Reform { formation, files }) => {
                self.state.agenda.pop();
                let unit = self.state.body(body);
                let shape = crate::rules::basics::Shape::of(
                    *formation,
                    self.battle.arm(unit),
                    unit.fighting(self.battle),
                    *files,
                );
                let changed = shape.formation != unit.shape.formation || shape.files != unit.shape.files;
                let there = self.at().place_reformed(body, shape).filter(|_| changed);
                if let Some(there) = there {
                    let unit = self.state.body_mut(body);
                    (unit.shape, unit.pose) = (shape, there.pose);
                    self.state.carry_leader(body);
                }
            }
            (Step::Recover { .. }, Action::Recover(id)) => self.recover(*id),
            // Pass, Hold, Stay: the step is over.
            _ => {
                self.state.agenda.pop();
            }
        }
    }
}
