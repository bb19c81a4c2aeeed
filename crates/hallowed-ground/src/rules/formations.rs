//! Chapter 3: the arms and the formations each of them may take.

use serde::{Deserialize, Serialize};

/// The four categories of the book, the guns told apart by weight; commanders are no units here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    Infantry,
    Cavalry,
    LightArtillery,
    RegularArtillery,
    SiegeArtillery,
}

impl Arm {
    pub const WORDS: [&str; 5] =
        ["infantry", "cavalry", "light_artillery", "regular_artillery", "siege_artillery"];
    pub const ALL: [Arm; 5] =
        [Arm::Infantry, Arm::Cavalry, Arm::LightArtillery, Arm::RegularArtillery, Arm::SiegeArtillery];

    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    pub const fn is_artillery(self) -> bool {
        matches!(self, Arm::LightArtillery | Arm::RegularArtillery | Arm::SiegeArtillery)
    }

    /// Shaken and Break values (2.6.j to 2.6.l).
    pub const fn morale(self) -> (u8, u8) {
        match self {
            Arm::Infantry => (18, 20),
            Arm::Cavalry => (14, 16),
            _ => (12, 14),
        }
    }

    /// Maximum range of its weapon in inches (8.2); half range is half of it.
    pub const fn range(self) -> i64 {
        match self {
            Arm::Infantry => 30,
            Arm::Cavalry => 24,
            Arm::LightArtillery => 40,
            Arm::RegularArtillery => 60,
            Arm::SiegeArtillery => 80,
        }
    }

    /// The formations it may take (3.1.d, 3.2.d, 3.3.d).
    pub const fn formations(self) -> &'static [Formation] {
        match self {
            Arm::Infantry => &[Formation::Line, Formation::SupportedLine, Formation::MarchColumn],
            Arm::Cavalry => &[Formation::SupportedLine, Formation::MarchColumn, Formation::DismountedLine],
            _ => &[Formation::Limbered, Formation::Deployed],
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formation {
    Line,
    SupportedLine,
    MarchColumn,
    DismountedLine,
    Limbered,
    Deployed,
}

impl Formation {
    pub const WORDS: [&str; 6] =
        ["line", "supported_line", "march_column", "dismounted_line", "limbered", "deployed"];
    pub const ALL: [Formation; 6] = [
        Formation::Line,
        Formation::SupportedLine,
        Formation::MarchColumn,
        Formation::DismountedLine,
        Formation::Limbered,
        Formation::Deployed,
    ];

    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }
}
