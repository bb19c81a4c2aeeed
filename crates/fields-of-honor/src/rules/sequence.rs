//! The expanded sequence of play: nine phases, their steps, and who decides what.

use game::words::side_does;
use game::{Effects, Entry, Kind, Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::cite;
use crate::rules::charge::defender::{after_fire, charge_fire, charge_volley, supporters};
use crate::rules::charge::home::home;
use crate::rules::charge::sequence::{charge_end, charger_tests, gave_way, next_charge, target_test};
use crate::rules::initiative::{batches, begin_movement, next_move};
use crate::rules::melee::next_melee;
use crate::rules::morale::end_morale;
use crate::rules::opportunity::can_interrupt;
use crate::rules::reaction::next_reaction;
use crate::rules::sighting::can_spot;
use crate::rules::{
    fire, forts, initiative, leaders, melee, morale, movement, orders, reaction, rout, sighting, victory,
};
use crate::setup::battle::Battle;
use crate::state::{BodyId, Go, Marks, State};

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

/// The side that must decide, if the step on top needs a decision.
#[must_use]
pub fn decides(battle: &Battle, state: &State) -> Option<Side> {
    Some(match state.agenda.top()? {
        Step::Orders { side }
        | Step::Leads { side }
        | Step::Sight { side }
        | Step::Declare { side, .. }
        | Step::Recover { side } => side,
        Step::Reactions | Step::Charges | Step::Moves | Step::Melees => state.turn_of,
        Step::React { target } => battle.side_of(state, state.charge.targets[usize::from(target)].body),
        Step::Support => battle.side_of(state, state.charge.targets.first()?.body),
        Step::Interrupt => battle.side_of(state, state.march.unit?).enemy(),
        Step::Split { body } | Step::AfterTest { body } | Step::Reform { body } => {
            battle.side_of(state, body)
        }
        Step::PursuitChoice { by, .. } => battle.side_of(state, by),
        _ => return None,
    })
}

/// Where a situation may stop: before a phase begins, and before the checks and rolls within one.
pub(crate) const STOPS: [&str; 25] = [
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
    "initiative",
    "charger-tests",
    "target-tests",
    "charge-fire",
    "after-fire",
    "charge-home",
    "fire-dice",
    "blows",
    "morale-tests",
    "retreats",
    "provoked-tests",
    "pursuit",
    "end-of-morale",
    "flights",
    "turn-end",
];

/// What runs next by itself, if it has a name.
pub(crate) fn upcoming(state: &State) -> Option<&'static str> {
    Some(match state.agenda.top()? {
        Step::Begin(phase) => Phase::NAMES[phase as usize],
        Step::Initiative(_) => "initiative",
        Step::ChargerTests => "charger-tests",
        Step::TargetTest { .. } => "target-tests",
        Step::ChargeFire | Step::ChargeVolleys { next: 0, .. } => "charge-fire",
        Step::AfterFire { .. } => "after-fire",
        Step::Home { .. } => "charge-home",
        Step::Volleys { next: 0 } => "fire-dice",
        Step::Brawl { .. } => "blows",
        Step::MoraleTests { .. } => "morale-tests",
        Step::GoBacks => "retreats",
        Step::Provoked => "provoked-tests",
        Step::Pursue { .. } => "pursuit",
        Step::EndMorale => "end-of-morale",
        Step::Flights { .. } => "flights",
        Step::TurnEnd => "turn-end",
        _ => return None,
    })
}

/// The scene of the phase that play has come to.
#[must_use]
pub fn scene(state: &State) -> u8 {
    let follows = matches!(state.agenda.top(), Some(Step::Provoked | Step::Pursue { .. }));
    if follows { state.scene | 1 } else { state.scene }
}

