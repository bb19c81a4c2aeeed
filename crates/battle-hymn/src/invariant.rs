//! What holds of every position in which somebody decides.

use hexmap::Hex;

use crate::at::At;
use crate::setup::battle::Battle;
use crate::state::{Id, Mount, NOWHERE, State, Status, Step};

/// What holds of every position in which somebody decides: nobody stacked, no strength out of nowhere, no unit on the
/// map without an intact SP, Objectives in the hands of who stands on them, no horses left where the enemy reaches.
///
/// # Errors
/// What does not hold.
pub fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
    At::new(battle, state).check_invariant()
}

impl At<'_> {
    fn check_invariant(self) -> Result<(), String> {
        let passing = |id: Id| {
            self.state.hand == Some(id)
                || self.state.agenda.iter().any(|s| matches!(s, Step::Retreat(r) if r.unit == id))
        };
        for id in self.battle.ids() {
            let (unit, piece) = (self.unit(id), self.piece(id));
            let name = &unit.id;
            if piece.strength + piece.holders > unit.strength {
                return Err(format!("{name} has strength from nowhere"));
            }
            if piece.demoralised > piece.strength {
                return Err(format!("{name} has more demoralised SPs than SPs"));
            }
            match piece.status {
                Status::OnMap if piece.hex == NOWHERE || !self.ground().on_map.contains(piece.hex) => {
                    return Err(format!("{name} is on no hex of the map"));
                }
                Status::OnMap if piece.intact() == 0 => {
                    return Err(format!("{name} has no intact SP and is still on the map"));
                }
                Status::OnMap if self.state.at(piece.hex) != Some(id) && !passing(id) => {
                    return Err(format!("{name} is stacked"));
                }
                Status::OnMap => {}
                _ if piece.hex != NOWHERE => return Err(format!("{name} is off the map in a hex")),
                Status::Shattered if piece.demoralised != piece.strength || piece.strength == 0 => {
                    return Err(format!("{name} is shattered with intact SPs or none"));
                }
                Status::Eliminated if piece.strength + piece.holders > 0 => {
                    return Err(format!("{name} is destroyed with SPs left"));
                }
                _ => {}
            }
            if piece.on_map() && piece.approach & !self.adjacent_to(unit.side.enemy(), piece.hex) != 0 {
                return Err(format!("approach fire at {name} from where no enemy stands"));
            }
            self.horses_are_safe(id)?;
        }
        // 3.6.b: whoever stands on an Objective controls it.
        for (objective, control) in self.battle.victory.objectives.iter().zip(&self.state.control) {
            let holder = self.state.at(objective.hex).map(|id| self.side(id));
            if holder.is_some() && holder != *control {
                return Err(format!("{} is not controlled by the unit that stands on it", objective.name));
            }
        }
        Ok(())
    }

    /// 11.3.o: dismounted cavalry has its horses on the map, and no enemy or enemy zone is there.
    fn horses_are_safe(self, id: Id) -> Result<(), String> {
        let (name, piece) = (&self.unit(id).id, self.piece(id));
        let out = piece.mount == Mount::Dismounted;
        if out != self.state.horse_markers.contains(id) || out != (piece.horses != NOWHERE) {
            return Err(format!("{name} and its horse marker do not agree"));
        }
        let enemy = self.side(id).enemy();
        let taken =
            |hex: Hex| self.covers(enemy, hex) || self.state.at(hex).is_some_and(|u| self.side(u) == enemy);
        match out && taken(piece.horses) {
            true => Err(format!("the enemy should have taken the horses of {name}")),
            false => Ok(()),
        }
    }
}
