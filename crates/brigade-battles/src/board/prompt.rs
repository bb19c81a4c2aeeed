//! The decision at hand, in words.

use game::board::Prompt;
use game::words::{capital, does, the, verb};
use hexmap::Hex;

use crate::rules::charts::Cell;
use crate::rules::sequence::decider;
use crate::rules::{advance, combat, leaders, results};
use crate::setup::battle::Battle;
use crate::state::{LeaderId, Phase, State, Step, UnitId};
use crate::{facts, notation};

/// What is asked, as the end of a sentence.
pub(crate) fn asks(battle: &Battle, state: &State) -> String {
    let name = &battle.armies[decider(battle, state)].name;
    let army = |phrase: &str| format!("{} {}", the(name), verb(name, phrase));
    let unit = |id: UnitId| &battle.unit(id).name;
    let leader = |id: LeaderId| &battle.leader(id).name;
    match state.agenda.top() {
        None => match state.phase {
            Phase::Organization => army("organizes"),
            Phase::Artillery => army("fires with guns before moving"),
            Phase::Movement => army("moves"),
            Phase::Defensive => army("fires defensively"),
            Phase::Offensive => army("fires offensively"),
            Phase::Rally => army("rallies"),
            phase => phase.words().into(),
        },
        Some(Step::Volley) => {
            let target = state.fire.at.map_or(String::new(), |at| notation::target_words(battle, state, at));
            format!("{} {target}", army("says who else fires at"))
        }
        Some(Step::CombatDie { natural }) => {
            format!("{}: {}", combat_die_words(battle, state, natural), army("may roll it again"))
        }
        Some(Step::LeaderDie { leader: l, natural }) => {
            format!("{}: {}", leader_die_words(battle, l, natural), army("may roll it again"))
        }
        Some(Step::MoraleDie { unit: u, natural, .. }) => {
            format!("{}: {}", morale_die_words(battle, state, u, natural), army("may roll it again"))
        }
        Some(Step::Place { leader: l }) => {
            format!("{} {} goes", army("chooses the unit to which"), leader(l))
        }
        Some(Step::Choose { leader: l, unit: u }) => {
            format!("{} goes with {} or to another unit", leader(l), unit(u))
        }
        Some(Step::Retreat { unit: u, rout, .. }) => {
            let back = does(unit(u), if rout { "routs" } else { "retreats" });
            format!("{back}: {}", army("chooses the next hex"))
        }
        Some(Step::Advance) => format!("{} {}", army("may advance into"), vacated_words(battle, state)),
        Some(Step::Follow { leader: l, .. }) => format!("{} may come along with the advance", leader(l)),
        Some(_) => "the combat goes on".into(),
    }
}

/// What the combat die on the table comes to: `a 7 on Rodes comes to 1 SP lost and a morale check`.
fn combat_die_words(battle: &Battle, state: &State, natural: u8) -> String {
    let target = state.fire.at.map_or(String::new(), |at| notation::target_words(battle, state, at));
    let routed =
        state.fire.at.and_then(|at| state.unit_at(at)).is_some_and(|target| state.unit(target).routed);
    let result =
        combat::result(battle, state, natural).map_or("nothing".into(), |cell| results::words(cell, routed));
    format!("a {natural} on {target} comes to {result}")
}

/// What the die against a lone leader comes to: `a 4 misses Meade`.
fn leader_die_words(battle: &Battle, leader: LeaderId, natural: u8) -> String {
    let article = if natural == 8 { "an" } else { "a" };
    let came = if leaders::is_hit_by(natural) { "hits" } else { "misses" };
    format!("{article} {natural} {came} {}", battle.leader(leader).name)
}

/// The hexes that the combat has emptied: `0505`, `0505 or 0406`.
fn vacated_words(battle: &Battle, state: &State) -> String {
    let mut hexes: Vec<Hex> = advance::candidates(battle, state).map(|(_, hex)| hex).collect();
    hexes.sort_unstable();
    hexes.dedup();
    hexes.into_iter().map(|hex| battle.number(hex)).collect::<Vec<String>>().join(" or ")
}

/// What the morale die on the table comes to: `Morris passes on a 1`.
fn morale_die_words(battle: &Battle, state: &State, unit: UnitId, natural: u8) -> String {
    let passed = results::passed_by(battle, state, unit, natural);
    let article = if natural == 8 { "an" } else { "a" };
    let came = does(&battle.unit(unit).name, if passed { "passes" } else { "fails" });
    format!("{came} on {article} {natural}")
}

/// Whether the die on the table is good enough for its owner: the check is passed, or at most every second die would do
/// more to the target.
pub(crate) fn die_may_stand(battle: &Battle, state: &State) -> bool {
    match state.agenda.top() {
        Some(Step::MoraleDie { unit, natural, .. }) => results::passed_by(battle, state, unit, natural),
        Some(Step::LeaderDie { natural, .. }) => leaders::is_hit_by(natural),
        Some(Step::CombatDie { natural }) => {
            let harm = |die: u8| combat::result(battle, state, die).map_or(0, Cell::harm);
            (1..=10).filter(|&die| harm(die) > harm(natural)).count() <= 5
        }
        _ => false,
    }
}

/// The decision in one sentence.
pub(crate) fn prompt(battle: &Battle, state: &State) -> Prompt {
    let rule = match state.agenda.top() {
        None => match state.phase {
            Phase::Organization => cite!("6.1.a"),
            Phase::Artillery => cite!("7.1.a"),
            Phase::Movement => cite!("8.1.2.a"),
            Phase::Defensive => cite!("9.2.a"),
            Phase::Offensive => cite!("9.3.a"),
            Phase::Rally => cite!("10.1.a"),
            Phase::Command | Phase::Interval | Phase::Over => cite!("4.2.d"),
        },
        Some(Step::Volley) => cite!("9.1.3.a"),
        Some(Step::CombatDie { .. } | Step::LeaderDie { .. } | Step::MoraleDie { .. }) => cite!("12.0.a"),
        Some(Step::Place { .. }) => cite!("5.3.2.a"),
        Some(Step::Choose { .. }) => cite!("9.8.l"),
        Some(Step::Retreat { rout: true, .. }) => cite!("9.8.q"),
        Some(Step::Retreat { .. }) => cite!("9.8.d"),
        Some(Step::Advance | Step::Follow { .. }) => cite!("9.9.a"),
        Some(_) => cite!("9.5.f"),
    };
    let sentence = match state.agenda.top() {
        Some(Step::CombatDie { natural }) => {
            format!("{}. Roll again?", capital(&combat_die_words(battle, state, natural)))
        }
        Some(Step::LeaderDie { leader, natural }) => {
            format!("{}. Roll again?", capital(&leader_die_words(battle, leader, natural)))
        }
        Some(Step::MoraleDie { unit, natural, .. }) => {
            format!("{}. Roll again?", morale_die_words(battle, state, unit, natural))
        }
        _ => capital(&asks(battle, state)) + ".",
    };
    let turn = battle.turn(state);
    Prompt {
        side: decider(battle, state),
        kind: facts::kind(state).into(),
        sentence,
        detail: format!(
            "{}, {} of {}.",
            turn.label,
            state.phase.words(),
            the(&battle.armies[state.phase.whose(state.active)].name)
        ),
        rule,
    }
}
