//! 13. Combat Results: what each does, and who suffers it.

use game::words::does;
use game::{Effects, Entry, Kind, Side};
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::legal::{Bar, Lawful};
use crate::rules::sequence::Step;
use crate::rules::{army_morale, close_combat, leaders, momentum, pins, rally, zones};
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Spot, State};

/// What a result does to the side that suffers it (13.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Effect {
    Nothing,
    ArmyMorale,
    Retreat,
    Disrupt,
    Step,
    TwoSteps,
    DefendersChoice,
    AttackersChoice,
    Pin,
}

/// A result, with or without an asterisk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hit {
    /// What it does.
    pub effect: Effect,
    /// A leader may fall.
    pub star: bool,
}

impl Hit {
    /// No effect.
    pub const NOTHING: Hit = Hit { effect: Effect::Nothing, star: false };

    /// Reads `1*` and the like.
    #[must_use]
    pub fn parse(text: &str) -> Option<Hit> {
        let (body, star) = text.strip_suffix('*').map_or((text, false), |body| (body, true));
        let effect = match body {
            "-" | "." => Effect::Nothing,
            "AM" => Effect::ArmyMorale,
            "R" => Effect::Retreat,
            "D" => Effect::Disrupt,
            "1" => Effect::Step,
            "2" => Effect::TwoSteps,
            "DC" => Effect::DefendersChoice,
            "AC" => Effect::AttackersChoice,
            "PIN" => Effect::Pin,
            _ => return None,
        };
        Some(Hit { effect, star })
    }

    /// As the table prints it.
    #[must_use]
    pub fn words(self) -> String {
        let body = match self.effect {
            Effect::Nothing => "-",
            Effect::ArmyMorale => "AM",
            Effect::Retreat => "R",
            Effect::Disrupt => "D",
            Effect::Step => "1",
            Effect::TwoSteps => "2",
            Effect::DefendersChoice => "DC",
            Effect::AttackersChoice => "AC",
            Effect::Pin => "PIN",
        };
        if self.star { format!("{body}*") } else { body.to_owned() }
    }

    /// What it does to `whom` ("the attacker"), in words.
    #[must_use]
    pub fn told(self, whom: &str) -> String {
        let what = match self.effect {
            Effect::Nothing => format!("nothing for {whom}"),
            Effect::ArmyMorale => format!("{whom} loses army morale"),
            Effect::Retreat => format!("{whom} retreats"),
            Effect::Disrupt => format!("{whom} is disrupted"),
            Effect::Step => format!("{whom} loses a step"),
            Effect::TwoSteps => format!("{whom} loses two steps"),
            Effect::DefendersChoice => format!("{whom} loses a captured unit that the defender picks"),
            Effect::AttackersChoice => format!("{whom} loses a captured unit that the attacker picks"),
            Effect::Pin => format!("{whom} is pinned"),
        };
        if self.star { format!("{what} and perhaps a leader") } else { what }
    }

    /// The result of a close combat beside its code: `D/-: the attacker is disrupted, nothing for the defender`.
    #[must_use]
    pub fn told_of_both([attacker, defender]: [Hit; 2]) -> String {
        if attacker.effect == Effect::Pin {
            return "PIN: both sides are pinned where they stand".into();
        }
        let (code, first) = (attacker.words(), attacker.told("the attacker"));
        format!("{code}/{}: {first}, {}", defender.words(), defender.told("the defender"))
    }
}

/// Takes a unit off the map and forgets what was noted of it.
fn remove(battle: &Battle, state: &mut State, unit: Piece, to: Spot) {
    state.at[unit.index()] = to;
    for set in [
        &mut state.disrupted,
        &mut state.shattered,
        &mut state.withdrawn,
        &mut state.unfired,
        &mut state.driven,
    ] {
        set.drop(unit);
    }
    state.fight.soft.drop(unit);
    state.fight.harsh.drop(unit);
    state.waiting.drop(unit);
    pins::forget(battle, state, unit);
}

fn tell_unit(battle: &Battle, kind: Kind, unit: Piece, text: &str, rule: game::Rule, fx: &mut impl Effects) {
    fx.tell(|| {
        Entry::new(kind, format!("{}.", does(&battle.counter(unit).name, text)))
            .side(battle.side(unit))
            .rule(rule)
            .piece(unit.id())
    });
}

