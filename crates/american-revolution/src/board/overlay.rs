//! What may be laid over the map: zones of control, marches, lines of sight.

use game::board::{Ask, Overlay, OverlayCell};
use game::{Place, Side};
use hexmap::Hex;

use crate::at::At;
use crate::setup::ground::Sight;
use crate::setup::pieces::Piece;

impl At<'_> {
    /// The overlay that was asked for.
    pub(crate) fn overlay(self, ask: &Ask) -> Overlay {
        let cell = |hex: Hex, tag: &str, side, text: String| OverlayCell {
            hex: self.battle.hex_name(hex),
            tag: tag.into(),
            side,
            text,
        };
        let mut out = Overlay::default();
        match ask.overlay.as_str() {
            "zones" => {
                for side in Side::BOTH.into_iter().filter(|&s| ask.side.is_none_or(|a| a == s)) {
                    out.cells.extend(
                        self.zone(side).iter().map(|hex| cell(hex, "zone", Some(side), String::new())),
                    );
                }
                out.note = "Zones of control of units in Parade Order; they do not enter woods, orchards, buildings and works.".into();
            }
            "reach" => {
                if let Some(p) = ask
                    .piece
                    .map(|p| Piece(p.0.min(63) as u8))
                    .filter(|p| p.index() < self.battle.counters.len())
                {
                    let mut cells = Vec::new();
                    let known = self.believed(self.side(p));
                    At::new(self.battle, &known)
                        .reach(p, |hex, _, cost| cells.push(cell(hex, "reach", None, cost.to_string())));
                    out.cells = cells;
                }
            }
            "sight" => {
                let Some(Place::Hex(number)) = &ask.place else { return out };
                let Some(from) = self.battle.ground.grid.parse(number) else { return out };
                let occupied = self.occupied();
                for to in self
                    .battle
                    .ground
                    .grid
                    .within(from, self.battle.charts.artillery_range.into())
                    .filter(|&h| self.battle.ground.on_map.contains(h))
                {
                    let (tag, text) = match self.battle.ground.sight(&self.battle.charts, from, to, &occupied)
                    {
                        Sight::Clear => ("seen", ""),
                        Sight::Terrain => ("blocked", "B"),
                        Sight::Slope => ("blocked", "S"),
                        Sight::Unit => ("blocked", "U"),
                    };
                    out.cells.push(cell(to, tag, None, text.into()));
                }
                out.note = "Blocked by terrain (B), a slope (S) or units (U).".into();
            }
            _ => {}
        }
        out
    }
}
