//! Scenarios and written positions.

use arrayvec::ArrayVec;
use game::read::{self, Section};
use game::scenario::{self, Head};
use game::{BySide, Faults, Files, Library, Options, Side};
use hexmap::{EvenColumns, Grid, Hex};

use crate::{Battle, Skirmish, State, Unit};

impl Files for Skirmish {
    fn compile(source: &str, _: &dyn Library, options: &Options) -> Result<Battle, Faults> {
        read::document(source, |sheet| {
            let head = Head::read(sheet);
            scenario::options(sheet, options, &mut [], &[]);
            let turns = sheet.field("turns").required().integer(1..=30);
            let grid = Grid::new(8, 6, EvenColumns::Lower).ok()?;
            let (mut names, mut units) = (Vec::new(), ArrayVec::new());
            for section in sheet.field("unit").required().sections() {
                let side = section.field("side").required().one_of(&["blue", "grey"]);
                let mut unit =
                    Unit { side: Side::BOTH[side.unwrap_or(0)], hex: Hex(0), men: 3, acted: false };
                names.extend(section.field("id").required().id());
                let _ = section.field("hex").required();
                stand(&mut unit, &section, &grid);
                if units.try_push(unit).is_err() {
                    section.fault("there are more than 12 units", "at most 12");
                }
            }
            let start = State { turn: 1, side: Side::First, units, points: BySide::default() };
            Some(Battle { head, turns: turns? as u8, grid, names, start })
        })
    }

    fn position(battle: &Battle, position: &str) -> Result<State, Faults> {
        let mut state = battle.start.clone();
        read::document(position, |file| {
            file.leave();
            let sheet = file.field("position").section()?;
            state.turn = sheet.field("turn").integer(1..=30).map_or(1, |turn| turn as u8);
            for (name, field) in sheet.field("unit").section().iter().flat_map(Section::entries) {
                match (battle.names.iter().position(|known| *known == name), field.section()) {
                    (Some(unit), Some(section)) => stand(&mut state.units[unit], &section, &battle.grid),
                    _ => field.fault(format!("there is no unit `{name}`"), battle.names.join(", ")),
                }
            }
            sheet.finish();
            Some(())
        })?;
        Ok(state)
    }
}

/// Where the unit stands, and its men.
fn stand(unit: &mut Unit, section: &Section<'_>, grid: &Grid) {
    let field = section.field("hex");
    match field.text().and_then(|text| grid.parse(&text)) {
        Some(hex) => unit.hex = hex,
        None if field.is_present() => field.fault("there is no such hex", "a hex of the map: \"0203\""),
        None => {}
    }
    unit.men = section.field("men").integer(0..=9).map_or(unit.men, |men| men as u8);
    section.finish();
}
