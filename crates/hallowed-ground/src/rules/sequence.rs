//! Chapters 4.2 and 5: the sequence of a turn as steps on the agenda, and whose decision each of them is.

use game::words::{counted, does, side_does, the, verb};
use game::{Die, Effects, Entry, Kind, RollNote, Side};
use serde::{Deserialize, Serialize};

use crate::field::Field;
use crate::rules::charges::defensive_fire::tests_to_order;
use crate::rules::charges::line::{could_charge, may_charge};
use crate::rules::charges::{self, ChargeStep};
use crate::rules::command::awaits_order;
use crate::rules::command::retire::{self, Outcome as Retreat};
use crate::rules::command::roads::shift_unit;
use crate::rules::commanders::{evade, follow};
use crate::rules::end;
use crate::rules::melee::{self, MeleeStep};
use crate::rules::morale::{self, After};
use crate::rules::rolls::piece;
use crate::rules::shooting;
use crate::setup::battle::{
    Battle, BrigadeId, CommanderId, Flags, Initiative, Marker, Phase, Specials, State, UnitId, rect_of,
};

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

/// Whose decision the top step is, if it is one.
pub(crate) fn decider(battle: &Battle, state: &State) -> Option<Side> {
    let owner = |u: UnitId| battle.unit(u).side;
    match state.agenda.top()? {
        Step::ChooseFirst { side } => Some(side),
        Step::Attach
        | Step::Charges
        | Step::Activate
        | Step::Orders { .. }
        | Step::BrigadeRides { .. }
        | Step::ArmyRides
        | Step::Shooting
        | Step::MeleePhase => Some(state.active),
        Step::ShotTests => Some(!state.active),
        Step::Charge(step) => {
            let charge = state.charge.as_ref()?;
            match step {
                ChargeStep::Supports
                | ChargeStep::Countercharge
                | ChargeStep::WhoFires
                | ChargeStep::Odd { .. } => Some(owner(charge.target)),
                ChargeStep::Tests => tests_to_order(battle, state).first().map(|u| owner(*u)),
                _ => None,
            }
        }
        Step::Melee(step) => match step {
            MeleeStep::Split => melee::odd_dice(battle, state).map(|(u, _)| owner(u)),
            MeleeStep::Tests => melee::flagged(battle, state, Flags::LOSER).first().map(|u| owner(*u)),
            MeleeStep::Retires => melee::retirers(battle, state).first().map(|u| owner(*u)),
            MeleeStep::Breakthrough => state.melee.as_ref()?.winner,
            _ => None,
        },
        Step::Reroll { unit, .. } | Step::RetireSide { unit } => Some(owner(unit)),
        Step::Flee { commander } => Some(battle.officer(commander).side),
        _ => None,
    }
}

/// Units that still have to test for the shots of this phase.
pub(crate) fn shaky(battle: &Battle, state: &State) -> arrayvec::ArrayVec<UnitId, 48> {
    battle.all_units().filter(|u| state.on_table(*u) && state.unit(*u).flags.has(Flags::SHAKY)).collect()
}

/// Brigades of the active side that have yet to be activated and have a unit on the table.
pub(crate) fn to_activate(battle: &Battle, state: &State) -> arrayvec::ArrayVec<BrigadeId, 12> {
    let present =
        |b: &BrigadeId| battle.all_units().any(|u| battle.unit(u).brigade == *b && state.on_table(u));
    battle.brigades_of(state.active).filter(|b| state.activated & (1 << b.0) == 0).filter(present).collect()
}