/// Runs the step on top if nobody has to decide it; false if somebody has.
pub fn run(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    if state.over.is_some() {
        return false;
    }
    let Some(step) = state.agenda.top() else { return false };
    state.scene = scene(state);
    match step {
        Step::Begin(phase) => {
            state.agenda.replace(Step::Begin(phase.next()));
            begin(battle, state, phase, fx);
        }
        Step::TurnEnd => {
            state.agenda.pop();
            turn_end(battle, state, fx);
        }
        Step::Initiative(phase) => initiative::roll(battle, state, phase, fx),
        Step::Batches => batches(battle, state, fx),
        Step::Orders { side } => {
            let mut found = Vec::new();
            orders::orders(battle, state, side, &mut found);
            if !found.is_empty() {
                return false;
            }
            state.agenda.pop();
        }
        Step::Replacements => {
            state.agenda.pop();
            leaders::replace(battle, state, fx);
        }
        Step::Reactions => return next_reaction(battle, state, fx),
        Step::ScoutShots => {
            state.agenda.pop();
            sighting::snipe_scouts(battle, state, fx);
        }
        Step::Sight { side } => {
            if can_spot(battle, state, side) {
                return false;
            }
            state.agenda.pop();
        }
        Step::Leads { side } => {
            if leaders::may_help(battle, state, side) {
                return false;
            }
            state.agenda.pop();
        }
        Step::Charges => return next_charge(battle, state),
        Step::ChargerTests => charger_tests(battle, state, fx),
        Step::TargetTest { target } => target_test(battle, state, usize::from(target), fx),
        Step::GaveWay { target } => {
            state.agenda.pop();
            gave_way(battle, state, usize::from(target), fx);
        }
        Step::Support => {
            if supporters(battle, state).next().is_some() {
                return false;
            }
            state.agenda.pop();
        }
        Step::ChargeFire => charge_fire(battle, state),
        Step::ChargeVolleys { next, own } => charge_volley(battle, state, next, own, fx),
        Step::AfterFire { target } => after_fire(battle, state, usize::from(target), fx),
        Step::Home { charger } => home(battle, state, usize::from(charger), fx),
        Step::ChargeEnd => {
            state.agenda.pop();
            charge_end(battle, state, fx);
        }
        Step::Moves => return next_move(battle, state),
        Step::March => {
            if movement::go_on(battle, state, fx) {
                if battle.on.opportunity && !state.march.waved {
                    state.agenda.push(Step::Interrupt);
                }
            } else {
                state.agenda.pop();
                movement::finish(battle, state, fx);
            }
        }
        Step::Interrupt => {
            let open = state.march.unit.is_some_and(|u| state.body(u).on_table()) && !state.march.waved;
            if open && can_interrupt(battle, state) {
                return false;
            }
            state.agenda.pop();
        }
        Step::Declare { side, moving } => {
            let mut found = Vec::new();
            fire::volleys(battle, state, side, moving, 1, &mut found);
            if !found.is_empty() {
                return false;
            }
            state.agenda.pop();
        }
        Step::Resolve => {
            state.agenda.pop();
            if !state.volleys.is_empty() {
                fx.revealed();
                state.agenda.push(Step::Volleys { next: 0 });
            }
        }
        Step::Volleys { next } => {
            if usize::from(next) < state.volleys.len() {
                state.agenda.replace(Step::Volleys { next: next + 1 });
                fire::roll_volley(battle, state, usize::from(next), fx);
            } else {
                state.agenda.pop();
                fire::strike_all(battle, state, fx);
            }
        }
        Step::Melees => return next_melee(state),
        Step::Splits { of } => melee::next_split(battle, state, of),
        Step::Brawl { body } => {
            state.agenda.pop();
            melee::fight(battle, state, body, fx);
            state.shares.clear();
        }
        Step::LeaderLosses => {
            state.agenda.pop();
            leaders::losses(battle, state, fx);
        }
        Step::MoraleTests { next } => morale::test_next(battle, state, next, fx),
        Step::GoBacks => morale::next_goes_back(battle, state, fx),
        Step::Provoked => morale::next_provoked(battle, state, fx),
        Step::AfterTests { next } => melee::ask_the_steady(state, next),
        Step::AfterTest { body } => {
            let asked = state.at_blows(body) && state.body(body).on_table();
            if asked && (melee::may_withdraw(state, body) || melee::may_turn(battle, state, body)) {
                return false;
            }
            state.agenda.pop();
        }
        Step::Pursuits => rout::next_pursuit(state),
        Step::Pursue { by, quarry } => {
            state.agenda.pop();
            rout::pursue(battle, state, by, quarry, fx);
        }
        Step::EndMorale => {
            state.agenda.pop();
            end_morale(battle, state, fx);
        }
        Step::Recover { side } => {
            if morale::recoverers(battle, state, side) {
                return false;
            }
            state.agenda.pop();
        }
        Step::Flights { next } => rout::flee_next(battle, state, next, fx),
        Step::React { .. } | Step::PursuitChoice { .. } | Step::Split { .. } => return false,
        Step::Reforms => morale::next_reform(state),
        Step::Reform { body } => {
            if state.body(body).on_table() && !state.body(body).order.broken() {
                return false;
            }
            state.agenda.pop();
        }
    }
    true
}

