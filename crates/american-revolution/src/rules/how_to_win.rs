//! 4. How To Win, and the conditions that a volume adds.

use game::words::side_does;
use game::{BySide, Effects, Entry, Kind, Outcome, Place, Rule, Side};
use hexmap::Hex;

use crate::rules::army_morale::{self, Spirit};
use crate::rules::volume;
use crate::setup::battle::{Battle, Condition};
use crate::setup::pieces::Piece;
use crate::state::{Ending, Level, Spot, State};

/// Victory points in halves: losses of the enemy, objectives held, shattered enemies on the map (4.b to 4.e, R61).
#[must_use]
pub fn half_points(battle: &Battle, state: &State) -> BySide<i32> {
    BySide::from_fn(|side| {
        let objectives: i32 = battle
            .objectives
            .iter()
            .enumerate()
            .filter(|(i, _)| state.held[side] >> i & 1 == 1)
            .map(|(_, o)| i32::from(o.vp[side]))
            .sum();
        let shattered = (state.shattered & battle.units[!side] & state.on_map()).len() as i32;
        2 * i32::from(state.spoils[side]) + 2 * objectives + shattered
    })
}

/// Victory points as the book counts them, in whole numbers.
pub(crate) fn score(battle: &Battle, state: &State) -> BySide<i32> {
    half_points(battle, state).map(|halves| halves / 2)
}

/// A combat unit that stands in or passes an objective holds it.
pub(crate) fn take_hold(battle: &Battle, state: &mut State, unit: Piece, hex: Hex, fx: &mut impl Effects) {
    let side = battle.side(unit);
    if !battle.units[side].has(unit) {
        return;
    }
    for (i, objective) in battle.objectives.iter().enumerate() {
        if objective.hex == hex && state.held[side] >> i & 1 == 0 {
            state.held[side] |= 1 << i;
            state.held[!side] &= !(1 << i);
            fx.tell(|| {
                Entry::new(
                    Kind::Score,
                    format!("{} {}.", side_does(&battle.armies[side].name, "takes"), objective.name),
                )
                .side(side)
                .rule(cite!("3.1.m"))
                .place(Place::Hex(battle.hex_name(hex)))
            });
        }
    }
}

/// Ends the game.
pub(crate) fn end(battle: &Battle, state: &mut State, ending: Ending, rule: Rule, fx: &mut impl Effects) {
    state.ending = Some(ending);
    state.netting = false;
    state.agenda.clear();
    fx.tell(|| {
        let text = match (ending.winner, ending.level) {
            (Some(side), level) => {
                let level = format!("{level:?}").to_lowercase();
                format!("{}: a {level} victory.", side_does(&battle.armies[side].name, "wins"))
            }
            (None, _) => "The battle is drawn.".to_owned(),
        };
        Entry::new(Kind::Score, text).rule(rule)
    });
}

fn holds(battle: &Battle, state: &State, side: Side, condition: &Condition) -> bool {
    let held = |i: &usize| state.held[side] >> i & 1 == 1;
    let points = half_points(battle, state);
    condition.hold.iter().all(held)
        && (condition.hold_any.is_empty() || condition.hold_any.iter().any(held))
        && condition.lead.is_none_or(|lead| points[side] - points[!side] >= 2 * i32::from(lead))
        && condition.enemy_lost.is_none_or(|steps| state.lost[!side] >= steps)
        && condition.own_lost.is_none_or(|steps| state.lost[side] <= steps)
        && condition
            .gone
            .into_iter()
            .all(|p| matches!(state.at[p.index()], Spot::ELIMINATED | Spot::CAPTURED))
}

fn decisive(battle: &Battle, state: &State, automatic: bool) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| {
        battle.victory.decisive[side]
            .iter()
            .any(|c| (c.automatic || !automatic) && holds(battle, state, side, c))
    })
}

/// The end of a turn: automatic victory, then the winner if it was the last, else the next turn (5.c).
pub(crate) fn end_of_turn(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    if let Some(winner) = decisive(battle, state, true) {
        end(battle, state, Ending { winner: Some(winner), level: Level::Decisive }, cite!("4.a"), fx);
        return true;
    }
    if state.turn < battle.turns {
        volume::mend_bridges(battle, state, fx);
        return false;
    }
    let ending = final_ending(battle, state);
    end(battle, state, ending, cite!("4.a"), fx);
    true
}