/// Is there something to decide at this step? Nobody is asked who has no choice.
fn asks(battle: &Battle, state: &State, top: Step) -> bool {
    match top {
        Step::ChooseFirst { .. } | Step::Reroll { .. } | Step::RetireSide { .. } => true,
        Step::Attach => anyone_to_attach(battle, state),
        Step::Charges => anyone_to_charge(battle, state),
        Step::Activate => to_activate(battle, state).len() > 1,
        Step::Orders { brigade } => anyone_waits(battle, state, brigade),
        Step::BrigadeRides { brigade } => may_still_ride(battle, state, battle.brigade(brigade).commander),
        Step::ArmyRides => {
            battle.army_commander(state.active).is_some_and(|c| may_still_ride(battle, state, c))
        }
        Step::Shooting => anyone_to_shoot(battle, state),
        Step::ShotTests => shaky(battle, state).len() > 1,
        Step::MeleePhase => !limbered_in_melee(battle, state) && melee::unfought(battle, state).len() > 1,
        Step::Charge(step) => match step {
            ChargeStep::Supports
            | ChargeStep::Countercharge
            | ChargeStep::WhoFires
            | ChargeStep::Odd { .. } => true,
            ChargeStep::Tests => !tests_to_order(battle, state).is_empty(),
            _ => false,
        },
        Step::Melee(step) => match step {
            MeleeStep::Split => melee::odd_dice(battle, state).is_some(),
            MeleeStep::Tests => melee::flagged(battle, state, Flags::LOSER).len() > 1,
            MeleeStep::Retires => melee::retirers(battle, state).len() > 1,
            MeleeStep::Breakthrough => true,
            _ => false,
        },
        Step::Flee { commander } => {
            let field = Field::new(battle, state);
            (0..72).any(|i| {
                crate::rules::commanders::flight(&field, commander, table::Angle::degrees(5 * i)).is_some()
            })
        }
        Step::Initiative
        | Step::Turn
        | Step::Round { .. }
        | Step::EndPhase
        | Step::Morale { .. }
        | Step::Retire { .. } => false,
    }
}

/// The names at which a situation can stop.
pub(crate) const STOPS: [&str; 26] = [
    "initiative",
    "turn",
    "round",
    "attach",
    "charges",
    "activate",
    "orders",
    "ride",
    "general",
    "shooting",
    "tests",
    "melee",
    "end",
    "charge-orders",
    "charge-home",
    "point-blank",
    "defensive-fire",
    "saves",
    "contact",
    "melee-roll",
    "parting-hits",
    "aftermath",
    "consolidation",
    "morale",
    "retire",
    "flee",
];

/// What runs next by itself, by its name.
pub(crate) fn upcoming(battle: &Battle, state: &State) -> Option<&'static str> {
    let top = state.agenda.top().filter(|top| state.outcome.is_none() && !asks(battle, state, *top))?;
    match top {
        Step::Initiative => Some("initiative"),
        Step::Turn => Some("turn"),
        Step::Round { .. } => Some("round"),
        Step::Attach => Some("attach"),
        Step::Charges => Some("charges"),
        Step::Activate => Some("activate"),
        Step::Orders { .. } => Some("orders"),
        Step::BrigadeRides { .. } => Some("ride"),
        Step::ArmyRides => Some("general"),
        Step::Shooting => Some("shooting"),
        Step::ShotTests => Some("tests"),
        Step::MeleePhase => Some("melee"),
        Step::EndPhase => Some("end"),
        Step::Charge(step) => match step {
            ChargeStep::Orders => Some("charge-orders"),
            ChargeStep::Home => Some("charge-home"),
            ChargeStep::PointBlank => Some("point-blank"),
            ChargeStep::Fire { .. } => Some("defensive-fire"),
            ChargeStep::Saves { .. } => Some("saves"),
            ChargeStep::Contact => Some("contact"),
            _ => None,
        },
        Step::Melee(step) => match step {
            MeleeStep::Roll => Some("melee-roll"),
            MeleeStep::Parting => Some("parting-hits"),
            MeleeStep::After => Some("aftermath"),
            MeleeStep::Consolidate => Some("consolidation"),
            _ => None,
        },
        Step::Morale { .. } => Some("morale"),
        Step::Retire { .. } => Some("retire"),
        Step::Flee { .. } => Some("flee"),
        Step::ChooseFirst { .. } | Step::Reroll { .. } | Step::RetireSide { .. } => None,
    }
}

