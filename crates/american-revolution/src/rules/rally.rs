//! 15. The Rally Phase and Unit Morale, and 13.5 Morale Checks.

use game::words::does;
use game::{Die, Effects, Entry, Kind, Modifier, RollNote, Rule, Test};

use crate::action::Action;
use crate::legal::{Bar, Lawful};
use crate::rules::{army_morale, leaders, zones};
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Spot, State};

/// What is added to a morale check, each term with its rule; [`morale_sum`] is their total.
pub(crate) fn morale_terms(
    battle: &Battle,
    state: &State,
    unit: Piece,
    more: &[(i8, &str, Rule)],
) -> Vec<Modifier> {
    let side = battle.side(unit);
    let mut terms =
        vec![Modifier::new(state.base_morale(battle, unit).into(), "unit morale", cite!("15.31.a"))];
    let level = army_morale::level(battle, state, side);
    let drm = army_morale::unit_drm(battle, state, side);
    if drm != 0 {
        terms.push(Modifier::new(drm.into(), level.name(), level.rule()));
    }
    if let Some((leader, drm)) = leaders::leadership(battle, state, unit)
        && drm != 0
    {
        terms.push(Modifier::new(
            drm.into(),
            format!("leadership of {}", battle.counter(leader).name),
            cite!("14.23.a"),
        ));
    }
    let steadied = brigade_bonus(battle, state, unit);
    if steadied != 0 {
        terms.push(Modifier::new(
            steadied.into(),
            "steadied by the brigade's leader",
            cite!("guilford-court-house.f"),
        ));
    }
    if battle.special.check != 0 {
        terms.push(Modifier::new(
            battle.special.check.into(),
            "the scenario's check modifier",
            cite!("13.5.d"),
        ));
    }
    terms.extend(
        more.iter()
            .filter(|(value, ..)| *value != 0)
            .map(|&(value, reason, rule)| Modifier::new(value.into(), reason, rule)),
    );
    terms
}

fn brigade_bonus(battle: &Battle, state: &State, unit: Piece) -> i8 {
    let steadies = |b: &&crate::setup::battle::Brigade| b.units.has(unit) && state.hex(b.leader).is_some();
    battle.special.brigades.iter().filter(steadies).map(|b| b.check).sum()
}

/// Modified morale (15.32.a): base morale and the army's level.
#[must_use]
pub fn modified_morale(battle: &Battle, state: &State, unit: Piece) -> i8 {
    state.base_morale(battle, unit) + army_morale::unit_drm(battle, state, battle.side(unit))
}

fn morale_sum(battle: &Battle, state: &State, unit: Piece, more: &[(i8, &str, Rule)]) -> i8 {
    modified_morale(battle, state, unit)
        + leaders::leadership(battle, state, unit).map_or(0, |(_, drm)| drm)
        + brigade_bonus(battle, state, unit)
        + battle.special.check
        + more.iter().map(|(value, ..)| value).sum::<i8>()
}

/// A morale check (13.5.a): the die, modified morale and the check modifiers must reach five.
pub(crate) fn passes(
    battle: &Battle,
    state: &State,
    unit: Piece,
    what: &str,
    rule: Rule,
    more: &[(i8, &str, Rule)],
    fx: &mut impl Effects,
) -> bool {
    let need = battle.charts.pass_at - morale_sum(battle, state, unit, more);
    fx.passes(Test::at_least(Die::Z10, need.into()), || {
        RollNote::new(does(&battle.counter(unit).name, what), rule)
            .side(battle.side(unit))
            .by(unit.id())
            .modifiers(morale_terms(battle, state, unit, more))
    })
}

/// Withdrawal markers come off the phasing side (12.43.a).
pub(crate) fn begin(battle: &Battle, state: &mut State) {
    state.withdrawn -= battle.pieces(state.phasing);
}

/// Units that may try to rally (15.1.a).
#[must_use]
pub fn eligible(battle: &Battle, state: &State) -> Pieces {
    let broken = (state.disrupted | state.shattered) & battle.units[state.phasing] & state.on_map();
    broken.filter(|&unit| may_rally(battle, state, unit).is_ok()).collect()
}