fn begin(battle: &Battle, state: &mut State, phase: Phase, fx: &mut impl Effects) {
    state.phase = phase;
    state.scene = 0;
    state.go = Go { batch: state.go.batch, ..Go::default() };
    match phase {
        Phase::Orders => new_turn(battle, state, fx),
        Phase::Replacement => state.agenda.push(Step::Replacements),
        Phase::Reaction => {
            sighting::sighting(battle, state);
            let testers = (0..state.bodies.len()).any(|i| {
                let id = BodyId(i as u8);
                reaction::must_react(battle, state, id) || state.body(id).marks.has(Marks::MINING)
            });
            if testers {
                state.agenda.push(Step::Initiative(Phase::Reaction));
            }
        }
        Phase::Charge => {
            if Side::BOTH.into_iter().any(|s| crate::rules::charge::sequence::can_charge(battle, state, s)) {
                state.agenda.push(Step::Initiative(Phase::Charge));
            }
        }
        Phase::Movement => begin_movement(battle, state, fx),
        Phase::Fire => {
            state.agenda.push(Step::Resolve);
            state.agenda.push(Step::Declare { side: Side::Second, moving: true });
            state.agenda.push(Step::Declare { side: Side::First, moving: true });
            state.agenda.push(Step::Resolve);
            state.agenda.push(Step::Declare { side: Side::Second, moving: false });
            state.agenda.push(Step::Declare { side: Side::First, moving: false });
        }
        Phase::Melee => {
            state.turn_of = state.mover;
            state.agenda.push(Step::Melees);
        }
        Phase::LeaderLoss => state.agenda.push(Step::LeaderLosses),
        Phase::Morale => {
            state.bodies.iter_mut().for_each(|b| b.marks.clear(Marks::DUE));
            morale::phase(state);
        }
        Phase::Rout => {
            state.agenda.push(Step::TurnEnd);
            state.agenda.push(Step::Flights { next: 0 });
        }
    }
}

fn new_turn(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for body in &mut state.bodies {
        body.marks.new_turn();
        body.worst = 0;
        body.given = 0;
    }
    for leader in &mut state.leaders {
        leader.moved = false;
        leader.rolled = false;
        leader.ordered = false;
        leader.exposed = false;
    }
    state.commands = game::BySide::default();
    forts::new_turn(state);
    fx.tell(|| Entry::new(Kind::Time, format!("Turn {}.", state.turn)).rule(cite!("qrs.sequence.a")));
    victory::at_start(battle, state);
    if state.turn == 1 {
        leaders::appoint(battle, state, fx);
    }
    if battle.on.orders {
        orders::convert(battle, state, fx);
        state.agenda.push(Step::Orders { side: Side::Second });
        state.agenda.push(Step::Orders { side: Side::First });
    }
}

fn turn_end(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    victory::visit(battle, state);
    if let Some(outcome) = victory::sudden(battle, state) {
        state.over = Some(outcome);
    } else if state.turn >= battle.turns {
        state.over = Some(victory::verdict(battle, state));
    } else {
        state.turn += 1;
        state.phase = Phase::Orders;
        state.scene = 0;
    }
    if let Some(outcome) = state.over {
        fx.tell(|| {
            let text = match outcome {
                Outcome::Won(side) => side_does(&battle.sides[side].name, "has won."),
                Outcome::Drawn => "The battle is drawn.".to_owned(),
            };
            Entry::new(Kind::Score, text)
        });
    }
}