/// Runs one step that needs no decision.
pub(crate) fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    let Some(top) = state.agenda.top().filter(|_| state.outcome.is_none()) else { return false };
    match top {
        Step::Shooting => state.phase = Phase::Shooting,
        Step::MeleePhase => state.phase = Phase::Melee,
        _ => {}
    }
    if asks(battle, state, top) {
        return false;
    }
    match top {
        Step::Initiative => initiative(battle, state, fx),
        Step::Turn => begin_turn(state, fx),
        Step::Round { side } => begin_round(battle, state, side, fx),
        Step::Activate => activate_the_only_one(battle, state),
        Step::ShotTests => next_shot_test(battle, state),
        Step::MeleePhase => next_melee(battle, state, fx),
        Step::EndPhase => end::end_phase(battle, state, fx),
        Step::Charge(step) => charges::run(battle, state, step, fx),
        Step::Melee(step) => melee_step(battle, state, step, fx),
        Step::Morale { unit, after } => test_morale(battle, state, unit, after, fx),
        Step::Retire { unit } => retire_unit(battle, state, unit, None, fx),
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
            state.agenda.pop();
        }
    }
    true
}

/// Whether the step at hand surely leaves a choice: charges and shots are asked for only where there is one, and may be
/// left; of two units that await orders either may have its own first.
pub(crate) fn is_open(battle: &Battle, state: &State) -> bool {
    match state.agenda.top() {
        Some(Step::Charges | Step::Shooting) => true,
        Some(Step::Orders { brigade }) => {
            let mut waiting =
                battle.all_units().filter(|u| battle.unit(*u).brigade == brigade && awaits_order(state, *u));
            waiting.nth(1).is_some()
        }
        _ => false,
    }
}

/// A D6 each; ties roll again; the higher chooses (4.2.a, G6).
fn initiative(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    match battle.initiative {
        Initiative::Given(side) => {
            state.agenda.pop();
            state.first = side;
            tell_order(battle, state, fx);
            state.agenda.push(Step::Turn);
        }
        Initiative::Rolled => {
            let mut roll = |side: Side| {
                let note = || {
                    RollNote::new(
                        side_does(&battle.armies[side].name, "rolls for initiative"),
                        cite!("4.2.a"),
                    )
                };
                fx.die(Die::D6, || note().side(side))
            };
            let (first, second) = (roll(Side::First), roll(Side::Second));
            if first != second {
                let side = if first > second { Side::First } else { Side::Second };
                state.agenda.replace(Step::ChooseFirst { side });
            }
        }
    }
}

/// Who goes first, and what the other has for going second.
pub(crate) fn tell_order(battle: &Battle, state: &State, fx: &mut impl Effects) {
    fx.tell(|| {
        let (first, second) = (&battle.armies[state.first].name, &battle.armies[!state.first].name);
        let mut text = side_does(first, "goes first");
        if battle.second_bonus != 0 {
            let points = counted(battle.second_bonus, "point");
            text += &format!("; {} {} {points} for going second", the(second), verb(second, "has"));
        }
        Entry::new(Kind::Note, text + ".").side(state.first).rule(cite!("4.2.a"))
    });
}

fn begin_turn(state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    state.agenda.push(Step::EndPhase);
    state.agenda.push(Step::Round { side: !state.first });
    state.agenda.push(Step::Round { side: state.first });
    let turn = state.turn;
    fx.tell(|| Entry::new(Kind::Time, format!("Turn {turn}")).rule(cite!("4.2.c")));
}

/// One player's Command, Shooting and Melee phases (4.2.d); reinforcements come first.
fn begin_round(battle: &Battle, state: &mut State, side: Side, fx: &mut impl Effects) {
    state.agenda.pop();
    state.active = side;
    state.phase = Phase::Command;
    state.activated = 0;
    state.charged = 0;
    for u in battle.all_units() {
        let flags = &mut state.unit_mut(u).flags;
        flags.clear(Flags::SILENT | Flags::FOUGHT);
        if battle.unit(u).side == side {
            flags.clear(Flags::ORDERED);
        }
    }
    for c in &mut state.commanders {
        c.moved = false;
    }
    fx.tell(|| {
        Entry::new(Kind::Time, format!("{}: Command phase", battle.armies[side].name))
            .side(side)
            .rule(cite!("5.a"))
    });
    crate::rules::reinforcements::arrive(battle, state, side, fx);
    for step in [
        Step::MeleePhase,
        Step::ShotTests,
        Step::Shooting,
        Step::ArmyRides,
        Step::Activate,
        Step::Charges,
        Step::Attach,
    ] {
        state.agenda.push(step);
    }
}

