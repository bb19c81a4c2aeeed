//! 1. What single volumes add to the series rules: grape into a melee, early releases, broken bridges.

use game::{Effects, Entry, Kind, Place};

use crate::action::Action;
use crate::legal::{Bar, Lawful};
use crate::rules::results::{Effect, Hit};
use crate::rules::sequence::Step;
use crate::rules::{army_morale, artillery_fire, close_combat};
use crate::setup::battle::{Battle, Grape};
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Spot, State};

// Grape: guns fire into a close combat of their own side, and hit friend and foe alike.

/// The guns that may fire into the close combat at hand: after a pin, or when the attacker must retreat, once a game.
pub(crate) fn grape_at_hand(battle: &Battle, state: &State) -> Option<Grape> {
    let grape = battle.special.grape.filter(|_| battle.house.grape && !state.graped)?;
    let [attacker, _] = close_combat::result(battle, state);
    let stalled = matches!(attacker.effect, Effect::Pin | Effect::Retreat);
    (stalled && battle.side(grape.gun) == state.phasing).then_some(grape)
}

/// Whether the guns may fire at that unit of the combat.
fn may_grape(battle: &Battle, state: &State, unit: Piece) -> Lawful {
    let Some(grape) = grape_at_hand(battle, state) else {
        return Err(Bar::new(
            cite!("guilford-court-house.j"),
            "the scenario lets guns fire into a melee once, where it stalls",
        ));
    };
    if !(state.fight.defenders & state.on_map()).has(unit) {
        return Err(Bar::new(
            cite!("guilford-court-house.j"),
            "the target must be an enemy unit of this combat",
        ));
    }
    let (Some(from), Some(at)) = (state.hex(grape.gun), state.hex(unit)) else {
        return Err(Bar::new(cite!("guilford-court-house.j"), "the guns are not on the map"));
    };
    artillery_fire::may_fire_in_its_order(state, grape.gun)?;
    if battle.ground.grid.distance(from, at) > grape.within.into() {
        return Err(Bar::new(
            cite!("guilford-court-house.j"),
            "the scenario lets them fire into a melee close by only",
        ));
    }
    artillery_fire::may_reach(battle, state, grape.gun, at, &artillery_fire::occupied(battle, state))
}

/// Whom the guns may fire at.
#[must_use]
pub fn grape_marks(battle: &Battle, state: &State) -> Pieces {
    state.fight.defenders.filter(|&unit| may_grape(battle, state, unit).is_ok()).collect()
}

pub(crate) fn check_grape(battle: &Battle, state: &State, action: &Action) -> Lawful {
    match *action {
        Action::Target(unit) => may_grape(battle, state, unit),
        Action::Done => Ok(()),
        _ => Err(Bar::other("the guns may fire into the melee, or hold their fire")),
    }
}

/// The guns fire; what they do to the enemy, one of their own suffers too.
pub(crate) fn fire_grape(battle: &Battle, state: &mut State, target: Piece, fx: &mut impl Effects) {
    let Some(grape) = battle.special.grape else { return };
    state.agenda.pop();
    state.graped = true;
    let hit = artillery_fire::shoot(battle, state, Pieces::one(grape.gun), target, false, fx);
    if hit != Hit::NOTHING {
        state.agenda.push(Step::Toll(hit));
        state.agenda.push(Step::Struck { unit: target, hit });
    }
}

/// The own units of the combat that may pay for the grape.
#[must_use]
pub fn toll(state: &State) -> Pieces {
    state.fight.attackers & state.on_map()
}

// Early release: a leader lets units go a turn before their time.

/// Whether the release of that turn may be brought forward now.
pub(crate) fn may_hasten(battle: &Battle, state: &State, turn: u8) -> Lawful {
    let Some(hasten) = &battle.special.hasten else {
        return Err(Bar::new(cite!("freemans-farm.d"), "the scenario brings no release forward"));
    };
    if battle.side(hasten.leader) != state.phasing || state.hex(hasten.leader).is_none() {
        return Err(Bar::new(cite!("freemans-farm.d"), "the leader who may give this order is not in play"));
    }
    if state.hastened != 0 {
        return Err(Bar::new(
            cite!("freemans-farm.d"),
            "a release has been brought forward already; it is done once",
        ));
    }
    if !hasten.turns.contains(&turn) || state.turn + 1 != turn {
        return Err(Bar::new(
            cite!("freemans-farm.d"),
            "only some releases may be brought forward, each by one turn",
        ));
    }
    Ok(())
}

pub(crate) fn offers_hasten(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    let turns = battle.special.hasten.iter().flat_map(|hasten| &hasten.turns);
    out.extend(
        turns.filter(|&&turn| may_hasten(battle, state, turn).is_ok()).map(|&turn| Action::Hasten(turn)),
    );
}

pub(crate) fn hasten(battle: &Battle, state: &mut State, turn: u8, fx: &mut impl Effects) {
    let Some(hasten) = &battle.special.hasten else { return };
    let side = state.phasing;
    state.hastened = turn;
    fx.tell(|| {
        let leader = &battle.counter(hasten.leader).name;
        Entry::new(Kind::Note, format!("{leader} lets the units of turn {turn} go a turn early."))
            .side(side)
            .rule(cite!("freemans-farm.d"))
            .piece(hasten.leader.id())
    });
    army_morale::adjust(battle, state, side, [-(hasten.price as i8), 0], fx);
}

/// Whether an order has let the piece go before its time.
#[inline]
pub(crate) fn is_hastened(battle: &Battle, state: &State, piece: Piece) -> bool {
    state.hastened != 0
        && battle.counter(piece).free == state.hastened
        && battle.special.hasten.as_ref().is_some_and(|h| battle.side(h.leader) == battle.side(piece))
}

// Bridges: a broken one is a ford until units have stood at it for a whole turn.

/// At the end of a turn: a bridge that was attended when it began, and still is, is whole again.
pub(crate) fn mend_bridges(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let Some(side) = battle.special.mends else { return };
    let mut attended = 0;
    for (i, bridge) in battle.ground.broken.iter().enumerate() {
        let mut units = battle.units[side] & state.on_map();
        if units.any(|unit| state.hex(unit).is_some_and(|hex| bridge.ends.contains(&hex))) {
            attended |= 1 << i;
        }
    }
    let whole = attended & state.attended & !state.mended;
    state.attended = attended;
    state.mended |= whole;
    for (i, bridge) in battle.ground.broken.iter().enumerate() {
        if whole >> i & 1 == 1 {
            fx.tell(|| {
                let [a, b] = bridge.ends.map(|hex| battle.hex_name(hex));
                Entry::new(Kind::Note, format!("The bridge between {a} and {b} is mended."))
                    .side(side)
                    .rule(cite!("freemans-farm.j"))
                    .place(Place::Hex(a))
                    .place(Place::Hex(b))
            });
        }
    }
}

// Leaving the field.

/// Whether an army is off the map and at least one of its units left of its own will.
pub(crate) fn has_marched_off(state: &State, army: Pieces) -> bool {
    let mut all = army;
    !army.meets(state.on_map()) && all.any(|unit| state.at[unit.index()] == Spot::GONE)
}
