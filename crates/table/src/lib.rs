//! The exact geometry of a miniatures table measured in inches.
//!
//! * A *pose* is written on a grid of thousandths of an inch: the middle of the unit's front edge, and a facing in
//!   hundredths of a degree ([`Pose`]). That is what a state stores and a player reads.
//! * A *body* is worked out on a grid a thousand times finer (millionths of an inch, [`Pt`]), in `i64`, so that the
//!   corner of a turned rectangle is wrong by at most half a millionth, two thousand times less than [`EPS`].
//! * Directions are integer vectors of length 2^30 from a constant table built by integer arithmetic ([`Dir`]): no
//!   floating point anywhere, hence the same answer on every machine. Quarter turns only swap and negate components,
//!   so nothing changes when the whole table is turned by 90 degrees, and everything works on differences, so nothing
//!   changes when it is shifted.
//!
//! "Within X" is `d <= X + EPS`, "overlap" is penetration deeper than [`EPS`], "contact" is a gap of at most [`EPS`].

#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod angle;
mod arcs;
mod contact;
mod convex;
mod grid;
mod place;
mod rect;
mod road;
mod sight;
mod sweep;
mod terrain;
mod wedge;

pub use angle::{Angle, Dir};
pub use arcs::Side;
pub use contact::{Touch, conform, touch};
pub use convex::{
    Axis, Bounds, Convex, Hull, closest_on_segment, deeper_than_eps, depth, distance, distance_to_point,
    distance_to_segment, hull,
};
pub use grid::{EPS, INCH, MIL, Pt, Spot, div_round, inches, mm, mul_div};
pub use place::{clear_from, clear_up_to, nearest_free, pack, pack_between};
pub use rect::{Disc, Pose, Rect, Size};
pub use road::Road;
pub use sight::{Look, Span, Spans, length, meet, subtract, unite};
pub use sweep::{
    Way, first_overlap, overlap_while_moving, pivot_is_clear, pivot_steps, to_edge, touch_distance, travel,
};
pub use terrain::{Area, Line, MAX_CORNERS, MAX_POINTS, Part, TableTop, UNIT, part_inside};
pub use wedge::Wedge;