fn anyone_to_attach(battle: &Battle, state: &State) -> bool {
    battle.all_officers().any(|c| {
        let (officer, now) = (battle.officer(c), &state.commanders[c.i()]);
        officer.side == state.active && now.on_table && !now.moved && !officer.fixed
    })
}

fn anyone_to_charge(battle: &Battle, state: &State) -> bool {
    let field = Field::new(battle, state);
    field.of_side(state.active).any(|u| {
        !state.unit(u).flags.has(Flags::ORDERED)
            && may_charge(&field, u).is_ok()
            && field.enemies(u).any(|e| state.charged & (1 << e.0) == 0 && could_charge(&field, u, e))
    })
}

fn may_still_ride(battle: &Battle, state: &State, c: CommanderId) -> bool {
    let now = &state.commanders[c.i()];
    now.on_table && now.attached.is_none() && !now.moved && !battle.officer(c).fixed
}

/// The last brigade is activated without asking; when all have been, activation is over (5.3.d).
fn activate_the_only_one(battle: &Battle, state: &mut State) {
    match to_activate(battle, state).first() {
        Some(b) => activate(battle, state, *b),
        None => {
            state.agenda.pop();
        }
    }
}

/// A brigade is activated: engaged units hold at once (5.4.l), the others await orders.
pub(crate) fn activate(battle: &Battle, state: &mut State, brigade: BrigadeId) {
    state.activated |= 1 << brigade.0;
    for u in battle.all_units().filter(|u| battle.unit(*u).brigade == brigade) {
        if state.on_table(u) && state.engaged(u) && awaits_order(state, u) {
            let unit = state.unit_mut(u);
            unit.order = Some(Marker::Hold);
            unit.flags.set(Flags::ORDERED);
        }
    }
    state.agenda.push(Step::BrigadeRides { brigade });
    state.agenda.push(Step::Orders { brigade });
}

fn anyone_waits(battle: &Battle, state: &State, brigade: BrigadeId) -> bool {
    battle.all_units().any(|u| battle.unit(u).brigade == brigade && awaits_order(state, u))
}

fn anyone_to_shoot(battle: &Battle, state: &State) -> bool {
    let field = Field::new(battle, state);
    field.of_side(state.active).any(|u| {
        shooting::may_shoot(&field, u).is_ok()
            && field.enemies(u).any(|e| shooting::may_be_shot(&field, u, e).is_ok())
    })
}

/// Morale tests at the end of the Shooting phase, in the order their owner chooses (8.6.d, R67).
fn next_shot_test(battle: &Battle, state: &mut State) {
    match shaky(battle, state).first() {
        Some(u) => begin_shot_test(state, *u),
        None => {
            state.agenda.pop();
            state.phase = Phase::Melee;
        }
    }
}

pub(crate) fn begin_shot_test(state: &mut State, u: UnitId) {
    state.unit_mut(u).flags.clear(Flags::SHAKY);
    state.agenda.push(Step::Morale { unit: u, after: After::Shooting });
}

fn limbered_in_melee(battle: &Battle, state: &State) -> bool {
    let limbered = |u: UnitId| state.unit(u).formation == crate::rules::formations::Formation::Limbered;
    battle.all_units().any(|u| state.on_table(u) && limbered(u) && state.engaged(u))
}

/// The next melee of the phase; the active player picks among several (G50).
fn next_melee(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    if limbered_in_melee(battle, state) {
        return melee::destroy_limbered(battle, state, fx);
    }
    match melee::unfought(battle, state).first() {
        Some(u) => fight(battle, state, *u, fx),
        None => {
            melee::end_bonuses(state, battle.all_units());
            state.agenda.pop();
        }
    }
}

pub(crate) fn fight(battle: &Battle, state: &mut State, head: UnitId, fx: &mut impl Effects) {
    let units = melee::component(state, head);
    melee::begin(battle, state, units, false, fx);
}

