//! The levels that people choose from. They are data: how much each looks at before it decides.

use std::fmt;
use std::str::FromStr;

use crate::{Captain, General, Player};

/// How strong a computer player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Plays anything; for tests and for seeing rules at work.
    Random,
    /// A beginner: overlooks much and takes the second best now and then.
    Ensign,
    /// Overlooks less.
    Sergeant,
    /// Looks at the immediate result and errs now and then.
    Lieutenant,
    /// Weighs every choice by what it brings at once.
    Captain,
    /// Plays a few choices on to the end of the turn.
    Colonel,
    /// Plays more choices on, more often and farther.
    General,
}

impl Level {
    /// Every level, the weakest first.
    pub const ALL: [Level; 7] = [
        Level::Random,
        Level::Ensign,
        Level::Sergeant,
        Level::Lieutenant,
        Level::Captain,
        Level::Colonel,
        Level::General,
    ];

    /// The word for it on the command line and on the wire.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Ensign => "ensign",
            Level::Sergeant => "sergeant",
            Level::Lieutenant => "lieutenant",
            Level::Captain => "captain",
            Level::Colonel => "colonel",
            Level::General => "general",
        }
    }

    /// The name people see.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Random => "Random",
            Level::Ensign => "Ensign",
            Level::Sergeant => "Sergeant",
            Level::Lieutenant => "Lieutenant",
            Level::Captain => "Captain",
            Level::Colonel => "Colonel",
            Level::General => "General",
        }
    }

    /// How it plays, in a sentence.
    #[must_use]
    pub const fn says(self) -> &'static str {
        match self {
            Level::Random => "Any legal action, each as likely as the next.",
            Level::Ensign => "A beginner: overlooks much and often takes the second best.",
            Level::Sergeant => "Sees the obvious, overlooks the rest.",
            Level::Lieutenant => "Looks at the immediate result and errs now and then.",
            Level::Captain => "Weighs every choice by what it brings at once.",
            Level::Colonel => "Plays a few choices on to see what comes of them.",
            Level::General => "Plays the best choices on many times, enemy replies included.",
        }
    }

    /// The player of this level.
    #[must_use]
    pub const fn player(self) -> Player {
        match self {
            Level::Random => Player::Random,
            Level::Ensign => Player::Captain(Captain::ENSIGN),
            Level::Sergeant => Player::Captain(Captain::SERGEANT),
            Level::Lieutenant => Player::Captain(Captain::LIEUTENANT),
            Level::Captain => Player::Captain(Captain::CAPTAIN),
            Level::Colonel => Player::General(General::COLONEL),
            Level::General => Player::General(General::GENERAL),
        }
    }
}

/// A General with numbers of its own, for matches: `general:candidates=8,rollouts=128,turns=0,width=8`. What is left out
/// is as the General has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec(pub General);

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let General { candidates, rollouts, effort, turns, width, looks } = self.0;
        write!(f, "general:candidates={candidates},rollouts={rollouts},effort={effort}")?;
        write!(f, ",width={width},looks={looks}")?;
        turns.map_or(Ok(()), |turns| write!(f, ",turns={turns}"))
    }
}

impl FromStr for Spec {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let settings = text.strip_prefix("general:").ok_or("a General of your own begins with `general:`")?;
        let mut general = General::GENERAL;
        for setting in settings.split(',') {
            let (name, number) = setting
                .split_once('=')
                .ok_or_else(|| format!("`{setting}`: write a name and a number, as in `rollouts=128`"))?;
            let number = |most: u32| match number.parse::<u32>() {
                Ok(n) if n <= most => Ok(n),
                _ => Err(format!("`{name}` takes a whole number up to {most}")),
            };
            match name {
                "candidates" => general.candidates = number(256)?.max(1),
                "rollouts" => general.rollouts = number(1_000_000)?.max(1),
                "effort" => general.effort = number(1_000_000_000)?.max(1),
                "width" => general.width = number(10_000)?.max(1),
                "looks" => general.looks = number(100)?.max(1),
                "turns" => general.turns = Some(number(100)?),
                _ => {
                    return Err(format!(
                        "`{name}` is not a setting; choose among candidates, rollouts, effort, turns, width and looks"
                    ));
                }
            }
        }
        Ok(Spec(general))
    }
}

impl Player {
    /// A level by name, or a General with numbers of its own ([`Spec`]). For the command line: a server takes levels only,
    /// so that nobody makes it think for an hour.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn custom(text: &str) -> Result<Player, String> {
        match text.contains(':') {
            true => text.parse().map(|Spec(general)| Player::General(general)),
            false => text.parse().map_err(|unknown: crate::Unknown| unknown.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_read_back_from_its_word() {
        for level in Level::ALL {
            let player: Player = level.id().parse().unwrap();
            assert_eq!(player, level.player());
            assert_eq!(player.to_string(), level.id());
        }
        assert!("marshal".parse::<Player>().unwrap_err().to_string().contains("ensign, sergeant"));
    }

    #[test]
    fn a_general_of_ones_own_says_what_it_is() {
        let player = Player::custom("general:rollouts=128,turns=0").unwrap();
        let Player::General(general) = player else { panic!("{player}") };
        assert_eq!((general.rollouts, general.turns), (128, Some(0)));
        assert_eq!(Player::custom(&player.to_string()), Ok(player));
        for (wrong, why) in [
            ("general:rollouts", "write a name and a number"),
            ("general:speed=3", "not a setting"),
            ("general:turns=many", "whole number up to 100"),
            ("colonel:turns=1", "begins with"),
        ] {
            let said = Player::custom(wrong).unwrap_err();
            assert!(said.contains(why), "{wrong}: {said}");
        }
    }

    #[test]
    fn a_server_takes_levels_only() {
        assert!("general:rollouts=1000000".parse::<Player>().is_err());
    }
}