/// One step is lost (2.2.a, 4.b); army morale is the caller's.
pub(crate) fn lose_step(battle: &Battle, state: &mut State, unit: Piece, fx: &mut impl Effects) {
    let side = battle.side(unit);
    state.lost[side] += 1;
    state.spoils[!side] += 1;
    if state.steps(battle, unit) == 2 {
        state.reduced.add(unit);
        tell_unit(battle, Kind::Loss, unit, "loses a step and is reduced", cite!("2.2.a"), fx);
    } else {
        state.spoils[!side] += battle.counter(unit).bonus_vp;
        remove(battle, state, unit, Spot::ELIMINATED);
        tell_unit(battle, Kind::Gone, unit, "is eliminated", cite!("13.1.ae"), fx);
    }
}

/// A unit is captured (4.c, 12.64.a), with its army morale change.
pub(crate) fn capture(
    battle: &Battle,
    state: &mut State,
    unit: Piece,
    rule: game::Rule,
    fx: &mut impl Effects,
) {
    let (side, counter) = (battle.side(unit), battle.counter(unit));
    let elite = counter.morale[0] == 2 && !state.reduced.has(unit);
    state.lost[side] += state.steps(battle, unit);
    state.spoils[!side] += counter.captured_vp + counter.bonus_vp;
    remove(battle, state, unit, Spot::CAPTURED);
    tell_unit(battle, Kind::Gone, unit, "is captured", rule, fx);
    if elite && state.fight.is_open() {
        state.fight.elites[side] += 1;
    } else if elite {
        momentum::surrender(battle, state, side, fx);
    }
    army_morale::adjust(battle, state, side, battle.charts.change.captured_unit, fx);
}

/// One level worse: disrupted, then shattered, then eliminated (13.1.e to 13.1.g).
pub(crate) fn worsen(battle: &Battle, state: &mut State, unit: Piece, fx: &mut impl Effects) {
    let side = battle.side(unit);
    let chart = battle.charts.change;
    let mut change = chart.one_level_worse;
    if state.shattered.has(unit) {
        let left = state.steps(battle, unit);
        for _ in 0..left {
            lose_step(battle, state, unit, fx);
        }
        change = chart.shattered_eliminated;
    } else if state.disrupted.has(unit) {
        state.disrupted.drop(unit);
        state.shattered.add(unit);
        tell_unit(battle, Kind::Loss, unit, "is shattered", cite!("13.1.f"), fx);
    } else {
        state.disrupted.add(unit);
        tell_unit(battle, Kind::Loss, unit, "is disrupted", cite!("13.1.e"), fx);
    }
    if battle.roles.home_goers.has(unit) && change == chart.one_level_worse {
        return;
    }
    army_morale::adjust(battle, state, side, change, fx);
}

/// A step is lost as a `1` result: with its army morale change.
pub(crate) fn one_step(battle: &Battle, state: &mut State, unit: Piece, fx: &mut impl Effects) {
    lose_step(battle, state, unit, fx);
    army_morale::adjust(battle, state, battle.side(unit), battle.charts.change.step_loss, fx);
}

/// The army loses heart, nothing else (13.1.a).
pub(crate) fn am_result(battle: &Battle, state: &mut State, unit: Piece, fx: &mut impl Effects) {
    if !battle.roles.home_goers.has(unit) {
        army_morale::adjust(battle, state, battle.side(unit), battle.charts.change.am_result, fx);
    }
}

/// The unit retreats one hex, or must be captured; some units are exempt (13.1.b, 13.1.ad).
pub(crate) fn retreat_one(battle: &Battle, state: &mut State, unit: Piece) {
    if !battle.roles.no_retreat.has(unit) && state.hex(unit).is_some() {
        state.agenda.push(Step::Retreating { unit, hexes: 1, disrupts: false });
    }
}

/// A D result on one unit (13.1.e to 13.1.g).
pub(crate) fn disrupt(battle: &Battle, state: &mut State, unit: Piece, fx: &mut impl Effects) {
    if state.shattered.has(unit) {
        worsen(battle, state, unit, fx);
    } else if state.hex(unit).is_some() {
        state.agenda.push(Step::Retreating { unit, hexes: 3, disrupts: true });
    }
}