fn melee_step(battle: &Battle, state: &mut State, step: MeleeStep, fx: &mut impl Effects) {
    let tester = melee::flagged(battle, state, Flags::LOSER).first().copied();
    let retirer = melee::retirers(battle, state).first().copied();
    match (step, tester, retirer) {
        (MeleeStep::Tests, Some(u), _) => begin_melee_test(state, u),
        (MeleeStep::Retires, _, Some(u)) => begin_retire(state, u),
        _ => melee::run(battle, state, step, fx),
    }
}

pub(crate) fn begin_melee_test(state: &mut State, u: UnitId) {
    state.unit_mut(u).flags.clear(Flags::LOSER);
    state.agenda.push(Step::Morale { unit: u, after: After::Melee });
}

pub(crate) fn begin_retire(state: &mut State, u: UnitId) {
    state.unit_mut(u).flags.clear(Flags::RETIRING | Flags::TESTED_OUT);
    state.agenda.push(Step::Retire { unit: u });
}

fn test_morale(battle: &Battle, state: &mut State, u: UnitId, after: After, fx: &mut impl Effects) {
    state.agenda.pop();
    if !state.on_table(u) {
        return;
    }
    let total = morale::roll_test(battle, state, u, fx);
    let failed = morale::result(battle, u, total) != morale::Result::Passed;
    if failed && battle.unit(u).specials.has(Specials::STUBBORN) {
        state.agenda.push(Step::Reroll { unit: u, total, after });
    } else {
        morale::apply(battle, state, u, total, after, fx);
    }
}

/// A Stubborn unit's owner rolls again or lets it stand (13.f, R88).
pub(crate) fn reroll(battle: &Battle, state: &mut State, again: bool, fx: &mut impl Effects) {
    let Some(Step::Reroll { unit, total, after }) = state.agenda.pop() else { return };
    let total = if again { morale::roll_test(battle, state, unit, fx) } else { total };
    morale::apply(battle, state, unit, total, after, fx);
}

/// Carries a forced Retire out (P2); `left` is the owner's choice where both sides serve.
pub(crate) fn retire_unit(
    battle: &Battle,
    state: &mut State,
    u: UnitId,
    left: Option<bool>,
    fx: &mut impl Effects,
) {
    let outcome = retire::forced(&Field::new(battle, state), u);
    state.agenda.pop();
    if !state.on_table(u) {
        return;
    }
    if let Some(melee) = &mut state.melee {
        melee.gone |= 1 << u.0;
    }
    let (pose, at_edge) = match (outcome, left) {
        (Retreat::Broken(rule), _) => return morale::break_unit(battle, state, u, rule, fx),
        (Retreat::Goes { pose, at_edge }, _) => (pose, at_edge),
        (Retreat::Either { left, at_edge, .. }, Some(true)) => (left, at_edge.0),
        (Retreat::Either { right, at_edge, .. }, Some(false)) => (right, at_edge.1),
        (Retreat::Either { .. }, None) => {
            state.agenda.push(Step::RetireSide { unit: u });
            return;
        }
    };
    crate::rules::charges::contact::disengage(state, u);
    let before = state.unit(u).pose;
    shift_unit(battle, state, u, pose);
    state.unit_mut(u).flags.clear(Flags::WON | Flags::IMPETUS | Flags::DIFFICULT);
    follow(battle, state, u);
    let size = rect_of(battle, state, u).size();
    let way = table::Way::between(&table::Rect::new(before, size), &table::Rect::new(pose, size));
    evade(battle, state, battle.unit(u).side, &[way], fx);
    fx.tell(|| {
        let spot = |p: table::Pose| game::Place::Pose { x: p.at.x, y: p.at.y, facing: p.facing.get() };
        Entry::new(Kind::Retreat, does(&battle.unit(u).name, "retires."))
            .side(battle.unit(u).side)
            .rule(cite!("5.5.q"))
            .piece(piece(u))
            .place(spot(before))
            .place(spot(pose))
    });
    if at_edge {
        let near = {
            let field = Field::new(battle, state);
            field.enemies(u).any(|e| field.rect(u).within(field.rect(e), crate::rules::formations::PROXIMITY))
        };
        if near {
            morale::break_unit(battle, state, u, cite!("5.5.aj"), fx);
        }
    }
}
