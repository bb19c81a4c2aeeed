//! Systems, scenarios and rules.

use game::BySide;
use game::board::View;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A rule system.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct SystemFace {
    /// `battle-hymn`.
    pub id: String,
    /// `Battle Hymn`.
    pub title: String,
    /// Computer players that know it, the weakest first.
    pub levels: Vec<LevelFace>,
    /// The chapters of its book.
    pub chapters: Vec<ChapterFace>,
}

/// A chapter of a rulebook.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ChapterFace {
    /// The first part of its rules' numbers: `5`.
    pub key: String,
    /// What it is about: `Marching`.
    pub name: String,
}

/// A computer player.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct LevelFace {
    /// `captain`.
    pub id: String,
    /// `Captain`.
    pub name: String,
    /// How it plays, in a sentence.
    pub says: String,
}

/// A scenario of the library, as the set-up screen lists it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ScenarioFace {
    /// `battle-hymn/mcphersons-ridge`.
    pub id: String,
    /// `battle-hymn`.
    pub system: String,
    /// `McPherson's Ridge`.
    pub title: String,
    /// `Gettysburg, 1 July 1863, morning`.
    pub subtitle: String,
    /// Two or three sentences.
    pub blurb: String,
    /// The two sides.
    #[schema(value_type = Object)]
    pub sides: BySide<game::board::SideFace>,
    /// How many pieces.
    pub units: u32,
    /// How many hours or turns it lasts at the most.
    pub turns: u32,
    /// House rules that may be switched.
    #[schema(value_type = Vec<Object>)]
    pub options: Vec<game::board::HouseRule>,
    /// A typical unit of each side, as a picture of the battle.
    #[schema(value_type = Vec<Object>)]
    pub sign: Vec<game::board::Piece>,
}

/// `POST /api/v1/scenarios`: a scenario of one's own is read and set up, and nothing is kept.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OwnScenario {
    /// What it shall be called, as in `<system>/<name>`: up to 100 characters.
    #[schema(max_length = 100)]
    pub name: String,
    /// The text, at most 200 KiB.
    pub text: String,
}

/// Something wrong in a written text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct TextFault {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// How many characters it covers.
    pub width: u32,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub expected: String,
}

/// A scenario before anybody plays it: the map and the opening position.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Preview {
    /// The scenario.
    pub scenario: ScenarioFace,
    /// What is drawn once.
    #[schema(value_type = Object)]
    pub board: game::board::Board,
    /// The opening position as a bystander sees it.
    #[schema(value_type = Object)]
    pub view: View,
}

/// A rule in our words.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct RuleFace {
    /// `5.3.c`.
    pub id: String,
    /// A short name.
    pub name: String,
    /// What it asks.
    pub says: String,
}
