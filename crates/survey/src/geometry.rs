//! Questions about outlines and lines, asked while a map is loaded and never in play.

use geo::{BoundingRect, Contains, Coord, Distance, Euclidean, Line, LineString, Polygon, Rect};

use crate::Point;

/// A place in yards, between the whole ones too.
pub type Spot = (f64, f64);

fn coord((x, y): Spot) -> Coord {
    Coord { x, y }
}

fn string(points: &[Point]) -> LineString {
    points.iter().map(|&[x, y]| (f64::from(x), f64::from(y))).collect()
}

/// Whether a spot is so close to a rectangle that it is worth a closer look.
fn near(bounds: Option<Rect>, (x, y): Spot, yards: f64) -> bool {
    bounds.is_some_and(|bounds| {
        let (min, max) = (bounds.min(), bounds.max());
        (min.x - yards..=max.x + yards).contains(&x) && (min.y - yards..=max.y + yards).contains(&y)
    })
}

/// A closed outline.
#[derive(Clone, Debug)]
pub struct Outline {
    polygon: Polygon,
    bounds: Option<Rect>,
}

impl Outline {
    pub fn new(points: &[Point]) -> Outline {
        let polygon = Polygon::new(string(points), Vec::new());
        Outline { bounds: polygon.bounding_rect(), polygon }
    }

    pub fn contains(&self, spot: Spot) -> bool {
        near(self.bounds, spot, 0.0) && self.polygon.contains(&coord(spot))
    }
}

/// Where a course is crossed by a straight march.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Crossed {
    /// How far along the course, in yards.
    pub along: f64,
    /// Whether the march goes over from the right to the left hand of the course.
    pub to_left: bool,
}

/// A line with a beginning and an end.
#[derive(Clone, Debug)]
pub struct Course {
    line: LineString,
    bounds: Option<Rect>,
}

impl Course {
    pub fn new(points: &[Point]) -> Course {
        let line = string(points);
        Course { bounds: line.bounding_rect(), line }
    }

    pub fn distance_to(&self, spot: Spot) -> f64 {
        Euclidean.distance(&geo::Point::from(spot), &self.line)
    }

    /// Whether a spot lies within so many yards of the course.
    pub fn passes_within(&self, yards: f64, spot: Spot) -> bool {
        let close = |line: Line| {
            near(Some(line.bounding_rect()), spot, yards)
                && Euclidean.distance(&geo::Point::from(spot), &line) < yards
        };
        near(self.bounds, spot, yards) && self.line.lines().any(close)
    }

    /// The spots along the course, so many yards apart at most, both ends included.
    pub fn walk(&self, pace: f64) -> Vec<Spot> {
        let mut spots: Vec<Spot> = self.line.coords().take(1).map(|at| (at.x, at.y)).collect();
        for line in self.line.lines() {
            let paces = (length(line) / pace).ceil().max(1.0);
            let (dx, dy) = (line.dx() / paces, line.dy() / paces);
            spots.extend((1..=paces as usize).map(|n| {
                let n = n as f64;
                (line.start.x + dx * n, line.start.y + dy * n)
            }));
        }
        spots
    }

    /// Every crossing of the straight march from one spot to another, in the order of the course.
    /// A march that only touches a bend from one side crosses twice or not at all.
    pub fn crossed_by(&self, from: Spot, to: Spot) -> Vec<Crossed> {
        let march = Line::new(coord(from), coord(to));
        let mut walked = 0.0;
        let mut crossings = Vec::new();
        for line in self.line.lines() {
            if let Some(crossing) = cross(line, march) {
                crossings.push(Crossed { along: walked + crossing.along, ..crossing });
            }
            walked += length(line);
        }
        crossings
    }
}

fn length(line: Line) -> f64 {
    (line.dx() * line.dx() + line.dy() * line.dy()).sqrt()
}

/// Positive on the left hand of the line.
fn left_of(line: Line, at: Coord) -> f64 {
    line.dx() * (at.y - line.start.y) - line.dy() * (at.x - line.start.x)
}

/// Each end counts as left when it lies on the line, so that a march through a bend is counted once.
fn cross(line: Line, march: Line) -> Option<Crossed> {
    let (from, to) = (left_of(line, march.start) >= 0.0, left_of(line, march.end) >= 0.0);
    let (start, end) = (left_of(march, line.start), left_of(march, line.end));
    if from == to || (start >= 0.0) == (end >= 0.0) {
        return None;
    }
    Some(Crossed { along: length(line) * start / (start - end), to_left: to })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_and_a_notch() {
        let notched = Outline::new(&[[0, 0], [100, 0], [100, 100], [50, 20], [0, 100]]);
        assert!(notched.contains((50.0, 10.0)));
        assert!(!notched.contains((50.0, 60.0)));
        assert!(!notched.contains((150.0, 60.0)));
    }

    #[test]
    fn crossings_know_their_hand() {
        let north = Course::new(&[[0, 0], [0, 50], [0, 100]]);
        let crossed = north.crossed_by((-10.0, 50.0), (10.0, 50.0));
        assert_eq!(crossed, [Crossed { along: 50.0, to_left: false }]);
        assert!(north.crossed_by((10.0, 70.0), (-10.0, 70.0))[0].to_left);
        assert!(north.crossed_by((10.0, 70.0), (5.0, 70.0)).is_empty());
        assert_eq!(north.distance_to((30.0, 140.0)), 50.0);
        assert!(north.passes_within(50.1, (30.0, 140.0)) && !north.passes_within(50.0, (30.0, 140.0)));
        assert_eq!(north.walk(25.0).len(), 5);
    }
}
