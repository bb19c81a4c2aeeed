//! What a survey may hold. Field names are those of the file.

use serde::{Deserialize, Serialize};

/// Yards to the east and to the north of the south-west corner.
pub type Point = [i32; 2];

/// A surveyed battlefield.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Survey {
    pub title: String,
    /// Yards from west to east and from south to north.
    pub size: Point,
    /// The level of the ground where no high ground is drawn.
    pub base: i8,
    pub high: Vec<High>,
    pub escarpment: Vec<Escarpment>,
    pub woods: Vec<Woods>,
    pub town: Vec<Area>,
    pub marsh: Vec<Area>,
    pub field: Vec<Area>,
    pub orchard: Vec<Area>,
    pub water: Vec<Water>,
    pub road: Vec<Road>,
    pub wall: Vec<Wall>,
    pub bridge: Vec<Crossing>,
    pub ford: Vec<Crossing>,
    pub place: Vec<Place>,
    pub cut: Vec<Cut>,
}

/// Ground at or above a level.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct High {
    pub name: String,
    pub level: i8,
    pub outline: Vec<Point>,
    /// The name on the map if it is not `name`; empty for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub steep: Option<Steep>,
}

/// A face too steep for horse and guns.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Escarpment {
    pub name: String,
    pub line: Vec<Point>,
    /// To which hand of someone walking the line the ground falls.
    pub falls: Hand,
}

#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Woods {
    pub name: String,
    pub outline: Vec<Point>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub kind: Option<WoodsKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub label: Option<String>,
}

/// A town, marsh, field or orchard.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Area {
    pub name: String,
    pub outline: Vec<Point>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub label: Option<String>,
}

/// A watercourse, from spring to mouth.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Water {
    pub name: String,
    pub kind: WaterKind,
    pub line: Vec<Point>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub width: Option<i32>,
    /// The banks, where the water is so broad that it covers ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub outline: Option<Vec<Point>>,
    /// How far to either hand of the line the ground is bottom land, one level below the base.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub bottom: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub label: Option<String>,
}

#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Road {
    pub name: String,
    pub kind: RoadKind,
    pub line: Vec<Point>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub label: Option<String>,
}

#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Wall {
    pub name: String,
    pub kind: WallKind,
    pub line: Vec<Point>,
    /// On which hand of the line its defenders stand; without it, it shelters both.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub protects: Option<Hand>,
}

/// A bridge or a ford.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Crossing {
    pub name: String,
    pub at: Point,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub burnt: Option<bool>,
}

impl Crossing {
    pub fn is_burnt(&self) -> bool {
        self.burnt == Some(true)
    }
}

#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Place {
    pub name: String,
    pub kind: PlaceKind,
    pub at: Point,
    /// Named on the map before the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub chief: Option<bool>,
}

/// A stretch of railroad or road sunk between banks.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Cut {
    pub name: String,
    pub line: Vec<Point>,
}

/// The words a field may hold, and what they mean.
pub(crate) trait Words: Copy + 'static {
    const WORDS: &'static [(&'static str, Self)];
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, Eq, PartialEq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
        pub enum $name {
            $(#[serde(rename = $word)] $variant),+
        }

        impl Words for $name {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, $name::$variant)),+];
        }
    };
}

words!(
    /// A hand of someone walking along a line.
    Hand { Left = "left", Right = "right" }
);
words!(Steep { Gentle = "gentle", Usual = "usual", Steep = "steep" });
words!(WoodsKind { Light = "light", Heavy = "heavy" });
words!(WaterKind { Stream = "stream", Creek = "creek", River = "river" });
words!(RoadKind { Road = "road", Lane = "lane", Railroad = "railroad", Unfinished = "unfinished" });
words!(WallKind { Wall = "wall", Fence = "fence", Works = "works" });
words!(PlaceKind {
    Farm = "farm",
    House = "house",
    Summit = "summit",
    Knoll = "knoll",
    Landmark = "landmark",
    Label = "label",
    Village = "village",
});
