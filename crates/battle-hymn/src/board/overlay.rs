//! What can be laid over the map: zones, sight, reach, Objectives.

use game::Place;
use game::board::{Ask, Overlay, OverlayCell};
use hexmap::Hex;

use crate::at::At;
use crate::rules::sight;
use crate::setup::battle::Battle;
use crate::state::{Id, NOWHERE};

impl At<'_> {
    /// Zones, sight, reach, Objectives.
    pub(crate) fn overlay(self, ask: &Ask) -> Overlay {
        let mut overlay = Overlay::default();
        let mut cell = |hex: Hex, tag: &str, side, text: String| {
            overlay.cells.push(OverlayCell { hex: self.ground().name(hex), tag: tag.into(), side, text });
        };
        let note = match ask.overlay.as_str() {
            "zones" => {
                for side in game::Side::BOTH.into_iter().filter(|s| ask.side.is_none_or(|a| a == *s)) {
                    for hex in self.ground().on_map.iter().filter(|&h| self.covers(side, h)) {
                        cell(hex, "zone", Some(side), String::new());
                    }
                }
                "Entering an enemy zone of control ends a march (5.3.a).".to_owned()
            }
            "sight" => match self.asked_hex(ask) {
                Some(from) => {
                    for hex in self
                        .battle
                        .ground
                        .grid
                        .within(from, sight::LIMIT)
                        .filter(|&h| self.ground().on_map.contains(h))
                    {
                        let tag = if self.battle.in_sight(from, hex) { "seen" } else { "blocked" };
                        cell(hex, tag, None, String::new());
                    }
                    format!("What {} sees, up to four hexes (9.3.d).", self.ground().name(from))
                }
                None => "Point at a hex.".to_owned(),
            },
            "reach" => match self.battle.asked_unit(ask) {
                Some(unit) => {
                    for (hex, cost) in self.reach(unit) {
                        cell(hex, "reach", Some(self.side(unit)), cost.to_string());
                    }
                    format!("Where {} can march.", self.name(unit))
                }
                None => "Point at a unit.".to_owned(),
            },
            "objectives" => {
                for (i, objective) in self.battle.victory.objectives.iter().enumerate() {
                    cell(objective.hex, "objective", self.state.control[i], objective.points.to_string());
                }
                "Objectives, what they are worth, and who holds them.".to_owned()
            }
            _ => "There is no such overlay.".to_owned(),
        };
        overlay.note = note;
        overlay
    }

    fn asked_hex(self, ask: &Ask) -> Option<Hex> {
        match &ask.place {
            Some(Place::Hex(number)) => self.ground().grid.parse(number),
            _ => self.battle.asked_unit(ask).map(|u| self.piece(u).hex).filter(|&h| h != NOWHERE),
        }
    }
}

impl Battle {
    fn asked_unit(&self, ask: &Ask) -> Option<Id> {
        let id = ask.piece?.0;
        (usize::from(id) < self.units.len()).then_some(Id(id as u8))
    }
}
