//! The ground as the rules see it: pieces of terrain and what a body meets of them.

use table::{Area, Bounds, Convex, Line, Rect, Road, Spot};

use crate::rules::terrain::Going;

/// One of the rows of the terrain table.
#[allow(clippy::enum_variant_names, reason = "the table's own words")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    LightWoods,
    DenseWoods,
    Stream,
    River,
    Obstacle,
    TallObstacle,
    LowField,
    CornField,
    Building,
    GentleHill,
    SteepHill,
    RockyGround,
    HedgeRow,
    Road,
}

/// How a kind of ground takes its place on the table.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A polygon, or a line with a width.
    Area(Area),
    /// A line without width.
    Line(Line),
    /// A centreline that columns follow.
    Road(Road),
}

/// A piece of terrain.
#[derive(Debug, Clone)]
pub struct Feature {
    pub name: String,
    pub ground: Ground,
    pub shape: Shape,
    /// How wide it was laid as a line, in thousandths of an inch; none for an outline.
    pub width: Option<i64>,
    /// The open top of a hill.
    pub plateau: Option<Area>,
    /// An obstacle made for defence (G19).
    pub works: bool,
    pub points: Vec<Spot>,
}

impl Feature {
    /// Does a body (a base, the ground of a move) enter it?
    pub fn entered_by(&self, body: &(impl Convex + ?Sized)) -> bool {
        match &self.shape {
            Shape::Area(area) => {
                area.overlaps(body)
                    && !self.plateau.as_ref().is_some_and(|p| body.corners().iter().all(|c| p.contains(*c)))
            }
            Shape::Line(line) => line.crosses(body),
            Shape::Road(_) => false,
        }
    }

    /// Is a base on this hill: its centre in the outline, border included (R11)?
    pub fn is_hill_under(&self, r: &Rect) -> bool {
        match &self.shape {
            Shape::Area(area) => self.ground.is_hill() && area.contains(r.centre),
            _ => false,
        }
    }

    /// Does this road run through it? Whoever is on the road is then not hindered by it (R24, G16).
    pub fn is_crossed_by(&self, road: &Road) -> bool {
        road.points().windows(2).any(|leg| match &self.shape {
            Shape::Area(area) => area.chord(leg[0], leg[1]) > 0,
            Shape::Line(line) => line.crossed_by(leg[0], leg[1]),
            Shape::Road(_) => false,
        })
    }

    pub fn bounds(&self) -> Bounds {
        match &self.shape {
            Shape::Area(area) => area.bounds(),
            Shape::Line(line) => line.bounds(),
            Shape::Road(road) => Bounds::of(road.points()),
        }
    }
}

/// The pieces of terrain of each going, by their numbers.
pub(crate) fn by_going(terrain: &[Feature]) -> [Vec<u16>; 3] {
    [Going::Open, Going::Difficult, Going::Impassable].map(|going| {
        let of = |(_, f): &(usize, &Feature)| f.ground.going() == going;
        terrain.iter().enumerate().filter(of).map(|(i, _)| i as u16).collect()
    })
}