/// A side of the close combat suffers its part of the result (13.1). The lead unit absorbs it first, then a leader may
/// fall, then the others check morale (R23); steps are put on the agenda, so the last pushed comes first.
pub(crate) fn suffer(
    battle: &Battle,
    state: &mut State,
    side: Side,
    hit: Hit,
    exact: bool,
    fx: &mut impl Effects,
) {
    state.agenda.pop();
    let own = state.fight.of(battle, side);
    let Some(lead) = state.fight.lead[side] else { return };
    let others = own.without(lead) & state.on_map();
    // Units that retreated into the combat check whatever comes of it, no effect included (13.24.b, R36).
    state.fight.harsh |= state.fight.late & battle.units[side];
    match hit.effect {
        Effect::DefendersChoice | Effect::AttackersChoice => state.fight.harsh |= own,
        Effect::Nothing | Effect::ArmyMorale | Effect::Pin => {}
        Effect::Retreat | Effect::Disrupt | Effect::Step | Effect::TwoSteps => state.fight.soft |= others,
    }
    state.agenda.push(Step::Checks(side));
    if hit.star && exact {
        let present = state.fight.leaders & battle.leaders[side] & state.on_map();
        state.agenda.push(Step::Casualty(present));
    }
    match hit.effect {
        Effect::Nothing | Effect::Pin => {}
        Effect::ArmyMorale => am_result(battle, state, lead, fx),
        Effect::Retreat => {
            army_morale::adjust(battle, state, side, battle.charts.change.retreat, fx);
            retreat_one(battle, state, lead);
        }
        Effect::Disrupt => disrupt(battle, state, lead, fx),
        Effect::Step => one_step(battle, state, lead, fx),
        Effect::TwoSteps => two_steps(battle, state, side, lead, fx),
        Effect::DefendersChoice | Effect::AttackersChoice => {
            let chooser = if hit.effect == Effect::AttackersChoice { state.phasing } else { !state.phasing };
            state.agenda.push(Step::Captive(chooser, own & state.on_map()));
        }
    }
}

/// A `2` result: the lead unit is eliminated; if it had one step left, any other unit of its side in the hex loses one,
/// whether it took part or not (13.1.j, R32).
fn two_steps(battle: &Battle, state: &mut State, side: Side, lead: Piece, fx: &mut impl Effects) {
    let hex = state.hex(lead);
    let steps = state.steps(battle, lead);
    army_morale::adjust(battle, state, side, battle.charts.change.two_step_result, fx);
    for _ in 0..steps {
        lose_step(battle, state, lead, fx);
    }
    if steps == 1 {
        let second = hex.map_or(Pieces::NONE, |hex| state.units_in(battle, hex, side));
        state.agenda.push(Step::SecondLoss(side, second));
    }
}

/// PIN: disrupted and shattered units in the hexes of the combat are captured, the defender's first, and an army that
/// this brings to 0 has lost before the attacker's are (13.1.o, R57, R80).
pub(crate) fn pin_captures(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    for side in [!state.phasing, state.phasing] {
        let broken = (state.disrupted | state.shattered) & battle.units[side];
        let caught: Pieces =
            broken.filter(|&u| state.hex(u).is_some_and(|hex| state.fight.holds(hex))).collect();
        for unit in caught {
            capture(battle, state, unit, cite!("13.1.o"), fx);
        }
        army_morale::adjust(battle, state, side, battle.charts.change.pin, fx);
        army_morale::weigh(battle, state, fx);
        if state.ending.is_some() {
            return;
        }
    }
}

/// The pin is recorded: everybody who still stands in its hexes (13.1.p, R14).
pub(crate) fn pin_marks(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    let mut pieces = Pieces::NONE;
    for hex in state.fight.all_hexes() {
        pieces |= state.in_hex(hex);
    }
    pins::record(battle, state, pieces, fx);
}

/// Units of a side that still have to check morale in this combat.
#[must_use]
pub fn to_check(battle: &Battle, state: &State, side: Side) -> Pieces {
    (state.fight.soft | state.fight.harsh) & battle.units[side] & state.on_map()
}

/// The checks of a side, one unit after the other in its owner's order (R23). False while he must choose.
pub(crate) fn step_checks(battle: &Battle, state: &mut State, side: Side, fx: &mut impl Effects) -> bool {
    let rest = to_check(battle, state, side);
    if rest.is_empty() {
        state.agenda.pop();
        return true;
    }
    if let Some(only) = rest.only() {
        check_morale(battle, state, only, fx);
        return true;
    }
    false
}

/// One unit checks: soft, it retreats one hex if it fails; harsh, one hex if it passes, and a D if it fails
/// (13.1.n, 13.24.b).
pub(crate) fn check_morale(battle: &Battle, state: &mut State, unit: Piece, fx: &mut impl Effects) {
    let harsh = state.fight.harsh.has(unit);
    let late = state.fight.late.has(unit);
    state.fight.soft.drop(unit);
    state.fight.harsh.drop(unit);
    let works =
        if close_combat::solely_across_works(battle, state, unit) { battle.charts.works_check } else { 0 };
    let more = [(works, "attacked across fieldworks", cite!("13.5.b"))];
    let rule = match (harsh, late) {
        (_, true) => cite!("13.24.b"),
        (true, false) => cite!("13.1.n"),
        _ => cite!("13.5.a"),
    };
    let passed = rally::passes(battle, state, unit, "checks morale", rule, &more, fx);
    match (harsh, passed) {
        (false, true) => {}
        (false, false) | (true, true) => retreat_one(battle, state, unit),
        (true, false) => disrupt(battle, state, unit, fx),
    }
}

