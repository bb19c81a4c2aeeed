//! The charge or the fire under way, for the board: each step with its rule and what came of it, each fire with its dice.

use game::board::{Combat, Fire, Panel, StepCell, StepState};
use game::words::does;
use game::{Die, PieceId, Rule, Test};

use crate::cite;
use crate::rules::charge::defender::{halves, reaction_words};
use crate::rules::charge::home::home_number;
use crate::rules::charge::movement::test_point;
use crate::rules::charge::{Charger, Reaction};
use crate::rules::fire;
use crate::rules::fire::{Aim, FireOrder, Volley, When};
use crate::rules::rolls::piece;
use crate::rules::rout::inches;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::state::{BodyId, Face, Order, State};

/// The steps of a charge, in their order.
const STEPS: [(&str, Rule); 6] = [
    ("Charger tests morale", cite!("seq.charge.b")),
    ("Target tests morale", cite!("charge.sequence.c")),
    ("Target reacts", cite!("seq.charge.d")),
    ("Defensive fire", cite!("seq.charge.e")),
    ("Charge home", cite!("seq.charge.f")),
    ("Pursuit", cite!("seq.charge.g")),
];

/// The charge under way as a ladder of steps.
pub(crate) fn charge_ladder(battle: &Battle, state: &State) -> Option<Panel> {
    let first = state.charge.chargers.first()?.line;
    let now = match state.agenda.top() {
        Some(Step::ChargerTests) => 0,
        Some(Step::TargetTest { .. }) => 1,
        Some(Step::React { .. }) => 2,
        Some(Step::Support | Step::ChargeFire | Step::AfterFire { .. }) => 3,
        Some(Step::Home { .. }) => 4,
        _ => 5,
    };
    let steps = STEPS.iter().enumerate().map(|(i, (label, rule))| StepCell {
        label: (*label).to_owned(),
        state: match i.cmp(&now) {
            std::cmp::Ordering::Less => StepState::Done,
            std::cmp::Ordering::Equal => StepState::Now,
            std::cmp::Ordering::Greater => StepState::Ahead,
        },
        note: step_note(battle, state, i, now),
        rule: Some(*rule),
        side: None,
    });
    let word = if state.charge.opportunity { "charges at the opportunity" } else { "charges" };
    Some(Panel::Steps {
        title: format!("{} {word} {}", battle.name(state, first.by), battle.name(state, first.at)),
        steps: steps.collect(),
    })
}

/// What came of a step, or what it needs.
fn step_note(battle: &Battle, state: &State, step: usize, now: usize) -> String {
    let name = |id: BodyId| battle.name(state, id);
    let charge = &state.charge;
    let sentences: Vec<String> = match step {
        0 if now > 0 => charge
            .chargers
            .iter()
            .map(|c| {
                let word = if c.joined { "comes on from" } else { "does not come on; it stood" };
                format!("{} {word} {} away.", name(c.line.by), inches(c.d))
            })
            .collect(),
        1 if now > 1 => {
            charge.targets.iter().map(|t| target_note(battle, state, t.body, t.pinned, t.gone)).collect()
        }
        2 if now > 2 => charge
            .targets
            .iter()
            .filter(|t| t.reaction != Reaction::None)
            .map(|t| format!("{} {}.", name(t.body), reaction_words(t.reaction)))
            .collect(),
        3 if now > 3 => charge
            .chargers
            .iter()
            .filter(|c| c.under_fire)
            .map(|c| does(&name(c.line.by), &format!("has taken {}.", hits(c.hits))))
            .collect(),
        4 if now >= 3 => charge
            .chargers
            .iter()
            .enumerate()
            .filter(|(_, c)| c.on)
            .map(|(i, c)| home_note(battle, state, i, c))
            .collect(),
        _ => Vec::new(),
    };
    sentences.join(" ")
}

fn hits(n: u8) -> String {
    match n {
        0 => "no hits".to_owned(),
        1 => "1 hit".to_owned(),
        n => format!("{n} hits"),
    }
}

