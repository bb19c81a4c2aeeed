//! What can be laid over the map: zones, sight, reach, Objectives.

use game::Place;
use game::board::{Ask, Overlay, OverlayCell};
use hexmap::Hex;

use crate::facts;
use crate::rules::{sight, zones};
use crate::setup::battle::Battle;
use crate::state::{Id, NOWHERE, State};

/// Zones, sight, reach, Objectives.
pub(crate) fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
    let mut overlay = Overlay::default();
    let mut cell = |hex: Hex, tag: &str, side, text: String| {
        overlay.cells.push(OverlayCell { hex: battle.ground.name(hex), tag: tag.into(), side, text });
    };
    let note = match ask.overlay.as_str() {
        "zones" => {
            for side in game::Side::BOTH.into_iter().filter(|s| ask.side.is_none_or(|a| a == *s)) {
                for hex in battle.ground.on_map.iter().filter(|&h| zones::covers(battle, state, side, h)) {
                    cell(hex, "zone", Some(side), String::new());
                }
            }
            "Entering an enemy zone of control ends a march (5.3.a).".to_owned()
        }
        "sight" => match asked_hex(battle, state, ask) {
            Some(from) => {
                for hex in battle
                    .ground
                    .grid
                    .within(from, sight::LIMIT)
                    .filter(|&h| battle.ground.on_map.contains(h))
                {
                    let tag = if sight::in_sight(battle, from, hex) { "seen" } else { "blocked" };
                    cell(hex, tag, None, String::new());
                }
                format!("What {} sees, up to four hexes (9.3.d).", battle.ground.name(from))
            }
            None => "Point at a hex.".to_owned(),
        },
        "reach" => match asked_unit(battle, ask) {
            Some(unit) => {
                for (hex, cost) in facts::reach(battle, state, unit) {
                    cell(hex, "reach", Some(battle.side(unit)), cost.to_string());
                }
                format!("Where {} can march.", battle.name(unit))
            }
            None => "Point at a unit.".to_owned(),
        },
        "objectives" => {
            for (i, objective) in battle.victory.objectives.iter().enumerate() {
                cell(objective.hex, "objective", state.control[i], objective.points.to_string());
            }
            "Objectives, what they are worth, and who holds them.".to_owned()
        }
        _ => "There is no such overlay.".to_owned(),
    };
    overlay.note = note;
    overlay
}

fn asked_unit(battle: &Battle, ask: &Ask) -> Option<Id> {
    let id = ask.piece?.0;
    (usize::from(id) < battle.units.len()).then_some(Id(id as u8))
}

fn asked_hex(battle: &Battle, state: &State, ask: &Ask) -> Option<Hex> {
    match &ask.place {
        Some(Place::Hex(number)) => battle.ground.grid.parse(number),
        _ => asked_unit(battle, ask).map(|u| state.piece(u).hex).filter(|&h| h != NOWHERE),
    }
}