/// One piece out of several must be picked: whoever is alone is not asked about.
pub(crate) fn step_choice(battle: &Battle, state: &mut State, from: Pieces, fx: &mut impl Effects) -> bool {
    if from.is_empty() {
        state.agenda.pop();
        return true;
    }
    let Some(only) = from.only() else { return false };
    pick(battle, state, only, fx);
    true
}

pub(crate) fn check_pick(from: Pieces, action: &Action, rule: game::Rule, why: &'static str) -> Lawful {
    match action {
        Action::Pick(piece) if from.has(*piece) => Ok(()),
        Action::Pick(_) => Err(Bar::new(rule, why)),
        _ => Err(Bar::other("one piece must be picked")),
    }
}

/// A piece was picked, for whatever the step at hand asks.
pub(crate) fn pick(battle: &Battle, state: &mut State, piece: Piece, fx: &mut impl Effects) {
    match state.agenda.top() {
        Some(Step::Captive(..)) => {
            state.agenda.pop();
            capture(battle, state, piece, cite!("13.1.m"), fx);
        }
        Some(Step::SecondLoss(..)) => {
            state.agenda.pop();
            state.fight.soft.drop(piece);
            lose_step(battle, state, piece, fx);
        }
        Some(Step::Casualty(_)) => {
            state.agenda.pop();
            leaders::kill(battle, state, piece, fx);
        }
        Some(Step::Toll(hit)) => state.agenda.replace(Step::Struck { unit: piece, hit }),
        Some(Step::Checks(_)) => check_morale(battle, state, piece, fx),
        Some(Step::Overstack(..)) => crate::rules::stacking::shed_for_room(battle, state, piece, fx),
        Some(Step::Straggling) => {
            state.waiting.drop(piece);
            disrupt(battle, state, piece, fx);
        }
        Some(Step::Withdrawing(..)) => {
            state.waiting.drop(piece);
            crate::rules::retreat::withdraw_next(battle, state, piece);
        }
        _ => {}
    }
}

/// Disrupted units of the phasing side that end their close combat phase next to a Parade Order enemy without a
/// Parade Order friend in their hex (13.3.f, R38).
#[must_use]
pub fn stragglers(battle: &Battle, state: &State) -> Pieces {
    (state.disrupted & battle.units[state.phasing] & state.on_map())
        .filter(|&unit| {
            let Some(hex) = state.hex(unit) else { return false };
            zones::beside(battle, state, !state.phasing, hex).meets(state.parade())
                && !has_steady_friend(battle, state, unit)
        })
        .collect()
}

fn has_steady_friend(battle: &Battle, state: &State, unit: Piece) -> bool {
    let side = battle.side(unit);
    state
        .hex(unit)
        .is_some_and(|hex| (state.units_in(battle, hex, side) & state.parade()).meets(battle.units[side]))
}

/// Shattered units of both sides next to an enemy, without a Parade Order friend in their hex, are captured (13.4.d).
pub(crate) fn shattered_captures(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let caught: Pieces = (state.shattered & battle.all_units() & state.on_map())
        .filter(|&unit| {
            state
                .hex(unit)
                .is_some_and(|hex| !zones::beside(battle, state, !battle.side(unit), hex).is_empty())
                && !has_steady_friend(battle, state, unit)
        })
        .collect();
    state.netting = true;
    for unit in caught {
        capture(battle, state, unit, cite!("13.4.d"), fx);
    }
    army_morale::settle(battle, state, fx);
}

/// A volume's rule: militia that defended and stand must pass a check, or they go home.
pub(crate) fn send_home(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for unit in battle.roles.home_goers & state.defended & state.on_map() {
        let more =
            [(battle.special.home_check, "raw militia after a fight", cite!("guilford-court-house.b"))];
        if rally::passes(
            battle,
            state,
            unit,
            "stands or goes home",
            cite!("guilford-court-house.b"),
            &more,
            fx,
        ) {
            state.volleyed.add(unit);
        } else {
            rally::dismiss(battle, state, unit, cite!("guilford-court-house.b"), fx);
        }
    }
}
