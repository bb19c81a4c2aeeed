//! Lines of the survey as chains of hexsides and of hexes.

use std::collections::BTreeMap;

use survey::geometry::{Course, Spot};
use survey::{Hand, Point};

use super::{Ground, SideFeatures};
use crate::{Direction, Grid, Hex, Side};

/// A hexside of a chain, and the hexes on either hand of the line it stands for.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Marked {
    pub(super) side: Side,
    pub(super) left: Option<Hex>,
    pub(super) right: Option<Hex>,
}

impl Marked {
    pub(super) fn on(&self, hand: Hand) -> Option<Hex> {
        match hand {
            Hand::Left => self.left,
            Hand::Right => self.right,
        }
    }

    pub(super) fn off(&self, hand: Hand) -> Option<Hex> {
        match hand {
            Hand::Left => self.right,
            Hand::Right => self.left,
        }
    }
}

/// The hexsides a line separates hexes by: those which a march from centre to centre crosses it by, an odd
/// number of times. Each stretch of the line between three centres links two such sides at a corner, so they
/// make one chain, and whoever walks round it without crossing it has not crossed the line.
pub(super) fn chain_of_sides(ground: &Ground, line: &[Point]) -> Vec<Marked> {
    let (grid, layout) = (&ground.grid, &ground.layout);
    let course = Course::new(line);
    let mut chain = Vec::new();
    for side in grid.sides() {
        let (hex, direction) = grid.crossing(side);
        let Some(beyond) = grid.neighbour(hex, direction) else { continue };
        let crossed = course.crossed_by(layout.centre(grid, hex), layout.centre(grid, beyond));
        if crossed.len().is_multiple_of(2) {
            continue;
        }
        let first = crossed[0];
        let (left, right) = if first.to_left { (beyond, hex) } else { (hex, beyond) };
        chain.push((first.along, Marked { side, left: Some(left), right: Some(right) }));
    }
    chain.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    chain.into_iter().map(|(_, marked)| marked).collect()
}

/// Hexes along a road, each the neighbour of the one before, and the edges of the map it comes in and goes
/// out by.
#[derive(Clone, Debug, Default)]
pub(super) struct HexChain {
    pub(super) hexes: Vec<Hex>,
    pub(super) edges: Vec<Side>,
}

impl HexChain {
    pub(super) fn sides(&self, grid: &Grid) -> Vec<Side> {
        let between = self.hexes.windows(2).filter_map(|pair| grid.side_between(pair[0], pair[1]));
        between.chain(self.edges.iter().copied()).collect()
    }
}

/// A hex of which a road takes less than this part of its breadth is only clipped at a corner.
const CLIPPED: f64 = 0.3;

/// The hexes a road runs through, in order, one chain for each stretch on the map. Where it only clips a
/// corner between two hexes that touch each other, it leads from one to the other directly: the faster way.
pub(super) fn chains_of_hexes(ground: &Ground, line: &[Point]) -> Vec<HexChain> {
    let (grid, layout) = (&ground.grid, &ground.layout);
    let mut chains: Vec<HexChain> = Vec::new();
    let mut stretch: Vec<(Hex, f64)> = Vec::new();
    let mut edges: Vec<Side> = Vec::new();
    let pace = layout.across() / 300.0;
    let mut off_map: Option<Spot> = None;
    for spot in Course::new(line).walk(pace) {
        match layout.hex_nearest(grid, spot) {
            Some(hex) => {
                if let (true, Some(outside)) = (stretch.is_empty(), off_map) {
                    edges.extend(edge_towards(ground, hex, outside));
                }
                match stretch.last_mut() {
                    Some((last, length)) if *last == hex => *length += pace,
                    _ => stretch.push((hex, pace)),
                }
            }
            None => {
                off_map = Some(spot);
                if let Some(&(last, _)) = stretch.last() {
                    edges.extend(edge_towards(ground, last, spot));
                    chains.push(finish(ground, &mut stretch, &mut edges));
                }
            }
        }
    }
    if !stretch.is_empty() {
        chains.push(finish(ground, &mut stretch, &mut edges));
    }
    chains
}

