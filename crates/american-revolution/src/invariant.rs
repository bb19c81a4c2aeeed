//! What must hold of every position that a player is asked about.

use game::Side;
use hexmap::Hex;

use crate::Spot;
use crate::at::At;
use crate::setup::battle::Battle;
use crate::state::{Phase, Pin, State};

/// Checks a position.
///
/// # Errors
/// A sentence on what does not hold.
pub fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
    At::new(battle, state).holds_together()
}

impl At<'_> {
    fn holds_together(self) -> Result<(), String> {
        let held: u8 = self.state.chits.first + self.state.chits.second;
        if held > self.battle.charts.chits[0] {
            return Err(format!("{held} chits are held"));
        }
        for side in Side::BOTH {
            for unit in self.battle.units[side] & self.on_map() {
                let Some(hex) = self.hex(unit) else { continue };
                let name = &self.counter(unit).id;
                let here = self.in_hex(hex);
                if here.meets(self.battle.pieces(!side)) {
                    return Err(format!("{name} shares its hex with the enemy"));
                }
                let arriving = matches!(self.state.phase, Phase::Movement) || self.state.agenda.depth() == 0;
                if !arriving
                    && !self.within_limit(here & self.battle.units[side])
                    && !self.state.asks_for_steps()
                {
                    return Err(format!("{name} stands in an overstacked hex"));
                }
                if self.state.disrupted.has(unit) && self.state.shattered.has(unit) {
                    return Err(format!("{name} is disrupted and shattered"));
                }
                if !self.battle.ground.on_map.contains(hex) {
                    return Err(format!("{name} is off the map"));
                }
            }
            if self.state.morale[side] > self.battle.charts.track.top {
                return Err("army morale is above the top of its track".into());
            }
        }
        for (i, counter) in self.battle.counters.iter().enumerate() {
            let unit = crate::Piece(i as u8);
            if self.state.reduced.has(unit) && counter.steps == 1 {
                return Err(format!("{} has one step and is reduced", counter.id));
            }
            if self.state.at[i] == Spot::HIDDEN {
                return Err(format!("{} is hidden in the full position", counter.id));
            }
        }
        for leader in self.battle.leaders.first & self.on_map() {
            if self.hex(leader).is_some_and(|hex| self.in_hex(hex).meets(self.battle.pieces(Side::Second))) {
                return Err(format!("{} shares his hex with the enemy", self.counter(leader).id));
            }
        }
        for pin in &self.state.pins {
            self.pin_holds(pin)?;
        }
        if self.state.held.first & self.state.held.second != 0 {
            return Err("both sides hold an objective".into());
        }
        Ok(())
    }

    /// A pin has both sides, and while nobody breaks it each of its units is on the map, next to an enemy of the same
    /// pin (13.1.p, R14).
    fn pin_holds(self, pin: &Pin) -> Result<(), String> {
        let units = pin.pieces & self.battle.all_units();
        let ids = || units.map(|u| self.counter(u).id.as_str()).collect::<Vec<_>>().join(", ");
        if !self.battle.has_both_sides(pin.pieces) {
            return Err(format!("a pin has one side: {}", ids()));
        }
        if pin.broken {
            return Ok(());
        }
        let mut each = units;
        let apart = each.find(|&unit| {
            let mut others = units & self.battle.units[!self.side(unit)];
            let near =
                |hex: Hex| others.any(|o| self.hex(o).is_some_and(|at| self.battle.ground.adjacent(at, hex)));
            !self.hex(unit).is_some_and(near)
        });
        match apart {
            Some(unit) => Err(format!("{} is pinned to nobody: {}", self.counter(unit).id, ids())),
            None => Ok(()),
        }
    }
}

impl State {
    fn asks_for_steps(&self) -> bool {
        self.agenda.iter().any(|step| matches!(step, crate::Step::Overstack(..) | crate::Step::Limit))
    }
}
