//! What the board shows on demand: zones, command, reach, sight.

use game::board::{Ask, Overlay, OverlayCell};
use game::{Place, Side};
use hexmap::{Hex, HexSet};

use crate::board::view::halves;
use crate::rules::concepts::{Lines, add_zone, on_map};
use crate::rules::movement::{Reach, Walk};
use crate::rules::{command, sight};
use crate::setup::battle::Battle;
use crate::state::{Piece, State};

pub(crate) fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
    let cell = |hex: Hex, tag: &str, side: Option<Side>, text: String| OverlayCell {
        hex: battle.number(hex),
        tag: tag.into(),
        side,
        text,
    };
    let piece = ask.piece.and_then(|id| battle.piece(id));
    let hex = match &ask.place {
        Some(Place::Hex(number)) => battle.map.parse(number),
        _ => None,
    };
    let mut overlay = Overlay::default();
    match ask.overlay.as_str() {
        "zones" => {
            for side in Side::BOTH.into_iter().filter(|&s| ask.side.is_none_or(|asked| asked == s)) {
                let mut zone = HexSet::EMPTY;
                for (at, unit) in on_map(battle, state, side) {
                    add_zone(battle, state, unit, at, &mut zone);
                }
                overlay.cells.extend(zone.iter().map(|h| cell(h, "zone", Some(side), String::new())));
            }
            overlay.note = "Every unit that is not routed controls the six hexes around it.".into();
        }
        "command" => {
            let leader = match piece {
                Some(Piece::Leader(leader)) => leader,
                Some(Piece::Unit(unit)) => match battle.unit(unit).division.or(battle.unit(unit).corps) {
                    Some(leader) => leader,
                    None => return overlay,
                },
                None => return overlay,
            };
            let side = battle.leader(leader).side;
            let lines = Lines::of(battle, state, side);
            let open = command::open_to_command(battle, state, side, &lines);
            let reached = command::reach(battle, state, leader, &open);
            overlay.cells.extend(reached.iter().map(|h| cell(h, "command", Some(side), String::new())));
            let radius = command::radius(battle, state, leader);
            overlay.note = format!("{}: command radius {radius}.", battle.leader(leader).name);
        }
        "reach" => {
            if let Some(piece) = piece {
                let side = battle.side_of(piece);
                let lines = Lines::of(battle, state, side);
                let walk = Walk::new(battle, state, &lines, piece);
                let reach = Reach::of(&walk, piece);
                overlay.cells.extend(reach.hexes.iter().map(|h| {
                    let spent = reach.spent_at(h).unwrap_or(0).saturating_sub(walk.spent);
                    cell(h, "reach", Some(side), halves(spent))
                }));
                overlay.note = "Movement points to each hex.".into();
            }
        }
        "sight" => {
            if let Some(from) = hex {
                let side = state.unit_at(from).map(|u| battle.unit(u).side);
                let friends = side.map_or(HexSet::EMPTY, |s| sight::standing(battle, state, s));
                let far = battle.map.lines.range();
                overlay.cells.extend(
                    battle
                        .map
                        .grid
                        .within(from, far)
                        .filter(|&h| battle.map.in_play.contains(h) && h != from)
                        .map(|to| {
                            let seen = sight::sees(battle, &friends, from, to);
                            cell(to, if seen { "seen" } else { "blocked" }, side, String::new())
                        }),
                );
                overlay.note = format!("What is seen from {} up to {far} hexes off.", battle.number(from));
            }
        }
        _ => {}
    }
    overlay
}
