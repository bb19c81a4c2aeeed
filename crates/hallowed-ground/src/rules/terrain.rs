//! Chapter 6: the terrain table, and what lies under a base or a move.

use table::{Angle, Bounds, Convex, Rect, Road, pivot_is_clear};

use crate::setup::battle::Battle;
use crate::setup::ground::{Feature, Ground, Shape};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Going {
    Open,
    Difficult,
    Impassable,
}

/// Whether ground stops sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocks {
    No,
    Yes,
    /// Only for those who are not on it (6.2.o).
    Hill,
}

impl Ground {
    pub const WORDS: [&str; 14] = [
        "light_woods",
        "dense_woods",
        "stream",
        "river",
        "obstacle",
        "tall_obstacle",
        "low_field",
        "corn_field",
        "building",
        "gentle_hill",
        "steep_hill",
        "rocky_ground",
        "hedge_row",
        "road",
    ];
    pub const ALL: [Ground; 14] = [
        Ground::LightWoods,
        Ground::DenseWoods,
        Ground::Stream,
        Ground::River,
        Ground::Obstacle,
        Ground::TallObstacle,
        Ground::LowField,
        Ground::CornField,
        Ground::Building,
        Ground::GentleHill,
        Ground::SteepHill,
        Ground::RockyGround,
        Ground::HedgeRow,
        Ground::Road,
    ];

    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    /// Column "type" of the terrain table (6.1.a).
    pub const fn going(self) -> Going {
        match self {
            Ground::DenseWoods | Ground::River | Ground::TallObstacle | Ground::Building => Going::Impassable,
            Ground::LowField | Ground::GentleHill | Ground::Road => Going::Open,
            _ => Going::Difficult,
        }
    }

    pub const fn gives_cover(self) -> bool {
        matches!(self, Ground::Obstacle)
    }

    pub const fn obscures(self) -> bool {
        matches!(self, Ground::LightWoods | Ground::Obstacle | Ground::CornField | Ground::HedgeRow)
    }

    pub const fn blocks(self) -> Blocks {
        match self {
            Ground::DenseWoods | Ground::Building | Ground::TallObstacle => Blocks::Yes,
            Ground::GentleHill | Ground::SteepHill => Blocks::Hill,
            _ => Blocks::No,
        }
    }

    pub const fn is_hill(self) -> bool {
        matches!(self, Ground::GentleHill | Ground::SteepHill)
    }

    /// How it is laid on the table: a line of this width in thousandths of an inch (G13), or an outline.
    pub const fn line_width(self) -> Option<i64> {
        match self {
            Ground::Obstacle | Ground::TallObstacle | Ground::HedgeRow => Some(0),
            Ground::Stream => Some(1_000),
            Ground::River => Some(4_000),
            Ground::Road => Some(2_000),
            _ => None,
        }
    }
}

impl Battle {
    /// Is there impassable ground in or at a box?
    pub fn impassable_about(&self, room: &Bounds) -> bool {
        self.features(Going::Impassable).any(|f| room.meets(&f.bounds()))
    }

    pub fn features(&self, going: Going) -> impl Iterator<Item = &Feature> {
        self.by_going[going as usize].iter().map(|i| &self.terrain[usize::from(*i)])
    }

    /// Impassable ground may not be entered even for a moment (6.1.d).
    pub fn impassable(&self, body: &(impl Convex + ?Sized)) -> bool {
        self.features(Going::Impassable).any(|f| f.entered_by(body))
    }

    /// Terrain of a going that a body enters although the road it is on does not run through it (R24).
    pub fn beside_road(&self, going: Going, road: &Road, body: &(impl Convex + ?Sized)) -> bool {
        self.features(going).any(|f| f.entered_by(body) && !f.is_crossed_by(road))
    }

    pub fn difficult(&self, body: &(impl Convex + ?Sized)) -> bool {
        self.features(Going::Difficult).any(|f| f.entered_by(body))
    }

    /// Is a pivot about the centre clear of impassable ground all the way (R18)?
    pub fn pivots_on_passable(&self, rect: &Rect, to: Angle) -> bool {
        let reach = rect.half_diagonal();
        let room = Bounds { lo: rect.centre, hi: rect.centre }.grown(reach);
        self.features(Going::Impassable).filter(|f| room.meets(&f.bounds())).all(|f| match &f.shape {
            Shape::Area(area) => pivot_is_clear(rect, to, |r| area.clearance(r)),
            Shape::Line(line) => pivot_is_clear(rect, to, |r| line.clearance(r)),
            Shape::Road(_) => true,
        })
    }

    /// Is a base on a hill (R11)?
    pub fn is_on_hill(&self, r: &Rect) -> bool {
        self.terrain.iter().any(|f| f.is_hill_under(r))
    }
}
