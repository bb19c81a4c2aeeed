//! What must hold of every position that a player is asked about.

use game::Side;
use hexmap::Hex;

use crate::Spot;
use crate::rules::{pins, stacking};
use crate::setup::battle::Battle;
use crate::state::{Phase, Pin, State};

/// Checks a position.
///
/// # Errors
/// A sentence on what does not hold.
pub fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
    let held: u8 = state.chits.first + state.chits.second;
    if held > battle.charts.chits[0] {
        return Err(format!("{held} chits are held"));
    }
    for side in Side::BOTH {
        for unit in battle.units[side] & state.on_map() {
            let Some(hex) = state.hex(unit) else { continue };
            let name = &battle.counter(unit).id;
            let here = state.in_hex(hex);
            if here.meets(battle.pieces(!side)) {
                return Err(format!("{name} shares its hex with the enemy"));
            }
            let arriving = matches!(state.phase, Phase::Movement) || state.agenda.depth() == 0;
            if !arriving
                && !stacking::within_limit(battle, state, here & battle.units[side])
                && !asks_for_steps(state)
            {
                return Err(format!("{name} stands in an overstacked hex"));
            }
            if state.disrupted.has(unit) && state.shattered.has(unit) {
                return Err(format!("{name} is disrupted and shattered"));
            }
            if !battle.ground.on_map.contains(hex) {
                return Err(format!("{name} is off the map"));
            }
        }
        if state.morale[side] > battle.charts.track.top {
            return Err("army morale is above the top of its track".into());
        }
    }
    for (i, counter) in battle.counters.iter().enumerate() {
        let unit = crate::Piece(i as u8);
        if state.reduced.has(unit) && counter.steps == 1 {
            return Err(format!("{} has one step and is reduced", counter.id));
        }
        if state.at[i] == Spot::HIDDEN {
            return Err(format!("{} is hidden in the full position", counter.id));
        }
    }
    for leader in battle.leaders.first & state.on_map() {
        if state.hex(leader).is_some_and(|hex| state.in_hex(hex).meets(battle.pieces(Side::Second))) {
            return Err(format!("{} shares his hex with the enemy", battle.counter(leader).id));
        }
    }
    for pin in &state.pins {
        pin_holds(battle, state, pin)?;
    }
    if state.held.first & state.held.second != 0 {
        return Err("both sides hold an objective".into());
    }
    Ok(())
}

/// A pin has both sides, and while nobody breaks it each of its units is on the map, next to an enemy of the same pin
/// (13.1.p, R14).
fn pin_holds(battle: &Battle, state: &State, pin: &Pin) -> Result<(), String> {
    let units = pin.pieces & battle.all_units();
    let ids = || units.map(|u| battle.counter(u).id.as_str()).collect::<Vec<_>>().join(", ");
    if !pins::has_both_sides(battle, pin.pieces) {
        return Err(format!("a pin has one side: {}", ids()));
    }
    if pin.broken {
        return Ok(());
    }
    let mut each = units;
    let apart = each.find(|&unit| {
        let mut others = units & battle.units[!battle.side(unit)];
        let near = |hex: Hex| others.any(|o| state.hex(o).is_some_and(|at| battle.ground.adjacent(at, hex)));
        !state.hex(unit).is_some_and(near)
    });
    match apart {
        Some(unit) => Err(format!("{} is pinned to nobody: {}", battle.counter(unit).id, ids())),
        None => Ok(()),
    }
}

fn asks_for_steps(state: &State) -> bool {
    state.agenda.iter().any(|step| matches!(step, crate::Step::Overstack(..) | crate::Step::Limit))
}
