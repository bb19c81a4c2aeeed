//! Actions as people write them, and facts by name.

use game::situation::{Fact, Unknown};
use game::{Facts, Notation};

use crate::{Action, Battle, Skirmish, State};

impl Notation for Skirmish {
    fn write(battle: &Battle, action: &Action) -> String {
        match *action {
            Action::Move(unit, to) => format!("move {} {}", battle.names[unit], battle.grid.name(to)),
            Action::Fire(unit, at) => format!("fire {} at {}", battle.names[unit], battle.names[at]),
            Action::Done => "done".into(),
        }
    }

    fn read(battle: &Battle, _: &State, notation: &str) -> Result<Action, String> {
        let found = |word: &str| battle.names.iter().position(|name| name == word);
        let unit = |word: &str| found(word).ok_or_else(|| format!("there is no unit `{word}`"));
        let hex = |word: &str| battle.grid.parse(word).ok_or_else(|| format!("there is no hex `{word}`"));
        match notation.split_whitespace().collect::<Vec<_>>()[..] {
            ["move", by, to] => Ok(Action::Move(unit(by)?, hex(to)?)),
            ["fire", by, "at", target] => Ok(Action::Fire(unit(by)?, unit(target)?)),
            ["done"] => Ok(Action::Done),
            _ => Err("write `move UNIT HEX`, `fire UNIT at UNIT` or `done`".into()),
        }
    }
}

impl Facts for Skirmish {
    fn fact(battle: &Battle, state: &State, name: &str) -> Result<Fact, Unknown> {
        let (first, what) = name.split_once('.').unwrap_or((name, ""));
        if name == "turn" {
            return Ok(i64::from(state.turn).into());
        }
        let index = battle.names.iter().position(|name| name == first);
        let unit = &state.units[index.ok_or_else(|| Unknown::new(first, "a unit", battle.names.clone()))?];
        match what {
            "men" => Ok(i64::from(unit.men).into()),
            "hex" => Ok(battle.grid.name(unit.hex).to_string().into()),
            "acted" => Ok(unit.acted.into()),
            _ => Err(Unknown::new(what, "a fact of a unit", ["men", "hex", "acted"])),
        }
    }
}
