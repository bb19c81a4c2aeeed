//! What the board shows on demand: zones, command, reach, sight.

use game::board::{Ask, Overlay, OverlayCell};
use game::{Place, Side};
use hexmap::{Hex, HexSet};

use crate::at::At;
use crate::board::view::halves;
use crate::state::{LeaderId, Piece};

impl At<'_> {
    /// The overlay that is asked for; an empty one if what it is about is not named.
    pub(crate) fn overlay(self, ask: &Ask) -> Overlay {
        let piece = ask.piece.and_then(|id| self.battle.piece(id));
        let hex = match &ask.place {
            Some(Place::Hex(number)) => self.battle.map.parse(number),
            _ => None,
        };
        let overlay = match ask.overlay.as_str() {
            "zones" => Some(self.zones_overlay(ask.side)),
            "command" => {
                piece.and_then(|piece| self.leader_over(piece)).map(|leader| self.command_overlay(leader))
            }
            "reach" => piece.map(|piece| self.reach_overlay(piece)),
            "sight" => hex.map(|from| self.sight_overlay(from)),
            _ => None,
        };
        overlay.unwrap_or_default()
    }

    fn cell(self, hex: Hex, tag: &str, side: Option<Side>, text: String) -> OverlayCell {
        OverlayCell { hex: self.battle.number(hex), tag: tag.into(), side, text }
    }

    /// 1.1.2: the zones of one side, or of both.
    fn zones_overlay(self, asked: Option<Side>) -> Overlay {
        let mut overlay = Overlay {
            note: "Every unit that is not routed controls the six hexes around it.".into(),
            ..Overlay::default()
        };
        for side in Side::BOTH.into_iter().filter(|&side| asked.is_none_or(|asked| asked == side)) {
            let mut zone = HexSet::EMPTY;
            for (at, unit) in self.on_map(side) {
                self.add_zone(unit, at, &mut zone);
            }
            overlay.cells.extend(zone.iter().map(|hex| self.cell(hex, "zone", Some(side), String::new())));
        }
        overlay
    }

    /// The leader whose command is shown for a piece: himself, or the one right above a unit.
    fn leader_over(self, piece: Piece) -> Option<LeaderId> {
        match piece {
            Piece::Leader(leader) => Some(leader),
            Piece::Unit(unit) => self.battle.unit(unit).division.or(self.battle.unit(unit).corps),
        }
    }

    /// 5.2: the hexes that a leader's command reaches.
    fn command_overlay(self, leader: LeaderId) -> Overlay {
        let sheet = self.battle.leader(leader);
        let lines = self.lines(sheet.side);
        let reached = self.command_reach(leader, &self.open_to_command(sheet.side, &lines));
        let cells = reached.iter().map(|hex| self.cell(hex, "command", Some(sheet.side), String::new()));
        Overlay {
            cells: cells.collect(),
            note: format!("{}: command radius {}.", sheet.name, self.command_radius(leader)),
            ..Overlay::default()
        }
    }

    /// 8.1.3: what the piece can reach, and at what cost.
    fn reach_overlay(self, piece: Piece) -> Overlay {
        let side = self.battle.side_of(piece);
        let lines = self.lines(side);
        let walk = self.walk(&lines, piece);
        let reach = walk.reach();
        let cells = reach.hexes.iter().map(|hex| {
            let spent = reach.spent_at(hex).unwrap_or(0).saturating_sub(walk.spent);
            self.cell(hex, "reach", Some(side), halves(spent))
        });
        Overlay { cells: cells.collect(), note: "Movement points to each hex.".into(), ..Overlay::default() }
    }

    /// 9.4: what is seen from a hex, past the friends of the unit that stands there.
    fn sight_overlay(self, from: Hex) -> Overlay {
        let map = &self.battle.map;
        let side = self.state.unit_at(from).map(|unit| self.battle.unit(unit).side);
        let friends = side.map_or(HexSet::EMPTY, |side| self.standing(side));
        let far = map.lines.range();
        let others = map.grid.within(from, far).filter(|&hex| map.in_play.contains(hex) && hex != from);
        let cells = others.map(|to| {
            let seen = self.battle.sees(&friends, from, to);
            self.cell(to, if seen { "seen" } else { "blocked" }, side, String::new())
        });
        Overlay {
            cells: cells.collect(),
            note: format!("What is seen from {} up to {far} hexes off.", self.battle.number(from)),
            ..Overlay::default()
        }
    }
}