/// Who has won when the last turn is over (4.a).
#[must_use]
pub fn final_ending(battle: &Battle, state: &State) -> Ending {
    if let Some(winner) = decisive(battle, state, false) {
        return Ending { winner: Some(winner), level: Level::Decisive };
    }
    let points = half_points(battle, state);
    for side in Side::BOTH {
        if let Some(lead) = battle.victory.marginal[side]
            && points[side] - points[!side] >= 2 * i32::from(lead)
        {
            return Ending { winner: Some(side), level: Level::Marginal };
        }
    }
    Ending { winner: None, level: Level::Draw }
}

/// The outcome as the contract knows it.
#[must_use]
pub fn outcome(ending: Ending) -> Outcome {
    ending.winner.map_or(Outcome::Drawn, Outcome::Won)
}

/// A volume's rule: some units leave the map when their army wavers.
pub(crate) fn waverers_leave(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    if battle.roles.waverers.is_empty() || state.ending.is_some() {
        return;
    }
    for unit in battle.roles.waverers & state.on_map() {
        if army_morale::level(battle, state, battle.side(unit)) == Spirit::Wavering && !in_fight(state, unit)
        {
            crate::rules::rally::dismiss(battle, state, unit, cite!("freemans-farm.i"), fx);
        }
    }
}

fn in_fight(state: &State, unit: Piece) -> bool {
    state.attacks.iter().any(|a| (a.attackers | a.defenders).has(unit))
        || (state.fight.attackers | state.fight.defenders).has(unit)
}

/// A volume's rule: an enemy who comes too near frees units that the scenario holds back.
pub(crate) fn raise_alarm(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for (i, alarm) in battle.special.alarms.iter().enumerate() {
        let mut enemies = battle.units[!alarm.side] & state.on_map();
        if state.alarmed >> i & 1 == 1
            || !enemies.any(|unit| state.hex(unit).is_some_and(|hex| alarm.near.contains(hex)))
        {
            continue;
        }
        state.alarmed |= 1 << i;
        fx.tell(|| {
            Entry::new(Kind::Note, "The alarm is raised: units that were held back are free to move.")
                .side(alarm.side)
                .rule(cite!("freemans-farm.c"))
        });
    }
}

/// Whether an alarm, or an order, has freed a piece before its time.
#[must_use]
pub fn is_freed(battle: &Battle, state: &State, piece: Piece) -> bool {
    volume::is_hastened(battle, state, piece) || is_alarmed(battle, state, piece)
}

/// Whether an alarm has freed a piece.
pub(crate) fn is_alarmed(battle: &Battle, state: &State, piece: Piece) -> bool {
    state.alarmed != 0
        && battle
            .special
            .alarms
            .iter()
            .enumerate()
            .any(|(i, alarm)| state.alarmed >> i & 1 == 1 && alarm.units.has(piece))
}

/// A volume's rule: units that must stay near a place, at a price in army morale.
pub(crate) fn drag_anchor(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let Some(anchor) = battle.special.anchor else { return };
    if anchor.side != state.phasing || state.turn < anchor.from {
        return;
    }
    let near = (anchor.units & state.on_map()).filter(|&u| {
        state.hex(u).is_some_and(|hex| battle.ground.grid.distance(hex, anchor.hex) <= anchor.within.into())
    });
    let sp: u8 = near.map(|u| state.strength(battle, u)).sum();
    if sp < anchor.sp {
        fx.tell(|| {
            Entry::new(Kind::Note, format!("The flank at {} is bare.", battle.hex_name(anchor.hex)))
                .side(anchor.side)
                .rule(cite!("freemans-farm.a"))
                .place(Place::Hex(battle.hex_name(anchor.hex)))
        });
        army_morale::adjust(battle, state, anchor.side, [-1, 0], fx);
    }
}

/// A volume's rule: when the army has marched off, the game ends and the enemy holds the field.
pub(crate) fn army_has_left(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let Some(exit) = &battle.special.exit else { return };
    if !volume::has_marched_off(state, exit.army) {
        return;
    }
    let all = (1u16 << battle.objectives.len()) - 1;
    state.held[!exit.side] = all;
    state.held[exit.side] = 0;
    let ending = final_ending(battle, state);
    end(battle, state, ending, cite!("guilford-court-house.k"), fx);
}