/// The side at the edge of the map by which one leaves the hex for this spot.
fn edge_towards(ground: &Ground, hex: Hex, outside: Spot) -> Option<Side> {
    let (grid, layout) = (&ground.grid, &ground.layout);
    Direction::ALL
        .into_iter()
        .filter(|&direction| grid.neighbour(hex, direction).is_none())
        .min_by(|&a, &b| {
            let far = |way| distance(layout.centre_beyond(grid, hex, way), outside);
            far(a).total_cmp(&far(b))
        })
        .map(|direction| grid.side(hex, direction))
}

fn distance(a: Spot, b: Spot) -> f64 {
    let (dx, dy) = (a.0 - b.0, a.1 - b.1);
    (dx * dx + dy * dy).sqrt()
}

fn finish(ground: &Ground, stretch: &mut Vec<(Hex, f64)>, edges: &mut Vec<Side>) -> HexChain {
    let clipped = CLIPPED * ground.layout.across();
    while let Some(at) = shortest_clip(&ground.grid, stretch, clipped) {
        let (_, length) = stretch.remove(at);
        // Halves of the clipped way go to the hexes before and after, which may now be one.
        stretch[at - 1].1 += length / 2.0;
        stretch[at].1 += length / 2.0;
        if stretch[at - 1].0 == stretch[at].0 {
            stretch[at - 1].1 += stretch.remove(at).1;
        }
    }
    let hexes = std::mem::take(stretch).into_iter().map(|(hex, _)| hex).collect();
    HexChain { hexes, edges: std::mem::take(edges) }
}

/// The most lightly clipped hex whose neighbours in the chain touch each other or are the same.
fn shortest_clip(grid: &Grid, stretch: &[(Hex, f64)], clipped: f64) -> Option<usize> {
    (1..stretch.len().saturating_sub(1))
        .filter(|&at| stretch[at].1 < clipped && grid.distance(stretch[at - 1].0, stretch[at + 1].0) <= 1)
        .min_by(|&a, &b| stretch[a].1.total_cmp(&stretch[b].1))
}

/// The hexes a line lies in for a quarter of their breadth or more; the one it is longest in at any rate.
pub(super) fn hexes_under(ground: &Ground, line: &[Point]) -> Vec<Hex> {
    let mut lengths: BTreeMap<Hex, usize> = BTreeMap::new();
    let pace = ground.layout.across() / 100.0;
    for spot in Course::new(line).walk(pace) {
        if let Some(hex) = ground.layout.hex_at(&ground.grid, spot) {
            *lengths.entry(hex).or_default() += 1;
        }
    }
    let longest = lengths.values().copied().max().unwrap_or_default();
    lengths.into_iter().filter(|&(_, length)| length >= longest.min(25)).map(|(hex, _)| hex).collect()
}

/// The hexside nearest to a bridge or ford: one where a road meets water if there is one within a hex,
/// else any with water.
pub(super) fn crossing_near(ground: &Ground, at: Point) -> Option<Side> {
    let spot = (f64::from(at[0]), f64::from(at[1]));
    let away = |side: Side| {
        let (hex, direction) = ground.grid.crossing(side);
        let ((ax, ay), (bx, by)) = ground.layout.side(&ground.grid, hex, direction);
        distance(((ax + bx) / 2.0, (ay + by) / 2.0), spot)
    };
    let nearest = |wanted: SideFeatures| {
        ground
            .grid
            .sides()
            .filter(|&side| {
                let features = ground.side(side);
                features.intersects(SideFeatures::WATER) && features.intersects(wanted)
            })
            .map(|side| (away(side), side))
            .filter(|&(yards, _)| yards <= ground.layout.across())
            .min_by(|(a, _), (b, _)| a.total_cmp(b))
            .map(|(_, side)| side)
    };
    nearest(SideFeatures::WAYS).or_else(|| nearest(SideFeatures::WATER))
}