fn may_rally(battle: &Battle, state: &State, unit: Piece) -> Lawful {
    let shattered = state.shattered.has(unit);
    if !(shattered || state.disrupted.has(unit)) || !battle.units[state.phasing].has(unit) {
        return Err(Bar::new(
            cite!("15.1.a"),
            "only the phasing player's disrupted and shattered units rally",
        ));
    }
    if state.acted.has(unit) {
        return Err(Bar::new(cite!("15.1.a"), "it has made its attempt in this phase"));
    }
    let Some(hex) = state.hex(unit) else {
        return Err(Bar::new(cite!("15.1.a"), "it is not on the map"));
    };
    if zones::in_zone(battle, state, !state.phasing, hex) {
        let rule = if shattered { cite!("13.4.e") } else { cite!("13.3.h") };
        return Err(Bar::new(rule, "it lies in an enemy zone of control"));
    }
    Ok(())
}

/// Units that the scenario lets their owner send home now.
fn may_dismiss(battle: &Battle, state: &State, unit: Piece) -> Lawful {
    let theirs = battle.roles.home_goers & battle.units[state.phasing];
    if theirs.has(unit) && state.turn >= 2 && state.hex(unit).is_some() {
        return Ok(());
    }
    Err(Bar::new(
        cite!("guilford-court-house.c"),
        "the scenario lets only some militia be sent home, from turn 2 on",
    ))
}

/// Whether the owner may send anybody home now.
pub(crate) fn may_send_anybody_home(battle: &Battle, state: &State) -> bool {
    (battle.roles.home_goers & battle.units[state.phasing])
        .any(|unit| may_dismiss(battle, state, unit).is_ok())
}

pub(crate) fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    out.extend(eligible(battle, state).map(Action::Rally));
    let theirs = battle.roles.home_goers & battle.units[state.phasing];
    out.extend(theirs.filter(|&unit| may_dismiss(battle, state, unit).is_ok()).map(Action::Dismiss));
    out.push(Action::Done);
}

pub(crate) fn check(battle: &Battle, state: &State, action: &Action) -> Lawful {
    match *action {
        Action::Rally(unit) => may_rally(battle, state, unit),
        Action::Dismiss(unit) => may_dismiss(battle, state, unit),
        Action::Done => Ok(()),
        _ => Err(Bar::other("this is the rally phase")),
    }
}

/// One rally attempt (15.1.a, 15.2).
pub(crate) fn rally(battle: &Battle, state: &mut State, unit: Piece, fx: &mut impl Effects) {
    state.acted.add(unit);
    let call = turkey_call(battle, state, unit);
    let more = [(call, "the leader's call", cite!("freemans-farm.e"))];
    if !passes(battle, state, unit, "tries to rally", cite!("15.1.a"), &more, fx) {
        return;
    }
    let from_shattered = state.shattered.has(unit);
    state.shattered.drop(unit);
    if from_shattered {
        state.disrupted.add(unit);
    } else {
        state.disrupted.drop(unit);
    }
    let (rule, to) =
        if from_shattered { (cite!("15.2.b"), "disrupted") } else { (cite!("15.2.a"), "in Parade Order") };
    fx.tell(|| {
        Entry::new(Kind::Rally, format!("{}: now {to}.", does(&battle.counter(unit).name, "rallies")))
            .side(battle.side(unit))
            .rule(rule)
            .piece(unit.id())
    });
    army_morale::adjust(battle, state, battle.side(unit), battle.charts.change.rally, fx);
}

/// A volume's call that rallies rifles, in place of the caller's own leadership.
fn turkey_call(battle: &Battle, state: &State, unit: Piece) -> i8 {
    let Some((leader, bonus)) = battle.special.call else { return 0 };
    let (Some(at), Some(hex)) = (state.hex(leader), state.hex(unit)) else { return 0 };
    if !battle.roles.rifles.has(unit)
        || battle.side(leader) != battle.side(unit)
        || (at != hex && !battle.ground.adjacent(at, hex))
    {
        return 0;
    }
    let own =
        leaders::leadership(battle, state, unit).filter(|&(who, _)| who == leader).map_or(0, |(_, drm)| drm);
    bonus - own
}

/// A unit is sent home: no victory points, no army morale (a volume's rule).
pub(crate) fn dismiss(battle: &Battle, state: &mut State, unit: Piece, rule: Rule, fx: &mut impl Effects) {
    state.at[unit.index()] = Spot::GONE;
    fx.tell(|| {
        Entry::new(Kind::Gone, does(&battle.counter(unit).name, "goes home."))
            .side(battle.side(unit))
            .rule(rule)
            .piece(unit.id())
    });
    crate::rules::pins::forget(battle, state, unit);
}
