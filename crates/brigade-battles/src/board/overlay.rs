//! What the board shows on demand: zones, command, reach, sight.

use game::board::{Ask, Overlay, OverlayCell};
use game::{Place, Side};
use hexmap::{Hex, HexSet};

use crate::at::At;
use crate::board::view::halves;
use crate::state::Piece;

impl At<'_> {
    pub(crate) fn overlay(self, ask: &Ask) -> Overlay {
        let cell = |hex: Hex, tag: &str, side: Option<Side>, text: String| OverlayCell {
            hex: self.battle.number(hex),
            tag: tag.into(),
            side,
            text,
        };
        let piece = ask.piece.and_then(|id| self.battle.piece(id));
        let hex = match &ask.place {
            Some(Place::Hex(number)) => self.battle.map.parse(number),
            _ => None,
        };
        let mut overlay = Overlay::default();
        match ask.overlay.as_str() {
            "zones" => {
                for side in Side::BOTH.into_iter().filter(|&s| ask.side.is_none_or(|asked| asked == s)) {
                    let mut zone = HexSet::EMPTY;
                    for (at, unit) in self.on_map(side) {
                        self.add_zone(unit, at, &mut zone);
                    }
                    overlay.cells.extend(zone.iter().map(|h| cell(h, "zone", Some(side), String::new())));
                }
                overlay.note = "Every unit that is not routed controls the six hexes around it.".into();
            }
            "command" => {
                let leader = match piece {
                    Some(Piece::Leader(leader)) => leader,
                    Some(Piece::Unit(unit)) => {
                        match self.battle.unit(unit).division.or(self.battle.unit(unit).corps) {
                            Some(leader) => leader,
                            None => return overlay,
                        }
                    }
                    None => return overlay,
                };
                let side = self.battle.leader(leader).side;
                let lines = self.lines(side);
                let open = self.open_to_command(side, &lines);
                let reached = self.command_reach(leader, &open);
                overlay.cells.extend(reached.iter().map(|h| cell(h, "command", Some(side), String::new())));
                let radius = self.command_radius(leader);
                overlay.note = format!("{}: command radius {radius}.", self.battle.leader(leader).name);
            }
            "reach" => {
                if let Some(piece) = piece {
                    let side = self.battle.side_of(piece);
                    let lines = self.lines(side);
                    let walk = self.walk(&lines, piece);
                    let reach = walk.reach();
                    overlay.cells.extend(reach.hexes.iter().map(|h| {
                        let spent = reach.spent_at(h).unwrap_or(0).saturating_sub(walk.spent);
                        cell(h, "reach", Some(side), halves(spent))
                    }));
                    overlay.note = "Movement points to each hex.".into();
                }
            }
            "sight" => {
                if let Some(from) = hex {
                    let side = self.state.unit_at(from).map(|u| self.battle.unit(u).side);
                    let friends = side.map_or(HexSet::EMPTY, |s| self.standing(s));
                    let far = self.battle.map.lines.range();
                    overlay.cells.extend(
                        self.battle
                            .map
                            .grid
                            .within(from, far)
                            .filter(|&h| self.battle.map.in_play.contains(h) && h != from)
                            .map(|to| {
                                let seen = self.battle.sees(&friends, from, to);
                                cell(to, if seen { "seen" } else { "blocked" }, side, String::new())
                            }),
                    );
                    overlay.note =
                        format!("What is seen from {} up to {far} hexes off.", self.battle.number(from));
                }
            }
            _ => {}
        }
        overlay
    }
}
