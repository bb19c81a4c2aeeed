//! 7. Stacking, and what may be examined.

use game::words::{does, side_does};
use game::{Effects, Entry, Kind, Place, Side};
use hexmap::Hex;

use crate::action::Action;
use crate::legal::{Bar, Lawful};
use crate::rules::army_morale;
use crate::rules::results;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::State;

/// SP of foot and horse, and guns, that a set of units stacks with (7.1.a, 7.1.b).
#[must_use]
pub fn load(battle: &Battle, state: &State, units: Pieces) -> (u8, u8) {
    let guns = units & battle.roles.artillery;
    let sp = (units - guns).map(|u| state.strength(battle, u)).sum();
    (sp, guns.len() as u8)
}

/// Whether a hex that holds `units` is within the limit.
#[must_use]
pub fn within_limit(battle: &Battle, state: &State, units: Pieces) -> bool {
    let (sp, guns) = load(battle, state, units);
    sp <= battle.charts.stacking[0] && guns <= battle.charts.stacking[1]
}

/// Whether `unit` finds room in `hex`, on its present side or, if it `sheds`, on its reduced one.
#[must_use]
pub fn has_room(battle: &Battle, state: &State, unit: Piece, sheds: bool, hex: Hex) -> bool {
    let side = battle.side(unit);
    if battle.leaders[side].has(unit) {
        return true;
    }
    let (sp, guns) = load(battle, state, state.units_in(battle, hex, side).without(unit));
    if battle.roles.artillery.has(unit) {
        return guns < battle.charts.stacking[1];
    }
    let own = battle.counter(unit).strength[if sheds { 1 } else { state.face(unit) }];
    sp + own <= battle.charts.stacking[0]
}

/// The first hex found over the limit, and whose (7.3.a).
#[must_use]
pub fn overstacked(battle: &Battle, state: &State) -> Option<(Side, Hex)> {
    for side in Side::BOTH {
        for unit in battle.units[side] & state.on_map() {
            if let Some(hex) = state.hex(unit)
                && !within_limit(battle, state, state.units_in(battle, hex, side))
            {
                return Some((side, hex));
            }
        }
    }
    None
}

/// The owner takes steps off until the limit is met (7.3.a, 7.3.b). False while he must choose.
pub(crate) fn step_overstack(
    battle: &Battle,
    state: &mut State,
    side: Side,
    hex: Hex,
    fx: &mut impl Effects,
) -> bool {
    let candidates = may_shed_here(battle, state, side, hex);
    if candidates.is_empty() {
        state.agenda.pop();
        return true;
    }
    if let Some(only) = candidates.only() {
        shed_for_room(battle, state, only, fx);
        return true;
    }
    false
}

/// Units whose loss of a step would bring the hex nearer to the limit.
#[must_use]
pub fn may_shed_here(battle: &Battle, state: &State, side: Side, hex: Hex) -> Pieces {
    let here = state.units_in(battle, hex, side);
    let (sp, guns) = load(battle, state, here);
    let mut out = Pieces::NONE;
    if sp > battle.charts.stacking[0] {
        out |= here - battle.roles.artillery;
    }
    if guns > battle.charts.stacking[1] {
        out |= here & battle.roles.artillery;
    }
    out
}

pub(crate) fn check_overstack(
    battle: &Battle,
    state: &State,
    side: Side,
    hex: Hex,
    action: &Action,
) -> Lawful {
    match action {
        Action::Pick(unit) if may_shed_here(battle, state, side, hex).has(*unit) => Ok(()),
        Action::Pick(_) => Err(Bar::new(
            cite!("7.3.a"),
            "the step must come from a unit of the overstacked hex that weighs on the limit",
        )),
        _ => Err(Bar::other("a step to be lost for overstacking must be picked")),
    }
}

pub(crate) fn shed_for_room(battle: &Battle, state: &mut State, unit: Piece, fx: &mut impl Effects) {
    fx.tell(|| {
        Entry::new(Kind::Loss, does(&battle.counter(unit).name, "loses a step: the hex is overstacked."))
            .side(battle.side(unit))
            .rule(cite!("7.3.a"))
            .piece(unit.id())
    });
    results::lose_step(battle, state, unit, fx);
    army_morale::adjust(battle, state, battle.side(unit), battle.charts.change.step_loss, fx);
}

/// Asks for steps where a hex is over the limit.
pub(crate) fn enforce(battle: &Battle, state: &mut State) {
    if let Some((side, hex)) = overstacked(battle, state) {
        state.agenda.push(Step::Overstack(side, hex));
    }
}

/// The enemy pieces whose stack `side` may not examine now (7.42.a).
#[must_use]
pub fn unknown(battle: &Battle, state: &State, side: Side) -> Pieces {
    if !battle.armies[side].limited {
        return Pieces::NONE;
    }
    (battle.pieces(!side) & state.on_map()) - state.known[side]
}

/// Lets `side` examine a stack; under limited intelligence that is news to it.
pub(crate) fn examine(battle: &Battle, state: &mut State, side: Side, hex: Hex, fx: &mut impl Effects) {
    let stack = state.in_hex(hex) & battle.pieces(!side);
    if unknown(battle, state, side).meets(stack) {
        state.known[side] |= stack;
        fx.revealed();
        fx.tell(|| {
            let names: Vec<&str> = stack.map(|p| battle.counter(p).name.as_str()).collect();
            let mut entry =
                Entry::new(Kind::Draw, format!("In {} stand {}.", battle.hex_name(hex), names.join(", ")))
                    .side(side)
                    .rule(cite!("7.42.a"))
                    .place(Place::Hex(battle.hex_name(hex)))
                    .only(side);
            entry.pieces.extend(stack.map(Piece::id));
            entry
        });
    }
}

/// Whoever fires or attacks shows himself, and the leaders with him, to an enemy under limited intelligence.
pub(crate) fn show(battle: &Battle, state: &mut State, by: Pieces) {
    for piece in by {
        let (side, hex) = (battle.side(piece), state.hex(piece));
        if battle.armies[!side].limited {
            let leaders = hex.map_or(Pieces::NONE, |hex| state.in_hex(hex) & battle.leaders[side]);
            state.known[!side] |= leaders.with(piece);
        }
    }
}

/// Whether `side` may look at that stack against the rule, and pay for it (7.43.a).
pub(crate) fn check_peek(battle: &Battle, state: &State, side: Side, hex: Hex) -> Lawful {
    if !battle.armies[side].limited {
        return Err(Bar::new(
            cite!("7.41.a"),
            "every stack may be examined freely here: there is no limited intelligence",
        ));
    }
    if unknown(battle, state, side).meets(state.in_hex(hex)) {
        return Ok(());
    }
    Err(Bar::new(cite!("7.43.a"), "there is no enemy stack that you have not examined in this phase"))
}

pub(crate) fn peek(battle: &Battle, state: &mut State, side: Side, hex: Hex, fx: &mut impl Effects) {
    fx.tell(|| {
        Entry::new(
            Kind::Note,
            format!(
                "{} {} against the rule.",
                side_does(&battle.armies[side].name, "examines the stack in"),
                battle.hex_name(hex)
            ),
        )
        .side(side)
        .rule(cite!("7.43.a"))
        .place(Place::Hex(battle.hex_name(hex)))
    });
    examine(battle, state, side, hex, fx);
    army_morale::adjust(battle, state, side, battle.charts.change.forbidden_peek, fx);
}