fn target_note(battle: &Battle, state: &State, id: BodyId, pinned: bool, gone: bool) -> String {
    let name = battle.name(state, id);
    match state.body(id).order {
        _ if gone => does(&name, "has left the place."),
        Order::Suppressed if pinned => format!("{}, and pinned.", does(&name, "is Suppressed")),
        order if order.broken() => does(&name, &format!("is {}.", order.name())),
        _ => does(&name, "holds."),
    }
}

fn home_note(battle: &Battle, state: &State, index: usize, charger: &Charger) -> String {
    let name = battle.name(state, charger.line.by);
    let target = state.charge.targets.iter().find(|t| t.body == charger.line.at);
    if target.is_some_and(|t| t.pinned) {
        return does(&name, "comes into contact without a test.");
    }
    let need = home_number(battle, state, index).total();
    let where_to = match charger.face {
        Face::Front => "the front",
        Face::Left | Face::Right => "the flank",
        Face::Rear => "the rear",
    };
    does(&name, &format!("strikes {where_to} with {need} or more on two dice."))
}

/// The fires of the combat under way, each with its dice and what they must show.
pub(crate) fn combat(battle: &Battle, state: &State) -> Option<Combat> {
    let chargers = &state.charge.chargers;
    if chargers.is_empty() {
        let fires: Vec<Fire> = state.volleys.iter().filter_map(|v| volley(battle, state, v)).collect();
        return (!fires.is_empty()).then(|| Combat { title: "Fire".to_owned(), pieces: Vec::new(), fires });
    }
    let pieces: Vec<PieceId> = chargers.iter().flat_map(|c| [piece(c.line.by), piece(c.line.at)]).collect();
    let mut fires = Vec::new();
    for target in state.charge.targets.iter().filter(|t| !t.gone && !t.pinned) {
        let fires_at = chargers
            .get(usize::from(target.fires_at))
            .filter(|c| c.line.at == target.body)
            .or_else(|| chargers.iter().find(|c| c.line.at == target.body));
        let silent = matches!(target.reaction, Reaction::None | Reaction::Counter);
        if let Some(charger) = fires_at.filter(|c| c.on && !c.under_fire && !silent) {
            let order = FireOrder {
                half: halves(target.reaction),
                masked: target.masked,
                ..FireOrder::plain(When::Defence, u16::MAX)
            };
            fires.extend(at_charger(battle, state, target.body, charger, order));
        }
    }
    for support in &state.volleys {
        let Aim::Body(at) = support.at else { continue };
        let Some(charger) = chargers.iter().find(|c| c.line.by == at) else { continue };
        fires.extend(at_charger(
            battle,
            state,
            support.by,
            charger,
            FireOrder::plain(When::Support, support.stands),
        ));
    }
    Some(Combat { title: "Charge".to_owned(), pieces, fires })
}

/// A fire declared in the Fire Phase.
fn volley(battle: &Battle, state: &State, declared: &Volley) -> Option<Fire> {
    let Aim::Body(at) = declared.at else { return None };
    let target = state.body(at).layout(battle);
    let aim = fire::bearing(battle, state, declared.by, at, &target).ok()?;
    let order = FireOrder { shrapnel: declared.shrapnel, ..FireOrder::plain(When::Phase, declared.stands) };
    Some(of(&fire::shot(battle, state, declared.by, at, &target, &aim, order)))
}

/// A fire at a charger where it is tested.
fn at_charger(
    battle: &Battle,
    state: &State,
    by: BodyId,
    charger: &Charger,
    order: FireOrder,
) -> Option<Fire> {
    fire::may_fire(battle, state, by, order.when).ok()?;
    let lead = test_point(battle, state, charger).0;
    let aim = fire::bearing(battle, state, by, charger.line.by, &lead).ok()?;
    let order = FireOrder { stands: order.stands & aim.stands, ..order };
    Some(of(&fire::shot(battle, state, by, charger.line.by, &lead, &aim, order)))
}

fn of(shot: &fire::Shot) -> Fire {
    Fire {
        by: vec![piece(shot.by)],
        at: vec![piece(shot.at)],
        dice: shot.dice,
        test: Some(Test::at_least(Die::D6, shot.hit.total().max(2))),
        modifiers: shot.hit.modifiers(),
        considered: Vec::new(),
    }
}
